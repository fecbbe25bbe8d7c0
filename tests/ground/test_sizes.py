"""Sizes that no program above them reaches easily."""

from tolang.ground.symbolic.conditions import choice, zero
from tolang.ground.symbolic.sizes import ONE, ZERO, Size, extremum, floor_division


def test_a_choice_that_divides_by_zero_where_it_holds_stays_a_choice() -> None:
    n = Size.of("n")
    made = choice(zero(n), floor_division(Size.of("m"), n), ONE)
    assert made.names() == {"m", "n"}
    assert made.substitute({"n": Size.of(2), "m": Size.of(6)}).constant == 1


def test_a_choice_whose_cases_agree_where_a_quotient_has_a_value_is_none() -> None:
    half = floor_division(Size.of("n"), Size.of(2))
    shorter = extremum("min", [half - 1, extremum("max", [ZERO, half - 2])])
    assert choice(zero(half - 3), shorter, half - 2) == half - 2
    assert choice(zero(half - 4), shorter + 1, half - 2) != half - 2
    made = choice(zero(half - 4), shorter + 1, half - 2)
    assert [made.evaluate({"n": n}) for n in (6, 8, 10)] == [1, 3, 3]
