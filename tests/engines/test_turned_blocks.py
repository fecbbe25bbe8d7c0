"""Square blocks of vectors transposed, of every side and width that kernels have."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from tolang.engines.cpu.runtime.native import MachineCode, machine_code
from tolang.engines.llvm import ir
from tolang.engines.llvm.types import I64
from tolang.engines.llvm.vectors import turned

KINDS = {"u1": ir.IntType(8), "i2": ir.IntType(16), "f4": ir.FloatType(), "f8": ir.DoubleType()}


def _module(kind: Any, side: int) -> ir.Module:
    """A function that reads a block, and writes it transposed."""
    module, place = ir.Module(), kind.as_pointer()
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [place, place]), "block")
    builder = ir.IRBuilder(function.append_basic_block())
    row = ir.VectorType(kind, side).as_pointer()
    starts = [[ir.Constant(I64, side * k)] for k in range(side)]
    rows = [builder.load(builder.bitcast(builder.gep(function.args[0], at), row), align=1) for at in starts]
    for at, value in zip(starts, turned(builder, rows), strict=True):
        builder.store(value, builder.bitcast(builder.gep(function.args[1], at), row), align=1)
    builder.ret_void()
    return module


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("side", [2, 4, 8, 16])
def test_blocks_are_transposed(kind: str, side: int) -> None:
    code = MachineCode(machine_code(_module(KINDS[kind], side), written_out=True), "block")
    block = np.random.default_rng(side).integers(0, 200, (side, side)).astype(kind)
    found = np.zeros_like(block)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(code.address)(block.ctypes.data, found.ctypes.data)
    np.testing.assert_array_equal(found, block.T)
