"""Types of the core: a shape of symbolic sizes and a list of columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.spaces import Column, join_columns


@dataclass(frozen=True, slots=True)
class Type:
    """A ToL's shape and type list.  `blank` marks zeros that take the type list of what they meet (`tol[n]`).

    A bundle, several ToLs held together as a fold's state or a function's result, has `parts` and nothing else.
    """

    shape: tuple[Size, ...]
    columns: tuple[Column, ...]
    blank: bool = False
    parts: tuple[Type, ...] = ()

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def capacity(self) -> int:
        return len(self.columns)

    @property
    def is_numeric(self) -> bool:
        return not self.shape and len(self.columns) == 1

    @property
    def column(self) -> Column:
        return self.columns[0]

    def with_shape(self, shape: tuple[Size, ...]) -> Type:
        return replace(self, shape=shape)

    def element(self) -> Type:
        return replace(self, shape=())

    def volume(self) -> Size:
        """The number of elements, each a list."""
        total = ONE
        for length in self.shape:
            total = total * length
        return total

    def substitute(self, values: Mapping[str, Size]) -> Type:
        return replace(
            self,
            shape=tuple(s.substitute(values) for s in self.shape),
            parts=tuple(p.substitute(values) for p in self.parts),
        )

    def __repr__(self) -> str:
        return f"<tolang.Type {self}>"

    def __str__(self) -> str:
        if self.parts:
            return f"({'; '.join(str(p) for p in self.parts)})"
        columns = ", ".join(str(c) for c in self.columns)
        plain = len(self.columns) == 1 and self.columns[0].name is None
        listed = columns if plain else f"[{columns}]"
        return f"{listed} [{', '.join(str(s) for s in self.shape)}]" if self.shape else listed


def bundle_type(parts: Iterable[Type]) -> Type:
    return Type((), (), parts=tuple(parts))


def join_type_lists(first: Type, second: Type) -> tuple[Column, ...] | None:
    """The columns that hold the lists of both types; None where capacities or spaces do not meet."""
    if first.blank and first.capacity != second.capacity:
        return second.columns
    if second.blank and first.capacity != second.capacity:
        return first.columns
    if first.capacity != second.capacity:
        return None
    joined = []
    for one, two in zip(first.columns, second.columns, strict=True):
        if first.blank and one.weak and two.space.family == "S":
            column: Column | None = two
        elif second.blank and two.weak and one.space.family == "S":
            column = one
        else:
            column = join_columns(one, two)
        if column is None:
            return None
        joined.append(column)
    return tuple(joined)
