"""Random definitions: each maker writes one construct of the language over what is in scope, or finds nothing to do.

A maker returns the text of a value and its kind.  Whatever has a length that its text does not tell is given a name by the
program, so a new length is written `|name|[axis]`, with `@` standing for the name.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from tests.properties.expressions import COMBINES, SMOOTH, Expressions
from tests.properties.kinds import Function, Kind, Length, Scope, Value

Maker = Callable[["Definitions", Scope], Value | None]
MAKERS: dict[str, Maker] = {}
"""Every construct by name."""

PRELUDE = {
    "larger": "larger(p, q) = max(p, abs(q))",
    "keep": "keep(t, p) = reduce(t, (s,x) -> if p(x) then [s,x] else s, tol[0])",
    "running": "running(t, f, i) = reduce(t, (s,x) -> [s, f(s[|s|[1]], x)], [i])[2:]",
    "sorted": "sorted(t) = reduce(t, (s,x) -> { k = reduce(map(s, * <= x), add, 0); [s[1:k], x, s[k+1:]] }, tol[0])",
    "least": "least(t) = reduce(map(t, (*, iter)), (s,x) -> if x[1]' < s[1]' then x else s, (1000,0))[2]'",
    "select": "select(c, a, b) = map(c, if * then a[q] else b[q], *q)",
    "drop": "drop(v, j) = [v[1:j-1], v[j+1:]]",
    "along": "along(x, axis, c) = map(tol[|x|[axis]], x[c[1:axis-1], k, c[axis:]], k)",
    "fold_axis": "fold_axis(x, f, init, axis) = map(tol[drop(|x|,axis)], reduce(along(x,axis,c), f, init), *c)",
    "smooth": "smooth(x, axis) = { top = fold_axis(x, max, -Inf, axis); e = map(x, exp(* - top[drop(c,axis)]), *c); "
    "total = fold_axis(e, add, 0, axis); map(e, * / total[drop(c,axis)], *c) }",
}
"""Functions as a library would have them, written into the programs that use them."""

NEEDS = {"smooth": ("fold_axis", "drop", "along"), "fold_axis": ("drop", "along")}


def maker(name: str) -> Callable[[Maker], Maker]:
    def register(function: Maker) -> Maker:
        MAKERS[name] = function
        return function

    return register


class Definitions(Expressions):
    """Draws whole values."""

    def require(self, name: str) -> None:
        self.prelude |= {name, *NEEDS.get(name, ())}

    def some(self, scope: Scope, test: Callable[[Value], bool] = lambda value: True) -> Value | None:
        """A ToL with dimensions that passes a test."""
        values = [v for v in scope.tensors() if test(v)]
        return self.pick(values) if values else None

    def vector(self, scope: Scope, families: tuple[str, ...]) -> Value:
        """An exact vector of one of some families, by name or written out."""
        named = self.some(scope, lambda v: plain(v) and v.kind.family in families and v.exact and v.kind.rank == 1)
        if named is not None:
            return named
        family, count = self.pick(families), self.draw(st.integers(1, 3))
        items = ", ".join(self.numeric(family, scope) for _ in range(count))
        return Value(f"[{items}]", Kind((Length(str(count), count),), (family,)))

    def family(self) -> str:
        return self.pick(["Z", "R", "B", "Q", "Z", "R"])

    def exactness(self, family: str) -> bool:
        return family != "R" or self.chance(50)


def plain(value: Value) -> bool:
    return len(value.kind.families) == 1


def known(value: Value) -> bool:
    return value.kind.volume is not None


@maker("map star")
def map_star(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope)
    if value is None:
        return None
    family = author.family()
    exact = author.exactness(family)
    inner = scope.with_star(value.element("*"), value.kind.texts)
    return Value(f"map({value.text}, {author.numeric(family, inner, exact)})", Kind(value.kind.shape, (family,)), exact)


@maker("map lambda")
def map_lambda(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope)
    if value is None:
        return None
    family, name = author.family(), author.fresh("x")
    exact = author.exactness(family)
    inner, head = scope.with_values(value.element(name)), name
    if value.kind.rank == 1 and author.chance(40):
        place = author.fresh("c")
        inner, head = inner.with_iterators((place, value.kind.shape[0])), f"({name}, {place})"
        author.features.add("lambda with coordinates")
    body = author.numeric(family, inner, exact)
    return Value(f"map({value.text}, {head} -> {body})", Kind(value.kind.shape, (family,)), exact)


@maker("map name")
def map_name(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, plain)
    if value is None:
        return None
    family = value.kind.family
    wanted = (Kind((), (family,)),)
    functions = [f for f in scope.functions if f.parameters == wanted and f.result.is_numeric]
    names: list[tuple[str, str, bool]] = [(f.name, f.result.family, f.exact and value.exact) for f in functions]
    basic = {
        "Z": ("abs", "sgn", "neg"),
        "R": ("abs", "neg", "floor"),
        "Q": ("abs", "neg"),
        "B": ("not",),
        "C": ("neg",),
    }
    names += [(one, family, value.exact) for one in basic.get(family, ())]
    if family == "R":
        names += [(one, "R", False) for one in SMOOTH]
    if not names:
        return None
    name, result, exact = author.pick(names)
    if family == result != "B" and author.chance(30):
        author.features.add("composition")
        name = f"{name}.{author.pick(basic[family])}"
    if not exact and result == "R":
        author.features.add("inexact")
    return Value(f"map({value.text}, {name})", Kind(value.kind.shape, (result,)), exact)


@maker("map names")
def map_names(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope)
    if value is None:
        return None
    family = author.family()
    exact = author.exactness(family)
    names = [author.fresh("i") for _ in value.kind.shape]
    inner = scope.with_star(value.element("*"), value.kind.texts)
    if author.chance(25):
        whole = author.fresh("c")
        parts = [(f"{whole}[{k}]", length) for k, length in enumerate(value.kind.shape, 1)]
        inner, listed = inner.with_iterators(*parts), f"*{whole}"
        author.features.add("coordinate vector")
    else:
        inner, listed = inner.with_iterators(*zip(names, value.kind.shape, strict=True)), f"[{','.join(names)}]"
    body = author.numeric(family, inner, exact)
    return Value(f"map({value.text}, {body}, {listed})", Kind(value.kind.shape, (family,)), exact)


@maker("map of rows")
def map_rows(author: Definitions, scope: Scope) -> Value | None:
    """A map whose elements are ToLs, or whose body folds a row."""
    value = author.some(scope, lambda v: plain(v) and v.kind.rank >= 2)
    if value is None:
        return None
    name = author.fresh("i")
    first, rest = value.kind.shape[0], value.kind.shape[1:]
    row = Value(f"{value.text}[{name}]", Kind(rest, value.kind.families), value.exact)
    inner = scope.with_iterators((name, first))
    family = value.kind.family
    if author.chance(50) and family in COMBINES:
        function, initial = COMBINES[family][0]
        text = f"reduce({row.text}, {function}, {initial})"
        return Value(f"map(tol[{first.text}], {text}, {name})", Kind((first,), (family,)), value.exact)
    star = inner.with_star(row.element("*"), row.kind.texts)
    author.features.add("map in map")
    body = f"map({row.text}, {author.numeric(family, star, value.exact)})"
    return Value(f"map(tol[{first.text}], {body}, {name})", value.kind, value.exact)


@maker("map by coordinates")
def map_coordinates(author: Definitions, scope: Scope) -> Value | None:
    lengths = [length for v in scope.tensors() for length in v.kind.shape] + [Length("2", 2), Length("3", 3)]
    shape = tuple(author.pick(lengths) for _ in range(author.draw(st.integers(1, 3))))
    volume = Kind(shape, ("Z",)).volume
    if volume is None or volume > 64:
        return None
    family = author.family()
    exact = author.exactness(family)
    kind = Kind(shape, (family,))
    return Value(author.at_coordinates(kind, scope, exact), kind, exact)


@maker("operator")
def operator(author: Definitions, scope: Scope) -> Value | None:
    """Arithmetic on whole ToLs: of one shape, or with a numeric."""
    value = author.some(scope, lambda v: plain(v) and v.kind.family in ("Z", "R", "Q", "B"))
    if value is None:
        return None
    family = value.kind.family
    if author.chance(50):
        other = author.tensor(value.kind, scope, value.exact)
    else:
        other = author.numeric(family, scope, value.exact)
    if family == "B":
        return Value(f"({value.text} {author.pick(['and', 'or', 'xor'])} {other})", value.kind)
    if value.exact and author.chance(30):
        return Value(f"({value.text} {author.pick(['<', '>=', '=='])} {other})", Kind(value.kind.shape, ("B",)))
    return Value(f"({value.text} {author.pick(['+', '-', '*'])} {other})", value.kind, value.exact)


@maker("blocks")
def blocks(author: Definitions, scope: Scope) -> Value | None:
    family = author.pick(["Z", "R", "B", "Q"])
    exact = author.exactness(family)
    rows, columns = author.draw(st.integers(1, 3)), author.draw(st.integers(1, 3))
    if author.chance(50):
        items = [author.numeric(family, scope, exact) for _ in range(columns)]
        return Value(f"[{', '.join(items)}]", Kind((Length(str(columns), columns),), (family,)), exact)
    lines = [f"[{', '.join(author.numeric(family, scope, exact) for _ in range(columns))}]" for _ in range(rows)]
    shape = (Length(str(rows), rows), Length(str(columns), columns))
    return Value(f"[{', '.join(lines)}]", Kind(shape, (family,)), exact)


@maker("join")
def joined(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, lambda v: plain(v) and v.kind.family != "S")
    if value is None:
        return None
    shape, last = value.kind.shape, value.kind.shape[-1]
    other = author.tensor(value.kind, scope, value.exact)
    if value.kind.rank == 1 and author.chance(50):
        item = author.numeric(value.kind.family, scope, value.exact)
        total = None if last.value is None else last.value + 1
        return Value(
            f"[{value.text}, {item}]", Kind((Length(f"({last.text}+1)", total),), value.kind.families), value.exact
        )
    if value.kind.rank == 2 and author.chance(50):
        first = shape[0]
        length = Length(f"({first.text}*2)", None if first.value is None else 2 * first.value)
        return Value(f"[[{value.text}], [{other}]]", Kind((length, last), value.kind.families), value.exact)
    length = Length(f"({last.text}*2)", None if last.value is None else 2 * last.value)
    return Value(f"[{value.text}, {other}]", Kind((*shape[:-1], length), value.kind.families), value.exact)


@maker("slice")
def sliced(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, known)
    if value is None:
        return None
    items, shape = [], []
    for length in value.kind.shape:
        assert length.value is not None
        low = author.draw(st.integers(1, length.value + 1))
        high = author.draw(st.integers(low - 1, length.value))
        kind = author.pick([":", "point", "range", "from", "to"])
        if kind == ":" or (kind == "point" and not length.value):
            items.append(":")
            shape.append(length)
        elif kind == "point":
            items.append(str(min(low, length.value)))
        elif kind == "range":
            items.append(f"{low}:{high}")
            shape.append(Length(str(high - low + 1), high - low + 1))
        elif kind == "from":
            items.append(f"{low}:")
            shape.append(Length(f"({length.text}-{low - 1})", length.value - low + 1))
        else:
            items.append(f":{high}")
            shape.append(Length(str(high), high))
    return Value(f"{value.text}[{', '.join(items)}]", Kind(tuple(shape), value.kind.families), value.exact)


@maker("part")
def part(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, known)
    if value is None:
        return None
    lows, highs, shape = [], [], []
    for length in value.kind.shape:
        assert length.value is not None
        low = author.draw(st.integers(1, length.value + 1))
        high = author.draw(st.integers(low - 1, length.value))
        lows.append(str(low))
        highs.append(str(high))
        shape.append(Length(str(high - low + 1), high - low + 1))
    text = f"part({value.text}, [{','.join(lows)}], [{','.join(highs)}])"
    return Value(text, Kind(tuple(shape), value.kind.families), value.exact)


@maker("slice by data")
def data_slice(author: Definitions, scope: Scope) -> Value | None:
    """A slice whose end is data, so that its length is known only while running."""
    value = author.some(scope, lambda v: plain(v) and v.kind.rank == 1 and known(v) and v.exact)
    if value is None:
        return None
    length = value.kind.shape[0]
    end, number = author.fresh("e"), author.numeric("Z", scope)
    start = author.pick(["1", "1", f"{end} - {end} + 1"])
    text = f"{{ {end} = {number} % ({length.text} + 1); {value.text}[{start}:{end}] }}"
    return Value(text, Kind((Length("|@|[1]", None),), value.kind.families))


@maker("lists")
def lists(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, plain)
    if value is None:
        return None
    family = author.family()
    other = author.tensor(Kind(value.kind.shape, (family,)), scope)
    return Value(f"({value.text}, {other})", Kind(value.kind.shape, (*value.kind.families, family)), value.exact)


@maker("component of lists")
def components(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, lambda v: not plain(v)) or lists(author, scope)
    if value is None:
        return None
    position = author.draw(st.integers(1, len(value.kind.families)))
    text = author.pick([f"{value.text}[{position}]'", f"part'({value.text}, {position})"])
    return Value(text, Kind(value.kind.shape, (value.kind.families[position - 1],)), value.exact)


@maker("arithmetic on lists")
def list_arithmetic(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, lambda v: not plain(v) and set(v.kind.families) <= {"Z", "R"})
    if value is None:
        one = author.some(scope, lambda v: v.kind.families in (("Z",), ("R",)))
        if one is None:
            return None
        kind = Kind(one.kind.shape, (one.kind.family, "Z"))
        value = Value(f"({one.text}, {author.tensor(Kind(one.kind.shape, ('Z',)), scope)})", kind, one.exact)
    return Value(f"({value.text} {author.pick(['+', '*', '-'])} 2)", value.kind, value.exact)


@maker("swap")
def swap(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, known)
    if value is None:
        return None
    axis = author.draw(st.integers(0, value.kind.rank - 1))
    length = value.kind.shape[axis].value
    assert length is not None
    order = author.draw(st.permutations(range(1, length + 1)))
    if not length:
        return None
    return Value(
        f"swap({value.text}, {value.kind.rank - axis}, [{','.join(map(str, order))}])", value.kind, value.exact
    )


@maker("reshape")
def reshape(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, known)
    if value is None:
        return None
    volume = value.kind.volume
    assert volume is not None
    divisors = [d for d in range(1, volume + 1) if volume % d == 0] or [0]
    first = author.pick(divisors)
    shapes = [(volume,), (first, volume // first) if first else (0, 3), (1, volume)]
    chosen = author.pick(shapes)
    kind = Kind(tuple(Length(str(n), n) for n in chosen), value.kind.families)
    return Value(f"reshape({value.text}, [{','.join(map(str, chosen))}])", kind, value.exact)


@maker("tile")
def tile(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, lambda v: v.kind.shape[-1].text in ("1", "2", "3") and len(v.kind.families) <= 2)
    if value is None:
        return None
    families = value.kind.families * int(value.kind.shape[-1].text)
    return Value(f"tile({value.text})", Kind(value.kind.shape[:-1], families), value.exact)


@maker("convert")
def convert(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, lambda v: plain(v) and v.kind.family in ("Z", "B", "Q") and v.exact)
    if value is None:
        return None
    goals = {"Z": ("R", "Q", "C", "i32", "f32"), "B": ("Z", "R", "Q"), "Q": ("R",)}[value.kind.family]
    goal = author.pick(goals)
    family = {"i32": "Z", "f32": "R"}.get(goal, goal)
    return Value(f"convert({value.text}, [{goal}])", Kind(value.kind.shape, (family,)), value.kind.family != "Q")


@maker("if on sizes")
def if_sizes(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, lambda v: plain(v) and v.kind.family in ("Z", "R", "Q", "B"))
    if value is None:
        return None
    other = author.tensor(value.kind, scope, value.exact)
    condition = author.pick(
        [f"|{value.text}|[1] > 2", f"{value.kind.shape[0].text} == 0", f"vol({value.text}) % 2 == 0"]
    )
    return Value(f"(if {condition} then {value.text} else {other})", value.kind, value.exact)


@maker("if on data")
def if_data(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, plain)
    if value is None:
        return None
    condition = author.comparison(scope)
    if value.kind.rank == 1 and known(value) and author.chance(40):
        author.features.add("branches of two lengths")
        length = Length("|@|[1]", None)
        text = f"(if {condition} then {value.text}[1:0] else {value.text})"
        return Value(text, Kind((length,), value.kind.families), value.exact)
    other = author.tensor(value.kind, scope, value.exact) if value.kind.family != "S" else value.text
    return Value(f"(if {condition} then {other} else {value.text})", value.kind, value.exact)


@maker("where")
def where(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope, lambda v: plain(v) and v.kind.family in ("Z", "R", "Q"))
    if value is None:
        return None
    author.require("select")
    condition = author.tensor(Kind(value.kind.shape, ("B",)), scope)
    other = author.tensor(value.kind, scope, value.exact)
    return Value(f"select({condition}, {value.text}, {other})", value.kind, value.exact)


@maker("library")
def library(author: Definitions, scope: Scope) -> Value | None:
    """Rank-free library code: a fold along an axis, or softmax."""
    value = author.some(scope, lambda v: plain(v) and v.kind.family in ("Z", "R"))
    if value is None:
        return None
    axis = author.draw(st.integers(1, value.kind.rank))
    rest = value.kind.shape[: axis - 1] + value.kind.shape[axis:]
    if author.chance(50):
        author.require("fold_axis")
        function, initial = author.pick([("add", "0"), ("max", "0"), ("(p, q) -> q - p", "1")])
        text = f"fold_axis({value.text}, {function}, {initial}, {axis})"
        return Value(text, Kind(rest, value.kind.families), value.exact)
    author.require("smooth")
    author.features.add("inexact")
    return Value(f"smooth({value.text}, {axis})", Kind(value.kind.shape, ("R",)), False)


@maker("gather")
def gather(author: Definitions, scope: Scope) -> Value | None:
    index = author.some(scope, lambda v: v.kind.families == ("Z",))
    value = author.some(scope, lambda v: plain(v) and v.kind.rank == 1 and bool(v.kind.shape[0].value))
    if index is None or value is None:
        return None
    name, length = author.fresh("k"), value.kind.shape[0].text
    text = f"map({index.text}, {name} -> {value.text}[1 + {name} % {length}])"
    return Value(text, Kind(index.kind.shape, value.kind.families), value.exact)


@maker("matrix product")
def product(author: Definitions, scope: Scope) -> Value | None:
    one = author.some(scope, lambda v: plain(v) and v.kind.rank == 2 and v.kind.family in ("Z", "R"))
    if one is None:
        return None
    two = author.some(scope, lambda v: v.kind.rank == 2 and v.kind.families == one.kind.families
                      and v.kind.shape[0].text == one.kind.shape[1].text)  # fmt: skip
    if two is None:
        return None
    i, j = author.fresh("i"), author.fresh("j")
    outer, inner = author.pick([("add", "mul"), ("max", "add"), ("add", "min")])
    shape = (one.kind.shape[0], two.kind.shape[1])
    line = f"map({one.text}[{i}], {inner}(*, {two.text}[*,{j}]))"
    text = f"map(tol[{shape[0].text},{shape[1].text}], reduce({line}, {outer}, 0), [{i},{j}])"
    return Value(text, Kind(shape, one.kind.families), one.exact and two.exact)


@maker("random")
def rand(author: Definitions, scope: Scope) -> Value | None:
    value = author.some(scope)
    if value is None:
        return None
    return Value(f"map({value.text}, rand(2))", Kind(value.kind.shape, ("R",)), False)


@maker("numeric")
def numeric(author: Definitions, scope: Scope) -> Value | None:
    family = author.pick(["Z", "R", "B", "Q", "S", "C"])
    exact = author.exactness(family)
    return Value(author.numeric(family, scope, exact), Kind((), (family,)), exact)


def function(author: Definitions, scope: Scope) -> tuple[str, Function]:
    """A definition with parameters, and what calls need to know of it."""
    form = author.pick(["one", "two", "fold", "tensor", "fold"])
    family = author.pick(["Z", "R", "Z", "R", "Q"])
    kind = Kind((), (family,))
    if form == "tensor":
        name, parameter = author.fresh("total"), author.fresh("t")
        rank = author.draw(st.integers(1, 2))
        shape = tuple(Length(f"|{parameter}|[{k}]", None) for k in range(1, rank + 1))
        inner = scope.with_values(Value(parameter, Kind(shape, (family,))))
        body = author.folded(family, inner, True) or "0"
        return f"{name}({parameter}) = {body}", Function(name, (Kind(shape, (family,)),), kind)
    names = [author.fresh("p") for _ in range(1 if form == "one" else 2)]
    values = [Value(one, kind) for one in names]
    if form == "fold":
        name = author.fresh("merge")
        step = author.pick(
            [f"max({names[0]}, {names[1]})", f"{names[0]} + abs({names[1]})", f"({names[0]} - {names[1]})"]
        )
        return f"{name}({', '.join(names)}) = {step}", Function(name, (kind, kind), kind)
    name = author.fresh("f")
    body = author.numeric(family, scope.with_values(*values))
    return f"{name}({', '.join(names)}) = {body}", Function(name, (kind,) * len(names), kind)
