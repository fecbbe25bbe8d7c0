"""Keys in order that a sort has left, and searches among them (idioms/search.py).

In order, the elements that are less than an item, or no greater, are the first ones: a search finds how many there are,
and any other way to count them gives the same.  What is no number is behind all numbers, and neither less nor equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import Size
from tolang.idioms.search import SearchFold, search_of
from tolang.idioms.sort import Sort, sort_of
from tolang.plan.nest import Buffer, Load, Nest, Operation, Repeat, Scalar, Step, Where
from tolang.plan.traversal import dependencies, occurrences
from tolang.plan.uses import uses_of


@dataclass(frozen=True, slots=True)
class OrderedKeys:
    """Keys in order, and how many they are."""

    buffer: Buffer
    extent: Size


@dataclass(frozen=True, slots=True)
class Sought:
    """A search among keys in order for how many are less than an item (`lt`), or no greater (`le`)."""

    search: SearchFold
    relation: str
    item: Scalar


def ordered_keys(steps: Sequence[Step]) -> Iterator[tuple[int, OrderedKeys]]:
    """The vectors that sorts leave in order, the least first, and nobody else changes; by the positions of sorts."""
    uses = uses_of(tuple(steps))
    for place, step in enumerate(steps):
        sort = sort_of(step) if isinstance(step, Repeat) else None
        if sort is None or not _is_plain(sort):
            continue
        keys = sort.targets[sort.key][0]
        if uses.writers[keys.name] == {place}:
            yield place, OrderedKeys(keys, sort.extent)


def _is_plain(sort: Sort) -> bool:
    """Whether a sort leaves its keys in a vector of their own, the least first."""
    buffer, at = sort.targets[sort.key]
    return sort.relation == "le" and at == (Size.of(sort.iterator),) and buffer.shape == (sort.extent,)


def bound_in(nest: Nest) -> dict[str, Scalar]:
    """All names that are bound in the values of a nest, and what to."""
    inside = (one.scalar for value in nest.values for one in occurrences(value))
    return {name: value for one in inside if isinstance(one, Where) for name, value in one.bindings}


def is_searched(nest: Nest, keys: OrderedKeys) -> bool:
    """Whether a nest searches among keys."""
    bound = bound_in(nest)
    return any(sought(one.scalar, bound, keys) is not None for value in nest.values for one in occurrences(value))


def sought(scalar: Scalar, bound: Mapping[str, Scalar], keys: OrderedKeys) -> Sought | None:
    """What a scalar searches for among keys; None where it does something else."""
    search = search_of(scalar, bound)
    if search is None or search.extent != keys.extent:
        return None
    match search.test:
        case Operation(function="lt" | "le" as relation, arguments=(Load(buffer=buffer, indices=at), item)):
            own = {search.coordinate, *search.group.states, *search.group.iterators}
            same = buffer.name == keys.buffer.name and at == (Size.of(search.coordinate),)
            alike = item.column.storage == buffer.column.storage
            return Sought(search, relation, item) if same and alike and not own & dependencies(item) else None
    return None
