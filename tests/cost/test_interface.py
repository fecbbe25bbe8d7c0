"""`cost` from Python and `tol cost` on the command line: what they accept, what they show, what they refuse."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import tolang
from tolang.faces.command import app
from tolang.ground.values.values import ToL
from tolang.program.costing import check_limits

MATMUL = """
tol a: R [n,k]
tol b: R [k,m]
vec(i,j) = map(a[i], mul(*, b[*,j]))
elem(i,j) = reduce(vec(i,j), add, 0)
result := map(tol[n,m], elem(i,j), [i,j])
"""
FUNCTIONS = "scale(x, k) := map(x, * * k)\nfirst(x, axis) := softmax(x, axis)\n"


@pytest.fixture
def matmul(tmp_path: Path) -> str:
    path = tmp_path / "matmul.tol"
    path.write_text(MATMUL)
    return str(path)


def command(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.output


def test_sizes_by_name_by_shape_and_by_data() -> None:
    program = tolang.compile(MATMUL)
    expected = 2 * 6 * 5 * 4
    assert program.cost()(n=6, k=5, m=4) == expected
    assert program.cost(n=6, k=5, m=4).eops == expected
    assert program.cost(a=(6, 5), b=(5, 4)).eops == expected
    assert program.cost((6, 5), (5, 4)).eops == expected
    assert program.cost(a=np.zeros((6, 5)), b=np.zeros((5, 4))).eops == expected
    assert int(program.cost(a=[6, 5], m=4)) == expected
    assert program.cost(n=6, k=5, m=4) == expected
    assert program.cost(n=6).at(k=5)(m=4) == expected


def test_some_sizes_may_stay_open() -> None:
    cost = tolang.compile(MATMUL).cost(n=10, a=(10, 3))
    assert str(cost.eops) == "60*m"
    assert cost.given == {"n": 10, "k": 3}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [({"a": (6, 5), "b": (4, 4)}, "E516"), ({"a": (6, 5, 1)}, "E516"), ({"n": -1}, "E605"), ({"n": 2.5}, "E605"),
     ({"q": 3}, "E603"), ({"a": "big"}, "E605"), ({"a": (6, "x")}, "E605")],
)  # fmt: skip
def test_what_does_not_fit_is_refused(arguments: dict[str, object], code: str) -> None:
    with pytest.raises(tolang.ToLangError) as refused:
        tolang.compile(MATMUL).cost(**arguments)
    assert refused.value.code == code


def test_missing_sizes_are_named() -> None:
    with pytest.raises(tolang.ToLangUsageError, match="the size k is not given"):
        tolang.compile(MATMUL).cost()(n=3)


def test_a_program_without_outputs_has_no_cost() -> None:
    with pytest.raises(tolang.ToLangUsageError, match="exports no value"):
        tolang.compile(FUNCTIONS).cost()


def test_functions_by_shapes() -> None:
    program = tolang.compile(FUNCTIONS)
    assert str(program.scale.cost(("n", 3), 2).eops) == "3*n"
    assert str(program.scale.cost(("n", "m"), ()).eops) == "m*n"
    assert program.first.cost((8, 4), 2).eops == 5 * 8 * 4
    assert program.first.cost(np.zeros((8, 4), dtype=np.float32), axis=1).bytes_read == 4 * 8 * 4
    assert program.first.cost((8, 4), 2).name == "first(x,axis)"


def test_functions_that_read_inputs_of_the_program() -> None:
    program = tolang.compile("tol w: R [n,m]\napply(v) := map(tol[n], reduce(map(v, * * w[i,*]), add, 0), i)")
    assert str(program.apply.cost(("m",)).eops) == "2*m*n"
    assert program.apply.cost((3,), w=(4, 3)).eops == 24


def test_text_of_a_cost() -> None:
    cost = tolang.compile(MATMUL).cost()
    assert cost.equation() == "EOPs(result)=k*m*n*EOPs(mul)+k*m*n*EOPs(add)=2*k*m*n"
    assert repr(cost) == "<tolang.Cost of result: 2*k*m*n EOPs>"


def test_derivation_of_several_definitions() -> None:
    source = "tol v: R [n]\nsquares = map(v, *^2)\nr := reduce(squares, add, 0)\nq := sqrt(r)/2"
    assert tolang.compile(source).cost().derivation() == "\n\n".join(
        [
            "EOPs(squares)=EOPs(map(v,*^2))=EOPs(v)+|v|*EOPs(^)=n",
            "EOPs(r)=EOPs(reduce(squares,add,0))=EOPs(squares)+|squares|*EOPs(add)=n",
            "EOPs(q)=EOPs(sqrt)+EOPs(/)=2",
            "EOPs(program)=EOPs(squares)+EOPs(r)+EOPs(q)=n+n+2=2*n+2",
        ]
    )


def test_derivation_where_elements_differ() -> None:
    lines = tolang.compile("tol v: R [n]\nr := map(v, reduce(v[1:i], add, 0), i)").cost().derivation().splitlines()
    assert lines == [
        "EOPs(r)",
        "=EOPs(map(v,reduce(v[1:i],add,0),i))",
        "=EOPs(v)+sum(i=1..n,EOPs(reduce(v[1:i],add,0)))",
        "=sum(i=1..n,EOPs(v[1:i])+|v[1:i]|*EOPs(add))",
        "=sum(i=1..n,i)",
        "=(n*n+n)/2",
    ]


def test_derivation_of_nothing() -> None:
    derivation = tolang.compile("tol v: R [n]\nr := v[2:]").cost().derivation()
    assert derivation == "EOPs(r)=0"
    assert repr(derivation) == "EOPs(r)=0", "a session shows the lines themselves"


def test_command_shows_formulas(matmul: str) -> None:
    code, text = command("cost", matmul)
    assert code == 0
    assert "EOPs                2*k*m*n" in text
    assert "bytes read          8*k*(m + n)" in text
    assert "bound by arithmetic as sizes grow" in text


def test_command_shows_figures_with_units(matmul: str) -> None:
    code, text = command("cost", matmul, "n=512", "k=256", "m=128", "--by", "function")
    assert code == 0
    assert "33554432  33.6 MEOPs" in text
    assert "1.31 MB" in text
    assert "mul       k*m*n  16777216  16.8 MEOPs" in text


def test_command_takes_shapes(matmul: str) -> None:
    for a, b in (("a=512x256", "b=256x128"), ("a=(512,256)", "b=[256,128]")):
        code, text = command("cost", matmul, a, b, "--by", "definition")
        assert code == 0
        assert "result at n = 512, k = 256, m = 128" in text
        assert "vec         m*n        k*m*n    k*m*n  16777216  EOPs" in text


def test_command_writes_json(matmul: str) -> None:
    code, text = command("cost", matmul, "n=512", "k=256", "m=128", "--json")
    assert code == 0
    found = json.loads(text)
    assert found["eops"] == 33554432
    assert found["by_function"] == {"mul": 16777216, "add": 16777216}
    assert found["by_definition"]["elem"] == {"evaluations": 65536, "eops": 33554432, "own": 16777216}
    assert found["bytes_read"] + found["bytes_written"] == 8 * (512 * 256 + 256 * 128 + 512 * 128)
    assert json.loads(command("cost", matmul, "--json")[1])["eops"] == "2*k*m*n"


def test_command_derives(matmul: str) -> None:
    code, text = command("cost", matmul, "--derive")
    assert code == 0
    assert text.splitlines()[0] == "EOPs(result)"
    assert text.splitlines()[-1] == "=2*k*m*n"


def test_command_of_a_function(tmp_path: Path) -> None:
    path = tmp_path / "functions.tol"
    path.write_text(FUNCTIONS)
    code, text = command("cost", str(path), "--function", "first", "x=(n,10)", "axis=2")
    assert code == 0
    assert "50*n" in text


@pytest.mark.parametrize(
    ("argument", "code"), [("n", "E603"), ("n=many", "E605"), ("q=3", "E603"), ("a=3x4x5", "E516")]
)
def test_command_refuses(matmul: str, argument: str, code: str) -> None:
    exit_code, text = command("cost", matmul, argument)
    assert exit_code == 2
    assert code in text


def test_a_run_beyond_its_limit_is_refused_and_says_by_how_much(matmul: str) -> None:
    data = ["a=[[1,2],[3,4]]", "b=[[1,2],[3,4]]"]
    code, text = command("run", matmul, *data, "--max-eops", "10")
    assert code == 2
    assert "error E611: the program needs 16 EOPs, 6 EOPs more than allowed" in text
    assert "1.6 times the limit" in text
    code, text = command("run", matmul, *data, "--max-memory", "100")
    assert code == 2
    assert "the program needs 112 bytes, 12 bytes more than allowed" in text
    code, text = command("run", matmul, *data, "--max-eops", "16", "--max-memory", "2GB")
    assert code == 0
    assert "[[7.0,10.0],[15.0,22.0]]" in "".join(text.split())


def test_limits_count_numerics_among_the_inputs_and_unknown_lengths() -> None:
    program = tolang.compile("tol v: R [n]\ntol steps: N\nr := reduce(tol[steps], (s,x) -> s*2, v)")
    core, inputs = program.core, {"v": ToL.of(np.zeros(3)), "steps": ToL.of(100)}
    check_limits(core, {"n": 3}, 300, None, inputs)
    with pytest.raises(tolang.ToLangUsageError, match="300 EOPs, 1 EOPs more"):
        check_limits(core, {"n": 3}, 299, None, inputs)
    with pytest.raises(tolang.ToLangUsageError, match="nothing bounds"):
        check_limits(tolang.compile("tol z: N [m]\nr := map(tol[z[1]], exp(i), i)").core, {"m": 1}, 10**9)


def test_a_thousand_definitions_take_under_a_second() -> None:
    lines = ["tol a: R [n,n]", "prod(x,y) = map(tol[|x|[1],|y|[2]], reduce(map(x[i], * * y[*,j]), add, 0), [i,j])"]
    before = "a"
    bodies = ("map({0}, exp(*)+{1})", "prod({0},a)", "{0}*2+a", "map({0}, reduce({0}[i], max, -Inf)+*, [i,j])")
    for number in range(1000):
        lines.append(f"d{number} = {bodies[number % 4].format(before, number)}")
        before = f"d{number}"
    program = tolang.compile("\n".join([*lines, f"out := {before}"]))
    program.cost(n=3).as_dict()
    start = time.thread_time()
    found = program.cost(n=512)
    assert found.eops == 250 * (2 * 512**2 + 2 * 512**3 + 2 * 512**2 + 512**3 + 512**2)
    assert len(found.by_definition) == 1001
    assert time.thread_time() - start < 1


def test_explicit_sums_at_large_sizes_are_exact_and_fast() -> None:
    cost = tolang.compile("tol v: R [n]\nr := map(v, reduce(v[1:i*i/7], add, 0), i)").cost()
    start = time.thread_time()
    assert cost(n=200_000) == sum(i * i // 7 for i in range(1, 200_001))
    assert time.thread_time() - start < 1
