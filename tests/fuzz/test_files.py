"""Mutated files of data: some hundred, in a process that may die; `make fuzz` takes more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_mutated_files_are_read_or_refused() -> None:
    command = [sys.executable, "-m", "tests.fuzz.files", "300", "--seed", "5"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=600)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    assert "seed 5" in done.stdout
    assert all(f"'{end}'" in done.stdout for end in ("read", "E608", "E612", "E501")), done.stdout
