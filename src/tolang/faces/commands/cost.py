"""`tol cost`: what a program costs before it runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tolang.faces.commands.run import File, Function, Operators

if TYPE_CHECKING:
    from tolang.faces.report.scaling import Over
    from tolang.program.cost import Cost
    from tolang.program.shortening import Shortening

    Counter = Callable[[dict[str, Any]], Cost]

_NAMED = re.compile(r"([A-Za-z_]\w*)=(.+)", re.DOTALL)
_SHAPE = re.compile(r"\d+(?:x\d+)+")


class By(StrEnum):
    """What EOPs are broken down by."""

    function = "function"
    definition = "definition"
    operator = "operator"
    node = "node"


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
    by: Annotated[
        By | None, typer.Option("--by", help="Break the EOPs down; operator and node are for ONNX models.")
    ] = None,
    derive: Annotated[bool, typer.Option("--derive", help="Show the derivation, step by step.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Write everything as JSON.")] = False,
    over: Annotated[
        str | None,
        typer.Option("--over", metavar="SIZE=FIRST:LAST", help="Draw how the cost grows over a size (n=1:4096)."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="PAGE", help="Write a report: one HTML page that needs no network.")
    ] = None,
    peak_flops: Annotated[
        str | None,
        typer.Option(
            "--peak-flops", metavar="RATE", help="Functions a second for the report's roofline (3e12), or measure."
        ),
    ] = None,
    peak_bandwidth: Annotated[
        str | None,
        typer.Option("--peak-bandwidth", metavar="RATE", help="Bytes a second for the roofline (200G), or measure."),
    ] = None,
    function: Function = None,
    operators: Operators = None,
) -> None:
    """Show what a program costs: EOPs, bytes, memory and span, as formulas and at given sizes.

    tol cost matmul.tol n=512 k=512 m=512 --by function

    tol cost model.onnx batch=8 --by node

    tol cost model.onnx --html report.html --over batch=1:64

    A model is counted by operator, too, with MACs and FLOPs for comparison.  A MAC is a sum of a fold that adds a
    product; FLOPs are all functions evaluated on floats, so 2 for each MAC of floats and 1 for each other.
    """
    from tolang.data.files import refuse_unwritable
    from tolang.faces.given import binding, is_model, refuse_operators
    from tolang.faces.report.scaling import Over
    from tolang.ground.reporting.diagnostics import usage

    peaks = (peak_flops, peak_bandwidth)
    if html is not None:
        refuse_unwritable(html)
    elif peaks != (None, None):
        raise usage("E603", "peaks are for the roofline of a report", fix="say where to write one: --html report.html")
    scaled = None if over is None else Over.of(over)
    given = _all_given(sizes or [])
    with binding():
        if is_model(file):
            counted, needed = _model_counter(file, function, operators)
        else:
            refuse_operators(operators)
            counted, needed = _program_counter(file, function, by)
        found = counted(given)
    symbolic = found
    if function is None and found.given:
        symbolic = counted({name: value for name, value in given.items() if name in needed})
    if html is not None:
        _write_report(symbolic, found, file, html, scaled, peaks)
    if json:
        import json as notation

        print(notation.dumps(found.as_dict(), indent=2))
    elif derive:
        print(found.derivation())
    elif html is None:
        _show(symbolic, found, by)
        if scaled is not None:
            _show_scaling(symbolic, found, scaled)


def _write_report(
    symbolic: Cost, found: Cost, file: str, goal: Path, over: Over | None, peaks: tuple[str | None, str | None]
) -> None:
    from tolang.faces.report.building import report_of
    from tolang.faces.report.page import write_page
    from tolang.faces.report.peaks import peaks_of
    from tolang.faces.terminal import note

    name = "<stdin>" if file == "-" else file
    write_page(report_of(symbolic, found, name, peaks_of(*peaks), over), goal)
    note(str(goal))


def _show_scaling(symbolic: Cost, found: Cost, over: Over) -> None:
    """A chart of the EOPs over a size, the sizes that are not given held at a chosen value."""
    from tolang.faces.report.building import at_all_sizes
    from tolang.faces.report.scaling import scaling_of
    from tolang.faces.report.terminal import chart

    here, chosen = at_all_sizes(found)
    print(f"\n{chart(scaling_of(symbolic, over, {**here.given, **chosen}))}")


def _program_counter(file: str, function: str | None, by: By | None) -> tuple[Counter, tuple[str, ...]]:
    """What gives the cost of a program, or of one of its functions, at given sizes; it needs none of them."""
    from tolang.faces.given import program_from
    from tolang.ground.reporting.diagnostics import usage

    program = program_from(file)
    if by in (By.operator, By.node):
        raise usage("E603", f"{file} has no nodes", expected="an ONNX model, or --by function or definition")
    if function is None:
        return (lambda given: program.cost(**given)), ()
    exported = program.function(function)
    return (lambda given: exported.cost(**given)), ()


def _model_counter(file: str, function: str | None, operators: Path | None) -> tuple[Counter, tuple[str, ...]]:
    """What gives the cost of an ONNX model at given sizes, and the inputs that it must be given."""
    from tolang.faces.given import model_from
    from tolang.ground.reporting.diagnostics import usage

    if function is not None:
        raise usage("E606", f"{file} exports no function {function}", expected="an ONNX model is counted as a whole")
    model = model_from(file, operators=operators)
    return (lambda given: model.cost(**given)), model.open_inputs


def _all_given(texts: list[str]) -> dict[str, Any]:
    """The arguments of the call, each once."""
    from tolang.ground.reporting.diagnostics import usage

    given: dict[str, Any] = {}
    for name, value in map(_given, texts):
        if name in given:
            raise usage("E603", f"{name} is given twice")
        given[name] = value
    return given


def _given(text: str) -> tuple[str, Any]:
    """One argument of the call: a name and a size, a shape, or a list of constants."""
    from tolang.data.binding import python_name
    from tolang.ground.reporting.diagnostics import usage

    named = _NAMED.fullmatch(text)
    if named is None:
        raise usage("E603", f"cannot tell what {text!r} is for", expected="n=512, or a shape a=512x256")
    return python_name(named[1]), _value(named[1], named[2].strip())


def _value(name: str, text: str) -> Any:
    from tolang.ground.reporting.diagnostics import usage
    from tolang.ground.reporting.whole_numbers import whole_number

    size = whole_number(text)
    if size is not None:
        return size
    lengths = [whole_number(length) for length in text.split("x")] if _SHAPE.fullmatch(text) else [None]
    if None not in lengths:
        return tuple(lengths)
    if text in ("true", "false"):
        return text == "true"
    if (text[0], text[-1]) in (("(", ")"), ("[", "]")):
        items = [item.strip() for item in text[1:-1].split(",") if item.strip()]
        numbers = [whole_number(item) for item in items]
        values = [item if one is None else one for item, one in zip(items, numbers, strict=True)]
        return tuple(values) if text[0] == "(" else values
    if text[0] == "@":
        return text[1:]
    raise usage("E605", f"{name} is not a size", found=text, expected="a whole number, or a shape such as 512x256")


def _show(symbolic: Cost, found: Cost, by: By | None) -> None:
    """The measures, then the breakdown asked for, as tables as wide as the terminal; elsewhere lines are not broken."""
    from tolang.faces.terminal import terminal_width
    from tolang.program.cost_table import legend, measures
    from tolang.program.shortening import Shortening

    short, width = Shortening(symbolic), terminal_width()
    by = by or (By.operator if short.is_model else None)
    lines = measures(symbolic, found, short, width)
    if by is not None:
        lines += ["", *_breakdown(symbolic, found, by, short, width)]
    print("\n".join([*lines, *legend(short, width)]))


def _breakdown(symbolic: Cost, found: Cost, by: By, short: Shortening, width: int | None) -> list[str]:
    from tolang.program.text_tables import laid_out

    here = bool(found.given)
    if by in (By.operator, By.node):
        return _by_node(found, by is By.node, short, width)
    if by is By.function:
        return _by_function(symbolic, found, short, width)
    rows = [["definition", "evaluated", "EOPs", "own", *(("here", "") if here else ())]]
    totals = found.by_definition
    for name, one in symbolic.by_definition.items():
        cells = [name, short.text(one.evaluations), short.text(one.eops), short.text(one.own)]
        rows.append([*cells, *((str(totals[name].eops), "EOPs") if here and name in totals else ())])
    return laid_out(rows, width, right={4})


def _by_function(symbolic: Cost, found: Cost, short: Shortening, width: int | None) -> list[str]:
    """EOPs by function, with bars for their shares where they are numbers."""
    from tolang.faces.report.terminal import bar
    from tolang.program.cost_table import figure
    from tolang.program.text_tables import laid_out

    here = bool(found.given)
    rows = [["function", "EOPs", *(("here", "") if here else ()), ""]]
    figures, total = found.by_function, found.eops
    for name, count in symbolic.by_function.items():
        number = figures.get(name, 0)
        drawn = bar(number, total) if isinstance(number, int) and isinstance(total, int) else ""
        rows.append([name, short.text(count), *(figure(number, "EOPs") if here else ()), drawn])
    return laid_out(rows, width, right={2} if here else ())


def _by_node(found: Any, each: bool, short: Shortening, width: int | None) -> list[str]:
    """A model's nodes, or its operators, with what other counters count beside EOPs; idle ones in one line below."""
    from tolang.ground.reporting.escaping import shown
    from tolang.program.text_tables import laid_out, wrapped

    costs = found.by_node() if each else found.by_operator()
    numbers = all(isinstance(one.eops, int) for one in costs)
    rows = [["node" if each else "operator", "operator" if each else "nodes", "EOPs", "MACs", "FLOPs"]]
    for one in costs:
        if one.eops != 0:
            head = (shown(one.name, 120), shown(one.operator)) if each else (shown(one.operator), str(one.nodes))
            rows.append([*head, short.text(one.eops), short.text(one.macs), short.text(one.flops)])
    lines = laid_out(rows, width, right={2, 3, 4} if numbers else ())
    idle: dict[str, int] = {}
    for one in costs:
        if one.eops == 0:
            idle[one.operator] = idle.get(one.operator, 0) + (1 if each else one.nodes)
    counted = ", ".join(f"{shown(operator)} ({count})" for operator, count in idle.items())
    return [*lines, *wrapped(f"without arithmetic on elements: {counted}", width)] if idle else lines
