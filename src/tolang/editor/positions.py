"""Offsets of a text as lines and characters, which editors count from 0, and mostly in units of UTF-16."""

from __future__ import annotations

from bisect import bisect_right

from tolang.ground.dataclasses import dataclass, field

_WIDTHS = {"utf-8": (0x80, 0x800, 0x10000), "utf-16": (0x10000,), "utf-32": ()}
"""From which character on one takes a unit more."""


@dataclass(frozen=True)
class Lines:
    """The lines of a text."""

    text: str
    encoding: str = "utf-16"
    starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        starts, found = [0], self.text.find("\n")
        while found >= 0:
            starts.append(found + 1)
            found = self.text.find("\n", found + 1)
        object.__setattr__(self, "starts", starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and character of an offset."""
        line = bisect_right(self.starts, offset) - 1
        before = self.text[self.starts[line] : offset]
        return line, len(before) if before.isascii() else self.units(before)

    def offset(self, line: int, character: int) -> int:
        """The offset of a line and character; beyond the end of either, that end."""
        if line >= len(self.starts):
            return len(self.text)
        start = self.starts[line]
        end = self.starts[line + 1] - 1 if line + 1 < len(self.starts) else len(self.text)
        text = self.text[start:end]
        if text.isascii():
            return start + min(character, len(text))
        count = 0
        while count < len(text) and character > 0:
            character -= self.units(text[count])
            count += 1
        return start + count

    def units(self, text: str) -> int:
        """How many units a text takes."""
        return len(text) + sum(ord(one) >= limit for limit in _WIDTHS[self.encoding] for one in text)
