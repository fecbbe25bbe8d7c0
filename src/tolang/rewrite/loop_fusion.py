"""Row fusion: steps over the same leading coordinates become one loop, so that a row stays in the cache.

Softmax is four nests over [n, m] or [n]: the greatest of a row, powers, their sum, quotients.  Each reads what the ones
before wrote at its own row only, so all four can run row by row, and what they hand on is as long as a row, or a single
name.  The shared coordinates need not come first: a nest is parallel, so its dimensions may change places (a batch norm
runs channel by channel).

The cost rule: steps are fused where a later one reads what an earlier one wrote, or read; a nest without a fold, or
with folds that run side by side, keeps its last dimension to itself, as the one that runs on vectors, and one that
walks the dimension whose points take turns; where only a few numbers of a row would be found again, none goes through
memory in stretches for them; contractions are left alone, since their kernel blocks all dimensions
itself; a batch of one has no rows to keep, and fusing along it would make one loop of a whole model; few long rows, as
the pictures of a batch that may be one, fill no cache that a row would stay in, and are worth more threads than there
are rows.  No element is computed more often, nor in another order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.idioms.column_folds import runs_side_by_side
from tolang.idioms.contraction import contraction_of
from tolang.idioms.pointer_chase import walks_of
from tolang.plan.nest import Allocate, Bind, Buffer, Each, Load, Named, Nest, Plan, RequireStep, Scalar, Step
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import (
    are_few_and_long,
    bound_names,
    has_fold,
    inner_steps,
    loads,
    read_buffers,
    used_buffers,
    used_names,
    volume,
    written_buffers,
)
from tolang.plan.uses import allocations, buffers_read, buffers_written, without_allocations

MANY = 16
"""So many numbers of a row are worth finding in the cache."""
Order = tuple[str, ...]
"""Iterators of a step that run over the shared leading coordinates."""


def fuse_rows(plan: Plan) -> Plan:
    """Steps that hand rows to each other run row by row, and keep rows instead of whole buffers."""
    outputs = plan.output_names
    return map_lists(plan, lambda steps: _fused(steps, outputs))


@dataclass(slots=True)
class _Run:
    """Steps that will share their leading loops: `leads` gives the shared iterators of each step."""

    steps: list[Nest | Each]
    leads: list[Order]
    extents: tuple[Size, ...]

    def written(self) -> frozenset[str]:
        return buffers_written(self.steps)

    def read(self) -> frozenset[str]:
        return buffers_read(self.steps)


def _fused(steps: tuple[Step, ...], outputs: frozenset[str]) -> tuple[Step, ...]:
    done: list[Step] = []
    rest = list(reversed(steps))
    mentions = Counter(name for step in steps for name in used_buffers(step))
    while rest:
        first = rest.pop()
        run = _start(first)
        if run is None:
            done.append(first)
            continue
        aside = _gather(run, rest)
        if len(run.steps) == 1:
            done.append(first)
            continue
        del rest[len(rest) - (len(run.steps) - 1 + len(aside)) :]
        inside = Counter(name for step in run.steps for name in used_buffers(step))
        allocated = allocations((*done, *aside))
        whole = {n: b for n, b in allocated.items() if inside[n] and inside[n] == mentions[n] and n not in outputs}
        local = {n: b for n, b in whole.items() if _is_local(n, b, run)}
        done = without_allocations((*done, *aside), *local)
        done.append(_row_loop(run, local))
    return tuple(done)


def _start(step: Step) -> _Run | None:
    """A run of one step; None where the step cannot lead one."""
    if isinstance(step, Each):
        return _Run([step], [step.iterators], step.extents)
    if not isinstance(step, Nest) or contraction_of(step) is not None:
        return None
    kept = _kept(step)
    lead = step.iterators if kept is None else step.iterators[: step.iterators.index(kept)]
    extents = step.extents[: len(lead)]
    return _Run([step], [lead], extents) if lead else None


def _gather(run: _Run, rest: list[Step]) -> list[Step]:
    """Adds the steps that follow as long as they fit; gives those in between that can run before all of them."""
    aside: list[Step] = []
    pending: list[Step] = []
    for step in reversed(rest):
        if isinstance(step, Nest | Each):
            if not _join(run, step):
                break
            aside.extend(pending)
            pending = []
        elif isinstance(step, Allocate | RequireStep | Bind) and not (read_buffers(step) & run.written()):
            if any(bound_names(step) & used_names(s) for s in run.steps):
                break
            pending.append(step)
        else:
            break
    return aside


def _join(run: _Run, step: Nest | Each) -> bool:
    """Adds a step to a run if it only reads what the run wrote at its own leading coordinates."""
    handed = [load for load in loads(step) if load.buffer.name in run.written()]
    if written_buffers(step) & (run.read() | run.written()) or not (handed or read_buffers(step) & run.read()):
        return False
    if isinstance(step, Nest) and contraction_of(step) is not None:
        return False
    for count in range(len(run.extents), 0, -1):
        rows = run.extents[:count]
        if all(extent == ONE for extent in rows) or are_few_and_long(rows, [one.extents for one in (*run.steps, step)]):
            return False
        lead = _lead(run, step, handed, count)
        if lead is not None:
            run.steps.append(step)
            run.leads = [*(one[:count] for one in run.leads), lead]
            run.extents = run.extents[:count]
            return True
    return False


def _lead(run: _Run, step: Nest | Each, handed: list[Load], count: int) -> Order | None:
    """The iterators of a step that are the first `count` coordinates of all it is handed; None where they differ."""
    wrote = [one[:count] for one in run.leads]
    if not all(_writes_along(s, lead) for s, lead in zip(run.steps, wrote, strict=True)):
        return None
    extents = dict(zip(step.iterators, step.extents, strict=True))
    found = {tuple(str(index) for index in load.indices[:count]) for load in handed} or {step.iterators[:count]}
    if len(found) != 1:
        return None
    lead = next(iter(found))
    if len(lead) != count or len(set(lead)) != count or any(i not in extents for i in lead):
        return None
    if tuple(extents[i] for i in lead) != run.extents[:count]:
        return None
    if any(extents[i].names() & set(lead) for i in extents):
        return None
    if isinstance(step, Nest) and (_kept(step) in lead or _writes_across(step, lead)):
        return None
    if isinstance(step, Nest) and _hands_on_little(run, handed, step, count) and _writes_in_stretches(step, lead):
        return None
    return lead


def _hands_on_little(run: _Run, handed: list[Load], step: Nest, count: int) -> bool:
    """Whether what a step would find in the cache, for being in a row with others, is a few numbers."""
    found = [one.buffer for one in handed]
    found += [one.buffer for one in loads(step) if one.buffer.name in run.read()]
    return all((volume(buffer.shape[count:]) or MANY) < MANY for buffer in found)


def _writes_in_stretches(nest: Nest, lead: Order) -> bool:
    """Whether what is left of a nest goes through memory in stretches: not all leading coordinates are the first."""
    inner = {i for i, extent in zip(nest.iterators, nest.extents, strict=True) if i not in lead and extent != ONE}
    firsts = [[i for i in map(str, at) if i in inner or i in lead] for _, at in nest.targets]
    return any(set(one[: len(lead)]) != set(lead) for one in firsts)


def _writes_across(nest: Nest, lead: Order) -> bool:
    """Whether what is left of a nest would go across memory: a leading coordinate is the one that it writes along."""
    left = any(i not in lead and extent != ONE for i, extent in zip(nest.iterators, nest.extents, strict=True))
    return left and any(at and at[-1].names() & set(lead) for _, at in nest.targets)


def _kept(nest: Nest) -> str | None:
    """The dimension that a nest keeps to itself: the one that runs on vectors, or whose points take turns."""
    if nest.iterators and (not any(has_fold(v) for v in nest.values) or runs_side_by_side(nest)):
        return nest.iterators[-1]
    walks = walks_of(nest)
    return None if walks is None else walks.point


def _writes_along(step: Nest | Each, lead: Order) -> bool:
    """Whether everything a step writes has the leading iterators as its first coordinates."""
    wanted = tuple(Size.of(i) for i in lead)
    return all(at[: len(lead)] == wanted for _, at in _targets(step))


def _targets(step: Step) -> Iterator[tuple[Buffer, tuple[Size, ...]]]:
    """What a step writes of buffers that are not its own."""
    own = allocations(inner_steps(step))
    if isinstance(step, Nest):
        yield from step.targets
    for inner in inner_steps(step):
        yield from ((b, at) for b, at in _targets(inner) if b.name not in own)


def _is_local(name: str, buffer: Buffer, run: _Run) -> bool:
    """Whether a buffer that only a run mentions can be a row of it: written along all of the leading coordinates."""
    count = len(run.extents)
    along = all(
        at[:count] == tuple(Size.of(i) for i in lead)
        for step, lead in zip(run.steps, run.leads, strict=True)
        for target, at in _targets(step)
        if target.name == name
    )
    return along and buffer.role == "scratch" and buffer.shape[:count] == run.extents


def _row_loop(run: _Run, local: dict[str, Buffer]) -> Each:
    """The run as one loop over the shared coordinates, around what is left of each step."""
    shared = run.leads[0]
    count = len(shared)
    rows = {name: replace(b, shape=b.shape[count:]) for name, b in local.items()}
    single = {name: f"{name}'" for name in _single_values(run, rows)}
    steps: list[Step] = [Allocate(b) for name, b in rows.items() if name not in single]
    for step, lead in zip(run.steps, run.leads, strict=True):
        names = {old: Size.of(new) for old, new in zip(lead, shared, strict=True)}
        rewriter = _row_rewriter(rows, single, count, names)
        left = [(i, e) for i, e in zip(step.iterators, step.extents, strict=True) if i not in lead]
        shorter = replace(step, iterators=tuple(i for i, _ in left), extents=tuple(e for _, e in left))
        steps.extend(_within_row(rewriter.step(shorter), single))
    return Each(shared, run.extents, tuple(steps))


def _single_values(run: _Run, rows: dict[str, Buffer]) -> set[str]:
    """Buffers of one element for each row, all of a nest's targets, so that names can hold them."""
    found: set[str] = set()
    for step, lead in zip(run.steps, run.leads, strict=True):
        if isinstance(step, Nest) and set(step.iterators) == set(lead):
            names = {b.name for b, _ in step.targets}
            if all(name in rows and not rows[name].shape for name in names):
                found |= names
    return found


def _row_rewriter(rows: dict[str, Buffer], single: dict[str, str], count: int, names: dict[str, Size]) -> Rewriter:
    """Takes the shared coordinates off every row buffer, and puts names in place of single values."""

    def rule(scalar: Scalar) -> Scalar | None:
        if isinstance(scalar, Load) and scalar.buffer.name in single:
            return Named(single[scalar.buffer.name], column=scalar.column, span=scalar.span)
        return None

    return Rewriter(names, rule, rows, place=lambda buffer, at: (buffer, at[count:] if buffer.name in rows else at))


def _within_row(step: Step, single: dict[str, str]) -> tuple[Step, ...]:
    """What is left of a step once its leading loops are around it."""
    match step:
        case Nest(iterators=(), targets=targets, values=values) if targets[0][0].name in single:
            return tuple(Bind(single[b.name], v) for (b, _), v in zip(targets, values, strict=True))
        case Each(iterators=(), steps=inner):
            return inner
    return (step,)
