"""Programs whose elements cost differently, by windows, triangles, strides and remainders: counted at small sizes by the
counting interpreter, and known at once at sizes that nobody counts to."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st
from tests.cost.counting import CountingInterpreter

import tolang
from tolang.ground.symbolic.sizes import Size

WINDOW = "tol x: R [n]\nr := map(x, reduce(x[max(1,i-2):min(n,i+2)], add, 0), i)"
QUICK = 0.5
"""Seconds of its own, with much to spare."""


@st.composite
def ends(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    """A place from 1 to n, or a little beyond, in terms of iterators."""
    name = draw(st.sampled_from(names))
    shift, divisor = draw(st.integers(-3, 3)), draw(st.integers(2, 5))
    other = draw(st.sampled_from(names))
    return draw(st.sampled_from([
        f"{name}", f"{name}+{shift}", f"floor(({name}+{other})/{divisor})", f"{name}%{divisor}", f"n-{name}+{shift}",
        f"floor(({name}*{divisor}+{other})/{divisor + 1})", f"min({name},n-{other})", f"2*{name}-{divisor}",
    ]))  # fmt: skip


@st.composite
def windows(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    return f"x[max(1,{draw(ends(names))}):max(min(n,{draw(ends(names))}),max(1,{draw(ends(names))})-1)]"


@st.composite
def programs_of_windows(draw: st.DrawFn) -> str:
    one, two, three = draw(windows(("i",))), draw(windows(("i", "j"))), draw(windows(("i", "j")))
    return draw(st.sampled_from([
        f"r := map(x, reduce({one}, add, 0), i)",
        f"r := map(x, reduce(map({one}, * * 2), (s,t) -> s + exp(t), 0), i)",
        f"r := map(tol[n,n], reduce({two}, add, 0) + reduce({three}, max, 0), [i,j])",
        f"r := map(x, reduce(map(x[1:i], reduce({two}, add, 0), j), add, 0), i)",
        f"r := reduce(x, (s,t,i) -> s + reduce({one}, add, t), 0)",
    ]))  # fmt: skip


@given(programs_of_windows(), st.integers(0, 6))
def test_windows_cost_what_is_counted(program: str, n: int) -> None:
    try:
        compiled = tolang.compile(f"tol x: R [n]\n{program}", engine="interpret")
        job = compiled.job((), {"x": np.arange(n) / 8})
        compiled.run(job)
    except tolang.ToLangError as error:
        event(f"refused, {error.code}")
        assume(False)
    counter = CountingInterpreter(job.core)
    counter.run(job.inputs, job.sizes)
    cost = compiled.cost(n=n)
    assert cost.eops == counter.eops
    assert cost.by_function == {name: count for name, count in counter.functions.items() if count}
    assert cost.span >= counter.span  # type: ignore[operator]
    assert Size.of(compiled.cost().eops).evaluate({"n": n}) == counter.eops


@pytest.mark.parametrize("n", [4, 10**7, 10**12, 10**18])
def test_a_window_costs_five_for_each_element_but_at_its_ends(n: int) -> None:
    program = tolang.compile(WINDOW)
    start = time.thread_time()
    cost = program.cost(n=n)
    data = cost.as_dict()
    assert time.thread_time() - start < QUICK
    assert data["eops"] == 5 * n - 6
    assert data["span"] == min(5, n)
    assert data["memory"] == 16 * n
    assert data["at_most"] == []


LONG = [
    ("a triangle of windows", "map(x, reduce(map(x[1:i], reduce(x[max(1,j-2):min(i,j+2)], add, 0), j), add, 0), i)"),
    ("two dimensions", "map(tol[n,n], reduce(x[max(1,i-j):min(n,i+j)], add, 0), [i,j])"),
    ("a stride", "map(x, reduce(x[1:floor((3*i+n)/7)+1], add, 0), i)"),
    ("a remainder", "map(x, reduce(x[1:i%5], add, 0) + reduce(x[1:i%1000], add, 0), i)"),
    ("halves", "map(x, reduce(x[1:min(i,floor(n/2))], add, 0) * reduce(x[floor(i/2)+1:i], add, 0), i)"),
    ("a logarithm", "map(x, reduce(tol[log(i,2)+1], (s,t) -> s + 1, 0), i)"),
]


@pytest.mark.parametrize(("what", "program"), LONG, ids=[what for what, _ in LONG])
def test_nothing_takes_longer_at_larger_sizes(what: str, program: str) -> None:
    compiled = tolang.compile(f"tol x: R [n]\nr := {program}")
    start = time.thread_time()
    cost = compiled.cost(n=10**12)
    assert cost.eops > 10**12  # type: ignore[operator]
    assert not cost.at_most
    assert time.thread_time() - start < 4 * QUICK


DEEP = {
    "calls that call twice": ("f0(s) = reduce(s, add, 0)", "f{next}(s) = f{here}(s) + f{here}(s)", 30),
    "calls of calls": ("f0(s) = map(s, * + 1)", "f{next}(s) = f{here}(f{here}(s))", 30),
}


@pytest.mark.parametrize("what", DEEP)
def test_chains_of_calls_are_read_once(what: str) -> None:
    first, further, levels = DEEP[what]
    lines = [first, *(further.format(next=level + 1, here=level) for level in range(levels))]
    compiled = tolang.compile("\n".join(["tol x: R [n]", *lines, f"r := f{levels}(x)"]))
    start = time.thread_time()
    assert compiled.cost(n=10)() >= 10 * 2**levels
    derivation = compiled.cost(n=10).derivation()
    assert time.thread_time() - start < 10 * QUICK
    assert "=…" in derivation
    assert derivation.endswith(f"={compiled.cost(n=10).eops}")


def test_a_chain_of_filters() -> None:
    """The length of each is at most that of the one before, and proving so takes no more steps than there are filters."""
    keep = "keep(t) = reduce(t, (s,v) -> if v > 0 then [s,v] else s, tol[0])"
    lines = [f"a{level + 1} = keep(a{level})" for level in range(24)]
    start = time.thread_time()
    compiled = tolang.compile("\n".join(["tol a0: R [n]", keep, *lines, "r := a24"]))
    cost = compiled.cost(n=7)
    assert cost.eops == 24 * 7
    assert str(cost.eops) == "at most 168"
    assert cost.bytes_written == 56
    assert time.thread_time() - start < 10 * QUICK
