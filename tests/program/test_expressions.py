"""One expression with names for data, and files that are given to the wrong function."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tolang
import tolang.onnx
from tolang.program import expressions

A = np.array([1.0, 2.0, 4.0])


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expressions, "_KEPT", {})


def test_names_stand_for_data() -> None:
    assert tolang.evaluate("sum(x*2)", x=A) == 14
    assert tolang.evaluate("x*y + 1", x=A, y=2).tolist() == [3, 5, 9]
    assert tolang.evaluate("x - m", x=A.reshape(1, 3), m=A[None]).shape == (1, 3)
    assert tolang.evaluate("x + x", x=[1, 2]).tolist() == [2, 4]
    assert tolang.evaluate("(x, 2*x)", x=A)[1] == (2.0, 4.0)
    assert tolang.evaluate("map(p, *[2]')", p=[("a", 1), ("b", 2)]).tolist() == [1, 2]
    assert tolang.evaluate("in + 1", in_=2) == 3
    assert tolang.evaluate("t == 'a'", t="a")
    assert tolang.evaluate("x", x=A, unused=object()).tolist() == A.tolist()


@pytest.mark.parametrize("kind", ["f4", "f8", "i4", "u1", "c8", "?"])
def test_data_is_in_the_storage_that_it_has(kind: str) -> None:
    x = np.ones(3, kind)
    assert tolang.evaluate("x", x=x).dtype == x.dtype
    if kind[0] in "fc":
        assert tolang.evaluate("x * y + 0.5", x=x, y=2).dtype == x.dtype


def test_modules_of_the_library_are_used_as_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tolang.evaluate("matmul(a, a)", a=np.eye(2)).tolist() == [[1, 0], [0, 1]]
    assert tolang.evaluate("determinant([[1.0,2.0],[3.0,4.0]])") == -2
    assert tolang.evaluate("trace(a) + group_count(k)[1][2]'", a=np.eye(2), k=[1, 1]) == 4
    monkeypatch.chdir(tmp_path)
    for factor in (3, 5):  # a file that changes is read again
        Path("helpers.tol").write_text(f"scaled(x) = x * {factor}\nmatmul(a, b) = {factor}\n")
        assert tolang.evaluate("h.scaled(x)", x=1.0, use="helpers.tol as h") == factor
        assert tolang.evaluate("matmul(x, x)", x=1.0, use=["helpers.tol"]) == factor, "its own comes first"


def test_a_name_is_not_taken_for_that_of_a_length() -> None:
    assert tolang.evaluate("x + n", x=A, n=1).tolist() == [2, 3, 5]
    for name in ("n", "m"):
        with pytest.raises(tolang.ToLangCheckError, match=f"unknown name {name}"):
            tolang.evaluate(f"x + {name}", x=A)


def test_an_expression_is_checked_once_for_data_of_a_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    check = expressions._program

    def noted(*given: Any) -> Any:
        made.append(given[-1])
        return check(*given)

    monkeypatch.setattr(expressions, "_program", noted)
    for length in (3, 5, 7):
        assert tolang.evaluate("sum(x*y)", x=np.ones(length), y=np.ones(length)) == length
    assert made == ["auto"]
    tolang.evaluate("sum(x*y)", x=np.ones(2, "f4"), y=np.ones(2))
    assert made == ["auto"], "the program finds out storages itself"
    tolang.evaluate("sum(x*y)", x=np.ones((2, 2)), y=np.ones((2, 2)))
    assert made == ["auto"] * 2
    for _ in range(expressions.OFTEN):
        assert tolang.evaluate("2*x", x=3.5) == 7
    assert made == ["auto"] * 3 + ["cpu"]
    monkeypatch.setattr(expressions, "MOST", 2)
    for factor in range(5):
        assert tolang.evaluate(f"{factor}*x", x=1.0) == factor
    assert len(expressions._KEPT) <= 3


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: tolang.evaluate("x*2"), r"1:1: error E201: unknown name x\n(?s:.*)fix: give it a value: x=…"),
        (lambda: tolang.evaluate("alpha*2", alfa=A), r"unknown name alpha\n(?s:.*)fix: did you mean alfa\?"),
        (lambda: tolang.evaluate("x+y", x=A, y=A[:2]), "E515: add needs equal shapes, here .n. and .m."),
        (lambda: tolang.evaluate("x+y", x=A, y="a"), "E402"),
        (lambda: tolang.evaluate("sum(x", x=A), "<expression>:1:4: error E102"),
        (lambda: tolang.evaluate("x", x=object()), "E502: x is a object"),
        (lambda: tolang.evaluate("np.dot(x, x)", x=A), "E201: unknown name np"),
        (lambda: tolang.evaluate(3), "E604: there is no expression"),  # type: ignore[call-overload]
    ],
)
def test_what_is_wrong_with_an_expression(call: Callable[[], Any], told: str) -> None:
    with pytest.raises(tolang.ToLangError, match=told):
        call()


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: tolang.load("a.tol"), r'E607: a.tol is the text of a program(?s:.*)fix: tolang.compile\("a.tol"\)'),
        (lambda: tolang.load("a.onnx"), r'a.onnx is an ONNX model(?s:.*)fix: tolang.onnx.load\("a.onnx"\)'),
        (lambda: tolang.load("a.csv"), r'a.csv is data(?s:.*)fix: tolang.read\("a.csv"\)'),
        (lambda: tolang.compile("a.tolc"), r'a.tolc is a compiled program(?s:.*)fix: tolang.load\("a.tolc"\)'),
        (lambda: tolang.compile("a.onnx"), r'fix: tolang.onnx.load\("a.onnx"\)'),
        (lambda: tolang.compile(Path("a.npz")), r'fix: tolang.read\("a.npz"\)'),
        (lambda: tolang.read("a.tol"), r'a.tol is the text of a program, and no data(?s:.*)tolang.compile\("a.tol"\)'),
        (lambda: tolang.onnx.load("a.tol"), r'fix: tolang.compile\("a.tol"\)'),
        (lambda: tolang.compile("prodct.tol"), "E604: cannot read prodct.tol(?s:.*)fix: did you mean product.tol"),
        (lambda: tolang.load("prodct.tolc"), "E604: cannot read prodct.tolc(?s:.*)fix: did you mean product.tolc"),
        (lambda: tolang.compile("missing.tol"), "E604: cannot read missing.tol: No such file or directory$"),
        (
            lambda: tolang.compile("notes.program"),
            r"notes.program is a file(?s:.*)fix: tolang.compile\(Path\('notes.program'\)\)",
        ),
        (lambda: tolang.compile(3), "E604: there is no program\n +found: int"),  # type: ignore[arg-type]
        (lambda: tolang.compile(tolang.compile("y := 1")), "fix: it is compiled already"),  # type: ignore[arg-type]
        (lambda: tolang.load(3), "E604: there is no file\n +found: int"),  # type: ignore[arg-type]
    ],
)
def test_files_of_another_kind(
    call: Callable[[], Any], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("product.tol", "product.tolc", "notes.program"):
        Path(name).write_text("y := 1\n")
    with pytest.raises(tolang.ToLangUsageError, match=told):
        call()
    assert tolang.compile(Path("notes.program"))() == 1
