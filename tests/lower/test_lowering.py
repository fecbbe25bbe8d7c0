"""Lowering: values that have several names, and numbers that follow from known lengths."""

from __future__ import annotations

import numpy as np
import pytest
from tests.rewrite.test_passes import all_steps, nests, plan_of

import tolang
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import column
from tolang.lower.steps import lower
from tolang.lower.whole_numbers import MOST, Between, number_of
from tolang.plan.nest import Bind, Branch, ConstantScalar, Index, Load, Named, Operation, Scalar
from tolang.plan.traversal import loads

CALLED = """\
tol x: f32 [n]
raised(v) = { z = exp(v); w = z; w }
twice(v) = { z = raised(v); raised(z) }
once = twice(x)
y := map(once, * + reduce(once, add, 0))
"""
TRANSFORM = "use fourier\ntol x: R [3,%s]\ntransformed(v) = fft(v)\ny := transformed(x)\n"
CHAIN = """\
tol x: f32 [n,m]
tol b: f32 [m]
raised(v) = { t = map(v, -*); u = map(t, exp(*)); map(u, 1/(1 + *)) }
shifted = map(x, * + b[j], [i,j])
y := map(raised(shifted), * * %s, [i,j])
"""
REAL, WHOLE = column("R"), column("Z")


def test_a_value_that_a_definition_has_stored_is_not_stored_again() -> None:
    plan = lower(tolang.compile(CALLED).core)
    copies = [one for one in nests(plan) if isinstance(one.values[0], Load) and not one.values[0].checks]
    assert not copies
    (named,) = [one for one in nests(plan) if one.targets[0][0].name.startswith("once_")]
    assert named.origin.startswith("once_")  # known by the name around it


def test_what_has_several_names_is_what_it_was() -> None:
    x = np.linspace(-1, 1, 7, dtype=np.float32)
    once = np.exp(np.exp(x))
    np.testing.assert_allclose(tolang.compile(CALLED)(x=x), once + once.sum(), rtol=1e-5)


def test_a_chain_of_maps_is_one_nest() -> None:
    (nest,) = nests(lower(tolang.compile(CHAIN % "x[i,j]").core))
    assert {load.buffer.name for load in loads(nest)} == {"x.1", "b.1"}


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("tol x: f32 [n]\nt = map(x, sin(*))\ny := map(t, * + t[i], i)", 2),  # read twice
        ("tol x: f32 [n]\nt = map(x, sin(*))\ny := map(t, * + 1)\nz := t", 2),  # an output, too
        ("tol x: f32 [n]\nt = map(x, sin(*))\ny := map(tol[n,m], t[i] + j, [i,j])\ntol z: f32 [m]\nw := map(z, *)", 3),
        ("tol x: f32 [n,n]\nt = map(x, sin(*))\ny := map(t, t[j,i] + 1, [i,j])", 2),  # at other places
        ("tol x: f32 [n]\nt = map(x, sin(*))\ny := map(t, if i > 2 then * + 1 else 0, i)", 2),  # some elements
        ("tol x: Z [n]\nt = map(x, * * *)\ny := map(t, * + 1)", 2),  # too large a number is told where it is
        ("tol x: R [n]\nr := argmax(map(x, sin(* * 40)))", 2),  # a map that only moves is read through
    ],
)
def test_what_is_read_otherwise_is_stored(source: str, count: int) -> None:
    assert len(nests(lower(tolang.compile(source).core))) == count


def test_chains_of_maps_are_what_they_were() -> None:
    x, b = np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4), np.arange(4, dtype=np.float32)
    found = tolang.compile(CHAIN % "x[i,j]")(x=x, b=b)
    np.testing.assert_allclose(found, x / (1 + np.exp(-(x + b))), rtol=1e-5)


def test_long_chains_of_maps_are_some_nests() -> None:
    lines = [f"t{k} = map(t{k - 1}, sin(*) + 1)" for k in range(1, 100)]
    plan = lower(tolang.compile("\n".join(["tol t0: f32 [n]", *lines, "y := map(t99, * + 1)"])).core)
    assert 2 < len(nests(plan)) < 50


def _logarithm(value: Scalar) -> Scalar:
    return Operation("log", (value, ConstantScalar(2, column=REAL)), column=REAL)


def _rounded_up(value: Scalar) -> Scalar:
    for function in ("neg", "floor", "neg"):
        value = Operation(function, (value,), column=REAL)
    return value


@pytest.mark.parametrize(("number", "exact"), [(1, 0), (2, 1), (128, 7), (MOST, 40)])
def test_logarithms_of_powers_are_whole(number: int, exact: int) -> None:
    assert number_of(_logarithm(Index(Size.of(number), column=WHOLE)), {}) == exact


def test_others_are_between_whole_numbers() -> None:
    logarithm = _logarithm(ConstantScalar(255, column=REAL))
    assert number_of(logarithm, {}) == Between(7)
    assert number_of(Operation("floor", (logarithm,), column=REAL), {}) == 7
    assert number_of(_rounded_up(logarithm), {}) == 8
    assert number_of(_rounded_up(Named("x", column=REAL)), {"x": Between(7)}) == 8


@pytest.mark.parametrize(
    "scalar",
    [
        Named("x", column=REAL),
        ConstantScalar(True, column=column("B")),
        ConstantScalar(0.5, column=REAL),
        ConstantScalar(float("inf"), column=REAL),
        ConstantScalar(2 * MOST, column=REAL),
        _logarithm(ConstantScalar(0, column=REAL)),
        _logarithm(ConstantScalar(0.5, column=REAL)),
        Operation("sub", (ConstantScalar(1, column=WHOLE), ConstantScalar(2, column=WHOLE)), column=column("N")),
        Operation("add", (ConstantScalar(1, column=REAL), ConstantScalar(2, column=REAL)), column=column("f16")),
        Operation("pow", (ConstantScalar(2, column=REAL), ConstantScalar(-1, column=REAL)), column=REAL),
    ],
)
def test_what_is_no_whole_number_or_may_be_wrong_is_left(scalar: Scalar) -> None:
    assert number_of(scalar, {}) is None


def test_compiled_code_finds_the_same_logarithms() -> None:
    powers = 2.0 ** np.arange(1, 41)
    numbers = np.concatenate([powers, powers - 1, powers + 1])[2:-1]
    found = np.asarray(tolang.compile("tol x: R [n]\ny := map(x, floor(log(*,2)))", engine="cpu")(x=numbers))
    known = [
        number_of(Operation("floor", (_logarithm(ConstantScalar(n, column=REAL)),), column=REAL), {}) for n in numbers
    ]
    assert found.tolist() == [n for n in known if n is not None]


def test_a_transform_of_a_known_power_of_two_has_no_choice() -> None:
    for length, chosen in (("64", True), ("n", False)):
        steps = list(all_steps(lower(tolang.compile(TRANSFORM % length).core).steps))
        assert chosen != any(isinstance(one, Branch) for one in steps)


@pytest.mark.parametrize("length", [1, 2, 6, 8, 64])
def test_transforms_of_known_lengths(length: int) -> None:
    x = np.random.default_rng(length).normal(size=(3, length))
    found = tolang.compile(TRANSFORM % length, engine="cpu")(x=x)
    np.testing.assert_allclose(found, np.fft.fft(x), atol=1e-12)


def test_parts_of_a_join_of_known_lengths_need_no_names() -> None:
    rows = "if j <= 5 then x[i,j] else if j <= 12 then y[i,j-5] else z[i,j-12]"
    plan = plan_of(f"tol x: f32 [n,5]\ntol y: f32 [n,7]\ntol z: f32 [n,9]\nr := map(tol[n,21], exp({rows}), [i,j])")
    assert not [one for one in all_steps(plan.steps) if isinstance(one, Bind)]
    assert {str(one.extents[-1]) for one in nests(plan)} == {"5", "7", "9"}
