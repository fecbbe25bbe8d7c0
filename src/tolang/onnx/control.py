"""Control flow: If, Loop and Scan as branches, as folds, or written out where structure changes with every step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from onnx import GraphProto, NodeProto, helper

from tolang.onnx.faults import model_error
from tolang.onnx.values import TensorValue, Value

if TYPE_CHECKING:
    from tolang.onnx.elements import Array
    from tolang.onnx.importer import Importer, Scope

LONGEST_UNROLLED = 1000
"""A loop that is written out step by step has at most so many steps."""
SHORT = 8
"""A loop of at most so many steps is written out, where it can be."""
ENDLESS = 2**31 - 1
"""A greatest number of steps from here on is none: the condition ends the loop."""


def body_of(node: NodeProto, name: str, inputs: int, outputs: int) -> GraphProto:
    """A subgraph of a node, which takes and gives so many values."""
    found: GraphProto = next(one.g for one in node.attribute if one.name == name)
    for kind, values, wanted in (("inputs", found.input, inputs), ("outputs", found.output, outputs)):
        if len(values) != wanted:
            message = f"the subgraph {name} has another number of {kind} than its node"
            raise model_error("E703", message, found=str(len(values)), expected=str(wanted))
    return found


def loop_body(node: NodeProto) -> GraphProto:
    """The body of a loop: of the number of the step, the condition and the states; of these again, and of rows."""
    return body_of(node, "body", len(node.input), 1 + len(node.output))


def run_body(importer: Importer, body: GraphProto, inputs: Sequence[Value], scope: Scope) -> list[Value]:
    """The nodes of a subgraph, written in place, and its outputs."""
    from tolang.onnx.importer import Scope as Inner

    inner = Inner({info.name: value for info, value in zip(body.input, inputs, strict=False)}, scope)
    importer.graph(body, inner)
    found = [inner.find(info.name) for info in body.output]
    results = [one for one in found if one is not None]
    if len(results) < len(found):
        raise model_error("E703", "a subgraph gives an input of a function that the call leaves out")
    return results


def known_truth(importer: Importer, value: Value | None) -> bool | None:
    """What a condition is, where it is known while importing; a condition left out holds."""
    if value is None:
        return True
    elements = importer.elements(value)
    return None if elements is None else bool(only(elements))


def only(elements: Array) -> Any:
    """The one element of a condition, a count or a position."""
    if elements.size != 1 or elements.dtype.kind not in "biuf":
        shape = f"{elements.dtype} {list(elements.shape)}"
        raise model_error("E703", "a condition, count or position is one number or truth value", found=shape)
    return elements.reshape(-1)[0]


def choose(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope) -> list[Value]:
    """If: one branch where the condition is known, else a choice while running."""
    branches = [body_of(node, name, 0, len(node.output)) for name in ("then_branch", "else_branch")]
    known = known_truth(importer, inputs[0])
    if known is not None:
        return run_body(importer, branches[0 if known else 1], [], scope)
    condition = inputs[0]
    if not isinstance(condition, TensorValue):
        raise model_error("E703", "the condition is no tensor")
    blocks = [block(importer, branch, [], scope) for branch in branches]
    name = importer.define(node.output[0] or "chosen", f"if first({condition.text}) then {blocks[0]} else {blocks[1]}")
    if len(node.output) == 1:
        return [TensorValue(name)]
    return [TensorValue(importer.define(one or "unused", f"{name}[{k}]'")) for k, one in enumerate(node.output, 1)]


def block(
    importer: Importer,
    body: GraphProto,
    inputs: Sequence[Value],
    scope: Scope,
    assumed: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """A subgraph as a ToLang block that gives its outputs; its inputs are assumed to be as some expressions."""
    with importer.definitions.block(assumed):
        results = run_body(importer, body, inputs, scope)
        inside = importer.definitions.lines()
    if not all(isinstance(one, TensorValue) for one in results):
        raise model_error("E703", "sequences and optionals in a branch or loop need a condition known while importing")
    texts = [one.text for one in results if isinstance(one, TensorValue)]
    result = texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
    lines = [f"  {line}" for whole in inside for line in whole.split("\n")]
    return "\n".join(["{", *lines, f"  {result}", "}"])


def loop(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope) -> list[Value]:
    """Loop: written out step by step where its number of steps is known while importing, else a fold."""
    from tolang.onnx.folds import loop_fold

    body = loop_body(node)
    limit, most = known_count(importer, inputs[0]), None
    if limit is not None and limit >= ENDLESS:
        most = inputs[0] if limit == ENDLESS else None
        inputs, limit = [None, *inputs[1:]], None
    trips = inputs[0]
    state = [one for one in inputs[2:] if one is not None]
    going = known_truth(importer, inputs[1] if len(inputs) > 1 else None)
    likeness = node.SerializeToString(), importer.calls
    if (trips is not None and limit is None) or going is None or likeness in importer.folds:
        return loop_fold(importer, node, inputs, scope, most)
    begun = len(importer.definitions.names)
    rows: list[list[Value]] = []
    step = 0
    while going and (limit is None or step < limit):
        if step >= LONGEST_UNROLLED:
            raise model_error("E703", f"a loop of more than {LONGEST_UNROLLED} steps cannot be written out")
        counter = importer.constant(np.array(step, np.int64), "step")
        condition = importer.constant(np.array(True), "going")
        with importer.again() if step else nullcontext():
            results = run_body(importer, body, [counter, condition, *state], scope)
        if step == 0 and is_fold(importer, node, inputs, results, scope):
            importer.folds.add(likeness)
            return folded_after_all(importer, node, inputs, scope, most, begun)
        state, row = results[1 : 1 + len(state)], results[1 + len(state) :]
        rows.append(row)
        going = known_truth(importer, results[0])
        if going is None:
            importer.folds.add(likeness)
            return folded_after_all(importer, node, inputs, scope, most, begun)
        step += 1
    if not rows and len(node.output) > len(state):
        return loop_fold(importer, node, inputs, scope, most)
    return [*state, *(stacked(importer, [row[k] for row in rows]) for k in range(len(node.output) - len(state)))]


def folded_after_all(
    importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope, most: Value | None, begun: int
) -> list[Value]:
    """A loop as a fold, in place of the definitions from `begun` on in which its first steps were written out."""
    from tolang.onnx.folds import loop_fold

    importer.definitions.drop(begun)
    with importer.again():
        return loop_fold(importer, node, inputs, scope, most)


def known_count(importer: Importer, value: Value | None) -> int | None:
    """A whole number that is known while importing."""
    elements = importer.elements(value)
    return None if elements is None else int(only(elements))


def is_fold(
    importer: Importer, node: NodeProto, inputs: list[Value | None], results: list[Value], scope: Scope
) -> bool:
    """Whether a loop that could be written out is better a fold: many steps, and states that keep their shapes."""
    from tolang.onnx.counted import Body

    body = Body(importer, loop_body(node), inputs[1:], scope)
    limit = known_count(importer, inputs[0])
    many = limit is None or limit > SHORT
    counted = many and (body.goes_on() if limit is not None else body.steps() is not None)
    pairs = list(zip(inputs[2:], results[1:], strict=False))
    return bool(counted) and all(
        isinstance(one, TensorValue)
        and isinstance(after, TensorValue)
        and importer.probe(one).shape == importer.probe(after).shape
        for one, after in pairs
    )


def stacked(importer: Importer, rows: list[Value]) -> Value:
    """Values of one shape along a new first axis."""
    where = TensorValue("[0]")
    made = [importer.call(helper.make_node("Unsqueeze", ["", ""], ["row"]), [one, where])[0] for one in rows]
    joined = made[0]
    for other in made[1:]:
        joined = importer.call(helper.make_node("Concat", ["", ""], ["rows"], axis=0), [joined, other])[0]
    return joined
