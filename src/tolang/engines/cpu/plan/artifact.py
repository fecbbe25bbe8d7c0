"""Artifacts: what a compiled program is made of, apart from the program itself, in a form that can be kept on disk."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from math import inf

from tolang.engines.contract import Fault
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Span, ToLangRunError
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import Column
from tolang.plan.work import UNTOLD

CHECK_BITS = 20
"""How many bits of a plan's result number the check within a call."""

NOT_YET = (1 << CHECK_BITS) - 1
"""What a call results in whose kernel is still being compiled."""

STOPPED = NOT_YET - 1
"""What a call results in that ended because a signal handler raised an exception."""

IMPATIENT = NOT_YET - 2
"""What a call results in whose kernel takes long at these sizes, and would not look meanwhile if the run is to end."""

MOMENT = 1 << 27
"""How many instructions code that is not patient executes without looking: a twentieth of a second of them."""


UNKNOWN = 5e8
"""How many instructions are expected where only data tell: long code is then compiled well when it is called again."""
CALLED_AGAIN = 2
"""The run of code after which it is made fast where it was only to be ready soon."""
LIKELY = 1000
"""How long something in memory is expected to be where only data tell."""


def amount(work: Size | None, sizes: Mapping[str, int]) -> float:
    """About how many instructions some work is at some sizes; without end where nobody can tell."""
    with suppress(KeyError, ToLangRunError):
        return inf if work is None else float(work.evaluate(sizes))
    return inf


def expected(work: Size | None, sizes: Mapping[str, int]) -> float:
    """The same for choosing code: what nobody can tell may be little, and to compile long code well takes seconds."""
    found = amount(work, sizes)
    return min(UNKNOWN, amount(work, {**sizes, UNTOLD: LIKELY})) if found == inf else found


@dataclass(frozen=True, slots=True)
class Artifact:
    """A plan as the walker's table: the sizes it takes, its checks, its kernels by name, the source of each call.

    `rare` kernels are compiled when sizes first need them.  `work` tells of each call about how many instructions
    it is.  `strides` has the places, among all input buffers, of those that are read where they lie, together where
    they are equally far apart.
    """

    sizes: tuple[str, ...]
    sites: tuple[Fault, ...]
    kernels: tuple[str, ...]
    spans: tuple[tuple[Span, ...], ...]
    registers: int
    table: bytes
    once: Once | None = None
    written: tuple[WrittenTensor, ...] = ()
    rare: frozenset[str] = frozenset()
    work: tuple[Size | None, ...] = ()
    strides: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenTensor:
    """A ToL that the program writes out, as data.  The plan takes these after the program's own inputs."""

    column: Column
    shape: tuple[int, ...]
    content: bytes


@dataclass(frozen=True, slots=True)
class Once:
    """What is made of fixed inputs before the first call: by which artifact, of which inputs, and what (rank, column).

    The plan takes it after all others.
    """

    artifact: Artifact
    reads: tuple[str, ...]
    makes: tuple[tuple[int, Column], ...]
