"""Steps that go to places of one state, on threads that have places of their own: what one after the other does."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.plans import optimise

import tolang
from tolang.engines.cpu.strategies.owned_places import BLOCK, LITTLE, PLACES
from tolang.ground.values.extremes import extremum
from tolang.idioms.histogram import histogram_of
from tolang.lower.steps import lower
from tolang.plan.nest import Repeat
from tolang.program import failures

INPUTS = "tol to: Z [n]\ntol from: Z [n]\ntol x: R [m]\ntol start: R [k]\n"
FOLDS = {
    "sums": "y := reduce(to, (s,t,i) -> put(s, t, s[t] + x[from[i]]), start)",
    "minima": "y := reduce(to, (s,t,i) -> put(s, t, min(s[t], x[from[i]] + 1)), start)",
}
ROWS = 5 * PLACES + 17
Arrays = tuple[Any, ...]


@cache
def program(fold: str, threads: int) -> tolang.Program:
    return tolang.compile(INPUTS + FOLDS[fold], engine="cpu", fallback=False, threads=threads)


def drawn(count: int, kind: str = "i8") -> Arrays:
    generator = np.random.default_rng(count)
    to = generator.integers(1, ROWS + 1, count).astype(kind)
    return to, generator.integers(1, 1001, count), generator.normal(size=1000), generator.normal(size=ROWS)


def wanted(fold: str, to: Any, source: Any, x: Any, start: Any) -> Any:
    y = start.copy()
    for place, value in zip(to.tolist(), x[source - 1].tolist(), strict=True):
        y[place - 1] = min(y[place - 1], value + 1) if fold == "minima" else y[place - 1] + value
    return y


@pytest.mark.parametrize("fold", FOLDS)
def test_rows_are_told_before_anything_else(fold: str) -> None:
    steps = optimise(lower(tolang.compile(INPUTS + FOLDS[fold]).core)).steps
    (found,) = [histogram_of(step) for step in steps if isinstance(step, Repeat)]
    assert found is not None
    assert found.row is not None


@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize("count", [LITTLE - 1, LITTLE, LITTLE + BLOCK // 2 + 3])
def test_every_place_is_changed_in_order(fold: str, count: int) -> None:
    data = drawn(count)
    expected = wanted(fold, *data)
    for threads in (1, 2, 3, 16):
        np.testing.assert_array_equal(program(fold, threads)(*data), expected)


@pytest.mark.parametrize("kind", ["u2", "i4", "u8"])
def test_places_of_any_whole_type(kind: str) -> None:
    data = drawn(LITTLE, kind)
    np.testing.assert_array_equal(program("sums", 3)(*data), wanted("sums", *data))


def test_all_steps_at_one_place() -> None:
    to, *others = drawn(LITTLE)
    for place in (1, ROWS):
        data = np.full_like(to, place), *others
        np.testing.assert_array_equal(program("sums", 4)(*data), wanted("sums", *data))


@pytest.mark.parametrize("place", [0, ROWS + 1, -(2**63), 2**63 - 1])
@pytest.mark.parametrize("which", [0, 1])
def test_what_is_not_there_is_an_error(place: int, which: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures, "EXPLAINED", 0)  # the interpreter is not asked what went wrong
    data = drawn(LITTLE)
    data[which][LITTLE - 5] = 1001 if (place, which) == (ROWS + 1, 1) else place
    told = set()
    for threads in (1, 4):
        with pytest.raises(tolang.ToLangRunError, match=r"is outside its ToL|too large") as error:
            program("sums", threads)(*data)
        told.add(str(error.value))
    assert len(told) == 1


@pytest.mark.parametrize("space", ["R", "f32", "Z"])
@pytest.mark.parametrize("function", ["min", "max"])
def test_what_leaves_an_element_as_it_is(function: str, space: str) -> None:
    """The greatest of all numbers is no less than any; NaN and zeros of both signs are not left out."""
    source = f"tol to: Z [n]\ntol x: {space} [n]\ntol start: {space} [k]\n"
    source += f"y := reduce(to, (s,t,i) -> put(s, t, {function}(s[t], x[i])), start)"
    generator, kind = np.random.default_rng(21), {"R": "f8", "f32": "f4", "Z": "i8"}[space]
    ends = np.iinfo("i8")
    special = [ends.min, ends.max] if space == "Z" else [np.inf, -np.inf, np.nan, 0.0, -0.0]
    for places, count in ((ROWS, LITTLE + 5), (7, 300)):
        to = generator.integers(1, places + 1, count)
        some = generator.integers(-3, 4, count).astype(kind)
        x = np.where(generator.random(count) < 0.7, generator.choice(np.array(special, kind), count), some)
        start = generator.choice(np.array([*special, *range(-2, 3)], kind), places)
        expected = start.copy()
        for place, value in zip(to.tolist(), x, strict=True):
            expected[place - 1] = extremum(function, expected[place - 1 : place], np.array([value]))[0]
        for threads in (1, 3):
            found = np.asarray(tolang.compile(source, engine="cpu", fallback=False, threads=threads)(to, x, start))
            assert np.array_equal(np.isnan(found), np.isnan(expected))
            assert found[~np.isnan(found)].tobytes() == expected[~np.isnan(expected)].tobytes()


@pytest.mark.parametrize("place", [0, ROWS + 1])
def test_what_would_change_nothing_is_checked(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    to, source, x, start = drawn(LITTLE + 9)
    x[:], to[777] = np.inf, place
    monkeypatch.setattr(failures, "EXPLAINED", 0)  # what went wrong is told by the code itself
    for threads in (1, 2):
        with pytest.raises(tolang.ToLangError, match="E513"):
            program("minima", threads)(to, source, x, start)


def test_elements_that_are_named_after_the_old_one() -> None:
    """What comes to a place is told before the old element, or after it."""
    source = "y := reduce(to, (s,t,i) -> { old = s[t]; new = x[from[i]] + 1; put(s, t, min(old, new)) }, start)"
    data = drawn(LITTLE + 3)
    data[2][::3] = np.inf
    for threads in (1, 2):
        found = tolang.compile(INPUTS + source, engine="cpu", fallback=False, threads=threads)(*data)
        np.testing.assert_array_equal(found, wanted("minima", *data))


@pytest.mark.compiled("full")
def test_elements_that_stay_are_not_read() -> None:
    """Places of a state that lies far away take time, unless nothing goes there."""
    generator, places = np.random.default_rng(22), 1 << 20
    to, source = generator.integers(1, places + 1, 1 << 20), np.ones(1 << 20, np.int64)
    start = np.zeros(places)

    def taken(x: float) -> float:
        times = []
        for _ in range(5):
            begun = time.thread_time()
            program("minima", 1)(to, source, np.array([x]), start)
            times.append(time.thread_time() - begun)
        return min(times)

    taken(np.inf)
    assert taken(np.inf) < 0.75 * taken(1.0)
