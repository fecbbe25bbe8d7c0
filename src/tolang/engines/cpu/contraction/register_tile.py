"""The register tile: accumulators of rows by columns, held in registers through one cut of the depth.

    tile(length, start, begins, held, extras, initial..., left panel..., right panel..., first column..., rows, apart,
         far, later, pitch)

`held` is where accumulators rest between cuts, component after component, row after row; of a
single component, rows lie a `pitch` of bytes apart.  A right operand that is read
as it lies has offsets in place of a panel, one for each step, from its first column.  Left operands that are read as
they lie have their first row in place of a panel; `rows` are there, so far `apart`, and the last stands for those that
are not; they are `far` where nobody has copied them, nor read them a moment ago.  Those read at offsets have these in
place of a panel, then where the first row of all is, and how far from it those of the tile are.  A tile may be narrow:
it has the first vectors of a row alone.  Of what is read `later`, unless that is nothing, a line comes
into the second cache with each turn of the loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tolang.engines.cpu.contraction.frames import ONE, POINTER, ZERO, number
from tolang.engines.cpu.contraction.packing import Panel
from tolang.engines.cpu.contraction.steps import PhaseEvaluator, coordinate
from tolang.engines.cpu.emission.vector_expressions import load_vector, store_vector
from tolang.engines.llvm import ir
from tolang.engines.llvm.prefetching import BUT_THE_FIRST, LINE, ask_for
from tolang.engines.llvm.sizes import quotient_of
from tolang.engines.llvm.types import I1, I8, I64, TYPES, cast, constant, memory_type
from tolang.engines.llvm.vectors import lane, splat
from tolang.idioms.contraction import Phase
from tolang.plan.nest import Named, Operation
from tolang.plan.schedule import Tiled
from tolang.schedule.tile import WIDTH_OF_STORAGE, is_fused, is_place

Values = list[Any]
LINES = 4
"""Lines of each row that are asked for one tile before they are read; of long rows the processor finds the rest."""
LINES_AHEAD = 2
"""So many lines before they are read, rows are asked for that are far, all of their lines."""
STEPS_AHEAD = 24
"""So many steps before they are read, rows that lie side by side are asked for, each step in lines of its own."""
AHEAD = 4096
"""So many bytes before they are read, panels of the right are asked for: they may be weights that no cache has."""

NOTHING: Any = ir.Constant(POINTER, None)
"""The address of nothing that is read later."""

MOST_WRITTEN = 256
_WRITTEN: dict[object, ir.SharedFunction] = {}
"""Functions that were written, by all that they depend on."""


class RegisterTile:
    """The function of one phase's tile, being written."""

    def __init__(
        self,
        steps: PhaseEvaluator,
        phase: Phase,
        tile: Tiled,
        lefts: list[Panel],
        rights: list[Panel],
        names: list[str],
    ) -> None:
        self.steps, self.phase, self.tile = steps, phase, tile
        self.lefts, self.rights, self.names = lefts, rights, names
        self.components = range(len(phase.steps))
        self.count = tile.rows * tile.vectors

    @property
    def asks(self) -> bool:
        """Whether it asks for what is read later: where there is one panel of the right that is read step by step."""
        return any(how.in_rows for how in self.lefts) and len(self.rights) == 1 and not self.rights[0].direct

    def emit(self, vectors: int, ordinary: bool = False) -> Any:
        """The function itself, for so many vectors of each row, and for numbers that may be taken for ordinary.

        Contractions that differ in what becomes of the sums have the same one.
        """
        form = self._form(vectors, ordinary)
        known = _WRITTEN.get(form)
        if known is not None:
            return known.placed_in(self.steps.emitter.module)
        made = ir.part_of(self._written(vectors, ordinary), "tile")
        if form is not None and isinstance(made, ir.SharedFunction):
            if len(_WRITTEN) >= MOST_WRITTEN:
                _WRITTEN.clear()
            _WRITTEN[form] = made
        return made

    def _form(self, vectors: int, ordinary: bool) -> object:
        """All that the function of a sum of products depends on; None for others."""
        phase = self.phase
        (step, *_), names = phase.steps, [*phase.group.states, *self.names]
        if not is_fused(phase) or phase.extras or self._has_place() or not isinstance(step, Operation):
            return None
        panels = [
            (
                p.storage,
                p.value.column.storage,
                p.width,
                p.lanes,
                p.copies,
                p.bits,
                p.sliced,
                p.direct,
                p.in_rows,
                p.beside,
            )
            for p in (*self.lefts, *self.rights)
        ]
        factors = [(names.index(one.name), one.column.storage) for one in step.arguments if isinstance(one, Named)]
        storages = [column.storage for column in phase.group.columns]
        numbers = step.function, step.column.storage, *factors, *storages, len(self.lefts), *panels
        return self.steps.emitter.target.digest, self.tile, self.steps.shape, vectors, ordinary, numbers

    def _written(self, vectors: int, ordinary: bool) -> ir.Function:
        """The function, written anew."""
        self.vectors, self.steps.ordinary = vectors, ordinary
        self.places = [row * self.tile.vectors + v for row in range(self.tile.rows) for v in range(vectors)]
        function = self.declared()
        whole, start, begins, held, extras, *rest, count, apart, far, later, self.pitch = function.args
        length: Any = whole
        initials, panels = self.phase.group.columns, (*self.lefts, *self.rights)
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        if self.may_lie_apart:
            self._ask_for_results(builder, held)
        old = [self._initial(builder, c, value) for c, value in zip(self.components, rest, strict=False)]
        states = self._begin(builder, begins, held, old)
        others = self._extras(builder, extras)
        loop = RegisterLoop(builder, function)
        pointers: list[Any] = [*rest[len(initials) :][: len(panels)]]
        self.firsts = rest[len(initials) + len(panels) :]
        lefts = list(zip(pointers, self.lefts, strict=False))
        self.apart = apart
        self.rows = [self._rows(builder, at, how, count, apart, far) for at, how in lefts]
        pointers[: len(lefts)] = [ZERO if how.in_rows or how.beside else at for at, how in lefts]
        carried = [*pointers, *self._markers(), *states]
        if self.asks:
            none = builder.icmp_unsigned("==", later, NOTHING)
            self.line = builder.select(none, ZERO, number(LINE))
            carried = [*carried, builder.select(none, held, later)]
        unroll = self.tile.unroll
        if any(how.in_rows for how in self.lefts):
            steps = LINE // max(WIDTH_OF_STORAGE[how.storage] for how in self.lefts if how.in_rows)
            lines = builder.select(far, quotient_of(builder, length, number(steps)), ZERO)
            carried = loop.run(lines, carried, lambda values: self._line(loop, values, others, steps, whole))
            length = builder.sub(length, builder.mul(lines, number(steps)))
        turns = quotient_of(builder, length, number(unroll))
        if unroll > 1:
            carried = loop.run(turns, carried, lambda values: self._turn(builder, values, others, unroll))
            length = builder.sub(length, builder.mul(turns, number(unroll)))
        carried = loop.run(length, carried, lambda values: self._turn(builder, values, others, 1))
        end = len(carried) - self.asks
        states = carried[end - len(self.places) * len(self.components) : end]
        self._end(builder, states, held, start, begins, old)
        builder.ret_void()
        return function

    def enter(self, builder: ir.IRBuilder, memory: Any) -> None:
        """Before the first of many tiles that have the same memory for extras."""

    def leave(self, builder: ir.IRBuilder, memory: Any) -> None:
        """After the last of them."""

    def declared(self) -> ir.Function:
        """The function without its code."""
        module = self.steps.emitter.module
        initials = [memory_type(c.storage) for c in self.phase.group.columns]
        panels = [(I64 if p.direct else p.element).as_pointer() for p in (*self.lefts, *self.rights)]
        firsts = [p.element.as_pointer() for p in (*self.rights, *self.lefts) if p.direct]
        tables = [I64.as_pointer() for p in self.lefts if p.direct]
        own = [*initials, *panels, *firsts, *tables]
        kind = ir.FunctionType(ir.VoidType(), [I64, I64, I1, POINTER, POINTER, *own, I64, I64, I1, POINTER, I64])
        function = ir.Function(module, kind, module.get_unique_name("tile"))
        function.linkage = "internal"
        for attribute in ("noinline", "nounwind"):
            function.attributes.add(attribute)
        _, _, _, held, _, *rest, _, _, _, _, _ = function.args
        for pointer in (held, *rest[len(initials) :]):
            pointer.add_attribute("noalias")
        return function

    def _initial(self, builder: ir.IRBuilder, component: int, value: Any) -> Any:
        if self.steps.shape.bits:
            value = builder.sub(ir.Constant(I8, 0), value)
        return splat(builder, value, self.tile.lanes)

    def _has_place(self) -> bool:
        return any(is_place(self.phase, c) for c in self.components)

    def _markers(self) -> Values:
        """The number of the step in every lane, where a component is a place."""
        return [constant(0, self.steps.shape.marker, self.tile.lanes)] if self._has_place() else []

    def _spot(self, builder: ir.IRBuilder, held: Any, component: int, position: int) -> Any:
        """Where an accumulator rests."""
        if self.may_lie_apart:
            row, vector = divmod(position, self.tile.vectors)
            at = builder.mul(number(row), self.pitch)
            return builder.gep(held, [builder.add(at, number(vector * self.tile.lanes * self.bytes_of(component)))])
        offset = 0
        for c in range(component):
            offset += self.count * self.tile.lanes * self.bytes_of(c)
        return builder.gep(held, [number(offset + position * self.tile.lanes * self.bytes_of(component))])

    @property
    def may_lie_apart(self) -> bool:
        """Whether accumulators may rest in rows of a result."""
        return len(self.components) == 1 and not self._has_place()

    @property
    def row_bytes(self) -> int:
        """Bytes of a row of accumulators of the first component."""
        return self.tile.columns * self.bytes_of(0)

    def _ask_for_results(self, builder: ir.IRBuilder, held: Any) -> None:
        """Asks for where the next tile's accumulators are written, if those are rows of a result."""
        with builder.if_then(builder.icmp_signed("!=", self.pitch, number(self.row_bytes))):
            for row in range(self.tile.rows, 2 * self.tile.rows):
                place = builder.gep(held, [builder.mul(number(row), self.pitch)])
                for line in range(0, self.row_bytes, LINE):
                    ask_for(builder, place, line, written=True)

    def bytes_of(self, component: int) -> int:
        """Bytes of a component's element at rest: places rest as coordinates."""
        return 8 if is_place(self.phase, component) else WIDTH_OF_STORAGE[self.steps.held(component)]

    @property
    def bytes(self) -> int:
        return sum(self.count * self.tile.lanes * self.bytes_of(c) for c in self.components)

    def _rest_kind(self, component: int) -> Any:
        return ir.VectorType(I64, self.tile.lanes) if is_place(self.phase, component) else self.steps.kind(component)

    def _load(self, builder: ir.IRBuilder, held: Any, component: int, position: int) -> Any:
        kind = self._rest_kind(component)
        return load_vector(builder, self._spot(builder, held, component, position), kind, self.bytes_of(component))

    def _begin(self, builder: ir.IRBuilder, begins: Any, held: Any, old: Values) -> Values:
        """Accumulators: the initial value in the first cut, what rests in memory in the others."""
        function = builder.function
        resumed, ready = function.append_basic_block("resumed"), function.append_basic_block("ready")
        entry = builder.block
        builder.cbranch(begins, ready, resumed)
        builder.position_at_end(resumed)
        known = [(c, p) for c in self.components for p in self.places if not is_place(self.phase, c)]
        loaded = {key: self._load(builder, held, *key) for key in known}
        builder.branch(ready)
        builder.position_at_end(ready)
        states: Values = []
        for c in self.components:
            for p in self.places:
                if is_place(self.phase, c):
                    states.append(constant(-1, self.steps.shape.marker, self.tile.lanes))
                    continue
                state = builder.phi(self.steps.kind(c))
                state.add_incoming(old[c], entry)
                state.add_incoming(loaded[c, p], resumed)
                states.append(state)
        return states

    def _extras(self, builder: ir.IRBuilder, memory: Any) -> dict[int, dict[str, Any]]:
        """Values of an element that do not change with the depth, for every accumulator."""
        lanes, found, offset = self.tile.lanes, {p: dict[str, Any]() for p in self.places}, 0
        for extra in self.phase.extras:
            storage = extra.value.column.storage
            size = WIDTH_OF_STORAGE[storage]
            for p in self.places:
                place = builder.gep(memory, [number(offset + p * lanes * size)])
                found[p][extra.name] = load_vector(builder, place, ir.VectorType(TYPES[storage], lanes), size)
            offset += self.count * lanes * size
        return found

    def _turn(self, builder: ir.IRBuilder, carried: Values, others: dict[int, dict[str, Any]], steps: int) -> Values:
        """Some steps of the depth; pointers and accumulators afterwards."""
        number_of_panels = len(self.lefts) + len(self.rights)
        panels, rest, later = carried[:number_of_panels], carried[number_of_panels:], list[Any]()
        if self.asks:
            *rest, asked = rest
            later = [self._ask_for_later(builder, asked) if steps == self.tile.unroll else asked]
        marker = rest[:1] if self._has_place() else []
        states = rest[len(marker) :]
        for step in range(steps):
            states = self._one_step(builder, panels, step, marker, states, others)
            marker = [builder.add(m, constant(1, self.steps.shape.marker, self.tile.lanes)) for m in marker]
        moved = [
            self._moved(builder, p, panel, steps) for p, panel in zip(panels, (*self.lefts, *self.rights), strict=True)
        ]
        return [*moved, *marker, *states, *later]

    def _ask_for_later(self, builder: ir.IRBuilder, place: Any) -> Any:
        """Asks for a line of what is read later; where the next one is."""
        ask_for(builder, place, 0, caches=BUT_THE_FIRST)
        return builder.gep(place, [self.line])

    def _rows(self, builder: ir.IRBuilder, first: Any, how: Panel, count: Any, apart: Any, far: Any) -> Values:
        """Where each row of a left operand begins that is read as it lies."""
        if not how.in_rows and not how.beside and not how.direct:
            return []
        last = builder.sub(count, ONE)
        rows = [number(row) for row in range(self.tile.rows)]
        real = [builder.select(builder.icmp_signed("<", row, last), row, last) for row in rows]
        if how.direct:
            begin, table = self.firsts
            return [builder.gep(begin, [builder.load(builder.gep(table, [row]))]) for row in real]
        if how.beside:
            return [builder.gep(first, [row]) for row in real]
        with builder.if_then(builder.not_(far)):
            self._ask_for_next(builder, first, apart)
        return [builder.gep(first, [builder.mul(row, apart)]) for row in real]

    def _ask_for_next(self, builder: ir.IRBuilder, first: Any, apart: Any) -> None:
        """Asks for what the next tile reads first of its rows, which lie apart."""
        for row in range(self.tile.rows, 2 * self.tile.rows):
            place = builder.gep(first, [builder.mul(number(row), apart)])
            for line in range(LINES):
                ask_for(builder, place, line * LINE)

    def _line(
        self, loop: RegisterLoop, carried: Values, others: dict[int, dict[str, Any]], steps: int, length: Any
    ) -> Values:
        """As many steps as a line of a row holds, while some lines further on are asked for, of each row its own."""
        builder, unroll = loop.builder, self.tile.unroll
        for at, how, rows in zip(carried, self.lefts, self.rows, strict=False):
            if how.in_rows:
                self._ask_for_rows(builder, builder.add(at, number(LINES_AHEAD * steps)), rows, length)
        return loop.run(number(steps // unroll), carried, lambda values: self._turn(builder, values, others, unroll))

    def _ask_for_rows(self, builder: ir.IRBuilder, step: Any, rows: Values, length: Any) -> None:
        """Asks for a step of rows; for those that the next tile reads first, where these end before it."""
        next_rows = builder.sub(builder.mul(self.apart, number(self.tile.rows)), length)
        here = builder.icmp_signed("<", step, length)
        place = builder.add(step, builder.select(here, ZERO, next_rows))
        for row in rows:
            ask_for(builder, builder.gep(row, [place]), 0)

    def _moved(self, builder: ir.IRBuilder, place: Any, panel: Panel, steps: int) -> Any:
        """A place of an operand some steps later: an address, or the step's number where rows are read as they lie."""
        if panel.in_rows:
            return builder.add(place, number(steps), flags=("nsw",))
        if panel.beside:
            return builder.add(place, builder.mul(self.apart, number(steps)), flags=("nsw",))
        return builder.gep(place, [number(steps * self._apart(panel))], inbounds=True)

    def _apart(self, panel: Panel) -> int:
        """How many elements or offsets two steps of the depth are apart."""
        return 1 if panel.direct else panel.step_bytes // WIDTH_OF_STORAGE[panel.storage]

    def _one_step(
        self,
        builder: ir.IRBuilder,
        panels: Values,
        step: int,
        marker: Values,
        states: Values,
        others: dict[int, dict[str, Any]],
    ) -> Values:
        """One step of the depth: a column of the left, a row of the right, all pairs of them."""
        tile, names = self.tile, self.phase.group.states
        lefts = [
            self._column(builder, p, panel, step, rows)
            for p, panel, rows in zip(panels, self.lefts, self.rows, strict=False)
        ]
        rights = [
            self._row(builder, p, panel, step) for p, panel in zip(panels[len(lefts) :], self.rights, strict=True)
        ]
        updated: list[Any] = [None] * len(states)
        indices = {o.name: marker[0] for o in self.phase.lefts if o.name not in self.names and marker}
        for row in range(tile.rows):
            ones = [left(row) for left in lefts]
            for vector in range(self.vectors):
                position, count = row * self.vectors + vector, len(self.places)
                values = [*ones, *(right[vector] for right in rights)]
                extra = others[self.places[position]]
                known = {**indices, **extra, **dict(zip(self.names, values, strict=True))}
                for c in self.components:
                    known[names[c]] = states[c * count + position]
                for c, value in enumerate(self.steps.following(builder, known)):
                    updated[c * count + position] = value
        return updated

    def _column(self, builder: ir.IRBuilder, panel: Any, how: Panel, step: int, rows: Values) -> Callable[[int], Any]:
        """Rows of the left at one step, each splat into a vector when it is asked for."""
        tile, size, lanes = self.tile, WIDTH_OF_STORAGE[how.storage], self.tile.lanes
        first = step * tile.rows * how.copies
        kind = ir.VectorType(how.element, lanes)
        if how.copies > 1:
            places = [builder.gep(panel, [number(first + row * lanes)]) for row in range(tile.rows)]
            return lambda row: self._widened(builder, load_vector(builder, places[row], kind, size), how)
        if tile.lane_rows:
            parts = [
                load_vector(builder, builder.gep(panel, [number(first + p)]), kind, size)
                for p in range(0, tile.rows, lanes)
            ]
            return lambda row: lane(builder, parts[row // lanes], row % lanes, lanes)
        if how.in_rows:
            at = builder.add(panel, number(step))
            singles = [builder.gep(row, [at], inbounds=True) for row in rows]
        elif how.beside:
            at = builder.add(panel, builder.mul(self.apart, number(step)), flags=("nsw",))
            singles = [builder.gep(row, [at], inbounds=True) for row in rows]
            ahead = builder.add(at, builder.mul(self.apart, number(STEPS_AHEAD)))
            ask_for(builder, builder.gep(rows[-1], [ahead]), 0)
        elif how.direct:
            offset = builder.load(builder.gep(panel, [number(step)]))
            singles = [builder.gep(row, [offset]) for row in rows]
        else:
            singles = [builder.gep(panel, [number(first + row)]) for row in range(tile.rows)]
        return lambda row: self._widened(builder, splat(builder, builder.load(singles[row]), lanes), how)

    def _row(self, builder: ir.IRBuilder, panel: Any, how: Panel, step: int) -> Values:
        """Columns of the right at one step."""
        size, lanes, tile = WIDTH_OF_STORAGE[how.storage], self.tile.lanes, self.tile
        kind = ir.VectorType(how.element, lanes)
        first = step * tile.columns
        if how.direct:
            offset = builder.load(builder.gep(panel, [number(step)]))
            panel, first = builder.gep(self.firsts[0], [offset]), 0
        loaded = [
            load_vector(builder, builder.gep(panel, [number(first + v * lanes)]), kind, size)
            for v in range(self.vectors)
        ]
        if not how.direct:
            for place in range(0, tile.columns * size, LINE):
                ask_for(builder, builder.gep(panel, [number(first)]), AHEAD + place)
        return [self._widened(builder, value, how) for value in loaded]

    def _widened(self, builder: ir.IRBuilder, value: Any, how: Panel) -> Any:
        """A vector from a panel in the storage that steps compute in."""
        storage = how.value.column.storage
        return value if storage == "bool" else cast(builder, value, how.storage, storage)

    def _end(self, builder: ir.IRBuilder, states: Values, held: Any, start: Any, begins: Any, old: Values) -> None:
        """Accumulators to where they rest; places become coordinates, or stay what they were."""
        lanes = self.tile.lanes
        for c in self.components:
            for k, p in enumerate(self.places):
                value = states[c * len(self.places) + k]
                if is_place(self.phase, c):
                    function = builder.function
                    entry, resumed = builder.block, function.append_basic_block("before")
                    joined = function.append_basic_block("joined")
                    builder.cbranch(begins, joined, resumed)
                    builder.position_at_end(resumed)
                    resting = self._load(builder, held, c, p)
                    builder.branch(joined)
                    builder.position_at_end(joined)
                    before = builder.phi(resting.type)
                    before.add_incoming(old[c], entry)
                    before.add_incoming(resting, resumed)
                    none = builder.icmp_signed("<", value, constant(0, self.steps.shape.marker, lanes))
                    first = splat(builder, builder.add(start, ONE), lanes)
                    value = builder.select(none, before, coordinate(builder, value, first, lanes))
                store_vector(builder, self._spot(builder, held, c, p), value, self.bytes_of(c))


class RegisterLoop:
    """Loops whose values are carried in registers."""

    def __init__(self, builder: ir.IRBuilder, function: Any) -> None:
        self.builder, self.function = builder, function

    def run(self, count: Any, carried: Values, body: Callable[[Values], Values]) -> Values:
        """So many turns of a body; the values after the last one."""
        builder = self.builder
        before = builder.block
        head, inside, after = (self.function.append_basic_block(n) for n in ("head", "inside", "after"))
        builder.branch(head)
        builder.position_at_end(head)
        counter = builder.phi(I64)
        counter.add_incoming(ZERO, before)
        values = [builder.phi(v.type) for v in carried]
        for phi, value in zip(values, carried, strict=True):
            phi.add_incoming(value, before)
        builder.cbranch(builder.icmp_signed("<", counter, count), inside, after)
        builder.position_at_end(inside)
        updated = body(values)
        counter.add_incoming(builder.add(counter, ONE, flags=("nsw",)), builder.block)
        for phi, value in zip(values, updated, strict=True):
            phi.add_incoming(value, builder.block)
        builder.branch(head)
        builder.position_at_end(after)
        return values
