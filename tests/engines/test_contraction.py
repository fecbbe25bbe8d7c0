"""The contraction kernel: any semiring, any shapes beside whole tiles, several cuts of the depth, fused epilogues."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import special
from tests.plans import optimise

import tolang
from tolang.engines.cpu.emission.kernels import modules_of
from tolang.engines.cpu.emission.vector_expressions import line_along
from tolang.engines.cpu.plan.bytecode import assemble
from tolang.engines.cpu.processors import target_of
from tolang.engines.cpu.runtime.native import host_target
from tolang.idioms.contraction import Contraction, contraction_of
from tolang.lower.steps import lower
from tolang.plan.nest import Nest, Step
from tolang.plan.target import Target
from tolang.plan.traversal import inner_steps
from tolang.schedule.tile import supported, tile_of

pytestmark = pytest.mark.sampled(3)

DECLARED = "tol a: R [n,k]\ntol b: R [k,m]\ntol bias: R [m]\ntol scale: R [n]\n"
PRODUCT = "reduce(map(a[i], * * b[*,j]), add, 0)"
SHAPES = [(1, 1, 1), (8, 12, 5), (9, 13, 17), (3, 40, 2), (17, 5, 1100), (30, 25, 0), (0, 4, 3), (4, 0, 3)]
Array = np.ndarray[Any, Any]


def contractions(source: str) -> list[Contraction]:
    found = [contraction_of(step) for step in lower(tolang.compile(source).core).steps if isinstance(step, Nest)]
    return [one for one in found if one is not None]


def data(shape: tuple[int, int, int], kind: str) -> tuple[Array, Array, Array, Array]:
    n, m, k = shape
    generator = np.random.default_rng(n + m + k)
    made = [generator.normal(size=size).astype(kind) for size in ((n, k), (k, m), (m,), (n,))]
    return made[0], made[1], made[2], made[3]


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.parametrize("shape", SHAPES)
def test_product_with_epilogue(shape: tuple[int, int, int], kind: str) -> None:
    """Bias along the columns, a factor along the rows, an activation: on whole tiles and beside them."""
    source = DECLARED + f"y := map(tol[n,m], max(0, scale[i] * {PRODUCT} + bias[j]) - 0.5, [i,j])"
    assert len(contractions(source)) == 1
    a, b, bias, scale = data(shape, kind)
    expected = np.maximum(0, scale[:, None] * (a @ b) + bias) - np.asarray(0.5, kind)
    result = tolang.compile(source, engine="cpu", fallback=False)(a, b, bias, scale)
    assert result.dtype == expected.dtype
    tolerance = 2e-4 if kind == "f4" else 1e-11  # sums of up to 1,100 products, in another order than NumPy's
    np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.parametrize("shape", SHAPES)
def test_product_with_a_library_function_around_it(shape: tuple[int, int, int], kind: str) -> None:
    """The error function: names bound inside choices by data, whole constants among floats."""
    source = DECLARED + f"y := gelu(map(tol[n,m], {PRODUCT} + bias[j], [i,j]))"
    a, b, bias, scale = data(shape, kind)
    inner = a.astype("f8") @ b.astype("f8") + bias
    expected = inner * (1 + special.erf(inner / np.sqrt(2))) / 2
    result = tolang.compile(source, engine="cpu", fallback=False)(a, b, bias, scale)
    tolerance = 2e-4 if kind == "f4" else 1e-11  # sums of up to 1,100 products, in another order than NumPy's
    np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance)


def test_functions_around_a_product_are_computed_on_vectors() -> None:
    source = "use linalg\ntol a: f32 [n,k]\ntol b: f32 [k,m]\ny := gelu(matmul(a,b))"
    plan = optimise(lower(tolang.compile(source).core))
    products = [one for step in plan.steps for nest in inside(step) if (one := contraction_of(nest)) is not None]
    assert products
    for one in products:
        assert line_along(one.columns, list(one.nest.values)) is not None


def inside(step: Step) -> list[Nest]:
    return [step] if isinstance(step, Nest) else [one for inner in inner_steps(step) for one in inside(inner)]


@pytest.mark.parametrize(
    ("times", "plus", "zero", "expected"),
    [
        ("* + b[*,j]", "min", "+Inf", lambda a, b: (a[:, :, None] + b).min(axis=1, initial=np.inf)),
        ("* + b[*,j]", "max", "-Inf", lambda a, b: (a[:, :, None] + b).max(axis=1, initial=-np.inf)),
        ("min(*, b[*,j])", "max", "-Inf", lambda a, b: np.minimum(a[:, :, None], b).max(axis=1, initial=-np.inf)),
        ("(* - b[*,j])^2", "add", "0", lambda a, b: ((a[:, :, None] - b) ** 2).sum(axis=1)),
    ],
    ids=["min-plus", "max-plus", "max-min", "squared distances"],
)
@pytest.mark.parametrize("shape", SHAPES)
def test_other_products(shape: tuple[int, int, int], times: str, plus: str, zero: str, expected: Any) -> None:
    source = DECLARED + f"y := map(tol[n,m], reduce(map(a[i], {times}), {plus}, {zero}), [i,j])"
    assert len(contractions(source)) == 1
    a, b, bias, scale = data(shape, "f8")
    result = tolang.compile(source, engine="cpu", fallback=False)(a, b, bias, scale)
    np.testing.assert_allclose(result, expected(a, b), rtol=1e-12, atol=1e-12)


def test_min_plus_keeps_nan() -> None:
    source = DECLARED + "y := map(tol[n,m], reduce(map(a[i], * + b[*,j]), min, +Inf), [i,j])"
    a, b, bias, scale = data((9, 13, 7), "f4")
    a[4, 2] = np.nan
    result = tolang.compile(source, engine="cpu", fallback=False)(a, b, bias, scale)
    assert np.isnan(result[4]).all()
    assert not np.isnan(np.delete(result, 4, axis=0)).any()


def test_renamed_and_inlined_copies_are_the_same_contraction() -> None:
    """A contraction is a classification of dimensions: what the user calls things, or writes out, does not matter."""
    library = "use linalg\ntol a: R [n,k]\ntol b: R [k,m]\ny := matmul(a, b)"
    copied = (
        "tol p: R [n,k]\ntol q: R [k,m]\nz := map(tol[n,m], reduce(tol[k], (s,t,l) -> s + p[u,l]*q[l,v], 0), [u,v])"
    )
    shapes = [(len(c.rows), len(c.columns), len(c.depth), len(c.batch), c.group.combine) for s in (library, copied)
              for c in contractions(s)]  # fmt: skip
    assert shapes == [(1, 1, 1, 0, "add")] * 2


STORAGES = {"B": "?", "i8": "i1", "u8": "u1", "i16": "i2", "i32": "i4", "i64": "i8", "u64": "u8", "Z": "i8", "f32": "f4",
            "f64": "f8"}  # fmt: skip
AWKWARD = [(1, 1, 1), (9, 13, 17), (3, 140, 2), (30, 25, 0), (131, 29, 7), (5, 9, 1100)]
ARGMIN = """\
tol a: {space} [n,k]
tol b: {space} [k,m]
nearer(s, e) = if e[1]' < s[1]' then e else s
c := map(tol[n,m], reduce(map(a[i], (* + b[*,j], q), q), nearer, (+Inf,0)){part}, [i,j])
"""
LOG_SUM_EXP = """\
tol a: f64 [n,k]
tol b: f64 [k,m]
elem(i,j) = {
  top = reduce(map(a[i], * + b[*,j]), max, -Inf)
  top + log(reduce(map(a[i], exp(* + b[*,j] - top)), add, 0))
}
c := map(tol[n,m], elem(i,j), [i,j])
"""
CONVOLUTION = """\
tol x: f32 [n,c,h,w]
tol k: f32 [m,c,r,s]
tol b: f32 [m]
at(i,q,y,z) = if y >= 1 and y <= h and z >= 1 and z <= w then x[i,q,y,z] else 0
taps(i,o,y,z) = map(k[o], * * at(i, q, (y-1)*{stride} + u - {pad}, (z-1)*{stride} + v - {pad}), [q,u,v])
tol result = [n, m, (h + 2*{pad} - r)/{stride} + 1, (w + 2*{pad} - s)/{stride} + 1]
y := map(result, max(0, b[o] + reduce(taps(i,o,y,z), add, 0)), [i,o,y,z])
"""


def semiring(one: str, two: str, times: str, plus: str, zero: str, turned: tuple[bool, bool] = (False, False)) -> str:
    """A product of two spaces, either operand stored transposed or not; `times` is of `{l}` and `{r}`."""
    shapes = ["[k,n]" if turned[0] else "[n,k]", "[m,k]" if turned[1] else "[k,m]"]
    left, right = "a[q,i]" if turned[0] else "a[i,q]", "b[j,q]" if turned[1] else "b[q,j]"
    term = times.format(l=left, r=right)
    fold = f"reduce(map(tol[k], {term}, q), {plus}, {zero})"
    return f"tol a: {one} {shapes[0]}\ntol b: {two} {shapes[1]}\nc := map(tol[n,m], {fold}, [i,j])"


def drawn(space: str, shape: tuple[int, ...], seed: int = 0) -> Array:
    generator = np.random.default_rng((seed, *shape))
    if space == "B":
        return np.asarray(generator.random(shape) < 0.4)
    if space.startswith("f"):
        return generator.normal(size=shape).astype(STORAGES[space])
    return generator.integers(0 if space.startswith("u") else -50, 50, shape).astype(STORAGES[space])


def as_interpreted(source: str, *arguments: Array, tolerance: float = 0.0) -> None:
    """Compiled code agrees with the interpreter: exactly, or, where sums of floats are reordered, nearly."""
    found = contractions(source)
    assert len(found) == 1
    assert supported(found[0])
    expected = tolang.compile(source, engine="interpret")(*arguments)
    result = tolang.compile(source, engine="cpu", fallback=False)(*arguments)
    assert result.dtype == expected.dtype
    np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("space", ["i8", "u8", "i16", "i32", "i64", "u64", "Z"])
def test_products_of_whole_numbers(space: str) -> None:
    for n, m, k in AWKWARD:
        as_interpreted(semiring(space, space, "{l} * {r}", "add", "0"), drawn(space, (n, k)), drawn(space, (k, m), 1))


@pytest.mark.parametrize(
    ("times", "plus", "zero"),
    [("{l} and {r}", "or", "false"), ("{l} and {r}", "xor", "false"), ("{l} or not {r}", "and", "true")],
)
@pytest.mark.parametrize("turned", [(False, False), (True, True)])
def test_products_of_truth_values(times: str, plus: str, zero: str, turned: tuple[bool, bool]) -> None:
    for n, m, k in AWKWARD:
        a, b = drawn("B", (n, k)), drawn("B", (k, m), 1)
        given = a.T.copy() if turned[0] else a, b.T.copy() if turned[1] else b
        as_interpreted(semiring("B", "B", times, plus, zero, turned), *given)


@pytest.mark.parametrize("spaces", [("f32", "f64"), ("i32", "f32"), ("i8", "i32"), ("B", "f32"), ("f64", "Z")])
def test_operands_of_two_storages(spaces: tuple[str, str]) -> None:
    for n, m, k in AWKWARD:
        given = drawn(spaces[0], (n, k)), drawn(spaces[1], (k, m), 1)
        # sums of up to 1,100 products in single precision, in another order than the interpreter's
        as_interpreted(semiring(*spaces, "{l} * {r}", "add", "0"), *given, tolerance=5e-4)


@pytest.mark.parametrize("space", ["f32", "f64", "i16"])
@pytest.mark.parametrize("turned", [(False, True), (True, False), (True, True)])
def test_transposed_operands(turned: tuple[bool, bool], space: str) -> None:
    plus, zero = ("min", "+Inf") if space.startswith("f") else ("add", "0")
    for n, m, k in AWKWARD:
        a, b = drawn(space, (n, k)), drawn(space, (k, m), 1)
        given = a.T.copy() if turned[0] else a, b.T.copy() if turned[1] else b
        as_interpreted(semiring(space, space, "{l} + {r}", plus, zero, turned), *given)


def test_rows_that_lie_side_by_side_are_packed_step_by_step() -> None:
    """Six rows are no vector, but three pairs: a step of the depth is read once, and not once for each row."""
    target = target_of("x86_64-unknown-linux-gnu", "+avx512f,+fma")
    source = semiring("f32", "f32", "{l} * {r}", "add", "0", (True, False))
    (found,) = contractions(source)
    assert tile_of(found, target).rows == 6
    plan = optimise(lower(tolang.compile(source).core), target)
    text = "".join(str(module) for module in modules_of(assemble(plan).calls, target))
    assert re.search(r"load <2 x float>", text)


RUNS = """\
tol a: f32 [l,o,i,j]
tol b: f32 [l,i,j,20]
c := map(tol[o,20], reduce(map(tol[l,i,j], a[p,r,q,s] * b[p,q,s,k], [p,q,s]), add, 0), [r,k])
"""


@pytest.mark.parametrize(
    "sizes", [(3, 9, 1, 5), (2, 16, 3, 3), (2, 17, 5, 7), (3, 8, 40, 30), (2, 8, 2, 700), (0, 8, 4, 4)]
)
def test_rows_that_run_through_some_dimensions_of_the_depth(sizes: tuple[int, ...]) -> None:
    """Blocks of them are turned as they are packed: the last one of a run of steps begins in the one before."""
    generator = np.random.default_rng(1)
    n, o, i, j = sizes
    a = generator.standard_normal((n, o, i, j)).astype(np.float32)
    b = generator.standard_normal((n, i, j, 20)).astype(np.float32)
    found = tolang.compile(RUNS, engine="cpu", fallback=False)(a, b)
    np.testing.assert_allclose(found, np.einsum("lrij,lijk->rk", a, b, dtype="f8"), rtol=1e-4, atol=1e-3)


def test_whole_numbers_that_overflow_are_told() -> None:
    """The kernel is taken only where magnitudes rule overflow out; else every operation is checked."""
    program = tolang.compile(semiring("Z", "Z", "{l} * {r}", "add", "0"), engine="cpu", fallback=False)
    large = np.full((9, 8), 2**40)
    assert np.array_equal(program(large, np.full((8, 13), 3)), np.full((9, 13), 3 * 8 * 2**40))
    edge = np.full((9, 8), 2**31 - 1), np.full((8, 13), 2**31 - 1)
    for one, two in [(large, np.full((8, 13), 2**40)), edge]:
        with pytest.raises(tolang.ToLangError, match="64-bit"):
            program(one, two)


@pytest.mark.parametrize("space", ["f32", "f64"])
def test_product_that_tells_which_term_won(space: str) -> None:
    """The smallest term's place, the first of equal ones, over several cuts of the depth; NaN never wins."""
    for n, m, k in [*AWKWARD, (17, 40, 1)]:
        a, b = np.round(drawn(space, (n, k))), np.round(drawn(space, (k, m), 1))
        if k > 2:
            a[0, 1] = np.nan
        as_interpreted(ARGMIN.format(space=space, part="[2]'"), a, b)


def test_a_later_fold_uses_an_earlier_one() -> None:
    assert len(contractions(LOG_SUM_EXP)[0].phases) == 2
    for n, m, k in [s for s in AWKWARD if s[2]]:
        a, b = 50 * drawn("f64", (n, k)), 50 * drawn("f64", (k, m), 1)
        as_interpreted(LOG_SUM_EXP, a, b, tolerance=1e-12)


SEVERAL_FOLDS = """\
tol a: f64 [{rows}]
tol b: f64 [k,m]
c := map(tol[n,m], reduce(map(tol[k], a[{at}] * b[l,j], l), add, 0)
                   - reduce(map(tol[k-1], (a[{at}] - b[l+1,j])^2, l), add, 0), [i,j])
"""


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("threads", [1, 3])
def test_folds_of_different_lengths_go_tile_by_tile(threads: int, turned: bool) -> None:
    """All of them where the depth of each is one cut, else one after the other; rows as they lie, and packed."""
    source = SEVERAL_FOLDS.format(rows="k,n" if turned else "n,k", at="l,i" if turned else "i,l")
    assert len(contractions(source)[0].phases) == 2
    program = tolang.compile(source, engine="cpu", fallback=False, threads=threads)
    for n, m, k in [*(one for one in AWKWARD if one[2]), (130, 150, 90), (60, 70, 3000)]:
        a, b = drawn("f64", (n, k)), drawn("f64", (k, m), 1)
        expected = a @ b - ((a[:, None, :-1] - b[1:].T) ** 2).sum(2)
        found = program(np.ascontiguousarray(a.T) if turned else a, b)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-8)


@pytest.mark.parametrize(("kernel", "stride", "pad"), [(1, 1, 0), (3, 1, 1), (3, 2, 1), (7, 2, 3), (1, 2, 0)])
def test_convolutions(kernel: int, stride: int, pad: int) -> None:
    """Borders, strides, several images and more channels than one cut of the depth holds."""
    for n, c, m, h, w in [(1, 3, 5, 9, 9), (2, 4, 9, 8, 13), (1, 70, 9, 7, 7), (1, 60, 3, 30, 31)]:
        x, k, b = drawn("f32", (n, c, h, w)), drawn("f32", (m, c, kernel, kernel)), drawn("f32", (m,))
        # sums of up to 3,430 products in single precision, in another order than the interpreter's
        as_interpreted(CONVOLUTION.format(stride=stride, pad=pad), x, k, b, tolerance=2e-3)


OTHER_MACHINES = [
    Target(16, 16),
    Target(32, 16),
    Target(64, 32),
    Target(16, 32, True, False),
]
FORMS = [("B", "{l} and {r}", "xor", "false"), ("B", "{l} or not {r}", "and", "true"), ("f32", "{l} * {r}", "add", "0"),
         ("f64", "{l} + {r}", "min", "Inf"), ("i32", "{l} * {r}", "add", "0")]  # fmt: skip


@pytest.mark.parametrize("machine", OTHER_MACHINES, ids=str)
@pytest.mark.parametrize(("space", "times", "plus", "zero"), FORMS)
def test_tiles_of_other_machines(
    machine: Target, space: str, times: str, plus: str, zero: str, plan_for: Callable[[Target], None]
) -> None:
    """Tiles for other vectors and registers compute the same: LLVM makes do with the vectors that are here."""
    plan_for(machine)
    for n, m, k in ((5, 9, 3), (30, 130, 70)):
        arguments = drawn(space, (n, k)), drawn(space, (k, m), 1)
        as_interpreted(semiring(space, space, times, plus, zero), *arguments, tolerance=1e-4 if space == "f32" else 0.0)


IN_PLACE = [
    ("rows of two dimensions", "tol x: R [b,s,d]\ntol w: R [d,m]\nr := map(tol[b,s,m], reduce(map(tol[d], x[b_,s_,k]*w[k,m_], k), add, 0), [b_,s_,m_])", "bsd,dm->bsm", ((2, 7, 900), (900, 70))),
    ("batch", "tol x: R [b,n,d]\ntol w: R [b,d,m]\nr := map(tol[b,n,m], reduce(map(tol[d], x[b_,i,k]*w[b_,k,j], k), add, 0), [b_,i,j])", "bnd,bdm->bnm", ((3, 9, 40), (3, 40, 17))),
    ("depth of two dimensions", "tol x: R [n,d,e]\ntol w: R [d,e,m]\nr := map(tol[n,m], reduce(map(tol[d,e], x[i,k,l]*w[k,l,j], [k,l]), add, 0), [i,j])", "nde,dem->nm", ((13, 40, 30), (40, 30, 66))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "sum_of", "shapes"), [one[1:] for one in IN_PLACE], ids=[one[0] for one in IN_PLACE]
)
def test_rows_are_read_as_they_lie(
    source: str, sum_of: str, shapes: tuple[tuple[int, ...], ...], plan_for: Callable[[Target], None]
) -> None:
    """Where a load fills all lanes, rows that memory runs along are not packed; the last tile has fewer of them."""
    plan_for(Target(16, 32))
    program = tolang.compile(source)
    assert "left rows in place" in program.explain().full
    x, w = (drawn("f64", shape, k) for k, shape in enumerate(shapes))
    np.testing.assert_allclose(program(x, w), np.einsum(sum_of, x, w), rtol=1e-12, atol=1e-12)


def test_rows_of_pictures_are_rows_of_a_matrix() -> None:
    """Dimensions that lie one in the other are one, however many there are, and read where they are if tiles can."""
    program = tolang.compile(
        "tol x: f32 [b,h,v,k]\ntol w: f32 [k,m]\ntol c: f32 [m]\n"
        "y := map(tol[b,h,v,m], max(reduce(map(tol[k], x[a,p,q,l] * w[l,j], l), add, 0) + c[j], 0), [a,p,q,j])"
    )
    random = np.random.default_rng(0)
    x, w, c = (random.normal(size=shape).astype(np.float32) for shape in ((2, 5, 7, 24), (24, 40), (40,)))
    np.testing.assert_allclose(program(x, w, c), np.maximum(x @ w + c, 0), rtol=1e-4, atol=1e-4)
    fixed = program.fix(w=w, c=c)
    np.testing.assert_allclose(fixed(x), np.maximum(x @ w + c, 0), rtol=1e-4, atol=1e-4)
    assert "rows [b*h*v] x columns [40] over [24]" in fixed.explain().full
    assert ("left rows in place" in fixed.explain().full) == host_target().splat_loads


@pytest.mark.parametrize(("columns", "vectors"), [(96, 3), (112, 3), (128, 4), (256, 4), (144, 4), (49, 4), (32, 2)])
def test_tiles_compute_few_columns_that_are_not_there(columns: int, vectors: int) -> None:
    """Of 96 columns a tile of four vectors would compute 128."""
    source = f"tol a: f32 [n,k]\ntol b: f32 [k,{columns}]\nc := map(tol[n,{columns}], {PRODUCT}, [i,j])"
    (found,) = contractions(source)
    tile = tile_of(found, Target(64, 32, splat_loads=True, streams=True))
    assert tile.vectors == vectors
    assert tile.rows * tile.vectors <= 28
