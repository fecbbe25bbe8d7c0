"""Ranks: which of the different keys, in order, the key of each element is; by a sort, as a program says it.

    s, p = the keys in order, and the places at which they were       (a sort)
    x[i] = 1 where i = 1 or s[i] differs from s[i-1], else 0
    r[i] = x[1] + … + x[i]                                            (a scan)
    y[p[i]] = r[i]

Nobody else reads the keys in order, so that another way to the same ranks needs no order at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from tolang.ground.dataclasses import dataclass
from tolang.ground.sizes import ONE, Size
from tolang.nests.nest import (
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    Constant,
    Demand,
    Free,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Repeat,
    Scalar,
    Select,
    Step,
    Where,
)
from tolang.nests.patterns.scan import scan_of
from tolang.nests.patterns.sort import Sort, sort_of
from tolang.nests.traversal import read_buffers, written_buffers

WHOLE_NUMBERS = frozenset({"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"})
"""Storages of keys that no NaN is among."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """The positions of steps that rank, the sort among them, and where the ranks are in the end."""

    steps: tuple[int, ...]
    sort: Sort
    ranks: Buffer

    @property
    def key(self) -> Scalar:
        """The key of the element at a coordinate, the sort's iterator."""
        bound = tuple((one.name, one.value) for one in self.sort.prepare)
        own = self.sort.elements[self.sort.key]
        return Where(bound, own, column=own.column) if bound else own


def ranks_of(steps: Sequence[Step], position: int, outputs: frozenset[str]) -> Ranks | None:
    """The steps that rank by the sort at a position; None where they do something else."""
    step = steps[position]
    sort = sort_of(step) if isinstance(step, Repeat) else None
    if sort is None or not _keeps_places(sort):
        return None
    (key, places), own = _key_first(sort), [position]
    uses = {name: _using(steps, name) for name in (key.name, places.name)}
    begins = next((p for p in uses[key.name] if p > position and isinstance(steps[p], Nest)), None)
    if begins is None or uses[key.name] != [position, begins]:
        return None
    marks = _marks(steps[begins], key, sort.extent)
    added = None if marks is None else next((p for p in _using(steps, marks.name) if p > begins), None)
    if marks is None or added is None or _using(steps, marks.name) != [begins, added]:
        return None
    runs = _added_up(steps[added], marks)
    own += [begins, added]
    moved = uses[places.name][-1]
    if runs is None or uses[places.name] != [position, moved]:
        return None
    ranks = _moved(steps[moved], runs, places, sort.extent)
    filled = None if ranks is None else next((p for p in _using(steps, ranks.name)), None)
    if ranks is None or filled is None or not _copies(steps[filled], runs, ranks):
        return None
    gone, between = {key.name, places.name, marks.name, runs.name}, steps[position + 1 : moved]
    if gone & outputs or _using(steps, runs.name) != [added, filled, moved] or _using(steps, ranks.name)[1] != moved:
        return None
    if any(written_buffers(one) & read_buffers(step) for one in between):
        return None
    own += [filled, moved, *(p for p, s in enumerate(steps) if isinstance(s, Allocate) and s.buffer.name in gone)]
    return Ranks(tuple(sorted(own)), sort, ranks)


def _keeps_places(sort: Sort) -> bool:
    """Whether a sort is by whole numbers, of elements that are a key and its coordinate, and fills two vectors."""
    if len(sort.elements) != 2 or sort.relation != "le" or sort.elements[sort.key].column.storage not in WHOLE_NUMBERS:
        return False
    place, own = sort.elements[1 - sort.key], Size.of(sort.iterator)
    plain = all(at == (own,) and buffer.shape == (sort.extent,) for buffer, at in sort.targets)
    return plain and isinstance(place, Index) and place.size == own


def _key_first(sort: Sort) -> tuple[Buffer, Buffer]:
    return sort.targets[sort.key][0], sort.targets[1 - sort.key][0]


def _using(steps: Sequence[Step], name: str) -> list[int]:
    """The positions of steps that read or write a buffer."""
    return [
        p
        for p, step in enumerate(steps)
        if not isinstance(step, Allocate | Free) and name in read_buffers(step) | written_buffers(step)
    ]


def _marks(step: Step, key: Buffer, extent: Size) -> Buffer | None:
    """The buffer that has 1 where a key is the first, or another than the one before it, and 0 elsewhere."""
    if not isinstance(step, Nest) or step.extents != (extent,) or len(step.targets) != 1:
        return None
    (marks, at), here = step.targets[0], Size.of(step.iterators[0])
    match step.values[0]:
        case Select(guard=first, then=one, otherwise=Select(guard=None, test=(test,), then=begins, otherwise=goes_on)):
            if first is None or first.kind != "zero" or first.size not in (here - 1, ONE - here):
                return None
            different = _without_false(test)
            numbers = _is(one, 1) and _is(begins, 1) and _is(goes_on, 0)
            if at != (here,) or not numbers or not isinstance(different, Operation) or different.function != "ineq":
                return None
            beside = _reads(different.arguments[0], key, (here,)) and _reads(different.arguments[1], key, (here - 1,))
            return marks if beside else None
    return None


def _without_false(test: Scalar) -> Scalar:
    """A test without `or`s with what is never true."""
    match test:
        case Operation(function="or", arguments=(Constant(value=False), other)):
            return _without_false(other)
    return test


def _is(scalar: Scalar, number: int) -> bool:
    return isinstance(scalar, Constant) and scalar.value == number


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
    rest = [s for s in step.steps if not isinstance(s, Bind | Demand)]
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
