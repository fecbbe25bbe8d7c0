"""What does not change inside a loop is computed once, before it.

    map(x, * - mean(x))     is      m = mean(x);  map(x, * - m)

Loops are maps and folds.  A value leaves all loops but those whose coordinates or states it depends on.  If some of
these are inside one that it leaves, it becomes a ToL over their coordinates:

    map(x, * - mean(x[*,j]), [i,j])     is      m = map(tol[n], mean(x[*,j]), j);  map(x, * - m[j], [i,j])

Values leave that contain a fold, and named ToLs that would be stored in every turn; what is a few functions of an
element is sooner computed again than read.  Nothing is evaluated that the program as written does not evaluate, if it
may be an error: then it is computed only where the loops have turns, and under the conditions around it; of those that
change from turn to turn it is asked ahead if they hold in any, and where that is not known it stays.  No ToL is made
with more elements than are read of it.  Costs are those of the program as written: this is ahead of
compiling and of gradients alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from tolang.core.core import (
    Call,
    Coordinate,
    Core,
    Expr,
    If,
    Let,
    Literal,
    Map,
    Part,
    Range,
    Reduce,
    Require,
    Variable,
)
from tolang.core.failing import failing
from tolang.core.gradient.names import NameSource, names_in, substituted
from tolang.core.rebuild import rebuild
from tolang.core.surroundings import (
    EnclosingBinding,
    EnclosingBranch,
    EnclosingLoop,
    Link,
    NameFacts,
    Slot,
    Surroundings,
    ValueSlot,
    names_of_shape,
)
from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.ranges import Ranges
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.ground.system.recursion import room_to_nest

FEW = 2
"""Functions of an element of a named ToL at the most that is computed wherever it is read."""


@dataclass(frozen=True, slots=True, eq=False)
class Left:
    """A value that left loops, as it is written, for a definition: those loops, and the iterators that it depends on.

    Where it `lies_free` it depends on nothing but definitions of the program.
    """

    definition: str
    value: Expr
    loops: tuple[Map | Reduce, ...]
    extents: tuple[Size, ...]
    along: tuple[str, ...]
    lies_free: bool


def with_invariants_first(program: Core, names: NameSource | None = None) -> Core:
    """The same program, in which no loop computes what is the same in all its turns; new names come from `names`."""
    return _rewritten(program, names)[0]


def with_invariants_named(program: Core) -> tuple[Core, list[Left]]:
    """The program as whoever names these values above writes it, whatever is an error then; and what has left loops."""
    return _rewritten(program, None, guarded=False)


@room_to_nest()
def _rewritten(program: Core, names: NameSource | None, guarded: bool = True) -> tuple[Core, list[Left]]:
    ranges = Ranges()
    for size in program.sizes:
        ranges.declare(size, ZERO, None)
    for one in program.inputs:
        ranges.declare(one.name, None, None)

    @cache
    def own_names() -> NameSource:
        return names or NameSource([*names_in(program.body), *program.sizes])

    hoisting = _Hoisting(own_names, ranges, _WalkOptions(program, guarded))
    body = hoisting.region(program.body)
    if body is program.body:
        return program, []
    auxiliary = {**program.auxiliary, **hoisting.told.made_for}
    return replace(program, body=body, auxiliary=auxiliary), hoisting.told.left


@dataclass(slots=True, eq=False)
class _WalkOptions:
    """What is told of a walk: what left loops, and for which definition values are made; and if errors count."""

    program: Core
    guarded: bool
    left: list[Left] = field(default_factory=list)
    made_for: dict[str, str] = field(default_factory=dict)
    definition: str = ""


class _Hoisting(Surroundings):
    """One walk, of a whole program or of a body that calls share."""

    def __init__(
        self, names: Callable[[], NameSource], ranges: Ranges, told: _WalkOptions, is_whole: bool = True
    ) -> None:
        super().__init__(names, ranges, told.guarded)
        self.told, self.is_whole = told, is_whole
        self._bodies: dict[int, tuple[Expr, Expr]] = {}
        self._unbound = frozenset[str]()
        """Lengths of the values being visited, which the bindings of these values bind."""

    def region(self, expr: Expr) -> Expr:
        """An expression behind the values that are bound right before it."""
        return self._visited(expr, len(self.around))

    def _visited(self, expr: Expr, start: int) -> Expr:
        """A chain of bindings, walked without recursion, and what stands inside; a slot is before each of them."""
        before, kept = self.slot, list[Let | Require]()
        while True:
            self.slot = len(self.around)
            slot = Slot()
            self.around.append(slot)
            if not isinstance(expr, Let | Require):
                inside = self.visit(expr)
                kept.extend(map(_bound, slot.links))
                break
            if isinstance(expr, Require):
                kept.extend(map(_bound, slot.links))
                kept.append(expr)
            else:
                if self.is_whole and not start:
                    name, program = expr.names[0], self.told.program
                    self.told.definition = program.definitions.get(name) or program.auxiliary.get(name, name)
                link = self._link(expr)
                if self.is_whole and not start:
                    self.told.made_for.update({name: self.told.definition for one in slot.links for name in one[0]})
                kept.extend(map(_bound, slot.links))
                if link is not None:
                    kept.append(link)
            expr = expr.body
        del self.around[start:]
        self.slot = before
        for one in reversed(kept):
            inside = one if one.body is inside else replace(one, body=inside, type=inside.type)
        return inside

    def _link(self, expr: Let) -> Let | None:
        """A binding with its value visited; None where it leaves loops as a whole."""
        names = (*expr.names, *(name for name, _, _ in expr.lengths))
        if self.loops and self._is_stored(expr.value):
            found = self._hoisted((expr.names, expr.value, expr.lengths))
            if isinstance(found, NameFacts):
                self.known.update(dict.fromkeys(names, found))
                return None
            value = expr.value if found is None else found
        else:
            value = expr.value
        if value is expr.value:
            unbound = self._unbound
            self._unbound = unbound.union(name for name, _, _ in expr.lengths)
            value = self.visit(value)
            self._unbound = unbound
        made = expr if value is expr.value else replace(expr, value=value)
        link = made.names, made.value, made.lengths
        depends = self.depends(self.names_in(value)) if self.loops else frozenset[int]()
        self.around.append(EnclosingBinding(names, link))
        self.note_data(expr.names, expr.lengths)
        self.known.update(dict.fromkeys(names, NameFacts(len(self.around) - 1, self.around[-1], depends, link)))
        return made

    def visit(self, expr: Expr) -> Expr:
        if not self._is_concerned(expr):
            return expr
        if self.loops and self._is_computed(expr):
            found = self._hoisted(((), expr, ()))
            if isinstance(found, Expr):
                return found
        match expr:
            case Let() | Require():
                return self._visited(expr, len(self.around))
            case Map():
                return self._map(expr)
            case Reduce():
                return self._fold(expr)
            case If():
                return self._choice(expr)
            case Call():
                return self._call(expr)
            case Part(subject=subject):
                made = self.visit(subject)
                return expr if made is subject else replace(expr, subject=made)
        return rebuild(expr, self.visit)

    def _map(self, expr: Map) -> Expr:
        """A map; it is several inside one another where values are bound between its iterators."""
        start, slots = len(self.around), list[Slot]()
        before = self.slot
        for place, (name, extent) in enumerate(zip(expr.iterators, expr.extents, strict=True)):
            if place:
                slots.append(Slot())
                self.slot = len(self.around)
                self.around.append(slots[-1])
            self.enter(name, extent, expr)
        body = self._visited(expr.body, len(self.around))
        self.leave(start)
        self.slot = before
        iterators, extents = expr.iterators, expr.extents
        for place in reversed(range(1, len(iterators))):
            links = slots[place - 1].links
            if links:
                inner = Type((*extents[place:], *body.type.shape), expr.type.columns, expr.type.blank)
                body = Map(iterators[place:], extents[place:], body, type=inner, span=expr.span)
                iterators, extents = iterators[:place], extents[:place]
                for one in reversed(list(map(_bound, links))):
                    body = replace(one, body=body, type=body.type)
        if body is expr.body:
            return expr
        return Map(iterators, extents, body, type=expr.type, span=expr.span)

    def _fold(self, expr: Reduce) -> Expr:
        initials = tuple(map(self.visit, expr.initials))
        start = len(self.around)
        for name, extent in zip(expr.iterators, expr.extents, strict=True):
            self.enter(name, extent, expr)
        self.enter_data(expr.states, expr.lengths)
        step = self._visited(expr.step, len(self.around))
        self.leave(start)
        if step is expr.step and all(a is b for a, b in zip(initials, expr.initials, strict=True)):
            return expr
        return replace(expr, initials=initials, step=step)

    def _choice(self, expr: If) -> Expr:
        written = tuple(map(self.visit, expr.written))
        made = replace(expr, written=written)
        names = frozenset() if expr.guard is None else expr.guard.names()
        names = names.union(*map(self.names_in, written))
        branches: list[Expr] = []
        for taken, branch in ((True, expr.then), (False, expr.otherwise)):
            start = len(self.around)
            self.around.append(EnclosingBranch(made, taken, names))
            branches.append(self._visited(branch, start + 1))
            del self.around[start:]
        same = all(
            a is b for a, b in zip((*written, *branches), (*expr.written, expr.then, expr.otherwise), strict=True)
        )
        return expr if same else replace(made, then=branches[0], otherwise=branches[1])

    def _call(self, expr: Call) -> Expr:
        """A call; a body that calls share is a program by itself."""
        arguments = tuple([(name, self.visit(value)) for name, value in expr.arguments])
        if expr.shared:
            body = self._shared(expr)
        else:
            start = len(self.around)
            self.enter_data((*(name for name, _ in expr.arguments), *(name for name, _ in expr.sizes)))
            body = self._visited(expr.body, start + 1)
            del self.around[start:]
        same = all(a is b for (_, a), (_, b) in zip(arguments, expr.arguments, strict=True))
        return expr if same and body is expr.body else replace(expr, arguments=arguments, body=body)

    def _shared(self, call: Call) -> Expr:
        known = self._bodies.get(id(call.body))
        if known is None:
            inner = _Hoisting(self.names, self.ranges, self.told, is_whole=False)
            inner.contents, inner._bodies = self.contents, self._bodies
            inner.note_data([name for name, _ in call.arguments], [(name, 0, 0) for name, _ in call.sizes])
            known = self._bodies[id(call.body)] = call.body, inner.region(call.body)
        return known[1]

    def _is_concerned(self, expr: Expr) -> bool:
        """Whether anything in an expression may leave loops: folds, and named ToLs."""
        found = self.contents.of(expr)
        return found.fold or found.named if self.loops else found.in_loops

    def _is_computed(self, expr: Expr) -> bool:
        """Whether an expression is computed as a whole, by a fold: a number, or a ToL that is a fold's state."""
        if expr.type.parts or isinstance(expr, Variable) or not self.contents.of(expr).fold:
            return False
        if not expr.type.shape:
            return True
        return _is_fold(expr) and names_of_shape(expr.type).isdisjoint({*self._unbound, *names_in(expr)})

    def _is_stored(self, value: Expr) -> bool:
        """Whether a named value is computed in every turn of the loops around, element by element or as a whole."""
        if not value.type.shape and not value.type.parts:
            return self.contents.of(value).fold
        weight = self.functions(value)
        return weight > FEW or (weight > 0 and bool(failing(value, self.ranges)))

    def _hoisted(self, link: Link) -> Expr | NameFacts | None:
        """A value bound outside of loops: under its names, or what it is read by; None where it stays."""
        names, value, lengths = link
        called = value.definition if isinstance(value, Call) else "invariant"
        used = self.names_in(value) - {name for name, _, _ in lengths}
        place = self.place(value, used, bool(lengths))
        if place is None:
            return None
        self._tell(value, used, place)
        for one in reversed(place.inside):
            if isinstance(one, EnclosingBinding):
                assert one.link is not None
                value = Let(*one.link[:2], value, one.link[2], type=value.type, span=value.span)
            else:
                value = _chosen(one, value)
        if place.turns.constant is None:
            value = If(place.turns, (), value, _nothing(value.type), type=value.type, span=value.span)
        if place.somewhere is not None:
            value = If(None, (place.somewhere,), value, _nothing(value.type), type=value.type, span=value.span)
        if place.along or place.inside or place.somewhere is not None:
            value = self._along(place.along, value)
        if names and not place.along:
            return self._put(place.slot, (names, value, lengths))
        name = self.names().fresh(names[0] if names else called)
        self.known[name] = self._put(place.slot, ((name,), value, ()))
        return _read(name, value.type, place.along, link[1])

    def _tell(self, value: Expr, used: Iterable[str], place: ValueSlot) -> None:
        """Notes a value that leaves loops."""
        left = [one for _, one in self.behind(place.slot) if isinstance(one, EnclosingLoop) and one not in place.along]
        depends = self.depends(used)
        free = self.is_whole and not depends and not place.inside
        known = filter(None, map(self.known_of, used))
        left_too = any(isinstance(one.within, Slot) for one in known)  # names of blocks, which are not known outside
        self.told.left.append(
            Left(
                self.told.definition,
                value,
                tuple(one.node for one in left),
                tuple(one.extent for one in left),
                tuple(one.name for n in sorted(depends) if isinstance(one := self.around[n], EnclosingLoop)),
                free and not left_too,
            )
        )

    def _along(self, along: Sequence[EnclosingLoop], value: Expr) -> Expr:
        """A value at all coordinates of some loops, with names of its own."""
        if not along:
            return substituted(value, self.names())
        fresh = [self.names().fresh(loop.name) for loop in along]
        sizes = {loop.name: Size.of(name) for loop, name in zip(along, fresh, strict=True)}
        extents = tuple(loop.extent for loop in along)
        kind = Type((*extents, *value.type.shape), value.type.columns)
        return Map(tuple(fresh), extents, substituted(value, self.names(), sizes), type=kind, span=value.span)

    def _put(self, slot: int, link: Link) -> NameFacts:
        """Visits a value where it now stands, and binds it there."""
        inner, loops, before = self.around[slot + 1 :], list(self.loops), self.slot
        self.leave(slot + 1)
        self.slot = slot
        value = self.visit(link[1])
        place = self.around[slot]
        assert isinstance(place, Slot)
        made = link[0], value, link[2]
        place.links.append(made)
        self.around.extend(inner)
        self.loops, self.slot = loops, before
        return NameFacts(slot, place, self.depends(self.names_in(value)), made)


def _bound(link: Link) -> Let:
    """A binding around nothing yet."""
    names, value, lengths = link
    return Let(names, value, value, lengths, type=value.type, span=value.span)


def _read(name: str, kind: Type, along: Sequence[EnclosingLoop], value: Expr) -> Expr:
    """A value by its name, at the coordinates of the loops around that it lies along."""
    if not along:
        return Variable(name, type=kind, span=value.span)
    items = [Coordinate(Size.of(loop.name)) for loop in along]
    whole = [Range(ONE, length) for length in kind.shape[len(along) :]]
    return Part(Variable(name, type=kind, span=value.span), (*items, *whole), type=value.type, span=value.span)


def _chosen(one: EnclosingBranch, value: Expr) -> If:
    """A value in the branch it stands in, and nothing in the other."""
    branches = (value, _nothing(value.type)) if one.taken else (_nothing(value.type), value)
    return If(one.made.guard, one.made.written, *branches, type=value.type, span=one.made.span)


def _nothing(kind: Type) -> Expr:
    return Literal(0, type=kind)


def _is_fold(expr: Expr) -> bool:
    while isinstance(expr, Let | Require) or (isinstance(expr, Call) and not expr.shared):
        expr = expr.body
    return isinstance(expr, Reduce)
