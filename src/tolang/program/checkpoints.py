"""Gradients that would hold too much: their folds keep states some steps apart, and compute those between again.

A gradient keeps all states of its folds, which is fastest.  Where the formula of its memory, at the sizes of a run, is
beyond a limit, the same gradient with checkpoints runs in its place: its folds are cut into segments of the root of
their number of steps, at the price of one more time through them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from tolang.core.core import Core, Let
from tolang.core.let_chain import unwound
from tolang.data.binding import Job, with_blocks
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import Diagnostic, ToLangUsageError
from tolang.ground.reporting.whole_numbers import whole_number
from tolang.ground.system.asking import called
from tolang.ground.system.memory import bytes_text, most_memory
from tolang.ground.system.recursion import room_to_nest
from tolang.ground.values.spaces import dtype_of

if TYPE_CHECKING:
    from tolang.core.types import Type
    from tolang.ground.values.spaces import Column
    from tolang.program.cost import Cost
    from tolang.program.derivation import Derivation
    from tolang.program.runner import Runner

BLOCK = "checkpoint_steps"
"""What the steps of a segment are called, as a size of the gradient that runs."""
VARIABLE = "TOL_CHECKPOINT_MEMORY"


def limit() -> int:
    """How many bytes a gradient may hold before its folds keep fewer states: half of what this machine has.

    `TOL_CHECKPOINT_MEMORY` says it in MB.
    """
    wanted = os.environ.get(VARIABLE, "")
    number = whole_number(wanted)
    if wanted and (number is None or number < 0):
        message, expected = f"{VARIABLE} is not a number of MB", "a whole number"
        raise ToLangUsageError(Diagnostic("E605", message, found=wanted, expected=expected))
    return most_memory() // 2 if number is None else number * 10**6


class Gradient(Protocol):
    """What is asked of a program that is a gradient."""

    runner: Runner
    derivations: tuple[Derivation, ...]

    @property
    def core(self) -> Core:
        """Its core, for data as declared."""

    @property
    def inputs(self) -> dict[str, Type]:
        """What it takes."""

    def core_in(self, columns: tuple[tuple[str, tuple[Column, ...]], ...]) -> Core:
        """Its core for data in some columns."""

    def deriving(self, derivations: tuple[Derivation, ...]) -> Gradient:
        """The same program, differentiated in another way."""


class Checkpoints:
    """For a gradient in which nothing was said of checkpoints: which runs have some."""

    def __init__(self, program: Gradient) -> None:
        self.program = program
        self._chosen: dict[tuple[int, tuple[int, ...]], bool] = {}

    def job(self, job: Job) -> Job:
        """A job as it is to run."""
        if not self._is_beyond(job.core, job.sizes):
            return job
        columns = tuple((name, value.spaces) for name, value in job.inputs.items())
        core = self.cut.core_in(columns)
        fixed = self.program.runner.fixed_inputs(job.core)
        if fixed and not self.program.runner.fixed_inputs(core):
            self.program.runner.fix(core, {name: job.inputs[name] for name in fixed})
        return Job(core, job.inputs, with_blocks(core, job.sizes))

    def cost(self, core: Core, title: str | None, sizes: Mapping[str, int]) -> Cost:
        """The cost of what runs at some sizes; at open ones, that of the gradient as it is."""
        from tolang.program.cost import Cost

        if {*core.sizes} - {*sizes} or not self._is_beyond(core, sizes):
            return Cost(core, title, sizes)
        cut = self.cut.core
        told = f"with checkpoints, for without it would hold {bytes_text(_peak(core, sizes))}"
        return Cost(cut, told, with_blocks(cut, sizes))

    @cached_property
    def cut(self) -> Gradient:
        """The gradient with checkpoints, run by the same engine."""
        name, own = BLOCK, self.program
        while name in own.core.sizes or name in own.inputs:
            name += "_"
        *before, last = own.derivations
        return own.deriving((*before, replace(last, block=name)))

    def _is_beyond(self, core: Core, sizes: Mapping[str, int]) -> bool:
        """Whether states are to be dropped in a run at some sizes."""
        place = id(core), tuple(sizes.values())
        if place not in self._chosen:
            self._chosen[place] = self._asks(core, sizes)
        return self._chosen[place]

    def _asks(self, core: Core, sizes: Mapping[str, int]) -> bool:
        most = limit()
        return _named(core, sizes) > most and _peak(core, sizes) > most and bool(self.cut.core.blocks)

    def told(self) -> str:
        """What a user is to know of it."""
        if not self.cut.core.blocks:
            return "no fold keeps its states"
        return (
            f"runs that would hold more than {bytes_text(limit())} ({VARIABLE} says it in MB) keep states of folds\n"
            f"{BLOCK} apart, the root of the number of steps, and compute those between again;\n"
            f"with {called('checkpoints=', '`tol gradient --checkpoints`')} all runs do, which the plan then shows"
        )


@room_to_nest()
def _peak(core: Core, sizes: Mapping[str, int]) -> int:
    """The memory at the peak, by its formula; nothing where it has none."""
    from tolang.program.cost import Cost

    found = Cost(core, None, sizes).memory
    return found if isinstance(found, int) else 0


def _named(core: Core, sizes: Mapping[str, int]) -> int:
    """The bytes of all that has a name, where sizes tell them: quickly known, and never less than is held at a time."""
    total = 0
    for link in unwound(core.body)[0]:
        kinds = (link.value.type.parts or (link.value.type,)) if isinstance(link, Let) else ()
        for kind in kinds:
            if all(length.names() <= sizes.keys() for length in kind.shape):
                count = 1
                for length in kind.shape:
                    count *= int(length.evaluate(sizes))
                total += count * sum(dtype_of(column.storage).itemsize for column in kind.columns)
    return total
