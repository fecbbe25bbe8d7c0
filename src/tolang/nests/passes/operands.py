"""Factors of a product that read with checks are computed once, before it.

    y[c, t] = sum over i of w[c, i] * x[mirrored(t, i)]?    becomes    p[t, i] = x[mirrored(t, i)]?
                                                                       y[c, t] = sum over i of w[c, i] * p[t, i]

A contraction packs its operands and reports nothing, so that one check would leave it to plain loops, which hold every
element against it as often as it is used.  The cost rule: what is stored is used by each coordinate of a dimension that
it does not depend on.  It is left where it is if it need not be computed at all.
"""

from __future__ import annotations

from tolang.ground.sizes import Size
from tolang.nests.contractions import Contraction, Operand, classify, dependencies, signature
from tolang.nests.nest import Allocate, Buffer, Load, Nest, Plan, Scalar, Select, Step
from tolang.nests.rewriting import Loops, Rewriter, conditions_in, map_lists, occurrences, scalars_in


def store_operands(plan: Plan) -> Plan:
    """A factor that reads with checks is computed once, before the product that uses it many times."""
    return map_lists(plan, lambda steps: tuple(made for step in steps for made in _stored(step)))


def _stored(step: Step) -> list[Step]:
    found = classify(step) if isinstance(step, Nest) else None
    if found is None or len(found.phases) != 1:
        return [step]
    nest, before = found.nest, list[Step]()
    for operand in (*found.phases[0].lefts, *found.phases[0].rights):
        loops = _loops_of(operand, found)
        if _is_checked(operand.value) and loops and _is_always_used(operand, loops, found):
            buffer = Buffer(f"{nest.targets[0][0].name} factor{len(before) // 2 + 1}", operand.value.column,
                            tuple(extent for _, extent in loops))  # fmt: skip
            before += [Allocate(buffer), _computing(buffer, operand.value, loops, nest.origin)]
            nest = _reading(nest, operand.value, buffer, loops)
    return [*before, nest] if before else [step]


def _is_checked(scalar: Scalar) -> bool:
    return any(not isinstance(one, Select) and any(True for _ in conditions_in(one)) for one in scalars_in(scalar))


def _loops_of(operand: Operand, contraction: Contraction) -> Loops:
    """The loops that an operand depends on; none where their lengths vary."""
    nest, phase = contraction.nest, contraction.phases[0]
    used = dependencies(operand.value)
    around = (*zip(nest.iterators, nest.extents, strict=True), *phase.depth)
    loops = tuple((name, extent) for name, extent in around if name in used)
    varying = {name for _, extent in loops for name in extent.names()} & {name for name, _ in around}
    return () if varying else loops


def _is_always_used(operand: Operand, loops: Loops, contraction: Contraction) -> bool:
    """Whether every element of an operand is used, by one coordinate at least of each dimension that it knows not."""
    nest, phase = contraction.nest, contraction.phases[0]
    own = {name for name, _ in loops}
    others = [
        extent for name, extent in (*zip(nest.iterators, nest.extents, strict=True), *phase.depth) if name not in own
    ]
    if any(extent.constant is None or extent.constant < 1 for extent in others):
        return False
    wanted = signature(operand.value)
    found = [one for value in nest.values for one in occurrences(value) if signature(one.scalar) == wanted]
    return bool(found) and all(one.always and one.folded for one in found)


def _computing(buffer: Buffer, value: Scalar, loops: Loops, origin: str) -> Nest:
    fresh = {name: Size.of(f"{name} of {buffer.name}") for name, _ in loops}
    at = tuple(fresh.values())
    iterators = tuple(str(one) for one in at)
    return Nest(iterators, buffer.shape, ((buffer, at),), (Rewriter(fresh).scalar(value),), origin)


def _reading(nest: Nest, value: Scalar, buffer: Buffer, loops: Loops) -> Nest:
    wanted = signature(value)
    load = Load(buffer, tuple(Size.of(name) for name, _ in loops), column=value.column, span=value.span)

    def rule(scalar: Scalar) -> Scalar | None:
        return load if signature(scalar) == wanted else None

    made = Rewriter(rule=rule).step(nest)
    assert isinstance(made, Nest)
    return made
