"""Types, constants, casts and intrinsics of LLVM IR, for values and for vectors of them."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

I1, I8, I32, I64 = ir.IntType(1), ir.IntType(8), ir.IntType(32), ir.IntType(64)
DOUBLE, FLOAT = ir.DoubleType(), ir.FloatType()
TYPES: dict[str, Any] = {
    "bool": I1, "i8": I8, "i16": ir.IntType(16), "i32": I32, "i64": I64, "u8": I8, "u16": ir.IntType(16), "u32": I32,
    "u64": I64, "f32": FLOAT, "f64": DOUBLE,
}  # fmt: skip


def is_float(storage: str) -> bool:
    return storage in ("f32", "f64")


def is_unsigned(storage: str) -> bool:
    return storage[0] == "u" or storage == "bool"


def memory_type(storage: str) -> Any:
    """The type in memory: truth values take a byte."""
    return I8 if storage == "bool" else TYPES[storage]


def kind_of(storage: str, width: int = 1) -> Any:
    """The type of one value, or of a vector of them."""
    return TYPES[storage] if width == 1 else ir.VectorType(TYPES[storage], width)


def width_of(value: Any) -> int:
    """How many lanes a value has; 1 where it is no vector."""
    return value.type.count if isinstance(value.type, ir.VectorType) else 1


def constant(value: Any, storage: str, width: int = 1) -> Any:
    number = float(value) if is_float(storage) else int(value)
    single = ir.Constant(TYPES[storage], number)
    return single if width == 1 else ir.Constant(ir.VectorType(TYPES[storage], width), [single] * width)


def cast(builder: ir.IRBuilder, value: Any, source: str, goal: str) -> Any:
    """A value in another storage: rounded to floats, wrapped to integers."""
    if source == goal:
        return value
    width = width_of(value)
    kind = kind_of(goal, width)
    if is_float(source):
        if is_float(goal):
            return builder.fpext(value, kind) if goal == "f64" else builder.fptrunc(value, kind)
        if goal == "bool":
            return builder.fcmp_unordered("!=", value, constant(0, source, width))
        return builder.fptoui(value, kind) if is_unsigned(goal) else builder.fptosi(value, kind)
    if is_float(goal):
        return builder.uitofp(value, kind) if is_unsigned(source) else builder.sitofp(value, kind)
    if goal == "bool":
        return builder.icmp_signed("!=", value, constant(0, source, width))
    have, want = TYPES[source].width, TYPES[goal].width
    if have == want:
        return value
    if have > want:
        return builder.trunc(value, kind)
    return builder.zext(value, kind) if is_unsigned(source) else builder.sext(value, kind)


def intrinsic(builder: ir.IRBuilder, name: str, kind: Any, arguments: list[Any], extra: str = "") -> Any:
    """A call of an LLVM intrinsic overloaded on one type."""
    single = kind.element if isinstance(kind, ir.VectorType) else kind
    suffix = {"float": "f32", "double": "f64"}.get(str(single), str(single))
    suffix = f"v{kind.count}{suffix}" if isinstance(kind, ir.VectorType) else suffix
    result = kind
    if name.endswith("with.overflow"):
        result = ir.LiteralStructType([kind, I1])
    full = f"llvm.{name}.{suffix}"
    function = builder.module.globals.get(full)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(result, [a.type for a in arguments]), full)
    return builder.call(function, arguments)


def external(builder: ir.IRBuilder, name: str, kind: Any, arguments: list[Any]) -> Any:
    """A call of the C mathematics library, lane by lane for a vector."""
    if isinstance(kind, ir.VectorType):
        result: Any = ir.Constant(kind, ir.Undefined)
        for lane in range(kind.count):
            place = ir.Constant(I32, lane)
            single = [builder.extract_element(a, place) for a in arguments]
            result = builder.insert_element(result, external(builder, name, kind.element, single), place)
        return result
    full = name + ("f" if kind == FLOAT else "")
    function = builder.module.globals.get(full)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(kind, [a.type for a in arguments]), full)
        function.attributes.add("nounwind")
    return builder.call(function, arguments)
