"""A program that grows at a prompt: what is kept, what is replaced, and that nothing is lost on bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.program.session import AcceptedDefinition, EvaluatedExpression, Session


def value(session: Session, text: str) -> Any:
    """The value of the last expression of an entry, as Python data."""
    last = [answer for answer in session.enter(text) if isinstance(answer, EvaluatedExpression)][-1].value
    return tuple(one.to_list() for one in last) if isinstance(last, tuple) else last.to_list()


def enter(session: Session, text: str) -> list[str]:
    return [answer.text for answer in session.enter(text) if isinstance(answer, AcceptedDefinition)]


def failure(session: Session, text: str) -> tolang.ToLangError:
    with pytest.raises(tolang.ToLangError) as caught:
        list(session.enter(text))
    return caught.value


def test_definitions_persist_and_are_replaced() -> None:
    session = Session()
    assert enter(session, "x = [1,2,3]") == ["x: N [3]"]
    assert enter(session, "total(v, by=1) = reduce(v, add, 0) / by") == ["total(v, by=1)"]
    assert value(session, "total(x)") == 6
    (answer,) = session.enter("x = [4,5]")
    assert isinstance(answer, AcceptedDefinition)
    assert answer.replaced
    assert value(session, "total(x, by=3)") == 3
    assert session.text() == "x = [4,5]\ntotal(v, by=1) = reduce(v, add, 0) / by\n"


def test_a_derivative_goes_with_its_function() -> None:
    session = Session()
    assert enter(session, "f(x) = x * x\nderivative f(x, d) = 5 * d") == ["f(x)", "derivative f(x, d)"]
    assert value(session, "gradient(f, 2.0)") == 5
    enter(session, "f(x) = x * x * x")
    assert value(session, "gradient(f, 2.0)") == 12


def test_several_statements_in_one_entry() -> None:
    assert value(Session(), "n = 3; f(k) = k * n\nf(5)") == 15


def test_wrong_entries_change_nothing() -> None:
    session = Session()
    enter(session, "x = 2\nf(a) = a + x")
    before = session.text()
    for text, code in (("x = nope", "E201"), ("f(a) = (a", "E102"), ("g = f(1, 2)", "E203"), ("1 +", "E101")):
        assert failure(session, text).code == code
        assert session.text() == before
    assert value(session, "f(1)") == 3


def test_redefinition_that_breaks_another_is_refused() -> None:
    session = Session()
    enter(session, "f(a) = a + 1\nr = f(2)")
    error = failure(session, "f(a, b) = a + b")
    assert "needs the argument b" in str(error)
    assert value(session, "r") == 3


def test_errors_point_into_the_entry() -> None:
    session = Session()
    enter(session, "x = 1")
    text = str(failure(session, "y = x +\n  nope"))
    assert "<2>:2:3" in text
    assert "^^^^" in text


def test_inputs_get_data() -> None:
    session = Session()
    enter(session, "tol a: R [n,m]\ntol b: R [m]")
    assert "a is declared and has no data yet" in str(failure(session, "a"))
    enter(session, "a = [[1,2],[3,4]]")
    assert value(session, "|a|") == [2, 2]
    assert value(session, "reduce(a, add, 0)") == 10.0
    assert failure(session, "a = [1,2]").code == "E516"
    assert failure(session, "a = [['x']]").code == "E501"
    assert value(session, "a[2,2]") == 4
    enter(session, "b = [1,2,3]")
    assert failure(session, "map(b, * * a[1,iter])").code == "E516"
    enter(session, "a = [[1,2,3]]")
    assert value(session, "reduce(map(b, * * a[1,iter]), add, 0)") == 14


def test_new_declaration_replaces_the_value() -> None:
    session = Session()
    enter(session, "a = 3\ntol a: R [n]\na = [1.5]")
    assert value(session, "a") == [1.5]
    assert failure(session, "a := 3").code == "E301"
    assert failure(session, "tol a: nothing").code.startswith("E")
    assert value(session, "a") == [1.5]


def test_files(tmp_path: Path) -> None:
    session = Session()
    program = tmp_path / "product.tol"
    program.write_text("tol a: R [n,k]\ntol b: R [k,m]\nat(i,j) = reduce(map(a[i], * * b[*,j]), add, 0)\n"
                       "tol result = [n,m]\nresult := map(result, at(i,j), [i,j])\n")  # fmt: skip
    assert session.load(program) == ["a", "b", "at", "result"]
    a, b = np.arange(6.0).reshape(2, 3), np.arange(6, dtype=np.float32).reshape(3, 2)
    np.savez(tmp_path / "data.npz", a=a, b=b)
    assert session.read("a", tmp_path / "data.npz") == "a: R [n, k]"
    session.read("b", tmp_path / "data.npz")
    assert value(session, "result") == (a @ b).tolist()
    session.save(tmp_path / "saved.tol")
    assert tolang.compile(tmp_path / "saved.tol")(a, b).tolist() == (a @ b).tolist()
    with pytest.raises(tolang.ToLangUsageError):
        session.load(tmp_path / "none.tol")
    program.write_text("a = (")
    with pytest.raises(tolang.ToLangSyntaxError):
        session.load(program)
    assert value(session, "result") == (a @ b).tolist()


def test_data_declares_an_input(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.array([1.5, 2.5], dtype=np.float32))
    session = Session()
    assert session.read("x", tmp_path / "x.npy") == "x: R [2]"
    assert value(session, "map(x, * * 2)") == [3, 5]
    people = np.array([("anna", 3), ("bob", 4)], dtype=[("name", "U8"), ("age", "i8")])
    np.save(tmp_path / "people.npy", people)
    session.read("people", tmp_path / "people.npy")
    assert value(session, "map(people, *[age]' + 1)") == [4, 5]


def test_types_without_evaluation() -> None:
    session = Session()
    enter(session, "tol a: R [n]\nf(x, k=2) = x")
    assert session.type_of("map(a, * > 0)") == "B [n]"
    assert session.type_of("f") == "f(x, k=2), a function"
    assert "basic function" in session.type_of("sin")
    assert "softmax(" in session.type_of("softmax")
    assert session.type_of("(a, 1.5)") == "(R [n]; R)"


def test_forget_and_reset() -> None:
    session = Session()
    enter(session, "x = 1\ny = x + 1")
    with pytest.raises(tolang.ToLangCheckError):
        session.forget("x")
    session.forget("y")
    session.forget("x")
    assert session.text() == ""
    with pytest.raises(tolang.ToLangUsageError):
        session.forget("x")
    enter(session, "z = 1")
    session.reset()
    assert failure(session, "z").code == "E201"


def test_names_for_completion() -> None:
    session = Session()
    enter(session, "mine = 1")
    names = session.names()
    for name in ("mine", "softmax", "sin", "map", "reduce", "tol", "use"):
        assert name in names


def test_the_name_it_is_free() -> None:
    session = Session()
    enter(session, "it = 5")
    assert value(session, "it + 1") == 6


def test_seed() -> None:
    assert value(Session(1), "rand(1)") == value(Session(1), "rand(1)") != value(Session(2), "rand(1)")


RECORDS = "list way: [length: R, stop: N]\ntol best: way [2]\nbest = [(4,2),(2,1)]"


@pytest.mark.parametrize(
    ("before", "text", "kept"),
    [
        (RECORDS, "best[length]'", "[length: R] [2]"),
        (RECORDS, "best[1][length]'", "[length: R]"),
        (RECORDS, "(best[length]', best[length]')", "[length: R, R] [2]"),
        ("space byte: N [0,255]\ntol x: byte [2]\nx = [1,2]", "x", "byte [2]"),
        ("space byte: N [0,255]\ntol x: byte [2]\nx = [1,2]", "x and 3", "N [2]"),
        ("space real: R [0,1]\ntol x: real\nx = 1", "[x, x]", "real [2]"),
        ("tol x: i4 [1,0,2]\nx = tol[1,0,2]", "x", "i4 [1, 0, 2]"),
        ("space byte: N [0,255]\ntol x: [byte, map: S] [1]\nx = [(1,'a')]", "x", "[byte, map: S] [1]"),
    ],
)
def test_what_was_shown_can_be_kept(before: str, text: str, kept: str) -> None:
    session = Session()
    list(session.enter(before))
    shown = value(session, text)
    assert value(session, "it") == shown
    assert value(session, "1 + 1") == 2
    value(session, text)
    list(session.enter("kept = it"))
    assert value(session, "kept") == shown
    assert session.text().endswith(f"\ntol kept: {kept}\n")


def test_a_value_whose_space_is_another_by_now() -> None:
    session = Session()
    list(session.enter("space byte: N [0,255]\ntol x: byte [2]\nx = [1,200]"))
    assert value(session, "x") == [1, 200]
    assert failure(session, "space byte: N [0,9]").code == "E501", "the data of x is no longer in its space"
    list(session.enter("x = [1,2]"))
    list(session.enter("space byte: N [0,9]\nold = it"))
    assert value(session, "old") == [1, 200]
    assert session.text().endswith("tol old: N [2]\n")
    list(session.enter("space N: R"))
    assert value(session, "[1,2]") == [1, 2]
    list(session.enter("whole = it"))
    assert session.text().endswith("tol whole: Z [2]\n"), "which N is a part of, as N means something else"


def test_a_size_called_it() -> None:
    session = Session()
    value(session, "5")
    list(session.enter("tol a: R [it]"))
    assert value(session, "2 + 2") == 4
    assert failure(session, "it").code == "E517"
    list(session.enter("a = [1,2,3]"))
    assert value(session, "it + reduce(a, add, 0)") == 9


def test_names_of_functions_and_modules() -> None:
    session = Session()
    assert enter(session, "f = exp\nuse linalg as l\nm = l") == ["f = exp", "use linalg as l", "m = l"]
    assert value(session, "f(0)") == 1
    assert "f is a function" in str(failure(session, "f"))
    assert session.help("f").startswith("f = exp")


def test_a_file_that_does_not_fit_leaves_nothing(tmp_path: Path) -> None:
    session = Session()
    enter(session, "space N: B; space Z: B; space B: R")
    np.save(tmp_path / "n.npy", np.array([1, 2], dtype=object), allow_pickle=True)
    with pytest.raises(tolang.ToLangError):
        session.read("n", tmp_path / "n.npy")
    (tmp_path / "n.json").write_text("[1, 2]")
    with pytest.raises(tolang.ToLangError, match="is the name of another space here"):
        session.read("n", tmp_path / "n.json")
    assert "tol n" not in session.text()
    assert value(session, "1 + 1") == 2
