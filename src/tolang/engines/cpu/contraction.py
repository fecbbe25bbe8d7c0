"""One kernel for every contraction: packed panels, a register tile, cache blocks, threads, the epilogue fused.

Both operands are evaluated, whatever they are, into panels: `rows` of the left by depth, `columns` of the right by
depth.  The tile holds rows x columns accumulators in registers and takes one step of the depth at a time:

    accumulator = combine(accumulator, times(left, right))

The depth is cut so that panels stay in the caches; between cuts accumulators rest in memory.  After the last cut the
epilogue, the scalar expression around the fold, is evaluated for every element of the tile and stored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from tolang.engines.cpu.arithmetic import I1, I64, cast, constant, is_float, kind_of
from tolang.engines.cpu.arithmetic import TYPES as STORAGE_TYPES
from tolang.engines.cpu.bindings import Bound
from tolang.engines.cpu.epilogue import emit_vector, is_vector, load_vector, runs_along, store_vector
from tolang.engines.cpu.functions import compute
from tolang.engines.cpu.regions import parallel
from tolang.engines.cpu.tiles import WIDTH_OF_STORAGE, Tile
from tolang.engines.cpu.vectors import splat
from tolang.nests.contractions import Contraction, Dimensions, walk
from tolang.nests.nest import Constant, Load, Named, Operation, Scalar

if TYPE_CHECKING:
    from tolang.engines.cpu.emitter import Emitter

ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)


def supported(contraction: Contraction) -> bool:
    """Whether the kernel computes this contraction: machine numbers in both operands, nothing that can overflow."""
    scalars = [contraction.left, contraction.right, *walk(contraction.times)]
    columns = [s.column for s in scalars] + list(contraction.group.columns)
    return all(is_float(c.storage) for c in columns)


class Kernel:
    """The code of one contraction, being written."""

    def __init__(self, emitter: Emitter, contraction: Contraction, tile: Tile) -> None:
        self.emitter, self.contraction, self.tile = emitter, contraction, tile
        self.storage = contraction.group.columns[0].storage
        self.kind = STORAGE_TYPES[self.storage]
        self.pointer = self.kind.as_pointer()
        self.bytes = WIDTH_OF_STORAGE[self.storage]

    @property
    def builder(self) -> ir.IRBuilder:
        return self.emitter.builder

    def number(self, value: int) -> Any:
        return ir.Constant(I64, value)

    def emit(self) -> None:
        """The whole contraction, batch by batch."""
        c = self.contraction
        initial = self.emitter.scalar(c.group.initials[0])
        extents = {
            "M": self._count(c.rows),
            "N": self._count(c.columns),
            "K": self._count(c.depth),
            "initial": initial,
        }
        micro = self._micro()
        names, sizes = tuple(n for n, _ in c.batch), tuple(e for _, e in c.batch)
        self.emitter.loops(names, sizes, lambda: self._product(micro, extents))

    def _count(self, dimensions: Dimensions) -> Any:
        total: Any = ONE
        for _, extent in dimensions:
            total = self.builder.mul(total, self.emitter.size(extent))
        return total

    def _ceiling(self, value: Any, step: int) -> Any:
        return self.builder.sdiv(self.builder.add(value, self.number(step - 1)), self.number(step))

    def _memory(self, count: Any) -> Any:
        """Scratch memory for accumulators or panels, aligned for vectors."""
        size = self.builder.add(self.builder.mul(count, self.number(self.bytes)), self.number(128))
        raw = self.builder.call(self.emitter.malloc, [size])
        address = self.builder.add(self.builder.ptrtoint(raw, I64), self.number(63))
        aligned = self.builder.and_(address, self.number(-64))
        return raw, self.builder.inttoptr(aligned, self.pointer)

    def _minimum(self, a: Any, b: Any) -> Any:
        return self.builder.select(self.builder.icmp_signed("<", a, b), a, b)

    def _for(self, low: Any, high: Any, step: Any, body: Callable[[Any], None]) -> None:
        """A loop from low to high by a step, over plain numbers."""
        builder, function = self.builder, self.emitter.function
        before = builder.block
        head, after = function.append_basic_block("for"), function.append_basic_block("rof")
        builder.cbranch(builder.icmp_signed("<", low, high), head, after)
        builder.position_at_end(head)
        counter = builder.phi(I64)
        counter.add_incoming(low, before)
        with self.emitter.scope():
            body(counter)
        following = builder.add(counter, step, flags=("nsw",))
        counter.add_incoming(following, builder.block)
        builder.cbranch(builder.icmp_signed("<", following, high), head, after)
        builder.position_at_end(after)

    def _product(self, micro: Any, extents: dict[str, Any]) -> None:
        """One product of rows by columns, in strips of columns and cuts of the depth."""
        tile = self.tile
        rows, strip = extents["M"], self.number(tile.panels * tile.columns)
        depth = self._depth_of_cut(extents["K"])
        row_panels = self._ceiling(rows, tile.rows)
        panels = self._ceiling(self._minimum(extents["N"], strip), tile.columns)
        raw_right, right = self._memory(self.builder.mul(self.builder.mul(panels, self.number(tile.columns)), depth))
        several = self.builder.icmp_signed(">", extents["K"], depth)
        kept = self.builder.mul(self.builder.mul(row_panels, panels), self.number(tile.rows * tile.columns))
        raw_kept, accumulators = self._memory(self.builder.select(several, kept, ONE))
        shared = {**extents, "right": right, "accumulators": accumulators, "cut": depth, "row_panels": row_panels}

        def over_strip(first: Any) -> None:
            width = self._minimum(self.builder.sub(extents["N"], first), strip)
            here = {**shared, "first": first, "strip_panels": self._ceiling(width, tile.columns)}
            self._for(ZERO, self._at_least_one(extents["K"]), depth, lambda start: self._cut(micro, here, start))

        self._for(ZERO, extents["N"], strip, over_strip)
        for raw in (raw_right, raw_kept):
            self.builder.call(self.emitter.free, [raw])

    def _at_least_one(self, value: Any) -> Any:
        """An empty depth still needs one cut, for the epilogue of the initial value."""
        return self.builder.select(self.builder.icmp_signed("<", value, ONE), ONE, value)

    def _depth_of_cut(self, total: Any) -> Any:
        """How much of the depth is packed at once; several depth dimensions are never cut."""
        whole = self._at_least_one(total)
        return self._minimum(whole, self.number(self.tile.depth)) if len(self.contraction.depth) == 1 else whole

    def _cut(self, micro: Any, here: dict[str, Any], start: Any) -> None:
        """Packs the right operand's panels for one cut of the depth, then runs the rows in parallel."""
        builder = self.builder
        length = self._minimum(builder.sub(here["K"], start), here["cut"])
        shared = {**here, "start": start, "length": length}
        parallel(self.emitter, here["strip_panels"], ONE, self._region(self._pack_right, shared), shared)
        blocks = self._ceiling(here["row_panels"], self._block_panels())
        parallel(self.emitter, blocks, ONE, self._region(lambda block: self._rows(micro, block), shared), shared)

    def _block_panels(self) -> int:
        return max(1, self.tile.block // self.tile.rows)

    def _region(self, work: Callable[[Any], None], shared: dict[str, Any]) -> Callable[[Any, Any], None]:
        def region(low: Any, high: Any) -> None:
            outside, self.emitter.inside_region = self.emitter.inside_region, True
            self._for(low, high, ONE, work)
            self.emitter.inside_region = outside

        return region

    def _get(self, name: str) -> Any:
        return self.emitter.captured[name]

    # Packing

    def _set_iterators(self, flat: Any, dimensions: Dimensions) -> None:
        """Binds the iterators of dimensions that run as one, by division, last one fastest."""
        builder = self.builder
        for position, (name, extent) in reversed(list(enumerate(dimensions))):
            if position == 0:
                self.emitter.names[name] = Bound(builder.add(flat, ONE), "i64")
                return
            length = self.emitter.size(extent)
            quotient = builder.sdiv(flat, length)
            self.emitter.names[name] = Bound(builder.add(builder.sub(flat, builder.mul(quotient, length)), ONE), "i64")
            flat = quotient

    def _pack_right(self, panel: Any) -> None:
        """One panel of the right operand: for each step of the depth, its columns side by side."""
        first = self.builder.add(self._get("first"), self.builder.mul(panel, self.number(self.tile.columns)))
        size = self.builder.mul(self._get("length"), self.number(self.tile.columns))
        base = self.builder.gep(self._get("right"), [self.builder.mul(panel, size)])
        self._pack(self.contraction.right, self.contraction.columns, first, self._get("N"), self.tile.columns, base)

    def _pack(self, operand: Scalar, dimensions: Dimensions, first: Any, total: Any, width: int, base: Any) -> None:
        """Evaluates an operand at `width` coordinates of its dimensions by a cut of the depth; zeros beyond the end."""
        present = self._minimum(self.builder.sub(total, first), self.number(width))
        whole = self.builder.icmp_signed("==", present, self.number(width))

        def fill(count: Any) -> None:
            if not self._runs_along(operand, dimensions):
                self._for(ZERO, count, ONE, lambda p: self._line(operand, dimensions, first, p, width, base))
                return

            def across(k: Any) -> None:
                self._for(ZERO, count, ONE, lambda p: self._place(operand, dimensions, first, p, k, width, base))

            self._over_depth(across)

        with self.builder.if_else(whole) as (complete, partial):
            with complete:
                fill(self.number(width))
            with partial:
                size = self.builder.mul(self._get("length"), self.number(width))
                self._for(ZERO, size, ONE, lambda k: self._zero(base, k))
                fill(present)

    def _zero(self, base: Any, position: Any) -> None:
        self.builder.store(ir.Constant(self.kind, 0.0), self.builder.gep(base, [position]))

    def _runs_along(self, operand: Scalar, dimensions: Dimensions) -> bool:
        """Whether neighbours in memory are neighbours among the operand's own coordinates, not along the depth."""
        return len(dimensions) == 1 and isinstance(operand, Load) and runs_along(operand, dimensions[0][0])

    def _over_depth(self, body: Callable[[Any], None]) -> None:
        """Loops over the current cut of the depth, with its iterators bound; the body gets the step, from 0."""
        depth = self.contraction.depth
        if len(depth) == 1:

            def step(k: Any) -> None:
                at = self.builder.add(self.builder.add(self._get("start"), k), ONE)
                self.emitter.names[depth[0][0]] = Bound(at, "i64")
                body(k)

            self._for(ZERO, self._get("length"), ONE, step)
            return
        counter = self.emitter.slot(I64)
        self.builder.store(ZERO, counter)

        def next_step() -> None:
            k = self.builder.load(counter)
            body(k)
            self.builder.store(self.builder.add(k, ONE), counter)

        self.emitter.loops(tuple(n for n, _ in depth), tuple(e for _, e in depth), next_step)

    def _line(self, operand: Scalar, dimensions: Dimensions, first: Any, position: Any, width: int, base: Any) -> None:
        self._set_iterators(self.builder.add(first, position), dimensions)
        self._over_depth(lambda k: self._stored(operand, k, position, width, base))

    def _place(
        self, operand: Scalar, dimensions: Dimensions, first: Any, position: Any, k: Any, width: int, base: Any
    ) -> None:
        self._set_iterators(self.builder.add(first, position), dimensions)
        self._stored(operand, k, position, width, base)

    def _stored(self, operand: Scalar, k: Any, position: Any, width: int, base: Any) -> None:
        with self.emitter.scope():
            value = self.emitter.scalar(operand)
        value = cast(self.builder, value, operand.column.storage, self.storage)
        place = self.builder.add(self.builder.mul(k, self.number(width)), position)
        self.builder.store(value, self.builder.gep(base, [place]))

    # Rows

    def _rows(self, micro: Any, block: Any) -> None:
        """A block of rows: its left panels packed, then every tile of the block computed."""
        builder, tile = self.builder, self.tile
        panels = self._block_panels()
        low = builder.mul(block, self.number(panels))
        high = self._minimum(builder.add(low, self.number(panels)), self._get("row_panels"))
        size = builder.mul(self._get("length"), self.number(tile.rows))
        raw, left = self._memory(builder.mul(size, self.number(panels)))

        def pack(panel: Any) -> None:
            first = builder.mul(panel, self.number(tile.rows))
            base = builder.gep(left, [builder.mul(builder.sub(panel, low), size)])
            self._pack(self.contraction.left, self.contraction.rows, first, self._get("M"), tile.rows, base)

        self._for(low, high, ONE, pack)
        scratch = self._tile_memory()
        self._for(
            ZERO,
            self._get("strip_panels"),
            ONE,
            lambda column: self._for(
                low, high, ONE, lambda row: self._one_tile(micro, row, column, low, left, size, scratch)
            ),
        )
        builder.call(self.emitter.free, [raw])

    def _tile_memory(self) -> Any:
        return self.emitter.slot(ir.ArrayType(self.kind, self.tile.rows * self.tile.columns))

    def _one_tile(self, micro: Any, row: Any, column: Any, low: Any, left: Any, size: Any, scratch: Any) -> None:
        builder, tile = self.builder, self.tile
        a = builder.gep(left, [builder.mul(builder.sub(row, low), size)])
        width = builder.mul(self._get("length"), self.number(tile.columns))
        b = builder.gep(self._get("right"), [builder.mul(column, width)])
        several = builder.icmp_signed(">", self._get("K"), self._get("cut"))
        place = builder.add(builder.mul(column, self._get("row_panels")), row)
        kept = builder.gep(self._get("accumulators"), [builder.mul(place, self.number(tile.rows * tile.columns))])
        held = builder.select(several, kept, builder.bitcast(scratch, self.pointer))
        begins = builder.icmp_signed("==", self._get("start"), ZERO)
        builder.call(micro, [self._get("length"), a, b, held, begins, self._get("initial")])
        last = builder.icmp_signed(">=", builder.add(self._get("start"), self._get("cut")), self._get("K"))
        with builder.if_then(last):
            self._epilogue(row, column, held)

    def _epilogue(self, row: Any, column: Any, held: Any) -> None:
        """The expression around the fold, for every element of a tile, stored."""
        builder, tile, nest = self.builder, self.tile, self.contraction.nest
        first_row = builder.mul(row, self.number(tile.rows))
        first_column = builder.add(self._get("first"), builder.mul(column, self.number(tile.columns)))
        rows = self._minimum(builder.sub(self._get("M"), first_row), self.number(tile.rows))
        columns = self._minimum(builder.sub(self._get("N"), first_column), self.number(tile.columns))

        def element(r: Any, c: Any) -> None:
            self._set_iterators(builder.add(first_column, c), self.contraction.columns)
            place = builder.add(builder.mul(r, self.number(tile.columns)), c)
            value = builder.load(builder.gep(held, [place]))
            self.emitter.groups[id(self.contraction.group)] = [value]
            computed = self.emitter.scalar(nest.values[0])
            buffer, at = nest.targets[0]
            self.emitter.store(buffer, at, computed)

        def line(r: Any) -> None:
            self._set_iterators(builder.add(first_row, r), self.contraction.rows)
            if not self._stores_vectors():
                self._for(ZERO, columns, ONE, lambda c: element(r, c))
                return
            whole = builder.icmp_signed("==", columns, self.number(tile.columns))
            with builder.if_else(whole) as (complete, partial):
                with complete, self.emitter.scope():
                    self._store_row(r, first_column, held)
                with partial, self.emitter.scope():
                    self._for(ZERO, columns, ONE, lambda c: element(r, c))

        self._for(ZERO, rows, ONE, line)

    def _stores_vectors(self) -> bool:
        """Whether a row of the tile can be finished and stored as vectors."""
        nest = self.contraction.nest
        buffer, at = nest.targets[0]
        if len(self.contraction.columns) != 1 or buffer.column.storage != self.storage:
            return False
        column = self.contraction.columns[0][0]
        target = Load(buffer, at, column=buffer.column)
        return runs_along(target, column) and is_vector(nest.values[0], column)

    def _store_row(self, row: Any, first_column: Any, held: Any) -> None:
        """A whole row of the tile: the expression around the fold on vectors, stored side by side."""
        builder, tile, nest = self.builder, self.tile, self.contraction.nest
        column = self.contraction.columns[0][0]
        buffer, at = nest.targets[0]
        for vector in range(tile.vectors):
            offset = vector * tile.lanes
            self._set_iterators(builder.add(first_column, self.number(offset)), self.contraction.columns)
            place = builder.add(builder.mul(row, self.number(tile.columns)), self.number(offset))
            folded = load_vector(self.emitter, builder.gep(held, [place]), self.storage, tile.lanes)
            value = emit_vector(self.emitter, nest.values[0], column, folded, tile.lanes)
            store_vector(self.emitter, self.emitter.address(buffer, at), value, self.storage)

    # The register tile

    def _micro(self) -> Any:
        """The inner kernel: accumulators in registers through one cut of the depth."""
        tile, module = self.tile, self.emitter.module
        vector = kind_of(self.storage, tile.lanes)
        kind = ir.FunctionType(ir.VoidType(), [I64, self.pointer, self.pointer, self.pointer, I1, self.kind])
        function = ir.Function(module, kind, module.get_unique_name("tile"))
        function.linkage = "internal"
        function.attributes.add("noinline")
        length, left, right, held, begins, initial = function.args
        for pointer in (left, right, held):
            pointer.add_attribute("noalias")
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        count = tile.rows * tile.vectors
        memory = builder.bitcast(held, vector.as_pointer())
        start = splat(builder, initial, tile.lanes)
        fresh, resumed, head, body, end = (
            function.append_basic_block(n) for n in ("fresh", "resumed", "head", "body", "end")
        )
        builder.cbranch(begins, fresh, resumed)
        builder.position_at_end(fresh)
        builder.branch(head)
        builder.position_at_end(resumed)
        loaded = [self._load(builder, builder.gep(memory, [self.number(p)])) for p in range(count)]
        builder.branch(head)
        builder.position_at_end(head)
        step = builder.phi(I64)
        step.add_incoming(ZERO, fresh)
        step.add_incoming(ZERO, resumed)
        states = [builder.phi(vector) for _ in range(count)]
        for state, old in zip(states, loaded, strict=True):
            state.add_incoming(start, fresh)
            state.add_incoming(old, resumed)
        builder.cbranch(builder.icmp_signed("<", step, length), body, end)
        builder.position_at_end(body)
        updated = self._one_step(builder, step, left, right, states)
        following = builder.add(step, ONE, flags=("nsw",))
        step.add_incoming(following, builder.block)
        for state, new in zip(states, updated, strict=True):
            state.add_incoming(new, builder.block)
        builder.branch(head)
        builder.position_at_end(end)
        for position, state in enumerate(states):
            store = builder.store(state, builder.gep(memory, [self.number(position)]))
            store.align = self.bytes
        builder.ret_void()
        return function

    def _load(self, builder: ir.IRBuilder, place: Any) -> Any:
        value = builder.load(place)
        value.align = self.bytes
        return value

    def _one_step(self, builder: ir.IRBuilder, step: Any, left: Any, right: Any, states: list[Any]) -> list[Any]:
        """One step of the depth: a column of the left, a row of the right, all pairs of them."""
        tile = self.tile
        vector = kind_of(self.storage, tile.lanes)
        a = builder.gep(left, [builder.mul(step, self.number(tile.rows))])
        b = builder.bitcast(builder.gep(right, [builder.mul(step, self.number(tile.columns))]), vector.as_pointer())
        rights = [self._load(builder, builder.gep(b, [self.number(v)])) for v in range(tile.vectors)]
        updated: list[Any] = []
        for row in range(tile.rows):
            value = self._load(builder, builder.gep(a, [self.number(row)]))
            one = splat(builder, value, tile.lanes)
            for position in range(tile.vectors):
                state = states[row * tile.vectors + position]
                updated.append(self._combined(builder, state, one, rights[position]))
        return updated

    def _combined(self, builder: ir.IRBuilder, state: Any, left: Any, right: Any) -> Any:
        """combine(state, times(left, right)) on vectors."""
        contraction = self.contraction
        flags = () if self.emitter.strict else ("contract",)

        def value(scalar: Scalar) -> Any:
            match scalar:
                case Named(name="left"):
                    return left
                case Named(name="right"):
                    return right
                case Constant(value=number):
                    return constant(number, scalar.column.storage, self.tile.lanes)
                case Operation(arguments=arguments):
                    return self.emitter.operation(builder, scalar, [value(a) for a in arguments], flags)
            raise TypeError(type(scalar).__name__)

        product = value(contraction.times)
        columns = [contraction.group.columns[0], contraction.times.column]
        assert contraction.group.combine is not None
        return compute(builder, contraction.group.combine, [state, product], columns, columns[0], _never, flags)


def _never(builder: ir.IRBuilder, wrong: Any) -> None:
    """Floats have no overflow to report."""
