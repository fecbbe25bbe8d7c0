"""Results by name, and what of them a caller in Python gets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tolang.core.core import Output
from tolang.ground.values import ToL

Result = ToL | tuple[ToL, ...]
"""An exported value: a ToL, or the parts of a bundle."""


def named_results(outputs: Sequence[Output], values: Sequence[ToL]) -> dict[str, Result]:
    """The outputs' values by name, those of a bundle held together."""
    named: dict[str, Result] = {}
    position = 0
    while position < len(outputs):
        output = outputs[position]
        if output.group:
            named[output.name] = tuple(values[position : position + output.group])
        else:
            named[output.name] = values[position]
        position += max(output.group, 1)
    return named


def returned(outputs: Sequence[Output], values: Sequence[ToL]) -> Any:
    """Values as the caller in Python wants them: one alone, several by name, bundles as tuples."""
    if len(values) == 1 and not outputs[0].group:
        return plain(values[0])
    named = {name: plain(value) for name, value in named_results(outputs, values).items()}
    return next(iter(named.values())) if len(named) == 1 else named


def plain(value: Result) -> Any:
    """A NumPy array for capacity 1, a NumPy number or text where it has no dimensions too, else the ToL itself."""
    if isinstance(value, tuple):
        return tuple(plain(part) for part in value)
    if value.capacity > 1:
        return value if value.shape else value.item()
    only = np.asarray(value.columns[0])
    return only if value.shape else only[()]
