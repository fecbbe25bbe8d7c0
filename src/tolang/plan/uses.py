"""Uses: which steps allocate, read and write each buffer of a list of steps."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.conditions import nonnegative
from tolang.plan.nest import BELOW_ZERO, Allocate, Buffer, Nest, Repeat, RequireStep, Step
from tolang.plan.traversal import bound_names, inner_steps, loads, read_buffers, written_buffers


class Uses:
    """The positions of the steps of a list that allocate, read and write each buffer, at any depth."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self.allocated: dict[str, int] = {}
        self.readers: defaultdict[str, set[int]] = defaultdict(set)
        self.writers: defaultdict[str, set[int]] = defaultdict(set)
        for position, step in enumerate(steps):
            self._add(position, step)

    def users(self, name: str) -> list[int]:
        """The positions of the steps that read or write a buffer, in order."""
        return sorted(self.readers.get(name, set()) | self.writers.get(name, set()))

    def is_made_before(self, name: str, position: int) -> bool:
        """Whether a buffer is allocated in the list before a position."""
        return self.allocated.get(name, position) < position

    def _add(self, position: int, step: Step) -> None:
        if isinstance(step, Allocate):
            self.allocated[step.buffer.name] = position
        for name in read_buffers(step):
            self.readers[name].add(position)
        for name in written_buffers(step):
            self.writers[name].add(position)


@lru_cache(maxsize=64)
def uses_of(steps: tuple[Step, ...]) -> Uses:
    """What uses the buffers of a list of steps, found once; nobody may change it."""
    return Uses(steps)


class EditedSteps(Uses):
    """A list of steps that keep their positions while some are removed or replaced, and what uses their buffers."""

    def __init__(self, steps: tuple[Step, ...]) -> None:
        super().__init__(steps)
        self.bound = names_bound(steps)
        self._steps: list[tuple[Step, ...]] = [(step,) for step in steps]

    def __getitem__(self, position: int) -> Step:
        (step,) = self._steps[position]
        return step

    def there(self, position: int) -> Step | None:
        """The step at a position; None where it was removed, or there are several by now."""
        return self._steps[position][0] if len(self._steps[position]) == 1 else None

    def remove(self, position: int) -> None:
        self.replace(position)

    def replace(self, position: int, *steps: Step) -> None:
        for step in self._steps[position]:
            if isinstance(step, Allocate):
                del self.allocated[step.buffer.name]
            for name in read_buffers(step):
                self.readers[name].discard(position)
            for name in written_buffers(step):
                self.writers[name].discard(position)
        self._steps[position] = steps
        for step in steps:
            self._add(position, step)

    def all(self) -> tuple[Step, ...]:
        return tuple(step for steps in self._steps for step in steps)


@dataclass(frozen=True, slots=True)
class UseCounts:
    """How often each buffer is written by steps at any depth, and how many loads of it there are."""

    writes: Counter[str]
    reads: Counter[str]

    @staticmethod
    def of(steps: Iterable[Step]) -> UseCounts:
        writes, reads = Counter[str](), Counter[str]()
        for step in steps:
            reads.update(load.buffer.name for load in loads(step))
            _count_writes(step, writes)
        return UseCounts(writes, reads)


def _count_writes(step: Step, writes: Counter[str]) -> None:
    """Adds the writes of a step; buffers that are exchanged are written more than once."""
    match step:
        case Nest(targets=targets):
            writes.update(buffer.name for buffer, _ in targets)
        case Repeat(exchanges=exchanges):
            writes.update(buffer.name for pair in exchanges for buffer in (*pair, *pair))
    for inner in inner_steps(step):
        _count_writes(inner, writes)


def buffers_read(steps: Iterable[Step]) -> frozenset[str]:
    """The buffers that some steps read."""
    return frozenset[str]().union(*map(read_buffers, steps))


def buffers_written(steps: Iterable[Step]) -> frozenset[str]:
    """The buffers that some steps write."""
    return frozenset[str]().union(*map(written_buffers, steps))


def names_bound(steps: Iterable[Step]) -> frozenset[str]:
    """The names that some steps give or change for the steps after them."""
    return frozenset[str]().union(*map(bound_names, steps))


def allocations(steps: Iterable[Step]) -> dict[str, Buffer]:
    """The buffers that a list of steps allocates itself, not inside a step, by name."""
    return {step.buffer.name: step.buffer for step in steps if isinstance(step, Allocate)}


def without_allocations(steps: Iterable[Step], *names: str) -> list[Step]:
    """Steps without those that allocate some buffers."""
    return [step for step in steps if not (isinstance(step, Allocate) and step.buffer.name in names)]


def length_demands(buffer: Buffer) -> list[RequireStep]:
    """What allocating a buffer asks of its lengths, for where the buffer is not needed any more."""
    below = [length for length in buffer.shape if any(factor < 0 for factor in length.terms.values())]
    return [RequireStep(nonnegative(length), BELOW_ZERO, buffer.span) for length in below]
