"""Compiles all that LLVM may be handed for one processor, whether this machine is one or not, and prints what it leaves open.

    python -m tests.engines.everything nehalem quick|full [NAME …]

Where LLVM cannot select an instruction it ends the process, so this is a process of its own.  It prints, as JSON, the
symbols that the objects leave to be resolved when they are loaded, by the name of what was compiled.
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import llvmlite.binding as llvm
from tests.schedule.test_schedules import CASES

import tolang
from tolang.engines.cpu.emission.kernels import modules_of
from tolang.engines.cpu.plan.bytecode import assemble
from tolang.engines.cpu.processors import PROCESSORS, Processor, target_of
from tolang.engines.cpu.runtime import native
from tolang.engines.cpu.runtime.threads import runtime_source
from tolang.engines.llvm import ir
from tolang.engines.llvm.callees import INTRINSICS, MATHEMATICS
from tolang.engines.llvm.dot4 import DOT_FUNCTIONS, NATIVE
from tolang.engines.llvm.types import I1, I8, I32, TYPES, VectorModule, cast, external, intrinsic, kind_of
from tolang.ground.values.functions import FUNCTIONS, SpaceMismatch
from tolang.ground.values.spaces import column, is_complex
from tolang.plan.fixed import lengths_of
from tolang.plan.target import Target
from tolang.schedule import planning

ARGUMENTS = {
    "copysign": 2, "fma": 3, "maximum": 2, "minimum": 2, "smax": 2, "smin": 2, "fshl": 3,
    **{f"{sign}{name}.with.overflow": 2 for sign in "su" for name in ("add", "sub", "mul")},
}  # fmt: skip
"""How many arguments intrinsics have, where that is not one."""
COUNTING = ("ctlz", "cttz")
"""Intrinsics with a truth value for their second argument, which is a constant."""
STORAGES = [name for name in TYPES if not is_complex(name)]
WIDTHS = (1, 2, 4, 8, 16, 64)
SPACES = ("f16", "bf16", "f32", "f64", "i8", "u64", "Z", "c64", "c128", "B")
"""The spaces that every elementary function is compiled for, as far as it takes them."""


class Body:
    """A function of a module that reads its arguments from memory, computes one thing and writes it there."""

    def __init__(self, module: ir.Module, name: str) -> None:
        self.builder = ir.IRBuilder(_begun(module, name))
        self.memory = self.builder.function.args[0]

    def argument(self, kind: Any) -> Any:
        """A value from memory; truth values are bytes there, as in buffers."""
        single = kind.element if isinstance(kind, ir.VectorType) else kind
        stored = kind if single != I1 else I8 if single is kind else ir.VectorType(I8, kind.count)
        value = self.builder.load(self.builder.bitcast(self.memory, stored.as_pointer()), align=1)
        return value if stored == kind else self.builder.trunc(value, kind)

    def put(self, value: Any) -> None:
        single = value.type.element if isinstance(value.type, ir.VectorType) else value.type
        if single == I1:
            value = self.builder.zext(value, I8 if single is value.type else ir.VectorType(I8, value.type.count))
        self.builder.store(value, self.builder.bitcast(self.memory, value.type.as_pointer()), align=1)

    def end(self, value: Any) -> None:
        self.put(value)
        self.builder.ret_void()


def _begun(module: ir.Module, name: str) -> Any:
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [I8.as_pointer()]), f"tried {name}")
    return function.append_basic_block("entry")


def module_for(target: Target) -> VectorModule:
    return VectorModule(target.vector_bytes, target.fuses, target.quads, target.masks)


def intrinsics(target: Target) -> ir.Module:
    """Every intrinsic that all processors have, on every type that it is used on."""
    module = module_for(target)
    for name, storages in INTRINSICS.items():
        if name == "fma" and not target.fuses:
            continue
        for storage in storages:
            for width in WIDTHS:
                if width > 1 or not name.startswith("vector."):
                    body, kind = Body(module, f"{name} {storage} {width}"), kind_of(_bits(storage), width)
                    arguments = [body.argument(kind) for _ in range(ARGUMENTS.get(name, 1))]
                    more = [ir.Constant(ir.IntType(1), 1)] if name in COUNTING else []
                    value = intrinsic(body.builder, name, kind, [*arguments, *more])
                    if name.endswith("overflow"):  # each use of ours looks at both results
                        body.put(body.builder.extract_value(value, 1))
                        value = body.builder.extract_value(value, 0)
                    body.end(value)
    for name in sorted(MATHEMATICS):
        for storage in ("f32", "f64"):
            for width in (1, 4):
                body, kind = Body(module, f"{name} {storage} {width}"), kind_of(storage, width)
                arguments = [body.argument(kind) for _ in range(2 if name == "fmod" else 1)]
                body.end(external(body.builder, name, kind, arguments))
    return module


def _bits(storage: str) -> str:
    return "bool" if storage == "i1" else storage


def casts(target: Target) -> ir.Module:
    """Every conversion between two storages, of one value and of vectors."""
    module = module_for(target)
    for source in STORAGES:
        for goal in STORAGES:
            for width in (1, 4, 16):
                body = Body(module, f"{source} to {goal} {width}")
                body.end(cast(body.builder, body.argument(kind_of(source, width)), source, goal))
    return module


def dots(target: Target) -> ir.Module:
    """Sums of products of eight-bit numbers by fours, of both kinds, as wide as an instruction and otherwise."""
    module = module_for(target)
    for name in ("dot", "dot_unsigned"):
        for width in (1, 4, max(NATIVE.values()) // 4, max(NATIVE.values()) // 2):
            body = Body(module, f"{name} {width}")
            kind = I32 if width == 1 else ir.VectorType(I32, width)
            body.end(DOT_FUNCTIONS[name](body.builder, [body.argument(kind) for _ in range(3)]))
    return module


def program_modules(source: str, target: Target, data: dict[str, Any], fixed: tuple[str, ...]) -> Iterator[ir.Module]:
    """The modules of a program's kernels as they are planned for a target."""
    core = tolang.compile(source).core
    lengths = lengths_of(core, {name: data[name].shape for name in fixed})
    made = planning.plan(core, target, fixed=frozenset(fixed), lengths=lengths)
    for plan in (made.plan, made.once):
        if plan is not None:
            yield from modules_of(assemble(plan).calls, target)


def functions_on(space: str) -> str:
    """A program that computes every elementary function which takes numbers of a space."""
    lines = [f"tol x: {space} [n]", f"tol y: {space} [n]"]
    for one in FUNCTIONS.values():
        for count in one.arity:
            with suppress(SpaceMismatch):
                one.rule([column(space)] * count)
                lines.append(f"r{len(lines)} := map(x, {one.name}({', '.join(['*', 'y[k]', '*'][:count])}), k)")
    return "\n".join(line for line in lines if "text" not in line)


def modules(target: Target, wanted: list[str]) -> Iterator[tuple[str, ir.Module]]:
    """All modules by what they are of."""
    parts = {"intrinsics": intrinsics, "casts": casts, "dots": dots}
    for name, made in parts.items():
        if not wanted or name in wanted:
            yield name, made(target)
    for space in SPACES:
        if not wanted or f"functions {space}" in wanted:
            for module in program_modules(functions_on(space), target, {}, ()):
                yield f"functions {space}", module
    for name, (source, data, fixed) in CASES.items():
        if not wanted or name in wanted:
            for module in program_modules(source, target, data, fixed):
                yield name, module


def emitted(module: ir.Module | str, processor: Processor, full: bool) -> bytes:
    """The object of a module for a processor, as kernels are compiled soon, or when they are called again."""
    flags = processor.flags + (",-prefer-256-bit" if "avx512f" in processor.features else "")
    native.refuse_missing_instructions(str(module), flags)
    machine = native.TargetMachine(native.target_machine(processor.triple, processor.name, flags, 3 if full else 0))
    improved = native.optimise(module, machine) if full else native.lightly_optimised(module, machine, False)
    return bytes(machine.target.emit_object(improved))


def open_symbols(code: bytes) -> set[str]:
    """The symbols that an ELF object uses and does not define."""
    (start,) = struct.unpack_from("<Q", code, 40)
    count = struct.unpack_from("<H", code, 60)[0]
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, start + 64 * number) for number in range(count)]
    found = set()
    for _, kind, _, _, offset, size, link, *_ in sections:
        for place in range(offset, offset + size, 24) if kind == 2 else ():
            name, _, _, section = struct.unpack_from("<IBBH", code, place)
            if section == 0 and name:
                begin = sections[link][4] + name
                found.add(code[begin : code.index(b"\0", begin)].decode())
    return found


def main(name: str, level: str, *wanted: str) -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    processor = PROCESSORS[name]
    target = target_of(processor.triple, processor.flags)
    found: dict[str, list[str]] = {}
    for of, module in modules(target, list(wanted)):
        symbols = open_symbols(emitted(module, processor, level == "full"))
        found[of] = sorted({*found.get(of, []), *symbols})
    if not wanted:
        emitted(runtime_source(processor.architecture), processor, level == "full")
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
