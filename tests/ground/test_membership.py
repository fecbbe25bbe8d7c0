"""Membership in the 17 spaces, in machine spaces and in bounds; binding data to declarations; conversion."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tolang.ground.reporting.diagnostics import ToLangRunError
from tolang.ground.values.conversion import convert, convert_lists
from tolang.ground.values.membership import check_membership, fit
from tolang.ground.values.spaces import FAMILY_OF_PAPER, Column, Space, column, dtype_of
from tolang.ground.values.values import ToL, equal

pytestmark = pytest.mark.filterwarnings("error")

HALF = Fraction(1, 2)
CANDIDATES: list[Any] = [-2, -1, 0, 1, 2, HALF, -HALF, 0.5, -0.5, 2.0, -2.0, math.inf, -math.inf, math.nan, 2j, 1 + 1j]
INTEGERS = {-2, -1, 0, 1, 2}


def belongs(root: str, value: Any) -> bool:
    """Membership as the definition says it, one value at a time."""
    if root == "C":
        return True
    if isinstance(value, complex):
        return root == "I" and value.real == 0
    if root == "I":
        return bool(value == 0)
    if root == "B":
        return value in (0, 1)
    finite = not isinstance(value, float) or math.isfinite(value)
    family = FAMILY_OF_PAPER[root]
    if family == "Z" and not (finite and value == int(value)):
        return False
    if family == "Q" and not finite:
        return False
    sign = {"N": value >= 0, "N*": value >= 1}.get(root)
    if sign is not None:
        return bool(sign)
    return bool({"*": value != 0, "+": value > 0, "-": value < 0}.get(root[1:], True))


@pytest.mark.parametrize("root", FAMILY_OF_PAPER)
@pytest.mark.parametrize("value", CANDIDATES, ids=str)
def test_membership_of_the_seventeen_spaces(root: str, value: Any) -> None:
    data = ToL.of(value)
    if belongs(root, value):
        check_membership(data, (column(root),), "a")
        assert equal(fit(data, (column(root),), "a"), data)
    else:
        with pytest.raises(ToLangRunError, match=r"E501: .* of a is not in ") as caught:
            check_membership(data, (column(root),), "a")
        assert caught.value.code == "E501"


@pytest.mark.parametrize("root", FAMILY_OF_PAPER)
def test_membership_is_the_same_for_whole_arrays(root: str) -> None:
    reals = [one for one in CANDIDATES if isinstance(one, int | float)]
    for values in (reals, [int(v) for v in reals if v in INTEGERS], [Fraction(v) for v in reals if math.isfinite(v)]):
        data = ToL.of(values)
        wrong = [i for i, value in enumerate(data.to_list()) if not belongs(root, value)]
        if wrong:
            with pytest.raises(ToLangRunError, match=rf"at \[{wrong[0] + 1}\] of a"):
                check_membership(data, (column(root),), "a")
        else:
            check_membership(data, (column(root),), "a")


def test_the_message_names_value_coordinates_and_space() -> None:
    with pytest.raises(ToLangRunError) as caught:
        check_membership(ToL.of([[1, 2], [-3, 4]]), (column("N"),), "a")
    assert caught.value.diagnostics[0].message == "-3 at [2,1] of a is not in N"
    assert caught.value.diagnostics[0].expected == "a whole number of at least 0"
    people = (Column(Space("S"), "text", name="name"), Column(Space("N"), "i64", name="age"))
    with pytest.raises(ToLangRunError, match=r"-1 at \[2\] of people\[age\]' is not in N"):
        fit(ToL.of([("ann", 3), ("bob", -1)]), people, "people")
    with pytest.raises(ToLangRunError, match="'x' of a is not in R"):
        fit(ToL.of("x"), (column("R"),), "a")
    with pytest.raises(ToLangRunError, match=r"2\.5 at \[2\] of a is not in Z"):
        fit(ToL.of([1.0, 2.5]), (column("Z"),), "a")
    byte = Column(Space("N", 0, 255, "byte"), "u8")
    with pytest.raises(ToLangRunError, match=r"256 at \[1\] of a is not in byte"):
        fit(ToL.of([256]), (byte,), "a")


def test_text_is_a_space() -> None:
    check_membership(ToL.of(["a", "b"]), (column("S"),), "t")
    with pytest.raises(ToLangRunError, match=r"1 at \[1\] of t is not in S"):
        check_membership(ToL.of([1]), (column("S"),), "t")


@pytest.mark.parametrize("storage", ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"])
def test_machine_integers_have_ends(storage: str) -> None:
    bits = int(storage[1:])
    low, high = (0, 2**bits - 1) if storage[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    assert fit(ToL.of([low, high]), (column(storage),)).columns[0].tolist() == [low, high]
    for value in (low - 1, high + 1, 0.5, float(2**bits), math.nan):
        with pytest.raises(ToLangRunError, match="E501"):
            fit(ToL.of([0, value]) if isinstance(value, int) else ToL.of([0.0, value]), (column(storage),), "a")


def test_machine_floats_hold_data_exactly() -> None:
    assert fit(ToL.of(np.array([0.5, np.nan, np.inf])), (column("f16"),)).columns[0].dtype == np.float16
    for data, storage in [(np.array([0.1]), "f32"), (np.array([2**24 + 1]), "f32"), (np.array([1e5]), "f16")]:
        with pytest.raises(ToLangRunError, match="E501"):
            fit(ToL.of(data), (column(storage),), "a")
    assert ToL.of([0.1], (column("f32"),)).columns[0].tolist() == [float(np.float32(0.1))]
    assert fit(ToL.of([1, 2]), (column("bf16"),)).columns[0].dtype == ml_dtypes.bfloat16


def test_bounds() -> None:
    unit = Column(Space("R", Fraction(1, 10), Fraction(3, 10)), "f64")
    check_membership(ToL.of([0.1, 0.3]), (unit,), "a")
    check_membership(ToL.of(np.array([0.1, 0.3], dtype=np.float32)), (unit,), "a")
    check_membership(ToL.of([Fraction(1, 10)]), (unit,), "a")
    for value in (0.31, math.nan, math.inf, 0):
        with pytest.raises(ToLangRunError, match="not in R"):
            check_membership(ToL.of([value]), (unit,), "a")


@pytest.mark.parametrize(
    ("data", "root", "storage"),
    [
        (np.zeros(2, np.float32), "R", "f32"), (np.zeros(2, np.float16), "R", "f16"),
        (np.zeros(2, np.int32), "Z", "i32"), (np.zeros(2, np.uint64), "N", "u64"),
        (np.zeros(2, np.int32), "R", "f64"), (np.zeros(2), "Z", "i64"),
        (np.zeros(2, np.float32), "C", "c64"), (np.zeros(2), "C", "c128"), (np.zeros(2, np.complex64), "R", "f32"),
        (np.zeros(2, bool), "Z", "i64"), (np.zeros(2, np.int8), "B", "bool"), (np.zeros(2), "Q", "rational"),
        (np.zeros(2, np.complex64), "I", "c64"), (np.zeros(2, bool), "R", "f64"), ([10**30], "Z", "integer"),
        ([1e30], "Z", "integer"), ([Fraction(4, 2)], "N", "i64"), ([Fraction(1, 2)], "R", "f64"),
        (np.array([], np.float32), "Z", "i64"),
    ],
)  # fmt: skip
def test_a_declared_space_keeps_the_storage_of_its_data(data: Any, root: str, storage: str) -> None:
    bound = fit(ToL.of(data), (column(root),), "a")
    assert bound.spaces[0] == column(root, storage)
    assert bound.columns[0].dtype == dtype_of(storage)


def test_bounded_spaces_take_the_narrowest_storage() -> None:
    byte = Column(Space("N", 0, 255), "u8")
    assert fit(ToL.of([1, 255]), (byte,)).columns[0].dtype == np.uint8


def test_fitting_data_does_not_copy_it() -> None:
    data = np.zeros((3, 4), dtype=np.float32)
    assert fit(ToL.of(data), (column("R"),)).columns[0] is data


def test_rationals_take_floats_exactly() -> None:
    assert fit(ToL.of([0.1]), (column("Q"),)).item() == Fraction(0.1)


PERSON = (Column(Space("S"), "text", name="name"), Column(Space("N"), "i64", name="age"))


def test_components_are_matched_by_name_or_by_position() -> None:
    records = np.array([(30, 7.5, "ann")], dtype=[("age", "i4"), ("height", "f8"), ("name", "U3")])
    bound = fit(ToL.of(records), PERSON, "people")
    assert bound.to_list() == [("ann", 30)]
    assert bound.names == ("name", "age")
    assert fit(ToL.of([("bob", 4)]), PERSON).to_list() == [("bob", 4)]
    with pytest.raises(ToLangRunError, match="has no component named name"):
        fit(ToL.of(records[["age", "height"]]), PERSON, "people")
    with pytest.raises(ToLangRunError, match="lists of 3, declared are lists of 2"):
        fit(ToL.of([("bob", 4, 5)]), PERSON, "people")


def test_nothing_fits_any_declaration() -> None:
    bound = ToL.of([], PERSON)
    assert (bound.shape, bound.capacity) == ((0,), 2)


NUMBERS = st.one_of(st.integers(-(2**70), 2**70), st.floats(), st.fractions(max_denominator=1000), st.booleans())


@given(st.lists(NUMBERS, min_size=1, max_size=4), st.sampled_from(["i8", "u8", "i64", "u64", "Z", "N"]))
def test_conversion_to_whole_numbers_never_wraps(values: list[Any], root: str) -> None:
    source = ToL.of(values)
    held = source.to_list()
    target = column(root)
    low, high = {"i8": (-128, 127), "u8": (0, 255), "u64": (0, 2**64 - 1), "N": (0, 2**63 - 1)}.get(
        root, (-(2**63), 2**63 - 1)
    )
    good = all((not isinstance(v, float) or math.isfinite(v)) and v == int(v) and low <= v <= high for v in held)
    if good:
        outcome = convert(source.columns[0], source.spaces[0], target)
        assert outcome.dtype == dtype_of(target.storage)
        assert outcome.tolist() == held
    else:
        with pytest.raises(ToLangRunError, match=r"E50[15]"):
            convert(source.columns[0], source.spaces[0], target)


def test_conversion_rounds_to_inexact_storages() -> None:
    third = ToL.of([Fraction(1, 3)])
    assert convert(third.columns[0], third.spaces[0], column("f32")).tolist() == [float(np.float32(1 / 3))]
    tenth = ToL.of([0.1])
    assert convert(tenth.columns[0], tenth.spaces[0], column("f16")).dtype == np.float16
    assert convert(tenth.columns[0], tenth.spaces[0], column("Q")).tolist() == [Fraction(0.1)]
    huge = ToL.of([10**400, -(10**400)])
    assert convert(huge.columns[0], huge.spaces[0], column("R")).tolist() == [math.inf, -math.inf]


def test_conversion_names_what_it_refuses() -> None:
    value = ToL.of([1.0, 2.5])
    with pytest.raises(ToLangRunError, match=r"2\.5 at \[2\] of t is not in Z"):
        convert(value.columns[0], value.spaces[0], column("Z"), "t")
    with pytest.raises(ToLangRunError, match=r"1\.0\+2\.0i of t is not in R"):
        convert(np.asarray(1 + 2j), column("C"), column("R"), "t")
    with pytest.raises(ToLangRunError, match="E402"):
        convert(np.asarray(["a"], dtype=object), column("S"), column("R"), "t")


def test_complex_numbers_split_and_join() -> None:
    value = ToL.of([1 + 2j, complex(math.inf, math.nan)])
    parts = convert_lists(value, (column("R"), column("R")))
    assert equal(parts, ToL.of([(1.0, 2.0), (math.inf, math.nan)]))
    again = convert_lists(parts, (column("C"),))
    assert equal(again.component(0), ToL.of(value.columns[0]))
    assert again.columns[0][1].real == math.inf
    small = ToL.of(np.array([1 + 2j], dtype=np.complex64))
    assert convert_lists(small, (column("f32"), column("f32"))).columns[0].dtype == np.float32
    assert convert_lists(ToL.of([(1, 2)]), (column("c64"),)).columns[0].dtype == np.complex64
    with pytest.raises(ToLangRunError, match="lists of 2"):
        convert_lists(ToL.of([(1, 2)]), (column("R"),))
