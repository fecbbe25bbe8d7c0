"""ToLs from and to what others call data, their equality, and how they print."""

from __future__ import annotations

import math
from collections import namedtuple
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from tests import characters

from tolang.ground.reporting.diagnostics import ToLangRunError
from tolang.ground.reporting.faults import check_shape
from tolang.ground.values.spaces import Column, Space, column
from tolang.ground.values.values import ToL, allocate, equal

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize(
    ("data", "space", "storage"),
    [
        (True, "B", "bool"), (3, "Z", "i64"), (2**63, "Z", "integer"), (Fraction(1, 3), "Q", "rational"),
        (0.5, "R", "f64"), (1j, "C", "c128"), ("a", "S", "text"), (np.int32(3), "Z", "i32"),
        (np.float32(3), "R", "f32"),
        (np.zeros(2, np.uint8), "Z", "u8"), (np.zeros(2, np.float16), "R", "f16"), (np.array(["a", "bc"]), "S", "text"),
        (np.zeros(2, ml_dtypes.bfloat16), "R", "bf16"), (np.zeros(2, ">i4"), "Z", "i32"), ([1, 2.5], "R", "f64"),
        ([True, 2], "Z", "i64"), ([Fraction(1, 2), 2], "Q", "rational"), ([1, 1j], "C", "c128"),
        ([2**63, -1], "Z", "integer"), ([np.float32(1), np.float32(2)], "R", "f32"), ([np.int8(1), 2], "Z", "i64"),
        (np.array([1, 2**70], dtype=object), "Z", "integer"), ([np.zeros(2, np.float32)], "R", "f32"),
    ],
)  # fmt: skip
def test_data_has_a_default_space(data: Any, space: str, storage: str) -> None:
    value = ToL.of(data)
    assert value.spaces == (column(space, storage),)


def test_nested_lists_give_the_shape() -> None:
    value = ToL.of([[(1, "a"), (2, "b")], [(3, "c"), (4, "d")]])
    assert (value.shape, value.capacity, value.dimension, value.volume) == ((2, 2), 2, 2, 8)
    assert value.to_list() == [[(1, "a"), (2, "b")], [(3, "c"), (4, "d")]]
    assert value.component(1).to_list() == [["a", "b"], ["c", "d"]]
    assert ToL.of([[], []]).shape == (2, 0)
    assert ToL.of(((1, 2), 3)).to_list() == (1, 2, 3)
    assert ToL.of((np.arange(3), ["a", "b", "c"])).to_list() == [(0, "a"), (1, "b"), (2, "c")]


def test_named_tuples_name_components() -> None:
    Person = namedtuple("Person", "name age")
    value = ToL.of([Person("ann", 3), Person("bob", 4)])
    assert value.names == ("name", "age")


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        ([[1, 2], [3]], "E503", r"\[2\] has length 1, \[1\] has length 2"),
        ([[[1], [2]], [[3], [4, 5]]], "E503", r"\[2,2\] has length 2, \[1,1\] has length 1"),
        ([[1, 2], 3], "E503", r"\[2\] is a single element, \[1\] is a list"),
        ([1, [2, 3]], "E503", r"\[2\] is a list, \[1\] is a single element"),
        ([(1, 2), (3,)], "E504", r"the list at \[2\] has 1 components, the first has 2"),
        ([(1, 2), 3], "E504", r"3 at \[2\] is not a tuple"),
        ([()], "E504", "components"),
        ([1, "a"], "E502", r"\[2\] is text, \[1\] is a number"),
        ([1, None], "E511", r"the value at \[2\] is missing"),
        ([[1], [object()]], "E502", r"object at \[2,1\] is not a numeric"),
        (np.array(["2020-01-01"], dtype="M8[D]"), "E502", r"datetime64"),
        (np.zeros(2, dtype=np.longdouble), "E502", "holds no numerics"),
        ({1, 2}, "E502", "is a set"),
        (None, "E502", "is a NoneType"),
        ([np.zeros(2), np.zeros(3)], "E503", r"the arrays \[2\] and \[1\] differ"),
        ((np.zeros(2), np.zeros(3)), "E510", r"\[2\], \[3\]"),
        (np.zeros(2, dtype=[("a", "f4", (3,))]), "E502", "field a"),
    ],
)  # fmt: skip
def test_what_is_no_data(data: Any, code: str, message: str) -> None:
    with pytest.raises(ToLangRunError, match=message) as caught:
        ToL.of(data)
    assert caught.value.code == code


ARRAYS = npst.arrays(
    st.sampled_from(["?", "i1", "i4", "i8", "u1", "u8", "f2", "f4", "f8", "c8", "c16"]),
    npst.array_shapes(min_dims=0, max_dims=4, min_side=0),
)


@given(ARRAYS)
def test_numpy_arrays_come_and_go_unchanged(array: np.ndarray[Any, Any]) -> None:
    value = ToL.of(array)
    assert value.to_numpy() is array
    assert np.asarray(value) is array
    assert equal(ToL.of(value.to_list()), value) or not array.size
    if array.flags.writeable:
        assert np.shares_memory(np.from_dlpack(value), array) or not array.size


@given(npst.arrays(np.dtype([("a", "i4"), ("b", "f8"), ("c", "?")]), npst.array_shapes(max_dims=3)))
def test_structured_arrays_come_and_go(records: np.ndarray[Any, Any]) -> None:
    value = ToL.of(records)
    assert value.names == ("a", "b", "c")
    assert np.shares_memory(value.columns[1], records)
    assert value.contiguous().columns[1].flags["C_CONTIGUOUS"]
    again = value.to_numpy()
    assert again.dtype.names == records.dtype.names
    assert equal(ToL.of(again), value)


NUMERICS = st.one_of(
    st.integers(), st.floats(allow_nan=False), st.booleans(), st.fractions(), st.text(characters.WRITABLE, max_size=3)
)


@given(NUMERICS.flatmap(lambda one: st.lists(st.just(one), min_size=1, max_size=3)), st.integers(1, 3))
def test_lists_come_and_go(row: list[Any], rows: int) -> None:
    data = [list(row) for _ in range(rows)]
    assert ToL.of(data).to_list() == data
    pairs = [[(one, 1) for one in row] for _ in range(rows)]
    assert ToL.of(pairs).to_list() == pairs


def test_arrow_arrays_come_and_go() -> None:
    for array in (
        pa.array([1, 2, 3]),
        pa.array([0.5, 1.5], pa.float32()),
        pa.array([True, False]),
        pa.array(["a", "b"]),
    ):
        value = ToL.of(array)
        assert value.to_arrow().equals(array)
    numbers = pa.array([1, 2, 3])
    shared = ToL.of(numbers).columns[0]
    assert shared.ctypes.data == numbers.buffers()[1].address
    matrix = ToL.of([[1, 2, 3], [4, 5, 6]])
    assert ToL.of(matrix.to_arrow()) == matrix
    assert ToL.of(matrix.to_arrow().slice(1)).to_list() == [[4, 5, 6]]
    assert ToL.of(pa.chunked_array([[1, 2], [3]])).to_list() == [1, 2, 3]
    assert ToL.of(pa.chunked_array([], type=pa.int64())).shape == (0,)
    assert ToL.of(pa.array(["x", "y", "x"]).dictionary_encode()).to_list() == ["x", "y", "x"]
    assert ToL.of(pa.array([1, 2, 3]).cast(pa.decimal128(21, 2))).spaces == (column("Q"),)
    assert ToL.of(ToL.of(3.5).to_arrow()) == 3.5
    assert ToL.of(ToL.of((1, "a")).to_arrow()).to_list() == (1, "a")


def test_arrow_tables_come_and_go() -> None:
    table = pa.table({"name": ["ann", "bob"], "age": [3, 4]})
    value = ToL.of(table)
    assert value.names == ("name", "age")
    assert value.to_list() == [("ann", 3), ("bob", 4)]
    assert value.to_arrow().equals(table)
    assert ToL.of(table.to_batches()[0]) == value
    assert ToL.of(table.to_struct_array().combine_chunks()) == value
    declared = (Column(Space("N"), "i64", name="age"), Column(Space("S"), "text", name="name"))
    assert ToL.of(table, declared).to_list() == [(3, "ann"), (4, "bob")]


def test_objects_that_speak_arrow() -> None:
    class Stream:
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            return pa.table({"a": [1, 2]}).__arrow_c_stream__(requested_schema)

    class Single:
        def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
            return pa.array([1, 2]).__arrow_c_array__(requested_schema)

    assert ToL.of(Stream()).to_list() == [1, 2]
    assert ToL.of(Single()).to_list() == [1, 2]


def test_arrow_data_that_is_no_data() -> None:
    for data, code in [
        (pa.array([1, None]), "E511"), (pa.table({"a": [1, None]}), "E511"), (pa.array([[1], [2, 3]]), "E503"),
        (pa.array([1], pa.timestamp("s")), "E502"), (pa.table({}), "E504"),
    ]:  # fmt: skip
        with pytest.raises(ToLangRunError) as caught:
            ToL.of(data)
        assert caught.value.code == code
    for value in (ToL.of(1j), ToL.of([Fraction(1, 3)]), ToL.of([10**30])):
        with pytest.raises(ToLangRunError, match="E512"):
            value.to_arrow()


class Tensor:
    """A tensor of another library: it offers DLPack and nothing else."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


class Elsewhere(Tensor):
    """A tensor that lies on another device."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, 0)

    def __dlpack__(self, **options: Any) -> Any:
        raise BufferError("no copy to another device")


def test_tensors_are_shared() -> None:
    array = np.arange(6.0).reshape(2, 3)
    value = ToL.of(Tensor(array))
    assert np.shares_memory(value.columns[0], array)
    assert value.__dlpack_device__() == (1, 0)
    with pytest.raises(ToLangRunError, match="cannot be read here"):
        ToL.of(Elsewhere(array))
    with pytest.raises(BufferError, match="capacity 1"):
        ToL.of((1, 2)).__dlpack__()


def test_equality() -> None:
    value = ToL.of([1.0, math.nan])
    assert value == ToL.of(np.array([1, np.nan], dtype=np.float32))
    assert value != ToL.of([1.0, 2.0])
    assert value != ToL.of([[1.0, math.nan]])
    assert ToL.of([1, 2]) == [1, 2]
    assert ToL.of([1, 2]) != [(1, 2), (1, 2)]
    assert ToL.of(1) != None  # noqa: E711 - comparing with what is no data
    assert ToL.of(["a"]) != [1]
    assert ToL.of([Fraction(1, 2)]) == [0.5]
    with pytest.raises(TypeError, match="unhashable"):
        hash(value)


def test_equality_with_a_tolerance() -> None:
    assert equal([1.0, math.inf, math.nan], [1.0 + 1e-9, math.inf, math.nan], rtol=1e-8)
    assert not equal([1.0], [1.1], rtol=1e-8)
    assert not equal([math.inf], [1.0], rtol=1e-8)
    assert equal([100], [101], atol=1)
    assert not equal(["a"], ["b"], atol=1)
    assert equal([Fraction(1, 3)], [1 / 3], rtol=1e-12)
    assert equal([(1, 2.0)], [(1, 2.0 + 1e-12)], atol=1e-9)


def test_a_single_element() -> None:
    assert ToL.of([[3]]).item() == 3
    assert type(ToL.of(np.float32(0.5)).item()) is float
    with pytest.raises(ToLangRunError, match=r"shape \[2\] is not a single element"):
        ToL.of([1, 2]).item()
    assert len(ToL.of([1, 2])) == 2
    with pytest.raises(TypeError):
        len(ToL.of(1))


def test_shapes_beyond_counting_are_refused() -> None:
    assert check_shape([2**40, 0]) == (2**40, 0)
    for shape in ([2**32, 2**31], [2**63]):
        with pytest.raises(ToLangRunError, match=r"more than 2\^63-1 elements"):
            check_shape(shape)
    with pytest.raises(ToLangRunError, match="below 0"):
        check_shape([-1])
    for storage in ("f64", "rational", "u8"):
        with pytest.raises(ToLangRunError, match="not enough memory"):
            allocate([2**31, 2**31], storage)
    assert allocate([2], "text").tolist() == ["", ""]
    assert allocate([2], "rational").tolist() == [0, 0]
    assert allocate([2, 3], "f32").shape == (2, 3)


PRINTED: list[tuple[Any, str]] = [
    (3, "3"), (-3, "-3"), (3.14, "3.14"), (1e-5, "1e-5"), (1e22, "1e22"), (2.0, "2.0"), (np.float32(0.1), "0.1"),
    (math.inf, "Inf"), (-math.inf, "-Inf"), (math.nan, "NaN"), (True, "true"), ("it's", "'it''s'"), ("a\nb", "'a\\nb'"),
    (1 + 2j, "1.0+2.0i"), (-2j, "-0.0-2.0i"), (complex(0, math.inf), "0.0+Inf*1i"), (Fraction(1, 3), "1/3"),
    (10**30, "1" + "0" * 30), (0.1 + 0.2, "0.30000000000000004"), ([1.0, 2**0.5, 3**0.5], "[1.0,1.4142136,1.7320508]"),
    ([[1, 2], [3, 4]], "[[1,2],[3,4]]"), ((1, "a"), "(1,'a')"), ([(1, 1.0), (2, 2.0)], "[(1,1.0),(2,2.0)]"),
    ([], "[]"), (np.zeros((2, 0)), "[[],[]]"), (np.arange(2000), "[0,1,2,...,1997,1998,1999]"),
    (np.arange(2, dtype=ml_dtypes.bfloat16), "[0.0,1.0]"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "text"), PRINTED)
def test_values_print_as_the_language_writes_them(data: Any, text: str) -> None:
    assert str(ToL.of(data)) == text


def test_large_values_are_elided_and_aligned() -> None:
    assert repr(ToL.of(np.arange(5000).reshape(50, 100))) == (
        "ToL [50,100] of [Z]\n"
        "[[   0,   1,   2, ...,  97,  98,  99],\n"
        " [ 100, 101, 102, ..., 197, 198, 199],\n"
        " [ 200, 201, 202, ..., 297, 298, 299],\n"
        " ...,\n"
        " [4700,4701,4702, ...,4797,4798,4799],\n"
        " [4800,4801,4802, ...,4897,4898,4899],\n"
        " [4900,4901,4902, ...,4997,4998,4999]]"
    )
    cube = str(ToL.of(np.arange(48).reshape(2, 4, 6) * 1000))
    assert cube.splitlines()[3:6] == [
        "  [18000,19000,20000,21000,22000,23000]],",
        "",
        " [[24000,25000,26000,27000,28000,29000],",
    ]
    assert all(len(line) <= 88 for line in str(ToL.of(np.arange(900))).splitlines())
    assert len(str(ToL.of(np.zeros((2,) * 16)))) < 100


def test_the_header_tells_shape_and_type_list() -> None:
    records = np.zeros(1, dtype=[("age", "i4"), ("height", "f8")])
    assert repr(ToL.of(records)) == "ToL [1] of [age: Z/i32,height: R]\n[(0,0.0)]"
