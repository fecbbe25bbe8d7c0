"""The official backend tests of the onnx package: some of those of nodes, most on the cpu engine, some interpreted.

Code is compiled quickly here, and kept, so that tests share it; `make conformance` compiles it as users do, and runs
every test on both.  Exclusions are strict and have reasons.
"""

from __future__ import annotations

import re
import unittest
import warnings
from zlib import crc32

import pytest
from onnx.backend.test import BackendTest
from onnx.backend.test.loader import load_model_tests
from tests.onnx.cases import compare, exclusions

from tolang.onnx.backend import TolangBackend

EXCLUDED = exclusions()
NOT_COMPARED = "test_loop16_seq_none"
"""A test that no backend can pass: the official runner takes the length of a tensor of rank 0 in a sequence."""
ONE_IN = 8
"""One in so many tests is run, but all that are excluded: these have to fail."""
ONE_BODY_IN = 16
"""One in so many tests of ONNX's own function bodies is run: what these call has tests of its own, run in full."""
ONE_INTERPRETED_IN = 3
"""One in so many tests of these is interpreted, from the same kind of definition that is compiled for the others."""

LONG_TO_COMPILE = ("_dft", "_stft")
"""What takes seconds to compile each: two of them are, the others are interpreted."""
COMPILED = ("test_dft_cpu", "test_stft_cpu")


class OnInterpreter(TolangBackend):
    engine = "interpret"


class OnCpu(TolangBackend):
    engine = "cpu"


def is_left_out(name: str, engine: str = "cpu") -> bool:
    """Whether a test is left to `make conformance`, which its name decides."""
    chosen = crc32(name.encode())
    interpreted = chosen // ONE_BODY_IN % ONE_INTERPRETED_IN == 0 or any(one in name for one in LONG_TO_COMPILE)
    interpreted = interpreted and name not in COMPILED
    if (engine == "interpret") != interpreted:
        return True
    if name.removesuffix("_cpu") in EXCLUDED or name in COMPILED:
        return False
    return chosen % (ONE_BODY_IN if "_expanded" in name else ONE_IN) != 0


def suite(backend: type[TolangBackend], kinds: str) -> dict[str, type[unittest.TestCase]]:
    """The classes of official tests of some kinds for a backend, under names that tell the engine."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # making the expected values of some tests overflows
        made = BackendTest(backend, __name__)
    for name in (*EXCLUDED, NOT_COMPARED):
        made.xfail(f"^{re.escape(name)}_cpu$")
    found = {name: case for name, case in made.test_cases.items() if re.search(kinds, name)}
    for case in found.values():
        tests = [one for one in dir(case) if one.startswith("test_")]
        for name in [one for one in tests if one.endswith("_cuda") or is_left_out(one, backend.engine)]:
            delattr(case, name)
    return {f"{backend.__name__}{name.removeprefix('OnnxBackend')}": case for name, case in found.items()}


CASES = suite(OnCpu, "Node|Simple|PyTorch") | suite(OnInterpreter, "Node")
"""The category Real, models of the size of real ones, is a command of its own."""
globals().update(CASES)


@pytest.mark.parametrize("backend", [OnCpu, OnInterpreter])
def test_what_the_runner_cannot_compare(backend: type[TolangBackend]) -> None:
    (case,) = (one for one in load_model_tests(kind="node") if one.name == NOT_COMPARED)
    assert case.model is not None
    assert case.data_sets is not None
    ((inputs, outputs),) = case.data_sets
    compare(list(outputs), list(backend.run_model(case.model, list(inputs))), case.rtol, case.atol)


def test_every_exclusion_has_a_reason() -> None:
    assert all(reason.strip() for reason in EXCLUDED.values())


def test_every_exclusion_is_a_test() -> None:
    known = {name.removesuffix("_cpu") for case in CASES.values() for name in dir(case)}
    assert {name for name in EXCLUDED if "_expanded" not in name} <= known
