"""Scans: folds that append one element a step, each computed from the one before it.

    repeat [i <= n]                        repeat [i <= n]
      s[i + 1] = add(mul(2, s[i]), x[i])     if i == 1 then s[i] = x[i] else s[i] = max(s[i - 1], x[i])

What was written last need not be read again: it is carried along.  Where the step combines it with an element by a
function that may be regrouped, the scan can be cut into blocks.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.functions import REORDERABLE
from tolang.plan.nest import Branch, Buffer, Load, Named, Nest, Operation, Repeat, Scalar, Where
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import buffers_in, dependencies, read_buffers

CARRIED = "carried "
"""How names of carried elements begin: no name of a program has a space."""
Targets = tuple[tuple[Buffer, tuple[Size, ...]], ...]


@dataclass(frozen=True, slots=True)
class Scan:
    """Elements at `targets`, computed by `steps` from the ones before them, which are `carried`, by `first` at 1."""

    iterator: str
    extent: Size
    carried: tuple[str, ...]
    targets: Targets
    steps: tuple[Scalar, ...]
    first: tuple[Scalar, ...] | None
    combine: str | None


def scan_of(repeat: Repeat) -> Scan | None:
    """A repetition as a scan; None where it is none."""
    if len(repeat.iterators) != 1 or len(repeat.steps) != 1:
        return None
    iterator, step = repeat.iterators[0], repeat.steps[0]
    first: Nest | None = None
    if isinstance(step, Branch) and step.guard is not None and _is_first(step.guard, iterator):
        sides = (step.then, step.otherwise)
        if any(len(side) != 1 or not isinstance(side[0], Nest) for side in sides):
            return None
        first, step = (side[0] for side in sides)  # type: ignore[assignment]  # nests, as just seen
    if not isinstance(step, Nest) or step.iterators or (first is not None and not _writes_alike(first, step)):
        return None
    lags = [_before(at, iterator, first is not None) for _, at in step.targets]
    before = {b.name: (number, lag) for number, ((b, _), lag) in enumerate(zip(step.targets, lags, strict=True)) if lag}
    if len(before) != len(step.targets) or (first is not None and not read_buffers(first).isdisjoint(before)):
        return None
    carried = tuple(f"{CARRIED}{number}" for number in range(len(step.targets)))
    steps = _carrying(step, before, carried)
    if steps is None:
        return None
    combine = _combined(steps[0], carried[0]) if len(steps) == 1 else None
    start = None if first is None else first.values
    return Scan(iterator, repeat.extents[0], carried, step.targets, steps, start, combine)


def _is_first(guard: Condition, iterator: str) -> bool:
    """Whether a condition is `i == 1`."""
    size = guard.size
    return guard.kind == "zero" and size is not None and size in (Size.of(iterator) - 1, ONE - Size.of(iterator))


def _writes_alike(first: Nest, step: Nest) -> bool:
    places = [[(b.name, at) for b, at in nest.targets] for nest in (first, step)]
    return not first.iterators and places[0] == places[1]


def _before(at: tuple[Size, ...], iterator: str, separate: bool) -> tuple[Size, ...] | None:
    """The place written one step earlier; None unless places follow each other along one axis, inside the ToL."""
    moving = [axis for axis, index in enumerate(at) if iterator in index.names()]
    if len(moving) != 1:
        return None
    shift = (at[moving[0]] - Size.of(iterator)).constant
    if shift is None or shift < (0 if separate else 1):
        return None
    return (*at[: moving[0]], at[moving[0]] - 1, *at[moving[0] + 1 :])


def _carrying(
    step: Nest, before: dict[str, tuple[int, tuple[Size, ...]]], carried: tuple[str, ...]
) -> tuple[Scalar, ...] | None:
    """The step with the elements before its own replaced by names; None where it reads others of them."""

    def rule(scalar: Scalar) -> Scalar | None:
        if isinstance(scalar, Load) and scalar.buffer.name in before:
            number, place = before[scalar.buffer.name]
            if scalar.indices == place:
                return Named(carried[number], column=scalar.column, span=scalar.span)
        return None

    rewriter = Rewriter(rule=rule)
    steps = tuple(rewriter.scalar(v) for v in step.values)
    return steps if all(buffers_in(value).isdisjoint(before) for value in steps) else None


def _combined(step: Scalar, carried: str) -> str | None:
    """The function that joins what is carried and an element, where it may be regrouped."""
    match step:
        case Where(bindings=bindings, value=value) if not any(carried in dependencies(one) for _, one in bindings):
            return _combined(value, carried)
        case Operation(function="fused", arguments=(Named(name=name), *factors)) if name == carried:
            return None if any(carried in dependencies(one) for one in factors) else "add"
        case Operation(function=function, arguments=arguments) if function in REORDERABLE:
            for kept, element in (arguments, arguments[::-1]):
                alike = element.column.storage == step.column.storage
                if alike and isinstance(kept, Named) and kept.name == carried and carried not in dependencies(element):
                    return function
    return None
