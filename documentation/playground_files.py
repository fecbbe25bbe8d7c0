"""What the playground of the documentation runs on: Python for browsers, NumPy for it, and this package.

`python -m documentation.playground_files` fetches the first two into `.pyodide`, once, and checks what came, as `make
docs` has it do; everything is then served from the site itself.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".pyodide"
VERSION = "314.0.7"
CHECKSUM = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
"""The SHA-256 of Pyodide's package for npm; it holds the checksums of wheels."""
DISTRIBUTION = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
"""Where Pyodide's own distribution has the wheels that are built for it."""
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
WHEELS = ("numpy",)
FIRST = """\
# The product of two matrices: at i and j the sum of the products of a row and a column.
#
# Input:  a=[[1,2],[3,4],[5,6]] b=[[1,0,2],[0,1,3]]

tol a: R [n,k]
tol b: R [k,m]

element(i, j) = reduce(map(tol[k], a[i,l] * b[l,j], l), add, 0)
product := map(tol[n,m], element(i,j), [i,j])
"""
KINDS = (".py", ".tol", ".json", ".lark", ".css")
LEFT_OUT = ("bridges", "editor", "onnx")
"""Layers of the package that the interpreter does without."""


def fetch() -> None:
    """Puts into the folder what is not there yet; raises where it cannot be had, or is not what it should be."""
    if not all((FOLDER / name).is_file() for name in RUNTIME):
        _unpack(_package())
    packages = json.loads((FOLDER / "pyodide-lock.json").read_text("utf-8"))["packages"]
    for name in WHEELS:
        goal = FOLDER / packages[name]["file_name"]
        if not goal.is_file():
            with urllib.request.urlopen(DISTRIBUTION + goal.name, timeout=120) as answer:
                content = answer.read()
            _refuse_other(content, packages[name]["sha256"], goal.name)
            goal.write_bytes(content)


def _package() -> bytes:
    """Pyodide's package, from wherever npm has packages from."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", "--silent", f"pyodide@{VERSION}"], cwd=folder, check=True, capture_output=True)
        return next(Path(folder).glob("*.tgz")).read_bytes()


def _unpack(content: bytes) -> None:
    _refuse_other(content, CHECKSUM, f"pyodide {VERSION}")
    FOLDER.mkdir(exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for name in RUNTIME:
            member = archive.extractfile(f"package/{name}")
            assert member is not None
            (FOLDER / name).write_bytes(member.read())


def _refuse_other(content: bytes, checksum: str, name: str) -> None:
    if hashlib.sha256(content).hexdigest() != checksum:
        raise ValueError(f"{name} is not what was expected: its checksum is another")


def package() -> bytes:
    """This package as a browser needs it: its modules and the library, in one archive, the same at every build."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((ROOT / "src" / "tolang").rglob("*")):
            parts = path.relative_to(ROOT / "src" / "tolang").parts
            wanted = path.suffix in (".py", ".tol", ".json", ".lark", ".css") and (
                len(parts) == 1 or parts[0] not in LEFT_OUT
            )
            if wanted and not (parts[0] == "library" and "onnx" in parts):
                name = path.relative_to(ROOT / "src").as_posix()
                archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def examples() -> str:
    """The programs that the page offers, with their inputs, as JSON."""
    from tolang.faces.playground import given_in

    found = [{"name": "product of matrices", "text": FIRST, "inputs": given_in(FIRST)}]
    for path in sorted((ROOT / "examples" / "gallery").rglob("*.tol")):
        text = path.read_text("utf-8")
        if "--seed" not in given_in(text):
            found.append({"name": path.stem.replace("_", " "), "text": text, "inputs": given_in(text)})
    return json.dumps(found)


def files() -> dict[str, bytes]:
    """All files below `playground` on the site; those that are fetched only where all of them are there."""
    fetched = {path.name: path.read_bytes() for path in sorted(FOLDER.glob("*"))} if FOLDER.is_dir() else {}
    whole = all(any(name.startswith(one) for name in fetched) for one in (*RUNTIME, *WHEELS))
    return {**(fetched if whole else {}), "tolang.zip": package(), "examples.json": examples().encode()}


def main() -> int:
    try:
        fetch()
    except (OSError, ValueError, subprocess.CalledProcessError, urllib.error.URLError) as error:
        missing = "npm is not installed" if shutil.which("npm") is None else str(error)
        print(f"The playground is left without Python for browsers: {missing}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
