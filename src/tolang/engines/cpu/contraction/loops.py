"""The loops of a contraction: over batches, strips of rows and columns, folds, and cuts of the depth.

    batches  ->  strips of rows and columns  ->  folds  ->  cuts of the depth

What they do depends on the tile and on how operands are packed, not on what is computed: lengths are words of the
frame, and so are the addresses of the functions that pack and compute.  Kernels whose loops are the same share them.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from tolang.engines.cpu.contraction.cuts import Cuts, cut_dimensions, cuts_of, each_cut, steps_of, whole_depth
from tolang.engines.cpu.contraction.frames import ONE, POINTER, ZERO, KernelFrame, Through, number
from tolang.engines.cpu.contraction.packing import APART
from tolang.engines.cpu.contraction.panels import BEFOREHAND, ROOMS, TURN, Packed, PanelPacking
from tolang.engines.cpu.contraction.panels import WORDS as PANEL_WORDS
from tolang.engines.cpu.contraction.pieces import MOST_STEPS, is_packed
from tolang.engines.cpu.contraction.rows import RowsOfCopy
from tolang.engines.cpu.emission.looping import REGION, spend
from tolang.engines.cpu.emission.regions import word_of_run
from tolang.engines.llvm import ir
from tolang.engines.llvm.sizes import quotient_of
from tolang.engines.llvm.types import I1, I64
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import Size
from tolang.idioms.contraction import Dimensions
from tolang.schedule.tile import MATRIX_SIDE

SMALL = 1 << 16
"""Steps of elements below which a product is not worth sharing out."""
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
NEAREST, STREAMED = 2.5, 4
"""What part of the nearest cache a panel of columns may have, or of the second where it is streamed from there."""
OVERLAP = 4
"""How many steps of the depth read the same of a copy of windows, about."""
ROWS_BESIDE = 8
"""Panels of rows that fit into their part of the second cache at the least, if panels of columns are streamed."""
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
CUT_ROWS, CUT_COLUMNS = "rows cut", "columns cut"
"""The frame's words of how many panels of rows and of columns were cut into pieces last."""
WORDS = ("M", "N", "batch", "length", "first_row", "first_column", "row_panels", "panels", "block", "blocks", "groups",
         "by columns", "by batches", "several", "steps", "passed", "fitting", "longest",
         "all steps", MOST_STEPS, CUT_ROWS, CUT_COLUMNS, *PANEL_WORDS)  # fmt: skip
ROWS_AT_REST = 4096
"""Rows whose accumulators rest in memory at a time."""
ROWS, COLUMNS, TILE_BYTES, ROW_STRIP = "tile rows", "tile columns", "tile bytes", "row strip"
STEP_OF_ROWS, STEP_OF_COLUMNS, LANE_BITS = "bytes of rows", "bytes of columns", "lane bits"
NUMBERS = (ROWS, COLUMNS, TILE_BYTES, ROW_STRIP, STEP_OF_ROWS, STEP_OF_COLUMNS, LANE_BITS)
"""The frame's words of what is known when a kernel is written: how large a tile is, how many bytes its accumulators
have, how many rows of accumulators rest at a time, how many bytes a step has, the logarithm of the lanes."""
ROW_OFFSETS = "writes row offsets"
"""The frame's word of what writes where rows are that are read at offsets."""
TILES_JOINED = "tiles joined"
"""The frame's word of what computes the tiles of all phases."""
MOST_WRITTEN = 256
_WRITTEN: dict[object, ir.SharedFunction] = {}
"""Loops that were written, by all that they depend on."""


@dataclass(frozen=True, slots=True)
class PhaseLoops:
    """What loops know of a phase: its number, its depth, of which lengths are words of the frame, and its operands.

    Functions are known by the words that have their addresses.  It `is_ready` where nothing is packed.
    """

    number: int
    depth: Dimensions
    lefts: list[Packed]
    rights: list[Packed]
    offsets: list[tuple[str, Through]]
    tiles: Through
    is_ready: bool

    @property
    def form(self) -> tuple[object, ...]:
        """All that loops over it depend on."""
        panels = [
            (how.is_packed, how.direct, how.in_rows, pack is None) for _, how, pack in (*self.lefts, *self.rights)
        ]
        return len(self.depth), len(self.lefts), tuple(panels), self.is_ready


@dataclass(frozen=True, slots=True)
class PanelInWords:
    """How an operand is packed, as far as loops know of it: the bytes of a step are a word of the frame."""

    frame: KernelFrame
    word: str
    is_packed: bool
    direct: bool
    in_rows: bool

    def step(self, builder: ir.IRBuilder) -> Any:
        """Bytes of one step of the depth."""
        return self.frame.get(self.word)

    def bytes_of(self, builder: ir.IRBuilder, steps: Any) -> Any:
        """Bytes of a panel of so many steps."""
        return builder.mul(builder.add(steps, number(APART)) if self.in_rows else steps, self.step(builder))


class PanelsInWords(PanelPacking):
    """Panels as loops know them."""

    def __init__(self, panels: PanelPacking) -> None:
        super().__init__(panels.frame, panels.contraction, panels.tile, panels.columns)
        self.may_own = panels.may_own

    @property
    def columns_of_panel(self) -> Any:
        return self.frame.get(COLUMNS)

    @property
    def rows_of_panel(self) -> Any:
        return self.frame.get(ROWS)


def word_of_step(side: str, phase: int, operand: int) -> str:
    """The frame's word of how many bytes a step of an operand has."""
    return f"step {side} {phase} {operand}"


def word_of_extent(phase: int, position: int) -> str:
    """The frame's word of how long a dimension of a phase's depth is."""
    return f"extent {phase} {position}"


def word_of_pack(side: str, phase: int, operand: int) -> str:
    """The frame's word of what packs an operand."""
    return f"pack {side} {phase} {operand}"


def word_of_offsets(side: str, phase: int) -> str:
    """The frame's word of what writes the offsets of an operand that is read as it lies."""
    return f"offsets {side} {phase}"


def word_of_tiles(phase: int) -> str:
    """The frame's word of what computes the tiles of a phase."""
    return f"tiles {phase}"


def in_words(phase: int, depth: Dimensions) -> list[tuple[str, tuple[Size, ...]]]:
    """The lengths of a depth as loops have them, words by what is multiplied: dimensions that are never cut are one."""
    count = cut_dimensions(depth)
    lengths = [(extent,) for _, extent in depth[:count]] + [tuple(extent for _, extent in depth[count:])]
    return [(word_of_extent(phase, position), one) for position, one in enumerate(lengths)]


def panels_of(operands: list[Packed]) -> list[Any]:
    return [how for _, how, _ in operands]


class Loops:
    """The loops of a contraction, being written.

    Columns may be read from a copy of windows, and rows at offsets; phases may be joined.
    """

    def __init__(
        self, panels: PanelPacking, phases: list[PhaseLoops], reads_copy: bool, row_offsets: bool, joins: bool
    ) -> None:
        self.panels, self.phases, self.reads_copy, self.may_join = PanelsInWords(panels), phases, reads_copy, joins
        self.frame, self.tile, self.emitter = panels.frame, panels.tile, panels.frame.emitter
        self.row_offsets = Through(ROW_OFFSETS, (POINTER,)) if row_offsets else None
        self.tiles_joined = Through(TILES_JOINED, (I64, I64))
        self.packs: dict[int, Any] = {}
        self.pack_joined: Any = None

    @property
    def builder(self) -> ir.IRBuilder:
        return self.emitter.builder

    def emit(self) -> Any:
        """The function `batches(frame, low, high)`: some products, each with all there is to it."""
        form = self._form()
        known = _WRITTEN.get(form)
        if known is not None:
            return known.placed_in(self.emitter.module)
        with self.emitter.module_of_its_own():
            made = self._written()
        assert isinstance(made, ir.SharedFunction), "loops mention what only one kernel has"
        if len(_WRITTEN) >= MOST_WRITTEN:
            _WRITTEN.clear()
        _WRITTEN[form] = made
        return made.placed_in(self.emitter.module)

    def _form(self) -> object:
        """All that the functions depend on."""
        tile, words = self.tile, self.frame.words
        tiles = tile.streams, tile.matrices, tile.left, tile.inspects
        ways = self.reads_copy, self.row_offsets is None, self.may_join, self.panels.may_own
        phases = tuple([code.form for code in self.phases])
        return tiles, ways, phases, words, tuple(self.frame.variables)[: self.frame.known]

    def _written(self) -> Any:
        """The functions, written anew."""
        shared = partial(self.frame.shared, lengths=[name for code in self.phases for name, _ in code.depth])
        self.packs = {code.number: None for code in self.phases}
        own = []
        for code in self.phases:
            if not code.is_ready:
                region = self.panels.region(code.lefts, code.rights)
                own.append(shared("pack_all", [I64, I64], body=region))
                self.packs[code.number] = own[-1]
        if self.may_join:
            packs = [(code.depth, code.lefts, code.rights) for code in self.phases]
            self.pack_joined = shared("pack_joined", [I64, I64], body=self.panels.region_of_all(packs))
            own.append(self.pack_joined)
        self.cut = shared("cut", [I64, I64], body=self._cut_into_pieces)
        batches = shared("batches", [I64, I64], body=self._batches)
        return ir.part_of(batches, "loops", [*own, self.cut])

    def _batches(self, low: Any, high: Any) -> None:
        with self.frame.copied(), self.builder.if_then(self.builder.icmp_signed("<", low, high)):
            self._products(low, high)

    def _products(self, low: Any, high: Any) -> None:
        """Products of rows by columns, strip by strip; what they have in common is had once, as is panels' memory."""
        frame, builder = self.frame, self.builder
        rows, columns, rows_of_tile = frame.get("M"), frame.get("N"), frame.positive(ROWS)
        spans, longest = self._cut_depths()
        several = builder.icmp_signed("!=", frame.get("several"), ZERO)
        most = self._fitting("tolang_last_cache", LAST_SHARE, longest, STEP_OF_COLUMNS, FEWEST_PANELS)
        frame.put("fitting", self._fitting("tolang_second_cache", SECOND_SHARE, longest, STEP_OF_ROWS, 1))
        strip_rows = builder.select(several, frame.minimum(rows, frame.positive(ROW_STRIP)), rows)
        of_a_panel = builder.mul(frame.ceiling(strip_rows, rows_of_tile), frame.positive(TILE_BYTES))
        resting = quotient_of(builder, number(MOST_KEPT), frame.maximum(of_a_panel, ONE))
        resting = frame.minimum(most, frame.maximum(resting, number(FEWEST_PANELS)))
        most = builder.select(several, resting, most)
        panels = frame.minimum(frame.ceiling(columns, frame.positive(COLUMNS)), most)
        strip_columns = builder.mul(most, frame.positive(COLUMNS))
        kept = builder.mul(frame.ceiling(strip_rows, rows_of_tile), panels)
        kept = builder.mul(kept, frame.positive(TILE_BYTES))
        raws = []
        raw, memory = frame.memory(builder.select(several, kept, ZERO))
        raws.append(raw)
        frame.put("kept", memory)
        row_panels = frame.ceiling(strip_rows, rows_of_tile)
        frame.call(self.cut, [row_panels, panels])
        self.panels.decide(row_panels, panels, frame.get("groups"))
        beforehand = builder.select(self.panels.rows_are(BEFOREHAND), row_panels, ZERO)
        for code, cuts in zip(self.phases, spans, strict=True):
            if code.is_ready:
                longest = frame.maximum(longest, steps_of(frame, [(extent, extent) for extent, _ in cuts]))
        joined = builder.not_(several) if self.may_join else ir.Constant(I1, 0)
        raws += self.panels.room([code.lefts for code in self.phases], beforehand, longest, joined)
        if self.panels.may_own:
            panels = self.panels.decide_columns(panels_of(self.phases[0].rights), panels, longest)
            raws += self.panels.marks()
        raws += self.panels.room([code.rights for code in self.phases], panels, longest, joined)
        if self.row_offsets is not None:
            raw, of_rows = frame.memory(builder.mul(rows, number(8)))
            raws.append(raw)
            frame.put(RowsOfCopy.word, of_rows)
        rooms = frame.get(ROOMS) if self.panels.may_own else None

        def strip(column: Any) -> None:
            frame.put("first_column", column)
            width = frame.minimum(builder.sub(columns, column), strip_columns)
            frame.put("panels", frame.ceiling(width, frame.positive(COLUMNS)))
            frame.each(ZERO, rows, strip_rows, lambda row: self._strip(row, strip_rows, spans))

        def product(batch: Any) -> None:
            frame.put("batch", batch)
            if rooms is not None:
                frame.put(ROOMS, rooms)
            if self.row_offsets is not None:
                frame.call(self.row_offsets, [of_rows])
            frame.each(ZERO, columns, strip_columns, strip)

        frame.each(low, high, ONE, product)
        for raw in raws:
            self.emitter.give_back(raw)

    def _cut_depths(self) -> tuple[list[Cuts], Any]:
        """The cuts of each phase, and how many steps the longest has; the frame knows whether there are several."""
        frame, builder = self.frame, self.builder
        depth = self._depth()
        frame.put(MOST_STEPS, depth)
        spans = [cuts_of(frame, code.depth, depth) for code in self.phases]
        longest: Any = ONE
        several: Any = ir.Constant(I1, int(len(self.phases) > 1 and not self.may_join))
        for cuts in spans:
            longest = frame.maximum(longest, steps_of(frame, cuts))
            for extent, span in cuts:
                several = builder.or_(several, builder.icmp_signed(">", extent, span))
        frame.put("several", builder.zext(several, I64))
        frame.put("longest", longest)
        return spans, longest

    def _strip(self, row: Any, strip_rows: Any, spans: list[Cuts]) -> None:
        """All cuts of all folds for some rows and columns."""
        frame, builder = self.frame, self.builder
        here = frame.minimum(builder.sub(frame.get("M"), row), strip_rows)
        frame.put("first_row", row)
        row_panels = frame.ceiling(here, frame.positive(ROWS))
        frame.put("row_panels", row_panels)
        asked = (CUT_ROWS, row_panels), (CUT_COLUMNS, frame.get("panels"))
        others = [builder.icmp_signed("!=", frame.get(word), count) for word, count in asked]
        with builder.if_then(builder.or_(*others)):
            frame.call(self.cut, [count for _, count in asked])
        if self.panels.may_own:
            self.panels.keep_within_rooms()

        def one_by_one() -> None:
            for code, cuts in zip(self.phases, spans, strict=True):
                final = ir.Constant(I1, int(code is self.phases[-1]))
                if code.is_ready:
                    whole_depth(frame, code.depth)
                    self._share(code, here)
                else:
                    each_cut(frame, code.depth, cuts, final, partial(self._share, code, here))

        if self.may_join:
            are_cut = builder.icmp_signed("!=", frame.get("several"), ZERO)
            frame.either(are_cut, one_by_one, lambda: self._share_joined(here))
        else:
            one_by_one()

    def _cut_into_pieces(self, row_panels: Any, panels: Any) -> None:
        """Blocks of rows that fit a cache, pieces enough for all threads; groups of columns where those are too few."""
        frame, builder = self.frame, self.builder
        frame.put(CUT_ROWS, row_panels)
        frame.put(CUT_COLUMNS, panels)
        threads = word_of_run(builder, "tolang_width")
        alone = builder.icmp_signed("<=", threads, ONE)
        alone = builder.or_(alone, builder.icmp_signed("!=", frame.get("by batches"), ZERO))
        tiles = builder.mul(builder.mul(row_panels, panels), builder.mul(frame.get(ROWS), frame.get(COLUMNS)))
        worthwhile = quotient_of(builder, builder.mul(tiles, frame.get("longest")), number(PIECE))
        few, most = (builder.mul(threads, number(count)) for count in (PIECES, MOST_PIECES))
        wanted = builder.select(alone, ONE, frame.maximum(few, frame.minimum(worthwhile, most)))
        if all(code.is_ready for code in self.phases):
            steps = builder.mul(tiles, frame.get("all steps"))
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
        if any(is_packed(panels_of(code.rights)) for code in phases):
            columns = builder.mul(columns, number(2))
        elif self.reads_copy:
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

    def _fitting(self, cache: str, share: float, steps: Any, bytes_of_a_step: str, least: int) -> Any:
        """How many panels of so many steps a share of a cache holds."""
        panel = self.builder.mul(steps, self.frame.positive(bytes_of_a_step))
        there = self.frame.minimum(word_of_run(self.builder, cache), number(MOST_OF_A_CACHE))
        room = quotient_of(self.builder, self.builder.mul(there, number(8)), number(round(8 * share)))
        return self.frame.maximum(quotient_of(self.builder, room, panel), number(least))

    def _depth(self) -> Any:
        """How many steps of the depth are packed at once: so many that a panel of columns stays where it is read.

        Where that is the second cache, a block has rows enough beside it for the next panel to come there meanwhile.
        """
        cache, share = ("tolang_second_cache", STREAMED) if self.tile.streams else ("tolang_nearest_cache", NEAREST)
        share = share / OVERLAP if self.reads_copy else share
        steps = self._fitting(cache, share, ONE, STEP_OF_COLUMNS, LEAST_DEPTH)
        if self.tile.streams:
            block = self._fitting(cache, SECOND_SHARE, number(ROWS_BESIDE), STEP_OF_ROWS, LEAST_DEPTH)
            steps = self.frame.minimum(steps, block)
        return self.builder.and_(steps, number(-MATRIX_SIDE if self.tile.matrices else -8))

    def _share(self, code: PhaseLoops, rows: Any) -> None:
        """A cut of one phase: packs the right operands, then computes all tiles."""
        count = self._begin(code)
        if self.panels.may_own:
            self.frame.put(TURN, self.builder.add(self.frame.get(TURN), ONE))
        self._share_out(self.packs[code.number], count, code.tiles, self.frame.get("length"), rows)

    def _share_joined(self, rows: Any) -> None:
        """All phases, each of one cut: packs what they need, then computes all tiles, phase after phase."""
        frame, builder = self.frame, self.builder
        count: Any = ZERO
        length: Any = ZERO
        for code in self.phases:
            whole_depth(frame, code.depth)
            items = self._begin(code)
            self.panels.keep(code.number, items)
            count, length = builder.add(count, items), builder.add(length, frame.get("length"))
        self._share_out(self.pack_joined, count, self.tiles_joined, length, rows)

    def _begin(self, code: PhaseLoops) -> Any:
        """Has offsets of a cut known; how many items of it are to be packed."""
        frame = self.frame
        for word, function in code.offsets:
            frame.call(function, [frame.get(word)])
        if code.is_ready:
            return ZERO
        return self.panels.count(
            panels_of(code.lefts), panels_of(code.rights), frame.get("panels"), frame.get("row_panels")
        )

    def _share_out(self, pack: Any, count: Any, tiles: Any, length: Any, rows: Any) -> None:
        """Packs so many items, if any, and computes tiles, each on all threads if there is enough to do.

        Regions look whether the run is to end between their pieces only, and cuts may be many: they are counted.
        """
        frame, builder = self.frame, self.builder
        elements = builder.mul(builder.mul(frame.get("panels"), frame.positive(COLUMNS)), length)
        pieces = builder.mul(frame.get("blocks"), frame.get("groups"))
        little = builder.icmp_signed("<", builder.mul(elements, rows), number(SMALL))
        little = builder.or_(little, builder.icmp_signed("!=", frame.get("by batches"), ZERO))
        if pack is not None:
            frame.parallel(pack, count, builder.select(little, frame.maximum(count, ONE), ONE))
        frame.parallel(tiles, pieces, builder.select(little, pieces, ONE))
        steps = builder.lshr(builder.mul(elements, rows), frame.get(LANE_BITS))
        spend(self.emitter, builder.add(steps, number(REGION)))
