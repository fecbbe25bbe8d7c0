"""Sequences and optionals: their structure is known while importing, only their tensors are ToLang."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
from onnx import NodeProto, helper

from tolang.onnx.elements import vector
from tolang.onnx.faults import model_error
from tolang.onnx.importer import GraphScope, Importer
from tolang.onnx.subgraphs import body_of, only, run_body
from tolang.onnx.values import OptionalValue, SequenceValue, TensorValue, Value

MOST_ITEMS = 1000
"""A tensor is split into at most so many items of a sequence, each of which is a definition."""


def items_of(value: Value | None, node: NodeProto) -> tuple[Value, ...]:
    """The items of a sequence, also of one inside an optional."""
    if isinstance(value, OptionalValue):
        value = value.item
    if not isinstance(value, SequenceValue):
        raise model_error("E703", f"{node.op_type} takes a sequence")
    return value.items


def position_of(importer: Importer, value: Value | None, node: NodeProto, length: int, last: int) -> int:
    """A position in a sequence, which must be known; negative ones count from the end."""
    if value is None:
        return last
    elements = importer.elements(value)
    if elements is None:
        raise model_error("E703", f"the position of {node.op_type} must be known while importing")
    position = int(only(elements))
    if not -length <= position <= last:
        raise model_error("E703", f"{node.op_type} has no position {position}", expected=f"{-length} to {last}")
    return position + length if position < 0 else position


def empty(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    return [SequenceValue(())]


def construct(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    return [SequenceValue(tuple(one for one in inputs if one is not None))]


def at(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    items = items_of(inputs[0], node)
    return [items[position_of(importer, inputs[1], node, len(items), len(items) - 1)]]


def insert(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    items, item = items_of(inputs[0], node), inputs[1]
    place = position_of(importer, inputs[2] if len(inputs) > 2 else None, node, len(items), len(items))
    return [] if item is None else [SequenceValue((*items[:place], item, *items[place:]))]


def erase(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    items = items_of(inputs[0], node)
    place = position_of(importer, inputs[1] if len(inputs) > 1 else None, node, len(items), len(items) - 1)
    return [SequenceValue((*items[:place], *items[place + 1 :]))]


def length(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    return [importer.constant(np.array(len(items_of(inputs[0], node)), np.int64), node.output[0])]


def concatenated(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """The items joined along an axis, or along a new one."""
    axis = next(one.i for one in node.attribute if one.name == "axis")
    items: list[Value | None] = list(items_of(inputs[0], node))
    if not items:
        raise model_error("E703", "a sequence without items is joined to nothing")
    if any(one.name == "new_axis" and one.i for one in node.attribute):
        unsqueeze = helper.make_node("Unsqueeze", ["", ""], [node.output[0]])
        where = TensorValue(vector([axis]))
        items = [importer.call(unsqueeze, [one, where])[0] for one in items]
    joined = items[0]
    for other in items[1:]:
        joined = importer.call(helper.make_node("Concat", ["", ""], [node.output[0]], axis=axis), [joined, other])[0]
    return [] if joined is None else [joined]


def split(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """The parts along an axis as a sequence: of one length each, of lengths told, or each of length 1."""
    given = {one.name: one.i for one in node.attribute}
    axis, keep = given.get("axis", 0), given.get("keepdims", 1)
    subject = inputs[0]
    if not isinstance(subject, TensorValue):
        raise model_error("E703", f"{node.op_type} takes a tensor")
    parts = importer.elements(inputs[1] if len(inputs) > 1 else None)
    if parts is not None and parts.ndim == 1:
        lengths = [int(one) for one in parts]
    else:
        every = 1 if parts is None else int(only(parts))
        shape = importer.probe(subject).shape
        if every < 1 or not -len(shape) <= axis < len(shape):
            found = f"parts of {every} along axis {axis} of {len(shape)}"
            raise model_error("E703", f"{node.op_type} splits along an axis into parts of 1 or more", found)
        total = shape[axis].constant
        if not isinstance(total, int):
            raise model_error("E703", f"{node.op_type} needs to know the length of its axis while importing")
        lengths = [min(every, total - start) for start in range(0, min(total, every * MOST_ITEMS + 1), every)]
    if len(lengths) > MOST_ITEMS:
        raise model_error("E703", f"{node.op_type} splits into too many parts", expected=f"at most {MOST_ITEMS}")
    made: list[Value] = []
    for place, _ in enumerate(lengths, 1):
        one = helper.make_node("Split", ["", ""], [f"{node.output[0]}_{place}"], axis=axis)
        piece = importer.call(one, [subject, TensorValue(vector(lengths))], part=place)[0]
        if parts is None and not keep:
            squeeze = helper.make_node("Squeeze", ["", ""], list(one.output))
            piece = importer.call(squeeze, [piece, TensorValue(vector([axis]))])[0]
        made.append(piece)
    return [SequenceValue(tuple(made))]


def mapped(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """The body for each item of a sequence; tensors among the further inputs are the same for all."""
    body = body_of(node, "body", len(node.input), len(node.output))
    rows: list[list[Value]] = []
    items = items_of(inputs[0], node)
    if any(isinstance(one, SequenceValue) and len(one.items) != len(items) for one in inputs[1:]):
        raise model_error("E703", f"{node.op_type} takes sequences of one length")
    for place, item in enumerate(items):
        others = [one.items[place] if isinstance(one, SequenceValue) else one for one in inputs[1:]]
        with importer.again() if place else nullcontext():
            rows.append(run_body(importer, body, [item, *(one for one in others if one is not None)], scope))
    return [SequenceValue(tuple(row[k] for row in rows)) for k in range(len(body.output))]


def optional(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    return [OptionalValue(inputs[0] if inputs else None)]


def has_element(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    value = inputs[0] if inputs else None
    held = value.item is not None if isinstance(value, OptionalValue) else value is not None
    return [importer.constant(np.array(held), node.output[0])]


def get_element(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    value = inputs[0].item if isinstance(inputs[0], OptionalValue) else inputs[0]
    if value is None:
        raise model_error("E703", "OptionalGetElement of an optional that holds nothing")
    return [value]
