"""The documentation as a site: every page is in it, it is built without a warning, and it needs no network."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from benchmarks import excerpt
from documentation import editor_picture, library_index, playground_files
from documentation.library_examples import EXAMPLES
from tests.docs.browser import STAND_IN, Browser, browser, served

from tolang.faces.playground import answer, given_in

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
OUTSIDE = {"contributing.md", "changelog.md", "examples.md", "tutorial.md"}
"""Pages that are made when the site is built."""


def pages() -> set[str]:
    return {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[2]
    listed = re.findall(r"[\w/-]+\.md", navigation)
    assert len(listed) == len(set(listed))
    assert set(listed) == pages() | OUTSIDE


def test_every_program_of_the_gallery_is_in_its_index() -> None:
    index = (DOCS / "gallery" / "index.md").read_text("utf-8")
    programs = {(path.parent.name, path.stem) for path in (ROOT / "examples" / "gallery").rglob("*.tol")}
    listed = re.findall(r"^\| \[(\w+)\]\((\w+)\.md#", index, flags=re.MULTILINE)
    assert {(page, program) for program, page in listed} == programs


def test_library_reference_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for path, text in library_index.pages().items():
        assert path.read_text("utf-8") == text, "run: python -m documentation.library_index"


@pytest.mark.parametrize("module", EXAMPLES)
def test_examples_are_of_the_library(module: str) -> None:
    names = {entry.name for group in library_index.groups(module) for entry in group.entries}
    assert EXAMPLES[module].keys() <= names
    assert module == "tables" or EXAMPLES[module].keys() == names


def test_picture_of_an_editor_is_up_to_date() -> None:
    assert (DOCS / "editor.svg").read_text("utf-8") == editor_picture.picture(), (
        "run: python -m documentation.editor_picture"
    )


def test_figures_are_those_of_the_measurement() -> None:
    for path, text in excerpt.pages().items():
        assert "| ToLang |" in text
        assert path.read_text("utf-8") == text, "run: python -m benchmarks.excerpt"


class Site(HTMLParser):
    """A page of the site: what it loads or links to, and the places that can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[tuple[str, str]] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if value is not None and name in ("src", "href"):
                self.targets.append((tag, value))
            if value is not None and name in ("id", "name"):
                self.places.add(value)


LONG = pytest.mark.skipif("TOLANG_ALL" not in os.environ, reason="the site is built: make thorough runs it")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it."""
    if find_spec("mkdocs") is None or find_spec("material") is None:
        pytest.skip("needs the extra `docs`")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


@LONG
def test_site(site: Path) -> None:
    """All pages are there, links and what pages load are local and lead somewhere, and ToLang has colours."""
    built = {path: Site(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    assert pages() | OUTSIDE <= {path.relative_to(site).with_suffix(".md").as_posix() for path in built}
    wrong = []
    for path, page in built.items():
        for tag, target in page.targets:
            if re.match(r"\w+:", target):
                if tag != "a" and not target.startswith("data:"):
                    wrong.append(f"{path.name} loads {target}")
                continue
            file, place = urldefrag(target)
            goal = (path.parent / unquote(file)).resolve() if file else path
            goal = goal / "index.html" if goal.is_dir() else goal
            if path.name == "404.html":
                continue
            if not goal.is_file() or (place and goal in built and unquote(place) not in built[goal].places):
                wrong.append(f"{path.relative_to(site)}: {target} leads nowhere")
    assert not wrong, "\n".join(wrong)
    for name in ("index.html", "library/core.html", "gallery/motifs.html"):
        text = (site / name).read_text("utf-8")
        assert re.search(r'class="language-tol(ang)? highlight"', text), f"{name}: ToLang without colours"
    assert "search_index" in " ".join(path.name for path in (site / "search").iterdir())


@LONG
@pytest.mark.skipif(browser() is None, reason="no browser is installed: chromium or chrome")
def test_playground_in_a_browser(site: Path, tmp_path: Path) -> None:
    """The page runs its first example by itself, and shows results, cost and drawing, with nothing from other hosts.

    Where Python for browsers was not fetched, a stand-in answers in its place.
    """
    copy = tmp_path / "site"
    for name in ("assets", "javascripts", "stylesheets", "playground"):
        shutil.copytree(site / name, copy / name)
    shutil.copy(site / "playground.html", copy)
    if not (copy / "playground" / "pyodide.mjs").is_file():
        (copy / "playground" / "pyodide.mjs").write_text(STAND_IN, "utf-8")
    first = json.loads((copy / "playground" / "examples.json").read_text("utf-8"))[0]
    expected = json.loads(answer(first["text"], first["inputs"]))
    with served(copy) as address, Browser(tmp_path / "profile") as chromium:
        chromium.open(f"{address}/playground.html")
        chromium.wait_for("document.getElementById('playground-state')?.textContent.startsWith('Done')")
        parts = {
            name: chromium.value(f"document.getElementById('playground-{name}').innerText")
            for name in ("results", "cost", "errors")
        }
        drawn = chromium.value("document.querySelector('#playground-drawing img').naturalWidth")
        chromium.value("document.getElementById('playground-text').value = 'b := zz + 1'")
        chromium.value("document.getElementById('playground-run').click()")
        chromium.wait_for("document.getElementById('playground-errors').textContent.includes('E201')")
        assert [one for one in chromium.loaded if not one.startswith((address, "data:", "blob:"))] == []
    for one in expected["results"]:
        assert f"{one['name']}: {one['type']}" in parts["results"]
        assert "".join(one["value"].split()) in "".join(parts["results"].split())
    assert expected["cost"]["formula"] in parts["cost"]
    assert parts["errors"] == ""
    assert drawn > 0


def test_playground_runs_on_what_the_site_serves(tmp_path: Path) -> None:
    """The archive of the package answers by itself, without compilers and everything else that a browser has not."""
    with zipfile.ZipFile(io.BytesIO(playground_files.package())) as archive:
        archive.extractall(tmp_path)
    program = (
        "import sys, json\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('llvmlite', 'sympy', 'lark', 'rich', 'typer', 'prompt_toolkit', 'ml_dtypes'):\n"
        "            raise ModuleNotFoundError(name, name=name)\n"
        "sys.meta_path.insert(0, Missing())\n"
        "from tolang.faces.playground import answer\n"
        "import tolang\n"
        "assert tolang.__file__.startswith(sys.path[0])\n"
        "for one in json.load(sys.stdin):\n"
        "    print(json.loads(answer(one['text'], one['inputs']))['errors'] or 'right')\n"
        "print(answer('use linalg\\ntol a: R [n,n]\\nb := matmul(a, a)', 'a=[[1,2],[3,4]]'))\n"
    )
    chosen = json.dumps(json.loads(playground_files.examples())[::15])
    done = subprocess.run([sys.executable, "-c", program], input=chosen, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    *examples, product = done.stdout.splitlines()
    assert set(examples) == {"right"}
    found = json.loads(product)
    assert found["results"] == [{"name": "b", "type": "R [2,2]", "value": "[[ 7.0,10.0],\n [15.0,22.0]]"}]
    assert found["cost"]["here"] == str(2 * 2**3)
    assert found["drawing"].startswith("<svg")


def test_playground_tells_errors() -> None:
    found = json.loads(answer("b := zz + 1", ""))
    assert "E201" in found["errors"]
    assert not found["results"]
    assert "E603" in json.loads(answer("tol a: R [n]\nb := a", ""))["errors"]
    assert given_in("# Text\n# Input:  n=4 a=[1, 2]\nx := 1") == "n=4 a=[1, 2]"


def test_what_is_fetched_is_checked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(playground_files, "FOLDER", tmp_path / "pyodide")
    with pytest.raises(ValueError, match="checksum"):
        playground_files._unpack(b"something else")
    assert not (tmp_path / "pyodide").exists()
