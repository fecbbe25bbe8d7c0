"""Exported functions of a program, called from outside."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tolang.core.core import Core, Input
from tolang.core.types import Type
from tolang.data.binding import (
    Job,
    bind_sizes,
    held,
    interface,
    python_name,
    restricted,
    spaces_of,
    tolang_names,
    whole_size,
)
from tolang.data.results import returned
from tolang.ground.reporting.diagnostics import Source, usage
from tolang.ground.reporting.escaping import line
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.libraries import same_library
from tolang.ground.values.values import ToL
from tolang.program.short_calls import ShortCalls
from tolang.syntax import tree

if TYPE_CHECKING:
    from tolang.check.programs import Argument
    from tolang.program.cost import Cost
    from tolang.program.runner import Runner

LONGEST_STATIC = 64
"""A list of more whole numbers than this is data; a shorter one may be coordinates, a shape or an order of axes."""


class Exporting(Protocol):
    """What an exported function needs of its program."""

    runner: Runner

    @property
    def source(self) -> Source: ...
    @property
    def core(self) -> Core: ...
    @property
    def module(self) -> tree.SyntaxModule: ...
    @property
    def inputs(self) -> Mapping[str, Type]: ...
    @property
    def fixed(self) -> Mapping[str, ToL]: ...
    @property
    def sizes(self) -> tuple[str, ...]: ...
    @property
    def declared_inputs(self) -> tuple[Input, ...]: ...
    def remembered(self, key: tuple[Any, ...], make: Callable[[], Core]) -> Core: ...
    def values(self, job: Job, seed: int = 0) -> list[ToL]: ...
    def function(self, name: str) -> Exported: ...


class Exported:
    """An exported function, callable with data.

    NumPy arrays, floats and nested lists of floats are data; whole numbers, truth values, text and lists or tuples of
    whole numbers are known while checking, as literals in the source are.  Inputs and sizes of the program that the
    function reads are given by name.
    """

    def __init__(self, program: Exporting, definition: tree.Definition) -> None:
        self.program = program
        self.name = self.__name__ = definition.id
        parameters = definition.parameters or ()
        self.parameters = tuple(one.id for one in parameters)
        self.required = tuple(one.id for one in parameters if one.default is None)
        self.__signature__ = inspect.Signature([_signature(one) for one in parameters])
        self._short = ShortCalls()

    def __call__(self, *arguments: Any, seed: int = 0, **named: Any) -> Any:
        found = self._short.with_arguments(arguments) if not named and seed == 0 else None
        return self._at_length(*arguments, seed=seed, **named) if found is None else found

    @same_library
    def _at_length(self, *arguments: Any, seed: int = 0, **named: Any) -> Any:
        job = self.job(arguments, tolang_names(named))
        values = self.program.values(job, seed)
        if not named and seed == 0 and self._repeats(job, arguments):
            self._short.note(arguments, lambda: self.program.runner.called_again(job, arguments))
        return returned(job.core.outputs, values)

    @staticmethod
    def _repeats(job: Job, arguments: Sequence[Any]) -> bool:
        """Whether the arguments are arrays that code gets as they are, and it gives back one."""
        columns = [column for value in job.inputs.values() for column in value.columns]
        plain = len(columns) == len(arguments) and len(job.core.outputs) == 1 and not job.core.outputs[0].group
        return plain and all(
            type(one) is np.ndarray
            and one.dtype is column.dtype
            and one.dtype.kind in "biuf"
            and one.shape == column.shape
            for one, column in zip(arguments, columns, strict=True)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy is the function of a copy of the program."""
        return _function_of, (self.program, self.name)

    def __repr__(self) -> str:
        return f"<tolang function {self.name}({', '.join(self.parameters)}) of {line(self.program.source.name)}>"

    def cost(self, *arguments: Any, **named: Any) -> Cost:
        """What one call costs, by the shapes of its arguments: `f.cost((512,"n"), axis=2)`.

        A tuple is the shape of data, with whole numbers for lengths, or names for lengths left open; `()` is a numeric.
        Whole numbers, truth values and text, and lists of whole numbers, are constants; data stands for its shape.
        """
        from tolang.program.costing import cost_of_function

        own, captured, sizes = self._sorted(arguments, tolang_names(named))
        title = f"{self.name}({','.join(self.parameters)})"
        return cost_of_function(title, self._core_for, own, {**captured, **sizes})

    def _core_for(self, kinds: dict[str, Argument]) -> Core:
        """The function's core for arguments of some kinds."""
        from tolang.check.programs import check_function

        key = ("cost", self.name, tuple((name, type(kind), kind) for name, kind in kinds.items()))
        return self.program.remembered(key, lambda: check_function(self.program.module, self.name, (), kinds))

    def job(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> Job:
        """The function's core for these arguments, and the data it runs on."""
        from tolang.check.programs import check_function

        own, captured, sizes = self._sorted(arguments, named)
        data: dict[str, ToL] = {}
        static = {name: self._kind(name, value, data) for name, value in own.items()}
        for one in self.program.declared_inputs:
            if one.name in captured:
                data[one.name] = ToL.of(held(captured[one.name], one.name, one.type), one.type.columns, one.name)
        declared = self.program.declared_inputs
        columns = {name: spaces_of(value, data[name], declared) for name, value in captured.items()}
        kinds = tuple((name, type(value), value) for name, value in static.items())
        key = (self.name, kinds, tuple(columns.items()))
        program = self.program
        core = program.remembered(
            key, lambda: self._with_inputs(check_function(program.module, self.name, (), static, columns), data)
        )
        return Job(core, data, bind_sizes(core, data, {name: sizes[name] for name in core.sizes if name in sizes}))

    def _sorted(
        self, arguments: Sequence[Any], named: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any], dict[str, int]]:
        """The function's own arguments by name, inputs of the program that come along, and sizes."""
        wanted = f"{self.name}({', '.join(self.parameters)})"
        if len(arguments) > len(self.parameters):
            message = f"{self.name} takes {len(self.parameters)} argument(s)"
            raise usage("E603", message, found=f"{len(arguments)} by position", expected=wanted)
        own = dict(zip(self.parameters, arguments, strict=False))
        captured: dict[str, Any] = dict(self.program.fixed)
        sizes: dict[str, int] = {}
        for name, value in named.items():
            if name in own:
                raise usage("E603", f"the argument {name} of {self.name} is given twice", expected=wanted)
            if name in self.parameters:
                own[name] = value
            elif name in self.program.inputs:
                captured[name] = value
            elif name in self.program.sizes:
                sizes[name] = whole_size(name, value)
            else:
                raise usage("E603", f"{self.name} has no parameter {name}", expected=wanted)
        missing = [name for name in self.required if name not in own]
        if missing:
            raise usage("E603", f"{self.name} needs the argument {missing[0]}", expected=wanted)
        return own, captured, sizes

    def _kind(self, name: str, argument: Any, data: dict[str, ToL]) -> Argument:
        """The constant, or the type of the data, that the checker sees; data is put aside under its inner name."""
        if isinstance(argument, bool | int | str) and not isinstance(argument, np.generic):
            return argument
        if isinstance(argument, tuple | list) and len(argument) <= LONGEST_STATIC:
            whole = tuple(value for value in argument if type(value) is int)
            if len(whole) == len(argument):
                return whole
        value = ToL.of(held(argument, name), name=name)
        data[f"{name}'" if name in self.program.inputs else name] = value
        lengths = [ONE if length == 1 else Size.of(f"|{name}|[{axis}]") for axis, length in enumerate(value.shape, 1)]
        return Type(tuple(lengths), spaces_of(argument, value, self.program.declared_inputs))

    def _with_inputs(self, core: Core, data: Mapping[str, ToL]) -> Core:
        """The core without inputs that the function does not read; one that it reads must be there."""
        kept, missing = restricted(core, data)
        if missing:
            one = missing[0]
            wanted = interface({one.name: one.type}, ())
            fix = f"pass it by name: {one.name}=…"
            raise usage("E603", f"{self.name} reads the program's input {one.name}", expected=wanted, fix=fix)
        return kept


def _function_of(program: Exporting, name: str) -> Exported:
    return program.function(name)


def _signature(parameter: tree.Parameter) -> inspect.Parameter:
    """A parameter as Python's help shows it; the value of a default is an expression of ToLang, shown as `...`."""
    default = inspect.Parameter.empty if parameter.default is None else ...
    return inspect.Parameter(python_name(parameter.id), inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)
