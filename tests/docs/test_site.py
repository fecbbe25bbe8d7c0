"""The documentation as a site: every page is in it, it is built without a warning, and it needs no network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from benchmarks import excerpt
from documentation import editor_picture, library_index
from documentation.library_examples import EXAMPLES

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
