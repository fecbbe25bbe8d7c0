"""Regular expressions whose matching takes time in proportion to pattern and text, as those of RE2 that ONNX means.

Python's own matching tries one way after the other, which takes time exponential in the text for some patterns; here
all ways are followed at once.  Python reads the pattern, so that it means what it means there; what needs memory of
the text that was matched, references to groups and looking around, is refused as by RE2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from re import _constants as code
from re import _parser as reader
from typing import Any

MOST_STATES = 20_000
"""A pattern has at most so many places at which a match may stand, its repetitions written out."""

MOST_KNOWN = 10_000
"""Of so many moves it is noted where they lead."""

Test = Callable[[str], bool]
"""Whether one character is matched."""
Guard = Callable[[str, int], bool]
"""Whether a match may stand at a place in a text."""


class Unmatchable(Exception):
    """A pattern that is none, or needs what is not matched here."""


@dataclass(slots=True)
class _State:
    """A place in a pattern: where a character leads to, and where one stands without any."""

    test: Test | None = None
    after: int = -1
    free: list[tuple[Guard | None, int]] = field(default_factory=list)


class Pattern:
    """A pattern, ready to be held against texts."""

    def __init__(self, text: str) -> None:
        self.states: list[_State] = []
        try:
            tree = reader.parse(text)
        except (re.error, RecursionError, OverflowError) as error:
            raise Unmatchable(str(error)) from None
        self.flags = tree.state.flags
        self.end = self._state()
        self.begin = self._sequence(tree, self.end)
        self._is_anchored = any(guard is not None for one in self.states for guard, _ in one.free)
        self._known: dict[tuple[frozenset[int], str], frozenset[int]] = {}

    def matches(self, text: str) -> bool:
        """Whether a text as a whole is matched."""
        current = self._reached([self.begin], text, 0)
        for place in range(len(text)):
            current = self._moved(current, text, place)
        return self.end in current

    def found(self, text: str) -> list[str]:
        """The parts of a text that are matched, from left to right, each as long as it can be; none is empty."""
        return [text[begin:end] for begin, end in self._places(text)]

    def split(self, text: str) -> list[str]:
        """What is left of a text between the parts that are matched."""
        places = self._places(text)
        return [text[a:b] for (_, a), (b, _) in pairwise([(0, 0), *places, (len(text), len(text))])]

    def _places(self, text: str) -> list[tuple[int, int]]:
        """Where the parts that are matched begin and end."""
        found: list[tuple[int, int]] = []
        begin = 0
        while begin < len(text):
            end = self._longest(text, begin)
            if end > begin:
                found.append((begin, end))
            begin = max(end, begin + 1)
        return found

    def _longest(self, text: str, begin: int) -> int:
        """Where the longest match ends that begins at a place; at that place where there is none."""
        current, end = self._reached([self.begin], text, begin), begin
        for place in range(begin, len(text)):
            current = self._moved(current, text, place)
            if not current:
                break
            end = place + 1 if self.end in current else end
        return end

    def _moved(self, current: frozenset[int], text: str, place: int) -> frozenset[int]:
        """The states after the character at a place; noted, where no anchor asks what is around it."""
        known = self._known.get((current, text[place]))
        if known is not None:
            return known
        states = (self.states[one] for one in current)
        moved = [one.after for one in states if one.test is not None and one.test(text[place])]
        found = self._reached(moved, text, place + 1)
        if not self._is_anchored and len(self._known) < MOST_KNOWN:
            self._known[current, text[place]] = found
        return found

    def _reached(self, begun: Iterable[int], text: str, place: int) -> frozenset[int]:
        """The states in which a match stands at a place, those that take no character included."""
        waiting, found = [*begun], set[int]()
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += [after for guard, after in self.states[one].free if guard is None or guard(text, place)]
        return frozenset(found)

    def _state(self, test: Test | None = None, after: int = -1) -> int:
        if len(self.states) >= MOST_STATES:
            raise Unmatchable(f"it has more than {MOST_STATES} places, its repetitions written out")
        self.states.append(_State(test, after))
        return len(self.states) - 1

    def _sequence(self, parts: Any, after: int) -> int:
        for operator, argument in reversed(list(parts)):
            after = self._part(operator, argument, after)
        return after

    def _part(self, operator: Any, argument: Any, after: int) -> int:
        """A part of a pattern, before what comes after it."""
        if operator is code.SUBPATTERN:
            _, added, removed, inner = argument
            before, self.flags = self.flags, (self.flags | added) & ~removed
            begin = self._sequence(inner, after)
            self.flags = before
            return begin
        if operator is code.BRANCH:
            return self._either([self._sequence(one, after) for one in argument[1]])
        if operator in (code.MAX_REPEAT, code.MIN_REPEAT):
            least, most, inner = argument
            return self._repeated(least, most, inner, after)
        if operator is code.AT:
            begin = self._state()
            self.states[begin].free.append((_guard(argument, self.flags), after))
            return begin
        return self._state(_test(operator, argument, self.flags), after)

    def _either(self, begins: list[int]) -> int:
        begin = self._state()
        self.states[begin].free.extend((None, one) for one in begins)
        return begin

    def _repeated(self, least: int, most: Any, inner: Any, after: int) -> int:
        if most is code.MAXREPEAT:
            loop = self._state()
            self.states[loop].free.append((None, after))
            self.states[loop].free.append((None, self._sequence(inner, loop)))
            after = loop
        else:
            for _ in range(min(most, MOST_STATES) - least):
                after = self._either([self._sequence(inner, after), after])
        for _ in range(least):
            after = self._sequence(inner, after)
            self._state()
        return after


def _test(operator: Any, argument: Any, flags: int) -> Test:
    """What one character is asked."""
    if operator is code.ANY:
        return (lambda one: True) if flags & re.DOTALL else (lambda one: one != "\n")
    if operator in (code.LITERAL, code.NOT_LITERAL):
        wanted = operator is code.LITERAL
        letters = _cases(chr(argument), flags)
        return lambda one: (one in letters) == wanted
    if operator is code.IN:
        negated = argument[0][0] is code.NEGATE
        tests = [_member(kind, value, flags) for kind, value in argument[negated:]]
        return lambda one: any(test(one) for test in tests) != negated
    raise Unmatchable(f"{str(operator).lower()} is not supported")


def _member(operator: Any, argument: Any, flags: int) -> Test:
    """Whether a character is of a part of a set."""
    if operator is code.RANGE:
        low, high = argument
        if flags & re.IGNORECASE:
            return lambda one: any(low <= ord(other) <= high for other in _cases(one, flags))
        return lambda one: low <= ord(one) <= high
    if operator is code.CATEGORY:
        return _CATEGORIES[argument]
    return _test(operator, argument, flags)


def _cases(letter: str, flags: int) -> frozenset[str]:
    """A letter, and where case is ignored also its others."""
    return frozenset({letter, letter.lower(), letter.upper()}) if flags & re.IGNORECASE else frozenset({letter})


def _is_word(one: str) -> bool:
    return one.isalnum() or one == "_"


def _at_edge(text: str, place: int) -> bool:
    before, after = text[place - 1 : place] if place else "", text[place : place + 1]
    return _is_word(before) != _is_word(after)


def _guard(where: Any, flags: int) -> Guard:
    """Where in a text an anchor stands."""
    lines = bool(flags & re.MULTILINE)
    match where:
        case code.AT_BEGINNING_STRING:
            return lambda text, place: place == 0
        case code.AT_BEGINNING:
            return lambda text, place: place == 0 or (lines and text[place - 1] == "\n")
        case code.AT_END_STRING:
            return lambda text, place: place == len(text)
        case code.AT_END:
            return lambda text, place: text[place:] in ("", "\n") or (lines and text[place] == "\n")
        case code.AT_BOUNDARY:
            return _at_edge
        case code.AT_NON_BOUNDARY:
            return lambda text, place: not _at_edge(text, place)
    raise Unmatchable(f"{str(where).lower()} is not supported")


_CATEGORIES: dict[Any, Test] = {
    code.CATEGORY_DIGIT: str.isdecimal,
    code.CATEGORY_NOT_DIGIT: lambda one: not one.isdecimal(),
    code.CATEGORY_SPACE: str.isspace,
    code.CATEGORY_NOT_SPACE: lambda one: not one.isspace(),
    code.CATEGORY_WORD: _is_word,
    code.CATEGORY_NOT_WORD: lambda one: not _is_word(one),
}
