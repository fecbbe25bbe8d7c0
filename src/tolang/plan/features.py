"""What stands in a plan, so that a pass is not run where nothing is that it looks for.

Each pass names what it cannot do without (`Pass.looks_for`).  Where defects are raised, as in tests, passes run all the
same, and one that changes a plan without what it looks for is a defect.
"""

from __future__ import annotations

from enum import Flag, auto
from functools import lru_cache, reduce
from operator import or_
from typing import Any

from tolang.ground.symbolic.sizes import Quotient, Size
from tolang.ground.values.spaces import is_narrow
from tolang.plan.nest import (
    Allocate,
    Bind,
    Branch,
    Checked,
    Each,
    Group,
    Load,
    Nest,
    Operation,
    Plan,
    Repeat,
    Scalar,
    Select,
    Step,
)
from tolang.plan.traversal import REMEMBERED, conditions_in, nodes_inside, read_buffers, sizes_in, written_buffers


class Feature(Flag):
    """Something that a plan may have; several of them together where any will do."""

    FOLDS = auto()
    VARYING_FOLDS = auto()
    """Folds whose lengths are told by coordinates around them."""
    NARROW_FOLDS = auto()
    """Folds of floats narrower than f32."""
    REPETITIONS = auto()
    LOOPS_OF_STEPS = auto()
    BINDINGS = auto()
    """Scalars that steps bind."""
    BUFFERS = auto()
    """Buffers that steps allocate."""
    INTERMEDIATES = auto()
    """Buffers that steps write and read."""
    SEVERAL_STEPS = auto()
    SINGLE_COORDINATES = auto()
    """Dimensions of one coordinate."""
    QUOTIENTS = auto()
    """Quotients of coordinates, in indices and conditions."""
    GUARDS = auto()
    """Choices by coordinates."""
    CHECKED_READS = auto()
    CHOICES = auto()
    EXPONENTIALS = auto()
    LOGARITHMS = auto()
    REMAINDERS = auto()
    CONVERSIONS = auto()
    """Conversions that may be refused."""
    BYTES = auto()
    """Numbers of eight bits."""
    FUSED_SUMS = auto()
    """Products that are added in one instruction."""


NOTHING = Feature(0)
_OF_FUNCTIONS = {
    "exp": Feature.EXPONENTIALS,
    "log": Feature.LOGARITHMS,
    "mod": Feature.REMAINDERS,
    "convert": Feature.CONVERSIONS,
    "fused": Feature.FUSED_SUMS,
}


def features_of(plan: Plan) -> Feature:
    """Everything of this that a plan has."""
    found = reduce(or_, map(_features_of, plan.steps), NOTHING)
    written = frozenset[str]().union(*map(written_buffers, plan.steps))
    if not written.isdisjoint(frozenset[str]().union(*map(read_buffers, plan.steps))):
        found |= Feature.INTERMEDIATES
    if sum(isinstance(step, Nest | Each | Repeat | Bind) for step in plan.steps) > 1:
        found |= Feature.SEVERAL_STEPS
    return found


@lru_cache(maxsize=REMEMBERED)
def _features_of(step: Step) -> Feature:
    """What stands in a step, at any depth."""
    inside = nodes_inside(step)
    iterators = {name for node in inside if isinstance(node, Nest | Each | Repeat | Group) for name in node.iterators}
    found = {_of_scalar(node) if isinstance(node, Scalar) else _of_node(node, iterators) for node in inside}
    return reduce(or_, found, NOTHING)


def _of_node(node: Any, iterators: set[str]) -> Feature:
    """What a step or a fold is itself."""
    match node:
        case Group(extents=extents, columns=columns):
            found = Feature.FOLDS | _of_extents(extents)
            if any(not extent.names().isdisjoint(iterators) for extent in extents):
                found |= Feature.VARYING_FOLDS
            return found | Feature.NARROW_FOLDS if any(is_narrow(one.storage) for one in columns) else found
        case Nest(extents=extents):
            return _of_extents(extents)
        case Repeat(extents=extents):
            return Feature.LOOPS_OF_STEPS | Feature.SEVERAL_STEPS | Feature.REPETITIONS | _of_extents(extents)
        case Each(extents=extents):
            return Feature.LOOPS_OF_STEPS | Feature.SEVERAL_STEPS | _of_extents(extents)
        case Allocate():
            return Feature.BUFFERS
        case Bind():
            return Feature.BINDINGS
        case Branch():
            return Feature.SEVERAL_STEPS
    return NOTHING


def _of_scalar(scalar: Scalar) -> Feature:
    """What a scalar is itself."""
    found = Feature.BYTES if scalar.column.storage in ("i8", "u8") else NOTHING
    match scalar:
        case Select(guard=guard):
            found |= Feature.CHOICES if guard is None else Feature.CHOICES | Feature.GUARDS
        case Load(checks=(_, *_)) | Checked():
            found |= Feature.CHECKED_READS
        case Operation(function=function):
            return found | _OF_FUNCTIONS.get(function, NOTHING)
    return found | Feature.QUOTIENTS if _divides(scalar) else found


def _of_extents(extents: tuple[Size, ...]) -> Feature:
    return Feature.SINGLE_COORDINATES if any(extent.is_constant(1) for extent in extents) else NOTHING


def _divides(scalar: Scalar) -> bool:
    """Whether an index or a condition of a scalar has a quotient."""
    sizes = [*sizes_in(scalar), *(c.size for d in conditions_in(scalar) for c in d.walk() if c.size is not None)]
    return any(isinstance(atom, Quotient) for size in sizes for monomial in size.terms for atom in monomial)
