"""Functions that plain arithmetic computes for all but rare arguments, which go to the C library.

Such a function is a function of the module, for one value and for vectors as wide as the processor's, and LLVM is told
which vector function stands for which: a loop that calls it becomes a loop over vectors all the same.  Only a vector
that holds a rare argument takes the slow way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.floats import Floats
from tolang.engines.llvm.types import any_lane, external, kind_of, vector_bytes, width_of

Answer = tuple[Any, Any]
"""A value, and where it is not to be trusted."""
Quick = Callable[[Floats, list[Any]], Answer]


def with_rare_lanes(builder: ir.IRBuilder, name: str, arguments: list[Any], storage: str, quick: Quick) -> Any:
    """The function that `quick` computes, and the C library's function `name` where it says so."""
    width = width_of(arguments[0])
    module = builder.module
    function = module.globals.get(_name(name, storage, width))
    if function is None:
        function = _defined(module, name, len(arguments), storage, width, quick)
        if width == 1:
            _with_variants(module, function, name, len(arguments), storage, quick)
    return builder.call(function, arguments)


def _name(name: str, storage: str, width: int) -> str:
    return f"tolang_{name}_{storage}" + (f"_{width}" if width > 1 else "")


def _with_variants(module: Any, function: Any, name: str, count: int, storage: str, quick: Quick) -> None:
    """Tells LLVM which functions compute several lanes of this one at once."""
    lanes = vector_bytes(module) // (4 if storage == "f32" else 8)
    named = []
    for width in (lanes, lanes // 2):
        if width > 1:
            wide = _name(name, storage, width)
            if wide not in module.globals:
                _defined(module, name, count, storage, width, quick)
            named.append(f"_ZGV_LLVM_N{width}{'v' * count}_{function.name}({wide})")
    if named:
        function.attributes.add(f'"vector-function-abi-variant"="{",".join(named)}"')


def _defined(module: Any, name: str, count: int, storage: str, width: int, quick: Quick) -> Any:
    kind = kind_of(storage, width)
    function = ir.Function(module, ir.FunctionType(kind, [kind] * count), _name(name, storage, width))
    function.attributes |= {"nounwind", "noinline", "memory(none)", "willreturn"}  # the C library's errno is nobody's
    function.linkage = "internal" if width == 1 else "weak_odr"  # vector functions are kept until a loop needs them
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    arguments = list(function.args)
    value, rare = quick(Floats(builder, arguments[0], storage), arguments)
    with builder.if_then(any_lane(builder, rare), likely=False):
        builder.ret(builder.select(rare, external(builder, name, kind, arguments), value))
    builder.ret(value)
    return function
