"""What went wrong in compiled code, told as the interpreter tells it.

Compiled code knows which check failed and where in the source.  The interpreter, run once more on the same data, tells
which value it was; where that would take long, the check itself is reported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from tolang.core.core import Bundle, Expr, Let, Program, Require
from tolang.driver.spine import unwound
from tolang.engines.cpu.images import Fault
from tolang.ground.diagnostics import Diagnostic, ToLangRunError
from tolang.ground.faults import check_shape, memory_fault, shape_text
from tolang.ground.values import ToL

EXPLAINED = 2 * 10**7
"""EOPs up to which a program that failed is run once more by the interpreter."""
MEMORY = "memory for "
"""How the message of a check on allocation starts; the name of the value follows."""
IMPOSSIBLE_LENGTH = "E509"
CODES = (
    (re.compile(r"a (coordinate|range) is outside its ToL"), "E513"),
    (re.compile(r"a length is below zero"), IMPOSSIBLE_LENGTH),
)
"""Errors of the language that a check stands for by itself."""


def failure(
    fault: Fault, core: Program, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int, strict: bool
) -> ToLangRunError:
    """The error that stands for a failed check."""
    from tolang.driver.cost import eops_at
    from tolang.readings.interpret import interpret

    refused = None
    if fault.message.startswith(MEMORY):
        refused = _out_of_memory(fault.message.removeprefix(MEMORY), core, inputs, sizes)
        if refused.code != IMPOSSIBLE_LENGTH:
            return refused
    eops = eops_at(core, sizes, inputs)
    if eops is not None and eops <= EXPLAINED:
        try:
            interpret(core, inputs, sizes, seed, strict)
        except ToLangRunError as error:
            return error
    if refused is not None:
        return refused
    required = any(isinstance(one, Require) and one.message == fault.message for one in unwound(core.body)[0])
    otherwise = "E515" if required else "E519"
    code = next((code for pattern, code in CODES if pattern.fullmatch(fault.message)), otherwise)
    return ToLangRunError(Diagnostic(code, fault.message, fault.span))


def _out_of_memory(name: str, core: Program, inputs: Mapping[str, ToL], sizes: Mapping[str, int]) -> ToLangRunError:
    """Memory that could not be had: for which value, of which shape, where its sizes are known."""
    value = _value_named(name, core)
    if value is None:
        return memory_fault(name)
    numerics = {n: int(v.item()) for n, v in inputs.items() if not v.shape and v.columns[0].dtype.kind in "biu"}
    known = {**numerics, **sizes}
    error = memory_fault(name)
    if all(length.names() <= known.keys() for length in value.type.shape):
        try:
            lengths = check_shape([length.evaluate(known) for length in value.type.shape])
            error = memory_fault(f"a ToL of shape {shape_text(lengths)}")
        except ToLangRunError as refused:
            error = refused
    return ToLangRunError([replace(one, span=value.span) for one in error.diagnostics])


def _value_named(name: str, core: Program) -> Expr | None:
    """The value that a program binds to a name, or gives out under it."""
    links, inside = unwound(core.body)
    for link in links:
        if isinstance(link, Let) and len(link.names) == 1 and link.names[0].split(".")[0] == name:
            return link.value
    if isinstance(inside, Bundle):
        for part, output in zip(inside.parts, core.outputs, strict=True):
            if output.name == name:
                return part
    return None
