"""Sorts: folds that insert each element behind the ones that come before it in an order, which is insertion sort.

    repeat [i <= n]
      j = 1 + reduce[u <= i - 1](add, s[u] <= e(i))
      s[1:i] = [s[1:j-1], e(i), s[j:i-1]]

The position may also be found by a binary search (idioms/search.py), which finds how many come before the new
one wherever those are the first ones.

Where the comparison is one of `<`, `<=`, `>`, `>=` on one component of numbers, `s` is in order before every step, so
that the elements counted are the first ones.  Hence after the last step `p` stands before a later element `e` exactly
where `p <= e` holds, which is what a merge asks as well:

    insertion sort of x = merge(insertion sort of its first part, insertion sort of the rest)

NaN compares with nothing.  Where the position of a NaN is behind all others (`if e == e then j else i`), `p <= e` or
`e` is NaN orders everything; where it is not, the equation holds as long as there is none.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.conditions import compare
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.idioms.choice_fold import MIRRORED
from tolang.idioms.search import search_of
from tolang.plan.equality import alike
from tolang.plan.nest import (
    Allocate,
    Bind,
    Buffer,
    ConstantScalar,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Reduction,
    Repeat,
    RequireStep,
    Scalar,
    Select,
    Where,
)
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import buffers_in, loads, names_in

Place = tuple[Size, ...]


@dataclass(frozen=True, slots=True)
class Sort:
    """Elements, after the steps that `prepare` them, in an order: the earlier first where `relation` holds of keys.

    `targets` are the places of element number `iterator`.  Where `nan_last` does not hold, NaN must not occur.
    """

    iterator: str
    extent: Size
    prepare: tuple[Bind, ...]
    targets: tuple[tuple[Buffer, Place], ...]
    elements: tuple[Scalar, ...]
    following: tuple[Buffer, ...]
    key: int
    relation: str
    nan_last: bool


@dataclass(frozen=True, slots=True)
class _Order:
    """What a position tells: the component compared, how, and whether NaN is put behind all others."""

    key: int
    relation: str
    nan_last: bool


def sort_of(repeat: Repeat) -> Sort | None:
    """A repetition as a sort; None where it is none."""
    if len(repeat.iterators) != 1 or repeat.exchanges:
        return None
    iterator = repeat.iterators[0]
    binds = tuple(s for s in repeat.steps if isinstance(s, Bind))
    steps = [s for s in repeat.steps if not (isinstance(s, RequireStep) and _is_met(s, iterator, binds))]
    made = tuple(s.buffer for s in steps if isinstance(s, Allocate))
    nests = [s for s in steps if isinstance(s, Nest)]
    if len(nests) != 2 or not binds or len(binds) + len(made) + len(nests) != len(steps):
        return None
    position = binds[-1]
    targets = _copied_back(nests[1], iterator, made)
    if targets is None or any(b.mutable for b in binds):
        return None
    elements = _inserted(nests[0], iterator, position.name, targets, made)
    if elements is None or any(buffer.column.storage.startswith("c") for buffer, _ in targets):
        return None
    states = {buffer.name for buffer, _ in targets}
    if any(_depends(one, states, position.name) for one in elements) or any(_reads(b, states) for b in binds[:-1]):
        return None
    order = _order(binds, iterator, targets, elements)
    if order is None:
        return None
    return Sort(iterator, repeat.extents[0], binds[:-1], targets, elements, made, order.key, order.relation,
                order.nan_last)  # fmt: skip


def _is_met(demand: RequireStep, iterator: str, binds: tuple[Bind, ...]) -> bool:
    """Whether every step of a sort meets a demand: that it is one, and that it inserts at one of as many positions."""
    step, position = Size.of(iterator), Size.of(binds[-1].name) if binds else ONE
    return demand.condition in (compare(">=", step, ONE), compare(">=", position, ONE), compare(">=", step, position))


def _moved(at: Place, iterator: str, to: Size) -> Place:
    return tuple(index.substitute({iterator: to}) for index in at)


def _copied_back(nest: Nest, iterator: str, made: tuple[Buffer, ...]) -> tuple[tuple[Buffer, Place], ...] | None:
    """The state's buffers and the places of its element number `iterator`, where all of it is copied from new ones."""
    if nest.extents != (Size.of(iterator),) or len(nest.targets) != len(made):
        return None
    own = nest.iterators[0]
    for value, new in zip(nest.values, made, strict=True):
        plain = isinstance(value, Load) and value.buffer.name == new.name and value.indices == (Size.of(own),)
        if not plain or any(at.names() & {iterator} for _, place in nest.targets for at in place):
            return None
    return tuple((buffer, _moved(at, own, Size.of(iterator))) for buffer, at in nest.targets)


def _inserted(
    nest: Nest, iterator: str, position: str, targets: tuple[tuple[Buffer, Place], ...], made: tuple[Buffer, ...]
) -> tuple[Scalar, ...] | None:
    """The element put in at a position between stretches of the old state; None where something else is computed."""
    if nest.extents != (Size.of(iterator),) or [b.name for b, _ in nest.targets] != [b.name for b in made]:
        return None
    own, place = Size.of(nest.iterators[0]), Size.of(position)
    found: list[Scalar] = []
    for (_, at), value, (state, where) in zip(nest.targets, nest.values, targets, strict=True):
        match value:
            case Select(
                guard=before, then=Load() as kept, otherwise=Select(guard=here, then=element, otherwise=Load() as moved)
            ):
                guards = before == compare(">=", place, own + 1) and here == compare(">=", place, own)
                stays = kept.buffer.name == state.name and kept.indices == _moved(where, iterator, own)
                shifts = moved.buffer.name == state.name and moved.indices == _moved(where, iterator, own - 1)
                if at != (own,) or not (guards and stays and shifts) or own.names() & names_in(element):
                    return None
                found.append(element)
            case _:
                return None
    return tuple(found)


def _depends(element: Scalar, states: set[str], position: str) -> bool:
    return position in names_in(element) or not states.isdisjoint(buffers_in(element))


def _reads(bind: Bind, states: set[str]) -> bool:
    return any(load.buffer.name in states for load in loads(bind))


def _order(
    binds: tuple[Bind, ...], iterator: str, targets: tuple[tuple[Buffer, Place], ...], elements: tuple[Scalar, ...]
) -> _Order | None:
    """The order in which a position, bound last, is that behind the elements before the new one."""
    position, around = _written_out(binds[-1].value)
    bound = {**{bind.name: bind.value for bind in binds[:-1]}, **around}
    before = Size.of(iterator) - 1
    start, rest = _without_one(position)
    nan_last, compared = False, None
    match rest:
        case Select(guard=None, test=(Operation(function="eq" | "ineq" as asked, arguments=(first, second)),)):
            found, last = (rest.then, rest.otherwise) if asked == "eq" else (rest.otherwise, rest.then)
            if not alike(first, second) or not isinstance(last, Index) or last.size != before:
                return None
            rest, nan_last, compared = found, True, first
    counted = _counted(rest, before, 1 - start) or _searched(rest, before, 1 - start, bound)
    if counted is None:
        return None
    iterating, test = counted
    for key, ((state, at), element) in enumerate(zip(targets, elements, strict=True)):
        relation = _relation(test, state, _moved(at, iterator, Size.of(iterating)), element)
        if relation is not None and (compared is None or alike(compared, element)):
            return _Order(key, relation, nan_last)
    return None


def _written_out(scalar: Scalar) -> tuple[Scalar, dict[str, Scalar]]:
    """A scalar with the names bound around it replaced by what they stand for; and these, for sizes have names, too."""
    known: dict[str, Scalar] = {}
    rewriter = Rewriter(rule=lambda one: known.get(one.name) if isinstance(one, Named) else None)
    while isinstance(scalar, Where):
        known.update({name: rewriter.scalar(value) for name, value in scalar.bindings})
        scalar = scalar.value
    return rewriter.scalar(scalar), known


def _without_one(scalar: Scalar) -> tuple[int, Scalar]:
    """A sum with 1 as 1 and the rest, anything else as 0 and itself."""
    if isinstance(scalar, Operation) and scalar.function == "add":
        for one, rest in (scalar.arguments, scalar.arguments[::-1]):
            if isinstance(one, ConstantScalar | Index) and _is_one(one):
                return 1, rest
    return 0, scalar


def _is_one(scalar: ConstantScalar | Index) -> bool:
    return scalar.value == 1 if isinstance(scalar, ConstantScalar) else scalar.size.is_constant(1)


def _counted(scalar: Scalar, extent: Size, start: int) -> tuple[str, Scalar] | None:
    """The iterator and the test of a fold that counts, from a start, for how many of the first elements it holds."""
    if not isinstance(scalar, Reduction) or len(scalar.group.states) != 1 or scalar.group.extents != (extent,):
        return None
    group = scalar.group
    initial, step = group.initials[0], group.steps[0]
    if not isinstance(initial, ConstantScalar) or initial.value != start:
        return None
    if not isinstance(step, Operation) or step.function != "add":
        return None
    for kept, test in (step.arguments, step.arguments[::-1]):
        if isinstance(kept, Named) and kept.name == group.states[0] and test.column.storage == "bool":
            return group.iterators[0], test
    return None


def _searched(scalar: Scalar, extent: Size, start: int, bound: dict[str, Scalar]) -> tuple[str, Scalar] | None:
    """The coordinate and the test of a binary search for how many of the first elements the test holds."""
    search = search_of(scalar, bound)
    return (search.coordinate, search.test) if search is not None and start == 0 and search.extent == extent else None


def _relation(test: Scalar, state: Buffer, at: Place, element: Scalar) -> str | None:
    """How an element of the state is compared with the new one; None where they are not."""
    if not isinstance(test, Operation) or test.function not in MIRRORED:
        return None
    first, second = test.arguments
    for old, new, relation in ((first, second, test.function), (second, first, MIRRORED[test.function])):
        held = isinstance(old, Load) and old.buffer.name == state.name and old.indices == at
        if held and alike(new, element) and new.column.storage == state.column.storage:
            return relation
    return None
