"""Networks and steps of training, against formulas in NumPy, and against PyTorch where it is there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.library.calls import numbers, same, value

import tolang

X, Y = numbers(3, 4), numbers(3, 4, seed=1)
LABELS = np.array([2, 4, 1])


def nn(expression: str, /, **arguments: Any) -> Any:
    return value(expression, module="nn", **arguments)


def optim(expression: str, /, **arguments: Any) -> Any:
    return value(expression, module="optim", **arguments)


def test_layers() -> None:
    w, b = numbers(4, 2), numbers(2)
    for x in (X, X[0], numbers(2, 3, 4)):
        same(nn("linear(x, w, b)", x=x, w=w, b=b), x @ w + b)
    same(nn("silu(x)", x=X), X / (1 + np.exp(-X)))
    same(nn("softplus(x)", x=X * 1000), np.logaddexp(X * 1000, 0))
    centred = (X - X.mean(1, keepdims=True)) / np.sqrt(X.var(1, keepdims=True) + 1e-5)
    same(nn("layer_norm(x, s, o)", x=X, s=Y[0], o=Y[1]), centred * Y[0] + Y[1])
    kept = nn("dropout(x, p)", x=np.ones((100, 100)), p=0.25)
    assert set(np.unique(kept)) == {0.0, 1 / 0.75}
    assert kept.mean() == pytest.approx(1.0, abs=0.03)
    powers = np.exp(X @ Y.T / np.sqrt(4))
    values = numbers(3, 2)
    same(nn("attention(q, k, v)", q=X, k=Y, v=values), powers / powers.sum(1, keepdims=True) @ values)


def test_losses() -> None:
    same(nn("mean_squared(y, t)", y=X, t=Y), np.mean((X - Y) ** 2))
    size = np.abs(X - Y)
    for width in (1.0, 0.3):
        small = np.where(size <= width, size**2 / 2, width * (size - width / 2))
        same(nn("huber(y, t, w)", y=X, t=Y, w=width), small.mean())
    shares = np.exp(X) / np.exp(X).sum(1, keepdims=True)
    same(nn("cross_entropy(s, l)", s=X, l=LABELS), -np.log(shares[range(3), LABELS - 1]).mean())
    targets, yes = (Y > 0).astype(float), 1 / (1 + np.exp(-X))
    expected = -np.mean(targets * np.log(yes) + (1 - targets) * np.log(1 - yes))
    same(nn("binary_cross_entropy(s, t)", s=X, t=targets), expected)


def slopes(loss: str, **given: Any) -> Any:
    """The gradient of a loss by the scores s."""
    names = ", ".join(name for name in given if name != "s")
    return nn(f"gradient(v -> {loss.replace('s,', 'v,')}, s)", **given) if names else None


def test_losses_have_the_slopes_that_are_known() -> None:
    shares = np.exp(X) / np.exp(X).sum(1, keepdims=True)
    same(slopes("cross_entropy(s, l)", s=X, l=LABELS), (shares - np.eye(4)[LABELS - 1]) / 3)
    targets = (Y > 0).astype(float)
    scores = np.where(np.arange(4) == 0, 0.0, X)  # at 0 the formula in two branches has its corner
    same(slopes("binary_cross_entropy(s, t)", s=scores, t=targets), (1 / (1 + np.exp(-scores)) - targets) / 12)
    same(slopes("mean_squared(s, t)", s=X, t=Y), (X - Y) / 6)
    same(slopes("huber(s, t)", s=X, t=Y), np.clip(X - Y, -1, 1) / 12)


def test_steps() -> None:
    rate = 0.1
    same(optim("sgd(w, g, r)", w=X, g=Y, r=rate), X - rate * Y)
    state = [optim(f"momentum(at_rest(w), g, r)[{k}]'", w=X, g=Y, r=rate) for k in (1, 2)]
    same(state[0], X - rate * Y)
    again = [optim(f"momentum((w, v), g, r)[{k}]'", w=state[0], v=state[1], g=X, r=rate) for k in (1, 2)]
    same(again[1], 0.9 * Y + X)
    same(again[0], X - rate * Y - rate * (0.9 * Y + X))
    first = [optim(f"adam(without_moments(w), g, t, r)[{k}]'", w=X, g=Y, t=1.0, r=rate) for k in (1, 2, 3)]
    same(first[0], X - rate * Y / (np.abs(Y) + 1e-8))
    same(first[1], 0.1 * Y)
    same(first[2], 0.001 * Y**2)


DESCENT = """
use nn
use optim
tol x: R [n,k]
tol y: N [n]
tol w: R [k,m]
tol b: R [m]
loss(w, b) = cross_entropy(linear(x, w, b), y)
next(s, k) = (
  adam(s[1]', gradient(v -> loss(v, s[2]'[1]'), s[1]'[1]'), k, 0.1),
  adam(s[2]', gradient(v -> loss(s[1]'[1]', v), s[2]'[1]'), k, 0.1)
)
ended = reduce(tol[20], (s,e,k) -> next(s, k), (without_moments(w), without_moments(b)))
weights := ended[1]'[1]'
bias := ended[2]'[1]'
"""


def test_a_descent_is_that_of_pytorch() -> None:
    torch = pytest.importorskip("torch", reason="there is no PyTorch to judge a descent by")
    x, y, w, b = numbers(8, 3), np.arange(8) % 2 + 1, numbers(3, 2), numbers(2)
    found = tolang.compile(DESCENT)(x, y, w, b)
    weights, bias = (torch.tensor(one, requires_grad=True) for one in (w, b))
    optimiser = torch.optim.Adam([weights, bias], lr=0.1)
    for _ in range(20):
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(torch.tensor(x) @ weights + bias, torch.tensor(y - 1)).backward()
        optimiser.step()
    same(found["weights"], weights.detach().numpy(), 1e-9)
    same(found["bias"], bias.detach().numpy(), 1e-9)


def test_a_descent_goes_down() -> None:
    """Adam's first step is one rate long in each weight, against the sign of the slope, whatever its size."""
    x, y, w, b = numbers(8, 3), np.arange(8) % 2 + 1, numbers(3, 2), numbers(2)
    once = tolang.compile(DESCENT.replace("tol[20]", "tol[1]"), engine="interpret")(x, y, w, b)
    shares = np.exp(x @ w + b)
    errors = shares / shares.sum(1, keepdims=True) - np.eye(2)[y - 1]
    same(once["bias"], b - 0.1 * np.sign(errors.sum(0)), 1e-6)
    same(once["weights"], w - 0.1 * np.sign(x.T @ errors), 1e-6)
