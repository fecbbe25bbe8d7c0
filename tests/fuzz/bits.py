"""Strict code beside the strict interpreter, to the bit: arithmetic, square roots, folds and statistics, at random.

    python -m tests.fuzz.bits 2000 --seed 1
    python -m tests.fuzz.bits --only 1/123

Programs have inputs of one or two machine types, at lengths around those of vectors and blocks; what they compute is
rounded everywhere by the rules of the language, so that both engines have the same bits.  Only NaN may have others.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from tests.fuzz.kinds import DTYPES

import tolang

Item = TypeVar("Item")
FLOATS = ("f16", "bf16", "f32", "f32", "f32", "f64", "f64")
OTHERS = (*FLOATS, "i8", "u8", "i32", "Z", "B")
LENGTHS = (1, 2, 3, 4, 7, 8, 9, 16, 17, 31, 33, 64, 65, 130)
LITERALS = ("0.1", "0.3", "1.5", "2", "3", "7", "0.5", "1", "1e-3")
SPECIAL = (np.inf, -np.inf, np.nan, -0.0, 0.0, 1e-40, 6e-8)


@dataclass(frozen=True)
class Program:
    seed: str
    source: str
    data: dict[str, Any] = field(repr=False)

    def told(self) -> str:
        shapes = ", ".join(f"{name}: {one.dtype}{list(one.shape)}" for name, one in self.data.items())
        return f"seed {self.seed}\n{self.source}\n{shapes}"


class Writer:
    """Draws expressions of elements: `x` is a matrix of n by m, `y` a vector of n, `w` one of m, `c` a number."""

    def __init__(self, generator: random.Random) -> None:
        self.random = generator
        self._serial = 0

    def pick(self, items: Sequence[Item]) -> Item:
        return self.random.choice(items)

    def name(self, base: str) -> str:
        self._serial += 1
        return f"{base}{self._serial}"

    def expression(self, leaves: Sequence[str], depth: int = 3) -> str:
        """An expression of some leaves and literals."""
        if depth == 0 or self.random.random() < 0.15:
            return self.pick([*leaves, *leaves, *leaves, self.pick(LITERALS), "c"])
        one = self.expression(leaves, depth - 1)
        match self.random.randrange(12):
            case 0:
                return f"sqrt(abs({one}))"
            case 1:
                return f"({one})^{self.pick('2234')}"
            case 2:
                return f"(if {one} {self.pick(['<', '>', '<='])} {self.expression(leaves, 1)} then {one} else {self.expression(leaves, 1)})"
            case 3:
                return f"{self.pick(['abs', 'neg', 'sgn'])}({one})"
            case 4:
                return f"{self.pick(['max', 'min'])}({one}, {self.expression(leaves, depth - 1)})"
            case 5 | 6:
                return f"({one} / {self.expression(leaves, depth - 1)})"
        return f"({one} {self.pick('+-*')} {self.expression(leaves, depth - 1)})"

    def fold(self) -> str:
        return self.pick(["add", "add", "add", "mul", "max", "min"])

    def start(self, function: str) -> str:
        return self.pick(
            {"add": ["0", "c", "0.1"], "mul": ["1", "c"], "max": ["-Inf", "0"], "min": ["Inf", "c"]}[function]
        )

    # Definitions: a text, and whether it is a matrix [n,m], a vector [n] or else

    def definition(self) -> str:
        forms: list[Callable[[], str]] = [
            self.elements, self.rows, self.columns, self.pairs, self.statistics, self.normalised, self.chain, self.steps,
            self.product, self.windows, self.running, self.all_of_it,
        ]  # fmt: skip
        return self.pick(forms)()

    def elements(self) -> str:
        shared = self.pick(
            ["reduce(x[i], add, 0)", "y[i]", "reduce(y, add, 0)", "n", "m", "sqrt(abs(y[i]))", "mean(y)"]
        )
        return f"map(x, {self.expression(['x[i,j]', 'y[i]', 'w[j]', shared])}, [i,j])"

    def rows(self) -> str:
        function = self.fold()
        inner = f"map(tol[m], {self.expression(['x[i,j]', 'w[j]', 'y[i]'])}, j)"
        return f"map(tol[n], reduce({inner}, {function}, {self.start(function)}), i)"

    def columns(self) -> str:
        function = self.fold()
        inner = f"map(tol[n], {self.expression(['x[i,j]', 'w[j]', 'y[i]'])}, i)"
        return f"map(tol[m], reduce({inner}, {function}, {self.start(function)}), j)"

    def pairs(self) -> str:
        """A sum over the points of functions of two of them, as of forces."""
        distance = self.expression(["x[i,1]", "x[k,1]", "y[k]", "y[i]"])
        quotient = (
            f"({self.expression(['x[i,q]', 'x[k,q]'], 1)}) / {self.pick(['sqrt(abs(' + distance + '))', distance])}"
        )
        dimensions = self.pick([("n,1", "[i,q]"), ("n,m", "[i,q]")])
        return f"map(tol[{dimensions[0]}], reduce(map(tol[n], {quotient}, k), add, 0), {dimensions[1]})"

    def statistics(self) -> str:
        what = self.pick(["x", "y", "w", f"map(x, {self.expression(['*'], 2)})"])
        axis = self.pick(["", ",1", ",2"]) if what not in ("y", "w") else ""
        function = self.pick(
            ["mean", "variance", "standard_deviation", "sum", "product", "maximum", "standard_deviation"]
        )
        return f"{function}({what}{axis})"

    def normalised(self) -> str:
        return self.pick([
            "map(x, (* - mean(x)) / standard_deviation(x))",
            "map(x, (x[i,j] - mean(x[i])) / sqrt(variance(x[i]) + 1e-5), [i,j])",
            "map(x, x[i,j] / reduce(x[i], add, 0), [i,j])",
            "map(x, x[i,j] / sqrt(reduce(map(x[i], * * *), add, 0)), [i,j])",
            "map(y, * / sum(y))", "map(y, (* - mean(y))^2 / n)",
            "map(tol[m,m], reduce(map(tol[n], (x[k,i] - mean(w)) * (x[k,j] - mean(w)), k), add, 0) / n, [i,j])",
        ])  # fmt: skip

    def chain(self) -> str:
        """A number that goes on from itself along a vector."""
        step = self.expression(["s", "e", "e"], 2)
        return f"reduce({self.pick(['y', 'x', 'w'])}, (s,e) -> s * 0.5 + {step}, c)"

    def steps(self) -> str:
        """A vector that goes on from itself."""
        body = self.expression(["s[i]", "y[i]", "s[n+1-i]", "s[1]", "x[i,1]"])
        if self.random.random() < 0.5:
            body = f"0.5 * s[i] + reduce(map(tol[m], x[i,j] * w[j], j), add, 0) / {self.pick(['m', '(1 + abs(s[i]))'])}"
        return f"reduce(tol[{self.random.randint(1, 4)}], (s,_) -> map(y, {body}, i), y)"

    def product(self) -> str:
        form = self.pick([
            "map(tol[n], reduce(map(tol[m], {e}, j), add, 0), i)",
            "map(tol[m,m], reduce(map(tol[n], {f}, i), add, 0), [j,k])",
            "map(tol[n,n], reduce(map(tol[m], {g}, j), {c}, [i,k])",
        ])  # fmt: skip
        products = {
            "e": "x[i,j] * w[j]",
            "f": f"x[i,j] {self.pick('*/-')} x[i,k]",
            "g": f"(x[i,j] {self.pick('*-+')} x[k,j]){self.pick(['', '^2'])}",
            "c": self.pick(["add, 0)", "max, 0)", "add, 0) / m", "mul, 1)"]),
        }
        return str(form.format(**products))

    def windows(self) -> str:
        near = "(if i+k > 2 and i+k < n+2 then y[i+k-2] else 0)"
        return f"map(tol[n], reduce(map(tol[3], {self.expression([near, 'x[i,1]'], 2)}, k), add, 0) / {self.pick('37')}, i)"

    def running(self) -> str:
        step = self.pick(
            [
                "s[|s|[1]] + e",
                "s[|s|[1]] * 0.5 + e",
                "max(s[|s|[1]], e)",
                f"s[|s|[1]] / 2 + {self.expression(['e'], 2)}",
            ]
        )
        return f"reduce(y, (s,e) -> [s, {step}], [c])"

    def all_of_it(self) -> str:
        function = self.fold()
        return f"reduce(map(x, {self.expression(['x[i,j]', 'y[i]', 'w[j]', 'i', 'n'])}, [i,j]), {function}, {self.start(function)})"


def program(seed: str) -> Program:
    """The program of a seed, and its data."""
    generator = random.Random(seed)
    writer = Writer(generator)
    first = generator.choice(FLOATS)
    kinds = {name: first if generator.random() < 0.75 else generator.choice(OTHERS) for name in "xywc"}
    sizes = {"n": generator.choice(LENGTHS), "m": generator.choice(LENGTHS[:12])}
    shapes = {"x": ("n", "m"), "y": ("n",), "w": ("m",), "c": ()}
    known = generator.random() < 0.3
    definitions = [writer.definition() for _ in range(generator.choice([1, 1, 2]))]
    lines = [
        f"tol {name}: {kinds[name]}" + (f" [{','.join(str(sizes[d]) if known else d for d in shape)}]" if shape else "")
        for name, shape in shapes.items()
    ]
    if known:
        lines += [f"{name} = {length}" for name, length in sizes.items()]
    lines += [f"r{k} := {one}" for k, one in enumerate(definitions, 1)]
    special = generator.random() < 0.15
    data = {
        name: _numbers(generator, kinds[name], tuple(sizes[d] for d in shape), special)
        for name, shape in shapes.items()
    }
    return Program(seed, "\n".join(lines), data)


def _numbers(generator: random.Random, storage: str, shape: tuple[int, ...], special: bool) -> Any:
    own = np.random.default_rng(generator.getrandbits(32))
    if storage == "B":
        return np.asarray(own.integers(0, 2, shape), bool)
    if storage not in FLOATS:
        return np.asarray(own.integers(0 if storage == "u8" else -5, 6, shape), DTYPES.get(storage, np.int64))
    made = np.asarray(own.normal(size=shape) * own.choice([0.1, 1, 30]))
    if special:
        made = np.where(own.random(shape) < 0.1, own.choice(SPECIAL, shape), made)
    with np.errstate(all="ignore"):
        return np.asarray(made.astype(np.float32 if storage == "bf16" else DTYPES[storage]).astype(DTYPES[storage]))


def results(made: Program, engine: str, threads: int) -> list[Any] | str:
    """What an engine gives, or the code of its error."""
    try:
        found: Any = tolang.compile(made.source, engine=engine, strict=True, threads=threads)(**made.data)
    except tolang.ToLangError as error:
        return error.code
    return [np.asarray(one) for one in found.values()] if isinstance(found, dict) else [np.asarray(found)]


def difference(made: Program, threads: int = 2) -> str:
    """How strict code differs from the interpreter; empty where it does not."""
    expected, found = results(made, "interpret", 1), results(made, "cpu", threads)
    if isinstance(expected, str) or isinstance(found, str):
        codes = [one if isinstance(one, str) else "values" for one in (expected, found)]
        return "" if codes[0] == codes[1] else f"{codes[1]} in place of {codes[0]}"
    for number, (one, other) in enumerate(zip(expected, found, strict=True), 1):
        if one.dtype != other.dtype or one.shape != other.shape:
            return f"r{number} is {other.dtype}{list(other.shape)} in place of {one.dtype}{list(one.shape)}"
        apart = _bits(one) != _bits(other)
        wrong = np.argwhere(apart & ~((one != one) & (other != other)))
        if len(wrong):
            first = tuple(wrong[0])
            return f"r{number} at {[int(k) + 1 for k in first]}, and {len(wrong) - 1} more: {other[first]!r} in place of {one[first]!r}"
    return ""


def _bits(array: Any) -> Any:
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}").reshape(array.shape)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.bits")
    parser.add_argument("count", nargs="?", type=int, default=1000)
    parser.add_argument("--seed", default=str(time.time_ns() % 10**9))
    parser.add_argument("--only", help="judge one program, by SEED/NUMBER")
    given = parser.parse_args(arguments)
    os.environ.setdefault("TOL_COMPILE", "quick")
    seeds = [given.only] if given.only else [f"{given.seed}/{number}" for number in range(given.count)]
    print(f"{len(seeds)} programs of seed {given.seed}", flush=True)
    findings = 0
    for seed in seeds:
        made = program(seed)
        try:
            wrong = difference(made)
        except Exception as error:
            wrong = f"{type(error).__name__}: {error}"
        if wrong or given.only:
            print(f"{made.told()}\n{wrong or 'no difference'}\n", flush=True)
        findings += bool(wrong)
    print(f"{findings} findings")
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main())
