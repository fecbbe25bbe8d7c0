"""Numbers of keys, groups and joins by them, whether a table of the keys or a sort finds them: beside NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang
from tolang.ground.values.values import ToL

NUMBERED = "use tables\ntol t: {} [n]\nnumbers := numbered(t)"
SUMS = "use tables\nlist row: [key: {}, value: R]\ntol t: row [n]\nresult := group_sum(t, r -> r[key]', r -> r[value]')"
SEARCHED = """
tol keys: Z [n]
tol wanted: Z [m]
v = sort(keys)
y := map(wanted, x -> (searchsorted(v,x), searchsorted(v,x,true)))
"""
RNG = np.random.default_rng(14)
LARGEST = 2**63 - 1
KEYS: dict[str, Any] = {
    "none": np.zeros(0, np.int64),
    "one": np.array([-7]),
    "the same": np.full(50, 3),
    "few": RNG.integers(-3, 4, 500),
    "at the ends of their storage": RNG.choice(np.array([-LARGEST - 1, -1, 0, LARGEST]), 300),
    "as many as allowed for a table": RNG.permutation(np.arange(256) * 4) - 100,
    "too far apart for a table": RNG.permutation(np.arange(256) * 17),
    "of 8 bits": RNG.integers(0, 256, 400).astype(np.uint8),
    "of 16 bits": RNG.integers(-30_000, 30_000, 400).astype(np.int16),
}


def expected_numbers(keys: Any) -> Any:
    return np.unique(keys, return_inverse=True)[1] + 1


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("threads", [1, 2])
def test_numbers_and_sums_are_numpys(name: str, threads: int) -> None:
    keys = KEYS[name]
    numbers = tolang.compile(NUMBERED.format("Z"), threads=threads)(keys)
    assert np.array_equal(numbers, expected_numbers(keys))
    values = RNG.integers(-9, 9, len(keys)).astype(float)
    if not len(keys):
        return
    table = np.zeros(len(keys), [("key", keys.dtype), ("value", float)])
    table["key"], table["value"] = keys, values
    found = tolang.compile(SUMS.format("Z"), threads=threads)(table)
    different, where = np.unique(keys, return_inverse=True)
    assert np.array_equal(np.asarray(found.columns[0]), different)
    assert np.array_equal(np.asarray(found.columns[1]), np.bincount(where, values))


def test_nan_equals_nothing_and_zeros_are_one() -> None:
    keys = np.array([np.nan, 0.0, 2.0, -0.0, np.nan, 2.0])
    assert np.array_equal(tolang.compile(NUMBERED.format("R"))(keys), [3, 1, 2, 1, 4, 2])


def test_the_first_of_equal_keys_stands_for_them() -> None:
    table = ToL.of([(5, 1.0), (2, 8.0), (5, 4.0), (2, 3.0)])
    firsts = tolang.compile("use tables\ntol t: [Z,R] [n]\ny := distinct(t, row -> row[1]')")(table)
    assert np.array_equal(np.asarray(firsts.columns[1]), [1.0, 8.0])


@pytest.mark.parametrize("name", KEYS)
def test_searches_are_numpys_for_all_that_is_there_beside_it_and_far_away(name: str) -> None:
    keys = np.asarray(KEYS[name])
    ends = np.iinfo(keys.dtype)
    beside = (keys[keys > ends.min] - 1, keys[keys < ends.max] + 1)
    wanted = np.concatenate([keys, *beside, np.array([ends.min, 0, ends.max], keys.dtype)])
    found = tolang.compile(SEARCHED)(keys, wanted)
    for column, side in zip(found.columns, ("left", "right"), strict=True):
        expected = np.searchsorted(np.sort(keys), wanted, side) + 1  # type: ignore[call-overload]
        assert np.array_equal(np.asarray(column), expected)


def test_it_is_told_when_a_table_is_taken() -> None:
    told = tolang.compile(NUMBERED.format("Z")).explain().full
    assert "if 4*n + 64 >= i_1 rank values" in told
    assert "rank values" not in tolang.compile(NUMBERED.format("R")).explain().full
    assert "search values" in tolang.compile(SEARCHED).explain().full
    assert "search values" not in tolang.compile(SEARCHED.replace("Z", "R")).explain().full
