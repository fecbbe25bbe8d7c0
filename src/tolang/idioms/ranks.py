"""Ranks: which of the different keys, in order, the key of each element is; by a sort, as a program says it.

    s, p = the keys in order, and the places at which they were       (a sort)
    x[i] = 1 where i = 1 or s[i] differs from s[i-1], else 0
    r[i] = x[1] + … + x[i]                                            (a scan)
    y[p[i]] = r[i]

Keys of several components are sorted by one after the other, and differ where one of these does.  Nobody else reads the
keys in order, so that another way to the same ranks needs no order at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.idioms.scan import scan_of
from tolang.idioms.sort import Sort, sort_of
from tolang.plan.nest import (
    Assign,
    Bind,
    Branch,
    Buffer,
    ConstantScalar,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Repeat,
    RequireStep,
    Scalar,
    Select,
    Step,
    Where,
)
from tolang.plan.traversal import read_buffers
from tolang.plan.uses import buffers_written, uses_of

WHOLE_NUMBERS = frozenset({"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"})
"""Storages of keys that no NaN is among."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """The positions of steps that rank, the sorts among them, and where the ranks are in the end."""

    steps: tuple[int, ...]
    sorts: tuple[Sort, ...]
    ranks: Buffer

    @property
    def sort(self) -> Sort:
        """The first sort, whose elements are the keys, then the coordinates at which they were."""
        return self.sorts[0]

    @property
    def keys(self) -> tuple[Scalar, ...]:
        """The components of the key of the element at a coordinate, the first sort's iterator."""
        bound = tuple((one.name, one.value) for one in self.sort.prepare)
        return tuple(Where(bound, one, column=one.column) if bound else one for one in self.sort.elements[:-1])

    @property
    def of_whole_numbers(self) -> bool:
        """Whether keys have one component, of whole numbers, no NaN among them."""
        return len(self.keys) == 1 and self.keys[0].column.storage in WHOLE_NUMBERS


def ranks_of(steps: Sequence[Step], position: int, outputs: frozenset[str]) -> Ranks | None:
    """The steps that rank by the sorts from a position on; None where they do something else."""
    sorts = _sorts(steps, position)
    if not sorts:
        return None
    uses = uses_of(tuple(steps))
    last, sort = [*sorts.items()][-1]
    *keys, places = (buffer for buffer, _ in sort.targets)
    begins = next((p for p in uses.users(keys[0].name) if p > last and isinstance(steps[p], Nest)), None)
    if begins is None or any(uses.users(one.name) != [last, begins] for one in keys):
        return None
    marks = _marks(steps[begins], keys, sort.extent)
    added = None if marks is None else next((p for p in uses.users(marks.name) if p > begins), None)
    if marks is None or added is None or uses.users(marks.name) != [begins, added]:
        return None
    runs, moved = _added_up(steps[added], marks), uses.users(places.name)[-1]
    if runs is None or uses.users(places.name) != [last, moved]:
        return None
    ranks = _moved(steps[moved], runs, places, sort.extent)
    filled = None if ranks is None else next((p for p in uses.users(ranks.name)), None)
    if ranks is None or filled is None or not _copies(steps[filled], runs, ranks):
        return None
    gone = {buffer.name for one in sorts.values() for buffer, _ in one.targets} | {marks.name, runs.name}
    if gone & outputs or uses.users(runs.name) != [added, filled, moved] or uses.users(ranks.name)[1] != moved:
        return None
    if buffers_written(steps[position + 1 : moved]) & read_buffers(steps[position]):
        return None
    made = (p for name, p in uses.allocated.items() if name in gone)
    return Ranks(tuple(sorted([*sorts, begins, added, filled, moved, *made])), tuple(sorts.values()), ranks)


def _sorts(steps: Sequence[Step], position: int) -> dict[int, Sort]:
    """Sorts by each component of keys, each of what the one before it leaves, by positions; none if it is not so."""
    found, step = dict[int, Sort](), steps[position]
    sort = sort_of(step) if isinstance(step, Repeat) else None
    if sort is None or not _is_plain(sort) or len(sort.elements) < 2 or sort.key == len(sort.elements) - 1:
        return {}
    place = sort.elements[-1]
    if not isinstance(place, Index) or place.size != Size.of(sort.iterator):
        return {}
    uses = uses_of(tuple(steps))
    found[position] = sort
    while len(found) < len(sort.elements) - 1:
        left = [buffer for buffer, _ in found[position].targets]
        users = [uses.users(one.name) for one in left]
        step = steps[users[0][-1]]
        following = sort_of(step) if isinstance(step, Repeat) else None
        if following is None or any(one != [position, users[0][-1]] for one in users):
            return {}
        position, own = users[0][-1], (Size.of(following.iterator),)
        goes_on = following.extent == sort.extent and len(following.elements) == len(left)
        goes_on = goes_on and all(_reads(one, b, own) for one, b in zip(following.elements, left, strict=True))
        if not goes_on or not _is_plain(following) or following.prepare:
            return {}
        found[position] = following
    return found if {one.key for one in found.values()} == {*range(len(found))} else {}


def _is_plain(sort: Sort) -> bool:
    """Whether a sort brings the least first, NaN last, and fills vectors."""
    ordered = sort.nan_last or sort.elements[sort.key].column.storage in WHOLE_NUMBERS
    own = (Size.of(sort.iterator),)
    return ordered and sort.relation == "le" and all(at == own and b.shape == (sort.extent,) for b, at in sort.targets)


def _marks(step: Step, keys: Sequence[Buffer], extent: Size) -> Buffer | None:
    """The buffer that has 1 where a key is the first, or another than the one before it, and 0 elsewhere."""
    if not isinstance(step, Nest) or step.extents != (extent,) or len(step.targets) != 1:
        return None
    (marks, at), here = step.targets[0], Size.of(step.iterators[0])
    match step.values[0]:
        case Select(guard=first, then=one, otherwise=Select(guard=None, test=(test,), then=begins, otherwise=goes_on)):
            if first is None or first.kind != "zero" or first.size not in (here - 1, ONE - here):
                return None
            if at != (here,) or not (_is(one, 1) and _is(begins, 1) and _is(goes_on, 0)):
                return None
            compared = [_compared(one, keys, here) for one in _alternatives(test, {})]
            return marks if sorted(compared) == [*range(len(keys))] else None
    return None


def _alternatives(test: Scalar, bound: Mapping[str, Scalar]) -> Iterator[Scalar]:
    """What a test holds of one of, but for what is never true."""
    match test:
        case Where(bindings=bindings, value=value):
            yield from _alternatives(value, {**bound, **dict(bindings)})
        case Named(name=name) if name in bound:
            yield from _alternatives(bound[name], bound)
        case Operation(function="or", arguments=arguments):
            for one in arguments:
                yield from _alternatives(one, bound)
        case ConstantScalar(value=False):
            return
        case _:
            yield test


def _compared(test: Scalar, keys: Sequence[Buffer], here: Size) -> int:
    """Which of the keys is held against the one before it; -1 if none is."""
    match test:
        case Operation(function="ineq", arguments=(one, other)):
            beside = (_reads(one, key, (here,)) and _reads(other, key, (here - 1,)) for key in keys)
            return next((number for number, found in enumerate(beside) if found), -1)
    return -1


def _is(scalar: Scalar, number: int) -> bool:
    return isinstance(scalar, ConstantScalar) and scalar.value == number


def _added_up(step: Step, marks: Buffer) -> Buffer | None:
    """The buffer of the sums of all elements of another one up to each."""
    scan = scan_of(step) if isinstance(step, Repeat) else None
    if scan is None or scan.combine != "add" or scan.first is None or len(scan.targets) != 1:
        return None
    (runs, at), own = scan.targets[0], Size.of(scan.iterator)
    match scan.steps[0]:
        case Operation(function="add", arguments=(Named(), Load() as element)):
            elements = (scan.first[0], element)
            same = all(isinstance(e, Load) and e.buffer.name == marks.name and e.indices == (own,) for e in elements)
            return runs if same and at == (own,) and marks.shape == (scan.extent,) else None
    return None


def _moved(step: Step, runs: Buffer, places: Buffer, extent: Size) -> Buffer | None:
    """The buffer to whose places, which another one tells, elements go."""
    if not isinstance(step, Repeat) or step.extents != (extent,):
        return None
    own, binds = (Size.of(step.iterators[0]),), {s.name: s.value for s in step.steps if isinstance(s, Bind)}
    rest = [s for s in step.steps if not isinstance(s, Bind | RequireStep)]
    if any(isinstance(s, Assign) or (isinstance(s, Bind) and s.mutable) for s in step.steps):
        return None
    match rest:
        case [
            Branch(guard=guard, then=(Nest(iterators=(), targets=((ranks, (at,)),), values=(value,)),), otherwise=())
        ]:
            place = binds.get(at.name or "")
            value = binds.get(value.name, value) if isinstance(value, Named) else value
            inside = guard is not None and guard.names() <= {at.name, *extent.names()}
            known = _reads(place, places, own) and _reads(value, runs, own)
            return ranks if inside and known and ranks.shape == (extent,) else None
    return None


def _reads(scalar: Scalar | None, buffer: Buffer, at: tuple[Size, ...]) -> bool:
    return isinstance(scalar, Load) and scalar.buffer.name == buffer.name and scalar.indices == at


def _copies(step: Step, source: Buffer, goal: Buffer) -> bool:
    """Whether a step copies one vector to another, all of which is written to once more."""
    if not isinstance(step, Nest) or len(step.targets) != 1 or step.extents != goal.shape:
        return False
    (written, at), own = step.targets[0], (Size.of(step.iterators[0]),)
    return written.name == goal.name and at == own and _reads(step.values[0], source, own)
