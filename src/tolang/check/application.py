"""Basic elementary functions on anything: scalars, lists by component, ToLs element by element."""

from __future__ import annotations

import hashlib
from pathlib import PurePath

from tolang.check.checking import Checking
from tolang.check.indexing import component_of, part_of
from tolang.check.misfits import refuse_misfit
from tolang.check.scalars import apply_static, arity_problem, written
from tolang.check.values import Problem, Tensor, Value, Vector, to_expr
from tolang.core.core import Coordinate, Embed, Expr, Map, Random
from tolang.core.types import Type
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.conditions import compare
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.functions import FUNCTIONS


def apply_basic(checking: Checking, function: str, arguments: list[Value], span: Span | None) -> Value:
    """A basic function of values: numerics extend to the shape of the others, and nothing else broadcasts."""
    checking.spend(span)
    if len(arguments) not in FUNCTIONS[function].arity:
        raise arity_problem(function, len(arguments), span)
    if function != "rand":
        static = apply_static(checking, function, arguments, span)
        if static is not None:
            return static
    result = _applied(checking, function, arguments, span)
    for one in arguments:
        refuse_misfit(one, result.type.columns, span)
    return Tensor(result)


def _applied(checking: Checking, function: str, arguments: list[Value], span: Span | None) -> Expr:
    exprs = [_as_operand(a, arguments, span) for a in arguments]
    shaped = [e for e in exprs if e.type.shape]
    if not shaped:
        return _by_component(checking, function, exprs, span)
    shape = _common_shape(checking, function, shaped, span)
    iterators = tuple(checking.fresh("i") for _ in shape)
    for name, extent in zip(iterators, shape, strict=True):
        checking.ranges.declare(name, ONE, extent)
    atoms = [checking.atom(e) for e in exprs]
    here = tuple(Coordinate(Size.of(name)) for name in iterators)
    with checking.inside(checking.new_frame(*iterators)) as frame:
        elements = [part_of(checking, a, here, span) if a.type.shape else a for a in atoms]
        body = frame.wrap(_by_component(checking, function, elements, span))
    return Map(iterators, shape, body, type=Type(shape, body.type.columns), span=span)


def _as_operand(value: Value, arguments: list[Value], span: Span | None) -> Expr:
    """A vector of one among ToLs stands for its numeric."""
    if isinstance(value, Vector) and len(value.items) == 1:
        others = [a for a in arguments if a is not value]
        if any(isinstance(o, Tensor) and o.type.shape not in ((), (ONE,)) for o in others):
            return value.items[0].expr
    return to_expr(value, span)


def _common_shape(checking: Checking, function: str, shaped: list[Expr], span: Span | None) -> tuple[Size, ...]:
    first = shaped[0].type.shape
    for other in shaped[1:]:
        agree_shapes(checking, function, first, other.type.shape, span)
    return first


def agree_shapes(
    checking: Checking, what: str, first: tuple[Size, ...], second: tuple[Size, ...], span: Span | None
) -> None:
    """Two shapes must be equal: refused if they cannot be, else required when sizes are known."""
    if first == second:
        return
    shown = f"[{', '.join(map(str, first))}] and [{', '.join(map(str, second))}]"
    if len(first) != len(second):
        raise Problem("E301", f"{what} needs equal shapes", span, found=shown, expected="one shape, or numerics",
                      fix="only numerics extend; write map(…, names) to say which coordinates meet")  # fmt: skip
    for one, two in zip(first, second, strict=True):
        if one != two:
            checking.require(compare("==", one, two), f"{what} needs equal shapes, here {shown}", span)


def _by_component(checking: Checking, function: str, exprs: list[Expr], span: Span | None) -> Expr:
    """A basic function of numerics or of lists of one capacity; numerics extend to lists."""
    capacity = max(e.type.capacity for e in exprs)
    if any(e.type.capacity not in (1, capacity) for e in exprs):
        shown = " and ".join(str(e.type.capacity) for e in exprs)
        raise Problem("E403", f"{function} needs lists of one capacity", span, found=shown)
    if capacity == 1:
        return _numeric(checking, function, tuple(exprs), span)
    checking.spend(span, capacity)
    atoms = [checking.atom(e) for e in exprs]
    parts = []
    for position in range(1, capacity + 1):
        row = tuple(component_of(a, position, span) for a in atoms)
        parts.append(_numeric(checking, function, row, span))
    return Embed(tuple(parts), type=Type((), tuple(p.type.column for p in parts)), span=span)


def _place(span: Span | None) -> int:
    """Where something stands in its text; comments and layout do not change it."""
    return span.source.place(span.start) if span else 0


def _file(span: Span) -> str:
    """The file that something stands in: for one of the user's, wherever it lies."""
    return span.source.name if span.source.library else PurePath(span.source.name).name


def _numeric(checking: Checking, function: str, exprs: tuple[Expr, ...], span: Span | None) -> Expr:
    exprs = tuple(checking.lowered(expr) for expr in exprs)
    if function != "rand":
        return written(function, exprs, span)
    path = "/".join(f"{c.name}@{_place(c.span)}" for c in checking.calls)
    own = span is None or span.source is checking.source
    place = f"{path}/{'' if own or span is None else _file(span)}@{_place(span)}"
    if checking.positions:
        place += f"/{checking.positions}"
    site = int.from_bytes(hashlib.blake2b(place.encode(), digest_size=8).digest(), "little")
    result = written(function, exprs, span).type
    return Random(exprs[0], site, tuple(Size.of(i) for i in checking.frame.iterators), type=result, span=span)
