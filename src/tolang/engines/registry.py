"""The registry of engines: each by its name, imported when it is first asked for."""

from __future__ import annotations

from importlib import import_module

from tolang.engines.contract import Distribution, Engine, StoredProgram
from tolang.store.programs import admit

_HOMES = {"cpu": "tolang.engines.cpu.cpu_engine"}
"""The modules of engines by their names; each has its `ENGINE`."""
_DISTRIBUTION = "tolang.engines.dask.distribution"
_ENGINES: dict[str, Engine] = {}
DEFAULT = "cpu"


def names() -> tuple[str, ...]:
    """The names of all engines."""
    return tuple(dict.fromkeys((*_HOMES, *_ENGINES)))


def engine(name: str = DEFAULT) -> Engine:
    """The engine of a name; `KeyError` where there is none."""
    known = _ENGINES.get(name)
    if known is None:
        made: Engine = import_module(_HOMES[name]).ENGINE
        register(made)
        known = _ENGINES[name]
    return known


def register(new: Engine) -> None:
    """Adds an engine, under its own name; what it keeps on disk may be read from then on."""
    if new.artifacts is not None:
        admit(StoredProgram.__module__, new.artifacts.__module__)
    _ENGINES[new.name] = new


def withdraw(name: str) -> None:
    """Takes an engine away that was added."""
    _ENGINES.pop(name, None)


def distribution() -> Distribution:
    """What runs programs in pieces, around any engine."""
    made: Distribution = import_module(_DISTRIBUTION).DISTRIBUTION
    return made
