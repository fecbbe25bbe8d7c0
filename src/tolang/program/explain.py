"""How a program runs: its core, its plan with the strategy of every nest, and what is left to the interpreter.

Nothing is compiled for it: the plan is what code is written from.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tolang.core.core import Program
from tolang.core.new_text import NewText
from tolang.core.printer import print_program
from tolang.core.refusal import Refused
from tolang.core.text_codes import LITERALS, on_codes
from tolang.ground.diagnostics import readable
from tolang.ground.nesting import room_to_nest
from tolang.program.engines import SMALL

Shapes = Mapping[str, tuple[int, ...]]
NOTHING: Shapes = MappingProxyType({})


@room_to_nest()
def explain(core: Program, strict: bool = False, fixed: Shapes = NOTHING, engine: str = "cpu") -> str:
    """The whole story of a checked program as readable text; `fixed` inputs have the same values in all runs."""
    sections = [("core", print_program(core))]
    if engine == "interpret":
        sections.append(("engine", "the core above is interpreted, expression by expression"))
    else:
        if engine == "auto":
            sections.append(("engine", f"runs of at most {SMALL} EOPs are interpreted, all others run as below"))
        sections.extend(_on_codes(core))
        sections.extend(_compiled(core, strict, fixed))
    return "\n".join(f"== {title} ==\n{text.rstrip()}\n" for title, text in sections)


def _on_codes(core: Program) -> list[tuple[str, str]]:
    """What stands for text in compiled code, where a program has text."""
    try:
        text = on_codes(core)
    except Refused:  # as of each segment is told
        return []
    if text is None:
        return []
    told = ["compiled code has codes in the place of text: places in the sorted dictionary of all texts of a run"]
    told += [f"{LITERALS}[{place}] is {one!r}" for place, one in enumerate(text.literals, 1)]
    return [("text", "\n".join(told))]


def _in_segments(core: Program, strict: bool) -> list[tuple[str, str]]:
    """The segments of a program that compiled code cannot take as a whole, and why some are interpreted."""
    from tolang.engines.cpu.translation import refusal
    from tolang.program.engines import fallback_text
    from tolang.program.segments import segmented

    sections: list[tuple[str, str]] = []
    fallbacks: list[str] = []
    for number, segment in enumerate(segmented(core, lambda part: refusal(part, strict)).segments, 1):
        given = ", ".join(readable(name) for name in segment.gives)
        if segment.way is None:
            sections += [
                (f"segment {number}, {title}", text) for title, text in _compiled(segment.core, strict, NOTHING)
            ]
        elif isinstance(segment.way, NewText):
            sections.append((f"segment {number}, new text", f"{given} = {segment.way}"))
        else:
            sections.append((f"segment {number}, interpreted", f"gives {given}"))
            fallbacks.append(f"segment {number}: {fallback_text(segment)}")
    return [("fallback", "\n".join(fallbacks)), *sections] if fallbacks else sections


def _compiled(core: Program, strict: bool, fixed: Shapes) -> list[tuple[str, str]]:
    from tolang.engines.cpu.translation import plan_of
    from tolang.nests.description import describe
    from tolang.nests.fixed import lengths_of
    from tolang.nests.printer import print_plan

    try:
        found = plan_of(core, strict, frozenset(fixed), lengths_of(core, fixed))
    except Refused:
        return _in_segments(core, strict)
    passes = "\n".join(f"{one.name}: {one.contract}" for one in found.passes) or "none changed anything"
    sections = [("plan", print_plan(found.plan)), ("passes", passes), ("strategies", describe(found.plan))]
    if found.once is not None:
        sections += [
            ("once, before the first run", print_plan(found.once)),
            ("strategies of that", describe(found.once)),
        ]
    return sections
