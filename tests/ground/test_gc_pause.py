"""The collector rests while many objects are made: they are not gone through at once afterwards, nor left for ever."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from weakref import ref

import pytest

from tolang.ground.system import gc_pause
from tolang.ground.system.gc_pause import collector_paused


class Circle:
    """An object that only the collector finds out nobody has."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(scope="module")
def nothing_left() -> None:
    """What tests before have left would take long to go through, and once is enough."""
    gc.collect()


@pytest.fixture(autouse=True)
def nothing_made(nothing_left: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(gc_pause, "_MADE", [0])
    assert gc.isenabled()
    yield
    assert gc.isenabled()


def test_what_was_made_in_a_pause_is_old_afterwards() -> None:
    with collector_paused():
        assert not gc.isenabled()
        made = ref(Circle())
        many = [[] for _ in range(5000)]  # type: list[list[int]]
    gc.collect(1)
    assert made() is not None
    assert gc.get_count()[0] < len(many)
    gc.collect()
    assert made() is None


@pytest.mark.parametrize("quarter", [1000, 10**9])
def test_garbage_of_many_pauses_is_found_when_another_begins(monkeypatch: pytest.MonkeyPatch, quarter: int) -> None:
    """But only where it may be a quarter of all there is."""
    monkeypatch.setattr(gc_pause, "_ALLOWED", [1000])
    monkeypatch.setattr(gc_pause, "_a_quarter", lambda: quarter)
    with collector_paused():
        made = [ref(Circle()) for _ in range(2000)]
    with collector_paused():
        assert all((one() is None) == (quarter == 1000) for one in made)


def test_a_collector_that_others_have_stopped_stays_so() -> None:
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_objects_that_others_have_frozen_stay_so() -> None:
    gc.freeze()
    try:
        count = gc.get_freeze_count()
        with collector_paused():
            pass
        assert gc.get_freeze_count() >= count - 100  # some may be gone, as any other object
    finally:
        gc.unfreeze()
