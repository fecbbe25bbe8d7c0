"""What the emitter knows by name, and the checks it has written."""

from __future__ import annotations

from typing import Any

from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Span
from tolang.plan.nest import FaultInfo, SourcePlaceholder


@dataclass(frozen=True, slots=True)
class CheckSite:
    """A check that can fail: what it is about, and where it stands in the source."""

    complaint: FaultInfo
    span: Span | SourcePlaceholder | None


@dataclass(frozen=True, slots=True)
class BufferMemory:
    """Where a buffer lies, and what is freed with it: None, or a null address, where the memory is not its own.

    The two are one value, so that a buffer which gets the memory of another gets both.
    """

    address: Any
    owned: Any = None


@dataclass(slots=True)
class BoundValue:
    """A name's value: an IR value, or a slot in memory for one that changes.

    One from `data` may be any number; a coordinate or size is known not to be large.  Of a coordinate that numbers what
    lies in panels, it may be known which `panel` it is in, from 0, and its place there.
    """

    value: Any
    storage: str
    slot: bool = False
    data: bool = True
    panel: tuple[Any, int] | None = None

    @property
    def is_word(self) -> bool:
        """Whether it is a number from data that has 64 bits and a sign, as coordinates have."""
        return self.data and self.storage == "i64"

    @staticmethod
    def index(value: Any) -> BoundValue:
        """What an iterator or a size is bound to."""
        return BoundValue(value, "i64", data=False)
