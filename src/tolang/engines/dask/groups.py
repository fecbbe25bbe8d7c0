"""Groups: rows that are numbered by a key and folded by their numbers, in pieces that are groups of their own rows.

    number[i]            which of the different keys, in order, that of row i is        (idioms/ranks.py)
    d                    the greatest number
    first[k]             the least i that has the number k
    key[k], …            something of the row first[k]
    sum[k]               a fold of something of each row that has the number k

All of that is one stage.  A piece does it for a stretch of the rows, and gives a few rows: what it has of each of its
own groups, and their keys.  What pieces give, one behind the other, is grouped once more, by the same steps: the first
row of a group is in the first piece that has it, and folds go on in the order of pieces, as they do on one machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from tolang.engines.dask.pieces import DimensionSlice, StagePiece
from tolang.engines.dask.stages import LIGHT, PlanStage, copied, is_kept_apart
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.conditions import compare
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.functions import identity_in
from tolang.idioms.histogram import Histogram, histogram_of
from tolang.idioms.ranks import Ranks, ranks_of
from tolang.plan.nest import (
    Allocate,
    Bind,
    Branch,
    Buffer,
    ConstantScalar,
    Draw,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Reduction,
    Repeat,
    Scalar,
    Step,
    Where,
)
from tolang.plan.regions import own_of, reads_of, writes_of
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import bound_names, nodes_inside, used_names

ROWS, PARTS = DimensionSlice.of("rows"), DimensionSlice.of("parts")
AXIS, PLACE = "row", "first row"
MERGED = "given"
"""What the merge has pieces give, by the name of the buffer that it becomes."""


@dataclass(frozen=True, slots=True, eq=False)
class Grouping:
    """The steps of a plan, from one position to before another, that group rows; see above for their parts.

    Rows are as many as `rows` says, groups as `length`.  `rowwise` are nests that make something of each row for the
    others, `ranking` steps number rows by what is in all `keys`, `taken` are what is of first rows, `folds` of all.
    """

    span: range
    rows: str
    length: str
    keys: tuple[Buffer, ...]
    numbers: Buffer
    firsts: Buffer
    rowwise: tuple[int, ...]
    ranking: tuple[int, ...]
    beginning: tuple[int, ...]
    taken: tuple[int, ...]
    folds: tuple[tuple[int, Histogram], ...]

    @property
    def steps(self) -> tuple[int, ...]:
        folds = tuple(position for position, _ in self.folds)
        return tuple(sorted((*self.rowwise, *self.ranking, *self.beginning, *self.taken, *folds)))


def groupings(plan: Plan) -> Iterator[Grouping]:
    """The groups of a plan."""
    outputs = plan.output_names
    for position, step in enumerate(plan.steps):
        ranks = _ranks(step) if isinstance(step, Branch) else ranks_of(plan.steps, position, outputs)
        if ranks is not None:
            found = _Looking(plan, position, ranks).grouping()
            if found is not None:
                yield found


def _ranks(step: Branch) -> Ranks | None:
    """What a choice between a table and a sort ranks."""
    found = (ranks_of(step.otherwise, position, frozenset()) for position in range(len(step.otherwise)))
    return next((one for one in found if one is not None), None)


class _Looking:
    """Looks for the steps that group by ranks at a position."""

    def __init__(self, plan: Plan, position: int, ranks: Ranks) -> None:
        self.plan, self.position, self.ranks = plan, position, ranks
        self.rows = ranks.sort.extent.name or ""

    def grouping(self) -> Grouping | None:
        steps, keys, own_key = self.plan.steps, list[Buffer](), (Size.of(self.ranks.sort.iterator),)
        for key in self.ranks.keys if self.rows else ():
            if not isinstance(key, Load) or key.checks or key.indices != own_key:
                return None
            keys.append(key.buffer)
        if not keys or any(one.shape != (Size.of(self.rows),) for one in keys):
            return None
        ranking = self._ranking()
        readers = [p for p in self._reading(self.ranks.ranks.name) if p not in ranking]
        lengths = [p for p in readers if _is_greatest(steps[p], self.ranks.ranks, self.rows)]
        counted = [(p, one) for p in readers if (one := self._fold(steps[p])) is not None]
        firsts = [(p, one) for p, one in counted if one.combine == "min" and _is_own(steps[p], one.element)]
        folds = [(p, one) for p, one in counted if (p, one) not in firsts]
        if len(lengths) != 1 or len(firsts) != 1 or sorted([*lengths, *dict(counted)]) != readers:
            return None
        (length,), ((first, found),) = lengths, firsts
        name = next(iter(bound_names(steps[length])))
        begun = {one.buffer.name: one for _, one in counted}
        beginning = [p for p, one in enumerate(steps) if isinstance(one, Nest) and p not in dict(counted)
                     and any(buffer.name in begun for buffer, _ in one.targets)]  # fmt: skip
        taken = [p for p in self._reading(found.buffer.name) if p != first]
        if not self._begin_rightly(beginning, found, begun, name) or not all(map(self._is_taken, taken)):
            return None
        own = {*ranking, length, first, *beginning, *taken, *dict(folds)}
        rowwise = self._rowwise(own)
        made = Grouping(
            range(min(own | set(rowwise)), max(own) + 1), self.rows, name, tuple(keys), self.ranks.ranks, found.buffer,
            tuple(rowwise), tuple(sorted([*ranking, length])), tuple(sorted([*beginning, first])), tuple(taken),
            tuple(folds),
        )  # fmt: skip
        return made if self._stands_alone(made) else None

    def _ranking(self) -> list[int]:
        """The steps that rank: those of sorts, or the choice between a sort and a table."""
        if isinstance(self.plan.steps[self.position], Branch):
            return [*self._names_before(), self.position]
        return [p for p in self.ranks.steps if not isinstance(self.plan.steps[p], Allocate)]

    def _names_before(self) -> list[int]:
        """The steps that name numerics for nothing but the choice."""
        steps, found = self.plan.steps, list[int]()
        wanted = used_names(steps[self.position])
        for position in reversed(range(self.position)):
            step = steps[position]
            if isinstance(step, Bind) and step.name in wanted and not step.mutable:
                others = (one for p, one in enumerate(steps) if p not in (position, self.position, *found))
                if not any(step.name in used_names(one) for one in others):
                    found.append(position)
                    wanted |= used_names(step)
        return found

    def _reading(self, name: str) -> list[int]:
        steps = enumerate(self.plan.steps)
        return [p for p, one in steps if any(access.buffer.name == name for access in reads_of(one))]

    def _fold(self, step: Step) -> Histogram | None:
        """A fold of rows by their numbers."""
        if not isinstance(step, Repeat) or step.extents != (Size.of(self.rows),):
            return None
        found = histogram_of(step)
        if found is None or len(found.buffer.shape) != 1:
            return None
        named = [one for one in step.steps if isinstance(one, Bind) and _reads(one.value, self.ranks.ranks, step)]
        at = found.old.indices[0].name
        return found if any(one.name == at for one in named) else None

    def _begin_rightly(self, beginning: list[int], firsts: Histogram, begun: dict[str, Histogram], length: str) -> bool:
        """Whether folds begin with nothing, and first rows with the last."""
        seen = set()
        for position in beginning:
            step = self.plan.steps[position]
            assert isinstance(step, Nest)
            for (buffer, _), value in zip(step.targets, step.values, strict=True):
                if buffer.name not in begun or buffer.shape != (Size.of(length),):
                    return False
                seen.add(buffer.name)
                match value:
                    case Index(size=size) if buffer.name == firsts.buffer.name and size == Size.of(self.rows):
                        continue
                    case ConstantScalar(value=number) if _is_nothing(number, begun[buffer.name]):
                        continue
                return False
        return seen == begun.keys()

    def _is_taken(self, position: int) -> bool:
        """Whether a nest takes something of the first row of each group."""
        step = self.plan.steps[position]
        if not isinstance(step, Nest) or len(step.iterators) != 1:
            return False
        at = (Size.of(step.iterators[0]),)
        return all(place == at for _, place in step.targets) and not _own_number(step, {self.rows, *step.iterators})

    def _rowwise(self, own: set[int]) -> list[int]:
        """Nests just before that make something of each row which only these steps read."""
        steps, found = self.plan.steps, list[int]()
        for position in reversed(range(min(own))):
            step = steps[position]
            if isinstance(step, Allocate):
                continue
            rowwise = isinstance(step, Nest) and step.extents == (Size.of(self.rows),)
            if not rowwise or not isinstance(step, Nest) or not is_kept_apart(step, step.iterators[0]):
                break
            readers = {p for buffer, _ in step.targets for p in self._reading(buffer.name)}
            if not readers <= own | {*found} or _own_number(step, {self.rows, *step.iterators}):
                break
            found.append(position)
        return found

    def _stands_alone(self, found: Grouping) -> bool:
        """Whether there is nothing else between the steps, and nobody else reads what is of rows."""
        steps, own = self.plan.steps, {*found.steps}
        if any(p not in own and not isinstance(steps[p], LIGHT) for p in found.span):
            return False
        if any(isinstance(steps[p], LIGHT) and not isinstance(steps[p], Allocate) for p in found.span):
            return False
        outputs = self.plan.output_names
        kept = {buffer.name for p in (*found.taken, *dict(found.folds)) for buffer in _written(steps[p])}
        inner = {buffer.name for p in own for buffer in _written(steps[p])} - kept
        outside = [one for p, one in enumerate(steps) if p not in own]
        if inner & outputs or any(access.buffer.name in inner for one in outside for access in reads_of(one)):
            return False
        for position in (*found.rowwise, *dict(found.folds), *found.taken):
            if not self._reads_rows_alone(steps[position], found):
                return False
        return all(not _own_number(one, {self.rows, *_iterators(one)}) for p, _ in found.folds for one in [steps[p]])

    def _reads_rows_alone(self, step: Step, found: Grouping) -> bool:
        """Whether a step reads, of what has rows, that of its own coordinate, or of a first row."""
        own = {*_iterators(step), *_firsts_in(step, found.firsts)}
        if any(isinstance(one, Draw) for one in nodes_inside(step)):
            return False
        for access in reads_of(step):
            for length, index in zip(access.buffer.shape, access.indices, strict=True):
                if self.rows not in length.names():
                    continue
                vector = length == Size.of(self.rows) and len(access.buffer.shape) == 1
                if not vector or index.name not in own:
                    return False
        return True


def _firsts_in(step: Step, firsts: Buffer) -> Iterator[str]:
    """The names of first rows in a step."""
    for one in nodes_inside(step):
        if isinstance(one, Where):
            bound = ((name, value) for name, value in one.bindings if isinstance(value, Load))
            yield from (name for name, value in bound if value.buffer.name == firsts.name)


def _iterators(step: Step) -> tuple[str, ...]:
    return step.iterators if isinstance(step, Nest | Repeat) else ()


def _written(step: Step) -> list[Buffer]:
    return list({access.buffer.name: access.buffer for access in writes_of(step)}.values())


def _own_number(step: Step, names: set[str]) -> bool:
    """Whether a step computes with a coordinate itself, or with how many there are."""
    return any(isinstance(one, Index) and one.size.names() & names for one in nodes_inside(step))


def _reads(value: Scalar, buffer: Buffer, step: Repeat) -> bool:
    at = (Size.of(step.iterators[0]),)
    return isinstance(value, Load) and value.buffer.name == buffer.name and value.indices == at


def _is_nothing(number: Any, fold: Histogram) -> bool:
    """Whether a fold may begin with a number in every piece; a sum that begins with 0 never becomes -0."""
    negative = isinstance(number, float) and math.copysign(1.0, number) < 0
    return not (number == 0 and negative) and bool(number == identity_in(fold.combine, fold.buffer.column.storage))


def _is_own(step: Step, element: Scalar) -> bool:
    return isinstance(element, Index) and isinstance(step, Repeat) and element.size == Size.of(step.iterators[0])


def _is_greatest(step: Step, numbers: Buffer, rows: str) -> bool:
    """Whether a step names the greatest of all numbers."""
    match step:
        case Bind(value=Reduction(group=group)) if group.combine == "max" and group.extents == (Size.of(rows),):
            match group.steps, group.initials:
                case (Operation(arguments=(Named(), Load(buffer=buffer, indices=(at,)))),), (ConstantScalar(value=0),):
                    return buffer.name == numbers.name and at == Size.of(group.iterators[0])
    return False


# Pieces


def piece_of_groups(plan: Plan, stage: PlanStage) -> StagePiece:
    """The groups of a stretch of the rows: their keys, then all that the stage gives."""
    found = grouping_at(plan, stage)
    rows, length = Size.of(ROWS.count), Size.of(found.length)
    copies = {p: both for p in found.rowwise if (both := copied(plan.steps[p])) is not None}
    unpacked = Rewriter(buffers={goal.name: source for source, goal in copies.values()})
    steps = [unpacked.step(plan.steps[p]) for p in found.steps if p not in copies]
    made = {b.name: b for one in steps for b in _written(one)}
    read = {a.buffer.name: a.buffer for one in steps for a in reads_of(one) if a.buffer.name not in made}
    tables = tuple(table for table in plan.tables if table.buffer.name in read)
    held = {table.buffer.name for table in tables}

    cut = _with_rows(made | read | _inside(steps), found.rows, rows)
    rewriter = Rewriter(sizes={found.rows: rows}, buffers=cut)
    keys = [replace(one, shape=(length,), role="output") for one in _keys_of_groups(found)]
    given = given_by(plan, found)
    body = [rewriter.step(one) for one in steps]
    for goal, source in zip(keys, found.keys, strict=True):
        body.append(_of_firsts(goal, cut[unpacked.buffer(source).name], cut[found.firsts.name], rows))
    bound = frozenset[str]().union(*(bound_names(one) for one in body))
    used = frozenset[str]().union(*(used_names(one) for one in body)) - bound
    names = {one.name: one.value.column for one in plan.steps if isinstance(one, Bind)}
    takes = tuple(name for name in names if name in used)
    values = [Buffer(f"{name} value", names[name], (), "input") for name in takes]
    before: list[Step] = [Bind(n, Load(b, (), column=b.column)) for n, b in zip(takes, values, strict=True)]
    inputs = [replace(cut[name], role="input") for name in read if name not in held]
    outputs = [*keys, *(cut[one.name] for one in given)]
    inner = [one for name, one in cut.items() if name in made and name not in {b.name for b in given}]
    steps_made = *before, *_allocated_first(body, [*inner, *outputs])
    shapes = {b.name: _stretches(b, {ROWS.count, found.length}) for b in (*inputs, *inner, *outputs)}
    local_plan = Plan(
        (*plan.sizes, ROWS.count), (*inputs, *values, *(t.buffer for t in tables)), tuple(steps_made),
        tuple((one,) for one in outputs), tables,
    )  # fmt: skip
    return StagePiece(
        local_plan, ((AXIS, ROWS, Size.of(found.rows)),), (), shapes, {ROWS.count: Size.of(found.rows)},
        tuple(read[one.name] for one in inputs), (*keys, *given), tuple(inner), takes, (),
    )  # fmt: skip


def _keys_of_groups(found: Grouping) -> list[Buffer]:
    """What pieces give of the keys of their groups."""
    return [replace(one, name=f"keys of groups.{number}") for number, one in enumerate(found.keys, 1)]


def _inside(steps: list[Step]) -> dict[str, Buffer]:
    """The buffers that steps make inside themselves."""
    return {one.buffer.name: one.buffer for step in steps for one in own_of(step)}


def _with_rows(buffers: dict[str, Buffer], name: str, rows: Size) -> dict[str, Buffer]:
    """Buffers with another number of rows."""
    return {
        one.name: replace(one, shape=tuple(length.substitute({name: rows}) for length in one.shape))
        for one in buffers.values()
    }


def grouping_at(plan: Plan, stage: PlanStage) -> Grouping:
    """The groups that a stage is."""
    return next(one for one in groupings(plan) if one.steps == stage.steps)


def given_by(plan: Plan, found: Grouping) -> list[Buffer]:
    """What is of groups, once they are known."""
    positions = sorted([*found.taken, *dict(found.folds)])
    return [buffer for position in positions for buffer in _written(plan.steps[position])]


def _stretches(buffer: Buffer, lengths: set[str]) -> tuple[DimensionSlice | None, ...]:
    """Rows are a stretch; groups are no more than rows."""
    return tuple(ROWS if one.name in lengths else None for one in buffer.shape)


def _of_firsts(goal: Buffer, source: Buffer, firsts: Buffer, rows: Size) -> Nest:
    """What is of the first row of each group."""
    at, place = Size.of(PLACE), f"{goal.name} place"
    number = Load(firsts, (at,), column=firsts.column)
    checks = compare(">=", Size.of(place), ONE), compare(">=", rows, Size.of(place))
    value = Load(source, (Size.of(place),), checks, column=source.column)
    whole = Where(((place, number),), value, column=value.column)
    return Nest((PLACE,), goal.shape, ((goal, (at,)),), (whole,), goal.name)


def _allocated_first(body: list[Step], buffers: list[Buffer]) -> Iterator[Step]:
    """Steps with room for buffers before the first one that touches them."""
    waiting = {one.name: one for one in buffers}
    for step in body:
        for access in (*writes_of(step), *reads_of(step)):
            if access.buffer.name in waiting:
                yield Allocate(waiting.pop(access.buffer.name))
        yield step


# The merge


def merge_of(plan: Plan, found: Grouping) -> Plan:
    """The plan that groups what pieces give, one behind the other: by their keys, in the same order."""
    rows, given = Size.of(PARTS.count), given_by(plan, found)

    def arriving(buffer: Buffer) -> Buffer:
        return replace(buffer, name=f"{buffer.name} {MERGED}", shape=(rows,), role="input")

    keys = _keys_of_groups(found)
    inputs = {one.name: arriving(one) for one in (*keys, *given)}
    steps = {p: plan.steps[p] for p in (*found.ranking, *found.beginning, *dict(found.folds))}
    made = {b.name: b for one in steps.values() for b in _written(one)}
    shaped = _with_rows(made | {one.name: one for one in given}, found.rows, rows)
    buffers = shaped | _with_rows(_inside([*steps.values()]), found.rows, rows)
    buffers |= {source.name: inputs[one.name] for source, one in zip(found.keys, keys, strict=True)}
    body: dict[int, list[Step]] = {}
    for position, step in steps.items():
        element = dict(found.folds)[position].element if position in dict(found.folds) else None
        body[position] = [_merging(step, element, inputs, buffers, found.rows, rows)]
    for position in found.taken:
        goals = [shaped[one.name] for one in _written(plan.steps[position])]
        body[position] = [_of_firsts(one, inputs[one.name], shaped[found.firsts.name], rows) for one in goals]
    ordered = [one for position in sorted(body) for one in body[position]]
    outputs = [replace(shaped[one.name], role="output") for one in given]
    room = _allocated_first(ordered, list(shaped.values()))
    return Plan((PARTS.count,), tuple(inputs.values()), tuple(room), tuple((one,) for one in outputs))


def _merging(
    step: Step, element: Scalar | None, inputs: dict[str, Buffer], buffers: dict[str, Buffer], name: str, rows: Size
) -> Step:
    """A step of the groups as the merge has it: what is folded is what pieces gave."""

    def rule(scalar: Scalar) -> Scalar | None:
        if element is None or scalar is not element:
            return None
        (goal,) = _written(step)
        return Load(inputs[goal.name], (Size.of(_iterators(step)[0]),), column=goal.column)

    return Rewriter(sizes={name: rows}, rule=rule, buffers=buffers).step(step)
