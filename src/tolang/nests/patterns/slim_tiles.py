"""Slimmer tiles for contractions of so few columns that a wide one computes much that nobody needs.

    c[i,j] = reduce[k](a[i,k] * b[k,j])    with 10 columns: a tile of 64 computes 54 for nothing, one of 16 only 6

Where nobody knows how many there are it is asked before the nest, so that each tile is a kernel of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from tolang.ground.conditions import nonnegative
from tolang.ground.dataclasses import replace
from tolang.ground.sizes import Size
from tolang.nests.nest import Branch, Nest, Step
from tolang.nests.patterns.contraction import contraction_of, count_of
from tolang.nests.patterns.tile import Tile, computes_less, matrix_tile_of, shape_of, tile_of
from tolang.nests.target import Target

ALSO_FOR_MANY = 3
"""A slimmer tile that takes more columns than it has is so many vectors wide at the least: others load too often."""


def by_width(nest: Nest, target: Target, whole: Mapping[str, Size]) -> Step:
    """A contraction in the slimmest tile that has room for its columns, or else in the one that computes least.

    A length that is a part of one counts as that `whole` one.
    """
    contraction = contraction_of(nest)
    assert contraction is not None
    assert nest.strategy is not None
    shape = shape_of(contraction)
    if len(contraction.columns) != 1 or shape is None or shape.bits:
        return nest
    rows, columns = (count_of(dimensions, whole) for dimensions in (contraction.rows, contraction.columns))
    wide = Tile.of(nest.strategy)
    if columns.constant is not None or (target.matrices and matrix_tile_of(contraction, wide) is not None):
        return nest
    found: Step = nest
    for vectors in range(wide.vectors - 1, 0, -1):
        slim = tile_of(contraction, target, vectors)
        many = vectors >= ALSO_FOR_MANY
        better = computes_less(slim, wide, rows, columns) if many else nonnegative(slim.columns - columns)
        strategy = replace(nest.strategy, numbers=slim.numbers, rare=True)
        found = Branch(better, (), (replace(nest, strategy=strategy),), (found,))
    return found
