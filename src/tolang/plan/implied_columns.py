"""Type inference for the text of plans: the column of a scalar where its text says none.

The printer leaves a column out exactly where `implied_column` gives it, so that the reader, which asks the same of the
parts it has read, finds it again.  Results of functions follow from their arguments, as in the core; numbers written
out have the column that is expected where they stand, or that of a machine integer beside them, or else are weak.
"""

from __future__ import annotations

from collections.abc import Mapping

from tolang.core.rules import literal_type
from tolang.ground.values.functions import FUNCTIONS, SpaceMismatch, result_column
from tolang.ground.values.spaces import Column, column
from tolang.plan.nest import (
    Checked,
    ConstantScalar,
    Draw,
    Index,
    Load,
    Named,
    Operation,
    Reduction,
    Scalar,
    Select,
    Where,
)

COORDINATE = column("N", weak=True)
"""The column of a size or coordinate of which nothing else is known."""
TRUTH = column("B")
DRAWN = column("R")
CONVERSIONS = frozenset({"cast", "convert"})
"""Functions that are told apart by the column they convert to, so that it is always written."""


def is_open(scalar: Scalar) -> bool:
    """True for numbers written out, whose column depends on where they stand."""
    return isinstance(scalar, ConstantScalar | Index)


def column_beside(settled: Column | None) -> Column | None:
    """The column of open arguments of a function whose first other argument has the given one."""
    machine_integer = settled is not None and settled.space.is_machine and settled.space.family == "Z"
    return settled if machine_integer else None


def implied_column(scalar: Scalar, expected: Column | None, names: Mapping[str, Column]) -> Column | None:
    """The column of a scalar whose parts have theirs, where another is `expected` of it; None where it must be written.

    `names` has the columns of the bound names in scope.
    """
    match scalar:
        case ConstantScalar(value=value):
            return expected or literal_type(value).column
        case Index():
            return expected or COORDINATE
        case Load(buffer=buffer):
            return buffer.column
        case Named(name=name):
            return names.get(name)
        case Draw():
            return DRAWN
        case Operation(function=function, arguments=arguments):
            return _result(function, tuple(one.column for one in arguments), expected)
        case Select(then=then):
            return then.column
        case Where(value=value) | Checked(value=value):
            return value.column
        case Reduction(group=group, position=position):
            return group.columns[position]
    return None


def _result(function: str, arguments: tuple[Column, ...], expected: Column | None) -> Column | None:
    """The column of a function's result; functions that only plans have give what is expected of them."""
    if function in CONVERSIONS:
        return None
    if function not in FUNCTIONS or len(arguments) not in FUNCTIONS[function].arity:
        return expected or (arguments[0] if arguments else None)
    try:
        return result_column(function, arguments)
    except SpaceMismatch:
        return expected
