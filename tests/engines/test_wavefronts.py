"""Tables whose elements depend on their neighbours, computed along diagonals: every shape of table, every border."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang

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
    assert ("diagonals" in program.explain()) == (not right)
    generator = np.random.default_rng(4)
    for n, p in ((0, 3), (3, 0), (1, 1), (1, 6), (6, 1), (5, 5), (4, 21), (21, 4)):
        x, z = generator.standard_normal(n), generator.standard_normal(p)
        assert np.allclose(program(x, z), table(x, z, right), rtol=1e-13), (n, p)
