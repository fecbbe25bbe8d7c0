"""Control flow: If, Loop and Scan as branches, as folds, or written out where structure changes with every step."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

import numpy as np
from onnx import GraphProto, NodeProto

from tolang.core.types import Type
from tolang.onnx.counted import Body
from tolang.onnx.elements import vector
from tolang.onnx.faults import model_error
from tolang.onnx.folds import CHANGED, loop_fold, parts_of_bundle
from tolang.onnx.importer import GraphScope, Importer
from tolang.onnx.subgraphs import block, body_of, known_count, known_truth, loop_body, run_body, stacked
from tolang.onnx.tensor_types import element_in, refuse_unlike
from tolang.onnx.values import TensorValue, Value, named
from tolang.syntax import making, tree

LONGEST_UNROLLED = 1000
"""A loop that is written out step by step has at most so many steps."""
SHORT = 8
"""A loop of at most so many steps is written out, where it can be."""
ENDLESS = 2**31 - 1
"""A greatest number of steps from here on is none: the condition ends the loop."""


def choose(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """If: one branch where the condition is known, else a choice while running."""
    branches = [body_of(node, name, 0, len(node.output)) for name in ("then_branch", "else_branch")]
    known = known_truth(importer, inputs[0])
    if known is not None:
        return run_body(importer, branches[0 if known else 1], [], scope)
    condition = inputs[0]
    if not isinstance(condition, TensorValue):
        raise model_error("E703", "the condition is not a tensor")
    made = [block(importer, branch, [], scope) for branch in branches]
    refuse_unlike(node, "gives tensors of different types in its branches", made[0].elements, made[1].elements)
    blocks = of_one_rank(importer, branches, [one.expression for one in made])
    chosen = making.choice(making.call("first", condition.expression), *blocks)
    name = importer.define(node.output[0] or "chosen", chosen)
    if len(node.output) == 1:
        return [named(name, element=made[0].elements[0])]
    whole = making.name(name)
    names = [importer.define(one or "unused", making.part(whole, k)) for k, one in enumerate(node.output, 1)]
    return [named(one, element=element) for one, element in zip(names, made[0].elements, strict=True)]


def of_one_rank(importer: Importer, branches: list[GraphProto], blocks: list[tree.Expression]) -> list[tree.Expression]:
    """Branches as they are; but where one gives a numeric and the other a tensor of one element, that tensor both."""
    declared = [_declared_ranks(branch) for branch in branches]
    if declared[0] is not None and declared[0] == declared[1]:
        return blocks
    count = len(branches[0].output)
    given = [parts_of_bundle(one, count) for one in blocks]
    parts = [[importer.probe(TensorValue(one)) for one in own] for own in given]
    greatest = [max(pair, key=lambda one: one.rank) for pair in zip(*parts, strict=True)]
    goals = [one.rank if all(n.constant == 1 for n in one.shape) else None for one in greatest]
    return [_of_ranks(importer, block, own, goals) for block, own in zip(blocks, parts, strict=True)]


def _of_ranks(
    importer: Importer, block: tree.Expression, kinds: Sequence[Type], goals: Sequence[int | None]
) -> tree.Expression:
    """A block whose numerics are tensors of one element where a rank is wanted."""
    name = importer.fold_names.result
    given = parts_of_bundle(making.name(name), len(kinds))
    made = [
        making.call("reshape", making.blocks([one]), vector([1] * goal)) if goal and kind.rank == 0 else one
        for one, kind, goal in zip(given, kinds, goals, strict=True)
    ]
    return block if made == given else making.block([making.definition(name, block)], making.bundle(made))


def _declared_ranks(graph: GraphProto) -> list[int] | None:
    """The ranks of what a subgraph gives, where it declares all of them."""
    kinds = [one.type.tensor_type for one in graph.output]
    return [len(one.shape.dim) for one in kinds] if all(one.HasField("shape") for one in kinds) else None


def loop(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """Loop: written out step by step where its number of steps is known while importing, else a fold."""
    body = loop_body(node)
    limit = known_count(importer, inputs[0])
    if limit is not None and limit >= ENDLESS:
        inputs, limit = [None, *inputs[1:]], None
    trips = inputs[0]
    state = [one for one in inputs[2:] if one is not None]
    going = known_truth(importer, inputs[1] if len(inputs) > 1 else None)
    likeness = node.SerializeToString(), importer.calls
    if (trips is not None and limit is None) or going is None or likeness in importer.folds:
        return loop_fold(importer, node, inputs, scope)
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
            return folded_after_all(importer, node, inputs, scope, begun)
        refuse_unlike(node, CHANGED, [*map(element_in, state)], [*map(element_in, results[1:])])
        state, row = results[1 : 1 + len(state)], results[1 + len(state) :]
        rows.append(row)
        going = known_truth(importer, results[0])
        if going is None:
            importer.folds.add(likeness)
            return folded_after_all(importer, node, inputs, scope, begun)
        step += 1
    if not rows and len(node.output) > len(state):
        return loop_fold(importer, node, inputs, scope)
    return [*state, *(stacked(importer, [row[k] for row in rows]) for k in range(len(node.output) - len(state)))]


def folded_after_all(
    importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope, begun: int
) -> list[Value]:
    """A loop as a fold, in place of the definitions from `begun` on in which its first steps were written out."""
    importer.definitions.drop(begun)
    with importer.again():
        return loop_fold(importer, node, inputs, scope)


def is_fold(
    importer: Importer, node: NodeProto, inputs: list[Value | None], results: list[Value], scope: GraphScope
) -> bool:
    """Whether a loop that could be written out is better a fold: many steps, and states that keep their shapes."""
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
