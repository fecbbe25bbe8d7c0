"""Sizes at which a program does not run are refused by its cost as well, with the error of the run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

import tolang
from tolang.faces.report.scaling import Over, scaling_of
from tolang.program.costing import check_limits, eops_at

MEASURES = ("eops", "bytes_read", "bytes_written", "memory", "span", "macs", "flops", "intensity", "by_function",
            "by_definition", "bound", "at_most")  # fmt: skip

REFUSED = [
    ("a map", "r := map(tol[n-5], exp(x[i]), i)", "E509"),
    ("a fold", "r := reduce(x[5:n-3], add, 0)", "E509"),
    ("zeros", "r := tol[n-5]", "E509"),
    ("zeros in a bundle", "r := (tol[n-5], x)", "E509"),
    ("zeros joined", "r := [x, tol[n-5]]", "E509"),
    ("a slice", "r := x[3:n-5]", "E513"),
    ("a slice in a map", "r := map(x, reduce(map(x[1:n-5], * + 1), add, 0))", "E509"),
    ("two lengths below zero, whose product is above", "r := map(tol[n-5,n-4], 1.0*i, [i,j])", "E509"),
    ("at one element of many", "r := map(x, reduce(tol[i-2], (s,t) -> s + 1, 0), i)", "E509"),
    ("at a corner", "r := map(tol[n,n], reduce(tol[i-j], (s,t) -> s + 1, 0), [i,j])", "E509"),
    ("in a triangle", "r := map(x, reduce(map(x[1:i], reduce(tol[2*j-i-1], (s,t) -> s + 1, 0), j), add, 0), i)", "E509"),
    ("where one is the least", "r := map(x, reduce(tol[max(i-2,-3*i)], (s,t) -> s + 1, 0), i)", "E509"),
    ("a state that shrinks too often", "r := reduce(tol[n+1], (s,t) -> s[2:], x)", "E513"),
    ("a map over such a state", "r := reduce(tol[n+1], (s,t) -> map(tol[|s|[1]-1], s[i], i), x)", "E509"),
    ("in a function", "f(a) = map(tol[|a|[1]-5], a[i]*2, i)\nr := f(x)", "E509"),
    ("in a function of a function", "g(a) = a[3:|a|[1]-5]\nf(a) = g(a)*2\nr := f(x)", "E513"),
    ("a reshape", "r := reshape(x, [2,n-5])", "E515"),
    ("a length that is no polynomial", "r := reduce(tol[sqrt(n)-5], (s,t) -> s + 1, 0)", "E509"),
    ("a branch that sizes take", "r := if n < 4 then tol[n-5] else x", "E509"),
    ("a filter that cannot be long enough",
     "k = reduce(x, (s,t) -> if t > 0 then [s,t] else s, tol[0])\nr := map(tol[|k|[1]-5], 1.0*i, i)", "E509"),
]  # fmt: skip


def error_of(run: Any) -> tolang.ToLangError | None:
    try:
        run()
    except tolang.ToLangError as error:
        return error
    return None


@pytest.mark.parametrize(("what", "program", "code"), REFUSED, ids=[what for what, _, _ in REFUSED])
def test_the_cost_is_refused_as_the_run_is(what: str, program: str, code: str) -> None:
    compiled = tolang.compile(f"tol x: R [n]\n{program}", engine="interpret")
    ran = error_of(lambda: compiled.run(compiled.job((), {"x": np.ones(2)})))
    assert ran is not None
    assert ran.code == code
    for measure in MEASURES:
        found = error_of(lambda measure=measure: getattr(compiled.cost(n=2), measure))
        assert str(found) == str(ran), measure
    for use in (lambda: compiled.cost(n=2).as_dict(), lambda: compiled.cost(n=2)(), lambda: repr(compiled.cost(n=2)),
                lambda: compiled.cost(n=2).derivation(), lambda: compiled.cost()(n=2)):  # fmt: skip
        assert str(error_of(use)) == str(ran)


RUNS = [
    ("no element is evaluated", "r := map(tol[n-2], reduce(tol[n-5], (s,t) -> s + 1, 0))"),
    ("a branch that sizes do not take", "r := if n > 5 then map(tol[n-5], exp(1)) else x"),
    ("a branch that data does not take", "r := if x[1] < 0 then map(tol[n-5], exp(1)) else map(tol[3], exp(1))"),
    ("nothing uses it", "y = tol[n-5]\nr := x*2"),
    ("zero is a length", "r := map(tol[n-2], exp(x[i]), i)"),
    ("the state ends empty", "r := reduce(x, (s,t) -> s[2:], x)"),
]


@pytest.mark.parametrize(("what", "program"), RUNS, ids=[what for what, _ in RUNS])
def test_what_runs_has_a_cost(what: str, program: str) -> None:
    compiled = tolang.compile(f"tol x: R [n]\n{program}", engine="interpret")
    compiled.run(compiled.job((), {"x": np.ones(2)}))
    cost = compiled.cost(n=2)
    for measure in ("eops", "bytes_read", "bytes_written", "memory", "span"):
        assert getattr(cost, measure) >= 0


@st.composite
def lengths(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    """A length that may come out below zero."""
    factors = [draw(st.sampled_from([1, 1, 2, -1, 0])) for _ in names]
    text = "+".join(
        [str(draw(st.integers(-3, 3))), *(f"{one}*{name}" for one, name in zip(factors, names, strict=True))]
    )
    match draw(st.sampled_from(["plain", "plain", "min", "max", "floor"])):
        case "min" | "max" as kind:
            return f"{kind}({text}, {names[-1]}+1)"
        case "floor":
            return f"floor(({text})/2)"
    return text


@st.composite
def programs_of_lengths(draw: st.DrawFn) -> str:
    one, two, three = draw(lengths(("n",))), draw(lengths(("n", "i"))), draw(lengths(("n", "i", "j")))
    return draw(st.sampled_from([
        f"r := map(tol[{one}], 1.0*i, i)",
        f"r := map(x, reduce(tol[{two}], (s,t) -> s + 1, 0), i)",
        f"r := map(tol[n,n+1], reduce(tol[{three}], (s,t) -> s + 1, 0), [i,j])",
        f"r := map(tol[{one}], reduce(map(tol[i], reduce(tol[{three}], (s,t) -> s + 1, 0), j), add, 0), i)",
        f"f(a, n) = map(a, reduce(tol[{two}], (s,t) -> s + 1, 0), i)\nr := f(x, |x|[1])",
        f"r := if n > 2 then map(tol[{one}], 1.0*i, i) else map(x, reduce(tol[{two}], (s,t) -> s + 1, 0), i)",
    ]))  # fmt: skip


@given(programs_of_lengths(), st.integers(0, 5))
def test_generated_programs_are_refused_exactly_where_their_runs_are(program: str, n: int) -> None:
    try:
        compiled = tolang.compile(f"tol x: R [n]\n{program}", engine="interpret")
    except tolang.ToLangError:
        assume(False)
    ran = error_of(lambda: compiled.run(compiled.job((), {"x": np.ones(n)})))
    counted = error_of(lambda: compiled.cost(n=n).as_dict())
    event("runs" if ran is None else f"refused, {ran.code}")
    assert (counted and counted.code) == (ran and ran.code), f"{program} at {n}"
    if counted is not None and ran is not None:
        assert counted.diagnostics[0].found == ran.diagnostics[0].found


def test_an_input_that_cannot_be() -> None:
    cost = tolang.compile("tol x: R [n]\ntol y: R [n-5]\nr := y*2").cost()
    assert str(cost.bytes_read) == "8*(n - 5)"
    with pytest.raises(tolang.ToLangError, match=r"E509: y cannot have the shape \[-3\]"):
        cost(n=2)


def test_no_curve_is_drawn_where_a_program_is_refused() -> None:
    """Two lengths below zero have a product above it, which is no count of anything."""
    cost = tolang.compile("tol x: R [n]\nr := map(tol[n-9,n-8], 1.0*i, [i,j])").cost()
    scaling = scaling_of(cost, Over("n", 1, 64), {})
    for series in scaling.series:
        for size, value in zip(scaling.sizes, series.values, strict=True):
            assert (value is None) == (size < 9), (series.name, size)


def test_a_run_says_itself_that_it_is_refused() -> None:
    """What engines ask before a run does not take its place."""
    compiled = tolang.compile("tol x: R [n]\nr := map(tol[n-5], exp(x[i]), i)", engine="auto")
    job = compiled.job((), {"x": np.ones(2)})
    assert eops_at(job.core, job.sizes, job.inputs) is not None
    with pytest.raises(tolang.ToLangError, match="E509"):
        compiled.run(job)


def test_numerics_below_zero_are_counted_as_they_are() -> None:
    compiled = tolang.compile("tol k: Z\nr := map(tol[10-k], exp(i), i)", engine="interpret")
    assert compiled.cost(k=-5).eops == 15
    assert compiled(-5).shape == (15,)
    assert compiled.cost(k=11).refusal() is not None
    job = compiled.job((), {"k": -5})
    check_limits(job.core, job.sizes, 15, None, job.inputs)
    with pytest.raises(tolang.ToLangError, match="E611"):
        check_limits(job.core, job.sizes, 14, None, job.inputs)
