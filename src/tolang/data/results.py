"""Results by name, and what of them a caller in Python gets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tolang.core.core import Output
from tolang.ground.values.values import ToL

Result = ToL | tuple[ToL, ...]
"""An exported value: a ToL, or the parts of a bundle."""

if TYPE_CHECKING:

    class Returned(np.ndarray[Any, np.dtype[Any]], ToL, dict[Any, Any], tuple[Any, ...], int):  # type: ignore[misc]
        """What a call gives, for checkers of types, which cannot know what a program in its text gives.

        It is all that it may be: it can be used, and passed on, as an array, a ToL, several values by name, the parts
        of a bundle, or a number.  What none of them has is an error, such as a method that is misspelt.  Of what is
        asked with `isinstance`, all is true: `result: Any = program(x)` leaves it open what it is.
        """

        def __getitem__(self, key: Any) -> Returned: ...
        def __iter__(self) -> Iterator[Any]: ...

else:
    Returned: TypeAlias = Any


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


def returned(outputs: Sequence[Output], values: Sequence[ToL]) -> Returned:
    """Values as the caller in Python wants them: one alone, several by name, bundles as tuples."""
    if len(values) == 1 and not outputs[0].group:
        only: Returned = plain(values[0])
        return only
    named: Any = {name: plain(value) for name, value in named_results(outputs, values).items()}
    found: Returned = next(iter(named.values())) if len(named) == 1 else named
    return found


def plain(value: Result) -> Any:
    """A NumPy array for capacity 1, a NumPy number or text where it has no dimensions too, else the ToL itself."""
    if isinstance(value, tuple):
        return tuple(plain(part) for part in value)
    if value.capacity > 1:
        return value if value.shape else value.item()
    only = np.asarray(value.columns[0])
    return only if value.shape else only[()]
