"""Loop and Scan as folds of ToLang: the state is a bundle, and what each step gives grows along a first axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from onnx import GraphProto, NodeProto

from tolang.onnx.counted import Body, Counter
from tolang.onnx.elements import vector
from tolang.onnx.faults import model_error
from tolang.onnx.importer import Importer, Scope
from tolang.onnx.names import FoldNames
from tolang.onnx.subgraphs import block, body_of, loop_body, stacked
from tolang.onnx.tensor_types import refuse_unlike
from tolang.onnx.values import TensorValue, Value

CHANGED = "gives a state of another type than it was given"
STRIDE = 256
"""A loop that only data ends is a fold of so many folds."""
LEVELS = 5
"""How many such folds are in one another: more steps than a machine takes in days."""
NO_STEP = "convert(0, [i64])"
"""The number of the first step."""


def tensor_texts(values: Sequence[Value | None], node: NodeProto) -> list[str]:
    """The expressions of values that must be tensors."""
    if not all(isinstance(one, TensorValue) for one in values):
        raise model_error("E703", f"{node.op_type} with sequences needs its number of steps known while importing")
    return [one.text for one in values if isinstance(one, TensorValue)]


def step_function(
    importer: Importer, node: NodeProto, body: GraphProto, names: Sequence[str], scope: Scope, first: Sequence[str]
) -> str:
    """A subgraph as a ToLang function of its inputs, its parameters by these names; `first` are given it first.

    Its inputs are of the types that it declares; states, which it gives first, keep theirs.
    """
    name = importer.names.fresh(body.name or "step")
    declared = [one.type.tensor_type.elem_type or None for one in body.input]
    given = [TensorValue(one, element=element) for one, element in zip(names, declared, strict=True)]
    made = block(importer, body, given, scope, dict(zip(names, first, strict=True)))
    if node.op_type == "Loop":
        refuse_unlike(node, CHANGED, declared[1:], made.elements)
    importer.definitions.add(name, made.text, tuple(names))
    return name


def folded_steps(
    importer: Importer,
    node: NodeProto,
    step: str,
    first: str,
    states: list[str],
    rows: int,
    guarded: bool = False,
) -> tuple[str, str]:
    """What a step makes of the state s, and the state at the beginning: states, then rows that grow by one a step.

    `step` is a call in which the state and the number of the step have the names of folds, `first` one at the
    beginning, which is only asked for the shapes of its rows.  Where steps are guarded, the condition comes first.
    """
    fold = importer.fold_names
    begun = importer.define(f"{node.output[0] or 'loop'}_first", first) if rows else ""
    offset = len(states)
    empty = [f"rows_like({begun}[{offset + k}]')" for k in range(1, rows + 1)]
    grown = [f"with_row({fold.state}[{offset + k}]', {fold.result}[{offset + k}]')" for k in range(1, rows + 1)]
    kept = [f"{fold.result}[{k}]'" for k in range(1, offset + 1)]
    if guarded:
        kept[0] = f"first({fold.result}[1]')"
    after = f"{{ {fold.result} = {step}; {bundled([*kept, *grown])} }}"
    return after, bundled([*states, *empty])


def bundled(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def loop_fold(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope) -> list[Value]:
    """Loop as a fold over its steps; where data ends it, of at most so many, which keeps its state from there.

    What a step gives on as it is, is no state; nor is a counter, where the number of steps is known before.
    """
    entered = inputs[1] if len(inputs) > 1 and inputs[1] is not None else TensorValue("true", np.array(True))
    body = Body(importer, loop_body(node), [entered, *inputs[2:]], scope)
    trips = inputs[0]
    counted = f"first({tensor_texts([trips], node)[0]})" if trips is not None else body.steps()
    steps = importer.define("steps", counted) if counted is not None else ""
    exact = counted is not None and (trips is None or body.goes_on())
    numbers: Mapping[int, Counter] = body.counters if exact else {}
    fixed = (
        {place for place in range(1, len(body.states)) if body.stays(place)} | {*numbers} | ({0} if exact else set())
    )
    kept = [place for place in range(len(body.states)) if place not in fixed]
    states = tensor_texts([body.states[place] for place in kept], node)
    if not exact:
        states[0] = f"first({states[0]})"
    step = loop_step(node, body, fixed, numbers, states)
    rows = len(body.graph.output) - len(body.states)
    values: list[Value | None] = [*body.states[1:], *[None] * rows]
    for place, counter in numbers.items():
        values[place - 1] = TensorValue(importer.define(node.output[place - 1], counted_to(body, counter, steps)))
    if states or rows:
        fold, levels = importer.fold_names, [] if steps else level_names(importer)
        parts = [f"{fold.state}[{k}]'" for k in range(1, len(states) + 1)]
        call, begin = (
            f"{step}({', '.join([f'convert({k}, [i64])', *given])})"
            for k, given in ((endless_step(levels, fold.step) if levels else f"{fold.step}-1", parts), ("0", states))
        )
        after, start = folded_steps(importer, node, call, begin, states, rows, guarded=not exact)
        if exact:
            folded = f"reduce(tol[{steps}], {fold.head} -> {after}, {start})"
        else:
            folded = guarded_fold(fold, after, start, len(states) + rows > 1, steps, levels)
        whole = importer.define(f"{node.output[0] or 'loop'}_all", folded)
        places = [place - 1 for place in kept if place] + list(range(len(body.states) - 1, len(values)))
        for k, place in enumerate(places, 1 if exact else 2):
            values[place] = TensorValue(importer.define(node.output[place] or "unused", f"{whole}[{k}]'"))
    return [one for one in values if one is not None]


def level_names(importer: Importer) -> list[str]:
    """The names of the numbers of steps of the folds that such a loop is in, from the outermost on."""
    return [importer.names.fresh(f"{importer.fold_names.step}{level}") for level in range(1, LEVELS)]


def endless_step(levels: Sequence[str], last: str) -> str:
    """The number of a step, from 0, in folds of as many folds each."""
    outer = [f"({name}-1)*{STRIDE ** (LEVELS - level)}" for level, name in enumerate(levels, 1)]
    return " + ".join([*outer, f"{last}-1"])


def guarded_fold(fold: FoldNames, after: str, start: str, is_bundle: bool, steps: str, levels: Sequence[str]) -> str:
    """A fold that keeps its state once its condition, the first part of it, holds no more.

    Where no number of steps is told, it is a fold of folds of folds: those that are left when it has ended are few.
    """
    going = f"{fold.state}[1]'" if is_bundle else fold.state
    folded = f"if {going} then {after} else {fold.state}"
    for name in (fold.step, *reversed(levels)):
        begun = start if name == (*levels, fold.step)[0] else fold.state
        inner = f"reduce(tol[{steps or STRIDE}], ({fold.state},{fold.element},{name}) -> {folded}, {begun})"
        folded = f"if {going} then {inner} else {fold.state}"
    return inner


def loop_step(
    node: NodeProto, body: Body, fixed: set[int], numbers: Mapping[int, Counter], states: Sequence[str]
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
        values[body.graph.input[place + 1].name] = TensorValue(counted_to(body, counter, names[0]))
    return step_function(importer, node, graph, names, Scope(values, body.scope), [NO_STEP, *states])


def counted_to(body: Body, counter: Counter, steps: str) -> str:
    """What a counter is after so many steps."""
    state = body.states[counter.place]
    assert isinstance(state, TensorValue)
    factor = steps if counter.step == 1 else f"{counter.step}*{steps}"
    number = f"like({factor}{f' + {counter.start}' if counter.start else ''}, {state.text})"
    return f"reshape([{number}], {vector(counter.shape)})" if counter.shape else number


def parts_of(importer: Importer, whole: str, node: NodeProto, skipped: int) -> list[Value]:
    """The outputs of a node as parts of a bundle, after some that are its own affair."""
    named = enumerate(node.output, skipped + 1)
    return [TensorValue(importer.define(name or "unused", f"{whole}[{k}]'")) for k, name in named]


def scan(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope) -> list[Value]:
    """Scan: a fold over slices of its last inputs; in its first version for each batch."""
    if importer.opsets.versions.get("", 9) >= 9:
        return scan_fold(importer, node, tensor_texts(inputs, node), scope)
    texts = tensor_texts(inputs[1:], node)
    batches = importer.probe(TensorValue(texts[0])).shape[0].constant
    if not isinstance(batches, int) or inputs[0] is not None:
        raise model_error("E703", "Scan of opset 8 needs a known number of batches, and all sequences of one length")
    results = []
    for batch in range(batches):
        parts = [importer.define("batch", f"Gather({text}, {batch})") for text in texts]
        results.append(scan_fold(importer, node, parts, scope))
    return [stacked(importer, [row[k] for row in results]) for k in range(len(node.output))]


def scan_fold(importer: Importer, node: NodeProto, texts: list[str], scope: Scope) -> list[Value]:
    """Scan over all steps of one sequence."""
    body = body_of(node, "body", len(texts), len(node.output))
    given = {one.name: one for one in node.attribute}
    slices = given["num_scan_inputs"].i
    states, scanned = texts[: len(texts) - slices], texts[len(texts) - slices :]
    rows = len(body.output) - len(states)
    if not 1 <= slices <= len(texts) or rows < 0:
        found = f"{slices} of {len(texts)} inputs, {len(body.output)} outputs"
        raise model_error("E703", "Scan goes over some of its inputs, and gives all states", found)

    def listed(name: str, count: int) -> list[int]:
        found = list(given[name].ints) if name in given else [0] * count
        if len(found) != count:
            raise model_error("E703", f"{name} has a number for each slice", str(found), f"{count} numbers")
        return found

    axes, backwards = listed("scan_input_axes", slices), listed("scan_input_directions", slices)
    names = [importer.names.fresh(one.name) for one in body.input]
    length = f"|{scanned[0]}|[axis_number({axes[0]}, ||{scanned[0]}||)]"
    steps = importer.define("steps", length)
    fold = importer.fold_names
    places = [f"{steps}-{fold.step}" if back else f"{fold.step}-1" for back in backwards]
    parts = [f"{fold.state}[{k}]'" for k in range(1, len(states) + 1)]
    sliced = [f"Gather({x}, {place}, axis={axis})" for x, place, axis in zip(scanned, places, axes, strict=True)]
    start = [f"Gather({x}, 0, axis={axis})" for x, axis in zip(scanned, axes, strict=True)]
    step = step_function(importer, node, body, names, scope, [*states, *start])
    call, begin = (f"{step}({', '.join([*first, *last])})" for first, last in ((parts, sliced), (states, start)))
    after, init = folded_steps(importer, node, call, begin, states, rows)
    whole = importer.define(f"{node.output[0] or 'scan'}_all", f"reduce(tol[{steps}], {fold.head} -> {after}, {init})")
    results = parts_of(importer, whole, node, 0)
    out_axes, out_back = listed("scan_output_axes", rows), listed("scan_output_directions", rows)
    for k, (axis, back) in enumerate(zip(out_axes, out_back, strict=True), len(states)):
        one = results[k]
        assert isinstance(one, TensorValue)
        text = f"flip({one.text}, 1)" if back else one.text
        text = text if axis == 0 else f"move_axis({text}, 1, axis_number({axis}, ||{one.text}||))"
        results[k] = one if text == one.text else TensorValue(importer.define(node.output[k] or "rows", text))
    return results
