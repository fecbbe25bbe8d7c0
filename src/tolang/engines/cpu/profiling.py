"""A plan walked in Python instead of native code, so that every call of a kernel can be timed.

It does what the walker does, operation by operation, and gives the seconds that each call took.
"""

from __future__ import annotations

import ctypes
import struct
import time
from array import array
from collections.abc import Callable, Sequence

from tolang.engines.cpu import walker
from tolang.ground.sizes import NOWHERE

_BINARY: dict[int, Callable[[int, int], int]] = {
    walker.ADD: lambda a, b: a + b,
    walker.SUBTRACT: lambda a, b: a - b,
    walker.MULTIPLY: lambda a, b: a * b,
    walker.DIVIDE: lambda a, b: a // b if b else NOWHERE,
    walker.LEAST: min,
    walker.GREATEST: max,
    walker.IS_ZERO_OR_MORE: lambda a, b: int(a >= 0),
    walker.IS_ZERO: lambda a, b: int(a == 0),
    walker.AND: lambda a, b: a & b,
    walker.OR: lambda a, b: a | b,
    walker.NOT: lambda a, b: a ^ 1,
}
_FORMATS = dict(zip(walker.STORAGES, "bhiqBHIQfd?", strict=True))
_LIBRARY = ctypes.CDLL(None)
_LIBRARY.malloc.argtypes, _LIBRARY.malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
_LIBRARY.free.argtypes = [ctypes.c_void_p]
_KERNEL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)


def walk(table: bytes, registers: array[int], kernels: Sequence[int]) -> tuple[int, list[tuple[int, float]]]:
    """The walker's result, and for each call of a kernel its number, from 0, and how long it took."""
    return _Walk(table, registers, kernels).run()


class _Walk:
    def __init__(self, table: bytes, registers: array[int], kernels: Sequence[int]) -> None:
        self.words, self.registers, self.kernels = array("q", table), registers, kernels
        self.base = registers.buffer_info()[0]
        self.times: list[tuple[int, float]] = []

    def run(self) -> tuple[int, list[tuple[int, float]]]:
        place = 2 + self.words[1]
        while True:
            operation = self.words[place]
            if operation == walker.END:
                return 0, self.times
            place, failed = self._one(operation, place)
            if failed:
                for register in self.words[2 : 2 + self.words[1]]:
                    _LIBRARY.free(self.registers[register])
                return failed, self.times

    def _one(self, operation: int, place: int) -> tuple[int, int]:
        """The next place in the table, and the check that failed, or 0."""
        words, registers = self.words, self.registers
        to = words[place + 1]
        match operation:
            case walker.SET:
                registers[to] = words[place + 2]
                return place + 3, 0
            case walker.BINARY:
                function, to, a, b = words[place + 1 : place + 5]
                registers[to] = _BINARY[function](registers[a], registers[b])
                return place + 5, 0
            case walker.SELECT:
                condition, a, b = words[place + 2 : place + 5]
                registers[to] = registers[a] if registers[condition] else registers[b]
                return place + 5, 0
            case walker.JUMP:
                return to, 0
            case walker.JUMP_UNLESS:
                return (place + 3 if registers[to] & 255 else words[place + 2]), 0
            case walker.DEMAND:
                return place + 3, 0 if registers[to] else words[place + 2]
            case walker.ALLOCATE:
                return self._allocate(place)
            case walker.FREE:
                _LIBRARY.free(registers[to])
                registers[to] = 0
                return place + 2, 0
            case walker.CALL:
                return self._call(place)
            case walker.WHOLE:
                storage = walker.STORAGES[words[place + 3]]
                held = struct.pack("<q", registers[words[place + 2]])
                registers[to] = int(struct.unpack_from("<" + _FORMATS[storage], held)[0] // 1)
                return place + 4, 0
            case walker.COPY:
                registers[to] = registers[words[place + 2]]
                return place + 3, 0
            case walker.PEEK:
                held = ctypes.string_at(registers[words[place + 2]], words[place + 3]).ljust(8, b"\0")
                registers[to] = struct.unpack("<q", held)[0]
                return place + 4, 0
        raise AssertionError(f"operation {operation}")

    def _allocate(self, place: int) -> tuple[int, int]:
        to, total, check, rank = self.words[place + 1 : place + 5]
        lengths = [self.registers[r] for r in self.words[place + 5 : place + 5 + rank]]
        for length in lengths:
            total *= length
        refused = any(length < 0 for length in lengths) or total > 1 << 60
        self.registers[to] = 0 if refused else (_LIBRARY.malloc(total + 64) or 0)
        return place + 5 + rank, 0 if self.registers[to] else check

    def _call(self, place: int) -> tuple[int, int]:
        kernel, number, count = self.words[place + 1 : place + 4]
        frame = array("q")
        for word in self.words[place + 4 : place + 4 + count]:
            frame.append(self.base + 8 * ~word if word < 0 else self.registers[word])
        code = _KERNEL(self.kernels[kernel])
        start = time.perf_counter()
        failed = code(frame.buffer_info()[0])
        self.times.append((kernel, time.perf_counter() - start))
        return place + 4 + count, (failed | number) if failed else 0
