"""Rows before which is computed, and checked, what is the same all along them (`patterns.row_invariants`).

A row with no elements looks at nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tolang.engines.llvm.bindings import BoundValue
from tolang.plan.nest import Load
from tolang.schedule.row_invariants import RowInvariants

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter


def around_row(emitter: Emitter, still: RowInvariants, low: Any, high: Any, row: Callable[[], None]) -> None:
    """A row, from one element to another, if there are any and all is as it should be."""

    def looked_at() -> None:
        with emitter.scope():
            for name, value in still.bindings:
                emitter.names[name] = BoundValue(emitter.scalar(value), value.column.storage)
            _checked(emitter, list(still.reads), row)

    emitter.choose(emitter.builder.icmp_signed("<", low, high), looked_at, lambda: None)


def _checked(emitter: Emitter, reads: list[Load], row: Callable[[], None]) -> None:
    if not reads:
        row()
        return
    first, *rest = reads
    there = emitter.checks(first.checks, first.span)
    emitter.choose(there, lambda: _checked(emitter, rest, row), lambda: None)
