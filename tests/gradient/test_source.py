"""Gradients as ToLang: what is printed is formatted, parses, costs as much, and gives the same values."""

from __future__ import annotations

import numpy as np
import pytest
from tests.gradient.judging import numbers, results
from tests.gradient.test_rules import PROGRAMS, data_for, reals

import tolang
from tolang.core.source import print_source
from tolang.syntax.formatter import format_text

SIZES = {"n": 3, "m": 2, "k": 4}


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "rand"])
def test_printed_gradients_give_the_same(name: str) -> None:
    program = tolang.compile(PROGRAMS[name], engine="interpret").pullback("y", reals(PROGRAMS[name]))
    text = format_text(print_source(program.core))
    assert format_text(text) == text
    again = tolang.compile(text, engine="interpret")
    assert list(again.inputs) == list(program.inputs)
    given = data_for(PROGRAMS[name], SIZES)
    drawn = {
        one: numbers(*(int(length.evaluate(SIZES)) for length in kind.shape), seed=seed)
        for seed, (one, kind) in enumerate(program.inputs.items())
        if one not in given
    }
    found, expected = results(again, drawn | given), results(program, drawn | given)
    assert found.keys() == expected.keys()
    for one, value in expected.items():
        np.testing.assert_allclose(found[one], value, rtol=1e-12, atol=1e-12)
