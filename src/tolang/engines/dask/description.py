"""A placed program in words: a line for each stage, then what it takes together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tolang.engines.dask.grids import Cut
from tolang.engines.dask.multipass import APPEND, GATHER, GROUP, SCAN, SEARCH, SORT, Waves
from tolang.engines.dask.parts import Driven, Part, PlacedProgram, name_of, plain_name
from tolang.engines.dask.stages import LEAVES, lengths_told
from tolang.ground.system.memory import bytes_text

WAVES = {
    LEAVES: "in pieces with places of their own, joined in order",
    SCAN: "in stretches, each from what comes before it",
    SORT: "in sorted runs, then merged range by range",
    GATHER: "where elements are that data tell, then what is computed of these",
    SEARCH: "how many keys of one portion after the other come before each item, then what is computed of these",
    GROUP: "in pieces that group rows of their own, whose groups are grouped once more",
    APPEND: "what stretches keep is counted, then put behind each other",
}
"""How a step goes in waves."""


def told(placed: PlacedProgram, memory: int | None = None, workers: int = 0) -> str:
    """The grid, the tasks, the bytes moved and held, and what is not cut, as readable text."""
    lines = list(_lines(placed.cuts, ""))
    tasks, moved = (sum(getattr(cut, what) for cut in placed.cuts) for what in ("tasks", "moved"))
    where = f"on {_count(workers, 'worker')}" if workers else "one after the other"
    bound = "at most " if any(_may_stop(cut) for cut in placed.cuts) else ""
    lines.append(f"{bound}{_count(tasks, 'task')} {where}, {bytes_text(moved)} moved")
    if not placed.is_all:
        names = lengths_told(placed.plan, placed.until).union(placed.groups_told)
        told_later = ", ".join(sorted({plain_name(name) for name in names}))
        lines.append(f"what follows is planned once lengths are known that these tell: {told_later}")
    if placed.near:
        lines.append("large values are in memory that the workers share")
    elif placed.kept:
        lines.append("values between stages stay with the workers")
    limit = "" if memory is None else f", of {bytes_text(memory)} allowed"
    lines.append(f"a process holds {bytes_text(placed.peak)} at the most{limit}")
    return "\n".join(lines) + "\n"


def _lines(parts: Iterable[Part], before: str) -> Iterator[str]:
    """A line for each stage, after the one of a repetition those of a turn."""
    for number, part in enumerate(parts, 1):
        if isinstance(part, Driven):
            moved = bytes_text(part.moved // max(1, part.turns))
            yield f"{before}{number}. {name_of(part)}: {_turns(part)}, each moves {moved}"
            yield from _lines(part.parts, f"{before}{number}.")
        elif isinstance(part, Waves):
            yield f"{before}{number}. {name_of(part)}: {WAVES[part.kind]}"
            yield from (f"{before}{number}.{wave} {_how(cut)}" for wave, cut in enumerate(part.cuts, 1))
        else:
            yield f"{before}{number}. {name_of(part)}: {_how(part)}"


def _turns(driven: Driven) -> str:
    if driven.in_stretches:
        return "in stretches of its steps, one after the other"
    most = "at most " if driven.repetition.is_final else ""
    end = ", as long as data ask for them" if driven.repetition.test is not None else ""
    leap = f", {driven.leap} together" if driven.leaping else ""
    among = ", among workers" if driven.among_workers else ""
    return f"{most}{_count(driven.turns, 'turn')}{leap}{end}{among}"


def _may_stop(part: Part) -> bool:
    inside = isinstance(part, Driven) and any(_may_stop(cut) for cut in part.cuts)
    return isinstance(part, Driven) and (part.repetition.test is not None or inside)


def _how(cut: Cut) -> str:
    if cut.stage.reason:
        how = f"whole, one task: {cut.stage.reason}"
    else:
        least = "at most " if cut.ends else ""
        parts = [f"{least}{min(step, length)} of {length}" for step, length in zip(cut.steps, cut.lengths, strict=True)]
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
