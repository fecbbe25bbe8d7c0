"""The threads of compiled code: every piece done once, whoever opens regions, and under the sanitizers."""

from __future__ import annotations

import ctypes
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from tests.native.sanitized import RUNTIME, needs_a_compiler, sanitized

import tolang
from tolang.engines.cpu.plan import array_calls, dlpack, xla_calls
from tolang.engines.cpu.plan.artifact import NOT_YET, STOPPED
from tolang.engines.cpu.plan.calling import Repeated
from tolang.engines.cpu.runtime import native
from tolang.engines.cpu.runtime.threads import MOST_THREADS

DRIVER = Path(__file__).parent / "threads_driver.c"


@needs_a_compiler
@pytest.mark.parametrize("sanitizer", ["thread", "address"])
def test_under_a_sanitizer(sanitizer: str, tmp_path: Path) -> None:
    assert (
        sanitized(sanitizer, [DRIVER, *(RUNTIME / name for name in ("threads.c", "processors.c", "pool.c"))], tmp_path)
        == "0\n"
    )


def test_numbers_of_faults_are_those_of_plans() -> None:
    text = (RUNTIME / "threads.c").read_text("utf-8")
    found = dict(re.findall(r"#define (STOPPED|UNREADY) \(\(1LL << 20\) - (\d)\)", text))
    assert {name: (1 << 20) - int(less) for name, less in found.items()} == {"STOPPED": STOPPED, "UNREADY": NOT_YET}
    assert [int(most) for most in re.findall(r"#define MOST (\d+)", text)] == [MOST_THREADS]


@pytest.mark.parametrize(
    ("file", "word", "most"),
    [
        ("arrays", "MOST", array_calls._MOST_REGISTERS),
        ("arrays", "MOST_INPUTS", array_calls._MOST_INPUTS),
        ("tensors", "MOST", dlpack._MOST_REGISTERS),
        ("xla", "MOST", xla_calls.MOST_ARRAYS),
        ("xla", "MOST_REGISTERS", xla_calls._MOST_REGISTERS),
    ],
)
def test_native_calls_have_room_for_what_python_gives_them(file: str, word: str, most: int) -> None:
    text = (RUNTIME / f"{file}.c").read_text("utf-8")
    assert [int(own) for own in re.findall(rf"#define {word} (\d+)", text)] == [most]


def test_several_python_threads_at_once() -> None:
    """Each has its regions, and all results are right."""
    program = tolang.compile("tol x: R [n,m]\nr := map(tol[n], reduce(x[i], add, 0), i)", engine="cpu", threads=4)
    data = [np.full((501, 301), float(number)) for number in range(6)]
    found: list[bool] = []

    def call(x: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
        found.extend(bool((program(x) == x[0, 0] * 301).all()) for _ in range(20))

    threads = [threading.Thread(target=call, args=(x,)) for x in data]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 120


PLACES = """
import json, os, time
import numpy as np
import tolang

def threads():
    return set(map(int, os.listdir("/proc/self/task")))

program = tolang.compile("tol x: R [n,m]\\nr := map(tol[n], reduce(x[i], add, 0), i)", engine="cpu")
x = np.ones((2000, 1000))
tolang.set_threads(1)
program(x)
time.sleep(0.1)  # whoever compiled is gone
before = threads()
allowed = sorted(os.sched_getaffinity(0))
found = []
for number, own in ((len(allowed), allowed), (len(allowed), allowed), (len(allowed) + 1, allowed), (len(allowed), allowed[:1])):
    time.sleep(0.02)  # workers sleep
    tolang.set_threads(number)
    os.sched_setaffinity(0, own)
    right = bool((program(x) == 1000).all())
    found.append([right, [sorted(os.sched_getaffinity(one)) for one in threads() - before]])
print(json.dumps(found))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")
def test_each_worker_has_a_processor_where_there_are_as_many() -> None:
    """One of its own, and none has that of the calling thread; else they run wherever they like."""
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < 2:
        pytest.skip("needs two processors")
    environment = {**os.environ, "TOL_COMPILE": "quick"}  # and so no thread that compiles

    def places(**more: str) -> list[tuple[bool, list[list[int]]]]:
        command, own = [sys.executable, "-c", PLACES], {**environment, **more}
        told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100, env=own)
        found: list[tuple[bool, list[list[int]]]] = json.loads(told.stdout)
        return found

    for _, workers in places(TOL_BIND_THREADS="0")[:2]:
        assert workers == [allowed] * (len(allowed) - 1)
    bound, again, one_more, narrow = places()
    assert all(right for right, _ in (bound, again, one_more, narrow))
    for _, workers in (bound, again):
        assert len(workers) == len(allowed) - 1
        assert [len(places) for places in workers] == [1] * len(workers)
        assert len({place for (place,) in workers} & set(allowed)) == len(workers)
    assert one_more[1] == [allowed] * len(allowed)
    assert narrow[1] == [allowed] * len(allowed)


@pytest.mark.parametrize("natively", [True, False], ids=["native code", "Python"])
def test_a_program_with_threads_of_its_own_is_called_as_shortly_again(
    natively: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third call with the same shapes is one of code, on the program's threads; what others run on stays."""
    seen: list[int] = []
    setter = ctypes.CFUNCTYPE(None, ctypes.c_int64)(seen.append)
    address = ctypes.cast(setter, ctypes.c_void_p).value
    monkeypatch.setattr(array_calls, "threads_by", lambda: (address, native.threads_by()[1]))
    if not natively:
        monkeypatch.setattr(array_calls, "_knows_arrays", lambda: False)
    program = tolang.compile("tol x: R [n]\nr := map(tol[n], x[i] + 1, i)", engine="cpu", fallback=False, threads=3)
    x = np.arange(5.0)
    for _ in range(4):
        assert program(x).tolist() == [1, 2, 3, 4, 5]
    short = program._short.known([x])
    assert isinstance(short, Repeated)
    assert (short.shortest is not short) == natively
    assert program.short_call([x]) is None, "what calls code directly would not set its threads"
    seen.clear()
    if not natively:
        monkeypatch.setattr(native._STATE["runtime"], "set_threads", seen.append)
    assert program(x)[0] == 1
    assert seen == [3, native._USUAL_THREADS.value]
    assert program(np.arange(3.0)).tolist() == [1, 2, 3], "other shapes take the ordinary call"
