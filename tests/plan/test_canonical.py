"""Steps that compute the same share a kernel, whatever their names and lengths; steps that do not, do not."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.plan.bytecode import assemble
from tolang.engines.cpu.runtime.native import host_target
from tolang.ground.reporting.diagnostics import ToLangRunError
from tolang.lower.steps import lower
from tolang.schedule.planning import plan


def keys(source: str) -> list[str]:
    """The canonical texts of a program's kernels, in order."""
    return [call.shared.key for call in assemble(lower(tolang.compile(source).core)).calls]


SAME = [
    ("names", "tol x: R [n]\ny := map(x, 2 * *)", "tol p: R [q]\nz := map(p, 2 * *)"),
    ("order of names", "tol x: R [b,a]\ny := map(tol[a,b], x[j,i] + i*b, [i,j])",
     "tol x: R [c,d]\ny := map(tol[d,c], x[j,i] + i*c, [i,j])"),
    ("constant lengths", "tol x: R [64]\ny := map(x, exp(*))", "tol x: R [256]\ny := map(x, exp(*))"),
    ("constant and symbol", "tol x: R [64,100]\ny := map(tol[64], reduce(x[i], add, 0), i)",
     "tol x: R [n,m]\ny := map(tol[n], reduce(x[i], add, 0), i)"),
    ("strides", "tol x: R [n,224]\ny := map(tol[n], x[i,224] + x[i,1], i)",
     "tol x: R [n,112]\ny := map(tol[n], x[i,112] + x[i,1], i)"),
    ("offsets", "tol x: R [n]\ny := map(tol[n-20], x[i+20], i)", "tol x: R [n]\ny := map(tol[n-30], x[i+30], i)"),
]  # fmt: skip
OTHER = [
    ("function", "tol x: R [n]\ny := map(x, exp(*))", "tol x: R [n]\ny := map(x, cos(*))"),
    ("storage", "tol x: f32 [n]\ny := map(x, exp(*))", "tol x: f64 [n]\ny := map(x, exp(*))"),
    ("overflow", "tol x: Z [n]\ny := map(x, * + *)", "tol x: i64 [n]\ny := map(x, * + *)"),
    ("constant", "tol x: R [n]\ny := map(x, 2 * *)", "tol x: R [n]\ny := map(x, 3 * *)"),
    ("window", "tol x: R [n]\ny := map(tol[n-2], x[i+2], i)", "tol x: R [n]\ny := map(tol[n-1], x[i+1], i)"),
    ("direction", "tol x: R [n,n]\ny := map(tol[n,n], x[i,j], [i,j])", "tol x: R [n,n]\ny := map(tol[n,n], x[j,i], [i,j])"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), [c[1:] for c in SAME], ids=[c[0] for c in SAME])
def test_same_kernel(one: str, other: str) -> None:
    assert keys(one) == keys(other)


@pytest.mark.parametrize(("one", "other"), [c[1:] for c in OTHER], ids=[c[0] for c in OTHER])
def test_another_kernel(one: str, other: str) -> None:
    assert keys(one) != keys(other)


def test_layers_of_different_sizes_share_kernels() -> None:
    """Six layers of a network of four widths: as many kernels as there are kinds of step."""
    widths = [32, 64, 64, 128, 128, 16, 32]
    lines = ["use linalg", f"tol x: f32 [9,{widths[0]}]"]
    value = "x"
    for number, (into, out) in enumerate(itertools.pairwise(widths)):
        lines += [f"tol w{number}: f32 [{into},{out}]", f"h{number} = map(matmul({value}, w{number}), max(*, 0))"]
        value = f"h{number}"
    found = keys("\n".join([*lines, f"y := {value}"]))
    assert len(found) >= 6
    assert len(set(found)) <= 3


def test_shared_kernel_reports_its_own_place() -> None:
    source = "tol x: R [n]\ntol i: N [m]\ntol j: N [m]\na := map(i, k -> x[k])\nb := map(j, k -> x[k])\n"
    program = tolang.compile(source, engine="cpu", fallback=False)
    assert len(set(keys(source))) == 1
    x = np.arange(3.0)
    for data, line in (((x, [4], [1]), 4), ((x, [1], [4]), 5)):
        with pytest.raises(ToLangRunError) as caught:
            program(*data)
        span = caught.value.diagnostics[0].span
        assert span is not None
        assert f":{line}:" in span.place


SCALED = "use linalg\ntol a: f32 [9,40]\ntol b: f32 [40,24]\ny := map(matmul(a, b), (* {more}) {scale})"


def planned_keys(source: str) -> list[str]:
    """The canonical texts of the kernels of a program's plan."""
    target = host_target()
    return [call.shared.key for call in assemble(plan(tolang.compile(source).core, target).plan).calls]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("+ convert(0.3, f32)", "* convert(1.7, f32)"), ("+ convert(12, f32)", "* convert(0.01, f32)"), True),
        (("+ convert(0.3, f32)", "* convert(1.7, f32)"), ("+ convert(0, f32)", "* convert(1.7, f32)"), True),
        (("+ convert(0.3, f32)", "* convert(1.7, f32)"), ("+ convert(0.3, f32)", "* convert(1, f32)"), False),
        (("+ convert(0.3, f32)", "/ convert(1.7, f32)"), ("+ convert(0.3, f32)", "/ convert(4, f32)"), False),
        (("+ convert(0.3, f32)", "^ convert(1.7, f32)"), ("+ convert(0.3, f32)", "^ convert(1.8, f32)"), False),
    ],
    ids=["scales", "nothing added", "nothing scaled", "power of two", "exponents"],
)
def test_numbers_that_products_are_scaled_by(one: tuple[str, str], other: tuple[str, str], same: bool) -> None:
    """Layers that are scaled by different numbers share a kernel, which computes each with its own."""
    sources = [SCALED.format(more=more, scale=scale) for more, scale in (one, other)]
    assert (planned_keys(sources[0]) == planned_keys(sources[1])) == same
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(9, 40)).astype("f4"), rng.normal(size=(40, 24)).astype("f4")
    for source in sources:
        ours, judge = tolang.compile(source, engine="cpu")(abs(a), abs(b)), tolang.compile(source, engine="interpret")
        # 40 products that are all above 0, summed in another order
        np.testing.assert_allclose(ours, judge(abs(a), abs(b)), rtol=2e-6)


MOVED = "tol x: f32 [n,{long},m]\ny := map(tol[n,{short},m], exp(x[i,j+{by},k]), [i,j,k])"
FILLED = "tol x: i64 [n]\ny := map(tol[n], convert({number}, i64), i)"
COLUMNS = "tol x: f32 [n,{count}]\ny := map(tol[n,{count}], exp(x[i,{count}+1-j]), [i,j])"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (MOVED.format(long=7, short=6, by=1), MOVED.format(long=6, short=4, by=2), True),
        (MOVED.format(long=7, short=6, by=1), MOVED.format(long=1, short=1, by=0), False),
        (FILLED.format(number=7), FILLED.format(number=9), True),
        (FILLED.format(number=7), FILLED.format(number=0), False),
        (COLUMNS.format(count=3), COLUMNS.format(count=4), False),
    ],
    ids=["moved", "not moved", "filled", "zeroed", "near in memory"],
)
def test_small_numbers_stay_where_code_is_better_for_them(one: str, other: str, same: bool) -> None:
    assert (planned_keys(one) == planned_keys(other)) == same
    for source in (one, other):
        program = tolang.compile(source)
        kind = program.core.inputs[0].type
        shape = [5 if size.constant is None else int(size.constant) for size in kind.shape]
        x = np.random.default_rng(1).integers(0, 3, shape).astype("f4" if kind.column.storage == "f32" else "i8")
        ours, judge = (tolang.compile(source, engine=engine)(x) for engine in ("cpu", "interpret"))
        np.testing.assert_allclose(ours, judge, rtol=1e-6)


def test_the_depth_of_a_small_product_is_a_parameter() -> None:
    source = "use linalg\ntol a: f32 [90,{depth}]\ntol b: f32 [{depth},64]\ny := matmul(a, b)"
    sources = [source.format(depth=depth) for depth in (4, 6, 40)]
    assert len({tuple(planned_keys(one)) for one in sources}) == 1
    rng = np.random.default_rng(2)
    for one, depth in zip(sources, (4, 6, 40), strict=True):
        a, b = (rng.normal(size=shape).astype("f4") for shape in ((90, depth), (depth, 64)))
        np.testing.assert_allclose(tolang.compile(one, engine="cpu")(a, b), a @ b, rtol=1e-4, atol=1e-5)


PLACES = "tol a: f32 [n,{side},20]\ntol b: f32 [20,24]\ntol c: f32 [{side},24]\n"
PLACES += (
    "y := map(tol[n,{side},24], c[j,m] + reduce(map(tol[20], a[i,j,e] * b[e,m], e), add, convert(0, f32)), [i,j,m])"
)
WALKED = "tol x: R [n]\ntol ways: i32 [m,2]\ntol start: i32 [k]\n"
WALKED += "r := map(start, reduce(tol[9], (s,e) -> ways[s, if x[s] < 0.5 then 1 else 2], *) - {less})"


def test_the_places_of_a_product_are_parameters() -> None:
    """Products at few places and at many share a kernel where rows are read as they lie."""
    sides = (4, 7, 30)
    sources = [PLACES.format(side=side) for side in sides]
    products = [[key for key in planned_keys(one) if "Tiled(" in key] for one in sources]
    assert all(products)
    assert (products[0] == products[1] == products[2]) == host_target().splat_loads
    rng = np.random.default_rng(4)
    for one, side in zip(sources, sides, strict=True):
        a, b, c = (rng.normal(size=shape).astype("f4") for shape in ((2, side, 20), (20, 24), (side, 24)))
        np.testing.assert_allclose(tolang.compile(one, engine="cpu")(a, b, c), a @ b + c, rtol=1e-4, atol=1e-5)


def test_what_is_laid_out_once_is_one_kernel_for_all_lengths() -> None:
    source = "use linalg\ntol a: f32 [90,{depth}]\ntol b: f32 [{columns},{depth}]\n"
    source += "y := matmul(a, map(tol[{depth},{columns}], b[j,i], [i,j]))"
    found, rng = set(), np.random.default_rng(5)
    for depth, columns in ((14, 10), (16, 12), (30, 11)):
        program = tolang.compile(source.format(depth=depth, columns=columns), engine="cpu")
        made = plan(program.core, host_target(), fixed=frozenset({"b"}))
        assert made.once is not None
        found.add(tuple(call.shared.key for call in assemble(made.once).calls))
        a, b = (rng.normal(size=(length, depth)).astype("f4") for length in (90, columns))
        np.testing.assert_allclose(program.fix(b=b)(a=a), a @ b.T, rtol=1e-4, atol=1e-5)
    assert len(found) == 1


def test_numbers_that_are_taken_from_where_a_walk_ends() -> None:
    sources = [WALKED.format(less=less) for less in (7, 40, 1)]
    one, other, simple = map(planned_keys, sources)
    assert one == other != simple
    rng = np.random.default_rng(6)
    data: dict[str, Any] = {
        "x": rng.random(30),
        "ways": rng.integers(1, 31, (30, 2)).astype("i4"),
        "start": np.arange(1, 31, dtype="i4"),
    }
    for source in sources:
        ours, judge = (tolang.compile(source, engine=engine)(**data) for engine in ("cpu", "interpret"))
        np.testing.assert_array_equal(ours, judge)


def test_one_number_at_all_places_is_no_choice() -> None:
    texts = [
        planned_keys(f"tol x: f32 [4]\ny := map(tol[4], x[i] * {numbers}[i], i)")
        for numbers in ("[3,3,3,3]", "[3,3,-3,3]")
    ]
    assert "Select" not in "".join(texts[0])
    assert "Select" in "".join(texts[1])
