"""The EOPs that definitions of ONNX operators state are those derived, as formulas in the sizes."""

from __future__ import annotations

import pytest
from tests.onnx.samples import SAMPLES
from tests.onnx.statements import assert_statement


@pytest.mark.parametrize("name", SAMPLES)
def test_statement(name: str) -> None:
    for sample in SAMPLES[name]:
        assert_statement(name, sample)
