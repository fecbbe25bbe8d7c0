"""Tables of plain text, as wide as a terminal: what is too long goes on in the next line of its own column."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

GAP = "  "
_WORD = re.compile(r"(?:[+-] )?\S+\s*")
_FACTORS = re.compile(r"[^*]*\*+|[^*]+")
NARROWEST = 16
"""A column is not made narrower than this; where that is not enough, cells stand below each other."""


def laid_out(rows: Sequence[Sequence[str]], width: int | None = None, right: Collection[int] = ()) -> list[str]:
    """Rows as lines, columns aligned to the left or `right`; no line is longer than a width, if there is one."""
    count = max(map(len, rows), default=0)
    full = [[*row, *[""] * (count - len(row))] for row in rows]
    widths = [max((len(row[place]) for row in full), default=0) for place in range(count)]
    if width is not None:
        while sum(widths) + len(GAP) * (count - 1) > width:
            widest = max(widths)
            if widest <= NARROWEST:
                return [line for row in full for line in _stacked(row, width)]
            widths[widths.index(widest)] -= 1
    return [line for row in full for line in _lines(row, widths, right)]


def wrapped(text: str, width: int | None, indent: str = "  ") -> list[str]:
    """A text in lines of a width, all but the first indented: broken at spaces, before signs, and else after a `*`."""
    if width is None or len(text) <= width:
        return [text]
    lines = [""]
    for word in _WORD.findall(text):
        if lines[-1].strip() and len(lines[-1]) + len(word.rstrip()) > width:
            lines.append(indent)
        while len(lines[-1]) + len(word.rstrip()) > width:
            room = width - len(lines[-1])
            pieces = _FACTORS.findall(word)
            head = next((part for end in range(len(pieces), 0, -1) if len(part := "".join(pieces[:end])) <= room), "")
            head = head or word[:room]
            lines[-1] += head
            word = word[len(head) :]
            lines.append(indent)
        lines[-1] += word
    return [line.rstrip() for line in lines]


def _lines(row: Sequence[str], widths: Sequence[int], right: Collection[int]) -> list[str]:
    cells = [wrapped(text, width) for text, width in zip(row, widths, strict=True)]
    lines: list[str] = []
    for number in range(max(map(len, cells))):
        parts = [cell[number] if number < len(cell) else "" for cell in cells]
        aligned = [
            part.rjust(width) if place in right and len(cell) == 1 else part.ljust(width)
            for place, (part, width, cell) in enumerate(zip(parts, widths, cells, strict=True))
        ]
        lines.append(GAP.join(aligned).rstrip())
    return lines


def _stacked(row: Sequence[str], width: int) -> list[str]:
    """A row whose cells stand below each other."""
    first, *rest = row
    lines = wrapped(first, width) if first else []
    for cell in filter(None, rest):
        if len(lines) > 1 and len(lines[-1]) + len(GAP) + len(cell) <= width:
            lines[-1] += f"{GAP}{cell}"
        else:
            lines += [f"{GAP}{line}" for line in wrapped(cell, width - len(GAP))]
    return lines
