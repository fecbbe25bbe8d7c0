"""What code depends on of the machine it is for.  Threads and memory are not among it: those are words of a run."""

from __future__ import annotations

from dataclasses import dataclass, fields
from hashlib import sha256


@dataclass(frozen=True, slots=True)
class Target:
    """A processor: bytes of a vector register, how many there are, and where a splat value comes from.

    `lane_operands`: a product takes one lane of a vector as its factor; `splat_loads`: a load can fill all lanes;
    `fuses`: a product is added in one instruction, rounded once; `extrema`: one instruction gives the greater of two
    floats as IEEE 754 has it, where NaN stays and -0 is below 0.  The caches are bytes that code is blocked for, not
    those of one machine: `nearest_cache` holds a panel of columns while rows go by, `second_cache` a block of rows
    while columns go by, `last_cache` a strip of columns.  From `packing_pays` rows or columns on, packing an operand
    costs less than reading it as it lies.
    """

    vector_bytes: int
    registers: int
    lane_operands: bool = False
    splat_loads: bool = True
    fuses: bool = True
    extrema: bool = False
    nearest_cache: int = 25 << 10
    second_cache: int = 256 << 10
    last_cache: int = 4 << 20
    packing_pays: int = 4

    @property
    def digest(self) -> str:
        """A text that differs where anything does that code depends on."""
        return sha256(repr([getattr(self, field.name) for field in fields(self)]).encode()).hexdigest()[:16]
