"""Large pages for large buffers: new memory is then a few hundred faults instead of tens of thousands.

tolang_large_pages(memory, bytes)   asks the system for them; where it has none, nothing changes
"""

from __future__ import annotations

import sys

from tolang.engines.cpu.source import native_source

LARGE = 4 << 20
"""Bytes from which on large pages are worth asking for."""
ALIGNMENT = 1 << 16
"""A multiple of every usual page size."""

_NUMBERS = {"LARGE": LARGE, "ALIGNMENT": ALIGNMENT, "BELOW": ALIGNMENT - 1}
LARGE_PAGES = native_source(f"runtime/{'' if sys.platform.startswith('linux') else 'no_'}large_pages.ll", _NUMBERS)
"""The function in LLVM IR."""
