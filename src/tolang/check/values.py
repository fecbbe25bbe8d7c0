"""What an expression is while checking: the abstract values of the partial evaluator.

Scalar     a numeric known without data: a literal, a size, a coordinate, and what follows from them
Vector     a vector of scalars of known length: |t|, coordinates, written constants
Tensor     anything computed while running, as a core expression
Bundle     several values held together
Function   a basic function, a definition, a lambda, a composition
TypeNames  the answer of space(t)
Namespace  a module under a name of its own
POISON     stands for a value whose error has been reported, and silences errors that follow from it

A function is closed over a scope, and a scope is of names and values; so both are here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, Protocol

from tolang.check.frames import Frame
from tolang.core.core import Component, Constant, Expr, Join, Literal, Measure, Part, Variable
from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass, field
from tolang.ground.reporting.diagnostics import Diagnostic, Note, Span
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import ONE, Size, floor_division
from tolang.ground.values.spaces import Column, column, join_columns
from tolang.syntax import tree

LARGEST_SHARED = 64
"""Whole numbers up to this, such as those of axes, are made once."""


class Problem(Exception):
    """One error, found while checking; caught where checking can go on."""

    def __init__(
        self,
        code: str,
        message: str,
        span: Span | None = None,
        found: str | None = None,
        expected: str | None = None,
        fix: str | None = None,
        notes: tuple[Note, ...] = (),
    ) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, message, span, found, expected, fix, notes)


class Poisoned(Exception):
    """Something here depends on an error already reported."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """An exact quotient of sizes; the denominator is 1 unless it has names."""

    numerator: Size
    denominator: Size = ONE

    def floor(self) -> Size:
        return floor_division(self.numerator, self.denominator)

    @property
    def is_whole(self) -> bool:
        return self.denominator == ONE and self.numerator.denominator == 1


@dataclass(frozen=True, slots=True)
class ScalarValue:
    """A numeric known without data.  `expr` is what was written, so that it counts where it is used as a value."""

    expr: Expr
    index: Ratio | None = None
    condition: Condition | None = None
    other: Constant | None = None

    @property
    def constant(self) -> Constant | None:
        if self.index is not None and self.index.denominator == ONE:
            return self.index.numerator.constant
        if self.condition is not None:
            return self.condition.constant
        return self.other


@dataclass(frozen=True, slots=True)
class Vector:
    items: tuple[ScalarValue, ...]


@dataclass(frozen=True, slots=True)
class Tensor:
    expr: Expr

    @property
    def type(self) -> Type:
        return self.expr.type


@dataclass(frozen=True, slots=True)
class BundleValue:
    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Basic:
    """A basic elementary function as a value."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A definition with parameters, or a lambda, and the scope it was written in."""

    name: str
    parameters: tuple[tree.Parameter, ...]
    body: tree.Expression
    scope: Scope
    definition: tree.Definition | None = None

    @property
    def required(self) -> int:
        return sum(1 for p in self.parameters if p.default is None)


@dataclass(frozen=True, slots=True, eq=False)
class Composition:
    """`f.g.h`, and where it is written."""

    functions: tuple[Function, ...]
    node: tree.Compose


@dataclass(frozen=True, slots=True, eq=False)
class Primitive:
    """A primitive operator named as a function, such as `shape` in `map(t, shape)`."""

    name: str
    form: Callable[..., Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class TypeNames:
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Namespace:
    """A module under a name of its own: `use helpers as h`, then `h.f`."""

    name: str
    scope: Scope


class Poison:
    """The one value of this class is `POISON`."""


POISON = Poison()
Function = Basic | Closure | Composition | Primitive
FUNCTIONS = (Basic, Closure, Composition, Primitive)
Value = (
    ScalarValue
    | Vector
    | Tensor
    | BundleValue
    | Basic
    | Closure
    | Composition
    | Primitive
    | TypeNames
    | Namespace
    | Poison
)


@dataclass(frozen=True, slots=True, eq=False)
class StarValue:
    """What `*` and `iter` mean: the element and coordinates of a map over a subject, named where it is a name."""

    element: Value
    coordinates: tuple[ScalarValue, ...]
    subject: str | None
    outer: StarValue | None


@dataclass(slots=True, eq=False)
class PendingValue:
    """A value definition that is evaluated once, when first needed."""

    definition: tree.Definition
    state: str = "new"
    value: Value = POISON


class LazyDefinitions(Protocol):
    """Definitions of a scope that are read when they are first asked for."""

    def brings(self, name: str) -> bool:
        """Puts the definition of a name into the scope, if there is one, and tells whether there is."""

    def known(self) -> Iterable[str]:
        """The names of all definitions."""


@dataclass(frozen=True, slots=True, eq=False)
class Declarations:
    """What a program declares: shapes, types of what it also defines, spaces."""

    shapes: dict[str, tree.TolShape] = field(default_factory=dict)
    declared: dict[str, Type] = field(default_factory=dict)
    spaces: dict[str, tuple[Column, ...]] = field(default_factory=dict)


NOTHING_DECLARED = Declarations()
"""The declarations of every scope but that of a program."""


@dataclass(slots=True, eq=False)
class Scope:
    """Names visible in some piece of source, and the frame its definitions are evaluated in."""

    parent: Scope | None
    frame: Frame
    names: dict[str, Value | PendingValue] = field(default_factory=dict)
    star: StarValue | None = None
    module: str = ""
    is_module: bool = False
    later: LazyDefinitions | None = None
    declarations: Declarations = NOTHING_DECLARED

    def find(self, name: str) -> tuple[Value | PendingValue, Scope] | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names or (scope.later is not None and scope.later.brings(name)):
                return scope.names[name], scope
            scope = scope.parent
        return None

    def shape_declaration(self, name: str) -> tuple[tree.TolShape, Scope] | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.declarations.shapes:
                return scope.declarations.shapes[name], scope
            scope = scope.parent
        return None

    def parent_is_module(self) -> bool:
        """Whether this is the scope of a whole module, so that definitions in it see no local names."""
        return self.is_module

    def child(self, frame: Frame | None = None, star: StarValue | None = None) -> Scope:
        return Scope(self, frame or self.frame, star=star or self.star, module=self.module)

    def visible(self) -> set[str]:
        names: set[str] = set()
        scope: Scope | None = self
        while scope is not None:
            names |= scope.names.keys()
            names.update(scope.later.known() if scope.later is not None else ())
            scope = scope.parent
        return names


def instance_of(closure: Closure, bound: Mapping[str, Value]) -> tuple[object, ...]:
    """A function, and where the functions are written that it is given: what stands at most once on a path of calls.

    A program has only so many of these, so no path is without end, and nothing that would repeat itself is checked; but
    a function may be called inside a function that it is given.
    """
    return closure.definition or closure.body, *(_place(one) for one in bound.values())


def _place(value: Value) -> object:
    match value:
        case Closure(definition=definition, body=body):
            return definition or body
        case Composition(node=node):
            return node
        case Basic(name=name) | Primitive(name=name):
            return name
    return None


def whole(number: int, span: Span | None = None) -> ScalarValue:
    """The scalar of a whole literal."""
    return _whole(number) if span is None and 0 <= number <= LARGEST_SHARED else _whole_at(number, span)


@lru_cache(maxsize=None, typed=True)
def _whole(number: int) -> ScalarValue:
    """The scalar of a small number that stands nowhere, one for all."""
    return _whole_at(number, None)


def _whole_at(number: int, span: Span | None) -> ScalarValue:
    storage = "i64" if -(2**63) <= number < 2**63 else "integer"
    kind = weak_numeric("N" if number > 0 else "Z", storage)
    return ScalarValue(Literal(number, type=kind, span=span), Ratio(Size.of(number)))


@cache
def weak_numeric(root: str, storage: str | None = None) -> Type:
    """The type of a numeric that takes the storage of what it meets."""
    return Type((), (column(root, storage, weak=True),))


def measure(size: Size, span: Span | None = None) -> ScalarValue:
    """The scalar of a size or iterator."""
    number = size.constant
    if isinstance(number, int):
        return whole(number, span)
    return ScalarValue(Measure(size, type=weak_numeric("N"), span=span), Ratio(size))


def space_names(names: TypeNames) -> ScalarValue | Vector:
    """A type list as text known while checking: one name as a scalar, several as a vector."""
    text = Type((), (column("S"),))
    items = tuple(ScalarValue(Literal(str(c.space), type=text), other=str(c.space)) for c in names.columns)
    return items[0] if len(items) == 1 else Vector(items)


def to_expr(value: Value, span: Span | None = None) -> Expr:
    """The core expression of any value that can be data."""
    match value:
        case ScalarValue(expr=expr) | Tensor(expr=expr):
            return expr
        case Vector(items=items):
            return vector_expr(items, span)
        case BundleValue():
            raise Problem("E306", "ToLs of different shapes cannot stand as one ToL here", span,
                          fix="take one component with [j]', or make the shapes equal")  # fmt: skip
        case Basic() | Closure() | Composition() | Primitive():
            raise Problem(
                "E204", "a function stands where a value is expected", span, fix="call it, or pass it to map or reduce"
            )
        case TypeNames():
            raise Problem("E204", "a type list stands where a value is expected", span)
        case Namespace(name=name):
            raise Problem("E204", f"{name} is a module, and stands where a value is expected", span,
                          fix=f"take a definition of it: {name}.f")  # fmt: skip
    raise Poisoned


def vector_expr(items: tuple[ScalarValue, ...], span: Span | None) -> Expr:
    """A vector of scalars as a join of numerics."""
    if not items:
        return Literal(0, type=Type((Size.of(0),), (column("N", weak=True),), blank=True), span=span)
    joined = items[0].expr.type.column
    for item in items[1:]:
        both = join_columns(joined, item.expr.type.column)
        if both is None:
            raise Problem("E401", "numbers and text cannot be in one vector", span)
        joined = both
    return Join(tuple(i.expr for i in items), 0, type=Type((Size.of(len(items)),), (joined,)), span=span)


def is_atomic(expr: Expr) -> bool:
    """Whether an expression costs nothing to evaluate again: a name, a literal, or a member of one."""
    if isinstance(expr, (Variable, Literal, Measure)):
        return True
    match expr:
        case Part(subject=subject, items=items):
            return is_atomic(subject) and not any(item.written for item in items)
        case Component(subject=subject):
            return is_atomic(subject)
    return False
