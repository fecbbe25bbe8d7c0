"""Where sorted runs are to be cut so that ranges of their common order are about as long as each other.

A range ends behind an element: behind its key, among equal keys behind its run, in its run behind its place.  So there
is one order, in which nothing is equal, and no number of equal keys makes a range long.  Which elements ends may be is
known of samples; where others belong between two of their run's samples, their keys tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from tolang.engines.dask.requests import RegionSource
from tolang.ground.values.casting import Array
from tolang.plan.regions import Interval

Place = tuple[Any, int, int]
"""A key, the run it is of, and how many elements of that run come up to it."""


class Runs:
    """Runs that lie one after the other in an array of keys, with every so many of their keys."""

    def __init__(
        self, keys: RegionSource, ends: Sequence[int], samples: Sequence[Array], every: int, descending: bool
    ) -> None:
        self.keys, self.ends, self.every, self.descending = keys, list(ends), every, descending
        self.starts = [0, *self.ends[:-1]]
        self.samples = [self._ascending(one) for one in samples]

    def _ascending(self, keys: Array) -> Array:
        """Keys so that those that come first are the least; what is no number is the greatest."""
        if not self.descending:
            return keys
        return -keys if keys.dtype.kind == "f" else ~keys

    def split(self, ranges: int) -> Iterator[list[Interval]]:
        """For each of about so many ranges of the order, where it is in every run, as an interval of the array."""
        cuts = [self.starts, *(self._cut(place) for place in self._places(ranges)), self.ends]
        for before, behind in pairwise(cuts):
            yield [(low + 1, high) for low, high in zip(before, behind, strict=True)]

    def _places(self, ranges: int) -> list[Place]:
        """The elements behind which ranges end."""
        keys = np.concatenate(self.samples)
        runs = np.concatenate([np.full(len(one), k) for k, one in enumerate(self.samples)])
        numbers = np.concatenate([np.arange(1, len(one) + 1) * self.every for one in self.samples])
        order = np.argsort(keys, kind="stable")  # samples of one run are in order already
        chosen = sorted({len(order) * k // ranges for k in range(1, ranges)} - {0})
        return [(keys[at], int(runs[at]), int(numbers[at])) for at in order[[k - 1 for k in chosen]]] if chosen else []

    def _cut(self, place: Place) -> list[int]:
        """Behind how many elements of the array a range ends in each run."""
        key, run, number = place
        found = []
        for k, (start, end) in enumerate(zip(self.starts, self.ends, strict=True)):
            if k == run:
                found.append(start + number)
                continue
            side: Literal["left", "right"] = "right" if k < run else "left"
            block = int(np.searchsorted(self.samples[k], key, side))
            low, high = start + block * self.every, min(end, start + (block + 1) * self.every)
            keys = self._ascending(np.asarray(self.keys.read([(low + 1, high)]))) if high > low else np.empty(0)
            found.append(low + int(np.searchsorted(keys, key, side)))
        return found
