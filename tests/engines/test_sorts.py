"""Sorts by merging, against the interpreter, which inserts element by element, and NumPy."""

from __future__ import annotations

from functools import cache
from itertools import takewhile
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tolang
from tolang.engines.cpu.runtime.native import host_target
from tolang.idioms.sort import Sort, sort_of
from tolang.lower.steps import lower
from tolang.plan.nest import Repeat, Step
from tolang.plan.printer import print_plan
from tolang.plan.traversal import inner_steps
from tolang.rewrite.sorting import BLOCK, merge_sorts
from tolang.schedule.pipeline import PASSES
from tolang.schedule.planning import plan

pytestmark = pytest.mark.sampled(4)

Array = np.ndarray[Any, Any]
BEHIND = "1 + reduce(map(s, * <= e), add, 0)"
VECTORS = {
    "ascending": "sort(x)",
    "descending": "sort(x, 1, true)",
    "places": "argsort(x)",
    "places descending": "argsort(x, 1, true)",
    "by a key": "sort_by(x, e -> -abs(e))",
    "by a definition": f"reduce(x, (s,e) -> insert(s, {BEHIND}, e), [])",
    "counted from one": "reduce(x, (s,e) -> insert(s, reduce(map(s, e >= *), add, 1), e), [])",
    "the later of equals first": "reduce(map(x, (*,k), k), (s,e) -> insert(s, reduce(map(s[1]', * < e[1]'), add, 1), e), [])",
    "greatest first": "reduce(map(x, (*,k), k), (s,e) -> insert(s, 1 + reduce(map(s[1]', * > e[1]'), add, 0), e), [])",
    "by the second component": "reduce(map(x, (k,*), k), (s,e) -> insert(s, 1 + reduce(map(s[2]', * <= e[2]'), add, 0), e), [])",
    "of what is computed": f"reduce(map(x, sqrt(abs(*))), (s,e) -> insert(s, {BEHIND}, e), [])",
    "the first few": "sort([x,x,x,x,x,x,x,x])[1:min(5,|x|[1])]",
}


def searching(test: str = "s[q] <= e", left: str = "|s|[1] / 2^(k-1)", steps: str = "2*|s|[1] + 1") -> str:
    """An insertion where a binary search says, or what is none, by its parts."""
    return (
        f"{{ reach(p, k) = p + |tol[(floor({left}) + 1)/2]|[1]; next(p, q) = if {test} then q else p; "
        f"insert(s, 1 + reduce(tol[log({steps},2)], (p,z,k) -> next(p, reach(p,k)), 0), e) }}"
    )


SHORT = sorted({*range(BLOCK + 2), *(k * BLOCK + d for k in (2, 3, 4) for d in (-1, 0, 1))})
"""All lengths of up to a block, and those beside several."""
LONG = [65, 128, 257]


@cache
def program(source: str, engine: str = "cpu", strict: bool = False) -> tolang.Program:
    return tolang.compile(source, engine=engine, strict=strict, fallback=False)


def sorts_of(source: str) -> list[Sort]:
    """The sorts among a program's folds, as they are when it is their turn to be merged."""
    before = lower(tolang.compile(source).core)
    for one in takewhile(lambda one: one.run is not merge_sorts, PASSES):
        before = one.of(before, host_target())
    pending: list[Step] = list(before.steps)
    found = []
    while pending:
        step = pending.pop()
        if isinstance(step, Repeat):
            found.append(sort_of(step))
        pending.extend(inner_steps(step))
    return [one for one in found if one is not None]


def of_vector(form: str, space: str = "R") -> str:
    return f"tol x: {space} [n]\ny := {VECTORS[form]}"


def awkward(generator: np.random.Generator, length: int) -> Array:
    """Few different values, so that there are equals; zeros of both signs, infinities, NaN."""
    return generator.choice([-1.0, -0.0, 0.0, 0.25, 0.5, 2.0, np.inf, -np.inf, np.nan], length)


def same(found: Any, wanted: Any) -> None:
    """Equal to the bit, signs of zeros and places of NaN included."""
    assert [np.asarray(part).tobytes() for part in found] == [np.asarray(part).tobytes() for part in wanted]


def components(value: Any) -> list[Any]:
    return list(value) if isinstance(value, tuple | list) else [value]


def compared(source: str, x: Array, modes: tuple[bool, ...] = (False,)) -> None:
    """Compiled code, strict or not, against the interpreter, which is slow at this and so is asked once."""
    wanted = components(program(source, "interpret")(x=x))
    for strict in modes:
        same(components(program(source, "cpu", strict)(x=x)), wanted)


@pytest.mark.parametrize("form", VECTORS)
def test_sorts_are_recognised(form: str) -> None:
    assert len(sorts_of(of_vector(form))) == 1


@pytest.mark.parametrize(
    "step",
    [
        "insert(s, 1 + reduce(map(s, * <= -e), add, 0), e)",  # another key for the new element than for the old ones
        "insert(s, 1 + reduce(map(s, * == e), add, 0), e)",  # no order
        "insert(s, 1 + reduce(map(s, * <= e), add, 1 - 1), e + 1)",  # another element than the one compared
        "insert(s, 1 + reduce(map(s, * <= e), max, 0), e)",  # no count
    ],
)
def test_other_insertions_are_none(step: str) -> None:
    source = f"tol x: R [n]\ny := reduce(x, (s,e) -> {step}, [])"
    assert not sorts_of(source)
    compared(source, np.random.default_rng(3).normal(size=23))


@pytest.mark.parametrize(
    ("step", "count"),
    [
        (searching(), 1),
        (searching("s[q] > e"), 1),
        (searching("s[q] == e"), 0),  # no order
        (searching("s[q] <= -e"), 0),  # another key
        (searching(left="|s|[1] / 3^(k-1)"), 0),  # strides that leave elements out
        (searching(left="(|s|[1] - 1) / 2^(k-1)"), 0),  # the last element is left out
        (searching(steps="|s|[1] + 1"), 0),  # a step too few, unless the length is one less than a power of two
    ],
)
def test_binary_searches(step: str, count: int) -> None:
    source = f"tol x: R [n]\ny := reduce(x, (s,e) -> {step}, [])"
    assert len(sorts_of(source)) == count
    if count:
        compared(source, np.random.default_rng(4).integers(-5, 6, 21).astype(float))


@pytest.mark.parametrize("form", VECTORS)
def test_every_length(form: str) -> None:
    generator = np.random.default_rng(5)
    for length in SHORT[::5]:
        compared(of_vector(form), generator.normal(size=length), (False, True))
    for length in (*SHORT[1::4], *LONG) if "x,x" not in VECTORS[form] else SHORT[::5]:
        compared(of_vector(form), generator.integers(-3, 4, length).astype(float), (False, True))


@pytest.mark.parametrize("form", VECTORS)
def test_nan_and_zeros_of_both_signs(form: str) -> None:
    generator = np.random.default_rng(6)
    for length in (1, 2, 7, 8, 9, 17, 64, 130) if "x,x" not in VECTORS[form] else (1, 2, 9, 33):
        compared(of_vector(form), awkward(generator, length))


@pytest.mark.parametrize("space", ["Z", "N", "i32", "u8", "f32"])
@pytest.mark.parametrize("form", ["ascending", "descending", "places", "the later of equals first"])
def test_other_spaces(form: str, space: str) -> None:
    generator = np.random.default_rng(7)
    kind = {"Z": "int64", "N": "int64", "i32": "int32", "u8": "uint8", "f32": "float32"}[space]
    for length in (0, 1, 9, 33, 100):
        low = 0 if space in ("N", "u8") else -100
        compared(of_vector(form, space), generator.integers(low, 100, length).astype(kind))


@pytest.mark.parametrize("axis", [1, 2, 3])
def test_along_an_axis(axis: int) -> None:
    x = np.random.default_rng(8).integers(0, 9, (3, 21, 17)).astype(float)
    same([program(f"tol x: R [l,m,n]\ny := sort(x,{axis})")(x=x)], [np.sort(x, axis - 1)])
    order = np.argsort(x, axis - 1, kind="stable") + 1
    assert np.array_equal(program(f"tol x: R [l,m,n]\ny := argsort(x,{axis})")(x=x), order)


def in_digits(storage: str, length: int, generator: np.random.Generator) -> list[Array]:
    """Keys of one digit, of two wide ones, and of all that a storage has; floats with NaN and zeros of both signs."""
    kind = np.dtype(storage)
    if kind.kind == "f":
        wide = generator.normal(size=length) * 10.0 ** generator.integers(-30, 30, length)
        wide[::97], wide[1::89], wide[2::83] = np.nan, -0.0, 0.0
        return [wide.astype(kind), generator.choice([-np.inf, -1.5, -0.0, 0.0, 2.0, np.nan], length).astype(kind)]
    ends = np.iinfo(kind)
    few = generator.integers(max(ends.min, -90), 90, length).astype(kind)
    two = [generator.integers(5, 1 << 22, length, kind)] if storage == "i8" else []
    return [few, *two, generator.integers(ends.min, ends.max, length, kind, endpoint=True)]


SPACES = {"i1": "i8", "u4": "u32", "i8": "Z", "u8": "u64", "f4": "f32", "f8": "R"}


@pytest.mark.compiled("full")
@pytest.mark.parametrize("storage", SPACES)
def test_by_digits(storage: str) -> None:
    """Long enough for digits to be worth while, in one block and in several."""
    space = SPACES[storage]
    generator = np.random.default_rng(11)
    order, backwards, ordered = (
        program(of_vector(form, space)) for form in ("places", "places descending", "ascending")
    )
    for length in (1030, 70_001):
        for x in in_digits(storage, length, generator):
            assert np.array_equal(order(x=x), np.argsort(x, kind="stable") + 1)
            same([ordered(x=x)], [x[np.argsort(x, kind="stable")]])
            opposite = -x if x.dtype.kind == "f" else ~x
            assert np.array_equal(backwards(x=x), np.argsort(opposite, kind="stable") + 1)


def planned(source: str) -> str:
    return print_plan(plan(tolang.compile(source).core, host_target()).plan)


def counted(source: str) -> bool:
    """Whether a program sorts by counting where its numbers are few."""
    return "number counts" in planned(source)


@pytest.mark.parametrize("form", ["ascending", "descending"])
@pytest.mark.parametrize("space", ["Z", "i8", "u16", "u64"])
def test_numbers_alone_are_counted(form: str, space: str) -> None:
    """Few of them beside the ends of their storage, and as many as are counted at the most, or one more."""
    generator, source = np.random.default_rng(12), of_vector(form, space)
    kind = np.dtype({"Z": "i8", "i8": "i1", "u16": "u2", "u64": "u8"}[space])
    ends = np.iinfo(kind)
    assert counted(source)
    for length in (1030, 70_001):
        for first in (ends.min, ends.max - 90, -7 if ends.min else 7):
            compared_with_numpy(source, kind.type(first) + generator.integers(0, 91, length).astype(kind))
        for values in {min(length, 1 << 15), min(1 << 16, 2 * length)} if kind.itemsize > 1 else ():
            compared_with_numpy(source, kind.type(ends.max) - generator.integers(0, values, length).astype(kind))


def compared_with_numpy(source: str, x: Array) -> None:
    ordered = np.sort(x)
    same([program(source)(x=x)], [ordered if source.endswith("sort(x)") else ordered[::-1]])


def test_what_goes_along_is_moved() -> None:
    """Places and components go with their keys, floats that are equal may differ in their bits; rows are short."""
    assert not counted(of_vector("places", "Z"))
    assert not counted("tol x: Z [n]\ny := sort_by(x, e -> -abs(e))")
    assert not counted(of_vector("ascending", "R"))
    assert not counted("tol x: Z [m,n]\ny := sort(x, 2)")


def test_computed_numbers_are_counted() -> None:
    """What is not in memory as it is sorted is computed once."""
    source = "tol x: Z [n]\ny := sort(map(x, (7 * *) % 31))"
    assert counted(source)
    x = np.random.default_rng(13).integers(0, 1000, 5000)
    same([program(source)(x=x)], [np.sort(7 * x % 31)])


STRETCHES = {
    "an input": "tol x: Z [n]\ny := {}(x)",
    "its own memory": "tol x: Z [n]\nz = map(x, * - x[n+1-i] + *, i)\ny := {}(z) + 0 * z[1]",
    "backwards": "tol x: Z [n]\ny := {}(x, 1, true)",
}


@pytest.mark.parametrize("form", STRETCHES)
@pytest.mark.parametrize("function", ["sort", "argsort"])
def test_two_digits_go_by_stretches(function: str, form: str) -> None:
    """Keys of two digits, as many as may be counted in a stretch, and more; even stretches and one that has most."""
    source = STRETCHES[form].format(function)
    text, generator = planned(source), np.random.default_rng(14)
    assert "stretch by stretches" in text
    for bits in (17, 18, 19):
        even = generator.integers(-5, (1 << bits) - 5, 70_001)
        for x in (even, np.where(generator.random(even.size) < 0.9, even % 300, even)):
            z = 2 * x - x[::-1] if form == "its own memory" else x
            order = np.argsort(~z if form == "backwards" else z, kind="stable")
            wanted = z[order] if function == "sort" else order + 1
            same([program(source)(x=x)], [wanted])


def test_inputs_are_brought_together_before_they_are_moved() -> None:
    """Their owner may change them after they were counted: only a sort's own memory is counted, then moved from."""
    text = planned("tol x: Z [n]\ny := sort(x)")
    first, _, rest = text.partition("runs[i_1] = x.1[i_1]")
    assert "number counted = digit(ordinal(x.1[" in first
    assert "x.1[" not in rest


@pytest.mark.compiled("full")
def test_many_elements() -> None:
    """So many that inserting each would take minutes, on several threads."""
    x = np.random.default_rng(9).normal(size=1_000_003)
    same([program(of_vector("ascending"))(x=x)], [np.sort(x)])
    assert np.array_equal(program(of_vector("places"))(x=x), np.argsort(x, kind="stable") + 1)


@given(st.lists(st.floats(width=16), max_size=80), st.sampled_from(sorted(VECTORS)))
@settings(max_examples=60, deadline=None)
def test_any_elements(elements: list[float], form: str) -> None:
    compared(of_vector(form), np.array(elements, float))
