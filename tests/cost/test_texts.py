"""Formulas as text: what is printed means what it was printed from, so that different formulas never look alike.

Every text is read again by an evaluator of its own (`reading_formulas`) and held against the value.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cost.reading_formulas import TOGETHER, read
from tests.cost.summands import Drawn, summands

import tolang
from tolang.ground.symbolic.sizes import Size, floor_division
from tolang.ground.symbolic.sums import Sum, sum_over, utmost
from tolang.readings.cost.abbreviations import Abbreviations
from tolang.readings.cost.formula import Formula, product_text
from tolang.readings.cost.terms import spelled

SIZES = st.fixed_dictionaries({"n": st.integers(1, 5), "m": st.integers(1, 5)})


@st.composite
def formulas(draw: st.DrawFn) -> Drawn:
    """Sums and greatest values over iterators as the checker names them, some of one name, beside and in each other."""
    outer, inner = draw(st.sampled_from([("i.1", "i.2"), ("i.1", "j.2"), ("n.3", "i.4"), ("i.7", "i_2.8")]))
    body = draw(summands(("n", outer, inner), 1))
    kind = draw(st.sampled_from(["sum", "max", "min"]))
    upper = draw(st.sampled_from([Size.of("n"), Size.of(outer), Size.of("m")]))
    beside = draw(summands(("m", outer), 1))

    def value(names: Any) -> Any:
        total = 0
        for i in range(1, names["n"] + 1):
            here = {**names, outer: i}
            values = [body.value({**here, inner: j}) for j in range(1, here.get(upper.name, i) + 1)]
            total += TOGETHER[kind](values) + beside.value(here)
        return total * names["m"] + beside.value({**names, outer: 1})

    found = sum_over(body.size, inner, upper) if kind == "sum" else utmost(kind, body.size, inner, upper)
    whole = sum_over(found + beside.size, outer, Size.of("n")) * Size.of("m")
    return Drawn(whole + beside.size.substitute({outer: Size.of(1)}), value)


@given(formulas(), SIZES)
def test_a_formula_means_what_it_says(formula: Drawn, sizes: dict[str, int]) -> None:
    text = str(Formula(formula.size))
    assert "." not in text.replace("..", "")
    assert read(text)(sizes) == formula.value(sizes)


@given(formulas(), SIZES)
def test_so_does_a_line_of_a_derivation(formula: Drawn, sizes: dict[str, int]) -> None:
    text = spelled(formula.size, {"n": "n", "m": "m"})
    assert "." not in text.replace("..", "")
    assert read(text)(sizes) == formula.value(sizes)


@given(formulas(), SIZES)
def test_so_does_a_formula_with_names_for_its_parts(formula: Drawn, sizes: dict[str, int]) -> None:
    short = Abbreviations(["n", "m"])
    text = short.text(formula.size)
    known: dict[str, Any] = dict(sizes)
    waiting = dict(short.meanings)
    while waiting:
        for name, meaning in list(waiting.items()):
            if set(waiting) & set(re.findall(r"\w+", meaning)) <= set():
                known[name] = read(f"({meaning})" if meaning.startswith("if ") else meaning)(known)
                del waiting[name]
    assert read(text)(known) == formula.value(sizes)


@given(summands(("n", "m"), 2), SIZES)
def test_a_size_means_what_it_says(formula: Drawn, sizes: dict[str, int]) -> None:
    for text in (str(formula.size), product_text(formula.size), spelled(formula.size)):
        assert read(text)(sizes) == formula.value(sizes)


def test_halves_and_thirds_do_not_look_alike() -> None:
    source = "tol x: R [n]\nr := map(x, reduce(x[1:floor(i/{})], add, 0), i)"
    texts = {str(tolang.compile(source.format(k)).cost().eops) for k in (2, 3, 4)}
    assert texts == {f"sum(i=1..n, floor(i/{k}))" for k in (2, 3, 4)}
    lines = tolang.compile(source.format(2)).cost(n=30).derivation().splitlines()
    assert lines[-2:] == ["=sum(i=1..30,floor(i/2))", "=225"]


def test_sums_in_each_other_have_iterators_of_their_own() -> None:
    halves = Sum("i.2", Size.of("i.1"), floor_division(Size.of("i.2") + Size.of("i.1"), Size.of(2)))
    whole = Formula(sum_over(Size.atom(halves), "i.1", Size.of("n")))
    assert str(whole) == "sum(i=1..n, sum(i_2=1..i, floor((i + i_2)/2)))"
    beside = Formula(sum_over(floor_division(Size.of("i.3"), Size.of(2)), "i.3", Size.of("i")))
    assert str(beside) == "sum(i_2=1..i, floor(i_2/2))"


STATIC = [
    ("{ k = sqrt(n); 2*k }", "2*sqrt(n)"),
    ("sqrt(n) - (sqrt(n) - (n + 1))", "n + 1"),
    ("(sqrt(n) - 1)*2 - (3 - sqrt(n))", "3*sqrt(n) - 5"),
    ("n/(n + 1)*sqrt(n)", "n/(n + 1)*sqrt(n)"),
    ("{ k = sqrt(n); j = k*k; (j + 1)/2 }", "(sqrt(n)*sqrt(n) + 1)/2"),
    ("floor(sqrt(n)) + 0.5*sqrt(n)", "floor(sqrt(n)) + 0.5*sqrt(n)"),
    ("f(sqrt(n) + 1)", "(sqrt(n) + 1)*2 - 1"),
    ("log(n + 1, 2)*(sqrt(n) + 1)", "log(n + 1, 2)*(sqrt(n) + 1)"),
]


@pytest.mark.parametrize(("length", "meaning"), STATIC, ids=[length for length, _ in STATIC])
def test_lengths_that_are_no_polynomials(length: str, meaning: str) -> None:
    """Nothing but the length itself is floored, and its text says what it is."""
    source = f"tol x: R [n]\nf(v) = v*2 - 1\nr := reduce(tol[{length}], (s,t) -> s + 1, 0)"
    cost = tolang.compile(source).cost()
    for n in (3, 7, 50, 1000):
        expected = read(f"floor({meaning})")({"n": n})
        assert cost(n=n) == expected
        assert read(str(cost.eops))({"n": n}) == expected
