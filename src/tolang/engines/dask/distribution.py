"""Programs in pieces as the rest of the package has them, by the engine contract."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from tolang.engines.contract import Distribution, InPieces, Keep, Owner
from tolang.ground.reporting.progress import Progress


class DaskDistribution(Distribution):
    """Pieces one after the other in this process, or side by side on the workers of a Dask cluster."""

    def within(self, program: Owner, memory: int | None, into: Path | None, progress: Progress) -> InPieces:
        from tolang.engines.dask.piecewise import Piecewise

        return Piecewise(program, memory, into, progress)

    def on(self, program: Owner, client: Any, into: Path | None, keep: Keep, progress: Progress) -> InPieces:
        from tolang.engines.dask.clusters import OnCluster

        return OnCluster(program, client, into, keep, progress)

    def explained(self, program: Owner, given: Mapping[str, Any], memory: int | None, workers: int) -> str:
        from tolang.engines.dask.piecewise import explained

        return explained(program, given, memory, workers)

    def local_workers(self, number: int, memory: int | None, level: int) -> AbstractContextManager[Any]:
        from tolang.engines.dask.cluster import local_workers

        return local_workers(number, memory, level)


DISTRIBUTION = DaskDistribution()
