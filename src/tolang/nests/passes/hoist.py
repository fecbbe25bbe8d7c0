"""Folds leave the loops that they do not depend on: `x[i,j] / sum(x[i])` adds each row up once, not once an element.

The cost rule: a fold that depends on some of a nest's coordinates only is computed once for each of those, into a
buffer no longer than the nest's own result, or a name if it depends on none.  It is left where it is if computing it
early could fail where it would not have been computed at all, or if the nest is a contraction with its kernel.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass
from tolang.ground.sizes import Size
from tolang.nests.nest import Allocate, Bind, Buffer, Load, Named, Nest, Plan, Reduction, Scalar, Step, Where
from tolang.nests.patterns.contraction import contraction_of
from tolang.nests.rewriting import Rewriter, map_lists
from tolang.nests.traversal import Occurrence, may_fail, names_in, occurrences


def hoist(plan: Plan) -> Plan:
    """A fold that depends on few of a nest's coordinates is computed once for each of those."""
    return map_lists(plan, lambda steps: tuple(made for step in steps for made in _hoisted(step)))


@dataclass(frozen=True, slots=True)
class _Moved:
    """A fold outside its nest: the coordinates it depends on, and the names of what holds its components."""

    fold: Reduction
    iterators: tuple[str, ...]
    extents: tuple[Size, ...]
    name: str


def _hoisted(step: Step) -> list[Step]:
    if not isinstance(step, Nest) or not step.iterators or contraction_of(step) is not None:
        return [step]
    inner = {
        n for v in step.values for o in occurrences(v) if isinstance(o.scalar, Where) for n, _ in o.scalar.bindings
    }
    moved: dict[tuple[int, int], _Moved] = {}
    for value in step.values:
        for one in occurrences(value):
            fold = one.scalar
            if isinstance(fold, Reduction) and (id(fold.group), fold.position) not in moved:
                found = _movable(one, fold, step, inner, len(moved))
                if found is not None:
                    moved[id(fold.group), fold.position] = found
    if not moved:
        return [step]
    before = [made for one in moved.values() for made in _computed(one)]
    return [*before, _reading(step, moved)]


def _movable(one: Occurrence, fold: Reduction, nest: Nest, inner: set[str], number: int) -> _Moved | None:
    if not one.always or one.folded or may_fail(fold):
        return None
    used = names_in(fold)
    depends = [(i, e) for i, e in zip(nest.iterators, nest.extents, strict=True) if i in used]
    lengths = {name for _, extent in depends for name in extent.names()}
    if used & inner or len(depends) == len(nest.iterators) or lengths & set(nest.iterators):
        return None
    name = f"{nest.targets[0][0].name.rsplit('.', 1)[0]} fold{number + 1}.1"
    return _Moved(fold, tuple(i for i, _ in depends), tuple(e for _, e in depends), name)


def _computed(one: _Moved) -> list[Step]:
    """The steps that compute a fold before its nest."""
    if not one.iterators:
        return [Bind(one.name, one.fold)]
    fresh = {i: Size.of(f"{i} of {one.name}") for i in one.iterators}
    at = tuple(fresh.values())
    buffer = Buffer(one.name, one.fold.column, one.extents)
    value = Rewriter(fresh).scalar(one.fold)
    iterators = tuple(str(i) for i in at)
    return [Allocate(buffer), Nest(iterators, one.extents, ((buffer, at),), (value,), one.name.rsplit(".", 1)[0])]


def _reading(nest: Nest, moved: dict[tuple[int, int], _Moved]) -> Step:
    """The nest with what was computed before it in place of the folds."""

    def rule(scalar: Scalar) -> Scalar | None:
        one = moved.get((id(scalar.group), scalar.position)) if isinstance(scalar, Reduction) else None
        if one is None:
            return None
        if not one.iterators:
            return Named(one.name, column=scalar.column, span=scalar.span)
        buffer = Buffer(one.name, one.fold.column, one.extents)
        return Load(buffer, tuple(Size.of(i) for i in one.iterators), column=scalar.column, span=scalar.span)

    return Rewriter(rule=rule).step(nest)
