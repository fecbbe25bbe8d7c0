"""Random definitions that fold: to a numeric, a list, a ToL, a ToL that grows, a bundle; see `definitions.py`."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.properties.definitions import Definitions, known, maker, plain
from tests.properties.expressions import LITERALS
from tests.properties.kinds import Kind, Length, Scope, Value


@maker("fold")
def fold(author: Definitions, scope: Scope) -> Value | None:
    family = author.family()
    exact = author.exactness(family)
    text = author.folded(family, scope, exact)
    return None if text is None else Value(text, Kind((), (family,)), exact)


@maker("fold by name")
def fold_name(author: Definitions, scope: Scope) -> Value | None:
    """A fold by a defined function of two."""
    functions = [
        f for f in scope.functions if len(f.parameters) == 2 and f.parameters[0] == f.parameters[1] == f.result
    ]
    functions = [f for f in functions if f.result.is_numeric and f.name.startswith("merge")]
    if not functions:
        source = author.vector(scope, ("Z", "R", "Q"))
        author.require("larger")
        initial = author.pick(LITERALS[source.kind.family])
        return Value(f"reduce({source.text}, larger, {initial})", Kind((), source.kind.families))
    function = author.pick(functions)
    value = author.some(scope, lambda v: v.kind.families == function.result.families)
    if value is None:
        return None
    initial = author.pick(LITERALS[function.result.family])
    return Value(f"reduce({value.text}, {function.name}, {initial})", function.result, function.exact and value.exact)


@maker("fold with list state")
def fold_list(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, lambda v: plain(v) and v.kind.family in ("Z", "R") and v.exact)
    if value is None:
        return None
    family = value.kind.family
    state, element = author.fresh("s"), author.fresh("x")
    inner = scope.with_values(value.element(element), Value(state, Kind((), (family, "Z"))))
    better = f"if {author.comparison(inner)} then ({element}, {state}[2]' + 1) else {state}"
    both = f"({state}[1]' + {author.numeric(family, scope.with_values(value.element(element)))}, {state}[2]' + 1)"
    step = author.pick([both, better])
    start = f"({author.pick(LITERALS[family])}, 0)"
    return Value(f"reduce({value.text}, ({state}, {element}) -> {step}, {start})", Kind((), (family, "Z")))


@maker("fold with ToL state")
def fold_state(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, lambda v: plain(v) and v.kind.family in ("Z", "R") and known(v))
    if value is None:
        return None
    state, element = author.fresh("s"), author.fresh("x")
    over, upper = author.pick([("tol[3]", Length("3", 3)), ("tol[2]", Length("2", 2))])
    place = author.fresh("c")
    inner = scope.with_iterators((place, upper))
    family, kind = value.kind.family, value.kind
    added = author.numeric(
        family, inner.with_star(Value("*", Kind((), (family,)), value.exact), kind.texts), value.exact
    )
    steps = [f"{state} + {author.numeric(family, inner, value.exact)}", f"map({state}, * + ({added} - *))"]
    first = kind.shape[0]
    if kind.rank == 1 and first.value is not None and first.value >= 1:
        item = author.numeric(family, inner, value.exact)
        steps.append(f"[{state}[2:], {item}]")
        at = author.draw(st.integers(1, first.value))
        steps.append(f"[{state}[1:{at}-1], {item}, {state}[{at}+1:]]")
    text = f"reduce({over}, ({state}, {element}, {place}) -> {author.pick(steps)}, {value.text})"
    return Value(text, kind, value.exact)


@maker("growing state")
def growing(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, lambda v: plain(v) and v.kind.family in ("Z", "R", "Q"))
    if value is None:
        return None
    family, volume = value.kind.family, value.kind.volume
    state, element = author.fresh("s"), author.fresh("x")
    item = author.numeric(family, scope.with_values(value.element(element)), value.exact)
    start = author.pick(["tol[0]", f"[{author.pick(LITERALS[family])}]"])
    total = None if volume is None else volume + (start != "tol[0]")
    text = f"reduce({value.text}, ({state}, {element}) -> [{state}, {item}], {start})"
    return Value(text, Kind((Length("|@|[1]", total),), (family,)), value.exact)


@maker("filter")
def filtered(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, lambda v: plain(v) and v.exact)
    if value is None:
        return None
    author.require("keep")
    element = author.fresh("x")
    test = author.comparison(scope.with_values(value.element(element)))
    text = f"keep({value.text}, {element} -> {test})"
    return Value(text, Kind((Length("|@|[1]", None),), value.kind.families), value.exact)


@maker("scan")
def scan(author: Definitions, scope: Scope) -> Value | None:
    value = author.vector(scope, ("Z", "R"))
    author.require("running")
    function = author.pick(["add", "max", "min", "(p, q) -> q - p"])
    text = f"running({value.text}, {function}, {author.pick(LITERALS[value.kind.family])})"
    return Value(text, Kind((Length("|@|[1]", value.kind.volume),), value.kind.families))


@maker("sort")
def sort(author: Definitions, scope: Scope) -> Value | None:
    value = author.vector(scope, ("Z", "R", "Q", "S"))
    author.require("sorted")
    return Value(f"sorted({value.text})", Kind((Length("|@|[1]", value.kind.volume),), value.kind.families))


@maker("argmin")
def argmin(author: Definitions, scope: Scope) -> Value | None:
    author.require("least")
    return Value(f"least({author.vector(scope, ('Z', 'R')).text})", Kind((), ("Z",)))


@maker("bundle")
def bundle(author: Definitions, scope: Scope) -> Value | None:
    """A fold whose state is a bundle; one part of it is the value."""
    value = author.some(scope, lambda v: plain(v) and v.kind.family in ("Z", "R"))
    if value is None:
        return None
    family = value.kind.family
    state, element = author.fresh("s"), author.fresh("x")
    item = author.numeric(family, scope.with_values(value.element(element)), value.exact)
    step = f"({state}[1]' + {element}, [{state}[2]', {item}])"
    text = f"reduce({value.text}, ({state}, {element}) -> {step}, (0, [0]))"
    if author.chance(50):
        return Value(f"{text}[1]'", Kind((), (family,)), value.exact)
    volume = value.kind.volume
    length = Length("|@|[1]", None if volume is None else volume + 1)
    return Value(f"{text}[2]'", Kind((length,), (family,)), value.exact)
