"""The state of one run of the checker: problems, names, the frame that is written into, and the work done so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import takewhile

from tolang.check.frames import Binding, Frame, Length
from tolang.check.values import (
    POISON,
    BundleValue,
    Function,
    Poisoned,
    Problem,
    ScalarValue,
    Scope,
    Tensor,
    Value,
    Vector,
    is_atomic,
)
from tolang.core.core import Expr, Join, Literal, Measure, Reshape, Variable
from tolang.core.tidy import own_children
from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Diagnostic, Note, Source, Span, ToLangCheckError
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.ranges import Ranges
from tolang.ground.symbolic.sizes import ZERO, Size
from tolang.ground.system.recursion import DEEPEST, HIGHEST
from tolang.ground.values.spaces import strong
from tolang.syntax import tree

LEAST_WORK = 30_000
WORK_PER_STATEMENT = 300
WORK_PER_STEP = 2_000
"""How much work checking a program may take: some, more for what is written out in many statements, and more still for
those in blocks, as the bodies of loops are, which are checked at each use."""
MAXIMUM_PROBLEMS = 20
MOST_CALLS_TOLD = 6


@dataclass(frozen=True, slots=True)
class ActiveCall:
    """A call being checked: what was called (see `instance_of`), and where."""

    key: object
    name: str
    span: Span | None
    shared: bool = False
    """Whether what is checked is shared by calls elsewhere, so that nothing in it belongs to one of them."""


Evaluate = Callable[["Checking", tree.Expression, Scope], Value]
CallFunction = Callable[["Checking", Function, list[Value], Span | None], Value]


class Checking:
    """The state of one run of the checker.  `evaluate` and `call` are the two doors back into the evaluator."""

    def __init__(self, evaluate: Evaluate, call: CallFunction) -> None:
        self.evaluate_node = evaluate
        self.call_function = call
        self.ranges = Ranges()
        self.problems: list[Diagnostic] = []
        self.forgotten: list[Diagnostic] = []
        """Problems of attempts that came to nothing; definitions first looked at in one stay without a value."""
        self.calls: list[ActiveCall] = []
        self.frame = Frame()
        self.work = 0
        self.depth = 0
        self.most_work = LEAST_WORK
        self.instances: dict[object, object] = {}
        self.templates: dict[object, object] = {}
        self.outcomes: dict[object, object] = {}
        self.library_outcomes: dict[object, object] = {}
        self.source: Source | None = None
        self.definitions: dict[str, str] = {}
        self.auxiliary: dict[str, str] = {}
        self.positions: tuple[int, ...] = ()
        self.deriving: tuple[tree.Definition | None, ...] = ()
        """Derivatives that definitions carry, of those that are being looked at."""
        self.unknown_maps: set[int] = set()
        """Bodies of maps, by identity, that were tried at known coordinates and were not known; see `maps`."""
        self.items: dict[str, tuple[Expr, ...]] = {}
        """Names of vectors that were written of names and numbers: an argument `[n,2]` is a vector of n and 2 still."""
        self.numbers: dict[int, tuple[tree.Number, ScalarValue]] = {}
        """What numbers that are written stand for, by the identity of what is held beside it."""
        self._heights: dict[int, tuple[Expr, int]] = {}
        self._serial = 0
        self._inside_maps = False

    def go_on(self, before: Checking) -> None:
        """Takes over what another run found that holds here too: instances, what calls of the library gave, and names.

        Names stay the only ones.
        """
        self.instances, self.ranges, self._serial = before.instances, before.ranges, before._serial
        self.library_outcomes, self.templates = before.library_outcomes, before.templates

    def evaluate(self, node: tree.Expression, scope: Scope) -> Value:
        """The value of an expression; `POISON` where it has an error, which is then reported."""
        return self.evaluate_node(self, node, scope)

    def value(self, node: tree.Expression, scope: Scope) -> Value:
        """The value of an expression that the caller cannot do without."""
        return need(self.evaluate_node(self, node, scope))

    def call(self, function: Function, arguments: list[Value], span: Span | None) -> Value:
        return self.call_function(self, function, arguments, span)

    @contextmanager
    def remembering_unknown_maps(self) -> Iterator[None]:
        """Inside the outermost map, what was not known at known coordinates is not tried again at others.

        Else each map inside another would be looked at twice, and one inside many as often as 2 to their number.
        """
        outermost = not self._inside_maps
        self._inside_maps = True
        try:
            yield
        finally:
            if outermost:
                self._inside_maps = False
                self.unknown_maps.clear()

    def fresh(self, base: str) -> str:
        """A name used nowhere else, that still reads as the base."""
        self._serial += 1
        return f"{base.split('.')[0]}.{self._serial}"

    def spend(self, span: Span | None, amount: int = 1) -> None:
        """Counts work, so that checking any program ends in bounded time."""
        self.work += amount
        if self.work > self.most_work:
            if any(d.code == "E210" for d in self.problems):
                raise Poisoned
            raise Problem("E210", "the program is too large once its calls are written out", span,
                          fix="call library or top-level functions on whole ToLs, not inside maps")  # fmt: skip

    def refuse_depth(self, span: Span | None) -> None:
        """Refuses what nests so deeply, through calls, that walks over it would not find room: checking ends here."""
        if self.depth > DEEPEST:
            self.problems.clear()
            self.report(Diagnostic("E212", "the program nests too deeply once its calls are written out", span,
                                   found=f"more than {DEEPEST} expressions and calls inside one another",
                                   fix="let fewer functions call one another in a chain"))  # fmt: skip
            raise ToLangCheckError(self.problems)

    def report(self, diagnostic: Diagnostic) -> None:
        """Keeps a problem, with the calls that led to it, unless the same was seen before.

        Of what is found inside the library the calls inside it are not told: the user's come first.
        """
        inside = diagnostic.span is not None and diagnostic.span.source.library
        calls = (c for c in reversed(self.calls) if c.span and not (inside and c.span.source.library))
        notes = tuple(Note(f"in the call of {c.name}", c.span) for c in calls)[:MOST_CALLS_TOLD]
        told = replace(diagnostic, notes=diagnostic.notes + notes)
        place = told.from_outside().span
        if any(d.code == told.code and d.from_outside().span == place for d in self.problems):
            return
        if len(self.problems) < MAXIMUM_PROBLEMS:
            self.problems.append(told)

    def forget(self, begin: int) -> None:
        """Takes back the problems of an attempt, from a place among all problems on."""
        self.forgotten.extend(self.problems[begin:])
        del self.problems[begin:]

    def at(self, position: int) -> At:
        """Evaluates one element of a map or fold that is written out while checking: rand draws by its coordinate."""
        return At(self, position)

    def inside(self, frame: Frame) -> FrameContext:
        """Evaluates into another frame for a while."""
        return FrameContext(self, frame)

    def new_frame(self, *iterators: str, conditional: bool = False) -> Frame:
        """A frame inside the current one; what iterates over nothing may never be evaluated."""
        empty = self._iterates_over_nothing(iterators)
        return Frame(self.frame.iterators + iterators, self.frame.conditional or conditional or empty)

    def _iterates_over_nothing(self, iterators: tuple[str, ...]) -> bool:
        extents = [self.ranges.ranges[i][1] for i in iterators]
        return any(e is not None and self.ranges.proves_nonnegative(-e) for e in extents)

    def emit(self, base: str, value: Expr, lengths: tuple[Length, ...] = ()) -> Variable:
        """Names a value in the current frame."""
        name = self.fresh(base)
        self.frame.bindings.append(Binding((name,), value, lengths))
        items = _named_items(value)
        if items:
            self.items[name] = items
        return Variable(name, type=value.type, span=value.span)

    def require(self, condition: Condition, message: str, span: Span | None) -> None:
        """Asks for a condition on sizes to hold, now if it can be decided, else when sizes are known."""
        known = self.ranges.decide(condition)
        if known is False and not self._iterates_over_nothing(self.frame.iterators):
            raise Problem("E301", message, span)
        if not known:
            message, span = self._told_outside(message, span)
            self.frame.bindings.append(Binding((), None, condition=condition, message=message, span=span))

    def _told_outside(self, message: str, span: Span | None) -> tuple[str, Span | None]:
        """What is asked inside the library as the user's call of it asks for it, where that is known."""
        if span is None or not span.source.library:
            return message, span
        calls = takewhile(lambda c: not c.shared, reversed(self.calls))
        call = next((c for c in calls if c.span and not c.span.source.library), None)
        if call is None:
            return message, span
        told = Diagnostic("E515", message, span, notes=(Note(f"in the call of {call.name}", call.span),)).from_outside()
        return told.message, told.span

    def atom(self, expr: Expr, base: str = "t") -> Expr:
        """The expression, named if evaluating it again would cost."""
        return expr if is_atomic(expr) else self.emit(base, expr)

    def lowered(self, expr: Expr) -> Expr:
        """The operand of a basic function, named if it has so many of them inside one another that few may follow."""
        return expr if is_atomic(expr) or self._height(expr) < HIGHEST else self.emit("t", expr)

    def _height(self, expr: Expr) -> int:
        """How many expressions are inside one another in one, found once for each of them."""
        waiting = [expr]
        while waiting:
            one = waiting[-1]
            inner = own_children(one)
            unknown = [child for child in inner if id(child) not in self._heights]
            waiting.extend(unknown)
            if not unknown:
                height = 1 + max((self._heights[id(child)][1] for child in inner), default=0)
                self._heights[id(one)] = one, height
                waiting.pop()
        return self._heights[id(expr)][1]

    def settle(self, value: Value, base: str) -> Value:
        """A value that is evaluated once however often it is used: what a definition or an argument is."""
        match value:
            case Tensor(expr=expr) if not is_atomic(expr):
                return Tensor(self.emit(base, expr))
            case ScalarValue(expr=expr) if not is_atomic(expr):
                return replace(value, expr=self.emit(base, expr))
            case Vector(items=items) if not all(is_atomic(item.expr) for item in items):
                settled = (self.settle(item, base) for item in items)
                return Vector(tuple(s for s in settled if isinstance(s, ScalarValue)))
            case BundleValue(items=items):
                return BundleValue(tuple(self.settle(item, base) for item in items))
        return value

    def fresh_length(self, base: str, least: Size | None, greatest: Size | None) -> str:
        name = self.fresh(base)
        self.ranges.declare(name, least if least is not None else ZERO, greatest)
        return name


class FrameContext:
    """While it lasts, what is bound goes into a frame."""

    __slots__ = ("before", "checking", "frame")

    def __init__(self, checking: Checking, frame: Frame) -> None:
        self.checking, self.frame = checking, frame

    def __enter__(self) -> Frame:
        self.before, self.checking.frame = self.checking.frame, self.frame
        return self.frame

    def __exit__(self, *reason: object) -> None:
        self.checking.frame = self.before


class At:
    """While it lasts, what is evaluated is an element at one more coordinate."""

    __slots__ = ("before", "checking", "position")

    def __init__(self, checking: Checking, position: int) -> None:
        self.checking, self.position = checking, position

    def __enter__(self) -> None:
        self.before = self.checking.positions
        self.checking.positions = (*self.before, self.position)

    def __exit__(self, *reason: object) -> None:
        self.checking.positions = self.before


def _named_items(value: Expr) -> tuple[Expr, ...]:
    """The numerics that a vector is written of, where each is a name or a number."""
    parts = value.parts if isinstance(value, Join) else (value.subject,) if isinstance(value, Reshape) else ()
    is_vector = value.type.rank == 1 and all(isinstance(one, Variable | Literal | Measure) for one in parts)
    return parts if is_vector and all(one.type.is_numeric for one in parts) else ()


def need(value: Value) -> Value:
    if value is POISON:
        raise Poisoned
    return value


def strong_type(one: Type) -> Type:
    """The type once its literals are data."""
    return replace(one, columns=tuple(strong(c) for c in one.columns), blank=False)
