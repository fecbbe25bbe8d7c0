"""A plan as one LLVM function that makes buffers, computes sizes and calls kernels.

    i64 run(i64* sizes, i8** inputs, i8** outputs, i64* lengths, i8** kernels)

Every step with a loop in it is a call of a kernel, which other steps and other programs may share.  The result is 0, or
tells which check failed: the number of the call and, in the low bits, the number of the check within it.  Where one
fails nothing more is computed and all memory is given back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from tolang.engines.cpu.arithmetic import I8, I64, memory_type
from tolang.engines.cpu.arithmetic import TYPES as STORAGE_TYPES
from tolang.engines.cpu.bindings import Bound
from tolang.engines.cpu.emitter import POINTER, SEED, Emitter
from tolang.engines.cpu.kernels import WORDS, emit_kernel, to_word
from tolang.engines.cpu.tiles import Machine
from tolang.ground.spaces import column
from tolang.nests.canonical import Known, Outlined, mentioned_names, outline
from tolang.nests.contractions import walk
from tolang.nests.nest import Assign, Bind, Branch, Buffer, Each, Nest, Plan, Reduction, Repeat, Scalar, Step

CHECK_BITS = 20
"""How many bits of a result number the check within a call."""


def modules_of(plan: Plan, strict: bool, machine: Machine) -> list[ir.Module]:
    """All code of a plan, its kernels first."""
    emitter = PlanEmitter(plan, strict, machine)
    module = emitter.emit()
    shared = {call.shared.key: call.shared for call in emitter.calls}
    return [*(emit_kernel(one, strict, machine)[0] for one in shared.values()), module]


class PlanEmitter(Emitter):
    """Writes the function of one plan; `calls` are the kernels it needs, in order."""

    def __init__(self, plan: Plan, strict: bool, machine: Machine) -> None:
        pointers = POINTER.as_pointer()
        super().__init__([WORDS, pointers, pointers, WORDS, pointers], "run", strict, machine)
        self.plan = plan
        self.calls: list[Outlined] = []
        self.known = {name: Known(column("Z")) for name in plan.sizes}
        self.held: dict[str, Any] = {}
        self.failed = self.function.append_basic_block("failed")
        self.frame_words = 1
        self.frame = ir.IRBuilder(self.entry).alloca(I64, ir.Constant(I64, 0))

    def emit(self) -> ir.Module:
        sizes, inputs, outputs, lengths, _ = self.function.args
        builder = self.builder
        for position, name in enumerate((*self.plan.sizes, SEED)):
            word = builder.load(builder.gep(sizes, [ir.Constant(I64, position)]))
            self.names[name] = Bound(word, "i64")
        for position, buffer in enumerate(self.plan.inputs):
            if buffer.column.storage not in STORAGE_TYPES:
                continue
            raw = builder.load(builder.gep(inputs, [ir.Constant(I64, position)]))
            self.pointers[buffer.name] = builder.bitcast(raw, memory_type(buffer.column.storage).as_pointer())
        self.steps(self.plan.steps)
        self._give_back(outputs, lengths)
        self.frame.operands[0] = ir.Constant(I64, self.frame_words)
        module = self.finish()
        self._clean_up()
        return module

    def _give_back(self, outputs: Any, lengths: Any) -> None:
        """Hands out pointers and lengths of the outputs, and frees everything else."""
        builder, place, word = self.builder, 0, 0
        kept: set[str] = set()
        for buffers in self.plan.outputs:
            for buffer in buffers:
                kept.add(buffer.name)
                raw = builder.bitcast(self.pointers[buffer.name], POINTER)
                builder.store(raw, builder.gep(outputs, [ir.Constant(I64, place)]))
                place += 1
            for length in buffers[0].shape:
                builder.store(self.size(length), builder.gep(lengths, [ir.Constant(I64, word)]))
                word += 1
        for name in self.allocated[0]:
            if name not in kept:
                self.release(name)

    # Memory that is held is given back where a check fails

    def acquired(self, buffer: Buffer, raw: Any) -> None:
        place = self.held[buffer.name] = self.slot(POINTER, ir.Constant(POINTER, None))
        self.builder.store(raw, place)
        super().acquired(buffer, raw)

    def release(self, name: str) -> None:
        super().release(name)
        self.builder.store(ir.Constant(POINTER, None), self.held[name])

    def leave(self, number: Any) -> None:
        self.builder.store(number, self.fault)
        self.builder.branch(self.failed)

    def _clean_up(self) -> None:
        builder = ir.IRBuilder(self.failed)
        for place in self.held.values():
            builder.call(self.free, [builder.load(place)])
        builder.ret(builder.load(self.fault))

    # Kernels

    def steps(self, steps: tuple[Step, ...]) -> None:
        for step in _with_folds_together(steps):
            if _has_loop(step):
                self._call(step)
            else:
                self.step(step)
                if isinstance(step, Bind):
                    self.known[step.name] = Known(step.value.column, step.mutable)

    def _call(self, step: Step) -> None:
        """One step by its kernel."""
        if isinstance(step, _Binds):
            self._bound_by_kernel(step)
            return
        outlined = outline(step, self.known)
        words = [self.names[SEED].value]
        words += [self.size(size) for size in outlined.sizes]
        words += [self._scalar_word(name) for name in outlined.scalars]
        words += [self.pointers[buffer.name] for buffer in outlined.buffers]
        self.frame_words = max(self.frame_words, len(words))
        builder = self.builder
        for position, value in enumerate(words):
            builder.store(to_word(builder, value), builder.gep(self.frame, [ir.Constant(I64, position)]))
        self.calls.append(outlined)
        place = builder.gep(self.function.args[4], [ir.Constant(I64, len(self.calls) - 1)])
        kind = ir.FunctionType(I64, [WORDS])
        code = builder.bitcast(builder.load(place), kind.as_pointer())
        failed = builder.call(code, [self.frame])
        number = builder.or_(failed, ir.Constant(I64, len(self.calls) << CHECK_BITS))
        with builder.if_then(builder.icmp_signed("!=", failed, ir.Constant(I64, 0)), likely=False):
            self.leave(number)

    def _scalar_word(self, name: str) -> Any:
        bound = self.names[name]
        if bound.slot == self.known[name].mutable:
            return bound.value
        return self.builder.load(bound.value)

    def _bound_by_kernel(self, binds: _Binds) -> None:
        """Scalars that fold: a kernel leaves them in memory."""
        buffers = [Buffer(f"{b.name} result", b.value.column, ()) for b in binds.steps]
        for buffer in buffers:
            self.pointers[buffer.name] = self.slot(memory_type(buffer.column.storage))
        targets = tuple((b, ()) for b in buffers)
        self._call(Nest((), (), targets, tuple(b.value for b in binds.steps)))
        for bind, buffer in zip(binds.steps, buffers, strict=True):
            value = self.builder.load(self.pointers[buffer.name])
            if buffer.column.storage == "bool":
                value = self.builder.icmp_unsigned("!=", value, ir.Constant(I8, 0))
            self.bind(bind.name, value, buffer.column.storage, bind.mutable)
            self.known[bind.name] = Known(bind.value.column, bind.mutable)


@dataclass(frozen=True, slots=True, eq=False)
class _Binds(Step):
    """Consecutive bindings of scalars with folds in them."""

    steps: tuple[Bind, ...]


def _with_folds_together(steps: tuple[Step, ...]) -> Iterator[Step]:
    """Steps in order; bindings in a row with folds in them, which may share folds, as one."""
    waiting: list[Bind] = []
    for step in steps:
        if isinstance(step, Bind) and _folds(step.value) and not _uses(step.value, waiting):
            waiting.append(step)
            continue
        if waiting:
            yield _Binds(tuple(waiting))
            waiting = []
        if isinstance(step, Bind) and _folds(step.value):
            waiting.append(step)
        else:
            yield step
    if waiting:
        yield _Binds(tuple(waiting))


def _uses(value: Scalar, binds: list[Bind]) -> bool:
    return not {b.name for b in binds}.isdisjoint(mentioned_names(value))


def _folds(value: Scalar) -> bool:
    return any(isinstance(one, Reduction) for one in walk(value))


def _has_loop(step: Step) -> bool:
    match step:
        case Nest(iterators=iterators, values=values):
            return bool(iterators) or any(_folds(v) for v in values)
        case Each() | Repeat() | _Binds():
            return True
        case Branch(test=test):
            return any(_folds(t) for t in test)
        case Assign(value=value):
            return _folds(value)
    return False
