"""Access: how an element of a buffer is addressed by iterators: strides, unit stride, contiguous dimensions.

    y[i,j] of [n,m]        is element (i-1)*m + (j-1) in memory: stride m in i, unit stride in j, contiguous over (i,j)

Memory is row-major, the last axis fastest.  An element's offset is affine in an iterator where the stride does not
depend on that iterator; a stride is a symbolic size, as the lengths of the buffer are.  A buffer in panels has a stride
only within a chunk of neighbours.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from tolang.ground.dataclasses import dataclass, field
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.plan.nest import Buffer, Load, Nest, Scalar

REMEMBERED = 16384
"""For how many buffers and indices the access is kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """A buffer at indices, which are sizes of iterators: a load, or the target of a nest."""

    buffer: Buffer
    indices: tuple[Size, ...]
    _strides: dict[str, Size | None] = field(default_factory=dict, repr=False)

    @property
    def offset(self) -> Size:
        """The number of elements before it in row-major order."""
        return flatten(self.indices, self.buffer.shape)

    def stride(self, iterator: str) -> Size | None:
        """How many elements further memory is at the next value of an iterator; None where the offset is not affine."""
        if iterator not in self._strides:
            find = self._row_major_stride if self.buffer.panels is None else self._stride_in_panels
            self._strides[iterator] = find(iterator)
        return self._strides[iterator]

    def _row_major_stride(self, iterator: str) -> Size | None:
        axes = self.axes_with({iterator})
        total, elements = ZERO, ONE
        for axis in range(len(self.indices) - 1, min(axes, default=len(self.indices)) - 1, -1):
            if axis in axes:
                split = self.indices[axis].split(iterator)
                if split is None:
                    return None
                total = total + split[0] * elements
            elements = elements * self.buffer.shape[axis]
        return total

    def _stride_in_panels(self, iterator: str) -> Size | None:
        """1 within a chunk, which is as far as neighbours lie together: vectors span no more."""
        panels = self.buffer.panels
        assert panels is not None
        split = self.indices[-panels.across - 1].split(iterator)
        return ONE if panels.chunk > 1 and split is not None and split[0].is_constant(1) else None

    def unit_stride(self, iterator: str) -> bool:
        """Whether neighbours along an iterator are neighbours in memory."""
        return self.stride(iterator) == ONE

    def invariant(self, iterator: str) -> bool:
        """Whether no index mentions an iterator."""
        return not self.axes_with({iterator})

    def step_of_last_axis(self, iterator: str) -> Size | None:
        """By how much an iterator changes the last index, if no other index mentions it; else None.

        Where that is 1, the stride is 1 whatever the lengths of the buffer are.
        """
        if not self.indices or any(axis < len(self.indices) - 1 for axis in self.axes_with({iterator})):
            return None
        split = self.indices[-1].split(iterator)
        return None if split is None else split[0]

    def affine(self, iterators: Collection[str]) -> bool:
        """Whether the offset is a sum of strides times iterators: no stride depends on another of them."""
        strides = [self.stride(iterator) for iterator in iterators]
        return all(stride is not None and stride.names().isdisjoint(iterators) for stride in strides)

    def contiguous(self, dimensions: Iterable[tuple[str, Size]], element: Size | None = ONE) -> bool:
        """Whether memory runs through dimensions in their order, the last fastest, with nothing between.

        An `element` is the stride of the last dimension: 1, or the length of rows that are taken whole.
        """
        for iterator, extent in reversed(tuple(dimensions)):
            if element is None or self.stride(iterator) != element:
                return False
            element = element * extent
        return True

    def runs_on(self, outer: str, inner: str, extent: Size) -> bool:
        """Whether two iterators count through memory as one: the outer steps where the inner, of an extent, ends."""
        stride, near = self.stride(outer), self.stride(inner)
        return stride is not None and near is not None and stride == near * extent

    def axes_with(self, iterators: Collection[str]) -> list[int]:
        """The axes whose index mentions one of some iterators."""
        return [axis for axis, index in enumerate(self.indices) if not index.names().isdisjoint(iterators)]

    def axes_of(self, iterators: Sequence[str]) -> tuple[int, ...] | None:
        """An axis for each of some iterators, in their order: its index is the iterator; no other index mentions any.

        None where they are not addressed so.
        """
        axes = self.axes_with(iterators)
        own = [self.indices[axis] for axis in axes]
        return tuple(axes) if own == [Size.of(iterator) for iterator in iterators] else None

    def fastest_first(self, iterators: Iterable[str]) -> list[str]:
        """Iterators by the axes that they move along, from the last axis on; those that move along none come last.

        Of iterators that share an axis the last is first.
        """
        order = list(iterators)[::-1]
        moving: dict[str, None] = {}
        for index in reversed(self.indices):
            steps = {iterator: index.split(iterator) for iterator in order}
            moving |= {name: None for name, split in steps.items() if split and split[0].constant not in (0, None)}
        return [*moving, *(iterator for iterator in order if iterator not in moving)]


@lru_cache(maxsize=REMEMBERED)
def access_to(buffer: Buffer, indices: tuple[Size, ...]) -> Access:
    """How a buffer is accessed at indices."""
    return Access(buffer, indices)


def access_of(load: Load) -> Access:
    """How a load accesses its buffer."""
    return access_to(load.buffer, load.indices)


def fills(nest: Nest, buffer: Buffer, at: tuple[Size, ...]) -> bool:
    """Whether a nest that writes a buffer at some indices writes all of it, each element at its own coordinates."""
    return at == tuple(map(Size.of, nest.iterators)) and buffer.shape == nest.extents


def filling(buffer: Buffer, iterators: Iterable[str], value: Scalar, origin: str) -> Nest:
    """The nest that writes a value to all of a buffer, each element at its own coordinates."""
    names = tuple(iterators)
    return Nest(names, buffer.shape, ((buffer, tuple(map(Size.of, names))),), (value,), origin)


def flatten(at: tuple[Size, ...], shape: tuple[Size, ...]) -> Size:
    """The position, from 0, of coordinates in a shape, in row-major order."""
    position = ZERO
    for index, length in zip(at, shape, strict=True):
        position = position * length + index - 1
    return position


def slope(size: Size, name: str) -> int | None:
    """The whole number by which a size grows with a name; None where it is no such number."""
    split = size.split(name)
    step = None if split is None else split[0].constant
    return step if isinstance(step, int) else None
