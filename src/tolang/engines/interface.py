"""What an engine promises, and what it is given.

An engine takes a checked program, says before it compiles anything whether it can run it (`Refused`, with the reason),
and gives something that runs it at any sizes.  The plan that it writes code from is `nests.planning.plan` for its
target, whose strategies it emits by a table and never chooses again.  Whatever the engine:

- results are those of the interpreter, regrouped where the language allows it;
- a failed check is a `Fault` with the code of its error and its place in the source, and nothing is read or written
  outside the program's memory before it is told;
- coordinates are exact: what might leave 64 bits is left to the interpreter;
- a run ends soon after Ctrl-C, and `rand` is a function of the seed, its place and the coordinates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from tolang.core.refusal import Refused
from tolang.ground.dataclasses import dataclass
from tolang.ground.diagnostics import Span
from tolang.ground.sizes import Size
from tolang.ground.values import ToL
from tolang.nests.nest import Plan
from tolang.nests.target import Target

__all__ = ["Executable", "Failed", "Fault", "Part", "Refused", "Target"]


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


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A part of a lowered program as a plan of its own: every buffer is an input or an output by itself, by its name.

    `whole` has the lengths that some of its sizes are parts of: a part is computed as the whole would be.
    """

    plan: Plan
    whole: Mapping[str, Size]


class Executable(Protocol):
    """A program that is ready to run."""

    def run(self, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int = 0) -> list[ToL]:
        """The outputs' values; raises `Failed` where a check did."""
