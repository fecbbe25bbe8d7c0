"""The tree of a fold is what plan/grain.py says, to the bit: written down here once more, one rounding after another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang
from tolang.ground.symbolic.sizes import Size
from tolang.plan.grain import BLOCKS, FOLD_BLOCK, ROUNDS, VECTORS, elements_of_a_piece, lanes_of_a_vector

PIECE = FOLD_BLOCK * BLOCKS
LENGTHS = (0, 1, 15, 16, 17, 127, 128, 4095, 4096, 4097, 5 * 4096 + 3, PIECE, PIECE + 1, 2 * PIECE + 7 * 4096 + 130)
KINDS = {"f32": np.float32, "f64": np.float64}
Floats = np.ndarray[Any, Any]


def of_block(block: Floats, vectors: int) -> Any:
    """The sum of a block in lanes."""
    lanes, neutral = lanes_of_a_vector({4: "f32", 8: "f64"}[block.itemsize]), block.dtype.type(-0.0)
    if len(block) < lanes:
        return in_order(neutral, block)
    turn, states, done = lanes * vectors, np.full((vectors, lanes), neutral), 0
    rounds = len(block) // turn if len(block) >= ROUNDS * turn else 0
    for _ in range(rounds if vectors > 1 else 0):
        states += block[done : done + turn].reshape(vectors, lanes)
        done += turn
    while done + lanes <= len(block):
        states[0] += block[done : done + lanes]
        done += lanes
    if done < len(block):
        states[0][lanes - (len(block) - done) :] += block[done:]
    while len(states) > 1:
        states = states[::2] + states[1::2] if rounds else states[:1]
    (vector,) = states
    while len(vector) > 1:
        vector = vector[: len(vector) // 2] + vector[len(vector) // 2 :]
    return vector[0]


def in_order(state: Any, numbers: Any) -> Any:
    for one in numbers:
        state = state + one
    return state


def expected(x: Floats, initial: float, vectors: int = VECTORS) -> Any:
    """The sum of all blocks, joined to pieces, which are joined to what the fold begins with."""
    neutral = x.dtype.type(-0.0)
    blocks = [of_block(x[k : k + FOLD_BLOCK], vectors) for k in range(0, len(x), FOLD_BLOCK)]
    pieces = [in_order(neutral, blocks[k : k + BLOCKS]) for k in range(0, len(blocks), BLOCKS)]
    return in_order(x.dtype.type(initial), pieces)


@pytest.mark.parametrize("kind", KINDS)
def test_sums_and_sums_of_rows(kind: str) -> None:
    """At the top, where threads share blocks, and in the rows of a matrix, which one thread goes through."""
    source = f"tol x: {kind} [n]\nr := reduce(x, add, 0)"
    alone = [tolang.compile(source, engine="cpu", fallback=False, threads=threads) for threads in (1, 3)]
    rows = tolang.compile(
        f"tol x: {kind} [k,n]\nr := map(tol[k], reduce(x[i], add, 0), i)", engine="cpu", fallback=False
    )
    for length in LENGTHS:
        x = np.random.default_rng(length).normal(size=length).astype(KINDS[kind])
        assert [one(x) for one in alone] == [expected(x, 0)] * 2, length
        assert list(rows(np.stack([x, x]))) == [expected(x, 0)] * 2, length


def test_sums_of_columns_that_are_rows() -> None:
    """A fold over two dimensions is cut along the first of them."""
    program = tolang.compile(
        "tol x: f64 [n,m]\nr := reduce(map(tol[n,m], x[i,j] * x[i,1], [i,j]), add, 0)", engine="cpu", fallback=False
    )
    found = {program(np.ones((n, 1000))) for n in (4 * BLOCKS, 4 * BLOCKS + 1)}
    assert found == {4000.0 * BLOCKS, 4000.0 * BLOCKS + 1000}


def test_products_of_a_matrix_and_a_vector() -> None:
    """As sums, with one vector of lanes; products are rounded with what they are added to, so that these are exact."""
    program = tolang.compile(
        "tol a: f32 [n,k]\ntol x: f32 [k]\nr := map(tol[n], reduce(map(tol[k], a[i,p]*x[p], p), add, 0), i)",
        engine="cpu",
        fallback=False,
    )
    for length in (20, 4096, 3 * 4096 + 77):
        a = np.random.default_rng(length).normal(size=(9, length)).astype(np.float32)
        found = program(a, np.ones(length, np.float32))
        assert list(found) == [expected(row, 0, vectors=1) for row in a], length


def test_blocks_of_a_fold_over_several_dimensions_follow_from_all_of_them() -> None:
    lengths = {"n": 10**6, "m": 1000}
    assert elements_of_a_piece((Size.of("n"), Size.of("m"))).evaluate(lengths) == 4 * BLOCKS
    assert elements_of_a_piece((Size.of("n"),)).evaluate(lengths) == PIECE
