"""Files that are wide, or small and made to unpack to anything: read in time and memory that grow with what they hold."""

from __future__ import annotations

import csv
import io
import json
import struct
import time
import zipfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

import tolang
from tolang.data import contents, csv_file, npz_file, tables
from tolang.ground.system import memory
from tolang.ground.values.columns import default_column
from tolang.ground.values.interchange import from_arrow
from tolang.ground.values.membership import ordered_by_name
from tolang.ground.values.values import ToL


def failure(path: Path, name: str | None = None) -> str:
    with pytest.raises(tolang.ToLangUsageError) as caught:
        tolang.read(path, name)
    return str(caught.value)


def archive(path: Path, count: int) -> None:
    content = io.BytesIO()
    np.save(content, np.ones(2))
    with zipfile.ZipFile(path, "w") as made:
        for number in range(count):
            made.writestr(f"m{number}.npy", content.getvalue())


def table(path: Path, count: int) -> None:
    rows = [[f"c{number}" for number in range(count)], [str(number) for number in range(count)]]
    path.write_text("\n".join(",".join(row) for row in rows))


def quoted(path: Path, count: int) -> None:
    rows = [[f'"c{number}"' for number in range(count)], [f'"{number}"' for number in range(count)]]
    path.write_text("\n".join(",".join(row) for row in rows))


def parquet(path: Path, count: int) -> None:
    pyarrow.parquet.write_table(pyarrow.table({f"c{number}": [1.0] for number in range(count)}), path)


def arrow(path: Path, count: int) -> None:
    pyarrow.feather.write_feather(pyarrow.table({f"c{number}": [1.0] for number in range(count)}), path)


def members(path: Path, count: int) -> None:
    path.write_text(json.dumps({f"k{number}": [1, 2] for number in range(count)}))


def matrix(path: Path, count: int) -> None:
    path.write_text("\n".join(",".join(["0.5"] * count) for _ in range(3)))


def rows(path: Path, count: int) -> None:
    path.write_text("a,b\n" + "".join(f"{number},x\n" for number in range(count)))


def quoted_rows(path: Path, count: int) -> None:
    path.write_text("a,b\n" + "".join(f'{number},"x, y"\n' for number in range(count)))


def nested(path: Path, count: int) -> None:
    path.write_text(json.dumps({"x": [[[number, 1], [2, 3]] for number in range(count)]}))


def inside(path: Path, count: int) -> None:
    path.write_text(json.dumps({"x": [[list(range(count))], [list(range(count))]], "y": [{"z": 1}] * 0}))


def seconds(path: Path) -> float:
    """The CPU time of reading a file."""
    start = time.thread_time()
    tolang.read(path)
    return time.thread_time() - start


@pytest.mark.parametrize(
    ("kind", "make", "few"),
    [("npz", archive, 60), ("csv", table, 300), ("csv", quoted, 300), ("parquet", parquet, 300), ("arrow", arrow, 300),
     ("json", members, 300), ("csv", matrix, 2000), ("csv", rows, 2000), ("csv", quoted_rows, 2000),
     ("json", nested, 1000), ("json", inside, 2000)],
)  # fmt: skip
def test_time_grows_with_what_there_is(tmp_path: Path, kind: str, make: Callable[[Path, int], None], few: int) -> None:
    """Eight times the members, columns or rows take eight times as long; if each cost the others, it were 64 times."""
    paths = [tmp_path / f"{count}.{kind}" for count in (few, 8 * few)]
    for path in paths:
        make(path, int(path.stem))
    small, large = (min(seconds(path) for _ in range(3)) for path in paths)
    assert large < 24 * small + 0.02


def test_taking_components_by_name_grows_with_their_number() -> None:
    def taken(count: int) -> float:
        names = [f"c{number}" for number in range(count)]
        value = ToL([np.zeros(1)] * count, [default_column("f64", name) for name in names])
        wanted = [default_column("f64", name) for name in reversed(names)]
        start = time.thread_time()
        assert ordered_by_name(value, wanted, None).names == tuple(reversed(names))
        return time.thread_time() - start

    taken(10)
    assert min(taken(8000) for _ in range(3)) < 24 * min(taken(1000) for _ in range(3)) + 0.02


def test_a_table_has_so_many_columns_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "MOST_COLUMNS", 10)
    table(tmp_path / "x.csv", 11)
    assert "x.csv has 11 columns\n      expected: at most 10 columns" in failure(tmp_path / "x.csv")
    table(tmp_path / "y.csv", 10)
    assert tolang.read(tmp_path / "y.csv").capacity == 10


@pytest.mark.parametrize(("kind", "make"), [("csv", table), ("parquet", parquet), ("arrow", arrow)])
def test_lists_have_so_many_components_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, make: Callable[[Path, int], None]
) -> None:
    """A column that is asked for, and all of them as a matrix, are taken of a table of any width."""
    monkeypatch.setattr(tables, "LONGEST_LIST", 10)
    path = tmp_path / f"x.{kind}"
    make(path, 11)
    told = failure(path)
    assert "E612: " in told
    assert "x: 11 columns would be lists of as many components" in told.replace(path.suffix, "")
    assert "expected: at most 10 columns" in told
    assert "R [n,m]" in told
    assert tolang.read(path, "c10").shape == (1,)
    wanted = tolang.compile("tol m: R [n,k]\ny := m", engine="interpret").inputs["m"]
    assert tolang.read(path, kind=wanted).shape == (1, 11)
    make(path, 10)
    assert tolang.read(path).capacity == 10


def wide(*starts: str) -> str:
    """Rows of many cells, of which the first ones are given."""
    return "\n".join(",".join([start] + ["2"] * csv_file.WIDE) for start in starts)


def test_wide_matrices_are_what_narrow_ones_are(tmp_path: Path) -> None:
    """What is read by rows is what columns give, and errors name line and column."""
    path = tmp_path / "x.csv"
    generator = np.random.default_rng(3)
    for width in (csv_file.WIDE - 1, csv_file.WIDE, 3 * csv_file.WIDE):
        numbers = generator.normal(size=(3, width))
        path.write_text("\n".join(",".join(map(repr, row.tolist())) for row in numbers))
        assert np.array_equal(tolang.read(path), numbers)
        path.write_text(",".join(["2"] * width) + "\n\n" + ",".join(["3"] * width))
        found = tolang.read(path)
        assert (found.dtype, found[:, 0].tolist(), found.shape) == (np.dtype("i8"), [2, 3], (2, width))
        path.write_text(",".join(f"c{k}" for k in range(width)) + "\n" + ",".join(["1.5"] * width))
        assert tolang.compile("tol x: R [n,m]\ny := x", engine="interpret")(path).tolist() == [[1.5] * width]
        path.write_text("\n".join(",".join(["a", "b"] * width) for _ in range(2)))
        texts = tolang.compile("tol x: S [n,m]\ny := x", engine="interpret")(path)
        assert texts.tolist() == [["a", "b"] * width] * 2
    for start, program, told in (
        ("x", "tol m: R [n,k]\ny := m", "x.csv, line 2, column 1: 'x' is not a number"),
        ("-1", "tol m: N [n,k]\ny := m", "x.csv, line 2, column 1: -1 is not in N"),
        ("1,1", "tol m: R [n,k]\ny := m", f"x.csv, line 2: {csv_file.WIDE + 2} cells, where the first line has"),
    ):
        path.write_text(wide("1", start))
        with pytest.raises(tolang.ToLangError, match=told):
            tolang.compile(program, engine="interpret")(path)
    path.write_text(wide("1/3"))
    exact = tolang.compile("tol m: Q [n,k]\ny := m", engine="interpret")(path)
    assert exact[0, :2].tolist() == [Fraction(1, 3), 2]


@pytest.mark.parametrize("text", ["{}", "1\n2\n{}", "1\n{}\n3"])
def test_a_line_has_so_many_bytes_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(csv_file, "LONGEST_LINE", 3 << 20)
    (tmp_path / "x.csv").write_text(text.format("1" * (5 << 20)))
    assert "a line of more than 3145728 bytes" in failure(tmp_path / "x.csv")


def test_a_billion_quotes(tmp_path: Path) -> None:
    for content in (
        '"' * (1 << 21),
        '"' * ((1 << 21) + 1),
        '"a\n' * (1 << 19),
        ("a" * 100 + "\n") * 3 + '"' + "b\n" * 200_000,
    ):
        (tmp_path / "x.csv").write_text(content)
        assert "x.csv, line " in failure(tmp_path / "x.csv")
    assert csv.field_size_limit() == 131072


def test_a_directory_has_so_many_bytes_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive(tmp_path / "x.npz", 50)
    assert len(tolang.read(tmp_path / "x.npz")) == 50
    monkeypatch.setattr(npz_file, "LARGEST_DIRECTORY", 1000)
    size = sum(46 + len(f"m{number}.npy") for number in range(50))
    assert f"x.npz has a directory of {size} bytes\n      expected: at most 1000 bytes" in failure(tmp_path / "x.npz")
    wide = bytearray((tmp_path / "x.npz").read_bytes())
    wide[-10:-6] = b"\xff\xff\xff\xff"
    end, place = bytes(wide[-22:]), len(wide) - 22
    record = struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, 50, 50, 1 << 40, 0)
    locator = struct.pack("<IIQI", 0x07064B50, 0, place, 1)
    (tmp_path / "y.npz").write_bytes(bytes(wide[:-22]) + record + locator + end)
    told = failure(tmp_path / "y.npz")  # from Python 3.12.3 on its own reader looks first
    assert "y.npz has a directory of 1099511627776 bytes" in told or "y.npz is not a NumPy .npz file" in told


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has two megabytes left."""
    monkeypatch.setattr(contents, "available_memory", lambda: 2 << 20)


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.json", "[" + "[]," * 100_000 + "[]]"),
        ("x.json", "[" + "1," * 200_000 + "1]"),
        ("x.csv", ",".join(["1"] * 1000)),
        ("x.csv", ",".join(["1"] * 40_000)),
        ("x.csv", '"1"\n' * 200_000),
        ("x.csv", "1\n" * 2_000_000),
    ],
)
def test_memory_is_asked_for_before_it_is_taken(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    assert "bytes of memory are free" in failure(tmp_path / name)


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_a_text_in_many_rows_is_there_once(tmp_path: Path, kind: str) -> None:
    """A hundred gigabytes of text, if every row had its own."""
    words = pyarrow.array(["x" * 1_000_000])
    column = pyarrow.DictionaryArray.from_arrays(np.zeros(100_000, np.int32), words)
    made = pyarrow.table({"t": column})
    path = tmp_path / f"x.{kind}"
    (pyarrow.parquet.write_table if kind == "parquet" else pyarrow.feather.write_feather)(made, path)
    assert path.stat().st_size < 2_000_000
    found = tolang.read(path, "t")
    assert found.shape == (100_000,)
    assert found[0] is found[-1]


@pytest.mark.usefixtures("little")
def test_views_of_one_text_are_counted_each(tmp_path: Path) -> None:
    view = struct.pack("<i4sii", 1000, b"xxxx", 0, 0)
    buffers = [None, pyarrow.py_buffer(view * 10_000), pyarrow.py_buffer(b"x" * 1000)]
    column = pyarrow.Array.from_buffers(pyarrow.string_view(), 10_000, buffers)
    with pyarrow.ipc.new_file(tmp_path / "x.arrow", pyarrow.schema([("t", column.type)])) as writer:
        writer.write_table(pyarrow.table({"t": column}))
    assert "x.arrow, column t unpacks to 10640000 bytes" in failure(tmp_path / "x.arrow")


def test_columns_of_nothing_that_are_endless(tmp_path: Path) -> None:
    """Nulls take no room in a file, whatever their number."""
    path = tmp_path / "x.arrow"
    endless = pyarrow.Array.from_buffers(pyarrow.null(), 1 << 40, [None])
    options = pyarrow.ipc.IpcWriteOptions(allow_64bit=True)
    with pyarrow.ipc.new_file(path, pyarrow.schema([("t", pyarrow.null())]), options=options) as writer:
        writer.write_batch(pyarrow.record_batch([endless], names=["t"]))
    with pytest.raises(tolang.ToLangError, match="row 1, column t: the value is missing"):
        tolang.read(path)


def test_columns_of_one_name(tmp_path: Path) -> None:
    made = pyarrow.Table.from_arrays(
        [pyarrow.array([1]), pyarrow.array([2]), pyarrow.array([3])], names=["a", "a", "b"]
    )
    for path, write in ((tmp_path / "x.parquet", pyarrow.parquet.write_table), (tmp_path / "x.arrow", ipc_file)):
        write(made, path)
        assert tolang.read(path).to_list() == [(1, 2, 3)]
        assert tolang.read(path, "b").tolist() == [3]


def ipc_file(made: Any, path: Path) -> None:
    with pyarrow.ipc.new_file(path, made.schema) as writer:
        writer.write_table(made)


@pytest.mark.parametrize(
    ("words", "places", "expected"),
    [
        (["a", "b"], [0, 1, 1], ["a", "b", "b"]),
        ([1.5, 2.5], [1, 0], [2.5, 1.5]),
        (["a", None, "b"], [0, 2, 0], ["a", "b", "a"]),
        (["a"], [], []),
    ],
)
def test_dictionaries(words: list[Any], places: list[int], expected: list[Any]) -> None:
    made = pyarrow.DictionaryArray.from_arrays(pyarrow.array(places, pyarrow.int8()), pyarrow.array(words))
    assert from_arrow(made).to_list() == expected
    assert from_arrow(pyarrow.chunked_array([made, made])).to_list() == expected * 2


def test_dictionaries_with_missing_words() -> None:
    made = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1]), pyarrow.array(["a", None]))
    with pytest.raises(tolang.ToLangError, match=r"the value at \[2\] is missing"):
        from_arrow(made)


def test_memory_of_a_container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "memory.current").write_text("900000\n")
    (tmp_path / "memory.stat").write_text("anon 1\ninactive_file 50000\n")
    monkeypatch.setattr(memory, "_groups", lambda: [(tmp_path, 1_000_000, "memory.current", "inactive_file")])
    assert 140_000 < memory.available_memory() <= 150_000
    monkeypatch.setattr(memory, "_groups", list)
    assert memory.available_memory() > 1 << 20


@pytest.mark.parametrize("cell", ["1e999999999", "1E-999999999", f"1e{'9' * 3000}", "1e+1001", "9" * 5000])
@pytest.mark.parametrize("form", ["x.csv", "x.json"])
def test_exact_numbers_without_end(tmp_path: Path, cell: str, form: str) -> None:
    """A few bytes may write a number of any number of digits."""
    (tmp_path / form).write_text(cell if form == "x.csv" else json.dumps([cell]))
    with pytest.raises(tolang.ToLangError):
        tolang.compile("tol x: Q [n]\ny := x", engine="interpret")(tmp_path / form)
    (tmp_path / form).write_text("1.5e+3" if form == "x.csv" else '["1.5E3"]')
    assert tolang.compile("tol x: Q [n]\ny := x", engine="interpret")(tmp_path / form).tolist() == [1500]
