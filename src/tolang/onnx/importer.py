"""ONNX graphs written as ToLang: one call of a library definition for each node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from typing import Any, TypeVar

import numpy as np
import onnx
from onnx import AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto

from tolang.check.programs import Checker, check_program
from tolang.core.core import Core
from tolang.core.types import Type
from tolang.data.binding import restricted
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.reporting.diagnostics import ToLangError
from tolang.ground.values.values import ToL
from tolang.onnx.choices import refuse_unfit_values
from tolang.onnx.defined import NO_MORE, Operators, definition_of
from tolang.onnx.definitions import Definitions, Made, names_in
from tolang.onnx.domains import OWN_DOMAINS, operator_of, plain, shown
from tolang.onnx.elements import (
    LONGEST_LITERAL,
    LONGEST_NUMBERS,
    Array,
    element_of,
    literal,
    number,
    typed_literal,
    vector,
)
from tolang.onnx.faults import model_error, node_error, of_node
from tolang.onnx.kinds import terms_of
from tolang.onnx.names import FoldNames, OnnxNames, library_heads, older_versions
from tolang.onnx.protos import attributes, dense_array, held, space_of
from tolang.onnx.signatures import opsets_of, refuse_missing, refuse_unfit, signature_of
from tolang.onnx.soundness import Functions, called, function_key
from tolang.onnx.statics import COUNTERS, SHAPE_READERS, STATIC_INPUTS
from tolang.onnx.stored import Weight, elements_of
from tolang.onnx.tensor_types import (
    declared_elements,
    element_in,
    given_elements,
    of_element,
    refuse_other_elements,
)
from tolang.onnx.values import TensorValue, Value, named
from tolang.syntax import making, tree
from tolang.syntax.parser import parse
from tolang.syntax.placing import placed

MEANINGLESS = frozenset({"consumed_inputs"})
"""Attributes of the first opset that say nothing about the result."""
EVALUATED = frozenset({"Pad"})
"""Operators whose static inputs exporters compute by way of matrices, which the checker does not follow."""
LONGEST_PROGRAM = 1 << 24
"""Characters of the longest program that is made of a model."""
ABSENT = making.whole(0)
"""Stands for an output that a node leaves out, which nothing asks for."""
PROBE = "probe_"
"""The name of a value whose type or elements are asked for."""
OUTPUTS = "outputs"
"""A definition with this parameter gives its first output alone where it is 1, and a list of all where it is not."""
MOST_REPEATED = 10_000
"""Bodies that are written more than once, as loops are step by step, make at most so many nodes more."""


@dataclass(frozen=True, slots=True)
class ImportedProgram:
    """A program of a model: what it declares, what it defines, and all names that outputs need."""

    module: tree.SyntaxModule
    declared: frozenset[str]
    defined: frozenset[str]
    used: frozenset[str]


@dataclass(slots=True)
class GraphScope:
    """Values by their ONNX names; a subgraph sees those of the graph around it."""

    values: dict[str, Value | None] = field(default_factory=dict)
    outer: GraphScope | None = None

    def __contains__(self, name: str) -> bool:
        return name in self.values or (self.outer is not None and name in self.outer)

    def find(self, name: str) -> Value | None:
        """A value by its name; None for an input of a function that its call leaves out."""
        scope: GraphScope | None = self
        while scope is not None:
            if name in scope.values:
                return scope.values[name]
            scope = scope.outer
        raise model_error("E702", f"the model uses {name!r}, which nothing gives")


Some = TypeVar("Some")
Adapter = Callable[["Importer", NodeProto, list[Value | None], GraphScope], list[Value]]
"""What an operator that is more than a call of its definition is written as."""


class Importer:
    """One sound model on its way to a ToLang program, with data beside it; `adapters` by the names of operators."""

    def __init__(self, model: ModelProto, adapters: Mapping[str, Adapter], own: Operators = NO_MORE) -> None:
        self.model = model
        self.adapters = adapters
        self.own = own
        self.opsets = opsets_of(model.opset_import, own)
        self.functions: Functions = {function_key(one): one for one in model.functions}
        self.calls: tuple[str, ...] = ()
        """The calls of functions that are being written out, each by what it gives."""
        self.folds: set[tuple[bytes, tuple[str, ...]]] = set()
        """Loops that were found to be folds, by their nodes and calls: those inside others are met again and again."""
        self.repeating = 0
        self.repeated = 0
        self.names = OnnxNames([PROBE], own.heads)
        self.sizes: dict[str, str] = {}
        """The size variables of symbolic dimensions, by the model's names for these."""
        self.assumed: dict[str, int] = {}
        """The least lengths that sizes are taken to have."""
        self.alone: frozenset[str] = frozenset()
        """Dimensions that some input has, of which sums may be put together."""
        self.definitions = Definitions()
        self.wanted: dict[str, str] = {}
        """The model's names of what is defined, by the names of the definitions."""
        self.exported: dict[str, tree.Expression] = {}
        self.data: dict[str, Array | Weight] = {}
        self.declared: dict[str, tree.TolDeclaration] = {}
        self.makers: dict[str, NodeProto] = {}
        self.checker: Checker | None = None
        self.probed: tree.SyntaxModule | None = None
        """The program that was checked last."""
        self.types: dict[str, Type] = {}
        self.given: dict[str, Type] = {}
        """Values whose types are known, so that what follows from them is checked from there on."""
        self.measuring: dict[str, TensorValue] = {}
        """The tensors whose shapes are read, by the definitions that read them."""
        self.rows: dict[str, TensorValue] = {}
        """Tensors that are one row of lengths, as vectors, which stay known while checking."""
        self.evaluated: dict[str, Array | None] = {}

    @cached_property
    def fold_names(self) -> FoldNames:
        """Names inside folds, which hide no value that they use."""
        return FoldNames(*map(self.names.fresh, ("s", "e", "k", "r")))

    def program(self, name: str) -> ImportedProgram:
        """The program, without definitions that no output needs."""
        outputs = frozenset[str]().union(*map(names_in, self.exported.values()))
        needed = self.definitions.needed(outputs)
        used = outputs.union(*(one.names for one in needed))
        declared = [one for own, one in self.declared.items() if own in used or own not in self.data]
        shown = [
            replace(one.statement, exported=True) if one.statement.id in self.exported else one.statement
            for one in needed
        ]
        further = [
            making.definition(own, value, exported=True)
            for own, value in self.exported.items()
            if own not in self.definitions
        ]
        module = self._module(name, ["", *declared, "", *shown, *further, ""])
        return ImportedProgram(module, frozenset(one.id for one in declared), frozenset(one.id for one in shown), used)

    def _module(self, name: str, lines: Sequence[str | tree.Statement]) -> tree.SyntaxModule:
        """A program after its head: the modules that it uses, and the user's definitions of operators.

        These are text, and a program that has them is parsed.
        """
        module = placed([*self.head, *lines], name)
        return parse(module.span.source, LONGEST_PROGRAM) if len(self.head) > 1 else module

    @cached_property
    def head(self) -> list[str | tree.Statement]:
        own = [one for one in (*self.own.uses, self.own.text) if one and one != "use onnx"]
        return [making.use("onnx"), *own]

    def export(self, value: TensorValue, wanted: str) -> str:
        """Makes a value an output, under the name it has where that is of a definition of its own."""
        own = (
            value.text in self.definitions and value.text not in self.exported and self.wanted.get(value.text) == wanted
        )
        name = value.text if own else self.names.fresh(wanted)
        self.exported[name] = value.expression
        return name

    def declare(self, wanted: str, element: int, lengths: Iterable[int | str]) -> str:
        """Declares an input and gives its ToLang name; a length that has a name is a size."""
        name = self.names.fresh(wanted)
        shape = [making.whole(one) if isinstance(one, int) else self.size(one) for one in lengths]
        self.declared[name] = making.declaration(name, space_of(element), shape)
        return name

    def size(self, wanted: str) -> tree.Expression:
        """The size variable of a symbolic dimension, or a sum of those that it is the sum of."""
        terms = terms_of(wanted)
        if terms and all(not name or name in self.alone for _, name in terms):
            return summed([(factor, self.size(name) if name else None) for factor, name in terms])
        if wanted not in self.sizes:
            self.sizes[wanted] = self.names.fresh(wanted)
        return making.name(self.sizes[wanted])

    def constant(self, array: Array | Weight, wanted: str) -> TensorValue:
        """A known tensor: written where it is small, data otherwise."""
        may_be_shape = array.dtype == np.int64 or array.dtype.kind in "OUST"
        if array.size <= (LONGEST_LITERAL if may_be_shape else LONGEST_NUMBERS) and is_writable(array):
            elements = elements_of(array)
            return named(self.define(wanted, typed_literal(elements)), elements, element=element_of(array))
        name = self.declare(wanted, element_of(array), array.shape)
        self.data[name] = array
        return named(name, array, element=element_of(array))

    def define(self, wanted: str, expression: tree.Expression) -> str:
        """Names an expression and gives the name."""
        name = self.names.fresh(wanted)
        self.definitions.add(name, expression)
        self.wanted[name] = wanted
        return name

    def graph(self, graph: GraphProto, scope: GraphScope) -> None:
        """Every node of a graph, in order."""
        for tensor in graph.initializer:
            if tensor.name not in scope.values:
                scope.values[tensor.name] = self.constant(held(tensor), tensor.name)
        for sparse in graph.sparse_initializer:
            if sparse.values.name not in scope.values:
                scope.values[sparse.values.name] = self.constant(dense_array(sparse), sparse.values.name)
        declared = declared_elements((*graph.value_info, *graph.output))
        for node in graph.node:
            self.node(node, scope)
            refuse_other_elements(node, {name: element_in(scope.values.get(name)) for name in node.output}, declared)

    def node(self, node: NodeProto, scope: GraphScope) -> None:
        """One node: adapted in Python where it has subgraphs, sequences or optionals, else a call."""
        before = len(self.definitions.names)
        try:
            results = self.results(node, scope)
        except ToLangError as error:
            raise of_node(error, node, self.makers, self.probed) from None
        for name in self.definitions.names[before:]:
            self.makers.setdefault(name, node)
        for name, value in zip(node.output, results, strict=False):
            if name:
                scope.values[name] = value

    def results(self, node: NodeProto, scope: GraphScope) -> Sequence[Value | None]:
        """What a node gives: as its function, adapted, or by a call."""
        self.repeated += bool(self.repeating)
        if self.repeated > MOST_REPEATED:
            message = "loops that are written out step by step are too many nodes"
            raise model_error("E703", message, expected=f"at most {MOST_REPEATED}")
        inputs = [scope.find(name) if name else None for name in node.input]
        function = self.functions.get(called(node))
        if function is not None:
            return self.inlined(node, function, inputs, self.functions)
        operator = signature_of(node, self.opsets)
        if self.calls:
            refuse_unfit(node, operator)
        refuse_missing(node, operator, inputs)
        refuse_unfit_values(node, [one.known if isinstance(one, TensorValue) else None for one in inputs])
        elements = given_elements(node, operator, [element_in(one) for one in inputs])
        adapter = self.adapters.get(node.op_type if plain(node.domain) in OWN_DOMAINS else operator_of(node))
        results = adapter(self, node, inputs, scope) if adapter else self.call(node, inputs)
        return [of_element(*pair) for pair in zip(results, elements, strict=False)]

    @contextmanager
    def again(self) -> Iterator[None]:
        """Nodes that are written once more than the model has them."""
        self.repeating += 1
        yield
        self.repeating -= 1

    def call(self, node: NodeProto, inputs: list[Value | None], **more: Any) -> list[Value]:
        """A call of the definition of an operator, and its outputs."""
        definition = self.definition_name(node.op_type, node.domain)
        if definition is None:
            return self.expanded(node, inputs)
        wanted = [place for place, name in enumerate(node.output, 1) if name]
        alone = wanted == [1] and OUTPUTS in self.parameters(definition)
        if alone:
            more = {**more, OUTPUTS: 1}
        call = self.applied(node, definition, inputs, {**attributes(node), **more})
        given = [one for one in inputs if one is not None]
        if operator_of(node) == "CastLike":
            del given[1:]
        follows = bool(given) and all(isinstance(one, TensorValue) and one.is_known for one in given)
        if alone or (not gives_bundle(node.op_type, node.domain) and len(node.output) == 1):
            name = self.define(node.output[0], call)
            if operator_of(node) in SHAPE_READERS and isinstance(given[0], TensorValue):
                self.measuring[name] = given[0]
            return [named(name, follows=follows, measured=is_measured(node, given))]
        if len(wanted) == 1:
            only = self.define(node.output[wanted[0] - 1], making.part(call, wanted[0]))
            return [named(only, follows=follows)] * wanted[0]
        whole = making.name(self.define(f"{node.output[0] or node.op_type}_all", call))
        return [
            named(self.define(name, making.part(whole, place)), follows=follows) if name else TensorValue(ABSENT)
            for place, name in enumerate(node.output, 1)
        ]

    def applied(
        self, node: NodeProto, definition: str, inputs: list[Value | None], given: Mapping[str, Any]
    ) -> tree.CallExpression:
        """A definition of inputs by position, by name after one that is left out; then of attributes by name."""
        parameters = self.parameters(definition)
        static = STATIC_INPUTS.get(operator_of(node), ())
        by_place: list[tree.Expression] = []
        by_name: dict[str, tree.Expression] = {}
        gap = False
        for position, value in enumerate(inputs):
            if value is None:
                gap = True
                continue
            argument = self.argument(value, position in static, node)
            if gap and position >= len(parameters):
                raise model_error("E703", f"{node.op_type} takes {len(parameters)} inputs", found=str(len(inputs)))
            if gap:
                by_name[parameters[position]] = argument
            else:
                by_place.append(argument)
        for name, value in given.items():
            if name in parameters:
                by_name[name] = attribute(value)
            elif name not in MEANINGLESS:
                raise model_error("E703", f"{definition} has no attribute {name}", expected=", ".join(parameters))
        return making.call(definition, *by_place, **by_name)

    def argument(self, value: Value, static: bool, node: NodeProto) -> tree.Expression:
        """An input as it is written in a call; one that must be known while checking is a literal where it can be."""
        if not isinstance(value, TensorValue):
            raise model_error("E703", f"{node.op_type} takes tensors, no sequence or optional")
        known = value.constant if static else None
        if static and known is None and operator_of(node) in EVALUATED:
            known = self.elements(value)
        return value.expression if known is None else literal(known)

    def definition_name(self, operator: str, domain: str = "") -> str | None:
        """The definition of an operator for the model's opset: `Name_12` is valid up to opset 12."""
        version = self.opsets.versions.get(plain(domain))
        if plain(domain) in OWN_DOMAINS:
            for limit in older_versions().get(operator, ()):
                if version is not None and limit >= version:
                    return f"{operator}_{limit}"
            if operator in library_heads("onnx"):
                return operator
        return definition_of(domain, operator) if self.own.head(domain, operator) is not None else None

    def parameters(self, definition: str) -> tuple[str, ...]:
        """The parameters of the definition of an operator."""
        head = self.own.by_name(definition)
        return head.parameters if head is not None else ()

    def expanded(self, node: NodeProto, inputs: list[Value | None]) -> list[Value]:
        """An operator without a definition, by the function that ONNX itself gives for it."""
        function = signature_of(node, self.opsets).function
        if function is None:
            where = f"{shown(plain(node.domain))}, which has no definition of it by other operators"
            raise node_error("E701", node, "has an operator that is not supported", found=where)
        before = len(self.definitions.names)
        results = self.inlined(node, function, inputs, {})
        self.makers.update(dict.fromkeys(self.definitions.names[before:], node))
        return [one for one in results if one is not None]

    def inlined(
        self, node: NodeProto, function: FunctionProto, inputs: list[Value | None], functions: Functions
    ) -> list[Value | None]:
        """The nodes of a function in place of a call of it; `functions` are those that it may call."""
        scope = GraphScope(dict.fromkeys(function.input))
        scope.values.update(zip(function.input, inputs, strict=False))
        given = {one.name: one for one in (*function.attribute_proto, *node.attribute)}
        before = self.opsets, self.functions
        self.opsets = opsets_of(self.model.opset_import, self.own).within(function.opset_import)
        self.functions, self.calls = functions, (*self.calls, " ".join(node.output))
        for inner in function.node:
            self.node(_with_attributes(inner, given), scope)
        (self.opsets, self.functions), self.calls = before, self.calls[:-1]
        return [scope.find(name) for name in function.output]

    def probe(self, value: TensorValue) -> Type:
        """The type of a value as the checker finds it; what follows from it is then checked from there on."""
        if value.text not in self.types:
            found, is_sure = self._probing(value, _type_of_first)
            if not is_sure:
                return found
            self.types[value.text] = found
            if value.text in self.definitions and not value.measured and not value.is_known and self._is_plain(found):
                self.given[value.text] = found
        return self.types[value.text]

    def _is_plain(self, found: Type) -> bool:
        """Whether a type is one that a value can be given by."""
        names = set(self.sizes.values())
        plain_lengths = all(one.names() <= names for one in found.shape)
        return plain_lengths and not found.parts and not found.blank and found.column.space.is_machine

    def elements(self, value: Value | None) -> Array | None:
        """The elements of a tensor that follows from known ones and shapes, evaluated where need be; else None."""
        if not isinstance(value, TensorValue) or not (value.is_known or value.measured):
            return None
        if value.constant is not None:
            return value.constant
        if value.text not in self.evaluated:
            self.evaluated[value.text] = self._evaluated(value)
        return self.evaluated[value.text]

    def _evaluated(self, value: TensorValue) -> Array | None:
        return self._probing(value, self._reckoned)

    def _reckoned(self, probed: Core, is_sure: bool) -> Array | None:
        """The elements of what a program gives, where they follow from known ones."""
        from tolang.readings.interpret import interpret

        core, missing = restricted(probed, self.data)
        if missing or not is_sure or core.sizes or any(one.group for one in core.outputs):
            return None
        arrays = {one.name: elements_of(self.data[one.name]) for one in core.inputs}
        data = {one.name: ToL.of(arrays[one.name], one.type.columns, one.name) for one in core.inputs}
        return interpret(core, data, {}, 0)[0].columns[0]

    def _probing(self, value: TensorValue, then: Callable[[Core, bool], Some]) -> Some:
        """What becomes of the program so far, as far as one value needs it, and of whether it is sure what that is.

        It is written only where something goes wrong, for then there has to be a place to tell.  Tensors whose shapes
        it needs are asked for their types first, the oldest before the others: then no part of the program is checked
        for more than one of them.
        """
        for made in self._needed(value):
            measured = self.measuring.get(made.statement.id)
            if measured is None or measured.text in self.types:
                continue
            if self.definitions.are_sure(self._needed(measured)):
                self.probe(measured)
        before = self.checker
        try:
            return then(*self._probed(value, is_placed=len(self.head) > 1))
        except ToLangError:
            self.checker = before
            return then(*self._probed(value, is_placed=True))

    def _probed(self, value: TensorValue, is_placed: bool) -> tuple[Core, bool]:
        """The core of what a value needs, and whether it is sure what the value is."""
        needed = self._needed(value)
        used = names_in(value.expression).union(*(one.names for one in needed))
        declared = [one for name, one in self.declared.items() if name in used]
        probe = making.definition(PROBE, value.expression, exported=True)
        lines = [*declared, *(one.statement for one in needed), probe]
        module = self._module("<model>", lines) if is_placed else making.module([making.use("onnx"), *lines])
        self.probed = module
        given = {name: kind for name, kind in self.given.items() if name in used}
        self.checker = Checker(module, before=self.checker, given=given)
        return check_program(module, checker=self.checker), self.definitions.are_sure(needed)

    def _needed(self, value: TensorValue) -> list[Made]:
        """The definitions that a value needs to be checked, back to those whose types are known."""
        return self.definitions.needed(names_in(value.expression), self.given)


def _type_of_first(probed: Core, is_sure: bool) -> tuple[Type, bool]:
    """The type of what a program gives, and whether it is sure."""
    return probed.outputs[0].type, is_sure


def _with_attributes(node: NodeProto, given: Mapping[str, AttributeProto]) -> NodeProto:
    """A node of a function with the attributes of the call in place of references to them; subgraphs too."""
    copy = NodeProto()
    copy.CopyFrom(node)
    del copy.attribute[:]
    for one in node.attribute:
        if one.ref_attr_name:
            if one.ref_attr_name in given:
                attribute = copy.attribute.add()
                attribute.CopyFrom(given[one.ref_attr_name])
                attribute.name = one.name
            continue
        attribute = copy.attribute.add()
        attribute.CopyFrom(one)
        if attribute.type == AttributeProto.GRAPH:
            nodes = [_with_attributes(inner, given) for inner in attribute.g.node]
            del attribute.g.node[:]
            attribute.g.node.extend(nodes)
    return copy


def summed(terms: Sequence[tuple[int, tree.Expression | None]]) -> tree.Expression:
    """A sum of multiples; a term without a size is a number."""
    total: tree.Expression | None = None
    for factor, size in terms:
        number = making.whole(abs(factor))
        term = number if size is None else size if abs(factor) == 1 else making.binary("*", number, size)
        if total is None:
            total = tree.Unary(making.NOWHERE, "-", term) if factor < 0 else term
        else:
            total = making.binary("-" if factor < 0 else "+", total, term)
    return total or making.whole(0)


def is_measured(node: NodeProto, inputs: list[Value]) -> bool:
    """Whether an operator's result follows from shapes: it reads one, or all its inputs follow from shapes."""
    if operator_of(node) in SHAPE_READERS:
        return True
    if operator_of(node) in COUNTERS or plain(node.domain) not in OWN_DOMAINS:
        return False
    tensors = [one for one in inputs if isinstance(one, TensorValue)]
    return (
        len(tensors) == len(inputs)
        and any(one.measured for one in tensors)
        and all(one.measured or one.is_known for one in tensors)
    )


def attribute(value: Any) -> tree.Expression:
    """An attribute as a ToLang literal."""
    if isinstance(value, TensorValue):
        return value.expression
    if isinstance(value, list):
        return vector(value)
    return typed_literal(value) if isinstance(value, np.ndarray) else number(value)


def is_writable(array: Array | Weight) -> bool:
    """Whether elements can stand in a program: all but text of several lines, and no text at all."""
    return array.dtype != object or (array.size > 0 and not any("\n" in one for one in elements_of(array).reshape(-1)))


@cache
def gives_bundle(operator: str, domain: str) -> bool:
    """Whether an operator has several outputs, whatever a node takes of them."""
    try:
        return bool(onnx.defs.get_schema(operator, domain="" if domain == "ai.onnx" else domain).max_output > 1)
    except onnx.defs.SchemaError:
        return False
