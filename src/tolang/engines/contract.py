"""The engine contract: what an engine promises, and what it is given.  Nothing else of engines is known above them.

An engine takes a checked program, says before it compiles anything whether it can run it (`Refused`, with the reason),
and gives an executable that runs it at any sizes.  `registry.py` has the engines by name.  Whatever the engine:

- results are those of the interpreter, regrouped where the language allows it;
- a failed check is a `Fault` with the code of its error and its place in the source, and nothing is read or written
  outside the program's memory before it is told;
- coordinates are exact: what might leave 64 bits is left to the interpreter, by a `Fault` whose code is empty;
- a run ends soon after Ctrl-C, and `rand` is a function of the seed, its place and the coordinates.

An engine has to plan and to compile.  All else has a default, for engines that have no artifacts on disk, no threads,
no memory of their own, no better code later, and no calls from other libraries.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol

import numpy as np

from tolang.core.core import Core, Input, Output
from tolang.core.refusal import Refused
from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.reporting.progress import Progress
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import Column
from tolang.ground.values.values import ToL
from tolang.plan.nest import Plan

if TYPE_CHECKING:
    from tolang.schedule.planning import Planned

Array = np.ndarray[Any, Any]
NO_LENGTHS: Mapping[str, int] = MappingProxyType({})
NO_FIXED: Mapping[str, ToL] = MappingProxyType({})
NO_NAMES = frozenset[str]()
NOWHERE: Mapping[str, frozenset[int]] = MappingProxyType({})


# What goes in and comes out


@dataclass(frozen=True, slots=True)
class Fault:
    """A check that can fail: the code of its error, what it is about, and where it stands in the source."""

    code: str
    about: str
    span: Span | None


class Failed(Exception):
    """A check has failed."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return self.fault.about


@dataclass(frozen=True, slots=True)
class MemoryRefusal:
    """Memory that was not given: how much was asked for, how much there was, and whether more was not allowed."""

    asked: int
    there: int
    allowed: bool


@dataclass(frozen=True, slots=True, eq=False)
class PlanSection:
    """A part of a lowered program as a plan of its own: every buffer is an input or an output by itself, by its name.

    `whole` has the lengths that some of its sizes are parts of: a part is computed as the whole would be.
    """

    plan: Plan
    whole: Mapping[str, Size]


@dataclass(frozen=True, slots=True)
class StoredProgram:
    """What is kept on disk of a compiled program: the engine's artifact, and whether it is of a program on codes."""

    artifact: Any
    on_codes: bool


# Calls of compiled code


class Executable(Protocol):
    """A program that is ready to run."""

    @property
    def artifact(self) -> Any:
        """What `Engine.compile` takes to save compiling again, an object of the class `Engine.artifacts`; or None."""
        return None

    @property
    def names(self) -> tuple[str, ...]:
        """The pieces of code that it consists of, by what tells them from others."""
        return ()

    @property
    def in_records(self) -> Mapping[str, frozenset[int]]:
        """Which components of inputs are read where they lie, as fields of records, counted from 0."""
        return NOWHERE

    def run(self, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int = 0) -> list[ToL]:
        """The outputs' values; raises `Failed` where a check did."""

    def repeated(
        self, sizes: Mapping[str, int], names: Sequence[str], taken: Sequence[tuple[Any, type]], threads: int | None
    ) -> RepeatedCalls | None:
        """Calls with arguments like these, after one that went well; None where the ordinary call is needed.

        Arguments are arrays, or what numbers were taken as, each with its class.
        """
        return None

    def complete(self) -> None:
        """Compiles what no sizes had needed so far, for a program that is to run where nothing is compiled."""
        return None


class RepeatedCalls(Protocol):
    """Calls with arguments of the same types and shapes as before; they give None where the ordinary call is needed."""

    @property
    def threads(self) -> int | None:
        """How many threads the calls run on; None for as many as usual."""

    @property
    def shortest(self) -> Callable[..., Any]:
        """What calls as this does, in as few steps as it takes; it may give several outputs as arrays in a tuple."""

    def __call__(self, *arguments: Any) -> Any:
        """The array that is the only output, or the values of several."""

    def takes(self, arrays: Sequence[Any]) -> bool:
        """Whether arrays are of the types, shapes and layout that it was made for."""

    def at(self, addresses: Sequence[int]) -> list[Array] | None:
        """The outputs, of one component each, for data at addresses; the caller knows its types and shapes."""


class NumberKind(NamedTuple):
    """Numbers as DLPack tells their type: by what they are, and their bits."""

    code: int
    bits: int


Exchanged = Callable[[tuple[Any, ...]], Any]
"""Calls with a tuple of objects that speak DLPack; what they give is None where the ordinary call is needed."""


class ArrayKind(NamedTuple):
    """The type and the shape of an array."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]


class XlaWay(Protocol):
    """A call that XLA makes: `way` tells how."""

    @property
    def way(self) -> str: ...


class XlaInterface(Protocol):
    """Calls of compiled code by XLA's foreign-function interface: its versions, arrays and types that are known."""

    def __hash__(self) -> int: ...
    @property
    def VERSIONS(self) -> frozenset[tuple[int, int]]: ...
    @property
    def TYPES(self) -> Container[str]: ...
    @property
    def MOST_ARRAYS(self) -> int: ...

    def handler(self, version: tuple[int, int]) -> int:
        """The address of the function that XLA calls, which speaks a version of its interface."""

    def call_of(
        self,
        key: int,
        inputs: Sequence[ArrayKind],
        outputs: Sequence[ArrayKind],
        compute: Callable[[list[Array]], Sequence[Array]],
        repeated: Callable[[list[Array]], RepeatedCalls | str],
    ) -> XlaWay:
        """The call of a key, made when it is first asked for.

        `compute` gives the results of arrays, and `repeated`, after some calls, the calls of compiled code with such
        arrays, or why there are none.
        """


# Engines


class Engine(Protocol):
    """An engine: plans and compiles programs, and has what is told of its threads, memory and code."""

    name: str
    artifacts: ClassVar[type | None] = None
    """The class of what is kept on disk of an executable, None where nothing is; in its fields are objects of classes
    of its own module, of this one, and of those that the core is made of."""
    improves_after: ClassVar[int] = 0
    """The run of code after which better code of it is being made in the background."""

    def plan(
        self,
        program: Core,
        strict: bool,
        fixed: frozenset[str] = NO_NAMES,
        lengths: Mapping[str, int] = NO_LENGTHS,
    ) -> Planned:
        """The plan that a program runs by; raises `Refused` where the engine cannot run it.

        `fixed` inputs and some `lengths` are the same in all calls.
        """

    def planned(self, lowered: Plan, strict: bool, whole: Mapping[str, Size]) -> Plan:
        """How a lowered program, or a part of one, runs; `whole` has the lengths that some sizes are parts of."""

    def compile(
        self,
        program: Core | PlanSection,
        strict: bool = False,
        artifact: Any = None,
        fixed: Mapping[str, ToL] = NO_FIXED,
        sizes: Mapping[str, int] | None = None,
    ) -> Executable:
        """A program, or a part of one, ready to run; raises `Refused`.

        An artifact of the same program saves compiling it.  `fixed` inputs have these values in all runs.  Where the
        `sizes` of the first run are told, it is ready soon for them.
        """

    def refusal(self, program: Core, strict: bool) -> str | None:
        """Why the engine cannot run a program; None where it can."""
        try:
            self.plan(program, strict)
        except Refused as reason:
            return str(reason)
        return None

    def target(self) -> str:
        """What code depends on, so that two machines whose code would differ are told apart."""
        return self.name

    def stamp(self, *parts: str) -> str:
        """A name in the cache for what depends on these texts, on the target, and on the compiler's own source."""
        return " ".join((self.name, *parts))

    def get_ready(self) -> None:
        """Has the engine made ready beside other work, for a program that is still to be made."""
        return None

    def improvements_end(self) -> None:
        """Waits until all better code that is being made in the background is used."""
        return None

    # Threads and memory

    def set_threads(self, number: int) -> None:
        """How many threads code runs on from now on, where a program has no number of its own."""
        return None

    def use_threads(self, number: int) -> AbstractContextManager[None]:
        """How many threads the code that is called inside runs on."""
        return nullcontext()

    def use_memory(self, most: int) -> AbstractContextManager[None]:
        """How many bytes the code that is called inside may take at a time."""
        return nullcontext()

    def keep_memory(self, meanwhile: int, later: int | None = None) -> AbstractContextManager[None]:
        """How many bytes of what code gives back inside are kept for what it takes next, and how many for later calls.

        Where the number for later calls is not told, it is as ever, and nothing of what was kept inside is left.
        """
        return nullcontext()

    def kept_memory(self) -> int:
        """How many bytes of what code gives back are kept between calls."""
        return 0

    def last_refusal(self) -> MemoryRefusal | None:
        """The last request for memory that code was refused, unless it was told already."""
        return None

    # Calls from other libraries

    def exchanged(
        self,
        repeated: RepeatedCalls,
        kind: type,
        inputs: Sequence[tuple[NumberKind, Sequence[int]]],
        outputs: Sequence[NumberKind],
    ) -> Exchanged | None:
        """Calls with objects of a class that has DLPack's exchange interface, of these numbers and shapes, or None."""
        return None

    def xla(self) -> XlaInterface | None:
        """How XLA calls this engine's code; None where it cannot."""
        return None


# Programs in pieces

Keep = bool | Literal["frames"]
"""Whether results stay with workers: as arrays, or those that are vectors as frames."""


class Threaded(Protocol):
    """Runs a program: by an engine, on some number of threads."""

    @property
    def threads(self) -> int | None: ...
    @property
    def engine(self) -> Engine: ...


class Owner(Protocol):
    """The program that runs in pieces."""

    @property
    def strict(self) -> bool: ...
    @property
    def runner(self) -> Threaded: ...
    @property
    def weights(self) -> Mapping[str, ToL]: ...
    @property
    def fixed(self) -> Mapping[str, ToL]: ...
    @property
    def fixed_columns(self) -> Mapping[str, tuple[Column, ...]]: ...
    @property
    def core(self) -> Core: ...
    @property
    def inputs(self) -> dict[str, Type]: ...
    @property
    def outputs(self) -> dict[str, Type]: ...
    @property
    def sizes(self) -> tuple[str, ...]: ...
    @property
    def declared_inputs(self) -> tuple[Input, ...]: ...
    def core_in(self, columns: tuple[tuple[str, tuple[Column, ...]], ...]) -> Core: ...


class WithData(Protocol):
    """A program with the data that it is to run on in pieces."""

    @property
    def outputs(self) -> tuple[Output, ...]:
        """The outputs as they are asked for."""

    def decoded(self, found: list[ToL]) -> list[ToL]:
        """Values of outputs as the program gives them: text in the place of its codes."""


def unreported(done: int, total: int) -> None:
    """Tells nobody."""


class InPieces(Protocol):
    """A program that runs in pieces; called with its inputs, it gives the same as an ordinary run."""

    def __call__(self, *arguments: Any, seed: int = 0, **named: Any) -> Any: ...

    def explain(self, *arguments: Any, **named: Any) -> str:
        """How the program would be cut on these data, how much that moves and holds; nothing runs."""

    def work(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> WithData:
        """The program with its data, by position and by the program's own names."""

    def run(self, work: Any, seed: int = 0, report: Callable[[int, int], object] = unreported) -> Any:
        """The outputs' values, or the file that has them; `report` gets how many pieces are done, and of how many."""


class Distribution(Protocol):
    """Cuts programs into pieces that another engine computes: within some memory, or on the workers of a cluster."""

    def within(self, program: Owner, memory: int | None, into: Path | None, progress: Progress) -> InPieces:
        """A program in pieces that fit into memory; its result is written to a file, if given."""

    def on(self, program: Owner, client: Any, into: Path | None, keep: Keep, progress: Progress) -> InPieces:
        """A program on the workers of a cluster that a client is of."""

    def explained(self, program: Owner, given: Mapping[str, Any], memory: int | None, workers: int) -> str:
        """How a program is cut at sizes, without data."""

    def local_workers(self, number: int, memory: int | None, level: int) -> AbstractContextManager[Any]:
        """A client of worker processes on this machine, which end with it; messages below a level are not shown."""
