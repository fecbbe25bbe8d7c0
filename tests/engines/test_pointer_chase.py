"""Walks of several points in turns: against Python, and errors as the interpreter tells them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tolang
from tolang.idioms.pointer_chase import ABREAST

Array = NDArray[Any]

LENGTHS = (0, 1, ABREAST - 1, ABREAST, ABREAST + 1, 3 * ABREAST + 5)
RING = "tol next: i32 [n]\ntol start: i32 [k]\ntol turns: R [t]\nr := map(start, reduce(tol[t], (s,e) -> next[s], *))"
SEARCH = """\
tol sorted: R [n]
tol wanted: R [k]
middle(s) = floor((s[1]' + s[2]') / 2)
step(s, w) = if s[1]' >= s[2]' then s else if sorted[middle(s)] < w then (middle(s) + 1, s[2]') else (s[1]', middle(s))
r := map(wanted, reduce(tol[8], (s,e) -> step(s, *), (1,n))[1]')
"""
AUTOMATON = """\
tol table: i32 [states,signs]
tol words: i32 [k,length]
r := map(tol[k], reduce(words[i], (s,e) -> table[s,e], 1), i)
"""
SIDES = """\
tol x: R [n]
tol yes: i32 [n]
tol no: i32 [n]
tol start: i32 [k]
r := map(start, reduce(tol[6], (s,e) -> if x[s] > 0 then yes[s] else no[s], *))
"""


def compiled(source: str) -> Any:
    """A program that runs by pointer chase, which its plan says."""
    program = tolang.compile(source, engine="cpu", fallback=False)
    assert re.search(rf"by pointer chase \(\S+ interleave {ABREAST}\)", program.explain().full)
    return program


@pytest.mark.parametrize("length", LENGTHS)
def test_points_go_round_a_ring(length: int) -> None:
    program = compiled(RING)
    start = 1 + np.arange(length, dtype=np.int32) % 11
    following = np.roll(np.arange(1, 12, dtype=np.int32), -1)
    for turns in (0, 1, 25):
        np.testing.assert_array_equal(program(following, start, np.ones(turns)), (start - 1 + turns) % 11 + 1)


def test_each_point_follows_a_word_of_its_own() -> None:
    generator = np.random.default_rng(4)
    table = generator.integers(1, 6, (5, 3)).astype(np.int32)
    words = generator.integers(1, 4, (29, 17)).astype(np.int32)
    expected = []
    for word in words:
        state = 1
        for sign in word:
            state = table[state - 1, sign - 1]
        expected.append(state)
    np.testing.assert_array_equal(compiled(AUTOMATON)(table, words), expected)


def test_what_is_read_on_one_side_only_is_asked_for_on_that_side_only() -> None:
    """A coordinate outside is no error where the other side is taken, and one where it is."""
    program, x = compiled(SIDES), np.array([1.0, 1.0, -1.0])
    yes, no = np.array([2, 1, 99], np.int32), np.array([77, 77, 3], np.int32)
    start = np.resize(np.array([1, 2, 3], np.int32), 21)
    np.testing.assert_array_equal(program(x, yes, no, start), start)
    with pytest.raises(tolang.ToLangError) as caught:
        program(-x, yes, no, start)
    assert caught.value.code == "E513"


@pytest.mark.parametrize("place", [0, ABREAST - 1, 2 * ABREAST + 1])
def test_an_error_at_any_point_is_told_as_the_interpreter_does(place: int) -> None:
    start = np.ones(2 * ABREAST + 3, np.int32)
    start[place] = 12
    arguments = (np.arange(1, 12, dtype=np.int32), start, np.ones(3))
    told = []
    for program in (compiled(RING), tolang.compile(RING, engine="interpret")):
        with pytest.raises(tolang.ToLangError) as caught:
            program(*arguments)
        told.append(str(caught.value))
    assert "E513" in told[0]
    assert told[0] == told[1]


def test_nothing_is_read_of_what_has_no_elements() -> None:
    with pytest.raises(tolang.ToLangError) as caught:
        compiled(RING)(np.ones(0, np.int32), np.ones(20, np.int32), np.ones(1))
    assert caught.value.code == "E513"


def test_a_search_by_halves() -> None:
    numbers = np.sort(np.random.default_rng(6).random(100))
    wanted = np.append(numbers[::3], 0.5)
    program = tolang.compile(SEARCH, engine="cpu", fallback=False)
    np.testing.assert_array_equal(program(numbers, wanted), np.searchsorted(numbers, wanted) + 1)
