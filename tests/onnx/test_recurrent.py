"""Recurrent layers with lengths, directions, layouts and activations beyond onnx's own cases, step by step in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.onnx.operators import Array, assert_same, called
from tests.onnx.samples import floats

pytestmark = pytest.mark.sampled(4)

TIMES, BATCH, FEATURES, SIZE = 5, 3, 2, 4
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
Step = Callable[[str, Array, list[Array], dict[str, Array], dict[str, Any]], list[Array]]


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def next_state(kind: str, x: Array, state: list[Array], own: dict[str, Array], options: dict[str, Any]) -> list[Array]:
    """One step of one sequence, by the equations of ONNX's documentation."""
    h = state[0]
    gates = len(own["w"]) // SIZE
    wx, rh = own["w"] @ x + own["b"][: gates * SIZE], own["r"] @ h + own["b"][gates * SIZE :]
    top = options.get("clip", np.inf)

    def limit(v: Array) -> Array:
        return np.clip(v, -top, top)

    if kind == "RNN":
        return [np.tanh(limit(wx + rh))]
    if kind == "GRU":
        z, r = (sigmoid(limit((wx + rh)[k * SIZE : (k + 1) * SIZE])) for k in range(2))
        tail = own["r"][2 * SIZE :] @ (r * h) + own["b"][5 * SIZE :]
        fed = r * rh[2 * SIZE :] if options.get("linear_before_reset") else tail
        return [z * h + (1 - z) * np.tanh(limit(wx[2 * SIZE :] + fed))]
    i, o, f, c = np.split(wx + rh, 4)
    p = np.split(own["p"], 3)
    taken = sigmoid(limit(i + p[0] * state[1]))
    kept = 1 - taken if options.get("input_forget") else sigmoid(limit(f + p[2] * state[1]))
    cell = kept * state[1] + taken * np.tanh(limit(c))
    return [sigmoid(limit(o + p[1] * cell)) * np.tanh(limit(cell)), cell]


def unrolled(kind: str, data: dict[str, Array], direction: str, options: dict[str, Any]) -> list[Array]:
    """All results, and the last states, of every direction and sequence."""
    ways = {"forward": [1], "reverse": [-1], "bidirectional": [1, -1]}[direction]
    states = 2 if kind == "LSTM" else 1
    y = np.zeros((TIMES, len(ways), BATCH, SIZE))
    last = [np.zeros((len(ways), BATCH, SIZE)) for _ in range(states)]
    for d, way in enumerate(ways):
        own = {name: data[name][d].astype(np.float64) for name in "wrbp" if name in data}
        for n in range(BATCH):
            state = [data[name][d, n].astype(np.float64) for name in ("h", "c")[:states]]
            times = range(int(data["lens"][n]))
            for t in times if way == 1 else reversed(times):
                state = next_state(kind, data["x"][t, n].astype(np.float64), state, own, options)
                y[t, d, n] = state[0]
            for kept, one in zip(last, state, strict=True):
                kept[d, n] = one
    return [one.astype(np.float32) for one in (y, *last)]


@pytest.mark.parametrize("layout", [0, 1])
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("RNN", {}),
        ("RNN", {"clip": 0.5}),
        ("GRU", {}),
        ("GRU", {"linear_before_reset": 1}),
        ("LSTM", {}),
        ("LSTM", {"input_forget": 1, "clip": 0.75}),
    ],
    ids=str,
)
def test_every_step(kind: str, options: dict[str, Any], direction: str, layout: int) -> None:
    ways, width = (2 if direction == "bidirectional" else 1), GATES[kind] * SIZE
    shapes = {
        "x": (TIMES, BATCH, FEATURES), "w": (ways, width, FEATURES), "r": (ways, width, SIZE), "b": (ways, 2 * width),
        "h": (ways, BATCH, SIZE),
    }  # fmt: skip
    if kind == "LSTM":
        shapes |= {"c": (ways, BATCH, SIZE), "p": (ways, 3 * SIZE)}
    data = {name: floats(*shape, seed=seed) for seed, (name, shape) in enumerate(shapes.items())}
    data["lens"] = np.array([5, 2, 3], np.int32)
    wanted = unrolled(kind, data, direction, options)
    if layout == 1:
        data |= {name: data[name].swapaxes(0, 1) for name in ("x", "h", "c") if name in data}
        wanted = [wanted[0].transpose(2, 0, 1, 3), *(one.swapaxes(0, 1) for one in wanted[1:])]
    names = {"lens": "sequence_lens", "h": "initial_h", "c": "initial_c"}
    given = {**{name: name for name in data}, **{key: one for key, one in names.items() if key in data}}
    attributes = {"direction": direction, "layout": layout, **options}
    call = ", ".join([*(f"{given[n]}={n}" for n in data), *(f"{n}={v!r}" for n, v in attributes.items())])
    for place, one in enumerate(wanted, 1):
        assert_same(called(f"{kind}({call})[{place}]'", **data), one, 1e-5)


def test_activations_of_each_direction() -> None:
    x, w, r = floats(3, 2, 2), floats(2, 4, 2, seed=1), floats(2, 4, 4, seed=2)
    both = called("RNN(x, w, r, direction='bidirectional', activations=['Relu','Softsign'])[1]'", x=x, w=w, r=r)
    first = called("RNN(x, w, r, activations=['Relu'])[1]'", x=x, w=w[:1], r=r[:1])
    second = called("RNN(x, w, r, direction='reverse', activations=['Softsign'])[1]'", x=x, w=w[1:], r=r[1:])
    np.testing.assert_allclose(both, np.concatenate([first, second], 1), rtol=1e-6)
