"""Work that makes many objects and no garbage goes faster while nobody looks for garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MOST = 1_000_000
"""How many objects are made in pauses of the collector, at the least, before it goes through all that there are."""

OWN_OF_PYTHON = 5000
"""Fewer objects than these are frozen by Python itself, as those of 3.12 that live for ever."""

_MADE, _ALLOWED = [0], [MOST]
"""How many were made since it went through all, and how many may be: a quarter of all, as Python itself has it."""


@contextmanager
def collector_paused() -> Iterator[None]:
    """Inside, Python's collector of cyclic garbage does not run by itself.

    What was made inside counts as old then, so that the next collection does not go through all of it, which would be
    before the first result.  It is looked through when a pause begins after many objects were made in others.
    """
    was_running = gc.isenabled()
    if was_running and _MADE[0] > _ALLOWED[0]:
        _ALLOWED[0] = _a_quarter()
        if _MADE[0] > _ALLOWED[0]:
            gc.collect()
            _MADE[0] = 0
    gc.disable()
    try:
        yield
    finally:
        if was_running:
            _let_grow_old()
            gc.enable()


def _a_quarter() -> int:
    return max(MOST, len(gc.get_objects()) // 4)


def _let_grow_old() -> None:
    """Puts all objects into the oldest generation, where those are put that were frozen, unless others froze some."""
    if gc.get_freeze_count() < OWN_OF_PYTHON:
        _MADE[0] += gc.get_count()[0]
        gc.freeze()
        gc.unfreeze()
