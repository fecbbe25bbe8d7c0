"""Bytes, memory, intensity and span, of programs small enough to count by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.cost.formulas import formula

import tolang
from tolang.ground.system.memory import bytes_text
from tolang.program.amounts import BALANCE, count_text

MATMUL = """
tol a: R [n,k]
tol b: R [k,m]
vec(i,j) = map(a[i], mul(*, b[*,j]))
elem(i,j) = reduce(vec(i,j), add, 0)
result := map(tol[n,m], elem(i,j), [i,j])
"""


def test_inputs_are_read_once_and_outputs_written_once() -> None:
    cost = tolang.compile(MATMUL).cost()
    assert cost.bytes_read == formula("8*n*k + 8*k*m")
    assert cost.bytes_written == formula("8*n*m")


def test_inputs_that_no_output_reaches_are_not_read() -> None:
    cost = tolang.compile("tol a: R [n]\ntol b: R [m]\nr := a*2").cost()
    assert cost.bytes_read == formula("8*n")


@pytest.mark.parametrize(
    ("space", "width"),
    [("f32", 4), ("f64", 8), ("i8", 1), ("u16", 2), ("c64", 8), ("c128", 16), ("B", 1), ("bf16", 2), ("[f32,i8]", 5)],
)
def test_bytes_follow_the_storage(space: str, width: int) -> None:
    cost = tolang.compile(f"tol a: {space} [n]\nr := a[2:]").cost()
    assert cost.bytes_read == formula(f"{width}*n")
    assert cost.bytes_written == formula(f"{width}*(n-1)")


def test_bounded_spaces_take_the_narrowest_storage() -> None:
    assert tolang.compile("space byte: N [0,255]\ntol a: byte [n]\nr := a").cost().bytes_read == formula("n")


MEMORY = [
    ("an output stays, a temporary goes", "t = exp(v)\nr := t+1", "8*n + 8*n + 8*n"),
    ("what is no longer used is gone", "t = exp(v)\nu = t+1\nw = u*2\nr := w-1", "8*n + 8*n + 8*n"),
    ("what is used again stays", "t = exp(v)\nu = t+1\nw = u*2\nr := w-t", "8*n + 3*8*n"),
    ("numerics are held in registers", "t = reduce(v,add,0)\nr := v-t", "8*n + 8*n"),
    ("a map holds what one element needs", "r := map(a, reduce(a[i], add, 0)+*, [i,j])", "8*n*m + 8*n*m"),
    ("and its temporaries once", "r := map(tol[n], reduce(map(a[i], exp), add, 0), i)", "8*n*m + 8*n + 8*m"),
    ("a fold of ToLs holds its state twice", "r := reduce(tol[m], (s,x) -> s*2, v)", "8*n + 8*n + 8*n"),
    ("an output that is an input takes no more", "r := (v, w)[1]'", "8*n"),
    ("nor does a part of one", "r := v[2:]", "8*n"),
    ("a join is written in its place", "r := [exp(v), w*2]", "16*n + 16*n"),
    ("joins double", "t = [v,v]\nu = [t,t]\nx = [u,u]\nr := reduce(x, add, 0)", "8*n + 32*n + 64*n"),
    ("zeros that are given out are held", "r := tol[n,m]", "8*n*m"),
    ("all of them", "r := tol[n,m]\nq := tol[m]\ns := v*2", "8*n + 8*n + 8*n*m + 8*m"),
    ("so are zeros with a name", "t = tol[n,m]\nr := t[1] + t[n]", "8*n*m + 8*m"),
    ("and those that start a fold", "r := reduce(v, (s,t) -> s + t, tol[m])", "8*n + 16*m"),
    ("not those that are only gone through", "r := reduce(tol[n,m], (s,t) -> s + 1, 0)", "0"),
    (
        "a state that shrinks is held at its largest",
        "r := reduce(tol[n-1], (s,t) -> map(tol[|s|[1]-1], s[i]+s[i+1], i), v)",
        "8*n + 16*n",
    ),
    ("a state that grows is, too", "r := reduce(v, (s,t) -> [s,t,t], tol[0])", "8*n + 32*n"),
]


@pytest.mark.parametrize(("what", "program", "held"), MEMORY, ids=[what for what, _, _ in MEMORY])
def test_memory_at_the_peak(what: str, program: str, held: str) -> None:
    """Inputs that are read, then everything held at once at the worst moment."""
    cost = tolang.compile("tol a: R [n,m]\ntol v: R [n]\ntol w: R [n]\n" + program).cost()
    for n, m in ((1, 1), (3, 5), (100, 7)):
        assert cost.at(n=n, m=m).memory == eval(held, {"n": n, "m": m})


def test_memory_is_that_of_the_larger_of_two_moments() -> None:
    cost = tolang.compile(
        "tol v: R [n]\ntol w: R [m]\nx = reduce(exp(v),add,0)\ny = reduce(exp(w),add,0)\nr := x+y"
    ).cost()
    assert str(cost.memory) == "8*n + 8*m + max(8*m, 8*n)" or cost.at(n=10, m=3).memory == 8 * 13 + 80
    assert cost.at(n=3, m=10).memory == 8 * 13 + 80


SPAN = [
    ("one function", "r := exp(v)", "1"),
    ("a chain", "r := exp(exp(v)+1)*2", "4"),
    ("elements do not wait for each other", "r := map(v, *+1)", "1"),
    ("the longer of two", "r := exp(exp(v))+w", "3"),
    ("a fold is a chain", "r := reduce(v, add, 0)", "n"),
    ("a fold waits for what it folds", "r := reduce(map(v, exp(*)+1), add, 0)", "n + 2"),
    ("an initial value may be later", "r := reduce(v, add, exp(exp(exp(w[1]))))", "n + 3"),
    ("a matrix product", "r := map(a, reduce(map(a[i], * * v[1]), add, 0), [i,j])", "m + 1"),
    ("a step of several functions", "r := reduce(v, (s,x) -> (s+x)*2, 0)", "2*n"),
    ("what a step does beside its state", "r := reduce(v, (s,x) -> s+exp(exp(x)), 0)", "n + 2"),
    ("a state that is not used", "r := reduce(v, (s,x) -> exp(x), 0)", "1"),
    ("a fold of folds", "r := reduce(tol[m], (s,x) -> s*reduce(v,add,s[1]), v)", "m*(n + 1)"),
    ("coordinates from data", "r := map(idx, v[*+1]*2)", "2"),
    ("a condition and its branches", "r := map(v, if exp(*) > 0 then *+1 else *)", "2"),
    ("steps that grow", "r := reduce(v, (s,x) -> [s, reduce(s,add,x)], [1])", "n*(n+1)/2"),
    ("free functions take no time", "r := map(tol[n], v[(n+1-i)*1], i)", "0"),
    ("two states", "r := reduce(v, (s,x) -> (s[1]'+x, s[1]'*s[2]'), (0.0,1.0))", "n"),
]


@pytest.mark.parametrize(("what", "program", "span"), SPAN, ids=[what for what, _, _ in SPAN])
def test_span(what: str, program: str, span: str) -> None:
    cost = tolang.compile("tol a: R [n,m]\ntol v: R [n]\ntol w: R [n]\ntol idx: N* [m]\n" + program).cost()
    for n, m in ((1, 1), (2, 3), (9, 4)):
        assert cost.at(n=n, m=m).span == eval(span, {"n": n, "m": m}), cost.span


def test_intensity_tells_what_bounds_a_program() -> None:
    product, addition = tolang.compile(MATMUL), tolang.compile("tol a: R [n]\ntol b: R [n]\nr := a+b")
    assert str(product.cost().intensity) == "k*m*n/(4*(k*m + k*n + m*n))"
    assert product.cost().intensity.growth == 1
    assert product.cost().bound == "arithmetic"
    assert addition.cost().intensity.growth == 0
    assert addition.cost().bound == "memory"
    assert float(addition.cost(n=1000).intensity) == 1 / 24
    assert float(product.cost(n=1200, k=1200, m=1200).intensity) == 100
    assert product.cost(n=12, k=12, m=12).bound == "memory"
    assert product.cost(n=1200, k=1200, m=1200).bound == "arithmetic"
    assert BALANCE > 1


def test_unknown_lengths_have_names_and_bounds() -> None:
    source = "tol v: R [n]\nkept = reduce(v, (s,x) -> if x > 0 then [s,x] else s, tol[0])\nr := map(kept, exp(*)*2)"
    program = tolang.compile(source)
    cost = program.cost()
    assert cost.eops == formula("n + 2*kept_length")
    assert cost.bytes_written == formula("8*kept_length")
    assert list(cost.unknowns) == ["kept_length"]
    assert (cost.unknowns["kept_length"].least, cost.unknowns["kept_length"].greatest) == (0, formula("n"))
    assert "if x>0" in cost.unknowns["kept_length"].origin
    assert program.cost(n=100).eops == 300
    assert program.cost(n=100, kept_length=7).eops == 114
    assert cost(n=100) == 300


def test_lengths_read_from_data() -> None:
    cost = tolang.compile("tol z: N [m]\nr := map(tol[z[1]], exp(i), i)").cost()
    assert cost.eops == formula("r_length")
    assert cost.unknowns["r_length"].greatest is None
    assert cost.unknowns["r_length"].origin == "z[1]"
    with pytest.raises(tolang.ToLangUsageError, match="nothing bounds it"):
        cost(m=3)
    assert cost(m=3, r_length=12) == 12


def test_zeros_of_a_length_from_data_are_held() -> None:
    cost = tolang.compile("tol z: N [m]\nr := tol[z[1]]").cost()
    assert cost.bytes_written == formula("8*r_length")
    assert cost.memory == formula("8*m + 8*r_length")


def test_bounded_data_bounds_a_length() -> None:
    cost = tolang.compile("space few: N [0,9]\ntol z: few [m]\nr := map(tol[z[1]], exp(i), i)").cost()
    assert cost.unknowns["r_length"].greatest == 9
    assert cost(m=1) == 9


def test_two_calls_of_one_filter_have_two_lengths() -> None:
    source = """
    tol v: R [n]
    tol w: R [m]
    positive(t) = reduce(t, (s,x) -> if x > 0 then [s,x] else s, tol[0])
    total(t) = { k = positive(t); reduce(map(k, exp), add, 0) }
    r := total(v)
    q := total(w)
    """
    cost = tolang.compile(source).cost()
    assert cost.eops == formula("n + m + 2*r_part_length + 2*q_part_length")
    assert cost(n=10, m=3) == 39
    assert cost(n=10, m=3, r_part_length=1, q_part_length=2) == 13 + 2 + 4


def test_numerics_among_the_inputs_may_be_lengths() -> None:
    cost = tolang.compile("tol v: R [n]\ntol steps: N\nr := reduce(tol[steps], (s,x) -> s*2, v)").cost()
    assert cost.eops == formula("n*steps")
    assert cost(n=5, steps=7) == 35


def test_a_static_length_without_formula_is_exact_at_given_sizes() -> None:
    cost = tolang.compile("tol v: R [n]\nr := reduce(tol[log(n,2)+1], (s,x) -> s*2, v)").cost()
    assert str(cost.eops) == "n*floor(log(n, 2) + 1)"
    assert [cost(n=n) for n in (1, 2, 7, 8, 1024)] == [1, 4, 21, 32, 1024 * 11]
    assert str(cost.sympy()) == "n*(floor(log(n)/log(2)) + 1)"


def test_and_in_a_sum() -> None:
    cost = tolang.compile("tol v: R [n]\nr := map(v, reduce(tol[sqrt(i)], (s,x) -> s*2, 1), i)").cost()
    assert cost(n=50) == sum(int(np.sqrt(i)) for i in range(1, 51))


def test_symbolic_and_given_sizes_agree() -> None:
    cost = tolang.compile(MATMUL).cost()
    sizes = {"n": 7, "k": 5, "m": 3}
    for measure in ("eops", "bytes_read", "bytes_written", "memory", "span"):
        assert getattr(cost, measure)(**sizes) == getattr(cost.at(**sizes), measure)
        assert cost.sympy(measure).subs(sizes) == getattr(cost.at(**sizes), measure)
    assert cost.sympy("intensity").subs(sizes) == pytest.approx(float(cost.at(**sizes).intensity))


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 EOPs"), (999999, "999999 EOPs"), (1000000, "1 MEOPs"), (33554432, "33.6 MEOPs"), (2 * 10**12, "2 TEOPs")],
)
def test_counts_have_units(count: int, text: str) -> None:
    assert count_text(count) == text


@pytest.mark.parametrize(
    ("count", "text"), [(1, "1 bytes"), (1536, "1.54 kB"), (2 * 10**9, "2 GB"), (5 * 10**12, "5 TB")]
)
def test_bytes_have_units(count: int, text: str) -> None:
    assert bytes_text(count) == text


def test_span_of_nothing_is_nothing() -> None:
    """A fold that appends a sum at every step: the formula of its span is for folds that have an element."""
    source = "tol x: R [n]\nr := reduce(x, (s,v) -> (s[1]' + v, [s[2]', reduce(x, add, 0)]), (0, [0]))[2]'"
    cost = tolang.compile(source).cost()
    assert str(cost.span) == "2*n - 1"
    assert tolang.compile(source).cost(n=0).span == 0
    assert tolang.compile(source).cost(n=4).span == 7


def test_span_of_a_sort_is_a_short_formula() -> None:
    """Two functions before the first element stands, then a binary search and one more for each."""
    cost = tolang.compile("tol x: R [n]\ny := sort(x)").cost()
    assert len(str(cost.span)) < 90
    for n in (1, 2, 3, 8, 9, 1000):
        assert cost.at(n=n).span == 2 + sum(2 * (i - 1).bit_length() + 1 for i in range(1, n + 1))
