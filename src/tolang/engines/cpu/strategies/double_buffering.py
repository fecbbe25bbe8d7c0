"""Double buffering, folds that exchange old and new states: two addresses change places after every step.

If the state has ended in the other's memory, the two keep the places that they have then where both are this
function's own, or where whoever called it knows of that; else the state is copied, once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.types import I8, I64
from tolang.ground.spaces import dtype_of
from tolang.nests.nest import Buffer, Repeat
from tolang.nests.strategy import STAYING

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

POINTER = I8.as_pointer()


def double_buffering(emitter: Emitter, repeat: Repeat) -> None:
    """The steps in order, each with the addresses as the one before left them."""
    exchanging(emitter, repeat, lambda step: step())


def exchanging(emitter: Emitter, repeat: Repeat, once: Callable[[Callable[[], None]], None]) -> None:
    """Steps whose states change places; `once` is given what writes one, and leaves the addresses it was done with."""
    pairs = [(state.name, following.name) for state, following in repeat.exchanges]
    homes = [(emitter.pointers[state], emitter.pointers[following]) for state, following in pairs]
    slots = [(emitter.slot(old.type), emitter.slot(new.type)) for old, new in homes]
    for (old, new), (first, second) in zip(homes, slots, strict=True):
        emitter.builder.store(old, first)
        emitter.builder.store(new, second)

    def turn() -> None:
        for (state, following), (first, second) in zip(pairs, slots, strict=True):
            emitter.pointers[state] = emitter.builder.load(first)
            emitter.pointers[following] = emitter.builder.load(second)
        emitter.own_memory(repeat.steps)
        for (state, following), (first, second) in zip(pairs, slots, strict=True):
            emitter.builder.store(emitter.pointers[following], first)
            emitter.builder.store(emitter.pointers[state], second)

    backwards = slice(None, None, -1)
    emitter.loops(repeat.iterators[backwards], repeat.extents[backwards], lambda: once(turn))
    assert repeat.strategy is not None
    if repeat.strategy.numbers == STAYING:
        return
    for (state, following), (home, _), (first, second) in zip(repeat.exchanges, homes, slots, strict=True):
        if {state.name, following.name} <= set(emitter.allocated[-1]):
            emitter.pointers[state.name] = emitter.builder.load(first)
            emitter.pointers[following.name] = emitter.builder.load(second)
        else:
            _bring_home(emitter, state, home, emitter.builder.load(first))


def _bring_home(emitter: Emitter, state: Buffer, home: Any, last: Any) -> None:
    """Copies a state that has ended elsewhere to where it belongs."""
    builder = emitter.builder
    with builder.if_then(builder.icmp_unsigned("!=", home, last)):
        copy = emitter.module.globals.get("memcpy")
        if copy is None:
            copy = ir.Function(emitter.module, ir.FunctionType(POINTER, [POINTER, POINTER, I64]), "memcpy")
        builder.call(copy, [builder.bitcast(home, POINTER), builder.bitcast(last, POINTER), bytes_of(emitter, state)])


def bytes_of(emitter: Emitter, state: Buffer) -> Any:
    """How much memory a state has."""
    size: Any = ir.Constant(I64, dtype_of(state.column.storage).itemsize)
    for length in state.shape:
        size = emitter.builder.mul(size, emitter.size(length))
    return size
