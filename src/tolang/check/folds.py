"""`reduce`: a fold over the elements, whose state may be a numeric, a list, a ToL that grows, or a bundle.

The state's type is found by trying: the step is checked with the initial value's type; where its result differs in
spaces the types are joined and it is checked again; where it differs in one length, that length becomes a name
and the step is checked once more, which shows whether it grows by the same amount each step, or by a choice.
"""

from __future__ import annotations

from tolang.check.checking import Checking, need
from tolang.check.frames import Binding, Frame, Length
from tolang.check.indexing import member
from tolang.check.maps import (
    bind_names,
    form_arguments,
    fresh_iterators,
    iterator_value,
    refuse_function,
    takes_coordinates,
)
from tolang.check.misfits import refuse_misfit
from tolang.check.values import (
    FUNCTIONS,
    Basic,
    BundleValue,
    Closure,
    Function,
    Poisoned,
    Problem,
    ScalarValue,
    Scope,
    Tensor,
    Value,
    Vector,
    measure,
    to_expr,
    whole,
)
from tolang.core.core import Bundle, Embed, Expr, Reduce, Variable
from tolang.core.types import Type, bundle_type, join_type_lists
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.functions import REORDERABLE
from tolang.syntax import tree

ATTEMPTS = 8
DEEPEST_CHOICE = 16
Place = tuple[int, int]
"""A length of the state: which part of it, which axis."""


def reduce_form(checking: Checking, node: tree.CallExpression, scope: Scope) -> Value:
    """`reduce(t, f, init, names)`."""
    usage = "reduce(t, f, init) or reduce(t, f, init, names)"
    (subject_node, function_node, initial_node), names = form_arguments(node, "reduce", 3, usage)
    evaluated = [checking.evaluate(n, scope) for n in (subject_node, initial_node)]
    subject, initial = need(evaluated[0]), need(evaluated[1])
    refuse_function(subject, subject_node, "reduce(t, f, init)")
    if isinstance(subject, Vector) and not _begins_blank(subject, initial, node.span):
        return _over_vector(checking, subject, function_node, initial, names, scope)
    expr = checking.atom(to_expr(subject, node.span))
    if not expr.type.shape:
        element: Value = subject if isinstance(subject, ScalarValue) else Tensor(expr)
        function = _function(checking, function_node, names, (), scope)
        return _step(checking, function, initial, element, (), function_node.span)
    return Fold(checking, expr, function_node, initial, names, scope, node.span).result()


def _function(
    checking: Checking,
    node: tree.Expression,
    names: tree.Expression | None,
    coordinates: tuple[ScalarValue, ...],
    scope: Scope,
) -> Function:
    inner = scope.child(checking.frame)
    bind_names(inner, names, coordinates)
    value = checking.value(node, inner)
    if not isinstance(value, FUNCTIONS):
        raise Problem("E209", "the second argument of reduce must be a function", node.span,
                      fix="write (s, x) -> … with s the state and x the element")  # fmt: skip
    return value


def _step(
    checking: Checking,
    function: Function,
    state: Value,
    element: Value,
    coordinates: tuple[ScalarValue, ...],
    span: Span,
) -> Value:
    arguments = [state, element]
    if takes_coordinates(function, 2):
        arguments.append(iterator_value(coordinates))
    return need(checking.call(function, arguments, span))


def _begins_blank(subject: Vector, initial: Value, span: Span) -> bool:
    """Whether a fold over text begins with a vector of nothing, which takes the space of text when it is typed."""
    return (
        isinstance(initial, Vector | Tensor)
        and to_expr(initial, span).type.blank
        and any(to_expr(item, span).type.column.storage == "text" for item in subject.items)
    )


def _over_vector(
    checking: Checking,
    subject: Vector,
    function_node: tree.Expression,
    initial: Value,
    names: tree.Expression | None,
    scope: Scope,
) -> Value:
    """A fold over a vector of scalars, step by step while checking."""
    state = initial
    for position, item in enumerate(subject.items, 1):
        checking.spend(function_node.span)
        here = (whole(position),)
        with checking.at(position):
            function = _function(checking, function_node, names, here, scope)
            state = _step(checking, function, state, item, here, function_node.span)
    return state


@dataclass(slots=True)
class Trial:
    """One check of the step with assumed state types."""

    frame: Frame
    states: tuple[str, ...]
    parts: tuple[Expr, ...]
    function: Function


class Fold:
    """One fold over a ToL, being typed."""

    def __init__(
        self,
        checking: Checking,
        subject: Expr,
        function: tree.Expression,
        initial: Value,
        names: tree.Expression | None,
        scope: Scope,
        span: Span,
    ) -> None:
        self.checking, self.subject, self.function_node = checking, subject, function
        self.names, self.scope, self.span = names, scope, span
        values = initial.items if isinstance(initial, BundleValue) else (initial,)
        self.is_bundle = isinstance(initial, BundleValue)
        self.given = tuple(values)
        self.initials = tuple(checking.atom(to_expr(v, span), "init") for v in values)
        self.extents = subject.type.shape
        self.iterators = fresh_iterators(checking, names, self.extents)
        self.coordinates = tuple(measure(Size.of(i), span) for i in self.iterators)
        self.types = tuple(i.type for i in self.initials)
        self.growing: dict[Place, str] = {}
        self.steady: dict[Place, Size] = {}

    def result(self) -> Value:
        """Types the state, then builds the fold."""
        for _ in range(ATTEMPTS):
            reported = len(self.checking.problems)
            trial = self._try()
            if trial is None:
                if self._guess_blank() or self._guess_growing():
                    self.checking.forget(reported)
                    continue
                raise Poisoned
            changed = self._learn(trial)
            if not changed:
                return self._finish(trial)
            self.checking.forget(reported)
        raise Problem("E308", "the state of this fold never settles on one type", self.function_node.span)

    def _try(self) -> Trial | None:
        checking = self.checking
        states = tuple(checking.fresh("s") for _ in self.types)
        variables = [Tensor(Variable(n, type=t)) for n, t in zip(states, self.types, strict=True)]
        with checking.inside(checking.new_frame(*self.iterators)) as frame:
            try:
                element = member(checking, Tensor(self.subject), list(self.coordinates), self.span)
                function = _function(
                    checking, self.function_node, self.names, self.coordinates, self.scope.child(frame)
                )
                state: Value = BundleValue(tuple(variables)) if self.is_bundle else variables[0]
                stepped = _step(checking, function, state, element, self.coordinates, self.function_node.span)
                values = stepped.items if isinstance(stepped, BundleValue) else (stepped,)
                if len(values) != len(self.types):
                    raise Problem("E308", "the step must give a state like its own", self.function_node.span,
                                  found=f"{len(values)} part(s)", expected=f"{len(self.types)}")  # fmt: skip
                parts = tuple(to_expr(v, self.function_node.span) for v in values)
            except Problem as problem:
                checking.report(problem.diagnostic)
                return None
            except Poisoned:
                return None
        return Trial(frame, states, parts, function)

    def _guess_blank(self) -> bool:
        """An empty start takes the elements' type list where its own zeros do not fit."""
        element = self.subject.type.columns
        blank = [t.blank and t.columns != element for t in self.types]
        if not any(blank):
            return False
        self.types = tuple(
            replace(t, columns=element, blank=False) if b else t for t, b in zip(self.types, blank, strict=True)
        )
        return True

    def _guess_growing(self) -> bool:
        """A state that starts empty may grow: what reads it is then no error at its first length."""
        if self.growing:
            return False
        for part, state in enumerate(self.types):
            axis = next((a for a, length in enumerate(state.shape) if length.constant is not None), None)
            if axis is not None:
                name = self.checking.fresh_length("length", state.shape[axis], None)
                self.growing[part, axis] = name
                shape = (*state.shape[:axis], Size.of(name), *state.shape[axis + 1 :])
                self.types = (*self.types[:part], replace(state, shape=shape), *self.types[part + 1 :])
        return bool(self.growing)

    def _learn(self, trial: Trial) -> bool:
        """Joins what the step gives with what was assumed; whether anything changed."""
        changed = False
        types = []
        for part, (assumed, given) in enumerate(zip(self.types, (p.type for p in trial.parts), strict=True)):
            if assumed.rank != given.rank:
                raise Problem("E308", "the state of a fold keeps its rank", self.function_node.span,
                              found=str(given), expected=str(assumed),
                              fix="begin with a state of that rank: tol[0] is a vector that may grow")  # fmt: skip
            assumed = self._extended(part, assumed, given)
            columns = join_type_lists(assumed, given)
            if columns is None:
                raise Problem("E401", "the step's result does not fit the state", self.function_node.span,
                              found=str(given), expected=str(assumed))  # fmt: skip
            changed |= assumed.capacity != self.types[part].capacity
            blank = assumed.blank and given.blank
            changed |= columns != assumed.columns or blank != assumed.blank
            shape = list(assumed.shape)
            for axis in range(assumed.rank):
                length = self._learn_length(trial, (part, axis), assumed.shape[axis], given.shape[axis])
                changed |= length != shape[axis]
                shape[axis] = length
            types.append(Type(tuple(shape), columns, blank))
        self.types = tuple(types)
        return changed

    def _extended(self, part: int, assumed: Type, given: Type) -> Type:
        """A numeric that starts a fold of lists extends to a list, as it does in arithmetic."""
        if not assumed.is_numeric or given.shape or given.capacity == 1:
            return assumed
        initial = self.initials[part]
        extended = Type((), assumed.columns * given.capacity)
        lists = Embed((initial,) * given.capacity, type=extended, span=initial.span)
        self.initials = (*self.initials[:part], self.checking.atom(lists, "init"), *self.initials[part + 1 :])
        return extended

    def _learn_length(self, trial: Trial, place: Place, assumed: Size, given: Size) -> Size:
        if place in self.steady or (given == assumed and place not in self.growing):
            return assumed
        if place not in self.growing:
            initial = self.initials[place[0]].type.shape[place[1]]
            if any(p[0] == place[0] for p in self.growing):
                raise Problem("E309", "one length of a fold's state may change, not two", self.function_node.span)
            self.growing[place] = self.checking.fresh_length("length", initial, None)
            return Size.of(self.growing[place])
        growth = given - assumed
        inner = trial.frame.bound() | set(self.iterators) | {self.growing[place]}
        initial = self.initials[place[0]].type.shape[place[1]]
        if not growth.names() & inner:
            self.steady[place] = growth
            return initial + growth * (self._position() - 1)
        greatest = self._greatest(given)
        if greatest is None or (greatest - assumed).names() & inner:
            raise Problem("E309", "the length of a fold's state must grow by the same amount each step, or by a choice",
                          self.function_node.span, found=f"from {assumed} to {given}")  # fmt: skip
        bound = initial + (greatest - assumed) * self.subject.type.volume()
        self.checking.ranges.declare(self.growing[place], initial, bound)
        return assumed

    def _greatest(self, length: Size) -> Size | None:
        """The upper end of a length that branches decide, one inside the other as they may be."""
        kept = {*self.iterators, *self.growing.values()}
        for _ in range(DEEPEST_CHOICE):
            ends = {name: self.checking.ranges.ranges.get(name, (None, None))[1] for name in length.names() - kept}
            known = {name: end for name, end in ends.items() if end is not None}
            if not known:
                break
            length = length.substitute(known)
        return length

    def _position(self) -> Size:
        """The number of this step, from 1, in terms of the iterators."""
        position, stride = ONE, ONE
        for iterator, extent in zip(self.iterators, self.extents, strict=True):
            position = position + (Size.of(iterator) - 1) * stride
            stride = stride * extent
        return position

    def _finish(self, trial: Trial) -> Value:
        checking = self.checking
        total = self.subject.type.volume()
        final, inner_lengths, outer_lengths = [], [], []
        for part, state in enumerate(self.types):
            shape = list(state.shape)
            for axis in range(state.rank):
                place = (part, axis)
                initial = self.initials[part].type.shape[axis]
                if place in self.steady:
                    shape[axis] = initial + self.steady[place] * total
                elif place in self.growing:
                    name = self.growing[place]
                    inner_lengths.append((name, part, axis))
                    outer = checking.fresh_length("length", *checking.ranges.ranges[name])
                    outer_lengths.append((outer, part, axis))
                    shape[axis] = Size.of(outer)
            final.append(replace(state, shape=tuple(shape)))
        for value, kind in zip((*self.given, *map(Tensor, trial.parts)), self.types * 2, strict=True):
            refuse_misfit(value, kind.columns, self.span)
        step_parts = tuple(trial.parts)
        single = len(step_parts) == 1 and not self.is_bundle
        step = step_parts[0] if single else Bundle(step_parts, type=bundle_type(p.type for p in step_parts))
        reduced = Reduce(
            self.iterators, self.extents, trial.states, self.initials, self.types, trial.frame.wrap(step),
            tuple(inner_lengths), _reorderable(trial.function),
            type=final[0] if single else bundle_type(final), span=self.span,
        )  # fmt: skip
        return self._emitted(reduced, tuple(final), tuple(outer_lengths), single)

    def _emitted(self, reduced: Reduce, final: tuple[Type, ...], lengths: tuple[Length, ...], single: bool) -> Value:
        if single and not lengths:
            return Tensor(reduced)
        names = tuple(self.checking.fresh("r") for _ in final)
        self.checking.frame.bindings.append(Binding(names, reduced, lengths))
        variables = tuple(Tensor(Variable(n, type=t, span=self.span)) for n, t in zip(names, final, strict=True))
        return variables[0] if single else BundleValue(variables)


def _reorderable(function: Function) -> bool:
    """Whether the user or the table of functions says that the combine is associative."""
    match function:
        case Basic(name=name):
            return name in REORDERABLE
        case Closure(definition=tree.Definition(associative=True)):
            return True
    return False
