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
from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.contraction.columns import ColumnsOfCopy, TileColumns
from tolang.engines.cpu.contraction.cuts import variables as cut_variables
from tolang.engines.cpu.contraction.epilogue import Finishing, Resting
from tolang.engines.cpu.contraction.frames import ONE, POINTER, ZERO, KernelFrame, Through, number
from tolang.engines.cpu.contraction.inspection import SEEN, strange
from tolang.engines.cpu.contraction.loops import (
    MOST_PIECES,
    NUMBERS,
    PIECE,
    ROW_OFFSETS,
    ROWS_AT_REST,
    TILES_JOINED,
    WORDS,
    Loops,
    PanelInWords,
    PhaseLoops,
    in_words,
    word_of_offsets,
    word_of_pack,
    word_of_step,
    word_of_tiles,
)
from tolang.engines.cpu.contraction.magnitudes import is_safe
from tolang.engines.cpu.contraction.matrix_tile import MatrixTile
from tolang.engines.cpu.contraction.packing import BITS, Packing, Panel
from tolang.engines.cpu.contraction.panels import MARKS, Packed, PanelPacking, word_of_panels, words_of_phase
from tolang.engines.cpu.contraction.pieces import PhaseCode, PieceKernel
from tolang.engines.cpu.contraction.register_tile import RegisterTile
from tolang.engines.cpu.contraction.results import Result, result_of
from tolang.engines.cpu.contraction.rows import RowsOfCopy
from tolang.engines.cpu.contraction.steps import PhaseEvaluator
from tolang.engines.cpu.emission.regions import word_of_run
from tolang.engines.llvm import ir
from tolang.engines.llvm.sizes import quotient_of
from tolang.engines.llvm.types import I1, I64, memory_type
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size
from tolang.idioms.contraction import Contraction, Dimensions, Operand, Phase, contraction_of
from tolang.plan.access import access_of
from tolang.plan.nest import Load, Nest
from tolang.plan.schedule import OperandSource, Tiled
from tolang.plan.traversal import used_buffers, used_names, walk
from tolang.schedule.direct_convolution import row_reads
from tolang.schedule.tile import packed, shape_of
from tolang.schedule.windows import read_of_copy

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

SMALL_BATCH = 1 << 24
"""Steps of elements below which whole products of a batch are shared out, not parts of each."""


def contraction(emitter: Emitter, nest: Nest) -> None:
    """A nest that is a contraction, by the tile of its schedule."""
    found = contraction_of(nest)
    assert found is not None
    assert isinstance(nest.schedule, Tiled)
    ContractionKernel(emitter, found, nest.schedule).emit()


class ContractionKernel:
    """The code of one contraction, being written."""

    def __init__(self, emitter: Emitter, contraction: Contraction, tile: Tiled) -> None:
        self.emitter, self.contraction = emitter, contraction
        shape = shape_of(contraction)
        assert shape is not None
        self.shape = shape
        self.tile, self.otherwise = tile, tile.fallback
        self.columns = self.tile.columns * (BITS if shape.bits else 1)
        self.narrow = self.otherwise is not None
        windows = tile.right is OperandSource.PADDED_COPY
        self.read = read_of_copy(contraction) if windows else None
        assert not windows or self.read is not None, "columns are read from a copy that nobody knows"
        self.row_reads = row_reads(contraction) if tile.left is OperandSource.PADDED_COPY else None
        assert tile.left is not OperandSource.PADDED_COPY or self.row_reads is not None, (
            "rows are read at offsets that nobody knows"
        )
        self.may_join = len(contraction.phases) > 1 and not self.tile.inspects
        """Whether pieces go through all phases, wherever the depth of each is a single cut."""

    @property
    def builder(self) -> ir.IRBuilder:
        return self.emitter.builder

    def emit(self) -> None:
        """The whole contraction."""
        c, nest = self.contraction, self.contraction.nest
        names = used_names(nest) | {n for b, _ in nest.targets for s in b.shape for n in s.names()} | {"the seed"}
        variables = self._variables()
        self.frame = KernelFrame(self.emitter, names, used_buffers(nest), variables, self.known)
        self.frame.prologue = self._bind_batch
        self.numbered = TileColumns(self.frame, c.columns)
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
        for p, phase in enumerate(c.phases):
            for word, lengths in in_words(p, phase.depth):
                self.frame.put(word, self.frame.count(tuple((word, one) for one in lengths)))
        self.panels = PanelPacking(self.frame, c, self.tile, self.columns)
        rows, columns = self.frame.count(c.rows), self.numbered.total(self.columns)
        self.frame.put("M", rows)
        self.frame.put("N", columns)
        self._write_functions()
        loops = self._loops().emit()
        if self.narrow:
            self._if_safe(lambda: self._run(loops, rows, columns))
        else:
            self._run(loops, rows, columns)

    def _if_safe(self, run: Callable[[], None]) -> None:
        """Runs the kernel where nothing can overflow, and else what checks every operation."""
        nest, emitter = replace(self.contraction.nest, schedule=self.otherwise), self.emitter
        emitter.choose(is_safe(self.frame, self.contraction), run, lambda: emitter.step(nest))

    def _run(self, loops: Any, rows: Any, columns: Any) -> None:
        """Calls the kernel: small products of a batch are shared out whole, large ones one after the other.

        Where there are enough small ones for all threads, each is computed by one of them, some at a time.
        """
        frame, builder = self.frame, self.builder
        count, steps = frame.count(self.contraction.batch), frame.count(self.contraction.depth)
        frame.put("all steps", steps)
        work = builder.mul(builder.mul(rows, columns), steps)
        small = builder.icmp_signed("<", work, number(SMALL_BATCH))
        threads = word_of_run(builder, "tolang_width")
        enough = builder.icmp_signed(">=", count, threads)
        frame.put("by batches", builder.zext(builder.and_(small, enough), I64))
        if not self.contraction.batch:
            frame.parallel(loops, count, ONE)
            return
        some = quotient_of(builder, count, builder.mul(threads, number(MOST_PIECES)))
        some = frame.minimum(some, quotient_of(builder, number(PIECE), frame.maximum(work, ONE)))
        frame.parallel(loops, count, frame.maximum(builder.select(small, some, count), ONE))

    def _variables(self) -> dict[str, Any]:
        """The kernel's own variables in the frame."""
        phases = self.contraction.phases
        variables: dict[str, Any] = dict.fromkeys((*WORDS, *NUMBERS), I64)
        addresses = "kept", MARKS, RowsOfCopy.word, ROW_OFFSETS, TILES_JOINED
        variables |= {"begins": I1, "last": I1} | dict.fromkeys(addresses, POINTER)
        depths = [in_words(p, phase.depth) for p, phase in enumerate(phases)]
        variables |= dict.fromkeys(cut_variables(max(map(len, depths))), I64)
        if self.may_join:
            variables |= {word: I64 for p in range(len(phases)) for word in words_of_phase(p)}
        for p, phase in enumerate(phases):
            variables |= {word: I64 for word, _ in depths[p]} | {word_of_tiles(p): POINTER}
            for side, operands in zip(("left", "right"), packed(phase), strict=True):
                variables[word_of_offsets(side, p)] = POINTER
                for k in range(len(operands)):
                    variables |= {word_of_panels(side, p, k): POINTER, word_of_pack(side, p, k): POINTER}
                    variables[word_of_step(side, p, k)] = I64
        self.known = len(variables)
        variables |= dict.fromkeys(() if self.read is None else ColumnsOfCopy.words, I64)
        for p, phase in enumerate(phases):
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
        held = self.phases[-1].tile.steps.held(0)
        result = (
            None
            if self.read is not None or self.shape.bits
            else result_of(self.frame, self.contraction, self.tile, held)
        )
        pieces = PieceKernel(self.panels, self.numbered, self.phases, finish, self.tile_bytes, result)
        for code in self.phases:
            tiles = self.frame.function("tiles", [I64, I64], pieces.of(code))
            self.frame.point(word_of_tiles(code.number), tiles)
        if self.may_join:
            self.frame.point(TILES_JOINED, self.frame.function("tiles_joined", [I64, I64], pieces.of_all()))
        if self.row_reads is not None:
            self.frame.point(ROW_OFFSETS, self.frame.function("row_offsets", [POINTER], self._rows(0).fill))
        self.panels.tell([how for code in self.phases for how in code.lefts])

    def _result(self) -> Result | None:
        """The result that tiles write themselves, if they can."""
        if self.read is not None or self.shape.bits:
            return None
        return result_of(self.frame, self.contraction, self.tile, self.phases[-1].tile.steps.held(0))

    def _loops(self) -> Loops:
        """What goes through all of it, and knows functions by their addresses."""
        tile, steps = (
            self.tile,
            [[code.packed_lefts for code in self.phases], [code.packed_rights for code in self.phases]],
        )
        of_rows, of_columns = (max(1, *(sum(how.step_bytes for _, how, _ in one) for one in side)) for side in steps)
        strip, lane_bits = ROWS_AT_REST // tile.rows * tile.rows, tile.lanes.bit_length() - 1
        numbers = tile.rows, self.columns, self.tile_bytes, strip, of_rows, of_columns, lane_bits
        for word, one in zip(NUMBERS, numbers, strict=True):
            self.frame.put(word, number(one))
        phases = [self._loops_over(code) for code in self.phases]
        return Loops(self.panels, phases, self.read is not None, self.row_reads is not None, self.may_join)

    def _loops_over(self, code: PhaseCode) -> PhaseLoops:
        """A phase as loops know it: functions are told to the frame."""
        sides = []
        for side, operands in (("left", code.packed_lefts), ("right", code.packed_rights)):
            known = list[Packed]()
            for k, (word, how, pack) in enumerate(operands):
                through, step = None, word_of_step(side, code.number, k)
                if pack is not None:
                    through = Through(word_of_pack(side, code.number, k), (I64, I64, POINTER))
                    self.frame.point(through.word, pack)
                self.frame.put(step, number(how.step_bytes))
                known.append((word, PanelInWords(self.frame, step, how.is_packed, how.direct, how.in_rows), through))
            sides.append(known)
        offsets = []
        for side, word, function in code.offsets:
            through = Through(word_of_offsets(side, code.number), (POINTER,))
            self.frame.point(through.word, function)
            offsets.append((word, through))
        tiles = Through(word_of_tiles(code.number), (I64, I64))
        depth = tuple((word, Size.of(word)) for word, _ in in_words(code.number, code.phase.depth))
        return PhaseLoops(code.number, depth, sides[0], sides[1], offsets, tiles, code.is_ready)

    def _are_packed_by_lines(self) -> bool:
        """Whether all columns are packed, from memory in which they lie side by side, or each along the depth."""
        (last, _), (code, *_) = self.contraction.columns[-1], self.phases
        loads = [one for how in code.rights for one in walk(how.value) if isinstance(one, Load)]
        own = [access for access in map(access_of, loads) if not access.invariant(last)]
        beside = all(access.unit_stride(last) for access in own)
        along = all(access.contiguous(code.phase.depth) for access in own)
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
                in_rows=tile.left is OperandSource.ROWS,
                beside=tile.left is OperandSource.COLUMNS,
                direct=tile.left is OperandSource.PADDED_COPY,
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
        steps = PhaseEvaluator(self.emitter, phase, self.shape, tile.lanes)
        names = [o.name for o in (*lefts, *rights)]
        written = MatrixTile if tile.matrices else RegisterTile
        register_tile = written(steps, phase, tile, left_panels, right_panels, names)
        offsets = [
            (side, word_of_panels(side, position, 0), Packing(self.frame, own[0]).emit_offsets())
            for side, own in (("left", left_panels), ("right", right_panels))
            if own[0].direct
        ]
        rows = None if self.row_reads is None else self._rows(position)
        return PhaseCode(phase, position, register_tile, left_panels, right_panels, packs, offsets, rows)

    def _panel(self, operand: Operand, own: Dimensions, depth: Dimensions, width: int, splat: bool) -> Panel:
        copies = self.tile.lanes if splat else 1
        storage = "i32" if self.narrow else operand.value.column.storage
        return Panel(operand.value, own, depth, width, storage, self.tile.lanes, copies, self.shape.bits)
