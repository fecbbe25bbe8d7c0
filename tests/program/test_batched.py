"""`program.batched`: the program for many inputs at once gives what the program gives for each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang

PROGRAMS: dict[str, tuple[str, dict[str, tuple[int, ...]]]] = {
    "product": ("tol a: R [n,k]\ntol b: R [k,m]\ny := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])", {"a": (2, 3), "b": (3, 4)}),
    "chain": ("tol a: R [n]\ntol b: R [n]\ns = a + b\nt = map(b, *^2)\ny := map(s, * * t[*])\nz := reduce(t, add, 0)", {"a": (3,), "b": (3,)}),
    "lists": ("tol a: R [n]\ntol b: R\ny := reduce(a, (s,e) -> (s[1]' + e, s[2]' * b), (0.0,1.0))[1]'", {"a": (4,), "b": ()}),
    "bundles": ("tol a: R [n]\ntol b: R\nboth = reduce(range(3), (s,e) -> (s[1]' + s[2]', s[2]' * 0.5), (a, b))\ny := both[1]'\nz := both[2]'", {"a": (3,), "b": ()}),
    "sorted": ("tol a: R [n]\ntol b: R\ny := sort(map(a, * * b))", {"a": (5,), "b": ()}),
    "choices": ("tol a: R [n]\ntol b: R\ny := if b > 0 then reduce(a, max, -Inf) else b", {"a": (4,), "b": ()}),
    "a constant result": ("tol a: R [n]\ntol b: R\ny := range(n)\nz := a * b", {"a": (3,), "b": ()}),
    "lengths inside": ("tol a: R [n]\ntol b: R\nc = reduce(a, add, b)\ny := map(a, * + c)", {"a": (3,), "b": ()}),
}  # fmt: skip
BATCH = 4


def drawn(shapes: dict[str, tuple[int, ...]], over: tuple[str, ...]) -> dict[str, Any]:
    draw = np.random.default_rng(3)
    return {
        name: draw.standard_normal((BATCH, *shape) if name in over else shape)[()] for name, shape in shapes.items()
    }


def by_name(program: tolang.Program, found: Any) -> dict[str, Any]:
    return found if isinstance(found, dict) else {next(iter(program.outputs)): found}


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
@pytest.mark.parametrize("over", [("a",), ("b",), ("a", "b")], ids="+".join)
@pytest.mark.parametrize("name", PROGRAMS)
def test_each_element_is_as_alone(name: str, over: tuple[str, ...], engine: str) -> None:
    source, shapes = PROGRAMS[name]
    program = tolang.compile(source, engine=engine)
    whole, data = program.batched(over), drawn(shapes, over)
    found = by_name(whole, whole(**data))
    for place in range(BATCH):
        row = {one: value[place] if one in over else value for one, value in data.items()}
        for output, expected in by_name(program, program(**row)).items():
            np.testing.assert_allclose(np.asarray(found[output])[place], expected, rtol=1e-12)


def test_batches_of_batches_and_gradients() -> None:
    program = tolang.compile(PROGRAMS["product"][0])
    twice = program.batched("a").batched(["a", "b"], size="groups")
    a, b = np.ones((2, 3, 4, 5)), np.ones((2, 5, 6))
    np.testing.assert_allclose(twice(a, b), np.einsum("gbik,gkj->gbij", a, b))
    pullback = program.batched("a").pullback(of="y", by="b")
    assert str(pullback.outputs["d_b"]) == "R [k, m]"
    seed = np.random.default_rng(1).standard_normal((3, 4, 6))
    np.testing.assert_allclose(pullback(a[0], b[0], seed), np.einsum("bik,bij->kj", a[0], seed))
    other = program.pullback(of="y", by="b").batched(["a", "d_y"])
    np.testing.assert_allclose(other(a[0], b[0], seed).sum(0), pullback(a[0], b[0], seed))


def test_storages_follow_the_data() -> None:
    whole = tolang.compile(PROGRAMS["product"][0]).batched("a")
    assert whole(np.ones((4, 2, 3), np.float32), np.ones((3, 2), np.float32)).dtype == np.float32


def test_what_is_not_batched_is_computed_once() -> None:
    source = "tol a: R [n]\ntol b: R [n]\ns = map(b, exp(*))\ny := a + s"
    cost = tolang.compile(source).batched("a", size="rows").cost()
    assert str(cost.eops) == str(
        tolang.compile("tol a: R [n]\ntol b: R [rows,n]\ny := map(a, exp(*))\nz := map(b, * + 1)").cost().eops
    )


def test_draws_are_the_same() -> None:
    program = tolang.compile("tol a: R [n]\ny := map(a, * + rand(1.0))")
    assert (program.batched("a")(np.zeros((3, 4))) == program(np.zeros(4))).all()


@pytest.mark.parametrize(
    ("over", "size", "told"),
    [
        ("c", "batch", "E603: the program has no input c"),
        ((), "batch", "E603: no inputs are named"),
        ("a", "n", "E803: the size of the batch would be called n"),
        ("a", "b", "E803"),
    ],
)
def test_what_is_refused(over: str, size: str, told: str) -> None:
    with pytest.raises(tolang.ToLangUsageError, match=told):
        tolang.compile("tol a: R [n]\ntol b: R\ny := a * b").batched(over, size=size)


@pytest.mark.parametrize(
    "source",
    [
        "tol a: R [n]\ny := filter(a, e -> e > 0)",
        "tol a: R [n]\ny := reduce(filter(a, e -> e > 0), add, 0)",
        "tol a: N\ny := tol[a]",
    ],
)
def test_lengths_that_depend_on_data(source: str) -> None:
    with pytest.raises(tolang.ToLangCheckError, match="E307: a batch cannot be computed together"):
        tolang.compile(source).batched("a")


def test_short_calls_by_address() -> None:
    program = tolang.compile("tol a: R [n]\ntol b: R [n]\ny := a * b")
    one, two = np.arange(3.0), np.arange(3.0, 6.0)
    assert program.short_call([one, two]) is None
    for _ in range(4):
        program(one, two)
    call = program.short_call([one, two])
    assert call is not None
    found = call.at([one.ctypes.data, two.ctypes.data])
    assert found is not None
    assert found[0].tolist() == (one * two).tolist()
    assert program.short_call([one, two[:2]]) is None
    assert program.short_call([one, two.astype(np.float32)]) is None
    assert program.short_call([one]) is None
