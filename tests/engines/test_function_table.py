"""Every basic function on every storage, at the edges of its numbers: one table, one judge, four ways to compute.

The interpreter is held against the judge, compiled code (alone, in vectors, in strict mode) against the interpreter.
"""

from __future__ import annotations

import ctypes
import itertools

import numpy as np
import pytest
from tests.engines.function_edges import (
    Array,
    Kinds,
    bits,
    columns_of,
    differing,
    expected,
    functions_on,
    grid,
    result_of,
    space_of,
    told,
)
from tests.engines.functions_judge import KINDS, TRANSCENDENT

import tolang
from tolang.engines.cpu.contraction.steps import extremum
from tolang.engines.cpu.runtime import native
from tolang.engines.llvm import ir
from tolang.engines.llvm.types import TYPES, VectorModule
from tolang.ground.values.elementary import apply

pytestmark = pytest.mark.sampled(3)


def interpreted(function: str, arrays: list[Array], kinds: Kinds) -> tuple[Array, Array]:
    """What the interpreter gives at every place, and where it refuses, asked place by place if need be."""
    result = result_of(function, kinds)
    assert result is not None
    columns = columns_of(kinds)
    try:
        return apply(function, arrays, result, columns), np.zeros(arrays[0].size, bool)
    except tolang.ToLangRunError:
        pass
    values: Array | None = None
    refused = np.zeros(arrays[0].size, bool)
    for place in range(arrays[0].size):
        try:
            one = apply(function, [a[place : place + 1] for a in arrays], result, columns)
            values = np.zeros(arrays[0].size, one.dtype) if values is None else values
            values[place] = one[0]
        except tolang.ToLangRunError:
            refused[place] = True
    assert values is not None, function
    return values, refused


@pytest.mark.parametrize("first", list(KINDS))
def test_interpreter_is_right(first: str) -> None:
    """On one kind, and on it with each other kind."""
    for kinds in [(first,), *itertools.product([first], KINDS)]:
        arrays = grid(kinds, few=len(set(kinds)) > 1)
        for function in functions_on(kinds):
            result = result_of(function, kinds)
            assert result is not None
            wanted, refused = expected(function, arrays, kinds, result)
            found, told_off = interpreted(function, arrays, kinds)
            wrong = np.flatnonzero(refused != told_off)
            assert not wrong.size, (kinds, "refused", told(function, arrays, told_off, refused, wrong))
            places = differing(function, found[~refused], wanted[~refused])
            left = [a[~refused] for a in arrays]
            assert not places.size, (kinds, told(function, left, found[~refused], wanted[~refused], places))


ALIKE = ("bool", "i8", "i64", "u64", "f16", "bf16", "f32", "f64")
MIXED = [
    ("bool", "u64"),
    ("u64", "bool"),
    ("i64", "u64"),
    ("u64", "i8"),
    ("f16", "bf16"),
    ("f32", "i64"),
    ("u64", "f16"),
]
"""Kinds that compiled code is tried on in every run of the tests; `tests/properties` draws from all of them."""
COPIES = 3
"""How often the edges are repeated, so that they fill vectors and leave a rest behind them."""


def tried(kinds: Kinds) -> list[tuple[str, Kinds]]:
    """The functions of the first kind and of both, each with the kinds it takes.

    Functions that are computed in f32 or f64 behind a cast are tried on those; of the others' powers are.
    """
    found = [(f, kinds[:1]) for f in functions_on(kinds[:1]) if len(set(kinds)) == 1]
    found += [(f, kinds) for f in functions_on(kinds)]
    behind = not {"f32", "f64"} & set(kinds)
    return [one for one in found if not (behind and one[0] in TRANSCENDENT and one != ("pow", kinds))]


def source(functions: list[tuple[str, Kinds]], kinds: Kinds, length: str, index: str) -> str:
    """A program of functions, each computed where an input of its own allows it."""
    names = [f"{function}{len(own)}" for function, own in functions]
    inputs = [*zip("xy", map(space_of, kinds), strict=True), *((f"ok_{name}", "B") for name in names)]
    lines = [f"tol {name}: {space} {length}" for name, space in inputs]
    for name, (function, own) in zip(names, functions, strict=True):
        call = f"{function}({', '.join(f'{v}{index}' for v in 'xy'[: len(own)])})"
        guarded = f"if ok_{name}{index} then {call} else convert(0, space({call}))"
        lines.append(f"{name} := map(tol[n], {guarded}, i)" if index else f"{name} := {guarded}")
    return "\n".join(lines)


def compiled(text: str, strict: bool) -> tolang.Program:
    return tolang.compile(text, engine="cpu", strict=strict, fallback=False)


@pytest.mark.parametrize("kinds", [*((kind, kind) for kind in ALIKE), *MIXED], ids=":".join)
def test_compiled_code_is_the_interpreter(kinds: Kinds) -> None:
    """In vectors as the interpreter, where it refuses too; alone and in strict mode as in vectors, to the bit."""
    arrays, functions = grid(kinds, few=kinds[0] != kinds[1]), tried(kinds)
    judged = [interpreted(function, arrays[: len(own)], own) for function, own in functions]
    program = compiled(source(functions, kinds, "[n]", "[i]"), False)
    allowed = [np.tile(~refused, COPIES) for _, refused in judged]
    data = [np.tile(one, COPIES) for one in arrays]
    results = program(*data, *allowed)
    for (function, own), (wanted, refused) in zip(functions, judged, strict=True):
        found, wanted = results[f"{function}{len(own)}"], np.where(refused, wanted.dtype.type(0), wanted)
        places = differing(function, found, np.tile(wanted, COPIES))
        assert not places.size, told(function, data, found, np.tile(wanted, COPIES), places)
    for number, (_, refused) in enumerate(judged):
        for place in np.flatnonzero(refused)[[0, -1]] if refused.any() else ():
            asked = [one[: refused.size].copy() for one in allowed]
            asked[number][place] = True
            with pytest.raises(tolang.ToLangRunError, match=r"E50[56]"):
                program(*arrays, *asked)
    alone = compiled(source(functions, kinds, "", ""), True)
    for place in range(0, arrays[0].size, max(1, arrays[0].size // 40)):
        single = alone(*(one[place] for one in arrays), *(bool(one[place]) for one in allowed))
        for name, value in single.items():
            one, two = np.asarray(value).reshape(1), results[name][place : place + 1]
            assert one.dtype == two.dtype, name
            assert (bits(one) == bits(two)).all(), (name, [a[place] for a in arrays], one, two)


@pytest.mark.parametrize("single", [False, True], ids=["of several instructions", "of one"])
def test_extrema_of_products_over_semirings(single: bool) -> None:
    """On a processor that has an instruction for them and on one that has none, on vectors of four."""
    module = VectorModule(16)
    functions = list(itertools.product(("max", "min"), ("f32", "f64")))
    for name, kind in functions:
        vector = ir.VectorType(TYPES[kind], 4)
        run = ir.Function(module, ir.FunctionType(ir.VoidType(), [vector.as_pointer()] * 3), f"{name}_{kind}")
        builder = ir.IRBuilder(run.append_basic_block())
        one, two = (builder.load(pointer, align=1) for pointer in run.args[:2])
        builder.store(extremum(builder, name, [one, two], single), run.args[2], align=1)
        builder.ret_void()
    code = native.machine_code(module)
    for name, kind in functions:
        loaded = native.MachineCode(code, f"{name}_{kind}")
        call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)(loaded.address)
        arrays = [np.resize(one, -(-one.size // 4) * 4) for one in grid((kind, kind))]
        found = np.zeros_like(arrays[0])
        for place in range(0, found.size, 4):
            call(*(one[place : place + 4].ctypes.data for one in (*arrays, found)))
        wanted, _ = interpreted(name, arrays, (kind, kind))
        places = differing(name, found, wanted)
        assert not places.size, told(name, arrays, found, wanted, places)
