"""Double buffering, folds that exchange old and new states: their memory changes places after every step.

If the state has ended in the other's memory, the two keep the memory that they have then where both are this
function's own, or where whoever called it knows of that; else the state is copied, once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BufferMemory
from tolang.engines.llvm.callees import declared
from tolang.engines.llvm.types import I8, I64
from tolang.ground.values.spaces import dtype_of
from tolang.plan.nest import Buffer, Repeat
from tolang.plan.schedule import DoubleBuffered

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

POINTER = I8.as_pointer()


def double_buffering(emitter: Emitter, repeat: Repeat) -> None:
    """The steps in order, each with the memory as the one before left it."""
    exchanging(emitter, repeat, lambda step: step())


def exchanging(emitter: Emitter, repeat: Repeat, once: Callable[[Callable[[], None]], None]) -> None:
    """Steps whose states change places; `once` is given what writes one, and leaves the memory it was done with."""
    pairs = [_Pair(emitter, state, following) for state, following in repeat.exchanges]

    def turn() -> None:
        for pair in pairs:
            pair.read()
        emitter.own_memory(repeat.steps)
        for pair in pairs:
            pair.exchange()

    partly_own = [name for pair in pairs for name in pair.not_own()]
    emitter.allocated[-1] += partly_own
    backwards = slice(None, None, -1)
    emitter.loops(repeat.iterators[backwards], repeat.extents[backwards], lambda: once(turn))
    emitter.allocated[-1] = emitter.allocated[-1][: len(emitter.allocated[-1]) - len(partly_own)]
    if isinstance(repeat.schedule, DoubleBuffered) and repeat.schedule.left:
        return
    for pair in pairs:
        pair.settle()


class _Pair:
    """Two buffers that exchange their memory: where each has it, and what is to be freed with it, is on the stack."""

    def __init__(self, emitter: Emitter, state: Buffer, following: Buffer) -> None:
        self.emitter, self.state, self.names = emitter, state, (state.name, following.name)
        self.homes = [emitter.memory[name] for name in self.names]
        self.owns = any(home.owned is not None for home in self.homes)
        self.slots = [self._slots(home) for home in self.homes]
        self._write(self.homes)

    def _slots(self, home: BufferMemory) -> tuple[Any, Any]:
        return self.emitter.slot(home.address.type), self.emitter.slot(POINTER) if self.owns else None

    def _write(self, memories: list[BufferMemory]) -> None:
        builder, nothing = self.emitter.builder, ir.Constant(POINTER, None)
        for memory, (address, owned) in zip(memories, self.slots, strict=True):
            builder.store(memory.address, address)
            if self.owns:
                builder.store(nothing if memory.owned is None else memory.owned, owned)

    def read(self) -> None:
        """Gives both buffers the memory that they have at this point of the run."""
        builder = self.emitter.builder
        for name, (address, owned) in zip(self.names, self.slots, strict=True):
            self.emitter.memory[name] = BufferMemory(builder.load(address), builder.load(owned) if self.owns else None)

    def exchange(self) -> None:
        """Gives each the other's memory."""
        first, second = self.names
        self._write([self.emitter.memory[second], self.emitter.memory[first]])

    def not_own(self) -> list[str]:
        """Which of the two this function has not allocated, if it has the other: it may hold that memory meanwhile."""
        held = {one for names in self.emitter.allocated for one in names if isinstance(one, str)}
        return [name for name in self.names if self.owns and name not in held]

    def settle(self) -> None:
        """After the last step: both keep what they have, or the state is copied to where it belongs."""
        if set(self.names) <= {one for one in self.emitter.allocated[-1] if isinstance(one, str)}:
            self.read()
        else:
            self.bring_home()

    def bring_home(self) -> None:
        """Copies a state that has ended elsewhere to where it belongs."""
        builder, (home, _), (place, _) = self.emitter.builder, self.homes, self.slots[0]
        last = builder.load(place)
        with builder.if_then(builder.icmp_unsigned("!=", home.address, last)):
            copy = declared(self.emitter.module, "memcpy", POINTER, [POINTER, POINTER, I64])
            to, source = (builder.bitcast(one, POINTER) for one in (home.address, last))
            builder.call(copy, [to, source, bytes_of(self.emitter, self.state)])


def bytes_of(emitter: Emitter, state: Buffer) -> Any:
    """How much memory a state has."""
    size: Any = ir.Constant(I64, dtype_of(state.column.storage).itemsize)
    for length in state.shape:
        size = emitter.builder.mul(size, emitter.size(length))
    return size
