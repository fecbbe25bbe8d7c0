"""Modules are written as llvmlite writes them, letter by letter."""

from __future__ import annotations

import pytest
from llvmlite import ir

import tolang
from tolang.engines.cpu.emission.kernels import modules_of
from tolang.engines.cpu.plan.bytecode import assemble
from tolang.engines.cpu.runtime.native import host_target
from tolang.engines.cpu.translation import plan_of
from tolang.engines.llvm.text import text_of
from tolang.engines.llvm.types import I64

PRODUCT = "tol a: f32 [n,k]\ntol b: f32 [k,m]\ny := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])"
SOFTMAX = (
    "tol x: f32 [n,m]\nsoft(v) = { top = reduce(v, max, -Inf); e = map(v, exp(* - top)); s = reduce(e, add, 0); "
    "map(e, * / s) }\ny := map(tol[n], soft(x[i]), i)"
)
SORT = "tol x: R [n]\ny := sort(map(x, sin(* * 40)))"
COUNTS = "tol x: Z [n]\ny := bincount(map(x, (y,k) -> 1+k%7), 7)"


@pytest.mark.parametrize("source", [PRODUCT, SOFTMAX, SORT, COUNTS])
def test_kernels_are_written_as_by_llvmlite(source: str) -> None:
    modules = modules_of(assemble(plan_of(tolang.compile(source).core, False).plan).calls, host_target())
    assert modules
    for module in modules:
        assert text_of(module) == str(module)


def test_whatever_a_module_has_is_written() -> None:
    module = ir.Module("all of it")
    module.triple = "aarch64-linux-gnu"
    pair = module.context.get_identified_type("pair")
    pair.set_body(I64, ir.FloatType())
    table = ir.GlobalVariable(module, ir.ArrayType(I64, 2), "a table")
    table.initializer = ir.Constant(table.value_type, [1, 2])
    module.add_named_metadata("notes", module.add_metadata(["a note"]))
    outside = ir.Function(module, ir.FunctionType(I64, [I64]), "outside")
    function = ir.Function(module, ir.FunctionType(I64, [I64, pair.as_pointer()]), 'a "name"')
    builder = ir.IRBuilder(function.append_basic_block("start here"))
    first, place = function.args
    total = builder.add(first, ir.Constant(I64, 3), flags=("nsw",), name="total")
    field = builder.gep(place, [ir.Constant(ir.IntType(32), 0), ir.Constant(ir.IntType(32), 1)], inbounds=True)
    number = builder.load(field, align=4)
    number.set_metadata("noalias", module.add_metadata(["somewhere"]))
    builder.store(builder.fadd(number, number, flags=("fast",)), field, align=4)
    small = builder.fcmp_ordered("<", number, ir.Constant(ir.FloatType(), 1.5), flags=("nnan",))
    chosen = builder.select(builder.and_(small, builder.icmp_signed("<", total, first)), total, first)
    with builder.if_then(small, likely=False):
        builder.switch(chosen, builder.block).add_case(7, function.entry_basic_block)
    met = builder.phi(I64)
    met.add_incoming(chosen, function.entry_basic_block)
    wide = builder.trunc(builder.call(outside, [met], tail=True), ir.IntType(8))
    builder.ret(builder.zext(wide, I64))
    assert text_of(module) == str(module)
