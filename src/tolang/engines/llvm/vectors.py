"""Vectors: of one value, of steps of one, and square blocks of them turned around."""

from __future__ import annotations

from functools import cache
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.types import I32


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
    """A square block of vectors transposed: halves interleaved, as often as the number of rows can be halved."""
    count = len(rows)
    half = count // 2
    low = [place for p in range(half) for place in (p, count + p)]
    high = [place for p in range(half, count) for place in (p, count + p)]
    for _ in range(count.bit_length() - 1):
        rows = [shuffled(builder, rows[p], rows[p + half], places) for p in range(half) for places in (low, high)]
    return rows


def counting(kind: Any, lanes: int, step: int = 1) -> Any:
    """The vector 0, step, 2*step and so on."""
    return ir.Constant(ir.VectorType(kind, lanes), [ir.Constant(kind, p * step) for p in range(lanes)])
