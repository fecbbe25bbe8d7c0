"""The register tile of a contraction, chosen from the processor's vectors and from what one step needs."""

from __future__ import annotations

from dataclasses import dataclass

WIDTH_OF_STORAGE = {
    "bool": 1, "f32": 4, "f64": 8, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "u8": 1, "u16": 2, "u32": 4, "u64": 8,
}  # fmt: skip
NEAREST_CACHE = 25 << 10
"""Bytes of a panel of columns, which stays in the nearest cache while rows go by."""
SECOND_CACHE = 256 << 10
"""Bytes of a block of rows, which stays in the second cache while columns go by."""
LAST_CACHE = 4 << 20
"""Bytes of a strip of columns."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What a tile depends on: bytes of a vector register, how many there are, and where a splat value comes from.

    `lane_operands`: a product takes one lane of a vector as its factor; `splat_loads`: a load can fill all lanes;
    `fuses`: a product is added in one instruction, rounded once; `extrema`: one instruction gives the greater of two
    floats as IEEE 754 has it, where NaN stays and -0 is below 0.
    """

    vector_bytes: int
    registers: int
    lane_operands: bool = False
    splat_loads: bool = True
    fuses: bool = True
    extrema: bool = False


@dataclass(frozen=True, slots=True)
class Demand:
    """What a step of the depth needs: bytes of the widest number, accumulators and temporaries for an element.

    `fused`: the step is one fused product and sum; `heavy`: it is so long that loads do not matter.
    """

    width: int
    accumulators: int = 1
    temporaries: int = 1
    fused: bool = True
    heavy: bool = False


@dataclass(frozen=True, slots=True)
class Tile:
    """`rows` by `vectors` accumulators of `lanes` each; `depth`, `block` and `panels` bound what is packed at once.

    `splat`: rows are packed with every value repeated in all lanes; `lane_rows`: they are loaded as vectors, whose
    lanes are factors; `unroll`: steps in one turn of the loop.
    """

    rows: int
    vectors: int
    lanes: int
    depth: int = 480
    block: int = 128
    panels: int = 256
    splat: bool = False
    lane_rows: bool = False
    unroll: int = 4

    @property
    def columns(self) -> int:
        return self.vectors * self.lanes


def machine_of(triple: str, features: str) -> Machine:
    """The vectors of a processor, by its architecture and features."""
    if triple.startswith(("aarch64", "arm64")):
        return Machine(16, 32, lane_operands=True, splat_loads=False, extrema=True)
    if "+avx512f" in features:
        return Machine(64, 32)
    return Machine(32 if "+avx2" in features else 16, 16, fuses="+fma" in features)


def tile_for(machine: Machine, storage: str, demand: Demand | None = None) -> Tile:
    """The tile with the fewest loads for its arithmetic of those whose values fit the registers."""
    need = demand or Demand(WIDTH_OF_STORAGE[storage])
    lanes = max(1, machine.vector_bytes // need.width)
    by_lane = machine.lane_operands and need.fused
    more = 2 if machine.splat_loads and not need.fused else 0  # there, the smaller of two takes several instructions
    room = machine.registers - 1 - need.temporaries - more
    choices = [
        (((rows // lanes if by_lane else rows) + vectors) / (rows * vectors), -rows * vectors, -vectors, rows, vectors)
        for rows in (1, 2, 4, 6, 8)
        for vectors in range(1, 6)
        if rows * vectors * need.accumulators + vectors <= room and (not by_lane or rows % lanes == 0)
    ]
    *_, rows, vectors = (0, 0, 0, 2, 2) if need.heavy else min(choices, default=(0, 0, 0, 1, 1))
    splat = not machine.splat_loads and not by_lane
    row_bytes = rows * need.width * (lanes if splat else 1)
    depth = max(192, NEAREST_CACHE // (vectors * lanes * need.width) // 8 * 8)
    block = rows * max(1, SECOND_CACHE // (depth * row_bytes))
    panels = max(8, LAST_CACHE // (depth * vectors * lanes * need.width))
    return Tile(rows, vectors, lanes, depth, block, panels, splat, by_lane, 2 if need.fused else 1)
