"""Entries at a prompt of all kinds, some hundred; `make fuzz` takes more."""

from __future__ import annotations

import pytest
from tests.fuzz import prompt


@pytest.mark.parametrize("seed", range(2))
def test_sessions_stay_sound(seed: int) -> None:
    outcomes = prompt.run(4, seed)
    assert min(outcomes[kind] for kind in ("value", "error", "definition")) >= 10
