"""Interrupts at random moments: what would run for minutes ends soon, nothing is lost, and all works as before.

`run` takes programs that run long, of every kind of loop, compiled on one thread or two, in strict order or not, or
interpreted.  A signal comes at a random moment, in the midst of compiling or of running; then the exception of its
handler must be raised soon, no memory may be held, and the same program must give the same results on small data as
before.  Programs in which a check fails early must end as soon.  `run_commands` does the like with `tol run`.

    python -m tests.fuzz.interrupts 200 --seed 1
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import tolang
from tolang.engines.cpu.runtime.native import held_memory
from tolang.ground.values.values import equal

LONGEST = 1.0
"""Seconds that may pass between a signal, or a failed check, and the end of a run; alone it is a fifth of one."""
LATEST = 0.5
"""Seconds after which a signal comes at the latest."""

FOLDS = ("add", "max", "min", "(s,v) -> s*0.5+v", "(s,v) -> if v > s then v else s", "(s,v) -> max(s,v)*0.999")
ELEMENTS = ("x[i]*k", "sin(x[i]+k)", "x[i]/(k+1)", "x[i]+k-7*floor(k/7)", "if k % 3 == 0 then x[i] else k*0.5")
STEPS = ("s*s*0.5+0.1", "if s < 4 then s*s*0.1+0.3 else s", "sqrt(s+1)", "sin(s)+cos(s)", "1/(s+1)")
STATES = ("* * 0.5 + 1", "sin(*)", "if * > 0.5 then * - 0.25 else * + 0.5", "s[1] * 0.5 + *")
CHANGES = ("sort(s)", "cumulative_sum(s)", "[s,s][1:n]", "reshape(reshape(s,[n,1]),[n])", "map(s, * - mean(s))")


@dataclass(frozen=True, slots=True)
class Long:
    """A program with data on which it ends at once, and data on which it runs for long."""

    source: str
    small: Mapping[str, Any]
    large: Mapping[str, Any]


def compiled_program(generator: random.Random) -> Long:
    """A program that takes long in compiled code, and little memory."""
    element, step = generator.choice(ELEMENTS), generator.choice(STEPS)
    fold, second = generator.choice(FOLDS), generator.choice(FOLDS)
    state, change = generator.choice(STATES), generator.choice(CHANGES)
    rows, few = generator.choice((1, 2, 3, 9, 100)), generator.choice((1, 3, 5, 40))
    vector = np.linspace(0.1, 1, rows)
    head = "tol x: R [n]\ntol m: N\n"
    inner = f"reduce(map(tol[m], {element}, k), {fold}, 0)"
    products = "map(tol[n,n], reduce(map(tol[m{0}], (x[i]+k)*(x[j]*k), {1}), add, 0), [i,j])"
    kinds: list[tuple[str, int, Any]] = [
        (f"map(x, {inner}, i)", 10**11, vector),
        (f"map(tol[n,4], {inner} + j, [i,j])", 10**11, vector),
        (f"map(x, reduce(map(tol[m,m], {element}+j, [k,j]), {fold}, 0), i)", 10**6, vector),
        (f"map(x, reduce(map(tol[m], reduce(map(tol[{few}], x[i]*k+j, j), {second}, 0), k), {fold}, 0), i)", 10**11, vector),
        (f"map(x, reduce(map(tol[i*m], {element}, k), {fold}, 0), i)", 10**11, vector),
        (f"reduce(map(tol[m], {element.replace('[i]', '[1]')}, k), {fold}, 0)", 10**12, vector),
        (f"reduce(map(tol[n,m], {element}, [i,k]), {fold}, 0)", 10**12, vector),
        (f"map(x, reduce(tol[m], (s,v) -> {step}, *))", 10**11, vector),
        (f"reduce(tol[m], (s,v) -> map(s, {state}), x)", 10**10, np.linspace(0.1, 1, generator.choice((3, 2000, 10**6)))),
        (f"map(tol[n], reduce(tol[m], (s,v) -> map(s, {state}), x)[1] + i, i)", 10**10, vector),
        (f"reduce(tol[m], (s,v) -> map({change}, * * 0.5 + 0.25), x)", 10**9, np.linspace(0.1, 1, 10**5)),
        (products.format("", "k"), 10**9, np.linspace(0.1, 1, 40)),
        (products.format(",3", "[k,l]"), 10**9, np.linspace(0.1, 1, 40)),
        (products.format(",10^7", "[k,l]"), 10**3, np.linspace(0.1, 1, 40)),
    ]  # fmt: skip
    body, size, data = generator.choice(kinds)
    return Long(f"{head}r := {body}", {"x": data[:3], "m": 3}, {"x": data, "m": size})


def interpreted_program(generator: random.Random) -> Long:
    """A program that takes long to interpret, whose single operations are large."""
    state, step = generator.choice(STATES), generator.choice(STEPS)
    fold, element = generator.choice(FOLDS), generator.choice(ELEMENTS)
    large = np.linspace(0.1, 1, generator.choice((1, 1000, 3 * 10**6)))
    head = "tol x: R [n]\ntol m: N\n"
    kinds = [
        (f"reduce(tol[m], (s,v) -> map(s, {state}), x)", 10**9),
        (f"map(x, reduce(tol[m], (s,v) -> {step}, *))", 10**9),
        ("reduce(tol[m], (s,v) -> [s,s][1:n], x)", 10**9),
        ("reduce(tol[m], (s,v) -> convert(convert(s, [C]), [R]), x)", 10**9),
        (f"reduce(tol[m], (s,v) -> s + reduce(map(tol[100000], {element.replace('[i]', '[1]')}, k), {fold}, 0), 0)", 10**9),
        ("reduce(tol[m], (s,v) -> s * convert(3, [Q]) / 7, convert(1, [Q]))", 10**5),
    ]  # fmt: skip
    body, size = generator.choice(kinds)
    return Long(f"{head}r := {body}", {"x": large[:3], "m": 3}, {"x": large, "m": size})


def failing_program(generator: random.Random) -> Long:
    """A program of which a check fails early, and which would otherwise run for long."""
    fold = generator.choice(FOLDS[:3])
    kinds = [
        f"map(x, reduce(map(tol[m], x[i+k-1], k), {fold}, 0), i)",
        f"map(tol[n], reduce(map(tol[m], x[p[i]]*k, k), {fold}, 0), i)",
        "map(p, reduce(map(tol[m], p[i]^40 + k, k), max, 0), i)",
        "map(p, reduce(tol[m], (s,v) -> s*s, *))",
        f"reduce(map(tol[m], x[k], k), {fold}, 0)",
        "reduce(tol[m], (s,v) -> map(s, * * 3), p)",
    ]
    source = f"tol x: R [n]\ntol p: Z [n]\ntol m: N\nr := {generator.choice(kinds)}"
    data = {"x": np.ones(4), "p": np.array([9, 3, 2, 2])}
    return Long(source, {"x": np.ones(4), "p": np.ones(4, dtype=np.int64), "m": 1}, {**data, "m": 10**11})


@contextmanager
def interrupted_after(delay: float, by_thread: bool) -> Iterator[None]:
    """Sends this process a signal after a delay, from a timer of the system or from another thread."""
    timer = threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT))

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    def lost(one: Any) -> None:
        """Python cannot raise everywhere: in what it does when an object dies, an exception is lost."""
        signal.raise_signal(signal.SIGINT) if isinstance(one.exc_value, KeyboardInterrupt) else shown(one)

    before = [(number, signal.signal(number, stop)) for number in (signal.SIGINT, signal.SIGALRM)]
    shown, sys.unraisablehook = sys.unraisablehook, lost
    try:
        if by_thread:
            timer.start()
        else:
            signal.setitimer(signal.ITIMER_REAL, delay)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if timer.ident is not None:
            timer.cancel()
            timer.join()
        sys.unraisablehook = shown
        for number, handler in before:
            signal.signal(number, handler)


def interrupt(case: Long, program: tolang.Program, delay: float, by_thread: bool) -> float:
    """How long after a signal a run ended; one that needs more memory than there is ends by itself."""
    due = time.perf_counter() + delay
    try:
        with interrupted_after(delay, by_thread):
            program(**case.large)
    except KeyboardInterrupt:
        return time.perf_counter() - due
    except tolang.ToLangRunError as error:
        if error.code == "E508":
            return 0.0
        raise
    raise AssertionError(f"not interrupted: {case.source}")


def check_interrupt(generator: random.Random, longest: float) -> tuple[str, float]:
    """One program interrupted, and used again."""
    engine, threads = generator.choice((("cpu", 1), ("cpu", 2), ("cpu", 2), ("interpret", 1)))
    case = interpreted_program(generator) if engine == "interpret" else compiled_program(generator)
    program = tolang.compile(case.source, engine=engine, strict=generator.random() < 0.3, threads=threads)
    warm, moments = generator.random() < 0.7, generator.randint(1, 2)
    expected = tolang.compile(case.source, engine="interpret")(**case.small)
    if warm:
        assert equal(program(**case.small), expected, 1e-9), case.source
    took = 0.0
    for _ in range(moments):
        found = interrupt(case, program, generator.uniform(0.001, LATEST), generator.random() < 0.5)
        assert found < longest, f"{found:.2f} s ({engine}, {threads} threads): {case.source}"
        took = max(took, found)
    assert held_memory() == 0, f"{held_memory()} bytes are held: {case.source}"
    assert equal(program(**case.small), expected, 1e-9), case.source
    return engine, took


def check_failure(generator: random.Random, longest: float) -> tuple[str, float]:
    """One program whose check fails, and that is used again."""
    case = failing_program(generator)
    program = tolang.compile(case.source, engine="cpu", fallback=False, threads=generator.choice((1, 2)))
    before, started = program(**case.small), 0.0
    for _ in range(2):
        started = time.perf_counter()
        try:
            with interrupted_after(5 * longest, False):
                program(**case.large)
        except tolang.ToLangRunError:
            continue
        raise AssertionError(f"no check failed: {case.source}")
    took = time.perf_counter() - started
    assert took < longest, f"{took:.2f} s: {case.source}"
    assert held_memory() == 0, case.source
    assert np.array_equal(program(**case.small), before), case.source
    return "failure", took


def run(count: int, seed: int = 0, longest: float = LONGEST) -> tuple[Counter[str], float]:
    """So many programs interrupted, or failing; how many of each kind, and the longest that one took to end."""
    outcomes, slowest = Counter[str](), 0.0
    for number in range(count):
        generator = random.Random(f"{seed} {number}")
        check = check_failure if generator.random() < 0.2 else check_interrupt
        kind, took = check(generator, longest)
        outcomes[kind] += 1
        slowest = max(slowest, took)
    return outcomes, slowest


def run_commands(count: int, seed: int = 0, longest: float = LONGEST) -> Counter[int]:
    """`tol run` interrupted so many times: it ends soon, as an interrupted command does, and shows no traceback."""
    outcomes = Counter[int]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.tol"
        for number in range(count):
            generator = random.Random(f"{seed} {number} command")
            case = compiled_program(generator)
            path.write_text(case.source, encoding="utf-8")
            command = ["run", str(path), "x=[0.5,0.25,0.75]", f"m={case.large['m']}", "--engine", "cpu"]
            child = subprocess.Popen(
                [sys.executable, "-m", "tolang", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            time.sleep(generator.uniform(0.7, 3.0))
            sent = time.perf_counter()
            child.send_signal(signal.SIGINT)
            _, told = child.communicate(timeout=100)
            took = time.perf_counter() - sent
            assert child.returncode in (130, -signal.SIGINT), f"{child.returncode}: {case.source}\n{told}"
            assert not told.strip(), told
            assert took < longest, f"{took:.2f} s: {case.source}"
            outcomes[child.returncode] += 1
    return outcomes


def main() -> None:
    """The command of this module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--longest", type=float, default=LONGEST, help="seconds that may pass until a run ends")
    parser.add_argument("--commands", type=int, default=0, help="how many commands are interrupted, too")
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    outcomes, slowest = run(given.count, given.seed, given.longest)
    print(f"{dict(outcomes)}, at most {slowest:.3f} s")
    if given.commands:
        print(f"exit codes {dict(run_commands(given.commands, given.seed, given.longest))}")


if __name__ == "__main__":
    main()
