"""Elements at places that data tells, for neighbours on a line: the places are read as a vector and checked at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tolang.engines.cpu.emission.vector_expressions import ContiguousAxes, Travel, number, on_vectors, travels
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.magnitudes import read_plainly
from tolang.engines.llvm.types import ANYWHERE, I1, I32, any_lane, memory_type
from tolang.engines.llvm.vectors import splat
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.values.spaces import is_complex
from tolang.plan.access import access_of
from tolang.plan.nest import OUTSIDE, Load, Operation, Scalar, Where
from tolang.plan.traversal import dependencies, walk


def travels_or_gathers(scalar: Scalar, line: ContiguousAxes, bound: frozenset[str]) -> bool:
    """Whether an expression can be computed for neighbours on a line at once, some of it at places from data."""
    if travels(scalar, line, bound) or is_gathered(scalar, line):
        return True
    inner = scalar.arguments if isinstance(scalar, Operation) and on_vectors(scalar) else ()
    return bool(inner) and all(travels_or_gathers(one, line, bound) for one in inner)


def is_gathered(scalar: Scalar, line: ContiguousAxes) -> bool:
    """Whether an expression is an element whose place is read along a line, and held on both sides by its checks."""
    match scalar:
        case Where(bindings=((name, Load(column=place_column, checks=()) as place),), value=Load() as element):
            pass
        case _:
            return False
    if place_column.storage != "i64" or access_of(place).stride(line.name) is None:
        return False
    buffer, storage = element.buffer, element.buffer.column.storage
    if buffer.panels is not None or is_complex(storage) or storage == "bool":
        return False
    if dependencies(element) & line.names or any(name not in check.names() for check in element.checks):
        return False
    return read_plainly(element.indices, element.checks, frozenset({name})) == {name}


def beside_places(scalar: Scalar, line: ContiguousAxes) -> Iterator[Load]:
    """What an expression that gathers reads side by side, its places among it.

    The next row of such an expression mostly lies behind the last in memory, as those of sparse matrices do; what data
    says of where rows begin a processor cannot know ahead of time.
    """
    if any(is_gathered(one, line) for one in walk(scalar)):
        for one in walk(scalar):
            if isinstance(one, Load) and access_of(one).unit_stride(line.name):
                yield one


def gathered(travel: Travel, scalar: Where) -> Any:
    """The elements of neighbours; nothing is read where one of the places is outside."""
    emitter, builder = travel.emitter, travel.builder
    ((name, place),), element = scalar.bindings, scalar.value
    assert isinstance(place, Load)
    assert isinstance(element, Load)
    places = travel.load(place)
    wrong: Any = ir.Constant(ir.VectorType(I1, travel.lanes), None)
    for check in element.checks:
        wrong = builder.or_(wrong, _outside(travel, check, name, places))
    emitter.reporter(OUTSIDE, element.span)(builder, wrong)
    kind = ir.VectorType(memory_type(element.buffer.column.storage), travel.lanes)
    with builder.if_else(any_lane(builder, wrong)) as (bad, good):
        with bad:
            before = builder.block
        with good:
            found = _one_by_one(travel, (name, place), element, kind)
            after = builder.block
    joined = builder.phi(kind)
    joined.add_incoming(ir.Constant(kind, None), before)
    joined.add_incoming(found, after)
    return joined


def _outside(travel: Travel, check: Condition, name: str, places: Any) -> Any:
    """Which places a check refuses; it compares the place with the rest of it, so that nothing wraps around."""
    builder = travel.builder
    assert check.size is not None
    split = check.size.split(name)
    assert split is not None
    rest = travel.emitter.size(split[1])
    if split[0].is_constant(1):
        return builder.icmp_signed("<", places, splat(builder, builder.neg(rest), travel.lanes))
    return builder.icmp_signed(">", places, splat(builder, rest, travel.lanes))


def _one_by_one(travel: Travel, bound: tuple[str, Load], element: Load, kind: Any) -> Any:
    """Elements at places that are known to be there; each place is read once more, which is sooner than taken apart."""
    emitter, builder, (name, place) = travel.emitter, travel.builder, bound
    first = builder.add(emitter.names[travel.line.name].value, travel.place)
    found: Any = ir.Constant(kind, ir.Undefined)
    for lane in range(travel.lanes):
        with emitter.scope():
            emitter.names[travel.line.name] = BoundValue.index(builder.add(first, number(lane)))
            emitter.names[name] = BoundValue(emitter.scalar(place), "i64")
            with emitter.reading(element.buffer, element.indices, element.checks):
                one = builder.load(emitter.address(element.buffer, element.indices), align=ANYWHERE)
            emitter.apart(one, element.buffer)
        found = builder.insert_element(found, one, ir.Constant(I32, lane))
    return found
