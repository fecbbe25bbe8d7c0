"""Data to inputs: which argument is which input, and the size variables that the shapes of the data give."""

from __future__ import annotations

import keyword
import math
import operator
from collections.abc import Container, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Any

from tolang.core.core import Core, Expr, Input
from tolang.core.tidy import own_names
from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Diagnostic, ToLangRunError, ToLangUsageError, usage
from tolang.ground.reporting.escaping import shown
from tolang.ground.reporting.faults import shape_text
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.asking import called
from tolang.ground.values.reading import speaks_arrow
from tolang.ground.values.spaces import Column
from tolang.ground.values.values import ToL

NO_NAMES: Mapping[str, str] = MappingProxyType({})
"""Inputs and sizes are told by the names that they have."""


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A checked program with the data and the sizes it is to run on."""

    core: Core
    inputs: Mapping[str, ToL]
    sizes: Mapping[str, int]


def python_name(name: str) -> str:
    """A name of the program as Python can write it: `in` is a word of Python's own, so it is called `in_`."""
    return f"{name}_" if keyword.iskeyword(name) else name


def tolang_names(named: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by the program's own names, from those that Python could write."""
    return {n[:-1] if n.endswith("_") and keyword.iskeyword(n[:-1]) else n: value for n, value in named.items()}


def interface(inputs: Mapping[str, Type], sizes: Sequence[str]) -> str:
    """What a program wants, in one line: its inputs with their types, and sizes that no input's shape gives alone."""
    wanted = [f"{name}: {kind}" for name, kind in inputs.items()]
    alone = {str(length) for kind in inputs.values() for length in kind.shape}
    wanted += [f"{name} (a size)" for name in sizes if name not in alone]
    return "; ".join(wanted) or "no inputs"


def held(data: Any, name: str, kind: Type | None = None) -> Any:
    """Data as it is; a path stands for what its file holds, and a table for its columns, as the declaration wants."""
    if isinstance(data, PurePath):
        from tolang.data import read_data

        return read_data(Path(data), name, kind)
    if kind is None or not speaks_arrow(data):
        return data
    from tolang.ground.values.arrow import as_table

    table = as_table(data)
    if table is None:
        return data
    from tolang.data.arrow_tables import from_table

    return from_table(table, name, kind)


def spaces_of(given: Any, value: ToL, declared: Iterable[Input]) -> tuple[Column, ...]:
    """The columns that data is checked in: numbers of Python adapt to arrays, as literals do.

    So a program on arrays of f32 stays in f32 where a factor is given as 0.5; a number of NumPy has the type it has.
    Whole numbers do not adapt where an input is declared as machine integers, in which they would wrap around unseen.
    """
    own = value.spaces[0].space
    if type(given) not in (int, float, complex) or own.is_machine or own.family not in ("Z", "R", "I", "C"):
        return value.spaces
    beside = (column.space for one in declared for column in one.type.columns)
    if own.family == "Z" and any(one.is_machine and one.family == "Z" for one in beside):
        return value.spaces
    return tuple(replace(one, weak=True) for one in value.spaces)


def sort_arguments(
    inputs: Mapping[str, Type], sizes: Sequence[str], arguments: Sequence[Any], named: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, int]]:
    """Data by input name and sizes by name, from arguments by position and by name."""
    names = list(inputs)
    if len(arguments) > len(names):
        message = f"the program takes {len(names)} input{'' if len(names) == 1 else 's'}"
        raise usage("E603", message, found=f"{len(arguments)} by position", expected=interface(inputs, sizes))
    data = by_column(inputs, arguments, named) or dict(zip(names, arguments, strict=False))
    given: dict[str, int] = {}
    for name, value in named.items():
        if name in data:
            message = f"the input {name} is given twice, by position and by name"
            raise usage("E603", message, expected=interface(inputs, sizes))
        if name in inputs:
            data[name] = value
        elif name in sizes:
            given[name] = whole_size(name, value)
        else:
            from difflib import get_close_matches

            close = get_close_matches(name, [*names, *sizes], 1)
            fix = f"did you mean {close[0]}?" if close else None
            raise usage("E603", f"the program has no input {name}", expected=interface(inputs, sizes), fix=fix)
    missing = [name for name in names if name not in data]
    if missing:
        plural = "the inputs {} are" if len(missing) > 1 else "the input {} is"
        raise usage("E603", f"{plural.format(', '.join(missing))} missing", expected=interface(inputs, sizes))
    return data, given


def by_column(inputs: Mapping[str, Type], arguments: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """A table that is given alone as all inputs that are not given by name, each of which takes columns by name.

    Nothing where it is the only input, or where an input would take columns by position.
    """
    wanted = {name: kind for name, kind in inputs.items() if name not in named}
    if len(arguments) != 1 or len(wanted) < 2 or not speaks_arrow(arguments[0]):
        return {}
    from tolang.ground.values.arrow import as_table

    table, columns = as_table(arguments[0]), {name: _columns_named(name, kind) for name, kind in wanted.items()}
    if table is None or not all(columns.values()):
        return {}
    names = list(table.column_names)
    for name, labels in columns.items():
        missing = [one for one in labels if one not in names]
        if missing:
            raise _no_column(name, missing[0], names, wanted)
    return dict.fromkeys(wanted, table)


def _columns_named(name: str, kind: Type) -> list[str]:
    """The columns that an input takes of a table by name; none where it takes them by position."""
    if kind.capacity > 1:
        labels = [one.name for one in kind.columns if one.name is not None]
        return labels if len(labels) == kind.capacity else []
    return [kind.column.name or name] if kind.rank < 2 else []


def _no_column(name: str, label: str, names: list[str], wanted: Mapping[str, Type]) -> ToLangUsageError:
    """The error of an input that a table has no column for."""
    from tolang.data.contents import listed
    from tolang.data.tables import close_column

    message = f"the table has no column {label}"
    message += f", and the input {name} is not given otherwise" if label == name else f", which the input {name} needs"
    close = close_column(label, names)
    fix = f"did you mean {shown(close)}?" if close else f"pass it by name: {name}=…"
    return usage("E612", message, listed(names), interface(wanted, ()), fix)


def whole_size(name: str, value: Any) -> int:
    """A size as it was given: a whole number of at least 0, in whatever type holds one."""
    if isinstance(value, ToL) and not value.shape and value.capacity == 1:
        value = value.item()
    try:
        size = operator.index(value)
    except TypeError:
        size = -1
    if size < 0:
        shown = repr(value) if isinstance(value, int | float | str | tuple) else f"a {type(value).__name__}"
        raise usage("E605", f"the size {name} is not a length", found=shown, expected="a whole number of at least 0")
    return size


def whole_threads(threads: Any) -> int | None:
    """How many threads compiled code may run on: a whole number of at least 1, or None for as many as are set."""
    if threads is None:
        return None
    try:
        number = operator.index(threads)
    except TypeError:
        number = 0
    if number < 1 or isinstance(threads, bool):
        message = f"{called('threads', '--threads')} is not a number of threads"
        raise usage("E605", message, repr(threads), "a whole number of at least 1")
    return number


def whole_seed(seed: Any, inputs: Sequence[Input] = ()) -> int:
    """What `rand` starts from: any whole number.  An input called seed is told from it, for it cannot go by name."""
    try:
        return operator.index(seed)
    except TypeError:
        fix = "give the input called seed by position" if any(one.name == "seed" for one in inputs) else None
        expected = "a whole number, which rand starts from"
        raise usage("E605", "seed is not a seed", type(seed).__name__, expected, fix) from None


def restricted(core: Core, data: Container[str]) -> tuple[Core, list[Input]]:
    """The core with those inputs alone that there is data for, and the inputs it reads although there is none."""
    used = names_inside(core.body)
    kept = tuple(one for one in core.inputs if one.name in data)
    shapes = {name for one in kept for length in one.type.shape for name in length.names()}
    missing = [one for one in core.inputs if one.name not in data and one.name in used]
    return replace(core, inputs=kept, sizes=tuple(size for size in core.sizes if size in used | shapes)), missing


def names_inside(expr: Expr) -> set[str]:
    """Every name that an expression mentions, walked without recursion: programs nest deeply."""
    found: set[str] = set()
    seen: set[int] = set()
    pending = [expr]
    while pending:
        current = pending.pop()
        if id(current) not in seen:
            seen.add(id(current))
            found |= own_names(current)
            pending.extend(current.children())
    return found


def bind_sizes(
    program: Core,
    inputs: Mapping[str, ToL],
    given: Mapping[str, int],
    fix: str = "pass it by name: {}=…",
    told: Mapping[str, str] = NO_NAMES,
) -> dict[str, int]:
    """Every size variable, from the shapes of the inputs and from sizes given by name.

    `told` are the names of inputs and sizes in messages, where they are others than the program's.
    """
    binder = _Binder(program, inputs, given, told)
    binder.solve()
    binder.compare()
    sizes = with_blocks(program, binder.sizes)
    missing = [name for name in program.sizes if name not in sizes]
    if missing:
        name = missing[0]
        shown = told.get(name, name)
        raise usage("E517", f"the size {shown} is not given by the shape of any input", fix=fix.format(shown))
    return sizes


def with_blocks(program: Core, sizes: Mapping[str, int]) -> dict[str, int]:
    """Sizes, with the steps of segments of folds where they are left out."""
    left = {name: steps for name, steps in program.blocks.items() if name not in sizes}
    return {**sizes, **{name: _root(max(one.evaluate(sizes) for one in steps)) for name, steps in left.items()}}


def _root(steps: int) -> int:
    """How many steps a segment of a fold has, so that there are about as many segments."""
    return max(1, math.isqrt(max(0, steps - 1)) + 1)


def bind_shapes(
    program: Core,
    shapes: Mapping[str, tuple[int, ...]],
    given: Mapping[str, int],
    told: Mapping[str, str] = NO_NAMES,
) -> dict[str, int]:
    """The size variables that the shapes of some inputs give, beside those that are given by name."""
    shaped = replace(program, inputs=tuple(one for one in program.inputs if one.name in shapes))
    binder = _Binder(shaped, {name: Shaped(shape) for name, shape in shapes.items()}, given, told)
    binder.solve()
    binder.compare()
    return binder.sizes


@dataclass(frozen=True, slots=True)
class Shaped:
    """The shape of data that is not there."""

    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Axis:
    """One dimension of one input: its declared length and the length it has."""

    input: str
    position: int
    declared: Size
    actual: int

    @property
    def place(self) -> str:
        return f"dimension {self.position} of {self.input}"


class _Binder:
    """The sizes of one call, and where each came from."""

    def __init__(
        self, program: Core, inputs: Mapping[str, ToL | Shaped], given: Mapping[str, int], told: Mapping[str, str]
    ) -> None:
        self.known, self.told = frozenset(program.sizes), told
        self.sizes = dict(given)
        self.origin = dict.fromkeys(given, "as given")
        self.axes: list[_Axis] = []
        self.numerics: dict[str, ToL] = {}
        for one in program.inputs:
            value, shown = inputs[one.name], told.get(one.name, one.name)
            if len(value.shape) != one.type.rank:
                dimensions = f"{len(value.shape)} dimension{'' if len(value.shape) == 1 else 's'}"
                wanted = replace(one.type, columns=tuple(replace(column, weak=False) for column in one.type.columns))
                message = f"{shown} has {dimensions}, declared {'is' if one.type.rank == 1 else 'are'} {one.type.rank}"
                raise _fault(message, found=shape_text(value.shape), expected=str(wanted))
            if one.type.is_numeric and isinstance(value, ToL):
                self.numerics[one.name] = value
            for position, (declared, actual) in enumerate(zip(one.type.shape, value.shape, strict=True), 1):
                self.axes.append(_Axis(shown, position, declared, actual))

    def solve(self) -> None:
        """Finds sizes until no length tells a further one: `[n]` gives n, then `[n+m]` gives m."""
        waiting = self.axes
        while True:
            open_axes = [axis for axis in waiting if not self._solved(axis)]
            if len(open_axes) == len(waiting):
                return
            waiting = open_axes

    def _solved(self, axis: _Axis) -> bool:
        """Whether nothing is left to learn from a length; one that is affine in one unknown size gives that size."""
        unknown = [name for name in axis.declared.names() if name not in self.sizes and name in self.known]
        if not unknown:
            return True
        if len(unknown) > 1:
            return False
        name = unknown[0]
        known = {other: Size.of(value) for other, value in self.sizes.items()}
        known |= {n: Size.of(int(v.item())) for n, v in self.numerics.items() if n in axis.declared.names()}
        split = axis.declared.substitute(known).split(name)
        if split is None or split[0].constant is None or split[1].constant is None or split[0].constant == 0:
            return False
        value = Fraction(axis.actual - split[1].constant) / split[0].constant
        if value.denominator != 1 or value < 0:
            expected = f"a length that some whole {self.told.get(name, name)} gives"
            raise _fault(self._other_length(axis), found=str(axis.actual), expected=expected)
        self.sizes[name], self.origin[name] = int(value), f"from {axis.place}"
        return True

    def compare(self) -> None:
        """Holds every length against its declaration."""
        for axis in self.axes:
            names = axis.declared.names()
            values = {name: self.sizes[name] for name in names if name in self.sizes}
            values |= {name: int(self.numerics[name].item()) for name in names if name in self.numerics}
            if len(values) < len(names):
                continue
            wanted = axis.declared.evaluate(values)
            if wanted != axis.actual:
                shown = {name: f"{self.told.get(name, name)} = {values[name]}" for name in sorted(values)}
                reasons = [f"{text} {self.origin.get(name, '')}".strip() for name, text in shown.items()]
                reason = f" ({', '.join(reasons)})" if reasons else ""
                raise _fault(self._other_length(axis), found=str(axis.actual), expected=f"{wanted}{reason}")

    def _other_length(self, axis: _Axis) -> str:
        declared = axis.declared.substitute({name: Size.of(shown) for name, shown in self.told.items()})
        return f"{axis.place} has length {axis.actual}, declared is {declared}"


def _fault(message: str, found: str, expected: str) -> ToLangRunError:
    return ToLangRunError(Diagnostic("E516", message, found=found, expected=expected))
