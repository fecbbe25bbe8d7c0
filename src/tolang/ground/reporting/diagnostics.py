"""Positions in source text, diagnostics, and the exceptions that carry them.

Every error the project raises at its users is a `ToLangError`.  It holds one or more diagnostics, each with a
stable code (see `codes.py`), a message, and where known a span of source that is shown with a caret.
"""

from __future__ import annotations

import bisect
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property

from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.reporting import escaping

_LAYOUT = re.compile(r"(?<![\w\])'])'(?:[^'\n]|'')*'|(?P<layout>\s+|#[^\n]*)")
"""Texts in quotes, which may look like comments, and layout; a quote after a name or bracket takes a component."""
_INSIDE = re.compile(r"^\S.*? needs equal shapes")
"""What a definition does with its arguments: who calls it only knows them."""
_OWN = ("tolang", "contextlib", "functools")
"""Modules that no call of a user's is in."""
_SAME = re.compile(r"(?:^|, )([^=,]+) = \1(?=,|$)")
"""A size that is told to be what it is called, as numbers are."""
TAB = "    "
"""How a tab in a line of source is shown."""


@dataclass(frozen=True, eq=False)
class Source:
    """One text the user or the library wrote, with a name to show in messages."""

    name: str
    text: str
    library: bool = False
    beside: bool = True
    """Whether files beside it are modules for it; text that the package wrote uses only what it names in full."""

    def __reduce__(self) -> tuple[object, ...]:
        return Source, (self.name, self.text, self.library)

    @cached_property
    def line_starts(self) -> list[int]:
        starts = [0]
        for offset, character in enumerate(self.text):
            if character == "\n":
                starts.append(offset + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a character offset."""
        line = bisect.bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    @cached_property
    def _layout(self) -> tuple[list[int], list[int]]:
        """Where comments and stretches of space end, and how much of both there is up to each end."""
        ends, lengths, total = [0], [0], 0
        for found in _LAYOUT.finditer(self.text):
            if found["layout"] is not None:
                total += found.end() - found.start()
                ends.append(found.end())
                lengths.append(total)
        return ends, lengths

    def place(self, offset: int) -> int:
        """How much text there is before an offset, comments and space not counted: what new layout does not change."""
        ends, lengths = self._layout
        return offset - lengths[bisect.bisect_right(ends, offset) - 1]

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its line end."""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] - 1 if number < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of source text: offsets `start` (included) to `end` (excluded)."""

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def place(self) -> str:
        line, column = self.source.position(self.start)
        return f"{escaping.line(self.source.name)}:{line}:{column}"

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def excerpt(self) -> str:
        """The first line of the span with a caret line below it."""
        line, column = self.source.position(self.start)
        shown = self.source.line(line)
        width = max(1, min(self.end - self.start, len(shown) - column + 1))
        window = 100
        if len(shown) > window:
            cut = max(0, min(column - 1 - window // 2, len(shown) - window))
            shown, column = shown[cut : cut + window], column - cut
            width = max(1, min(width, window - column + 1))
        margin = f"{line:>5} | "
        before, meant, after = shown[: column - 1], shown[column - 1 : column - 1 + width], shown[column - 1 + width :]
        before, meant, after = (escaping.visible(part.replace("\t", TAB)) for part in (before, meant, after))
        carets = "^" * max(1, len(meant))
        return f"{margin}{before}{meant}{after}\n{' ' * (len(margin) - 2)}| {' ' * len(before)}{carets}"


def readable(text: str) -> str:
    """A message with names as they were written: without the numbers that tell names apart, and marks of literals."""
    return re.sub(r"(?<=\w)~", "", re.sub(r"(\b[A-Za-z_]\w*|\])\.\d+\b", r"\1", text))


@dataclass(frozen=True, slots=True)
class Note:
    """A second place that explains the first, such as the call that led into a library function."""

    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that is wrong, where, and what would mend it."""

    code: str
    message: str
    span: Span | None = None
    found: str | None = None
    expected: str | None = None
    fix: str | None = None
    notes: tuple[Note, ...] = ()

    def render(self) -> str:
        place = f"{self.span.place}: " if self.span else ""
        lines = [f"{place}{'warning' if self.is_warning else 'error'} {self.code}: {self._told(self.message)}"]
        if self.span:
            lines.append(self.span.excerpt())
        for label, value in (("found", self.found), ("expected", self.expected), ("fix", self.fix)):
            if value:
                lines.append(f"      {label}: {self._told(value)}")
        for note in self.notes:
            where = f" at {note.span.place}" if note.span else ""
            lines.append(f"      note{where}: {escaping.line(note.message)}")
            if note.span:
                lines.append(note.span.excerpt())
        return "\n".join(lines)

    @property
    def is_warning(self) -> bool:
        """Whether the program is right nevertheless."""
        return self.code.startswith("W")

    def _told(self, text: str) -> str:
        """A part on its line, whoever wrote what it quotes; without a place in a program it quotes no names of one."""
        return escaping.line(text if self.span is None else readable(text))

    def in_words_of(self, sizes: Mapping[str, object]) -> Diagnostic:
        """What is wrong inside a definition, told with what a call of it gives for the sizes it has for itself."""
        if not sizes:
            return self
        names = "|".join(re.escape(name) for name in sorted(sizes, key=len, reverse=True))
        own = re.compile(rf"(?<![\w.])(?:{names})(?![\w.])")

        def outside(text: str) -> str:
            return own.sub(lambda found: str(sizes[found[0]]), text)

        found = self.found and _SAME.sub("", outside(self.found)).removeprefix(", ")
        return replace(self, message=outside(self.message), found=found or None)

    def from_outside(self) -> Diagnostic:
        """What is wrong as the user sees it: what happens inside the library is told at the user's call of it."""
        if self.span is None or not self.span.source.library:
            notes = tuple(note for note in self.notes if not note.span or not note.span.source.library)
            return self if len(notes) == len(self.notes) else replace(self, notes=notes)
        own = [place for place, note in enumerate(self.notes) if note.span and not note.span.source.library]
        if not own:
            return self
        call = self.notes[own[0]]
        notes = tuple(note for note in self.notes[own[0] + 1 :] if not note.span or not note.span.source.library)
        told = _INSIDE.sub("shapes that must be equal are not", self.message)
        return replace(self, message=f"{call.message}: {told}", span=call.span, fix=None, notes=notes)


class ToLangError(Exception):
    """Anything wrong with a program, its data or the call of it."""

    def __init__(self, diagnostics: Diagnostic | Sequence[Diagnostic]) -> None:
        given = (diagnostics,) if isinstance(diagnostics, Diagnostic) else tuple(diagnostics)
        told = [one.from_outside() for one in given]
        self.diagnostics = tuple({(one.code, one.span, one.message): one for one in told}.values())
        super().__init__("\n\n".join(d.render() for d in self.diagnostics))

    @property
    def code(self) -> str:
        return self.diagnostics[0].code

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a Python traceback."""
        from tolang.ground.reporting.painting import notebook_lines

        return notebook_lines(self)


class ToLangSyntaxError(ToLangError):
    """The text is not ToLang."""


class ToLangCheckError(ToLangError):
    """The program is ToLang but has no meaning: names, ranks, sizes or spaces do not fit."""


class ToLangRunError(ToLangError):
    """The program met data, or a size, it cannot compute with."""


class ToLangUsageError(ToLangError):
    """A call of the Python interface or of the command line is wrong: a missing input, an unknown engine."""


class ToLangWarning(UserWarning):
    """Something that a user should know although all is computed as it should be."""


def warn(message: str) -> None:
    """Warns of something, at the place of the user's own call."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _OWN:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, ToLangWarning, stacklevel=level)


def usage(
    code: str, message: str, found: str | None = None, expected: str | None = None, fix: str | None = None
) -> ToLangUsageError:
    """The error of a call that asks for something there is not, or leaves out what there must be."""
    return ToLangUsageError(Diagnostic(code, message, found=found, expected=expected, fix=fix))
