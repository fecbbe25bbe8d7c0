"""Ways out: names of Python and NumPy lead to ToLang's, modules to `use`, and one statement tells all that is wrong."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.check.foreign_names import FOREIGN, FOREIGN_PARAMETERS, OTHER_DEFINITIONS
from tolang.check.forms import FORMS
from tolang.check.library import library_sheets
from tolang.ground.values.functions import FUNCTIONS

FIXES = {
    "y := matmul([[1]], [[2]])": "use linalg",
    "y := np.dot([1], [2])": "dot alone",
    "y := np.zeros(3)": "tol[2,3]",
    "y := torch.matmul([[1]], [[2]])": "use linalg",
    "y := math.sqrt(2)": "sqrt alone",
    "y := nan": "NaN",
    "y := -inf": "Inf",
    "y := True": "true",
    "y := None": "no missing value",
    "v = [1,2]\ny := len(v)": "|v|[1]",
    "tol x: R [n]\ny := x.shape": "|t|",
    "tol x: R [n,m]\ny := x.T": "transpose(a)",
    "tol x: R [n]\ny := x.sum()": "sum(t)",
    "y := sum([1,2], axis=0)": "axis=1",
    "y := sum([1,2], axis=-1)": "axis=||x||",
    "y := [1,2][0]": "start at 1",
    "tol x: R [n]\ny := x[0]": "start at 1",
    "tol x: R [n]\ny := x[-1]": "x[|x|[1]]",
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
    "y := max([1,2,3])": "maximum(t)",
    "y := range(1, 3)": "`arange(1, 3)`",
    "y := arange(3)": "`range(3)`",
    "y := sum([1,2], keepdims=true)": "add_axis",
    "y := sum([1,2], axes=1)": "did you mean axis?",
    "y := sort([2,1], reverse=true)": "descending=true",
    "y := map(x -> x + 1, [1,2])": "map(t, f)",
    "y := reduce(add, [1,2], 0)": "reduce(t, f, init)",
    "y := [1,2,3][::2]": "slice(t, first, last, step)",
    "y := 'a' + 'b'": "append_text('a', 'b')",
    "y := power(2, 3)": "`x ^ y`; another power is defined in linalg",
    "y := map": "`map(t, f)`",
}


@pytest.mark.parametrize("text", FIXES)
def test_a_mistake_has_a_way_out(text: str) -> None:
    with pytest.raises(tolang.ToLangError) as caught:
        tolang.compile(text)
    assert FIXES[text] in " ".join(one.fix or "" for one in caught.value.diagnostics)


NAMES = """tol a: R [2,3]
tol b: R [2,3]
tol t: R [2,3]
tol v: R [3]
tol w: R [3]
tol x: R
tol y: R
tol s: S
f(e) = e + 1
"""
"""What the names in the table of foreign names stand for."""
DATA: dict[str, Any] = {"a": [[1, 2, 3], [4, 5, 6]], "b": [[6, 5, 4], [3, 2, 1]], "t": [[1, 2, 3], [4, 5, 6]], "v": [3, 1, 2], "w": [1, 1, 2],
        "x": 1.5, "y": 3.0, "s": "abc"}  # fmt: skip


def value_of(words: str, position: int = 0) -> Any:
    """What one of the suggestions in a hint gives, with the modules that the hint names."""
    written = re.findall(r"`([^`]+)`", words)
    uses = [one for one in written if one.startswith("use ")]
    (code,) = [one for one in written if one not in uses][position : position + 1]
    program = tolang.compile("\n".join([*uses, NAMES, f"value := {code}\n"]), engine="interpret")
    return program(**{name: DATA[name] for name in program.inputs})


@pytest.mark.parametrize(
    "table", [FOREIGN, FOREIGN_PARAMETERS, OTHER_DEFINITIONS], ids=["names", "parameters", "taken"]
)
def test_what_stands_for_a_foreign_name_works(table: dict[str, str]) -> None:
    for words in table.values():
        written = [one for one in re.findall(r"`([^`]+)`", words) if not one.startswith("use ")]
        assert written or "write " in words or ": " in words or words.startswith("say ")
        for position in range(len(written)):
            value_of(words, position)


V, W, A = (np.array(DATA[name], dtype=float) for name in ("v", "w", "a"))
IN_NUMPY = {
    "sign": np.sign(1.5), "power": np.power(1.5, 3), "median": np.median(V), "diff": np.diff(V), "isin": np.isin(V, W),
    "log2": np.log2(1.5), "expm1": np.expm1(1.5), "cbrt": np.cbrt(1.5), "std": np.std(A), "var": np.var(A), "ptp": np.ptp(A),
    "amax": np.amax(A, 0), "prod": np.prod(A, 0), "cumsum": np.cumsum(A, 1), "hstack": np.hstack([V, W]), "mv": A @ V,
    "vstack": np.vstack([V, W]), "column_stack": np.column_stack([V, W]), "fliplr": np.fliplr(A), "flipud": np.flipud(A),
    "swapaxes": np.swapaxes(A, 0, 1), "delete": np.delete(V, 1), "ravel": np.ravel(A), "polyval": np.polyval(V, 1.5),
    "floor_divide": np.floor_divide(1.5, 3), "arctan": np.arctan(1.5), "radians": np.radians(1.5), "bitwise_xor": 5 ^ 3,
    "degrees": np.degrees(1.5), "left_shift": 1.5 * 2**3, "value_counts": np.bincount([1, 2, 2])[1:],
    "pi": np.pi, "identity": np.eye(3), "factorial": 120, "nansum": np.nansum(A), "ord": ord("a"),
    "quantile": np.quantile(V, 0.9, method="inverted_cdf"), "nonzero": np.nonzero(V > 0)[0] + 1, "array_equal": False,
}  # fmt: skip


@pytest.mark.parametrize("name", IN_NUMPY)
def test_what_stands_for_a_foreign_name_gives_the_same(name: str) -> None:
    np.testing.assert_allclose(
        np.asarray(value_of(FOREIGN[name]), dtype=float), np.asarray(IN_NUMPY[name], dtype=float)
    )


MEANT = {
    "v[:-1]": [3, 1], "v[-1]": 2, "v[-2]": 1, "v[0]": 3, "v[0:2]": [3, 1], "v[-2:]": [1, 2], "v[v > 1]": [3, 2],
    "v[w < v]": [3], "a[-1]": [4, 5, 6], "a[:-1]": [[1, 2, 3]], "a[a > 4.5]": [5, 6], "a[a > b]": [4, 5, 6], "v[[1,3]]": [3, 2],
    "if v > 1 then v else 0": [3, 0, 2], "if v then 1 else 0": [1, 1, 1], "maximum(x, y)": 3, "maximum(v, w)": [3, 1, 2],
    "minimum(x, 2)": 1.5, "sum(1, 2)": 3, "s + 'd'": "abcd", "s + 1": "abc1", "1 + s": "1abc", "g((1,2,3))": 6, "g([1,2,3])": 6,
}  # fmt: skip
"""What is written as in other languages, and what it means there."""


@pytest.mark.parametrize("text", MEANT)
def test_a_suggestion_works_in_its_place(text: str) -> None:
    source = f"{NAMES}g(p, q, r) = p + q + r\nvalue := "
    with pytest.raises(tolang.ToLangError) as caught:
        tolang.compile(f"{source}{text}\n")
    fix = caught.value.diagnostics[0].fix or ""
    program = tolang.compile(f"{source}{re.findall('`([^`]+)`', fix)[0]}\n", engine="interpret")
    found = program(**{name: DATA[name] for name in program.inputs})
    np.testing.assert_array_equal(found, np.asarray(MEANT[text]))


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


def test_lengths_are_told_in_the_order_of_what_is_written() -> None:
    for written, found in (("[1,2,3] + [1,2]", "[3] and [2]"), ("[1,2] + [1,2,3]", "[2] and [3]")):
        with pytest.raises(tolang.ToLangCheckError) as refused:
            tolang.evaluate(written)
        assert f"found: {found}\n" in str(refused.value)


def test_a_function_of_two_that_is_given_one_names_that_of_all() -> None:
    with pytest.raises(tolang.ToLangCheckError, match="fix: `maximum\\(t\\)` is that of all elements"):
        tolang.evaluate("max([1,2])")
    assert tolang.evaluate("maximum([1,2])") == 2
