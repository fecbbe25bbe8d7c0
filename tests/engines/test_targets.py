"""Code for processors that are not here: the main kernels emitted for x86-64 and AArch64, their vectors looked for."""

from __future__ import annotations

import re
from types import SimpleNamespace

import llvmlite.binding as binding
import pytest
from tests.plans import optimise

import tolang
from tolang.engines.cpu.emission.kernels import modules_of
from tolang.engines.cpu.plan.bytecode import assemble
from tolang.engines.cpu.processors import target_of
from tolang.engines.cpu.runtime import native
from tolang.engines.cpu.runtime.native import assembly
from tolang.lower.steps import lower
from tolang.plan.nest import Plan

PRODUCT = "tol a: f32 [n,k]\ntol b: f32 [k,m]\nc := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])"
MIN_PLUS = "tol a: f32 [n,k]\ntol b: f32 [k,m]\nc := map(tol[n,m], reduce(map(a[i], * + b[*,j]), min, +Inf), [i,j])"
OR_AND = "tol a: B [n,k]\ntol b: B [k,m]\nc := map(tol[n,m], reduce(map(a[i], * and b[*,j]), or, false), [i,j])"
WHOLE = "tol a: Z [n,k]\ntol b: Z [k,m]\nc := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])"
EXPONENTIAL = "tol x: f32 [n]\ny := map(x, exp)"
SUM = "tol x: f32 [n]\ny := reduce(x, add, 0)"
TARGETS = {
    "avx2": ("x86_64-unknown-linux-gnu", "haswell", "+avx2,+fma"),
    "avx512": ("x86_64-unknown-linux-gnu", "skylake-avx512", "+avx512f,+avx2,+fma"),
    "amx": (
        "x86_64-unknown-linux-gnu",
        "sapphirerapids",
        "+avx512f,+avx512vnni,+avx2,+fma,+amx-tile,+amx-int8",
    ),
    "neon": ("aarch64-unknown-linux-gnu", "neoverse-n1", "+neon"),
    "windows": ("x86_64-pc-windows-msvc", "haswell", "+avx2,+fma"),
}
EXPECTED = {
    ("avx2", PRODUCT): r"vfmadd\w+ps\s.*%ymm",
    ("avx512", PRODUCT): r"vfmadd\w+ps\s.*%zmm",
    ("neon", PRODUCT): r"fmla\s+v\d+\.4s, v\d+\.4s, v\d+\.s\[",
    ("avx2", MIN_PLUS): r"vminps\s.*%ymm",
    ("avx512", MIN_PLUS): r"vminps\s.*%zmm",
    ("neon", MIN_PLUS): r"fmin\s+v\d+\.4s",
    ("avx2", OR_AND): r"v?por\s.*%ymm|vorps\s.*%ymm",
    ("avx512", OR_AND): r"vpor\w*\s.*%zmm|vpternlog\w+\s.*%zmm|vorps\s.*%zmm",
    ("neon", OR_AND): r"orr\s+v\d+\.16b",
    ("avx2", WHOLE): r"vpmuldq\s.*%ymm",
    ("avx512", WHOLE): r"vpmuldq\s.*%zmm",
    ("neon", WHOLE): r"smlal\s+v\d+\.2d",
    ("avx2", EXPONENTIAL): r"vfmadd\w+ps\s.*%ymm",
    ("avx512", EXPONENTIAL): r"vfmadd\w+ps\s.*%[yz]mm",
    ("neon", EXPONENTIAL): r"fmla\s+v\d+\.4s",
    ("avx2", SUM): r"vaddps\s.*%ymm",
    ("avx512", SUM): r"vaddps\s.*%[yz]mm",
    ("neon", SUM): r"fadd\s+v\d+\.4s",
}


def code_for(lowered: Plan, target: str) -> str:
    """The assembly of the kernels of a lowered program."""
    triple, cpu, features = TARGETS[target]
    processor = target_of(triple, features)
    modules = modules_of(assemble(optimise(lowered, processor)).calls, processor)
    return "\n".join(assembly(module, triple, cpu, features) for module in modules)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("target", "source"), list(EXPECTED), ids=lambda value: value.splitlines()[-1][:20])
def test_vectors_of_the_target_are_used(target: str, source: str) -> None:
    text = code_for(lower(tolang.compile(source).core), target)
    assert re.search(EXPECTED[target, source], text), f"no {EXPECTED[target, source]}"


@pytest.mark.parametrize(
    ("source", "instruction", "accumulators"),
    [(PRODUCT, "vfmadd", 12), (MIN_PLUS, "vminps", 8)],
    ids=["product", "min"],
)
def test_accumulators_stay_in_registers(source: str, instruction: str, accumulators: int) -> None:
    """Between two loads of the operands the inner loop touches no memory; it takes a whole number of steps."""
    text = code_for(lower(tolang.compile(source).core), "avx2")
    tiles = [one.split(".Lfunc_end")[0] for one in re.split(r"^tile\.\w+:", text, flags=re.MULTILINE)[1:]]
    blocks = re.split(r"^\.LBB\S+:", tiles[-1], flags=re.MULTILINE)  # the last is for many columns
    inner = max(blocks, key=lambda block: block.count(instruction))
    assert inner.count(instruction) in (accumulators, 2 * accumulators)
    assert not re.search(r"vmov\w+\s+%ymm\d+, \S*\(", inner)


@pytest.mark.parametrize(
    ("triple", "together"),
    [
        ("x86_64-unknown-linux-gnu", True),
        ("aarch64-unknown-linux-gnu", True),
        ("x86_64-pc-windows-msvc", False),
        ("arm64-apple-darwin", False),
    ],
)
def test_code_whose_sections_are_near_is_loaded_by_a_linker_that_keeps_them_so(
    triple: str, together: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LLVM's older one ends the process where it has put two sections of an object too far apart."""
    asked: list[bool] = []
    monkeypatch.setattr(binding, "create_lljit_compiler", lambda machine, use_jit_link: asked.append(use_jit_link))
    native._linker(SimpleNamespace(triple=triple))
    assert asked == [native.lies_together(triple)] == [together]


@pytest.mark.parametrize(("target", "near"), [("avx512", r"\(%rip\)"), ("neon", "adrp"), ("windows", None)])
def test_code_reaches_its_constants_by_short_distances(target: str, near: str | None) -> None:
    """Else each use of one builds a whole address first, in loops that are short of registers too."""
    text = code_for(lower(tolang.compile(EXPONENTIAL).core), target)
    builds_whole_addresses = re.search(r"movabsq\s+\$[a-zA-Z_.]|#:abs_g", text) is not None
    assert builds_whole_addresses == (near is None)
    assert near is None or re.search(near, text)
