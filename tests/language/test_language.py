"""Small programs, one rule of the language each: their headers state the value, the error or the cost.

How a header is written is told in `tests/programs.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.programs import check_file, runs_of

import tolang
from tolang.ground.reporting.codes import CODES

HERE = Path(__file__).resolve().parent
PROGRAMS = sorted(HERE.glob("*.tol"))
ELSEWHERE = {
    "E108": "a text of a million characters: below",
    "E210": "the limit is lowered: below",
    "E212": "a chain of many functions: below",
    "E510": "components of different shapes, in Python: tests/ground",
    "E512": "passing a value on to another library, in Python: tests/ground",
    "E520": "derivatives are tested by `tol check --derivatives`: tests/gradient",
    "E518": "laws are tested by `tol check --laws`: tests/program",
    "E519": "compiled code that fails where the interpreter does not: it should never be met",
}
"""Codes that no program of its own shows, and why."""


@pytest.mark.parametrize("engine", ["interpret", "cpu"])
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_program(path: Path, engine: str) -> None:
    check_file(path, engine)


def test_there_are_many() -> None:
    assert len(PROGRAMS) >= 120


def test_every_code_of_the_language_has_a_program() -> None:
    met = {one.name for path in PROGRAMS for run in runs_of(path.read_text("utf-8")) for one in run.errors}
    missing = {code for code in CODES if code[1] in "12345"} - met - set(ELSEWHERE)
    assert not missing, f"codes without a program: {sorted(missing)}"
    assert not met & set(ELSEWHERE)


def code_of(text: str) -> list[str]:
    with pytest.raises(tolang.ToLangError) as caught:
        tolang.compile(text)
    return [diagnostic.code for diagnostic in caught.value.diagnostics]


def test_text_too_long() -> None:
    assert code_of("y := 1\n" + "#" * (1 << 20)) == ["E108"]


def test_program_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tolang.check.checking.LEAST_WORK", 2000)
    doubled = "".join(f"f{n}(x) = f{n - 1}(f{n - 1}(x))\n" for n in range(1, 12))
    assert code_of(f"f0(x) = x + 1\n{doubled}y := f11(1)\n") == ["E210"]


def test_calls_too_deep() -> None:
    chain = "".join(f"f{n}(x) = f{n - 1}(x) + 1\n" for n in range(1, 1000))
    assert code_of(f"f0(x) = x + 1\n{chain}y := f999(1)\n") == ["E212"]
