"""Code that is ready soon, and fast where it is called again: the same results from both, whatever happens meanwhile."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from ctypes import CFUNCTYPE, c_int64
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.engine import CpuExecutable
from tolang.engines.cpu.runtime import loaded
from tolang.engines.cpu.runtime.native import MachineCode, machine_code
from tolang.engines.cpu.runtime.tier_up import improvements_end
from tolang.engines.cpu.runtime.workers import SOON, Alternating
from tolang.engines.cpu.translation import plan_of
from tolang.ground.values.values import ToL
from tolang.plan.work import work_of

SOURCE = """\
tol x: f32 [n,m]
soft(v) = { top = reduce(v, max, -Inf); e = map(v, exp(* - top)); s = reduce(e, add, 0); map(e, * / s) }
y := map(tol[n], soft(x[i]), i)
"""
PRODUCT = "tol a: f32 [n,k]\ntol b: f32 [k,m]\ny := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])"


@pytest.fixture(autouse=True)
def tiers(monkeypatch: pytest.MonkeyPatch) -> None:
    """As users have it, and nothing is kept."""
    improvements_end()
    monkeypatch.delenv("TOL_COMPILE", raising=False)
    monkeypatch.setenv("TOL_CACHE_DIR", "off")
    loaded.forget()


def numbers(*shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(1).standard_normal(shape).astype(np.float32)


def made(n: int, m: int) -> CpuExecutable:
    return CpuExecutable(tolang.compile(SOURCE).core, sizes={"n": n, "m": m})


def softmax(executable: CpuExecutable, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    (found,) = executable.run({"x": ToL.of(x)}, dict(zip("nm", x.shape, strict=True)))
    return np.asarray(found.columns[0])


def are_fast(executable: CpuExecutable) -> list[bool]:
    return [one.source is None for one in executable.kernels if one.code is not None]


def test_a_first_call_is_ready_soon_and_the_second_asks_for_fast_code_of_the_same_bits() -> None:
    executable, x = made(30, 41), numbers(30, 41)
    first = softmax(executable, x)
    assert not any(are_fast(executable))
    softmax(executable, x)
    improvements_end()
    assert all(are_fast(executable))
    assert softmax(executable, x).tobytes() == first.tobytes()
    reference = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(first, reference / reference.sum(1, keepdims=True), rtol=1e-5)


def test_much_work_is_not_done_by_slow_code_in_the_first_call_or_later() -> None:
    assert all(are_fast(made(10**7, 41)))
    loaded.forget()
    executable = made(3, 5)
    assert not any(are_fast(executable))
    executable._improve_for({"n": 10**7, "m": 41})
    assert all(are_fast(executable))


def test_what_other_sizes_need_is_made_fast_too_where_it_is_called_again() -> None:
    executable = CpuExecutable(tolang.compile(PRODUCT).core, sizes={"n": 2, "k": 30, "m": 40})

    def run(n: int) -> None:
        for _ in range(2):
            a, b = numbers(n, 30), numbers(30, 40)
            (found,) = executable.run({"a": ToL.of(a), "b": ToL.of(b)}, {"n": n, "k": 30, "m": 40})
            np.testing.assert_allclose(np.asarray(found.columns[0]), a @ b, rtol=1e-4, atol=1e-5)
        improvements_end()

    run(2)
    before = are_fast(executable)
    run(50)
    after = are_fast(executable)
    assert len(after) > len(before)
    assert all(after)


def test_calls_of_a_program_go_on_while_it_is_improved() -> None:
    program, x = tolang.compile(SOURCE), numbers(20, 33)
    results = {np.asarray(program(x)).tobytes() for _ in range(300)}
    improvements_end()
    results.add(np.asarray(program(x)).tobytes())
    assert len(results) == 1


@pytest.mark.parametrize(("level", "fast"), [("full", True), ("quick", True), ("", False)])
def test_a_level_can_be_asked_for(level: str, fast: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOL_COMPILE", level)
    executable = made(4, 4)
    softmax(executable, numbers(4, 4))
    assert all(are_fast(executable)) is fast
    softmax(executable, numbers(4, 4))
    improvements_end()
    assert all(are_fast(executable))


def test_code_that_was_ready_soon_is_kept_with_what_better_code_is_made_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOL_CACHE_DIR", str(tmp_path))
    first, x = made(6, 7), numbers(6, 7)
    expected = softmax(first, x)
    assert {path.suffix for path in tmp_path.iterdir()} >= {".soon"}
    loaded.forget()
    again = CpuExecutable(tolang.compile(SOURCE).core, artifact=first.artifact)
    assert not any(are_fast(again))
    for _ in range(2):
        assert softmax(again, x).tobytes() == expected.tobytes()
    improvements_end()
    assert all(are_fast(again))
    loaded.forget()
    assert all(are_fast(CpuExecutable(tolang.compile(SOURCE).core, artifact=first.artifact)))


@pytest.mark.parametrize("damage", [b"", b"[]\n", b"[[],false,7]\nnothing", b"[[],false,-1]\n\x7fELF"])
def test_what_is_damaged_is_compiled_again(damage: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tolang.store import cache

    monkeypatch.setenv("TOL_CACHE_DIR", str(tmp_path))
    first, x = made(6, 7), numbers(6, 7)
    expected = softmax(first, x)
    for kernel in first.kernels:
        cache.store(kernel.name, damage, cache.SOON)
    loaded.forget()
    again = CpuExecutable(tolang.compile(SOURCE).core, artifact=first.artifact, sizes={"n": 6, "m": 7})
    assert softmax(again, x).tobytes() == expected.tobytes()


def test_a_process_that_ends_does_not_wait_for_what_was_not_begun() -> None:
    """Many programs are called twice and then the process ends: only the one that is being compiled is waited for."""
    code = (
        "import time, atexit, numpy, tolang\n"
        "from tolang.engines.cpu.runtime import loaded, tier_up, workers\n"
        "atexit.unregister(workers._end)\n"
        "atexit.register(lambda: print(time.perf_counter() - end))\n"
        "atexit.register(workers._end)\n"
        "fast, tier_up._BESIDE = loaded.compiled, workers.WorkerThreads(1)\n"
        "loaded.compiled = lambda *given: (time.sleep(1), fast(*given))[1]\n"
        "for k in range(12):\n"
        f"    program = tolang.compile({SOURCE!r}.replace('exp(', f'exp({{k}}.5 + '))\n"
        "    program(numpy.ones((3, 4), 'f')), program(numpy.ones((3, 4), 'f'))\n"
        "end = time.perf_counter()\n"
    )
    environment = {key: value for key, value in os.environ.items() if key != "TOL_COMPILE"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert float(done.stdout) < 6  # seconds, of the twelve and more that all of them would take


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_goes_on_with_the_code_that_there_is() -> None:
    program, x = tolang.compile(SOURCE), numbers(8, 9)
    expected = np.asarray(program(x))
    program(x)
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=lambda: results.put([np.asarray(program(x)) for _ in range(3)]))
    child.start()
    for found in results.get(timeout=60):
        assert found.tobytes() == expected.tobytes()
    child.join(60)
    assert child.exitcode == 0
    improvements_end()
    assert np.asarray(program(x)).tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    ("source", "sizes", "least", "most"),
    [(PRODUCT, {"n": 100, "k": 50, "m": 20}, 2 * 10**5, 6 * 5 * 10**5),  # six branches, by rows and columns
     (SOURCE, {"n": 100, "m": 50}, (3 + 32) * 5000, (16 + 32) * 5000),
     ("tol x: R [n]\ny := map(x, reduce(x[1:i], (s,e) -> s*0.5 + e, *), i)", {"n": 1000}, 10**6, 8 * 10**6)],
)  # fmt: skip
def test_the_work_of_a_plan_is_about_its_operations(source: str, sizes: dict[str, int], least: int, most: int) -> None:
    """Between the operations of the definition, and those of all branches of a plan with what reading takes."""
    found = sum(work_of(step).evaluate(sizes) for step in plan_of(tolang.compile(source).core, False).plan.steps)
    assert least <= found <= most


def test_a_kernel_is_fast_from_the_start_where_all_its_calls_together_are_much_work() -> None:
    for layers, fast in ((1, False), (40, True)):
        loaded.forget()
        text = "".join(
            f"y{k + 1} {':=' if k + 1 == layers else '='} map(tol[n,n], reduce(map(y{k}[i], * * y{k}[*,j]), add, 0), [i,j])\n"
            for k in range(layers)
        )
        executable = CpuExecutable(tolang.compile("tol y0: f32 [n,n]\n" + text).core, sizes={"n": 300})
        assert any(are_fast(executable)) is fast


def test_the_work_of_a_copy_with_edges_is_known() -> None:
    """Lengths that are given names inside a step are as good as others."""
    source = (
        "tol x: f32 [c,n]\ntol k: f32 [m,c,3]\nat(q,y) = if y >= 1 and y <= n then x[q,y] else 0\n"
        "y := map(tol[m,n], reduce(map(tol[c,3], k[o,q,u] * at(q, y+u-2), [q,u]), add, 0), [o,y])"
    )
    executable = CpuExecutable(tolang.compile(source).core)
    assert None not in executable.artifact.work


@pytest.mark.parametrize(
    ("source", "fast"),
    [
        ("tol x: R [n]\nk = reduce(x, max, 0)\ny := map(tol[floor(k)], exp(i), i)", False),
        ("tol x: R [n]\nk = reduce(x, max, 0)\ny := reduce(tol[floor(k)], (s, e) -> s * 0.5 + sin(s), x[1])", True),
    ],
    ids=["lengths", "turns"],
)
def test_lengths_that_only_data_tell_are_taken_for_short_and_turns_for_many(source: str, fast: bool) -> None:
    executable = CpuExecutable(tolang.compile(source).core, sizes={"n": 9})
    assert any(are_fast(executable)) is fast
    x = np.linspace(1, 7, 9)
    (found,) = executable.run({"x": ToL.of(x)}, {"n": 9})
    (judged,) = CpuExecutable(tolang.compile(source).core).run({"x": ToL.of(x)}, {"n": 9})
    assert found.columns[0].tobytes() == judged.columns[0].tobytes()


def test_all_that_code_needs_gets_ready_in_the_background_once() -> None:
    loaded.get_ready()
    with ThreadPoolExecutor(4) as pool:
        addresses = set(pool.map(lambda _: loaded.walker_address(), range(8)))
    assert len(addresses) == 1


def test_several_modules_are_read_and_compiled_at_a_time_and_a_wrong_one_is_told() -> None:
    source = "define i64 @kernel() {{ ret i64 {0} }}"
    with ThreadPoolExecutor(4) as pool:
        codes = list(pool.map(lambda k: machine_code(source.format(k), k % 2 == 0, k % 3 == 0), range(24)))
    addresses = [(k, MachineCode(code, "kernel")) for k, code in enumerate(codes)]
    assert [CFUNCTYPE(c_int64)(one.address)() for _, one in addresses] == list(range(24))
    with pytest.raises(RuntimeError, match="cannot read"):
        machine_code("define i64 @kernel( {")


def test_threads_alternate_sooner_while_code_is_compiled_and_as_before_afterwards() -> None:
    before = sys.getswitchinterval()
    with Alternating():
        with Alternating():
            assert sys.getswitchinterval() <= SOON
        assert sys.getswitchinterval() <= SOON
    assert sys.getswitchinterval() == before


def test_how_threads_alternate_stays_as_somebody_else_wants_it() -> None:
    before = sys.getswitchinterval()
    try:
        with Alternating():
            sys.setswitchinterval(0.25)
        assert sys.getswitchinterval() == 0.25
    finally:
        sys.setswitchinterval(before)
