"""Choosing among overlapping boxes, against onnx's evaluator."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as draw
from tests.onnx.operators import assert_same, called, expected


@settings(max_examples=6, deadline=None)
@given(draw.integers(0, 99), draw.integers(0, 1), draw.integers(1, 4), draw.sampled_from([0.0, 0.3, 0.6]))
def test_boxes(seed: int, centred: int, limit: int, threshold: float) -> None:
    random = np.random.default_rng(seed)
    boxes = random.integers(0, 8, (2, 6, 4)).astype(np.float32)
    scores = (random.integers(0, 10, (2, 3, 6)) / 10).astype(np.float32)
    overlap, least = np.array([threshold], np.float32), np.array([0.25], np.float32)
    wanted = expected("NonMaxSuppression", [boxes, scores, np.array([limit]), overlap, least], center_point_box=centred)
    call = f"NonMaxSuppression(b, s, [{limit}], o, l, center_point_box={centred})"
    assert_same(called(call, b=boxes, s=scores, o=overlap, l=least), wanted)


def test_nothing_is_chosen_unless_told_how_much() -> None:
    boxes, scores = np.zeros((1, 2, 4), np.float32), np.zeros((1, 1, 2), np.float32)
    assert called("NonMaxSuppression(b, s)", b=boxes, s=scores).shape == (0, 3)
