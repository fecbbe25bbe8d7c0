"""Vectors made of one value."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from tolang.engines.cpu.arithmetic import I32


def splat(builder: ir.IRBuilder, value: Any, lanes: int) -> Any:
    """A value in every lane."""
    vector = ir.VectorType(value.type, lanes)
    single = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(I32, 0))
    zeros = ir.Constant(ir.VectorType(I32, lanes), [ir.Constant(I32, 0)] * lanes)
    return builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), zeros)
