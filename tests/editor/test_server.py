"""The language server through a real client, over the standard streams of one process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from tests.editor.client import LIBRARY, Client, position, written
from tests.editor.texts import long_text

from tolang.syntax.formatter import format_text

pytest.importorskip("pygls", reason="the language server needs pygls")

TEXT = """\
use linalg
# Data of the sensors
tol a: R [n,m]

# The norm of all numbers
norm(t, p=2) = {
  s = reduce(t, (u, v) -> u + v^p, 0)
  s^(1/p)
}
total = norm(a, p=2)
b := map(a, x -> x/total)
c := matmul(a, transpose(b))
"""
pytestmark = pytest.mark.xdist_group("language server")  # one process for all tests
WHOLE = {"start": position(0, 0), "end": position(1000, 0)}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    one = Client()
    assert one.open("shared.tol", TEXT) == []
    yield one
    one.close()


def place(word: str, number: int = 0, text: str = TEXT) -> tuple[int, int]:
    """Line and character of an occurrence of a word."""
    offset = -1
    for _ in range(number + 1):
        offset = text.index(word, offset + 1)
    return text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1


def offered(client: Client, name: str, where: tuple[int, int]) -> dict[str, str | None]:
    """The names that complete a word, with what is told of them."""
    return {one["label"]: one.get("detail") for one in client.at(name, "completion", where)["items"]}


def labels(client: Client, name: str) -> dict[int, str]:
    return {one["position"]["line"]: one["label"] for one in client.of(name, "inlayHint", range=WHOLE)}


def test_hints_show_shape_and_eops_at_every_definition(client: Client) -> None:
    assert labels(client, "shared.tol") == {
        5: ": (t: R [n, m]) -> R, 2*(m*n + 1) EOPs",
        6: ": R, 2*m*n EOPs",
        9: ": R, 2*(m*n + 1) EOPs",
        10: ": R [n, m], m*n EOPs",
        11: ": R [n, n], 2*m*n^2 EOPs",
    }


@pytest.mark.parametrize(
    ("word", "number", "expected"),
    [
        ("a:", 0, ["tol a: R [n,m]", "Data of the sensors"]),
        ("norm", 2, ["norm(t: R [n, m]) -> R", "The norm of all numbers", "2*(m*n + 1)"]),
        ("total", 1, ["total: R", "2*(m*n + 1)"]),
        ("s =", 0, ["s: R", "2*m*n"]),
        ("matmul", 0, ["matmul(a, b)", "the product of matrices", "2*vol(result)*|a|[||a||]", "linalg"]),
        ("reduce", 0, ["reduce(t, f, init, names)", "fold"]),
        ("n,m", 0, ["n", "a size"]),
        ("u +", 0, ["u", "a parameter"]),
    ],
)
def test_hover_tells_type_cost_and_comment(client: Client, word: str, number: int, expected: list[str]) -> None:
    told = client.at("shared.tol", "hover", place(word, number))["contents"]["value"]
    assert [part for part in expected if part not in told] == []


@pytest.mark.parametrize(
    ("word", "number", "goal", "goal_number"),
    [("norm", 2, "norm", 1), ("total", 1, "total", 0), ("s^", 0, "s =", 0), ("p=2)", 1, "p=2", 0), ("v^p", 0, "v)", 0)],
)
def test_definition_in_the_text(client: Client, word: str, number: int, goal: str, goal_number: int) -> None:
    found = client.at("shared.tol", "definition", place(word, number))
    start = found["range"]["start"]
    assert (start["line"], start["character"]) == place(goal, goal_number)


def test_definition_in_the_library(client: Client) -> None:
    found = client.at("shared.tol", "definition", place("matmul"))
    path = unquote(urlparse(found["uri"]).path)
    assert path == str(LIBRARY / "linalg.tol")
    assert (
        (LIBRARY / "linalg.tol").read_text("utf-8").split("\n")[found["range"]["start"]["line"]].startswith("matmul(")
    )
    module = client.at("shared.tol", "definition", place("linalg"))
    assert unquote(urlparse(module["uri"]).path) == str(LIBRARY / "linalg.tol")


def test_definition_in_an_own_module(client: Client, tmp_path: Path) -> None:
    """A file beside the one that is open, whatever folder the server was started in."""
    helpers, name = tmp_path / "own helpers.tol", str(tmp_path / "main.tol").lstrip("/")
    helpers.write_text("# Twice\ndouble(x) = 2*x\n", "utf-8")
    text = 'use "own helpers.tol" as h\ny := h.double(3)\n'
    assert client.open(name, text) == []
    found = client.at(name, "definition", place("double", text=text))
    assert unquote(urlparse(found["uri"]).path) == str(helpers)
    assert found["range"]["start"] == position(1, 0)


def test_references_are_of_one_thing(client: Client) -> None:
    found = client.at("shared.tol", "references", place("total"), context={"includeDeclaration": True})
    assert [one["range"]["start"] for one in found] == [position(*place("total", n)) for n in (0, 1)]


def test_rename_changes_a_parameter_and_its_keyword(client: Client) -> None:
    edit = client.at("shared.tol", "rename", place("p=2"), newName="power")
    (edits,) = edit["changes"].values()
    changed = written(TEXT, edits)
    assert changed == TEXT.replace("p=2", "power=2").replace("v^p", "v^power").replace("1/p", "1/power")
    assert client.at("shared.tol", "rename", place("total"), newName="a") is None, "a stands for something else"
    assert client.at("shared.tol", "rename", place("total"), newName="use") is None
    assert client.at("shared.tol", "prepareRename", place("matmul")) is None


def test_completion_knows_text_library_and_language(client: Client) -> None:
    norm = next(one for one in client.at("shared.tol", "completion", (9, 10))["items"] if one["label"] == "norm")
    assert client.ask("completionItem/resolve", **norm)["detail"] == "(t: R [n, m]) -> R, 2*(m*n + 1) EOPs"
    at_matmul = offered(client, "shared.tol", (11, 8))
    assert at_matmul["matmul"] == "linalg"
    assert all(name.startswith("mat") for name in at_matmul)
    assert {"linalg", "nn", "tables"} <= offered(client, "shared.tol", (0, 4)).keys()
    assert {"s", "t", "p"} <= offered(client, "shared.tol", (7, 2)).keys()
    client.open("begun.tol", "use linalg\ne\n")
    assert {"exp", "eye", "else"} <= offered(client, "begun.tol", (1, 1)).keys()


def test_folding_and_outline(client: Client) -> None:
    assert client.of("shared.tol", "foldingRange") == [{"startLine": 5, "endLine": 8}]
    names = [one["name"] for one in client.of("shared.tol", "documentSymbol")]
    assert names == ["a", "norm", "total", "b", "c"]


def test_semantic_tokens_are_the_words_of_the_text(client: Client) -> None:
    kinds = client.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
    lines, line, character = TEXT.split("\n"), 0, 0
    found: list[tuple[str, str]] = []
    data = client.of("shared.tol", "semanticTokens/full")["data"]
    for down, right, length, kind, _ in zip(*[iter(data)] * 5, strict=True):
        line, character = line + down, right if down else character + right
        found.append((lines[line][character : character + length], kinds[kind]))
    assert found[:8] == [
        ("use", "keyword"), ("linalg", "variable"), ("# Data of the sensors", "comment"), ("tol", "keyword"),
        ("a", "variable"), (":", "operator"), ("R", "type"), ("[", "operator"),
    ]  # fmt: skip
    assert {("norm", "function"), ("t", "parameter"), ("reduce", "macro"), ("2", "number")} <= set(found)
    assert "".join(word for word, _ in found).replace(" ", "") == "".join(TEXT.split())


def test_formatting_is_that_of_the_command(client: Client) -> None:
    text = "x=1+2\ny  =  x*3 # twice\n"
    client.open("format.tol", text)
    options = {"tabSize": 2, "insertSpaces": True}
    edits = client.of("format.tol", "formatting", options=options)
    assert written(text, edits) == format_text(text) != text
    client.open("formatted.tol", written(text, edits))
    assert client.of("formatted.tol", "formatting", options=options) == []
    client.open("broken.tol", "x = (1\n")
    assert client.of("broken.tol", "formatting", options=options) is None


def mended(client: Client, name: str, text: str) -> list[str]:
    """The texts that code actions make of one."""
    assert client.open(name, text) != []
    found = client.of(name, "codeAction", range=WHOLE, context={"diagnostics": []})
    return [written(text, edits) for one in found for edits in one["edit"]["changes"].values()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tol a: R [n]\nx = trnspose(a)\n", "tol a: R [n]\nx = transpose(a)\n"),
        ("tol a: R [n,n]\nx = matmul(a, a)\n", "use linalg\ntol a: R [n,n]\nx = matmul(a, a)\n"),
        ("x = 3 × 4\n", "x = 3 * 4\n"),
        ("x = [1,2,]\n", "x = [1,2]\n"),
        (
            "tol x: R [n]\n\n# Parts of the sum\ny := map(x, * / sum(x))\n",
            "tol x: R [n]\n\nsum_x = sum(x)\n# Parts of the sum\ny := map(x, * / sum_x)\n",
        ),
    ],
)
def test_code_actions_mend_what_is_wrong(client: Client, text: str, expected: str) -> None:
    name = f"mend{len(client.texts)}.tol"
    assert expected in mended(client, name, text)
    assert client.open(f"mended-{name}", expected) == []


def test_diagnostics_follow_typing_and_name_their_place(client: Client) -> None:
    assert client.open("typed.tol", TEXT) == []
    client.type("typed.tol", place("total", 1), "tital", len("total"))
    (problem,) = client.wrong("file:///typed.tol")
    assert problem["code"] == "E201"
    assert problem["range"]["start"] == position(*place("total", 1))
    client.type("typed.tol", place("total", 1), "total", len("tital"))
    assert client.wrong("file:///typed.tol") == []
    client.type("typed.tol", place("a, trans"), "b, ", 0)
    (problem,) = client.wrong("file:///typed.tol")
    assert problem["range"]["start"]["line"] == 11, "an error inside the library stands at the call"


def test_only_the_last_of_many_changes_counts(client: Client) -> None:
    client.open("hurried.tol", TEXT)
    client.told.clear()
    line, character = place("x/total")
    for sign in "+++++":
        client.type("hurried.tol", (line, character), sign)
    client.type("hurried.tol", (line, character), "", 5)
    assert client.wrong("file:///hurried.tol") == []
    versions = [one["params"]["version"] for one in client.told if one.get("method", "").endswith("publishDiagnostics")]
    assert versions == sorted(versions)
    assert versions[-1] == client.versions["file:///hurried.tol"]


def test_characters_outside_the_basic_plane_are_counted_as_editors_do(client: Client) -> None:
    text = "x = '𝄞' # 𝄞\ny = ['𝄞𝄞', zz]\n"
    (problem,) = client.open("wide.tol", text)
    assert problem["range"] == {"start": position(1, 13), "end": position(1, 15)}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system does not tell the time of a process")
def test_a_keystroke_in_a_thousand_lines_takes_less_than_a_tenth_of_a_second(client: Client) -> None:
    """From the change to the errors and a completion, in time of the processor."""
    text = long_text(1000) + "last = zz\n"
    assert text.count("\n") >= 1000
    client.open("long.tol", text)
    client.until("long.tol", lambda found: [one["code"] for one in found] == ["E201"])
    line, character = place("scaled40 = map(a40, x -> x", 0, text)
    character += len("scaled40 = map(a40, x -> x")
    taken = []
    for sign in " + 1":
        start = client.seconds()
        client.type("long.tol", (line, character), sign)
        client.wrong("file:///long.tol")
        assert offered(client, "long.tol", (line, character))
        character += 1
        taken.append(client.seconds() - start)
    assert sorted(taken)[len(taken) // 2] < 0.1  # one alone may be hit by what the machine does beside


def test_what_is_near_a_change_is_told_before_the_rest(client: Client) -> None:
    """Where everything hangs on one definition, its own errors and those beside it do not wait for all others."""
    text = "tol a: R [n]\nbase = map(a, * + 1)\n" + "".join(f"y{k} = base + {k}\n" for k in range(280)) + "z = zz\n"
    client.open("star.tol", text)
    client.until("star.tol", lambda found: [one["range"]["start"]["line"] for one in found] == [282])
    client.type("star.tol", place("* + 1", 0, text), "'a'", len("* + 1"))
    client.until(
        "star.tol", lambda found: {2, 3, 4} <= {one["range"]["start"]["line"] for one in found} and len(found) < 100
    )
    client.until("star.tol", lambda found: len(found) == 250)
