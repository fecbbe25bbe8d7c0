"""One list with named components as Python has it: a tuple whose components are found by their names, too."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar, SupportsIndex

from tolang.ground.reporting.close_names import close_names


class Record(tuple[Any, ...]):
    """A list with named components: a tuple, of which `record["name"]` is a component.

    Equal to a plain tuple of the same values.  `_fields` is what pandas looks for in the rows of a frame.
    """

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]] = ()
    own_names: ClassVar[tuple[str | None, ...]] = ()
    """The names that the components have, without those that were made up for components without a name."""

    def __getitem__(self, key: Any) -> Any:
        return tuple.__getitem__(self, position_of(key, self._fields) if isinstance(key, str) else key)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy, and what is pickled, is made again by its names: the class of its own is made while running."""
        return record, (self._fields, self.own_names, tuple(self))


def record(fields: tuple[str, ...], own_names: tuple[str | None, ...], values: tuple[Any, ...]) -> Record:
    """A list by the names of its components."""
    return kind_of_records(fields, own_names)(values)


@lru_cache(maxsize=256)
def kind_of_records(fields: tuple[str, ...], own_names: tuple[str | None, ...]) -> Callable[[Any], Record]:
    """The class of lists whose components have some names."""
    return type("Record", (Record,), {"__slots__": (), "_fields": fields, "own_names": own_names})


def position_of(name: str, fields: tuple[str, ...] | list[str]) -> SupportsIndex:
    """The position of a component by its name; a name that there is not is an error that says which there are."""
    try:
        return fields.index(name)
    except ValueError:
        close = close_names(name, fields, 1, 0.6)
        known = ", ".join(fields[:12]) + (f", … ({len(fields)} in all)" if len(fields) > 12 else "")
        hint = f"; did you mean {close[0]}?" if close else ""
        raise NoComponent(f"no component is called {name}; there are {known}{hint}") from None


class NoComponent(KeyError):
    """A name that no component has; told as it is written, which `KeyError` would put into quotes."""

    def __str__(self) -> str:
        return str(self.args[0])
