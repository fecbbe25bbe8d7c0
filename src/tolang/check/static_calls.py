"""Calls whose result is known without data, evaluated once for all that differ in nothing but names.

The shapes that a model computes are such calls, the same ones in each of its layers, and so are the lengths and
coordinates that a library definition works out again and again.  What such a call gave is kept with the bindings it
made on the way; for an equal call the bindings that the result needs are made anew, so that nothing is counted less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from tolang.check.checking import Checking
from tolang.check.frames import Binding, Frame
from tolang.check.given_numbers import GivenNumber, Watched
from tolang.check.values import Basic, Closure, ScalarValue, Tensor, TypeNames, Value, Vector
from tolang.core.core import Apply, Call, Convert, Expr, If, Literal, Measure, Variable
from tolang.core.rebuild import rebuild
from tolang.ground.dataclasses import dataclass, replace

LONGEST_SHARED = 32
"""Of how many expressions a value may be made that calls share; long ones would double with each use."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a call gave: its value, the bindings that the value needs, and the names that its arguments had."""

    value: ScalarValue | Vector
    bindings: tuple[Binding, ...]
    names: tuple[str, ...]
    arguments: tuple[Value, ...]
    """Held so that what is known by its identity alone stays the only one of it."""


class Arguments:
    """The arguments of one call, as they are told from those of others: variables only by what is known of them."""

    def __init__(self) -> None:
        self.variables: list[Variable] = []

    def key(self, value: Value) -> object | None:
        """What tells an argument from others; None for one that a call without data does not take."""
        match value:
            case Watched():
                return None
            case ScalarValue():
                return self._scalar(value)
            case Vector(items=items):
                return ("vector", *[self._scalar(item) for item in items])
            case Tensor(expr=Variable() as variable) if not variable.type.parts:
                kind = variable.type
                names = tuple(one.name for one in kind.columns)
                return ("tol", self._number(variable), kind.shape, kind.columns, names, kind.blank)
            case TypeNames(columns=columns):
                return ("spaces", columns)
            case Basic(name=name):
                return ("basic", name)
        return None

    def _scalar(self, value: ScalarValue) -> object:
        match value.expr:
            case GivenNumber() as expr:
                return ("itself", id(expr))
            case Literal(value=literal) as expr:
                return ("literal", type(literal), repr(literal), expr.type.column)
            case Measure(size=size) as expr:
                return ("size", size, expr.type.column)
            case Variable() as expr if value.index is not None:
                return ("number", self._number(expr), value.index, expr.type.column)
            case Variable(name=name):
                return ("variable", name)
        return ("itself", id(value.expr))

    def _number(self, variable: Variable) -> int:
        """Which of the variables one is, from 0."""
        for number, one in enumerate(self.variables):
            if one.name == variable.name:
                return number
        self.variables.append(variable)
        return len(self.variables) - 1


def known_call(
    checking: Checking, closure: Closure, bound: dict[str, Value], frame: Frame, evaluate: Callable[[], Value]
) -> Value:
    """The value of a call, evaluated in a frame, or as an equal call gave it where that is known without data."""
    arguments = Arguments()
    keys = [arguments.key(value) for value in bound.values()]
    if not keys or None in keys:
        return evaluate()
    definition = closure.definition if closure.scope.parent_is_module() else None
    of_library = definition is not None and definition.span.source.library
    outcomes = checking.library_outcomes if of_library else checking.outcomes
    key = (definition or closure, checking.frame.conditional, *keys)
    found = outcomes.get(key)
    if isinstance(found, Outcome):
        return _again(checking, found, arguments.variables)
    reported = len(checking.problems)
    value = evaluate()
    if len(checking.problems) == reported and isinstance(value, ScalarValue | Vector):
        names = tuple(one.name for one in arguments.variables)
        needed = _needed(value, frame, frozenset(names))
        if needed is not None:
            outcomes[key] = Outcome(value, needed, names, tuple(bound.values()))
    return value


def _needed(value: ScalarValue | Vector, frame: Frame, names: frozenset[str]) -> tuple[Binding, ...] | None:
    """The bindings of a frame that a value needs, in order; None where the value belongs to this one call."""
    if any(isinstance(item, Watched) for item in _items(value)):
        return None  # it stays the only one of it
    if any(one.condition is not None or one.lengths or len(one.names) != 1 for one in frame.bindings):
        return None
    makers = {one.names[0]: one for one in frame.bindings}
    own = names | makers.keys()
    items = _items(value)
    if any(not own.isdisjoint(used) for item in items for used in _names_of_sizes(item)):
        return None
    waiting = [item.expr for item in items]
    left, needed = LONGEST_SHARED + len(waiting), set[str]()
    while waiting:
        expr, left = waiting.pop(), left - 1
        if left < 0 or not _is_movable(expr, own):
            return None
        if isinstance(expr, Variable) and expr.name in makers and expr.name not in needed:
            needed.add(expr.name)
            made = makers[expr.name].value
            assert made is not None
            waiting.append(made)
        waiting.extend(expr.children())
    return tuple(one for name, one in makers.items() if name in needed)


def _items(value: ScalarValue | Vector) -> tuple[ScalarValue, ...]:
    return value.items if isinstance(value, Vector) else (value,)


def _names_of_sizes(item: ScalarValue) -> Iterator[frozenset[str]]:
    """The names in what is known of a scalar."""
    if item.index is not None:
        yield item.index.numerator.names()
        yield item.index.denominator.names()
    if item.condition is not None:
        yield item.condition.names()


def _is_movable(expr: Expr, own: frozenset[str]) -> bool:
    """Whether an expression means the same elsewhere with other names for the variables in it."""
    match expr:
        case Literal() | Variable() | Apply() | Convert():
            return not expr.type.shape
        case Measure(size=size):
            return own.isdisjoint(size.names())
        case Call(sizes=(), arguments=(), shared=False):
            return True
        case If(guard=guard) if guard is not None:
            return own.isdisjoint(guard.names())
    return False


def _again(checking: Checking, outcome: Outcome, variables: Iterable[Variable]) -> Value:
    """What a call gave, for arguments of other names."""
    renamed: dict[str, Expr] = {
        name: one for name, one in zip(outcome.names, variables, strict=True) if name != one.name
    }
    if not renamed and not outcome.bindings:
        return outcome.value

    def visit(expr: Expr) -> Expr:
        return renamed.get(expr.name, expr) if isinstance(expr, Variable) else rebuild(expr, visit)

    for one in outcome.bindings:
        assert one.value is not None
        renamed[one.names[0]] = checking.emit(one.names[0], visit(one.value))
    items = tuple(replace(item, expr=visit(item.expr)) for item in _items(outcome.value))
    return Vector(items) if isinstance(outcome.value, Vector) else items[0]
