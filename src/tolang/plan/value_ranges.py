"""What the form of a scalar tells about its value: between which whole numbers it lies, so that converting it is safe.

    floor(x / 16) is a whole number from 0 to 268435455 where x is held in 32 bits without a sign

Only what floats hold exactly is considered, so that no rounding can lead out of the bounds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.values.spaces import Column, integer_range, storage_family
from tolang.plan.nest import ConstantScalar, Named, Operation, Scalar, Select, SourcePlaceholder, Where

SHORT = ("i8", "i16", "i32", "u8", "u16", "u32")
UNSIGNED = ("u8", "u16", "u32")
MOST_WHOLE = {"f32": 2.0**24, "f64": 2.0**53}
"""Up to which magnitude floats hold all whole numbers."""
RANGED = frozenset(MOST_WHOLE) | {"bool"}
Known = Mapping[str, "ValueRange"]
"""What is known of the values that names are bound to."""
NOTHING_KNOWN: Known = MappingProxyType({})


def converted(scalar: Scalar, column: Column, span: Span | SourcePlaceholder | None) -> Scalar:
    """A scalar in another space, checked unless it surely belongs there.

    Then floor(x/k) is a quotient of whole numbers, which is the same where neither has more than 32 bits: a quotient
    that is not whole differs from the next whole number by more than a float of 64 bits rounds.
    """
    if not belongs(scalar, column):
        return Operation("convert", (scalar,), column=column, span=span)
    match scalar:
        case Operation(
            function="floor", arguments=(Operation(function="div", arguments=(above, ConstantScalar(value=k))),)
        ):
            if above.column.storage in UNSIGNED and k == int(k) <= integer_range(above.column.storage)[1]:
                divisor = ConstantScalar(int(k), column=above.column)
                scalar = Operation("quotient", (above, divisor), column=above.column, span=span)
    return Operation("cast", (scalar,), column=column, span=span)


def belongs(scalar: Scalar, column: Column, known: Known = NOTHING_KNOWN) -> bool:
    """Whether a scalar is surely a member of a space of whole numbers, and its storage holds it."""
    if storage_family(column.storage) != "Z" or column.storage == "integer":
        return False
    found = range_of(scalar, known)
    low, high = integer_range(column.storage)
    space = column.space
    if not space.is_machine and space.root != "Z":
        if space.root not in ("N", "N*", "Z+"):
            return False
        low = max(low, 0 if space.root == "N" else 1)
    low = low if space.lower is None else max(low, math.ceil(space.lower))
    high = high if space.upper is None else min(high, math.floor(space.upper))
    return found.whole and found.number and low <= found.low and found.high <= high


@dataclass(frozen=True, slots=True)
class ValueRange:
    """What is known of a value: that it is between two numbers, if it is a `number` at all; that it is `whole`."""

    low: float = -math.inf
    high: float = math.inf
    whole: bool = False
    number: bool = False

    def or_(self, other: ValueRange) -> ValueRange:
        """What is known of one of two values."""
        ends = min(self.low, other.low), max(self.high, other.high)
        return ValueRange(*ends, self.whole and other.whole, self.number and other.number)


ANY = ValueRange()


def range_of(scalar: Scalar, known: Known = NOTHING_KNOWN) -> ValueRange:
    """What the form of a scalar tells of its value, and what is known of the names in it."""
    found = _range(scalar, known)
    if scalar.column.storage == "bool":
        return ValueRange(0, 1, True, True)
    if scalar.column.storage in SHORT:
        low, high = integer_range(scalar.column.storage)
        inside = found.number and low <= found.low and found.high <= high
        return ValueRange(found.low if inside else low, found.high if inside else high, True, True)
    return found


def _range(scalar: Scalar, known: Known) -> ValueRange:
    match scalar:
        case ConstantScalar(value=value) if not isinstance(value, str | complex) and math.isfinite(value):
            return ValueRange(value, value, value == int(value), True)
        case Named(name=name):
            return known.get(name, ANY)
        case Operation(function=function, arguments=arguments) if scalar.column.storage in RANGED:
            return _of_function(function, [range_of(one, known) for one in arguments], scalar.column)
        case Select(guard=None, test=(test,), then=then, otherwise=otherwise):
            return range_of(then, _where(test, known)).or_(range_of(otherwise, known))
        case Select(then=then, otherwise=otherwise):
            return range_of(then, known).or_(range_of(otherwise, known))
        case Where(bindings=bindings, value=value):
            return range_of(value, bound(bindings, known))
    return ANY


def bound(bindings: tuple[tuple[str, Scalar], ...], known: Known) -> Known:
    """What is known inside of names that are bound."""
    inside = dict(known)
    for name, value in bindings:
        inside[name] = range_of(value, inside)
    return inside


def _of_function(function: str, of: list[ValueRange], column: Column) -> ValueRange:
    match function, of:
        case "floor", [one]:
            return ValueRange(_floor(one.low), _floor(one.high), True, one.number)
        case "div", [above, below] if below.low == below.high >= 1 and column.storage == "f64":
            return ValueRange(above.low / below.low, above.high / below.low, False, above.number)
        case "add", [one, two]:
            return _exact(
                ValueRange(one.low + two.low, one.high + two.high, one.whole and two.whole, False), of, column
            )
        case "mod", [one, two] if two.low == two.high > 0:
            return ValueRange(0, two.low, one.whole and two.whole, False)
        case "min" | "max", [one, two]:
            take = min if function == "min" else max
            ends = take(one.low, two.low), take(one.high, two.high)
            return ValueRange(*ends, one.whole and two.whole, one.number and two.number)
        case "cast" | "convert", [one]:
            return _exact(one, of, column)
    return ANY


def _exact(range_: ValueRange, of: list[ValueRange], column: Column) -> ValueRange:
    """A range of what is rounded: whole numbers that a float holds are not, and others stay what they are in kind."""
    most = MOST_WHOLE.get(column.storage, 0)
    exact = range_.whole and -most <= range_.low and range_.high <= most
    if exact:
        return replace(range_, number=all(one.number for one in of))
    return ValueRange(whole=range_.whole and column.storage in MOST_WHOLE)


def _floor(end: float) -> float:
    return end if math.isinf(end) else math.floor(end)


def _where(test: Scalar, known: Known) -> Known:
    """What is known where a test of a name against a constant holds."""
    match test:
        case Operation(function="gt" | "ge" as sign, arguments=(Named(name=name), ConstantScalar(value=value))):
            old = known.get(name, ANY)
            low = max(old.low, value)
            if sign == "gt" and old.whole and value == int(value):
                low = max(old.low, value + 1)
            return {**known, name: replace(old, low=low, number=True)}
        case Operation(function="lt" | "le", arguments=(Named(name=name), ConstantScalar(value=value))):
            old = known.get(name, ANY)
            return {**known, name: replace(old, high=min(old.high, value), number=True)}
    return known


def may_refuse(result: Column) -> bool:
    """Whether a conversion into a column has something to ask of values; one that only rounds them has not."""
    space = result.space
    signed = not space.is_machine and space.root not in ("R", "Q", "C", "I")
    return storage_family(result.storage) != "R" or signed or space.bounded
