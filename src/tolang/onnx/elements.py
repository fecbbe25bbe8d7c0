"""Element types of ONNX as ToLang spaces, and NumPy data as ToLang literals."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from typing import Any, Protocol

import numpy as np

from tolang.ground.values.spaces import NARROW_INTEGERS
from tolang.ground.values.values import ToL
from tolang.onnx.faults import model_error
from tolang.syntax import making, tree

Array = np.ndarray[Any, Any]

SPACE_OF_ELEMENT = {
    1: "f32", 2: "u8", 3: "i8", 4: "u16", 5: "i16", 6: "i32", 7: "i64", 8: "S", 9: "B", 10: "f16", 11: "f64",
    12: "u32", 13: "u64", 14: "c64", 15: "c128", 16: "bf16", 17: "f8e4m3fn", 18: "f8e4m3fnuz", 19: "f8e5m2",
    20: "f8e5m2fnuz", 21: "u4", 22: "i4", 23: "f4e2m1", 24: "f8e8m0", 25: "u2", 26: "i2",
}  # fmt: skip
"""ONNX's numbers of element types and the spaces that hold them."""

ELEMENT_OF_DTYPE = {
    "float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "object": 8, "bool": 9,
    "float16": 10, "float64": 11, "uint32": 12, "uint64": 13, "complex64": 14, "complex128": 15, "bfloat16": 16,
    "float8_e4m3fn": 17, "float8_e4m3fnuz": 18, "float8_e5m2": 19, "float8_e5m2fnuz": 20, "uint4": 21, "int4": 22,
    "float4_e2m1fn": 23, "float8_e8m0fnu": 24, "uint2": 25, "int2": 26,
}  # fmt: skip

WIDTHS = {
    1: 4, 2: 1, 3: 1, 4: 2, 5: 2, 6: 4, 7: 8, 10: 2, 11: 8, 12: 4, 13: 8, 14: 8, 15: 16, 16: 2, 17: 1, 18: 1,
    19: 1, 20: 1, 24: 1,
} if sys.byteorder == "little" else {}  # fmt: skip
"""Bytes of an element, for the types of which a file holds just what an array does: no text, no parts of bytes, and no
truth values, which bytes other than 0 and 1 would not be."""


_SHORT = {"B": 8, "u4": 4, "i4": 4, "f4e2m1": 4, "u2": 2, "i2": 2}


def bits_of(element: int) -> int:
    """How many bits an element takes in a file; 0 for text and for what is no element type."""
    return 8 * WIDTHS[element] if element in WIDTHS else _SHORT.get(SPACE_OF_ELEMENT.get(element, ""), 0)


class Kinded(Protocol):
    """Whatever has the type of its elements, as an array does."""

    @property
    def dtype(self) -> np.dtype[Any]: ...


_DTYPE_OF_ELEMENT = {element: name for name, element in ELEMENT_OF_DTYPE.items()}
LONGEST_LITERAL = 64
"""A tensor of more elements than this is data beside the program, not text in it."""
LONGEST_NUMBERS = 8
"""The same for numbers of types that shapes, axes and counts do not have: they are read by the element, as data is."""


def dtype_of_element(element: int) -> np.dtype[Any]:
    """The type of arrays of an element type."""
    name = _DTYPE_OF_ELEMENT[element]
    try:
        return np.dtype(name)
    except TypeError:
        import ml_dtypes  # only types that NumPy has not need it

        found: np.dtype[Any] = np.dtype(getattr(ml_dtypes, name))
        return found


def element_of(array: Kinded) -> int:
    """The element type of NumPy data; text comes as objects or as fixed-width strings."""
    return _element_of_dtype(array.dtype)


@cache
def _element_of_dtype(dtype: np.dtype[Any]) -> int:
    if dtype.kind in "OUST":
        return 8
    if dtype.name not in ELEMENT_OF_DTYPE:
        raise model_error("E705", f"there are no tensors of {dtype.name} in ONNX")
    return ELEMENT_OF_DTYPE[dtype.name]


def number(value: Any) -> tree.Expression:
    """One number, truth value or text as a ToLang literal: the shortest that is the same number in its type."""
    if isinstance(value, bool | np.bool_):
        return making.constant("true" if value else "false")
    if isinstance(value, bytes):
        value = value.decode("utf-8")
    if isinstance(value, str):
        if "\n" in value:
            raise model_error("E703", "text of several lines cannot be written as an attribute", found=repr(value))
        return making.text(value)
    if isinstance(value, int | np.integer):
        return making.whole(int(value))
    if isinstance(value, complex | np.complexfloating):
        factor = number(value.imag)
        factor = making.parenthesis(factor) if isinstance(factor, tree.Unary) else factor
        imaginary = making.binary("*", factor, making.number("1i"))
        return making.parenthesis(making.binary("+", number(value.real), imaginary))
    real = float(str(value)) if isinstance(value, np.float32 | np.float16) else float(value)
    if real != real:
        return making.constant("NaN")
    if real in (float("inf"), float("-inf")):
        return making.constant("Inf") if real > 0 else tree.Unary(making.NOWHERE, "-", making.constant("Inf"))
    return making.number(repr(real))


def vector(values: Iterable[Any]) -> tree.Blocks:
    """A vector of literals."""
    return making.blocks(number(one) for one in values)


def literal(array: Array) -> tree.Expression:
    """A small array as a literal without a type of its own: what stands for attributes and for shapes."""
    if array.ndim == 0:
        return number(array[()])
    flat = vector(array.reshape(-1).tolist() if array.dtype.kind in "biuOU" else list(array.reshape(-1)))
    return flat if array.ndim == 1 else making.call("reshape", flat, vector(array.shape))


def typed_literal(array: Array) -> tree.Expression:
    """A small array as an expression of its own element type."""
    space = SPACE_OF_ELEMENT[element_of(array)]
    if not array.size:
        return making.convert(making.zeros(*map(number, array.shape)), space)
    return literal(array) if space in ("B", "S") else making.convert(literal(array), space)


def of_element_type(value: ToL) -> Array:
    """A result as ONNX holds it: whole numbers of 2 or 4 binary digits in a type of their own."""
    array, name = value.columns[0], value.spaces[0].space.name
    if name not in NARROW_INTEGERS:
        return array
    import ml_dtypes  # only the shortest integers need it

    return array.astype(getattr(ml_dtypes, name.replace("i", "int").replace("u", "uint")))
