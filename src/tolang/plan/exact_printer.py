"""Plans as text that says everything: what `reader.py` reads back to an equal plan.

It is the text of `printer.py` with what that leaves out for people: columns where they do not follow from the parts,
the conditions of checks and what they tell where they fail, flags of folds, constants to the last digit.  Nothing but
source positions is left out.  The grammar is that of `reader.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from tolang.core.notation import (
    WORD,
    show_columns,
    show_condition,
    show_constant,
    show_name,
    show_size,
    show_sizes,
    show_text,
)
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.recursion import room_to_nest
from tolang.ground.values.spaces import Column
from tolang.plan.implied_columns import COORDINATE, column_beside, implied_column, is_open
from tolang.plan.nest import (
    OUTSIDE,
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    Checked,
    ConstantScalar,
    Draw,
    Each,
    FaultInfo,
    Free,
    Group,
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
from tolang.plan.schedule import Schedule
from tolang.plan.schedule_text import show_schedule
from tolang.plan.traversal import scalars_in, scalars_of

OPENING = frozenset(
    (
        *("sizes", "input", "table", "strided", "output", "nest", "each", "repeat", "if", "when", "else", "state"),
        *("buffer", "free", "require", "reduce", "random", "complex"),
    )
)
"""Words that open a line or a scalar of a plan, so that names which are spelt so are quoted there."""
WIDTH = 110
PIECE = re.compile(r"""(?:`[^`]*`|"(?:\\.|[^"\\])*"|.)+?(?:, |; | -> | then |$)""")
LABEL = re.compile(r"fold\d+")
"""How the text calls a fold that has more places than one."""
COMPONENT = re.compile(rf"({LABEL.pattern})\.(\d+)")


@room_to_nest()
def print_exactly(plan: Plan) -> str:
    """The whole plan as text from which `read_plan` makes an equal one."""
    return "".join(f"{line}\n" for step in _Printer().plan(plan) for line in _wrapped(step))


def _wrapped(line: str) -> Iterator[str]:
    """A line, cut into several after commas, semicolons, arrows and `then`, so that each is as short as that allows."""
    if len(line) <= WIDTH:
        yield line
        return
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    first, *pieces = (match.group() for match in PIECE.finditer(line))
    found = first
    for piece in pieces:
        if len(found) + len(piece.rstrip()) > WIDTH:
            yield found.rstrip()
            found = indent
        found += piece
    yield found


def origin_of(targets: tuple[tuple[Buffer, tuple[Size, ...]], ...]) -> str:
    """The origin of a nest for which none is written: what its first target is a component of."""
    return targets[0][0].name.rsplit(".", 1)[0] if targets else ""


def _name(name: str) -> str:
    """A name at the beginning of a line or a scalar."""
    if name in OPENING or LABEL.fullmatch(name) or COMPONENT.fullmatch(name):
        return f"`{name}`"
    return show_name(name)


def _function(name: str) -> str:
    return name if WORD.fullmatch(name) and name not in OPENING else f"`{name}`"


def _dimensions(iterators: tuple[str, ...], extents: tuple[Size, ...]) -> str:
    return ", ".join(f"{show_name(i)} <= {show_size(e)}" for i, e in zip(iterators, extents, strict=True))


def _complaint(complaint: FaultInfo) -> str:
    return f"{complaint.code} {show_text(complaint.about)}".lstrip()


def _by(schedule: Schedule | None) -> str:
    return "" if schedule is None else f" by {show_schedule(schedule)}"


def _buffer(buffer: Buffer, role: str) -> str:
    text = f"{_name(buffer.name)}: {show_columns((buffer.column,))} [{show_sizes(buffer.shape)}]"
    if buffer.panels is not None:
        text += f" in panels of {buffer.panels.width} across {buffer.panels.across}"
        text += f" in chunks of {buffer.panels.chunk}" if buffer.panels.chunk != 1 else ""
    text += f" and {buffer.beyond} more" if buffer.beyond else ""
    return text if buffer.role == role else f"{text} as {show_name(buffer.role)}"


def _find_shared_folds(steps: tuple[Step, ...], seen: set[Group], shared: set[Group]) -> None:
    """Adds to the shared folds those that steps have again, be it another component, where they were `seen` before."""
    for step in steps:
        for value in scalars_of(step):
            for one in scalars_in(value):
                if isinstance(one, Reduction):
                    (shared if one.group in seen else seen).add(one.group)
        match step:
            case Each(steps=inner) | Repeat(steps=inner):
                _find_shared_folds(inner, set(seen), shared)
            case Branch(then=then, otherwise=otherwise):
                _find_shared_folds(then, set(seen), shared)
                _find_shared_folds(otherwise, set(seen), shared)


class _Printer:
    """Prints steps and scalars; `names` and `buffers` have the columns of what is in scope, `labels` its folds."""

    def __init__(self) -> None:
        self.names: dict[str, Column] = {}
        self.buffers: dict[str, Column] = {}
        self.shared: set[Group] = set()
        self.labels: dict[Group, str] = {}
        self.numbers = count(1)

    @contextmanager
    def _scope(self, iterators: tuple[str, ...] = ()) -> Iterator[None]:
        """What is bound inside is forgotten afterwards."""
        names, buffers = self.names, self.buffers
        self.names, self.buffers = names | dict.fromkeys(iterators, COORDINATE), dict(buffers)
        yield
        self.names, self.buffers = names, buffers

    def _inside(self, steps: tuple[Step, ...], indent: str, iterators: tuple[str, ...] = ()) -> Iterator[str]:
        """Steps inside another; those after it know nothing of what they bind."""
        labels, self.labels = self.labels, dict(self.labels)
        with self._scope(iterators):
            yield from self.steps(steps, f"{indent}  ")
        self.labels = labels

    # Plans and steps

    def plan(self, plan: Plan) -> Iterator[str]:
        self.names = dict.fromkeys((*plan.sizes, *(one.step for one in plan.strides)), COORDINATE)
        self.buffers = {one.name: one.column for one in plan.inputs}
        if plan.sizes:
            yield f"sizes {', '.join(map(show_name, plan.sizes))}"
        elements = {table.buffer.name: table.elements for table in plan.tables}
        for buffer in plan.inputs:
            text = _buffer(buffer, "input")
            if buffer.name not in elements:
                yield f"input {text}"
            else:
                yield f"table {text} = {', '.join(map(show_constant, elements[buffer.name]))}".rstrip()
        for one in plan.strides:
            yield f"strided {', '.join(map(show_name, one.buffers))} by {show_name(one.step)}"
        _find_shared_folds(plan.steps, set(), self.shared)
        yield from self.steps(plan.steps, "")
        for buffers in plan.outputs:
            yield f"output {', '.join(show_name(one.name) for one in buffers)}"

    def steps(self, steps: tuple[Step, ...], indent: str) -> Iterator[str]:
        for step in steps:
            yield from self._step(step, indent)

    def _step(self, step: Step, indent: str) -> Iterator[str]:
        match step:
            case Nest():
                yield from self._nest(step, indent)
            case Each(iterators=iterators, extents=extents, compact=compact):
                word = " compact" if compact else ""
                yield f"{indent}each [{_dimensions(iterators, extents)}]{word}{_by(step.schedule)}"
                yield from self._inside(step.steps, indent, iterators)
            case Repeat(iterators=iterators, extents=extents, exchanges=exchanges):
                pairs = "".join(f" exchanging {show_name(a.name)} and {show_name(b.name)}" for a, b in exchanges)
                yield f"{indent}repeat [{_dimensions(iterators, extents)}]{pairs}{_by(step.schedule)}"
                yield from self._inside(step.steps, indent, iterators)
            case Branch():
                yield from self._branch(step, indent, "")
            case Bind(name=name, value=value, mutable=mutable):
                yield f"{indent}{'state ' if mutable else ''}{_name(name)} = {self.scalar(value, None)}"
                self.names[name] = value.column
            case Assign(name=name, value=value):
                yield f"{indent}{_name(name)} := {self.scalar(value, self.names.get(name))}"
            case Allocate(buffer=buffer):
                yield f"{indent}buffer {_buffer(buffer, 'scratch')}"
                self.buffers[buffer.name] = buffer.column
            case Free(buffer=buffer):
                yield f"{indent}free {show_name(buffer.name)}"
            case RequireStep(condition=condition, complaint=complaint):
                yield f"{indent}require {show_condition(condition)} else {_complaint(complaint)}"

    def _nest(self, nest: Nest, indent: str) -> Iterator[str]:
        told = "" if nest.origin == origin_of(nest.targets) else f" for {show_text(nest.origin)}"
        rare = " rare" if nest.rare else ""
        yield f"{indent}nest [{_dimensions(nest.iterators, nest.extents)}]{told}{_by(nest.schedule)}{rare}"
        for case in nest.cases:
            seldom = "rare " if case.rare else ""
            yield f"{indent}  case {seldom}{show_condition(case.condition)}{_by(case.schedule)}"
        with self._scope(nest.iterators):
            for (buffer, at), value in zip(nest.targets, nest.values, strict=True):
                shown = self.scalar(value, self._held(buffer))
                yield f"{indent}  {_name(buffer.name)}[{show_sizes(at)}] = {shown}"

    def _held(self, buffer: Buffer) -> Column:
        """The column of a buffer where it was made, for one that has its name."""
        return self.buffers.get(buffer.name, buffer.column)

    def _branch(self, branch: Branch, indent: str, before: str) -> Iterator[str]:
        if branch.guard is not None:
            word, asked = "if", show_condition(branch.guard)
        else:
            word, asked = "when", self.scalar(branch.test[0], None)
        yield f"{indent}{before}{word} {'seldom ' if branch.seldom else ''}{asked}"
        yield from self._inside(branch.then, indent)
        match branch.otherwise:
            case (Branch() as other,):
                labels, self.labels = self.labels, dict(self.labels)
                yield from self._branch(other, indent, "else ")
                self.labels = labels
            case (_, *_):
                yield f"{indent}else"
                yield from self._inside(branch.otherwise, indent)

    # Scalars

    def scalar(self, scalar: Scalar, expected: Column | None) -> str:
        """A scalar on one line, followed by its column where that is not the one implied."""
        if isinstance(scalar, Load):
            implied: Column | None = self._held(scalar.buffer)
        else:
            implied = implied_column(scalar, expected, self.names)
        if implied == scalar.column:
            return self._parts(scalar, expected)
        shown = show_columns((replace(scalar.column, name=None),))
        return f"{self._parts(scalar, scalar.column)}:{shown}"

    def _parts(self, scalar: Scalar, expected: Column | None) -> str:
        """A scalar without its column; parts that end it are expected to have the column that it is."""
        match scalar:
            case ConstantScalar(value=value):
                return show_constant(value)
            case Index(size=size):
                return f"<{show_size(size)}>"
            case Named(name=name):
                return _name(name)
            case Load(buffer=buffer, indices=indices, checks=checks):
                return f"{_name(buffer.name)}[{show_sizes(indices)}{_provided(checks)}]"
            case Draw(site=site, coordinates=coordinates):
                return f"random {site} [{show_sizes(coordinates)}]"
            case Checked(checks=checks, value=value, complaint=complaint):
                told = "" if complaint == OUTSIDE else f" else {_complaint(complaint)}"
                return f"({self.scalar(value, expected)}{_provided(checks)}{told})"
            case Operation():
                return self._operation(scalar)
            case Select(guard=guard, test=test, then=then, otherwise=otherwise):
                head = f"when {self.scalar(test[0], None)}" if guard is None else f"if {show_condition(guard)}"
                sides = self.scalar(then, expected), self.scalar(otherwise, then.column)
                return f"({head} then {sides[0]} else {sides[1]})"
            case Where(bindings=bindings, value=value):
                return self._where(bindings, value, expected)
            case Reduction(group=group, position=position):
                return self._reduction(group, position, expected)
        raise TypeError(f"{type(scalar).__name__} is no scalar of a plan")

    def _operation(self, scalar: Operation) -> str:
        settled = next((one.column for one in scalar.arguments if not is_open(one)), None)
        beside = column_beside(settled)
        shown = [self.scalar(one, beside if is_open(one) else None) for one in scalar.arguments]
        return f"{_function(scalar.function)}({', '.join(shown)})"

    def _where(self, bindings: tuple[tuple[str, Scalar], ...], value: Scalar, expected: Column | None) -> str:
        parts: list[str] = []
        with self._scope():
            for name, bound in bindings:
                parts.append(f"{_name(name)} = {self.scalar(bound, None)}")
                self.names[name] = bound.column
            return f"{{{'; '.join([*parts, self.scalar(value, expected)])}}}"

    def _reduction(self, group: Group, position: int, expected: Column | None) -> str:
        if group in self.labels:
            return f"{self.labels[group]}.{position + 1}"
        label = f"fold{next(self.numbers)}" if group in self.shared else ""
        if label:
            self.labels[group] = label
        words = ["reduce", label]
        words += ["associative" if group.associative else "", "ordered" if group.ordered else ""]
        words += ["" if group.combine is None else f"with {_function(group.combine)}", _by(group.schedule).strip()]
        head = f"{' '.join(filter(None, words))} [{_dimensions(group.iterators, group.extents)}]"
        states: list[str] = []
        for place, (name, column, initial) in enumerate(zip(group.states, group.columns, group.initials, strict=True)):
            if column == initial.column:
                states.append(f"{_name(name)} = {self.scalar(initial, expected if place == position else None)}")
            else:
                states.append(f"{_name(name)}: {show_columns((column,))} = {self.scalar(initial, column)}")
        with self._scope(group.iterators):
            self.names.update(zip(group.states, group.columns, strict=True))
            pairs = zip(group.steps, group.columns, strict=True)
            steps = ", ".join(self.scalar(step, column) for step, column in pairs)
        which = f".{position + 1}" if len(group.states) > 1 or label else ""
        return f"{head}({', '.join(states)} -> {steps}){which}"


def _provided(checks: tuple[Condition, ...]) -> str:
    return f" provided {', '.join(map(show_condition, checks))}" if checks else ""
