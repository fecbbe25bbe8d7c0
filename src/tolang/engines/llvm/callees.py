"""Every function that generated code may call and does not define: LLVM's intrinsics, the runtime, the C library.

An intrinsic that LLVM cannot select for a processor ends the process, and a symbol that nobody defines fails when code
is loaded.  So generated code declares what it calls here and nowhere else, and what is not on these lists is refused
while the code is written.  Tests compile all of it for every kind of processor, in processes of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from tolang.engines.llvm import ir

FLOATS, WHOLES, WORDS, BYTES = ("f32", "f64"), ("i8", "i16", "i32", "i64"), ("i64",), ("i8",)
INTRINSICS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("copysign", "fabs", "floor", "fma", "maximum", "minimum", "sqrt"), FLOATS),
    **{f"{sign}{name}.with.overflow": WHOLES for sign in "su" for name in ("add", "sub", "mul")},
    **dict.fromkeys(("ctlz", "ctpop"), WORDS),
    **dict.fromkeys(("vector.reduce.and", "vector.reduce.or"), ("i1", "i32", "i64")),
    "cttz": BYTES + WORDS,
    "fshl": BYTES,
    "smax": ("i32", "i64"),
}
"""LLVM's own functions that every processor has, by name, and the elements of the types they are used on."""

PLAIN_INTRINSICS = frozenset({"llvm.memcpy.p0.p0.i64", "llvm.memset.p0.i64", "llvm.prefetch.p0"})
"""Those that are for one type alone."""

PROCESSOR_INTRINSICS: dict[str, frozenset[str]] = {
    "llvm.x86.avx512.vpdpbusd.512": frozenset({"avx512f", "avx512vnni"}),
    "llvm.aarch64.neon.sdot.v4i32.v16i8": frozenset({"dotprod"}),
    **dict.fromkeys(
        (f"llvm.x86.{name}" for name in ("ldtilecfg", "tilezero", "tileloadd64", "tilestored64", "tilerelease")),
        frozenset({"amx-tile"}),
    ),
    "llvm.x86.sse2.pause": frozenset({"sse2"}),
    "llvm.aarch64.isb": frozenset(),
    **dict.fromkeys((f"llvm.x86.{name}" for name in ("tdpbusd", "tdpbsud")), frozenset({"amx-int8"})),
}
"""Instructions of some processors, and the features, as LLVM names them, that a processor must have for each."""

RUNTIME_FUNCTIONS = frozenset(
    {
        "tolang_take", "tolang_give", "tolang_parallel", "tolang_width", "tolang_worker", "tolang_workers",
        "tolang_look", "tolang_running", "tolang_nearest_cache", "tolang_second_cache", "tolang_last_cache",
    }
)  # fmt: skip
"""Functions of the runtime."""

MATHEMATICS = frozenset({"cos", "fmod", "sin", "tan"})
"""Functions of the C library for rare arguments, in f64; those in f32 end with an f."""

MEMORY = frozenset({"memcpy", "memset", "memmove", "memcmp", "bcmp"})
"""Functions of the C library on memory, which LLVM also calls in place of loops."""

ROUNDING = frozenset({"floor", "floorf", "fma", "fmaf"})
"""Functions of the C library that LLVM calls for its intrinsics where a processor has no instruction for them."""

HALVES = frozenset({"__truncsfhf2", "__truncdfhf2", "__extendhfsf2"})
"""Conversions from and to f16 that LLVM calls where a processor has no instruction; the runtime defines them."""

LINKED = RUNTIME_FUNCTIONS | MATHEMATICS | {f"{name}f" for name in MATHEMATICS} | MEMORY | ROUNDING | HALVES
"""Every symbol that machine code of ours may leave to be resolved when it is loaded."""

_OF_PROCESSORS = re.compile(r'@"?(llvm\.(?:x86|aarch64)\.[\w.]+)')


class UnlistedCallee(AssertionError):
    """Generated code wants to call what nobody knows every processor to have: a mistake of tolang."""


def declared(
    module: ir.Module, name: str, result: Any, arguments: Sequence[Any], attributes: Iterable[str] = ()
) -> Any:
    """The declaration of a function that a module calls and does not define, made when it is first asked for."""
    known = module.globals.get(name)
    if known is None:
        if not is_listed(name):
            told = f"{name} is not among what generated code may call (engines/llvm/callees.py)"
            raise UnlistedCallee(f"a defect of tolang, please report it with the program: {told}")
        known = ir.Function(module, ir.FunctionType(result, list(arguments)), name)
        known.attributes.update(attributes)
    return known


def is_listed(name: str) -> bool:
    """True if generated code may call a function."""
    if not name.startswith("llvm."):
        return name in LINKED
    if name in PLAIN_INTRINSICS or name in PROCESSOR_INTRINSICS:
        return True
    own, _, kind = name.removeprefix("llvm.").rpartition(".")
    return re.sub(r"^v\d+", "", kind) in INTRINSICS.get(own, ())


def missing_features(text: str, features: Iterable[str]) -> dict[str, frozenset[str]]:
    """The instructions that LLVM IR asks for and a processor with these features does not have, and what they need."""
    there = frozenset(features)
    asked = {name: PROCESSOR_INTRINSICS.get(name, frozenset({"unknown"})) for name in _OF_PROCESSORS.findall(text)}
    return {name: needed - there for name, needed in asked.items() if needed - there}
