"""Checked programs kept on disk: a program checked once is not parsed or checked again until it or the package changes.

An entry holds core expressions, sizes, spaces and spans, and reading one makes nothing else: it can name no other
class, so that a file somebody else has written cannot run anything.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from tolang.core.core import Input, Program
from tolang.driver.spine import unwound, wound
from tolang.engines.cpu import cache
from tolang.ground.collecting import collector_paused

_MODULES = ("tolang.core.core", "tolang.core.types", "tolang.ground.sizes", "tolang.ground.conditions",
            "tolang.ground.spaces", "tolang.ground.diagnostics", "tolang.engines.cpu.images")  # fmt: skip
_OTHERS = {
    ("fractions", "Fraction"), ("builtins", "complex"), ("builtins", "frozenset"), ("builtins", "set"),
    ("copyreg", "__newobj__"), ("copyreg", "_reconstructor"), ("builtins", "object"),
}  # fmt: skip
_WRONG = (
    pickle.UnpicklingError, AttributeError, EOFError, ImportError, IndexError, KeyError, TypeError, ValueError,
    RecursionError, MemoryError,
)  # fmt: skip
"""What reading an entry may raise that some other state of the package has written."""

Identity = tuple[str, ...]
"""Texts from which, with the package itself, something follows."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What the checker makes of a program: what it offers, and its core for data in the declared storages."""

    inputs: tuple[Input, ...]
    values: tuple[str, ...]
    functions: tuple[str, ...]
    core: Program


class _Reader(pickle.Unpickler):
    """Reads the classes of the core and no others."""

    def find_class(self, module: str, name: str) -> Any:
        if module in _MODULES:
            found = getattr(import_module(module), name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        elif (module, name) in _OTHERS:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} does not belong into a checked program")


@collector_paused()
def remember(parts: Identity, work: Callable[[], Any]) -> Any:
    """The result of some work that depends on these texts and the package alone: from disk, or done now and kept."""
    if cache.folder() is None:
        return work()
    name = cache.key(*parts, cache.package_stamp())
    kept = cache.load(name, cache.CHECKED)
    if kept is not None:
        try:
            return _opened(_Reader(io.BytesIO(kept)).load())
        except _WRONG:
            pass
    found = work()
    try:
        content = pickle.dumps(_flat(found), protocol=5)
    except (pickle.PicklingError, RecursionError, TypeError, AttributeError):
        return found
    cache.store(name, content, cache.CHECKED)
    return found


def _flat(found: Any) -> Any:
    """A program's long chain of bindings as a list, which is written without recursion."""
    if isinstance(found, Checked):
        return found.inputs, found.values, found.functions, _flat(found.core)
    if isinstance(found, Program):
        links, inside = unwound(found.body)
        return replace(found, body=inside), links
    return found


def _opened(kept: Any) -> Any:
    if isinstance(kept, tuple) and len(kept) == 4:
        inputs, values, functions, core = kept
        return Checked(inputs, values, functions, _opened(core))
    if isinstance(kept, tuple) and len(kept) == 2 and isinstance(kept[0], Program):
        core, links = kept
        return replace(core, body=wound(links, core.body))
    return kept
