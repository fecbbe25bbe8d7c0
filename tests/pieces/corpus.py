"""Runs every example and test program that has inputs in pieces of two coordinates, turn by turn, and compares bits.

    python -m tests.pieces.corpus [FOLDER …]

Prints what differs, then how many runs were the same, cut or in one task, and how many were refused.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from tests.programs import runs_of

import tolang
from tolang.engines.dask import grids
from tolang.engines.dask.blocks import piece_for
from tolang.engines.dask.budgets import Room
from tolang.engines.dask.grids import Cut, Sharing
from tolang.engines.dask.parts import all_cuts
from tolang.engines.dask.piecewise import Piecewise
from tolang.engines.dask.stages import PlanStage
from tolang.engines.dask.work import work_of
from tolang.plan.nest import Plan

FOLDERS = ("examples", "tests/language", "tests/library")


def cut_into_twos(
    plan: Plan, stage: PlanStage, strict: bool, known: dict[str, int], room: int | None, sharing: Sharing
) -> Cut:  # fmt: skip
    """Stages in pieces of two coordinates of every axis, or of two units of a fold."""
    piece = piece_for(plan, stage)
    lengths = tuple(max(0, int(extent.evaluate(known))) for _, _, extent in piece.axes)
    units = tuple(grids.unit_of(stage, plan, strict, known) for _ in lengths)
    parts = tuple(max(1, length // (2 * unit)) for length, unit in zip(lengths, units, strict=True))
    return grids.measured(stage, piece, lengths, units, parts, known, 1.0)


def bits(value: Any) -> Any:
    match value:
        case dict():
            return {name: bits(one) for name, one in value.items()}
        case tuple():
            return tuple(bits(one) for one in value)
        case tolang.ToL():
            return value.shape, tuple(np.asarray(column).tobytes() for column in value.columns)
    return np.asarray(value).shape, np.asarray(value).tobytes()


def compare(program: tolang.Program, given: dict[str, Any]) -> str:
    """How a run in pieces went beside an ordinary one."""
    try:
        expected = bits(program(**given))
    except tolang.ToLangError:
        return "wrong in one piece, too"
    try:
        pieces = Piecewise(program, 1 << 44)
        tasks = max((cut.tasks for cut in all_cuts(pieces.placed(work_of(program, (), given)).cuts)), default=1)
        found = bits(pieces(**given))
    except tolang.ToLangError as error:
        return f"refused, {error.code}"
    return ("same, cut" if tasks > 1 else "same, one task") if found == expected else "DIFFERENT"


def main(folders: list[str]) -> int:
    """The number of runs whose bits differ."""
    Room.of_a_task = lambda room, kept=0: 0  # type: ignore[assignment]  # turns are driven wherever they can be
    grids.cut = cut_into_twos  # type: ignore[assignment]  # of a dictionary, not of any mapping
    counts: Counter[str] = Counter()
    for path in sorted(file for folder in folders or FOLDERS for file in Path(folder).rglob("*.tol")):
        for strict in (False, True):
            try:
                program = tolang.compile(path, strict=strict)
                runs = runs_of(path.read_text("utf-8"))
            except tolang.ToLangError:
                continue
            for run in runs if program.outputs else ():
                outcome = compare(program, run.inputs)
                counts[outcome] += 1
                if outcome == "DIFFERENT":
                    print(f"{path}: differs in pieces{', strict' if strict else ''}, with {run.inputs}")
    print(*(f"{outcome}: {count}" for outcome, count in sorted(counts.items())), sep="\n")
    return counts["DIFFERENT"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
