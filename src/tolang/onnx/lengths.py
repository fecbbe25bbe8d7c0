"""Arithmetic of two tensors, among it that of lengths, which stays known while checking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onnx import NodeProto, TensorProto

from tolang.ground.symbolic.enclosure import Unbounded, enclosed
from tolang.ground.symbolic.sizes import Size
from tolang.onnx.elements import vector
from tolang.onnx.importer import GraphScope, Importer
from tolang.onnx.values import TensorValue, Value, named
from tolang.syntax import making, tree

WHOLE = frozenset({TensorProto.INT32, TensorProto.INT64})
"""The element types that lengths are reckoned in."""
LONGEST = 1 << 40
"""No dimension is longer than this."""
MOST_ASSUMED = 64
"""Dimensions are taken to be at least so long, or less; images that networks take are."""
MOST_LENGTHS = 8
"""Vectors of more lengths than this are not looked at one by one."""


def aligned(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """An operator of two inputs; before opset 7 an axis may tell where the second stands beside the first."""
    given = {one.name: one.i for one in node.attribute}
    first, second = inputs
    if "axis" in given and isinstance(first, TensorValue) and isinstance(second, TensorValue):
        beside = making.call("aligned", second.expression, first.expression, making.whole(given["axis"]))
        second = named(importer.define(f"{node.output[0]}_beside", beside))
    plain = NodeProto()
    plain.CopyFrom(node)
    del plain.attribute[:]
    plain.attribute.extend(one for one in node.attribute if one.name not in ("axis", "broadcast"))
    return importer.call(plain, [first, second])


def divided(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """Div; the whole part of a quotient of lengths stays known while checking.

    Where it is that of lengths less a number, as `(n - 1)/4` is, these are taken to be long enough for it not to be
    negative: for shorter tensors, such as empty ones, the program is made anew.
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
    positive = making.whole(int(_is_positive(importer, first)))
    quotient = making.call("length_quotient", first.expression, second.expression, positive)
    return [named(importer.define(node.output[0], quotient), measured=True)]


def one_hot(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """OneHot; one that chooses among lengths, by an index that is known, is a row of them that stays known."""
    indices, depth, values = inputs
    if not isinstance(values, TensorValue) or not values.measured:
        return importer.call(node, inputs)
    places, count = (importer.elements(one) if isinstance(one, TensorValue) else None for one in (indices, depth))
    if places is None or count is None or places.shape != (1,) or not 0 < int(count.flat[0]) <= MOST_LENGTHS:
        return importer.call(node, inputs)
    length, place = int(count.flat[0]), int(places[0])
    chosen = vector(2 if k in (place, place + length) else 1 for k in range(length))
    row = importer.define(f"{node.output[0]}_row", making.call("pick", values.expression, chosen))
    made = importer.call(node, inputs)
    if isinstance(made[0], TensorValue):
        importer.rows[made[0].text] = named(row, measured=True)
    return made


def _is_positive(importer: Importer, value: TensorValue) -> bool:
    """Whether lengths are not negative, if need be by taking open dimensions to be long enough, which is noted."""
    kind = importer.probe(value)
    count = kind.shape[0].constant if kind.rank == 1 else 1
    if kind.rank > 1 or not isinstance(count, int) or count > MOST_LENGTHS:
        return False
    each = [making.element(value.expression, making.whole(k)) for k in range(1, count + 1)]
    places: Sequence[tree.Expression] = [value.expression] if kind.rank == 0 else each
    found = [importer.probe(TensorValue(making.zeros(one))).shape[0] for one in places]
    assumed = [_assumed(one, frozenset(importer.sizes.values())) for one in found]
    if any(one is None for one in assumed):
        return False
    for name, least in (pair for one in assumed if one for pair in one.items()):
        importer.assumed[name] = max(least, importer.assumed.get(name, 0))
    return True


def _assumed(length: Size, open_sizes: frozenset[str]) -> dict[str, int] | None:
    """How long sizes are to be so that a length is not negative: none, one or all of them; None if that is not so."""
    names = sorted(length.names())
    if not open_sizes.issuperset(names):
        return None
    for wanted in ((), *((name,) for name in names), tuple(names)):
        least = 1
        while wanted and least < MOST_ASSUMED and not _is_natural(length, names, dict.fromkeys(wanted, least)):
            least += 1
        if _is_natural(length, names, dict.fromkeys(wanted, least)):
            return dict.fromkeys(wanted, least)
    return None


def _is_natural(length: Size, names: Sequence[str], least: Mapping[str, int]) -> bool:
    """Whether a length is not negative where some sizes are of a least length."""
    try:
        return bool(enclosed(length, {name: (least.get(name, 0), LONGEST) for name in names})[0] >= 0)
    except Unbounded:
        return False
