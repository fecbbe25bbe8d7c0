"""The ToL: a tensor of lists, stored by column.

One array holds one component of the lists, as Arrow stores tables, so that taking a component and putting components
together are free, and a ToL of capacity 1 is a NumPy array.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tolang.ground.reporting.diagnostics import ToLangError
from tolang.ground.reporting.faults import check_shape, fault, shape_text
from tolang.ground.system.memory import memory_fault, refuse_beyond_memory
from tolang.ground.values.arrays import to_numpy
from tolang.ground.values.casting import OBJECT_STORAGES, Array, cast, python_values
from tolang.ground.values.columns import Columns
from tolang.ground.values.membership import fit
from tolang.ground.values.parts import element, elements, part_of
from tolang.ground.values.printing import described, value_notation
from tolang.ground.values.reading import read
from tolang.ground.values.spaces import Column, dtype_of

if TYPE_CHECKING:
    import pandas
    import polars

__all__ = ["ToL", "allocate", "check_shape", "equal", "tol_of"]


def allocate(shape: Sequence[int], storage: str, what: str = "a ToL") -> Array:
    """An array of zeros (of empty text for S), or a ToLang error where no memory could ever hold it."""
    lengths = check_shape(shape, what)
    goal = dtype_of(storage)
    refuse_beyond_memory(lengths, goal.itemsize, what)
    try:
        if storage in OBJECT_STORAGES:
            return np.full(lengths, "" if storage == "text" else cast(np.asarray(0), storage)[()], dtype=object)
        return np.zeros(lengths, dtype=goal)
    except MemoryError as error:
        raise memory_fault(f"{what} of shape {shape_text(lengths)}") from error


class ToL(Columns):
    """A tensor of lists: arrays of one shape, one for each component, and what the checker knows of each.

    `value["age"]` is the component of that name, a NumPy array.  `value[0]`, `value[1:3]` and `value[mask]` are
    elements, counted as NumPy counts: one is a tuple, several are a ToL.  `len` and iteration go along the first
    dimension.
    `pandas.DataFrame(value)` and `polars.DataFrame(value)` are tables of the components.

    Values are never changed in place.  The arrays may be views of the caller's data; `contiguous` gives what an engine
    reads through pointers.
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  # values that compare by content and are large are no keys
    __array_priority__ = 1000

    @classmethod
    def of(cls, data: Any, columns: Sequence[Column] | None = None, name: str | None = None) -> ToL:
        """Data from outside as a ToL; with `columns` given, as `fit` binds it to a declaration.

        Takes NumPy arrays (plain or structured), Python's numbers and text, nested lists with tuples as list elements,
        tuples of arrays, Arrow arrays and tables, and whatever speaks DLPack, without a copy where layout permits.
        """
        value = tol_of(read(data, name))
        if columns is None:
            return value
        return fit(value, columns, name, rounding=isinstance(data, int | float | complex | list | tuple))

    def contiguous(self) -> ToL:
        """The same value with every array aligned and contiguous, copied only where it is not yet."""
        return ToL([np.require(one, requirements=["C", "A"]) for one in self.columns], self.spaces)

    def item(self) -> Any:
        """The one element as a Python value: a number, text, or for a list a tuple, whose names can be asked, too."""
        if self.columns[0].size != 1:
            raise fault("E510", f"a ToL of shape {shape_text(self.shape)} is not a single element")
        return element(self, list(self.columns))

    def to_list(self) -> Any:
        """Nested Python lists with tuples as list elements; a numeric is a Python value."""
        if self.dimension == 0:
            return self.item()
        plain = [python_values(one) for one in self.columns]
        if len(plain) == 1:
            return plain[0].tolist()
        paired = np.empty(self.shape, dtype=object)
        paired.reshape(-1)[:] = list(zip(*(one.reshape(-1).tolist() for one in plain), strict=True)) or None
        return paired.tolist()

    def to_numpy(self) -> Array:
        """The array itself for capacity 1, else a structured array with a field for each component."""
        return to_numpy(self)

    def to_arrow(self) -> Any:
        """An Arrow array for capacity 1, else an Arrow table; needs pyarrow."""
        from tolang.ground.values.arrow import to_arrow  # only where data of Arrow is asked for

        return to_arrow(self)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The value as any library of tables takes it, as in `polars.DataFrame(value)`; needs pyarrow."""
        from tolang.ground.values.arrow import stream  # only where data of Arrow is asked for

        return stream(self, requested_schema)

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame of pandas, one column for each component; needs pandas.

        As `pandas.DataFrame(value)`, but faster, and with the storage of each component.
        """
        from tolang.ground.values.frames import pandas_frame  # only where a frame is asked for

        return pandas_frame(self)

    def to_polars(self) -> polars.DataFrame:
        """A data frame of Polars, one column for each component; needs polars."""
        from tolang.ground.values.frames import polars_frame  # only where a frame is asked for

        return polars_frame(self)

    @property
    def __array__(self) -> Any:
        """What NumPy asks for an array of a ToL of capacity 1.

        Lists offer `__array_interface__` in its place: pandas takes what `__array__` gives for plain numbers, and
        without it goes through the elements and their names.
        """
        if len(self.columns) > 1:
            raise AttributeError("lists offer __array_interface__ to NumPy")
        return self._array

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """What NumPy asks for a structured array of lists; narrow floats, which it cannot name there, become f32."""
        if len(self.columns) == 1:
            raise AttributeError("a ToL of capacity 1 offers __array__ to NumPy")
        records = to_numpy(self, named_by_numpy=True)
        return {**records.__array_interface__, "data": records}

    def _array(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.to_numpy(), dtype=dtype, copy=copy)

    def __dlpack__(self, **options: Any) -> Any:
        return self._only_column().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._only_column().__dlpack_device__()

    def _only_column(self) -> Array:
        if len(self.columns) != 1 or self.spaces[0].storage in OBJECT_STORAGES:
            raise BufferError("DLPack carries a ToL of capacity 1 whose numbers are machine numbers, no other")
        return self.columns[0]

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a numeric has no length")
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        return part_of(self, key)

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError("a numeric is not iterable; value.item() is its element")
        return elements(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ToL):
            try:
                other = ToL.of(other)
            except ToLangError:
                return NotImplemented
        return equal(self, other)

    def __str__(self) -> str:
        return value_notation(self)

    def __repr__(self) -> str:
        return described(self)

    def _repr_html_(self) -> str:
        """The value as notebooks show it."""
        from tolang.ground.values.markup import value_markup  # only in notebooks

        return value_markup(self)


def tol_of(found: Columns) -> ToL:
    """Columns as a ToL, which they may be already."""
    return found if isinstance(found, ToL) else ToL.holding(found.held, found.spaces)


def equal(first: Any, second: Any, rtol: float = 0.0, atol: float = 0.0) -> bool:
    """Whether two values agree in shape, capacity and every element; NaN equals NaN, storages may differ.

    With a tolerance, numbers a and b agree if |a-b| <= atol + rtol*|b|, as in NumPy.
    """
    one = first if isinstance(first, ToL) else ToL.of(first)
    two = second if isinstance(second, ToL) else ToL.of(second)
    if one.shape != two.shape or one.capacity != two.capacity:
        return False
    with np.errstate(all="ignore"):
        return all(_equal_arrays(a, b, rtol, atol) for a, b in zip(one.columns, two.columns, strict=True))


def _equal_arrays(a: Array, b: Array, rtol: float, atol: float) -> bool:
    if a.dtype == object or b.dtype == object:
        a, b = python_values(a), python_values(b)
    same = np.asarray(a == b, dtype=bool) | np.asarray((a != a) & (b != b), dtype=bool)
    if same.all():
        return True
    if rtol == 0 and atol == 0:
        return False
    rest = ~same
    left, right = (np.asarray(one[rest]) for one in (a, b))
    if any(isinstance(value, str) for one in (left, right) if one.dtype == object for value in one):
        return False
    left, right = cast(left, "c128"), cast(right, "c128")
    return bool((np.isfinite(left) & np.isfinite(right) & (np.abs(left - right) <= atol + rtol * np.abs(right))).all())
