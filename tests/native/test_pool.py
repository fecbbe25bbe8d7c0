"""Large blocks that are kept between runs: reused, bounded, and sound under threads."""

from __future__ import annotations

import ctypes
import resource
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from native.__main__ import header, sources
from tests.native.sanitized import RUNTIME, needs_a_compiler, sanitized

import tolang
from tolang.engines.cpu.runtime.memory import kept_memory
from tolang.engines.cpu.runtime.native import runtime_address

MEGABYTE = 1 << 20
Pool = tuple[Callable[[int], int], Callable[[int], None]]


@pytest.fixture
def pool() -> Pool:
    take = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int64)(runtime_address("tolang_take"))
    give = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(runtime_address("tolang_give"))
    return take, give


@pytest.fixture
def empty_pool() -> None:
    """A pool that keeps nothing yet: what tests before have given back would leave no room."""
    keep = ctypes.CFUNCTYPE(None, ctypes.c_int64)(runtime_address("tolang_pool_keep"))
    keep(0)
    keep(kept_memory())


def test_intermediate_code_is_of_these_sources() -> None:
    assert RUNTIME / "pool.c" in sources()
    for source in sources():
        made = source.with_suffix(".ll").read_text("utf-8")
        assert made.startswith(header(source)), f"{source.name} has changed: run `python -m native`"


def test_a_block_is_used_again(pool: Pool) -> None:
    take, give = pool
    odd = 5 * MEGABYTE + 4321  # as large as nothing that tests before this one have given back
    first = take(odd + 77)
    give(first)
    assert take(odd) == first  # almost as large, so it is the same
    other = take(odd)
    assert other != first
    give(first)
    small = take(2 * MEGABYTE)
    assert small != first  # a block that is much larger is left for others
    for memory in (other, small):
        give(memory)


def test_runs_of_one_program_take_no_new_memory() -> None:
    """A product whose accumulators rest in memory: without the pool each run has thousands of faults."""
    program = tolang.compile(
        "tol a: R [n,k]\ntol b: R [k,m]\nr := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])", engine="cpu"
    )
    a = np.ones((900, 900))
    for _ in range(4):
        program(a, a)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(3):
        program(a, a)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before < 300  # its result alone has 1,582 pages


def test_a_result_that_nobody_holds_is_memory_for_the_next(empty_pool: None) -> None:
    program = tolang.compile("tol x: f32 [n]\ny := map(x, v -> v + 1)", engine="cpu")
    x = np.zeros(40 * MEGABYTE // 4, np.float32)
    first = program(x)
    address = first.ctypes.data
    part = first[5:9]
    del first
    assert program(x).ctypes.data != address  # a part of it is held
    assert part.tolist() == [1, 1, 1, 1]
    del part
    held = [program(x) for _ in range(2)]  # both blocks that were given back, whichever is found first
    assert address in {one.ctypes.data for one in held}


def test_how_much_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOL_KEEP_MEMORY", "3")
    assert kept_memory() == 3_000_000
    monkeypatch.setenv("TOL_KEEP_MEMORY", "some")
    with pytest.raises(tolang.ToLangUsageError, match="TOL_KEEP_MEMORY"):
        kept_memory()
    monkeypatch.delenv("TOL_KEEP_MEMORY")
    assert 0 < kept_memory() <= 256 * MEGABYTE


@needs_a_compiler
@pytest.mark.parametrize("sanitizer", ["thread", "address"])
def test_under_a_sanitizer(sanitizer: str, tmp_path: Path) -> None:
    driver = Path(__file__).parent / "pool_driver.c"
    assert sanitized(sanitizer, [driver, RUNTIME / "pool.c"], tmp_path) == "0\n"
