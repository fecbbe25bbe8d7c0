"""One program for each kind of schedule: what the plan says is what is emitted, and what `explain` prints is the plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from tests.plans import optimise

import tolang
from tolang.engines.cpu.emission import kernels
from tolang.engines.cpu.emission.emitter import Strategies
from tolang.engines.cpu.engine import CpuExecutable
from tolang.engines.cpu.runtime import native
from tolang.engines.cpu.strategies.table import STRATEGIES
from tolang.ground.dataclasses import replace
from tolang.ground.values.values import ToL
from tolang.lower.steps import lower
from tolang.plan.dispatch import without_cases
from tolang.plan.fixed import lengths_of
from tolang.plan.kinds import (
    FOLDS,
    IN_SHORT,
    ITERATION,
    OF_FOLDS,
    OF_NESTS,
    OF_REPEATS,
    POINTER_CHASE,
    WORDS,
    groups_in,
    kind_in,
    kind_of,
)
from tolang.plan.nest import Nest, Plan, Repeat, Step
from tolang.plan.printer import print_plan
from tolang.plan.schedule import (
    DoubleBuffered,
    LoopSchedule,
    OperandSource,
    Ownership,
    PrefixReuse,
    Prepack,
    Role,
    ScatterSchedule,
    Schedule,
    ScheduleAxis,
    States,
    Tiled,
)
from tolang.plan.target import Target
from tolang.plan.traversal import inner_steps, scalars_of
from tolang.plan.verifier import BrokenPlan
from tolang.schedule import planning
from tolang.schedule.choosing import verify_schedules
from tolang.schedule.direct_convolution import fills_lanes
from tolang.schedule.pipeline import PASSES

GENERATOR = np.random.default_rng(5)
X, A, B = GENERATOR.random(300), GENERATOR.random((30, 40)), GENERATOR.random((40, 50))
WHOLE = GENERATOR.integers(1, 9, 200)
WAYS = np.stack([np.roll(np.arange(1, 9), 3), np.roll(np.arange(1, 9), -2)], axis=1)
MOMENTS = """associative join(a, b) = {
  d = b[2]' - a[2]'
  m = a[1]' + b[1]'
  (m, a[2]' + d*b[1]'/m, a[3]' + b[3]' + d*d*a[1]'*b[1]'/m)
}
"""
PRODUCT = "tol a: R [n,k]\ntol b: R [k,m]\nr := map(tol[n,m], reduce(map(tol[k], a[i,p]*b[p,j], p), add, 0), [i,j])"
FIXED_VECTOR = "tol a: R [30,40]\ntol x: R [30]\nr := map(tol[40], reduce(map(tol[30], x[k]*a[k,j], k), add, 0), j)"
FIXED_MATRIX = (
    "tol a: R [n,40]\ntol b: R [40,50]\nr := map(tol[n,50], reduce(map(tol[40], a[i,p]*b[p,j], p), add, 0), [i,j])"
)
CASES: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "elementwise": ("tol x: R [n]\nr := map(x, * + 1)", {"x": X}, ()),
    "folds": ("tol a: R [n,m]\nr := map(tol[n], reduce(a[i], (s,t) -> s*0.5+t, 0), i)", {"a": A}, ()),
    "contraction": (PRODUCT, {"a": A, "b": B}, ()),
    "windows": (
        "tol a: R [n,m]\ntol b: R [k,o]\nat(i,j) = if i > 0 and i <= n and j > 0 and j <= m then a[i,j] else 0\n"
        "r := map(tol[o,n,m], reduce(map(tol[3,3], b[3*q+p-3,c]*at(i+q-2, j+p-2), [q,p]), add, 0), [c,i,j])",
        {"a": A, "b": B},
        (),
    ),
    "direct convolution": (
        "tol a: R [k,n,m]\ntol b: R [o,k,3,3]\n"
        "at(q,i,j) = if i > 0 and i <= n and j > 0 and j <= m then a[q,i,j] else 0\n"
        "r := map(tol[o,n,m], reduce(map(b[c], * * at(q, i+u-2, j+v-2), [q,u,v]), add, 0), [c,i,j])",
        {"a": GENERATOR.random((30, 7, 9)), "b": GENERATOR.random((50, 30, 3, 3))},
        ("b",),
    ),
    "transposition": ("tol a: R [n,m]\nr := map(tol[m,n], a[j,i] + 1, [i,j])", {"a": A}, ()),
    "depthwise": (
        "tol x: f32 [n,9,40]\ntol w: f32 [3,40]\n"
        "r := map(tol[n,7,40], reduce(map(tol[3], x[i,j+a-1,c] * w[a,c], a), add, 0), [i,j,c])",
        {"x": GENERATOR.random((3, 9, 40), dtype=np.float32), "w": GENERATOR.random((3, 40), dtype=np.float32)},
        (),
    ),
    "column folds": ("tol a: R [n,m]\nr := map(tol[m], reduce(map(tol[n], a[i,j], i), add, 0), j)", {"a": A}, ()),
    "matrix-vector": (
        "tol a: R [n,k]\ntol x: R [k]\nr := map(tol[n], reduce(map(tol[k], a[i,p]*x[p], p), add, 0), i)",
        {"a": A, "x": X[:40]},
        (),
    ),
    "prepacked matrix-vector": (FIXED_VECTOR, {"a": A, "x": X[:30]}, ("a",)),
    "prepacking": (FIXED_MATRIX, {"a": A, "b": B}, ("b",)),
    "folds together": (
        "tol a: R [n,m]\nr := map(tol[n,2], reduce(map(tol[n], a[j,q] / sqrt(1 + a[i,1]*a[j,2]), j), add, 0), [i,q])",
        {"a": A},
        (),
    ),
    "segment reduce": (
        "tol a: R [n,m]\ntol label: N [n]\nr := map(tol[9,m], reduce(map(label, if * == k then a[i,j] else 0, i), add, 0), [k,j])",
        {"a": A, "label": WHOLE[:30]},
        (),
    ),
    "iteration": ("tol x: R [n]\nr := map(x, reduce(tol[50], (s,v) -> if s < 4 then s*s*0.5+0.1 else s, *))", {"x": X}, ()),
    "pointer chase": (
        "tol x: R [n]\ntol ways: N [m,2]\ntol start: N [k]\n"
        "r := map(start, reduce(tol[9], (s,e) -> ways[s, if x[s] < 0.5 then 1 else 2], *))",
        {"x": X, "ways": WAYS, "start": WHOLE},
        (),
    ),
    "in order": ("tol x: R [n]\nr := reduce(x, (s,t) -> if t > 0.5 then [s,t+|s|[1]] else s, tol[0])", {"x": X}, ()),
    "double buffering": ("tol x: R [n]\nr := reduce(tol[7], (s,v) -> map(s, (y,k) -> y*0.5+s[1]+k), x)", {"x": X}, ()),
    "fixed point": ("use linalg\ntol a: R [n,n]\nr := reduce(tol[9], (s,v) -> min_plus(s,s), a)", {"a": B[:, :40]}, ()),
    "compaction": ("tol x: R [n]\nr := reduce(x, (s,t) -> if t > 0.5 then [s,t] else s, tol[0])", {"x": X}, ()),
    "prefix reuse": ("tol x: R [n]\nr := reduce(x, (s,t) -> if t > 0.5 then [s,t] else s, tol[0])", {"x": X}, ()),
    "scan": ("tol x: R [n]\nr := reduce(x, (s,t) -> [s, s[|s|[1]] + t], [0])", {"x": X}, ()),
    "histogram": ("tol x: N [n]\nr := reduce(x, (s,e) -> put(s, e, s[e] + 1), tol[9])", {"x": WHOLE}, ()),
    "owned rows": (
        "tol a: R [n,m]\ntol label: N [n]\n"
        "r := reduce(label, (s,e,i) -> [[s[1:e-1]], [map(s[e], (v,k) -> v/2 + a[i,k])], [s[e+1:]]], full([9,m], 1))",
        {"a": A, "label": WHOLE[:30]},
        (),
    ),
    "lanes": ("tol a: R [n,m]\nr := map(tol[n], reduce(a[i], add, 0), i)", {"a": A}, ()),
    "pieces": ("tol x: R [n]\nr := reduce(x, add, 0)", {"x": X}, ()),
    "choice fold": ("tol x: R [n]\nr := argmin(x)", {"x": X}, ()),
    "early exit": (
        "tol x: N [n]\ntol w: R [n]\n"
        "r := reduce(x, (s,e,k) -> if s[1]' == 3 then s else (if e == 3 then 3 else s[1]', s[2]' + w[k]*k), (0, 0))",
        {"x": WHOLE, "w": np.linspace(0, 1, len(WHOLE))},
        (),
    ),
    "tree fold": (f"tol x: R [n]\n{MOMENTS}r := reduce(map(x, (1,*,0)), join, (0,0,0))", {"x": X}, ()),
}  # fmt: skip


def steps_in(steps: tuple[Step, ...]) -> Iterator[Step]:
    for step in steps:
        yield step
        yield from steps_in(inner_steps(step))


def planned_names(plan: Plan) -> set[str]:
    """The kinds of all schedules in a plan; of folds those that nothing around them runs."""
    found: set[str] = set()
    for step in steps_in(without_cases(plan).steps):
        own = kind_of(step) if isinstance(step, Nest | Repeat) else ""
        found |= {own} if own else set()
        if isinstance(step, Nest) and isinstance(step.schedule, Tiled) and step.schedule.fallback is not None:
            found.add(kind_in(step, step.schedule.fallback))
        if not isinstance(step, Nest) or own in (FOLDS, ITERATION, POINTER_CHASE):
            found |= {kind_of(group) for group in groups_in(tuple(scalars_of(step))) if group.schedule is not None}
    return found


@pytest.fixture
def emitted(monkeypatch: pytest.MonkeyPatch, anew: None) -> set[str]:
    """The kinds of schedules that code was written by, in kernels that are not kept."""
    found: set[str] = set()

    def noting(table: Any) -> dict[str, Any]:
        def noted(name: str, write: Any) -> Any:
            def written(*arguments: Any) -> Any:
                found.add(name)
                return write(*arguments)

            return written

        return {name: noted(name, write) for name, write in table.items()}

    tables = {name: noting(getattr(STRATEGIES, name)) for name in ("nests", "repeats", "folds")}
    noting_all = Strategies(tables["nests"], tables["repeats"], tables["folds"], STRATEGIES.each)
    monkeypatch.setattr(kernels, "STRATEGIES", noting_all)
    return found


ON_THIS_MACHINE = [
    pytest.param(
        name, marks=pytest.mark.skipif(not fills_lanes(native.host_target()), reason="the target has other tiles")
    )
    if name == "direct convolution"
    else name
    for name in CASES
]


@pytest.mark.parametrize("name", ON_THIS_MACHINE)
def test_what_is_planned_is_what_runs(name: str, emitted: set[str]) -> None:
    source, data, fixed = CASES[name]
    core = tolang.compile(source).core
    lengths = lengths_of(core, {one: np.shape(data[one]) for one in fixed})
    made = planning.plan(core, native.host_target(), fixed=frozenset(fixed), lengths=lengths)
    wanted = planned_names(made.plan) | (set() if made.once is None else planned_names(made.once))
    assert name in wanted
    values = {one: ToL.of(value) for one, value in data.items()}
    job = tolang.compile(source, engine="cpu").job((), data)
    inputs = {one.name: job.inputs[one.name] for one in core.inputs}
    run = CpuExecutable(core, fixed={one: values[one] for one in fixed})
    (result,) = run.run(inputs, job.sizes)
    helpers = {"elementwise"}  # scalars that a table keeps in registers are put there by kernels of their own
    rare = [s for s in steps_in(without_cases(made.plan).steps) if isinstance(s, Nest) and s.rare]
    later = planned_names(replace(made.plan, steps=tuple(rare)))
    assert emitted <= wanted | helpers
    assert emitted >= wanted - helpers - later  # what only other sizes need is not there
    expected = np.asarray(tolang.compile(source, engine="interpret")(**data))
    assert np.allclose(np.asarray(result.columns[0]), expected if result.capacity == 1 else expected[..., 0])


@pytest.mark.parametrize("name", ON_THIS_MACHINE)
def test_explain_prints_the_plan_without_compiling(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("nothing is to be compiled")

    monkeypatch.setattr(native, "machine_code", refuse)
    source, data, fixed = CASES[name]
    text = tolang.compile(source).fix(**{one: data[one] for one in fixed}).explain().full
    assert f" by {name}" in text or f"folds: {name}" in text
    assert WORDS[name] in text


def test_every_kind_has_a_case_an_emitter_and_words() -> None:
    assert {*OF_NESTS, *OF_REPEATS, *OF_FOLDS} == CASES.keys() == WORDS.keys() == IN_SHORT.keys()
    assert isinstance(STRATEGIES, Strategies)
    found = [set(table) for table in (STRATEGIES.nests, STRATEGIES.repeats, STRATEGIES.folds)]
    assert found == [set(OF_NESTS), set(OF_REPEATS), set(OF_FOLDS)]


def test_an_interpreted_program_says_so() -> None:
    assert "interpreted" in tolang.compile("tol x: R [n]\nr := map(x, * + 1)", engine="interpret").explain().full


def test_whole_numbers_have_another_way_where_they_are_large() -> None:
    text = tolang.compile(PRODUCT.replace(": R", ": Z")).explain().full
    assert "where its numbers cannot overflow, else column folds" in text


def along(role: Role, **parameters: Any) -> LoopSchedule:
    return LoopSchedule((ScheduleAxis("i", role, 4),), **parameters)


COPIED = OperandSource.PADDED_COPY
OTHERS: dict[str, Schedule] = {
    "prefix reuse": PrefixReuse(),
    "transposition": along(Role.BLOCK),
    "folds together": along(Role.UNROLL),
    "contraction": Tiled(6, 4, 16),
    "windows": Tiled(6, 4, 16, right=COPIED),
    "direct convolution": Tiled(6, 4, 16, left=COPIED),
    "column folds": along(Role.BLOCK, states=States.CACHE),
    "depthwise": along(Role.VECTOR),
    "matrix-vector": LoopSchedule((ScheduleAxis("i", Role.UNROLL, 8), ScheduleAxis("k", Role.VECTOR, 8))),
    "prepacked matrix-vector": along(Role.VECTOR, prepacked=True),
    "iteration": along(Role.VECTOR, early_exit=True),
    "pointer chase": along(Role.INTERLEAVE),
    "prepacking": Prepack(16),
    "segment reduce": ScatterSchedule(Ownership.PRIVATISED, 1),
    "unknown": DoubleBuffered(),
}
"""A schedule of each kind, for a nest over i."""


def test_every_kind_of_nests_is_told_by_its_schedule() -> None:
    nest = Nest(("i",), (), (), ())
    assert {name: kind_in(nest, schedule) for name, schedule in OTHERS.items()} == {name: name for name in OTHERS}
    assert OTHERS.keys() | {"elementwise", "folds"} == OF_NESTS.keys() | {"unknown"}


@pytest.mark.parametrize("name", ["elementwise", *OTHERS])
def test_a_schedule_that_does_not_suit_is_refused(name: str) -> None:
    """A nest that adds one to each element suits no schedule of folds."""
    plan = optimise(lower(tolang.compile("tol x: R [n]\nr := map(x, * + 1)").core))
    ((iterator,),) = (s.iterators for s in plan.steps if isinstance(s, Nest))
    schedule = OTHERS.get(name, LoopSchedule())
    if isinstance(schedule, LoopSchedule):
        axes = tuple(replace(axis, name=iterator) if axis.name == "i" else axis for axis in schedule.axes)
        schedule = replace(schedule, axes=axes)
    changed = tuple(replace(s, schedule=schedule) if isinstance(s, Nest) else s for s in plan.steps)
    if name == "elementwise":
        verify_schedules(replace(plan, steps=changed))
        return
    with pytest.raises(BrokenPlan):
        verify_schedules(replace(plan, steps=changed))


def without_steps(plan: Plan) -> Plan:
    return replace(plan, steps=())


def written_nowhere(plan: Plan) -> Plan:
    """A plan with a nest that writes to a buffer that is not there."""

    def moved(nest: Nest) -> Nest:
        return replace(nest, targets=tuple((replace(one, name="nowhere"), at) for one, at in nest.targets))

    return replace(plan, steps=tuple(moved(one) if isinstance(one, Nest) else one for one in plan.steps))


@pytest.mark.parametrize("breaks", [without_steps, written_nowhere])
def test_a_pass_that_breaks_a_plan_is_left_out_and_told(
    breaks: Callable[[Plan], Plan], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pass of ours that forgets to store what is asked for: loud in tests, and for users a warning and the result.

    Whether code can be written of such a plan or not.
    """
    broken = replace(PASSES[-1], name="planted", run=breaks, strict=None, looks_for=None)
    monkeypatch.setattr(planning, "PASSES", (*PASSES, broken))
    source = "tol x: R [n]\nr := map(x, * + 41)"
    core = tolang.compile(source).core
    with pytest.raises(BrokenPlan):
        planning.plan(core, native.host_target())
    monkeypatch.setenv("TOL_DEFECTS", "tell")
    monkeypatch.setenv("TOL_CACHE_DIR", "off")  # what is kept is not planned
    program = tolang.compile(source, engine="cpu", fallback=False)
    with pytest.warns(tolang.ToLangWarning, match="please report"):
        found = program([1.0])
    assert found.tolist() == [42.0]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("source", [PRODUCT, "tol x: R [n]\nr := [x,x]", "tol x: Z [n]\nr := sort(map(x, * + 1))"])
def test_plans_are_the_same_whether_verified_at_once_or_one_by_one(
    source: str, strict: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests verify after each pass; users' plans are verified at the end, and again by passes where that fails."""
    core = tolang.compile(source).core
    loud = planning.plan(core, native.host_target(), strict)
    monkeypatch.setenv("TOL_DEFECTS", "tell")
    monkeypatch.setattr(planning, "one_by_one", None)  # what is sound does not come there
    quiet = planning.plan(core, native.host_target(), strict)
    assert print_plan(quiet.plan) == print_plan(loud.plan)
    assert quiet.passes == loud.passes


def test_a_plan_without_schedules_is_told_and_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing runs without them: an error in tests, also by way of programs that may fall back, and never silent."""
    monkeypatch.setattr(planning, "choose", lambda plan, target, strict, whole: plan)
    program = tolang.compile("tol x: R [n]\nr := map(x, * + 43)", engine="cpu")
    with pytest.raises(BrokenPlan):
        program([1.0])
    monkeypatch.setenv("TOL_DEFECTS", "tell")
    with pytest.warns(tolang.ToLangWarning, match="please report"):
        found = program([1.0])
    assert found.tolist() == [44.0]


def test_plans_depend_on_the_target_alone() -> None:
    """The same program is planned alike whatever machine does it."""
    core = tolang.compile(PRODUCT).core
    small, large = (planning.plan(core, target).plan for target in (Target(16, 16), Target(64, 32)))
    tiles = [
        [s.schedule for s in steps_in(plan.steps) if isinstance(s, Nest) and isinstance(s.schedule, Tiled)]
        for plan in (small, large)
    ]
    assert tiles[0] != tiles[1]
    assert Target(16, 16).digest != Target(64, 32).digest
