"""Whatever is given to a program: the right result or a `ToLangError`, the same from both engines, nothing else."""

from __future__ import annotations

import array
import collections
import ctypes
import datetime
import decimal
import enum
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tolang
from tolang.program.program import Program

SOURCES = {
    "vector": "tol x: R [n]\ny := map(x, * + 1)", "numeric": "tol x: R\ny := x + 1", "whole": "tol x: Z [n]\ny := map(x, * + 1)",
    "matrix": "tol x: R [n,m]\ny := map(x, * + 1)", "text": "tol x: S [n]\ny := x", "lists": "tol x: [R,R] [n]\ny := x",
}  # fmt: skip


@pytest.fixture(scope="module")
def programs() -> dict[str, tuple[Program, Program]]:
    return {
        name: (tolang.compile(one, engine="cpu"), tolang.compile(one, engine="interpret"))
        for name, one in SOURCES.items()
    }


MASKED = np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False])
STRUCTURED = np.array([(1.0, 2.0)] * 3, dtype=[("a", "f8"), ("b", "f8")])


@pytest.mark.parametrize(
    "data",
    [
        MASKED, np.ma.array([1.0, 2.0]), np.ma.masked, np.ma.array(3.0), np.ma.array([1, 2], mask=[True, False]), [MASKED, MASKED],
        (MASKED, MASKED), np.ma.array(STRUCTURED), np.ma.array(STRUCTURED)[0], np.ma.array([["a"]], mask=[[True]]),
    ],
)  # fmt: skip
def test_masks_are_refused(data: Any) -> None:
    """A mask that is dropped makes numbers of what is none."""
    for source in SOURCES.values():
        with pytest.raises(tolang.ToLangRunError, match="error E511: the array has a mask") as caught:
            tolang.compile(source)(data)
        assert "filled" in str(caught.value)
    with pytest.raises(tolang.ToLangRunError, match="E511"):
        tolang.ToL.of(data)


class Own(enum.IntEnum):
    one = 1


RIGHT: list[tuple[str, str, Any, Any]] = [
    ("matrix", "matrix", np.array([[1.0, 2.0]]).view(np.matrix), [[2.0, 3.0]]),
    ("subclass", "vector", np.arange(3.0).view(type("Sub", (np.ndarray,), {})), [1.0, 2.0, 3.0]),
    ("other byte order", "vector", np.arange(3, dtype=">f8"), [1.0, 2.0, 3.0]),
    ("not aligned", "vector", np.frombuffer(b"\0" + np.arange(3.0).tobytes(), "f8", offset=1), [1.0, 2.0, 3.0]),
    ("backwards", "vector", np.arange(3.0)[::-1], [3.0, 2.0, 1.0]),
    ("backwards twice", "matrix", np.arange(6.0).reshape(2, 3)[::-1, ::-2], [[6.0, 4.0], [3.0, 1.0]]),
    ("columns first", "matrix", np.asfortranarray([[1.0, 2.0], [3.0, 4.0]]), [[2.0, 3.0], [4.0, 5.0]]),
    ("one element often", "vector", np.broadcast_to(np.array(1.0), (3,)), [2.0, 2.0, 2.0]),
    ("overlapping", "matrix", np.lib.stride_tricks.as_strided(np.arange(4.0), (3, 2), (8, 8)), [[1.0, 2.0], [2.0, 3.0], [3.0, 4.0]]),
    ("without dimensions", "numeric", np.array(3.0), 4.0),
    ("a numeric of NumPy", "numeric", np.float32(3), 4.0),
    ("halves", "vector", np.ones(2, np.float16), [2.0, 2.0]),
    ("objects", "vector", np.array([1, 2.5], dtype=object), [2.0, 3.5]),
    ("text of any length", "text", np.array(["a", "bc"], np.dtypes.StringDType()), ["a", "bc"]),
    ("text in another order", "text", np.array(["a", "bc"], ">U2"), ["a", "bc"]),
    ("a decimal column", "vector", pa.array([decimal.Decimal("1.5")]), [2.5]),
    ("a slice of bits", "vector", pa.array([True, False, True])[1:], [1.0, 2.0]),
    ("numbers of own classes", "vector", [type("Own", (float,), {})(1), Own.one], [2.0, 2.0]),
    ("lists of own classes", "vector", type("Own", (list,), {})([1.0]), [2.0]),
]  # fmt: skip


@pytest.mark.parametrize(("form", "data", "expected"), [one[1:] for one in RIGHT], ids=[one[0] for one in RIGHT])
def test_odd_layouts(programs: dict[str, tuple[Program, Program]], form: str, data: Any, expected: Any) -> None:
    for program in programs[form]:
        assert np.asarray(program(data)).tolist() == expected


def test_records_and_padding(programs: dict[str, tuple[Program, Program]]) -> None:
    padded = np.zeros(2, np.dtype({"names": ["a", "b"], "formats": ["f8", "u1"], "offsets": [8, 0], "itemsize": 32}))
    padded["a"], padded["b"] = [1.5, 2.5], [3, 4]
    for program in programs["lists"]:
        assert program(padded).to_list() == [(1.5, 3.0), (2.5, 4.0)]
        assert program(STRUCTURED.view(np.recarray)).to_list() == [(1.0, 2.0)] * 3
        assert program(STRUCTURED.astype([("a", ">f8"), ("b", ">f8")])).to_list() == [(1.0, 2.0)] * 3


def test_what_is_given_is_not_changed(programs: dict[str, tuple[Program, Program]]) -> None:
    data = np.arange(3.0)
    data.flags.writeable = False
    for program in programs["vector"]:
        assert program(data).tolist() == [1.0, 2.0, 3.0]
        assert data.tolist() == [0.0, 1.0, 2.0]


class Raising:
    """Data that raises something wherever it is asked for anything."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"{name}\x1b[31m")


class Arrays:
    def __array__(self, *_: Any, **__: Any) -> Any:
        raise KeyError("no array")


class Tensors:
    def __dlpack__(self, **_: Any) -> Any:
        raise ValueError("no tensor")

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


class Columns:
    def __arrow_c_array__(self, _: Any = None) -> Any:
        return 1, 2


class Streams:
    def __arrow_c_stream__(self, _: Any = None) -> Any:
        raise ZeroDivisionError


def holding_itself(kind: Callable[[], Any]) -> Any:
    data = kind()
    if isinstance(data, list):
        data.append(data)
    else:
        data[0] = data
    return data


WRONG: dict[str, Any] = {
    "datetime": np.array(["2020-01-01"], "M8[D]"), "timedelta": np.array([1], "m8[s]"), "no time": np.datetime64("NaT"),
    "longdouble": np.zeros(3, np.longdouble), "a longdouble": [np.longdouble(1)], "clongdouble": np.zeros(3, np.clongdouble),
    "bytes of NumPy": np.array([b"a"]), "void": np.zeros(2, "V4"), "object": np.array([1.0, {}], dtype=object),
    "object missing": np.array([1.0, None], dtype=object), "ragged objects": np.array([[1.0], [2.0, 3.0]], dtype=object),
    "array of itself": holding_itself(lambda: np.empty(1, dtype=object)), "list of itself": holding_itself(list),
    "field of arrays": np.zeros(2, dtype=[("a", "f4", (3,))]),
    "no character": np.frombuffer(b"\xff\xff\xff\x7f", "U1"), "text missing": np.array(["a", None], np.dtypes.StringDType(na_object=None)),
    "generator": (one for one in range(3)), "range": range(3), "map": map(int, "12"), "set": {1.0}, "frozenset": frozenset([1]),
    "dict": {"a": 1}, "values": {"a": 1}.values(), "None": None, "a None": [1.0, None], "type": int, "function": len, "module": np,
    "bytes": b"abc", "bytearray": bytearray(b"abc"), "memoryview": memoryview(b"abc"), "array": array.array("d", [1.0]),
    "ctypes": (ctypes.c_double * 3)(1, 2, 3), "deque": collections.deque([1.0]), "Decimal": decimal.Decimal("1.5"), "date": datetime.date(2020, 1, 1),
    "masked among others": [1.0, np.ma.masked], "raising": Raising(), "raising inside": [Raising()], "arrays": Arrays(), "tensors": Tensors(),
    "columns": Columns(), "streams": Streams(), "ragged": [[1.0], [1.0, 2.0]], "ragged arrays": [np.ones(2), np.ones(3)], "nothing": (),
    "lists of nothing": [()], "other lengths": ([1.0], [1.0, 2.0]), "mixed": [1.0, "a"], "huge among decimals": [10**400, 1.5],
    "nulls": pa.array([1.0, None]), "null": pa.scalar(None), "nulls in structs": pa.array([{"a": 1.0, "b": None}]), "times": pa.array([1], pa.timestamp("s")),
    "nulls in lists": pa.array([[1.0, None]], pa.list_(pa.float64(), 2)), "lists": pa.array([[1.0]]), "binary": pa.array([b"a"]), "no columns": pa.table({}),
    "schema": pa.schema([]), "data type": pa.int8(), "tensor": pa.Tensor.from_numpy(np.ones(3)), "runs": pa.RunEndEncodedArray.from_arrays([2], [1.0]),
    "places beyond": pa.DictionaryArray.from_arrays(pa.array([0, 5]), pa.array(["a"]), safe=False),
    "places below": pa.DictionaryArray.from_arrays(pa.array([0, -1]), pa.array(["a"]), safe=False),
    "no file": Path("/nonexistent.npy"), "a folder": Path("/"), "a name of nothing": Path("\0.npy"),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_data_is_told(programs: dict[str, tuple[Program, Program]], name: str) -> None:
    for form in SOURCES:
        told = []
        for program in programs[form]:
            with pytest.raises(tolang.ToLangError) as caught:
                program(WRONG[name])
            told.append(str(caught.value))
        assert told[0] == told[1]
        assert "\x1b" not in told[0]
