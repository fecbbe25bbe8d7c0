"""Vectors: of one value, of steps of one, and square blocks of them turned around."""

from __future__ import annotations

from functools import cache
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.types import I32

PART = 128
"""Bits of a vector that instructions mix at once."""
BITS = {ir.HalfType: 16, ir.FloatType: 32, ir.DoubleType: 64}


def splat(builder: ir.IRBuilder, value: Any, lanes: int) -> Any:
    """A value in every lane."""
    vector = ir.VectorType(value.type, lanes)
    single = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(I32, 0))
    return lane(builder, single, 0, lanes)


def lane(builder: ir.IRBuilder, vector: Any, position: int, lanes: int) -> Any:
    """One lane of a vector in every lane of another."""
    return shuffled(builder, vector, vector, [position] * lanes)


def shuffled(builder: ir.IRBuilder, one: Any, two: Any, places: list[int]) -> Any:
    """Lanes of two vectors, chosen by their places among both."""
    other = ir.Constant(one.type, ir.Undefined) if one is two else two
    return builder.shuffle_vector(one, other, _mask(tuple(places)))


@cache
def _mask(places: tuple[int, ...]) -> ir.Constant:
    """Places as LLVM has them; there are few kinds, each of which blocks use many times."""
    return ir.Constant(ir.VectorType(I32, len(places)), list(places))


def turned(builder: ir.IRBuilder, rows: list[Any]) -> list[Any]:
    """A square block of vectors transposed: inside each part of so many bytes as processors mix at once, then by parts.

    Elements that change parts one by one would take longer, to run and far longer to compile.
    """
    count = len(rows)
    part = min(count, max(1, PART // _bits(rows[0].type.element)))
    inside = [_interleaved(builder, rows[first : first + part], part) for first in range(0, count, part)]
    across = [_by_parts(builder, [own[place] for own in inside], part) for place in range(part)]
    return [across[place][number] for number in range(count // part) for place in range(part)]


def _bits(kind: Any) -> int:
    return BITS.get(type(kind)) or int(kind.width)


def _interleaved(builder: ir.IRBuilder, rows: list[Any], part: int) -> list[Any]:
    """As many vectors as their parts have elements, each such square transposed: halves of parts are interleaved."""
    count, half = rows[0].type.count, part // 2
    low, high = (
        [start + place + other for start in range(0, count, part) for place in places for other in (0, count)]
        for places in (range(half), range(half, part))
    )
    for _ in range(part.bit_length() - 1):
        rows = [shuffled(builder, rows[p], rows[p + half], places) for p in range(half) for places in (low, high)]
    return rows


def _by_parts(builder: ir.IRBuilder, rows: list[Any], part: int) -> list[Any]:
    """As many vectors as each has parts, these transposed: of neighbours the first halves of what each row has left."""
    if len(rows) == 1:
        return rows
    count, run, found = rows[0].type.count, len(rows) * part, list[Any]()
    for first in (0, run // 2):
        places = [start + place for start in range(first, 2 * count, run) for place in range(run // 2)]
        pairs = zip(rows[::2], rows[1::2], strict=True)
        found += _by_parts(builder, [shuffled(builder, one, two, places) for one, two in pairs], part)
    return found


def counting(kind: Any, lanes: int, step: int = 1) -> Any:
    """The vector 0, step, 2*step and so on."""
    return ir.Constant(ir.VectorType(kind, lanes), [ir.Constant(kind, p * step) for p in range(lanes)])
