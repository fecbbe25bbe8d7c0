"""The elements of a finished tile: the expression around the folds evaluated and stored, vectors where it can be.

The same walk over a tile computes the extras of a later fold, into memory laid out as the tile is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tolang.engines.cpu.contraction.columns import TileColumns
from tolang.engines.cpu.contraction.frames import ONE, POINTER, ZERO, KernelFrame, number
from tolang.engines.cpu.contraction.packing import BITS
from tolang.engines.cpu.emission.vector_expressions import (
    ContiguousAxes,
    Targets,
    Travel,
    line_along,
    line_target,
    load_vector,
    store_vector,
)
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.prefetching import LINE, ask_for
from tolang.engines.llvm.types import I1, I8, I64, TYPES, memory_type
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import dtype_of
from tolang.idioms.contraction import Contraction, Operand, Phase
from tolang.plan.nest import Buffer, Load, Scalar
from tolang.plan.schedule import Tiled
from tolang.plan.traversal import read_buffers, walk, written_buffers
from tolang.schedule.tile import WIDTH_OF_STORAGE

SHORT = 4
"""Lanes of a vector that is not worth cutting where a row ends within it."""
LIGHT = 24
"""Parts of an expression up to which it is written once for each vector of a row."""


@dataclass(frozen=True, slots=True)
class Resting:
    """Where the components of a phase's state rest in a tile's memory: byte offsets and storages."""

    phase: Phase
    places: tuple[tuple[int, str], ...]


class Finishing:
    """Functions over the elements of one tile, being written; the frame knows `M`, `N` and `first`."""

    def __init__(
        self,
        frame: KernelFrame,
        contraction: Contraction,
        tile: Tiled,
        columns: TileColumns,
        resting: list[Resting],
        bits: bool,
    ) -> None:
        self.frame, self.contraction, self.tile, self.numbered = frame, contraction, tile, columns
        self.resting, self.bits = resting, bits
        self.columns = tile.columns * (BITS if bits else 1)

    @property
    def builder(self) -> ir.IRBuilder:
        return self.frame.builder

    def finish(self) -> Any:
        """finish(frame, first row, first column, held): stores the nest's values."""
        nest = self.contraction.nest
        line = self._line(list(nest.values), nest.targets)

        def single(place: Any) -> None:
            computed = [self.frame.emitter.scalar(v) for v in nest.values]
            for (buffer, at), value in zip(nest.targets, computed, strict=True):
                self.frame.emitter.store(buffer, at, value)

        def vector(place: Any, travel: Travel) -> None:
            computed = [travel.scalar(v) for v in nest.values]
            for (buffer, at), value in zip(nest.targets, computed, strict=True):
                travel.store(buffer, at, value)

        def body(row: Any, column: Any, held: Any) -> None:
            self._walk(row, column, held, line, list(nest.values), nest.targets, single, vector)

        return self.frame.function("finish", [I64, I64, POINTER], body)

    def prepare(self, extras: tuple[Operand, ...]) -> Any:
        """prepare(frame, first row, first column, held, memory): computes extras into memory."""
        line = self._line([e.value for e in extras], ())
        size = self.tile.rows * self.columns
        offsets, total = [], 0
        for extra in extras:
            offsets.append(total)
            total += size * WIDTH_OF_STORAGE[extra.value.column.storage]

        def body(row: Any, column: Any, held: Any, memory: Any) -> None:
            def put(place: Any, value: Any, offset: int, storage: str) -> None:
                start = self.builder.gep(memory, [number(offset)])
                at = self.builder.gep(self.builder.bitcast(start, TYPES[storage].as_pointer()), [place])
                store_vector(self.builder, at, value, WIDTH_OF_STORAGE[storage])

            def single(place: Any) -> None:
                for extra, offset in zip(extras, offsets, strict=True):
                    put(place, self.frame.emitter.scalar(extra.value), offset, extra.value.column.storage)

            def vector(place: Any, travel: Travel) -> None:
                for extra, offset in zip(extras, offsets, strict=True):
                    put(place, travel.scalar(extra.value), offset, extra.value.column.storage)

            self._walk(row, column, held, line, [e.value for e in extras], (), single, vector)

        return self.frame.function("prepare", [I64, I64, POINTER, POINTER], body)

    def _line(self, values: list[Scalar], targets: tuple[tuple[Any, Any], ...]) -> ContiguousAxes | None:
        """The line along the columns, if values can be computed along it and targets are written side by side."""
        line = line_along(self.contraction.columns, values)
        return line if line is not None and all(line_target(line, b, at) for b, at in targets) else None

    def _walk(
        self,
        row: Any,
        column: Any,
        held: Any,
        line: ContiguousAxes | None,
        values: list[Scalar],
        targets: Targets,
        single: Callable[[Any], None],
        vector: Callable[[Any, Travel], None],
    ) -> None:
        """Every element of a tile that lies inside the output, stretch by stretch of the columns.

        The last vector of a stretch ends where that does, and computes some elements again, unless they were written
        over what they are computed from.
        """
        frame, builder, tile, columns = self.frame, self.builder, self.tile, self.contraction.columns
        rows = frame.minimum(builder.sub(frame.get("M"), row), number(tile.rows))
        count = frame.minimum(builder.sub(frame.get("N"), column), number(self.columns))
        length = self.numbered.line((line or ContiguousAxes(columns)).reach(frame.emitter, values, targets)[0])
        lanes = BITS if self.bits else tile.lanes
        nest = self.contraction.nest
        again = not self.bits and (not targets or read_buffers(nest).isdisjoint(written_buffers(nest)))

        def stretch(place: Any) -> Any:
            most = builder.sub(count, place)
            begin, at, run, numbers = self.numbered.stretch(builder.add(column, place), length, most)
            frame.bind_flat(begin, columns)

            def one_row(r: Any) -> None:
                frame.each(ZERO, run, ONE, lambda q: chunk(r, q))

            def chunk(r: Any, q: Any) -> Any:
                def spot_of(part: Any) -> Any:
                    return builder.add(builder.mul(r, number(self.columns)), builder.add(place, part))

                def alone() -> Any:
                    frame.bind_flat(builder.add(begin, builder.add(at, q)), columns)
                    self._fold_single(held, spot_of(q))
                    single(spot_of(q))
                    return ONE

                def several(width: int) -> Any:
                    assert line is not None
                    part = frame.minimum(q, builder.sub(run, number(width))) if again else q
                    spot, here = spot_of(part), builder.add(at, part)
                    vector(spot, Travel(frame.emitter, line, here, width, self._fold_vector(held, spot, width)))
                    return number(width)

                def most_of(widths: list[int]) -> Any:
                    if line is None or not widths:
                        return alone()
                    end = number(widths[0]) if again else builder.add(q, number(widths[0]))
                    whole = builder.icmp_signed("<=", end, run)
                    if self.bits:
                        odd = builder.and_(spot_of(q), number(BITS - 1))
                        whole = builder.and_(whole, builder.icmp_signed("==", odd, ZERO))
                    return frame.either(whole, lambda: several(widths[0]), lambda: most_of(widths[1:]))

                return most_of([lanes, lanes // 4] if self.numbered.breaks and lanes > SHORT else [lanes])

            frame.each_bound(row, rows, self.contraction.rows, one_row)
            return numbers

        def any_part() -> None:
            frame.each(ZERO, count, ONE, stretch)

        if line is None or self.bits or self.numbered.breaks:
            any_part()
            return
        begin, at, run, _ = self.numbered.stretch(column, length, count)
        full = builder.and_(
            builder.icmp_signed("==", rows, number(tile.rows)), builder.icmp_signed("==", run, number(self.columns))
        )
        whole = partial(self._whole, row, begin, at, held, line, values, targets, vector)
        frame.either(full, whole, any_part)

    def _whole(
        self,
        row: Any,
        begin: Any,
        at: Any,
        held: Any,
        line: ContiguousAxes,
        values: list[Scalar],
        targets: Targets,
        vector: Callable[[Any, Travel], None],
    ) -> None:
        """A tile all of which lies inside the output, its columns on one stretch: nothing is asked of its vectors."""
        frame, builder, lanes = self.frame, self.builder, self.tile.lanes
        frame.bind_flat(begin, self.contraction.columns)
        far = self._far(line, values, targets)

        def one_row(r: Any) -> None:
            self._ask_for_next(far, at)
            first = builder.mul(r, number(self.columns))

            def chunk(q: Any) -> None:
                spot, here = builder.add(first, q), builder.add(at, q)
                vector(spot, Travel(frame.emitter, line, here, lanes, self._fold_vector(held, spot, lanes)))

            if sum(1 for value in values for _ in walk(value)) > LIGHT:
                frame.each(ZERO, number(self.columns), number(lanes), chunk)
                return
            for q in range(0, self.columns, lanes):
                with frame.emitter.scope():
                    chunk(number(q))

        frame.each_bound(row, number(self.tile.rows), self.contraction.rows, one_row)

    def _far(
        self, line: ContiguousAxes, values: list[Scalar], targets: Targets
    ) -> list[tuple[Buffer, tuple[Size, ...]]]:
        """Places of memory that each row of a tile has its own of, side by side along the line, wherever that is known:
        names that are bound around a read alone are not."""
        rows = {name for name, _ in self.contraction.rows}
        known = rows | self.frame.emitter.names.keys()
        loads = [(part.buffer, part.indices) for value in values for part in walk(value) if isinstance(part, Load)]
        found = []
        for buffer, at in dict.fromkeys([*targets, *loads]):
            names = {name for size in at for name in size.names()}
            if rows & names and names <= known and line_target(line, buffer, at):
                found.append((buffer, at))
        return found

    def _ask_for_next(self, far: list[tuple[Buffer, tuple[Size, ...]]], at: Any) -> None:
        """Asks for what the row of the next tile reads and writes that is where this one is in its own."""
        frame, builder = self.frame, self.builder
        if not far:
            return
        name, _ = self.contraction.rows[-1]
        with frame.emitter.scope():
            frame.emitter.names[name] = BoundValue.index(
                builder.add(frame.emitter.names[name].value, number(self.tile.rows))
            )
            for buffer, indices in far:
                place = builder.gep(frame.emitter.address(buffer, indices), [at])
                for line in range(0, self.columns * dtype_of(buffer.column.storage).itemsize, LINE):
                    ask_for(builder, place, line)

    def _fold_single(self, held: Any, spot: Any) -> None:
        """The results of the folds at one element, where the emitter looks for them."""
        builder = self.builder
        for resting in self.resting:
            values = []
            for offset, storage in resting.places:
                start = builder.gep(held, [number(offset)])
                if self.bits:
                    byte = builder.load(builder.gep(start, [builder.lshr(spot, number(3))]))
                    shifted = builder.lshr(byte, builder.trunc(builder.and_(spot, number(7)), I8))
                    values.append(builder.trunc(shifted, I1))
                    continue
                typed = builder.bitcast(start, memory_type(storage).as_pointer())
                values.append(builder.load(builder.gep(typed, [spot])))
            self.frame.emitter.groups[id(resting.phase.group)] = values

    def _fold_vector(self, held: Any, spot: Any, lanes: int) -> dict[int, list[Any]]:
        builder, found = self.builder, dict[int, list[Any]]()
        for resting in self.resting:
            values = []
            for offset, storage in resting.places:
                start = builder.gep(held, [number(offset)])
                if self.bits:
                    byte = builder.load(builder.gep(start, [builder.lshr(spot, number(3))]))
                    values.append(builder.bitcast(byte, ir.VectorType(I1, BITS)))
                    continue
                place = builder.gep(builder.bitcast(start, TYPES[storage].as_pointer()), [spot])
                kind = ir.VectorType(TYPES[storage], lanes)
                values.append(load_vector(builder, place, kind, WIDTH_OF_STORAGE[storage]))
            found[id(resting.phase.group)] = values
        return found
