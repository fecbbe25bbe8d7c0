"""LLVM's language is written as llvmlite writes it: both are read by LLVM to the same code."""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

import pytest
from llvmlite import binding as llvm
from llvmlite import ir as theirs

from tolang.engines.llvm import ir as ours


def read(module: Any) -> str:
    """A module as LLVM understands it, its names as numbers in the order that they are met in."""
    text = str(llvm.parse_assembly(str(module)))
    known: dict[str, str] = {}
    body = "\n".join(line for line in text.splitlines() if not line.startswith(("; ", "target ", "source_")))
    body = re.sub(r" *; preds.*", "", body)
    body = re.sub(r'^("?[\w.]+"?):', r"%\1:", body, flags=re.MULTILINE)
    return re.sub(r'%"?[\w.]+"?', lambda name: known.setdefault(name[0].replace('"', ""), f"%{len(known)}"), body)


def module_of(ir: ModuleType) -> Any:
    return ir.Module("module") if ir is theirs else ir.Module()


def arithmetic(ir: ModuleType) -> Any:
    module = module_of(ir)
    i64, i32, i8, f64 = ir.IntType(64), ir.IntType(32), ir.IntType(8), ir.DoubleType()
    some = ir.VectorType(i32, 4)
    kind = ir.FunctionType(i64, [i64, i64, f64, some, some])
    function = ir.Function(module, kind, "arithmetic")
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    a, b, x, v, w = function.args
    total = builder.add(a, b, flags=("nsw",))
    for name in ("sub", "mul", "sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr", "and_", "or_", "xor"):
        total = getattr(builder, name)(total, b)
    total = builder.neg(builder.not_(total))
    for name in ("add", "mul", "and_", "xor"):
        v = getattr(builder, name)(v, w)
    v = builder.neg(builder.not_(v))
    for name in ("fadd", "fsub", "fmul", "fdiv"):
        x = getattr(builder, name)(x, ir.Constant(f64, 0.1))
    x = builder.fneg(x)
    for sign in ("==", "!=", "<", "<=", ">", ">="):
        for compare in (builder.icmp_signed, builder.icmp_unsigned):
            total = builder.select(compare(sign, total, a), total, b)
            v = builder.select(compare(sign, v, w), v, w)
        for compare in (builder.fcmp_ordered, builder.fcmp_unordered):
            total = builder.select(compare(sign, x, ir.Constant(f64, -2.5)), total, a)
    total = builder.select(builder.fcmp_unordered("uno", x, x), total, a)
    total = builder.select(builder.fcmp_ordered("ord", x, x), total, a)
    small = builder.trunc(total, i8)
    total = builder.add(builder.zext(small, i64), builder.sext(small, i64))
    single = builder.fptrunc(x, ir.FloatType())
    x = builder.fpext(single, f64)
    total = builder.add(total, builder.add(builder.fptosi(x, i64), builder.fptoui(x, i64)))
    total = builder.add(total, builder.bitcast(builder.fadd(builder.sitofp(a, f64), builder.uitofp(b, f64)), i64))
    v = builder.insert_element(v, builder.bitcast(single, i32), ir.Constant(i32, 2))
    mask = ir.Constant(ir.VectorType(i32, 2), [ir.Constant(i32, 1), ir.Constant(i32, 6)])
    pair = builder.shuffle_vector(v, w, mask)
    total = builder.add(total, builder.zext(builder.extract_element(pair, ir.Constant(i32, 1)), i64))
    builder.ret(builder.zext(total, i64))
    return module


def memory(ir: ModuleType) -> Any:
    module = module_of(ir)
    i64, i32 = ir.IntType(64), ir.IntType(32)
    both = ir.LiteralStructType([i64, ir.ArrayType(ir.FloatType(), 3)])
    table = ir.GlobalVariable(module, ir.ArrayType(i32, 4), "a table")
    table.linkage, table.global_constant, table.align = "internal", True, 16
    table.initializer = ir.Constant(table.value_type, [0, 0, -1, 7])
    outside = ir.Function(module, ir.FunctionType(i64, [both.as_pointer(), i64]), "outside")
    outside.attributes.add("nounwind")
    outside.args[0].add_attribute("noalias")
    nothing = ir.Function(module, ir.FunctionType(ir.VoidType(), []), "nothing")
    inner = ir.Function(module, ir.FunctionType(ir.VoidType(), [both.as_pointer(), i64]), 'a "name"')
    inner.linkage = "internal"
    inner.args[0].add_attribute("noalias")
    builder = ir.IRBuilder(inner.append_basic_block("entry"))
    place, count = inner.args
    room = builder.alloca(both)
    zero, one = ir.Constant(i32, 0), ir.Constant(i32, 1)
    field = builder.gep(place, [count, zero], inbounds=True)
    number = builder.load(field, align=4)
    builder.store(number, builder.gep(room, [zero, zero]))
    part = builder.gep(room, [zero, one, ir.Constant(i64, 2)])
    value = builder.load(part)
    value.set_metadata("noalias", module.add_metadata([module.add_metadata(["somewhere"])]))
    builder.store(value, builder.gep(part, [count]), align=1)
    builder.store(builder.ptrtoint(builder.inttoptr(number, i64.as_pointer()), i64), field)
    builder.atomic_rmw("or", field, number, "monotonic")
    pair = ir.Constant(ir.LiteralStructType([i64, i64]), ir.Undefined)
    pair = builder.insert_value(builder.insert_value(pair, number, 0), builder.call(outside, [room, number]), 1)
    builder.store(builder.extract_value(pair, 1), field)
    builder.store(ir.Constant(both, None), room)
    builder.call(nothing, [])
    builder.store(builder.sext(builder.load(builder.gep(table, [zero, one])), i64), field)
    builder.ret_void()
    return module


def control(ir: ModuleType) -> Any:
    module = module_of(ir)
    i64 = ir.IntType(64)
    function = ir.Function(module, ir.FunctionType(i64, [i64, i64]), "control")
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    before, head, after = builder.block, *(function.append_basic_block(name) for name in ("loop", "done"))
    low, high = function.args
    builder.branch(head)
    builder.position_at_end(head)
    counter = builder.phi(i64)
    counter.add_incoming(low, before)
    with builder.if_then(builder.icmp_signed("<", counter, high), likely=False):
        builder.ret(counter)
    with builder.if_then(builder.icmp_signed(">", counter, high)):
        builder.ret(high)
    found = []
    with builder.if_else(builder.icmp_signed("==", counter, low)) as (yes, no):
        with yes:
            found.append((builder.mul(counter, high), builder.block))
        with no:
            found.append((builder.xor(counter, high), builder.block))
    joined = builder.phi(i64)
    for value, block in found:
        joined.add_incoming(value, block)
    counter.add_incoming(builder.add(joined, ir.Constant(i64, 1)), builder.block)
    builder.cbranch(builder.icmp_signed("<", joined, high), head, after)
    builder.position_at_end(after)
    builder.ret(joined)
    return module


@pytest.mark.parametrize("write", [arithmetic, memory, control])
def test_code_is_what_llvmlite_writes(write: Any) -> None:
    assert read(write(ours)) == read(write(theirs))


@pytest.mark.parametrize("kind", ["HalfType", "FloatType", "DoubleType"])
@pytest.mark.parametrize("value", [0.0, -0.0, 0.1, -3.75, float("inf"), float("-inf"), float("nan"), 6e-8])
def test_numbers_keep_their_bits(kind: str, value: float) -> None:
    """Also those that a decimal would round, and those that are none; LLVM gives back what it was given."""

    def returning(ir: ModuleType) -> Any:
        module, own = module_of(ir), getattr(ir, kind)()
        some = ir.VectorType(own, 2)
        for number, (result, constant) in enumerate(
            [
                (own, ir.Constant(own, value)),
                (some, ir.Constant(some, [ir.Constant(own, value)] * 2)),
                (some, ir.Constant(some, [ir.Constant(own, value), ir.Constant(own, 1.5)])),
            ]
        ):
            function = ir.Function(module, ir.FunctionType(result, []), f"f{number}")
            ir.IRBuilder(function.append_basic_block("entry")).ret(constant)
        return module

    assert read(returning(ours)) == read(returning(theirs))


def test_types_that_are_equal_are_one() -> None:
    i32 = ours.IntType(32)
    for one, other in [
        (ours.IntType(32), i32),
        (ours.VectorType(i32, 4), ours.VectorType(i32, 4)),
        (ours.LiteralStructType([i32, i32]), ours.LiteralStructType([i32, i32])),
        (i32.as_pointer(), ours.PointerType(i32)),
    ]:
        assert one is other
    assert ours.VectorType(i32, 4) is not ours.VectorType(i32, 8)
    assert str(ours.ArrayType(i32, 4)) != str(ours.VectorType(i32, 4))


def test_a_loop_names_itself() -> None:
    module = ours.Module()
    function = ours.Function(module, ours.FunctionType(ours.VoidType(), []), "forever")
    builder = ours.IRBuilder(function.append_basic_block("entry"))
    head = function.append_basic_block("head")
    builder.branch(head)
    builder.position_at_end(head)
    hint = module.add_metadata(["llvm.loop.unroll.disable"])
    builder.branch(head).set_metadata("llvm.loop", module.add_loop([hint]))
    assert "!0 = distinct !{!0, !1}" in str(llvm.parse_assembly(str(module)))


def test_nothing_follows_the_end_of_a_block() -> None:
    module = ours.Module()
    function = ours.Function(module, ours.FunctionType(ours.VoidType(), []), "f")
    builder = ours.IRBuilder(function.append_basic_block("entry"))
    builder.ret_void()
    with pytest.raises(ValueError, match="has an end already"):
        builder.ret_void()
    with pytest.raises(ValueError, match="has a f already"):
        ours.Function(module, ours.FunctionType(ours.VoidType(), []), "f")


def numbers() -> tuple[Any, Any, Any]:
    """A builder in a function of one number, the number, and the lines that are written."""
    module, i64 = ours.Module(), ours.IntType(64)
    function = ours.Function(module, ours.FunctionType(i64, [i64]), "numbers")
    block = function.append_basic_block("entry")
    return ours.IRBuilder(block), function.args[0], block.lines


def test_what_follows_from_known_numbers_is_not_written() -> None:
    builder, x, lines = numbers()
    i64 = x.type

    def number(value: int) -> Any:
        return ours.Constant(i64, value)

    for name, one, two, result in (
        ("add", 3, 4, 7), ("sub", 3, 4, -1), ("mul", 1 << 62, 4, 0), ("mul", 1 << 62, 2, -(1 << 63)), ("and_", 6, 3, 2),
        ("or_", 6, 3, 7),
    ):  # fmt: skip
        assert getattr(builder, name)(number(one), number(two)).constant == result
    for name in ("add", "sub", "or_", "xor", "shl", "lshr", "ashr"):
        assert getattr(builder, name)(x, number(0)) is x
    for name in ("mul", "sdiv", "udiv"):
        assert getattr(builder, name)(x, number(1)) is x
    for name in ("mul", "and_"):
        assert getattr(builder, name)(x, number(0)).constant == getattr(builder, name)(number(0), x).constant == 0
    assert builder.add(number(0), x) is builder.mul(number(1), x) is x
    truth = builder.icmp_signed("<", number(-1), number(2))
    assert builder.select(truth, x, number(5)) is x
    assert builder.select(builder.icmp_signed("==", number(1), number(2)), number(5), x) is x
    assert lines == []


def test_what_is_not_known_is_written() -> None:
    builder, x, lines = numbers()
    i64, i1 = x.type, ours.IntType(1)
    builder.sdiv(x, ours.Constant(i64, 0))
    builder.sub(ours.Constant(i64, 0), x)
    builder.sdiv(ours.Constant(i64, 7), ours.Constant(i64, 2))
    builder.and_(builder.icmp_signed("<", x, ours.Constant(i64, 0)), ours.Constant(i1, 1))
    builder.select(ours.Constant(i1, ours.Undefined), x, x)
    builder.fadd(ours.Constant(ours.DoubleType(), 0.0), ours.Constant(ours.DoubleType(), -0.0))
    assert len(lines) == 7


def test_wanted_values_are_written_once_and_only_if_they_are() -> None:
    builder, x, lines = numbers()
    one, other = (ours.Wanted(x.type, lambda: builder.add(x, x)) for _ in range(2))
    builder.mul(one, one)
    assert (one.is_written, other.is_written, len(lines)) == (True, False, 2)
    phi = builder.phi(x.type)
    phi.add_incoming(other, builder.block)
    assert other.is_written


def test_structures_have_names_in_their_module() -> None:
    module, i64 = ours.Module(), ours.IntType(64)
    both = module.structure([i64, ours.FloatType()])
    other = module.structure([i64, ours.FloatType()])
    function = ours.Function(module, ours.FunctionType(ours.FloatType(), [both.as_pointer()]), "second")
    builder = ours.IRBuilder(function.append_basic_block("entry"))
    places = [ours.Constant(ours.IntType(32), one) for one in (0, 1)]
    builder.ret(builder.load(builder.gep(function.args[0], places)))
    assert both.word != other.word
    llvm.parse_assembly(str(module)).verify()
