"""Things of which equal ones are one object, so that what is known of each is worked out once; the order among atoms.

The lengths of a deep model are made of one another, so that one atom may occur in a formula a thousand times.  Its text
and a digest of it are kept with it.
"""

from __future__ import annotations

import atexit
from collections.abc import Mapping
from hashlib import blake2b
from threading import Lock
from typing import Any, ClassVar, Self
from weakref import WeakValueDictionary

Values = Mapping[str, Any]
"""Names and what they stand for while evaluating: whole numbers, or NumPy arrays of them."""

HEAVY = 48
"""From this weight on an atom is told from others by a digest, for its text may be longer than anyone can wait for."""


def digest_of(part: Any) -> str:
    """A short text that tells a part of an atom from others, the same in every process."""
    if isinstance(part, tuple):
        return f"({','.join(digest_of(one) for one in part)})"
    digest = getattr(part, "digest", None)
    return str(part) if digest is None else str(digest)


_MADE: WeakValueDictionary[tuple[Any, ...], Any] = WeakValueDictionary()
_HELD: list[Any] = []
_MAKING = Lock()


@atexit.register
def _hold() -> None:
    """Has all live on: while Python ends they would leave one by one, when what compares them is gone."""
    _HELD.extend(_MADE.values())


def growth_of(size: Any) -> int:
    """The power with which a size grows when all names in it grow alike."""
    terms = (sum(1 if isinstance(atom, str) else atom.growth for atom in monomial) for monomial in size.terms)
    return max(terms, default=0)


class Unique:
    """A dataclass of which equal objects are one object; text and digest are kept with it."""

    __slots__ = ("__weakref__", "_digest", "_growth", "_text")
    _digest: str | None
    _growth: int | None
    _text: str | None
    kept: ClassVar[tuple[str, ...]] = ("_digest", "_growth", "_text")
    """What is worked out when it is first asked for."""

    @property
    def growth(self) -> int:
        """The power with which it grows when all names in it grow alike, as far as its form tells."""
        if self._growth is None:
            object.__setattr__(self, "_growth", self._grows())
        return self._growth  # type: ignore[return-value]  # set above

    def parts(self) -> tuple[Any, ...]:
        """The sizes inside it."""
        return ()

    def _grows(self) -> int:
        """The power with which it grows: that of what grows most in it, for kinds of atoms that say no other."""
        return max(map(growth_of, self.parts()), default=0)

    def __new__(cls, *fields: Any) -> Self:
        key = (cls, *fields)
        found: Self | None = _MADE.get(key)
        if found is None:
            with _MAKING:
                found = _MADE.get(key)
                if found is None:
                    found = object.__new__(cls)
                    for name in cls.kept:
                        object.__setattr__(found, name, None)
                    _MADE[key] = found
        return found

    def fields(self) -> tuple[Any, ...]:
        """What it is made of."""
        return tuple(getattr(self, name) for name in self.__match_args__)  # type: ignore[attr-defined]  # a dataclass

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.fields()

    # Each kind says these two itself.

    def written(self) -> str:
        """Its text."""
        raise NotImplementedError

    @property
    def weight(self) -> int:
        """How much there is to write of it."""
        raise NotImplementedError

    @property
    def text(self) -> str:
        if self._text is None:
            object.__setattr__(self, "_text", self.written())
        return self._text  # type: ignore[return-value]  # set above

    @property
    def digest(self) -> str:
        """A short text that tells it from others, the same in every process."""
        if self._digest is None:
            content = f"{type(self).__name__}{digest_of(self.fields())}"
            object.__setattr__(self, "_digest", blake2b(content.encode(), digest_size=16).hexdigest())
        return self._digest  # type: ignore[return-value]  # set above

    def __str__(self) -> str:
        return self.text


class Evaluating(dict[str, Any]):
    """What names stand for, and the atoms that were evaluated so far."""

    __slots__ = ("done",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        super().__init__(values)
        self.done: dict[Unique, Any] = {}


def without_atoms(product: tuple[Any, ...], divisor: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """A product of atoms divided by another; None where it is none of it."""
    left = list(product)
    for atom in divisor:
        if atom not in left:
            return None
        left.remove(atom)
    return tuple(left)


def atom_key(atom: str | Unique) -> tuple[int, str]:
    """A place among atoms: names first, then by text, then what is too long to be written."""
    if isinstance(atom, str):
        return 0, atom
    return (1, atom.text) if atom.weight < HEAVY else (2, atom.digest)
