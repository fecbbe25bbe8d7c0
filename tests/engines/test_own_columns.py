"""Columns that each thread packs for itself: in rooms of their own, whoever joins, and however strips are cut."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import numpy as np

import tolang

PRODUCT = (
    "tol a: f32 [n,k]\ntol b: f32 [k,m]\nc := map(tol[n,m], reduce(map(tol[k], a[i,p] * b[p,j], p), add, 0), [i,j])"
)
STRIPS = f"""
import numpy as np, tolang

source = {PRODUCT!r}
generator = np.random.default_rng(1)
for threads in (3, 5):
    program = tolang.compile(source, engine="cpu", fallback=False, threads=threads)
    for n, m, k in [(160, 640, 60), (200, 832, 60), (130, 1200, 90), (260, 770, 64), (250, 896, 130), (300, 200, 1500), (60, 64, 9)]:
        a, b = (generator.standard_normal(shape).astype(np.float32) for shape in ((n, k), (k, m)))
        expected = a.astype("f8") @ b
        for _ in range(40):  # who helps whom is different each time
            assert np.allclose(program(a, b), expected, rtol=1e-3, atol=1e-3), (threads, n, m, k)
print("equal")
"""


def test_strips_whose_groups_are_of_different_sizes() -> None:
    """Caches as small as these make strips of eight panels: with three threads those are groups of one, six of two."""
    environment = os.environ | {"TOL_CACHES": "32K,2M,1M"}
    found = subprocess.run(
        [sys.executable, "-c", STRIPS], env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert found.stdout == "equal\n", found.stderr


def test_threads_that_come_while_a_product_runs() -> None:
    """Whoever joins after rooms were counted has memory of its own."""
    generator = np.random.default_rng(2)
    a, b = (generator.standard_normal(shape).astype(np.float32) for shape in ((200, 300), (300, 256)))
    expected, program = a.astype("f8") @ b, tolang.compile(PRODUCT, engine="cpu", fallback=False)
    ended = threading.Event()

    def change() -> None:
        while not ended.is_set():
            for number in (1, 4, 2, 7):
                tolang.set_threads(number)
                time.sleep(1e-4)

    other = threading.Thread(target=change)
    other.start()
    try:
        for _ in range(100):
            np.testing.assert_allclose(program(a, b), expected, rtol=1e-3, atol=1e-3)
    finally:
        ended.set()
        other.join()
        tolang.set_threads(2)
