"""Theorem One, as far as it can be executed: no atom is a composition of the other four.

For each atom there is a property of ToLs that the other four keep and the atom breaks, so no composition of the four,
however long, gives what the atom gives.  Each test states the property, sees by generated values that the four keep it
(the induction step), and looks at every composition of the four up to a bound (as a check on the argument itself).

The paper's arguments are short and in places too short: norm gives vectors, not numerics, and for vectors up to a given
length the other four can tell their lengths.  The docstrings say how the theorem holds all the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tolang.ground.reporting.diagnostics import ToLangError
from tolang.ground.values.values import ToL
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

Unary = Callable[[ToL], Iterable[ToL]]
FUNCTIONS = ("add", "mul", "sub", "max", "cos")


def real(data: Any) -> ToL:
    return ToL.of(np.asarray(data, dtype=float))


def lambdas(values: list[ToL]) -> Iterable[ToL]:
    numerics = [one for one in values if not one.shape and one.capacity == 1]
    for function in FUNCTIONS:
        for arguments in itertools.product(numerics, repeat=1 if function == "cos" else 2):
            yield lambda_of(function, list(arguments))


def norms(values: list[ToL]) -> Iterable[ToL]:
    for one in values:
        for found in (norm(one), norm_prime(one)):
            yield ToL([found.columns[0].astype(float)], real(0).spaces)


def members(values: list[ToL]) -> Iterable[ToL]:
    for one in values:
        for index in np.ndindex(one.shape):
            yield member(one, [k + 1 for k in index])
        for position in range(1, one.capacity + 1):
            yield member_prime(one, position)


def joins(values: list[ToL]) -> Iterable[ToL]:
    for one, two in itertools.product(values, repeat=2):
        for function in (join, join_list):
            try:
                yield function(one, two)
            except ToLangError:
                continue


def embeds(values: list[ToL]) -> Iterable[ToL]:
    return map(embed, values)


ATOMS = {"lambda": lambdas, "norm": norms, "member": members, "join": joins, "embed": embeds}


def closure(values: list[ToL], without: str, depth: int, most: int = 60) -> list[ToL]:
    """What the other four atoms make of some values in so many steps; at most so many new values a step and atom."""
    found = {_key(one): one for one in values}
    for _ in range(depth):
        known = list(found.values())
        for name, atom in ATOMS.items():
            if name != without:
                for made in itertools.islice(atom(known), most):
                    found.setdefault(_key(made), made)
    return list(found.values())


def _key(value: ToL) -> Any:
    return value.shape, value.capacity, repr(value.to_list())


tols = st.builds(
    lambda array, capacity: ToL([array] * capacity, real(0).spaces * capacity),
    hnp.arrays(float, hnp.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=3), elements=st.integers(-9, 9)),
    st.integers(1, 2),
)


def test_lambda_is_no_composition_of_the_others() -> None:
    """F(a,b) = a+b.

    Property: every numeric is one of a and b, or a whole number.  Norm gives whole numbers; member, join and embed only
    move numerics.  With a = 1/4 and b = 1/2 the sum 3/4 has not the property.
    """
    given_ones = [real(0.25), real(0.5)]

    def allowed(t: ToL) -> bool:
        return all(bool(np.all((c == 0.25) | (c == 0.5) | (c % 1 == 0))) for c in t.columns)

    reached = closure(given_ones, "lambda", depth=4)
    assert len(reached) > 150
    assert all(allowed(one) for one in reached)
    total = lambda_of("add", given_ones)
    assert not allowed(total)
    assert _key(total) not in {_key(one) for one in reached}


@given(st.lists(tols, min_size=1, max_size=3))
def test_only_lambda_makes_new_numerics(values: list[ToL]) -> None:
    """The step of the induction for lambda, on any ToLs."""
    numbers = {float(x) for one in values for c in one.columns for x in c.reshape(-1)}
    for name in ("member", "join", "embed"):
        for made in itertools.islice(ATOMS[name](values), 200):
            assert {float(x) for c in made.columns for x in c.reshape(-1)} <= numbers
    for made in norms(values):
        assert all(np.all(c % 1 == 0) for c in made.columns)


def related(one: ToL, two: ToL, bound: int) -> bool:
    """Whether two ToLs look alike to whoever reads coordinates up to a bound: see the test below."""
    if one.dimension != two.dimension or one.capacity != two.capacity:
        return False
    if any(a != b and min(a, b) <= bound for a, b in zip(one.shape, two.shape, strict=True)):
        return False
    seen = tuple(slice(0, bound) for _ in one.shape)
    return all(np.array_equal(a[seen], b[seen]) for a, b in zip(one.columns, two.columns, strict=True))


def test_norm_is_no_composition_of_the_others() -> None:
    """F(v) = ‖v‖ for v in [0], [0,0], [0,0,0], …

    The paper says that the others give only zeros.  But cos(0) is 1, and Π(v ⋈ 1; 2) then tells [0] from longer ones, so
    the others do see lengths, up to a bound.  What holds: a composition is finite, so it names coordinates up to
    some bound M only, and gives the same on any two vectors longer than M, while ‖v‖ does not.

    Property of pairs, one made from v and one in the same way from a longer w: each length is the same in both or
    beyond M in both, and at coordinates up to M they have the same elements.  Lambda and member give the same numeric
    for both; embed appends a length of 1; join reads, at a coordinate up to M, the same side at the same place.
    """
    bound = 3
    for lengths in [(4, 5), (4, 9)]:
        first, second = (real(np.zeros(n)) for n in lengths)
        pairs: dict[str, tuple[ToL, ToL]] = {"v": (first, second)}
        for step in range(3):
            for name, made in itertools.islice(_parallel(pairs, bound), 60):
                assert related(*made, bound), (step, name)
                pairs.setdefault(name, made)
        numerics = [pair for pair in pairs.values() if not pair[0].shape]
        assert len(numerics) > 2
        assert all(np.array_equal(a.columns[0], b.columns[0]) for a, b in numerics)
        assert not related(norm(first), norm(second), bound)


def _parallel(pairs: dict[str, tuple[ToL, ToL]], bound: int) -> Iterable[tuple[str, tuple[ToL, ToL]]]:
    """One step of the four atoms without norm, done to both of each pair in the same way."""
    listed = list(pairs.items())
    for name, (one, two) in listed:
        yield f"embed {name}", (embed(one), embed(two))
        if not one.shape:
            yield f"cos {name}", (lambda_of("cos", [one]), lambda_of("cos", [two]))
        for index in itertools.islice(np.ndindex(one.shape), 40):
            place = [k + 1 for k in index]
            if max(place, default=1) <= bound:
                yield f"{name}{place}", (member(one, place), member(two, place))
    for (left, first), (right, second) in itertools.product(listed, repeat=2):
        if not first[0].shape and not second[0].shape:
            yield (
                f"({left}+{right})",
                (lambda_of("add", [first[0], second[0]]), lambda_of("add", [first[1], second[1]])),
            )
        try:
            yield f"({left} join {right})", (join(first[0], second[0]), join(first[1], second[1]))
        except ToLangError:
            continue


@given(hnp.arrays(float, hnp.array_shapes(min_dims=1, max_dims=2, min_side=1, max_side=6), elements=st.integers(0, 3)),
       st.integers(1, 4), st.integers(1, 4))  # fmt: skip
def test_join_keeps_what_hides_long_lengths(array: np.ndarray[Any, Any], bound: int, more: int) -> None:
    """The step of the induction for join: a longer and a shorter first part, both beyond the bound, look alike joined."""
    long = np.concatenate([np.tile(array[..., :1], bound + 1), array], axis=-1)
    longer = np.concatenate([np.tile(array[..., :1], bound + 1 + more), array], axis=-1)
    assert related(real(long), real(longer), bound)
    assert related(join(real(long), real(array)), join(real(longer), real(array)), bound)
    assert related(join(real(array), real(long)), join(real(array), real(longer)), bound)


def test_member_is_no_composition_of_the_others() -> None:
    """F(v) = v[1]+v[2]+v[3]+v[4] for v = [1,2,3,4].

    Property of pairs, made in the same way from two vectors of one shape: they have one shape, and are equal if they
    are numerics.  Lambda takes numerics only, which are equal; norm sees shapes only; join and embed give no numeric.  So
    every numeric made without member is the same for [1,2,3,4] and [5,6,7,8], and their sums are not.
    """
    pairs = {"v": (real([1, 2, 3, 4]), real([5, 6, 7, 8]))}
    for _ in range(3):
        for name, made in itertools.islice(_without_member(pairs), 80):
            assert made[0].shape == made[1].shape
            assert made[0].shape or np.array_equal(made[0].columns[0], made[1].columns[0])
            pairs.setdefault(name, made)
    assert any(not a.shape for a, _ in pairs.values())
    total: list[ToL] = []
    for v in pairs["v"]:
        one, two, three, four = (member(v, [k]) for k in (1, 2, 3, 4))
        total.append(lambda_of("add", [one, lambda_of("add", [two, lambda_of("add", [three, four])])]))
    assert [one.item() for one in total] == [10, 26]


def _without_member(pairs: dict[str, tuple[ToL, ToL]]) -> Iterable[tuple[str, tuple[ToL, ToL]]]:
    listed = list(pairs.items())
    for name, pair in listed:
        first, second = ([one] for one in pair)
        for atom in (norms, embeds):
            for number, made in enumerate(zip(atom(first), atom(second), strict=True)):
                yield f"{atom.__name__}{number} {name}", made
        if not pair[0].shape and pair[0].capacity == 1:
            yield f"cos {name}", (lambda_of("cos", [pair[0]]), lambda_of("cos", [pair[1]]))
    for (left, a), (right, b) in itertools.product(listed, repeat=2):
        if not a[0].shape and not b[0].shape and a[0].capacity == b[0].capacity == 1:
            yield f"({left}+{right})", (lambda_of("add", [a[0], b[0]]), lambda_of("add", [a[1], b[1]]))
        for function in (join, join_list):
            try:
                yield f"({left} {function.__name__} {right})", (function(a[0], b[0]), function(a[1], b[1]))
            except ToLangError:
                continue


def test_join_is_no_composition_of_the_others() -> None:
    """F(t₁,t₂) = t₁ ⋈ t₂ for vectors t₁ and t₂.

    The paper says that lambda, norm and member give numerics; but ‖Ξ(Ξ(t))‖ is a vector of three.  What holds: take
    [1/4] and [1/2].  Property: a ToL has one numeric in all, or only whole numbers.  Lambda and member give one
    numeric, norm whole numbers, and embed keeps the numerics that are there.  [1/4,1/2] has not the property, nor has the
    list (1/4,1/2).
    """
    given_ones = [real([0.25]), real([0.5])]

    def allowed(t: ToL) -> bool:
        return t.volume == 1 or all(bool(np.all(c % 1 == 0)) for c in t.columns)

    reached = closure(given_ones, "join", depth=4)
    assert len(reached) > 40
    assert any(one.volume > 1 for one in reached)
    assert all(allowed(one) for one in reached)
    for target in (join(*given_ones), join_list(*given_ones)):
        assert not allowed(target)
        assert _key(target) not in {_key(one) for one in reached}


def test_embed_is_no_composition_of_the_others() -> None:
    """F(t) = Ξ(t) for a tensor t of n dimensions, n ≥ 1.

    Property: at most n dimensions.  Lambda gives numerics, norm at most a vector, member a list or what it had, and join
    keeps the dimensions (of numerics it makes a vector).
    """
    for t in (real([1, 2]), real([[1, 2], [3, 4]])):
        reached = closure([t, real(5)], "embed", depth=4)
        assert len(reached) > 100
        assert all(one.dimension <= t.dimension for one in reached)
        assert embed(t).dimension == t.dimension + 1


@given(st.lists(tols, min_size=1, max_size=3))
def test_only_embed_adds_a_dimension(values: list[ToL]) -> None:
    """The step of the induction for embed, on any ToLs."""
    most = max(1, *(one.dimension for one in values))
    for name in ("lambda", "norm", "member", "join"):
        assert all(made.dimension <= most for made in itertools.islice(ATOMS[name](values), 200))
