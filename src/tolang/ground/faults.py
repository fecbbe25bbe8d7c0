"""Run-time errors of data and arithmetic, built in one place so that they read alike.

Each message names the value, its coordinates (counted from 1, as the language counts) and what it left or missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tolang.ground.diagnostics import Diagnostic, ToLangRunError

LARGEST_VOLUME = 2**63 - 1
"""The most elements a shape may have; larger shapes are refused, never tried."""


def fault(
    code: str,
    message: str,
    *,
    found: str | None = None,
    expected: str | None = None,
    fix: str | None = None,
) -> ToLangRunError:
    """A run-time error without a position in source; whoever knows the position adds it."""
    return ToLangRunError(Diagnostic(code, message, found=found, expected=expected, fix=fix))


def coordinates_text(flat_index: int, shape: Sequence[int]) -> str:
    """The coordinates of the element at a flat index, in the notation of the language: `[2,1]`."""
    coordinates = np.unravel_index(flat_index, tuple(shape)) if len(shape) else ()
    return "[" + ",".join(str(int(one) + 1) for one in coordinates) + "]"


def place_text(flat_index: int, shape: Sequence[int]) -> str:
    """` at [2,1]`, or nothing for a numeric, which has no coordinates."""
    return f" at {coordinates_text(flat_index, shape)}" if len(shape) else ""


def first_true(mask: np.ndarray[Any, Any]) -> int:
    """The flat index of the first true element, the last coordinate running fastest."""
    return int(np.argmax(mask.reshape(-1)))


def shape_text(shape: Sequence[int]) -> str:
    """A shape in the notation of the language: `[2,3]`."""
    return "[" + ",".join(str(int(length)) for length in shape) + "]"


def memory_fault(what: str) -> ToLangRunError:
    """The error that stands for a `MemoryError`."""
    return fault("E508", f"there is not enough memory for {what}")
