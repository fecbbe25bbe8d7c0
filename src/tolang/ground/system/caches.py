"""The caches of this machine's processors, in bytes: read from the system, or as `TOL_CACHES` says."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

from tolang.ground.reporting.diagnostics import Diagnostic, ToLangUsageError


class Caches(NamedTuple):
    """Bytes of the nearest cache of data, of the one beside it, and of the last before memory."""

    nearest: int
    second: int
    last: int


USUAL = Caches(32 << 10, 1 << 20, 32 << 20)
"""What is taken for the caches where the system tells nothing of them."""
LARGEST = 1 << 40
"""No cache is taken for larger, so that nothing computed of it leaves a word."""
_SYSTEM = Path("/sys/devices/system/cpu/cpu0/cache")
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_SIZE = re.compile(r"([1-9][0-9]{0,9})([KMG]?)")


def caches() -> Caches:
    """As the environment says, else as the system does."""
    wanted = os.environ.get("TOL_CACHES", "")
    if not wanted:
        return _usual(*(_of_macos() if sys.platform == "darwin" else _of_linux(_SYSTEM)))
    sizes = [_bytes_in(one.strip()) for one in wanted.split(",")]
    if len(sizes) != len(USUAL) or not all(sizes):
        message, expected = "TOL_CACHES is not three cache sizes", "first, second and last level: 32K,1M,32M"
        raise ToLangUsageError(Diagnostic("E605", message, found=wanted, expected=expected))
    return Caches(*sizes)


def _usual(nearest: int, second: int, last: int) -> Caches:
    """Caches of which some are not known: 0."""
    found = second or USUAL.second
    return Caches(nearest or USUAL.nearest, found, last or (found if second else USUAL.last))


def _bytes_in(text: str) -> int:
    """A number of bytes as it is written; 0 where it is none."""
    found = _SIZE.fullmatch(text)
    return 0 if found is None else min(int(found[1]) * _UNITS[found[2]], LARGEST)


def _of_linux(folder: Path) -> Caches:
    """The caches of data by their levels, as files of the system tell; 0 where there is none."""
    by_level: dict[int, int] = {}
    for one in sorted(folder.glob("index*")):
        try:
            level, kind, size = ((one / name).read_text("ascii").strip() for name in ("level", "type", "size"))
        except (OSError, ValueError):
            continue
        if kind in ("Data", "Unified") and level.isdigit():
            by_level[int(level)] = _bytes_in(size)
    beyond = max((level for level in by_level if level > 2), default=0)
    return Caches(by_level.get(1, 0), by_level.get(2, 0), by_level.get(beyond, 0))


def _of_macos() -> Caches:
    library = ctypes.CDLL(None)

    def told(name: str) -> int:
        value, length = ctypes.c_int64(0), ctypes.c_size_t(8)
        failed = library.sysctlbyname(
            name.encode(), ctypes.byref(value), ctypes.byref(length), None, ctypes.c_size_t(0)
        )
        return 0 if failed else value.value

    return Caches(told("hw.l1dcachesize"), told("hw.l2cachesize"), told("hw.l3cachesize"))
