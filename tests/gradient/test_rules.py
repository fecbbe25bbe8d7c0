"""Every rule of reverse mode on small programs, at several sizes, against central differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.gradient.judging import judge_at_sizes

import tolang

pytestmark = pytest.mark.sampled(3)

SIZES = [{"n": n, "m": m, "k": k} for n, m, k in ((3, 2, 4), (1, 1, 1), (2, 5, 1), (0, 2, 3), (2, 3, 0))]
X = "tol x: R [n,k]\n"
V = "tol v: R [n]\n"

PROGRAMS = {
    "functions": V + "y := map(v, sin(*) * exp(* * 0.5) / (1 + *^2) - log(* + 1)^3 + sqrt(*) % 0.7)",
    "other functions": V + "y := map(v, tan(* / 2) + atan(*) + asin(* / 2) + acos(* / 2) + sinh(*) * cosh(*))",
    "more functions": V + "y := map(v, tanh(*) + asinh(*) + acosh(* + 1) + atanh(* / 2) + abs(* - 1) + sgn(*) + floor(*))",
    "powers": V + "tol w: R [n]\ny := map(v, *^w[*] + log(* + 1, w[*] + 2))",
    "extremes of two": V + "tol w: R [n]\ny := map(v, max(*, w[*]) * min(* * 2, w[*]))",
    "a product": X + "tol w: R [k,m]\ny := map(tol[n,m], reduce(map(x[i], * * w[*,j]), add, 0), [i,j])",
    "a batch of products": "tol a: R [n,2,k]\ntol b: R [n,k,m]\n"
    "y := map(tol[n,2,m], reduce(map(a[i,p], * * b[i,*,q]), add, 0), [i,p,q])",
    "min-plus": X + "tol w: R [k,m]\ny := map(tol[n,m], reduce(map(x[i], * + w[*,j]), min, 9), [i,j])",
    "distances of the nearest": X + "tol w: R [m,k]\n"
    "y := sum(map(tol[n], reduce(map(tol[m], sum((x[i] - w[j])^2), j), min, Inf), i))",
    "an extreme over two": X + "y := reduce(x, max, 0.9)",
    "an extreme inside": X + "y := map(tol[n], exp(reduce(map(x[i], * * v), max, 0.1)), i)\nv = 2",
    "a product of elements": X + "y := map(tol[n], reduce(x[i], mul, 2), i)",
    "a mean": X + "y := map(tol[n], reduce(x[i], add, 0) / (k+1), i)",
    "a difference": V + "y := reduce(v, sub, 1)",
    "a sum of rows": X + "y := reduce(tol[n], (s,e,i) -> s + x[i], tol[k])",
    "a sum of some": V + "y := reduce(v, (s,e) -> if e > 1 then s + e*e else s, 0)",
    "a local value": X + "y := map(tol[n], f(x[i]), i)\nf(r) = { t = reduce(r,add,1); reduce(map(r, * / t), add, 0) * t }",
    "a value outside a loop": X + "y := map(tol[n], f(x[i]), i)\n"
    "f(r) = { t = reduce(map(r,exp),add,1); map(r, * / t + t) }",
    "a diagonal": "tol x: R [n,n]\ny := map(tol[n], x[i,i]^2, i)",
    "one element": "tol x: R [n+1,k+1]\ny := map(tol[n], x[1,k+1] * i, i)",
    "a flip": V + "y := map(v, * * v[n+1-i], i)",
    "neighbours": "tol v: R [n+2]\ny := map(tol[n], v[i]*v[i+1] - v[i+2]^2, i)",
    "a stride": "tol v: R [2*n+3]\ny := map(tol[n], v[2*i+1]^2, i)",
    "windows": "tol v: R [2*n+k]\ntol w: R [k]\ny := map(tol[n], reduce(map(w, * * v[2*i+j-1], j), add, 0), i)",
    "dilated windows": "tol v: R [n+3*k]\ntol w: R [k]\ny := map(tol[n], reduce(map(w, * * v[i+3*j-1], j), add, 0), i)",
    "strided and dilated": "tol v: R [2*n+2*k]\ntol w: R [k]\n"
    "y := map(tol[n], reduce(map(w, * * v[2*i+2*j-2], j), add, 0), i)",
    "mirrored windows": "tol v: R [2*n+k]\ntol w: R [k]\n"
    "y := map(tol[n], reduce(map(w, * * v[2*i-j+k], j), add, 0), i)",
    "padding": V + "y := map(tol[n+4], if (i > 2) and (i <= n+2) then v[i-2]^2 else 1, i)",
    "a remainder": V + "y := map(tol[3*n], v[(i-1)%n+1]^2, i)",
    "a quotient": V + "y := map(tol[3*n], v[(i-1)/3+1]*i, i)",
    "a rolled vector": V + "y := map(v, v[(i+1)%n+1]*i, i)",
    "a clipped coordinate": "tol v: R [n+1]\ny := map(tol[n+3], v[min(i,n+1)]*i, i)",
    "a triangle": "tol x: R [n,n]\ny := map(tol[n], reduce(map(x[i,1:i], * * *), add, 0), i)",
    "a part": X + "y := map(tol[n], reduce(x[i,1:k], add, 0), i)",
    "blocks": V + "tol w: R [m]\ny := map([v, 2, w, v], * * i, i)",
    "blocks of matrices": X + "y := [[x,x],[x*x,x]]",
    "a reshape": X + "y := map(reshape(x, n*k), * * i, i)",
    "lists": V + "tol w: R [n]\ny := map((v, w, v*w), *[1]' * *[3]' + *[2]')",
    "a tile": "tol x: R [n,2]\ny := map(tile(x), *[1]' * *[2]'^2)",
    "a swap": X + "y := swap(x, 1, map(tol[k], k+1-j, j))",
    "a conversion": V + "y := map(v, convert(* * 2, [f64]) * 1.5)",
    "a choice by data": V + "y := map(v, if * > 1 then sqrt(* - 1) else *^2)",
    "rand": V + "y := map(v, rand(* * 2) + i, i)",
    "whole numbers on the way": V + "y := map(v, * * i + floor(*)*(* > 1), i)",
    "coordinates from data": V + "tol c: N [m]\ny := map(c, e -> v[e]^2)",
    "rows by data": X + "tol c: N [m]\ny := map(tol[m], x[c[i]] * i, i)",
    "columns by data": X + "tol c: N [m]\ny := map(tol[n,m], x[i,c[j]] * j, [i,j])",
    "a fold": V + "tol w: R\ny := reduce(v, (s,e) -> s*w + e*s*s*0.1, 0.5)",
    "a fold over two": X + "y := reduce(x, (s,e,c) -> s*e + sin(s)*c[1], 0.5)",
    "a fold inside a map": X + "tol w: R [k]\ny := map(tol[n], reduce(x[i], (s,e,j) -> s*w[j] + e*s, i + 0.5), i)",
    "a fold of vectors": X + "tol w: R [k,k]\n"
    "next(s,i) = map(s, tanh(x[i,j] + reduce(map(s, * * w[j,q], q), add, 0)), j)\n"
    "y := reduce(tol[n], (s,e,i) -> next(s,i), map(tol[k],0.1))",
    "a fold of lists": V + "y := reduce(v, (s,e) -> (s[1]'*e + s[2]', s[2]'*0.5 + e), (0.5,0.1))[1]'",
    "a fold of bundles": V + "tol w: R [k]\n"
    "y := reduce(v, (s,e) -> (s[1]' * e, s[2]' + reduce(s[1]',add,0)), (w, 0.5))[2]'",
    "a running sum": V + "y := cumulative_sum(v)",
    "a scan": V + "tol w: R\ny := scan(v, (s,e) -> s*e + s, w)",
    "a scan of powers": V + "tol w: R [n]\n"
    "y := reduce(v, (s,e,i) -> [s, log(exp(s[i]) + exp(e * w[i])) + sin(w[i]) * w[1]], [0.5])",
    "a table": V + "tol w: R [k]\nnear(a,b,c) = -log(exp(-a) + exp(-b) + exp(-c))\n"
    "row(above, e) = reduce(w, (s,f,j) -> [s, (e-f)^2 + near(above[j], above[j+1], s[j])], [9])\n"
    "y := reduce(v, row, [0, full(k,9)])[k+1]",
    "an append": V + "y := reduce(v, (s,e) -> [s, e * reduce(s,add,1)], [])",
    "a prepend": V + "tol w: R [m]\ny := reduce(v, (s,e) -> [e * reduce(s,add,1), s], w)",
    "an append of rows": X + "y := reduce(tol[n], (s,e,i) -> [[s], [reshape(x[i] * (1 + vol(s)), [1,k])]], tol[0,k])",
    "rows at places": X + "tol c: N [n]\ny := map(tol[n,k], x[c[i],j]^2 * i, [i,j])",
    "a list of vectors as a state": V + "y := reduce(tol[3], (s,e) -> (map(v, * * s[2]'[i], i), s[1]' + s[2]'), (v,v))[1]'",
    "a histogram": V + "tol c: N [n]\ny := reduce(tol[n], (s,e,i) -> put(s, c[i], s[c[i]] + v[i]^2), tol[n])",
    "elements overwritten": V + "tol w: R [n]\ntol c: N [n]\n"
    "y := reduce(tol[n], (s,e,i) -> put(s, c[i], s[c[i]]*v[i] + sin(s[c[i]])), w)",
    "elements replaced": V + "tol w: R [n]\ntol c: N [n]\ny := reduce(tol[n], (s,e,i) -> put(s, c[i], v[i]^2), w)",
    "an append beside a number": V + "y := f(reduce(v, (s,e) -> ([s[1]', s[2]' * e], s[2]' + e), (tol[0], 1)))\n"
    "f(s) = s[2]' * reduce(s[1]',add,1)",
    "elements put into others": V + "y := map(v, [v[1:j-1], 9, v[j+1:]], j)",
    "a sort": V + "y := map(sort(v), * * i, i)",
    "a sort of rows": X + "y := map(sort(x), * * c[2], *c)",
    "a filter": V + "y := reduce(map(filter(v, e -> e > 0.8), * * * * i, i), add, 0)",
    "filters in a map": X + "y := map(tol[n], reduce(map(filter(x[i], e -> e > 0.8), * * *), add, 0), i)",
}  # fmt: skip


def data_for(text: str, sizes: dict[str, int]) -> dict[str, Any]:
    """Whole numbers for the inputs that have them, as coordinates of n."""
    if "tol c: N" not in text:
        return {}
    length = sizes["m"] if "[m]" in text.split("tol c: N")[1].splitlines()[0] else sizes["n"]
    most = sizes["k"] if "x[i,c" in text else sizes["n"]
    return {"c": np.random.default_rng(2).integers(1, most + 1, size=length)} if most else {}


@pytest.mark.parametrize("name", PROGRAMS)
def test_rule(name: str) -> None:
    text = PROGRAMS[name]
    for sizes in SIZES:
        data = data_for(text, sizes)
        if data or "tol c: N" not in text:
            judge_at_sizes(text, reals(text), sizes, **data)


def reals(text: str) -> list[str]:
    program = tolang.compile(text, engine="interpret")
    return [name for name, kind in program.inputs.items() if kind.columns[0].space.family == "R"]


COMPILED = [
    "a product",
    "min-plus",
    "windows",
    "a fold of vectors",
    "a running sum",
    "a table",
    "rows by data",
    "elements overwritten",
    "a sort",
    "a filter",
]


@pytest.mark.parametrize("name", COMPILED)
def test_compiled(name: str) -> None:
    sizes = {"n": 5, "m": 3, "k": 4}
    judge_at_sizes(PROGRAMS[name], reals(PROGRAMS[name]), sizes, "cpu", **data_for(PROGRAMS[name], sizes))


@pytest.mark.parametrize("factor", ["exp(e[i])", "e[i]"])
def test_nothing_comes_of_nothing(factor: str) -> None:
    """A step that nothing comes back to gives nothing on, though what it multiplies by is beyond all numbers."""
    text = f"tol x: R\ntol e: R [1]\ny = reduce(e, (s,f,i) -> [s, s[i] / 1e-300 * {factor}], [x])\nloss := y[1]"
    gradient = tolang.compile(text, engine="interpret").gradient(of="loss", by=["x", "e"])
    found = gradient(1.0, [600.0] if "exp" in factor else [1e300])
    assert found["d_x"] == 1
    assert found["d_e"] == 0
