"""Whole numbers at many places at once, in arrays: where one is divided by zero, all that is made of it is marked.

Whether that is an error is known only where the number is used, and there are other places at which it is right.
"""

from __future__ import annotations

from typing import Any

NOWHERE = -(1 << 50)
"""A quotient by zero among many, most of which may be right: outside every shape, and its small multiples too."""


def floors(numerators: Any, denominators: Any) -> Any:
    """The floors of quotients."""
    import numpy as np

    missing = denominators == 0
    return np.where(missing, NOWHERE, numerators // np.where(missing, 1, denominators))


def extremes(kind: str, numbers: list[Any], are_marked: bool) -> Any:
    """The least or the greatest of several at each place, marked where one of them is."""
    import numpy as np

    combine, result = np.minimum if kind == "min" else np.maximum, numbers[0]
    for number in numbers[1:]:
        result = combine(result, number)
    return marked(result, numbers) if kind == "max" and are_marked else result


def marked(numbers: Any, others: list[Any]) -> Any:
    """Numbers, marked where one of some others is."""
    import numpy as np

    for other in others:
        numbers = np.where(other == NOWHERE, NOWHERE, numbers)
    return numbers
