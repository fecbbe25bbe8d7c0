"""The verifier of plans: sound ones pass, and every rule can be broken."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import tolang
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import compare
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.spaces import column
from tolang.lower.steps import lower
from tolang.plan.nest import (
    Allocate,
    Assign,
    Bind,
    ConstantScalar,
    Free,
    Load,
    Named,
    Nest,
    Plan,
    RequireStep,
    Step,
    unmet,
)
from tolang.plan.verifier import BrokenPlan, NestNeeds, verify

SOURCE = "tol x: f32 [n,m]\ny := map(x, * + 1, [i,j])"


def sound() -> Plan:
    return lower(tolang.compile(SOURCE).core)


def nest_of(plan: Plan) -> Nest:
    (nest,) = (step for step in plan.steps if isinstance(step, Nest))
    return nest


def with_steps(plan: Plan, change: Callable[[Step], list[Step]]) -> Plan:
    return replace(plan, steps=tuple(made for step in plan.steps for made in change(step)))


def with_nest(plan: Plan, nest: Nest) -> Plan:
    return with_steps(plan, lambda step: [nest] if isinstance(step, Nest) else [step])


def test_a_lowered_plan_is_sound() -> None:
    verify(sound())


def missing_buffer(plan: Plan) -> Plan:
    return with_steps(plan, lambda step: [] if isinstance(step, Allocate) else [step])


def freed_output(plan: Plan) -> Plan:
    return replace(plan, steps=(*plan.steps, Free(plan.outputs[0][0])))


def used_after_free(plan: Plan) -> Plan:
    return with_steps(
        plan, lambda s: [s, Free(s.buffer), Allocate(s.buffer), Free(s.buffer)] if isinstance(s, Allocate) else [s]
    )


def unknown_iterator(plan: Plan) -> Plan:
    nest = nest_of(plan)
    return with_nest(plan, replace(nest, iterators=("p", "q")))


def unknown_size(plan: Plan) -> Plan:
    return replace(plan, sizes=("n",))


def too_few_indices(plan: Plan) -> Plan:
    nest = nest_of(plan)
    buffer, at = nest.targets[0]
    return with_nest(plan, replace(nest, targets=((buffer, at[:1]),)))


def one_element_twice(plan: Plan) -> Plan:
    nest = nest_of(plan)
    buffer, at = nest.targets[0]
    return with_nest(plan, replace(nest, targets=((buffer, (at[0], ONE)),)))


def other_storage(plan: Plan) -> Plan:
    return with_nest(plan, replace(nest_of(plan), values=(ConstantScalar(1, column=column("Z")),)))


def read_as_other_storage(plan: Plan) -> Plan:
    nest = nest_of(plan)
    load = Load(plan.inputs[0], nest.targets[0][1], column=column("Z"))
    return with_nest(plan, replace(nest, values=(load,)))


def input_written(plan: Plan) -> Plan:
    nest = nest_of(plan)
    return with_nest(plan, replace(nest, targets=((plan.inputs[0], nest.targets[0][1]),)))


def unbound_name(plan: Plan) -> Plan:
    return with_nest(plan, replace(nest_of(plan), values=(Named("s", column=plan.inputs[0].column),)))


def assigned_constant(plan: Plan) -> Plan:
    return replace(plan, steps=(*plan.steps, Assign("n", ConstantScalar(1, column=column("Z")))))


def bound_twice(plan: Plan) -> Plan:
    bind = Bind("s", ConstantScalar(1, column=column("Z")))
    return replace(plan, steps=(bind, bind, *plan.steps))


def unbound_condition(plan: Plan) -> Plan:
    return replace(plan, steps=(RequireStep(compare("<=", Size.of("k"), ONE), unmet("k")), *plan.steps))


def value_missing(plan: Plan) -> Plan:
    return with_nest(plan, replace(nest_of(plan), values=()))


@pytest.mark.parametrize(
    "broken",
    [
        missing_buffer,
        freed_output,
        used_after_free,
        unknown_iterator,
        unknown_size,
        too_few_indices,
        one_element_twice,
        other_storage,
        read_as_other_storage,
        input_written,
        unbound_name,
        assigned_constant,
        unbound_condition,
        bound_twice,
        value_missing,
    ],
)
def test_every_rule_can_be_broken(broken: Callable[[Plan], Plan]) -> None:
    with pytest.raises(BrokenPlan):
        verify(broken(sound()))
    known: dict[Nest, NestNeeds] = {}
    plan = sound()
    verify(plan, known)
    assert nest_of(plan) in known
    with pytest.raises(BrokenPlan):
        verify(broken(plan), known)


def test_a_buffer_of_another_shape_is_noticed_by_a_nest_found_sound() -> None:
    known: dict[Nest, NestNeeds] = {}
    plan = sound()
    verify(plan, known)
    longer = replace(plan.outputs[0][0], shape=(ONE, ONE))
    with pytest.raises(BrokenPlan, match="two shapes"):
        verify(with_steps(plan, lambda s: [Allocate(longer)] if isinstance(s, Allocate) else [s]), known)
