"""Programs as operators of JAX, judged by JAX."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tolang

jax: Any = pytest.importorskip("jax", reason="needs jax: make bridges")
bridge: Any = pytest.importorskip("tolang.jax", reason="needs jax: make bridges")
jax_calls: Any = importlib.import_module("tolang.bridges.jax_calls")
jnp: Any = jax.numpy

MIXED = """
tol a: R [n,k]
tol b: R [k,m]
c := map(tol[n,m], reduce(map(a[i], tanh(* * b[*,j])), add, 0), [i,j])
"""


def mixed(a: Any, b: Any) -> Any:
    return jnp.tanh(a[:, :, None] * b[None]).sum(1)


@pytest.fixture(scope="module")
def operator() -> Any:
    return bridge.operator(MIXED)


@pytest.fixture
def wide() -> Iterator[None]:
    """Numbers of 64 bits, which JAX has only where they are switched on."""
    with jax.enable_x64(True):
        yield


def random(*shape: int, kind: Any = np.float32) -> Any:
    return jnp.asarray(np.random.default_rng(sum(shape)).standard_normal(shape), dtype=kind)


def close(one: Any, two: Any, tolerance: float = 2e-5) -> None:
    np.testing.assert_allclose(np.asarray(one, np.float64), np.asarray(two, np.float64), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("kind", ["float32", "bfloat16"])
def test_values(operator: Any, kind: str) -> None:
    a, b = random(3, 4, kind=kind), random(4, 2, kind=kind)
    for one in (operator, jax.jit(operator)):
        found = one(a, b)
        assert isinstance(found, jax.Array)
        assert found.dtype == kind
        close(found, mixed(a, b), 2e-5 if kind == "float32" else 5e-2)


@pytest.mark.usefixtures("wide")
def test_values_of_64_bits(operator: Any) -> None:
    a, b = random(3, 4, kind=np.float64), random(4, 2, kind=np.float64)
    found = jax.jit(operator)(a, b)
    assert found.dtype == np.float64
    close(found, mixed(a, b), 1e-13)
    testing = importlib.import_module("jax.test_util")
    testing.check_grads(operator, (a[:1, :2], b[:2, :1]), order=2, modes=["rev"])


def test_gradients(operator: Any) -> None:
    a, b = random(3, 4), random(4, 2)
    for place in (1, (0, 1)):
        found = jax.jit(jax.grad(lambda a, b: operator(a, b).sum(), argnums=place))(a, b)
        expected = jax.grad(lambda a, b: mixed(a, b).sum(), argnums=place)(a, b)
        jax.tree.map(close, found, expected)
    twice = [jax.jacrev(jax.jacrev(lambda x, one=one: one(x, b).sum()))(a) for one in (operator, mixed)]
    close(*twice)


def test_pullbacks_are_made_for_what_is_needed() -> None:
    one = bridge.operator(MIXED)
    jax.grad(lambda b: one(random(3, 4), b).sum())(random(4, 2))
    assert list(one._pullbacks) == [(("c",), ("b",))]


def test_batches(operator: Any) -> None:
    a, b, rows = random(5, 3, 4), random(4, 2), random(4, 5, 2)
    close(jax.vmap(operator, (0, None))(a, b), jax.vmap(mixed, (0, None))(a, b))
    close(jax.jit(jax.vmap(operator, (0, 1)))(a, rows), jax.vmap(mixed, (0, 1))(a, rows))
    nested = [jax.vmap(jax.vmap(one, (None, 1)), (0, None))(a, rows) for one in (operator, mixed)]
    close(*nested)
    slopes = [jax.vmap(jax.grad(lambda x, one=one: one(x, b).sum()))(a) for one in (operator, mixed)]
    close(*slopes)
    summed = bridge.operator("tol x: R [n]\ny := reduce(filter(x, e -> e > 0), add, 0)")
    close(jax.vmap(summed)(a[0]), jax.nn.relu(a[0]).sum(1))


def test_several_results_and_kinds_of_data() -> None:
    one = bridge.operator(
        "tol x: R [n]\ntol places: Z [m]\ntol w: R\npicked := map(places, k -> x[k] * w)\ncount := |x|[1]"
    )
    x, places = random(4), jnp.array([1, 4, 4])
    found = jax.jit(one)(x, places, w=2.0)
    assert found.keys() == {"picked", "count"}
    assert found["count"].dtype == np.int32
    assert int(found["count"]) == 4
    close(found["picked"], x[places - 1] * 2)
    slope = jax.grad(lambda x, w: one(x, places, w)["picked"].sum(), argnums=(0, 1))(x, 2.0)
    close(slope[0], [2.0, 0.0, 0.0, 4.0])
    close(slope[1], x[places - 1].sum())


def test_sizes_and_seeds() -> None:
    rows = bridge.operator("tol x: R [n*m]\ny := map(tol[n,m], x[(i-1)*m+j], [i,j])")
    assert jax.jit(lambda x: rows(x, n=2))(jnp.arange(6.0)).tolist() == [[0, 1, 2], [3, 4, 5]]
    drawing = bridge.operator("tol x: R [n]\ny := map(x, * + rand(1.0))")
    one, other = jax.jit(drawing)(jnp.zeros(3)), jax.jit(lambda x: drawing(x, seed=1))(jnp.zeros(3))
    assert (one == drawing(jnp.zeros(3))).all()
    assert not (one == other).all()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda: bridge.operator("tol x: R [n]\ny := filter(x, e -> e > 0)"), "E614: only running tells the shape of y"),
        (lambda: bridge.operator("tol x: Q [n]\ny := x"), "E614: the program takes x, which is in Q"),
        (lambda: jax.jit(bridge.operator(MIXED))(jnp.ones((2, 3)), jnp.ones((2, 3))), "E516: dimension 1 of b has length 2"),
        (lambda: bridge.operator("tol x: Z [n]\ny := map(x, * * 10^6 * 10^6)")(jnp.ones(2, int)), "E614: a whole number is beyond the int32"),
        (lambda: bridge.operator(MIXED)(jnp.ones((2, 3))), "E603"),
    ],
)  # fmt: skip
def test_what_is_refused(wrong: Any, told: str) -> None:
    with pytest.raises(tolang.ToLangError, match=told):
        wrong()


def test_other_devices_are_refused(operator: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    monkeypatch.setattr(jax, "config", SimpleNamespace(jax_default_device=None))
    with pytest.raises(tolang.ToLangUsageError, match="E615: JAX computes on gpu"):
        jax.make_jaxpr(operator)(random(2, 2), random(2, 2))


def test_compiled_code_is_called_by_xla() -> None:
    """From the third call on; at sizes that change, in several threads, inside vmap and grad."""
    cubed = bridge.operator("tol x: R [n]\ny := map(x, *^3)")
    call, slope = jax.jit(cubed), jax.jit(jax.vmap(jax.grad(lambda x: cubed(x).sum())))

    def computed(rows: int) -> None:
        for length in (2, 3, 2, 3, 2, 3):
            x = np.arange(rows * length, dtype=np.float32).reshape(rows, length)
            close(call(x[0]), x[0] ** 3)
            close(slope(x), 3 * x**2)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(computed, (1, 2)))
    backs = [one for one in cubed._derived.values() if "d_x" in one.outputs]
    batches = [way for back in backs for one in back._derived.values() for way in one.ways.values()]
    assert cubed.ways.keys() == {"float32[2]", "float32[3]"}
    assert len(batches) >= 4
    assert {*cubed.ways.values(), *batches} == {"compiled code, called by XLA"}


@pytest.mark.parametrize(
    ("source", "good", "bad", "told"),
    [
        ("tol x: Z [n]\ny := map(x, i -> x[i])", [2, 1], [1, 9], "E513: coordinate 9 is outside dimension 1 of x"),
        ("tol x: Z [n]\ny := map(x, * * 10^5)", [1, 2], [1, 10**6], "E614: a whole number is beyond the int32"),
    ],
)
def test_what_goes_wrong_in_compiled_code_is_told(source: str, good: list[int], bad: list[int], told: str) -> None:
    one = bridge.operator(source)
    call = jax.jit(one)
    right = [call(jnp.array(good)).tolist() for _ in range(3)]
    assert list(one.ways.values()) == ["compiled code, called by XLA"]
    for _ in range(2):
        with pytest.raises(ValueError, match=told):
            call(jnp.array(bad)).block_until_ready()
    assert [*right, call(jnp.array(good)).tolist()] == [one(jnp.array(good)).tolist()] * 4


def test_other_ways_are_told(operator: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    interpreted = bridge.operator("tol x: R [n]\ny := map(x, * * 2)", engine="interpret")
    call = jax.jit(interpreted)
    assert [call(jnp.arange(3.0)).tolist() for _ in range(2)] == [[0.0, 2.0, 4.0]] * 2
    assert list(interpreted.ways.values()) == ["by way of Python: the program is interpreted"]
    monkeypatch.setattr(jax_calls, "_version", lambda: (0, 99))
    jax_calls.reason_for_callbacks.cache_clear()
    try:
        a, b = random(1, 5), random(5, 1)
        close(jax.jit(jax.vmap(operator, (0, None)))(a[None], b), mixed(a, b)[None])
        told = "a callback of JAX: XLA's foreign-function interface has version 0.99, of which 0.1, 0.2, 0.3, 0.4, 0.5 are known"
        assert told in operator._also(operator.batched(("a",))).ways.values()
    finally:
        jax_calls.reason_for_callbacks.cache_clear()


def test_large_arrays_do_not_wait_for_themselves() -> None:
    doubled = bridge.operator("tol x: R [n]\ny := map(x, * * 2)")
    x = random(2_000_000)
    found = jax.jit(lambda x: doubled(doubled(jnp.sin(x)) + 1).sum())(x)
    close(found / 4e6, (jnp.sin(x).sum() * 4 + 4e6) / 4e6, 1e-3)
