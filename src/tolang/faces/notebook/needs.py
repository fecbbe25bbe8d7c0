"""What a piece of program needs of the statements around it, told by the names it mentions.

A cell is checked with what it uses and nothing else, so that a definition that has gone stale elsewhere in the notebook
does not stand in its way.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from tolang.program.session import Key, key_of
from tolang.syntax import tree
from tolang.syntax.traversal import children


def needed(
    statements: Mapping[Key, tree.Statement], roots: Iterable[tree.Node], variables: Container[str] = ()
) -> list[tree.Statement]:
    """The statements that some nodes need, directly or through others, in the order in which they were made.

    Modules in use are always needed.  A size that is neither defined, nor in the shape of anything needed, nor a
    variable of the notebook, needs the declarations whose shapes have it.
    """
    defined: dict[str, list[tree.Statement]] = {}
    for one in statements.values():
        if not isinstance(one, tree.Use):
            defined.setdefault(key_of(one)[1], []).append(one)
    found: list[tree.Node] = [*roots]
    _add_defined(found, defined)
    sizes = {name for one in found if isinstance(one, tree.TolDeclaration) for name in free_names(one)}
    open_names = {name for one in found for name in free_names(one)} - sizes - defined.keys()
    wanted = {name for name in open_names if name not in variables}
    declared = [one for one in statements.values() if isinstance(one, tree.TolDeclaration)]
    found += [one for one in declared if wanted & free_names(one) and not any(one is other for other in found)]
    _add_defined(found, defined)
    taken = {id(one) for one in found}
    return [one for one in statements.values() if id(one) in taken or isinstance(one, tree.Use)]


def _add_defined(found: list[tree.Node], defined: Mapping[str, list[tree.Statement]]) -> None:
    """Adds what the nodes found mention, and what that mentions."""
    taken = {id(one) for one in found}
    for node in found:  # which grows
        for name in free_names(node):
            for one in defined.get(name, ()):
                if id(one) not in taken:
                    taken.add(id(one))
                    found.append(one)


def free_names(root: tree.Node) -> set[str]:
    """The names of values, functions and spaces that a node mentions and does not bind itself."""
    found: set[str] = set()
    pending: list[tuple[tree.Node, frozenset[str]]] = [(root, frozenset())]
    while pending:
        node, bound = pending.pop()
        match node:
            case tree.NameExpression(id=name) | tree.SpaceName(id=name) if name not in bound:
                found.add(name)
            case tree.LambdaExpression(parameters=parameters):
                bound |= {name for one in parameters for name in one.names}
            case tree.Definition(parameters=parameters):
                bound |= {name for one in parameters or () for name in one.names}
            case tree.BlockExpression(definitions=definitions):
                bound |= {one.id for one in definitions}
            case tree.ComponentExpression(subject=subject):
                pending.append((subject, bound))
                continue
            case tree.CallExpression(function=tree.NameExpression(id=name), arguments=arguments) if name in (
                "map",
                "reduce",
            ):
                bound |= _iterators(arguments[2 if name == "map" else 3 :])
        pending.extend((child, bound) for child in children(node))
    return found


def _iterators(arguments: tuple[tree.CallArgument, ...]) -> set[str]:
    """The names of coordinates that a map or reduce binds."""
    found: set[str] = set()
    for argument in arguments[:1]:
        items = argument.value.items if isinstance(argument.value, tree.Blocks) else (argument.value,)
        found |= {one.id for one in items if isinstance(one, tree.NameExpression | tree.StarName)}
    return found
