"""Calls with arguments like those of calls before, of which all is known but where the data lies."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tolang.ground.reporting.diagnostics import ToLangRunError
from tolang.ground.values.membership import refuse_outsiders
from tolang.ground.values.spaces import Column

if TYPE_CHECKING:
    from tolang.engines.contract import RepeatedCalls

    Code: TypeAlias = "RepeatedCalls | HeldAgainst"

MOST = 64
"""For so many likenesses of arguments calls are kept at the most."""
ShortCall = Callable[..., Any]
"""Takes arguments by position, and gives None where they are not as expected, or something goes wrong."""


class InOrder:
    """Arguments by position, where those that a call names are all the inputs that are left."""

    __slots__ = ("_all", "_names")

    def __init__(self, names: tuple[str, ...]) -> None:
        """The names of all inputs that a call gives, in order."""
        self._names = names
        self._all = itemgetter(*names) if len(names) > 1 else lambda named: tuple([named[name] for name in names])

    def __call__(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        if len(arguments) + len(named) != len(self._names):
            return arguments, named
        try:  # of as many names as are left, all are where none is missing
            if not arguments:
                return self._all(named), {}
            return (*arguments, *[named[name] for name in self._names[len(arguments) :]]), {}
        except KeyError:
            return arguments, named


def likeness(arguments: Sequence[Any]) -> Hashable:
    """What tells arguments from others: the types and shapes of arrays, and the classes of whatever else there is.

    In which order the bytes of numbers lie, and what records are made of, whoever takes the arrays looks at itself.
    """
    return tuple([(one.dtype.char, one.shape) if type(one) is np.ndarray else type(one) for one in arguments])


class HeldAgainst:
    """A short call with arguments some of which are held against their spaces before."""

    __slots__ = ("_asked", "_like", "_short")

    def __init__(self, short: ShortCall, arguments: Sequence[Any], asked: Sequence[tuple[int, Column]]) -> None:
        """Of arguments like some that went well, those at places are asked if they are in spaces."""
        self._short, self._like, self._asked = short, likeness(arguments), tuple(asked)

    def __call__(self, *arguments: Any) -> Any:
        if likeness(arguments) != self._like:
            return None
        try:
            for place, column in self._asked:
                refuse_outsiders(np.asarray(arguments[place]), column, None, exactly=True)
        except ToLangRunError:
            return None
        return self._short(*arguments)

    @property
    def shortest(self) -> ShortCall:
        """What calls as this does, in as few steps as it takes."""
        return self


class ShortCalls:
    """The short calls of a program: the latest, and all by the likeness of their arguments."""

    __slots__ = ("_known", "latest")

    def __init__(self) -> None:
        self.latest: ShortCall | None = None
        self._known: dict[Hashable, Code | None] = {}

    def known(self, arguments: Sequence[Any]) -> Code | None:
        """What calls code with arguments like these."""
        return self._known.get(likeness(arguments))

    def with_arguments(self, arguments: Sequence[Any]) -> Any:
        """What some short call gives, or None."""
        short = self.latest  # which another thread may change meanwhile
        found = None if short is None else short(*arguments)
        return self.others(arguments) if found is None and short is not None else found

    def others(self, arguments: Sequence[Any]) -> Any:
        """What another call than the latest gives, or the latest with copies whose elements lie in order; or None."""
        known = self.known(arguments)
        if known is None:
            return None
        short, lying = known.shortest, [_in_order(one) for one in arguments]
        if short is self.latest and all(one is other for one, other in zip(lying, arguments, strict=True)):
            return None  # that was tried
        found = short(*lying)
        if found is not None:
            self.latest = short
        return found

    def note(self, arguments: Sequence[Any], made: Callable[[], Code | None]) -> None:
        """A call went well: the second one with such arguments makes short ones of those that follow, if it can."""
        like = likeness(arguments)
        known = self._known.get(like, self)  # which another thread may clear meanwhile
        if known is self:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[like] = None
        elif known is None:
            found = self._known[like] = made()
            self.latest = self.latest if found is None else found.shortest


def _in_order(one: Any) -> Any:
    return np.ascontiguousarray(one) if type(one) is np.ndarray and not one.flags.c_contiguous else one
