"""Names, sizes, types and constants as drawings write them: short, and different where they mean different things."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_lowercase

from tolang.core.core import Convert, Coordinate, Expr, Literal, Measure, Range
from tolang.core.notation import show_condition, show_constant
from tolang.core.types import Type
from tolang.ground.reporting.escaping import visible
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.readings.cost.naming import readable

LONGEST = 46
"""A label longer than this is cut; the whole of it is the hint."""
LONGEST_TITLE = 90


def cut(text: str, longest: int = LONGEST) -> str:
    return visible(text if len(text) <= longest else f"{text[: longest - 1]}…")


def base(name: str) -> str:
    """A name without the number that the checker gave it."""
    return name.split(".")[0]


def type_text(kind: Type, texts: Texts | None = None) -> str:
    """A type list and a shape, without the marks of literals that take the space of what they meet."""
    return readable(str(kind), {} if texts is None else texts.shown).replace("~", "")


class Texts:
    """What names are shown as.  Iterators of loops in each other, and ToLs without a name, get names that differ."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.shown: dict[str, str] = {}
        self._taken = set(taken)

    def name(self, inner: str) -> str:
        return self.shown.get(inner, base(inner))

    def open(self, inner: str) -> str:
        """A name that nothing else has here: the one that was written, or the next letter."""
        written = base(inner)
        letters = ascii_lowercase[ascii_lowercase.find(written) :] if len(written) == 1 and written.islower() else ""
        numbered = (f"{written}{number}" for number in range(2, len(self._taken) + 3))
        name: str = next(one for one in (written, *letters, *numbered) if one not in self._taken)
        self._taken.add(name)
        self.shown[inner] = name
        return name

    def close(self, inner: str) -> None:
        self._taken.discard(self.shown[inner])

    def size(self, size: Size) -> str:
        return readable(str(size), self.shown)

    def shape(self, kind: Type) -> str:
        return ", ".join(self.size(size) for size in kind.shape)

    def condition(self, condition: Condition) -> str:
        return readable(show_condition(condition), self.shown)

    def loops(self, iterators: tuple[str, ...], extents: tuple[Size, ...]) -> str:
        """`i ≤ n, j ≤ m`."""
        pairs = zip(iterators, extents, strict=True)
        return ", ".join(f"{self.name(one)} ≤ {self.size(extent)}" for one, extent in pairs)

    def items(self, items: tuple[Coordinate | Range, ...], shape: tuple[Size, ...]) -> str:
        """The coordinates of a part; a colon for a whole dimension."""
        return ", ".join(self._item(item, length) for item, length in zip(items, shape, strict=True))

    def _item(self, item: Coordinate | Range, length: Size) -> str:
        match item:
            case Coordinate(index=index):
                return self.size(index)
            case Range(start=start, length=own):
                return ":" if start == ONE and own == length else f"{self.size(start)}:{self.size(start + own - 1)}"

    def literal(self, expr: Literal) -> str:
        value = show_constant(expr.value)
        return f"{value} [{self.shape(expr.type)}]" if expr.type.shape else value

    def constant(self, expr: Expr) -> str | None:
        """The text of a constant; None for everything that must be drawn."""
        match expr:
            case Literal():
                return self.literal(expr)
            case Measure(size=size):
                return self.size(size)
            case Convert(subject=subject):
                return self.constant(subject)
        return None
