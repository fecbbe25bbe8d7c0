"""Instances: one checked body for all calls of a definition with equal static arguments, ranks and spaces.

A call on whole ToLs is checked with sizes of its own, one for each different length of its arguments, and the
result is kept under a key of everything that could make it come out differently.  A model of a thousand
nodes has some dozens of instances; cost, explanation and compiled code attach to them.  Where a body cannot stand
alone (it reads a program's value, draws random numbers, needs a length to be a known number) the call is
written out in its place instead.  So it is where an argument is a numeric that may not be there, `f(t[k])`: it is read
where the body uses it, perhaps in coordinates, which only name numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tolang.check.checking import ActiveCall, Checking
from tolang.check.forms import converted_index, refuse_shape
from tolang.check.frames import Binding, Frame
from tolang.check.given_numbers import (
    GivenNumber,
    Watch,
    Watched,
    is_typed_number,
    literal_at,
    number_key,
    plain,
    watched,
)
from tolang.check.indexing import is_surely_there
from tolang.check.patterns import named
from tolang.check.values import (
    Basic,
    BundleValue,
    Closure,
    Poisoned,
    Problem,
    Ratio,
    ScalarValue,
    Scope,
    Tensor,
    Value,
    Vector,
    instance_of,
    is_atomic,
    measure,
    to_expr,
    weak_numeric,
)
from tolang.core.core import Bundle, Call, Expr, If, Literal, Measure, Random, Require, Variable
from tolang.core.rebuild import rebuild
from tolang.core.tidy import free_names, own_children, tidy
from tolang.core.types import Type, bundle_type
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Diagnostic, Note, Span
from tolang.ground.symbolic.conditions import Condition, junction, negation
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.syntax import tree

Form = tuple[tree.Definition | None, tuple[tree.Definition | None, ...], tuple[tuple[str, object], ...]]
"""What calls of one instance have in common, but for numbers with types of their own."""
NUMBER = weak_numeric("N")
"""What a length is as a number."""
LARGEST_LEFT = 8
"""Of numbers up to this it does not matter whether they are a length, too."""
MOST_ASKED = 100
"""Of what a body asks of its sizes, a call is held against so much at once; running sees to the rest."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A checked body, the names of its sizes and parameters, which of them it uses, and whether it gives a bundle."""

    sizes: tuple[str, ...]
    parameters: tuple[str, ...]
    body: Expr
    is_bundle: bool
    requirements: tuple[Require, ...] = ()
    used: frozenset[str] = frozenset()
    form: Form | None = None
    """What it is an instance of with numbers that a call gave which is checked itself, and these."""
    numbers: tuple[ScalarValue, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class InstanceTemplate:
    """An instance with the numbers that calls give in their places, and what was asked about those."""

    instance: Instance | None
    watch: Watch
    numbers: tuple[tuple[str, str], ...]
    """Those of the call that it was made for, by their keys; none where marks cannot be replaced."""

    def fits(self, numbers: tuple[ScalarValue, ...]) -> bool:
        """Whether the instance for some numbers is the same with these in their places."""
        if tuple(map(number_key, numbers)) == self.numbers:
            return True
        return not self.watch.asked and all(
            (converted_index(plain(numbers[place]), goal) is not None) == held for place, goal, held in self.watch.goals
        )


class Abstraction:
    """The arguments of one call, with their lengths replaced by sizes of the instance's own."""

    def __init__(self, checking: Checking) -> None:
        self.checking = checking
        self.names: dict[Size, str] = {}
        self.numbers: dict[str, ScalarValue] = {}
        """The numbers among the arguments that have types of their own."""

    def size(self, size: Size) -> Size:
        number = size.constant
        if number in (0, 1):
            return size
        if size not in self.names:
            self.names[size] = f"#{len(self.names)}"
        return Size.of(self.names[size])

    def _is_passed(self, expr: Expr) -> bool:
        """Whether an argument may be passed: it is there before the call, and reading a numeric cannot go wrong."""
        there = not expr.type.parts and is_atomic(expr)
        return there and (bool(expr.type.shape) or is_surely_there(self.checking, expr))

    def number(self, name: str, value: Value) -> object | None:
        """What a number with a type of its own is, but for its value; None for other arguments."""
        if not is_typed_number(value):
            return None
        assert isinstance(value, ScalarValue)
        self.numbers[name] = value
        return ("number", number_key(value)[0], value.expr.type.column)

    def key(self, value: Value) -> object | None:
        """What an argument is, up to the values of its lengths; None where it has to be seen in place."""
        match value:
            case Tensor(expr=expr) if self._is_passed(expr):
                shape = tuple(self.size(s) for s in expr.type.shape)
                return ("tol", shape, expr.type.columns, tuple(c.name for c in expr.type.columns), expr.type.blank)
            case ScalarValue(expr=Literal(value=literal), constant=constant) if constant is not None:
                return ("literal", type(literal).__name__, repr(literal), value.expr.type.column)
            case ScalarValue(index=Ratio(numerator=size, denominator=bottom)) if (
                bottom == ONE and size.denominator == 1
            ):
                own = self.size(size) if size.constant is None or isinstance(value.expr, Measure) else size
                return ("size", own, isinstance(value.expr, Measure), value.expr.type.column)
            case Vector(items=items):
                keys = tuple(self.key(item) for item in items)
                return None if None in keys else ("vector", keys)
            case Basic(name=name):
                return ("basic", name)
            case Closure(definition=definition) if definition is not None and value.scope.parent_is_module():
                return ("closure", definition)
        return None


def shared_call(checking: Checking, closure: Closure, bound: dict[str, Value], span: Span | None) -> Value | None:
    """The call by way of an instance; None where it has to be written out."""
    if checking.frame.iterators or checking.frame.conditional or not closure.scope.parent_is_module():
        return None
    if not any(isinstance(value, Tensor) for value in bound.values()):
        return None
    bound = {name: value if isinstance(value, Watched) else plain(value) for name, value in bound.items()}
    measured = _measured(bound)
    found = None if measured is None else _by_instance(checking, closure, measured, span)
    return found or _by_instance(checking, closure, bound, span)


def _measured(bound: dict[str, Value]) -> dict[str, Value] | None:
    """Arguments with numbers that are the length of another one as such; None where there are none.

    A convolution in as many groups as there are channels is the same then for any channels.  Definitions count with
    small numbers, as with axes: these are left.
    """
    lengths = {length for one in bound.values() if isinstance(one, Tensor) for length in one.type.shape}
    found: dict[str, Value] = {}
    for name, value in bound.items():
        match value:
            case Watched():
                continue  # whatever is asked of its number is noted
            case ScalarValue(expr=Literal(type=kind, span=span), constant=int() as number) if (
                number > LARGEST_LEFT and kind == NUMBER and (length := Size.of(number)) in lengths
            ):
                found[name] = ScalarValue(Measure(length, type=kind, span=span), Ratio(length))
    return {**bound, **found} if found else None


def _by_instance(checking: Checking, closure: Closure, bound: dict[str, Value], span: Span | None) -> Value | None:
    """The call by way of an instance for arguments that are told apart as they stand; None where there is none."""
    abstraction = Abstraction(checking)
    keys: list[tuple[str, object]] = []
    for name, value in bound.items():
        told = abstraction.number(name, value) or abstraction.key(value)
        if told is None:
            return None
        keys.append((name, told))
    form = (closure.definition, checking.deriving, tuple(keys))
    numbers = tuple(abstraction.numbers.values())
    if checking.templates.get(form) is None and numbers:
        checking.templates[form] = _template(checking, closure, bound, abstraction)

    def instantiated() -> Instance | None:
        return _instantiated(checking, closure, {name: plain(value) for name, value in bound.items()}, abstraction)

    instance = _with_numbers(checking, form, numbers, instantiated)
    return None if instance is None else _called(checking, closure.name, instance, bound, abstraction, span)


def _template(
    checking: Checking, closure: Closure, bound: dict[str, Value], abstraction: Abstraction
) -> InstanceTemplate:
    """The instance of a call with marks in the places of its numbers."""
    watch = Watch()
    marked = {name: watched(one, place, watch) for place, (name, one) in enumerate(abstraction.numbers.items())}
    instance = _instantiated(checking, closure, {**bound, **marked}, abstraction)
    derived = instance is not None and any(
        isinstance(one, Call) and one.derivative is not None for one in _everything(instance.body)
    )
    watch.asked |= derived  # numbers may be in a derivative, too, which is not gone through
    return InstanceTemplate(instance, watch, () if derived else tuple(map(number_key, abstraction.numbers.values())))


def _with_numbers(
    checking: Checking, form: Form, numbers: tuple[ScalarValue, ...], instantiated: Callable[[], Instance | None]
) -> Instance | None:
    """The instance of a form with some numbers in it, made where there is none yet."""
    outer = [one for one in numbers if isinstance(one, Watched)]
    key = (*form, tuple(map(number_key, numbers)))
    if key in checking.instances and not outer:
        found = checking.instances[key]
        return found if isinstance(found, Instance) else None
    template = checking.templates.get(form)
    fitting = template if isinstance(template, InstanceTemplate) and template.fits(numbers) else None
    for one in outer:
        one.watch.asked |= fitting is None or fitting.watch.asked
    if fitting is None:
        made = instantiated()
    else:
        for place, goal, held in fitting.watch.goals:
            given = numbers[place]
            if isinstance(given, Watched):
                given.note(goal, held)
        made = fitting.instance and _filled(checking, form, fitting.instance, numbers)
    if not outer:
        checking.instances[key] = made
    return made


def _filled(checking: Checking, form: Form, instance: Instance, numbers: tuple[ScalarValue, ...]) -> Instance:
    """An instance with numbers in their places, in those of what it calls among them."""

    def visit(expr: Expr) -> Expr:
        if isinstance(expr, GivenNumber):
            return literal_at(expr, numbers)
        if isinstance(expr, Call) and expr.shared:
            inner = checking.instances.get(_of_body(expr.body))
            arguments = tuple((name, visit(value)) for name, value in expr.arguments)
            if not isinstance(inner, Instance) or inner.form is None:
                return replace(expr, arguments=arguments)
            own = tuple(_number_at(one, numbers) for one in inner.numbers)
            made = _with_numbers(checking, inner.form, own, _never)
            assert made is not None
            return replace(expr, arguments=arguments, body=made.body)
        return rebuild(expr, visit)

    body = visit(instance.body)
    marked = any(isinstance(one, Watched) for one in numbers)
    made = replace(instance, body=body, form=form if marked else None, numbers=numbers if marked else ())
    checking.instances[_of_body(body)] = made
    return made


def _number_at(one: ScalarValue, numbers: tuple[ScalarValue, ...]) -> ScalarValue:
    """The number in place of one that was watched, in the space that this was converted to."""
    if not isinstance(one, Watched):
        return one
    own, kind = numbers[one.place], one.expr.type
    if own.expr.type == kind:
        return own
    index = converted_index(plain(own), kind.column)
    assert index is not None
    return own.converted(kind, index) if isinstance(own, Watched) else ScalarValue(replace(own.expr, type=kind), index)


def _never() -> Instance | None:
    raise AssertionError("what is inside a template was made from one")


def _instantiated(
    checking: Checking, closure: Closure, bound: dict[str, Value], abstraction: Abstraction
) -> Instance | None:
    """Checks the body with sizes of its own."""
    own = {size: checking.fresh(_base(size)) for size in abstraction.names}
    for name in own.values():
        checking.ranges.declare(name, ZERO, None)
    parameters: list[str] = []
    frame = Frame()
    scope = Scope(closure.scope, frame, star=None, module=closure.scope.module)
    inside = {name: parameter(checking, name, value, own, parameters) for name, value in bound.items()}
    reported = len(checking.problems)
    checking.calls.append(ActiveCall(instance_of(closure, bound), closure.name, None, shared=True))
    try:
        with checking.inside(frame):
            scope.names.update(named(closure.parameters, inside))
            result = checking.value(closure.body, scope)
        body = _finished(frame, result)
    except (Problem, Poisoned):
        body = None
    finally:
        checking.calls.pop()
    checking.forget(reported)
    sizes = tuple(own.values())
    everything = [] if body is None else _everything(body)
    if body is None or _lengths_of(body.type) & set(parameters) or any(isinstance(one, Random) for one in everything):
        return None  # random numbers depend on the path of calls
    used = frozenset(free_names(body))
    if not used <= {*sizes, *parameters}:
        return None  # it reads a program's value
    asks = any(isinstance(one, Require) or (isinstance(one, Call) and one.shared) for one in everything)
    requirements = _requirements(checking, body, set(sizes)) if asks else ()
    made = Instance(sizes, tuple(parameters), body, bool(body.type.parts), requirements, used)
    checking.instances[_of_body(body)] = made
    return made


def of_library(instances: Mapping[object, object]) -> dict[object, object]:
    """The instances that hold in every program: those of the library's definitions, given nothing of a program's."""
    kept = {key: made for key, made in instances.items() if isinstance(made, Instance) and _is_of_library(key)}
    return {**kept, **{_of_body(made.body): made for made in kept.values()}}


def _is_of_library(key: object) -> bool:
    match key:
        case (tree.Definition() as definition, deriving, keys, _):
            found = [definition, *_definitions_in(deriving), *_definitions_in(keys)]
            return all(one.span.source.library for one in found)
    return False


def _definitions_in(key: object) -> Iterator[tree.Definition]:
    if isinstance(key, tree.Definition):
        yield key
    elif isinstance(key, tuple):
        for part in key:
            yield from _definitions_in(part)


def _requirements(checking: Checking, body: Expr, sizes: set[str]) -> tuple[Require, ...]:
    """What a body asks of its sizes alone, itself or by what it calls, which a call can be held against at once."""
    found: dict[Condition, Require] = {}
    for asked in _asked(checking, body):
        if asked.condition.constant is None and asked.condition.names() <= sizes and len(found) < MOST_ASKED:
            found.setdefault(asked.condition, asked)
    return tuple(found.values())


def _asked(checking: Checking, expr: Expr) -> Iterator[Require]:
    """What an expression asks of sizes; a branch only asks where it is taken."""
    match expr:
        case Require():
            yield expr
        case Call(shared=True, sizes=sizes, body=body):
            inner = checking.instances.get(_of_body(body))
            for asked in inner.requirements if isinstance(inner, Instance) else ():
                told = Diagnostic("E301", asked.message).in_words_of(dict(sizes)).message
                yield replace(asked, condition=asked.condition.substitute(dict(sizes)), message=told)
        case If(guard=guard) if guard is not None:
            for spared, branch in ((negation(guard), expr.then), (guard, expr.otherwise)):
                for asked in _asked(checking, branch):
                    yield replace(asked, condition=junction("or", [spared, asked.condition]))
            return
    for child in own_children(expr):
        yield from _asked(checking, child)


def _refused(asked: Require, outer: dict[str, Size], call: Note) -> Problem:
    """What a body asks of its sizes does not hold for those of a call, which the call's own words tell."""
    told = Diagnostic("E301", asked.message, asked.span).in_words_of(outer)
    return Problem(told.code, told.message, told.span, notes=(call,))


def _of_body(body: Expr) -> tuple[str, int]:
    """What an instance is found by from calls that share its body."""
    return "body", id(body)


def _lengths_of(one: Type) -> set[str]:
    """Names in the lengths of a result; one that is a parameter would leave the call it belongs to."""
    return set().union(*(s.names() for part in one.parts or (one,) for s in part.shape))


def _base(size: Size) -> str:
    """A readable base for the name of an instance's size: the caller's own, where it is a name."""
    names = sorted(size.names())
    return names[0] if len(names) == 1 and size == Size.of(names[0]) else "size"


def parameter(checking: Checking, name: str, value: Value, own: dict[Size, str], parameters: list[str]) -> Value:
    """What a parameter is inside the instance: its own variable, its own sizes, or the constant itself."""

    def inner(size: Size) -> Size:
        return Size.of(own[size]) if size in own else size

    def known(size: Size) -> Size:
        return inner(size) if size.constant is None else size

    match value:
        case Tensor(expr=expr):
            fresh = checking.fresh(name)
            parameters.append(fresh)
            kind = expr.type.with_shape(tuple(inner(s) for s in expr.type.shape))
            if kind.is_numeric and kind.column.space.family in ("Z", "B"):
                low, high = kind.column.space.limits
                ends = [Size.of(int(b)) if b is not None else None for b in (low, high)]
                checking.ranges.declare(fresh, ends[0], ends[1])
            return Tensor(Variable(fresh, type=kind, span=expr.span))
        case ScalarValue(expr=Literal()):
            return value
        case ScalarValue(expr=Measure(span=span), index=Ratio(numerator=size)):
            return measure(inner(size), span)
        case ScalarValue(expr=expr, index=Ratio(numerator=size)):
            parameters.append(checking.fresh(name))
            return ScalarValue(Variable(parameters[-1], type=expr.type, span=expr.span), Ratio(known(size)))
        case Vector(items=items):
            made = [parameter(checking, name, item, own, parameters) for item in items]
            return Vector(tuple(m for m in made if isinstance(m, ScalarValue)))
        case BundleValue(items=items):
            return BundleValue(tuple(parameter(checking, name, item, own, parameters) for item in items))
    return value


def passed(value: Value) -> list[Expr]:
    """What a call passes for a parameter: data, and numerics that were computed, so that they count once."""
    match value:
        case Tensor(expr=expr):
            return [expr]
        case ScalarValue(expr=Measure() | Literal()):
            return []
        case ScalarValue(expr=expr, index=Ratio()):
            return [expr]
        case Vector(items=items) | BundleValue(items=items):
            return [expr for item in items for expr in passed(item)]
    return []


def _finished(frame: Frame, result: Value) -> Expr | None:
    parts = result.items if isinstance(result, BundleValue) else (result,)
    if not all(isinstance(p, Tensor) for p in parts):
        return None
    exprs = tuple(to_expr(p) for p in parts)
    if any(length.names() & frame.bound() for e in exprs for length in e.type.shape):
        return None
    whole = Bundle(exprs, type=bundle_type(e.type for e in exprs)) if isinstance(result, BundleValue) else exprs[0]
    return tidy(frame.wrap(whole))


def _everything(body: Expr) -> list[Expr]:
    """A body and all expressions in it, but for the bodies that calls share."""
    found = [body]
    for one in found:
        found.extend(own_children(one))
    return found


def _called(
    checking: Checking,
    name: str,
    instance: Instance,
    bound: dict[str, Value],
    abstraction: Abstraction,
    span: Span | None,
) -> Value:
    """A call of an instance, typed by the caller's own sizes."""
    outer = dict(zip(instance.sizes, abstraction.names, strict=True))
    for asked in instance.requirements:
        if checking.ranges.decide(asked.condition.substitute(outer)) is False:
            raise _refused(asked, outer, Note(f"in the call of {name}", span))
    given = [expr for value in bound.values() for expr in passed(value)]
    pairs = zip(instance.parameters, given, strict=True)
    arguments = tuple((name, expr) for name, expr in pairs if name in instance.used)
    kind: Type = instance.body.type.substitute(outer)
    for part in kind.parts or (kind,):
        refuse_shape(checking, part.shape, span)
    call = Call(name, tuple(outer.items()), arguments, instance.body, shared=True, type=kind, span=span)
    if not instance.is_bundle:
        return Tensor(call)
    names = tuple(checking.fresh("r") for _ in kind.parts)
    checking.frame.bindings.append(Binding(names, call))
    return BundleValue(tuple(Tensor(Variable(n, type=t, span=span)) for n, t in zip(names, kind.parts, strict=True)))
