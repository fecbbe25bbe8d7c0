"""The command line, called inside this process or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tolang.faces.command import app

Tol = Callable[..., Result]
Process = Callable[..., subprocess.CompletedProcess[str]]

PRODUCT = """tol a: R [n,k]
tol b: R [k,m]
tol result = [n,m]
at(i, j) = reduce(map(a[i], * * b[*,j]), add, 0)
result := map(result, at(i,j), [i,j])
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory with a matrix product in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "product.tol").write_text(PRODUCT)
    return tmp_path


@pytest.fixture
def tol(folder: Path) -> Tol:
    """Calls `tol` in this process: exit code, output and errors are as in one of its own."""
    return lambda *words, **options: CliRunner().invoke(app, [str(word) for word in words], **options)


@pytest.fixture
def process(folder: Path) -> Process:
    """Calls `tol` in a process of its own."""

    def call(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state"), "PYTHONIOENCODING": "utf-8"}
        command = [sys.executable, "-m", "tolang", *words]
        return subprocess.run(command, capture_output=True, text=True, env=environment, **options)  # type: ignore[call-overload, no-any-return]

    return call
