"""Calls with the same types and shapes again are short ones, and no less right: whatever differs goes the long way."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.plan import array_calls
from tolang.engines.cpu.plan.calling import Repeated
from tolang.engines.cpu.runtime.loaded import forget
from tolang.engines.cpu.runtime.tier_up import improvements_end
from tolang.program import short_calls


class Own(np.ndarray[Any, Any]):
    """Arrays of a type that somebody made."""


SHORTEST = Repeated.shortest.fget  # type: ignore[attr-defined]  # it is a property
PRODUCT = "tol a: f32 [n,k]\ntol b: f32 [k,m]\nr := map(tol[n,m], reduce(map(tol[k], a[i,p]*b[p,j], p), add, 0), [i,j])"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each short call that was tried gave a result."""
    tried: list[bool] = []
    known: dict[Repeated, Callable[..., Any]] = {}

    def noting(self: Repeated) -> Callable[..., Any]:
        return known.setdefault(self, noting_once(SHORTEST(self)))

    def noting_once(whole: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*arrays: Any) -> Any:
            found = whole(*arrays)
            tried.append(found is not None)
            return found

        return noted

    monkeypatch.setattr(Repeated, "shortest", property(noting))
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
    assert np.array_equal(program(a, a.T), a @ a.T)  # not one after the other in memory: with a copy
    assert short == [False, True]
    short.clear()
    assert np.array_equal(program(a[:2], a.T.copy()), a[:2] @ a.T)
    assert np.array_equal(program(a.astype("f8"), a.T.copy()), a @ a.T)
    assert np.array_equal(program(a.tolist(), a.T.copy()), a @ a.T)
    assert np.array_equal(program(a.astype(">f4"), a.T.copy()), a @ a.T)
    with pytest.raises(tolang.ToLangError):
        program(a)
    with pytest.raises(tolang.ToLangError):
        program(a, a)
    assert not any(short)


def test_numbers_and_other_shapes_are_short_too(short: list[bool]) -> None:
    program = tolang.compile("tol x: f32 [n]\ntol k: f32\nr := map(x, * * k)", engine="cpu")
    several = [np.arange(length, dtype=np.float32) for length in (3, 5, 4)]
    for _ in range(3):
        for x in several:
            assert np.array_equal(program(x, k=0.5), x / 2)
    short.clear()
    for number in (2.5, 0.1, 3, 2, np.float64(0.3), np.float32(0.7)):
        for x in several:
            for _ in range(3):
                assert np.array_equal(program(x, number), x * np.float32(number))
    # of a class that was not met the first call makes a plan, and with each shape the two that follow what is short then
    assert short.count(True) == 18 + (3 + 4 + 4) + (0 + 1 + 1) + (0 + 1 + 1)


def test_functions_are_called_as_shortly(short: list[bool]) -> None:
    source = "tol w: f32 [m]\nscaled(x, k) := map(x, * * k)\nof_two(x, y) := map(x, * + y[k], k)\nwith_input(x) := map(x, * + w[k], k)"
    program = tolang.compile(source, engine="cpu")
    x = np.arange(3, dtype=np.float32)
    assert program.of_two is program.of_two
    for k in range(5):
        assert np.array_equal(program.of_two(x, x * k), x * (1 + k))
        assert np.array_equal(program.of_two(y=x, x=x), x + x)
    assert short == [True] * 3
    short.clear()
    for factor in (2, 2, 2, 3, 3, 0.5, 0.5, 0.5, 0.25):  # whole numbers are known while checking, others are data
        assert np.array_equal(program.scaled(x, factor), x * np.float32(factor))
    for _ in range(4):
        assert np.array_equal(program.with_input(x, w=2 * x), 3 * x)
        assert np.array_equal(program.scaled(x, np.float32(4)), 4 * x)
    assert not short
    one = np.ones(1, np.float32)
    for _ in range(4):
        assert np.array_equal(program.of_two(one, one), [2])
        assert np.array_equal(program.of_two(x, x + 1), 2 * x + 1)
        assert program.of_two(x.astype("f8"), x).dtype == np.float64
        with pytest.raises(tolang.ToLangError):
            program.of_two(x)
    assert program.of_two(x, x, seed=3).tolist() == (2 * x).tolist()


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
    assert short == [True] * 2
    with pytest.raises(tolang.ToLangError, match=r"E501: -2 at \[2\] of k is not in N"):
        program(np.array([1, -2]))
    assert short == [True] * 2
    assert program(np.array([1, 5])).tolist() == [2, 6]
    with pytest.raises(tolang.ToLangError):
        program()
    part = tolang.compile("space part: R [0,1]\ntol x: R [n]\ntol k: part [n]\nr := map(x, * * k[*])", engine="cpu")
    x, k = np.arange(3.0), np.array([0, 0.5, 1])
    for wrong in (1.5, -0.25, np.nan):
        for _ in range(3):
            assert part(x, k).tolist() == [0, 0.5, 2]
        with pytest.raises(tolang.ToLangError, match="E501"):
            part(x, np.array([0, wrong, 1]))


ODD: tuple[Any, ...] = (
    ["a", "b"], None, {"x": 1}, object(), np.array(["a"]), np.array([{}]), np.array([1 + 2j]), "abc", b"x", [[1], [2, 3]],
    np.array([1.5]), np.datetime64("2020-01-01"), np.array(["2020-01-01"], dtype="M8[D]"), 5, float("nan"), [], range(3),
)  # fmt: skip


@pytest.mark.parametrize("space", ["N", "f64", "R"])
def test_whatever_is_given_is_told_as_in_the_first_call(space: str) -> None:
    source = f"tol k: {space} [m]\nr := map(k, * + 1)\nf(v) := map(v, * + 1)"
    program = tolang.compile(source, engine="cpu")
    kept = np.array([1, 2], np.int64 if space == "N" else np.float64)

    def told(call: Callable[..., Any], odd: Any) -> str:
        try:
            return repr(call(odd))
        except tolang.ToLangError as error:
            return str(error)

    for odd in ODD:
        fresh = tolang.compile(source, engine="cpu")
        for _ in range(4):
            program(kept)
            program.f(kept)
        assert told(program, odd) == told(fresh, odd)
        assert told(program.f, odd) == told(fresh.f, odd)


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


@pytest.mark.parametrize("native", [True, False])
def test_with_native_code_and_without(native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_calls, "_knows_arrays", lambda: native)
    program = tolang.compile(PRODUCT, engine="cpu")
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    for factor in range(1, 6):
        found = program(factor * a, a.T.copy())
        assert np.array_equal(found, factor * a @ a.T)
        assert found.flags.writeable
        assert found.flags.c_contiguous
        assert found.dtype is np.dtype(np.float32)
    assert (type(program._short.latest) is Repeated) is not native
    alone = tolang.compile("tol x: f32 [n]\ns := reduce(x, max, 0)", engine="cpu")
    sums: list[Any] = [alone(np.full(3, factor, np.float32)) for factor in range(5)]
    assert sums == [0, 1, 2, 3, 4]
    assert {type(one) for one in sums} == {np.float32}


@pytest.mark.parametrize("native", [True, False])
def test_several_results(native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_calls, "_knows_arrays", lambda: native)
    source = (
        "tol x: f32 [n]\nkeep(v) = v > 0\nkept := filter(x, keep)\nsum := reduce(x, add, 0)\nlarge := map(x, * > 2)"
    )
    program = tolang.compile(source, engine="cpu")
    for factor in (1, -1, 2, 0, -1, 3):
        x = np.array([1, 2, -1], np.float32) * factor
        found: Any = program(x)
        assert list(found) == ["kept", "sum", "large"]
        assert np.array_equal(found["kept"], x[x > 0])
        assert np.array_equal(found["large"], x > 2)
        assert found["sum"] == 2 * factor
        assert (found["kept"].dtype, found["large"].dtype, type(found["sum"])) == (np.float32, np.bool_, np.float32)
    assert (type(program._short.latest) is Repeated) is not native
    slopes = tolang.compile("tol x: f64 [n]\ny := reduce(map(x, *^2), add, 0)").gradient("y", "x", value=True)
    for factor in range(5):
        pair: Any = slopes(np.full(3, float(factor)))
        assert (pair["y"], pair["d_x"].tolist()) == (3 * factor**2, [2 * factor] * 3)


NUMBERS: tuple[Any, ...] = (
    3.0, 0.1, -0.0, 1e300, 3e-46, float("nan"), float("inf"), 3, -3, 2**24 + 1, 2**53 + 1, -(2**60) - 1, 2**63 - 1, 2**63, 2**70,
    -(2**63), True, np.float32(0.1), np.float64(0.1), np.float64(1e300), np.int64(2**53 + 1), np.int64(-7), np.int32(7),
    np.array(3), np.array(0.1), np.array(0.1, "f4"), [2.5],
)  # fmt: skip


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("space", ["f32", "f64", "R", "R+", "i64", "i32", "Z", "N", "f16", "C", "part", "byte"])
def test_numbers_beside_arrays(space: str, native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number is the same at every call, however short that is; in whatever order numbers of other classes come."""
    monkeypatch.setattr(array_calls, "_knows_arrays", lambda: native)
    source = f"space part: R [0,1]\nspace byte: N [0,255]\ntol x: f32 [n]\ntol k: {space}\nr := map(x, * + 1)\ns := k"
    program = tolang.compile(source, engine="cpu")
    x = np.arange(3, dtype=np.float32)

    def told(own: tolang.Program, number: Any) -> str:
        try:
            found = own(x, k=number)
        except tolang.ToLangError as error:
            return str(error)
        assert np.array_equal(found["r"], x + 1)
        return f"{type(found['s']).__name__} {found['s']!r}"

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first = [told(tolang.compile(source, engine="cpu"), one) for one in NUMBERS]
        for number, expected in zip(NUMBERS, first, strict=True):
            assert [told(program, number) for _ in range(4)] == [expected] * 4
        assert [told(program, one) for one in NUMBERS] == first


def test_native_code_looks_at_all_that_it_is_given() -> None:
    program = tolang.compile(PRODUCT, engine="cpu")
    a, b = np.ones((3, 4), np.float32), np.ones((4, 3), np.float32)
    for _ in range(3):
        program(a, b)
    short = program._short.latest
    assert short is not None
    assert np.array_equal(short(a, b), np.full((3, 3), 4, np.float32))
    other = np.ones((2, 4, 3), np.float32)
    big = b.astype(">f4")
    several: list[tuple[Any, ...]] = [(), (a,), (a, b, b), (a, None), (a, 1.5), (a, [b]), (a, b.tolist()), (a, b.T)]
    several += [
        (a, other),
        (a, big),
        (a, other[:, :, ::2]),
        (a, b[1:]),
        (a, b.astype(np.float64)),
        (a, memoryview(b.data)),
    ]
    for wrong in [*several, (a, b.view(Own))]:
        assert short(*wrong) is None
    with pytest.raises(TypeError):
        short(a, b=b)


def test_results_own_their_memory_and_give_it_back() -> None:
    resource = pytest.importorskip("resource")
    program = tolang.compile("tol x: f32 [n]\nr := map(x, * + 1)", engine="cpu")
    x = np.zeros(1 << 21, np.float32)
    kept = [program(x) for _ in range(4)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    addresses = {program(x).ctypes.data for _ in range(200)}
    assert len(addresses) < 20  # what is given back is taken again
    unit = 1 if sys.platform == "darwin" else 1024
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit < 40 * x.nbytes
    part = kept[-1][5:]
    kept.clear()
    program(x + 1)
    assert np.array_equal(part, np.ones(x.size - 5, np.float32))


def test_code_lives_as_long_as_what_calls_it() -> None:
    program = tolang.compile("tol x: f32 [n]\nr := map(x, * * 3 + 0.625)", engine="cpu")
    x = np.arange(5, dtype=np.float32)
    for _ in range(3):
        program(x)
    short = program._short.latest
    assert short is not None
    del program
    forget()
    gc.collect()
    for _ in range(3):
        tolang.compile("tol x: f32 [n]\nr := map(x, * * 5 - 0.125)", engine="cpu")(x)
    assert np.array_equal(short(x), x * 3 + np.float32(0.625))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
def test_a_short_call_is_interrupted_and_works_again() -> None:
    source = PRODUCT.replace("a[i,p]*b[p,j]", "sin(a[i,p]*b[p,j])")
    program = tolang.compile(source, engine="cpu")
    a = np.linspace(0, 1, 640 * 640, dtype=np.float32).reshape(640, 640)
    expected = [program(a, a) for _ in range(3)][-1]
    improvements_end()
    begin = time.perf_counter()
    assert np.array_equal(program(a, a), expected)
    took = time.perf_counter() - begin

    def stop(*_: object) -> None:
        raise TimeoutError

    def called_for_long() -> None:
        for _ in range(20):
            program(a, a)

    before = signal.signal(signal.SIGALRM, stop)
    try:
        for _ in range(3):
            signal.setitimer(signal.ITIMER_REAL, took / 4)
            with pytest.raises(TimeoutError):
                called_for_long()
            signal.setitimer(signal.ITIMER_REAL, 0)
            assert np.array_equal(program(a, a), expected)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert type(program._short.latest).__name__ == "builtin_function_or_method"


def of_threads(call: Callable[[int, list[int]], None]) -> list[int]:
    """What four threads put into a list that call at once, each with its number; what one raises is raised."""
    wrong: list[int] = []
    with ThreadPoolExecutor(4) as pool:
        for one in [pool.submit(call, k, wrong) for k in range(4)]:
            one.result()
    return wrong


@pytest.mark.parametrize("most", [1, 2, short_calls.MOST])
def test_threads_that_change_what_is_called(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(short_calls, "MOST", most)
    program = tolang.compile("tol x: f32 [n]\nr := map(x, * * 2 + 1)", engine="cpu")

    def call(number: int, wrong: list[int]) -> None:
        x = np.full(100 + number, number, np.float32)
        for _ in range(300):
            wrong.extend(number for _ in range(3) if not np.array_equal(program(x), 2 * x + 1))

    assert not of_threads(call)


AT_ONCE = """
import threading
import numpy as np
import tolang

programs = [tolang.compile(f"tol x: f32 [n]\\nr := map(x, * * {k} + 1)", engine="cpu") for k in range(6)]
x, barrier, wrong = np.ones(100, np.float32), threading.Barrier(6), []

def call(number):
    for _ in range(2):
        programs[number](x)
    barrier.wait()
    for _ in range(50):
        if not np.array_equal(programs[number](x), x * number + 1):
            wrong.append(number)

threads = [threading.Thread(target=call, args=(k,)) for k in range(6)]
for one in threads:
    one.start()
for one in threads:
    one.join()
assert not wrong
"""


def test_the_first_short_calls_of_a_process_may_come_at_once() -> None:
    """What all of them need is made by whichever thread is first, and stays; it was lost once, and the process with it."""
    for _ in range(3):
        subprocess.run([sys.executable, "-c", AT_ONCE], check=True, timeout=100)


def test_several_threads_at_once() -> None:
    program = tolang.compile("tol x: f32 [n]\nr := map(x, * * 2 + 1)", engine="cpu")

    def call(number: int, wrong: list[int]) -> None:
        x = np.full(1000, number, np.float32)
        wrong.extend(number for _ in range(200) if not np.array_equal(program(x), 2 * x + 1))

    assert not of_threads(call)
