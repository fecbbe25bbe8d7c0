"""The processors that this engine writes code for, as targets of plans: what each has is said here and nowhere else."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache

import llvmlite.binding as llvm

from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Diagnostic, ToLangUsageError
from tolang.plan.target import Target

HARDWARE, DOT_PRODUCTS = 16, 1 << 20
"""What Linux calls the word of what an Arm processor has (AT_HWCAP), and its bit for dot products (HWCAP_ASIMDDP)."""

ARCH_PRCTL, ASK_FOR_STATE, TILE_DATA = 158, 0x1023, 18
"""What Linux calls the question on x86-64 whether a process may have registers that cost much to keep, and AMX's."""


_V2 = "sse2,cx16,popcnt,sahf,sse3,sse4.1,sse4.2,ssse3"
_V3 = f"{_V2},avx,avx2,bmi,bmi2,f16c,fma,lzcnt,movbe"
_V4 = f"{_V3},avx512bw,avx512cd,avx512dq,avx512f,avx512vl"
_ICELAKE = f"{_V4},avx512bitalg,avx512ifma,avx512vbmi,avx512vbmi2,avx512vnni,avx512vpopcntdq,gfni,vaes,vpclmulqdq"


@dataclass(frozen=True, slots=True)
class Processor:
    """A processor by LLVM's names: its architecture, itself, and the features that code for it may count on."""

    architecture: str
    name: str
    features: frozenset[str]

    @property
    def triple(self) -> str:
        return f"{self.architecture}-unknown-linux-gnu"

    @property
    def flags(self) -> str:
        """The features as LLVM takes them."""
        return ",".join(f"+{one}" for one in sorted(self.features))


def _processor(architecture: str, name: str, features: str) -> tuple[str, Processor]:
    return name, Processor(architecture, name, frozenset(features.split(",")))


PROCESSORS = dict(
    (
        _processor("x86_64", "nehalem", _V2),
        _processor("x86_64", "haswell", _V3),
        _processor("x86_64", "skylake-avx512", _V4),
        _processor("x86_64", "icelake-server", _ICELAKE),
        _processor("x86_64", "sapphirerapids", f"{_ICELAKE},amx-int8,amx-tile,avx512bf16,avx512fp16,avxvnni"),
        _processor("aarch64", "cortex-a72", "neon"),
        _processor("aarch64", "neoverse-n1", "dotprod,fullfp16,lse,neon"),
    )
)
"""One processor for each set of instructions that code differs by, the older ones first: of the levels 2, 3 and 4 of
x86-64, with products of eight-bit numbers, with products of small matrices; of Arm's, without and with the former."""


@cache
def host() -> tuple[str, str]:
    """The processor that code is compiled for, and its features: this one, or the older one `TOL_PROCESSOR` names.

    A process asks once: what is planned and what is compiled are for the same one.
    """
    wanted = os.environ.get("TOL_PROCESSOR", "")
    if not wanted:
        return llvm.get_host_cpu_name(), _own_features()
    return wanted, _older(wanted).flags


def host_features() -> str:
    """The features that code may use here, as LLVM writes them."""
    return host()[1]


def runnable() -> list[str]:
    """The names of the processors whose code this machine can run."""
    there = features_of(_own_features())
    return [one.name for one in PROCESSORS.values() if _is_of(one) and one.features <= there]


@cache
def _older(name: str) -> Processor:
    """The processor of a name, all of whose instructions this machine has."""
    able = runnable()
    if name not in able:
        known = PROCESSORS.get(name)
        lacked = () if known is None or not _is_of(known) else known.features - features_of(_own_features())
        lacking = f", which needs {', '.join(sorted(lacked))}" if lacked else ""
        message = "TOL_PROCESSOR names no processor whose code this machine can run"
        raise ToLangUsageError(Diagnostic("E605", message, found=f"{name}{lacking}", expected=", ".join(able)))
    return PROCESSORS[name]


def _is_of(processor: Processor) -> bool:
    """True if a processor is of this machine's architecture."""
    here: str = llvm.get_default_triple()
    return here.replace("arm64", "aarch64").startswith(processor.architecture)


def features_of(flags: str) -> frozenset[str]:
    """The features that LLVM's flags switch on."""
    return frozenset(one[1:] for one in flags.split(",") if one.startswith("+"))


@cache
def _own_features() -> str:
    """The features of this machine's processor, with those that LLVM does not ask the system for."""
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
        return Target(16, 32, lane_operands=True, splat_loads=False, extrema=True, quads=quads)
    if "+avx512f" in features:
        quads = "unsigned" if "+avx512vnni" in features else None
        matrices = quads is not None and {"+amx-tile", "+amx-int8"} <= set(features.split(","))
        return Target(64, 32, streams=True, slow_division=True, masks=True, quads=quads, matrices=matrices)
    return Target(32 if "+avx2" in features else 16, 16, fuses="+fma" in features)
