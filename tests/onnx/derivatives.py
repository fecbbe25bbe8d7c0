"""Holds pullbacks of the official tests' models against central differences: `python -m tests.onnx.derivatives [-k part]`.

Every model with real inputs and outputs is differentiated by all of them that the operator's schema does not call
non-differentiable, in double precision where the operator has it.  Inputs are moved a little first, since many of the
tests lie where a function has a corner.
"""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from typing import Any

import numpy as np
import onnx
from onnx import AttributeProto, GraphProto, ModelProto, TensorProto, numpy_helper
from tests.onnx.cases import Case, cases

import tolang
from tolang.onnx import load

NOISE = 0.013
WITHOUT = {
    "test_acosh_example": "begins where the function ends",
    "test_maxpool_3d_default": "takes minutes to interpret",
    "test_mod_float_edge_cases": "no remainder by zero, or of what is infinite",
    "test_pow": "negative numbers to broken powers",
    "test_upsample_nearest": "its schema does not say that scales have no derivative",
    "qk_matmul_bias_3d_mask_causal|qk_matmul_bias_4d_mask_causal": "gives what is infinite",
    "test_compress|test_nonzero|test_unique|sizes_nearest_not_larger": "only running tells the shape of what it gives",
}
"""Tests that have no derivative to be judged, and why."""


class Left(Exception):
    """Why a test is not judged."""


def doubled(model: ModelProto) -> ModelProto:
    """A model whose single-precision tensors are double."""
    made = ModelProto()
    made.CopyFrom(model)
    _double(made.graph)
    return made


def _double(graph: GraphProto) -> None:
    for one in (*graph.input, *graph.output, *graph.value_info):
        if one.type.tensor_type.elem_type == TensorProto.FLOAT:
            one.type.tensor_type.elem_type = TensorProto.DOUBLE
    tensors = [*graph.initializer]
    for node in graph.node:
        tensors += [one.t for one in node.attribute if one.type == AttributeProto.TENSOR]
        for one in node.attribute:
            if one.type == AttributeProto.GRAPH:
                _double(one.g)
            if node.op_type == "Cast" and one.name == "to" and one.i == TensorProto.FLOAT:
                one.i = TensorProto.DOUBLE
    for tensor in tensors:
        if tensor.data_type == TensorProto.FLOAT:
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float64), tensor.name))


def _constant(model: ModelProto) -> set[str]:
    """The names of tensors that a schema calls non-differentiable, of a model of one operator."""
    if len(model.graph.node) != 1:
        return set()
    (node,) = model.graph.node
    version = next((one.version for one in model.opset_import if one.domain == node.domain), 1)
    try:
        schema = onnx.defs.get_schema(node.op_type, version, node.domain)
    except onnx.defs.SchemaError:
        return set()
    no = onnx.defs.OpSchema.DifferentiationCategory.NonDifferentiable
    formal = [*zip(schema.inputs, node.input, strict=False), *zip(schema.outputs, node.output, strict=False)]
    return {name for kind, name in formal if kind.differentiation_category == no}


def judge(case: Case) -> None:
    """Raises what does not hold of a test's derivatives, or why they are not judged."""
    for part, reason in WITHOUT.items():
        if re.search(part, case.name):
            raise Left(reason)
    try:
        _judge(case, doubled(case.model), np.float64, 1e-6, 1e-5)
    except tolang.ToLangUsageError as error:
        if error.code != "E703":
            raise
        _judge(case, case.model, np.float32, 1e-2, 1e-2)


def _judge(case: Case, model: ModelProto, kind: Any, step: float, tolerance: float) -> None:
    inputs, outputs = case.data_sets[0]
    random, constant = np.random.default_rng(0), _constant(case.model)
    if len(inputs) != len(model.graph.input) or not all(isinstance(one, np.ndarray) for one in inputs):
        raise Left("takes what is not a tensor, or nothing")
    data, by = {}, []
    for info, value in zip(model.graph.input, inputs, strict=True):
        data[info.name] = value
        if value.dtype == np.float32 and value.size and info.name not in constant:
            by.append(info.name)
            data[info.name] = (value + NOISE * random.normal(size=value.shape)).astype(kind)
    of = [
        info.name
        for info, value in zip(model.graph.output, outputs, strict=True)
        if isinstance(value, np.ndarray) and value.dtype == np.float32 and info.name not in constant
    ]
    if not by or not of:
        raise Left("no real inputs, or no real outputs")
    program = load(model, engine="interpret")
    values = _named(program(**data), of)
    weights = {f"d_{one}": random.normal(size=np.shape(values[one])).astype(kind) for one in of}
    found = _named(program.pullback(of, by)(**data, **weights), [f"d_{one}" for one in by])
    way = {one: random.normal(size=np.shape(data[one])) for one in by}
    ends = []
    for sign in (step, -step):
        moved = {one: (data[one] + sign * way[one]).astype(kind) for one in by}
        values = _named(program(**data | moved), of)
        ends.append(sum(float(np.sum(np.float64(values[one]) * weights[f"d_{one}"])) for one in of))
    terms = [np.float64(found[f"d_{one}"]) * way[one] for one in by]
    slope, size = sum(float(np.sum(one)) for one in terms), 1 + sum(float(np.sum(np.abs(one))) for one in terms)
    expected = (ends[0] - ends[1]) / (2 * step)
    assert abs(slope - expected) <= tolerance * size, f"{slope}, and {expected} by differences"


def _named(found: Any, names: list[str]) -> dict[str, Any]:
    return found if isinstance(found, dict) else {names[0]: found}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-k", default="", help="only tests whose name contains this regular expression")
    asked, failed, counts = parser.parse_args(), 0, {"right": 0, "left out": 0}
    warnings.simplefilter("ignore")
    for name, case in cases("node").items():
        if "_expanded" in name or not re.search(asked.k, name):
            continue
        try:
            judge(case)
            counts["right"] += 1
        except Left:
            counts["left out"] += 1
        except (tolang.ToLangError, AssertionError) as error:
            failed += 1
            print(f"FAIL {name} {' | '.join(str(error).splitlines()[:3])}", flush=True)
    print(f"{counts['right']} right, {failed} not, {counts['left out']} left out")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
