"""How many processors this process may use: those of the machine that it is let run on, or a share of their time."""

from __future__ import annotations

import math
import os

from tolang.ground.system.groups import folders_of, numbers_in


def available_processors() -> int:
    """As many threads as can run at once; a container's share of time is rounded up."""
    among = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([among, *_shares()]))


def _shares() -> list[int]:
    """The processors that the limits of control groups on time come to."""
    found = []
    for folder, first_version in folders_of("cpu"):
        if first_version:
            words = [*numbers_in(folder / "cpu.cfs_quota_us")[:1], *numbers_in(folder / "cpu.cfs_period_us")[:1]]
        else:
            words = numbers_in(folder / "cpu.max")
        if len(words) == 2 and all(word.isascii() and word.isdigit() and int(word) > 0 for word in words):
            found.append(math.ceil(int(words[0]) / int(words[1])))
    return found
