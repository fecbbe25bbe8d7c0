"""What is the same in every turn of a loop is computed once: how much plans compute, and that nothing else changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.plan.test_work import works
from tests.rewrite.test_passes import nests, plan_of

import tolang
from tolang.core.core import Let
from tolang.core.invariants import with_invariants_first
from tolang.core.let_chain import unwound
from tolang.core.verifier import verify
from tolang.program.costing import eops_at

X, A = "tol x: R [n]\n", "tol a: R [m,n]\n"
ROWS = np.random.default_rng(4).random((3, 4))
DATA = {"x": ROWS[0], "a": ROWS, "z": ROWS[1], "k": np.array([1, 3, 2, 2])}
LINEAR = {
    "two of them": f"{X}y := map(x, (* - mean(x)) / standard_deviation(x))",
    "norm": f"use linalg\n{X}y := map(x, * / norm(x))",
    "softmax": f"use nn\n{X}y := map(x, softmax(x)[i], i)",
    "fold": f"{X}y := reduce(x, (s,e) -> s + e*mean(x), 0)",
    "step": f"{X}y := reduce(tol[5], (s,k) -> map(s, * / sum(s) + mean(x)), x)",
    "step with an end": f"{X}y := reduce(tol[9], (s,k) -> if s < 3*mean(x) then s + mean(x) else s, 0.0)",
    "whole numbers": "tol k: Z [n]\ntol z: R [n]\ny := map(z, * + sum(k))",
    "block": f"{X}y := map(x, {{ m = mean(x); t = map(x, exp(* - m)); exp(* - m) / sum(t) }}, i)",
    "block of many functions": f"{X}y := map(x, {{ t = map(x, * * 2 + 1 - 3 / 4); t[1] + t[i] + * }}, i)",
    "function": f"{X}f(v,i) = v[i] - mean(v)\ny := map(x, f(x,i), i)",
    "called outside": f"{X}f(v) = map(v, * - mean(v))\ny := f(f(x))",
    "two levels": f"{X}tol z: R [n]\ny := map(x, sum(map(z, * * mean(z))) + *)",
    "condition": f"{X}y := map(x, if * > mean(x) then * / sum(x) else *)",
    "condition on coordinates": f"{X}y := map(x, if i > 1 then x[i-1] / sum(x) else *, i)",
    "condition on sizes": f"{X}y := map(x, if n > 3 then * / sum(x) else * - mean(x))",
    "place": f"{X}y := map(x, * - x[argmax(x)])",
    "unknown length": f"{X}y := map(x, {{ f = filter(x, v -> v > 0.1); f[1] + * }})",
}
QUADRATIC = {
    "loop fusion": f"{A}y := map(a, * - mean(a[i]), [i,j])",
    "columns": f"{A}y := map(a, * - mean(a[:,j]), [i,j])",
    "rows, columns and all": f"{A}y := map(a, * - mean(a[:,j]) - mean(a[i]) + mean(a), [i,j])",
    "rows of rows": f"{A}y := map(tol[m], map(a[i], * - mean(a[i])), i)",
    "column in a fold": f"use linalg\n{A}y := map(tol[m], sum(map(tol[n], a[i,j] * norm(a[:,j]), j)), i)",
}
SORTED = {
    "sort": f"{X}y := map(x, * - sort(x)[i], i)",
    "sort in one branch": f"{X}y := map(x, if * > 0.5 then * else sort(x)[i], i)",
    "places from data": "tol x: R [n]\ntol k: N [m]\ny := map(k, sort(x)[(*)])",
    "loop fusion": f"{A}y := map(a, * - sort(a[i])[j], [i,j])",
    "columns": f"{A}y := map(a, * - sort(a[:,j])[i], [i,j])",
}


def is_the_same(text: str) -> None:
    """Whether compiled code gives what the program as written does."""
    compiled, written = tolang.compile(text, engine="cpu", fallback=False), tolang.compile(text, engine="interpret")
    verify(with_invariants_first(written.core))
    data = {name: DATA[name] for name in written.inputs}
    np.testing.assert_allclose(compiled(**data), written(**data), rtol=1e-12)


def grows(text: str) -> float:
    """How many times as much a plan computes where all sizes are four times as long."""
    sizes = tolang.compile(text, engine="interpret").core.sizes

    def total(length: int) -> float:
        return sum(most for most, _ in works(text, **dict.fromkeys(sizes, length)))

    return total(4000) / total(1000)


@pytest.mark.parametrize("name", LINEAR)
def test_vectors_are_linear_work(name: str) -> None:
    assert grows(LINEAR[name]) < 4.5
    is_the_same(LINEAR[name])


@pytest.mark.parametrize("name", QUADRATIC)
def test_matrices_are_work_of_their_elements(name: str) -> None:
    assert grows(QUADRATIC[name]) < 18
    is_the_same(QUADRATIC[name])


@pytest.mark.parametrize("name", SORTED)
def test_what_is_sorted_is_sorted_once(name: str) -> None:
    core = with_invariants_first(tolang.compile(SORTED[name], engine="interpret").core)
    counts = [eops_at(core, dict.fromkeys(core.sizes, length), {}) for length in (1000, 4000)]
    assert counts[0] is not None
    assert counts[1] is not None
    assert counts[1] < counts[0] * (5 if len(core.sizes) == 1 or "k" in name or name.startswith("places") else 20)
    is_the_same(SORTED[name])


def test_costs_are_those_of_the_program_as_written() -> None:
    assert str(tolang.compile(f"{X}y := map(x, * / sum(x))").cost().eops) == "n*(n + 1)"


@pytest.mark.parametrize("text", [LINEAR["two of them"], LINEAR["softmax"], SORTED["sort"]])
def test_gradients_are_linear_work(text: str) -> None:
    program = tolang.compile(f"{text}\nloss := sum(map(y, * * i, i))", engine="cpu")
    gradient = program.gradient("loss", "x")
    if text != SORTED["sort"]:
        core = with_invariants_first(gradient.core)
        counts = [eops_at(core, {"n": length}, {}) for length in (1000, 4000)]
        assert counts[0] is not None
        assert counts[1] is not None
        assert counts[1] < 5 * counts[0]
    x = np.array([0.3, 0.9, 0.1, 0.5])
    found = gradient(x=x)
    for place in range(4):
        step = np.eye(4)[place] * 1e-6
        slope = (loss(program, x + step) - loss(program, x - step)) / 2e-6
        np.testing.assert_allclose(np.asarray(found)[place], slope, rtol=1e-4, atol=1e-5)


def loss(program: tolang.Program, x: Any) -> float:
    values: Any = program(x=x)
    return float(values["loss"] if isinstance(values, dict) else values[-1])


OUTSIDE = "tol x: R [n]\ntol z: R [m]\n"
OVERFLOW = "tol k: Z [n]\ntol z: R [m]\n"
LARGE = np.array([1 << 62, 1 << 62, 1 << 62])
FAULTS: dict[str, tuple[str, dict[str, Any], int]] = {
    "range in a map": (f"{OUTSIDE}y := map(z, * + sum(map(tol[3], x[i+2], i)))", {"x": np.ones(3)}, 3),
    "range in a fold": (f"{OUTSIDE}y := reduce(z, (s,e) -> s + sum(map(tol[3], x[i+2], i)), 0.0)", {"x": np.ones(3)}, 3),
    "sum in a map": (f"{OVERFLOW}y := map(z, * + sum(k))", {"k": LARGE}, 3),
    "sum in a fold": (f"{OVERFLOW}y := reduce(z, (s,e) -> s + sum(k), 0.0)", {"k": LARGE}, 3),
    "branch of data": (f"{OVERFLOW}y := map(z, if * > 0 then * + sum(k) else 0)", {"k": LARGE}, 3),
    "branch of coordinates": (f"{OVERFLOW}y := map(z, if i > 2 then * + sum(k) else 0, i)", {"k": LARGE}, 3),
    "branch of a state": (f"{OVERFLOW}y := reduce(z, (s,e) -> if s + e > 5 then s + sum(k) else s, 0.0)", {"k": LARGE}, 0),
    "columns": (f"{OVERFLOW}y := map(tol[m,n], if z[i] > 0 then sum(k) - k[j] else 0, [i,j])", {"k": LARGE}, 3),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_nothing_is_wrong_that_the_program_does_not_evaluate(name: str) -> None:
    text, data, wrong = FAULTS[name]
    compiled, written = tolang.compile(text, engine="cpu", fallback=False), tolang.compile(text, engine="interpret")
    for z in (np.zeros(0), -np.ones(1)):
        try:
            wanted = written(**data, z=z)
        except tolang.ToLangRunError:
            assert z.size, "nothing is evaluated of what has no elements"
            continue
        np.testing.assert_array_equal(compiled(**data, z=z), wanted)
    if wrong:
        with pytest.raises(tolang.ToLangRunError) as expected:
            written(**data, z=np.ones(wrong))
        with pytest.raises(tolang.ToLangRunError) as found:
            compiled(**data, z=np.ones(wrong))
        assert str(found.value) == str(expected.value)


def test_a_loop_that_never_turns_evaluates_nothing() -> None:
    """Neither as it is written, nor ahead of it, as what does not change in it would be."""
    text = "tol x: R [n]\ntol d: N\nstep(s) = map(s, * + reduce(map(x, (e,k) -> x[k+d]), add, 0))\n"
    for body in (
        "reduce(tol[0], (s,_) -> step(s), x)",
        "reduce(tol[3], (s,_) -> reduce(tol[0], (t,_) -> step(t), s), x)",
    ):
        compiled = tolang.compile(f"{text}y := {body}", engine="cpu", fallback=False)
        np.testing.assert_array_equal(compiled(np.arange(9.0), d=5), np.arange(9.0))


def test_lengths_of_values_that_leave_a_branch_are_known() -> None:
    text = (
        "tol x: i64 [n]\ntol z: i64 [n]\ny := reduce(tol[4], (s,_,t) -> reduce(tol[4], (r,_) -> if t % 2 == 1 then s else "
        "{ kept = reduce(s, (f,e) -> if e > 0 then [f,e] else f, tol[0]); "
        "map(s, (e,k) -> if k <= |kept|[1] then (e + kept[k]) % 7 else e) }, z), x)"
    )
    x, z = np.arange(-3, 12), np.ones(15, np.int64)
    found = tolang.compile(text, engine="cpu", fallback=False)(x, z)
    np.testing.assert_array_equal(found, tolang.compile(text, engine="interpret")(x, z))


def test_each_element_draws_its_own_numbers() -> None:
    text = f"{X}y := map(x, mean(map(x, rand(1))))"
    found = np.asarray(tolang.compile(text, engine="cpu", fallback=False)(DATA["x"], seed=3))
    np.testing.assert_allclose(found, tolang.compile(text, engine="interpret")(DATA["x"], seed=3), rtol=1e-12)
    assert len(set(found.tolist())) == 4


def test_what_is_sooner_computed_than_read_is_not_stored() -> None:
    (nest,) = nests(plan_of(f"{A}y := map(a, * + 2*a[i,1] - a[1,j], [i,j])"))
    assert [str(extent) for extent in nest.extents] in (["m", "n"], ["m*n"])
    text = f"{A}y := map(tol[n,n], sum(map(tol[m], (a[k,i]-mean(a[:,i]))*(a[k,j]-mean(a[:,j])), k)), [i,j])"
    links, _ = unwound(with_invariants_first(tolang.compile(text).core).body)
    assert [one.value.type.rank for one in links if isinstance(one, Let)] == [1, 1, 2]  # means, and the result
    is_the_same(text)
