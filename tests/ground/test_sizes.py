"""Sizes that no program above them reaches easily."""

from tolang.ground.conditions import choice, zero
from tolang.ground.sizes import ONE, Size, floor_division


def test_a_choice_that_divides_by_zero_where_it_holds_stays_a_choice() -> None:
    n = Size.of("n")
    made = choice(zero(n), floor_division(Size.of("m"), n), ONE)
    assert made.names() == {"m", "n"}
    assert made.substitute({"n": Size.of(2), "m": Size.of(6)}).constant == 1
