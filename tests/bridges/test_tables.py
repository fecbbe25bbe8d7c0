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
        ({"age": ["x"], "name": ["Ada"]}, "E608: the table people, row 1, column age: 'x' is not a number"),
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


def test_results_as_frames() -> None:
    """Names and storages, of no rows, too; what pandas itself makes of a result is the same frame, by rows."""
    polars, pandas = (pytest.importorskip(one, reason=f"needs {one}: make bridges") for one in ("polars", "pandas"))
    program = tolang.compile(PEOPLE, engine="interpret")
    found = program([("Ada", 36), ("Alan", 41)])
    expected = {"name": ["Ada", "Alan"], "f2": [37, 42]}
    for frame in (found.to_pandas(), pandas.DataFrame(found)):
        assert (frame.to_dict("list"), str(frame.dtypes["f2"])) == (expected, "int64")
        assert program(frame.rename(columns={"f2": "age"})).to_list() == [("Ada", 38), ("Alan", 43)]
    assert found.to_polars().equals(polars.DataFrame(found))
    assert found.to_polars().to_dict(as_series=False) == expected
    assert list(found[:0].to_pandas().columns) == found[:0].to_polars().columns == ["name", "f2"]
    numbers = tolang.ToL.of((np.array([1.5], "f4"), np.array([2], "u1"), np.array([True])))
    assert [str(one) for one in numbers.to_pandas().dtypes] == ["float32", "uint8", "bool"]
    assert numbers.to_polars().dtypes == [polars.Float32, polars.UInt8, polars.Boolean]
    single = tolang.ToL.of((1.0, "a"))
    assert (
        single.to_pandas().to_dict("list") == single.to_polars().to_dict(as_series=False) == {"f1": [1.0], "f2": ["a"]}
    )


def test_what_no_frame_holds() -> None:
    pytest.importorskip("polars", reason="needs polars: make bridges")
    pytest.importorskip("pandas", reason="needs pandas: make bridges")
    matrix = tolang.ToL.of((np.ones((2, 2)), np.ones((2, 2))))
    for call in (matrix.to_pandas, matrix.to_polars):
        with pytest.raises(tolang.ToLangError, match=r"(?s)one dimension.*\[2,2\].*value\[0\]"):
            call()
    assert matrix[:, 0].to_pandas().shape == (2, 2)
    with pytest.raises(tolang.ToLangError, match="Polars has no type for the component f1"):
        tolang.ToL.of((np.ones(2, complex), np.ones(2))).to_polars()


SALE = "list item: [sku: S, qty: N]\ntol items: item [n]\ntol price: R [n]\ntol rate: R\n"
SALE += "total := reduce(map(items, *[qty]' * price[i] * rate, i), add, 0)"


def test_a_table_gives_several_inputs(table: Table) -> None:
    program = tolang.compile(SALE, engine="interpret")
    whole: dict[str, list[Any]] = {"price": [1.5, 2.5], "note": ["x", "y"], "qty": [1, 2], "sku": ["a", "b"]}
    assert program(table(whole), rate=2.0) == 13
    assert program(table({name: column[:1] for name, column in whole.items()} | {"rate": [3.0]})) == 4.5
    assert program(table(whole), table(whole), 2.0) == 13


@pytest.mark.parametrize(
    ("renamed", "named", "told"),
    [
        ({}, {}, "E612: the table has no column rate, and the input rate is not given otherwise"),
        ({}, {}, r"expected: items: \[sku: S, qty: N\] \[n\]; price: R \[n\]; rate: R\n +fix: pass it by name: rate=…"),
        ({"qty": "Qty"}, {"rate": 1.0}, "the table has no column qty, which the input items needs"),
        ({"qty": "Qty"}, {"rate": 1.0}, "found: sku, Qty, price\n(?s:.*)fix: did you mean Qty\\?"),
        ({"price": "prize"}, {"rate": 1.0}, "no column price(?s:.*)did you mean prize"),
        ({}, {"rte": 1.0}, "E612|E603"),
    ],
)
def test_columns_that_a_table_has_not(table: Table, renamed: dict[str, str], named: dict[str, Any], told: str) -> None:
    columns: dict[str, list[Any]] = {"sku": ["a", "b"], "qty": [1, 2], "price": [1.5, 2.5]}
    with pytest.raises(tolang.ToLangError, match=told):
        tolang.compile(SALE, engine="interpret")(table({renamed.get(n, n): c for n, c in columns.items()}), **named)


def test_a_misspelt_column_of_a_vector(table: Table) -> None:
    with pytest.raises(tolang.ToLangError, match=r'did you mean Age\? pass table\["Age"\]'):
        tolang.compile("tol age: R [n]\ny := age")(table({"Age": [1.0], "b": [2.0]}))


def test_a_matrix_beside_others_is_given_by_itself(table: Table) -> None:
    """It would take all columns, those that are others' too."""
    program = tolang.compile("tol age: R [n]\ntol m: R [n,k]\ny := age", engine="interpret")
    with pytest.raises(tolang.ToLangError, match="E603: the input m is missing"):
        program(table({"age": [1.0], "b": [2.0]}))


def test_an_expression_of_columns(table: Table) -> None:
    frame = table({"price": [1.5, 2.5], "qty": [1, 2]})
    assert tolang.evaluate("sum(price * qty)", price=frame["price"], qty=frame["qty"]) == 6.5
