"""What generated code may call: listed, selected by LLVM for every processor, and there when code is loaded."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tolang.engines.cpu.processors import PROCESSORS, features_of, host_features, target_of
from tolang.engines.cpu.runtime import native
from tolang.engines.cpu.runtime.threads import SYMBOLS, runtime_source
from tolang.engines.llvm import callees, ir
from tolang.engines.llvm.callees import (
    HALVES,
    LINKED,
    PROCESSOR_INTRINSICS,
    RUNTIME_FUNCTIONS,
    UnlistedCallee,
    declared,
)
from tolang.engines.llvm.types import I64

PARTS = ["intrinsics", "casts", "dots", "functions f16", "functions Z"]
"""What shows most of it, in seconds; `make thorough` compiles all of it, quickly and in full, for each processor."""
THOROUGH = pytest.mark.sampled(1_000_000)


@pytest.mark.parametrize(
    ("name", "level", "parts"),
    [
        *((name, "quick", PARTS) for name in ("nehalem", "skylake-avx512", "cortex-a72")),
        *(pytest.param(name, level, [], marks=THOROUGH) for name in PROCESSORS for level in ("quick", "full")),
    ],
)
def test_all_that_may_be_called_is_selected_for_every_processor(name: str, level: str, parts: list[str]) -> None:
    """LLVM ends the process where it cannot select an instruction: this is another process."""
    command = [sys.executable, "-m", "tests.engines.everything", name, level, *parts]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    symbols = {symbol for found in json.loads(done.stdout).values() for symbol in found}
    assert symbols
    assert symbols <= LINKED
    assert bool(symbols & HALVES) == (name == "nehalem")


@pytest.mark.parametrize("architecture", ["x86_64", "aarch64", "another"])
def test_functions_of_the_runtime_are_defined_and_exported(architecture: str) -> None:
    text = runtime_source(architecture)
    for name in RUNTIME_FUNCTIONS | HALVES:
        assert re.search(rf"^define [^@]*@{name}\(", text, re.MULTILINE), name
    assert set(SYMBOLS) >= RUNTIME_FUNCTIONS | HALVES


def test_what_is_not_listed_is_refused_before_llvm_sees_it() -> None:
    with pytest.raises(UnlistedCallee, match="puts"):
        declared(ir.Module(), "puts", I64, [I64])
    with pytest.raises(UnlistedCallee, match=r"llvm\.frexp\.f64"):
        declared(ir.Module(), "llvm.frexp.f64", I64, [I64])
    with pytest.raises(UnlistedCallee, match=r"ctlz\.i8"):
        declared(ir.Module(), "llvm.ctlz.i8", I64, [I64])


@pytest.mark.parametrize("name", PROCESSOR_INTRINSICS)
def test_instructions_of_other_processors_are_refused_before_llvm_sees_them(name: str) -> None:
    """A plan for a processor may ask no more of the one that its code is compiled for than that has."""
    text = f'declare void @"{name}"()'
    needed = PROCESSOR_INTRINSICS[name]
    native.refuse_missing_instructions(text, ",".join(f"+{one}" for one in needed))
    if needed:
        with pytest.raises(native.MissingInstructions, match=sorted(needed)[0]):
            native.refuse_missing_instructions(text, "+popcnt,-" + sorted(needed)[0])
    unknown = callees.missing_features('declare void @"llvm.x86.unheard.of"()', needed)
    assert unknown


def test_code_for_another_processor_is_not_compiled_for_this_one() -> None:
    missing = [name for name, needed in PROCESSOR_INTRINSICS.items() if needed - features_of(host_features())]
    assert missing, "no processor has both AMX and Arm's instructions"
    with pytest.raises(native.MissingInstructions):
        native.machine_code(f"declare void @{missing[0]}()\ndefine void @f() {{\n  ret void\n}}\n")


@pytest.mark.parametrize("name", PROCESSORS)
def test_a_processor_has_what_its_plans_count_on(name: str) -> None:
    processor = PROCESSORS[name]
    target = target_of(processor.triple, processor.flags)
    if target.quads is not None:
        found = [needed for one, needed in PROCESSOR_INTRINSICS.items() if "dpbusd.512" in one or "sdot" in one]
        assert any(needed <= processor.features for needed in found)
    assert not target.matrices or {"amx-tile", "amx-int8"} <= processor.features
    assert target.vector_bytes == (
        64 if "avx512f" in processor.features else 32 if "avx2" in processor.features else 16
    )
