"""Single expressions as programs."""

from __future__ import annotations

from tolang.check.programs import check_program
from tolang.core.core import Program
from tolang.ground.diagnostics import Source
from tolang.syntax import tree
from tolang.syntax.parser import parse_expression


def expression_core(source: Source) -> Program:
    """The checked core of one expression, whose only output is named `result`."""
    node = parse_expression(source)
    definition = tree.Definition(node.span, "result", node.span, None, node, exported=True)
    return check_program(tree.Module(node.span, (definition,)))
