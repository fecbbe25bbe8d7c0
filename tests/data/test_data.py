"""Data in files and on the command line: what is read, what is written, and what is refused."""

from __future__ import annotations

import errno
import io
import json
import os
import pickle
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tolang
from tolang.core.types import Type
from tolang.data import argument, npy_file, read_all, read_data, refuse_output, write_results
from tolang.data.files import replace_file
from tolang.data.numerals import number
from tolang.faces import terminal
from tolang.ground.values.values import ToL


def wanted(declaration: str) -> Type:
    """The type of an input that is declared so."""
    return next(iter(tolang.compile(f"{declaration}\nr := 1").inputs.values()))


PERSON = wanted("list person: [name: S, age: N]\ntol x: person [n]")
VECTOR = wanted("tol x: R [n]")
RATIONAL = wanted("tol x: Q [n]")


def refused(call: Any) -> str:
    with pytest.raises(tolang.ToLangUsageError) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-2.5", -2.5),
        ("1e-3", 0.001),
        ("[1,2,3]", [1, 2, 3]),
        ("[[1,2],[3,4.5]]", [[1, 2], [3, 4.5]]),
        ("2+2i", 2 + 2j),
        ("true", True),
        ("'a'", "a"),
        ("@some text", "some text"),
        ("@", ""),
        ("@data.npy", "data.npy"),
        ("map(tol[2], 7)", [7, 7]),
    ],
)
def test_constants(text: str, value: object) -> None:
    assert argument("x", text) == value


def test_rational_is_exact() -> None:
    assert argument("x", "1/3", wanted("tol x: Q")) == Fraction(1, 3)


@pytest.mark.parametrize("text", ["", "(1", "nope", "[1,2", "1 2", "(tol[1], tol[2])"])
def test_wrong_constants(text: str) -> None:
    refused(lambda: argument("x", text))


@pytest.mark.parametrize("text", ["model.pt", "data.xlsx", "archive.tar.gz"])
def test_unknown_kind_of_file(text: str) -> None:
    assert ".npy, .npz, .json, .csv, .parquet" in refused(lambda: argument("x", text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        (" -4 ", -4),
        ("2.5", 2.5),
        ("1/3", Fraction(1, 3)),
        ("1.5+2i", 1.5 + 2j),
        ("-Inf", -np.inf),
        ("true", True),
        ("1e3", 1000.0),
    ],
)
def test_numerals(text: str, value: object) -> None:
    assert number(text) == value


@pytest.mark.parametrize("text", ["", "x", "1/0", "1_000", "0x10", "1,5", "--1"])
def test_no_numerals(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text) or "float"):
        number(text)


def test_npy(tmp_path: Path) -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.save(tmp_path / "a.npy", array)
    read = read_data(tmp_path / "a.npy", "a")
    assert read.dtype == np.float32
    assert read.tolist() == array.tolist()


def test_npz(tmp_path: Path) -> None:
    path = tmp_path / "two.npz"
    np.savez(path, a=np.ones(2), b=np.zeros(3))
    assert argument("a", str(path)).tolist() == [1, 1]
    assert argument("x", f"{path}:b").tolist() == [0, 0, 0]
    assert "a, b" in refused(lambda: argument("x", str(path)))
    assert "holds no c" in refused(lambda: argument("x", f"{path}:c"))
    np.savez_compressed(tmp_path / "one.npz", other=np.ones(2))
    assert argument("x", str(tmp_path / "one.npz")).tolist() == [1, 1]


def test_pickled_files_are_never_loaded(tmp_path: Path) -> None:
    marker = tmp_path / "was_run"

    class Bomb:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(marker),)

    np.save(tmp_path / "objects.npy", np.array([Bomb()], dtype=object), allow_pickle=True)
    (tmp_path / "pickled.npy").write_bytes(pickle.dumps(Bomb()))
    np.savez(tmp_path / "objects.npz", x=np.array([Bomb()], dtype=object))
    for name in ("objects.npy", "pickled.npy", "objects.npz"):
        refused(lambda name=name: read_data(tmp_path / name, "x"))
    assert "never loaded" in refused(lambda: read_data(tmp_path / "objects.npy", "x"))
    assert not marker.exists()


def test_damaged_files(tmp_path: Path) -> None:
    np.save(tmp_path / "whole.npy", np.arange(100.0))
    np.savez(tmp_path / "whole.npz", x=np.arange(100.0))
    for kind in (".npy", ".npz"):
        content = (tmp_path / f"whole{kind}").read_bytes()
        for length in (0, 4, 60, len(content) - 3):
            (tmp_path / f"cut{kind}").write_bytes(content[:length])
            assert "E608" in refused(lambda kind=kind: read_data(tmp_path / f"cut{kind}", "x"))
    (tmp_path / "cut.json").write_text("[1, 2")
    assert "line 1 column 6" in refused(lambda: read_data(tmp_path / "cut.json", "x"))
    (tmp_path / "deep.json").write_text("[" * 100_000)
    refused(lambda: read_data(tmp_path / "deep.json", "x"))


def test_file_that_claims_to_be_huge(tmp_path: Path) -> None:
    with open(tmp_path / "huge.npy", "wb") as file:
        header = {"descr": "<f8", "fortran_order": False, "shape": (10**15,)}
        np.lib.format.write_array_header_1_0(file, header)
        file.write(b"12345678")
    refused(lambda: read_data(tmp_path / "huge.npy", "x"))
    content = (tmp_path / "huge.npy").read_bytes()
    (tmp_path / "odd.npy").write_bytes(content.replace(b"}", b"("))
    refused(lambda: read_data(tmp_path / "odd.npy", "x"))


def test_missing_files(tmp_path: Path) -> None:
    for name in ("none.npy", "none.npz", "none.json", "none.csv"):
        assert "E604" in refused(lambda name=name: read_data(tmp_path / name, "x"))
    (tmp_path / "folder.npy").mkdir()
    assert "E604" in refused(lambda: read_data(tmp_path / "folder.npy", "x"))


def test_json(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"x": [1, 2.5], "people": [{"age": 3, "name": "anna"}, {"name": "bob", "age": 4}]}')
    assert read_data(path, "x") == [1, 2.5]
    assert read_data(path, "people", PERSON) == [("anna", 3), ("bob", 4)]
    path.write_text('[["anna", 3], ["bob", "4"]]')
    assert read_data(path, "x", PERSON) == [("anna", 3), ("bob", 4)]
    path.write_text('["1/3", 2, "-0.5"]')
    assert read_data(path, "x", RATIONAL) == [Fraction(1, 3), 2, Fraction(-1, 2)]
    path.write_text('["Inf", "NaN", "-Inf", 1]')
    assert np.array_equal(read_data(path, "x", VECTOR), [np.inf, np.nan, -np.inf, 1], equal_nan=True)
    path.write_text('["one"]')
    assert "'one' is not a number" in refused(lambda: read_data(path, "x", VECTOR))


def results() -> dict[str, Any]:
    return {
        "f32": ToL.of(np.array([[1.5, 2.5]], dtype=np.float32)),
        "bf16": ToL.of(np.array([1.5], dtype=ml_dtypes.bfloat16)),
        "file": ToL.of(7),
        "people": ToL.of([("anna", 3), ("bob", 4)], PERSON.columns),
        "q": ToL.of([Fraction(1, 3)]),
        "z": ToL.of(1 + 2j),
        "inf": ToL.of([np.inf, np.nan]),
        "pair": (ToL.of([1, 2]), ToL.of("x")),
        "none": ToL.of(np.zeros((0, 3))),
    }


def test_npz_holds_everything(tmp_path: Path) -> None:
    path = tmp_path / "out.npz"
    write_results(path, results())
    with np.load(path, allow_pickle=False) as read:
        assert list(read) == ["f32", "bf16", "file", "people", "q", "z", "inf", "pair.1", "pair.2", "none"]
        assert read["f32"].dtype == np.float32
        assert read["bf16"].tolist() == [1.5]
        assert read["people"]["name"].tolist() == ["anna", "bob"]
        assert read["none"].shape == (0, 3)
    assert read_data(path, "q", RATIONAL) == [Fraction(1, 3)]
    assert ToL.of(read_data(path, "people", PERSON), PERSON.columns) == results()["people"]


def test_exact_numbers_in_lists_come_back(tmp_path: Path) -> None:
    kind = wanted("list l: [S, Q]\ntol x: l [n]")
    value = ToL.of([("a", Fraction(1, 3)), ("b", Fraction(2))], kind.columns)
    for name in ("x.npz", "x.npy", "x.json", "x.csv"):
        write_results(tmp_path / name, {"x": value})
        assert ToL.of(read_data(tmp_path / name, "x", kind), kind.columns) == value


def test_data_by_name(tmp_path: Path) -> None:
    for name in ("out.npz", "out.json"):
        write_results(tmp_path / name, results())
        found = read_all(tmp_path / name, {"q": RATIONAL, "people": PERSON, "file": None, "absent": VECTOR})
        assert found["q"] == [Fraction(1, 3)]
        assert ToL.of(found["people"], PERSON.columns) == results()["people"]
        assert sorted(found) == ["file", "people", "q"]
        assert "holds no input" in refused(lambda name=name: read_all(tmp_path / name, {"absent": None}))
    (tmp_path / "list.json").write_text("[1]")
    assert "name=" in refused(lambda: read_all(tmp_path / "list.json", {"x": None}))


def test_json_is_standard(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    write_results(path, results())
    content = json.loads(path.read_text(), parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert content["people"] == [["anna", 3], ["bob", 4]]
    assert content["q"] == ["1/3"]
    assert content["inf"] == ["Inf", "NaN"]
    assert content["pair"] == [[1, 2], "x"]
    assert read_data(path, "z", wanted("tol x: C")) == 1 + 2j


def test_single_values(tmp_path: Path) -> None:
    value = ToL.of([[1.25, 2.0], [3.0, -0.1]])
    write_results(tmp_path / "out.npy", {"r": value})
    assert np.load(tmp_path / "out.npy").tolist() == value.to_list()
    write_results(tmp_path / "out.csv", {"r": value})
    assert (tmp_path / "out.csv").read_text() == "1.25,2.0\n3.0,-0.1\n"
    write_results(tmp_path / "people.csv", {"r": results()["people"]})
    assert (tmp_path / "people.csv").read_text() == "name,age\nanna,3\nbob,4\n"


@pytest.mark.parametrize("name", ["out.doc", "out", "none/out.npz"])
def test_outputs_refused_before_running(tmp_path: Path, name: str) -> None:
    refused(lambda: refuse_output(tmp_path / name))


def test_what_a_format_cannot_hold(tmp_path: Path) -> None:
    assert ".npz or .json" in refused(lambda: write_results(tmp_path / "x.npy", results()))
    assert ".npz or .json" in refused(lambda: write_results(tmp_path / "x.npy", {"pair": results()["pair"]}))
    assert "not a name" in refused(lambda: tolang.write(tmp_path / "x.npz", {"../x": 1}))
    refused(lambda: write_results(tmp_path / "x.csv", {"cube": ToL.of(np.zeros((2, 2, 2)))}))
    assert list(tmp_path.iterdir()) == []


def test_files_are_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "kept.npz"
    path.write_text("before")
    path.chmod(0o600)

    def failing(error: BaseException) -> Any:
        def fail(file: Any) -> None:
            file.write(b"half")
            raise error

        return fail

    for error in (RuntimeError("wrong"), KeyboardInterrupt(), MemoryError()):
        with pytest.raises(type(error)):
            replace_file(path, failing(error))
    full = refused(lambda: replace_file(path, failing(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))))
    assert "E609" in full
    assert "No space left" in full
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
    link = tmp_path / "link.npz"
    link.symlink_to(path)
    replace_file(link, lambda file: file.write(b"after"))
    assert link.is_symlink()
    assert path.read_text() == "after"
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_is_no_ordinary_file_is_neither_read_nor_replaced(tmp_path: Path) -> None:
    link = tmp_path / "null.npy"
    link.symlink_to(os.devnull)
    assert "not an ordinary file" in refused(lambda: tolang.write(link, 1))
    assert "not an ordinary file" in refused(lambda: tolang.read(link))
    assert "too long" in refused(lambda: tolang.write(tmp_path / f"{'x' * 300}.npy", 1))
    tolang.write(tmp_path / f"{'x' * 250}.npy", 1)
    refused(lambda: tolang.read(tmp_path / "a\0.npy"))


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    """Files are limited to 2,000 bytes in a process of its own, as a full disk would limit them.

    Python would keep no more of the modules that it compiles there, and run the rest no more.
    """
    program = """
import resource, sys, numpy, tolang
sys.dont_write_bytecode = True
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
for kind in sys.argv[1:]:
    try:
        tolang.write(f"out.{kind}", numpy.random.default_rng(1).integers(0, 255, (100, 100), dtype=numpy.uint8))
    except tolang.ToLangUsageError as error:
        print(kind, error.code)
"""
    kinds = ["npy", "npz", "json", "csv", "parquet", "arrow", "png"]
    command = [sys.executable, "-c", program, *kinds]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [word for kind in kinds for word in (kind, "E609")], done.stderr
    assert list(tmp_path.iterdir()) == []


def test_paths_are_data_of_their_files(tmp_path: Path) -> None:
    program = tolang.compile("tol x: R [n]\ntotal := reduce(x, add, 0)\nlast(v) := v[|v|[1]] + x[1]")
    np.save(tmp_path / "x.npy", np.arange(4.0))
    assert program.last(tmp_path / "x.npy", x=tmp_path / "x.npy") == 3
    assert program(tmp_path / "x.npy") == program(x=tmp_path / "x.npy") == 6
    (tmp_path / "x.json").write_text('{"y": [1], "x": [1, 2]}')
    assert program(tmp_path / "x.json") == 3


def test_values_by_name(tmp_path: Path) -> None:
    tolang.write(tmp_path / "two.npz", {"a": [1, 2], "b": np.ones((2, 2), np.float32)})
    both = tolang.read(str(tmp_path / "two.npz"))
    assert list(both) == ["a", "b"]
    assert both["b"].dtype == np.float32
    assert tolang.read(tmp_path / "two.npz", "a").tolist() == [1, 2]
    byte = wanted("space byte: N [0,255]\ntol x: byte [n]")
    assert tolang.read(tmp_path / "two.npz", "a", byte).dtype == np.uint8
    tolang.write(tmp_path / "two.npz", {"a": [1, 300], "b": 0})
    with pytest.raises(tolang.ToLangRunError, match=re.escape("two.npz, member a: 300 at [2] of a is not in byte")):
        tolang.read(tmp_path / "two.npz", "a", byte)


def test_progress_is_shown_on_terminals_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    np.save(tmp_path / "x.npy", np.arange(100.0))
    monkeypatch.setattr(npy_file, "CHUNK", 100)
    monkeypatch.setattr(terminal, "PATIENCE", 0)
    for on_terminal in (True, False):
        stream = io.StringIO()
        monkeypatch.setattr(stream, "isatty", lambda on_terminal=on_terminal: on_terminal)
        monkeypatch.setattr("sys.stderr", stream)
        with terminal.data_progress():
            tolang.read(tmp_path / "x.npy")
        assert ("reading" in stream.getvalue()) == on_terminal
