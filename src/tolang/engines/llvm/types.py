"""Types, constants, casts and intrinsics of LLVM IR, for values and for vectors of them."""

from __future__ import annotations

from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.callees import declared
from tolang.ground.values.spaces import dtype_of, is_complex, is_float, is_narrow, is_real, is_unsigned

I1, I8, I32, I64 = ir.IntType(1), ir.IntType(8), ir.IntType(32), ir.IntType(64)
DOUBLE, FLOAT = ir.DoubleType(), ir.FloatType()
TYPES: dict[str, Any] = {
    "bool": I1, "i8": I8, "i16": ir.IntType(16), "i32": I32, "i64": I64, "u8": I8, "u16": ir.IntType(16), "u32": I32,
    "u64": I64, "f16": ir.HalfType(), "bf16": ir.IntType(16), "f32": FLOAT, "f64": DOUBLE,
    "c64": ir.LiteralStructType([FLOAT, FLOAT]), "c128": ir.LiteralStructType([DOUBLE, DOUBLE]),
}  # fmt: skip
"""The type of a value in each storage; bf16, which LLVM's writer has no type for, is held by its bits."""
ANYWHERE = 1
"""The alignment that reading from a buffer counts on: inputs are read where they lie, as in a file mapped to memory."""


class VectorModule(ir.Module):
    """A module that knows the vectors of its processor, whether it fuses, and which loop holds long chains."""

    def __init__(self, vector_bytes: int, fuses: bool = True, quads: str | None = None, masks: bool = False) -> None:
        super().__init__()
        self.vector_bytes, self.fuses, self.quads, self.masks = vector_bytes, fuses, quads, masks
        self.chains, self.alone = 0, False


def vector_bytes(module: ir.Module) -> int:
    """The bytes of a vector of the processor a module is for; every processor has 16."""
    return int(module.vector_bytes) if isinstance(module, VectorModule) else 16


def fuses(module: ir.Module) -> bool:
    """Whether the processor a module is for adds products in one instruction, as all but old ones do."""
    return module.fuses if isinstance(module, VectorModule) else True


def quads(module: ir.Module) -> str | None:
    """The signs of what one instruction of the processor that a module is for multiplies and adds by fours, if any."""
    return module.quads if isinstance(module, VectorModule) else None


def memory_type(storage: str) -> Any:
    """The type in memory: truth values take a byte."""
    return I8 if storage == "bool" else TYPES[storage]


def kind_of(storage: str, width: int = 1) -> Any:
    """The type of one value, or of a vector of them."""
    return TYPES[storage] if width == 1 else ir.VectorType(TYPES[storage], width)


def width_of(value: Any) -> int:
    """How many lanes a value has; 1 where it is no vector."""
    return value.type.count if isinstance(value.type, ir.VectorType) else 1


def part_of(storage: str) -> str:
    """The storage of the two parts of a complex number."""
    return "f32" if storage == "c64" else "f64"


def parted(builder: ir.IRBuilder, value: Any) -> tuple[Any, Any]:
    """The real and the imaginary part of a complex number."""
    return builder.extract_value(value, 0), builder.extract_value(value, 1)


def paired(builder: ir.IRBuilder, real: Any, imaginary: Any) -> Any:
    """The complex number of two parts."""
    empty = ir.Constant(ir.LiteralStructType([real.type, imaginary.type]), ir.Undefined)
    return builder.insert_value(builder.insert_value(empty, real, 0), imaginary, 1)


def constant(value: Any, storage: str, width: int = 1) -> Any:
    if is_complex(storage):
        parts = [constant(part, part_of(storage)) for part in (complex(value).real, complex(value).imag)]
        return ir.Constant(TYPES[storage], parts)
    if storage == "bf16":
        value = int(dtype_of("bf16").type(float(value)).view("uint16"))
    number = float(value) if is_real(storage) and storage != "bf16" else int(value)
    single = ir.Constant(TYPES[storage], number)
    return single if width == 1 else ir.Constant(ir.VectorType(TYPES[storage], width), [single] * width)


def to_computing(builder: ir.IRBuilder, value: Any, storage: str) -> tuple[Any, str]:
    """A value in the storage it is computed in, and that storage."""
    if not is_narrow(storage):
        return value, storage
    width = width_of(value)
    if storage == "f16":
        return builder.fpext(value, kind_of("f32", width)), "f32"
    words = kind_of("i32", width)
    bits = builder.shl(builder.zext(value, words), constant(16, "i32", width))
    return builder.bitcast(bits, kind_of("f32", width)), "f32"


def _narrowed(builder: ir.IRBuilder, value: Any, goal: str) -> Any:
    """An f32 rounded to f16 or bf16, to the even one of two."""
    width = width_of(value)
    if goal == "f16":
        return builder.fptrunc(value, kind_of("f16", width))
    bits = builder.bitcast(value, kind_of("i32", width))
    sixteen = constant(16, "i32", width)
    even = builder.and_(builder.lshr(bits, sixteen), constant(1, "i32", width))
    rounded = builder.lshr(builder.add(builder.add(bits, even), constant(0x7FFF, "i32", width)), sixteen)
    quiet = builder.or_(builder.lshr(bits, sixteen), constant(0x40, "i32", width))
    unordered = builder.fcmp_unordered("uno", value, value)
    return builder.trunc(builder.select(unordered, quiet, rounded), kind_of("bf16", width))


def _single_to_odd(builder: ir.IRBuilder, value: Any) -> Any:
    """An f64 as an f32 whose last digit is 1 where it was rounded, so that rounding it again is rounding once."""
    width = width_of(value)
    single = builder.fptrunc(value, kind_of("f32", width))
    back = builder.fpext(single, value.type)
    bits = builder.bitcast(single, kind_of("i32", width))
    magnitude = [intrinsic(builder, "fabs", value.type, [v]) for v in (back, value)]
    beyond = builder.fcmp_ordered(">", *magnitude)
    lowered = builder.sub(bits, builder.zext(beyond, bits.type))
    inexact = builder.fcmp_ordered("!=", back, value)
    odd = builder.or_(lowered, constant(1, "i32", width))
    return builder.bitcast(builder.select(inexact, odd, bits), single.type)


def cast(builder: ir.IRBuilder, value: Any, source: str, goal: str) -> Any:
    """A value in another storage: rounded to floats, wrapped to integers."""
    if source == goal:
        return value
    if is_complex(goal):
        zero = constant(0, part_of(goal))
        parts = parted(builder, value) if is_complex(source) else (value,)
        own = part_of(source) if is_complex(source) else source
        return paired(builder, *(*(cast(builder, one, own, part_of(goal)) for one in parts), zero)[:2])
    value, source = to_computing(builder, value, source)
    if is_narrow(goal):
        if source == "f64" and goal == "f16":
            value, source = _single_to_odd(builder, value), "f32"
        return _narrowed(builder, cast(builder, value, source, "f32"), goal)
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


def intrinsic(builder: ir.IRBuilder, name: str, kind: Any, arguments: list[Any]) -> Any:
    """A call of an LLVM intrinsic overloaded on one type."""
    single = kind.element if isinstance(kind, ir.VectorType) else kind
    suffix = {"float": "f32", "double": "f64"}.get(str(single), str(single))
    suffix = f"v{kind.count}{suffix}" if isinstance(kind, ir.VectorType) else suffix
    result = kind
    if name.endswith("with.overflow"):
        result = ir.LiteralStructType([kind, kind_of("bool", kind.count if kind is not single else 1)])
    elif name.startswith("vector.reduce"):
        result = single
    function = declared(builder.module, f"llvm.{name}.{suffix}", result, [a.type for a in arguments])
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
    function = declared(builder.module, full, kind, [a.type for a in arguments], ["nounwind"])
    return builder.call(function, arguments)


def any_lane(builder: ir.IRBuilder, lanes: Any) -> Any:
    """Whether a truth value holds in any lane."""
    if not isinstance(lanes.type, ir.VectorType):
        return lanes
    return intrinsic(builder, "vector.reduce.or", lanes.type, [lanes])


def size_of(kind: Any) -> Any:
    """How many bytes a type has, as LLVM lays it out."""
    return ir.Value(I64, f"ptrtoint (ptr getelementptr ({kind.word}, ptr null, i32 1) to i64)")


def copy_memory(builder: ir.IRBuilder, to: Any, source: Any, size: Any) -> None:
    """Copies so many bytes to where others lie."""
    place = I8.as_pointer()
    copy = declared(builder.module, "llvm.memcpy.p0.p0.i64", ir.VoidType(), [place, place, I64, I1])
    builder.call(copy, [to, source, size, ir.Constant(I1, 0)])
