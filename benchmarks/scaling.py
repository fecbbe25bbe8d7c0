"""Strong and weak scaling on paper: five programs on up to 10,000 workers, by the planner that cuts them.

    python -m benchmarks.scaling [docs/scaling.svg]

Nothing runs.  Prints a table and writes a plot: how many times faster so many workers are, and which part of their time
they are of use where the work grows with them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from xml.sax.saxutils import escape

import tolang
from benchmarks.paper import Estimate, estimated
from tolang.engines.dask.budgets import Room
from tolang.engines.dask.piecewise import Planning
from tolang.ground.dataclasses import dataclass

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PRODUCT = (
    "tol a: R[n,k]\ntol b: R[k,m]\nc := map(tol[n,m], reduce(map(tol[k], a[i,p]{} b[p,j], p), {}), [i,j])"
)  # fmt: skip


def square(workers: float) -> dict[str, int]:
    """Lengths of square operands, whose work grows with so many workers."""
    return dict.fromkeys("nkm", round(20_000 * workers ** (1 / 3)))


WORKERS = (1, 4, 16, 64, 256, 1024, 4096, 10_000)
MEMORY = 64 << 30
COLOURS = ("#1b6ca8", "#c8553d", "#3a7d44", "#8e5ea2", "#b8860b")


@dataclass(frozen=True)
class Case:
    """A program and its sizes: for the strong scaling, and as the work grows with so many workers."""

    name: str
    source: str
    sizes: Callable[[float], Mapping[str, int]]
    whole: float


CASES = (
    Case("product", PRODUCT.format(" *", "add, 0"), square, 64),
    Case(
        "min-plus", PRODUCT.format(" +", "min, +Inf"), lambda w: dict.fromkeys("nkm", round(20_000 * w ** (1 / 3))), 64
    ),
    Case("sum", "tol x: R[n]\ns := reduce(x, add, 0)", lambda w: {"n": round(4e9 * w)}, 64),
    Case(
        "heat",
        (EXAMPLES / "gallery/dwarfs/heat.tol").read_text("utf-8"),
        lambda w: {"n": round(20_000 * w**0.5), "m": round(20_000 * w**0.5), "steps.1": 100},
        64,
    ),
    Case(
        "n-body",
        (EXAMPLES / "gallery/dwarfs/nbody.tol").read_text("utf-8"),
        lambda w: {"n": round(100_000 * w**0.5), "steps.1": 100},
        64,
    ),
)


def on_paper(case: Case, size: float, workers: int) -> tuple[Estimate, int]:
    """How long a program takes, and in how many tasks."""
    room = Room(MEMORY, 0, workers, 2, processes=workers)
    program = tolang.compile(case.source)
    placed = Planning(False, room).placed(program.core, case.sizes(size))
    return estimated(placed, workers), sum(cut.tasks for cut in placed.cuts)


def curves() -> dict[str, dict[str, list[float]]]:
    """For each program its speeds and its efficiencies; tells them on the way."""
    found: dict[str, dict[str, list[float]]] = {}
    print(f"{'':10}{'workers':>8}  {'strong':>8} {'tasks':>9} {'bound by':11}  {'weak':>6} {'tasks':>9} bound by")
    for case in CASES:
        first, alone = on_paper(case, case.whole, 1)[0].total, on_paper(case, 1, 1)[0].total
        lines = found[case.name] = {"strong": [], "weak": []}
        for workers in WORKERS:
            (strong, tasks), (weak, more) = on_paper(case, case.whole, workers), on_paper(case, workers, workers)
            lines["strong"].append(first / strong.total)
            lines["weak"].append(alone / weak.total)
            print(
                f"{case.name:10}{workers:8}  {first / strong.total:8.1f} {tasks:9} {strong.bound:11}  "
                f"{alone / weak.total:6.2f} {more:9} {weak.bound}"
            )
    return found


def plot(found: Mapping[str, Mapping[str, list[float]]]) -> str:
    """Both scalings side by side, workers on a logarithmic axis."""
    from math import log10

    width, height, top, left, gap = 300, 240, 40, 60, 90
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + 2 * width + gap + 110}" height="{top + height + 50}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for panel, (kind, title) in enumerate((("strong", "times faster"), ("weak", "of use where work grows, too"))):
        x0 = left + panel * (width + gap)

        def place(workers: int, value: float, kind: str = kind, x0: int = x0) -> str:
            part = log10(max(1.0, value)) / 4 if kind == "strong" else min(1.1, value) / 1.1
            return f"{x0 + log10(workers) / 4 * width:.1f},{top + height * (1 - part):.1f}"

        parts.append(f'<text x="{x0}" y="{top - 14}" font-weight="bold">{title}</text>')
        parts.append(f'<rect x="{x0}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#999"/>')
        for power in range(5):
            x = x0 + power / 4 * width
            parts.append(f'<text x="{x:.0f}" y="{top + height + 16}" text-anchor="middle">{10**power:,}</text>')
            label = f"{10**power:,}" if kind == "strong" else f"{25 * power} %"
            y = top + height * (1 - (power / 4 if kind == "strong" else power / 4 / 1.1))
            parts.append(f'<line x1="{x0}" x2="{x0 + width}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
            parts.append(f'<text x="{x0 - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
        parts.append(f'<text x="{x0 + width / 2}" y="{top + height + 36}" text-anchor="middle">workers</text>')
        for (name, lines), colour in zip(found.items(), COLOURS, strict=True):
            points = " ".join(place(w, value) for w, value in zip(WORKERS, lines[kind], strict=True))
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
            if panel:
                y = top + 14 + 18 * list(found).index(name)
                parts.append(f'<text x="{x0 + width + 12}" y="{y}" fill="{colour}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else "docs/scaling.svg").write_text(plot(curves()), "utf-8")
