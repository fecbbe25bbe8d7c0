"""Every definition of the library runs compiled, without the interpreter, and gives what the interpreter gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.library.calls import same
from tests.library.samples import SAMPLES, Function, Sample, Written
from tests.library.test_definitions import ALL, definitions

import tolang

pytestmark = pytest.mark.sampled(6)

LEFT_TO_THE_INTERPRETER: dict[str, str] = {}
"""Definitions that compiled code cannot take, and why: exact Q and text would be reasons."""


def called(module: str, name: str, sample: Sample, engine: str) -> Any:
    """What a definition gives for a sample; the cpu engine may not fall back."""
    written = name
    if definitions(module)[name].parameters is not None:
        shown = {n: v.text if isinstance(v, Function | Written) else n for n, v in sample.items()}
        written += f"({', '.join(f'{n}={v}' for n, v in shown.items())})"
    data = {n: v for n, v in sample.items() if not isinstance(v, Function | Written)}
    source = f"use {module}\ncalled({', '.join(data)}) := {written}"
    return tolang.compile(source, engine=engine, fallback=False).called(**data)


@pytest.mark.parametrize(("module", "name"), ALL)
def test_definition_runs_compiled(module: str, name: str) -> None:
    for sample in SAMPLES[name][:1]:
        expected = called(module, name, sample, "interpret")
        if name in LEFT_TO_THE_INTERPRETER:
            with pytest.raises(tolang.ToLangUsageError):
                called(module, name, sample, "cpu")
            continue
        found = called(module, name, sample, "cpu")
        several = isinstance(expected, tuple)
        for one, other in zip(found if several else (found,), expected if several else (expected,), strict=True):
            same(one, np.asarray(other), 1e-11)
