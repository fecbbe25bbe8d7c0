"""Contractions with windows for their rows: how many maps it takes, and the tiles for few and for many."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import tolang
from tolang.plan.printer import print_plan
from tolang.plan.target import Target
from tolang.schedule import planning

WIDE = Target(64, 32, streams=True, masks=True)
CONVOLUTION = """\
tol x: f32 [n,30,h,w]
tol k: f32 [m,30,3,3]
y := convolve(x, k, [{step},{step}], [1,1], [1,1], [(h-1)/{step} + 1, (w-1)/{step} + 1])
"""


def test_few_maps_have_slimmer_tiles() -> None:
    plan = print_plan(planning.plan(tolang.compile(CONVOLUTION.format(step=1)).core, WIDE).plan)
    assert "if m >= 32\n" in plan
    tiles = [
        line.split("direct convolution (")[1].split(", lanes")[0]
        for line in plan.splitlines()
        if "direct convolution" in line
    ]
    assert tiles == ["rows 8, vectors 2", "rows 8, vectors 3", "rows 6, vectors 4"]


def test_windows_that_move_by_several_elements_need_one_vector() -> None:
    plan = print_plan(planning.plan(tolang.compile(CONVOLUTION.format(step=2)).core, WIDE).plan)
    assert "if m >= 16\n" in plan


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("maps", [15, 16, 31, 32, 40, 49, 70])
def test_convolutions_of_any_number_of_maps(maps: int, step: int) -> None:
    program = tolang.compile(CONVOLUTION.format(step=step), engine="cpu", fallback=False)
    generator = np.random.default_rng(maps)
    x = generator.integers(-4, 5, (2, 30, 6, 7)).astype(np.float32)
    k = generator.integers(-4, 5, (maps, 30, 3, 3)).astype(np.float32)
    windows = sliding_window_view(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), (2, 3))[:, :, ::step, ::step]
    np.testing.assert_array_equal(program(x, k), np.einsum("mcab,ncijab->nmij", k, windows))
