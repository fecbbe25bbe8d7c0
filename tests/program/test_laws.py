"""`tol check --laws`: declared laws, tested on generated values."""

from __future__ import annotations

import pytest

from tolang.ground.reporting.diagnostics import Source
from tolang.program.laws import LawReport, check_laws
from tolang.syntax.parser import parse


def reports(text: str) -> dict[str, LawReport]:
    return {report.name: report for report in check_laws(parse(Source("laws.tol", text)))}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "definition",
    [
        "f(a,b) = a + b",
        "f(a,b) = a * b",
        "f(a,b) = max(a,b)",
        "f(a,b) = a",
        "f(a,b) = (a[1]' + b[1]', a[2]' + b[2]')",
        "f(a,b) = if b[1]' < a[1]' then b else a",
        "f(a,b) = a and b",
        "f(a,b) = (a[1]'*b[1]' , b[1]'*a[2]' + b[2]')",  # affine maps, composed
        "f(a,b) = map(tol[|a|[1],|b|[2]], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])",
        "f(a,b) = (a*b) / (a+b)",  # resistors side by side; undefined where a+b is 0
    ],
)
def test_laws_that_hold(definition: str) -> None:
    report = reports(f"associative {definition}\nr := 1")["f"]
    assert report.broken is None
    assert report.cases >= 50


@pytest.mark.parametrize(
    "definition",
    [
        "f(a,b) = a - b",
        "f(a,b) = (a + b) / 2",
        "f(a,b) = a * b + 1",
        "f(a,b) = a ^ 2 + b",
        "f(a,b) = (a[1]' + b[1]', a[2]' - b[2]')",
        "f(a,b) = not (a and b)",
        "f(a,b) = map(a, * + 2 * b[iter])",
    ],
)
def test_laws_that_are_broken(definition: str) -> None:
    report = reports(f"associative {definition}\nr := 1")["f"]
    assert report.broken is not None
    assert report.broken.code == "E518"
    assert "f(f(" in str(report.broken.found)


def test_counterexample_is_one() -> None:
    """The values that the message shows do not agree when computed by hand."""
    broken = reports("associative f(a,b) = a - b\nr := 1")["f"].broken
    assert broken is not None
    call, _, left = str(broken.found).partition(" is ")
    inner, c = call.removeprefix("f(f(").removesuffix(")").split("),")
    a, b = inner.split(",")
    assert (float(a) - float(b)) - float(c) == float(left)
    assert float(a) - (float(b) - float(c)) != float(left)


def test_types_come_from_the_folds() -> None:
    text = """
tol x: R [n]
associative moments(a,b) = {
  n = a[1]' + b[1]'; d = b[2]' - a[2]'
  (n, a[2]' + d*b[1]'/n, a[3]' + b[3]' + d*d*a[1]'*b[1]'/n)
}
associative plus(a,b) = a + b
r := reduce(map(x, (1,*,0.0)), moments, (0,0,0))
s := reduce(x, plus, 5)
t := reduce(x, plus, 0)
"""
    found = reports(text)
    assert found["moments"].broken is None
    assert found["moments"].types == ("[Z, R, R]",)
    assert found["plus"].types == ("R",)
    assert "starts from 5, which is not an identity" in found["plus"].remark
    assert "0 is its identity" in found["plus"].remark


def test_functions_that_read_inputs() -> None:
    text = "tol m: N*\nassociative f(a,b) = (a + b) % m\nassociative g(a,b) = a * m - b\nr := 1"
    found = reports(text)
    assert found["f"].broken is None
    assert found["g"].broken is not None


def test_what_is_not_tested_is_said() -> None:
    text = """
associative three(a,b,c) = a
associative strange(a,b) = a[1]'[2]' + b
f(x) = { associative inner(a,b) = a + b; reduce(x, inner, 0) }
r := 1
"""
    found = reports(text)
    assert found["three"].remark.startswith("not tested")
    assert found["strange"].remark.startswith("not tested")
    assert found["inner"].remark.startswith("not tested")
    assert reports("f(a,b) = a - b\nr := 1") == {}
