"""Values: a type and the word that lines refer to it by."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any

from tolang.engines.llvm.ir.types import (
    ArrayType,
    DoubleType,
    FloatType,
    HalfType,
    IntType,
    IRType,
    LiteralStructType,
    PointerType,
    VectorType,
)

Undefined = object()
"""What a constant is that may be anything."""


class Value:
    __slots__ = ("type", "word")

    def __init__(self, kind: Any, word: str) -> None:
        self.type, self.word = kind, word


class Positive(Value):
    """A number that is known to be above zero."""

    __slots__ = ()


class Wanted(Value):
    """A value whose lines are written when it is first referred to, and not at all where nothing does."""

    __slots__ = ("_found", "_write")

    def __init__(self, kind: Any, write: Callable[[], Value]) -> None:
        self.type, self._write = kind, write
        self._found: Value | None = None

    @property
    def is_written(self) -> bool:
        return self._found is not None

    @property
    def word(self) -> str:  # type: ignore[override]  # found when it is asked for
        if self._found is None:
            self._found = self._write()
        return self._found.word


class Pointed(Value):
    """A function that is known by its address alone."""

    __slots__ = ("ftype", "name")

    def __init__(self, kind: Any, address: Value) -> None:
        super().__init__(address.type, address.word)
        self.ftype, self.name = kind, ""


class Instruction(Value):
    """An instruction that touches memory, or branches: its line may still get metadata."""

    __slots__ = ("_lines", "_place")

    def __init__(self, kind: Any, word: str, lines: list[Any]) -> None:
        self.type, self.word, self._lines, self._place = kind, word, lines, len(lines) - 1

    def set_metadata(self, name: str, node: Any) -> None:
        self._lines[self._place] += f", !{name} {node.word}"


class Phi(Value):
    """A value by where control comes from; it is put into words last, when all is known that comes."""

    __slots__ = ("incomings",)

    def __init__(self, kind: Any, word: str) -> None:
        super().__init__(kind, word)
        self.incomings: list[tuple[str, Value]] = []

    def add_incoming(self, value: Value, block: Any) -> None:
        self.incomings.append((value.word, block))

    def __str__(self) -> str:
        coming = ", ".join([f"[{word}, {block.word}]" for word, block in self.incomings])
        return f"{self.word} = phi {self.type.word} {coming}"


class Constant(Value):
    """A number, several of them for a vector, an array or a structure; nothing (`None`) is zero, or no pointer."""

    __slots__ = ("constant",)

    def __init__(self, kind: Any, constant: Any) -> None:
        self.type, self.constant = kind, constant
        if type(constant) is int and type(kind) is IntType:
            self.word = str(constant)
        elif constant is Undefined:
            self.word = "undef"
        else:
            self.word = _WORDS[type(kind)](kind, constant)


def _integer(kind: IRType, value: Any) -> str:
    return "0" if value is None else str(int(value))


def _double(kind: IRType, value: Any) -> str:
    return f"0x{struct.unpack('<Q', struct.pack('<d', 0.0 if value is None else value))[0]:016X}"


def _float(kind: IRType, value: Any) -> str:
    """A single float, as the double that it is, which is how LLVM reads them."""
    return _double(kind, ctypes.c_float(0.0 if value is None else value).value)


def _half(kind: IRType, value: Any) -> str:
    return f"0xH{struct.unpack('<H', struct.pack('<e', 0.0 if value is None else value))[0]:04X}"


def _pointer(kind: IRType, value: Any) -> str:
    if value is not None:
        raise TypeError("a pointer that is written down can only be none")
    return "null"


def _typed(kind: IRType, value: Any) -> str:
    one = value if isinstance(value, Value) else Constant(kind, value)
    return f"{one.type.word} {one.word}"


def _vector(kind: VectorType, value: Any) -> str:
    if value is None:
        return "zeroinitializer"
    first = value[0]
    if all(one is first for one in value):
        return f"splat ({_typed(kind.element, first)})"
    if type(kind.element) is IntType and all(type(one) is int for one in value):
        own = kind.element.word
        return "<" + ", ".join([f"{own} {one}" for one in value]) + ">"
    return "<" + ", ".join([_typed(kind.element, one) for one in value]) + ">"


def _array(kind: ArrayType, value: Any) -> str:
    return "zeroinitializer" if value is None else "[" + ", ".join([_typed(kind.element, one) for one in value]) + "]"


def _structure(kind: LiteralStructType, value: Any) -> str:
    if value is None:
        return "zeroinitializer"
    return "{" + ", ".join([_typed(own, one) for own, one in zip(kind.elements, value, strict=True)]) + "}"


_WORDS: dict[type, Callable[[Any, Any], str]] = {
    IntType: _integer,
    DoubleType: _double,
    FloatType: _float,
    HalfType: _half,
    PointerType: _pointer,
    VectorType: _vector,
    ArrayType: _array,
    LiteralStructType: _structure,
}
