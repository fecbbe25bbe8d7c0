"""Plans as text that a person can read: what is looped over, what is stored where, what is checked."""

from __future__ import annotations

from collections.abc import Iterator

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size
from tolang.plan.kinds import FOLDS, groups_in, kind_of, schedule_text
from tolang.plan.nest import (
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    Checked,
    ConstantScalar,
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
    RequireStep,
    Scalar,
    Select,
    Step,
    Where,
)
from tolang.plan.traversal import nodes_inside


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


def _by(node: Nest | Repeat) -> str:
    """How something runs, where that was chosen; folds that nothing around them runs are told, too."""
    folds = _folds(node.values if isinstance(node, Nest) else ())
    if node.schedule is None:
        return f"   by {folds}" if folds else ""
    return f"   by {schedule_text(node)}: {folds}" if kind_of(node) == FOLDS else f"   by {schedule_text(node)}"


def _folds(values: tuple[Scalar, ...]) -> str:
    """How the folds of some values run."""
    return ", ".join(sorted({schedule_text(one) for one in groups_in(values) if one.schedule is not None}))


def _dimensions(iterators: tuple[str, ...], extents: tuple[Size, ...]) -> str:
    return ", ".join(f"{i} <= {e}" for i, e in zip(iterators, extents, strict=True))


Told = dict[tuple[str, ...], str]
"""What the branches around have told, by its lines, and where."""


def _steps(steps: tuple[Step, ...], indent: str, told: Told | None = None) -> Iterator[str]:
    for step in steps:
        yield from _step(step, indent, told)


def _branch(step: Branch, indent: str, told: Told, first: str = "if") -> Iterator[str]:
    """A branch and those that go on from it; what an earlier one has told is not told again."""
    deeper = indent + "  "
    condition = str(step.guard) if step.guard is not None else scalar_text(step.test[0])
    yield f"{indent}{first} {condition}"
    yield from _once(step.then, deeper, told, f"where {condition}")
    match step.otherwise:
        case (Branch() as other,):
            yield from _branch(other, indent, told, "else if")
        case (_, *_):
            yield f"{indent}else"
            yield from _once(step.otherwise, deeper, told, "above")


def _once(steps: tuple[Step, ...], indent: str, told: Told, where: str) -> Iterator[str]:
    """Steps, or where the same ones were told."""
    branches = any(isinstance(one, Branch) for step in steps for one in nodes_inside(step))
    whole = () if branches else tuple(_steps(steps, ""))
    if whole and whole in told:
        yield f"{indent}the same as {told[whole]}"
        return
    told[whole] = where
    yield from _steps(steps, indent, told)


def _step(step: Step, indent: str, told: Told | None = None) -> Iterator[str]:
    deeper = indent + "  "
    match step:
        case Nest(iterators=iterators, extents=extents, targets=targets, values=values):
            dimensions = _dimensions(iterators, extents)
            yield f"{indent}nest [{dimensions}]{_by(step) if not step.cases else ''}"
            for case in step.cases:
                rare = "rarely " if case.rare else ""
                yield f"{deeper}{rare}where {case.condition}{_by(replace(step, schedule=case.schedule))}"
            if step.cases:
                yield f"{deeper}otherwise{_by(step)}"
            pairs = zip(targets, values, strict=True)
            lines = [
                f"{buffer.name}[{', '.join(map(str, at))}] = {scalar_text(value)}" for (buffer, at), value in pairs
            ]
            if told is not None and (dimensions, *lines) in told:
                yield f"{deeper}the same value"
            else:
                yield from (f"{deeper}{line}" for line in lines)
            if told is not None:
                told[dimensions, *lines] = ""
        case Each(iterators=iterators, extents=extents, steps=inner):
            by = "   by rows (prefetch)" if step.schedule is not None and step.schedule.prefetch else ""
            yield f"{indent}each [{_dimensions(iterators, extents)}]{by}"
            yield from _steps(inner, deeper, told)
        case Repeat(iterators=iterators, extents=extents, steps=inner, exchanges=exchanges):
            exchanged = "".join(f", exchanging {a.name} and {b.name}" for a, b in exchanges)
            yield f"{indent}repeat [{_dimensions(iterators, extents)}]{exchanged}{_by(step)}"
            yield from _steps(inner, deeper, told)
        case Branch():
            yield from _branch(step, indent, {} if told is None else told)
        case Bind(name=name, value=value, mutable=mutable):
            by = f"   by {folds}" if (folds := _folds((value,))) else ""
            yield f"{indent}{'state ' if mutable else ''}{name} = {scalar_text(value)}{by}"
        case Assign(name=name, value=value):
            yield f"{indent}{name} := {scalar_text(value)}"
        case Allocate(buffer=buffer):
            yield f"{indent}buffer {_buffer(buffer)}"
        case Free(buffer=buffer):
            yield f"{indent}free {buffer.name}"
        case RequireStep(condition=condition, complaint=complaint):
            yield f"{indent}require {condition}   # {complaint.about}"


def scalar_text(scalar: Scalar) -> str:
    """A scalar expression on one line."""
    match scalar:
        case ConstantScalar(value=value):
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
