"""The core: what a checked ToLang program is.  The whole grammar is on this page.

Functions are gone except as named calls, ranks are plain numbers, coordinates are symbolic sizes in normal form, and
every expression knows its type.  What remains are the thirteen primitives, of which shape, dimension, capacity, volume
and space are decided while checking and leave only `Measure`; literals; `if`; the two constructors; and names.

    function    Apply (basic elementary functions), Random (rand), Call (a definition)
    part        Part (coordinates and ranges), Component (part')
    map         Map           reduce    Reduce
    convert     Convert       swap      Swap       reshape   Reshape       tile   Tile
    […]         Join          (…)       Embed, Bundle

A map's and a reduce's element is read by a `Part` at the iterators: `map(t, f)` is `Map(i, |t|, f(t[i]))`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from operator import attrgetter

from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass, field
from tolang.ground.fields import names_of_fields
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size

Constant = int | float | complex | bool | str | Fraction


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Expr:
    """Any expression: its type, and the source it came from."""

    type: Type
    span: Span | None = field(default=None, repr=False)

    def children(self) -> list[Expr]:
        """The expressions directly inside this one."""
        found: list[Expr] = []
        holding = _HOLDING.get(type(self))
        for get in _holding(type(self)) if holding is None else holding:
            value = get(self)
            if isinstance(value, Expr):
                found.append(value)
            elif value:
                _add_inside(value, found)
        return found


_HOLDING: dict[type, tuple[Callable[[Expr], object], ...]] = {}
"""How the fields of expressions are read that hold others, by their classes."""


def _holding(kind: type) -> tuple[Callable[[Expr], object], ...]:
    names = names_of_fields(kind, holding=("Expr", "Coordinate", "Range"))
    _HOLDING[kind] = found = tuple(map(attrgetter, names))
    return found


def _add_inside(value: object, found: list[Expr]) -> None:
    if isinstance(value, tuple):
        for item in value:
            if isinstance(item, Expr):
                found.append(item)
            else:
                _add_inside(item, found)
    elif isinstance(value, Coordinate | Range):
        found.extend(value.written)


@dataclass(frozen=True, slots=True, eq=False)
class Literal(Expr):
    """A constant; with a shape, a ToL filled with it."""

    value: Constant


@dataclass(frozen=True, slots=True, eq=False)
class Measure(Expr):
    """A size or an iterator used as a numeric."""

    size: Size


@dataclass(frozen=True, slots=True, eq=False)
class Variable(Expr):
    """A name bound by an input, a `Let`, a `Call` or a `Reduce`."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Apply(Expr):
    """A basic elementary function of numerics."""

    function: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Random(Expr):
    """`rand(limit)`: a pure function of the seed, the site (a path of call sites) and the coordinates around it."""

    limit: Expr
    site: int
    coordinates: tuple[Size, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Map(Expr):
    """The body at every coordinate; the result's shape is the extents followed by the body's own shape."""

    iterators: tuple[str, ...]
    extents: tuple[Size, ...]
    body: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Reduce(Expr):
    """A fold, first coordinate fastest.  `states` names the state's parts (one, unless it is a bundle) in `step`.

    `lengths` lists lengths of the state that change from step to step in a way only running tells:
    (name, part, axis), the name standing for that length inside `step`.
    """

    iterators: tuple[str, ...]
    extents: tuple[Size, ...]
    states: tuple[str, ...]
    initials: tuple[Expr, ...]
    state_types: tuple[Type, ...]
    step: Expr
    lengths: tuple[tuple[str, int, int], ...] = ()
    associative: bool = False


@dataclass(frozen=True, slots=True)
class Coordinate:
    """One coordinate.  `written` holds the expression as written where it reads data, so that its functions count."""

    index: Size
    written: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Range:
    """A stretch of one dimension: `length` coordinates from `start`."""

    start: Size
    length: Size
    written: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Part(Expr):
    """A member or sub-ToL: one item for every dimension of the subject."""

    subject: Expr
    items: tuple[Coordinate | Range, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Component(Expr):
    """Component `position` (from 1) of every list."""

    subject: Expr
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class Convert(Expr):
    """The subject in the spaces of this expression's type."""

    subject: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Swap(Expr):
    """The subject with one axis (from 0) rearranged by a vector of coordinates."""

    subject: Expr
    axis: int
    order: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Reshape(Expr):
    """The same elements, last coordinate fastest, in the shape of this expression's type."""

    subject: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Tile(Expr):
    """The last dimension moved into the list."""

    subject: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Join(Expr):
    """Parts of one rank, one after the other along an axis (from 0)."""

    parts: tuple[Expr, ...]
    axis: int


@dataclass(frozen=True, slots=True, eq=False)
class Embed(Expr):
    """Lists of the parts' components, for parts of one shape."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Bundle(Expr):
    """Several ToLs of different shapes; only as the step of a `Reduce`, or a branch or body that ends one."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class If(Expr):
    """One branch.  The condition is on sizes and iterators (`guard`), or on data (`written`, a numeric in B)."""

    guard: Condition | None
    written: tuple[Expr, ...]
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Let(Expr):
    """Names for a value inside the body: one, or one for each part of a bundle.

    `lengths` names lengths of the value that only running tells: (name, part, axis).
    """

    names: tuple[str, ...]
    value: Expr
    body: Expr
    lengths: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Require(Expr):
    """The body, after a condition on sizes was seen to hold; `message` says what is wrong otherwise."""

    condition: Condition
    message: str
    body: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Call(Expr):
    """A call of a definition: sizes and arguments are bound, each once, then the body is evaluated.

    Calls with equal static arguments, ranks and spaces share one body (the same object), whose only free names are
    these; `shared` tells so.  Other calls stand where they were written and see the names around them.
    """

    definition: str
    sizes: tuple[tuple[str, Size], ...]
    arguments: tuple[tuple[str, Expr], ...]
    body: Expr
    shared: bool = False
    derivative: Derivative | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Derivative:
    """How a call is differentiated, where its definition says so itself; nothing but gradients looks at it.

    The body gives, of values under names of its own and of the cotangents of the call's parts, the cotangent of each
    real one among the values, of several as a bundle.  It uses no other names but those of sizes and iterators.
    """

    values: tuple[tuple[str, Expr], ...]
    cotangents: tuple[tuple[str, Type], ...]
    body: Expr

    @property
    def bound(self) -> set[str]:
        return {name for name, _ in (*self.values, *self.cotangents)}


@dataclass(frozen=True, slots=True)
class Input:
    """A declared ToL that was never defined.  `checked` inputs have their values held against their spaces."""

    name: str
    type: Type
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """An exported value.  A bundle gives as many outputs of one name in a row, and `group` is their number."""

    name: str
    type: Type
    group: int = 0


@dataclass(frozen=True, slots=True)
class Core:
    """A checked program.  The body binds every definition and ends in a `Bundle` of the outputs' values.

    `definitions` tells which `Let` binds the value of which definition, by the first name that it binds, `auxiliary`
    which others were made on the way to it.  `bounds` has the least and greatest value, where known, of names that only
    running tells: lengths, and numerics used as lengths.  `blocks` are sizes that may be left out: how many steps the
    segments of folds have, each with the numbers of steps of these folds, of the greatest of which it is the root then.
    """

    sizes: tuple[str, ...]
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    body: Expr
    definitions: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    auxiliary: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    bounds: Mapping[str, tuple[Size | None, Size | None]] = field(default_factory=dict, compare=False, repr=False)
    blocks: Mapping[str, tuple[Size, ...]] = field(default_factory=dict, compare=False, repr=False)
