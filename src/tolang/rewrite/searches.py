"""Binary searches (idioms/search.py) shift binary digits: no power, no quotient, no check in a step.

    steps = binary digits(n)
    reduce[k <= steps](p = 0 -> { q = p + halved(halved(n, k - 1) + 1, 1); if test(v[q]) then q else p })

Every coordinate they read at is inside, so that nothing is asked, and several of them can run side by side (*walks*).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.conditions import Condition, compare
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.spaces import column
from tolang.idioms.search import SearchFold, search_of
from tolang.plan.nest import (
    Bind,
    ConstantScalar,
    Group,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Reduction,
    Scalar,
    Select,
    Step,
    Where,
)
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import dependencies, occurrences, scalars_of

WHOLE = column("i64")


def search_by_halves(plan: Plan) -> Plan:
    """A search halves by shifts, and reads without checks."""
    numbers = count(1)
    return map_lists(plan, lambda steps: tuple(made for step in steps for made in _searching(step, numbers)))


def _searching(step: Step, numbers: Iterator[int]) -> tuple[Step, ...]:
    """A step, after the numbers of steps that its searches take."""
    if not isinstance(step, Nest | Bind):
        return (step,)
    inside = [one.scalar for value in scalars_of(step) for one in occurrences(value)]
    bound = {name: value for one in inside if isinstance(one, Where) for name, value in one.bindings}
    if not any(search_of(one, bound) for one in inside):
        return (step,)
    iterators = step.iterators if isinstance(step, Nest) else ()
    searches = _Searches(bound, frozenset({*iterators, *bound}), numbers)
    if isinstance(step, Bind):
        value = _used(searches.rewriter.scalar(step.value))
        return (*searches.lengths, replace(step, value=value))
    values = tuple(_used(searches.rewriter.scalar(value)) for value in step.values)
    return (*searches.lengths, replace(step, values=values))


@dataclass(slots=True)
class _Searches:
    """What becomes of the searches in a nest: those whose number of steps is known before it."""

    bound: dict[str, Scalar]
    inner: frozenset[str]
    numbers: Iterator[int]
    lengths: list[Step] = field(default_factory=list)
    rewriter: Rewriter = field(init=False)

    def __post_init__(self) -> None:
        self.rewriter = Rewriter(rule=self._replaced)

    def _replaced(self, scalar: Scalar) -> Scalar | None:
        search = search_of(scalar, self.bound)
        if search is None or search.extent.names() & self.inner:
            return None
        steps = f"{search.group.iterators[0]} steps {next(self.numbers)}"
        self.lengths.append(Bind(steps, Operation("binary digits", (_whole(search.extent),), column=WHOLE)))
        return Reduction(_halving(search, Size.of(steps)), 0, column=scalar.column, span=scalar.span)


def _halving(search: SearchFold, steps: Size) -> Group:
    """The fold with strides by shifts of binary digits."""
    group, at = search.group, search.coordinate
    here = Named(group.states[0], column=WHOLE)
    left = Operation("halved", (_whole(search.extent), _whole(Size.of(group.iterators[0]) - 1)), column=WHOLE)
    more = Operation("add", (left, ConstantScalar(1, column=WHOLE)), column=WHOLE)
    stride = Operation("halved", (more, ConstantScalar(1, column=WHOLE)), column=WHOLE)
    goal = Operation("add", (here, stride), column=WHOLE)
    test = Rewriter(rule=lambda one: _unchecked(one, at, search.extent)).scalar(search.test)
    chosen = Select(None, (test,), Named(at, column=WHOLE), here, column=WHOLE)
    start, step = ConstantScalar(0, column=WHOLE), Where(((at, goal),), chosen, column=WHOLE)
    return Group(group.iterators, (steps,), group.states, (WHOLE,), (start,), (step,))


def _whole(size: Size) -> Scalar:
    return Index(size, column=WHOLE)


def _unchecked(scalar: Scalar, at: str, extent: Size) -> Scalar | None:
    """A read at a coordinate of which it is known that it is inside, without the questions about that."""
    if not isinstance(scalar, Load):
        return None
    known: tuple[Condition, ...] = compare(">=", Size.of(at), ONE), compare(">=", extent, Size.of(at))
    return replace(scalar, checks=tuple(one for one in scalar.checks if one not in known))


def _used(scalar: Scalar) -> Scalar:
    """A scalar without the names around it that nothing uses any longer."""
    if not isinstance(scalar, Where):
        return scalar
    inner = _used(scalar.value)
    bindings = tuple(
        (name, value)
        for place, (name, value) in enumerate(scalar.bindings)
        if any(name in dependencies(later) for later in (inner, *(v for _, v in scalar.bindings[place + 1 :])))
    )
    return replace(scalar, bindings=bindings, value=inner) if bindings else inner
