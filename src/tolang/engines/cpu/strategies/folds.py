"""Folds with their state in registers, and folds whose first dimension is shared out among the threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llvmlite import ir

from tolang.engines.cpu.emission.effort import folding, whole
from tolang.engines.cpu.emission.regions import parallel
from tolang.engines.llvm.bindings import Bound
from tolang.engines.llvm.functions import REGROUPED, compute
from tolang.engines.llvm.types import DOUBLE, I64
from tolang.engines.llvm.types import TYPES as STORAGE_TYPES
from tolang.ground.spaces import Column, is_float, is_real
from tolang.nests.nest import Constant, Group, Scalar, out_of_range
from tolang.nests.patterns.column_folds import in_their_order
from tolang.nests.strategy import IN_ORDER

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

LARGE_PIECE = 262144
"""How many elements of a fold a thread takes at a time."""


def pieces(emitter: Emitter, group: Group) -> list[Any]:
    """A fold whose first dimension is cut into pieces, each folded by a thread, the results then combined."""
    builder = emitter.builder
    assert group.combine is not None
    column = group.columns[0]
    kind = STORAGE_TYPES[column.storage]
    identity = Constant(identity_of(group.combine, column), column=column)
    count, rest = emitter.size(group.extents[0]), ir.Constant(I64, 1)
    for extent in group.extents[1:]:
        rest = builder.mul(rest, emitter.size(extent))
    rest = builder.select(builder.icmp_signed("<", rest, ir.Constant(I64, 1)), ir.Constant(I64, 1), rest)
    grain = builder.add(builder.sdiv(ir.Constant(I64, LARGE_PIECE), rest), ir.Constant(I64, 1))
    pieces = builder.sdiv(builder.add(count, builder.sub(grain, ir.Constant(I64, 1))), grain)
    pieces = builder.select(builder.icmp_signed("<", pieces, ir.Constant(I64, 0)), ir.Constant(I64, 0), pieces)
    width = ir.Constant(I64, 8)
    raw = emitter.take(builder.add(builder.mul(pieces, width), width), "a fold")
    partial = builder.bitcast(raw, kind.as_pointer())

    def region(low: Any, high: Any) -> None:
        emitter.inside_region = True
        emitter.loop(low, high, "piece", lambda: _one_piece(emitter, group, identity))
        emitter.inside_region = False

    shared = {"partial": partial, "grain": grain, "count": count}
    work = whole(emitter, folding(group.steps, group.extents[1:]))
    if work is not None:
        work = builder.fmul(work, builder.sitofp(grain, DOUBLE))
    parallel(emitter, pieces, ir.Constant(I64, 1), region, shared, work)
    slot = emitter.slot(kind)
    builder.store(emitter.scalar(group.initials[0]), slot)

    def gather() -> None:
        place = emitter.builder.sub(emitter.names["piece"].value, ir.Constant(I64, 1))
        value = emitter.builder.load(emitter.builder.gep(partial, [place]))
        old = emitter.builder.load(slot)
        report = emitter.reporter(out_of_range(group.combine or ""), None)
        columns = [column, column]
        new = compute(emitter.builder, group.combine or "", [old, value], columns, column, report)
        emitter.builder.store(new, slot)

    emitter.loop(ir.Constant(I64, 0), pieces, "piece", gather)
    emitter.give_back(raw)
    return [builder.load(slot)]


def one_after_the_other(emitter: Emitter, group: Group) -> list[Any]:
    """A fold by one thread, with its state in registers."""
    return _plain(emitter, group, group.initials)


def _one_piece(emitter: Emitter, group: Group, identity: Scalar) -> None:
    """One piece of a shared fold, its result stored among the others'."""
    builder = emitter.builder
    piece = builder.sub(emitter.names["piece"].value, ir.Constant(I64, 1))
    low = builder.mul(piece, emitter.captured["grain"])
    high = builder.add(low, emitter.captured["grain"])
    total = emitter.captured["count"]
    high = builder.select(builder.icmp_signed("<", high, total), high, total)
    value = _plain(emitter, group, (identity,), (low, high))[0]
    emitter.builder.store(value, emitter.builder.gep(emitter.captured["partial"], [piece]))


def _plain(
    emitter: Emitter, group: Group, initials: tuple[Scalar, ...], stretch: tuple[Any, Any] | None = None
) -> list[Any]:
    """A fold as loops with its state in registers; `stretch` bounds the first dimension."""
    builder = emitter.builder
    slots = [emitter.slot(STORAGE_TYPES[c.storage]) for c in group.columns]
    for slot, initial in zip(slots, initials, strict=True):
        builder.store(emitter.scalar(initial), slot)
    assert group.strategy is not None
    regrouped = group.strategy.name != IN_ORDER and not group.ordered
    flags = REGROUPED if regrouped and is_float(group.columns[0].storage) else ()

    def body() -> None:
        with emitter.scope():
            for name, slot, column in zip(group.states, slots, group.columns, strict=True):
                emitter.names[name] = Bound(slot, column.storage, True)
            computed = [emitter.scalar(s, flags) for s in group.steps]
            for slot, value in zip(slots, computed, strict=True):
                emitter.builder.store(value, slot)

    if stretch is not None:
        first, rest = group.iterators[0], (group.iterators[1:], group.extents[1:])
        emitter.loop(*stretch, first, lambda: emitter.loops(*rest, body))
    else:
        emitter.loops(*in_their_order(group), body)
    return [emitter.builder.load(s) for s in slots]


def identity_of(combine: str, column: Column) -> Any:
    """The value that a combine leaves every other as it is with, in a storage."""
    storage = column.storage
    if combine in ("add", "xor"):
        return -0.0 if is_real(storage) else 0
    if combine == "mul":
        return 1
    if combine in ("and", "or"):
        return (1 if storage == "bool" else -1) if combine == "and" else 0
    if is_real(storage):
        return float("-inf") if combine == "max" else float("inf")
    if storage == "bool":
        return 0 if combine == "max" else 1
    bits = int(storage[1:])
    low, high = (0, 2**bits - 1) if storage[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return low if combine == "max" else high
