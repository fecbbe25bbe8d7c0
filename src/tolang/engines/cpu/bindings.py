"""What the emitter knows by name, and the checks it has written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tolang.ground.diagnostics import Span
from tolang.nests.nest import Place


@dataclass(frozen=True, slots=True)
class Site:
    """A check that can fail: what it is about, and where it stands in the source."""

    message: str
    span: Span | Place | None


@dataclass(slots=True)
class Bound:
    """A name's value: an IR value, or a slot in memory for one that changes."""

    value: Any
    storage: str
    slot: bool = False
