"""Names of modules, `use helpers as h`: nothing in the text that gives them may hide them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tolang.check.checking import Checking
from tolang.check.values import Problem
from tolang.ground.reporting.diagnostics import Span
from tolang.syntax import tree
from tolang.syntax.traversal import children


def refuse_hidden(checking: Checking, statements: Sequence[tree.Statement], aliases: Collection[str]) -> None:
    """Reports each definition, parameter and iterator that has the name of a module: `h.f` means one thing."""
    if not aliases:
        return
    for name, span in _bound(statements):
        if name in aliases:
            message, fix = f"{name} is the name of a module here, and stands for nothing else", "choose another name"
            checking.report(Problem("E214", message, span, fix=fix).diagnostic)


def _bound(statements: Sequence[tree.Statement]) -> Iterator[tuple[str, Span]]:
    """Each name that something in a text binds, and where."""
    waiting: list[tree.Node] = list(statements)
    while waiting:
        node = waiting.pop()
        match node:
            case tree.Definition(id=name, id_span=span):
                yield name, span
            case tree.Parameter(id=name) | tree.TolDeclaration(id=name) | tree.TolShape(id=name):
                yield name, node.span
            case tree.CallExpression(
                function=tree.NameExpression(id=("map" | "reduce") as called), arguments=arguments
            ):
                for one in arguments[2 if called == "map" else 3 :]:
                    items = one.value.items if isinstance(one.value, tree.Blocks) else (one.value,)
                    yield from (
                        (item.id, item.span) for item in items if isinstance(item, tree.NameExpression | tree.StarName)
                    )
        waiting.extend(children(node))
