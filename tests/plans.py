"""Plans for tests: as this machine, or another, would run them."""

from __future__ import annotations

from tolang.engines.cpu.runtime.native import host_target
from tolang.plan.nest import Plan
from tolang.plan.target import Target
from tolang.schedule.pipeline import Pass
from tolang.schedule.planning import planned

TARGETS = {
    "avx512": ("x86_64-unknown-linux-gnu", "+avx512f,+avx2,+fma"),
    "avx2": ("x86_64-unknown-linux-gnu", "+avx2,+fma"),
    "neon": ("aarch64-unknown-linux-gnu", "+neon"),
}
"""Processors by the width of their vectors: as LLVM calls them, and what they have."""


def optimise(lowered: Plan, target: Target | None = None, strict: bool = False) -> Plan:
    """A lowered program after all passes, with strategies."""
    return planned(lowered, target or host_target(), strict).plan


def changes(lowered: Plan) -> tuple[Pass, ...]:
    """The passes that change something."""
    return planned(lowered, host_target(), strict=False).passes
