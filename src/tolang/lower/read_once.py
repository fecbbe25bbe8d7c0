"""Where named ToLs are read: one that a single map reads, element by element, need not be stored before.

    t = map(x, exp(*));  y = map(t, 1 + *)      is      y = map(x, 1 + exp(*))

So a chain of maps is one nest from the start, also where definitions have some of them and are given others.  The pass
`inline` does the same with nests, and with whatever cannot be told of expressions alone.
"""

from __future__ import annotations

from tolang.core.core import (
    Apply,
    Call,
    Convert,
    Coordinate,
    Expr,
    Let,
    Literal,
    Map,
    Measure,
    Part,
    Require,
    Variable,
)
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import Size

MOST = 32
"""Functions that an element costs at the most which is computed where it is read: expressions nest only so deep."""


@dataclass(frozen=True, slots=True)
class ExpressionPlace:
    """What stands around an expression: the map it is an element of, whether that computes it always, and a name.

    A map that `computes` something of an element is stored, or read once itself; others only move elements, and are
    read through, however often.  The name is that of the binding whose value it is; the value of a definition's body
    has an empty one.
    """

    around: Map | None = None
    always: bool = True
    computes: bool = False
    name: str | None = None


@dataclass(frozen=True, slots=True)
class ParameterBinding:
    """A name is given to a call, under another, with sizes of the call's own; the call's value may have a name."""

    parameter: str
    sizes: tuple[tuple[str, Size], ...]
    called: str | None


Use = Map | ParameterBinding | str | None
"""A map that reads all elements, each at its own place; a call; another name; or something else."""


class Reads:
    """Where each name of a program is used, bodies that calls share looked at once."""

    def __init__(self, body: Expr) -> None:
        self._uses: dict[str, list[Use]] = {}
        self._shared: dict[int, Expr] = {}
        self._visit(body, ExpressionPlace())

    def extents(self, name: str) -> tuple[Size, ...] | None:
        """The lengths of the only map that uses a name, reading each element once, at its own place; None without."""
        uses = self._uses.get(name, ())
        use = uses[0] if len(uses) == 1 else None
        match use:
            case Map(extents=extents):
                return extents
            case ParameterBinding(parameter=parameter, sizes=sizes, called=called):
                if self._uses.get(parameter) == [""]:
                    return self.extents(called) if called else None
                found = self.extents(parameter)
                return None if found is None else tuple([size.substitute(dict(sizes)) for size in found])
            case str():
                return self.extents(use) if use else None
        return None

    def _note(self, name: str, use: Use) -> None:
        self._uses.setdefault(name, []).append(use)

    def _visit(self, expr: Expr, place: ExpressionPlace) -> None:
        inside = replace(place, name=None)
        match expr:
            case Variable(name=name):
                self._note(name, place.name if place.around is None else None)
            case Part(subject=Variable(name=name), items=items):
                once = place.always and place.computes and _is_own(items, place.around)
                self._note(name, place.around if once else None)
                self._visit_all([one for item in items for one in item.written], replace(inside, always=False))
            case Let(names=names, value=value, body=body):
                self._visit(value, replace(place, name=names[0] if len(names) == 1 else None))
                self._visit(body, place)
            case Require(body=body):
                self._visit(body, place)
            case Call(arguments=arguments, sizes=sizes, body=body, shared=shared):
                for parameter, argument in arguments:
                    if isinstance(argument, Variable) and shared and place.around is None and place.always:
                        self._note(argument.name, ParameterBinding(parameter, sizes, place.name))
                    else:
                        self._visit(argument, inside)
                self._visit_body(body, place, shared)
            case Map(body=body) if place.around is None and place.always:
                self._visit(body, ExpressionPlace(expr))
            case Apply(arguments=arguments):
                self._visit_all(list(arguments), replace(inside, computes=True))
            case Convert(subject=subject):
                self._visit(subject, inside)
            case _:  # folds, maps inside maps, choices: who reads there reads several times, or only some elements
                self._visit_all(expr.children(), replace(inside, always=False))

    def _visit_all(self, exprs: list[Expr], place: ExpressionPlace) -> None:
        for one in exprs:
            self._visit(one, place)

    def _visit_body(self, body: Expr, place: ExpressionPlace, shared: bool) -> None:
        if not shared:
            self._visit(body, place)
        elif id(body) not in self._shared:
            self._shared[id(body)] = body
            self._visit(body, ExpressionPlace(name=""))


def _is_own(items: tuple[object, ...], around: Map | None) -> bool:
    """Whether coordinates are those of a map, one for each of its dimensions, in their order."""
    indices = [item.index.name for item in items if isinstance(item, Coordinate)]
    return around is not None and len(indices) == len(items) and tuple(indices) == around.iterators


def is_plain(expr: Expr) -> bool:
    """Whether an element is made of elements of names by functions alone."""
    match expr:
        case Literal() | Measure():
            return not expr.type.shape
        case Variable():
            return not expr.type.shape
        case Part(subject=Variable(), items=items):
            return not expr.type.shape and not any(item.written for item in items)
        case Apply(arguments=arguments):
            return all(map(is_plain, arguments))
        case Call(arguments=(), body=body):
            return is_plain(body)
    return False
