"""Generated programs cut anywhere: the segments, one after the other, give what the whole gives."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from hypothesis import assume, event, given
from hypothesis import strategies as st
from tests.properties.programs import Generated, programs

import tolang
from tolang.core.core import Core
from tolang.data.binding import Job
from tolang.ground.values.values import ToL, equal
from tolang.program.segments import lengths_of, segmented
from tolang.readings.interpret import interpret


def in_segments(job: Job, cuts: int) -> list[ToL]:
    """The outputs' values, the bits of `cuts` telling which bindings go with which."""
    position = count()

    def refusal(_: Core) -> str | None:
        return "refused" if cuts >> next(position) & 1 else None

    split = segmented(job.core, refusal)
    event(f"{min(len(split.segments), 4)} segments")
    values, sizes = dict(job.inputs), dict(job.sizes)
    for segment in split.segments:
        found = dict(zip(segment.gives, interpret(segment.core, values, sizes), strict=True))
        sizes.update(lengths_of(segment, found))
        values.update(found)
    return [values[name] for name in split.outputs]


def outcome(work: Callable[[], list[ToL]]) -> list[ToL] | str:
    """The values that some work gives, or the code of its error."""
    try:
        return work()
    except tolang.ToLangRunError as error:
        return error.code


@given(programs(), st.integers(0, 2**24))
def test_segments_give_what_the_whole_gives(program: Generated, cuts: int) -> None:
    try:
        job = tolang.compile(program.source).job((), program.inputs)
    except tolang.ToLangError:
        assume(False)
        raise
    expected = outcome(lambda: interpret(job.core, job.inputs, job.sizes))
    found = outcome(lambda: in_segments(job, cuts))
    if isinstance(expected, str) or isinstance(found, str):
        assert found == expected
        return
    for one, two in zip(found, expected, strict=True):
        assert [a.dtype for a in one.columns] == [a.dtype for a in two.columns]
        assert one.spaces == two.spaces
        assert equal(one, two), (one, two)
