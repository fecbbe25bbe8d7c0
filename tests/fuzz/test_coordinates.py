"""Coordinates and lengths at the edges of 64 bits, on both engines; `make fuzz` takes thousands of them."""

from __future__ import annotations

import pytest
from tests.fuzz import coordinates


@pytest.mark.parametrize("seed", range(4))
def test_coordinates_are_exact(seed: int) -> None:
    outcomes = coordinates.run(12, seed)
    assert outcomes["value"] >= 5
    assert outcomes["error"] >= 20
