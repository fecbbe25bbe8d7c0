"""What a plan does, computation by computation: at how many coordinates, how in each case, and from which places.

One computation may stand in a plan several times, under conditions on lengths that decide how it runs: here it is one,
with a table of cases.  Places are those that scalars and buffers carry; nothing is told from names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.plan.kinds import (
    EARLY_EXIT,
    ELEMENTWISE,
    FOLDS,
    IN_ORDER,
    IN_SHORT,
    SMALL_NUMBERS,
    groups_in,
    kind_of,
)
from tolang.plan.nest import (
    Allocate,
    Assign,
    Bind,
    Branch,
    Draw,
    Each,
    Group,
    Load,
    Nest,
    Operation,
    Plan,
    Reduction,
    Repeat,
    Scalar,
    Select,
    SourcePlaceholder,
    Step,
)
from tolang.plan.schedule import ScanSchedule, Tiled, shares_steps
from tolang.plan.traversal import (
    bound_names,
    inner_steps,
    nodes_inside,
    read_buffers,
    scalars_in,
    volume,
    written_buffers,
)
from tolang.schedule.description import readable

ALONE, STEPWISE = "a single number", "one number in each step"
"""Computations that have no dimensions."""
DATA, LENGTHS = "depending on data", "depending on lengths"
"""Conditions that only running tells."""
UNKNOWN = "…"
"""A length that only running tells, or that takes long to write."""
LONGEST = 24
"""Characters of a length that is written."""
FEW_STEPS = 64
"""So many steps one after the other are nothing to tell of."""


Conditions = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """How something runs where all of some conditions hold, or all of others; with none of either, anywhere else.

    Of several cases the first that holds is taken.
    """

    conditions: tuple[Conditions, ...]
    how: str


@dataclass(slots=True)
class Computation:
    """Something that a plan computes.

    It is written at the place `main`, what else is computed in it at `others`; its value is stored as that of `held`.
    A `reason` says why its steps run one after the other, where they are many; `kind` is that of the first schedule.
    """

    lengths: tuple[str, ...]
    main: Span | None
    others: frozenset[Span] = frozenset()
    held: Span | None = None
    kind: str = ""
    cases: list[Case] = field(default_factory=list)
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _EnclosingSteps:
    """What a step is inside of."""

    conditions: Conditions = ()
    rows: tuple[tuple[str, Size], ...] = ()
    one_thread: bool = False
    repeated: bool = False


def summarised(plan: Plan) -> list[Computation]:
    """The computations of a plan, in its order."""
    reader = _SummaryReader(plan)
    reader.steps(plan.steps, _EnclosingSteps())
    return list(reader.found.values())


class _SummaryReader:
    """Goes over a plan; `found` has its computations by what tells them apart."""

    def __init__(self, plan: Plan) -> None:
        self.found: dict[object, Computation] = {}
        self.names = {name: Size.of(name) for name in plan.sizes}
        self.kept: dict[str, Span | None] = {}
        for step in plan.steps:
            for one in nodes_inside(step):
                match one:
                    case Bind(name=name, value=Load(buffer=buffer, indices=())):
                        self.names[name] = Size.of(buffer.name.rpartition(".")[0])
                    case Bind(name=name, value=value) | Assign(name=name, value=value):
                        self.kept[name] = _place(value.span) or self.kept.get(name)

    def steps(self, steps: Iterable[Step], around: _EnclosingSteps) -> None:
        for step in steps:
            self.step(step, around)

    def step(self, step: Step, around: _EnclosingSteps) -> None:
        match step:
            case Nest(schedule=schedule) if schedule is not None:
                for case in step.cases:
                    inside = replace(around, conditions=(*around.conditions, self.condition(case.condition)))
                    self.nest(replace(step, schedule=case.schedule), inside)
                self.nest(step, around)
            case Repeat(schedule=schedule, steps=inner) if schedule is not None:
                if kind_of(step) != IN_ORDER or _carries(step):
                    self.repeat(step, around)
                alone = around.one_thread or shares_steps(schedule)
                self.steps(inner, replace(around, one_thread=alone, repeated=True))
            case Each(iterators=iterators, extents=extents, steps=inner):
                alone = around.one_thread or bool(iterators)
                rows = (*around.rows, *zip(iterators, extents, strict=True))
                self.steps(inner, replace(around, rows=rows, one_thread=alone))
            case Branch(guard=guard, then=then, otherwise=otherwise):
                condition = DATA if guard is None else self.condition(guard)
                self.steps(then, replace(around, conditions=(*around.conditions, condition)))
                self.steps(otherwise, around)
            case Bind(value=value) | Assign(value=value):
                folds = groups_in((value,))
                if folds:
                    how = f"fold over {self.lengths_text(folds[0].extents)}, {_fold_words(folds)}{_by_rows(around)}"
                    lengths = tuple(extent for _, extent in around.rows)
                    made = self.note(("bind", step.name), lengths, (value,), None, _case(around, how))
                    made.reason = "" if lengths else _in_order((value,))

    def nest(self, nest: Nest, around: _EnclosingSteps) -> None:
        """A nest: what it stores, and at which coordinates."""
        buffer = nest.targets[0][0]
        threaded = ", threaded" if nest.iterators and not around.one_thread else _by_rows(around)
        lengths = self.lengths_of(nest, around)
        values = tuple(_signature(one) for one in nest.values)
        key = (tuple((one.name, at) for one, at in nest.targets), nest.extents, values)
        how = f"{self.words(nest)}{threaded}"
        if kind_of(nest) == ELEMENTWISE and not nest.iterators and not around.rows:
            lengths, how = (), STEPWISE if around.repeated else ALONE
        case = _case(around, how)
        self.note(key, lengths, nest.values, _place(buffer.span), case)

    def lengths_of(self, nest: Nest, around: _EnclosingSteps) -> tuple[Size, ...]:
        """The shape of what a nest is a part of, where it is told by sizes of the program; else of the nest."""
        buffer, at = nest.targets[0]
        used = frozenset[str]().union(*(index.names() for index in at))
        rows = tuple(extent for name, extent in around.rows if name not in used)
        whole = (*rows, *buffer.shape)
        if all(size.names() <= self.names.keys() for size in whole):
            return whole
        return (*(extent for _, extent in around.rows), *nest.extents)

    def repeat(self, repeat: Repeat, around: _EnclosingSteps) -> None:
        """A repetition, which is written where the state is that it changes."""
        states = [_place(old.span) for old, _ in repeat.exchanges]
        states += [self.kept.get(name) for name in _changed(repeat.steps)]
        own = {one.buffer.name for one in nodes_inside(repeat) if isinstance(one, Allocate)}
        for one in nodes_inside(repeat):
            if isinstance(one, Nest):
                states += [_place(buffer.span) for buffer, _ in one.targets if buffer.name not in own]
        place = next((one for one in states if one is not None), None)
        turns = self.lengths_text(repeat.extents)
        made = self.note((id(repeat),), (), (), place, _case(around, _repeat_words(repeat, turns)))
        few = volume(repeat.extents)
        made.kind = kind_of(repeat)
        alone = not shares_steps(repeat.schedule) and not _has_loops(repeat)
        if alone and not around.rows and (few is None or few > FEW_STEPS):
            made.reason = "each step needs what the one before it left"

    def note(
        self, key: object, lengths: tuple[Size, ...], values: tuple[Scalar, ...], held: Span | None, case: Case
    ) -> Computation:
        """A computation, or one more case of it."""
        if key not in self.found:
            main, others = _written(values, held)
            made = Computation(tuple(map(self.length, lengths)), main, others, held)
            made.reason = "" if lengths else _in_order(values)
            self.found[key] = made
        found = self.found[key]
        found.cases = _with_case(found.cases, case)
        return found

    def words(self, nest: Nest) -> str:
        """A schedule in few words, and its fallback."""
        folds, kind = groups_in(nest.values), kind_of(nest)
        before, after = IN_SHORT[kind]
        over = f" over {self.lengths_text(folds[0].extents)}" if folds and before else ""
        inner = f", {_fold_words(folds)}" if kind == FOLDS and folds else ""
        text = f"{before}{over}{after}{inner}"
        if not isinstance(nest.schedule, Tiled) or nest.schedule.fallback is None:
            return text
        return f"{text} ({SMALL_NUMBERS}; else {self.words(replace(nest, schedule=nest.schedule.fallback))})"

    def length(self, size: Size) -> str:
        """A length in the names of the program; what has others is a part of what it has names of."""
        named = size.substitute(self.names)
        own = sorted(name for name in size.names() if name in self.names)
        text = str(named) if len(own) == len(size.names()) else UNKNOWN
        if len(own) == 1 and (text == UNKNOWN or len(text) > LONGEST):
            return f"part of {own[0]}" if text == UNKNOWN else UNKNOWN
        return text if len(text) <= LONGEST else UNKNOWN

    def lengths_text(self, sizes: Iterable[Size]) -> str:
        """Lengths of dimensions that are gone over together."""
        texts = [self.length(one) for one in sizes]
        return "some" if UNKNOWN in texts else " x ".join(texts) or "1"

    def condition(self, condition: Condition) -> str:
        """A condition in the names of the program, where it has no others."""
        if not condition.names() <= self.names.keys():
            return LENGTHS
        return readable(condition.substitute(self.names))


def _case(around: _EnclosingSteps, how: str) -> Case:
    return Case((tuple(dict.fromkeys(around.conditions)),) if around.conditions else (), how)


def _with_case(cases: list[Case], case: Case) -> list[Case]:
    """Cases and a further one, which is left out where the others leave nothing to it, or joined with the last."""
    earlier = [frozenset(one) for before in cases for one in before.conditions]
    left = tuple(one for one in case.conditions if not any(before <= frozenset(one) for before in earlier))
    if case.conditions and not left:
        return cases
    case = Case(left, case.how)
    if not cases or cases[-1].how != case.how:
        return [*cases, case]
    together = (*cases[-1].conditions, *left) if cases[-1].conditions and left else ()
    needed = tuple(one for one in together if not any(set(other) < set(one) for other in together))
    return [*cases[:-1], Case(needed, case.how)]


def _written(values: tuple[Scalar, ...], held: Span | None) -> tuple[Span | None, frozenset[Span]]:
    """Where values are written: the outermost fold or function, of a copy what it makes; and all that is computed."""
    folds, functions, places = list[Span](), list[Span](), set[Span]()
    for value in values:
        for one in scalars_in(value):
            place = _place(one.span)
            if place is None:
                continue
            if isinstance(one, Reduction):
                folds.append(place)
            if isinstance(one, Reduction | Operation | Select | Draw):
                functions.append(place)
                places.add(place)
    rest = [place for value in values for one in scalars_in(value) if (place := _place(one.span)) is not None]
    made = [held] if held is not None else []
    main = next(iter((*folds, *functions, *made, *rest)), None)
    return main, frozenset(places)


def _place(span: Span | SourcePlaceholder | None) -> Span | None:
    return span if isinstance(span, Span) else None


def _signature(scalar: Scalar) -> str:
    from tolang.plan.printer import signature

    return signature(scalar)


def _fold_words(folds: list[Group]) -> str:
    names = [kind_of(group) for group in folds if group.schedule is not None]
    return "; ".join(dict.fromkeys(IN_SHORT[name][1] for name in names))


def _repeat_words(repeat: Repeat, turns: str) -> str:
    before, after = IN_SHORT[kind_of(repeat)]
    if isinstance(repeat.schedule, ScanSchedule):
        after = ", in blocks on all threads" if repeat.schedule.block else ", one step after the other"
    return f"{before} over {turns}{after}" if before else f"repeats {turns} times, {after}"


def _in_order(values: tuple[Scalar, ...]) -> str:
    """Why a fold runs step after step, where it is one of many steps."""
    for group in groups_in(values):
        few = volume(group.extents)
        many = few is None or few > FEW_STEPS
        if many and kind_of(group) in (IN_ORDER, EARLY_EXIT):
            return "the function of this fold may not be regrouped"
    return ""


def _by_rows(around: _EnclosingSteps) -> str:
    """How rows around a computation run."""
    return (", row by row" + (", threaded" if around.one_thread else "")) if around.rows else ""


def _carries(repeat: Repeat) -> bool:
    """Whether steps of a repetition need what those before them left, beside memory that each step has for itself."""
    own = {one.buffer.name for one in nodes_inside(repeat) if isinstance(one, Allocate)}
    kept = (written_buffers(repeat) & read_buffers(repeat)) - own
    return bool(kept) or bool(bound_names(repeat))


def _changed(steps: tuple[Step, ...]) -> Iterator[str]:
    """Names that steps change, at any depth."""
    for step in steps:
        if isinstance(step, Assign):
            yield step.name
        yield from _changed(inner_steps(step))


def _has_loops(repeat: Repeat) -> bool:
    """Whether the steps of a repetition are loops, which are run as such."""
    inside = [one for step in repeat.steps for one in nodes_inside(step)]
    return any(isinstance(one, Nest | Each | Repeat) and one.iterators for one in inside) or any(
        isinstance(one, Reduction) for one in inside
    )
