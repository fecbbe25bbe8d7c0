"""Programs whose lengths and coordinates come from data at the edges of 64 bits: negative, no number, beyond all memory.

Each has one result and many data, since what goes wrong ends a run.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.fuzz.cells import Tol
from tests.fuzz.kinds import Kind, N, R, Z, machine
from tests.fuzz.tree import Blocks, Fold, If, Length, Map, Member, Name, Node, Range, Reshape, Star, Zeros
from tests.fuzz.writer import Dim, apply, basic_fold, literal

if TYPE_CHECKING:
    from tests.fuzz.generator import Program

FAR = (
    0, 1, 2, 3, -1, -2, -5, 2**31 - 1, 2**31, 2**32, 2**32 + 1, 2**53, 2**53 + 1, 2**61, 2**62, 2**62 + 1, 2**63 - 2,
    2**63 - 1, -(2**31), -(2**32), -(2**53), -(2**62), -(2**63), -(2**63) + 1,
)  # fmt: skip
FLOAT = (0.0, 1.0, 2.9, -0.5, -1.0, 0.99, math.nan, math.inf, -math.inf, 1e18, 9.3e18, -1e300, 2.0**63, 4.5e15, 1e300)
DATA = 10


def _far(generator: random.Random, name: str) -> Node:
    """A coordinate that follows from a number of the data."""
    far: Node = Name(name)
    factor, offset = generator.choice([1, 1, 2, 4, 8, -1, 3]), generator.choice([0, 0, 1, -1, 2, 5])
    if factor != 1:
        far = apply("mul", literal(factor), far) if factor > 0 else apply("neg", far)
    form = generator.randrange(6)
    if form == 0:
        far = apply("div", far, literal(2))
    elif form == 1:
        far = apply("mul", far, Name(name))
    elif form == 2:
        far = apply("add", far, Name(name))
    if offset:
        far = apply("add", far, literal(offset)) if offset > 0 else apply("sub", far, literal(-offset))
    return far


def _member(generator: random.Random, e: str) -> Node:
    return Member(Name("x"), [_far(generator, e)])


def _range(generator: random.Random, e: str) -> Node:
    low, high = generator.choice([(literal(1), _far(generator, e)), (_far(generator, e), None),
                                  (_far(generator, e), _far(generator, e))])  # fmt: skip
    if generator.random() < 0.3:
        far = _far(generator, e)
        low, high = far, apply("add", _far(generator, e), literal(2))
    return Member(Name("x"), [Range(low, high)])


def _total(generator: random.Random, e: str) -> Node:
    return basic_fold(generator.choice(["add", "max"]), _range(generator, e), literal(0))


def _zeros(generator: random.Random, e: str) -> Node:
    zeros = Zeros([_far(generator, e)])
    return generator.choice([zeros, Length(zeros, 1), basic_fold("add", zeros, literal(1))])


def _in_map(generator: random.Random, e: str) -> Node:
    """A coordinate from an iterator and data."""
    far = apply("add", apply("mul", Name("i"), Name(e)), literal(generator.choice([0, 1, 2])))
    if generator.random() < 0.4:
        far = apply("add", Name("i"), _far(generator, e))
    member: Node = Member(Name("x"), [far])
    if generator.random() < 0.3:
        member = basic_fold("add", Member(Name("x"), [Range(far, apply("add", far, literal(1)))]), literal(0))
    if generator.random() < 0.3:
        inside = apply("and", apply("ge", far, literal(1)), apply("le", far, Name("n")))
        member = If(inside, member, literal(0))
    return Map(Name("x"), member, iterators=("i",))


def _gather(generator: random.Random, e: str) -> Node:
    far = apply("mul", Star(), literal(generator.choice([1, 2, 4]))) if generator.random() < 0.7 else Star()
    return Map(Name("k"), Member(Name("x"), [far]))


def _lengths_in_map(generator: random.Random, e: str) -> Node:
    zeros = Zeros([generator.choice([Star(), apply("mul", Star(), literal(2)), apply("sub", Star(), literal(1))])])
    return Map(Name("k"), generator.choice([basic_fold("add", zeros, literal(1)), Length(zeros, 1)]))


def _until(generator: random.Random, e: str) -> Node:
    """A fold whose state becomes a coordinate."""
    grown = Fold(Name("x"), apply("add", Name("s"), Name(e)), literal(1))
    return Member(Name("x"), [grown])


def _joined(generator: random.Random, e: str) -> Node:
    return Blocks([Name("x"), _range(generator, e)])


def _reshaped(generator: random.Random, e: str) -> Node:
    return Reshape(Name("x"), [_far(generator, e)])


MAKERS: tuple[Callable[[random.Random, str], Node], ...] = (
    _member, _member, _range, _range, _total, _zeros, _in_map, _in_map, _gather, _lengths_in_map, _until, _joined, _reshaped,
)  # fmt: skip


def program(seed: str, generator: random.Random) -> Program:
    """A program of one result, with far data."""
    from tests.fuzz.generator import Data, Definition, Input, Program

    space, kind = generator.choice([("Z", Z), ("Z", Z), ("N", N), ("R", R), ("i64", machine("i64")), ("i32", machine("i32")),
                                    ("u64", machine("u64")), ("f32", machine("f32"))])  # fmt: skip
    inputs = (
        Input("x", "R", R, (Dim("n"),)), Input("e", space, kind, ()), Input("k", space, kind, (Dim("m"),)),
    )  # fmt: skip
    maker = generator.choice(MAKERS)
    if maker in (_gather, _lengths_in_map) and kind.machine:
        space, kind = "Z", Z
        inputs = inputs[0], Input("e", space, kind, ()), Input("k", space, kind, (Dim("m"),))
    node = maker(generator, "e")
    data = []
    for _ in range(DATA):
        sizes = {"n": generator.choice([0, 1, 3, 8]), "m": generator.choice([0, 1, 2])}
        far = [(_number(generator, kind),) for _ in range(1 + sizes["m"])]
        values = {"x": Tol((sizes["n"],), [(k / 8,) for k in range(1, sizes["n"] + 1)]), "e": Tol((), far[:1])}
        data.append(Data(sizes, {**values, "k": Tol((sizes["m"],), far[1:])}))
    made = Program(inputs, (), (Definition("r1", node, f"edge{maker.__name__.replace('_', ' ')}"),), tuple(data), seed)
    made.types()
    return made


def _number(generator: random.Random, kind: Kind) -> Any:
    if kind.family == "R":
        from tests.fuzz.numbers import rounded

        return rounded(generator.choice(FLOAT), kind.storage)
    low, high = (0, 2**63 - 1) if kind.space == "N" else (-(2**63), 2**63 - 1)
    if kind.machine:
        from tests.fuzz.numbers import limits

        low, high = limits(kind.storage)
    near = [one for one in (*FAR, 2**64 - 1, 2**63) if low <= one <= high]
    return generator.choice(near[:6] if generator.random() < 0.4 else near)
