"""Tensors of lists as columns: an array for each component, all of one shape, beside what the checker knows of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from tolang.ground.reporting.faults import fault, shape_text
from tolang.ground.values.casting import Array
from tolang.ground.values.spaces import Column, Space, storage_family, storage_of
from tolang.ground.values.texts import Codes


class Columns:
    """Arrays of one shape, one for each component of the lists, and the space of each.

    This is all that reading, checking and printing need; `ToL` is what people have in their hands.  What is `held` are
    the arrays, or codes in place of text: the arrays of such columns are made when they are first asked for.
    """

    __slots__ = ("columns", "held", "spaces")

    columns: tuple[Array, ...]
    held: tuple[Array | Codes, ...]
    spaces: tuple[Column, ...]

    def __init__(self, columns: Sequence[Array], spaces: Sequence[Column]) -> None:
        self.held = self.columns = tuple(columns)
        self.spaces = tuple(spaces)
        if len(self.columns) == len(self.spaces) == 1:
            return
        if not self.columns:
            raise fault("E504", "a list has at least one component")
        shapes = {one.shape for one in self.columns}
        if len(shapes) != 1:
            shown = ", ".join(shape_text(one.shape) for one in self.columns)
            raise fault("E510", f"the components of a ToL have different shapes: {shown}")
        if len(self.columns) != len(self.spaces):
            raise fault("E504", f"{len(self.columns)} components have {len(self.spaces)} spaces")

    @classmethod
    def holding(cls, held: Sequence[Array | Codes], spaces: Sequence[Column]) -> Self:
        """Columns of which some may be texts by their codes."""
        arrays: Any = held
        made = cls(arrays, spaces)
        if any(isinstance(one, Codes) for one in held):
            del made.columns
        return made

    if not TYPE_CHECKING:  # for whom every other name would be known, too

        def __getattr__(self, name: str) -> Any:
            """The arrays, where some of them are still to be made of codes."""
            if name != "columns":
                raise AttributeError(f"{type(self).__name__} has no {name}", name=name, obj=self)
            made = tuple(one.known_text() if isinstance(one, Codes) else one for one in self.held)
            self.columns = made
            return made

    @classmethod
    def list_of(cls, parts: Sequence[Columns]) -> Self:
        """The lists that take the components of several ToLs of one shape, in order: `(a,b)` in the language."""
        return cls.holding([a for part in parts for a in part.held], [s for part in parts for s in part.spaces])

    @property
    def shape(self) -> tuple[int, ...]:
        shape: tuple[int, ...] = self.held[0].shape
        return shape

    @property
    def dimension(self) -> int:
        return self.held[0].ndim

    @property
    def capacity(self) -> int:
        return len(self.held)

    @property
    def volume(self) -> int:
        """The number of numerics: elements times capacity."""
        return self.held[0].size * len(self.held)

    @property
    def names(self) -> tuple[str | None, ...]:
        return tuple(one.name for one in self.spaces)

    def component(self, position: int) -> Self:
        """One component of the lists, counted from 0."""
        return type(self).holding((self.held[position],), (self.spaces[position],))


def default_column(storage: str, name: str | None = None) -> Column:
    """The column of data that brings a storage and no declared space: i32 data is Z, f32 data is R."""
    return Column(Space(storage_family(storage)), storage, False, name)


def column_of_array(array: Array, name: str | None = None) -> Column | None:
    """The column of a machine array; None where its type is no storage, as for objects."""
    storage = storage_of(array.dtype)
    return None if storage is None else default_column(storage, name)
