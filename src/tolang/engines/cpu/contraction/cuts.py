"""Cuts of the depth: what of it is packed at once, a run of steps one after the other.

Dimensions are taken whole from the last on, as far as they fit; the next one is cut, and of those before it one
coordinate is taken at a time.  The frame's variables `start k` and `span k` say which part of dimension k that is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tolang.engines.cpu.contraction.frames import ONE, ZERO, KernelFrame
from tolang.engines.llvm.sizes import quotient_of
from tolang.idioms.contraction import Dimensions

SURELY_WHOLE = 128
"""Last dimensions whose lengths are known to make no more steps than this are never cut."""
Cuts = list[tuple[Any, Any]]
"""The extent of each dimension of a depth, and how much of it a cut takes at the most."""


def cut_dimensions(depth: Dimensions) -> int:
    """How many dimensions of a depth may be cut, the first ones."""
    steps, count = 1, len(depth)
    while count > 1 and isinstance(length := depth[count - 1][1].constant, int) and steps * length <= SURELY_WHOLE:
        steps, count = steps * max(1, length), count - 1
    return count


def variables(dimensions: int) -> list[str]:
    """The variables of a frame that cuts of so many dimensions need."""
    return [f"{name} {k}" for k in range(dimensions) for name in ("start", "span")]


def cuts_of(frame: KernelFrame, depth: Dimensions, most: Any) -> Cuts:
    """Cuts of a depth of at most so many steps, each dimension's about as long as the others."""
    builder, found = frame.builder, list[tuple[Any, Any]]()
    room = most
    for _, length in reversed(depth):
        extent = frame.emitter.size(length)
        parts = frame.maximum(frame.ceiling(extent, frame.maximum(room, ONE)), ONE)
        found.insert(0, (extent, frame.ceiling(extent, parts)))
        left = quotient_of(builder, room, frame.maximum(extent, ONE))
        room = builder.select(builder.icmp_signed("==", parts, ONE), left, ONE)
    return found


def steps_of(frame: KernelFrame, cuts: Cuts) -> Any:
    """How many steps of the depth a cut has at the most."""
    steps: Any = ONE
    for _, span in cuts:
        steps = frame.builder.mul(steps, span)
    return steps


def each_cut(frame: KernelFrame, depth: Dimensions, cuts: Cuts, final: Any, body: Callable[[], None]) -> None:
    """A body for every cut of a depth; variables tell where it is, and whether it is the first, or the very last."""
    builder, count = frame.builder, cut_dimensions(depth)

    def inside(position: int, taken: list[Any], passed: Any, last: Any) -> None:
        if position == len(depth):
            length: Any = ONE
            steps: Any = ONE
            for one, (extent, _) in zip(taken, cuts, strict=True):
                length, steps = builder.mul(length, one), builder.mul(steps, extent)
            for name, value in (("length", length), ("steps", steps), ("passed", passed)):
                frame.put(name, value)
            frame.put("begins", builder.icmp_signed("==", passed, ZERO))
            frame.put("last", builder.and_(last, final))
            body()
            return
        extent, span = cuts[position]
        if position >= count:
            inside(position + 1, [*taken, extent], builder.mul(passed, extent), last)
            return

        def cut(start: Any) -> None:
            here = frame.minimum(builder.sub(extent, start), span)
            frame.put(f"start {position}", start)
            frame.put(f"span {position}", here)
            ends = builder.icmp_signed(">=", builder.add(start, here), extent)
            before = builder.add(builder.mul(passed, extent), start)
            inside(position + 1, [*taken, here], before, builder.and_(last, ends))

        frame.each(ZERO, frame.maximum(extent, ONE), frame.maximum(span, ONE), cut)

    inside(0, [], ZERO, builder.icmp_signed("==", ZERO, ZERO))


def whole_depth(frame: KernelFrame, depth: Dimensions) -> None:
    """Has variables tell of a cut that is all of a depth."""
    length: Any = ONE
    for position, (_, extent) in enumerate(depth):
        span = frame.emitter.size(extent)
        length = frame.builder.mul(length, span)
        if position < cut_dimensions(depth):
            frame.put(f"start {position}", ZERO)
            frame.put(f"span {position}", span)
    for name, value in (("length", length), ("steps", length), ("passed", ZERO)):
        frame.put(name, value)


def start_of(frame: KernelFrame, depth: Dimensions, position: int) -> Any:
    """The first coordinate of a dimension in the cut, from 0."""
    return frame.get(f"start {position}") if position < cut_dimensions(depth) else ZERO


def span_of(frame: KernelFrame, depth: Dimensions, position: int) -> Any:
    """How many coordinates of a dimension are in the cut."""
    if position < cut_dimensions(depth):
        return frame.get(f"span {position}")
    return frame.emitter.size(depth[position][1])
