"""Native code built with a sanitizer, and run."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tolang

RUNTIME = Path(tolang.__file__).parent / "engines" / "cpu" / "runtime"
needs_a_compiler = pytest.mark.skipif(
    shutil.which("cc") is None or not sys.platform.startswith("linux"), reason="needs a C compiler"
)


def sanitized(sanitizer: str, sources: list[Path], folder: Path) -> str:
    """What a program of some C files prints; what a sanitizer finds in it is an error."""
    program = folder / "driver"
    options = [f"-fsanitize={sanitizer}", "-O1", "-g", "-pthread", "-fno-builtin", "-w"]
    built = subprocess.run(
        ["cc", *options, "-o", str(program), *map(str, sources)], capture_output=True, text=True, check=False
    )
    if built.returncode and "cannot find" in built.stderr:
        pytest.skip("the compiler has no such sanitizer")
    assert built.returncode == 0, built.stderr
    found = subprocess.run([str(program)], capture_output=True, text=True, timeout=120, check=False)
    assert found.returncode == 0, found.stdout + found.stderr[-3000:]
    return found.stdout
