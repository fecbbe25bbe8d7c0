"""What the names in sizes stand for while a cost is read: sizes, iterators, numerics, and lengths that running tells.

`BodyNames` follows the bindings of one body.  A name that stands for a size or for a static numeric is replaced by it;
one that only running tells, such as the length of a filter's result, stays as it is and is noted as unknown, with its
bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tolang.core.core import (
    Apply,
    Call,
    Component,
    Convert,
    Embed,
    Expr,
    If,
    Let,
    Literal,
    Measure,
    Random,
    Reduce,
    Require,
    Variable,
)
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.faults import fault
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.ranges import Ranges
from tolang.ground.symbolic.sizes import ONE, ZERO, Size, extremum
from tolang.readings.cost.extremes import greatest, least
from tolang.readings.cost.source import text_of
from tolang.readings.cost.static import Static, is_numeric_formula, is_whole, names_in, static, static_size

Bounds = tuple[Size | None, Size | None]


@dataclass(frozen=True, slots=True)
class UnknownNumber:
    """A number that only running tells: its least and greatest value, where known, and the source it comes from."""

    least: Size
    greatest: Size | None
    origin: str = ""

    def substitute(self, values: Mapping[str, Size]) -> UnknownNumber:
        high = None if self.greatest is None else self.greatest.substitute(values)
        return UnknownNumber(self.least.substitute(values), high, self.origin)


class BodyNames:
    """The names of one body: a program's, or one that calls share.

    `certain` are names known before running; `given` what names are replaced by; `plain` are inputs and parameters
    without dimensions that read no element of a ToL; `calls` numbers the calls of shared bodies, whose unknowns are
    told apart by it.
    """

    def __init__(
        self,
        bounds: Mapping[str, Bounds],
        certain: Iterable[str],
        given: Mapping[str, Size],
        plain: Iterable[str] = (),
        calls: dict[int, int] | None = None,
    ) -> None:
        self.bounds = bounds
        self.calls = {} if calls is None else calls
        self.certain = set(certain)
        self.given = dict(given)
        self.numerics: dict[str, Expr] = {}
        self.unknowns: dict[str, UnknownNumber] = {}
        self.origins: dict[str, str] = {}
        self.ranges = Ranges()
        self._local: set[str] = set()
        self._sizes: dict[Size, Size] = {}
        self._reads: dict[str, bool] = dict.fromkeys(plain, False)
        for name in self.certain:
            self.ranges.declare(name, ZERO, None)

    def bind(self, let: Let) -> None:
        """Enters a binding: a numeric may be used as a length, and lengths may be named."""
        if len(let.names) == 1:
            self.bind_numeric(let.names[0], let.value)
        for name, _, axis in let.lengths:
            self._local.add(name)
            self._note_origin(name, let.value, axis)

    def bind_numeric(self, name: str, value: Expr) -> None:
        if not value.type.shape and not value.type.parts:
            self.numerics[name] = value
            self._local.add(name)
            self._note_origin(name, value, None)

    def parameter(self, name: str, reads: bool) -> None:
        """Enters a parameter of a shared body that has no dimensions, and may be used as a length."""
        self._reads[name] = reads
        if reads:
            self._local.add(name)

    def _note_origin(self, name: str, value: Expr, axis: int | None) -> None:
        if value.span is not None:
            text = text_of(value.span)
            self.origins[name] = text if axis is None else f"|{text}|[{axis + 1}]"

    def bind_state(self, fold: Reduce) -> None:
        """Enters a fold's step: its states are data, and so are the lengths named there."""
        for name, _, _ in fold.lengths:
            self._local.add(name)
            if fold.span is not None:
                self.origins[name] = f"the state of {text_of(fold.span)}"
        for name in fold.states:
            self._local.add(name)
            self._reads[name] = True

    def open(self, iterators: Iterable[str], extents: Iterable[Size]) -> None:
        for iterator, extent in zip(iterators, extents, strict=True):
            self.ranges.declare(iterator, ONE, extent)

    def close(self, iterators: Iterable[str], extents: Iterable[Size]) -> None:
        """Leaves iterators: bounds of unknowns that mention them are widened to hold for all their values."""
        for iterator, extent in reversed(list(zip(iterators, extents, strict=True))):
            for name, unknown in self.unknowns.items():
                low, high = unknown.least, unknown.greatest
                if iterator in low.names() or (high is not None and iterator in high.names()):
                    high = None if high is None else greatest(high, iterator, ONE, extent)
                    self.unknowns[name] = UnknownNumber(least(low, iterator, ONE, extent), high, unknown.origin)

    def size(self, size: Size) -> Size:
        """The size with every name replaced by what it stands for."""
        found = self._sizes.get(size)
        if found is None:
            for name in size.names():
                if name in self._local and name not in self.given:
                    self._resolve(name)
            try:
                found = self._sizes[size] = size.substitute(self.given)
            except ZeroDivisionError:
                raise fault("E506", "a length or coordinate is divided by zero") from None
        return found

    def condition(self, condition: Condition) -> Condition:
        for name in condition.names():
            if name in self._local and name not in self.given:
                self._resolve(name)
        return condition.substitute(self.given)

    def is_certain(self, condition: Condition) -> bool:
        """Whether a condition is decided once sizes are known: no iterator and no unknown is in it."""
        return condition.names() <= self.certain

    def extent(self, size: Size, doubtful: bool) -> Size:
        """A length as a number of evaluations.

        In a branch that may not be taken a length may come out below zero, and then nothing is evaluated.
        """
        extent = self.size(size)
        if doubtful and not self.ranges.proves_nonnegative(extent):
            return extremum("max", [extent, ZERO])
        return extent

    def _resolve(self, name: str) -> None:
        value = self.numerics.get(name)
        if value is not None and self._is_static(name, value):
            self.given[name] = static_size(value, {n: self._operand(n) for n in names_in(value)})
            return
        low, high = self.bounds.get(name, (None, None))
        self.given[name] = Size.of(name)
        smallest = ZERO if low is None else self.size(low)
        if not self.ranges.proves_nonnegative(smallest):
            smallest = extremum("max", [smallest, ZERO])
        largest = None if high is None else self.size(high)
        self.ranges.declare(name, smallest, largest)
        self.unknowns[name] = UnknownNumber(smallest, largest, self.origins.get(name, ""))

    def _operand(self, name: str) -> Size | Static:
        """What a name in a numeric formula stands for: a size, or, where it is not whole, what it is before a floor."""
        value = self.numerics.get(name)
        if value is None or is_whole(value) or not self._is_static(name, value):
            return self.size(Size.of(name))
        return static(value, {n: self._operand(n) for n in names_in(value)})

    def _is_static(self, name: str, value: Expr) -> bool:
        return not self.reads(Variable(name, type=value.type)) and is_numeric_formula(value)

    def at_call(self, call: Call, unknowns: Mapping[str, UnknownNumber]) -> dict[str, Size]:
        """What the names of a shared body stand for at a call: sizes, numeric parameters, and unknowns of its own."""
        outer = {name: self.size(size) for name, size in call.sizes}
        for name, argument in call.arguments:
            if argument.type.is_numeric:
                outer[name] = self._argument_size(name, argument)
        number = self.calls.setdefault(id(call), len(self.calls) + 1)
        renamed = {name: f"{name}.{number}" for name in unknowns}
        outer |= {name: Size.of(fresh) for name, fresh in renamed.items()}
        for name, unknown in unknowns.items():
            self.unknowns[renamed[name]] = unknown.substitute(outer)
        return outer

    def _argument_size(self, name: str, argument: Expr) -> Size:
        """A numeric argument as a size, for where the body uses its parameter as a length."""
        match argument:
            case Variable(name=variable):
                return _as_size(self._operand(variable))
            case Measure(size=size):
                return self.size(size)
            case Literal(value=int() as value):
                return Size.of(int(value))
        self.bind_numeric(name, argument)
        if self.reads(argument):
            return Size.of(name)
        return _as_size(self._operand(name))

    def reads(self, expr: Expr) -> bool:
        """Whether evaluating an expression without dimensions reads an element of a ToL.

        Sizes, literals and the numerics among a program's inputs are no elements; a name is what it is bound to.
        """
        match expr:
            case Literal() | Measure():
                return False
            case Variable(name=name):
                return self._name_reads(name)
            case Apply(arguments=arguments):
                return any(self.reads(argument) for argument in arguments)
            case Random(limit=limit):
                return self.reads(limit)
            case Convert(subject=subject) | Component(subject=subject):
                return self.reads(subject)
            case Embed(parts=parts):
                return any(self.reads(part) for part in parts)
            case If(written=written, then=then, otherwise=otherwise):
                return any(self.reads(part) for part in (*written, then, otherwise))
            case Let(body=body):
                self.bind(expr)
                return self.reads(body)
            case Call(arguments=arguments, body=body):
                for name, argument in arguments:
                    self.bind_numeric(name, argument)
                return self.reads(body)
            case Require(body=body):
                return self.reads(body)
        return True

    def _name_reads(self, name: str) -> bool:
        if name not in self._reads:
            value = self.numerics.get(name)
            self._reads[name] = value is None or self.reads(value)
        return self._reads[name]


def _as_size(one: Size | Static) -> Size:
    return one if isinstance(one, Size) else Size.atom(one)
