"""Unknown names everywhere, and calls that no arguments can fit, also in functions nobody calls: those are checked for
nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from tolang.check.calls import refuse_misfit
from tolang.check.checking import Checking
from tolang.check.expressions import predefined
from tolang.check.hints import is_known, unknown_module
from tolang.check.values import Basic, Namespace, Problem, Scope
from tolang.ground.dataclasses import fields
from tolang.ground.values.functions import FUNCTIONS as BASIC
from tolang.syntax import tree

SPECIAL = {"map", "reduce", "convert", "gradient", "iter"}


def report_unknown_names(checking: Checking, definition: tree.Definition, scope: Scope) -> None:
    """Reports each name in a function's body that nothing around it defines, and each call that cannot be right."""
    bound = _names_of(definition.parameters)
    for parameter in definition.parameters or ():
        if parameter.default is not None:
            _walk(checking, parameter.default, bound, scope)
    _walk(checking, definition.body, bound, scope)


def report_in_expression(checking: Checking, node: tree.Expression, scope: Scope) -> None:
    """The same for an expression that is not evaluated."""
    _walk(checking, node, set(), scope)


def _walk(checking: Checking, node: tree.Node, bound: set[str], scope: Scope) -> None:
    pending: list[tuple[tree.Node, set[str]]] = [(node, bound)]
    while pending:
        current, names = pending.pop()
        match current:
            case tree.NameExpression(id=name):
                _look_up(checking, current, name, names, scope)
                continue
            case tree.LambdaExpression(parameters=parameters):
                names = names | _names_of(parameters)
            case tree.BlockExpression(definitions=definitions):
                names = names | {d.id for d in definitions}
            case tree.Definition(parameters=parameters):
                names = names | _names_of(parameters)
            case tree.Compose(functions=functions):
                pending.extend((one, names) for one in _composed(checking, functions, names, scope))
                continue
            case tree.Zeros(items=items):
                for item in items:
                    if isinstance(item, tree.NameExpression):
                        _look_up(checking, item, item.id, names, scope, is_length=True)
            case tree.ComponentExpression(subject=subject):
                pending.append((subject, names))
                continue
            case tree.CallExpression(function=tree.NameExpression(id=name), arguments=arguments) if name in (
                "map",
                "reduce",
            ):
                names = names | iterator_names(arguments[2 if name == "map" else 3 :])
            case tree.CallExpression():
                _fit(checking, current, names, scope)
        pending.extend((child, names) for child in children(current))


def _names_of(parameters: tuple[tree.Parameter, ...] | None) -> set[str]:
    return {name for one in parameters or () for name in one.names}


def _composed(
    checking: Checking, functions: tuple[tree.Expression, ...], bound: set[str], scope: Scope
) -> list[tree.Expression]:
    """The functions of a composition whose names are looked up here: not those of modules."""
    kept: list[tree.Expression] = []
    before = ""
    for one in functions:
        name = one.id if isinstance(one, tree.NameExpression) else ""
        found = scope.find(before) if before and before not in bound else None
        if found is not None and isinstance(found[0], Namespace):
            before = ""
            continue
        kept.append(one)
        before = name
    first, second = functions[:2]
    if isinstance(first, tree.NameExpression) and first.id not in bound and not is_known(first.id, scope):
        problem = unknown_module(
            first.id, second.id if isinstance(second, tree.NameExpression) else "", first.span, scope
        )
        if problem is not None:
            checking.report(problem.diagnostic)
            return []
    return kept


def iterator_names(arguments: tuple[tree.CallArgument, ...]) -> set[str]:
    found: set[str] = set()
    for argument in arguments[:1]:
        items = argument.value.items if isinstance(argument.value, tree.Blocks) else (argument.value,)
        found |= {i.id for i in items if isinstance(i, tree.NameExpression | tree.StarName)}
    return found


def _fit(checking: Checking, call: tree.CallExpression, bound: set[str], scope: Scope) -> None:
    """Reports the call of a function that is known, with arguments that cannot be its own."""
    if not isinstance(call.function, tree.NameExpression) or call.function.id in bound:
        return
    name = call.function.id
    found = scope.find(name)
    if found is None and name not in BASIC:
        return
    function = found[0] if found is not None else Basic(name)
    keywords = [argument.keyword for argument in call.arguments if argument.keyword is not None]
    try:
        refuse_misfit(function, len(call.arguments) - len(keywords), keywords, call.span)
    except Problem as problem:
        checking.report(problem.diagnostic)


def children(node: tree.Node) -> Iterator[tree.Node]:
    """The nodes directly inside a node of the syntax tree."""
    for one in fields(node):
        value = getattr(node, one.name)
        if isinstance(value, tree.Node):
            yield value
        elif isinstance(value, tuple):
            yield from (v for v in value if isinstance(v, tree.Node))


def _look_up(
    checking: Checking, node: tree.NameExpression, name: str, bound: set[str], scope: Scope, is_length: bool = False
) -> None:
    if name in bound or name in SPECIAL or scope.find(name) or scope.shape_declaration(name):
        return
    try:
        predefined(name, node.span, scope, is_length)
    except Problem as problem:
        checking.report(problem.diagnostic)
