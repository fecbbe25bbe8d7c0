"""The error index: every code is explained, met by its example, and raised somewhere; the page is up to date."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from documentation.error_examples import EXAMPLES, WITHOUT_EXAMPLE
from documentation.error_index import GROUPS, message_of, page

from tolang.ground.reporting.codes import CODES

ROOT = Path(__file__).resolve().parents[2]
TABLES = {"codes.py"}


def raised() -> set[str]:
    """Every code that the source mentions, apart from the tables of codes themselves."""
    modules = [path for path in (ROOT / "src" / "tolang").rglob("*.py") if path.name not in TABLES]
    return {code for path in modules for code in re.findall(r"\bE\d{3}\b", path.read_text("utf-8"))}


def test_every_code_raised_has_a_row() -> None:
    assert raised() - set(CODES) == set()


def test_every_row_is_raised() -> None:
    assert set(CODES) - raised() == set()


def test_every_code_has_an_example_or_says_why_not() -> None:
    assert set(EXAMPLES) | set(WITHOUT_EXAMPLE) == set(CODES)
    assert not set(EXAMPLES) & set(WITHOUT_EXAMPLE)
    assert {code[1] for code in CODES} == set(GROUPS)


@pytest.mark.parametrize("code", sorted(EXAMPLES))
def test_example_meets_its_code(code: str) -> None:
    first = message_of(EXAMPLES[code]).splitlines()[0]
    assert f"error {code}: " in first


def test_page_is_up_to_date() -> None:
    written = (ROOT / "docs" / "errors.md").read_text("utf-8")
    assert written == page(), "run: python -m documentation.error_index"


@pytest.mark.parametrize("code", sorted(CODES))
def test_rows_read_well(code: str) -> None:
    row = CODES[code]
    assert row.title == row.title.strip()
    assert row.title[0].islower()
    assert row.meaning.endswith(".")


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_a_way_out(code: str) -> None:
    fix = CODES[code].fix
    assert fix.endswith(".")
    assert fix[0].isupper()
    assert fix != CODES[code].meaning
    assert f"**Way out.** {fix}" in (ROOT / "docs" / "errors.md").read_text("utf-8")
