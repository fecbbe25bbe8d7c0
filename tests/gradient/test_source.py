"""Gradients as ToLang: what is printed is formatted, parses back to the same core, and gives the same values."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.rows import gradients as rows
from tests.gradient.judging import numbers, results
from tests.gradient.sameness import read_again, told
from tests.gradient.test_rules import PROGRAMS, data_for, reals

import tolang
from tolang.core.source import print_source

pytestmark = pytest.mark.sampled(4)

SIZES = {"n": 3, "m": 2, "k": 4}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_and_their_gradients_are_the_same_again(name: str) -> None:
    by = reals(PROGRAMS[name])
    first = tolang.compile(PROGRAMS[name], engine="interpret").pullback("y", by)
    read_again(first)
    of = [f"d_{one}" for one in by]
    names = {one: f"d_{one}" for one in of} | {one: f"dd_{one}" for one in by}
    read_again(first.pullback(of, by, names=names))


@pytest.mark.parametrize("name", ["windows", "min-plus", "a fold of lists", "elements overwritten", "a filter"])
def test_printed_gradients_give_the_same(name: str) -> None:
    program = tolang.compile(PROGRAMS[name], engine="interpret").pullback("y", reals(PROGRAMS[name]))
    again = read_again(program)
    assert list(again.inputs) == list(program.inputs)
    given = data_for(PROGRAMS[name], SIZES)
    drawn = {
        one: numbers(*(int(length.evaluate(SIZES)) for length in kind.shape), seed=seed)
        for seed, (one, kind) in enumerate(program.inputs.items())
        if one not in given
    }
    found, expected = results(again, drawn | given), results(program, drawn | given)
    assert found.keys() == expected.keys()
    for one, value in expected.items():
        np.testing.assert_allclose(found[one], value, rtol=1e-12, atol=1e-12)


LOSSES = {
    name: text.replace("{stride}", "2") for name, text in vars(rows).items() if name.isupper() and isinstance(text, str)
}


@pytest.mark.parametrize("name", LOSSES)
def test_gradients_of_losses_are_the_same_again(name: str) -> None:
    """Layers, sequences and mixtures in single precision and in double."""
    program = tolang.compile(LOSSES[name], engine="interpret")
    read_again(program.gradient("loss", reals(LOSSES[name]), value=True))


def test_what_differs_is_told() -> None:
    """Another order of operands, another length or another space is another core; another name is not."""
    cores = [
        told(tolang.compile(f"tol x: {space} [n]\n{line}").core)
        for space, line in (
            ("R", "y := map(x, * - 1)"),
            ("R", "y := map(tol[n], x[k] - 1, k)"),
            ("R", "y := map(x, 1 - *)"),
            ("R", "y := map(tol[n], x[n] - 1)"),
            ("f32", "y := map(x, * - 1)"),
        )
    ]
    assert cores[0] == cores[1]
    assert len({tuple(one) for one in cores}) == 4


POWERS_OF_TWO = """
tol x: R [n]
half = |tol[2^(floor(log(n,2)) - 1)]|[1]
first = map(tol[half], x[i]^2, i)
loss := sum(reduce(tol[half], (s,e,j) -> map(tol[half], s[i] * first[half-j+1], i), first))
"""


def test_lengths_that_are_computed_are_measured_once() -> None:
    """A length is one again, and not a number of which every use makes another length."""
    gradient = tolang.compile(POWERS_OF_TWO).gradient("loss", "x")
    again = read_again(gradient)
    x = np.arange(1.0, 12.0)
    np.testing.assert_array_equal(again(x), gradient(x))


@pytest.mark.parametrize(
    "text",
    [
        "tol q: R [n]\nspace byte: N [0,255]\nz := convert(q, [byte])",
        "list way: [length: R]\ntol x: way [n]\ny := reduce(map(x, *[1]'), add, 0)\nd := x",
        "tol x: [R,R] [n]\nlist p: [length: R, size: R]\nz := convert(x, [p])\ny := convert(x, [p])[size]'",
        "tol x: [R,R] [n]\nspace unit: R [0,1]\nlist p: [length: unit, unit]\nz := convert(x, [p])",
    ],
)
def test_lists_and_spaces_are_written_as_they_are_read(text: str) -> None:
    before = tolang.compile(text, engine="interpret")
    after = tolang.compile(print_source(before.core), engine="interpret")
    assert {name: str(kind) for name, kind in after.inputs.items()} == {n: str(k) for n, k in before.inputs.items()}
    assert {name: str(kind) for name, kind in after.outputs.items()} == {n: str(k) for n, k in before.outputs.items()}
