"""Runs a placed program, stage after stage: blocks in, compiled code, blocks out.

Who performs the tasks of a stage is left open: this process, one after the other, or the workers of a cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol

import numpy as np

from tolang.engines.dask.pieces import LEAVES, Piece
from tolang.engines.dask.placement import Cut, Placed
from tolang.engines.dask.stages import FOLD
from tolang.engines.interface import Executable, Part
from tolang.ground.casting import Array
from tolang.ground.functions import identity_in
from tolang.ground.spaces import dtype_of, strong
from tolang.ground.values import ToL
from tolang.nests.nest import Buffer
from tolang.nests.regions import Interval, Region

Compiler = Callable[[Part, Mapping[str, int]], Executable]
"""What makes code of a part of a program, for runs at sizes like these."""
Report = Callable[[int, int], None]
"""What is told how many tasks are done, and of how many."""


def unreported(done: int, total: int) -> None:
    """Tells nobody."""


class Source(Protocol):
    """An array of which regions can be read; one that is shared can be read by other processes, too."""

    @property
    def is_shared(self) -> bool: ...

    def read(self, region: Sequence[Interval]) -> Array: ...


class Goal(Source, Protocol):
    """An array of which regions can be written, too."""

    def write(self, region: Sequence[Interval], block: Array) -> None: ...


@dataclass(frozen=True, slots=True)
class InMemory:
    """An array in memory; a region of it is no copy."""

    array: Array
    is_shared: ClassVar[bool] = False

    def read(self, region: Sequence[Interval]) -> Array:
        return self.array[tuple(slice(low - 1, max(low - 1, high)) for low, high in region)]

    def write(self, region: Sequence[Interval], block: Array) -> None:
        self.array[tuple(slice(low - 1, high) for low, high in region)] = block


def array_for(buffer: Buffer, known: Mapping[str, int]) -> InMemory:
    """Room in memory for all of a buffer."""
    shape = [int(length.evaluate(known)) for length in buffer.shape]
    return InMemory(np.zeros(shape, dtype_of(buffer.column.storage)))


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """A task: the piece at these sizes, of these regions, with these numerics and, in a fold, the state before it.

    With a `unit`, a fold is computed for stretches of so many coordinates, each by itself.
    """

    values: Mapping[str, int]
    reads: Mapping[str, tuple[Source, Region]]
    numerics: Mapping[str, Array]
    seed: int
    state: tuple[Array, ...] = ()
    unit: int = 0


Performed = Generator[tuple[Request, list[Array]]]
Performer = Callable[[Cut, Iterable[Request], bool], Performed]
"""What performs tasks of a stage, one after the other where that is asked for; else results come in any order."""


class Task:
    """What performs the pieces of one stage in this process; compiled when the first of them is performed."""

    def __init__(self, piece: Piece, compiler: Compiler) -> None:
        self.piece, self.compiler = piece, compiler
        self._code: Executable | None = None

    def perform(self, request: Request) -> list[Array]:
        """What a piece gives of the blocks it reads: blocks and numerics, or the next state of a fold."""
        blocks = {name: source.read(region) for name, (source, region) in request.reads.items()}
        return self._leaves(request, blocks) if request.unit else self._run(request, blocks)

    def _leaves(self, request: Request, blocks: Mapping[str, Array]) -> list[Array]:
        """What each stretch of a piece of a fold gives by itself."""
        piece = self.piece
        ((axis, stretch, _),) = piece.axes
        (state,) = piece.states
        kind = dtype_of(state.column.storage)
        nothing = np.array(identity_in(piece.combine, state.column.storage), kind)
        first, end = request.values[stretch.origin], request.values[stretch.origin] + request.values[stretch.count]
        found = []
        for low in range(first, end, request.unit):
            values = piece.values({axis: (low + 1, min(low + request.unit, end))}, request.values)
            parts = {}
            for buffer in piece.reads:
                whole, part = (piece.region(buffer, one) for one in (request.values, values))
                inside = [slice(a - b, c - b + 1) for (a, c), (b, _) in zip(part, whole, strict=True)]
                parts[buffer.name] = blocks[buffer.name][tuple(inside)]
            found += self._run(replace(request, values=values, state=(nothing,)), parts)
        return [np.array(found, kind)]

    def _run(self, request: Request, blocks: Mapping[str, Array]) -> list[Array]:
        plan, given = self.piece.plan, dict(blocks)
        given |= {f"{name} value": one for name, one in request.numerics.items()}
        given |= {one.name: part for one, part in zip(self.piece.states, request.state, strict=False)}
        sizes = {name: request.values[name] for name in plan.sizes}
        inputs = {one.name: _value(one, given.pop(one.name), sizes) for one in plan.inputs if one.name in given}
        if self._code is None:
            self._code = self.compiler(Part(plan, self.piece.whole), sizes)
        return [one.columns[0] for one in self._code.run(inputs, sizes, request.seed)]


def _value(buffer: Buffer, array: Any, sizes: Mapping[str, int]) -> ToL:
    """A block as compiled code takes it, which trusts its shape and type."""
    block = np.asarray(array)
    assert block.shape == tuple(int(length.evaluate(sizes)) for length in buffer.shape), buffer.name
    assert block.dtype == dtype_of(buffer.column.storage), buffer.name
    return ToL([block], [strong(buffer.column)])


def performing_here(compiler: Compiler) -> Performer:
    """Performs tasks in this process, one after the other."""

    def perform(cut: Cut, requests: Iterable[Request], in_order: bool) -> Performed:
        task = Task(cut.piece, compiler)
        for request in requests:
            yield request, task.perform(request)

    return perform


@dataclass(slots=True)
class Running:
    """A placed program while it runs: arrays by the names of buffers, numerics by their own.

    Where tasks are performed `apart`, a fold is computed for its stretches side by side, as far as it may be.
    """

    placed: Placed
    compiler: Compiler
    performer: Performer
    arrays: dict[str, Source]
    goals: Mapping[str, Goal]
    seed: int
    report: Report = unreported
    apart: bool = False
    numerics: dict[str, Array] = field(default_factory=dict)
    done: int = 0

    def run(self) -> None:
        """Computes every stage in turn; results are in the goals then."""
        for cut in self.placed.cuts:
            self.arrays |= {one.name: self.goals[one.name] for one in cut.piece.writes}
            if cut.stage.kind == FOLD:
                self._fold(cut)
            else:
                with closing(self.performer(cut, self._requests(cut), False)) as performed:
                    for request, found in performed:
                        self._keep(cut, request, found)
                        self._tell()

    def _requests(self, cut: Cut) -> Iterator[Request]:
        for box in cut.boxes():
            yield self._request(cut, box)

    def _request(self, cut: Cut, box: Mapping[str, Interval], state: Sequence[Array] = ()) -> Request:
        values = cut.piece.values(box, self.placed.known)
        reads = {b.name: (self.arrays[b.name], cut.piece.region(b, values)) for b in cut.piece.reads}
        return Request(values, reads, self._numerics(cut), self.seed, tuple(state))

    def _fold(self, cut: Cut) -> None:
        """A fold: each piece from the state that the one before it gives, or stretches apart, then joined."""
        state = self._start(cut)
        if self.apart and cut.piece.join is not None and cut.tasks > 1 and not self.placed.strict:
            state = self._joined(cut, state)
        else:
            state = self._chained(cut, state)
        self.numerics |= {name: one for name, one in zip(cut.piece.gives, state, strict=True) if name}

    def _joined(self, cut: Cut, state: list[Array]) -> list[Array]:
        requests = (replace(self._request(cut, box), unit=cut.units[0]) for box in cut.boxes())
        (_, stretch, _), plan = cut.piece.axes[0], cut.piece.join
        assert plan is not None
        found: dict[int, Array] = {}
        with closing(self.performer(cut, requests, False)) as performed:
            for request, (leaves,) in performed:
                found[request.values[stretch.origin]] = leaves
                self._tell()
        leaves = np.concatenate([found[origin] for origin in sorted(found)])
        sizes = {LEAVES.count: len(leaves)}
        inputs = {b.name: _value(b, one, sizes) for b, one in zip(plan.inputs, (leaves, *state), strict=True)}
        return [one.columns[0] for one in self.compiler(Part(plan, {}), sizes).run(inputs, sizes, self.seed)]

    def _chained(self, cut: Cut, state: list[Array]) -> list[Array]:

        def requests() -> Iterator[Request]:
            for box in cut.boxes():
                yield self._request(cut, box, state)

        with closing(self.performer(cut, requests(), True)) as performed:
            for _, found in performed:
                state = found
                self._tell()
        return state

    def _start(self, cut: Cut) -> list[Array]:
        """The state of a fold before its first element."""
        plan = cut.piece.start
        assert plan is not None
        sizes = {name: self.placed.known.get(name, 0) for name in plan.sizes}
        given = {f"{name} value": one for name, one in self._numerics(cut).items()}
        given |= {one.name: self.arrays[one.name].read(()) for one in plan.inputs if one.name not in given}
        inputs = {one.name: _value(one, given[one.name], sizes) for one in plan.inputs}
        return [one.columns[0] for one in self.compiler(Part(plan, {}), sizes).run(inputs, sizes, self.seed)]

    def _numerics(self, cut: Cut) -> dict[str, Array]:
        return {name: self.numerics[name] for name in cut.piece.takes}

    def _keep(self, cut: Cut, request: Request, found: list[Array]) -> None:
        """Puts what a piece gives where it belongs: blocks first, then numerics."""
        piece = cut.piece
        for buffer, block in zip(piece.writes, found, strict=False):
            self.goals[buffer.name].write(piece.region(buffer, request.values), block)
        self.numerics |= dict(zip(piece.gives, found[len(piece.writes) :], strict=True))

    def _tell(self) -> None:
        self.done += 1
        self.report(self.done, sum(cut.tasks for cut in self.placed.cuts))
