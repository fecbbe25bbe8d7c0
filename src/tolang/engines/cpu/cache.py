"""Machine code kept on disk, so that a program compiled once loads at once in the next process.

An entry is named by everything it depends on: the code before optimisation, the processor and its features, the
versions of LLVM and of this package.  It is written beside and renamed, so two processes may write at once, and
carries a checksum, so a damaged one is made anew.  The folder is `TOL_CACHE_DIR`, or tolang's own among the user's
caches; `TOL_CACHE_DIR=off` keeps nothing.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

LARGEST_FOLDER = 256 << 20
DIGEST = 32


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
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()


def load(name: str) -> bytes | None:
    """The machine code of an entry; None where there is none, or it is damaged."""
    place = folder()
    if place is None:
        return None
    try:
        data = (place / f"{name}.o").read_bytes()
    except OSError:
        return None
    code = data[DIGEST:]
    return code if hashlib.sha256(code).digest() == data[:DIGEST] else None


def store(name: str, code: bytes) -> None:
    """Keeps machine code; a folder that cannot be written is no error."""
    place = folder()
    if place is None:
        return
    with suppress(OSError):
        place.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=place, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(code).digest() + code)
        Path(beside).replace(place / f"{name}.o")
        _trim(place)


def _trim(place: Path) -> None:
    """Removes the entries longest unused once the folder is too large."""
    entries = [(path.stat().st_mtime, path.stat().st_size, path) for path in place.glob("*.o")]
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= LARGEST_FOLDER:
            return
        path.unlink(missing_ok=True)
        total -= size


def clear() -> int:
    """Removes every entry; how many there were."""
    place = folder()
    if place is None or not place.is_dir():
        return 0
    removed = 0
    for path in [*place.glob("*.o"), *place.glob("*.part")]:
        path.unlink(missing_ok=True)
        removed += path.suffix == ".o"
    return removed
