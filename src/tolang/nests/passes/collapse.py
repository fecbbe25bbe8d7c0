"""Neighbouring dimensions that are one stretch of memory become one loop (`nests/collapsing.py`)."""

from __future__ import annotations

from tolang.nests.collapsing import collapsed
from tolang.nests.nest import Nest, Plan
from tolang.nests.rewriting import map_lists


def collapse(plan: Plan) -> Plan:
    """Neighbouring dimensions that walk through memory as one are one loop."""
    return map_lists(plan, lambda steps: tuple(collapsed(step) if isinstance(step, Nest) else step for step in steps))
