"""What is kept is run, so it is believed only where nobody else can have written it, and junk is made anew, never run."""

from __future__ import annotations

import os
import pickle
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime import loaded, native
from tolang.engines.cpu.runtime.tier_up import improvements_end
from tolang.ground.system.ownership import make_folder, objection, own_content
from tolang.store import cache
from tolang.store import programs as programs

SOURCE = "tol x: R [n]\ny := map(x, * * 3 + 1)"
EXPECTED = [1.0, 4.0, 7.0, 10.0]
CODE = f"""
import sys, numpy, tolang
print(tolang.compile({SOURCE!r}, engine='cpu', fallback=False)(numpy.arange(4.0)).tolist())
"""
OTHER = 54321
"""The number of some other user."""
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for entries, in a folder of its own."""
    place = tmp_path / "outer" / "cache"
    make_folder(place)
    improvements_end()  # what earlier programs have left to be compiled would be kept here, too
    monkeypatch.setenv("TOL_CACHE_DIR", str(place))
    return place


def run() -> Any:
    """Compiles and runs as a new process would: nothing is loaded, and no folder has been looked at."""
    loaded.forget()
    cache._SAFE.clear()
    return tolang.compile(SOURCE, engine="cpu", fallback=False)(np.arange(4.0)).tolist()


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_folders_and_files_are_made_for_their_user_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOL_CACHE_DIR", str(folder / "a" / "b"))
    before = os.umask(0)
    try:
        assert run() == EXPECTED
    finally:
        os.umask(before)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (folder / "a").rglob("*")}
    assert len(modes) > 3
    assert all(mode == (0o700 if path.is_dir() else 0o600) for path, mode in modes.items())
    assert stat.S_IMODE((folder / "a").stat().st_mode) == 0o700


def opened(folder: Path) -> None:
    folder.chmod(0o777)


def shared(folder: Path) -> None:
    folder.chmod(0o770)


def sticky(folder: Path) -> None:
    folder.chmod(0o1777)


def replaceable(folder: Path) -> None:
    folder.parent.chmod(0o777)


def given_away(folder: Path) -> None:
    os.chown(folder, OTHER, OTHER)


def in_the_home_of_another(folder: Path) -> None:
    os.chown(folder.parent, OTHER, OTHER)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (opened, "others may write {folder}, whose mode is 0777"),
        (shared, "others may write {folder}, whose mode is 0770"),
        (sticky, "others may write {folder}, whose mode is 1777"),
        (replaceable, "others may write {folder.parent}, whose mode is 0777"),
        pytest.param(given_away, f"{{folder}} belongs to user {OTHER}", marks=as_root),
        pytest.param(in_the_home_of_another, f"{{folder.parent}} belongs to user {OTHER}", marks=as_root),
    ],
)
def test_a_folder_that_others_can_change_is_left_alone(
    folder: Path, change: Callable[[Path], None], reason: str
) -> None:
    assert run() == EXPECTED
    change(folder)
    before = content(folder)
    with pytest.warns(tolang.ToLangWarning) as told:
        assert run() == EXPECTED
    assert len(told) == 1
    assert reason.format(folder=folder) in str(told[0].message)
    assert content(folder) == before
    own = cache.folder()
    assert own is not None
    assert own != folder
    assert stat.S_IMODE(own.stat().st_mode) == 0o700


@as_root
def test_root_makes_nothing_in_the_home_of_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when `sudo` keeps HOME: what root left there could not be removed, or could be replaced."""
    monkeypatch.setenv("TOL_CACHE_DIR", str(folder / ".cache" / "tolang"))
    os.chown(folder, OTHER, OTHER)
    with pytest.warns(tolang.ToLangWarning, match="belongs to user"):
        assert run() == EXPECTED
    assert not list(folder.iterdir())


def test_a_sticky_folder_around_is_no_danger(folder: Path) -> None:
    folder.parent.chmod(0o1777)
    assert objection(folder) is None
    assert run() == EXPECTED
    assert content(folder)


def test_a_link_leads_to_the_folder_that_is_looked_at(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = folder.parent / "link"
    link.symlink_to(folder)
    monkeypatch.setenv("TOL_CACHE_DIR", str(link))
    assert run() == EXPECTED
    assert content(folder)
    folder.chmod(0o777)
    with pytest.warns(tolang.ToLangWarning, match="others may write"):
        assert run() == EXPECTED


def writable(path: Path) -> None:
    path.chmod(0o666)


def linked(path: Path) -> None:
    path.rename(path.with_suffix(".elsewhere"))
    path.symlink_to(path.with_suffix(".elsewhere"))


def piped(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def foreign(path: Path) -> None:
    os.chown(path, OTHER, OTHER)


def made_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "change", [writable, linked, piped, emptied, made_a_folder, pytest.param(foreign, marks=as_root)]
)
def test_files_that_others_may_have_written_are_not_read(
    folder: Path, change: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run() == EXPECTED
    for path in list(folder.iterdir()):
        change(path)
        assert own_content(str(path), 1 << 20) in (None, b"")
    compiled: list[int] = []
    original = native.machine_code

    def counted(*given: Any) -> bytes:
        compiled.append(1)
        return original(*given)

    monkeypatch.setattr(native, "machine_code", counted)
    assert run() == EXPECTED
    assert compiled
    if change is not made_a_folder:
        assert run() == EXPECTED
        assert len(compiled) == 1, "it was made anew, in the place of what was there"


def test_entries_do_not_stand_in_for_each_other(folder: Path) -> None:
    """Each is whole and of the right kind, but another one."""
    assert run() == EXPECTED
    source = SOURCE.replace("* 3", "* 5")
    assert tolang.compile(source, engine="cpu")(np.arange(4.0)).tolist() == [1.0, 6.0, 11.0, 16.0]
    sound = content(folder)
    for kind in (".o", ".core"):
        names = sorted(name for name in sound if name.endswith(kind))
        for name, other in zip(names, [*names[1:], names[0]], strict=True):
            (folder / name).write_bytes(sound[other])
    assert run() == EXPECTED


def kernel(folder: Path) -> Path:
    """The entry that is a kernel: its checks stand before its code."""
    (found,) = (path for path in folder.glob("*.o") if path.read_bytes()[cache.DIGEST :].startswith(b"["))
    return found


def other_code(name: str) -> bytes:
    """Object code: of another function, of another machine, or in which nothing is where it should be."""
    code = native.machine_code(f"define i64 @{'other' if name == 'function' else 'kernel'}(ptr %x) {{ ret i64 7 }}")
    if name == "machine":
        return code[:18] + b"\x03\x00" + code[20:]
    return code[:64] + bytes(2000) if name == "zeros" else code


@pytest.mark.parametrize(
    "junk",
    [
        lambda: b"", lambda: b"[]", lambda: b"[]\n", lambda: b"[]\nno code", lambda: b'{"a": 1}\n' + other_code(""),
        lambda: b"[[1,2,3]]\n" + other_code(""), lambda: b"nonsense\n" + other_code(""), lambda: b"\xff\xfe\n" + other_code(""),
        lambda: b"[]\n" + other_code("function"), lambda: b"[]\n" + other_code("machine"), lambda: b"[]\n" + other_code("zeros"),
        lambda: b"[]\n" + other_code("")[:100],
    ],
)  # fmt: skip
def test_junk_in_a_sound_entry_of_code_is_made_anew(folder: Path, junk: Callable[[], bytes]) -> None:
    assert run() == EXPECTED
    path = kernel(folder)
    sound = path.read_bytes()
    cache.store(path.stem, junk())
    assert path.read_bytes() != sound
    assert run() == EXPECTED
    assert path.read_bytes() == sound


@pytest.mark.parametrize(
    "junk",
    [
        b"", b"no pickle", pickle.dumps(None), pickle.dumps({"a": 1}), pickle.dumps("large"), pickle.dumps((1, 2, 3, 4)),

        pickle.dumps(([], 3, "a", (1,))), pickle.dumps(((), (), (), b"")), pickle.dumps(((), (), (), b"no pickle")),
        b"\x80\x05cfractions\nFraction\n(K\x01K\x00tR.", b"\x80\x05ctolang.ground.sizes\nSize\n)\x81.", b"cos\nsystem\n(S'exit 9'\ntR.",
    ],
)  # fmt: skip
def test_junk_in_a_sound_entry_of_a_program_is_made_anew(folder: Path, junk: bytes) -> None:
    source = "tol x: R [n]\ntwice(v) := map(v, * * 2)\ny := map(twice(x), * + 1)"
    x = np.array([1.0, 2.0])
    assert tolang.compile(source, engine="cpu")(x).tolist() == [3.0, 5.0]
    for path in list(folder.glob("*.core")):
        cache.store(path.stem, junk, cache.CHECKED)
        loaded.forget()
        again = tolang.compile(source, engine="cpu")
        assert again(x).tolist() == [3.0, 5.0]
        assert again.twice(x).tolist() == [2.0, 4.0]
        assert str(again.cost().eops) == "2*n"


def test_content_that_turns_out_to_be_none_is_made_anew(folder: Path) -> None:
    """What a call takes and gives is right, what lies behind it is not."""
    source = "tol x: R [n]\ny := x + 1"
    first = tolang.compile(source)
    (path,) = folder.glob("*.core")
    inputs, values, functions, (sizes, _, outputs, _) = programs._read(cache.load(path.stem, cache.CHECKED) or b"")
    flat = inputs, values, functions, (sizes, inputs, outputs, b"no pickle")
    cache.store(path.stem, programs._written(flat), cache.CHECKED)
    again = tolang.compile(source)
    assert isinstance(again.core, programs.Unread)
    assert str(again.cost().eops) == str(first.cost().eops)
    assert again([1.0, 2.0]).tolist() == [2.0, 3.0]


def process(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env={**os.environ, **environment}
    )


def test_one_warning_and_nothing_left_behind(folder: Path, tmp_path: Path) -> None:
    folder.chmod(0o777)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    done = process(CODE + CODE, TMPDIR=str(temporary))
    assert done.stdout.split("\n")[:2] == [str(EXPECTED)] * 2
    assert done.stderr.count("ToLangWarning: the cache") == 1
    assert not list(temporary.iterdir())
    assert not list(folder.iterdir())


def test_the_command_says_it_in_one_line(folder: Path) -> None:
    folder.chmod(0o777)
    command = [sys.executable, "-m", "tolang", "cache"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"tol: the cache {folder} is not used: others may write {folder}, whose mode is 0777")


OBSTACLES = {
    "no room": "import resource, sys; sys.dont_write_bytecode = True; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))",
    "no such place": "os.environ['TOL_CACHE_DIR'] = '/proc/self/tolang'",
    "no working directory": "os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone'); os.environ['TOL_CACHE_DIR'] = 'here'",
    "a name too long": "os.environ['TOL_CACHE_DIR'] = '/tmp/' + 'x' * 5000",
    "no home": "os.environ.pop('TOL_CACHE_DIR'); os.environ.pop('HOME', 0); os.path.expanduser = str",
    "read-only": "os.utime = os.mkdir = tempfile.mkstemp = refused",
}
TRIED = f"""
import os, sys, tempfile, numpy, tolang, tolang.engines.cpu.translation
def refused(*_, **__): raise OSError(30, 'Read-only file system')
for name, obstacle in {OBSTACLES!r}.items():
    if not os.fork():
        exec(obstacle)
        print(name, tolang.compile({SOURCE!r}, engine='cpu')(numpy.arange(4.0)).tolist(), flush=True)
        sys.exit()
    os.wait()
"""
"""Each obstacle in a process of its own, forked from one that has loaded the package."""


def test_where_nothing_can_be_kept_all_works(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    done = process(TRIED)
    assert done.stdout.splitlines() == [f"{name} {EXPECTED}" for name in OBSTACLES], done.stderr
    assert "Traceback" not in done.stderr
    assert not list(folder.iterdir())


def test_a_read_only_folder_is_read(folder: Path) -> None:
    assert process(CODE).returncode == 0
    before = content(folder)
    head = "import os, tempfile\ndef refused(*_, **__): raise OSError(30, 'Read-only file system')\n"
    never = "\nfrom tolang.engines.cpu.runtime import native\nnative.machine_code = None\n"
    assert process(head + OBSTACLES["read-only"] + never + CODE).stdout == f"{EXPECTED}\n"
    assert content(folder) == before
