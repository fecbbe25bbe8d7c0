"""Every page of documentation is executed: what it shows is what the project does."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from tests.docs.pages import Page, commands, pattern, snippets

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
RUN = [
    pytest.param(path, marks=[] if path.parent == ROOT else pytest.mark.sampled(2), id=str(path.relative_to(ROOT)))
    for path in PAGES
]
LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)")


@pytest.mark.parametrize("path", RUN)
def test_page(path: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    page = Page(path, tmp_path)
    failures = list(page.failures())
    assert not failures, "\n\n".join(failures)
    if page.left_out:
        pytest.skip(f"blocks that need {', '.join(sorted(page.left_out))} were left out: make bridges")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    """Links to other files of the project, and to headings of pages, have a goal."""
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`\n]*`", "", text)
    for target in LINK.findall(text):
        if "://" in target or target.startswith("mailto:"):
            continue
        file, _, heading = target.partition("#")
        goal = (path.parent / file).resolve() if file else path
        assert goal.exists(), f"{path.name}: {target} leads nowhere"
        if heading and goal.suffix == ".md":
            assert heading in headings(goal.read_text("utf-8")), f"{path.name}: {target} has no such heading"


def headings(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them, and those written out."""
    made = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for title in re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE):
        made.add(re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-"))
    return made


def test_snippets_are_found() -> None:
    page = "a\n\n```tol one.tol\nx := 1\n```\n\n<!-- not executed: slow -->\n```python\n1/0\n```\n\n"
    page += "- b\n\n  ```\n  c\n  ```\n"
    found = snippets(page)
    assert [(one.language, one.file, one.text, one.line, one.skipped) for one in found] == [
        ("tol", "one.tol", "x := 1\n", 4, False),
        ("python", None, "1/0\n", 9, True),
        ("", None, "c\n", 15, False),
    ]


@pytest.mark.parametrize(
    ("block", "wrong"),
    [
        ("```tol\n1 + 1 ==> 2\nmap([1,2], * * 2) ==> [2,4]\n[1][2] ==> error E303\nsqrt(2) ==> 1.41…\n```\n", None),
        ("```tol\n1 + 1 ==> 3\n```\n", "expected 3"),
        ("```tol\n1 + 1 ==> 2.0\n```\n", "expected 2.0"),
        ("```tol\nsqrt(2) ==> 1.43…\n```\n", "expected 1.43"),
        ("```tol\nuse linalg\nm = [[1,2],[3,4]]\ntrace(m) ==> 5\ntrace(q) ==> error E201\n```\n", None),
        ("```tol\nuse linalg\ntrace([[1,2],[3,4]]) ==> 6\n```\n", "expected 6"),
        ("```tol\n[1][2] ==> 1\n```\n", "E303"),
        ("```tol\n[1][1] ==> error E303\n```\n", "it gave 1"),
        ("```tol\n# input a = [1]\n# value y = [2.0]\ntol a: R [n]\ny := a + 1\n```\n", None),
        ("```tol\n# input a = [1]\n# value y = [3.0]\ntol a: R [n]\ny := a + 1\n```\n", "expected 3.0"),
        ("```tol\ny := q\n```\n", "unknown name q"),
        ("```python\nx = 1\n```\n```python\nassert x == 1\n```\n", None),
        ("```python\nx = 1\nassert x == 2\n```\n", "AssertionError"),
        ("```python\n>>> 1 + 1\n2\n```\n", None),
        ("```python\n>>> 1 + 1\n3\n```\n", "Expected"),
        ("```console\n$ echo a; echo b; echo c\na\n…\nc\n$ echo x1y\nx…y\n$ pip install .\n```\n", None),
        ("```console\n$ echo a\nb\n```\n", "printed"),
        ("```python\nx = 2\n```\n```ipython\nIn [1]: x + 1\nOut[1]: 3\n\nIn [2]: if x:\n   ...:     print(x)\n2\n```\n", None),
        ("```ipython\nIn [1]: 1 + 1\nOut[1]: 3\n```\n", "printed"),
        ("```text\nanything\n```\n", None),
    ],
)  # fmt: skip
def test_blocks_are_judged(block: str, wrong: str | None, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(block, "utf-8")
    failures = list(Page(page, tmp_path).failures())
    assert bool(failures) == (wrong is not None), failures
    assert wrong is None or wrong in failures[0]


def test_patterns() -> None:
    assert re.fullmatch(pattern("a\n…\nb"), "a\nx\ny\nb")
    assert re.fullmatch(pattern("a\n…\nb"), "a\nb")
    assert not re.fullmatch(pattern("a\nb"), "a\nx\nb")
    assert re.fullmatch(pattern("took … s"), "took 1.5 s")
    assert commands("$ a\nb\n$ c\n> d\ne\n") == [("a", "b"), ("c\nd", "e")]
