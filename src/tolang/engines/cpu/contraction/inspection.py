"""Panels looked at once they are packed: whether they hold NaN or -0, and infinities of which sign.

What was seen is gathered in a word of the frame, by all threads; where nothing was that matters, smaller and greater
numbers are found by one plain instruction (idioms/ordinary.py).
"""

from __future__ import annotations

from math import inf as INFINITY
from typing import Any

from tolang.engines.cpu.contraction.frames import ONE, POINTER, ZERO, KernelFrame, number
from tolang.engines.cpu.contraction.packing import Panel
from tolang.engines.cpu.emission.vector_expressions import load_vector
from tolang.engines.llvm import ir
from tolang.engines.llvm.types import FLOAT, I32, I64
from tolang.engines.llvm.vectors import splat
from tolang.schedule.tile import WIDTH_OF_STORAGE

SEEN = "seen"
"""The frame's word of what was seen."""
STRANGE, UPPER, LOWER = 1, 2, 4
"""NaN or -0; infinity; its negative."""


def is_ordinary(builder: ir.IRBuilder, seen: Any) -> Any:
    """Whether nothing was seen that plain instructions treat otherwise: infinities may have one sign."""
    both = number(UPPER | LOWER)
    plain = builder.icmp_signed("==", builder.and_(seen, number(STRANGE)), ZERO)
    return builder.and_(plain, builder.icmp_signed("!=", builder.and_(seen, both), both))


def strange(builder: ir.IRBuilder, value: Any) -> Any:
    """Where a float, or a vector of them, is NaN or -0."""
    kind = value.type
    vector = isinstance(kind, ir.VectorType)
    whole = I32 if (kind.element if vector else kind) == FLOAT else I64
    sign = ir.Constant(whole, 1 << (whole.width - 1))
    bits = builder.bitcast(value, ir.VectorType(whole, kind.count) if vector else whole)
    negative_zero = builder.icmp_unsigned("==", bits, splat(builder, sign, kind.count) if vector else sign)
    return builder.or_(builder.fcmp_unordered("uno", value, value), negative_zero)


class Inspection:
    """The function `inspect(frame, panel)` of an operand, being written."""

    def __init__(self, frame: KernelFrame, panel: Panel, adds: bool) -> None:
        self.frame, self.panel, self.adds = frame, panel, adds

    def emit(self) -> Any:
        return self.frame.function("inspect", [POINTER], self._body)

    def _body(self, raw: Any) -> None:
        frame, builder, lanes = self.frame, self.frame.builder, self.panel.lanes
        size = WIDTH_OF_STORAGE[self.panel.storage]
        elements = builder.mul(frame.get("length"), number(self.panel.step_bytes // size))
        truths = ir.VectorType(ir.IntType(1), lanes)
        found = [frame.emitter.slot(truths, ir.Constant(truths, None)) for _ in (STRANGE, UPPER, LOWER)]
        for slot in found:
            builder.store(ir.Constant(truths, None), slot)
        base = builder.bitcast(raw, self.panel.element.as_pointer())
        whole = builder.and_(elements, number(-lanes))

        def look(value: Any) -> None:
            seen = [strange(builder, value)]
            if self.adds:
                seen += [builder.fcmp_ordered("==", value, self._all(end)) for end in (INFINITY, -INFINITY)]
            for slot, truth in zip(found, seen, strict=False):
                builder.store(builder.or_(builder.load(slot), truth), slot)

        def vector(at: Any) -> None:
            kind = ir.VectorType(self.panel.element, lanes)
            look(load_vector(builder, builder.gep(base, [at]), kind, size))

        def single(at: Any) -> None:
            look(splat(builder, builder.load(builder.gep(base, [at])), lanes))

        frame.each(ZERO, whole, number(lanes), vector)
        frame.each(whole, elements, ONE, single)
        self._tell(found, lanes)

    def _all(self, value: float) -> Any:
        return splat(self.frame.builder, ir.Constant(self.panel.element, value), self.panel.lanes)

    def _tell(self, found: list[Any], lanes: int) -> None:
        frame, builder = self.frame, self.frame.builder
        word: Any = ZERO
        for slot, sign in zip(found, (STRANGE, UPPER, LOWER), strict=True):
            bits = builder.bitcast(builder.load(slot), ir.IntType(lanes))
            there = builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))
            word = builder.or_(word, builder.select(there, number(sign), ZERO))
        with builder.if_then(builder.icmp_signed("!=", word, ZERO)):
            frame.gather(SEEN, word)
