"""Programs that tests run in pieces, their data, what cuts them, and the worker processes that they run on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from tolang.engines.dask import grids, multipass, piecewise, placement, requests, storage
from tolang.engines.dask.budgets import ENGINE
from tolang.engines.dask.parts import PlacedProgram
from tolang.engines.dask.work import work_of
from tolang.program.program import Program, compile

LONG = pytest.mark.skipif("TOLANG_CLUSTER" not in os.environ, reason="it takes long: make cluster runs it")
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
    "what is the same everywhere": (
        "tol x: R[n]\ny := map(x, (* - mean(x)) / sum(x))", lambda: (normal(60_000),), 200_000
    ),
    "what is the same in columns": (
        "tol a: R[m,n]\ny := map(a, * - mean(a[:,j]), [i,j])", lambda: (normal(300, 90),), 90_000
    ),
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
    "folds from an element on, in turns": (
        "tol x: R[n]\ny := reduce(tol[3], (s,e) -> { m = reduce(s, (a,v) -> if v > a then v else a/2, s[n] + s[1]); "
        "map(s, */2 + m + s[1]) }, x)",
        lambda: (normal(3000),),
        60_000,
    ),
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
    "join": (JOIN, lambda: (pairs(60_000, 10**6), pairs(20_000, 10**6)), 3 << 19),
    "searched": (
        "tol v: R[n]\ntol x: R[m]\ns = sort(v)\ny := map(x, 2*searchsorted(s, *) + searchsorted(s, *, true))",
        lambda: tuple(np.where(RNG.random(n) < 0.1, np.nan, RNG.integers(0, 9000, n)) for n in (30_000, 20_000)),
        150_000,
    ),
    "searched, far apart": (
        "tol v: Z[n]\ntol x: Z[m]\ns = sort(v)\ny := map(x, searchsorted(s, 10^12 * searchsorted(s, *)))",
        lambda: tuple(10**12 * RNG.integers(0, 9000, n) for n in (9000, 3000)),
        50_000,
    ),
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
    for module in (requests, multipass):
        monkeypatch.setattr(module, "PORTION", 500)
    monkeypatch.setattr(piecewise, "resident_memory", lambda: 0)
    monkeypatch.setattr(storage, "SMALL", 8)
    monkeypatch.setattr(placement, "SMALL", 8)


def parts_placed(monkeypatch: pytest.MonkeyPatch, kind: Any = piecewise.Piecewise) -> list[PlacedProgram]:
    """What is placed from now on while programs run, once they tell lengths."""
    found, again = list[PlacedProgram](), kind.placed_again

    def noted(self: Any, work: Any, before: PlacedProgram, known: Any) -> PlacedProgram:
        found.append(again(self, work, before, known))
        return found[-1]

    monkeypatch.setattr(kind, "placed_again", noted)
    return found


def placed(
    program: Program, data: tuple[Any, ...], room: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[PlacedProgram, Any]:
    """A program cut so that a piece has so many bytes, and what it gives; only the smallest values stay in memory."""
    in_no_memory(monkeypatch)
    work = work_of(program, data, {})
    pieces = piecewise.Piecewise(program, ENGINE + room + piecewise._bytes_of_results(work))
    return pieces.placed(work), pieces(*data)


def bits(found: Any) -> dict[str, bytes]:
    values = found if isinstance(found, dict) else {"": found}
    return {name: np.asarray(value).tobytes() for name, value in values.items()}


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


def saved_model(folder: Path) -> Path:
    """The file of a little network on images."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    weights = normal(8, 3, 3, 3).astype("f4"), normal(8, 10).astype("f4")
    nodes = [
        helper.make_node("Conv", ["x", "filters"], ["c"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("GlobalAveragePool", ["r"], ["g"]),
        helper.make_node("Flatten", ["g"], ["f"]),
        helper.make_node("MatMul", ["f", "weights"], ["m"]),
        helper.make_node("Softmax", ["m"], ["y"], axis=1),
    ]
    given = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3, 16, 16])
    gives = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 10])
    brought = [numpy_helper.from_array(one, name) for one, name in zip(weights, ("filters", "weights"), strict=True)]
    graph = helper.make_graph(nodes, "net", [given], [gives], brought)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), folder / "net.onnx")
    return folder / "net.onnx"


RUN = "run", "product.tol", "a=a.npy", "b=b.npy", "-o", "c.npy"


@pytest.fixture(autouse=True)
def little_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers compute all but the very least."""
    monkeypatch.setattr("tolang.engines.dask.running.LITTLE", 100)


@pytest.fixture
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work is shared out in small portions."""
    monkeypatch.setattr(grids, "WORK_OF_A_TASK", 1000)
    monkeypatch.setattr(grids, "TASKS_OF_A_WORKER", 16)
    monkeypatch.setattr(grids, "TASKS_OF_A_NEAR_WORKER", 16)


def run_until(program: Any, data: tuple[Any, ...], client: Any, moment: int, act: Callable[[], Any]) -> tuple[Any, int]:
    """The values of a program, during whose run something happens once so many tasks are done; and how many there are."""
    totals: list[int] = []

    def report(done: int, total: int) -> None:
        totals.append(total)
        if done == moment:
            act()

    return program.on(client).run(work_of(program, data, {}), 0, report), totals[0]


@contextmanager
def cluster(**given: Any) -> Iterator[Any]:
    """A client of two worker processes of one thread."""
    from distributed import Client, LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "1GiB", "dashboard_address": ":0"} | given
    with LocalCluster(**options) as made, Client(made) as client:
        yield client


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with cluster() as made:
        yield made


@pytest.fixture
def far_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are taken for such on other machines."""
    from tolang.engines.dask import clusters as programs

    monkeypatch.setattr(programs, "_probe", nullcontext)


@pytest.fixture
def kept_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are taken for large ones from 100 bytes on."""
    from tolang.engines.dask import clusters as programs

    for module in (placement, programs, storage):
        monkeypatch.setattr(module, "SMALL", 100)
