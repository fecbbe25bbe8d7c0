"""What must be known of a model to run it, beside its programs: inputs and outputs, whether it is one program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tolang.ground.dataclasses import dataclass
from tolang.onnx.defined import NO_MORE, Operators
from tolang.onnx.kinds import DeclaredInput

if TYPE_CHECKING:
    from onnx import ModelProto, ValueInfoProto


@dataclass(frozen=True, slots=True)
class Outline:
    """The inputs that are left to give, the names of outputs, and whether no operator is outside ToLang."""

    inputs: tuple[DeclaredInput, ...]
    outputs: tuple[str, ...]
    is_whole: bool


def outline_of(model: ModelProto, own: Operators = NO_MORE) -> Outline:
    """The outline of a model."""
    from tolang.onnx.stages import has_outside
    from tolang.onnx.statics import static_inputs

    static = static_inputs(model.graph)
    inputs = tuple(DeclaredInput.of(one, one.name in static) for one in open_infos(model))
    return Outline(inputs, tuple(one.name for one in model.graph.output), not has_outside(model, own))


def open_infos(model: ModelProto) -> tuple[ValueInfoProto, ...]:
    """The declarations of inputs that the model itself has no data for."""
    given = {one.name for one in model.graph.initializer}
    given.update(one.values.name for one in model.graph.sparse_initializer)
    return tuple(one for one in model.graph.input if one.name not in given)
