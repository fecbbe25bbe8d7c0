"""Costs of programs and calls by the shapes of their arguments, and programs refused by what they would cost."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from tolang.core.core import Core
from tolang.core.types import Type
from tolang.data.binding import NO_NAMES, bind_shapes, whole_size
from tolang.ground.reporting.diagnostics import ToLangRunError, usage
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.system.memory import bytes_text
from tolang.ground.values.spaces import Column, column
from tolang.ground.values.values import ToL
from tolang.program.amounts import Amount, count_text
from tolang.program.cost import Cost
from tolang.readings.cost.formula import AtMost

if TYPE_CHECKING:
    from tolang.check.programs import Argument


def cost_of_program(
    core: Core,
    named: Mapping[str, Any],
    title: str | None = None,
    shapes: tuple[Any, ...] = (),
    make: Callable[[Core, str | None, Mapping[str, int]], Cost] = Cost,
    told: Mapping[str, str] = NO_NAMES,
) -> Cost:
    """The cost of a program, at sizes and shapes given by name; shapes may stand in the order of the inputs, too.

    `told` are the names of inputs and sizes in messages, where they are others than the program's.
    """
    inputs = {one.name: one.type for one in core.inputs}
    if len(shapes) > len(inputs):
        raise usage("E603", f"the program takes {len(inputs)} input(s)", found=f"{len(shapes)} by position")
    given = dict(zip(inputs, shapes, strict=False))
    for name, value in named.items():
        if name in given:
            raise usage("E603", f"the input {name} is given twice, by position and by name")
        given[name] = value
    sizes: dict[str, int] = {}
    shaped: dict[str, tuple[int, ...]] = {}
    for name, value in given.items():
        shown = told.get(name, name)
        shape = (
            shape_of(shown, value) if name in inputs and not (inputs[name].is_numeric and _is_whole(value)) else None
        )
        if shape is None and name in inputs:
            sizes[name] = operator.index(value)
        elif shape is None:
            sizes[name] = whole_size(shown, value)
        else:
            shaped[name] = shape
    return make(core, title, bind_shapes(core, shaped, sizes, told))


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) or hasattr(value, "__index__")


def shape_of(name: str, value: Any) -> tuple[int, ...]:
    """A shape: a tuple or list of lengths, or the shape of data."""
    shape = getattr(value, "shape", value)
    if isinstance(shape, int):
        shape = (shape,)
    if not isinstance(shape, tuple | list):
        raise usage("E605", f"the shape of {name} is not a shape", found=repr(value), expected="lengths, as (512,256)")
    return tuple(whole_size(name, length) for length in shape)


def cost_of_function(
    title: str, check: Callable[[dict[str, Argument]], Core], own: Mapping[str, Any], around: Mapping[str, Any]
) -> Cost:
    """The cost of one call of an exported function, by the shapes of its arguments; `check` gives its core for them."""
    lengths: dict[str, int] = {}
    core = check({name: _argument(name, value, lengths) for name, value in own.items()})
    inputs = {one.name: one.type for one in core.inputs}
    shaped = {name: shape_of(name, value) for name, value in around.items() if name in inputs}
    sizes = {name: whole_size(name, value) for name, value in around.items() if name not in inputs}
    return Cost(core, title, bind_shapes(core, shaped, {**sizes, **lengths}))


def _argument(name: str, value: Any, lengths: dict[str, int]) -> Argument:
    """An argument as the checker sees it: a constant, or a type with sizes of its own, whose values are put aside."""
    if isinstance(value, list) and all(type(one) is int for one in value):
        return tuple(value)
    if isinstance(value, bool | int | str) and not isinstance(value, np.generic):
        return value
    shape: tuple[Any, ...] = value if isinstance(value, tuple) else ()
    columns: tuple[Column, ...] = (column("R"),)
    if not isinstance(value, tuple):
        data = ToL.of(value, name=name)
        shape, columns = data.shape, data.spaces
    sizes: list[Size] = []
    for axis, length in enumerate(shape, 1):
        if isinstance(length, str):
            sizes.append(Size.of(length))
        elif whole_size(name, length) == 1:
            sizes.append(ONE)
        else:
            sizes.append(Size.of(f"|{name}|[{axis}]"))
            lengths[f"|{name}|[{axis}]"] = int(length)
    return Type(tuple(sizes), columns)


def check_limits(
    core: Core,
    sizes: Mapping[str, int],
    max_eops: int | None = None,
    max_memory: int | None = None,
    inputs: Mapping[str, ToL] | None = None,
) -> int | None:
    """Refuses a program that would cost more than allowed, and says by how much; nothing has run yet.

    Lengths that only running tells count at their greatest value.  Where nothing bounds the memory before, the result
    is how much the run is allowed, which is then held against whatever it takes.
    """
    cost = Cost(core, None, {**sizes, **_whole_numerics(core, inputs or {})})
    _refuse("EOPs", cost.eops if max_eops is not None else 0, max_eops, count_text, "--max-eops")
    memory = cost.memory if max_memory is not None else 0
    if not isinstance(memory, int):
        return max_memory
    _refuse("memory", memory, max_memory, bytes_text, "--max-memory")
    return None


def _refuse(what: str, found: Amount, limit: int | None, text: Callable[[int], str], option: str) -> None:
    if limit is None or (isinstance(found, int) and found <= limit):
        return
    allowed = f"at most {text(limit)}"
    if not isinstance(found, int):
        raise usage("E611", f"nothing bounds the program's {what} before it runs", found=str(found), expected=allowed)
    times = f", {found / limit:.3g} times the limit" if limit else ""
    needs = "may need up to" if isinstance(found, AtMost) else "needs"
    number = int(found)
    message = f"the program {needs} {text(number)}, {text(number - limit)} more than allowed"
    fix = f"raise {option}, or run it on less data"
    raise usage("E611", message, found=f"{text(number)}{times}", expected=allowed, fix=fix)


def _whole_numerics(core: Core, inputs: Mapping[str, ToL]) -> dict[str, int]:
    """The numerics among the inputs that may be used as lengths."""
    whole = [one for one in core.inputs if one.type.is_numeric and one.type.column.space.family in ("B", "Z")]
    return {one.name: int(inputs[one.name].item()) for one in whole if one.name in inputs}


def eops_at(core: Core, sizes: Mapping[str, int], inputs: Mapping[str, ToL]) -> int | None:
    """The EOPs of a program on some data, at most; None where nothing bounds them before it runs."""
    known = {name: value for name, value in sizes.items() if name in core.sizes}
    cost = Cost(core, None, {**known, **_whole_numerics(core, inputs)})
    try:
        found = cost.unrefused_eops
    except ToLangRunError:  # a length that has no value: such a program ends early
        return None
    return found if isinstance(found, int) else None
