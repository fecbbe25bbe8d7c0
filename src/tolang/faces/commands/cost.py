"""`tol cost`: what a program costs before it runs."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tolang.faces.commands.run import File, Function

if TYPE_CHECKING:
    from rich.table import Table

    from tolang.driver.cost import Cost
    from tolang.driver.program import Program

_NAMED = re.compile(r"([A-Za-z_]\w*)=(.+)", re.DOTALL)
_SHAPE = re.compile(r"\d+(?:x\d+)+")
_MEASURES = (
    ("EOPs", "eops", "EOPs"),
    ("bytes read", "bytes_read", "bytes"),
    ("bytes written", "bytes_written", "bytes"),
    ("memory at the peak", "memory", "bytes"),
    ("span", "span", "functions"),
)


class By(StrEnum):
    """What EOPs are broken down by."""

    function = "function"
    definition = "definition"


def cost(
    file: File,
    sizes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME=SIZE",
            help="Sizes (n=512), or the shapes of inputs (a=512x256 or a=(512,256)).  The shapes of a function's "
            "arguments may have names in them (x=(n,10)); whole numbers and lists of them (axis=2) are constants.",
        ),
    ] = None,
    by: Annotated[By | None, typer.Option("--by", help="Break the EOPs down.")] = None,
    derive: Annotated[bool, typer.Option("--derive", help="Show the derivation, step by step.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Write everything as JSON.")] = False,
    function: Function = None,
) -> None:
    """Show what a program costs: EOPs, bytes, memory and span, as formulas and at given sizes.

    tol cost matmul.tol n=512 k=512 m=512 --by function
    """
    from tolang.faces.given import binding, program_from

    program = program_from(file)
    given = dict(_given(text) for text in sizes or [])
    with binding():
        found = _cost(program, function, given)
    if json:
        import json as notation

        print(notation.dumps(found.as_dict(), indent=2))
        return
    if derive:
        print(found.derivation())
        return
    symbolic = _cost(program, function, {}) if function is None and found.given else found
    _show(symbolic, found, by)


def _cost(program: Program, function: str | None, given: dict[str, Any]) -> Cost:
    if function is not None:
        return program.function(function).cost(**given)
    return program.cost(**given)


def _given(text: str) -> tuple[str, Any]:
    """One argument of the call: a name and a size, a shape, or a list of constants."""
    from tolang.driver.binding import python_name, usage

    named = _NAMED.fullmatch(text)
    if named is None:
        raise usage("E603", f"cannot tell what {text!r} is for", expected="n=512, or a shape a=512x256")
    return python_name(named[1]), _value(named[1], named[2].strip())


def _value(name: str, text: str) -> Any:
    from tolang.driver.binding import usage

    if text.isdigit():
        return int(text)
    if _SHAPE.fullmatch(text):
        return tuple(int(length) for length in text.split("x"))
    if text in ("true", "false"):
        return text == "true"
    if (text[0], text[-1]) in (("(", ")"), ("[", "]")):
        items = [item.strip() for item in text[1:-1].split(",") if item.strip()]
        values = [int(item) if item.lstrip("-").isdigit() else item for item in items]
        return tuple(values) if text[0] == "(" else values
    if text[0] == "@":
        return text[1:]
    raise usage("E605", f"{name} is no size", found=text, expected="a whole number, or a shape such as 512x256")


def _show(symbolic: Cost, found: Cost, by: By | None) -> None:
    """The measures, then the breakdown asked for, as tables."""
    from rich.console import Group

    table = _table("", "formula", *(("here", "") if found.given else ()))
    for label, measure, unit in _MEASURES:
        _row(table, label, getattr(symbolic, measure), getattr(found, measure), unit, bool(found.given))
    intensity = ["EOPs a byte", str(symbolic.intensity)]
    table.add_row(*intensity, *((str(found.intensity), "") if found.given else ()))
    parts: list[Any] = [
        _heading(found),
        table,
        f"bound by {found.bound}{'' if found.intensity.is_number else ' as sizes grow'}",
    ]
    for name, unknown in symbolic.unknowns.items():
        parts.append(f"{name}: {unknown}")
    if by is not None:
        parts += ["", _breakdown(symbolic, found, by)]
    _print(Group(*parts))


def _heading(found: Cost) -> str:
    given = ", ".join(f"{name} = {value}" for name, value in found.given.items())
    return f"{found.name} at {given}" if given else found.name


def _table(*columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, justify="right" if column == "here" else "left", overflow="fold")
    return table


def _row(table: Table, label: str, formula: Any, figure: Any, unit: str, is_given: bool) -> None:
    from tolang.driver.amounts import bytes_text, count_text

    cells = [label, str(formula)]
    if is_given:
        readable = ""
        if isinstance(figure, int) and unit == "EOPs" and figure >= 10**6:
            readable = count_text(figure)
        elif isinstance(figure, int) and unit == "bytes" and figure >= 1024:
            readable = bytes_text(figure)
        cells += [str(figure), readable or unit]
    table.add_row(*cells)


def _breakdown(symbolic: Cost, found: Cost, by: By) -> Table:
    here = bool(found.given)
    if by is By.function:
        table = _table("function", "EOPs", *(("here", "") if here else ()))
        figures = found.by_function
        for name, count in symbolic.by_function.items():
            _row(table, name, count, figures.get(name, 0), "EOPs", here)
        return table
    table = _table("definition", "evaluated", "EOPs", "own", *(("here", "") if here else ()))
    totals = found.by_definition
    for name, one in symbolic.by_definition.items():
        cells = [name, str(one.evaluations), str(one.eops), str(one.own)]
        table.add_row(*cells, *((str(totals[name].eops), "EOPs") if here and name in totals else ()))
    return table


def _print(content: Any) -> None:
    """Prints to a terminal in its width, and anywhere else in lines as long as they need be."""
    import sys

    from rich.console import Console

    terminal = sys.stdout.isatty()
    console = Console(highlight=False, width=None if terminal else 4000, no_color=not terminal, markup=False)
    with console.capture() as captured:
        console.print(content)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))
