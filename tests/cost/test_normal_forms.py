"""Sizes and conditions in normal form mean what they were built of, however deep; equal atoms are one object."""

from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

from tolang.ground.symbolic.conditions import Condition, choice, compare, junction, negation
from tolang.ground.symbolic.sizes import ONE, Interned, Quotient, Size, extremum, floor_division
from tolang.readings.cost.abbreviations import Abbreviations
from tolang.readings.cost.formula import with_choices_merged

NAMES = ("h", "n", "w")
SIGNS = ("<=", ">=", "<", ">", "==", "!=")
VALUES = st.fixed_dictionaries({name: st.integers(0, 40) for name in NAMES})


def truth(sign: str, left: int, right: int) -> bool:
    return {
        "<=": left <= right, ">=": left >= right, "<": left < right, ">": left > right, "==": left == right,
        "!=": left != right,
    }[sign]  # fmt: skip


@st.composite
def built(draw: st.DrawFn) -> tuple[Size, Condition, int, bool, dict[str, int]]:
    """A size and a condition, each with its value at some sizes."""
    at = draw(VALUES)
    sizes = [(Size.of(name), at[name]) for name in NAMES] + [(Size.of(k), k) for k in range(4)]
    conditions: list[tuple[Condition, bool]] = []
    for _ in range(draw(st.integers(2, 9))):
        one, two = draw(st.sampled_from(sizes)), draw(st.sampled_from(sizes))
        match draw(st.sampled_from(["add", "sub", "mul", "floor", "min", "max", "choice", "choice", "condition"])):
            case "add":
                sizes.append((one[0] + two[0], one[1] + two[1]))
            case "sub":
                sizes.append((one[0] - two[0], one[1] - two[1]))
            case "mul" if max(abs(one[1]), abs(two[1])) < 10**6:
                sizes.append((one[0] * two[0], one[1] * two[1]))
            case "floor":
                divisor = draw(st.integers(1, 5))
                sizes.append((floor_division(one[0], Size.of(divisor)), one[1] // divisor))
            case "min":
                sizes.append((extremum("min", [one[0], two[0]]), min(one[1], two[1])))
            case "max":
                sizes.append((extremum("max", [one[0], two[0]]), max(one[1], two[1])))
            case "choice" if conditions:
                condition, holds = draw(st.sampled_from(conditions))
                sizes.append((choice(condition, one[0], two[0]), one[1] if holds else two[1]))
            case _:
                sign = draw(st.sampled_from(SIGNS))
                new = compare(sign, one[0], two[0]), truth(sign, one[1], two[1])
                joined: bool = draw(st.booleans())
                if conditions and joined:
                    other = draw(st.sampled_from(conditions))
                    kind = draw(st.sampled_from(["and", "or"]))
                    held = (new[1] and other[1]) if kind == "and" else (new[1] or other[1])
                    new = junction(kind, [new[0], negation(negation(other[0]))]), held
                conditions.append(new)
                sizes.append((choice(new[0], one[0] + 1, two[0]), one[1] + 1 if new[1] else two[1]))
    if not conditions:
        conditions.append((compare("==", sizes[0][0], ONE), at["h"] == 1))
    (size, value), (condition, holds) = sizes[-1], conditions[-1]
    return size, condition, value, holds, at


@given(built())
def test_normal_forms_mean_what_they_were_built_of(case: tuple[Size, Condition, int, bool, dict[str, int]]) -> None:
    size, condition, value, holds, at = case
    numbers = {name: Size.of(number) for name, number in at.items()}
    assert size.evaluate(at) == value
    assert size.substitute(numbers) == value
    assert with_choices_merged(size).evaluate(at) == value
    assert condition.evaluate(at) == holds
    assert condition.substitute(numbers).constant == holds


@given(built())
def test_sizes_are_kept_and_read_again(case: tuple[Size, Condition, int, bool, dict[str, int]]) -> None:
    size, condition, *_ = case
    again, asked = pickle.loads(pickle.dumps((size, condition)))
    assert (again, asked) == (size, condition)
    assert (hash(again), str(again), again.digest) == (hash(size), str(size), size.digest)


def test_equal_atoms_are_one_object() -> None:
    one, two = (floor_division(Size.of("n") + 3, Size.of(4)) for _ in range(2))
    assert next(iter(one.terms))[0] is next(iter(two.terms))[0]


def test_a_floor_of_a_floor_is_one_floor() -> None:
    width = Size.of("w")
    for _ in range(5):
        width = floor_division(width - 1, Size.of(2)) + 1
    assert str(width) == "floor((w + 31)/32)"


def test_conditions_on_case_distinctions_are_settled() -> None:
    n, least = Size.of("n"), compare("==", Size.of("n"), Size.of(0))
    flag = choice(least, Size.of(0), Size.of(7))
    assert compare("==", flag, Size.of(0)) == least
    assert choice(least, ONE, flag) == choice(least, ONE, Size.of(7))
    assert choice(least, extremum("min", [n, Size.of(9)]), n) == n
    assert str(compare("==", extremum("min", [n, Size.of(9)]), Size.of(4))) == "n == 4"
    assert junction("and", [negation(least), compare("==", n, ONE)]) == compare("==", n, ONE)
    assert str(with_choices_merged(n * choice(least, ONE, Size.of("m")))) == "m*n"


def deep(levels: int) -> Size:
    """A size in which each level mentions the one below four times: what takes time for each mention never ends."""
    size = Size.of("n")
    for _ in range(levels):
        half = floor_division(size * size + size, Size.of(3))
        size = choice(compare(">=", half, Size.of(5)), half + size, half)
    return size


def test_deep_sizes_are_handled_without_being_written_out() -> None:
    size = deep(60)
    assert size.names() == {"n"}
    assert size.substitute({"n": Size.of("m")}).substitute({"m": Size.of("n")}) == size
    assert size.evaluate({"n": 1}) == deep(60).evaluate({"n": 1}) == 0


@given(built())
def test_abbreviations_stand_for_what_they_replace(case: tuple[Size, Condition, int, bool, dict[str, int]]) -> None:
    size, _, value, _, at = case
    short = Abbreviations(NAMES)
    text = short.text(size)
    values = dict(at)
    for atom, name in short.names.items():
        assert isinstance(atom, Interned)
        values[name] = atom.evaluate(at)
    assert not any(word in text for word in ("floor", "if", "max", "min"))
    assert eval(text.replace("^", "**"), {}, values) == value


def test_abbreviations_are_named_after_their_size() -> None:
    short = Abbreviations(["w", "DynamicDimension_0"])
    half = floor_division(Size.of("w") + 1, Size.of(2))
    batch = Size.of("DynamicDimension_0")
    assert short.text(half * batch * 3) == "3*d0*w1"
    assert short.meanings == {"w1": "floor((w + 1)/2)", "d0": "DynamicDimension_0"}
    assert isinstance(next(iter(half.terms))[0], Quotient)
