"""Rows of a contraction that are read from a copy as they lie: how far each of them is from the first.

An element of such a row is where the first row begins, so much further as the row is, and so much further again as the
step of the depth is: both are looked up, so that the tile divides nothing.
"""

from __future__ import annotations

from typing import Any

from tolang.engines.cpu.contraction.frames import ONE, ZERO, KernelFrame
from tolang.engines.cpu.contraction.packing import elements_between
from tolang.engines.llvm.types import I64
from tolang.idioms.contraction import Dimensions
from tolang.plan.access import access_of
from tolang.plan.nest import Load


class RowsOfCopy:
    """Rows of such a contraction: their dimensions, those of the depth, and the read."""

    word = "row offsets"
    """The frame's word of where their distances are."""

    def __init__(self, frame: KernelFrame, rows: Dimensions, depth: Dimensions, load: Load) -> None:
        self.frame, self.rows, self.depth, self.load = frame, rows, depth, load

    def _bind_first(self) -> None:
        for name, _ in (*self.rows, *self.depth):
            self.frame.bind(name, ZERO)

    def _address(self) -> Any:
        return self.frame.emitter.address(self.load.buffer, self.load.indices)

    def fill(self, raw: Any) -> None:
        """Writes the distances of all rows to memory."""
        frame, builder = self.frame, self.frame.builder
        to = builder.bitcast(raw, I64.as_pointer())
        self._bind_first()
        first, storage = self._address(), self.load.column.storage

        def here() -> Any:
            return elements_between(builder, storage, first, self._address())

        def along(left: Dimensions, before: Any) -> None:
            if not left:
                builder.store(here(), builder.gep(to, [before]))
                return
            (name, extent), *inner = left
            length = frame.emitter.size(extent)
            apart = None if inner else access_of(self.load).stride(name)

            def next_one(place: Any) -> None:
                further = builder.add(start, builder.mul(place, step))
                builder.store(further, builder.gep(to, [builder.add(builder.mul(before, length), place)]))

            if apart is not None:  # what all of them have in common is found once: a store might change it, for LLVM
                frame.bind(name, ZERO)
                start, step = here(), frame.emitter.size(apart)
                frame.each(ZERO, length, ONE, next_one)
                return

            def one(place: Any) -> None:
                frame.bind(name, place)
                along(tuple(inner), builder.add(builder.mul(before, length), place))

            frame.each(ZERO, length, ONE, one)

        along(self.rows, ZERO)

    def begin(self) -> Any:
        """Where the first row begins, at the first step of the depth."""
        with self.frame.emitter.scope():
            self._bind_first()
            return self._address()

    def table(self, first_row: Any) -> Any:
        """The distances of rows from one on."""
        builder = self.frame.builder
        return builder.gep(builder.bitcast(self.frame.get(self.word), I64.as_pointer()), [first_row])
