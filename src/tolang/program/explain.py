"""How a program runs: a summary by its definitions, and in full its core and its plan with the strategy of every nest.

Nothing is compiled for it: the plan is what code is written from.  The summary is made of a plan, too: of the same
program, with all places in its own text, so that the definition that asked for something is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from tolang.core.core import Bundle, Core, Expr, Let, Literal, Measure, Reduce, Variable
from tolang.core.new_text import NewText
from tolang.core.own_text import in_own_text
from tolang.core.printer import print_program
from tolang.core.refusal import Refused
from tolang.core.text_codes import LITERALS, on_codes
from tolang.engines.contract import Engine
from tolang.ground.reporting.diagnostics import readable
from tolang.ground.system.recursion import room_to_nest
from tolang.plan.kinds import SCAN
from tolang.program.definitions import DefinitionFinder, DefinitionPlace, definitions_of
from tolang.program.explanation import Explanation, ProgramFacts, SummaryLine, lines_of
from tolang.program.runner import DEFAULT_ENGINE, SMALL, Runner, fallback_text
from tolang.syntax.tree import SyntaxModule

if TYPE_CHECKING:
    from tolang.schedule.summary import Computation

Shapes = Mapping[str, tuple[int, ...]]
NOTHING: Shapes = MappingProxyType({})


def explain(
    core: Core, module: SyntaxModule, strict: bool = False, fixed: Shapes = NOTHING, engine: str = DEFAULT_ENGINE
) -> Explanation:
    """How a checked program runs by what `engine` names; `fixed` inputs have the same values in all runs."""
    notes, lines = summary(core, module, strict, fixed, engine)
    return Explanation(notes, lines, lambda: in_full(core, strict, fixed, engine))


@room_to_nest()
def summary(
    core: Core, module: SyntaxModule, strict: bool, fixed: Shapes, engine: str
) -> tuple[list[str], list[SummaryLine]]:
    """What is slow or interpreted, and a line or more for each definition of a program."""
    definitions = definitions_of(module)
    places = DefinitionFinder(definitions)
    placed, calls = in_own_text(core, module.span.source)
    known = ProgramFacts(definitions, places, *_uses(placed, places), calls)
    if engine == "interpret":
        return ["interpreted as a whole: the engine is `interpret`"], lines_of(known, [], _reached(placed.body, places))
    notes: list[str] = []
    found, interpreted = _computations(Runner(engine, strict).engine, placed, strict, fixed, places, notes)
    own_folds = {one.span for one in _inside(core.body) if isinstance(one, Reduce)}
    for one in found:
        where = places.definition(one.main)
        if one.main is None or where is None or not one.reason:
            continue
        if one.main in own_folds or one.kind == SCAN:
            line = one.main.source.position(one.main.start)[0]
            notes.append(f"slow: line {line}, {where.name}: {one.cases[-1].how}: {one.reason}")
    if engine == "auto":
        notes.append(f"runs of at most {SMALL} EOPs are interpreted, all others run as follows")
    return list(dict.fromkeys(notes)), lines_of(known, found, interpreted)


def _computations(
    engine: Engine, core: Core, strict: bool, fixed: Shapes, places: DefinitionFinder, notes: list[str]
) -> tuple[list[Computation], set[DefinitionPlace]]:
    """What compiled code computes, in its order; which definitions are interpreted, which is noted with the reason."""
    from tolang.plan.fixed import lengths_of
    from tolang.program.segments import segmented
    from tolang.schedule.summary import summarised

    try:
        found = engine.plan(core, strict, frozenset(fixed), lengths_of(core, fixed))
    except Refused:
        pass
    else:
        return [one for plan in (found.once, found.plan) if plan is not None for one in summarised(plan)], set()
    computed: list[Computation] = []
    interpreted: set[DefinitionPlace] = set()
    compiled: set[DefinitionPlace] = set()
    for segment in segmented(core, lambda part: engine.refusal(part, strict)).segments:
        if segment.way is None:
            computed += summarised(engine.plan(segment.core, strict).plan)
            compiled |= _reached(segment.core.body, places)
        elif not isinstance(segment.way, NewText):
            reached = _reached(segment.core.body, places)
            interpreted |= reached
            line = "" if segment.span is None else f"line {segment.span.source.position(segment.span.start)[0]}, "
            names = ", ".join(one.name for one in sorted(reached, key=lambda one: one.span.start))
            notes.append(f"interpreted: {line}{names}: {segment.way}")
    return computed, interpreted - compiled


def _reached(body: Expr, places: DefinitionFinder) -> set[DefinitionPlace]:
    """The definitions that an expression has parts of."""
    found = {places.definition(one.span) for one in _inside(body)}
    return {one for one in found if one is not None}


Uses = dict[DefinitionPlace, list[DefinitionPlace]]


def _uses(core: Core, places: DefinitionFinder) -> tuple[Uses, Uses]:
    """Which definitions each is used by, and which functions each is made of: by what is inside what, and by names."""
    bound = {
        name: places.definition(one.value.span)
        for one in _inside(core.body)
        if isinstance(one, Let)
        for name in one.names
    }
    used_by: Uses = {}
    made_of: Uses = {}

    def note(used: DefinitionPlace | None, user: DefinitionPlace | None) -> None:
        if used is not None and user is not None and used != user and user not in used_by.setdefault(used, []):
            used_by[used].append(user)

    for one in _inside(core.body):
        user = places.definition(one.span)
        for child in [] if isinstance(one, Let | Bundle) else one.children():
            part = places.definition(child.span)
            if not isinstance(child, Variable | Literal | Measure):
                note(part, user)
                if part is not None and user is not None and part != user and part.is_function:
                    made_of.setdefault(user, []).append(part)
        if isinstance(one, Variable):
            note(bound.get(one.name), user)
    return used_by, made_of


def _inside(expr: Expr) -> Iterator[Expr]:
    """An expression and everything inside it, each object once."""
    seen: set[int] = set()
    waiting = [expr]
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            waiting += one.children()


@room_to_nest()
def in_full(core: Core, strict: bool = False, fixed: Shapes = NOTHING, engine: str = DEFAULT_ENGINE) -> str:
    """The whole story of a checked program as readable text; `fixed` inputs have the same values in all runs."""
    sections = [("core", print_program(core))]
    if engine == "interpret":
        sections.append(("engine", "the core above is interpreted, expression by expression"))
    else:
        if engine == "auto":
            sections.append(("engine", f"runs of at most {SMALL} EOPs are interpreted, all others run as below"))
        sections.extend(_on_codes(core))
        sections.extend(_compiled(Runner(engine, strict).engine, core, strict, fixed))
    return "\n".join(f"== {title} ==\n{text.rstrip()}\n" for title, text in sections)


def _on_codes(core: Core) -> list[tuple[str, str]]:
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


def _in_segments(engine: Engine, core: Core, strict: bool) -> list[tuple[str, str]]:
    """The segments of a program that compiled code cannot take as a whole, and why some are interpreted."""
    from tolang.program.segments import segmented

    sections: list[tuple[str, str]] = []
    fallbacks: list[str] = []
    for number, segment in enumerate(segmented(core, lambda part: engine.refusal(part, strict)).segments, 1):
        given = ", ".join(readable(name) for name in segment.gives)
        if segment.way is None:
            sections += [
                (f"segment {number}, {title}", text) for title, text in _compiled(engine, segment.core, strict, NOTHING)
            ]
        elif isinstance(segment.way, NewText):
            sections.append((f"segment {number}, new text", f"{given} = {segment.way}"))
        else:
            sections.append((f"segment {number}, interpreted", f"gives {given}"))
            fallbacks.append(f"segment {number}: {fallback_text(segment)}")
    return [("fallback", "\n".join(fallbacks)), *sections] if fallbacks else sections


def _compiled(engine: Engine, core: Core, strict: bool, fixed: Shapes) -> list[tuple[str, str]]:
    from tolang.plan.fixed import lengths_of
    from tolang.plan.printer import print_plan
    from tolang.schedule.description import describe

    try:
        found = engine.plan(core, strict, frozenset(fixed), lengths_of(core, fixed))
    except Refused:
        return _in_segments(engine, core, strict)
    passes = "\n".join(f"{one.name}: {one.contract}" for one in found.passes) or "none changed anything"
    sections = [("plan", print_plan(found.plan)), ("passes", passes), ("schedules", describe(found.plan))]
    if found.once is not None:
        sections += [
            ("once, before the first run", print_plan(found.once)),
            ("schedules of that", describe(found.once)),
        ]
    return sections
