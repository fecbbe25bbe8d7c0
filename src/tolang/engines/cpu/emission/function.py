"""A function of a CPU's thread while it is written: how it ends early, and its memory.

Memory that could not be had, or a length below zero, ends it at once; what it has allocated is given back.  Between two
strips of a long loop it looks whether the run is to end (`looping`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tolang.engines.cpu.emission.pace import Pace
from tolang.engines.cpu.runtime.guarding import guard
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import CheckSite
from tolang.engines.llvm.callees import declared
from tolang.engines.llvm.scalars import ScalarEmitter
from tolang.engines.llvm.types import I8, I64
from tolang.ground.reporting.diagnostics import Span
from tolang.plan.nest import FaultInfo, SourcePlaceholder, no_memory
from tolang.plan.target import Target
from tolang.schedule.next_rows import NextRow

POINTER = I8.as_pointer()
SMALL_BUFFER = 64
"""Buffers of a known length up to this need no memory from the system."""
ROOM_OF_A_STEP = 2048
"""Up to how many bytes a buffer needs none that steps of a repetition take and give back, whatever its length."""
ROOMS_OF_STEPS = 16
"""How many buffers of a kernel have such room: threads have stacks of any size, and programs any number of buffers."""


class CpuFunction(ScalarEmitter):
    """What is around the steps of a kernel, or of a part of it that threads share.

    What a kernel is called with are `words`, whose address each function has.  Nests, known by their identities, ask
    for what is `following` them in the next row, and read rows `above_zero`.
    """

    def __init__(self, arguments: list[Any], name: str, target: Target, patient: bool = False) -> None:
        super().__init__(arguments, name, target)
        self.patient = patient
        self.captured: dict[str, Any] = {}
        self.words: Any = self.function.args[0]
        self.inside_region = False
        self.allocated: list[list[Any]] = [[]]
        self.repeating, self.rooms = False, ROOMS_OF_STEPS
        self.pace = Pace()
        self.following: dict[int, list[NextRow]] = {}
        self.above_zero: dict[int, frozenset[str]] = {}
        self.malloc = declared(self.module, "tolang_take", POINTER, [I64])
        self.malloc.return_value.add_attribute("noalias")
        self.free = declared(self.module, "tolang_give", ir.VoidType(), [POINTER])
        self.largest_on_stack = -1 if guard() else SMALL_BUFFER

    def conclude(self) -> None:
        if self.pace.exit is not None:
            self.builder.branch(self.pace.exit)
            self.builder.position_at_end(self.pace.exit)
        super().conclude()

    def stop_if(self, wrong: Any, complaint: FaultInfo, span: Span | SourcePlaceholder | None) -> None:
        """Ends the function here where something is wrong that nothing after it could bear."""
        self.sites.append(CheckSite(complaint, span))
        number = ir.Constant(I64, len(self.sites))
        self.stop_with(wrong, lambda: number)

    def stop_with(self, wrong: Any, number: Callable[[], Any]) -> None:
        """The same, the number of the check being had from somewhere."""
        with self.builder.if_then(wrong, likely=False):
            self.builder.store(number(), self.fault)
            self.leave()

    def reporter(
        self, complaint: FaultInfo, span: Span | SourcePlaceholder | None
    ) -> Callable[[ir.IRBuilder, Any], None]:
        """Notes failed checks; code that `stops` ends there: one step after the other runs on no vectors anyway."""
        note = super().reporter(complaint, span)

        def report(builder: ir.IRBuilder, wrong: Any) -> None:
            if not self.stops or builder is not self.builder or isinstance(wrong.type, ir.VectorType):
                note(builder, wrong)
                return
            failed = wrong if self.taken is None else builder.and_(wrong, self.taken)
            with builder.if_then(failed, likely=False):
                note(builder, failed)
                self.leave()

        return report

    @contextmanager
    def stopping(self, stops: bool) -> Iterator[None]:
        """Whether what is written inside ends where a check fails."""
        before, self.stops = self.stops, stops
        yield
        self.stops = before

    def leave_if(self, wrong: Any) -> None:
        """Ends the function here where the run is to end."""
        if isinstance(wrong, ir.Constant) and wrong.constant == 0:
            return
        with self.builder.if_then(wrong, likely=False):
            self.leave()

    def leave(self) -> None:
        """Goes to the end of the function; what it has allocated is given back."""
        for held in self.allocated:
            for one in held:
                self.release(one)
        if self.pace.exit is None:
            self.pace.exit = self.function.append_basic_block("exit")
        self.builder.branch(self.pace.exit)

    @contextmanager
    def module_of_its_own(self) -> Iterator[None]:
        """Functions that are written inside stand in a module that nothing else is in but what takes memory."""
        before, self.module = self.module, self.new_module()
        self.module.globals |= {one.name: one for one in (self.malloc, self.free)}
        yield
        self.module = before

    # Memory

    def release(self, held: Any) -> None:
        """Frees a buffer, by its name, or other memory."""
        owned = self.memory[held].owned if isinstance(held, str) else held
        if owned is not None:
            self.builder.call(self.free, [owned])

    def take(self, size: Any, what: str) -> Any:
        """Memory of so many bytes, for a purpose that is told where there is none; `give_back` frees it."""
        raw, none = self.asked_for(size)
        self.stop_if(none, no_memory(what), None)
        self.allocated[-1].append(raw)
        return raw

    def asked_for(self, size: Any) -> tuple[Any, Any]:
        """Memory of so many bytes, and whether there is none."""
        raw = self.builder.call(self.malloc, [size])
        return raw, self.builder.icmp_unsigned("==", raw, ir.Constant(POINTER, None))

    def give_back(self, raw: Any) -> None:
        self.release(raw)
        self.allocated[-1] = [one for one in self.allocated[-1] if one is not raw]
