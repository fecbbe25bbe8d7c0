"""The canonical form of a step: what it computes, without the names and lengths that it happens to compute it with.

Steps of equal canonical form share one kernel, in a program, between programs and on disk.  Names are numbered in the
order in which they stand, and whatever is known before the step starts becomes a parameter: lengths, strides, offsets,
scalars, buffers.  Small constants (windows, strides, a batch of one) are kept where code is better for knowing them;
others are parameters as well, so that a layer of 64 channels and one of 256 are the same kernel.  So are numbers that
elements are computed with, as the scales and zero points of quantised layers.  `kept_numbers` says which is which.

    i <= 224, x[3*i + 222, j + n]    and    k <= n, y[3*k + m, j + 100]    are both    i0 <= s0, b0[3*i0 + s1, i1 + s2]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.fields import names_of_fields
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.conditions import Choice, Condition
from tolang.ground.symbolic.sizes import ZERO, Atom, Extremum, Quotient, Size
from tolang.ground.values.spaces import Column
from tolang.plan.nest import (
    Allocate,
    Buffer,
    ConstantScalar,
    Group,
    Named,
    Nest,
    Operation,
    Repeat,
    Scalar,
    SourcePlaceholder,
    Step,
    Unsupported,
)
from tolang.plan.schedule import LoopSchedule, Schedule
from tolang.plan.specialisation import EVERYWHERE, NumberContext, is_small, surroundings_in
from tolang.plan.traversal import names_bound_inside, nodes_inside

NAMING = ("name", "iterators", "states", "bindings")
"""The fields of a node that hold names."""


@dataclass(frozen=True, slots=True)
class KnownScalar:
    """A scalar that is bound before a step: its column, and whether it changes while the program runs."""

    column: Column
    mutable: bool = False


@dataclass(frozen=True, slots=True)
class CanonicalKernel:
    """What a kernel is made from.  Parameters are named by position: s0 … sizes, v0 … scalars, b0 … buffers."""

    step: Step
    sizes: tuple[str, ...]
    scalars: tuple[KnownScalar, ...]
    buffers: tuple[Buffer, ...]
    key: str


@dataclass(frozen=True, slots=True)
class Outlined:
    """A step as the use of a shared one: the actual parameters, and the spans its places stand for.

    Scalars are names, or numbers that stand in the step.
    """

    shared: CanonicalKernel
    sizes: tuple[Size, ...]
    scalars: tuple[str | ConstantScalar, ...]
    buffers: tuple[Buffer, ...]
    spans: tuple[Span, ...]


def outline(step: Step, known: Mapping[str, KnownScalar], made: dict[str, CanonicalKernel]) -> Outlined:
    """A step in canonical form; `known` are the scalars bound before it, `made` the forms that were made so far.

    The text of the form is written first, so that steps of a form that was made are not rebuilt.
    """
    inside = nodes_inside(step)
    inner = frozenset(names_bound_inside(inside))
    own = frozenset(one.buffer.name for one in inside if isinstance(one, Allocate))
    writing = _Writing(known, inner, own)
    key = writing.key(step)
    shared = made.get(key)
    if shared is None:
        renaming = _Renaming(known, inner, own)
        renamed = renaming.node(step)
        names = tuple(f"s{position}" for position in range(len(renaming.sizes)))
        buffers = tuple(renaming.buffers[b.name] for b in renaming.outer)
        scalars = tuple(map(renaming.known_as, renaming.scalars))
        shared = made[key] = CanonicalKernel(renamed, names, scalars, buffers, key)
    given = tuple(writing.constants.get(name, name) for name in writing.scalars)
    return Outlined(shared, tuple(writing.sizes), given, tuple(writing.outer), tuple(writing.spans))


class _Renaming:
    """One walk over a step, giving out names by position."""

    def __init__(self, known: Mapping[str, KnownScalar], inner: frozenset[str], made: frozenset[str]) -> None:
        self.known, self.inner, self.made = known, inner, made
        self.names: dict[str, str] = {}
        self.sizes: list[Size] = []
        self.offsets: dict[Size, Size] = {}
        self.scalars: dict[str, str] = {}
        self.constants: dict[str, ConstantScalar] = {}
        self.around: NumberContext = EVERYWHERE
        self.buffers: dict[str, Buffer] = {}
        self.outer: list[Buffer] = []
        self.groups: dict[int, Group] = {}
        self.spans: list[Span] = []
        self.masks: dict[tuple[Atom, int, int], Size] = {}

    def node(self, node: Any) -> Any:
        """A node with names, sizes, buffers and spans replaced."""
        kind = type(node)
        if kind is tuple:
            return tuple([self.node(item) for item in node])
        if kind is Column or kind is str:
            return node
        if kind is Size:
            return self.size(node)
        if kind is Span:
            self.spans.append(node)
            return SourcePlaceholder(len(self.spans) - 1)
        if isinstance(node, Scalar):
            return self._fields(node)
        match node:
            case Condition():
                return self.condition(node)
            case Buffer():
                return self.buffer(node)
            case Group():
                if id(node) not in self.groups:
                    with self.inside(node):
                        self.groups[id(node)] = self._fields(node)
                return self.groups[id(node)]
            case Nest() | Repeat():
                with self.inside(node):
                    return self._fields(node)
            case Step():
                return self._fields(node)
        return node

    def _fields(self, node: Any) -> Any:
        changed: dict[str, Any] = {}
        for name in names_of_fields(type(node)):
            value = getattr(node, name)
            if name == "origin":
                changed[name] = ""
            elif name == "extents":
                changed[name] = self.lengths(value, self.around.kept_extents(node))
            elif name in NAMING:
                changed[name] = self._named(value)
            elif name == "values":
                changed[name] = self.node(self.values(node))
            elif name == "arguments":
                changed[name] = self.node(self.arguments(node))
            elif name == "schedule":
                changed[name] = self.schedule(node)
            elif name == "rare":
                changed[name] = False
            else:
                changed[name] = self.node(value)
        return replace(node, **changed)

    def _named(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.name(value)
        if isinstance(value, tuple):
            return tuple(self._named(item) for item in value)
        return self.node(value)

    def name(self, name: str) -> str:
        if name in self.inner:
            return self.names.setdefault(name, f"i{len(self.names)}")
        if name not in self.known and name not in self.constants:
            raise Unsupported(f"the name {name} is not known here")
        return self.scalars.setdefault(name, f"v{len(self.scalars)}")

    def schedule(self, node: Any) -> Schedule | None:
        """A node's schedule, its axes by the names that their iterators have here."""
        schedule = self.around.schedule_of(node)
        if isinstance(schedule, LoopSchedule) and schedule.axes:
            return replace(schedule, axes=tuple([replace(one, name=self.name(one.name)) for one in schedule.axes]))
        return schedule

    # Numbers

    def known_as(self, name: str) -> KnownScalar:
        """What is known of a scalar that is a parameter."""
        number = self.constants.get(name)
        return self.known[name] if number is None else KnownScalar(number.column)

    @contextmanager
    def inside(self, node: Nest | Group | Repeat) -> Iterator[None]:
        """Inside it is known what the numbers that stand there are for."""
        before = self.around
        self.around = surroundings_in(node, before)
        yield
        self.around = before

    def values(self, nest: Nest) -> tuple[Scalar, ...]:
        """The values of a nest, those as parameters that are numbers and that its code need not know."""
        return tuple([self._given(one, self.around.value_of(one)) for one in nest.values])

    def arguments(self, operation: Operation) -> tuple[Scalar, ...]:
        """The arguments of a function, those as parameters that its code need not know."""
        around = self.around
        if not around.numbers:
            return operation.arguments
        return tuple([self._given(one, around.argument_of(one, operation)) for one in operation.arguments])

    def _given(self, scalar: Scalar, number: ConstantScalar | None) -> Scalar:
        if number is None:
            return scalar
        name = f"number {number.value!r} {number.column.storage}"
        self.constants[name] = number
        return Named(name, column=number.column, span=scalar.span)

    def buffer(self, buffer: Buffer) -> Buffer:
        known = self.buffers.get(buffer.name)
        if known is None:
            own = buffer.name in self.made
            if not own:
                self.outer.append(buffer)
            name = f"m{len(self.buffers) - len(self.outer) + 1}" if own else f"b{len(self.outer) - 1}"
            shape = self.lengths(buffer.shape, None if own else self.around.kept_shape(buffer.shape))
            role = "scratch" if own else "outer"
            span = buffer.span if own else None
            if isinstance(span, Span):
                self.spans.append(span)
                span = SourcePlaceholder(len(self.spans) - 1)
            known = self.buffers[buffer.name] = Buffer(
                name, buffer.column, shape, role, buffer.panels, span, buffer.beyond
            )
        return known

    # Sizes

    def size(self, size: Size) -> Size:
        return self._rewritten(size, self._parameter, self.name, self.around)

    def _parameter(self, size: Size) -> Size:
        """A size that is known before the step: a constant that stays is itself, anything else a parameter."""
        return size if self.around.keeps(size) else self._offset(size)

    def _offset(self, size: Size) -> Size:
        if size not in self.offsets:
            self.offsets[size] = self._next(size)
        return self.offsets[size]

    def _next(self, size: Size) -> Size:
        self.sizes.append(size)
        return Size.of(f"s{len(self.sizes) - 1}")

    def lengths(self, sizes: tuple[Size, ...], kept: Sequence[bool] | None) -> tuple[Size, ...]:
        """The lengths of loops or of a buffer; small constants stay, or of them those that are to be `kept`."""
        return tuple([self._length(one, kept is None or kept[place]) for place, one in enumerate(sizes)])

    def _length(self, size: Size, kept: bool) -> Size:
        """The length of a loop or buffer: a parameter of its own, so that lengths may but need not be equal."""
        if not self._is_still(size):
            return self.size(size)
        small = size.constant is not None and is_small(size)
        return size if small and kept else self._next(size)

    def _is_known(self, name: str) -> bool:
        """Whether a name has its value before the step, and keeps it."""
        return name not in self.inner and not (name in self.known and self.known[name].mutable)

    def _rewritten(
        self,
        size: Size,
        parameter: Callable[[Size], Size],
        naming: Callable[[str], str],
        around: NumberContext = EVERYWHERE,
    ) -> Size:
        """A polynomial in what the step itself binds, its coefficients being what is known before."""
        coefficients: dict[tuple[Atom, ...], Size] = {}
        for monomial, factor in size.terms.items():
            moving = tuple(a for a in monomial if not self._is_still(a))
            known = tuple(a for a in monomial if self._is_still(a))
            coefficients[moving] = coefficients.get(moving, ZERO) + Size({known: factor})
        total = ZERO
        for moving in sorted(coefficients, key=self._order):
            still = coefficients[moving]
            product = self._offset(still) if not moving and around.is_free(still) else parameter(still)
            for atom in moving:
                masking = parameter is _masked
                product = product * (self._mask(atom) if masking else self._atom(atom, parameter, naming, around))
            total = total + product
        return total

    def _is_still(self, atom: Atom | Size) -> bool:
        names = (atom,) if isinstance(atom, str) else atom.names()
        return all(self._is_known(name) for name in names)

    def _order(self, monomial: tuple[Atom, ...]) -> tuple[int, list[str]]:
        """A place among other monomials that does not depend on names known before."""
        return len(monomial), [str(self._mask(atom)) for atom in monomial]

    def _mask(self, atom: Atom) -> Size:
        """An atom with all that is known before as one mark; kept, for those that hold others ask for theirs twice."""
        key = atom, len(self.names), len(self.scalars)
        if key not in self.masks:
            self.masks[key] = self._atom(atom, _masked, self._peek)
        return self.masks[key]

    def _peek(self, name: str) -> str:
        return self.names.get(name) or self.scalars.get(name) or name

    def _atom(
        self,
        atom: Atom,
        parameter: Callable[[Size], Size],
        naming: Callable[[str], str],
        around: NumberContext = EVERYWHERE,
    ) -> Size:
        around = around if isinstance(atom, Choice) else EVERYWHERE

        def inside(size: Size) -> Size:
            return self._rewritten(size, parameter, naming, around)

        match atom:
            case str():
                return Size.of(naming(atom))
            case Quotient(numerator=numerator, denominator=denominator):
                return Size.atom(Quotient(inside(numerator), inside(denominator)))
            case Extremum(kind=kind, sizes=sizes):
                return Size.atom(Extremum(kind, tuple(inside(s) for s in sizes)))
            case Choice(condition=condition, then=then, otherwise=otherwise):
                return Size.atom(Choice(_condition(condition, inside), inside(then), inside(otherwise)))
        raise Unsupported("an open sum is left to the interpreter")

    def condition(self, condition: Condition) -> Condition:
        return _condition(condition, self.size)


class _Writing(_Renaming):
    """The same walk, of which only the text is wanted: everything that the code of a step depends on."""

    def __init__(self, known: Mapping[str, KnownScalar], inner: frozenset[str], made: frozenset[str]) -> None:
        super().__init__(known, inner, made)
        self.written: dict[tuple[Size, bool, bool], str] = {}
        self.columns: dict[int, str] = {}
        self.numbers: dict[int, int] = {}
        self.shapes: dict[str, str] = {}

    def key(self, step: Step) -> str:
        text = self.node(step)
        known = [(self._column(one.column), one.mutable) for one in map(self.known_as, self.scalars)]
        return f"{text} {len(self.sizes)} {known} {[self.shapes[buffer.name] for buffer in self.outer]}"

    def node(self, node: Any) -> str:
        kind = type(node)
        if kind is tuple:
            return f"({','.join([self.node(item) for item in node])})" if node else ""
        if kind is Column:
            return self._column(node)
        if kind is Size:
            return self._written(node)
        if kind is Span:
            self.spans.append(node)
            return "@"
        if kind is Nest or kind is Repeat:
            with self.inside(node):
                return self._fields(node)
        if isinstance(node, Scalar | Step):
            return self._fields(node)
        match node:
            case Buffer():
                return self._buffer(node)
            case Condition():
                return str(self.condition(node))
            case Group():
                if id(node) in self.numbers:
                    return f"g{self.numbers[id(node)]}"
                self.numbers[id(node)] = len(self.numbers)
                with self.inside(node):
                    return self._fields(node)
        return "" if node is None else repr(node)

    def _fields(self, node: Any) -> str:
        parts: list[str] = []
        for name in names_of_fields(type(node), ("origin", "rare")):
            value = getattr(node, name)
            if name == "extents":
                lengths = self.lengths(value, self.around.kept_extents(node))
                parts.append(f"({','.join(map(str, lengths))})")
            elif name in NAMING:
                parts.append(self._named(value))
            elif name == "values":
                parts.append(self.node(self.values(node)))
            elif name == "arguments":
                parts.append(self.node(self.arguments(node)))
            elif name == "schedule":
                parts.append(repr(self.schedule(node)))
            else:
                parts.append(self.node(value))
        return f"{type(node).__name__}({','.join(parts)})"

    def _named(self, value: Any) -> str:
        if isinstance(value, tuple):
            return f"({','.join([self._named(item) for item in value])})"
        return self.name(value) if isinstance(value, str) else self.node(value)

    def _written(self, size: Size) -> str:
        key = size, self.around.offsets, self.around.constants
        found = self.written.get(key)
        if found is None:
            found = self.written[key] = str(self.size(size))
        return found

    def _column(self, column: Column) -> str:
        found = self.columns.get(id(column))
        if found is None:
            found = self.columns[id(column)] = f"{column.space}/{column.storage}"
        return found

    def _buffer(self, buffer: Buffer) -> str:
        """A buffer in full where it stands first, by its name afterwards."""
        met = buffer.name in self.shapes
        known = self.buffer(buffer)
        if met:
            return known.name
        shape = ",".join([str(length) for length in known.shape])
        place = "" if known.span is None else "@"
        layout = f"{known.panels or ''}{known.beyond or ''}"
        text = f"{known.name}:{self._column(known.column)}[{shape}]{known.role}{layout}{place}"
        self.shapes[buffer.name] = text
        return text


def _masked(size: Size) -> Size:
    return Size.of("?") if size.constant is None else size


def _condition(condition: Condition, inside: Callable[[Size], Size]) -> Condition:
    if condition.size is not None:
        return Condition(condition.kind, inside(condition.size))
    return Condition(condition.kind, None, tuple(_condition(p, inside) for p in condition.parts))
