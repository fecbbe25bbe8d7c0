"""Programs in a normal form for differentiation: no calls, and no names for what costs nothing or is used once.

What is written `t = map(a, …)` and read once at `t[k]` is read as what stands at `k`: `map(…)[k]` is its body there.
No rewrite makes anything be computed more often than before.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tolang.core.core import (
    Apply,
    Bundle,
    Call,
    Component,
    Coordinate,
    Embed,
    Expr,
    If,
    Join,
    Let,
    Literal,
    Map,
    Measure,
    Part,
    Range,
    Reduce,
    Require,
    Reshape,
    Variable,
)
from tolang.core.gradient.building import apply, chosen, component, is_literal, mapped, number, part, total
from tolang.core.gradient.constants import with_weak_constants
from tolang.core.gradient.names import NameSource, names_in, substituted
from tolang.core.rebuild import rebuild
from tolang.core.tidy import free_names, height, own_names, tidy
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.conditions import compare, junction
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.functions import COSTLY

NO_VALUES: Mapping[str, Expr] = MappingProxyType({})
HIGHEST = 20
"""How many expressions inside one another still go where their only use is."""


def without_calls(expr: Expr, names: NameSource, derived: bool = True) -> Expr:
    """The program with the body of each definition where it is called; `derived`: but those with own derivatives."""
    if not isinstance(expr, Call):
        return rebuild(expr, lambda child: without_calls(child, names, derived))
    if expr.derivative is not None and derived:
        made = rebuild(expr, lambda child: without_calls(child, names))
        assert isinstance(made, Call)
        assert made.derivative is not None
        inner = without_calls(substituted(made.derivative.body, names), names)
        return replace(made, derivative=replace(made.derivative, body=inner))
    arguments = [(name, names.fresh(name), without_calls(value, names, derived)) for name, value in expr.arguments]
    values: dict[str, Expr] = {name: Variable(new, type=value.type) for name, new, value in arguments}
    numbers = {name: Size.of(new) for name, new, value in arguments}
    body = without_calls(substituted(expr.body, names, {**numbers, **dict(expr.sizes)}, values), names, derived)
    for name in names_in(body):
        if expr.shared or name not in names.origin:
            names.origin[name] = expr.definition
    for _, new, value in reversed(arguments):
        body = Let((new,), value, body, type=body.type, span=expr.span)
    return body


def is_free(expr: Expr) -> bool:
    """Whether an expression only names, reads or lists: computing it again costs no EOPs."""
    match expr:
        case Variable() | Literal() | Measure():
            return True
        case Part(subject=subject, items=items):
            return not any(item.written for item in items) and is_free(subject)
        case Component(subject=subject):
            return is_free(subject)
        case Embed(parts=parts):
            return all(is_free(p) for p in parts)
        case Call(body=body):
            return is_free(body)
        case If(guard=guard, written=written, then=then, otherwise=otherwise):
            return guard is not None and not written and is_free(then) and is_free(otherwise)
    return False


def is_dear(expr: Expr, values: Mapping[str, Expr] = NO_VALUES) -> bool:
    """Whether there are functions in an expression that processors have none for, the `values` of names included."""
    if isinstance(expr, Apply) and expr.function in COSTLY:
        return True
    if isinstance(expr, Variable):
        return expr.name in values and is_dear(values[expr.name], values)
    return any(is_dear(child, values) for child in expr.children())


def has_fold(expr: Expr) -> bool:
    """Whether there is a fold in an expression: one inside another fold would not be seen as what it is."""
    return isinstance(expr, Reduce) or any(has_fold(child) for child in expr.children())


@dataclass(slots=True)
class _NameUse:
    """Where a name is used: the iterators around it, and the items if it is a part of it that is used."""

    loops: tuple[str, ...]
    items: tuple[Coordinate | Range, ...] | None = None


@dataclass(slots=True)
class _Uses:
    """All uses of all names of a program, whose names are unique."""

    found: dict[str, list[_NameUse]] = field(default_factory=dict)
    as_sizes: set[str] = field(default_factory=set)
    around: dict[str, int] = field(default_factory=dict)
    folded: set[str] = field(default_factory=set)

    def walk(self, expr: Expr, loops: tuple[str, ...]) -> None:
        while isinstance(expr, Let | Require):
            self._own(expr)
            if isinstance(expr, Let):
                self.walk(expr.value, loops)
                for name in expr.names:
                    self.around[name] = len(loops)
            expr = expr.body
        match expr:
            case Variable(name=name):
                self.found.setdefault(name, []).append(_NameUse(loops))
                return
            case Part(subject=Variable(name=name), items=items):
                self._own(expr)
                self.found.setdefault(name, []).append(_NameUse(loops, items))
                for item in items:
                    for written in item.written:
                        self.walk(written, loops)
                return
            case Map(iterators=iterators, body=body):
                self._own(expr)
                self.walk(body, (*loops, *iterators))
                return
            case Reduce(iterators=iterators, initials=initials, step=step):
                self._own(expr)
                for initial in initials:
                    self.walk(initial, loops)
                self.folded.update(iterators)
                self.walk(step, (*loops, *iterators))
                return
            case Call(derivative=own) if own is not None:
                for _, value in own.values:
                    self.walk(value, loops)
        self._own(expr)
        for child in expr.children():
            self.walk(child, loops)

    def _own(self, expr: Expr) -> None:
        self.as_sizes |= own_names(expr)
        for kind in expr.type.parts or (expr.type,):
            for length in kind.shape:
                self.as_sizes |= length.names()


def simplified(expr: Expr, names: NameSource, rounds: int = 3) -> Expr:
    """The program in normal form."""
    for _ in range(rounds):
        expr = tidy(expr)
        uses = _Uses()
        uses.walk(expr, ())
        rewriting = _Rewriting(names, uses)
        expr = rewriting.visit(expr)
        if not rewriting.inlined:
            break
    return tidy(expr)


class _Rewriting:
    def __init__(self, names: NameSource, uses: _Uses) -> None:
        self.names, self.uses = names, uses
        self.inlined: dict[str, Expr] = {}

    def visit(self, expr: Expr) -> Expr:
        match expr:
            case Let() | Require():
                return self._chain(expr)
            case Variable(name=name) if name in self.inlined:
                return substituted(self.inlined[name], self.names)
        return self._reduced(rebuild(expr, self.visit))

    def _chain(self, expr: Expr) -> Expr:
        kept: list[Let | Require] = []
        while isinstance(expr, Let | Require):
            if isinstance(expr, Require):
                kept.append(expr)
            else:
                value = self.visit(expr.value)
                while isinstance(value, Let | Require):
                    kept.append(value)
                    value = value.body
                known = _size_of(expr, value) if expr.names[0] in self.uses.as_sizes else None
                if known is not None:
                    own = expr.names[0]
                    expr = substituted(expr.body, self.names, {own: known}, {own: value})
                    self.inlined[own] = value
                    continue
                for let in _apart(replace(expr, value=value), self.names):
                    if self._goes_inside(let, let.value):
                        self.inlined[let.names[0]] = let.value
                    else:
                        kept.append(let)
            expr = expr.body
        result = self.visit(expr)
        for one in reversed(kept):
            if (
                isinstance(one, Let)
                and isinstance(result, Variable)
                and one.names == (result.name,)
                and not one.lengths
            ):
                result = one.value
            else:
                result = replace(one, body=result, type=result.type)
        return result

    def _goes_inside(self, let: Let, value: Expr) -> bool:
        """Whether a binding's value stands where its name is used."""
        if len(let.names) > 1 or let.lengths:
            return False
        name = let.names[0]
        if name not in self.uses.around:
            return False  # it was made on the way: how it is used shows in the next round
        if name in self.uses.as_sizes or (isinstance(value, Literal) and value.type.blank):
            return False
        if is_free(value):
            return True
        uses = self.uses.found.get(name, [])
        if isinstance(value, Map):
            return self._is_read(name, value, uses)
        once = len(uses) == 1 and len(uses[0].loops) == self.uses.around[name] and uses[0].items is None
        small = value.type.is_numeric or (isinstance(value, Join) and self.uses.around[name] > 0)
        return once and small and height(value) <= HIGHEST

    def _is_read(self, name: str, value: Map, uses: list[_NameUse]) -> bool:
        """Whether a map is only read at coordinates, each element once, or at no cost."""
        count, deep = len(value.iterators), _depth(value)
        read: list[list[str | None]] = []
        for use in uses:
            own = use.items or ()
            if len(own) < count or not all(isinstance(i, Coordinate) for i in own[:count]):
                return False
            read.append([i.index.name for i in own[:deep] if isinstance(i, Coordinate)])
        if is_free(value.body):
            return True
        if len(uses) != 1:
            return False
        between = uses[0].loops[self.uses.around[name] :]
        if has_fold(value.body) and self.uses.folded.intersection(between):
            return False
        return all(read[0].count(one) == 1 for one in between)

    def _reduced(self, expr: Expr) -> Expr:
        match expr:
            case Part(items=items) if any(item.written and not _of_data(item) for item in items):
                plain = tuple(item if _of_data(item) else replace(item, written=()) for item in items)
                return self._reduced(replace(expr, items=plain))
            case Part(subject=Map() as subject, items=items):
                return self._element(subject, items)
            case Part(subject=Part() as inner, items=items):
                return _composed(inner, items)
            case Part(subject=Literal() as inner, items=items):
                return part(inner, items)
            case Part(subject=Embed(parts=parts) as subject, items=items):
                inside = tuple(self._reduced(part(one, items)) for one in parts)
                return replace(subject, parts=inside, type=expr.type)
            case Component(subject=Embed() as subject, position=position):
                return component(subject, position)
            case Component(subject=Map(iterators=iterators, extents=extents, body=body), position=position):
                return mapped(iterators, extents, self._reduced(component(body, position)))
            case Apply(function="add", arguments=(If() as one, If() as two)):
                return apply("add", one, two)
            case If(guard=guard, then=then, otherwise=otherwise) if guard is not None and guard.constant is not None:
                branch = then if guard.constant else otherwise
                return branch if branch.type == expr.type else expr
            case Reduce():
                return self._at_its_step(expr) or with_weak_constants(expr)
            case Map(iterators=iterators, body=Part(subject=Variable() as subject, items=items)):
                return subject if _is_all(subject, iterators, expr.extents, items) else expr
            case Reshape(subject=Map(extents=extents, body=body) as subject) if not expr.type.shape and extents:
                return expr if body.type.shape else self._element(subject, tuple(Coordinate(ONE) for _ in extents))
            case Map(iterators=iterators, extents=extents, body=Literal() as body):
                return mapped(iterators, extents, body)
        return with_weak_constants(expr)

    def _at_its_step(self, fold: Reduce) -> Expr | None:
        """A sum whose terms are zero but at one step of an iterator is the sum of the terms there."""
        match fold:
            case Reduce(
                initials=(Literal(value=0),),
                step=Apply(function="add", arguments=(Variable(name=name), If(guard=guard, written=()) as term)),
            ) if name == fold.states[0] and guard is not None and is_literal(term.otherwise, 0):
                pass
            case _:
                return None
        for asked in guard.parts if guard.kind == "and" else (guard,):
            for iterator, extent in zip(fold.iterators, fold.extents, strict=True):
                split = asked.size.split(iterator) if asked.kind == "zero" and asked.size is not None else None
                if split is not None and split[0].constant in (1, -1) and fold.type == term.then.type:
                    place = -split[1] * split[0]
                    if not place.names() & set(fold.iterators):
                        return self._with_step(fold, term, iterator, extent, place)
        return None

    def _with_step(self, fold: Reduce, term: If, iterator: str, extent: Size, place: Size) -> Expr | None:
        """A sum with one of its iterators at a place, where that is one of its steps."""
        assert term.guard is not None
        inside = substituted(term.then, self.names, {iterator: place})
        guards = [
            term.guard.substitute({iterator: place}),
            compare(">=", place, Size.of(1)),
            compare("<=", place, extent),
        ]
        left = [(i, e) for i, e in zip(fold.iterators, fold.extents, strict=True) if i != iterator]
        if any(iterator in e.names() for _, e in left):
            return None
        names, extents = [i for i, _ in left], [e for _, e in left]
        inner = {name for guard in guards for name in guard.names()} & set(names)
        if inner:
            inside = chosen(junction("and", guards), (), inside, number(0))
            return total(names, extents, self.names.fresh("s"), inside)
        return chosen(junction("and", guards), (), total(names, extents, self.names.fresh("s"), inside), number(0))

    def _element(self, subject: Map, items: tuple[Coordinate | Range, ...]) -> Expr:
        """`map(…)[k]` is the map's body at k."""
        count = len(subject.iterators)
        sizes: dict[str, Size] = {}
        iterators, extents = [], []
        for name, item in zip(subject.iterators, items[:count], strict=True):
            if isinstance(item, Coordinate):
                sizes[name] = item.index
            else:
                iterators.append(self.names.fresh(name))
                extents.append(item.length)
                sizes[name] = item.start + Size.of(iterators[-1]) - 1
        body = substituted(subject.body, self.names, sizes)
        rest = items[count:]
        return mapped(iterators, extents, self._reduced(part(body, rest)) if rest else self._reduced(body))


def _depth(value: Map) -> int:
    """How many iterators a map has, with those of maps that are its elements."""
    return len(value.iterators) + (_depth(value.body) if isinstance(value.body, Map) else 0)


def _of_data(item: Coordinate | Range) -> bool:
    """Whether a coordinate was written with names of data: functions of constants do not count."""
    return any(free_names(one) for one in item.written)


def _size_of(let: Let, value: Expr) -> Size | None:
    """What a binding names, if it is known without running."""
    match value:
        case Literal(value=int() as number) if len(let.names) == 1 and value.type.is_numeric:
            return Size.of(int(number))
        case Measure(size=size) if len(let.names) == 1:
            return size
    return None


def _apart(let: Let, names: NameSource) -> list[Let]:
    """A binding of the parts of a bundle, or of a list, as bindings of their own."""
    if let.lengths:
        return [let]
    match let.value:
        case Bundle(parts=parts):
            return [Let((n,), v, let.body, type=let.type) for n, v in zip(let.names, parts, strict=True)]
        case Embed(parts=parts) if len(let.names) == 1 and not is_free(let.value):
            costly = list({id(one): one for one in parts if not is_free(one)}.values())
            own = {id(one): Variable(names.fresh(let.names[0]), type=one.type) for one in costly}
            bound = [Let((own[id(one)].name,), one, let.body, type=let.type) for one in costly]
            listed = tuple(own.get(id(one), one) for one in parts)
            return [*bound, replace(let, value=replace(let.value, parts=listed))]
    return [let]


def _is_all(
    subject: Expr, iterators: tuple[str, ...], extents: tuple[Size, ...], items: tuple[Coordinate | Range, ...]
) -> bool:
    """Whether reading at all iterators in order reads the whole ToL as it is."""
    read = [item.index.name if isinstance(item, Coordinate) else None for item in items]
    own = len(iterators)
    rest = zip(items[own:], subject.type.shape[own:], strict=True)
    return (
        read[:own] == list(iterators)
        and subject.type.shape[:own] == extents
        and all(isinstance(i, Range) and i.start.is_constant(1) and i.length == length for i, length in rest)
    )


def _composed(inner: Part, items: tuple[Coordinate | Range, ...]) -> Expr:
    """A part of a part is a part."""
    own: list[Coordinate | Range] = []
    left = list(items)
    for item in inner.items:
        if isinstance(item, Coordinate):
            own.append(item)
            continue
        outer = left.pop(0)
        written = (*item.written, *outer.written)
        if isinstance(outer, Coordinate):
            own.append(Coordinate(item.start + outer.index - 1, written))
        else:
            own.append(Range(item.start + outer.start - 1, outer.length, written))
    return part(inner.subject, tuple(own))
