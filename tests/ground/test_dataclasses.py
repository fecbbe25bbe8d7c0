"""Our dataclasses behave as the standard library's."""

from __future__ import annotations

import copy
import dataclasses as theirs
import pickle
from types import ModuleType
from typing import Any, ClassVar

import pytest

from tolang.ground import dataclasses as ours

BOTH = pytest.mark.parametrize("library", [ours, theirs], ids=["ours", "theirs"])


@ours.dataclass(frozen=True, slots=True)
class Kept:
    """At the top of a module, as what is pickled must be."""

    name: str
    parts: tuple[int, ...] = ()


def classes(library: Any) -> dict[str, Any]:
    """A class of each form in use."""
    record, field = library.dataclass, library.field

    @record(frozen=True, slots=True, eq=False, kw_only=True)
    class Base:
        span: int | None = field(default=None, repr=False)

    @record(frozen=True, slots=True)
    class Point(Base):
        """Two places and what is not compared."""

        x: int
        y: int = 2
        note: str = field(default="", compare=False)
        origin: ClassVar[int] = 0

        def __len__(self) -> int:
            return 7

    @record(frozen=True, slots=True, eq=False)
    class Own:
        value: Any

    @record(slots=True)
    class Changing:
        items: list[int] = field(default_factory=list)
        count: int = field(init=False)
        fixed: int = field(default=5, init=False)

        def __post_init__(self) -> None:
            self.count = len(self.items)

    @record(frozen=True, order=True, slots=True)
    class Ranked:
        first: int
        second: float

    @record(frozen=True)
    class Plain:
        only: float
        more: int = 3

        def __repr__(self) -> str:
            return "plain"

    return {one.__name__: one for one in (Base, Point, Own, Changing, Ranked, Plain)}


def behaviour(library: ModuleType) -> list[Any]:
    """What can be seen of them."""
    made = classes(library)
    point, nan = made["Point"], float("nan")
    one, other = point(1, note="a", span=4), point(1, 2, "b")
    changing, ranked, plain = made["Changing"]([1, 2]), made["Ranked"], made["Plain"]
    seen = [
        repr(one), one == other, hash(one) == hash(other), one != point(1, 3), one == (1, 2), len(one), one.span,
        point.__match_args__, point.__slots__, point.origin, point.__qualname__.rpartition(".")[2], point.__doc__,
        made["Own"](1) == made["Own"](1), repr(changing), changing.__hash__, changing == made["Changing"]([1, 2]),
        changing.fixed, made["Changing"]().items is made["Changing"]().items, repr(plain(1)), plain.more,
        plain(nan) == plain(nan), plain(1) == plain(1.0), ranked(1, 2) < ranked(1, 3), ranked(2, 0) <= ranked(1, 9),
        ranked(1, 2) >= ranked(1, 2), sorted([ranked(3, 1), ranked(1, 2)])[0].first,
        [(f.name, f.type) for f in library.fields(point)], library.is_dataclass(one), library.is_dataclass(3),
        repr(library.replace(one, y=9)), library.replace(one, span=8).span, library.replace(changing, items=[1]).count,
        repr(copy.copy(one)),
    ]  # fmt: skip
    for wrong in (
        lambda: setattr(one, "x", 3), lambda: delattr(one, "x"), point, lambda: point(1, q=2),
        lambda: point(1, 2, "", 3), lambda: library.replace(one, q=2), lambda: library.replace(changing, count=2),
        lambda: ranked(1, 2) < 3, lambda: library.fields(3), lambda: hash(changing), lambda: setattr(changing, "z", 1),
    ):  # fmt: skip
        with pytest.raises((AttributeError, TypeError, ValueError)) as caught:
            wrong()
        seen.append(
            caught.type.__mro__[-4].__name__ if issubclass(caught.type, AttributeError) else caught.type.__name__
        )
    return seen


def test_they_behave_as_the_standard_librarys() -> None:
    assert behaviour(ours) == behaviour(theirs)


@BOTH
def test_shared_defaults_are_refused(library: Any) -> None:
    with pytest.raises(ValueError, match="default"):

        @library.dataclass
        class Shared:
            items: list[int] = []  # noqa: RUF012  # what is refused


def test_they_are_pickled_and_matched() -> None:
    kept = Kept("a", (1, 2))
    again = pickle.loads(pickle.dumps(kept))
    assert again == kept
    assert again is not kept
    match again:
        case Kept(name, parts):
            assert (name, parts) == ("a", (1, 2))
    with pytest.raises(ours.FrozenInstanceError):
        again.name = "b"
