"""The checker on random texts: some hundred in all, in parts that workers share; `make fuzz` takes 100,000."""

from __future__ import annotations

import pytest
from tests.fuzz import checker

PARTS = 2
COUNT = 40


@pytest.mark.parametrize("part", range(PARTS))
def test_a_program_or_an_error(part: int) -> None:
    outcomes = checker.run(COUNT, start=part)
    assert outcomes.total() == COUNT
    assert outcomes["refused"] > COUNT // 4
    assert outcomes["ran"] > COUNT // 100


@pytest.mark.parametrize(
    "text",
    [
        "r := tol[10^12,10^12]",
        "r := 10^10^10",
        "r := reduce(tol[64], (s,x) -> s*s, convert(3,[Q]))",
        "r := convert(10^12, [Q]) ^ (10^6)",
        "r := tol[2^62,0]",
        "tol x: R [n]\nr := tol[10/n]",
        "r := " + "[" * 200 + "1" + "]" * 200,
        "f0(x) = x\n" + "\n".join(f"f{k}(x) = f{k - 1}(x) + f{k - 1}(x)" for k in range(1, 60)) + "\nr := f59(1)",
        "f0(x) = [x, x]\n" + "\n".join(f"f{k}(x) = f{k - 1}.f{k - 1}(x)" for k in range(1, 40)) + "\ntol t: R [n]\nr := f39(t)",
        "f0(x) = x\n" + "\n".join(f"f{k}(x) = f{k - 1}.f{k - 1}(x)" for k in range(1, 60)) + "\ntol t: R [n]\nr := f59(t)",
        "f0(x) = x\n" + "\n".join(f"f{k}(x) = (f{k - 1}(x), f{k - 1}(x))" for k in range(1, 40)) + "\nr := f39(1)",
        "tol n: N\nf0(x) = x\n" + "\n".join(f"f{k}(x) = f{k - 1}(max(x,2*x) - x/3)" for k in range(1, 40)) + "\nr := f39(n)",
    ],
)  # fmt: skip
def test_what_was_found_stays_mended(text: str) -> None:
    """Texts that once took long, grew without bound or raised something else."""
    for size in (0, 2):
        assert checker.check(text, {"n": size}) in ("refused", "accepted", "failed", "ran")
