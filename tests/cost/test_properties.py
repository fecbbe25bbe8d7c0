"""Generated programs: the derived cost is what a counting interpreter finds, at random sizes and on random data."""

from __future__ import annotations

from hypothesis import assume, event, given, settings
from tests.cost.counting import CountingInterpreter, TooMuch
from tests.properties.programs import Generated, programs

import tolang
from tolang.data.binding import Job
from tolang.ground.symbolic.sizes import Size
from tolang.program.cost import Cost
from tolang.readings.cost.terms import value

EXAMPLES = settings().max_examples


def ready(program: Generated) -> tuple[Job, CountingInterpreter]:
    """A program that runs, and its functions counted one by one."""
    try:
        compiled = tolang.compile(program.source, engine="interpret")
        job = compiled.job((), program.inputs)
        compiled.run(job)
        counter = CountingInterpreter(job.core)
        counter.run(job.inputs, job.sizes)
    except (tolang.ToLangError, TooMuch):
        assume(False)
        raise
    return job, counter


def given_sizes(job: Job, counter: CountingInterpreter) -> dict[str, int]:
    """Sizes, numerics among the inputs, and the lengths that only running told, where each is one number."""
    whole = [one for one in job.core.inputs if one.type.is_numeric and one.type.column.space.family in ("B", "Z")]
    sizes = {**job.sizes, **{one.name: int(job.inputs[one.name].item()) for one in whole}}
    cost = Cost(job.core, None, sizes)
    observed = {shown: counter.lengths.get(name, set()) for name, shown in cost._shown.items()}
    return sizes | {shown: next(iter(lengths)) for shown, lengths in observed.items() if len(lengths) == 1}


@settings(max_examples=EXAMPLES)
@given(programs())
def test_derived_is_counted(program: Generated) -> None:
    job, counter = ready(program)
    sizes = given_sizes(job, counter)
    cost = Cost(job.core, None, sizes)
    left = [name for name in cost.unknowns if name not in sizes]
    if left:
        event("lengths that vary while running")
        assert not isinstance(cost.eops, int) or cost.eops >= counter.eops
        return
    event("exact")
    assert cost.by_function == {name: count for name, count in counter.functions.items() if count}
    assert cost.eops == counter.eops
    evaluations = {name: one.evaluations for name, one in cost.by_definition.items() if one.evaluations != 0}
    assert evaluations == {name: count for name, count in counter.definitions.items() if count}
    assert cost.span >= counter.span  # type: ignore[operator]
    event("span exact" if cost.span == counter.span else "span an upper bound")


def equal_everywhere(one: Size, two: Size) -> bool:
    """Whether formulas are equal; where case distinctions are grouped differently, at many sizes."""
    if one == two:
        return True
    names = sorted(one.names() | two.names())
    points = [{name: (3 * k + 5 * place) % 11 for place, name in enumerate(names)} for k in range(11)]
    return all(one.evaluate(point) == two.evaluate(point) for point in points)


@settings(max_examples=EXAMPLES)
@given(programs())
def test_formulas_hold_at_the_sizes(program: Generated) -> None:
    """What is read symbolically and then evaluated is what is read at given sizes, and the derivation comes to it."""
    try:
        compiled = tolang.compile(program.source)
        job = compiled.job((), program.inputs)
    except tolang.ToLangError:
        assume(False)
        raise
    symbolic = Cost(job.core)
    reading = symbolic._reading
    total = Size.of(0)
    for _, term in reading.blocks():
        total = total + value(term)
    assert equal_everywhere(total, reading.tally.total)
    whole = [one for one in job.core.inputs if one.type.is_numeric and one.type.column.space.family in ("B", "Z")]
    sizes = {**job.sizes, **{one.name: int(job.inputs[one.name].item()) for one in whole}}
    if not symbolic.unknowns and sizes:
        found = Cost(job.core, None, sizes)
        assert Size.of(symbolic.eops).evaluate(sizes) == found.eops
        assert Size.of(symbolic.bytes_read).evaluate(sizes) == found.bytes_read
        if all(value_of > 0 for value_of in sizes.values()):
            assert Size.of(symbolic.span).evaluate(sizes) >= found.span
