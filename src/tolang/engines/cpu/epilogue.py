"""The expression around a contraction, on vectors: bias, scaling and activation of a row of the tile at once.

It covers what is computed from the fold, from constants, from values that do not depend on the column, and from
buffers read along the columns.  Anything else is left to the loop over single elements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.arithmetic import constant, is_float, kind_of
from tolang.engines.cpu.vectors import splat
from tolang.nests.contractions import dependencies
from tolang.nests.nest import Constant, Load, Operation, Reduction, Scalar

if TYPE_CHECKING:
    from tolang.engines.cpu.emitter import Emitter


def runs_along(load: Load, column: str) -> bool:
    """Whether a read moves through memory element by element as the column does, or stands still."""
    if load.checks or not load.indices:
        return False
    if any(column in index.names() for index in load.indices[:-1]):
        return False
    split = load.indices[-1].split(column)
    return split is not None and split[0].is_constant(1)


def is_vector(scalar: Scalar, column: str) -> bool:
    """Whether an expression can be computed for neighbouring columns at once."""
    if not is_float(scalar.column.storage):
        return False
    match scalar:
        case Reduction() | Constant():
            return True
        case Operation(arguments=arguments):
            return all(is_vector(a, column) for a in arguments)
        case Load():
            return runs_along(scalar, column) or column not in dependencies(scalar)
    return column not in dependencies(scalar)


def emit_vector(emitter: Emitter, scalar: Scalar, column: str, folded: Any, lanes: int) -> Any:
    """The values of an expression for `lanes` columns from the current one on."""
    storage = scalar.column.storage
    match scalar:
        case Reduction():
            return folded
        case Constant(value=value):
            return constant(value, storage, lanes)
        case Operation(arguments=arguments):
            values = [emit_vector(emitter, a, column, folded, lanes) for a in arguments]
            return emitter.operation(emitter.builder, scalar, values)
        case Load() if column in dependencies(scalar):
            place = emitter.address(scalar.buffer, scalar.indices)
            return load_vector(emitter, place, storage, lanes)
    return splat(emitter.builder, emitter.scalar(scalar), lanes)


def load_vector(emitter: Emitter, place: Any, storage: str, lanes: int) -> Any:
    """Neighbouring elements, aligned as one of them is."""
    vector = kind_of(storage, lanes)
    value = emitter.builder.load(emitter.builder.bitcast(place, vector.as_pointer()))
    value.align = 4 if storage == "f32" else 8
    return value


def store_vector(emitter: Emitter, place: Any, value: Any, storage: str) -> None:
    stored = emitter.builder.store(value, emitter.builder.bitcast(place, value.type.as_pointer()))
    stored.align = 4 if storage == "f32" else 8
