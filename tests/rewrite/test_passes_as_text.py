"""Each pass by itself: a plan as text goes in, and what comes out is the plan that the file of the pass says.

    pytest -n 0 tests/rewrite/test_passes_as_text.py -k borders

A file under `passes/` has cases:

    == what the plan is, in a few words ==
    # data: n 0 to 5, k.1 1 to 3          values of sizes and inputs, where any would not do
    # evaluated once: why                 or `# not evaluated: why`, where more would take too long
    the plan before, in the exact text of plans (`plan/reader.py`)
    == becomes ==                         or `== stays ==`, where the pass must leave it alone
    the plan after

Both plans are evaluated on random data and have to give the same, whatever order parallel loops are run in.
`--update-golden` writes anew what plans become; origins of nests are no part of what is compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from tests.rewrite.evaluation import Fault, evaluate
from tests.schedule.test_golden_plans import TARGET

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.values.spaces import Column, dtype_of, integer_range
from tolang.plan.exact_printer import origin_of, print_exactly
from tolang.plan.nest import Branch, Each, Nest, Plan, Repeat, Step
from tolang.plan.reader import read_plan
from tolang.plan.verifier import verify
from tolang.schedule.pipeline import PASSES, Pass

FOLDER = Path(__file__).parent / "passes"
HEADING = re.compile(r"^== (.+) ==\n", re.MULTILINE)
DATA = re.compile(r"^# data: (.+)$", re.MULTILINE)
RANGE = re.compile(r"(\S+|`[^`]+`) (-?\d+)(?: to (-?\d+))?$")
RUNS, MOST_TRIES = 3, 60
CLOSE = {"f64": 1e-9, "f32": 1e-4, "f16": 1e-2}
Values = dict[str, np.ndarray]
Ranges = dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Case:
    """A plan that a pass is given, and what it is to become; None where it stays as it is."""

    path: Path
    title: str
    before: str
    after: str | None

    @property
    def named(self) -> Pass:
        """The pass that the file is named after."""
        return next(one for one in PASSES if file_of(one) == self.path.name)


def file_of(one: Pass) -> str:
    return f"{one.name.replace(' ', '-')}.plan"


def cases_of(path: Path) -> Iterator[Case]:
    """The cases of a file, in their order."""
    _, *parts = HEADING.split(path.read_text("utf-8"))
    while parts:
        title, before, outcome, after, *parts = parts
        assert outcome in ("becomes", "stays"), f"{path.name}: {title}: == {outcome} =="
        yield Case(path, title, before, after if outcome == "becomes" else None)


CASES = [case for path in sorted(FOLDER.iterdir()) for case in cases_of(path)]


def ids_of(case: Case) -> str:
    return f"{case.path.stem}: {case.title}"


@pytest.mark.parametrize("case", CASES, ids=ids_of)
def test_passes_make_of_plans_what_they_should(case: Case, request: pytest.FixtureRequest) -> None:
    before = read_plan(case.before, case.path.name)
    verify(before)
    made = case.named.of(before, TARGET)
    verify(made)
    if case.after is None:
        assert without_origins(made) == without_origins(before)
        return
    if request.config.getoption("--update-golden"):
        written = case.path.read_text("utf-8")
        place = written.index(case.after, written.index(f"== {case.title} ==\n"))
        told = print_exactly(made) + ("\n" if case.after.endswith("\n\n") else "")
        case.path.write_text(written[:place] + told + written[place + len(case.after) :], "utf-8")
        return
    assert without_origins(made) == without_origins(read_plan(case.after, case.path.name))
    assert without_origins(made) != without_origins(before)


def is_evaluated(case: Case) -> bool:
    return case.after is not None and "# not evaluated: " not in case.before


@pytest.mark.parametrize("case", [case for case in CASES if is_evaluated(case)], ids=ids_of)
def test_plans_give_the_same_before_and_after(case: Case) -> None:
    assert case.after is not None
    before, after = read_plan(case.before, case.path.name), read_plan(case.after, case.path.name)
    verify(after)
    generator = np.random.default_rng(5)
    computed = 0
    for _ in range(MOST_TRIES):
        sizes, inputs = data_for(before, ranges_of(case.before), generator)
        wanted = outcome(before, sizes, inputs, False)
        for backwards in (False, True):
            assert_same(before, wanted, outcome(after, sizes, inputs, backwards))
        computed += not isinstance(wanted, str)
        if computed == (1 if "# evaluated once: " in case.before else RUNS):
            return
    assert computed, "every run of the plan ends with an error"


def without_origins(plan: Plan) -> str:
    """A plan as text in which all nests have the origin that is not written."""
    return print_exactly(replace(plan, steps=tuple(map(_without_origins, plan.steps))))


def _without_origins(step: Step) -> Step:
    match step:
        case Nest(targets=targets):
            return replace(step, origin=origin_of(targets))
        case Each(steps=steps) | Repeat(steps=steps):
            return replace(step, steps=tuple(map(_without_origins, steps)))
        case Branch(then=then, otherwise=otherwise):
            first, second = (tuple(map(_without_origins, side)) for side in (then, otherwise))
            return replace(step, then=first, otherwise=second)
    return step


def ranges_of(text: str) -> Ranges:
    """The least and greatest values that a case says of sizes and inputs."""
    found: Ranges = {}
    for line in DATA.findall(text):
        for part in line.split(", "):
            match = RANGE.match(part)
            assert match is not None, f"{part!r} is not written `name 1 to 5`"
            found[match[1].strip("`")] = int(match[2]), int(match[3] or match[2])
    return found


def data_for(plan: Plan, ranges: Ranges, generator: np.random.Generator) -> tuple[dict[str, int], Values]:
    """Random sizes and inputs of a plan, whole numbers all of them, so that sums are the same in any order."""
    sizes = {name: int(generator.integers(*ranges.get(name, (0, 6)), endpoint=True)) for name in plan.sizes}
    tables = {table.buffer.name for table in plan.tables}
    inputs: Values = {}
    for buffer in plan.inputs:
        if buffer.name not in tables:
            shape = [max(0, int(length.evaluate(sizes))) for length in buffer.shape]
            least, greatest = ranges.get(buffer.name, limits(buffer.column))
            numbers = generator.integers(least, greatest, size=shape, endpoint=True)
            inputs[buffer.name] = numbers.astype(dtype_of(buffer.column.storage))
    return sizes, inputs


def limits(column: Column) -> tuple[int, int]:
    if column.storage == "bool":
        return 0, 1
    if column.storage in ("u8", "i8"):
        return integer_range(column.storage)
    return (1, 4) if column.space.family == "Z" else (-4, 4)


def outcome(plan: Plan, sizes: dict[str, int], inputs: Values, backwards: bool) -> list[list[object]] | str:
    """The outputs of a plan, or the code of its error."""
    try:
        return evaluate(plan, sizes, inputs, backwards)
    except Fault as fault:
        return f"the error {fault}"


def assert_same(plan: Plan, wanted: list[list[object]] | str, found: list[list[object]] | str) -> None:
    if isinstance(wanted, str) or isinstance(found, str):
        assert found == wanted
        return
    for buffer, one, two in zip(chain(*plan.outputs), chain(*wanted), chain(*found), strict=True):
        close = CLOSE.get(buffer.column.storage, 0)
        np.testing.assert_allclose(np.asarray(two), np.asarray(one), rtol=close, atol=close, err_msg=buffer.name)


def test_every_pass_has_plans_that_it_changes_and_such_as_it_must_leave_alone() -> None:
    kinds = {(case.path.name, case.after is None) for case in CASES}
    wanted = {(file_of(one), stays) for one in PASSES for stays in (False, True)}
    assert kinds == wanted
