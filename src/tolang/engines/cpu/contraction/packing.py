"""Packing: an operand evaluated, whatever it is, into a panel that the register tile reads from start to end.

    panel[step of the depth][place among `width` rows or columns]

Three ways, by how memory runs.  Across: neighbours in the panel are neighbours in memory, and are copied as vectors of
what a step of it has, stretch by stretch.  Along: memory runs with the depth, and square blocks are transposed.  Else
element by element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tolang.engines.cpu.contraction.cuts import span_of, start_of
from tolang.engines.cpu.contraction.frames import ONE, POINTER, ZERO, KernelFrame, number
from tolang.engines.cpu.emission.vector_expressions import (
    ContiguousAxes,
    Travel,
    guards,
    interior,
    line_along,
    load_vector,
    store_vector,
    strides,
)
from tolang.engines.llvm import ir
from tolang.engines.llvm.callees import declared
from tolang.engines.llvm.sizes import quotient_of
from tolang.engines.llvm.types import I8, I64, TYPES, cast, copy_memory
from tolang.engines.llvm.vectors import splat, turned
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import Size
from tolang.idioms.contraction import Dimensions
from tolang.idioms.dot4_words import first_of_word
from tolang.plan.access import access_of
from tolang.plan.nest import Buffer, Load, PanelLayout, Scalar
from tolang.schedule.tile import WIDTH_OF_STORAGE

MOST_UNROLLED = 6
"""Up to how many vectors a step of the depth is copied without a loop."""
MOST_AT_ONCE = 8
"""To how many panels rows are packed at once that lie side by side."""
APART = 16
"""Elements between copied rows."""
BITS = 8
"""How many truth values a byte of a panel of bits holds."""


@dataclass(frozen=True, slots=True)
class Panel:
    """How an operand is packed: `width` elements of a storage for each step, each repeated `copies` times.

    `bits`: the elements are truth values, whole bytes of ones or zeros, or, `sliced`, as many to a byte as it has bits.
    `direct`: nothing is packed; rows or columns are read as they lie, each step of the depth at an offset of its own;
    `in_rows`: rows lie as tiles read them, and are copied as they are, each step of a row after the one before;
    `beside`: they lie side by side for each step, as they do in a panel.
    """

    value: Scalar
    own: Dimensions
    depth: Dimensions
    width: int
    storage: str
    lanes: int
    copies: int = 1
    bits: bool = False
    sliced: bool = False
    direct: bool = False
    in_rows: bool = False
    beside: bool = False

    @property
    def element(self) -> Any:
        return I8 if self.storage == "bool" else TYPES[self.storage]

    @property
    def step_bytes(self) -> int:
        """Bytes of one step of the depth."""
        size = self.width * self.copies * WIDTH_OF_STORAGE[self.storage]
        return size // BITS if self.sliced else size

    def step(self, builder: ir.IRBuilder) -> Any:
        """The same as a value."""
        return number(self.step_bytes)

    def pitch(self, builder: ir.IRBuilder, steps: Any) -> Any:
        """How far copied rows of so many steps are apart, for them not to lie on the same lines of a cache."""
        return builder.add(steps, number(APART))

    def bytes_of(self, builder: ir.IRBuilder, steps: Any) -> Any:
        """Bytes of a panel of so many steps."""
        return builder.mul(self.pitch(builder, steps) if self.in_rows else steps, self.step(builder))

    @property
    def is_packed(self) -> bool:
        """Whether it is packed in every run."""
        return self.ready is None and not self.direct

    @property
    def ready(self) -> Buffer | None:
        """The buffer that holds these panels already, laid out just so; None where there is none."""
        load = self.value
        if not isinstance(load, Load) or load.checks or self.copies > 1 or self.bits:
            return None
        buffer, coordinates = load.buffer, tuple(Size.of(name) for name, _ in (*self.depth, *self.own))
        fits = buffer.panels == PanelLayout(self.width, len(self.own)) and buffer.column.storage == self.storage
        return buffer if fits and load.indices == coordinates else None


def elements_between(builder: ir.IRBuilder, storage: str, first: Any, other: Any) -> Any:
    """How many elements of a storage further on than one of them another is."""
    bytes_between = builder.sub(builder.ptrtoint(other, I64), builder.ptrtoint(first, I64))
    return quotient_of(builder, bytes_between, number(WIDTH_OF_STORAGE[storage]))


class Packing:
    """The function `pack(frame, first, total, panel)` of one operand, being written.

    It packs one panel, or, of rows that lie side by side, all up to the total.

    The frame's variables say which cut of the depth is packed, `length` how many steps that makes.
    """

    def __init__(self, frame: KernelFrame, panel: Panel) -> None:
        self.frame, self.panel = frame, panel

    @property
    def builder(self) -> ir.IRBuilder:
        return self.frame.builder

    def emit(self) -> Any:
        return self.frame.function("pack", [I64, I64, POINTER], self._body)

    def emit_offsets(self) -> Any:
        """The function `offsets(frame, to)` of an operand that is read as it lies, for each step of a cut its own."""
        load = self.panel.value
        assert isinstance(load, Load)

        def body(raw: Any) -> None:
            frame, builder = self.frame, self.builder
            to = builder.bitcast(raw, I64.as_pointer())
            for name, _ in (*self.panel.own, *self.panel.depth):
                frame.bind(name, ZERO)
            first = frame.emitter.address(load.buffer, load.indices)

            def one() -> None:
                here = frame.emitter.address(load.buffer, load.indices)
                builder.store(
                    elements_between(builder, self.panel.storage, first, here), builder.gep(to, [self._step()])
                )

            self._over(self.panel.depth, one)

        return self.frame.function("offsets", [POINTER], body)

    def _body(self, first: Any, total: Any, raw: Any) -> None:
        panel = self.panel
        if panel.in_rows:
            self._rows(first, total, raw)
        elif panel.beside:
            self._side_by_side(first, total, raw)
        else:
            self._one_panel(first, total, raw)

    def _one_panel(self, first: Any, total: Any, raw: Any) -> None:
        """Packs rows or columns up to the width of a panel, as far as there are so many."""
        frame, panel = self.frame, self.panel
        self.base = self.builder.bitcast(raw, panel.element.as_pointer())
        count = frame.minimum(self.builder.sub(total, first), number(panel.width))
        partial = self.builder.icmp_signed("<", count, number(panel.width))
        if panel.sliced:
            partial = ir.Constant(partial.type, 1)
        with self.builder.if_then(partial):
            self._clear(raw)
        across = line_along(panel.own, [panel.value])
        along = line_along(panel.depth, [panel.value])
        block = self._block()
        if panel.copies > 1 or (across is None and (along is None or block == 1)):
            self._stretches(first, count, None)
        elif along is not None and block > 1 and not (across and _unit(panel.value, across)) and self._goes(along):
            self._transposed(first, count, along, block)
        else:
            self._stretches(first, count, across)

    def steps_apart(self) -> Any:
        """How many elements two steps are apart where rows lie side by side."""
        load, (*_, (last, _)) = self.panel.value, self.panel.depth
        assert isinstance(load, Load)
        apart = access_of(load).stride(last)
        assert apart is not None
        return self.frame.emitter.size(apart)

    def row(self, row: Any) -> Any:
        """Where a row that lies as tiles read it begins, at the first step of the cut."""
        frame, builder, load = self.frame, self.builder, first_of_word(self.panel.value) or self.panel.value
        assert isinstance(load, Load)
        with frame.emitter.scope():
            for name, _ in (*self.panel.own, *self.panel.depth):
                frame.bind(name, ZERO)
            address = frame.emitter.address(load.buffer, load.indices)
        first = builder.bitcast(address, self.panel.element.as_pointer())
        passed = frame.get("passed")
        if self.panel.beside:
            return builder.gep(first, [builder.add(row, builder.mul(passed, self.steps_apart()))])
        return builder.gep(first, [builder.add(builder.mul(row, frame.get("steps")), passed)])

    def _rows(self, first: Any, total: Any, raw: Any) -> None:
        """Copies rows as they are, as many as there are."""
        frame, builder, size = self.frame, self.builder, number(WIDTH_OF_STORAGE[self.panel.storage])
        count = frame.minimum(builder.sub(total, first), number(self.panel.width))
        length = frame.get("length")
        pitch = builder.mul(self.panel.pitch(builder, length), size)

        def one(row: Any) -> None:
            source, to = self.row(builder.add(first, row)), builder.gep(raw, [builder.mul(row, pitch)])
            copy_memory(builder, to, source, builder.mul(length, size))

        frame.each(ZERO, count, ONE, one)

    def _side_by_side(self, first: Any, total: Any, raw: Any) -> None:
        """Copies rows that lie side by side, to several panels for each step, so that a line of memory is read once."""
        frame, builder, panel, load = self.frame, self.builder, self.panel, self.panel.value
        assert isinstance(load, Load)
        size, width = WIDTH_OF_STORAGE[panel.storage], number(panel.width)
        base = builder.bitcast(raw, panel.element.as_pointer())
        whole = quotient_of(builder, builder.sub(total, first), width)
        between = builder.mul(frame.get("length"), width)

        def some(begin: Any) -> None:
            end = frame.minimum(whole, builder.add(begin, number(MOST_AT_ONCE)))

            def step() -> None:
                frame.bind_flat(first, panel.own)
                source, target = frame.emitter.address(load.buffer, load.indices), builder.mul(self._step(), width)

                def one(position: Any) -> None:
                    for place, lanes in _vectors(panel.width, panel.lanes):
                        at = builder.add(builder.mul(position, width), number(place))
                        to = builder.add(builder.mul(position, between), builder.add(target, number(place)))
                        kind = ir.VectorType(panel.element, lanes)
                        value = load_vector(builder, builder.gep(source, [at]), kind, size)
                        store_vector(builder, builder.gep(base, [to]), value, size)

                frame.each(begin, end, ONE, one)

            self._over(panel.depth, step)

        frame.each(ZERO, whole, number(MOST_AT_ONCE), some)
        after = builder.add(first, builder.mul(whole, width))
        with builder.if_then(builder.icmp_signed("<", after, total)):
            self._one_panel(after, total, builder.gep(raw, [builder.mul(builder.mul(whole, between), number(size))]))

    def _goes(self, along: ContiguousAxes) -> bool:
        """Whether the depth is the direction that memory runs in."""
        return _unit(self.panel.value, along) and not guards(self.panel.value, along) and not self.panel.bits

    def _clear(self, raw: Any) -> None:
        size = self.builder.mul(self.frame.get("length"), number(self.panel.step_bytes))
        kinds = [POINTER, I8, I64, ir.IntType(1)]
        function = declared(self.frame.emitter.module, "llvm.memset.p0.i64", ir.VoidType(), kinds)
        self.builder.call(function, [raw, ir.Constant(I8, 0), size, ir.Constant(ir.IntType(1), 0)])

    def _block(self) -> int:
        """How many places are packed at once, and the side of blocks: a power of two that divides the panel's width."""
        side = self.panel.width & -self.panel.width
        return min(side, self.panel.lanes)

    # The depth

    def _over(self, chosen: Dimensions, body: Callable[[], None]) -> None:
        """Loops over some dimensions of the depth, within the cut, their iterators bound."""
        if not chosen:
            body()
            return
        name, _ = chosen[0]
        low, span = self._part(name)

        def inside(counter: Any) -> None:
            self.frame.bind(name, counter)
            self._over(chosen[1:], body)

        self.frame.each(low, self.builder.add(low, span), ONE, inside)

    def _part(self, name: str) -> tuple[Any, Any]:
        """Where the cut begins along a dimension of the depth, from 0, and how much of it there is."""
        position = [own for own, _ in self.panel.depth].index(name)
        return start_of(self.frame, self.panel.depth, position), span_of(self.frame, self.panel.depth, position)

    def _step(self) -> Any:
        """The step of the depth, from 0 within the cut, at its bound iterators."""
        builder = self.builder
        flat: ir.Value = ZERO
        for position, (name, _) in enumerate(self.panel.depth):
            start, span = self._part(name)
            here = builder.sub(builder.sub(self.frame.emitter.names[name].value, ONE), start)
            flat = here if position == 0 else builder.add(builder.mul(flat, span), here)
        return flat

    # Across

    def _stretches(self, first: Any, count: Any, line: ContiguousAxes | None) -> None:
        """Goes through the panel's places in stretches that lie on one line of the operand's own dimensions."""
        own = self.panel.own
        length, _ = (line or ContiguousAxes(own)).reach(self.frame.emitter, [self.panel.value])

        def stretch(place: Any) -> Any:
            flat = self.builder.add(first, place)
            quotient = quotient_of(self.builder, flat, length) if len(own) > 1 else ZERO
            begin = self.builder.mul(quotient, length)
            at = self.builder.sub(flat, begin)
            run = self.frame.minimum(self.builder.sub(count, place), self.builder.sub(length, at))
            if line is None:
                self._single(place, flat, run)
            else:
                self.frame.bind_flat(begin, own)
                self._along_line(place, begin, at, run, line)
            return run

        self.frame.each(ZERO, count, ONE, stretch)

    def _single(self, place: Any, flat: Any, run: Any) -> None:
        def one(q: Any) -> None:
            self.frame.bind_flat(self.builder.add(flat, q), self.panel.own)
            self._over(self.panel.depth, lambda: self._store_single(self.builder.add(place, q)))

        self.frame.each(ZERO, run, ONE, one)

    def _along_line(self, place: Any, begin: Any, at: Any, run: Any, line: ContiguousAxes) -> None:
        """A stretch, as vectors where all guards hold; dimensions that no guard depends on are innermost."""
        panel = self.panel
        lanes = BITS if panel.sliced else max(2, self._block())
        named = frozenset[str]().union(*(g.names() for g in guards(panel.value, line)))
        guarded = tuple(d for d in panel.depth if d[0] in named)
        free = tuple(d for d in panel.depth if d[0] not in named)

        def with_guards() -> None:
            low, high = interior(self.frame.emitter, panel.value, line)

            def chunk(q: Any) -> Any:
                here = self.builder.add(at, q)
                whole = self.builder.icmp_signed(">=", here, low)
                last = self.frame.minimum(high, self.builder.add(at, run))
                ends = self.builder.icmp_signed("<=", self.builder.add(here, number(lanes)), last)
                whole = self.builder.and_(whole, ends)
                to = self.builder.add(place, q)
                if panel.sliced:
                    odd = self.builder.and_(to, number(BITS - 1))
                    whole = self.builder.and_(whole, self.builder.icmp_signed("==", odd, ZERO))

                def vector() -> Any:
                    self._over(free, lambda: self._store_vector(to, Travel(self.frame.emitter, line, here, lanes)))
                    return number(lanes)

                def single() -> Any:
                    self.frame.bind_flat(self.builder.add(begin, here), panel.own)
                    self._over(free, lambda: self._store_single(to))
                    return ONE

                return self.frame.either(whole, vector, single)

            def whole_panel() -> None:
                self._over(free, lambda: self._copy_step(at, line, lanes))

            if panel.width % lanes:
                self.frame.each(ZERO, run, ONE, chunk)
                return
            inside = self.builder.icmp_signed("<=", low, at)
            ends = self.builder.icmp_signed("<=", self.builder.add(at, run), high)
            full = self.builder.icmp_signed("==", run, number(panel.width))
            full = self.builder.and_(full, self.builder.and_(inside, ends))
            self.frame.either(full, whole_panel, lambda: self.frame.each(ZERO, run, ONE, chunk))

        self._over(guarded, with_guards)

    def _copy_step(self, at: Any, line: ContiguousAxes, lanes: int) -> None:
        """All places of a panel at one step of the depth."""

        def vector(q: Any, lanes: int) -> None:
            self._store_vector(q, Travel(self.frame.emitter, line, self.builder.add(at, q), lanes))

        width = self.panel.width
        if width > MOST_UNROLLED * lanes:
            self.frame.each(ZERO, number(width), number(lanes), lambda q: vector(q, lanes))
            return
        for place, wide in _vectors(width, lanes if self.panel.sliced else self.panel.lanes):
            vector(number(place), wide)

    def _store_vector(self, place: Any, travel: Travel) -> None:
        panel, builder = self.panel, self.builder
        value = cast(builder, travel.scalar(panel.value), panel.value.column.storage, panel.storage)
        offset = builder.add(builder.mul(self._step(), number(panel.width)), place)
        if panel.sliced:
            packed = builder.bitcast(value, I8)
            builder.store(packed, builder.gep(self.base, [builder.lshr(offset, number(3))]))
            return
        if panel.storage == "bool":
            widened = builder.sext if panel.bits else builder.zext
            value = widened(value, ir.VectorType(I8, travel.lanes))
        store_vector(builder, builder.gep(self.base, [offset]), value, WIDTH_OF_STORAGE[panel.storage])

    def _store_single(self, place: Any) -> None:
        panel, builder, emitter = self.panel, self.builder, self.frame.emitter
        with emitter.scope():
            value = emitter.scalar(panel.value)
        value = cast(builder, value, panel.value.column.storage, panel.storage)
        offset = builder.add(builder.mul(self._step(), number(panel.width)), place)
        if panel.sliced:
            at = builder.gep(self.base, [builder.lshr(offset, number(3))])
            bit = builder.shl(builder.zext(value, I8), builder.trunc(builder.and_(offset, number(7)), I8))
            builder.store(builder.or_(builder.load(at), bit), at)
            return
        if panel.storage == "bool":
            value = builder.sext(value, I8) if panel.bits else builder.zext(value, I8)
        if panel.copies == 1:
            builder.store(value, builder.gep(self.base, [offset]))
            return
        at = builder.gep(self.base, [builder.mul(offset, number(panel.copies))])
        store_vector(builder, at, splat(builder, value, panel.copies), WIDTH_OF_STORAGE[panel.storage])

    # Along

    def _transposed(self, first: Any, count: Any, line: ContiguousAxes, side: int) -> None:
        """Blocks of `side` places by as many steps, read along the depth, stored across.

        A run is as long as memory surely goes on through the depth.  Where it does through all of it, the cut is one
        run, and loops around it turn once.
        """
        frame, builder, panel = self.frame, self.builder, self.panel
        _, joined = line.reach(frame.emitter, [panel.value])
        together = line.surely_joined([panel.value])
        outer, inner = panel.depth[:-together], panel.depth[-together:]
        run: ir.Value = ONE
        for name, _ in inner:
            run = builder.mul(run, self._part(name)[1])
        if outer:
            run = builder.select(joined, frame.get("length"), run)

        def group(place: Any) -> None:
            there = frame.minimum(builder.sub(count, place), number(side))

            def around(left: Dimensions) -> None:
                if not left:
                    for name, _ in inner:
                        frame.bind(name, self._part(name)[0])
                    self._run((first, place, there), run, line, side)
                    return
                name, _ = left[0]
                low, span = self._part(name)
                once = builder.select(joined, frame.minimum(span, ONE), span)

                def inside(counter: Any) -> None:
                    frame.bind(name, counter)
                    around(left[1:])

                frame.each(low, builder.add(low, once), ONE, inside)

            around(outer)

        frame.each(ZERO, count, number(side), group)

    def _run(self, where: tuple[Any, Any, Any], run: Any, line: ContiguousAxes, side: int) -> None:
        """A run from where iterators are bound, for as many places as are there; its last block ends with it.

        That begins in the block before.  Runs shorter than a block, and too few places, are taken one by one.
        """
        frame, builder, panel = self.frame, self.builder, self.panel
        first, place, there = where
        full = builder.icmp_signed("==", there, number(side))
        long = builder.icmp_signed(">=", run, number(side))
        whole = builder.select(builder.and_(full, long), run, ZERO)
        base, last = self._step(), builder.sub(run, number(side))
        origin: ir.Value = ZERO
        for name, extent in panel.depth:
            origin = builder.add(builder.mul(origin, frame.emitter.size(extent)), self._part(name)[0])

        def block(step: Any) -> None:
            self._turn(first, place, base, frame.minimum(step, last), line, side)

        def rest(r: Any) -> None:
            to = builder.add(place, r)
            frame.bind_flat(builder.add(first, to), panel.own)

            def single(k: Any) -> None:
                frame.bind_flat(builder.add(builder.add(origin, base), k), panel.depth)
                self._store_single(to)

            frame.each(whole, run, ONE, single)

        frame.each(ZERO, whole, number(side), block)
        frame.each(ZERO, there, ONE, rest)

    def _turn(self, first: Any, place: Any, base: Any, step: Any, line: ContiguousAxes, side: int) -> None:
        builder, panel, frame = self.builder, self.panel, self.frame
        rows = []
        for r in range(side):
            with frame.emitter.scope():
                frame.bind_flat(builder.add(first, builder.add(place, number(r))), panel.own)
                value = Travel(frame.emitter, line, step, side).scalar(panel.value)
            rows.append(cast(builder, value, panel.value.column.storage, panel.storage))
        if panel.storage == "bool":
            rows = [builder.zext(r, ir.VectorType(I8, side)) for r in rows]
        for k, row in enumerate(turned(builder, rows)):
            at = builder.add(builder.add(base, step), number(k))
            offset = builder.add(builder.mul(at, number(panel.width)), place)
            store_vector(builder, builder.gep(self.base, [offset]), row, WIDTH_OF_STORAGE[panel.storage])


def _vectors(width: int, most: int) -> Iterator[tuple[int, int]]:
    """The vectors that so many elements are copied as: where each begins, and how long it is, a power of two."""
    place = 0
    while place < width:
        lanes = min(most, 1 << (width - place).bit_length() - 1)
        yield place, lanes
        place += lanes


def _unit(scalar: Scalar, line: ContiguousAxes) -> bool:
    """Whether everything read on the line lies side by side, and something does."""
    steps = list(strides(scalar, line))
    return bool(steps) and all(s.is_constant(1) for s in steps)
