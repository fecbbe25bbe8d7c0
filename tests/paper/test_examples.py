"""The paper's examples, declarations, primitives and tables, with the paper's values.

Where the paper contradicts itself, the errata in docs/language.md say what is done; the docstring names the erratum.
"""

from __future__ import annotations

import cmath
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import tolang
from tolang import evaluate
from tolang.ground.values.functions import BY_SIGN, FUNCTIONS

L = "[(1,1.0,1),(2,2.0,2)],[(3,3.0,3),(4,4.0,4)]"


def outputs(source: str, **inputs: Any) -> Any:
    return tolang.compile(source)(**inputs)


def test_example_1() -> None:
    """Example 1: R is a type space; L = Z×R×N*, and the list l = (0,3.0,1) is in L; the numeric 3.14 is a trivial list
    with capacity 1; T = L^(2×2) and t = [[(1,1.0,1),(2,2.0,2)],[(3,3.0,3),(4,4.0,4)]] is in T.
    """
    program = tolang.compile("list L: [Z,R,N*]\ntol l: L\ntol t: L [2,2]\na := l; b := t")
    results = program(l=(0, 3.0, 1), t=[[(1, 1.0, 1), (2, 2.0, 2)], [(3, 3.0, 3), (4, 4.0, 4)]])
    assert results["a"] == (0, 3.0, 1)
    assert results["b"].to_list() == [[(1, 1.0, 1), (2, 2.0, 2)], [(3, 3.0, 3), (4, 4.0, 4)]]
    assert evaluate("|3.14|'") == 1
    assert evaluate(f"[|[{L}]|, |[{L}]|']") == [2, 2, 3]
    with pytest.raises(tolang.ToLangRunError, match="E501"):
        program(l=(0, 3.0, 0), t=[[(1, 1.0, 1)] * 2] * 2)


@pytest.mark.parametrize("n", [1, 3, 8])
def test_example_2(n: int) -> None:
    """Example 2: for real matrices A and B of shape [n,n], F(A,B) = A + B is an elementary computation on ToL."""
    a, b = np.random.default_rng(n).normal(size=(2, n, n))
    assert np.array_equal(outputs("tol A: R [n,n]\ntol B: R [n,n]\nF := A + B", A=a, B=b), a + b)


def test_example_3_norm() -> None:
    """Example 3: ‖[(1,1.),(2,2.),(3,3.)]‖ = 3 and ‖…‖' = 2.  Erratum 5: |v| of a vector is a vector of one, [3]."""
    assert evaluate("|[(1,1.),(2,2.),(3,3.)]|") == [3]
    assert evaluate("|[(1,1.),(2,2.),(3,3.)]|[1]") == 3
    assert evaluate("|[(1,1.),(2,2.),(3,3.)]|'") == 2


def test_example_3_lambda_member_join_embed() -> None:
    """Example 3: Λ(+,e1,c1), Λ(×,e1,e2), Λ(arcsin,e1); t = [[1,2],[3,4]], t[2,2] = 4;
    [1,2,3] ⋈ [1,2] = [1,2,3,1,2]; (3,0.14) ⋈̄ 3.2 = (3,0.14,3.2); Ξ([1,2,3]) = [[1],[2],[3]].
    Erratum 1: the second case of join reads a_n - d_n.
    """
    results = outputs("tol e: R\ntol f: R\na := add(e,2); b := mul(e,f); c := asin(e)", e=0.5, f=0.25)
    assert (results["a"], results["b"], results["c"]) == (2.5, 0.125, math.asin(0.5))
    assert outputs("t = [[1,2],[3,4]]\ny := t[2,2]") == 4
    assert outputs("t = [1,2,3]; u = [1,2]\ny := [t,u]").tolist() == [1, 2, 3, 1, 2]
    assert outputs("l = (3,0.14)\ny := (l,3.2)") == (3, 0.14, 3.2)
    assert outputs("v = [1,2,3]\ny := reshape(v,[|v|,1])").tolist() == [[1], [2], [3]]


def test_example_4() -> None:
    """Example 4: the product of [2,2] matrices a and b from its four elements f11, f12, f21, f22.  Erratum 2: as it
    stands, Ξ(f11⋈f12)⋈Ξ(f21⋈f22) is the transpose; blocks put the elements where the example means them.
    """
    source = """
    tol a: R [2,2]
    tol b: R [2,2]
    f11 = add(mul(a[1,1],b[1,1]), mul(a[1,2],b[2,1]))
    f12 = add(mul(a[1,1],b[1,2]), mul(a[1,2],b[2,2]))
    f21 = add(mul(a[2,1],b[1,1]), mul(a[2,2],b[2,1]))
    f22 = add(mul(a[2,1],b[1,2]), mul(a[2,2],b[2,2]))
    f0 := [[f11,f12],[f21,f22]]
    """
    a, b = np.random.default_rng(4).normal(size=(2, 2, 2))
    np.testing.assert_allclose(outputs(source, a=a, b=b), a @ b, rtol=1e-12)


def test_example_5() -> None:
    """Example 5: space([0,3.0,1]) = [Z,R,N].  Erratum 5: it writes brackets for parentheses."""
    assert evaluate("space((0,3.0,1))") == ["Z", "R", "N"]


def test_example_6() -> None:
    """Example 6: t is an integer matrix, and convert(t,[R]) returns a floating-point matrix with the same values."""
    result = outputs("tol t: Z [n,m]\ny := convert(t,[R])", t=[[1, -2], [3, 4]])
    assert result.dtype == np.float64
    assert result.tolist() == [[1.0, -2.0], [3.0, 4.0]]


def test_example_7() -> None:
    """Example 7: part([[1,2],[3,4]],[2,2]) = 4."""
    assert evaluate("part([[1,2],[3,4]],[2,2])") == 4


def test_example_8() -> None:
    """Example 8: swap([[1,2],[3,4]],1,[2,1]) = [[2,1],[4,3]].  Erratum 6: swap counts dimensions from the last,
    |t|[1] from the first.
    """
    assert evaluate("swap([[1,2],[3,4]],1,[2,1])") == [[2, 1], [4, 3]]
    assert evaluate("swap([[1,2],[3,4]],2,[2,1])") == [[3, 4], [1, 2]]
    assert evaluate("|tol[2,3]|[1]") == 2


def test_example_9() -> None:
    """Example 9: reshape([[1,2],[3,4],[5,6]],[2,3]) = [[1,2,3],[4,5,6]], and
    tile([[(1,'a'),(2,'b')],[(3,'c'),(4,'d')]]) = [(1,'a',2,'b'),(3,'c',4,'d')].
    """
    assert evaluate("reshape([[1,2],[3,4],[5,6]],[2,3])") == [[1, 2, 3], [4, 5, 6]]
    tiled = evaluate("tile([[(1,'a'),(2,'b')],[(3,'c'),(4,'d')]])")
    assert tiled == [(1, "a", 2, "b"), (3, "c", 4, "d")]


def test_tile_of_the_text() -> None:
    """Section 4.2: if ‖t‖ = [4,3,2] and the type list of t is [Z,Q], then ‖tile(t)‖ = [4,3] and its type list is
    [Z,Q,Z,Q].
    """
    source = "tol t: [Z,Q] [4,3,2]\na := |tile(t)|; b := space(tile(t)); c := tile(t)"
    data = [[[(100 * i + 10 * j + k, Fraction(k, 3)) for k in range(2)] for j in range(3)] for i in range(4)]
    results = outputs(source, t=data)
    assert results["a"].tolist() == [4, 3]
    assert results["b"].tolist() == ["Z", "Q", "Z", "Q"]
    assert results["c"].to_list() == [[pair[0] + pair[1] for pair in row] for row in data]


def test_example_10() -> None:
    """Example 10: map([1.,2.,3.],sqrt) = [1.0,1.41,1.73], and reduce([1,2,3,4,5],add,0) = 15."""
    assert [round(x, 2) for x in evaluate("map([1.,2.,3.],sqrt)")] == [1.0, 1.41, 1.73]
    assert evaluate("reduce([1,2,3,4,5],add,0)") == 15


def test_example_11() -> None:
    """Example 11: f1(m) = reduce(m,+,0) and f2(m,r) = map(m,f_r) with f_r(x) = x×r.  Erratum 5: it passes + for add."""
    program = tolang.compile("f1(m) := reduce(m,add,0)\nf2(m,r) := { f_r(x) = x*r; map(m,f_r) }")
    m = np.array([[1.5, 2.0], [3.0, 4.0]])
    assert program.f1(m) == m.sum()
    assert np.array_equal(program.f2(m, np.float64(2.5)), m * 2.5)


def test_plus_for_add_is_refused_kindly() -> None:
    """Example 11 as printed."""
    with pytest.raises(tolang.ToLangSyntaxError, match="E101"):
        evaluate("reduce([[1,2],[3,4]],+,0)")


SPACES = {
    "B": (True, 2), "N": (0, -1), "N*": (1, 0), "Z": (-1, 0.5), "Z*": (-1, 0), "Z+": (1, 0), "Z-": (-1, 0),
    "Q": (Fraction(1, 3), 1j), "Q*": (Fraction(-1, 3), 0), "Q+": (Fraction(1, 3), -1), "Q-": (Fraction(-1, 3), 1),
    "R": (math.pi, 1j), "R*": (-math.pi, 0.0), "R+": (math.pi, -1.0), "R-": (-math.pi, 1.0),
    "I": (2j, 1 + 2j), "C": (1 + 2j, "a"),
}  # fmt: skip
"""The paper's 17 spaces, each with a value inside and one outside."""


def test_there_are_seventeen_spaces() -> None:
    assert len(SPACES) == 17


@pytest.mark.parametrize("space", SPACES)
def test_space_declaration(space: str) -> None:
    """Section 4.1: `space <var>: <space>`, for each of the predefined spaces."""
    inside, outside = SPACES[space]
    program = tolang.compile(f"space mine: {space}\ntol x: mine\ny := x")
    assert program(inside) == inside
    with pytest.raises(tolang.ToLangRunError):
        program(outside)


@pytest.mark.parametrize(
    ("space", "inside", "outside"),
    [
        ("N [0,255]", (0, 255), (-1, 256)), ("Z [-5,5]", (-5, 5), (-6, 6)), ("R [-0.5,0.5]", (-0.5, 0.5), (-0.6, 0.6)),
        ("Q [0,1]", (Fraction(0), Fraction(1)), (Fraction(-1, 9), Fraction(9, 8))),
        ("R+ [0,10]", (1.0, 10.0), (-1.0, 11.0)),
    ],
)  # fmt: skip
def test_bounded_space(space: str, inside: tuple[Any, ...], outside: tuple[Any, ...]) -> None:
    """Section 4.1: `space <var>: <space> [<lower_bound>, <upper_bound>]`, both bounds included."""
    program = tolang.compile(f"space mine: {space}\ntol x: mine\ny := x")
    for value in inside:
        assert program(value) == value
    for value in outside:
        with pytest.raises(tolang.ToLangRunError, match="E501"):
            program(value)


@pytest.mark.parametrize(
    ("declaration", "data"),
    [
        ("list base: R\nlist mine: base", 1.5),
        ("list mine: N", 3),
        ("list mine: [N,R], S", (1, 2.0, "a")),
        ("list mine: [N,R]", (1, 2.0)),
        ("list mine: [count: N, name: S]", (1, "a")),
        ("list pair: [N,R]\nlist mine: [pair,S]", (1, 2.0, "a")),
    ],
)
def test_list_declaration(declaration: str, data: Any) -> None:
    """Section 4.1: `list <var>: <list>`, `list <var>: <space>` and `list <var>: [<space>, …], <space>`.
    Erratum 11: the third format appends its last space; `[<space>, …]` alone is accepted too.
    """
    assert outputs(f"{declaration}\ntol x: mine\ny := x", x=data) == data


@pytest.mark.parametrize(
    ("declaration", "shape"),
    [
        ("R", ()), ("R [3]", (3,)), ("R [2,3]", (2, 3)), ("R [2,1,3,2]", (2, 1, 3, 2)), ("pair", ()),
        ("pair [2,3]", (2, 3)), ("R [n]", (4,)), ("R [n,n]", (3, 3)),
    ],
)  # fmt: skip
def test_tol_declaration(declaration: str, shape: tuple[int, ...]) -> None:
    """Section 4.1: the six formats of `tol <var>: …`, for numeric, vector, matrix, tensor, list and any ToL; a length
    may be a name, too.
    """
    data = np.arange(math.prod(shape), dtype=float).reshape(shape)
    program = tolang.compile(f"list pair: [R,R]\ntol x: {declaration}\na := x; b := |x|; c := |x|'")
    given = (data, -data) if "pair" in declaration else data
    results = program(given)
    assert results["b"].tolist() == list(shape)
    assert results["c"] == (2 if "pair" in declaration else 1)
    assert tolang.ToL.of(results["a"]) == tolang.ToL.of(given)


def test_named_components() -> None:
    source = "list person: [name: S, age: N]\ntol t: person [n]\na := t[age]'; b := t[name]'; c := map(t, *[age]' + 1)"
    results = outputs(source, t=[("Ada", 36), ("Alan", 41)])
    assert results["a"].tolist() == [36, 41]
    assert results["b"].tolist() == ["Ada", "Alan"]
    assert results["c"].tolist() == [37, 42]


PRIMITIVES = {
    "f(v_1,v_2,c_1)": ("f(3,4,5)", 60),
    "f.g.h(v)": ("g.h(4)", 25),
    "shape(<var>)": ("shape([[1,2,3]])", [1, 3]),
    "|<var>|": ("|[[1,2,3]]|", [1, 3]),
    "dim(<var>)": ("dim([[1,2,3]])", 2),
    "dimension(<var>)": ("dimension([[1,2,3]])", 2),
    "||<var>||": ("||[[1,2,3]]||", 2),
    "capacity(<var>)": ("capacity([(1,'a')])", 2),
    "|<var>|'": ("|[(1,'a')]|'", 2),
    "vol(<var>)": ("vol([(1,'a'),(2,'b')])", 4),
    "space(<var>)": ("space([(1,'a')])", ["N", "S"]),
    "convert(<var>,<type_list>)": ("convert([(1,2)],[R,Q])", [(1.0, Fraction(2))]),
    "part(<var>,[a_1,…])": ("part([[1,2],[3,4]],[1,2])", 2),
    "<var>[a_1,…]": ("[[1,2],[3,4]][1,2]", 2),
    "part(<var>,[a_1,…],[b_1,…])": ("part([[1,2,3],[4,5,6]],[1,2],[2,3])", [[2, 3], [5, 6]]),
    "part'(<var>,j)": ("part'([(1,'a'),(2,'b')],2)", ["a", "b"]),
    "<var>[j]'": ("[(1,'a'),(2,'b')][2]'", ["a", "b"]),
    "swap(<var>,<dim>,[x_1,…])": ("swap([[1,2,3]],1,[3,1,2])", [[3, 1, 2]]),
    "reshape(<var>,<shape>)": ("reshape([1,2,3,4],[2,2])", [[1, 2], [3, 4]]),
    "tile(<var>)": ("tile([[1,2],[3,4]])", [(1, 2), (3, 4)]),
    "map(<var>,<func>)": ("map([4,9],sqrt)", [2.0, 3.0]),
    "map(<var>,<func_co>,<iter>)": ("map([4,9],(x,i) -> x*i)", [4, 18]),
    "map(<var>,<expression>,<iter>)": ("map([4,9],add(*,i),i)", [5, 11]),
    "reduce(<var>,<func>,<var_0>)": ("reduce([4,9],sub,1)", -12),
    "reduce(<var>,<func_co>,<var_0>,<iter>)": ("reduce([4,9],(s,x,i) -> s+x*i,0)", 22),
    "reduce(<var>,<func>,<var_0>,<iter>)": ("reduce([4,9],(s,x) -> s+x*i,0,i)", 22),
}
"""The formats of section 4.2; f, g and h are defined below."""


@pytest.mark.parametrize("form", PRIMITIVES)
def test_primitive_form(form: str) -> None:
    """Section 4.2: every format of every primitive.  Erratum 7: reduce's function is f(accumulated, element)."""
    expression, expected = PRIMITIVES[form]
    result = outputs(f"f(a,b,c) = a*b*c\ng(x) = x + 1\nh(x) = x^2\ny := {expression}")
    found = result.to_list() if isinstance(result, tolang.ToL) else np.asarray(result).tolist()
    assert found == expected
    assert type(found) is type(expected)


TABLE_2: dict[str, tuple[tuple[Any, ...], Any]] = {
    "add": ((2.5, 0.5), 3.0), "sub": ((2.5, 0.5), 2.0), "mul": ((2.5, 0.5), 1.25), "div": ((2.5, 0.5), 5.0),
    "mod": ((7, 3), 1), "pow": ((2.5, 2.0), 6.25), "log": ((8.0, 2.0), 3.0), "and": ((True, False), False),
    "or": ((True, False), True), "xor": ((True, True), False), "not": ((True,), False), "lt": ((1.0, 2.0), True),
    "gt": ((1.0, 2.0), False), "eq": ((1.0, 1.0), True), "le": ((1.0, 1.0), True), "ge": ((0.0, 1.0), False),
    "ineq": ((1.0, 1.0), False), "max": ((1.0, 2.0), 2.0), "min": ((1.0, 2.0), 1.0), "sgn": ((-2.5,), -1.0),
    "sin": ((0.5,), math.sin(0.5)), "cos": ((0.5,), math.cos(0.5)), "tan": ((0.5,), math.tan(0.5)),
    "asin": ((0.5,), math.asin(0.5)), "acos": ((0.5,), math.acos(0.5)), "atan": ((0.5,), math.atan(0.5)),
    "sinh": ((0.5,), math.sinh(0.5)), "cosh": ((0.5,), math.cosh(0.5)), "tanh": ((0.5,), math.tanh(0.5)),
    "asinh": ((0.5,), math.asinh(0.5)), "acosh": ((1.5,), math.acosh(1.5)), "atanh": ((0.5,), math.atanh(0.5)),
}  # fmt: skip
"""Table 2 without rand.  Erratum 3: it exchanges the signs of lt and gt."""

MORE = {
    "sqrt": ((2.25,), 1.5), "exp": ((1.0,), math.e), "abs": ((-2.5,), 2.5), "floor": ((-2.5,), -3.0),
    "neg": ((2.5,), -2.5),
}  # fmt: skip
"""Erratum 4: what the paper uses and Table 2 omits."""
OF_TEXT = {"length", "code", "uppercase", "lowercase", "substring", "append_text", "to_number", "to_text"}
"""Ours: what is known of a text, and what is made of it, for the paper has text as numbers alone."""

SIGNS = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod", "^": "pow", "<": "lt", ">": "gt", "<=": "le",
    ">=": "ge", "==": "eq", "!=": "ineq", "and": "and", "or": "or", "xor": "xor",
}  # fmt: skip


def test_table_2_is_the_table_of_functions() -> None:
    assert set(FUNCTIONS) == {*TABLE_2, *MORE, *OF_TEXT, "rand"}
    assert {**SIGNS, "not": "not"} == BY_SIGN


@pytest.mark.parametrize("name", [*TABLE_2, *MORE])
def test_function_by_name(name: str) -> None:
    arguments, expected = (TABLE_2 | MORE)[name]
    names = [f"x{i}" for i in range(len(arguments))]
    kinds = {bool: "B", int: "Z", float: "R"}
    declared = "\n".join(f"tol {n}: {kinds[type(a)]}" for n, a in zip(names, arguments, strict=True))
    result = outputs(f"{declared}\ny := {name}({','.join(names)})", **dict(zip(names, arguments, strict=True)))
    assert result == pytest.approx(expected, rel=1e-14)
    assert isinstance(result.item(), type(expected))


@pytest.mark.parametrize("sign", SIGNS)
def test_function_by_sign(sign: str) -> None:
    arguments, expected = TABLE_2[SIGNS[sign]]
    written = [str(a).lower() for a in arguments]
    assert evaluate(f"{written[0]} {sign} {written[1]}") == pytest.approx(expected)


def test_not_and_minus_by_sign() -> None:
    assert evaluate("not true") is False
    assert evaluate("-(2.5)") == -2.5
    assert evaluate("log(8)") == pytest.approx(math.log(8))


def test_complex_functions() -> None:
    """Table 2 gives add, sub, mul and div on C."""
    a, b = 1 + 2j, 0.5 - 1j
    results = outputs("tol a: C\ntol b: C\np := a+b; q := a-b; r := a*b; s := a/b; t := exp(a)", a=a, b=b)
    assert [results[k] for k in "pqrs"] == pytest.approx([a + b, a - b, a * b, a / b])
    assert results["t"] == pytest.approx(cmath.exp(a))


def test_rand() -> None:
    """Table 2's rand: uniform below its argument, and the same for one seed."""
    program = tolang.compile("tol result = [1000]\nresult := map(result, rand(4))")
    drawn = program(seed=1)
    assert ((drawn >= 0) & (drawn < 4)).all()
    assert abs(drawn.mean() - 2) < 0.2
    assert len(np.unique(drawn)) == 1000
    assert np.array_equal(drawn, program(seed=1))
    assert not np.array_equal(drawn, program(seed=2))


@pytest.mark.parametrize("n", [1, 2, 17])
def test_example_13(n: int) -> None:
    """Example 13: f(x) = a*x+b costs 2.  g(v) = sqrt(v1^2+…+vn^2) costs n for the squares, n-1 for adding and 1 for the
    root, 2*n.  Here the squares are added to 0, so the sum takes n; without that, adding to the first square, n-1.
    """
    program = tolang.compile("tol a: R\ntol b: R\ntol x: R\nf := a*x + b")
    assert program.cost() == 2
    whole = tolang.compile("tol v: R [n]\ng := sqrt(reduce(map(v, *^2), add, 0))")
    assert whole.cost(n=n) == 2 * n + 1
    source = "tol v: R [n]\nsquares = map(v, *^2)\ng := sqrt(reduce(squares[2:], add, squares[1]))"
    assert tolang.compile(source).cost(n=n) == 2 * n
    v = np.random.default_rng(n).normal(size=n)
    assert outputs(source, v=v) == pytest.approx(np.linalg.norm(v), rel=1e-12)


def test_example_14() -> None:
    """Example 14: the product of two [n,n] matrices costs 2*n*n*n, derived step by step."""
    source = """
    tol a: R [n,n]
    tol b: R [n,n]
    tol result = [|a|[1],|b|[2]]
    vec(i,j) = map(a[i],mul(*,b[*,j]))
    elem(i,j) = reduce(vec(i,j),add,0)
    result := map(result,elem(i,j),[i,j])
    """
    cost = tolang.compile(source).cost()
    assert str(cost.eops) == "2*n^3"
    assert [cost(n=n) for n in (1, 2, 10)] == [2, 16, 2000]
    assert {name: str(count) for name, count in cost.by_function.items()} == {"mul": "n^3", "add": "n^3"}
