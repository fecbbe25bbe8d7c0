"""Where the panels of a contraction's operands are, and who packs them.

A thread that has rows enough for it packs the group of columns it computes with for itself: what another one has
written is far, and to pack it twice costs less.  Else panels of columns are packed by all threads before tiles are
computed, each in parts where there are few of them.  So are those of rows that several groups of columns read; else
whoever computes a block of rows packs it.  Rows that lie in memory as tiles read them are read there, or, where they
displace each other from the cache and many columns make that worth it, from a copy in which they do not.  Rows that lie
side by side, as those of a transposed matrix do, are read there by several threads, where the second cache of each
holds all of them: what one packs, another would fetch from far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tolang.engines.cpu.contraction.cuts import whole_depth
from tolang.engines.cpu.contraction.frames import ONE, POINTER, ZERO, KernelFrame, number
from tolang.engines.cpu.contraction.inspection import SEEN, Inspection
from tolang.engines.cpu.contraction.packing import MOST_AT_ONCE, Packing, Panel
from tolang.engines.cpu.emission.regions import word_of_run
from tolang.engines.llvm import ir
from tolang.engines.llvm.prefetching import LINE
from tolang.engines.llvm.sizes import quotient_of
from tolang.engines.llvm.types import I1, I64
from tolang.ground.dataclasses import dataclass
from tolang.idioms.contraction import Contraction, Dimensions
from tolang.idioms.ordinary import adds
from tolang.plan.printer import signature
from tolang.plan.schedule import OperandSource, Tiled
from tolang.schedule.tile import WIDTH_OF_STORAGE

LEAST_PART = 32
"""Steps of the depth that a part of a panel has at the least where several threads pack it."""
SEVERAL_GROUPS = 2
"""Up to how many groups of columns each pack their rows by themselves."""
FEW_COLUMNS = 4
"""Up to how many panels of columns rows are read as they lie by whoever computes with those."""
ROWS = "rows"
"""The frame's word of where rows are read."""
IN_PLACE, BY_PIECE, BEFOREHAND = 0, 1, 2
"""As they lie; packed by whoever computes with them; packed with the columns."""
ROOMS, OWN_PANELS, TURN, MARKS = "rooms", "own panels", "turn", "marks"
"""The frame's words of how many threads have room for columns of their own, if any; for how many panels each; how often
these were to be packed; and where each thread says when it did so last, and for which group."""
AT_ONCE = "rows at once"
"""The frame's word of how many panels of rows that lie side by side are one item."""
BESIDE = "rows beside"
"""The frame's word of how many bytes rows lie in that lie side by side."""
DISPLACING = "rows displacing"
"""The frame's word of whether rows displace each other from the cache where they lie."""
PAGE = 4096
"""Rows that begin a multiple of so many bytes after each other share the few places that a cache has for those."""
WORDS_OF_ITEMS = ("right items", "parts")
"""The frame's words of how items are numbered that are packed beforehand."""
WORDS = (*WORDS_OF_ITEMS, ROWS, SEEN, ROOMS, OWN_PANELS, TURN, AT_ONCE, BESIDE, DISPLACING)
LEAST_ROWS = 48
"""Rows that a thread has at the least to pack columns for itself: an element costs as much as ten of its products."""
BITS_OF_GROUP = 32
"""How many bits the number of a group has in what a thread says that it has packed."""
TURNS = 2
"""How many such items there are for each thread, about."""
STAYING_SHARE = 3
"""What part of the second cache rows may lie in that are read there side by side."""
MANY = 3
"""Threads from which on it costs less to read them there than to pack them for all.

For one, or for two that share a core, it is as much or more: rows fill lines of a cache with others beside them.
"""
OWN_SHARE = 8
"""What part of the second cache these may have: who helps another thread packs its columns once more."""

Packed = tuple[str, Any, Any]
"""The frame's word for where panels are, how they are packed (a `Panel`, or what is known of it), and the function that
does it, if any."""


@dataclass(frozen=True, slots=True)
class OwnColumns:
    """Where a thread has the group of columns it computes with: a word that tells which, memory for each operand."""

    mark: Any
    places: list[Any]
    taken: Any
    """Where memory is told that is to be given back, if there is some."""


def word_of_panels(side: str, phase: int, operand: int) -> str:
    """The frame's word of where the panels of an operand are, by the numbers of its phase and its own."""
    return f"{side} {phase} {operand}"


def words_of_phase(number: int) -> list[str]:
    """The frame's words of the items of a phase, by its number: how many there are, and how they are numbered."""
    return [f"{word} of {number}" for word in ("items", *WORDS_OF_ITEMS)]


class PanelPacking:
    """What packs the panels of one contraction, being written; `columns` is how many a panel of them has."""

    def __init__(self, frame: KernelFrame, contraction: Contraction, tile: Tiled, columns: int) -> None:
        self.frame, self.contraction, self.tile, self.columns = frame, contraction, tile, columns
        self._known: dict[str, Any] = {}
        self.may_own = False
        """Whether threads may pack columns for themselves."""

    @property
    def builder(self) -> ir.IRBuilder:
        return self.frame.builder

    @property
    def columns_of_panel(self) -> Any:
        """How many columns a panel has."""
        return number(self.columns)

    @property
    def rows_of_panel(self) -> Any:
        """How many rows a panel has."""
        return number(self.tile.rows)

    def function(self, panel: Panel) -> Any:
        """The function that packs a panel, one for all operands that are packed alike; None where it is not packed."""
        if not panel.is_packed:
            return None
        form = f"{panel.width} {panel.copies} {panel.sliced} {panel.in_rows} {panel.beside}"
        key = f"{signature(panel.value)} {form} {panel.depth[0][0]} {panel.depth[1:]}"
        if key not in self._known:
            self._known[key] = self._function(panel)
        return self._known[key]

    def _function(self, panel: Panel) -> Any:
        """Packs a panel, and looks at it where that may spare instructions later."""
        pack = Packing(self.frame, panel).emit()
        if not self.tile.inspects:
            return pack
        inspect = Inspection(self.frame, panel, adds(self.contraction)).emit()

        def both(first: Any, total: Any, to: Any) -> None:
            self.frame.call(pack, [first, total, to])
            self.frame.call(inspect, [to])

        return self.frame.function("pack_and_inspect", [I64, I64, POINTER], both)

    # Who packs

    def tell(self, lefts: list[Panel]) -> None:
        """Has the frame know how rows lie that may be read there: all operands of the left are given."""
        builder, frame = self.builder, self.frame
        if self.tile.left is OperandSource.COLUMNS:
            how = lefts[0]
            lines = builder.mul(Packing(frame, how).steps_apart(), frame.count(how.depth))
            frame.put(BESIDE, builder.mul(lines, number(WIDTH_OF_STORAGE[how.storage])))
        if self.tile.left is OperandSource.ROWS:
            displacing: Any = ir.Constant(I1, 0)
            for how in lefts:
                apart = builder.mul(frame.count(how.depth), number(WIDTH_OF_STORAGE[how.storage]))
                over = builder.and_(apart, number(PAGE - 1))
                displacing = builder.or_(displacing, builder.icmp_signed("==", over, ZERO))
            frame.put(DISPLACING, builder.zext(displacing, I64))

    def decide(self, row_panels: Any, panels: Any, groups: Any) -> None:
        """Where so many panels of rows are read that so many of columns, in groups, are computed with."""
        frame, builder = self.frame, self.builder
        several = builder.icmp_signed(">", groups, number(SEVERAL_GROUPS))
        by_columns = builder.icmp_signed("!=", frame.get("by columns"), ZERO)
        if self.tile.left is OperandSource.ROWS:
            beforehand = builder.and_(several, builder.not_(by_columns))
        else:
            beforehand = builder.or_(several, by_columns)
        how = builder.select(beforehand, number(BEFOREHAND), number(BY_PIECE))
        if self.tile.left is OperandSource.ROWS:
            few = builder.mul(number(FEW_COLUMNS), builder.select(by_columns, groups, ONE))
            there = builder.or_(builder.icmp_signed("<=", panels, few), self._stay_apart())
            how = builder.select(there, number(IN_PLACE), how)
        if self.tile.left is OperandSource.COLUMNS:
            threads = word_of_run(builder, "tolang_width")
            each = quotient_of(builder, row_panels, builder.mul(threads, number(TURNS)))
            frame.put(AT_ONCE, frame.maximum(frame.minimum(each, number(MOST_AT_ONCE)), ONE))
            shared = builder.icmp_signed(">=", threads, number(MANY))
            shared = builder.and_(shared, builder.icmp_signed("==", frame.get("by batches"), ZERO))
            how = builder.select(builder.and_(shared, self._stays()), number(IN_PLACE), how)
        frame.put(ROWS, how)

    def _stay_apart(self) -> Any:
        """Whether rows are read where they lie by however many columns.

        Small matrices are read as many bytes of each row at a time as a line of memory has.  A copy begins with a line,
        as an array need not, and pays unless several threads would fetch what one of them has copied.
        """
        if self.tile.matrices:
            return self.builder.icmp_signed(">=", word_of_run(self.builder, "tolang_width"), number(MANY))
        return self.builder.icmp_signed("==", self.frame.get(DISPLACING), ZERO)

    def _stays(self) -> Any:
        """Whether all that rows lie in, side by side, stays in the second cache of whoever reads it."""
        builder = self.builder
        size = builder.mul(self.frame.get(BESIDE), number(STAYING_SHARE))
        return builder.icmp_signed("<=", size, word_of_run(builder, "tolang_second_cache"))

    def decide_columns(self, rights: list[Panel], panels: Any, steps: Any) -> Any:
        """Whether each thread packs the columns it computes with for itself; how many panels there is to be room for.

        Those are a group where threads have columns of their own, else all of so many panels.
        """
        frame, builder = self.frame, self.builder
        groups = self._own_groups()
        threads, workers = (word_of_run(builder, word) for word in ("tolang_width", "tolang_workers"))
        enough = builder.mul(frame.maximum(frame.ceiling(threads, groups), ONE), number(LEAST_ROWS))
        each = frame.ceiling(panels, groups)
        size: Any = ZERO
        for how in rights:
            size = builder.add(size, builder.mul(each, how.bytes_of(builder, steps)) if how.is_packed else ZERO)
        own = builder.icmp_signed(">=", frame.get("M"), enough)
        for less, more in ((builder.mul(size, number(OWN_SHARE)), word_of_run(builder, "tolang_second_cache")),
                           (number(2), threads), (frame.get("by batches"), ZERO)):  # fmt: skip
            own = builder.and_(own, builder.icmp_signed("<=", less, more))
        frame.put(ROOMS, builder.select(own, workers, ZERO))
        frame.put(OWN_PANELS, each)
        frame.put(TURN, ZERO)
        return frame.maximum(builder.select(own, builder.mul(workers, each), ZERO), panels)

    def _own_groups(self) -> Any:
        """How many groups of columns there are of which a thread may have one."""
        by_columns = self.builder.icmp_signed("!=", self.frame.get("by columns"), ZERO)
        return self.builder.select(by_columns, self.frame.maximum(self.frame.get("groups"), ONE), ONE)

    def keep_within_rooms(self) -> None:
        """Has columns packed for all threads where groups of a strip turn out to be larger than those rooms are for."""
        frame, builder = self.frame, self.builder
        each = frame.ceiling(frame.get("panels"), self._own_groups())
        fits = builder.icmp_signed("<=", each, frame.get(OWN_PANELS))
        frame.put(ROOMS, builder.select(fits, frame.get(ROOMS), ZERO))

    def are_own(self) -> Any:
        """Whether each thread packs columns for itself."""
        return self.builder.icmp_signed("!=", self.frame.get(ROOMS), ZERO)

    def rows_are(self, how: int) -> Any:
        return self.builder.icmp_signed("==", self.frame.get(ROWS), number(how))

    def count(self, lefts: Iterable[Panel], rights: Iterable[Panel], panels: Any, row_panels: Any) -> Any:
        """How many items are packed beforehand: parts of panels of columns, then panels of rows."""
        frame, builder = self.frame, self.builder
        parts = self._parts(panels)
        items = builder.mul(panels, parts) if any(how.is_packed for how in rights) else ZERO
        if self.may_own:
            items = builder.select(self.are_own(), ZERO, items)
        frame.put("parts", parts)
        frame.put("right items", items)
        if not any(how.is_packed for how in lefts):
            return items
        if self.tile.left is OperandSource.COLUMNS:
            row_panels = frame.ceiling(row_panels, frame.get(AT_ONCE))
        return builder.add(items, builder.select(self.rows_are(BEFOREHAND), row_panels, ZERO))

    def _parts(self, panels: Any) -> Any:
        """Parts of the depth that a panel of columns is packed in: several where threads outnumber the panels."""
        threads, frame = word_of_run(self.builder, "tolang_width"), self.frame
        most = frame.maximum(quotient_of(self.builder, frame.get("length"), number(LEAST_PART)), ONE)
        wanted = frame.ceiling(threads, frame.maximum(panels, ONE))
        return frame.maximum(frame.minimum(frame.minimum(wanted, most), frame.get("span 0")), ONE)

    def region(self, lefts: list[Packed], rights: list[Packed]) -> Callable[[Any, Any], None]:
        """Packs some of the items."""

        def region(low: Any, high: Any) -> None:
            self.frame.each(low, high, ONE, lambda item: self._item(lefts, rights, item))

        return region

    def keep(self, phase: int, count: Any) -> None:
        """Remembers how many items a phase has, and how they are numbered, while others are counted."""
        of_all, *others = words_of_phase(phase)
        self.frame.put(of_all, count)
        for kept, word in zip(others, WORDS_OF_ITEMS, strict=True):
            self.frame.put(kept, self.frame.get(word))

    def region_of_all(self, phases: list[tuple[Dimensions, list[Packed], list[Packed]]]) -> Callable[[Any, Any], None]:
        """Packs some of the items of all phases, those of the first coming first; all of a depth is one cut."""
        frame = self.frame

        def of(position: int, item: Any) -> None:
            builder, (depth, lefts, rights) = self.builder, phases[position]
            of_all, *others = words_of_phase(position)

            def here() -> None:
                whole_depth(frame, depth)
                for kept, word in zip(others, WORDS_OF_ITEMS, strict=True):
                    frame.put(word, frame.get(kept))
                self._item(lefts, rights, item)

            if position == len(phases) - 1:
                here()
                return
            end = frame.get(of_all)
            mine = builder.icmp_signed("<", item, end)
            frame.either(mine, here, lambda: of(position + 1, builder.sub(item, end)))

        def region(low: Any, high: Any) -> None:
            with frame.copied():
                frame.each(low, high, ONE, lambda item: of(0, item))

        return region

    def _item(self, lefts: list[Packed], rights: list[Packed], item: Any) -> None:
        """Packs one of the items: a part of a panel of columns, or a panel of rows."""
        frame, builder = self.frame, self.builder
        parts, items = frame.get("parts"), frame.get("right items")

        def right() -> None:
            panel = quotient_of(builder, item, parts)
            part = builder.sub(item, builder.mul(panel, parts))
            self._columns(rights, panel, part)

        def left() -> None:
            panel = builder.sub(item, items)
            end = builder.add(panel, ONE)
            if self.tile.left is OperandSource.COLUMNS:
                panel = builder.mul(panel, frame.get(AT_ONCE))
                end = frame.minimum(builder.add(panel, frame.get(AT_ONCE)), frame.get("row_panels"))
            self.rows(lefts, panel, end, panel, [frame.get(word) for word, _, _ in lefts])

        frame.either(builder.icmp_signed("<", item, items), right, left)

    def _columns(self, operands: list[Packed], panel: Any, part: Any) -> None:
        """Packs one of the parts of a panel of columns: the first dimension of the depth is cut into these."""
        frame, builder = self.frame, self.builder
        first = builder.add(frame.get("first_column"), builder.mul(panel, self.columns_of_panel))
        start, span, parts, length = (frame.get(name) for name in ("start 0", "span 0", "parts", "length"))
        low, high = (quotient_of(builder, builder.mul(span, p), parts) for p in (part, builder.add(part, ONE)))
        each = quotient_of(builder, length, frame.maximum(span, ONE))
        before = builder.add(builder.mul(panel, length), builder.mul(low, each))
        with frame.copied():
            frame.put("start 0", builder.add(start, low))
            frame.put("span 0", builder.sub(high, low))
            frame.put("length", builder.mul(builder.sub(high, low), each))
            for word, how, pack in operands:
                if pack is not None:
                    to = builder.gep(frame.get(word), [builder.mul(before, how.step(builder))])
                    frame.call(pack, [first, frame.get("N"), to])
            seen = frame.get(SEEN)
        if self.tile.inspects:
            frame.gather(SEEN, seen)

    def rows(self, operands: list[Packed], low: Any, high: Any, position: Any, memories: list[Any]) -> None:
        """Packs some panels of rows of each operand, from a position on of where they are to be."""
        frame, builder = self.frame, self.builder

        def row(panel: Any) -> Any:
            return builder.add(frame.get("first_row"), builder.mul(panel, self.rows_of_panel))

        def one(panel: Any, total: Any) -> None:
            for (_, how, pack), memory in zip(operands, memories, strict=True):
                if pack is not None:
                    there = builder.add(position, builder.sub(panel, low))
                    to = builder.gep(memory, [builder.mul(there, how.bytes_of(builder, frame.get("length")))])
                    frame.call(pack, [row(panel), total, to])

        if self.tile.left is OperandSource.COLUMNS:
            one(low, frame.minimum(frame.get("M"), row(high)))
        else:
            frame.each(low, high, ONE, lambda panel: one(panel, frame.get("M")))

    # Where panels are

    def marks(self) -> list[Any]:
        """Room for what each thread has packed, nothing so far; what to give back."""
        frame, builder = self.frame, self.builder
        raw, memory = frame.memory(builder.mul(frame.get(ROOMS), number(LINE)))
        frame.put(MARKS, memory)

        def one(place: Any) -> None:
            at = builder.gep(memory, [builder.mul(place, number(LINE))])
            builder.store(number(-1), builder.bitcast(at, I64.as_pointer()))

        frame.each(ZERO, frame.get(ROOMS), ONE, one)
        return [raw]

    def own_columns(self, rights: list[Packed]) -> OwnColumns:
        """Where a thread packs columns for itself, if it does; one that has come too late for a room takes memory."""
        frame, builder, emitter = self.frame, self.builder, self.frame.emitter
        taken, mark, when = emitter.slot(POINTER), emitter.slot(I64.as_pointer()), emitter.slot(I64)
        builder.store(ir.Constant(POINTER, None), taken)
        builder.store(number(-1), when)
        builder.store(when, mark)
        slots = [emitter.slot(POINTER) for _ in rights]
        for slot, (word, _, _) in zip(slots, rights, strict=True):
            builder.store(frame.get(word), slot)
        with builder.if_then(self.are_own()):
            worker = word_of_run(builder, "tolang_worker")
            panels, length = frame.get(OWN_PANELS), frame.get("length")
            sizes = [builder.mul(panels, how.bytes_of(builder, length)) for _, how, _ in rights]

            def room() -> None:
                own = builder.gep(frame.get(MARKS), [builder.mul(worker, number(LINE))])
                builder.store(builder.bitcast(own, I64.as_pointer()), mark)
                for slot, size in zip(slots, sizes, strict=True):
                    builder.store(builder.gep(builder.load(slot), [builder.mul(worker, size)]), slot)

            def memory() -> None:
                total: Any = ZERO
                for size in sizes:
                    total = builder.add(total, size)
                raw, at = frame.memory(total)
                emitter.allocated[-1].remove(raw)  # the function ends with giving it back, and nothing leaves it before
                builder.store(raw, taken)
                for slot, size in zip(slots, sizes, strict=True):
                    builder.store(at, slot)
                    at = builder.gep(at, [size])

            frame.either(builder.icmp_signed("<", worker, frame.get(ROOMS)), room, memory)
        return OwnColumns(builder.load(mark), [builder.load(slot) for slot in slots], taken)

    def give_back(self, own: OwnColumns) -> None:
        """Gives back what a thread that came too late has taken."""
        builder = self.builder
        raw = builder.load(own.taken)
        with builder.if_then(builder.icmp_unsigned("!=", raw, ir.Constant(POINTER, None))):
            self.frame.emitter.release(raw)

    def pack_own(self, rights: list[Packed], own: OwnColumns, group: Any, begin: Any, end: Any) -> Any:
        """Packs columns for a thread that computes with some of a group, unless it has done so; the first panel."""
        frame, builder = self.frame, self.builder
        by_columns = builder.icmp_signed("!=", frame.get("by columns"), ZERO)
        group = builder.select(by_columns, group, ZERO)
        begin, end = builder.select(by_columns, begin, ZERO), builder.select(by_columns, end, frame.get("panels"))
        now = builder.add(builder.shl(frame.get(TURN), number(BITS_OF_GROUP)), group)

        def one(panel: Any) -> None:
            first = builder.add(frame.get("first_column"), builder.mul(panel, self.columns_of_panel))
            for (_, how, pack), memory in zip(rights, own.places, strict=True):
                if pack is not None:
                    size = how.bytes_of(builder, frame.get("length"))
                    to = builder.gep(memory, [builder.mul(builder.sub(panel, begin), size)])
                    frame.call(pack, [first, frame.get("N"), to])

        with builder.if_then(self.are_own()), builder.if_then(builder.icmp_signed("!=", builder.load(own.mark), now)):
            frame.each(begin, end, ONE, one)
            builder.store(now, own.mark)
        return builder.select(self.are_own(), begin, ZERO)

    def room(self, operands: list[list[Packed]], panels: Any, steps: Any, joined: Any) -> list[Any]:
        """Room for so many panels of each phase's operands of one side, so many steps long, or for their offsets.

        Phases have the same one after the other, unless they are `joined`.  Gives what is to be given back.
        """
        frame, builder, raws = self.frame, self.builder, list[Any]()
        for k in range(max(map(len, operands))):
            places: list[tuple[str, Any]] = []
            total: Any = ZERO
            most: Any = ZERO
            for word, how, _ in (own[k] for own in operands if k < len(own)):
                size: Any = builder.mul(panels, how.bytes_of(builder, steps)) if how.is_packed else ZERO
                if how.direct:
                    size = builder.mul(steps, number(8))
                places.append((word, total))
                whole = builder.and_(builder.add(size, number(LINE - 1)), number(-LINE))
                total, most = builder.add(total, whole), frame.maximum(most, whole)
            raw, memory = frame.memory(builder.select(joined, total, most))
            raws.append(raw)
            for word, place in places:
                frame.put(word, builder.gep(memory, [builder.select(joined, place, ZERO)]))
        return raws

    def at(self, how: Panel, memory: Any, position: Any, first: Any, whole: bool) -> Any:
        """Where a panel begins: the one at a position of those packed, or that of some rows or columns made before.

        Offsets are those of the cut, or of the `whole` depth.
        """
        frame, builder = self.frame, self.builder
        if how.direct:
            offsets = builder.bitcast(memory, I64.as_pointer())
            return builder.gep(offsets, [frame.get("passed")]) if whole else offsets
        if how.ready is not None:
            before = builder.mul(quotient_of(builder, first, number(how.width)), frame.get("steps"))
            step = builder.add(before, frame.get("passed"))
            return builder.gep(frame.emitter.memory[how.ready.name].address, [builder.mul(step, number(how.width))])
        size = how.bytes_of(builder, frame.get("length"))
        panel = builder.bitcast(builder.gep(memory, [builder.mul(size, position)]), how.element.as_pointer())
        if not how.in_rows and not how.beside:
            return panel
        return builder.select(self.rows_are(IN_PLACE), Packing(frame, how).row(first), panel)

    def apart(self, lefts: list[Panel]) -> Any:
        """How many elements the rows of left operands are apart where tiles read them, or the steps of those beside."""
        builder, in_place = self.builder, self.rows_are(IN_PLACE)
        for how in lefts:
            if how.in_rows:
                pitch = how.pitch(builder, self.frame.get("length"))
                return builder.select(in_place, self.frame.get("steps"), pitch)
            if how.beside:
                return builder.select(in_place, Packing(self.frame, how).steps_apart(), number(how.width))
        return ZERO
