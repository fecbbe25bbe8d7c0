"""How a cost grows over one size, from its exact formulas."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from tolang.faces.report.content import ColumnKind, Scaling, Series
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.reporting.faults import LARGEST_VOLUME
from tolang.ground.reporting.whole_numbers import whole_number
from tolang.program.amounts import Amount, degree
from tolang.program.cost import Cost
from tolang.program.measures import MEASURES
from tolang.readings.cost.formula import AtMost

POINTS = 33
FIRST, LAST = 1, 4096
_OVER = re.compile(r"([A-Za-z_]\w*)(?:=([0-9]+):([0-9]+))?")


@dataclass(frozen=True, slots=True)
class Over:
    """The size to scale, and from where to where."""

    size: str
    first: int = FIRST
    last: int = LAST

    @classmethod
    def of(cls, text: str) -> Over:
        """What `--over` was given: `n`, or `n=1:4096`."""
        found = _OVER.fullmatch(text.strip())
        if found is None:
            raise usage("E605", "--over is not a range of a size", found=text, expected="n=1:4096, or n")
        if found[2] is None:
            return cls(found[1])
        first, last = whole_number(found[2]), whole_number(found[3])
        if first is None or last is None or not 1 <= first < last <= LARGEST_VOLUME:
            expected = "from 1 on, upwards, to 2^63-1 at most: n=1:4096"
            raise usage("E605", "--over is not a range of a size", found=text, expected=expected)
        return cls(found[1], first, last)

    def sizes(self) -> tuple[int, ...]:
        """Whole numbers from the first to the last, by equal factors."""
        low, high = math.log(self.first), math.log(self.last)
        between = (math.exp(low + (high - low) * step / (POINTS - 1)) for step in range(1, POINTS - 1))
        inside = {min(max(round(one), self.first), self.last) for one in between}
        return tuple(sorted({self.first, *inside, self.last}))


def scaling_of(symbolic: Cost, over: Over, others: Mapping[str, int]) -> Scaling:
    """The measures over a size, with all other sizes at given values."""
    known = [*symbolic.core.sizes, *symbolic.unknowns]
    if over.size not in known and over.size not in {name for one in MEASURES for name in _names(symbolic, one.name)}:
        wanted = ", ".join(known) or "none: the program has no sizes"
        raise usage("E603", f"the program has no size {over.size}", expected=wanted)
    held = {name: value for name, value in others.items() if name != over.size}
    rest = {name: value for name, value in held.items() if name not in symbolic.given}
    cost = symbolic.at(**rest) if rest else symbolic
    sizes = over.sizes()
    series = []
    for one in sorted(MEASURES, key=lambda one: one.unit == "bytes"):
        values = _values(cost, one.name, over.size, sizes)
        label = f"{one.label}, at most" if any(isinstance(value, AtMost) for value in values) else one.label
        series.append(Series(label, ColumnKind.of(one.unit), values, _growth(cost, one.name, over.size)))
    return Scaling(over.size, sizes, others.get(over.size), held, tuple(series))


def _names(cost: Cost, measure: str) -> frozenset[str]:
    amount = getattr(cost, measure)
    return frozenset() if isinstance(amount, int) else amount.names()


def _values(cost: Cost, measure: str, size: str, sizes: tuple[int, ...]) -> tuple[int | None, ...]:
    """One measure at each size; None where the program is refused there, as below a window's length."""
    amount = getattr(cost, measure)
    found: list[int | None] = []
    for value in sizes:
        figure = None
        if cost.refusal(**{size: value}) is None:
            figure = amount
            if not isinstance(amount, int):
                figure = amount(**{size: value}) if amount.names() == {size} else _measured(cost, measure, size, value)
        found.append(figure if isinstance(figure, int) else None)
    return tuple(found)


def _measured(cost: Cost, measure: str, size: str, value: int) -> Amount:
    found: Amount = getattr(cost.at(**{size: value}), measure)
    return found


def _growth(cost: Cost, measure: str, size: str) -> str:
    """The power of the size that a measure grows with; nothing where other names stand in its formula."""
    amount = getattr(cost, measure)
    if isinstance(amount, int):
        return "constant"
    power = degree(amount) if amount.names() == {size} else None
    return {None: "", 0: "constant", 1: size}.get(power, f"{size}^{power}")
