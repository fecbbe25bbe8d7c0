"""The page on architecture names modules that exist, and its glossary is in order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
PLACE = re.compile(r"`((?:\w+/)+[\w.]+)`")
"""A module, a file or a folder in backticks, with its folders: a path below `src/tolang`."""
TERMS = (
    "alias", "buffer reuse", "compaction", "depthwise", "direct convolution", "dispatch", "double buffering", "fusion",
    "grain", "horizontal", "im2col", "index-set splitting", "loop nest", "loop-invariant", "multi-versioning", "packing",
    "padding", "peeling", "prefix sum", "privatisation", "register tile", "scatter-reduce", "segment", "SPMD", "stencil",
    "tiered compilation", "tiling", "tree reduction", "unit stride",
)  # fmt: skip


def glossary() -> list[list[str]]:
    """The cells of the glossary, a list for each term."""
    lines = PAGE.partition("## Glossary")[2].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return rows[2:]


@pytest.mark.parametrize("path", sorted(set(PLACE.findall(PAGE))))
def test_named_place_exists(path: str) -> None:
    assert (ROOT / "src" / "tolang" / path).exists()


def test_each_term_of_the_glossary_has_a_place() -> None:
    assert [cells[0] for cells in glossary() if not PLACE.search(cells[-1])] == []


def test_glossary_is_sorted_and_has_the_terms_of_the_field() -> None:
    terms = [cells[0] for cells in glossary()]
    assert terms == sorted(terms, key=str.lower)
    text = " ".join(terms)
    assert [term for term in TERMS if term not in text] == []
