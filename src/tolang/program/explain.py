"""How a program runs: its core, the nests it becomes, the kernels chosen, and what is left to the interpreter."""

from __future__ import annotations

from tolang.core.core import Program
from tolang.core.printer import print_program
from tolang.ground.diagnostics import readable
from tolang.ground.nesting import room_to_nest


@room_to_nest()
def explain(core: Program, strict: bool = False) -> str:
    """The whole story of a checked program as readable text."""
    sections = [("core", print_program(core))]
    sections.extend(_compiled(core, strict))
    return "\n".join(f"== {title} ==\n{text.rstrip()}\n" for title, text in sections)


def _in_segments(core: Program, strict: bool) -> list[tuple[str, str]]:
    """The segments of a program that compiled code cannot take as a whole, and why some are interpreted."""
    from tolang.engines.cpu.translation import refusal
    from tolang.program.engines import fallback_text
    from tolang.program.segments import segmented

    sections: list[tuple[str, str]] = []
    fallbacks: list[str] = []
    for number, segment in enumerate(segmented(core, lambda part: refusal(part, strict)).segments, 1):
        given = ", ".join(readable(name) for name in segment.gives)
        if segment.reason is None:
            sections += [(f"segment {number}, {title}", text) for title, text in _compiled(segment.core, strict)]
        else:
            sections.append((f"segment {number}, interpreted", f"gives {given}"))
            fallbacks.append(f"segment {number}: {fallback_text(segment)}")
    return [("fallback", "\n".join(fallbacks)), *sections]


def _compiled(core: Program, strict: bool) -> list[tuple[str, str]]:
    from tolang.engines.cpu.runtime.native import host_target
    from tolang.nests.nest import Unsupported
    from tolang.nests.planning import plan
    from tolang.nests.printer import print_plan

    try:
        found = plan(core, host_target(), strict)
    except Unsupported:
        return _in_segments(core, strict)
    passes = "\n".join(f"{one.name}: {one.contract}" for one in found.passes) or "none changed anything"
    return [("plan", print_plan(found.plan)), ("passes", passes)]
