"""Checked programs on disk: not checked again, made anew when damaged or strange, changed with their source."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.check import programs
from tolang.core.printer import print_program
from tolang.engines.cpu import translation
from tolang.engines.cpu.runtime import loaded
from tolang.store import cache
from tolang.store import programs as entries
from tolang.syntax import parser

SOURCE = "tol x: R [n]\ntwice(v) := map(v, * * 2)\ny := map(twice(x), * + sum(x))"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOL_CACHE_DIR", str(tmp_path))
    return tmp_path


def never(*_: Any, **__: Any) -> Any:
    raise AssertionError("done again")


def test_second_time_nothing_is_parsed_checked_or_lowered(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.array([1.0, 2.0])
    loaded.forget()
    first = tolang.compile(SOURCE, engine="cpu")
    expected = first(x).tolist()
    assert expected == [5.0, 7.0]
    loaded.forget()
    monkeypatch.setattr(programs, "check_program", never)
    monkeypatch.setattr(parser, "parse", never)
    monkeypatch.setattr(translation, "lower", never)
    again = tolang.compile(SOURCE, engine="cpu")
    assert again(x).tolist() == expected
    assert print_program(again.core) == print_program(first.core)
    assert (again.inputs, again.outputs, again.functions) == (first.inputs, first.outputs, first.functions)


def test_spans_come_back(kept: Path) -> None:
    source = "tol x: R [n]\ntol k: Z\ny := x[k]"
    messages = []
    for _ in range(2):
        with pytest.raises(tolang.ToLangRunError) as error:
            tolang.compile(source, engine="cpu")(np.ones(2), 3)
        messages.append(str(error.value))
    assert messages[0] == messages[1]
    assert "<source>:3:6" in messages[0]


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 5000])
def test_damaged_entry_is_made_anew(kept: Path, damage: bytes) -> None:
    tolang.compile(SOURCE)
    (entry,) = kept.glob("*.core")
    entry.write_bytes(damage)
    assert cache.load(entry.stem, cache.CHECKED) is None
    assert tolang.compile(SOURCE).functions == ("twice",)
    assert cache.load(entry.stem, cache.CHECKED) is not None


class Hostile:
    def __reduce__(self) -> Any:
        return print, ("hostile",)


@pytest.mark.parametrize("content", [Hostile(), {"a": np.float64}, [subprocess.Popen]])
def test_entry_that_names_anything_else_is_not_read(
    kept: Path, content: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    tolang.compile(SOURCE)
    (entry,) = kept.glob("*.core")
    cache.store(entry.stem, pickle.dumps(content), cache.CHECKED)
    assert tolang.compile(SOURCE)(np.array([1.0, 2.0])).tolist() == [5.0, 7.0]
    assert not capsys.readouterr().out


def test_a_warm_call_reads_no_body(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.array([1.0, 2.0])
    expected = tolang.compile(SOURCE)(x).tolist()
    again = tolang.compile(SOURCE)
    with monkeypatch.context() as patch:
        patch.setattr(entries.Unread, "__getattr__", never)
        assert again(x).tolist() == expected
    assert str(again.cost().eops)
    assert print_program(again.core) == print_program(tolang.compile(SOURCE).core)


def test_another_source_is_another_entry(kept: Path) -> None:
    assert tolang.compile("y := 1", engine="interpret")() == 1
    assert tolang.compile("y := 2", engine="interpret")() == 2
    assert tolang.compile("y := 1", engine="interpret")() == 1
    assert len(list(kept.glob("*.core"))) == 2


def test_errors_are_not_kept(kept: Path) -> None:
    for _ in range(2):
        with pytest.raises(tolang.ToLangCheckError):
            tolang.compile("y := nothing")
    assert not list(kept.glob("*.core"))


def test_storages_and_functions_are_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def results() -> list[Any]:
        one = tolang.compile(SOURCE, engine="interpret")
        return [one(np.ones(2, np.float32)).dtype, one.twice(np.ones(3)).tolist()]

    assert results() == [np.float32, [2.0] * 3]
    monkeypatch.setattr(programs, "check_program", never)
    monkeypatch.setattr(programs, "check_function", never)
    assert results() == [np.float32, [2.0] * 3]


def test_long_chains_are_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["tol x: R [n]", "a1 = map(x, * + 1)", *(f"a{k + 1} = map(a{k}, * + 1)" for k in range(1, 400))]
    source = "\n".join([*lines, "y := a400"])
    core = tolang.compile(source, engine="interpret").core
    monkeypatch.setattr(programs, "check_program", never)
    assert print_program(tolang.compile(source, engine="interpret").core) == print_program(core)


def test_two_processes_write_at_once(kept: Path) -> None:
    code = f"import tolang, numpy; print(tolang.compile({SOURCE!r}, engine='cpu')(numpy.array([1.0, 2.0])).tolist())"
    started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [one.communicate(timeout=120)[0].strip() for one in started] == ["[5.0, 7.0]"] * 2
    assert not list(kept.glob("*.part"))
