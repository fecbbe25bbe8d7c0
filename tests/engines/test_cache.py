"""Machine code on disk: used again, made anew when damaged, safe for two writers, cleared on request."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime import loaded, native
from tolang.engines.cpu.runtime.tier_up import improvements_end
from tolang.ground.reporting.diagnostics import ToLangWarning
from tolang.store import cache

SOURCE = "tol x: R [n]\ny := map(x, * * 3 + 1)"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    improvements_end()  # what earlier programs have left to be compiled would be kept here, too
    monkeypatch.setenv("TOL_CACHE_DIR", str(tmp_path))
    return tmp_path


def run() -> Any:
    """Compiles and runs as a new process would: nothing is loaded yet."""
    loaded.forget()
    return tolang.compile(SOURCE, engine="cpu", fallback=False)(np.arange(4.0))


def test_second_time_nothing_is_compiled(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [1.0, 4.0, 7.0, 10.0]
    assert run().tolist() == expected
    assert list(kept.glob("*.o"))

    def never(*_: Any) -> Any:
        raise AssertionError("compiled again")

    monkeypatch.setattr(native, "machine_code", never)
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
    alone = {path.name for path in kept.iterdir()}
    assert not [name for name in alone if name.endswith(".part")]
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=120)
    assert {path.name for path in kept.iterdir()} == alone


def test_folder_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("TOL_CACHE_DIR", str(blocked))
    with pytest.warns(ToLangWarning, match="file is not a folder"):
        assert run().tolist() == [1.0, 4.0, 7.0, 10.0]


def test_clear(kept: Path) -> None:
    run()
    there = len(list(kept.iterdir()))
    assert there >= 2
    assert len(cache.entries()) == there
    assert cache.clear() == there
    assert not list(kept.iterdir())


def test_folder_stays_bounded(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LARGEST_FOLDER", 5000)
    monkeypatch.setattr(cache, "TRIMMED_FOLDER", 3000)
    monkeypatch.setattr(cache, "_STORED_BETWEEN_TRIMS", 1)
    for number in range(20):
        cache.store(f"entry{number}", bytes(500))
        os.utime(kept / f"entry{number}.o", (1000 + number, 1000 + number))
        cache.load("entry0")
    assert sum(path.stat().st_size for path in kept.iterdir()) <= 5000
    assert cache.load("entry0") is not None, "used most recently"
    assert cache.load("entry1") is None


def test_leftovers_of_killed_writers_are_removed(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_STORED_BETWEEN_TRIMS", 1)
    (kept / "old.part").write_bytes(b"half")
    os.utime(kept / "old.part", (1000, 1000))
    (kept / "new.part").write_bytes(b"half")
    cache.store("entry", b"whole")
    assert {path.name for path in kept.iterdir()} == {"new.part", "entry.o"}


def test_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOL_CACHE_DIR", "off")
    assert cache.folder() is None
    assert cache.clear() == 0
    assert run().tolist() == [1.0, 4.0, 7.0, 10.0]


@pytest.mark.compiled("full")
def test_quick_code_is_kept_apart_and_right(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected, before = run().tolist(), set(kept.glob("*.o"))
    monkeypatch.setenv("TOL_COMPILE", "quick")
    loaded.forget()
    again = tolang.compile(f"{SOURCE}  # again", engine="cpu", fallback=False)
    assert again(np.arange(4.0)).tolist() == expected
    assert set(kept.glob("*.o")) > before
