"""Random sizes with the functions that they stand for: summands of piecewise polynomials with floors and remainders.

Each is drawn as a pair of a `Size` and a Python function of the names' values, so that what is made of the size can be
held against what the function gives at every place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.conditions import choice, compare
from tolang.ground.symbolic.sizes import Size, extremum, floor_division

Function = Callable[[Mapping[str, int]], Any]
DIVISORS = (2, 3, 4, 5, 7, 12, 1000)


@dataclass(frozen=True)
class Drawn:
    """A size, and what it stands for."""

    size: Size
    value: Function

    def __repr__(self) -> str:
        return str(self.size)


def number(value: int) -> Drawn:
    return Drawn(Size.of(value), lambda names: value)


def named(name: str) -> Drawn:
    return Drawn(Size.of(name), lambda names: names[name])


def plus(one: Drawn, two: Drawn) -> Drawn:
    return Drawn(one.size + two.size, lambda names: one.value(names) + two.value(names))


def times(one: Drawn, two: Drawn) -> Drawn:
    return Drawn(one.size * two.size, lambda names: one.value(names) * two.value(names))


def floored(one: Drawn, divisor: int) -> Drawn:
    return Drawn(floor_division(one.size, Size.of(divisor)), lambda names: one.value(names) // divisor)


def remainder(one: Drawn, divisor: int) -> Drawn:
    size = one.size - floor_division(one.size, Size.of(divisor)) * divisor
    return Drawn(size, lambda names: one.value(names) % divisor)


def extreme(kind: str, several: list[Drawn]) -> Drawn:
    choose = min if kind == "min" else max
    size = extremum(kind, [one.size for one in several])
    return Drawn(size, lambda names: choose(one.value(names) for one in several))


def either(sign: str, left: Drawn, right: Drawn, then: Drawn, otherwise: Drawn) -> Drawn:
    compared: dict[str, Callable[[int, int], bool]] = {
        "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
    }  # fmt: skip

    def value(names: Mapping[str, int]) -> Any:
        holds = compared[sign](left.value(names), right.value(names))
        return (then if holds else otherwise).value(names)

    return Drawn(choice(compare(sign, left.size, right.size), then.size, otherwise.size), value)


@st.composite
def affine(draw: st.DrawFn, names: tuple[str, ...]) -> Drawn:
    total = number(draw(st.integers(-6, 6)))
    for name in names:
        factor = draw(st.sampled_from([1, 1, -1, 0, 2, 3, -2]))
        total = plus(total, times(number(factor), named(name)))
    return total


@st.composite
def summands(draw: st.DrawFn, names: tuple[str, ...], depth: int = 2) -> Drawn:
    """A size of these names, so many levels of floors and extremes deep."""
    if depth == 0:
        return draw(affine(names))
    inner = summands(names, depth - 1)
    match draw(st.sampled_from(["extreme", "extreme", "floor", "floor", "remainder", "choice", "times", "plus"])):
        case "extreme":
            kind = draw(st.sampled_from(["min", "max"]))
            return extreme(kind, draw(st.lists(inner, min_size=2, max_size=3)))
        case "floor":
            return floored(draw(inner), draw(st.sampled_from(DIVISORS)))
        case "remainder":
            return remainder(draw(inner), draw(st.sampled_from([2, 3, 5])))
        case "choice":
            sign = draw(st.sampled_from(["<=", ">", "==", "!="]))
            return either(sign, draw(inner), draw(inner), draw(inner), draw(inner))
        case "times":
            return times(draw(inner), draw(inner))
    return plus(draw(inner), draw(inner))
