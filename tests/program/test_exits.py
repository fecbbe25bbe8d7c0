"""The end of a process: programs are compiled and run by threads and handlers that outlive it, and nothing is raised."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime import loaded, workers

PRODUCT = "tol a: f32 [n,k]\ntol b: f32 [k,m]\ny := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])"


def process(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_programs_run_while_the_interpreter_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOL_CACHE_DIR", "off")
    code = f"""
import atexit, threading, numpy, tolang
def work(k):
    return tolang.compile("tol x: R [n]\\ny := map(x, sin(*)*%d + 1)" % k, engine="cpu")(numpy.zeros(2)).tolist()
def after():
    threading.main_thread().join()
    print("thread", work(2), flush=True)
def beside():
    for k in range(3, 100): work(k)
atexit.register(lambda: print("handler", work(1), flush=True))
threading.Thread(target=after).start()
threading.Thread(target=beside, daemon=True).start()
print(tolang.compile({PRODUCT!r}, engine="cpu")(numpy.ones((9, 2), "f4"), numpy.ones((2, 3), "f4")).sum(), flush=True)
"""
    out, errors = process("-c", code).communicate(timeout=120)
    assert errors == ""
    assert out.splitlines() == ["54.0", "thread [1.0, 1.0]", "handler [1.0, 1.0]"]


def test_ctrl_c_while_the_interpreter_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels that few rows need are still being compiled when the result is there."""
    monkeypatch.setenv("TOL_CACHE_DIR", "off")
    (tmp_path / "p.tol").write_text(PRODUCT)
    started = process(
        "-m", "tolang", "run", str(tmp_path / "p.tol"), "a=[[1,2],[3,4]]", "b=[[1,2],[3,4]]", "--engine=cpu"
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "y: f32 [2,2]\n"
    for _ in range(3):
        started.send_signal(signal.SIGINT)
    _, errors = started.communicate(timeout=120)
    assert errors in ("", "Aborted!\n", "\nAborted!\n")
    assert started.returncode in (0, 130, -signal.SIGINT)


def test_where_no_thread_can_be_had_all_is_done_by_this_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setenv("TOL_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(threading.Thread, "start", refused)
    loaded.forget()
    program = tolang.compile(PRODUCT, engine="cpu")
    for rows in (9, 1):
        found = program(np.ones((rows, 2), np.float32), np.ones((2, 3), np.float32))
        assert found.tolist() == [[2.0] * 3] * rows


def test_outcomes_are_told_and_what_is_dropped_is_not_done() -> None:
    done: list[int] = []
    begun, ended = threading.Event(), threading.Event()

    def first() -> None:
        begun.set()
        ended.wait(60)

    def wrong() -> Any:
        raise ValueError("wrong")

    one = workers.WorkerThreads(1)
    held = one.submit(first)
    assert begun.wait(60)
    later = one.submit(done.append, 1)
    one.drop()
    again = one.submit(wrong)
    ended.set()
    assert held.result(60) is None
    assert later.cancelled()
    with pytest.raises(ValueError, match="wrong"):
        again.result(60)
    assert one.submit(lambda: 7).result(60) == 7
    assert not done
