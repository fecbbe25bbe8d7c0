"""Contractions in machine code: which can be computed by the kernel, and the kernel."""

from __future__ import annotations

from tolang.engines.cpu.contraction.kernel import Kernel, tile_of
from tolang.engines.cpu.contraction.magnitudes import boundable, can_overflow
from tolang.engines.cpu.contraction.prepacking import lay_out
from tolang.engines.cpu.contraction.steps import shape_of
from tolang.engines.llvm.types import TYPES
from tolang.nests.patterns.contraction import Contraction, walk

__all__ = ["Kernel", "lay_out", "supported", "tile_of"]


def supported(contraction: Contraction) -> bool:
    """Whether the kernel computes this contraction: machine numbers, no overflow that goes unseen."""
    scalars = [s for phase in contraction.phases for step in phase.steps for s in walk(step)]
    storages = [s.column.storage for s in scalars]
    storages += [c.storage for phase in contraction.phases for c in phase.group.columns]
    if any(s not in TYPES for s in storages) or shape_of(contraction) is None:
        return False
    return not can_overflow(contraction) or boundable(contraction)
