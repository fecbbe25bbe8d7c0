"""Sorts by digits: elements go into order of one digit of some bits at a time, from the last digit on, and those that
have it in common stay as they were.

    ordinals      a whole number for each key, in the order of the keys: o(i), counted from the least of them
    digits        as few as the greatest of these numbers has, all of about the same width
    repeat        for each digit, the elements of every block are counted by it
                  the counts are added up, digit by digit and block by block: there each block writes its elements
                  every element of a block goes to the next place of its digit

It takes as many rounds as keys have digits, a merge sort as many as the number of elements doubles.
"""

from __future__ import annotations

from collections.abc import Callable

from tolang.ground.conditions import choice, compare
from tolang.ground.dataclasses import dataclass
from tolang.ground.sizes import ONE, ZERO, Size, extremum, floor_division
from tolang.ground.spaces import column
from tolang.nests.nest import (
    Allocate,
    Assign,
    Bind,
    Buffer,
    Constant,
    Each,
    Group,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Reduction,
    Repeat,
    Scalar,
    Step,
)
from tolang.nests.patterns.sort import Sort

WIDEST, WIDEST_OF_FEW = 11, 8
"""How many bits a digit has at the most, so that the ends of all stretches that are written stay in a near cache; and
where there are few elements, so that not more values are counted than there are elements."""
FEW = 1 << 14
BITS_OF_A_WORD = 64
BLOCK, MOST_BLOCKS = 1 << 15, 16
"""How many elements a block has at the least, and how many blocks there are at the most."""
STABLE = {"le": "ordinal", "ge": "ordinal backwards"}
"""The relations of keys that leave equals as they were, with the function that numbers keys in their order."""
STORAGES = frozenset({"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"})
WHOLE, BITS = column("i64"), column("u64")
Targets = tuple[tuple[Buffer, tuple[Size, ...]], ...]
Goals = Callable[[Size], Targets]
"""Where the element that comes to a place is stored."""


def blocks_of(extent: Size) -> Size:
    """How many blocks so many elements are counted in."""
    most = extremum("min", [Size.of(MOST_BLOCKS), floor_division(extent, Size.of(BLOCK))])
    return extremum("max", [ONE, most])


def in_blocks(
    named: Callable[[str], str],
    extent: Size,
    blocks: Size,
    first: Callable[[Size], tuple[Step, ...]],
    each: Callable[[Size, Size], tuple[Step, ...]],
) -> Each:
    """Steps for every block, and for every element in the order of its block, given the block and the place."""
    block, item, low, high = (named(role) for role in ("block", "item", "low", "high"))
    ends = tuple(floor_division((Size.of(block) - k) * extent, blocks) for k in (1, 0))
    bounds = tuple(Bind(n, Index(end, column=WHOLE)) for n, end in zip((low, high), ends, strict=True))
    body = each(Size.of(block), Size.of(low) + Size.of(item))
    loop = Repeat((item,), (Size.of(high) - Size.of(low),), body)
    return Each((block,), (blocks,), (*bounds, *first(Size.of(block)), loop), compact=True)


def has_digits(sort: Sort, key: Buffer) -> bool:
    """Whether a sort can go by digits: equals stay as they were, and keys are numbers of a machine."""
    return sort.relation in STABLE and key.column.storage in STORAGES


@dataclass(frozen=True, slots=True)
class DigitSort:
    """The steps of one sort by digits of the elements in `runs`; `merged` is room beside it.

    `key` is the key at a place, as it is measured, whether elements are in `runs` by then or not.
    """

    sort: Sort
    runs: tuple[Buffer, ...]
    merged: tuple[Buffer, ...]
    named: Callable[[str], str]
    key: Callable[[Size], Scalar]

    @property
    def base(self) -> str:
        """The least of the ordinals, once `measure` has told."""
        return self.named("base")

    @property
    def bits(self) -> str:
        """How many bits the greatest ordinal has, counted from the least, once `measure` has told."""
        return self.named("bits")

    @property
    def number(self) -> Size:
        """How many digits there are, once `measure` has told."""
        return Size.of(self.named("digits"))

    @property
    def values(self) -> Size:
        """How many values a digit has."""
        return Size.of(self.named("values"))

    def declare(self, unknown: int) -> tuple[Step, ...]:
        """Names for what `measure` tells; until then there are so many digits."""
        return (
            Bind(self.base, Constant(0, column=BITS), mutable=True),
            Bind(self.bits, Constant(BITS_OF_A_WORD, column=WHOLE), mutable=True),
            Bind(self.named("digits"), Constant(unknown, column=WHOLE), mutable=True),
            Bind(self.named("width"), Constant(1, column=WHOLE), mutable=True),
        )

    def measure(self) -> tuple[Step, ...]:
        """The least of the ordinals, how many digits the greatest has, counted from there, and how wide these are."""
        place, states = self.named("measured"), (self.named("least"), self.named("greatest"))
        own = self.ordinal(self.key(Size.of(place)))
        steps = tuple(
            Operation(function, (Named(state, column=BITS), own), column=BITS)
            for function, state in zip(("min", "max"), states, strict=True)
        )
        starts = (Constant(2**64 - 1, column=BITS), Constant(0, column=BITS))
        group = Group((place,), (self.sort.extent,), states, (BITS, BITS), starts, steps)
        least, greatest = (Reduction(group, position, column=BITS) for position in (0, 1))
        top, base, bits = self.named("top"), self.base, self.bits
        span = (Named(top, column=BITS), Named(base, column=BITS))
        few = compare("<", self.sort.extent, Size.of(FEW))
        widest = choice(few, Size.of(WIDEST_OF_FEW), Size.of(WIDEST))
        number = floor_division(Size.of(bits) + widest - 1, widest)
        width = floor_division(Size.of(bits) + self.number - 1, self.number)
        return (
            Bind(top, greatest),
            Assign(base, least),
            Assign(bits, Operation("span", span, column=WHOLE)),
            Assign(self.named("digits"), Index(number, column=WHOLE)),
            Assign(self.named("width"), Index(width, column=WHOLE)),
        )

    def ordinal(self, key: Scalar) -> Scalar:
        return Operation(STABLE[self.sort.relation], (key,), column=BITS)

    def digit(self, key: Scalar, shift: str | None) -> Scalar:
        """The digit of a key that lies above as many bits as a name says, or the last one."""
        above: Scalar = Constant(0, column=WHOLE) if shift is None else Named(shift, column=WHOLE)
        origin, width = Named(self.named("origin"), column=BITS), Named(self.named("bits of a digit"), column=WHOLE)
        return Operation("digit", (self.ordinal(key), origin, above, width), column=WHOLE)

    def prepared(self) -> tuple[tuple[Step, ...], Buffer]:
        """Names for what every round needs; and room to count in."""
        counts = Buffer(self.named("counts"), WHOLE, (Size.of(self.named("blocks")), self.values))
        width = Named(self.named("width"), column=WHOLE)
        steps = (
            Bind(self.named("blocks"), Index(blocks_of(self.sort.extent), column=WHOLE)),
            Bind(self.named("values"), Operation("doubled", (Constant(1, column=WHOLE), width), column=WHOLE)),
            Bind(self.named("bits of a digit"), width),
            Bind(self.named("origin"), Named(self.base, column=BITS)),
            Allocate(counts),
        )
        return steps, counts

    @property
    def turn(self) -> Size:
        """Which of the rounds before the last it is."""
        return Size.of(self.named("turn"))

    def rounds(self, counts: Buffer, shift: Size) -> Step:
        """All rounds before the last; each is by the digit that lies above so many bits."""
        exchanges = tuple(zip(self.runs, self.merged, strict=True))
        return Repeat((str(self.turn),), (self.number - 1,), self._round("", shift, counts, self._beside), exchanges)

    def last_round(self, counts: Buffer) -> tuple[Step, ...]:
        """The round by the first digit, which moves elements to where the sort wants them."""
        return self._round(" last", (self.number - 1) * Size.of(self.named("width")), counts, self.wanted)

    def _round(self, which: str, shift: Size, counts: Buffer, goals: Goals) -> tuple[Step, ...]:
        """One digit: its elements counted, the counts added up, the elements moved."""
        return (
            Bind(self.named(f"shift{which}"), Index(shift, column=WHOLE)),
            self._count(counts, which),
            *self._add_up(counts, which),
            self._move(counts, which, goals),
        )

    def _beside(self, at: Size) -> Targets:
        return tuple((b, (at,)) for b in self.merged)

    def wanted(self, at: Size) -> Targets:
        """Where the sort wants the element that comes to a place."""
        place = {self.sort.iterator: at}
        return tuple((b, tuple(index.substitute(place) for index in where)) for b, where in self.sort.targets)

    def _in_blocks(
        self,
        role: str,
        first: Callable[[Size], tuple[Step, ...]],
        each: Callable[[Size, Size, Size], tuple[Step, ...]],
        which: str,
    ) -> Each:
        """Steps for every element, whose digit is bound, in the order of each block."""
        digit, key = self.named(f"digit {role}{which}"), self.runs[self.sort.key]

        def steps(block: Size, at: Size) -> tuple[Step, ...]:
            taken = self.digit(Load(key, (at,), column=key.column), self.named(f"shift{which}"))
            return (Bind(digit, taken), *each(block, at, Size.of(digit) + 1))

        def named(name: str) -> str:
            return self.named(f"{name} {role}{which}")

        return in_blocks(named, self.sort.extent, Size.of(self.named("blocks")), first, steps)

    def _count(self, counts: Buffer, which: str) -> Step:
        place = self.named(f"value{which}")

        def first(block: Size) -> tuple[Step, ...]:
            nothing = Constant(0, column=WHOLE)
            return (Nest((place,), (self.values,), ((counts, (block, Size.of(place))),), (nothing,)),)

        def each(block: Size, at: Size, digit: Size) -> tuple[Step, ...]:
            old = Load(counts, (block, digit), column=WHOLE)
            more = Operation("add", (old, Constant(1, column=WHOLE)), column=WHOLE)
            return (Nest((), (), ((counts, (block, digit)),), (more,)),)

        return self._in_blocks("counted", first, each, which)

    def _add_up(self, counts: Buffer, which: str) -> tuple[Step, ...]:
        """Each count becomes the number of elements before those that it counts."""
        total, own, block, value = (
            self.named(f"{name}{which}") for name in ("total", "own", "block added", "value added")
        )
        place = (Size.of(block), Size.of(value))
        before = Named(total, column=WHOLE)
        body = (
            Bind(own, Load(counts, place, column=WHOLE)),
            Nest((), (), ((counts, place),), (before,)),
            Assign(total, Operation("add", (before, Named(own, column=WHOLE)), column=WHOLE)),
        )
        loop = Repeat((block, value), (Size.of(self.named("blocks")), self.values), body)
        return (Bind(total, Index(ZERO, column=WHOLE), mutable=True), loop)

    def _move(self, counts: Buffer, which: str, goals: Goals) -> Step:
        goal = self.named(f"goal{which}")

        def each(block: Size, at: Size, digit: Size) -> tuple[Step, ...]:
            old = Load(counts, (block, digit), column=WHOLE)
            following = Operation("add", (old, Constant(1, column=WHOLE)), column=WHOLE)
            values = tuple(Load(b, (at,), column=b.column) for b in self.runs)
            return (
                Bind(goal, following),
                Nest((), (), goals(Size.of(goal)), values),
                Nest((), (), ((counts, (block, digit)),), (Named(goal, column=WHOLE),)),
            )

        return self._in_blocks("moved", lambda block: (), each, which)
