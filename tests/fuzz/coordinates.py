"""Coordinates and lengths at the edges of 64 bits, held against Python's whole numbers, which have no edges.

An expression in numbers from data (`4*e + 1`, `(e*e - k) / 3`, `max(e, k) % 5`) is used as a coordinate, as the ends of a range
or as a length, of one number and at every element of a map.  Its exact value tells what has to come out: an element, a
sum, or an error.  Both engines are asked, on numbers around 2^31, 2^32, 2^53, 2^62 and 2^63 and on small ones.

    python -m tests.fuzz.coordinates 1000 --seed 1
"""

from __future__ import annotations

import argparse
import math
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import tolang

ENGINES = ("interpret", "cpu")
LENGTH = 9
DATA = np.arange(1.0, LENGTH + 1)
EDGES = [
    sign * (1 << power) + more for power in (31, 32, 40, 50, 53, 61, 62) for sign in (1, -1) for more in (-1, 0, 1)
]
EDGES += [(1 << 63) - 1, -(1 << 63) + 1, (1 << 63) - 2]
SMALL = list(range(-3, LENGTH + 3))
REALS = [math.nan, math.inf, -math.inf, 1e300, -1e300, 2.0**63, 0.5, 8.99, 9.0]
OUTSIDE, IMPOSSIBLE, NO_VALUE = "E513", ("E507", "E508", "E509"), ("E505", "E515", "E519")
"""Errors of coordinates; of lengths; of the arithmetic of large lengths, which is that of their space."""
DEEPEST = 3
"""How deep formulas nest."""
MOST = 10**6
"""The longest ToL that is run over; one of 2^62 elements or more is refused."""
RUNS = 12
"""How many numbers each program is run on."""

FUNCTIONS: list[tuple[str, Callable[[int, int], int]]] = [
    ("{} + {}", lambda x, y: x + y),
    ("{} - {}", lambda x, y: x - y),
    ("{} * {}", lambda x, y: x * y),
    ("max({}, {})", max),
    ("min({}, {})", min),
]
Exact = Callable[[int, int], int | None]


@dataclass(frozen=True)
class Formula:
    """An expression in `e` and `k`, and its exact value; None where it has none."""

    text: str
    value: Exact


def _floored(top: int | None, bottom: int | None) -> int | None:
    return top // bottom if top is not None and bottom else None


def formula(rng: random.Random, depth: int = DEEPEST) -> Formula:
    """A random one, of sums, products and extremes; at its head it may be a quotient, which a coordinate floors."""
    if depth == DEEPEST and rng.random() < 0.2:
        top, bottom = formula(rng, depth - 1), formula(rng, 1)
        return Formula(f"{top.text} / {bottom.text}", lambda e, k: _floored(top.value(e, k), bottom.value(e, k)))
    if depth == 0 or rng.random() < 0.2:
        if rng.random() < 0.6:
            return rng.choice([Formula("e", lambda e, k: e), Formula("k", lambda e, k: k)])
        number = rng.choice([1, 2, 3, 4, 7, 1 << 20, 1 << 31, (1 << 62) - 1, 10**18])
        return Formula(str(number), lambda e, k: number)
    a, b = formula(rng, depth - 1), formula(rng, depth - 1)
    sign, function = rng.choice(FUNCTIONS)

    def value(e: int, k: int) -> int | None:
        one, two = a.value(e, k), b.value(e, k)
        return None if one is None or two is None else function(one, two)

    return Formula(f"({sign.format(a.text, b.text)})", value)


@dataclass(frozen=True)
class Use:
    """A program around a formula, and what its exact value makes of it: a result, or codes of errors."""

    text: str
    expected: Callable[[int], Any]
    mapped: bool = False


def _element(at: int) -> Any:
    return DATA[at - 1] if 1 <= at <= LENGTH else (OUTSIDE,)


def _stretch(end: int) -> Any:
    return DATA[:end].sum() if 0 <= end <= LENGTH else (OUTSIDE, *IMPOSSIBLE)


def _length(length: int) -> Any:
    return float(length) if 0 <= length <= MOST else IMPOSSIBLE


USES = [
    Use("r := x[{}]", _element),
    Use("r := map(es, x[{}], i)", _element, True),
    Use("r := reduce(x[1:{}], add, 0)", _stretch),
    Use("r := map(es, reduce(x[1:{}], add, 0), i)", _stretch, True),
    Use("r := map(es, reduce(x[1:{}], (s,t) -> t+s, 0), i)", _stretch, True),
    Use("r := reduce(map(tol[{}], 1.0), add, 0)", _length),
    Use("r := map(es, reduce(map(tol[{}], 1.0), add, 0), i)", _length, True),
]
HEAD = "tol x: R [n]\ntol es: {space} [m]\ntol k: Z\n"


def program(use: Use, written: str, space: str) -> str:
    """The text of a program that uses an expression in `e` and `k`."""
    name = "es[i]" if use.mapped else "es[1]"
    return HEAD.format(space=space) + use.text.format(re.sub(r"\be\b", name, written))


def outcome(compiled: Any, numbers: np.ndarray[Any, Any], k: int) -> Any:
    """The values, or the code of the error."""
    try:
        return np.atleast_1d(compiled(DATA, numbers, k))
    except tolang.ToLangError as error:
        return error.code


def agrees(found: Any, wanted: list[Any]) -> bool:
    """Whether what came out is what exact numbers make of it."""
    wrong = [one for one in wanted if isinstance(one, tuple)]
    if wrong:
        return isinstance(found, str) and any(found in codes for codes in wrong)
    return isinstance(found, np.ndarray) and np.array_equal(found, np.array(wanted, dtype=float))


def run(count: int, seed: int) -> Counter[str]:
    """Random formulas in all uses; raises at the first result that is not the exact one."""
    rng = random.Random(seed)
    outcomes: Counter[str] = Counter()
    for _ in range(count):
        use = rng.choice(USES)
        if rng.random() < 0.2:
            wanted = Formula("e", lambda e, k: e)
            space, pool = "R", [*REALS, *map(float, SMALL)]
        else:
            wanted = formula(rng)
            space, pool = rng.choice(["Z", "i64"]), [*EDGES, *SMALL, *SMALL]
        text = program(use, wanted.text, space)
        try:
            compiled = [tolang.compile(text, engine=engine) for engine in ENGINES]
        except tolang.ToLangError:
            outcomes["refused"] += 1
            continue
        for _ in range(RUNS):
            numbers = rng.choices(pool, k=rng.choice([1, 1, 3, 9]))
            k = rng.choice([*EDGES, *SMALL, *SMALL])
            _compare(text, compiled, use, wanted, numbers, k, outcomes)
    return outcomes


def _compare(
    text: str, compiled: list[Any], use: Use, wanted: Formula, numbers: list[Any], k: int, outcomes: Counter[str]
) -> None:
    exact = [_exact(wanted, number, k) for number in (numbers if use.mapped else numbers[:1])]
    if any(value is None for value in exact):
        outcomes["divided by zero"] += 1
        return
    if use.expected is _length and any(value != "none" and MOST < value < 1 << 62 for value in exact):
        outcomes["takes too long"] += 1
        return
    expected = [(OUTSIDE, *IMPOSSIBLE) if value == "none" else use.expected(value) for value in exact]
    kind = np.float64 if any(isinstance(n, float) for n in numbers) else np.int64
    for engine, one in zip(ENGINES, compiled, strict=True):
        found = outcome(one, np.array(numbers, dtype=kind), k)
        if use.expected is not _element and isinstance(found, str) and found in NO_VALUE and wanted.text != "e":
            outcomes["no value"] += 1
            continue
        assert agrees(found, expected), (
            f"{engine}: {found}, where exact numbers give {expected}\n{text}\nes = {numbers}, k = {k}"
        )
    outcomes["error" if isinstance(expected[0], tuple) else "value"] += 1


def _exact(wanted: Formula, number: Any, k: int) -> Any:
    """The exact value at one number; "none" for what is no number at all or infinite."""
    if isinstance(number, float):
        return "none" if not math.isfinite(number) else math.floor(number)
    return wanted.value(number, k)


def main() -> None:
    parser = argparse.ArgumentParser(description="Coordinates and lengths at the edges of 64 bits.")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    print(dict(run(arguments.count, arguments.seed)))


if __name__ == "__main__":
    main()
