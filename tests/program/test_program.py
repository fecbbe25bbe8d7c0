"""The Python interface: `tolang.compile`, programs called with data, and what a wrong call is told."""

from __future__ import annotations

import inspect
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tolang

PRODUCT = """
tol a: R [n,k]
tol b: R [k,m]
tol result = [n,m]
vec(i,j)  = map(a[i], mul(*, b[*,j]))
elem(i,j) = reduce(vec(i,j), add, 0)
result   := map(result, elem(i,j), [i,j])
"""
RANDOM = np.random.default_rng(7)


def failure(call: Any) -> tolang.ToLangError:
    with pytest.raises(tolang.ToLangError) as caught:
        call()
    return caught.value


def test_inputs_by_position_and_by_name() -> None:
    program = tolang.compile(PRODUCT)
    a, b = RANDOM.random((4, 3)), RANDOM.random((3, 5))
    for result in (program(a, b), program(a=a, b=b), program(b=b, a=a), program(a, b=b)):
        np.testing.assert_allclose(result, a @ b, rtol=1e-14)
    assert program(a.tolist(), b.tolist()).tolist() == program(a, b).tolist()


def test_interface_is_told() -> None:
    program = tolang.compile(PRODUCT + "half(x, by=2) := map(x, */by)")
    assert list(program.inputs) == ["a", "b"]
    assert str(program.inputs["a"]) == "R [n, k]"
    assert program.sizes == ("n", "k", "m")
    assert [str(kind) for kind in program.outputs.values()] == ["R [n, m]"]
    assert program.functions == ("half",)
    assert "half" in dir(program)
    assert "a: R [n, k]" in repr(program)
    assert "half(x, by)" in repr(program.half)
    assert str(inspect.signature(program.half)) == "(x, by=Ellipsis)"


def test_several_outputs_are_a_dictionary() -> None:
    results = tolang.compile("tol x: R [n]\ntop := reduce(x, max, -Inf)\nall := map(x, * + 1)")([3.0, 5.0, 4.0])
    assert list(results) == ["top", "all"]
    assert results["top"] == 5
    assert results["all"].tolist() == [4, 6, 5]


def test_one_output_is_returned_itself() -> None:
    number = tolang.compile("tol x: N [n]\nr := reduce(x, add, 0)")([1, 2, 3])
    assert number == 6
    assert np.ndim(number) == 0
    assert isinstance(tolang.compile("r := [1,2]")(), np.ndarray)
    assert tolang.compile("r := 'text'")() == "text"


def test_lists_are_tols() -> None:
    value = tolang.compile("tol x: R [n]\nr := map(x, (*, iter))")([0.5, 1.5])
    assert isinstance(value, tolang.ToL)
    assert value.capacity == 2
    assert value.to_list() == [(0.5, 1), (1.5, 2)]
    assert tolang.compile("r := (1, 'a')")() == (1, "a")


def test_bundle_is_a_tuple() -> None:
    first, second = tolang.compile("tol x: R [n]\nr := (x, [1,2,3])")([7.0])
    assert first.tolist() == [7]
    assert second.tolist() == [1, 2, 3]


def test_empty_inputs() -> None:
    program = tolang.compile(PRODUCT)
    assert program(np.ones((2, 0)), np.ones((0, 3))).tolist() == np.zeros((2, 3)).tolist()
    assert program(np.ones((0, 2)), np.ones((2, 3))).shape == (0, 3)


@pytest.mark.parametrize("storage", ["float32", "float64", "float16"])
def test_storage_of_data_is_kept(storage: str) -> None:
    program = tolang.compile("tol x: R [n]\nr := map(x, * * 2 + 1)")
    x = RANDOM.random(5).astype(storage)
    result = program(x)
    assert result.dtype == np.dtype(storage)
    assert result.tolist() == (x * 2 + 1).tolist()
    assert program(x.astype("float64")).dtype == np.float64


def test_sizes_by_name() -> None:
    program = tolang.compile("tol grid = [n,m]\ngrid := map(grid, i + 10*j, [i,j])")
    assert program.sizes == ("n", "m")
    expected = np.add.outer(np.arange(1, 3), 10 * np.arange(1, 4))
    assert program(n=2, m=3).tolist() == expected.tolist()
    assert program(n=np.int64(2), m=np.asarray(3)).tolist() == expected.tolist()


def test_sizes_are_solved_in_any_order() -> None:
    program = tolang.compile("tol ab: R [n+m]\ntol a: R [n]\nb := ab[n+1:]")
    assert program([1.0, 2, 3, 4, 5], [0.0, 0]).tolist() == [3, 4, 5]
    program = tolang.compile("tol x: R [2*n+1]\nr := n")
    assert program(np.ones(7)) == 3
    error = failure(lambda: program(np.ones(6)))
    assert error.code == "E516"
    assert "2*n+1" in str(error).replace(" ", "")


def test_length_from_a_numeric_input() -> None:
    program = tolang.compile("tol k: N\ntol x: R [k]\nr := reduce(x, add, 0) / k")
    assert program(4, [1.0, 2, 3, 6]) == 3
    assert failure(lambda: program(3, [1.0, 2, 3, 6])).code == "E516"


def test_seed() -> None:
    program = tolang.compile("r := map(tol[100], rand(1))")
    assert program().tolist() == program(seed=0).tolist()
    assert program(seed=1).tolist() == program(seed=1).tolist()
    assert program(seed=1).tolist() != program(seed=2).tolist()
    assert ((program() >= 0) & (program() < 1)).all()


@pytest.mark.parametrize("seed", [1.5, "x", None, [1.0]])
def test_wrong_seeds(seed: Any) -> None:
    program = tolang.compile("r := rand(1)\nf(x) := rand(x)")
    for call in (lambda: program(seed=seed), lambda: program.f(1.0, seed=seed), lambda: tolang.evaluate("1", seed)):
        assert isinstance(failure(call), tolang.ToLangUsageError)


def test_input_called_seed() -> None:
    program = tolang.compile("tol seed: R [n]\nr := reduce(seed, add, 0)")
    assert program([1.0, 2.0]) == 3
    data: Any = [1.0]
    assert "by position" in str(failure(lambda: program(data, seed=data)))


def test_exported_functions() -> None:
    program = tolang.compile(
        "tol w: R [n]\nscale(x, by=2) := map(x, * * by)\ndot(x) := reduce(map(x, * * w[iter]), add, 0)"
    )
    assert program.scale([1.5, 2.5]).tolist() == [3, 5]
    assert program.scale([1.5, 2.5], 4).tolist() == [6, 10]
    assert program.scale(x=np.ones((2, 2)), by=0.5).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert program.dot([1.0, 2.0], w=[10.0, 100.0]) == 210
    error = failure(lambda: program.dot([1.0, 2.0]))
    assert isinstance(error, tolang.ToLangUsageError)
    assert "w: R [n]" in str(error)


def test_constants_of_functions_are_static_and_told_apart() -> None:
    program = tolang.compile("f(x) := if x == 1 then 'one' else 'other'\nsizes(v) := tol[v]\nkind(x) := space(x)")
    assert program.f(1) == "one"
    assert program.f(2) == "other"
    assert program.function("sizes")((2, 3)).shape == (2, 3)
    assert program.kind(1).tolist() == ["N"]
    assert program.kind(True).tolist() == ["B"]


def test_names_that_are_words_of_python() -> None:
    program = tolang.compile("tol in: R [n]\nr := map(in, * + 1)\nf(lambda) := lambda + 1")
    assert program(in_=[1.0]).tolist() == [2]
    assert program.f(lambda_=2) == 3


def test_bundles_and_lists_as_results_of_functions() -> None:
    program = tolang.compile("f(x) := (x, [1,2])\ng(x) := (x, 2)")
    first, second = program.f([1.0])
    assert (first.tolist(), second.tolist()) == ([1], [1, 2])
    assert program.g(3) == (3, 2)


@pytest.mark.parametrize(
    ("arguments", "named", "words"),
    [
        ((), {}, ["inputs a, b are missing", "a: R [n, k]; b: R [k, m]"]),
        ((np.ones((2, 2)),), {}, ["the input b is missing"]),
        ((1, 2, 3), {}, ["takes 2 inputs", "3 by position"]),
        ((np.ones((2, 2)),), {"a": 1}, ["a is given twice"]),
        ((np.ones((2, 2)), np.ones((2, 2))), {"c": 1}, ["no input c", "a: R [n, k]"]),
        ((np.ones((2, 2)), np.ones((2, 2))), {"n": 2.5}, ["the size n", "2.5"]),
        ((np.ones((2, 2)), np.ones((2, 2))), {"n": -1}, ["the size n", "-1"]),
    ],
)
def test_wrong_calls(arguments: tuple[Any, ...], named: dict[str, Any], words: list[str]) -> None:
    error = failure(lambda: tolang.compile(PRODUCT)(*arguments, **named))
    assert isinstance(error, tolang.ToLangUsageError)
    assert error.code in ("E603", "E605")
    for word in words:
        assert word in str(error)


def test_close_name_is_proposed() -> None:
    program = tolang.compile("tol weights: R [n]\nr := weights")
    assert "did you mean weights?" in str(failure(lambda: program(weight=[1.0])))


def test_data_that_does_not_fit() -> None:
    program = tolang.compile(PRODUCT)
    error = failure(lambda: program(np.ones((2, 3)), np.ones((4, 2))))
    assert isinstance(error, tolang.ToLangRunError)
    assert error.code == "E516"
    assert "k = 3 from dimension 2 of a" in str(error)
    assert failure(lambda: program(np.ones(2), np.ones((2, 2)))).code == "E516"
    assert failure(lambda: program(np.ones((2, 2)), np.ones((2, 2)), n=3)).code == "E516"
    error = failure(lambda: tolang.compile("tol x: N [n]\nr := x")([1, -2]))
    assert error.code == "E501"
    assert "-2 at [2] of x" in str(error)


def test_size_that_nothing_gives() -> None:
    error = failure(tolang.compile("tol grid = [n]\ngrid := map(grid, iter)"))
    assert isinstance(error, tolang.ToLangUsageError)
    assert error.code == "E517"
    assert "n=…" in str(error)


def test_program_without_values() -> None:
    assert failure(tolang.compile("x = 3")).code == "E602"
    error = failure(tolang.compile("f(x) := x"))
    assert "call one of its functions: f" in str(error)


def test_unknown_engine_and_function() -> None:
    error = failure(lambda: tolang.compile("r := 1", engine="abacus"))
    assert isinstance(error, tolang.ToLangUsageError)
    assert error.code == "E601"
    assert "interpret" in str(error)
    program = tolang.compile("f(x) := x")
    with pytest.raises(AttributeError, match="exported functions: f"):
        _ = program.g
    assert failure(lambda: program.function("g")).code == "E606"


def test_wrong_calls_of_functions() -> None:
    program = tolang.compile("f(x, y) := x + y")
    for call, word in (
        (lambda: program.f(1), "needs the argument y"),
        (lambda: program.f(1, 2, 3), "takes 2 argument(s)"),
        (lambda: program.f(1, 2, z=3), "no parameter z"),
        (lambda: program.f(1, x=2), "given twice"),
    ):
        error = failure(call)
        assert isinstance(error, tolang.ToLangUsageError)
        assert word in str(error)
        assert "f(x, y)" in str(error)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "one.tol"
    path.write_text("\ufeffr := 1 + 1\n", encoding="utf-8")
    assert tolang.compile(path)() == 2
    assert tolang.compile(str(path))() == 2
    error = failure(lambda: tolang.compile(tmp_path / "none.tol"))
    assert isinstance(error, tolang.ToLangUsageError)
    assert error.code == "E604"
    path.write_bytes(b"\xff\xfe r := 1")
    assert "not UTF-8" in str(failure(lambda: tolang.compile(path)))
    assert failure(lambda: tolang.compile(tmp_path)).code == "E604"


def test_errors_of_the_program_have_their_classes() -> None:
    assert isinstance(failure(lambda: tolang.compile("r := (1")), tolang.ToLangSyntaxError)
    assert isinstance(failure(lambda: tolang.compile("r := nope")), tolang.ToLangCheckError)
    assert isinstance(failure(lambda: tolang.compile("tol i: N\nr := [1,2][i]")(3)), tolang.ToLangRunError)
    assert issubclass(tolang.ToLangUsageError, tolang.ToLangError)


def test_evaluate() -> None:
    assert tolang.evaluate("reduce([1,2,3,4,5], add, 0)") == 15
    assert tolang.evaluate("[[1,2],[3,4]]") == [[1, 2], [3, 4]]
    assert tolang.evaluate("convert(1/4, [Q])") == Fraction(1, 4)
    assert tolang.evaluate("(1, 'a')") == (1, "a")
    assert tolang.evaluate("([1], [2,3])") == ([1], [2, 3])
    assert tolang.evaluate("rand(1)", seed=1) == tolang.evaluate("rand(1)", seed=1)
    assert isinstance(failure(lambda: tolang.evaluate("")), tolang.ToLangSyntaxError)


def test_import_is_light() -> None:
    program = "import sys, tolang; print(*(m for m in ('numpy','typer','rich','llvmlite') if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_only_a_client_of_a_cluster_is_run_on() -> None:
    with pytest.raises(tolang.ToLangUsageError, match="the client of a Dask cluster"):
        tolang.compile("tol x: f32 [n]\ny := map(x, * + 1)").on("cpu")
