"""Sums of products of eight-bit numbers take four of them at a time, with what they are less taken out of the sum.

    reduce[k](s = 0 -> s + (a[i,k] - z)*(b[k,j] - y))

    p[i,q] = quad(a[i,4q-3], …, a[i,4q])        of a[i,k]              r[q,j] likewise of b[k,j]
    reduce[q](s = 0 -> dot(s, p[i,q], r[q,j])) - y*reduce[q](dot(0, p[i,q], 1)) - z*reduce[q](dot(0, r[q,j], 1)) + n*z*y

In words of 32 bits, which wrap, that is the same number whatever happens in between.  A sum of floats that are such
differences times scales is the sum of the differences times the scales: it is exact but for the last roundings, where
the sum that is written rounds with every element.  Outside of what a guarded operand reads it is 0, so there its raw
number is its offset.  What is left over of a quad is 0 in both operands.
"""

from __future__ import annotations

from typing import NamedTuple

from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.conditions import nonnegative
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.spaces import column
from tolang.idioms.contraction import Dimensions
from tolang.idioms.dot4 import (
    EIGHT_BITS,
    LONGEST_SUM,
    Dot4Product,
    Eight,
    Producers,
    eight_bits_of,
    is_free,
    lone_axis,
    product_of,
)
from tolang.idioms.dot4_words import FOUR, words_of
from tolang.plan.access import filling, fills
from tolang.plan.nest import (
    DOT,
    DOT_UNSIGNED,
    QUAD,
    Allocate,
    Branch,
    Buffer,
    ConstantScalar,
    Each,
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
)
from tolang.plan.rewriting import Rewriter, kept, map_lists
from tolang.plan.target import Target
from tolang.plan.traversal import volume, walk
from tolang.plan.uses import UseCounts, buffers_read

WORD, BYTE = column("i32"), column("u8")
FEWEST = 3
"""So many numbers that are added at the least make a quad worthwhile."""
ONES, SIGNS = 0x01010101, 0x80808080


def take_quads(plan: Plan, target: Target) -> Plan:
    """Sums of products of eight-bit numbers by quads, where the target has an instruction for these."""
    if target.quads is None:
        return plan
    quads = _Quads(plan, target.quads == "unsigned")
    steps = quads.steps(plan.steps, {})
    if steps is plan.steps:
        return plan
    return _without_unread(replace(plan, steps=(*quads.first, *steps)), quads.seen)


class _Side(NamedTuple):
    """One operand by quads: the word that a step reads, what its numbers are less, and its scale."""

    word: Scalar
    offset: Scalar
    scale: Scalar | None
    own: Dimensions


@dataclass(slots=True)
class _Quads:
    """The quads made so far; `mixed`: the first of two operands has no sign, and the second has one.

    `seen` are buffers that were looked through, `first` steps that come before all others.
    """

    plan: Plan
    mixed: bool
    seen: set[str] = field(default_factory=set)
    first: list[Step] = field(default_factory=list)
    number: int = 0
    made: dict[tuple[str, int, bool], Buffer] = field(default_factory=dict)
    counts: UseCounts = field(init=False)

    def __post_init__(self) -> None:
        self.counts = UseCounts.of(self.plan.steps)

    def steps(self, steps: tuple[Step, ...], around: Producers) -> tuple[Step, ...]:
        """A list of steps, after `around` was computed."""
        producers, before, found = dict(around), dict(self.made), list[Step]()
        for step in steps:
            match step:
                case Nest():
                    found.extend(self._nest(step, producers))
                    self._remember(step, producers)
                case Each(steps=inner) | Repeat(steps=inner):
                    made = self.steps(inner, producers)
                    found.append(step if made is inner else replace(step, steps=made))
                case Branch(then=then, otherwise=otherwise):
                    sides = [self.steps(side, producers) for side in (then, otherwise)]
                    same = sides[0] is then and sides[1] is otherwise
                    found.append(step if same else replace(step, then=sides[0], otherwise=sides[1]))
                case _:
                    found.append(step)
        inputs = {one.name for one in self.plan.inputs}
        self.made = {key: one for key, one in self.made.items() if key in before or key[0] in inputs}
        return kept(steps, tuple(found))

    def _remember(self, nest: Nest, producers: dict[str, Nest]) -> None:
        """A nest that alone writes all of a buffer, each element at its own coordinates."""
        if len(nest.targets) == 1:
            (buffer, at), *_ = nest.targets
            if fills(nest, buffer, at) and self.counts.writes[buffer.name] == 1:
                producers[buffer.name] = nest

    def _nest(self, nest: Nest, producers: Producers) -> list[Step]:
        product = product_of(nest)
        found = None if product is None else self._sides(product, producers)
        if product is None or found is None:
            return [nest]
        total, before = self._by_quads(product, *found, producers)

        def rule(scalar: Scalar) -> Scalar | None:
            return total if isinstance(scalar, Reduction) else None

        return [*before, Rewriter(rule=rule).step(nest)]

    def _sides(self, product: Dot4Product, producers: Producers) -> tuple[Eight, Eight, str] | None:
        """Both operands with raw numbers that are read, and the iterator of the depth that both go along alone."""
        depth = frozenset(product.group.iterators)
        found = [eight_bits_of(operand, producers) for operand in (product.one, product.two)]
        one, two = found
        if one is None or two is None or not is_free(one, depth) or not is_free(two, depth):
            return None
        if product.group.columns[0].storage == "f32" and not 0 < (volume(product.group.extents) or 0) <= LONGEST_SUM:
            return None
        for name, extent in product.depth:
            if all(self._goes_along(eight, name, extent) for eight in (one, two)):
                return one, two, name
        return None

    def _goes_along(self, eight: Eight, name: str, extent: Size) -> bool:
        raw = eight.raw
        if not isinstance(raw, Load) or raw.checks or any(name in guard.names() for guard in eight.guards):
            return False
        known = self.counts.writes[raw.buffer.name] == 1 or raw.buffer.role == "input"
        few = isinstance(extent.constant, int) and extent.constant < FEWEST
        return known and not few and lone_axis(raw, name, extent) is not None

    def _by_quads(
        self, product: Dot4Product, one: Eight, two: Eight, name: str, producers: Producers
    ) -> tuple[Scalar, list[Step]]:
        """A sum of products by quads, and what is computed before it."""
        group = product.group
        self.seen |= self._looked_through(product, producers)
        steps: list[Step] = []
        first, second = (one, product.one), (two, product.two)
        if self.mixed and one.storage == "i8" and two.storage == "u8":
            first, second = second, first
        unsigned = (self.mixed, False)
        sides = [
            self._side(product, eight, operand, name, sign, steps)
            for (eight, operand), sign in zip((first, second), unsigned, strict=True)
        ]
        total = self._total(product, sides, name, steps)
        if group.columns[0].storage == "f32":
            total = Operation("cast", (total,), column=group.columns[0])
            for side in sides:
                if side.scale is not None:
                    total = Operation("mul", (total, side.scale), column=total.column)
        return total, steps

    def _looked_through(self, product: Dot4Product, producers: Producers) -> set[str]:
        """The buffers between operands and their raw numbers."""
        waiting, found = [product.one, product.two], set[str]()
        while waiting:
            for load in (one for one in walk(waiting.pop()) if isinstance(one, Load)):
                name = load.buffer.name
                if name in producers and load.column.storage not in EIGHT_BITS and name not in found:
                    found.add(name)
                    waiting.append(producers[name].values[0])
        return found

    # Operands

    def _side(
        self, product: Dot4Product, eight: Eight, operand: Scalar, name: str, unsigned: bool, steps: list[Step]
    ) -> _Side:
        raw = eight.raw
        assert isinstance(raw, Load)
        axis = next(k for k, index in enumerate(raw.indices) if index == Size.of(name))
        flipped = (eight.storage == "u8") != unsigned
        buffer = self._quads(raw, axis, flipped, steps)
        word: Scalar = Load(buffer, raw.indices, column=WORD)
        offset, outside = _offsets(eight, flipped)
        for guard in eight.guards[::-1]:
            word = Select(guard, (), word, outside, column=WORD)
        return _Side(word, offset, eight.scale, product.own(operand))

    def _quads(self, raw: Load, axis: int, flipped: bool, steps: list[Step]) -> Buffer:
        """A buffer with four numbers of another to a word along an axis, made before it is needed."""
        source = raw.buffer
        key = source.name, axis, flipped
        if key not in self.made:
            shape = tuple(words_of(length) if k == axis else length for k, length in enumerate(source.shape))
            buffer = Buffer(f"quads {self._next()}_1.1", WORD, shape, span=source.span)
            iterators = tuple(f"{buffer.name} {k}" for k in range(len(shape)))
            value = self._quad(source, tuple(map(Size.of, iterators)), axis, flipped)
            if flipped:
                value = Operation("xor", (value, _word(SIGNS)), column=WORD)
            where = self.first if source.role == "input" else steps
            where += [Allocate(buffer), filling(buffer, iterators, value, "quads")]
            self.made[key] = buffer
        return self.made[key]

    def _quad(self, source: Buffer, at: tuple[Size, ...], axis: int, flipped: bool) -> Scalar:
        """Four numbers along an axis; what is left over of the last quad, which has one at least, is 0 in the end."""
        places = [at[axis] * FOUR - (FOUR - 1 - which) for which in range(FOUR)]
        around = [tuple(place if k == axis else index for k, index in enumerate(at)) for place in places]
        numbers = [Load(source, indices, column=source.column) for indices in around]
        none = ConstantScalar((128 if source.column.storage == "u8" else -128) if flipped else 0, column=source.column)
        quads = [
            Operation(QUAD, (*numbers[:count], *[none] * (FOUR - count)), column=WORD) for count in range(1, FOUR + 1)
        ]
        length = source.shape[axis]
        if isinstance(length.constant, int) and length.constant % FOUR == 0:
            return quads[-1]
        value: Scalar = quads[0]
        for place, quad in zip(places[1:], quads[1:], strict=True):
            value = Select(nonnegative(length - place), (), quad, value, column=WORD)
        return value

    def _next(self) -> int:
        self.number += 1
        return self.number

    # Sums

    def _total(self, product: Dot4Product, sides: list[_Side], name: str, steps: list[Step]) -> Scalar:
        """The sum of products of differences, of sums of raw numbers."""
        old = product.group
        state = old.states[0]
        extents = tuple(words_of(extent) if one == name else extent for one, extent in product.depth)
        initial = old.initials[0] if old.columns[0].storage == "i32" else _word(0)
        step = self._dot(Named(state, column=WORD), sides[0].word, sides[1].word)
        group = Group(old.iterators, extents, old.states, (WORD,), (initial,), (step,), "add", old.associative)
        total: Scalar = Reduction(group, 0, column=WORD)
        for k, side in enumerate(sides):
            offset = sides[1 - k].offset
            if not _is_zero(offset):
                own = self._sum(product, k, side, group, name, steps)
                total = _arithmetic("sub", total, _arithmetic("mul", offset, own))
        offsets = [side.offset for side in sides]
        if not any(map(_is_zero, offsets)):
            count = ONE
            for _, extent in product.depth:
                count = count * extent
            times = Operation("cast", (Index(count, column=column("Z")),), column=WORD)
            total = _arithmetic("add", total, _arithmetic("mul", _arithmetic("mul", *offsets), times))
        return total

    def _dot(self, state: Scalar, one: Scalar, two: Scalar) -> Scalar:
        return Operation(DOT_UNSIGNED if self.mixed else DOT, (state, one, two), column=WORD)

    def _sum(self, product: Dot4Product, which: int, side: _Side, fold: Group, name: str, steps: list[Step]) -> Scalar:
        """The sum of the raw numbers of one operand, computed once for each of its own coordinates."""
        buffer = Buffer(f"sums {self._next()}_1.1", WORD, tuple(e for _, e in side.own))
        named = {one: f"{buffer.name} {one}" for one in (*(n for n, _ in side.own), *fold.iterators)}
        renaming = Rewriter({old: Size.of(new) for old, new in named.items()})
        ones = self._ones(product, name)
        pair = (side.word, ones) if which == 0 else (ones, side.word)
        state = f"{buffer.name} state"
        step = renaming.scalar(self._dot(Named(state, column=WORD), *pair))
        iterators = tuple(named[one] for one in fold.iterators)
        group = Group(iterators, fold.extents, (state,), (WORD,), (_word(0),), (step,), "add", True)
        at = tuple(Size.of(named[n]) for n, _ in side.own)
        nest = Nest(
            tuple(named[n] for n, _ in side.own),
            buffer.shape,
            ((buffer, at),),
            (Reduction(group, 0, column=WORD),),
            "sums",
        )
        steps += [Allocate(buffer), nest]
        return Load(buffer, tuple(Size.of(n) for n, _ in side.own), column=WORD)

    def _ones(self, product: Dot4Product, name: str) -> Scalar:
        """A quad of ones; in the last one of a row, as many as there are numbers."""
        extent = dict(product.depth)[name]
        place = Size.of(name) * FOUR
        if not isinstance(extent.constant, int):
            there = [nonnegative(extent - place + (FOUR - 1 - k)) for k in range(FOUR)]
            numbers = [Select(one, (), _byte(1), _byte(0), column=BYTE) for one in there]
            return Operation(QUAD, tuple(numbers), column=WORD)
        over = extent.constant % FOUR
        if not over:
            return _word(ONES)
        return Select(nonnegative(extent - place), (), _word(ONES), _word(ONES % 256**over), column=WORD)


def _word(number: int) -> ConstantScalar:
    """A word of 32 bits, as the whole number with a sign that has its bits."""
    bits = number % 2**32
    return ConstantScalar(bits - 2**32 if bits >= 2**31 else bits, column=WORD)


def _byte(number: int) -> ConstantScalar:
    return ConstantScalar(number, column=BYTE)


def _is_zero(scalar: Scalar) -> bool:
    return isinstance(scalar, ConstantScalar) and scalar.value == 0


def _arithmetic(function: str, one: Scalar, two: Scalar) -> Scalar:
    return Operation(function, (one, two), column=WORD)


def _offsets(eight: Eight, flipped: bool) -> tuple[Scalar, Scalar]:
    """What the numbers of a quad are less, as a word, and the quad that stands for 0."""
    shift = 0 if not flipped else 128 if eight.storage == "i8" else -128
    match eight.offset:
        case None:
            return _word(shift), _word(shift % 256 * ONES)
        case ConstantScalar(value=value):
            return _word(int(value) + shift), _word((int(value) + shift) % 256 * ONES)
        case offset:
            wide = Operation("cast", (offset,), column=WORD)
            quad: Scalar = Operation(QUAD, (offset,) * FOUR, column=WORD)
            if flipped:
                quad = Operation("xor", (quad, _word(SIGNS)), column=WORD)
            return (_arithmetic("add", wide, _word(shift)) if shift else wide), quad


def _without_unread(plan: Plan, names: set[str]) -> Plan:
    """A plan without those of some buffers that nothing reads any more, and without what computes them."""
    gone = names - buffers_read(plan.steps) - plan.output_names
    if not gone:
        return plan
    left = map_lists(plan, lambda steps: tuple(one for one in steps if not _makes(one, gone)))
    return _without_unread(left, names - gone)


def _makes(step: Step, names: set[str]) -> bool:
    """Whether all that a step does is to allocate or to write one of some buffers."""
    match step:
        case Nest(targets=((buffer, _),)) | Allocate(buffer=buffer):
            return buffer.name in names
    return False
