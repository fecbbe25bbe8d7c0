"""What the site needs beside its pages: the notebook as a page, files outside `docs`, and titles of code blocks.

Pages are written to read well on their own, so they link to files of the project and name a block's file after its
language.  MkDocs knows neither; here both become what it knows.
"""

from __future__ import annotations

import html
import json
import posixpath
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from documentation import playground_files  # noqa: E402 -- found on the path that is set above

NOTEBOOK = "tutorial.ipynb"
TAKEN = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "examples/README.md": "examples.md",
}
"""Pages outside `docs`, and where they stand on the site."""
LIBRARY = "src/tolang/library/"
INSTEAD = {"README.md": "index.md", f"{LIBRARY}onnx": "onnx-operators.md"}
"""What the site has no page of, and the page to go to instead."""
WORKER = "javascripts/playground_worker.js"
"""What the playground starts; it stands beside the files that it loads."""
SHIM, OFFLINE = "https://unpkg.com/iframe-worker/shim", "javascripts/offline.js"

FENCED = re.compile(r"^(?P<indent> *)(?P<ticks>```+)(?P<info>[^`\n]*)\n(?P<body>.*?)^ *(?P=ticks)[ \t]*$", re.M | re.S)
CONTENTS = re.compile(r"^(?:- \[[^\]\n]+\]\(#[^)\n]+\)\n){4,}", re.M)
"""A list of a page's headings, which the site shows beside the page."""
LINK = re.compile(r"(\]\()([^)\s:]+)(\))")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Pages from outside `docs`: those of the project, the notebook, and one for each example."""
    for path, place in TAKEN.items():
        files.append(File.generated(config, place, content=moved((ROOT / path).read_text("utf-8"), path, place)))
    for program in sorted((ROOT / "examples").rglob("*.tol")):
        place = place_of(program.relative_to(ROOT).as_posix())
        files.append(File.generated(config, place, content=program_page(program)))
    for name, content in playground_files.files().items():
        files.append(File.generated(config, f"playground/{name}", content=content))
    worker = (ROOT / "docs" / WORKER).read_text("utf-8")
    files.append(File.generated(config, "playground/worker.js", content=worker))
    notebook = ROOT / "docs" / NOTEBOOK
    if notebook.exists():
        page = notebook_page(json.loads(notebook.read_text("utf-8")))
        files.append(File.generated(config, "tutorial.md", content=page))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A page as MkDocs reads it: links that stay on the site, tables and titles of blocks in its notation."""
    place = page.file.src_uri
    if page.is_homepage:
        page.meta["hide"] = ["toc"]
    text = markdown if page.file.generated_by else moved(markdown, f"docs/{place}", place)
    return titled(tabled(CONTENTS.sub("", text, count=1)))


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """The page with our own way to search without a server, where the theme would load one from the network."""
    return output.replace(SHIM, posixpath.relpath(OFFLINE, posixpath.dirname(page.file.dest_uri) or "."))


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """The same for the page that a server gives where there is none."""
    return output_content.replace(SHIM, f"/{OFFLINE}")


def place_of(path: str) -> str:
    """Where a file of the project stands on the site; a folder of examples is their index."""
    if path in TAKEN:
        return TAKEN[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/").replace(NOTEBOOK, "tutorial.md")
    if path.startswith("examples"):
        return f"{path.removesuffix('.tol')}.md" if path.endswith(".tol") else "examples.md"
    if path.startswith(LIBRARY) and path.endswith(".tol"):
        return f"library/{Path(path).stem}.md"
    return INSTEAD.get(path, path)


def moved(markdown: str, path: str, place: str) -> str:
    """A file's text with its links to files of the project turned into links between pages, outside code."""

    def relinked(link: re.Match[str]) -> str:
        target, mark, heading = link[2].partition("#")
        if not target:
            return link[0]
        goal = place_of(posixpath.normpath(posixpath.join(posixpath.dirname(path), target)))
        return f"{link[1]}{posixpath.relpath(goal, posixpath.dirname(place) or '.')}{mark}{heading}{link[3]}"

    return outside_code(markdown, lambda text: LINK.sub(relinked, text))


def outside_code(markdown: str, change: Callable[[str], str]) -> str:
    """A text with everything but its code blocks changed."""
    parts, end = [], 0
    for block in FENCED.finditer(markdown):
        parts += [change(markdown[end : block.start()]), block[0]]
        end = block.end()
    return "".join([*parts, change(markdown[end:])])


def tabled(markdown: str) -> str:
    """Bars in the code of tables as they are: GitHub wants them escaped there, and MkDocs does not."""

    def row(line: re.Match[str]) -> str:
        return re.sub(r"`[^`]+`", lambda code: code[0].replace("\\|", "|"), line[0])

    return outside_code(markdown, lambda text: re.sub(r"^\|.*$", row, text, flags=re.MULTILINE))


def titled(markdown: str) -> str:
    """Blocks such as "```tol product.tol" with the name of the file as their title."""

    def opening(block: re.Match[str]) -> str:
        words = block["info"].split()
        if len(words) != 2:
            return block[0]
        head = f'{block["indent"]}{block["ticks"]}{words[0]} title="{words[1]}"'
        return head + block[0][block[0].index("\n") :]

    return FENCED.sub(opening, markdown)


def program_page(program: Path) -> str:
    """A page of one program."""
    name = program.relative_to(ROOT).as_posix()
    return f"# {program.name}\n\n```tol {name}\n{program.read_text('utf-8')}```\n"


def notebook_page(notebook: dict[str, Any]) -> str:
    """A notebook's cells and their outputs, one below the other."""
    return "\n\n".join(part for cell in notebook["cells"] for part in cell_parts(cell)) + "\n"


def cell_parts(cell: dict[str, Any]) -> list[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] != "code":
        return [moved(source, f"docs/{NOTEBOOK}", "tutorial.md")]
    magic = re.match(r"%%tol\b", source) is not None
    parts = [f"```{'tol' if magic else 'python'}\n{source}\n```"]
    return parts + [shown for output in cell["outputs"] if (shown := output_part(output))]


def output_part(output: dict[str, Any]) -> str:
    """What a cell printed or gave: HTML and drawings as they are, texts in a block."""
    if output["output_type"] == "stream":
        return text_block("".join(output["text"]))
    if output["output_type"] == "error":
        return text_block(plain("\n".join(output["traceback"])))
    data = {kind: "".join(text) for kind, text in output["data"].items() if kind != "application/json"}
    for kind in ("text/html", "image/svg+xml"):
        if kind in data:
            flat = re.sub(r"\n\s*\n", "\n", data[kind].strip())
            return f'<div class="tol-output">{flat}</div>'
    if "image/png" in data:
        return f'<img class="tol-output" alt="" src="data:image/png;base64,{data["image/png"].strip()}">'
    return text_block(plain(data.get("text/plain", "")))


def plain(text: str) -> str:
    """A text without the colours of a terminal."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def text_block(text: str) -> str:
    return f'<pre class="tol-output">{html.escape(plain(text).rstrip())}</pre>' if text.strip() else ""
