"""The picture of an editor, docs/editor.svg: a text as the language server has it shown, with what it answers.

`python -m documentation.editor_picture` writes it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

from tolang.editor.document import Document
from tolang.editor.positions import Lines

PATH = Path("docs") / "editor.svg"
TEXT = """\
use linalg
# Rows of features, one for each of n samples
tol x: R [n,k]

# How far each row is from the mean of all
centred = {
  mean = map_axis(x, column -> sum(column) / n, 1)
  map(x, * - mean[j], [i,j])
}
covariance := matmul(transpose(centred), centred) / (n - 1)
variance := trace(covariance)
share := map(diagonal(covariance), * / varience)
"""
HOVERED, HOVERED_AT = "matmul", 9
COLOURS = {
    "comment": "#6a737d", "string": "#0a6b3b", "number": "#8a4b00", "keyword": "#7a2a8c", "operator": "#444c56",
    "function": "#1f5fbf", "variable": "#1b1f24", "parameter": "#9a4a12", "type": "#0b7285", "macro": "#1f5fbf",
}  # fmt: skip
LINE, CHARACTER, LEFT, TOP = 24, 8.4, 24, 44
WIDTH = 1080


def picture() -> str:
    """The picture as SVG."""
    document = Document("covariance.tol", TEXT)
    document.learn_all()
    lines = Lines(TEXT, "utf-32")
    height = TOP + LINE * (TEXT.count("\n") + 1) + 20
    parts = [*_frame(height), *_words(document, lines), *_troubles(document, lines), *_box(document, lines)]
    return "\n".join(parts) + "\n</svg>\n"


def _frame(height: int) -> Iterator[str]:
    style = "font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre"
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" style="{style}">'
    yield f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#ffffff" stroke="#d0d7de"/>'
    yield f'<rect width="{WIDTH}" height="28" rx="8" fill="#eef1f4"/>'
    yield f'<text x="{LEFT}" y="19" fill="#444c56">covariance.tol</text>'


def _words(document: Document, lines: Lines) -> Iterator[str]:
    """The text in its colours, a line at a time, hints where they stand."""
    hints = {one.offset: f": {one.text}" for one in document.hints(0, len(TEXT))}
    kinds = {start: (length, kind) for start, length, kind in document.tokens()}
    for number, start in enumerate(lines.starts[:-1]):
        place, end, column = start, lines.starts[number + 1] - 1, 0.0
        y = TOP + LINE * (number + 0.7)
        while place < end:
            if place in hints:
                text = hints.pop(place)
                width = CHARACTER * len(text) * 0.9
                x = LEFT + CHARACTER * column
                size = f'width="{width + 8:.1f}" height="19" rx="4"'
                yield f'<rect x="{x + 2:.1f}" y="{y - 14:.1f}" {size} fill="#eef1f4"/>'
                yield f'<text x="{x + 6:.1f}" y="{y:.1f}" font-size="12.6" fill="#6a737d">{escape(text)}</text>'
                column += (width + 12) / CHARACTER
            length, kind = kinds.get(place, (1, ""))
            if kind:
                x = LEFT + CHARACTER * column
                word = escape(TEXT[place : place + length])
                yield f'<text x="{x:.1f}" y="{y:.1f}" fill="{COLOURS[kind]}">{word}</text>'
            place, column = place + length, column + length


def _troubles(document: Document, lines: Lines) -> Iterator[str]:
    """What is wrong, underlined, with its message at the end of the line; such a line has no hint."""
    for one in document.troubles():
        line, column = lines.position(one.start)
        y = TOP + LINE * (line + 0.7) + 4
        x, width = LEFT + CHARACTER * column, CHARACTER * (one.end - one.start)
        waves = " ".join("q 2 -4 4 0 t 4 0" for _ in range(int(width // 8)))
        yield f'<path d="M {x:.1f} {y:.1f} {waves}" fill="none" stroke="#c62828" stroke-width="1.4"/>'
        end = LEFT + CHARACTER * (len(TEXT.split("\n")[line]) + 3)
        message = f"{one.code}: {', '.join(one.message.splitlines())}"
        yield f'<text x="{end:.1f}" y="{y - 4:.1f}" font-size="12.6" fill="#c62828">{escape(message)}</text>'


def _box(document: Document, lines: Lines) -> Iterator[str]:
    """What is told of the name under the pointer."""
    offset = TEXT.index(HOVERED, lines.starts[HOVERED_AT])
    found = document.hover(offset)
    assert found is not None
    told = [line.replace("`", "") for line in found[2].split("\n") if line and not line.startswith("```")]
    width = CHARACTER * max(map(len, told)) + 24
    x, y = WIDTH - width - 30, TOP
    size = f'width="{width:.1f}" height="{LINE * len(told) + 12}" rx="6"'
    yield f'<rect x="{x:.1f}" y="{y}" {size} fill="#f6f8fa" stroke="#c4ccd4"/>'
    for number, line in enumerate(told):
        colour = "#1f5fbf" if number == 0 else "#444c56"
        yield f'<text x="{x + 12:.1f}" y="{y + LINE * (number + 0.9):.1f}" fill="{colour}">{escape(line)}</text>'


def main() -> int:
    PATH.write_text(picture(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
