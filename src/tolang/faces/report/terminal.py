"""Charts of plain text: bars beside the figures of a table, and a curve over one size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from tolang.faces.report.content import Scaling
from tolang.program.amounts import count_text

EIGHTHS = " ▏▎▍▌▋▊▉"
BAR = 16
HEIGHT = 12
WIDTH = 56
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))


def bar(part: int, whole: int, width: int = BAR) -> str:
    """A bar as long as the part's share of the whole; what is there at all can be seen."""
    if part <= 0 or whole <= 0:
        return ""
    eighths = max(1, min(8 * width, 8 * width * part // whole))
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def chart(scaling: Scaling) -> str:
    """The EOPs over a size, both axes by factors of ten, and how every measure grows."""
    eops = scaling.series[0]
    seen = [(size, value) for size, value in zip(scaling.sizes, eops.values, strict=True) if value]
    held = "".join(f", {name} = {value}" for name, value in scaling.held.items())
    lines = [f"{eops.name} over {scaling.size} = {scaling.sizes[0]} to {scaling.sizes[-1]}{held}", ""]
    lines += _curve(seen, scaling.sizes) if seen else ["no EOPs at any of these sizes"]
    grows = [f"{one.name}: {one.growth}" for one in scaling.series if one.growth]
    return "\n".join([*lines, "", *(["grows as  " + ",  ".join(grows)] if grows else [])]).rstrip()


def _curve(seen: Sequence[tuple[int, int]], sizes: Sequence[int]) -> list[str]:
    """A line of dots, eight to a character; the axes bear the first and last figures."""
    left, right = math.log10(sizes[0]), math.log10(sizes[-1])
    logs = [(math.log10(size), math.log10(value)) for size, value in seen]
    low, high = min(y for _, y in logs), max(y for _, y in logs)
    tall, wide = 4 * HEIGHT - 1, 2 * WIDTH - 1
    cells = [[0] * WIDTH for _ in range(HEIGHT)]
    for column in range(wide + 1):
        x = left + (right - left) * column / wide
        y = _between(logs, x)
        if y is not None:
            row = tall - round((y - low) / (high - low) * tall) if high > low else tall // 2
            cells[row // 4][column // 2] |= _DOTS[column % 2][row % 4]
    labels = {0: max(value for _, value in seen), HEIGHT - 1: min(value for _, value in seen)}
    if high == low:
        labels = {(tall // 2) // 4: seen[0][1]}
    texts = {row: _figure(value) for row, value in labels.items()}
    margin = max(len(text) for text in texts.values())
    lines = []
    for row, line in enumerate(cells):
        drawn = "".join(chr(0x2800 + dots) if dots else " " for dots in line).rstrip()
        lines.append(f"{texts.get(row, ''):>{margin}} ┤{drawn}")
    first, last = str(sizes[0]), str(sizes[-1])
    space = " " * (margin + 1)
    return [*lines, f"{space}└{'─' * WIDTH}", f"{space} {first}{last:>{WIDTH - len(first)}}"]


def _figure(value: int) -> str:
    """A count with a unit; one that has no unit by its power of ten."""
    return count_text(value, "").strip() if value < 10**18 else f"10^{math.log10(value):.1f}"


def _between(points: Sequence[tuple[float, float]], x: float) -> float | None:
    """The height of the line through the points; None outside them."""
    for (x1, y1), (x2, y2) in pairwise(points):
        if x1 - 1e-12 <= x <= x2 + 1e-12:
            return y1 + (y2 - y1) * (x - x1) / (x2 - x1) if x2 > x1 else y1
    return points[0][1] if len(points) == 1 and abs(points[0][0] - x) < 1e-9 else None
