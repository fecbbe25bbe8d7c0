"""Numbers in generated places: every function on drawn storages and values, and arithmetic that is never fused.

Each case compiles a program, so that few are drawn for `make test` and many for `make fuzz`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.function_edges import Array, Kinds, differing, edges, expected, functions_on, result_of, told
from tests.engines.functions_judge import KINDS, is_whole
from tests.engines.test_function_table import compiled, interpreted, source
from tests.properties.expressions import Draw

import tolang
from tolang.ground.dataclasses import dataclass

FEW, SOME = (max(2, settings().max_examples // part) for part in (50, 20))


def drawn_bits(kind: str, count: int, generator: np.random.Generator) -> Array:
    """Any bit patterns of a kind."""
    if kind == "bool":
        return generator.integers(0, 2, count).astype(bool)
    whole = f"u{np.dtype(KINDS[kind]).itemsize}"
    return generator.integers(0, np.iinfo(whole).max, count, dtype=whole, endpoint=True).view(KINDS[kind])


def drawn(kind: str, generator: np.random.Generator, count: int = 150) -> Array:
    """Edges, small numbers and any bits of a kind, in some order."""
    with np.errstate(all="ignore"):
        small = generator.normal(size=count) * 10 if not is_whole(kind) else generator.integers(0, 9, count)
        parts = [generator.choice(edges(kind), count), small.astype(KINDS[kind]), drawn_bits(kind, count, generator)]
    return np.asarray(generator.permutation(np.concatenate(parts)))


@settings(max_examples=FEW)
@given(st.sampled_from(sorted(KINDS)), st.sampled_from(sorted(KINDS)), st.integers(0, 2**32), st.booleans())
def test_functions_on_any_storages(first: str, second: str, seed: int, strict: bool) -> None:
    """The interpreter as the judge says, compiled code as the interpreter."""
    kinds: Kinds = (first, second)
    generator = np.random.default_rng(seed)
    arrays = [drawn(kind, generator) for kind in kinds]
    functions = [(f, kinds[:1]) for f in functions_on(kinds[:1])] + [(f, kinds) for f in functions_on(kinds)]
    allowed = []
    wanted: dict[str, Array] = {}
    for function, own in functions:
        result = result_of(function, own)
        assert result is not None
        values, refused = expected(function, arrays[: len(own)], own, result)
        found, told_off = interpreted(function, arrays[: len(own)], own)
        assert np.array_equal(refused, told_off), (kinds, function)
        places = differing(function, found, values)
        assert not places.size, (kinds, told(function, arrays, found, values, places))
        allowed.append(~refused)
        wanted[f"{function}{len(own)}"] = found
    results = compiled(source(functions, kinds, "[n]", "[i]"), strict)(*arrays, *allowed)
    for name, found in results.items():
        places = differing(name[:-1], found, wanted[name])
        assert not places.size, (kinds, strict, told(name, arrays, found, wanted[name], places))


@dataclass(frozen=True)
class Formula:
    """An expression of x, y and z, and what it gives, rounded after every function."""

    text: str
    value: Callable[[dict[str, Array]], Array]


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
}  # fmt: skip


def _binary(sign: str, one: Formula, two: Formula) -> Formula:
    return Formula(f"({one.text} {sign} {two.text})", lambda known: BINARY[sign](one.value(known), two.value(known)))


def _root(one: Formula) -> Formula:
    return Formula(f"sqrt(abs({one.text}))", lambda known: np.sqrt(np.abs(one.value(known))))


def _choice(test: Formula, one: Formula, two: Formula) -> Formula:
    text = f"(if {test.text} < 0 then {one.text} else {two.text})"
    return Formula(text, lambda known: np.where(test.value(known) < 0, one.value(known), two.value(known)))


def _square(one: Formula) -> Formula:
    return Formula(f"({one.text})^2", lambda known: one.value(known) * one.value(known))


def _named(name: str) -> Formula:
    return Formula(name, lambda known: known[name])


@st.composite
def formulas(draw: Draw, depth: int = 4) -> Formula:
    """Sums, differences, products, quotients, roots, squares and choices; products meet sums most often."""
    if depth == 0 or (depth < 3 and draw(st.integers(0, 3)) == 0):
        return _named(draw(st.sampled_from("xyz")))
    form = draw(st.sampled_from(["binary"] * 5 + ["root", "square", "choice"]))
    inner = formulas(depth - 1)
    if form == "root":
        return _root(draw(inner))
    if form == "square":
        return _square(draw(inner))
    if form == "choice":
        return _choice(draw(inner), draw(inner), draw(inner))
    return _binary(draw(st.sampled_from(["+", "-", "*", "*", "-", "/"])), draw(inner), draw(inner))


PLACES = {
    "a map": "map(tol[n,m], {}, [i,j])",
    "after a product": "map(tol[n,m], {{ x = reduce(map(a[i], * * b[*,j]), add, 0); {} }}, [i,j])",
    "the term of a fold": "map(tol[n,m], reduce(tol[1], (s,k) -> s + ({} + 0), 0), [i,j])",
    "a row": "map(tol[n], map(tol[m], {}, j), i)",
}


@settings(max_examples=SOME)
@given(formulas(), st.sampled_from(["f32", "f64"]), st.integers(0, 2**32))
def test_nothing_is_fused_but_sums_of_folds(formula: Formula, kind: str, seed: int) -> None:
    """Arithmetic is rounded after every function, wherever it stands, although the mode is not strict."""
    generator = np.random.default_rng(seed)
    x, y, z = (generator.normal(size=(7, 21)).astype(KINDS[kind]) for _ in range(3))
    y[::2] = x[::2]  # so that differences of products vanish, or would
    known = {"x": x, "y": y, "z": z}
    body = re.sub(r"\b([xyz])\b", r"\1_[i,j]", formula.text)
    lines = [f"tol {name}_: {kind} [n,m]" for name in "xyz"] + [f"tol a: {kind} [n,k]", f"tol b: {kind} [k,m]"]
    for number, (place, form) in enumerate(PLACES.items()):
        inner = body.replace("x_[i,j]", "x") if place == "after a product" else body
        lines.append(f"r{number} := {form.format(inner)}")
    program = tolang.compile("\n".join(lines), engine="cpu", fallback=False)
    with np.errstate(all="ignore"):
        wanted = formula.value(known).astype(KINDS[kind])
    for name, found in program(x, y, z, x, np.eye(21, dtype=KINDS[kind])).items():
        one, two = (array.ravel() + KINDS[kind](0) for array in (found, wanted))  # the sum of a fold from 0 has no -0
        places = differing("", one, two)
        assert not places.size, (name, told(formula.text, [x.ravel(), y.ravel(), z.ravel()], one, two, places))


@pytest.mark.parametrize("sign", sorted(BINARY))
def test_formulas_are_as_they_are_written(sign: str) -> None:
    """The evaluator itself, at numbers that need no rounding."""
    known = {"x": np.array([6.0]), "y": np.array([3.0]), "z": np.array([-2.0])}
    formula = _choice(_named("z"), _binary(sign, _named("x"), _square(_named("y"))), _named("z"))
    assert formula.value(known).tolist() == [eval(f"6.0 {sign} 9.0")]
