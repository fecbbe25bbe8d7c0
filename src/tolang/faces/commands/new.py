"""`tol new`: a folder to begin in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PROGRAM = """\
# The rows of a matrix, each in parts of its sum
tol a: R [n,m]

total(row) = reduce(row, add, 0)
shares := map(a, a[i,j] / total(a[i]), [i,j])
"""
TEST = '''\
"""The program beside what NumPy says."""

import numpy as np
import tolang


def test_shares():
    a = np.array([[1.0, 3.0], [2.0, 2.0]])
    shares = tolang.compile("{name}.tol")(a)
    np.testing.assert_allclose(shares, a / a.sum(axis=1, keepdims=True))
'''
README = """\
# {name}

    tol run {name}.tol "a=[[1,3],[2,2]]"     run it
    tol check {name}.tol                     names, shapes and types
    tol cost {name}.tol a=100x200            what it costs at these sizes
    tol fmt {name}.tol                       write it in the standard form
    python -m pytest                         test it beside NumPy
"""


def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to make; its name is the program's.")],
) -> None:
    """Make a folder with a program, a test of it, and the commands to use both.

    tol new shares
    """
    from tolang.ground.diagnostics import usage
    from tolang.syntax.lexemes import KEYWORDS

    name = folder.name.replace("-", "_")
    if not (name.isascii() and name.isidentifier()) or name in KEYWORDS:
        raise usage("E603", f"{folder.name} is no name for a program", expected="letters, digits, - and _")
    if folder.exists():
        raise usage("E609", f"{folder} is there already, and is left as it is")
    files = {f"{name}.tol": PROGRAM, f"test_{name}.py": TEST, "README.md": README}
    try:
        folder.mkdir(parents=True)
        for file, text in files.items():
            (folder / file).write_text(text.replace("{name}", name), encoding="utf-8")
    except OSError as error:
        raise usage("E609", f"cannot write {folder}: {error.strerror}") from None
    print(f'cd {folder}\ntol run {name}.tol "a=[[1,3],[2,2]]"')
