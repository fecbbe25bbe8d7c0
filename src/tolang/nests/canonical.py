"""The canonical form of a step: what it computes, without the names and lengths that it happens to compute it with.

Steps of equal canonical form share one kernel, in a program, between programs and on disk.  Names are numbered in the
order in which they stand, and whatever is known before the step starts becomes a parameter: lengths, strides, offsets,
scalars, buffers.  Small constants (windows, strides, a batch of one) are kept, since code is better for knowing them;
larger ones are parameters as well, so that a layer of 64 channels and one of 256 are the same kernel.

    i <= 224, x[3*i + 222, j + n]    and    k <= n, y[3*k + m, j + 100]    are both    i0 <= s0, b0[3*i0 + s1, i1 + s2]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass, replace
from typing import Any

from tolang.ground.conditions import Condition
from tolang.ground.diagnostics import Span
from tolang.ground.fields import names_of_fields
from tolang.ground.sizes import ZERO, Atom, Choice, Extremum, Quotient, Size
from tolang.ground.spaces import Column
from tolang.nests.nest import (
    APART,
    Allocate,
    Bind,
    Buffer,
    Group,
    Place,
    Scalar,
    Step,
    Unsupported,
    Where,
)

LARGEST_KEPT = 8
"""Constants up to this stay in the code."""
NAMING = ("name", "iterators", "states", "bindings")
"""The fields of a node that hold names."""


@dataclass(frozen=True, slots=True)
class Known:
    """A scalar that is bound before a step: its column, and whether it changes while the program runs."""

    column: Column
    mutable: bool = False


@dataclass(frozen=True, slots=True)
class Shared:
    """What a kernel is made from.  Parameters are named by position: s0 … sizes (d0 … where they are differences, which
    may be below zero), v0 … scalars, b0 … buffers."""

    step: Step
    sizes: tuple[str, ...]
    scalars: tuple[Known, ...]
    buffers: tuple[Buffer, ...]
    key: str


@dataclass(frozen=True, slots=True)
class Outlined:
    """A step as the use of a shared one: the actual parameters, and the spans its places stand for."""

    shared: Shared
    sizes: tuple[Size, ...]
    scalars: tuple[str, ...]
    buffers: tuple[Buffer, ...]
    spans: tuple[Span, ...]


def outline(step: Step, known: Mapping[str, Known]) -> Outlined:
    """A step in canonical form; `known` are the scalars bound before it."""
    renaming = _Renaming(known, set(bound_names(step)), {b.name for b in allocated(step)})
    renamed = renaming.node(step)
    scalars = tuple(renaming.scalars)
    shared = Shared(
        renamed,
        tuple(f"{_sign(size)}{position}" for position, size in enumerate(renaming.sizes)),
        tuple(known[name] for name in scalars),
        tuple(renaming.buffers[b.name] for b in renaming.outer),
        "",
    )
    shared = replace(shared, key=_text(shared))
    return Outlined(shared, tuple(renaming.sizes), scalars, tuple(renaming.outer), tuple(renaming.spans))


def may_be_negative(size: Size) -> bool:
    """Whether a length could be below zero, as far as its form tells."""
    return any(factor < 0 for factor in size.terms.values()) or any(
        isinstance(atom, str) and atom.startswith("d") for monomial in size.terms for atom in monomial
    )


def bound_names(node: Any) -> Iterator[str]:
    """Every name that is bound somewhere inside a step."""
    for one in nodes_inside(node):
        match one:
            case Bind(name=name):
                yield name
            case Where(bindings=bindings):
                yield from (name for name, _ in bindings)
            case Group(iterators=iterators, states=states):
                yield from iterators
                yield from states
            case Step():
                yield from getattr(one, "iterators", ())


def allocated(node: Any) -> Iterator[Buffer]:
    """Every buffer that is made somewhere inside a step."""
    return (one.buffer for one in nodes_inside(node) if isinstance(one, Allocate))


def nodes_inside(node: Any) -> list[Any]:
    """A node and the steps, scalars and folds at any depth inside it."""
    found: list[Any] = []
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting.extend(item for item in one if isinstance(item, tuple | Step | Scalar | Group))
            continue
        found.append(one)
        for name in names_of_fields(type(one), APART):
            value = getattr(one, name)
            if isinstance(value, tuple | Step | Scalar | Group):
                waiting.append(value)
    return found


class _Renaming:
    """One walk over a step, giving out names by position."""

    def __init__(self, known: Mapping[str, Known], inner: set[str], made: set[str]) -> None:
        self.known, self.inner, self.made = known, inner, made
        self.names: dict[str, str] = {}
        self.sizes: list[Size] = []
        self.offsets: dict[Size, Size] = {}
        self.scalars: dict[str, str] = {}
        self.buffers: dict[str, Buffer] = {}
        self.outer: list[Buffer] = []
        self.groups: dict[int, Group] = {}
        self.spans: list[Span] = []

    def node(self, node: Any) -> Any:
        """A node with names, sizes, buffers and spans replaced."""
        match node:
            case Size():
                return self.size(node)
            case Condition():
                return self.condition(node)
            case Buffer():
                return self.buffer(node)
            case Group():
                if id(node) not in self.groups:
                    self.groups[id(node)] = self._fields(node)
                return self.groups[id(node)]
            case Span():
                self.spans.append(node)
                return Place(len(self.spans) - 1)
            case tuple():
                return tuple(self.node(item) for item in node)
            case Step() | Scalar():
                return self._fields(node)
        return node

    def _fields(self, node: Any) -> Any:
        changed: dict[str, Any] = {}
        for name in names_of_fields(type(node)):
            value = getattr(node, name)
            if name == "origin":
                changed[name] = ""
            elif name == "extents":
                changed[name] = tuple(self.length(extent) for extent in value)
            elif name in NAMING:
                changed[name] = self._named(value)
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
        if name not in self.known:
            raise Unsupported(f"the name {name} is not known here")
        return self.scalars.setdefault(name, f"v{len(self.scalars)}")

    def buffer(self, buffer: Buffer) -> Buffer:
        known = self.buffers.get(buffer.name)
        if known is None:
            own = buffer.name in self.made
            if not own:
                self.outer.append(buffer)
            name = f"m{len(self.buffers) - len(self.outer) + 1}" if own else f"b{len(self.outer) - 1}"
            shape = tuple(self.length(length) for length in buffer.shape)
            known = self.buffers[buffer.name] = Buffer(name, buffer.column, shape, "scratch" if own else "outer")
        return known

    # Sizes

    def size(self, size: Size) -> Size:
        return self._rewritten(size, self._parameter, self.name)

    def _parameter(self, size: Size) -> Size:
        """A size that is known before the step: a small constant itself, anything else a parameter."""
        value = size.constant
        if value is not None and -LARGEST_KEPT <= value <= LARGEST_KEPT:
            return size
        if size not in self.offsets:
            self.offsets[size] = self._next(size)
        return self.offsets[size]

    def _next(self, size: Size) -> Size:
        self.sizes.append(size)
        return Size.of(f"{_sign(size)}{len(self.sizes) - 1}")

    def length(self, size: Size) -> Size:
        """The length of a loop or buffer: a parameter of its own, so that lengths may but need not be equal."""
        known = self._parameter if size.constant is not None and size.constant <= LARGEST_KEPT else self._next
        return known(size) if self._is_still(size) else self.size(size)

    def _is_known(self, name: str) -> bool:
        """Whether a name has its value before the step, and keeps it."""
        return name not in self.inner and not (name in self.known and self.known[name].mutable)

    def _rewritten(self, size: Size, parameter: Callable[[Size], Size], naming: Callable[[str], str]) -> Size:
        """A polynomial in what the step itself binds, its coefficients being what is known before."""
        coefficients: dict[tuple[Atom, ...], Size] = {}
        for monomial, factor in size.terms.items():
            moving = tuple(a for a in monomial if not self._is_still(a))
            still = tuple(a for a in monomial if self._is_still(a))
            coefficients[moving] = coefficients.get(moving, ZERO) + Size({still: factor})
        total = ZERO
        for moving in sorted(coefficients, key=self._order):
            product = parameter(coefficients[moving])
            for atom in moving:
                product = product * self._atom(atom, parameter, naming)
            total = total + product
        return total

    def _is_still(self, atom: Atom | Size) -> bool:
        names = (atom,) if isinstance(atom, str) else atom.names()
        return all(self._is_known(name) for name in names)

    def _order(self, monomial: tuple[Atom, ...]) -> tuple[int, list[str]]:
        """A place among other monomials that does not depend on names known before."""
        masked = (self._atom(atom, _masked, self._peek) for atom in monomial)
        return len(monomial), [str(m) for m in masked]

    def _peek(self, name: str) -> str:
        return self.names.get(name) or self.scalars.get(name) or name

    def _atom(self, atom: Atom, parameter: Callable[[Size], Size], naming: Callable[[str], str]) -> Size:
        def inside(size: Size) -> Size:
            return self._rewritten(size, parameter, naming)

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


def _sign(size: Size) -> str:
    return "d" if any(factor < 0 for factor in size.terms.values()) else "s"


def _masked(size: Size) -> Size:
    return Size.of("?") if size.constant is None else size


def _condition(condition: Condition, inside: Callable[[Size], Size]) -> Condition:
    if condition.size is not None:
        return Condition(condition.kind, inside(condition.size))
    return Condition(condition.kind, None, tuple(_condition(p, inside) for p in condition.parts))


def _text(node: Any, groups: dict[int, int] | None = None) -> str:
    """Everything that the code of a step depends on, as text."""
    groups = {} if groups is None else groups
    if node is None:
        return ""
    kind = type(node)
    if kind is tuple:
        return f"({','.join([_text(item, groups) for item in node])})"
    if kind is str:
        return str(node)
    match node:
        case Group() if id(node) in groups:
            return f"g{groups[id(node)]}"
        case Place() | Span():
            return ""
        case Column(space=space, storage=storage):
            return f"{space}/{storage}"
        case Size() | Condition() | bool() | int() | float():
            return repr(node) if isinstance(node, float) else str(node)
    if not is_dataclass(node):
        return repr(node)
    if isinstance(node, Group):
        groups[id(node)] = len(groups)
    column = _text(node.column) if isinstance(node, Scalar | Buffer | Known) else ""
    parts = ",".join([_text(getattr(node, name), groups) for name in names_of_fields(kind, APART)])
    return f"{kind.__name__}({column};{parts})"
