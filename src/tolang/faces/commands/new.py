"""`tol new`: a folder to begin in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PROGRAM = """\
# The rows of a matrix, each in parts of its sum
tol a: R [n,m]

total(row) = reduce(row, add, 0)
totals = map(tol[n], total(a[i]), i)
shares := map(a, a[i,j] / totals[i], [i,j])
"""
TEST = '''\
"""The program beside what NumPy says."""

from pathlib import Path

import numpy as np
import tolang

PROGRAM = Path(__file__).with_name("{name}.tol")


def test_shares():
    a = np.array([[1.0, 3.0], [2.0, 2.0]])
    shares = tolang.compile(PROGRAM)(a)
    np.testing.assert_allclose(shares, a / a.sum(axis=1, keepdims=True))
'''
README = """\
# {name}

    tol run {name}.tol "a=[[1,3],[2,2]]"     run it
    tol check {name}.tol                     names, shapes and types
    tol cost {name}.tol a=100x200            what it costs at these sizes
    tol fmt {name}.tol                       write it in the standard form
    {pytest}     test it beside NumPy
"""
RIGHT_NAME = "a letter, then letters, digits, - and _, and no word of the language"


def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to make; its name is the program's.")],
) -> None:
    """Make a folder with a program, a test of it, and the commands to use both.

    tol new shares
    """
    from tolang.ground.reporting.diagnostics import usage
    from tolang.syntax.lexemes import KEYWORDS

    name = folder.name.replace("-", "_")
    if not (name.isascii() and name.isidentifier()) or name in KEYWORDS:
        raise usage("E603", f"{folder.name} is not a name for a program", expected=RIGHT_NAME)
    if folder.exists():
        raise usage("E609", f"{folder} is there already, and is left as it is")
    files = {f"{name}.tol": PROGRAM, f"test_{name}.py": TEST, "README.md": README}
    test = f"{'python -m pytest':{len(name) + 30}}"
    try:
        folder.mkdir(parents=True)
        for file, text in files.items():
            written = text.replace("{pytest}", test).replace("{name}", name)
            (folder / file).write_text(written, encoding="utf-8")
    except OSError as error:
        raise usage("E609", f"cannot write {folder}: {error.strerror}") from None
    print(f'cd {folder}\ntol run {name}.tol "a=[[1,3],[2,2]]"')
