"""Losses of every reduction, with and without weights and ignored classes, against onnx's evaluator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.library.samples import Sample
from tests.onnx.operators import assert_same, called, expected
from tests.onnx.statements import assert_statement

SHAPES: list[tuple[int, ...]] = [(4, 3), (2, 3, 5), (2, 3, 2, 2, 2)]


@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize("ignored", [None, 1, -5])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("operator", ["NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"])
def test_losses(operator: str, shape: tuple[int, ...], weighted: bool, ignored: int | None, reduction: str) -> None:
    generator = np.random.default_rng(5)
    x = generator.normal(size=shape)
    labels = generator.integers(0, 3, (shape[0], *shape[2:]))
    if ignored == -5:
        labels.reshape(-1)[0] = -5
    weights = np.array([0.5, 2, 1]) if weighted else None
    attributes: dict[str, Any] = {"reduction": reduction} | ({} if ignored is None else {"ignore_index": ignored})
    wanted = expected(operator, [x, labels, weights], **attributes)
    written = ", ".join([f"reduction='{reduction}'"] + ([] if ignored is None else [f"ignore_index={ignored}"]))
    data = {"x": x, "t": labels} | ({} if weights is None else {"w": weights})
    whole = called(f"{operator}({', '.join(data)}, {written})", **data)
    found = whole[0] if operator[0] == "S" and not hasattr(whole, "columns") else whole
    assert_same(found, np.asarray(wanted))


def test_the_logarithms_come_second() -> None:
    x, labels = np.random.default_rng(6).normal(size=(4, 3)), np.array([0, 2, 1, 1])
    wanted = x - np.logaddexp.reduce(x, 1, keepdims=True)
    assert_same(called("SoftmaxCrossEntropyLoss(x, t)", x=x, t=labels)[1], wanted)


X, T = np.linspace(-2, 2, 24).reshape(2, 3, 4), np.ones((2, 4), np.int64)
MORE: list[Sample] = [{}, {"weight": np.ones(3)}, {"ignore_index": 1}, {"weight": np.ones(3), "ignore_index": 1}]
STATEMENTS: list[tuple[str, Sample]] = [
    *(("NegativeLogLikelihoodLoss", {"input": X, "target": T, "reduction": reduction, **more})
      for more in MORE for reduction in ("none", "sum", "mean")),
    *(("SoftmaxCrossEntropyLoss", {"scores": X, "labels": T, "reduction": reduction})
      for reduction in ("none", "sum", "mean")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "sample"), STATEMENTS, ids=[name for name, _ in STATEMENTS])
def test_stated_eops(name: str, sample: Sample) -> None:
    assert_statement(name, sample)
