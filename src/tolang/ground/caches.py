"""The caches of this machine's processors, in bytes: read from the system, or as `TOL_CACHES` says."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from pathlib import Path

from tolang.ground.diagnostics import Diagnostic, ToLangUsageError

UNKNOWN = (1 << 20, 32 << 20)
"""What is taken for the second and the last cache where the system tells nothing of them."""
_SYSTEM = Path("/sys/devices/system/cpu/cpu0/cache")
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_SIZE = re.compile(r"([1-9][0-9]{0,9})([KMG]?)")


def caches() -> tuple[int, int]:
    """Bytes of the cache that a processor has beside its nearest one, and of the last before memory."""
    wanted = os.environ.get("TOL_CACHES", "")
    if wanted:
        sizes = [_bytes_in(one.strip()) for one in wanted.split(",")]
        if len(sizes) != 2 or None in sizes:
            message, expected = "TOL_CACHES is no two sizes of caches", "the second and the last, as 1M,32M"
            raise ToLangUsageError(Diagnostic("E605", message, found=wanted, expected=expected))
    else:
        sizes = [one or None for one in (_of_macos() if sys.platform == "darwin" else _of_linux(_SYSTEM))]
    second = sizes[0] or UNKNOWN[0]
    last = sizes[1] or (max(second, UNKNOWN[1]) if sizes[0] is None else second)
    return second, last


def _bytes_in(text: str) -> int | None:
    found = _SIZE.fullmatch(text)
    return None if found is None else int(found[1]) * _UNITS[found[2]]


def _of_linux(folder: Path) -> tuple[int, int]:
    """The caches of data by their levels, as files of the system tell."""
    by_level: dict[int, int] = {}
    for one in sorted(folder.glob("index*")):
        try:
            level, kind, size = ((one / name).read_text("ascii").strip() for name in ("level", "type", "size"))
        except (OSError, ValueError):
            continue
        if kind in ("Data", "Unified") and level.isdigit():
            by_level[int(level)] = _bytes_in(size) or 0
    return by_level.get(2, 0), by_level.get(max(by_level, default=0), 0) if max(by_level, default=0) > 2 else 0


def _of_macos() -> tuple[int, int]:
    library = ctypes.CDLL(None)

    def told(name: str) -> int:
        value, length = ctypes.c_int64(0), ctypes.c_size_t(8)
        failed = library.sysctlbyname(
            name.encode(), ctypes.byref(value), ctypes.byref(length), None, ctypes.c_size_t(0)
        )
        return 0 if failed else value.value

    return told("hw.l2cachesize"), told("hw.l3cachesize")
