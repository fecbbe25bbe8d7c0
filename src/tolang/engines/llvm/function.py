"""A function of LLVM while it is written: what it is called with, its checks, names and sizes.

The result is 0, or the number of the first check that failed: coordinates outside their ToL, overflow of whole
numbers.  A failed check never reads or writes; what it guards is skipped, and the function goes on; the caller reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue, BufferMemory, CheckSite
from tolang.engines.llvm.magnitudes import Magnitudes, checked_arithmetic, index_from_data, may_wrap, read_plainly
from tolang.engines.llvm.sizes import Arithmetic, emit_condition, emit_size, plain_arithmetic
from tolang.engines.llvm.types import I1, I8, I64, VectorModule, intrinsic
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import BEYOND, Buffer, FaultInfo, SourcePlaceholder, Unsupported
from tolang.plan.target import Target

FLAGS = 8
"""How many flags the checks of a function have: those without one of their own share the last but one.

The last is for coordinates beyond 64 bits, which are no error: whatever else is flagged, the interpreter is asked then.
"""

SMALL = 1 << 31
"""Numbers below this one may be added to any coordinate or length."""


class KernelFunction:
    """What is around the expressions of a kernel: names are bound by whoever makes it.

    Code that `stops` ends where a check fails, instead of going on without what the check guards.
    """

    def __init__(self, arguments: list[Any], name: str, target: Target) -> None:
        self.target = target
        self.sites: list[CheckSite] = []
        self.numbers: dict[CheckSite, int] = {}
        self.module = self.new_module()
        self.function = ir.Function(self.module, ir.FunctionType(I64, arguments), name)
        self.entry = self.function.append_basic_block("entry")
        self.builder = ir.IRBuilder(self.function.append_basic_block("start"))
        self.names: dict[str, BoundValue] = {}
        self.memory: dict[str, BufferMemory] = {}
        self.groups: dict[int, list[Any]] = {}
        self.magnitudes = Magnitudes({}, frozenset(), ())
        self.plain: frozenset[str] = frozenset()
        self.flags: dict[str, tuple[Any, dict[int, int]]] = {}
        self.taken: Any = None
        self.stops = False
        self.fault = self.slot(I64, ir.Constant(I64, 0))
        self._known: tuple[Any, dict[object, Any]] = None, {}
        """Sizes, and names from data as indices, that the block being written has computed already."""

    def new_module(self) -> VectorModule:
        """A module for the target."""
        target = self.target
        return VectorModule(target.vector_bytes, target.fuses, target.quads, target.masks)

    def slot(self, kind: Any, value: Any = None, align: int | None = None) -> Any:
        """Room on the stack, made once at the entry."""
        entry = ir.IRBuilder(self.entry)
        place = entry.alloca(kind, align)
        if value is not None:
            entry.store(value, place)
        return place

    def conclude(self) -> None:
        """Ends the function; its result, if it has one, is the number of the first check that failed, or 0."""
        self._settle()
        if isinstance(self.function.ftype.return_type, ir.VoidType):
            self.builder.ret_void()
        else:
            self.builder.ret(self.builder.load(self.fault))
        ir.IRBuilder(self.entry).branch(self.function.blocks[1])

    # Names, sizes, checks

    def lookup(self, name: str) -> Any:
        """A name as an index: whole numbers widened, reals floored; data too large, or no number, is a fault."""
        bound = self.names.get(name)
        if bound is None:
            raise Unsupported(f"the name {name} is not known here")
        if not bound.data or name in self.plain:
            return self.builder.load(bound.value) if bound.slot else bound.value
        if bound.slot:
            return self._index(self.builder.load(bound.value), bound)
        return self._once((bound.value, self.taken), lambda: self._index(bound.value, bound))

    def _index(self, value: Any, bound: BoundValue) -> Any:
        return index_from_data(self.builder, value, bound.storage, self.reporter(BEYOND, None))

    def _once(self, key: object, compute: Callable[[], Any]) -> Any:
        """A value that one block computes once: LLVM would find it too, but not in the time of writing it twice."""
        if self._known[0] is not self.builder.block:
            self._known = self.builder.block, {}
        known = self._known[1]
        if key not in known:
            known[key] = compute()
        return known[key]

    @contextmanager
    def reading(self, buffer: Buffer, at: tuple[Size, ...], checks: tuple[Condition, ...]) -> Iterator[None]:
        """The coordinates of a read, and what is asked of them: the names that this bounds need no other bound."""
        lengths = frozenset[str]().union(*(length.names() for length in buffer.shape))
        names = frozenset[str]().union(*(index.names() for index in at)) - lengths
        words = frozenset(name for name in names if name in self.names and self.names[name].is_word)
        before, self.plain = self.plain, read_plainly(at, checks, words)
        yield
        self.plain = before

    def size(self, size: Size) -> Any:
        found = self._simple(size)
        if found is not None:
            return found
        names = sorted(size.names())
        bound = [self.names.get(name) for name in names]
        if any(one is None or one.slot for one in bound):
            return self._size(size)
        values = tuple(one.value for one in bound if one is not None)
        return self._once((size, values, self.taken, self.plain.intersection(names)), lambda: self._size(size))

    def _simple(self, size: Size) -> Any:
        """A number, a name, or a name and a number, which most sizes are; None for others."""
        terms = size.terms
        constant = terms.get((), 0)
        if type(constant) is not int or not -SMALL < constant < SMALL or len(terms) - (constant != 0) > 1:
            return None
        for monomial, factor in terms.items():
            if not monomial:
                continue
            if factor != 1 or len(monomial) > 1 or type(monomial[0]) is not str:
                return None
            return self.builder.add(self.lookup(monomial[0]), ir.Constant(I64, constant))
        return ir.Constant(I64, constant)

    def _size(self, size: Size) -> Any:
        return emit_size(self.builder, size, self.lookup, self._arithmetic)

    def condition(self, condition: Condition) -> Any:
        if not self.plain.isdisjoint(condition.names()):
            return self._compared(condition) if condition.size is not None else self._both(condition)
        return emit_condition(self.builder, condition, self.lookup, self._arithmetic)

    def _arithmetic(self, size: Size) -> Arithmetic:
        """How a size is computed: with a check at every operation where it is from data and may leave 64 bits."""
        if not (may_wrap(size) and self.magnitudes.mention_data(size)):
            return plain_arithmetic(self.builder)
        return checked_arithmetic(self.builder, self.reporter(BEYOND, None))

    def _both(self, condition: Condition) -> Any:
        """All of some conditions on names that need no bound."""
        assert condition.kind == "and"
        held: Any = ir.Constant(I1, 1)
        for part in condition.parts:
            held = self.builder.and_(held, self.condition(part))
        return held

    def _compared(self, check: Condition) -> Any:
        """A check on a name that needs no bound: the name compared with the rest."""
        assert check.size is not None
        name = next(iter(self.plain & check.names()))
        split = check.size.split(name)
        assert split is not None
        value, rest = self.lookup(name), self.size(split[1])
        if split[0].is_constant(1):
            return self.builder.icmp_signed(">=", value, self.builder.neg(rest))
        return self.builder.icmp_signed(">=", rest, value)

    @property
    def ends_at_once(self) -> bool:
        """Whether what is written after a check is reached only where it holds."""
        return self.stops and self.taken is None

    def reporter(
        self, complaint: FaultInfo, span: Span | SourcePlaceholder | None
    ) -> Callable[[ir.IRBuilder, Any], None]:
        """Notes failed checks without a branch, so that a loop with checks in it can still run on vectors."""
        number, nothing = self.number_of(CheckSite(complaint, span)), ir.Constant(I8, 0)

        def report(builder: ir.IRBuilder, wrong: Any) -> None:
            if isinstance(wrong.type, ir.VectorType):
                lanes = ir.IntType(wrong.type.count)
                wrong = builder.icmp_unsigned("!=", builder.bitcast(wrong, lanes), ir.Constant(lanes, 0))
            if self.taken is not None:
                wrong = builder.and_(wrong, self.taken)
            place, bit = self._flag(number)
            builder.store(builder.or_(builder.load(place), builder.select(wrong, bit, nothing)), place)

        return report

    def number_of(self, site: CheckSite) -> int:
        """The number of a check: one that is written for several points has one number."""
        if site not in self.numbers:
            self.sites.append(site)
            self.numbers[site] = len(self.sites)
        return self.numbers[site]

    def _flag(self, number: int) -> tuple[Any, Any]:
        """Where the function being written keeps the flags of its checks, and the bit of this one."""
        name = self.function.name
        if name not in self.flags:
            self.flags[name] = self.slot(I8, ir.Constant(I8, 0)), {}
        place, numbers = self.flags[name]
        if self.sites[number - 1].complaint is BEYOND:
            position = FLAGS - 1
        else:
            known = [position for position, one in numbers.items() if one == number]
            position = known[0] if known else min(sum(one < FLAGS - 1 for one in numbers), FLAGS - 2)
        numbers.setdefault(position, number)
        return place, ir.Constant(I8, 1 << position)

    def _settle(self) -> None:
        """Makes the first of the checks that failed in this function the fault, unless there is one already."""
        if self.function.name not in self.flags:
            return
        builder, nothing = self.builder, ir.Constant(I64, 0)
        place, numbers = self.flags[self.function.name]
        flags, fault = builder.load(place), builder.load(self.fault)
        with builder.if_then(builder.icmp_unsigned("!=", flags, ir.Constant(I8, 0)), likely=False):
            first = self._first(flags)
            found: ir.Value = nothing
            for position, number in numbers.items():
                here = builder.icmp_unsigned("==", first, ir.Constant(I8, (position + 1) % FLAGS))
                found = builder.select(here, ir.Constant(I64, number), found)
            fresh = builder.icmp_signed("==", fault, nothing)
            builder.store(builder.select(fresh, found, fault), self.fault)

    def _first(self, flags: Any) -> Any:
        """Which flag is set, the last of all before the others.

        All flags are asked for together: of what is asked for one by one LLVM keeps what a loop found on its way, which
        is no sum of what its turns find any more, and keeps the loop from running on vectors.
        """
        turned = intrinsic(self.builder, "fshl", I8, [flags, flags, ir.Constant(I8, 1)])
        return intrinsic(self.builder, "cttz", I8, [turned, ir.Constant(I1, 0)])

    def flagged(self) -> Any:
        """Whether a check of the function being written has failed so far."""
        if self.function.name not in self.flags:
            return ir.Constant(I1, 0)
        place, _ = self.flags[self.function.name]
        return self.builder.icmp_unsigned("!=", self.builder.load(place), ir.Constant(I8, 0))

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Names and folds seen inside are forgotten outside."""
        names, groups, memory = dict(self.names), dict(self.groups), dict(self.memory)
        try:
            yield
        finally:
            self.names, self.groups, self.memory = names, groups, memory
