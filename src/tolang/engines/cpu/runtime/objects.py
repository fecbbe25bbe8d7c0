"""Object files that were kept: whether one is of this processor, and whole.  LLVM takes all it is given for both."""

from __future__ import annotations

import platform
import struct

_ELF, _MACH_O = b"\x7fELF\x02\x01", b"\xcf\xfa\xed\xfe"
_PROCESSORS = {"x86_64": (62, 0x01000007), "aarch64": (183, 0x0100000C), "arm64": (183, 0x0100000C)}
"""How the two formats number processors."""
_SYMBOLS, _TEXTS, _EMPTY = 2, 3, 8
"""Kinds of sections in ELF: symbols, names, and those that take no room in the file."""


def is_sound(code: bytes) -> bool:
    """Whether LLVM can be given an object file: of this processor, no part of it beyond its end."""
    processor = _PROCESSORS.get(platform.machine())
    if processor is None:
        return True
    if code.startswith(_MACH_O):
        return len(code) >= 32 and struct.unpack_from("<I", code, 4)[0] == processor[1]
    return code.startswith(_ELF) and len(code) >= 64 and _is_sound_elf(code, processor[0])


def _is_sound_elf(code: bytes, processor: int) -> bool:
    kind, machine = struct.unpack_from("<HH", code, 16)
    (start,) = struct.unpack_from("<Q", code, 40)
    length, count, names = struct.unpack_from("<HHH", code, 58)
    if (kind, machine, length) != (1, processor, 64) or start + 64 * count > len(code) or names >= count:
        return False
    sections = [struct.unpack_from("<IIQQQQII", code, start + 64 * number) for number in range(count)]
    kinds = [section[1] for section in sections]
    within = all(one[1] == _EMPTY or one[4] + one[5] <= len(code) for one in sections)
    linked = all(one[6] < count and kinds[one[6]] == _TEXTS for one in sections if one[1] == _SYMBOLS)
    return within and linked and kinds[names] == _TEXTS
