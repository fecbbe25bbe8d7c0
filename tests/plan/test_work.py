"""How much steps compute, where lengths and turns are computed from sizes, too."""

from __future__ import annotations

from math import inf

import tolang
from tolang.engines.cpu.plan.artifact import UNKNOWN, amount, expected
from tolang.engines.cpu.plan.bytecode import assemble
from tolang.plan.target import Target
from tolang.plan.work import PlanWork
from tolang.schedule.planning import plan

TARGET = Target(32, 16)


def works(text: str, **sizes: int) -> list[tuple[float, float]]:
    """Of each call of a program about how many instructions it is at some sizes, and is expected to be."""
    made = plan(tolang.compile(text, engine="interpret").core, TARGET).plan
    found = [PlanWork(made).of(call) for call in assemble(made).calls]
    return [(amount(one, sizes), expected(one, sizes)) for one in found]


def test_stages_of_a_transform_are_no_more_than_a_length_has_doublings() -> None:
    stages = "use fourier\ntol x: R [n]\ntol r: [re: R, im: R] [n]\ny := fft_by_roots(map(x, (*, 0)), r)"
    for n in (64, 4096):
        most = max(known for known, _ in works(stages, n=n))
        assert 5 * n < most < 50_000 * n


def test_of_turns_that_data_tell_nobody_knows_how_many_there_are() -> None:
    text = "tol x: f64 [n]\ntol k: i64\ny := reduce(tol[k], (s, e) -> map(s, sin(*)), x)"
    assert max(works(text, n=100)) == (inf, UNKNOWN)
