"""Programs in other processes, and copies of them: with what they are, without what their calls have left."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import Any, Protocol

from tolang.core.core import Core
from tolang.ground.values.values import ToL
from tolang.program.runner import Runner

KEPT = "module"
"""What is found once and kept in copies, too: a program may be made of a tree, and no text."""


class CopiedProgram(Protocol):
    """What copying needs of a program."""

    runner: Runner
    weights: Mapping[str, ToL]
    _cores: dict[Hashable, Core]

    @property
    def core(self) -> Core: ...
    @property
    def _identity(self) -> tuple[str, ...]: ...
    def _forget_calls(self) -> None: ...


def state_of(program: CopiedProgram) -> dict[str, Any]:
    """All that a copy of a program is made of; its code is compiled again, or found on disk."""
    kinds, blank = type(program).__mro__, object.__new__(type(program))
    blank._forget_calls()  # which says what calls leave
    found = {name for kind in kinds for name, one in vars(kind).items() if isinstance(one, cached_property)}
    left_out = {*vars(blank), *found} - {KEPT}
    own, columns = program.runner, next(iter(program._cores))
    state = {name: value for name, value in vars(program).items() if name not in left_out}
    engine = Runner(own.name, own.strict, own.fallback, own.threads, own.memory)
    return {**state, "runner": engine, "_cores": {columns: program.core}}


def restore(program: CopiedProgram, state: dict[str, Any]) -> None:
    """Makes a new object the program of a state."""
    vars(program).update(state)
    program._forget_calls()
    program.runner.identify(program.core, (*program._identity, "program"))
    if program.weights:
        program.runner.fix(program.core, program.weights)
