"""Fields of records, taken apart block by block: the same numbers, and the same errors, as each field by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang
from tolang.ground.values.records import BLOCK, FEWEST, fields_apart

KINDS: list[Any] = [("a", "i8"), ("b", "u1"), ("c", "f4"), ("d", "c16"), ("e", "i2")]
SOURCE = "list gate: [a: N, b: N*, c: R]\ntol x: gate [n]\ny := map(x, *[a]' + *[b]' + *[c]')"


def records(count: int, kinds: list[Any] = KINDS) -> np.ndarray[Any, Any]:
    generator, made = np.random.default_rng(count), np.empty(count, kinds)
    for name, _ in kinds:
        made[name] = generator.integers(1, 100, count)
    return made


@pytest.mark.parametrize("step", [1, 3, -1])
@pytest.mark.parametrize("count", [FEWEST, 3 * BLOCK // 31 + 7])
def test_fields_are_copied_as_they_are(count: int, step: int) -> None:
    made = records(3 * count)[::step]
    columns = [made[name] for name, _ in KINDS]
    copies, none = fields_apart(columns, range(5))
    assert sorted(copies) == [0, 1, 2, 3, 4]
    assert not none
    assert all(copies[k].flags.c_contiguous and np.array_equal(copies[k], columns[k]) for k in copies)
    some, least = fields_apart(columns, [0, 1, 4], look=True)
    assert sorted(some) == [0, 1, 4]
    assert least == {k: columns[k].min() for k in (0, 1, 4)}


def test_what_is_no_field_stays() -> None:
    made, alone = records(FEWEST), np.arange(2.0 * FEWEST)
    columns = [made["a"], alone[::2], alone[FEWEST:], made["a"][: FEWEST - 1], np.broadcast_to(1.0, FEWEST)]
    assert fields_apart(columns, range(5)) == ({}, {})


THREE = [("a", "i8"), ("b", "i8"), ("c", "f8")]


def test_programs_take_records() -> None:
    made = records(2 * FEWEST + 5, THREE)
    found = tolang.compile(SOURCE, fallback=False)(made)
    assert np.array_equal(found, made["a"] + made["b"] + made["c"])
    assert np.array_equal(tolang.compile(SOURCE, engine="interpret")(made), found)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"a": -1}, rf"-1 at \[{FEWEST + 4}\] of x\[a\]' is not in N"),
        ({"b": 0}, rf"0 at \[{FEWEST + 4}\] of x\[b\]' is not in N\*"),
        ({"a": -3, "b": 0}, r"-3 at .* of x\[a\]' is not in N"),
    ],
)
def test_a_number_outside_its_space_is_told(wrong: dict[str, int], message: str) -> None:
    made = records(FEWEST + 9, THREE)
    for name, value in wrong.items():
        made[name][FEWEST + 3] = value
    with pytest.raises(tolang.ToLangRunError, match=message):
        tolang.compile(SOURCE, fallback=False)(made)
