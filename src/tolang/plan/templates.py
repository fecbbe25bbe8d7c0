"""Steps that are written as text, with parameters: what sorts are made of.

A template is a plan in the text of `reader.py`.  Where it is filled in,

    names         become those of the place that they are for; sizes that are parameters become the sizes given
    buffers       that it makes get names of their own; others are given, as are functions that compute a parameter
    records       stand for some buffers of one length: `to[i] = from[j]` moves all components of an element, and a
                  component of their own, the key, is what any other read of them reads
    `key(R)`      is the column of that key

It is read when it is first used, once in a process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import Column, Space
from tolang.plan.nest import (
    Allocate,
    Assign,
    Bind,
    Buffer,
    Each,
    Group,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Repeat,
    Scalar,
    Step,
    Where,
)
from tolang.plan.reader import read_plan
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import names_bound_inside, nodes_inside

KEY = Column(Space("R", name="key"), "f64")
"""The column that a template writes for the key of a record."""
Elements = Callable[[Size], Scalar]
"""The element at a place."""
Targets = tuple[tuple[Buffer, tuple[Size, ...]], ...]


@dataclass(frozen=True, slots=True)
class Records:
    """Buffers that hold the components of elements, and where in each of them the element at a place is."""

    buffers: tuple[Buffer, ...]
    places: Callable[[Size], Targets]
    key: int


def records(buffers: tuple[Buffer, ...], key: int) -> Records:
    """Buffers whose elements are those at the same place of each."""
    return Records(buffers, lambda at: tuple((one, (at,)) for one in buffers), key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """What a template is filled in with; `named` gives the names of the plan for those of the template."""

    named: Callable[[str], str]
    key: Column | None = None
    sizes: Mapping[str, Size] = field(default_factory=dict)
    records: Mapping[str, Records] = field(default_factory=dict)
    buffers: Mapping[str, Buffer] = field(default_factory=dict)
    elements: Mapping[str, Elements] = field(default_factory=dict)
    functions: Mapping[str, Callable[..., Scalar]] = field(default_factory=dict)


class PlanTemplate:
    """Steps as text."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def plan(self) -> Plan:
        return read_plan(self.text, "template")

    @cached_property
    def names(self) -> frozenset[str]:
        """All names of the text that are no buffers."""
        bound = names_bound_inside(node for step in self.plan.steps for node in nodes_inside(step))
        return frozenset((*self.plan.sizes, *bound))

    def filled(self, filling: Filling) -> tuple[Step, ...]:
        """The steps of a plan."""
        return _Filled(self.names, filling).steps(self.plan.steps)


class _Filled(Rewriter):
    """Fills in a template; `component` is that of the records which reads of them are for."""

    def __init__(self, names: frozenset[str], filling: Filling) -> None:
        self.names = {name: filling.named(name) for name in names - filling.sizes.keys()}
        sizes = {old: Size.of(new) for old, new in self.names.items()} | dict(filling.sizes)
        super().__init__(sizes, self._parameter, dict(filling.buffers))
        self.filling = filling
        self.component: int | None = None

    # Scalars

    def scalar(self, scalar: Scalar) -> Scalar:
        made = super().scalar(scalar)
        return replace(made, column=self._column(made.column)) if made.column == KEY else made

    def _column(self, column: Column) -> Column:
        if column != KEY:
            return column
        if self.component is not None:
            return next(iter(self.filling.records.values())).buffers[self.component].column
        assert self.filling.key is not None
        return self.filling.key

    def _parameter(self, scalar: Scalar) -> Scalar | None:
        match scalar:
            case Named(name=name):
                return replace(scalar, name=self.names[name])
            case Operation(function=function, arguments=arguments) if function in self.filling.functions:
                return self.filling.functions[function](*self.scalars(arguments))
            case Where(bindings=bindings, value=value):
                bound = tuple((self.names[name], self.scalar(one)) for name, one in bindings)
                return replace(scalar, bindings=bound, value=self.scalar(value))
            case Load(buffer=buffer, indices=(at,)) if buffer.name in self.filling.elements:
                return self.filling.elements[buffer.name](self.size(at))
            case Load(buffer=buffer, indices=(at,)) if buffer.name in self.filling.records:
                known = self.filling.records[buffer.name]
                place, indices = known.places(self.size(at))[known.key if self.component is None else self.component]
                return Load(place, indices, column=place.column)
        return None

    def group(self, group: Group) -> Group:
        known = self._groups.get(id(group))
        if known is None:
            states = tuple(self.names[name] for name in group.states)
            columns = tuple(map(self._column, group.columns))
            named = replace(group, iterators=self._named(group.iterators), states=states, columns=columns)
            known = self._groups[id(group)] = (group, super().group(named))
        return known[1]

    def _named(self, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self.names[name] for name in names)

    # Steps

    def step(self, step: Step) -> Step:
        match step:
            case Nest(targets=((buffer, (at,)),), values=(value,)) if buffer.name in self.filling.records:
                return self._moved(step, self.filling.records[buffer.name].places(self.size(at)), value)
            case Nest(iterators=iterators):
                return super().step(replace(step, iterators=self._named(iterators), origin=""))
            case Each(iterators=iterators):
                return super().step(replace(step, iterators=self._named(iterators)))
            case Repeat(iterators=iterators, exchanges=exchanges):
                given = self.filling.records
                pairs = tuple(
                    pair
                    for first, second in exchanges
                    for pair in zip(given[first.name].buffers, given[second.name].buffers, strict=True)
                )
                return super().step(replace(step, iterators=self._named(iterators), exchanges=pairs))
            case Bind(name=name) | Assign(name=name):
                return super().step(replace(step, name=self.names[name]))
            case Allocate(buffer=buffer):
                named = replace(buffer, name=self.filling.named(buffer.name), shape=self.indices(buffer.shape))
                self.buffers = {**self.buffers, buffer.name: named}
                return Allocate(named)
        return super().step(step)

    def _moved(self, nest: Nest, targets: Targets, value: Scalar) -> Nest:
        """A nest that writes all components of records."""
        values: list[Scalar] = []
        for component in range(len(targets)):
            self.component = component
            values.append(self.scalar(value))
        self.component = None
        extents = self.indices(nest.extents)
        return Nest(self._named(nest.iterators), extents, targets, tuple(values))
