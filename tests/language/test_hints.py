"""Ways out: names of Python and NumPy lead to ToLang's, modules to `use`, and one statement tells all that is wrong."""

from __future__ import annotations

import re

import pytest

import tolang
from tolang.check.forms import FORMS
from tolang.check.hints import FOREIGN
from tolang.check.library import library_names, library_sheets
from tolang.ground.functions import FUNCTIONS

FIXES = {
    "y := matmul([[1]], [[2]])": "use linalg",
    "y := np.dot([1], [2])": "dot alone",
    "y := np.zeros(3)": "tol[n,m]",
    "y := torch.matmul([[1]], [[2]])": "use linalg",
    "y := math.sqrt(2)": "sqrt alone",
    "y := nan": "NaN",
    "y := -inf": "Inf",
    "y := True": "true",
    "y := None": "no missing value",
    "v = [1,2]\ny := len(v)": "|v|[1]",
    "tol x: R [n]\ny := x.shape": "|t|",
    "tol x: R [n,m]\ny := x.T": "transpose(t)",
    "tol x: R [n]\ny := x.sum()": "sum(t)",
    "y := sum([1,2], axis=0)": "axis=1",
    "y := sum([1,2], axis=-1)": "axis=||x||",
    "y := [1,2][0]": "start at 1",
    "tol x: R [n]\ny := x[0]": "start at 1",
    "tol x: R [n]\ny := x[-1]": "v[|v|[1]]",
    "y := 2 ** 3": "x ^ y",
    "y := 7 // 2": "floor(x / y)",
    "y := map([1,2], (7 // 2) + *)": "floor(x / y)",
    "f(x) = np.dot(x, x)\ny := 1": "dot alone",
    "y == 3": "`=` to define",
    "for i in x": "map(t, …)",
    "y := [i for i in x]": "map(t, …)",
    "def f(x): return x": "f(x, y) = …",
    "y := lambda x: x": "x -> …",
    "y := 5 mod 3": "%",
    "y := 1 if true else 2": "if c then a else b",
    "import linalg": "use name",
    "tol x: R [n]\ny := reduce(x, +, 0)": "`add`",
    "tol x: R [n]\ny := reduce(x, *, 1)": "mul",
    "y := tol[m]": "tol x: R [m]",
    "f(x) = map(tol[m], x)\ny := f(1)": "tol x: R [m]",
    "y := mystery + 1": "mystery = …",
    "y := softmx([1.0])": "did you mean softmax?",
    "y := mystery(1)": "mystery(x) = …",
    "tol t: (k: S, v: R) [n]\ny := t.v": "t[v]'",
    "tol t: (k: S, v: R) [n]\ny := t[v]": "t[v]'",
    "tol t: (k: S, v: R) [n]\ny := map(t, v)": "x -> x[v]'",
    "input x: R [n]": "tol x: R [n]",
    "y := max([1,2,3])": "maximum(t, axis)",
    "y := range(1, 3)": "arange(start, stop, step)",
    "y := arange(3)": "range(n)",
    "y := sum([1,2], keepdims=true)": "add_axis",
    "y := sum([1,2], axes=1)": "did you mean axis?",
    "y := sort([2,1], reverse=true)": "descending=true",
    "y := map(x -> x + 1, [1,2])": "map(t, f)",
    "y := reduce(add, [1,2], 0)": "reduce(t, f, init)",
    "y := [1,2,3][::2]": "slice(t, first, last, step)",
    "y := 'a' + 'b'": "nothing joins",
}


@pytest.mark.parametrize("text", FIXES)
def test_a_mistake_has_a_way_out(text: str) -> None:
    with pytest.raises(tolang.ToLangError) as caught:
        tolang.compile(text)
    assert FIXES[text] in " ".join(one.fix or "" for one in caught.value.diagnostics)


def test_foreign_names_lead_to_what_there_is() -> None:
    library = {name for module in library_names() for sheet in library_sheets(module) for name in sheet.places}
    known = {*library, *FUNCTIONS, *FORMS, "map", "reduce", "convert"}
    called = {name for fix in FOREIGN.values() for name in re.findall(r"\b([a-z_]+)\(", fix)} - {"f"}
    assert called <= known


def test_foreign_names_are_names_of_nothing_that_every_program_sees() -> None:
    assert not FOREIGN.keys() & {*FUNCTIONS, *FORMS, *(n for sheet in library_sheets("core") for n in sheet.places)}


SEVERAL = {
    "y := f(one, v[two, three:four]) + v[0] * sum(five, axis=six)": "f one two three four v[0] five six",
    "y := map(one, * + exp(1, 2) + [1,2]*v + w[*, 7] + w[1,2,3])": "one exp(1,_2) [1,2]*v w[1,2,3]",
    "y := reduce(v, (s, x) -> if x > 1 then s + exp(x, s) else one, two)": "exp(x,_s) one two",
    "y := if one then v + [1,2] else [[two], [three, sin(1, 2)]]": "one v_+_[1,2] two three sin(1,_2)",
    "y := if ||v|| == 1 then one else w[1,2,3]": "one",
    "y := { p = one; q(z) = two + sin(z, z); p + q(3) + convert(three, [R]) }": "one two sin(z,_z) three",
    "y := matmul(w, w) + matmul([[1,2]], [[1,2]]) + one": "matmul(w,_w) matmul([[1,2]],_[[1,2]]) one",
    "y := p + p * q\np = one\nq = p + softmax(two, axes=1)": "one softmax(two,_axes=1) two",
    "f(x) = g(x, one) + sin(x, x)\ng(x) = x": "g(x,_one) one sin(x,_x)",
}
"""Statements, and what in them is wrong: each of it once, and nothing that only follows from it."""


@pytest.mark.parametrize("text", SEVERAL)
def test_one_statement_tells_all_that_is_wrong_with_it(text: str) -> None:
    with pytest.raises(tolang.ToLangError) as caught:
        tolang.compile(f"use linalg\nv = [1,2,3]\nw = [[1,2,3],[4,5,6]]\n{text}\n")
    found = [one.span.text for one in caught.value.diagnostics if one.span is not None]
    assert [one.replace(" ", "_") for one in found] == SEVERAL[text].split()
