"""How a program runs: its core, the nests it becomes, the kernels chosen, and what is left to the interpreter."""

from __future__ import annotations

from tolang.core.core import Program
from tolang.core.printer import print_program


def explain(core: Program, strict: bool = False) -> str:
    """The whole story of a checked program as readable text."""
    sections = [("core", print_program(core))]
    sections.extend(_compiled(core, strict))
    return "\n".join(f"== {title} ==\n{text.rstrip()}\n" for title, text in sections)


def _compiled(core: Program, strict: bool) -> list[tuple[str, str]]:
    from tolang.engines.cpu.description import describe
    from tolang.engines.cpu.native import host_machine
    from tolang.nests.nest import Unsupported
    from tolang.nests.printer import print_plan
    from tolang.nests.steps import lower

    try:
        plan = lower(core)
    except Unsupported as reason:
        return [("fallback", f"the interpreter runs this program: {reason}")]
    return [("nests", print_plan(plan)), ("kernels", describe(plan, host_machine(), strict))]
