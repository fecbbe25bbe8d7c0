"""Programs in pieces: on data larger than memory, planned before anything runs, with the bits of an ordinary run."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Protocol

import numpy as np

from tolang.core.core import Input
from tolang.core.core import Program as CoreProgram
from tolang.core.types import Type
from tolang.data.blocks import StoredArray, WrittenArray, stored_array
from tolang.data.files import replace_file
from tolang.data.results import returned
from tolang.engines.dask.description import told
from tolang.engines.dask.placement import SMALL, Placed, Uncut, bytes_of, place, refuse_beyond
from tolang.engines.dask.running import (
    Goal,
    InMemory,
    Performer,
    Report,
    Running,
    Source,
    array_for,
    performing_here,
    unreported,
)
from tolang.engines.dask.sameness import same_bits
from tolang.engines.interface import Executable, Failed, Part
from tolang.ground.diagnostics import Diagnostic, ToLangError, ToLangRunError, usage
from tolang.ground.membership import fitting, outsiders
from tolang.ground.memory import bytes_text, resident_memory
from tolang.ground.sizes import Size
from tolang.ground.spaces import Column, dtype_of, storage_of, strong
from tolang.ground.values import ToL
from tolang.nests.lowering.steps import lower
from tolang.nests.nest import Buffer, Plan, Unsupported
from tolang.nests.planning import ALL_THERE_IS, planned
from tolang.program.binding import (
    Shaped,
    bind_sizes,
    held,
    interface,
    sort_arguments,
    tolang_names,
    whole_seed,
    whole_size,
)
from tolang.program.engines import Engine

Given = ToL | StoredArray
"""What an input is given as: a value in memory, or an array of which regions are read."""


class Owner(Protocol):
    """The program that runs in pieces."""

    strict: bool
    runner: Engine

    @property
    def core(self) -> CoreProgram: ...
    @property
    def inputs(self) -> dict[str, Type]: ...
    @property
    def outputs(self) -> dict[str, Type]: ...
    @property
    def sizes(self) -> tuple[str, ...]: ...
    @property
    def declared_inputs(self) -> tuple[Input, ...]: ...
    def core_in(self, columns: tuple[tuple[str, tuple[Column, ...]], ...]) -> CoreProgram: ...


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """A program with the data it is to run on, some of them in files, and the sizes these give."""

    core: CoreProgram
    inputs: Mapping[str, Given]
    sizes: Mapping[str, int]

    @property
    def known(self) -> dict[str, int]:
        """Sizes, and the whole numbers among the inputs by the names of their buffers."""
        found = dict(self.sizes)
        for name, value in self.inputs.items():
            if isinstance(value, ToL) and not value.shape:
                kinds = enumerate(value.columns, 1)
                whole = {f"{name}.{k}": int(one[()]) for k, one in kinds if one.dtype.kind in "biu"}
                found |= whole | ({name: whole[f"{name}.1"]} if len(whole) == value.capacity == 1 else {})
        return found

    def sources(self) -> dict[str, Source]:
        """The arrays of the inputs by the names of their buffers."""
        found: dict[str, Source] = {}
        for name, value in self.inputs.items():
            if isinstance(value, StoredArray):
                found[f"{name}.1"] = value
            else:
                found |= {f"{name}.{k}": InMemory(one) for k, one in enumerate(value.columns, 1)}
        return found


def work_of(program: Owner, arguments: Sequence[Any], named: Mapping[str, Any]) -> Work:
    """A program with its data; arrays in files stay there as far as they are as declared."""
    data, sizes = sort_arguments(program.inputs, program.sizes, arguments, named)
    inputs = {name: _given(data[name], name, kind) for name, kind in program.inputs.items()}
    columns = []
    for name, kind in program.inputs.items():
        one = inputs[name]
        if isinstance(one, ToL):
            columns.append((name, one.spaces))
        else:
            storage = storage_of(one.dtype)
            assert storage is not None
            columns.append((name, (replace(kind.column, storage=storage, weak=False),)))
    core = program.core_in(tuple(columns))
    shapes: dict[str, Any] = {n: one if isinstance(one, ToL) else Shaped(one.shape) for n, one in inputs.items()}
    return Work(core, inputs, bind_sizes(core, shapes, sizes))


def _given(data: Any, name: str, kind: Type) -> Given:
    """Data as a program takes it: an array in a file stays there where nothing has to be made of it."""
    if isinstance(data, np.memmap) and isinstance(data.filename, str | os.PathLike) and data.base is not None:
        data = Path(data.filename) if data.offset and Path(data.filename).suffix == ".npy" else data
    if isinstance(data, Path) and data.suffix == ".npy" and kind.capacity == 1 and kind.shape:
        found = stored_array(data)
        if found is not None and (one := _as_declared(found, name, kind)) is not None:
            return one
    return ToL.of(held(data, name, kind), kind.columns, name)


def _as_declared(found: StoredArray, name: str, kind: Type) -> StoredArray | None:
    """An array in a file as an input, None where its numbers have to be converted."""
    storage, sample = storage_of(found.dtype), np.ones(1, found.dtype)
    if storage is None or fitting(sample, kind.column.space, storage) != storage:
        return None
    asked = outsiders(sample, kind.column.space, exactly=True) is not None
    return replace(found, name=name, column=kind.column if asked else None)


@dataclass(frozen=True, slots=True, eq=False)
class Planning:
    """How a program is cut and compiled: strict or not, within which memory of a process, for how many tasks at a time.

    `slots` are how many times a process holds what a task holds.
    """

    strict: bool
    memory: int | None
    workers: int = 0
    slots: int = 1

    def placed(self, core: CoreProgram, known: Mapping[str, int], held: int, baseline: int) -> Placed:
        """The stages of a program, cut; refused where it does not fit, or cannot be cut so that it gives the same."""
        try:
            return self._placed(lower(core), known, held, baseline)
        except (Unsupported, Uncut) as reason:
            raise usage("E618", f"the program cannot run in pieces: {reason}") from None

    def _placed(self, lowered: Plan, known: Mapping[str, int], held: int, baseline: int) -> Placed:
        """The first of several ways to cut a program that gives the same as the whole: the last is not to cut it."""
        expected = self._planned(lowered, ALL_THERE_IS)
        for together, whole in ((True, ""), (False, ""), (False, "its folds would be rounded otherwise in pieces")):
            found = place(
                lowered, self.strict, known, self.memory, baseline, self.workers, held, together, self.slots, whole
            )  # fmt: skip
            pieces = (self._planned(cut.piece.plan, cut.piece.whole) for cut in found.cuts)
            if whole or self.strict or same_bits(expected, pieces):
                break
        refuse_beyond(found, self.memory)
        return found

    def _planned(self, lowered: Plan, whole: Mapping[str, Size]) -> Plan:
        from tolang.engines.cpu.runtime.native import host_target

        return planned(lowered, host_target(), self.strict, whole=whole).plan

    def compiler(self, part: Part, sizes: Mapping[str, int]) -> Executable:
        """Compiled code for a part of a program."""
        from tolang.engines.cpu.engine import Executable as Compiled

        return Compiled(part, self.strict, sizes=sizes)


class Piecewise:
    """A program that runs within so many bytes of memory, its data and results in files where they are too large."""

    apart = False
    """Whether tasks are performed side by side."""

    def __init__(self, program: Owner, memory: int | None, into: Path | None = None) -> None:
        self.program, self.memory, self.into, self.workers = program, memory, into, 0
        self.planning = Planning(program.strict, memory)

    def __call__(self, *arguments: Any, seed: int = 0, **named: Any) -> Any:
        work = work_of(self.program, arguments, tolang_names(named))
        found = self.run(work, seed)
        return found if self.into is not None else returned(work.core.outputs, found)

    def __repr__(self) -> str:
        within = "" if self.memory is None else f" within {bytes_text(self.memory)}"
        return f"<tolang.{type(self).__name__} {self.program!r}{within}>"

    def explain(self, *arguments: Any, **named: Any) -> str:
        """How the program would be cut on these data, what that moves and holds; nothing runs."""
        placed = self.placed(work_of(self.program, arguments, tolang_names(named)))
        return told(placed, self.memory, self.workers)

    def run(self, work: Work, seed: int = 0, report: Report = unreported) -> Any:
        """The values of the outputs; the one that is written to a file as an array mapped from there."""
        placed, number = self.placed(work), whole_seed(seed, self.program.declared_inputs)
        if self.into is None:
            return self._in_memory(work, placed, number, report)
        replace_file(self.into, lambda file: self._into(file, work, placed, number, report))
        return np.load(self.into, mmap_mode="r")

    def placed(self, work: Work) -> Placed:
        """The stages of a program on its data; refused where it does not fit."""
        self.refuse_outputs(work)
        results = 0 if self.into is not None else _bytes_of_results(work)
        return self.planning.placed(work.core, work.known, results, resident_memory())

    def refuse_outputs(self, work: Work) -> None:
        """Raises the error of results that do not go into one `.npy` file, where they are to."""
        if self.into is not None and (len(work.core.outputs) != 1 or work.core.outputs[0].type.capacity != 1):
            raise usage("E607", "a .npy file holds one ToL of capacity 1", found=", ".join(self.program.outputs))

    def performer(self, work: Work) -> Performer:
        """Who performs the tasks: this process."""
        return performing_here(self.planning.compiler)

    def _in_memory(self, work: Work, placed: Placed, seed: int, report: Report) -> list[ToL]:
        outputs = [one for buffers in placed.plan.outputs for one in buffers]
        arrays = {one.name: array_for(one, placed.known) for one in outputs}
        self._run(work, placed, dict(arrays), seed, report)
        return [
            ToL([arrays[one.name].array for one in buffers], [strong(one.column) for one in buffers])
            for buffers in placed.plan.outputs
        ]

    def _into(self, file: BinaryIO, work: Work, placed: Placed, seed: int, report: Report) -> None:
        ((buffer,),) = placed.plan.outputs
        written = _written(file, buffer, placed)
        self._run(work, placed, {buffer.name: written}, seed, report)
        written.finish()

    def _run(self, work: Work, placed: Placed, goals: dict[str, Goal], seed: int, report: Report) -> None:
        from tolang.engines.cpu.runtime.native import keep_no_memory, use_threads

        threads = self.program.runner.threads
        on_threads = nullcontext() if threads is None else use_threads(threads)
        with keep_no_memory(), on_threads, _between(placed, goals, self.into) as places:
            running = Running(
                placed, self.planning.compiler, self.performer(work), work.sources(), places, seed, report, self.apart
            )  # fmt: skip
            try:
                running.run()
            except Failed as failed:
                raise _error(failed) from None


def explained(program: Owner, given: Mapping[str, Any], memory: int | None, workers: int) -> str:
    """How a program is cut at sizes, without data: its results are in files, and other inputs than numbers, too."""
    numerics = {name for name, kind in program.inputs.items() if kind.is_numeric}
    unknown = given.keys() - {*program.sizes, *numerics}
    if unknown:
        expected = interface(program.inputs, program.sizes)
        raise usage("E603", f"the program has no size or number {min(unknown)}", expected=expected)
    known = {name if name in program.sizes else f"{name}.1": whole_size(name, one) for name, one in given.items()}
    missing = [name for name in program.sizes if name not in known]
    if missing:
        raise usage("E517", f"the size {missing[0]} is not given", fix=f"give it by name: {missing[0]}=1000")
    planning = Planning(program.strict, memory, workers, 2 if workers else 1)
    return told(planning.placed(program.core, known, 0, resident_memory()), memory, workers)


def _error(failed: Failed) -> ToLangError:
    """What is told of a check that failed in a piece."""
    fault = failed.fault
    if not fault.code:
        return usage("E618", f"the program cannot run in pieces: {fault.about}")
    return ToLangRunError(Diagnostic(fault.code, fault.about, fault.span))


def _bytes_of_results(work: Work) -> int:
    """The bytes of results that stay in memory; those whose lengths only running tells are not counted."""
    total = 0
    for one in work.core.outputs:
        if all(length.names() <= work.sizes.keys() for length in one.type.shape):
            width = sum(dtype_of(column.storage).itemsize for column in one.type.columns)
            total += math.prod(int(length.evaluate(work.sizes)) for length in one.type.shape) * width
    return total


@contextmanager
def _between(placed: Placed, goals: Mapping[str, Goal], into: Path | None) -> Iterator[dict[str, Goal]]:
    """Room for what stages give to each other: in memory where it is little, else in files that are gone afterwards."""
    made, folder = dict(goals), None if into is None else into.resolve().parent
    with ExitStack() as stack:
        for buffer in (one for cut in placed.cuts for one in cut.piece.writes if one.name not in goals):
            if bytes_of(buffer, placed.known) <= SMALL:
                made[buffer.name] = array_for(buffer, placed.known)
            else:
                file = stack.enter_context(TemporaryFile(prefix=".tol-", dir=folder))  # the stack closes it
                made[buffer.name] = _written(file, buffer, placed)
        yield made


def _written(file: BinaryIO, buffer: Buffer, placed: Placed) -> WrittenArray:
    """A file that all of a buffer is written to."""
    shape = [int(length.evaluate(placed.known)) for length in buffer.shape]
    return WrittenArray(file, shape, dtype_of(buffer.column.storage))
