"""Columns that threads look at: the least word of each, and copies, as NumPy finds and makes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime.columns import looked_at
from tolang.ground.values import records
from tolang.ground.values.records import MANY

KINDS: list[Any] = [("a", "i8"), ("odd", "u1"), ("b", "i8"), ("c", "f8")]


def drawn(count: int) -> np.ndarray[Any, Any]:
    generator, made = np.random.default_rng(count), np.empty(count, KINDS)
    for name, _ in KINDS:
        made[name] = generator.integers(1, 100, count)
    made["a"][count // 2], made["b"][-1] = -(2**63), -7
    return made


@pytest.mark.parametrize("block", [1, 7, 10_000])
@pytest.mark.parametrize("step", [1, -2])
@pytest.mark.parametrize("count", [1, 8, 1003])
def test_copies_and_the_least_of_each(count: int, step: int, block: int) -> None:
    made = drawn(count)[::step]
    columns = [made[name] for name in ("a", "b", "c")]
    copies = [np.zeros(len(made), one.dtype) for one in columns]
    found = looked_at(columns, copies, block)
    assert found is not None
    assert found[:2] == [columns[0].min(), columns[1].min()]
    assert all(np.array_equal(copy, one) for copy, one in zip(copies, columns, strict=True))
    assert looked_at([copies[0]], [None], block) == [columns[0].min()]


@pytest.mark.parametrize("threads", [1, 3])
def test_many_numbers_are_looked_at_by_lent_threads(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def looking(columns: Any, copies: Any, block: int) -> list[int] | None:
        asked.append(len(columns))
        return looked_at(columns, copies, block)

    monkeypatch.setattr(records, "_LENT", [looking])
    source = "list pair: [a: N, b: N]\ntol x: pair [n]\ntol y: N* [n]\nr := sum(x[a]') + sum(x[b]') + sum(y)"
    program = tolang.compile(source, fallback=False, threads=threads)
    x, y = np.ones(MANY + 3, [("a", "i8"), ("b", "i8")]), np.ones(MANY + 3, int)
    assert program(x, y) == 3 * (MANY + 3)
    assert asked == [2, 1]
    y[-1] = 0
    with pytest.raises(tolang.ToLangRunError, match=r"0 at .* of y is not in N\*"):
        program(x, y)
    x["b"][MANY // 2] = -1
    with pytest.raises(tolang.ToLangRunError, match=r"-1 at .* of x\[b\]' is not in N"):
        program(x, y)
