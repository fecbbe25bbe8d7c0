"""Whole numbers that a program writes, or that follow from what it writes, where they meet machine integers.

They take the type of what they meet.  One that does not fit it would wrap around unseen, so it is refused, as by NumPy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tolang.check.values import Problem, ScalarValue, Tensor, Value, Vector
from tolang.core.core import Embed, Expr, Join, Literal, Map, Reshape
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.values.spaces import Column, integer_range


def refuse_misfit(value: Value, columns: Sequence[Column], span: Span | None) -> None:
    """Refuses a value, known while checking, that does not fit the machine integers it is to become."""
    if not any(map(is_machine_integer, columns)):
        return
    for number, column in _meetings(value, columns):
        if not is_machine_integer(column):
            continue
        if not _fits(number, column.storage):
            low, high = integer_range(column.storage)
            wider = next((one for one in ("i16", "i32", "i64") if _fits(number, one) and _holds(one, column)), "Z")
            raise Problem("E407", f"{number} is not in {column.space}, which it meets here", span,
                          expected=f"a number from {low} to {high}",
                          fix=f"convert the other operand: convert(x, [{wider}])")  # fmt: skip


def _holds(storage: str, column: Column) -> bool:
    return all(_fits(end, storage) for end in integer_range(column.storage))


def _fits(number: int, storage: str) -> bool:
    low, high = integer_range(storage)
    return low <= number <= high


def is_machine_integer(one: Column) -> bool:
    return not one.weak and one.space.is_machine and one.space.family == "Z"


def _meetings(value: Value, columns: Sequence[Column]) -> Iterator[tuple[int, Column]]:
    """Whole numbers in a value, each with the columns that it is to be held in."""
    match value:
        case ScalarValue(expr=expr) if not expr.type.column.weak:
            return
        case ScalarValue(constant=int() as number) if not isinstance(number, bool):
            yield from ((number, one) for one in columns)
        case Vector(items=items):
            for item in items:
                yield from _meetings(item, columns)
        case Tensor(expr=expr):
            yield from _in_expression(expr, columns)


def _in_expression(expr: Expr, columns: Sequence[Column]) -> Iterator[tuple[int, Column]]:
    if not any(one.weak for one in expr.type.columns):
        return
    match expr:
        case Literal(value=int() as number) if not isinstance(number, bool):
            yield from ((number, one) for one in columns)
        case Embed(parts=parts) if len(parts) == len(columns):
            for part, column in zip(parts, columns, strict=True):
                yield from _in_expression(part, (column,))
        case Join(parts=parts):
            for part in parts:
                yield from _in_expression(part, columns)
        case Map(body=inner) | Reshape(subject=inner):
            yield from _in_expression(inner, columns)
