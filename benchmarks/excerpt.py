"""A few rows of the measurement in docs/performance.md, for the README and the first page of the documentation.

`python -m benchmarks.excerpt` writes them there; with `--check` it only says whether they are up to date.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from itertools import dropwhile, takewhile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MEASUREMENT = ROOT / "docs" / "performance.md"
PEERS = {
    "ours": "ToLang",
    "numpy": "NumPy",
    "torch": "PyTorch",
    "jax": "JAX",
    "numba": "Numba",
    "onnxruntime": "onnxruntime",
}
"""Columns of the measurement, and what they are called to readers."""
THREADS = "8"
PAGES = {
    ROOT / "README.md": {
        "product 1024 f32": "product of matrices, 1024",
        "min-plus 1024": "the same over `min` and `add`",
        "min-plus product with argmin 512": "the stops of the example, 512",
        "or-and 1024": "the same over `or` and `and`",
        "conv 3x3/1 256 to 256, 14x14": "convolution 3 x 3, 256 to 256 channels",
        "quantised product 512": "product of numbers of 8 bits, 512",
        "softmax 4096 x 1024": "softmax, 4096 x 1024",
        "histogram of 256 16M": "histogram of 16 million numbers",
        "cumulative sum f64 16M": "cumulative sum of 16 million numbers",
    },
    ROOT / "docs" / "index.md": {
        "min-plus product with argmin 512": "the stops, 512",
        "min-plus 1024": "the lengths alone, 1024",
    },
}
"""For each page the rows it shows, and what they are called there."""
PLACE = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- end of figures -->)", re.DOTALL)

Row = Mapping[str, str]


def rows(text: str) -> dict[str, Row]:
    """The rows of the first measurement, of eight threads, by their names."""
    lines = dropwhile(lambda line: not line.startswith("| row | threads |"), text.splitlines())
    head, _, *cells = (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in takewhile(lambda line: line.startswith("|"), lines)
    )
    found = [dict(zip(head, own, strict=True)) for own in cells]
    return {row["row"]: row for row in found if row["threads"] == THREADS}


def table(shown: Mapping[str, str], measured: Mapping[str, Row]) -> str:
    """Some rows as a table; peers that none of them has are left out, and the fastest time stands out."""
    peers = [peer for peer in PEERS if any(measured[name][peer] != "-" for name in shown)]
    lines = [f"| | {' | '.join(PEERS[peer] for peer in peers)} |", "|---" * (len(peers) + 1) + "|"]
    for name, label in shown.items():
        times = [measured[name][peer] for peer in peers]
        best = min((time for time in times if time != "-"), key=seconds)
        cells = ("" if time == "-" else f"**{time}**" if time == best else time for time in times)
        lines.append(f"| {label} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def seconds(time: str) -> float:
    """A time such as `5.93 ms` in seconds."""
    number, unit = time.split()
    return float(number) * {"s": 1.0, "ms": 1e-3, "µs": 1e-6}[unit]


def pages() -> dict[Path, str]:
    """The pages with the rows as they are measured now."""
    measured = rows(MEASUREMENT.read_text("utf-8"))
    return {path: PLACE.sub(table(shown, measured), path.read_text("utf-8")) for path, shown in PAGES.items()}


def main(arguments: list[str]) -> int:
    made = pages()
    stale = [path for path, text in made.items() if path.read_text("utf-8") != text]
    if "--check" in arguments:
        print("\n".join(f"{path.name} is {'out of date' if path in stale else 'up to date'}" for path in made))
        return int(bool(stale))
    for path in stale:
        path.write_text(made[path], encoding="utf-8")
        print(f"wrote {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
