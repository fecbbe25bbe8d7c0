"""What a model's input is, up to its elements: one program serves all data of one kind."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from tolang.ground.dataclasses import dataclass
from tolang.ground.values.arrays import refuse_masked
from tolang.onnx.elements import SPACE_OF_ELEMENT, Array, dtype_of_element, element_of
from tolang.onnx.faults import model_error

if TYPE_CHECKING:
    from onnx import TensorShapeProto, ValueInfoProto


TEXT = 8
"""The element type of text."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A tensor: its element type, and its lengths, numbers or names of sizes."""

    element: int
    lengths: tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class KnownTensor:
    """A tensor whose elements the program is made for: a shape, axes, a count."""

    element: int
    shape: tuple[int, ...]
    content: bytes | tuple[str, ...]
    dtype: np.dtype[Any]

    @property
    def array(self) -> Array:
        if isinstance(self.content, tuple):
            return np.array(self.content, dtype=object).reshape(self.shape)
        return np.frombuffer(self.content, self.dtype).reshape(self.shape)


@dataclass(frozen=True, slots=True)
class Items:
    """A sequence of as many items."""

    items: tuple[Kind, ...]


Kind = Leaf | KnownTensor | Items | None
"""None is an optional that holds nothing."""


@dataclass(frozen=True, slots=True)
class DeclaredInput:
    """An input as a model declares it; `declared` is None where it leaves the rank open, or the input is no tensor.

    A `static` one is a shape, axes or a count: some operator must know its elements while checking.
    """

    name: str
    element: int
    declared: Kind
    is_tensor: bool
    static: bool

    @classmethod
    def of(cls, info: ValueInfoProto, static: bool) -> DeclaredInput:
        """An input by its declaration."""
        tensor = info.type.tensor_type
        is_tensor = info.type.WhichOneof("value") == "tensor_type"
        if not is_tensor or not tensor.HasField("shape"):
            return cls(info.name, tensor.elem_type, None, is_tensor, static)
        lengths = [
            one.dim_value if one.dim_value > 0 or _is_zero(one) else _own_name(one.dim_param, f"{info.name}_{axis}")
            for axis, one in enumerate(tensor.shape.dim, 1)
        ]
        return cls(info.name, tensor.elem_type, Leaf(tensor.elem_type, tuple(lengths)), is_tensor, static)

    def __str__(self) -> str:
        """The input as it is declared."""
        if self.is_tensor and isinstance(self.declared, Leaf):
            shape = f" [{', '.join(map(str, self.declared.lengths))}]" if self.declared.lengths else ""
            return f"{self.name}: {SPACE_OF_ELEMENT[self.element]}{shape}"
        return self.name

    @property
    def is_open(self) -> bool:
        """Whether the program is made for its elements or for its rank."""
        return self.static or self.declared is None


OPEN = frozenset({"", "?", "-1", "None"})
"""Names of lengths that tell nothing: each is a length of its own."""
_TERM = re.compile(r"\s*([+-]?)\s*(?:(\d+)\s*\*\s*)?(?:([A-Za-z_]\w*)|(\d+))\s*")


def _is_zero(length: TensorShapeProto.Dimension) -> bool:
    return bool(length.WhichOneof("value") == "dim_value" and length.dim_value == 0)


def _own_name(name: str, otherwise: str) -> str:
    """The name of an open length, or another where it has none."""
    return otherwise if name.strip() in OPEN else name


def terms_of(length: str) -> tuple[tuple[int, str], ...]:
    """The terms of a length that is a sum of others, such as `past + 2*new`: factors and names, "" for a number.

    There are none where it is a name alone, or anything else.
    """
    found: list[tuple[int, str]] = []
    place = 0
    while place < len(length):
        term = _TERM.match(length, place)
        if term is None or bool(term[1]) != bool(found):
            return ()
        sign, factor, name, number = term.groups()
        found.append(((-1 if sign == "-" else 1) * int(factor or 1) * int(number or 1), name or ""))
        place = term.end()
    return () if len(found) == 1 and found[0][0] == 1 else tuple(found)


def kind_of(given: DeclaredInput, value: Any) -> Kind:
    """The kind of data for an input."""
    if value is None:
        return None
    if isinstance(value, list | tuple) and not given.is_tensor:
        return Items(tuple(kind_of(given, one) for one in value))
    array = as_array(value)
    if given.static:
        array = in_element(array, given)
        content = tuple(array.reshape(-1).tolist()) if array.dtype == object else array.tobytes()
        return KnownTensor(element_of(array), array.shape, content, array.dtype)
    declared = given.declared
    if not isinstance(declared, Leaf):
        return Leaf(given.element or element_of(array), array.shape)
    if len(declared.lengths) != array.ndim:
        message = f"the input {given.name!r} has {array.ndim} dimensions, declared are {len(declared.lengths)}"
        raise model_error("E705", message)
    return declared


def in_element(array: Array, given: DeclaredInput) -> Array:
    """Data that the program is made for in the element type declared for it."""
    if not given.element or element_of(array) == given.element:
        return array
    converted = None
    if TEXT not in (element_of(array), given.element):
        with suppress(ValueError, TypeError, OverflowError):
            converted = array.astype(dtype_of_element(given.element))
    if converted is None or not np.array_equal(converted, array):
        message = f"the input {given.name!r} is declared with other elements"
        raise model_error("E705", message, found=str(array.dtype), expected=SPACE_OF_ELEMENT[given.element])
    return converted


def as_declared(value: Any, given: DeclaredInput) -> Array:
    """Data for what Python computes, in the element type declared for it: rounded where both are of one kind."""
    array = as_array(value)
    if given.element and TEXT not in (element_of(array), given.element):
        goal = dtype_of_element(given.element)
        if np.can_cast(array.dtype, goal, "same_kind"):
            with np.errstate(all="ignore"):
                return array.astype(goal, copy=False)
    return in_element(array, given)


def has_open_length(kind: Kind) -> bool:
    """Whether a length of a tensor is a name."""
    return isinstance(kind, Leaf) and any(isinstance(one, str) for one in kind.lengths)


def of_lengths(kind: Kind, value: Any, sizes: Mapping[str, Any]) -> Kind:
    """A tensor's kind with known lengths in place of names: those of its shape or data, or of sizes by name."""
    if not isinstance(kind, Leaf):
        return kind
    shape = tuple(value) if isinstance(value, tuple | list) else getattr(value, "shape", None)
    if shape is not None and len(shape) == len(kind.lengths) and all(isinstance(one, int) for one in shape):
        pairs = zip(kind.lengths, shape, strict=True)
        return Leaf(kind.element, tuple(one if isinstance(one, int) else given for one, given in pairs))
    found = (_known_length(one, sizes) if isinstance(one, str) else one for one in kind.lengths)
    return Leaf(kind.element, tuple(found))


def _known_length(length: str, sizes: Mapping[str, Any]) -> Any:
    """A length by its name or by those of its terms, or the name where it is not known."""
    terms = terms_of(length)
    if length in sizes or not terms or any(name and name not in sizes for _, name in terms):
        return sizes.get(length, length)
    return sum(factor * (sizes[name] if name else 1) for factor, name in terms)


def as_array(value: Any) -> Array:
    """Data as an array; a TensorProto is read, and text is held as objects."""
    if not isinstance(value, np.ndarray) and type(value).__name__ == "TensorProto":
        from tolang.onnx.protos import to_array

        return to_array(value)
    refuse_masked(value)
    try:
        array = np.asarray(value)
    except Exception as error:  # lists that are ragged, or whatever another library raises
        raise model_error("E705", f"the data ({type(value).__name__}) is not an array: {error}") from error
    return _texts(array) if array.dtype.kind in "OUS" else array


def _texts(array: Array) -> Array:
    """Text of any form as objects of Python's own."""
    if array.dtype.kind == "U":
        return array.astype(object)
    found = np.empty(array.size, dtype=object)
    try:
        found[:] = [one.decode("utf-8") if isinstance(one, bytes) else one for one in array.reshape(-1).tolist()]
    except UnicodeDecodeError:
        raise model_error("E705", "data of bytes is not text in UTF-8") from None
    if not all(isinstance(one, str) for one in found):
        raise model_error("E705", "data of Python objects is not a tensor, unless all of them are text")
    return found.reshape(array.shape)
