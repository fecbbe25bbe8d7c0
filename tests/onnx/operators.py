"""One operator of the ONNX library called on arrays, and the same node given to onnx's own evaluator."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import helper
from onnx.reference import ReferenceEvaluator

import tolang
from tolang.onnx.elements import SPACE_OF_ELEMENT, element_of

Array = np.ndarray[Any, Any]
OPSET = 25
FLOATS = {"float16": 2e-3, "bfloat16": 1.6e-2, "float32": 2e-6, "float64": 1e-13}
"""Relative errors: a few units in the last place, for both sides round at several steps."""


def called(expression: str, **arrays: Array) -> Any:
    """The value of an expression over tensors by the interpreter."""
    return called_by("interpret", expression, **arrays)


def called_by(engine: str, expression: str, /, **arrays: Array) -> Any:
    """The value of an expression over tensors, each declared in the space of its element type, by an engine."""
    lines = ["use onnx"]
    for name, array in arrays.items():
        lengths = ",".join(str(length) for length in array.shape)
        lines.append(f"tol {name}: {SPACE_OF_ELEMENT[element_of(array)]}" + (f" [{lengths}]" if lengths else ""))
    program = tolang.compile("\n".join([*lines, f"result := {expression}"]), engine=engine)
    given: dict[str, Any] = dict(arrays)
    return program(**given)


def expected(operator: str, inputs: list[Array | None], outputs: int = 1, **attributes: Any) -> Any:
    """What onnx's evaluator gives for a node."""
    names = ["" if one is None else f"i{number}" for number, one in enumerate(inputs)]
    results = [f"o{number}" for number in range(outputs)]
    node = helper.make_node(operator, names, results, **attributes)
    given = [(name, one) for name, one in zip(names, inputs, strict=True) if one is not None]
    infos = [helper.make_tensor_value_info(name, element_of(one), list(one.shape)) for name, one in given]
    wanted = [helper.make_tensor_value_info(name, 0, None) for name in results]
    graph = helper.make_graph([node], "node", infos, wanted)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    found: Any = ReferenceEvaluator(model).run(None, dict(given))
    return found[0] if outputs == 1 else found


def assert_same(actual: Any, wanted: Any, tolerance: float | None = None) -> None:
    """Equal types, shapes and values: exactly, or for floats within the error of their type."""
    actual, wanted = np.asarray(actual), np.asarray(wanted)
    assert actual.dtype == wanted.dtype
    assert actual.shape == wanted.shape
    error = FLOATS.get(wanted.dtype.name, 0) if tolerance is None else tolerance
    if wanted.dtype.name in FLOATS:
        np.testing.assert_allclose(actual.astype(np.float64), wanted.astype(np.float64), error, error)
    else:
        np.testing.assert_array_equal(actual, wanted)
