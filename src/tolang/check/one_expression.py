"""Single expressions as programs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tolang.check.hints import DEFINE
from tolang.check.programs import check_program
from tolang.core.core import Core
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import Diagnostic, Source, ToLangCheckError
from tolang.ground.system.asking import called
from tolang.ground.system.own_modules import FILE_ENDING
from tolang.syntax import tree
from tolang.syntax.parser import parse, parse_expression

_USE = re.compile(r"write `use (\w+)` above:")


def expression_core(source: Source, use: Sequence[str] = ()) -> Core:
    """The checked core of one expression, whose only output is named `result`, with the modules that it uses."""
    try:
        return check_program(expression_module(source, used(use)))
    except ToLangCheckError as error:
        raise ToLangCheckError([_alone(one) for one in error.diagnostics]) from None


def expression_module(source: Source, uses: Sequence[Source], declared: Source | None = None) -> tree.SyntaxModule:
    """The program of one expression, whose only output is named `result`, with what it uses and declares."""
    node = parse_expression(source)
    before = [one for text in (*uses, *([declared] if declared else [])) for one in parse(text).statements]
    definition = tree.Definition(node.span, "result", node.span, None, node, exported=True)
    return tree.SyntaxModule(node.span, (*before, definition))


def used(modules: Sequence[str]) -> list[Source]:
    """The statements that use modules: by name, by the path of a file, either with a name of its own."""
    return [Source("<use>", _statement(module)) for module in modules]


def _alone(diagnostic: Diagnostic) -> Diagnostic:
    """What is wrong with an expression that stands in no program: nothing can be defined above it."""
    fix = diagnostic.fix or ""
    if diagnostic.code != "E201":
        return diagnostic
    if fix.startswith(DEFINE):
        return replace(diagnostic, fix=None)
    module = _USE.match(fix)
    if module is None:
        return diagnostic
    option = called(f"use='{module[1]}'", f"--use {module[1]}")
    return replace(diagnostic, fix=f"name the module beside the expression, `{option}`: {fix[module.end() :].lstrip()}")


def _statement(module: str) -> str:
    path, sign, alias = module.partition(" as ")
    named = f'"{path}"' if path.endswith(FILE_ENDING) else path
    return f"use {named}{sign}{alias}"
