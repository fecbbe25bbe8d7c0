"""Room for walks over what nests.

A program may nest `DEEPEST` levels, through brackets, branches and calls.  Walks over trees, cores and nests call
themselves once a level and so need more calls inside one another than the thousand that Python allows by itself.  What
goes on longer without nesting (a chain of operators, of definitions) is walked by loops, or cut into parts with names.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, TypeVar, cast

DEEPEST = 600
"""How many levels a program may nest: brackets nest 200, and between two of them stand at most a sign and a choice."""

HIGHEST = 100
"""How many basic functions an expression of the core has inside one another; what would be higher gets names."""

_CALLS = 8000
"""How many calls of Python's a walk may take; their frames need about 4 MB of the stack of a thread at most."""

Work = TypeVar("Work", bound=Callable[..., Any])


class room_to_nest:
    """Inside, Python allows as many calls inside one another as a walk takes; outside, as many as before."""

    _lock = Lock()
    _walks = 0
    _before = 0

    def __enter__(self) -> None:
        own = room_to_nest
        with own._lock:
            if own._walks == 0:
                own._before = sys.getrecursionlimit()
                sys.setrecursionlimit(own._before + _CALLS)
            own._walks += 1

    def __exit__(self, *reason: object) -> None:
        own = room_to_nest
        with own._lock:
            own._walks -= 1
            if own._walks == 0:
                sys.setrecursionlimit(own._before)

    def __call__(self, work: Work) -> Work:
        @wraps(work)
        def with_room(*arguments: Any, **named: Any) -> Any:
            with room_to_nest():
                return work(*arguments, **named)

        return cast(Work, with_room)
