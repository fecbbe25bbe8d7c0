"""Loop and Scan as folds of ToLang: the state is a bundle, and what each step gives grows along a first axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from onnx import GraphProto, NodeProto

from tolang.onnx.control import block, body_of, stacked
from tolang.onnx.faults import model_error
from tolang.onnx.values import TensorValue, Value

if TYPE_CHECKING:
    from tolang.onnx.importer import Importer, Scope


def tensor_texts(values: Sequence[Value | None], node: NodeProto) -> list[str]:
    """The expressions of values that must be tensors."""
    if not all(isinstance(one, TensorValue) for one in values):
        raise model_error("E703", f"{node.op_type} with sequences needs its number of steps known while importing")
    return [one.text for one in values if isinstance(one, TensorValue)]


def step_function(importer: Importer, body: GraphProto, names: Sequence[str], scope: Scope) -> str:
    """A subgraph as a ToLang function of its inputs, which it has as parameters of these names."""
    name = importer.names.fresh(body.name or "step")
    text = block(importer, body, [TensorValue(one) for one in names], scope)
    importer.lines.append(f"{name}({', '.join(names)}) = {text}")
    return name


def folded_steps(
    importer: Importer, node: NodeProto, step: str, first: str, states: list[str], rows: int
) -> tuple[str, str]:
    """What a step makes of the state s, and the state at the beginning: states, then rows that grow by one a step.

    `step` is a call in which s is the state and k the number of the step, `first` one at the beginning, which is only
    asked for the shapes of its rows.
    """
    begun = importer.define(f"{node.output[0] or 'loop'}_first", first) if rows else ""
    offset = len(states)
    empty = [f"rows_like({begun}[{offset + k}]')" for k in range(1, rows + 1)]
    grown = [f"with_row(s[{offset + k}]', r[{offset + k}]')" for k in range(1, rows + 1)]
    kept = [f"r[{k}]'" for k in range(1, offset + 1)]
    if node.op_type == "Loop":
        kept[0] = "first(r[1]')"
    after = f"{{ r = {step}; {bundled([*kept, *grown])} }}"
    return after, bundled([*states, *empty])


def bundled(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def loop_fold(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope) -> list[Value]:
    """Loop as a fold of at most so many steps, which keeps its state once the condition fails."""
    body = body_of(node, "body")
    if inputs[0] is None:
        raise model_error("E703", "a loop without a greatest number of steps is not supported")
    trips, *states = tensor_texts([inputs[0], *inputs[2:]], node)
    condition = tensor_texts([inputs[1]], node)[0] if len(inputs) > 1 and inputs[1] is not None else "true"
    states = [f"first({condition})", *states]
    rows = len(body.output) - len(states)
    names = [importer.names.fresh(one.name) for one in body.input]
    step = step_function(importer, body, names, scope)
    parts = ", ".join(f"s[{k}]'" for k in range(1, len(states) + 1))
    call = f"{step}(convert(k-1, [i64]), {parts})"
    begin = f"{step}(convert(0, [i64]), {', '.join(states)})"
    after, start = folded_steps(importer, node, call, begin, states, rows)
    fold = f"reduce(tol[first({trips})], (s,e,k) -> if s[1]' then {after} else s, {start})"
    whole = importer.define(f"{node.output[0] or 'loop'}_all", fold)
    return parts_of(importer, whole, node, 1)


def parts_of(importer: Importer, whole: str, node: NodeProto, skipped: int) -> list[Value]:
    """The outputs of a node as parts of a bundle, after some that are its own affair."""
    named = enumerate(node.output, skipped + 1)
    return [TensorValue(importer.define(name or "unused", f"{whole}[{k}]'")) for k, name in named]


def scan(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope) -> list[Value]:
    """Scan: a fold over slices of its last inputs; in its first version for each batch."""
    if importer.opsets.get("", 9) >= 9:
        return scan_fold(importer, node, tensor_texts(inputs, node), scope)
    texts = tensor_texts(inputs[1:], node)
    batches = importer.probe(TensorValue(texts[0])).shape[0].constant
    if not isinstance(batches, int) or inputs[0] is not None:
        raise model_error("E703", "Scan of opset 8 needs a known number of batches, and all sequences of one length")
    results = []
    for batch in range(batches):
        parts = [importer.define("batch", f"Gather({text}, {batch})") for text in texts]
        results.append(scan_fold(importer, node, parts, scope))
    return [stacked(importer, [row[k] for row in results], node) for k in range(len(node.output))]


def scan_fold(importer: Importer, node: NodeProto, texts: list[str], scope: Scope) -> list[Value]:
    """Scan over all steps of one sequence."""
    body = body_of(node, "body")
    given = {one.name: one for one in node.attribute}
    slices = given["num_scan_inputs"].i
    states, scanned = texts[: len(texts) - slices], texts[len(texts) - slices :]
    rows = len(body.output) - len(states)

    def listed(name: str, count: int) -> list[int]:
        return list(given[name].ints) if name in given else [0] * count

    axes, backwards = listed("scan_input_axes", slices), listed("scan_input_directions", slices)
    names = [importer.names.fresh(one.name) for one in body.input]
    step = step_function(importer, body, names, scope)
    length = f"|{scanned[0]}|[axis_number({axes[0]}, ||{scanned[0]}||)]"
    steps = importer.define("steps", length)
    places = [f"{steps}-k" if back else "k-1" for back in backwards]
    parts = [f"s[{k}]'" for k in range(1, len(states) + 1)]
    sliced = [f"Gather({x}, {place}, axis={axis})" for x, place, axis in zip(scanned, places, axes, strict=True)]
    start = [f"Gather({x}, 0, axis={axis})" for x, axis in zip(scanned, axes, strict=True)]
    call, begin = (f"{step}({', '.join([*first, *last])})" for first, last in ((parts, sliced), (states, start)))
    after, init = folded_steps(importer, node, call, begin, states, rows)
    whole = importer.define(f"{node.output[0] or 'scan'}_all", f"reduce(tol[{steps}], (s,e,k) -> {after}, {init})")
    results = parts_of(importer, whole, node, 0)
    out_axes, out_back = listed("scan_output_axes", rows), listed("scan_output_directions", rows)
    for k, (axis, back) in enumerate(zip(out_axes, out_back, strict=True), len(states)):
        one = results[k]
        assert isinstance(one, TensorValue)
        text = f"flip({one.text}, 1)" if back else one.text
        text = text if axis == 0 else f"move_axis({text}, 1, axis_number({axis}, ||{one.text}||))"
        results[k] = one if text == one.text else TensorValue(importer.define(node.output[k] or "rows", text))
    return results
