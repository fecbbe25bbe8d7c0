"""Declarations in all formats of section 4.1 of the paper, definitions, and whole listings."""

from __future__ import annotations

import pytest
from tests.syntax.listings import DESIGN, PAPER
from tests.syntax.outline import of_program

from tolang.ground.reporting.diagnostics import Source
from tolang.syntax import tree
from tolang.syntax.parser import parse

STATEMENTS = {
    "space byte: N [0,255]": "(space byte N 0 255)",
    "space unit: R [-1, 1/2]": "(space unit R (- 1) (/ 1 2))",
    "space positive: R+": "(space positive R+ _ _)",
    "list p: q": "(list p alone q)",
    "list p: R*": "(list p alone R*)",
    "list p: [S, N*], R": "(list p S N* R)",
    "list p: [S, N*, R]": "(list p S N* R)",
    "list p: [S], Z-": "(list p S Z-)",
    "list person: [name: S, age: N*]": "(list person name:S age:N*)",
    "tol a: R": "(tol a R)[]",
    "tol a: N*": "(tol a N*)[]",
    "tol a: R [n]": "(tol a R)[n]",
    "tol a: N* [n]": "(tol a N*)[n]",
    "tol a: R+[3, 4]": "(tol a R+)[3 4]",
    "tol a: R [N*2, k]": "(tol a R)[(* N 2) k]",
    "tol a: person": "(tol a person)[]",
    "tol a: person [n, 2*k, m]": "(tol a person)[n (* 2 k) m]",
    "tol a: [S, N*] [n]": "(tol a S N*)[n]",
    "tol a: [name: S, age: N]": "(tol a name:S age:N)[]",
    "tol result = [n,m]": "(shape result (blocks n m))",
    "tol result = shape": "(shape result shape)",
    "tol result = |t|": "(shape result (shape t))",
    "use linalg": "(use linalg)",
    "v = 1": "(= v 1)",
    "v := 1": "(:= v 1)",
    "f(x, y) = x": "(= (f x y) x)",
    "f() = 1": "(= (f) 1)",
    "pool(x, k, s=1) := x": "(:= (pool x k s=1) x)",
    "associative merge(a,b) = a": "(associative = (merge a b) a)",
    "derivative f(a,d) = a": "(= (f' a d) a)",
    "f(x) = { m = x; m }": "(= (f x) (block (= m x) m))",
    "x = f(a == b)": "(= x (call f (== a b)))",
}


@pytest.mark.parametrize(("text", "expected"), STATEMENTS.items())
def test_statements(text: str, expected: str) -> None:
    assert of_program(text) == expected


@pytest.mark.parametrize(
    "space",
    ["B", "N", "N*", "Z", "Z*", "Z+", "Z-", "Q", "Q*", "Q+", "Q-", "R", "R*", "R+", "R-", "I", "C", "f32", "S", "byte"],
)
def test_every_space_can_be_declared(space: str) -> None:
    assert of_program(f"tol a: {space} [n]; list l: [{space}, {space}], {space}; space s: {space}") == (
        f"(tol a {space})[n] (list l {space} {space} {space}) (space s {space} _ _)"
    )


def test_the_names_of_a_definition_have_places() -> None:
    (definition,) = parse(Source("test", "  associative merge(a, b) = a")).statements
    assert isinstance(definition, tree.Definition)
    assert definition.id_span.text == "merge"
    assert definition.span.text == "associative merge(a, b) = a"


@pytest.mark.parametrize("text", [*DESIGN, *PAPER])
def test_listings_parse(text: str) -> None:
    assert parse(Source("listing", text)).statements
