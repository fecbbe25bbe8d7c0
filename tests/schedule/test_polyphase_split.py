"""Phases: contractions of different lengths, by which convolutions with a stride are differentiated."""

from __future__ import annotations

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime.native import host_target
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import column
from tolang.plan.nest import Allocate, Bind, Buffer, ConstantScalar, Index, Load, Nest, Step
from tolang.schedule.direct_convolution import fills_lanes
from tolang.schedule.polyphase_copies import copied_after

STRIDED = """\
tol x: f32 [n,c,h,v]
tol w: f32 [m,c,3,1]
y := convolve(x, w, [2,3], [1,1], [1,0], [(h-1)/2 + 1, (v-1)/3 + 1])
"""


def _share_a_copy(plan: str) -> None:
    assert plan.count("buffer windows of phases") == 1
    (by_rows,) = [one for one in plan.split("nest ") if "by direct convolution" in one]
    assert by_rows.count(" = reduce[") == 2  # both sums by one kernel, for each number of columns
    copies = [line for line in plan.splitlines() if line.strip().startswith("d_x") and " = " in line]
    assert len(copies) == 2  # as phases are written side by side, and as they are not
    assert sum("= phases" in line for line in copies) == 1


def test_phases_of_a_stride_are_contractions_that_share_a_copy() -> None:
    """Rows have one or two terms, columns one or none: of the six phases, two are sums of windows, and two of nothing."""
    program = tolang.compile(STRIDED, engine="cpu", fallback=False)
    pullback = program.pullback("y", "x")
    cost = pullback.cost(n=1, c=1, m=1, h=8, v=9).eops
    assert cost == 2 * 3 * (8 // 2) * 3  # three products for each of 4 x 3 places of two rows and three columns
    if fills_lanes(host_target()):
        _share_a_copy(pullback.explain().full.partition("== plan ==")[2])
    for channels in (3, 17):  # fewer than a vector has lanes, and more
        check_pullback(pullback, channels, 7, 8)
    check_pullback(pullback, 17, 8, 9)  # all of what phases compute
    check_pullback(pullback, 17, 8, 9, 3000)  # more terms than one cut of the depth holds


def check_pullback(pullback: tolang.Program, channels: int, height: int, width: int, maps: int = 5) -> None:
    generator = np.random.default_rng(channels)
    x, w, d = (
        generator.standard_normal(shape).astype(np.float32)
        for shape in ((2, channels, height, width), (maps, channels, 3, 1), (2, maps, 4, 3))
    )
    expected = np.zeros((2, channels, 9, 9))
    for row in range(3):
        expected[:, :, row : row + 7 : 2, ::3] += np.einsum("nmij,mc->ncij", d.astype("f8"), w[:, :, row, 0])
    cut = expected[:, :, 1 : height + 1, :width]
    tolerance = 1e-4 * (maps / 5) ** 0.5  # sums in f32 are off by more where they have more terms
    np.testing.assert_allclose(pullback(x, w, d), cut, rtol=1e-4, atol=tolerance)


@pytest.mark.parametrize(("length", "moved"), [("n", True), ("told", False)])
def test_a_copy_is_not_made_before_its_length_is_known(length: str, moved: bool) -> None:
    one, number = Size.of("i"), column("R")
    whole, result = Buffer("t_1.1", number, (Size.of("n"),)), Buffer("d_2.1", number, (Size.of(length),))
    steps: tuple[Step, ...] = (
        Allocate(whole),
        Nest(("i",), whole.shape, ((whole, (one,)),), (ConstantScalar(0, column=number),), "t"),
        Bind("told", Index(Size.of("n"), column=column("Z"))),
        Allocate(result),
        Nest(("i",), result.shape, ((result, (one,)),), (Load(whole, (one,), column=number),), "d"),
    )
    assert (copied_after(steps, 1, frozenset({"d_2.1"})) is not None) == moved
