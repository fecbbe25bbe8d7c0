"""Models made one by one in processes of their own, which share what takes long to load."""

from __future__ import annotations

import multiprocessing
import os
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection

from benchmarks.models.catalogue import BY_NAME
from benchmarks.models.making import file_of, folder_of, place
from benchmarks.models.ways import Fetched, Model, Optimised, Quantised

LONGEST = 600.0
"""Seconds that a model may take to be made."""


class Maker:
    """Makes models in processes that are copies of one in which PyTorch and `transformers` are loaded."""

    def __init__(self) -> None:
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload(["torch", "transformers", "benchmarks.models.exporting"])

    def made(self, model: Model) -> str:
        """Makes a model's file where there is none; why it could not be made, or nothing."""
        if file_of(model).exists():
            return ""
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=make, args=(model, theirs))
        process.start()
        theirs.close()
        process.join(LONGEST)
        if process.is_alive():
            process.kill()
            process.join()
            return f"it took more than {LONGEST:.0f} s"
        try:
            return str(ours.recv())
        except EOFError:
            return f"the process ended with {process.exitcode}"


def made(models: Sequence[Model], maker: Maker) -> dict[str, str]:
    """Makes models that there are no files of, several at a time; why each could not be made, or nothing.

    Those that are fetched share wheels, and come one after the other.  Those that are made of others come after these.
    """
    found = {one.name: maker.made(one) for one in models if isinstance(one.way, Fetched)}
    derived = [one for one in models if isinstance(one.way, Optimised | Quantised)]
    bases = [BY_NAME[one.way.base] for one in derived if isinstance(one.way, Optimised | Quantised)]
    first = {one.name: one for one in (*models, *bases) if one not in derived and one.name not in found}
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for group in (list(first.values()), derived):
            found.update(zip((one.name for one in group), pool.map(maker.made, group), strict=True))
    return found


def make(model: Model, answer: Connection) -> None:
    """In a process of its own: makes a model, and answers with the reason where that fails."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    try:
        place(model, BY_NAME)
        answer.send("")
    except Exception as error:  # exporters raise all kinds of errors, and each is one line of the table
        (folder_of(model) / "making.txt").write_text(traceback.format_exc())
        first = next(iter(str(error).strip().splitlines()), "")
        answer.send(f"{type(error).__name__}: {first}"[:300])
