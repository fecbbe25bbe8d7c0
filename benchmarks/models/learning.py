"""Estimators of scikit-learn, fitted to drawn data and converted to ONNX."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.models.ways import Learned, Model

FITTED = 600
"""Rows that estimators are fitted to."""
OPSETS = {"": 17, "ai.onnx.ml": 3}


def converted(model: Model, path: Path) -> None:
    """Writes a fitted estimator in ONNX."""
    from skl2onnx import to_onnx
    from skl2onnx.common.data_types import FloatTensorType, StringTensorType

    assert isinstance(model.way, Learned)
    generator = np.random.default_rng(0)
    ((name, given),) = model.inputs.items()
    rows = given.drawn({"batch": FITTED}, generator)
    estimator = _fitted(model.way, rows, generator)
    last = estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator
    options = {id(last): dict(model.way.options)} if model.way.options else {}
    if given.words:
        options[id(estimator.steps[0][1])] = {"locale": "C"}  # which every system has
    width = int(rows.shape[1])
    kind = StringTensorType([None, width]) if given.words else FloatTensorType([None, width])
    made = to_onnx(estimator, initial_types=[(name, kind)], options=options or None, target_opset=OPSETS)
    path.write_bytes(made.SerializeToString())


def _fitted(way: Learned, rows: np.ndarray[Any, Any], generator: np.random.Generator) -> Any:
    from sklearn.pipeline import make_pipeline

    steps = [_estimator(name, dict(settings)) for name, settings in way.steps]
    estimator = steps[0] if len(steps) == 1 else make_pipeline(*steps)
    text = rows.dtype.kind in "US"
    if way.task == "groups":
        return estimator.fit(rows)
    scores = generator.standard_normal(len(rows)) if text else rows @ generator.standard_normal(rows.shape[1])
    if way.task == "numbers":
        return estimator.fit(rows, scores + np.sin(rows[:, 0]))
    return estimator.fit(rows[:, 0] if text else rows, np.digitize(scores, np.quantile(scores, [1 / 3, 2 / 3])))


def _estimator(name: str, settings: dict[str, Any]) -> Any:
    module, _, own = name.rpartition(".")
    return getattr(importlib.import_module(f"sklearn.{module}"), own)(**settings)
