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
import traceback
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock, Thread, Timer
from typing import Any

from tests.fuzz.generator import LEFT_OUT, Program, program
from tests.fuzz.judges import Difference, differences
from tests.fuzz.kinds import Meaningless
from tests.fuzz.shrinking import shrunk

ROOT = Path(__file__).resolve().parents[2]
PART = 1000
"""How many programs a process judges at the most before another takes its place: kernels are shared in a process."""

TOLD = 3
"""How many findings of a kind are told."""

SPEAKING = 30
"""After how many seconds a run says how far it is."""

HANGING = 300
"""After how many seconds of silence a process is ended; what it was at is then a finding."""


def judged(seed: str) -> tuple[Program, list[Difference], str]:
    """The program of a seed, and what its judges do not agree on."""
    made = program(seed)
    if not made.definitions:
        return made, [], "empty"
    found, result = differences(made)
    return made, found, result


def surely_judged(seed: str) -> tuple[Program | None, list[Difference], str]:
    """As `judged`; what goes wrong in the generator or in a judge's own code is a finding, and never the end."""
    made: Program | None = None
    try:
        made = program(seed)
        found, result = differences(made) if made.definitions else ([], "empty")
    except Meaningless:  # literals are weak while a program is written, and not once they are exported: no program then
        return made, [], "meaningless"
    except Exception as error:
        return made, [_own_failure(seed, error)], "failed"
    return made, found, result


def _own_failure(seed: str, error: Exception) -> Difference:
    last = traceback.extract_tb(error.__traceback__)[-1]
    signature = ("own", "raised", type(error).__name__, f"{Path(last.filename).name}:{last.name}")
    return Difference(signature, f"seed {seed}\n" + "".join(traceback.format_exception(error)[-8:]))


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
        made, found, result = surely_judged(f"{seed}/{number}")
        makers = [one.maker for one in made.definitions] if made is not None else []
        told = []
        for signature in dict.fromkeys(one.signature for one in found):
            difference = next(one for one in found if one.signature == signature)
            seen[signature] += 1
            told.append([list(signature), told_of(made, difference, seen[signature] == 1)])
        print(json.dumps({"done": number, "result": result, "makers": makers, "found": told}), flush=True)


def told_of(made: Program | None, difference: Difference, first: bool) -> str:
    """The reproduction of a difference, of a smaller program where it is the first of its kind."""
    if made is None or difference.signature[0] == "own":
        return difference.told if made is None else f"{made.text()}\n\n{difference.told}"
    smaller = made, difference
    if first and difference.signature[0] != "slow":
        with suppress(Exception):
            smaller = shrunk(made, difference)
    return reproduction(*smaller)


def command(module: str, seed: str, start: int, stop: int) -> list[str]:
    own = [sys.executable, "-m", module, "--seed", seed, "--part", str(start), str(stop)]
    return [*own, "--without", *sorted(LEFT_OUT)]


class Run:
    """Many programs in several processes, each of the command of a module, and what they have found."""

    module = "tests.fuzz.programs"

    def __init__(self, seed: str, count: int, jobs: int, start: int = 0) -> None:
        self.seed, self.jobs, self.count = seed, jobs, count
        part = min(PART, max(1, -(-count // (2 * jobs))))
        self.waiting = [(at, min(at + part, start + count)) for at in range(start, start + count, part)]
        self.results: Counter[str] = Counter()
        self.makers: Counter[str] = Counter()
        self.kinds: Counter[tuple[str, ...]] = Counter()
        self.told: dict[tuple[str, ...], list[str]] = {}
        self.lock = Lock()
        self.began = self.spoken = time.perf_counter()

    def go(self) -> None:
        workers = [Thread(target=self.take_parts) for _ in range(self.jobs)]
        for one in workers:
            one.start()
        for one in workers:
            one.join()

    def take_parts(self) -> None:
        """Has one part after the other judged, each by a process of its own, as long as there are any."""
        while True:
            with self.lock:
                if not self.waiting:
                    return
                start, stop = self.waiting.pop(0)
            self.part(start, stop)

    def part(self, start: int, stop: int) -> None:
        """One process; where it ends before its time, the program it was at is a finding and the rest waits again."""
        environment = {**os.environ, "TOL_CACHE_DIR": "off", "TOL_THREADS": "2"}
        environment.setdefault("TOL_COMPILE", "quick")
        at = start - 1
        done = at
        with TemporaryFile("w+") as errors:
            process = subprocess.Popen(command(self.module, self.seed, start, stop), stdout=subprocess.PIPE, text=True, cwd=ROOT,
                                       env=environment, stderr=errors)  # fmt: skip
            watch = Timer(HANGING, process.kill)
            watch.start()
            for line in process.stdout or ():
                watch.cancel()
                watch = Timer(HANGING, process.kill)
                watch.start()
                told = json.loads(line)
                at, done = told.get("at", at), told.get("done", done)
                with self.lock:
                    self.read(told)
            status = process.wait()
            watch.cancel()
            errors.seek(0)
            written = errors.read()
        if status != 0 or done < stop - 1:
            with self.lock:
                self.crash(max(at, start), status, written)
                if max(at, start) + 1 < stop:
                    self.waiting.append((max(at, start) + 1, stop))

    def read(self, told: dict[str, Any]) -> None:
        """What a process has told of one program."""
        if "done" not in told:
            return
        self.results[told["result"]] += 1
        self.makers.update(told["makers"])
        for signature, text in told["found"]:
            self.note(tuple(signature), text)
        if time.perf_counter() - self.spoken > SPEAKING:
            self.spoken = time.perf_counter()
            print(f"   {self.results.total()} of {self.count} programs, {self.kinds.total()} findings, "
                  f"{self.spoken - self.began:.0f} seconds", flush=True)  # fmt: skip

    def note(self, signature: tuple[str, ...], text: str) -> None:
        self.kinds[signature] += 1
        told = self.told.setdefault(signature, [])
        if len(told) < TOLD:
            told.append(text)
            print(f"-- {', '.join(signature)}\n{text}\n", flush=True)

    def crash(self, at: int, status: int, errors: str) -> None:
        self.results["crash"] += 1
        told = f"the process ended with {status}: {errors[-2000:]}"
        try:
            maker, told = self.reproduced(at, Difference((), told))
        except Exception as error:
            maker, told = "", f"seed {self.seed}/{at}, {type(error).__name__} in the generator\n{told}"
        self.note(("crash", str(status), maker), told)

    def reproduced(self, at: int, difference: Difference) -> tuple[str, str]:
        """What a program begins with, and all that is needed to see a difference in it again."""
        made = program(f"{self.seed}/{at}")
        return next((one.maker for one in made.definitions), ""), reproduction(made, difference)

    def summary(self) -> str:
        """How often each kind was found; the last line has the counts."""
        seconds = time.perf_counter() - self.began
        lines = [f"{count:6} {', '.join(signature)}" for signature, count in self.kinds.most_common()]
        ways = ", ".join(f"{count} {name}" for name, count in self.results.most_common())
        total = self.results.total()
        lines.append(f"{total} programs of seed {self.seed} in {seconds:.0f} seconds ({seconds / max(total, 1):.3f} each): "
                     f"{ways}; {self.kinds.total()} findings of {len(self.kinds)} kinds")  # fmt: skip
        return "\n".join(lines)


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
        made, found, result = surely_judged(given.only)
        print(made.text() if made is not None else "", f"\n{result}", sep="\n")
        for one in found:
            print("", told_of(made, one, first=True), sep="\n")
        return bool(found)
    print(f"{given.count} programs of seed {given.seed}", flush=True)
    run = Run(given.seed, given.count, given.jobs, given.start)
    run.go()
    print(run.summary(), flush=True)
    return bool(run.kinds)


if __name__ == "__main__":
    sys.exit(main())


__all__ = ["Run", "judged", "reproduction"]
