"""Results that lie as tiles hold them: sums of a tile that rest, and end, where they are wanted.

That is so where an element of a nest is what its only fold gives, in the same storage, and rows and columns of the
target lie in the order in which tiles number them.  A tile that is not all inside the target is finished as those of
other contractions are.
"""

from __future__ import annotations

from typing import Any

from tolang.engines.cpu.contraction.frames import POINTER, KernelFrame, number
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import Size
from tolang.idioms.contraction import Contraction
from tolang.plan.access import access_to
from tolang.plan.nest import Reduction
from tolang.plan.schedule import Tiled
from tolang.plan.traversal import read_buffers, written_buffers
from tolang.schedule.tile import WIDTH_OF_STORAGE, is_place


@dataclass(frozen=True, slots=True)
class Result:
    """The target of a contraction whose tiles may write it themselves; rows of it lie `apart`, counted in elements."""

    frame: KernelFrame
    contraction: Contraction
    tile: Tiled
    apart: Size

    def holds(self, row: Any, column: Any, columns: Any) -> Any:
        """Whether a tile from a row and a column on, of so many columns, lies inside."""
        frame, builder = self.frame, self.frame.builder
        ends = (row, number(self.tile.rows), "M"), (column, columns, "N")
        inside = [builder.icmp_signed("<=", builder.add(first, one), frame.get(word)) for first, one, word in ends]
        return builder.and_(*inside)

    def place(self, row: Any, column: Any) -> Any:
        """Where the element of a row and a column lies."""
        frame, ((buffer, at),) = self.frame, self.contraction.nest.targets
        with frame.emitter.scope():
            frame.bind_flat(row, self.contraction.rows)
            frame.bind_flat(column, self.contraction.columns)
            return frame.builder.bitcast(frame.emitter.address(buffer, at), POINTER)

    def pitch(self) -> Any:
        """How many bytes rows lie apart."""
        ((buffer, _),) = self.contraction.nest.targets
        size = self.frame.emitter.size(self.apart)
        return self.frame.builder.mul(size, number(WIDTH_OF_STORAGE[buffer.column.storage]))


def result_of(frame: KernelFrame, contraction: Contraction, tile: Tiled, held: str) -> Result | None:
    """The result whose tiles write it themselves; None where they cannot. Sums are `held` in a storage."""
    nest, phase = contraction.nest, contraction.phases[-1]
    if len(contraction.phases) > 1 or len(phase.steps) > 1 or phase.extras or is_place(phase, 0) or tile.matrices:
        return None
    if len(nest.targets) > 1 or read_buffers(nest) & written_buffers(nest):
        return None
    ((buffer, at),), (value,) = nest.targets, nest.values
    if not isinstance(value, Reduction) or value.group is not phase.group or held != buffer.column.storage:
        return None
    access = access_to(buffer, at)
    apart = access.stride(contraction.rows[-1][0])
    if apart is None or buffer.panels is not None or not access.contiguous(contraction.columns):
        return None
    return Result(frame, contraction, tile, apart) if access.contiguous(contraction.rows, apart) else None
