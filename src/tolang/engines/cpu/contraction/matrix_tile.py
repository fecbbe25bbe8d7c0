"""The tile of a processor that multiplies small matrices of quads itself (Intel's AMX): 32 x 32 sums of products.

    tile(length, start, begins, held, shapes, initial, left, right, rows, apart, far, later, pitch)

Four of its tile registers hold the sums, 16 x 16 each, two hold 16 quads of 16 rows each as they lie in memory, and two
16 quads of 16 columns each as panels have them.  Rows that are not there are left out of the registers' shapes.  The
last quads of the depth, fewer than 16, and nothing else, are multiplied on vectors.  Memory for what other tiles have
as extras, of which there are none, holds the registers' shapes, which stay from tile to tile.

Numbers are whole and sums wrap, so the order of the sums is nobody's concern.
"""

from __future__ import annotations

from typing import Any

from tolang.engines.cpu.contraction.frames import ONE, POINTER, ZERO, number
from tolang.engines.cpu.contraction.register_tile import RegisterLoop, RegisterTile
from tolang.engines.cpu.emission.vector_expressions import load_vector, store_vector
from tolang.engines.llvm import ir
from tolang.engines.llvm.callees import declared
from tolang.engines.llvm.sizes import quotient_of
from tolang.engines.llvm.types import I8, I32, I64
from tolang.engines.llvm.vectors import splat
from tolang.plan.nest import Named, Operation
from tolang.schedule.tile import MATRIX_SIDE

SIDE = MATRIX_SIDE
"""Rows of a tile register, and words in each of them."""
ROW_BYTES = 4 * SIDE
ROWS_OF_REGISTERS = 6
"""The word of what tells the registers' shapes that has their rows, a byte each."""
FIRST_ROWS, SECOND_ROWS, FIRST_COLUMNS, SECOND_COLUMNS = 4, 5, 6, 7
"""Registers of operands; sums are in 0 to 3, row after row."""


class MatrixUnit:
    """The instructions of a processor for tile registers."""

    def __init__(self, builder: ir.IRBuilder, memory: Any, first_is_left: bool) -> None:
        self.builder = builder
        self.product = "tdpbusd" if first_is_left else "tdpbsud"
        self.shapes = builder.bitcast(memory, I64.as_pointer())

    def enter(self) -> None:
        """Before the first tile of many: no shapes are known."""
        self.builder.store(ZERO, self.builder.gep(self.shapes, [number(ROWS_OF_REGISTERS)]))

    def begin(self, first: Any, second: Any) -> None:
        """Says how many rows the two halves of a tile have, unless they have as many as those before."""
        builder = self.builder
        wide = sum(ROW_BYTES << (16 * k) for k in range(4))
        rows: Any = number(SIDE * (1 << 8 * FIRST_COLUMNS | 1 << 8 * SECOND_COLUMNS))
        for count, registers in ((first, (0, 1, FIRST_ROWS)), (second, (2, 3, SECOND_ROWS))):
            for register in registers:
                rows = builder.or_(rows, builder.shl(count, number(8 * register)))
        known = builder.load(builder.gep(self.shapes, [number(ROWS_OF_REGISTERS)]))
        with builder.if_then(builder.icmp_signed("!=", known, rows)):
            for place, word in enumerate((ONE, ZERO, number(wide), number(wide), ZERO, ZERO, rows, ZERO)):
                builder.store(word, builder.gep(self.shapes, [number(place)]))
            self._call("ldtilecfg", [builder.bitcast(self.shapes, POINTER)])

    def clear(self, register: int) -> None:
        self._call("tilezero", [ir.Constant(I8, register)])

    def load(self, register: int, place: Any, apart: Any) -> None:
        """Rows of memory that lie so many bytes apart."""
        self._call("tileloadd64", [ir.Constant(I8, register), place, apart])

    def store(self, register: int, place: Any, apart: Any) -> None:
        self._call("tilestored64", [ir.Constant(I8, register), place, apart])

    def multiply(self, sums: int, rows: int, columns: int) -> None:
        """Adds the products of some rows and columns to sums."""
        self._call(self.product, [ir.Constant(I8, register) for register in (sums, rows, columns)])

    def leave(self) -> None:
        """After the last tile: the registers are empty, and no system has to keep them."""
        self._call("tilerelease", [])

    def _call(self, name: str, values: list[Any]) -> None:
        kinds = [value.type for value in values]
        self.builder.call(declared(self.builder.module, f"llvm.x86.{name}", ir.VoidType(), kinds), values)


class MatrixTile(RegisterTile):
    """The function of one phase's tile, being written."""

    asks = False  # nobody has measured whether that pays here

    def emit(self, vectors: int, ordinary: bool = False) -> Any:
        function = self.declared()
        length, _, begins, held, shapes, initial, left, right, count, apart, *_ = function.args
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        unit = MatrixUnit(builder, shapes, self._first_is_left())
        loop = RegisterLoop(builder, function)
        first = builder.bitcast(left, POINTER)
        turns = quotient_of(builder, length, number(SIDE))
        worthwhile = builder.icmp_signed(">", turns, ZERO)
        empty = builder.and_(begins, builder.icmp_signed("==", initial, ir.Constant(I32, 0)))
        with builder.if_then(builder.and_(begins, builder.not_(builder.and_(empty, worthwhile)))):
            self._fill(builder, loop, held, splat(builder, initial, self.tile.lanes))
        several = builder.icmp_signed(">", count, number(SIDE))
        with builder.if_then(worthwhile):
            places = first, builder.bitcast(right, POINTER), builder.mul(apart, number(4)), held, empty
            with builder.if_else(several) as (two, one):
                with two:
                    unit.begin(number(SIDE), builder.sub(count, number(SIDE)))
                    self._multiply(unit, loop, turns, places, 2)
                with one:
                    unit.begin(count, ONE)
                    self._multiply(unit, loop, turns, places, 1)
        done = builder.mul(turns, number(SIDE))
        self._rest(builder, loop, done, builder.sub(length, done), (held, left, right), count, apart)
        builder.ret_void()
        return function

    def enter(self, builder: ir.IRBuilder, memory: Any) -> None:
        MatrixUnit(builder, memory, True).enter()

    def leave(self, builder: ir.IRBuilder, memory: Any) -> None:
        MatrixUnit(builder, memory, True).leave()

    def _first_is_left(self) -> bool:
        """Whether the numbers without a sign, which a step has first, are those of rows."""
        step = self.phase.steps[0]
        assert isinstance(step, Operation)
        first = step.arguments[1]
        return isinstance(first, Named) and first.name == self.names[0]

    def _sums_of(self, builder: ir.IRBuilder, held: Any, row: Any) -> Any:
        """Where the sums of a row rest."""
        return builder.gep(held, [builder.mul(row, number(4 * self.tile.columns))])

    def _fill(self, builder: ir.IRBuilder, loop: RegisterLoop, held: Any, value: Any) -> None:
        """Sums begin as one value."""

        def one(values: list[Any]) -> list[Any]:
            place = self._sums_of(builder, held, values[0])
            for v in range(self.tile.vectors):
                store_vector(builder, builder.gep(place, [number(v * ROW_BYTES)]), value, 4)
            return [builder.add(values[0], ONE)]

        loop.run(number(self.tile.rows), [ZERO], one)

    def _multiply(self, unit: MatrixUnit, loop: RegisterLoop, turns: Any, places: tuple[Any, ...], halves: int) -> None:
        """16 quads at a time, for one half of the rows or both."""
        builder, (left, right, apart, held, empty) = unit.builder, places
        width = number(4 * self.tile.columns)
        sums = [
            (2 * half + v, builder.gep(self._sums_of(builder, held, number(half * SIDE)), [number(v * ROW_BYTES)]))
            for half in range(halves)
            for v in range(self.tile.vectors)
        ]
        with builder.if_else(empty) as (yes, no):
            with yes:
                for register, _ in sums:
                    unit.clear(register)
            with no:
                for register, place in sums:
                    unit.load(register, place, width)
        below = builder.mul(apart, number(SIDE))

        def turn(values: list[Any]) -> list[Any]:
            rows, columns = values
            unit.load(FIRST_COLUMNS, columns, width)
            unit.load(FIRST_ROWS, rows, apart)
            unit.multiply(0, FIRST_ROWS, FIRST_COLUMNS)
            unit.load(SECOND_COLUMNS, builder.gep(columns, [number(ROW_BYTES)]), width)
            unit.multiply(1, FIRST_ROWS, SECOND_COLUMNS)
            if halves > 1:
                unit.load(SECOND_ROWS, builder.gep(rows, [below]), apart)
                unit.multiply(2, SECOND_ROWS, FIRST_COLUMNS)
                unit.multiply(3, SECOND_ROWS, SECOND_COLUMNS)
            return [
                builder.gep(rows, [number(ROW_BYTES)]),
                builder.gep(columns, [number(SIDE * 4 * self.tile.columns)]),
            ]

        loop.run(turns, [left, right], turn)
        for register, place in sums:
            unit.store(register, place, width)

    def _rest(
        self,
        builder: ir.IRBuilder,
        loop: RegisterLoop,
        done: Any,
        more: Any,
        places: tuple[Any, ...],
        count: Any,
        apart: Any,
    ) -> None:
        """The last quads, on vectors: row after row, all columns of it."""
        held, left, right = places
        columns = builder.gep(right, [builder.mul(done, number(self.tile.columns))])
        kind, state = self.steps.kind(0), self.phase.group.states[0]
        step_of = dict(zip(self.names, (0, 1), strict=True))

        def one_row(values: list[Any]) -> list[Any]:
            row = values[0]
            spots = [
                builder.gep(self._sums_of(builder, held, row), [number(v * ROW_BYTES)])
                for v in range(self.tile.vectors)
            ]
            begin = builder.gep(left, [builder.add(builder.mul(row, apart), done)])

            def one_quad(carried: list[Any]) -> list[Any]:
                one, two, *sums = carried
                factor = splat(builder, builder.load(one), self.tile.lanes)
                found = []
                for v, value in enumerate(sums):
                    place = builder.gep(two, [number(v * self.tile.lanes)])
                    pair = factor, load_vector(builder, place, kind, 4)
                    known = {name: pair[side] for name, side in step_of.items()} | {state: value}
                    found += self.steps.following(builder, known)
                return [builder.gep(one, [ONE]), builder.gep(two, [number(self.tile.columns)]), *found]

            sums = [load_vector(builder, spot, kind, 4) for spot in spots]
            _, _, *sums = loop.run(more, [begin, columns, *sums], one_quad)
            for spot, value in zip(spots, sums, strict=True):
                store_vector(builder, spot, value, 4)
            return [builder.add(row, ONE)]

        with builder.if_then(builder.icmp_signed(">", more, ZERO)):
            loop.run(count, [ZERO], one_row)
