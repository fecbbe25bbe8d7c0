"""How a program runs, in a line for each of its definitions, with what is slow or interpreted first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain
from textwrap import wrap

from tolang.ground.dataclasses import dataclass, field
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.values.markup import markup
from tolang.program.definitions import DefinitionFinder, DefinitionPlace
from tolang.schedule.summary import ALONE, DATA, LENGTHS, STEPWISE, Case, Computation

_CALLED = re.compile(r"([A-Za-z_][\w.]*)\(")
MOST = 4
"""So many computations of one definition are told."""
NARROW, NAMES, SHAPES = 40, 24, 28
"""The least width of the last column, and the greatest of those before it that others are put in line with."""


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """What a summary says of a definition, of one of its computations, or of one case of that."""

    name: str
    shape: str
    how: str


class Explanation:
    """How a program runs: shown as a line for each definition, with all of the plan in `full`."""

    def __init__(
        self,
        notes: Sequence[str],
        lines: Sequence[SummaryLine],
        full: Callable[[], str],
        more: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.notes, self.lines, self.more = tuple(notes), tuple(lines), tuple(more)
        self._full = full

    def with_more(self, title: str, text: str, first: bool = False) -> Explanation:
        """The same with a further part, which the whole plan has, too: as its first or its last."""
        part = f"== {title} ==\n{text}\n"

        def full() -> str:
            return f"{part}\n{self.full}" if first else f"{self.full}\n{part}"

        return Explanation(self.notes, self.lines, full, (*self.more, (title, text)))

    @cached_property
    def full(self) -> str:
        """The core, the plan with the strategy of every nest, the passes that made it, and the strategies in words."""
        return self._full()

    def text(self, width: int | None = None) -> str:
        """The summary, in lines that are no longer than a width, if there is one."""
        first = min(NAMES, max((len(one.name) for one in self.lines), default=0))
        second = min(SHAPES, max((len(one.shape) for one in self.lines), default=0))
        told = list(chain.from_iterable(_wrapped(note, "  ", width) for note in self.notes))
        for one in self.lines:
            head = f"{one.name:<{first}}  {one.shape:<{second}}  " if second else f"{one.name:<{first}}  "
            indent = first + 2 + (second + 2 if second else 0)
            if width is not None and width - indent < NARROW:
                indent = 4
            told += _wrapped(f"{head}{one.how}", " " * indent, width)
        for title, text in self.more:
            told += [
                "",
                f"{title}:",
                *chain.from_iterable(_wrapped(f"  {one}", "    ", width) for one in text.split("\n")),
            ]
        return "\n".join(told) + "\n"

    def __str__(self) -> str:
        return self.text().removesuffix("\n")

    def __repr__(self) -> str:
        return f"{self.text()}(.full has the whole plan)"

    def _repr_html_(self) -> str:
        """The summary as notebooks show it."""
        return f"<pre>{markup(self.text())}</pre>"


def _wrapped(text: str, indent: str, width: int | None) -> list[str]:
    """A text in lines of a width, all but the first indented; its first columns stay in line."""
    if width is None or len(text) <= width:
        return [text.rstrip()]
    lines = wrap(
        text, max(width, len(indent) + 8), subsequent_indent=indent, drop_whitespace=True, break_on_hyphens=False
    )
    return [one.rstrip() for one in lines]


@dataclass(frozen=True, slots=True)
class ProgramFacts:
    """What is known of a program beside its plan: its definitions, which of them use which, and calls of libraries.

    Definitions are `used_by` others, and `made_of` functions.
    """

    definitions: list[DefinitionPlace]
    places: DefinitionFinder
    used_by: Mapping[DefinitionPlace, list[DefinitionPlace]]
    made_of: Mapping[DefinitionPlace, list[DefinitionPlace]]
    calls: Set[Span]


@dataclass(slots=True)
class DefinitionPlan:
    """What a plan has of a definition: its computations, and those of others that it is part of or computed with."""

    own: list[Computation] = field(default_factory=list)
    into: list[DefinitionPlace] = field(default_factory=list)
    beside: list[tuple[DefinitionPlace, Computation]] = field(default_factory=list)


def lines_of(
    known: ProgramFacts, computations: Iterable[Computation], interpreted: set[DefinitionPlace]
) -> list[SummaryLine]:
    """A line or more for each definition; `interpreted` are those not compiled."""
    told = {one: DefinitionPlan() for one in known.definitions}
    waiting: list[Computation] = []
    owner: DefinitionPlace | None = None
    for one in computations:
        main = known.places.definition(one.main)
        if main is None:
            waiting.append(one)
            continue
        told[main].own += [*waiting, one]
        waiting, owner = [], main
        for other in dict.fromkeys(map(known.places.definition, sorted(one.others, key=lambda place: place.start))):
            if other is not None and other != main and main not in told[other].into:
                told[other].into.append(main)
        held = known.places.definition(one.held)
        if held is not None and held != main:
            told[held].beside.append((main, one))
    if owner is not None:
        told[owner].own += waiting
    return [line for one in known.definitions for line in _lines(one, told[one], known, one in interpreted)]


def _lines(one: DefinitionPlace, told: DefinitionPlan, known: ProgramFacts, interpreted: bool) -> list[SummaryLine]:
    """What is told of one definition."""
    if interpreted:
        return [SummaryLine(one.name, "", "interpreted")]
    made_of = dict.fromkeys(other.name for other in known.made_of.get(one, []))
    if any(not _is_small(own) or own.others for own in told.own) or (told.own and not made_of):
        return _computed(one.name, told.own, known.calls)
    if told.beside:
        names = ", ".join(dict.fromkeys(main.name for main, _ in told.beside))
        return [SummaryLine(one.name, _shape(told.beside[-1][1]), f"computed with {names}")]
    if made_of and not told.into and not one.is_function:
        return [SummaryLine(one.name, "", f"computed by {', '.join(made_of)}")]
    into = told.into or known.used_by.get(one, [])
    if into:
        return [SummaryLine(one.name, "", f"fused into {', '.join(other.name for other in into)}")]
    called = "a function, which runs when it is called"
    return [SummaryLine(one.name, "", called if one.exported and one.is_function else "no step of its own")]


def _computed(name: str, own: list[Computation], calls: Set[Span]) -> list[SummaryLine]:
    """The computations of a definition, equal ones and the smallest left out, copies last."""
    known: dict[tuple[Case, ...], Computation] = {}
    for one in own:
        known.setdefault(tuple(one.cases), one)
    found = list(known.values())
    found = sorted([one for one in found if not _is_small(one)] or found, key=_is_elementwise)
    shown = found[:MOST]
    lines: list[SummaryLine] = []
    several = len({one.main for one in found}) > 1
    for one in shown:
        *others, last = one.cases
        lines.append(
            SummaryLine(
                "" if lines else name,
                _shape(one),
                _case(last, _call(one.main) if several and one.main in calls else ""),
            )
        )
        lines += [SummaryLine("", "", _case(case)) for case in others]
    left = len(found) - len(shown)
    if left:
        lines.append(SummaryLine("", "", f"and {left} more"))
    return lines


def _call(place: Span | None) -> str:
    """What is called at a place, where a call is all that is there."""
    found = None if place is None else _CALLED.match(place.text)
    return "" if found is None else found[1]


def _is_elementwise(one: Computation) -> bool:
    return all(case.how.startswith("elementwise") for case in one.cases)


def _is_small(one: Computation) -> bool:
    """Whether a computation is of single numbers, or was made for another without a place of its own."""
    return one.main is None or all(case.how in (ALONE, STEPWISE) for case in one.cases)


def _case(case: Case, called: str = "") -> str:
    """A case as `where n <= 3: how`; conditions that only running tells are not written out."""
    written = [[one for one in together if one not in (DATA, LENGTHS)] for together in case.conditions]
    known = " or ".join(dict.fromkeys(" and ".join(one) for one in written if one))
    unknown = dict.fromkeys(one for together in case.conditions for one in together if one in (DATA, LENGTHS))
    parts = [*([called] if called else []), *([f"where {known}"] if known else []), *unknown]
    return f"{', '.join(parts)}: {case.how}" if parts else case.how


def _shape(one: Computation) -> str:
    return f"[{', '.join(one.lengths)}]" if one.lengths else ""
