"""What is bound outside a loop and used inside it, computed once at every step of the loops around: a table."""

from __future__ import annotations

from tolang.core.core import Expr, Let, Variable
from tolang.core.gradient.building import indexed, mapped
from tolang.core.gradient.frames import Bind, Frame, Loop, Scope, enclosed, loops_of, needed
from tolang.core.gradient.names import substituted
from tolang.core.gradient.normal import is_free
from tolang.ground.sizes import Size


def with_tables(scope: Scope, frames: tuple[Frame, ...], value: Expr, also: set[str]) -> tuple[Frame, ...]:
    """The frames around a value, and around sizes of these names, where bindings that cost something and have a loop inside them read tables.

    Without them a sum over the inner loop's steps, turned into a map over these, would compute them at each.
    """
    kept: list[Frame] = []
    frames = needed(frames, value, also)
    last = max((n for n, frame in enumerate(frames) if isinstance(frame, Loop)), default=-1)
    for position, frame in enumerate(frames):
        inside = isinstance(frame, Bind) and (position < last or frame.shared) and not is_free(frame.value)
        if isinstance(frame, Bind) and inside and not _is_ragged(frame, kept):
            kept += _reads(scope, frame, tuple(kept))
        else:
            kept.append(frame)
    return needed(kept, value, also)


def _reads(scope: Scope, frame: Bind, around: tuple[Frame, ...]) -> list[Frame]:
    """Bindings of a frame's names to what its tables have at these loops."""
    loops = loops_of(around)
    found: list[Frame] = []
    kinds = frame.value.type.parts or (frame.value.type,)
    for position, (name, kind) in enumerate(zip(frame.names, kinds, strict=True)):

        def table(name: str = name, kind: object = kind) -> Expr:
            body = frame.value
            if len(frame.names) > 1:
                body = Let(frame.names, body, Variable(name, type=kinds[position]), type=kinds[position])
            body = enclosed([one for one in around if not isinstance(one, Loop)], body, scope.names)
            whole = mapped([x.iterator for x in loops], [x.extent for x in loops], body)
            return substituted(whole, scope.names)

        key = frame if len(frame.names) == 1 else kind
        variable = scope.once(key, name, table)
        found.append(Bind((name,), indexed(variable, [Size.of(x.iterator) for x in loops])))
    return found


def _is_ragged(frame: Bind, around: list[Frame]) -> bool:
    """Whether a table of it would have rows of different lengths, or lengths that only running tells."""
    inner: set[str] = set()
    for one in around:
        inner |= {one.iterator} if isinstance(one, Loop) else one.bound if isinstance(one, Bind) else set()
    kinds = frame.value.type.parts or (frame.value.type,)
    lengths = [*(x.extent for x in loops_of(around)), *(length for kind in kinds for length in kind.shape)]
    return bool(frame.lengths) or any(length.names() & inner for length in lengths)
