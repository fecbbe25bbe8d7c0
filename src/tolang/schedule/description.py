"""The schedules of a plan in words: one line or two for everything that computes."""

from __future__ import annotations

from collections.abc import Iterator

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import Condition
from tolang.idioms.contraction import Contraction, Dimensions, Phase, contraction_of
from tolang.idioms.dot4 import DOTS
from tolang.plan.fused_sums import FUSED
from tolang.plan.kinds import FOLDS, SMALL_NUMBERS, WORDS, groups_in, kind_of, schedule_text
from tolang.plan.nest import Assign, Bind, Branch, Each, Nest, Operation, Plan, Repeat, Scalar, Step
from tolang.plan.printer import scalar_text
from tolang.plan.schedule import Tiled
from tolang.plan.traversal import scalars_of


def describe(plan: Plan) -> str:
    """How everything in a plan runs."""
    return "\n".join(_described(plan.steps)) + "\n"


def _described(steps: tuple[Step, ...]) -> Iterator[str]:
    for step in steps:
        match step:
            case Nest(schedule=schedule) if schedule is not None:
                yield f"{step.origin} [{_lengths(step)}]: {_told(step) if not step.cases else 'by cases'}"
                yield from _cases(step)
                yield from _details(step)
            case Repeat(schedule=schedule, steps=inner) if schedule is not None:
                yield f"repeat [{_lengths(step)}]: {_told(step)}"
                yield from (f"  {line}" for line in _described(inner))
            case Each(steps=inner):
                yield f"each [{_lengths(step)}], rows among the threads:" if step.iterators else "then:"
                yield from (f"  {line}" for line in _described(inner))
            case Branch():
                yield from _branch(step, {})
            case Bind(name=name) | Assign(name=name) if _folds(scalars_of(step)):
                yield f"{name}: {', '.join(_folds(scalars_of(step)))}"


def _branch(step: Branch, told: dict[tuple[str, ...], str], first: str = "if") -> Iterator[str]:
    """A branch and those that go on from it; what an earlier one has told is not told again."""
    condition = str(step.guard) if step.guard is not None else scalar_text(step.test[0])
    yield f"{first} {condition}:"
    lines = tuple(_described(step.then))
    if lines and lines in told:
        lines = (f"the same as where {told[lines]}",)
    told.setdefault(lines, condition)
    yield from (f"  {line}" for line in lines)
    match step.otherwise:
        case (Branch() as other,):
            yield from _branch(other, told, "else if")
        case steps if rest := list(_described(steps)):
            yield "else:"
            yield from (f"  {line}" for line in rest)


def _lengths(step: Nest | Each | Repeat) -> str:
    return ", ".join(str(extent) for extent in step.extents)


def _cases(nest: Nest) -> Iterator[str]:
    """The schedules that a nest has for some lengths, one a line."""
    for case in nest.cases:
        other = replace(nest, schedule=case.schedule, cases=())
        tile = f", in tiles of {_size(case.schedule)}" if isinstance(case.schedule, Tiled) else ""
        yield f"  where {readable(case.condition)}: {_told(other)}{tile}"
    if nest.cases:
        yield f"  otherwise: {_told(nest)}"


def readable(condition: Condition) -> str:
    """A condition as a person would write it: `m <= 3` for `3 >= m`."""
    left, sign, right = str(condition).partition(" >= ")
    return f"{right} <= {left}" if sign and left.isdecimal() else str(condition)


def _told(node: Nest | Repeat) -> str:
    """A schedule, what it is, and the folds that it leaves to themselves."""
    kind = kind_of(node)
    text = f"{kind}, {WORDS[kind]}"
    if kind == FOLDS and isinstance(node, Nest):
        text = f"{text}: {', '.join(_folds(node.values))}"
    if isinstance(node, Nest) and isinstance(node.schedule, Tiled) and node.schedule.fallback is not None:
        text = f"{text}, {SMALL_NUMBERS}; else {_told(replace(node, schedule=node.schedule.fallback))}"
    return text


def _folds(values: tuple[Scalar, ...]) -> list[str]:
    found = {schedule_text(group): kind_of(group) for group in groups_in(values) if group.schedule is not None}
    return [f"{told}, {WORDS[found[told]]}" for told in sorted(found)]


def _size(tile: Tiled) -> str:
    return f"{tile.rows} x {tile.columns}"


def _details(nest: Nest) -> Iterator[str]:
    """What a contraction is made of."""
    tile = nest.schedule
    contraction = contraction_of(nest) if isinstance(tile, Tiled) else None
    if contraction is not None and isinstance(tile, Tiled):
        plain = ", min and max by one instruction where packing sees no NaN and no -0" if tile.inspects else ""
        matrices = ", by instructions that multiply small matrices" if tile.matrices else ""
        yield f"  {_classified(contraction)}, in tiles of {_size(tile)}{plain}{matrices}"


def _steps(phase: Phase) -> str:
    """What a fold does, as `combine of term` where it combines terms."""
    first = phase.steps[0]
    if phase.group.combine is not None and isinstance(first, Operation):
        _, *rest = first.arguments
        if first.function in DOTS:
            return f"{phase.group.combine} of the four products of quads"
        term = Operation("mul", tuple(rest), column=first.column) if first.function == FUSED else rest[0]
        return f"{phase.group.combine} of {scalar_text(term)}"
    return ", ".join(scalar_text(step) for step in phase.steps)


def _classified(one: Contraction) -> str:
    def names(dimensions: Dimensions) -> str:
        return ", ".join(str(extent) for _, extent in dimensions)

    batch = f"batch [{names(one.batch)}], " if one.batch else ""
    folds = "; then ".join(f"over [{names(phase.depth)}]: {_steps(phase)}" for phase in one.phases)
    return f"{batch}rows [{names(one.rows)}] x columns [{names(one.columns)}] {folds}"
