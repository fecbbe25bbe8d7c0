"""Compiled programs in files: another process runs them without checking or compiling anything."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import tolang

PRODUCT = "use linalg\ntol a: R [n,k]\ntol b: R [k,m]\nc := matmul(a, b)\nf(x) := x + 1\n"
RUN = """
import sys, numpy as np, tolang
program = tolang.load(sys.argv[1])
for kind in ("f4", "f8"):
    a = np.arange(6, dtype=kind).reshape(2, 3)
    found = program(a, a.T)
    print(found.tolist(), found.dtype)
work = [name for name in ("tolang.check.programs", "tolang.engines.cpu.translation") if name in sys.modules]
print(program.fallbacks, work)
"""


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "product.tolc"
    program = tolang.compile(PRODUCT)
    program(np.ones((2, 2), "f4"), np.ones((2, 2), "f4"))
    program.save(path)
    return path


def ran(path: Path) -> list[str]:
    """What another process, which keeps nothing on disk, makes of a file."""
    environment = os.environ | {"TOL_CACHE_DIR": "off", "TOL_COMPILE": ""}
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(path)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


VALUES = ["[[5.0, 14.0], [14.0, 50.0]] float32", "[[5.0, 14.0], [14.0, 50.0]] float64"]


def test_another_process_runs_it_without_compiling(saved: Path) -> None:
    assert ran(saved) == [*VALUES, "() []"]


def test_what_does_not_fit_is_compiled_from_the_text(saved: Path, tmp_path: Path) -> None:
    """As on another kind of machine, or with another version, no entry is found under the names asked for."""
    other = tmp_path / "other.tolc"
    with zipfile.ZipFile(saved) as archive, zipfile.ZipFile(other, "w") as written:
        names = [one for one in archive.namelist() if one.startswith("entries/")]
        written.writestr("program.json", archive.read("program.json"))
        for place, name in enumerate(names):
            written.writestr(f"entries/{place:064x}{Path(name).suffix}", archive.read(name))
    assert len(names) >= 4
    *values, work = ran(other)
    assert values == VALUES
    assert "tolang.check.programs" in work


def test_a_loaded_program_is_a_program(saved: Path) -> None:
    program = tolang.load(saved)
    assert program.cost()(n=2, k=3, m=4) == 2 * 2 * 3 * 4
    assert list(program.inputs) == ["a", "b"]
    assert program.f(1.0) == 2.0
    np.testing.assert_array_equal(program.fix(a=np.eye(2))(np.ones((2, 2))), np.ones((2, 2)))


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (None, "E604"),
        (b"", "E608"),
        (b"no archive", "E608"),
        ("{}", "E608"),
        ("[1]", "E608"),
        ('{"format": 1}', "E608"),
    ],
)
def test_what_is_no_such_file_is_told(tmp_path: Path, content: bytes | str | None, code: str) -> None:
    path = tmp_path / "x.tolc"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("program.json", content)
    with pytest.raises(tolang.ToLangUsageError) as raised:
        tolang.load(path)
    assert raised.value.code == code


def test_what_cannot_be_saved_is_refused(tmp_path: Path) -> None:
    program = tolang.compile("tol x: R [n]\ny := reduce(x, add, 0)\n")
    with pytest.raises(tolang.ToLangUsageError, match="tolc"):
        program.save(tmp_path / "x.bin")
    for other in (program.gradient(of="y", by="x"), program.fix(x=[1.0])):
        with pytest.raises(tolang.ToLangUsageError, match="not saved"):
            other.save(tmp_path / "x.tolc")
    assert list(tmp_path.iterdir()) == []


def test_the_text_is_in_the_file(saved: Path) -> None:
    with zipfile.ZipFile(saved) as archive:
        assert json.loads(archive.read("program.json"))["texts"][0][1] == PRODUCT


def test_modules_of_the_user_come_along(tmp_path: Path) -> None:
    """A program that uses files beside it runs where there are none, those that these use included."""
    (tmp_path / "inner.tol").write_text("twice(x) = 2 * x\n", "utf-8")
    (tmp_path / "outer.tol").write_text('use "inner.tol"\nfour_times(x) = twice(twice(x))\n', "utf-8")
    (tmp_path / "main.tol").write_text("use outer as o\ntol x: R [n]\ny := map(x, o.four_times(*))\n", "utf-8")
    program = tolang.compile(tmp_path / "main.tol")
    program([1.0])
    program.save(tmp_path / "main.tolc")
    for name in ("inner", "outer", "main"):
        (tmp_path / f"{name}.tol").unlink()
    assert tolang.load(tmp_path / "main.tolc")([3.0]).tolist() == [12.0]
