"""`map`: the same expression or function at every coordinate."""

from __future__ import annotations

from collections.abc import Sequence

from tolang.check.checking import Checking, need
from tolang.check.frames import Binding, Frame
from tolang.check.indexing import member
from tolang.check.values import (
    FUNCTIONS,
    POISON,
    BundleValue,
    Closure,
    Function,
    Poisoned,
    Problem,
    ScalarValue,
    Scope,
    StarValue,
    Tensor,
    Value,
    Vector,
    measure,
    to_expr,
    whole,
)
from tolang.core.core import Expr, Join, Literal, Map
from tolang.core.types import Type, join_type_lists
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.syntax import tree

LARGEST_RANK = 32
LONGEST_KNOWN = 32
"""A map over at most so many zeros is a vector known while checking, if its elements are: a shape, coordinates."""


def map_form(checking: Checking, node: tree.CallExpression, scope: Scope) -> Value:
    """`map(t, f, names)`."""
    (subject_node, body_node), names_node = form_arguments(node, "map", 2, "map(t, f) or map(t, f, names)")
    subject = checking.value(subject_node, scope)
    refuse_function(subject, subject_node, "map(t, f)")
    if isinstance(subject, Vector):
        unrolled = _over_vector(checking, subject, subject_node, body_node, names_node, scope)
        if unrolled is not None:
            return unrolled
    length = _short_zeros(subject)
    if not length or id(body_node) in checking.unknown_maps:
        return _over_tensor(checking, subject, subject_node, body_node, names_node, scope, node.span)
    with checking.remembering_unknown_maps():
        known = _known_elements(checking, length, subject_node, body_node, names_node, scope)
        if known is not None:
            return known
        checking.unknown_maps.add(id(body_node))
        return _over_tensor(checking, subject, subject_node, body_node, names_node, scope, node.span)


def refuse_function(subject: Value, node: tree.Expression, usage: str) -> None:
    """What a map or fold goes over is a ToL: Python's order of arguments is another."""
    if isinstance(subject, FUNCTIONS):
        raise Problem("E204", "a function stands where a value is expected", node.span,
                      fix=f"the ToL comes first, then the function: {usage}")  # fmt: skip


def form_arguments(
    node: tree.CallExpression, name: str, required: int, usage: str, optional: int = 1
) -> tuple[list[tree.Expression], tree.Expression | None]:
    """The required arguments of a primitive, and the one that may be left out."""
    values = [a.value for a in node.arguments]
    keyword = next((a for a in node.arguments if a.keyword), None)
    if keyword is not None:
        raise Problem("E205", f"{name} takes its arguments by position", keyword.span, expected=usage)
    if not required <= len(values) <= required + optional:
        wanted = f"{required} to {required + optional} arguments" if optional else f"{required} arguments"
        raise Problem("E203", f"{name} takes {wanted}", node.span, found=str(len(values)), expected=usage)
    return values[:required], values[required] if len(values) > required else None


def bind_names(scope: Scope, node: tree.Expression | None, coordinates: tuple[ScalarValue, ...]) -> None:
    """Binds a map's or reduce's iterator names: `j`, `[i,j]` or `*c`."""
    match node:
        case None:
            return
        case tree.NameExpression(id=name):
            scope.names[name] = iterator_value(coordinates)
        case tree.StarName(id=name):
            scope.names[name] = Vector(coordinates)
        case tree.Blocks(items=items) if all(isinstance(i, tree.NameExpression) for i in items):
            coordinates = coordinates or (whole(1),)
            if len(items) != len(coordinates):
                given = f"{len(items)} iterator name{'' if len(items) == 1 else 's'}"
                raise Problem("E302", f"{given} for {len(coordinates)} dimensions", node.span,
                              found=str(len(items)), expected=str(len(coordinates)),
                              fix="write *c for the whole coordinate vector, at any rank")  # fmt: skip
            refuse_equal_names([i for i in items if isinstance(i, tree.NameExpression)], "iterators")
            for item, coordinate in zip(items, coordinates, strict=True):
                assert isinstance(item, tree.NameExpression)
                scope.names[item.id] = coordinate
        case _:
            raise Problem("E208", "iterator names are written j, [i,j] or *c", node.span)


def refuse_equal_names(named: Sequence[tree.Parameter | tree.NameExpression], what: str) -> None:
    """Names that are bound together differ."""
    seen: set[str] = set()
    for one in named:
        if one.id in seen:
            raise Problem("E206", f"two {what} are named {one.id}", one.span)
        seen.add(one.id)


def iterator_value(coordinates: tuple[ScalarValue, ...]) -> Value:
    """`iter`: a numeric over one dimension, a vector over several; over none 1, to which a numeric answers."""
    if not coordinates:
        return whole(1)
    return coordinates[0] if len(coordinates) == 1 else Vector(coordinates)


def at_element(
    checking: Checking,
    body: tree.Expression,
    names: tree.Expression | None,
    star: StarValue,
    scope: Scope,
    frame: Frame,
) -> Value:
    """The second argument of a map at one element: an expression, or a function applied."""
    inner = scope.child(frame, star)
    bind_names(inner, names, star.coordinates)
    value = checking.value(body, inner)
    if isinstance(value, FUNCTIONS):
        arguments = [star.element]
        if takes_coordinates(value, 1):
            arguments.append(iterator_value(star.coordinates))
        return need(checking.call(value, arguments, body.span))
    return value


def takes_coordinates(function: Function, elements: int) -> bool:
    """Whether a function has one further parameter, for the coordinates."""
    return isinstance(function, Closure) and function.required == elements + 1


def _subject_name(node: tree.Expression) -> str | None:
    return node.id if isinstance(node, tree.NameExpression) else None


def _over_vector(
    checking: Checking,
    subject: Vector,
    subject_node: tree.Expression,
    body: tree.Expression,
    names: tree.Expression | None,
    scope: Scope,
) -> Value | None:
    """A map over a vector of scalars, element by element while checking; None where elements come out as ToLs."""
    results = []
    for position, written in enumerate(subject.items, 1):
        checking.spend(body.span)
        item = checking.settle(written, "t")
        star = StarValue(item, (whole(position),), _subject_name(subject_node), scope.star)
        with checking.at(position):
            results.append(at_element(checking, body, names, star, scope, checking.frame))
    if all(isinstance(r, ScalarValue) for r in results):
        return Vector(tuple(r for r in results if isinstance(r, ScalarValue)))
    if any(isinstance(r, BundleValue) for r in results):
        raise Problem("E306", "a map's elements must be lists or ToLs of one shape, not bundles", body.span)
    exprs = [to_expr(r, body.span) for r in results]
    return Tensor(_gathered(exprs, body.span)) if all(not e.type.shape for e in exprs) else None


def _short_zeros(subject: Value) -> int:
    """The length of `tol[n]`, where it is a small number known while checking, else 0."""
    if not isinstance(subject, Tensor) or not isinstance(subject.expr, Literal) or subject.type.rank != 1:
        return 0
    length = subject.type.shape[0].constant
    return length if subject.type.blank and isinstance(length, int) and 0 < length <= LONGEST_KNOWN else 0


def _known_elements(
    checking: Checking,
    length: int,
    subject_node: tree.Expression,
    body: tree.Expression,
    names: tree.Expression | None,
    scope: Scope,
) -> Vector | None:
    """A map over a few zeros as a vector, where each element is known while checking; else None, and no trace."""
    results: list[ScalarValue] = []
    bindings: list[Binding] = []
    spent = checking.work
    for position in range(1, length + 1):
        star = StarValue(whole(0), (whole(position),), _subject_name(subject_node), scope.star)
        try:
            with checking.at(position), checking.inside(checking.new_frame()) as frame:
                value = at_element(checking, body, names, star, scope, frame)
        except (Problem, Poisoned):
            value = POISON
        known = isinstance(value, ScalarValue) and (value.index is not None or value.constant is not None)
        if not isinstance(value, ScalarValue) or not known:
            checking.work = spent
            return None
        results.append(value)
        bindings.extend(frame.bindings)
    checking.frame.bindings.extend(bindings)
    return Vector(tuple(results))


def _gathered(exprs: list[Expr], span: Span | None) -> Expr:
    result = exprs[0].type
    for expr in exprs[1:]:
        columns = join_type_lists(result, expr.type)
        if columns is None:
            raise Problem("E401", "a map's elements must have one type list", span, found=f"{result} and {expr.type}")
        result = Type((), columns)
    return Join(tuple(exprs), 0, type=Type((Size.of(len(exprs)),), result.columns), span=span)


def _over_tensor(
    checking: Checking,
    subject: Value,
    subject_node: tree.Expression,
    body_node: tree.Expression,
    names: tree.Expression | None,
    scope: Scope,
    span: Span,
) -> Value:
    expr = checking.atom(to_expr(subject, subject_node.span))
    shape = expr.type.shape
    name = _subject_name(subject_node)
    if not shape:
        element = checking.settle(subject, "t") if isinstance(subject, ScalarValue) else Tensor(expr)
        return at_element(checking, body_node, names, StarValue(element, (), name, scope.star), scope, checking.frame)
    iterators = fresh_iterators(checking, names, shape)
    coordinates = tuple(measure(Size.of(i), span) for i in iterators)
    with checking.inside(checking.new_frame(*iterators)) as frame:
        star = StarValue(member(checking, Tensor(expr), list(coordinates), span), coordinates, name, scope.star)
        result = to_expr(at_element(checking, body_node, names, star, scope, frame), body_node.span)
        body = frame.wrap(result)
    refuse_varying_shape(body.type, frame.bound() | set(iterators), body_node.span)
    refuse_rank(len(shape) + body.type.rank, span)
    return Tensor(Map(iterators, shape, body, type=Type(shape + body.type.shape, body.type.columns), span=span))


def fresh_iterators(checking: Checking, names: tree.Expression | None, shape: tuple[Size, ...]) -> tuple[str, ...]:
    """Iterators for a shape, called as the user calls them."""
    match names:
        case tree.Blocks(items=items) if len(items) == len(shape):
            bases = [i.id if isinstance(i, tree.NameExpression) else "i" for i in items]
        case tree.NameExpression(id=name) | tree.StarName(id=name):
            bases = [name] * len(shape)
        case _:
            bases = ["i"] * len(shape)
    iterators = tuple(checking.fresh(b) for b in bases)
    for iterator, extent in zip(iterators, shape, strict=True):
        checking.ranges.declare(iterator, ONE, extent)
    return iterators


def refuse_varying_shape(one: Type, inner: set[str], span: Span | None) -> None:
    """The shape of a map's elements may not depend on the element."""
    for length in one.shape:
        if length.names() & inner:
            raise Problem("E307", "the elements of a map must have one shape", span,
                          found=_varying(length),
                          fix="reduce each element to one shape, for instance by a fold")  # fmt: skip


def _varying(length: Size) -> str:
    """How a length that varies is told: as it was written, or as one that only running tells."""
    bases = {n: n.split(".")[0] for n in length.names()}
    if "length" in bases.values():
        return "a length that is known only while running, and may vary with the element"
    readable = length.substitute({n: Size.of(base) for n, base in bases.items()})
    return f"a length of {readable}, which varies with the element"


def refuse_rank(rank: int, span: Span | None) -> None:
    if rank > LARGEST_RANK:
        raise Problem("E302", f"a ToL has at most {LARGEST_RANK} dimensions", span, found=str(rank))
