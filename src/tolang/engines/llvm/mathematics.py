"""Elementary functions as plain arithmetic: which function computes which.

Each works on a value or a vector of one storage (f32 or f64), is within two units in the last place of the exact
result, and right for infinities, NaN and numbers too small to be normal.
"""

from __future__ import annotations

from tolang.engines.llvm import exponentials, logarithms, trigonometry
from tolang.engines.llvm.floats import Unary

VECTOR_FUNCTIONS: dict[str, Unary] = {
    "exp": exponentials.exponential,
    "sinh": exponentials.hyperbolic_sine,
    "cosh": exponentials.hyperbolic_cosine,
    "tanh": exponentials.hyperbolic_tangent,
    "log": logarithms.logarithm,
    "asinh": logarithms.area_sine,
    "acosh": logarithms.area_cosine,
    "atanh": logarithms.area_tangent,
    "sin": trigonometry.sine,
    "cos": trigonometry.cosine,
    "tan": trigonometry.tangent,
    "asin": trigonometry.arc_sine,
    "acos": trigonometry.arc_cosine,
    "atan": trigonometry.arc_tangent,
}
"""The functions of one argument by their names in the language."""
