"""Numerics that follow from sizes alone but are no polynomials of them, such as the length log(n,2)+1 of a fold.

The checker gives such a numeric a name, and sizes mention the name.  Here the name is replaced by an atom that knows
the expression, so that a cost stays a formula of the program's sizes and is an exact number once these are given.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from tolang.core.core import Apply, Call, Expr, If, Let, Literal, Measure, Require, Variable
from tolang.ground.dataclasses import dataclass
from tolang.ground.interning import Values, digest_of
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.enclosure import Unbounded, enclosed
from tolang.ground.symbolic.sizes import Interned, Size, floor_division
from tolang.ground.symbolic.sums import normalised
from tolang.ground.values.elementary import apply
from tolang.ground.values.functions import FUNCTIONS, functions_with
from tolang.ground.values.spaces import column
from tolang.readings.cost.binary import logarithm, power
from tolang.readings.interpret.machine import FARTHEST, NO_NUMBER

SIGNS = {name: row.sign for name, row in FUNCTIONS.items() if row.sign}
RISING = functions_with(rising=True)
"""Functions that never fall in any argument."""
NEVER_NEGATIVE = functions_with(never_negative=True)
"""Functions that are never negative; of others in `KEEPING`, that holds where it holds of their arguments."""
KEEPING = functions_with(keeps_sign=True)
WITHIN_ONE = functions_with(within_one=True)
"""Functions whose values are from -1 to 1."""
SLACK = Fraction(1, 10**9)
"""By so much, relatively, bounds of floats are widened for the sake of rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Static(Interned):
    """The floor of a numeric expression; an atom of a `Size`.

    Its names stand for sizes, or for the values of other such expressions before these are floored: in `k = sqrt(n)`
    and `tol[2*k]` nothing is floored but the length.
    """

    expr: Expr
    bindings: tuple[tuple[str, Size | Static], ...]

    @property
    def digest(self) -> str:
        return f"{_text(self.expr, {})[0]}{digest_of(self.bindings)}"

    def parts(self) -> tuple[Size, ...]:
        return tuple(part for _, one in self.bindings for part in (one.parts() if isinstance(one, Static) else (one,)))

    def substitute(self, values: Mapping[str, Size]) -> Size:
        return static_size(self.expr, {name: _substituted(one, values) for name, one in self.bindings})

    def evaluate(self, values: Values) -> Any:
        return _floored(self.value(values))

    def value(self, values: Values) -> Any:
        """The number before it is floored, or an array of them."""
        numbers = {
            name: one.value(values) if isinstance(one, Static) else _machine(one.evaluate(values))
            for name, one in self.bindings
        }
        return _value(self.expr, numbers)

    def rises(self, name: str) -> bool:
        return _rises(self.expr, dict(self.bindings), name)

    def enclosed(self, box: Mapping[str, tuple[Any, Any]]) -> tuple[Any, Any]:
        low, high = _interval(self.expr, dict(self.bindings), box)
        return math.floor(low), math.floor(high)

    def normal(self) -> Size | None:
        """The number by rounded logarithms to the base 2 of sizes, and by powers of 2; None where it is no such."""
        bindings = dict(self.bindings)
        found = _exact(self.expr, bindings)
        return _binary(self.expr, bindings) if found is None else found

    def written(self) -> str:
        normal = self.normal()
        if normal is not None:
            return str(normal)
        text, _ = _text(self.expr, _texts(self.bindings))
        is_whole = isinstance(self.expr, Apply) and self.expr.function == "floor"
        return text if is_whole else f"floor({text})"


Bindings = Mapping[str, Size | Static]


def _binary(expr: Expr, bindings: Bindings) -> Size | None:
    """The floor of an expression as a logarithm to the base 2 of a size, or as a power of 2; None where it is none."""
    match expr:
        case Apply(function="floor", arguments=(inner,)):
            return _binary(inner, bindings)
        case Apply(function="log", arguments=(argument, Literal(value=2))):
            size = _exact(argument, bindings)
            return None if size is None else logarithm(size)
        case Apply(function="neg", arguments=(Apply(function="floor", arguments=(Apply(function="neg") as inner,)),)):
            size = _rounded_up(inner.arguments[0], bindings)
            return None if size is None else logarithm(size * 2 - 1)
        case Apply(function="pow", arguments=(Literal(value=2), exponent)):
            size = _exact(exponent, bindings)
            return None if size is None else power(size)
        case Variable(name=name):
            one = bindings.get(name)
            return one.normal() if isinstance(one, Static) else None
        case Let(names=names, value=value, body=body):
            return _binary(body, {**bindings, names[0]: Static(value, tuple(sorted(bindings.items())))})
        case Require(body=body) | Call(body=body):
            return _binary(body, bindings)
    return None


def _rounded_up(expr: Expr, bindings: Bindings) -> Size | None:
    """The size whose logarithm to the base 2 an expression is."""
    match expr:
        case Apply(function="log", arguments=(argument, Literal(value=2))):
            return _exact(argument, bindings)
        case Variable(name=name):
            one = bindings.get(name)
            return _rounded_up(one.expr, dict(one.bindings)) if isinstance(one, Static) else None
    return None


def _exact(expr: Expr, bindings: Bindings) -> Size | None:
    """A whole number that follows from sizes by sums, products and floors, as a size; None where it is no such."""
    match expr:
        case Literal(value=bool()):
            return None
        case Literal(value=int() as value):
            return Size.of(value)
        case Variable(name=name):
            one = bindings.get(name)
            if isinstance(one, Static):
                return _exact(one.expr, dict(one.bindings))
            return normalised(one) if one is not None and is_whole(expr) else None
        case Measure(size=size):
            names = {n: bindings[n] for n in size.names() if n in bindings}
            sizes = {n: normalised(one) if isinstance(one, Size) else one.normal() for n, one in names.items()}
            known = {n: one for n, one in sizes.items() if one is not None}
            return size.substitute(known) if len(known) == len(sizes) else None
        case Apply(function="floor" | "neg" | "add" | "sub" | "mul" | "mod" | "pow" as function, arguments=arguments):
            found = [_exact(argument, bindings) for argument in arguments]
            whole = [one for one in found if one is not None]
            if len(whole) < len(found):
                return _binary(expr, bindings) if function in ("floor", "neg") else None
            return _computed(function, whole) if function != "pow" or is_whole(expr) else None
        case Require(body=body) | Call(body=body):
            return _exact(body, bindings)
    return None


def _computed(function: str, sizes: list[Size]) -> Size | None:
    first, second = sizes[0], sizes[-1]
    match function:
        case "floor":
            return first
        case "neg":
            return -first
        case "add":
            return first + second
        case "sub":
            return first - second
        case "mul":
            return first * second
        case "mod" if isinstance(second.constant, int) and second.constant > 0:
            return first - second * floor_division(first, second)
        case "pow" if first.is_constant(2):
            return power(second)
    return None


def _substituted(one: Size | Static, values: Mapping[str, Size]) -> Size | Static:
    if isinstance(one, Size):
        return one.substitute(values)
    return static(one.expr, {name: _substituted(inner, values) for name, inner in one.bindings})


def static(expr: Expr, bindings: Bindings) -> Static:
    """A numeric expression; what stands in it for a number that is not whole is not floored, either."""
    real = _real_names(expr)
    kept = {name: (_before_floor(one) if name in real else None) or one for name, one in bindings.items()}
    return Static(expr, tuple(sorted(kept.items())))


def static_size(expr: Expr, bindings: Bindings) -> Size:
    """The floor of a static expression: a number where all its names are known, else an atom."""
    atom = static(expr, bindings)
    if not all(isinstance(part.constant, int) for part in atom.parts()):
        return Size.atom(atom)
    return Size.of(int(atom.evaluate({})))


def _before_floor(one: Size | Static) -> Static | None:
    """The expression whose floor a size is, where it is one."""
    if isinstance(one, Static):
        return one
    only = next(iter(one.terms)) if len(one.terms) == 1 else ()
    found = only[0] if len(only) == 1 and one.terms[only] == 1 else None
    return found if isinstance(found, Static) else None


def is_whole(expr: Expr) -> bool:
    """Whether a numeric is a whole number, which flooring does not change."""
    return expr.type.column.space.family in ("B", "Z")


def _real_names(expr: Expr) -> frozenset[str]:
    """Names in an expression that stand for numbers which are not whole."""
    match expr:
        case Variable(name=name):
            return frozenset() if is_whole(expr) else frozenset((name,))
    return frozenset().union(*(_real_names(child) for child in expr.children()))


def is_numeric_formula(expr: Expr) -> bool:
    """Whether an expression is built of what `Static` can evaluate."""
    match expr:
        case Literal() | Measure() | Variable():
            return expr.type.is_numeric and expr.type.column.space.family != "S"
        case Apply() | Require() | Call(shared=False) | Let(lengths=()):
            return expr.type.is_numeric and all(is_numeric_formula(child) for child in expr.children())
        case If(guard=guard) if guard is not None:
            return expr.type.is_numeric and is_numeric_formula(expr.then) and is_numeric_formula(expr.otherwise)
    return False


def names_in(expr: Expr) -> frozenset[str]:
    """Names that a numeric formula takes from around it."""
    match expr:
        case Variable(name=name):
            return frozenset((name,))
        case Measure(size=size):
            return size.names()
        case Let(names=names, value=value, body=body):
            return names_in(value) | (names_in(body) - set(names))
        case If(guard=Condition() as guard):
            return guard.names() | names_in(expr.then) | names_in(expr.otherwise)
    return frozenset().union(*(names_in(child) for child in expr.children()))


def _floored(found: Any) -> Any:
    """A whole number, or an array of them where the names stand for arrays."""
    value = np.asarray(found)
    if value.dtype.kind in "iub":
        return value.astype(np.int64) if value.ndim else int(value)
    if value.ndim:
        return np.array([_floor(one) for one in value.ravel().tolist()], dtype=object).reshape(value.shape)
    return _floor(value.item())


def _machine(number: Any) -> Any:
    """Whole numbers as the functions take them: arrays in 64 bits."""
    return number.astype(np.int64) if isinstance(number, np.ndarray) else number


def _floor(value: Any) -> int:
    """A number as a coordinate or a length, as a run takes it: what is infinite is beyond every shape."""
    if isinstance(value, float) and not math.isfinite(value):
        return NO_NUMBER if math.isnan(value) else FARTHEST if value > 0 else -FARTHEST
    whole: int = math.floor(value)
    return whole


def _value(expr: Expr, numbers: Mapping[str, Any]) -> Any:
    match expr:
        case Literal(value=value):
            return np.asarray(value, dtype=object if isinstance(value, Fraction) else None)
        case Measure(size=size):
            return np.asarray(size.evaluate(numbers))
        case Variable(name=name):
            return np.asarray(numbers[name])
        case Apply(function=function, arguments=arguments):
            values = [_value(argument, numbers) for argument in arguments]
            return apply(function, values, expr.type.column, [argument.type.column for argument in arguments])
        case If(guard=Condition() as guard, then=then, otherwise=otherwise):
            truth = guard.evaluate(numbers)
            return np.where(truth, _value(then, numbers), _value(otherwise, numbers))
        case Let(names=names, value=bound, body=body):
            return _value(body, {**numbers, names[0]: _value(bound, numbers)})
        case Require(body=body) | Call(body=body):
            return _value(body, numbers)
    raise TypeError(f"{type(expr).__name__} is no numeric formula")


Written = tuple[str, bool]
"""A text, and whether it stands as it is beside a sign: a name, a number, a call."""


def _texts(bindings: tuple[tuple[str, Size | Static], ...]) -> dict[str, Written]:
    return {
        name: _text(one.expr, _texts(one.bindings)) if isinstance(one, Static) else _size_text(one)
        for name, one in bindings
    }


def _size_text(size: Size) -> Written:
    (monomial, factor), *others = size.terms.items() or {(): 0}.items()
    whole = not monomial and isinstance(factor, int) and factor >= 0
    return str(size), not others and (whole or (factor == 1 and len(monomial) == 1))


def _text(expr: Expr, texts: Mapping[str, Written]) -> Written:
    """The expression in ToLang, its names replaced by what they stand for."""
    match expr:
        case Literal(value=value):
            return str(value), not str(value).startswith("-") and not isinstance(value, Fraction)
        case Measure(size=size):
            return _named(size, texts)
        case Variable(name=name):
            return texts.get(name, (name, True))
        case Apply(function=function, arguments=(one, two)) if function in SIGNS:
            return f"{_grouped(one, texts)} {SIGNS[function]} {_grouped(two, texts)}", False
        case Apply(function=function, arguments=arguments):
            return f"{function}({', '.join(_text(argument, texts)[0] for argument in arguments)})", True
        case Let(names=names, value=value, body=body):
            return _text(body, {**texts, names[0]: _text(value, texts)})
        case Require(body=body) | Call(body=body):
            return _text(body, texts)
        case If(guard=Condition() as guard, then=then, otherwise=otherwise):
            asked = guard.changed(lambda size: _as_read(size, texts))
            return f"(if {asked} then {_text(then, texts)[0]} else {_text(otherwise, texts)[0]})", True
    raise TypeError(f"{type(expr).__name__} is no numeric formula")


def _as_read(size: Size, texts: Mapping[str, Written]) -> Size:
    """A size whose names are what is read in their place."""
    names = {name: texts[name] for name in size.names() if name in texts}
    return size.substitute({name: Size.of(text if alone else f"({text})") for name, (text, alone) in names.items()})


def _named(size: Size, texts: Mapping[str, Written]) -> Written:
    name = size.name
    return texts[name] if name is not None and name in texts else _size_text(_as_read(size, texts))


def _grouped(expr: Expr, texts: Mapping[str, Written]) -> str:
    text, alone = _text(expr, texts)
    return text if alone else f"({text})"


def _rises(expr: Expr, bindings: Bindings, name: str) -> bool:
    """Whether an expression surely never falls while a name rises."""
    match expr:
        case Literal():
            return True
        case Measure(size=size):
            return all(_binding_rises(bindings[one], name) for one in size.names()) and _all_added(size)
        case Variable(name=variable):
            return variable in bindings and _binding_rises(bindings[variable], name)
        case Apply(function="sub", arguments=(first, Literal())):
            return _rises(first, bindings, name)
        case Apply(function="div" | "log", arguments=(first, Literal(value=int() | float() as number))):
            return number > 1 and _rises(first, bindings, name)
        case Apply(function="pow", arguments=(first, Literal(value=int() | float() as number))):
            return number >= 0 and _rises(first, bindings, name) and _never_negative(first, bindings)
        case Apply(function="mul", arguments=arguments):
            return all(_rises(one, bindings, name) and _never_negative(one, bindings) for one in arguments)
        case Apply(function=function, arguments=arguments):
            return function in RISING and all(_rises(argument, bindings, name) for argument in arguments)
    return False


def _never_negative(expr: Expr, bindings: Bindings) -> bool:
    match expr:
        case Literal(value=int() | float() as value):
            return value >= 0
        case Measure(size=size):
            return _all_added(size) and all(_never_negative_binding(bindings[name]) for name in size.names())
        case Variable(name=name):
            return name in bindings and _never_negative_binding(bindings[name])
        case Apply(function=function, arguments=arguments):
            kept = function in KEEPING and all(_never_negative(argument, bindings) for argument in arguments)
            return kept or function in NEVER_NEGATIVE
    return False


def _never_negative_binding(one: Size | Static) -> bool:
    return _never_negative(one.expr, dict(one.bindings)) if isinstance(one, Static) else _all_added(one)


def _all_added(size: Size) -> bool:
    return size.is_plain and all(factor >= 0 for factor in size.terms.values())


def _binding_rises(one: Size | Static, name: str) -> bool:
    """Whether what a name stands for never falls; a size of positive terms in names alone does not."""
    if isinstance(one, Static):
        return one.rises(name)
    atoms = [atom for monomial in one.terms for atom in monomial if not isinstance(atom, str)]
    alone = all(isinstance(atom, str) or monomial == (atom,) for monomial in one.terms for atom in monomial)
    return alone and all(factor >= 0 for factor in one.terms.values()) and all(a.rises(name) for a in atoms)


def _interval(expr: Expr, bindings: Bindings, box: Mapping[str, tuple[Any, Any]]) -> tuple[Fraction, Fraction]:
    """Bounds of an expression while names run."""
    match expr:
        case Literal(value=int() | float() | Fraction() as value) if math.isfinite(value):
            return Fraction(value), Fraction(value)
        case Variable(name=name) if name in bindings:
            one = bindings[name]
            if isinstance(one, Static):
                return _interval(one.expr, dict(one.bindings), box)
            low, high = enclosed(one, box)
            return Fraction(low), Fraction(high)
        case Measure(size=size):
            sizes = {name: one for name, one in bindings.items() if isinstance(one, Size)}
            low, high = enclosed(size.substitute(sizes), box)
            return Fraction(low), Fraction(high)
        case Apply(function=function, arguments=arguments):
            if function in WITHIN_ONE:
                return Fraction(-1), Fraction(1)
            return _applied(function, [_interval(argument, bindings, box) for argument in arguments])
        case Let(names=names, value=value, body=body):
            inner = Static(value, tuple(sorted(bindings.items())))
            return _interval(body, {**bindings, names[0]: inner}, box)
        case Require(body=body) | Call(body=body):
            return _interval(body, bindings, box)
    raise Unbounded


def _applied(function: str, ends: list[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """Bounds of a function from those of its arguments: at their ends, where it rises or falls in each."""
    lows = [low for low, _ in ends]
    monotone = function in RISING or function in ("neg", "sub", "abs", "mul")
    monotone = monotone or (function in ("div", "log") and lows[-1] > 1) or (function == "pow" and lows[0] > 0)
    if not monotone:
        raise Unbounded
    real = column("R")
    values = []
    for corner in product(*ends):
        arguments = [np.asarray(float(end)) for end in corner]
        values.append(float(apply(function, arguments, real, [real] * len(arguments))))
    if not all(math.isfinite(value) for value in values):
        raise Unbounded
    low, high = Fraction(min(values)), Fraction(max(values))
    if function == "abs" and ends[0][0] < 0 < ends[0][1]:
        low = Fraction(0)
    return low - abs(low) * SLACK, high + abs(high) * SLACK


def sympy_of_static(expr: Expr, bindings: Mapping[str, Any]) -> Any:
    """The expression in sympy, its names replaced by what they stand for there."""
    import sympy

    match expr:
        case Literal(value=value):
            return sympy.nsimplify(value)
        case Variable(name=name):
            return bindings[name]
        case Measure(size=size):
            return sympy.sympify(str(size).replace("^", "**"), locals=dict(bindings))
        case Apply(function=function, arguments=arguments):
            values = [sympy_of_static(argument, bindings) for argument in arguments]
            return _sympy_function(function)(*values)
        case Let(names=names, value=value, body=body):
            return sympy_of_static(body, {**bindings, names[0]: sympy_of_static(value, bindings)})
        case Require(body=body) | Call(body=body):
            return sympy_of_static(body, bindings)
    return sympy.Symbol(_text(expr, {})[0])


def _sympy_function(name: str) -> Any:
    import sympy

    operators: dict[str, Any] = {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
        "mod": sympy.Mod, "pow": lambda a, b: a**b, "neg": lambda a: -a, "max": sympy.Max, "min": sympy.Min,
        "abs": sympy.Abs, "sgn": sympy.sign,
    }  # fmt: skip
    return operators.get(name) or getattr(sympy, name, None) or sympy.Function(name)
