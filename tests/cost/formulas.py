"""Formulas written in Python's notation, as sizes to compare costs with."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tolang.ground.symbolic.sizes import Size


class _Name:
    """A size variable with the arithmetic of sizes, and division by whole numbers."""

    def __init__(self, size: Size) -> None:
        self.size = size

    def __add__(self, other: Any) -> _Name:
        return _Name(self.size + _size(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> _Name:
        return _Name(self.size - _size(other))

    def __rsub__(self, other: Any) -> _Name:
        return _Name(_size(other) - self.size)

    def __mul__(self, other: Any) -> _Name:
        return _Name(self.size * _size(other))

    __rmul__ = __mul__

    def __truediv__(self, other: int) -> _Name:
        return _Name(self.size * Fraction(1, other))

    def __pow__(self, other: int) -> _Name:
        return _Name(self.size**other)


def _size(value: Any) -> Size:
    return value.size if isinstance(value, _Name) else Size.of(value)


class _Names(dict[str, Any]):
    def __missing__(self, name: str) -> _Name:
        return _Name(Size.of(name))


def formula(text: str | int) -> Size:
    """The size that a formula such as `2*k*m*n + n*(n+1)/2` means."""
    return _size(eval(str(text), {"__builtins__": {}}, _Names()))
