"""Random programs with data: what `programs.py` judges.  Everything follows from one number, the seed of a program."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from tests.fuzz import edges
from tests.fuzz.cells import Tol
from tests.fuzz.kinds import FLOATS, WHOLE, B, C, Kind, N, Q, R, S, Z, machine
from tests.fuzz.makers import MAKERS, Made
from tests.fuzz.numbers import limits, rounded
from tests.fuzz.tree import Apply, Call, Fold, Function, Name, Node, Random, Type
from tests.fuzz.typed import Vector, typed
from tests.fuzz.writer import SMOOTH, Dim, Known, Scope, Writer, decided, varies

SIZES = (0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 33, 65)
LARGEST = 400
"""How many elements an input has at most."""

SPACES: dict[str, tuple[str, Kind]] = {
    "byte": ("space byte: N [0,255]", Kind("N", "u8", bounds=(0, 255))),
    "small": ("space small: Z [-8,8]", Kind("Z", "i8", bounds=(-8, 8))),
}
WHOLE_KINDS = ("Z", "Z", "Z", "N", "byte", "small", *WHOLE)
REAL_KINDS = ("R", "R", "R", "R of f32", *FLOATS)
OTHER_KINDS = ("B", "B", "Q", "S", "C")


@dataclass(frozen=True)
class Input:
    id: str
    space: str
    kind: Kind
    dims: tuple[Dim, ...]

    def text(self) -> str:
        return f"tol {self.id}: {self.space}" + (f" [{', '.join(dim.text for dim in self.dims)}]" if self.dims else "")


@dataclass(frozen=True)
class Definition:
    """An exported value.  `rounded` ones depend on functions that engines compute otherwise, `regrouped` ones on folds."""

    id: str
    node: Node
    maker: str
    rounded: bool = False
    regrouped: bool = False
    random: bool = False

    def text(self) -> str:
        return f"{self.id} := {self.node.text()}"


@dataclass(frozen=True)
class Data:
    sizes: Mapping[str, int]
    inputs: Mapping[str, Tol]


@dataclass(frozen=True)
class Program:
    inputs: tuple[Input, ...]
    functions: tuple[Function, ...]
    definitions: tuple[Definition, ...]
    data: tuple[Data, ...] = field(repr=False)
    seed: str = ""

    def text(self) -> str:
        named = sorted({one.space for one in self.inputs if one.space in SPACES})
        lines = [SPACES[name][0] for name in named]
        lines += [one.text() for one in self.inputs]
        lines += [one.text() for one in self.functions]
        lines += [one.text() for one in self.definitions]
        return "\n".join(lines)

    def types(self) -> dict[str, Any]:
        """Fills in the types of all nodes, and gives those of all names."""
        scope: dict[str, Any] = {one.id: Type(len(one.dims), (one.kind,)) for one in self.inputs}
        scope.update({name: Type(0, (Kind("N", "i64", weak=True),)) for name in ("n", "m")})
        for one in self.definitions:
            scope[one.id] = typed(one.node, scope)
        return scope


def kind_of(space: str) -> Kind:
    if space in SPACES:
        return SPACES[space][1]
    if space == "R of f32":
        return Kind("R", "f32")
    return {"Z": Z, "N": N, "R": R, "B": B, "Q": Q, "S": S, "C": C}.get(space) or machine(space)


LEFT_OUT: set[str] = set()
"""Makers that are not asked, since what they show is known."""


def program(seed: str) -> Program:
    """The program of a seed."""
    generator = random.Random(seed)
    if generator.random() < 0.15:
        return edges.program(seed, generator)
    inputs = _inputs(generator)
    extreme = generator.random() < 0.25
    writer = Writer(generator)
    known = [Known(one.id, Type(len(one.dims), (one.kind,)), one.dims) for one in inputs]
    functions = [_function(writer) for _ in range(generator.choice([0, 0, 1, 2]))]
    scope = Scope(known, iterators=[])
    definitions: list[Definition] = []
    for number in range(1, generator.choice([2, 3, 4, 5]) + 1):
        made = _definition(writer, scope, f"r{number}")
        if made is None:
            continue
        definition, fresh = made
        definitions.append(definition)
        if fresh is not None:
            scope = scope.inside(fresh)
    used = {one.id for d in definitions for one in d.node.walk() if isinstance(one, Call)}
    kept = tuple(f for f in functions if f.id in used)
    data = tuple(_data(generator, inputs, extreme) for _ in range(2))
    return Program(tuple(inputs), kept, tuple(definitions), data, seed)


def _inputs(generator: random.Random) -> list[Input]:
    palette = [generator.choice(WHOLE_KINDS), generator.choice(REAL_KINDS), generator.choice(OTHER_KINDS)]
    dims = (Dim("n"), Dim("m"), Dim("n"), Dim("3"), Dim("2"))
    found: list[Input] = []
    for name in "abcd"[: generator.choice([2, 3, 3, 4])]:
        space = generator.choice([*palette[:2], *palette[:2], *palette])
        rank = generator.choice([0, 1, 1, 1, 1, 2, 2, 3])
        shape = tuple(generator.choice(dims) for _ in range(rank))
        found.append(Input(name, space.removesuffix(" of f32"), kind_of(space), shape))
    return found


def _function(writer: Writer) -> Function:
    """A definition with parameters, known to the writer from then on."""
    families = tuple(writer.pick(["Z", "R", "B"]) for _ in range(writer.random.randint(1, 2)))
    names = tuple(writer.fresh("p") for _ in families)
    kinds = {"Z": Z, "R": R, "B": B}
    scope = Scope([Known(name, Type(0, (kinds[one],))) for name, one in zip(names, families, strict=True)])
    writer.fuel = 6
    result = writer.pick(["Z", "R", "B"])
    made = Function(writer.fresh("f"), names, writer.numeric(result, scope, exact=True))
    writer.functions.append((made, families, result))
    return made


def _definition(writer: Writer, scope: Scope, name: str) -> tuple[Definition, Known | None] | None:
    """A definition by some maker, and what is then known, where later ones may use it."""
    for _ in range(8):
        construct = writer.pick([one for one in MAKERS if one not in LEFT_OUT])
        writer.fuel = writer.random.choice([3, 6, 10, 16])
        made = MAKERS[construct](writer, scope)
        kind = None if made is None else writer.fits(made[0], scope)
        if made is None or kind is None:
            continue
        fixed = {one.id: one.fixed for one in scope.known}
        if decided(made[0], fixed):
            continue
        definition = _judged(name, made, construct)
        kind = replace(kind, kinds=tuple(replace(one, weak=False) for one in kind.kinds), blank=False)
        plain = not (definition.rounded or definition.regrouped or definition.random)
        known = _known(name, made, kind, not varies(made[0], fixed))
        return definition, known if plain and len(kind.kinds) <= 4 else None
    return None


def _known(name: str, made: Made, kind: Type, fixed: bool) -> Known:
    dims = tuple(dim or Dim(f"|{name}|[{axis}]", name, axis) for axis, dim in enumerate(made[1], 1))
    return Known(name, kind, dims, fixed)


def _judged(name: str, made: Made, construct: str) -> Definition:
    """A definition with what is known of how exactly engines agree on it."""
    nodes = list(_everything(made[0]))
    real = {"R", "C"}
    rough = any(isinstance(one, Apply) and (one.function in SMOOTH or _is_rough(one)) for one in nodes)
    folds = any(isinstance(one, Fold) and any(k.family in real for k in _kinds(one)) for one in nodes)
    return Definition(name, made[0], construct, rough, folds, any(isinstance(one, Random) for one in nodes))


def _everything(node: Node) -> Iterator[Node]:
    """All nodes of a tree, those of called bodies too."""
    for one in node.walk():
        yield one
        if isinstance(one, Call):
            yield from _everything(one.body)


def _is_rough(node: Apply) -> bool:
    """Whether C libraries and compilers may differ in the last place: powers, and complex numbers."""
    families = {kind.family for kind in node.type.kinds} | {k.family for a in node.arguments for k in a.type.kinds}
    return (node.function == "pow" and "R" in families) or (
        "C" in families and node.function not in ("add", "sub", "neg")
    )


def _kinds(node: Node) -> list[Kind]:
    found = node.type
    return [kind for part in ((found,) if isinstance(found, Type) else found) for kind in part.kinds]


def _data(generator: random.Random, inputs: list[Input], extreme: bool) -> Data:
    """Lengths, and numbers for the inputs."""
    while True:
        sizes = {name: generator.choice(SIZES) for name in ("n", "m")}
        volumes = [math.prod(int(d.text) if d.text.isdigit() else sizes[d.text] for d in one.dims) for one in inputs]
        if max(volumes) <= LARGEST:
            break
    values = {one.id: _numbers(generator, one, sizes, extreme) for one in inputs}
    return Data(sizes, values)


def _numbers(generator: random.Random, one: Input, sizes: Mapping[str, int], extreme: bool) -> Tol:
    shape = tuple(int(dim.text) if dim.text.isdigit() else sizes[dim.text] for dim in one.dims)
    cells = [(_number(generator, one.kind, extreme and generator.random() < 0.4),) for _ in range(math.prod(shape))]
    return Tol(shape, cells)


def _number(generator: random.Random, kind: Kind, extreme: bool) -> Any:
    match kind.family:
        case "B":
            return generator.random() < 0.5
        case "Z":
            low, high = kind.bounds or ((0, 2**63 - 1) if kind.space == "N" else limits(kind.storage))
            if extreme:
                return generator.choice([low, high, low + 1, high - 1, 0, min(high, 2**31), min(high, 2**53 + 1)])
            return generator.randint(max(low, -4), min(high, 6))
        case "R":
            if extreme:
                largest, tiny = _extremes(kind.storage)
                return generator.choice([math.nan, math.inf, -math.inf, -0.0, 0.0, largest, -largest, tiny, -tiny, 1.0])
            return generator.randint(-16, 16) / 8
        case "Q":
            return Fraction(generator.randint(-6, 6), generator.randint(1, 4))
        case "C":
            return complex(generator.randint(-2, 2), generator.randint(-2, 2))
    return generator.choice(["a", "b", "", "zz", "é"])


def _extremes(storage: str) -> tuple[float, float]:
    """The largest finite float and the smallest above zero, which is denormal."""
    largest = {
        "f16": 65504.0,
        "bf16": 3.3895313892515355e38,
        "f32": 3.4028234663852886e38,
        "f64": 1.7976931348623157e308,
    }
    tiny = {"f16": 2.0**-24, "bf16": 2.0**-133, "f32": 2.0**-149, "f64": 5e-324}
    return rounded(largest[storage], storage), rounded(tiny[storage], storage)


__all__ = ["Data", "Definition", "Input", "Name", "Program", "Vector", "program"]
