"""The official backend tests of the onnx package, on the interpreter; exclusions are strict and have reasons."""

from __future__ import annotations

import re
import warnings
from importlib.util import find_spec
from pathlib import Path

from onnx.backend.test import BackendTest

from tolang.onnx.backend import TolangBackend

LISTED = (Path(__file__).parent / "exclusions.txt").read_text("utf-8").splitlines()
EXCLUDED = dict(line.split("\t", 1) for line in LISTED if line and not line.startswith("#"))
"""Names of tests that fail, and why."""
if find_spec("PIL") is not None:
    EXCLUDED = {name: reason for name, reason in EXCLUDED.items() if "Pillow" not in reason}
LIGHT = "bvlc_alexnet|densenet121|inception_v1|inception_v2|resnet50|shufflenet|squeezenet|vgg19|zfnet512"
"""Models of the size of real ones, which are too much for the interpreter."""

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # making the expected values of some tests overflows
    SUITE = BackendTest(TolangBackend, __name__)

SUITE.exclude(
    r"^test_(bvlc_alexnet|densenet121|inception_v1|inception_v2|resnet50|shufflenet|squeezenet|vgg19|zfnet512)_cpu$"
)
for name in EXCLUDED:
    SUITE.xfail(f"^{re.escape(name)}_cpu$")
CASES = SUITE.test_cases
for case in CASES.values():
    for name in [one for one in dir(case) if one.endswith("_cuda")]:
        delattr(case, name)
globals().update(CASES)


def test_every_exclusion_has_a_reason() -> None:
    assert all(reason.strip() for reason in EXCLUDED.values())


def test_every_exclusion_is_a_test() -> None:
    known = {name.removesuffix("_cpu") for case in CASES.values() for name in dir(case)}
    assert set(EXCLUDED) <= known
