"""What was compiled, kept on disk, so that a program compiled once starts at once in the next process.

An entry is named by everything it depends on: source or code, the processor and its features, the versions of LLVM and
of this package's own files.  It is written beside and renamed, so two processes may write at once, and carries a
digest of its name and content, so one that is damaged, or that another was put in place of, is made anew.  Entries
ending in `.o` are machine code, those in `.soon` such as was to be ready soon, those in `.core` checked programs.

The folder is `TOL_CACHE_DIR`, or tolang's own among the user's caches; `TOL_CACHE_DIR=off` keeps nothing.  Entries are
run, so the folder is used only where nobody but this user can write it or any file that is read (`ownership.py`);
else the process keeps its entries in a folder of its own, and says so once.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from tolang.ground.reporting.diagnostics import warn
from tolang.ground.reporting.escaping import visible
from tolang.ground.system.ownership import make_folder, objection, own_content, private_folder

LARGEST_FOLDER = 256 * 10**6
TRIMMED_FOLDER = 192 * 10**6
"""What is left of a folder that had become too large."""
DIGEST = 32
MACHINE_CODE, SOON, CHECKED = ".o", ".soon", ".core"
_KINDS = MACHINE_CODE, SOON, CHECKED
_UNFINISHED = ".part"
_SECONDS_UNFINISHED = 3600
_STORED_BETWEEN_TRIMS = 64
_stored = 0
_BROUGHT: dict[str, bytes] = {}
"""Entries that loaded programs brought, by the names of their files."""
_SAFE: dict[tuple[str, int], Path | None] = {}
"""Folders that were looked at, each by its path and the user who asked, and what is used in its place."""


def wanted_folder() -> Path | None:
    """The folder that entries are to be kept in; None where nothing is to be kept, or there is no place for it."""
    wanted = os.environ.get("TOL_CACHE_DIR", "")
    if wanted.lower() in ("off", "0", "none"):
        return None
    if not wanted:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        if not os.path.isabs(base):  # a user without a home
            return None
        wanted = os.path.join(base, "tolang")
    try:
        return Path(os.path.abspath(os.path.expanduser(wanted)))
    except OSError:  # a path from a working directory that was removed
        return None


def folder() -> Path | None:
    """Where entries are kept: where they are wanted if that is this user's alone, else in a folder of this process."""
    wanted = wanted_folder()
    if wanted is None:
        return None
    place = str(wanted), os.geteuid()
    if place in _SAFE:
        return _SAFE[place]
    real = Path(os.path.realpath(wanted))
    reason = objection(real)
    if reason is None:
        if os.path.exists(real):
            _SAFE[place] = real
        return real
    _SAFE[place] = _own_folder()
    told = f"the cache {wanted} is not used: {reason}; compiled code is kept for this process only"
    warn(visible(told))
    return _SAFE[place]


@cache
def _own_folder() -> Path | None:
    return private_folder()


def key(*parts: str) -> str:
    """The name of the entry that depends on these texts."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d " % len(content))
        digest.update(content)
    return digest.hexdigest()


@cache
def package_stamp() -> str:
    """Tells contents of this package apart, the library's among them, wherever it is installed.

    The content is read once for the names, sizes and times of its files, by which what was found is kept.
    """
    base = str(Path(__file__).parents[2])
    found: list[tuple[str, int, int]] = []
    waiting = [base]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for one in entries:
                if one.name.endswith((".py", ".tol", ".lark", ".ll")):
                    status = one.stat()
                    found.append((one.path, status.st_size, status.st_mtime_ns))
                elif "." not in one.name and one.name != "__pycache__" and one.is_dir():
                    waiting.append(one.path)
    found.sort()
    name = key("package", *(f"{path} {size} {written}" for path, size, written in found))
    kept = load(name, CHECKED)
    if kept is not None and len(kept) == 2 * DIGEST:
        return kept.decode("ascii", "replace")
    stamp = _content_stamp(base, [path for path, _, _ in found])
    store(name, stamp.encode("ascii"), CHECKED)
    return stamp


def _content_stamp(base: str, paths: list[str]) -> str:
    """What tells the content of files apart, by their paths within a folder."""
    digest, own = hashlib.blake2b(digest_size=DIGEST), len(base) + len(os.sep)
    for path in paths:
        with open(path, "rb", buffering=0) as file:
            content = file.read()
        digest.update(f"{path[own:]} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def bring(brought: Mapping[str, bytes]) -> None:
    """Has this process find entries, by their files' names, that a compiled program brings; nothing is written."""
    _BROUGHT.update(brought)


def has_brought() -> bool:
    """Whether there are entries though nothing may be kept on disk."""
    return bool(_BROUGHT)


def load(name: str, kind: str = MACHINE_CODE) -> bytes | None:
    """The content of an entry; None where there is none, it is damaged, or somebody else could have written it."""
    if f"{name}{kind}" in _BROUGHT:
        return _BROUGHT[f"{name}{kind}"]
    place = folder()
    data = None if place is None else own_content(f"{place}/{name}{kind}", LARGEST_FOLDER)
    if data is None:
        return None
    content = memoryview(data)[DIGEST:]
    return bytes(content) if _digest(name, kind, content) == data[:DIGEST] else None


def _digest(name: str, kind: str, content: bytes | memoryview) -> bytes:
    """What tells an entry from a damaged one, and from another under its name."""
    digest = hashlib.sha256(f"{name}{kind}\n".encode())
    digest.update(content)
    return digest.digest()


def store(name: str, content: bytes, kind: str = MACHINE_CODE) -> None:
    """Keeps an entry; a folder that cannot be written is no error."""
    global _stored
    with suppress(OSError):
        place = _made_folder()
        if place is None:
            return
        handle, beside = tempfile.mkstemp(dir=place, suffix=_UNFINISHED)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_digest(name, kind, content))
                file.write(content)
            os.replace(beside, place / f"{name}{kind}")
        except BaseException:
            with suppress(OSError):
                os.unlink(beside)
            raise
        if _stored % _STORED_BETWEEN_TRIMS == 0:
            _trim(place)
        _stored += 1


def _made_folder() -> Path | None:
    """The folder to write to; one that was not there is made, and looked at before anything is written to it."""
    place = folder()
    if place is None or os.path.exists(place):
        return place
    make_folder(place)
    return folder()  # which somebody else may have made a moment before


def contents(place: Path) -> dict[str, bytes]:
    """The entries of a folder that this process made, by the names of their files."""
    return {path.name: path.read_bytes()[DIGEST:] for _, _, path in _files(place, _KINDS)}


def entries() -> list[tuple[float, int, Path]]:
    """When each entry was last used, its bytes and its file."""
    return _files(folder(), _KINDS)


def _files(place: Path | None, kinds: tuple[str, ...]) -> list[tuple[float, int, Path]]:
    """The ordinary files of some kinds in a folder: when each was last used, its bytes and its path."""
    found: list[tuple[float, int, Path]] = []
    if place is None:
        return found
    with suppress(OSError), os.scandir(place) as there:
        for one in there:
            if one.name.endswith(kinds) and one.is_file(follow_symlinks=False):
                with suppress(OSError):
                    status = one.stat(follow_symlinks=False)
                    found.append((status.st_mtime, status.st_size, Path(one.path)))
    return found


def _trim(place: Path) -> None:
    """Removes the entries longest unused once the folder is too large, and what a writer that was killed has left."""
    kept = sorted(_files(place, _KINDS))
    total = sum(size for _, size, _ in kept)
    newest = max((used for used, _, _ in kept), default=0.0)
    for written, _, path in _files(place, (_UNFINISHED,)):
        if written < newest - _SECONDS_UNFINISHED:
            _remove(path)
    if total <= LARGEST_FOLDER:
        return
    for _, size, path in kept:
        if total <= TRIMMED_FOLDER:
            return
        total -= size if _remove(path) else 0


def _remove(path: Path) -> bool:
    """Removes a file, unless it is gone or may not be removed; whether it was."""
    with suppress(OSError):
        path.unlink()
        return True
    return False


def clear() -> int:
    """Removes every entry; how many there were."""
    for _, _, path in _files(folder(), (_UNFINISHED,)):
        _remove(path)
    return sum(_remove(path) for _, _, path in entries())
