"""Random programs before five judges: the interpreter, compiled code, strict compiled code, the atoms, and the small
evaluator of this folder, which knows nothing of tolang.

    python -m tests.fuzz.programs 1000 --seed 1 --jobs 2
    python -m tests.fuzz.programs --only 1/123

Programs are numbered, and each follows from the seed and its number alone.  They are run in processes of their own, so
that a crash is a finding like any other.  Findings are put together by their kind; of each kind the first are told, shrunk.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.fuzz.generator import LEFT_OUT, Program, program
from tests.fuzz.judges import Difference, differences
from tests.fuzz.shrinking import shrunk

ROOT = Path(__file__).resolve().parents[2]
PART = 250
"""How many programs a process judges before another takes its place."""

TOLD = 3
"""How many findings of a kind are told."""


def judged(seed: str) -> tuple[Program, list[Difference], str]:
    """The program of a seed, and what its judges do not agree on."""
    made = program(seed)
    if not made.definitions:
        return made, [], "empty"
    found, result = differences(made)
    return made, found, result


def reproduction(made: Program, difference: Difference) -> str:
    """All that is needed to see a difference again."""
    data = made.data[difference.data]
    lines = [f"seed {made.seed}, data {difference.data}", made.text(), ""]
    lines += [f"{name} = {value}" for name, value in data.sizes.items()]
    lines += [f"{name} = {_shown(value.shape, value.cells)}" for name, value in data.inputs.items()]
    return "\n".join([*lines, "", difference.told])


def _shown(shape: tuple[int, ...], cells: list[Any]) -> str:
    values = [cell[0] for cell in cells]
    return f"{values[0]!r}" if not shape else f"{values!r} of shape {list(shape)}"


def work(seed: str, start: int, stop: int) -> None:
    """Judges some programs and writes what was found, a line each, for the process that asked."""
    seen: Counter[tuple[str, ...]] = Counter()
    for number in range(start, stop):
        print(json.dumps({"at": number}), flush=True)
        made, found, result = judged(f"{seed}/{number}")
        makers = [one.maker for one in made.definitions]
        told = []
        for signature in dict.fromkeys(one.signature for one in found):
            difference = next(one for one in found if one.signature == signature)
            seen[signature] += 1
            smaller = shrunk(made, difference) if seen[signature] == 1 else (made, difference)
            told.append([list(signature), reproduction(*smaller)])
        print(json.dumps({"done": number, "result": result, "makers": makers, "found": told}), flush=True)


def command(seed: str, start: int, stop: int) -> list[str]:
    own = [sys.executable, "-m", "tests.fuzz.programs", "--seed", seed, "--part", str(start), str(stop)]
    return [*own, "--without", *sorted(LEFT_OUT)]


class Run:
    """Many programs in several processes, and what they have found."""

    def __init__(self, seed: str, count: int, jobs: int, start: int = 0) -> None:
        self.seed, self.jobs = seed, jobs
        self.waiting = [(at, min(at + PART, start + count)) for at in range(start, start + count, PART)]
        self.results: Counter[str] = Counter()
        self.makers: Counter[str] = Counter()
        self.kinds: Counter[tuple[str, ...]] = Counter()
        self.told: dict[tuple[str, ...], list[str]] = {}

    def go(self) -> None:
        running: list[tuple[subprocess.Popen[str], int, int]] = []
        environment = {**os.environ, "TOL_CACHE_DIR": "off", "TOL_THREADS": "2"}
        environment.setdefault("TOL_COMPILE", "quick")
        while self.waiting or running:
            while self.waiting and len(running) < self.jobs:
                start, stop = self.waiting.pop(0)
                process = subprocess.Popen(command(self.seed, start, stop), stdout=subprocess.PIPE, text=True, cwd=ROOT,
                                           env=environment, stderr=subprocess.PIPE)  # fmt: skip
                running.append((process, start, stop))
            process, start, stop = running.pop(0)
            written, errors = process.communicate()
            at, done = self.read(written)
            if process.returncode < 0 and at is not None and at != done:
                self.crash(at, process.returncode, errors)
                if at + 1 < stop:
                    self.waiting.append((at + 1, stop))
            elif process.returncode != 0:
                raise RuntimeError(errors)

    def read(self, written: str) -> tuple[int | None, int | None]:
        """What a process has written; the program it was at last, and the last it has done."""
        at = done = None
        for line in written.splitlines():
            told = json.loads(line)
            if "at" in told:
                at = told["at"]
                continue
            done = told["done"]
            self.results[told["result"]] += 1
            self.makers.update(told["makers"])
            for signature, text in told["found"]:
                self.note(tuple(signature), text)
        return at, done

    def note(self, signature: tuple[str, ...], text: str) -> None:
        self.kinds[signature] += 1
        told = self.told.setdefault(signature, [])
        if len(told) < TOLD:
            told.append(text)
            print(f"-- {', '.join(signature)}\n{text}\n", flush=True)

    def crash(self, at: int, status: int, errors: str) -> None:
        made = program(f"{self.seed}/{at}")
        self.results["crash"] += 1
        maker = next((one.maker for one in made.definitions), "")
        difference = Difference(("crash", str(status), maker), f"the process ended with {status}: {errors[-300:]}")
        self.note(difference.signature, reproduction(made, difference))

    def summary(self) -> str:
        lines = [f"{self.results.total()} programs of seed {self.seed}: {dict(self.results.most_common())}"]
        lines += [f"{count:6} {', '.join(signature)}" for signature, count in self.kinds.most_common()]
        return "\n".join(lines)


def parts(count: int, seed: str) -> Iterator[tuple[Program, list[Difference], str]]:
    """Programs judged in this process, one after the other."""
    for number in range(count):
        yield judged(f"{seed}/{number}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.programs")
    parser.add_argument("count", nargs="?", type=int, default=1000)
    parser.add_argument("--seed", default=str(time.time_ns() % 10**9))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--without", nargs="*", default=[], help="constructs that are left out")
    parser.add_argument("--only", help="judge one program, by SEED/NUMBER")
    parser.add_argument("--part", nargs=2, type=int, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    sys.setrecursionlimit(10_000)
    LEFT_OUT.update(given.without)
    if given.part:
        work(given.seed, *given.part)
        return 0
    if given.only:
        made, found, result = judged(given.only)
        print(made.text(), f"\n{result}", sep="\n")
        for one in found:
            print("", reproduction(*shrunk(made, one)), sep="\n")
        return bool(found)
    print(f"{given.count} programs of seed {given.seed}", flush=True)
    start = time.perf_counter()
    run = Run(given.seed, given.count, given.jobs, given.start)
    run.go()
    print(run.summary(), f"{time.perf_counter() - start:.0f} seconds", sep="\n")
    return bool(run.kinds)


if __name__ == "__main__":
    sys.exit(main())


__all__ = ["Run", "judged", "replace", "reproduction"]
