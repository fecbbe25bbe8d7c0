"""What was found of all models, as lines while it goes on and as a table in a page."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

Row = dict[str, Any]
COLUMNS = (
    "model", "nodes", "kernels", "agrees", "cold s", "warm s", "ours ms", "onnxruntime ms", "ratio", "MiB",
    "held MiB", "weights MiB", "announced MiB", "EOPs", "MACs", "product MACs", "torch MACs",
)  # fmt: skip
BEGIN, END = "<!-- models -->", "<!-- end of models -->"
"""What stands in a page around the table."""
COUNTS = ("EOPs", "MACs", "product MACs", "torch MACs")
LONGEST_COUNT = 24
"""Characters of the longest count that is shown; what is counted only in lengths that data tells is longer."""
SHOWN = ("agrees", "cold s", "warm s", "ours ms", "onnxruntime ms", "ratio", "MiB", "product MACs", "torch MACs")


def line(row: Row) -> str:
    """One model in one line, and below it what went another way than it should."""
    if "error" in row:
        return f"{row['model']}: {row['error']}"
    parts = [f"{name} {row[name]}" for name in SHOWN if row.get(name) is not None]
    below = [f"\n    left to the interpreter: {one}" for one in row.get("fallbacks", ())]
    below += [
        f"\n    {name}: {row[name]}" for name in ("outside", "why not counted", "why no formula") if row.get(name)
    ]
    return f"{row['model']}: {', '.join(parts)}{''.join(below)}"


def summary(rows: list[Row]) -> str:
    """All models in a sentence."""
    ratios = [row["ratio"] for row in rows if "ratio" in row]
    agree = sum(row.get("agrees") == "yes" for row in rows)
    counted = sum(row.get("counted") == "yes" for row in rows)
    both = [row for row in rows if row.get("torch MACs") and isinstance(row.get("product MACs"), int)]
    same = sum(row["product MACs"] == row["torch MACs"] for row in both)
    middle = f", the median ratio is {median(ratios):.2f}" if ratios else ""
    return (
        f"{agree} of {len(rows)} models agree with onnxruntime and {counted} are counted{middle}; of {len(both)} that "
        f"PyTorch counts too, {same} have as many multiply-accumulates in products"
    )


def write(page: Path, rows: list[Row]) -> None:
    """The table in place of the one that a page has between its marks."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    lines += ["| " + " | ".join(_cell(name, row.get(name)) for name in COLUMNS) + " |" for row in rows]
    before, _, rest = page.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{summary(rows)}.\n\n{chr(10).join(lines)}\n{END}{after}")


def _cell(name: str, value: Any) -> str:
    match value:
        case None:
            return "–"
        case int():
            return f"{value:,}"
        case str() if name in COUNTS and len(value) > LONGEST_COUNT:
            return "a formula"
        case _:
            return str(value)
