"""Theorem Two, executable: a checked program at given sizes, written out in the five atomic computations.

The core is walked with concrete iterators.  Maps become a cell for each coordinate, folds nested lambdas (first
coordinate fastest, f(accumulated, element)), and whatever only moves elements moves terms.  Three things need care.

A condition on sizes is decided here.  A condition on data stays in the term, which holds both branches: numeric by
numeric it is a member of a join, `[b,a][1+c]`.  As a member of a join needs one side only, a branch that is not taken
may hold members out of range; and where its *sizes* do not fit (a slice that runs backwards), so that it has no terms
at all, it is written as a member of an empty ToL, which is as undefined and harms as little.

A coordinate from data is a coordinate of a member like any other, computed by lambdas.

A *length* from data decides how many terms there are.  Then the composition is one for given inputs, and `inputs` must
be passed: what decides is evaluated on them, by the same atoms.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from tolang.core.core import (
    Apply,
    Bundle,
    Call,
    Component,
    Convert,
    Coordinate,
    Core,
    Embed,
    Expr,
    If,
    Join,
    Let,
    Literal,
    Map,
    Measure,
    Part,
    Random,
    Range,
    Reduce,
    Require,
    Reshape,
    Swap,
    Tile,
    Variable,
)
from tolang.ground.reporting.diagnostics import Diagnostic, Span, ToLangRunError, ToLangUsageError
from tolang.ground.reporting.faults import check_shape
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.memory import refuse_beyond_memory
from tolang.ground.system.recursion import room_to_nest
from tolang.ground.values.spaces import Column, strong
from tolang.ground.values.values import ToL, allocate
from tolang.readings.atoms.building import LIMIT, Cells, Grid, Workshop, cells_of, filled, indices, term_at
from tolang.readings.atoms.evaluation import Evaluation
from tolang.readings.atoms.lengths import WHOLE, Lengths
from tolang.readings.atoms.terms import ConstantTerm, FunctionTerm, InputTerm, MemberTerm, NormTerm, Term
from tolang.readings.interpret.machine import LEAST_OF_NAN


def expand(
    program: Core,
    sizes: Mapping[str, int],
    inputs: Mapping[str, ToL] | None = None,
    limit: int = LIMIT,
    seed: int = 0,
) -> list[Term]:
    """The composition of atoms that each output of a program is, at given sizes.

    `inputs` are needed only by programs with lengths that depend on data.
    """
    return Expansion(program, sizes, inputs, limit, seed).outputs()


class Expansion:
    """One program being written out.  `read_data` tells whether the inputs decided how many terms there are."""

    def __init__(
        self,
        program: Core,
        sizes: Mapping[str, int],
        inputs: Mapping[str, ToL] | None = None,
        limit: int = LIMIT,
        seed: int = 0,
    ) -> None:
        self.program = program
        self.workshop = Workshop(limit)
        self.lengths = Lengths(self.workshop, self._leaf)
        self.evaluation = None if inputs is None else Evaluation(inputs, seed)
        self.read_data = False
        self.numbers: dict[str, int] = dict(sizes)
        self.values: dict[str, Grid] = {}
        self.late: dict[str, Expr] = {}
        self.measures: dict[str, Term] = {}
        self.steps = 0
        self._given: dict[str, InputTerm] = {}

    @room_to_nest()
    def outputs(self) -> list[Term]:
        """The terms of the outputs, in order."""
        for name in self.program.sizes:
            if name not in self.numbers:
                raise ToLangUsageError(Diagnostic("E517", f"the size {name} is not given", fix=f"pass {name}=…"))
        for one in self.program.inputs:
            self._declare(one.name, tuple(self.number(s) for s in one.type.shape), one.type.columns)
            for axis, length in enumerate(one.type.shape, 1):
                for name in self.program.sizes:
                    if length == Size.of(name) and name not in self.measures:
                        norm = self.workshop.keep(NormTerm(self._given[one.name]))
                        self.measures[name] = self.workshop.keep(MemberTerm(norm, (axis,)))
        terms = []
        for grid, output in zip(self.parts(self.program.body), self.program.outputs, strict=True):
            columns = [strong(c) for c in output.type.columns]
            terms.append(self.workshop.whole(self.workshop.in_columns(grid, columns), columns))
        return terms

    def _declare(self, name: str, shape: tuple[int, ...], columns: tuple[Column, ...]) -> None:
        """An input: the members of a leaf."""
        self.workshop.refuse(math.prod(check_shape(shape, name)) * len(columns))
        given: InputTerm = self.workshop.keep(InputTerm(name, shape, columns))
        self._given[name] = given
        lists = cells_of(shape, lambda here: self.workshop.keep(MemberTerm(given, here)) if here else given)
        self.values[name] = Grid(self._split(lists, len(columns)), given)

    def _split(self, lists: Cells, capacity: int) -> list[Cells]:
        """An array of lists as one array for each component."""
        if capacity == 1:
            return [lists]
        arrays = [np.empty(lists.shape, dtype=object) for _ in range(capacity)]
        for index in indices(lists.shape):
            for array, term in zip(arrays, self.workshop.components(term_at(lists, index)), strict=True):
                array[index] = term
        return arrays

    def _leaf(self, name: str) -> int | Term:
        """What a name in a size stands for; data that is not whole is floored."""
        if name in self.numbers:
            return self.numbers[name]
        term = self.values[name].numeric()
        if term.columns[0].space.family in ("Z", "B"):
            return term
        floored: Term = self.workshop.keep(FunctionTerm("floor", (term,)))
        read: Term = self.workshop.keep(MemberTerm(floored, (), (WHOLE,), checked=True))
        return read

    def known(self, term: Term, span: Span | None = None) -> Any:
        """The value of a numeric term on the inputs, which must be given."""
        if self.evaluation is None:
            raise ToLangUsageError(
                Diagnostic(
                    "E621",
                    "how many atomic computations this takes depends on data",
                    span,
                    fix="give the inputs, so that the program is written out for them",
                )
            )
        self.read_data = True
        return self.evaluation.value(term).item()

    def number(self, size: Size, span: Span | None = None) -> int:
        value = self.lengths.size(size)
        return int(self.known(value, span)) if isinstance(value, Term) else value

    def shape(self, lengths: Sequence[Size], span: Span | None) -> tuple[int, ...]:
        shape = tuple(self.number(one, span) for one in lengths)
        if any(abs(one) >= LEAST_OF_NAN for one in shape):
            raise _fault("E509", "a length is not a number", span, found="NaN")
        if any(one < 0 for one in shape):
            raise _fault("E509", "a length is below zero", span, found=str(min(shape)))
        return check_shape(shape)

    def coordinates(self, extents: Sequence[Size], span: Span | None) -> tuple[int, ...]:
        """The lengths that are walked, refused where that would be too much."""
        shape = self.shape(extents, span)
        self.workshop.refuse(math.prod(shape), span)
        return shape

    def parts(self, expr: Expr) -> list[Grid]:
        """The values of a bundle, or the one value of anything else.  Bindings are walked without recursion."""
        while True:
            self.steps += 1
            if self.steps > 10 * self.workshop.limit:
                self.workshop.refuse(self.steps)
            match expr:
                case Let(names=names, value=value, body=body, lengths=lengths):
                    self._bind(names, lengths, self.parts(value))
                    expr = body
                case Require(body=body):
                    self._require(expr)
                    expr = body
                case Call(sizes=sizes, arguments=arguments, body=body):
                    self._enter(sizes, arguments)
                    expr = body
                case Bundle(parts=parts):
                    return [self.value(one) for one in parts]
                case If():
                    return self._if(expr)
                case Reduce():
                    return self._reduce(expr)
                case _:
                    return [self._value(expr)]

    def value(self, expr: Expr) -> Grid:
        return self.parts(expr)[0]

    def _bind(self, names: Sequence[str], lengths: Sequence[tuple[str, int, int]], parts: list[Grid]) -> None:
        for name, part in zip(names, parts, strict=True):
            self.values[name] = part
        for name, position, axis in lengths:
            self.numbers[name] = parts[position].shape[axis]

    def _enter(self, sizes: Sequence[tuple[str, Size]], arguments: Sequence[tuple[str, Expr]]) -> None:
        """Binds the sizes and arguments of a call; a size that is a length of an input stays the norm of it.

        What is part of another ToL is read where it is used.
        """
        numbers = {name: self.number(size) for name, size in sizes}
        late = {name: one for name, one in arguments if isinstance(one, Part | Component) and one.type.shape}
        grids = {name: self.value(one) for name, one in arguments if name not in late}
        measures = {name: self.measures[str(size)] for name, size in sizes if str(size) in self.measures}
        for name in numbers:
            self.measures.pop(name, None)
        self.numbers.update(numbers)
        self.measures.update(measures)
        self.values.update(grids)
        self.late.update(late)

    def _require(self, expr: Require) -> None:
        held = self.lengths.condition(expr.condition)
        if isinstance(held, Term):
            held = self.evaluation is None or bool(self.known(held, expr.span))
        if not held:
            values = [f"{n} = {self.numbers[n]}" for n in sorted(expr.condition.names()) if n in self.numbers]
            raise _fault("E515", expr.message, expr.span, found=", ".join(values))

    def _value(self, expr: Expr) -> Grid:
        """An expression that is one value and opens no scope."""
        match expr:
            case Variable(name=name):
                if name in self.late:
                    self.values[name] = self.value(self.late[name])
                    del self.late[name]
                return self.values[name]
            case Literal(value=value):
                shape = self.shape(expr.type.shape, expr.span)
                refuse_beyond_memory(shape, 1)
                return Grid([filled(self._literal(value, c), shape) for c in expr.type.columns])
            case Measure(size=size):
                return self._single(self._measure(size, expr.type.column))
            case Apply(function=function, arguments=arguments):
                terms = tuple(self.value(one).numeric() for one in arguments)
                sources = tuple(one.type.column for one in arguments)
                return self._single(FunctionTerm(function, terms, expr.type.column, sources, span=expr.span))
            case Random(limit=limit, site=site, coordinates=coordinates):
                constants = (site, *(self.number(one) for one in coordinates))
                sources = (limit.type.column,)
                drawn = FunctionTerm(
                    "rand", (self.value(limit).numeric(),), expr.type.column, sources, constants, expr.span
                )
                return self._single(drawn)
            case Map():
                return self._map(expr)
            case Part(subject=subject):
                return self._part(expr, self.value(subject))
            case Component(subject=subject, position=position):
                return Grid([self.value(subject).spread(subject.type.capacity)[position - 1]])
            case Embed(parts=parts):
                return Grid([a for p in parts for a in self.value(p).spread(p.type.capacity)])
            case Join(parts=parts):
                return self._join(expr, [self.value(one) for one in parts])
            case Convert(subject=subject):
                return self._convert(expr, self.value(subject))
            case Reshape(subject=subject):
                arrays = self.value(subject).arrays
                shape = self.shape(expr.type.shape, expr.span)
                return Grid([self._reshaped(one, shape) for one in arrays])
            case Swap(subject=subject, order=order):
                return self._swap(expr, self.value(subject), self.value(order))
            case Tile(subject=subject):
                arrays = self.value(subject).arrays
                return Grid([one[..., k] for k in range(arrays[0].shape[-1]) for one in arrays])
        raise TypeError(f"{type(expr).__name__} is no core expression")

    def _single(self, term: Term) -> Grid:
        return Grid([filled(self.workshop.keep(term), ())])

    def _literal(self, value: Any, kind: Column) -> Term:
        return self.workshop.constant("" if kind.storage == "text" and not isinstance(value, str) else value, kind)

    def _measure(self, size: Size, kind: Column) -> Term:
        """A size as a numeric: a length of an input is read by norm, any other is a constant at given sizes."""
        if str(size) in self.measures:
            return self.measures[str(size)]
        value = self.lengths.size(size)
        return self.workshop.in_column(value, kind) if isinstance(value, Term) else self.workshop.constant(value, kind)

    def _map(self, expr: Map) -> Grid:
        extents = self.coordinates(expr.extents, expr.span)
        if 0 in extents:
            inner = tuple(max(0, self.number(one)) for one in expr.type.shape[len(extents) :])
            return Grid([np.empty(extents + inner, dtype=object) for _ in expr.type.columns])
        arrays: list[Cells] = []
        for index in indices(extents):
            self.numbers.update(zip(expr.iterators, (one + 1 for one in index), strict=True))
            body = self.workshop.in_columns(self.value(expr.body), expr.type.columns)
            if not arrays:
                self.workshop.refuse(math.prod(extents) * math.prod(body.shape), expr.span)
                arrays = [np.empty(extents + body.shape, dtype=object) for _ in body.arrays]
            for array, one in zip(arrays, body.arrays, strict=True):
                array[index] = one if one.ndim else one[()]
        return Grid(arrays)

    def _reduce(self, expr: Reduce) -> list[Grid]:
        """Steps one inside the other, the first coordinate fastest."""
        extents = self.coordinates(expr.extents, expr.span)
        kinds = [kind.columns for kind in expr.state_types]
        states = [self.workshop.in_columns(self.value(i), k) for i, k in zip(expr.initials, kinds, strict=True)]
        for position in itertools.product(*(range(1, length + 1) for length in reversed(extents))):
            self.numbers.update(zip(expr.iterators, reversed(position), strict=True))
            self._bind(expr.states, expr.lengths, states)
            stepped = self.parts(expr.step)
            states = [self.workshop.in_columns(s, k) for s, k in zip(stepped, kinds, strict=True)]
        return states

    def _part(self, expr: Part, subject: Grid) -> Grid:
        """A member or sub-ToL: of the terms themselves where the coordinates are known and inside, else by Π."""
        lengths = [self.number(one.length, expr.span) if isinstance(one, Range) else None for one in expr.items]
        for length, extent in zip(lengths, subject.shape, strict=True):
            if not 0 <= (length or 0) <= extent:
                raise _fault("E513", f"the range of {length} coordinates is outside", expr.span, found=f"{extent}")
        if 0 in lengths:
            shape = tuple(length for length in lengths if length is not None)
            return Grid([np.empty(shape, dtype=object) for _ in subject.arrays])
        starts: list[int | Term] = []
        for item in expr.items:
            self._compute_left_out(item)
            starts.append(self.lengths.size(item.index if isinstance(item, Coordinate) else item.start))
        if 0 in subject.shape and self.evaluation is not None:
            starts = [int(self.known(one, expr.span)) if isinstance(one, Term) else one for one in starts]
            self._refuse_outside(expr, starts, lengths, subject.shape)
        if all(_inside(*one) for one in zip(starts, lengths, subject.shape, strict=True)):
            where = tuple(
                s - 1 if n is None else slice(max(s, 1) - 1, max(s, 1) - 1 + n)
                for s, n in zip(starts, lengths, strict=True)
                if isinstance(s, int)
            )
            return Grid([_taken(one, where) for one in subject.arrays])
        return self._by_member(expr, subject, starts, lengths)

    def _compute_left_out(self, item: Coordinate | Range) -> None:
        """Computes what a coordinate is written with and does not depend on, as x in `0*x`: it may have no value."""
        if self.evaluation is None:
            return
        sizes = (item.index,) if isinstance(item, Coordinate) else (item.start, item.length)
        kept = frozenset[str]().union(*(size.names() for size in sizes))
        waiting = list(item.written)
        while waiting:
            one = waiting.pop()
            if isinstance(one, Apply):
                waiting += one.arguments
                continue
            known = isinstance(one, Literal | Measure) or (isinstance(one, Variable) and one.name in kept)
            if one.type.is_numeric and not known:
                self.evaluation.value(self.value(one).numeric())

    def _refuse_outside(
        self, expr: Part, starts: list[int | Term], lengths: list[int | None], extents: tuple[int, ...]
    ) -> None:
        """Refuses coordinates outside a ToL without elements, where no term would stand for what is read there."""
        for start, length, extent in zip(starts, lengths, extents, strict=True):
            if not _inside(start, length, extent):
                raise _fault(
                    "E513", f"coordinate {start} is outside a dimension of {extent}", expr.span, found=str(start)
                )

    def _by_member(self, expr: Part, subject: Grid, starts: list[int | Term], lengths: list[int | None]) -> Grid:
        """Each element as a member of the whole, at coordinates that are computed, or that are outside."""
        whole = self.workshop.whole(subject, expr.subject.type.columns)
        shape = tuple(one for one in lengths if one is not None)
        self.workshop.refuse(math.prod(shape), expr.span)

        def element(here: tuple[int, ...]) -> Term:
            steps = iter(here)
            offsets = [0 if length is None else next(steps) - 1 for length in lengths]
            coordinates = []
            for start, offset in zip(starts, offsets, strict=True):
                moved = self.lengths.apply("add", start, offset)
                coordinates.append(moved if isinstance(moved, Term) else int(moved))
            term: Term = self.workshop.keep(MemberTerm(whole, tuple(coordinates), span=expr.span))
            return term

        lists = cells_of(shape, element)
        return Grid(self._split(lists, len(subject.arrays)))

    def _join(self, expr: Join, parts: list[Grid]) -> Grid:
        rank, columns = expr.type.rank, expr.type.columns
        arrays: list[list[Cells]] = [[] for _ in columns]
        for part in parts:
            for column_arrays, one in zip(arrays, self.workshop.in_columns(part, columns).arrays, strict=True):
                column_arrays.append(one.reshape((1,) * rank) if one.ndim < rank else one)
        self.workshop.refuse(sum(one.size for one in arrays[0]), expr.span)
        return Grid([np.concatenate(one, axis=expr.axis) for one in arrays])

    def _convert(self, expr: Convert, subject: Grid) -> Grid:
        """Each list read in other spaces, held against them."""
        source, target = expr.subject.type.columns, expr.type.columns
        arrays = subject.spread(len(source))

        def read(term: Term, kinds: tuple[Column, ...]) -> Term:
            made: Term = self.workshop.keep(MemberTerm(term, (), kinds, checked=True, span=expr.span))
            return made

        if len(source) == len(target):
            pairs = zip(arrays, target, strict=True)
            return Grid([self.workshop.each(one, partial(read, kinds=(kind,))) for one, kind in pairs])
        lists = self.workshop.lists(arrays)
        return Grid(self._split(self.workshop.each(lists, lambda t: read(t, target)), len(target)))

    def _reshaped(self, array: Cells, shape: tuple[int, ...]) -> Cells:
        if not any(array.strides) and array.size:
            return filled(array.flat[0], shape)
        return array.reshape(shape)

    def _swap(self, expr: Swap, subject: Grid, order: Grid) -> Grid:
        """One axis rearranged; an order known now is held against being a permutation."""
        self.workshop.refuse(math.prod(subject.shape), expr.span)
        terms: list[Term] = list(order.arrays[0])
        positions = [_floored(one.value.item()) for one in terms if isinstance(one, ConstantTerm)]
        if len(positions) < len(terms):
            return self._rearranged(expr, subject, expr.axis, terms)
        if sorted(positions) != list(range(1, len(positions) + 1)):
            raise _fault("E514", "the order of swap is not a permutation", expr.span, found=str(positions))
        return Grid([np.take(one, [p - 1 for p in positions], axis=expr.axis) for one in subject.arrays])

    def _rearranged(self, expr: Swap, subject: Grid, axis: int, order: list[Term]) -> Grid:
        whole = self.workshop.whole(subject, expr.subject.type.columns)

        def element(here: tuple[int, ...]) -> Term:
            coordinates: list[int | Term] = [*here]
            coordinates[axis] = order[here[axis] - 1]
            term: Term = self.workshop.keep(MemberTerm(whole, tuple(coordinates), span=expr.span))
            return term

        return Grid(self._split(cells_of(subject.shape, element), len(subject.arrays)))

    def _if(self, expr: If) -> list[Grid]:
        """The branch that sizes decide on, or both in one term where data does.

        Where lengths differ, or there are no elements that terms could stand for, data decides now; so it does where a
        branch is wrong in a way that no term is.
        """
        kinds = [kind.columns for kind in expr.type.parts or (expr.type,)]
        truth: bool | Term
        truth = self.lengths.condition(expr.guard) if expr.guard is not None else self.value(expr.written[0]).numeric()
        if isinstance(truth, ConstantTerm):
            truth = bool(truth.value.item())
        if isinstance(truth, bool):
            taken = self.parts(expr.then if truth else expr.otherwise)
            return [self.workshop.in_columns(one, k) for one, k in zip(taken, kinds, strict=True)]
        branches = [self._attempt(one) for one in (expr.then, expr.otherwise)]
        then, otherwise = (one if isinstance(one, list) else None for one in branches)
        shapes = [one.shape for one in then or otherwise or ()]
        apart = any(0 in shape for shape in shapes) or any(map(_is_beyond_terms, branches)) or not (then or otherwise)
        differ = then and otherwise and any(a.shape != b.shape for a, b in zip(then, otherwise, strict=True))
        if differ or (apart and self.evaluation is not None):
            chosen = branches[0 if self.known(truth, expr.span) else 1]
            if isinstance(chosen, ToLangRunError):
                raise chosen
            return [self.workshop.in_columns(one, k) for one, k in zip(chosen, kinds, strict=True)]
        if isinstance(branches[0], ToLangRunError) and isinstance(branches[1], ToLangRunError):
            raise branches[0]
        then = then or [self._undefined(s, k, expr.span) for s, k in zip(shapes, kinds, strict=True)]
        otherwise = otherwise or [self._undefined(s, k, expr.span) for s, k in zip(shapes, kinds, strict=True)]
        return [self._chosen(truth, a, b, k) for a, b, k in zip(then, otherwise, kinds, strict=True)]

    def _attempt(self, branch: Expr) -> list[Grid] | ToLangRunError:
        """A branch, or why it has no terms."""
        try:
            return self.parts(branch)
        except ToLangRunError as error:
            return error

    def _undefined(self, shape: tuple[int, ...], columns: Sequence[Column], span: Span | None) -> Grid:
        """A branch that has no terms: a member of an empty ToL everywhere."""
        arrays = []
        for c in columns:
            empty = self.workshop.keep(ConstantTerm(ToL([allocate((0,), c.storage)], [c])))
            arrays.append(filled(self.workshop.keep(MemberTerm(empty, (1,), span=span)), shape))
        return Grid(arrays)

    def _chosen(self, truth: Term, then: Grid, otherwise: Grid, columns: Sequence[Column]) -> Grid:
        """Every numeric as a member of the join of what both branches have there."""
        arrays = []
        sides = zip(then.spread(len(columns)), otherwise.spread(len(columns)), columns, strict=True)
        position: Term | None = None
        for one, two, kind in sides:
            array = np.empty(one.shape, dtype=object)
            for index in indices(one.shape):
                if one[index] is two[index]:
                    array[index] = one[index]
                    continue
                position = position or self.lengths.position(truth)
                array[index] = self.lengths.choose(position, term_at(two, index), term_at(one, index), kind)
            arrays.append(array)
        return Grid(arrays)


def _is_beyond_terms(branch: list[Grid] | ToLangRunError) -> bool:
    """Whether a branch has no terms for another reason than a coordinate outside, which a term can be."""
    return isinstance(branch, ToLangRunError) and branch.code != "E513"


def _taken(array: Cells, where: tuple[int | slice, ...]) -> Cells:
    """A sub-array; a single term stays an array without dimensions."""
    taken: Any = array[where]
    return taken if isinstance(taken, np.ndarray) else filled(taken, ())


def _floored(value: Any) -> int:
    """A constant as a coordinate; 0, which is none, where it is no number."""
    return int(value // 1) if math.isfinite(value) else 0


def _inside(start: int | Term, length: int | None, extent: int) -> bool:
    """Whether a coordinate, or a stretch of them, is known and inside a dimension."""
    if not isinstance(start, int):
        return False
    return length == 0 or 1 <= start <= start + (1 if length is None else length) - 1 <= extent


def _fault(code: str, message: str, span: Span | None, found: str) -> ToLangRunError:
    return ToLangRunError(Diagnostic(code, message, span, found))
