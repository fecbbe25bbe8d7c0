"""Compiled programs as files: what another process needs to run a program without checking or compiling it.

A file is an archive of the program's text, with the modules that it uses, and of the entries that a cache would have
for it: the checked core, the plan and machine code.  Each is found under everything it depends on, the processor and
this package among it.  So on another kind of machine, or with another version, nothing in the file fits, and the
program is compiled from its text.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from tolang.data.files import replace_file
from tolang.ground.reporting.diagnostics import Source, usage
from tolang.ground.system.own_modules import carried
from tolang.ground.values.values import ToL
from tolang.ground.version import VERSION
from tolang.program.runner import Runner
from tolang.store import cache

SUFFIX = ".tolc"
HEAD = "program.json"
ENTRIES = "entries/"
LARGEST = 1 << 30
"""Bytes that the parts of a file may have together, unpacked."""
_MAKE = "import sys; from tolang.program.loading import make; make(sys.stdin.read())"

Storages = dict[str, list[tuple[str, bool]]]
"""For each input, how its components are held, and whether they adapt to others."""


class Saved(Protocol):
    """What is needed of a program to save it."""

    @property
    def source(self) -> Source: ...
    @property
    def engine(self) -> str: ...
    @property
    def strict(self) -> bool: ...
    @property
    def runner(self) -> Runner: ...
    @property
    def weights(self) -> Mapping[str, ToL]: ...
    @property
    def fixed(self) -> Mapping[str, ToL]: ...
    @property
    def derivations(self) -> tuple[Any, ...]: ...
    def storages(self) -> list[Storages]: ...


def save(program: Saved, path: Path) -> None:
    """Writes a program, compiled for the types of data that it has been called with, to a file."""
    if path.suffix != SUFFIX:
        raise usage("E607", f"{path} is not a name for a compiled program", expected=f"a file ending in {SUFFIX}")
    if program.derivations or program.weights or program.fixed:
        message = "a program that brings data, or was derived of another, is not saved"
        raise usage("E607", message, fix="save the program it was made of, and derive or fix it after loading")
    head = {
        "format": 1, "version": VERSION, "texts": carried(program.source),
        "engine": program.engine, "strict": program.strict, "fallback": program.runner.fallback,
        "threads": program.runner.threads, "storages": program.storages(),
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        made = _made_in(Path(folder) / "cache", json.dumps(head))

    def write(file: Any) -> None:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(HEAD, json.dumps(head))
            for name, content in sorted(made.items()):
                archive.writestr(f"{ENTRIES}{name}", content)

    replace_file(path, write)


def _made_in(folder: Path, head: str) -> dict[str, bytes]:
    """The entries of a program, made by a process that has none, in a folder that it keeps them in."""
    folder.mkdir(mode=0o700)
    environment = os.environ | {"TOL_CACHE_DIR": str(folder), "TOL_COMPILE": "full"}
    environment["PYTHONPATH"] = os.pathsep.join(one for one in sys.path if one)
    command = [sys.executable, "-c", _MAKE]
    done = subprocess.run(command, input=head, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"a program that was compiled here cannot be compiled again: {done.stderr[-2000:]}")
    return cache.contents(folder)
