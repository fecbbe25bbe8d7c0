"""Arithmetic of two tensors, among it that of lengths, which stays known while checking."""

from __future__ import annotations

from onnx import NodeProto, TensorProto

from tolang.ground.enclosure import Unbounded, enclosed
from tolang.ground.sizes import Size
from tolang.onnx.importer import Importer, Scope
from tolang.onnx.values import TensorValue, Value

WHOLE = frozenset({TensorProto.INT32, TensorProto.INT64})
"""The element types that lengths are reckoned in."""
LONGEST = 1 << 40
"""No dimension is longer than this."""
MOST_LENGTHS = 8
"""Vectors of more lengths than this are not looked at one by one."""


def aligned(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope) -> list[Value]:
    """An operator of two inputs; before opset 7 an axis may tell where the second stands beside the first."""
    given = {one.name: one.i for one in node.attribute}
    first, second = inputs
    if "axis" in given and isinstance(first, TensorValue) and isinstance(second, TensorValue):
        text = importer.define(f"{node.output[0]}_beside", f"aligned({second.text}, {first.text}, {given['axis']})")
        second = TensorValue(text)
    plain = NodeProto()
    plain.CopyFrom(node)
    del plain.attribute[:]
    plain.attribute.extend(one for one in node.attribute if one.name not in ("axis", "broadcast"))
    return importer.call(plain, [first, second])


def divided(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope) -> list[Value]:
    """Div; the whole part of a quotient of lengths stays known while checking.

    Where it is that of lengths less a number, as `(n - 1)/4` is, these are taken for positive: for an empty tensor the
    program is made anew.
    """
    first, second = inputs
    divisor = importer.elements(second) if isinstance(second, TensorValue) and second.is_known else None
    if (
        not isinstance(first, TensorValue)
        or not isinstance(second, TensorValue)
        or not (first.measured and first.element in WHOLE)
        or divisor is None
        or not (divisor > 0).all()
        or importer.elements(first) is not None
    ):
        return aligned(importer, node, inputs, scope)
    positive = int(_is_positive(importer, first))
    text = f"length_quotient({first.text}, {second.text}, {positive})"
    return [TensorValue(importer.define(node.output[0], text), measured=True)]


def _is_positive(importer: Importer, value: TensorValue) -> bool:
    """Whether lengths are not negative, if need be by taking open dimensions for positive, which is noted."""
    kind = importer.probe(value)
    count = kind.shape[0].constant if kind.rank == 1 else 1
    if kind.rank > 1 or not isinstance(count, int) or count > MOST_LENGTHS:
        return False
    places = [value.text] if kind.rank == 0 else [f"{value.text}[{k}]" for k in range(1, count + 1)]
    found = [importer.probe(TensorValue(f"tol[{one}]")).shape[0] for one in places]
    assumed = [_assumed(one, frozenset(importer.sizes.values())) for one in found]
    if any(one is None for one in assumed):
        return False
    importer.assumed.update(name for names in assumed if names for name in names)
    return True


def _assumed(length: Size, open_sizes: frozenset[str]) -> tuple[str, ...] | None:
    """The sizes that are to be positive so that a length is not negative: none, one or all; None if that is not so."""
    names = sorted(length.names())
    if not open_sizes.issuperset(names):
        return None
    for wanted in ((), *((name,) for name in names), tuple(names)):
        box = {name: (int(name in wanted), LONGEST) for name in names}
        try:
            if enclosed(length, box)[0] >= 0:
                return wanted
        except Unbounded:
            return None
    return None
