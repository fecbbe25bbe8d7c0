"""Dates and times in files, and plain text."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

import tolang
from tolang.data.moments import is_moment, seconds

TABLE = "tol t: [when: {}, v: N] [n]\nwhen := t[when]'\n"
MOMENTS = [datetime(2024, 1, 31, 12, 30, 15), datetime(1969, 12, 31, 23, 59, 59), datetime(2024, 2, 29)]
SECONDS = [int(one.replace(tzinfo=UTC).timestamp()) for one in MOMENTS]


def when(space: str, data: Any) -> Any:
    return np.asarray(tolang.compile(TABLE.format(space), engine="interpret")(data)).reshape(-1).tolist()


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "+05:30"])
@pytest.mark.parametrize("end", ["parquet", "arrow"])
def test_times_of_arrow(tmp_path: Path, unit: str, zone: str | None, end: str) -> None:
    moments = pyarrow.array(
        [one.replace(tzinfo=UTC) if zone else one for one in MOMENTS], pyarrow.timestamp(unit, zone)
    )
    table = pyarrow.table({"when": moments, "v": [1, 2, 3]})
    path = tmp_path / f"t.{end}"
    (pyarrow.parquet.write_table if end == "parquet" else pyarrow.feather.write_feather)(table, path)
    for data in (path, table):
        assert when("Z", data) == when("i64", data) == when("R", data) == SECONDS
    texts = [f"{one:%Y-%m-%d %H:%M:%S}{'Z' if zone else ''}" for one in MOMENTS]
    read = when("S", path)
    assert [one.replace(".000000000", "").replace(".000000", "").replace(".000", "") for one in read] == texts
    assert [seconds(one) for one in read] == SECONDS, "text in a file is the same moment"
    assert [one[0] for one in tolang.read(path).to_list()] == read


def test_fractions_of_seconds(tmp_path: Path) -> None:
    moment = datetime(2024, 1, 31, 0, 0, 0, 250000)
    table = pyarrow.table({"when": pyarrow.array([moment]), "v": [1]})
    exact = moment.replace(tzinfo=UTC).timestamp()
    assert when("R", table) == [exact]
    with pytest.raises(tolang.ToLangError, match="is not in Z"):
        when("Z", table)
    path = tmp_path / "t.csv"
    path.write_text("when,v\n2024-01-31T00:00:00.25,1\n")
    assert when("R", path) == [exact]
    assert [str(one) for one in when("Q", path)] == [str(int(exact * 4)) + "/4"]
    assert [str(one) for one in when("Q", table)] == [str(int(exact * 4)) + "/4"]


def test_dates(tmp_path: Path) -> None:
    days = [date(2024, 1, 31), date(1900, 3, 1)]
    expected = [(one - date(1970, 1, 1)).days * 86400 for one in days]
    for kind in (pyarrow.date32(), pyarrow.date64()):
        table = pyarrow.table({"when": pyarrow.array(days, kind), "v": [1, 2]})
        assert when("Z", table) == expected
        assert when("S", table) == [str(one) for one in days]
    path = tmp_path / "t.csv"
    for header in ("when,v\n", ""):  # a first line of dates is no header where dates are below it
        path.write_text(header + "\n".join(f"{one},{n}" for n, one in enumerate(days)) + "\n")
        assert when("Z", path) == expected
    wide = tmp_path / "wide.csv"
    wide.write_text("2024-01-31,2024-02-29\n1,2\n3,4\n")
    found = tolang.compile("tol x: R [n,m]\ny := x", engine="interpret")(wide)
    assert found.tolist() == [[1, 2], [3, 4]], "dates above numbers are names of columns"


def test_texts_of_moments() -> None:
    for text in ("2024-01-31T12:30:15", "2024-01-31 12:30:15Z", "2024-01-31T14:30:15+02:00", "2024-01-31 12:30:15 UTC"):
        assert seconds(text) == SECONDS[0]
    west = datetime(2024, 1, 31, 7, 0, 15, tzinfo=timezone(-timedelta(hours=5, minutes=30)))
    assert seconds("2024-01-31T07:00:15-0530") == int(west.timestamp())
    for text in ("2024-02-30", "24-01-31", "2024", "2024-01-31T25:00", "31.01.2024", "", "2024-01-31T12:30:15+99:00"):
        assert not is_moment(text)


def test_other_dates_and_spans_say_what_helps(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("when,v\n31/01/2024,1\n")
    with pytest.raises(tolang.ToLangError, match="write dates as 2024-01-31, or declare the column as text, S"):
        when("R", path)
    span = pyarrow.array([timedelta(1)])
    with pytest.raises(tolang.ToLangError, match=r"a.cast\('int64'\)"):
        when("Z", pyarrow.table({"when": span, "v": [1]}))
    assert span.cast("int64").to_pylist() == [86400 * 10**6]
    for given in (np.array(["2024-01-31"], "M8[D]"), pyarrow.array([date(2024, 1, 31)])):
        with pytest.raises(tolang.ToLangError, match="seconds since 1970") as caught:
            tolang.compile("tol a: Z [n]\ny := a", engine="interpret")(given)
        words = (caught.value.diagnostics[0].fix or "").partition(": ")[2].partition(";")[0]
        assert eval(words, {"a": given}).tolist() == [1706659200]


def text_file(tmp_path: Path, content: str, declared: str) -> Any:
    (tmp_path / "a.txt").write_bytes(content.encode())
    found: Any = tolang.compile(f"tol a: {declared}\ny := a", engine="interpret")(tmp_path / "a.txt")
    return found.tolist() if isinstance(found, np.ndarray) else found


@pytest.mark.parametrize(
    ("content", "declared", "value"),
    [
        ("GATTACA\n", "S", "GATTACA"),
        ("one\ntwo\n", "S", "one\ntwo"),
        ("", "S", ""),
        ("one\r\ntwo", "S [n]", ["one", "two"]),
        ("one\n\ntwo\n\n", "S [n]", ["one", "", "two", ""]),
        ("", "S [n]", []),
        ("1\n2.5\n", "R [n]", [1, 2.5]),
        ("7\n", "N", 7),
        ("2024-01-31\n", "Z [n]", [1706659200]),
    ],
)
def test_plain_text(tmp_path: Path, content: str, declared: str, value: Any) -> None:
    assert text_file(tmp_path, content, declared) == value


@pytest.mark.parametrize(
    ("content", "declared", "words"),
    [
        ("1 2\n3 4\n", "R [n,m]", "save a table as .csv"),
        ("1\ntwo\n", "R [n]", "line 2: 'two' is not a number"),
        ("1\n2\n", "R", "has 2 lines, and a is one number"),
        ("a\n", "[S, N] [n]", "save a table as .csv"),
    ],
)
def test_plain_text_that_does_not_fit(tmp_path: Path, content: str, declared: str, words: str) -> None:
    with pytest.raises(tolang.ToLangError, match=words):
        text_file(tmp_path, content, declared)


@pytest.mark.parametrize(
    ("value", "content"), [("one", "one\n"), (["a", "", "b"], "a\n\nb\n"), ([1, 2], "1\n2\n"), (2.5, "2.5\n")]
)
def test_plain_text_is_written(tmp_path: Path, value: Any, content: str) -> None:
    tolang.write(tmp_path / "a.txt", value)
    assert (tmp_path / "a.txt").read_text() == content
    for wrong in ([[1, 2]], ["a\nb"], {"a": 1, "b": 2}):
        with pytest.raises(tolang.ToLangError, match=r"write a .csv or .json file"):
            tolang.write(tmp_path / "b.txt", wrong)
    assert not (tmp_path / "b.txt").exists()
