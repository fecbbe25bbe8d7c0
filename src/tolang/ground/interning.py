"""Atoms of sizes that are no names: of equal ones there is one object, and what is known of it is worked out once.

The lengths of a deep model are made of one another, so that one atom may occur in a formula a thousand times.  Names,
text, weight and order are kept with the atom; replacing names and evaluating go over each atom once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from tolang.ground.sizes import Size

Values = Mapping[str, Any]
"""Names and what they stand for while evaluating: whole numbers, or NumPy arrays of them."""


class Replacing(dict[str, "Size"]):
    """What names are replaced by, and the atoms it was done for: an atom that occurs a hundred times is done once."""

    __slots__ = ("done",)

    def __init__(self, values: Mapping[str, Size]) -> None:
        super().__init__(values)
        self.done: dict[Interned, Size] = {}


class Evaluating(dict[str, Any]):
    """What names stand for, and the atoms that were evaluated so far."""

    __slots__ = ("done",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        super().__init__(values)
        self.done: dict[Interned, Any] = {}


def digest_of(part: Any) -> str:
    """A short text that tells a part of an atom from others, the same in every process."""
    if isinstance(part, tuple):
        return f"({','.join(digest_of(one) for one in part)})"
    digest = getattr(part, "digest", None)
    return str(part) if digest is None else str(digest)


def _changed(part: Any, change: Callable[[Size], Size]) -> Any:
    """A part of an atom with its sizes changed: a size, a condition, an atom, several of them, or no such thing."""
    if isinstance(part, tuple):
        return tuple(_changed(one, change) for one in part)
    if hasattr(part, "terms"):
        return change(part)
    return part.changed(change) if hasattr(part, "changed") else part


_ATOMS: WeakValueDictionary[tuple[Any, ...], Any] = WeakValueDictionary()
_MAKING = Lock()


class Interned:
    """An atom that is no name.  Of equal ones there is only one, so that what is known of it is worked out once."""

    __slots__ = ("__weakref__", "_digest", "_names", "_text", "_weight")
    _digest: str | None
    _names: frozenset[str] | None
    _text: str | None
    _weight: int | None

    def __new__(cls, *fields: Any) -> Self:
        key = (cls, *fields)
        found: Self | None = _ATOMS.get(key)
        if found is None:
            with _MAKING:
                found = _ATOMS.get(key)
                if found is None:
                    found = object.__new__(cls)
                    for name in Interned.__slots__[1:]:
                        object.__setattr__(found, name, None)
                    _ATOMS[key] = found
        return found

    def fields(self) -> tuple[Any, ...]:
        """What it is made of."""
        return tuple(getattr(self, name) for name in self.__match_args__)  # type: ignore[attr-defined]  # a dataclass

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.fields()

    # Each kind of atom says these four itself.

    def parts(self) -> tuple[Size, ...]:
        """The sizes inside it."""
        raise NotImplementedError

    def substitute(self, values: Mapping[str, Size]) -> Size:
        raise NotImplementedError

    def evaluate(self, values: Values) -> Any:
        raise NotImplementedError

    def written(self) -> str:
        """Its text."""
        raise NotImplementedError

    def rises(self, name: str) -> bool:
        """Whether it surely never falls while a name rises, all names being at least 1."""
        return False

    def enclosed(self, box: Mapping[str, tuple[Any, Any]]) -> tuple[Any, Any]:
        """Bounds of it while names run, for kinds of atoms that `enclosure` does not know."""
        raise NotImplementedError

    def names(self) -> frozenset[str]:
        """Every name that occurs in it."""
        if self._names is None:
            found = frozenset[str]().union(*(part.names() for part in self.parts()))
            object.__setattr__(self, "_names", found)
        return self._names  # type: ignore[return-value]  # set above

    @property
    def weight(self) -> int:
        """How much there is to write of it."""
        if self._weight is None:
            object.__setattr__(self, "_weight", sum(part.weight for part in self.parts()))
        return self._weight  # type: ignore[return-value]  # set above

    @property
    def text(self) -> str:
        if self._text is None:
            object.__setattr__(self, "_text", self.written())
        return self._text  # type: ignore[return-value]  # set above

    @property
    def digest(self) -> str:
        """A short text that tells it from other atoms, the same in every process."""
        if self._digest is None:
            content = f"{type(self).__name__}{digest_of(self.fields())}"
            object.__setattr__(self, "_digest", blake2b(content.encode(), digest_size=16).hexdigest())
        return self._digest  # type: ignore[return-value]  # set above

    def changed(self, change: Callable[[Size], Size]) -> Self:
        """The same atom of other sizes, as they are: nothing is brought into normal form."""
        return type(self)(*(_changed(field, change) for field in self.fields()))

    def replaced(self, values: Replacing) -> Size:
        """The atom with names replaced, once for all places where it occurs."""
        found = values.done.get(self)
        if found is None:
            found = values.done[self] = self.substitute(values)
        return found

    def evaluated(self, values: Values) -> Any:
        """The number at given names, once for all places where it occurs."""
        if not isinstance(values, Evaluating):
            return self.evaluate(values)
        if self not in values.done:
            values.done[self] = self.evaluate(values)
        return values.done[self]

    def __str__(self) -> str:
        return self.text
