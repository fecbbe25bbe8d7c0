"""What `engines/llvm` shares is real: the same code writes maps, steps of folds and functions for a GPU's processor.

There is no engine for it here; a few lines of loops and threads around the shared classes stand for one, and LLVM has to
accept what comes out, and to make code of it.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from llvmlite import binding as llvm
from tests.plans import optimise

import tolang
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue, BufferMemory
from tolang.engines.llvm.magnitudes import magnitudes_of
from tolang.engines.llvm.mathematics import VECTOR_FUNCTIONS
from tolang.engines.llvm.scalars import SEED, ScalarEmitter
from tolang.engines.llvm.types import I64, TYPES, memory_type
from tolang.lower.steps import lower
from tolang.plan.canonical import CanonicalKernel, KnownScalar, outline
from tolang.plan.nest import Group, Nest
from tolang.plan.target import Target

TRIPLE = "nvptx64-nvidia-cuda"
THREAD = Target(4, 255, fuses=True)
WORDS = I64.as_pointer()


class Thread(ScalarEmitter):
    """One thread of a GPU: one element, its folds step after step."""

    def fold(self, group: Group) -> list[Any]:
        if id(group) not in self.groups:
            slots = [self.slot(TYPES[column.storage]) for column in group.columns]
            for slot, initial in zip(slots, group.initials, strict=True):
                self.builder.store(self.scalar(initial), slot)
            with self.scope():
                self._loops(group, list(zip(group.iterators, group.extents, strict=True))[::-1], slots)
            self.groups[id(group)] = [self.builder.load(slot) for slot in slots]
        return self.groups[id(group)]

    def _loops(self, group: Group, dimensions: list[Any], slots: list[Any]) -> None:
        if not dimensions:
            for name, slot, column in zip(group.states, slots, group.columns, strict=True):
                self.names[name] = BoundValue(slot, column.storage, slot=True)
            values = [self.scalar(step) for step in group.steps]
            for slot, value in zip(slots, values, strict=True):
                self.builder.store(value, slot)
            return
        (iterator, extent), *inner = dimensions
        count, counter = self.size(extent), self.slot(I64)
        self.builder.store(ir.Constant(I64, 1), counter)
        head, body, done = (self.function.append_basic_block(name) for name in ("head", "body", "done"))
        self.builder.branch(head)
        self.builder.position_at_end(head)
        self.builder.cbranch(self.builder.icmp_signed("<=", self.builder.load(counter), count), body, done)
        self.builder.position_at_end(body)
        here = self.builder.load(counter)
        self.names[iterator] = BoundValue.index(here)
        self._loops(group, inner, slots)
        self.builder.store(self.builder.add(here, ir.Constant(I64, 1)), counter)
        self.builder.branch(head)
        self.builder.position_at_end(done)


def kernel_of(shared: CanonicalKernel) -> ir.Module:
    """A nest as a kernel: one thread an element, the parameters in a frame of words as on a CPU."""
    nest = shared.step
    assert isinstance(nest, Nest)
    thread = Thread([WORDS], "kernel", THREAD)
    thread.module.triple = TRIPLE
    words = iter(range(1 << 20))

    def word() -> Any:
        return thread.builder.load(thread.builder.gep(thread.function.args[0], [ir.Constant(I64, next(words))]))

    thread.names[SEED] = BoundValue(word(), "i64")
    for name in shared.sizes:
        thread.names[name] = BoundValue.index(word())
    for buffer in shared.buffers:
        kind = memory_type(buffer.column.storage).as_pointer()
        thread.memory[buffer.name] = BufferMemory(thread.builder.inttoptr(word(), kind))
    thread.magnitudes = magnitudes_of(nest, frozenset())
    number = ir.Function(thread.module, ir.FunctionType(ir.IntType(32), []), "llvm.nvvm.read.ptx.sreg.tid.x")
    rest = thread.builder.zext(thread.builder.call(number, []), I64)
    for iterator, extent in reversed(list(zip(nest.iterators, nest.extents, strict=True))):
        length = thread.size(extent)
        place = thread.builder.add(thread.builder.urem(rest, length), ir.Constant(I64, 1))
        thread.names[iterator], rest = BoundValue.index(place), thread.builder.udiv(rest, length)
    values = [thread.scalar(value) for value in nest.values]
    for (buffer, at), value in zip(nest.targets, values, strict=True):
        thread.store(buffer, at, value)
    thread.conclude()
    return thread.module


def assembly_of(source: str) -> str:
    """The code of all nests of a program for the other processor."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(cpu="sm_80", opt=2)
    made: dict[str, CanonicalKernel] = {}
    texts = []
    for step in optimise(lower(tolang.compile(source).core), THREAD, strict=True).steps:
        if isinstance(step, Nest):
            known: dict[str, KnownScalar] = {}
            module = llvm.parse_assembly(str(kernel_of(outline(step, known, made).shared)))
            module.verify()
            texts.append(machine.emit_assembly(module))
    return "\n".join(texts)


CASES = {
    "a map": ("tol x: f32 [n]\ny := map(x, * * 2 + 1)", "fma.rn.f32|mul.rn.f32|add.rn.f32"),
    "truth values": ("tol x: f32 [n]\ny := map(x, if * > 0 and * < 1 then * else -*)", "setp.gt"),
    "whole numbers with checks": ("tol x: Z [n]\ny := map(x, * * * - 7)", "mul.hi.s64|or.b"),
    "a read that is checked": ("tol x: f32 [n]\ntol k: Z [m]\ny := map(k, e -> x[e])", "setp.lt.s64|setp.ge.s64|setp.gt.s64"),
    "a fold": ("tol a: f32 [n,m]\ny := map(tol[n], reduce(a[i], (s,t) -> s*0.5+t, 0), i)", "add.rn.f32|fma.rn.f32"),
    "a fold of lists": (
        "tol a: R [n,m]\ny := map(tol[n], reduce(map(tol[m], (a[i,j], j), j), (s,e) -> if e[1]' > s[1]' then e else s, (-Inf,0))[2]', i)",
        "setp.gt.f64|setp.lt.f64",
    ),
    "narrow floats": ("tol x: f16 [n]\ny := map(x, * * 3)", "cvt.f32.f16"),
    "random numbers": ("tol x: f32 [n]\ny := map(x, * + rand(1.0))", "mul.lo.s64|mad.lo.s64|mul.hi.u64|xor.b64"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_expressions_for_another_processor(name: str) -> None:
    source, instruction = CASES[name]
    text = assembly_of(source)
    assert ".target sm_80" in text
    assert any(one in text for one in instruction.split("|")), text


@pytest.mark.parametrize("storage", ["f32", "f64"])
@pytest.mark.parametrize("function", sorted({*VECTOR_FUNCTIONS, "sqrt", "floor", "pow", "mod", "max", "abs", "sgn"}))
def test_functions_for_another_processor(function: str, storage: str) -> None:
    second = ", *" if function in ("pow", "mod", "max") else ""
    text = assembly_of(f"tol x: {storage} [n]\ny := map(x, {function}(*{second}))")
    stored = {"f32": "st.b32", "f64": "st.b64"}[storage]
    assert stored in text


def test_what_is_shared_knows_no_engine() -> None:
    folder = Path(tolang.__file__).parent / "engines" / "llvm"
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                assert not node.module.startswith("tolang.engines.cpu"), path.name
