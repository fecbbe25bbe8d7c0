"""The five atomic computations of the paper, Definitions 3.1 to 3.5, on ToLs: each a few lines, each what it says.

The errata of the paper are heeded: past the first ToL's length, a join reads the second at `a - d`, not `a - d + 1`.
A numeric, which has no dimensions, stands in a join for the vector of one that its embedding is, as in Example 4.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tolang.ground.reporting.faults import fault, shape_text
from tolang.ground.values.elementary import apply
from tolang.ground.values.functions import FUNCTIONS, result_column
from tolang.ground.values.spaces import Column, column, join_columns
from tolang.ground.values.values import ToL


def lambda_of(
    function: str, arguments: Sequence[ToL], result: Column | None = None, sources: Sequence[Column] | None = None
) -> ToL:
    """Λ(f; e₁,…,eₚ): a basic elementary function of numerics.

    `sources` are the columns of the arguments where a checker knows them better than the data does (a literal
    is weak), and `result` is then the column of the result.
    """
    columns = tuple(sources) if sources is not None else tuple(one.spaces[0] for one in arguments)
    for one in arguments:
        if one.shape or one.capacity != 1:
            raise fault("E510", f"lambda takes numerics, and this has the shape {shape_text(one.shape)}")
    if len(arguments) not in FUNCTIONS[function].arity:
        raise fault("E510", f"{function} takes {FUNCTIONS[function].arity[0]} argument(s), not {len(arguments)}")
    kind = result if result is not None else result_column(function, columns)
    return ToL([np.asarray(apply(function, [one.columns[0] for one in arguments], kind, columns))], [kind])


def norm(t: ToL) -> ToL:
    """‖t‖ = [d₁,…,dₙ], always a vector; ‖(‖t‖)‖ is its dimension."""
    return ToL([np.asarray(t.shape, dtype=np.int64)], [column("N")])


def norm_prime(t: ToL) -> ToL:
    """‖t‖′ = k, the capacity."""
    return ToL([np.asarray(t.capacity, dtype=np.int64)], [column("N")])


def member(t: ToL, coordinates: Sequence[int]) -> ToL:
    """Π(t; a₁,…,aₙ), also t[a₁,…,aₙ]: the list at the coordinates, which are within 1 and the lengths."""
    if len(coordinates) != t.dimension:
        raise fault("E510", f"member takes {t.dimension} coordinate(s), not {len(coordinates)}")
    for axis, (position, length) in enumerate(zip(coordinates, t.shape, strict=True), 1):
        if not 1 <= position <= length:
            raise outside(position, axis, t.shape)
    index = tuple(position - 1 for position in coordinates)
    return ToL([np.asarray(one[index], dtype=one.dtype) for one in t.columns], t.spaces)


def outside(position: int, axis: int, shape: Sequence[int], name: str = "a ToL") -> Exception:
    """The error of a coordinate beyond its dimension."""
    return fault(
        "E513",
        f"coordinate {position} is outside dimension {axis} of {name}",
        found=str(position),
        expected=f"1 to {shape[axis - 1]}, for the shape {shape_text(shape)}",
    )


def member_prime(t: ToL, position: int) -> ToL:
    """Π′(t; j): the ToL of the same shape with the j-th component alone."""
    if not 1 <= position <= t.capacity:
        raise fault("E504", f"component {position} of lists with {t.capacity}")
    return t.component(position - 1)


def join(t1: ToL, t2: ToL) -> ToL:
    """t₁ ⋈ t₂: at aₙ ≤ dₙ it is t₁[a₁,…,aₙ], beyond it is t₂[a₁,…,aₙ-dₙ]; type list and other lengths are equal."""
    first, second = (embed(one) if not one.shape else one for one in (t1, t2))
    if first.shape[:-1] != second.shape[:-1]:
        raise fault("E510", f"join needs equal lengths but the last: {shape_text(t1.shape)}, {shape_text(t2.shape)}")
    if [one.dtype for one in first.columns] != [one.dtype for one in second.columns]:
        raise fault("E504", "join needs one type list on both sides")
    spaces = [join_columns(a, b) or a for a, b in zip(first.spaces, second.spaces, strict=True)]
    arrays = [np.concatenate([a, b], axis=-1) for a, b in zip(first.columns, second.columns, strict=True)]
    return ToL(arrays, spaces)


def join_list(t1: ToL, t2: ToL) -> ToL:
    """t₁ ⋈̄ t₂: the lists of both at the same coordinates, one after the other; shapes are equal."""
    if t1.shape != t2.shape:
        raise fault("E510", f"a list join needs equal shapes: {shape_text(t1.shape)}, {shape_text(t2.shape)}")
    return ToL.list_of([t1, t2])


def embed(t: ToL) -> ToL:
    """Ξ(t): one dimension more, the last, of length 1."""
    return ToL([one.reshape((*one.shape, 1)) for one in t.columns], t.spaces)
