"""The cost of a checked program, read from its core: EOPs, bytes, memory and span, each when it is asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property

from tolang.core.core import Core
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.ground.symbolic.sums import normalised
from tolang.ground.system.recursion import room_to_nest
from tolang.readings.cost.assumptions import assumptions
from tolang.readings.cost.counting import BodyCounter, CountingContext
from tolang.readings.cost.derivation import derive, derived_blocks
from tolang.readings.cost.memory import read_memory
from tolang.readings.cost.names import BodyNames, UnknownNumber
from tolang.readings.cost.refusals import Check, refusals
from tolang.readings.cost.span import read_span
from tolang.readings.cost.tally import Tally
from tolang.readings.cost.terms import Term


class Reading:
    """One program at given sizes, which may be some of them or none."""

    def __init__(self, program: Core, given: Mapping[str, int] | None = None) -> None:
        self.program = program
        self.given = {name: Size.of(value) for name, value in (given or {}).items()}
        self._calls: dict[int, int] = {}
        self.unknowns: dict[str, UnknownNumber] = {}

    @property
    def unknowns_of_counting(self) -> dict[str, UnknownNumber]:
        """Lengths that running tells, which the EOPs depend on."""
        return self._mentioned(*self.tally.functions.values())

    @property
    def unknowns_of_memory(self) -> dict[str, UnknownNumber]:
        return self._mentioned(*self.memory)

    @property
    def unknowns_of_span(self) -> dict[str, UnknownNumber]:
        return self._mentioned(self.span)

    def _mentioned(self, *sizes: Size) -> dict[str, UnknownNumber]:
        """The unknowns that sizes mention, and those that their bounds mention."""
        found: dict[str, UnknownNumber] = {}
        pending = [name for size in sizes for name in sorted(size.names())]
        while pending:
            name = pending.pop(0)
            if name in self.unknowns and name not in found:
                one = found[name] = self.unknowns[name]
                pending += sorted(one.least.names() | (one.greatest.names() if one.greatest is not None else set()))
        return found

    def names(self) -> BodyNames:
        numerics = [one for one in self.program.inputs if one.type.is_numeric]
        certain = {*self.program.sizes, *(one.name for one in numerics)}
        plain = [one.name for one in self.program.inputs if not one.type.shape]
        names = BodyNames(self.program.bounds, certain, self.given, plain, self._calls)
        for one in numerics:
            ends = (None if end is None else Size.of(math.floor(end)) for end in one.type.column.space.limits)
            names.ranges.declare(one.name, *ends)
        return names

    @room_to_nest()
    def blocks(self, title: str | None = None) -> list[tuple[str, Term]]:
        """The definitions that cost something, each with the first term of its derivation."""
        return derived_blocks(self.program, self.names(), self._counted(), title)

    @room_to_nest()
    def derivation(self, title: str | None, naming: Mapping[str, str]) -> str:
        """The EOPs step by step; `naming` says what unknowns are called."""
        return derive(self.blocks(title), title, naming)

    def _counted(self) -> BodyCounter:
        assert self.tally is not None
        return self.counter

    @cached_property
    def counter(self) -> BodyCounter:
        return BodyCounter(self.names(), CountingContext(self.program.definitions, self.program.auxiliary))

    @cached_property
    def tally(self) -> Tally:
        """EOPs by function and by definition."""
        return self._tallies[0]

    @property
    def outermost(self) -> dict[str, Tally]:
        """What each of the program's outermost definitions contributes, with everything it calls."""
        return self._tallies[1]

    @cached_property
    @room_to_nest()
    def _tallies(self) -> tuple[Tally, dict[str, Tally]]:
        total, outermost = self.counter.count_program(self.program.body)
        self.unknowns.update(self.counter.names.unknowns)
        return total.changed(normalised), {name: one.changed(normalised) for name, one in outermost.items()}

    @cached_property
    @room_to_nest()
    def memory(self) -> tuple[Size, Size, Size]:
        """Bytes read, bytes written, and bytes held at the peak."""
        names = self.names()
        read, written, peak = read_memory(self.program, names)
        self.unknowns.update(names.unknowns)
        return normalised(read), normalised(written), normalised(peak)

    @cached_property
    def checks(self) -> list[Check]:
        """What the program asks of its sizes, in the order in which a run would ask it."""
        return refusals(self.program, self.names())

    @cached_property
    def assumed(self) -> list[Condition]:
        """What the program assumes of its sizes, as far as it is seen before a run."""
        return assumptions(self.program, self.names())

    @cached_property
    def span(self) -> Size:
        """The longest chain of dependent functions."""
        names = self.names()
        found = read_span(self.program, names, self._counted())
        self.unknowns.update(names.unknowns)
        return normalised(found)
