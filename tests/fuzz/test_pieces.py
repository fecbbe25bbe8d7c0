"""Generated programs in pieces beside the same programs whole: some; `make fuzz` takes many more."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.fuzz import pieces
from tests.fuzz.ways import WAYS, Case, case

import tolang

KEPT = (0, 2, 3, 6, 9, 10)
"""Programs that are judged within seconds: long vectors are for longer runs."""


def test_pieces_have_the_bits_of_the_whole() -> None:
    runs: Counter[str] = Counter()
    for number in KEPT:
        made = case(f"kept/{number}")
        found, results = pieces.judged(made)
        assert not found, "\n\n".join(pieces.reproduction(made, one) for one in found)
        runs += results
    assert runs["cut"] >= len(KEPT)  # most of them run, and are cut


def test_every_way_is_a_program() -> None:
    """What a checker refuses of many programs is nothing, and every way is gone."""
    gone: Counter[str] = Counter()
    refused = 0
    for number in range(300):
        made = case(f"many/{number}")
        gone.update(made.ways)
        if number < 25:
            try:
                tolang.compile(made.text, engine="interpret")
            except tolang.ToLangError:
                refused += 1
    assert refused <= 1
    assert not [name for name in WAYS if not gone[name]]


def test_other_bits_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run in pieces that gives another number, or another exception than ours, is told with its program."""
    made = Case("planted", "tol x: R [n]\ny := map(x, * + 1)", {"x": np.arange(9.0)})
    assert pieces.judged(made)[0] == []
    monkeypatch.setattr(pieces, "in_pieces", lambda *given: pieces.Outcome(bits=b"other"))
    assert {one.signature[1] for one in pieces.judged(made)[0]} == {"other bits"}

    def raising(*given: object) -> pieces.Outcome:
        raise KeyError("planted")

    monkeypatch.setattr(pieces, "in_pieces", raising)
    found, _ = pieces.judged(made)
    assert {one.signature[:2] for one in found} == {("raised", "KeyError")}
    assert "map(x, * + 1)" in pieces.reproduction(made, found[0])
