"""Single expressions as programs."""

from __future__ import annotations

from collections.abc import Sequence

from tolang.check.programs import check_program
from tolang.core.core import Program
from tolang.ground.diagnostics import Source
from tolang.ground.own_modules import FILE_ENDING
from tolang.syntax import tree
from tolang.syntax.parser import parse, parse_expression


def expression_core(source: Source, use: Sequence[str] = ()) -> Program:
    """The checked core of one expression, whose only output is named `result`, with the modules that it uses."""
    node = parse_expression(source)
    uses = [one for module in use for one in parse(Source("<use>", _statement(module))).statements]
    definition = tree.Definition(node.span, "result", node.span, None, node, exported=True)
    return check_program(tree.Module(node.span, (*uses, definition)))


def _statement(module: str) -> str:
    """The statement that uses a module: its name, the path of its file, either with a name of its own."""
    path, sign, alias = module.partition(" as ")
    named = f'"{path}"' if path.endswith(FILE_ENDING) else path
    return f"use {named}{sign}{alias}"
