"""Caches damaged at random: a few, in a process that has nothing loaded; `make fuzz` takes 1,000."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_damaged_caches_give_the_right_results() -> None:
    command = [sys.executable, "-m", "tests.fuzz.caches", "5", "--seed", "4"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "seed 4" in done.stdout
