"""Loop and Scan as folds of ToLang: the state is a bundle, and what each step gives grows along a first axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

import numpy as np
from onnx import GraphProto, NodeProto

from tolang.ground.dataclasses import replace
from tolang.onnx.counted import Body, LoopCounter
from tolang.onnx.elements import vector
from tolang.onnx.faults import model_error
from tolang.onnx.importer import GraphScope, Importer
from tolang.onnx.names import FoldNames
from tolang.onnx.subgraphs import block, body_of, loop_body, stacked
from tolang.onnx.tensor_types import refuse_unlike
from tolang.onnx.values import TensorValue, Value, named
from tolang.syntax import making, tree

CHANGED = "gives a state of another type than it was given"
STRIDE = 256
"""A loop that only data ends is a fold of so many folds."""
LEVELS = 5
"""How many such folds are in one another: more steps than a machine takes in days."""
NO_STEP = making.convert(making.whole(0), "i64")
"""The number of the first step."""


def tensors_of(values: Sequence[Value | None], node: NodeProto) -> list[tree.Expression]:
    """The expressions of values that must be tensors."""
    if not all(isinstance(one, TensorValue) for one in values):
        raise model_error("E703", f"{node.op_type} with sequences needs its number of steps known while importing")
    return [one.expression for one in values if isinstance(one, TensorValue)]


def step_function(
    importer: Importer,
    node: NodeProto,
    body: GraphProto,
    names: Sequence[str],
    scope: GraphScope,
    first: Sequence[tree.Expression],
) -> str:
    """A subgraph as a ToLang function of its inputs, its parameters by these names; `first` are given it first.

    Its inputs are of the types that it declares; states, which it gives first, keep theirs.
    """
    name = importer.names.fresh(body.name or "step")
    declared = [one.type.tensor_type.elem_type or None for one in body.input]
    given = [named(one, element=element) for one, element in zip(names, declared, strict=True)]
    made = block(importer, body, given, scope, dict(zip(names, first, strict=True)))
    if node.op_type == "Loop":
        refuse_unlike(node, CHANGED, declared[1:], made.elements)
    importer.definitions.add(name, made.expression, names)
    return name


def folded_steps(
    importer: Importer,
    node: NodeProto,
    step: tree.Expression,
    first: tree.Expression,
    states: list[tree.Expression],
    rows: int,
    guarded: bool = False,
) -> tuple[tree.Expression, tree.Expression]:
    """What a step makes of the state s, and the state at the beginning: states, then rows that grow by one a step.

    `step` is a call in which the state and the number of the step have the names of folds, `first` one at the
    beginning, which is only asked for the shapes of its rows.  Where steps are guarded, the condition comes first.
    """
    fold, part = importer.fold_names, making.part
    begun = making.name(importer.define(f"{node.output[0] or 'loop'}_first", first) if rows else "")
    state, result, offset = making.name(fold.state), making.name(fold.result), len(states)
    places = range(offset + 1, offset + rows + 1)
    empty = [making.call("rows_like", part(begun, k)) for k in places]
    grown = [making.call("with_row", part(state, k), part(result, k)) for k in places]
    kept: list[tree.Expression] = [part(result, k) for k in range(1, offset + 1)]
    if guarded:
        kept[0] = making.call("first", kept[0])
    after = making.block([making.definition(fold.result, step)], making.bundle([*kept, *grown]))
    return after, making.bundle([*states, *empty])


def parts_of_bundle(whole: tree.Expression, count: int) -> Sequence[tree.Expression]:
    """The parts of a bundle; what is one value alone is itself."""
    return [whole] if count == 1 else [making.part(whole, k) for k in range(1, count + 1)]


def loop_fold(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """Loop as a fold over its steps; where data ends it, of at most so many, which keeps its state from there.

    What a step gives on as it is, is no state; nor is a counter, where the number of steps is known before.
    """
    entered = inputs[1] if len(inputs) > 1 else None
    always = TensorValue(making.constant("true"), np.array(True))
    body = Body(importer, loop_body(node), [always if entered is None else entered, *inputs[2:]], scope)
    trips = inputs[0]
    counted = making.call("first", *tensors_of([trips], node)) if trips is not None else body.steps()
    steps = making.name(importer.define("steps", counted)) if counted is not None else None
    exact = counted is not None and (trips is None or body.goes_on())
    numbers: Mapping[int, LoopCounter] = body.counters if exact else {}
    fixed = (
        {place for place in range(1, len(body.states)) if body.stays(place)} | {*numbers} | ({0} if exact else set())
    )
    kept = [place for place in range(len(body.states)) if place not in fixed]
    states = tensors_of([body.states[place] for place in kept], node)
    if not exact:
        states[0] = making.call("first", states[0])
    step = loop_step(node, body, fixed, numbers, states)
    rows = len(body.graph.output) - len(body.states)
    values: list[Value | None] = [*body.states[1:], *[None] * rows]
    for place, counter in numbers.items():
        assert steps is not None
        values[place - 1] = named(importer.define(node.output[place - 1], counted_to(body, counter, steps)))
    if states or rows:
        fold, levels = importer.fold_names, level_names(importer) if steps is None else []
        parts = [making.part(making.name(fold.state), k) for k in range(1, len(states) + 1)]
        number = making.convert(endless_step(levels, fold.step), "i64")
        call, begin = making.call(step, number, *parts), making.call(step, NO_STEP, *states)
        after, start = folded_steps(importer, node, call, begin, states, rows, guarded=not exact)
        if exact and steps is not None:
            folded: tree.Expression = fold.over(steps, after, start)
        else:
            folded = guarded_fold(fold, after, start, len(states) + rows > 1, steps, levels)
        whole = making.name(importer.define(f"{node.output[0] or 'loop'}_all", folded))
        places = [place - 1 for place in kept if place] + list(range(len(body.states) - 1, len(values)))
        for k, place in enumerate(places, 1 if exact else 2):
            values[place] = named(importer.define(node.output[place] or "unused", making.part(whole, k)))
    return [one for one in values if one is not None]


def level_names(importer: Importer) -> list[str]:
    """The names of the numbers of steps of the folds that such a loop is in, from the outermost on."""
    return [importer.names.fresh(f"{importer.fold_names.step}{level}") for level in range(1, LEVELS)]


def endless_step(levels: Sequence[str], last: str) -> tree.Expression:
    """The number of a step, from 0, in folds of as many folds each."""
    before = [making.plus(making.name(name), -1) for name in levels]
    outer = [
        making.binary("*", making.parenthesis(one), making.whole(STRIDE ** (LEVELS - level)))
        for level, one in enumerate(before, 1)
    ]
    total = reduce(lambda one, other: making.binary("+", one, other), [*outer, making.name(last)])
    return making.plus(total, -1)


def guarded_fold(
    fold: FoldNames,
    after: tree.Expression,
    start: tree.Expression,
    is_bundle: bool,
    steps: tree.Expression | None,
    levels: Sequence[str],
) -> tree.Expression:
    """A fold that keeps its state once its condition, the first part of it, holds no more.

    Where no number of steps is told, it is a fold of folds of folds: those that are left when it has ended are few.
    """
    state = making.name(fold.state)
    going = making.part(state, 1) if is_bundle else state
    folded = making.choice(going, after, state)
    for name in (fold.step, *reversed(levels)):
        begun = start if name == (*levels, fold.step)[0] else state
        inner = replace(fold, step=name).over(steps or making.whole(STRIDE), folded, begun)
        folded = making.choice(going, inner, state)
    return inner


def loop_step(
    node: NodeProto, body: Body, fixed: set[int], numbers: Mapping[int, LoopCounter], states: Sequence[tree.Expression]
) -> str:
    """The body of a loop as a function of the number of the step and of the states that are not fixed."""
    importer, graph = body.importer, GraphProto()
    graph.CopyFrom(body.graph)
    del graph.input[:], graph.output[:]
    graph.input.extend(one for place, one in enumerate(body.graph.input, -1) if place not in fixed)
    graph.output.extend(one for place, one in enumerate(body.graph.output) if place not in fixed)
    names = [importer.names.fresh(one.name) for one in graph.input]
    values = {body.graph.input[place + 1].name: body.states[place] for place in fixed}
    for place, counter in numbers.items():
        values[body.graph.input[place + 1].name] = TensorValue(counted_to(body, counter, making.name(names[0])))
    return step_function(importer, node, graph, names, GraphScope(values, body.scope), [NO_STEP, *states])


def counted_to(body: Body, counter: LoopCounter, steps: tree.Expression) -> tree.Expression:
    """What a counter is after so many steps."""
    state = body.states[counter.place]
    assert isinstance(state, TensorValue)
    factor = steps if counter.step == 1 else making.binary("*", making.whole(counter.step), steps)
    number = making.call("like", making.plus(factor, counter.start), state.expression)
    return making.call("reshape", making.blocks([number]), vector(counter.shape)) if counter.shape else number


def parts_of(importer: Importer, whole: tree.Expression, node: NodeProto, skipped: int) -> list[Value]:
    """The outputs of a node as parts of a bundle, after some that are its own affair."""
    places = enumerate(node.output, skipped + 1)
    return [named(importer.define(name or "unused", making.part(whole, k))) for k, name in places]


def scan(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """Scan: a fold over slices of its last inputs; in its first version for each batch."""
    if importer.opsets.versions.get("", 9) >= 9:
        return scan_fold(importer, node, tensors_of(inputs, node), scope)
    tensors = tensors_of(inputs[1:], node)
    batches = importer.probe(TensorValue(tensors[0])).shape[0].constant
    if not isinstance(batches, int) or inputs[0] is not None:
        raise model_error("E703", "Scan of opset 8 needs a known number of batches, and all sequences of one length")
    results = []
    for batch in range(batches):
        slices = [making.call("Gather", one, making.whole(batch)) for one in tensors]
        parts = [making.name(importer.define("batch", one)) for one in slices]
        results.append(scan_fold(importer, node, parts, scope))
    return [stacked(importer, [row[k] for row in results]) for k in range(len(node.output))]


def scan_fold(
    importer: Importer, node: NodeProto, tensors: Sequence[tree.Expression], scope: GraphScope
) -> list[Value]:
    """Scan over all steps of one sequence."""
    body = body_of(node, "body", len(tensors), len(node.output))
    given = {one.name: one for one in node.attribute}
    slices = given["num_scan_inputs"].i
    states, scanned = list(tensors[: len(tensors) - slices]), tensors[len(tensors) - slices :]
    rows = len(body.output) - len(states)
    if not 1 <= slices <= len(tensors) or rows < 0:
        found = f"{slices} of {len(tensors)} inputs, {len(body.output)} outputs"
        raise model_error("E703", "Scan goes over some of its inputs, and gives all states", found)

    def listed(name: str, count: int) -> list[int]:
        found = list(given[name].ints) if name in given else [0] * count
        if len(found) != count:
            raise model_error("E703", f"{name} has a number for each slice", str(found), f"{count} numbers")
        return found

    axes, backwards = listed("scan_input_axes", slices), listed("scan_input_directions", slices)
    names = [importer.names.fresh(one.name) for one in body.input]
    length = making.element(making.shape(scanned[0]), axis_of(scanned[0], axes[0]))
    steps = making.name(importer.define("steps", length))
    fold = importer.fold_names
    here = making.name(fold.step)
    places = [making.binary("-", steps, here) if back else making.plus(here, -1) for back in backwards]
    parts = [making.part(making.name(fold.state), k) for k in range(1, len(states) + 1)]
    sliced, start = (
        [making.call("Gather", *one, axis=making.whole(axis)) for *one, axis in zip(scanned, at, axes, strict=True)]
        for at in (places, [making.whole(0)] * slices)
    )
    step = step_function(importer, node, body, names, scope, [*states, *start])
    call, begin = making.call(step, *parts, *sliced), making.call(step, *states, *start)
    after, init = folded_steps(importer, node, call, begin, states, rows)
    whole = making.name(importer.define(f"{node.output[0] or 'scan'}_all", fold.over(steps, after, init)))
    results = parts_of(importer, whole, node, 0)
    out_axes, out_back = listed("scan_output_axes", rows), listed("scan_output_directions", rows)
    for k, (axis, back) in enumerate(zip(out_axes, out_back, strict=True), len(states)):
        one = results[k]
        assert isinstance(one, TensorValue)
        made = making.call("flip", one.expression, making.whole(1)) if back else one.expression
        if axis:
            made = making.call("move_axis", made, making.whole(1), axis_of(one.expression, axis))
        if back or axis:
            results[k] = named(importer.define(node.output[k] or "rows", made))
    return results


def axis_of(tensor: tree.Expression, axis: int) -> tree.Expression:
    """The number of an axis of a tensor, which may be counted from the end."""
    return making.call("axis_number", making.whole(axis), making.dimensions(tensor))
