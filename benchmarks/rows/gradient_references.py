"""Values and gradients in NumPy, as they are derived by hand: what the rows of gradients are held against."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.row import Array

Found = tuple[Any, ...]


def product(a: Array, b: Array) -> Found:
    c = a @ b
    return (c * c).sum() / 2, c @ b.T, a.T @ c


def convolution(stride: int) -> Callable[..., Found]:
    """Of a 3 x 3 window, with a border of zeros; the gradients are sums over the nine places in the window."""

    def run(x: Array, k: Array) -> Found:
        padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
        height, width = ((length - 1) // stride + 1 for length in x.shape[2:])
        places = [
            (u, v, slice(u, u + stride * (height - 1) + 1, stride), slice(v, v + stride * (width - 1) + 1, stride))
            for u in range(3)
            for v in range(3)
        ]
        y = sum(np.einsum("nchw,mc->nmhw", padded[:, :, i, j], k[:, :, u, v], optimize=True) for u, v, i, j in places)
        given, weights = np.zeros_like(padded), np.zeros_like(k)
        for u, v, i, j in places:
            given[:, :, i, j] += np.einsum("nmhw,mc->nchw", y, k[:, :, u, v], optimize=True)
            weights[:, :, u, v] = np.einsum("nmhw,nchw->mc", y, padded[:, :, i, j], optimize=True)
        return (y * y).sum() / 2, given[:, :, 1:-1, 1:-1], weights

    return run


def shares(scores: Array) -> tuple[Array, Array]:
    """The softmax of each row, and the logarithm of its sum."""
    top = scores.max(-1, keepdims=True)
    powers = np.exp(scores - top)
    sums = powers.sum(-1, keepdims=True)
    return powers / sums, (top + np.log(sums))[..., 0]


def cross_entropy(scores: Array, labels: Array) -> Found:
    rows = np.arange(labels.size)
    gradient, logarithms = shares(scores)
    value = (logarithms - scores[rows, labels - 1]).sum()
    gradient[rows, labels - 1] -= 1
    return value, gradient


def layer_norm(x: Array, scale: Array, offset: Array, target: Array) -> Found:
    spread = np.sqrt(x.var(1, keepdims=True) + np.float32(1e-5))
    unit = (x - x.mean(1, keepdims=True)) / spread
    error = unit * scale + offset - target
    inner = error * scale
    own = inner - inner.mean(1, keepdims=True) - unit * (inner * unit).mean(1, keepdims=True)
    return (error * error).sum() / 2, own / spread, (error * unit).sum(0), error.sum(0)


def attention(q: Array, k: Array, v: Array, target: Array) -> Found:
    scale = np.float32(1 / np.sqrt(q.shape[1]))
    mixed = shares(scale * (q @ k.T))[0]
    error = mixed @ v - target
    by_shares = error @ v.T
    by_scores = scale * mixed * (by_shares - (by_shares * mixed).sum(1, keepdims=True))
    return (error * error).sum() / 2, by_scores @ k, by_scores.T @ q, mixed.T @ error


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def lstm(x: Array, w: Array, r: Array) -> Found:
    """Forward, and backwards through the steps."""
    batch, hidden = x.shape[1], r.shape[1]
    h, c = np.zeros((2, batch, hidden), x.dtype)
    steps = []
    for one in x:
        i, f, g, o = np.split(one @ w.T + h @ r.T, 4, axis=1)
        i, f, g, o = sigmoid(i), sigmoid(f), np.tanh(g), sigmoid(o)
        before, c = c, f * c + i * g
        steps.append((one, h, before, i, f, g, o, np.tanh(c)))
        h = o * np.tanh(c)
    value, by_w, by_r = (h * h).sum() / 2, np.zeros_like(w), np.zeros_like(r)
    by_h, by_c = h, np.zeros_like(c)
    for one, earlier, before, i, f, g, o, bent in reversed(steps):
        by_c = by_c + by_h * o * (1 - bent * bent)
        parts = by_c * g * i * (1 - i), by_c * before * f * (1 - f), by_c * i * (1 - g * g), by_h * bent * o * (1 - o)
        gates = np.concatenate(parts, axis=1)
        by_w += gates.T @ one
        by_r += gates.T @ earlier
        by_h, by_c = gates @ r, by_c * f
    return value, by_w, by_r


def gaussian_mixture(alphas: Array, means: Array, logs: Array, lower: Array, x: Array) -> Found:
    triangle = np.tril(lower, -1)
    factor = triangle + np.exp(logs)[:, :, None] * np.eye(logs.shape[1])
    apart = x[:, None] - means
    turned = np.einsum("kab,nkb->nka", factor, apart, optimize=True)
    weights, sums = shares(alphas + logs.sum(1) - 0.5 * (turned**2).sum(2))
    every, logarithm = shares(alphas)
    value = sums.sum() - len(x) * logarithm + 0.5 * ((np.exp(logs) ** 2).sum() + (triangle**2).sum())
    pulled = weights[:, :, None] * turned
    by_means = np.einsum("nka,kab->kb", pulled, factor, optimize=True)
    by_factor = -np.einsum("nka,nkb->kab", pulled, apart, optimize=True)
    diagonal = np.exp(logs) * np.einsum("kaa->ka", by_factor)
    by_logs = weights.sum(0)[:, None] + diagonal + np.exp(logs) ** 2
    return value, weights.sum(0) - len(x) * every, by_means, by_logs, np.tril(by_factor, -1) + triangle


def embedding(table: Array, tokens: Array, target: Array) -> Found:
    error = table[tokens - 1] - target
    gradient = np.zeros_like(table)
    np.add.at(gradient, tokens - 1, error)
    return (error * error).sum() / 2, gradient


def min_plus(a: Array, b: Array) -> Found:
    by_a, by_b, value = np.zeros_like(a), np.zeros_like(b), a.dtype.type(0)
    columns = np.arange(b.shape[1])
    for row, gradient in zip(a, by_a, strict=True):
        sums = row[:, None] + b
        best = sums.argmin(0)
        value += sums[best, columns].sum()
        np.add.at(gradient, best, 1)
        np.add.at(by_b, (best, columns), 1)
    return value, by_a, by_b


def soft_dtw(x: Array, z: Array) -> Found:
    """By the diagonals of the table of distances, and by those of its gradient in the opposite order."""
    n, m = x.size, z.size
    costs = (x[:, None] - z) ** 2
    table = np.full((n + 2, m + 2), np.inf)
    table[0, 0] = 0
    for total in range(2, n + m + 1):
        i = np.arange(max(1, total - m), min(n, total - 1) + 1)
        j = total - i
        near = -np.stack([table[i - 1, j - 1], table[i - 1, j], table[i, j - 1]], axis=1)
        table[i, j] = costs[i - 1, j - 1] - shares(near)[1]
    passed = np.zeros((n + 2, m + 2))
    passed[n, m] = 1
    for total in range(n + m - 1, 1, -1):
        i = np.arange(max(1, total - m), min(n, total - 1) + 1)
        j = total - i
        for a, b in ((i + 1, j + 1), (i + 1, j), (i, j + 1)):
            inside = (a <= n) & (b <= m)
            own = costs[np.minimum(a, n) - 1, np.minimum(b, m) - 1]
            share = np.where(inside, np.exp(np.where(inside, table[a, b] - own - table[i, j], 0)), 0)
            passed[i, j] += share * passed[a, b]
    slopes = passed[1:-1, 1:-1] * 2 * (x[:, None] - z)
    return table[n, m], slopes.sum(1), -slopes.sum(0)


def crf(scores: Array, moves: Array) -> Found:
    """The forward algorithm, and backwards the shares of all sequences of labels."""
    states, kept = scores[0], []
    for one in scores[1:]:
        by_label, following = shares((states[:, None] + moves).T)
        kept.append(by_label.T)
        states = one + following
    given, value = shares(states)
    by_scores, by_moves = np.empty_like(scores), np.zeros_like(moves)
    for place in range(len(kept), 0, -1):
        by_scores[place] = given
        by_moves += kept[place - 1] * given
        given = kept[place - 1] @ given
    by_scores[0] = given
    return value, by_scores, by_moves
