"""ONNX's own messages read with care: models, tensors, attributes.  What is damaged or hostile is a clear error."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, SparseTensorProto, TensorProto, numpy_helper

from tolang.onnx.elements import SPACE_OF_ELEMENT, Array
from tolang.onnx.faults import model_error
from tolang.onnx.stored import Weight, weight_of

MOST_ELEMENTS = 2**36
"""A tensor of more elements than this is damaged or hostile."""

ELEMENT_TYPES = frozenset({"to", "dtype", "output_dtype", "output_datatype", "precision", "softmax_precision"})
"""Attributes that are numbers of element types; 0, which leaves the choice to the operator, is the empty text."""


def parsed(content: bytes) -> ModelProto | None:
    """The model that some bytes are the message of; None where they are none."""
    model = ModelProto()
    try:
        model.ParseFromString(content)
    except DecodeError:
        return None
    return model


def refuse_damaged(model: ModelProto) -> None:
    """A model has a graph and says which opsets it uses."""
    if not model.HasField("graph") or not model.opset_import:
        raise model_error("E702", "the file holds no ONNX model: it has no graph, or names no opset")


def tensors_of(graph: GraphProto) -> Iterator[TensorProto]:
    """Every tensor of a graph and of its subgraphs."""
    yield from graph.initializer
    for sparse in graph.sparse_initializer:
        yield from (sparse.values, sparse.indices)
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            yield from attribute.tensors
            for inner in (*((attribute.g,) if attribute.HasField("g") else ()), *attribute.graphs):
                yield from tensors_of(inner)


def held(tensor: TensorProto) -> Array | Weight:
    """A tensor's elements, or where they are left in a file."""
    if tensor.data_location != TensorProto.EXTERNAL:
        return to_array(tensor)
    weight = weight_of(tensor)
    if weight is None:
        raise model_error("E706", f"the data of {tensor.name!r} is in another file", found="a model without a folder")
    return weight


def to_array(tensor: TensorProto) -> Array:
    """A tensor's elements; text as objects of Python's own."""
    if tensor.data_location == TensorProto.EXTERNAL:
        weight = held(tensor)
        assert isinstance(weight, Weight)
        return weight.elements
    if any(one < 0 for one in tensor.dims) or math.prod(tensor.dims) > MOST_ELEMENTS:
        raise model_error("E702", f"the tensor {tensor.name!r} has impossible lengths", found=str(list(tensor.dims)))
    space_of(tensor.data_type)
    try:
        array = numpy_helper.to_array(tensor)
    except (ValueError, TypeError, KeyError) as error:
        raise model_error("E702", f"the tensor {tensor.name!r} is damaged: {error}") from None
    if array.dtype.kind in "SUO":
        flat = np.empty(array.size, dtype=object)
        flat[:] = [one.decode("utf-8") if isinstance(one, bytes) else str(one) for one in array.reshape(-1)]
        return flat.reshape(array.shape)
    return np.asarray(array)


def dense_array(sparse: SparseTensorProto) -> Array:
    """A sparse tensor with its zeros."""
    if any(one < 0 for one in sparse.dims) or math.prod(sparse.dims) > MOST_ELEMENTS:
        raise model_error("E702", "a sparse tensor has impossible lengths", found=str(list(sparse.dims)))
    values, indices = to_array(sparse.values), to_array(sparse.indices)
    dense = np.zeros(tuple(sparse.dims), values.dtype)
    try:
        if indices.ndim == 1:
            dense.reshape(-1)[indices] = values
        else:
            dense[tuple(indices.T)] = values
    except (IndexError, ValueError):
        raise model_error("E702", "the indices of a sparse tensor do not fit its lengths") from None
    return dense


def space_of(element: int) -> str:
    """The space of an element type."""
    if element not in SPACE_OF_ELEMENT:
        raise model_error("E704", f"tensors of ONNX's element type {element} are not supported")
    return SPACE_OF_ELEMENT[element]


def attributes(node: NodeProto) -> dict[str, Any]:
    """A node's attributes as Python values; an element type is the name of its space."""
    found = {one.name: attribute_value(one) for one in node.attribute}
    return {name: SPACE_OF_ELEMENT.get(one, "") if name in ELEMENT_TYPES else one for name, one in found.items()}


def attribute_value(attribute: AttributeProto) -> Any:
    """An attribute as a Python value: text is decoded, tensors are arrays."""
    try:
        value = onnx.helper.get_attribute_value(attribute)
    except ValueError as error:
        raise model_error("E702", f"the attribute {attribute.name!r} is damaged: {error}") from None
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if isinstance(value, TensorProto):
        return to_array(value)
    if isinstance(value, SparseTensorProto):
        return dense_array(value)
    if isinstance(value, list | tuple) or hasattr(value, "extend"):
        return [one.decode("utf-8") if isinstance(one, bytes) else one for one in value]
    return value
