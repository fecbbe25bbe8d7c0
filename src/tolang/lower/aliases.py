"""Values that have several names: a definition gives what it has stored, and whoever calls it names that again.

y = f(x), where f(x) = { z = exp(x); z }      stores z, under the name of y, and nothing else
"""

from __future__ import annotations

from tolang.core.core import Call, Expr, Let, Require, Variable
from tolang.core.types import Type
from tolang.ground.symbolic.sizes import Size
from tolang.lower.environment import Environment, Stored, Virtual
from tolang.plan.nest import Buffer, Step
from tolang.plan.uses import allocations


def name_inside(expr: Expr) -> str | None:
    """The name that bindings around an expression give its value, where it is one of theirs."""
    bound, same = set[str](), dict[str, str]()
    while isinstance(expr, Let | Require | Call):
        given: tuple[tuple[str, Expr], ...] = ()
        match expr:
            case Let(names=names, value=value):
                bound.update(names)
                given = ((names[0], value),)
            case Call(arguments=arguments):
                given = arguments
        same |= {name: same.get(one.name, one.name) for name, one in given if isinstance(one, Variable)}
        expr = expr.body
    name = same.get(expr.name, expr.name) if isinstance(expr, Variable) else ""
    return name if name in bound else None


def made_by(steps: list[Step], value: Expr, shape: tuple[Size, ...], env: Environment) -> Stored | None:
    """Where a name's value is, if some steps have filled buffers of its own with it, all of them; else None."""
    found = env.values.get(value.name) if isinstance(value, Variable) else None
    while isinstance(found, Virtual) and isinstance(found.expr, Variable):
        found = found.environment.values.get(found.expr.name)
    if not isinstance(found, Stored) or found.prefix or found.shape != shape:
        return None
    made = allocations(steps)
    alike = tuple(buffer.column for buffer in found.buffers) == value.type.columns
    whole = all(buffer.shape == shape and buffer.name in made for buffer in found.buffers)
    return found if alike and whole else None


def ready(part: Expr, kind: Type, env: Environment, taken: set[str]) -> tuple[Buffer, ...] | None:
    """The buffers that hold an output already, where they hold nothing else and belong to no other output."""
    value = env.values.get(part.name) if isinstance(part, Variable) else None
    if not isinstance(value, Stored) or value.prefix or any(b.role != "scratch" for b in value.buffers):
        return None
    same = all(
        b.shape == value.shape and b.column.storage == c.storage
        for b, c in zip(value.buffers, kind.columns, strict=True)
    )
    if not same or value.buffers[0].name in taken:
        return None
    taken.add(value.buffers[0].name)
    return value.buffers
