"""Calls with the same types and shapes again are short ones, and no less right: whatever differs goes the long way."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.plan.calling import Repeated

PRODUCT = "tol a: f32 [n,k]\ntol b: f32 [k,m]\nr := map(tol[n,m], reduce(map(tol[k], a[i,p]*b[p,j], p), add, 0), [i,j])"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each short call that was tried gave a result."""
    tried: list[bool] = []
    whole = Repeated.__call__

    def noted(self: Repeated, arrays: Any) -> Any:
        found = whole(self, arrays)
        tried.append(found is not None)
        return found

    monkeypatch.setattr(Repeated, "__call__", noted)
    return tried


def test_the_third_call_is_short(short: list[bool]) -> None:
    program = tolang.compile(PRODUCT, engine="cpu")
    generator = np.random.default_rng(1)
    kept = []
    for _ in range(5):
        a, b = generator.random((5, 7), dtype=np.float32), generator.random((7, 3), dtype=np.float32)
        kept.append((program(a, b), a, b))
    assert short == [True] * 3
    for found, a, b in kept:  # results are of memory of their own
        np.testing.assert_allclose(found, a @ b, rtol=1e-5)


def test_calls_by_name_are_short_too(short: list[bool]) -> None:
    program = tolang.compile(PRODUCT, engine="cpu")
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    for _ in range(3):
        assert np.array_equal(program(b=a.T.copy(), a=a), a @ a.T)
        assert np.array_equal(program(a, b=a.T.copy()), a @ a.T)
    assert short == [True] * 4
    with pytest.raises(tolang.ToLangError):
        program(a, a=a)
    with pytest.raises(tolang.ToLangError):
        program(a, c=a)


def test_what_differs_goes_the_long_way(short: list[bool]) -> None:
    program = tolang.compile(PRODUCT, engine="cpu")
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    for _ in range(3):
        assert np.array_equal(program(a, a.T.copy()), a @ a.T)
    short.clear()
    assert np.array_equal(program(a, a.T), a @ a.T)  # not one after the other in memory
    assert np.array_equal(program(a[:2], a.T.copy()), a[:2] @ a.T)
    assert np.array_equal(program(a.astype("f8"), a.T.copy()), a @ a.T)
    assert np.array_equal(program(a.tolist(), a.T.copy()), a @ a.T)
    assert np.array_equal(program(a.astype(">f4"), a.T.copy()), a @ a.T)
    with pytest.raises(tolang.ToLangError):
        program(a)
    with pytest.raises(tolang.ToLangError):
        program(a, a)
    assert not any(short)


def test_errors_are_told_as_ever(short: list[bool]) -> None:
    program = tolang.compile("tol x: f32 [n]\ntol k: i64 [m]\nr := map(k, e -> x[e])", engine="cpu")
    x, k = np.arange(4, dtype=np.float32), np.array([1, 2, 4])
    for _ in range(3):
        assert program(x, k).tolist() == [0, 1, 3]
    with pytest.raises(tolang.ToLangError, match="E513"):
        program(x, np.array([1, 2, 5]))
    assert program(x, k).tolist() == [0, 1, 3]
    assert short == [True, False, True]


def test_values_are_held_against_their_spaces(short: list[bool]) -> None:
    program = tolang.compile("tol k: N [m]\nr := map(k, * + 1)", engine="cpu")
    for _ in range(4):
        assert program(np.array([1, 2])).tolist() == [2, 3]
    with pytest.raises(tolang.ToLangError, match=r"E50[12]"):
        program(np.array([1, -2]))
    assert not short


def test_seeds_several_outputs_and_numbers(short: list[bool]) -> None:
    program = tolang.compile("tol x: R [n]\nr := map(x, * + rand(1))", engine="cpu")
    x = np.zeros(5)
    first = program(x)
    assert all(np.array_equal(program(x), first) for _ in range(4))
    assert not np.array_equal(program(x, seed=3), first)
    both = tolang.compile("tol x: R [n]\ns := reduce(x, add, 0)\nt := map(x, (*, 2))", engine="cpu")
    for k in range(5):
        found = both(np.full(3, float(k)))
        assert found["s"] == 3 * k
        assert found["t"].columns[1].tolist() == [2, 2, 2]
    alone = tolang.compile("tol x: R [n]\ns := reduce(x, add, 0)", engine="cpu")
    assert [alone(np.full(3, float(k))) for k in range(5)] == [0, 3, 6, 9, 12]
    assert all(short)
    assert len(short) == 9


def test_several_threads_at_once() -> None:
    program = tolang.compile("tol x: f32 [n]\nr := map(x, * * 2 + 1)", engine="cpu")
    wrong: list[int] = []

    def call(number: int) -> None:
        x = np.full(1000, number, np.float32)
        wrong.extend(number for _ in range(200) if not np.array_equal(program(x), 2 * x + 1))

    threads = [threading.Thread(target=call, args=(k,)) for k in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not wrong
