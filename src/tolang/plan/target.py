"""What code depends on of the machine it is for.  Threads, caches and memory are not among it: those
are words of a run."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from tolang.ground.dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Target:
    """A processor: bytes of a vector register, how many there are, and where a splat value comes from.

    `lane_operands`: a product takes one lane of a vector as its factor; `splat_loads`: a load can fill all lanes;
    `fuses`: a product is added in one instruction, rounded once; `extrema`: one instruction gives the greater of two
    floats as IEEE 754 has it, where NaN stays and -0 is below 0.  `streams`: vectors are so wide that a panel of
    columns is better long and read from the second cache than short and read from the nearest; `slow_division`: to
    divide a vector takes longer than a dozen operations on it; `masks`: vectors are read and written without some of
    their lanes as fast as with all; `quads`: one instruction multiplies and adds four pairs
    of eight-bit numbers, all `signed`, or the first of each pair `unsigned`; `matrices`: one multiplies 16 rows and 16
    columns of 16 quads each.
    """

    vector_bytes: int
    registers: int
    lane_operands: bool = False
    splat_loads: bool = True
    fuses: bool = True
    extrema: bool = False
    streams: bool = False
    slow_division: bool = False
    masks: bool = False
    quads: str | None = None
    matrices: bool = False

    @property
    def digest(self) -> str:
        """A text that differs where anything does that code depends on."""
        return _digest(self)


@cache
def _digest(target: Target) -> str:
    return sha256(repr([getattr(target, field.name) for field in fields(target)]).encode()).hexdigest()[:16]
