"""Uniform random numbers as a pure function of a seed, a call site and coordinates.

The generator is Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; 2011), a
bijection of 128 bits under a key of 64.  Any engine that follows the scheme below gives the same numbers.

The scheme, exactly.  P(c0,c1,c2,c3) is Philox4x32-10 under the key (seed mod 2^32, seed div 2^32), the seed taken
modulo 2^64.  Coordinates x1..xn are taken modulo 2^64, from the outermost map or fold to the innermost; lo and hi are
the low and high 32 bits of a 64-bit number.

    state = P(lo(site), hi(site), n, 0)                       once for each call site
    state = P(state xor (lo(x1), hi(x1), lo(x2), hi(x2)))     for each pair of coordinates, in order

A last coordinate without a partner is paired with 0.  So one or two coordinates cost one more P, and all but the last
pair can be hoisted out of an inner loop.  Two different (site, coordinates) under one seed meet in the same state as
seldom as chance has it in 128 bits (this is the CBC-MAC construction, and n in the first block keeps lengths apart).
Of the state s0..s3 the result takes

    f64     ((s0 >> 5) * 2^26 + (s1 >> 6)) * 2^-53          53 bits
    f32     (s0 >> 8) * 2^-24                               24 bits
    f16     (s0 >> 21) * 2^-11                              11 bits
    bf16    (s0 >> 24) * 2^-8                                8 bits

so every result is in [0,1) and exact in its storage.  `rand(x)` is x times this, which is in [0,x) for x > 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tolang.ground.values.casting import Array
from tolang.ground.values.spaces import dtype_of

ROUNDS = 10
MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
WEYL = (0x9E3779B9, 0xBB67AE85)
LOW = np.uint64(0xFFFFFFFF)
SHIFT = np.uint64(32)
KEPT_BITS = {"f32": 24, "f16": 11, "bf16": 8}

State = tuple[Array, Array, Array, Array]
"""Four words of 32 bits, each held in 64 so that products of two are exact."""


def philox(counter: State, key: tuple[int, int]) -> State:
    """Philox4x32-10 at every element; words are held in uint64 and are below 2^32."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    with np.errstate(over="ignore"):
        for _ in range(ROUNDS):
            first, second = MULTIPLIERS[0] * c0, MULTIPLIERS[1] * c2
            c0, c1, c2, c3 = (
                (second >> SHIFT) ^ c1 ^ np.uint64(k0),
                second & LOW,
                (first >> SHIFT) ^ c3 ^ np.uint64(k1),
                first & LOW,
            )
            k0, k1 = (k0 + WEYL[0]) & 0xFFFFFFFF, (k1 + WEYL[1]) & 0xFFFFFFFF
    return c0, c1, c2, c3


def _words(number: Array) -> tuple[Array, Array]:
    """The low and high 32 bits of 64-bit numbers."""
    return number & LOW, number >> SHIFT


def _unsigned(number: Any) -> Array:
    """A coordinate, one or many, modulo 2^64."""
    if isinstance(number, int):
        return np.asarray(number & 0xFFFFFFFFFFFFFFFF, dtype=np.uint64)
    return np.asarray(number).astype(np.uint64)


def draw(seed: int, site: int, coordinates: Sequence[Any]) -> State:
    """The 128 random bits that belong to a site and coordinates, by the scheme above."""
    key = (seed & 0xFFFFFFFF, (seed >> 32) & 0xFFFFFFFF)
    low, high = _words(_unsigned(site))
    state = philox((low, high, _unsigned(len(coordinates)), _unsigned(0)), key)
    for position in range(0, len(coordinates), 2):
        first = _words(_unsigned(coordinates[position]))
        second = _words(_unsigned(coordinates[position + 1] if position + 1 < len(coordinates) else 0))
        state = philox((state[0] ^ first[0], state[1] ^ first[1], state[2] ^ second[0], state[3] ^ second[1]), key)
    return state


def uniform(seed: int, site: int, coordinates: Sequence[Any], storage: str = "f64") -> Array:
    """Uniform numbers in [0,1), one for each element of the broadcast coordinates."""
    words = draw(seed, site, coordinates)
    shape = np.broadcast_shapes(*(np.shape(one) for one in coordinates))
    if storage in KEPT_BITS:
        bits = KEPT_BITS[storage]
        numbers = (words[0] >> np.uint64(32 - bits)).astype(np.float64) * 2.0**-bits
        return np.broadcast_to(np.asarray(numbers.astype(dtype_of(storage))), shape)
    numbers = ((words[0] >> np.uint64(5)) * np.uint64(2**26) + (words[1] >> np.uint64(6))).astype(np.float64) * 2.0**-53
    return np.broadcast_to(np.asarray(numbers), shape)
