"""Steps at a coordinate that compute one element in the end are one expression.

    repeat [i]                                 repeat [i]
      buffer x [3]                               y[i + 1] = {x1 = …; x2 = …; x3 = …; top = max(max(x1, x2), x3); …}
      nest [k <= 3]
        x[k] = …
      top = reduce[k <= 3](max, x[k])
      y[i + 1] = … top …

Buffers of very few elements are names, and folds over them are written out, in the order they had.  A loop around such
steps is a nest, which runs on vectors; a repetition of them may be a scan.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.sizes import Size
from tolang.plan.access import fills
from tolang.plan.nest import Allocate, Bind, Buffer, Each, Free, Load, Named, Nest, Plan, Repeat, Scalar, Step, Where
from tolang.plan.rewriting import Bindings, Rewriter, map_lists
from tolang.plan.traversal import buffers_in, has_fold, volume
from tolang.rewrite.unrolling import MOST, without_short_folds


def one_expression(plan: Plan) -> Plan:
    """Steps that compute one element, with few numbers on the way, are one expression."""
    return map_lists(plan, lambda steps: tuple(map(_shorter, steps)))


def _shorter(step: Step) -> Step:
    match step:
        case Repeat(exchanges=(), steps=steps):
            made = _together(steps)
            return step if made is None else replace(step, steps=(made,))
        case Each(iterators=iterators, extents=extents, steps=steps) if iterators:
            made = _together(steps)
            return step if made is None else replace(made, iterators=iterators, extents=extents)
    return step


def _together(steps: tuple[Step, ...]) -> Nest | None:
    """Steps as one nest at a coordinate; None where they compute more than elements, or folds that are not short."""
    known, bindings = _Known(), list[tuple[str, Scalar]]()
    written: list[tuple[Nest, Bindings]] = []
    for step in steps:
        match step:
            case Allocate(buffer=buffer) if _is_few(buffer):
                known.few.add(buffer.name)
            case Free(buffer=buffer) if buffer.name in known.few:
                pass
            case Bind(name=name, value=value, mutable=False):
                bindings.append((name, known.named(value)))
            case Nest(targets=((buffer, at),)) if buffer.name in known.few and fills(step, buffer, at):
                bindings += [(name, known.named(value)) for name, value in _elements(step)]
            case Nest(iterators=(), targets=((buffer, at),), values=(value,)) if buffer.name not in known.few:
                written.append((step, tuple(bindings)))
                name = _name(buffer, at)
                bindings.append((name, known.named(value)))
                known.elements[buffer.name] = at
            case _:
                return None
    values, names = [value for _, value in bindings], {name for name, _ in bindings}
    places = {name for nest, _ in written for _, at in nest.targets for index in at for name in index.names()}
    if not written or known.lost or any(map(has_fold, values)) or names & places:
        return None
    if len(steps) == 1 and values[0] is written[0][0].values[0]:
        return None
    made = [_within(before, bindings[len(before)][1]) for _, before in written]
    first = written[0][0]
    return replace(first, targets=tuple(nest.targets[0] for nest, _ in written), values=tuple(made))


def _within(bindings: Bindings, value: Scalar) -> Scalar:
    return Where(bindings, value, column=value.column) if bindings else value


@dataclass(slots=True)
class _Known:
    """Buffers of few elements, and elements of others that were computed at this coordinate.

    It is `lost` which element is read where one of these buffers is read at a place that is not told.
    """

    few: set[str] = field(default_factory=set)
    elements: dict[str, tuple[Size, ...]] = field(default_factory=dict)
    lost: bool = False

    def named(self, scalar: Scalar) -> Scalar:
        """An expression without short folds, that reads by their names the elements that it says."""
        made = Rewriter(rule=self._by_name).scalar(without_short_folds(scalar))
        self.lost |= not buffers_in(made).isdisjoint({*self.few, *self.elements})
        return made

    def _by_name(self, one: Scalar) -> Scalar | None:
        if not isinstance(one, Load) or one.checks:
            return None
        few = one.buffer.name in self.few and all(index.constant is not None for index in one.indices)
        if not few and self.elements.get(one.buffer.name) != one.indices:
            return None
        return Named(_name(one.buffer, one.indices), column=one.column, span=one.span)


def _is_few(buffer: Buffer) -> bool:
    elements = volume(buffer.shape)
    return elements is not None and 1 <= elements <= MOST and buffer.panels is None


def _elements(nest: Nest) -> Iterator[tuple[str, Scalar]]:
    """The elements of a buffer that a nest fills, each by its name."""
    (buffer, _), *_ = nest.targets
    for places in product(*(range(1, int(extent.constant or 0) + 1) for extent in nest.extents)):
        at = tuple(map(Size.of, places))
        yield _name(buffer, at), Rewriter(dict(zip(nest.iterators, at, strict=True))).scalar(nest.values[0])


def _name(buffer: Buffer, at: tuple[Size, ...]) -> str:
    return f"{buffer.name} at {' '.join(map(str, at))}"
