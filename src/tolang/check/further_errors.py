"""What else is wrong with a definition that has no value: each mistake in one statement is told at once.

Evaluation stops at an error wherever the rest depends on it.  Here what is left is looked at by itself: the parts of
what has no value, with nothing known of what a map or function would give them.
"""

from __future__ import annotations

from tolang.check.checking import LEAST_WORK, Checking
from tolang.check.expressions import declare, named_leaves
from tolang.check.frames import Frame
from tolang.check.names import children, iterator_names, report_in_expression, report_unknown_names
from tolang.check.values import POISON, ScalarValue, Scope, StarValue
from tolang.syntax import tree

NOTHING_KNOWN = StarValue(POISON, (), None, None)


def report_further_errors(checking: Checking, body: tree.Expression, scope: Scope) -> None:
    """Reports what is wrong in the parts of an expression, each of them once, as far as they can be looked at alone."""
    spent, allowed = checking.work, checking.most_work
    checking.most_work = min(allowed, spent + LEAST_WORK)
    with checking.inside(Frame(checking.frame.iterators, conditional=True)):
        _Parts(checking).look_at(body, scope)
    checking.work, checking.most_work = spent, allowed


class _Parts:
    def __init__(self, checking: Checking) -> None:
        self.checking = checking

    def look_at(self, node: tree.Expression, scope: Scope, inside: bool = False) -> None:
        """Looks at an expression, and at its parts if it has no value; `inside` what is applied to values not known."""
        if self.checking.work >= self.checking.most_work - 1:
            return
        if not isinstance(node, tree.LambdaExpression) and self.checking.evaluate(node, scope) is not POISON:
            return
        match node:
            case tree.LambdaExpression(parameters=parameters, body=body):
                inner = scope.child(star=scope.star)
                inner.names.update((leaf.id, POISON) for leaf in named_leaves(parameters))
                self.look_at(body, inner, True)
            case tree.BlockExpression():
                self._block(node, scope, inside)
            case tree.IfExpression():
                self._if(node, scope, inside)
            case tree.CallExpression(function=tree.NameExpression(id="map" | "reduce" as name), arguments=arguments):
                self._iteration(name, arguments, scope, inside)
            case tree.CallExpression(function=tree.NameExpression(id="convert" | "gradient"), arguments=arguments):
                for argument in arguments:
                    self._part(argument, scope, inside)
            case tree.ComponentExpression(subject=subject):
                self.look_at(subject, scope, inside)
            case tree.Compose():
                return
            case _:
                for child in children(node):
                    self._part(child, scope, inside)

    def _part(self, node: tree.Node, scope: Scope, inside: bool) -> None:
        match node:
            case tree.CallArgument(value=value):
                self._part(value, scope, inside)
            case tree.Slice(lower=lower, upper=upper):
                for end in filter(None, (lower, upper)):
                    self.look_at(end, scope, inside)
            case tree.StarExpression() | tree.TypeList():
                return
            case tree.Expression():
                self.look_at(node, scope, inside)

    def _block(self, node: tree.BlockExpression, scope: Scope, inside: bool) -> None:
        block = scope.child(self.checking.frame)
        declare(self.checking, block, node.definitions)
        for definition in node.definitions:
            if definition.parameters is None:
                self.look_at(definition.body, block, inside)
            else:
                report_unknown_names(self.checking, definition, block)
        self.look_at(node.result, block, inside)

    def _if(self, node: tree.IfExpression, scope: Scope, inside: bool) -> None:
        """Of what is decided while checking only the branch that is taken may have errors other than in its names."""
        self.look_at(node.condition, scope, inside)
        condition = self.checking.evaluate(node.condition, scope)
        known = condition.constant if isinstance(condition, ScalarValue) else None
        for branch, taken in ((node.then, True), (node.otherwise, False)):
            if (condition is POISON and inside) or (known is not None and bool(known) is not taken):
                report_in_expression(self.checking, branch, scope)
            else:
                self.look_at(branch, scope, inside)

    def _iteration(self, name: str, arguments: tuple[tree.CallArgument, ...], scope: Scope, inside: bool) -> None:
        values = [argument.value for argument in arguments]
        last = 2 if name == "map" else 3
        for position, value in enumerate(values[:last]):
            if position != 1:
                self.look_at(value, scope, inside)
                continue
            inner = scope.child(star=NOTHING_KNOWN if name == "map" else scope.star)
            inner.names.update(dict.fromkeys(iterator_names(arguments[last:]), POISON))
            self.look_at(value, inner, True)
