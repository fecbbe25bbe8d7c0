"""What one expression costs: a small additive record, by function and by definition."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tolang.ground.dataclasses import dataclass, field
from tolang.ground.symbolic.conditions import Condition, choice
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.ground.symbolic.sums import sum_over

Change = Callable[[Size], Size]


@dataclass(frozen=True, slots=True)
class Spent:
    """What a definition costs: how often it is evaluated, its EOPs with those of what it calls, and its own alone."""

    evaluations: Size
    eops: Size
    own: Size

    def changed(self, change: Change) -> Spent:
        return Spent(change(self.evaluations), change(self.eops), change(self.own))

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.evaluations + other.evaluations, self.eops + other.eops, self.own + other.own)


NOTHING_SPENT = Spent(ZERO, ZERO, ZERO)


@dataclass(slots=True)
class Tally:
    """EOPs by function, in the order of first evaluation, and by definition; `loose` are those of no definition.

    `flops` are those on floats, and `macs` the sums of folds that add a product.
    """

    functions: dict[str, Size] = field(default_factory=dict)
    definitions: dict[str, Spent] = field(default_factory=dict)
    loose: Size = ZERO
    flops: Size = ZERO
    macs: Size = ZERO

    def add(self, other: Tally) -> None:
        for name, count in other.functions.items():
            self.functions[name] = self.functions.get(name, ZERO) + count
        for name, spent in other.definitions.items():
            self.definitions[name] = self.definitions.get(name, NOTHING_SPENT) + spent
        self.loose = self.loose + other.loose
        self.flops = self.flops + other.flops
        self.macs = self.macs + other.macs

    def add_one(self, function: str, on_floats: bool, of_product: bool) -> None:
        """One evaluation of a basic elementary function."""
        self.functions[function] = self.functions.get(function, ZERO) + ONE
        self.loose = self.loose + ONE
        self.flops = self.flops + ONE if on_floats else self.flops
        self.macs = self.macs + ONE if of_product else self.macs

    @property
    def total(self) -> Size:
        total = ZERO
        for count in self.functions.values():
            total = total + count
        return total

    def changed(self, change: Change) -> Tally:
        """The same record with every count changed alike."""
        functions = {name: change(count) for name, count in self.functions.items()}
        definitions = {name: spent.changed(change) for name, spent in self.definitions.items()}
        return Tally(functions, definitions, change(self.loose), change(self.flops), change(self.macs))

    def summed(self, loops: Iterable[tuple[str, Size]]) -> Tally:
        """The record over all values of iterators, each from 1 to its extent."""
        pairs = list(loops)
        iterators = {iterator for iterator, _ in pairs}
        times = ONE
        for _, extent in pairs:
            times = times * extent

        def total(count: Size) -> Size:
            if count.names().isdisjoint(iterators):
                return count * times
            for iterator, extent in reversed(pairs):
                count = sum_over(count, iterator, extent)
            return count

        return self.changed(total)

    def attributed(self, definition: str, evaluations: Size = ONE) -> Tally:
        """The record as one evaluation of a definition, or, with no evaluation, as something computed for it."""
        if not evaluations.terms and not self.functions:
            return self
        before = self.definitions.get(definition, NOTHING_SPENT)
        spent = before + Spent(evaluations, self.total, self.loose)
        definitions = {definition: spent, **_without(self.definitions, definition)}
        return Tally(self.functions, definitions, ZERO, self.flops, self.macs)


def _without(definitions: dict[str, Spent], name: str) -> dict[str, Spent]:
    return {other: spent for other, spent in definitions.items() if other != name}


def together(tallies: Iterable[Tally]) -> Tally:
    total = Tally()
    for tally in tallies:
        total.add(tally)
    return total


def either(condition: Condition, then: Tally, otherwise: Tally) -> Tally:
    """A case distinction: one record where a condition on sizes holds, the other where it does not."""
    if condition.constant is not None:
        return then if condition.constant else otherwise
    functions = {
        name: choice(condition, then.functions.get(name, ZERO), otherwise.functions.get(name, ZERO))
        for name in dict.fromkeys([*then.functions, *otherwise.functions])
    }
    definitions = {}
    for name in dict.fromkeys([*then.definitions, *otherwise.definitions]):
        one, two = (side.definitions.get(name, NOTHING_SPENT) for side in (then, otherwise))
        definitions[name] = Spent(
            choice(condition, one.evaluations, two.evaluations),
            choice(condition, one.eops, two.eops),
            choice(condition, one.own, two.own),
        )
    return Tally(
        functions,
        definitions,
        choice(condition, then.loose, otherwise.loose),
        choice(condition, then.flops, otherwise.flops),
        choice(condition, then.macs, otherwise.macs),
    )
