"""The rules of reverse mode for everything but folds: how the cotangent of a construct goes to what is inside it."""

from __future__ import annotations

from collections.abc import Callable

from tolang.core.core import (
    Apply,
    Bundle,
    Call,
    Component,
    Convert,
    Coordinate,
    Derivative,
    Embed,
    Expr,
    If,
    Join,
    Let,
    Literal,
    Map,
    Part,
    Random,
    Range,
    Require,
    Reshape,
    Swap,
    Tile,
    Variable,
)
from tolang.core.gradient.adjoint import Adjoint, Cotangent, passed_cotangents
from tolang.core.gradient.building import (
    apply,
    are_same,
    component,
    cotangent_column,
    embedded,
    filled,
    fitted,
    is_real,
    mapped,
    number,
    part,
    refolded,
    settled,
)
from tolang.core.gradient.derivatives import has_derivative, pulled_back
from tolang.core.gradient.frames import BindingFrame, Guard, LoopFrame, RequirementFrame
from tolang.core.gradient.names import substituted
from tolang.core.gradient.normal import is_dear
from tolang.core.rules import block_shapes
from tolang.core.types import Type
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import ONE, Size


def through_variable(adjoint: Adjoint, expr: Variable, cotangent: Cotangent) -> None:
    for place, one in enumerate(cotangent):
        if one is not None:
            adjoint.contribute(expr.name, place, None if expr.type.rank else (), one)


def through_function(adjoint: Adjoint, expr: Apply, cotangent: Cotangent, value: Expr | None) -> None:
    """The derivative column, times the cotangent of the result."""
    given = cotangent[0]
    assert given is not None
    live = [n for n, argument in enumerate(expr.arguments) if adjoint.is_active(argument)]
    if any(expr.arguments[n].type.column.space.family in ("C", "I") for n in live):
        raise adjoint.refuse("a complex number", span=expr.span)
    if not has_derivative(expr.function):
        raise adjoint.refuse(f"the function {expr.function}", span=expr.span)
    if expr.function == "mul" and are_same(*expr.arguments):
        given, live = apply("mul", number(2), given), live[:1]  # the square of an argument
    if len(live) > 1 or expr.function not in ("add", "sub", "neg"):
        given = adjoint.named(given)
    atoms = tuple(adjoint.atom(a) for a in expr.arguments)
    result = value if value is not None else adjoint.atom(expr)
    for n in live:
        argument = expr.arguments[n]
        own = fitted(pulled_back(expr.function, n, atoms, result, given), cotangent_column(argument.type.column))
        adjoint.spread(argument, (own,), atoms[n])


def through_call(adjoint: Adjoint, expr: Call, cotangent: Cotangent) -> None:
    """A definition's own derivative, of the values that it is called with and the cotangent of its result."""
    own = expr.derivative
    assert own is not None
    values: dict[str, Expr] = {name: _given(adjoint, value) for name, value in own.values}
    numbers = {name: Size.of(one.name) for name, one in values.items() if isinstance(one, Variable)}
    values |= _given_cotangents(adjoint, expr, own, cotangent)
    body = refolded(substituted(own.body, adjoint.names, numbers, values))
    names = tuple(adjoint.names.fresh("d") for _ in body.type.parts or (body.type,))
    kinds = body.type.parts or (body.type,)
    adjoint.scope.frames.append(BindingFrame(names, body))
    parts = iter([Variable(name, type=kind) for name, kind in zip(names, kinds, strict=True)])
    for (name, value), passed in zip(own.values, passed_cotangents(own), strict=True):
        real = [is_real(column) for column in value.type.columns]
        if any(real):
            part_of_body = next(parts)
            places = [sum(real[: place + 1]) for place in range(len(real))]
            columns = (component(part_of_body, p) if one else None for p, one in zip(places, real, strict=True))
            if passed is not None:
                adjoint.spread(value, tuple(columns), values[name])


def _given(adjoint: Adjoint, value: Expr) -> Expr:
    """What a call is given, under a name where it may be used as a coordinate or a length."""
    atom = adjoint.atom(value)
    whole = value.type.is_numeric and not is_real(value.type.column)
    return adjoint.scope.bind("t", atom) if whole and not isinstance(atom, Variable) else atom


def _given_cotangents(adjoint: Adjoint, expr: Call, own: Derivative, cotangent: Cotangent) -> dict[str, Expr]:
    """The cotangents of a call's parts by the names that its own derivative has for them."""
    left, cotangents = list(cotangent), iter(own.cotangents)
    found: dict[str, Expr] = {}
    for kind in expr.type.parts or (expr.type,):
        given, left = left[: kind.capacity], left[kind.capacity :]
        pairs = [(one, cotangent_column(c)) for one, c in zip(given, kind.columns, strict=True) if is_real(c)]
        if pairs:
            columns = [filled(0, kind.shape, c) if one is None else settled(one, c) for one, c in pairs]
            found[next(cotangents)[0]] = adjoint.named(embedded(columns))
    return found


def through_draw(adjoint: Adjoint, expr: Random, cotangent: Cotangent) -> None:
    """A draw is its limit times a number that depends on nothing."""
    given = cotangent[0]
    assert given is not None
    limit = adjoint.atom(expr.limit)
    share = apply("div", adjoint.atom(expr), limit)
    adjoint.spread(expr.limit, (apply("mul", given, share),), limit)


def through_map(adjoint: Adjoint, expr: Map, cotangent: Cotangent, value: Expr | None) -> None:
    """The body at every step, with what lies there of the cotangent: by a name where no loop is around.

    At a step of a fold that goes back it has one, too, if it would be dear to have again.
    """
    named = [not adjoint.scope.in_loop or (adjoint.is_at_step and c is not None and is_dear(c)) for c in cotangent]
    given = tuple(adjoint.named(c) if c is not None and one else c for c, one in zip(cotangent, named, strict=True))
    iterators = tuple(adjoint.names.fresh(i) for i in expr.iterators)
    steps = [Size.of(i) for i in iterators]
    body = substituted(expr.body, adjoint.names, dict(zip(expr.iterators, steps, strict=True)))
    loops = (LoopFrame(i, extent) for i, extent in zip(iterators, expr.extents, strict=True))
    with adjoint.scope.inside(*loops):
        elements = tuple(None if c is None else adjoint.at(c, steps) for c in given)
        adjoint.spread(body, elements, None if value is None else adjoint.at(value, steps))


def through_part(adjoint: Adjoint, expr: Part, cotangent: Cotangent) -> None:
    """A name is read at coordinates; a range is a loop over its coordinates."""
    subject = expr.subject
    if isinstance(subject, Component):
        through_component(
            adjoint, replace(subject, subject=part(subject.subject, expr.items), type=expr.type), cotangent
        )
        return
    if not isinstance(subject, Variable):
        through_name(adjoint, subject, lambda name: replace(expr, subject=name), cotangent)
        return
    loops, coordinates, steps = [], [], []
    for item in expr.items:
        if isinstance(item, Coordinate):
            coordinates.append(item.index)
            continue
        loop = LoopFrame(adjoint.names.fresh("q"), item.length)
        steps.append(Size.of(loop.iterator))
        coordinates.append(item.start + steps[-1] - 1)
        loops.append(loop)
    given = cotangent if not loops else tuple(None if c is None else adjoint.named(c) for c in cotangent)
    with adjoint.scope.inside(*loops):
        for place, one in enumerate(given):
            if one is not None:
                adjoint.contribute(subject.name, place, tuple(coordinates), adjoint.at(one, steps))


def through_name(adjoint: Adjoint, value: Expr, use: Callable[[Variable], Expr], cotangent: Cotangent) -> None:
    """What is used by a construct that reads names only gets a name first."""
    name = adjoint.names.fresh("t")
    body = use(Variable(name, type=value.type))
    adjoint.spread(Let((name,), value, body, type=body.type), cotangent)


def through_component(adjoint: Adjoint, expr: Component, cotangent: Cotangent) -> None:
    columns = expr.subject.type.columns
    own = tuple(cotangent[0] if n == expr.position else None for n in range(1, len(columns) + 1))
    adjoint.spread(expr.subject, own)


def through_list(adjoint: Adjoint, expr: Embed | Bundle, cotangent: Cotangent) -> None:
    first = 0
    for one in expr.parts:
        adjoint.spread(one, cotangent[first : first + one.type.capacity])
        first += one.type.capacity


def through_join(adjoint: Adjoint, expr: Join, cotangent: Cotangent) -> None:
    """Each part gets its stretch of the cotangent; a numeric among the parts is a block of one."""
    given = tuple(None if c is None else adjoint.named(c) for c in cotangent)
    start = ONE
    for one, shape in zip(expr.parts, block_shapes([p.type for p in expr.parts], expr.axis), strict=True):
        items: list[Coordinate | Range] = [Range(ONE, length) for length in shape]
        items[expr.axis] = Range(start, shape[expr.axis])
        if not one.type.rank:
            items = [Coordinate(ONE) for _ in shape]
            items[expr.axis] = Coordinate(start)
        start = start + shape[expr.axis]
        adjoint.spread(one, tuple(None if c is None else part(c, tuple(items)) for c in given))


def through_reshape(adjoint: Adjoint, expr: Reshape, cotangent: Cotangent) -> None:
    shape = expr.subject.type.shape
    given = tuple(None if c is None else adjoint.named(c) for c in cotangent)
    if shape:
        adjoint.spread(
            expr.subject, tuple(None if c is None else Reshape(c, type=c.type.with_shape(shape)) for c in given)
        )
    else:
        only = [ONE for _ in expr.type.shape]
        adjoint.spread(expr.subject, tuple(None if c is None else adjoint.at(c, only) for c in given))


def through_tile(adjoint: Adjoint, expr: Tile, cotangent: Cotangent) -> None:
    """Each list came from the last dimension, which is put together again."""
    subject = expr.subject.type
    length = subject.shape[-1]
    given = [None if c is None else adjoint.named(c) for c in cotangent]
    found: list[Expr | None] = []
    for place, column in enumerate(subject.columns):
        if not is_real(column):
            found.append(None)
            continue
        kind = Type((*subject.shape[:-1], ONE), (cotangent_column(column),))
        own = given[place :: subject.capacity]
        layers = [_layer(one, kind) for one in own]
        found.append(Join(tuple(layers), subject.rank - 1, type=kind.with_shape((*subject.shape[:-1], length))))
    adjoint.spread(expr.subject, tuple(found))


def _layer(one: Expr | None, kind: Type) -> Expr:
    """A cotangent with one more dimension, of length 1."""
    return Literal(0, type=kind) if one is None else Reshape(one, type=kind)


def through_swap(adjoint: Adjoint, expr: Swap, cotangent: Cotangent) -> None:
    """`swap` reads what its order says: a map over its coordinates."""
    subject, order = adjoint.names.fresh("t"), adjoint.names.fresh("order")
    iterators = [adjoint.names.fresh("i") for _ in expr.type.shape]
    place = adjoint.names.fresh("d")
    coordinates = [Coordinate(Size.of(i)) for i in iterators]
    source = Variable(order, type=expr.order.type)
    read = Part(source, (coordinates[expr.axis],), type=expr.order.type.element())
    coordinates[expr.axis] = Coordinate(Size.of(place))
    element = part(Variable(subject, type=expr.subject.type), tuple(coordinates))
    body = mapped(iterators, expr.type.shape, Let((place,), read, element, type=element.type))
    body = Let((order,), expr.order, body, type=body.type)
    adjoint.spread(Let((subject,), expr.subject, body, type=body.type), cotangent)


def through_convert(adjoint: Adjoint, expr: Convert, cotangent: Cotangent) -> None:
    before, after = expr.subject.type.columns, expr.type.columns
    if len(before) != len(after):
        raise adjoint.refuse("a complex number", span=expr.span)
    own = (
        None if c is None or not is_real(column) else fitted(c, cotangent_column(column))
        for c, column in zip(cotangent, before, strict=True)
    )
    adjoint.spread(expr.subject, tuple(own))


def through_choice(adjoint: Adjoint, expr: If, cotangent: Cotangent, value: Expr | None) -> None:
    """The branch taken."""
    written = tuple(adjoint.atom(w) for w in expr.written)
    given = tuple(None if c is None else adjoint.named(c) for c in cotangent)
    for branch, holds in ((expr.then, True), (expr.otherwise, False)):
        if adjoint.is_active(branch):
            with adjoint.scope.inside(Guard(expr.guard, written, holds)):
                adjoint.spread(branch, given, value)


def through_binding(adjoint: Adjoint, expr: Let | Require, cotangent: Cotangent, value: Expr | None) -> None:
    """The body first, then the values that it named, latest first."""
    bound: list[Let] = []
    body: Expr = expr
    while isinstance(body, Let | Require):
        if isinstance(body, Require):
            adjoint.scope.frames.append(RequirementFrame(body.condition, body.message))
        else:
            at_hand = adjoint.at_hand.get(body.names[0], body.value)
            adjoint.scope.frames.append(BindingFrame(body.names, at_hand, body.lengths))
            adjoint.activate(body.names, body.value)
            bound.append(body)
        body = body.body
    adjoint.spread(body, cotangent, value)
    for one in reversed(bound):
        spread_binding(adjoint, one.names, one.value)


def spread_binding(adjoint: Adjoint, names: tuple[str, ...], value: Expr) -> None:
    """The cotangents of names, all of whose uses were seen, given on to their value."""
    kinds = value.type.parts or (value.type,)
    cotangent: list[Expr | None] = []
    if names[0] in adjoint.arrived:
        adjoint.contributions.pop(names[0], None)
        cotangent.append(adjoint.arrived[names[0]])
    else:
        for name, kind in zip(names, kinds, strict=True):
            cotangent += adjoint.collected(name, kind)
    if names[0] in adjoint.at_hand and cotangent[0] is not None:
        cotangent[0] = adjoint.noted[names[0]] = adjoint.named(cotangent[0])
    single = Variable(names[0], type=value.type) if len(names) == 1 else None
    if any(one is not None for one in cotangent):
        adjoint.spread(value, tuple(cotangent), single)
