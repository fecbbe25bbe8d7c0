"""The generator against the known answers of Random123, and its numbers against chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tolang.ground.values.random import draw, philox, uniform

KNOWN_ANSWERS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
"""kat_vectors of Random123, philox4x32 with 10 rounds."""


def words(*values: int) -> tuple[np.ndarray[Any, Any], ...]:
    return tuple(np.asarray(value, dtype=np.uint64) for value in values)


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN_ANSWERS)
def test_known_answers(counter: tuple[int, ...], key: tuple[int, int], answer: tuple[int, ...]) -> None:
    c0, c1, c2, c3 = words(*counter)
    assert tuple(int(one) for one in philox((c0, c1, c2, c3), key)) == answer


def test_the_stated_scheme() -> None:
    seed, site, x = 0x0123456789ABCDEF, 0x1122334455667788, (5, 2**40 + 3, 7)
    key = (0x89ABCDEF, 0x01234567)
    a, b, c, d = words(0x55667788, 0x11223344, 3, 0)
    state = philox((a, b, c, d), key)
    for pair in ((5, 0, 3, 2**8), (7, 0, 0, 0)):
        p, q, r, s = words(*(int(one) ^ other for one, other in zip(state, pair, strict=True)))
        state = philox((p, q, r, s), key)
    s0, s1 = int(state[0]), int(state[1])
    assert float(uniform(seed, site, x)) == ((s0 >> 5) * 2**26 + (s1 >> 6)) / 2**53
    assert float(uniform(seed, site, x, "f32")) == (s0 >> 8) / 2**24
    assert float(uniform(seed, site, x, "f16")) == (s0 >> 21) / 2**11
    assert float(uniform(seed, site, x, "bf16")) == (s0 >> 24) / 2**8


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.lists(st.integers(1, 2**62), max_size=5))
def test_numbers_are_a_pure_function(seed: int, site: int, coordinates: list[int]) -> None:
    arrays = [np.array([one, one + 1]) for one in coordinates]
    one_by_one = uniform(seed, site, coordinates)
    assert 0 <= float(one_by_one) < 1
    together = uniform(seed, site, arrays)
    assert together.shape == ((2,) if arrays else ())
    assert together.reshape(-1)[0] == one_by_one


def test_coordinates_broadcast() -> None:
    grid = uniform(3, 4, [np.arange(1, 6)[:, None], np.arange(1, 8)], "f32")
    assert grid.shape == (5, 7)
    assert grid.dtype == np.float32
    assert grid[2, 4] == uniform(3, 4, [3, 5], "f32")


def test_numbers_look_like_chance() -> None:
    count = 1 << 20
    numbers = uniform(42, 7, [np.arange(1, count + 1)])
    assert abs(numbers.mean() - 0.5) < 5 / np.sqrt(12 * count)
    buckets = np.bincount((numbers * 256).astype(int), minlength=256)
    expected = count / 256
    chi_square = float(((buckets - expected) ** 2 / expected).sum())
    assert 255 - 6 * np.sqrt(510) < chi_square < 255 + 6 * np.sqrt(510)
    assert abs(np.corrcoef(numbers[:-1], numbers[1:])[0, 1]) < 5 / np.sqrt(count)
    assert len(np.unique(numbers)) == count


def test_sites_seeds_and_lengths_are_apart() -> None:
    along = np.arange(1, 10001)
    streams = [
        uniform(1, 1, [along]), uniform(2, 1, [along]), uniform(1, 2, [along]), uniform(1, 1, [along, 0]),
        uniform(1, 1, [0, along]), uniform(1 << 32, 1, [along]), uniform(1, 1, [along, 1, 1]),
    ]  # fmt: skip
    correlations = np.corrcoef(streams) - np.eye(len(streams))
    assert np.abs(correlations).max() < 0.06


def test_every_bit_of_the_state_is_used() -> None:
    assert len({tuple(int(w) for w in draw(1, 1, [k])) for k in range(100)}) == 100
