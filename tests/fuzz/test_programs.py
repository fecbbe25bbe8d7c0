"""Generated programs before five judges: 150 in all, in parts that workers share; `make fuzz` takes many more."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from tests.fuzz import judges
from tests.fuzz.cells import both_occur
from tests.fuzz.edges import MAKERS as EDGES
from tests.fuzz.evaluator import Evaluation
from tests.fuzz.generator import Program, program
from tests.fuzz.kinds import FLOATS, WHOLE
from tests.fuzz.makers import MAKERS
from tests.fuzz.programs import judged, reproduction
from tests.fuzz.shrinking import shrunk
from tests.fuzz.tree import Call, Component, Fold, If, Let, Listing, Map, Member, Name, Node, Zeros
from tests.fuzz.typed import typed
from tests.fuzz.writer import apply, decided, literal, varies

import tolang
from tolang.ground.reporting.diagnostics import Diagnostic
from tolang.ground.values.values import ToL
from tolang.readings.interpret import interpret

PARTS = 3
COUNT = 5
INDEPENDENT = (
    "kinds", "numbers", "totals", "cells", "tree", "typed", "members", "evaluator", "writer", "makers", "edges", "generator",
)  # fmt: skip


@pytest.mark.parametrize("part", range(PARTS))
def test_all_judges_agree(part: int) -> None:
    for number in range(part * COUNT, (part + 1) * COUNT):
        made, found, _ = judged(f"kept/{number}")
        assert not found, "\n\n".join(reproduction(made, one) for one in found)


@pytest.mark.parametrize("module", INDEPENDENT)
def test_the_small_evaluator_knows_nothing_of_tolang(module: str) -> None:
    tree = ast.parse((Path(__file__).parent / f"{module}.py").read_text("utf-8"))
    named = [one.module or "" for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)]
    named += [name.name for one in ast.walk(tree) if isinstance(one, ast.Import) for name in one.names]
    assert not [name for name in named if name.split(".")[0] == "tolang" or name == "tests.fuzz.judges"]


@pytest.fixture(scope="module")
def many() -> list[Program]:
    return [program(f"many/{number}") for number in range(600)]


def test_every_construct_and_every_space_occurs(many: list[Program]) -> None:
    made = Counter(one.maker for each in many for one in each.definitions)
    assert not [name for name in MAKERS if made[name] < 5]
    assert len([name for name in made if name.startswith("edge")]) == len(set(EDGES))
    spaces = Counter(one.space for each in many for one in each.inputs)
    assert not [
        name for name in ("B", "N", "Z", "Q", "R", "C", "S", "byte", "small", *WHOLE, *FLOATS) if not spaces[name]
    ]
    ranks = Counter(len(one.dims) for each in many for one in each.inputs)
    assert all(ranks[rank] > 50 for rank in range(4))
    lengths = Counter(length for each in many for data in each.data for length in data.sizes.values())
    assert all(lengths[length] > 20 for length in (0, 1, 2, 7, 8, 9, 15, 16, 17, 33, 65))


def test_nearly_all_programs_are_programs(many: list[Program]) -> None:
    refused = Counter[str]()
    for each in many[:150]:
        try:
            tolang.compile(each.text(), engine="interpret")
        except tolang.ToLangError as error:
            refused[error.code] += 1
    assert refused.total() < 15, refused


def test_data_decides_every_condition(many: list[Program]) -> None:
    """What a checker decides has the kind of one branch alone, and the small evaluator decides nothing beforehand."""
    for each in many:
        fixed: dict[str, bool] = {}
        for one in each.definitions:
            assert one.maker.startswith("edge") or not decided(one.node, fixed), one.text()
            fixed[one.id] = not varies(one.node, fixed)


@pytest.mark.parametrize(("start", "known"), [(literal(1.5), True), (Member(Name("a"), [literal(1)]), False)])
def test_conditions_are_followed_into_blocks_and_calls(start: Node, known: bool) -> None:
    chosen = If(apply("lt", Name("l"), Name("l")), literal(1), literal(2))
    within = [Let("l", start, chosen), Call("f", ("l",), [start], chosen), Map(Name("a"), Let("l", start, chosen))]
    assert [decided(one, {}) for one in within] == [known] * 3
    assert not decided(Fold(Zeros([literal(3)]), chosen, start, state="l", element="x"), {})


def test_a_lazy_evaluation_needs_no_condition_of_what_nothing_needs() -> None:
    """A component that is chosen by what has no value, beside one that has."""
    overflow = apply("mul", literal(2**62), literal(4))
    chosen = If(apply("lt", overflow, literal(0)), literal(1), literal(2))
    second = Component(Listing([chosen, literal(7)]), 2)
    typed(second, {})
    for lazy, wrong in ((True, frozenset()), (False, frozenset({"E505"}))):
        evaluation = Evaluation(lazy)
        assert evaluation.number(evaluation.tol(second, {}).cells[0][0]) == 7
        assert frozenset().union(*evaluation.faults) == wrong


def test_a_program_follows_from_its_seed() -> None:
    one, two = program("again/3"), program("again/3")
    assert one.text() == two.text()
    assert repr(one.data) == repr(two.data)


SEED = "planted/2"


def test_a_wrong_number_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that is wrong in one element of one output is told, by a program that has little else in it."""
    right = interpret

    def wrong(*arguments: object) -> list[ToL]:
        found: list[ToL] = right(*arguments)  # type: ignore[arg-type]  # passed on as it comes
        return [_changed(one) for one in found]

    made, found, result = judged(SEED)
    assert (found, result) == ([], "value")
    monkeypatch.setattr(judges, "interpret", wrong)
    made, found, _ = judged(SEED)
    numbers = [one for one in found if one.signature[:3] == ("evaluator", "interpreter", "numbers")]
    assert numbers
    smaller, shown = shrunk(made, numbers[0])
    assert len(smaller.definitions) == 1
    assert len(smaller.text()) < len(made.text())
    assert "element 1 of" in reproduction(smaller, shown)


def _changed(value: ToL) -> ToL:
    """The value with one more in its first element."""
    columns = [np.array(one) for one in value.columns]
    if columns[0].size and columns[0].dtype.kind in "iuf":
        columns[0].reshape(-1)[0] += 1
    return ToL(columns, value.spaces)


def test_an_error_of_one_judge_alone_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*arguments: object) -> list[ToL]:
        raise tolang.ToLangRunError(Diagnostic("E505", "planted"))

    monkeypatch.setattr(judges, "interpret", refusing)
    _, found, _ = judged(SEED)
    assert ("evaluator", "interpreter", "error or value", "interpreter", "E505") in {one.signature[:5] for one in found}


@pytest.mark.parametrize(("told", "accepted"), [("E509", True), ("E513", False), ("E506", False)])
def test_of_two_errors_either_may_be_told_but_none_that_does_not_occur(told: str, accepted: bool) -> None:
    """The evaluator knows of a length below zero and of a number too large; the interpreter tells the latter."""
    events = frozenset({frozenset({"E509", "E305"}), frozenset({"E505"})})
    outcomes = {
        "evaluator": judges.Outcome({}, frozenset({"E509", "E305", "E505"}), events=events),
        "interpreter": judges.Outcome({}, frozenset({"E505"})),
        "atoms": judges.Outcome({}, frozenset({told})),
        "compiled": judges.Outcome({"r": []}),
    }
    assert judges.tell_of_two(outcomes, "interpreter", "atoms") == accepted
    assert not judges.tell_of_two(outcomes, "interpreter", "compiled")


@pytest.mark.parametrize(("events", "both"), [([], False), (["E505 E509"], True), (["E505"], False),
                                               (["E505", "E509"], True), (["E505 E509", "E509"], True),
                                               (["E505", "E513"], False)])  # fmt: skip
def test_two_codes_tell_of_one_event_or_of_two(events: list[str], both: bool) -> None:
    assert both_occur(frozenset(frozenset(one.split()) for one in events), "E505", "E509") == both


def test_what_is_no_error_of_the_language_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def raising(*arguments: object) -> list[ToL]:
        raise KeyError("planted")

    monkeypatch.setattr(judges, "evaluate", raising)
    _, found, _ = judged(SEED)
    assert [one.signature[:3] for one in found] == [("atoms", "raised", "KeyError")]
