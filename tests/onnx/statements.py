"""The EOPs that a definition of an ONNX operator states, held against those derived, at the arguments of samples."""

from __future__ import annotations

from tests.cost.test_library_statements import assert_equal_sides, sides_of
from tests.library.samples import Sample


def assert_statement(name: str, sample: Sample) -> None:
    """A definition costs with these arguments what its comment says."""
    assert_equal_sides("onnx", name, sample, sides_of("onnx", name, sample))
