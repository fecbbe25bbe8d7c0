"""Random programs that go the ways of all strategies, one after the other: what `pieces.py` judges beside the generator's.

A way is the text of an expression over values at hand.  Programs are text, for no judge here needs more of them than
what they give whole: conditions that are constants, states that nothing changes, and what folds begin with come from
data or are written out, each as likely as the other.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

SIZES = (0, 1, 2, 3, 5, 7, 16, 33, 65, 301)
LONG = 270_001
"""A length of vectors whose scans and sums are cut into several pieces on one machine as well."""
NUMBERS = ("R", "R", "Z", "Z", "i32", "f32", "u8", "C", "B", "N")
DTYPES = {
    "R": np.float64, "Z": np.int64, "N": np.int64, "N*": np.int64, "i32": np.int32, "f32": np.float32, "u8": np.uint8,
    "C": np.complex128, "B": np.bool_,
}  # fmt: skip
ORDERED = ("R", "Z", "N", "N*", "i32", "f32", "u8")
EXTREMES = (np.nan, np.inf, -np.inf, -0.0, 1e300, 5e-324)


@dataclass(frozen=True)
class Value:
    """Something with a name: its space, and its lengths; `None` where only running tells one."""

    name: str
    space: str
    dims: tuple[str | None, ...] = ()

    @property
    def rank(self) -> int:
        return len(self.dims)

    @property
    def length(self) -> str:
        return f"|{self.name}|[1]"


@dataclass(frozen=True)
class Case:
    """A program with data."""

    seed: str
    text: str
    data: dict[str, Any] = field(repr=False)
    strict: bool = False
    long: bool = False
    ways: tuple[str, ...] = ()


Found = tuple[str, str, tuple[str | None, ...]]
"""An expression, and the space and the lengths of its value; the space is empty where nothing goes on from it."""
Way = Callable[["Writing"], Found | None]
WAYS: dict[str, Way] = {}


def way(function: Way) -> Way:
    WAYS[function.__name__.replace("_", " ").strip()] = function
    return function


@dataclass
class Writing:
    """A program on its way."""

    random: random.Random
    known: list[Value]

    def pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def some(self, *spaces: str, rank: int = 1, space: str = "") -> Value | None:
        """A value of a rank, in one of some spaces."""
        wanted = spaces or ((space,) if space else ())
        found = [one for one in self.known if one.rank == rank and (not wanted or one.space in wanted)]
        return self.random.choice(found) if found else None

    def condition(self, element: str, space: str) -> str:
        """A condition of an element, or one that is constant: written so, or as it follows from data."""
        always = ("false", "true", "1 > 2", "n >= 0", "n < 0", "flag")
        if space == "B":
            return str(self.pick(element, f"not {element}", *always))
        if space == "C":
            return str(self.pick(f"{element} == 1", f"{element} != 0", *always))
        asked = (f"{element} > 1", f"{element} <= 0", f"{element} == {element}", f"{element} != 3")
        return str(self.pick(*asked, *asked, *always))

    def numeric(self, one: Value) -> str:
        """Something to begin with, of the space of a vector: constants, elements, and what is computed of data."""
        if one.space == "B":
            return str(self.pick("true", "false", f"{one.name}[1]"))
        plain = ["0", "1", "3"] if one.space != "B" else ["true"]
        elements = [f"{one.name}[1]", f"{one.name}[{one.length}]", f"{one.name}[at]"]
        scalars = [each.name for each in self.known if not each.rank and each.space == one.space]
        return str(self.pick(*plain, *plain, *elements, *scalars))


@way
def _map(w: Writing) -> Found | None:
    one = w.some(rank=w.pick(1, 1, 2))
    if one is None:
        return None
    if one.space == "B":
        return f"map({one.name}, not *)", "B", one.dims
    body = w.pick("* + 1", "* * 2", "if * == 0 then * else * + 1", "* * *")
    if one.space in ("R", "f32"):
        body = w.pick(body, "exp(-abs(*))", "*/3", "floor(*)")
    return f"map({one.name}, {body})", one.space, one.dims


@way
def _choice_of_elements(w: Writing) -> Found | None:
    one = w.some()
    if one is None:
        return None
    return f"map({one.name}, v -> if {w.condition('v', one.space)} then v else {one.name}[1])", one.space, one.dims


@way
def _halo(w: Writing) -> Found | None:
    one = w.some("R", "Z", "i32", "f32", "C")
    if one is None:
        return None
    v, d = one.name, w.pick(1, 1, 2, 3)
    return (
        f"map({v}, if i > {d} and i <= {one.length} - {d} then {v}[i-{d}] + {v}[i+{d}] else *, i)",
        one.space,
        one.dims,
    )


@way
def _turned_around(w: Writing) -> Found | None:
    one = w.some()
    return None if one is None else (f"map({one.name}, {one.name}[{one.length} + 1 - i], i)", one.space, one.dims)


@way
def _columns(w: Writing) -> Found | None:
    one = w.some("R", "Z", "i32", "f32", rank=2)
    if one is None:
        return None
    x, function = one.name, w.pick("add", "max", "min")
    along = w.pick(("2", "1", "k,i"), ("1", "2", "i,k"))
    own, other = f"|{x}|[{along[0]}]", f"|{x}|[{along[1]}]"
    start = w.pick("0", "1", f"{x}[1,1]")
    fold = f"reduce(map(tol[{other}], {x}[{along[2]}], k), {function}, {start})"
    return f"map(tol[{own}], {fold}, i)", one.space, (one.dims[int(along[0]) - 1],)


@way
def _matrix(w: Writing) -> Found | None:
    """A product, or another contraction, of a matrix and one with its columns as rows."""
    one = w.some("R", "Z", "f32", rank=2)
    if one is None:
        return None
    x = one.name
    two, function, start = w.pick(("*", "add", "0"), ("+", "min", "9"), ("*", "max", "0"), ("*", "add", "0"))
    fold = f"reduce(map(tol[|{x}|[2]], {x}[i,k] {two} {x}[j,k], k), {function}, {start})"
    return f"map(tol[|{x}|[1],|{x}|[1]], {fold}, [i,j])", one.space, (one.dims[0], one.dims[0])


@way
def _turned(w: Writing) -> Found | None:
    one = w.some(rank=2)
    if one is None:
        return None
    return f"map(tol[|{one.name}|[2],|{one.name}|[1]], {one.name}[j,i], [i,j])", one.space, one.dims[::-1]


@way
def _outer(w: Writing) -> Found | None:
    one = w.some("R", "Z", "i32")
    if one is None or one.dims == ("long",):
        return None
    v = one.name
    return f"map(tol[{one.length},3], {v}[i] * j, [i,j])", one.space, (*one.dims, "3")


@way
def _softmax(w: Writing) -> Found | None:
    one = w.some("R", rank=2)
    return None if one is None else (f"softmax({one.name})", "R", one.dims)


@way
def _fold(w: Writing) -> Found | None:
    one = w.some("R", "Z", "i32", "f32", "u8", "N", rank=w.pick(1, 1, 1, 2))
    if one is None:
        return None
    start = w.numeric(one) if one.rank == 1 else w.pick("0", f"{one.name}[1,1]")
    return f"reduce({one.name}, {w.pick('add', 'max', 'min', 'mul')}, {start})", "", ()


@way
def _fold_of_products(w: Writing) -> Found | None:
    one = w.some("R", "f32", "Z")
    return None if one is None else (f"reduce(map({one.name}, * * * + 1), add, {w.numeric(one)})", "", ())


@way
def _numeric(w: Writing) -> Found | None:
    """A numeric that later folds may begin with."""
    one = w.some("R", "Z")
    return (
        None if one is None else (f"reduce({one.name}, {w.pick('max', 'min', 'add')}, {w.numeric(one)})", one.space, ())
    )


@way
def _recurrence(w: Writing) -> Found | None:
    one = w.some("R", "f32")
    if one is None:
        return None
    body = w.pick("s/2 + e", "s - e/3", "if e > s then e else s/2", f"if {w.condition('e', 'R')} then e else s")
    return f"reduce({one.name}, (s,e) -> {body}, {w.numeric(one)})", "", ()


@way
def _place_of_one(w: Writing) -> Found | None:
    one = w.some(*ORDERED)
    if one is None:
        return None
    relation, start = w.pick("<", ">", "<=", ">="), w.numeric(one)
    pairs = w.pick("(*, iter)", "(*, i), i")
    body = f"if e[1]' {relation} s[1]' then e else s"
    return f"reduce(map({one.name}, {pairs}), (s,e) -> {body}, ({start}, {w.pick('0', '1')}))", "", ()


@way
def _two_states(w: Writing) -> Found | None:
    one = w.some("R", "Z")
    if one is None:
        return None
    return f"reduce({one.name}, (s,e) -> (s[1]' + e, max(s[2]', s[1]')), ({w.numeric(one)}, {w.numeric(one)}))", "", ()


@way
def _scan(w: Writing) -> Found | None:
    one = w.some("R", "Z", "i32", "f32")
    if one is None:
        return None
    if w.random.random() < 0.5 and one.space in ("R", "Z"):
        return f"cumulative_sum({one.name})", one.space, one.dims
    step = w.pick("s[|s|[1]] + e", "max(s[|s|[1]], e)", "s[|s|[1]] - e")
    return f"reduce({one.name}, (s,e) -> [s, {step}], [{w.numeric(one)}])", one.space, (None,)


@way
def _sort(w: Writing) -> Found | None:
    one = w.some(*ORDERED)
    return None if one is None else (f"sort({one.name})", one.space, one.dims)


@way
def _order(w: Writing) -> Found | None:
    one = w.some(*ORDERED)
    return None if one is None else (f"argsort({one.name}, 1, {w.pick('true', 'false')})", "N*", one.dims)


@way
def _different(w: Writing) -> Found | None:
    one = w.some("Z", "N", "R", "i32")
    return None if one is None else (f"unique(sort({one.name}))", one.space, (None,))


@way
def _ranks(w: Writing) -> Found | None:
    one = w.some("Z", "R", "N")
    return None if one is None else (f"distinct({one.name})", one.space, (None,))


@way
def _searched(w: Writing) -> Found | None:
    one, two = w.some("R", "Z"), w.some("R", "Z")
    if one is None or two is None or one.space != two.space:
        return None
    return f"{{ keys = sort({one.name}); map({two.name}, searchsorted(keys, *)) }}", "N", two.dims


@way
def _filter(w: Writing) -> Found | None:
    one = w.some()
    if one is None:
        return None
    test = w.condition("e", one.space)
    kept = w.pick("e", "e", "e") if one.space == "B" else w.pick("e", "e", "e * 2", "e + 1")
    start = w.pick("[]", "[]", "[]", "tol[0]")
    return f"reduce({one.name}, (s,e) -> if {test} then [s, {kept}] else s, {start})", one.space, (None,)


@way
def _filter_by_place(w: Writing) -> Found | None:
    one = w.some()
    if one is None:
        return None
    test = w.pick("e[2]' % 2 == 1", "e[2]' > 3", "false", "e[2]' > n", "flag")
    return f"reduce(map({one.name}, (*, k), k), (s,e) -> if {test} then [s, e[1]'] else s, [])", one.space, (None,)


@way
def _filter_of_rows(w: Writing) -> Found | None:
    one = w.some("R", "Z", "i32", rank=2)
    if one is None:
        return None
    x, test = one.name, w.pick("false", "true", "n < 0", "flag", f"{one.name}[k,1] > 0", f"{one.name}[k,1] > 0")
    rows = f"reduce(tol[|{x}|[1]], (s,e,k) -> if {test} then [[s],[{x}[k,:]]] else s, tol[0,|{x}|[2]])"
    return rows, one.space, (None, one.dims[1])


@way
def _filter_of_pairs(w: Writing) -> Found | None:
    one = w.some("R", "Z")
    if one is None:
        return None
    return (
        f"reduce(map({one.name}, (*, k), k), (s,r) -> if {w.condition('r[1]' + chr(39), one.space)} then [s,r] else s, [])",
        "",
        (None,),
    )


@way
def _counts(w: Writing) -> Found | None:
    one = w.some("N*")
    if one is None:
        return None
    bins = w.pick("n", "10", "200", "0")
    return f"bincount({one.name}, max({bins}, most))", "N", (None,)


@way
def _sums_by_label(w: Writing) -> Found | None:
    one, places = w.some("R", "Z"), w.some("N*")
    if one is None or places is None:
        return None
    function = w.pick("s[p] + v", "max(s[p], v)", "v", "s[p] - v")
    limit = f"if k <= {one.length} then {one.name}[k] else 0"
    return (
        f"reduce({places.name}, (s,p,k) -> {{ v = {limit}; put(s, p, {function}) }}, map(tol[most], {w.pick('0', '1')}))",
        "",
        (None,),
    )


@way
def _folds_by_label(w: Writing) -> Found | None:
    one = w.some("N*", "Z", "u8")
    if one is None:
        return None
    v = one.name
    return (
        f"map(tol[5], reduce(map({v}, if * == i then {w.pick('1', '2')} else 0), {w.pick('add', 'max')}, 0), i)",
        "Z",
        ("5",),
    )


@way
def _gather(w: Writing) -> Found | None:
    one, places = w.some(), w.some("N*")
    if one is None or places is None:
        return None
    v, k = one.name, places.name
    index = w.pick(f"{k}[i]", f"1 + {k}[i] % {one.length}", f"{k}[{places.length} + 1 - i]")
    return f"map({k}, {v}[{index}], i)", one.space, places.dims


@way
def _placed(w: Writing) -> Found | None:
    one, places = w.some("R", "Z"), w.some("N*")
    if one is None or places is None or one.dims != places.dims:
        return None
    return f"placed({one.name}, {places.name})", one.space, one.dims


@way
def _groups(w: Writing) -> Found | None:
    one, keys = w.some("R", "Z"), w.some("Z", "N*", "N")
    if one is None or keys is None or one.dims != keys.dims or None in one.dims:
        return None
    t = f"map({keys.name}, (*, {one.name}[i]), i)"
    return (
        str(w.pick(f"group_sum({t}, row -> row[1]', row -> row[2]')", f"group_count({t}, row -> row[1]')")),
        "",
        (None,),
    )


@way
def _join(w: Writing) -> Found | None:
    one, two = w.some("Z", "N*"), w.some("Z", "N*")
    if one is None or two is None or one.space != two.space or "long" in (*one.dims, *two.dims):
        return None
    both = (f"map({each.name}, (*, k), k)" for each in (one, two))
    return f"join({', '.join(both)}, row -> row[1]', row -> row[1]')", "", (None,)


@way
def _turns(w: Writing) -> Found | None:
    one = w.some("R", "f32", "Z")
    if one is None:
        return None
    steps = w.pick("0", "1", "3", "turns")
    body = w.pick("if i > 1 and i < |s|[1] then s[i-1] - s[i+1] else *", "* + 1", f"* + {one.name}[i]", "s[|s|[1] + 1 - i] - *",
                  "if * > t then * - 1 else *")  # fmt: skip
    return f"reduce(tol[{steps}], (s,e,t) -> map(s, {body}, i), {one.name})", one.space, one.dims


@way
def _turns_with_folds(w: Writing) -> Found | None:
    one = w.some("R")
    if one is None:
        return None
    return (
        f"reduce(tol[{w.pick('2', 'turns')}], (s,e) -> {{ m = reduce(s, max, 1); map(s, */m + 1) }}, {one.name})",
        "R",
        one.dims,
    )


@way
def _turns_of_matrices(w: Writing) -> Found | None:
    one = w.some("R", "Z", rank=2)
    if one is None:
        return None
    inner = "i > 1 and i < |s|[1]"
    return (
        f"reduce(tol[{w.pick('1', 'turns')}], (s,e) -> map(s, if {inner} then s[i-1,j] - s[i+1,j] else *, [i,j]), {one.name})",
        one.space,
        one.dims,
    )


@way
def _shorter(w: Writing) -> Found | None:
    one = w.some()
    if one is None:
        return None
    return (
        str(w.pick(f"{one.name}[2:]", f"{one.name}[at:]", f"{one.name}[1:turns]", f"{one.name}[at:{one.length}]")),
        one.space,
        (None,),
    )


@way
def _length(w: Writing) -> Found | None:
    one = w.some(rank=w.pick(1, 2))
    return None if one is None else (f"|{one.name}|", "", ("1",))


@way
def _one_of_two(w: Writing) -> Found | None:
    one = w.some()
    if one is None:
        return None
    other = w.pick(f"{one.name}[2:]", f"[{one.name}, {one.name}]", one.name)
    return f"if {w.pick('flag', 'n > 3', 'at > 1')} then {one.name} else {other}", one.space, (None,)


@way
def _together(w: Writing) -> Found | None:
    one, two = w.some(), w.some()
    if one is None or two is None or one.space != two.space:
        return None
    return f"[{one.name}, {two.name}]", one.space, (None,)


@way
def _drawn(w: Writing) -> Found | None:
    one = w.some("R")
    return None if one is None else (f"map({one.name}, * + rand(1), i)", "R", one.dims)


@way
def _inserted(w: Writing) -> Found | None:
    """A state changed where it is, at coordinates of its own or of data."""
    one = w.some("R", "Z")
    if one is None or "long" in one.dims:
        return None
    return (
        f"reduce({one.name}, (s,v,i) -> put(s, i, {w.pick('v * s[i]', 's[i] + s[1]', 's[at] + v')}), {one.name})",
        one.space,
        one.dims,
    )


def case(seed: str) -> Case:
    """The program of a seed."""
    generator = random.Random(seed)
    long = generator.random() < 0.04
    sizes = {"n": generator.choice(SIZES), "m": generator.choice(SIZES[:-2]), "long": LONG}
    inputs = [Value("flag", "B"), Value("at", "N*"), Value("turns", "N"), Value("most", "N")]
    for name in "abcd"[: generator.choice((2, 3, 4))]:
        dims: tuple[str, ...] = generator.choice((("n",), ("n",), ("n",), ("m",), ("n", "m"), ("n", "m")))
        space = generator.choice(NUMBERS if len(dims) == 1 else ("R", "R", "Z", "f32", "i32"))
        inputs.append(Value(name, space, ("long",) if long and len(dims) == 1 else dims))
    inputs.append(Value("k", "N*", ("long",) if long else (generator.choice("nm"),)))
    writing, lines, ways = Writing(generator, [one for one in inputs if one.dims]), list[str](), list[str]()
    wanted = generator.choice((1, 1, 1, 2, 2, 3))
    while len(lines) < wanted:
        name = generator.choice([*WAYS])
        found = WAYS[name](writing)
        if found is None:
            continue
        text, space, shape = found
        made = Value(f"r{len(lines) + 1}", space, shape)
        lines.append(f"{made.name} {generator.choice((':=', ':=', '=')) if len(lines) + 1 < wanted else ':='} {text}")
        ways.append(name)
        if space:
            writing.known.append(made)
    inputs.append(Value("z", "R", ("n",)))  # so that there is a size n
    declared = [
        f"tol {one.name}: {one.space}" + (f" [{','.join(map(str, one.dims))}]" if one.dims else "") for one in inputs
    ]
    text = "\n".join(["use tables", "use nn", *declared, *lines])
    used = [one for one in inputs if one.dims or any(one.name in line for line in lines)]
    data = {one.name: _numbers(generator, one, sizes) for one in used}
    unused = {f"tol {one.name}: {one.space}" for one in inputs} - {f"tol {one.name}: {one.space}" for one in used}
    text = "\n".join(line for line in text.splitlines() if line not in unused)
    return Case(seed, text, data, generator.random() < 0.3, long, tuple(ways))


def _numbers(generator: random.Random, one: Value, sizes: dict[str, int]) -> Any:
    """Numbers of an input; places are nearly always inside all vectors that they may be places of."""
    shape = tuple(sizes[str(dim)] for dim in one.dims)
    numbers = np.random.default_rng(generator.getrandbits(64))
    least = max(1, min(size for name, size in sizes.items() if name in ("n", "m")))
    match one.name, one.space:
        case "most", _:
            return max(sizes["n"], sizes["m"], 1) if sizes["n"] else 12
        case "turns", _:
            return generator.choice((0, 1, 2, 4))
        case "at", _:
            return generator.choice((1, least))
        case _, "B":
            return numbers.random(shape) < 0.5 if shape else generator.random() < 0.5
        case _, "N*":
            return numbers.integers(1, (least if generator.random() < 0.95 else least + 1) + 1, shape)
        case _, "C":
            return numbers.integers(-2, 3, shape) + 1j * numbers.integers(-2, 3, shape)
        case _, "R" | "f32":
            found: Any = (numbers.normal(size=shape) * 4).astype(DTYPES[one.space])
            if generator.random() < 0.2 and one.space == "R":
                found[numbers.random(shape) < 0.1] = generator.choice(EXTREMES)
            return np.round(found) if generator.random() < 0.3 else found
    low = 0 if one.space in ("N", "u8") else -4
    return numbers.integers(low, generator.choice((2, 7, 100)), shape).astype(DTYPES[one.space])
