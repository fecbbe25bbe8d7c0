"""What contractions take beside operands and results is bounded, however large the caches are."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import numpy as np, tolang

def held(which):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(which))

source = "tol a: R[n,k]\\ntol b: R[k,m]\\nc := map(tol[n,m], reduce(map(tol[k], a[i,p] * b[p,j], p), add, 0), [i,j])"
program = tolang.compile(source, engine="cpu", fallback=False, threads=1)
program(np.ones((8, 8)), np.ones((8, 8)))
a, b = np.ones((4096, 512)), np.ones((512, 4096))
before = held("VmRSS")
c = program(a, b)
assert (c == 512).all()
print(held("VmHWM") - before - c.nbytes)
"""
MOST = 112 << 20
"""Panels, and the accumulators of all elements that rest between two cuts of the depth: 64 MiB of the 128 they have."""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is told by Linux")
def test_a_product_has_accumulators_of_a_strip_at_a_time() -> None:
    environment = os.environ | {"TOL_CACHES": "48K,512K,300M"}
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    assert 0 < int(found.stdout) < MOST
