"""Pages of documentation as programs: their fenced blocks, and how each kind of block is executed.

    ```tol        comments state inputs and results as in `.tol` test files (see `tests/programs.py`);
                  lines `expression ==> value` are expressions and their values, or `==> error E303`; lines before
                  the first of them, such as `use linalg`, are a program that they follow;
                  a block with neither must only be free of errors
    ```python     executed; the blocks of a page share their names; with `>>>` they are doctests
    ```ipython    cells after `In [1]: ` are run by IPython, with the names of the Python blocks, and the output shown must
                  be theirs
    ```console    lines `$ tol …` (and other commands of the shell) are run, and the output shown must be theirs;
                  `…` stands for anything; `$ pip`, `$ make` and `$ git` are not run

A second word names a file that the block is written to, for commands further down: "```tol product.tol".  Blocks of
other kinds, or of none, are not executed; nor is one that `<!-- not executed: why -->` stands before, or one after
`<!-- needs torch -->` where the package torch is not installed.
"""

from __future__ import annotations

import builtins
import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.docs.notebooks import close_shell, execute_cells, open_shell
from tests.programs import check_text, difference, plain, read_data, runs_of

import tolang
from tolang.ground.dataclasses import dataclass, field

FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>```+)(?P<info>[^`]*)$")
SKIPPED = re.compile(r"<!-- not executed: \S.* -->\s*$")
NEEDS = re.compile(r"<!-- needs (\w+) -->\s*$")
NOT_RUN = ("pip ", "make ", "make\n", "git ", "python -m venv", "brew ", "apt ")
SECONDS = 60


@dataclass(frozen=True)
class Snippet:
    """One fenced block: its language, the file it is written to if any, its text, and the line its text begins at."""

    language: str
    file: str | None
    text: str
    line: int
    skipped: bool = False
    needs: str | None = None


@dataclass
class Page:
    """A page being executed, in a folder of its own, with the names its Python blocks share."""

    path: Path
    folder: Path
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__page__"})
    left_out: set[str] = field(default_factory=set)
    """Packages that blocks need and that are not installed."""

    def failures(self) -> Iterator[str]:
        """What is wrong with each block, told with its place."""
        try:
            for snippet in snippets(self.path.read_text("utf-8")):
                try:
                    self.execute(snippet)
                except Exception as error:  # any failure of a block is reported with the others
                    yield f"{self.path.name}:{snippet.line}: {type(error).__name__}: {error}"
        finally:
            if "shell" in self.__dict__:
                close_shell()

    @cached_property
    def shell(self) -> Any:
        """IPython, made when a block needs it."""
        return open_shell(self.names)

    def execute(self, snippet: Snippet) -> None:
        if snippet.file is not None:
            target = self.folder / snippet.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(snippet.text, encoding="utf-8")
        if snippet.needs is not None and find_spec(snippet.needs) is None:
            self.left_out.add(snippet.needs)
            return
        if snippet.skipped:
            return
        if snippet.language == "tol":
            with contextlib.chdir(self.folder):
                execute_tol(snippet.text, snippet.file or "<source>")
        elif snippet.language == "python":
            with contextlib.chdir(self.folder):
                self.execute_python(snippet)
        elif snippet.language == "console":
            execute_console(snippet.text, self.folder)
        elif snippet.language == "ipython":
            with contextlib.chdir(self.folder):
                execute_cells(snippet.text, self.shell, pattern)

    def execute_python(self, snippet: Snippet) -> None:
        if ">>> " not in snippet.text:
            code = compile("\n" * (snippet.line - 1) + snippet.text, str(self.path), "exec")
            with contextlib.redirect_stdout(io.StringIO()):
                exec(code, self.names)
            return
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        test = doctest.DocTestParser().get_doctest(
            snippet.text, self.names, self.path.name, str(self.path), snippet.line
        )
        report = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=flags, verbose=False)
        failed = runner.run(test, out=report.write, clear_globs=False).failed
        vars(builtins).pop("_", None)  # doctest leaves the last value there, and IPython would take it for its own
        self.names.update(test.globs)
        assert not failed, f"\n{report.getvalue()}"


def snippets(text: str) -> list[Snippet]:
    """The fenced blocks of a page, in order."""
    found: list[Snippet] = []
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        opening = FENCE.match(lines[number])
        number += 1
        if opening is None:
            continue
        start = number
        while number < len(lines) and lines[number].strip() != opening["ticks"]:
            number += 1
        if number == len(lines):
            raise ValueError(f"line {start}: a block is not closed")
        indent = len(opening["indent"])
        body = "".join(f"{line[indent:]}\n" for line in lines[start:number])
        words = opening["info"].split()
        before = lines[start - 2] if start > 1 else ""
        skipped, needs = SKIPPED.match(before.strip()) is not None, NEEDS.match(before.strip())
        language, file = words[0] if words else "", words[1] if len(words) > 1 else None
        found.append(Snippet(language, file, body, start + 1, skipped, needs[1] if needs else None))
        number += 1
    return found


def execute_tol(text: str, name: str) -> None:
    """A program held against its comments, a list of expressions and values, or a program that must have no error."""
    if " ==> " in text:
        preamble = re.split(r"^.* ==> ", text, maxsplit=1, flags=re.MULTILINE)[0]
        for line in text.removeprefix(preamble).splitlines():
            if line.strip() and not line.lstrip().startswith(("#", "//")):
                execute_expression(line, preamble)
    elif runs := runs_of(text):
        check_text(text, name, runs)
    else:
        tolang.compile(text)


def execute_expression(line: str, preamble: str = "") -> None:
    """`expression ==> value`, or `==> error E303`; `1.41…` is a number cut short, and a comment may follow."""
    expression, arrow, stated = line.partition(" ==> ")
    assert arrow, f"{line.strip()!r} has no ==>"
    stated = re.split(r"\s+#\s", stated)[0].strip()
    wanted = re.fullmatch(r"error (E\d{3})", stated)
    outcome = _outcome(expression.strip(), preamble)
    if isinstance(outcome, tolang.ToLangError):
        assert stated == f"error {outcome.code}", f"{expression.strip()}: expected {stated}\n{outcome}"
        return
    assert wanted is None, f"{expression.strip()}: expected {stated}, and it gave {outcome!r}"
    shortened = [len(digits) for digits in re.findall(r"\.(\d*)…", stated)]
    absolute = 10.0 ** -min(shortened) if shortened else 1e-15
    wrong = difference(outcome, read_data(stated.replace("…", "")), absolute=absolute)
    assert wrong is None, f"{expression.strip()}: {wrong}"


def _outcome(expression: str, preamble: str) -> Any:
    """The value of an expression as Python data, or the error that it has."""
    try:
        if not preamble.strip():
            return plain(tolang.evaluate(expression))
        program = tolang.compile(f"{preamble}answer_ := {expression}", engine="interpret")
        return plain(program())
    except tolang.ToLangError as error:
        return error


def execute_console(text: str, folder: Path) -> None:
    """Commands after `$ `, each with the output shown below it; a line that begins with `> ` goes on with a command."""
    for command, shown in commands(text):
        if command.startswith(NOT_RUN) or command == "make":
            continue
        done = subprocess.run(
            ["bash", "-c", command], cwd=folder, env=environment(folder), text=True, timeout=SECONDS, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        printed = "\n".join(line.rstrip() for line in done.stdout.splitlines()).strip("\n")
        assert re.fullmatch(pattern(shown), printed), f"$ {command}\nprinted:\n{printed}\nshown:\n{shown}"


def commands(text: str) -> list[tuple[str, str]]:
    """Each command and what is shown below it."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif line.startswith("> ") and found and not found[-1][1]:
            found[-1] = (f"{found[-1][0]}\n{line[2:]}", "")
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]}{line.rstrip()}\n")
    return [(command, shown.strip("\n")) for command, shown in found]


def pattern(shown: str) -> str:
    """The output shown as a pattern: `…` is anything, over several lines where it is a whole line."""
    lines = shown.split("\n")
    parts = [r"(?:.*\n?)*?" if line.strip() in ("…", "...") else re.escape(line).replace("…", ".*") for line in lines]
    return "\n".join(parts).replace("(?:.*\\n?)*?\n", r"(?:.*\n)*?")


def environment(folder: Path) -> dict[str, str]:
    """An environment in which `tol` is this project's command, without colour, 100 columns wide."""
    programs = folder / ".bin"
    if not programs.is_dir():
        programs.mkdir()
        command = programs / "tol"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tolang "$@"\n', encoding="utf-8")
        command.chmod(0o755)
    source = str(Path(tolang.__file__).resolve().parents[1])
    taken = ("HOME", "LANG", "TMPDIR", "SYSTEMROOT", "TOL_CACHE_DIR", "TOL_COMPILE")
    kept = {name: os.environ[name] for name in taken if name in os.environ}
    return kept | {
        "PATH": f"{programs}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "PYTHONPATH": source, "NO_COLOR": "1", "COLUMNS": "100", "TERM": "dumb", "PYTHONIOENCODING": "utf-8",
    }  # fmt: skip
