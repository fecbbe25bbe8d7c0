"""What stands around an expression: loops, names and conditions; and where a value may be computed instead.

A value may be computed before a loop on whose coordinates and states it does not depend.  If it does on those of loops
inside of that one it lies along these, as one of their dimensions.  It takes the names that it needs with it, and the
conditions that it stands under, unless it cannot be an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tolang.core.contents import Contents
from tolang.core.core import Call, Expr, If, Let, Literal, Map, Reduce, Variable
from tolang.core.failing import Loops, declare, failing
from tolang.core.gradient.building import applied
from tolang.core.gradient.names import NameSource
from tolang.core.tidy import names_of_sizes
from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass, field
from tolang.ground.symbolic.conditions import Condition, compare, junction
from tolang.ground.symbolic.ranges import Ranges
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.ground.values.spaces import column

FEW_TO_ASK = 16
"""Functions of a condition at the most that is asked ahead for all turns of loops."""
FEW_TO_READ = 16
"""Functions at the most of a number that is sooner computed again than stored and read."""
NOWHERE = -1

Link = tuple[tuple[str, ...], Expr, tuple[tuple[str, int, int], ...]]
"""Names, the value that they stand for, and the names of lengths of it."""


@dataclass(slots=True, eq=False)
class Slot:
    """A place where names can be bound, and what leaves loops to be bound there."""

    links: list[Link] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class EnclosingLoop:
    """One iterator of a map or a fold, and the slot before it; those of one map or fold have the same `node`."""

    name: str
    extent: Size
    slot: int
    node: Map | Reduce


@dataclass(frozen=True, slots=True, eq=False)
class EnclosingBinding:
    """Names of a value; of what only running tells there is no value: states of folds, parameters of calls."""

    names: tuple[str, ...]
    link: Link | None = None


@dataclass(frozen=True, slots=True, eq=False)
class EnclosingBranch:
    """A condition, and which of its branches is meant; and the names in the condition."""

    made: If
    taken: bool
    names: frozenset[str]


Around = Slot | EnclosingLoop | EnclosingBinding | EnclosingBranch


@dataclass(frozen=True, slots=True)
class NameFacts:
    """What is known of a name: where it is bound, on what it depends, what it stands for."""

    place: int
    within: Around
    depends: frozenset[int]
    link: Link | None = None


@dataclass(frozen=True, slots=True)
class ValueSlot:
    """Where a value goes: a slot, coordinates that it gets as its dimensions, and what it takes along."""

    slot: int
    along: tuple[EnclosingLoop, ...]
    turns: Condition
    somewhere: Expr | None
    inside: tuple[EnclosingBinding | EnclosingBranch, ...]


class Surroundings:
    """What stands around an expression, the outermost first, and what is known of names that are bound there.

    Where they are not `guarded` nobody asks whether what is computed elsewhere may be an error.
    """

    def __init__(self, names: Callable[[], NameSource], ranges: Ranges, guarded: bool) -> None:
        self.names, self.ranges, self.guarded = names, ranges, guarded
        self.around: list[Around] = []
        self.known: dict[str, NameFacts] = {}
        self.loops: list[int] = []
        self.slot = NOWHERE
        self.contents = Contents()

    def enter(self, name: str, extent: Size, node: Map | Reduce) -> None:
        place = len(self.around)
        self.loops.append(place)
        self.around.append(EnclosingLoop(name, extent, self.slot, node))
        self.known[name] = NameFacts(place, self.around[place], frozenset([place]))
        declare(self.ranges, [name], [extent])

    def leave(self, start: int) -> None:
        """Forgets what stands around from a place on."""
        del self.around[start:]
        while self.loops and self.loops[-1] >= start:
            self.loops.pop()

    def enter_data(self, names: Iterable[str], lengths: Iterable[tuple[str, int, int]] = ()) -> None:
        """Notes names that nothing inside can do without."""
        place, lengths = len(self.around), tuple(lengths)
        bound = (*names, *(name for name, _, _ in lengths))
        self.around.append(EnclosingBinding(bound))
        self.note_data(names, lengths)
        for name in bound:
            self.known[name] = NameFacts(place, self.around[place], frozenset([place]))

    def note_data(self, names: Iterable[str], lengths: Iterable[tuple[str, int, int]]) -> None:
        for name in names:
            self.ranges.declare(name, None, None)
        for name, _, _ in lengths:
            self.ranges.declare(name, ZERO, None)

    def functions(self, value: Expr, lengths: Iterable[str] = ()) -> int:
        """How many functions an element costs, those of names that are bound in the loops around included.

        The lengths that are bound with a value occur in its type, and cost nothing.
        """
        total = self.contents.of(value).functions
        first = self.loops[0]
        for name in self.names_in(value).difference(lengths):
            known = self.known_of(name)
            if known is not None and known.place > first and known.link is not None and known.link[1].type.shape:
                total += self.functions(known.link[1], (length for length, _, _ in known.link[2]))
        return total

    def names_in(self, expr: Expr) -> frozenset[str]:
        """Names that an expression uses, in its type too, where it may bind some itself."""
        return self.contents.free(expr) | names_of_shape(expr.type)

    def depends(self, names: Iterable[str]) -> frozenset[int]:
        """The loops, states and parameters that names depend on."""
        known = filter(None, map(self.known_of, names))
        return frozenset().union(*(one.depends for one in known))

    def known_of(self, name: str) -> NameFacts | None:
        """What is known of a name that is bound around; None of one that the whole program knows."""
        found = self.known.get(name)
        if found is None or found.place >= len(self.around) or self.around[found.place] is not found.within:
            return None
        return found

    def place(self, value: Expr, used: frozenset[str], has_lengths: bool) -> ValueSlot | None:
        """The outermost place where a value may be computed instead, outside of at least one loop."""
        depends = self.depends(used)
        last = max((one for one in depends if not isinstance(self.around[one], EnclosingLoop)), default=NOWHERE)
        for first in self.loops:
            loop = self.around[first]
            assert isinstance(loop, EnclosingLoop)
            if first < last or first in depends:
                continue
            found = self._place_before(loop, value, used, depends, has_lengths)
            if found is not None:
                return found
        return None

    def _place_before(
        self, loop: EnclosingLoop, value: Expr, used: frozenset[str], depends: frozenset[int], has_lengths: bool
    ) -> ValueSlot | None:
        """The place right before a loop, if a value may be computed there."""
        slot = loop.slot
        if isinstance(loop.node, Map) and not value.type.shape and not value.type.parts:
            slot = next(one.slot for one in self.around if isinstance(one, EnclosingLoop) and one.node is loop.node)
        if slot < max((n for n in depends if not isinstance(self.around[n], EnclosingLoop)), default=NOWHERE):
            return None
        inside = list(self.behind(slot))
        loops = [(n, one) for n, one in inside if isinstance(one, EnclosingLoop)]
        along = tuple(one for n, one in loops if n in depends)
        left = [one for n, one in loops if n not in depends]
        there = {n for n, one in loops if n in depends}
        if along and not self._may_lie_along(along, value, has_lengths, left, slot):
            return None
        if along and not value.type.shape and not self._is_dear_along(value, there):
            return None
        taken = self._taken_along(inside, used, value, left, slot, there)
        if taken is None:
            return None
        conditional = taken[1] is not None or taken[0].constant is None
        if conditional or taken[2]:
            texts = any(column.storage == "text" for column in value.type.columns)
            if has_lengths or value.type.parts or texts:
                return None
        return ValueSlot(slot, along, *taken)

    def behind(self, slot: int) -> Iterator[tuple[int, Around]]:
        """What stands between a slot and here, what is bound in other slots by itself."""
        for place, one in enumerate(self.around[slot + 1 :], slot + 1):
            if isinstance(one, Slot):
                for link in one.links:
                    yield place, EnclosingBinding((*link[0], *(name for name, _, _ in link[2])), link)
            else:
                yield place, one

    def _may_lie_along(
        self, along: Sequence[EnclosingLoop], value: Expr, has_lengths: bool, left: Sequence[EnclosingLoop], slot: int
    ) -> bool:
        """Whether a value may be a ToL over coordinates: no more is stored than was computed."""
        iterators = {loop.name for loop in along}
        if has_lengths or value.type.parts or names_of_sizes(value.type.shape) & iterators:
            return False
        if not all(self._is_there(loop.extent.names(), slot, set()) for loop in along):
            return False
        if any(loop.extent.names() & iterators for loop in along):
            return False
        turns = [loop.extent for loop in left]
        for length in value.type.shape:
            if length.constant is None and length not in turns:
                return False
            if length in turns:
                turns.remove(length)
        return True

    def _is_dear_along(self, value: Expr, along: set[int]) -> bool:
        """Whether a number is sooner read than computed, even without what depends on fewer loops."""
        return self.contents.of(value).functions > FEW_TO_READ and self._folds_along(value, along, {})

    def _folds_along(self, expr: Expr, along: set[int], inner: Mapping[str, frozenset[int]]) -> bool:
        """Whether there is a fold in an expression that depends on some loops; `inner` names do on those they have."""

        def on(names: Iterable[str]) -> frozenset[int]:
            outer = self.depends(name for name in names if name not in inner)
            return outer.union(*(inner[name] for name in names if name in inner))

        match expr:
            case Let(names=names, value=value, body=body, lengths=lengths):
                bound = (*names, *(name for name, _, _ in lengths))
                if self._folds_along(value, along, inner):
                    return True
                return self._folds_along(body, along, {**inner, **dict.fromkeys(bound, on(self.contents.free(value)))})
            case Reduce(iterators=iterators, states=states):
                if along <= on(self.contents.free(expr)):
                    return True
                inner = {**inner, **dict.fromkeys((*iterators, *states), frozenset[int]())}
            case Map(iterators=iterators):
                inner = {**inner, **dict.fromkeys(iterators, frozenset[int]())}
            case Call(sizes=sizes, arguments=arguments):
                given = {name: on(size.names()) for name, size in sizes}
                inner = {**inner, **given, **{name: on(self.contents.free(value)) for name, value in arguments}}
        return any(self._folds_along(child, along, inner) for child in expr.children())

    def _is_there(self, names: Iterable[str], slot: int, there: set[int]) -> bool:
        """Whether nothing that names depend on is bound behind a slot, but for some loops."""
        return all(n < slot or n in there for n in self.depends(names))

    def _taken_along(
        self,
        inside: Sequence[tuple[int, Around]],
        used: frozenset[str],
        value: Expr,
        left: Sequence[EnclosingLoop],
        slot: int,
        there: set[int],
    ) -> tuple[Condition, Expr | None, tuple[EnclosingBinding | EnclosingBranch, ...]] | None:
        """The names and conditions between a slot and a value that it needs there, and that the loops have turns."""
        may_fail = self._failing(value)
        wanted = set(used)
        taken: list[EnclosingBinding | EnclosingBranch] = []
        varying: list[EnclosingBranch] = []
        for _, one in reversed(inside):
            if isinstance(one, EnclosingBranch):
                if not self.guarded:
                    continue
                if self._is_there(one.names, slot, there):
                    taken.append(one)
                    wanted |= one.names
                    may_fail |= set().union(*map(self._failing, one.made.written))
                else:
                    varying.append(one)
            elif isinstance(one, EnclosingBinding) and one.link is not None:
                names, bound, lengths = one.link
                if wanted.isdisjoint([*names, *(name for name, _, _ in lengths)]):
                    continue
                taken.append(one)
                wanted |= self.names_in(bound)
                may_fail |= self._failing(bound)
        somewhere: Expr | None = None
        if varying and may_fail:
            somewhere = self._anywhere(inside, varying[0], there)
            if somewhere is None:
                return None
        needed = [one.extent for one in left if any(one.extent not in loops for loops in may_fail)]
        if not all(self._is_there(extent.names(), slot, there) for extent in needed):
            return None
        turns = junction("and", [compare(">=", extent, ONE) for extent in needed])
        if turns.constant is False:  # it is computed in none of them
            return None
        return turns, somewhere, tuple(reversed(taken))

    def _failing(self, value: Expr) -> set[Loops]:
        return failing(value, self.ranges) if self.guarded else set()

    def _anywhere(
        self, inside: Sequence[tuple[int, Around]], innermost: EnclosingBranch, there: set[int]
    ) -> Expr | None:
        """Whether the branches that a value stands in are taken anywhere in the loops that it leaves; None where that
        takes long to tell, or only running the loops tells it."""
        around = [one for _, one in inside]
        around = around[: around.index(innermost) + 1]
        found: Expr = Literal(True, type=Type((), (column("B"),)))
        wanted = set[str]()
        for place, one in reversed([*zip((n for n, _ in inside), around, strict=False)]):
            match one:
                case EnclosingBranch(made=made, taken=taken, names=names):
                    if any(self.contents.of(test).functions > FEW_TO_ASK for test in made.written):
                        return None
                    never = Literal(False, type=found.type)
                    found = If(
                        made.guard, made.written, *((found, never) if taken else (never, found)), type=found.type
                    )
                    wanted |= names
                case EnclosingBinding(link=(names, value, lengths)) if not wanted.isdisjoint(
                    [*names, *(name for name, _, _ in lengths)]
                ):
                    if self.contents.of(value).functions > FEW_TO_ASK:
                        return None
                    found = Let(names, value, found, lengths, type=found.type)
                    wanted |= self.names_in(value)
                case EnclosingBinding(link=None, names=names) if not wanted.isdisjoint(names):
                    return None
                case EnclosingLoop(name=name, extent=extent) if place not in there:
                    state = self.names().fresh("any")
                    so_far = Variable(state, type=found.type)
                    step = applied("or", so_far, found)
                    start = (Literal(False, type=found.type),)
                    found = Reduce(
                        (name,), (extent,), (state,), start, (found.type,), step, associative=True, type=found.type
                    )
                    wanted |= extent.names()
        return found


def names_of_shape(kind: Type) -> set[str]:
    """Names in the lengths of a type."""
    return set().union(*(names_of_sizes(part.shape) for part in kind.parts or (kind,)))
