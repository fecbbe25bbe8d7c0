"""A cost as a table of text: its measures as formulas and, where sizes are given, as numbers.

A cost prints itself as its table, so that its class is not known here.
"""

from __future__ import annotations

from typing import Any

from tolang.ground.system.memory import bytes_text
from tolang.program.amounts import count_text
from tolang.program.measures import COMPARED, MEASURES
from tolang.program.shortening import Shortening
from tolang.program.text_tables import laid_out, wrapped


def cost_table(found: Any, width: int | None = None) -> str:
    """The table of a cost: what `tol cost` prints."""
    symbolic = found.at_open_sizes()
    short = Shortening(symbolic)
    return "\n".join([*measures(symbolic, found, short, width), *legend(short, width)])


def measures(symbolic: Any, found: Any, short: Shortening, width: int | None = None) -> list[str]:
    """What is measured, what bounds the program, and lengths that only running tells."""
    here = bool(found.given)
    rows = [["", "formula", *(("here", "") if here else ())]]
    for one in (*MEASURES, *(COMPARED if short.is_model else ())):
        formula = short.text(getattr(symbolic, one.name))
        rows.append([one.label, formula, *(figure(getattr(found, one.name), one.unit) if here else ())])
    rows.append(["EOPs a byte", short.quotient(symbolic.intensity), *((str(found.intensity), "") if here else ())])
    bound = f"bound by {found.bound}{'' if found.intensity.is_number else ' as sizes grow'}"
    unknowns = [line for name, one in symbolic.unknowns.items() for line in wrapped(f"{name}: {one}", width)]
    return [*wrapped(heading(found), width), *laid_out(rows, width, right={2}), *wrapped(bound, width), *unknowns]


def heading(found: Any) -> str:
    """What is counted, and at which sizes."""
    given = ", ".join(f"{name} = {value}" for name, value in found.given.items())
    return f"{found.name} at {given}" if given else found.name


def figure(amount: Any, unit: str) -> tuple[str, str]:
    """An amount at given sizes, and beside it its unit, or a number of greater units where it is large."""
    readable = ""
    if isinstance(amount, int) and unit in ("EOPs", "MACs", "FLOPs") and amount >= 10**6:
        readable = count_text(amount, unit)
    elif isinstance(amount, int) and unit == "bytes" and amount >= 1024:
        readable = bytes_text(amount)
    return str(amount), readable or unit


def legend(short: Shortening, width: int | None = None) -> list[str]:
    """What the names stand for that formulas were shortened by."""
    lines: list[str] = []
    for name, meaning in short.meanings.items():
        lines += wrapped(f"{name} = {short.cut(meaning)}", width)
    lines = ["", *lines] if lines else []
    cut = wrapped("… stands for the rest of a long formula; --json has it whole", width) if short.was_cut else []
    return [*lines, "", *cut] if cut else lines
