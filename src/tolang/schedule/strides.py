"""Fields of records, read where they lie: components of lists whose elements are some elements apart in memory.

    input gates.2: N [size]                input gates.2: N [size*gates step - gates step + 1]
    repeat [i <= size]                     repeat [i <= size]
      … gates.2[i] …                         … gates.2[i*gates step - gates step + 1] …

A field of records has to be copied from the midst of the others before a vector can be read of it.  What is read once,
element after element, by a step that computes little besides, is sooner read where it lies; what nothing reads may lie
anywhere.  How far apart elements are is a size that a call tells, 1 for arrays of their own: the fields of as many
bytes have it in common, so that one number in a loop counts for all of them.

It is settled after the strategies are: it is for elementwise nests, and for folds that run step after step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.functions import COSTLY
from tolang.ground.values.spaces import dtype_of
from tolang.plan.access import access_to
from tolang.plan.kinds import COMPACTION, ELEMENTWISE, IN_ORDER, kind_of
from tolang.plan.nest import Branch, Buffer, Nest, Operation, Plan, Repeat, Step, Stride
from tolang.plan.regions import Reference, reads_of
from tolang.plan.rewriting import Indices, Rewriter
from tolang.plan.traversal import buffers_in, scalars_in

IN_STEPS = frozenset({IN_ORDER, COMPACTION})
"""The strategies of folds that read one element after the other."""


def read_in_records(plan: Plan) -> Plan:
    """A plan that reads components of lists where they lie, if one step at the most reads each element once."""
    found = {one.name: one for one in _components(plan)}
    reads: dict[str, list[tuple[Step, Reference]]] = {name: [] for name in found}
    for step in _parts(plan.steps) if found else ():
        for read in reads_of(step):
            if read.buffer.name in found:
                reads[read.buffer.name].append((step, read))
    groups: dict[tuple[str, int], list[str]] = {}
    for name, buffer in found.items():
        if not reads[name] or _is_read_once(reads[name]):
            groups.setdefault((_list_of(buffer), dtype_of(buffer.column.storage).itemsize), []).append(name)
    several = Counter(of for of, _ in groups)
    strides = [
        Stride(f"{of} step" if several[of] == 1 else f"{of} step of {width}", tuple(names))
        for (of, width), names in groups.items()
    ]
    return _with_strides(plan, tuple(strides)) if strides else plan


def _list_of(buffer: Buffer) -> str:
    """The input that a buffer is a component of."""
    return buffer.name.rpartition(".")[0]


def _components(plan: Plan) -> Iterator[Buffer]:
    """The vectors among a plan's inputs that are components of lists of several, and are not handed on as outputs."""
    own = plan.inputs[: len(plan.inputs) - len(plan.tables)]
    capacity = Counter(map(_list_of, own))
    return (
        one for one in own if capacity[_list_of(one)] > 1 and len(one.shape) == 1 and one.name not in plan.output_names
    )


def _parts(steps: Sequence[Step]) -> Iterator[Step]:
    """The steps of a plan, of those that it chooses among each by itself."""
    for step in steps:
        if isinstance(step, Branch) and step.guard is not None:
            yield from _parts((*step.then, *step.otherwise))
        else:
            yield step


def _is_read_once(reads: Sequence[tuple[Step, Reference]]) -> bool:
    """Whether one step reads something, at a place of its own for each of its only coordinate."""
    if len({id(step) for step, _ in reads}) != 1 or len({(read.loops, read.indices) for _, read in reads}) != 1:
        return False
    step, read = reads[0]
    if not isinstance(step, Nest | Repeat) or len(step.iterators) != 1 or not _waits_for_memory(step):
        return False
    stride = access_to(read.buffer, read.indices).stride(step.iterators[0])
    own = read.loops == tuple(zip(step.iterators, step.extents, strict=True))
    return own and stride in (ONE, -ONE)


def _waits_for_memory(step: Nest | Repeat) -> bool:
    """Whether a step goes from element to element, and waits for what it reads rather than computes of that.

    Costly functions are computed for vectors of elements, which lie one after the other.
    """
    if isinstance(step, Repeat):
        return kind_of(step) in IN_STEPS
    inside = [one for value in step.values for one in scalars_in(value)]
    quick = all(one.function not in COSTLY for one in inside if isinstance(one, Operation))
    return quick and kind_of(step) == ELEMENTWISE


def _with_strides(plan: Plan, strides: tuple[Stride, ...]) -> Plan:
    steps = {name: Size.of(one.step) for one in strides for name in one.buffers}
    apart = {
        one.name: replace(one, shape=(_place(one.shape[0], steps[one.name]),))
        for one in plan.inputs
        if one.name in steps
    }

    def place(buffer: Buffer, at: Indices) -> tuple[Buffer, Indices]:
        if buffer.name not in apart:
            return buffer, at
        return apart[buffer.name], (_place(at[0], steps[buffer.name]),)

    rewriter = Rewriter(place=place, only=lambda scalar: not apart.keys().isdisjoint(buffers_in(scalar)))
    inputs = tuple(apart.get(one.name, one) for one in plan.inputs)
    return replace(plan, inputs=inputs, steps=rewriter.steps(plan.steps), strides=strides)


def _place(coordinate: Size, step: Size) -> Size:
    """Where an element lies, counted in elements from the first, which is 1."""
    return (coordinate - ONE) * step + ONE
