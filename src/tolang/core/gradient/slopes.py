"""Slopes of the element that each step of a fold appends: all of them are computed before the fold goes back.

    d[r+1] = (d[r] + g) / u * e        →        w[i] = e / u        d[r+1] = (d[r] + g) * w[…]

What a step gives to the element before it, and to the names around it, is the cotangent of its element times numbers
that do not depend on it.  Where these are dear, they are computed once, for all steps side by side, and the cotangent
that goes from step to step waits for a sum and a product only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce

from tolang.core.core import Apply, Coordinate, Expr, Literal, Map, Part, Range, Reduce, Variable
from tolang.core.gradient.adjoint import Adjoint
from tolang.core.gradient.building import (
    applied,
    apply,
    chosen,
    component,
    cotangent_column,
    embedded,
    indexed,
    is_real,
    mapped,
    number,
    part,
    settled,
)
from tolang.core.gradient.frames import BindingFrame, Contribution, Frame, enclosed, loops_of_fold
from tolang.core.gradient.names import substituted
from tolang.core.gradient.normal import is_dear
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import ONE, Size

MOST_SLOPES = 8
"""As many slopes of a step as this are worth a table."""


@dataclass(frozen=True, slots=True, eq=False)
class Slopes:
    """The slopes of a step's element: by the element before it, and by places of `names` around, in one table."""

    iterators: tuple[str, ...]
    table: Variable
    value: Expr
    by_before: bool
    names: Sequence[tuple[str, Contribution]]

    def give_back(self, cotangent: Expr, places: Sequence[Size]) -> Expr:
        """What the element before gets at a step of the cotangent of its element."""
        return self._times(cotangent, 1, places) if self.by_before else number(0)

    def spread(self, adjoint: Adjoint, cotangent: Expr) -> None:
        """Gives names what they get of a cotangent, at the step where the iterators are."""
        places = [Size.of(one) for one in self.iterators]
        first = 2 if self.by_before else 1
        for position, (name, one) in enumerate(self.names, first):
            adjoint.contribute(name, one.component, one.coordinates, self._times(cotangent, position, places))

    def _times(self, cotangent: Expr, position: int, places: Sequence[Size]) -> Expr:
        """A cotangent times a slope; nothing where there is none of it, even where the slope is beyond all numbers."""
        slope = indexed(component(self.table, position), places)
        return chosen(None, (applied("eq", cotangent, number(0)),), number(0), apply("mul", cotangent, slope))


def slopes_of(outside: Adjoint, fold: Reduce, element: Expr, whole: Expr, going_back: bool) -> Slopes | None:
    """The slopes of what a fold's step appends; None where they are cheap, or there are others than at fixed places.

    `whole` is what the fold gives.  The element before is among what they are slopes by where they are for going back.
    """
    adjoint, (state,), length = outside.beside(), fold.states, fold.state_types[0].shape[0]
    adjoint.active.update(outside.active)
    adjoint.scope.frames += loops_of_fold(fold)
    depth = len(adjoint.scope.frames)
    before = adjoint.scope.bind(state, part(whole, (Range(ONE, length),)))
    if going_back:
        adjoint.active.add(before.name)
    own_element = substituted(element, adjoint.names, values={state: before})
    adjoint.spread(own_element, (number(1),), indexed(whole, [length + 1]))
    found = [(name, one) for name, every in adjoint.contributions.items() for one in every]
    frames = tuple(adjoint.scope.frames)
    inside = frames[depth:]
    if not 1 < len(found) <= MOST_SLOPES or not all(_is_fixed(one, inside, frames) for _, one in found):
        return None
    values = {
        frame.names[0]: frame.value for frame in inside if isinstance(frame, BindingFrame) and len(frame.names) == 1
    }
    if not any(is_dear(one.value, values) for _, one in found):
        return None
    ratios = [_ratio(adjoint, one.value, values) for _, one in found]
    slopes = [(*one, slope) for one, slope in zip(found, _divided(adjoint, ratios), strict=True)]
    own = [slope for name, _, slope in slopes if name == before.name]
    others = [(name, one) for name, one, _ in slopes if name != before.name]
    listed = [reduce(lambda one, two: apply("add", one, two), own)] if own else []
    listed += (slope for name, _, slope in slopes if name != before.name)
    column = fold.state_types[0].column
    real = [settled(o, cotangent_column(o.type.column if is_real(o.type.column) else column)) for o in listed]
    body = enclosed(adjoint.scope.frames[depth:], embedded(real), adjoint.names)
    table = substituted(mapped(fold.iterators, fold.extents, body), adjoint.names)
    return Slopes(fold.iterators, Variable(adjoint.names.fresh("w"), type=table.type), table, bool(own), others)


def _is_fixed(one: Contribution, inside: Sequence[Frame], around: Sequence[Frame]) -> bool:
    """Whether a contribution is made at each step, to a place that no data says."""
    if one.coordinates is None or any(a is not b for a, b in zip(one.frames, around, strict=False)):
        return False
    bound = set().union(*(frame.bound for frame in inside if isinstance(frame, BindingFrame)))
    named = set().union(*(place.names() for place in one.coordinates))
    return len(one.frames) <= len(around) and not named & bound


@dataclass(frozen=True, slots=True, eq=False)
class _Ratio:
    """A product, and by what it is divided at the end: on the way quotients may be beyond all numbers, and it not."""

    times: Expr
    per: Expr | None
    negative: bool


def _ratio(adjoint: Adjoint, expr: Expr, values: Mapping[str, Expr]) -> _Ratio:
    above, below, negative, base = list[Expr](), list[Expr](), False, expr
    while True:
        match base:
            case Variable(name=name) if _is_product(values.get(name)):
                base = values[name]
            case Part(subject=Variable(name=name)) if isinstance(of := values.get(name), Map) and _is_element(base):
                base = adjoint.at(of, [item.index for item in base.items if isinstance(item, Coordinate)])
            case Apply(function="neg", arguments=(one,)):
                negative, base = not negative, one
            case Apply(function="mul", arguments=(one, two)):
                above.append(two)
                base = one
            case Apply(function="div", arguments=(one, two)):
                below.append(two)
                base = one
            case _:
                break
    if not below:
        return _Ratio(expr, None, False)
    times, per = (reduce(lambda one, two: apply("mul", one, two), part) for part in ([base, *above], below))
    return _Ratio(times, per, negative)


def _is_product(value: Expr | None) -> bool:
    return isinstance(value, Literal) or (isinstance(value, Apply) and value.function in ("neg", "mul", "div"))


def _divided(adjoint: Adjoint, ratios: Sequence[_Ratio]) -> list[Expr]:
    """Ratios as they are computed: what several are divided by is divided by once."""
    divisors = [one.per for one in ratios if isinstance(one.per, Variable)]
    times = Counter(one.name for one in divisors)
    several = {one.name: one for one in divisors if times[one.name] > 1}
    inverses = {
        name: adjoint.scope.bind("v", applied("div", number(1), one), shared=True) for name, one in several.items()
    }
    found: list[Expr] = []
    for one in ratios:
        value = one.times
        if isinstance(one.per, Variable) and one.per.name in inverses:
            value = apply("mul", value, inverses[one.per.name])
        elif one.per is not None:
            value = apply("div", value, one.per)
        found.append(apply("neg", value) if one.negative else value)
    return found


def _is_element(read: Part) -> bool:
    return all(isinstance(item, Coordinate) and not item.written for item in read.items)
