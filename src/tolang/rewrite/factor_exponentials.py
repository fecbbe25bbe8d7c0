"""Powers of sums are products of powers, of which there are fewer, where none of these is too small or too large.

    repeat [t]                                          v[i,j] = exp(m[i,j] - b[j])         b[j]: the greatest m[i,j]
      s[j] = reduce[i](add, exp(x[i] + m[i,j] - c[j]))  repeat [t]
                                                          u[i] = exp(x[i] - a)              a: the greatest x[i]
                                                          d[j] = a + b[j] - c[j]
                                                          s[j] = exp(d[j]) * reduce[i](add, u[i] * v[i,j])
                                                          where d[j] is large: s[j] as it was

Terms of the exponent are of three kinds.  Two have an iterator in common, the pivot, along which each has its greatest
element; the others, which are subtracted, do not depend on it.  So the powers of the two are at most 1, and what is
lost of them is less than the least float times exp(d).  Each kind depends on fewer iterators than all of them together
do, the repetition around among these, so that there are fewer powers.  Steps of a random field or of a hidden Markov
model in logarithms, forward and back, become products of a matrix and a vector.  Whether an element is computed as it
was, its own data say, and nothing else.

What is subtracted may be a shift, whatever it is: most often the greatest exponent c[j], which takes as long to find
as the sum.  Then a + b[j] takes its place, and where s[j] is very small all is computed as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import chain, count

import numpy as np

from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import column, dtype_of
from tolang.idioms.contraction import without_single
from tolang.idioms.shift import asked_finite, is_free
from tolang.plan.access import filling
from tolang.plan.fused_sums import FUSED
from tolang.plan.nest import (
    Allocate,
    Bind,
    Branch,
    Buffer,
    ConstantScalar,
    Group,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Reduction,
    Repeat,
    Scalar,
    Select,
    Step,
    Where,
)
from tolang.plan.printer import signature
from tolang.plan.rewriting import Bindings, Rewriter, map_lists, within
from tolang.plan.traversal import (
    buffers_in,
    dependencies,
    has_fold,
    may_fail,
    names_bound_inside,
    nodes_inside,
    read_buffers,
    scalars_in,
    volume,
    written_buffers,
)

LARGEST = {"f32": 30.0, "f64": 300.0}
"""The largest exponent that is taken apart: what is lost of powers is below 1e-24, or 1e-177, of the greatest."""
FEWEST = 8
"""Of how many elements a fold is worth it, where that is known."""
REPETITION = "the repetition"
"""Stands among iterators for the steps of the repetition around."""
TRUTH = column("B")

Iterators = frozenset[str]
Tables = dict[object, Buffer]
"""Tables of inputs alone, which are there from then on, by what is in them."""


def multiply_powers(plan: Plan) -> Plan:
    """Powers of sums that a fold adds are products of powers, of which there are fewer."""
    numbers = count(1)

    def changed(step: Step, known: Tables) -> Iterator[Step]:
        match step:
            case Nest():
                found = _sum_of(step, _RepetitionEffects())
                yield from (step,) if found is None else chain(*_Products(found, next(numbers), known).steps())
            case Repeat():
                yield from _of_repetition(step, numbers, known, plan)
            case _:
                yield step

    def all_changed(steps: tuple[Step, ...]) -> tuple[Step, ...]:
        known: Tables = {}
        return tuple(made for step in steps for made in changed(step, known))

    return map_lists(plan, all_changed)


def _of_repetition(repeat: Repeat, numbers: Iterator[int], known: Tables, plan: Plan) -> Iterator[Step]:
    """A repetition of a plan, and before it the powers that its steps do not change."""
    bound = frozenset(names_bound_inside(one for step in repeat.steps for one in nodes_inside(step)))
    around = _RepetitionEffects(
        written_buffers(repeat), bound, dict(zip(repeat.iterators, repeat.extents, strict=True))
    )
    steps: list[Step] = []
    for step in repeat.steps:
        found = _sum_of(step, around) if isinstance(step, Nest) else None
        shift = None if found is None else _shift_of(found, steps)
        if found is None:
            steps.append(step)
        elif shift is not None and is_free(plan, shift.read.buffer.name):
            products = _Products(found, next(numbers), known)
            first = steps.index(shift.nest)
            before, inside = products.shifted(shift, tuple(steps[first + 1 :]))
            yield from before
            steps[first:] = inside
        else:
            before, inside = _Products(found, next(numbers), known).steps()
            yield from before
            steps += inside
    yield repeat if len(steps) == len(repeat.steps) else replace(repeat, steps=tuple(steps))


@dataclass(frozen=True, slots=True)
class _RepetitionEffects:
    """What a repetition around a nest changes: elements of buffers, and names; and how far its iterators go."""

    written: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    steps: Mapping[str, Size] = field(default_factory=dict)

    def varies(self, scalar: Scalar, names: frozenset[str]) -> bool:
        """Whether a scalar, which uses names from outside its nest, is not known before the repetition begins."""
        return not self.written.isdisjoint(buffers_in(scalar)) or not self.bound.isdisjoint(names)


@dataclass(frozen=True, slots=True)
class _Term:
    """A term of an exponent, or a factor of a power, and the iterators that it depends on."""

    scalar: Scalar
    iterators: Iterators
    negative: bool = False


@dataclass(frozen=True, slots=True)
class _PowerSum:
    """A nest that adds up powers of sums: the terms of the two kinds with a pivot, the others, and factors of each.

    The others come last in `kinds` and in `weights`, and depend on all that the greatest elements depend on.  Some
    may depend on the repetition around by its iterators alone, the `steps`: they are known before it.
    """

    nest: Nest
    group: Group
    bindings: Bindings
    loops: dict[str, Size]
    steps: Mapping[str, Size]
    pivot: str
    kinds: tuple[tuple[_Term, ...], ...]
    weights: tuple[tuple[_Term, ...], ...]

    @property
    def iterators(self) -> tuple[Iterators, ...]:
        """What the powers of each kind depend on."""
        one, two, _ = own = [frozenset[str]().union(*(term.iterators for term in kind)) for kind in self.kinds]
        return one, two, own[2] | ((one | two) - {self.pivot})


def _sum_of(nest: Nest, around: _RepetitionEffects) -> _PowerSum | None:
    """What a nest adds up, where that is better taken apart."""
    nest = without_single(nest)
    if len(nest.targets) != 1 or not nest.iterators or may_fail(nest.values[0]):
        return None
    bindings, value = _unbound(nest.values[0])
    match value:
        case Reduction(
            group=Group(combine="add", ordered=False, initials=(ConstantScalar(value=0),), steps=(step,)) as group
        ):
            elements = volume(group.extents)
            few = elements is not None and elements < FEWEST
            found = None if few else _power(step, group.states[0])
        case _:
            return None
    storage = value.column.storage
    if found is None or storage not in LARGEST:
        return None
    weights, exponent = found
    if any(has_fold(one) or one.column.storage != storage for one in (*weights, exponent)):
        return None
    loops = dict(zip((*nest.iterators, *group.iterators), (*nest.extents, *group.extents), strict=True))
    lengths = frozenset[str]().union(*(extent.names() for extent in loops.values()))
    if not lengths.isdisjoint({*loops, *around.bound, *around.steps}):
        return None

    def term(scalar: Scalar, negative: bool = False) -> _Term:
        whole = within(bindings, scalar)
        names = dependencies(whole)
        varies = around.varies(whole, names - loops.keys())
        own = frozenset({REPETITION}) if varies else names.intersection(around.steps)
        return _Term(scalar, own | names.intersection(loops), negative)

    terms = [term(*one) for one in _terms(exponent)]
    for pivot in loops:
        kinds = _kinds(terms, pivot)
        made = (
            None if kinds is None else _PowerSum(nest, group, bindings, loops, around.steps, pivot, kinds, ((), (), ()))
        )
        made = None if made is None else _weighted(made, [term(one) for one in weights])
        if made is not None:
            return made
    return None


@dataclass(frozen=True, slots=True)
class _Shift:
    """What a sum subtracts from all its exponents, an element of a buffer, and the nest that computes it by a fold."""

    nest: Nest
    read: Load
    value: Scalar


def _shift_of(found: _PowerSum, before: list[Step]) -> _Shift | None:
    """What a sum subtracts, if that is one number for each of its elements that an earlier step has found by a fold."""
    others = found.kinds[2]
    if len(others) != 1 or found.weights[2] or not found.iterators[2].isdisjoint(found.group.iterators):
        return None
    read = _read_by(others[0].scalar, dict(found.bindings), before)
    if read is None or not frozenset(found.nest.iterators) <= frozenset().union(*(i.names() for i in read.indices)):
        return None
    for place, step in enumerate(before):
        if isinstance(step, Nest) and [buffer.name for buffer, _ in step.targets] == [read.buffer.name]:
            nest = without_single(step)
            names = _places(nest, read)
            extents = tuple(found.loops.get(next(iter(size.names()), "")) for size in names.values())
            if extents != nest.extents or may_fail(nest.values[0]) or not has_fold(nest.values[0]):
                return None
            shift = _Shift(step, read, Rewriter(names).scalar(nest.values[0]))
            return shift if _leads_only(before[place + 1 :], found, read.buffer) else None
    return None


def _leads_only(between: list[Step], found: _PowerSum, shift: Buffer) -> bool:
    """Whether steps between a shift and a sum only compute of the shift what no other term of the sum reads."""
    terms = [term.scalar for kind in found.kinds[:2] for term in kind]
    used = frozenset[str]().union(*map(buffers_in, terms))
    nests = [step for step in between if not isinstance(step, Allocate)]
    return all(
        isinstance(step, Nest)
        and written_buffers(step).isdisjoint(used | read_buffers(step) | {shift.name})
        and not any(may_fail(value) for value in step.values)
        for step in nests
    )


def _read_by(scalar: Scalar, names: Mapping[str, Scalar], before: list[Step]) -> Load | None:
    """The element of a buffer that a scalar is wherever it is finite, perhaps by way of another buffer."""
    match scalar:
        case Where(bindings=bindings, value=value):
            return _read_by(value, {**names, **dict(bindings)}, before)
        case Named(name=name) if name in names:
            return _read_by(names[name], names, before)
        case Select(test=(test,), then=then) if (asked := asked_finite(test)) is not None:
            one, two = _read_by(asked, names, before), _read_by(then, names, before)
            return one if one and two and (one.buffer.name, one.indices) == (two.buffer.name, two.indices) else None
        case Load():
            for step in before:
                if isinstance(step, Nest) and [b.name for b, _ in step.targets] == [scalar.buffer.name]:
                    made = Rewriter(_places(step, scalar)).scalar(step.values[0])
                    return _read_by(made, {}, before) or scalar
            return scalar
    return None


def _places(nest: Nest, read: Load) -> dict[str, Size]:
    """The coordinates of a nest at which it writes the element that is read, where each is an index of its own."""
    (_, at), *_ = nest.targets
    return {i: index for i in nest.iterators for own, index in zip(at, read.indices, strict=True) if own == Size.of(i)}


def _unbound(value: Scalar) -> tuple[Bindings, Scalar]:
    """The names around a value, and what they are around."""
    if not isinstance(value, Where):
        return (), value
    inner, rest = _unbound(value.value)
    return (*value.bindings, *inner), rest


def _power(step: Scalar, state: str) -> tuple[tuple[Scalar, ...], Scalar] | None:
    """The factors beside a power that a fold adds, and its exponent."""
    match step:
        case Operation(function="add", arguments=(Named(name=name), term)) if name == state:
            factors: tuple[Scalar, ...] = (term,)
        case Operation(function=function, arguments=(Named(name=name), *factors_of)) if name == state:
            if function != FUSED:
                return None
            factors = tuple(factors_of)
        case _:
            return None
    powers = [one for one in factors if isinstance(one, Operation) and one.function == "exp"]
    if len(powers) != 1 or any(state in dependencies(one) for one in factors):
        return None
    return tuple(one for one in factors if one is not powers[0]), powers[0].arguments[0]


def _terms(exponent: Scalar, negative: bool = False) -> Iterator[tuple[Scalar, bool]]:
    """The terms of a sum, and whether each is subtracted."""
    match exponent:
        case Operation(function="add" | "sub" as function, arguments=(one, two)):
            yield from _terms(one, negative)
            yield from _terms(two, negative != (function == "sub"))
        case _:
            yield exponent, negative


def _kinds(terms: list[_Term], pivot: str) -> tuple[tuple[_Term, ...], ...] | None:
    """Terms with a pivot, in two kinds of which neither depends on all that the other does; and those without it."""
    others = tuple(one for one in terms if pivot not in one.iterators)
    sets = {one.iterators for one in terms if pivot in one.iterators}
    largest = [one for one in sets if not any(one < other for other in sets)]
    if len(largest) != 2 or not all(one.negative for one in others):
        return None
    first = next(one.iterators for one in terms if one.iterators in largest)
    one = tuple(term for term in terms if pivot in term.iterators and term.iterators <= first)
    two = tuple(term for term in terms if pivot in term.iterators and not term.iterators <= first)
    return one, two, others


def _weighted(found: _PowerSum, weights: list[_Term]) -> _PowerSum | None:
    """A sum with each weight at the powers that depend on as much; None where there is none, or powers are not two."""
    placed: tuple[list[_Term], ...] = ([], [], [])
    for weight in weights:
        place = next((k for k in (2, 0, 1) if weight.iterators <= found.iterators[k]), None)
        if place is None:
            return None
        placed[place].append(weight)
    folded = [not iterators.isdisjoint(found.group.iterators) for iterators in found.iterators]
    return replace(found, weights=tuple(map(tuple, placed))) if sum(folded) == 2 else None


@dataclass(slots=True)
class _Products:
    """A sum of powers of sums on its way to be one of products of powers."""

    found: _PowerSum
    number: int
    known: Tables
    before: list[Step] = field(default_factory=list)
    inside: list[Step] = field(default_factory=list)
    tables: Iterator[int] = field(default_factory=lambda: count(1))

    def steps(self) -> tuple[list[Step], list[Step]]:
        """The steps before the repetition around, and those in it."""
        found = self.found
        (one, two, others), sets = found.kinds, found.iterators
        greatest = [self._greatest(kind, own) for kind, own in zip((one, two), sets[:2], strict=True)]
        powers = [
            self._powers(self._binary("sub", self._sum(kind), top), k, sets[k])
            for k, (kind, top) in enumerate(zip((one, two), greatest, strict=True))
        ]
        rest = reduce(lambda s, term: self._binary("sub", s, term.scalar), others, self._binary("add", *greatest))
        excess = within(found.bindings, rest)
        powers.append(self._powers(rest, 2, sets[2]))
        folded = [not own.isdisjoint(found.group.iterators) for own in sets]
        state = Named(found.group.states[0], column=found.group.columns[0])
        factors = [power for power, inner in zip(powers, folded, strict=True) if inner]
        step = Operation(FUSED, (state, *factors), column=state.column)
        total: Scalar = Reduction(replace(found.group, steps=(step,)), 0, column=state.column)
        for power, inner in zip(powers, folded, strict=True):
            total = total if inner else self._binary("mul", power, total)
        self.inside.append(replace(found.nest, values=(total,)))
        self.inside.append(self._where_large(excess, sets[2]))
        return self.before, self.inside

    def shifted(self, shift: _Shift, between: tuple[Step, ...]) -> tuple[list[Step], list[Step]]:
        """The same with a bound of all exponents as their shift, from the step on that had found the shift."""
        found, nest, (target, *_) = self.found, self.found.nest, self.found.nest.targets
        kinds = list(zip(found.kinds[:2], found.iterators[:2], strict=True))
        greatest = [self._greatest(kind, own) for kind, own in kinds]
        powers = [
            self._powers(self._binary("sub", self._sum(kind), top), k, own)
            for k, ((kind, own), top) in enumerate(zip(kinds, greatest, strict=True))
        ]
        read, shared = shift.read, found.group.columns[0]
        bound = replace(nest, targets=((read.buffer, read.indices),), values=(self._binary("add", *greatest),))
        step = Operation(FUSED, (Named(found.group.states[0], column=shared), *powers), column=shared)
        total = replace(nest, values=(Reduction(replace(found.group, steps=(step,)), 0, column=shared),))
        self.inside += [bound, *between, total, self._where_small(shift, Load(*target, column=shared), between)]
        return self.before, self.inside

    def _where_small(self, shift: _Shift, made: Load, between: tuple[Step, ...]) -> Step:
        """What is computed as it was, the shift, too: elements that are so small that powers were lost."""
        nest, shared = self.found.nest, self.found.group.columns[0]
        least, zero = (
            ConstantScalar(float(np.exp(-LARGEST[self._storage])), column=shared),
            ConstantScalar(0.0, column=shared),
        )
        size = Operation("abs", (shift.read,), column=shared)
        finite = Operation("lt", (size, ConstantScalar(np.inf, column=shared)), column=TRUTH)
        known = Select(None, (finite,), made, zero, column=shared)
        enough = Operation("le", (least, made), column=TRUTH)

        def unless(enough: Scalar, old: Load, value: Scalar) -> Nest:
            chosen = Select(None, (enough,), old, value, column=shared)
            return replace(nest, targets=((old.buffer, old.indices),), values=(chosen,))

        again = [step for step in between if isinstance(step, Nest)]
        marked = replace(nest, values=(known,))
        steps = (marked, unless(enough, shift.read, shift.value), *again, unless(enough, made, nest.values[0]))
        most = self._most(Operation("neg", (known,), column=shared), nest.iterators, -np.inf)
        lowest = ConstantScalar(-float(least.value), column=shared)
        return Branch(None, (Operation("le", (most, lowest), column=TRUTH),), (), steps)

    def _greatest(self, kind: tuple[_Term, ...], own: Iterators) -> Scalar:
        """The greatest element of a kind along the pivot; the lowest float where there is none that is greater."""
        lowest, pivot = float(np.finfo(dtype_of(self._storage)).min), self.found.pivot
        whole = self._sum(kind)
        return self._table("greatest", self._most(whole, (pivot,), lowest), own - {pivot}, whole)

    def _most(self, scalar: Scalar, iterators: tuple[str, ...], least: float) -> Scalar:
        """The greatest of what a scalar is along iterators."""
        name, shared = f"most {self.number}", self.found.group.columns[0]
        step = self._binary("max", Named(name, column=shared), scalar)
        extents = tuple(self.found.loops[one] for one in iterators)
        initial = ConstantScalar(least, column=shared)
        group = Group(iterators, extents, (name,), (shared,), (initial,), (step,), "max", True)
        return Reduction(group, 0, column=shared)

    def _powers(self, exponent: Scalar, kind: int, own: Iterators) -> Scalar:
        power: Scalar = Operation("exp", (exponent,), column=self.found.group.columns[0])
        for weight in self.found.weights[kind]:
            power = self._binary("mul", weight.scalar, power)
        whole = within(self.found.bindings, power)
        return self._table("powers", whole, own, whole)

    def _table(self, name: str, value: Scalar, own: Iterators, made_of: Scalar) -> Scalar:
        """A scalar computed once for each coordinate that it depends on, and how it is read there.

        What it is `made_of` tells it apart from others of its name.
        """
        steps = self.inside if REPETITION in own else self.before
        iterators = self._order(own.difference(self.found.steps) if REPETITION in own else own)
        shared = self.found.group.columns[0]
        origin = f"{name} {self.number}_{next(self.tables)}"
        if not iterators:
            steps.append(Bind(origin, value))
            return Named(origin, column=shared)
        lengths = {**self.found.steps, **self.found.loops}
        extents, at = tuple(lengths[one] for one in iterators), tuple(map(Size.of, iterators))
        key = self._key(name, made_of, iterators) if steps is self.before else None
        buffer = self.known.get(key) if key is not None else None
        if buffer is None:
            buffer = Buffer(f"{origin}.1", shared, extents)
            steps += [Allocate(buffer), filling(buffer, iterators, value, origin)]
            if key is not None:
                self.known[key] = buffer
        return Load(buffer, at, column=shared)

    def _key(self, name: str, made_of: Scalar, iterators: tuple[str, ...]) -> object | None:
        """What tables with the same elements have in common; None of one whose elements may become others."""
        buffers = [one.buffer for one in scalars_in(made_of) if isinstance(one, Load)]
        known = {buffer.name for buffer in self.known.values()}
        if not all(buffer.role == "input" or buffer.name in known for buffer in buffers):
            return None
        loops, pivot = {**self.found.steps, **self.found.loops}, self.found.pivot
        axes = {one: Size.of(f"axis {place}") for place, one in enumerate(iterators)}
        lengths = [loops[one] for one in (*iterators, pivot)]
        return name, signature(Rewriter({pivot: Size.of("pivot"), **axes}).scalar(made_of)), *lengths

    def _order(self, own: Iterators) -> tuple[str, ...]:
        """Iterators in the order of the axes along which terms are read by them."""
        terms = [term.scalar for kind in self.found.kinds for term in kind]
        reads = [one.indices for term in terms for one in scalars_in(term) if isinstance(one, Load)]
        orders = [tuple(name for index in at for name in index.names() if name in own) for at in reads]
        longest = max(orders, key=len, default=())
        every = (*self.found.steps, *self.found.loops)
        return (*longest, *(one for one in every if one in own and one not in longest))

    def _where_large(self, excess: Scalar, own: Iterators) -> Step:
        """What is computed as it was: the elements some of whose exponents were too large to be taken apart."""
        nest, loops = self.found.nest, self.found.loops
        (buffer, at), *_ = nest.targets
        everywhere = tuple(one for one in loops if one in own)
        folded = tuple(one for one in everywhere if one in self.found.group.iterators)
        test = self._small(self._most(excess, everywhere, -np.inf) if everywhere else excess)
        if folded == everywhere:
            return Branch(None, (test,), (), (nest,))
        here = self._small(self._most(excess, folded, -np.inf) if folded else excess)
        made = Load(buffer, at, column=buffer.column)
        value = Select(None, (here,), made, nest.values[0], column=nest.values[0].column)
        return Branch(None, (test,), (), (replace(nest, values=(value,)),))

    def _small(self, exponent: Scalar) -> Scalar:
        limit = ConstantScalar(LARGEST[self._storage], column=exponent.column)
        return Operation("le", (exponent, limit), column=TRUTH)

    def _sum(self, kind: tuple[_Term, ...]) -> Scalar:
        """The sum of a kind's terms, with the names that they use."""
        shared = self.found.group.columns[0]
        positive = [term.scalar for term in kind if not term.negative]
        start, rest = (positive[0], positive[1:]) if positive else (ConstantScalar(0.0, column=shared), [])
        total = reduce(lambda s, one: self._binary("add", s, one), rest, start)
        total = reduce(lambda s, one: self._binary("sub", s, one.scalar), (t for t in kind if t.negative), total)
        return within(self.found.bindings, total)

    def _binary(self, function: str, one: Scalar, two: Scalar) -> Scalar:
        return Operation(function, (one, two), column=self.found.group.columns[0])

    @property
    def _storage(self) -> str:
        return self.found.group.columns[0].storage
