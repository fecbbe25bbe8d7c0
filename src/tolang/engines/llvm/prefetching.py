"""Memory that is asked for before it is read."""

from __future__ import annotations

from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.types import I8, I32, I64

LINE = 64
"""Bytes of a cache line."""
ALL_CACHES, BUT_THE_FIRST = 3, 2
"""Into which caches memory comes that is asked for."""
DATA = 1


def ask_for(builder: ir.IRBuilder, place: Any, ahead: int, *, written: bool = False, caches: int = ALL_CACHES) -> None:
    """Asks for what lies so many bytes behind a place, to be read or `written`; what is not memory is no error then."""
    name, module = "llvm.prefetch.p0", builder.module
    function = module.globals.get(name)
    if function is None:
        kind = ir.FunctionType(ir.VoidType(), [I8.as_pointer(), I32, I32, I32])
        function = ir.Function(module, kind, name)
    first = builder.bitcast(place, I8.as_pointer())
    place = builder.gep(first, [ir.Constant(I64, ahead)])
    builder.call(function, [place, *(ir.Constant(I32, one) for one in (int(written), caches, DATA))])
