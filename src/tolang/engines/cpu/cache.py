"""What was compiled, kept on disk, so that a program compiled once starts at once in the next process.

An entry is named by everything it depends on: source or code, the processor and its features, the versions of LLVM and
of this package's own files.  It is written beside and renamed, so two processes may write at once, and carries a
checksum, so a damaged one is made anew.  Entries ending in `.o` are machine code, those in `.core` checked programs.
The folder is `TOL_CACHE_DIR`, or tolang's own among the user's caches; `TOL_CACHE_DIR=off` keeps nothing.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

LARGEST_FOLDER = 256 << 20
TRIMMED_FOLDER = 192 << 20
"""What is left of a folder that had become too large."""
DIGEST = 32
MACHINE_CODE, CHECKED = ".o", ".core"
_UNFINISHED = ".part"
_SECONDS_UNFINISHED = 3600
_STORED_BETWEEN_TRIMS = 64
_stored = 0


def folder() -> Path | None:
    """Where entries are kept; None where nothing is to be kept."""
    wanted = os.environ.get("TOL_CACHE_DIR", "")
    if wanted.lower() in ("off", "0", "none"):
        return None
    if wanted:
        return Path(wanted)
    home = os.environ.get("XDG_CACHE_HOME")
    base = Path(home) if home else Path.home() / ".cache"
    return base / "tolang"


def key(*parts: str) -> str:
    """The name of the entry that depends on these texts."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()


@cache
def package_stamp() -> str:
    """Tells states of this package apart: the names, sizes and times of its files, the library's among them."""
    found: list[str] = []
    waiting = [str(Path(__file__).parents[2])]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for one in entries:
                if one.name.endswith((".py", ".tol", ".lark")):
                    status = one.stat()
                    found.append(f"{one.path} {status.st_size} {status.st_mtime_ns}")
                elif "." not in one.name and one.name != "__pycache__" and one.is_dir():
                    waiting.append(one.path)
    return key(*sorted(found))


def load(name: str, kind: str = MACHINE_CODE) -> bytes | None:
    """The content of an entry; None where there is none, or it is damaged."""
    place = folder()
    if place is None:
        return None
    path = f"{place}/{name}{kind}"
    try:
        with open(path, "rb") as file:
            data = file.read()
        os.utime(path)
    except OSError:
        return None
    content = data[DIGEST:]
    return content if hashlib.sha256(content).digest() == data[:DIGEST] else None


def store(name: str, content: bytes, kind: str = MACHINE_CODE) -> None:
    """Keeps an entry; a folder that cannot be written is no error."""
    global _stored
    place = folder()
    if place is None:
        return
    with suppress(OSError):
        place.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=place, suffix=_UNFINISHED)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(content).digest() + content)
            os.replace(beside, place / f"{name}{kind}")
        except OSError:
            os.unlink(beside)
            raise
        if _stored % _STORED_BETWEEN_TRIMS == 0:
            _trim(place)
        _stored += 1


def entries() -> list[tuple[float, int, Path]]:
    """When each entry was last used, its bytes and its file."""
    place = folder()
    if place is None or not place.is_dir():
        return []
    found = []
    for path in place.iterdir():
        if path.suffix in (MACHINE_CODE, CHECKED):
            with suppress(OSError):
                status = path.stat()
                found.append((status.st_mtime, status.st_size, path))
    return found


def _trim(place: Path) -> None:
    """Removes the entries longest unused once the folder is too large, and what a writer that was killed has left."""
    kept = sorted(entries())
    total = sum(size for _, size, _ in kept)
    newest = max((used for used, _, _ in kept), default=0.0)
    for path in place.glob(f"*{_UNFINISHED}"):
        with suppress(OSError):
            if path.stat().st_mtime < newest - _SECONDS_UNFINISHED:
                path.unlink()
    if total <= LARGEST_FOLDER:
        return
    for _, size, path in kept:
        if total <= TRIMMED_FOLDER:
            return
        path.unlink(missing_ok=True)
        total -= size


def clear() -> int:
    """Removes every entry; how many there were."""
    place = folder()
    if place is None or not place.is_dir():
        return 0
    removed = 0
    for path in [*(path for _, _, path in entries()), *place.glob(f"*{_UNFINISHED}")]:
        path.unlink(missing_ok=True)
        removed += path.suffix != _UNFINISHED
    return removed
