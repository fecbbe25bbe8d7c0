"""Programs whose loops compute what is the same in every turn: nothing of what they mean changes where it leaves them.

Programs nest maps and folds over a vector of reals, one of whole numbers and a matrix, some of these empty, with choices,
blocks, random numbers, coordinates out of range and sums that overflow.  Each is interpreted as it is written and as it
is once what does not change has left the loops: both give the same values, or both an error.

    python -m tests.fuzz.invariants 10000 --seed 1
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import tolang
from tolang.core.core import Core
from tolang.core.invariants import with_invariants_first
from tolang.core.verifier import verify
from tolang.ground.reporting.diagnostics import ToLangError
from tolang.ground.values.values import ToL
from tolang.readings.interpret import interpret

DECLARED = "tol x: R [n]\ntol z: Z [m]\ntol a: R [n,m]\n"
DEEPEST = 4
"""How deep expressions nest."""
LARGE = 1 << 62
Data = dict[str, np.ndarray[Any, Any]]


@dataclass
class Writer:
    """Writes expressions; `coordinates` are those of the loops around, with what they are coordinates of."""

    random: random.Random
    coordinates: dict[str, str] = field(default_factory=dict)
    numbers: list[str] = field(default_factory=list)
    named: list[tuple[str, str]] = field(default_factory=list)
    count: int = 0

    def fresh(self, base: str) -> str:
        self.count += 1
        return f"{base}{self.count}"

    def coordinate(self, length: str) -> str:
        """A coordinate along n or m, seldom one that may be outside."""
        own = [name for name, along in self.coordinates.items() if along == length]
        if own and self.random.random() < 0.85:
            name = self.random.choice(own)
            return name if self.random.random() < 0.8 else self.random.choice([f"{name}+1", f"{name}-1"])
        return self.random.choice(["1", "2", length])

    def read(self) -> str:
        ways: list[Callable[[], str]] = [
            lambda: f"x[{self.coordinate('n')}]",
            lambda: f"z[{self.coordinate('m')}]",
            lambda: f"a[{self.coordinate('n')},{self.coordinate('m')}]",
            lambda: self.random.choice(["2", "0.5", "n", "m"]),
        ]
        if self.numbers:
            ways += [lambda: self.random.choice(self.numbers)] * 2
        if self.named:
            ways.append(self._element)
        return self.random.choice(ways)()

    def _element(self) -> str:
        name, length = self.random.choice(self.named)
        return f"{name}[{self.coordinate(length)}]"

    def expression(self, depth: int) -> str:
        if depth <= 0:
            return self.read()
        ways: list[Callable[[], str]] = [
            *[lambda: f"({self.expression(depth - 1)} {self.random.choice('+-*')} {self.expression(depth - 1)})"] * 3,
            *[lambda: self._folded(depth - 1)] * 3,
            lambda: self._chosen(depth - 1),
            lambda: self._block(depth - 1),
            self.read,
        ]
        return self.random.choice(ways)()

    def _folded(self, depth: int) -> str:
        length = self.random.choice("nm")
        ways: list[Callable[[], str]] = [
            lambda: self.random.choice(["sum(x)", "mean(x)", "sum(z)", "sum(a)"]),
            lambda: f"sum(a[{self.coordinate('n')}])",
            lambda: f"sum(a[:,{self.coordinate('m')}])",
            lambda: f"sort(x)[{self.coordinate('n')}]",
            lambda: f"sum({self._mapped(length, depth)})",
            lambda: f"sum({self._mapped(length, depth)})",
            lambda: self._stepped(length, depth),
            lambda: "sum(map(x, rand(1)))",
        ]
        return self.random.choice(ways)()

    def _mapped(self, length: str, depth: int) -> str:
        name = self.fresh("i")
        before = dict(self.coordinates)
        self.coordinates[name] = length
        found = f"map(tol[{length}], {self.expression(depth)}, {name})"
        self.coordinates = before
        return found

    def _stepped(self, length: str, depth: int) -> str:
        state, element, name = self.fresh("s"), self.fresh("e"), self.fresh("k")
        coordinates, numbers, named = dict(self.coordinates), list(self.numbers), list(self.named)
        self.coordinates[name] = length
        start = "0.5"
        what = self.random.choice(["x", f"tol[{length}]"]) if length == "n" else f"tol[{length}]"
        self.numbers.append(state)
        step = self.expression(depth)
        if self.random.random() < 0.4:
            step = f"if {state} < {self.expression(depth - 1)} then {state} + {step} else {state}"
        self.coordinates, self.numbers, self.named = coordinates, numbers, named
        return f"reduce({what}, ({state},{element},{name}) -> {state}/2 + ({step}), {start})"

    def _chosen(self, depth: int) -> str:
        own = list(self.coordinates)
        tests = ["n > 2", f"{self.expression(depth - 1)} > {self.read()}", f"{self.read()} < 1"]
        tests += [f"{self.random.choice(own)} > 1"] * 2 if own else []
        return f"(if {self.random.choice(tests)} then {self.expression(depth)} else {self.expression(depth)})"

    def _block(self, depth: int) -> str:
        length, name = self.random.choice("nm"), self.fresh("t")
        value = self._mapped(length, depth)
        named = list(self.named)
        self.named.append((name, length))
        body = self.expression(depth)
        self.named = named
        return f"{{ {name} = {value}; {body} }}"


def program(seed: int) -> str:
    """A program of one output."""
    chance = random.Random(seed)
    writer, depth = Writer(chance), chance.randint(2, DEEPEST)
    match chance.randrange(4):
        case 0:
            writer.coordinates = {"p": "n"}
            return f"{DECLARED}y := map(x, {writer.expression(depth)}, p)"
        case 1:
            writer.coordinates = {"p": "n", "q": "m"}
            return f"{DECLARED}y := map(a, {writer.expression(depth)}, [p,q])"
        case 2:
            writer.coordinates = {"p": "m"}
            return f"{DECLARED}y := map(z, {writer.expression(depth)}, p)"
    return f"{DECLARED}y := {writer._stepped('n', depth)}"


def data(chance: random.Random) -> Data:
    n, m = chance.choice([(0, 2), (2, 0), (1, 1), (3, 2), (2, 3), (3, 3)])
    numbers = np.random.default_rng(chance.randrange(1 << 30))
    z = np.array([chance.choice([-2, 0, 1, 3, LARGE]) for _ in range(m)], dtype=np.int64)
    return {"x": numbers.normal(size=n), "z": z, "a": numbers.normal(size=(n, m))}


def outcome(core: Core, given: Data) -> Any:
    """The value of a program, or the code of its error."""
    values = {name: ToL.of(array) for name, array in given.items()}
    sizes = {"n": given["a"].shape[0], "m": given["a"].shape[1]}
    try:
        return interpret(core, values, sizes, seed=7)[0].columns[0]
    except ToLangError as error:
        return error.diagnostics[0].code


def run(count: int, seed: int) -> Counter[str]:
    """How often programs had values and errors, and how many of them were rewritten."""
    outcomes: Counter[str] = Counter()
    chance = random.Random(seed)
    for _ in range(count):
        text = program(chance.randrange(1 << 40))
        try:
            core = tolang.compile(text, engine="interpret").core
        except ToLangError as error:
            outcomes[f"refused {error.diagnostics[0].code}"] += 1
            continue
        made = with_invariants_first(core)
        verify(made)
        outcomes["rewritten" if made is not core else "left"] += 1
        for _ in range(2):
            given = data(chance)
            wanted, found = outcome(core, given), outcome(made, given)
            is_value = not isinstance(wanted, str)
            same = isinstance(found, str) is not is_value and (
                not is_value or np.allclose(found, wanted, rtol=1e-9, atol=1e-9, equal_nan=True)
            )
            assert same, f"{found}, where the program as written gives {wanted}\n{text}\n{given}"
            outcomes["value" if is_value else "error"] += 1
    return outcomes


def main() -> None:
    parser = argparse.ArgumentParser(description="Programs whose loops compute what is the same in every turn.")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    print(dict(run(arguments.count, arguments.seed)))


if __name__ == "__main__":
    main()
