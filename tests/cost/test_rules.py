"""Every rule of section 6.1 of the paper, and of section 6 of the language: programs whose EOPs are counted by hand."""

from __future__ import annotations

import pytest
from tests.cost.formulas import formula

import tolang

DECLARED = """
tol a: R [n,m]
tol v: R [n]
tol w: R [n]
tol idx: N* [m]
tol pairs: [R,R] [n]
tol x: R
tol s: N*
tol z: N [n]
"""

RULES = [
    ("single_var", "r := v", 0),
    ("a function is the sum of its basic functions", "r := x*2+x/3", 3),
    ("a composite function", "f(t) = map(t, *+1)\ng(t) = map(t, exp(*)*2)\nr := f.g(v)", "n + 2*n"),
    ("a composition of basic functions", "r := map(v, exp.sqrt.neg)", "3*n"),
    ("shape", "r := |map(v, exp)|[1]", 0),
    ("dim", "r := ||(v*2)||", 0),
    ("capacity", "r := |(v*2)|'", 0),
    ("vol", "r := vol(v*2)", 0),
    ("space", "r := space(v)", 0),
    ("convert", "r := convert(v*2, [C])", "n"),
    ("part, a member", "r := (v*2)[1]", "n"),
    ("part, a range", "r := part(v*2, [1], [2])", "n"),
    ("part'", "r := (v*2, w*3)[1]'", "2*n"),
    ("part' of a definition", "t = (v*2, w*3)\nr := t[1]'", "2*n"),
    ("swap", "r := swap(v*2, 1, map(tol[n], n+1-iter))", "n"),
    ("reshape", "r := reshape(v*2, [1,n])", "n"),
    ("tile", "r := tile([[v[1]*2, v[1]]])", 1),
    ("map: vol(var)*EOPs(func)+EOPs(var)", "r := map(map(a, exp), *+1)", "m*n + m*n"),
    ("map with names", "r := map(a, *+v[i], [i,j])", "m*n"),
    ("map of a function of the coordinates", "r := map(v, (e,i) -> e*w[i])", "n"),
    ("reduce: vol(var)*EOPs(func)+EOPs(var)+EOPs(var_0)", "r := reduce(map(v, exp), add, x*2)", "n + n + 1"),
    ("reduce of a user's function", "r := reduce(v, (t,e) -> t*2+e, 0)", "2*n"),
    ("reduce over two dimensions", "r := reduce(a, max, -Inf)", "m*n"),
    ("lists count per component", "r := pairs*2", "2*n"),
    ("a fold of lists", "r := reduce(pairs, (t,e) -> t+e, (0.0,0.0))", "2*n"),
    ("elementwise over equal shapes", "r := v*w+1", "2*n"),
    ("numerics extend", "r := a*x", "m*n"),
    ("joining moves", "r := [v, w*2, 1]", "n"),
    ("embedding moves", "r := (v, w*2)", "n"),
    ("rand is a basic function", "r := map(v, rand(2)+*)", "2*n"),
    ("logarithm to a base is one", "r := map(v, log(*,2))", "n"),
    ("signed literals are literals", "r := map(v, *+(-3)) + (-0.5)", "2*n"),
    ("a minus sign on data is not", "r := map(v, -*)", "n"),
]


@pytest.mark.parametrize(("rule", "program", "eops"), RULES, ids=[rule for rule, _, _ in RULES])
def test_rule_of_the_paper(rule: str, program: str, eops: str | int) -> None:
    assert tolang.compile(DECLARED + program).cost().eops == formula(eops)


FREE = [
    ("coordinates", "r := map(tol[n], v[n+1-i], i)", 0),
    ("a padding's condition", "r := map(tol[n+2], if (i >= 2) and (i <= n+1) then v[i-1] else 0, i)", 0),
    ("lengths", "r := tol[2*n+1, n/2]", 0),
    (
        "a comparison of coordinates as a value is not free",
        "r := map(a, if * > 0 then i == j else false, [i,j])",
        "2*m*n",
    ),
    ("a coordinate as a value is not free", "r := map(v, *+(i-1)*2, i)", "3*n"),
    ("a static definition used as a coordinate", "k = n-1\nr := v[k]", 0),
    ("a static definition used as a value counts once", "k = n*2\nr := map(v, *+k)", "n + 1"),
    ("a static definition used as both counts once", "k = n-1\nr := map(v, *+v[k]+k)", "2*n + 1"),
    ("a static definition that only a free one uses", "k = n-1\nj = k/2\nr := v[j+1]", 0),
    ("through a call", "f(t,i) = t[i*2-1]\nr := f(v, n/2)", 0),
    ("an argument used as a value, through a call", "f(t,k) = map(t, *+k)\nr := f(v, n+1)", "n + 1"),
    ("numerics among the inputs are no elements", "r := map(tol[n/s], v[(i-1)*s+1], i)", 0),
    ("a coordinate that reads an element", "r := map(idx, v[*+1])", "m"),
    ("a coordinate that reads an element, through a floor", "r := map(v, v[floor(*)+1])", "2*n"),
    ("operands of what counts count", "r := map(idx, v[*+(n-1)*2])", "3*m"),
    ("a length that reads an element", "r := map(tol[z[1]*2+1], 1)", 2),
    ("a condition that reads an element", "r := map(v, if * > 0 then 1 else 2)", "n"),
    ("a random coordinate reads nothing", "r := v[1+rand(n)]", 0),
    ("elements that are only coordinates", "order = map(tol[n], n+1-iter)\nr := map(tol[n], v[order[i]], i)", 0),
    ("elements that are coordinates and values", "order = map(tol[n], n+1-iter)\nr := map(order, v[*]+*)", "3*n"),
    ("a function that only running knows", "r := reduce(tol[log(n,2)+1], (t,e) -> t, 0)", 0),
]


@pytest.mark.parametrize(("rule", "program", "eops"), FREE, ids=[rule for rule, _, _ in FREE])
def test_what_is_free(rule: str, program: str, eops: str | int) -> None:
    assert tolang.compile(DECLARED + program).cost().eops == formula(eops)


FURTHER = [
    ("an if on data counts condition and both branches", "r := map(v, if * > 0 then exp(*) else *+1)", "3*n"),
    ("an if on coordinates counts both branches", "r := map(v, if i > 3 then exp(*) else *+1, i)", "2*n"),
    ("a static if counts one branch", "r := if 1 < 2 then v*2 else exp(exp(v))", "n"),
    ("only what the outputs reach", "unused = map(a, exp)\nr := v*2", "n"),
    ("only the parts of a bundle that are used", "f(t) = (t*2, reduce(t,mul,1))\nr := f(v)[2]'", "n"),
    ("and what only these need", "f(t) = { u = t*2; (u, reduce(exp(u),add,0)) }\nr := map(a, f(v)[1]'[1])", "m*n*n"),
    ("shared definitions once", "k = exp(v)\nr := k+k", "n + n"),
    ("arguments once", "f(t) = t+t\nr := f(exp(v))", "n + n"),
    ("the element of a map once", "r := map([n+1,n], * * *)", 3),
    ("a fold repeats its step", "r := reduce(tol[10], (t,e) -> t*2+1, v)", "20*n"),
    ("an until-loop counts its bound", "r := reduce(tol[m], (t,e) -> if t < 100 then t*2 else t, 1)", "2*m"),
    ("a length that grows with the steps", "r := reduce(v, (t,e) -> [t, reduce(t,add,0)+e], [1])", "n*(n+1)/2 + n"),
    ("extents that depend on coordinates", "r := map(v, reduce(v[1:i], add, 0), i)", "n*(n+1)/2"),
    ("extents that do so twice", "r := map(a, reduce(a[1:i,1:j], add, 0), [i,j])", "n*(n+1)*m*(m+1)/4"),
    ("a sum without closed form", "r := map(v, reduce(v[1:i/2], add, 0), i)", "sum(i//2 for i in range(1, n+1))"),
    ("what is not there is not counted", "r := map(tol[m], if i <= n then reduce(v[i:n], add, 0) else 0, i)",
     "sum(max(0, n-i+1) for i in range(1, m+1))"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "program", "eops"), FURTHER, ids=[rule for rule, _, _ in FURTHER])
def test_rule_of_the_language(rule: str, program: str, eops: str) -> None:
    cost = tolang.compile(DECLARED + program).cost()
    for n in (1, 2, 5, 8):
        for m in (1, 3, 4):
            expected = eval(str(eops), {"n": n, "m": m})
            assert cost(n=n, m=m) == expected, (n, m)


def test_a_condition_on_sizes_is_a_case_distinction() -> None:
    program = tolang.compile("tol v: R [n]\nr := if n > 3 then map(v, exp) else v*2+1")
    cost = program.cost()
    assert str(cost.eops) == "(if n >= 4 then n else 2*n)"
    assert [cost(n=n) for n in (2, 3, 4, 10)] == [4, 6, 4, 10]
    assert program.cost(n=3).by_function == {"mul": 3, "add": 3}
    assert program.cost(n=4).by_function == {"exp": 4}


def test_by_function_and_by_definition() -> None:
    program = tolang.compile(
        "tol v: R [n]\nsquare(x) = x*x\nlength(u) = sqrt(reduce(map(u, square(*)), add, 0))\nr := v/length(v)"
    )
    cost = program.cost()
    assert {name: str(count) for name, count in cost.by_function.items()} == {
        "mul": "n",
        "add": "n",
        "sqrt": "1",
        "div": "n",
    }
    found = {name: (str(d.evaluations), str(d.eops), str(d.own)) for name, d in cost.by_definition.items()}
    assert found == {"r": ("1", "3*n + 1", "n"), "length": ("1", "2*n + 1", "n + 1"), "square": ("n", "n", "n")}


def test_own_costs_of_definitions_add_up() -> None:
    source = (
        "tol a: R [n,n]\nsoft(x) = { e = map(x, exp); map(e, */reduce(e,add,0)) }\nr := map(tol[n], soft(a[i])[i], i)"
    )
    cost = tolang.compile(source).cost()
    assert sum(cost.at(n=7).by_definition[name].own for name in cost.by_definition) == cost(n=7)
    assert set(cost.by_definition) == {"r", "soft", "soft.e"}
    assert cost.by_definition["soft.e"].evaluations == formula("n")


def test_a_definition_that_gives_a_filter_or_a_bundle_is_listed() -> None:
    source = """
    tol v: R [n]
    positive(t) = reduce(t, (s,x) -> if x > 0 then [s,x] else s, tol[0])
    both(t) = { u = t*2; (u, reduce(u,add,0)) }
    kept := positive(v)
    step(s, x) = { h = s[1]'*x; (h, s[2]'+1) }
    r := reduce(v, step, (v, 0))
    q := map(v, both([*,1])[2]')
    """
    found = {name: str(d.evaluations) for name, d in tolang.compile(source).cost().by_definition.items()}
    assert found["positive"] == "1"
    assert found["step"] == "n"
    assert found["both"] == "n"
    assert found["step.h"] == "n"


def test_shared_bodies_are_counted_at_the_sizes_of_each_call() -> None:
    source = """
    tol a: R [n,k]
    tol b: R [k,m]
    mul2(x,y) = map(tol[|x|[1],|y|[2]], reduce(map(x[i], * * y[*,j]), add, 0), [i,j])
    p = mul2(a,b)
    r := mul2(p, map(tol[m,n], p[j,i], [i,j]))
    """
    cost = tolang.compile(source).cost()
    assert cost.eops == formula("2*n*k*m + 2*n*m*n")
    assert cost.by_definition["mul2"].evaluations == 2
