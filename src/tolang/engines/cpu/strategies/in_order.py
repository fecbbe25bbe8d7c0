"""Repetitions step after step, the first dimension fastest."""

from __future__ import annotations

from tolang.engines.cpu.emission.emitter import Emitter
from tolang.plan.nest import Repeat
from tolang.plan.traversal import carries


def in_order(emitter: Emitter, repeat: Repeat) -> None:
    backwards = slice(None, None, -1)
    iterators, extents = repeat.iterators[backwards], repeat.extents[backwards]
    with emitter.stopping(carries(repeat)):
        emitter.loops(iterators, extents, lambda: emitter.own_memory(repeat.steps))
