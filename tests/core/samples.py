"""Programs that together have every node of the core, by name.  They define what they use and need no library."""

from __future__ import annotations

from tolang.check.programs import check_program
from tolang.core.core import Core
from tolang.ground.reporting.diagnostics import Source
from tolang.syntax.parser import parse

LINES = """
without(v, j) = [v[1:j-1], v[j+1:]]
line(x, axis, c) = map(tol[|x|[axis]], x[c[1:axis-1], k, c[axis:]], k)
reduce_axis(x, f, init, axis) = map(tol[without(|x|,axis)], reduce(line(x,axis,c), f, init), *c)
"""

SOURCES: dict[str, str] = {
    "argmin": """
        argmin(t) = reduce(map(t, (*, iter)), (s,x) -> if x[1]' < s[1]' then x else s, (+Inf,0))[2]'
        tol x: R [n]
        best := argmin(x)
    """,
    "blocks": """
        tol x: R [n]
        tol a: f32 [m, m]
        mixed := [[1, 2], [3.5, 4]]
        framed := [0, x, 0]
        grown := [[a, tol[m, 1]], [tol[1, m], 1]]
        truths := [true, false, n > 3]
    """,
    "bundle_as_result": """
        both(v) = (reduce(v, add, 0), map(v, * / 2))
        tol x: R [n]
        pair := both(x)
        half := pair[2]'
    """,
    "bundle_as_state": """
        tol x: R [n]
        y := reduce(x, (s, v) -> (s[1]' + v, [s[2]', s[1]']), (0, tol[0]))
    """,
    "choice_of_bundles": """
        tol x: R [n]
        tol k: Z
        y := if k > 3 then (k, x) else (0, map(x, -*))
    """,
    "choice_of_sizes": """
        middle(v) = if |v|[1] > 3 and |v|[1] % 2 == 0 or |v|[1] == 1 then v[1:1] else v[2:]
        tol x: R [n]
        y := middle(x)
        z := if n != 4 then n else 0
    """,
    "convert": """
        tol x: f32 [n]
        tol c: C [n]
        wide := convert(x, [f64])
        kept := convert(x, [R])
        parts := convert(c, [R,R])
        whole := convert((x, x), [C])
        exact := convert(3, [Q]) / 7
    """,
    "convolution": """
        convolve(x, w, strides, dilations, pads, out, groups=1) = {
          inside(p)  = reduce(map(p, (* >= 1) and (* <= |x|[2+k]), k), and, true)
          at(n,ch,p) = if inside(p) then x[n,ch,p] else 0
          channel(m) = floor((m-1) / (|w|[1]/groups)) * |w|[2]
          tap(c,q)   = at(c[1], channel(c[2]) + q[1], (c[3:]-1)*strides + (q[2:]-1)*dilations + 1 - pads)
          map(tol[|x|[1],|w|[1],out], reduce(map(w[c[2]], * * tap(c,q), *q), add, 0), *c)
        }
        tol x: f32 [n, c, h, w]
        tol f: f32 [m, c, p, q]
        y := convolve(x, f, [2,2], [1,1], [1,1], [(h+2-p)/2+1, (w+2-q)/2+1], 4)
    """,
    "data_coordinates": """
        tol x: R [n]
        tol idx: N [m]
        tol r: R
        gathered := map(idx, k -> x[k])
        shifted := map(idx, x[* + 1])
        scaled := x[floor(2 * r)]
    """,
    "filter": """
        filter(t, p) = reduce(t, (s,x) -> if p(x) then [s,x] else s, tol[0])
        positive(v) = v > 0
        tol x: R [n]
        y := filter(x, positive)
        z := map(y, * + 1)
    """,
    "literals": """
        tol x: C [n]
        phase := map(x, * * 2i)
        text := 'a "quoted" text\\, été'
        empty := tol[0, 3]
        far := [-Inf, NaN, 1e-300]
        number := -3
        thing := space((0, 3.0, 1))
    """,
    "matmul": """
        tol a: R [n,k]
        tol b: R [k,m]
        tol result = [n,m]
        vec(i,j)  = map(a[i], mul(*, b[*,j]))
        elem(i,j) = reduce(vec(i,j), add, 0)
        result   := map(result, elem(i,j), [i,j])
    """,
    "merge_declared_associative": """
        associative merge(a, b) = (a[1]' + b[1]', max(a[2]', b[2]'))
        tol x: R [n]
        y := reduce(map(x, (*, *)), merge, (0, -Inf))
    """,
    "names": """
        tol map2: R [if2]
        tol floor: N
        tol call: R [floor]
        join(x) = x[1] * 2
        let := join(call)
        y := map(map2, * + let)
    """,
    "nested_blocks": """
        power(a, v) = reduce(tol[10], (s, i) -> {
          w = map(s, reduce(map(a[iter], * * s[k], k), add, 0))
          norm = { squares = map(w, *^2); total = reduce(squares, add, 0); sqrt(total) }
          map(w, * / norm)
        }, v)
        tol a: R [n,n]
        tol v: R [n]
        y := power(a, v)
    """,
    "own_derivatives": """
        scaled(v, k) = map(v, * * k)
        derivative scaled(v, k, d) = (map(d, * * k), reduce(map(d, * * v[iter]), add, 0))
        both(a, b) = (a * b, reduce(b, add, 0))
        derivative both(a, b, d) = (d[1]' * b, map(b, d[2]' + d[1]'[iter] * a[iter]))
        tol x: R [n]
        tol w: R
        pair := both(x, scaled(x, w))
        each := map(x, scaled([*, 2], w)[1])
    """,
    "padding": """
        tol x: R [n]
        tol p: N
        y := map(tol[n+2], if iter >= 2 and iter <= n+1 then x[iter-1] else 0)
        z := map(x, if * > 0 then * else -*)
        w := if p == 0 then x else map(x, * - p)
    """,
    "put": """
        put(t, j, v) = [t[1:j-1], v, t[j+1:]]
        tol x: R [n]
        tol j: N
        y := put(x, j, 7.5)
    """,
    "random": """
        noise(v) = map(v, * + rand(0.5))
        tol x: R [n, m]
        y := noise(x)
        z := reduce(x, (s, v) -> s + v * rand(1), 0)
    """,
    "records": """
        space byte: N [0,255]
        space share: R [0,1]
        list person: [name: S, age: byte, weight: R+]
        tol people: person [n]
        tol part: share [n]
        ages := people[age]'
        old := map(people, *[age]' > 64 and *[name]' != 'nobody')
        shared := map(part, (*, iter))
    """,
    "requirements": """
        tol x: R [n]
        tol y: R [m]
        tol z: R [k, 2]
        total := x + y
        flat := reshape(z, [n])
        both := [[x], [y]]
        moved := swap(z, 2, x)
    """,
    "scan": """
        scan(t, f, i) = reduce(t, (s,x) -> [s, f(s[|s|[1]], x)], [i])[2:]
        tol x: R [n, m]
        row := scan(x[1], add, 0)
        all := reduce(x, (s, v) -> [s, v], tol[0])
    """,
    "shared_calls": """
        mean(v) = reduce(v, add, 0) / |v|[1]
        variance(v) = { m = mean(v); d = map(v, (* - m)^2); mean(d) }
        tol x: R [n]
        tol y: R [m]
        a := variance(x)
        b := variance(y)
        c := mean([x, y])
    """,
    "softmax": LINES + """
        softmax(x, axis) = {
          top   = reduce_axis(x, max, -Inf, axis)
          e     = map(x, exp(* - top[without(c,axis)]), *c)
          total = reduce_axis(e, add, 0, axis)
          map(e, * / total[without(c,axis)], *c)
        }
        tol x: f32 [a,b]
        y := softmax(x, 2)
    """,
    "sort": """
        sort(t) = reduce(t, (s,x) -> { k = reduce(map(s, * <= x), add, 0); [s[1:k], x, s[k+1:]] }, tol[0])
        tol x: R [n]
        y := sort(x)
    """,
    "text": """
        tol words: S [n]
        least := reduce(words, min, 'zzz')
        found := map(words, * == 'tol')
        more := [words, 'end']
    """,
    "tile_reshape_swap": """
        tol x: i8 [n, 3]
        tol order: N [n]
        lists := tile(x)
        long := reshape(x, [3*n])
        turned := swap(x, 1, [2,3,1])
        sorted := swap(x, 2, order)
        second := tile(x)[2]'
    """,
    "window": """
        pool(x, k, s=1) = map(tol[(|x|[1]-k)/s+1], reduce(x[(i-1)*s+1 : (i-1)*s+k], max, -Inf), i)
        tol x: R [n]
        y := pool(x, 3, 2)
        z := map(tol[n], x[max(1, iter - 1) : min(n, iter + 1)][1])
    """,
}  # fmt: skip


def program(source: str) -> Core:
    """The checked core of a source text."""
    return check_program(parse(Source("sample.tol", source)))


def sample(name: str) -> Core:
    return program(SOURCES[name])
