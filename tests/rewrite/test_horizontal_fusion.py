"""Nests that are put together write apart from each other: what the pass *together* asks of their places."""

from __future__ import annotations

import pytest

from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import Nest
from tolang.rewrite.horizontal_fusion import _lie_apart

I, J, N, M = (Size.of(name) for name in "ijnm")  # noqa: E741  # coordinates and lengths
NEST = Nest(("i", "j"), (N, M), (), ())


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ((I, J), (I + N, J), True),
        ((I + N, J), (I, J), True),
        ((I, J), (I, J + M), True),
        ((I, J), (I + 1, J), False),
        ((I, J), (I + M, J), False),
        ((2 * I, J), (2 * I + N, J), False),
        ((M * I + J,), (M * I + J + M,), False),  # which is where the first is a row later
        ((I + J,), (I + J + N,), False),
    ],
)
def test_places_apart(one: tuple[Size, ...], other: tuple[Size, ...], apart: bool) -> None:
    assert _lie_apart(one, other, NEST) == apart
