"""Prints the processors, older than this machine's, whose code it can run: `TOL_PROCESSOR` takes their names."""

from __future__ import annotations

from tolang.engines.cpu.processors import runnable

if __name__ == "__main__":
    print(*runnable())
