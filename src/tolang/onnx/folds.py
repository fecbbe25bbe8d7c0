"""Loop and Scan as folds of ToLang: the state is a bundle, and what each step gives grows along a first axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from onnx import GraphProto, NodeProto

from tolang.onnx.counted import Body, Counter
from tolang.onnx.elements import vector
from tolang.onnx.faults import model_error
from tolang.onnx.importer import Importer, Scope
from tolang.onnx.subgraphs import block, body_of, loop_body, stacked
from tolang.onnx.values import TensorValue, Value

NO_STEP = "convert(0, [i64])"
"""The number of the first step."""


def tensor_texts(values: Sequence[Value | None], node: NodeProto) -> list[str]:
    """The expressions of values that must be tensors."""
    if not all(isinstance(one, TensorValue) for one in values):
        raise model_error("E703", f"{node.op_type} with sequences needs its number of steps known while importing")
    return [one.text for one in values if isinstance(one, TensorValue)]


def step_function(
    importer: Importer, body: GraphProto, names: Sequence[str], scope: Scope, first: Sequence[str]
) -> str:
    """A subgraph as a ToLang function of its inputs, its parameters by these names; `first` are given it first."""
    name = importer.names.fresh(body.name or "step")
    text = block(importer, body, [TensorValue(one) for one in names], scope, dict(zip(names, first, strict=True)))
    importer.definitions.add(name, text, tuple(names))
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


def loop_fold(
    importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope, most: Value | None = None
) -> list[Value]:
    """Loop as a fold over its steps; where data ends it, of at most so many, which keeps its state from there.

    What a step gives on as it is, is no state; nor is a counter, where the number of steps is known before.  `most` is
    a number of steps that is as good as none, and taken where nothing else tells one.
    """
    entered = inputs[1] if len(inputs) > 1 and inputs[1] is not None else TensorValue("true", np.array(True))
    body = Body(importer, loop_body(node), [entered, *inputs[2:]], scope)
    trips = inputs[0]
    counted = f"first({tensor_texts([trips], node)[0]})" if trips is not None else body.steps()
    if counted is None and most is not None:
        trips, counted = most, f"first({tensor_texts([most], node)[0]})"
    if counted is None:
        raise model_error("E703", "a loop without a greatest number of steps is not supported")
    steps = importer.define("steps", counted)
    exact = trips is None or body.goes_on()
    numbers: Mapping[int, Counter] = body.counters if exact else {}
    fixed = (
        {place for place in range(1, len(body.states)) if body.stays(place)} | {*numbers} | ({0} if exact else set())
    )
    kept = [place for place in range(len(body.states)) if place not in fixed]
    states = tensor_texts([body.states[place] for place in kept], node)
    if not exact:
        states[0] = f"first({states[0]})"
    step = loop_step(body, fixed, numbers, states)
    rows = len(body.graph.output) - len(body.states)
    values: list[Value | None] = [*body.states[1:], *[None] * rows]
    for place, counter in numbers.items():
        values[place - 1] = TensorValue(importer.define(node.output[place - 1], counted_to(body, counter, steps)))
    if states or rows:
        fold = importer.fold_names
        parts = [f"{fold.state}[{k}]'" for k in range(1, len(states) + 1)]
        call, begin = (
            f"{step}({', '.join([f'convert({k}, [i64])', *given])})"
            for k, given in ((f"{fold.step}-1", parts), ("0", states))
        )
        after, start = folded_steps(importer, node, call, begin, states, rows, guarded=not exact)
        after = after if exact else f"if {fold.state}[1]' then {after} else {fold.state}"
        folded = f"reduce(tol[{steps}], {fold.head} -> {after}, {start})"
        whole = importer.define(f"{node.output[0] or 'loop'}_all", folded)
        places = [place - 1 for place in kept if place] + list(range(len(body.states) - 1, len(values)))
        for k, place in enumerate(places, 1 if exact else 2):
            values[place] = TensorValue(importer.define(node.output[place] or "unused", f"{whole}[{k}]'"))
    return [one for one in values if one is not None]


def loop_step(body: Body, fixed: set[int], numbers: Mapping[int, Counter], states: Sequence[str]) -> str:
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
    return step_function(importer, graph, names, Scope(values, body.scope), [NO_STEP, *states])


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
    step = step_function(importer, body, names, scope, [*states, *start])
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
