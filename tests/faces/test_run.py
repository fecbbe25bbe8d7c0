"""`tol run`: data in, results out, and what a wrong call is told."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.faces.conftest import Tol

import tolang

A = np.arange(6.0).reshape(2, 3)
B = np.arange(6, dtype=np.float32).reshape(3, 2)


@pytest.fixture
def data(folder: Path) -> Path:
    np.save(folder / "a.npy", A)
    np.save(folder / "b.npy", B)
    np.savez(folder / "both.npz", a=A, b=B, other=A)
    return folder


def test_results_are_printed_with_their_types(tol: Tol, data: Path) -> None:
    done = tol("run", "product.tol", "a=a.npy", "b=b.npy")
    assert done.exit_code == 0
    assert done.stdout == "result: R [2,2]\n[[10.0,13.0],\n [28.0,40.0]]\n"
    assert done.stderr == ""
    assert (A @ B).tolist() == [[10, 13], [28, 40]]


@pytest.mark.parametrize(
    "words",
    [
        ("a=a.npy", "b=b.npy"),
        ("b=b.npy", "a=a.npy"),
        ("both.npz",),
        ("both.npz", "b=[[0,1],[2,3],[4,5]]"),
        ("a=both.npz", "b=both.npz:b"),
        ("a=both.npz:other", "b=b.npy", "n=2"),
        ("a=[[0,1,2],[3,4,5]]", "b=b.npy"),
        ("a=map(tol[2,3], 3*(i-1)+j-1, [i,j])", "b=b.npy"),
    ],
)
def test_ways_to_give_inputs(tol: Tol, data: Path, words: tuple[str, ...]) -> None:
    done = tol("run", "product.tol", *words, "-o", "out.npy")
    assert done.exit_code == 0, done.output
    assert np.load(data / "out.npy").tolist() == (A @ B).tolist()


def test_engines_agree(tol: Tol, data: Path) -> None:
    for engine in ("interpret", "cpu"):
        assert tol("run", "product.tol", "both.npz", "--engine", engine, "-o", f"{engine}.npz").exit_code == 0
        np.testing.assert_allclose(np.load(data / f"{engine}.npz")["result"], A @ B, rtol=1e-12)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "a: R [n, k]; b: R [k, m]"),
        (("a=a.npy",), "the input b is missing"),
        (("a=a.npy", "b=b.npy", "c=3"), "no input c"),
        (("a=a.npy", "a=a.npy"), "a is given twice"),
        (("a=a.npy", "b=a.npy"), "k = 3 from dimension 2 of a"),
        (("a=a.npy", "b=b.npy", "n=3"), "n = 3 as given"),
        (("a=a.npy", "b=b.npy", "n=1.5"), "1.5"),
        (("a=a.npy", "b=[['x']]"), "'x' at [1,1] of b"),
        (("a=none.npy", "b=b.npy"), "cannot read none.npy"),
        (("a=data.pt", "b=b.npy"), "data.pt"),
        (("a=(1", "b=b.npy"), "never closed"),
        (("a.npy", "b.npy"), "cannot tell what 'a.npy' is for"),
        (("both.npz", "--engine", "abacus"), "no engine 'abacus'"),
        (("both.npz", "--function", "f"), "no function f"),
        (("both.npz", "-o", "out.doc"), ".npy, .npz, .json, .csv"),
        (("both.npz", "-o", "none/out.npz"), "no directory"),
        (("both.npz", "--max-eops", "many"), "many"),
        (("both.npz", "--seed", "x"), "--seed"),
        (("both.npz", "--bogus"), "--bogus"),
    ],
)
def test_wrong_calls(tol: Tol, data: Path, words: tuple[str, ...], message: str) -> None:
    before = {path.name: path.read_bytes() for path in data.iterdir()}
    done = tol("run", "product.tol", *words)
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert {path.name: path.read_bytes() for path in data.iterdir()} == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("r := (1", "E102"),
        ("r := nope", "E201"),
        ("tol i: N\nr := [1,2,3][i]", "E5"),
        ("tol z: Z\nr := 7 % (z*0)", "E5"),
    ],
)
def test_wrong_programs(tol: Tol, folder: Path, text: str, message: str) -> None:
    (folder / "wrong.tol").write_text(text)
    words = [f"{text[4]}=9"] if text.startswith("tol") else []
    (folder / "out.npz").write_text("kept")
    done = tol("run", "wrong.tol", *words, "-o", "out.npz")
    assert done.exit_code == 1, done.output
    assert message in done.stderr
    assert (folder / "out.npz").read_text() == "kept"


def test_program_that_is_not_there(tol: Tol) -> None:
    done = tol("run", "none.tol")
    assert done.exit_code == 2
    assert "cannot read none.tol" in done.stderr


def test_program_from_standard_input(tol: Tol) -> None:
    done = tol("run", "-", "x=[1,2,3]", input="tol x: N [n]\nr := reduce(x, add, 0)\n")
    assert done.stdout == "r: Z = 6\n"


def test_exported_functions(tol: Tol, folder: Path) -> None:
    (folder / "f.tol").write_text("tol w: R [n]\nscale(x, by=2) := map(x, * * by)\nweigh(x) := map(x, * * w[iter])\n")
    assert tol("run", "f.tol", "-f", "scale", "x=[1.5,2]").stdout == "scale: R [2]\n[3.0,4.0]\n"
    assert tol("run", "f.tol", "-f", "scale", "x=[1.5,2]", "by=4").stdout == "scale: R [2]\n[6.0,8.0]\n"
    assert tol("run", "f.tol", "-f", "weigh", "x=[1.5,2]", "w=[2,3]").stdout == "weigh: R [2]\n[3.0,6.0]\n"
    done = tol("run", "f.tol", "-f", "weigh", "x=[1.5,2]")
    assert done.exit_code == 2
    assert "w: R [n]" in done.stderr
    done = tol("run", "f.tol")
    assert done.exit_code == 2
    assert "scale, weigh" in done.stderr


def test_several_outputs(tol: Tol, folder: Path) -> None:
    (folder / "many.tol").write_text(
        "list person: [name: S, age: N]\ntol people: person [n]\ntol q: Q\n"
        "older := map(people, (*[name]', *[age]' + 1))\nthird := q / 3\npair := ([1,2], 'x')\nnone := tol[0,2]\n"
    )
    (folder / "people.csv").write_text("age,name\n3,anna\n4,bob\n")
    done = tol("run", "many.tol", "people=people.csv", "q=1/3")
    assert done.exit_code == 0
    assert "older: [name: S, N] [2]\n[('anna',4),('bob',5)]" in done.stdout
    assert "third: Q = 1/9" in done.stdout
    assert "pair[2]': S = 'x'" in done.stdout
    assert "none: N [0,2]" in done.stdout
    done = tol("run", "many.tol", "people=people.csv", "q=1/3", "-o", "out.json")
    assert done.exit_code == 0
    assert done.stdout == ""
    content = json.loads((folder / "out.json").read_text())
    assert content == {"older": [["anna", 4], ["bob", 5]], "third": "1/9", "pair": [[1, 2], "x"], "none": []}
    done = tol("run", "many.tol", "people=people.csv", "q=1/3", "-o", "out.npy")
    assert done.exit_code == 2
    assert not (folder / "out.npy").exists()


def test_text_and_seed(tol: Tol, folder: Path) -> None:
    (folder / "text.tol").write_text("tol s: S\nsame := s == 'a b'\nr := rand(1)\n")
    first = tol("run", "text.tol", "s=@a b", "--seed", "1")
    assert "same: B = true" in first.stdout
    assert first.stdout == tol("run", "text.tol", "s='a b'", "--seed", "1").stdout
    assert first.stdout != tol("run", "text.tol", "s='a b'", "--seed", "2").stdout


def test_tables_and_pictures(tol: Tol, folder: Path) -> None:
    (folder / "older.tol").write_text("list p: [name: S, age: N]\ntol x: p [n]\nr := map(x, (*[name]', *[age]' + 1))\n")
    (folder / "x.csv").write_text("age,name\n3,anna\n4,bob\n")
    assert tol("run", "older.tol", "x=x.csv", "-o", "r.parquet").exit_code == 0
    assert tol("run", "older.tol", "x=x.csv").stdout == "r: [name: S, N] [2]\n[('anna',4),('bob',5)]\n"
    (folder / "x.csv").write_text("age,name\n3,anna\n-4,bob\n")
    done = tol("run", "older.tol", "x=x.csv")
    assert done.exit_code == 2
    assert "x.csv, line 3, column age: -4 is not in N" in done.stderr
    (folder / "light.tol").write_text("tol x: u8 [h,w]\nr := map(x, 255 - *)\n")
    assert tol("run", "light.tol", "x=map(tol[2,3], 5)", "-o", "r.png").exit_code == 0
    assert "[[5,5,5],[5,5,5]]" in tol("run", "light.tol", "x=r.png").stdout.replace("\n ", "")
    for output in ("r.csv:x", "r.npy.gz"):
        assert tol("run", "light.tol", "x=r.png", "-o", output).exit_code == 2


def test_storage_is_kept(tol: Tol, folder: Path) -> None:
    np.save(folder / "x.npy", np.array([1.5], dtype=np.float32))
    (folder / "id.tol").write_text("tol x: R [n]\nr := map(x, * * 2)\n")
    assert tol("run", "id.tol", "x=x.npy").stdout == "r: R/f32 [1]\n[3.0]\n"
    assert tol("run", "id.tol", "x=x.npy", "-o", "r.npy").exit_code == 0
    assert np.load(folder / "r.npy").dtype == np.float32


@pytest.mark.parametrize(
    ("declared", "given", "words"),
    [
        ("S", "a=GATTACA", "text is written a=@GATTACA"),
        ("S", "a=GAT TACA", 'text is written "a=@GAT TACA"'),
        ("S [n]", "a=[G,A]", "text is written \"a=['G','A']\""),
        ("R [n]", "a=x", "expected: a number such as 3, a block such as [1,2], or a file, for R [n]"),
    ],
)
def test_names_are_no_values(tol: Tol, folder: Path, declared: str, given: str, words: str) -> None:
    (folder / "p.tol").write_text(f"tol a: {declared}\ny := |[a]|\n")
    done = tol("run", "p.tol", given)
    assert done.exit_code == 2
    assert words in done.output
    meant = words.partition("written ")[2].strip('"')
    if meant:
        assert tol("run", "p.tol", meant).exit_code == 0, "what is suggested works"


def test_messages_speak_of_options(tol: Tol, folder: Path) -> None:
    data = "a=[[1.0]]", "b=[[1.0]]"
    assert "--threads is not a number" in tol("run", "product.tol", *data, "--threads", "0").output
    assert "--memory is not an amount" in tol("run", "product.tol", *data, "--memory", "x").output
    assert "--workers" in tol("run", "product.tol", *data, "--workers", "-1").output
    assert "`--use linalg`" in tol("eval", "use linalg").output
    assert "`--pullback`" in tol("gradient", "product.tol", "--of", "result", "--by", "a").output
    with pytest.raises(tolang.ToLangError, match="error E605: threads is not a number"):
        tolang.compile("x := 1", threads=0)
    with pytest.raises(tolang.ToLangError, match="`use='linalg'`"):
        tolang.evaluate("use linalg")
