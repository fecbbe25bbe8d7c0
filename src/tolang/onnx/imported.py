"""Importing a model for inputs of given kinds: a program's text, and the data that goes with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from onnx import ModelProto, NodeProto

from tolang.onnx.adapters import ADAPTERS
from tolang.onnx.defined import NO_MORE, Operators
from tolang.onnx.domains import OWN_DOMAINS, operator_of, plain
from tolang.onnx.importer import GraphScope, Importer
from tolang.onnx.kinds import DeclaredInput, Items, Kind, KnownTensor, Leaf, terms_of
from tolang.onnx.nodes import ProgramNode
from tolang.onnx.records import Imported, Leaves
from tolang.onnx.values import OptionalValue, ScoresValue, SequenceValue, TensorValue, Value, named


def imported(
    model: ModelProto, name: str, inputs: Sequence[DeclaredInput], kinds: Sequence[Kind], own: Operators = NO_MORE
) -> Imported:
    """A model imported for inputs of some kinds, by the name that its program has in messages.

    Where it does not need some inputs, as the past that a decoder in its first step has no use for, these are of any
    lengths: what they share with others says nothing, and the model is imported anew without it.
    """
    first = _Import(model, name, own)
    found = first.all(inputs, kinds)
    apart = first.apart(inputs, kinds)
    return found if apart == list(kinds) else _Import(model, name, own).all(inputs, apart)


class _Import:
    """A model that is being imported."""

    def __init__(self, model: ModelProto, name: str, own: Operators) -> None:
        self.name, self.model, self.importer = name, model, Importer(model, ADAPTERS, own)
        self.scope, self.leaves = GraphScope(), Leaves()

    def all(self, inputs: Sequence[DeclaredInput], kinds: Sequence[Kind]) -> Imported:
        importer, scope = self.importer, self.scope
        importer.alone = frozenset(
            n for kind in kinds for n in _lengths_of(kind) if isinstance(n, str) and not terms_of(n)
        )
        for length in sorted(importer.alone):
            importer.size(length)
        for one, kind in zip(inputs, kinds, strict=True):
            scope.values[one.name] = self._input(one.name, kind, (), one.name)
        importer.graph(self.model.graph, scope)
        found = [(one.name, scope.find(one.name)) for one in self.model.graph.output]
        outputs = [self._output(name, value) for name, value in found if value is not None]
        program = self.program = importer.program(self.name)
        data = {name: one for name, one in importer.data.items() if name in program.declared}
        nodes, exports = self._nodes(program.defined), bool(importer.exported)
        sizes = {name: wanted for wanted, name in importer.sizes.items()}
        assumed = {sizes[name]: least for name, least in importer.assumed.items()}
        text = program.module.span.source.text
        return Imported(
            text, self.leaves, outputs, data, nodes, exports, sizes, assumed, importer.makers, program.module,
            importer.checker,
        )  # fmt: skip

    def apart(self, inputs: Sequence[DeclaredInput], kinds: Sequence[Kind]) -> list[Kind]:
        """The kinds of inputs, with lengths of their own for tensors that the program does not need."""
        lengths = [n for kind in kinds for n in _lengths_of(kind) if isinstance(n, str)]
        terms = [name for length in lengths for _, name in terms_of(length) or ((1, length),)]
        shared = {name for name, count in Counter(terms).items() if count > 1}
        needed = {given for name, (given, _) in self.leaves.items() if name in self.program.used}
        return [
            Leaf(
                kind.element,
                tuple(one if isinstance(one, int) else f"{given.name}_{k}" for k, one in enumerate(kind.lengths, 1)),
            )
            if isinstance(kind, Leaf) and given.name not in needed and not shared.isdisjoint(kind.lengths)
            else kind
            for given, kind in zip(inputs, kinds, strict=True)
        ]

    def _nodes(self, kept: frozenset[str]) -> tuple[ProgramNode, ...]:
        """The model's nodes with what the program defines for them."""
        makers = {name: node for name, node in self.importer.makers.items() if name in kept}
        nodes = {id(node): node for node in makers.values()}
        definitions: dict[int, list[str]] = {}
        for name, node in makers.items():
            definitions.setdefault(id(node), []).append(name)
        return tuple(
            ProgramNode(node.name or f"{node.op_type}_{place}", _told(node), tuple(definitions[key]))
            for place, (key, node) in enumerate(nodes.items(), 1)
        )

    def _input(self, given: str, kind: Kind, path: tuple[int, ...], wanted: str) -> Value:
        match kind:
            case KnownTensor():
                return self.importer.constant(kind.array, wanted)
            case Items(items=items):
                parts = [self._input(given, one, (*path, k), f"{wanted}_{k + 1}") for k, one in enumerate(items)]
                return SequenceValue(tuple(parts))
            case Leaf(element=element, lengths=lengths):
                name = self.importer.declare(wanted, element, lengths)
                self.leaves[name] = (given, path)
                return named(name, element=element)
        return OptionalValue(None)

    def _output(self, name: str, value: Value) -> Any:
        """The names under which a value's tensors are exported: one, with labels where it has some, a list, or None."""
        match value:
            case TensorValue():
                return self.importer.export(value, name)
            case SequenceValue(items=items):
                return [self._output(f"{name}_{k}", item) for k, item in enumerate(items, 1)]
            case ScoresValue(scores=scores, labels=labels):
                return self.importer.export(scores, name), labels
            case OptionalValue(item=item):
                return None if item is None else self._output(name, item)


def _told(node: NodeProto) -> str:
    """An operator as counts tell it: with its domain where that is none of ONNX's own."""
    return str(node.op_type) if plain(node.domain) in OWN_DOMAINS else operator_of(node)


def _lengths_of(kind: Kind) -> tuple[int | str, ...]:
    """The lengths of a tensor, or of the tensors of a sequence."""
    if isinstance(kind, Items):
        return tuple(length for one in kind.items for length in _lengths_of(one))
    return kind.lengths if isinstance(kind, Leaf) else ()
