"""ONNX's own messages read with care: models, tensors, attributes.  What is damaged or hostile is a clear error."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, SparseTensorProto, TensorProto, numpy_helper

from tolang.onnx.elements import SPACE_OF_ELEMENT, Array
from tolang.onnx.faults import model_error
from tolang.onnx.stored import Weight, weight_of

MOST_IN_A_BYTE = 4
"""Elements that a byte of a message holds at most: a tensor of more than its message has room for is damaged."""
MOST_DENSE = 2**26
"""A sparse tensor has at most so many elements, its zeros counted."""

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


def tensors_of_model(model: ModelProto) -> Iterator[TensorProto]:
    """Every tensor of a model, those of its functions too."""
    yield from tensors_of(model.graph)
    for function in model.functions:
        yield from _tensors_in(function.node)


def tensors_of(graph: GraphProto) -> Iterator[TensorProto]:
    """Every tensor of a graph and of its subgraphs."""
    yield from graph.initializer
    for sparse in graph.sparse_initializer:
        yield from (sparse.values, sparse.indices)
    yield from _tensors_in(graph.node)


def _tensors_in(nodes: Iterable[NodeProto]) -> Iterator[TensorProto]:
    for node in nodes:
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
    lengths, element = tuple(tensor.dims), tensor.data_type
    if any(one < 0 for one in lengths) or math.prod(lengths) > MOST_IN_A_BYTE * tensor.ByteSize():
        raise model_error("E702", f"the tensor {tensor.name!r} has impossible lengths", found=str(list(lengths)))
    space_of(element)
    try:
        if element == TensorProto.STRING:
            flat = np.empty(len(tensor.string_data), dtype=object)
            flat[:] = [text_of(one, tensor.name) for one in tensor.string_data]
            return flat.reshape(lengths)
        array = numpy_helper.to_array(tensor)
    except (ValueError, TypeError, LookupError, ArithmeticError) as error:
        raise model_error("E702", f"the tensor {tensor.name!r} is damaged: {error}") from None
    return array.view(np.uint8) != 0 if element == TensorProto.BOOL else np.asarray(array)


def dense_array(sparse: SparseTensorProto) -> Array:
    """A sparse tensor with its zeros."""
    lengths = tuple(sparse.dims)
    name = sparse.values.name
    if any(one < 0 for one in lengths) or math.prod(lengths) > MOST_DENSE:
        raise model_error("E702", f"the sparse tensor {name!r} has impossible lengths", found=str(list(lengths)))
    values, indices = to_array(sparse.values), to_array(sparse.indices)
    if values.dtype == object:
        raise model_error("E704", f"the sparse tensor {name!r} holds text, which has no zero")
    flat = indices.ndim == 1
    limits = np.array([math.prod(lengths)] if flat else lengths, np.int64)
    fits = indices.dtype == np.int64 and indices.shape == (values.shape if flat else (*values.shape, len(lengths)))
    if values.ndim != 1 or not fits or (indices < 0).any() or (indices >= limits).any():
        raise model_error("E702", f"the indices of the sparse tensor {name!r} do not fit its lengths")
    dense = np.zeros(lengths, values.dtype)
    if flat:
        dense.reshape(-1)[indices] = values
    else:
        dense[tuple(indices.T)] = values
    return dense


def space_of(element: int) -> str:
    """The space of an element type."""
    if element not in SPACE_OF_ELEMENT:
        raise model_error("E704", f"tensors of ONNX's element type {element} are not supported")
    return SPACE_OF_ELEMENT[element]


def attributes(node: NodeProto) -> dict[str, Any]:
    """A node's attributes as Python values; an element type is the name of its space."""
    found = {one.name: attribute_value(one) for one in node.attribute}
    return {name: _element_space(name, one) if name in ELEMENT_TYPES else one for name, one in found.items()}


def _element_space(attribute: str, element: Any) -> str:
    """The space of an element type in an attribute: by its number, or by its name as the first opsets wrote it."""
    if isinstance(element, str):
        element = dict(TensorProto.DataType.items()).get(element, element)
    return "" if element == 0 and attribute != "to" else space_of(element)


def attribute_value(attribute: AttributeProto) -> Any:
    """An attribute as a Python value: text is decoded, tensors are arrays."""
    try:
        value = onnx.helper.get_attribute_value(attribute)
    except ValueError as error:
        raise model_error("E702", f"the attribute {attribute.name!r} is damaged: {error}") from None
    if isinstance(value, bytes):
        return text_of(value, attribute.name)
    if isinstance(value, TensorProto):
        return to_array(value)
    if isinstance(value, SparseTensorProto):
        return dense_array(value)
    if isinstance(value, list | tuple) or hasattr(value, "extend"):
        return [text_of(one, attribute.name) if isinstance(one, bytes) else one for one in value]
    return value


def text_of(content: bytes, name: str) -> str:
    """Text, which ONNX holds in UTF-8."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise model_error("E702", f"{name!r} holds text that is not UTF-8", found=repr(content[:40])) from None
