"""Programs in pieces, as `tol run --memory` and `tol explain --memory` have them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tolang.core.types import Type
    from tolang.program.program import Program

IN_PIECES = "Run in pieces that hold at most so much, such as 2GB: data and results may be larger than memory."


def run_in_pieces(program: Program, arguments: Sequence[str], output: Path | None, memory: str, seed: int) -> None:
    """Runs a program in pieces; a result for a `.npy` file is written there block by block."""
    from tolang.data import write_results
    from tolang.data.progress import report
    from tolang.data.results import named_results
    from tolang.faces.given import arguments_from, binding
    from tolang.faces.terminal import data_progress, note, show_results
    from tolang.program.piecewise import work_of

    wanted: dict[str, Type | None] = {**dict.fromkeys(program.sizes), **program.inputs}
    into = output if output is not None and output.suffix.lower() == ".npy" else None
    with data_progress():
        with binding():
            work = work_of(program, (), arguments_from(arguments, wanted, in_files=True))
        pieces = program.within(memory, into)
        found = pieces.run(work, seed, lambda done, total: report(f"running {program.source.name}", done, total))
        results = {} if into is not None else named_results(work.core.outputs, found)
        if output is not None and into is None:
            write_results(output, results)
    if output is None:
        show_results(results)
    else:
        note(f"{output}: {', '.join(program.outputs)}")
