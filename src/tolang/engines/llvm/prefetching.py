"""Memory that is asked for before it is read."""

from __future__ import annotations

from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.callees import declared
from tolang.engines.llvm.types import I8, I32, I64

LINE = 64
"""Bytes of a cache line."""
ALL_CACHES, BUT_THE_FIRST = 3, 2
"""Into which caches memory comes that is asked for."""
DATA = 1


def ask_for(builder: ir.IRBuilder, place: Any, ahead: int, *, written: bool = False, caches: int = ALL_CACHES) -> None:
    """Asks for what lies so many bytes behind a place, to be read or `written`; what is not memory is no error then."""
    function = declared(builder.module, "llvm.prefetch.p0", ir.VoidType(), [I8.as_pointer(), I32, I32, I32])
    first = builder.bitcast(place, I8.as_pointer())
    place = builder.gep(first, [ir.Constant(I64, ahead)])
    builder.call(function, [place, *(ir.Constant(I32, one) for one in (int(written), caches, DATA))])
