"""Random definitions: each maker writes one construct of the language over what is in scope, or finds nothing to do.

A maker gives a tree and the lengths of its value; where a length is new, `None` stands for it, and the definition's own
name tells it from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.fuzz.kinds import Kind, N, Q, R, Z, machine, plain
from tests.fuzz.tree import (
    Blocks,
    Component,
    Convert,
    Fold,
    If,
    Length,
    Let,
    Listing,
    Map,
    Member,
    Name,
    Node,
    Range,
    Reshape,
    Star,
    Swap,
    Tile,
    Type,
    Zeros,
)
from tests.fuzz.typed import ELEMENT
from tests.fuzz.writer import Dim, Known, Scope, Writer, apply, basic_fold, literal

Dims = tuple[Dim | None, ...]
Made = tuple[Node, Dims]
Maker = Callable[[Writer, Scope], Made | None]
MAKERS: dict[str, Maker] = {}
FAMILIES = ("Z", "R", "Z", "R", "B", "Q")


def maker(function: Maker) -> Maker:
    MAKERS[function.__name__.replace("_", " ")] = function
    return function


def some(writer: Writer, scope: Scope, *ranks: int, single: bool = False, family: str = "") -> Known | None:
    """Something with dimensions, of one of some ranks."""
    found = [one for one in scope.known if one.type.rank and (not ranks or one.type.rank in ranks)]
    found = [one for one in found if not single or len(one.type.kinds) == 1]
    found = [one for one in found if not family or one.type.kinds[0].family == family]
    return writer.pick(found) if found else None


def count(text: int | str) -> Dim:
    return Dim(str(text))


@maker
def map_star(writer: Writer, scope: Scope) -> Made | None:
    one = some(writer, scope)
    if one is None:
        return None
    inner = scope.inside(star=Known(ELEMENT, one.type, one.dims, one.fixed))
    return Map(Name(one.id), writer.numeric(writer.pick(FAMILIES), inner)), one.dims


@maker
def map_function(writer: Writer, scope: Scope) -> Made | None:
    one = some(writer, scope)
    if one is None:
        return None
    element = writer.fresh("e")
    names: tuple[str, ...] = ()
    inner = scope.inside(
        Known(element, replace(one.type, rank=0), fixed=one.fixed), star=Known(ELEMENT, one.type, one.dims, one.fixed)
    )
    if one.type.rank == 1 and writer.chance(50):
        names = (writer.fresh("i"),)
        inner = inner.inside(iterators=[(names[0], one.dims[0])])
    return Map(Name(one.id), writer.numeric(writer.pick(FAMILIES), inner), element, names), one.dims


@maker
def map_names(writer: Writer, scope: Scope) -> Made | None:
    """Over zeros of lengths that are at hand, or over something, with names for the coordinates."""
    one = some(writer, scope)
    if one is None:
        return None
    dims = one.dims
    subject: Node = Name(one.id)
    inner = scope.inside(star=Known(ELEMENT, one.type, dims, one.fixed))
    if writer.chance(50):
        at_hand = sorted({dim for other in scope.known for dim in other.dims} | {count(2), count(3)}, key=str)
        dims = tuple(writer.pick(at_hand) for _ in range(writer.random.randint(1, 2)))
        kind = Type(len(dims), (plain("Z", weak=True),), blank=True)
        subject, inner = Zeros([dim.node() for dim in dims]), scope.inside(star=Known(ELEMENT, kind, dims))
    if writer.chance(25):
        vector = writer.fresh("c")
        inner = inner.inside()
        inner.vectors.append((vector, dims))
        return Map(subject, writer.numeric(writer.pick(FAMILIES), inner), vector=vector), dims
    names = tuple(writer.fresh("i") for _ in dims)
    inner = inner.inside(iterators=list(zip(names, dims, strict=True)))
    return Map(subject, writer.numeric(writer.pick(FAMILIES), inner), iterators=names), dims


@maker
def map_rows(writer: Writer, scope: Scope) -> Made | None:
    """A map whose body is a vector."""
    one = some(writer, scope, 1, 2)
    if one is None:
        return None
    name = writer.fresh("i")
    inner = scope.inside(
        star=Known(ELEMENT, one.type, one.dims, one.fixed),
        iterators=[(name, one.dims[0])] if one.type.rank == 1 else [],
    )
    family = writer.pick(["Z", "R"])
    body: Node = Blocks([writer.numeric(family, inner) for _ in range(writer.random.randint(1, 3))])
    dims: Dims = (*one.dims, count(len(body.items) if isinstance(body, Blocks) else 0))
    names = (name,) if one.type.rank == 1 else ()
    return Map(Name(one.id), body, iterators=names), dims


@maker
def elementwise(writer: Writer, scope: Scope) -> Made | None:
    one = some(writer, scope, single=True)
    if one is None:
        return None
    others = [other for other in scope.known if other.dims == one.dims and len(other.type.kinds) == 1]
    family = one.type.kinds[0].family
    if family == "S":
        return apply("eq", Name(one.id), literal("a")), one.dims
    functions = {"B": ("and", "xor", "or"), "Z": ("add", "sub", "mul", "max", "lt"), "R": ("add", "mul", "sub", "min", "le"),
                 "Q": ("add", "sub"), "C": ("add", "mul")}[family]  # fmt: skip
    other = writer.pick(others) if others and writer.chance(60) else None
    second: Node = Name(other.id) if other is not None else writer.leaf(family, scope.only(lambda k: not k.dims))
    return apply(writer.pick(functions), Name(one.id), second, sign=writer.chance(80)), one.dims


@maker
def part(writer: Writer, scope: Scope) -> Made | None:
    """Ranges of one dimension or two, with ends that are numbers or follow from lengths."""
    one = some(writer, scope)
    if one is None:
        return None
    items: list[Node] = []
    dims: list[Dim | None] = []
    for dim in one.dims:
        form = writer.random.randrange(5)
        if form == 0 and one.type.rank > 1:
            items.append(writer.pick([literal(1), dim.node()]))
        elif form == 1:
            items.append(Range(literal(2), None))
            dims.append(None)
        elif form == 2:
            items.append(Range(None, apply("sub", dim.node(), literal(1))))
            dims.append(None)
        elif form == 3:
            items.append(Range(literal(1), literal(writer.pick([0, 1, 2]))))
            dims.append(None)
        else:
            items.append(Range(None, None))
            dims.append(dim)
    return Member(Name(one.id), items), tuple(dims)


@maker
def part_by_data(writer: Writer, scope: Scope) -> Made | None:
    """A range whose ends come from data, kept inside."""
    one = some(writer, scope, 1)
    if one is None:
        return None
    numerics = scope.only(lambda known: known.type.rank < 2)
    writer.fuel = min(writer.fuel, 4)
    length = apply("add", one.dims[0].node(), literal(1))
    end = apply("mod", writer.numeric("Z", numerics, True), length)
    name = writer.fresh("e")
    if writer.chance(50):
        return Let(name, end, Member(Name(one.id), [Range(literal(1), Name(name))])), (None,)
    return Let(name, end, Member(Name(one.id), [Range(apply("add", Name(name), literal(1)), None)])), (None,)


@maker
def windows(writer: Writer, scope: Scope) -> Made | None:
    one = some(writer, scope, 1, single=True)
    if one is None or one.type.kinds[0].family not in ("Z", "R"):
        return None
    width, name = writer.pick([1, 2, 3]), writer.fresh("i")
    window = Member(Name(one.id), [Range(Name(name), apply("add", Name(name), literal(width - 1)))])
    total = basic_fold(writer.pick(["add", "max", "min"]), window, literal(writer.pick([0, 1])))
    places = apply("max", apply("sub", one.dims[0].node(), literal(width - 1)), literal(0), sign=False)
    return Map(Zeros([places]), total, iterators=(name,)), (None,)


@maker
def window_at_edges(writer: Writer, scope: Scope) -> Made | None:
    """Windows that are cut off at the ends."""
    one = some(writer, scope, 1, single=True)
    if one is None or one.type.kinds[0].family not in ("Z", "R"):
        return None
    name, reach = writer.fresh("i"), literal(writer.pick([1, 2]))
    low = apply("max", literal(1), apply("sub", Name(name), reach), sign=False)
    high = apply("min", one.dims[0].node(), apply("add", Name(name), reach), sign=False)
    total = basic_fold(writer.pick(["add", "max"]), Member(Name(one.id), [Range(low, high)]), literal(0))
    return Map(Name(one.id), total, iterators=(name,)), one.dims


@maker
def join(writer: Writer, scope: Scope) -> Made | None:
    one = some(writer, scope, 1)
    if one is None:
        return None
    others = [k for k in scope.known if k.type.rank <= 1 and len(k.type.kinds) == len(one.type.kinds)]
    others = [k for k in others if (k.type.kinds[0].family == "S") == (one.type.kinds[0].family == "S")]
    items: list[Node] = [Name(one.id), *(Name(writer.pick(others).id) for _ in range(writer.random.randint(0, 2)))]
    if writer.chance(30):
        items.append(Zeros([writer.pick([one.dims[0].node(), literal(0), literal(2)])]))
    writer.random.shuffle(items)
    return Blocks(items), (None,)


@maker
def join_rows(writer: Writer, scope: Scope) -> Made | None:
    one = some(writer, scope, 1, 2, single=True)
    if one is None:
        return None
    if one.type.rank == 2:
        across = writer.chance(50)
        parts: list[Node] = [Name(one.id), Name(one.id)]
        if writer.chance(40):
            parts[1] = Zeros([one.dims[0].node(), literal(1)] if across else [literal(1), one.dims[1].node()])
        return (
            (Blocks(parts), (one.dims[0], None))
            if across
            else (Blocks([Blocks([p]) for p in parts]), (None, one.dims[1]))
        )
    return Blocks([Blocks([Name(one.id)]), Blocks([Name(one.id)])]), (count(2), one.dims[0])


@maker
def zeros(writer: Writer, scope: Scope) -> Made | None:
    at_hand = sorted({dim for other in scope.known for dim in other.dims} | {count(0), count(3)}, key=str)
    dims = tuple(writer.pick(at_hand) for _ in range(writer.random.randint(1, 3)))
    return Zeros([dim.node() for dim in dims]), dims


@maker
def zeros_by_data(writer: Writer, scope: Scope) -> Made | None:
    writer.fuel = min(writer.fuel, 3)
    length = apply("mod", writer.numeric("Z", scope, True), literal(writer.pick([3, 9])))
    name = writer.fresh("z")
    return Let(name, length, Map(Zeros([Name(name)]), apply("mul", Name("q"), Name("q")), iterators=("q",))), (None,)


@maker
def reshape(writer: Writer, scope: Scope) -> Made | None:
    one = some(writer, scope, 2, 3)
    if one is None:
        return None
    first, rest = one.dims[0], one.dims[1:]
    if one.type.rank == 2:
        total = apply("mul", first.node(), rest[0].node())
        return writer.pick([(Reshape(Name(one.id), [total]), (None,)),
                            (Reshape(Name(one.id), [rest[0].node(), first.node()]), (rest[0], first))])  # fmt: skip
    return Reshape(Name(one.id), [first.node(), apply("mul", rest[0].node(), rest[1].node())]), (first, None)


@maker
def swap(writer: Writer, scope: Scope) -> Made | None:
    one = some(writer, scope)
    if one is None:
        return None
    axis = writer.random.randrange(one.type.rank)
    if not one.dims[axis].text.isdigit():
        return None
    order = list(range(1, int(one.dims[axis].text) + 1))
    writer.random.shuffle(order)
    return (Swap(Name(one.id), one.type.rank - axis, tuple(order)), one.dims) if order else None


@maker
def tile(writer: Writer, scope: Scope) -> Made | None:
    one = some(writer, scope)
    if one is None or not one.dims[-1].text.isdigit() or int(one.dims[-1].text) not in (1, 2, 3):
        return None
    return Tile(Name(one.id), int(one.dims[-1].text)), one.dims[:-1]


@maker
def lists(writer: Writer, scope: Scope) -> Made | None:
    one = some(writer, scope)
    if one is None:
        return None
    others = [k for k in scope.known if k.dims == one.dims]
    return Listing(
        [Name(one.id), *(Name(writer.pick(others).id) for _ in range(writer.random.randint(1, 2)))]
    ), one.dims


@maker
def component(writer: Writer, scope: Scope) -> Made | None:
    found = [one for one in scope.known if len(one.type.kinds) > 1]
    if not found:
        return None
    one = writer.pick(found)
    return Component(Name(one.id), writer.random.randint(1, len(one.type.kinds))), one.dims


@maker
def convert(writer: Writer, scope: Scope) -> Made | None:
    one = some(writer, scope, single=True)
    if one is None:
        return None
    goals: dict[str, tuple[str, ...]] = {
        "B": ("Z", "R", "u8", "N"), "Z": ("R", "Z", "Q", "f32", "i64", "i32", "f16"),
        "R": ("f32", "f64", "bf16", "f16", "R"), "Q": ("R", "f32"),
    }  # fmt: skip
    names = goals.get(one.type.kinds[0].family)
    if names is None:
        return None
    name = writer.pick(names)
    return Convert(Name(one.id), (named_kind(name),), (name,)), one.dims


def named_kind(name: str) -> Kind:
    return {"Z": Z, "N": N, "R": R, "Q": Q}.get(name) or machine(name)


@maker
def fold(writer: Writer, scope: Scope) -> Made | None:
    made = writer.folded(writer.pick(["Z", "R", "B", "Z", "R", "Q"]), scope, False)
    return None if made is None else (made, ())


@maker
def fold_of_lists(writer: Writer, scope: Scope) -> Made | None:
    """A state of two components, each from both."""
    one = some(writer, scope, 1, 2, single=True)
    if one is None or one.type.kinds[0].family not in ("Z", "R"):
        return None
    family = one.type.kinds[0].family
    state, element = writer.fresh("s"), writer.fresh("x")
    kind = Type(0, (plain(family, weak=True), plain("Z", weak=True)))
    inner = scope.inside(Known(state, kind), Known(element, replace(one.type, rank=0), fixed=one.fixed))
    first = writer.numeric(family, inner, True)
    second = apply("add", Component(Name(state), 2), writer.leaf("Z", inner, True))
    start = Listing([literal(0 if family == "Z" else 0.5), literal(1)])
    return Fold(Name(one.id), Listing([first, second]), start, state, element), ()


@maker
def least(writer: Writer, scope: Scope) -> Made | None:
    """The least or greatest element and where it is."""
    one = some(writer, scope, 1, single=True)
    if one is None or one.type.kinds[0].family not in ("Z", "R"):
        return None
    pairs = Map(Name(one.id), Listing([Star(), Name("k")]), iterators=("k",))
    better = writer.pick(["lt", "gt", "le", "ge"])
    test = apply(better, Component(Name("x"), 1), Component(Name("s"), 1))
    start = literal(float("inf") if better in ("lt", "le") else float("-inf"))
    if one.type.kinds[0].family == "Z":
        start = literal(100 if better in ("lt", "le") else -100)
    return Fold(pairs, If(test, Name("x"), Name("s")), Listing([start, literal(0)])), ()


@maker
def running(writer: Writer, scope: Scope) -> Made | None:
    """A state that grows by one each step: running results."""
    one = some(writer, scope, 1, single=True)
    if one is None or one.type.kinds[0].family not in ("Z", "R"):
        return None
    last = Member(Name("s"), [Length(Name("s"), 1)])
    function = writer.pick(["add", "max", "min", "sub"])
    step = apply(function, last, Name("x"), sign=function in ("add", "sub"))
    fold = Fold(Name(one.id), Blocks([Name("s"), step]), Blocks([literal(0)]))
    return (Member(fold, [Range(literal(2), None)]), one.dims) if writer.chance(60) else (fold, (None,))


@maker
def filtered(writer: Writer, scope: Scope) -> Made | None:
    """A state that grows where a condition holds."""
    one = some(writer, scope, 1)
    if one is None:
        return None
    element = writer.fresh("x")
    inner = scope.only(lambda known: not known.dims).inside(Known(element, replace(one.type, rank=0), fixed=one.fixed))
    condition = writer.condition(inner)
    if condition is None:
        return None
    return Fold(Name(one.id), If(condition, Blocks([Name("s"), Name(element)]), Name("s")), Zeros([literal(0)]),
                element=element), (None,)  # fmt: skip


@maker
def shrinking(writer: Writer, scope: Scope) -> Made | None:
    """A state that is shorter after every step."""
    one = some(writer, scope, 1)
    if one is None:
        return None
    steps = writer.pick([0, 1, 2, 3])
    form = writer.random.randrange(4)
    if form == 0:
        body: Node = Member(Name("s"), [Range(literal(2), None)])
    elif form == 1:
        body = Member(Name("s"), [Range(None, apply("sub", Length(Name("s"), 1), literal(1)))])
    elif form == 2 and one.type.kinds[0].family in ("Z", "R") and len(one.type.kinds) == 1:
        pair = apply("add", Member(Name("s"), [Name("k")]), Member(Name("s"), [apply("add", Name("k"), literal(1))]))
        body = Map(Zeros([apply("sub", Length(Name("s"), 1), literal(1))]), pair, iterators=("k",))
    else:
        half = apply("div", Length(Name("s"), 1), literal(2))
        body = Member(Name("s"), [Range(literal(1), half)])
    if form == 3 and writer.chance(50):
        return Fold(Zeros([literal(steps)]), body, Name(one.id)), (None,)
    subject = Zeros([apply("max", apply("sub", one.dims[0].node(), literal(steps)), literal(0), sign=False)])
    return Fold(subject if writer.chance(60) else Zeros([literal(steps)]), body, Name(one.id)), (None,)


@maker
def put(writer: Writer, scope: Scope) -> Made | None:
    """A histogram: a state changed at one coordinate a step."""
    one = some(writer, scope, 1, single=True, family="Z")
    if one is None:
        return None
    bins = writer.pick([1, 3, 8])
    place, name = apply("add", literal(1), apply("mod", Name("x"), literal(bins))), writer.fresh("j")
    change = apply("add", Member(Name("s"), [Name(name)]), writer.pick([literal(1), Name("x")]))
    before = Member(Name("s"), [Range(literal(1), apply("sub", Name(name), literal(1)))])
    after = Member(Name("s"), [Range(apply("add", Name(name), literal(1)), None)])
    return Fold(Name(one.id), Let(name, place, Blocks([before, change, after])), Zeros([literal(bins)])), (count(bins),)


@maker
def sort(writer: Writer, scope: Scope) -> Made | None:
    one = some(writer, scope, 1, single=True)
    if one is None or one.type.kinds[0].family not in ("Z", "R", "Q"):
        return None
    name = writer.fresh("k")
    before = Map(Name("s"), apply(writer.pick(["le", "lt"]), Star(), Name("x")))
    place = basic_fold("add", before, literal(0))
    inserted = Blocks([Member(Name("s"), [Range(literal(1), Name(name))]), Name("x"),
                       Member(Name("s"), [Range(apply("add", Name(name), literal(1)), None)])])  # fmt: skip
    return Fold(Name(one.id), Let(name, place, inserted), Zeros([literal(0)])), one.dims


@maker
def fold_of_tensors(writer: Writer, scope: Scope) -> Made | None:
    """A state that is a ToL, changed as a whole."""
    one = some(writer, scope, 1, 2, single=True)
    if one is None or one.type.kinds[0].family not in ("Z", "R"):
        return None
    state, element = writer.fresh("s"), writer.fresh("x")
    steps = Zeros([literal(writer.pick([0, 1, 3]))])
    names = tuple(writer.fresh("i") for _ in one.dims)
    inner = scope.only(lambda known: not known.dims)
    inner = inner.inside(Known(state, one.type, one.dims), star=Known(ELEMENT, one.type, one.dims, one.fixed),
                         iterators=list(zip(names, one.dims, strict=True)))  # fmt: skip
    body = Map(Name(state), writer.numeric(one.type.kinds[0].family, inner, True), iterators=names)
    return Fold(steps, body, Name(one.id), state, element), one.dims


@maker
def bundle(writer: Writer, scope: Scope) -> Made | None:
    """A state of parts of different shapes, of which one is taken."""
    one = some(writer, scope, 1, single=True)
    if one is None or one.type.kinds[0].family not in ("Z", "R"):
        return None
    family = one.type.kinds[0].family
    grown = Blocks([Component(Name("s"), 1), apply("add", Name("x"), Component(Name("s"), 2))])
    total = apply("max", Component(Name("s"), 2), Name("x"), sign=False)
    start = Listing([Zeros([literal(0)]), literal(0 if family == "Z" else 0.5)], bundle=True)
    if writer.chance(40):
        shorter = Member(Component(Name("s"), 1), [Range(literal(2), None)])
        fold = Fold(Zeros([literal(writer.pick([0, 1, 2]))]), Listing([shorter, apply("add", Component(Name("s"), 2), literal(1))],
                    bundle=True), Listing([Name(one.id), literal(0)], bundle=True))  # fmt: skip
        position = writer.pick([1, 2])
        return Component(fold, position), ((None,) if position == 1 else ())
    position = writer.pick([1, 2])
    fold = Fold(Name(one.id), Listing([grown, total], bundle=True), start)
    return Component(fold, position), (one.dims if position == 1 else ())


@maker
def gather(writer: Writer, scope: Scope) -> Made | None:
    """Members at coordinates from data."""
    index = some(writer, scope, 1, single=True, family="Z")
    one = some(writer, scope, 1, 2)
    if index is None or one is None:
        return None
    inside = apply("add", literal(1), apply("mod", Star(), one.dims[0].node()))
    return Map(Name(index.id), Member(Name(one.id), [inside])), (*index.dims, *one.dims[1:])


@maker
def choice_of_lengths(writer: Writer, scope: Scope) -> Made | None:
    one = some(writer, scope, 1)
    if one is None:
        return None
    numerics = scope.only(lambda known: known.type.rank < 2)
    writer.fuel = min(writer.fuel, 5)
    condition = writer.condition(numerics)
    if condition is None:
        return None
    shorter = (
        Member(Name(one.id), [Range(literal(2), None)]) if writer.chance(50) else Blocks([Name(one.id), Name(one.id)])
    )
    return If(condition, Name(one.id), shorter), (None,)


@maker
def product(writer: Writer, scope: Scope) -> Made | None:
    """A sum of products over a common dimension, or another pair of functions."""
    one = some(writer, scope, 2, single=True)
    if one is None or one.type.kinds[0].family not in ("Z", "R"):
        return None
    others = [k for k in scope.known if k.type.rank == 2 and k.dims[0] == one.dims[1] and len(k.type.kinds) == 1]
    others = [k for k in others if k.type.kinds[0].family in ("Z", "R")]
    if not others:
        return None
    other = writer.pick(others)
    combine, start, inner = writer.pick([("add", 0, "mul"), ("min", 50, "add"), ("max", -50, "mul"), ("add", 0, "max")])
    term = apply(inner, Member(Name(one.id), [Name("i"), Name("k")]), Member(Name(other.id), [Name("k"), Name("j")]))
    body = basic_fold(combine, Map(Zeros([one.dims[1].node()]), term, iterators=("k",)), literal(start))
    dims = one.dims[0], other.dims[1]
    return Map(Zeros([dim.node() for dim in dims]), body, iterators=("i", "j")), dims


@maker
def nested_folds(writer: Writer, scope: Scope) -> Made | None:
    """A fold in a fold, over rows."""
    one = some(writer, scope, 2, single=True)
    if one is None or one.type.kinds[0].family not in ("Z", "R"):
        return None
    inner = Fold(Member(Name(one.id), [Name("r")]), apply(writer.pick(["add", "max", "sub"]), Name("t"), Name("y")), Name("s"),
                 "t", "y")  # fmt: skip
    rows = Fold(Zeros([one.dims[0].node()]), inner, literal(writer.pick([0, 1])), "s", "x", "r")
    return rows, ()


@maker
def numeric(writer: Writer, scope: Scope) -> Made | None:
    return writer.numeric(writer.pick(["Z", "R", "B", "Q", "S", "C"]), scope), ()
