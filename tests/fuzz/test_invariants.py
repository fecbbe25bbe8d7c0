"""Programs whose loops compute what is the same in every turn, some of them; `make fuzz` takes thousands."""

from __future__ import annotations

import pytest
from tests.fuzz import invariants


@pytest.mark.parametrize("seed", range(2))
def test_what_leaves_loops_changes_nothing(seed: int) -> None:
    outcomes = invariants.run(40, seed)
    assert outcomes["rewritten"] >= 10
    assert outcomes["value"] >= 20
    assert outcomes["error"] >= 5
