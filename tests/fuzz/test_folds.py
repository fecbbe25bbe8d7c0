"""Folds inside folds, a few; `make fuzz` takes many more, most of them in guarded memory."""

from __future__ import annotations

import shutil
import sys

import numpy as np
import pytest
from tests.fuzz.folds import difference, differences, program, run

COUNT = 8


@pytest.mark.parametrize("number", range(COUNT))
def test_compiled_folds_are_those_of_the_interpreter(number: int) -> None:
    made = program(f"kept/{number}")
    told = differences(made)
    assert not told, "\n".join([made.told(), *told])


def test_folds_in_guarded_memory_in_a_process_of_their_own() -> None:
    assert run(2, "kept", memory=("end",)) == []


def test_a_process_that_ends_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs after the one it was at are judged all the same."""
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    found = run(2, "kept", memory=("",))
    assert len(found) == 2
    assert all("ended with 1" in one for one in found)


def test_every_form_is_written() -> None:
    """All that a writer can draw comes up in a few hundred programs, most of them without an error in them."""
    texts = [program(f"many/{number}").source for number in range(400)]
    forms = ("put(", "join,", "[1:k]", "tol[0]", "iter", "max(y,", "+d", "(max(", "[[", "if ", "q[1:", "xor")
    assert [form for form in forms if sum(form in text for text in texts) < 5] == []
    assert {text.partition("\n")[0].split()[2] for text in texts} >= {"B", "i8", "u64", "f16", "bf16", "f64", "c64"}
    assert max(map(len, texts)) < 6000


def test_a_difference_is_told() -> None:
    one = {"r1": np.array([1.0, np.nan, 3.0])}
    assert difference(one, one) == ""
    assert "r1 at [3]" in difference(one, {"r1": np.array([1.0, np.nan, 2.0])})
    assert "float32" in difference(one, {"r1": np.ones(3, np.float32)})
    large = {"r1": np.array([1e9 + 1e9j, 3], np.complex64)}
    assert difference(large, {"r1": np.array([1e9 + 1.00001e9j, 3], np.complex64)}) == ""
    assert "r1 at [2]" in difference(large, {"r1": np.array([1e9 + 1e9j, 4], np.complex64)})
    assert "r1 at [1]" in difference(large, {"r1": np.array([1e9 + 1.1e9j, 3], np.complex64)})
    assert difference(one, "E303") == "E303 in place of values"
    assert difference("E513", "E303") == ""
    assert difference("E513", "E509")
