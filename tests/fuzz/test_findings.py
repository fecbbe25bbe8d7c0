"""What random programs have found wrong, each as the smallest program that shows it."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tolang
from tolang.program.runner import Runner
from tolang.readings.atoms import evaluate, expand
from tolang.readings.interpret import interpret

REFUSED: list[tuple[str, str]] = [
    ("r := 1('a')", "E304"),
    ("tol t: R [3]\nr := swap(t, 1, ['a','b','c'])", "E304"),
    ("tol t: R [n]\nr := reduce(t, swap, 7)", "E203"),
    ("space none: Z- [0,255]\ntol x: none\nr := x", "E404"),
    ("space far: R [0,1e400]\ntol x: far\nr := x", "E404"),
    ("r := " + "[" * 60 + "1" + "]" * 60, "E302"),
    ("a0 = rand(1)\n" + "".join(f"a{k} = (a{k - 1}, a{k - 1})\n" for k in range(1, 14)) + "r := a13", "E403"),
]  # fmt: skip

FAILING: list[tuple[str, dict[str, Any], str]] = [
    ("tol x: R [n]\nr := tol[n][5]", {"x": [1.0, 2.0]}, "E513"),
    ("tol k: N [m]\ntol t: R [n]\nr := map(k, reduce(t[*:], add, 0))", {"k": [1, 7], "t": [1.0, 2.0, 3.0]}, "E509"),
    ("tol x: R [n]\nr := tol[10/n]", {"x": []}, "E506"),
    ("tol x: R [n]\nr := x[1:10/n]", {"x": []}, "E506"),
    ("tol x: R [n]\nr := map(x, if * > 0 then x[4/(n-2)] else 1)", {"x": [0.0, 1.0]}, "E506"),
    ("tol t: R [m]\nr := map(tol[3], t[2/(i-1)], i)", {"t": [1.0, 2.0]}, "E506"),
    ("tol n: N\nr := tol[n]", {"n": 10**18}, "E508"),
    ("r := [tol[10^12], tol[10^12]]", {}, "E508"),
    ("r := tol[floor(convert(10, [Q])^50)]", {}, "E507"),
    ("r := reduce(tol[64], (s,x) -> s + 1/s, convert(3, [Q]))", {}, "E505"),
    ("r := convert(convert(10, [Q])^5000, [Z])", {}, "E505"),
    ("r := convert(10, [Q])^5000 / (convert(1, [Q]) - 1)", {}, "E506"),
]

BEYOND_Z = ("[c, b]", "[convert(c, [Z]), 1]", "if b[1] > 0 then c else b", "map(b, if * > 1 then c[2] else *)",
            "reduce(c, (s,x) -> x, b[1])")  # fmt: skip
"""A u64 that does not fit 64 bits with a sign, where it meets whole numbers of Z."""

ENGINES: list[tuple[str, dict[str, Any], str]] = [
    ("tol e: R\nr := tol[4*e]", {"e": 1e18}, "E508"),
    ("tol a: R [n]\nr := [a[:n-1], [a[:n-1]]]", {"a": []}, "E513"),
    ("tol x: R [n]\ntol e: R\nr := reduce(x[e:], max, 0)", {"x": [1.0, 2.0], "e": math.nan}, "E509"),
    ("tol x: R [n]\ntol e: R\ntol k: R\nr := x[e:k]", {"x": [1.0, 2.0], "e": 1e300, "k": 2.0}, "E513"),
    ("tol t: R [m]\nr := map(tol[3], t[2/(i-1)], i)", {"t": [1.0, 2.0]}, "E506"),
    ("tol t: R [m]\nr := map(t, reduce(tol[2/(i-1)], add, 0), i)", {"t": [1.0, 2.0]}, "E506"),
    ("tol k: Z\ntol t: R [m]\nr := { v = t[1:k]; v[5 % |v|[1]] }", {"t": [1.0, 2.0], "k": 0}, "E506"),
    ("tol e: N\nr := |tol[2*e]|[1]", {"e": 2**62}, "E505"),
    ("tol a: Z [n]\ntol c: Z\nr := { k = a[c % n]; map(tol[k], q*q, q) }", {"a": [], "c": -3}, "E506"),
    ("tol c: Z\nr := reduce(tol[1], (s,x) -> s[2:], map(tol[c], q, q))", {"c": 0}, "E513"),
    ("tol a: Z [m]\ntol c: Z [k]\ntol n: Z\nr := map(a, if * > 0 then c[(* % n) + 1] else 1)",
     {"a": [3, 1], "c": [], "n": 0}, "E506"),
    ("tol a: Z [m]\ntol c: Z [k]\nr := map(a, if * > 3 then c[1 + (* % k)] else c[(*)])", {"a": [3, 1], "c": []}, "E513"),
    ("tol a: Z [m,n]\ntol d: Z [k]\ntol b: Z\nr := reduce(d, (s,x) -> a[s % m, 1], b)",
     {"a": [[7, 8]], "d": [5, 2], "b": 4}, "E513"),
    ("tol c: N\nr := if c > 1 then [1,2][3] else 0", {"c": 2}, "E513"),
    ("tol c: N\nr := if c > 1 then [1,2][2:4] else [1,2]", {"c": 2}, "E513"),
    *((f"tol b: Z [n]\nr := b[1 + {one}]", {"b": [2, 3]}, "E513") for one in ("b[5]*0", "b[5] % 1", "min(b[5]^2, -1) - -1")),
    ("tol b: i16 [3]\nv := { e = b[1] % 4; b[1:e] }\nr := v[1 + (b[1] - b[1])]", {"b": np.array([-4, 2, 5], np.int16)}, "E513"),
    ("tol a: R [n]\ntol b: R [m]\nr := if 0.5 != a[3] then b else b", {"a": [], "b": []}, "E513"),
    ("tol a: R [n]\nr := { t = (a, a); if 0.5 != a[1 % n] then t else t }", {"a": []}, "E506"),
    *((f"space byte: N [0,255]\ntol a: byte [n]\nr := map(a, {one})", {"a": [3, 1]}, "E505")
      for one in ("-2 or *", "* xor -2", "300 or *")),
    *((f"tol b: Z [m]\ntol c: u64 [n]\nr := {one}", {"b": [1, 2], "c": np.array([5, 2**64 - 1], np.uint64)}, "E505")
      for one in BEYOND_Z),
]  # fmt: skip


@pytest.mark.parametrize(("source", "code"), REFUSED)
def test_refused_while_checking(source: str, code: str) -> None:
    with pytest.raises(tolang.ToLangCheckError) as caught:
        tolang.compile(source)
    assert caught.value.code == code
    assert caught.value.diagnostics[0].span is not None


@pytest.mark.parametrize(("source", "data", "code"), FAILING)
def test_caught_while_running(source: str, data: dict[str, Any], code: str) -> None:
    program = tolang.compile(source)
    with pytest.raises(tolang.ToLangRunError) as caught:
        program(**data)
    assert caught.value.code == code


@pytest.mark.parametrize(("source", "data", "code"), ENGINES)
def test_all_engines_tell_the_same(source: str, data: dict[str, Any], code: str) -> None:
    """The interpreter, compiled code of either kind, and atoms."""
    job = tolang.compile(source).job((), data)
    runs: list[Callable[[], Any]] = [
        lambda: interpret(job.core, job.inputs, job.sizes, 0, True),
        lambda: Runner("cpu", True).run(job.core, job.inputs, job.sizes, 0),
        lambda: Runner("cpu", False).run(job.core, job.inputs, job.sizes, 0),
        lambda: evaluate(expand(job.core, job.sizes, job.inputs), job.inputs),
    ]
    told = []
    for run in runs:
        with pytest.raises(tolang.ToLangError) as caught:
            run()
        told.append(caught.value.code)
    assert told == [code] * 4


TOTALS: list[tuple[str, list[int], int]] = [
    ("mul", [2**40, 2**40, 0], 0), ("add", [2**63 - 1, 1, -5], 2**63 - 5), ("add", [2**62, 2**62, -(2**62), -(2**62)] * 20, 0),
]  # fmt: skip


@pytest.mark.parametrize(("function", "numbers", "total"), TOTALS)
def test_a_total_of_whole_numbers_has_to_fit_and_what_leads_to_it_only_if_strict(
    function: str, numbers: list[int], total: int
) -> None:
    source = f"tol a: Z [n]\nr := reduce(a, {function}, {int(function == 'mul')})"
    for engine in ("interpret", "cpu"):
        assert tolang.compile(source, engine=engine)(numbers) == total
        with pytest.raises(tolang.ToLangRunError) as caught:
            tolang.compile(source, engine=engine, strict=True)(numbers)
        assert caught.value.code == "E505"


@pytest.mark.parametrize("engine", ["interpret", "cpu"])
def test_a_branch_that_all_take_is_held_as_both_are(engine: str) -> None:
    """Beside a u64 the length 3 less 4 is 2^64-1, also where no element takes the branch of the u64."""
    source = "tol x: Z [n]\ntol c: u64\nr := map(x, (if x[1] > 0 then n-4 else c) > *)"
    assert tolang.compile(source, engine=engine)([1, 2, -1], np.uint64(3)).tolist() == [True, True, True]


@pytest.mark.parametrize("engine", ["interpret", "cpu"])
def test_a_u64_that_no_point_takes_harms_nothing(engine: str) -> None:
    source = "tol b: Z [m]\ntol c: u64 [n]\nr := map(b, if * > 2 then c[2] else *)"
    assert tolang.compile(source, engine=engine)([1, 2], np.array([5, 2**64 - 1], np.uint64)).tolist() == [1, 2]


@pytest.mark.parametrize("strict", [False, True])
def test_a_coordinate_beyond_64_bits_is_no_error_of_what_is_computed_beside_it(strict: bool) -> None:
    """Eight checks come before it in one kernel, each with a flag of its own."""
    products = "+".join(f"k*{number}" for number in range(2, 12))
    source = f"tol b: Z [n]\ntol k: Z\nr := {products}\nt := tol[n][1 + (b[1] % n)]"
    found = tolang.compile(source, engine="cpu", strict=strict)([2**53 + 1, 0, 3], 1)
    assert (found["r"], found["t"]) == (65, 0)


@pytest.mark.parametrize("engine", ["interpret", "cpu"])
@pytest.mark.parametrize("part", ["x[0:3*e + 2]", "x[n + 2:n + 1]", "[1,2][0:-1]", "[1,2][4:3]", "x[e - e:3*e + 2]"])
def test_a_range_that_is_empty_may_be_anywhere(part: str, engine: str) -> None:
    found = tolang.compile(f"tol x: R [n]\ntol e: Z\nr := {part}\nt := x[1] + e", engine=engine)([1.0, 2.0, 3.0], -1)
    assert found["r"].shape == (0,)


@pytest.mark.parametrize(
    ("part", "kind"), [("[true,false][3:]", "bool"), ("[1.5,2][3:]", "float64"), ("['a'][2:]", "object")]
)
def test_an_empty_part_is_in_the_spaces_of_the_whole(part: str, kind: str) -> None:
    found = tolang.compile(f"r := {part}")()
    assert (found.shape, found.dtype) == ((0,), np.dtype(kind))


def test_a_quotient_by_zero_in_a_branch_that_is_not_taken_harms_nothing() -> None:
    source = "tol t: R [m]\nr := map(tol[3], if i > 1 then t[2/(i-1)] else 0, i)"
    assert tolang.compile(source)([1.0, 2.0]).tolist() == [0.0, 2.0, 1.0]


@pytest.mark.parametrize("outside", ["[1,2][3]", "[1,2][2:4][1]", "[[1,2],[3,4]][[1,2,3][5],1]"])
def test_what_is_outside_in_a_branch_that_is_not_taken_harms_nothing(outside: str) -> None:
    for engine in ("interpret", "cpu"):
        assert tolang.compile(f"tol c: N\nr := if c > 1 then {outside} else 7", engine=engine)(1) == 7


def test_decimals_beyond_the_floats_are_infinite() -> None:
    assert tolang.evaluate("-1e400") == float("-inf")
    assert tolang.evaluate("1e400 > 1") is True


def test_exact_numbers_of_thousands_of_digits_are_computed_and_written() -> None:
    value = tolang.evaluate("convert(10, [Q])^5000")
    assert value == Fraction(10**5000)
    assert str(tolang.ToL.of(value)) == "1000000000...0000000000 (5001 digits)"


def test_calls_that_double_are_checked_in_time_that_does_not() -> None:
    """A body that calls share is looked at once, so 60 levels of it are 60 bodies and not 2^60."""
    lines = "".join(f"f{k}(x) = f{k - 1}(f{k - 1}(x))\n" for k in range(1, 60))
    program = tolang.compile(f"f0(x) = x\n{lines}tol t: R [n]\nr := f59(t)")
    assert [str(length) for length in program.outputs["r"].shape] == ["n"]


def test_a_coordinate_that_is_the_same_everywhere_is_outside() -> None:
    """What it is computed from varies with the map, and what is told of it does not."""
    source = "tol x: R [n]\ny := map(tol[2*n], x[max(0, floor(if n == 1 then -0.5 else (k-0.5)/2 - 0.5)) + (-1)], k)"
    for engine in ("interpret", "cpu"):
        with pytest.raises(tolang.ToLangRunError) as found:
            tolang.compile(source, engine=engine)([1.0])
        assert found.value.code == "E513"


@pytest.mark.parametrize(
    ("program", "value"),
    [
        ("tol b: R [m]\nr := reduce(tol[9], (s,x) -> s + (b[1 + min(1, s)] > 0), 3)", 12),
        ("tol b: R [m]\nr := reduce(tol[4], (s,x) -> s + reduce(map(tol[s], 1, k), add, 0), 1)", 16),
        ("tol b: R [m]\nr := reduce(tol[9], (s,x) -> s + b[1 + min(1, s)], 1.0)", 8.875),
    ],
)
def test_what_a_fold_adds_may_depend_on_its_state_by_coordinates_and_lengths(program: str, value: float) -> None:
    for engine in ("interpret", "cpu"):
        assert tolang.compile(program, engine=engine)([-0.375, 0.875, -0.625]) == value, engine


def test_a_block_that_is_the_same_at_all_elements_of_a_fold() -> None:
    """It is computed as a whole, with the names that it binds."""
    source = "tol a: R [m]\ntol b: N [k]\nr := map(tol[2], reduce(map(a, { p = max(b[1], 1); if p >= 1 then a[p]*exp(0) else a[1] }), add, 0), i)"  # fmt: skip
    data = np.arange(1.0, 301.0), [3, 4]
    for engine in ("interpret", "cpu"):
        assert tolang.compile(source, engine=engine)(*data).tolist() == [900.0, 900.0]


def by_all_engines(source: str, data: dict[str, Any]) -> list[Any]:
    """The values of the one output of a program: by the interpreter, by compiled code of either kind, by atoms."""
    job = tolang.compile(source).job((), data)
    found = [
        interpret(job.core, job.inputs, job.sizes, 0, True),
        Runner("cpu", True).run(job.core, job.inputs, job.sizes, 0),
        Runner("cpu", False).run(job.core, job.inputs, job.sizes, 0),
        evaluate(expand(job.core, job.sizes, job.inputs), job.inputs),
    ]
    return [one.columns[0].tolist() for (one,) in found]


@pytest.mark.parametrize(
    ("coordinate", "value"),
    [("{ l = reduce(a, min, 5); abs(l) % 7 }", 3), ("{ l = a[1] + a[1]; max(l, 1) }", 1), ("{ l = min(a[2], 2); l + 1 }", 3),
     ("reduce(a, (s,x) -> [1,2,3,4][max(s,1)], -3)", 1)],
)  # fmt: skip
def test_a_whole_number_under_a_name_may_be_below_zero(coordinate: str, value: int) -> None:
    data = {"a": [-3, 2], "c": [1.0, 2.0, 3.0, 4.0]}
    assert by_all_engines(f"tol a: Z [n]\ntol c: R [m]\nr := c[{coordinate}]", data) == [value] * 4


UNUSED = ("if a[1] > 0 then p[1] else 0", "if reduce(a, add, 0) > 0 then reduce(p, add, 0) else 0", "reduce(tol[0], (s,x) -> s + p[1], 0)",
          "reduce(map(a, if * > 0 then p[1] else 0), add, 0)", "|p|[1] - |p|[1]")  # fmt: skip
"""Bodies that have no use for what they are called with."""


@pytest.mark.parametrize("argument", ["b[5:6]", "c[3]", "c[a[2]]", "c[7:8,2]"])
@pytest.mark.parametrize("body", UNUSED)
def test_a_member_that_is_an_argument_is_read_where_it_is_used(body: str, argument: str) -> None:
    """Whether the body of a function is shared by its calls or written out in place of each."""
    data: dict[str, Any] = {"a": [-1, 0], "b": [3, 0], "c": [[3, 4]]}
    source = f"tol a: Z [n]\ntol b: Z [m]\ntol c: Z [k,m]\nf(a, p) = {body}\nr := f(a, {argument})"
    assert by_all_engines(source, data) == [0] * 4
    with pytest.raises(tolang.ToLangRunError) as caught:
        tolang.compile(f"{source}\nt := f2(a, {argument})\nf2(a, p) = reduce(p, add, 0)")(**data)
    assert caught.value.code == "E513"


@pytest.mark.parametrize("value", ["1 % b[2]", "b[5] + 1", "reduce(map(b, 1 % *), add, 0)", "a[1] * 2^62 * 4"])
@pytest.mark.parametrize("use", ["if a[1] > 0 then l else 0", "map(a, if * > 0 then l else 0)", "map(tol[0], l)"])
@pytest.mark.parametrize("engine", [("interpret", True), ("cpu", True), ("cpu", False)])
def test_a_definition_that_is_computed_is_evaluated_though_no_branch_needs_it(
    value: str, use: str, engine: tuple[str, bool]
) -> None:
    source = f"tol a: Z [n]\ntol b: Z [m]\nr := {{ l = {value}; {use} }}"
    with pytest.raises(tolang.ToLangRunError) as caught:
        tolang.compile(source, engine=engine[0], strict=engine[1])([-1, 0], [3, 0])
    assert caught.value.code in ("E505", "E506", "E513")


@pytest.mark.parametrize("coordinate", ["1 + 0 % n", "n/n", "1 + (n % n)", "1 + 0/n"])
def test_what_cancels_in_a_coordinate_is_not_divided_by(coordinate: str) -> None:
    assert by_all_engines(f"tol a: Z [n]\ntol c: Z [m]\nr := c[{coordinate}]", {"a": [], "c": [7, 8]}) == [7] * 4


def test_a_literal_beside_bf16_is_one_of_f32() -> None:
    source = "tol a: bf16 [n]\nr := map(a, mod(*, sqrt(abs(-0.75))))"
    assert by_all_engines(source, {"a": np.array([-2.0], ml_dtypes.bfloat16)}) == [[0.59765625]] * 4


@pytest.mark.parametrize("moved", ["map(tol[3], b[i], i)", "map(a, b[i], i)", "map(a, b[(*)])", "reshape(map(a, b[i], i), [3,1])[:,1]",
                                   "map(a, (x, i) -> if x > 1 then b[i] else b[x])"])  # fmt: skip
@pytest.mark.parametrize(
    "use", ["l[1]", "map(tol[2], l[i], i)", "if a[2] > 5 then l[1] else 0", "l[1:0]", "[l[1], l[2]]"]
)
@pytest.mark.parametrize("engine", [("interpret", True), ("cpu", True), ("cpu", False)])
def test_elements_that_are_only_moved_are_all_read(moved: str, use: str, engine: tuple[str, bool]) -> None:
    """The third is outside, and nothing needs it; so it is at every element of a map that has elements itself."""
    assert_outside(f"{{ l = {moved}; {use} }}", engine)
    if use != "l[1:0]":
        assert_outside(f"map(a, x -> {{ l = {moved}; {use} }})", engine)


INSIDE_FOLDS = ("{ l = map(tol[2], b[i + x - 1], i); if x > 1 then s else s + l[1] }", "{ l = map(tol[3], b[i], i); s + l[1] }",
                "{ l = [b[x], 1]; if x > 1 then s else s + l[2] }", "{ l = map(a, b[(*)]); if x > 9 then l[1] else s }")  # fmt: skip


@pytest.mark.parametrize("step", INSIDE_FOLDS)
@pytest.mark.parametrize("engine", [("interpret", True), ("cpu", True), ("cpu", False)])
def test_elements_that_are_only_moved_in_a_fold_are_all_read(step: str, engine: tuple[str, bool]) -> None:
    assert_outside(f"reduce(a, (s,x) -> {step}, 0)", engine)


def assert_outside(expression: str, engine: tuple[str, bool]) -> None:
    source = f"tol a: Z [n]\ntol b: Z [m]\nr := {expression}"
    with pytest.raises(tolang.ToLangRunError) as caught:
        tolang.compile(source, engine=engine[0], strict=engine[1])([1, 2, 7], [3, 0])
    assert caught.value.code == "E513"


@pytest.mark.parametrize("sizes", [(0, 5), (5, 0), (0, 0), (1, 1)])
def test_folds_of_columns_of_nothing(sizes: tuple[int, int]) -> None:
    """Divisions by how many there are would end the process on x86-64."""
    n, k = sizes
    source = "tol a: bf16 [n,k]\ntol b: bf16 [k,n]\nr := map(tol[n,n], reduce(map(tol[k], max(a[i,p], b[p,j]), p), add, 0), [i,j])"
    ones = np.ones((n, k), ml_dtypes.bfloat16)
    assert by_all_engines(source, {"a": ones, "b": ones.T}) == [np.full((n, n), float(k)).tolist()] * 4


def test_a_strict_fold_in_bf16_rounds_each_sum_and_no_term() -> None:
    source = "tol a: bf16 [n]\nr := map(a, reduce(tol[2], (s,x) -> s + (1 + 0.003*i), *), i)"
    found = by_all_engines(source, {"a": np.ones(5, ml_dtypes.bfloat16)})
    wanted = []
    for i in range(1, 6):
        state = ml_dtypes.bfloat16(1)
        for _ in range(2):
            state = ml_dtypes.bfloat16(np.float32(state) + np.float32(1 + 0.003 * i))
        wanted.append(float(state))
    assert found[0] == found[1] == found[3] == wanted


NOTHING_TO_READ: list[tuple[str, tuple[int, ...]]] = [
    ("c[a[1]]", (0,)), ("map(a, c[(*)])", (2, 0)), ("reduce(a, (s,x) -> [s, c[x]], tol[0])", (0,)),
    ("map(a, if * > 0 then c[(*)] else c[1])", (2, 0)), ("map(a, [c[(*)], c[1]])", (2, 0)), ("map(a, (c[(*)], c[1]))", (2, 0)),
    ("map(a, [c[(*)], 3])", (2, 1)), ("map(tol[3], { q = a[1]; c[q] })", (3, 0)), ("d[a[1],2:1]", (0,)), ("d[a[1] % n,2:1]", (0,)),
    ("[d[a[1],2:1], d[1]]", (2,)), ("map(a, d[(*),1:0])", (2, 0)), ("map(tol[5], [d[a[1]+i,2:1], d[1]], i)", (5, 2)),
    ("map(tol[5], [d[1/(i-1),2:1], d[1]], i)", (5, 2)), ("map(a, reduce([d[(*)+1,i:i-1], a], add, 0), i)", (2,)),
]  # fmt: skip
"""Coordinates that are outside, or have no value, where what they leave has no elements to read; and the shapes."""


@pytest.mark.parametrize(("value", "shape"), NOTHING_TO_READ)
def test_no_coordinate_is_asked_for_where_there_is_nothing_to_read(value: str, shape: tuple[int, ...]) -> None:
    source = f"tol a: Z [m]\ntol c: Z [k,n]\ntol d: Z [k,m]\nr := {value}"
    data = {"a": [3, 1], "c": np.zeros((2, 0), int), "d": [[5, 6], [7, 8]]}
    assert {np.shape(one) for one in by_all_engines(source, data)} == {shape}


FOR_NOTHING = ("{ q = 1 % *; d[1,2:1] + q }", "{ q = 1 % *; d[q,2:1] }", "d[1,2:1] + 1 % *", "d[* % 0,2:1]", "d[1,2:1] + d[(*) + 1,1] % *",
               "reshape(d[1,2:1] + 1 % *, [0])", "reduce(a, (s,t) -> s + 1 % t, d[1,2:1])", "d[1,2:1] + reduce(a, (s,t) -> s % t, 1)")  # fmt: skip
"""Elements of a map that are empty, with numerics that have no value."""


@pytest.mark.parametrize("body", FOR_NOTHING)
@pytest.mark.parametrize("engine", [("interpret", True), ("cpu", True), ("cpu", False)])
def test_numerics_are_computed_also_for_no_elements(body: str, engine: tuple[str, bool]) -> None:
    source = f"tol a: Z [n]\ntol d: Z [k,m]\nr := map(a, {body})"
    with pytest.raises(tolang.ToLangRunError) as caught:
        tolang.compile(source, engine=engine[0], strict=engine[1])([1, 0], [[5, 6], [7, 8]])
    assert caught.value.code == "E506"


@pytest.mark.parametrize("engine", [("interpret", True), ("cpu", True), ("cpu", False)])
def test_parts_of_no_elements_have_a_length(engine: tuple[str, bool]) -> None:
    source = "tol c: Z [k,2]\ntol d: Z [n]\nr := map(d, c[1:1,3:n][(*)])"
    with pytest.raises(tolang.ToLangRunError) as caught:
        tolang.compile(source, engine=engine[0], strict=engine[1])(np.zeros((2, 2), int), [])
    assert caught.value.code == "E509"


def test_a_length_that_is_divided_by_zero_has_no_cost() -> None:
    source = "tol a: R [n]\nr := a[2:]\ns := { e = 9 % (|r|[1] + 1); r[1:e] }\nt := map(s, 0, i)"
    with pytest.raises(tolang.ToLangRunError, match="E5"):
        tolang.compile(source)([])
    with pytest.raises(tolang.ToLangRunError, match="divided by zero"):
        _ = tolang.compile(source).cost(n=0).eops
