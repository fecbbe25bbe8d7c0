"""Programs written out in atoms: branches, lengths from data, exact numbers, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.ground.reporting.diagnostics import ToLangRunError, ToLangUsageError
from tolang.ground.values.spaces import Column, Space
from tolang.ground.values.values import ToL
from tolang.program.atoms import run_atoms
from tolang.program.sampling import sample_inputs
from tolang.readings.atoms import evaluate, expand
from tolang.readings.atoms.terms import FunctionTerm, MemberTerm, NormTerm, count, walk


def results(source: str, **data: Any) -> dict[str, Any]:
    """The exported values, as Python data, by atoms alone."""
    found = run_atoms(source, inputs=data).values
    return {name: tuple(v.to_list() for v in one) if isinstance(one, tuple) else one.to_list() for name, one in found.items()}  # fmt: skip


def test_a_branch_that_is_not_taken_may_be_out_of_range() -> None:
    source = "tol x: Z [n]\ntol i: Z [m]\nr := map(i, if (* >= 1) and (* <= |x|[1]) then x[(*)] else 0)"
    assert results(source, x=[7, 8], i=[0, 1, 2, 3])["r"] == [0, 7, 8, 0]


def test_the_term_holds_both_branches() -> None:
    """`if` on data is a member of a join, so one composition serves all data."""
    program = tolang.compile("tol x: R [n]\nr := map(x, if * > 0 then sqrt(*) else 1 - *)")
    terms = expand(program.core, {"n": 1})
    assert sorted(one.function for one in walk(terms) if isinstance(one, FunctionTerm)) == ["add", "gt", "sqrt", "sub"]
    for x, y in [(4.0, 2.0), (-4.0, 5.0), (0.0, 1.0)]:
        assert evaluate(terms, {"x": ToL.of(np.array([x]))})[0].to_list() == [y]


def test_an_untaken_branch_may_fail_in_every_way() -> None:
    """Division by zero, overflow, a conversion out of its space, a slice that runs backwards."""
    for failing in ["q/(q-q)", "convert(2^60, [Q])*2^60*0+q", "convert(-1, [Q+])", "reduce(t[3:1], add, q)"]:
        source = f"tol t: Q [2]\ntol q: Q\nr := if q > 0 then {failing} else q\n"
        assert results(source, t=[1, 2], q=Fraction(-1, 3))["r"] == Fraction(-1, 3)


def test_a_taken_branch_that_fails_is_an_error() -> None:
    source = "tol t: R [n]\ntol k: N\nr := if k > 1 then t[k] else 0"
    assert results(source, t=[1.5, 2.5], k=2)["r"] == 2.5
    with pytest.raises(ToLangRunError, match="E513"):
        results(source, t=[1.5, 2.5], k=3)
    backwards = "tol t: R [2]\ntol k: N\nr := if k > 1 then reduce(t[3:1], add, 0) else 0"
    with pytest.raises(ToLangRunError, match="E509"):  # as the interpreter tells it
        results(backwards, t=[1.5, 2.5], k=3)


def test_lengths_from_data() -> None:
    source = """
    tol x: Z [n]
    kept := reduce(x, (s,v) -> if v > 0 then [s,v] else s, tol[0])
    sorted := reduce(x, (s,v) -> { k = reduce(map(s, * <= v), add, 0); [s[1:k], v, s[k+1:]] }, tol[0])
    head := { k = reduce(x, max, 0); x[1:k] }
    """
    assert results(source, x=[3, -1, 2, 0]) == {"kept": [3, 2], "sorted": [-1, 0, 2, 3], "head": [3, -1, 2]}
    assert run_atoms(source, inputs={"x": [3, -1, 2, 0]}).for_data
    with pytest.raises(ToLangUsageError, match="E621"):
        expand(tolang.compile(source).core, {"n": 4})


def test_a_composition_without_lengths_from_data_needs_no_inputs() -> None:
    found = run_atoms("tol x: R [n]\nr := map(x, if * > 0 then * else 0)", {"n": 3})
    assert not found.for_data


def test_a_length_of_an_input_is_its_norm() -> None:
    program = tolang.compile("tol x: R [n]\nr := reduce(x, add, 0) / |x|[1]")
    terms = expand(program.core, {"n": 2})
    norms = [one for one in walk(terms) if isinstance(one, NormTerm)]
    assert len(norms) == 1
    assert evaluate(terms, {"x": ToL.of([1.0, 4.0])})[0].item() == 2.5


def test_arithmetic_on_the_way_to_a_coordinate_is_exact() -> None:
    """(2^62 + 2^62 - 2^63 + 3)/2 floored, which no machine integer or float computes."""
    source = "tol x: Z [n]\ntol k: Z\nr := x[(k + k - 9223372036854775808 + 3)/2]"
    assert results(source, x=[5, 6], k=2**62)["r"] == 5


def test_rationals_and_long_integers_are_exact() -> None:
    values = results("tol q: Q [n]\nr := reduce(q, mul, 1)\ns := floor(convert(10, [Q])^40)", q=[Fraction(1, 3)] * 50)
    assert values["r"] == Fraction(1, 3**50)
    assert values["s"] == 10**40


def test_storages_stay_what_they_are() -> None:
    x = np.array([0.1, 0.2, 0.3], dtype=np.float32)
    value = run_atoms("tol x: R [n]\nr := map(x, * * 2 + 1)", inputs={"x": x}).values["r"]
    assert isinstance(value, ToL)
    assert value.columns[0].dtype == np.float32
    assert np.array_equal(value.columns[0], x * np.float32(2) + np.float32(1))


@pytest.mark.parametrize("length", [0, 2])
def test_a_branch_has_the_storage_of_both(length: int) -> None:
    """Also where it has no elements."""
    source = "tol x: f32 [n]\nr := if n < 3 then x else map(tol[n], convert(i, [R]), i)"
    value = run_atoms(source, inputs={"x": np.ones(length, np.float32)}).values["r"]
    assert isinstance(value, ToL)
    assert value.columns[0].dtype == np.float64


def test_rand_is_the_same_as_in_the_interpreter() -> None:
    source = "tol x: R [n,m]\nr := map(x, rand(2))"
    program = tolang.compile(source)
    x = np.zeros((2, 3))
    for seed in (0, 5):
        value = run_atoms(program, inputs={"x": x}, seed=seed).values["r"]
        assert isinstance(value, ToL)
        drawn = value.columns[0]
        assert np.array_equal(drawn, program(x, seed=seed))
        assert 0 <= drawn.min() < drawn.max() < 2


def test_complex_numbers_split_and_join() -> None:
    source = "tol z: C [n]\nr := convert(z, [R,R])\ns := convert(r, [C])"
    assert results(source, z=[1 + 2j, -3j]) == {"r": [(1.0, 2.0), (0.0, -3.0)], "s": [1 + 2j, -3j]}


def test_lists_named_components_and_bundles() -> None:
    source = """
    list person: [name: S, age: N]
    tol p: person [n]
    ages := p[age]'
    oldest := reduce(p, (s,x) -> if x[age]' > s[2]' then x else s, ('', 0))
    both := reduce(p, (s,x) -> (s[1]' + x[age]', [s[2]', x[name]']), (0, tol[0]))
    """
    people = [("ann", 3), ("bob", 9), ("cy", 5)]
    found = results(source, p=people)
    assert found == {"ages": [3, 9, 5], "oldest": ("bob", 9), "both": (17, ["ann", "bob", "cy"])}


def test_too_large_programs_are_refused() -> None:
    program = tolang.compile("tol x: R [n]\nr := map(x, * + 1)")
    with pytest.raises(ToLangUsageError, match="E620"):
        expand(program.core, {"n": 10**9})
    with pytest.raises(ToLangUsageError, match="E620"):
        expand(program.core, {"n": 100}, limit=150)
    assert count(expand(program.core, {"n": 100}, limit=400))["lambda"] == 100
    with pytest.raises(ToLangUsageError, match="E517"):
        expand(program.core, {})


def test_long_folds_do_not_exhaust_the_stack() -> None:
    x = np.ones(5000)
    found = run_atoms("tol x: R [n]\nr := reduce(x, (s,v) -> s - v, 0)", inputs={"x": x})
    value = found.values["r"]
    assert isinstance(value, ToL)
    assert value.item() == -5000
    assert max(len(line) for line in found.text.split("\n")) < 2000


@pytest.mark.parametrize("space", ["B", "N", "N*", "Z", "Z*", "Z+", "Z-", "Q", "Q*", "Q+", "Q-", "R", "R*", "R+", "R-",
                                   "I", "C", "S", "u8", "i32", "f32", "f16", "bf16", "c64"])  # fmt: skip
def test_sampled_inputs_are_in_their_spaces(space: str) -> None:
    """Binding checks membership, so data that binds is in its space."""
    program = tolang.compile(f"tol x: {space} [n,2]\nr := x")
    for seed in range(5):
        data = sample_inputs(program.core, {"n": 4}, seed=seed)
        assert program(data["x"]).shape == (4, 2)


def test_sampled_inputs_keep_bounds_and_lengths() -> None:
    source = "space p: R [2,3]\nspace q: Z [1000,1001]\ntol k: N\ntol x: p [k]\ntol y: q [n]\nr := x\ns := y"
    program = tolang.compile(source)
    data = sample_inputs(program.core, {"n": 3, "k": 2})
    assert data["k"].item() == 2
    assert all(2 <= one <= 3 for one in data["x"].to_list())
    assert all(1000 <= one <= 1001 for one in data["y"].to_list())


def test_members_read_in_another_space_are_checked() -> None:
    bounded = Column(Space("Z", 0, 3), "u8")
    program = tolang.compile("tol x: Z\nr := x")
    given_x = next(one for one in walk(expand(program.core, {})))
    read = MemberTerm(given_x, (), (bounded,), checked=True)
    assert evaluate([read], {"x": ToL.of(3)})[0].item() == 3
    with pytest.raises(ToLangRunError, match="E501"):
        evaluate([read], {"x": ToL.of(4)})
