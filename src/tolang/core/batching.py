"""A program at every coordinate of one more dimension: what it does once, it then does for each of many inputs.

Every binding that a batched input leads to becomes a map over the new dimension, whose body reads what it needs at that
coordinate; all else is computed once.  `rand` draws the same numbers everywhere in the batch.
"""

from __future__ import annotations

from collections.abc import Sequence

from tolang.core.core import Bundle, Core, Expr, Let, Require, Variable
from tolang.core.gradient.building import indexed, mapped
from tolang.core.gradient.names import NameSource, names_in, substituted
from tolang.core.let_chain import Link, unwound, wound
from tolang.core.tidy import free_names, tidy
from tolang.core.types import Type, bundle_type
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import Diagnostic, ToLangCheckError
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.recursion import room_to_nest


@room_to_nest()
def batched(program: Core, over: Sequence[str], size: str) -> Core:
    """The program whose inputs of these names, and all of whose outputs, have a first dimension of that size more."""
    batch = _Batch(program, over, size)
    links, inside = unwound(program.body)
    assert isinstance(inside, Bundle)
    chain = [one for link in links for one in batch.linked(link)]
    parts = [batch.everywhere(part) for part in inside.parts]
    body = wound(chain, Bundle(tuple(parts), type=bundle_type(part.type for part in parts)))
    inputs = tuple(replace(one, type=batch.tables[one.name]) if one.name in over else one for one in program.inputs)
    outputs = tuple(replace(one, type=part.type) for one, part in zip(program.outputs, parts, strict=True))
    sizes = (*program.sizes, size)
    return replace(
        program, sizes=sizes, inputs=inputs, outputs=outputs, body=tidy(body), definitions={}, auxiliary={}, bounds={}
    )


class _Batch:
    """The tables that stand for names of the program, by these names, with one more dimension each."""

    def __init__(self, program: Core, over: Sequence[str], size: str) -> None:
        self.length = Size.of(size)
        self.names = NameSource([*names_in(program.body), *program.sizes])
        self.tables: dict[str, Type] = {}
        self.tables = {one.name: self._table(one.type) for one in program.inputs if one.name in over}

    def linked(self, link: Link) -> list[Link]:
        """A binding of the program as bindings of tables; one that nothing batched leads to stays."""
        if isinstance(link, Require):
            self._refuse(link.condition.names() & self.tables.keys())
            return [link]
        if not free_names(link.value) & self.tables.keys():
            return [link]
        self._refuse({name for name, _, _ in link.lengths})
        made: list[Link] = []
        kinds = link.value.type.parts or (link.value.type,)
        for name, kind in zip(link.names, kinds, strict=True):
            value = link.value if len(link.names) == 1 else replace(link, body=Variable(name, type=kind), type=kind)
            table = self.everywhere(value)
            made.append(Let((name,), table, link.body, type=link.type, span=link.span))
        self.tables |= {name: self._table(kind) for name, kind in zip(link.names, kinds, strict=True)}
        return made

    def everywhere(self, value: Expr) -> Expr:
        """A map over the batch, of a value that reads the tables at each coordinate."""
        self._refuse({name for size in value.type.shape for name in size.names()} & self.tables.keys())
        coordinate = self.names.fresh("b")
        reads: list[Link] = []
        sizes: dict[str, Size] = {}
        values: dict[str, Expr] = {}
        for name in sorted(free_names(value) & self.tables.keys()):
            element = indexed(Variable(name, type=self.tables[name]), [Size.of(coordinate)])
            own = self.names.fresh(name)
            reads.append(Let((own,), element, element, type=element.type))
            sizes[name], values[name] = Size.of(own), Variable(own, type=element.type)
        body = wound(reads, substituted(value, self.names, sizes, values))
        return mapped([coordinate], [self.length], body)

    def _table(self, kind: Type) -> Type:
        self._refuse({name for length in kind.shape for name in length.names()} & self.tables.keys())
        return kind.with_shape((self.length, *kind.shape))

    def _refuse(self, names: set[str] | frozenset[str]) -> None:
        if names:
            message = "a batch cannot be computed together, for a length depends on data"
            fix = "call the program for each of its elements"
            raise ToLangCheckError(Diagnostic("E307", message, found=", ".join(sorted(names)), fix=fix))
