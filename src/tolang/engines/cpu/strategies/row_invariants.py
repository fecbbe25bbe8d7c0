"""What is the same all along a row of a fold: looked up, and checked, once before it.

    reduce[i,j]({d = tokens[i]; s + table[d,j]?})        for i: d = tokens[i]; check d; for j in lanes: s + table[d,j]

A row with no elements looks at nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tolang.engines.llvm.bindings import Bound
from tolang.nests.nest import Load, Reduction, Scalar, Where
from tolang.nests.rewriting import Rewriter
from tolang.nests.traversal import dependencies, occurrences, walk

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter


@dataclass(frozen=True, slots=True)
class RowInvariants:
    """Names to bind and reads to check before a row, and the step that is left of the fold's."""

    bindings: tuple[tuple[str, Scalar], ...]
    reads: tuple[Load, ...]
    step: Scalar

    def around(self, emitter: Emitter, low: Any, high: Any, row: Callable[[], None]) -> None:
        """A row, from one element to another, if there are any and all is as it should be."""

        def looked_at() -> None:
            with emitter.scope():
                for name, value in self.bindings:
                    emitter.names[name] = Bound(emitter.scalar(value), value.column.storage)
                self._checked(emitter, list(self.reads), row)

        emitter.choose(emitter.builder.icmp_signed("<", low, high), looked_at, lambda: None)

    def _checked(self, emitter: Emitter, reads: list[Load], row: Callable[[], None]) -> None:
        if not reads:
            row()
            return
        first, *rest = reads
        there = emitter.checks(first.checks, first.span)
        emitter.choose(there, lambda: self._checked(emitter, rest, row), lambda: None)


def row_invariants_of(step: Scalar, inner: str, state: str) -> RowInvariants | None:
    """What of a fold's step does not change with its innermost coordinate; None where nothing of that is in the way."""
    bindings: list[tuple[str, Scalar]] = []
    while isinstance(step, Where) and not any(_moves(value, {inner, state}) for _, value in step.bindings):
        bindings += step.bindings
        step = step.value
    moving = {inner, state, *(name for one in walk(step) if isinstance(one, Where) for name, _ in one.bindings)}
    reads = [place for place in occurrences(step) if isinstance(place.scalar, Load) and place.scalar.checks]
    checked = [place.scalar for place in reads if isinstance(place.scalar, Load)]
    still = all(moving.isdisjoint(check.names()) for load in checked for check in load.checks)
    if not checked or not still or any(place.folded or not place.always for place in reads):
        return None

    def rule(scalar: Scalar) -> Scalar | None:
        return replace(scalar, checks=()) if isinstance(scalar, Load) and scalar.checks else None

    return RowInvariants(tuple(bindings), tuple(checked), Rewriter(rule=rule).scalar(step))


def _moves(value: Scalar, names: set[str]) -> bool:
    return bool(dependencies(value) & names) or any(isinstance(one, Reduction) for one in walk(value))
