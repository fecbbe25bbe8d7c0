"""What went wrong in compiled code, told as the interpreter tells it.

Compiled code knows which check failed and where in the source.  The interpreter, run once more on the same data, tells
which value it was; where that would take long, the check itself is reported.
"""

from __future__ import annotations

from collections.abc import Mapping

from tolang.core.core import Bundle, Core, Expr, Let
from tolang.core.let_chain import unwound
from tolang.engines.contract import Engine, Fault, MemoryRefusal
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import Diagnostic, Span, ToLangRunError
from tolang.ground.reporting.faults import check_shape, shape_text
from tolang.ground.system.memory import allowing, memory_fault
from tolang.ground.values.values import ToL

EXPLAINED = 2 * 10**7
"""EOPs up to which a program that failed is run once more by the interpreter; also where nothing bounds them before."""
EXPLAINING = 1.0
"""Seconds of the processor that this may take: folds that go on step by step take long for what they cost."""
EXPLAINING_BYTES = 1 << 26
"""Bytes that each value may take where nothing tells before what a program costs, as lengths from data do not."""
IMPOSSIBLE_LENGTH, NO_MEMORY, OVERFLOW = "E509", "E508", "E505"


def failure(
    fault: Fault,
    core: Core,
    inputs: Mapping[str, ToL],
    sizes: Mapping[str, int],
    seed: int,
    strict: bool,
    engine: Engine,
) -> ToLangRunError | list[ToL]:
    """The error that stands for a check that failed in an engine's code.

    Without `strict` a total of whole numbers is an error only where it does not fit itself.  Compiled code regroups,
    and fails where a part of it does not; the interpreter, which then finds no error, has the values.
    """
    from tolang.program.costing import eops_at
    from tolang.readings.interpret import Late, interpret

    refused = None
    if fault.code == NO_MEMORY:
        refused = _out_of_memory(fault, core, inputs, sizes, engine.last_refusal())
        if refused.code != IMPOSSIBLE_LENGTH:
            return refused
    eops = eops_at(core, sizes, inputs)
    if eops is None or eops <= EXPLAINED:
        try:
            with allowing(None if eops is not None else EXPLAINING_BYTES):
                found = interpret(core, inputs, sizes, seed, strict, EXPLAINING)
            if not strict and fault.code == OVERFLOW:
                return found
        except ToLangRunError as error:
            if eops is not None or error.code != NO_MEMORY:
                return error
        except Late:
            pass
    if refused is not None:
        return refused
    return ToLangRunError(Diagnostic(fault.code, fault.about, fault.span))


def _out_of_memory(
    fault: Fault,
    core: Core,
    inputs: Mapping[str, ToL],
    sizes: Mapping[str, int],
    refused: MemoryRefusal | None,
) -> ToLangRunError:
    """Memory that could not be had: how much, for which value, of which shape where its sizes are known."""
    name = fault.about
    value = _value_named(name, fault.span, core)
    numerics = {n: int(v.item()) for n, v in inputs.items() if not v.shape and v.columns[0].dtype.kind in "biu"}
    known, what = {**numerics, **sizes}, name if value is not None or name.startswith("a ") else "a value"
    if value is not None and all(length.names() <= known.keys() for length in value.type.shape):
        try:
            lengths = check_shape([length.evaluate(known) for length in value.type.shape])
        except ToLangRunError as wrong:
            return _placed(wrong, value.span)
        what = f"a ToL of shape {shape_text(lengths)}"
    numbers = () if refused is None else (refused.asked, refused.there, refused.allowed)
    return _placed(memory_fault(what, *numbers), fault.span or (value.span if value is not None else None))


def _placed(error: ToLangRunError, span: Span | None) -> ToLangRunError:
    return ToLangRunError([replace(one, span=span) for one in error.diagnostics])


def _value_named(name: str, span: Span | None, core: Core) -> Expr | None:
    """The value that a program binds to a name, or gives out under it; the one at a span, if that is known."""
    links, inside = unwound(core.body)
    named = [link for link in links if isinstance(link, Let) and len(link.names) == 1]
    found: list[Expr] = [link.value for link in named if link.names[0].split(".")[0] == name]
    if isinstance(inside, Bundle):
        parts = zip(inside.parts, core.outputs, strict=True)
        found += [part for part, output in parts if output.name == name]
    return next((one for one in found if span is None or one.span == span), None)
