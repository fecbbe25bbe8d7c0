"""Uses: which steps of a list allocate, read and write each buffer, by hand and against a search of all nodes."""

from __future__ import annotations

import pytest
from tests.schedule.test_golden_plans import PROGRAMS

import tolang
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.spaces import column
from tolang.lower.steps import lower
from tolang.plan.nest import Allocate, Assign, Bind, Buffer, Index, Load, Nest, Plan, Repeat, Step
from tolang.plan.traversal import nodes_inside
from tolang.plan.uses import (
    EditedSteps,
    UseCounts,
    Uses,
    allocations,
    buffers_read,
    buffers_written,
    length_demands,
    names_bound,
    uses_of,
    without_allocations,
)

F32 = column("f32")
N, AT = Size.of("n"), (Size.of("i"),)
X = Buffer("x.1", F32, (N,), "input")
S, T, Y = (Buffer(f"{name}.1", F32, (N,)) for name in "sty")


def copy(source: Buffer, goal: Buffer) -> Nest:
    return Nest(("i",), (N,), ((goal, AT),), (Load(source, AT, column=F32),))


STEPS = (
    Allocate(S),
    copy(X, S),
    Allocate(Y),
    Allocate(T),
    Repeat(("k",), (N,), (copy(S, T),), exchanges=((S, T),)),
    copy(S, Y),
)


def test_positions_of_a_list() -> None:
    uses = Uses(STEPS)
    assert uses.allocated == {"s.1": 0, "y.1": 2, "t.1": 3}
    assert dict(uses.readers) == {"x.1": {1}, "s.1": {4, 5}}
    assert dict(uses.writers) == {"s.1": {1, 4}, "t.1": {4}, "y.1": {5}}
    assert uses.users("s.1") == [1, 4, 5]
    assert uses.users("z.1") == []
    assert uses.is_made_before("t.1", 4)
    assert not uses.is_made_before("t.1", 3)
    assert not uses.is_made_before("x.1", 5)
    assert uses_of(STEPS) is uses_of((*STEPS,))
    assert uses_of(STEPS).writers == uses.writers


def test_steps_keep_their_positions_while_they_are_edited() -> None:
    steps = EditedSteps(STEPS)
    steps.remove(4)
    assert steps.there(4) is None
    assert (steps.readers["s.1"], steps.writers["s.1"], steps.writers["t.1"]) == ({5}, {1}, set())
    again = copy(X, T)
    steps.replace(3, Allocate(T), again)
    assert steps.there(3) is None
    assert (steps.readers["x.1"], steps.writers["t.1"], steps.allocated["t.1"]) == ({1, 3}, {3}, 3)
    assert [type(step) for step in steps.all()] == [Allocate, Nest, Allocate, Allocate, Nest, Nest]
    assert steps[5] is STEPS[5]
    steps.remove(0)
    assert "s.1" not in steps.allocated


def test_buffers_that_are_exchanged_are_written_more_than_once() -> None:
    counts = UseCounts.of(STEPS)
    assert counts.writes == {"s.1": 3, "t.1": 3, "y.1": 1}
    assert counts.reads == {"x.1": 1, "s.1": 2}


def test_allocations_of_a_list() -> None:
    assert allocations(STEPS) == {"s.1": S, "y.1": Y, "t.1": T}
    assert without_allocations(STEPS, "s.1", "t.1") == [STEPS[1], STEPS[2], STEPS[4], STEPS[5]]


def test_names_that_steps_bind() -> None:
    binds = (Bind("m", Index(N, column=F32)), Repeat(("k",), (N,), (Assign("m", Index(N, column=F32)),)))
    assert names_bound((*STEPS, *binds)) == {"m"}
    assert names_bound(STEPS) == set()


def test_lengths_that_may_be_below_zero_are_demanded() -> None:
    (demand,) = length_demands(Buffer("x.1", F32, (N, N - 2, ONE)))
    assert demand.condition.size == N - 2


def test_outputs_of_a_plan() -> None:
    plan = Plan(("n",), (X,), STEPS, ((S,), (T, Y)))
    assert plan.output_buffers == (S, T, Y)
    assert plan.output_names == {"s.1", "t.1", "y.1"}


def read_and_written(step: Step) -> tuple[set[str], set[str]]:
    """The buffers that loads and targets in a step are of, and those it exchanges."""
    nodes = nodes_inside(step)
    written = {buffer.name for node in nodes if isinstance(node, Nest) for buffer, _ in node.targets}
    exchanged = {one.name for node in nodes if isinstance(node, Repeat) for pair in node.exchanges for one in pair}
    return {node.buffer.name for node in nodes if isinstance(node, Load)}, written | exchanged


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_uses_of_programs(name: str) -> None:
    """For each program of the golden plans, what a search of every node of each step finds."""
    steps = lower(tolang.compile(PROGRAMS[name]).core).steps
    uses = Uses(steps)
    every = {buffer for step in steps for side in read_and_written(step) for buffer in side}
    for buffer in every:
        assert uses.readers.get(buffer, set()) == {
            k for k, one in enumerate(steps) if buffer in read_and_written(one)[0]
        }
        assert uses.writers.get(buffer, set()) == {
            k for k, one in enumerate(steps) if buffer in read_and_written(one)[1]
        }
    assert buffers_read(steps) == {buffer for step in steps for buffer in read_and_written(step)[0]}
    assert buffers_written(steps) == {buffer for step in steps for buffer in read_and_written(step)[1]}
    assert {*allocations(steps)} == {step.buffer.name for step in steps if isinstance(step, Allocate)}
