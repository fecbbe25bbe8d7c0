"""Values and tables in HTML, as notebooks show them: plain tables without style, which take the look of the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from tolang.ground.reporting.escaping import visible_lines
from tolang.ground.values.columns import Columns
from tolang.ground.values.printing import DIGITS, numeric_text, type_notation, value_notation

ROWS, COLUMNS, LONGEST = 20, 10, 80
"""So many rows and columns, the first and the last, and so many characters of an element are shown at most."""


def markup(text: str) -> str:
    """Text inside HTML, whoever wrote it."""
    return escape(visible_lines(text))


def heading(text: str) -> str:
    return f"<div><code>{markup(text)}</code></div>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], named: bool = True) -> str:
    """A table of texts; where rows are named, their first cell is a heading, too."""
    top = "".join(f"<th>{markup(one)}</th>" for one in head)
    lines = []
    for row in rows:
        first = f"<th>{markup(row[0])}</th>" if named else f"<td>{markup(row[0])}</td>"
        lines.append(f"<tr>{first}{''.join(f'<td>{markup(one)}</td>' for one in row[1:])}</tr>")
    return f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def value_markup(value: Columns) -> str:
    """A ToL below its type: lists and matrices as tables, a vector as a row, others as the language writes them."""
    head = heading(type_notation(value))
    if value.dimension == 1 and value.capacity > 1:
        return head + _lists(value)
    if value.dimension == 1 and value.shape[0] > 0:
        places = _shown(value.shape[0], COLUMNS)
        return head + table(_numbers(places), [_elements(value, [(one,) if one else None for one in places])], False)
    if value.dimension == 2 and value.columns[0].size:
        return head + _matrix(value)
    return f"{head}<pre>{markup(value_notation(value))}</pre>"


def _lists(value: Columns) -> str:
    """A vector of lists: a row for each list, a column for each component."""
    head = [f"{one.name or position}: {one.space}" for position, one in enumerate(value.spaces, 1)]
    parts = [value.component(position) for position in range(value.capacity)]
    rows = []
    for place in _shown(value.shape[0], ROWS):
        cells = [_elements(part, [None if place is None else (place,)])[0] for part in parts]
        rows.append([_number(place), *cells])
    return table(["", *head], rows)


def _matrix(value: Columns) -> str:
    columns = _shown(value.shape[1], COLUMNS)
    rows = []
    for row in _shown(value.shape[0], ROWS):
        places = [None if row is None or column is None else (row, column) for column in columns]
        rows.append([_number(row), *_elements(value, places)])
    return table(["", *_numbers(columns)], rows)


def _shown(length: int, most: int) -> list[int | None]:
    """The coordinates that are shown, from 1, with None where some are left out."""
    if length <= most:
        return list(range(1, length + 1))
    half = most // 2
    return [*range(1, half + 1), None, *range(length - half + 1, length + 1)]


def _elements(value: Columns, places: Sequence[tuple[int, ...] | None]) -> list[str]:
    """Elements at places, lists in parentheses."""
    texts = []
    for place in places:
        if place is None:
            texts.append("…")
            continue
        index = tuple(one - 1 for one in place)
        parts = [_cut(numeric_text(one[index], DIGITS)) for one in value.columns]
        texts.append(parts[0] if len(parts) == 1 else f"({','.join(parts)})")
    return texts


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _numbers(places: Sequence[int | None]) -> list[str]:
    return [_number(one) for one in places]


def _number(place: int | None) -> str:
    return "…" if place is None else str(place)
