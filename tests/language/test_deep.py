"""Long and deep programs: chains of operators compile whatever their length, and what nests too deeply is told so."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.core.printer import print_program
from tolang.core.reader import read_program
from tolang.core.verifier import verify
from tolang.faces.drawing.programs import levels_of
from tolang.ground.system.recursion import DEEPEST, room_to_nest
from tolang.program.atoms import run_atoms
from tolang.syntax.formatter import format_text

pytestmark = pytest.mark.sampled(4)

NUMERIC = "tol x: R\n"
VECTOR = "tol x: R [n]\n"
ONES = np.ones(3)


def chain(sign: str, count: int, term: str = "x") -> str:
    return sign.join([term] * count)


def steps(count: int, end: str) -> str:
    """Definitions, each of which needs the one before."""
    return end.join(["a0 = x", *(f"a{k} = a{k - 1} + 1" for k in range(1, count))])


CHAINS: dict[str, tuple[str, Any, Any]] = {
    "sum of numerics": (NUMERIC + "r := " + chain("+", 10_000), 1.0, 10_000.0),
    "product": (NUMERIC + "r := " + chain("*", 1_000), 1.0, 1.0),
    "conjunction": (NUMERIC + "r := " + chain(" and ", 1_000, "x > 0"), 1.0, True),
    "condition": (NUMERIC + f"r := if {chain(' or ', 1_000, 'x > 1')} then 1 else 2", 1.0, 2),
    "sum of literals": ("r := " + chain("+", 300, "1"), None, 300),
    "sum of members": (VECTOR + "r := " + "+".join(f"x[{k % 3 + 1}]*{k}" for k in range(300)), ONES, 299 * 150.0),
    "sum of vectors": (VECTOR + "r := " + chain("+", 500), ONES, [500.0] * 3),
    "sum in a map": (VECTOR + f"r := map(x, {chain('+', 1_000, '*')})", ONES, [1_000.0] * 3),
    "sum in a fold": (VECTOR + f"r := reduce(x, (s,y) -> s + {chain('+', 1_000, 'y')}, 0)", ONES, 3_000.0),
    "sum of sizes": (VECTOR + f"r := |tol[{chain('+', 2_000, 'n')}]|", ONES, [6_000]),
    "coordinate": (VECTOR + f"r := map(x, x[i{'+0' * 2_000}], i)", ONES, [1.0] * 3),
    "sums in sums": (NUMERIC + "r := " + "(" * 150 + "x" + f"+{chain('+', 20)})" * 150, 1.0, 3001.0),
    "definitions": (NUMERIC + steps(700, "\n") + "\nr := a699", 1.0, 700.0),
    "definitions from the last": (
        NUMERIC + "\n".join(reversed(steps(700, "\n").splitlines())) + "\nr := a699", 1.0, 700.0,
    ),
    "steps of a block": (NUMERIC + "r := { " + steps(700, "; ") + "; a699 }", 1.0, 700.0),
    "steps on vectors": (VECTOR + "r := { " + steps(300, "; ") + "; a299 }", ONES, [300.0] * 3),
    "composition": (NUMERIC + "f(a) = a + 1\nr := " + "f." * 700 + "f(x)", 1.0, 702.0),
    "list of literals": (f"r := [{','.join(map(str, range(10_000)))}]", None, np.arange(10_000)),
    "list of numerics": (NUMERIC + f"r := [{chain(',', 1_000)}]", 1.0, np.ones(1_000)),
    "list of both": (NUMERIC + f"r := [{chain(',', 500, 'x,2')}]", 1.0, [1.0, 2.0] * 500),
    "matrix of literals": (f"r := [{chain(',', 300, '[1,2]')}]", None, [[1, 2]] * 300),
    "member of literals": (f"tol k: N [n]\nr := map(k, [{','.join(map(str, range(300)))}][(*)])", [1, 300], [0, 299]),
    "lists": (NUMERIC + f"r := ({chain(',', 60)})[60]'", 1.0, 1.0),
}  # fmt: skip


@pytest.mark.parametrize("name", CHAINS)
def test_a_long_chain_runs_compiled(name: str) -> None:
    source, data, expected = CHAINS[name]
    program = tolang.compile(source, fallback=False)
    found = program() if data is None else program(data)
    assert np.array_equal(found, expected)
    assert sys.getrecursionlimit() < DEEPEST * 5, "the limit is as it was"


def nested(depth: int) -> dict[str, str]:
    return {
        "parentheses": NUMERIC + "r := " + "(" * depth + "x" + ")" * depth,
        "sums to the right": NUMERIC + "r := " + "x+(" * depth + "x" + ")" * depth,
        "basic functions": NUMERIC + "r := " + "abs(" * depth + "x" + ")" * depth,
        "calls": NUMERIC + "f(a) = a + 1\nr := " + "f(" * depth + "x" + ")" * depth,
        "choices": NUMERIC + "r := " + "".join(f"if x == {k} then {k} else " for k in range(2 * depth)) + "0",
        "choices inside": NUMERIC + "r := " + "if x > 0 then " * depth + "x" + " else 1" * depth,
        "blocks": NUMERIC + "r := " + "{ a = " * depth + "x" + "; a }" * depth,
        "signs": NUMERIC + "r := " + "-" * (2 * depth) + "x",
        "powers": NUMERIC + "r := " + "^".join(["x"] * (depth // 5)),
        "maps": VECTOR + "r := " + "map(" * depth + "x" + ", * + 1)" * depth,
        "ranges": VECTOR + "r := " + "(" * depth + "x" + ")[1:]" * depth,
        "members": VECTOR + "r := " + "x[" * (depth // 4) + "1" + "]" * (depth // 4),
        "folds": VECTOR + "r := " + "reduce(x, add, " * (depth // 8) + "0" + ")" * (depth // 8),
        "functions that call": NUMERIC + chained(depth),
        "functions without a name": NUMERIC + "r := " + "(a -> " * depth + "x" + ")(1)" * depth,
        "text": "r := " + "max(" * depth + "'a'" + ", 'b')" * depth,
        "rationals": "tol x: Q\nr := " + "abs(" * depth + "x" + ")" * depth,
    }


def chained(count: int) -> str:
    """Functions, each of which calls the one before."""
    return "\n".join(["f0(a) = a", *(f"f{k}(a) = f{k - 1}(a) + 1" for k in range(1, count)), f"r := f{count - 1}(x)"])


READINGS: dict[str, Callable[[tolang.Program], Any]] = {
    "core": lambda program: verify(read_program(print_program(program.core))),
    "explain": lambda program: (str(program.explain()), program.explain().full),
    "cost": lambda program: (program.cost().eops, program.cost().memory, program.cost().span),
    "derivation": lambda program: program.cost().derivation(),
    "drawing": lambda program: levels_of(program.core, "r"),
    "atoms": lambda program: run_atoms(program, inputs=data_of(program)),
}


def data_of(program: tolang.Program) -> dict[str, Any]:
    return {name: ONES if kind.shape else 1 for name, kind in program.inputs.items()}


@pytest.mark.parametrize("name", nested(1))
def test_what_nests_deeply_runs(name: str) -> None:
    """Compiled code gives what the interpreter gives."""
    source = nested(100)[name]
    found: list[Any] = [
        tolang.compile(source, engine=engine)(**data_of(tolang.compile(source))) for engine in ("interpret", "cpu")
    ]
    assert np.array_equal(*found)


@pytest.mark.parametrize("reading", READINGS)
def test_every_reading_gets_through(reading: str) -> None:
    deep = nested(120)
    sources = [VECTOR + "r := " + chain("+", 200), VECTOR + f"r := map(x, {chain('+', 500, '*')})"]
    sources += [deep[name] for name in ("choices inside", "functions that call", "sums to the right")]
    for source in sources:
        assert format_text(source)
        READINGS[reading](tolang.compile(source, engine="interpret"))


def refused(source: str) -> tuple[str, bool]:
    """The code of the error, and whether it has a place."""
    with pytest.raises(tolang.ToLangError) as caught:
        tolang.compile(source)
    assert "memory" not in str(caught.value)
    return caught.value.code, caught.value.diagnostics[0].span is not None


@pytest.mark.parametrize("name", nested(1))
def test_what_nests_too_deeply_is_refused(name: str) -> None:
    assert refused(nested(4_000)[name]) in (("E105", True), ("E212", True))


def test_calls_that_nest_too_deeply_are_told_where() -> None:
    source = NUMERIC + chained(DEEPEST)
    with pytest.raises(tolang.ToLangCheckError) as caught:
        tolang.compile(source)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E212"
    assert diagnostic.span is not None
    assert diagnostic.span.start > len(NUMERIC)


def test_room_to_nest_is_given_back() -> None:
    before = sys.getrecursionlimit()

    def depth(count: int) -> int:
        return count if count == 0 else 1 + depth(count - 1)

    with room_to_nest(), room_to_nest():
        assert depth(5000) == 5000
    assert sys.getrecursionlimit() == before
    with pytest.raises(RecursionError):
        depth(5000)
