"""The evaluator: from a syntax tree's expression to an abstract value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tolang.check.application import apply_basic
from tolang.check.blocks import blocks, listing
from tolang.check.branches import if_form
from tolang.check.calls import call_closure, call_function, compose, refuse_misfit
from tolang.check.checking import Checking, need
from tolang.check.derivatives import refuse_misfits
from tolang.check.folds import reduce_form
from tolang.check.forms import FORMS, USAGE, convert_form, zeros
from tolang.check.frames import Binding
from tolang.check.gradients import gradient_form
from tolang.check.hints import foreign_attribute, is_known, unknown_module, unknown_name
from tolang.check.indexing import WHOLE, Item, SliceOf, component, member
from tolang.check.maps import iterator_value, map_form, refuse_equal_names
from tolang.check.patterns import part_form
from tolang.check.values import (
    FUNCTIONS,
    POISON,
    BundleValue,
    Closure,
    Composition,
    Namespace,
    PendingValue,
    Poisoned,
    Primitive,
    Problem,
    Ratio,
    ScalarValue,
    Scope,
    StarValue,
    Tensor,
    Value,
    Vector,
    is_atomic,
    to_expr,
    weak_numeric,
    whole,
)
from tolang.check.values import Basic as BasicFunction
from tolang.core.core import Convert, Literal, Variable
from tolang.core.types import Type
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.conditions import FALSE, TRUE
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.recursion import DEEPEST
from tolang.ground.values.casting import nearest_float
from tolang.ground.values.functions import BY_SIGN
from tolang.ground.values.functions import FUNCTIONS as BASIC
from tolang.ground.values.spaces import column, renames
from tolang.syntax import tree
from tolang.syntax.traversal import definitely_used

NEARLY_TOO_DEEP = DEEPEST // 4
"""The depth from which on a chain of definitions is settled from its beginning, not from its end."""


def evaluate(checking: Checking, node: tree.Expression, scope: Scope) -> Value:
    """The value of an expression, or `POISON` once its error is reported."""
    checking.depth += 1
    checking.work += 1
    try:
        if checking.work > checking.most_work or checking.depth > DEEPEST:
            checking.spend(node.span, 0)
            checking.refuse_depth(node.span)
        found = EVALUATORS.get(type(node))
        if found is None:
            raise Problem("E101", "this cannot stand here", node.span)
        return found(checking, node, scope)
    except Problem as problem:
        diagnostic = problem.diagnostic
        checking.report(diagnostic if diagnostic.span else replace(diagnostic, span=node.span))
        return POISON
    except Poisoned:
        return POISON
    finally:
        checking.depth -= 1


def _star(checking: Checking, node: tree.StarExpression, scope: Scope) -> Value:
    if scope.star is None:
        raise Problem("E211", "* stands for the current element, but is not inside a map", node.span,
                      fix="write it in the second argument of map; in reduce (s, x) -> …; "
                      "as a function it is mul")  # fmt: skip
    return scope.star.element


def _coordinates(star: StarValue) -> tuple[ScalarValue, ...]:
    """Those of the current element, of which nothing is known where the map itself has an error."""
    need(star.element)
    return star.coordinates


def _constant(checking: Checking, node: tree.ConstantExpression | tree.Text, scope: Scope) -> Value:
    return constant_value(node)


def _index(checking: Checking, node: tree.IndexExpression, scope: Scope) -> Value:
    value = checking.evaluate(node.subject, scope)
    evaluated = _items(checking, node.items, scope)
    return member(checking, need(value), evaluated, node.span)


def _component(checking: Checking, node: tree.ComponentExpression, scope: Scope) -> Value:
    value = checking.value(node.subject, scope)
    return component(value, _selector(checking, node.selector, scope, value), node.span)


def _parenthesis(checking: Checking, node: tree.Parenthesis, scope: Scope) -> Value:
    return checking.value(node.inner, scope)


def _norm(checking: Checking, node: tree.NormExpression, scope: Scope) -> Value:
    form, _, _ = FORMS[node.kind]
    return form(checking, [checking.value(node.operand, scope)], node.span)


def _lambda(checking: Checking, node: tree.LambdaExpression, scope: Scope) -> Value:
    refuse_equal_names(named_leaves(node.parameters), "parameters")
    return Closure("this function", node.parameters, node.body, scope)


def _block(checking: Checking, node: tree.BlockExpression, scope: Scope) -> Value:
    block = scope.child(checking.frame)
    declare(checking, block, node.definitions)
    return checking.value(node.result, block)


def named_leaves(parameters: tuple[tree.Parameter, ...]) -> list[tree.Parameter]:
    """The parameters, and for each that names its parts those names; `_` is none."""
    return [leaf for one in parameters for leaf in one.leaves if leaf.id != tree.IGNORED]


def _type_list(checking: Checking, node: tree.TypeList, scope: Scope) -> Value:
    raise Problem("E404", "a type list stands where a value is expected", node.span)


def _slice(checking: Checking, node: tree.Slice, scope: Scope) -> Value:
    raise Problem("E304", "a range a:b stands only inside an index", node.span, fix="t[a:b]")


def _number(checking: Checking, node: tree.Number, scope: Scope) -> Value:
    found = checking.numbers.get(id(node))
    if found is None:
        found = checking.numbers[id(node)] = node, _number_value(node)
    return found[1]


def _number_value(node: tree.Number) -> ScalarValue:
    if node.imaginary:
        literal: Literal = Literal(complex(0, nearest_float(node.value)), type=weak_numeric("C"), span=node.span)
        return ScalarValue(literal, other=literal.value)
    if isinstance(node.value, int) and node.whole:
        return whole(node.value, node.span)
    literal = Literal(nearest_float(node.value), type=weak_numeric("R"), span=node.span)
    return ScalarValue(literal, Ratio(Size.of(node.value)))


def constant_value(node: tree.ConstantExpression | tree.Text) -> Value:
    if isinstance(node, tree.Text):
        return ScalarValue(Literal(node.value, type=Type((), (column("S"),)), span=node.span), other=node.value)
    if node.name in ("true", "false"):
        truth = node.name == "true"
        literal = Literal(truth, type=weak_numeric("B"), span=node.span)
        return ScalarValue(literal, condition=TRUE if truth else FALSE)
    value = float("inf") if node.name == "Inf" else float("nan")
    return ScalarValue(Literal(value, type=weak_numeric("R"), span=node.span), other=value)


def _name(checking: Checking, node: tree.NameExpression, scope: Scope) -> Value:
    name, span = node.id, node.span
    if name == "iter" and scope.find("iter") is None:
        if scope.star is None:
            raise Problem("E211", "iter stands for the current coordinates, but is not inside a map", span)
        return iterator_value(_coordinates(scope.star))
    found = scope.find(name)
    if found is None:
        declared = scope.shape_declaration(name)
        if declared is not None:
            return _declared_shape(checking, *declared)
        return predefined(name, span, scope)
    value, owner = found
    if not isinstance(value, PendingValue):
        return value
    return settle_definition(checking, name, value, owner, span)


def _declared_shape(checking: Checking, declaration: tree.TolShape, owner: Scope) -> Value:
    """The name of `tol result = [n,m]` inside its own definition: zeros of that shape."""
    items = declaration.shape.items if isinstance(declaration.shape, tree.Blocks) else (declaration.shape,)
    return checking.value(tree.Zeros(declaration.shape.span, items), owner)


def settle_definition(checking: Checking, name: str, pending: PendingValue, owner: Scope, span: Span) -> Value:
    """The value of a definition, evaluated once and in its own frame."""
    if pending.state == "running":
        declared = owner.shape_declaration(name)
        if declared is not None:
            return _declared_shape(checking, *declared)
        raise Problem("E207", f"{name} is defined by itself", span, fix="a repetition is a fold: reduce(tol[n], …)")
    if pending.state == "new":
        if checking.depth > NEARLY_TOO_DEEP:
            _settle_what_it_needs(checking, pending, owner)
        pending.state = "running"
        with checking.inside(owner.frame):
            before = len(checking.frame.bindings)
            value = checking.evaluate(pending.definition.body, owner)
            if value is not POISON:
                value = _declared(checking, value, owner.declarations.declared.get(name), span)
                value = _named(checking, value, name if name[0] != "(" else "parts")
                _note_definition(checking, value, name, before)
        pending.value, pending.state = value, "done"
    return need(pending.value)


def _settle_what_it_needs(checking: Checking, pending: PendingValue, owner: Scope) -> None:
    """Settles the definitions of a scope that one of them is sure to need, in a loop, where evaluation would nest."""
    waiting, met = [pending], {id(pending)}
    while waiting:
        names = definitely_used(waiting[-1].definition.body)
        found = [one for one in map(owner.names.get, names) if isinstance(one, PendingValue) and one.state == "new"]
        needed = [one for one in found if id(one) not in met]
        met.update(map(id, needed))
        waiting.extend(needed)
        if not needed:
            one = waiting.pop()
            if one is not pending:
                settle_definition(checking, one.definition.id, one, owner, one.definition.id_span)


def _declared(checking: Checking, value: Value, declared: Type | None, span: Span) -> Value:
    """A defined ToL that is also declared: its shape must agree, and its values are converted to its spaces."""
    if declared is None or isinstance(value, FUNCTIONS):
        return value
    from tolang.check.application import agree_shapes

    expr = to_expr(value, span)
    agree_shapes(checking, "the declaration", declared.shape, expr.type.shape, span)
    if expr.type.columns == declared.columns and not renames(expr.type.columns, declared.columns):
        return value
    if expr.type.capacity != declared.capacity:
        raise Problem(
            "E403", "the declaration has another capacity", span, found=str(expr.type), expected=str(declared)
        )
    return Tensor(Convert(expr, type=Type(expr.type.shape, declared.columns), span=span))


def _named(checking: Checking, value: Value, name: str) -> Value:
    """A definition's value under its own name, which messages and the core then show."""
    if isinstance(value, Tensor) and not is_atomic(value.expr):
        fresh = checking.fresh(name)
        checking.frame.bindings.append(Binding((fresh,), value.expr))
        return Tensor(Variable(fresh, type=value.expr.type, span=value.expr.span))
    return checking.settle(value, name)


def _note_definition(checking: Checking, value: Value, name: str, before: int) -> None:
    """Notes which binding holds a definition's value, and which were made on the way to it, for no other definition."""
    found = (one for one in checking.frame.bindings[before:] if one.names)
    made = [one for one in found if not (one.names[0] in checking.definitions or one.names[0] in checking.auxiliary)]
    items = value.items if isinstance(value, BundleValue | Vector) else (value,)
    exprs = [item.expr for item in items if isinstance(item, Tensor | ScalarValue)]
    names = {expr.name for expr in exprs if isinstance(expr, Variable)}
    holder = next((one for one in made if names & set(one.names)), None)
    for one in made:
        table = checking.definitions if one is holder else checking.auxiliary
        table[one.names[0]] = name


def predefined(name: str, span: Span, scope: Scope, is_length: bool = False) -> Value:
    """What a name means that nothing in sight defines: a basic function, a primitive, or an error."""
    if name in BASIC:
        return BasicFunction(name)
    if name in FORMS:
        return Primitive(name, FORMS[name][0])
    raise unknown_name(name, span, scope, is_length)


def _star_name(checking: Checking, node: tree.StarName, scope: Scope) -> Value:
    name, star = node.id, scope.star
    while star is not None:
        if star.subject == name:
            return Vector(_coordinates(star))
        star = star.outer
    raise Problem("E211", f"*{name} needs a map over {name} around it", node.span)


def _operator(checking: Checking, node: tree.Unary | tree.Binary, scope: Scope) -> Value:
    if isinstance(node, tree.Unary):
        operand = checking.value(node.operand, scope)
        if node.operator == "+":
            return operand
        return apply_basic(checking, "neg" if node.operator == "-" else node.operator, [operand], node.span)
    chain: list[tree.Binary] = []
    left: tree.Expression = node
    while isinstance(left, tree.Binary):
        chain.append(left)
        left = left.left
    value = checking.evaluate(left, scope)
    for one in reversed(chain):
        right = checking.evaluate(one.right, scope)
        try:
            value = apply_basic(checking, BY_SIGN[one.operator], [need(value), need(right)], one.span)
        except Problem as problem:
            checking.report(problem.diagnostic)
            value = POISON
        except Poisoned:
            value = POISON
    return need(value)


def _zeros(checking: Checking, node: tree.Zeros, scope: Scope) -> Value:
    for item in node.items:
        if isinstance(item, tree.NameExpression) and not is_known(item.id, scope):
            checking.report(unknown_name(item.id, item.span, scope, is_length=True).diagnostic)
    return zeros(checking, node, scope)


def _compose(checking: Checking, node: tree.Compose, scope: Scope) -> Value:
    """`f.g`, `h.f`; `np.dot` and `x.shape` are told how they are said here."""
    first, second = node.functions[0], node.functions[1]
    member = second.id if isinstance(second, tree.NameExpression) else ""
    if isinstance(first, tree.NameExpression) and not is_known(first.id, scope):
        problem = unknown_module(first.id, member, first.span, scope)
        if problem is not None:
            raise problem
    elif member:
        subject = checking.value(first, scope)
        if not isinstance(subject, (*FUNCTIONS, Namespace)):
            fix = foreign_attribute(member, subject, first.span.text)
            raise Problem("E209", "only functions are composed with a dot", first.span, fix=fix)
    return compose(checking, node, scope)


def _items(checking: Checking, items: tuple[tree.Expression, ...], scope: Scope) -> list[Item]:
    """The items of an index: a bare `*` is the current coordinates, or the whole dimension outside any map."""
    evaluated: list[Item] = []
    for item in items:
        match item:
            case tree.StarExpression():
                evaluated.append(WHOLE if scope.star is None else Vector(_coordinates(scope.star)))
            case tree.Slice(lower=lower, upper=upper):
                low = None if lower is None else checking.evaluate(lower, scope)
                high = None if upper is None else checking.evaluate(upper, scope)
                evaluated.append(POISON if POISON in (low, high) else SliceOf(low, high))
            case _:
                evaluated.append(checking.evaluate(item, scope))
    if any(item is POISON for item in evaluated):
        raise Poisoned
    return evaluated


def _selector(checking: Checking, node: tree.Expression, scope: Scope, subject: Value) -> int | str:
    """A position known while checking, or a name of a component that no such position hides."""
    if isinstance(node, tree.NameExpression):
        found = scope.find(node.id)
        named = isinstance(subject, Tensor) and any(c.name == node.id for c in subject.type.columns)
        if found is None or (named and not isinstance(found[0], ScalarValue)):
            return node.id
    value = checking.value(node, scope)
    if isinstance(value, ScalarValue) and isinstance(value.constant, int):
        return value.constant
    raise Problem("E310", "a component is chosen by a number known while checking, or by its name", node.span)


def _call(checking: Checking, node: tree.CallExpression, scope: Scope) -> Value:
    if isinstance(node.function, tree.NameExpression) and scope.find(node.function.id) is None:
        special = _primitive_call(checking, node, node.function.id, scope)
        if special is not None:
            return special
    function = checking.evaluate(node.function, scope)
    if function is POISON:
        for argument in node.arguments:
            if not isinstance(argument.value, tree.LambdaExpression | tree.StarExpression):
                checking.evaluate(argument.value, scope)
        raise Poisoned
    if not isinstance(function, FUNCTIONS):
        if any(a.keyword for a in node.arguments):
            raise Problem("E205", "a ToL has coordinates, not named arguments", node.span)
        return member(checking, function, _items(checking, tuple(a.value for a in node.arguments), scope), node.span)
    evaluated = [checking.evaluate(a.value, scope) for a in node.arguments]
    named = [a.keyword for a in node.arguments if a.keyword is not None]
    refuse_misfit(function, len(evaluated) - len(named), named, node.span)
    positional = [need(v) for v, a in zip(evaluated, node.arguments, strict=True) if a.keyword is None]
    keywords: dict[str, Value] = {}
    for value, argument in zip(evaluated, node.arguments, strict=True):
        if argument.keyword is not None:
            if argument.keyword in keywords:
                raise Problem("E205", f"{argument.keyword} is given twice", argument.span)
            keywords[argument.keyword] = need(value)
    if isinstance(function, Closure):
        return call_closure(checking, function, positional, keywords, node.span)
    if keywords:
        what = "a composition" if isinstance(function, Composition) else "this function"
        raise Problem("E205", f"{what} takes its arguments by position", node.span)
    return call_function(checking, function, positional, node.span)


def _primitive_call(checking: Checking, node: tree.CallExpression, name: str, scope: Scope) -> Value | None:
    if name == "map":
        return map_form(checking, node, scope)
    if name == "reduce":
        return reduce_form(checking, node, scope)
    if name == "convert":
        return convert_form(checking, node, scope)
    if name == "gradient":
        return gradient_form(checking, node, scope)
    if name not in FORMS:
        return None
    form, least, most = FORMS[name]
    count = len(node.arguments)
    if not least <= count <= most or any(a.keyword for a in node.arguments):
        wanted = f"{least} to {most} arguments" if most > least else f"{least} argument{'s' if least > 1 else ''}"
        raise Problem(
            "E203", f"{name} takes {wanted}", node.span, found=str(count), expected=USAGE.get(name, f"{name}(t)")
        )
    evaluated = [checking.evaluate(a.value, scope) for a in node.arguments]
    return form(checking, [need(v) for v in evaluated], node.span)


def declare(checking: Checking, scope: Scope, definitions: tuple[tree.Definition, ...]) -> None:
    """Puts definitions into a scope: functions as they are, values to be evaluated once when needed."""
    seen: dict[str, tree.Definition] = {}
    for definition in definitions:
        name = definition.id
        if name in seen:
            first = seen[name].id_span.place
            what = f"the derivative of {definition.derived}" if definition.derived else name
            problem = Problem("E206", f"{what} is defined twice", definition.id_span, found=f"first defined at {first}")
            checking.report(problem.diagnostic)
            continue
        seen[name] = definition
        if definition.parameters is not None:
            try:
                refuse_equal_names(named_leaves(definition.parameters), "parameters")
            except Problem as problem:
                checking.report(problem.diagnostic)
        if definition.parameters is None:
            scope.names[name] = PendingValue(definition)
        else:
            scope.names[name] = Closure(name, definition.parameters, definition.body, scope, definition)
    if scope.later is None:
        refuse_misfits(checking, scope, definitions)


EVALUATORS: dict[type[tree.Expression], Callable[[Checking, Any, Scope], Value]] = {
    tree.Number: _number, tree.ConstantExpression: _constant, tree.Text: _constant, tree.NameExpression: _name,
    tree.StarExpression: _star, tree.StarName: _star_name, tree.Unary: _operator, tree.Binary: _operator,
    tree.IndexExpression: _index, tree.ComponentExpression: _component, tree.CallExpression: _call,
    tree.NormExpression: _norm, tree.Blocks: blocks, tree.Listing: listing, tree.Parenthesis: _parenthesis,
    tree.Zeros: _zeros, tree.LambdaExpression: _lambda, tree.IfExpression: if_form, tree.Compose: _compose,
    tree.BlockExpression: _block, tree.TypeList: _type_list, tree.Slice: _slice, tree.Unpacked: part_form,
}  # fmt: skip
"""What each kind of expression means."""


def new_checking() -> Checking:
    return Checking(evaluate, call_function)
