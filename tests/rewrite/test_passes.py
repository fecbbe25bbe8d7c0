"""Passes over plans: what each does to the programs it is for, and that results stay what NumPy gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.plans import changes, optimise

import tolang
from tolang.ground.symbolic.sizes import ONE, Quotient
from tolang.idioms.contraction import contraction_of
from tolang.lower.steps import lower
from tolang.plan.nest import Allocate, Branch, Each, Free, Nest, Plan, Reduction, Repeat, Step
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import conditions_in, inner_steps, loads, occurrences, sizes_in
from tolang.program.explain import in_full
from tolang.schedule.pipeline import PASSES

Array = NDArray[np.float32]

EPILOGUE = """\
tol a: f32 [n,k]
tol b: f32 [k,m]
tol c: f32 [n,m]
tol bias: f32 [m]
product = map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])
shifted = map(product, exp(*) + bias[j], [i,j])
active = map(shifted, max(0, *))
y := map(active, * * c[i,j] + *, [i,j])
"""
JACOBI = """\
tol u: f32 [n,m]
inner(i,j) = i > 1 and i < n and j > 1 and j < m
y := map(u, if inner(i,j) then 0.25 * (u[i-1,j] + u[i+1,j] + u[i,j-1] + u[i,j+1]) else *, [i,j])
"""
TORUS = """\
tol u: f32 [n,m]
at(i,j) = u[1 + (i-1+n) % n, 1 + (j-1+m) % m]
y := map(u, at(i-1,j) + 2 * at(i+1,j) + 3 * at(i,j-1) + 5 * at(i,j+1), [i,j])
"""
POOL = """\
tol u: f32 [n,m]
at(i,j) = if i >= 1 and i <= n and j >= 1 and j <= m then u[i,j] else -Inf
y := map(u, reduce(map(tol[3,3], at(i+p-2,j+q-2), [p,q]), max, -Inf), [i,j])
"""
ROW_SUMS = "tol x: f32 [n,m]\ny := map(x, * / reduce(x[i], add, 0), [i,j])"
JOIN = "tol x: f32 [n]\ntol y: f32 [m]\nz := map([x, y], exp(*) + i, i)"


def plan_of(source: str) -> Plan:
    return optimise(lower(tolang.compile(source).core))


def all_steps(steps: Iterable[Step]) -> Iterable[Step]:
    for step in steps:
        yield step
        yield from all_steps(inner_steps(step))


def nests(plan: Plan) -> list[Nest]:
    return [step for step in all_steps(plan.steps) if isinstance(step, Nest)]


def test_passes_have_names_and_contracts() -> None:
    assert len({one.name for one in PASSES}) == len(PASSES)
    assert all(one.contract for one in PASSES)


def test_what_follows_a_contraction_becomes_its_epilogue() -> None:
    (nest,) = (one for one in nests(plan_of(EPILOGUE)) if one.schedule is not None and not one.rare)
    contraction = contraction_of(nest)
    assert contraction is not None
    assert [str(extent) for _, extent in contraction.depth] == ["k"]


def test_in_a_batch_of_one_it_does_too() -> None:
    """What is added is read at coordinate 1 of the batch, whatever loop there is over it."""
    source = """\
tol a: f32 [1,n,k]
tol b: f32 [k,m]
tol c: f32 [1,n,m]
product = map(tol[1,n,m], reduce(map(a[h,i], * * b[*,j]), add, 0), [h,i,j])
y := map(c, max(product[1,i,j] + *, 0), [h,i,j])
"""
    (nest,) = (one for one in nests(plan_of(source)) if one.schedule is not None and not one.rare)
    assert contraction_of(nest) is not None
    a, b, c = (
        np.arange(1.0, 1 + np.prod(shape), dtype=np.float32).reshape(shape) for shape in ((1, 2, 3), (3, 4), (1, 2, 4))
    )
    np.testing.assert_array_equal(tolang.compile(source)(a, b, c - 100), np.maximum(a @ b + c - 100, 0))


def test_softmax_runs_row_by_row() -> None:
    plan = plan_of("tol x: f32 [n,m]\ny := softmax(x, 2)")
    rows = [step for step in plan.steps if isinstance(step, Each)]
    assert len(rows) == 1
    assert not [step for step in plan.steps if isinstance(step, Nest)]
    inside = [step.buffer for step in rows[0].steps if isinstance(step, Allocate)]
    assert all(len(buffer.shape) == 1 for buffer in inside)


def test_a_batch_of_one_is_no_row() -> None:
    """Along it, every step of a model would become part of one loop, which nothing could share out."""
    window = "map(tol[1,n], reduce(map(tol[3], exp(v[i,min(j+p-1,n)]), p), add, 0), [i,j])"
    source = f"tol x: f32 [1,n]\nblur(v) = {window}\ny := blur(blur(blur(x)))"
    assert all(step.extents != (ONE,) for step in plan_of(source).steps if isinstance(step, Each))


def test_dimensions_change_places_for_a_norm_by_channels() -> None:
    source = """\
tol x: f32 [n,c,h]
mean = map(tol[c], reduce(map(tol[n,h], x[i,k,p], [i,p]), add, 0) / (n*h), k)
y := map(x, * - mean[k], [i,k,p])
"""
    (rows,) = (step for step in plan_of(source).steps if isinstance(step, Each))
    assert [str(extent) for extent in rows.extents] == ["c"]
    assert not any(isinstance(step, Allocate) for step in rows.steps)


def greatest_memory(steps: Iterable[Step]) -> int:
    """How many buffers are held at once."""
    held = most = 0
    for step in steps:
        held += isinstance(step, Allocate)
        held -= isinstance(step, Free)
        most = max(most, held)
    return most


def test_a_long_chain_holds_few_buffers() -> None:
    layers = "".join(f"x{k + 1} = map(x{k}, exp(*) + x{k}[n+1-i], i)\n" for k in range(100))
    plan = plan_of(f"tol x0: f32 [n]\n{layers}y := map(x100, 2 * *)")
    assert sum(isinstance(step, Allocate) for step in plan.steps) > 90
    assert greatest_memory(plan.steps) <= 3


def test_a_map_writes_over_what_it_reads_last() -> None:
    source = """\
tol x: f32 [n]
a = map(x, exp(*) + x[n+1-i], i)
total = reduce(a, add, 0)
y := map(a, * / total)
"""
    plan = plan_of(source)
    assert sum(isinstance(step, Allocate) for step in plan.steps) == 1


@pytest.mark.parametrize("source", [JACOBI, TORUS, POOL])
def test_the_interior_has_no_guard_no_check_and_no_remainder(source: str) -> None:
    inner = [nest for nest in nests(plan_of(source)) if len(nest.iterators) == 2]
    assert len(inner) == 1
    for value in inner[0].values:
        for one in occurrences(value):
            assert not list(conditions_in(one.scalar))
            atoms = {atom for size in sizes_in(one.scalar) for monomial in size.terms for atom in monomial}
            assert not any(isinstance(atom, Quotient) for atom in atoms)


def test_the_parts_of_a_join_are_nests_of_their_own() -> None:
    for nest in nests(plan_of(JOIN)):
        assert len({load.buffer.name for load in loads(nest)}) == 1


def test_joins_of_many_parts_are_one_nest_for_each() -> None:
    """As what follows the concatenation of a dense block's layers; its parts may also be joined two by two."""
    names = [f"x{k}" for k in range(9)]
    inputs = "".join(f"tol {name}: f32 [n,{k + 1}]\n" for k, name in enumerate(names))
    pairs = "z = map(tol[n], [x0[i], x1[i]], i)"
    parts = [np.arange(7 * (k + 1), dtype=np.float32).reshape(7, k + 1) for k in range(9)]
    source = f"{inputs}{pairs}\ny := map(tol[n], map([z[i], {', '.join(f'{one}[i]' for one in names[2:])}], 2 * * + j, j), i)"
    plan = plan_of(source)
    assert all(len({load.buffer.name for load in loads(nest)}) == 1 for nest in nests(plan) if nest.iterators)
    assert len(nests(plan)) >= len(names)
    found = tolang.compile(source, engine="cpu", fallback=False)(*parts)
    joined = np.concatenate(parts, axis=1)
    np.testing.assert_array_equal(found, 2 * joined + np.arange(1, joined.shape[1] + 1, dtype=np.float32))


def test_explain_lists_the_passes_that_changed_something() -> None:
    core = tolang.compile(JACOBI).core
    assert [one.name for one in changes(lower(core))] == ["peeling"]
    assert "peeling: " in in_full(core)


def jacobi(u: Array) -> Array:
    y = u.copy()
    y[1:-1, 1:-1] = np.float32(0.25) * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return y


def torus(u: Array) -> Array:
    result: Array = np.roll(u, 1, 0) + 2 * np.roll(u, -1, 0) + 3 * np.roll(u, 1, 1) + 5 * np.roll(u, -1, 1)
    return result


def pool(u: Array) -> Array:
    padded = np.pad(u, 1, constant_values=-np.inf)
    n, m = u.shape
    result: Array = np.max([padded[p : p + n, q : q + m] for p in range(3) for q in range(3)], axis=0, initial=-np.inf)
    return result


@pytest.mark.parametrize(("source", "reference"), [(JACOBI, jacobi), (TORUS, torus), (POOL, pool)])
@pytest.mark.parametrize("strict", [False, True])
def test_borders_and_interior_make_the_whole(source: str, reference: Callable[[Array], Array], strict: bool) -> None:
    """Sizes from empty to several vectors: where there is hardly an interior, or none."""
    program = tolang.compile(source, engine="cpu", strict=strict, fallback=False)
    generator = np.random.default_rng(1)
    for shape in [(0, 0), (1, 1), (1, 5), (2, 2), (2, 7), (3, 3), (4, 1), (5, 40), (33, 17)]:
        u = generator.random(shape, dtype=np.float32)
        # sums of four terms in a row: the order of addition may differ by a few units in the last place
        np.testing.assert_allclose(program(u), reference(u), rtol=1e-6)


def test_joined_maps_are_right() -> None:
    program = tolang.compile(JOIN, engine="cpu", fallback=False)
    for n, m in [(0, 0), (0, 3), (3, 0), (1, 1), (17, 40)]:
        x, y = np.linspace(0, 1, n, dtype=np.float32), np.linspace(-1, 0, m, dtype=np.float32)
        expected = np.exp(np.concatenate([x, y])) + np.arange(1, n + m + 1)
        np.testing.assert_allclose(program(x, y), expected, rtol=1e-6)


def test_an_unread_overflow_is_still_told() -> None:
    """A value that is computed for a fold is checked even where the fold's choice passes it by."""
    source = "tol x: Z [n]\na = map(x, * * * + x[n+1-i], i)\ny := map(tol[n], if i == 1 then a[i] else 0, i)"
    with pytest.raises(tolang.ToLangRunError):
        tolang.compile(source, engine="cpu", fallback=False)([1, 1 << 62, 1])


def test_rows_with_sums_of_their_own() -> None:
    source = """\
tol x: f32 [n,m]
centred = map(x, * - reduce(x[i], add, 0) / m, [i,j])
spread = map(tol[n], reduce(map(centred[i], *^2), add, 0), i)
y := map(centred, * / sqrt(spread[i] + 1), [i,j])
"""
    x = np.random.default_rng(3).random((7, 33), dtype=np.float32)
    centred = x - x.mean(axis=1, keepdims=True)
    expected = centred / np.sqrt((centred**2).sum(axis=1, keepdims=True) + 1)
    found = tolang.compile(source, engine="cpu", fallback=False)(x)
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_a_fold_leaves_loops_it_does_not_depend_on() -> None:
    plan = plan_of("tol x: f32 [n,m]\ny := map(x, * / reduce(x[i], add, 0) + reduce(x, max, 0), [i,j])")
    for nest in nests(plan):
        assert not any(isinstance(one.scalar, Reduction) for value in nest.values for one in occurrences(value))
    assert [one.name for one in changes(lower(tolang.compile(ROW_SUMS).core))][:1] == ["loop fusion"]


def test_hoisted_folds_are_right() -> None:
    program = tolang.compile(ROW_SUMS, engine="cpu", fallback=False)
    for shape in [(0, 3), (3, 0), (1, 1), (4, 37)]:
        x = np.random.default_rng(5).random(shape, dtype=np.float32) + 1
        # sums of a few dozen floats in another order
        np.testing.assert_allclose(program(x), x / x.sum(axis=1, keepdims=True), rtol=1e-5)


def test_a_chain_of_cheap_values_does_not_multiply() -> None:
    """Each value reads the one before twice: written out in full that would be 2^60 reads."""
    layers = "".join(f"x{k + 1} = map(x{k}, * * * - 1)\n" for k in range(60))
    plan = plan_of(f"tol x0: f32 [n]\n{layers}y := map(x60, 2 * *)")
    assert sum(1 for step in plan.steps for _ in loads(step)) < 300


def test_an_image_is_one_stretch_of_memory() -> None:
    source = "tol x: f32 [n,c,h,w]\ntol s: f32 [c]\ny := map(x, exp(*) * s[k], [i,k,p,q])"
    (nest,) = nests(plan_of(source))
    assert [str(extent) for extent in nest.extents] == ["n", "c", "h*w"]
    program = tolang.compile(source, engine="cpu", fallback=False)
    generator = np.random.default_rng(6)
    for shape in [(2, 3, 7, 7), (1, 2, 0, 3), (1, 1, 1, 1)]:
        x, s = generator.random(shape, dtype=np.float32), generator.random(shape[1], dtype=np.float32)
        np.testing.assert_allclose(program(x, s), np.exp(x) * s[:, None, None], rtol=1e-6)


RESHAPES = {
    "flat": ("tol x: f32 [n,m]\ny := map(reshape(x, [n*m]), exp(*))", lambda x: np.exp(x).reshape(-1)),
    "turned": ("tol x: f32 [n,m]\ny := map(reshape(x, [m,n]), exp(*))", lambda x: np.exp(x).reshape(x.shape[::-1])),
    "there and back": (
        "tol x: f32 [n,m]\nz = map(reshape(x, [n*m]), exp(*) + 1)\ny := map(reshape(z, [n,m]), * * *)",
        lambda x: (np.exp(x) + 1) ** 2,
    ),
    "each twice": (
        "tol x: f32 [n,m]\ny := map(tol[2*n,2*m], x[1+floor((i-1)/2), 1+floor((j-1)/2)] + 1, [i,j])",
        lambda x: x.repeat(2, 0).repeat(2, 1) + 1,
    ),
    "rows to one": (
        "tol x: f32 [n,m]\ny := map(reshape(map(x, * - reduce(x[i], max, -Inf), [i,j]), [n*m]), exp(*))",
        lambda x: np.exp(x - x.max(axis=1, keepdims=True, initial=-np.inf)).reshape(-1),
    ),
}


@pytest.mark.parametrize(("source", "reference"), RESHAPES.values(), ids=RESHAPES)
def test_reshapes_divide_nowhere_and_are_right(source: str, reference: Callable[[Array], Array]) -> None:
    for nest in nests(plan_of(source)):
        for value in nest.values:
            for one in occurrences(value):
                atoms = {atom for size in sizes_in(one.scalar) for monomial in size.terms for atom in monomial}
                assert not any(isinstance(atom, Quotient) for atom in atoms)
    program = tolang.compile(source, engine="cpu", fallback=False)
    for shape in [(0, 3), (3, 0), (1, 1), (2, 5), (13, 7)]:
        x = np.random.default_rng(8).random(shape, dtype=np.float32)
        np.testing.assert_allclose(program(x), reference(x), rtol=1e-6)


def test_counting_is_not_checked_but_sums_are() -> None:
    counted = "tol x: f32 [n]\ny := reduce(map(x, if * > 0 then 1 else 0), add, 0)"
    assert "counting" in [one.name for one in changes(lower(tolang.compile(counted).core))]
    assert tolang.compile(counted, engine="cpu", fallback=False)(np.array([1, -1, 2], np.float32)) == 2
    summed = tolang.compile("tol x: Z [n]\ny := reduce(x, add, 0)", engine="cpu", fallback=False)
    with pytest.raises(tolang.ToLangRunError):
        summed([1 << 62, 1 << 62])


def test_states_that_change_are_left_where_they_are() -> None:
    """Copies back into a fold's state must not run before everything that reads the old one."""
    source = """\
tol u: f32 [n]
step(s) = map(s, * + s[n+1-i], i)
y := reduce(tol[3], (s,t) -> step(s), u)
"""
    u = np.arange(8, dtype=np.float32)
    expected = u
    for _ in range(3):
        expected = expected + expected[::-1]
    np.testing.assert_array_equal(tolang.compile(source, engine="cpu", fallback=False)(u), expected)


def test_old_and_new_state_change_places() -> None:
    """As many steps as `turns` is long: an even number of exchanges, an odd one, and none."""
    source = "tol u: f32 [n]\ntol turns: f32 [k]\ny := reduce(turns, (s,t) -> map(s, * + s[n+1-i], i), u)"
    (fold,) = (step for step in plan_of(source).steps if isinstance(step, Repeat))
    assert len(fold.exchanges) == 1
    program = tolang.compile(source, engine="cpu", fallback=False)
    u = np.arange(5, dtype=np.float32)
    for turns in range(5):
        expected = u
        for _ in range(turns):
            expected = expected + expected[::-1]
        np.testing.assert_array_equal(program(u, np.ones(turns, np.float32)), expected)


def test_two_states_change_places_together() -> None:
    source = """\
tol u: f32 [n]
tol v: f32 [n]
turned(p, q) = (q[2]' + p[1]', q[1]' - p[2]')
s = reduce(tol[3], (s,t) -> map(s, turned(s[n+1-i], s[i]), i), map(u, (*, v[i]), i))
y := map(s, *[1]' + 2 * *[2]')
"""
    u, v = np.arange(6, dtype=np.float32), np.ones(6, np.float32)
    p, q = u, v
    for _ in range(3):
        p, q = q + p[::-1], p - q[::-1]
    (fold,) = (step for step in plan_of(source).steps if isinstance(step, Repeat))
    assert len(fold.exchanges) == 2
    np.testing.assert_array_equal(tolang.compile(source, engine="cpu", fallback=False)(u, v), p + 2 * q)


def test_steps_inside_folds_and_branches_are_passed_over_too() -> None:
    kinds = (Repeat, Branch)
    source = "tol u: f32 [n]\ny := reduce(tol[3], (s,t) -> map(map(s, exp(*) + s[n+1-i], i), 2 * *), u)"
    assert any(isinstance(step, kinds) for step in plan_of(source).steps)


def test_a_product_with_checks_in_a_batch_of_one_is_a_contraction() -> None:
    source = "tol w: f32 [8,k]\ntol x: f32 [m]\ntol n: N\ny := map(tol[1,8,5], reduce(map(tol[k], w[c,i] * x[n + i + t], [i]), add, 0), [b,c,t])"
    nests = [step for step in all_steps(plan_of(source).steps) if isinstance(step, Nest)]
    assert any(contraction_of(nest) is not None for nest in nests)
    w, x = np.ones((8, 4), np.float32), np.arange(12, dtype=np.float32)
    expected = np.array([[x[2 + i + t - 1] for i in range(1, 5)] for t in range(1, 6)]).sum(axis=1)
    program = tolang.compile(source, engine="cpu", fallback=False)
    np.testing.assert_array_equal(program(w, x, 2), np.broadcast_to(expected, (1, 8, 5)))
    with pytest.raises(tolang.ToLangError, match="coordinate"):
        program(w, x, 4)


def test_a_factor_that_nothing_needs_is_not_computed() -> None:
    source = "tol w: f32 [h,k]\ntol x: f32 [m]\ntol n: N\ny := map(tol[h,5], reduce(map(tol[k], w[c,i] * x[n + i + t], [i]), add, 0), [c,t])"
    program = tolang.compile(source, engine="cpu", fallback=False)
    assert program(np.ones((0, 4), np.float32), np.ones(12, np.float32), 100).shape == (0, 5)


@pytest.mark.parametrize("source", [EPILOGUE, JACOBI, TORUS, POOL, ROW_SUMS, JOIN])
def test_what_no_rule_changes_stays_the_same_object(source: str) -> None:
    plan = optimise(lower(tolang.compile(source).core))
    assert Rewriter().steps(plan.steps) is plan.steps
    assert Rewriter({"no such name": ONE}, rule=lambda _: None).steps(plan.steps) is plan.steps


LEAST = """\
tol x: R [n,m]
least(row) = reduce(row, (s,e) -> {{ k = reduce(map(s, * {order} e), add, 0); [s[1:k], e, s[k+1:]][1:3] }}, map(tol[3], Inf))
y := map(tol[n], least(x[i]), i)
"""


@pytest.mark.parametrize("order", ["<=", "<"])
def test_a_state_is_written_where_it_changes(order: str) -> None:
    """Lists of the least so far: with NaN and infinities among the numbers, and with ties."""
    source = LEAST.format(order=order)
    program = tolang.compile(source, fallback=False)
    assert "unchanged:" in program.explain().full
    x = np.random.default_rng(4).integers(-5, 6, (40, 60)).astype(float)
    x[3, 7], x[5, :], x[6, 2], x[7] = np.nan, np.inf, -np.inf, np.sort(x[7])[::-1]
    np.testing.assert_array_equal(program(x), tolang.compile(source, engine="interpret")(x))
    ordinary = np.isfinite(x).all(axis=1)
    np.testing.assert_array_equal(program(x)[ordinary], np.sort(x[ordinary], axis=1)[:, :3])
