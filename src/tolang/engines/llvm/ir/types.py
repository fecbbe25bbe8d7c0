"""Types: equal ones are one object, which knows its word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self


class IRType:
    """A type, and the pointer to it once it was asked for."""

    __slots__ = ("_pointer", "word")
    word: str
    _pointer: PointerType | None
    _made: dict[Any, Any]

    def __init_subclass__(cls) -> None:
        cls._made = {}

    @classmethod
    def _of(cls, key: Any, word: str) -> tuple[Self, bool]:
        """The type of a key, and whether it is new."""
        known = cls._made.get(key)
        if known is not None:
            return known, False
        made = cls._made[key] = object.__new__(cls)
        made.word, made._pointer = word, None
        return made, True

    def as_pointer(self) -> PointerType:
        if self._pointer is None:
            self._pointer = PointerType(self)
        return self._pointer

    def at(self, position: Any) -> IRType:
        """The type of a part."""
        raise TypeError(f"{self.word} has no parts")

    def __str__(self) -> str:
        return self.word

    def __reduce__(self) -> Any:
        raise TypeError("types are one object each")


class IntType(IRType):
    __slots__ = ("width",)
    width: int

    def __new__(cls, width: int) -> Self:
        made, fresh = cls._of(width, f"i{width}")
        if fresh:
            made.width = width
        return made


class HalfType(IRType):
    __slots__ = ()

    def __new__(cls) -> Self:
        return cls._of(None, "half")[0]


class FloatType(IRType):
    __slots__ = ()

    def __new__(cls) -> Self:
        return cls._of(None, "float")[0]


class DoubleType(IRType):
    __slots__ = ()

    def __new__(cls) -> Self:
        return cls._of(None, "double")[0]


class VoidType(IRType):
    __slots__ = ()

    def __new__(cls) -> Self:
        return cls._of(None, "void")[0]


class PointerType(IRType):
    """A pointer, which LLVM has one type for, and what is expected behind it, which is for us."""

    __slots__ = ("pointee",)
    pointee: IRType

    def __new__(cls, pointee: IRType) -> Self:
        made, fresh = cls._of(pointee, "ptr")
        if fresh:
            made.pointee = pointee
        return made


class _Repeated(IRType):
    """So many elements of one type."""

    __slots__ = ("count", "element")
    element: IRType
    count: int

    def at(self, position: Any) -> IRType:
        return self.element


class VectorType(_Repeated):
    __slots__ = ()

    def __new__(cls, element: IRType, count: int) -> Self:
        known = cls._made.get((element, count))
        if known is not None:
            return known  # type: ignore[no-any-return]  # of this class
        made, _ = cls._of((element, count), f"<{count} x {element.word}>")
        made.element, made.count = element, count
        return made


class ArrayType(_Repeated):
    __slots__ = ()

    def __new__(cls, element: IRType, count: int) -> Self:
        made, fresh = cls._of((element, count), f"[{count} x {element.word}]")
        if fresh:
            made.element, made.count = element, count
        return made


class LiteralStructType(IRType):
    __slots__ = ("elements",)
    elements: tuple[IRType, ...]

    def __new__(cls, elements: Sequence[IRType]) -> Self:
        key = tuple(elements)
        made, fresh = cls._of(key, "{" + ", ".join([one.word for one in key]) + "}")
        if fresh:
            made.elements = key
        return made

    def at(self, position: Any) -> IRType:
        found: IRType = self.elements[position.constant]
        return found


class StructType(LiteralStructType):
    """A structure that a module has a name for: one of many parts would be long wherever it is written."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, elements: Sequence[IRType], name: str = "") -> Self:
        made, fresh = cls._of((name, *elements), f"%{name}")
        if fresh:
            made.elements, made.name = tuple(elements), name
        return made

    @property
    def definition(self) -> str:
        return f"{self.word} = type {{{', '.join([one.word for one in self.elements])}}}"


class FunctionType(IRType):
    __slots__ = ("args", "return_type")
    return_type: IRType
    args: tuple[IRType, ...]

    def __new__(cls, return_type: IRType, args: Sequence[IRType]) -> Self:
        key = (return_type, *args)
        made, fresh = cls._of(key, f"{return_type.word} ({', '.join([one.word for one in args])})")
        if fresh:
            made.return_type, made.args = return_type, tuple(args)
        return made
