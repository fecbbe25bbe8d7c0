"""Mutated models: some dozens, in a process that may die; `make fuzz` takes more."""

from __future__ import annotations

from tests.fuzz.models import run


def test_mutated_models_run_or_are_refused() -> None:
    report = run(30, seed=5)
    assert report.failures == []
    assert sum(report.outcomes.values()) == 30
    assert report.outcomes.keys() >= {"ran", "refused E702", "refused E703"}
