"""Control flow: If, Loop and Scan as branches, as folds, or written out where structure changes with every step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from onnx import GraphProto, NodeProto

from tolang.onnx.faults import model_error
from tolang.onnx.values import TensorValue, Value

if TYPE_CHECKING:
    from tolang.onnx.importer import Importer, Scope

LONGEST_UNROLLED = 1000
"""A loop that is written out step by step has at most so many steps."""
SHORT = 8
"""A loop of at most so many steps is written out, where it can be."""
ENDLESS = 2**31 - 1
"""A greatest number of steps from here on is none: the condition ends the loop."""


def body_of(node: NodeProto, name: str) -> GraphProto:
    """A subgraph of a node."""
    found: GraphProto | None = next((one.g for one in node.attribute if one.name == name), None)
    if found is None:
        raise model_error("E703", f"{node.op_type} lacks its subgraph {name}")
    return found


def run_body(importer: Importer, body: GraphProto, inputs: Sequence[Value], scope: Scope) -> list[Value]:
    """The nodes of a subgraph, written in place, and its outputs."""
    from tolang.onnx.importer import Scope as Inner

    inner = Inner({info.name: value for info, value in zip(body.input, inputs, strict=False)}, scope)
    importer.graph(body, inner)
    found = [inner.find(info.name) for info in body.output]
    return [one for one in found if one is not None]


def known_truth(importer: Importer, value: Value | None) -> bool | None:
    """What a condition is, where it is known while importing; a condition left out holds."""
    elements = importer.elements(value)
    if value is None:
        return True
    return None if elements is None else bool(elements.reshape(-1)[0])


def choose(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope) -> list[Value]:
    """If: one branch where the condition is known, else a choice while running."""
    known = known_truth(importer, inputs[0])
    if known is not None:
        return run_body(importer, body_of(node, "then_branch" if known else "else_branch"), [], scope)
    condition = inputs[0]
    assert isinstance(condition, TensorValue)
    blocks = [block(importer, body_of(node, name), [], scope) for name in ("then_branch", "else_branch")]
    name = importer.define(node.output[0] or "chosen", f"if first({condition.text}) then {blocks[0]} else {blocks[1]}")
    if len(node.output) == 1:
        return [TensorValue(name)]
    return [TensorValue(importer.define(one or "unused", f"{name}[{k}]'")) for k, one in enumerate(node.output, 1)]


def block(importer: Importer, body: GraphProto, inputs: Sequence[Value], scope: Scope) -> str:
    """A subgraph as a ToLang block that gives its outputs."""
    outside, importer.lines = importer.lines, []
    importer.enclosing.extend(outside)
    results = run_body(importer, body, inputs, scope)
    inside, importer.lines = importer.lines, outside
    del importer.enclosing[len(importer.enclosing) - len(outside) :]
    if not all(isinstance(one, TensorValue) for one in results):
        raise model_error("E703", "sequences and optionals in a branch or loop need a condition known while importing")
    texts = [one.text for one in results if isinstance(one, TensorValue)]
    result = texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
    lines = [f"  {line}" for whole in inside for line in whole.split("\n")]
    return "\n".join(["{", *lines, f"  {result}", "}"])


def loop(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope) -> list[Value]:
    """Loop: written out step by step where its number of steps is known while importing, else a fold."""
    from tolang.onnx.folds import loop_fold

    body = body_of(node, "body")
    limit, most = importer.elements(inputs[0]), None
    if limit is not None and limit.reshape(-1)[0] >= ENDLESS:
        most = inputs[0] if limit.reshape(-1)[0] == ENDLESS else None
        inputs, limit = [None, *inputs[1:]], None
    trips = inputs[0]
    state = [one for one in inputs[2:] if one is not None]
    going = known_truth(importer, inputs[1] if len(inputs) > 1 else None)
    if (trips is not None and limit is None) or going is None:
        return loop_fold(importer, node, inputs, scope, most)
    begun = len(importer.lines)
    steps = int(limit.reshape(-1)[0]) if limit is not None else None
    rows: list[list[Value]] = []
    step = 0
    while going and (steps is None or step < steps):
        if step >= LONGEST_UNROLLED:
            raise model_error("E703", f"a loop of more than {LONGEST_UNROLLED} steps cannot be written out")
        counter = importer.constant(np.array(step, np.int64), "step")
        condition = importer.constant(np.array(True), "going")
        results = run_body(importer, body, [counter, condition, *state], scope)
        if step == 0 and is_fold(importer, node, inputs, results, scope):
            del importer.lines[begun:]
            return loop_fold(importer, node, inputs, scope, most)
        state, row = results[1 : 1 + len(state)], results[1 + len(state) :]
        rows.append(row)
        going = known_truth(importer, results[0])
        if going is None:
            del importer.lines[begun:]
            return loop_fold(importer, node, inputs, scope, most)
        step += 1
    return [*state, *(stacked(importer, [row[k] for row in rows], node) for k in range(len(node.output) - len(state)))]


def is_fold(
    importer: Importer, node: NodeProto, inputs: list[Value | None], results: list[Value], scope: Scope
) -> bool:
    """Whether a loop that could be written out is better a fold: many steps, and states that keep their shapes."""
    from tolang.onnx.counted import Body

    body = Body(importer, body_of(node, "body"), inputs[1:], scope)
    limit = importer.elements(inputs[0])
    many = limit is None or limit.reshape(-1)[0] > SHORT
    counted = many and (body.goes_on() if limit is not None else body.steps() is not None)
    pairs = list(zip(inputs[2:], results[1:], strict=False))
    return bool(counted) and all(
        isinstance(one, TensorValue)
        and isinstance(after, TensorValue)
        and importer.probe(one).shape == importer.probe(after).shape
        for one, after in pairs
    )


def stacked(importer: Importer, rows: list[Value], node: NodeProto, axis: int = 0) -> Value:
    """Values of one shape along a new first axis."""
    from onnx import helper

    where = TensorValue(f"[{axis}]")
    made = [importer.call(helper.make_node("Unsqueeze", ["", ""], ["row"]), [one, where])[0] for one in rows]
    joined = made[0]
    for other in made[1:]:
        joined = importer.call(helper.make_node("Concat", ["", ""], ["rows"], axis=axis), [joined, other])[0]
    return joined
