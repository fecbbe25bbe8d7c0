"""LLVM's language, written as it is built.

An instruction becomes a line of text the moment it is asked for, and what is handed back is a name and a type: writing
is most of what a first call costs, and objects that are put into words later cost ten times as much.  Names and
arguments are those of llvmlite's own writer, as far as they are needed here.
"""

from tolang.engines.llvm.ir.builder import IRBuilder
from tolang.engines.llvm.ir.module import Argument, Block, Function, GlobalVariable, Module, SharedFunction, part_of
from tolang.engines.llvm.ir.types import (
    ArrayType,
    DoubleType,
    FloatType,
    FunctionType,
    HalfType,
    IntType,
    IRType,
    LiteralStructType,
    PointerType,
    StructType,
    VectorType,
    VoidType,
)
from tolang.engines.llvm.ir.values import Constant, Instruction, Phi, Pointed, Positive, Undefined, Value, Wanted

__all__ = [
    "Argument",
    "ArrayType",
    "Block",
    "Constant",
    "DoubleType",
    "FloatType",
    "Function",
    "FunctionType",
    "GlobalVariable",
    "HalfType",
    "IRBuilder",
    "IRType",
    "Instruction",
    "IntType",
    "LiteralStructType",
    "Module",
    "Phi",
    "Pointed",
    "PointerType",
    "Positive",
    "SharedFunction",
    "StructType",
    "Undefined",
    "Value",
    "VectorType",
    "VoidType",
    "Wanted",
    "part_of",
]  # fmt: skip
