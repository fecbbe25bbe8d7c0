"""Folds that are linear in the bits of their state: checksums, in stretches that threads share out, to the bit."""

from __future__ import annotations

import binascii
import zlib
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.idioms.bits import bit_fold_of
from tolang.plan.nest import Bind, Reduction
from tolang.plan.target import Target
from tolang.plan.traversal import scalars_in
from tolang.rewrite.bit_folds import FEW, STRETCH
from tolang.schedule.planning import plan

ENOUGH = FEW * STRETCH
Array = np.ndarray[Any, Any]
CHECKSUM = """
tol x: u8 [n]
tol table: {kind} [{entries}]
tol start: {kind}
low(s) = convert(floor(s/{by}), [{kind}])
y := reduce(x, (s,e) -> table[((s xor e) and {mask}) + 1] xor low(s), start)
"""


def source(kind: str = "u32", digits: int = 8) -> str:
    return CHECKSUM.format(kind=kind, entries=1 << digits, by=1 << digits, mask=(1 << digits) - 1)


def table_of(polynomial: int, digits: int = 8) -> list[int]:
    """What each number of so many bits leaves when it is divided by a polynomial, lowest power first."""
    found = []
    for number in range(1 << digits):
        for _ in range(digits):
            number = number >> 1 ^ polynomial if number & 1 else number >> 1
        found.append(number)
    return found


def folded(data: Array, table: list[int], start: int, digits: int = 8) -> int:
    state, mask = start, (1 << digits) - 1
    for byte in data.tolist():
        state = table[(state ^ byte) & mask] ^ state >> digits
    return state


def numbers(n: int) -> Array:
    return np.random.default_rng(n).integers(0, 256, n).astype(np.uint8)


def is_linear(text: str) -> bool:
    steps = plan(tolang.compile(text).core, Target(32, 16)).plan.steps
    values = [step.value for step in steps if isinstance(step, Bind)]
    groups = [one.group for value in values for one in scalars_in(value) if isinstance(one, Reduction)]
    return any(bit_fold_of(group) is not None for group in groups)


@pytest.fixture(scope="module")
def crc32() -> tolang.Program:
    return tolang.compile(source(), engine="cpu", fallback=False)


@pytest.mark.parametrize("n", [0, 1, 9, ENOUGH - 1, ENOUGH, ENOUGH + 1, 3 * ENOUGH + 5, 20 * ENOUGH - 1])
def test_a_checksum_is_zlib_s(crc32: tolang.Program, n: int) -> None:
    table = np.array(table_of(0xEDB88320), np.uint32)
    data, ones = numbers(n), np.uint32(0xFFFFFFFF)
    assert int(crc32(data, table, ones)) ^ 0xFFFFFFFF == zlib.crc32(data.tobytes())


@pytest.mark.parametrize(
    ("kind", "dtype", "polynomial", "digits"),
    [("u16", np.uint16, 0x8408, 8), ("u16", np.uint16, 0xA001, 4), ("u32", np.uint32, 0x82F63B78, 2)],
)
def test_checksums_of_other_polynomials_and_digits(kind: str, dtype: Any, polynomial: int, digits: int) -> None:
    program = tolang.compile(source(kind, digits), engine="cpu", fallback=False)
    table, data = table_of(polynomial, digits), numbers(ENOUGH + 77) & (1 << digits) - 1
    found = program(data, np.array(table, dtype), dtype(5))
    assert int(found) == folded(data, table, 5, digits)


def test_the_order_of_bits_of_a_modem() -> None:
    """The check of 16 bits that Python's `binascii` has counts from the highest power: bytes and result are turned."""
    program = tolang.compile(source("u16"), engine="cpu", fallback=False)
    data = numbers(ENOUGH + 3)
    turned = np.array([int(f"{byte:08b}"[::-1], 2) for byte in range(256)], np.uint8)
    found = int(program(turned[data], np.array(table_of(0x8408), np.uint16), np.uint16(0)))
    assert int(f"{found:016b}"[::-1], 2) == binascii.crc_hqx(data.tobytes(), 0)


def test_a_table_that_is_not_linear_is_gone_through_step_after_step(crc32: tolang.Program) -> None:
    table = np.random.default_rng(1).integers(0, 1 << 32, 256).tolist()
    data = numbers(ENOUGH + 9)
    assert int(crc32(data, np.array(table, np.uint32), np.uint32(3))) == folded(data, table, 3)
    almost = table_of(0xEDB88320)
    almost[255] ^= 1
    assert int(crc32(data, np.array(almost, np.uint32), np.uint32(3))) == folded(data, almost, 3)


def test_a_table_may_add_something_to_each_entry(crc32: tolang.Program) -> None:
    table = [entry ^ 0x12345678 for entry in table_of(0xEDB88320)]
    data = numbers(2 * ENOUGH + 9)
    assert int(crc32(data, np.array(table, np.uint32), np.uint32(3))) == folded(data, table, 3)


def test_many_threads_find_the_same() -> None:
    table = np.array(table_of(0xEDB88320), np.uint32)
    data = numbers(9 * ENOUGH + 1)
    programs = [tolang.compile(source(), engine="cpu", fallback=False, threads=k) for k in (1, 2, 5)]
    assert {int(one(data, table, np.uint32(0xFFFFFFFF))) for one in programs} == {
        zlib.crc32(data.tobytes()) ^ 0xFFFFFFFF
    }


@pytest.mark.parametrize(
    ("step", "linear"),
    [
        ("t[((s xor e) and 3) + 1] xor low(s)", True),
        ("low(s) xor e", True),
        ("t[((s xor e) and 1) + 1] xor low(s)", False),  # one of four entries for each bit of two
        ("t[((s and e) and 3) + 1] xor low(s)", False),  # which bits are taken, data says
        ("(s or e) xor low(s)", False),
        ("s xor e", False),  # which may be regrouped as it is
    ],
)
def test_what_is_linear(step: str, linear: bool) -> None:
    text = (
        "tol x: u8 [n]\ntol t: u8 [4]\nlow(s) = convert(floor(s/4), [u8])\n"
        f"y := reduce(x, (s,e) -> {step}, convert(0, [u8]))"
    )
    assert is_linear(text) == linear
