"""Folds in lanes, side by side, in blocks and in pieces, against the interpreter and NumPy, at every length near a seam."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.plans import optimise

import tolang
from tolang.core.core import Core
from tolang.engines.cpu.strategies import choice_fold as lanes
from tolang.idioms.choice_fold import choice_fold_of
from tolang.idioms.contraction import contraction_of
from tolang.idioms.histogram import histogram_of
from tolang.idioms.scan import scan_of
from tolang.lower.steps import lower
from tolang.plan.grain import HISTOGRAM_PIECE, SCAN_BLOCK
from tolang.plan.nest import Each, Group, Nest, Reduction, Repeat, Step
from tolang.plan.traversal import inner_steps, occurrences, scalars_of

pytestmark = pytest.mark.sampled(3)

Array = np.ndarray[Any, Any]


@cache
def program(source: str, engine: str = "cpu", strict: bool = False) -> tolang.Program:
    return tolang.compile(source, engine=engine, strict=strict, fallback=False)


def steps_of(source: str) -> list[Step]:
    """Every step of a program's plan, at any depth."""
    core: Core = tolang.compile(source).core
    pending, found = list(optimise(lower(core)).steps), []
    while pending:
        step = pending.pop()
        found.append(step)
        pending.extend(inner_steps(step))
    return found


def folds_of(source: str) -> list[Group]:
    scalars = [s for step in steps_of(source) for s in scalars_of(step)]
    found = [place.scalar for scalar in scalars for place in occurrences(scalar)]
    return list({id(one.group): one.group for one in found if isinstance(one, Reduction)}.values())


# Choices

CHOICES = {
    "first greatest": "(s,e) -> if e[1]' > s[1]' then e else s, (-Inf,0)",
    "last greatest": "(s,e) -> if e[1]' >= s[1]' then e else s, (-Inf,0)",
    "first least": "(s,e) -> if s[1]' > e[1]' then e else s, (Inf,0)",
    "last least": "(s,e) -> if e[1]' <= s[1]' then e else s, (Inf,0)",
    "from a value": "(s,e) -> if e[1]' < s[1]' then e else s, (0.5,-7)",
    "from NaN": "(s,e) -> if e[1]' < s[1]' then e else s, (Inf-Inf,-7)",
}
LENGTHS = [*range(71), *(lanes.WORTHWHILE + k for k in (-1, 0, 1, lanes.LANES - 1, lanes.LANES)), 1000]


def chosen(form: str) -> str:
    return f"tol x: R [n]\ny := reduce(map(x, (*, iter)), {CHOICES[form]})"


def awkward(generator: np.random.Generator, length: int) -> Array:
    """Few different values, so that there are ties; zeros of both signs, infinities, NaN."""
    return generator.choice([-1.0, -0.0, 0.0, 0.25, 0.5, 2.0, np.inf, -np.inf, np.nan], length)


@pytest.mark.parametrize("form", CHOICES)
def test_choices_are_recognised(form: str) -> None:
    (fold,) = folds_of(chosen(form))
    assert choice_fold_of(fold) is not None


@pytest.mark.parametrize(
    "step",
    [
        "(s,e) -> if s[1]' >= e[1]' then s else e",  # NaN would be taken, and then anything
        "(s,e) -> if e[1]' > s[1]' then (e[1]', e[2]' + 1) else s",
        "(s,e) -> if e[1]' > s[1]' then (e[1]', s[2]' + 1) else s",
        "(s,e) -> if e[2]' > s[1]' then e else s",
    ],
)
def test_other_choices_keep_their_order(step: str) -> None:
    source = f"tol x: R [n]\ny := reduce(map(x, (*, iter)), {step}, (-Inf,0))"
    x = awkward(np.random.default_rng(3), 500)
    for found, expected in zip(program(source)(x), program(source, "interpret")(x), strict=True):
        assert np.array_equal(found, expected, equal_nan=True)


@pytest.mark.parametrize("form", CHOICES)
def test_choices(form: str) -> None:
    generator = np.random.default_rng(5)
    for length in LENGTHS:
        x = awkward(generator, length)
        expected = program(chosen(form), "interpret")(x)
        for strict in (False, True):
            found = program(chosen(form), strict=strict)(x)
            same = all(np.array_equal(a, b, equal_nan=True) for a, b in zip(found, expected, strict=True))
            assert same, (length, x, found, expected)


@pytest.mark.parametrize("kind", ["Z", "f32", "f64", "u8", "i16"])
def test_argmin_of_many(kind: str) -> None:
    source = f"tol x: {kind} [n]\ny := argmin(x)"
    for length in (lanes.PIECE - 1, lanes.PIECE, 2 * lanes.PIECE + 77):
        x = np.random.default_rng(length).integers(3, 100, length)
        x[[length - 1, length // 2, length // 3]] = 1
        assert program(source)(x) == length // 3 + 1


# Folds side by side


@pytest.mark.parametrize("name", ["sum", "maximum", "product", "argmax", "mean", "variance"])
@pytest.mark.parametrize("axis", [1, 2, 3])
@pytest.mark.parametrize("shape", [(5, 4, 1030), (7, 3, 2), (1, 1, 1), (9, 2, 64)])
def test_reductions_along_any_axis(name: str, axis: int, shape: tuple[int, int, int]) -> None:
    x = np.random.default_rng(7).integers(1, 4, shape).astype(float)
    judge: dict[str, Callable[..., Any]] = {
        "maximum": np.max,
        "product": np.prod,
        "variance": np.var,
        "mean": np.mean,
        "sum": np.sum,
    }
    expected = np.argmax(x, axis - 1) + 1 if name == "argmax" else judge[name](x, axis - 1)
    for strict in (False, True):
        found = program(f"tol x: R [n,m,k]\ny := {name}(x, {axis})", strict=strict)(x)
        assert np.allclose(found, expected, rtol=1e-14)  # at most nine small whole numbers, then one division or two


def test_side_by_side_in_order() -> None:
    """A fold that is not associative, along the first axis: bit for bit as one after the other."""
    source = "tol x: R [n,m]\ny := map(tol[m], reduce(map(tol[n], x[i,j], i), (s,e) -> s/3 + e, 1), j)"
    x = np.random.default_rng(8).random((13, 1500))
    state = np.ones(1500)
    for row in x:
        state = state / 3 + row
    assert np.array_equal(program(source, strict=True)(x), state)
    assert np.array_equal(program(source)(x), state)


# Scans

RUNNING: dict[str, Callable[..., Any]] = {
    "cumulative_sum": np.cumsum,
    "cumulative_product": np.cumprod,
    "cumulative_maximum": np.maximum.accumulate,
    "cumulative_minimum": np.minimum.accumulate,
}


def test_scans_are_recognised() -> None:
    for source in ("tol x: R [n]\ny := cumulative_sum(x)", "tol x: R [n]\ny := scan(x, (s,e) -> s/2 + e, 1)"):
        repeats = [s for s in steps_of(source) if isinstance(s, Repeat)]
        assert [scan_of(r) is not None for r in repeats] == [True]


def test_running_sum_needs_no_copy() -> None:
    loops = [s for s in steps_of("tol x: R [n]\ny := cumulative_sum(x)") if isinstance(s, Nest) and s.iterators]
    assert not loops


@pytest.mark.parametrize("name", RUNNING)
def test_scans(name: str) -> None:
    generator = np.random.default_rng(9)
    source = f"tol x: R [n]\ny := {name}(x)"
    seam = SCAN_BLOCK
    for length in (*range(9), 64, seam, seam + 1, seam + 2, 2 * seam + 1, 3 * seam - 5):
        x = 1 + generator.standard_normal(length) / 1000
        if length > 5:
            x[length // 2] = np.nan if "m" in name[11:] else 1.0
        expected = RUNNING[name](x)
        assert np.array_equal(program(source, strict=True)(x), expected, equal_nan=True)
        # regrouped sums and products of numbers near 1: an error of at most length units in the last place
        assert np.allclose(program(source)(x), expected, rtol=1e-10, atol=0, equal_nan=True)


@pytest.mark.parametrize("axis", [1, 2])
@pytest.mark.parametrize("shape", [(1, 1), (3, 2100), (40, 7), (1025, 3), (4, 0), (0, 4)])
def test_scans_along_axes(axis: int, shape: tuple[int, int]) -> None:
    x = np.random.default_rng(11).integers(-9, 9, shape)
    found = program(f"tol x: Z [n,m]\ny := cumulative_sum(x, {axis})")(x)
    assert np.array_equal(found, np.cumsum(x, axis - 1))
    found = program(f"tol x: R [n,m]\ny := scan(x, (s,e) -> s/2 + e, 1, {axis})")(x)
    assert np.array_equal(found, program(f"tol x: R [n,m]\ny := scan(x, (s,e) -> s/2 + e, 1, {axis})", "interpret")(x))


def test_running_sums_do_not_depend_on_threads() -> None:
    x = np.random.default_rng(12).random(3 * SCAN_BLOCK)
    source = "tol x: R [n]\ny := cumulative_sum(x)"
    results = [tolang.compile(source, engine="cpu", threads=number)(x) for number in (1, 2, 3)]
    assert all(np.array_equal(results[0], one) for one in results[1:])


@pytest.mark.parametrize("length", ["n", 7, 8, 9, 130])
@pytest.mark.parametrize("steps", [1, 5, 40])
def test_scans_that_begin_far_inside(length: int | str, steps: int) -> None:
    """A state that is appended to, behind a start of a known length: a kernel of its own, which sees what is before."""
    source = f"tol x: R [{length}]\ny := reduce(tol[{steps}], (s,_) -> [s, s[|s|[1]] * 0.5 + 2], x)"
    x = np.arange(20.0 if length == "n" else float(length))
    expected = list(x)
    for _ in range(steps):
        expected.append(expected[-1] * 0.5 + 2)
    assert program(source)(x).tolist() == expected


def test_scans_side_by_side() -> None:
    """Running sums of columns: the places of a block are the innermost loop."""
    each = [s for s in steps_of("tol x: R [n,m]\ny := cumulative_sum(x, 1)") if isinstance(s, Each)]
    repeat = each[0].steps[0]
    assert isinstance(repeat, Repeat)
    nests = [s for step in repeat.steps for s in inner_steps(step)]
    assert all(isinstance(s, Nest) and len(s.iterators) == 1 for s in nests)


# Tallies

TALLIES = {
    "counts": "tol x: Z [n]\ny := bincount(x, 50)",
    "sums": "tol x: Z [n]\ny := reduce(x, (s,e,i) -> put(s, e, s[e] + i%7), tol[50])",
    "greatest": "tol x: Z [n]\ny := reduce(x, (s,e,i) -> put(s, e, max(s[e], i%1013)), tol[50])",
    "some": "tol x: Z [n]\ny := reduce(x, (s,e) -> if e > 10 then put(s, e, s[e] + 1) else s, tol[50])",
}


def tallied(name: str, x: Array) -> Array:
    places, result = np.arange(1, x.size + 1), np.zeros(50)
    if name == "greatest":
        np.maximum.at(result, x - 1, places % 1013)
    else:
        added = {"counts": np.ones(x.size), "sums": places % 7, "some": x > 10}
        np.add.at(result, x - 1, added[name])
    return result


@pytest.mark.parametrize("name", TALLIES)
def test_tallies(name: str) -> None:
    repeats = [s for s in steps_of(TALLIES[name]) if isinstance(s, Repeat)]
    assert [histogram_of(r) is not None for r in repeats] == [True]
    generator = np.random.default_rng(13)
    for length in (0, 1, 70, 2 * HISTOGRAM_PIECE - 1, 2 * HISTOGRAM_PIECE + 1, 5 * HISTOGRAM_PIECE + 11):
        x = generator.integers(1, 51, length)
        for strict in (False, True):
            assert np.array_equal(program(TALLIES[name], strict=strict)(x), tallied(name, x))


@pytest.mark.parametrize("length", [10, 3 * HISTOGRAM_PIECE])
@pytest.mark.parametrize("wrong", [0, 51, -3])
def test_tally_outside(length: int, wrong: int) -> None:
    x = np.ones(length, np.int64)
    x[3] = wrong
    with pytest.raises(tolang.ToLangRunError) as error:
        program(TALLIES["counts"])(x)
    with pytest.raises(tolang.ToLangRunError) as expected:
        program(TALLIES["counts"], "interpret")(x[:5])
    found, wanted = (one.value.diagnostics[0].span for one in (error, expected))
    assert found is not None
    assert wanted is not None
    assert (found.place, found.excerpt()) == (wanted.place, wanted.excerpt())


@pytest.mark.parametrize(
    "step", ["put(s, e, s[1] + 1)", "put(s, e, s[e] + s[2])", "put(s, e, 1 + 2*s[e])", "put(s, 1 + s[e]%3, s[e] + 1)"]
)
def test_what_is_no_tally_keeps_its_order(step: str) -> None:
    source = f"tol x: Z [n]\ny := reduce(x, (s,e) -> {step}, tol[50])"
    assert not any(isinstance(s, Repeat) and histogram_of(s) for s in steps_of(source))
    x = np.random.default_rng(14).integers(1, 51, 40)
    assert np.array_equal(program(source)(x), program(source, "interpret")(x))


# Contractions inside loops over rows

NEAREST = """\
tol x: R [n,d]
tol c: R [k,d]
distance(i,j) = reduce(map(x[i], (* - c[j,*])^2), add, 0)
nearer(s, e) = if e[1]' < s[1]' then e else s
y := map(tol[n], reduce(map(tol[k], (distance(i,j), j), j), nearer, (+Inf,0))[2]', i)
"""
LEAST = """\
tol x: R [n,d]
tol c: R [k,d]
distance(i,j) = reduce(map(x[i], (* - c[j,*])^2), add, 0)
least(row) = reduce(row, (s,e) -> { k = reduce(map(s, * <= e), add, 0); [s[1:k], e, s[k+1:]][1:3] }, map(tol[3], Inf))
y := map(tol[n], least(map(tol[k], distance(i,j), j)), i)
"""


def test_contraction_leaves_its_loop() -> None:
    assert any(contraction_of(s) is not None for s in steps_of(NEAREST) if isinstance(s, Nest))


@pytest.mark.parametrize(("n", "k"), [(0, 3), (1, 3), (17, 40), (33000, 131), (40, 300000)])
def test_nearest(n: int, k: int) -> None:
    generator = np.random.default_rng(15)
    x, c = generator.integers(0, 99, (n, 2)), generator.integers(0, 99, (k, 2))
    squares = sum((x[:, None, axis] - c[None, :, axis]) ** 2 for axis in range(2))
    assert np.array_equal(program(NEAREST)(x, c), np.argmin(squares, 1) + 1)
    assert np.array_equal(program(LEAST)(x, c), np.sort(np.partition(squares, 2, 1)[:, :3], 1))
