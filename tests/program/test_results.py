"""Results in Python: components by name, elements by position, iteration, copies, and what checkers of types know."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tolang
from tolang import ToL

PEOPLE = "list person: [name: S, age: N]\ntol people: person [n]\nolder := map(people, (*[name]', *[age]' + 1))"


@pytest.fixture(scope="module")
def older() -> ToL:
    found = tolang.compile(PEOPLE, engine="interpret")([("Ada", 36), ("Alan", 41), ("Bo", 3)])
    assert type(found) is ToL
    return found


def test_components_by_name(older: ToL) -> None:
    assert older["name"].tolist() == ["Ada", "Alan", "Bo"]
    assert (older["f2"].dtype, older["f2"].tolist()) == (np.dtype("i8"), [37, 42, 4])
    assert older[["f2", "name"]].to_list() == [(37, "Ada"), (42, "Alan"), (4, "Bo")]
    for name in ("nme", "f1", "zzz"):
        with pytest.raises(KeyError, match=r"^no component is called .*; there are name, f2"):
            older[name]
    with pytest.raises(KeyError, match="did you mean name"):
        older["nme"]


def test_elements_count_as_those_of_an_array(older: ToL) -> None:
    rows = [("Ada", 37), ("Alan", 42), ("Bo", 4)]
    assert [older[0], older[-1]] == [rows[0], rows[-1]]
    assert older[1:].to_list() == rows[1:] == older[[1, 2]].to_list() == older[older["f2"] != 37].to_list()
    assert older[::-1].to_list() == rows[::-1]
    assert (list(older), len(older), list(older[:0])) == (rows, 3, [])
    assert rows[1] in older
    for position in (3, -4):
        with pytest.raises(IndexError):
            older[position]


def test_tensors_of_any_dimension() -> None:
    generator = np.random.default_rng(4)
    a, b = generator.normal(size=(3, 4, 2)), generator.integers(0, 9, (3, 4, 2))
    value = ToL.of((a, b))
    for key in (0, -1, (1, 2), (slice(None), 3), (..., 0), (2, 1, 0), a > 0, (None, 1)):
        found = value[key]
        if isinstance(found, ToL):
            assert [one.tolist() for one in found.columns] == [a[key].tolist(), b[key].tolist()]
        else:
            assert found == (a[key], b[key])
    assert [part.to_list() for part in value] == value.to_list()
    assert ToL.of(a)[1].to_list() == a[1].tolist()
    assert list(ToL.of(a[0, 0])) == a[0, 0].tolist()
    with pytest.raises(TypeError):
        list(ToL.of(3))


def test_long_iteration_gives_each_element_once() -> None:
    value = ToL.of((np.arange(10_000), np.arange(10_000) / 2))
    assert list(value) == [(k, k / 2) for k in range(10_000)]


def test_a_list_is_a_tuple_with_names(older: ToL) -> None:
    first = older[0]
    assert (first, hash(first), repr(first)) == (("Ada", 37), hash(("Ada", 37)), "('Ada', 37)")
    assert (first["name"], first["f2"], first[1], first[:1]) == ("Ada", 37, 37, ("Ada",))
    for one in (pickle.loads(pickle.dumps(first)), copy.copy(first), copy.deepcopy(first)):
        assert (one, one["name"]) == (first, "Ada")
    with pytest.raises(KeyError, match="did you mean name"):
        first["naem"]
    assert tuple in type(first).__mro__
    single = tolang.compile("list point: [x: R, y: R]\ntol p: point\nq := p", engine="interpret")((1.0, 2.0))
    assert (single, single["y"]) == ((1.0, 2.0), 2.0)


def test_elements_are_data_again(older: ToL) -> None:
    """Components without a name have none, although Python may ask for them as f1, f2."""
    program = tolang.compile(PEOPLE, engine="interpret")
    assert program(list(older)) == program(older)
    assert ToL.of(list(older)).names == older.names


def test_numpy_takes_lists_as_records(older: ToL) -> None:
    records = np.asarray(older)
    assert (records.dtype.names, records["name"].tolist()) == (("name", "f2"), ["Ada", "Alan", "Bo"])
    assert records.tolist() == list(older)
    assert np.asarray(older[:0]).dtype == records.dtype
    narrow = ToL.of((np.ones(2, ml_dtypes.bfloat16), np.arange(2)))
    assert np.asarray(narrow).tolist() == [(1.0, 0), (1.0, 1)]
    assert np.asarray(ToL.of([1.5, 2.5]), "f4").tolist() == [1.5, 2.5]
    kept = [np.asarray(ToL.of((np.full(100, k), np.full(100, str(k), object)))) for k in range(50)]
    assert [set(one.tolist()) for one in kept] == [{(k, str(k))} for k in range(50)], "their memory is their own"


def test_exact_numbers_stay_exact() -> None:
    value = tolang.compile("tol q: Q [n]\ny := map(q, (*, * / 3))", engine="interpret")([Fraction(1, 2)])
    assert value[0] == (Fraction(1, 2), Fraction(1, 6))
    assert list(value["f2"]) == [Fraction(1, 6)]


def test_checkers_of_types_know_what_a_result_has() -> None:
    """What follows is checked by mypy, with everything else: each of these comments has to be needed."""
    result = tolang.compile("tol x: R [n]\ny := x", engine="interpret")([1.0, 2.0])
    array: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = result
    first, second = result
    assert float(result[0]) + result.sum() == 1 + first + second
    assert (result == array).all()
    table: ToL = tolang.compile("tol x: R [n]\ny := (x, 2*x)", engine="interpret")([1.0, 2.0])
    misspelt: list[Callable[[], Any]] = [
        lambda: result.to_lsit(),  # type: ignore[attr-defined]
        lambda: result[0:1].to_pandsa(),  # type: ignore[attr-defined]
        lambda: table.to_lsit(),  # type: ignore[attr-defined]
        lambda: table.colums,  # type: ignore[attr-defined]
        lambda: tolang.evaluate("x", x=[1.0]).to_lsit(),  # type: ignore[attr-defined]
        lambda: tolang.complie("y := 1"),  # type: ignore[attr-defined]
        lambda: tolang.compile("y := 1").cost().eosp,  # type: ignore[attr-defined]
    ]
    for one in misspelt:
        with pytest.raises(AttributeError):
            one()


def test_frames_need_their_libraries(older: ToL, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: dict[str, Any] = {"pandas": older.to_pandas, "polars": older.to_polars}
    for library, call in calls.items():
        monkeypatch.setitem(sys.modules, library, None)
        with pytest.raises(
            tolang.ToLangError, match=f"E512: .*needs the package {library}(?s:.*)pip install {library}"
        ):
            call()
