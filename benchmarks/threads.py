"""How rows scale with threads, from the JSON of one run or of several: a picture for each row, and a table of all.

python -m benchmarks --threads all --json build/threads.json
python -m benchmarks.threads build/threads.json --plot docs/threads.svg --rows "product 1024,softmax"
python -m benchmarks.threads build/one.json build/eight.json --markdown build/threads.md
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from benchmarks.report import COLUMNS, Result, best_peer, cell, goal, ratio, verdict

WIDE, HIGH, GAP, ACROSS = 230, 170, 75, 3
"""A picture's size, the room around it, and how many there are side by side."""
LINE = 11
"""How far names are apart at the least."""
OURS, COLOURS = "#1b4f8f", ("#8a8a8a", "#d08a2e", "#3a7d44", "#9b59b6", "#c8553d", "#2aa198", "#b5651d", "#777", "#444")

Curves = Mapping[str, Sequence[tuple[int, float]]]
"""For each competitor, numbers of threads and the seconds that a call took with so many."""


def curves(results: Sequence[Result]) -> dict[str, dict[str, list[tuple[int, float]]]]:
    """The curves of every row that was measured with several numbers of threads."""
    found: dict[str, dict[str, list[tuple[int, float]]]] = {}
    for one in results:
        for name, seconds in one["times"].items():
            found.setdefault(one["name"], {}).setdefault(name, []).append((one["threads"], seconds))
    several = {row: own for row, own in found.items() if len(own.get("tolang", ())) > 1}
    return {row: {name: sorted(points) for name, points in own.items()} for row, own in several.items()}


def plot(results: Sequence[Result]) -> str:
    """Speed against threads, both on logarithmic scales, in units of ours with one thread; a thin line is all of it."""
    rows = curves(results)
    down = math.ceil(len(rows) / ACROSS)
    width, height = ACROSS * (WIDE + GAP) + GAP, down * (HIGH + 2 * GAP) + GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
        'font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for place, (row, own) in enumerate(rows.items()):
        left, top = GAP + place % ACROSS * (WIDE + GAP), GAP + place // ACROSS * (HIGH + 2 * GAP)
        parts += _picture(row, own, left, top)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _picture(row: str, own: Curves, left: int, top: int) -> list[str]:
    unit = own["tolang"][0][1] * own["tolang"][0][0]
    threads = [count for count, _ in own["tolang"]]
    speeds = [unit / seconds for points in own.values() for _, seconds in points]
    low, high = math.log2(max(2**-3, min(1.0, *speeds))), math.log2(max(threads[-1], *speeds))
    last = math.log2(threads[-1])

    def x(count: int) -> float:
        return left + WIDE * math.log2(count) / last

    def y(speed: float) -> float:
        return top + HIGH * (1 - (max(low, math.log2(speed)) - low) / (high - low))

    parts = [f'<text x="{left}" y="{top - 10}" font-weight="bold">{escape(row)}</text>']
    for count in threads:
        parts.append(f'<line x1="{x(count):.1f}" x2="{x(count):.1f}" y1="{top}" y2="{top + HIGH}" stroke="#eee"/>')
        parts.append(f'<text x="{x(count):.1f}" y="{top + HIGH + 14}" text-anchor="middle">{count}</text>')
    for power in range(math.ceil(low), math.floor(high) + 1):
        at = y(2.0**power)
        parts.append(f'<line x1="{left}" x2="{left + WIDE}" y1="{at:.1f}" y2="{at:.1f}" stroke="#eee"/>')
        parts.append(f'<text x="{left - 5}" y="{at + 4:.1f}" text-anchor="end">{2.0**power:g}</text>')
    ends = f'x1="{x(1):.1f}" y1="{y(1):.1f}" x2="{x(threads[-1]):.1f}" y2="{y(threads[-1]):.1f}"'
    parts.append(f'<line {ends} stroke="#bbb" stroke-dasharray="3 3"/>')
    names: list[tuple[float, str, str]] = []
    for name in sorted(own, key=lambda one: one == "tolang"):
        ours = name == "tolang"
        colour = OURS if ours else COLOURS[COLUMNS.index(name) % len(COLOURS)]
        spots = [(x(count), y(unit / seconds)) for count, seconds in own[name]]
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in spots)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="{2.5 if ours else 1.2}"/>')
        names.append((spots[-1][1], colour, "ours" if ours else name))
    at = -math.inf
    for height, colour, name in sorted(names):
        at = max(height + 4, at + LINE)
        parts.append(f'<text x="{left + WIDE + 4}" y="{at:.1f}" fill="{colour}">{escape(name)}</text>')
    return parts


def markdown(results: Sequence[Result]) -> str:
    """Every row with its time and its ratio to the best peer, by the number of threads."""
    counts = sorted({one["threads"] for one in results})
    rows: dict[str, dict[int, Result]] = {}
    for one in results:
        rows.setdefault(one["name"], {})[one["threads"]] = one
    met = [sum(verdict(one) == "met" for one in results if one["threads"] == count) for count in counts]
    of = [sum(one["threads"] == count for one in results) for count in counts]
    told = [f"{number} of {total}" for number, total in zip(met, of, strict=True)]
    lines = [["row", *(f"{count} thread{'s' * (count > 1)}" for count in counts), "target"]]
    lines += [
        [name, *(_told(own.get(count)) for count in counts), goal(next(iter(own.values())))]
        for name, own in rows.items()
    ]
    lines += [["targets met", *told, ""]]
    shown = ["| " + " | ".join(one.replace("|", "\\|") for one in line) + " |" for line in lines]
    return "\n".join([shown[0], "|" + "---|" * len(lines[0]), *shown[1:]]) + "\n"


def _told(result: Result | None) -> str:
    if result is None:
        return "-"
    value = ratio(result)
    return cell(result, "tolang") + ("" if value is None else f", {value:.2f} ({best_peer(result)})")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.threads", description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="+", type=Path, help="JSON files that `python -m benchmarks` wrote")
    parser.add_argument("--rows", default="", help="parts of names, separated by commas; all if left out")
    parser.add_argument("--plot", type=Path, help="where the pictures are written, if anywhere")
    parser.add_argument("--markdown", type=Path, help="where the table is written, if anywhere")
    given = parser.parse_args()
    words = [word.strip() for word in given.rows.split(",") if word.strip()]
    results: list[dict[str, Any]] = [
        one
        for path in given.runs
        for one in json.loads(path.read_text(encoding="utf-8"))["results"]
        if not words or any(word in one["name"] for word in words)
    ]
    for goal_path, made in ((given.plot, plot), (given.markdown, markdown)):
        if goal_path is not None:
            goal_path.write_text(made(results), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
