"""Checked programs kept on disk: a program checked once is not parsed or checked again until it or the package changes.

An entry holds core expressions, sizes, spaces and spans, or what an engine keeps, and reading one makes nothing else:
it can name no other class, and no class can be reached in it but to make an object of its fields.  What cannot be read,
or is not what was kept under its name, is made anew.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from functools import cache as remembered
from functools import partial
from importlib import import_module
from typing import Any, Self, TypeVar

from tolang.core.core import Core, Input, Output
from tolang.core.let_chain import unwound, wound
from tolang.ground.dataclasses import dataclass, is_dataclass, replace
from tolang.ground.fields import names_of_fields
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.gc_pause import collector_paused
from tolang.ground.system.recursion import room_to_nest
from tolang.store import cache

_MODULES = {
    "tolang.core.core",
    "tolang.core.types",
    "tolang.ground.symbolic.sizes",
    "tolang.ground.symbolic.conditions",
    "tolang.ground.values.spaces",
    "tolang.ground.reporting.diagnostics",
}
_OTHERS = {("fractions", "Fraction"), ("builtins", "complex")}

Kept = TypeVar("Kept")

Identity = tuple[str, ...]
"""Texts from which, with the package itself, something follows."""


def admit(*modules: str) -> None:
    """Has objects of the dataclasses in further modules read, too: those of what an engine keeps."""
    _MODULES.update(modules)


@dataclass(frozen=True, slots=True)
class CheckedProgram:
    """What the checker makes of a program: what it offers, and its core for data in the declared storages."""

    inputs: tuple[Input, ...]
    values: tuple[str, ...]
    functions: tuple[str, ...]
    core: Core


class _CorePickler(pickle.Pickler):
    """Writes a node as its class and the values of its fields, which is far sooner read than the state of an object."""

    def reducer_override(self, found: Any) -> Any:
        kind: Any = type(found)
        if not _is_its_fields(kind):
            return NotImplemented
        return kind, tuple([getattr(found, name) for name in names_of_fields(kind)])


def _node(kind: type, *values: Any) -> Any:
    """A node of a class, by the values of its fields."""
    found: Any = object.__new__(kind)
    for put, value in zip(_setters(kind), values, strict=True):
        put(found, value)
    return found


@remembered
def _setters(kind: type) -> tuple[Callable[[Any, Any], None], ...]:
    return tuple(getattr(kind, name).__set__ for name in names_of_fields(kind))


@remembered
def _is_its_fields(kind: Any) -> bool:
    """Whether objects of a class are made of their fields and of nothing else: frozen dataclasses, none interned."""
    own: Any = CheckedProgram
    methods = (kind.__new__, kind.__reduce__, getattr(kind, "__setstate__", None))
    return methods == (own.__new__, own.__reduce__, own.__setstate__)


class _CoreUnpickler(pickle.Unpickler):
    """Reads the classes of the core, those that engines keep, and no others."""

    def find_class(self, module: str, name: str) -> Any:
        """What makes an object of a class; the class itself is not given out, for whoever has it could change it."""
        if (module, name) in _OTHERS:
            return partial(super().find_class(module, name))
        found = getattr(import_module(module), name) if module in _MODULES else None
        if not isinstance(found, type) or found.__module__ != module or not (is_dataclass(found) or found is Size):
            raise pickle.UnpicklingError(f"{module}.{name} does not belong into a checked program")
        return partial(_node, found) if _is_its_fields(found) else partial(found)


@collector_paused()
@room_to_nest()
def remember(parts: Identity, kind: type[Kept], work: Callable[[], Kept]) -> Kept:
    """The result of some work that depends on these texts and the package alone: from disk, or done now and kept."""
    found = recall(parts, lambda kept: _of_kind(kind, _opened(kept, work)))
    if found is None:
        found = work()
        keep(parts, found)
    return found


def _of_kind(kind: type[Kept], found: Any) -> Kept:
    if not isinstance(found, kind):
        raise TypeError(f"no {kind.__name__} was kept")
    return found


@collector_paused()
@room_to_nest()
def recall(parts: Identity, made: Callable[[Any], Kept]) -> Kept | None:
    """What is made of what was kept of some work; None where nothing was, or nothing can be made of it."""
    if cache.folder() is None and not cache.has_brought():
        return None
    kept = cache.load(_name(parts), cache.CHECKED)
    if kept is None:
        return None
    try:
        return made(_read(kept))
    except Exception:  # a file may hold anything, and making sense of it raise anything: then it is as if not there
        return None


@collector_paused()
@room_to_nest()
def keep(parts: Identity, found: Any) -> None:
    """Keeps the result of some work, unless it is too deep or of other classes than those that are read."""
    if cache.folder() is None:
        return
    try:
        content = _written(_flat(found))
    except (pickle.PicklingError, RecursionError, TypeError, AttributeError):
        return
    cache.store(_name(parts), content, cache.CHECKED)


def _written(found: Any) -> bytes:
    content = io.BytesIO()
    _CorePickler(content, protocol=5).dump(found)
    return content.getvalue()


def _read(content: bytes) -> Any:
    return _CoreUnpickler(io.BytesIO(content)).load()


def _name(parts: Identity) -> str:
    return cache.key(*parts, cache.package_stamp())


def _flat(found: Any) -> Any:
    """A program in two: what a call needs, and its content, in which a long chain of bindings is a list."""
    if isinstance(found, CheckedProgram):
        return found.inputs, found.values, found.functions, _flat(found.core)
    if isinstance(found, Core):
        links, inside = unwound(found.body)
        content = _written((replace(found, body=inside), links))
        return found.sizes, found.inputs, found.outputs, content
    return found


def _opened(kept: Any, again: Callable[[], Any]) -> Any:
    """What was kept; `again` makes it anew where its content turns out to be none when it is first asked for."""
    match kept:
        case (inputs, values, functions, tuple() as core):
            program = _opened(core, lambda: again().core)
            return CheckedProgram(_all(Input, inputs), _all(str, values), _all(str, functions), _of_kind(Core, program))
        case (sizes, inputs, outputs, bytes() as content):
            return Unread.of(_all(str, sizes), _all(Input, inputs), _all(Output, outputs), content, again)
    return kept


def _all(kind: type[Kept], found: Any) -> tuple[Kept, ...]:
    return tuple(_of_kind(kind, one) for one in _of_kind(tuple, found))


class Unread(Core):
    """A program that was kept: its content is read when something asks for more than what it takes and gives."""

    __slots__ = ("again", "content")
    content: bytes
    again: Callable[[], Core]

    @classmethod
    def of(
        cls,
        sizes: tuple[str, ...],
        inputs: tuple[Input, ...],
        outputs: tuple[Output, ...],
        content: bytes,
        again: Callable[[], Core],
    ) -> Self:
        """A program by what a call needs."""
        found = object.__new__(cls)
        given = {"sizes": sizes, "inputs": inputs, "outputs": outputs, "content": content, "again": again}
        for name, value in given.items():
            object.__setattr__(found, name, value)
        return found

    @collector_paused()
    @room_to_nest()
    def __getattr__(self, name: str) -> Any:
        """A field of the content, which Python asks for here as long as it is not there."""
        missing = [one for one in names_of_fields(Core) if one not in ("sizes", "inputs", "outputs")]
        if name not in missing:
            raise AttributeError(name)
        core = self._core()
        for one in missing:
            object.__setattr__(self, one, getattr(core, one))
        return object.__getattribute__(self, name)

    def _core(self) -> Core:
        """The program with its body: read, or made anew where the content is none."""
        try:
            core, links = _read(self.content)
            return replace(_of_kind(Core, core), body=wound(links, core.body))
        except Exception:  # as above
            return self.again()
