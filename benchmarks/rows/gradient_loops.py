"""Values with gradients as loops by hand, for Numba: what somebody writes who needs one of them fast."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.row import Array

Found = tuple[Any, ...]
FAR = 1e10
"""Beyond the border of a table: Numba's fast arithmetic has no infinity."""


def embedding(table: Array, tokens: Array, target: Array) -> Found:
    value, gradient = np.float32(0), np.zeros_like(table)
    for i in range(tokens.size):
        row = tokens[i] - 1
        for j in range(table.shape[1]):
            error = table[row, j] - target[i, j]
            value += error * error
            gradient[row, j] += error
    return value / 2, gradient


def min_plus(a: Array, b: Array) -> Found:
    n, k, m = a.shape[0], a.shape[1], b.shape[1]
    value, by_a, by_b = np.float32(0), np.zeros_like(a), np.zeros_like(b)
    for i in range(n):
        least, place = a[i, 0] + b[0], np.zeros(m, np.int64)
        for p in range(1, k):
            for j in range(m):
                one = a[i, p] + b[p, j]
                if one < least[j]:
                    least[j], place[j] = one, p
        for j in range(m):
            value += least[j]
            by_a[i, place[j]] += 1
            by_b[place[j], j] += 1
    return value, by_a, by_b


def soft_dtw(x: Array, z: Array) -> Found:
    """The shares of an element's three neighbours are kept, and multiplied on the way back."""
    n, m = x.size, z.size
    table, shares = np.full((n + 1, m + 1), FAR), np.zeros((3, n + 2, m + 2))
    table[0, 0] = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            a, b, c = table[i - 1, j - 1], table[i - 1, j], table[i, j - 1]
            low = min(a, b, c)
            p, q, r = np.exp(low - a), np.exp(low - b), np.exp(low - c)
            total = p + q + r
            table[i, j] = (x[i - 1] - z[j - 1]) ** 2 + low - np.log(total)
            shares[0, i, j], shares[1, i, j], shares[2, i, j] = p / total, q / total, r / total
    passed, by_x, by_z = np.zeros((n + 2, m + 2)), np.zeros(n), np.zeros(m)
    for i in range(n, 0, -1):
        for j in range(m, 0, -1):
            given = 1.0 if i == n and j == m else 0.0
            given += shares[0, i + 1, j + 1] * passed[i + 1, j + 1]
            given += shares[1, i + 1, j] * passed[i + 1, j] + shares[2, i, j + 1] * passed[i, j + 1]
            passed[i, j] = given
            slope = 2 * given * (x[i - 1] - z[j - 1])
            by_x[i - 1] += slope
            by_z[j - 1] -= slope
    return table[n, m], by_x, by_z


def crf(scores: Array, moves: Array) -> Found:
    """Powers of the moves once; those of the states and sums of their products with each step."""
    n, k = scores.shape
    powers, states, sums = np.exp(moves - moves.max()), np.zeros((n, k)), np.zeros((n, k))
    value, top = moves.max() * (n - 1), np.zeros(n)
    own = scores[0]
    for step in range(n):
        top[step] = own.max()
        states[step] = np.exp(own - top[step])
        value += top[step]
        if step < n - 1:
            sums[step] = states[step] @ powers
            own = scores[step + 1] + np.log(sums[step])
    total = states[n - 1].sum()
    by_scores, by_moves = np.zeros((n, k)), np.zeros((k, k))
    by_scores[n - 1] = states[n - 1] / total
    for step in range(n - 2, -1, -1):
        given = by_scores[step + 1] / sums[step]
        by_scores[step] = states[step] * (powers @ given)
        for i in range(k):
            for j in range(k):
                by_moves[i, j] += states[step, i] * given[j]
    return value + np.log(total), by_scores, by_moves * powers
