"""How the columns of tiles are numbered.

Packed columns have the coordinates of their dimensions one after the other.  Columns that are read from a copy as it
lies have its places one after the other, along the last two dimensions: what lies between the windows of two rows has
numbers, too, and is computed for nothing.  Each coordinate of the other dimensions begins with a tile of its own.
"""

from __future__ import annotations

from typing import Any

from tolang.engines.cpu.contraction.frames import ONE, ZERO, KernelFrame, number
from tolang.engines.llvm.sizes import quotient_of
from tolang.idioms.contraction import Dimensions
from tolang.plan.nest import Load


class TileColumns:
    """Columns one after the other."""

    words: tuple[str, ...] = ()
    breaks = False
    """Whether lines end within tiles, so that vectors are cut there."""

    def __init__(self, frame: KernelFrame, dimensions: Dimensions) -> None:
        self.frame, self.dimensions = frame, dimensions

    @property
    def builder(self) -> Any:
        return self.frame.builder

    def total(self, width: int) -> Any:
        """How many numbers there are, in tiles of a width."""
        return self.frame.count(self.dimensions)

    def left(self, column: Any) -> Any:
        """How many columns there are from one on that a tile may take."""
        return self.builder.sub(self.frame.get("N"), column)

    def firsts(self, column: Any, depth: Dimensions) -> list[Any]:
        """Where a column that is read as it lies is at the first step of the depth; nothing where it is packed."""
        return []

    def line(self, reach: Any) -> Any:
        """How far a line goes that reaches so far if nothing lies between its columns."""
        return reach

    def stretch(self, column: Any, length: Any, most: Any) -> tuple[Any, Any, Any, Any]:
        """From a column on: where its line begins, where it is there, how many lie on it, how many numbers those have.

        The line's beginning is counted in coordinates.
        """
        quotient = quotient_of(self.builder, column, length) if len(self.dimensions) > 1 else ZERO
        begin = self.builder.mul(quotient, length)
        at = self.builder.sub(column, begin)
        run = self.frame.minimum(most, self.builder.sub(length, at))
        return begin, at, run, run


class ColumnsOfCopy(TileColumns):
    """Columns that are places of a copy of windows, read as they lie."""

    words = ("places", "numbers", "pitch", "high", "wide")
    breaks = True

    def __init__(self, frame: KernelFrame, dimensions: Dimensions, load: Load) -> None:
        super().__init__(frame, dimensions)
        self.load = load
        joined = len(dimensions) > 1 and len(load.indices) > 1 and dimensions[-2][0] in load.indices[-2].names()
        self.outer = dimensions[: -2 if joined else -1]
        self.inner = dimensions[len(self.outer) :]

    def total(self, width: int) -> Any:
        frame, builder = self.frame, self.builder
        wide = frame.emitter.size(self.inner[-1][1])
        high = frame.emitter.size(self.inner[0][1]) if len(self.inner) > 1 else ONE
        pitch = frame.maximum(frame.emitter.size(self.load.buffer.shape[-1]), ONE)
        places = builder.add(builder.mul(builder.sub(high, ONE), pitch), wide)
        none = builder.or_(builder.icmp_signed("<", high, ONE), builder.icmp_signed("<", wide, ONE))
        places = builder.select(none, ZERO, places)
        numbers = builder.mul(frame.ceiling(places, number(width)), number(width))
        for word, value in zip(self.words, (places, frame.maximum(numbers, ONE), pitch, high, wide), strict=True):
            frame.put(word, value)
        return builder.mul(frame.count(self.outer), numbers)

    def _split(self, column: Any) -> tuple[Any, Any]:
        """The coordinate of the outer dimensions, and the place."""
        numbers = self.frame.get("numbers")
        outer = quotient_of(self.builder, column, numbers) if self.outer else ZERO
        return outer, self.builder.sub(column, self.builder.mul(outer, numbers))

    def left(self, column: Any) -> Any:
        return self.builder.sub(self.frame.get("places"), self._split(column)[1])

    def firsts(self, column: Any, depth: Dimensions) -> list[Any]:
        frame = self.frame
        outer, place = self._split(column)
        with frame.emitter.scope():
            frame.bind_flat(outer, self.outer)
            for name, _ in (*self.inner, *depth):
                frame.bind(name, ZERO)
            at = frame.emitter.address(self.load.buffer, self.load.indices)
        return [self.builder.gep(at, [place])]

    def line(self, reach: Any) -> Any:
        return self.frame.get("wide")

    def stretch(self, column: Any, length: Any, most: Any) -> tuple[Any, Any, Any, Any]:
        frame, builder = self.frame, self.builder
        outer, place = self._split(column)
        pitch, high, wide = (frame.get(word) for word in ("pitch", "high", "wide"))
        row = quotient_of(builder, place, pitch)
        at = builder.sub(place, builder.mul(row, pitch))
        begin = builder.mul(builder.add(builder.mul(outer, high), row), wide)
        there = builder.and_(builder.icmp_signed("<", row, high), builder.icmp_signed("<", at, wide))
        run = builder.select(there, frame.minimum(most, builder.sub(wide, at)), ZERO)
        return begin, at, run, builder.select(there, run, frame.minimum(most, builder.sub(pitch, at)))
