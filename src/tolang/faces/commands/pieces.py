"""Programs in pieces, as `tol run --memory` and `tol explain --memory` have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from logging import ERROR
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tolang.ground.dataclasses import dataclass

if TYPE_CHECKING:
    from tolang.core.types import Type
    from tolang.engines.contract import InPieces
    from tolang.program.program import Program

SOON = 10
"""Seconds within which a cluster is to answer."""
IN_PIECES = "Run in pieces that hold at most so much, such as 2GB: data and results may be larger than memory."


def run_in_pieces(
    program: Program, arguments: Sequence[str], output: Path | None, where: PiecesPlace, seed: int
) -> None:
    """Runs a program in pieces; a result for a `.npy` file is written there block by block."""
    from tolang.data import write_results
    from tolang.data.results import named_results
    from tolang.faces.given import arguments_from, binding
    from tolang.faces.terminal import data_progress, note, progress, show_results
    from tolang.ground.reporting.progress import PieceProgress

    wanted: dict[str, Type | None] = {**dict.fromkeys(program.sizes), **program.inputs}
    into = output if output is not None and output.suffix.lower() in (".npy", ".zarr") else None
    told = PieceProgress(f"running {program.source.name}")
    with where.pieces(program, into) as pieces:
        with data_progress(), binding():
            work = pieces.work((), arguments_from(arguments, wanted, in_files=True))
        with progress(told):
            found = pieces.run(work, seed, told)
        results = {} if into is not None else named_results(work.outputs, work.decoded(found))
        if output is not None and into is None:
            with data_progress():
                write_results(output, results)
    if output is None:
        show_results(results)
    else:
        note(f"{output}: {', '.join(program.outputs)}")


@dataclass(frozen=True, slots=True)
class PiecesPlace:
    """Where pieces run: in this process within some memory, on workers started for it, or on a cluster."""

    memory: str | None
    workers: int
    cluster: str | None

    @property
    def is_here(self) -> bool:
        """Whether nothing is asked for: a program runs in one piece."""
        return self.memory is None and not self.workers and self.cluster is None

    @contextmanager
    def pieces(self, program: Program, into: Path | None) -> Iterator[InPieces]:
        """The program as it runs there."""
        from tolang.ground.reporting.quantities import bytes_from

        if not self.workers and self.cluster is None:
            yield program.within(bytes_from(self.memory or "0", "--memory"), into)
            return
        with _imported(), self._client() as client:
            yield program.on(client, into)

    @contextmanager
    def _client(self) -> Iterator[Any]:
        """A client of the cluster; one that is started for it ends with it."""
        from distributed import Client

        from tolang.engines import registry
        from tolang.faces.terminal import note
        from tolang.ground.reporting.diagnostics import usage
        from tolang.ground.reporting.quantities import bytes_from

        if self.cluster is not None:
            try:
                client = Client(self.cluster, timeout=SOON)
            except (OSError, ValueError) as error:
                raise usage("E617", f"there is no cluster at {self.cluster}: {error}") from None
            with client:
                yield client
            return
        limit = None if self.memory is None else bytes_from(self.memory, "--memory")
        with registry.distribution().local_workers(self.workers, limit, ERROR) as client:
            note(f"workers: {self.workers}, dashboard: {client.dashboard_link}")
            yield client


@contextmanager
def _imported() -> Iterator[None]:
    """Tells where Dask is not installed."""
    from tolang.ground.reporting.diagnostics import usage

    if find_spec("distributed") is None:
        raise usage("E613", "workers need the package distributed", fix="pip install 'tolang[dask]'")
    yield


def explain_pieces(program: Program, sizes: Sequence[str], memory: str | None, workers: int) -> str:
    """How a program is cut at sizes that are given as text."""
    from tolang.engines import registry
    from tolang.faces.given import arguments_from
    from tolang.ground.reporting.quantities import bytes_from

    given = arguments_from(sizes, dict.fromkeys(program.sizes))
    limit = None if memory is None else bytes_from(memory, "--memory")
    return registry.distribution().explained(program, given, limit, workers)
