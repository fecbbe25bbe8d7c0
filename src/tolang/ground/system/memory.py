"""Memory: how much can still be had, how much a run is allowed, and the error where that is not enough.

Systems give out addresses more freely than the memory behind them, and end a process that then needs it.  So whatever
takes much is held against what there is before it is taken: too much is an error of the program, with a position.
"""

from __future__ import annotations

import ctypes
import math
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tolang.ground.reporting.diagnostics import ToLangRunError
from tolang.ground.reporting.faults import check_shape, fault, shape_text
from tolang.ground.system.groups import folders_of, numbers_in

SURELY_THERE = 1 << 24
"""Bytes that are taken without asking."""
SPARED = 32
"""One part in so many of what there is, is left to others."""
UNLIMITED = 1 << 60
"""A limit from here on is none."""
_UNITS = (("PB", 10**15), ("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3))
_ALLOWED: list[int] = []


def bytes_text(count: int) -> str:
    """A number of bytes with a decimal unit, in three digits: an MB is a million bytes."""
    for unit, size in _UNITS:
        if count >= 0.9995 * size:
            number = count / size
            return f"{number:.0f} {unit}" if number >= 1000 else f"{number:.3g} {unit}"
    return f"{count} bytes"


@cache
def physical_memory() -> int:
    """The bytes of memory of this machine, or a large number where it does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 1 << 46


def most_memory() -> int:
    """The bytes of memory that this process could ever have: of the machine, or of the group of processes it is in."""
    return min(physical_memory(), *(most for _, most, _, _ in _groups()), UNLIMITED)


def resident_memory() -> int:
    """The bytes of memory that this process holds, or has held at the most where the system tells no more."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


class _Heap(ctypes.Structure):
    """What GNU's C library tells of its memory: in `fordblks`, bytes that it has of the system and nobody uses."""

    _fields_ = (
        ("of others", ctypes.c_size_t * 8),
        ("fordblks", ctypes.c_size_t),
        ("keepcost", ctypes.c_size_t),
    )


@cache
def _c_library() -> ctypes.CDLL | None:
    """The C library, where it is one that keeps what is freed and can be asked for it; None for others."""
    try:
        library = ctypes.CDLL(None)
        library.mallinfo2.restype = _Heap
        library.malloc_trim.argtypes = (ctypes.c_size_t,)
    except (OSError, TypeError, AttributeError):
        return None
    return library


class _Returning:
    """Gives freed memory back; to ask the C library how much there is takes it the time of a small task.

    So it is asked only where the process holds so much more than it did when it was asked last: what it may use again
    is not shared with other processes, which the system tells at once.
    """

    def __init__(self) -> None:
        self._used = 0

    def beyond(self, most: int) -> None:
        """Gives back what was freed where that is more than so many bytes."""
        library, own = _c_library(), _own_memory()
        if library is None or (own is not None and own <= self._used + most):
            self._used = self._used if own is None else min(self._used, own)
            return
        freed = library.mallinfo2().fordblks
        if freed > most:
            library.malloc_trim(0)
            own, freed = _own_memory(), 0  # what is given back is counted as free, too
        self._used = 0 if own is None else max(0, own - freed)


_RETURNING = _Returning()


def _own_memory() -> int | None:
    """The bytes that this process holds and shares with no file and no other process; None where nobody tells."""
    try:
        with open("/proc/self/statm", "rb") as file:
            _, resident, shared, *_ = file.read().split()
    except (OSError, ValueError):
        return None
    return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")


def return_memory(beyond: int) -> None:
    """Gives back to the system what was freed in this process, where that is more than so many bytes."""
    _RETURNING.beyond(beyond)


def available_memory() -> int:
    """The bytes that can still be had: of the machine, of the group of processes this one is in, of its addresses.

    A little is left to others, for what there is changes while it is taken.
    """
    there = min(_of_machine(), _of_groups(), _of_addresses())
    return max(0, there - there // SPARED)


def _of_machine() -> int:
    return _number("/proc/meminfo", "MemAvailable:", 1024) or physical_memory()


def _number(path: str | Path, before: str = "", unit: int = 1) -> int | None:
    """The number in a small file of the system, or the one behind a word in it; None where there is none."""
    words = numbers_in(path)
    try:
        return unit * int(words[words.index(before) + 1 if before else 0])
    except (ValueError, IndexError):
        return None


def _of_groups() -> int:
    """What the limits of control groups leave; pages of files that can be dropped count as free."""
    found = UNLIMITED
    for folder, most, usage, droppable in _groups():
        used = _number(folder / usage)
        if used is not None:
            found = min(found, most - used + (_number(folder / "memory.stat", droppable) or 0))
    return found


@cache
def _groups() -> tuple[tuple[Path, int, str, str], ...]:
    """The control groups that limit the memory of this process: folder, limit, and the names of two numbers there.

    They are how much is used, and how much of that can be dropped.
    """
    found: list[tuple[Path, int, str, str]] = []
    for folder, first_version in folders_of("memory"):
        limit, usage, droppable = (
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            if first_version
            else ("memory.max", "memory.current", "inactive_file")
        )
        most = _number(folder / limit)
        if most is not None and most < UNLIMITED:
            found.append((folder, most, usage, droppable))
    return tuple(found)


def _of_addresses() -> int:
    """What a limit on the addresses of this process leaves."""
    try:
        import resource
    except ImportError:  # not all systems have such limits
        return UNLIMITED
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    pages = None if most == resource.RLIM_INFINITY else _number("/proc/self/statm")
    return UNLIMITED if pages is None else most - pages * resource.getpagesize()


@contextmanager
def allowing(most: int | None) -> Iterator[None]:
    """A run inside may take so many bytes at a time, or as many as there are."""
    if most is None:
        yield
        return
    _ALLOWED.append(most)
    try:
        yield
    finally:
        _ALLOWED.remove(most)


def allowed_memory() -> int | None:
    """How many bytes a run may take at a time; None where that is not limited."""
    return min(_ALLOWED, default=None)


def memory_fault(
    what: str, asked: int | None = None, there: int | None = None, allowed: bool = False
) -> ToLangRunError:
    """The error of something for which there is not enough memory, or not enough is allowed."""
    left = None if there is None else bytes_text(max(0, there))
    room = f"at most {left}, which the run {'is allowed' if allowed else 'can have now'}"
    found, expected = None if asked is None else bytes_text(asked), None if left is None else room
    return fault("E508", f"there is not enough memory for {what}", found=found, expected=expected)


def refuse_beyond_memory(shape: Sequence[int], itemsize: int, what: str = "a ToL") -> None:
    """Raises an error for an array that cannot be had, before the system is asked for it."""
    size = math.prod(shape) * itemsize
    if size > SURELY_THERE and size > (there := available_memory()):
        check_shape(shape, what)
        raise memory_fault(f"{what} of shape {shape_text(shape)}", size, there)


def refuse_beyond_allowance(shape: Sequence[int], itemsize: int) -> None:
    """Raises an error for a ToL that is larger than all that a run may hold."""
    most = allowed_memory()
    if most is not None and (size := math.prod(check_shape(shape)) * itemsize) > most:
        raise memory_fault(f"a ToL of shape {shape_text(shape)}", size, most, allowed=True)
