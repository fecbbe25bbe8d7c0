"""A fold that adds to places of several states, as the sums and counts of means do, is a histogram of each of them.

    repeat [i <= n]                              repeat [i <= n]
      j = place(x[i])                              j = place(x[i])
      s[j] = add(s[j], x[i])            ->         s[j] = add(s[j], x[i])
      t[j] = add(t[j], 1)                        repeat [i <= n]
                                                   j = place(x[i])
                                                   t[j] = add(t[j], 1)

No state tells anything of the other, so that each has its steps in their order; and what is one histogram all threads
can do (idioms/histogram.py).
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.idioms.histogram import histogram_of
from tolang.plan.nest import Bind, Branch, Nest, Plan, Repeat, Step
from tolang.plan.rewriting import map_lists
from tolang.plan.traversal import inner_steps, may_fail, names_in, read_buffers, used_names
from tolang.plan.uses import buffers_read


def add_apart(plan: Plan) -> Plan:
    """Folds that add to several states are a histogram of each."""

    def change(steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return tuple(one for step in steps for one in (_apart(step) if isinstance(step, Repeat) else (step,)))

    return map_lists(plan, change)


def _apart(repeat: Repeat) -> tuple[Repeat, ...]:
    """The histograms that a repetition is; itself where it is one already, or something else."""
    nests = [one for one in _flat(repeat.steps) if isinstance(one, Nest)]
    targets = nests[0].targets if len(nests) == 1 else ()
    states = [buffer.name for buffer, _ in targets]
    if len(targets) < 2 or len(set(states)) < len(states) or repeat.exchanges:
        return (repeat,)
    found = []
    for number in range(len(targets)):
        others = frozenset(states) - {states[number]}
        steps = _used(_of_one(repeat.steps, number, others, set()))
        if buffers_read(steps) & others:
            return (repeat,)
        found.append(replace(repeat, steps=steps))
    return tuple(found) if all(histogram_of(one) is not None for one in found) else (repeat,)


def _flat(steps: tuple[Step, ...]) -> list[Step]:
    return [one for step in steps for one in (step, *_flat(inner_steps(step)))]


def _of_one(steps: tuple[Step, ...], number: int, others: frozenset[str], derived: set[str]) -> tuple[Step, ...]:
    """The steps that write one target, without what only the other states decide, whose names are `derived`."""
    kept: list[Step] = []
    for step in steps:
        match step:
            case Bind(name=name, value=value) if read_buffers(step) & others or names_in(value) & derived:
                derived.add(name)
            case Nest(targets=targets, values=values):
                kept.append(replace(step, targets=(targets[number],), values=(values[number],)))
            case Branch():
                then, otherwise = (_of_one(one, number, others, derived) for one in (step.then, step.otherwise))
                kept.append(replace(step, then=then, otherwise=otherwise))
            case _:
                kept.append(step)
    return tuple(kept)


def _used(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Steps without names that none of them asks for, and with which nothing can be wrong."""
    kept: list[Step] = []
    asked: set[str] = set()
    for step in reversed(steps):
        if not isinstance(step, Bind) or step.name in asked or may_fail(step.value):
            kept.insert(0, step)
            asked |= used_names(step)
    return tuple(kept)
