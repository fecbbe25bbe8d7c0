"""Notebooks: cells on Python's variables, what they leave behind, what they show, and the tutorial."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pyarrow
import pytest
from IPython.core.completer import provisionalcompleter
from IPython.utils.capture import capture_output
from tests.docs.notebooks import close_shell, executed, open_shell, texts

import tolang
from tolang.ground.dataclasses import dataclass
from tolang.ground.values.values import ToL

pytestmark = pytest.mark.xdist_group("notebook")  # one shell for all tests
ROOT = Path(__file__).resolve().parents[2]
PRODUCT = """%%tol
tol a: R [n,k]
tol b: R [k,m]
at(i,j) = reduce(map(a[i], * * b[*,j]), add, 0)
c := map(tol[n,m], at(i,j), [i,j])
"""


@dataclass(frozen=True)
class Ran:
    """What a cell did: what it printed, what it showed, its value, and its error."""

    text: str
    shown: list[Any]
    value: Any
    error: BaseException | None


class Notebook:
    """A notebook in this process."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.names: dict[str, Any] = shell.user_ns

    def run(self, cell: str) -> Ran:
        with capture_output() as captured:
            done = self.shell.run_cell(cell)
        return Ran(captured.stdout, captured.outputs, done.result, done.error_in_exec)

    def good(self, cell: str) -> Any:
        """The value of a cell without error."""
        done = self.run(cell)
        assert done.error is None, done.text
        return done.value

    def code(self, cell: str) -> str:
        """The code of the error that a cell ends with."""
        error = self.run(cell).error
        assert isinstance(error, tolang.ToLangError), error
        return error.code


@pytest.fixture(scope="module")
def shell() -> Iterator[Any]:
    yield open_shell({})
    close_shell()


@pytest.fixture
def notebook(shell: Any) -> Iterator[Notebook]:
    """A fresh notebook with the extension loaded, and two matrices."""
    shell.reset(new_session=True)
    fresh = Notebook(shell)
    fresh.good("%load_ext tolang")
    fresh.good("%reload_ext tolang")
    fresh.names |= {"np": np, "a": np.arange(6.0).reshape(2, 3), "b": np.arange(12.0).reshape(3, 4)}
    yield fresh
    fresh.good("%unload_ext tolang")


def test_a_cell_computes_on_the_variables_and_gives_variables(notebook: Notebook) -> None:
    done = notebook.run(PRODUCT)
    assert (done.error, done.text) == (None, "c: R [2,4]\n")
    a, b = notebook.names["a"], notebook.names["b"]
    assert isinstance(notebook.names["c"], np.ndarray)
    assert np.array_equal(notebook.names["c"], a @ b)
    assert notebook.good("%tol at(2,3)") == (a @ b)[1, 2]
    assert np.array_equal(notebook.good("%tol c[1]"), (a @ b)[0])


def test_later_cells_read_the_variable_and_not_its_formula(notebook: Notebook) -> None:
    notebook.good(PRODUCT)
    notebook.good("c = np.array([1.0, 2.0])")
    assert notebook.good("%tol reduce(c, add, 0)") == 3
    notebook.good("a = np.ones((5, 3))")
    assert notebook.good("%tol |map(tol[n], at(i,1), i)|").tolist() == [5]


def test_names_of_the_library(notebook: Notebook) -> None:
    """What a cell exports is meant by later cells; any other variable of a library's name must be declared."""
    notebook.names["mean"] = np.arange(3.0)
    assert notebook.code("%tol mean") == "E204"
    assert notebook.good("%tol mean(a)") == 2.5
    notebook.good("%%tol\ncount := 4\nnext = count + 1\nabove(x) := x + count")
    assert notebook.good("%tol next") == 5
    notebook.good("count = 10")
    assert notebook.good("%tol count + next") == 21
    assert notebook.good("above(1)") == 11
    assert notebook.code("%%tol p\ny := count + 1") == "E204"
    notebook.good("del count")
    assert notebook.good("%tol count(a > 2)") == 3
    notebook.good("%%tol\ntol mean: R [n]\ncount = mean[3]")
    assert notebook.good("%tol count") == 2


def test_errors_leave_everything_as_it_was(notebook: Notebook) -> None:
    notebook.good("%%tol\nf(x) = x + 1\ng := 5")
    before = notebook.run("%tol_list").text
    for cell, code in [
        ("%%tol\nf(x) = x * nope\nh := 3", "E201"), ("%%tol\nf(x) = (x", "E102"), ("%%tol\nh := 3\nh[1,2]", "E302"),
        ("%%tol\nh := 3\na[a[2,3],1]", "E513"), ("%%tol\nh := 3\nh := 4", "E206"), ("%tol f(1,2)", "E203"),
        ("%tol tol[n]", "E201"), ("%%tol\ntol z: R [n]\nz", "E603"), ("%%tol\ntol a: R [n]\na", "E516"),
        ("%tol a + b", "E301"),
    ]:  # fmt: skip
        assert notebook.code(cell) == code, cell
        assert "h" not in notebook.names
        assert notebook.run("%tol_list").text == before
    assert notebook.good("%tol f(g)") == 6


def test_stale_definitions_do_not_stand_in_the_way(notebook: Notebook) -> None:
    notebook.good("w = np.ones(3)")
    notebook.good("%%tol\ntwice = w * 2\nf(x) = x + 1")
    notebook.good("del w")
    assert notebook.good("%tol f(1)") == 2
    assert notebook.code("%tol twice") == "E201"
    notebook.good("w = np.zeros((2,2))")
    assert notebook.good("%tol twice").tolist() == [[0, 0], [0, 0]]


def test_definitions_replace_what_was_said_of_a_name(notebook: Notebook) -> None:
    notebook.good("%%tol\ntol x: R [n]\ny = 2")
    notebook.good("%%tol\nx(k) = k + y")
    assert notebook.good("%tol x(1)") == 3
    notebook.good("%%tol\ny = 5\ntol x: N")
    notebook.good("x = 7")
    assert notebook.good("%tol x + y") == 12
    notebook.good("%tol_reset")
    assert notebook.code("%tol y") == "E201"


def test_types_and_modules_stay_for_later_cells(notebook: Notebook) -> None:
    notebook.good("%%tol\nuse linalg\nlist person: [name: S, age: byte]\nspace byte: N [0,255]")
    notebook.names["people"] = [("ann", 3), ("bob", 40)]
    notebook.good("%%tol\ntol people: person [n]\nages := map(people, *[age]')\nproduct := matmul(a, b)")
    assert notebook.names["ages"].dtype == np.uint8
    assert np.array_equal(notebook.names["product"], notebook.names["a"] @ notebook.names["b"])
    notebook.names["people"] = [("ann", 300)]
    assert notebook.code("%tol people") == "E501"


def test_large_values_are_compiled_and_the_same(notebook: Notebook) -> None:
    notebook.names |= {"big": np.random.default_rng(1).random((300, 300)), "n": 2}
    notebook.good("%%tol --engine cpu\nuse linalg\nsquare := matmul(big, big) * n")
    big = notebook.names["big"]
    assert np.allclose(notebook.names["square"], big @ big * 2, rtol=1e-12)  # both round 300 sums, each at most 300 ulp
    notebook.names["n"] = 3
    notebook.good("%%tol --engine cpu\nuse linalg\nsquare := matmul(big, big) * n")
    assert np.allclose(notebook.names["square"], big @ big * 3, rtol=1e-12)


def test_sizes(notebook: Notebook) -> None:
    notebook.good("n = 100")
    assert notebook.good("%%tol\ntol a: R [n,k]\nsize := n") is None
    assert notebook.names["size"] == 2  # the declared shape of the cell gives n
    assert notebook.good("%tol |tol[n]|").tolist() == [100]  # nothing declared here: the variable
    assert notebook.good("%tol k") == 3  # no variable: the shape declared before
    notebook.good("%%tol\ntol z = [q]\nz = map(z, 1)")
    assert notebook.code("%tol z") == "E517"
    notebook.good("q = 2")
    assert notebook.good("%tol z").tolist() == [1, 1]


def test_kinds_of_variables(notebook: Notebook) -> None:
    names = notebook.names
    names |= {"f32": np.ones((2, 3), np.float32), "axis": 2, "text": "it's", "lines": "a\nb", "half": 0.5, "yes": True}
    names |= {"order": [2, 1], "wide": 2**70, "nested": [[1.5, 2.5]], "words": np.array(["a", "b"]), "module": np}
    names |= {"tol1": ToL.of([(1, 2.5), (3, 4.5)]), "table": pyarrow.table({"age": [3, 4], "name": ["x", "y"]})}
    assert notebook.good("%tol f32 * half").dtype == np.float64
    assert notebook.good("%tol f32 * 2").dtype == np.float32
    assert np.allclose(notebook.good("%tol softmax(f32, axis)"), 1 / 3)
    assert notebook.good("%tol text") == "it's"
    assert notebook.good("%tol lines") == "a\nb"
    assert notebook.good("%tol if yes then half else 2") == 0.5
    assert np.array_equal(notebook.good("%tol permute(a, order)"), names["a"].T)
    assert notebook.good("%tol nested[1,2]") == 2.5
    assert notebook.good("%tol words").tolist() == ["a", "b"]
    assert notebook.good("%tol tol1[2]'").tolist() == [2.5, 4.5]
    assert notebook.good("%tol map(table, *[age]' + 1)").tolist() == [4, 5]
    assert type(notebook.good("%tol reduce(table[1]', add, 0)")) is int
    assert notebook.good("%tol (table[2]', table[1]')") == ToL.of([("x", 3), ("y", 4)])
    assert notebook.code("%tol wide + 1") == "E505"
    error = notebook.run("%tol module").error
    assert "the notebook's module is a module; arrays" in str(error)


def test_functions_are_callable_and_see_the_notebook_as_it_is(notebook: Notebook) -> None:
    assert notebook.code("%tol scale(x) := x + shift") == "E201"
    notebook.names["shift"] = 10
    notebook.good("%%tol\nbase = 1\nscale(x, by=2) := x * by + base + shift\nhidden(x) = x")
    names = notebook.names
    scale = names["scale"]
    assert "hidden" not in names
    assert scale(np.arange(3.0)).tolist() == [11, 13, 15]
    names["shift"] = np.array([0.0, 100.0, 200.0])
    assert scale(np.arange(3.0), by=3).tolist() == [1, 104, 207]
    notebook.good("%tol base = 1000")
    assert scale(np.zeros(3)).tolist() == [1000, 1100, 1200]
    assert (repr(scale), scale.__name__) == ("<tolang function scale(x, by=2)>", "scale")
    assert list(inspect.signature(scale).parameters) == ["x", "by"]
    assert scale.__doc__ == "scale(x, by=2) := x * by + base + shift"
    assert int(scale.cost((3,))) == 9
    notebook.good("%tol_reset")
    assert notebook.code("scale(np.zeros(3))") == "E606"


def test_functions_read_declared_inputs_and_not_others_of_their_names(notebook: Notebook) -> None:
    notebook.good(PRODUCT)
    notebook.good("%%tol\nrow(i) := map(tol[m], at(i,j), j)\nfirst(a) := a[1]")
    a, b = notebook.names["a"], notebook.names["b"]
    assert np.array_equal(notebook.names["row"](2), (a @ b)[1])
    notebook.names["b"] = b.astype(np.float32)
    assert np.allclose(notebook.names["row"](1), (a @ b)[0])
    del notebook.names["a"]
    assert notebook.names["first"](np.array([7.0, 8.0])) == 7
    assert notebook.code("row(1)") == "E603"


def test_options(notebook: Notebook) -> None:
    seeds = [notebook.good(f"%tol {option} rand(1)") for option in ("--seed 7", "--seed=7", "")]
    assert seeds[0] == seeds[1] != seeds[2]
    for line in ("--engine interpret", "--engine=cpu --threads 1", "--strict --engine cpu", "--seed -3"):
        assert notebook.good(f"%tol {line} reduce(a[2], add, 0)") == 12
        notebook.good(f"%%tol {line}\nd := reduce(a[2], add, 0)")
        assert notebook.names["d"] == 12
    assert notebook.good("%tol -3 + 4") == 1
    assert notebook.good("%tol reduce(map(a[1], {q = *; q + 1}), add, 0)") == 6
    for line, code in [("--engine gpu", "E601"), ("--zap 1", "E603"), ("--seed x", "E605"), ("--threads 0", "E605"),
                       ("--engine", "E603"), ("two names", "E603")]:  # fmt: skip
        assert notebook.code(f"%%tol {line}\n1") == code, line


def test_programs(notebook: Notebook) -> None:
    notebook.good("%%tol\nplus(x, y) = x + y + offset\ntol x: R [q]\noffset = 0.0\nbig = 2")
    done = notebook.run(
        "%%tol minplus --engine cpu\ntol a: R [n,k]\ntol b: R [k,m]\n"
        "c := map(tol[n,m], reduce(map(a[i], plus(*, b[*,j])), min, Inf), [i,j])"
    )
    assert done.error is None, done.text
    assert done.text == "minplus (a: R [n, k], b: R [k, m]) -> c: R [n, m]\n"
    program = notebook.names["minplus"]
    a, b = np.random.default_rng(0).random((2, 4, 4))
    assert isinstance(program, tolang.Program)
    assert np.array_equal(program(a, b), (a[:, :, None] + b[None]).min(axis=1))
    assert str(program.cost().eops) == "3*k*m*n"
    assert "c" not in notebook.names
    assert "<td>c</td><td>R [n, m]</td>" in program._repr_html_()
    assert notebook.code("%%tol other\ny := a + 1") == "E201"
    assert notebook.code("%%tol other\n1 + 1") == "E101"
    assert "other" not in notebook.names


def test_cost_counts_and_runs_nothing(notebook: Notebook) -> None:
    notebook.good(PRODUCT)
    for cell in ("%%tol --cost\n", "%%tol_cost\n"):
        cost = notebook.good(f"{cell}product := map(tol[n,m], at(i,j), [i,j])")
        assert int(cost) == 2 * 2 * 3 * 4
        assert str(cost.at_open_sizes().eops) == "2*k*m*n"
        assert "product" not in notebook.names
    assert int(notebook.good("%tol_cost at(1,1)")) == 6
    assert notebook.good("%tol_cost at(1,1)").name == "at(1,1)"
    assert notebook.code("%%tol --cost\nh(x) = x") == "E602"
    del notebook.names["a"], notebook.names["b"]
    assert str(notebook.good("%tol_cost map(tol[n,m], at(i,j), [i,j])").eops) == "2*k*m*n"
    shown = cost._repr_html_()
    for text in ("product at n = 2, k = 3, m = 4", "<td>2*k*m*n</td><td>48</td>", "<th>mul</th>", "bound by memory"):
        assert text in shown
    assert "here" not in cost.at_open_sizes()._repr_html_()


def test_expressions_are_shown_in_order(notebook: Notebook) -> None:
    done = notebook.run("%%tol\na[1]\n2\n(a, b)")
    assert done.value is None
    assert [one.data["text/plain"].partition("\n")[0] for one in done.shown] == [
        "ToL [3] of [R]", "ToL [] of [N]", "ToL [2,3] of [R]", "ToL [3,4] of [R]"]  # fmt: skip
    assert all("<code>" in one.data["text/html"] for one in done.shown)
    assert notebook.run("%%tol\n# nothing\n").error is None


def cells(markup: str) -> list[str]:
    return re.findall(r"<t[hd]>(.*?)</t[hd]>", markup)


def test_values_as_tables() -> None:
    people = ToL.of(np.array([("<b>ann</b>", 3), ("o'brien", 4)], dtype=[("name & co", "U12"), ("age", "i8")]))
    assert cells(people._repr_html_()) == [
        "",
        "name &amp; co: S",
        "age: Z",
        "1",
        "&#x27;&lt;b&gt;ann&lt;/b&gt;&#x27;",
        "3",
        "2",
        "&#x27;o&#x27;&#x27;brien&#x27;",
        "4",
    ]
    assert cells(ToL.of([[1, 2], [3, 4]])._repr_html_()) == ["", "1", "2", "1", "1", "2", "2", "3", "4"]
    assert cells(ToL.of([1.5, np.inf])._repr_html_()) == ["1", "2", "1.5", "Inf"]
    assert cells(ToL.of([(1, 2)])._repr_html_()) == ["", "1: Z", "2: Z", "1", "1", "2"]
    assert "R [3,4,5]" in ToL.of(np.zeros((3, 4, 5)))._repr_html_()
    for shape in ((0,), (0, 3), (), (1, 1)):
        assert ToL.of(np.zeros(shape))._repr_html_().startswith("<div><code>R")


def test_long_values_are_elided() -> None:
    shown = cells(ToL.of(np.arange(10**6).reshape(1000, 1000))._repr_html_())
    assert len(shown) == 22 * 12
    assert shown[:3] == ["", "1", "2"]
    assert shown[-1] == "999999"
    assert cells(ToL.of(np.arange(100))._repr_html_())[5] == "…"
    table = ToL.of(np.zeros(1000, dtype=[("a", "f8"), ("b", "U3")]))
    assert len(cells(table._repr_html_())) == 22 * 3
    assert len(ToL.of(["x" * 10**6])._repr_html_()) < 1000


def test_errors_are_shown_with_source_and_caret_and_no_traceback(notebook: Notebook) -> None:
    text = notebook.run("%%tol\ny := 1\nz := [1,2,3][y + 4]").text
    assert "\x1b[1;31merror E303:\x1b[0m" in text
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert plain.startswith(
        "<cell>:3:6: error E303: coordinate 5 is outside a vector of 3\n    3 | z := [1,2,3][y + 4]\n      |      ^^^"
    )
    assert "expected: 1 to 3" in plain
    assert "Traceback" not in plain
    assert "site-packages" not in plain


def test_errors_of_calls_tell_the_line_of_python(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    notebook.good("%tol f(x) := x[9]")
    text = notebook.run("def g(v):\n    return f(v)\n\ng(np.arange(3.0))").text
    assert text.startswith("from line 4: g(np.arange(3.0))\nfrom g, line 2: return f(v)\n<cell>:1:9: error E")
    assert "    1 | f(x) := x[9]\n      |         ^^^^" in text


def test_completion(notebook: Notebook) -> None:
    notebook.good("%tol softly(x) = x")
    notebook.shell.Completer.use_jedi = False  # which takes seconds, and knows Python only

    def completed(text: str) -> set[str]:
        with provisionalcompleter():
            return {one.text for one in notebook.shell.Completer.completions(text, len(text))}

    notebook.names["softy"] = np.ones(2)
    assert completed("%tol 1 + sof") >= {"softmax", "softly", "softy"}
    assert completed("%%tol\nx = reduce(sof") >= {"softmax", "softly", "softy"}
    assert "softmax" not in completed("sof")
    notebook.good("%unload_ext tolang")
    assert "softmax" not in completed("%tol sof")
    assert "%tol" not in notebook.shell.magics_manager.magics["line"]


def test_tutorial(tmp_path: Path) -> None:
    """The tutorial runs from top to bottom, and its cells show what they show there, but for times."""
    stored: Any = nbformat.read(  # type: ignore[no-untyped-call]
        ROOT / "docs" / "tutorial.ipynb", as_version=4
    )
    nbformat.validate(stored)
    fresh = executed(stored, tmp_path)
    pairs = [(one, new) for one, new in zip(stored.cells, fresh.cells, strict=True) if one.cell_type == "code"]
    assert len(pairs) > 20
    for one, new in pairs:
        if "varies" not in one.metadata.get("tags", ()):
            assert texts(new) == texts(one), one.source
        assert [set(each.get("data", ())) for each in new.outputs] == [
            set(each.get("data", ())) for each in one.outputs
        ]
