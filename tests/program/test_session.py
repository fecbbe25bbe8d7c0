"""A program that grows at a prompt: what is kept, what is replaced, and that nothing is lost on bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.program.session import Defined, Evaluated, Session


def value(session: Session, text: str) -> Any:
    """The value of the last expression of an entry, as Python data."""
    last = [answer for answer in session.enter(text) if isinstance(answer, Evaluated)][-1].value
    return tuple(one.to_list() for one in last) if isinstance(last, tuple) else last.to_list()


def enter(session: Session, text: str) -> list[str]:
    return [answer.text for answer in session.enter(text) if isinstance(answer, Defined)]


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
    assert isinstance(answer, Defined)
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
