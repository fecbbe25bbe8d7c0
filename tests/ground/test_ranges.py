"""Bounds of sizes that choose: right for every way to choose, and found soon however many choices there are."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from tolang.ground.symbolic.conditions import choice, nonnegative
from tolang.ground.symbolic.ranges import Ranges
from tolang.ground.symbolic.sizes import ONE, ZERO, Size, floor_division

N = Size.of("n")
WHOLE = st.integers(-3, 3)


def steps(count: int) -> Size:
    """How many of 1, 2, …, count are at most n, as the library counts doublings."""
    total = ZERO
    for least in range(1, count + 1):
        total = total + choice(nonnegative(N - least), ONE, ZERO)
    return total


def test_many_choices() -> None:
    assert Ranges().lower_bound(steps(40)) == 0
    assert Ranges().lower_bound(-steps(40)) == -40


@given(st.lists(st.tuples(WHOLE, WHOLE, WHOLE, st.booleans()), max_size=4))
def test_no_way_to_choose_is_below(given: list[tuple[int, int, int, bool]]) -> None:
    """Terms are factor times a choice, times n where told, of conditions that have nothing to do with each other."""
    total = ZERO
    for place, (factor, then, otherwise, with_n) in enumerate(given):
        term = factor * choice(nonnegative(Size.of(f"m{place}") - 5), Size.of(then), Size.of(otherwise))
        total = total + (term * N if with_n else term)
    bound = Ranges().lower_bound(total)
    for n, *taken in product((0, 1, 7), *(one[1:3] for one in given)):
        value = sum(one[0] * way * (n if one[3] else 1) for one, way in zip(given, taken, strict=True))
        assert bound is None or bound <= value
    if not any(one[3] for one in given):
        assert bound == sum(min(one[0] * one[1], one[0] * one[2]) for one in given)


NAMES = ("a", "b", "c")
TERMS = st.dictionaries(st.sampled_from(NAMES), WHOLE, max_size=3)


def linear(factors: dict[str, int], constant: int) -> Size:
    total = Size.of(constant)
    for name, factor in factors.items():
        total = total + Size.of(name) * factor
    return total


@given(st.lists(st.tuples(st.sampled_from(NAMES), WHOLE, st.integers(0, 3), TERMS, WHOLE), max_size=6))
def test_what_is_declared_later_counts(given: list[tuple[str, int, int, dict[str, int], int]]) -> None:
    """Bounds that were asked for before are those of ranges that knew everything from the beginning."""
    asked = Ranges()
    for declared, (name, least, length, factors, constant) in enumerate(given, 1):
        earlier = NAMES[: NAMES.index(name)]
        end = Size.of(earlier[0]) + length if earlier else Size.of(least + length)
        asked.declare(name, Size.of(least), end)
        told = Ranges()
        for one, low, more, _, _ in given[:declared]:
            before = NAMES[: NAMES.index(one)]
            told.declare(one, Size.of(low), Size.of(before[0]) + more if before else Size.of(low + more))
        size = linear(factors, constant)
        assert asked.lower_bound(size) == told.lower_bound(size)
        assert asked.lower_bound(size) == asked.lower_bound(size)


@given(st.integers(1, 9), st.integers(-20, 20), st.integers(1, 5), st.integers(1, 40), st.sampled_from((1, -1)))
def test_multiples_of_a_quotient_are_bounded_at_its_ends(
    factor: int, shift: int, divisor: int, most: int, sign: int
) -> None:
    """Of whole multiples of one quotient the bound is the least value that there is."""
    ranges = Ranges()
    ranges.declare("c", ONE, Size.of(most))
    size = sign * factor * floor_division(Size.of("c") + shift, Size.of(divisor))
    least = min(sign * factor * ((c + shift) // divisor) for c in range(1, most + 1))
    assert ranges.proves_nonnegative(size - least)
    assert not ranges.proves_nonnegative(size - least - 1)
