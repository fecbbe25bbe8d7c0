"""Members, sub-ToLs and components: what `t[…]`, `part` and `t[j]'` mean."""

from __future__ import annotations

from tolang.check.checking import Checking
from tolang.check.index_hints import chosen_by, counted_from, ends_counted_from
from tolang.check.scalars import arithmetic
from tolang.check.values import (
    BundleValue,
    Problem,
    Ratio,
    ScalarValue,
    Tensor,
    Value,
    Vector,
    is_atomic,
    measure,
    to_expr,
    whole,
)
from tolang.core.core import (
    Apply,
    Call,
    Component,
    Coordinate,
    Embed,
    Expr,
    Join,
    Literal,
    Measure,
    Part,
    Range,
    Reshape,
    Variable,
)
from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.conditions import compare, nonnegative
from tolang.ground.symbolic.sizes import ONE, ZERO, Size


@dataclass(frozen=True, slots=True)
class SliceOf:
    """`a:b` with its ends evaluated; an end left out is None."""

    lower: Value | None
    upper: Value | None


WHOLE = SliceOf(None, None)
LARGEST_FACTOR = 2**63 - 1
"""Numbers in coordinates and lengths beyond this cannot be meant."""

Item = Value | SliceOf


def size_of(checking: Checking, value: Value, span: Span | None) -> tuple[Size, tuple[Expr, ...]]:
    """A value as a coordinate or length, floored once; with the expression written, where it reads data."""
    match value:
        case ScalarValue(index=Ratio() as index):
            return _floor(checking, index, span), ()
        case ScalarValue(constant=float(number)) if number != number or number in (float("inf"), float("-inf")):
            shown = "NaN" if number != number else "Inf" if number > 0 else "-Inf"
            raise Problem("E304", f"{shown} is not a coordinate or length", span)
        case ScalarValue(expr=expr):
            _refuse_unreal(expr, span)
            return _floor(checking, ratio_of(checking, expr)[0], span), ()
        case Vector(items=(single,)):
            return size_of(checking, single, span)
        case Tensor(expr=expr):
            if expr.type.shape == (ONE,):
                named = checking.items.get(expr.name) if isinstance(expr, Variable) else None
                expr = named[0] if named else part_of(checking, expr, (Coordinate(ONE),), span)
            if not expr.type.is_numeric:
                raise Problem("E304", "a coordinate or length must be a numeric", span, found=str(expr.type))
            _refuse_unreal(expr, span)
            index, rest = ratio_of(checking, expr)
            return _floor(checking, index, span), () if is_atomic(rest) else (rest,)
    found = "a vector" if isinstance(value, Vector) else "no numeric"
    raise Problem("E304", "a coordinate or length must be a numeric", span, found=found)


def _refuse_unreal(expr: Expr, span: Span | None) -> None:
    """Text and complex numbers are no coordinates."""
    if expr.type.column.space.family not in ("B", "Z", "Q", "R"):
        raise Problem("E304", "a coordinate or length must be a real number", span, found=str(expr.type))


def length_of(checking: Checking, value: Value, span: Span | None) -> Size:
    """A value as a length.  Where functions of data give it they are bound to a name, so that they count."""
    length, written = size_of(checking, value, span)
    for expr in written:
        if _is_local(expr):
            named = checking.emit("d", expr)
            checking.ranges.declare(named.name, None, None)
            checking.require(compare("==", Size.of(named.name), length), "a length is what it was computed to be", span)
    return length


def _is_local(expr: Expr) -> bool:
    """Whether an expression uses a value that was computed, rather than a program's inputs and sizes alone."""
    if isinstance(expr, Variable):
        return "." in expr.name
    if isinstance(expr, Call):
        return True
    return any(_is_local(child) for child in expr.children())


def _floor(checking: Checking, index: Ratio, span: Span | None) -> Size:
    try:
        size = checking.ranges.simplify(index.floor())
    except ZeroDivisionError:
        raise Problem("E304", "a coordinate or length is divided by zero", span) from None
    if not all(-LARGEST_FACTOR <= factor <= LARGEST_FACTOR for factor in size.terms.values()):
        raise Problem("E304", "a coordinate or length is far beyond the whole numbers of 64 bits", span)
    return size


def ratio_of(checking: Checking, expr: Expr) -> tuple[Ratio, Expr]:
    """The exact value of a numeric expression in terms of names, and the expression with these names in it.

    What is no sum, product or quotient of whole numbers gets a name of its own, and counts where it is bound.
    """
    match expr:
        case Measure(size=size):
            return Ratio(size), expr
        case Literal(value=bool() | int() as value):
            return Ratio(Size.of(int(value))), expr
        case Variable(name=name) if expr.type.column.space.family in ("Z", "B"):
            if name not in checking.ranges.ranges:
                _declare(checking, expr)
            return Ratio(Size.of(name)), expr
        case Apply(function=function, arguments=arguments) if all(_is_rational(a) for a in arguments):
            inner = [ratio_of(checking, a) for a in arguments]
            exact = arithmetic(function, [index for index, _ in inner])
            if exact is not None and not (function == "mod" and _may_be_zero(checking, arguments[1], inner[1][0])):
                return exact, replace(expr, arguments=tuple(rest for _, rest in inner))
    known = _known_read(checking, expr)
    if known is not None:
        return Ratio(Size.of(known.name)), known
    named = checking.emit("d", expr)
    _declare(checking, named)
    return Ratio(Size.of(named.name)), named


def _may_be_zero(checking: Checking, divisor: Expr, value: Ratio) -> bool:
    """Whether data may say that a divisor is zero: then there is no remainder, and computing it tells so."""
    if not _is_of_data(divisor):
        return False
    above, below = value.numerator - 1, -value.numerator - 1
    return not (checking.ranges.proves_nonnegative(above) or checking.ranges.proves_nonnegative(below))


def _is_of_data(expr: Expr) -> bool:
    return isinstance(expr, Variable) or any(map(_is_of_data, expr.children()))


def _declare(checking: Checking, named: Variable) -> None:
    """Says of a name what its space does: one of which nothing is said is taken for a length, for no less than 0."""
    space = named.type.column.space
    low, high = (0, None) if space.family == "B" else space.limits
    ends = [Size.of(end) if isinstance(end, int) else None for end in (low, high)]
    checking.ranges.declare(named.name, ends[0], ends[1])


def _known_read(checking: Checking, expr: Expr) -> Variable | None:
    """The name that the same member of the same ToL has in this frame: t[i] twice is one number, and cancels."""
    if not is_atomic(expr):
        return None
    for binding in checking.frame.bindings:
        if binding.value is not None and len(binding.names) == 1 and _same_read(binding.value, expr):
            return Variable(binding.names[0], type=expr.type, span=expr.span)
    return None


def _same_read(one: Expr, two: Expr) -> bool:
    match one, two:
        case Variable(name=name), Variable(name=other):
            return name == other
        case Part(subject=subject, items=items), Part(subject=other, items=others):
            return items == others and _same_read(subject, other)
        case Component(subject=subject, position=position), Component(subject=other, position=place):
            return position == place and _same_read(subject, other)
    return False


def _is_rational(expr: Expr) -> bool:
    """Whether an expression is a whole number, or a quotient of such, which is exact until it is floored."""
    if expr.type.column.space.family in ("Z", "B"):
        return True
    match expr:
        case Apply(function="add" | "sub" | "mul" | "div" | "neg" | "pow", arguments=arguments):
            return all(_is_rational(argument) for argument in arguments)
    return False


def member(checking: Checking, subject: Value, items: list[Item], span: Span | None) -> Value:
    """`subject[items]`: a member, a sub-ToL, or of a vector of scalars a scalar or vector again."""
    flat = _spliced(checking, items, span)
    if isinstance(subject, BundleValue):
        raise Problem("E306", "a bundle of ToLs has no coordinates", span, fix="take one component with [j]'")
    static = _static_member(checking, subject, flat, span)
    if static is not None:
        return static
    expr = to_expr(subject, span)
    if not expr.type.shape:
        return _member_of_numeric(checking, subject, flat, span)
    if len(flat) > expr.type.rank:
        dimensions = f"{expr.type.rank} dimension{'' if expr.type.rank == 1 else 's'}"
        expected = f"at most {expr.type.rank}, its shape is {_shape(expr.type)}"
        message = f"too many coordinates: {len(flat)} for {dimensions}"
        spliced = any(isinstance(one, Vector) or (isinstance(one, Tensor) and one.type.shape) for one in items)
        masks = [depth for one in items if (depth := _mask_depth(one)) is not None]
        fix = chosen_by(span, next(iter(masks), None)) if spliced else None
        raise Problem("E302", message, span, found=f"{len(flat)}", expected=expected, fix=fix)
    flat = flat + [WHOLE] * (expr.type.rank - len(flat))
    chosen: list[Coordinate | Range] = []
    for axis, (item, extent) in enumerate(zip(flat, expr.type.shape, strict=True), 1):
        chosen.append(_item(checking, item, extent, axis, span))
    return wrap(part_of(checking, checking.atom(expr), tuple(chosen), span))


def wrap(expr: Expr) -> Value:
    """A core expression as a value: literals stay scalars."""
    if (
        isinstance(expr, Literal)
        and expr.type.is_numeric
        and isinstance(expr.value, int)
        and not isinstance(expr.value, bool)
    ):
        return ScalarValue(expr, Ratio(Size.of(expr.value)))
    return Tensor(expr)


def _shape(one: Type) -> str:
    return f"[{', '.join(str(s) for s in one.shape)}]"


def _mask_depth(item: Item) -> int | None:
    """How many dimensions truth values have that stand in an index; None for coordinates."""
    if isinstance(item, Vector):
        return 1 if item.items and item.items[0].expr.type.column.space.family == "B" else None
    is_mask = isinstance(item, Tensor) and item.type.shape and item.type.column.space.family == "B"
    return item.type.rank if isinstance(item, Tensor) and is_mask else None


def _spliced(checking: Checking, items: list[Item], span: Span | None) -> list[Item]:
    """Vectors among the items written out, one coordinate each."""
    flat: list[Item] = []
    for item in items:
        if isinstance(item, Vector):
            flat.extend(item.items)
        elif isinstance(item, Tensor) and item.type.shape:
            flat.extend(numerics_of(checking, item, span))
        else:
            flat.append(item)
    return flat


def numerics_of(checking: Checking, vector: Tensor, span: Span | None) -> list[Value]:
    """The numerics of a vector whose length is known while checking; of a written block, the items themselves."""
    length = vector.type.shape[0].constant
    if vector.type.rank != 1 or not isinstance(length, int) or length > 64:
        raise Problem("E304", "a vector of coordinates must have a length known while checking", span,
                      found=str(vector.type), fix=chosen_by(span, _mask_depth(vector)))  # fmt: skip
    if isinstance(vector.expr, Join) and all(p.type.is_numeric for p in vector.expr.parts):
        return [wrap(p) for p in vector.expr.parts]
    if isinstance(vector.expr, Reshape) and vector.expr.subject.type.is_numeric:
        return [wrap(vector.expr.subject)]
    if isinstance(vector.expr, Variable) and vector.expr.name in checking.items:
        return [wrap(one) for one in checking.items[vector.expr.name]]
    named = checking.atom(vector.expr)
    return [Tensor(part_of(checking, named, (Coordinate(Size.of(k)),), span)) for k in range(1, length + 1)]


def _empty_part(subject: Vector, span: Span | None) -> Value:
    """No elements of a vector of scalars, in its own spaces; whole numbers, as lengths are, stay known."""
    if not subject.items or (kind := to_expr(subject, span).type).column.storage == "i64":
        return Vector(())
    nothing = "" if kind.column.space.family == "S" else 0
    return Tensor(Literal(nothing, type=Type((Size.of(0),), kind.columns), span=span))


def _static_member(checking: Checking, subject: Value, flat: list[Item], span: Span | None) -> Value | None:
    """A member of a vector of scalars at constant coordinates; in a branch one outside is left to runs."""
    if not isinstance(subject, Vector) or len(flat) != 1:
        return None
    length = len(subject.items)
    item = flat[0]
    if isinstance(item, SliceOf):
        lower = 1 if item.lower is None else _constant(item.lower)
        upper = length if item.upper is None else _constant(item.upper)
        if lower is None or upper is None:
            return None
        if upper != lower - 1 and not 1 <= lower <= upper <= length:
            if checking.frame.conditional:
                return None
            raise Problem("E303", f"the range {lower}:{upper} is outside a vector of {length}", span,
                          found=f"{lower}:{upper}", expected=f"within 1:{length}",
                          fix=ends_counted_from(_given(item.lower), _given(item.upper), span))  # fmt: skip
        return Vector(subject.items[lower - 1 : upper]) if upper >= lower else _empty_part(subject, span)
    position = _constant(item)
    if position is None:
        return None
    if not 1 <= position <= length:
        if checking.frame.conditional:
            return None
        raise Problem("E303", f"coordinate {position} is outside a vector of {length}", span,
                      found=str(position), expected=f"1 to {length}", fix=counted_from(position, span))  # fmt: skip
    return subject.items[position - 1]


def _given(end: Value | None) -> int | None:
    """The end of a slice where it is written and known."""
    return None if end is None else _constant(end)


def _constant(value: Value) -> int | None:
    if isinstance(value, Vector) and len(value.items) == 1:
        value = value.items[0]
    if isinstance(value, ScalarValue) and value.index is not None:
        try:
            number = value.index.floor().constant
        except ZeroDivisionError:
            return None
        return int(number) if number is not None else None
    return None


def _member_of_numeric(checking: Checking, subject: Value, flat: list[Item], span: Span | None) -> Value:
    """A numeric answers to [1], and to no coordinates at all."""
    if not flat:
        return subject
    if len(flat) == 1 and not isinstance(flat[0], SliceOf):
        position = length_of(checking, flat[0], span)
        if checking.ranges.decide(compare("==", position, ONE)) is False:
            raise Problem("E303", "a numeric has the one coordinate 1", span, found=str(position), expected="1")
        checking.require(compare("==", position, ONE), "a numeric has the one coordinate 1", span)
        return subject
    raise Problem("E302", "a numeric has no dimensions", span, found=f"{len(flat)} coordinates")


def _item(checking: Checking, item: Item, extent: Size, axis: int, span: Span | None) -> Coordinate | Range:
    if isinstance(item, SliceOf):
        lower, from_lower = (ONE, ()) if item.lower is None else size_of(checking, item.lower, span)
        upper, from_upper = (extent, ()) if item.upper is None else size_of(checking, item.upper, span)
        length = upper - lower + 1
        if item.lower is not None or item.upper is not None:
            fix = ends_counted_from(_given(item.lower), _given(item.upper), span, axis)
            filled = checking.ranges.decide(compare("==", length, ZERO)) is False  # one that is empty may be anywhere
            if filled and _is_refused(checking, lower - 1):
                raise Problem("E303", f"the range {lower}:{upper} starts before 1", span, fix=fix)
            if filled and _is_refused(checking, extent - upper):
                raise Problem("E303", f"the range {lower}:{upper} ends beyond {extent}", span, fix=fix)
            if _is_refused(checking, length):
                raise Problem("E303", f"the range {lower}:{upper} runs backwards", span, fix=fix)
        return Range(lower, length, from_lower + from_upper)
    index, written = size_of(checking, item, span)
    if _goes_over(checking, index, extent):
        return Coordinate(index, written)
    if _is_refused(checking, index - 1) or _is_refused(checking, extent - index):
        outside = f"coordinate {index} is outside dimension {axis}, whose length is {extent}"
        raise Problem("E303", outside, span, fix=counted_from(index.constant, span, axis))
    return Coordinate(index, written)


def _goes_over(checking: Checking, index: Size, extent: Size) -> bool:
    """Whether a coordinate is that of a map or fold over this very length, as most are: then it is inside."""
    name = index.name
    return name is not None and checking.ranges.ranges.get(name) == (ONE, extent)


def _is_refused(checking: Checking, room: Size) -> bool:
    """Whether a size is certainly below 0, and stands in no branch that may never be taken."""
    return not checking.frame.conditional and checking.ranges.proves(nonnegative(-room - 1))


def part_of(checking: Checking, subject: Expr, items: tuple[Coordinate | Range, ...], span: Span | None) -> Expr:
    """A part, joined with the part it is taken of where the coordinates are surely inside that."""
    shape = tuple(item.length for item in items if isinstance(item, Range))
    result = replace(subject.type, shape=shape)
    if isinstance(subject, Literal) and not shape:
        pairs = zip(items, subject.type.shape, strict=True)
        if all(_surely_inside(checking, item, extent) for item, extent in pairs):
            return Literal(subject.value, type=result, span=span)
    if all(
        isinstance(i, Range) and i.start == ONE and i.length == e
        for i, e in zip(items, subject.type.shape, strict=True)
    ):
        return subject
    if isinstance(subject, Part):
        merged = _merged(checking, subject, items)
        if merged is not None:
            return Part(subject.subject, merged, type=result, span=span)
    return Part(subject, items, type=result, span=span)


def _merged(
    checking: Checking, inner: Part, items: tuple[Coordinate | Range, ...]
) -> tuple[Coordinate | Range, ...] | None:
    merged: list[Coordinate | Range] = []
    remaining = list(items)
    for own in inner.items:
        if isinstance(own, Coordinate):
            merged.append(own)
            continue
        outer = remaining.pop(0)
        if not _surely_inside(checking, outer, own.length):
            return None
        written = own.written + outer.written
        if isinstance(outer, Range):
            merged.append(Range(own.start + outer.start - 1, outer.length, written))
        else:
            merged.append(Coordinate(own.start + outer.index - 1, written))
    return tuple(merged)


def is_surely_there(checking: Checking, expr: Expr) -> bool:
    """Whether reading a name, or a member or part of one, cannot go wrong, so that it may be done beforehand."""
    match expr:
        case Part(subject=subject, items=items):
            pairs = zip(items, subject.type.shape, strict=True)
            return all(_surely_inside(checking, *pair) for pair in pairs) and is_surely_there(checking, subject)
        case Component(subject=subject):
            return is_surely_there(checking, subject)
    return True


def _surely_inside(checking: Checking, item: Coordinate | Range, extent: Size) -> bool:
    nonnegative = checking.ranges.proves_nonnegative
    if isinstance(item, Coordinate):
        inside = _goes_over(checking, item.index, extent)
        return inside or (nonnegative(item.index - 1) and nonnegative(extent - item.index))
    last = item.start + item.length - 1
    return nonnegative(item.start - 1) and nonnegative(extent - last) and nonnegative(item.length)


def component(subject: Value, selector: int | str, span: Span | None) -> Value:
    """`subject[j]'`, by position from 1 or by name."""
    if isinstance(subject, BundleValue):
        if isinstance(selector, str):
            raise Problem("E405", f"a bundle has no component named {selector}", span, fix="use its position")
        _check_position(selector, len(subject.items), "bundle", span)
        return subject.items[selector - 1]
    if isinstance(subject, ScalarValue | Vector):
        if selector != 1:
            raise Problem("E405", "this has one component only", span, found=str(selector), expected="1")
        return subject
    expr = to_expr(subject, span)
    position = _position(expr.type, selector, span)
    return wrap(component_of(expr, position, span))


def _position(one: Type, selector: int | str, span: Span | None) -> int:
    if isinstance(selector, int):
        _check_position(selector, one.capacity, "list", span)
        return selector
    names = [c.name for c in one.columns]
    if selector not in names:
        known = ", ".join(n for n in names if n) or "none are named"
        raise Problem("E405", f"the list has no component named {selector}", span, found=selector, expected=known)
    return names.index(selector) + 1


def _check_position(position: int, count: int, kind: str, span: Span | None) -> None:
    if not 1 <= position <= count:
        raise Problem("E405", f"component {position} of a {kind} with {count}", span,
                      found=str(position), expected=f"1 to {count}")  # fmt: skip


def component_of(expr: Expr, position: int, span: Span | None = None) -> Expr:
    """One component, read straight from the list's parts where they are written out.

    A list is evaluated as a whole: where other parts cost something they stay, unless this one needs no data.
    """
    if isinstance(expr, Embed) and (all(is_atomic(p) for p in expr.parts) or _needs_no_data(_part(expr, position))):
        before = 0
        for part in expr.parts:
            if before < position <= before + part.type.capacity:
                return component_of(part, position - before, span)
            before += part.type.capacity
    if expr.type.capacity == 1:
        return expr
    return Component(expr, position, type=replace(expr.type, columns=(expr.type.columns[position - 1],)), span=span)


def _part(expr: Embed, position: int) -> Expr:
    """The part of a list that has its component at a position."""
    return [part for part in expr.parts for _ in range(part.type.capacity)][position - 1]


def _needs_no_data(expr: Expr) -> bool:
    if isinstance(expr, Apply):
        return all(_needs_no_data(argument) for argument in expr.arguments)
    return isinstance(expr, Literal | Measure)


def shape_vector(value: Value, span: Span | None) -> Vector:
    """`|t|`."""
    if isinstance(value, Vector):
        return Vector((whole(len(value.items), span),))
    if isinstance(value, ScalarValue):
        return Vector(())
    return Vector(tuple(measure(s, span) for s in to_expr(value, span).type.shape))
