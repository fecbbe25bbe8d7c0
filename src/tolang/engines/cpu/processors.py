"""The processors that this engine writes code for, as targets of plans: what each has is said here and nowhere else."""

from __future__ import annotations

import ctypes
import sys
from functools import cache

import llvmlite.binding as llvm

from tolang.nests.target import Target

PACKING_PAYS = 4
HARDWARE, DOT_PRODUCTS = 16, 1 << 20
"""What Linux calls the word of what an Arm processor has (AT_HWCAP), and its bit for dot products (HWCAP_ASIMDDP)."""

ARCH_PRCTL, ASK_FOR_STATE, TILE_DATA = 158, 0x1023, 18
"""What Linux calls the question on x86-64 whether a process may have registers that cost much to keep, and AMX's."""


@cache
def host_features() -> str:
    """The features of this processor as LLVM names them, with those that LLVM does not ask the system for."""
    found: str = llvm.get_host_cpu_features().flatten()
    if "+amx-tile" in found and not _may_hold_matrices():
        found = found.replace("+amx-", "-amx-")
    arm = llvm.get_default_triple().startswith(("aarch64", "arm64"))
    return f"{found},+dotprod".lstrip(",") if arm and _has_dot_products() else found


def _has_dot_products() -> bool:
    """Whether this Arm processor has dot products: Linux tells, and all of Apple's have them."""
    if sys.platform != "linux":
        return sys.platform == "darwin"
    ask = ctypes.CDLL(None).getauxval
    ask.restype, ask.argtypes = ctypes.c_ulong, [ctypes.c_ulong]
    return bool(ask(HARDWARE) & DOT_PRODUCTS)


def _may_hold_matrices() -> bool:
    """Whether the system lets this process have the registers that AMX computes with, which it asks for here."""
    if sys.platform != "linux":
        return False
    ask = ctypes.CDLL(None).syscall
    ask.restype, ask.argtypes = ctypes.c_long, [ctypes.c_long] * 3
    return bool(ask(ARCH_PRCTL, ASK_FOR_STATE, TILE_DATA) == 0)


def target_of(triple: str, features: str) -> Target:
    """The processor of an architecture with some features."""
    if triple.startswith(("aarch64", "arm64")):
        quads = "signed" if "+dotprod" in features else None
        return Target(16, 32, PACKING_PAYS, lane_operands=True, splat_loads=False, extrema=True, quads=quads)
    if "+avx512f" in features:
        quads = "unsigned" if "+avx512vnni" in features else None
        matrices = quads is not None and {"+amx-tile", "+amx-int8"} <= set(features.split(","))
        return Target(
            64, 32, PACKING_PAYS, streams=True, slow_division=True, masks=True, quads=quads, matrices=matrices
        )
    return Target(32 if "+avx2" in features else 16, 16, PACKING_PAYS, fuses="+fma" in features)
