"""A report from a cost: totals, breakdowns, the tree of parts, the roofline and the curves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tolang.faces.report.content import (
    ColumnKind,
    CostBranch,
    CostReport,
    Point,
    ReportColumn,
    ReportTable,
    ReportTotal,
    Roofline,
    Scaling,
    Tree,
)
from tolang.faces.report.peaks import Peaks
from tolang.faces.report.scaling import Over, scaling_of
from tolang.faces.report.sites import Sites, node_bytes
from tolang.ground.system.recursion import room_to_nest
from tolang.ground.version import VERSION
from tolang.program.cost import Cost
from tolang.program.measures import COMPARED, MEASURES
from tolang.program.shortening import Shortening
from tolang.readings.cost.formula import AtMost

if TYPE_CHECKING:
    from tolang.onnx.cost import ModelCost
    from tolang.program.amounts import Amount

Breakdown = tuple[tuple[ReportTable, ...], tuple[Tree, ...], list[Point]]
"""Tables, ways to divide the whole, and parts with the bytes that they move."""

CHOSEN = 64
"""The value of sizes that are not given, so that there are figures to draw."""
MOST_POINTS = 12
"""The roofline shows the parts that take longest at its peaks, no more than this."""
_MEASURES = (MEASURES[0], *COMPARED, *MEASURES[1:])


@room_to_nest()
def report_of(symbolic: Cost, found: Cost, file: str, peaks: Peaks, over: Over | None = None) -> CostReport:
    """The report of a cost at the sizes of `found`; sizes that these leave open are chosen, and told."""
    here, chosen = at_all_sizes(found)
    short = Shortening(symbolic)
    totals = _totals(symbolic, here, short)
    is_model = hasattr(here, "by_node")
    tables, trees, points = _of_model(symbolic, here, short) if is_model else _of_program(symbolic, here, short)
    whole = _whole(here)
    scaling = default_scaling(symbolic, here, chosen, over)
    roofline = None
    if whole is not None:
        parts = [one for one in points if (one.eops, one.bytes) != (whole.eops, whole.bytes)]
        largest = sorted(parts, key=lambda one: -_time(one, peaks))[:MOST_POINTS]
        roofline = Roofline(peaks.flops, peaks.bandwidth, peaks.origin, (whole, *largest))
    unknowns = [f"{name}: {one}" for name, one in symbolic.unknowns.items()]
    if here.at_most:
        unknowns.append(f"upper bounds, not exact: {', '.join(here.at_most)}")
    cut = ("… stands for the rest of a long formula; tol cost --json has it whole",) if short.was_cut else ()
    fixed = () if scaling else ("the program has no sizes: its cost is one number, and there is nothing to scale",)
    meanings = {name: short.cut(meaning) for name, meaning in short.meanings.items()}
    return CostReport(
        found.name, file, VERSION, found.given, chosen, _bound(whole, peaks), totals, meanings,
        tables, trees, roofline, scaling, (*unknowns, *cut, *fixed),
    )  # fmt: skip


def at_all_sizes(found: Cost) -> tuple[Cost, dict[str, int]]:
    """The cost as numbers: at the sizes given, and at a chosen value for each that is not; and what was chosen."""
    chosen: dict[str, int] = {}
    here = found
    while opened := _open_names(here) - chosen.keys():
        chosen |= dict.fromkeys([name for name in found.core.sizes if name in opened], CHOSEN)
        chosen |= dict.fromkeys(sorted(opened - chosen.keys()), CHOSEN)
        here = found.at(**chosen)
    return here, chosen


def _open_names(cost: Cost) -> set[str]:
    amounts = [getattr(cost, one.name) for one in _MEASURES]
    return {name for one in amounts if not isinstance(one, int) for name in one.names()}


def _whole(here: Cost) -> Point | None:
    eops, read, written = here.eops, here.bytes_read, here.bytes_written
    if not (isinstance(eops, int) and isinstance(read, int) and isinstance(written, int)):
        return None
    return Point("the whole", eops, read + written) if eops > 0 and read + written > 0 else None


def _time(part: Point, peaks: Peaks) -> int:
    """How long a part takes at least, in units that all parts share."""
    return max(part.eops * int(peaks.bandwidth), part.bytes * int(peaks.flops))


def _bound(whole: Point | None, peaks: Peaks) -> str:
    """What bounds the whole on a machine of these peaks."""
    if whole is None:
        return ""
    return "arithmetic" if whole.eops * int(peaks.bandwidth) >= whole.bytes * int(peaks.flops) else "memory"


def default_scaling(symbolic: Cost, here: Cost, chosen: Mapping[str, int], over: Over | None) -> Scaling | None:
    """The curves asked for, or those over the first size, of those not given if there are such; None without any."""
    sizes = {**here.given, **chosen}
    if over is None:
        names = [*chosen, *(name for name in symbolic.core.sizes if name in _open_names(symbolic))]
        if not names:
            return None
        over = Over(names[0], last=max(4096, 4 * sizes.get(names[0], 1)))
    return scaling_of(symbolic, over, sizes)


def _totals(symbolic: Cost, here: Cost, short: Shortening) -> tuple[ReportTotal, ...]:
    found = []
    for one in _MEASURES:
        formula, value = short.text(getattr(symbolic, one.name)), getattr(here, one.name)
        label = f"{one.label}, at most" if isinstance(value, AtMost) else one.label
        found.append(ReportTotal(label, ColumnKind.of(one.unit), formula, _number(value), one.meaning))
    ratio = _ratio(here.intensity.eops, here.intensity.bytes)
    meaning = "for each byte that must be read or written"
    label = "EOPs a byte, at most" if here.intensity.is_bound else "EOPs a byte"
    return (*found, ReportTotal(label, ColumnKind.ratio, short.quotient(symbolic.intensity), ratio, meaning))


def _number(amount: Amount | None) -> int | None:
    return int(amount) if isinstance(amount, int) else None


def _ratio(eops: Amount, moved: Amount | None) -> float | None:
    """EOPs a byte; None without bytes, and where no float is as large."""
    if not isinstance(eops, int) or not isinstance(moved, int) or not moved:
        return None
    try:
        return eops / moved
    except OverflowError:
        return None


def _of_program(symbolic: Cost, here: Cost, short: Shortening) -> Breakdown:
    sites = Sites(here)
    total = _number(here.eops) or 0
    trees = (Tree("calls", sites.branch("the whole", total)),) if total else ()
    points = sites.points()
    return (_by_definition(symbolic, here, short), _by_function(symbolic, here, short)), trees, points


def _by_function(symbolic: Cost, here: Cost, short: Shortening) -> ReportTable:
    columns = (
        ReportColumn("function", ColumnKind.text),
        ReportColumn("EOPs", ColumnKind.number, True),
        ReportColumn("formula", ColumnKind.formula),
    )
    figures = here.by_function
    rows = ((name, _number(figures.get(name, 0)), short.text(one)) for name, one in symbolic.by_function.items())
    return ReportTable("by function", columns, tuple(rows))


def _by_definition(symbolic: Cost, here: Cost, short: Shortening) -> ReportTable:
    columns = (
        ReportColumn("definition", ColumnKind.text),
        ReportColumn("evaluated", ColumnKind.number),
        ReportColumn("EOPs", ColumnKind.number, True),
        ReportColumn("own EOPs", ColumnKind.number, True),
        ReportColumn("EOPs, formula", ColumnKind.formula),
        ReportColumn("own, formula", ColumnKind.formula),
    )
    figures = here.by_definition
    rows = []
    for name, one in symbolic.by_definition.items():
        at = figures.get(name)
        numbers = (None, None, None) if at is None else tuple(_number(x) for x in (at.evaluations, at.eops, at.own))
        rows.append((name, *numbers, short.text(one.eops), short.text(one.own)))
    remark = "EOPs are those of a definition with all that it calls, own EOPs those of its own text."
    return ReportTable("by definition", columns, tuple(rows), remark)


def _of_model(symbolic: Any, here: Any, short: Shortening) -> Breakdown:
    costs = here.by_node()
    moved = node_bytes(here.core, here.given, here.nodes)
    points = [
        Point(one.name, one.eops, size)
        for one, size in zip(costs, moved, strict=True)
        if isinstance(one.eops, int) and one.eops and size
    ]
    tables = (
        _by_node(symbolic, costs, moved, short),
        _by_operator(symbolic, here, short),
        _by_function(symbolic, here, short),
        _by_definition(symbolic, here, short),
    )
    return tables, tuple(_trees(here, costs)), points


def _formulas(costs: list[Any], short: Shortening) -> list[str] | None:
    """The formulas of a model's parts; None where all of them are numbers."""
    if all(isinstance(one.eops, int) for one in costs):
        return None
    return [short.text(one.eops) for one in costs]


def _by_node(symbolic: ModelCost, costs: list[Any], moved: list[int | None], short: Shortening) -> ReportTable:
    formulas = _formulas(symbolic.by_node(), short)
    columns = [
        ReportColumn("node", ColumnKind.text), ReportColumn("operator", ColumnKind.text),
        ReportColumn("EOPs", ColumnKind.number, True), ReportColumn("MACs", ColumnKind.number),
        ReportColumn("FLOPs", ColumnKind.number), ReportColumn("bytes", ColumnKind.bytes),
        ReportColumn("EOPs a byte", ColumnKind.ratio),
    ]  # fmt: skip
    rows: list[tuple[Any, ...]] = []
    for one, size in zip(costs, moved, strict=True):
        counts = map(_number, (one.eops, one.macs, one.flops))
        rows.append((one.name, one.operator, *counts, size, _ratio(one.eops, size)))
    if formulas is not None:
        columns.append(ReportColumn("formula", ColumnKind.formula))
        rows = [(*row, formula) for row, formula in zip(rows, formulas, strict=True)]
    remark = "Bytes are those of a node's operands and results, each whole and once."
    return ReportTable("by node", tuple(columns), tuple(rows), remark)


def _by_operator(symbolic: ModelCost, here: ModelCost, short: Shortening) -> ReportTable:
    formulas = _formulas(symbolic.by_operator(), short)
    columns = [
        ReportColumn("operator", ColumnKind.text), ReportColumn("nodes", ColumnKind.number),
        ReportColumn("EOPs", ColumnKind.number, True), ReportColumn("MACs", ColumnKind.number),
        ReportColumn("FLOPs", ColumnKind.number),
    ]  # fmt: skip
    rows: list[tuple[Any, ...]] = [
        (one.operator, one.nodes, *map(_number, (one.eops, one.macs, one.flops))) for one in here.by_operator()
    ]
    if formulas is not None:
        columns.append(ReportColumn("formula", ColumnKind.formula))
        rows = [(*row, formula) for row, formula in zip(rows, formulas, strict=True)]
    return ReportTable("by operator", tuple(columns), tuple(rows))


def _trees(here: ModelCost, costs: list[Any]) -> list[Tree]:
    """Nodes by operator, and by the folders of their names where these have some."""
    total = _number(here.eops)
    known = [one for one in costs if isinstance(one.eops, int) and one.eops]
    if not total or not known:
        return []
    leaves = [(one.name, one.operator, one.eops, _functions(one)) for one in known]
    found = [Tree("by operator", _grouped("the whole", total, leaves, lambda name, operator: (operator,)))]
    if sum("/" in name.strip("/") for name, *_ in leaves) * 2 > len(leaves):
        parts = _grouped("the whole", total, leaves, lambda name, _: tuple(name.strip("/").split("/")[:-1]))
        found.insert(0, Tree("by name", parts))
    return found


def _functions(one: Any) -> tuple[CostBranch, ...]:
    counts = ((name, count) for name, count in one.by_function.items() if isinstance(count, int))
    return tuple(CostBranch(name, f"function {name}", count) for name, count in counts)


def _grouped(
    name: str, total: int, leaves: list[tuple[str, str, int, tuple[CostBranch, ...]]],
    path: Callable[[str, str], tuple[str, ...]],
) -> CostBranch:  # fmt: skip
    """A tree of groups of nodes; a group inside which there is only one other is drawn as one with it."""
    root: dict[Any, Any] = {}
    for label, operator, eops, parts in leaves:
        group = root
        for step in path(label, operator):
            group = group.setdefault(("group", step), {})
        group[("leaf", len(group))] = CostBranch(label.strip("/").split("/")[-1] or label, operator, eops, parts)
    return CostBranch(name, "", total, _branches(root, by_operator=path("", "x") == ("x",)))


def _branches(group: dict[Any, Any], by_operator: bool) -> tuple[CostBranch, ...]:
    found = []
    for (_, name), inside in group.items():
        if isinstance(inside, CostBranch):
            found.append(inside)
            continue
        label = name
        while len(inside) == 1 and isinstance(next(iter(inside.values())), dict):
            (_, step), inside = next(iter(inside.items()))
            label = f"{label}/{step}"
        parts = _branches(inside, by_operator)
        found.append(CostBranch(label, name if by_operator else "", sum(one.value for one in parts), parts))
    return tuple(found)
