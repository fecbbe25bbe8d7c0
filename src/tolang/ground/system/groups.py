"""Control groups of Linux: what a container, or a service, may use of the machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

GROUPS, MEMBERSHIP = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
"""Where control groups tell their limits, and a process tells its groups."""


def folders_of(controller: str) -> Iterator[tuple[Path, bool]]:
    """The folders of the groups that this process is in, as a controller has them, and whether they are of the first
    version of control groups; those around them too."""
    try:
        lines = MEMBERSHIP.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = (*line.split(":", 2), "", "")[:3]
        if controllers and controller not in controllers.split(","):
            continue
        base = GROUPS / controller if controllers else GROUPS
        own = PurePosixPath(path.lstrip("/"))
        for one in (own, *own.parents):
            yield base / one, bool(controllers)


def numbers_in(path: str | Path) -> list[str]:
    """The words of a small file of the system; none where it cannot be read."""
    try:
        return Path(path).read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return []
