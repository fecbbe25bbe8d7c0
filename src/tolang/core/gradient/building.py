"""Expressions of the core made with their types, and with zeros and ones folded on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tolang.core.core import (
    Apply,
    Component,
    Convert,
    Coordinate,
    Embed,
    Expr,
    If,
    Let,
    Literal,
    Map,
    Measure,
    Part,
    Range,
    Reduce,
    Variable,
)
from tolang.core.rebuild import rebuild
from tolang.core.rules import NUMBER_OF_SIZE, applied_type, chosen_type, literal_type
from tolang.core.tidy import free_names
from tolang.core.types import Type
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import Condition, negation
from tolang.ground.symbolic.sizes import ONE, Atom, Size
from tolang.ground.values.functions import result_column
from tolang.ground.values.spaces import Column, strong

REAL_FAMILIES = ("R", "Q")
"""The families whose values have cotangents."""
EXACT = 2**53
"""Whole numbers below it are exact in 64 bits, and so are they divided by powers of two."""


def is_real(column: Column) -> bool:
    return column.space.family in REAL_FAMILIES


def cotangent_column(column: Column) -> Column:
    """The column of a value's cotangent: its root space in its storage."""
    return replace(strong(column), space=column.space.default, name=None)


def cotangent_type(kind: Type) -> Type:
    """The type of a ToL's cotangent: its real components, in their root spaces."""
    return Type(kind.shape, tuple(cotangent_column(c) for c in kind.columns if is_real(c)))


def number(value: float) -> Literal:
    return Literal(value, type=literal_type(value))


def measure(size: Size) -> Expr:
    """A size as a numeric."""
    value = size.constant
    return number(value) if isinstance(value, int) else Measure(size, type=NUMBER_OF_SIZE)


def computed(size: Size, data: Mapping[str, Expr]) -> Expr:
    """A size as functions of the data in it, which count, and of the sizes that it has beside them."""
    if size.denominator != 1:
        return measure(size)
    found: Expr | None = None
    for monomial, factor in sorted(size.terms.items(), key=lambda one: one[1] < 0):
        times = abs(factor.numerator)
        term: Expr | None = None if times == 1 and monomial else number(times)
        for atom in monomial:
            one = _computed_atom(atom, data)
            term = one if term is None else applied("mul", term, one)
        assert term is not None
        if found is None:
            found = applied("neg", term) if factor < 0 else term
        else:
            found = applied("sub" if factor < 0 else "add", found, term)
    return number(0) if found is None else found


def _computed_atom(atom: Atom, data: Mapping[str, Expr]) -> Expr:
    if isinstance(atom, str) and atom in data:
        return data[atom]
    return Measure(Size.atom(atom), type=NUMBER_OF_SIZE)


def zeros(shape: tuple[Size, ...], goal: Column) -> Expr:
    """Zeros in a column, as they are written."""
    found = Literal(0.0, type=literal_type(0.0).with_shape(shape))
    return found if goal == strong(found.type.column) else Convert(found, type=Type(shape, (goal,)))


def filled(value: float, shape: tuple[Size, ...], column: Column) -> Literal:
    return Literal(value, type=Type(shape, (column,)))


def is_literal(expr: Expr, value: float) -> bool:
    return isinstance(expr, Literal) and not isinstance(expr.value, str) and expr.value == value


def is_zero(expr: Expr) -> bool:
    """Whether an expression is seen to be nothing but zeros."""
    match expr:
        case Map(body=body):
            return is_zero(body)
        case Part(subject=subject) | Convert(subject=subject):
            return is_zero(subject)
    return is_literal(expr, 0)


def apply(function: str, *arguments: Expr) -> Expr:
    """A basic function of numerics, simplified where zeros and ones take part."""
    return _folded(function, arguments) or applied(function, *arguments)


def applied(function: str, *arguments: Expr) -> Expr:
    kind = applied_type(function, arguments)
    assert kind is not None, f"{function} of {[str(a.type) for a in arguments]}"
    return Apply(function, arguments, type=kind)


def refolded(expr: Expr) -> Expr:
    """An expression in which names became numbers, with zeros and ones folded once more, in the types that it has."""
    made = rebuild(expr, refolded)
    if not isinstance(made, Apply):
        return made
    short = apply(made.function, *made.arguments)
    if isinstance(short, Literal):
        return replace(short, type=made.type)
    return short if short.type == made.type else made


def _folded(function: str, arguments: tuple[Expr, ...]) -> Expr | None:
    match function, arguments:
        case "add" | "sub" | "mul" | "eq", (Literal(value=int() | float() as a), Literal(value=int() | float() as b)):
            return number({"add": a + b, "sub": a - b, "mul": a * b, "eq": a == b}[function])
        case "add", (one, two):
            return _sum(one, two)
        case "sub", (one, two):
            return one if is_literal(two, 0) else apply("neg", two) if is_literal(one, 0) else None
        case "mul", (one, two):
            return _product(one, two)
        case "div", (one, two):
            return _quotient(one, two)
        case "neg", (one,):
            return _opposite(one)
        case "pow", (one, two):
            return one if is_literal(two, 1) else number(1) if is_literal(two, 0) else None
    return None


def _sum(one: Expr, two: Expr) -> Expr | None:
    if is_literal(one, 0) or is_literal(two, 0):
        return two if is_literal(one, 0) else one
    if isinstance(one, If) and isinstance(two, If):
        return _sum_of_choices(one, two)
    if isinstance(two, Apply) and two.function == "neg":
        return applied("sub", one, two.arguments[0])
    if isinstance(one, Apply) and one.function == "neg":
        return applied("sub", two, one.arguments[0])
    return None


def _sum_of_choices(one: If, two: If) -> Expr | None:
    """Of two terms that are never there together, the one that is; of two that always are, their sum."""
    if one.guard is None or two.guard is None or one.written or two.written:
        return None
    if one.guard == two.guard:
        return chosen(one.guard, (), apply("add", one.then, two.then), apply("add", one.otherwise, two.otherwise))
    if negation(one.guard) != two.guard:
        return None
    then, otherwise = apply("add", one.then, two.otherwise), apply("add", one.otherwise, two.then)
    return then if are_same(then, otherwise) else chosen(one.guard, (), then, otherwise)


def are_same(one: Expr, two: Expr) -> bool:
    """Whether two expressions are seen to be equal."""
    if type(one) is not type(two) or one.type != two.type:
        return False
    match one, two:
        case Variable(), Variable():
            return one.name == two.name
        case Literal(), Literal():
            return one.value == two.value
        case Measure(), Measure():
            return one.size == two.size
        case Apply(), Apply() if one.function == two.function and len(one.arguments) == len(two.arguments):
            return all(are_same(a, b) for a, b in zip(one.arguments, two.arguments, strict=True))
        case Part(), Part() if not any(item.written for item in (*one.items, *two.items)):
            return one.items == two.items and are_same(one.subject, two.subject)
        case Component(), Component():
            return one.position == two.position and are_same(one.subject, two.subject)
    return False


def _product(one: Expr, two: Expr) -> Expr | None:
    for first, second in ((one, two), (two, one)):
        if is_literal(first, 0):
            return number(0)
        if is_literal(first, 1):
            return second
        if is_literal(first, -1):
            return apply("neg", second)
        match first:
            case Apply(function="div", arguments=(above, below)) if is_literal(above, 1):
                return apply("div", second, below)
            case Apply(function="neg", arguments=(inner,)):
                return apply("neg", apply("mul", inner, second) if first is one else apply("mul", second, inner))
    return None


def _quotient(one: Expr, two: Expr) -> Expr | None:
    if is_literal(one, 0):
        return number(0)
    match one, two:
        case Literal(value=int() as above), Literal(value=int() as below) if _divides_exactly(above, below):
            return number(above / below)
    match one:
        case Apply(function="neg", arguments=(inner,)):
            return apply("neg", apply("div", inner, two))
    return one if is_literal(two, 1) else None


def _divides_exactly(above: int, below: int) -> bool:
    """Whether a quotient is a number of a few binary digits."""
    return 0 < below < EXACT and below & (below - 1) == 0 and abs(above) < EXACT


def _opposite(one: Expr) -> Expr | None:
    match one:
        case Literal(value=int() | float() as value):
            return number(-value)
        case Apply(function="neg", arguments=(inner,)):
            return inner
    return None


def indexed(expr: Expr, coordinates: Sequence[Size]) -> Expr:
    """What lies at the first coordinates of a ToL: its later dimensions stay."""
    if not coordinates:
        return expr
    if isinstance(expr, Literal):
        return replace(expr, type=expr.type.with_shape(expr.type.shape[len(coordinates) :]))
    rest = tuple(Range(ONE, length) for length in expr.type.shape[len(coordinates) :])
    return part(expr, (*(Coordinate(c) for c in coordinates), *rest))


def part(subject: Expr, items: tuple[Coordinate | Range, ...]) -> Expr:
    shape = tuple(item.length for item in items if isinstance(item, Range))
    if isinstance(subject, Literal) and not any(item.written for item in items):
        return replace(subject, type=subject.type.with_shape(shape))
    if all(_is_whole(i, s) for i, s in zip(items, subject.type.shape, strict=True)):
        return subject
    return Part(subject, items, type=subject.type.with_shape(shape))


def _is_whole(item: Coordinate | Range, length: Size) -> bool:
    return isinstance(item, Range) and item.start == ONE and item.length == length


def mapped(iterators: Sequence[str], extents: Sequence[Size], body: Expr) -> Expr:
    if not iterators:
        return body
    if isinstance(body, Literal) and not body.type.blank:
        return replace(body, type=body.type.with_shape((*extents, *body.type.shape)))
    kind = Type((*extents, *body.type.shape), body.type.columns)
    return Map(tuple(iterators), tuple(extents), body, type=kind)


def total(iterators: Sequence[str], extents: Sequence[Size], state: str, term: Expr) -> Expr:
    """The sum of a numeric over some iterators; factors that do not depend on these are outside."""
    if not iterators or is_zero(term):
        return term
    inner, factors = _factored(term, frozenset(iterators))
    if inner.type != term.type:
        inner, factors = term, []
    column = strong(result_column("add", (inner.type.column, inner.type.column)))
    kind = Type((), (column,))
    step = applied("add", Variable(state, type=kind), inner)
    found: Expr = Reduce(
        tuple(iterators), tuple(extents), (state,), (number(0),), (kind,), step, associative=True, type=kind
    )
    for function, factor in factors:
        found = apply(function, found, *factor)
    return found


Factors = list[tuple[str, tuple[Expr, ...]]]
"""Functions, each with the arguments that follow its first."""


def _factored(term: Expr, names: frozenset[str]) -> tuple[Expr, Factors]:
    """A product as what depends on some names, and as what it is multiplied with or divided by, innermost first."""
    match term:
        case Apply(function="neg", arguments=(one,)):
            inner, factors = _factored(one, names)
            return inner, [*factors, ("neg", ())]
        case Apply(function="mul", arguments=(one, two)):
            for fixed, other in ((one, two), (two, one)):
                if not free_names(fixed) & names:
                    inner, factors = _factored(other, names)
                    return inner, [*factors, ("mul", (fixed,))]
            first, second = _factored(one, names), _factored(two, names)
            return apply("mul", first[0], second[0]), [*first[1], *second[1]]
        case Apply(function="div", arguments=(one, two)):
            inner, factors = _factored(one, names)
            if not free_names(two) & names:
                return inner, [*factors, ("div", (two,))]
            return apply("div", inner, two), factors
        case Let(names=bound, body=body, lengths=lengths):
            inside, factors = _factored(body, names.union(bound, (name for name, _, _ in lengths)))
            return replace(term, body=inside, type=inside.type), factors
    return term, []


def chosen(guard: Condition | None, written: tuple[Expr, ...], then: Expr, otherwise: Expr) -> Expr:
    """One of two numerics, or of two ToLs of one shape."""
    if is_zero(then) and is_zero(otherwise):
        return otherwise
    if guard is not None and guard.constant is not None:
        return then if guard.constant else otherwise
    kind = chosen_type(guard, then.type, otherwise.type)
    assert kind is not None, "the branches of a choice have one type"
    return If(guard, written, then, otherwise, type=kind)


def component(subject: Expr, position: int) -> Expr:
    """Component `position`, from 1."""
    if subject.type.capacity == 1:
        return subject
    if isinstance(subject, Embed):
        for one in subject.parts:
            if position <= one.type.capacity:
                return component(one, position)
            position -= one.type.capacity
    return Component(subject, position, type=replace(subject.type, columns=(subject.type.columns[position - 1],)))


def embedded(parts: Sequence[Expr]) -> Expr:
    if len(parts) == 1:
        return parts[0]
    return Embed(tuple(parts), type=Type(parts[0].type.shape, tuple(c for p in parts for c in p.type.columns)))


def fitted(expr: Expr, column: Column) -> Expr:
    """An expression of capacity 1 in a column, unless it takes the storage of what it meets by itself."""
    return expr if expr.type.column.weak else settled(expr, column)


def settled(expr: Expr, column: Column) -> Expr:
    """An expression of capacity 1 in a column: as it is, or converted."""
    if expr.type.column == column and expr.type.column.name == column.name:
        return expr
    kind = Type(expr.type.shape, (column,))
    if isinstance(expr, Literal):
        return replace(expr, type=kind)
    return Convert(expr, type=kind)
