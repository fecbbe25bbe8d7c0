"""Scores by name: what ZipMap gives are the columns of a matrix, which a program computes, and names for them.

Names are no part of a program: they are put to its results, as dictionaries where a model is run from Python, and as
lists of named components where results are shown and written.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

import numpy as np

from tolang.ground.dataclasses import replace
from tolang.ground.values.values import ToL
from tolang.onnx.elements import Array
from tolang.onnx.faults import model_error

Labels = tuple[str | int, ...]
"""What the columns of a matrix of scores are called, in order."""


def named_rows(name: str, scores: Array, labels: Labels) -> list[dict[str | int, float]]:
    """The scores of each row by their names."""
    _refuse_unfit(name, scores.shape, labels)
    rows = zip(*scores.T.tolist(), strict=True)
    return list(map(dict, map(zip, repeat(labels), rows)))  # in C, and few objects beside the result


def named_columns(name: str, scores: ToL, labels: Labels) -> ToL:
    """The same as a ToL, whose elements are lists with these names for their components."""
    _refuse_unfit(name, scores.shape, labels)
    (matrix,), (space,) = scores.columns, scores.spaces
    return ToL(
        [np.ascontiguousarray(matrix[:, place]) for place in range(len(labels))],
        [replace(space, name=str(label)) for label in labels],
    )


def _refuse_unfit(name: str, shape: Sequence[int], labels: Labels) -> None:
    """An error where scores are no matrix with a column for each label."""
    if len(shape) != 2 or shape[1] != len(labels):
        message = f"the scores {name!r} are no matrix with a column for each of their {len(labels)} names"
        raise model_error("E703", message, found=f"the shape {tuple(shape)}")
