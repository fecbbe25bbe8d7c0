"""What a report says, as plain data: the page is drawn from this and from nothing else.

Counts are exact whole numbers of any length.  They are handed on as text, for a number of JavaScript keeps 16 digits.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.escaping import visible, visible_lines


class ColumnKind(StrEnum):
    """What a column of a table, or a total, holds."""

    text = "text"
    formula = "formula"
    number = "count"
    bytes = "bytes"
    ratio = "ratio"

    @classmethod
    def of(cls, unit: str) -> ColumnKind:
        """How amounts in a unit are written."""
        return cls.bytes if unit == "bytes" else cls.number


Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class ReportTotal:
    """One measure of the whole: as a formula, and at the report's sizes where nothing else is open."""

    name: str
    kind: ColumnKind
    formula: str
    value: int | float | None
    meaning: str


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """A column: `measure` tells that its shares of the whole are drawn as bars."""

    name: str
    kind: ColumnKind
    measure: bool = False


@dataclass(frozen=True, slots=True)
class ReportTable:
    """One breakdown, a row for each part."""

    name: str
    columns: tuple[ReportColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    remark: str = ""


@dataclass(frozen=True, slots=True)
class CostBranch:
    """A part of the whole, its EOPs, and its own parts; `kind` decides its colour."""

    name: str
    kind: str
    value: int
    parts: tuple[CostBranch, ...] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """One way to divide the whole into parts of parts."""

    name: str
    root: CostBranch


@dataclass(frozen=True, slots=True)
class Point:
    """A part on the roofline: its EOPs, and the bytes of its operands and results."""

    name: str
    eops: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Roofline:
    """What a machine with these peaks, functions and bytes a second, could reach; the first point is the whole."""

    flops: float
    bandwidth: float
    origin: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """One measure at each of the sizes, and how it grows at the end of them."""

    name: str
    kind: ColumnKind
    values: tuple[int | None, ...]
    growth: str


@dataclass(frozen=True, slots=True)
class Scaling:
    """Measures over one size, the others held."""

    size: str
    sizes: tuple[int, ...]
    here: int | None
    held: dict[str, int]
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class CostReport:
    """Everything on the page."""

    title: str
    file: str
    version: str
    given: dict[str, int]
    chosen: dict[str, int]
    bound: str
    totals: tuple[ReportTotal, ...]
    meanings: dict[str, str]
    tables: tuple[ReportTable, ...]
    trees: tuple[Tree, ...]
    roofline: Roofline | None
    scaling: Scaling | None
    remarks: tuple[str, ...] = ()

    def data(self) -> dict[str, Any]:
        """The report as plain data for JSON."""
        return {name: _data(getattr(self, name)) for name in self.__slots__}


def _data(value: Any) -> Any:
    """Plain data: whole numbers as text, records as objects, tuples as lists."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str):
        return visible_lines(value)
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, tuple):
        return [_data(one) for one in value]
    if isinstance(value, dict):
        return {visible(name): _data(one) for name, one in value.items()}
    if hasattr(value, "__slots__"):
        return {name: _data(getattr(value, name)) for name in value.__slots__}
    return value
