"""What figures depend on beside a model: the code that ran it, and where."""

from __future__ import annotations

import hashlib
import platform
from pathlib import Path

import onnxruntime

import tolang

CODE = frozenset({".py", ".tol", ".ll", ".c"})


def version() -> str:
    """A digest of the package's files, of onnxruntime's version and of the machine: other figures are not these."""
    package = Path(tolang.__file__).parent
    found = hashlib.sha256(f"{onnxruntime.__version__} {platform.machine()} {platform.node()}".encode())
    for file in sorted(one for one in package.rglob("*") if one.suffix in CODE):
        found.update(f"{file.relative_to(package)}\0".encode())
        found.update(file.read_bytes())
    return found.hexdigest()[:16]
