"""What a scan computes without the element before is computed first, for all its steps, on vectors.

    repeat [i <= n]                               buffer ready [n]
      s[i + 1] = s[i] * exp(x[i]) + y[i]          nest [i <= n]
                                                    ready[i] = exp(x[i])
                                                  repeat [i <= n]
                                                    s[i + 1] = s[i] * ready[i] + y[i]

The cost rule: only functions that processors have none for are worth a row of memory.  A scan whose step may be
regrouped is left as it is: its blocks run on vectors themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import COSTLY
from tolang.idioms.scan import scan_of
from tolang.plan.nest import Allocate, Buffer, Load, Nest, Operation, Plan, Repeat, Scalar, Step, Where
from tolang.plan.printer import signature
from tolang.plan.rewriting import Bindings, Rewriter, map_lists, within
from tolang.plan.traversal import buffers_in, dependencies, has_fold, may_fail, names_in, scalars_in


def compute_first(plan: Plan) -> Plan:
    """What a scan computes without the element before is computed first, for all its steps."""
    numbers = count(1)
    return map_lists(plan, lambda steps: tuple(made for step in steps for made in _split(step, numbers)))


def _split(step: Step, numbers: Iterator[int]) -> list[Step]:
    found = scan_of(step) if isinstance(step, Repeat) else None
    if found is None or found.combine is not None or found.first is not None or not isinstance(step, Repeat):
        return [step]
    (nest,) = step.steps
    assert isinstance(nest, Nest)
    apart = _ScanSplit(found.iterator, found.extent, frozenset(buffer.name for buffer, _ in nest.targets), numbers)
    values = tuple(apart.rest(value, ()) for value in nest.values)
    if not apart.ready:
        return [step]
    made = [Allocate(buffer) for buffer, _ in apart.ready.values()]
    return [*made, apart.nest(), replace(step, steps=(replace(nest, values=values),))]


@dataclass(slots=True)
class _ScanSplit:
    """A step of a scan on its way into two: what is `ready` before the scan, by its text, and the rest.

    Names are `moving` where they depend on the element before, which is in one of some buffers.
    """

    iterator: str
    extent: Size
    before: frozenset[str]
    numbers: Iterator[int]
    moving: set[str] = field(default_factory=set)
    ready: dict[str, tuple[Buffer, Scalar]] = field(default_factory=dict)

    def rest(self, scalar: Scalar, known: Bindings) -> Scalar:
        """A scalar with its largest costly parts that depend on no element before read where they are ready.

        What is `known` around it are names that do not depend on it either.
        """
        if not self._moves(scalar):
            return self._read(scalar, known) if _is_costly(scalar, known) else scalar
        match scalar:
            case Operation(arguments=arguments):
                return replace(scalar, arguments=tuple(self.rest(one, known) for one in arguments))
            case Where(bindings=bindings, value=value):
                return self._where(scalar, bindings, value, known)
        return scalar

    def _where(self, scalar: Where, bindings: Bindings, value: Scalar, known: Bindings) -> Scalar:
        made: list[tuple[str, Scalar]] = []
        for name, bound in bindings:
            if self._moves(bound):
                self.moving.add(name)
                made.append((name, self.rest(bound, known)))
            else:
                known = (*known, (name, bound))
                made.append((name, bound))
        left, used = self.rest(value, known), list[tuple[str, Scalar]]()
        names = set(names_in(left))
        for name, bound in reversed(made):
            if name in names:
                used.append((name, bound))
                names |= names_in(bound)
        return replace(scalar, bindings=tuple(reversed(used)), value=left) if used else left

    def _moves(self, scalar: Scalar) -> bool:
        return not (self.before.isdisjoint(buffers_in(scalar)) and self.moving.isdisjoint(dependencies(scalar)))

    def _read(self, scalar: Scalar, known: Bindings) -> Scalar:
        own = within(known, scalar)
        text = signature(own)
        if text not in self.ready:
            name = f"ready {next(self.numbers)}_1.1"
            self.ready[text] = Buffer(name, scalar.column, (self.extent,)), own
        buffer, _ = self.ready[text]
        return Load(buffer, (Size.of(self.iterator),), column=scalar.column, span=scalar.span)

    def nest(self) -> Nest:
        """All that is ready, at all steps."""
        own = f"{self.iterator} first"
        rewriter = Rewriter({self.iterator: Size.of(own)})
        targets = tuple((buffer, (Size.of(own),)) for buffer, _ in self.ready.values())
        values = tuple(rewriter.scalar(value) for _, value in self.ready.values())
        return Nest((own,), (self.extent,), targets, values, "ready")


def _is_costly(scalar: Scalar, known: Bindings) -> bool:
    """Whether a scalar is worth a row of memory, and nothing can be wrong with it."""
    whole = within(known, scalar)
    functions = {one.function for one in scalars_in(whole) if isinstance(one, Operation)}
    return not COSTLY.isdisjoint(functions) and not may_fail(whole) and not has_fold(whole)
