"""Fixed points, folds that exchange old and new states: after a step that left every state as it was, none is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.strategies.double_buffering import POINTER, bytes_of, exchanging
from tolang.engines.llvm import ir
from tolang.engines.llvm.callees import declared
from tolang.engines.llvm.types import I1, I32, I64
from tolang.plan.nest import Repeat

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter


def fixed_point(emitter: Emitter, repeat: Repeat) -> None:
    """The steps in order, until the bits of the new states are those of the old ones."""
    builder = emitter.builder
    going = emitter.slot(I1)
    builder.store(ir.Constant(I1, 1), going)

    def unless_settled(step: Callable[[], None]) -> None:
        with builder.if_then(builder.load(going)), emitter.scope():
            step()
            changed: Any = ir.Constant(I1, 0)
            for state, following in repeat.exchanges:
                places = [builder.bitcast(emitter.memory[one.name].address, POINTER) for one in (state, following)]
                differs = builder.call(_compare(emitter), [*places, bytes_of(emitter, state)])
                changed = builder.or_(changed, builder.icmp_signed("!=", differs, ir.Constant(I32, 0)))
            builder.store(changed, going)

    exchanging(emitter, repeat, unless_settled)


def _compare(emitter: Emitter) -> Any:
    """C's own comparison of bytes."""
    return declared(emitter.module, "memcmp", I32, [POINTER, POINTER, I64])
