"""The CPU engine as the rest of the package has it, by the engine contract; its parts are loaded when they are used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, ClassVar

from tolang.core.core import Core
from tolang.engines.contract import (
    NO_FIXED,
    NO_LENGTHS,
    NO_NAMES,
    Engine,
    Exchanged,
    Executable,
    MemoryRefusal,
    NumberKind,
    PlanSection,
    RepeatedCalls,
    XlaInterface,
)
from tolang.engines.cpu.plan.artifact import CALLED_AGAIN, Artifact
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.values import ToL
from tolang.plan.nest import Plan

if TYPE_CHECKING:
    from tolang.schedule.planning import Planned


class CpuEngine(Engine):
    """Machine code for this processor, by LLVM."""

    name = "cpu"
    artifacts: ClassVar[type | None] = Artifact
    improves_after: ClassVar[int] = CALLED_AGAIN

    def plan(
        self,
        program: Core,
        strict: bool,
        fixed: frozenset[str] = NO_NAMES,
        lengths: Mapping[str, int] = NO_LENGTHS,
    ) -> Planned:
        from tolang.engines.cpu.translation import plan_of

        return plan_of(program, strict, fixed, lengths)

    def planned(self, lowered: Plan, strict: bool, whole: Mapping[str, Size]) -> Plan:
        from tolang.engines.cpu.runtime.native import host_target
        from tolang.schedule.planning import planned

        return planned(lowered, host_target(), strict, whole=whole).plan

    def compile(
        self,
        program: Core | PlanSection,
        strict: bool = False,
        artifact: Any = None,
        fixed: Mapping[str, ToL] = NO_FIXED,
        sizes: Mapping[str, int] | None = None,
    ) -> Executable:
        from tolang.engines.cpu.engine import CpuExecutable

        return CpuExecutable(program, strict, artifact, fixed, sizes=sizes)

    def target(self) -> str:
        from tolang.engines.cpu.runtime.native import host_target

        return repr(host_target())

    def stamp(self, *parts: str) -> str:
        from tolang.engines.cpu.runtime.native import entry_name

        return entry_name(*parts)

    def get_ready(self) -> None:
        from tolang.engines.cpu.runtime import loaded

        loaded.get_ready()

    def improvements_end(self) -> None:
        from tolang.engines.cpu.runtime.tier_up import improvements_end

        improvements_end()

    def set_threads(self, number: int) -> None:
        from tolang.engines.cpu.runtime.native import set_threads

        set_threads(number)

    def use_threads(self, number: int) -> AbstractContextManager[None]:
        from tolang.engines.cpu.runtime.native import use_threads

        return use_threads(number)

    def use_memory(self, most: int) -> AbstractContextManager[None]:
        from tolang.engines.cpu.runtime.native import use_memory

        return use_memory(most)

    def keep_memory(self, meanwhile: int, later: int | None = None) -> AbstractContextManager[None]:
        from tolang.engines.cpu.runtime.native import keep_memory

        return keep_memory(meanwhile, later)

    def kept_memory(self) -> int:
        from tolang.engines.cpu.runtime.memory import kept_memory

        return kept_memory()

    def last_refusal(self) -> MemoryRefusal | None:
        from tolang.engines.cpu.runtime.native import last_refusal

        return last_refusal()

    def exchanged(
        self,
        repeated: RepeatedCalls,
        kind: type,
        inputs: Sequence[tuple[NumberKind, Sequence[int]]],
        outputs: Sequence[NumberKind],
    ) -> Exchanged | None:
        from tolang.engines.cpu.plan.dlpack import exchanged

        return exchanged(repeated, kind, inputs, outputs)

    def xla(self) -> XlaInterface | None:
        from tolang.engines.cpu.plan import xla_calls

        return xla_calls


ENGINE = CpuEngine()
