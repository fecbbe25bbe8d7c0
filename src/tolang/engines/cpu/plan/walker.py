"""The native function that runs a plan: it walks a table of whole numbers, each entry an operation on registers.

    i64 tolang_walk(i64* table, i64* registers, i8** kernels)

Registers are 64-bit words: sizes, addresses of buffers, scalars as they lie in memory.  The table begins with the most
words that a call takes, the number of registers that own memory, and those registers; operations follow.  The result
is 0, or tells which check failed; then nothing more is run, and the memory that registers own is given back.  A number
that leaves 64 bits fails the first check.  After some calls it looks whether the run is to end, as kernels themselves
do while they run long.
"""

from __future__ import annotations

from tolang.engines.cpu.runtime.pages import LARGE_PAGES
from tolang.engines.cpu.source import native_source
from tolang.ground.symbolic.marked import NOWHERE

END, SET, BINARY, SELECT, JUMP, JUMP_UNLESS, DEMAND, ALLOCATE, FREE, CALL, WHOLE, COPY, PEEK, HAND = range(14)
"""Operations, with their operands:

    END                                        SET to value               BINARY function to a b
    SELECT to condition a b                    JUMP place                 JUMP_UNLESS condition place
    DEMAND condition check                     FREE register              COPY to from
    ALLOCATE to bytes check rank lengths…      WHOLE to from storage      PEEK to address bytes
    HAND register, whose memory is the caller's from now on
    CALL kernel number count words…            a word below 0 stands for the address of register -word-1
"""
ADD, SUBTRACT, MULTIPLY, DIVIDE, LEAST, GREATEST, IS_ZERO_OR_MORE, IS_ZERO, AND, OR, NOT = range(11)
"""Functions of BINARY; the truth of conditions is 1 or 0, and a function of one operand has it twice."""
STORAGES = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "bool")
"""What WHOLE makes a whole number of, reals being floored."""

LOOKS = 63
"""The number of calls after which the walker looks whether the run is to end has no bit in common with this."""

WALKER = LARGE_PAGES + native_source("plan/walker.ll", {"NOWHERE": NOWHERE, "LOOKS": LOOKS})
