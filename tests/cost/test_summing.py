"""Sums and greatest values over a range: what closed forms give is what adding up gives, at sizes of any length."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from tests.cost.summands import Drawn, affine, extreme, floored, named, number, plus, remainder, summands, times

from tolang.ground.symbolic import enclosure, summing
from tolang.ground.symbolic.enclosure import Unbounded, enclosed, number_or_bounds
from tolang.ground.symbolic.iterated import Unsummed
from tolang.ground.symbolic.sizes import Size, extremum, floor_division
from tolang.ground.symbolic.summing import extreme_over, total_over
from tolang.ground.symbolic.sums import Sum, sum_over, utmost

HERE, N = Size.of("i"), Size.of("n")
QUICK = 0.5
"""Seconds of its own that a sum of any length may take, with much to spare."""


@given(summands(("i", "n"), 3), st.integers(0, 60))
def test_a_sum_is_what_adding_up_gives(body: Drawn, n: int) -> None:
    expected = sum(body.value({"i": i, "n": n}) for i in range(1, n + 1))
    assert sum_over(body.size, "i", N).evaluate({"n": n}) == expected
    try:
        found = total_over(body.size.substitute({"n": Size.of(n)}), "i", 1, n)
    except Unsummed:
        event("no closed form")
        return
    event("closed")
    assert found == expected


@given(summands(("i", "n"), 2), st.integers(1, 60))
def test_greatest_and_least_are_those_of_all_values(body: Drawn, n: int) -> None:
    values = [body.value({"i": i, "n": n}) for i in range(1, n + 1)]
    for kind, expected in (("max", max(values)), ("min", min(values))):
        assert utmost(kind, body.size, "i", N).evaluate({"n": n}) == expected
    try:
        value, place = extreme_over(body.size.substitute({"n": Size.of(n)}), "i", 1, n, True)
    except Unsummed:
        return
    assert value == max(values) == values[place - 1]


UPPERS = [
    named("n"),
    named("i"),
    floored(plus(named("i"), number(1)), 2),
    extreme("max", [number(0), plus(named("n"), times(number(-1), named("i")))]),
]


@given(summands(("i", "j", "n"), 2), st.sampled_from(UPPERS), st.integers(0, 9))
def test_nested_sums_are_what_adding_up_gives(body: Drawn, upper: Drawn, n: int) -> None:
    total = 0
    for i in range(1, n + 1):
        for j in range(1, upper.value({"i": i, "n": n}) + 1):
            total += body.value({"i": i, "j": j, "n": n})
    inner = sum_over(body.size, "j", upper.size)
    assert sum_over(inner, "i", N).evaluate({"n": n}) == total
    try:
        found = total_over(inner.substitute({"n": Size.of(n)}), "i", 1, n)
    except Unsummed:
        event("no closed form")
        return
    event("closed")
    assert found == total


@given(summands(("i", "j", "n"), 1), st.sampled_from([N, HERE]), st.sampled_from(["max", "min"]), st.integers(1, 9))
def test_nested_extremes_are_those_of_all_values(body: Drawn, upper: Size, kind: str, n: int) -> None:
    choose: Any = max if kind == "max" else min
    values = []
    for i in range(1, n + 1):
        inner = [body.value({"i": i, "j": j, "n": n}) for j in range(1, (n if upper is N else i) + 1)]
        values.append(i + choose(inner))
    size = HERE + utmost(kind, body.size, "j", upper)
    assert utmost("max", size, "i", N).evaluate({"n": n}) == max(values)
    try:
        value, place = extreme_over(size.substitute({"n": Size.of(n)}), "i", 1, n, True)
    except Unsummed:
        event("no closed form")
        return
    event("closed")
    assert value == max(values) == values[place - 1]


@given(summands(("i",), 3), st.integers(10**9, 10**13))
def test_one_term_more_adds_that_term(body: Drawn, n: int) -> None:
    """At sizes that nobody goes through: the sum to n is that to n - 1 and the last term."""
    try:
        longer, shorter = (total_over(body.size, "i", 1, end) for end in (n, n - 1))
    except Unsummed:
        event("no closed form")
        return
    event("closed")
    assert longer - shorter == body.value({"i": n})


@given(summands(("i",), 2), st.integers(1, 40), st.integers(0, 40))
def test_bounds_hold(body: Drawn, low: int, length: int) -> None:
    values = [body.value({"i": i}) for i in range(low, low + length + 1)]
    try:
        least, most = enclosed(body.size, {"i": (low, low + length)})
    except Unbounded:
        return
    assert least <= min(values)
    assert most >= max(values)


@given(summands(("i", "n"), 2), st.integers(1, 60))
def test_bounds_of_a_sum_hold(body: Drawn, n: int) -> None:
    """The bounds that stand where nothing exact is found, held against what is exact."""
    at = body.size.substitute({"n": Size.of(n)})
    expected = sum(body.value({"i": i, "n": n}) for i in range(1, n + 1))
    unfound = Sum("i", Size.of(n), at)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(summing, "_total_of", lambda one: None)
        try:
            low, high = enclosure._closed.__wrapped__(unfound)
        except Unbounded:
            return
    assert low <= expected <= high


def floor_of(above: Size, below: int | str) -> Size:
    return floor_division(above, Size.of(below))


KNOWN: list[tuple[str, Size, Any]] = [
    ("a window", extremum("min", [HERE + 2, N]) - extremum("max", [Size.of(1), HERE - 2]) + 1, lambda n: 5 * n - 6),
    ("a half", floor_of(HERE, 2), lambda n: n * n // 4),
    ("a remainder", HERE - floor_of(HERE, 3) * 3, lambda n: n // 3 * 3 + (0, 1, 3)[n % 3]),
    ("a triangle", extremum("min", [HERE, N - HERE]), lambda n: n // 2 * ((n - 1) // 2) + n // 2),
    ("a size under the floor", floor_of(HERE - 1, "k"), lambda n: sum_of_blocks(n, 1000003)),
]


def sum_of_blocks(n: int, k: int) -> int:
    whole, rest = divmod(n, k)
    return k * (whole - 1) * whole // 2 + whole * rest


@pytest.mark.parametrize("n", [10, 10**7, 10**12, 10**30])
@pytest.mark.parametrize(("what", "body", "expected"), KNOWN, ids=[what for what, _, _ in KNOWN])
def test_sums_of_any_length_are_known_at_once(what: str, body: Size, expected: Any, n: int) -> None:
    size = sum_over(body, "i", N)
    start = time.thread_time()
    value = size.evaluate({"n": n, "k": 1000003})
    assert time.thread_time() - start < QUICK
    assert value == expected(n)


CLOSED: list[tuple[str, Drawn]] = [
    ("floors multiplied", times(floored(named("i"), 2), floored(plus(named("i"), number(1)), 3))),
    ("a floor of any slope", floored(times(named("i"), number(7)), 1000003)),
    ("its square", times(floored(times(named("i"), number(5)), 999983), floored(times(named("i"), number(5)), 999983))),
    ("a square under a floor", floored(times(named("i"), named("i")), 6)),
    ("a floor compared", extreme("min", [floored(named("i"), 2), plus(number(10**11), times(number(-1), named("i")))])),
    ("a floor of an extreme", floored(extreme("max", [named("i"), number(77)]), 3)),
    ("squares compared", extreme("min", [times(named("i"), named("i")), times(named("i"), number(10**6))])),
    ("remainders multiplied", times(remainder(named("i"), 3), remainder(named("i"), 4))),
]  # fmt: skip


@pytest.mark.parametrize(("what", "body"), CLOSED, ids=[what for what, _ in CLOSED])
def test_these_have_closed_forms(what: str, body: Drawn) -> None:
    """No bound will do for them; the last term tells whether they are right where nobody adds up."""
    for n in (10**4 + 7, 10**12 + 39):
        start = time.thread_time()
        longer, shorter = (total_over(body.size, "i", 1, end) for end in (n, n - 1))
        assert time.thread_time() - start < 2 * QUICK
        assert longer - shorter == body.value({"i": n})
    assert total_over(body.size, "i", 1, 300) == sum(body.value({"i": i}) for i in range(1, 301))


NESTED: list[tuple[str, Size, Size, Any]] = [
    ("a band", extremum("min", [HERE, Size.of("j") + 2]), HERE, lambda n: (n**3 + 9 * n**2 - 10 * n + 6) // 6),
    ("a corner", extremum("min", [Size.of("j"), N - HERE]), N, lambda n: sum_of_corner(n)),
    ("halves", floor_of(Size.of("j"), 2), HERE, lambda n: sum_of_halves(n)),
]


def sum_of_corner(n: int) -> int:
    """Of min(j, m) over j to n, with m = n - i from 0 to n - 1: m*(m+1)/2 + (n-m)*m."""
    squares, whole = (n - 1) * n * (2 * n - 1) // 6, (n - 1) * n // 2
    return (squares + whole) // 2 + n * whole - squares


def sum_of_halves(n: int) -> int:
    """Of i*i//4 over i to n: a quarter of the squares, less a quarter for each odd i."""
    return (n * (n + 1) * (2 * n + 1) // 6 - (n + 1) // 2) // 4


@pytest.mark.parametrize("n", [10, 10**7, 10**12])
@pytest.mark.parametrize(("what", "body", "upper", "expected"), NESTED, ids=[what for what, *_ in NESTED])
def test_nested_sums_of_any_length(what: str, body: Size, upper: Size, expected: Any, n: int) -> None:
    start = time.thread_time()
    value = sum_over(sum_over(body, "j", upper), "i", N).evaluate({"n": n})
    assert time.thread_time() - start < QUICK
    assert value == expected(n)


@given(affine(("i",)), affine(("i",)), st.integers(1, 10**12), st.integers(2, 10**6))
def test_sums_of_any_length_take_no_time(one: Drawn, two: Drawn, n: int, divisor: int) -> None:
    body = extreme("min", [one, floored(two, divisor)])
    start = time.thread_time()
    total_over(body.size, "i", 1, n)
    assert time.thread_time() - start < QUICK


def test_what_has_no_closed_form_has_bounds() -> None:
    """The sum of n//i, which is about n*log(n), at a size of which it takes a million steps."""
    n = 10**12
    start = time.thread_time()
    low, high = number_or_bounds(sum_over(floor_division(N, HERE), "i", N).substitute({"n": Size.of(n)}))
    assert time.thread_time() - start < 2 * QUICK
    exact = 27_785_452_449_086  # the number of all divisors of all numbers to 10^12, OEIS A057494
    assert low <= exact <= high
    assert Fraction(high, low) < 2
    short = sum_over(floor_division(N, HERE), "i", N).evaluate({"n": 3000})
    assert short == sum(3000 // i for i in range(1, 3001))
