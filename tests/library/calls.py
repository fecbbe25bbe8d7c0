"""Library functions called from Python: `value("sum(x, axis)", x=array, axis=2)`, and data to call them with.

They are interpreted, which is what compiled code is held against; `tests/engines/test_no_fallback.py` compiles them all.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import tolang

Array = np.ndarray[Any, Any]
SHAPES = [(4,), (1,), (0,), (2, 3), (3, 0), (2, 3, 4), (2, 1, 3), (2, 3, 2, 3)]


@cache
def _program(expression: str, names: tuple[str, ...], module: str | None) -> tolang.Program:
    use = f"use {module}\n" if module else ""
    return tolang.compile(f"{use}called({', '.join(names)}) := {expression}", engine="interpret")


def value(expression: str, /, module: str | None = None, **arguments: Any) -> Any:
    """What an expression gives for data (arrays, floats) and for constants (whole numbers and tuples of them)."""
    return _program(expression, tuple(arguments), module).called(**arguments)


def linalg(expression: str, /, **arguments: Any) -> Any:
    return value(expression, module="linalg", **arguments)


def arrays(shape: tuple[int, ...], truths: bool = True) -> list[Array]:
    """Data of one shape in several storages, small enough that sums and products of whole numbers do not overflow."""
    generator = np.random.default_rng(sum(shape))
    data: list[Array] = [generator.normal(size=shape), generator.integers(-9, 10, size=shape)]
    if truths:
        data.append(generator.random(shape) < 0.5)
    if len(shape) <= 2:
        data += [data[0].astype(np.float32), generator.integers(0, 4, size=shape).astype(np.int32)]
    return data


def numbers(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed + sum(shape)).normal(size=shape)


def same(actual: Any, expected: Any, tolerance: float = 1e-12) -> None:
    """Equal shapes and values: within a tolerance where they are inexact, which for 32 bits is at least 1e-5."""
    expected = np.asarray(expected)
    assert np.shape(actual) == expected.shape
    for name in expected.dtype.names or ():
        same(np.asarray(actual)[name], expected[name], tolerance)
    if expected.dtype.names is not None:
        return
    if expected.dtype.kind in "fc":
        single = np.asarray(actual).dtype in (np.float32, np.complex64)
        bound = max(tolerance, 1e-5) if single else tolerance
        np.testing.assert_allclose(actual, expected, rtol=bound, atol=bound)
    else:
        np.testing.assert_array_equal(actual, expected)
