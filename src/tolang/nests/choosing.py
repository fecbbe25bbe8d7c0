"""Which strategy everything in a plan gets: every nest, every repetition, every fold.

What is chosen depends on what the recognisers in `patterns` find, on the target and on whether order counts; on nothing
that is known only when the program runs.  Where a length that is not known yet decides, the plan gets a branch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

from tolang.ground.conditions import Condition, nonnegative
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.functions import EXACT_IN_ANY_ORDER
from tolang.ground.sizes import Size
from tolang.ground.spaces import is_complex, is_float
from tolang.nests import strategy as strategies
from tolang.nests.collapsing import collapsed
from tolang.nests.grain import FOLD_BLOCK as LARGE_PIECE
from tolang.nests.grain import LABEL_PIECES as MOST_PIECES
from tolang.nests.grain import SCAN_BLOCK as BLOCK
from tolang.nests.nest import (
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
from tolang.nests.passes.borders import filled_first
from tolang.nests.patterns.beginning import beginnings_of, is_all_that_is_left
from tolang.nests.patterns.choice_fold import choice_fold_of
from tolang.nests.patterns.column_folds import read_side_by_side, runs_side_by_side
from tolang.nests.patterns.contraction import Contraction, contraction_of, count_of
from tolang.nests.patterns.few_rows import alternatives, is_small
from tolang.nests.patterns.filters import filter_of
from tolang.nests.patterns.fixed_point import fixed_point_of
from tolang.nests.patterns.folds_together import folds_together_of
from tolang.nests.patterns.histogram import histogram_of
from tolang.nests.patterns.iteration import iterates
from tolang.nests.patterns.labels import labels_of
from tolang.nests.patterns.lanes import lanes_of, lanes_of_fold
from tolang.nests.patterns.map_windows import (
    fits_map_windows,
    is_of_map_windows,
    lanes_of_map_windows,
    places_of_map_windows,
)
from tolang.nests.patterns.matrix_vector import lies_along, matrix_vector_of, together
from tolang.nests.patterns.owned_rows import owned_rows_of
from tolang.nests.patterns.scan import scan_of
from tolang.nests.patterns.settling import settled_of
from tolang.nests.patterns.slim_tiles import by_width
from tolang.nests.patterns.tile import (
    Tile,
    can_overflow,
    computes_less,
    matrix_tile_of,
    narrowed,
    supported,
    tile_of,
)
from tolang.nests.patterns.transposition import transposition_of
from tolang.nests.patterns.tree_fold import tree_fold_of
from tolang.nests.patterns.turned_windows import turned_windows_of
from tolang.nests.patterns.walks import walks_of
from tolang.nests.patterns.window_rows import lie_apart, row_reads, window_rows_of
from tolang.nests.patterns.windows import read_of_copy, with_windows
from tolang.nests.rewriting import Rewriter, map_lists
from tolang.nests.shared_windows import Copy, copy_of, share_windows
from tolang.nests.strategy import (
    BEGINNING,
    CHOICE_FOLD,
    COLUMN_FOLDS,
    CONTRACTION,
    DOUBLE_BUFFERING,
    ELEMENTWISE,
    EXCHANGING,
    FILTERS,
    FIXED_POINT,
    FOLDS,
    FOLDS_TOGETHER,
    HISTOGRAM,
    IN_ORDER,
    ITERATION,
    LABELS,
    LANES,
    MAP_WINDOWS,
    MATRIX_VECTOR,
    OF_FOLDS,
    OF_NESTS,
    OF_REPEATS,
    OWNED_ROWS,
    PIECES,
    SCAN,
    SETTLING,
    TRANSPOSITION,
    TREE_FOLD,
    WALKS,
    WINDOW_ROWS,
    WINDOWS,
    Strategy,
)
from tolang.nests.target import Target
from tolang.nests.traversal import has_fold, inner_steps, nodes_inside, scalars_in, scalars_of, volume
from tolang.nests.verifier import BrokenPlan

SMALL_NUMBERS = "where its numbers cannot overflow"
SLIM = 2
"""How many vectors wide a tile is at the least, for few columns."""
LARGEST_BLOCK = 16
"""The side of blocks that are turned at the most, for them to stay in registers."""


def choose(plan: Plan, target: Target, strict: bool, whole: Mapping[str, Size]) -> Plan:
    """A plan with a strategy for everything in it; in strict mode every fold keeps its order.

    Sizes that are parts of others count as `whole`, so that a part of a nest runs as all of it would.
    """
    choosing = _Choosing(target, strict, whole)
    steps = choosing.steps(plan.steps, inside=False)
    chosen = _handed_on(replace(plan, steps=share_windows(steps, choosing.copies)))
    return map_lists(chosen, lambda steps: tuple(map(_by_matrices, steps))) if target.matrices else chosen


def _handed_on(plan: Plan) -> Plan:
    """A plan that copies no beginnings of buffers of which these are all that is left."""
    kept = frozenset(buffer.name for buffers in plan.outputs for buffer in buffers)
    steps = list(plan.steps)
    for position, step in enumerate(steps):
        if isinstance(step, Nest) and is_all_that_is_left(plan.steps, position, kept):
            steps[position] = replace(step, strategy=Strategy(BEGINNING))
    return replace(plan, steps=tuple(steps))


def _by_matrices(step: Step) -> Step:
    """A contraction in tiles of small matrices, where it can be."""
    if not isinstance(step, Nest) or step.strategy is None or step.strategy.name != CONTRACTION:
        return step
    contraction = contraction_of(step)
    assert contraction is not None
    tile = matrix_tile_of(contraction, Tile.of(step.strategy))
    return step if tile is None else replace(step, strategy=replace(step.strategy, numbers=tile.numbers))


def _seldom(step: Step) -> Step:
    """A step that is taken at sizes that are not the rule."""
    match step:
        case Branch(then=then, otherwise=otherwise):
            return replace(step, then=tuple(map(_seldom, then)), otherwise=tuple(map(_seldom, otherwise)))
        case Each(steps=steps):
            return replace(step, steps=tuple(map(_seldom, steps)))
    if not isinstance(step, Nest) or step.strategy is None:
        return step
    return replace(step, strategy=replace(step.strategy, rare=True))


@dataclass(slots=True)
class _Choosing:
    """`inside` tells throughout whether a step is run by one thread, as the others run their own.

    Conditions on sizes that steps are under are `held`.
    """

    target: Target
    strict: bool
    whole: Mapping[str, Size]
    held: frozenset[Condition] = frozenset()
    groups: dict[tuple[int, str], tuple[Group, Group]] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    copies: dict[str, Copy] = field(default_factory=dict)
    """Buffers that hold copies of windows."""

    def steps(self, steps: tuple[Step, ...], inside: bool) -> tuple[Step, ...]:
        return tuple(made for step in steps for made in self._with_windows(step, inside))

    def _with_windows(self, step: Step, inside: bool) -> list[Step]:
        """A step with its strategies; where it is a contraction that reads windows, a copy of them before it."""
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
        """A step with its strategies, a contraction with the columns that it has."""
        made = self.step(step, inside)
        if isinstance(step, Nest) and isinstance(made, Branch) and self._lies_apart(step):
            return self._by_window_rows(self._with_strategy(step, self.of_nest(step), inside), [made], inside)
        if not isinstance(made, Nest) or made.strategy is None or made.strategy.name != CONTRACTION:
            return [made]
        contraction, tile = contraction_of(made), Tile.of(made.strategy)
        assert contraction is not None
        found = with_windows(contraction, f"windows {next(self.numbers)}_1.1", tile.columns)
        if made.strategy.otherwise is not None:
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

    def _windows(self, contraction: Contraction, nest: Nest, wide: Tile, turned: bool) -> Step:
        """A contraction that reads a copy of its windows; turned ones in a slimmer tile where that computes less.

        Columns of their last two dimensions are one after the other, others have tiles of their own.
        """

        def by(tile: Tile) -> Nest:
            return replace(nest, strategy=Strategy(WINDOWS, narrowed(tile).numbers))

        if not turned or wide.vectors <= SLIM:
            return by(wide)
        slim = tile_of(contraction, self.target, wide.vectors - 1)
        rows, columns = (count_of(one, self.whole) for one in (contraction.rows, contraction.columns[-2:]))
        less = computes_less(slim, wide, rows, columns)
        if less.constant is not None:
            return by(slim if less.constant else wide)
        return Branch(less, (), (by(slim),), (by(wide),))

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

    def _window_rows(self, contraction: Contraction) -> Step:
        """A contraction whose rows are read as they lie, in a slimmer tile where it has few columns."""

        def by(tile: Tile) -> Nest:
            numbers = narrowed(replace(tile, in_place=False, beside=False, offsets=True)).numbers
            return replace(contraction.nest, strategy=Strategy(WINDOW_ROWS, numbers))

        wide = tile_of(contraction, self.target)
        columns = count_of(contraction.columns, self.whole)
        step: Step = by(wide)
        for vectors in range(wide.vectors - 1, SLIM - 1, -1):
            slim = tile_of(contraction, self.target, vectors)
            few = nonnegative(slim.columns - columns)
            if few.constant:
                step = by(slim)
            elif few.constant is None:
                step = Branch(few, (), (_seldom(by(slim)),), (step,))
        return step

    def step(self, step: Step, inside: bool) -> Step:
        match step:
            case Nest():
                return self.nest(step, inside)
            case Each(steps=steps, iterators=iterators):
                return replace(step, steps=self.steps(steps, inside or bool(iterators)))
            case Repeat(steps=steps):
                strategy = self.of_repeat(step, inside)
                shared = strategy.name in (HISTOGRAM, OWNED_ROWS, FILTERS) or bool(strategy.numbers)
                return replace(step, steps=self.steps(steps, inside or shared), strategy=strategy)
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

    def nest(self, nest: Nest, inside: bool) -> Step:
        """A nest with its strategy; a contraction with those for few rows or columns beside it."""
        strategy = self.of_nest(nest)
        chosen = self._with_strategy(nest, strategy, inside)
        if strategy.name != CONTRACTION:
            return chosen
        if is_small(chosen, self.whole):
            return self._with_strategy(nest, Strategy(FOLDS), inside)
        unpacked = (
            self._with_strategy(nest, self._along(nest), inside),
            self._with_strategy(nest, _SIDE_BY_SIDE, inside),
        )
        tiles = by_width(chosen, self.target, self.whole)
        return alternatives(chosen, tiles, *unpacked, self.target.packing_pays, self.whole)

    def _with_strategy(self, nest: Nest, strategy: Strategy, inside: bool) -> Nest:
        ordered = strategy.name in (ITERATION, WALKS)
        within = inside or bool(nest.iterators)
        values = tuple(self.with_folds(value, within, ordered) for value in nest.values)
        return replace(nest, values=values, strategy=strategy)

    def of_nest(self, nest: Nest) -> Strategy:
        if not any(map(has_fold, nest.values)):
            return self._without_folds(nest)
        if _has_complex(nest):
            return Strategy(FOLDS)
        if iterates(nest):
            return Strategy(ITERATION, (("lanes", self.target.vector_bytes // 2),))
        if (walks := walks_of(nest)) is not None:
            return Strategy(WALKS, (("abreast", walks.abreast),))
        if (by_label := labels_of(nest)) is not None:
            free = is_float(by_label.group.columns[0].storage) or by_label.combine in EXACT_IN_ANY_ORDER
            apart = free and not self.strict and not self._is_part(by_label.group.extents[0])
            return Strategy(LABELS, (("pieces", MOST_PIECES if apart else 1),))
        contraction = None if self.strict else contraction_of(nest)
        if contraction is None or not supported(contraction):
            return self._unpacked(nest)
        tile = tile_of(contraction, self.target)
        if not can_overflow(contraction):
            return Strategy(CONTRACTION, tile.numbers)
        plain = _SIDE_BY_SIDE if runs_side_by_side(nest) else Strategy(FOLDS)
        return Strategy(CONTRACTION, tile.numbers, SMALL_NUMBERS, plain)

    def _without_folds(self, nest: Nest) -> Strategy:
        turned = transposition_of(nest)
        if turned is None:
            return Strategy(ELEMENTWISE)
        side = min(LARGEST_BLOCK, self.target.vector_bytes // turned.width)
        return Strategy(TRANSPOSITION, (("side", side),))

    def _unpacked(self, nest: Nest) -> Strategy:
        return _SIDE_BY_SIDE if runs_side_by_side(nest) else self._along(nest)

    def _along(self, nest: Nest) -> Strategy:
        """Folds one after the other along what they read, or several that share an operand, or what they compute."""
        if is_of_map_windows(nest) and (places := places_of_map_windows(nest, self.target)):
            lanes = lanes_of_map_windows(nest, self.target)
            return Strategy(MAP_WINDOWS, (("places", places), ("lanes", lanes)))
        if not self.strict and folds_together_of(nest) is not None:
            return Strategy(FOLDS_TOGETHER)
        product = None if self.strict else matrix_vector_of(nest)
        if product is None or not lies_along(product):
            return Strategy(FOLDS)
        return Strategy(MATRIX_VECTOR, (("together", together(self.target)),))

    # Repetitions

    def of_repeat(self, repeat: Repeat, inside: bool) -> Strategy:
        if repeat.exchanges:
            return Strategy(FIXED_POINT if fixed_point_of(repeat) else DOUBLE_BUFFERING)
        if _has_complex(repeat):
            return Strategy(IN_ORDER if scan_of(repeat) is None else SCAN)
        scan = scan_of(repeat)
        if scan is not None:
            storage = scan.targets[0][0].column.storage
            free = scan.combine is not None and (is_float(storage) or scan.combine in EXACT_IN_ANY_ORDER)
            if not free or self.strict or inside:
                return Strategy(SCAN)
            lanes = lanes_of(scan.targets[0][0].column, scan.steps[0], (scan.extent,))
            return Strategy(SCAN, (("block", BLOCK), ("lanes", lanes)))
        if not self.strict and not inside and len(repeat.iterators) == 1:
            found = histogram_of(repeat)
            if found is not None and found.buffer.column.storage != "bool":
                return Strategy(HISTOGRAM, (("pieces", 1),) if self._is_part(repeat.extents[0]) else ())
        if not inside and owned_rows_of(repeat) is not None:
            return Strategy(OWNED_ROWS)
        if not inside and filter_of(repeat) is not None:
            return Strategy(FILTERS)
        return Strategy(IN_ORDER)

    def _is_part(self, extent: Size) -> bool:
        """Whether a length is a part of another: who cut it has cut as one machine does, so that it stays in one."""
        return bool(extent.names() & self.whole.keys())

    # Folds

    def with_folds(self, scalar: Scalar, inside: bool, ordered: bool = False) -> Scalar:
        """An expression whose folds have strategies; components of one fold share theirs."""
        if not has_fold(scalar):
            return scalar

        def rule(one: Scalar) -> Scalar | None:
            return replace(one, group=self._group(one.group, inside, ordered)) if isinstance(one, Reduction) else None

        return Rewriter(rule=rule).scalar(scalar)

    def _group(self, group: Group, inside: bool, ordered: bool) -> Group:
        strategy = self.of_fold(group, inside, ordered)
        key = id(group), strategy.name
        if key not in self.groups:
            parts = [
                tuple(self.with_folds(one, True, ordered) for one in part) for part in (group.initials, group.steps)
            ]
            made = replace(group, initials=parts[0], steps=parts[1], strategy=strategy)
            self.groups[key] = group, made
        return self.groups[key][1]

    def of_fold(self, group: Group, inside: bool, ordered: bool) -> Strategy:
        if settled_of(group) is not None:
            return Strategy(SETTLING)
        if ordered or any(is_complex(column.storage) for column in group.columns):
            return Strategy(IN_ORDER)
        if choice_fold_of(group) is not None:
            return Strategy(CHOICE_FOLD)
        if self.strict:
            return Strategy(IN_ORDER)
        if tree_fold_of(group) is not None:
            return Strategy(TREE_FOLD)
        if group.combine is None:
            return Strategy(IN_ORDER)
        elements = volume(group.extents)
        alone = inside or (elements is not None and elements <= LARGE_PIECE)
        return Strategy(LANES if alone else PIECES, (("width", lanes_of_fold(group)),))


_SIDE_BY_SIDE = Strategy(COLUMN_FOLDS)


def _has_complex(step: Nest | Repeat) -> bool:
    """Whether complex numbers are among what a step computes with: their folds run one after the other."""
    return any(isinstance(one, Scalar) and is_complex(one.column.storage) for one in nodes_inside(step))


# Verifying


def verify_strategies(plan: Plan) -> None:
    """Raises `BrokenPlan` where something has no strategy, or one that does not suit it."""
    for step in plan.steps:
        _verify(step)


def _verify(step: Step) -> None:
    match step:
        case Nest(strategy=strategy):
            name = "" if strategy is None else strategy.name
            if name not in OF_NESTS or not _suits(step, name):
                raise BrokenPlan(f"the nest {step.origin} cannot run by {name or 'no strategy'}")
        case Repeat(strategy=strategy):
            name = "" if strategy is None else strategy.name
            fits = {
                SCAN: lambda: scan_of(step) is not None,
                HISTOGRAM: lambda: histogram_of(step) is not None,
                OWNED_ROWS: lambda: owned_rows_of(step) is not None,
                FIXED_POINT: lambda: fixed_point_of(step),
                FILTERS: lambda: filter_of(step) is not None,
            }
            if name not in OF_REPEATS or bool(step.exchanges) != (name in EXCHANGING):
                raise BrokenPlan(f"a repetition cannot run by {name or 'no strategy'}")
            if name in fits and not fits[name]():
                raise BrokenPlan(f"a repetition is no {name}")
    for scalar in scalars_of(step):
        for one in scalars_in(scalar):
            if isinstance(one, Reduction):
                _verify_fold(one.group)
    for inner in inner_steps(step):
        _verify(inner)


def _suits(nest: Nest, name: str) -> bool:
    """Whether a nest has the form that a strategy is for."""
    match name:
        case strategies.ELEMENTWISE:
            return not any(map(has_fold, nest.values))
        case strategies.BEGINNING:
            return beginnings_of(nest) is not None
        case strategies.TRANSPOSITION:
            return transposition_of(nest) is not None
        case strategies.CONTRACTION:
            found = contraction_of(nest)
            return found is not None and supported(found)
        case strategies.WINDOWS:
            found = contraction_of(nest)
            return found is not None and supported(found) and read_of_copy(found) is not None
        case strategies.WINDOW_ROWS:
            found = contraction_of(nest)
            return found is not None and supported(found) and row_reads(found) is not None
        case strategies.COLUMN_FOLDS:
            return read_side_by_side(nest)
        case strategies.MAP_WINDOWS:
            numbers = dict(() if nest.strategy is None else nest.strategy.numbers)
            return numbers.keys() == {"places", "lanes"} and fits_map_windows(nest, **numbers)
        case strategies.MATRIX_VECTOR:
            product = matrix_vector_of(nest)
            return product is not None and lies_along(product)
        case strategies.PREPACKED_MATRIX_VECTOR:
            product = matrix_vector_of(nest)
            return product is not None and product.matrix.buffer.panels is not None
        case strategies.ITERATION:
            return iterates(nest)
        case strategies.WALKS:
            return walks_of(nest) is not None
        case strategies.FOLDS_TOGETHER:
            return folds_together_of(nest) is not None
        case strategies.LABELS:
            return labels_of(nest) is not None
        case strategies.PREPACKING:
            return nest.targets[0][0].panels is not None
    return True


def _verify_fold(group: Group) -> None:
    name = "" if group.strategy is None else group.strategy.name
    fits = {CHOICE_FOLD: choice_fold_of, TREE_FOLD: tree_fold_of, SETTLING: settled_of}
    lawful = name not in (LANES, PIECES) or group.combine is not None
    if name not in OF_FOLDS or not lawful or (name in fits and fits[name](group) is None):
        raise BrokenPlan(f"a fold cannot run by {name or 'no strategy'}")
