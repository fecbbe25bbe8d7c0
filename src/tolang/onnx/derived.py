"""Gradients and pullbacks of ONNX models, by the names that the model has for its tensors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from onnx import ModelProto, TypeProto, helper

from tolang.ground.reporting.diagnostics import ToLangRunError, usage
from tolang.onnx.elements import Array, of_element_type
from tolang.onnx.faults import at_node, model_error
from tolang.onnx.kinds import DeclaredInput, as_array
from tolang.onnx.model_program import ModelProgram
from tolang.onnx.protos import to_array
from tolang.onnx.records import Leaves
from tolang.program.derivation import listed

if TYPE_CHECKING:
    from tolang.onnx.cost import ModelCost


class OpenVariant(Protocol):
    """A model's program for inputs of given kinds, as its derivative needs it."""

    program: ModelProgram | None
    leaves: Leaves
    outputs: list[Any]

    def leaf(self, name: str, data: Mapping[str, Any]) -> Array: ...


class OpenModel(Protocol):
    """A model, as its derivative needs it."""

    inputs: tuple[DeclaredInput, ...]
    output_names: tuple[str, ...]

    @property
    def proto(self) -> ModelProto: ...

    @property
    def declared(self) -> OpenVariant: ...

    def variant(self, data: Mapping[str, Any]) -> OpenVariant: ...


class DerivedModel:
    """The gradient of one output of a model, or the pullback of several, by inputs and initializers.

    Call it with what the model takes, by position or by the model's own names; a pullback takes the cotangents of the
    outputs, too.  An initializer by which is differentiated may be given, by its name: without it, it is as the model
    has it.  The derivative by `w` is called `d_w`.  One result is returned itself, several as a dictionary by name.
    """

    def __init__(
        self,
        model: OpenModel,
        defaults: Mapping[str, Array],
        kind: str,
        of: str | Iterable[str],
        by: str | Iterable[str],
        value: bool = False,
    ) -> None:
        """`model` has the initializers by which is differentiated as inputs, of which `defaults` has the values."""
        self.model, self.defaults, self.kind, self.value = model, dict(defaults), kind, value
        self.of, self.by = listed(of), listed(by)
        left = [one.name for one in model.proto.graph.initializer]
        _refuse_unknown("output", self.of, model.output_names)
        _refuse_unknown("input or initializer", self.by, [one.name for one in model.inputs], left)
        self._programs: dict[int, tuple[OpenVariant, ModelProgram]] = {}

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of what it takes: inputs of the model, cotangents, then initializers that may be left out."""
        own = [one.name for one in self.model.inputs if one.name not in self.defaults]
        return (*own, *self._cotangents, *self.defaults)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of what it gives."""
        return (*(self.of if self.value else ()), *(f"d_{name}" for name in self.by))

    @property
    def _cotangents(self) -> tuple[str, ...]:
        return tuple(f"d_{name}" for name in self.of) if self.kind == "pullback" else ()

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        data = self._arguments(arguments, named)
        variant = self.model.variant({one.name: data[one.name] for one in self.model.inputs})
        program = self._program(variant)
        given = {name: variant.leaf(name, data) for name in variant.leaves if name in program.own_inputs}
        names = dict(zip(self.model.output_names, variant.outputs, strict=True))
        given |= {f"d_{names[one]}": as_array(data[f"d_{one}"]) for one in self.of if self._cotangents}
        try:
            found = program.run(program.job((), given))
        except ToLangRunError as error:
            raise at_node(error, program.nodes, program.module) from None
        own = self._own_names(variant)
        keys = [*((one, names[one]) for one in self.of if self.value), *((f"d_{o}", f"d_{own[o]}") for o in self.by)]
        results = {name: _array(found[key]) for name, key in keys}
        return results if len(results) > 1 else next(iter(results.values()))

    def _arguments(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
        """Data by the names of inputs, cotangents and initializers."""
        data: dict[str, Any] = dict(self.defaults)
        data.update(zip(self.inputs, given, strict=False))
        unknown = [name for name in named if name not in self.inputs or name in self.inputs[: len(given)]]
        if len(given) > len(self.inputs) or unknown:
            what = f"the input {unknown[0]!r} is given twice, or is none" if unknown else "there are too many inputs"
            raise model_error("E705", what, expected=", ".join(self.inputs))
        data |= named
        missing = [name for name in self.inputs if name not in data]
        if missing:
            raise model_error("E705", f"the input {missing[0]!r} is missing", expected=", ".join(self.inputs))
        return data

    @property
    def program(self) -> ModelProgram:
        """The ToLang program of a model that need not see data first; its names are those of ToLang."""
        return self._program(self.model.declared)

    def cost(self, **sizes: Any) -> ModelCost:
        """What it costs: formulas of the model's symbolic dimensions, numbers where these are given."""
        return self.program.cost(**sizes)

    def _program(self, variant: OpenVariant) -> ModelProgram:
        """The derivative of the model's program for inputs of some kinds."""
        known = self._programs.get(id(variant))
        if known is None:
            if variant.program is None:
                raise model_error("E705", "the model gives no tensor")
            names = dict(zip(self.model.output_names, variant.outputs, strict=True))
            own = self._own_names(variant)
            derive = variant.program.gradient if self.kind == "gradient" else variant.program.pullback
            made = derive([names[one] for one in self.of], [own[one] for one in self.by], value=self.value)
            assert isinstance(made, ModelProgram)
            known = self._programs[id(variant)] = variant, made
        return known[1]

    def _own_names(self, variant: OpenVariant) -> dict[str, str]:
        """The ToLang names of the inputs by which is differentiated."""
        found = {given: name for name, (given, path) in variant.leaves.items() if not path}
        missing = [one for one in self.by if one not in found]
        if missing:
            raise usage("E802", f"the input {missing[0]!r} is not a tensor of real numbers")
        return found

    @cached_property
    def _shown(self) -> str:
        return f"{self.kind} of {', '.join(self.of)} by {', '.join(self.by)}"

    def __repr__(self) -> str:
        return f"<tolang.onnx {self._shown}: ({', '.join(self.inputs)}) -> {', '.join(self.outputs)}>"


def _refuse_unknown(what: str, asked: Sequence[str], known: Sequence[str], further: Sequence[str] = ()) -> None:
    expected = ", ".join(dict.fromkeys([*known, *further]))
    if not asked:
        raise usage("E802", f"no {what} is named", expected=expected)
    for one in asked:
        if one not in known:
            raise usage("E802", f"the model has no {what} {one!r}", expected=expected)


def trained_weights(model: ModelProto, by: str | Iterable[str]) -> dict[str, Array]:
    """The initializers by which is differentiated."""
    return {one.name: to_array(one) for one in model.graph.initializer if one.name in listed(by)}


def with_inputs(model: ModelProto, trained: Mapping[str, Array]) -> ModelProto:
    """The model with some of its initializers as inputs."""
    found = ModelProto()
    found.CopyFrom(model)
    kept = [one for one in model.graph.initializer if one.name not in trained]
    del found.graph.initializer[:]
    found.graph.initializer.extend(kept)
    declared = {one.name for one in model.graph.input}
    for one in model.graph.initializer:
        if one.name in trained and one.name not in declared:
            kind: TypeProto = helper.make_tensor_type_proto(one.data_type, list(one.dims))
            found.graph.input.append(helper.make_value_info(one.name, kind))
    return found


def _array(value: Any) -> Any:
    assert not isinstance(value, tuple)
    return np.asarray(of_element_type(value))
