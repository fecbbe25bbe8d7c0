"""Products of matrices and vectors, and folds of them: rows side by side, matrices in panels, coordinates apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plans import optimise

import tolang
from tolang.engines.cpu.emission.kernels import modules_of
from tolang.engines.cpu.plan.bytecode import assemble
from tolang.engines.cpu.processors import target_of
from tolang.engines.cpu.runtime.native import assembly, host_target
from tolang.lower.steps import lower
from tolang.plan.kinds import PREPACKED_MATRIX_VECTOR, kind_of
from tolang.plan.nest import Each, Nest, Plan, Repeat, Step
from tolang.plan.target import Target
from tolang.plan.traversal import inner_steps
from tolang.program.runner import Runner
from tolang.schedule.matrix_vector import matrix_vector_of
from tolang.schedule.planning import planned
from tolang.schedule.prepacking import prepack

Array = np.ndarray[Any, Any]
ROWS = "tol a: R [n,k]\ntol x: R [k]\ny := map(tol[n], {fold}, [i]) + 1"
SUM, LEAST = "reduce(map(x, * * a[i,*]), add, 0)", "reduce(map(x, * + a[i,*]), min, +Inf)"
FIXED = "tol a: R [{k},{n}]\ntol x: R [{k}]\ny := map(tol[{n}], {fold}, [i])"
SUM_DOWN, LEAST_DOWN = SUM.replace("a[i,*]", "a[*,i]"), LEAST.replace("a[i,*]", "a[*,i]")
RECURRENT = """
tol h: R [2,{width}]
tol w: R [2,{width},{width}]
tol x: R [steps,2,{width}]
step(s, t) = map(tol[2,{width}], (x[t,d,k] + reduce(map(s[d], * * w[d,k,*]), add, 0)) / {width}, [d,k])
y := reduce(tol[steps], (s,e,t) -> step(s,t), h)
"""
BESIDE = RECURRENT.replace("s[d], * * w", "s[3-d], * * w")
"""A fold whose coordinates depend on each other."""


def plan_of(source: str) -> Plan:
    return optimise(lower(tolang.compile(source).core))


def steps_inside(steps: tuple[Step, ...]) -> Iterator[Step]:
    for step in steps:
        yield step
        yield from steps_inside(inner_steps(step))


def with_fixed(source: str, fixed: str, **data: Array) -> Array:
    job = tolang.compile(source).job((), data)
    engine = Runner("cpu", fallback=False)
    engine.fix(job.core, {fixed: job.inputs[fixed]})
    return engine.run(job.core, job.inputs, job.sizes, 0)[0].to_numpy()


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 16, 31, 100])
def test_rows_side_by_side(n: int, kind: str) -> None:
    """At every number of rows near a block, and lengths near a vector."""
    summed, least = (tolang.compile(ROWS.format(fold=fold), fallback=False) for fold in (SUM, LEAST))
    for k in (1, 4, 9, 64, 131, 300):
        generator = np.random.default_rng(n + k)
        a, x = generator.normal(size=(n, k)).astype(kind), generator.normal(size=k).astype(kind)
        assert np.allclose(summed(a, x), a @ x + 1, rtol=0, atol=1e-4)  # 300 products, summed in another order
        assert np.array_equal(least(a, x), (a + x).min(1, initial=np.inf) + 1)


@settings(max_examples=20, deadline=None)
@given(st.integers(8, 90), st.integers(9, 40), st.sampled_from(["f4", "f8"]), st.integers(1, 2))
def test_matrices_in_panels(n: int, k: int, kind: str, threads: int) -> None:
    generator = np.random.default_rng(n * k)
    a, x = generator.normal(size=(k, n)).astype(kind), generator.normal(size=k).astype(kind)
    tolang.set_threads(threads)
    found = with_fixed(FIXED.format(n=n, k=k, fold=SUM_DOWN), "a", a=a, x=x)
    assert np.allclose(found, x @ a, rtol=0, atol=1e-4)  # 40 products, summed in another order
    assert np.array_equal(found, tolang.compile(FIXED.format(n=n, k=k, fold=SUM_DOWN), fallback=False)(a, x))
    assert np.array_equal(with_fixed(FIXED.format(n=n, k=k, fold=LEAST_DOWN), "a", a=a, x=x), (a.T + x).min(1))


ALONG = "tol a: R [{n},{k}]\ntol x: R [{k}]\ny := map(tol[{n}], reduce(map(x, * * a[i,*]), add, 0), [i])"


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.parametrize(("n", "k"), [(8, 16), (50, 64), (33, 160), (9, 512), (21, 1040)])
def test_rows_in_chunks(n: int, k: int, kind: str) -> None:
    """Rows that a fold reads along lie in chunks once they are fixed, and are folded in the same order."""
    source = ALONG.format(n=n, k=k)
    layouts = prepack(plan_of(source), frozenset({"a.1"}), host_target())
    (nest,) = (step for step in layouts.plan.steps if isinstance(step, Nest))
    found = matrix_vector_of(nest)
    assert found is not None
    assert found.matrix.buffer.panels is not None
    assert found.matrix.buffer.panels.chunk > 1
    generator = np.random.default_rng(n * k)
    a, x = generator.normal(size=(n, k)).astype(kind), generator.normal(size=k).astype(kind)
    free = tolang.compile(source, fallback=False)(a, x)
    assert np.array_equal(with_fixed(source, "a", a=a, x=x), free)
    assert np.allclose(free, a @ x, rtol=0, atol=1e-3 if kind == "f4" else 1e-12)  # sums of 1,040 in another order


def test_rows_without_whole_chunks_stay_as_they_are() -> None:
    layouts = prepack(plan_of(ALONG.format(n=50, k=61)), frozenset({"a.1"}), host_target())
    assert layouts.once is None


def test_panels_are_read_by_the_product() -> None:
    layouts = prepack(plan_of(FIXED.format(n=50, k=60, fold=SUM_DOWN)), frozenset({"a.1"}), host_target())
    nests = [step for step in layouts.plan.steps if isinstance(step, Nest)]
    assert [kind_of(nest) for nest in nests] == [PREPACKED_MATRIX_VECTOR]
    found = matrix_vector_of(nests[0])
    assert found is not None
    assert found.matrix.buffer.panels is not None


@pytest.mark.parametrize(
    ("triple", "cpu", "features", "wanted"),
    [
        ("x86_64-unknown-linux-gnu", "haswell", "+avx2,+fma", "vfmadd231ps"),
        ("x86_64-unknown-linux-gnu", "skylake-avx512", "+avx512f", "zmm"),
        ("aarch64-unknown-linux-gnu", "neoverse-n1", "", "fmla"),
    ],
)
def test_panels_in_registers_of_other_processors(triple: str, cpu: str, features: str, wanted: str) -> None:
    machine: Target = target_of(triple, features)
    source = FIXED.format(n=512, k=128, fold=SUM_DOWN).replace("R", "f32")
    lowered = lower(tolang.compile(source).core)
    layouts = planned(lowered, machine, False, frozenset({"a.1"}))
    (module,) = modules_of(assemble(layouts.plan).calls, machine)
    assert assembly(module, triple, cpu, features).count(wanted) >= 8


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 9), st.sampled_from([64, 80]), st.booleans())
def test_folds_apart_are_bit_for_bit_the_same(steps: int, width: int, fixed: bool) -> None:
    """Each coordinate is folded in the order written, so that strict results are those of the interpreter."""
    generator = np.random.default_rng(steps + width)
    data: dict[str, Any] = {
        "h": generator.normal(size=(2, width)),
        "w": generator.normal(size=(2, width, width)),
        "x": generator.normal(size=(steps, 2, width)),
    }
    source = RECURRENT.format(width=width)
    expected = tolang.compile(source, engine="interpret", strict=True)(**data)
    assert np.array_equal(tolang.compile(source, strict=True, fallback=False)(**data), expected)
    free = with_fixed(source, "w", **data) if fixed else tolang.compile(source, fallback=False)(**data)
    assert np.allclose(free, expected, rtol=1e-12, atol=1e-12)  # sums of 80 products in another order


def test_which_folds_go_apart() -> None:
    def is_apart(source: str) -> bool:
        found = [s for s in plan_of(source).steps if isinstance(s, Each | Repeat)]
        (step,) = found
        return isinstance(step, Each) and any(isinstance(one, Repeat) for one in step.steps)

    assert is_apart(RECURRENT.format(width=64))
    assert not is_apart(RECURRENT.format(width=8))
    assert not is_apart(BESIDE.format(width=64))


def test_coordinates_that_mix_stay_together() -> None:
    generator = np.random.default_rng(1)
    data: dict[str, Any] = {"h": generator.normal(size=(2, 64)), "w": generator.normal(size=(2, 64, 64))}
    data["x"] = generator.normal(size=(5, 2, 64))
    source = BESIDE.format(width=64)
    expected = tolang.compile(source, engine="interpret", strict=True)(**data)
    assert np.array_equal(tolang.compile(source, strict=True, fallback=False)(**data), expected)


def test_contractions_over_rows_of_an_operand() -> None:
    """A fold that reads a reshaped operand goes over its rows, and divides nowhere."""
    source = (
        "tol x: R [3,7,20]\ntol w: R [30,60]\nflat = reshape(map(tol[7,3,20], x[d,t,k], [t,d,k]), [7,60])\n"
        "y := map(tol[7,30], reduce(map(flat[t], * * w[j,*]), add, 0), [t,j])"
    )
    plan = plan_of(source)
    nests = [step for step in steps_inside(plan.steps) if isinstance(step, Nest)]
    assert not any("floor" in repr(nest) for nest in nests)
    generator = np.random.default_rng(7)
    x, w = generator.normal(size=(3, 7, 20)), generator.normal(size=(30, 60))
    expected = x.transpose(1, 0, 2).reshape(7, 60) @ w.T
    assert np.allclose(tolang.compile(source, fallback=False)(x, w), expected, rtol=1e-12, atol=1e-12)
