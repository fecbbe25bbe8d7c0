"""Sums of products: the one place where two functions are rounded as one.

    s + a*b   →   fused(s, a, b)        where a fold adds a product, or a square, to a state that is one number

A processor adds a product in one instruction, which rounds once.  That is allowed to the own sum of a fold and to
nothing else, and decided here, before any pass: so an element is rounded alike wherever it stands, at whatever sizes,
by whichever kernel.  In strict mode the two functions are rounded one after the other, as they are written.
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.plan.nest import ConstantScalar, Group, Load, Named, Operation, Plan, Reduction, Scalar, Step, Where
from tolang.plan.rewriting import Rewriter, kept
from tolang.plan.traversal import dependencies

FUSED = "fused"
FLOATS = frozenset({"f16", "bf16", "f32", "f64"})
SMALL_POWERS = (1, 2, 3, 4)


def whole_exponent(scalar: Scalar) -> int | None:
    """The exponent of a power of a float that is a chain of products, as its constant is small and whole; else None."""
    match scalar:
        case Operation(function="pow", arguments=(_, ConstantScalar(value=value))) if value in SMALL_POWERS:
            return int(value) if scalar.column.storage in FLOATS else None
    return None


def fused_steps(steps: tuple[Scalar, ...], states: tuple[str, ...]) -> tuple[Scalar, ...]:
    """The steps of a fold, fused where its state is one number, to which it adds a product."""
    return steps if len(states) != 1 else kept(steps, (_fused(steps[0], states[0]),))


def with_fused_sums(step: Step) -> Step:
    """A step of a plan whose folds are fused where their sums add products."""
    made: dict[int, tuple[Group, Group]] = {}

    def rule(scalar: Scalar) -> Scalar | None:
        if not isinstance(scalar, Reduction):
            return None
        if id(scalar.group) not in made:
            group = rewriter.group(scalar.group)
            steps = fused_steps(group.steps, group.states)
            made[id(scalar.group)] = scalar.group, group if steps is group.steps else replace(group, steps=steps)
        group = made[id(scalar.group)][1]
        return scalar if group is scalar.group else replace(scalar, group=group)

    rewriter = Rewriter(rule=rule)
    return rewriter.step(step)


def round_each(plan: Plan) -> Plan:
    """A plan whose sums and products are rounded each by itself."""
    return replace(plan, steps=kept(plan.steps, tuple(_without_fused_sums(step) for step in plan.steps)))


def _without_fused_sums(step: Step) -> Step:

    def rule(scalar: Scalar) -> Scalar | None:
        if not isinstance(scalar, Operation) or scalar.function != FUSED:
            return None
        state, *factors = rewriter.scalars(scalar.arguments)
        product = replace(scalar, function="mul", arguments=tuple(factors))
        return replace(scalar, function="add", arguments=(state, product))

    rewriter = Rewriter(rule=rule)
    return rewriter.step(step)


def _fused(step: Scalar, state: str) -> Scalar:
    match step:
        case Where(value=value):
            made = _fused(value, state)
            return step if made is value else replace(step, value=made)
        case Operation(function="add", arguments=arguments) if step.column.storage in FLOATS:
            for own, term in (arguments, arguments[::-1]):
                if isinstance(own, Named) and own.name == state and state not in dependencies(term):
                    return _with_product(step, own, term) or step
    return step


def _with_product(step: Operation, state: Named, term: Scalar) -> Scalar | None:
    """The state and a term as one function, names around the term's product around both; None if it is no product."""
    if term.column.storage != step.column.storage:
        return None
    match term:
        case Where(value=value):
            made = _with_product(step, state, value)
            return None if made is None else replace(term, value=made)
        case Operation(function="mul", arguments=factors):
            return replace(step, function=FUSED, arguments=(state, *factors))
        case Operation(arguments=(base, _)) if whole_exponent(term) == 2:
            if isinstance(base, Named | Load | ConstantScalar):
                return replace(step, function=FUSED, arguments=(state, base, base))
            name = f"base of {state.name}"
            named = Named(name, column=base.column)
            squared = replace(step, function=FUSED, arguments=(state, named, named))
            return Where(((name, base),), squared, column=step.column, span=term.span)
    return None
