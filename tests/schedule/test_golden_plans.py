"""Plans as text: before and after each pass, and with each strategy; `--update-golden` writes them anew.

They are for one target, whatever machine runs the tests, and small enough to read: a change of a plan is seen here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.schedule.test_schedules import CASES

import tolang
from tolang.lower.steps import lower
from tolang.plan.fixed import lengths_of
from tolang.plan.nest import Plan
from tolang.plan.printer import print_plan
from tolang.plan.target import Target
from tolang.schedule.pipeline import PASSES, Pass
from tolang.schedule.planning import plan

FOLDER = Path(__file__).parents[1] / "golden" / "plans"
TARGET = Target(32, 16, quads="signed")
LONGEST = 100
PROGRAMS = {
    "single": "tol x: R [n+6,m]\nr := map(tol[n,m], reduce(map(tol[7,1], x[i+a-1,j+b-1], [a,b]), add, 0), [i,j])",
    "reshapes": "tol x: f32 [n,m]\ny := map(reshape(x, [n*m]), exp(*))",
    "prefixes": "tol v: R [n]\nr := map(v, reduce(v[1:i], add, 0), i)",
    "copies": "tol x: R [n]\ny := cumulative_sum(x)",
    "concat elimination": (
        "tol x: R [2*n]\npairs(s) = map(tol[n], (s[2*k-1] + s[2*k], s[2*k-1] - s[2*k]), k)\n"
        "stage(s) = { z = pairs(s); [z[1]', z[2]'] }\ny := reduce(tol[3], (s,e) -> stage(s), x)"
    ),
    "interchange": "tol x: R [n,m]\ny := cumulative_sum(x, 1)",
    "spread": (
        "tol x: R [n,d]\ntol c: R [k,d]\ndistance(i,j) = reduce(map(x[i], (* - c[j,*])^2), add, 0)\n"
        "nearer(s, e) = if e[1]' < s[1]' then e else s\n"
        "y := map(tol[n], reduce(map(tol[k], (distance(i,j), j), j), nearer, (+Inf,0))[2]', i)"
    ),
    "conversions": "tol x: f32 [n]\nfit(e) = if e > 0 then min(e, 255) else 0\ny := map(x, convert(fit(floor(*)), [u8]))",
    "dot4": (
        "tol a: u8 [n,k]\ntol b: i8 [k,m]\none = map(a, convert(*, [i32]) - 7)\ntwo = map(b, convert(*, [i32]))\n"
        "c := map(tol[n,m], reduce(map(tol[k], one[i,q]*two[q,j], q), add, 0), [i,j])"
    ),
    "dot4 words": (
        "tol a: i8 [n,k]\ntol b: i8 [k,m]\none = map(a, convert(*, [i32]))\ntwo = map(b, convert(*, [i32]))\n"
        "c := map(tol[n,m], reduce(map(tol[k], one[i,q]*two[q,j], q), add, 0), [i,j])"
    ),
    "horizontal fusion": (
        "tol x: R [2*n]\ntol a: R [n]\n"
        "stage(s) = { left = map(tol[n], exp(s[2*k]), k); [left + a, left - a] }\n"
        "y := reduce(tol[3], (s,e) -> stage(s), x)"
    ),
    "inline": "tol x: R [n]\ny := pick(x, map(x, |x|[1] + 1 - iter))",
    "slices": (
        "tol from: N* [n+1]\ntol item: N* [e]\n"
        "y := reduce(tol[n], (s,e,k) -> reduce(item[from[k]:from[k+1]-1], (t,w) -> put(t, w, t[w] + k), s), tol[n])"
    ),
    "step pairs": (
        "tol x: R [n,m]\nat(h, i) = { part = (i-1)%h; 2*(i-1-part)%n + part + 1 }\n"
        "stage(s, h) = map(s, { k = at(h,i); s[k,j] + i*s[k+h, j] }, [i,j])\n"
        "y := reduce(tol[log(n,2)], (s,e,t) -> stage(s, n/2^t), x)"
    ),
    "remainders": "tol x: R [n]\ntol h: N\ny := map(tol[n], x[k - (k-1)%h] + x[k], k)",
    "bit folds": (
        "tol x: u8 [n]\ntol t: u8 [4]\nnext(s, e) = t[((s xor e) and 3) + 1] xor convert(floor(s/4), [u8])\n"
        "y := reduce(x, next, convert(0, [u8]))"
    ),
    "split folds": (
        "tol w: f32 [2,90,90]\ntol x: f32 [n]\n"
        "y := reduce(x, (s,t) -> map(s, reduce(map(tol[90], w[d,j,k] * s[d,k], k), add, 0) + t, [d,j]), tol[2,90])"
    ),
    "loop fusion": "tol x: f32 [n,m]\ny := map(x, * / reduce(x[i], add, 0), [i,j])",
    "scalar replacement": "tol x: R [n]\ntol y: R [n]\nr := map(x, logsumexp([*, y[i]]), i)",
    "wavefronts": (
        "tol x: R [n]\ntol z: R [p]\nnear(a, b, c) = -log(exp(-a) + exp(-b) + exp(-c))\n"
        "row(above, e) = reduce(z, (s,f,j) -> [s, (e-f)^2 + near(above[j], above[j+1], s[j])], [Inf])\n"
        "y := reduce(x, row, [0, full(p,Inf)])[p+1]"
    ),
    "hoist nonrecurrent": "tol x: R [n]\ny := reduce(x, (s,e,k) -> [s, s[k] * exp(e) + 1], [1])",
    "ranks": "use tables\ntol t: Z [n]\ny := numbered(t)",
    "search tables": "tol v: Z [n]\ntol x: Z [m]\nu = sort(v)\ny := map(x, searchsorted(u, *))",
    "sorting": "tol x: R [n]\ny := sort(x)",
    "searches": "tol v: R [n]\ntol x: R [m]\ny := map(x, searchsorted(v, *))",
    "histograms": (
        "tol l: N [n]\ntol x: R [n]\n"
        "r := reduce(tol[n], (s,e,k) -> put(s, l[k], (s[l[k]][1]' + x[k], s[l[k]][2]' + 1)), map(tol[5], (0.0,0)))"
    ),
    "places": "tol l: N [n]\ny := reduce(l, (s,e) -> map(s, if r == e then * + 1 else *, r), tol[5])",
    "double buffering": "tol x: R [n]\nr := reduce(tol[7], (s,v) -> map(s, (y,k) -> y*0.5+s[1]+k), x)",
    "columns": "tol x: R [n]\ntol w: R [n,m]\ny := map(tol[m], logsumexp(map(x, * + w[i,j], i)), j)",
    "factor exponentials": (
        "tol x: R [n]\ntol w: R [n,n]\n"
        "y := reduce(tol[9], (s,t) -> map(s, reduce(map(s, exp(* + w[i,j] - x[j]), i), add, 0), j), x)"
    ),
    "polyphase split": (
        "tol d: f32 [m,p]\ntol w: f32 [m,c,3]\nat(o, a) = if a > 0 and a <= p then d[o,a] else 0\n"
        "sum(a, r, j) = reduce(map(tol[m,2-floor(r/2)], at(o, a-t+1) * w[o,j,r+2*t-2], [o,t]), add, 0)\n"
        "y := map(tol[c,p+1,2], sum(a,r,j), [j,a,r])"
    ),
    "layout assignment": (
        "tol x: f32 [32,9,9]\ntol v: f32 [32,32,3,3]\ntol w: f32 [32,32,3,3]\n"
        "one = map(tol[32,7,7], reduce(map(v[o], * * x[c,i+a-1,j+b-1], [c,a,b]), add, 0), [o,i,j])\n"
        "two = map(one, max(*, 0) + x[o,i,j], [o,i,j])\n"
        "y := map(tol[32,5,5], reduce(map(w[o], * * two[c,i+a-1,j+b-1], [c,a,b]), add, 0), [o,i,j])"
    ),
    "padding": (
        "tol x: R [c,h,v]\nat(k, i, j) = if i > 0 and i <= h and j > 0 and j <= v then x[k,i,j] else -Inf\n"
        "y := map(x, reduce(map(tol[3,3], at(k, i+a-2, j+b-2), [a,b]), max, -Inf), [k,i,j])"
    ),
    "depthwise padding": (
        "tol x: f32 [h,v,32]\ntol w: f32 [3,32]\nat(i, j, c) = if j > 0 and j <= v then x[i,j,c] else 0\n"
        "y := map(x, reduce(map(tol[3], at(i, j+a-2, c) * w[a,c], a), add, 0), [i,j,c])"
    ),
    "padding in place": (
        "tol u: f32 [9,40,32]\ntol w: f32 [3,32]\nx = map(u, exp(*) + u[i,41-j,c], [i,j,c])\n"
        "at(i, j, c) = if j > 0 and j <= 40 then x[i,j,c] else 0\n"
        "y := map(x, reduce(map(tol[3], at(i, j+a-2, c) * w[a,c], a), add, 0) + *, [i,j,c])"
    ),
    "dimensions": "tol x: R [1,n,1]\ny := map(tol[n,1], reduce(x[1,1:i], add, 0)[1], [i,j])",
    "peeling": "tol x: R [n]\nr := [x,x]",
    "in place": ("tol x: f32 [n]\na = map(x, exp(*) + x[n+1-i], i)\ntotal = reduce(a, add, 0)\ny := map(a, * / total)"),
    "collapsed folds": "tol x: R [n,m]\ny := reduce(x, add, 0)",
    "collapsed strict folds": "tol x: R [n,m]\ny := reduce(x, max, -Inf) + reduce(x, add, 0)",
    "collapse": "tol x: R [n,m]\ny := map(x, * + 1)",
    "compaction": "tol x: R [n]\ny := reduce(x, (s,e) -> if e > 0 then [s,e] else s, [])",
    "unchanged": "tol x: R [n]\nr := reduce(x, (s,e) -> { k = reduce(map(s, * <= e), add, 0); [s[1:k], e, s[k+1:]][1:3] }, map(tol[3], Inf))",
    "demands": "tol b: N* [n+1]\ntol x: R [m]\nr := map(tol[n], dot(x[b[i]:b[i+1]-1], x[b[i]:b[i+1]-1]), i)",
    "choices": "tol x: R [n]\ntol k: N* [m]\nr := map(k, if * > 3 then x[*] + 1 else x[*] * 2)",
    "unrolling": "tol x: R [n,3]\nr := map(tol[n], reduce(map(tol[n], sqrt(reduce(x[j], add, 0)) + i, j), add, 0), i)",
    "counting": "tol x: f32 [n]\ny := reduce(map(x, if * > 0 then 1 else 0), add, 0)",
    "free early": "tol x: R [n]\nr := argmax(map(x, sin(* * 40)))",
    "divided folds": (
        "tol x: R [3,7,20]\ntol w: R [30,60]\nflat = reshape(map(tol[7,3,20], x[d,t,k], [t,d,k]), [7,60])\n"
        "y := map(tol[7,30], reduce(map(flat[t], * * w[j,*]), add, 0), [t,j])"
    ),
    "wide folds": "tol x: f16 [n]\ny := reduce(x, add, 0)",
    "strict sums": "tol x: R [n]\nr := map(tol[5], reduce(map(x, * * i), add, 0), i)",
}


def before(one: Pass) -> Plan:
    """The plan of a pass's program as the pass finds it."""
    found = lower(tolang.compile(PROGRAMS[one.name]).core)
    for earlier in PASSES[: PASSES.index(one)]:
        if earlier.strict in (None, bool(one.strict)):
            found = earlier.of(found, TARGET)
    return found


def around(one: Pass) -> str:
    """A program's plan before a pass and after it."""
    found = before(one)
    after = print_plan(one.of(found, TARGET))
    return f"{PROGRAMS[one.name]}\n\n== before ==\n{print_plan(found)}\n== {one.name} ==\n{after}"


def with_strategy(name: str) -> str:
    source, data, fixed = CASES[name]
    core = tolang.compile(source).core
    lengths = lengths_of(core, {one: np.shape(data[one]) for one in fixed})
    made = plan(core, TARGET, fixed=frozenset(fixed), lengths=lengths)
    once = "" if made.once is None else f"\n== once ==\n{print_plan(made.once)}"
    return f"{source}\n\n== plan ==\n{print_plan(made.plan)}{once}"


def file_of(name: str) -> str:
    return f"{name.replace(' ', '-')}.txt"


@pytest.mark.parametrize("one", PASSES, ids=lambda one: str(one.name))
def test_passes_change_plans_as_they_did(one: Pass, golden: Callable[[str, str], None]) -> None:
    text = around(one)
    assert repr(before(one)) != repr(one.of(before(one), TARGET)), "the pass changes nothing here"
    golden(f"plans/{file_of(f'pass {one.name}')}", text)
    assert len(text.splitlines()) <= 2 * LONGEST


@pytest.mark.parametrize("name", CASES)
def test_schedules_are_chosen_as_they_were(name: str, golden: Callable[[str, str], None]) -> None:
    golden(f"plans/{file_of(f'strategy {name}')}", with_strategy(name))


def test_no_plan_is_left_over() -> None:
    names = [*(f"pass {one.name}" for one in PASSES), *(f"strategy {name}" for name in CASES)]
    assert {path.name for path in FOLDER.iterdir()} == set(map(file_of, names))
