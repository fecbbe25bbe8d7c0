"""Warnings of numbers that are rounded before they become exact rationals."""

from __future__ import annotations

import pytest

import tolang
from tolang.program.rounded import CODE, rounded

X = "tol x: N [n]\ntol r: R [n]\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("tol z: Q\nz := 1/3", {"1/3": "write convert(1, [Q]) / 3"}),
        ("tol z: Q\nz := 0.1 + 1", {"0.1": "write convert(1, [Q]) / 10"}),
        ("z := convert(-2/6, [Q])", {"-2/6": "write convert(-2, [Q]) / 6"}),
        ("tol z: Q\nq = 1/3\nz := 2*q", {"1/3": "write convert(1, [Q]) / 3"}),
        ("tol z: Q\nthird(x) = x/3\nz := third(5)", {"x/3": "write convert(x, [Q]) / 3"}),
        ("tol z: [Q,R]\nz := (1/3, 1/7)", {"1/3": "write convert(1, [Q]) / 3"}),
        ("tol z: Q\nz := mean([1,2,2])", {"mean([1,2,2])": "convert what is divided, so that it is exact"}),
        (f"{X}tol z: Q [n]\nz := x / 3", {"x / 3": "write convert(x, [Q]) / 3"}),
    ],
)  # fmt: skip
def test_what_is_rounded_first_is_told(text: str, told: dict[str, str]) -> None:
    found = rounded(tolang.compile(text).core)
    assert {one.span.text: one.fix for one in found if one.span is not None} == told
    assert {one.code for one in found} == {CODE}


@pytest.mark.parametrize(
    "text",
    [
        "tol z: Q\nz := 1/2 + 0.25",  # floats have these exactly
        "tol z: Q\nz := convert(1, [Q])/3",
        f"{X}tol z: Q [n]\nz := r / 3",  # data are rounded already
        f"{X}z := x / 3",
        f"{X}tol z: Q [n]\nz := x / 8",
    ],
)
def test_nothing_is_told_of_what_is_exact_or_never_rational(text: str) -> None:
    assert rounded(tolang.compile(text).core) == ()


def test_the_fix_gives_the_number_that_was_meant() -> None:
    (found,) = rounded(tolang.compile("tol z: Q\nz := 1/3").core)
    assert found.fix is not None
    fixed = tolang.compile(f"tol z: Q\nz := {found.fix.removeprefix('write ')}")
    assert str(fixed()) == "1/3"
    assert rounded(fixed.core) == ()
