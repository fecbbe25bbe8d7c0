"""Quads, four numbers of eight bits in a word, and sums of their products.

Where the processor has an instruction for that it is used; the exact ones alone, whose sums in between do not saturate.
Elsewhere each number is widened by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.callees import declared
from tolang.engines.llvm.types import I8, I32, constant, quads, vector_bytes, width_of

FOUR = 4
NATIVE = {"signed": 16, "unsigned": 64}
"""Bytes of the vectors that the instruction for each kind works on: SDOT of Arm, VPDPBUSD of x86-64."""


def _quad(builder: ir.IRBuilder, values: list[Any]) -> Any:
    """Four numbers of eight bits as one word, the first in its lowest bits."""
    width = width_of(values[0])
    kind = I32 if width == 1 else ir.VectorType(I32, width)
    word = builder.zext(values[0], kind)
    for k, value in enumerate(values[1:], start=1):
        moved = builder.shl(builder.zext(value, kind), constant(8 * k, "i32", width))
        word = builder.or_(word, moved)
    return word


def _dot(builder: ir.IRBuilder, values: list[Any]) -> Any:
    return _sum(builder, values, "signed")


def _dot_unsigned(builder: ir.IRBuilder, values: list[Any]) -> Any:
    return _sum(builder, values, "unsigned")


def _sum(builder: ir.IRBuilder, values: list[Any], first: str) -> Any:
    """A state and the four products of two quads, at each place; numbers of the first have a sign or not."""
    module, width = builder.module, width_of(values[0])
    native = NATIVE[first] // FOUR
    times = width // native
    fits = quads(module) == first and vector_bytes(module) == NATIVE[first]
    if not fits or not times or times * native != width or times & (times - 1):
        return _widened(builder, values, first)
    if times == 1:
        return _native(builder, values, first, native)
    pieces = [
        _native(builder, [_part(builder, value, start, native) for value in values], first, native)
        for start in range(0, width, native)
    ]
    return _joined(builder, pieces)


def _native(builder: ir.IRBuilder, values: list[Any], first: str, width: int) -> Any:
    """The sum by the processor's own instruction, on one vector."""
    state, one, two = values
    words = ir.VectorType(I32, width)
    if first == "unsigned":
        function = declared(builder.module, "llvm.x86.avx512.vpdpbusd.512", words, [words] * 3)
        return builder.call(function, values)
    numbers = ir.VectorType(I8, FOUR * width)
    name = f"llvm.aarch64.neon.sdot.v{width}i32.v{FOUR * width}i8"
    function = declared(builder.module, name, words, [words, numbers, numbers])
    return builder.call(function, [state, builder.bitcast(two, numbers), builder.bitcast(one, numbers)])


def _part(builder: ir.IRBuilder, value: Any, start: int, count: int) -> Any:
    places = ir.Constant(ir.VectorType(I32, count), list(range(start, start + count)))
    return builder.shuffle_vector(value, ir.Constant(value.type, ir.Undefined), places)


def _joined(builder: ir.IRBuilder, pieces: list[Any]) -> Any:
    """As many vectors as a power of two as one, by pairs."""
    while len(pieces) > 1:
        count = 2 * pieces[0].type.count
        places = ir.Constant(ir.VectorType(I32, count), list(range(count)))
        pieces = [builder.shuffle_vector(pieces[k], pieces[k + 1], places) for k in range(0, len(pieces), 2)]
    return pieces[0]


def _widened(builder: ir.IRBuilder, values: list[Any], first: str) -> Any:
    """The sum in numbers of 32 bits."""
    total, one, two = values
    for k in range(FOUR):
        left = _number(builder, one, k, first == "signed")
        total = builder.add(total, builder.mul(left, _number(builder, two, k, True)))
    return total


def _number(builder: ir.IRBuilder, word: Any, place: int, signed: bool) -> Any:
    """One of the numbers of a quad, in 32 bits."""
    width = width_of(word)
    above = builder.shl(word, constant(24 - 8 * place, "i32", width))
    return (builder.ashr if signed else builder.lshr)(above, constant(24, "i32", width))


DOT_FUNCTIONS: dict[str, Callable[[ir.IRBuilder, list[Any]], Any]] = {
    "quad": _quad,
    "dot": _dot,
    "dot_unsigned": _dot_unsigned,
}
