"""`gradient(f, x)`: the derivatives of a function with a numeric result by each element of its argument."""

from __future__ import annotations

from tolang.check.checking import Checking
from tolang.check.maps import form_arguments
from tolang.check.values import Basic, Closure, Composition, Primitive, Problem, Scope, Tensor, Value, to_expr
from tolang.core.core import Variable
from tolang.core.gradient.building import is_real
from tolang.core.gradient.names import NameSource
from tolang.ground.reporting.diagnostics import ToLangError
from tolang.syntax import tree


class _CheckedNames(NameSource):
    """Names that are new to the checker."""

    def __init__(self, checking: Checking) -> None:
        super().__init__()
        self.checking = checking

    def fresh(self, base: str) -> str:
        return self.like(base, self.checking.fresh(base.split(".")[0] or "t"))


def gradient_form(checking: Checking, node: tree.CallExpression, scope: Scope) -> Value:
    """The function is called, and what it gives is differentiated: expressions of the core again."""
    from tolang.core.gradient.expression import gradient_of

    arguments, _ = form_arguments(node, "gradient", 2, "gradient(f, x)", optional=0)
    function, subject = (checking.value(one, scope) for one in arguments)
    span = node.span
    if not isinstance(function, Basic | Closure | Composition | Primitive):
        raise Problem("E209", "gradient needs a function", span, expected="gradient(f, x)")
    point = checking.emit("x", to_expr(subject, span))
    assert isinstance(point, Variable)
    if not any(is_real(column) for column in point.type.columns):
        raise Problem("E402", "only real numbers have derivatives", span, found=str(point.type), expected="R or Q")
    with checking.inside(checking.new_frame()) as frame:
        result = to_expr(checking.call(function, [Tensor(point)], span), span)
        if not result.type.is_numeric or not is_real(result.type.column):
            found = str(result.type)
            raise Problem("E402", "gradient is of a function that gives a real numeric", span, found=found)
        body = frame.wrap(result)
    try:
        return Tensor(gradient_of(body, point, _CheckedNames(checking)))
    except ToLangError as error:
        first = error.diagnostics[0]
        raise Problem(first.code, first.message, first.span or span) from None
