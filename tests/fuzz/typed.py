"""The types of the small trees: kinds and ranks, filled into every node before it is evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tests.fuzz.kinds import Kind, Meaningless, joined, plain, result
from tests.fuzz.tree import (
    Apply,
    Blocks,
    Call,
    Component,
    Convert,
    Fold,
    If,
    Length,
    Let,
    Listing,
    Literal,
    Map,
    Member,
    Name,
    Node,
    Place,
    Random,
    Range,
    Reshape,
    Star,
    Swap,
    Tile,
    Type,
    Types,
    Zeros,
)

COUNT = Kind("N", "i64", weak=True)
"""What sizes, lengths and coordinates are."""

ELEMENT, RANK = "*", "*rank"


@dataclass(frozen=True)
class Vector:
    """The type of a coordinate vector, whose length is known."""

    length: int


Scope = Mapping[str, Types | Vector]


def typed(node: Node, scope: Scope) -> Types:
    """The type of a node, noted in it and in all nodes inside."""
    node.type = _type(node, scope)
    found: Types = node.type
    return found


def one(node: Node, scope: Scope) -> Type:
    """The type of a node that is no bundle."""
    found = typed(node, scope)
    if not isinstance(found, Type):
        raise Meaningless
    return found


def _type(node: Node, scope: Scope) -> Types:
    match node:
        case Literal(kind=kind):
            return Type(0, (kind,))
        case Name(id=name):
            found = scope[name]
            return Type(1, (COUNT,)) if isinstance(found, Vector) else found
        case Star():
            return _element(scope)
        case Apply(function=function, arguments=arguments):
            return _applied(function, [one(argument, scope) for argument in arguments])
        case Random(limit=limit):
            return Type(0, (result("rand", one(limit, scope).kinds),))
        case Member(subject=subject, items=items):
            own = one(subject, scope)
            return Type(own.rank - sum(_dropped(item, scope) for item in items), own.kinds, own.blank)
        case Component(subject=subject, position=position):
            whole = typed(subject, scope)
            return Type(whole.rank, (whole.kinds[position - 1],)) if isinstance(whole, Type) else whole[position - 1]
        case Length(subject=subject):
            typed(subject, scope)
            return Type(0, (COUNT,))
        case Zeros(items=items):
            for item in items:
                typed(item, scope)
            return Type(len(items), (plain("Z", weak=True),), blank=True)
        case Blocks(items=items):
            return _block(items, scope)
        case Listing(items=items, bundle=bundle):
            parts = tuple(one(item, scope) for item in items)
            return parts if bundle else Type(parts[0].rank, tuple(kind for part in parts for kind in part.kinds))
        case Map():
            return _mapped(node, scope)
        case Fold():
            return _folded(node, scope)
    return _type_of_others(node, scope)


def _type_of_others(node: Node, scope: Scope) -> Types:
    match node:
        case If(condition=condition, then=then, otherwise=otherwise):
            one(condition, scope)
            return together(typed(then, scope), typed(otherwise, scope))
        case Let(id=name, value=value, body=body):
            return typed(body, {**scope, name: typed(value, scope)})
        case Call(parameters=parameters, arguments=arguments, body=body):
            given = dict(zip(parameters, [typed(argument, scope) for argument in arguments], strict=True))
            outside = {name: kind for name, kind in scope.items() if name not in (ELEMENT, RANK)}
            return typed(body, {**outside, **given})
        case Convert(subject=subject, kinds=kinds):
            own = one(subject, scope)
            return Type(own.rank, tuple(_converted(k, goal) for k, goal in zip(own.kinds, kinds, strict=True)))
        case Swap(subject=subject):
            return one(subject, scope)
        case Reshape(subject=subject, items=items):
            for item in items:
                typed(item, scope)
            own = one(subject, scope)
            return Type(len(items), own.kinds, own.blank)
        case Tile(subject=subject, length=length):
            own = one(subject, scope)
            return Type(own.rank - 1, own.kinds * length)
    raise AssertionError(node)


def _converted(kind: Kind, goal: Kind) -> Kind:
    """What a space asks of no machine type stays in the one it is held in."""
    return replace(goal, storage=kind.storage) if kind.family == goal.family and not goal.machine else goal


def _element(scope: Scope) -> Type:
    found = scope[ELEMENT]
    assert isinstance(found, Type)
    return found


def _dropped(item: Node, scope: Scope) -> int:
    """How many dimensions an item of an index takes away."""
    match item:
        case Range(low=low, high=high):
            for end in (low, high):
                if end is not None:
                    typed(end, scope)
            return 0
        case Place():
            rank = scope[RANK]
            assert isinstance(rank, Vector)
            return rank.length
        case Name(id=name) if isinstance(found := scope[name], Vector):
            return found.length
    typed(item, scope)
    return 1


def _applied(function: str, arguments: list[Type]) -> Type:
    """By component; numerics extend to lists and to ToLs."""
    capacity = max(len(argument.kinds) for argument in arguments)
    if any(len(argument.kinds) not in (1, capacity) for argument in arguments):
        raise Meaningless
    rank = max(argument.rank for argument in arguments)
    if any(argument.rank not in (0, rank) for argument in arguments):
        raise Meaningless
    rows = [[argument.kinds[k if len(argument.kinds) > 1 else 0] for argument in arguments] for k in range(capacity)]
    return Type(rank, tuple(result(function, row) for row in rows))


def _block(items: list[Node], scope: Scope) -> Type:
    found = [_block(item.items, scope) if isinstance(item, Blocks) else one(item, scope) for item in items]
    for item, own in zip(items, found, strict=True):
        item.type = own
    kind = found[0]
    for other in found[1:]:
        kind = _lists(kind, other)
    return Type(max(depth(items), *(own.rank for own in found)), kind.kinds, kind.blank)


def depth(items: list[Node]) -> int:
    """How many brackets, written directly, are inside one another."""
    return 1 + max((depth(item.items) for item in items if isinstance(item, Blocks)), default=0)


def together(first: Types, second: Types) -> Types:
    """The type that holds both."""
    if isinstance(first, Type) and isinstance(second, Type):
        if first.rank != second.rank:
            raise Meaningless
        return _lists(first, second)
    if isinstance(first, Type) or isinstance(second, Type) or len(first) != len(second):
        raise Meaningless
    return tuple(Type(a.rank, _lists(a, b).kinds, a.blank and b.blank) for a, b in zip(first, second, strict=True))


def _lists(first: Type, second: Type) -> Type:
    """The lists that hold those of both: blank zeros take the kinds of what they meet."""
    blank = first.blank and second.blank
    if len(first.kinds) != len(second.kinds):
        if first.blank:
            return Type(first.rank, second.kinds)
        if second.blank:
            return Type(first.rank, first.kinds)
        raise Meaningless
    kinds = []
    for one_kind, two_kind in zip(first.kinds, second.kinds, strict=True):
        if first.blank and two_kind.family == "S":
            kinds.append(two_kind)
        elif second.blank and one_kind.family == "S":
            kinds.append(one_kind)
        else:
            kinds.append(joined(one_kind, two_kind))
    return Type(max(first.rank, second.rank), tuple(kinds), blank)


def _mapped(node: Map, scope: Scope) -> Type:
    subject = one(node.subject, scope)
    element = Type(0, subject.kinds, subject.blank)
    inner: dict[str, Types | Vector] = {**scope, ELEMENT: element, RANK: Vector(subject.rank)}
    inner.update({name: Type(0, (COUNT,)) for name in node.iterators})
    if node.vector is not None:
        inner[node.vector] = Vector(subject.rank)
    if node.element is not None:
        inner[node.element] = element
    body = one(node.body, inner)
    return Type(subject.rank + body.rank, body.kinds, body.blank)


def _folded(node: Fold, scope: Scope) -> Types:
    """The state's type is that of the start joined with that of the step, which may need the joined one."""
    subject = one(node.subject, scope)
    state = typed(node.start, scope)
    inner = {**scope, node.element: Type(0, subject.kinds, subject.blank)}
    if node.place is not None:
        inner[node.place] = Type(0, (COUNT,))
    for _ in range(4):
        following = together(state, typed(node.body, {**inner, node.state: state}))
        if following == state:
            return state
        state = following
    raise Meaningless
