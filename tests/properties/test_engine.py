"""Generated programs: compiled code gives what the interpreter gives, errors included."""

from __future__ import annotations

import pytest
from hypothesis import assume, event, given, settings
from tests.properties.programs import Generated, programs

import tolang
from tolang.data.binding import Job
from tolang.ground.values.values import ToL, equal
from tolang.program.runner import Runner
from tolang.readings.interpret import interpret

EXAMPLES = max(15, settings().max_examples // 2)


def interpreted(job: Job, strict: bool) -> tuple[list[ToL], str | None]:
    """What the interpreter gives, or the code of the error that it gives."""
    try:
        return interpret(job.core, job.inputs, job.sizes, 0, strict), None
    except tolang.ToLangRunError as error:
        return [], error.code


def compared(program: Generated, strict: bool) -> tuple[list[ToL], list[ToL]] | None:
    """What the compiled program and the interpreter give; None where one of them refuses, and then both do."""
    try:
        compiled = tolang.compile(program.source)
        job: Job = compiled.job((), program.inputs)
    except tolang.ToLangError:
        assume(False)
        raise
    engine = Runner("cpu", strict)
    expected, refused = interpreted(job, strict)
    if refused is not None:
        with pytest.raises(tolang.ToLangRunError) as caught:
            engine.run(job.core, job.inputs, job.sizes, 0)
        assert caught.value.code == refused
        return None
    found = engine.run(job.core, job.inputs, job.sizes, 0)
    event(engine.fallbacks[0] if engine.fallbacks else "compiled")
    return found, expected


@settings(max_examples=EXAMPLES)
@given(programs())
def test_compiled_equals_interpreted(program: Generated) -> None:
    both = compared(program, strict=False)
    if both is None:
        return
    tolerance = 0.0 if program.exact else 1e-4 if "f32" in program.source else 1e-9
    for one, two in zip(*both, strict=True):
        assert [a.dtype for a in one.columns] == [a.dtype for a in two.columns]
        assert equal(one, two, rtol=tolerance, atol=tolerance), (one, two)


@settings(max_examples=EXAMPLES)
@given(programs())
def test_strict_is_the_same_to_the_bit(program: Generated) -> None:
    """Arithmetic, comparison and sqrt in the order written, to the bit.

    Where other functions occur the tolerance is wider than their two units in the last place, as what follows them
    can magnify a difference; `tests/engines/test_mathematics.py` holds the functions themselves to two units.
    """
    both = compared(program, strict=True)
    if both is None:
        return
    rounded = any(name in program.source for name in ("exp", "log", "sin", "cos", "tan", "pow", "^", "softmax"))
    tolerance = 0.0 if not rounded else 1e-5 if "f32" in program.source else 1e-12
    for one, two in zip(*both, strict=True):
        assert equal(one, two, rtol=tolerance, atol=tolerance), (one, two)
