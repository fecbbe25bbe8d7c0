"""Filling buffers that lie in panels: what a contraction would pack in every call, packed once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.contraction.cuts import cut_dimensions, variables
from tolang.engines.cpu.contraction.frames import ONE, POINTER, ZERO, KernelFrame, number
from tolang.engines.cpu.contraction.packing import Packing, Panel
from tolang.engines.cpu.emission.effort import folding
from tolang.engines.cpu.emission.sharing import shared_rows
from tolang.engines.llvm.types import I64
from tolang.plan.traversal import read_buffers, used_names
from tolang.schedule.tile import WIDTH_OF_STORAGE

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter
    from tolang.plan.nest import Nest


def prepacking(emitter: Emitter, nest: Nest) -> None:
    """A nest whose target lies in panels, panels among the threads."""
    buffer, _ = nest.targets[0]
    panels = buffer.panels
    assert panels is not None
    if panels.chunk > 1:
        _element_by_element(emitter, nest)
        return
    dimensions = tuple(zip(nest.iterators, nest.extents, strict=True))
    depth, own = dimensions[: -panels.across], dimensions[-panels.across :]
    storage = buffer.column.storage
    lanes = emitter.target.vector_bytes // WIDTH_OF_STORAGE[storage]
    panel = Panel(nest.values[0], own, depth, panels.width, storage, lanes)
    names = used_names(nest) | {n for length in buffer.shape for n in length.names()} | {"the seed"}
    words = dict.fromkeys((*variables(cut_dimensions(depth)), "length", "places"), I64)
    frame = KernelFrame(emitter, names, read_buffers(nest) | {buffer.name}, words)
    places = frame.count(own)
    known = {"length": frame.count(depth), "places": places}
    for k in range(cut_dimensions(depth)):
        known |= {f"start {k}": ZERO, f"span {k}": emitter.size(depth[k][1])}
    for name, value in known.items():
        frame.put(name, value)
    pack = Packing(frame, panel).emit()

    def region(low: Any, high: Any) -> None:
        size = frame.builder.mul(frame.get("length"), number(panel.step_bytes))
        memory = frame.builder.bitcast(emitter.memory[buffer.name].address, POINTER)

        def one(position: Any) -> None:
            first = frame.builder.mul(position, number(panels.width))
            to = frame.builder.gep(memory, [frame.builder.mul(position, size)])
            frame.call(pack, [first, frame.get("places"), to])

        frame.each(low, high, ONE, one)

    work = frame.function("panels", [I64, I64], region)
    frame.parallel(work, frame.ceiling(places, number(panels.width)), ONE)


def _element_by_element(emitter: Emitter, nest: Nest) -> None:
    """Panels of chunks, rows of which lie as they did."""

    def element() -> None:
        ((buffer, at),) = nest.targets
        emitter.store(buffer, at, emitter.scalar(nest.values[0]))

    last, rest = nest.iterators[-1:], (nest.iterators[:-1], nest.extents[:-1])
    shared_rows(emitter, last, nest.extents[-1:], folding(nest.values, rest[1]), lambda: emitter.loops(*rest, element))
