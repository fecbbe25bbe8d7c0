"""Machine code on disk: used again, made anew when damaged, safe for two writers, cleared on request."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu import cache, kernels, native

SOURCE = "tol x: R [n]\ny := map(x, * * 3 + 1)"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOL_CACHE_DIR", str(tmp_path))
    return tmp_path


def run() -> Any:
    """Compiles and runs as a new process would: nothing is loaded yet."""
    kernels.forget()
    return tolang.compile(SOURCE, engine="cpu", fallback=False)(np.arange(4.0))


def test_second_time_nothing_is_compiled(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [1.0, 4.0, 7.0, 10.0]
    assert run().tolist() == expected
    assert len(list(kept.glob("*.o"))) == 2, "one kernel and one plan"

    def never(*_: Any) -> Any:
        raise AssertionError("compiled again")

    monkeypatch.setattr(native, "optimise", never)
    assert run().tolist() == expected


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 5000])
def test_damaged_entry_is_made_anew(kept: Path, damage: bytes) -> None:
    run()
    sound = {entry: entry.read_bytes() for entry in kept.glob("*.o")}
    for entry in sound:
        entry.write_bytes(damage)
    assert run().tolist() == [1.0, 4.0, 7.0, 10.0]
    assert {entry: entry.read_bytes() for entry in kept.glob("*.o")} == sound


def test_two_processes_write_at_once(kept: Path) -> None:
    code = f"import tolang, numpy; print(tolang.compile({SOURCE!r}, engine='cpu')(numpy.arange(4.0)).tolist())"
    started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [one.communicate(timeout=120)[0].strip() for one in started] == ["[1.0, 4.0, 7.0, 10.0]"] * 2
    assert len(list(kept.glob("*.o"))) == 2
    assert not list(kept.glob("*.part"))


def test_folder_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("TOL_CACHE_DIR", str(blocked))
    assert run().tolist() == [1.0, 4.0, 7.0, 10.0]


def test_clear(kept: Path) -> None:
    run()
    assert cache.clear() == 2
    assert not list(kept.iterdir())


def test_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOL_CACHE_DIR", "off")
    assert cache.folder() is None
    assert cache.clear() == 0
    assert run().tolist() == [1.0, 4.0, 7.0, 10.0]
