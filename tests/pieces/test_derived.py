"""Gradients, models and programs with fixed inputs in pieces: the same bits as in one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.pieces.programs import PRODUCT, bits, normal, placed, saved_model

import tolang.onnx
from tolang.engines.dask.parts import all_cuts
from tolang.program.program import compile

LOSS = """
tol x: R[n,m]
tol w: R[m]
tol y: R[n]
fit = map(tol[n], reduce(map(x[i], * * w[j], j), add, 0), i)
loss := reduce(map(fit, (* - y[i])^2, i), add, 0) / n
"""


def test_a_gradient(monkeypatch: pytest.MonkeyPatch) -> None:
    gradient = compile(LOSS).gradient(of="loss", by=["x", "w"], value=True)
    data = normal(2000, 30), normal(30), normal(2000)
    found, values = placed(gradient, data, 300_000, monkeypatch)
    assert max(cut.tasks for cut in all_cuts(found.cuts)) > 1
    assert bits(values) == bits(gradient(*data))
    assert set(values) == {"loss", "d_x", "d_w"}


def test_a_model_over_a_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, images = tolang.onnx.load(saved_model(tmp_path)), normal(40, 3, 16, 16).astype("f4")
    found, values = placed(model.program, (images,), 200_000, monkeypatch)
    assert max(cut.tasks for cut in all_cuts(found.cuts)) > 1
    assert np.asarray(values).tobytes() == np.asarray(model(images)).tobytes()


def test_fixed_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = normal(130, 70), normal(70, 90)
    program = compile(PRODUCT).fix(b=b)
    found, values = placed(program, (a,), 60_000, monkeypatch)
    assert max(cut.tasks for cut in all_cuts(found.cuts)) > 1
    assert bits(values) == bits(program(a))
