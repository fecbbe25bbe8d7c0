"""Random well-typed ToLang programs with data: a Hypothesis strategy.

`programs()` draws sizes from 0 to 4, inputs of ranks 0 to 3 in many spaces, and a program over them: functions, local
and exported definitions, each written by one of the makers of `definitions.py` and `folds.py` around expressions of
`expressions.py`.  The sizes are known while writing, so coordinates and slices are inside, whole numbers stay small,
and nearly every program runs.  A few are refused (an overflow, a length that the checker cannot follow); tests skip
them, and `test_generator.py` holds their share, and that of every construct, against bounds.

A program is `exact` when no rounding can enter its results, so that engines must agree to the bit.  Where it is not,
rounding never decides a branch or a coordinate, so a tolerance is enough.

    python -m tests.properties.programs 1000

writes how often each construct occurs in that many programs, and how many are refused.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import tests.properties.folds  # noqa: F401 - adds makers
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from tests.properties.definitions import MAKERS, PRELUDE, Definitions, function
from tests.properties.expressions import Draw
from tests.properties.kinds import FAMILY_OF_SPACE, Kind, Length, Scope, Value

import tolang
from tolang.ground.dataclasses import dataclass, field
from tolang.ground.values.spaces import Column, Space, dtype_of
from tolang.ground.values.values import ToL

SIZES = ("n", "m", "k")
NAMES = ("a", "b", "c", "d")
DECLARED = ("Z", "R", "R", "B", "Q", "N", "N*", "f32", "byte", "small", "part", "i32", "S", "C")
SPACES = {
    "byte": ("space byte: N [0,255]", Space("N", 0, 255, "byte")),
    "small": ("space small: Z [-8,8]", Space("Z", -8, 8, "small")),
    "part": ("space part: R [0,1]", Space("R", 0, 1, "part")),
}
ELEMENTS: dict[str, st.SearchStrategy[Any]] = {
    "Z": st.integers(-4, 4), "N": st.integers(0, 5), "N*": st.integers(1, 5), "i32": st.integers(-4, 4),
    "byte": st.integers(0, 9), "small": st.integers(-8, 8), "R": st.integers(-16, 16).map(lambda k: k / 8),
    "f32": st.integers(-16, 16).map(lambda k: k / 8), "part": st.integers(0, 8).map(lambda k: k / 8), "B": st.booleans(),
    "Q": st.builds(Fraction, st.integers(-6, 6), st.integers(1, 4)), "S": st.sampled_from(["a", "b", "", "zz"]),
    "C": st.builds(complex, st.integers(-2, 2), st.integers(-2, 2)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Generated:
    """A program, data for its inputs, the sizes that the data has, and what is in it."""

    source: str
    inputs: Mapping[str, ToL]
    sizes: Mapping[str, int]
    features: frozenset[str]
    exact: bool = field(default=True)

    def __repr__(self) -> str:
        data = "\n".join(f"{name} = {value!r}" for name, value in self.inputs.items())
        return f"\n{self.source}\n{data}\n"


def column_of(space: str) -> Column:
    """The column of data declared in a space of this module."""
    own = SPACES[space][1] if space in SPACES else Space(space)
    return Column(own, own.storage)


@st.composite
def programs(draw: Draw, fuel: int = 40, definitions: int = 6, families: frozenset[str] | None = None) -> Generated:
    """A program with data.  `families` limits the spaces of the inputs, for engines that take only some."""
    author = Definitions(draw, fuel)
    sizes = {name: draw(st.sampled_from([2, 3, 1, 4, 0])) for name in SIZES}
    lines, inputs, values = _inputs(author, sizes, families)
    scope = Scope(values)
    for _ in range(draw(st.integers(0, 2))):
        text, known = function(author, Scope(tuple(v for v in values if v.kind.is_numeric), functions=scope.functions))
        scope = Scope(scope.values, functions=(*scope.functions, known))
        lines.append(text)
    exact = True
    count = draw(st.sampled_from([1, *range(2, definitions + 1), *range(2, definitions + 1)]))
    for number in range(1, count + 1):
        author.fuel = max(author.fuel, fuel // 3)
        construct, made = _made(author, scope)
        author.features.add(construct)
        name = f"r{number}"
        exported = number == count or author.chance(50)
        lines.append(f"{name} {':=' if exported else '='} {made.text}")
        shape = tuple(Length(one.text.replace("@", name), one.value) for one in made.kind.shape)
        scope = scope.with_values(Value(name, Kind(shape, made.kind.families), made.exact))
        exact = exact and made.exact
    prelude = [text for name, text in PRELUDE.items() if name in author.prelude]
    return Generated("\n".join([*lines, *prelude]), inputs, sizes, frozenset(author.features), exact)


def _made(author: Definitions, scope: Scope) -> tuple[str, Value]:
    """A definition by some maker, or by the next one that finds something to do."""
    constructs = list(MAKERS)
    first = author.draw(st.integers(0, len(constructs) - 1))
    for construct in (*constructs[first:], *constructs[:first]):
        made = MAKERS[construct](author, scope)
        if made is not None:
            return construct, made
    raise AssertionError("a numeric can always be made")


def _inputs(
    author: Definitions, sizes: Mapping[str, int], families: frozenset[str] | None
) -> tuple[list[str], dict[str, ToL], tuple[Value, ...]]:
    """Declarations, data, and what expressions may use."""
    lines: list[str] = []
    data: dict[str, ToL] = {}
    values: list[Value] = []
    allowed = [one for one in DECLARED if families is None or FAMILY_OF_SPACE[one] in families]
    for name in NAMES[: author.draw(st.integers(1, 3))]:
        rank = author.pick([1, 2, 1, 2, 0, 3])
        lengths = [Length(one, value) for one, value in sizes.items()] + [Length("2", 2), Length("3", 3)]
        shape = tuple(author.pick(lengths) for _ in range(rank))
        spaces = [author.pick(allowed)]
        if author.chance(15):
            spaces.append(author.pick(allowed))
            author.features.add("input of lists")
        author.features |= {f"input {one}" for one in spaces} | {f"rank {rank}"}
        for one in spaces:
            if one in SPACES and SPACES[one][0] not in lines:
                lines.append(SPACES[one][0])
        kind = Kind(shape, tuple(FAMILY_OF_SPACE[one] for one in spaces))
        written = spaces[0] if len(spaces) == 1 else f"[{', '.join(spaces)}]"
        lines.append(f"tol {name}: {written}" + (f" [{', '.join(kind.texts)}]" if shape else ""))
        data[name] = _data(author, kind, spaces)
        values.append(Value(name, kind))
    return lines, data, tuple(values)


def _data(author: Definitions, kind: Kind, spaces: list[str]) -> ToL:
    shape = tuple(length.value or 0 for length in kind.shape)
    arrays = []
    for space in spaces:
        array = np.zeros(shape, dtype=dtype_of(column_of(space).storage))
        drawn = author.draw(st.lists(ELEMENTS[space], min_size=array.size, max_size=array.size))
        for index, element in zip(np.ndindex(shape), drawn, strict=True):
            array[index] = element
        arrays.append(array)
    return ToL(arrays, [column_of(space) for space in spaces])


def run(program: Generated, strict: bool = True) -> Any:
    """The results of a program by the interpreter, always by name."""
    compiled = tolang.compile(program.source, engine="interpret", strict=strict)
    return compiled.run(compiled.job((), program.inputs))


def measure(count: int, start: int = 0) -> tuple[Counter[str], Counter[str]]:
    """How many of that many programs use each construct, and how many are refused, by error code."""
    used: Counter[str] = Counter()
    refused: Counter[str] = Counter()

    @seed(start)
    @settings(max_examples=count, deadline=None, phases=[Phase.generate], database=None,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(programs())
    def one(program: Generated) -> None:
        used["programs"] += 1
        used["exact"] += program.exact
        used.update(program.features)
        try:
            run(program)
        except tolang.ToLangError as error:
            refused[error.code] += 1

    one()
    return used, refused


if __name__ == "__main__":
    found, refusals = measure(int(sys.argv[1]))
    total = found.pop("programs")
    for construct, number in sorted(found.items(), key=lambda item: -item[1]):
        print(f"{100 * number / total:5.1f} %  {construct}")
    print(f"{100 * refusals.total() / total:5.1f} %  refused: {dict(refusals)}")
