"""A fold's own sum of products is rounded once, on every way that a fold is compiled; nothing else ever is.

Each fold here has one element, whose product with itself is all but cancelled by the initial value: what is left is what
the rounding of the product alone would lose.  It is left where, and only where, sum and product are fused.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from tests.plans import optimise

import tolang
from tolang.engines.cpu.emission.kernels import modules_of
from tolang.engines.cpu.plan.bytecode import assemble
from tolang.engines.cpu.processors import target_of
from tolang.engines.cpu.runtime import native
from tolang.lower.steps import lower

pytestmark = pytest.mark.compiled("full")

KINDS: dict[str, tuple[Any, float]] = {
    "f32": (np.float32, 1 + 2.0**-13), "f64": (np.float64, 1 + 2.0**-30), "f16": (np.float16, 1 + 2.0**-10),
    "bf16": (ml_dtypes.bfloat16, 1 + 2.0**-7),
}  # fmt: skip
"""A number of each kind whose square has more digits than the kind holds."""
FUSED = {
    "a fold": "map(tol[n], reduce(map(x[i], * * *), add, c), i)",
    "a step": "map(tol[n], reduce(x[i], (s,t) -> s + t*t, c), i)",
    "the state second": "reduce(v, (s,t) -> t*t + s, c)",
    "a name for a factor": "reduce(v, (s,t) -> { d = t + 0; s + d*d }, c)",
    "a name inside the term": "map(tol[n], reduce(map(x[i], t -> { d = t + 0; d*d }), add, c), i)",
    "a square": "map(tol[n], reduce(map(x[i], *^2), add, c), i)",
    "a square of a sum": "map(tol[n], reduce(map(x[i], (* + 0)^2), add, c), i)",
    "a matrix and a vector": "map(tol[n], reduce(map(x[i], * * v[*]), add, c), i)",
    "columns": "map(tol[n], reduce(map(w[:,i], * * v[*]), add, c), i)",
    "a product": "map(tol[n,n], reduce(map(x[i], * * w[*,j]), add, c), [i,j])",
    "a few rows": "map(tol[2,n], reduce(map(x[i], * * w[*,j]), add, c), [i,j])",
    "a few columns": "map(tol[n,2], reduce(map(x[i], * * w[*,j]), add, c), [i,j])",
    "distances": "map(tol[n,n], reduce(map(x[i], (* - 0*w[*,j])^2), add, c), [i,j])",
    "a window": "map(tol[n], reduce(map(tol[1], x[i,q]*x[i,q], q), add, c), i)",
    "over and over": "map(tol[n], reduce(tol[k], (s,q) -> s + x[i,1]*x[i,1], c), i)",
    "a scan": "map(tol[1], reduce(v[1:i], (s,t) -> s + t*t, c), i)",
    "with a ToL on the way": "reduce(v, (s,t) -> { l = sort([t,t]); s + l[1]*t }, c)",
}  # fmt: skip
PLAIN = {
    "a difference": "reduce(v, (s,t) -> s - (-t)*t, c)",
    "a term that is a sum": "reduce(map(v, * * * + 0), add, c)",
    "a choice": "reduce(map(v, if * > 0 then * * * else 0), add, c)",
    "a state that is a list": "reduce(map(v, (* * *, *)), add, (c,0))[1]'",
    "a state that is a ToL": "reduce(tol[k], (s,q) -> s + map(v, * * *), map(v, c))",
    "outside a fold": "map(v, * * * + c)",
    "after a fold": "map(tol[n], x[i,1]*x[i,1] + reduce(map(x[i], 0 * *), add, c), i)",
    "after a product": "map(tol[n,n], x[i,1]*x[j,1] + reduce(map(x[i], 0 * w[*,j]), add, c), [i,j])",
    "a product of the state": "reduce(v, (s,t) -> t*t + 1*s, c)",
    "a condition": "map(v, if * * * + c > 0 then 1.0 else 0.0)",
    "a root": "map(tol[n], sqrt(x[i,1]*x[i,1] - v[1]*v[1]), i)",
}  # fmt: skip
ROWS = 37


def source(kind: str, expression: str) -> str:
    return f"tol x: {kind} [n,k]\ntol w: {kind} [k,n]\ntol v: {kind} [k]\ntol c: {kind}\nr := {expression}"


@cache
def program(kind: str, expression: str, strict: bool) -> tolang.Program:
    return tolang.compile(source(kind, expression), engine="cpu", strict=strict, fallback=False)


def kept(kind: str) -> float:
    """What is left of the square where this processor rounds sums of products once, or twice.

    Products of halves have no more digits than the f32 that they are computed in.
    """
    return lost(kind) if native.host_target().fuses or kind in ("f16", "bf16") else 0.0


def lost(kind: str) -> float:
    """What the rounding of the square loses, exactly."""
    made, number = KINDS[kind]
    return float(Fraction(number) ** 2 - Fraction(float(made(number * number))))


def found(kind: str, expression: str, strict: bool) -> set[float]:
    made, number = KINDS[kind]
    square = made(number * number)
    data = np.full((ROWS, 1), number, made)
    result = program(kind, expression, strict)(data, data.T.copy(), data[0], -square)
    return set(np.asarray(result).astype(np.float64).ravel().tolist())


@pytest.mark.parametrize("form", FUSED)
def test_sums_of_products_are_rounded_once(form: str) -> None:
    for kind in KINDS if form == "a product" else ("f32",):
        assert lost(kind) != 0
        assert found(kind, FUSED[form], False) == {kept(kind)}, kind


def test_a_fold_on_all_threads_is_fused() -> None:
    """There the initial value is added last, so that what is cancelled is another product."""
    number = KINDS["f64"][1]
    text = "tol p: f64 [n]\ntol q: f64 [n]\nr := reduce(map(p, * * q[*]), add, 0)"
    one, two = np.array([-number * number, number]), np.array([1, number])
    assert tolang.compile(text, engine="cpu", fallback=False)(one, two) == kept("f64")
    assert tolang.compile(text, engine="cpu", fallback=False, strict=True)(one, two) == 0


@pytest.mark.parametrize("form", PLAIN)
def test_nothing_else_is(form: str) -> None:
    assert found("f32", PLAIN[form], False) == {0.0}


def test_nothing_is_in_strict_mode() -> None:
    """All ways in one program, as the interpreter has them."""
    forms = [*FUSED.values(), *PLAIN.values()]
    head = source("f32", "0").removesuffix("r := 0")
    whole = head + "\n".join(f"r{number} := {form}" for number, form in enumerate(forms))
    data = np.full((ROWS, 1), KINDS["f32"][1], np.float32)
    inputs = data, data.T.copy(), data[0], -np.float32(data[0, 0] * data[0, 0])
    for engine in ("cpu", "interpret"):
        results = tolang.compile(whole, engine=engine, strict=True, fallback=False)(*inputs)
        assert {float(one) for result in results.values() for one in np.ravel(result)} == {0.0}, engine


def test_a_term_is_not_regrouped() -> None:
    """The order of a sum is free, that of its terms is not: what a term loses is lost."""
    p, q = np.full(1000, 1e-30), np.ones(1000)
    text = "tol p: f64 [n]\ntol q: f64 [n]\nr := reduce(map(p, (* + q[*]) - q[*]), add, 0)"
    assert tolang.compile(text, engine="cpu", fallback=False)(p, q) == 0
    rows = "tol p: f64 [m,n]\ntol q: f64 [n]\nr := map(tol[m], reduce(map(p[i], ((* + q[*]) - q[*])*q[*]), add, 0), i)"
    assert not tolang.compile(rows, engine="cpu", fallback=False)(np.tile(p[:50], (9, 1)), q[:50]).any()


@pytest.mark.parametrize("strict", [False, True])
def test_no_flag_lets_llvm_round_otherwise(strict: bool) -> None:
    """Nothing is marked as something that LLVM may reorder or fuse."""
    chosen = ("a fold", "a matrix and a vector", "columns", "a product", "a window", "over and over", "a scan")
    more = ["softmax(x,2)", "map(tol[n,n], exp(reduce(map(x[i], max(*, w[*,j])), min, Inf))*x[1,1] + x[i,1], [i,j])"]
    forms = [*(FUSED[name] for name in chosen), *more]
    marks = re.compile(r"\b(contract|nsz|nnan|ninf|arcp|afn|fast|reassoc)\b")
    for form in forms:
        plan = optimise(lower(tolang.compile(source("f32", form)).core), strict=strict)
        for module in modules_of(assemble(plan).calls, native.host_target()):
            for line in str(module).splitlines():
                assert not marks.search(line), line


def test_a_processor_without_the_instruction_rounds_twice() -> None:
    """There a fused sum would be a call of the C library for every element."""
    old = target_of("x86_64-unknown-linux-gnu", "+sse2")
    assert target_of("x86_64-unknown-linux-gnu", "+avx2,+fma").fuses
    assert not old.fuses
    for form in ("a fold", "a product", "columns"):
        plan = optimise(lower(tolang.compile(source("f32", FUSED[form])).core), old)
        text = "".join(str(module) for module in modules_of(assemble(plan).calls, old))
        assert "llvm.fma" not in text, form
        assert "fmul" in text, form
