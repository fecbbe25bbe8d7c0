"""The register tile of a contraction, chosen from the processor's vectors."""

from __future__ import annotations

from dataclasses import dataclass

WIDTH_OF_STORAGE = {"f32": 4, "f64": 8, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "u8": 1, "u16": 2, "u32": 4, "u64": 8}


@dataclass(frozen=True, slots=True)
class Machine:
    """What a tile depends on: bytes of a vector register, and how many there are."""

    vector_bytes: int
    registers: int


@dataclass(frozen=True, slots=True)
class Tile:
    """`rows` by `vectors` accumulators of `lanes` each; `depth` and `block` bound what is packed at once."""

    rows: int
    vectors: int
    lanes: int
    depth: int = 512
    block: int = 128
    panels: int = 256

    @property
    def columns(self) -> int:
        return self.vectors * self.lanes


def machine_of(triple: str, features: str) -> Machine:
    """The vectors of a processor, by its architecture and features."""
    if triple.startswith(("aarch64", "arm64")):
        return Machine(16, 32)
    if "+avx512f" in features:
        return Machine(64, 32)
    return Machine(32 if "+avx2" in features else 16, 16)


def tile_for(machine: Machine, storage: str) -> Tile:
    """A tile whose accumulators leave room for a column of one operand and the splat values of the other."""
    lanes = machine.vector_bytes // WIDTH_OF_STORAGE[storage]
    if machine.registers >= 32:
        return Tile(8, 3, lanes)
    return Tile(6, 2, lanes)
