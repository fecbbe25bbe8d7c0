"""The same bits on every processor: what fixes a rounding tree is plan/grain.py, which knows none of them.

Without an instruction that multiplies and adds at once, sums of products are rounded twice: they alone differ there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import numpy as np
import pytest
from tests.engines.test_same_bits import data_of
from tests.fuzz.bits import Program, program
from tests.plans import optimise
from tests.schedule.test_schedules import CASES

import tolang
from tolang.engines.cpu.processors import PROCESSORS, runnable
from tolang.lower.steps import lower
from tolang.plan.printer import print_plan
from tolang.plan.target import Target

GENERATED = 16
OTHER_MACHINES = {
    "narrow": Target(16, 16),
    "wide": Target(64, 32, streams=True, slow_division=True, masks=True),
    "by lanes": Target(16, 32, lane_operands=True, splat_loads=False, extrema=True),
}


def programs() -> Iterator[Program]:
    """One for each strategy, at lengths of many pieces, and some that are drawn."""
    for name, (source, _, _) in CASES.items():
        yield Program(name, source, data_of(name))
    for number in range(GENERATED):
        yield program(f"processors/{number}")


def digest(made: Program) -> str:
    try:
        results: Any = tolang.compile(made.source, engine="cpu", threads=2)(**made.data)
    except tolang.ToLangError as error:
        return error.code
    found = list(results.values()) if isinstance(results, dict) else [results]
    return sha256(b"".join(_bits(np.asarray(one)) for one in found)).hexdigest()


def _bits(array: np.ndarray[Any, Any]) -> bytes:
    """The bits of an array; those of NaN are any."""
    wrong = np.isnan(array) if array.dtype.kind in "fc" else np.zeros(array.shape, bool)
    return np.where(wrong, array.dtype.type(0), array).tobytes() + wrong.tobytes()


def digests() -> None:
    """Prints what this process makes of all programs."""
    print(json.dumps({made.seed: digest(made) for made in programs()}))


def digests_on(processor: str) -> dict[str, str]:
    code = "from tests.engines.test_bits_of_processors import digests; digests()"
    environment = os.environ | {"TOL_PROCESSOR": processor}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def adds_products(made: Program) -> bool:
    """Whether a program multiplies and adds at once, as sums of products do."""
    return "fused(" in print_plan(optimise(lower(tolang.compile(made.source).core), Target(16, 16, fuses=False)))


def test_processors_give_the_same_bits() -> None:
    known = {name: digests_on(name) for name in runnable()}
    fusing = [name for name in known if {"fma", "neon"} & PROCESSORS[name].features]
    first = known[fusing[0]] if fusing else known[next(iter(known))]
    for name, found in known.items():
        differing = {made.seed: made for made in programs() if found[made.seed] != first[made.seed]}
        wrong = [seed for seed, made in differing.items() if name in fusing or not adds_products(made)]
        assert not wrong, f"{name}: {wrong}"
        assert (name in fusing) == (not differing), f"{name} rounds products: {sorted(differing)}"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("machine", OTHER_MACHINES)
@pytest.mark.parametrize("name", CASES)
def test_targets_give_the_same_bits(name: str, machine: str, plan_for: Callable[[Target], None]) -> None:
    """What plans make of a target, of those too whose instructions are not here: loops differ, trees do not."""
    made = Program(name, CASES[name][0], data_of(name))
    here = digest(made)
    plan_for(OTHER_MACHINES[machine])
    assert digest(made) == here
