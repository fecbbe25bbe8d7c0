"""Spaces, storages, and how both combine."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tolang.ground.values.casting import cast
from tolang.ground.values.functions import SpaceMismatch, result_column
from tolang.ground.values.spaces import (
    FAMILIES,
    FAMILY_OF_MACHINE,
    FAMILY_OF_PAPER,
    NARROW_FLOATS,
    NARROW_INTEGERS,
    NUMPY_NAME,
    Column,
    Space,
    column,
    dtype_of,
    join_columns,
    join_spaces,
    narrowest_integer,
    predefined,
    promote,
    storage_family,
    storage_of,
)

MACHINE = [one for one in FAMILY_OF_MACHINE if one not in NARROW_FLOATS]


def test_the_paper_has_seventeen_spaces() -> None:
    assert len(FAMILY_OF_PAPER) == 17


@pytest.mark.parametrize(("first", "second"), list(product(["bool", *MACHINE], repeat=2)))
def test_machine_types_promote_as_numpy_has_it(first: str, second: str) -> None:
    assert dtype_of(promote(first, second)) == np.result_type(dtype_of(first), dtype_of(second))


@pytest.mark.parametrize("name", NARROW_FLOATS)
def test_narrow_floats_have_a_type_and_it_has_them(name: str) -> None:
    assert storage_of(dtype_of(name)) == name
    assert dtype_of(name).itemsize <= 2


@pytest.mark.parametrize("name", NARROW_INTEGERS)
def test_narrow_integers_are_bounded_spaces_held_in_a_byte(name: str) -> None:
    space, bits = predefined(name), int(name[1:])
    assert space is not None
    assert space.limits == ((0, 2**bits - 1) if name[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1))
    assert space.storage == f"{name[0]}8"
    assert (str(space.reported), str(space.default)) == (name, "Z")


def test_promotion_commutes_and_holds_both() -> None:
    numbers = [one for one in [*NUMPY_NAME, *NARROW_FLOATS] if one != "text"]
    for first, second in product(numbers, repeat=2):
        met = promote(first, second)
        assert met == promote(second, first)
        assert promote(met, first) == met
    assert promote("bf16", "f16") == "f32"
    assert promote("f8e5m2", "f8e4m3fn") == "f32"
    assert promote("rational", "i64") == "rational"
    assert promote("rational", "f32") == "f64"
    with pytest.raises(ValueError, match="text"):
        promote("text", "i64")


def test_storages_and_numpy_types_correspond() -> None:
    for storage in ["bool", *FAMILY_OF_MACHINE]:
        assert storage_of(dtype_of(storage)) == storage
    assert storage_of(np.dtype(object)) is None
    assert storage_of(np.dtype("M8[s]")) is None
    assert storage_of(np.dtype("U3")) == "text"


@pytest.mark.parametrize(
    ("low", "high", "storage"),
    [
        (0, 255, "u8"),
        (0, 256, "u16"),
        (-1, 255, "i16"),
        (-128, 127, "i8"),
        (0, 2**64 - 1, "u64"),
        (-1, 2**63, "integer"),
    ],
)
def test_bounds_choose_the_narrowest_storage(low: int, high: int, storage: str) -> None:
    assert narrowest_integer(low, high) == storage
    assert Space("Z", low, high).storage == storage


def test_fractional_bounds_of_whole_numbers() -> None:
    assert Space("N", None, Fraction(511, 2)).storage == "u8"
    assert Space("Z", Fraction(-257, 2), 0).storage == "i8"
    assert Space("R", 0, 1).storage == "f64"


def test_default_spaces() -> None:
    reported = {root: str(Space(root).default) for root in FAMILIES}
    assert [reported[one] for one in ("N*", "Z-", "Q+", "R*", "I", "B", "f32", "S")] == [
        "N", "Z", "Q", "R", "I", "B", "f32", "S",
    ]  # fmt: skip


def test_spaces_join() -> None:
    joined = {("N", "Z"): "Z", ("B", "N"): "N", ("Q", "R"): "R", ("I", "R"): "C", ("I", "I"): "I", ("R+", "R-"): "R",
              ("i32", "Z"): "Z", ("f32", "f64"): "f64", ("u64", "i64"): "f64", ("N", "C"): "C"}  # fmt: skip
    for (first, second), expected in joined.items():
        assert str(join_spaces(Space(first), Space(second))) == expected
        assert str(join_spaces(Space(second), Space(first))) == expected
    assert join_spaces(Space("S"), Space("R")) is None


def test_columns_join_in_a_storage_that_holds_both() -> None:
    roots = [root for root in FAMILIES if root != "S"]
    columns = [column(root, weak=weak) for root in roots for weak in (False, True)]
    columns += [column("Z", "u64"), column("Z", "i32"), column("R", "f32"), Column(Space("N", 0, 255), "u8")]
    order = {"B": 0, "Z": 1, "Q": 2, "R": 3, "I": 4, "C": 4}
    for first, second in product(columns, repeat=2):
        met = join_columns(first, second)
        assert met is not None
        assert met == join_columns(second, first)
        assert order[met.space.family] >= max(order[first.space.family], order[second.space.family])
        assert order[storage_family(met.storage)] >= order[met.space.family]
        assert met.weak == (first.weak and second.weak)


def test_weak_columns_take_the_storage_they_meet() -> None:
    assert join_columns(column("R", "f32"), column("N", weak=True)) == column("R", "f32")
    assert join_columns(column("f32"), column("R", weak=True)) == column("f32")
    assert join_columns(column("u8"), column("Z", weak=True)) == column("u8")
    assert join_columns(column("N"), column("Z", weak=True)) == column("Z")
    assert join_columns(Column(Space("N", 0, 255), "u8"), column("Z", weak=True)) == column("Z")
    assert join_columns(column("i32"), column("R", weak=True)) == column("R")
    assert join_columns(column("Z", "u64"), column("Z")) == column("Z")
    assert join_columns(column("S"), column("S", weak=True)) == column("S")
    assert join_columns(column("S"), column("Z")) is None


def test_results_of_arithmetic() -> None:
    byte = Column(Space("N", 0, 255), "u8")
    cases = [
        (("add", byte, byte), column("N")),
        (("sub", byte, byte), column("Z")),
        (("add", column("B"), column("B")), column("Z")),
        (("mul", column("R", "f32"), column("N", weak=True)), column("R", "f32")),
        (("mul", column("f16"), column("R", weak=True)), column("f16")),
        (("add", column("i8"), column("R", weak=True)), column("R")),
        (("add", column("i8"), column("i32")), column("i32")),
        (("add", column("u64"), column("Z")), column("Z")),
        (("add", column("u64"), column("i64")), column("f64")),
        (("add", column("Z", "i32"), column("Z", "i32")), column("Z")),
        (("div", column("Z"), column("Z")), column("R")),
        (("div", column("Q"), column("Z")), column("Q")),
        (("add", column("Q"), column("R", "f32")), column("R")),
        (("sqrt", column("Z")), column("R")),
        (("sqrt", column("c64")), column("c64")),
        (("abs", column("c64")), column("f32")),
        (("abs", column("C")), column("R")),
        (("floor", column("R", "f32")), column("R", "f32")),
        (("lt", column("Q"), column("f32")), column("B")),
        (("add", column("N", weak=True), column("R", weak=True)), column("R", weak=True)),
    ]
    for (name, *columns), expected in cases:
        assert result_column(str(name), tuple(c for c in columns if isinstance(c, Column))) == expected, (name, columns)


def test_functions_without_meaning() -> None:
    for name, columns in [
        ("add", (column("S"), column("S"))), ("lt", (column("C"), column("C"))), ("mod", (column("C"), column("R"))),
        ("floor", (column("C"),)), ("and", (column("B"), column("R"))), ("eq", (column("S"), column("Z"))),
    ]:  # fmt: skip
        with pytest.raises(SpaceMismatch):
            result_column(name, columns)


def test_columns_read_as_declared() -> None:
    assert str(column("R")) == "R"
    assert str(column("R", "f32")) == "R/f32"
    assert str(column("f32")) == "f32"
    assert str(Column(Space("N", 0, 255), "u8", name="age")) == "age: N[0,255]"
    assert str(Column(Space("N", 0, 255, "byte"), "u8")) == "byte"
    assert str(Space("R", 0)) == "R[0,+Inf]"


EIGHT_BITS = ("f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz", "f8e8m0")


@pytest.mark.parametrize("goal", EIGHT_BITS)
@pytest.mark.parametrize("source", EIGHT_BITS)
def test_floats_of_eight_bits_are_converted_to_each_other(source: str, goal: str) -> None:
    """By way of f32, which has all of them: between some of these formats their library converts nothing."""
    numbers = np.array([0.5, 1, 2, 4], dtype_of(source))
    found = cast(numbers, goal)
    assert found.dtype == dtype_of(goal)
    assert found.astype(float).tolist() == [0.5, 1, 2, 4]
