"""The derivation of a program's EOPs, in the steps of Example 14 of the paper.

Every line follows from the one before by the rules of section 6.1: a definition is what it is defined as, a function
the sum of its basic functions, `map(t,f)` is EOPs(t)+|t|*EOPs(f), and `reduce` the same with its initial value.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tolang.core.core import (
    Apply,
    Bundle,
    Call,
    Core,
    Expr,
    If,
    Let,
    Map,
    Part,
    Random,
    Reduce,
    Require,
    Swap,
)
from tolang.core.tidy import height
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import ZERO, Size
from tolang.ground.system.recursion import DEEPEST
from tolang.readings.cost.counting import BodyCounter, CountingContext, Key, body_names, label
from tolang.readings.cost.formula import AtMost, amount_of
from tolang.readings.cost.names import BodyNames
from tolang.readings.cost.source import arguments_of, compact, text_of
from tolang.readings.cost.terms import (
    NOTHING,
    Cases,
    IteratorSum,
    Naming,
    PendingCount,
    Term,
    Volume,
    advanced,
    basic,
    extent,
    is_open,
    plus,
    product,
    shown,
    spelled,
    value,
    without_ones,
)

WIDTH = 79
MOST_TERMS = 400
"""A line of more terms is left out, and with it those that would follow from it: calls may double them each time."""


@dataclass(frozen=True, slots=True)
class DerivedBody:
    """A body being derived: its names, which of its functions count, how the bodies it calls were counted."""

    names: BodyNames
    counted: frozenset[int]
    keys: Mapping[int, Key]
    shared: CountingContext
    doubtful: bool = False

    def in_doubt(self) -> DerivedBody:
        return DerivedBody(self.names, self.counted, self.keys, self.shared, True)


@dataclass(frozen=True, slots=True)
class DerivedBinding:
    """A binding, or the result of a body (`name` is None), with the unnamed bindings made for what is inside it.

    `height` tells how many expressions are inside one another in it, those of the unnamed bindings included.
    """

    name: str | None
    expr: Expr
    unnamed: tuple[DerivedBinding, ...] = ()
    height: int = 0


def bindings(expr: Expr, place: DerivedBody) -> list[DerivedBinding]:
    """The definitions of a body and its result, each with the bindings made for the expressions inside it."""
    found: list[DerivedBinding] = []
    waiting: list[DerivedBinding] = []
    while isinstance(expr, Let | Require):
        if isinstance(expr, Let):
            place.names.bind(expr)
            value_of_let = place.shared.values.get(id(expr), expr.value)
            name = place.shared.definitions.get(expr.names[0])
            waiting = _gathered(DerivedBinding(name, value_of_let), waiting)
            if name is not None:
                found, waiting = found + _standing_alone(waiting), []
        expr = expr.body
    return found + _standing_alone(_gathered(DerivedBinding(None, expr), waiting))


def _gathered(one: DerivedBinding, waiting: list[DerivedBinding]) -> list[DerivedBinding]:
    """The bindings so far and a further one, which takes in those that were made for expressions inside it.

    Of a long chain some stay apart, so that walks over what is inside one another get through.
    """
    inside = tuple(other for other in waiting if other.height < DEEPEST and _contains(one.expr, other.expr))
    taken = {id(other) for other in inside}
    deepest = max((other.height for other in inside), default=0)
    made = DerivedBinding(one.name, one.expr, inside, deepest + height(one.expr))
    return [*(other for other in waiting if id(other) not in taken), made]


def _standing_alone(waiting: list[DerivedBinding]) -> list[DerivedBinding]:
    """Bindings of which the last has a name or is the result; the others are called what stands in the source."""
    named = [DerivedBinding(text_of(one.expr.span), one.expr, one.unnamed) for one in waiting[:-1]]
    return [*named, waiting[-1]]


def _contains(outer: Expr, inner: Expr) -> bool:
    while isinstance(outer, Let | Require):
        outer = outer.body
    one, two = outer.span, inner.span
    if one is None or two is None:
        return False
    return one.source is two.source and one.start <= two.start and two.end <= one.end


def term_of(expr: Expr, place: DerivedBody) -> Term:
    """How the EOPs of an expression are first written."""
    if isinstance(expr, Let | Require):
        return plus([_term_of_binding(one, place) for one in bindings(expr, place)])
    return _term_of_binding(DerivedBinding(None, expr, ()), place)


def _term_of_binding(one: DerivedBinding, place: DerivedBody) -> Term:
    if one.name is not None:
        return _unless_free(PendingCount(one.name, partial(_term_of_value, one, place)))
    return _term_of_value(one, place)


def _term_of_value(one: DerivedBinding, place: DerivedBody) -> Term:
    expr = one.expr
    match expr:
        case Let() | Require():
            return plus([*(_term_of_value(other, place) for other in one.unnamed), term_of(expr, place)])
        case Map():
            return _unless_free(PendingCount(text_of(expr.span), partial(_map, expr, one.unnamed, place)))
        case Reduce():
            return _unless_free(PendingCount(text_of(expr.span), partial(_reduce, expr, one.unnamed, place)))
        case Call():
            return plus([*(_term_of_value(other, place) for other in one.unnamed), _call(expr, place)])
        case If():
            return plus([*(_term_of_value(other, place) for other in one.unnamed), _if(expr, place)])
    return _term_of_node(expr, one.unnamed, place)


def _term_of_node(expr: Expr, unnamed: tuple[DerivedBinding, ...], place: DerivedBody) -> Term:
    """The EOPs of an expression that binds nothing: those of its operands, and its own function, if it is one."""
    is_function = isinstance(expr, Apply | Random)
    if is_function and id(expr) not in place.counted:
        return plus([_term_of_value(other, place) for other in unnamed])
    left = list(unnamed)
    terms: list[Term] = []
    for child in _operands(expr):
        inside = tuple(other for other in left if _contains(child, other.expr))
        left = [other for other in left if other not in inside]
        terms.append(_term_of_value(DerivedBinding(None, child, inside), place))
    if isinstance(expr, Apply | Random):
        terms.append(basic(label(expr, expr.function if isinstance(expr, Apply) else "rand")))
    return plus([*(_term_of_value(other, place) for other in left), *terms])


def _operands(expr: Expr) -> list[Expr]:
    """The expressions inside one, coordinates first."""
    match expr:
        case Part(subject=subject, items=items):
            return [*(one for item in items for one in item.written), subject]
        case Swap(subject=subject, order=order):
            return [order, subject]
    return list(expr.children())


def _if(expr: If, place: DerivedBody) -> Term:
    if expr.guard is not None:
        guard = place.names.condition(expr.guard)
        if guard.constant is not None:
            return term_of(expr.then if guard.constant else expr.otherwise, place)
        if place.names.is_certain(guard):
            then, otherwise = term_of(expr.then, place), term_of(expr.otherwise, place)
            return then if then == otherwise == NOTHING else Cases(guard, then, otherwise)
    written = [term_of(one, place) for one in expr.written]
    doubt = place.in_doubt()
    return plus([*written, term_of(expr.then, doubt), term_of(expr.otherwise, doubt)])


def _map(expr: Map, unnamed: tuple[DerivedBinding, ...], place: DerivedBody) -> Term:
    written = arguments_of(expr.span, "map")
    text = written[0] if written else text_of(expr.span)
    before = _subject(text if written else None, unnamed, place)
    return plus([*before, _repeated(expr.iterators, expr.extents, expr.body, text, place)])


def _reduce(expr: Reduce, unnamed: tuple[DerivedBinding, ...], place: DerivedBody) -> Term:
    written = arguments_of(expr.span, "reduce")
    text = written[0] if written else text_of(expr.span)
    place.names.bind_state(expr)
    before = _subject(text if written else None, unnamed, place)
    steps = _repeated(expr.iterators, expr.extents, expr.step, text, place)
    return plus([*before, steps, *(term_of(initial, place) for initial in expr.initials)])


def _subject(text: str | None, unnamed: tuple[DerivedBinding, ...], place: DerivedBody) -> list[Term]:
    """The EOPs of what is mapped or folded, shown even where it is a name and costs nothing, and of other bindings."""
    terms: list[Term] = []
    own = False
    for one in unnamed:
        is_subject = one.expr.span is not None and compact(one.expr.span.text) == text
        own = own or is_subject
        term = _term_of_value(one, place)
        if term == NOTHING and is_subject and text is not None:
            term = PendingCount(text, lambda: NOTHING)
        terms.append(term)
    if not own and text is not None:
        terms.insert(0, PendingCount(text, lambda: NOTHING))
    return terms


def _repeated(iterators: tuple[str, ...], extents: tuple[Size, ...], body: Expr, text: str, place: DerivedBody) -> Term:
    """The number of elements times the EOPs at one, or the sum over the elements where they differ."""
    lengths = tuple(place.names.extent(extent, place.doubtful) for extent in extents)
    place.names.open(iterators, lengths)
    term = term_of(body, place)
    varying = value(term).names() & set(iterators)
    place.names.close(iterators, lengths)
    if varying:
        return IteratorSum(tuple(zip(iterators, lengths, strict=True)), term)
    return product(Volume(text, lengths), term)


def _call(expr: Call, place: DerivedBody) -> Term:
    arguments = [term_of(argument, place) for _, argument in expr.arguments]
    inner, known = place, None
    if expr.shared:
        key = place.keys[id(expr)]
        counted = place.shared.bodies[key]
        outer = place.names.at_call(expr, counted.unknowns)
        known = counted.tally.total.substitute(outer)
        names = body_names(expr, place.names, place.names.certain, key[2])
        names.given.update(outer)
        inner = DerivedBody(names, counted.counted, counted.keys, place.shared, place.doubtful)
    else:
        for name, size in expr.sizes:
            place.names.given[name] = place.names.size(size)
    text = text_of(expr.span, expr.definition)
    if text != expr.definition and not text.startswith(f"{expr.definition}("):
        text = expr.definition
    return plus([*arguments, _unless_free(PendingCount(text, partial(term_of, expr.body, inner), known))])


def _unless_free(term: PendingCount) -> Term:
    """What costs nothing is left out."""
    return NOTHING if term.size == ZERO else term


def lines_of(title: str, term: Term, naming: Naming) -> list[str]:
    """The steps from EOPs(title) to the number."""
    lines = [f"EOPs({title})"]
    current = term
    while is_open(current):
        if extent(current) > MOST_TERMS:
            return [*dict.fromkeys(lines), "=…", *result_lines(value(current), naming)]
        lines.append(f"={shown(current, naming)}")
        current = advanced(current)
        if not is_open(current):
            current = without_ones(current)
    lines += [f"={shown(current, naming)}", *result_lines(value(current), naming)]
    return list(dict.fromkeys(lines))


def result_lines(size: Size, naming: Naming) -> list[str]:
    """What a derivation comes to: a formula, and the number where it is one, or what the number is not above."""
    amount = amount_of(size)
    formula = f"={spelled(size, naming)}"
    if not isinstance(amount, int) or size.constant is not None:
        return [formula]
    return [formula, f"<={int(amount)}" if isinstance(amount, AtMost) else f"={amount}"]


def joined(lines: list[str]) -> str:
    """A derivation on one line where it fits, as in Example 13, else a step a line, as in Example 14."""
    whole = "".join(lines)
    return whole if len(whole) <= WIDTH else "\n".join(lines)


def _body_of(title: str, term: Term) -> Term:
    """What a title `f(x)` stands for: not `EOPs(f)` again, but what f is defined as."""
    return term.expanded if isinstance(term, PendingCount) and title.startswith(f"{term.text}(") else term


def derived_blocks(program: Core, names: BodyNames, counter: BodyCounter, title: str | None) -> list[tuple[str, Term]]:
    """The definitions of a program that cost something, each with its first term."""
    place = DerivedBody(names, frozenset(counter.counted), counter.keys, counter.shared)
    whole = title or " and ".join(dict.fromkeys(one.name for one in program.outputs))
    blocks: list[tuple[str, Term]] = []
    for one in bindings(program.body, place):
        parts = one.expr.parts if one.name is None and isinstance(one.expr, Bundle) else None
        term = _term_of_value(one, place) if parts is None else plus([term_of(part, place) for part in parts])
        if term != NOTHING:
            blocks.append((one.name or whole, term))
    if title is not None and len(blocks) == 1:
        blocks = [(title, _body_of(title, blocks[0][1]))]
    return blocks or [(whole, NOTHING)]


def derive(blocks: list[tuple[str, Term]], title: str | None, naming: Naming) -> str:
    """The derivation of a program: of each of its definitions that costs something, then of all together."""
    texts = [joined(lines_of(name, term, naming)) for name, term in blocks]
    if len(blocks) > 1:
        sizes = [value(term) for _, term in blocks]
        total = ZERO
        for size in sizes:
            total = total + size
        steps = [
            f"EOPs({title or 'program'})",
            f"={'+'.join(f'EOPs({name})' for name, _ in blocks)}",
            f"={'+'.join(spelled(size, naming) for size in sizes)}",
            *result_lines(total, naming),
        ]
        texts.append(joined(list(dict.fromkeys(steps))))
    return "\n\n".join(texts)
