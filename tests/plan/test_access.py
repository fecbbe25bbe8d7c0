"""Access: strides, contiguous dimensions and axes of loads, by hand and against row-major addresses."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tolang.ground.symbolic.sizes import ONE, ZERO, Size, floor_division
from tolang.ground.values.spaces import column
from tolang.plan.access import access_of, access_to, filling, fills, flatten, slope
from tolang.plan.nest import Buffer, Load, Nest, PanelLayout

F32 = column("f32")
A, B, C = map(Size.of, "abc")
N, M, P = map(Size.of, "nmp")
MATRIX = Buffer("x.1", F32, (N, M))
CUBE = Buffer("c.1", F32, (N, M, P))


def test_strides_of_a_matrix() -> None:
    access = access_to(MATRIX, (A, B))
    assert (access.stride("a"), access.stride("b"), access.stride("c")) == (M, ONE, ZERO)
    assert access.unit_stride("b")
    assert not access.unit_stride("a")
    assert access.invariant("c")
    assert not access.invariant("a")
    assert access.offset == (A - 1) * M + B - 1


def test_strides_add_up_over_axes_and_slopes() -> None:
    access = access_to(CUBE, (A, A + 2 * B, 3 * B - A))
    assert access.stride("a") == M * P + P - 1
    assert access.stride("b") == 2 * P + 3


def test_what_is_not_affine_has_no_stride() -> None:
    access = access_to(MATRIX, (floor_division(A, Size.of(2)), A * A))
    assert access.stride("a") is None
    assert not access.affine(["a"])


def test_strides_that_depend_on_one_another_are_not_affine_together() -> None:
    access = access_to(MATRIX, (A * B, C))
    assert access.stride("a") == B * M
    assert not access.affine(["a", "b", "c"])
    assert access.affine(["a", "c"])


def test_a_load_has_the_access_of_its_buffer_and_indices() -> None:
    load = Load(MATRIX, (A, B), column=F32)
    assert access_of(load) is access_to(MATRIX, (A, B))


def test_contiguous_dimensions() -> None:
    access = access_to(CUBE, (A, B, C))
    assert access.contiguous([("a", N), ("b", M), ("c", P)])
    assert access.contiguous([("b", M), ("c", P)])
    assert access.contiguous([("a", N), ("b", M)], element=P)
    assert not access.contiguous([("a", N), ("c", P)])
    assert not access.contiguous([("b", M), ("c", P - 1)])
    assert not access.contiguous([("a", N), ("b", M)], element=access_to(CUBE, (A, B * B, C)).stride("b"))


def test_axes_of_one_coordinate_lie_between_nothing() -> None:
    access = access_to(Buffer("x.1", F32, (N, ONE, M)), (A, ONE, B))
    assert access.contiguous([("a", N), ("b", M)])
    assert access.runs_on("a", "b", M)


def test_an_iterator_that_runs_through_several_axes() -> None:
    access = access_to(CUBE, (A, ONE, B))
    assert access.runs_on("a", "b", M * P)
    assert not access.runs_on("a", "b", P)
    assert not access_to(CUBE, (A, ONE, B * B)).runs_on("a", "b", M * P)


def test_steps_of_the_last_axis_do_not_ask_for_lengths() -> None:
    narrow = access_to(Buffer("x.1", F32, (N, ONE)), (A, ONE))
    assert narrow.unit_stride("a")
    assert narrow.step_of_last_axis("a") is None
    assert access_to(MATRIX, (A, M + 1 - B)).step_of_last_axis("b") == -ONE
    assert access_to(MATRIX, (B, B)).step_of_last_axis("b") is None
    assert access_to(MATRIX, (A, B)).step_of_last_axis("c") == ZERO
    assert access_to(Buffer("x.1", F32, ()), ()).step_of_last_axis("a") is None


def test_axes_of_iterators() -> None:
    access = access_to(CUBE, (A, ONE, B))
    assert access.axes_of(["a", "b"]) == (0, 2)
    assert access.axes_of(["b", "a"]) is None
    assert access_to(CUBE, (A, A, B)).axes_of(["a", "b"]) is None
    assert access_to(CUBE, (A + 1, ONE, B)).axes_of(["a", "b"]) is None
    assert access.axes_with({"b", "c"}) == [2]


def test_iterators_by_nearness_of_their_axes() -> None:
    assert access_to(CUBE, (B, 2 * A - 1, ONE)).fastest_first(["c", "b", "a"]) == ["a", "b", "c"]
    assert access_to(MATRIX, (ONE, A * M + B)).fastest_first(["a", "b"]) == ["b", "a"]


def test_a_buffer_in_panels_has_strides_within_chunks_alone() -> None:
    whole = Buffer("p.1", F32, (N, M), panels=PanelLayout(8, 1))
    chunks = Buffer("p.1", F32, (N, M), panels=PanelLayout(8, 1, 4))
    assert [access_to(whole, (A, B)).stride(name) for name in "ab"] == [None, None]
    assert [access_to(chunks, (A, B)).stride(name) for name in "ab"] == [ONE, None]


def test_a_nest_fills_a_buffer_at_its_own_coordinates() -> None:
    nest = Nest(("a", "b"), (N, M), ((MATRIX, (A, B)),), (Load(MATRIX, (A, B), column=F32),))
    assert fills(nest, MATRIX, (A, B))
    assert not fills(nest, MATRIX, (A, B + 1))
    assert not fills(nest, CUBE, (A, B))


def test_a_nest_that_fills_a_buffer() -> None:
    value = Load(MATRIX, (B, A), column=F32)
    nest = filling(MATRIX, "ab", value, "turned")
    assert (nest.iterators, nest.extents, nest.targets) == (("a", "b"), (N, M), ((MATRIX, (A, B)),))
    assert (nest.values, nest.origin) == ((value,), "turned")
    assert fills(nest, *nest.targets[0])


def test_positions_count_from_0_in_row_major_order() -> None:
    assert flatten((A, B), (N, M)) == (A - 1) * M + B - 1
    assert flatten((), ()) == ZERO


def test_slopes_are_whole_numbers() -> None:
    assert slope(3 * A - B + 1, "a") == 3
    assert slope(3 * A - B + 1, "b") == -1
    assert slope(B, "a") == 0
    assert slope(N * A, "a") is None
    assert slope(A * A, "a") is None


LENGTHS = st.integers(1, 5)
SLOPES = st.integers(-2, 3)


@given(st.data())
def test_addresses_are_row_major(data: st.DataObject) -> None:
    """The first element's address plus strides times steps is where the element lies in an array in memory."""
    shape = data.draw(st.lists(LENGTHS, min_size=1, max_size=4))
    iterators = ["a", "b", "c"][: data.draw(st.integers(1, 3))]
    terms = [[data.draw(SLOPES) for _ in iterators] for _ in shape]
    firsts = [data.draw(st.integers(-3, 3)) for _ in shape]
    indices = tuple(
        sum((Size.of(name) * step for name, step in zip(iterators, steps, strict=True)), Size.of(first))
        for steps, first in zip(terms, firsts, strict=True)
    )
    names = [f"n{axis}" for axis in range(len(shape))]
    access = access_to(Buffer("x.1", F32, tuple(map(Size.of, names))), indices)
    sizes = dict(zip(names, shape, strict=True))
    at = {name: data.draw(st.integers(1, 6)) for name in iterators}
    coordinates = [int(index.evaluate(at)) for index in indices]
    strides = [1]
    for length in shape[:0:-1]:
        strides.insert(0, strides[0] * length)
    address = sum((place - 1) * stride for place, stride in zip(coordinates, strides, strict=True))
    assert access.offset.evaluate(sizes | at) == address
    first = access.offset.evaluate(sizes | dict.fromkeys(iterators, 0))
    steps = [access.stride(name) for name in iterators]
    assert all(step is not None for step in steps)
    moved = [step.evaluate(sizes) * at[name] for step, name in zip(steps, iterators, strict=True) if step is not None]
    assert first + sum(moved) == address


@given(st.lists(LENGTHS, min_size=1, max_size=4), st.data())
def test_contiguous_dimensions_are_those_that_count_through_memory(shape: list[int], data: st.DataObject) -> None:
    """Memory runs through dimensions if their coordinates in order are at places in order, none left out."""
    axes = data.draw(st.permutations(range(len(shape))))
    names = [f"i{axis}" for axis in range(len(shape))]
    chosen = [(names[axis], shape[axis]) for axis in axes[: data.draw(st.integers(1, len(shape)))]]
    access = access_to(Buffer("x.1", F32, tuple(map(Size.of, shape))), tuple(map(Size.of, names)))
    places = np.arange(int(np.prod(shape))).reshape(shape)
    others = [axis for axis in range(len(shape)) if names[axis] not in dict(chosen)]
    taken = places[tuple(0 if axis in others else slice(None) for axis in range(len(shape)))]
    order = [names[axis] for axis in range(len(shape)) if axis not in others]
    walked = np.transpose(taken, [order.index(name) for name, _ in chosen]).ravel()
    counts = bool((np.diff(walked) == 1).all())
    contiguous = access.contiguous([(name, Size.of(extent)) for name, extent in chosen])
    assert counts or not contiguous
    if all(extent > 1 for _, extent in chosen):
        assert contiguous == counts
