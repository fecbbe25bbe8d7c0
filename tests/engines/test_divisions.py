"""Whole numbers are divided in few places, each of which knows what some processors do where that has no result."""

from __future__ import annotations

import re
from pathlib import Path

import tolang

ENGINES = Path(tolang.__file__).parent / "engines"
DIVIDING = {"llvm/sizes.py", "llvm/functions.py"}


def test_divisions_are_emitted_where_zero_is_thought_of() -> None:
    found = {
        path.relative_to(ENGINES).as_posix()
        for path in ENGINES.rglob("*.py")
        if re.search(r"\.(sdiv|udiv|srem|urem)\(", path.read_text())
    }
    assert found == DIVIDING
