"""Text that others wrote, as it is shown: names in files and models, paths, data, source in messages.

Whatever could move a terminal's cursor, colour it, break a line, turn its direction or hide is written out, as Python
escapes it (`\\x1b`, `\\u202e`), and names without end are shortened.  Everything that shows such text asks here.
"""

from __future__ import annotations

LONGEST_NAME = 60
LONGEST_LINE = 2000
"""The most characters of a name, and of a line that tells of something."""


def visible(text: str) -> str:
    """The text on one line, every character that is not printed as what it is written out."""
    return text if text.isprintable() else "".join(one if one.isprintable() else escaped(one) for one in text)


def visible_lines(text: str) -> str:
    """The text with its own line ends, everything else in it visible."""
    return text if text.isprintable() else "\n".join(visible(one) for one in text.split("\n"))


def escaped(character: str) -> str:
    """A character as Python escapes it."""
    return character.encode("unicode_escape").decode("ascii")


def shown(text: str, longest: int = LONGEST_NAME) -> str:
    """A name as a message shows it: visible, and no longer than a reader wants."""
    return visible(text if len(text) <= longest else f"{text[:longest]}…")


def line(text: str, longest: int = LONGEST_LINE) -> str:
    """What is told on one line: visible, and shortened in its midst where it is very long."""
    if len(text) > longest:
        half = longest // 2
        text = f"{text[:half]} … {text[-half:]}"
    return visible(text)
