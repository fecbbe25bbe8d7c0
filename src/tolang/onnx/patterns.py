"""Regular expressions as automata: tables that definitions of ToLang follow, one character after the other.

They mean what RE2, which ONNX names, takes them to mean: letters, digits and spaces are those of ASCII, `$` is the end
of the text, and what needs memory of the text that was matched, references to groups and looking around, is refused.
Python reads the pattern.  All ways of matching are followed at once, so that time is in proportion to the text.
"""

from __future__ import annotations

import re
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from re import _constants as code
from re import _parser as reader
from typing import Any

import numpy as np

from tolang.ground.dataclasses import dataclass, field
from tolang.onnx.elements import Array

MOST_PLACES = 20_000
"""A pattern has at most so many places at which a match may stand, its repetitions written out."""
MOST_WORK = 2_000_000
"""Making the tables of a pattern takes at most so many steps."""
UNICODE = 0x110000
BORDER = 0
"""The class of what is before a text and after it."""
DEAD = 0
"""The state from which nothing is matched."""

Ranges = tuple[tuple[int, int], ...]
"""Characters, by the numbers of the first and last of each stretch."""
DIGITS: Ranges = ((48, 57),)
SPACES: Ranges = ((9, 10), (12, 13), (32, 32))
LETTERS: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
LINE_END: Ranges = ((10, 10),)
CATEGORIES: dict[Any, tuple[Ranges, bool]] = {
    code.CATEGORY_DIGIT: (DIGITS, False),
    code.CATEGORY_NOT_DIGIT: (DIGITS, True),
    code.CATEGORY_SPACE: (SPACES, False),
    code.CATEGORY_NOT_SPACE: (SPACES, True),
    code.CATEGORY_WORD: (LETTERS, False),
    code.CATEGORY_NOT_WORD: (LETTERS, True),
}
NAMED = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": r"\x00-\x7F", "blank": r"\t ", "cntrl": r"\x00-\x1F\x7F",
    "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~", "punct": r"!-/:-@\[-`{-~", "space": r"\t\n\v\f\r ",
    "upper": "A-Z", "word": r"\w", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
"""Sets of characters that are written `[:alpha:]` inside of brackets."""


class Unmatchable(Exception):
    """A pattern that is none, or needs what is not matched here."""


@dataclass(slots=True)
class _Place:
    """A place in a pattern: which characters lead on from it and where to, and where one stands without any."""

    taken: Ranges = ()
    after: int = -1
    free: list[tuple[Any, int]] = field(default_factory=list)


class Pattern:
    """A pattern as places, with moves between them by a character, or by none where an anchor allows it."""

    def __init__(self, text: str) -> None:
        self.places: list[_Place] = []
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", FutureWarning)  # of sets in sets, which mean something else elsewhere
                tree = reader.parse(_without_names(text))
        except (re.error, RecursionError, OverflowError, FutureWarning) as error:
            raise Unmatchable(str(error)) from None
        self.flags = tree.state.flags
        self.end = self._place()
        self.begin = self._sequence(tree, self.end)
        self.is_anchored = any(guard is not None for one in self.places for guard, _ in one.free)

    def reached(self, begun: Iterable[int], before: int | None, after: int | None) -> frozenset[int]:
        """The places at which a match stands between two characters, of which a border has none."""
        waiting, found = [*begun], set[int]()
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                free = self.places[one].free
                waiting += [to for guard, to in free if guard is None or _holds(guard[0], guard[1], before, after)]
        return frozenset(found)

    def _place(self, taken: Ranges = (), after: int = -1) -> int:
        if len(self.places) >= MOST_PLACES:
            raise Unmatchable(f"it has more than {MOST_PLACES} places, its repetitions written out")
        self.places.append(_Place(taken, after))
        return len(self.places) - 1

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
            begin = self._place()
            self.places[begin].free.append(((argument, bool(self.flags & re.MULTILINE)), after))
            return begin
        return self._place(_taken(operator, argument, self.flags), after)

    def _either(self, begins: list[int]) -> int:
        begin = self._place()
        self.places[begin].free.extend((None, one) for one in begins)
        return begin

    def _repeated(self, least: int, most: Any, inner: Any, after: int) -> int:
        if most is code.MAXREPEAT:
            loop = self._place()
            self.places[loop].free.append((None, after))
            self.places[loop].free.append((None, self._sequence(inner, loop)))
            after = loop
        else:
            for _ in range(min(most, MOST_PLACES) - least):
                after = self._either([self._sequence(inner, after), after])
        for _ in range(least):
            after = self._sequence(inner, after)
            self._place()
        return after


def _without_names(text: str) -> str:
    """A pattern with the characters of sets that have names in place of these."""
    return re.sub(r"\[:(\w+):\]", lambda found: NAMED.get(found[1], found[0]), text)


# Characters


def _taken(operator: Any, argument: Any, flags: int) -> Ranges:
    """The characters that a part of a pattern takes."""
    if operator is code.ANY:
        return ((0, UNICODE - 1),) if flags & re.DOTALL else _others(LINE_END)
    if operator in (code.LITERAL, code.NOT_LITERAL):
        found = _in_cases(((argument, argument),), flags)
        return found if operator is code.LITERAL else _others(found)
    if operator is code.IN:
        negated = argument[0][0] is code.NEGATE
        found = _union(one for kind, value in argument[negated:] for one in _member(kind, value, flags))
        return _others(found) if negated else found
    raise Unmatchable(f"{str(operator).lower()} is not supported")


def _member(operator: Any, argument: Any, flags: int) -> Ranges:
    """The characters of a part of a set."""
    if operator is code.CATEGORY:
        found, negated = CATEGORIES[argument]
        return _others(found) if negated else found
    return _in_cases((argument,), flags) if operator is code.RANGE else _taken(operator, argument, flags)


def _in_cases(given: Ranges, flags: int) -> Ranges:
    """Characters, and where case is ignored also their others."""
    if not flags & re.IGNORECASE:
        return given
    letters, others = _cases()
    found = [others[at] for low, high in given for at in range(*_between(letters, low, high))]
    return _union((*given, *((one, one) for several in found for one in several)))


def _between(ordered: Sequence[int], low: int, high: int) -> tuple[int, int]:
    return bisect_right(ordered, low - 1), bisect_right(ordered, high)


@cache
def _cases() -> tuple[list[int], list[tuple[int, ...]]]:
    """All letters that have others in another case, in order, and these."""
    same: dict[str, list[int]] = {}
    for one in map(chr, range(UNICODE)):
        if one.lower() != one or one.upper() != one:
            for other in {one, *_single(one.lower()), *_single(one.upper())}:
                same.setdefault(one, []).append(ord(other))
                if other != one:
                    same.setdefault(other, []).append(ord(one))
    letters = sorted(same)
    return [ord(one) for one in letters], [tuple(same[one]) for one in letters]


def _single(text: str) -> tuple[str, ...]:
    return (text,) if len(text) == 1 else ()


def _union(given: Iterable[tuple[int, int]]) -> Ranges:
    """Stretches in order, none of which meet."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(given):
        if found and low <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return tuple(found)


def _others(given: Ranges) -> Ranges:
    """All other characters."""
    ends = [-1, *(end for one in _union(given) for end in one), UNICODE]
    pairs = zip(ends[::2], ends[1::2], strict=True)
    return tuple((low + 1, high - 1) for low, high in pairs if low + 1 < high)


def _has(ranges: Ranges, character: int | None) -> bool:
    return character is not None and any(low <= character <= high for low, high in ranges)


def _holds(where: Any, lines: bool, before: int | None, after: int | None) -> bool:
    """Whether an anchor stands between two characters, of which a border has none."""
    match where:
        case code.AT_BEGINNING_STRING:
            return before is None
        case code.AT_BEGINNING:
            return before is None or (lines and before == ord("\n"))
        case code.AT_END_STRING:
            return after is None
        case code.AT_END:
            return after is None or (lines and after == ord("\n"))
        case code.AT_BOUNDARY:
            return _has(LETTERS, before) != _has(LETTERS, after)
        case code.AT_NON_BOUNDARY:
            return _has(LETTERS, before) == _has(LETTERS, after)
    raise Unmatchable(f"{str(where).lower()} is not supported")


# Tables


class Classes:
    """Characters by what patterns ask of them: those of one class are alike; the first class is of borders.

    `samples` has a character of each class, `members` the classes that the characters which a place takes consist of.
    """

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        asked = list(dict.fromkeys(one.taken for pattern in patterns for one in pattern.places if one.taken))
        anchored = any(one.is_anchored for one in patterns)
        asked += [one for one in (LETTERS, LINE_END) if anchored and one not in asked]
        self.bounds = sorted({0, *(end for one in asked for low, high in one for end in (low, high + 1))} - {UNICODE})
        answers = [0] * len(self.bounds)
        for number, ranges in enumerate(asked):
            for low, high in ranges:
                for at in range(*_between(self.bounds, low, high)):
                    answers[at] |= 1 << number
        known: dict[int, int] = {}
        self.kinds = [known.setdefault(one, len(known) + 1) for one in answers]
        self.samples: list[int | None] = [None, *(self.bounds[self.kinds.index(k)] for k in known.values())]
        self.members = {
            ranges: tuple(kind for answer, kind in known.items() if answer >> number & 1)
            for number, ranges in enumerate(asked)
        }

    def of(self, character: int) -> int:
        """The class of a character."""
        return self.kinds[bisect_right(self.bounds, character) - 1]

    def tables(self) -> dict[str, Array]:
        """The classes of the first 128 characters, and those from each bound on; all tables number from 1."""
        low = np.array([self.of(one) for one in range(128)], np.int32) + 1
        return {"low": low, "bounds": np.array(self.bounds, np.int64), "kinds": np.array(self.kinds, np.int32) + 1}


class Automaton:
    """The states of a pattern: where each class of a next character leads to, and before which a match may end.

    A state is the set of places at which a match may stand before anchors are asked, and, where there are anchors, the
    class of the character before.
    """

    def __init__(self, pattern: Pattern, classes: Classes) -> None:
        self.pattern, self.classes, self.work = pattern, classes, 0
        self.numbers: dict[tuple[frozenset[int], int], int] = {(frozenset(), BORDER): DEAD}
        self.moves = [[DEAD] * len(classes.samples)]
        self.ends = [[False] * len(classes.samples)]
        begin = frozenset({pattern.begin})
        several = range(len(classes.samples)) if pattern.is_anchored else (BORDER,)
        waiting = [(begin, before) for before in several]
        self.starts = [self._number(*one) for one in waiting]
        while waiting:
            waiting += self._state(*waiting.pop())
        self.starts *= 1 if pattern.is_anchored else len(classes.samples)

    def tables(self) -> dict[str, Array]:
        """States from 1, the first of which is dead: those to begin with after each class, moves, and ends."""
        return {
            "starts": np.array(self.starts, np.int32) + 1,
            "moves": np.array(self.moves, np.int32) + 1,
            "ends": np.array(self.ends, bool),
        }

    def _number(self, places: frozenset[int], before: int) -> int:
        key = (places, before if self.pattern.is_anchored and places else BORDER)
        if key not in self.numbers:
            self.numbers[key] = len(self.numbers)
            self.moves.append([])
            self.ends.append([])
        return self.numbers[key]

    def _state(self, places: frozenset[int], before: int) -> list[tuple[frozenset[int], int]]:
        """Fills in where a state leads to; the states that are new."""
        number, samples, pattern = self._number(places, before), self.classes.samples, self.pattern
        if self.moves[number]:
            return []
        new: list[tuple[frozenset[int], int]] = []
        standing, leading = self._standing(places, before, BORDER)
        for kind in range(len(samples)):
            if pattern.is_anchored:
                standing, leading = self._standing(places, before, kind)
            reached = frozenset(leading.get(kind, ()))
            known = len(self.numbers)
            self.moves[number].append(self._number(reached, kind))
            self.ends[number].append(pattern.end in standing)
            if len(self.numbers) > known:
                new.append((reached, kind))
        return new

    def _standing(self, places: frozenset[int], before: int, after: int) -> tuple[frozenset[int], dict[int, set[int]]]:
        """Where a match stands between characters of two classes, and the places that a next one of each leads to."""
        samples = self.classes.samples
        standing = self.pattern.reached(places, samples[before], samples[after])
        leading: dict[int, set[int]] = {}
        self.work += len(standing)
        for one in map(self.pattern.places.__getitem__, standing):
            for kind in self.classes.members[one.taken] if one.taken else ():
                leading.setdefault(kind, set()).add(one.after)
                self.work += 1
        if self.work > MOST_WORK:
            raise Unmatchable("its automaton is too large")
        return standing, leading
