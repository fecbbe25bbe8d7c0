"""Element types of values, as far as operators tell them: those that a node takes are held against its operator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from onnx import NodeProto, ValueInfoProto

from tolang.ground.dataclasses import replace
from tolang.onnx.domains import operator_of
from tolang.onnx.elements import SPACE_OF_ELEMENT
from tolang.onnx.faults import node_error
from tolang.onnx.signatures import OperatorSignature
from tolang.onnx.values import TensorValue, Value


def given_elements(node: NodeProto, operator: OperatorSignature, taken: Sequence[int | None]) -> list[int | None]:
    """The element types of what a node gives for some of what it takes, None where they are not known.

    An error where it takes tensors of types that its operator does not.
    """
    bound: dict[str, int] = {}
    for place, element in enumerate(taken):
        if element is None:
            continue
        name, alike = operator.types[min(place, len(operator.types) - 1)]
        allowed = operator.allowed[name]
        if element not in allowed:
            message = f"takes no tensor of {space(element)} as its input {place + 1}"
            raise node_error("E703", node, message, expected=", ".join(map(space, sorted(allowed))) or name)
        if alike and bound.setdefault(name, element) != element:
            found = f"{space(bound[name])} and {space(element)}"
            raise node_error("E703", node, "takes tensors of one element type", found=found)
    if operator_of(node) == "Cast":
        return [next((one.i or None for one in node.attribute if one.name == "to"), None)]
    return [_given(operator, place, bound) for place in range(len(node.output))]


def _given(operator: OperatorSignature, place: int, bound: dict[str, int]) -> int | None:
    """The element type of an output: the one that the inputs tell, or the only one there is."""
    name, alike = operator.given_types[min(place, len(operator.given_types) - 1)]
    if name in bound and alike:
        return bound[name]
    allowed = operator.allowed[name]
    return next(iter(allowed)) if len(allowed) == 1 else None


def declared_elements(infos: Iterable[ValueInfoProto]) -> dict[str, int]:
    """The element types of tensors by their names, where they are declared."""
    found = {one.name: one.type.tensor_type.elem_type for one in infos}
    return {name: element for name, element in found.items() if element}


def refuse_other_elements(node: NodeProto, found: Mapping[str, int | None], wanted: Mapping[str, int]) -> None:
    """An error where a node gives tensors, by their names, of other types than are declared."""
    for name, element in found.items():
        if element is not None and wanted.get(name, element) != element:
            message = f"gives {name!r}, which is declared with other elements"
            raise node_error("E703", node, message, found=space(element), expected=space(wanted[name]))


def refuse_unlike(node: NodeProto, message: str, first: Sequence[int | None], second: Sequence[int | None]) -> None:
    """An error where two tensors of a pair, as what both branches give, are of different types."""
    for one, other in zip(first, second, strict=False):
        if one is not None and other is not None and one != other:
            raise node_error("E703", node, message, found=f"{space(one)} and {space(other)}")


def element_in(value: Value | None) -> int | None:
    """The element type of a value, where it is a tensor of which it is known."""
    return value.element if isinstance(value, TensorValue) else None


def of_element(value: Value | None, element: int | None) -> Value | None:
    """A value with an element type that was not known of it."""
    if isinstance(value, TensorValue) and value.element is None and element is not None:
        return replace(value, element=element)
    return value


def space(element: int) -> str:
    """An element type as messages tell it."""
    return SPACE_OF_ELEMENT.get(element, str(element))
