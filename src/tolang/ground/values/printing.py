"""Values in the notation of the language: `[[1,2],[3,4]]`, lists as `(1,'a')`, `Inf`, `true`, `1.0+2.0i`.

Large values are elided as NumPy does, long ones broken into aligned lines, one a row.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from tolang.ground.reporting.escaping import visible
from tolang.ground.reporting.faults import number_text, shape_text
from tolang.ground.values.casting import Array
from tolang.ground.values.columns import Columns

LINE = 88
"""The longest line of a value; a value that fits is written on one."""
THRESHOLD = 1000
"""Values of more elements than this are elided."""
MOST_SHOWN = 4096
"""An elided value of very many dimensions still shows no more elements than this."""
DIGITS = 8
"""Significant digits of the decimals in a ToL; a numeric shows all that tell it from its neighbours."""

Cells = str | list["Cells"]


def described(value: Columns) -> str:
    """The value below a header line with its shape and type list."""
    spaces = ",".join(str(one) for one in value.spaces)
    return f"ToL {shape_text(value.shape)} of [{spaces}]\n{value_notation(value)}"


def type_notation(value: Columns) -> str:
    """A value's type list and shape, written as a declaration writes them: `R [2,3]`, `[S, N] [4]`."""
    columns = ", ".join(str(one) for one in value.spaces)
    listed = columns if value.capacity == 1 and value.names == (None,) else f"[{columns}]"
    return f"{listed} [{','.join(str(length) for length in value.shape)}]" if value.shape else listed


def value_notation(value: Columns, line: int = LINE) -> str:
    """The value as the language writes it; elided if it is large, a row a line if it is longer than a line."""
    shown, marks = _edges(value.shape)
    if math.prod(len(one) for one in shown) > MOST_SHOWN:
        return "[...]"
    arrays = [one[np.ix_(*shown)] if value.dimension else one for one in value.columns]
    texts = _element_texts(arrays, value.shape)
    cells = _nested(texts, [len(one) for one in shown], marks)
    single = _one_line(cells)
    if len(single) <= line or value.dimension == 0 or not texts:
        return single
    width = max(len(one) for one in texts) if value.dimension > 1 else 0
    return _lines(cells, value.dimension, width, 0)


def _edges(shape: tuple[int, ...]) -> tuple[list[Array], list[bool]]:
    """The coordinates shown along each dimension (from 0), and whether some are left out there."""
    if math.prod(shape) <= THRESHOLD:
        return [np.arange(length) for length in shape], [False] * len(shape)
    edge = 3 if len(shape) <= 3 else 2 if len(shape) <= 5 else 1
    marks = [length > 2 * edge for length in shape]
    shown = [
        np.r_[0:edge, length - edge : length] if mark else np.arange(length)
        for length, mark in zip(shape, marks, strict=True)
    ]
    return shown, marks


def _element_texts(arrays: list[Array], shape: tuple[int, ...]) -> list[str]:
    """Each element as text, lists in parentheses."""
    digits = DIGITS if shape else None
    written = [[numeric_text(one, digits) for one in _scalars(array)] for array in arrays]
    if len(written) == 1:
        return written[0]
    return ["(" + ",".join(parts) + ")" for parts in zip(*written, strict=True)]


def _scalars(array: Array) -> list[Any]:
    """The elements, in order, as they are stored: a float32 prints as one."""
    return list(array.reshape(-1))


def _nested(texts: list[str], lengths: list[int], marks: list[bool]) -> Cells:
    """Texts in nested lists, with `...` where elements are left out."""
    if not lengths:
        return texts[0]
    inner = math.prod(lengths[1:])
    rows: list[Cells] = [_nested(texts[i * inner : (i + 1) * inner], lengths[1:], marks[1:]) for i in range(lengths[0])]
    return [*rows[: lengths[0] // 2], "...", *rows[lengths[0] // 2 :]] if marks[0] else rows


def _one_line(cells: Cells) -> str:
    return cells if isinstance(cells, str) else "[" + ",".join(_one_line(one) for one in cells) + "]"


def _lines(cells: Cells, dimension: int, width: int, indent: int) -> str:
    """Rows on lines of their own, their elements aligned; a blank line between matrices, as NumPy has it."""
    if isinstance(cells, str):
        return cells
    if dimension == 1:
        return "[" + _wrapped([str(one).rjust(width) for one in cells], indent + 1) + "]"
    separator = "," + "\n" * (dimension - 1) + " " * (indent + 1)
    return "[" + separator.join(_lines(one, dimension - 1, width, indent + 1) for one in cells) + "]"


def _wrapped(texts: list[str], indent: int) -> str:
    """Texts joined by commas, broken into lines where they grow too long."""
    lines, used = [""], indent
    for position, text in enumerate(texts):
        piece = text if position == len(texts) - 1 else text + ","
        if lines[-1] and used + len(piece) > LINE:
            lines.append("")
            used = indent
        lines[-1] += piece
        used += len(piece)
    return ("\n" + " " * indent).join(lines)


def numeric_text(value: Any, digits: int | None = None) -> str:
    """One numeric as a literal of the language; decimals to a number of significant digits, or all that matter."""
    if isinstance(value, str):
        return "'" + visible(value).replace("'", "''") + "'"
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, int | np.integer):
        return number_text(int(value))
    if isinstance(value, Fraction):
        return number_text(value)
    if isinstance(value, complex | np.complexfloating):
        return _complex_text(value, digits)
    return _decimal_text(value, digits)


def _decimal_text(value: Any, digits: int | None) -> str:
    """A decimal with a point or an exponent, so that it reads as R."""
    number = float(value)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Inf" if number > 0 else "-Inf"
    shortest = str(value) if isinstance(value, np.generic) else repr(number)
    rounded = f"{number:.{digits}g}" if digits is not None else shortest
    text = min(rounded, shortest, key=len) if digits is not None else shortest
    mantissa, mark, exponent = text.partition("e")
    if not mark:
        return text if "." in text else text + ".0"
    return f"{mantissa}e{int(exponent)}"


def _complex_text(value: Any, digits: int | None) -> str:
    """`1.0+2.0i`; an infinite or undefined imaginary part is written as a product with i."""
    real, imaginary = value.real, value.imag
    sign = "-" if math.copysign(1.0, float(imaginary)) < 0 and not math.isnan(float(imaginary)) else "+"
    magnitude = _decimal_text(abs(imaginary), digits)
    unit = "i" if math.isfinite(float(imaginary)) else "*1i"
    return f"{_decimal_text(real, digits)}{sign}{magnitude}{unit}"
