"""Derivatives that definitions carry themselves: `derivative f(x, d) = …`, kept with every call of `f` in the core."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tolang.check.application import agree_shapes
from tolang.check.checking import Checking
from tolang.check.frames import Frame
from tolang.check.indexing import component_of
from tolang.check.instances import parameter, passed
from tolang.check.values import (
    FUNCTIONS,
    BundleValue,
    Closure,
    Problem,
    ScalarValue,
    Scope,
    Tensor,
    TypeNames,
    Value,
    Vector,
    to_expr,
)
from tolang.core.core import Bundle, Derivative, Expr, Variable
from tolang.core.gradient.building import cotangent_type, embedded, filled, is_real, mapped, settled
from tolang.core.tidy import free_names, own_children, tidy
from tolang.core.types import Type, bundle_type
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.values.spaces import Column
from tolang.syntax import tree


def written_derivative(closure: Closure) -> Closure | None:
    """The derivative that stands beside a definition."""
    if closure.definition is None:
        return None
    scope, name = closure.scope, f"{closure.name}'"
    if name not in scope.names and (scope.later is None or not scope.later.brings(name)):
        return None
    found = scope.names[name]
    assert isinstance(found, Closure)
    return found


def refuse_misfits(checking: Checking, scope: Scope, definitions: tuple[tree.Definition, ...]) -> None:
    """Every derivative stands beside its function, and takes what that takes and the cotangent of its result."""
    for one in definitions:
        if one.derived is None:
            continue
        function = scope.names.get(one.derived)
        if not isinstance(function, Closure):
            problem = Problem("E213", f"no function {one.derived} is defined beside its derivative", one.id_span)
            checking.report(problem.diagnostic)
        elif len(function.parameters) + 1 != len(one.parameters or ()):
            names = ", ".join([*(p.id for p in function.parameters), "d"])
            message = f"the derivative of {one.derived} takes its parameters and the cotangent of its result"
            found, expected = f"{len(one.parameters or ())} parameters", f"derivative {one.derived}({names})"
            checking.report(Problem("E213", message, one.id_span, found=found, expected=expected).diagnostic)


def own_derivative(
    checking: Checking, closure: Closure, bound: Mapping[str, Value], result: Value, span: Span | None
) -> Derivative | None:
    """The derivative that a definition carries, for one call; None where it has none, or gives no real numbers.

    Inside its own derivative a function is differentiated as it is written: else there would be no end of it.
    """
    derivative = written_derivative(closure)
    if derivative is None or derivative.definition in checking.deriving:
        return None
    items = result.items if isinstance(result, BundleValue) else (result,)
    kinds = [cotangent_type(item.type) for item in items if isinstance(item, Tensor)]
    cotangents = tuple((checking.fresh("d"), kind) for kind in kinds if kind.columns)
    if not cotangents:
        return None
    frame = Frame(checking.frame.iterators, checking.frame.conditional)
    names: list[str] = []
    inner = [parameter(checking, name, value, {}, names) for name, value in bound.items()]
    given = tuple(Tensor(Variable(name, type=kind)) for name, kind in cotangents)
    with checking.inside(frame), _deriving(checking, derivative):
        found = checking.call(derivative, [*inner, given[0] if len(given) == 1 else BundleValue(given)], span)
        parts = _Cotangents(checking, closure, derivative, found).parts(bound)
    if not parts:
        return None
    whole = parts[0] if len(parts) == 1 else Bundle(parts, type=bundle_type(part.type for part in parts))
    values = [expr for value in bound.values() for expr in passed(value)]
    made = Derivative(tuple(zip(names, values, strict=True)), cotangents, tidy(frame.wrap(whole)))
    _refuse_others(closure, derivative, made)
    return made


@contextmanager
def _deriving(checking: Checking, derivative: Closure) -> Iterator[None]:
    before = checking.deriving
    checking.deriving = (*before, derivative.definition)
    try:
        yield
    finally:
        checking.deriving = before


class _Cotangents:
    """What a derivative gave, component by component, handed out to the parameters in order."""

    def __init__(self, checking: Checking, closure: Closure, derivative: Closure, given: Value) -> None:
        self.checking, self.closure = checking, closure
        assert derivative.definition is not None
        self.span = derivative.definition.id_span
        self.left: list[Expr] = []
        for item in given.items if isinstance(given, BundleValue) else (given,):
            whole = checking.atom(to_expr(item, self.span))
            self.left += [component_of(whole, n, self.span) for n in range(1, whole.type.capacity + 1)]

    def parts(self, bound: Mapping[str, Value]) -> tuple[Expr, ...]:
        """The cotangent of each real value that is passed, zeros where none was given."""
        count, found = len(self.left), []
        for name, value in bound.items():
            exprs = passed(value) if isinstance(value, Tensor | BundleValue) else []
            for expr in exprs:
                goal = cotangent_type(expr.type)
                given = self._take(len(goal.columns) or expr.type.capacity)
                if goal.columns:
                    found.append(self._cotangent(name, goal, given))
            if not exprs and not isinstance(value, (*FUNCTIONS, TypeNames)):
                self._take(1)
            for expr in passed(value) if isinstance(value, ScalarValue | Vector) else ():
                goal = cotangent_type(expr.type)
                found += [self._cotangent(name, goal, [])] if goal.columns else []
        if self.left:
            message = f"the derivative of {self.closure.name} gives more than one cotangent for each parameter"
            raise Problem("E213", message, self.span, found=f"{count}", expected=f"at most {count - len(self.left)}")
        return tuple(found)

    def _take(self, count: int) -> list[Expr]:
        taken, self.left = self.left[:count], self.left[count:]
        return taken

    def _cotangent(self, name: str, goal: Type, given: list[Expr]) -> Expr:
        columns = [self._fitted(name, goal, one, column) for one, column in zip(given, goal.columns, strict=False)]
        columns += [filled(0, goal.shape, column) for column in goal.columns[len(given) :]]
        return embedded(columns)

    def _fitted(self, name: str, goal: Type, given: Expr, column: Column) -> Expr:
        """A cotangent in the shape of what it belongs to, to which a numeric extends."""
        what = f"the derivative of {self.closure.name} by {name}"
        kind = given.type
        if not is_real(kind.column) and kind.column.space.family not in ("Z", "B"):
            raise Problem("E402", f"{what} is not a real number", self.span, found=str(kind), expected=str(goal))
        if kind.rank and kind.rank != goal.rank:
            raise Problem("E301", f"{what} has another shape", self.span, found=str(kind), expected=str(goal))
        if kind.rank:
            agree_shapes(self.checking, what, kind.shape, goal.shape, self.span)
            return settled(given, column)
        iterators = [self.checking.fresh("i") for _ in goal.shape]
        return mapped(iterators, goal.shape, settled(given, column))


def _refuse_others(closure: Closure, derivative: Closure, made: Derivative) -> None:
    """A derivative uses what it is given and nothing else: where it is needed, there may be nothing else."""
    others = (free_names(made.body) - made.bound) & _variables(made.body)
    if others:
        assert derivative.definition is not None
        name = min(others).split(".")[0]
        message = f"the derivative of {closure.name} uses {name}, which is none of its parameters"
        raise Problem("E213", message, derivative.definition.id_span, fix=f"make {name} a parameter of {closure.name}")


def _variables(expr: Expr) -> set[str]:
    found = {expr.name} if isinstance(expr, Variable) else set[str]()
    return found.union(*(_variables(child) for child in own_children(expr)))
