"""Conversions that cannot fail are not checked, those that can are; quotients of short whole numbers are NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

import tolang
from tolang.lower.steps import lower
from tolang.plan.printer import print_plan

DIVISORS = (1, 2, 3, 7, 255, 65536, 4294967295)


def sure(source: str) -> bool:
    """Whether the plan of a program has no check of a conversion."""
    return "convert(" not in print_plan(lower(tolang.compile(source).core))


@pytest.mark.parametrize("storage", ["u8", "u16", "u32", "i8", "i32"])
def test_quotients(storage: str) -> None:
    lines = [f"y{k} := map(x, convert(floor(* / {divisor}), [{storage}]))" for k, divisor in enumerate(DIVISORS)]
    source = "\n".join([f"tol x: {storage} [n]", *lines])
    assert sure(source)
    kind = np.dtype({"u": "uint", "i": "int"}[storage[0]] + storage[1:])
    ends = np.iinfo(kind)
    x = np.concatenate([[ends.min, ends.min + 1, 0, 1, ends.max - 1, ends.max], np.random.default_rng(1).integers(
        ends.min, ends.max, size=2000, endpoint=True)]).astype(kind)  # fmt: skip
    found = tolang.compile(source, fallback=False)(x)
    for k, divisor in enumerate(DIVISORS):
        assert np.array_equal(found[f"y{k}"], x.astype(np.int64) // divisor)
        assert found[f"y{k}"].dtype == kind


@pytest.mark.parametrize(
    ("declared", "converted", "expected"),
    [
        ("u32", "floor(*/256), [u16]", False),
        ("u32", "floor(*/65536), [u16]", True),
        ("u16", "floor(*/2), [N]", True),
        ("i16", "floor(*/2), [N]", False),
        ("i16", "floor(*/2), [i16]", True),
        ("u32", "*/2, [u32]", False),
        ("u32", "floor(*/0.5), [u32]", False),
        ("u64", "floor(*/2), [u64]", False),
        ("R", "floor(*/2), [u32]", False),
        ("u8", "*, [i16]", True),
        ("u8", "*, [N*]", False),
        ("B", "*, [Z]", True),
    ],
)
def test_what_is_sure(declared: str, converted: str, expected: bool) -> None:
    assert sure(f"tol x: {declared} [n]\ny := map(x, convert({converted}))") == expected


def test_what_is_not_sure_is_checked() -> None:
    program = tolang.compile("tol x: u32 [n]\ny := map(x, convert(floor(*/256), [u16]))", fallback=False)
    assert program(np.array([16777215], np.uint32)).tolist() == [65535]
    with pytest.raises(tolang.ToLangRunError, match="E501"):
        program(np.array([16777216], np.uint32))
