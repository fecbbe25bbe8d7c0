"""Random numbers in LLVM IR: Philox4x32-10 by the scheme that `tolang.ground.values.random` states, word for word."""

from __future__ import annotations

from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.types import DOUBLE, FLOAT, I32, I64, cast
from tolang.ground.values.random import KEPT_BITS

ROUNDS = 10
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
Words = tuple[Any, Any, Any, Any]


def _word(value: int) -> Any:
    return ir.Constant(I32, value & 0xFFFFFFFF)


def _halves(builder: ir.IRBuilder, number: Any) -> tuple[Any, Any]:
    """The low and high 32 bits of a 64-bit number."""
    return builder.trunc(number, I32), builder.trunc(builder.lshr(number, ir.Constant(I64, 32)), I32)


def _product(builder: ir.IRBuilder, multiplier: int, word: Any) -> tuple[Any, Any]:
    return _halves(builder, builder.mul(ir.Constant(I64, multiplier), builder.zext(word, I64)))


def philox(builder: ir.IRBuilder, counter: Words, key: tuple[Any, Any]) -> Words:
    """Ten rounds of the bijection under a key."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(ROUNDS):
        low, high = _product(builder, MULTIPLIERS[0], c0)
        low2, high2 = _product(builder, MULTIPLIERS[1], c2)
        c0 = builder.xor(builder.xor(high2, c1), k0)
        c2 = builder.xor(builder.xor(high, c3), k1)
        c1, c3 = low2, low
        k0, k1 = builder.add(k0, _word(WEYL[0])), builder.add(k1, _word(WEYL[1]))
    return c0, c1, c2, c3


def uniform(builder: ir.IRBuilder, seed: Any, site: int, coordinates: list[Any], storage: str) -> Any:
    """A number in [0,1) for a seed, a call site and coordinates, all of 64 bits."""
    key = _halves(builder, seed)
    state = philox(builder, (_word(site), _word(site >> 32), _word(len(coordinates)), _word(0)), key)
    for position in range(0, len(coordinates), 2):
        pair = coordinates[position : position + 2]
        words = [w for number in pair for w in _halves(builder, number)]
        words += [_word(0)] * (4 - len(words))
        mixed = [builder.xor(s, w) for s, w in zip(state, words, strict=True)]
        state = philox(builder, (mixed[0], mixed[1], mixed[2], mixed[3]), key)
    if storage in KEPT_BITS:
        bits = KEPT_BITS[storage]
        kept = builder.lshr(state[0], _word(32 - bits))
        number = builder.fmul(builder.uitofp(kept, FLOAT), ir.Constant(FLOAT, 2.0**-bits))
        return cast(builder, number, "f32", storage)
    high = builder.zext(builder.lshr(state[0], _word(5)), I64)
    low = builder.zext(builder.lshr(state[1], _word(6)), I64)
    both = builder.add(builder.shl(high, ir.Constant(I64, 26)), low)
    return builder.fmul(builder.uitofp(both, DOUBLE), ir.Constant(DOUBLE, 2.0**-53))
