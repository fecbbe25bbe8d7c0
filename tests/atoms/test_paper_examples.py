"""Examples 3 and 4 of the paper: the atoms one by one, and the product of two matrices as a composition of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.ground.reporting.diagnostics import ToLangRunError
from tolang.ground.values.values import ToL
from tolang.program.atoms import run_atoms
from tolang.readings.atoms import ASCII, evaluate, expand, write, write_term
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
from tolang.readings.atoms.terms import ConstantTerm, FunctionTerm, InputTerm, MemberTerm, Term, count

PRODUCT = """
tol a: R [n,k]
tol b: R [k,m]
f := map(tol[n,m], reduce(map(a[i], mul(*, b[*,j])), add, 0), [i,j])
"""
WRITTEN_OUT = """
tol a: R [2,2]
tol b: R [2,2]
f := map(tol[2,2], a[i,1]*b[1,j] + a[i,2]*b[2,j], [i,j])
"""


def tol(data: Any) -> ToL:
    return ToL.of(data)


def test_lambda() -> None:
    """Λ(+,e₁,c₁), Λ(×,e₁,e₂), Λ(arcsin,e₁)."""
    e1, e2 = tol(0.5), tol(3.0)
    assert lambda_of("add", [e1, tol(2)]).item() == 2.5
    assert lambda_of("mul", [e1, e2]).item() == 1.5
    assert lambda_of("asin", [e1]).item() == pytest.approx(np.pi / 6, rel=1e-15)


def test_lambda_is_exact_on_fractions_and_long_integers() -> None:
    third = ToL.of(Fraction(1, 3), tolang.compile("tol q: Q\nr := q").inputs["q"].columns)
    assert lambda_of("add", [third, third]).item() == Fraction(2, 3)
    assert lambda_of("mul", [tol(2**40), tol(2**20)]).item() == 2**60
    with pytest.raises(ToLangRunError, match="E505"):
        lambda_of("mul", [tol(2**40), tol(2**40)])


def test_lambda_takes_numerics_only() -> None:
    with pytest.raises(ToLangRunError):
        lambda_of("add", [tol([1, 2]), tol(1)])


def test_norm() -> None:
    """‖[(1,1.),(2,2.),(3,3.)]‖ = 3, a vector of one here (errata), and ‖…‖′ = 2; ‖(‖t‖)‖ is the dimension."""
    t = tol([(1, 1.0), (2, 2.0), (3, 3.0)])
    assert norm(t).to_list() == [3]
    assert norm_prime(t).item() == 2
    assert norm(norm(tol(np.zeros((4, 5))))).to_list() == [2]


def test_member() -> None:
    """t = [[1,2],[3,4]], t[2,2] = 4; Π′ takes a component and keeps the shape."""
    t = tol([[1, 2], [3, 4]])
    assert member(t, [2, 2]).item() == 4
    assert member_prime(tol([(1, 1.5), (2, 2.5)]), 2).to_list() == [1.5, 2.5]
    for outside in ([0, 1], [3, 1], [1, 3]):
        with pytest.raises(ToLangRunError, match="E513"):
            member(t, outside)


def test_join() -> None:
    """[1,2,3] ⋈ [1,2] = [1,2,3,1,2], so the second case of the definition reads a-d; (3,0.14) ⋈̄ 3.2 = (3,0.14,3.2)."""
    joined = join(tol([1, 2, 3]), tol([1, 2]))
    assert joined.to_list() == [1, 2, 3, 1, 2]
    assert [member(joined, [a]).item() for a in (4, 5)] == [1, 2]
    assert join_list(tol((3, 0.14)), tol(3.2)).item() == (3, 0.14, 3.2)
    assert join(tol(1), tol(2)).to_list() == [1, 2]


def test_join_extends_the_last_dimension() -> None:
    one, two = np.arange(6).reshape(2, 3), np.arange(2).reshape(2, 1)
    assert np.array_equal(join(tol(one), tol(two)).columns[0], np.concatenate([one, two], axis=1))
    with pytest.raises(ToLangRunError, match="E510"):
        join(tol(one), tol(np.zeros((3, 3), dtype=int)))
    with pytest.raises(ToLangRunError, match="E504"):
        join(tol(one), tol(two.astype(float)))


def test_embed() -> None:
    """Ξ([1,2,3]) = [[1],[2],[3]]."""
    assert embed(tol([1, 2, 3])).to_list() == [[1], [2], [3]]
    assert embed(tol(5)).to_list() == [5]


def test_matrix_product_is_written_as_in_example_four() -> None:
    """The elements as the paper has them; the last line joins along the first dimension first, as the errata ask."""
    terms = expand(tolang.compile(WRITTEN_OUT).core, {})
    assert write({"f": terms[0]}).split("\n") == [
        "f[1,1] = Λ(+, Λ(×, a[1,1], b[1,1]), Λ(×, a[1,2], b[2,1]))",
        "f[1,2] = Λ(+, Λ(×, a[1,1], b[1,2]), Λ(×, a[1,2], b[2,2]))",
        "f[2,1] = Λ(+, Λ(×, a[2,1], b[1,1]), Λ(×, a[2,2], b[2,1]))",
        "f[2,2] = Λ(+, Λ(×, a[2,1], b[1,2]), Λ(×, a[2,2], b[2,2]))",
        "f = Ξ(f[1,1] ⋈ f[2,1]) ⋈ Ξ(f[1,2] ⋈ f[2,2])",
    ]


def test_matrix_product_has_as_many_lambdas_as_its_eops() -> None:
    """2·n·k·m of them: a product and a sum for each of n·k·m, the initial 0 included, as Table 4 writes reduce."""
    terms = expand(tolang.compile(PRODUCT).core, {"n": 2, "k": 3, "m": 4})
    assert count(terms) == {"lambda": 48, "norm": 0, "member": 6 + 12, "join": 4 + 3, "embed": 4}
    first = write({"f": terms[0]}).split("\n")[0]
    assert first.startswith("f[1,1] = Λ(+, Λ(+, Λ(+, 0.0, Λ(×, a[1,1], b[1,1])), Λ(×, a[1,2], b[2,1])), ")


@pytest.mark.parametrize("shape", [(2, 2, 2), (1, 4, 3), (3, 1, 1), (0, 2, 3), (2, 0, 2)])
def test_matrix_product_of_atoms_is_numpys(shape: tuple[int, int, int]) -> None:
    n, k, m = shape
    a, b = np.arange(n * k).reshape(n, k) / 4, np.arange(k * m).reshape(k, m) - 2.0
    values = run_atoms(PRODUCT, inputs={"a": a, "b": b}).values["f"]
    assert isinstance(values, ToL)
    assert values.shape == (n, m)
    assert np.array_equal(values.columns[0], a @ b)


def test_transpose_would_come_out_if_built_as_theorem_two_says() -> None:
    """Erratum 2, seen: joining rows first and embedding them gives the transpose."""
    rows = [[tol(1), tol(2)], [tol(3), tol(4)]]
    as_printed = join(embed(join(*rows[0])), embed(join(*rows[1])))
    assert as_printed.to_list() == [[1, 3], [2, 4]]


def test_ascii_notation() -> None:
    source = "tol t: [Z,R] [n]\nr := map(t, (*)[1]' * 2 + |t|[1])\ns := map(t, (3, iter))"
    terms = expand(tolang.compile(source).core, {"n": 2})
    text = write(dict(zip("rs", terms, strict=True)), ASCII)
    assert text.isascii()
    assert text.split("\n")[0] == "r[1] = Lambda(+, Lambda(*, Pi'(t[1]; 1), 2), Pi(||t||; 1))"
    assert "s[2] = 3 ><' 2" in text


def test_one_term_is_written_on_one_line() -> None:
    x = InputTerm("x", (3,), tol([1.0]).spaces)
    inner: Term = MemberTerm(x, (1,))
    for position in (2, 3):
        inner = FunctionTerm("add", (inner, MemberTerm(x, (position,))))
    assert write_term(inner) == "Λ(+, Λ(+, x[1], x[2]), x[3])"
    assert evaluate([inner], {"x": tol([1.0, 2.0, 4.0])})[0].item() == 7.0
    assert write_term(ConstantTerm(tol(1.5))) == "1.5"
