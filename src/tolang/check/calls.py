"""Calls of functions: definitions, lambdas, compositions, basic functions."""

from __future__ import annotations

from collections.abc import Collection

from tolang.check.application import apply_basic
from tolang.check.checking import ActiveCall, Checking, need
from tolang.check.derivatives import own_derivative, written_derivative
from tolang.check.forms import refuse_count
from tolang.check.frames import Binding, Frame
from tolang.check.hints import as_one_list, misnamed_argument, refuse_misused, taken_for
from tolang.check.instances import shared_call
from tolang.check.patterns import named as named_parts
from tolang.check.scalars import arity_problem
from tolang.check.static_calls import known_call
from tolang.check.values import (
    Basic,
    BundleValue,
    Closure,
    Composition,
    Function,
    Namespace,
    PendingValue,
    Primitive,
    Problem,
    ScalarValue,
    Scope,
    Tensor,
    Value,
    instance_of,
    is_atomic,
)
from tolang.core.core import Bundle, Call, Derivative, Expr, Variable
from tolang.core.types import bundle_type
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.close_names import close_names
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.values.functions import FUNCTIONS
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
        case Primitive(name=name, form=form):
            refuse_count(name, len(arguments), span)
            result: Value = form(checking, arguments, span)
            return result


def call_closure(
    checking: Checking, closure: Closure, arguments: list[Value], keywords: dict[str, Value], span: Span | None
) -> Value:
    """A definition or lambda applied: parameters bound, the body evaluated, the call kept in the core."""
    checking.spend(span)
    named = closure.definition is not None
    frame = Frame(checking.frame.iterators, checking.frame.conditional) if named else checking.frame
    scope = Scope(closure.scope, frame, star=closure.scope.star, module=closure.scope.module)
    bound = _bind(checking, closure, arguments, keywords, scope, span)
    refuse_misused(checking, closure, bound, span)
    key = instance_of(closure, bound)
    if any(c.key == key for c in checking.calls):
        path = " -> ".join([c.name for c in checking.calls] + [closure.name])
        raise Problem("E207", f"{closure.name} would call itself, and ToLang has no recursion", span,
                      found=path, fix="repeat with a fold: reduce(tol[n], (s, x) -> …, start)")  # fmt: skip
    if named:
        checking.frame.bindings.extend(frame.bindings)
        frame.bindings.clear()
        shared = None if written_derivative(closure) else shared_call(checking, closure, bound, span)
        if shared is not None:
            return shared
    scope.names.update(named_parts(closure.parameters, bound))

    def evaluated() -> Value:
        checking.calls.append(ActiveCall(key, closure.name, span if named else None))
        try:
            with checking.inside(frame):
                result = need(checking.evaluate(closure.body, scope))
        finally:
            checking.calls.pop()
        if not named:
            return result
        return _kept(checking, closure, frame, result, own_derivative(checking, closure, bound, result, span), span)

    return known_call(checking, closure, bound, frame, evaluated) if named else evaluated()


def _kept(
    checking: Checking, closure: Closure, frame: Frame, result: Value, own: Derivative | None, span: Span | None
) -> Value:
    """The call as one core expression, where nothing bound inside is needed outside."""
    match result:
        case Tensor(expr=expr) if not expr.type.parts and not _needs_inside(expr, frame):
            body = frame.wrap(expr)
            return Tensor(Call(closure.name, (), (), body, derivative=own, type=body.type, span=span))
        case ScalarValue(expr=expr) if not frame.bindings and not is_atomic(expr):
            return replace(result, expr=Call(closure.name, (), (), expr, type=expr.type, span=span))
        case Tensor() if _is_last_binding(frame, (result,)):
            return _bound_call(checking, closure, frame, result, own, span)
        case BundleValue(items=items) if frame.bindings and _is_last_binding(frame, items):
            return _bound_call(checking, closure, frame, result, own, span)
        case BundleValue(items=items) if (frame.bindings or own) and all(
            isinstance(item, Tensor) and not _needs_inside(item.expr, frame) for item in items
        ):
            parts = tuple(item.expr for item in items if isinstance(item, Tensor))
            names = tuple(checking.fresh("r") for _ in parts)
            whole = Bundle(parts, type=bundle_type(part.type for part in parts))
            frame.bindings.append(Binding(names, whole))
            variables = zip(names, parts, strict=True)
            result = BundleValue(tuple(Tensor(Variable(n, type=p.type, span=p.span)) for n, p in variables))
            return _bound_call(checking, closure, frame, result, own, span)
    if own is not None:
        message = f"{closure.name} has a derivative of its own, so the shape of what it gives is known before it runs"
        raise Problem("E213", message, span, fix=f"leave the derivative of {closure.name} out")
    checking.frame.bindings.extend(_called_each(closure, frame, span))
    return result


def _called_each(closure: Closure, frame: Frame, span: Span | None) -> list[Binding]:
    """The bindings of a call that is no one expression; what fails in one of the library is told at the user's call."""
    library = closure.definition is not None and closure.definition.span.source.library
    if not library or span is None or span.source.library:
        return frame.bindings

    def called(one: Binding) -> Binding:
        if one.value is None or is_atomic(one.value):
            return one
        return replace(one, value=Call(closure.name, (), (), one.value, type=one.value.type, span=span))

    return [called(one) for one in frame.bindings]


def _needs_inside(expr: Expr, frame: Frame) -> bool:
    """Whether an expression's shape has lengths that were named inside a frame."""
    inner = frame.bound()
    return any(length.names() & inner for length in expr.type.shape)


def _is_last_binding(frame: Frame, items: tuple[Value, ...]) -> bool:
    """Whether these are the values that a frame bound last, in their order, and need no other name from inside."""
    if not frame.bindings or frame.bindings[-1].value is None:
        return False
    last = frame.bindings[-1]
    exprs = [item.expr for item in items if isinstance(item, Tensor)]
    names = tuple(expr.name for expr in exprs if isinstance(expr, Variable))
    before = Frame(bindings=frame.bindings[:-1])
    return names == last.names and len(names) == len(items) and not any(_needs_inside(e, before) for e in exprs)


def _bound_call(
    checking: Checking, closure: Closure, frame: Frame, result: Value, own: Derivative | None, span: Span | None
) -> Value:
    """The call of a definition that gives a bundle, or lengths that running tells, bound where it is called."""
    last = frame.bindings.pop()
    assert last.value is not None
    body = frame.wrap(last.value)
    call = Call(closure.name, (), (), body, derivative=own, type=body.type, span=span)
    checking.frame.bindings.append(Binding(last.names, call, last.lengths))
    return result


def _signature(closure: Closure) -> str:
    """How a function is called, or for one without a name, how it is written."""
    names = ", ".join(p.span.text if p.parts else p.id for p in closure.parameters)
    if closure.definition is not None:
        return f"{closure.name}({names})"
    return f"{names} -> …" if len(closure.parameters) == 1 else f"({names}) -> …"


def _counted(number: int) -> str:
    return f"{number} argument{'' if number == 1 else 's'}"


def _bind(
    checking: Checking,
    closure: Closure,
    arguments: list[Value],
    keywords: dict[str, Value],
    scope: Scope,
    span: Span | None,
) -> dict[str, Value]:
    """Parameters and the values they stand for: by position, by name, by default."""
    refuse_misfit(closure, len(arguments), keywords, span)
    bound: dict[str, Value] = {}
    for position, parameter in enumerate(closure.parameters):
        if position < len(arguments):
            value = arguments[position]
        elif parameter.id in keywords:
            value = keywords[parameter.id]
        else:
            assert parameter.default is not None
            scope.names.update(named_parts(closure.parameters, bound))
            checking.calls.append(ActiveCall(parameter, closure.name, span))
            try:
                value = checking.value(parameter.default, scope)
            finally:
                checking.calls.pop()
        bound[parameter.id] = checking.settle(value, parameter.id)
    return bound


def refuse_misfit(function: Value | PendingValue, count: int, keywords: Collection[str], span: Span | None) -> None:
    """Refuses a call whose arguments cannot be those of a function, whatever their values are."""
    match function:
        case Basic(name=name):
            if count not in FUNCTIONS[name].arity and not keywords:
                raise arity_problem(name, count, span)
        case Primitive(name=name):
            refuse_count(name, count + len(keywords), span)
        case Closure():
            _refuse_misfit(function, count, keywords, span)


def _refuse_misfit(closure: Closure, count: int, keywords: Collection[str], span: Span | None) -> None:
    parameters = closure.parameters
    if count > len(parameters):
        message = f"{closure.name} takes {_counted(len(parameters))}"
        raise Problem("E203", message, span, _counted(count), _signature(closure), taken_for(closure))
    for keyword in keywords:
        if all(parameter.id != keyword for parameter in parameters):
            message = f"{closure.name} has no parameter named {keyword}"
            raise Problem("E205", message, span, expected=_signature(closure),
                          fix=misnamed_argument(closure, keyword))  # fmt: skip
    for position, parameter in enumerate(parameters):
        if position < count and parameter.id in keywords:
            raise Problem("E205", f"{parameter.id} is given twice", span, expected=_signature(closure))
        if position >= count and parameter.id not in keywords and parameter.default is None:
            message = f"{closure.name} needs the argument {parameter.id}"
            given = _counted(count + len(keywords))
            fix = (as_one_list(closure, span) if count == 1 else None) or taken_for(closure)
            raise Problem("E203", message, span, given, _signature(closure), fix)


def compose(checking: Checking, node: tree.Compose, scope: Scope) -> Value:
    """`f.g.h`; and `h.f` where h is a module, which is its definition f."""
    parts: list[tuple[Value, Span]] = []
    for part in node.functions:
        before = parts[-1] if parts else None
        if before is not None and isinstance(before[0], Namespace):
            parts[-1] = _definition(checking, before[0], part), part.span
        else:
            parts.append((checking.value(part, scope), part.span))
    if len(parts) == 1:
        return parts[0][0]
    functions: list[Function] = []
    for value, span in parts:
        if not isinstance(value, Basic | Closure | Composition | Primitive):
            raise Problem("E209", "only functions are composed with a dot", span)
        functions.append(value)
    return Composition(tuple(functions), node)


def _definition(checking: Checking, module: Namespace, part: tree.Expression) -> Value:
    """A definition of a module that has a name of its own."""
    owner = module.scope
    known = sorted({*owner.names, *(owner.later.known() if owner.later is not None else ())})
    name = part.id if isinstance(part, tree.NameExpression) else ""
    if name not in known:
        close = close_names(name, known, 1, 0.6)
        raise Problem("E201", f"the module {module.name} has no {name or 'such definition'}", part.span,
                      expected=", ".join(one for one in known[:20] if not one.endswith("'")),
                      fix=f"did you mean {module.name}.{close[0]}?" if close else None)  # fmt: skip
    return checking.value(part, owner)
