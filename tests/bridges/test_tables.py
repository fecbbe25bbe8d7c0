"""Tables of Polars, pandas and Arrow as arguments, by the rules of files, and results as their tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tolang

PEOPLE = "list person: [name: S, age: N]\ntol people: person [n]\nolder := map(people, (*[name]', *[age]' + 1))"
Table = Callable[[dict[str, list[Any]]], Any]


def maker(library: str) -> Table:
    found = pytest.importorskip(library, reason=f"needs {library}: make bridges")
    made: Table = found.table if library == "pyarrow" else found.DataFrame
    return made


@pytest.fixture(params=["pyarrow", "polars", "pandas"])
def table(request: pytest.FixtureRequest) -> Table:
    return maker(request.param)


def test_columns_by_name(table: Table) -> None:
    found = tolang.compile(PEOPLE)(table({"age": [36, 41], "city": ["Rome", "Oslo"], "name": ["Ada", "Alan"]}))
    assert found.to_list() == [("Ada", 37), ("Alan", 42)]


def test_what_an_input_takes_of_a_table(table: Table) -> None:
    two = table({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    vector, matrix = tolang.compile("tol b: R [n]\ny := b"), tolang.compile("tol m: R [n,k]\ny := m")
    assert vector(two).tolist() == [3.0, 4.0]
    assert matrix(two).tolist() == [[1.0, 3.0], [2.0, 4.0]]
    assert tolang.compile("tol x: [R,R] [n]\ny := x")(two).to_list() == [(1.0, 3.0), (2.0, 4.0)]
    assert tolang.compile("tol x: [R,R]\ny := x")(table({"a": [1.0], "b": [2.0]})) == (1.0, 2.0)
    assert vector(two["a"]).tolist() == [1.0, 2.0]
    both = tolang.compile("tol a: R [n]\ntol b: R [n]\ny := a + b")
    assert both(two, two).tolist() == [4.0, 6.0]


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"aged": [36], "name": ["Ada"]}, "E612: the table people has no column age.*\n.*\n.*\n.*did you mean aged"),
        ({"age": [36, None], "name": ["Ada", "Bo"]}, "E511: the table people, row 2, column age: the value is missing"),
        ({"age": [36, -4], "name": ["Ada", "Bo"]}, "E501: the table people, row 2, column age: -4 is not in N"),
        ({"age": ["x"], "name": ["Ada"]}, "E608: the table people, row 1, column age: 'x' is no number"),
    ],
)
def test_what_does_not_fit(table: Table, columns: dict[str, list[Any]], told: str) -> None:
    with pytest.raises(tolang.ToLangError, match=told):
        tolang.compile(PEOPLE)(table(columns))


def test_no_column_of_that_name(table: Table) -> None:
    with pytest.raises(tolang.ToLangError, match=r'(?s)none is called x.*fix: pass one of them: table\["a"\]'):
        tolang.compile("tol x: R [n]\ny := x")(table({"a": [1.0], "b": [2.0]}))


def test_results_as_tables() -> None:
    polars, pandas = (pytest.importorskip(one, reason=f"needs {one}: make bridges") for one in ("polars", "pandas"))
    pyarrow = pytest.importorskip("pyarrow")
    found = tolang.compile(PEOPLE)([("Ada", 36), ("Alan", 41)])
    expected = {"name": ["Ada", "Alan"], "f2": [37, 42]}
    assert polars.DataFrame(found).to_dict(as_series=False) == expected
    assert pyarrow.table(found).to_pydict() == expected
    assert pandas.DataFrame.from_arrow(found).to_dict("list") == expected
    column = tolang.ToL.of(np.array([1.5, 2.5]))
    assert pyarrow.chunked_array(column).to_pylist() == polars.Series(column).to_list() == [1.5, 2.5]
    assert pyarrow.chunked_array(tolang.ToL.of(3)).to_pylist() == [3]


def test_index_of_pandas_is_no_column() -> None:
    pandas = pytest.importorskip("pandas", reason="needs pandas: make bridges")
    frame = pandas.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}, index=[7, 5])
    program = tolang.compile("tol m: R [n,k]\ny := m")
    assert program(frame).tolist() == [[1.0, 3.0], [2.0, 4.0]]
    assert program(frame.rename_axis("key")).shape == (2, 2)
    assert tolang.compile("tol x: S [n]\ny := x")(pandas.Series(["a", "b"], dtype="category")).tolist() == ["a", "b"]


def test_chunks_of_polars() -> None:
    polars = pytest.importorskip("polars", reason="needs polars: make bridges")
    parts = polars.concat([polars.Series("x", [1, 2]), polars.Series("x", [3])], rechunk=False)
    assert tolang.compile("tol x: Z [n]\ny := x")(parts).tolist() == [1, 2, 3]
    frame = polars.concat([polars.DataFrame({"x": [1]}), polars.DataFrame({"x": [2]})], rechunk=False)
    assert tolang.compile("tol x: Z [n]\ny := x")(frame).tolist() == [1, 2]
