"""Inputs to try a model with: what each holds, and its shape, in which lengths that may change have names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tolang.ground.dataclasses import dataclass

Shape = tuple[int | str, ...]
Sizes = Mapping[str, int]
"""Lengths by their names."""


@dataclass(frozen=True, slots=True)
class Input:
    """One input: normally distributed numbers, whole numbers from `least` to below `limit`, or text of some words."""

    shape: Shape
    limit: int | None = None
    least: int = 0
    kind: str = "float32"
    words: tuple[str, ...] = ()

    def drawn(self, sizes: Sizes, generator: np.random.Generator) -> np.ndarray[Any, Any]:
        """An array for these lengths."""
        shape = tuple(sizes[one] if isinstance(one, str) else one for one in self.shape)
        if self.words:
            chosen = generator.choice(np.array(self.words, dtype=object), (*shape, 6))
            return np.array([" ".join(row) for row in chosen.reshape(-1, 6)], dtype=str).reshape(shape)
        if self.limit is None:
            return generator.standard_normal(shape).astype(self.kind)
        return np.asarray(generator.integers(self.least, self.limit, shape)).astype(self.kind)

    @property
    def axes(self) -> dict[int, str]:
        """The names of lengths that may change, by axis."""
        return {axis: one for axis, one in enumerate(self.shape) if isinstance(one, str)}


Inputs = Mapping[str, Input]


def numbers(*shape: int | str) -> Input:
    """Normally distributed numbers."""
    return Input(shape)


def words(limit: int, *shape: int | str, least: int = 0) -> Input:
    """Whole numbers below a limit, such as the words of a text."""
    return Input(shape, limit, least, "int64")


def ones(*shape: int | str) -> Input:
    """A mask that hides nothing."""
    return Input(shape, 2, 1, "int64")


def flags(*shape: int | str) -> Input:
    """Truth values, all of them true."""
    return Input(shape, 2, 1, "bool")
