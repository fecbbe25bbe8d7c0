"""Which components of lists are read where they lie: those that one step reads once, and that it waits for."""

from __future__ import annotations

import pytest

import tolang
from tolang.plan.nest import Stride
from tolang.plan.printer import print_plan
from tolang.plan.target import Target
from tolang.plan.verifier import verify
from tolang.schedule.planning import plan

HEAD = "list gate: [a: N, b: R, c: R]\ntol x: gate [n]\ntol z: R [m]\n"
TARGET = Target(32, 16)


def strides_of(source: str) -> tuple[Stride, ...]:
    found = plan(tolang.compile(source).core, TARGET).plan
    verify(found)
    return found.strides


@pytest.mark.parametrize(
    ("source", "buffers"),
    [
        ("y := map(x, *[a]' + *[b]')", ("x.1", "x.2", "x.3")),
        ("y := map(x, x[n+1-i][b]' + *[c]', i)", ("x.1", "x.2", "x.3")),
        ("y := map(x, x[i][b]' + x[n+1-i][b]', i)", ("x.1", "x.3")),
        ("y := map(x, exp(*[b]'))", ("x.1", "x.3")),
        ("y := map(x, *[b]' + 1); u := reduce(map(x, *[b]' * *[c]'), add, 0)", ("x.1",)),
        ("y := map(tol[n,m], x[i][b]' * z[j], [i,j])", ("x.1", "x.3")),
        ("y := reduce(x, (s,g) -> [s, s[|s|[1]] * 0.5 + g[b]' * s[g[a]']], [1.0])", ("x.1", "x.2", "x.3")),
        ("y := reduce(x, (s,g) -> if g[a]' > 3 then [s, g[c]'] else s, tol[0])", ("x.1", "x.2", "x.3")),
        ("y := map(x, *[b]' + x[1][c]')", ("x.1", "x.2")),
        ("y := map(x, if *[b]' > *[c]' then floor(*[b]') else 0)", ("x.1", "x.2", "x.3")),
    ],
)
def test_what_is_read_where_it_lies(source: str, buffers: tuple[str, ...]) -> None:
    assert strides_of(HEAD + source) == (Stride("x step", buffers),)


def test_components_of_other_widths_have_steps_of_their_own() -> None:
    source = "list pair: [a: f32, b: R, c: f32]\ntol x: pair [n]\ny := map(x, *[a]' + *[b]' + *[c]')"
    assert strides_of(source) == (Stride("x step of 4", ("x.1", "x.3")), Stride("x step of 8", ("x.2",)))


@pytest.mark.parametrize(
    "source",
    [
        "tol x: R [n]\ny := map(x, * + 1)",
        "tol x: R [n]\ntol w: R [n]\ny := map(x, * + w[*])",
        "list pair: [a: R, b: R]\ntol x: pair [n]\ny := reduce(map(x, *[a]' * *[b]'), add, 0)",
        "list pair: [a: R, b: R]\ntol x: pair [n,m]\ny := map(x, *[a]' * *[b]')",
    ],
)
def test_what_is_read_as_an_array_of_its_own(source: str) -> None:
    assert strides_of(source) == ()


def test_a_plan_tells_it() -> None:
    source = "list pair: [a: R, b: R]\ntol x: pair [n]\ny := map(x, *[a]' * *[b]')"
    found = print_plan(plan(tolang.compile(source).core, TARGET).plan)
    assert "input x.1: a: R [n*x step - x step + 1]\n" in found
    assert "x.1 and x.2 are read where they lie, one element in each x step\n" in found
