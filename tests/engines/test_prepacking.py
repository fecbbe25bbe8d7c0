"""Inputs with the same values in all calls: what follows from them alone is made once, and results stay what they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plans import optimise

import tolang
from tolang.engines.cpu.emission.kernels import modules_of
from tolang.engines.cpu.engine import CpuExecutable
from tolang.engines.cpu.runtime.native import host_target
from tolang.lower.steps import lower
from tolang.plan.nest import Nest
from tolang.program.runner import Runner
from tolang.schedule.prepacking import Prepacked, prepack

Array = np.ndarray[Any, Any]
PRODUCT = "tol x: R [n,{k}]\ntol w: R [{k},{m}]\ny := map(tol[n,{m}], reduce(map(x[i], * * w[*,j]), add, 0), [i,j])"
TURNED = "tol x: R [n,{k}]\ntol w: R [{m},{k}]\ny := map(tol[n,{m}], reduce(map(x[i], * * w[j,*]), add, 0), [i,j])"
LEFT = "tol x: R [{k},n]\ntol w: R [{m},{k}]\ny := map(tol[{m},n], reduce(map(w[i], * * x[*,j]), add, 0), [i,j])"
SMALLEST = "tol x: R [n,{k}]\ntol w: R [{k},{m}]\ny := map(tol[n,{m}], reduce(map(x[i], * + w[*,j]), min, +Inf), [i,j])"


def ran(source: str, fixed: str, **data: Array) -> tuple[Array, Array, Runner]:
    """What a program gives with some of its inputs fixed, and with none; and the engine of the first."""
    program = tolang.compile(source)
    job = program.job((), data)
    engine = Runner("cpu", fallback=False)
    engine.fix(job.core, {name: job.inputs[name] for name in fixed.split()})
    for _ in range(2):
        found = engine.run(job.core, job.inputs, job.sizes, 0)[0].to_numpy()
    return found, Runner("cpu").run(job.core, job.inputs, job.sizes, 0)[0].to_numpy(), engine


def makes_once(engine: Runner) -> int:
    """How many buffers an engine's only program makes before its first call."""
    (prepared,) = engine._prepared.values()
    assert isinstance(prepared.whole, CpuExecutable)
    return 0 if prepared.whole.artifact.once is None else len(prepared.whole.artifact.once.makes)


def laid_out(source: str, fixed: str) -> Prepacked:
    plan = optimise(lower(tolang.compile(source).core))
    return prepack(plan, frozenset(f"{name}.1" for name in fixed.split()), host_target())


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.parametrize(
    ("n", "m", "k"), [(9, 13, 17), (30, 40, 1100), (5, 1, 3), (4, 25, 1), (4, 6, 0), (64, 48, 500)]
)
def test_products_are_the_same_bit_for_bit(n: int, m: int, k: int, kind: str) -> None:
    generator = np.random.default_rng(n * m + k)
    x, w = (generator.normal(size=size).astype(kind) for size in ((n, k), (k, m)))
    tolerance = 1e-4 if kind == "f4" else 1e-10  # sums of 1,100 products, rounded in another order than NumPy's
    for form, given_x, given_w, expected in (
        (PRODUCT, x, w, x @ w),
        (TURNED, x, np.ascontiguousarray(w.T), x @ w),
        (LEFT, np.ascontiguousarray(x.T), np.ascontiguousarray(w.T), (x @ w).T),
    ):
        found, plain, _ = ran(form.format(k=k, m=m), "w", x=given_x, w=given_w)
        assert np.array_equal(found, plain)
        assert np.allclose(found, expected, rtol=tolerance, atol=tolerance)


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), st.sampled_from([PRODUCT, TURNED, LEFT, SMALLEST]))
def test_any_lengths(n: int, m: int, k: int, form: str) -> None:
    generator = np.random.default_rng(n + 41 * m + 1700 * k)
    x, w = generator.normal(size=(n, k)), generator.normal(size=(k, m))
    if form is LEFT:
        x = np.ascontiguousarray(x.T)
    if form in (LEFT, TURNED):
        w = np.ascontiguousarray(w.T)
    found, plain, _ = ran(form.format(k=k, m=m), "w", x=x, w=w)
    assert np.array_equal(found, plain)
    if form is SMALLEST:
        assert np.array_equal(found, (x[:, :, None] + w[None]).min(1))


@pytest.mark.parametrize("form", [PRODUCT, TURNED, LEFT])
def test_kernel_packs_the_other_operand_only(form: str) -> None:
    """Panels that are there are neither packed again nor read element by element."""
    source = form.format(k=100, m=50)

    def packs(plan: Any) -> int:
        from tolang.engines.cpu.plan.bytecode import assemble

        table = assemble(plan)
        modules = modules_of([one for one in table.calls if one.shared.key not in table.rare], host_target())
        return sum(name.split(".")[0] == "pack" for module in modules for name in module.globals)

    layouts = laid_out(source, "w")
    assert layouts.once is not None
    assert packs(layouts.plan) == 1
    assert packs(layouts.once) == 1
    assert packs(laid_out(source, "").plan) == 2


def test_panels_are_shared() -> None:
    source = PRODUCT.format(k=20, m=30) + "\nz := map(tol[n,30], reduce(map(x[i], * * w[*,j]), add, 1), [i,j])"
    layouts = laid_out(source, "w")
    assert layouts.once is not None
    assert len(layouts.once.outputs) == 1


def test_scaled_weights_are_computed_once() -> None:
    """What is packed may be an expression of fixed inputs, as weights in few bits are."""
    source = (
        "tol x: R [n,40]\ntol w: R [40,30]\ntol scale: R [30]\n"
        "y := map(tol[n,30], reduce(map(tol[40], x[i,k] * (w[k,j] * scale[j]), [k]), add, 0), [i,j])"
    )
    generator = np.random.default_rng(5)
    x, w, scale = (generator.normal(size=size) for size in ((7, 40), (40, 30), (30,)))
    found, plain, engine = ran(source, "w scale", x=x, w=w, scale=scale)
    assert np.array_equal(found, plain)
    assert np.allclose(found, x @ (w * scale))
    assert makes_once(engine) == 1


def test_steps_of_fixed_inputs_run_once() -> None:
    source = "tol x: R [n]\ntol w: R [300]\nw1 = sort(w)\ny := map(x, * + reduce(map(w1, * * w[i], [i]), add, 0))"
    layouts = laid_out(source, "w")
    assert layouts.once is not None
    nests = [step for step in layouts.plan.steps if isinstance(step, Nest)]
    assert len(nests) == 1
    generator = np.random.default_rng(2)
    x, w = generator.normal(size=9), generator.normal(size=300)
    found, plain, _ = ran(source, "w", x=x, w=w)
    assert np.array_equal(found, plain)
    assert np.allclose(found, x + np.sort(w) @ w)


def test_sizes_random_numbers_and_outputs_are_not_fixed() -> None:
    program = tolang.compile("tol w: R [5]\ntol x: R [n]\ny := map(w, * + rand(1))\nz := map(w, * * n)")
    job = program.job((), {"w": np.ones(5), "x": np.ones(3)})
    engine = Runner("cpu", fallback=False)
    engine.fix(job.core, {"w": job.inputs["w"]})
    first, second = (engine.run(job.core, job.inputs, job.sizes, seed)[0].to_numpy() for seed in (1, 2))
    assert not np.array_equal(first, second)


def test_a_failed_check_is_told_as_ever() -> None:
    source = "tol w: R [5]\ntol at: N [4]\ntol x: R [n]\npicked = map(tol[4], w[at[i]], [i])\ny := map(tol[n,4], picked[i] * x[j], [j,i])"
    program = tolang.compile(source)
    job = program.job((), {"w": np.ones(5), "at": np.array([1, 2, 9, 3]), "x": np.ones(3)})
    told = []
    for engine in (Runner("cpu", fallback=False), Runner("interpret")):
        engine.fix(job.core, {name: job.inputs[name] for name in ("w", "at")})
        with pytest.raises(tolang.ToLangError) as error:
            engine.run(job.core, job.inputs, job.sizes, 0)
        told.append(str(error.value))
    assert told[0] == told[1]


@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize(("m", "k"), [(1, 16), (7, 64), (8, 128), (9, 128), (23, 32), (64, 48), (65, 256), (5, 100)])
def test_rows_of_a_panel_are_folded_as_rows_are(m: int, k: int, kind: str) -> None:
    """Of the last panel, too, which may have fewer rows than others."""
    source = (
        f"tol x: {kind} [{k}]\ntol w: {kind} [{m},{k}]\n"
        f"y := map(tol[{m}], reduce(map(tol[{k}], w[i,p] * x[p], p), add, 0), i)"
    )
    generator = np.random.default_rng(m * k)
    x, w = (generator.normal(size=size).astype("f4" if kind == "f32" else "f8") for size in (k, (m, k)))
    program = tolang.compile(source, engine="cpu", fallback=False)
    plain, fixed = program(x, w), program.fix(w=w)(x)
    assert np.array_equal(plain, fixed)
    np.testing.assert_allclose(fixed, w.astype("f8") @ x, rtol=1e-4 if kind == "f32" else 1e-12, atol=1e-5)
