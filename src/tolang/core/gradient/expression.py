"""The gradient of an expression by a name in it: what `gradient(f, x)` means in the language."""

from __future__ import annotations

from tolang.core.core import Expr, Let, Require, Variable
from tolang.core.gradient.adjoint import Adjoint
from tolang.core.gradient.building import cotangent_column, embedded, is_real, number, settled, zeros
from tolang.core.gradient.deciding import decided
from tolang.core.gradient.frames import BindingFrame, Frame, RequirementFrame
from tolang.core.gradient.names import NameSource, substituted
from tolang.core.gradient.normal import simplified, without_calls
from tolang.core.gradient.reverse import Reverse
from tolang.core.types import Type
from tolang.ground.system.recursion import room_to_nest


@room_to_nest()
def gradient_of(value: Expr, by: Variable, names: NameSource) -> Expr:
    """The derivatives of a numeric by each element of what a name stands for."""
    reverse = Reverse(names, {by.name})
    reverse.spread(simplified(without_calls(value, names), names), (number(1),))
    found = cotangent_of(reverse, by.name, by.type)
    return simplified(decided(simplified(substituted(with_bindings(reverse, found), names), names)), names)


def cotangent_of(adjoint: Adjoint, name: str, kind: Type) -> Expr:
    """The cotangent of a name as one ToL, zeros where nothing depends on it."""
    parts: list[Expr] = []
    for column, own in zip(kind.columns, adjoint.collected(name, kind), strict=True):
        if is_real(column):
            goal = cotangent_column(column)
            parts.append(zeros(kind.shape, goal) if own is None else settled(own, goal))
    return embedded([adjoint.scope.bind(f"d_{name.split('.')[0]}", part) for part in parts])


def with_bindings(adjoint: Adjoint, result: Expr) -> Expr:
    """An expression inside all that was bound on the way to it."""
    for frame in reversed(_with_histories_first(adjoint)):
        if isinstance(frame, BindingFrame):
            result = Let(frame.names, frame.value, result, frame.lengths, type=result.type)
        elif isinstance(frame, RequirementFrame):
            result = Require(frame.condition, frame.message, result, type=result.type)
    return result


def _with_histories_first(adjoint: Adjoint) -> list[Frame]:
    """All frames, in which a fold whose states are kept is not computed twice: it gives the last of its history."""
    frames = list(adjoint.scope.frames)
    for name, (history, last) in adjoint.ends.items():
        places = {
            bound: n for n, frame in enumerate(frames) if isinstance(frame, BindingFrame) for bound in frame.names
        }
        place, later = places.get(name), places.get(history.name)
        if place is None or later is None or later < place:
            continue
        fold = frames[place]
        if isinstance(fold, BindingFrame) and fold.value.type == last.type:
            frames[place : place + 1] = [frames.pop(later), BindingFrame(fold.names, last)]
    return frames
