"""What a step reads while its coordinates run through a box: every element that it does read, and hardly more."""

from __future__ import annotations

import pytest

from tolang.lower.steps import lower
from tolang.plan.nest import Nest
from tolang.plan.regions import hull, reads_of, region_of
from tolang.program.program import compile


def region(
    source: str, sizes: dict[str, int], box: dict[str, tuple[int, int]]
) -> dict[str, tuple[tuple[int, int], ...]]:
    """What the last nest of a program reads of every buffer, its iterators in order named i, j, …"""
    plan = lower(compile(source).core)
    nest = [step for step in plan.steps if isinstance(step, Nest)][-1]
    named = dict(zip(nest.iterators, box.values(), strict=False))
    known = {name: (value, value) for name, value in sizes.items()} | named
    found: dict[str, list[tuple[tuple[int, int], ...]]] = {}
    for access in reads_of(nest):
        lengths = [int(length.evaluate(sizes)) for length in access.buffer.shape]
        found.setdefault(access.buffer.name, []).append(region_of(access, known, lengths))
    return {name: hull(all_of) for name, all_of in found.items()}


@pytest.mark.parametrize(
    ("source", "box", "expected"),
    [
        ("tol x: R[n]\ny := map(x, * * 2)", {"i": (3, 7)}, {"x.1": ((3, 7),)}),
        ("tol x: R[n]\ny := map(tol[n-2], x[i] + x[i+2], i)", {"i": (3, 7)}, {"x.1": ((3, 9),)}),
        ("tol x: R[n]\ny := map(x, if i > 1 then x[i-1] else 0, i)", {"i": (1, 4)}, {"x.1": ((1, 3),)}),
        ("tol x: R[n]\ny := map(x, if i < n then x[i+1] else 0, i)", {"i": (18, 20)}, {"x.1": ((19, 20),)}),
        ("tol x: R[n]\ny := map(tol[n/2], x[2*i], i)", {"i": (3, 5)}, {"x.1": ((6, 10),)}),
        ("tol x: R[n]\ny := map(x, x[n+1-i], i)", {"i": (2, 5)}, {"x.1": ((16, 19),)}),
        ("tol x: R[n]\ny := map(tol[2*n], x[(i+1)/2], i)", {"i": (5, 10)}, {"x.1": ((3, 5),)}),
        ("tol x: R[n]\ntol k: N*[n]\ny := map(k, x[k[i]], i)", {"i": (2, 5)}, {"x.1": ((1, 20),), "k.1": ((2, 5),)}),
        (
            "tol a: R[n,n]\ny := map(tol[n,n], reduce(map(tol[n], a[i,p]*a[p,j], p), add, 0), [i,j])",
            {"i": (2, 3), "j": (5, 5)},
            {"a.1": ((1, 20), (1, 20))},
        ),
    ],
)  # fmt: skip
def test_reads(source: str, box: dict[str, tuple[int, int]], expected: dict[str, object]) -> None:
    assert region(source, {"n": 20}, box) == expected


def test_nothing_inside_is_an_empty_region() -> None:
    source = "tol x: R[n]\ntol y: R[m]\nz := map(tol[n+m], if i <= n then x[i] else y[i-n], i)"
    found = region(source, {"n": 10, "m": 5}, {"i": (12, 14)})
    ((low, high),) = found["x.1"]
    assert low > high
    assert found["y.1"] == ((2, 4),)
