"""Tallies at places that reals tell, against NumPy; a real outside the state is an error, as for the interpreter."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.plans import optimise

import tolang
from tolang.engines.cpu.runtime.native import use_threads
from tolang.engines.cpu.strategies.histogram import BLOCK
from tolang.ground.reporting.diagnostics import ToLangRunError
from tolang.idioms.histogram import histogram_of
from tolang.lower.steps import lower
from tolang.plan.grain import HISTOGRAM_PIECE
from tolang.plan.nest import Repeat
from tolang.program.failures import EXPLAINED

BINS = 64
PLACES = {
    "counts": "1 + convert(floor(e * 64), [Z])",
    "counts, shifted behind": "convert(floor(e * 64 - 3), [Z]) + 4",
    "counts, not shifted": "convert(floor(e * 64 + 1), [Z])",
}
WEIGHTED = "reduce(x, (s,e) -> put(s, bin(e), s[bin(e)] + e), map(tol[64], 0.0))"


def source(place: str, space: str, fold: str = "reduce(x, (s,e) -> put(s, bin(e), s[bin(e)] + 1), tol[64])") -> str:
    return f"tol x: {space} [n]\nbin(e) = {place}\ny := {fold}"


@cache
def program(text: str) -> tolang.Program:
    return tolang.compile(text, engine="cpu", fallback=False)


def drawn(length: int, space: str) -> np.ndarray[tuple[int], np.dtype[np.floating]]:
    """Numbers from 0 to 1 of 12 bits, with which 32 bits compute exactly."""
    return (np.random.default_rng(length).integers(0, 4096, length) / 4096).astype(
        "float32" if space == "f32" else "float64"
    )


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("space", ["f32", "f64"])
def test_places_are_recognised(place: str, space: str) -> None:
    repeats = [
        s for s in optimise(lower(tolang.compile(source(PLACES[place], space)).core)).steps if isinstance(s, Repeat)
    ]
    tallies = [histogram_of(repeat) for repeat in repeats]
    assert [tally is not None and tally.level is not None for tally in tallies] == [True]


@pytest.mark.parametrize(
    "length", [0, 1, BLOCK, 2 * HISTOGRAM_PIECE - 1, 2 * HISTOGRAM_PIECE, 2 * HISTOGRAM_PIECE + BLOCK + 1]
)
@pytest.mark.parametrize("space", ["f32", "f64"])
@pytest.mark.parametrize("place", PLACES)
def test_counts(place: str, space: str, length: int) -> None:
    x = drawn(length, space)
    found = program(source(PLACES[place], space))(x=x)
    assert np.array_equal(found, np.bincount((x * 64).astype(int), minlength=BINS))


def test_sums_by_place() -> None:
    x = drawn(2 * HISTOGRAM_PIECE + 5, "f64")
    wanted = np.bincount((x * 64).astype(int), x, BINS)
    # sums of 16,000 elements each, in pieces: a few units in the last place
    assert np.allclose(program(source(PLACES["counts"], "f64", WEIGHTED))(x=x), wanted, rtol=1e-12)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (-1e-9, "a coordinate is outside its ToL"),
        (1.0, "a coordinate is outside its ToL"),
        (np.nan, "convert is outside its range"),
        (-np.inf, "convert is outside its range"),
        (1e30, "convert is outside its range"),
    ],
)
def test_outside_is_an_error(value: float, message: str) -> None:
    x = drawn(EXPLAINED // 3 + HISTOGRAM_PIECE, "f32")  # so many that the interpreter is not asked what went wrong
    x[HISTOGRAM_PIECE + 3] = value
    with pytest.raises(ToLangRunError, match=message):
        program(source(PLACES["counts"], "f32"))(x=x)


def test_the_ends_are_inside() -> None:
    x = drawn(2 * HISTOGRAM_PIECE, "f64")
    x[5], x[-1] = 0.0, np.nextafter(1.0, 0)
    assert np.array_equal(
        program(source(PLACES["counts"], "f64"))(x=x), np.bincount((x * 64).astype(int), minlength=BINS)
    )


MEANS = """
tol l: N* [n]
tol x: R [n]
tol m: N
r = reduce(tol[n], (s,e,k) -> put(s, l[k], (s[l[k]][1]' + x[k], s[l[k]][2]' + 1)), map(tol[m], (0.0,0)))
sums := r[1]'
counts := r[2]'
"""


@pytest.mark.parametrize(
    ("length", "places"),
    [(0, 5), (3, 1), (2 * HISTOGRAM_PIECE - 1, 7), (5 * HISTOGRAM_PIECE + 3, 900), (HISTOGRAM_PIECE, HISTOGRAM_PIECE)],
)
def test_sums_and_counts_are_a_histogram_each(length: int, places: int) -> None:
    """On any number of threads the same bits, which are those of the sums alone."""
    generator = np.random.default_rng(length)
    labels, x = generator.integers(1, places + 1, length), generator.normal(size=length)
    wanted = [np.bincount(labels - 1, x, places), np.bincount(labels - 1, minlength=places)]
    found = []
    for threads in (1, 2, 3, 8):
        with use_threads(threads):
            found.append(program(MEANS)(l=labels, x=x, m=np.array(places)))
    assert all(np.array_equal(one["counts"], wanted[1]) for one in found)
    assert all(np.array_equal(one["sums"], found[0]["sums"]) for one in found)
    assert np.allclose(found[0]["sums"], wanted[0], rtol=1e-10, atol=1e-12)


def test_states_that_tell_something_of_each_other_go_together() -> None:
    """What one state is decides what the other becomes: no histograms."""
    text = """
    tol l: N* [n]
    r = reduce(l, (s,e) -> put(s, e, (s[e][1]' + 1, s[e][2]' + s[e][1]')), map(tol[3], (0,0)))
    a := r[1]'
    b := r[2]'
    """
    found = program(text)(l=np.array([1, 1, 3, 1, 3]))
    assert (found["a"].tolist(), found["b"].tolist()) == ([3, 0, 2], [3, 0, 1])


def test_outside_two_states_is_an_error() -> None:
    with pytest.raises(ToLangRunError, match="coordinate 4 is outside"):
        program(MEANS)(l=np.array([1, 4]), x=np.ones(2), m=np.array(3))
