"""Values with their gradients: losses over layers, sequences and mixtures, each by all that is learned in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.peers import with_jax_gradient, with_numba, with_torch_gradient
from benchmarks.row import Array, Row
from benchmarks.rows import gradient_loops as loops_of
from benchmarks.rows import gradient_references as by_hand

PRODUCT = """\
tol a: f32 [n,k]
tol b: f32 [k,m]
c = map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])
loss := reduce(map(c, * * *), add, 0) / 2
"""
CONVOLUTION = """\
tol x: f32 [n,c,h,w]
tol k: f32 [m,c,3,3]
y = convolve(x, k, [{stride},{stride}], [1,1], [1,1], [(h-1)/{stride} + 1, (w-1)/{stride} + 1])
loss := reduce(map(y, * * *), add, 0) / 2
"""
CROSS_ENTROPY = """\
tol scores: f32 [n,k]
tol labels: N* [n]
loss := sum(logsumexp(scores, 2) - map(labels, (label,i) -> scores[i,label]))
"""
LAYER_NORM = """\
use nn
tol x: f32 [n,d]
tol scale: f32 [d]
tol offset: f32 [d]
tol target: f32 [n,d]
loss := sum((layer_norm(x,scale,offset) - target)^2) / 2
"""
ATTENTION = """\
use nn
tol q: f32 [n,d]
tol k: f32 [n,d]
tol v: f32 [n,d]
tol target: f32 [n,d]
loss := sum((attention(q,k,v) - target)^2) / 2
"""
LSTM = """\
tol x: f32 [t,b,f]
tol w: f32 [4*h,f]
tol r: f32 [4*h,h]
inputs = map(tol[t,b,4*h], reduce(map(x[s,i], * * w[k,*]), add, 0), [s,i,k])
step(y, c, s) = {
  gate = map(tol[b,4*h], inputs[s,i,k] + reduce(map(y[i], * * r[k,*]), add, 0), [i,k])
  cell = map(c, sigmoid(gate[i,h+k]) * * + sigmoid(gate[i,k]) * tanh(gate[i,2*h+k]), [i,k])
  (map(cell, sigmoid(gate[i,3*h+k]) * tanh(*), [i,k]), cell)
}
zeros = map(tol[b,h], convert(0,[f32]))
last = reduce(tol[t], (state,e,s) -> step(state[1]', state[2]', s), (zeros,zeros))
loss := sum(last[1]'^2) / 2
"""
GAUSSIAN_MIXTURE = """\
tol alphas: f64 [k]
tol means: f64 [k,d]
tol logs: f64 [k,d]
tol lower: f64 [k,d,d]
tol x: f64 [n,d]
below(g, a, b) = if b < a then lower[g,a,b] else if b == a then exp(logs[g,a]) else 0
factor = map(lower, below(g,a,b), [g,a,b])
turned(i, g, a) = reduce(map(tol[d], factor[g,a,b] * (x[i,b] - means[g,b]), b), add, 0)
square(i, g) = reduce(map(tol[d], turned(i,g,a)^2, a), add, 0)
sums = map(alphas, * + reduce(logs[g], add, 0), g)
fit = sum(logsumexp(map(tol[n,k], sums[g] - square(i,g)/2, [i,g]), 2)) - n*logsumexp(alphas)
loss := fit + sum(map(factor, * * *))/2
"""
EMBEDDING = """\
tol table: f32 [v,d]
tol tokens: N* [n]
tol target: f32 [n,d]
loss := sum(map(target, (table[tokens[i],j] - *)^2, [i,j])) / 2
"""
MIN_PLUS = """\
tol a: f32 [n,k]
tol b: f32 [k,m]
c = map(tol[n,m], reduce(map(a[i], * + b[*,j]), min, Inf), [i,j])
loss := reduce(c, add, 0)
"""
SOFT_DTW = """\
tol x: f64 [n]
tol z: f64 [p]
least(a, b, c) = -logsumexp(-[a,b,c])
row(above, e) = reduce(z, (s,f,j) -> [s, (e-f)^2 + least(above[j], above[j+1], s[j])], [Inf])
loss := reduce(x, row, [0, full(p,Inf)])[p+1]
"""
CRF = """\
tol scores: f64 [n,k]
tol moves: f64 [k,k]
next(s, t) = map(s, scores[t+1, j] + logsumexp(s + moves[:,j]), j)
loss := logsumexp(reduce(tol[n-1], (s,e,t) -> next(s,t), scores[1]))
"""


def normal(kind: type, *shapes: str) -> Any:
    """Data of normal numbers, each array of the sizes at the places in its shape."""

    def data(generator: np.random.Generator, *sizes: int) -> tuple[Array, ...]:
        return tuple(generator.standard_normal([sizes[int(p)] for p in one]).astype(kind) for one in shapes)

    return data


def images(generator: np.random.Generator, n: int, c: int, m: int, size: int) -> tuple[Array, ...]:
    x = generator.standard_normal((n, c, size, size)).astype(np.float32)
    return x, (generator.standard_normal((m, c, 3, 3)) / 10).astype(np.float32)


def labelled(generator: np.random.Generator, n: int, k: int) -> tuple[Array, ...]:
    return generator.standard_normal((n, k)).astype(np.float32), generator.integers(1, k + 1, n)


def sequences(generator: np.random.Generator, t: int, b: int, f: int, h: int) -> tuple[Array, ...]:
    x = generator.standard_normal((t, b, f)).astype(np.float32)
    return x, *((generator.standard_normal((4 * h, one)) / 8).astype(np.float32) for one in (f, h))


def mixture(generator: np.random.Generator, n: int, k: int, d: int) -> tuple[Array, ...]:
    shapes = (k,), (k, d), (k, d), (k, d, d), (n, d)
    return tuple(generator.standard_normal(one) * (0.3 if place == 2 else 1.0) for place, one in enumerate(shapes))


def words(generator: np.random.Generator, v: int, d: int, n: int) -> tuple[Array, ...]:
    table = generator.standard_normal((v, d)).astype(np.float32)
    return table, generator.integers(1, v + 1, n), generator.standard_normal((n, d)).astype(np.float32)


# The peers


def half_squares(x: Any) -> Any:
    return (x * x).sum() / 2


def torch_lstm(torch: Any, x: Any, w: Any, r: Any) -> Any:
    start = torch.zeros(1, x.shape[1], r.shape[1])
    return half_squares(torch._VF.lstm(x, (start, start), [w, r], False, 1, 0.0, True, False, False)[1])


def jax_lstm(jax: Any, x: Any, w: Any, r: Any) -> Any:
    inputs, start = x @ w.T, jax.numpy.zeros((x.shape[1], r.shape[1]), x.dtype)

    def step(state: Any, own: Any) -> Any:
        h, c = state
        i, f, g, o = jax.numpy.split(own + h @ r.T, 4, axis=1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jax.numpy.tanh(g)
        return (jax.nn.sigmoid(o) * jax.numpy.tanh(c), c), None

    return half_squares(jax.lax.scan(step, (start, start), inputs)[0][0])


def mixture_on(module: Any, logsumexp: Any, alphas: Any, means: Any, logs: Any, lower: Any, x: Any) -> Any:
    """ADBench's objective by the functions that torch and jax.numpy share."""
    triangle, diagonal = module.tril(lower, -1), module.exp(logs)
    apart = x[:, None] - means
    turned = diagonal * apart + module.einsum("kab,nkb->nka", triangle, apart)
    inside = alphas + logs.sum(1) - (turned**2).sum(2) / 2
    fit = logsumexp(inside, 1).sum() - x.shape[0] * logsumexp(alphas, 0)
    return fit + ((diagonal**2).sum() + (triangle**2).sum()) / 2


def torch_soft_dtw(torch: Any, x: Any, z: Any) -> Any:
    """By diagonals, each from the two before, with the distances laid out by diagonals once."""
    n, m = x.shape[0], z.shape[0]
    costs = (x[:, None] - z) ** 2
    wall = torch.full((1,), float("inf"), dtype=x.dtype)
    before, last = torch.zeros(1, dtype=x.dtype), torch.cat([wall, wall])
    first_before, first_last = 0, 0
    for total in range(2, n + m + 1):
        first, end = max(1, total - m), min(n, total - 1)
        rows = torch.arange(first, end + 1)
        corner = before[first - 1 - first_before : end - first_before]
        above = last[first - 1 - first_last : end - first_last]
        left = last[first - first_last : end + 1 - first_last]
        own = costs[rows - 1, total - rows - 1] - torch.logsumexp(-torch.stack([corner, above, left]), 0)
        parts, start = [own], first
        if first == 1:
            parts, start = [wall, *parts], 0
        if total <= m or end == total - 1:
            parts = [*parts, wall]
        before, first_before, last, first_last = last, first_last, torch.cat(parts), start
    return own[-1]


def jax_soft_dtw(jax: Any, x: Any, z: Any) -> Any:
    """A scan over rows, with one over the entries of a row inside."""

    def row(above: Any, e: Any) -> Any:
        def entry(left: Any, given: Any) -> Any:
            f, corner, up = given
            own = (e - f) ** 2 - jax.nn.logsumexp(-jax.numpy.stack([corner, up, left]))
            return own, own

        _, found = jax.lax.scan(entry, far, (z, above[:-1], above[1:]))
        return jax.numpy.concatenate([far[None], found]), None

    far = jax.numpy.asarray(1e10, x.dtype)
    first = jax.numpy.full(z.shape[0] + 1, far).at[0].set(0)
    return jax.lax.scan(row, first, x)[0][-1]


def torch_crf(torch: Any, scores: Any, moves: Any) -> Any:
    states = scores[0]
    for one in scores[1:]:
        states = one + torch.logsumexp(states[:, None] + moves, 0)
    return torch.logsumexp(states, 0)


def jax_crf(jax: Any, scores: Any, moves: Any) -> Any:
    def step(states: Any, one: Any) -> Any:
        return one + jax.nn.logsumexp(states[:, None] + moves, 0), None

    return jax.nn.logsumexp(jax.lax.scan(step, scores[0], scores[1:])[0])


def gradient(
    name: str, source: str, by: tuple[int, ...], on_torch: Any, on_jax: Any, target: float = 1.0, loops: Any = None,
    **others: Any,
) -> Row:  # fmt: skip
    """A row whose loss is differentiated by the inputs at some places; `loops` is what somebody wrote by hand."""
    peers = {"torch": with_torch_gradient(on_torch, by), "jax": with_jax_gradient(on_jax, by)}
    if loops is not None:
        peers["numba"] = with_numba(loops)
    return Row(
        name=f"{name} with gradient", source=source, target=target, by=by, peers=peers, against=("torch", "jax"),
        **others,
    )  # fmt: skip


def convolution(stride: int, n: int, c: int, m: int, size: int) -> Row:
    def on_jax(jax: Any, x: Any, k: Any) -> Any:
        return half_squares(jax.lax.conv_general_dilated(x, k, (stride, stride), ((1, 1), (1, 1))))

    return gradient(
        f"conv 3x3/{stride} {n} x {c} to {m}, {size}x{size}", CONVOLUTION.format(stride=stride), (0, 1),
        lambda torch, x, k: half_squares(torch.nn.functional.conv2d(x, k, None, stride, 1)), on_jax,
        data=images, sizes=(n, c, m, size), tiny=(2, 3, 4, 7), reference=by_hand.convolution(stride),
        operations=lambda n, c, m, size: 6.0 * 9 * n * c * m * ((size - 1) // stride + 1) ** 2,
    )  # fmt: skip


ROWS = [
    gradient(
        "product 384", PRODUCT, (0, 1),
        lambda torch, a, b: half_squares(a @ b), lambda jax, a, b: half_squares(a @ b),
        data=normal(np.float32, "00", "00"), sizes=(384,), tiny=(7,), reference=by_hand.product,
        operations=lambda n: 6.0 * n**3,
    ),
    convolution(1, 4, 32, 32, 28),
    convolution(2, 4, 32, 64, 28),
    gradient(
        "cross entropy 1024 x 1024", CROSS_ENTROPY, (0,),
        lambda torch, scores, labels: torch.nn.functional.cross_entropy(scores, labels - 1, reduction="sum"),
        lambda jax, scores, labels: -jax.numpy.take_along_axis(
            jax.nn.log_softmax(scores), labels[:, None] - 1, 1).sum(),
        data=labelled, sizes=(1024, 1024), tiny=(5, 7), reference=by_hand.cross_entropy,
        operations=lambda n, k: 8.0 * n * k,
    ),
    gradient(
        "layer norm 1024 x 512", LAYER_NORM, (0, 1, 2),
        lambda torch, x, scale, offset, target: half_squares(
            torch.nn.functional.layer_norm(x, x.shape[1:], scale, offset) - target),
        lambda jax, x, scale, offset, target: half_squares(
            (x - x.mean(1, keepdims=True)) / jax.numpy.sqrt(x.var(1, keepdims=True) + 1e-5) * scale + offset - target),
        data=normal(np.float32, "01", "1", "1", "01"), sizes=(1024, 512), tiny=(5, 7), reference=by_hand.layer_norm,
        operations=lambda n, d: 24.0 * n * d,
    ),
    gradient(
        "attention 512 x 64", ATTENTION, (0, 1, 2),
        lambda torch, q, k, v, target: half_squares(
            torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None])[0] - target),
        lambda jax, q, k, v, target: half_squares(
            jax.nn.softmax(q @ k.T / jax.numpy.sqrt(jax.numpy.asarray(q.shape[1], q.dtype))) @ v - target),
        data=normal(np.float32, "01", "01", "01", "01"), sizes=(512, 64), tiny=(5, 7), reference=by_hand.attention,
        operations=lambda n, d: 12.0 * n * n * d,
    ),
    gradient(
        "LSTM 32 x 16 x 64", LSTM, (1, 2), torch_lstm, jax_lstm,
        data=sequences, sizes=(32, 16, 64, 64), tiny=(4, 2, 3, 5), reference=by_hand.lstm,
        operations=lambda t, b, f, h: 24.0 * t * b * h * (f + h),
    ),
    gradient(
        "Gaussian mixture 1000 x 10, k = 25", GAUSSIAN_MIXTURE, (0, 1, 2, 3),
        lambda torch, *data: mixture_on(torch, torch.logsumexp, *data),
        lambda jax, *data: mixture_on(jax.numpy, jax.nn.logsumexp, *data),
        data=mixture, sizes=(1000, 25, 10), tiny=(6, 3, 4), reference=by_hand.gaussian_mixture, tolerance=1e-9,
        operations=lambda n, k, d: 6.0 * n * k * d * d,
    ),
    gradient(
        "embedding 8192 of 10000 x 64", EMBEDDING, (0,),
        lambda torch, table, tokens, target: half_squares(
            torch.nn.functional.embedding(tokens - 1, table) - target),
        lambda jax, table, tokens, target: half_squares(table[tokens - 1] - target),
        data=words, sizes=(10000, 64, 8192), tiny=(6, 5, 20), reference=by_hand.embedding,
        loops=loops_of.embedding,
        operations=lambda v, d, n: 4.0 * n * d,
    ),
    gradient(
        "min-plus 256", MIN_PLUS, (0, 1),
        lambda torch, a, b: (a[:, :, None] + b).min(1)[0].sum(), lambda jax, a, b: (a[:, :, None] + b).min(1).sum(),
        target=10.0, data=normal(np.float32, "00", "00"), sizes=(256,), tiny=(7,), reference=by_hand.min_plus,
        loops=loops_of.min_plus,
        operations=lambda n: 2.0 * n**3,
    ),
    gradient(
        "soft DTW 128 x 128", SOFT_DTW, (0, 1), torch_soft_dtw, jax_soft_dtw,
        target=10.0, data=normal(np.float64, "0", "0"), sizes=(128,), tiny=(6,), reference=by_hand.soft_dtw,
        loops=loops_of.soft_dtw,
        operations=lambda n: 30.0 * n * n, tolerance=1e-9,
    ),
    gradient(
        "CRF 128 x 64", CRF, (0, 1), torch_crf, jax_crf,
        target=10.0, data=normal(np.float64, "01", "11"), sizes=(128, 64), tiny=(5, 4), reference=by_hand.crf,
        loops=loops_of.crf,
        operations=lambda n, k: 8.0 * n * k * k, tolerance=1e-9,
    ),
]  # fmt: skip
