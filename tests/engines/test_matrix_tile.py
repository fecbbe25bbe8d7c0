"""Products of eight-bit numbers by small matrices: by the processor's own instructions where it has them, and written
out in their place on every machine, so that all that is ours (places, lengths, rows left out) is tried everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.engines.test_targets import code_for

import tolang
from tolang.engines.cpu.contraction import matrix_tile
from tolang.engines.cpu.contraction.frames import ONE, POINTER, ZERO, number
from tolang.engines.cpu.contraction.matrix_tile import FIRST_ROWS, ROW_BYTES, SECOND_ROWS, SIDE
from tolang.engines.cpu.contraction.register_tile import RegisterLoop
from tolang.engines.cpu.emission.vector_expressions import load_vector, store_vector
from tolang.engines.cpu.processors import target_of
from tolang.engines.cpu.runtime import native
from tolang.engines.llvm import dot4, ir
from tolang.engines.llvm.types import I32, I64
from tolang.engines.llvm.vectors import splat
from tolang.ground.dataclasses import replace
from tolang.lower.steps import lower
from tolang.plan.target import Target

SOURCE = """\
tol a: {left} [n,k]
tol b: {right} [k,m]
tol z: {left}
long(q) = convert(q, [i32])
c := map(tol[n,m], reduce(map(tol[k], (long(a[i,p]) - long(z)) * long(b[p,j]), p), add, 0), [i,j])
"""
PLANNED_HERE = SOURCE.replace("c :=", "d :=")
"""The same for a processor that is not this one: what was planned for one is not planned again."""
WIDE = ir.VectorType(I32, SIDE)


class WrittenOut:
    """What the instructions do, in plain code: eight registers of 16 rows in memory."""

    def __init__(self, builder: ir.IRBuilder, memory: Any, first_is_left: bool) -> None:
        self.builder, self.first_is_left = builder, first_is_left
        self.memory = builder.bitcast(builder.alloca(ir.ArrayType(I64, 8 * SIDE * ROW_BYTES // 8), align=64), POINTER)
        self.rows: dict[int, Any] = {}

    def begin(self, first: Any, second: Any) -> None:
        for register in range(8):
            halves = {0: first, 1: first, FIRST_ROWS: first, 2: second, 3: second, SECOND_ROWS: second}
            self.rows[register] = halves.get(register, number(SIDE))

    def clear(self, register: int) -> None:
        zeros = ir.Constant(WIDE, None)
        self._each(number(SIDE), lambda row: self._put(self._row(register, row), zeros))

    def load(self, register: int, place: Any, apart: Any) -> None:
        def one(row: Any) -> None:
            there = self.builder.gep(place, [self.builder.mul(row, apart)])
            self._put(self._row(register, row), load_vector(self.builder, there, WIDE, 1))

        self._each(self.rows[register], one)

    def store(self, register: int, place: Any, apart: Any) -> None:
        def one(row: Any) -> None:
            there = self.builder.gep(place, [self.builder.mul(row, apart)])
            store_vector(self.builder, there, self._get(self._row(register, row)), 1)

        self._each(self.rows[register], one)

    def multiply(self, sums: int, rows: int, columns: int) -> None:
        def one(row: Any) -> None:
            spot = self._row(sums, row)
            words = self.builder.bitcast(self._row(rows, row), I32.as_pointer())
            total = self._get(spot)
            for quad in range(SIDE):
                left = splat(self.builder, self.builder.load(self.builder.gep(words, [number(quad)])), SIDE)
                right = self._get(self._row(columns, number(quad)))
                pair = [left, right] if self.first_is_left else [right, left]
                total = dot4.DOT_FUNCTIONS["dot_unsigned"](self.builder, [total, *pair])
            self._put(spot, total)

        self._each(self.rows[sums], one)

    def enter(self) -> None:
        """Shapes are told before every tile."""

    def leave(self) -> None:
        """And forgotten after it."""

    def _row(self, register: int, row: Any) -> Any:
        place = self.builder.add(number(register * SIDE), row)
        return self.builder.gep(self.memory, [self.builder.mul(place, number(ROW_BYTES))])

    def _get(self, place: Any) -> Any:
        return load_vector(self.builder, place, WIDE, 1)

    def _put(self, place: Any, value: Any) -> None:
        store_vector(self.builder, place, value, 1)

    def _each(self, count: Any, body: Any) -> None:
        def turn(values: list[Any]) -> list[Any]:
            body(values[0])
            return [self.builder.add(values[0], ONE)]

        RegisterLoop(self.builder, self.builder.function).run(count, [ZERO], turn)


@pytest.fixture
def written_out(monkeypatch: pytest.MonkeyPatch, plan_for: Callable[[Target], None], anew: None) -> None:
    """A processor that multiplies matrices of quads, and has no other instruction for them, in kernels not kept."""
    features = "+avx512f,+avx512vnni,+amx-tile,+amx-int8"
    plan_for(replace(target_of("x86_64-unknown-linux-gnu", features), masks=native.host_target().masks))
    monkeypatch.setattr(matrix_tile, "MatrixUnit", WrittenOut)
    monkeypatch.setattr(dot4, "NATIVE", dict.fromkeys(dot4.NATIVE, 1 << 20))


def compare(
    source: str, left: str, right: str, sizes: tuple[int, int, int], threads: int = 2, fixed: bool = False
) -> None:
    n, k, m = sizes
    generator = np.random.default_rng(n + k + m)
    ranges = {"u8": (0, 256), "i8": (-128, 128)}
    a = generator.integers(*ranges[left], (n, k)).astype(np.dtype(left.replace("u", "uint").replace("i8", "int8")))
    b = generator.integers(*ranges[right], (k, m)).astype(np.int8 if right == "i8" else np.uint8)
    z = a.dtype.type(7)
    program = tolang.compile(source.format(left=left, right=right), engine="cpu", fallback=False, threads=threads)
    found = program.fix(b=b, z=z)(a) if fixed else program(a, b, z)
    np.testing.assert_array_equal(found, (a.astype(np.int64) - int(z)) @ b.astype(np.int64))


SIZES = [(1, 64, 16), (15, 64, 33), (16, 64, 32), (17, 65, 40), (33, 200, 70), (64, 128, 64), (5, 3, 2), (40, 1100, 50)]


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("threads", [1, 3])
def test_tiles_written_out(sizes: tuple[int, int, int], threads: int, written_out: None) -> None:
    compare(PLANNED_HERE, "u8", "i8", sizes, threads)


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize(("left", "right"), [("u8", "i8"), ("i8", "i8"), ("i8", "u8"), ("u8", "u8")])
def test_numbers_with_and_without_signs(left: str, right: str, fixed: bool, written_out: None) -> None:
    compare(PLANNED_HERE, left, right, (35, 150, 47), fixed=fixed)


def test_what_is_planned_is_told(written_out: None) -> None:
    text = tolang.compile(PLANNED_HERE.format(left="u8", right="i8"), engine="cpu").explain().full
    assert "in tiles of 32 x 32, by instructions that multiply small matrices" in text


@pytest.mark.skipif(not native.host_target().matrices, reason="the processor multiplies no matrices")
@pytest.mark.parametrize("sizes", [*SIZES, (300, 700, 500)])
@pytest.mark.parametrize("threads", [1, 4])
def test_tiles_by_instructions(sizes: tuple[int, int, int], threads: int) -> None:
    compare(SOURCE, "u8", "i8", sizes, threads)
    compare(SOURCE, "i8", "u8", sizes, threads, True)


def test_the_instructions_are_those_of_the_processor() -> None:
    text = code_for(lower(tolang.compile(SOURCE.format(left="u8", right="i8")).core), "amx")
    assert text.count("ldtilecfg") == 2 * 2  # where four divides the length of rows, and where it does not
    assert text.count("tilerelease") >= 1
    assert "tdpbusd\t%tmm6, %tmm4, %tmm0" in text
    assert "tdpbusd\t%tmm7, %tmm5, %tmm3" in text
    assert "vpdpbusd" in text  # the last quads


def test_few_columns_or_quads_are_left_to_vectors() -> None:
    for text in (SOURCE.replace("k]", "40]").replace("tol[k]", "tol[40]").replace("[k,", "[40,"),
                 SOURCE.replace("m]", "9]").replace("tol[n,m]", "tol[n,9]")):  # fmt: skip
        assert "tdp" not in code_for(lower(tolang.compile(text.format(left="u8", right="i8")).core), "amx")


def test_windows_and_fixed_rows_stay_right(written_out: None) -> None:
    """Convolutions read windows, not rows; rows that are fixed stay as they lie."""
    source = (
        "tol x: u8 [c,h,w]\ntol k: i8 [m,c,3,3]\nlong(q) = convert(q, [i32])\n"
        "at(q,y,v) = if y >= 1 and y <= h and v >= 1 and v <= w then long(x[q,y,v]) - 5 else 0\n"
        "y := map(tol[m,h,w], reduce(map(k[o], long(*) * at(q, y+a-2, v+b-2), [q,a,b]), add, 0), [o,y,v])"
    )
    generator = np.random.default_rng(4)
    x, k = generator.integers(0, 256, (64, 9, 9)), generator.integers(-127, 128, (33, 64, 3, 3))
    around = np.lib.stride_tricks.sliding_window_view(np.pad(x - 5, ((0, 0), (1, 1), (1, 1))), (3, 3), axis=(1, 2))
    program = tolang.compile(source, engine="cpu", fallback=False)
    wanted = np.tensordot(k, around, axes=([1, 2, 3], [0, 3, 4]))
    image, weights = x.astype(np.uint8), k.astype(np.int8)
    np.testing.assert_array_equal(program(image, weights), wanted)
    np.testing.assert_array_equal(program.fix(k=weights)(image), wanted)
    product = tolang.compile(PLANNED_HERE.format(left="u8", right="i8"), engine="cpu", fallback=False)
    a, b = generator.integers(0, 256, (40, 70)).astype(np.uint8), generator.integers(-9, 9, (70, 50)).astype(np.int8)
    found = product.fix(a=a, z=np.uint8(3))(b)
    np.testing.assert_array_equal(found, (a.astype(np.int64) - 3) @ b)
