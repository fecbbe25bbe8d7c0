"""What is shipped: wheel and sdist hold every file the package needs, and the wheel works where it is installed."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import tolang

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"

pytestmark = pytest.mark.xdist_group("package")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel, built from the sdist as an installer would, and the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT))
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    return wheel, sdist


def run(*command: str, folder: Path = ROOT) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def needed() -> set[str]:
    """Every file of the package that is no Python cache, by its path below `src`."""
    return {
        path.relative_to(SOURCE).as_posix()
        for path in (SOURCE / "tolang").rglob("*")
        if path.suffix in {".py", ".tol", ".lark", ".json"} or path.name == "py.typed"
    }


def test_typed_marker_is_there() -> None:
    assert "tolang/py.typed" in needed()


DEVELOPERS = {"bench", "bridges", "demo", "docs", "models", "test"}
"""Extras that are for work on this package, not for work with it."""


def test_one_extra_has_all_that_users_may_want() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    (everything,) = extras["all"]
    named = re.fullmatch(r"tolang\[([a-z,]+)\]", everything)
    assert named is not None
    assert set(named[1].split(",")) == extras.keys() - DEVELOPERS - {"all"}


def test_citation_is_of_this_version_and_of_the_paper() -> None:
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    readme = " ".join((ROOT / "README.md").read_text("utf-8").split())
    (software, paper) = re.findall(r'^ *title: "?([^"\n]+)"?$', text, re.MULTILINE)
    assert software == "ToLang"
    assert paper in readme
    assert re.findall(r"^version: (.+)$", text, re.MULTILINE) == [tolang.__version__]
    (address,) = re.findall(r"^  url: (.+)$", text, re.MULTILINE)
    assert address in readme
    names = re.findall(r"given-names: (.+)\n +family-names: (.+)$", text, re.MULTILINE)
    assert len(names) == 4
    assert all(f"{given} {family}" in readme for given, family in names)


def test_wheel_is_complete(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[0]) as wheel:
        names = set(wheel.namelist())
        about = f"tolang-{tolang.__version__}.dist-info"
        commands = wheel.read(f"{about}/entry_points.txt").decode()
    assert needed() <= names, needed() - names
    assert f"{about}/licenses/LICENSE" in names
    assert "tol = tolang.__main__:main" in commands
    assert all(name.split("/")[0] in {"tolang", about} for name in names)


def test_sdist_is_complete(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[1]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    wanted = {f"src/{name}" for name in needed()} | {
        "CITATION.cff", "LICENSE", "Makefile", "README.md", "pyproject.toml",
    }  # fmt: skip
    wanted |= {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*.py")}
    assert wanted <= names, wanted - names


def test_wheel_works_where_installed(built: tuple[Path, Path], tmp_path: Path) -> None:
    target = tmp_path / "installed"
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    run(*pip, "--no-deps", "--no-index", "--target", str(target), str(built[0]))
    program = f"import sys; sys.path.insert(0, {str(target)!r}); import tolang as t; print(t.__file__, t.__version__)"
    where, version = run(sys.executable, "-I", "-c", program, folder=tmp_path).splitlines()[0].rsplit(" ", 1)
    assert Path(where).is_relative_to(target)
    assert version == tolang.__version__
