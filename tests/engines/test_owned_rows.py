"""Steps that each change one row: threads with rows of their own do what one after the other does."""

from __future__ import annotations

import numpy as np
import pytest

import tolang

SOURCE = """\
tol start: R [k,d]
tol x: R [n,d]
tol place: Z [n]
r := reduce(place, (s,e,i) -> [[s[1:e-1]], [map(s[e], (v,a) -> {step})], [s[e+1:]]], start)
"""


@pytest.mark.parametrize("step", ["v + x[i,a]", "v / 2 + x[i,a]", "x[i,a]", "max(v, x[i,a])"])
@pytest.mark.parametrize("threads", [1, 3])
def test_rows_are_changed_in_order(step: str, threads: int) -> None:
    program = tolang.compile(SOURCE.format(step=step), fallback=False, threads=threads)
    assert "by owned rows" in program.explain().full
    generator = np.random.default_rng(1)
    for n, k, d in ((0, 3, 4), (5, 1, 1), (700, 37, 65)):
        start, x = generator.normal(size=(k, d)), generator.normal(size=(n, d))
        places = generator.integers(1, k + 1, n)
        wanted = start.copy()
        for i, e in enumerate(places - 1):
            own = {"v + x[i,a]": wanted[e] + x[i], "v / 2 + x[i,a]": wanted[e] / 2 + x[i], "x[i,a]": x[i]}
            wanted[e] = own[step] if step in own else np.maximum(wanted[e], x[i])
        np.testing.assert_array_equal(program(start, x, places), wanted)


def test_a_row_that_is_not_there_is_an_error() -> None:
    program = tolang.compile(SOURCE.format(step="v + x[i,a]"), fallback=False, threads=3)
    start, x, places = np.zeros((40, 70)), np.ones((900, 70)), np.ones(900, int)
    places[777] = 41
    with pytest.raises(tolang.ToLangRunError) as compiled:
        program(start, x, places)
    with pytest.raises(tolang.ToLangRunError) as interpreted:
        tolang.compile(SOURCE.format(step="v + x[i,a]"), engine="interpret")(start, x, places)
    assert compiled.value.code == interpreted.value.code


def test_steps_that_read_other_rows_go_one_after_the_other() -> None:
    program = tolang.compile(SOURCE.format(step="v + s[1,a]"), fallback=False)
    assert "by owned rows" not in program.explain().full
    start, x, places = np.ones((3, 2)), np.zeros((4, 2)), np.array([1, 2, 1, 3])
    np.testing.assert_array_equal(program(start, x, places), [[4, 4], [3, 3], [5, 5]])


GATHERED = "tol table: R [v,d]\ntol tokens: Z [n]\nr := sum(map(tol[n,d], table[tokens[i],j]^2, [i,j]))"


def test_what_a_row_reads_is_checked_once_before_it() -> None:
    """A place that is not there is an error where a row has elements, and where it has none nobody looks."""
    program = tolang.compile(GATHERED, fallback=False)
    generator = np.random.default_rng(2)
    for d in (1, 7, 64, 131):
        table, tokens = generator.normal(size=(9, d)), generator.integers(1, 10, 50)
        np.testing.assert_allclose(program(table, tokens), (table[tokens - 1] ** 2).sum(), rtol=1e-12)
        tokens[17] = 0
        with pytest.raises(tolang.ToLangRunError) as raised:
            program(table, tokens)
        with pytest.raises(tolang.ToLangRunError) as expected:
            tolang.compile(GATHERED, engine="interpret")(table, tokens)
        assert raised.value.code == expected.value.code
    assert program(np.zeros((9, 0)), np.array([0, 55])) == 0
