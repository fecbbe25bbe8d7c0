"""Programs in pieces give every bit that they give in one piece, whatever the memory, and hold what they announce."""

from __future__ import annotations

import errno
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.pieces import corpus
from tests.programs import runs_of
from typer.testing import CliRunner, Result

from tolang.engines.dask import grids, placement, requests, waves
from tolang.engines.dask.grids import SCHEDULING, WORK_OF_A_TASK, shared_by
from tolang.engines.dask.paper import estimated
from tolang.engines.dask.placement import ENGINE, Driven, Placed, Room, all_cuts
from tolang.engines.dask.requests import Request
from tolang.engines.dask.running import Task
from tolang.engines.dask.stages import FOLD, MAP, WHOLE
from tolang.engines.dask.waves import Waves
from tolang.ground.diagnostics import ToLangError, ToLangRunError, ToLangUsageError
from tolang.ground.memory import bytes_text
from tolang.program import piecewise
from tolang.program.piecewise import Planning, work_of
from tolang.program.program import Program, compile

pytestmark = pytest.mark.sampled(4)

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
RNG = np.random.default_rng(16)
PRODUCT = "tol a: R[n,k]\ntol b: R[k,m]\nc := map(tol[n,m], reduce(map(tol[k], a[i,p]*b[p,j], p), add, 0), [i,j])"


HEAT = (EXAMPLES / "gallery/dwarfs/heat.tol").read_text()
SETTLED = """
tol x: R[n]
tol most: N
smooth(u) = map(u, if i > 1 and i < n then (u[i-1] + u[i] + u[i+1]) / 3 else *, i)
round(u) = { new = smooth(u); (new, reduce(map(new, abs(* - u[i]) > 0.05, i), or, false)) }
y := reduce(tol[most], (s,k) -> if s[2]' then round(s[1]') else s, (x,true))[1]'
"""
CONJUGATE_GRADIENT = """
tol a: R[n,n]
tol b: R[n]
tol steps: N
dot(x, y) = reduce(map(x, * * y[i], i), add, 0)
times(x) = map(tol[n], reduce(map(a[i], * * x[j], j), add, 0), i)
step(x, r, p, old) = {
  q = times(p)
  far = old / dot(p,q)
  left = map(r, * - far * q[i], i)
  new = dot(left,left)
  (map(x, * + far * p[i], i), left, map(left, * + new/old * p[i], i), new)
}
y := reduce(tol[steps], (s,k) -> step(s[1]', s[2]', s[3]', s[4]'), (map(b, 0.0), b, b, dot(b,b)))[1]'
"""


KMEANS = (EXAMPLES / "paper/kmeans.tol").read_text()
GROUPS = """
use tables
list pair: [key: Z, value: R]
tol t: pair[n]
y := group_sum(t, row -> row[key]', row -> row[value]')
"""
JOIN = """
use tables
list pair: [key: Z, value: R]
tol t: pair[n]
tol u: pair[m]
y := join(t, u, row -> row[key]', row -> row[key]')
"""


def pairs(rows: int, keys: int) -> Any:
    """A table of keys and values."""
    found = np.zeros(rows, [("key", int), ("value", float)])
    found["key"], found["value"] = RNG.integers(0, keys, rows), RNG.normal(size=rows)
    return found


def normal(*shape: int) -> Any:
    return RNG.normal(size=shape)


PROGRAMS: dict[str, tuple[str, Callable[[], tuple[Any, ...]], int]] = {
    "map": ("tol x: R[n]\ny := map(x, exp(*) + 1)", lambda: (normal(3000),), 9000),
    "product": (PRODUCT, lambda: (normal(130, 70), normal(70, 90)), 60_000),
    "three rows": (PRODUCT, lambda: (normal(3, 700), normal(700, 90)), 60_000),
    "min-plus": (PRODUCT.replace("*b", "+b").replace("add, 0", "min, +Inf"), lambda: (normal(90, 70), normal(70, 90)), 60_000),
    "two products": (
        "tol a: R[n,k]\ntol b: R[k,m]\ntol e: R[m,l]\n"
        "mm(a,b) = map(tol[|a|[1],|b|[2]], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])\nd := mm(mm(a,b),e)",
        lambda: (normal(130, 70), normal(70, 50), normal(50, 40)),
        90_000,
    ),
    "softmax": ("use nn\ntol x: R[n,m]\ny := softmax(x)", lambda: (normal(300, 200),), 90_000),
    "attention": (
        "use nn\ntol q: R[n,d]\ntol k: R[m,d]\ntol v: R[m,e]\ny := attention(q,k,v)",
        lambda: (normal(100, 16), normal(80, 16), normal(80, 24)),
        60_000,
    ),
    "halo": (
        "tol x: R[n,m]\ny := map(x, if i>1 and i<n then x[i-1,j]+x[i+1,j] else *, [i,j])",
        lambda: (normal(300, 20),),
        20_000,
    ),
    "convolution": ((EXAMPLES / "paper/convolution.tol").read_text(), lambda: (normal(60, 50), normal(3, 4), 2, 1), 15_000),
    "sums of columns": ("tol x: R[n,m]\ns := map(tol[m], reduce(map(tol[n], x[i,j], i), add, 0), j)", lambda: (normal(900, 50),), 99_000),
    "joined": ("tol x: R[n]\ntol y: R[m]\nz := map([x,y], * * 2, i)", lambda: (normal(1000), normal(700)), 4000),
    "turned": ("tol x: R[n,m]\nz := map(tol[m,n], x[j,i] * 2, [i,j])", lambda: (normal(100, 30),), 9000),
    "gathered": ("tol x: R[n]\ntol k: N*[m]\ny := map(k, x[k[i]], i)", lambda: (normal(100), RNG.integers(1, 100, 900)), 4000),
    "windows": (
        "tol x: R[c,h,w]\ntol k: R[o,c,3,3]\ny := map(tol[o,h,w], reduce(map(tol[c,3,3], k[p,q,a,b] * (if i+a>=3 and i+a<=h+2 "
        "and j+b>=3 and j+b<=w+2 then x[q,i+a-2,j+b-2] else 0), [q,a,b]), add, 0), [p,i,j])",
        lambda: (normal(6, 40, 30), normal(16, 6, 3, 3)),
        60_000,
    ),
    "random": ("tol x: R[n]\ny := map(x, * + rand(1), i)", lambda: (normal(1000),), 4000),
    "squares": ("tol x: R[n]\ns := reduce(map(x, *^2), add, 0)\nm := s / n", lambda: (normal(1_200_000),), 5 << 20),
    "total": ("tol x: R[n,m]\ns := reduce(x, add, 0)", lambda: (normal(4000, 300),), 5 << 20),
    "centred": ("tol x: R[n]\nm = reduce(x, add, 0)/n\ny := map(x, (* - m)^2)", lambda: (normal(900_000),), 5 << 20),
    "place of the least": (
        "tol x: R[n]\nnearer(a, b) = if b[1]' < a[1]' then b else a\nr := reduce(map(x, (*, i), i), nearer, (+Inf,0))[2]'",
        lambda: (normal(600_000),),
        1 << 20,
    ),
    "from an element on": ("tol x: R[n]\ny := reduce(x, (s,v) -> s/2 + v, x[2])", lambda: (normal(5000),), 9000),
    "shortest paths": (
        (EXAMPLES / "paper/shortest_paths.tol").read_text(),
        lambda: (np.abs(normal(40, 40)),),
        16_000,
    ),
    "heat": (HEAT, lambda: (normal(80, 60), 5), 30_000),
    "until settled": (SETTLED, lambda: (normal(600_000), 9), 5 << 20),
    "conjugate gradient": (CONJUGATE_GRADIENT, lambda: (np.eye(60) + np.full((60, 60), 0.01), normal(60), 7), 20_000),
    "less the sums of columns": (
        "tol x: R[n,m]\ns = map(tol[m], reduce(map(tol[n], x[i,j], i), add, 0), j)\ny := map(x, * - s[j], [i,j])\n"
        "z := map(x, * * s[j], [i,j])",
        lambda: (normal(300, 50),),
        50_000,
    ),
    "counts": ("tol k: N[n]\ny := bincount(k, 10)", lambda: (RNG.integers(1, 11, 5000),), 9000),
    "sums by label": (
        "tol k: N*[n]\ntol w: R[n]\ny := reduce(k, (s,p,i) -> put(s, p, s[p] + w[i]), map(tol[10], 0.0))",
        lambda: (RNG.integers(1, 11, 5000), normal(5000)),
        30_000,
    ),
    "breadth-first search": (
        (EXAMPLES / "gallery/motifs/bfs.tol").read_text(),
        lambda: (np.array(list(map(tuple, RNG.integers(1, 200, (2600, 2)))), [("from", int), ("to", int)]), 200, 1),
        19_000,
    ),
    "sums in 16 pieces": (
        "tol k: N*[n]\ntol w: R[n]\ny := reduce(k, (s,p,i) -> put(s, p, s[p] + w[i]), map(tol[10], 0.0))",
        lambda: (RNG.integers(1, 11, 3 << 19), normal(3 << 19)),
        9 << 20,
    ),
    "clusters": (KMEANS, lambda: ((x := normal(9000, 3)), x[:7].copy(), 2), 200_000),
    "running sums": ("tol x: R[n]\ny := cumulative_sum(x)", lambda: (normal(500_000),), 6 << 20),
    "greatest first": (
        "tol x: R[n]\ny := argsort(x, 1, true)",
        lambda: (np.where(RNG.random(60_000) < 0.1, np.nan, RNG.integers(0, 9, 60_000)),),
        2 << 20,
    ),
    "kept": ("tol x: R[n]\ny := filter(x, v -> v > 0)", lambda: (normal(90_000),), 600_000),
    "sums of groups": (GROUPS, lambda: (pairs(100_000, 900),), 1 << 20),
    "join": (JOIN, lambda: (pairs(60_000, 10**6), pairs(20_000, 10**6)), 5 << 19),
    "picked": (
        "tol x: R[n]\ntol k: N*[m]\ntol l: N*[m]\ny := map(l, x[k[l[i]]] + x[l[i]], i)",
        lambda: (normal(6000), RNG.integers(1, 6001, 5000), RNG.integers(1, 5001, 5000)),
        44_000,
    ),
    "placed": (
        "use tables\ntol x: R[n]\ntol k: N*[n]\ny := placed(x, k)",
        lambda: (normal(9000), RNG.integers(1, 9001, 9000)),
        40_000,
    ),
    "many counts": ("tol k: N[n]\ny := bincount(k, 9000)", lambda: (RNG.integers(1, 9001, 5000),), 40_000),
    "mean and variance": ((EXAMPLES / "gallery/motifs/welford.tol").read_text(), lambda: (normal(700_000),), 5 << 20),
}  # fmt: skip


def in_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (requests, waves):
        monkeypatch.setattr(module, "PORTION", 500)
    monkeypatch.setattr(piecewise, "resident_memory", lambda: 0)
    monkeypatch.setattr(piecewise, "SMALL", 8)
    monkeypatch.setattr(placement, "SMALL", 8)


def parts_placed(monkeypatch: pytest.MonkeyPatch, kind: Any = piecewise.Piecewise) -> list[Placed]:
    """What is placed from now on while programs run, once they tell lengths."""
    found, again = list[Placed](), kind.placed_again

    def noted(self: Any, work: Any, before: Placed, known: Any) -> Placed:
        found.append(again(self, work, before, known))
        return found[-1]

    monkeypatch.setattr(kind, "placed_again", noted)
    return found


def placed(program: Program, data: tuple[Any, ...], room: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Placed, Any]:
    """A program cut so that a piece has so many bytes, and what it gives; only the smallest values stay in memory."""
    in_no_memory(monkeypatch)
    work = work_of(program, data, {})
    pieces = program.within(ENGINE + room + piecewise._bytes_of_results(work))
    return pieces.placed(work), pieces(*data)


def bits(found: Any) -> dict[str, bytes]:
    values = found if isinstance(found, dict) else {"": found}
    return {name: np.asarray(value).tobytes() for name, value in values.items()}


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
    pieces, done = program.within(ENGINE + room + piecewise._bytes_of_results(work)), [0]
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
        cuts = program.within(1 << 44).placed(work_of(program, (), run.inputs)).cuts
        inner = [one for outer in cuts if isinstance(outer, Driven) for one in outer.cuts if isinstance(one, Driven)]
        assert [one.in_stretches for one in inner] == [in_stretches]
        assert corpus.compare(program, run.inputs) == "same, cut"


def test_memory_of_the_turn_that_needs_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last of eight turns reads a stretch of `w` that is eight times as long as that of the first."""
    program = compile("tol x: R[n]\ntol w: R[m]\ny := reduce(tol[8], (s,e,t) -> map(s, */3 + w[t*i], i), x)")
    data = normal(600), normal(4800)
    found, values = placed(program, data, 9000, monkeypatch)
    (cut,) = all_cuts(one for one in found.cuts if isinstance(one, Driven))
    (count,) = cut.steps
    assert 8 * (count + (8 * (count - 1) + 1) + count) <= cut.bytes <= 9000
    assert bits(values) == bits(program(*data))


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


# Files


def test_files_in_and_out(tmp_path: Path) -> None:
    a, b = normal(120, 40), normal(40, 70)
    np.save(tmp_path / "a.npy", a)
    np.save(tmp_path / "b.npy", b)
    program = compile(PRODUCT)
    found = program.within("4GB", into=tmp_path / "c.npy")(tmp_path / "a.npy", b=tmp_path / "b.npy")
    assert found.tobytes() == program(a, b).tobytes()
    assert np.load(tmp_path / "c.npy").tobytes() == found.tobytes()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.npy", "b.npy", "c.npy"]


def test_nothing_half_written(tmp_path: Path) -> None:
    np.save(tmp_path / "k.npy", np.array([1, 2, 9]))
    (tmp_path / "y.npy").write_text("before")
    program = compile("tol x: R[n]\ntol k: Z[m]\ny := map(k, x[k[i]], i)")
    with pytest.raises(ToLangRunError) as error:
        program.within("4GB", into=tmp_path / "y.npy")(normal(5), tmp_path / "k.npy")
    assert error.value.code == "E513"
    assert (tmp_path / "y.npy").read_text() == "before"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["k.npy", "y.npy"]


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(ToLangUsageError) as error:
        compile(PROGRAMS["map"][0]).within("4GB", into=tmp_path / "y.npy")(normal(3000))
    assert (error.value.code, "No space" in str(error.value)) == ("E609", True)
    assert list(tmp_path.iterdir()) == []


def test_values_in_files_are_held_against_their_space(tmp_path: Path) -> None:
    np.save(tmp_path / "k.npy", np.array([1, 2, -9]))
    with pytest.raises(ToLangError) as error:
        compile("tol k: N[m]\ny := map(k, * + 1)").within("4GB")(tmp_path / "k.npy")
    assert error.value.code == "E501"


def test_a_file_that_changes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    np.save(tmp_path / "x.npy", normal(3000))
    program = compile(PROGRAMS["map"][0])
    work = work_of(program, (tmp_path / "x.npy",), {})
    np.save(tmp_path / "x.npy", normal(3000))
    with pytest.raises(ToLangUsageError) as error:
        program.within("4GB").run(work)
    assert "changed" in str(error.value)


def test_too_little_memory_is_refused_with_the_least_that_would_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(piecewise, "resident_memory", lambda: 0)
    data, program = (normal(200, 50), normal(50, 200)), compile(PRODUCT)
    with pytest.raises(ToLangUsageError) as error:
        program.within(ENGINE + 1000)(*data)
    assert error.value.code == "E616"
    least = (2 * 50 + 1) * 8  # a row, a column and an element
    results = 200 * 200 * 8
    work = work_of(program, data, {})
    with pytest.raises(ToLangUsageError):
        program.within(ENGINE + results + least - 1).placed(work)
    assert program.within(ENGINE + results + least).placed(work).cuts[0].tasks == 200 * 200


def test_what_cannot_be_lowered_is_refused() -> None:
    with pytest.raises(ToLangUsageError) as error:
        compile("tol x: Q[n]\ny := map(x, * + 1)").within("4GB")([1, 2])
    assert error.value.code == "E618"


LARGE = """
import sys
from pathlib import Path
import tolang
from tolang.ground.memory import resident_memory
from tolang.program.piecewise import work_of
program = tolang.compile(sys.argv[1])
pieces = program.within(sys.argv[2], into=None if sys.argv[3] == "-" else sys.argv[3])
given = [int(one) if one.isdigit() else Path(one) for one in sys.argv[4:]]
before = resident_memory()
announced = pieces.placed(work_of(program, given, {})).peak
pieces(*given)
held = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(before, announced, int(held.split()[1]) * 1024)
"""


def rows_of(*shape: int) -> Callable[[Path], Path]:
    """What writes an array, a million numbers at a time."""

    def made(path: Path) -> Path:
        file = np.lib.format.open_memmap(path.with_suffix(".npy"), "w+", float, shape)
        rows = max(1, 1_000_000 * shape[0] // math.prod(shape))
        for low in range(0, shape[0], rows):
            file[low : low + rows] = RNG.random(file[low : low + rows].shape)
        return path.with_suffix(".npy")

    return made


def table_of(rows: int, keys: int) -> Callable[[Path], Path]:
    """What writes a table of keys and values, in several files."""

    def made(path: Path) -> Path:
        import pyarrow.parquet

        path.mkdir()
        for k in range(4):
            one = pairs(rows // 4, keys)
            table = pyarrow.table({name: np.ascontiguousarray(one[name]) for name in one.dtype.names})
            pyarrow.parquet.write_table(table, path / f"{k}.parquet", row_group_size=1 << 16)
        return path

    return made


CENTRED = "tol x: R[n,m]\nc = reduce(x, add, 0)/(n*m)\ny := map(x, (* - c)^2)"
STREAMED: dict[str, tuple[str, list[Callable[[Path], Path] | int], str]] = {
    "product": (PRODUCT, [rows_of(8000, 100), rows_of(100, 3000)], "out.npy"),
    "centred": (CENTRED, [rows_of(20_000, 1000)], "out.npy"),
    "sort": ("tol x: R[n]\ny := sort(x)", [rows_of(20_000_000)], "out.npy"),
    "groups": (GROUPS, [table_of(12_000_000, 500_000)], "out.parquet"),
    "join": (JOIN, [table_of(10_000_000, 10_000_000), table_of(2_000_000, 10_000_000)], "out.parquet"),
    "clusters": (KMEANS, [rows_of(8_000_000, 4), rows_of(10, 4), 2], "-"),
}
LONGER = pytest.mark.skipif("TOLANG_CLUSTER" not in os.environ, reason="it takes long: make cluster runs it")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system does not tell what a process has held")
@pytest.mark.parametrize("name", ["product", *(pytest.param(n, marks=LONGER) for n in [*STREAMED][1:])])
def test_peak_is_what_was_announced(name: str, tmp_path: Path) -> None:
    """Data and what is made of them do not fit into the memory allowed; the resident set stays below the announced."""
    source, inputs, out = STREAMED[name]
    given = [one if isinstance(one, int) else one(tmp_path / f"{k}") for k, one in enumerate(inputs)]
    into = tmp_path / out if out != "-" else out
    done = subprocess.run(
        [sys.executable, "-c", LARGE, source, "400M", str(into), *map(str, given)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    before, announced, held = map(int, done.stdout.split())
    files = (one for one in tmp_path.rglob("*") if one.is_file())
    assert held <= announced <= 400 << 20
    assert sum(one.stat().st_size for one in files) > announced - before - ENGINE


@pytest.mark.parametrize(
    ("name", "known", "workers", "bound"),
    [
        ("product", {"n": 100_000, "k": 100_000, "m": 100_000}, 100, "computing"),
        ("turned", {"n": 10**6, "m": 10**6}, 100, "moving"),
        ("joined", {"n": 10**13, "m": 10}, 10_000, "scheduling"),
    ],
)
def test_on_paper(name: str, known: dict[str, int], workers: int, bound: str) -> None:
    """Products compute, turned matrices move; so many workers that each has next to nothing wait for the scheduler."""
    room = Room(16 << 30, 0, workers, 2, processes=workers)
    found = estimated(Planning(False, room).placed(compile(PROGRAMS[name][0]).core, known), workers)
    assert found.bound == bound
    assert getattr(found, bound) <= found.total <= found.computing + found.moving + found.scheduling


def test_turns_have_as_many_tasks_as_make_them_fastest() -> None:
    """The time of a turn of `work` in `tasks` is that of its share and that of the scheduler: least where both are."""
    sharing = shared_by(10_000, turns=True)
    for work in (2e8, 1e10, 1e12):
        times = {tasks: work / tasks + tasks * WORK_OF_A_TASK * SCHEDULING for tasks in range(1, 10_001)}
        assert times[sharing.tasks(work)] <= 1.01 * min(times.values())


def command(*words: str) -> Result:
    """Runs the command `tol`."""
    from tolang.faces.command import app

    return CliRunner().invoke(app, list(words))


@pytest.fixture
def product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A folder with a program and its data, and what it gives of them."""
    a, b = normal(60, 40), normal(40, 70)
    (tmp_path / "product.tol").write_text(PRODUCT)
    np.save(tmp_path / "a.npy", a)
    np.save(tmp_path / "b.npy", b)
    monkeypatch.chdir(tmp_path)
    return compile(PRODUCT)(a, b)


RUN = "run", "product.tol", "a=a.npy", "b=b.npy", "-o", "c.npy"


def test_run_within_memory(product: Any) -> None:
    assert command(*RUN, "--memory", "4GB").exit_code == 0
    assert np.load("c.npy").tobytes() == product.tobytes()
    for options, code in ((["10M"], "E616"), (["4GB", "--engine", "interpret"], "E618")):
        refused = command(*RUN, "--memory", *options)
        assert (refused.exit_code, code in refused.stderr) == (2, True)


@pytest.mark.usefixtures("product")
def test_explain() -> None:
    """Figures that follow from the grid that is told: 16 workers, four tasks each, squares of a square result."""
    lengths = "n=40000", "k=10000", "m=40000"
    stage, tasks, paper, peak = command(
        "explain", "product.tol", *lengths, "--workers", "16", "--memory", "8GB"
    ).stdout.splitlines()
    piece = (2 * 5000 * 10_000 + 5000 * 5000) * 8
    moved = 64 * 2 * 5000 * 10_000 * 8 + 40_000 * 40_000 * 8
    assert stage == (
        "1. c: 64 tasks of 5000 of 40000 x 5000 of 40000; "
        f"a task holds {bytes_text(piece)}, all move {bytes_text(moved)}"
    )
    assert tasks == f"64 tasks on 16 workers, {bytes_text(moved)} moved"
    assert paper.startswith("about")
    assert "bound by computing" in paper
    assert peak.endswith("of 8 GiB allowed")
    refused = command("explain", "product.tol", "n=3", "--memory", "8GB")
    assert (refused.exit_code, "E517" in refused.stderr) == (2, True)
