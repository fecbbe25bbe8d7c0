"""What a run tells: the ratio and verdict of each row, a table for the terminal, the same in Markdown, and a plot."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from rich.table import Table
from rich.text import Text

COLUMNS = ("numpy", "torch", "jax", "numba", "onnxruntime", "sklearn", "graphblas", "polars", "duckdb")
Result = Mapping[str, Any]


def best_peer(result: Result) -> str | None:
    """The fastest peer among those that the target is set against."""
    times = {name: time for name, time in result["times"].items() if name != "tolang"}
    allowed = result["against"] or list(times)
    known = [name for name in allowed if name in times]
    return min(known, key=times.__getitem__) if known else None


def ratio(result: Result) -> float | None:
    """Our speed relative to the best peer's: above 1 is faster; None where either was not measured."""
    peer = best_peer(result)
    own = result["times"].get("tolang")
    return None if peer is None or own is None else float(result["times"][peer] / own)


def verdict(result: Result) -> str:
    """Whether a row meets its target, by how much it misses it, or why there is nothing to say."""
    if "tolang" in result["failures"]:
        return f"failed: {result['failures']['tolang']}"
    value, within = ratio(result), result.get("within")
    if within is not None:
        own = result["times"]["tolang"]
        return "met" if own <= within else f"missed by {own / within - 1:.0%}"
    if value is None:
        wanted = ", ".join(result["against"]) or "any peer"
        return f"no {wanted} to compare with"
    if value >= result["target"]:
        return "met"
    return f"missed by {1 - value / result['target']:.0%}"


def duration(seconds: float) -> str:
    """Three digits and a unit."""
    unit, scale = ("s", 1.0) if seconds >= 0.9995 else ("ms", 1e-3) if seconds >= 0.9995e-3 else ("µs", 1e-6)
    return f"{float(f'{seconds / scale:.3g}'):g} {unit}"


def cell(result: Result, name: str) -> str:
    """The time of one competitor; `-` where it cannot do the row or is not installed."""
    if name in result["times"]:
        return duration(result["times"][name])
    return "failed" if name in result["failures"] else "-"


def speed(result: Result) -> str:
    """Our thousands of millions of operations a second."""
    own = result["times"].get("tolang")
    return f"{result['operations'] / own / 1e9:.3g}" if own and result["operations"] else "-"


def share(result: Result) -> str:
    """How much of what the machine can do ours does; above 100 % where data stays in a cache."""
    own, least = result["times"].get("tolang"), result.get("least")
    return f"{least / own:.0%}" if own and least and not result.get("fresh") else "-"


def over_value(result: Result) -> str:
    """How many times as long a value with its gradient takes as the value alone."""
    own, value = result["times"].get("tolang"), result.get("value")
    return f"{own / value:.2f}" if own and value else "-"


def goal(result: Result) -> str:
    """A row's target: a ratio to the best peer, or a time."""
    within = result.get("within")
    return f"{result['target']:g}" if within is None else duration(within)


def cells(result: Result) -> list[str]:
    value = ratio(result)
    shown = "-" if value is None else f"{value:.2f} ({best_peer(result)})"
    peers = [cell(result, name) for name in COLUMNS]
    return [
        result["name"], str(result["threads"]), cell(result, "tolang"), *peers, speed(result), share(result),
        over_value(result), shown, goal(result), verdict(result),
    ]  # fmt: skip


def heads() -> list[str]:
    return [
        "row",
        "threads",
        "ours",
        *COLUMNS,
        "Gop/s",
        "of the limit",
        "over its value",
        "ratio to best",
        "target",
        "verdict",
    ]


def table(results: Iterable[Result]) -> Table:
    """For the terminal."""
    shown = Table(title="ours and the peers: best of interleaved calls; ratio = time of the best peer / our time")
    for head in heads():
        shown.add_column(head, justify="left" if head in ("row", "verdict") else "right")
    family = None
    for result in results:
        if family not in (None, result["family"]):
            shown.add_section()
        family = result["family"]
        said = verdict(result)
        style = "green" if said == "met" else "red" if said.startswith("failed") else "yellow"
        *others, last = cells(result)
        shown.add_row(*(Text(one) for one in others), Text(last, style=style))
    return shown


def failures(results: Iterable[Result]) -> list[str]:
    """Every competitor that failed a row, with its reason: a failure is never hidden."""
    return [
        f"{result['name']}, {result['threads']} thread(s), {name}: {reason}"
        for result in results
        for name, reason in result["failures"].items()
    ]


def markdown(results: Iterable[Result], measured_on: Mapping[str, Any]) -> str:
    """The same table for a page of documentation, with the machine above it."""
    versions = ", ".join(f"{name} {version}" for name, version in measured_on["versions"].items())
    machine = f"{measured_on['processor']}, {measured_on['cores']} cores, {measured_on['system']}"
    lines = [f"{machine}, Python {measured_on['python']}; {versions}.", ""]
    lines += ["| " + " | ".join(heads()) + " |", "|" + "---|" * len(heads())]
    lines += ["| " + " | ".join(one.replace("|", "\\|") for one in cells(result)) + " |" for result in results]
    return "\n".join(lines) + "\n"


def plot(results: Sequence[Result]) -> str:
    """Bars of the ratios on a logarithmic scale, as SVG: to the right of 1 ours is faster; a mark is the target."""
    left, width, step = 330, 420, 18
    shown = [(one, value) for one in results if (value := ratio(one)) is not None]
    height = 40 + step * len(shown)
    low, high = -2.0, 2.0

    def place(value: float) -> float:
        return left + width * (min(high, max(low, math.log10(value))) - low) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 70}" height="{height}" '
        'font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for power in (0.01, 0.1, 1, 10, 100):
        x = place(power)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="22" y2="{height - 10}" stroke="#ccc"/>')
        parts.append(f'<text x="{x:.1f}" y="15" text-anchor="middle">{power:g}</text>')
    for number, (one, value) in enumerate(shown):
        y = 28 + step * number
        begin, end = sorted((place(1), place(value)))
        colour = "#3a7d44" if verdict(one) == "met" else "#c8553d"
        label = escape(f"{one['name']} [{one['threads']}]")
        parts += [
            f'<text x="{left - 6}" y="{y + 9}" text-anchor="end">{label}</text>',
            f'<rect x="{begin:.1f}" y="{y}" width="{max(1.0, end - begin):.1f}" height="11" fill="{colour}"/>',
            f'<line x1="{place(one["target"]):.1f}" x2="{place(one["target"]):.1f}" y1="{y - 2}" y2="{y + 13}" '
            'stroke="black"/>',
            f'<text x="{left + width + 6}" y="{y + 9}">{value:.2f}</text>',
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"
