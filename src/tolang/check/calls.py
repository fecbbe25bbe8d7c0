"""Calls of functions: definitions, lambdas, compositions, basic functions."""

from __future__ import annotations

from dataclasses import replace

from tolang.check.application import apply_basic
from tolang.check.instances import shared_call
from tolang.check.scope import ActiveCall, Binding, Checking, Frame, Scope, need
from tolang.check.values import (
    Basic,
    Bundle,
    Closure,
    Composition,
    Function,
    Primitive,
    Problem,
    Scalar,
    Tensor,
    Value,
    is_atomic,
)
from tolang.core.core import Bundle as CoreBundle
from tolang.core.core import Call as CoreCall
from tolang.core.core import Expr, Variable
from tolang.core.types import bundle_type
from tolang.ground.diagnostics import Span
from tolang.ground.sizes import Size
from tolang.syntax import tree


def call_function(checking: Checking, function: Function, arguments: list[Value], span: Span | None) -> Value:
    """A function applied to values, all by position."""
    match function:
        case Basic(name=name):
            return apply_basic(checking, name, arguments, span)
        case Closure():
            return call_closure(checking, function, arguments, {}, span)
        case Composition(functions=functions):
            value = call_function(checking, functions[0], arguments, span)
            for one in functions[1:]:
                value = call_function(checking, one, [need(value)], span)
            return value
        case Primitive(form=form):
            result: Value = form(checking, arguments, span)
            return result


def call_closure(
    checking: Checking, closure: Closure, arguments: list[Value], keywords: dict[str, Value], span: Span | None
) -> Value:
    """A definition or lambda applied: parameters bound, the body evaluated, the call kept in the core."""
    checking.spend(span)
    key: object = closure.definition or closure.body
    if any(c.key is key for c in checking.calls):
        path = " -> ".join([c.name for c in checking.calls] + [closure.name])
        raise Problem("E207", f"{closure.name} would call itself, and ToLang has no recursion", span,
                      found=path, fix="repeat with a fold: reduce(tol[n], (s, x) -> …, start)")  # fmt: skip
    named = closure.definition is not None
    frame = Frame(checking.frame.iterators, checking.frame.conditional) if named else checking.frame
    scope = Scope(closure.scope, frame, star=closure.scope.star, module=closure.scope.module)
    bound = _bind(checking, closure, arguments, keywords, scope, span)
    if named:
        checking.frame.bindings.extend(frame.bindings)
        frame.bindings.clear()
        shared = shared_call(checking, closure, bound, span)
        if shared is not None:
            return shared
    scope.names.update(bound)
    checking.calls.append(ActiveCall(key, closure.name, span if named else None))
    try:
        with checking.inside(frame):
            result = need(checking.evaluate(closure.body, scope))
    finally:
        checking.calls.pop()
    return _kept(checking, closure, frame, result, span) if named else result


def _kept(checking: Checking, closure: Closure, frame: Frame, result: Value, span: Span | None) -> Value:
    """The call as one core expression, where nothing bound inside is needed outside."""
    match result:
        case Tensor(expr=expr) if not expr.type.parts and not _open_lengths(expr, frame):
            body = frame.wrap(expr)
            return Tensor(CoreCall(closure.name, (), (), body, type=body.type, span=span))
        case Scalar(expr=expr) if not frame.bindings and not is_atomic(expr):
            return replace(result, expr=CoreCall(closure.name, (), (), expr, type=expr.type, span=span))
        case Tensor() | Bundle():
            sealed = _sealed(checking, closure, frame, result, span)
            if sealed is not None:
                return sealed
    checking.frame.bindings.extend(frame.bindings)
    return result


def _open_lengths(expr: Expr, frame: Frame) -> list[tuple[int, str]]:
    """The axes whose lengths were named inside a frame, and those names, empty where a length is more than a name."""
    inner = frame.bound()
    open_axes = [(axis, length) for axis, length in enumerate(expr.type.shape) if length.names() & inner]
    return [(axis, next((n for n in length.names() if length == Size.of(n)), "")) for axis, length in open_axes]


def _sealed(
    checking: Checking, closure: Closure, frame: Frame, result: Tensor | Bundle, span: Span | None
) -> Value | None:
    """The call of a definition that gives a bundle, or a length that running tells: bound, with names for the lengths.

    None where a part is no ToL, or a length is more than a name that was bound inside.
    """
    parts = [p.expr for p in (result.items if isinstance(result, Bundle) else (result,)) if isinstance(p, Tensor)]
    if not frame.bindings or (isinstance(result, Bundle) and len(parts) < len(result.items)):
        return None
    types, lengths = [], []
    for position, part in enumerate(parts):
        shape = list(part.type.shape)
        for axis, inner in _open_lengths(part, frame):
            if not inner:
                return None
            name = checking.fresh_length("length", *checking.ranges.ranges.get(inner, (None, None)))
            lengths.append((name, position, axis))
            shape[axis] = Size.of(name)
        types.append(part.type.with_shape(tuple(shape)))
    is_bundle = isinstance(result, Bundle)
    whole = CoreBundle(tuple(parts), type=bundle_type(p.type for p in parts)) if is_bundle else parts[0]
    body = frame.wrap(whole)
    kind = bundle_type(types) if is_bundle else types[0]
    names = tuple(checking.fresh("r") for _ in parts)
    call = CoreCall(closure.name, (), (), body, type=kind, span=span)
    checking.frame.bindings.append(Binding(names, call, tuple(lengths)))
    variables = tuple(Tensor(Variable(n, type=t, span=span)) for n, t in zip(names, types, strict=True))
    return Bundle(variables) if is_bundle else variables[0]


def _bind(
    checking: Checking,
    closure: Closure,
    arguments: list[Value],
    keywords: dict[str, Value],
    scope: Scope,
    span: Span | None,
) -> dict[str, Value]:
    """Parameters and the values they stand for: by position, by name, by default."""
    parameters = closure.parameters
    signature = f"{closure.name}({', '.join(p.id for p in parameters)})"
    if len(arguments) > len(parameters):
        raise Problem("E203", f"{closure.name} takes {len(parameters)} argument(s)", span,
                      found=str(len(arguments)), expected=signature)  # fmt: skip
    known = {p.id for p in parameters}
    for keyword in keywords:
        if keyword not in known:
            raise Problem("E205", f"{closure.name} has no parameter named {keyword}", span, expected=signature)
    bound: dict[str, Value] = {}
    for position, parameter in enumerate(parameters):
        if position < len(arguments):
            if parameter.id in keywords:
                raise Problem("E205", f"{parameter.id} is given twice", span, expected=signature)
            value = arguments[position]
        elif parameter.id in keywords:
            value = keywords[parameter.id]
        elif parameter.default is not None:
            scope.names.update(bound)
            value = checking.value(parameter.default, scope)
        else:
            raise Problem("E203", f"{closure.name} needs the argument {parameter.id}", span,
                          found=f"{len(arguments) + len(keywords)} argument(s)", expected=signature)  # fmt: skip
        bound[parameter.id] = checking.settle(value, parameter.id)
    return bound


def compose(checking: Checking, node: tree.Compose, scope: Scope) -> Value:
    """`f.g.h`."""
    functions: list[Function] = []
    for part in node.functions:
        value = checking.value(part, scope)
        if not isinstance(value, Basic | Closure | Composition | Primitive):
            raise Problem("E209", "only functions are composed with a dot", part.span)
        functions.append(value)
    return Composition(tuple(functions))
