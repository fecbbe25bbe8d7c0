"""Interrupts at random moments, a few of them; `make fuzz` takes 1,000."""

from __future__ import annotations

import os
import subprocess
import sys

LONGEST = 5.0
"""Seconds that a busy machine may take; alone it is a fifth of one."""


def test_interrupts() -> None:
    """In a process of its own, whose main thread gets the signals."""
    command = [sys.executable, "-m", "tests.fuzz.interrupts", "12", "--seed", "4", "--longest", str(LONGEST)]
    done = subprocess.run(
        [*command, "--commands", "1"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=os.environ | {"TOL_COMPILE": "quick"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "exit codes" in done.stdout
