"""What a model's input is, up to its elements: one program serves all data of one kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from onnx import ValueInfoProto

from tolang.onnx.elements import Array, element_of
from tolang.onnx.faults import model_error
from tolang.onnx.protos import to_array


@dataclass(frozen=True, slots=True)
class Leaf:
    """A tensor: its element type, and its lengths, numbers or names of sizes."""

    element: int
    lengths: tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A tensor whose elements the program is made for: a shape, axes, a count."""

    element: int
    shape: tuple[int, ...]
    content: bytes | tuple[str, ...]
    dtype: np.dtype[Any]

    @property
    def array(self) -> Array:
        if isinstance(self.content, tuple):
            return np.array(self.content, dtype=object).reshape(self.shape)
        return np.frombuffer(self.content, self.dtype).reshape(self.shape)


@dataclass(frozen=True, slots=True)
class Items:
    """A sequence of as many items."""

    items: tuple[Kind, ...]


Kind = Leaf | Known | Items | None
"""None is an optional that holds nothing."""


def kind_of(info: ValueInfoProto, value: Any, static: bool) -> Kind:
    """The kind of data given for an input."""
    if value is None:
        return None
    if isinstance(value, list | tuple) and info.type.WhichOneof("value") != "tensor_type":
        return Items(tuple(kind_of(info, one, static) for one in value))
    array = as_array(value)
    if static:
        content = tuple(array.reshape(-1).tolist()) if array.dtype == object else array.tobytes()
        return Known(element_of(array), array.shape, content, array.dtype)
    declared = declared_kind(info)
    if not isinstance(declared, Leaf):
        return Leaf(element_of(array), array.shape)
    if len(declared.lengths) != array.ndim:
        message = f"the input {info.name!r} has {array.ndim} dimensions, declared are {len(declared.lengths)}"
        raise model_error("E705", message)
    return declared


def declared_kind(info: ValueInfoProto) -> Kind:
    """The kind that a model declares for an input; None where it leaves the rank open, or it is no tensor."""
    tensor = info.type.tensor_type
    if info.type.WhichOneof("value") != "tensor_type" or not tensor.HasField("shape"):
        return None
    lengths = [
        one.dim_value if one.WhichOneof("value") == "dim_value" else one.dim_param or f"{info.name}_{axis}"
        for axis, one in enumerate(tensor.shape.dim, 1)
    ]
    return Leaf(tensor.elem_type, tuple(lengths))


def has_open_length(kind: Kind) -> bool:
    """Whether a length of a tensor is a name."""
    return isinstance(kind, Leaf) and any(isinstance(one, str) for one in kind.lengths)


def of_lengths(kind: Kind, value: Any, sizes: Mapping[str, Any]) -> Kind:
    """A tensor's kind with known lengths in place of names: those of its shape or data, or of sizes by name."""
    if not isinstance(kind, Leaf):
        return kind
    shape = tuple(value) if isinstance(value, tuple | list) else getattr(value, "shape", None)
    if shape is not None and len(shape) == len(kind.lengths) and all(isinstance(one, int) for one in shape):
        return Leaf(kind.element, shape)
    found = (sizes.get(one, one) if isinstance(one, str) else one for one in kind.lengths)
    return Leaf(kind.element, tuple(found))


def as_array(value: Any) -> Array:
    """Data as an array; a TensorProto is read, and text is held as objects."""
    if isinstance(value, onnx.TensorProto):
        return to_array(value)
    array = np.asarray(value)
    return array.astype(object) if array.dtype.kind in "US" else array
