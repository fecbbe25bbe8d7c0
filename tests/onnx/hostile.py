"""What tests of hostile models have in common: models of few nodes, and errors that have to come in time."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import ModelProto, NodeProto, helper
from tests.onnx.test_import import FLOAT, Array, info, model_of

from tolang.ground.reporting.diagnostics import ToLangError
from tolang.onnx import load

X = np.array([-1, 2], np.float32)
SECONDS = 3.0
"""Far more than any of these models takes, and far less than what they would take if it grew with what they ask for."""


def own(operator: str, inputs: list[str], outputs: list[str], domain: str = "own", **attributes: Any) -> NodeProto:
    return helper.make_node(operator, inputs, outputs, domain=domain, name="the_node", **attributes)


def function(name: str, nodes: list[NodeProto], opset: int = 20, domain: str = "own") -> onnx.FunctionProto:
    """A function from a to b."""
    return helper.make_function(
        domain, name, ["a"], ["b"], nodes, [helper.make_opsetid("", opset), helper.make_opsetid("own", 1)]
    )


def of(nodes: list[NodeProto], functions: list[onnx.FunctionProto] | None = None, **constants: Array) -> ModelProto:
    return model_of(nodes, [info("x", FLOAT, ["n"])], ["y"], constants, functions=functions)


def with_opsets(model: ModelProto, *opsets: tuple[str, int]) -> ModelProto:
    del model.opset_import[:]
    model.opset_import.extend(helper.make_opsetid(*one) for one in opsets)
    return model


def refused(model: ModelProto, *inputs: Array) -> ToLangError:
    """The error of a model, which must come in time."""

    def run() -> None:
        loaded = load(model, engine="interpret")
        loaded.run(loaded.arguments(inputs or (X,), {}))

    with in_time(), pytest.raises(ToLangError) as caught:
        run()
    return caught.value


@contextmanager
def in_time() -> Iterator[None]:
    """What is inside takes a few seconds of the processor; looking for garbage of other tests does not count."""
    gc.disable()
    try:
        begun = time.thread_time()
        yield
        taken = time.thread_time() - begun
    finally:
        gc.enable()
    assert taken < SECONDS
