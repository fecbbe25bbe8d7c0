"""What a checked core tells of the definitions of a text: types and EOPs, counted once somebody asks for them.

Counting is exact and takes no more than sums of products of our own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from tolang.core.core import Bundle, Call, Core, Expr, Input, Let, Output
from tolang.core.length_names import in_words, shown_lengths
from tolang.core.types import Type, bundle_type
from tolang.editor.pieces import StatementText
from tolang.editor.symbols import mentions
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.reporting.diagnostics import Diagnostic, ToLangRunError, readable
from tolang.ground.symbolic.sizes import Size
from tolang.program.cost import Cost
from tolang.readings.cost.formula import amount_of
from tolang.syntax import tree

LONGEST = 60
"""Formulas longer than this are cut."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of one definition: its type, of a function that of one call, and its EOPs as a formula."""

    type: str
    eops: str | None = None

    @property
    def hint(self) -> str:
        """Both in one line."""
        return self.type if self.eops is None else f"{self.type}, {self.eops} EOPs"


@dataclass(frozen=True, slots=True)
class CollectedFacts:
    """Facts of a statement, of steps of its block, and of what it calls.

    Functions that it calls, and the steps of their blocks (`norm.s`), have their facts here, as calls tell them.
    """

    fact: Fact | None = None
    steps: Mapping[str, Fact] = field(default_factory=dict)
    called: Mapping[str, Fact] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class StatementFacts:
    """What is known of a statement: what is wrong with it, and what its core tells where it is right."""

    diagnostics: tuple[Diagnostic, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    type: Type | None = None
    """The type of a value of which nothing else matters to what needs it."""
    face: bytes = b""
    """What tells that type from others."""
    written: StatementText | None = None
    facts: Facts | None = field(default=None, repr=False)

    @cached_property
    def told(self) -> CollectedFacts:
        return CollectedFacts() if self.facts is None or self.written is None else self.facts.of(self.written)


class Facts:
    """Facts of a checked core: types and EOPs of its outputs, of steps of blocks, and of calls of its own functions."""

    def __init__(self, core: Core, own: frozenset[str]) -> None:
        self.core, self.own = core, own
        self._called: dict[str, dict[str, Fact]] = {}

    @cached_property
    def types(self) -> dict[str, list[Type]]:
        found: dict[str, list[Type]] = {}
        for one in self.core.outputs:
            found.setdefault(one.name, []).append(one.type)
        return found

    @cached_property
    def lengths(self) -> dict[str, str]:
        """What lengths that only running tells are called."""
        return shown_lengths(self.core)

    @cached_property
    def grouped(self) -> set[str]:
        return {one.name for one in self.core.outputs if one.group}

    @cached_property
    def bound(self) -> tuple[dict[str, list[Type]], dict[str, Call]]:
        return _bound(self.core, self.own)

    @cached_property
    def eops(self) -> dict[str, Size] | None:
        return _eops_by_definition(Cost(self.core))

    def of(self, written: StatementText) -> CollectedFacts:
        """What is told of a statement that is right."""
        match written.statement:
            case tree.Definition(id=name, parameters=None) as definition:
                calls = mentions(written) & self.bound[1].keys()
                called = {name: fact for call in calls for name, fact in self._of(call)}
                called |= {one.id: fact for one in written.parts if (fact := self._value(one.id, ())) is not None}
                steps = {step: self._step(step) for step in _steps(definition)}
                return CollectedFacts(self._value(name, list(steps)), {k: v for k, v in steps.items() if v}, called)
            case tree.TolDeclaration(id=name):
                kind = next((one.type for one in self.core.inputs if one.name == name), None)
                return CollectedFacts(None if kind is None else Fact(readable(str(kind))))
        return CollectedFacts()

    def _value(self, name: str, steps: Iterable[str]) -> Fact | None:
        types = self.types.get(name)
        if types is None:
            return None
        kind = in_words(bundle_type(types) if name in self.grouped else types[0], self.lengths)
        if self.eops is None:
            return Fact(readable(str(kind)))
        parts = [self.eops[one] for one in {name, *steps} if one in self.eops]
        return Fact(readable(str(kind)), shown(sum(parts, Size.of(0))))

    def _step(self, name: str) -> Fact | None:
        """A step of a block; its EOPs where no other step has its name."""
        lets = self.bound[0].get(name, [])
        if not lets:
            return None
        known = self.eops is not None and len(lets) == 1 and name in self.eops
        return Fact(
            readable(str(in_words(lets[0], self.lengths))), shown(self.eops[name]) if known and self.eops else None
        )

    def _of(self, name: str) -> Iterator[tuple[str, Fact]]:
        """What one call of an own function tells of it and of the steps of its block."""
        if name not in self._called:
            self._called[name] = dict(_call_facts(self.core, self.bound[1][name]))
        return iter(self._called[name].items())


def _eops_by_definition(cost: Cost) -> dict[str, Size] | None:
    """The EOPs of each definition; None where the sizes do not allow a count."""
    try:
        return {name: Size.of(one.eops) for name, one in cost.by_definition.items()}
    except ToLangRunError:
        return None


def _call_facts(core: Core, call: Call) -> Iterator[tuple[str, Fact]]:
    """One call as a program of its own, in the sizes of its arguments."""
    inputs = tuple(Input(name, value.type) for name, value in call.arguments)
    parts = call.body.type.parts or (call.body.type,)
    outputs = tuple(Output(call.definition, one, len(parts) if len(parts) > 1 else 0) for one in parts)
    body = call.body if isinstance(call.body, Bundle) else Bundle((call.body,), type=call.body.type)
    sizes = tuple(name for name, _ in call.sizes)
    own = replace(core, sizes=sizes, inputs=inputs, outputs=outputs, body=body)
    named = {name.split(".")[0]: readable(str(_in_own_sizes(value.type, call))) for name, value in call.arguments}
    head = f"({', '.join(f'{name}: {kind}' for name, kind in named.items())}) -> {readable(str(call.body.type))}"
    try:
        cost = Cost(own)
        yield call.definition, Fact(head, shown(Size.of(cost.eops)))
        lets, _ = _bound(own, frozenset())
        for name, one in cost.by_definition.items():
            if len(lets.get(name, ())) == 1:
                yield f"{call.definition}.{name}", Fact(readable(str(lets[name][0])), shown(Size.of(one.eops)))
    except ToLangRunError:
        yield call.definition, Fact(head)


def _in_own_sizes(kind: Type, call: Call) -> Type:
    """The type of an argument in the names that the called function has for its sizes."""
    own = {str(size): Size.of(name) for name, size in call.sizes}
    return kind.with_shape(tuple(own.get(str(one), one) for one in kind.shape))


def _bound(core: Core, own: frozenset[str]) -> tuple[dict[str, list[Type]], dict[str, Call]]:
    """Types of what definitions of a program, outside calls, are bound to, and the first call of each own function."""
    lets: dict[str, list[Type]] = {}
    calls: dict[str, Call] = {}
    seen: set[int] = set()
    waiting: list[tuple[Expr, bool]] = [(core.body, False)]
    while waiting:
        expr, inside = waiting.pop()
        if id(expr) in seen:
            continue
        seen.add(id(expr))
        if isinstance(expr, Let) and not inside and expr.names[0] in core.definitions:
            lets.setdefault(core.definitions[expr.names[0]], []).append(expr.value.type)
        if isinstance(expr, Call):
            if expr.definition in own and expr.shared:
                calls.setdefault(expr.definition, expr)
            inside = True
        waiting.extend((child, inside) for child in reversed(expr.children()))
    return lets, calls


def _steps(definition: tree.Definition) -> list[str]:
    """The names of the values in a definition's own block."""
    body = definition.body
    return (
        [one.id for one in body.definitions if one.parameters is None] if isinstance(body, tree.BlockExpression) else []
    )


def shown(size: Size) -> str:
    """A count as a formula, cut where it is long."""
    text = str(amount_of(size))
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rpartition(' ')[0]} …"
