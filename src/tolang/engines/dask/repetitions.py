"""Repetitions: one turn of a repetition as a plan of its own, whose stages are cut as those of a program are.

    repeat [t <= steps]                        s after[i] = s[i-1] + s[i+1]
      next[i] = s[i-1] + s[i+1]      becomes
      s[i] = next[i]

What a turn leaves in the state is another buffer than what it finds there, so that pieces of a turn are apart from each
other.  Whoever drives the turns has each begin with what the one before it left.  Names of numerics that a turn uses
are inputs of its plan, and so are its coordinates; numerics of the state are outputs.

Several turns may be one plan, each of what the one before it leaves: pieces of it need a wider halo, but travel once.

A repetition that changes its state where it is, as a histogram does, goes in stretches of its steps instead, one after
the other: what it reads may be larger than memory then, though its state may not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from tolang.engines.dask.stages import separated
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import EXACT_IN_ANY_ORDER
from tolang.ground.values.spaces import is_float
from tolang.idioms.histogram import histogram_of
from tolang.idioms.scan import scan_of
from tolang.plan.grain import adds_in_order
from tolang.plan.nest import (
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Repeat,
    Scalar,
    Step,
)
from tolang.plan.regions import length_at, lengths_at, reads_of, writes_of
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import nodes_inside, used_names

GOES_ON = "goes on"
"""The numeric that tells whether a turn changes anything."""
STRETCHES = "stretches joined"
"""How many states of stretches are joined with the one before them."""


class Undriven(Exception):
    """A repetition of whose turns no plan is made; the message says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Repetition:
    """The turns of a repetition.

    `states` are the buffers that a turn finds and leaves, `names` the numerics of outside that it uses, by which input
    each; `left` the numerics that it leaves, by which output.  Where it has a `test` a turn is begun only if that
    holds; the test is final where no later turn can hold what this one does not.
    """

    step: Repeat
    plan: Plan
    states: tuple[tuple[Buffer, Buffer], ...]
    names: tuple[tuple[str, str], ...]
    left: tuple[tuple[str, str], ...]
    test: Plan | None
    is_final: bool

    @property
    def extents(self) -> tuple[Size, ...]:
        return self.step.extents


def stored(buffer: Buffer, value: Scalar) -> list[Step]:
    """A numeric in a buffer of its own."""
    return [Allocate(buffer), Nest((), (), ((buffer, ()),), (value,), buffer.name)]


def plan_within(plan: Plan, within: Sequence[int], turns: int = 1) -> Plan:
    """The plan of a turn, or stretch, of the repetition that is at a position of a plan, and so on inwards.

    Of the innermost it is the plan of several turns.
    """
    for place, position in enumerate(within, 1):
        found = repetition_of(plan, position) if position >= 0 else stretched(plan, ~position)
        plan = found.plan if turns == 1 or place < len(within) else together(found, turns)
    return plan


def together(repetition: Repetition, turns: int) -> Plan:
    """The plan of several turns of a repetition, each of them nests that know nothing of which turn it is."""
    plan = repetition.plan
    light = [one for one in plan.steps if isinstance(one, Bind)]
    nests = [one for one in plan.steps if not isinstance(one, Bind)]
    if repetition.test is not None or repetition.left or not all(isinstance(one, Allocate | Nest) for one in nests):
        raise Undriven("its turns are not nests alone")
    if any(set(repetition.step.iterators) & _names_of(one) for one in plan.steps):
        raise Undriven("its turns differ")
    steps, found = list[Step](light), {now.name: now for now, _ in repetition.states}
    for turn in range(1, turns + 1):
        own = {b.name: _of_turn(b, turn, turns) for one in nests for b in _written(one)}
        names = {i: f"{i} of turn {turn}" for one in nests if isinstance(one, Nest) for i in one.iterators}
        if turn == turns:
            names = {}
        rewriter = Rewriter({i: Size.of(name) for i, name in names.items()}, buffers=own | found)
        for one in nests:
            made = rewriter.step(one)
            if isinstance(made, Nest):
                made = replace(made, iterators=tuple(names.get(i, i) for i in made.iterators))
            steps.append(made)
        found = {now.name: own[after.name] for now, after in repetition.states}
    return replace(plan, steps=tuple(steps))


def _written(step: Step) -> Iterator[Buffer]:
    if isinstance(step, Allocate):
        yield step.buffer
    yield from (access.buffer for access in writes_of(step))


def _of_turn(buffer: Buffer, turn: int, turns: int) -> Buffer:
    """What one of several turns writes; the last leaves what a turn does."""
    head, _, component = buffer.name.rpartition(".")
    return buffer if turn == turns else replace(buffer, name=f"{head} of turn {turn}.{component}", role="scratch")


def repetition_of(plan: Plan, position: int) -> Repetition:
    """The repetition at a position of a plan, as turns of it."""
    step = plan.steps[position]
    if not isinstance(step, Repeat):
        raise Undriven("it is no repetition")
    test, turn = _tested(step)
    _refuse_changing_lengths(step)
    changed = {access.buffer.name: access.buffer for access in writes_of(step)}
    states = [(buffer, _after(turn, buffer)) for buffer in changed.values()]
    renamed = {now.name: after for now, after in states}
    steps, left = _with_next_numerics(turn)
    steps = [_writing(one, renamed) for one in steps]
    columns = {one.name: one.value.column for one in plan.steps if isinstance(one, Bind)}
    used = frozenset(step.iterators).union(*(_names_of(one) for one in (step, *turn)))
    names = [name for name in columns if name in used]
    given = [Buffer(f"{name} value", columns[name], (), "input") for name in names]
    binds: list[Step] = [Bind(n, Load(b, (), column=b.column)) for n, b in zip(names, given, strict=True)]
    inputs = {access.buffer.name: replace(access.buffer, role="input") for access in reads_of(step)}
    tables = tuple(table for table in plan.tables if table.buffer.name in inputs)
    held = {table.buffer.name for table in tables}
    outputs = [(after,) for _, after in states] + [(b,) for _, b in left]
    made = Plan(
        (*plan.sizes, *step.iterators),
        (*(one for name, one in inputs.items() if name not in held), *given, *(table.buffer for table in tables)),
        (*binds, *steps),
        tuple(outputs),
        tables,
    )
    asked = None if test is None else _asking(test, made, binds)
    final = test is not None and not set(step.iterators) & _names_of(Bind(GOES_ON, test))
    return Repetition(
        step, separated(made), tuple(states), tuple((n, b.name) for n, b in zip(names, given, strict=True)),
        tuple((n, b.name) for n, b in left), asked, final,
    )  # fmt: skip


def stretched(plan: Plan, position: int) -> Repetition:
    """The repetition at a position of a plan as one stretch of its steps, which change a copy of the state.

    The steps of its plan are the copies, then the repetition itself, of whose coordinates a piece has a stretch.
    """
    step = plan.steps[position]
    if not isinstance(step, Repeat) or len(step.iterators) != 1:
        raise Undriven("it has several coordinates")
    _refuse_changing_lengths(step)
    changed = {access.buffer.name: access.buffer for access in writes_of(step)}
    states = [(one, replace(one, name=_renamed(one.name), role="scratch")) for one in changed.values()]
    after = {now.name: then for now, then in states}
    columns = {one.name: one.value.column for one in plan.steps if isinstance(one, Bind)}
    used, assigned = _names_of(step), {one.name for one in nodes_inside(step) if isinstance(one, Assign)}
    names = [name for name in columns if name in used]
    given = [Buffer(f"{name} value", columns[name], (), "input") for name in names]
    left = [(name, Buffer(f"{name} after given", columns[name], (), "output")) for name in names if name in assigned]
    binds: list[Step] = [
        Bind(n, Load(b, (), column=b.column), mutable=n in assigned) for n, b in zip(names, given, strict=True)
    ]
    copies = [part for now, then in states for part in (Allocate(then), _copy(now, then))]
    stored_left = [part for name, b in left for part in stored(b, Named(name, column=b.column))]
    inputs = {
        access.buffer.name: replace(access.buffer, role="input") for access in (*reads_of(step), *writes_of(step))
    }
    tables = tuple(table for table in plan.tables if table.buffer.name in inputs)
    held = {table.buffer.name for table in tables}
    made = Plan(
        plan.sizes,
        (*(one for name, one in inputs.items() if name not in held), *given, *(table.buffer for table in tables)),
        (*binds, *copies, Rewriter(buffers=after).step(step), *stored_left),
        tuple([(then,) for _, then in states] + [(b,) for _, b in left]),
        tables,
    )
    return Repetition(
        step, made, tuple(states), tuple((n, b.name) for n, b in zip(names, given, strict=True)),
        tuple((n, b.name) for n, b in left), None, False,
    )  # fmt: skip


def same_in_stretches(step: Repeat, known: Mapping[str, int]) -> bool:
    """Whether a repetition that goes on from a state rounds as the whole does, which may have pieces of its own."""
    scan, histogram = scan_of(step), histogram_of(step)
    if scan is not None:
        return not is_float(scan.targets[0][0].column.storage) or scan.combine in (None, *EXACT_IN_ANY_ORDER)
    if histogram is None or len(step.iterators) != 1:
        return True
    buffer = histogram.buffer
    if not is_float(buffer.column.storage) or histogram.combine in EXACT_IN_ANY_ORDER:
        return True
    places = math.prod(lengths_at(buffer.shape, known))
    return adds_in_order(length_at(step.extents[0], known), places)


def joining(now: Buffer, sizes: Sequence[str], combine: str) -> Plan:
    """The plan that joins a state with those that stretches made of neutral elements, one after the other."""
    after = replace(now, name=_renamed(now.name), role="scratch")
    others = replace(now, name=f"{now.name} of stretches", shape=(Size.of(STRETCHES), *now.shape), role="input")
    before = replace(now, role="input")
    places = tuple(f"place {axis}" for axis in range(len(now.shape)))
    at, number = tuple(map(Size.of, places)), Size.of("stretch")
    both = Load(after, at, column=now.column), Load(others, (number, *at), column=now.column)
    joined = Nest(places, now.shape, ((after, at),), (Operation(combine, both, column=now.column),), after.name)
    names = {name for length in now.shape for name in length.names()} - set(sizes)
    steps = Allocate(after), _copy(before, after), Repeat(("stretch",), (Size.of(STRETCHES),), (joined,))
    return Plan((*sizes, *sorted(names), STRETCHES), (before, others), steps, ((after,),))


def _copy(now: Buffer, then: Buffer) -> Nest:
    places = tuple(f"{then.name} {axis}" for axis in range(len(now.shape)))
    at = tuple(map(Size.of, places))
    return Nest(places, now.shape, ((then, at),), (Load(now, at, column=now.column),), then.name)


def _tested(step: Repeat) -> tuple[Scalar | None, tuple[Step, ...]]:
    """What a turn asks of the state before it does anything, if it does, and its steps."""
    match step.steps:
        case (Branch(guard=None, test=(test,), then=then, otherwise=()),):
            return test, then
    return None, step.steps


def _refuse_changing_lengths(step: Repeat) -> None:
    """Raises where lengths inside a repetition differ from turn to turn, or are told by data."""
    own = {one.name for one in nodes_inside(step) if isinstance(one, Bind | Assign)} | set(step.iterators)
    for one in nodes_inside(step):
        lengths = one.buffer.shape if isinstance(one, Allocate) else getattr(one, "extents", ())
        if any(length.names() & own for length in lengths):
            raise Undriven("its lengths differ from step to step")


def _after(turn: Sequence[Step], buffer: Buffer) -> Buffer:
    """What a turn leaves of a buffer of the state, as a buffer of its own; refused where it changes it where it is."""
    writers = [k for k, one in enumerate(turn) if any(a.buffer.name == buffer.name for a in writes_of(one))]
    if len(writers) == 1 and isinstance(nest := turn[writers[0]], Nest):
        places = [at for target, at in nest.targets if target.name == buffer.name]
        whole = [tuple(map(Size.of, nest.iterators)) == at and nest.extents == buffer.shape for at in places]
        later = turn[writers[0] + 1 :]
        if whole == [True] and not any(a.buffer.name == buffer.name for one in later for a in reads_of(one)):
            return replace(buffer, name=_renamed(buffer.name), role="scratch")
    raise Undriven("its steps change the state where it is")


def _renamed(name: str) -> str:
    """The name of what a turn leaves of a buffer: components of one ToL stay so."""
    head, dot, component = name.rpartition(".")
    return f"{head} after{dot}{component}" if dot else f"{name} after"


def _with_next_numerics(turn: Sequence[Step]) -> tuple[list[Step], list[tuple[str, Buffer]]]:
    """The steps of a turn with what it leaves in numerics of the state as outputs, and these."""
    steps: list[Step] = []
    left: list[tuple[str, Buffer]] = []
    own = {one.name for step in turn for one in nodes_inside(step) if isinstance(one, Bind)}
    for place, step in enumerate(turn):
        changed = {one.name for one in nodes_inside(step) if isinstance(one, Assign)} - own
        if not changed:
            steps.append(step)
        elif not isinstance(step, Assign) or changed & {name for name, _ in left}:
            raise Undriven("data choose what becomes of its numerics")
        elif any(step.name in used_names(one) for one in turn[place + 1 :]):
            raise Undriven("its steps use numerics that they have changed")
        else:
            name = f"{step.name} after"
            buffer = Buffer(f"{name} given", step.value.column, (), "output")
            left.append((step.name, buffer))
            steps += [Bind(name, step.value), *stored(buffer, Named(name, column=step.value.column))]
    return steps, left


def _writing(step: Step, renamed: dict[str, Buffer]) -> Step:
    """A step that writes to other buffers; what it reads stays."""
    rewriter = Rewriter(place=lambda buffer, at: (renamed.get(buffer.name, buffer), at), only=lambda scalar: False)
    return rewriter.step(step)


def _names_of(step: Step) -> frozenset[str]:
    """The names that a step uses, in the lengths of buffers as well."""
    lengths = (length for access in (*reads_of(step), *writes_of(step)) for length in access.buffer.shape)
    return used_names(step).union(*(length.names() for length in lengths))


def _asking(test: Scalar, turn: Plan, binds: Sequence[Step]) -> Plan:
    """The plan of the test before a turn, which gives a truth value."""
    result = Buffer(GOES_ON, test.column, (), "output")
    read = {access.buffer.name for access in reads_of(Bind(GOES_ON, test))}
    needed = list(_needed(test, binds))
    read |= {access.buffer.name for one in needed for access in reads_of(one)}
    inputs = tuple(one for one in turn.inputs if one.name in read)
    if any(one.shape for one in inputs):
        raise Undriven("data choose between its steps")
    return Plan(turn.sizes, inputs, (*needed, *stored(result, test)), ((result,),))


def _needed(test: Scalar, binds: Sequence[Step]) -> Iterator[Step]:
    names = used_names(Bind(GOES_ON, test))
    return (one for one in binds if isinstance(one, Bind) and one.name in names)
