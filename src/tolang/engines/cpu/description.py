"""What the engine makes of a plan, in words: which kernel each nest gets, and why."""

from __future__ import annotations

from collections.abc import Iterator

from tolang.engines.cpu.contraction import supported, tile_of
from tolang.engines.cpu.tiles import Machine
from tolang.nests.lowering.fused_sums import FUSED
from tolang.nests.nest import Branch, Each, Nest, Operation, Plan, Reduction, Repeat, Step
from tolang.nests.patterns.contraction import Contraction, Dimensions, Phase, classify, walk
from tolang.nests.printer import scalar_text


def describe(plan: Plan, machine: Machine, strict: bool) -> str:
    """One line or two for every nest of a plan."""
    return "\n".join(_described(plan.steps, machine, strict)) + "\n"


def _described(steps: tuple[Step, ...], machine: Machine, strict: bool) -> Iterator[str]:
    for step in steps:
        match step:
            case Nest():
                yield from _nest(step, machine, strict)
            case Each(steps=inner) | Repeat(steps=inner):
                yield from _described(inner, machine, strict)
            case Branch(then=then, otherwise=otherwise):
                yield from _described((*then, *otherwise), machine, strict)


def _nest(nest: Nest, machine: Machine, strict: bool) -> Iterator[str]:
    shape = ", ".join(str(e) for e in nest.extents)
    contraction = None if strict or nest.way else classify(nest)
    if contraction is not None and supported(contraction):
        tile = tile_of(contraction, machine)
        yield f"{nest.origin} [{shape}]: contraction kernel, tile of {tile.rows} x {tile.columns}"
        yield f"  {_classified(contraction)}"
    elif any(isinstance(s, Reduction) for value in nest.values for s in walk(value)):
        reason = _WAYS.get(nest.way) or _reason(contraction, strict)
        yield f"{nest.origin} [{shape}]: loops with a reduction inside ({reason})"
    else:
        yield f"{nest.origin} [{shape}]: element by element"


_WAYS = {
    "along": "few columns or rows: the other operand is read as it lies, along the fold",
    "abreast": "few rows: the other operand is read as it lies, all columns abreast",
    "panels": "a vector times a matrix that was laid out once",
}


def _reason(contraction: Contraction | None, strict: bool) -> str:
    """Why a nest with a fold does not get the contraction kernel."""
    if strict:
        return "in strict order"
    if contraction is not None:
        return "a contraction, but its numbers could overflow or cannot be held in vectors"
    return "no contraction of two operands that share no parallel dimension"


def _steps(phase: Phase) -> str:
    """What a fold does, as `combine of term` where it combines terms."""
    first = phase.steps[0]
    if phase.group.combine is not None and isinstance(first, Operation):
        _, *rest = first.arguments
        term = Operation("mul", tuple(rest), column=first.column) if first.function == FUSED else rest[0]
        return f"{phase.group.combine} of {scalar_text(term)}"
    return ", ".join(scalar_text(step) for step in phase.steps)


def _classified(one: Contraction) -> str:
    def names(dimensions: Dimensions) -> str:
        return ", ".join(str(extent) for _, extent in dimensions)

    batch = f"batch [{names(one.batch)}], " if one.batch else ""
    combine = "; ".join(_steps(phase) for phase in one.phases)
    return f"{batch}rows [{names(one.rows)}] x columns [{names(one.columns)}] over [{names(one.depth)}]: {combine}"
