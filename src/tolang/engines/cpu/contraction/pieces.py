"""Pieces of a contraction: a block of rows by a group of columns, tile by tile, as one thread computes them.

A piece takes one cut of the depth of one fold, whose panels were packed before it; all cuts where nothing is packed; or
all folds, each of a single cut, where the panels of all were: then what a tile has computed rests on the stack.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tolang.engines.cpu.contraction.columns import TileColumns
from tolang.engines.cpu.contraction.cuts import cuts_of, each_cut, whole_depth
from tolang.engines.cpu.contraction.frames import ONE, POINTER, ZERO, number
from tolang.engines.cpu.contraction.inspection import SEEN, is_ordinary
from tolang.engines.cpu.contraction.packing import Panel
from tolang.engines.cpu.contraction.panels import BY_PIECE, IN_PLACE, OwnColumns, Packed, PanelPacking, word_of_panels
from tolang.engines.cpu.contraction.register_tile import NOTHING, RegisterTile
from tolang.engines.cpu.contraction.results import Result
from tolang.engines.cpu.contraction.rows import RowsOfCopy
from tolang.engines.cpu.emission.regions import word_of_run
from tolang.engines.llvm import ir
from tolang.engines.llvm.prefetching import LINE
from tolang.engines.llvm.sizes import quotient_of
from tolang.engines.llvm.types import I1, I64
from tolang.ground.dataclasses import dataclass
from tolang.idioms.contraction import Phase
from tolang.plan.nest import Load
from tolang.schedule.tile import WIDTH_OF_STORAGE

STAYING = 2
"""What part of the second cache panels of columns may have that are there still when they are read again."""
MOST_STEPS = "most steps"
"""The frame's word of how many steps of the depth are packed at once at the most."""


def is_packed(panels: list[Panel]) -> bool:
    return any(how.is_packed for how in panels)


class PhaseCode:
    """The functions of one phase, by its number; `offset` is where its accumulators rest among those of a tile."""

    def __init__(
        self,
        phase: Phase,
        number: int,
        tile: RegisterTile,
        lefts: list[Panel],
        rights: list[Panel],
        packs: list[Any],
        offsets: list[tuple[str, str, Any]],
        rows: RowsOfCopy | None,
    ) -> None:
        self.phase, self.number, self.tile, self.lefts, self.rights = phase, number, tile, lefts, rights
        self.offsets, self.rows = offsets, rows
        self.is_ready = not is_packed([*lefts, *rights])
        """Whether nothing is packed, so that each piece goes through all cuts by itself."""
        self.inspects = tile.tile.inspects and all(how.is_packed for how in (*lefts, *rights))
        ways = (False, True) if self.inspects else (False,)
        self.functions = {ordinary: tile.emit(tile.tile.vectors, ordinary) for ordinary in ways}
        narrow = tile.tile.narrow
        self.narrow = {ordinary: tile.emit(narrow, ordinary) for ordinary in ways} if narrow else None
        self.packed_lefts = self._packed("left", lefts, packs[: len(lefts)])
        self.packed_rights = self._packed("right", rights, packs[len(lefts) :])
        self.offset = 0
        self.prepare: Any = None
        self.extras_bytes = 0

    def _packed(self, side: str, panels: list[Panel], functions: list[Any]) -> list[Packed]:
        return [
            (word_of_panels(side, self.number, k), how, pack)
            for k, (how, pack) in enumerate(zip(panels, functions, strict=True))
        ]


@dataclass(frozen=True, slots=True)
class Workplace:
    """What a thread has to itself: room for a tile's accumulators and extras, which rows it has packed, its columns."""

    accumulators: Any
    extras: Any
    packed_rows: Any
    columns: OwnColumns | None


@dataclass(frozen=True, slots=True)
class PrefetchedPanel:
    """What is read after a panel of columns: where it is, its bytes, how many of them each tile asks for.

    That is the next panel, or, of small products, a part of those that the next one has; so it comes into the second
    cache bit by bit meanwhile.  Else whoever reads it first would wait for all of it.
    """

    panel: Any
    size: Any
    share: Any

    def part(self, builder: ir.IRBuilder, tile: Any) -> Any:
        """What one of the tiles asks for, by its number; nothing from where on there is no more of it."""
        passed = builder.mul(tile, self.share)
        there = builder.gep(self.panel, [passed])
        return builder.select(builder.icmp_signed("<", passed, self.size), there, NOTHING)


class PieceKernel:
    """What computes pieces, being written; `finish` stores a tile whose accumulators have so many bytes."""

    def __init__(
        self,
        panels: PanelPacking,
        numbered: TileColumns,
        phases: list[PhaseCode],
        finish: Any,
        tile_bytes: int,
        result: Result | None,
    ) -> None:
        self.panels, self.numbered, self.phases, self.result = panels, numbered, phases, result
        self.finish, self.tile_bytes = finish, tile_bytes
        self.frame, self.tile, self.emitter = panels.frame, panels.tile, panels.frame.emitter

    @property
    def builder(self) -> ir.IRBuilder:
        return self.frame.builder

    def of(self, code: PhaseCode) -> Callable[[Any, Any], None]:
        """Pieces of one phase."""

        def region(low: Any, high: Any) -> None:
            def pieces(piece: Callable[[Any], None]) -> None:
                if code.is_ready:
                    self._through_all_cuts(code, low, high, piece)
                else:
                    self.frame.each(low, high, ONE, piece)

            self._pieces([code], pieces)

        return region

    def of_all(self) -> Callable[[Any, Any], None]:
        """Pieces of all phases, one after the other for each tile."""

        def region(low: Any, high: Any) -> None:
            with self.frame.copied():
                self._pieces(self.phases, lambda piece: self.frame.each(low, high, ONE, piece))

        return region

    def _pieces(self, codes: list[PhaseCode], each: Callable[[Callable[[Any], None]], None]) -> None:
        frame, builder = self.frame, self.builder
        raws: list[Any] = []
        lefts = [self._lefts(code, len(codes) > 1, raws) for code in codes]
        columns = self.panels.own_columns(codes[0].packed_rights) if self.panels.may_own else None
        extras = self._room(max(64, *(code.extras_bytes for code in codes)))
        for code in codes:
            code.tile.enter(builder, extras)
        workplace = Workplace(self._room(self.tile_bytes), extras, self.emitter.slot(I64), columns)
        builder.store(number(-1), workplace.packed_rows)
        own = list(zip(codes, lefts, strict=True))

        def piece(item: Any) -> None:
            by_columns = builder.icmp_signed("!=", frame.get("by columns"), ZERO)
            inner = builder.select(by_columns, frame.get("blocks"), frame.get("groups"))
            outer = quotient_of(builder, item, inner)
            rest = builder.sub(item, builder.mul(outer, inner))
            which, group = builder.select(by_columns, rest, outer), builder.select(by_columns, outer, rest)
            self._piece(own, which, group, workplace)

        each(piece)
        for code in codes:
            code.tile.leave(self.builder, extras)
        if columns is not None:
            self.panels.give_back(columns)
        for raw in raws:
            self.emitter.give_back(raw)

    def _lefts(self, code: PhaseCode, among_others: bool, raws: list[Any]) -> list[Any]:
        """Where the panels of rows are; those that a piece packs get memory, which is to be given back."""
        frame, builder, found = self.frame, self.builder, list[Any]()
        by_piece = self.panels.rows_are(BY_PIECE)
        for word, how, _ in code.packed_lefts:
            beforehand = frame.get(word)
            if not how.is_packed:
                found.append(beforehand)
                continue
            if among_others:
                whole_depth(frame, code.phase.depth)
            size = builder.mul(how.bytes_of(builder, frame.get("length")), frame.get("block"))
            raw, memory = frame.memory(builder.select(by_piece, size, ZERO))
            raws.append(raw)
            found.append(builder.select(by_piece, memory, beforehand))
        return found

    def _through_all_cuts(self, code: PhaseCode, low: Any, high: Any, piece: Callable[[Any], None]) -> None:
        """Some pieces, each of them cut after cut."""
        frame, depth = self.frame, code.phase.depth
        final = ir.Constant(I1, int(code is self.phases[-1]))
        with frame.copied():
            cuts = cuts_of(frame, depth, frame.get(MOST_STEPS))
            frame.each(low, high, ONE, lambda item: each_cut(frame, depth, cuts, final, lambda: piece(item)))

    def _room(self, size: int) -> Any:
        room = self.emitter.slot(ir.ArrayType(ir.VectorType(I64, 8), (size + 63) // 64))
        return self.builder.bitcast(room, POINTER)

    def _piece(self, codes: list[tuple[PhaseCode, list[Any]]], which: Any, group: Any, own: Workplace) -> None:
        """Packs the left's block unless it is there already, then computes the tiles."""
        frame, builder = self.frame, self.builder
        block = frame.get("block")
        low = builder.mul(which, block)
        high = frame.minimum(builder.add(low, block), frame.get("row_panels"))
        joined = len(codes) > 1
        if any(is_packed(code.lefts) for code, _ in codes):
            missing = builder.icmp_signed("!=", builder.load(own.packed_rows), which)
            with builder.if_then(builder.and_(self.panels.rows_are(BY_PIECE), missing)):
                for code, lefts in codes:
                    if joined:
                        whole_depth(frame, code.phase.depth)
                    self._pack(code, lefts, low, high)
                builder.store(which, own.packed_rows)
        panels, groups = frame.get("panels"), frame.get("groups")
        begin = quotient_of(builder, builder.mul(panels, group), groups)
        end = quotient_of(builder, builder.mul(panels, builder.add(group, ONE)), groups)
        first_packed: Any = ZERO
        if own.columns is not None:
            first_packed = self.panels.pack_own(codes[0][0].packed_rights, own.columns, group, begin, end)

        def column(c: Any) -> None:
            first = builder.add(frame.get("first_column"), builder.mul(c, number(self.panels.columns)))
            read = [self._reads(code, first) for code, _ in codes]
            far = builder.and_(self.panels.rows_are(IN_PLACE), builder.icmp_signed("==", c, begin))
            further = builder.add(c, ONE)
            further = builder.select(builder.icmp_signed("<", further, end), further, begin)
            later = [self._later(code, further, builder.sub(further, first_packed), own) for code, _ in codes]

            def row(r: Any) -> None:
                for (code, lefts), known, then in zip(codes, read, later, strict=True):
                    if joined:
                        self._enter(code)
                    at = c, builder.sub(c, first_packed), first, far, *known
                    self._one_tile(code, r, at, low, lefts, own, then)

            frame.each(low, high, ONE, row)

        frame.each(begin, end, ONE, column)

    def _pack(self, code: PhaseCode, lefts: list[Any], low: Any, high: Any) -> None:
        self.panels.rows(code.packed_lefts, low, high, ZERO, lefts)

    def _enter(self, code: PhaseCode) -> None:
        """Has the frame tell of a phase whose depth is one cut."""
        whole_depth(self.frame, code.phase.depth)
        self.frame.put("begins", ir.Constant(I1, 1))
        self.frame.put("last", ir.Constant(I1, int(code is self.phases[-1])))

    def _reads(self, code: PhaseCode, first: Any) -> tuple[Any, Any, Any]:
        """Of columns from one on: whether they are few, where what is not packed begins, whether all is ordinary."""
        builder, tile = self.builder, self.tile
        most = self.panels.columns // tile.vectors * tile.narrow
        narrow = builder.icmp_signed("<=", self.numbered.left(first), number(most))
        read = self.numbered.firsts(first, code.phase.depth)
        if code.rows is not None:
            read = [*read, code.rows.begin()]
        return narrow, read, is_ordinary(builder, self.frame.get(SEEN)) if code.inspects else None

    def _rights(self, code: PhaseCode, own: Workplace) -> list[Any]:
        """Where the panels of columns are."""
        if own.columns is not None:
            return own.columns.places
        return [self.frame.get(word) for word, _, _ in code.packed_rights]

    def _later(self, code: PhaseCode, column: Any, position: Any, own: Workplace) -> PrefetchedPanel | None:
        """What follows: the panel of a column, of no size where all panels stay in the second cache."""
        if not code.tile.asks:
            return None
        frame, builder, (how,), (memory,) = self.frame, self.builder, code.rights, self._rights(code, own)
        first = builder.add(frame.get("first_column"), builder.mul(column, number(self.panels.columns)))
        panel = builder.bitcast(self.panels.at(how, memory, position, first, code.is_ready), POINTER)
        length = frame.get("length")
        size = builder.mul(length, number(how.step_bytes))
        all_of = builder.mul(builder.mul(size, frame.get("panels")), number(STAYING))
        stay = builder.icmp_signed("<=", all_of, word_of_run(builder, "tolang_second_cache"))
        size = builder.select(stay, ZERO, size)
        share = builder.mul(quotient_of(builder, length, number(self.tile.unroll)), number(LINE))
        if self.panels.contraction.batch and isinstance(how.value, Load) and not how.value.checks:
            by_batches = builder.icmp_signed("!=", frame.get("by batches"), ZERO)
            place, part = self._part_of_next(code, how.value, column)
            panel, size = builder.select(by_batches, place, panel), builder.select(by_batches, part, size)
        return PrefetchedPanel(panel, size, share)

    def _part_of_next(self, code: PhaseCode, load: Load, column: Any) -> tuple[Any, Any]:
        """Where the next product of a batch has its columns, and how many bytes: of as many parts as panels, one."""
        frame, builder, contraction = self.frame, self.builder, self.panels.contraction
        with self.emitter.scope():
            frame.bind_flat(builder.add(frame.get("batch"), ONE), contraction.batch)
            for name, _ in (*code.phase.depth, *contraction.columns):
                frame.bind(name, ZERO)
            begin = builder.bitcast(self.emitter.address(load.buffer, load.indices), POINTER)
        elements = builder.mul(frame.count(code.phase.depth), frame.get("N"))
        size = builder.mul(elements, number(WIDTH_OF_STORAGE[load.column.storage]))
        part = quotient_of(builder, size, frame.get("panels"))
        return builder.gep(begin, [builder.mul(column, part)]), part

    def _rest(
        self, code: PhaseCode, place: Any, first: tuple[Any, Any], narrow: Any, own: Workplace
    ) -> tuple[Any, Any, Any]:
        """Where accumulators of a tile rest, by its number, how far apart their rows are, whether it is finished."""
        frame, builder, tile = self.frame, self.builder, self.tile
        kept = builder.gep(frame.get("kept"), [builder.mul(place, number(self.tile_bytes))])
        held = builder.select(builder.icmp_signed("!=", frame.get("several"), ZERO), kept, own.accumulators)
        pitch: Any = number(code.tile.row_bytes)
        if self.result is None:
            return held, pitch, frame.get("last")
        columns = number(tile.columns)
        if code.narrow is not None:
            columns = builder.select(narrow, number(tile.narrow * tile.lanes), columns)
        whole = self.result.holds(*first, columns)
        held = builder.select(whole, self.result.place(*first), held)
        pitch = builder.select(whole, self.result.pitch(), pitch)
        return held, pitch, builder.and_(frame.get("last"), builder.not_(whole))

    def _one_tile(
        self,
        code: PhaseCode,
        row: Any,
        at: tuple[Any, ...],
        low: Any,
        lefts: list[Any],
        own: Workplace,
        later: PrefetchedPanel | None,
    ) -> None:
        frame, builder, tile = self.frame, self.builder, self.tile
        column, position, first_column, far, narrow, read, ordinary = at
        length = frame.get("length")
        first_row = builder.add(frame.get("first_row"), builder.mul(row, number(tile.rows)))
        place = builder.add(builder.mul(column, frame.get("row_panels")), row)
        held, pitch, finishes = self._rest(code, place, (first_row, first_column), narrow, own)
        if code.prepare is not None:
            frame.call(code.prepare, [first_row, first_column, held, own.extras])
        there = builder.select(self.panels.rows_are(BY_PIECE), builder.sub(row, low), row)
        rights = self._rights(code, own)
        packed_left = [(how, memory, there, first_row) for how, memory in zip(code.lefts, lefts, strict=True)]
        packed_right = [(how, memory, position, first_column) for how, memory in zip(code.rights, rights, strict=True)]
        panels = [self.panels.at(*one, code.is_ready) for one in (*packed_left, *packed_right)]
        initials = [frame.get(f"initial {code.number} {k}") for k in range(len(code.tile.components))]
        sums = builder.gep(held, [number(code.offset)])
        arguments = [length, frame.get("start 0"), frame.get("begins"), sums, own.extras, *initials, *panels, *read]
        if code.rows is not None:
            arguments.append(code.rows.table(first_row))
        count = frame.minimum(builder.sub(frame.get("M"), first_row), number(tile.rows))
        asked = NOTHING if later is None else later.part(builder, builder.sub(row, low))
        arguments += [count, self.panels.apart(code.lefts), far, asked, pitch]
        wide = partial(self._by_numbers, code.functions, ordinary, arguments)
        if code.narrow is None:
            wide()
        else:
            frame.either(narrow, partial(self._by_numbers, code.narrow, ordinary, arguments), wide)
        with builder.if_then(finishes):
            frame.call(self.finish, [first_row, first_column, held])

    def _by_numbers(self, functions: dict[bool, Any], ordinary: Any, arguments: list[Any]) -> None:
        """Calls a tile, that for ordinary numbers where there is one and all of them are."""
        builder = self.builder
        if ordinary is None:
            builder.call(functions[False], arguments)
            return
        with builder.if_else(ordinary) as (yes, no):
            for side, way in ((yes, True), (no, False)):
                with side:
                    builder.call(functions[way], arguments)
