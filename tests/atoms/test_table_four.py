"""Table 4: each of the thirteen primitives is the composition of atoms beside it, on generated ToLs.

The compositions are written out here by hand from the table, with the errata of the paper: what is built is joined
along the first dimension first, then embedded and joined along the next; reduce calls f(accumulated, element); tile joins
the lists.  The other side is the language itself, run by the interpreter.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tolang
from tolang.ground.values.functions import FUNCTIONS
from tolang.ground.values.spaces import Column, Space
from tolang.ground.values.values import ToL, equal
from tolang.readings.atoms import evaluate
from tolang.readings.atoms.computations import (
    embed,
    join,
    join_list,
    lambda_of,
    member,
    member_prime,
    norm,
    norm_prime,
)
from tolang.readings.atoms.terms import InputTerm, MemberTerm

Coordinates = tuple[int, ...]


def column(root: str) -> Column:
    return Column(Space(root), Space(root).storage)


@st.composite
def tols(draw: Any, spaces: Sequence[str] = ("Z", "R"), most: int = 2) -> ToL:
    """A ToL of 1 to 3 dimensions, with lengths from 1 to 3, of one or more components."""
    shape = tuple(draw(st.lists(st.integers(1, 3), min_size=1, max_size=3)))
    roots = draw(st.lists(st.sampled_from(spaces), min_size=1, max_size=most))
    arrays = []
    for root in roots:
        numbers = draw(st.lists(st.integers(-20, 20), min_size=math.prod(shape), max_size=math.prod(shape)))
        kind = float if root == "R" else bool if root == "B" else np.int64
        arrays.append((np.asarray(numbers) / (4 if root == "R" else 1)).astype(kind).reshape(shape))
    return ToL(arrays, [column(root) for root in roots])


@functools.cache
def compiled(source: str) -> tolang.Program:
    return tolang.compile(source, engine="interpret", strict=True)


def language(expression: str, t: ToL, **more: Any) -> ToL:
    """The value of an expression over t, by the interpreter."""
    spaces = ",".join(str(one.space) for one in t.spaces)
    shape = f" [{','.join(f'd{k}' for k in range(1, t.dimension + 1))}]" if t.dimension else ""
    program = compiled(f"tol t: [{spaces}]{shape}\nr := {expression}")
    result = program.run(program.job((t,), more))["r"]
    assert isinstance(result, ToL)
    return result


def built(lengths: Sequence[int], element: Callable[[Coordinates], ToL], after: Coordinates = ()) -> ToL:
    """Ξ(⋯Ξ(e[1,…,1]) ⋈ Ξ(e[2,…,1]) ⋈ ⋯): along the first dimension first, each next one of embeddings."""
    if not lengths:
        return element(after)
    parts = [embed(built(lengths[:-1], element, (k, *after))) for k in range(1, lengths[-1] + 1)]
    return functools.reduce(join, parts)


def coordinates(shape: Sequence[int]) -> list[Coordinates]:
    """All coordinates, the last running fastest."""
    return list(itertools.product(*(range(1, n + 1) for n in shape)))


WORDS = ["ab", "né"]
OF_TEXT: dict[str, tuple[str, list[list[Any]]]] = {
    **dict.fromkeys(("length", "uppercase", "lowercase"), ("S", [WORDS])),
    "code": ("SN", [WORDS, [1, 2]]),
    "substring": ("SNN", [WORDS, [1, 2], [1, 2]]),
    "append_text": ("SS", [WORDS, WORDS]),
    "to_number": ("S", [["1.5", "-2e3"]]),
}
"""Functions of text, with the spaces of their arguments and some of these."""


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - {"rand"}))
def test_function(name: str) -> None:
    """f(v₁,v₂,…) = Λ(f; v₁,v₂,…), for every basic elementary function."""
    logic, text = name in ("and", "or", "xor", "not"), name in OF_TEXT
    numbers: list[Any] = [True, False] if logic else [0.25, 0.5, 2.0]
    for arity in FUNCTIONS[name].arity:
        spaces, given = OF_TEXT[name] if text else ("BB" if logic else "RR", [numbers] * arity)
        for arguments in itertools.product(*given):
            values = [ToL.of(one) for one in arguments]
            source = "".join(f"tol v{k}: {spaces[k]}\n" for k in range(arity))
            program = compiled(f"{source}r := {name}({','.join(f'v{k}' for k in range(arity))})")
            result = program.run(program.job(values, {}))["r"]
            assert equal(result, lambda_of(name, values))


@given(tols())
def test_shape_dimension_capacity(t: ToL) -> None:
    """shape(t) = ‖t‖, dimension(t) = ‖(‖t‖)‖, a vector of one, capacity(t) = ‖t‖′."""
    assert equal(language("shape(t)", t), norm(t))
    assert equal(language("dimension(t)", t), member(norm(norm(t)), [1]))
    assert equal(language("capacity(t)", t), norm_prime(t))


@given(tols())
def test_volume(t: ToL) -> None:
    """vol(t) = ‖t‖[1] × ‖t‖[2] × ⋯ × ‖t‖[dim(t)] × ‖t‖′."""
    lengths = [member(norm(t), [k]) for k in range(1, t.dimension + 1)]
    product = functools.reduce(lambda a, b: lambda_of("mul", [a, b]), [*lengths, norm_prime(t)])
    assert equal(language("vol(t)", t), product)


@given(tols(("Z", "R", "B"), 3))
def test_space(t: ToL) -> None:
    """space(t) is the type list of its members."""
    first = member(t, (1,) * t.dimension)
    assert language("space(t)", t).to_list() == [one.space.root for one in first.spaces]


@given(tols(("Z", "B"), 2))
def test_convert(t: ToL) -> None:
    """convert(t,V′) is t in V′: its members, each read as a member of V′."""
    reals = (column("R"),) * t.capacity
    given_t = InputTerm("t", t.shape, t.spaces)

    def element(here: Coordinates) -> ToL:
        return evaluate([MemberTerm(MemberTerm(given_t, here), (), reals, checked=True)], {"t": t})[0]

    result = language(f"convert(t, [{','.join('R' * t.capacity)}])", t)
    assert equal(result, built(t.shape, element))
    assert all(one.dtype == float for one in result.columns)


@given(tols(), st.data())
def test_part(t: ToL, data: st.DataObject) -> None:
    """part(t,[a],[b]) = Ξ(⋯Π(t;a₁,…) ⋈ Π(t;a₁+1,…) ⋈ ⋯ Π(t;b₁,…)⋯); part(t,[a]) = Π(t;a); part′(t,j) = Π′(t;j)."""
    ends = [sorted(data.draw(st.tuples(st.integers(1, n), st.integers(1, n)))) for n in t.shape]
    low, high = [one for one, _ in ends], [one for _, one in ends]
    element = lambda here: member(t, [a + k - 1 for a, k in zip(low, here, strict=True)])  # noqa: E731
    lengths = [b - a + 1 for a, b in ends]
    assert equal(language(f"part(t, {low}, {high})", t), built(lengths, element))
    assert equal(language(f"part(t, {low})", t), member(t, low))
    position = data.draw(st.integers(1, t.capacity))
    assert equal(language(f"part'(t, {position})", t), member_prime(t, position))


@given(tols(), st.data())
def test_swap(t: ToL, data: st.DataObject) -> None:
    """swap(t,dim,[x₁,…]): the coordinate of one dimension, counted from the last, goes through the order."""
    dimension = data.draw(st.integers(1, t.dimension))
    axis = t.dimension - dimension
    order = data.draw(st.permutations(range(1, t.shape[axis] + 1)))

    def element(here: Coordinates) -> ToL:
        return member(t, [order[k - 1] if a == axis else k for a, k in enumerate(here)])

    assert equal(language(f"swap(t, {dimension}, {list(order)})", t), built(t.shape, element))


@given(tols(), st.data())
def test_reshape(t: ToL, data: st.DataObject) -> None:
    """reshape(t,shape): Π(t;1,…,1), Π(t;1,…,2), …, the last coordinate fastest, at the coordinates of the new shape."""
    volume = math.prod(t.shape)
    first = data.draw(st.sampled_from([d for d in range(1, volume + 1) if volume % d == 0]))
    goal = data.draw(st.sampled_from([(volume,), (first, volume // first), (first, 1, volume // first)]))
    place = dict(zip(coordinates(goal), coordinates(t.shape), strict=True))
    assert equal(language(f"reshape(t, {list(goal)})", t), built(goal, lambda here: member(t, place[here])))


@given(tols())
def test_tile(t: ToL) -> None:
    """tile(t): Π′(Π(t;1,…,1),1) ⋈̄ Π′(Π(t;1,…,1),2) ⋈̄ ⋯ Π′(Π(t;1,…,dₙ),k) at each coordinates of the others."""

    def element(here: Coordinates) -> ToL:
        lists = [member(t, (*here, last)) for last in range(1, t.shape[-1] + 1)]
        return functools.reduce(join_list, [member_prime(one, j) for one in lists for j in range(1, t.capacity + 1)])

    numbers = ",".join(str(n) for n in t.shape)
    spaces = ",".join(str(one.space) for one in t.spaces)
    program = compiled(f"tol t: [{spaces}] [{numbers}]\nr := tile(t)")
    assert equal(program.run(program.job((t,), {}))["r"], built(t.shape[:-1], element))


@given(tols(("R",), 1), st.sampled_from(["sqrt", "sgn", "floor", "exp"]))
def test_map(t: ToL, function: str) -> None:
    """map(t,f) = Ξ(⋯Ξ(Λ(f,t[1,…,1])) ⋈ Ξ(Λ(f,t[2,1,…])) ⋈ ⋯)."""
    assert equal(language(f"map(t, {function})", t), built(t.shape, lambda c: lambda_of(function, [member(t, c)])))


@given(tols(("Z", "R"), 1), st.sampled_from(["add", "sub", "max", "mul", "div"]))
def test_reduce(t: ToL, function: str) -> None:
    """reduce(t,f,i) = Λ(f,⋯Λ(f,Λ(f,i,t[1,1,…]),t[2,1,…])⋯,t[d₁,d₂,…]): the first coordinate runs fastest."""
    start = ToL.of(1.5)
    whole = t.spaces[0].space.root == "Z"
    if whole and function == "mul":
        function = "min"
    state = start
    for reverse in coordinates(t.shape[::-1]):
        state = lambda_of(function, [state, member(t, reverse[::-1])])
    name = f"(s, x) -> {function}(s, x)" if function in ("sub", "div") else function
    assert equal(language(f"reduce(t, {name}, 1.5)", t), state)


def test_all_thirteen_are_here() -> None:
    """Each primitive of section 5 of the language has a test in this module."""
    rows = [
        "function",
        "shape",
        "dimension",
        "capacity",
        "volume",
        "space",
        "convert",
        "part",
        "swap",
        "reshape",
        "tile",
        "map",
        "reduce",
    ]
    tests = " ".join(name for name in globals() if name.startswith("test_"))
    assert len(rows) == 13
    assert all(row in tests for row in rows)
