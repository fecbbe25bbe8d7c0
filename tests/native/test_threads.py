"""The threads of compiled code: every piece done once, whoever opens regions, and under the sanitizers."""

from __future__ import annotations

import re
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
    assert sanitized(sanitizer, [DRIVER, RUNTIME / "threads.c", RUNTIME / "pool.c"], tmp_path) == "0\n"


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
