"""Random programs in pieces beside the same programs whole: the same bits, whatever the memory and the workers.

    python -m tests.fuzz.pieces 1000 --seed 1 --jobs 2
    python -m tests.fuzz.pieces --only 1/123

Some of the programs are those of `programs.py`, most go the ways of `ways.py`.  Each runs whole, then in pieces of
two coordinates, in rooms of some hundred to some hundred thousand bytes, and as it is planned for several workers.  What
a run in pieces gives has to have the bits of the whole, but for the sign and the payload of NaN; it may be refused, by
an error of ours that says why.  Anything else is a finding: another exception, a warning of a defect, a value where
there is an error.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from tests.fuzz import programs
from tests.fuzz.generator import program
from tests.fuzz.judges import SAME, Difference, Slow, bounded, tolang_data
from tests.fuzz.kinds import Meaningless
from tests.fuzz.ways import Case
from tests.fuzz.ways import case as case_of_ways
from tests.pieces.corpus import cut_into_twos

import tolang
from tolang.data.results import returned
from tolang.engines.dask import grids, multipass, piecewise, placement, requests, running, storage
from tolang.engines.dask.budgets import ENGINE, Room
from tolang.engines.dask.parts import all_cuts
from tolang.engines.dask.work import work_of
from tolang.ground.values.values import ToL

REFUSED = frozenset({"E616", "E618"})
"""The codes of programs that do not run in pieces, or not in so little memory."""
ROOMS = (64, 200, 1000, 5000, 30_000, 300_000)
"""Bytes for a task."""


MOST_PIECES = 3000
"""How many pieces a run has at the most that is judged."""


class TooMany(Exception):
    """Raised where a run has more pieces than are worth waiting for."""


@dataclass(frozen=True)
class Outcome:
    """The bits of results by name, or the code of an error."""

    bits: Any = None
    code: str = ""
    tasks: int = 0


def case(seed: str) -> Case | None:
    """The program of a seed; None where the generator has none."""
    if random.Random(seed).random() < 0.8:
        return case_of_ways(seed)
    try:
        made = program(seed)
    except Meaningless:
        return None
    if not made.definitions:
        return None
    (data, *_), text = made.data, made.text()
    given = dict(data.sizes) | tolang_data(made, data)
    ways = tuple(each.maker for each in made.definitions)
    return Case(seed, text, given, strict=random.Random(seed).random() < 0.3, ways=ways)


# Manners


@contextmanager
def in_no_memory(portion: int = 50) -> Iterator[None]:
    """What the process holds before does not count, and what little stages give each other is in files."""
    with ExitStack() as stack:
        for module, name, value in (
            (requests, "PORTION", portion), (multipass, "PORTION", portion), (storage, "SMALL", 8), (placement, "SMALL", 8),
            (running, "LITTLE", 100),
        ):  # fmt: skip
            stack.enter_context(patch.object(module, name, value))
        stack.enter_context(patch.object(piecewise, "resident_memory", lambda: 0))
        yield


@contextmanager
def of_two() -> Iterator[int]:
    """Stages in pieces of two coordinates, repetitions turn by turn."""
    with (
        in_no_memory(),
        patch.object(Room, "of_a_task", lambda room, kept=0: 0),
        patch.object(grids, "cut", cut_into_twos),
    ):
        yield 1 << 44


@contextmanager
def within(room: int) -> Iterator[int]:
    """Tasks that hold so many bytes."""
    with in_no_memory(max(50, room // 50)):
        yield ENGINE + room


@contextmanager
def for_workers(number: int, room: int) -> Iterator[int]:
    """As it is planned for workers that hold so much each, all tasks performed here."""

    def planned(self: Any, work: Any, known: Any) -> Room:
        return Room(ENGINE + room, workers=number)

    with (
        in_no_memory(5000),
        patch.object(piecewise.Piecewise, "_room", planned),
        patch.object(piecewise.Piecewise, "apart", True),
        patch.object(grids, "WORK_OF_A_TASK", 50),
    ):
        yield ENGINE + room


def manners(one: Case) -> list[tuple[str, Callable[[], Any]]]:
    """Some ways to cut a program; long vectors are not taken to little pieces."""
    generator = random.Random(one.seed)
    room, number = generator.choice(ROOMS), generator.choice((2, 3, 8))
    if one.long:
        room = generator.choice((1 << 20, 4 << 20))
    some = [
        (f"within {room} bytes", lambda: within(room)),
        (f"for {number} workers", lambda: for_workers(number, 1 << 30)),
    ]
    return some if one.long else [("pieces of two", of_two), *some]


# Judging


def bits_of(value: Any) -> Any:
    """The bits of a value, all NaN alike."""
    match value:
        case dict():
            return {name: bits_of(one) for name, one in value.items()}
        case tuple():
            return tuple(map(bits_of, value))
        case ToL():
            return value.shape, tuple(map(bits_of, value.columns))
    array = np.asarray(value)
    if array.dtype == object:
        return array.shape, repr(array.tolist())
    if array.dtype.names:
        return tuple((name, bits_of(array[name])) for name in array.dtype.names)
    if array.dtype.kind in "fc" or array.dtype.name == "bfloat16":
        real = array.view(array.real.dtype) if array.dtype.kind == "c" and array.ndim else array
        array = np.where(np.isnan(real), np.abs(np.array(np.nan, real.dtype)), real).astype(real.dtype)
    return array.shape, array.dtype.str, array.tobytes()


def whole(made: tolang.Program, data: dict[str, Any]) -> Outcome:
    try:
        return Outcome(bits_of(made(**data)))
    except tolang.ToLangError as error:
        return Outcome(code=error.code)


def in_pieces(made: tolang.Program, data: dict[str, Any], memory: int) -> Outcome:
    """What a program gives in pieces that is planned for so much memory, beside its results."""
    try:
        work = work_of(made, (), data)
        pieces = piecewise.Piecewise(made, memory + piecewise._bytes_of_results(work))
        placed = pieces.placed(work)
        found = returned(work.outputs, work.decoded(pieces.run(work, 0, _limited, placed)))
        return Outcome(bits_of(found), tasks=max((cut.tasks for cut in all_cuts(placed.cuts)), default=1))
    except tolang.ToLangError as error:
        return Outcome(code=error.code)


def _limited(done: int, total: int) -> None:
    if total > MOST_PIECES:
        raise TooMany


def judged(one: Case) -> tuple[list[Difference], Counter[str]]:
    """How a program in pieces differs from itself whole, and how often it ran so."""
    results: Counter[str] = Counter()
    try:
        with bounded(60), warnings.catch_warnings():
            warnings.simplefilter("error", tolang.ToLangWarning)
            return list(_differences(one, results)), results
    except Slow:
        return [Difference(("slow", *one.ways), "more than 60 seconds")], results


def _differences(one: Case, results: Counter[str]) -> Iterator[Difference]:
    try:
        made = tolang.compile(one.text, strict=one.strict)
        names = {*made.inputs, *made.sizes}
        data = {name: value for name, value in one.data.items() if name in names}
        expected = whole(made, data)
    except tolang.ToLangError as error:
        results[f"refused {error.code}"] += 1
        return
    except Exception as error:
        yield _raised("whole", error)
        return
    for name, manner in manners(one):
        try:
            with manner() as memory:
                found = in_pieces(made, data, memory)
        except TooMany:
            results["too many pieces"] += 1
            continue
        except Exception as error:
            yield _raised(name, error)
            continue
        results[_word(found)] += 1
        if found.code in REFUSED or (found.bits == expected.bits and _alike(found.code, expected.code)):
            continue
        what = "other bits" if found.bits is not None and expected.bits is not None else "error or value"
        told = f"{name}: {found.code or 'a value'}, whole: {expected.code or 'a value'}"
        yield Difference((name.rstrip("0123456789"), what, found.code, expected.code), told)


def _word(found: Outcome) -> str:
    if found.code:
        return "refused in pieces" if found.code in REFUSED else "error"
    return "cut" if found.tasks > 1 else "one task"


def _alike(one: str, other: str) -> bool:
    """Whether both run through, or both tell what is wrong: of several errors either may be told."""
    return bool(one) == bool(other) or any({one, other} <= codes for codes in SAME)


def _raised(name: str, error: Exception) -> Difference:
    last = traceback.extract_tb(error.__traceback__)[-1]
    signature = ("raised", type(error).__name__, f"{Path(last.filename).name}:{last.name}", str(error)[:40])
    return Difference(signature, f"{name}\n" + "".join(traceback.format_exception(error)[-6:]))


def reproduction(one: Case, difference: Difference) -> str:
    """All that is needed to see a difference again."""
    lines = [f"seed {one.seed}{', strict' if one.strict else ''}", one.text, ""]
    with np.printoptions(threshold=80):
        lines += [f"{name} = {value!r}" for name, value in one.data.items()]
    return "\n".join([*lines, "", difference.told])


def shrunk(one: Case, difference: Difference) -> Case:
    """A program with as few of its results as show the same."""
    changed = True
    while changed:
        changed = False
        for line in reversed([line for line in one.text.splitlines() if line.startswith("r")]):
            less = "\n".join(other for other in one.text.splitlines() if other != line)
            smaller = replace(one, text=less)
            if ":=" in less and any(found.signature == difference.signature for found in judged(smaller)[0]):
                one, changed = smaller, True
                break
    return one


# Many


def work(seed: str, start: int, stop: int) -> None:
    """Judges some programs and writes what was found, a line each, for the process that asked."""
    seen: set[tuple[str, ...]] = set()
    for number in range(start, stop):
        print(json.dumps({"at": number}), flush=True)
        told, made = [], case(f"{seed}/{number}")
        found, results = ([], Counter({"empty": 1})) if made is None else judged(made)
        for signature in dict.fromkeys(one.signature for one in found):
            difference = next(one for one in found if one.signature == signature)
            assert made is not None
            smaller = made if signature in seen or signature[0] == "slow" else shrunk(made, difference)
            seen.add(signature)
            told.append([list(signature), reproduction(smaller, difference)])
        result = max(results, key=lambda name: results[name], default="different")
        ways = [] if made is None else made.ways
        print(json.dumps({"done": number, "result": result, "makers": ways, "found": told}), flush=True)


class Run(programs.Run):
    """Many programs in several processes, and what was found."""

    module = "tests.fuzz.pieces"

    def reproduced(self, at: int, difference: Difference) -> tuple[str, str]:
        made = case(f"{self.seed}/{at}")
        return ("", difference.told) if made is None else (made.ways[0], reproduction(made, difference))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.pieces")
    parser.add_argument("count", nargs="?", type=int, default=1000)
    parser.add_argument("--seed", default=str(time.time_ns() % 10**9))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--without", nargs="*", default=[], help=argparse.SUPPRESS)
    parser.add_argument("--only", help="judge one program, by SEED/NUMBER")
    parser.add_argument("--part", nargs=2, type=int, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    sys.setrecursionlimit(10_000)
    if given.part:
        work(given.seed, *given.part)
        return 0
    if given.only:
        made = case(given.only)
        if made is None:
            print("no program")
            return 0
        found, results = judged(made)
        for one in found:
            print(reproduction(shrunk(made, one), one), end="\n\n")
        print(made.text, dict(results), sep="\n")
        return bool(found)
    print(f"{given.count} programs of seed {given.seed}", flush=True)
    run = Run(given.seed, given.count, given.jobs, given.start)
    run.go()
    print(run.summary(), flush=True)
    return bool(run.kinds)


if __name__ == "__main__":
    sys.exit(main())
