"""The exact text of plans: nothing is lost in it, and what is no plan is told with its place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.fuzz.generator import program as random_program
from tests.rewrite.structure import plan_difference
from tests.schedule.test_golden_plans import PROGRAMS, TARGET
from tests.schedule.test_schedules import CASES

import tolang
from tolang.core.core import Core
from tolang.ground.reporting.diagnostics import ToLangSyntaxError
from tolang.ground.symbolic.conditions import nonnegative
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import column
from tolang.lower.steps import lower
from tolang.plan.exact_printer import print_exactly
from tolang.plan.fixed import lengths_of
from tolang.plan.nest import (
    BEYOND,
    Allocate,
    Bind,
    Buffer,
    ConstantScalar,
    ConstantTable,
    Group,
    Named,
    Nest,
    Operation,
    PanelLayout,
    Plan,
    Reduction,
    RequireStep,
    Stride,
    Unsupported,
    unmet,
)
from tolang.plan.reader import read_plan
from tolang.plan.schedule import (
    LoopSchedule,
    OperandSource,
    Prepack,
    Role,
    ScanSchedule,
    ScheduleAxis,
    ScheduleCase,
    States,
    Tiled,
)
from tolang.schedule.pipeline import PASSES
from tolang.schedule.planning import plan

LANGUAGE = Path(__file__).parents[1] / "language"
N, REAL = Size.of("n"), column("R")


def assert_read_back(one: Plan) -> None:
    text = print_exactly(one)
    assert plan_difference(one, read_plan(text)) is None, text
    assert print_exactly(read_plan(text)) == text


def plans_of(core: Core, strict: bool) -> Iterator[Plan]:
    """The plan of a program as lowered, after each pass that changes something, and with strategies."""
    found = lower(core)
    yield found
    for one in PASSES:
        if one.strict in (None, strict):
            before, found = found, one.of(found, TARGET)
            if found.steps is not before.steps:
                yield found
    yield plan(core, TARGET, strict).plan


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", PROGRAMS)
def test_plans_of_passes_are_read_back(name: str) -> None:
    core = tolang.compile(PROGRAMS[name]).core
    for one in plans_of(core, strict=False):
        assert_read_back(one)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CASES)
def test_plans_of_strategies_are_read_back(name: str) -> None:
    source, data, fixed = CASES[name]
    core = tolang.compile(source).core
    lengths = lengths_of(core, {one: np.shape(data[one]) for one in fixed})
    made = plan(core, TARGET, fixed=frozenset(fixed), lengths=lengths)
    assert_read_back(made.plan)
    if made.once is not None:
        assert_read_back(made.once)


def assert_all_read_back(source: str) -> None:
    """Holds for the plans of a program, if it is one and has plans."""
    try:
        core = tolang.compile(source).core
        for strict in (False, True):
            for one in plans_of(core, strict):
                assert_read_back(one)
    except (tolang.ToLangError, Unsupported):
        return


@pytest.mark.sampled(12)
@pytest.mark.parametrize("path", sorted(LANGUAGE.glob("*.tol")), ids=lambda path: str(path.stem))
def test_plans_of_the_language_are_read_back(path: Path) -> None:
    assert_all_read_back(path.read_text("utf-8"))


@pytest.mark.sampled(12)
@pytest.mark.parametrize("number", range(120))
def test_plans_of_random_programs_are_read_back(number: int) -> None:
    assert_all_read_back(random_program(f"plans/{number}").text())


def test_what_no_program_has() -> None:
    """Layouts, tables, strides, roles, faults with a code and without, folds of several components, odd names."""
    x = Buffer("x.1", column("f32"), (N, Size.of(3)), "input")
    table = Buffer("table.1", column("C"), (Size.of(2),), "input")
    packed = Buffer("a `b`", REAL, (N, N), "outer", PanelLayout(8, 2, 4), beyond=3)
    starts = (ConstantScalar(0, column=REAL), ConstantScalar(1.5, column=column("f32")))
    states = Named("s", column=REAL), Named("t", column=column("f32"))
    fold = Group(
        ("k",), (N,), ("s", "t"), (REAL, column("f32")), starts, states[::-1], "max", True, True, LoopSchedule()
    )
    both = Operation(
        "pair of", (Reduction(fold, 1, column=column("f32")), Reduction(fold, 0, column=REAL)), column=REAL
    )
    axes = ScheduleAxis("i", Role.UNROLL, 8), ScheduleAxis("j", Role.VECTOR)
    plain = LoopSchedule(axes, States.CACHE, early_exit=True, prepacked=True, hoist=True)
    other = Tiled(6, 2, 4, splat=True, left=OperandSource.COLUMNS, fallback=plain)
    cases = ScheduleCase(nonnegative(N - 3), Prepack(16, 4)), ScheduleCase(nonnegative(3 - N), ScanSchedule(8, 2), True)
    one = Plan(
        ("n", "nest"),
        (x, table),
        (
            Allocate(packed),
            RequireStep(nonnegative(N - 1), unmet('of "this"')),
            RequireStep(nonnegative(N - 2), BEYOND),
            Bind("fold1", both),
            Bind("again", Reduction(fold, 0, column=REAL)),
            Bind("else", ConstantScalar(True, column=column("B"))),
            Nest(("i", "j"), (N, N), ((packed, (Size.of("i"), Size.of("j"))),), (both,), "", other, cases, True),
        ),
        ((packed, x), ()),
        (ConstantTable(table, (1 + 2j, complex(-0.0, float("inf")))),),
        (Stride("step of x", ("x.1",)),),
    )
    assert_read_back(one)


WRONG = {
    "a name that nothing binds": ("sizes n\na = add(n, c)\n", (2, 12), "nothing here binds c", "scalar:column"),
    "a buffer out of scope": (
        "sizes n\neach [i <= n]\n  buffer t: R [n]\nfree t\n",
        (4, 6),
        "no buffer in scope",
        "a buffer",
    ),
    "a step of no kind": ("input x.1: R []\nelse\n", (2, 1), "no step begins like this", "a step"),
    "lines that do not stand below one another": (
        "each [i <= 3]\n    a = 1\n  b = 2\n",
        (3, 3),
        "lines that belong together",
        "column 5",
    ),
    "two steps on a line": ("a = 1 b = 2\n", (1, 7), "the line goes on after its end", "a new line"),
    "a bracket that is missing": ("a = add(1, 2\nb = 3\n", (2, 1), "cannot go on", ")"),
    "no such type space": ("a = 1:Q7\n", (1, 7), "no type space", "B"),
    "a step too few": ("a = reduce [k <= 3](s = 1, t = 2 -> s)\n", (1, 37), "a step for each", "2 scalars"),
    "no such component": ("a = reduce [k <= 3](s = 1 -> s).2\n", (1, 33), "no such component", "1 to 1"),
    "no such fold": ("a = fold3.1\n", (1, 5), "no fold before this", "a label"),
    "a fault without words": ("require 1 >= 0 else E513\n", (2, 1), "a text", "a text in quotes"),
    "a schedule without a type": ("nest [] by (a 1)\n", (1, 12), "the type of a schedule", "a schedule"),
    "no scalar": ("a = ]\n", (1, 5), "a scalar must stand here", "a scalar"),
    "a quote that does not end": ("a = `b\n", (1, 5), "this quote does not end", None),
}


@pytest.mark.parametrize(("text", "place", "words", "expected"), WRONG.values(), ids=WRONG)
def test_what_is_no_plan_is_told(text: str, place: tuple[int, int], words: str, expected: str | None) -> None:
    with pytest.raises(ToLangSyntaxError) as caught:
        read_plan(text)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span is not None
    assert diagnostic.span.source.position(diagnostic.span.start) == place
    assert words in diagnostic.message
    assert (diagnostic.expected or "").startswith(expected or "")


def test_deep_nesting_is_told() -> None:
    with pytest.raises(ToLangSyntaxError, match="nests too deeply"):
        read_plan(f"a = {'neg(' * 100_000}1{')' * 100_000}\n")


def test_layout_inside_a_step_means_nothing() -> None:
    text = "sizes n\ninput x.1: R [n]\ny = reduce associative with add [i <= n](s = 0 -> add(s, x.1[i]))\noutput x.1\n"
    spread = text.replace(" -> ", " ->   # what is added\n      ").replace("y = ", "\n# a sum\ny =\n  ")
    assert print_exactly(read_plan(spread)) == print_exactly(read_plan(text))
