"""Threads of compiled code: how many, from several Python threads at once, after a fork."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest

import tolang

PRODUCT = "tol a: R [n,k]\ntol b: R [k,m]\nc := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])"
SUMS = "tol a: R [n,m]\ny := map(tol[n], reduce(a[i], add, 0), [i])"


def product(**options: Any) -> tolang.Program:
    return tolang.compile(PRODUCT, engine="cpu", fallback=False, **options)


@pytest.mark.parametrize("threads", [1, 2, 5, 1000])
def test_any_number_gives_the_same(threads: int) -> None:
    a = np.random.default_rng(1).integers(0, 9, (300, 200)).astype(float)  # sums of whole numbers are exact
    assert np.array_equal(product(threads=threads)(a, a.T), a @ a.T)


def test_regions_in_quick_succession() -> None:
    """More threads than cores: some wake up when a region is over, and find the next one, or none."""
    a = np.random.default_rng(4).integers(0, 9, (8, 20000)).astype(float)
    sums = tolang.compile(SUMS, engine="cpu", fallback=False, threads=6)
    expected = a.sum(axis=1)
    assert all(np.array_equal(sums(a), expected) for _ in range(1000))


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True])
def test_no_number_of_threads(threads: Any) -> None:
    with pytest.raises(tolang.ToLangUsageError, match="not a number of threads") as error:
        product(threads=threads)
    assert error.value.code == "E605"
    with pytest.raises(tolang.ToLangUsageError, match="not a number of threads"):
        tolang.set_threads(threads)


def test_set_threads() -> None:
    a = np.arange(40000.0).reshape(200, 200)
    try:
        for number in (1, 3):
            tolang.set_threads(number)
            assert np.array_equal(product()(a, np.eye(200)), a)
    finally:
        tolang.set_threads(2)


@pytest.mark.parametrize("wanted", ["many", "0", "-2", "1.5"])
def test_environment_is_no_number(wanted: str) -> None:
    code = "import tolang\nprint(tolang.compile('tol x: R [n]\\ny := map(x, * * 2)', engine='cpu')([1.5]))"
    environment = {**os.environ, "TOL_NUM_THREADS": wanted}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert "TOL_NUM_THREADS is not a number of threads" in done.stderr
    assert f"found: {wanted}" in done.stderr


def test_programs_run_from_several_threads_at_once() -> None:
    rng = np.random.default_rng(2)
    a = rng.integers(0, 9, (220, 180)).astype(float)
    programs = [product(), tolang.compile(SUMS, engine="cpu", fallback=False), product(threads=1)]
    expected = [a @ a.T, a.sum(axis=1), a @ a.T]
    data = [(a, a.T), (a,), (a, a.T)]
    wrong: list[int] = []

    def work(number: int) -> None:
        results = [programs[number](*data[number]) for _ in range(30)]
        wrong.extend(number for one in results if not np.array_equal(one, expected[number]))

    workers = [threading.Thread(target=work, args=(number % 3,)) for number in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def _child(connection: Any, program: tolang.Program, a: Any) -> None:
    connection.send(program(a, a.T).tolist())
    connection.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_has_workers_of_its_own() -> None:
    a = np.random.default_rng(3).integers(0, 9, (300, 40)).astype(float)
    program = product(threads=2)
    expected = (a @ a.T).tolist()
    assert program(a, a.T).tolist() == expected
    context = multiprocessing.get_context("fork")
    for _ in range(3):
        here, there = context.Pipe()
        child = context.Process(target=_child, args=(there, program, a))
        child.start()
        assert here.poll(60)
        assert here.recv() == expected
        child.join(60)
        assert child.exitcode == 0
    assert program(a, a.T).tolist() == expected


def test_threads_of_a_program_that_is_all_interpreted() -> None:
    code = "import tolang; print(tolang.compile('tol q: Q\\ny := q / 3', threads=1)(2))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "2/3"
