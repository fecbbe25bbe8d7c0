"""What a machine does at best: functions and bytes a second, the two lines of a roofline."""

from __future__ import annotations

import time
from collections.abc import Callable

from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import usage
from tolang.program.amounts import BALANCE

FLOPS, BANDWIDTH = 1e10 * BALANCE, 1e10
MEASURED = "measure"
_SIDE = 768
_BYTES = 64 * 10**6


@dataclass(frozen=True, slots=True)
class Peaks:
    """Functions a second, bytes a second, and where the figures come from."""

    flops: float
    bandwidth: float
    origin: str


def peaks_of(flops: str | None, bandwidth: str | None) -> Peaks:
    """The peaks that a call gives: amounts such as 3e12 or 200G, or `measure`; a round default otherwise."""
    top, where = _peak(flops, "--peak-flops", FLOPS, _measured_flops)
    wide, whence = _peak(bandwidth, "--peak-bandwidth", BANDWIDTH, _measured_bandwidth)
    return Peaks(top, wide, where if where == whence else f"functions {where}, bytes {whence}")


def _peak(text: str | None, option: str, usual: float, measured: Callable[[], float]) -> tuple[float, str]:
    from tolang.ground.reporting.quantities import amount

    if text is None:
        return usual, "assumed"
    if text == MEASURED:
        return measured(), "measured on this machine"
    found = amount(text, option)
    if not found:
        raise usage("E605", f"{option} is not a peak", found=text, expected="a number such as 3e12 or 200G, or measure")
    return float(found), "given"


def _measured_flops() -> float:
    """The rate of a product of matrices of 32-bit floats."""
    import numpy as np

    one = np.ones((_SIDE, _SIDE), np.float32)
    return 2.0 * _SIDE**3 / _best(lambda: one @ one)


def _measured_bandwidth() -> float:
    """The rate of a copy, which reads and writes."""
    import numpy as np

    source, goal = np.ones(_BYTES, np.uint8), np.ones(_BYTES, np.uint8)
    return 2.0 * _BYTES / _best(lambda: np.copyto(goal, source))


def _best(work: Callable[[], object], times: int = 5) -> float:
    """Seconds of the quickest of several runs."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)
