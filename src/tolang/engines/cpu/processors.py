"""The processors that this engine writes code for, as targets of plans: what each has is said here and nowhere else."""

from __future__ import annotations

from tolang.nests.target import Target

PACKING_PAYS = 4


def target_of(triple: str, features: str) -> Target:
    """The processor of an architecture with some features."""
    if triple.startswith(("aarch64", "arm64")):
        return Target(16, 32, PACKING_PAYS, lane_operands=True, splat_loads=False, extrema=True)
    if "+avx512f" in features:
        return Target(64, 32, PACKING_PAYS, streams=True, slow_division=True)
    return Target(32 if "+avx2" in features else 16, 16, PACKING_PAYS, fuses="+fma" in features)
