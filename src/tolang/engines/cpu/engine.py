"""The CPU engine: a checked program compiled once, run at any sizes."""

from __future__ import annotations

import ctypes
import math
import weakref
from collections.abc import Mapping
from typing import Any

import numpy as np
from llvmlite import ir

from tolang.core.core import Program
from tolang.engines.cpu.bindings import Site
from tolang.engines.cpu.kernels import kernel
from tolang.engines.cpu.native import Code, entry_name, host_machine, keep, kept, machine_code
from tolang.engines.cpu.plans import CHECK_BITS, PlanEmitter
from tolang.ground.spaces import dtype_of, strong
from tolang.ground.values import ToL
from tolang.nests.nest import Plan
from tolang.nests.steps import lower

_FREE = ctypes.CDLL(None).free
_FREE.argtypes = [ctypes.c_void_p]
_WORDS, _POINTERS = ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_void_p)
RUN = ctypes.CFUNCTYPE(ctypes.c_int64, _WORDS, _POINTERS, _POINTERS, _WORDS, _POINTERS)


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
        emitter = PlanEmitter(self.plan, strict, host_machine())
        module = emitter.emit()
        self.sites = emitter.sites
        self.calls = emitter.calls
        self.kernels = [kernel(call.shared, strict) for call in self.calls]
        self.code = Code(_plan_code(module), "run")
        self._table = (ctypes.c_void_p * max(1, len(self.kernels)))(*(k.address for k in self.kernels))
        self._run = RUN(self.code.address)

    def run(self, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int = 0) -> list[ToL]:
        """The outputs' values; raises `Failed` where a check did."""
        held = [np.require(c, requirements=["C", "A"]) for i in self.program.inputs for c in inputs[i.name].columns]
        bits = ctypes.c_int64(seed & 0xFFFFFFFFFFFFFFFF).value
        words = (ctypes.c_int64 * (len(self.plan.sizes) + 1))(*(sizes[s] for s in self.plan.sizes), bits)
        pointers = (ctypes.c_void_p * max(1, len(held)))(*(a.ctypes.data for a in held))
        count = sum(len(b) for b in self.plan.outputs)
        results = (ctypes.c_void_p * max(1, count))()
        lengths = (ctypes.c_int64 * max(1, sum(len(b[0].shape) for b in self.plan.outputs)))()
        code = self._run(words, pointers, results, lengths, self._table)
        if code:
            raise Failed(self._site(code))
        return self._values(results, lengths)

    def _site(self, code: int) -> Site:
        """The check that a result tells of, where it stands in the source."""
        call, check = code >> CHECK_BITS, code & ((1 << CHECK_BITS) - 1)
        if not call:
            return self.sites[check - 1]
        message, place = self.kernels[call - 1].checks[check - 1]
        return Site(message, None if place is None else self.calls[call - 1].spans[place])

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


def _plan_code(module: ir.Module) -> bytes:
    """The machine code of a plan: from disk, or compiled now."""
    name = entry_name("plan", str(module))
    code = kept(name)
    if code is None:
        code = machine_code(module, quickly=True)
        keep(name, code)
    return code


def _array(pointer: int, shape: tuple[int, ...], storage: str) -> np.ndarray[Any, Any]:
    """Memory that compiled code has allocated, as an array that frees it when nobody needs it any more."""
    kind = dtype_of(storage)
    size = max(1, math.prod(shape) * kind.itemsize)
    memory = (ctypes.c_char * size).from_address(pointer)
    weakref.finalize(memory, _FREE, pointer)
    flat: np.ndarray[Any, Any] = np.frombuffer(memoryview(memory), dtype=kind, count=math.prod(shape))
    return flat.reshape(shape)
