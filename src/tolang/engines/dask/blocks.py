"""Pieces of what goes in waves: elements of a stretch first, as any piece computes them, then what is made of them.

    scan      results: each block combined by itself;  scanned: elements, from what comes before a stretch
    sort      runs: a stretch in order;  sampled: some of its keys;  merged: what several runs have of a range, in order
    append    counted: how many elements of a stretch are kept;  appended: these, behind those of stretches before
    gather    places: where elements are that a stretch needs;  taken: what is computed of these
    search    counts: how many of a portion of keys come before each item;  found: what is computed of these
    group     grouped: the groups of a stretch of rows

What is made of elements is written in nests, too, in the form that the recognisers know, so that it runs as all else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tolang.engines.dask.gathers import places_of, taken_of
from tolang.engines.dask.groups import piece_of_groups
from tolang.engines.dask.pieces import DimensionSlice, Shifted, StagePiece, piece_of
from tolang.engines.dask.repetitions import Undriven, stored
from tolang.engines.dask.scatters import piece_of_scatter
from tolang.engines.dask.searches import piece_of_counts, piece_of_found
from tolang.engines.dask.stages import (
    APPENDED,
    COUNTED,
    COUNTS,
    FIRST,
    FOUND,
    GROUPED,
    MAP,
    MERGED,
    PLACES,
    RESULTS,
    RUNS,
    SAMPLED,
    SCANNED,
    SCATTERED,
    TAKEN,
    PlanStage,
)
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.conditions import compare
from tolang.ground.symbolic.sizes import ONE, Size, floor_division
from tolang.ground.values.functions import identity_in
from tolang.ground.values.spaces import Column, column
from tolang.idioms.append_fold import Appending, appending_of
from tolang.idioms.scan import Scan, scan_of
from tolang.idioms.sort import Sort, sort_of
from tolang.plan.grain import SCAN_BLOCK
from tolang.plan.nest import (
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    ConstantScalar,
    Group,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Reduction,
    Repeat,
    Scalar,
    Select,
    Step,
    Where,
)
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import dependencies, has_fold, may_fail

EVERY = "sampled every"
"""The size that tells how many keys of a run there are for each that is looked at, to see where others belong."""
NUMBER, TRUTH = column("i64"), column("B")
LOCAL, PLACE, BEFORE, KEPT = "element number", "place in order", "element before", DimensionSlice.of("kept")


def piece_for(plan: Plan, stage: PlanStage) -> StagePiece:
    """The plan of the pieces of a stage, one that is a wave as well."""
    made = _WAVES.get(stage.kind)
    return piece_of(plan, stage) if made is None else made(plan, stage)


def _repeat(plan: Plan, stage: PlanStage) -> Repeat:
    step = plan.steps[stage.lead]
    assert isinstance(step, Repeat)
    return step


# Elements


def _elements(plan: Plan, stage: PlanStage, iterator: str, extent: Size, values: Sequence[Scalar]) -> StagePiece:
    """The piece that computes some numbers for each element of a stretch."""
    at = (Size.of(iterator),)
    buffers = [Buffer(f"of an element.{k}", one.column, (extent,)) for k, one in enumerate(values, 1)]
    nest = Nest((iterator,), (extent,), tuple((one, at) for one in buffers), tuple(values), "elements")
    steps = (*plan.steps[: stage.lead], nest, *plan.steps[stage.lead + 1 :])
    made = replace(plan, steps=steps, outputs=(*plan.outputs, *((one,) for one in buffers)))
    return piece_of(made, PlanStage(MAP, (stage.lead,), (iterator,), until=stage.until))


def _taken(piece: StagePiece) -> list[Buffer]:
    """The elements of a stretch, as its own steps have them."""
    return [one for (one,) in piece.plan.outputs]


def _count(piece: StagePiece) -> Size:
    ((_, stretch, _),) = piece.axes
    return Size.of(stretch.count)


def _continued(
    piece: StagePiece,
    steps: Iterable[Step],
    outputs: Iterable[Buffer],
    writes: Iterable[Buffer],
    states: Sequence[Buffer] = (),
) -> StagePiece:
    """A piece of elements that goes on to what is made of them; `writes` are the buffers of which it gives regions."""
    plan, tables = piece.plan, {table.buffer.name for table in piece.plan.tables}
    ((_, stretch, _),) = piece.axes
    own, constant = ([one for one in plan.inputs if (one.name in tables) == held] for held in (False, True))
    written = tuple(writes)
    made = replace(
        plan,
        inputs=(*own, *states, *constant),
        steps=(*plan.steps, *steps),
        outputs=tuple((one,) for one in outputs),
    )
    shapes = {**piece.shapes, **{one.name: (stretch,) for one in written}}
    return replace(
        piece, plan=made, shapes=shapes, writes=written, inner=(*piece.inner, *piece.writes), states=tuple(states)
    )


def _at(buffer: Buffer, *index: Size) -> Load:
    return Load(buffer, tuple(index), column=buffer.column)


# Scans


@dataclass(frozen=True, slots=True)
class Apart:
    """A scan as numbers of each element and what becomes of these and of the carried ones, by names."""

    scan: Scan
    elements: tuple[Scalar, ...]
    steps: tuple[Scalar, ...]

    def with_scalars(self, carried: Sequence[Scalar], elements: Sequence[Scalar]) -> tuple[Scalar, ...]:
        """The steps with what is carried and the numbers of an element in their places."""
        names = [_name_of_element(k) for k in range(len(elements))]
        known = dict(zip((*self.scan.carried, *names), (*carried, *elements), strict=True))
        rewriter = Rewriter(rule=lambda one: known.get(one.name) if isinstance(one, Named) else None)
        return tuple(rewriter.scalar(one) for one in self.steps)


def _name_of_element(number: int) -> str:
    return f"element {number}"


def scan_apart(step: Repeat) -> Apart:
    """A scan whose first element stands for itself; raises where it is none, or its elements need what is carried."""
    scan = scan_of(step)
    own = Size.of(step.iterators[0])
    if scan is None or scan.first is None:
        raise Undriven("it is no scan")
    if any(at != (own,) or buffer.shape != step.extents for buffer, at in scan.targets):
        raise Undriven("its elements are not all there is")
    later = Rewriter({step.iterators[0]: own + 1})  # the first one is apart
    found: list[Scalar] = []
    residual = tuple(_lifted(later.scalar(one), frozenset(scan.carried), (), found) for one in scan.steps)
    if any(step.iterators[0] in dependencies(one) for one in residual):
        raise Undriven("its coordinates choose what becomes of its state")
    return Apart(scan, tuple(found), residual)


def _lifted(
    scalar: Scalar, carried: frozenset[str], bound: tuple[tuple[str, Scalar], ...], found: list[Scalar]
) -> Scalar:  # fmt: skip
    """A scalar in which all that does not need what is carried is one of the numbers found, and named so."""
    names = dependencies(scalar)
    if isinstance(scalar, ConstantScalar) or (isinstance(scalar, Named) and scalar.name in carried):
        return scalar
    if not names & carried:
        used = any(name in names for name, _ in bound)
        found.append(Where(bound, scalar, column=scalar.column) if used else scalar)
        return Named(_name_of_element(len(found) - 1), column=scalar.column, span=scalar.span)
    match scalar:
        case Where(bindings=bindings, value=value) if not any(dependencies(one) & carried for _, one in bindings):
            return _lifted(value, carried, (*bound, *bindings), found)
        case Operation(arguments=arguments):
            return replace(scalar, arguments=tuple(_lifted(one, carried, bound, found) for one in arguments))
        case Select(guard=None, test=(test,), then=then, otherwise=otherwise) if not (
            may_fail(then) or may_fail(otherwise)
        ):
            parts = [_lifted(one, carried, bound, found) for one in (test, then, otherwise)]
            return replace(scalar, test=(parts[0],), then=parts[1], otherwise=parts[2])
    raise Undriven("its steps go on from the state of those before")


def _first(plan: Plan, stage: PlanStage) -> StagePiece:
    """The first element of a scan, of a stretch of one."""
    repeat = _repeat(plan, stage)
    scan = scan_apart(repeat).scan
    assert scan.first is not None
    return _elements(plan, stage, repeat.iterators[0], repeat.extents[0], scan.first)


def _scan_elements(plan: Plan, stage: PlanStage) -> tuple[Apart, StagePiece]:
    repeat = _repeat(plan, stage)
    apart = scan_apart(repeat)
    return apart, _elements(plan, stage, repeat.iterators[0], repeat.extents[0] - 1, apart.elements)


def _results(plan: Plan, stage: PlanStage) -> StagePiece:
    """Each whole block of a stretch combined by itself, as a thread does it."""
    apart, piece = _scan_elements(plan, stage)
    ((target, _),), combine = apart.scan.targets, apart.scan.combine
    assert combine is not None
    place = (Size.of("block") - 1) * SCAN_BLOCK + Size.of(LOCAL)
    elements = [_at(one, place) for one in _taken(piece)]
    state = Named("combined", column=target.column)
    nothing = ConstantScalar(identity_in(combine, target.column.storage), column=target.column)
    (step,) = apart.with_scalars([state], elements)
    one_by_one = has_fold(apart.scan.steps[0])
    group = Group(
        (LOCAL,),
        (Size.of(SCAN_BLOCK),),
        (state.name,),
        (target.column,),
        (nothing,),
        (step,),
        combine,
        ordered=one_by_one,
    )
    blocks = floor_division(_count(piece), Size.of(SCAN_BLOCK))
    results = Buffer("results.1", target.column, (blocks,), "output")
    combined = Reduction(group, 0, column=target.column)
    nest = Nest(("block",), (blocks,), ((results, (Size.of("block"),)),), (combined,), "results")
    return _continued(piece, [Allocate(results), nest], [results], [])


def offsets_of(step: Repeat) -> Plan:
    """The plan of what comes before each block, of the first element and the results of blocks."""
    scan = scan_apart(step).scan
    ((target, _),), combine, length = scan.targets, scan.combine, Size.of("blocks")
    assert combine is not None
    first = Buffer("first.1", target.column, (), "input")
    results = Buffer("results.1", target.column, (length,), "input")
    before = Buffer("before.1", target.column, (length + 1,), "output")
    block = Size.of("block")
    joined = Operation(combine, (_at(before, block), _at(results, block)), column=target.column)
    steps = (
        Allocate(before),
        Nest((), (), ((before, (ONE,)),), (_at(first),), "before"),
        Repeat(("block",), (length,), (Nest((), (), ((before, (block + 1,)),), (joined,), "before"),)),
    )
    return Plan(("blocks",), (first, results), steps, ((before,),))


def _scanned(plan: Plan, stage: PlanStage) -> StagePiece:
    """The elements of a stretch of a scan, from those that were carried to it; and those that it carries on."""
    apart, piece = _scan_elements(plan, stage)
    count, number = _count(piece), Size.of(LOCAL)
    targets = [buffer for buffer, _ in apart.scan.targets]
    states = [Buffer(f"carried.{k}", one.column, (), "input") for k, one in enumerate(targets, 1)]
    local = [Buffer(f"scan.{k}", one.column, (count + 1,)) for k, one in enumerate(targets, 1)]
    given = [replace(one, shape=(count,), role="output") for one in targets]
    last = [Buffer(f"last.{k}", one.column, (), "output") for k, one in enumerate(targets, 1)]
    values = apart.with_scalars([_at(one, number) for one in local], [_at(one, number) for one in _taken(piece)])
    steps: list[Step] = [Allocate(one) for one in (*local, *given)]
    steps += [Nest((), (), tuple((one, (ONE,)) for one in local), tuple(map(_at, states)), "carried")]
    nest = Nest((), (), tuple((one, (number + 1,)) for one in local), values, "scan")
    steps += [Repeat((LOCAL,), (count,), (nest,))]
    copied = tuple(_at(one, Size.of(PLACE) + 1) for one in local)
    steps += [Nest((PLACE,), (count,), tuple((one, (Size.of(PLACE),)) for one in given), copied, "scanned")]
    steps += [part for b, one in zip(last, local, strict=True) for part in stored(b, _at(one, count + 1))]
    found = _continued(piece, steps, [*given, *last], targets, states)
    ((_, stretch, _),) = piece.axes
    moved = Shifted(DimensionSlice.of("scanned"), stretch, 1)
    shapes = {**found.shapes, **{one.name: (moved.stretch,) for one in targets}}
    inner = (*found.inner, *(Buffer(f"{one.name} local", one.column, one.shape) for one in targets))
    shapes |= {f"{one.name} local": (stretch,) for one in targets}
    return replace(found, shapes=shapes, derived=(*found.derived, moved), inner=inner)


# Sorts


def run_of(buffer: Buffer) -> Buffer:
    """What sorted stretches of a buffer are in, one after the other."""
    head, dot, component = buffer.name.rpartition(".")
    return replace(buffer, name=f"{head} in runs{dot}{component}", role="scratch")


def sort_apart(step: Repeat) -> Sort:
    """A repetition that sorts by keys that have one order; raises where it does not."""
    sort = sort_of(step)
    if sort is None:
        raise Undriven("it is no sort")
    key = sort.elements[sort.key].column.storage
    if sort.relation not in ("le", "ge") or key.startswith("c") or not (sort.nan_last or key[0] in "iub"):
        raise Undriven("equal keys, or some that are no numbers, change places in its order")
    own = Size.of(step.iterators[0])
    if any(at != (own,) or buffer.shape != step.extents for buffer, at in sort.targets):
        raise Undriven("its elements are not all there is")
    return sort


def _runs(plan: Plan, stage: PlanStage) -> StagePiece:
    """A stretch in order."""
    repeat = _repeat(plan, stage)
    sort = sort_apart(repeat)
    prepared = tuple((one.name, one.value) for one in sort.prepare)
    values = [Where(prepared, one, column=one.column) if prepared else one for one in sort.elements]
    piece = _elements(plan, stage, repeat.iterators[0], repeat.extents[0], values)
    return _in_order(piece, sort, [run_of(one) for one, _ in sort.targets])


def _merged(plan: Plan, stage: PlanStage) -> StagePiece:
    """What several runs have of a range of the order, in order."""
    repeat = _repeat(plan, stage)
    sort, (iterator,) = sort_apart(repeat), repeat.iterators
    values = [_at(run_of(one), Size.of(iterator)) for one, _ in sort.targets]
    piece = _elements(plan, stage, iterator, repeat.extents[0], values)
    return _in_order(piece, sort, [one for one, _ in sort.targets])


def _sampled(plan: Plan, stage: PlanStage) -> StagePiece:
    """Some of the keys of a run."""
    repeat = _repeat(plan, stage)
    sort, (iterator,) = sort_apart(repeat), repeat.iterators
    key = run_of(sort.targets[sort.key][0])
    piece = _elements(plan, stage, iterator, repeat.extents[0], [_at(key, Size.of(iterator))])
    (keys,), number = _taken(piece), floor_division(_count(piece), Size.of(EVERY))
    sample = Buffer("sample.1", key.column, (number,), "output")
    place = (Size.of(PLACE),)
    nest = Nest((PLACE,), (number,), ((sample, place),), (_at(keys, Size.of(PLACE) * Size.of(EVERY)),), "sample")
    made = _continued(piece, [Allocate(sample), nest], [sample], [])
    return replace(made, plan=replace(made.plan, sizes=(*made.plan.sizes, EVERY)))


def _in_order(piece: StagePiece, sort: Sort, goals: Sequence[Buffer]) -> StagePiece:
    """Elements of a stretch in order: an insertion sort, as the recogniser of sorts knows it."""
    count, number, place = _count(piece), Size.of(LOCAL), Size.of(PLACE)
    elements = [_at(one, number) for one in _taken(piece)]
    states = [replace(one, shape=(count,), role="output") for one in goals]
    following = [Buffer(f"following.{k}", one.column, (count,)) for k, one in enumerate(goals, 1)]
    key, position = elements[sort.key], Size.of("position")
    counted, before = Named("counted", column=NUMBER), _at(states[sort.key], Size.of(BEFORE))
    step = Operation("add", (counted, Operation(sort.relation, (before, key), column=TRUTH)), column=NUMBER)
    group = Group((BEFORE,), (number - 1,), (counted.name,), (NUMBER,), (_number(0),), (step,), "add")
    behind: Scalar = Reduction(group, 0, column=NUMBER)
    if sort.nan_last:
        same = Operation("eq", (key, key), column=TRUTH)
        behind = Select(None, (same,), behind, Index(number - 1, column=NUMBER), column=NUMBER)
    inserted = []
    for element, state in zip(elements, states, strict=True):
        checks = (compare(">=", place, ONE + 1),)
        moved = Load(state, (place - 1,), checks, column=state.column)
        here = Select(compare(">=", position, place), (), element, moved, column=state.column)
        inserted.append(
            Select(compare(">=", position, place + 1), (), _at(state, place), here, column=state.column)
        )  # fmt: skip
    at = (place,)
    steps: tuple[Step, ...] = (
        Bind("position", Operation("add", (_number(1), behind), column=NUMBER)),
        *(Allocate(one) for one in following),
        Nest((PLACE,), (number,), tuple((one, at) for one in following), tuple(inserted), "following"),
        Nest((PLACE,), (number,), tuple((one, at) for one in states), tuple(_at(f, place) for f in following), "order"),
    )
    sorting = Repeat((LOCAL,), (count,), steps)
    return _continued(piece, [*(Allocate(one) for one in states), sorting], states, goals)


def _number(value: int) -> ConstantScalar:
    return ConstantScalar(value, column=NUMBER)


# Elements that are kept


def appended_apart(step: Repeat) -> Appending:
    """A repetition that keeps some elements; raises where it does something else."""
    found = appending_of(step)
    if found is None or any(buffer.shape != step.extents for buffer in found.buffers):
        raise Undriven("it does not keep some elements alone")
    return found


def _counted(plan: Plan, stage: PlanStage) -> StagePiece:
    """How many elements of a stretch are kept."""
    repeat = _repeat(plan, stage)
    found = appended_apart(repeat)
    piece = _elements(plan, stage, repeat.iterators[0], repeat.extents[0], [found.bound(found.test)])
    (kept,), number = _taken(piece), Buffer("number.1", NUMBER, (), "output")
    state = Named("counted", column=NUMBER)
    step = Operation("add", (state, _at(kept, Size.of(LOCAL))), column=NUMBER)
    group = Group((LOCAL,), (_count(piece),), (state.name,), (NUMBER,), (_number(0),), (step,), "add")
    steps = [Bind("number", Reduction(group, 0, column=NUMBER)), *stored(number, Named("number", column=NUMBER))]
    return _continued(piece, steps, [number], [])


def _appended(plan: Plan, stage: PlanStage) -> StagePiece:
    """The elements of a stretch that are kept, of which it is known how many they are."""
    repeat = _repeat(plan, stage)
    found = appended_apart(repeat)
    values = [found.bound(Select(None, (found.test,), v, _nothing(v.column), column=v.column)) for v in found.values]
    piece = _elements(plan, stage, repeat.iterators[0], repeat.extents[0], [found.bound(found.test), *values])
    (test, *elements), count, number = _taken(piece), _count(piece), Size.of(LOCAL)
    local = [Buffer(f"kept.{k}", one.column, (count,)) for k, one in enumerate(found.buffers, 1)]
    length, kept = Size.of("length"), Size.of(KEPT.count)
    grown = Index(length + 1, column=NUMBER)
    nest = Nest((), (), tuple((b, (length + 1,)) for b in local), tuple(_at(e, number) for e in elements), "kept")
    branch = Branch(None, (_at(test, number),), (nest, Assign("length", grown)), ())
    given = [replace(one, shape=(kept,), role="output") for one in found.buffers]
    place, checks = (Size.of(PLACE),), (compare(">=", count, Size.of(PLACE)),)
    copied = tuple(Load(one, place, checks, column=one.column) for one in local)
    steps = [
        *(Allocate(one) for one in (*local, *given)),
        Bind("length", Index(Size.of(0), column=NUMBER), mutable=True),
        Repeat((LOCAL,), (count,), (branch,)),
        Nest((PLACE,), (kept,), tuple((one, place) for one in given), copied, "appended"),
    ]
    made = _continued(piece, steps, given, found.buffers)
    ((_, stretch, _),) = piece.axes
    shapes = {**made.shapes, **{one.name: (KEPT,) for one in found.buffers}}
    inner = (*made.inner, *(Buffer(f"{one.name} local", one.column, one.shape) for one in found.buffers))
    shapes |= {f"{one.name} local": (stretch,) for one in found.buffers}
    sized = replace(made.plan, sizes=(*made.plan.sizes, KEPT.count))
    derived = (*made.derived, Shifted(KEPT, stretch, 0))
    return replace(made, plan=sized, shapes=shapes, inner=inner, derived=derived)


def _nothing(column: Column) -> ConstantScalar:
    return ConstantScalar(False if column.storage == "bool" else 0, column=column)


_WAVES = {
    FIRST: _first, RESULTS: _results, SCANNED: _scanned, RUNS: _runs, MERGED: _merged, SAMPLED: _sampled,
    COUNTED: _counted, APPENDED: _appended, PLACES: places_of, TAKEN: taken_of,
    SCATTERED: piece_of_scatter, GROUPED: piece_of_groups, COUNTS: piece_of_counts, FOUND: piece_of_found,
}  # fmt: skip
