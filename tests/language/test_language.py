"""Small programs, one rule of the language each: their headers state the value, the error or the cost.

How a header is written is told in `tests/programs.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs import check_file, runs_of
from tolang.ground.codes import CODES

HERE = Path(__file__).resolve().parent
PROGRAMS = sorted(HERE.glob("*.tol"))
WITHOUT_PROGRAM = {
    "E512": "passing a value on to another library, in Python",
}
"""Codes of 5xx that no program with plain inputs can meet, and why."""


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_program(path: Path) -> None:
    check_file(path)


def test_there_are_many() -> None:
    assert len(PROGRAMS) >= 120


def test_every_code_of_the_language_has_a_program() -> None:
    met = {one.name for path in PROGRAMS for run in runs_of(path.read_text("utf-8")) for one in run.errors}
    missing = {code for code in CODES if code[1] in "12345"} - met
    assert missing == set(WITHOUT_PROGRAM), f"codes without a program: {sorted(missing - set(WITHOUT_PROGRAM))}"
