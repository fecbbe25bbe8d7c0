"""Names of Python, NumPy and their kin, and how the same is said in ToLang.

What stands between backquotes is ToLang, of these names: `t` of any shape, `a` and `b` matrices, `v` and `w` vectors,
`x` and `y` numbers, `c` truth values, `s` text.  A test runs each, with the modules that are named beside it.
"""

from __future__ import annotations

MODULES = frozenset({"np", "numpy", "jnp", "jax", "torch", "tf", "math", "scipy", "xp", "cp", "pd", "pl", "F"})

_NOTHING = "there is no missing value; `NaN` is not a number, and `filter(v, x -> not is_nan(x))` leaves out"
_NEGATED = "write `not x`"
_DRAWN = "`rand(1)` is a number between 0 and 1"
_NORMAL = "`rand(1)` is a number between 0 and 1; `sqrt(-2 * log(rand(1))) * cos(8 * atan(1) * rand(1))` a normal one"
_SHIFTED = "write `floor(x / 2 ^ y)`"
_DIAGONAL = "write `diagonal_matrix(v)` or `diagonal(a)`, with `use linalg`"
_GROUPS = "with `use tables`, `group_sum([(1,2.0),(1,3.0)], r -> r[1]', r -> r[2]')` and its like aggregate rows"
_FOLDED = "write `reduce(v, (s, x) -> s + x, 0)`"
_TEXT_PARTS = "texts are taken apart by `length(s)`, `code(s, 1)` and `substring(s, 1, 2)`"

FOREIGN = {
    # constants
    "nan": "write `NaN`", "NAN": "write `NaN`", "inf": "write `Inf`", "infinity": "write `Inf`", "INF": "write `Inf`",
    "True": "write `true`", "False": "write `false`", "TRUE": "write `true`", "FALSE": "write `false`",
    "None": _NOTHING, "null": _NOTHING, "nil": _NOTHING, "NULL": _NOTHING, "NA": _NOTHING,
    "pi": "define it: pi = `4 * atan(1)`", "e": "define it: e = `exp(1)`",
    # shapes and spaces
    "len": "`|v|[1]` is the length of a vector, `|t|` the shape, `vol(t)` the number of elements",
    "size": "`vol(t)` is the number of elements, `|t|` the shape", "numel": "`vol(t)` is the number of elements",
    "ndim": "`||t||` is the number of dimensions", "rank": "`||t||` is the number of dimensions",
    "dtype": "`space(t)` tells the space, `convert(t, [R])` changes it",
    "astype": "write `convert(t, [R])`", "cast": "write `convert(t, [R])`", "type": "`space(t)` tells the space",
    "isinstance": "`space(t)` tells the space", "int": "write `floor(x)`, or `convert(2.0, [Z])` for whole values",
    "float": "write `convert(x, [R])`; of text, `to_number('1.5')`", "bool": "write `x != 0`, or `convert(1, [B])`",
    "complex": "write `x + y * 1i`", "str": "write `to_text(x)`", "repr": "write `to_text(x)`",
    # making
    "asarray": "write `[1,2]`; data is an input",
    "array": "write `[1,2]`, or `[[1,2],[3,4]]`; data is an input: tol x: R [n]",
    "tensor": "write `[1,2]`, or `[[1,2],[3,4]]`; data is an input: tol x: R [n]",
    "zeros": "write `tol[2,3]`", "zeros_like": "write `tol|t|`", "empty": "write `tol[2,3]`",
    "ones": "write `full([2,3], 1)`", "ones_like": "write `full(|t|, 1)`", "full_like": "write `full(|t|, x)`",
    "identity": "write `eye(3)`, with `use linalg`", "meshgrid": "write `map(tol[2,3], (i, j), [i,j])`",
    "diag": _DIAGONAL, "random": _DRAWN, "uniform": _DRAWN, "normal": _NORMAL, "randn": _NORMAL,
    "randint": "write `floor(6 * rand(1)) + 1`", "enumerate": "`map(v, (i, *), i)` names the coordinate",
    "zip": "`(v, w)` pairs elements of one shape", "print": "export a value to show it: y := …",
    # parts, and putting together
    "T": "write `transpose(a)`", "swapaxes": "write `swap_axes(t, 1, 2)`", "moveaxis": "write `move_axis(t, 1, 2)`",
    "reversed": "write `flip(v)`", "fliplr": "write `flip(a, 2)`", "flipud": "write `flip(a, 1)`",
    "append": "write `[v, x]`", "extend": "write `[v, w]`", "hstack": "write `concat(v, w)`",
    "vstack": "write `stack(v, w)`", "column_stack": "write `stack(v, w, 2)`",
    "delete": "write `[v[:1], v[3:]]`, without the second", "split": "write `v[:2]` and `v[3:]`",
    "head": "write `v[:2]`", "tail": "write `v[2:]`", "iloc": "write `v[2]`, `v[1:2]`", "loc": "write `v[2]`, `v[1:2]`",
    "ravel": "write `flatten(t)`", "view": "write `reshape(a, [3,2])`", "expand_dims": "write `add_axis(t, 1)`",
    "unsqueeze": "write `add_axis(t, 1)`", "squeeze": "write `drop_axis(add_axis(t, 1), 1)`",
    "cat": "write `concat(v, w, 1)`", "concatenate": "write `concat(v, w, 1)`, or `[v, w]`",
    "gather": "write `take(v, [1,3])`, or `map([1,3], k -> v[k])`",
    # choosing
    "nonzero": "write `positions(v > 0)`", "argwhere": "write `positions(v > 0)`",
    "flatnonzero": "write `positions(v > 0)`", "masked_fill": "write `where(v > 0, 0, v)`",
    "fillna": "write `where(is_nan(v), 0, v)`", "dropna": "write `filter(v, x -> not is_nan(x))`",
    "sorted": "write `sort(v)`", "sort_values": "write `sort_by(v, k -> k)`", "topk": "write `top_k(v, 2)`",
    "shuffle": "write `take(v, argsort(map(v, x -> rand(1))))`", "isin": "write `map(v, x -> any(map(w, * == x)))`",
    "contains": "write `any(map(v, * == x))`", "index": "write `positions(v == v[1])[1]`",
    "nunique": "write `|unique(v)|[1]`", "set": "write `unique(v)`",
    # folds
    "fold": _FOLDED, "foldl": _FOLDED, "foreach": "write `map(t, f)`", "apply": "write `map(t, f)`",
    "amax": "write `maximum(a, 1)`", "amin": "write `minimum(a, 1)`", "prod": "write `product(a, 1)`",
    "ptp": "write `maximum(t) - minimum(t)`", "average": "write `mean(t)`",
    "std": "write `standard_deviation(t)`", "var": "write `variance(t)`", "cumsum": "write `cumulative_sum(t)`",
    "cumprod": "write `cumulative_product(t)`", "cummax": "write `cumulative_maximum(t)`",
    "cummin": "write `cumulative_minimum(t)`", "count_nonzero": "write `count(v != 0)`",
    "nansum": "write `sum(where(is_nan(t), 0, t))`", "nanmean": "write `mean(filter(v, x -> not is_nan(x)))`",
    "median": "of an odd number of elements it is `kth(v, (|v|[1]+1)/2)`, and "
    "`{ n = |v|[1]; (kth(v, floor((n+1)/2)) + kth(v, floor(n/2)+1)) / 2 }` of any",
    "quantile": "`kth(v, ceil(0.9 * |v|[1]))` is the least element that 0.9 of all do not exceed",
    "percentile": "`kth(v, ceil(0.9 * |v|[1]))` is the least element that 0.9 of all do not exceed",
    "diff": "write `v[2:] - v[:|v|[1]-1]`", "groupby": _GROUPS, "value_counts": "write `bincount([1,2,2], 2)`",
    # numbers
    "logical_and": "write `x > 0 and y > 0`", "logical_or": "write `x > 0 or y > 0`",
    "logical_xor": "write `x > 0 xor y > 0`", "bitwise_and": "write `5 and 3`", "bitwise_or": "write `5 or 3`",
    "bitwise_xor": "write `5 xor 3`", "logical_not": "write `not x > 0`", "invert": "write `not x > 0`",
    "left_shift": "write `x * 2 ^ y`", "right_shift": _SHIFTED,
    "sign": "write `sgn(x)`", "signum": "write `sgn(x)`", "absolute": "write `abs(x)`", "fabs": "write `abs(x)`",
    "log10": "write `log(x, 10)`", "log2": "write `log(x, 2)`", "log1p": "write `log(1 + x)`",
    "expm1": "write `exp(x) - 1`", "exp2": "write `2 ^ x`", "square": "write `x ^ 2`", "power": "write `x ^ y`",
    "cbrt": "write `x ^ (1/3)`", "rsqrt": "write `1 / sqrt(x)`", "reciprocal": "write `1 / x`",
    "negative": "write `-x`", "subtract": "write `x - y`", "multiply": "write `x * y`", "divide": "write `x / y`",
    "true_divide": "write `x / y`", "floor_divide": "write `floor(x / y)`", "fmod": "write `x % y`",
    "remainder": "write `x % y`", "divmod": "write `(floor(x / y), x % y)`", "rint": "write `round(x)`",
    "equal": "write `x == y`", "not_equal": "write `x != y`", "greater": "write `x > y`", "less": "write `x < y`",
    "greater_equal": "write `x >= y`", "less_equal": "write `x <= y`",
    "isclose": "write `abs(x - y) < 1e-9`", "allclose": "write `all(abs(v - w) < 1e-9)`",
    "array_equal": "write `all(v == w)`", "isnan": "write `is_nan(x)`", "isna": "write `is_nan(x)`",
    "isinf": "write `is_infinite(x)`", "isfinite": "write `is_finite(x)`",
    "arctan": "write `atan(x)`", "arcsin": "write `asin(x / 9)`", "arccos": "write `acos(x / 9)`",
    "deg2rad": "write `x * atan(1) / 45`", "radians": "write `x * atan(1) / 45`",
    "rad2deg": "write `x * 45 / atan(1)`", "degrees": "write `x * 45 / atan(1)`",
    "factorial": "write `product(range(5))`", "polyval": "write `polynomial(v, x)`",
    # linear algebra and networks
    "einsum": "say with map and reduce which coordinates meet",
    "mm": "write `matmul(a, transpose(b))`, with `use linalg`",
    "bmm": "write `matmul(a, transpose(b))`, with `use linalg`", "mv": "write `matvec(a, v)`, with `use linalg`",
    "vdot": "write `dot(v, w)`", "inv": "write `inverse([[2,0],[0,4]])`, with `use linalg`",
    "det": "write `determinant([[2,0],[0,4]])`, with `use linalg`",
    "matrix_power": "write `power([[2,0],[0,4]], 3)`, with `use linalg`",
    "mse_loss": "write `mean_squared(v, w)`, with `use nn`",
    # text
    "upper": "write `uppercase(s)`", "lower": "write `lowercase(s)`", "ord": "write `code(s, 1)`",
    "substr": "write `substring(s, 1, 2)`", "strip": _TEXT_PARTS, "startswith": "write `substring(s, 1, 2) == 'ab'`",
    "format": "write `append_text(s, to_text(x))`",
    "elif": "write else if",
}  # fmt: skip
"""What is written in other languages, and what stands for it here."""

FOREIGN_PARAMETERS = {
    "keepdims": "`add_axis(t, 1)` puts an axis of length 1 back", "keepdim": "`add_axis(t, 1)` puts an axis back",
    "dim": "write axis=…, from 1 on", "reverse": "write descending=true", "ascending": "write descending=…",
    "dtype": "`convert(t, [f32])` changes the space", "ddof": "write correction=1",
}  # fmt: skip
"""Names of arguments in Python and NumPy, and how the same is said in ToLang."""

OTHER_DEFINITIONS = {
    "range": "`arange(1, 3)` goes up to what stands before the last, in steps; `range(3)` is 1 to 3",
    "arange": "`range(3)` is 1 to 3",
}
"""Definitions of the library that are taken for others of their kind, and which those are."""
