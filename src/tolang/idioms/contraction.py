"""Contractions: nests whose elements are folds over pairs of operands that share no parallel dimension but a batch.

A nest is a contraction by the classification of its dimensions, not by any name or pattern of source:

    rows      parallel dimensions that only the left operands depend on
    columns   parallel dimensions that only the right operands depend on
    batch     parallel dimensions that both depend on
    depth     the fold's own dimensions

The operands are arbitrary scalar expressions (a padded read, a scaled one); what a step does with them and with the
state, one number or several, is an arbitrary function; what follows the fold is the epilogue.  A later fold may use
the result of an earlier one, as in a sum of exponentials below their largest: each fold is a phase.  Matrix products
over any semiring, products that tell which term won, convolutions, pairwise distances are all of this form.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.functions import COMPARISONS
from tolang.plan.access import access_to
from tolang.plan.nest import (
    Buffer,
    ConstantScalar,
    Group,
    Load,
    Named,
    Nest,
    Operation,
    Reduction,
    Scalar,
    Select,
    Where,
)
from tolang.plan.printer import signature
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import REMEMBERED, dependencies, guards_a_fold, has_fold, walk

Dimensions = tuple[tuple[str, Size], ...]
KEEP_STORAGE = COMPARISONS | {"cast", "convert"}
"""Functions whose arguments are not first brought into the storage of the result."""
NO_PARTS: Mapping[str, Size] = MappingProxyType({})
"""Of no length it is known that it is a part."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A part of a step that is computed before it, under a name."""

    name: str
    value: Scalar


@dataclass(frozen=True, slots=True)
class Phase:
    """One fold: its steps, with operands and earlier results (`extras`) named, and the order its depth is walked in.

    `extras` depend on rows and columns but not on the depth.
    """

    group: Group
    lefts: tuple[Operand, ...]
    rights: tuple[Operand, ...]
    extras: tuple[Operand, ...]
    initials: tuple[Scalar, ...]
    steps: tuple[Scalar, ...]
    depth: Dimensions


@dataclass(frozen=True, slots=True)
class Contraction:
    """A classified nest."""

    nest: Nest
    phases: tuple[Phase, ...]
    batch: Dimensions
    rows: Dimensions
    columns: Dimensions

    @property
    def group(self) -> Group:
        """The last fold, whose result the epilogue stores."""
        return self.phases[-1].group

    @property
    def depth(self) -> Dimensions:
        return self.phases[-1].depth


def count_of(dimensions: Dimensions, whole: Mapping[str, Size] = NO_PARTS) -> Size:
    """How many elements dimensions have; a length that is a part of one counts as that `whole` one."""
    return math.prod((extent for _, extent in dimensions), start=ONE).substitute(whole)


def contraction_of(nest: Nest) -> Contraction | None:
    """The nest as a contraction, dimensions of one coordinate left out; None where it is none.

    It is found once for what a nest computes, whatever its schedule.
    """
    if not any(map(has_fold, nest.values)):
        return None
    return _classified(nest.iterators, nest.extents, nest.targets, nest.values, nest.origin)


@lru_cache(maxsize=REMEMBERED)
def _classified(
    iterators: tuple[str, ...],
    extents: tuple[Size, ...],
    targets: tuple[tuple[Buffer, tuple[Size, ...]], ...],
    values: tuple[Scalar, ...],
    origin: str,
) -> Contraction | None:
    """The contraction that a nest of these parts is."""
    nest = without_single(Nest(iterators, extents, targets, values, origin))
    known: dict[str, Scalar] = {}
    groups = groups_of(nest, known)
    if not groups or not nest.iterators:
        return None
    parallel = frozenset(nest.iterators)
    first = groups[0]
    separated: list[tuple[_Separation, tuple[Scalar, ...]]] = []
    for group in groups:
        written = [inlined(step, known, group, first) for step in group.steps]
        separation = _Separation(parallel, _depth_names(group, first), group.states)
        steps = [None if step is None else separation.of(step) for step in written]
        used = frozenset[str]().union(*(dependencies(step) for step in written if step is not None))
        if any(step is None for step in steps) or not parallel <= used:
            return None
        separated.append((separation, tuple(step for step in steps if step is not None)))
    return _arranged(nest, groups, known, separated)


@lru_cache(maxsize=REMEMBERED)
def without_single(nest: Nest) -> Nest:
    """The nest without dimensions that have one coordinate, as long as others are left."""
    single = {i: ONE for i, extent in zip(nest.iterators, nest.extents, strict=True) if extent.is_constant(1)}
    if not single or len(single) == len(nest.iterators):
        return nest
    kept = [(i, extent) for i, extent in zip(nest.iterators, nest.extents, strict=True) if i not in single]
    smaller = replace(nest, iterators=tuple(i for i, _ in kept), extents=tuple(extent for _, extent in kept))
    return Rewriter(single).nest(smaller)


def fold_apart(contraction: Contraction, order: Dimensions, name: str) -> tuple[Nest, Nest] | None:
    """The fold of a contraction with a result of its own, whose dimensions have an order, and what is computed of it.

    None where there is more than one fold.
    """
    nest, names, shape = contraction.nest, tuple(one for one, _ in order), tuple(extent for _, extent in order)
    result, at = Buffer(name, contraction.phases[0].group.columns[0], shape), tuple(map(Size.of, names))
    folds: list[Reduction] = []

    def fold(scalar: Scalar) -> Scalar | None:
        if not isinstance(scalar, Reduction):
            return None
        folds.append(scalar)
        return Load(result, at, column=scalar.column)

    rest = Rewriter(rule=fold).nest(nest)
    if len({id(one.group) for one in folds}) != 1 or any(map(has_fold, rest.values)):
        return None
    return replace(nest, iterators=names, extents=shape, targets=((result, at),), values=(folds[0],)), rest


class _Separation:
    """Parts of a step taken out of it: operands, which depend on fewer dimensions than the nest has, and extras."""

    def __init__(self, parallel: frozenset[str], depth: tuple[str, ...], states: tuple[str, ...]) -> None:
        self.parallel, self.depth, self.states = parallel, frozenset(depth), frozenset(states)
        self.operands: dict[str, tuple[Operand, frozenset[str]]] = {}
        self.extras: dict[str, Operand] = {}

    def of(self, scalar: Scalar) -> Scalar | None:
        """The expression with its largest such parts replaced by names; None where something else is left."""
        if isinstance(scalar, ConstantScalar):
            return scalar
        names = dependencies(scalar)
        if not names & self.states:
            own = names & self.parallel
            folded = any(isinstance(s, Reduction) for s in walk(scalar))
            if not folded and own != self.parallel:
                return self._operand(scalar, own)
            if not names & self.depth:
                extra = self.extras.setdefault(signature(scalar), Operand(f"extra {len(self.extras)}", scalar))
                return Named(extra.name, column=scalar.column)
        match scalar:
            case Named():
                return scalar
            case Operation(arguments=arguments):
                parts = [self.of(self._stored_alike(a, scalar)) for a in arguments]
                if any(p is None for p in parts):
                    return None
                return replace(scalar, arguments=tuple(p for p in parts if p is not None))
            case Select(guard=None, test=test, then=then, otherwise=otherwise):
                truth, one, two = self.of(test[0]), self.of(then), self.of(otherwise)
                if truth is None or one is None or two is None:
                    return None
                return replace(scalar, test=(truth,), then=one, otherwise=two)
        return None

    def _stored_alike(self, scalar: Scalar, around: Operation) -> Scalar:
        """An operand in the storage that the function around it computes in, so that it is cast once and for all."""
        column = around.column
        if (
            around.function in KEEP_STORAGE
            or isinstance(scalar, ConstantScalar)
            or scalar.column.storage == column.storage
        ):
            return scalar
        names = dependencies(scalar)
        varies = names & self.states or not self.parallel - names
        return scalar if varies else Operation("cast", (scalar,), column=column)

    def _operand(self, scalar: Scalar, own: frozenset[str]) -> Scalar:
        made = Operand(f"operand {len(self.operands)}", scalar), own
        operand, _ = self.operands.setdefault(signature(scalar), made)
        return Named(operand.name, column=scalar.column)


def _arranged(
    nest: Nest,
    groups: list[Group],
    known: dict[str, Scalar],
    separated: list[tuple[_Separation, tuple[Scalar, ...]]],
) -> Contraction | None:
    """Operands put left and right so that the last dimension of the output that can runs along the columns."""
    sets = [own for separation, _ in separated for _, own in separation.operands.values()]
    if not sets:
        return None
    shared = frozenset.intersection(*sets)
    pivot = next((i for i in access_to(*nest.targets[0]).fastest_first(nest.iterators) if i not in shared), None)
    if pivot is None:
        return None
    across = frozenset[str]().union(*(own for own in sets if pivot in own))
    down = frozenset[str]().union(*(own for own in sets if pivot not in own))
    if across | down != frozenset(nest.iterators) or not across - down or not down - across:
        return None
    extents = dict(zip(nest.iterators, nest.extents, strict=True))

    def dimensions(chosen: frozenset[str]) -> Dimensions:
        return tuple((i, extents[i]) for i in nest.iterators if i in chosen)

    phases = []
    for group, (separation, steps) in zip(groups, separated, strict=True):
        lefts, rights = _named_sides(separation, pivot)
        names = {old: new.name for old, new in (*lefts, *rights)}
        depth = tuple(zip(_depth_names(group, groups[0]), group.extents, strict=True))
        ordered = depth if group.combine is not None else depth[::-1]
        extras = tuple(separation.extras.values())
        initials = tuple(s for i in group.initials if (s := inlined(i, known, group, group)) is not None)
        named = tuple(_renamed(step, names) for step in steps)
        operands = tuple(o for _, o in lefts), tuple(o for _, o in rights)
        phases.append(Phase(group, *operands, extras, initials, named, ordered))
    batch = across & down
    return Contraction(nest, tuple(phases), dimensions(batch), dimensions(down - batch), dimensions(across - batch))


def _named_sides(separation: _Separation, pivot: str) -> tuple[list[tuple[str, Operand]], list[tuple[str, Operand]]]:
    """The operands of the left and of the right, named so, each beside the name it had."""
    sides: dict[str, list[tuple[str, Operand]]] = {"left": [], "right": []}
    for operand, own in separation.operands.values():
        side = "right" if pivot in own else "left"
        number = len(sides[side])
        sides[side].append((operand.name, Operand(f"{side} {number + 1}" if number else side, operand.value)))
    return sides["left"], sides["right"]


def _renamed(scalar: Scalar, names: dict[str, str]) -> Scalar:
    def rule(one: Scalar) -> Scalar | None:
        return replace(one, name=names.get(one.name, one.name)) if isinstance(one, Named) else None

    return Rewriter(rule=rule).scalar(scalar)


def groups_of(nest: Nest, known: dict[str, Scalar]) -> list[Group] | None:
    """The folds of a nest, each after those it uses; `known` gets the bound scalars."""
    found: dict[int, Group] = {}
    if any(guards_a_fold(value) for value in nest.values):
        return None

    def visit(scalar: Scalar) -> None:
        if isinstance(scalar, Where):
            known.update(scalar.bindings)
        for child in scalar.children():
            visit(child)
        if isinstance(scalar, Reduction) and id(scalar.group) not in found:
            for inner in (*scalar.group.initials, *scalar.group.steps):
                visit(inner)
            found[id(scalar.group)] = scalar.group

    for value in nest.values:
        visit(value)
    groups = list(found.values())
    outer = frozenset(nest.iterators)
    varying = any(e.names() & outer for g in groups for e in g.extents) or any(e.names() & outer for e in nest.extents)
    if not groups or varying:
        return None
    iterators = {name for g in groups for name in (*g.iterators, *g.states)}
    for group in groups:
        others = iterators - {*group.iterators, *group.states}
        starts = [inlined(i, known, group, group) for i in group.initials]
        if any(s is None or dependencies(s) & (outer | iterators) for s in starts):
            return None
        if any(dependencies(s) & others for s in group.steps):
            return None
    return groups


def _depth_names(group: Group, first: Group) -> tuple[str, ...]:
    """A fold's iterators, named as the first fold's where both have one, so that equal operands look equal."""
    return first.iterators if len(group.iterators) == len(first.iterators) == 1 else group.iterators


def inlined(scalar: Scalar, known: dict[str, Scalar], group: Group, first: Group) -> Scalar | None:
    """The expression with bound scalars written out, its depth named anew; None where such a scalar is an index."""

    def rule(one: Scalar) -> Scalar | None:
        match one:
            case Where(value=value):
                return rewriter.scalar(value)
            case Named(name=name) if name in known:
                return rewriter.scalar(known[name])
            case Reduction():
                return one
        return None

    names = {
        old: Size.of(new) for old, new in zip(group.iterators, _depth_names(group, first), strict=True) if old != new
    }
    rewriter = Rewriter(sizes=names, rule=rule)
    made = rewriter.scalar(scalar)
    return None if dependencies(made) & known.keys() else made
