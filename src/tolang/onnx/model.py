"""ONNX models as programs: made for the kinds of inputs they get, then called with data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, ValueInfoProto, helper

from tolang.core.core import Program as CoreProgram
from tolang.driver.binding import Job, bind_sizes, sort_arguments, tolang_names
from tolang.driver.cost import cost_of_program
from tolang.driver.engines import DEFAULT_ENGINE
from tolang.driver.program import Program
from tolang.driver.results import returned
from tolang.ground.collecting import collector_paused
from tolang.ground.diagnostics import Source, ToLangCheckError, ToLangError
from tolang.ground.values import ToL
from tolang.onnx.cost import ModelCost, ProgramNode
from tolang.onnx.elements import Array, of_element_type
from tolang.onnx.faults import model_error
from tolang.onnx.importer import Importer, Scope
from tolang.onnx.kinds import Items, Kind, Known, Leaf, as_array, declared_kind, has_open_length, kind_of, of_lengths
from tolang.onnx.protos import read_model, refuse_damaged, to_array
from tolang.onnx.stages import run_outside, stages
from tolang.onnx.statics import static_inputs
from tolang.onnx.values import OptionalValue, SequenceValue, TensorValue, Value


@dataclass(frozen=True, slots=True)
class Options:
    """How a model's programs run, as `tolang.compile` has it."""

    engine: str = DEFAULT_ENGINE
    strict: bool = False
    fallback: bool = True
    threads: int | None = None


class ModelProgram(Program):
    """The program of a model, which brings the model's weights: only its inputs are left to give."""

    def __init__(
        self, source: Source, weights: Mapping[str, Array], options: Options, nodes: Sequence[ProgramNode] = ()
    ) -> None:
        super().__init__(source, options.engine, options.strict, options.fallback, options.threads)
        kinds = self.inputs
        self.weights = {name: ToL.of(one, kinds[name].columns, name) for name, one in weights.items() if name in kinds}
        self.nodes = tuple(nodes)

    def cost(self, *shapes: Any, **sizes: Any) -> ModelCost:
        """What the model costs: formulas of its symbolic dimensions, numbers where these are given."""

        def make(core: CoreProgram, title: str | None, given: Mapping[str, int]) -> ModelCost:
            return ModelCost(core, title, given, self.nodes)

        found = cost_of_program(self.core, tolang_names(sizes), self.source.name, shapes, make)
        assert isinstance(found, ModelCost)
        return found

    def __call__(self, *arguments: Any, seed: int = 0, **named: Any) -> Any:
        job = self.job(arguments, tolang_names(named))
        return returned(job.core.outputs, self.values(job, seed))

    def job(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> Job:
        """The program's core for these inputs and the weights, and the data it runs on."""
        own = {name: kind for name, kind in self.inputs.items() if name not in self.weights}
        data, sizes = sort_arguments(own, self.sizes, arguments, named)
        given = {name: ToL.of(data[name], kind.columns, name) for name, kind in own.items()}
        inputs = {name: given[name] if name in given else self.weights[name] for name in self.inputs}
        return Job(self.core, inputs, bind_sizes(self.core, inputs, sizes))


class Model:
    """An ONNX model.

    Call it with its inputs, by position or by the model's own names.  One output is returned itself, several as a
    dictionary by name; a sequence is a list, an optional without a value None.
    """

    def __init__(self, model: ModelProto, name: str = "<model>", options: Options | None = None) -> None:
        refuse_damaged(model)
        self.proto, self.name, self.options = model, name, options or Options()
        given = {one.name for one in model.graph.initializer}
        given.update(one.values.name for one in model.graph.sparse_initializer)
        self.infos = tuple(one for one in model.graph.input if one.name not in given)
        self.output_names = tuple(one.name for one in model.graph.output)
        self.static = static_inputs(model.graph)
        self.parts = [part.node or Model(part.model or model, name, options) for part in stages(model)]
        self._variants: dict[tuple[Kind, ...], Variant] = {}
        self._fixed: set[tuple[Kind, ...]] = set()

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        results = self.run(self.arguments(arguments, named))
        return results[0] if len(results) == 1 else dict(zip(self.output_names, results, strict=True))

    def arguments(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
        """Data by the names of inputs."""
        names = [one.name for one in self.infos]
        if len(given) > len(names):
            raise model_error("E705", f"the model takes {len(names)} inputs", found=str(len(given)))
        data = dict(zip(names, given, strict=False))
        for name, value in named.items():
            if name not in names or name in data:
                why = "is given twice" if name in data else "is none of the model's"
                raise model_error("E705", f"the input {name!r} {why}", expected=", ".join(names))
            data[name] = value
        missing = [name for name in names if name not in data]
        if missing:
            raise model_error("E705", f"the input {missing[0]!r} is missing", expected=", ".join(names))
        return data

    def run(self, data: Mapping[str, Any]) -> list[Any]:
        """All outputs in order, for data by the names of inputs."""
        if not self.parts:
            return self.variant(data).run(data)
        values = {name: as_array(one) for name, one in data.items()}
        values |= {one.name: to_array(one) for one in self.proto.graph.initializer}
        for part in self.parts:
            if isinstance(part, Model):
                wanted = {one.name: values[one.name] for one in part.infos}
                values.update(zip(part.output_names, part.run(wanted), strict=True))
            else:
                values.update(run_outside(part, values))
        return [values[name] for name in self.output_names]

    def variant(self, data: Mapping[str, Any]) -> Variant:
        """The program for these inputs: shared by all data of the same kinds."""
        kinds = tuple(kind_of(one, data[one.name], one.name in self.static) for one in self.infos)
        return self._of_kinds(kinds, data)

    def _of_kinds(self, kinds: tuple[Kind, ...], known: Mapping[str, Any] | None = None) -> Variant:
        """The program for inputs of these kinds; for the lengths known, where open ones do not do.

        Ranks of a model may depend on lengths, as where it squeezes an axis only if it is of length 1.
        """
        if kinds in self._fixed:
            kinds = self._of_lengths(kinds, known or {})
        if kinds not in self._variants:
            try:
                self._variants[kinds] = Variant(self, kinds)
            except ToLangCheckError as error:
                if self._of_lengths(kinds, known or {}) == kinds:
                    raise self._without_lengths(kinds, error) from None
                self._fixed.add(kinds)
                return self._of_kinds(kinds, known)
        return self._variants[kinds]

    def _without_lengths(self, kinds: tuple[Kind, ...], error: ToLangCheckError) -> ToLangError:
        """An error that open lengths may be the reason of, told as such."""
        opened = [info.name for info, kind in zip(self.infos, kinds, strict=True) if has_open_length(kind)]
        if not opened or error.diagnostics[0].code != "E306":
            return error
        shapes = ", ".join(f"{name}=(…)" for name in opened)
        message = "ranks in the model depend on lengths that are not given"
        return model_error("E705", message, found=error.diagnostics[0].message, expected=f"the shapes {shapes}")

    def _of_lengths(self, kinds: tuple[Kind, ...], known: Mapping[str, Any]) -> tuple[Kind, ...]:
        """Kinds with known lengths in place of open ones: those of shapes and data by input, and of sizes by name."""
        return tuple(
            of_lengths(kind, known.get(info.name), known) for info, kind in zip(self.infos, kinds, strict=True)
        )

    @cached_property
    def declared(self) -> Variant:
        """The program for the inputs as the model declares them; an error where it must see data first."""
        for info in self.infos:
            if info.name in self.static or declared_kind(info) is None:
                message = f"the model is made for each {info.name!r} anew: it is a shape, axes, or of an open rank"
                raise model_error("E705", message)
        return self._of_kinds(tuple(declared_kind(one) for one in self.infos))

    @property
    def program(self) -> ModelProgram:
        """The ToLang program of a model that need not see data first."""
        found = self.declared.program
        if found is None:
            raise model_error("E705", "the model gives no tensor")
        return found

    @cached_property
    def open_inputs(self) -> tuple[str, ...]:
        """Inputs for which the program is made anew: shapes, axes, counts, or tensors of an open rank."""
        return tuple(one.name for one in self.infos if one.name in self.static or declared_kind(one) is None)

    @property
    def text(self) -> str:
        """The ToLang source of a model that need not see data first."""
        return self.declared.text

    def cost(self, **sizes: Any) -> ModelCost:
        """What the model costs: formulas of its symbolic dimensions, numbers where these are given.

        Inputs that the program is made for, such as a shape, are given by value, those of an open rank by shape.
        """
        if self.parts:
            outside = sorted({one.op_type for one in self.parts if isinstance(one, NodeProto)})
            raise model_error("E705", f"the model computes {', '.join(outside)} outside ToLang, which no count covers")
        program = self.program_for(sizes)
        bound = {*program.sizes, *program.inputs} if self._fixed else sizes.keys() - set(self.open_inputs)
        return program.cost(**{name: value for name, value in sizes.items() if name in bound})

    def program_for(self, known: Mapping[str, Any]) -> ModelProgram:
        """The program for what must be known before it is made: the values of shapes, axes and counts, open ranks.

        Sizes and shapes may be among it, for a model whose ranks depend on them.
        """
        program = self._of_kinds(tuple(self._kind(one, known) for one in self.infos), known).program
        if program is None:
            raise model_error("E705", "the model gives no tensor")
        return program

    def _kind(self, info: ValueInfoProto, known: Mapping[str, Any]) -> Kind:
        if info.name not in self.open_inputs:
            return declared_kind(info)
        wanted = "value" if info.name in self.static else "shape"
        if info.name not in known:
            message = f"the program is made for the {wanted} of {info.name!r}, which is not given"
            raise model_error("E705", message, expected=f"{info.name}=…, its {wanted}")
        value = known[info.name]
        value = value.to_numpy() if isinstance(value, ToL) else value
        element = info.type.tensor_type.elem_type
        if info.name in self.static:
            return kind_of(info, np.asarray(value, helper.tensor_dtype_to_np_dtype(element)), True)
        return Leaf(element, value if isinstance(value, tuple) else np.shape(value))


class Variant:
    """A model's program for inputs of given kinds."""

    @collector_paused()
    def __init__(self, model: Model, kinds: tuple[Kind, ...]) -> None:
        self.importer = Importer(model.proto)
        self.leaves: dict[str, tuple[str, tuple[int, ...]]] = {}
        scope = Scope()
        for info, kind in zip(model.infos, kinds, strict=True):
            scope.values[info.name] = self._input(info, kind, (), info.name)
        self.importer.graph(model.proto.graph, scope)
        found = [(name, scope.find(name)) for name in model.output_names]
        self.outputs = [self._output(name, value) for name, value in found if value is not None]
        self.text = self.importer.text()
        self.program: ModelProgram | None = None
        if self.importer.exported:
            source = Source(model.name, self.text)
            self.program = ModelProgram(source, self.importer.data, model.options, self._nodes())

    def _nodes(self) -> list[ProgramNode]:
        """The model's nodes with what the program defines for them."""
        kept = set(re.findall(r"^(\w+)(?:\(.*?\))? :?= ", self.text, re.MULTILINE))
        makers = {name: node for name, node in self.importer.makers.items() if name in kept}
        nodes = {id(node): node for node in makers.values()}
        definitions: dict[int, list[str]] = {}
        for name, node in makers.items():
            definitions.setdefault(id(node), []).append(name)
        return [
            ProgramNode(node.name or f"{node.op_type}_{place}", node.op_type, tuple(definitions[key]))
            for place, (key, node) in enumerate(nodes.items(), 1)
        ]

    def _input(self, info: ValueInfoProto, kind: Kind, path: tuple[int, ...], wanted: str) -> Value:
        match kind:
            case Known():
                return self.importer.constant(kind.array, wanted)
            case Items(items=items):
                parts = [self._input(info, one, (*path, k), f"{wanted}_{k + 1}") for k, one in enumerate(items)]
                return SequenceValue(tuple(parts))
            case Leaf(element=element, lengths=lengths):
                name = self.importer.declare(wanted, element, lengths)
                self.leaves[name] = (info.name, path)
                return TensorValue(name)
        return OptionalValue(None)

    def _output(self, name: str, value: Value) -> Any:
        """The names under which a value's tensors are exported: one, a list for a sequence, None for nothing."""
        match value:
            case TensorValue():
                return self.importer.export(value, name)
            case SequenceValue(items=items):
                return [self._output(f"{name}_{k}", item) for k, item in enumerate(items, 1)]
            case OptionalValue(item=item):
                return None if item is None else self._output(name, item)

    def run(self, data: Mapping[str, Any]) -> list[Any]:
        """The outputs in order: arrays, lists for sequences, None for an optional without a value."""
        results: dict[str, Array] = {}
        if self.program is not None:
            inputs = {name: self._leaf(name, data) for name in self.leaves}
            found = self.program.run(self.program.job((), inputs))
            results = {name: of_element_type(one) for name, one in found.items() if not isinstance(one, tuple)}
        return [_collected(one, results) for one in self.outputs]

    def _leaf(self, name: str, data: Mapping[str, Any]) -> Array:
        """The data of one declared input, by its path into a sequence."""
        source, path = self.leaves[name]
        value = data[source]
        for step in path:
            value = value[step]
        return as_array(value)


def _collected(tree: Any, results: Mapping[str, Array]) -> Any:
    if isinstance(tree, list):
        return [_collected(one, results) for one in tree]
    return None if tree is None else np.asarray(results[tree])


def load(
    model: str | Path | ModelProto,
    engine: str = DEFAULT_ENGINE,
    strict: bool = False,
    fallback: bool = True,
    threads: int | None = None,
) -> Model:
    """A model from its file or its message, to run as `tolang.compile` says."""
    options = Options(engine, strict, fallback, threads)
    if isinstance(model, ModelProto):
        return Model(model, "<model>", options)
    return Model(read_model(Path(model)), str(model), options)
