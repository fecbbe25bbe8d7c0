"""Grain: the constants that fix in which order numbers are rounded together, alike on every engine and processor.

Addition of floats is not associative, so the bits of a sum follow from its tree: which elements are added to which,
before what.  A tree depends on the program, on extents and on storage alone, never on a processor, on the number of
threads or on what is optimised.  An engine may share a tree out as it likes; it may not use another one.

    idiom            its tree                                                                     constants
    fold             its first dimension in blocks, 64 of which are joined in order to a piece;   FOLD_BLOCK, BLOCKS
                     pieces are joined in order, after what the fold begins with
      lanes          a block in 256 bytes of lanes, in rounds, what is left by single vectors;    LANE_BYTES, VECTORS,
                     then vectors join, neighbours first, then halves of a vector;                ROUNDS
                     a row shorter than a vector is added in order
      window         in order: a fold of few elements, as many as the program tells               WINDOW, WINDOW_SIDE
      column folds   in order, as map windows, iterations, walks and what may not be regrouped
    matrix-vector    as a fold, but in 64 bytes of lanes                                          LONG_ROW, MANY_ROWS
    contraction      in order along the depth, however it is cut: accumulators rest in memory     FEW_ROWS
    tree fold        blocks as binary trees, then in order; pieces joined in order                TREE_BLOCK, TREE_PIECE
    scan             each block as a fold by itself, what comes before blocks in order            SCAN_BLOCK
    histogram        pieces with states of their own, joined in order                             HISTOGRAM_...
    fold by label    the same                                                                     LABEL_..., FEW_LABELS

Idioms are recognised in programs, by rules that know no processor; the constants with the idioms `matrix-vector`,
`contraction` and `window` say which of two trees a fold has where both would do.  Choices among elements, sorts,
searches, folds of bits and sums of whole numbers are exact, so what they are cut into is no matter of bits.

Two things still depend on a processor: without a fused product and sum, `s + a*b` is rounded twice (`Target.fuses`);
and sums of products of eight-bit numbers that have scales are exact where there is an instruction for them
(`Target.quads`, the pass `quads`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tolang.ground.symbolic.sizes import ONE, Size, extremum, floor_division
from tolang.ground.values.functions import EXACT_IN_ANY_ORDER
from tolang.ground.values.spaces import dtype_of, is_float

LANE_BYTES = 64
"""Bytes of states that go side by side, on every processor: its registers are as many of these, or as many of it."""
VECTORS = 4
"""How many vectors of lanes take turns, so that no sum waits for the one before it."""
ROUNDS = 2
"""From how many rounds on a row goes through all vectors; a shorter one through the first alone."""
FOLD_BLOCK, BLOCKS = 4096, 64
"""How many elements of a fold are folded by themselves, and how many such blocks are joined in order to one piece."""
WINDOW, WINDOW_SIDE = 64, 8
"""A fold of no more elements, and no more along a dimension, as the program tells, has them one after the other."""

LONG_ROW, MANY_ROWS = 9, 8
"""From how many steps of a fold, and how many rows, on products of a matrix and a vector are worth the name."""
FEW_ROWS = 4
"""From how many rows or columns on a contraction is packed; of fewer, folds along memory have lanes."""

TREE_BLOCK = 1 << 11
"""How many elements of a tree fold are one tree: twice an even power of two, as levels are computed in pairs."""
TREE_PIECE = 128 * TREE_BLOCK
"""How many elements of a tree fold are merged by themselves, then joined in order."""

SCAN_BLOCK = 1 << 17
"""How many elements of a scan are computed by themselves, where its combine may be regrouped."""

HISTOGRAM_PIECE, HISTOGRAM_PIECES = 1 << 15, 16
"""How many steps of a histogram have a state of their own at the least; how many such pieces there are at the most."""
HISTOGRAM_PLACES = 1 << 23
"""Larger states are not had several times."""

LABEL_PIECE, LABEL_PIECES = 4096, 16
"""How many elements with labels have places of their own at the least; how many such pieces there are at the most."""
FEW_LABELS = 4
"""Up to how many places all elements are better looked at for each, where so few are known to be."""


def lanes_of_a_vector(storage: str) -> int:
    return LANE_BYTES // dtype_of(storage).itemsize


def elements_of_a_block(extents: Sequence[Size]) -> Size:
    """How much of its first dimension a block of a fold has, which alone decides where blocks begin."""
    others = extremum("max", (ONE, math.prod(extents[1:], start=ONE)))
    return extremum("max", (ONE, floor_division(Size.of(FOLD_BLOCK), others)))


def elements_of_a_piece(extents: Sequence[Size]) -> Size:
    """How much of its first dimension a piece of a fold has."""
    return elements_of_a_block(extents) * BLOCKS


def is_cut(storage: str, combine: str) -> bool:
    """True if bits depend on which elements of a fold are joined first."""
    return is_float(storage) and combine not in EXACT_IN_ANY_ORDER


def adds_in_order(steps: int, places: int) -> bool:
    """True if a histogram of some steps adds to one state, since pieces with states of their own would not pay."""
    return steps < 2 * HISTOGRAM_PIECE or places * 8 * HISTOGRAM_PIECES > steps or places > HISTOGRAM_PLACES


def pieces_of_histogram(steps: int, places: int) -> tuple[int, ...]:
    """The steps that pieces with states of their own end behind."""
    return _ends(steps, 1 if adds_in_order(steps, places) else min(HISTOGRAM_PIECES, steps // HISTOGRAM_PIECE))


def pieces_of_labels(elements: int, places: int) -> tuple[int, ...]:
    """The elements that pieces with places of their own end behind: each has more elements than places."""
    return _ends(elements, max(1, min(LABEL_PIECES, elements // LABEL_PIECE, elements // max(1, places))))


def _ends(length: int, pieces: int) -> tuple[int, ...]:
    return tuple(number * length // pieces for number in range(1, pieces + 1))
