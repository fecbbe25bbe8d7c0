"""Programs in pieces give every bit that they give in one piece, however they are cut."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.pieces import corpus
from tests.pieces.programs import (
    EXAMPLES,
    GROUPS,
    HEAT,
    PRODUCT,
    PROGRAMS,
    RNG,
    bits,
    in_no_memory,
    normal,
    pairs,
    parts_placed,
    placed,
)
from tests.programs import runs_of

from tolang.engines.dask import grids, piecewise
from tolang.engines.dask.budgets import ENGINE, Room
from tolang.engines.dask.multipass import Waves
from tolang.engines.dask.parts import Driven, all_cuts
from tolang.engines.dask.piecewise import Planning
from tolang.engines.dask.requests import Request
from tolang.engines.dask.running import Task
from tolang.engines.dask.stages import FOLD, MAP, WHOLE
from tolang.engines.dask.work import work_of
from tolang.ground.reporting.diagnostics import ToLangRunError, ToLangUsageError
from tolang.program.program import compile

pytestmark = pytest.mark.sampled(4)


@pytest.mark.parametrize("strict", [False, True], ids=["free", "strict"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_same_bits(name: str, strict: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    source, make, room = PROGRAMS[name]
    program, data = compile(source, strict=strict), make()
    later = parts_placed(monkeypatch)
    found, values = placed(program, data, room, monkeypatch)
    cuts = [cut for one in (found, *later) for cut in one.cuts]
    assert max(cut.tasks for cut in all_cuts(cuts)) > 1
    assert max(cut.bytes for cut in found.cuts) <= room
    assert bits(values) == bits(program(*data))


@pytest.mark.parametrize(("function", "keys"), [("group_sum", 900), ("group_sum", 60_000), ("group_count", 900)])
def test_groups_of_pieces(function: str, keys: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are grouped piece by piece, and groups once more; where there are too many, by numbers of all rows."""
    values = "" if function == "group_count" else ", row -> row[value]'"
    program = compile(GROUPS.replace("group_sum", function).replace(", row -> row[value]'", values))
    data, later = pairs(1_200_000, keys), parts_placed(monkeypatch)
    monkeypatch.setattr(grids, "WORK_OF_A_TASK", 1000)
    monkeypatch.setattr(piecewise.Piecewise, "_room", lambda *given: Room(8 << 30, workers=2))
    pieces = piecewise.Piecewise(program, 8 * 10**9)
    first = pieces.placed(work_of(program, (data,), {}))
    assert (first.groups_told != (), "groups are grouped once more" in pieces.explain(data)) == (True, True)
    assert bits(pieces(data)) == bits(program(data))
    assert all(one.grouped for one in later) == (keys == 900)
    in_order = Planning(True, Room(8 << 30, workers=2)).placed(program.core, {"n": 1_200_000})
    assert bool(in_order.groups_told) == (function == "group_count")


@pytest.mark.parametrize("key", ["row[a]'", "(row[b]', row[a]')"])
def test_groups_of_pieces_by_other_keys(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys that are no whole numbers, some of them NaN, which equals nothing, and keys of several components."""
    source = f"use tables\nlist row: [a: R, b: Z, value: R]\ntol t: row[n]\ny := group_sum(t, row -> {key}, row -> row[value]')"
    program, data = compile(source), np.zeros(1_100_000, [("a", float), ("b", int), ("value", float)])
    data["a"], data["b"] = normal(20)[RNG.integers(0, 20, len(data))], RNG.integers(-9, 9, len(data))
    data["a"][::200_000], data["a"][1::9], data["a"][2::9], data["value"] = np.nan, 0.0, -0.0, normal(len(data))
    monkeypatch.setattr(grids, "WORK_OF_A_TASK", 1000)
    monkeypatch.setattr(piecewise.Piecewise, "_room", lambda *given: Room(8 << 30, workers=2))
    later = parts_placed(monkeypatch)
    assert "groups are grouped once more" in program.within("8GB").explain(data)
    assert bits(program.within("8GB")(data)) == bits(program(data))
    assert all(one.grouped for one in later)


@pytest.mark.parametrize("name", ["picked", "placed"])
def test_places_outside_are_told(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a piece has only a part of the vector that places are in."""
    source, make, room = PROGRAMS[name]
    data = make()
    data[1][1:] = 9001
    with pytest.raises(ToLangRunError) as error:
        placed(compile(source), data, room, monkeypatch)
    assert error.value.code == "E513"


FOLDS = {
    "sum": ("R", "reduce(x, add, 0)"),
    "product": ("R", "reduce(map(x, 1 + */n), mul, 1)"),
    "least": ("R", "reduce(x, min, +Inf)"),
    "greatest square": ("R", "reduce(map(x, *^2), max, -Inf)"),
    "whole numbers": ("Z", "reduce(x, add, 3)"),
    "sum of products": ("R", "5 - reduce(map(x, * * (* + 1)), add, 1/3)"),
}


@pytest.mark.parametrize("name", FOLDS)
def test_stretches_of_a_fold_apart(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a cluster: stretches are folded by themselves, in any order, and joined in theirs."""
    space, fold = FOLDS[name]
    program = compile(f"tol x: {space}[n]\ns := {fold}")
    data = (1000 * normal(1_000_000)).astype(np.int64 if space == "Z" else float)
    asked: list[int] = []
    perform = Task.perform

    def noted(task: Task, request: Request) -> Any:
        asked.append(request.unit)
        return perform(task, request)

    monkeypatch.setattr(Task, "perform", noted)
    monkeypatch.setattr(piecewise.Piecewise, "apart", True)
    found, values = placed(program, (data,), 5 << 20, monkeypatch)
    cut = next(all_cuts(found.cuts))
    assert cut.tasks > 1
    assert asked[0] == cut.units[0] > 1
    assert bits(values) == bits(program(data))


@pytest.mark.parametrize(
    ("name", "kinds"),
    [("softmax", [MAP]), ("two products", [MAP]), ("centred", [FOLD, MAP]), ("squares", [FOLD, WHOLE, WHOLE])],
)
def test_stages(name: str, kinds: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    source, make, room = PROGRAMS[name]
    found, _ = placed(compile(source), make(), room, monkeypatch)
    assert [cut.stage.kind for cut in found.cuts] == kinds


def test_a_repetition_that_fits_is_one_task(monkeypatch: pytest.MonkeyPatch) -> None:
    program, data = compile(HEAT), (normal(40, 30), 5)
    found, values = placed(program, data, 1 << 20, monkeypatch)
    (cut,) = all_cuts(found.cuts)
    assert (cut.stage.kind, cut.tasks) == (WHOLE, 1)
    assert "state" in cut.stage.reason
    assert bits(values) == bits(program(*data))
    assert "whole, one task" in program.within("8GB").explain(*data)


def test_turns_end_where_data_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps that would change nothing are not driven; what is told before is the most there can be."""
    in_no_memory(monkeypatch)
    source, make, room = PROGRAMS["until settled"]
    program, (x, _) = compile(source), make()
    u, rounds = x, 0
    while True:
        inner = (u[:-2] + u[1:-1] + u[2:]) / 3
        new = np.concatenate([u[:1], inner, u[-1:]])
        rounds += 1
        if not (np.abs(new - u) > 0.05).any():
            break
        u = new
    work = work_of(program, (x, 1000), {})
    pieces, done = piecewise.Piecewise(program, ENGINE + room + piecewise._bytes_of_results(work)), [0]
    (found,) = pieces.run(work, 0, lambda now, total: done.append(now))
    assert np.allclose(found.columns[0], new)
    (driven,) = [cut for cut in pieces.placed(work).cuts if isinstance(cut, Driven)]
    before = sum(cut.tasks for cut in pieces.placed(work).cuts) - driven.tasks
    assert done[-1] == before + rounds * driven.tasks // driven.turns
    assert "at most 1000 turns" in pieces.explain(x, 1000)


def test_turns_within_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """An inner repetition, in turns or in stretches, goes by the coordinates of the outer turn that it is in."""
    monkeypatch.setattr(Room, "of_a_task", lambda room, kept=0: 0)
    monkeypatch.setattr(grids, "cut", corpus.cut_into_twos)
    for name, in_stretches in (("fold_within_a_fold", True), ("repetition_within_a_repetition", False)):
        text = (EXAMPLES.parent / f"tests/language/{name}.tol").read_text()
        program, (run,) = compile(text), runs_of(text)
        cuts = piecewise.Piecewise(program, 1 << 44).placed(work_of(program, (), run.inputs)).cuts
        inner = [one for outer in cuts if isinstance(outer, Driven) for one in outer.cuts if isinstance(one, Driven)]
        assert [one.in_stretches for one in inner] == [in_stretches]
        assert corpus.compare(program, run.inputs) == "same, cut"


def test_stretches_are_those_that_round_alike() -> None:
    """Where one machine adds up pieces of a histogram by themselves, sums of floats end where these do; counts anywhere."""
    sums, counts = (compile(PROGRAMS[name][0]).core for name in ("sums by label", "counts"))
    for length, memory, workers in ((1 << 24, 20 << 20, 0), (1 << 28, 1 << 40, 64)):
        room = Room(ENGINE + memory, workers=workers)
        (waves,) = [one for one in Planning(False, room).placed(sums, {"n": length}).cuts if isinstance(one, Waves)]
        assert waves.cuts[0].ends == tuple(range(length // 16, length + 1, length // 16))
    known = {"n": 1 << 24}
    found = Planning(False, Room(ENGINE + (8 << 20))).placed(counts, known)
    assert any(isinstance(one, Driven) for one in found.cuts)
    with pytest.raises(ToLangUsageError) as error:
        Planning(False, Room(ENGINE + (8 << 20))).placed(sums, known)
    assert error.value.code == "E616"


@pytest.mark.parametrize(
    ("source", "data", "reason"),
    [
        ("tol x: R[n]\ny := reduce(x, (s,v,i) -> put(s, i, v * s[i]), x)", (normal(50),), "where it is"),
        ("use linalg\ntol a: R[n,n]\ny := cholesky(a)", (np.eye(20),), "differ from step to step"),
    ],
    ids=["in place", "growing"],
)
def test_why_turns_are_not_driven(source: str, data: Any, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = compile(source)
    found, values = placed(program, data, 1 << 20, monkeypatch)
    assert reason in " ".join(cut.stage.reason for cut in all_cuts(found.cuts))
    assert bits(values) == bits(program(*data))


def test_what_would_be_rounded_otherwise_is_one_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of ever longer stretches are one scan: a piece alone would sum them up anew."""
    program, data = compile("tol x: R[n]\ny := map(x, reduce(map(tol[i], x[k], k), add, 0), i)"), (normal(900),)
    found, values = placed(program, data, 1 << 20, monkeypatch)
    assert [(cut.stage.kind, cut.tasks) for cut in found.cuts] == [(WHOLE, 1)]
    assert "rounded otherwise" in found.cuts[0].stage.reason
    assert bits(values) == bits(program(*data))


def test_all_pieces_share_a_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    compiler = piecewise.Planning.compiler

    def counted(*given: Any) -> Any:
        made.append(given)
        return compiler(*given)

    monkeypatch.setattr(piecewise.Planning, "compiler", counted)
    source, make, _ = PROGRAMS["product"]
    for room in (60_000, 90_000):
        found, _ = placed(compile(source), make(), room, monkeypatch)
        assert found.cuts[0].tasks > 1
    assert len(made) == 2


def test_grid_moves_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """A square product is cut into squares: rows alone would read the other operand once for each of them."""
    found, _ = placed(compile(PRODUCT), (normal(200, 50), normal(50, 200)), 60_000, monkeypatch)
    (cut,) = all_cuts(found.cuts)
    assert cut.grid[0] == cut.grid[1] > 1


STATES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "rows never appended": (
        "tol x: i32 [n,m]\ny := reduce(tol[n], (s,e,k) -> if false then [[s],[x[k,:]]] else s, tol[0,m])",
        (np.arange(6, dtype=np.int32).reshape(2, 3),),
    ),
    "records never appended": (
        "tol t: (a: u8, b: f64) [n]\ny := reduce(t, (s,r) -> if false then [s,r] else s, [])",
        ((np.arange(3, dtype=np.uint8), normal(3)),),
    ),
    "never appended, of a matrix": (
        "tol x: Z [n,m]\ny := reduce(x, (s,e) -> if false then [s,(e)*2] else s, [])",
        (np.arange(6).reshape(2, 3),),
    ),
    "never appended, then read": (
        "tol x: Z [n]\ns = reduce(x, (s,e) -> if false then [s,e] else s, [])\ny := reduce(s, add, n)",
        (np.arange(6),),
    ),
    "from the first on": (
        "tol x: i32 [n]\ny := reduce(map(x,(*,iter)), (s,e) -> if e[1]' >= s[1]' then e else s, (x[1],1))",
        (np.array([3, 1, 4, 1, 5, 9, 2, 6], np.int32),),
    ),
    "from another fold on": ("tol x: R [n]\ny := reduce(x, (s,v) -> s/2 + v, reduce(x, max, -Inf))", (normal(900),)),
    "from an element of another vector on": (
        "tol x: R [n]\ntol k: N\ny := reduce(x, (s,v) -> s/2 + v, x[k] + x[n])",
        (normal(900), 7),
    ),
    "from an element on that is computed": (
        "tol x: R [n]\nz = map(x, exp(*))\ny := reduce(z, (s,v) -> s/2 + v, z[2] + z[n])",
        (normal(900),),
    ),
}

LATER: dict[str, tuple[str, tuple[Any, ...]]] = {
    "a length of a fold of what is kept": (
        "tol a: Z [n]\ntol c: R [m]\nr = reduce(a, (s,e) -> if e > 0 then [s,e] else s, [])\n"
        "y := { e = abs(reduce(r, (s,v,k) -> s + r[k], r[1])) % (m + 1); c[(e + 1):] }",
        (np.array([1, 2, -3]), normal(5)),
    ),
    "a length of a fold": (
        "tol b: Z [3]\ny := { e = (reduce(b, min, 5) % (3 + 1)); b[(e + 1):] }",
        (np.array([1, 2, -4]),),
    ),
    "different ones of what was counted": (
        "use tables\ntol k: N* [n]\nr = map(tol[5], reduce(map(k, if * == i then 2 else 0), max, 0), i)\n"
        "d = distinct(r)\ny := d[1:]",
        (np.array([1, 4]),),
    ),
}
"""Programs whose lengths only running tells, some of them of others."""


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", LATER)
def test_lengths_that_follow_from_others(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source, data = LATER[name]
    program = compile(source)
    _, values = placed(program, data, 3000, monkeypatch)
    assert bits(values) == bits(program(*data))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", STATES)
def test_states_that_nothing_changes_and_what_folds_begin_with(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source, data = STATES[name]
    program = compile(source)
    _, values = placed(program, data, 8000, monkeypatch)
    assert bits(values) == bits(program(*data))


def test_pieces_of_a_fold_do_not_read_what_it_begins_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first element is read once, and no piece holds all from there to its own."""
    program, data = compile("tol x: R [n]\ny := reduce(x, (s,v) -> s/2 + v, x[3])"), (normal(9000),)
    found, values = placed(program, data, 9000, monkeypatch)
    cut = max(all_cuts(found.cuts), key=lambda cut: cut.tasks)
    assert cut.tasks >= 8
    assert cut.moved <= 9100 * 8
    assert bits(values) == bits(program(*data))


@pytest.mark.parametrize(
    ("source", "data", "code"),
    [
        (STATES["from the first on"][0], (np.zeros(0, np.int32),), "E513"),
        ("tol c: R [2,n]\ny := c[:,:(n - 1)]", (np.zeros((2, 0)),), "E513"),
        (
            "tol c: R [n]\ntol k: N\nz = reduce(c, (s,e) -> if e > 0 then [s,e] else s, [])\ny := z[k:]",
            (normal(0), 3),
            "E513",
        ),
        ("tol a: N\ntol k: N [n]\ny := if a > 1 then k else k[2:]", (1, np.zeros(0, np.int64)), "E513"),
        (
            "tol a: N\ntol k: N [n]\nz = reduce(k, (s,e) -> if e > 3 then [s,e] else s, [])\n"
            "y := if a > 1 then z else z[2:]",
            (1, np.arange(3)),
            "E513",
        ),
        ("tol a: N\ntol k: N [n]\ny := sum(if a > 1 then k else k[2:])", (1, np.zeros(0, np.int64)), "E513"),
    ],
    ids=[
        "a state that is nowhere",
        "a length below none",
        "a length below none, told by running",
        "a choice of lengths, one below none",
        "a choice of lengths that a fold gives",
        "a choice of lengths that is folded",
    ],
)
def test_what_is_an_error_of_the_program_is_the_same_error(source: str, data: tuple[Any, ...], code: str) -> None:
    program = compile(source)
    for run in (program, program.within("8GB")):
        with pytest.raises(ToLangRunError) as error:
            run(*data)
        assert error.value.code == code


@pytest.mark.parametrize("source", ["k[2:]", "if a > 1 then k[2:] else k[:n-1]"], ids=["one length", "either side"])
def test_a_buffer_with_a_length_below_zero_is_an_error(source: str) -> None:
    """A run in pieces allocates parts of buffers, and sees at the end that one could not have been allocated whole."""
    program, data = compile(f"tol a: N\ntol k: N [n]\ny := map({source}, * + 1)"), (1, np.zeros(0, np.int64))
    for run, codes in ((program, {"E513"}), (program.within("8GB"), {"E513", "E509"})):
        with pytest.raises(ToLangRunError) as error:
            run(*data)
        assert error.value.code in codes


def test_a_program_that_computes_nothing_at_first_is_refused_in_words() -> None:
    program = compile("tol l: N [n]\ntol x: C [m]\ny := x[l[1]:l[n]]\nz := |y|")
    with pytest.raises(ToLangUsageError) as error:
        program.within("1MB")([2, 3], [1j, 2j, 3j])
    assert error.value.code == "E616"
