"""A call or several of every definition of the library, at which its stated EOPs are held against those derived."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.library.calls import numbers

from tolang import ToL
from tolang.ground.dataclasses import dataclass

Sample = dict[str, Any]


@dataclass(frozen=True)
class Function:
    """An argument that is a function: its source, and the EOPs of one call of it."""

    text: str
    eops: int


@dataclass(frozen=True)
class Written:
    """An argument given by an expression over the others."""

    text: str


def each(names: tuple[str, ...], samples: list[Sample]) -> dict[str, list[Sample]]:
    return dict.fromkeys(names, samples)


X, Y, V, W = numbers(3, 4), numbers(3, 4, seed=1), numbers(5), numbers(5, seed=1)
T = numbers(2, 3, 4)
S = numbers(3, 3) + 4 * np.eye(3)
STACK = numbers(2, 3, 3) + 4 * np.eye(3)
ADD, HALF = Function("add", 1), Function("(s,e) -> (s+e)/2", 2)
ALONG: list[Sample] = [{"x": X}, {"x": T, "axis": 1}, {"x": T, "axis": 2}, {"x": V}]
OVER: list[Sample] = [*ALONG, {"x": T, "axis": (1, 3)}, {"x": T}]
ELEMENTS: list[Sample] = [{"x": V}, {"x": X}, {"x": T}]
PAIRS: list[Sample] = [{"a": V, "b": W}, {"a": X, "b": Y}]
PEOPLE, PLACES = ToL.of([(3, 4), (1, 2), (3, 1), (1, 2), (2, 2)]), ToL.of([(1, 2), (3, 5), (1, 7)])
KEY, SUMMED = Function("row -> row[1]'", 0), Function("row -> row[1]' + row[2]'", 1)
JOINED: Sample = {"a": PEOPLE, "b": PLACES, "left": SUMMED, "right": KEY}

BATCH = {"x": T, "w": numbers(4, 2), "b": numbers(2)}
STATE = {"s": ToL.of((V, W)), "g": numbers(5, seed=2), "rate": 0.1}
MOMENTS = {"s": ToL.of((V, W, np.abs(W))), "g": numbers(5, seed=2)}

WAVES: list[Sample] = [
    *({"x": ToL.of((numbers(n), numbers(n, seed=1)))} for n in (1, 3, 8)),
    {"x": V},
    {"x": X, "axis": 1},
]
"""Complex numbers and reals to be transformed, in lines that are powers of 2 and others."""

SAMPLES: dict[str, list[Sample]] = {
    "complex_product": [{"a": ToL.of((V, W)), "b": ToL.of((W, V))}],
    "exchanged": [{"a": ToL.of((V, W))}],
    "is_complex": [{"x": V}, {"x": V + 1j * W}],
    "are_complex": [{"x": V}, {"x": ToL.of((V, W))}],
    "parts_of": [{"x": V}, {"x": V + 1j * W}, {"x": ToL.of((V, W))}],
    "as_numbers": [{"z": ToL.of((V, W)), "others": one} for one in (V, V + 1j * W)],
    "unit_root": [{"k": 3, "n": 8}],
    "unit_roots": [{"n": 5}],
    "four_points": [dict.fromkeys("abcd", ToL.of((1.5, 2.5)))],
    "transforming": [{"n": 8}],
    "transforming_lines": [{"lines": 3, "n": 8}],
    "fft_by_roots": [{"x": ToL.of((numbers(n), numbers(n, seed=1))), "roots": ToL.of((numbers(n), numbers(n)))} for n in (1, 2, 4, 8, 16)],
    "fft_by_chirp": [{
        "x": ToL.of((V, W)), "chirp": ToL.of((W, V)), "wave": ToL.of((numbers(16), numbers(16))),
        "roots": ToL.of((numbers(16), numbers(16))),
    }],
    "fft": WAVES,
    "ifft": WAVES,
    "rfft": [{"x": numbers(n)} for n in (1, 2, 3, 8, 12)] + [{"x": numbers(4, 3), "axis": axis} for axis in (1, 2)],
    "irfft": [{"x": V + 1j * W}, {"x": ToL.of((V, W)), "axis": 1, "n": 7}, {"x": X + 1j * X, "axis": 1}],
    "lengthened": [{"z": ToL.of((V, W)), "m": 8}],
    "convolving": [{"n": 7, "reals": True}],
    "convolve_reals": [{"a": V, "b": numbers(3), "roots": ToL.of((numbers(8), numbers(8)))}],
    "convolve_complex": [{"a": ToL.of((V, W)), "b": ToL.of((W, V)), "roots": ToL.of((numbers(16), numbers(16)))}],
    "fft_convolve": [{"a": V, "b": W[:3]}, {"a": ToL.of((V, W)), "b": W[:3]}, {"a": V, "b": V + 1j * W}],
    "fft_convolve_same": [{"a": V, "b": W[:3]}],
    "linear": [BATCH, {**BATCH, "x": X}, {**BATCH, "x": numbers(4)}],
    "silu": ELEMENTS,
    "softplus": ELEMENTS,
    "layer_norm": [{"x": X, "scale": numbers(4), "offset": numbers(4, seed=1)}],
    "dropout": [{"x": X, "probability": 0.25}],
    "attention": [{"q": numbers(2, 3), "k": numbers(4, 3), "v": numbers(4, 5)}],
    "mean_squared": [{"y": X, "target": Y}],
    "huber": [{"y": X, "target": Y}, {"y": V, "target": W, "width": 0.5}],
    "cross_entropy": [
        {"scores": X, "labels": np.array([2, 4, 1])},
        {"scores": T, "labels": np.array([[2, 4, 1], [3, 3, 2]])},
    ],
    "binary_cross_entropy": [{"scores": X, "target": np.abs(np.tanh(Y))}],
    "sgd": [{"w": X, "g": Y, "rate": 0.1}],
    "at_rest": [{"w": X}],
    "momentum": [STATE, {**STATE, "keep": 0.5}],
    "without_moments": [{"w": X}],
    "adam": [{**MOMENTS, "step": 3}],
    "without": [{"v": V, "j": 2}],
    "beside": [{"v": (4, 5, 6), "axis": (1, 3)}],
    "insert": [{"v": V, "j": 2, "item": 7.5}],
    "put": [{"v": V, "j": 2, "item": 7.5}],
    "pick": [{"v": V, "idx": np.array([2, 3])}, {"v": X, "idx": (1, 1)}],
    "below": [{"v": V, "item": 0.5}],
    "position": [{"v": V, "item": 0.5}],
    "merge": [{"c": (4, 5), "k": (6,), "axis": 2}],
    "inside": [{"c": (4, 5), "shape": (6, 6)}],
    "at": [{"x": X, "c": (1, 2)}, {"x": 2.5, "c": (1, 2)}],
    "axes": [{"x": T}],
    "elements": [{"x": T}],
    "agreed": [{"shape": (2, 3), "other": (2, 3)}],
    "broadcast": [{"a": (2, 3), "b": (1,)}],
    "broadcast_at": [{"shape": (1, 3), "c": (5, 2, 3)}],
    "broadcast_to": [{"x": X, "shape": (2, 3, 4)}],
    "range": [{"n": 5}],
    "arange": [{"start": 1, "stop": 9, "step": 2}],
    "linspace": [{"a": 0.5, "b": 2.5, "n": 5}],
    "full": [{"shape": (2, 3), "value": 1.5}],
    "iota": [{"shape": (2, 3), "axis": 2}],
    "one_hot": [{"idx": np.array([[1, 2], [3, 1]]), "n": 3}],
    "where": [{"condition": X > 0, "a": X, "b": 0}],
    "stop": [{"x": X}],
    "filter": [{"t": V, "p": Function("e -> e*e > 1", 2)}],
    "compress": [{"v": V, "mask": V > 0}],
    "positions": [{"mask": V > 0}],
    "take": [{"x": T, "idx": np.array([1, 2]), "axis": 2}],
    "take_along": [{"x": X, "idx": np.ones((3, 2), dtype=np.int64)}],
    "slice": [{"x": X, "first": 1, "last": 3, "step": 2, "axis": 2}],
    "permute": [{"x": T, "order": (3, 1, 2)}],
    "transpose": [{"x": T}],
    "move_axis": [{"x": T, "from": 1, "to": 3}],
    "swap_axes": [{"x": T, "a": 1, "b": 3}],
    "add_axis": [{"x": X, "axis": 2}],
    "drop_axis": [{"x": X[None], "axis": 1}],
    "flatten": [{"x": T}],
    "flip": ALONG,
    "roll": [{"x": X, "places": 2}],
    "concat": [{"a": X, "b": Y, "axis": 2}],
    "stack": [{"a": X, "b": Y}],
    "repeat": [{"x": X, "n": 2}],
    "tile_axis": [{"x": X, "n": 2}],
    "pad": [{"x": X, "before": (1, 2), "after": (0, 1)}],
    "line": [{"x": T, "axis": 2, "c": (1, 2)}],
    "reduce_axis": [{"x": T, "f": f, "init": 0, "axis": axis} for f in (ADD, HALF) for axis in (1, (1, 3))],
    "map_axis": [{"x": T, "f": Function("sum", 3), "axis": 2}, {"x": X, "f": Function("v -> v + 1", 4)}],
    "scan": [{"x": T, "f": f, "init": 0, "axis": 2} for f in (ADD, HALF)],
    "accumulate": [{"x": T, "f": f, "axis": 2} for f in (ADD, HALF)],
    **each(("cumulative_sum", "cumulative_product", "cumulative_maximum", "cumulative_minimum"), ALONG),
    **each(("sum", "product", "maximum", "minimum", "mean", "logsumexp"), OVER),
    **each(("all", "any", "count"), [{**one, "x": one["x"] > 0} for one in OVER]),
    **each(("variance", "standard_deviation"), [*OVER, {"x": X, "axis": 1, "correction": 1}]),
    "first": [{"x": X}],
    **each(("argmin", "argmax"), ALONG),
    "dot": PAIRS,
    "outer": [{"a": V, "b": X}, {"a": V, "b": X, "f": HALF}],
    "searchsorted": [{"v": V, "item": Written("v[1]")}, {"v": V, "item": Written("v[1]"), "right": True}],
    "sorting": [{"n": 5}],
    **each(("sort", "argsort"), ALONG),
    "sort_by": [{"t": X, "key": Function("row -> sum(row)", 4)}, {"t": V, "key": Function("e -> -e", 1)}],
    "top_k": [{"v": V, "k": 2}, {"v": V, "k": 5, "descending": False}],
    "kth": [{"v": V, "k": 3}],
    "unique": [{"v": np.sort(V)}],
    "bincount": [{"v": np.array([1, 2, 2]), "n": 3}],
    "histogram": [{"x": X, "edges": np.array([0.0, 0.5, 1.0])}],
    "clip": [{"x": X, "low": 0.5, "high": 1.5}],
    "lerp": [{"a": X, "b": Y, "t": 0.5}, {"a": X, "b": Y, "t": X}],
    "hypot": PAIRS,
    "polynomial": [{"coefficients": (1, 2, 3), "x": X}, {"coefficients": V, "x": X}],
    **each(("is_nan", "is_finite", "is_infinite", "ceil", "trunc", "round", "erf_double"), ELEMENTS),
    **each(("relu", "sigmoid"), ELEMENTS),
    **each(("erf", "erf_single", "gelu"), [*ELEMENTS, {"x": X.astype(np.float32)}]),
    **each(("softmax", "log_softmax"), ALONG),
    "convolve": [
        {
            "x": numbers(1, 2, 5), "w": numbers(3, 2, 2), "strides": 1, "dilations": 1, "pads": 1, "out": (6,),
        },
        {
            "x": numbers(1, 4, 5, 5), "w": numbers(2, 2, 3, 3), "strides": (2, 2), "dilations": (1, 1),
            "pads": (1, 1), "out": (3, 3), "groups": 2,
        },
    ],
    "stacked": [{"a": T}],
    "eye": [{"n": 3}],
    "diagonal": [{"a": T}],
    "diagonal_matrix": [{"v": V}],
    "trace": [{"a": S}, {"a": T}],
    **each(("tril", "triu", "transposed"), [{"a": T}]),
    "matmul_over": [{"a": a, "b": Y.T, "times": ADD, "plus": HALF, "zero": 0} for a in (X, T)],
    **each(
        ("matmul", "min_plus", "max_plus"),
        [{"a": X, "b": Y.T}, {"a": V, "b": W}, {"a": T, "b": Y.T}, {"a": T, "b": W[:4]}],
    ),
    "matvec": [{"a": T, "v": X[:2]}],
    "tensordot": [{"a": T, "b": T, "p": (2, 3), "q": (2, 3)}, {"a": T, "b": X, "p": 3, "q": 2}],
    "inner": [{"a": T, "b": X}],
    "kron": [{"a": X, "b": S}],
    "cross": [{"a": S, "b": S}],
    "gram": [{"a": X}],
    "squared_distances": [{"a": X, "b": Y}],
    "power": [{"a": S, "n": n} for n in (0, 1, 2, 3, 10, 13)] + [{"a": STACK, "n": 7}],
    "twos": [{}],
    "doublings": [{"n": 10.0}],
    "shortest_paths": [{"lengths": numbers(n, n)} for n in (2, 3, 4, 5)],
    "norm": [{"x": X, "p": p} for p in (0, 1, 2, 3)] + [{"x": T, "p": p, "axis": 2} for p in (1, 2, 3)],
    "matrix_norm": [{"a": X, "p": 1}, {"a": T, "p": 1}],
    "columns": [{"f": Function("(m,v) -> map(v, * + m[1,1])", 3), "a": S, "b": S}],
    "side": [{"a": S}],
    "shared_side": [{"a": S, "v": S[0]}],
    "solve_lower": [{"l": S, "b": S}, {"l": S, "b": S[0], "unit": True}],
    "solve_upper": [{"u": S, "b": S}, {"u": S, "b": S[0]}],
    **each(("cholesky", "determinant", "inverse"), [{"a": S}, {"a": STACK}]),
    "lu": [{"a": S}, {"a": numbers(5, 5)}],
    "solve": [{"a": S, "b": S[0]}, {"a": S, "b": S[:, :2]}, {"a": STACK, "b": STACK}],
    "select": [{"t": PEOPLE, "p": Function("row -> row[1]' * row[2]' > 3", 2)}],
    **each(("project", "extend"), [{"t": PEOPLE, "f": Function("row -> (row[2]', row[1]' + 1)", 1)}]),
    **each(("leading", "trailing", "sort_rows"), [{"t": PEOPLE, "n": 1}]),
    "cartesian": [{"a": PEOPLE, "b": PLACES}],
    "row_order": [{"t": PEOPLE}, {"t": PEOPLE, "descending": Written("[true,false]")}],
    **each(("order_by", "distinct"), [{"t": PEOPLE, "key": KEY}, {"t": PEOPLE, "key": SUMMED}]),
    "top": [{"t": PEOPLE, "n": 2, "key": SUMMED}],
    "differ": [{"a": ToL.of((1, 2)), "b": ToL.of((1, 3)), "n": 2}],
    "runs": [{"t": PEOPLE, "n": n} for n in (1, 2)],
    "placed": [{"values": V, "places": np.array([2, 1, 5, 4, 3])}],
    **each(("first_places", "comes_first"), [{"numbers": np.array([2, 1, 2, 3])}]),
    **each(("with_places", "numbered"), [{"t": PEOPLE}, {"t": V}]),
    "each_kind": [{"a": PEOPLE, "b": PLACES, "test": Function("n -> n*n > 1", 2)}],
    **each(("union", "intersection", "difference"), [{"a": PEOPLE, "b": PLACES}]),
    "found": [{"numbers": np.array([1, 2, 1, 3]), "n": 3}],
    "owners": [{"counts": np.array([2, 0, 3]), "last": np.array([2, 2, 5])}],
    "matched": [{"keys": np.array([2.0, 3.0, 1.0]), "order": PLACES}],
    "searched": [{"a": PEOPLE, "left": SUMMED, "numbers": V}],
    "searchable": [{"b": PLACES, "right": SUMMED, "numbers": V}],
    **each(("both_numbered", "is_matched", "semi_join", "anti_join", "join"), [JOINED]),
    "left_join": [{**JOINED, "missing": Written("(0,0)")}],
    "theta_join": [{"a": PEOPLE, "b": PLACES, "test": Function("(x,y) -> x[1]' + 1 < y[2]'", 2)}],
    "group_from": [{"t": PEOPLE, "key": KEY, "value": SUMMED, "f": HALF, "start": Function("x -> 2*x", 1)}],
    "group_by": [{"t": PEOPLE, "key": KEY, "value": SUMMED, "f": HALF, "init": 0}],
    "group_count": [{"t": PEOPLE, "key": SUMMED}],
    **each(("group_sum", "group_max", "group_min", "group_mean"), [{"t": PEOPLE, "key": KEY, "value": SUMMED}]),
}  # fmt: skip
