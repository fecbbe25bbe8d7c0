"""The CPU engine: a checked program compiled once, run at any sizes."""

from __future__ import annotations

import ctypes
import math
import weakref
from collections.abc import Mapping
from typing import Any

import numpy as np

from tolang.core.core import Program
from tolang.engines.cpu.bindings import Site
from tolang.engines.cpu.emitter import Emitter
from tolang.engines.cpu.native import Native, host_machine
from tolang.ground.spaces import dtype_of, strong
from tolang.ground.values import ToL
from tolang.nests.nest import Plan
from tolang.nests.steps import lower

_FREE = ctypes.CDLL(None).free
_FREE.argtypes = [ctypes.c_void_p]


class Failed(Exception):
    """A check failed while running; `site` tells which."""

    def __init__(self, site: Site) -> None:
        super().__init__(site.message)
        self.site = site


class Executable:
    """A program in machine code.  Sizes are arguments: no size makes it compile again."""

    def __init__(self, program: Program, strict: bool = False) -> None:
        self.program = program
        self.plan: Plan = lower(program)
        emitter = Emitter(self.plan, strict, host_machine())
        self.native = Native(emitter.emit())
        self.sites = emitter.sites

    def run(self, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int = 0) -> list[ToL]:
        """The outputs' values; raises `Failed` where a check did."""
        held = [np.require(c, requirements=["C", "A"]) for i in self.program.inputs for c in inputs[i.name].columns]
        bits = ctypes.c_int64(seed & 0xFFFFFFFFFFFFFFFF).value
        words = (ctypes.c_int64 * (len(self.plan.sizes) + 1))(*(sizes[s] for s in self.plan.sizes), bits)
        pointers = (ctypes.c_void_p * max(1, len(held)))(*(a.ctypes.data for a in held))
        count = sum(len(b) for b in self.plan.outputs)
        results = (ctypes.c_void_p * max(1, count))()
        lengths = (ctypes.c_int64 * max(1, sum(len(b[0].shape) for b in self.plan.outputs)))()
        code = self.native.run(words, pointers, results, lengths)
        if code:
            for pointer in results:
                if pointer:
                    _FREE(pointer)
            raise Failed(self.sites[code - 1])
        return self._values(results, lengths)

    def _values(self, results: Any, lengths: Any) -> list[ToL]:
        values: list[ToL] = []
        place = word = 0
        for buffers, output in zip(self.plan.outputs, self.program.outputs, strict=True):
            shape = tuple(lengths[word : word + len(buffers[0].shape)])
            word += len(shape)
            columns = []
            for buffer in buffers:
                columns.append(_array(results[place], shape, buffer.column.storage))
                place += 1
            values.append(ToL(columns, [strong(c) for c in output.type.columns]))
        return values


def _array(pointer: int, shape: tuple[int, ...], storage: str) -> np.ndarray[Any, Any]:
    """Memory that compiled code has allocated, as an array that frees it when nobody needs it any more."""
    kind = dtype_of(storage)
    size = max(1, math.prod(shape) * kind.itemsize)
    memory = (ctypes.c_char * size).from_address(pointer)
    weakref.finalize(memory, _FREE, pointer)
    flat: np.ndarray[Any, Any] = np.frombuffer(memoryview(memory), dtype=kind, count=math.prod(shape))
    return flat.reshape(shape)
