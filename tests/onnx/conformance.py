"""Runs the official tests of the onnx package: `python -m tests.onnx.conformance [-k part] [--family name]`.

Every test runs in one of a few processes with a limit of time; each gets a line with pass or the reason why not, and
totals close the report.  With `--results` the figures of the whole kind go into tests/onnx/results.json, from which
docs/onnx-operators.md is made.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import onnx
from onnx import AttributeProto, NodeProto
from tests.onnx.cases import KINDS, Case, cases, exclusions, run_case

from tolang.check.library import LIBRARY
from tolang.ground.reporting.diagnostics import ToLangError

RESULTS = Path(__file__).parent / "results.json"
"""What the tests gave when they were last run as wholes, by engine and kind."""


def family_operators(family: str) -> set[str]:
    """The names defined in a family's file of the library."""
    text = (LIBRARY / "onnx" / f"{family}.tol").read_text("utf-8")
    return {found[1] for found in re.finditer(r"^([A-Z]\w*?)(?:_\d+)?\(", text, re.MULTILINE)}


def _attempt(task: tuple[str, str, int, bool]) -> tuple[str, str, float]:
    """A test's name, why it failed (empty where it passed), and the seconds it took."""
    name, engine, limit, verbose = task
    signal.signal(signal.SIGALRM, _expired)
    signal.alarm(limit)
    start = time.perf_counter()
    reason = ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run_case(CASES[name], engine)
    except TimeoutError:
        reason = f"took more than {limit} s"
    except ToLangError as error:
        reason = str(error) if verbose else " | ".join(str(error).splitlines()[:6])[:300]
    except AssertionError as error:
        reason = str(error) if verbose else " ".join(str(error).split())[:200]
    except Exception as error:
        reason = traceback.format_exc() if verbose else f"{type(error).__name__}: {error}"[:300]
    finally:
        signal.alarm(0)
    return name, reason, time.perf_counter() - start


def _expired(*_: Any) -> None:
    raise TimeoutError


CASES: dict[str, Case] = {}


def chosen(options: argparse.Namespace) -> list[str]:
    """Names of the tests asked for."""
    names = list(CASES)
    for part in options.k or []:
        names = [name for name in names if re.search(part, name)]
    if options.family:
        operators = family_operators(options.family)
        names = [name for name in names if own_operators(CASES[name]) & operators]
    if options.op:
        names = [name for name in names if own_operators(CASES[name]) & set(options.op)]
    return names


def own_operators(case: Any) -> set[str]:
    """The operators a test is about: all in a model of one node, else those that give its name."""
    nodes = case.model.graph.node
    return {nodes[0].op_type} if len(nodes) == 1 else {node.op_type for node in nodes}


def results(names: list[str], options: argparse.Namespace) -> Iterator[tuple[str, str, float]]:
    tasks = [(name, options.engine, options.limit, options.verbose) for name in names]
    if len(tasks) < 8 or options.processes == 1:
        yield from map(_attempt, tasks)
        return
    with ProcessPoolExecutor(options.processes, multiprocessing.get_context("fork")) as pool:
        yield from pool.map(_attempt, tasks, chunksize=4)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", default="interpret", choices=["interpret", "cpu"])
    parser.add_argument("--kind", default="node", choices=[*KINDS, "all"], help="which of the official tests")
    parser.add_argument("-k", action="append", help="only tests whose name contains this regular expression")
    parser.add_argument("--family", help="only tests that use an operator defined in library/onnx/FAMILY.tol")
    parser.add_argument("--op", action="append", help="only tests of models that use this operator")
    parser.add_argument("--limit", type=int, default=20, help="seconds for one test")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--failed", action="store_true", help="print failures only")
    parser.add_argument("--quiet", action="store_true", help="print totals only")
    parser.add_argument("-v", "--verbose", action="store_true", help="whole error messages")
    parser.add_argument("--text", action="store_true", help="print the ToLang program of each test")
    parser.add_argument("--slowest", type=int, default=0, help="print this many of the slowest tests")
    parser.add_argument("--list", metavar="FILE", help="write name, tab, reason of every test here")
    parser.add_argument("--results", action="store_true", help="write the figures of all chosen tests to results.json")
    options = parser.parse_args()
    for kind in KINDS if options.kind == "all" else (options.kind,):
        CASES.update(cases(kind))
    found = []
    for name, reason, seconds in results(chosen(options), options):
        found.append((name, reason, seconds))
        if options.text:
            show(name)
        if not options.quiet and (reason or not options.failed):
            print(f"{'FAIL' if reason else 'pass'} {name} {reason}", flush=True)
    report(found, options)
    if options.results:
        keep_results({name: reason for name, reason, _ in found}, options.engine)
    return 0 if agree_with_exclusions({name: reason for name, reason, _ in found}) else 1


def agree_with_exclusions(found: dict[str, str]) -> bool:
    """Whether the tests that failed are those that are listed, and no listed one passed; tells which are not."""
    listed = exclusions().keys() & found.keys()
    failed = {name for name, reason in found.items() if reason}
    for name in sorted(failed - listed):
        print(f"not listed, and failed: {name}")
    for name in sorted(listed - failed):
        print(f"listed, and passed: {name}")
    return failed == listed


def show(name: str) -> None:
    """Prints the ToLang program of a test's model, or why there is none."""
    from tolang.onnx.model import Model

    case = CASES[name]
    model = Model(case.model)
    try:
        data = model.arguments(tuple(case.data_sets[0][0]), {})
        print(model.variant(data).text)
    except ToLangError as error:
        print(error)


def report(found: list[tuple[str, str, float]], options: argparse.Namespace) -> None:
    passed = sum(not reason for _, reason, _ in found)
    for name, _, seconds in sorted(found, key=lambda one: -one[2])[: options.slowest]:
        print(f"{seconds:7.2f} s {name}")
    reasons = Counter(re.sub(r"'.*?'|\d+", "…", reason)[:90] for _, reason, _ in found if reason)
    if len(found) > 60:
        for reason, count in reasons.most_common(12):
            print(f"{count:5d}  {reason}")
    print(f"{passed} of {len(found)} passed, {sum(seconds for *_, seconds in found):.1f} s")
    if options.list:
        with open(options.list, "w", encoding="utf-8") as file:
            file.writelines(f"{name}\t{reason}\n" for name, reason, _ in sorted(found))


def keep_results(found: dict[str, str], engine: str) -> None:
    """Puts the results of the kinds that were run as wholes into `RESULTS`, beside those of others."""
    kept = json.loads(RESULTS.read_text("utf-8")) if RESULTS.is_file() else {}
    by_kind = kept.get("engines", {}) if kept.get("onnx") == onnx.__version__ else {}
    for kind in sorted({CASES[name].kind for name in found}):
        names = sorted(name for name, case in CASES.items() if case.kind == kind)
        if all(name in found for name in names):
            by_kind.setdefault(engine, {})[kind] = figures(names, found)
    content = {"onnx": onnx.__version__, "engines": {one: by_kind[one] for one in sorted(by_kind)}}
    RESULTS.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def figures(names: list[str], found: dict[str, str]) -> dict[str, Any]:
    """How many tests passed, of all and for each operator of those whose model uses it, and which failed."""
    operators: dict[str, list[int]] = {}
    for name in names:
        for operator in used_operators(CASES[name].model.graph.node):
            count = operators.setdefault(operator, [0, 0])
            count[0] += not found[name]
            count[1] += 1
    failed = [name for name in names if found[name]]
    shown = {name: " ".join(map(str, count)) for name, count in operators.items()}
    return {"passed": len(names) - len(failed), "tests": len(names), "failed": failed, "operators": shown}


def used_operators(nodes: Iterable[NodeProto]) -> set[str]:
    """The operators of nodes and of their subgraphs."""
    used = set()
    for node in nodes:
        used.add(node.op_type)
        for one in node.attribute:
            if one.type == AttributeProto.GRAPH:
                used |= used_operators(one.g.node)
    return used


if __name__ == "__main__":
    sys.exit(main())
