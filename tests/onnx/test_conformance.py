"""The official backend tests of the onnx package, on the interpreter; exclusions are strict and have reasons."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

from onnx.backend.test import BackendTest

from tolang.onnx.backend import TolangBackend

LISTED = (Path(__file__).parent / "exclusions.txt").read_text("utf-8").splitlines()
EXCLUDED = dict(line.split("\t", 1) for line in LISTED if line and not line.startswith("#"))
"""Names of tests that fail, and why."""

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # making the expected values of some tests overflows
    SUITE = BackendTest(TolangBackend, __name__)

SUITE.include(r"_cpu$")
SUITE.exclude(
    r"^test_(bvlc_alexnet|densenet121|inception_v1|inception_v2|resnet50|shufflenet|squeezenet|vgg19|zfnet512)_cpu$"
)
for name in EXCLUDED:
    SUITE.xfail(f"^{re.escape(name)}_cpu$")
globals().update(SUITE.test_cases)


def test_every_exclusion_has_a_reason() -> None:
    assert all(reason.strip() for reason in EXCLUDED.values())


def test_every_exclusion_is_a_test() -> None:
    known = {name.removesuffix("_cpu") for case in SUITE.test_cases.values() for name in dir(case)}
    assert set(EXCLUDED) <= known
