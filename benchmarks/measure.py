"""Measures rows in this process, whose environment says how many threads everybody uses; prints one JSON line a row.

Run by `benchmarks.__main__`, once for each number of threads.  Results are checked before anything is timed.
Competitors take turns, a few calls each, until each has spent its time; the best call counts.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np

import tolang
from benchmarks import limits
from benchmarks.limits import Limits
from benchmarks.peers import missing, threads, with_numpy
from benchmarks.row import Array, Competitor, Row, Run, arrays_of, difference
from benchmarks.rows import chosen
from benchmarks.rows.first_call import new_constants
from tolang.engines.cpu.runtime.tier_up import improvements_end
from tolang.ground.dataclasses import dataclass, replace

LONGEST_TURN = 0.05
CALLS_IN_A_TURN = 5
"""On one thread; on several, whose rests are long, a turn lasts as long as it may."""
FEWEST_TURNS = 2
TOO_LONG = 10
VALUE = "the value alone"

REST, LONG_REST = 0.002, 0.12
"""Seconds between turns; on several threads so many that nobody's idle threads look for work in another's turn."""


def ours(row: Row) -> Competitor:
    """ToLang's own competitor: compiled without falling back to the interpreter."""

    def prepare(*data: Array) -> Run:
        if row.fresh:
            constants = new_constants()
            return lambda: tolang.compile(
                row.source.replace("{fresh}", f"{next(constants):.17f}"), engine="cpu", fallback=False
            )(*data)
        program = row.program()
        names = list(program.inputs)
        if row.fixed:
            program = program.fix(**{names[place]: data[place] for place in row.fixed})
        changing = [one for place, one in enumerate(data) if place not in row.fixed]
        return lambda: program(*changing)

    return prepare


def competitors(row: Row) -> dict[str, Competitor]:
    """Everybody who can do a row here, ours first."""
    found = {"tolang": ours(row)}
    if not row.fresh:
        found["numpy"] = with_numpy(row.reference)
    return found | {name: peer for name, peer in row.peers.items() if missing(name) is None}


def checked(row: Row, data: tuple[Array, ...]) -> tuple[dict[str, Run], dict[str, str], dict[str, float]]:
    """What can be timed, why the others cannot, and how long preparing and the first call took."""
    expected = row.reference(*data)
    runs: dict[str, Run] = {}
    failures: dict[str, str] = {}
    first: dict[str, float] = {}
    for name, prepare in competitors(row).items():
        try:
            begin = time.perf_counter()
            run = prepare(*data)
            result = run()
            first[name] = time.perf_counter() - begin
            wrong = difference(result, expected, row)
            if name == "tolang" and not row.fresh:
                run()
                improvements_end()  # which code that is called again gets in the background
        except Exception as error:  # any failure of a competitor is shown in its place of the table
            wrong = reason_of(error)
        if wrong is None:
            runs[name] = run
        else:
            failures[name] = wrong
    return runs, failures, first


def reason_of(error: BaseException) -> str:
    """The first line of an error's message and its kind."""
    lines = str(error).strip().splitlines() or traceback.format_exception_only(error)
    return f"{type(error).__name__}: {lines[0]}"


@dataclass
class Record:
    """The best call of a competitor so far, how many there were, and the time they took."""

    best: float = float("inf")
    calls: int = 0
    turns: int = 0
    spent: float = 0.0

    def done(self, seconds: float) -> bool:
        """Whether the time is spent; two turns at least, unless the first took many times what was given."""
        return self.spent >= seconds and (self.turns >= FEWEST_TURNS or self.spent >= TOO_LONG * seconds)


def turn(run: Run, record: Record) -> None:
    """A few calls."""
    alone = threads() == 1
    time.sleep(REST if alone else LONG_REST)
    begin = time.perf_counter()
    for calls in count(1):
        start = time.perf_counter()
        run()
        end = time.perf_counter()
        record.best = min(record.best, end - start)
        record.calls += 1
        if end - begin > LONGEST_TURN or (alone and calls >= CALLS_IN_A_TURN):
            break
    record.turns += 1
    record.spent += time.perf_counter() - begin


def best_times(runs: dict[str, Run], seconds: float) -> dict[str, Record]:
    """The best call of each, taken in turns until each has spent its seconds."""
    records = {name: Record() for name in runs}
    while waiting := [name for name in runs if not records[name].done(seconds)]:
        for name in waiting:
            turn(runs[name], records[name])
    return records


def value_alone(row: Row, data: tuple[Array, ...]) -> dict[str, Run]:
    """What gives the value of a row without its gradient, if it has one."""
    if not row.by:
        return {}
    run = ours(replace(row, by=()))(*data)
    for _ in range(2):
        run()
    improvements_end()
    return {VALUE: run}


def least_time(row: Row, data: tuple[Array, ...], roof: Limits) -> float:
    """The seconds that the machine needs at the least: all operations, and all data in and out once."""
    moved = [*data, *arrays_of(row.reference(*data))]
    width = 8 if any(getattr(one, "dtype", None) in (np.float64, np.complex128) for one in data) else 4
    return roof.seconds(row.operations(*row.sizes), float(sum(one.nbytes for one in moved)), width)


def measure(row: Row, family: str, seconds: float, roof: Limits) -> dict[str, Any]:
    """One row as it is reported."""
    data = row.inputs(row.sizes)
    runs, failures, first = checked(row, data)
    records = best_times(runs | value_alone(row, data), seconds)
    value = records.pop(VALUE, None)
    return {
        "value": value and value.best,
        "least": least_time(row, data, roof),
        "name": row.name,
        "family": family,
        "target": row.target,
        "within": row.within,
        "against": list(row.against),
        "operations": row.operations(*row.sizes),
        "times": {name: record.best for name, record in records.items()},
        "calls": {name: record.calls for name, record in records.items()},
        "first": first,
        "failures": failures,
        "missing": {name: why for name in row.peers if (why := missing(name)) is not None},
    }


def measured(words: list[str], seconds: float) -> Iterator[dict[str, Any]]:
    roof = limits.measured()
    for family, rows in chosen(words).items():
        for row in rows:
            try:
                yield measure(row, family, seconds, roof)
            except Exception as error:  # a row that cannot even be prepared is a failed row, not the end of the run
                failed = {"tolang": reason_of(error)}
                named = {"name": row.name, "family": family, "target": row.target, "against": list(row.against)}
                empty = {
                    "operations": 0.0,
                    "least": 0.0,
                    "value": None,
                    "times": {},
                    "calls": {},
                    "first": {},
                    "missing": {},
                }
                yield {**named, **empty, "failures": failed}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", default="")
    parser.add_argument("--seconds", type=float, default=2.0)
    given = parser.parse_args()
    for result in measured([word for word in given.rows.split(",") if word], given.seconds):
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
