"""A placed program in words: a line for each stage, then what it takes together."""

from __future__ import annotations

from collections.abc import Iterator

from tolang.engines.dask.placement import Cut, Placed, name_of
from tolang.ground.memory import bytes_text


def told(placed: Placed, memory: int | None = None, workers: int = 0) -> str:
    """The grid, the tasks, the bytes moved and held, and what is not cut, as readable text."""
    lines = [f"{number}. {name_of(cut)}: {_how(cut)}" for number, cut in enumerate(placed.cuts, 1)]
    tasks, moved = (sum(getattr(cut, what) for cut in placed.cuts) for what in ("tasks", "moved"))
    where = f"on {_count(workers, 'worker')}" if workers else "one after the other"
    lines.append(f"{_count(tasks, 'task')} {where}, {bytes_text(moved)} moved")
    limit = "" if memory is None else f", of {bytes_text(memory)} allowed"
    lines.append(f"a process holds {bytes_text(placed.peak)} at the most{limit}")
    return "\n".join(lines) + "\n"


def _how(cut: Cut) -> str:
    if cut.stage.reason:
        how = f"whole, one task: {cut.stage.reason}"
    else:
        parts = [f"{step} of {length}" for step, length in zip(cut.steps, cut.lengths, strict=True)]
        how = f"{_count(cut.tasks, 'task')} of {' x '.join(parts)}"
    whole = list(_read_whole(cut)) if cut.tasks > 1 else []
    also = f", each reads all of {', '.join(whole)}" if whole else ""
    return f"{how}{also}; a task holds {bytes_text(cut.bytes)}, all move {bytes_text(cut.moved)}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _read_whole(cut: Cut) -> Iterator[str]:
    """The arrays of which every piece reads all."""
    for buffer in cut.piece.reads:
        if buffer.shape and all(one is None for one in cut.piece.shapes[buffer.name]):
            yield buffer.name.rpartition(".")[0]
