"""Programs in a browser: what the page `playground` of the documentation asks, a text for a text.

The page runs this module, in Python compiled for browsers, with the interpreter: nothing here compiles anything.
"""

from __future__ import annotations

import json
import re
from typing import Any

from tolang.faces.drawing.programs import levels_of
from tolang.faces.drawing.svg import svg_of
from tolang.faces.given import arguments_from
from tolang.ground.reporting.diagnostics import Source, ToLangError, usage
from tolang.ground.values.printing import type_notation, value_notation
from tolang.program.costing import cost_of_program
from tolang.program.program import Program

_HEADER = re.compile(r"^# Input: *(.*)$", re.MULTILINE)
_NEXT = re.compile(r"\s+(?=[A-Za-z_]\w*=)")
LARGEST_DRAWING = 400_000
"""Longer drawings are left out, for the sake of the page."""


def given_in(text: str) -> str:
    """The inputs that the comment of an example names: `# Input:  n=4 tape=[0,1,1]`."""
    found = _HEADER.search(text)
    return found[1].strip() if found else ""


def answer(text: str, inputs: str = "") -> str:
    """What a program gives for inputs such as `a=[1,2] n=3`: its results, cost and drawing, or its errors, as JSON."""
    found: dict[str, Any] = {"errors": "", "results": [], "cost": {}, "drawing": ""}
    try:
        _run(text, inputs, found)
    except ToLangError as error:
        found["errors"] = str(error)
    except (MemoryError, RecursionError) as error:
        found["errors"] = f"the browser has no room for this: {type(error).__name__}"
    return json.dumps(found)


def _run(text: str, inputs: str, found: dict[str, Any]) -> None:
    program = Program(Source("program.tol", text), "interpret")
    if not program.outputs:
        raise usage("E602", "the program exports no value", fix="export what to see: result := …")
    found["cost"] = {"formula": str(cost_of_program(program.core, {}))}
    drawing = svg_of(levels_of(program.core, "program"))
    found["drawing"] = drawing if len(drawing) <= LARGEST_DRAWING else ""
    given = arguments_from([one for one in _NEXT.split(inputs.strip()) if one], program.inputs)
    job = program.job((), given)
    found["cost"]["here"] = str(cost_of_program(program.core, dict(job.sizes)).eops) if job.sizes else ""
    for name, value in program.run(job).items():
        parts = value if isinstance(value, tuple) else (value,)
        for position, part in enumerate(parts, 1):
            label = name if len(parts) == 1 else f"{name}[{position}]'"
            found["results"].append({"name": label, "type": type_notation(part), "value": value_notation(part, 0)})
