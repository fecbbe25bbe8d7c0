"""Tables whose elements depend on their neighbours, computed along diagonals: every shape of table, every border."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime.native import use_memory

TABLE = """\
tol x: R [n]
tol z: R [p]
near(a, b, c) = log(exp(-a) + 2*exp(-b) + 3*exp(-c))
row(above, e, i) = reduce(z, (s,f,j) -> [s, e*f - near({reads}, s[j])], [e + i])
rows := reduce(x, row, map(tol[p+1], k/2, k))
"""


def table(x: Any, z: Any, right: bool) -> Any:
    """Element by element, in the order that is written; `right` where a neighbour of the row above is further on."""
    above = np.arange(1, len(z) + 2) / 2
    for i, e in enumerate(x, 1):
        row = [e + i]
        for j, f in enumerate(z):
            two = above[min(j + 2, len(z))] if right else above[j + 1]
            row.append(e * f - np.log(np.exp(-above[j]) + 2 * np.exp(-two) + 3 * np.exp(-row[j])))
        above = np.array(row)
    return above


@pytest.mark.parametrize("right", [False, True])
def test_tables_by_diagonals(right: bool) -> None:
    reads = "above[j], above[min(j+2,p+1)]" if right else "above[j], above[j+1]"
    program = tolang.compile(TABLE.format(reads=reads), engine="cpu", fallback=False)
    assert ("diagonals" in program.explain().full) == (not right)
    generator = np.random.default_rng(4)
    for n, p in ((0, 3), (3, 0), (1, 1), (1, 6), (6, 1), (5, 5), (4, 21), (21, 4)):
        x, z = generator.standard_normal(n), generator.standard_normal(p)
        assert np.allclose(program(x, z), table(x, z, right), rtol=1e-13), (n, p)


LEARNED = """\
tol x: R [n]
tol z: R [p]
tol start: R [p+1]
near(a, b, c) = -logsumexp(-[a,b,c])
row(above, e) = reduce(z, (s,f,j) -> [s, e*f + near(above[j], above[j+1], s[j])], [e])
loss := sum(reduce(x, row, start)^2)
"""


def learned(x: Any, z: Any, start: Any) -> Any:
    above = start
    for e in x:
        row = [e]
        for j, f in enumerate(z):
            row.append(e * f - np.log(np.exp(-above[j]) + np.exp(-above[j + 1]) + np.exp(-row[j])))
        above = np.array(row)
    return (above**2).sum()


def test_gradients_of_tables_by_diagonals() -> None:
    """Back along diagonals, too: by rows, columns and the row before the first, against differences.

    Tables along diagonals take no more memory than is announced, and about that.
    """
    gradient = tolang.compile(LEARNED).gradient("loss", ["x", "z", "start"])
    assert len(re.findall(r"repeat \[n \+ p \+ 1\]", gradient.explain().full)) == 2
    generator = np.random.default_rng(5)
    for n, p in ((0, 3), (3, 0), (1, 1), (1, 5), (5, 1), (4, 4), (3, 11), (11, 3)):
        data = [generator.standard_normal(length) for length in (n, p, p + 1)]
        for given, found in zip(data, gradient(*data).values(), strict=True):
            for place, slope in enumerate(found):
                ends = []
                for step in (1e-6, -2e-6):
                    given[place] += step
                    ends.append(learned(*data))
                given[place] += 1e-6
                assert np.isclose(slope, (ends[0] - ends[1]) / 2e-6, rtol=1e-6, atol=1e-7), (n, p, place)
    for n, p in ((60, 60), (90, 15), (15, 90)):
        data = [generator.standard_normal(length) for length in (n, p, p + 1)]
        announced = gradient.cost(n=n, p=p).memory
        assert isinstance(announced, int)
        with use_memory(announced):
            gradient(*data)
        with use_memory(announced * 2 // 3), pytest.raises(tolang.ToLangError, match="memory"):
            gradient(*data)
