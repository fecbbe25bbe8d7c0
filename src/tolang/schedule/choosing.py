"""Which schedule everything in a plan gets: every nest, every repetition, every fold.

What is chosen depends on what the recognisers in `patterns` find, on the target and on whether order counts; on nothing
that is known only when the program runs.  Where a length that is not known yet decides, a nest gets cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.conditions import Condition, nonnegative
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import EXACT_IN_ANY_ORDER
from tolang.ground.values.spaces import is_complex, is_float
from tolang.idioms.choice_fold import choice_fold_of
from tolang.idioms.column_folds import folds_of, places_side_by_side, read_side_by_side, runs_side_by_side
from tolang.idioms.compaction import filter_of
from tolang.idioms.contraction import Contraction, contraction_of, count_of
from tolang.idioms.early_exit import settled_of
from tolang.idioms.fixed_point import fixed_point_of
from tolang.idioms.histogram import histogram_of
from tolang.idioms.iteration import iterates
from tolang.idioms.lanes import lanes_of, lanes_of_fold
from tolang.idioms.owned_rows import owned_rows_of
from tolang.idioms.pointer_chase import walks_of
from tolang.idioms.prefix_reuse import beginnings_of, is_all_that_is_left
from tolang.idioms.scan import scan_of
from tolang.idioms.segment_reduce import labels_of
from tolang.idioms.transposition import transposition_of
from tolang.idioms.tree_fold import tree_fold_of
from tolang.plan import kinds
from tolang.plan.grain import FEW_ROWS, FOLD_BLOCK, HISTOGRAM_PIECES, LABEL_PIECES, SCAN_BLOCK, lanes_of_a_vector
from tolang.plan.nest import (
    Allocate,
    Assign,
    Bind,
    Branch,
    Each,
    Free,
    Group,
    Nest,
    Plan,
    Reduction,
    Repeat,
    Scalar,
    Step,
)
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.schedule import (
    IN_ORDER,
    ArgReduce,
    Compaction,
    DoubleBuffered,
    LoopSchedule,
    OperandSource,
    Ownership,
    PrefixReuse,
    Role,
    ScanSchedule,
    ScatterSchedule,
    Schedule,
    ScheduleAxis,
    ScheduleCase,
    States,
    Tiled,
    TreeReduce,
    shares_steps,
)
from tolang.plan.target import Target
from tolang.plan.traversal import has_fold, inner_steps, nodes_inside, scalars_in, scalars_of, volume
from tolang.plan.verifier import BrokenPlan
from tolang.rewrite.collapsing import collapsed
from tolang.rewrite.peeling import filled_first
from tolang.schedule.depthwise import (
    fits_map_windows,
    is_of_map_windows,
    lanes_of_map_windows,
    places_of_map_windows,
)
from tolang.schedule.direct_convolution import lie_apart, row_reads, window_rows_of
from tolang.schedule.direct_convolution_layouts import turned_windows_of
from tolang.schedule.few_rows import cases_of_few, is_small
from tolang.schedule.folds_together import folds_together_of
from tolang.schedule.matrix_vector import lies_along, matrix_vector_of
from tolang.schedule.matrix_vector import together as rows_together
from tolang.schedule.rows import loops_of_fold, loops_of_steps, loops_over_rows
from tolang.schedule.shared_windows import WindowCopy, copy_of, share_windows
from tolang.schedule.slim_tiles import cases_by_width
from tolang.schedule.tile import (
    can_overflow,
    computes_less,
    matrix_tile_of,
    narrowed,
    supported,
    tile_of,
)
from tolang.schedule.windows import read_of_copy, with_windows

SLIM = 2
"""How many vectors wide a tile is at the least, for few columns."""
LARGEST_BLOCK = 16
"""The side of blocks that are turned at the most, for them to stay in registers."""


def choose(plan: Plan, target: Target, strict: bool, whole: Mapping[str, Size]) -> Plan:
    """A plan with a schedule for everything in it; in strict mode every fold keeps its order.

    Sizes that are parts of others count as `whole`, so that a part of a nest runs as all of it would.
    """
    choosing = _Choosing(target, strict, whole)
    steps = choosing.steps(plan.steps, inside=False)
    chosen = _handed_on(replace(plan, steps=share_windows(steps, choosing.copies)))
    return map_lists(chosen, lambda steps: tuple(map(_by_matrices, steps))) if target.matrices else chosen


def _handed_on(plan: Plan) -> Plan:
    """A plan that copies no beginnings of buffers of which these are all that is left."""
    kept = plan.output_names
    steps = list(plan.steps)
    for position, step in enumerate(steps):
        if isinstance(step, Nest) and is_all_that_is_left(plan.steps, position, kept):
            steps[position] = replace(step, schedule=PrefixReuse())
    return replace(plan, steps=tuple(steps))


def _by_matrices(step: Step) -> Step:
    """A contraction in tiles of small matrices, where it can be."""
    contraction = contraction_of(step) if isinstance(step, Nest) else None
    if not isinstance(step, Nest) or contraction is None:
        return step

    def by_matrices(schedule: Schedule) -> Schedule:
        if not isinstance(schedule, Tiled) or schedule.right is not OperandSource.PACKED:
            return schedule
        return matrix_tile_of(contraction, schedule) or schedule

    cases = tuple(replace(case, schedule=by_matrices(case.schedule)) for case in step.cases)
    return step if step.schedule is None else replace(step, schedule=by_matrices(step.schedule), cases=cases)


def _seldom(step: Step) -> Step:
    """A step that is taken at sizes that are not the rule."""
    match step:
        case Branch(then=then, otherwise=otherwise):
            return replace(step, then=tuple(map(_seldom, then)), otherwise=tuple(map(_seldom, otherwise)))
        case Each(steps=steps):
            return replace(step, steps=tuple(map(_seldom, steps)))
    if not isinstance(step, Nest):
        return step
    return replace(step, rare=True, cases=tuple(replace(case, rare=True) for case in step.cases))


@dataclass(slots=True)
class _Choosing:
    """`inside` tells throughout whether a step is run by one thread, as the others run their own.

    Conditions on sizes that steps are under are `held`.
    """

    target: Target
    strict: bool
    whole: Mapping[str, Size]
    held: frozenset[Condition] = frozenset()
    groups: dict[tuple[int, Schedule], tuple[Group, Group]] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    copies: dict[str, WindowCopy] = field(default_factory=dict)
    """Buffers that hold copies of windows."""

    def steps(self, steps: tuple[Step, ...], inside: bool) -> tuple[Step, ...]:
        return tuple(made for step in steps for made in self._with_windows(step, inside))

    def _with_windows(self, step: Step, inside: bool) -> list[Step]:
        """A step with its schedules; where it is a contraction that reads windows, a copy of them before it."""
        plainly = self._with_columns(step, inside)
        found = turned_windows_of(step, self.numbers, self.target) if isinstance(step, Nest) else None
        if found is None or self.strict:
            return plainly
        first = self._with_columns(found.contraction, inside, turned=True)
        steps = [Allocate(found.result), *first, self.step(collapsed(found.rest), inside), Free(found.result)]
        enough = found.enough.substitute(self.whole)
        if enough.constant is not None:
            return steps if enough.constant else plainly
        return [Branch(enough, (), tuple(steps), tuple(map(_seldom, plainly)))]

    def _with_columns(self, step: Step, inside: bool, turned: bool = False) -> list[Step]:
        """A step with its schedules, a contraction with the columns that it has."""
        made = self.step(step, inside)
        if isinstance(step, Nest) and isinstance(made, Nest) and made.cases and self._lies_apart(step):
            return self._by_window_rows(self._scheduled(step, self.of_nest(step, inside), inside), [made], inside)
        contraction = contraction_of(made) if isinstance(made, Nest) else None
        if not isinstance(made, Nest) or contraction is None or not isinstance(made.schedule, Tiled) or made.cases:
            return [made]
        tile = made.schedule
        found = with_windows(contraction, f"windows {next(self.numbers)}_1.1", tile.columns)
        if tile.fallback is not None:
            return [made]
        if found is None:
            return self._by_window_rows(made, [made], inside)
        copy, nest, has_windows = found
        (whole,) = copy.steps
        assert isinstance(whole, Nest)
        (buffer, _), *_ = whole.targets
        self.copies[buffer.name] = copy_of(whole)
        filled = replace(copy, steps=tuple(filled_first(whole, self.numbers)))
        by_windows = self._windows(contraction, nest, tile, turned)
        steps = [Allocate(buffer), self.step(filled, inside), by_windows, Free(buffer)]
        steps = self._by_window_rows(made, steps, inside)
        if has_windows.constant:
            return steps
        return [Branch(has_windows, (), tuple(steps), (_seldom(made),))]

    def _windows(self, contraction: Contraction, nest: Nest, wide: Tiled, turned: bool) -> Nest:
        """A contraction that reads a copy of its windows; turned ones in a slimmer tile where that computes less.

        Columns of their last two dimensions are one after the other, others have tiles of their own.
        """

        def by(tile: Tiled) -> Tiled:
            return narrowed(replace(tile, right=OperandSource.PADDED_COPY))

        if not turned or wide.vectors <= SLIM:
            return replace(nest, schedule=by(wide))
        slim = tile_of(contraction, self.target, wide.vectors - 1)
        rows, columns = (count_of(one, self.whole) for one in (contraction.rows, contraction.columns[-2:]))
        less = computes_less(slim, wide, rows, columns)
        if less.constant is not None:
            return replace(nest, schedule=by(slim if less.constant else wide))
        return replace(nest, schedule=by(wide), cases=(ScheduleCase(less, by(slim)),))

    def _lies_apart(self, nest: Nest) -> bool:
        contraction = contraction_of(nest)
        return contraction is not None and supported(contraction) and lie_apart(contraction, self.target)

    def _by_window_rows(self, nest: Nest, otherwise: list[Step], inside: bool) -> list[Step]:
        """A contraction of windows with these for its rows, where that is better; other steps where it is not."""
        contraction = contraction_of(nest)
        found = None if contraction is None else window_rows_of(contraction, next(self.numbers), self.target)
        if found is None:
            return otherwise
        again = contraction_of(found.contraction)
        assert again is not None
        by_rows = self._window_rows(again)
        rows = found.contraction
        before, after = list[Step](), list[Step]()
        if found.copy is not None:
            windows, _ = found.copy.targets[0]
            self.copies[windows.name] = copy_of(found.copy)
            copied = [self.step(one, inside) for one in filled_first(found.copy, self.numbers)]
            before, after = [Allocate(windows), *copied], [Free(windows)]
        if found.rest is not None:
            result, _ = rows.targets[0]
            before, after = (
                [*before, Allocate(result)],
                [*after, self.step(collapsed(found.rest), inside), Free(result)],
            )
        steps = (*before, by_rows, *after)
        enough = found.enough.substitute(self.whole)
        if enough in self.held:
            return list(steps)
        if enough.constant is not None:
            return list(steps) if enough.constant else otherwise
        return [Branch(enough, (), steps, tuple(_seldom(step) for step in otherwise))]

    def _window_rows(self, contraction: Contraction) -> Nest:
        """A contraction whose rows are windows of a padded copy, in a slimmer tile where it has few columns."""

        def by(tile: Tiled) -> Tiled:
            return narrowed(replace(tile, left=OperandSource.PADDED_COPY))

        wide = tile_of(contraction, self.target)
        columns = count_of(contraction.columns, self.whole)
        schedule, cases = by(wide), list[ScheduleCase]()
        for vectors in range(wide.vectors - 1, SLIM - 1, -1):
            slim = tile_of(contraction, self.target, vectors)
            few = nonnegative(slim.columns - columns)
            if few.constant:
                schedule, cases = by(slim), []
            elif few.constant is None:
                cases.insert(0, ScheduleCase(few, by(slim), rare=True))
        return replace(contraction.nest, schedule=schedule, cases=tuple(cases))

    def step(self, step: Step, inside: bool) -> Step:
        match step:
            case Nest():
                return self.nest(step, inside)
            case Each(steps=steps, iterators=iterators):
                made = replace(step, steps=self.steps(steps, inside or bool(iterators)))
                return replace(made, schedule=loops_of_steps(made))
            case Repeat(steps=steps):
                schedule = self.of_repeat(step, inside)
                return replace(step, steps=self.steps(steps, inside or shares_steps(schedule)), schedule=schedule)
            case Branch(test=test, then=then, otherwise=otherwise):
                held = self.held if step.guard is None else self.held | {step.guard.substitute(self.whole)}
                sides = replace(self, held=held).steps(then, inside), self.steps(otherwise, inside)
                if step.seldom:
                    sides = sides[0], tuple(map(_seldom, sides[1]))
                tests = tuple(self.with_folds(one, inside) for one in test)
                return replace(step, test=tests, then=sides[0], otherwise=sides[1])
            case Bind(value=value) | Assign(value=value):
                return replace(step, value=self.with_folds(value, inside))
        return step

    # Nests

    def nest(self, nest: Nest, inside: bool) -> Nest:
        """A nest with its schedule; a contraction with cases for few rows or columns."""
        schedule = self.of_nest(nest, inside)
        chosen = self._scheduled(nest, schedule, inside)
        contraction = contraction_of(nest) if isinstance(schedule, Tiled) else None
        if not isinstance(schedule, Tiled) or contraction is None:
            return chosen
        if is_small(contraction, self.whole):
            return replace(chosen, schedule=self._one_by_one(nest, inside))
        if any(len(phase.depth) != 1 for phase in contraction.phases):
            return chosen
        few = cases_of_few(contraction, self._along(nest, inside), beside(nest), FEW_ROWS, self.whole)
        cases = (
            few.cases if few.always else (*few.cases, *cases_by_width(contraction, schedule, self.target, self.whole))
        )
        return replace(chosen, schedule=few.always or schedule, cases=cases)

    def _scheduled(self, nest: Nest, schedule: Schedule, inside: bool) -> Nest:
        lanes_are_points = isinstance(schedule, LoopSchedule) and kinds.kind_in(nest, schedule) in POINTS_APART
        within = inside or bool(nest.iterators)
        values = tuple(self.with_folds(value, within, lanes_are_points) for value in nest.values)
        return replace(nest, values=values, schedule=schedule)

    def of_nest(self, nest: Nest, inside: bool) -> Schedule:
        if not any(map(has_fold, nest.values)):
            return self._without_folds(nest, inside)
        if _has_complex(nest):
            return self._one_by_one(nest, inside)
        if iterates(nest):
            return LoopSchedule(
                (ScheduleAxis(nest.iterators[-1], Role.VECTOR, self.target.vector_bytes // 2),), early_exit=True
            )
        if (walks := walks_of(nest)) is not None:
            return LoopSchedule((ScheduleAxis(walks.point, Role.INTERLEAVE, walks.abreast),))
        if (by_label := labels_of(nest)) is not None:
            free = is_float(by_label.group.columns[0].storage) or by_label.combine in EXACT_IN_ANY_ORDER
            apart = free and not self.strict and not self._is_part(by_label.group.extents[0])
            return ScatterSchedule(Ownership.PRIVATISED, LABEL_PIECES if apart else 1)
        contraction = None if self.strict else contraction_of(nest)
        if contraction is None or not supported(contraction):
            return beside(nest) if runs_side_by_side(nest) else self._along(nest, inside)
        tile = tile_of(contraction, self.target)
        if not can_overflow(contraction):
            return tile
        return replace(tile, fallback=beside(nest) if runs_side_by_side(nest) else self._one_by_one(nest, inside))

    def _one_by_one(self, nest: Nest, inside: bool) -> LoopSchedule:
        """Each element by itself, a row after the other."""
        return loops_over_rows(nest, inside or not nest.iterators, self.target)

    def _without_folds(self, nest: Nest, inside: bool) -> LoopSchedule:
        turned = transposition_of(nest)
        if turned is None:
            return self._one_by_one(nest, inside)
        side = min(LARGEST_BLOCK, self.target.vector_bytes // turned.width)
        return LoopSchedule(
            (ScheduleAxis(turned.written, Role.BLOCK, side), ScheduleAxis(turned.read, Role.BLOCK, side))
        )

    def _along(self, nest: Nest, inside: bool) -> LoopSchedule:
        """Folds one after the other along what they read, or several that share an operand, or what they compute."""
        if is_of_map_windows(nest) and (places := places_of_map_windows(nest, self.target)):
            maps = ScheduleAxis(nest.iterators[-1], Role.VECTOR, lanes_of_map_windows(nest, self.target))
            return LoopSchedule((*(ScheduleAxis(name, Role.UNROLL, places) for name in nest.iterators[-2:-1]), maps))
        if not self.strict and (together := folds_together_of(nest)) is not None:
            return LoopSchedule((ScheduleAxis(nest.iterators[-1], Role.UNROLL, together[1]),))
        product = None if self.strict else matrix_vector_of(nest)
        if product is None or not lies_along(product):
            return self._one_by_one(nest, inside)
        depth = ScheduleAxis(
            product.group.iterators[-1], Role.VECTOR, lanes_of_a_vector(product.group.columns[0].storage)
        )
        return LoopSchedule((ScheduleAxis(product.point, Role.UNROLL, rows_together(self.target)), depth))

    # Repetitions

    def of_repeat(self, repeat: Repeat, inside: bool) -> Schedule:
        if repeat.exchanges:
            return DoubleBuffered(early_exit=fixed_point_of(repeat))
        if _has_complex(repeat):
            return IN_ORDER if scan_of(repeat) is None else ScanSchedule()
        scan = scan_of(repeat)
        if scan is not None:
            storage = scan.targets[0][0].column.storage
            free = scan.combine is not None and (is_float(storage) or scan.combine in EXACT_IN_ANY_ORDER)
            if not free or self.strict or inside:
                return ScanSchedule()
            return ScanSchedule(SCAN_BLOCK, lanes_of(scan.targets[0][0].column, scan.steps[0], (scan.extent,)))
        if not self.strict and not inside and len(repeat.iterators) == 1:
            found = histogram_of(repeat)
            if found is not None and found.buffer.column.storage != "bool":
                return ScatterSchedule(
                    Ownership.PRIVATISED, 1 if self._is_part(repeat.extents[0]) else HISTOGRAM_PIECES
                )
        if not inside and owned_rows_of(repeat) is not None:
            return ScatterSchedule(Ownership.PARTITIONED)
        if not inside and filter_of(repeat) is not None:
            return Compaction()
        return IN_ORDER

    def _is_part(self, extent: Size) -> bool:
        """Whether a length is a part of another: who cut it has cut as one machine does, so that it stays in one."""
        return bool(extent.names() & self.whole.keys())

    # Folds

    def with_folds(self, scalar: Scalar, inside: bool, ordered: bool = False) -> Scalar:
        """An expression whose folds have schedules; components of one fold share theirs."""
        if not has_fold(scalar):
            return scalar

        def rule(one: Scalar) -> Scalar | None:
            return replace(one, group=self._group(one.group, inside, ordered)) if isinstance(one, Reduction) else None

        return Rewriter(rule=rule).scalar(scalar)

    def _group(self, group: Group, inside: bool, ordered: bool) -> Group:
        schedule = self.of_fold(group, inside, ordered)
        key = id(group), schedule
        if key not in self.groups:
            parts = [
                tuple(self.with_folds(one, True, ordered) for one in part) for part in (group.initials, group.steps)
            ]
            made = replace(group, initials=parts[0], steps=parts[1], schedule=schedule)
            self.groups[key] = group, made
        return self.groups[key][1]

    def of_fold(self, group: Group, inside: bool, ordered: bool) -> Schedule:
        if settled_of(group) is not None:
            return LoopSchedule(early_exit=True)
        if ordered or any(is_complex(column.storage) for column in group.columns):
            return IN_ORDER
        if choice_fold_of(group) is not None:
            return ArgReduce()
        if self.strict:
            return IN_ORDER
        if tree_fold_of(group) is not None:
            return TreeReduce()
        if group.combine is None:
            return IN_ORDER
        elements = volume(group.extents)
        alone = inside or (elements is not None and elements <= FOLD_BLOCK)
        lanes = ScheduleAxis(group.iterators[-1], Role.VECTOR, lanes_of_fold(group))
        axes = (lanes,) if alone else (ScheduleAxis(group.iterators[0], Role.PARALLEL), lanes)
        return loops_of_fold(group, LoopSchedule(axes))


POINTS_APART = frozenset({kinds.ITERATION, kinds.POINTER_CHASE})
"""Kinds of loops whose vectors hold points, each with a fold of its own that keeps its order."""


def beside(nest: Nest) -> LoopSchedule:
    """Folds at neighbouring places, read with unit stride, a block whose states are in the nearest cache at a time."""
    return LoopSchedule(
        (ScheduleAxis(nest.iterators[-1], Role.BLOCK, places_side_by_side(folds_of(nest))),), States.CACHE
    )


def _has_complex(step: Nest | Repeat) -> bool:
    """Whether complex numbers are among what a step computes with: their folds run one after the other."""
    return any(isinstance(one, Scalar) and is_complex(one.column.storage) for one in nodes_inside(step))


# Verifying


def verify_schedules(plan: Plan) -> None:
    """Raises `BrokenPlan` where something has no schedule, or one that does not suit it."""
    for step in plan.steps:
        _verify(step)


def _verify(step: Step) -> None:
    match step:
        case Nest():
            for scheduled in (step, *(replace(step, schedule=case.schedule) for case in step.cases)):
                kind = kinds.kind_of(scheduled)
                if kind not in kinds.OF_NESTS or not _suits(scheduled, kind):
                    raise BrokenPlan(f"the nest {step.origin} cannot run by {kind or 'no schedule'}")
        case Repeat():
            kind = kinds.kind_of(step)
            fits = {
                kinds.SCAN: lambda: scan_of(step) is not None,
                kinds.HISTOGRAM: lambda: histogram_of(step) is not None,
                kinds.OWNED_ROWS: lambda: owned_rows_of(step) is not None,
                kinds.FIXED_POINT: lambda: fixed_point_of(step),
                kinds.COMPACTION: lambda: filter_of(step) is not None,
            }
            if kind not in kinds.OF_REPEATS or bool(step.exchanges) != isinstance(step.schedule, DoubleBuffered):
                raise BrokenPlan(f"a repetition cannot run by {kind or 'no schedule'}")
            if kind in fits and not fits[kind]():
                raise BrokenPlan(f"a repetition is no {kind}")
    for scalar in scalars_of(step):
        for one in scalars_in(scalar):
            if isinstance(one, Reduction):
                _verify_fold(one.group)
    for inner in inner_steps(step):
        _verify(inner)


def _suits(nest: Nest, kind: str) -> bool:
    """Whether a nest has the form that a kind of schedule is for."""
    if isinstance(nest.schedule, Tiled):
        contraction = contraction_of(nest)
        return contraction is not None and supported(contraction) and _has_sources(contraction, nest.schedule)
    match kind:
        case kinds.ELEMENTWISE:
            return not any(map(has_fold, nest.values))
        case kinds.PREFIX_REUSE:
            return beginnings_of(nest) is not None
        case kinds.TRANSPOSITION:
            return transposition_of(nest) is not None
        case kinds.COLUMN_FOLDS:
            return read_side_by_side(nest)
        case kinds.DEPTHWISE:
            assert isinstance(nest.schedule, LoopSchedule)
            return fits_map_windows(nest, nest.schedule.factor(Role.UNROLL), nest.schedule.factor(Role.VECTOR))
        case kinds.MATRIX_VECTOR:
            product = matrix_vector_of(nest)
            return product is not None and lies_along(product)
        case kinds.PREPACKED_MATRIX_VECTOR:
            product = matrix_vector_of(nest)
            return product is not None and product.matrix.buffer.panels is not None
        case kinds.ITERATION:
            return iterates(nest)
        case kinds.POINTER_CHASE:
            return walks_of(nest) is not None
        case kinds.FOLDS_TOGETHER:
            return folds_together_of(nest) is not None
        case kinds.SEGMENT_REDUCE:
            return labels_of(nest) is not None
        case kinds.PREPACKING:
            return nest.targets[0][0].panels is not None
    return True


def _has_sources(contraction: Contraction, tile: Tiled) -> bool:
    """Whether a contraction's operands are copies where a tile reads windows of a padded copy."""
    if tile.right is OperandSource.PADDED_COPY:
        return read_of_copy(contraction) is not None
    return tile.left is not OperandSource.PADDED_COPY or row_reads(contraction) is not None


def _verify_fold(group: Group) -> None:
    kind = kinds.kind_of(group)
    fits = {kinds.CHOICE_FOLD: choice_fold_of, kinds.TREE_FOLD: tree_fold_of, kinds.EARLY_EXIT: settled_of}
    lawful = kind not in (kinds.LANES, kinds.PIECES) or group.combine is not None
    if kind not in kinds.OF_FOLDS or not lawful or (kind in fits and fits[kind](group) is None):
        raise BrokenPlan(f"a fold cannot run by {kind or 'no schedule'}")
