"""Plans as text that a person can read: what is looped over, what is stored where, what is checked."""

from __future__ import annotations

from collections.abc import Iterator

from tolang.ground.sizes import Size
from tolang.nests.nest import (
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    Checked,
    Constant,
    Demand,
    Draw,
    Each,
    Free,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Reduction,
    Repeat,
    Scalar,
    Select,
    Step,
    Where,
)
from tolang.nests.strategy import FOLDS, Strategy
from tolang.nests.traversal import scalars_in


def print_plan(plan: Plan) -> str:
    """The whole plan, one step a line."""
    lines = [f"sizes {', '.join(plan.sizes)}"] if plan.sizes else []
    lines += [f"input {_buffer(b)}" for b in plan.inputs]
    lines += [f"{_listed(one.buffers)} read where they lie, one element in each {one.step}" for one in plan.strides]
    lines += list(_steps(plan.steps, ""))
    lines += [f"output {', '.join(b.name for b in buffers)}" for buffers in plan.outputs]
    return "\n".join(lines) + "\n"


def _listed(names: tuple[str, ...]) -> str:
    *before, last = names
    return f"{', '.join(before)} and {last} are" if before else f"{last} is"


def _buffer(buffer: Buffer) -> str:
    panels = "" if buffer.panels is None else f" in panels of {buffer.panels.width}"
    panels += f", chunks of {buffer.panels.chunk}" if buffer.panels is not None and buffer.panels.chunk > 1 else ""
    beyond = f", {buffer.beyond} more" if buffer.beyond else ""
    return f"{buffer.name}: {buffer.column} [{', '.join(map(str, buffer.shape))}]{panels}{beyond}"


def signature(scalar: Scalar) -> str:
    """A text that is equal for equal expressions."""
    return f"{scalar_text(scalar)}:{scalar.column.storage}"


def _by(strategy: Strategy | None, scalars: tuple[Scalar, ...] = ()) -> str:
    """How something runs, where that was chosen; folds that nothing around them runs are told, too."""
    groups = [one.group for s in scalars for one in scalars_in(s) if isinstance(one, Reduction)]
    folds = sorted({str(one.strategy) for one in groups if one.strategy is not None})
    if strategy is None:
        return f"   by {', '.join(folds)}" if folds else ""
    return f"   by {strategy}: {', '.join(folds)}" if strategy.name == FOLDS else f"   by {strategy}"


def _dimensions(iterators: tuple[str, ...], extents: tuple[Size, ...]) -> str:
    return ", ".join(f"{i} <= {e}" for i, e in zip(iterators, extents, strict=True))


def _steps(steps: tuple[Step, ...], indent: str) -> Iterator[str]:
    for step in steps:
        yield from _step(step, indent)


def _otherwise(steps: tuple[Step, ...], indent: str) -> Iterator[str]:
    """What is done where a condition does not hold; another one goes on in the same line."""
    match steps:
        case (Branch() as step,):
            condition, *lines = _step(step, indent)
            yield f"{indent}else {condition.removeprefix(indent)}"
            yield from lines
        case (_, *_):
            yield f"{indent}else"
            yield from _steps(steps, indent + "  ")


def _step(step: Step, indent: str) -> Iterator[str]:
    deeper = indent + "  "
    match step:
        case Nest(iterators=iterators, extents=extents, targets=targets, values=values, strategy=strategy):
            yield f"{indent}nest [{_dimensions(iterators, extents)}]{_by(strategy, values)}"
            for (buffer, at), value in zip(targets, values, strict=True):
                yield f"{deeper}{buffer.name}[{', '.join(map(str, at))}] = {scalar_text(value)}"
        case Each(iterators=iterators, extents=extents, steps=inner):
            yield f"{indent}each [{_dimensions(iterators, extents)}]"
            yield from _steps(inner, deeper)
        case Repeat(iterators=iterators, extents=extents, steps=inner, exchanges=exchanges):
            pairs = "".join(f", exchanging {a.name} and {b.name}" for a, b in exchanges)
            yield f"{indent}repeat [{_dimensions(iterators, extents)}]{pairs}{_by(step.strategy)}"
            yield from _steps(inner, deeper)
        case Branch(guard=guard, test=test, then=then, otherwise=otherwise):
            yield f"{indent}if {guard if guard is not None else scalar_text(test[0])}"
            yield from _steps(then, deeper)
            yield from _otherwise(otherwise, indent)
        case Bind(name=name, value=value, mutable=mutable):
            yield f"{indent}{'state ' if mutable else ''}{name} = {scalar_text(value)}{_by(None, (value,))}"
        case Assign(name=name, value=value):
            yield f"{indent}{name} := {scalar_text(value)}"
        case Allocate(buffer=buffer):
            yield f"{indent}buffer {_buffer(buffer)}"
        case Free(buffer=buffer):
            yield f"{indent}free {buffer.name}"
        case Demand(condition=condition, complaint=complaint):
            yield f"{indent}require {condition}   # {complaint.about}"


def scalar_text(scalar: Scalar) -> str:
    """A scalar expression on one line."""
    match scalar:
        case Constant(value=value):
            return str(value)
        case Index(size=size):
            return f"<{size}>"
        case Named(name=name):
            return name
        case Load(buffer=buffer, indices=indices, checks=checks):
            mark = "?" if checks else ""
            return f"{buffer.name}[{', '.join(map(str, indices))}]{mark}"
        case Draw(coordinates=coordinates):
            return f"random[{', '.join(map(str, coordinates))}]"
        case Checked(value=value):
            return f"{scalar_text(value)}?"
        case Operation(function=function, arguments=arguments):
            return f"{function}({', '.join(scalar_text(a) for a in arguments)})"
        case Select(guard=guard, test=test, then=then, otherwise=otherwise):
            condition = str(guard) if guard is not None else scalar_text(test[0])
            return f"(if {condition} then {scalar_text(then)} else {scalar_text(otherwise)})"
        case Where(bindings=bindings, value=value):
            named = "; ".join(f"{n} = {scalar_text(s)}" for n, s in bindings)
            return f"{{{named}; {scalar_text(value)}}}"
        case Reduction(group=group, position=position):
            states = ", ".join(f"{n} = {scalar_text(s)}" for n, s in zip(group.states, group.initials, strict=True))
            steps = ", ".join(scalar_text(s) for s in group.steps)
            which = f".{position + 1}" if len(group.states) > 1 else ""
            return f"reduce[{_dimensions(group.iterators, group.extents)}]({states} -> {steps}){which}"
    return "?"
