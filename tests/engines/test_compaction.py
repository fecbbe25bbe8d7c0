"""Folds that append what passes a test: pieces on all threads keep what one thread keeps, in its order."""

from __future__ import annotations

import numpy as np
import pytest

import tolang

CHOSEN = """\
tol k: Z [n]
tol x: R [n]
r := reduce(x, (s,t,i) -> if t < 0.5 then [s, t*2 + k[i]] else s, {start})
"""
SIZES = (0, 1, 5, 16_384, 32_767, 32_768, 40_001, 300_007)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("start", ["tol[0]", "[1.5,2.5]"])
def test_elements_are_kept_in_their_order(threads: int, start: str) -> None:
    program = tolang.compile(CHOSEN.format(start=start), engine="cpu", fallback=False, threads=threads)
    assert "by compaction" in program.explain().full
    generator = np.random.default_rng(threads)
    before = [] if start == "tol[0]" else [1.5, 2.5]
    for n in SIZES:
        k = generator.integers(0, 9, n)
        uneven = np.where(np.arange(n) < n // 3, 0.1, 0.9)
        for x in (generator.random(n), np.zeros(n), np.ones(n), uneven, uneven[::-1].copy(), np.full(n, np.nan)):
            np.testing.assert_array_equal(program(k, x), [*before, *(x * 2 + k)[x < 0.5]])


def test_records_are_kept_whole() -> None:
    source = "tol x: R [n]\nr := reduce(x, (s,t,i) -> if t > 0.25 then [s,(t,i)] else s, map(tol[0], (0.0,0)))"
    program = tolang.compile(source, engine="cpu", fallback=False, threads=4)
    assert "by compaction" in program.explain().full
    x = np.random.default_rng(1).random(100_000)
    values, places = program(x).columns
    np.testing.assert_array_equal(values, x[x > 0.25])
    np.testing.assert_array_equal(places, np.flatnonzero(x > 0.25) + 1)


@pytest.mark.parametrize(
    "step",
    [
        "if t > 0.5 then [s, t + |s|[1]] else s",  # what is written depends on how many there are
        "if t > 0.5 and |s|[1] < 9 then [s,t] else s",  # so does whether it is
        "if sin(t) > 0.25 then [s,t] else s",  # to be computed twice would take long
    ],
)
def test_others_go_step_after_step(step: str) -> None:
    source = f"tol x: R [n]\nr := reduce(x, (s,t) -> {step}, tol[0])"
    program = tolang.compile(source, engine="cpu", fallback=False, threads=3)
    assert "by compaction" not in program.explain().full
    x = np.random.default_rng(2).random(3_000)
    judge = tolang.compile(source, engine="interpret")
    np.testing.assert_allclose(program(x), judge(x), rtol=1e-15)


def test_what_may_fail_fails_where_it_is_first() -> None:
    """A place that is not there is the error of the element that asks for it, whatever pieces come after."""
    source = "tol v: R [m]\ntol p: N [n]\nr := reduce(p, (s,e) -> if v[e] > 0 then [s,e] else s, tol[0])"
    program = tolang.compile(source, engine="cpu", fallback=False, threads=3)
    v, places = np.array([1.0, -1.0, 2.0]), np.tile([1, 2, 3], 20_000)
    np.testing.assert_array_equal(program(v, places), places[places != 2])
    places[50_000] = 4
    with pytest.raises(tolang.ToLangRunError) as caught:
        program(v, places)
    assert caught.value.code == "E513"
