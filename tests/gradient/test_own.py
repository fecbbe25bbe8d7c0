"""Derivatives that definitions carry themselves, `stop` among them, and the test of them against differences."""

from __future__ import annotations

import numpy as np
import pytest
from tests.gradient.judging import judge, numbers, slope

import tolang
from tolang.core.printer import print_program
from tolang.core.reader import read_program
from tolang.core.source import print_source
from tolang.core.verifier import verify
from tolang.ground.reporting.diagnostics import Source
from tolang.program.laws import LawReport
from tolang.program.own_derivatives import check_derivatives
from tolang.syntax.formatter import format_text
from tolang.syntax.parser import parse

OWN = """
tol x: R [n]
tol w: R
power(v, k) = map(v, *^k)
derivative power(v, k, d) = map(v, k * *^(k-1) * d[i], i)
both(a, b) = (a * b, reduce(b, add, 0))
derivative both(a, b, d) = (d[1]' * b, map(b, d[2]' + d[1]'[i] * a[i], i))
scale(v, factor) = map(v, * * factor)
derivative scale(v, factor, d) = (map(d, * * factor), reduce(map(d, * * v[i], i), add, 0))
pair = both(power(x, 3), scale(x, w))
y := map(pair[1]', * * pair[2]' + scale(x, w)[i] * power(x[1:2], 2)[1], i)
"""
PRODUCT = "tol a: R [n,k]\ntol b: R [k,m]\ny := map(tol[n,m], reduce(map(A[i], * * B[*,j]), add, 0), [i,j])"


def test_right_derivatives_change_nothing() -> None:
    """Calls on whole ToLs and in maps, of lists, of bundles, with numbers that are known."""
    for engine in ("interpret", "cpu"):
        program = tolang.compile(OWN, engine=engine)
        judge(program, "y", ["x", "w"], {"x": numbers(4), "w": 0.7})
    tangent = program.tangent("y", by="x")
    point, way, weights = numbers(4), numbers(4, seed=1), numbers(4, seed=2)
    expected = slope(program, "y", {"x": point, "w": 0.7}, {"x": way}, weights)
    assert abs(float(np.sum(tangent(point, 0.7, way) * weights)) - expected) < 1e-6 * (1 + abs(expected))


def test_the_core_holds_them() -> None:
    program = tolang.compile(OWN)
    text = print_program(program.core)
    again = read_program(text)
    verify(again)
    assert print_program(again) == text
    assert text.count("derivative [") == 5
    assert format_text(OWN) == format_text(format_text(OWN))
    assert "derivative power(v, k, d) = " in format_text(OWN)


def test_a_derivative_is_taken_as_it_is_written() -> None:
    text = "tol x: R [n]\nrounded(v) = floor(v)\nderivative rounded(v, d) = d\n"
    text += "loss := reduce(map(x, rounded(* * 2)), add, 0)"
    program = tolang.compile(text)
    assert program([0.7, 1.6]) == 4
    assert program.gradient("loss", by="x")([0.7, 1.6]).tolist() == [2.0, 2.0]
    plain = tolang.compile(text.replace("derivative rounded(v, d) = d\n", ""))
    assert plain.gradient("loss", by="x")([0.7, 1.6]).tolist() == [0.0, 0.0]
    assert program.cost().eops == plain.cost().eops


def test_a_derivative_may_call_its_function_and_has_a_derivative() -> None:
    text = "tol x: R\ngrown(v) = exp(v)\nderivative grown(v, d) = d * grown(v)\ny := grown(2 * x)"
    first = tolang.compile(text).gradient("y", by="x")
    second = first.gradient("d_x", by="x", names={"x": "curvature"})
    assert first(0.5) == pytest.approx(2 * np.exp(1.0))
    assert second(0.5) == pytest.approx(4 * np.exp(1.0))


@pytest.mark.parametrize("text", ["scaled(v) = v * w", "scaled(v) = apply(v, e -> e * w)\napply(v, f) = f(v)"])
def test_what_a_derivative_does_not_see_is_refused(text: str) -> None:
    program = tolang.compile(f"tol x: R\ntol w: R\n{text}\nderivative scaled(v, d) = 3 * d\ny := scaled(x)")
    assert program.gradient("y", by="x")(1.0, 3.0) == 3
    with pytest.raises(
        tolang.ToLangCheckError, match="scaled by w, which is none of its parameters, has no derivative"
    ):
        program.gradient("y", by="w")


@pytest.mark.parametrize(("a", "b", "cost"), [("stop(a)", "b", "2*k*m*n"), ("stop(a)", "stop(b)", "0")])
def test_stop_is_free_and_hides_nothing(a: str, b: str, cost: str) -> None:
    program = tolang.compile(PRODUCT.replace("A", a).replace("B", b))
    plain = tolang.compile(PRODUCT.replace("A", "a").replace("B", "b"))
    strategies = program.explain().full.partition("== schedules ==")[2]
    assert strategies == plain.explain().full.partition("== schedules ==")[2]
    assert "contraction" in strategies
    assert str(program.cost().eops) == "2*k*m*n"
    pullback = program.pullback("y", by=["a", "b"])
    assert str(pullback.cost().eops) == cost
    left, right, weights = numbers(2, 3), numbers(3, 4), numbers(2, 4)
    found = pullback(left, right, weights)
    assert not found["d_a"].any()
    expected = np.zeros((3, 4)) if "stop" in b else left.T @ weights
    np.testing.assert_allclose(found["d_b"], expected, rtol=1e-12)


def test_stop_takes_anything() -> None:
    assert tolang.evaluate("stop([(1,'a'),(2,'b')])") == [(1, "a"), (2, "b")]
    assert tolang.evaluate("reshape([1,2,3,4], stop([2,2]))") == [[1, 2], [3, 4]]
    program = tolang.compile("tol x: [R,R] [n]\nloss := reduce(map(stop(x), *[1]' * x[i][2]', i), add, 0)")
    gradient = program.gradient("loss", by="x")
    assert gradient([(1.0, 2.0), (3.0, 4.0)]).to_list() == [(0.0, 1.0), (0.0, 3.0)]
    assert "stop" not in print_source(gradient.core)


def reports(text: str) -> dict[str, LawReport]:
    return {report.name: report for report in check_derivatives(parse(Source("own.tol", text)))}


def test_derivatives_are_tested() -> None:
    found = reports(OWN)
    assert [one.broken for one in found.values()] == [None, None, None]
    assert all(one.cases >= 8 for one in found.values())
    unused = reports("f(a, b, k=2) := k * a * b\nderivative f(a, b, k, d) = (k * d * b, k * d * a)")["f"]
    assert unused.types[0] == "(R, R)"
    inner = reports("y := { f(a) = a; derivative f(a, d) = d; f(2.5) }")["f"]
    assert inner.remark == "not tested: only functions at top level are"


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("f(x) := x * x * x\nderivative f(x, d) = 2 * d * x * x", "x"),
        ("f(x, y) := x * y\nderivative f(x, y, d) = (d * y, d)", "y"),
        ("tol v: R [n]\nf(x) = reduce(x, mul, 1)\nderivative f(x, d) = map(x, d)\ny := f(v)", "v"),
        ("tol v: f32 [n]\nf(x) = sin(x)\nderivative f(x, d) = d * cos(x) * 1.1\ny := map(v, f)", "v"),
    ],
)
def test_wrong_derivatives_are_refuted(text: str, by: str) -> None:
    broken = reports(text)["f"].broken
    assert broken is not None
    assert broken.code == "E520"
    assert broken.message == f"the derivative of f by {by} is not that of f"
