"""One kernel for every contraction: packed panels, a register tile, cache blocks, threads, the epilogue fused.

Operands are evaluated, whatever they are, into panels: `rows` of the left by depth, `columns` of the right by depth.
The tile holds rows x columns accumulators in registers and takes one step of the depth at a time.  The depth is cut
so that panels stay in the caches; between cuts accumulators rest in memory.  After the last cut of the last fold the
epilogue, the scalar expression around the folds, is evaluated for every element of the tile and stored.

    batches  ->  strips of rows and columns  ->  folds  ->  cuts of the depth
             ->  threads: panels packed  ->  threads: blocks of rows x groups of columns, tile by tile

Whoever computes a block of rows packs it, where nobody else computes with the same rows; else all rows are packed
beforehand, with the columns.  Pieces are in the order of rows or of columns: a thread has neighbouring ones
(threads.c), so it packs and keeps in its own cache what it computes with, and reads all of the other operand.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.contraction.columns import Columns, ColumnsOfCopy
from tolang.engines.cpu.contraction.cuts import Cuts, cuts_of, each_cut, steps_of, whole_depth
from tolang.engines.cpu.contraction.cuts import variables as cut_variables
from tolang.engines.cpu.contraction.epilogue import Finishing, Resting
from tolang.engines.cpu.contraction.frames import ONE, POINTER, ZERO, Frame, number
from tolang.engines.cpu.contraction.inspection import SEEN, strange
from tolang.engines.cpu.contraction.magnitudes import is_safe
from tolang.engines.cpu.contraction.matrix_tile import MatrixTile
from tolang.engines.cpu.contraction.packing import BITS, Packing, Panel
from tolang.engines.cpu.contraction.panels import BEFOREHAND, MARKS, TURN, Panels, word_of_panels, words_of_phase
from tolang.engines.cpu.contraction.panels import WORDS as PANEL_WORDS
from tolang.engines.cpu.contraction.pieces import MOST_STEPS, PhaseCode, Pieces, is_packed
from tolang.engines.cpu.contraction.register_tile import RegisterTile
from tolang.engines.cpu.contraction.rows import RowsOfCopy
from tolang.engines.cpu.contraction.steps import Steps
from tolang.engines.cpu.emission.looping import REGION, spend
from tolang.engines.cpu.emission.regions import word_of_run
from tolang.engines.llvm import ir
from tolang.engines.llvm.sizes import quotient_of
from tolang.engines.llvm.types import I1, I64, memory_type
from tolang.ground.dataclasses import replace
from tolang.ground.sizes import ONE as SIZE_ONE
from tolang.nests.nest import Load, Nest
from tolang.nests.patterns.contraction import Contraction, Dimensions, Operand, Phase, contraction_of
from tolang.nests.patterns.tile import MATRIX_SIDE, Tile, packed, shape_of
from tolang.nests.patterns.window_rows import row_reads
from tolang.nests.patterns.windows import read_of_copy
from tolang.nests.strategy import WINDOWS, Strategy
from tolang.nests.traversal import runs_along, stride, used_buffers, used_names, walk

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

SMALL = 1 << 16
"""Steps of elements below which a product is not worth sharing out."""
SMALL_BATCH = 1 << 24
"""Steps of elements below which whole products of a batch are shared out, not parts of each."""
PIECES, MOST_PIECES = 4, 16
"""How many pieces there are for each thread, so that one that is slow keeps nobody waiting for long."""
PIECE = 1 << 19
"""Steps of elements that pieces have at the least where there are more than a few for each thread."""
LONGEST_PIECE = 1 << 30
"""Steps of elements that a piece has at the most, about, where it goes through all of the depth: between two of them
a run can be ended."""
FEWEST = 4
"""Panels of rows that a piece has at the least, as far as there are enough of them: it reads all columns for them.

Where there would be too few pieces of some length for each thread, they have fewer rows.
"""
NEAREST, STREAMED = 2.5, 5
"""What part of the nearest cache a panel of columns may have, or of the second where it is streamed from there."""
OVERLAP = 4
"""How many steps of the depth read the same of a copy of windows, about."""
LEAST_DEPTH = 192
"""Steps of the depth that are packed at once at the least, as far as there are so many."""
SECOND_SHARE, LAST_SHARE = 4, 8
"""What part of the second cache a block of rows may have, and of the last one a strip of columns."""
FEWEST_PANELS = 8
"""Panels of columns that a strip has at the least."""
MOST_OF_A_CACHE = 1 << 27
"""Bytes of a cache that count at the most: where there are more, there are more processors to share them."""
MOST_KEPT = 1 << 26
"""Bytes that accumulators of a strip take at the most while they rest between cuts, unless it has so few panels."""
GROUPS = 8
"""Panels of columns for each thread from which on it does not matter that some threads have one more."""
WORDS = ("M", "N", "batch", "length", "first_row", "first_column", "row_panels", "panels", "block", "blocks", "groups",
         "by columns", "by batches", "several", "steps", "passed", "fitting", "longest",
         MOST_STEPS, *PANEL_WORDS)  # fmt: skip
ROW_STRIP = 4096
"""Rows whose accumulators rest in memory at a time."""


def contraction(emitter: Emitter, nest: Nest) -> None:
    """A nest that is a contraction, by the tile of its strategy."""
    found = contraction_of(nest)
    assert found is not None
    assert nest.strategy is not None
    Kernel(emitter, found, nest.strategy).emit()


class Kernel:
    """The code of one contraction, being written."""

    def __init__(self, emitter: Emitter, contraction: Contraction, strategy: Strategy) -> None:
        self.emitter, self.contraction = emitter, contraction
        shape = shape_of(contraction)
        assert shape is not None
        self.shape = shape
        self.tile, self.otherwise = Tile.of(strategy), strategy.otherwise
        self.columns = self.tile.columns * (BITS if shape.bits else 1)
        self.narrow = self.otherwise is not None
        self.read = read_of_copy(contraction) if strategy.name == WINDOWS else None
        assert strategy.name != WINDOWS or self.read is not None, "columns are read from a copy that nobody knows"
        self.row_reads = row_reads(contraction) if self.tile.offsets else None
        assert not self.tile.offsets or self.row_reads is not None, "rows are read at offsets that nobody knows"
        self.may_join = len(contraction.phases) > 1 and not self.tile.inspects
        """Whether pieces go through all phases, wherever the depth of each is a single cut."""

    @property
    def builder(self) -> ir.IRBuilder:
        return self.emitter.builder

    def emit(self) -> None:
        """The whole contraction."""
        c, nest = self.contraction, self.contraction.nest
        names = used_names(nest) | {n for b, _ in nest.targets for s in b.shape for n in s.names()} | {"the seed"}
        self.frame = Frame(self.emitter, names, used_buffers(nest), self._variables())
        self.frame.prologue = self._bind_batch
        self.numbered = Columns(self.frame, c.columns)
        if self.read is not None:
            self.numbered = ColumnsOfCopy(self.frame, c.columns, self.read)
        self.frame.put(SEEN, ZERO)
        for p, phase in enumerate(c.phases):
            for k, (initial, column) in enumerate(zip(phase.initials, phase.group.columns, strict=True)):
                value = self.emitter.scalar(initial)
                stored = self.builder.zext(value, memory_type("bool")) if column.storage == "bool" else value
                self.frame.put(f"initial {p} {k}", stored)
                if self.tile.inspects:
                    odd = self.builder.zext(strange(self.builder, value), I64)
                    self.frame.put(SEEN, self.builder.or_(self.frame.get(SEEN), odd))
        self.panels = Panels(self.frame, c, self.tile, self.columns)
        rows, columns = self.frame.count(c.rows), self.numbered.total(self.columns)
        self.frame.put("M", rows)
        self.frame.put("N", columns)
        self._write_functions()
        if self.narrow:
            self._if_safe(lambda: self._run(rows, columns))
        else:
            self._run(rows, columns)

    def _if_safe(self, run: Callable[[], None]) -> None:
        """Runs the kernel where nothing can overflow, and else what checks every operation."""
        nest, emitter = replace(self.contraction.nest, strategy=self.otherwise), self.emitter
        emitter.choose(is_safe(self.frame, self.contraction), run, lambda: emitter.step(nest))

    def _run(self, rows: Any, columns: Any) -> None:
        """Calls the kernel: small products of a batch are shared out whole, large ones one after the other.

        Where there are enough small ones for all threads, each is computed by one of them.
        """
        count = self.frame.count(self.contraction.batch)
        work = self.builder.mul(self.builder.mul(rows, columns), self.frame.count(self.contraction.depth))
        small = self.builder.icmp_signed("<", work, number(SMALL_BATCH))
        enough = self.builder.icmp_signed(">=", count, word_of_run(self.builder, "tolang_width"))
        self.frame.put("by batches", self.builder.zext(self.builder.and_(small, enough), I64))
        region = self.frame.function("batches", [I64, I64], self._batches)
        self.frame.parallel(region, count, self.builder.select(small, ONE, self.frame.maximum(count, ONE)))

    def _variables(self) -> dict[str, Any]:
        """The kernel's own variables in the frame."""
        phases = self.contraction.phases
        words = (*WORDS, *(() if self.read is None else ColumnsOfCopy.words))
        variables: dict[str, Any] = dict.fromkeys((*words, *cut_variables([p.depth for p in phases])), I64)
        variables |= {"begins": I1, "last": I1} | dict.fromkeys(("kept", MARKS, RowsOfCopy.word), POINTER)
        if self.may_join:
            variables |= {word: I64 for p in range(len(phases)) for word in words_of_phase(p)}
        for p, phase in enumerate(phases):
            for side, operands in zip(("left", "right"), packed(phase), strict=True):
                variables |= {word_of_panels(side, p, k): POINTER for k in range(len(operands))}
            for k, column in enumerate(phase.group.columns):
                variables[f"initial {p} {k}"] = memory_type(column.storage)
        return variables

    def _bind_batch(self) -> None:
        if self.contraction.batch:
            self.frame.bind_flat(self.frame.get("batch"), self.contraction.batch)

    # The functions that loops call

    def _write_functions(self) -> None:
        self.phases = [self._phase(k, phase) for k, phase in enumerate(self.contraction.phases)]
        offset = 0
        resting = []
        for phase, code in zip(self.contraction.phases, self.phases, strict=True):
            code.offset = offset
            places, at = [], offset
            for c, column in enumerate(phase.group.columns):
                places.append((at, column.storage))
                at += code.tile.count * self.tile.lanes * code.tile.bytes_of(c)
            resting.append(Resting(phase, tuple(places)))
            offset += (code.tile.bytes + 63) // 64 * 64
        self.tile_bytes = offset
        for code in self.phases:
            extras = code.phase.extras
            if extras:
                code.prepare = self._finishing(resting[: code.number]).prepare(extras)
                code.extras_bytes = code.tile.count * self.tile.lanes * 8 * len(extras)
        finish = self._finishing(resting).finish()
        self.panels.may_own = len(self.phases) == 1 and not self.tile.inspects and self._are_packed_by_lines()
        pieces = Pieces(self.panels, self.numbered, self.phases, finish, self.tile_bytes)
        for code in self.phases:
            if is_packed([*code.lefts, *code.rights]):
                region = self.panels.region(code.packed_lefts, code.packed_rights)
                code.pack_region = self.frame.function("pack_all", [I64, I64], region)
            code.tiles_region = self.frame.function("tiles", [I64, I64], pieces.of(code))
        if self.may_join:
            packs = [(code.phase.depth, code.packed_lefts, code.packed_rights) for code in self.phases]
            self.pack_joined = self.frame.function("pack_joined", [I64, I64], self.panels.region_of_all(packs))
            self.tiles_joined = self.frame.function("tiles_joined", [I64, I64], pieces.of_all())
        if self.row_reads is not None:
            self.row_offsets = self.frame.function("row_offsets", [POINTER], self._rows(0).fill)
        self.cut = self.frame.function("cut", [I64, I64], self._cut_into_pieces)

    def _are_packed_by_lines(self) -> bool:
        """Whether all columns are packed, from memory in which they lie side by side, or each along the depth."""
        (last, _), (code, *_) = self.contraction.columns[-1], self.phases
        loads = [one for how in code.rights for one in walk(how.value) if isinstance(one, Load)]
        own = [one for one in loads if any(last in index.names() for index in one.indices)]
        beside = all(stride(one.buffer, one.indices, last) == SIZE_ONE for one in own)
        along = all(runs_along(one, code.phase.depth) for one in own)
        return bool(own) and (beside or along) and all(how.is_packed for how in code.rights)

    def _rows(self, phase: int) -> RowsOfCopy:
        assert self.row_reads is not None
        c = self.contraction
        return RowsOfCopy(self.frame, c.rows, c.phases[phase].depth, self.row_reads[phase])

    def _finishing(self, resting: list[Resting]) -> Finishing:
        return Finishing(self.frame, self.contraction, self.tile, self.numbered, resting, self.shape.bits)

    def _phase(self, position: int, phase: Phase) -> PhaseCode:
        c, tile = self.contraction, self.tile
        lefts, rights = packed(phase)
        left_panels = [
            replace(
                self._panel(o, c.rows, phase.depth, tile.rows, tile.splat),
                in_rows=tile.in_place,
                beside=tile.beside,
                direct=tile.offsets,
            )
            for o in lefts
        ]
        right_panels = [
            replace(
                self._panel(o, c.columns, phase.depth, self.columns, False),
                sliced=self.shape.bits,
                direct=self.read is not None,
            )
            for o in rights
        ]
        packs = [self.panels.function(panel) for panel in (*left_panels, *right_panels)]
        steps = Steps(self.emitter, phase, self.shape, tile.lanes)
        names = [o.name for o in (*lefts, *rights)]
        written = MatrixTile if tile.matrices else RegisterTile
        register_tile = written(steps, phase, tile, left_panels, right_panels, names)
        offsets = [
            (word_of_panels(side, position, 0), Packing(self.frame, own[0]).emit_offsets())
            for side, own in (("left", left_panels), ("right", right_panels))
            if own[0].direct
        ]
        rows = None if self.row_reads is None else self._rows(position)
        return PhaseCode(phase, position, register_tile, left_panels, right_panels, packs, offsets, rows)

    def _panel(self, operand: Operand, own: Dimensions, depth: Dimensions, width: int, splat: bool) -> Panel:
        copies = self.tile.lanes if splat else 1
        storage = "i32" if self.narrow else operand.value.column.storage
        return Panel(operand.value, own, depth, width, storage, self.tile.lanes, copies, self.shape.bits)

    # Loops over batches, strips and cuts

    def _batches(self, low: Any, high: Any) -> None:
        def one(batch: Any) -> None:
            self.frame.put("batch", batch)
            self._bind_batch()
            self._product()

        with self.frame.copied():
            self.frame.each(low, high, ONE, one)

    def _product(self) -> None:
        """One product of rows by columns, strip by strip; its panels' memory is had once."""
        frame, builder, tile = self.frame, self.builder, self.tile
        rows, columns = frame.get("M"), frame.get("N")
        depth = self._depth()
        frame.put(MOST_STEPS, depth)
        spans = [cuts_of(frame, p.depth, depth) for p in self.contraction.phases]
        longest = ONE
        several: Any = ir.Constant(I1, int(len(self.phases) > 1 and not self.may_join))
        for cuts in spans:
            longest = frame.maximum(longest, steps_of(frame, cuts))
            for extent, span in cuts:
                several = builder.or_(several, builder.icmp_signed(">", extent, span))
        frame.put("several", builder.zext(several, I64))
        frame.put("longest", longest)
        most = self._fitting("tolang_last_cache", LAST_SHARE, longest, lambda code: code.rights, FEWEST_PANELS)
        frame.put("fitting", self._fitting("tolang_second_cache", SECOND_SHARE, longest, lambda code: code.lefts, 1))
        strip_rows = builder.select(several, frame.minimum(rows, number(ROW_STRIP // tile.rows * tile.rows)), rows)
        of_a_panel = builder.mul(frame.ceiling(strip_rows, number(tile.rows)), number(self.tile_bytes))
        resting = quotient_of(builder, number(MOST_KEPT), frame.maximum(of_a_panel, ONE))
        resting = frame.minimum(most, frame.maximum(resting, number(FEWEST_PANELS)))
        most = builder.select(several, resting, most)
        panels = frame.minimum(frame.ceiling(columns, number(self.columns)), most)
        strip_columns = builder.mul(most, number(self.columns))
        kept = builder.mul(frame.ceiling(strip_rows, number(tile.rows)), panels)
        kept = builder.mul(kept, number(self.tile_bytes))
        raws = []
        raw, memory = frame.memory(builder.select(several, kept, ZERO))
        raws.append(raw)
        frame.put("kept", memory)
        row_panels = frame.ceiling(strip_rows, number(tile.rows))
        frame.call(self.cut, [row_panels, panels])
        self.panels.decide(self.phases[0].lefts, row_panels, panels, frame.get("groups"))
        beforehand = builder.select(self.panels.rows_are(BEFOREHAND), row_panels, ZERO)
        for code, cuts in zip(self.phases, spans, strict=True):
            if code.is_ready:
                longest = frame.maximum(longest, steps_of(frame, [(extent, extent) for extent, _ in cuts]))
        joined = builder.not_(several) if self.may_join else ir.Constant(I1, 0)
        raws += self.panels.room([code.packed_lefts for code in self.phases], beforehand, longest, joined)
        if self.panels.may_own:
            panels = self.panels.decide_columns(self.phases[0].rights, panels, longest)
            raws += self.panels.marks()
        raws += self.panels.room([code.packed_rights for code in self.phases], panels, longest, joined)
        if self.row_reads is not None:
            raw, memory = frame.memory(builder.mul(rows, number(8)))
            raws.append(raw)
            frame.put(RowsOfCopy.word, memory)
            frame.call(self.row_offsets, [memory])

        def strip(column: Any) -> None:
            frame.put("first_column", column)
            width = frame.minimum(builder.sub(columns, column), strip_columns)
            frame.put("panels", frame.ceiling(width, number(self.columns)))
            frame.each(ZERO, rows, strip_rows, lambda row: self._strip(row, strip_rows, spans))

        frame.each(ZERO, columns, strip_columns, strip)
        for raw in raws:
            self.emitter.give_back(raw)

    def _strip(self, row: Any, strip_rows: Any, spans: list[Cuts]) -> None:
        """All cuts of all folds for some rows and columns."""
        frame, builder, tile = self.frame, self.builder, self.tile
        here = frame.minimum(builder.sub(frame.get("M"), row), strip_rows)
        frame.put("first_row", row)
        row_panels = frame.ceiling(here, number(tile.rows))
        frame.put("row_panels", row_panels)
        frame.call(self.cut, [row_panels, frame.get("panels")])
        if self.panels.may_own:
            self.panels.keep_within_rooms()

        def one_by_one() -> None:
            for code, cuts in zip(self.phases, spans, strict=True):
                final = ir.Constant(I1, int(code is self.phases[-1]))
                if code.is_ready:
                    whole_depth(frame, code.phase.depth)
                    self._share(code, here)
                else:
                    each_cut(frame, code.phase.depth, cuts, final, partial(self._share, code, here))

        if self.may_join:
            are_cut = builder.icmp_signed("!=", frame.get("several"), ZERO)
            frame.either(are_cut, one_by_one, lambda: self._share_joined(here))
        else:
            one_by_one()

    def _cut_into_pieces(self, row_panels: Any, panels: Any) -> None:
        """Blocks of rows that fit a cache, pieces enough for all threads; groups of columns where those are too few."""
        frame, builder = self.frame, self.builder
        threads = word_of_run(builder, "tolang_width")
        alone = builder.icmp_signed("<=", threads, ONE)
        alone = builder.or_(alone, builder.icmp_signed("!=", frame.get("by batches"), ZERO))
        tiles = builder.mul(builder.mul(row_panels, panels), number(self.tile.rows * self.columns))
        worthwhile = quotient_of(builder, builder.mul(tiles, frame.get("longest")), number(PIECE))
        few, most = (builder.mul(threads, number(count)) for count in (PIECES, MOST_PIECES))
        wanted = builder.select(alone, ONE, frame.maximum(few, frame.minimum(worthwhile, most)))
        if all(code.is_ready for code in self.phases):
            steps = builder.mul(tiles, frame.count(self.contraction.depth))
            wanted = frame.maximum(wanted, quotient_of(builder, steps, number(LONGEST_PIECE)))
        by_columns = builder.and_(self._by_columns(), builder.not_(alone))
        each = self._groups_for_each(row_panels, panels, threads, wanted)
        fitting = frame.ceiling(row_panels, frame.get("fitting"))
        for_each = builder.select(by_columns, frame.ceiling(wanted, each), wanted)
        needed = frame.ceiling(frame.minimum(few, worthwhile), frame.maximum(panels, ONE))
        high = frame.maximum(frame.ceiling(row_panels, number(FEWEST)), frame.minimum(needed, row_panels))
        many = frame.minimum(for_each, high)
        block = frame.ceiling(row_panels, frame.maximum(fitting, many))
        blocks = frame.ceiling(row_panels, block)
        groups = builder.select(by_columns, each, frame.minimum(frame.ceiling(wanted, blocks), panels))
        by = builder.zext(by_columns, I64)
        for name, value in (("block", block), ("blocks", blocks), ("groups", groups), ("by columns", by)):
            frame.put(name, value)

    def _by_columns(self) -> Any:
        """Whether threads have columns of their own and read all rows, not the other way round.

        Who has few columns to pack and has packed them itself finds them in its own cache; rows that are not packed are
        nobody's, and all read them as they lie.  Rows that are packed are so beforehand: a tile needs so much less of
        them than of columns that they may come from far.  Else all read the smaller operand.
        """
        builder, phases = self.builder, self.phases
        rows, columns = self.frame.get("M"), self.frame.get("N")
        if any(is_packed(code.rights) for code in phases):
            columns = builder.mul(columns, number(2))
        elif self.read is not None:
            columns = quotient_of(builder, columns, number(OVERLAP))
        return builder.icmp_signed(">=", columns, rows)

    def _groups_for_each(self, row_panels: Any, panels: Any, threads: Any, wanted: Any) -> Any:
        """Groups of columns for threads that have columns of their own: as many for each, where all get as many."""
        builder, frame = self.builder, self.frame
        own = quotient_of(builder, panels, threads)
        alike = builder.icmp_signed("==", builder.mul(own, threads), panels)
        alike = builder.or_(alike, builder.icmp_signed(">=", own, number(GROUPS)))
        blocks = builder.mul(threads, frame.ceiling(row_panels, number(FEWEST)))
        several = builder.mul(threads, frame.ceiling(wanted, frame.maximum(blocks, ONE)))
        return frame.maximum(frame.minimum(builder.select(alike, several, panels), panels), ONE)

    def _fitting(
        self, cache: str, share: float, steps: Any, operands: Callable[[PhaseCode], list[Panel]], least: int
    ) -> Any:
        """How many panels of so many steps a share of a cache holds."""
        a_step = max(sum(how.step_bytes for how in operands(code)) for code in self.phases)
        panel = self.builder.mul(steps, number(max(1, a_step)))
        there = self.frame.minimum(word_of_run(self.builder, cache), number(MOST_OF_A_CACHE))
        room = quotient_of(self.builder, self.builder.mul(there, number(8)), number(round(8 * share)))
        return self.frame.maximum(quotient_of(self.builder, room, panel), number(least))

    def _depth(self) -> Any:
        """How many steps of the depth are packed at once: so many that a panel of columns stays where it is read."""
        cache, share = ("tolang_second_cache", STREAMED) if self.tile.streams else ("tolang_nearest_cache", NEAREST)
        steps = self._fitting(
            cache, share if self.read is None else share / OVERLAP, ONE, lambda code: code.rights, LEAST_DEPTH
        )
        return self.builder.and_(steps, number(-MATRIX_SIDE if self.tile.matrices else -8))

    def _share(self, code: PhaseCode, rows: Any) -> None:
        """A cut of one phase: packs the right operands, then computes all tiles."""
        count = self._begin(code)
        if self.panels.may_own:
            self.frame.put(TURN, self.builder.add(self.frame.get(TURN), ONE))
        self._share_out(code.pack_region, count, code.tiles_region, self.frame.get("length"), rows)

    def _share_joined(self, rows: Any) -> None:
        """All phases, each of one cut: packs what they need, then computes all tiles, phase after phase."""
        frame, builder = self.frame, self.builder
        count: Any = ZERO
        length: Any = ZERO
        for code in self.phases:
            whole_depth(frame, code.phase.depth)
            items = self._begin(code)
            self.panels.keep(code.number, items)
            count, length = builder.add(count, items), builder.add(length, frame.get("length"))
        self._share_out(self.pack_joined, count, self.tiles_joined, length, rows)

    def _begin(self, code: PhaseCode) -> Any:
        """Has offsets of a cut known; how many items of it are to be packed."""
        frame = self.frame
        for word, function in code.offsets:
            frame.call(function, [frame.get(word)])
        if code.pack_region is None:
            return ZERO
        return self.panels.count(code.lefts, code.rights, frame.get("panels"), frame.get("row_panels"))

    def _share_out(self, pack: Any, count: Any, tiles: Any, length: Any, rows: Any) -> None:
        """Packs so many items, if any, and computes tiles, each on all threads if there is enough to do.

        Regions look whether the run is to end between their pieces only, and cuts may be many: they are counted.
        """
        frame, builder = self.frame, self.builder
        elements = builder.mul(builder.mul(frame.get("panels"), number(self.columns)), length)
        pieces = builder.mul(frame.get("blocks"), frame.get("groups"))
        little = builder.icmp_signed("<", builder.mul(elements, rows), number(SMALL))
        little = builder.or_(little, builder.icmp_signed("!=", frame.get("by batches"), ZERO))
        if pack is not None:
            frame.parallel(pack, count, builder.select(little, frame.maximum(count, ONE), ONE))
        frame.parallel(tiles, pieces, builder.select(little, pieces, ONE))
        steps = builder.lshr(builder.mul(elements, rows), number(self.tile.lanes.bit_length() - 1))
        spend(self.emitter, builder.add(steps, number(REGION)))
