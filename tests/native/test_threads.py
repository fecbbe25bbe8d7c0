"""The threads of compiled code: every piece done once, whoever opens regions, and under the sanitizers."""

from __future__ import annotations

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
from tolang.engines.cpu.plan.artifact import NOT_YET, STOPPED

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
tolang.set_threads(3)
found = []
for turn in range(3):
    time.sleep(0.02)
    if turn == 2:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    right = bool((program(x) == 1000).all())
    workers = threads() - before
    found.append([right, sorted(os.sched_getaffinity(0)), [sorted(os.sched_getaffinity(one)) for one in workers]])
print(json.dumps(found))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")
def test_workers_keep_off_the_processor_of_their_caller() -> None:
    """They may run wherever it may but for one place; where it may be at one place alone, they stay as they were."""
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < 2:
        pytest.skip("needs two processors")
    environment = {**os.environ, "TOL_COMPILE": "quick"}  # and so no thread that compiles
    command = [sys.executable, "-c", PLACES]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100, env=environment)
    found = json.loads(told.stdout)
    assert [own for _, own, _ in found] == [allowed, allowed, [max(allowed)]]
    for right, _, workers in found:
        assert right
        assert len(workers) == 2
        assert all(set(places) < set(allowed) and len(places) == len(allowed) - 1 for places in workers)
