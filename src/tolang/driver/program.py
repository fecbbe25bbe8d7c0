"""A program as users hold it: compiled from source, called with data."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tolang.check.programs import Argument, Checker, Signature, check_function, check_program
from tolang.core.core import Input, Output
from tolang.core.core import Program as CoreProgram
from tolang.core.types import Type
from tolang.driver.binding import bind_sizes, usage
from tolang.ground.diagnostics import Diagnostic, Source, ToLangUsageError
from tolang.ground.sizes import Size
from tolang.ground.spaces import Column
from tolang.ground.values import ToL
from tolang.readings.interpret import interpret
from tolang.syntax import tree
from tolang.syntax.parser import parse, parse_expression

ENGINES = ("interpret",)
ColumnsOfInputs = tuple[tuple[str, tuple[Column, ...]], ...]


class Program:
    """A checked ToLang program.

    Call it with its inputs, by position or by name.  One exported value is returned itself (a NumPy array or
    number for capacity 1, a `ToL` otherwise), several as a dictionary by name.  Exported functions are attributes.
    """

    def __init__(self, source: Source, engine: str = "interpret", strict: bool = False) -> None:
        if engine not in ENGINES:
            raise usage("E601", f"there is no engine {engine!r}", expected=", ".join(ENGINES))
        self.source, self.engine, self.strict = source, engine, strict
        self._module = parse(source)
        self._cores: dict[Any, CoreProgram] = {}
        self._signature: Signature = Checker(self._module).signature()
        self.core = check_program(self._module)
        self._cores[self._default_columns()] = self.core

    def _default_columns(self) -> ColumnsOfInputs:
        return tuple((i.name, i.type.columns) for i in self.core.inputs)

    @property
    def inputs(self) -> dict[str, Type]:
        """Declared inputs by name, in order, with their types."""
        return {i.name: i.type for i in self._signature.inputs}

    @property
    def outputs(self) -> dict[str, Type]:
        """Exported values by name, with their types; a bundle is listed by its first part."""
        return {o.name: o.type for o in self.core.outputs}

    @property
    def functions(self) -> tuple[str, ...]:
        """Names of the exported functions."""
        return self._signature.functions

    def __call__(self, *arguments: Any, seed: int = 0, **named: Any) -> Any:
        if not self._signature.values:
            known = ", ".join(self.functions)
            raise usage(
                "E602",
                "the program exports no value",
                fix=f"call one of its functions: {known}" if known else "export one with :=",
            )
        data, sizes = self._sorted_arguments(arguments, named)
        inputs = {i.name: _fitted(i, data[i.name]) for i in self._signature.inputs}
        core = self._core_for(inputs)
        results = self._run(core, inputs, bind_sizes(core, inputs, sizes), seed)
        return _returned(core.outputs, results)

    def _sorted_arguments(
        self, arguments: Sequence[Any], named: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, int]]:
        """Data by input name, and sizes by name."""
        names = [i.name for i in self._signature.inputs]
        if len(arguments) > len(names):
            raise usage(
                "E603", f"the program takes {len(names)} input(s)", found=str(len(arguments)), expected=", ".join(names)
            )
        data = dict(zip(names, arguments, strict=False))
        sizes: dict[str, int] = {}
        for name, value in ((tolang_name(n), v) for n, v in named.items()):
            if name in data:
                raise usage("E603", f"the input {name} is given twice")
            if name in names:
                data[name] = value
            elif name in self.core.sizes:
                sizes[name] = int(value)
            else:
                raise usage(
                    "E603",
                    f"the program has no input {name}",
                    expected=", ".join([*names, *self.core.sizes]) or "no inputs",
                )
        missing = [n for n in names if n not in data]
        if missing:
            raise usage("E603", f"the input {missing[0]} is missing", expected=", ".join(names))
        return data, sizes

    def _core_for(self, inputs: Mapping[str, ToL]) -> CoreProgram:
        """The core for the storages of the data: computing on f32 stays f32."""
        key: ColumnsOfInputs = tuple((i.name, inputs[i.name].spaces) for i in self._signature.inputs)
        if key not in self._cores:
            self._cores[key] = check_program(self._module, dict(key))
        return self._cores[key]

    def _run(self, core: CoreProgram, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int) -> list[ToL]:
        return interpret(core, inputs, sizes, seed, self.strict)

    def __getattr__(self, name: str) -> Any:
        signature = self.__dict__.get("_signature")
        if signature is None or name.startswith("_"):
            raise AttributeError(name)
        if name not in signature.functions:
            known = ", ".join(signature.functions) or "none"
            raise AttributeError(f"the program exports no function {name}; exported functions: {known}")
        return Exported(self, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.functions]

    def __repr__(self) -> str:
        takes = ", ".join(f"{n}: {t}" for n, t in self.inputs.items())
        gives = ", ".join([*(f"{n}: {t}" for n, t in self.outputs.items()), *(f"{f}(…)" for f in self.functions)])
        return f"<tolang.Program {self.source.name} ({takes}) -> {gives}>"


class Exported:
    """An exported function, callable with data.

    NumPy arrays, floats and nested lists of floats are data; whole numbers, truth values, text and lists or tuples of
    whole numbers are known while checking, as literals in the source are.
    """

    def __init__(self, program: Program, name: str) -> None:
        self.program, self.name = program, name
        self.__name__ = name
        definition = next(s for s in program._module.statements if isinstance(s, tree.Definition) and s.id == name)
        parameters = definition.parameters or ()
        kinds = inspect.Parameter
        self.__signature__ = inspect.Signature(
            [
                kinds(python_name(p.id), kinds.POSITIONAL_OR_KEYWORD, default=kinds.empty if p.default is None else ...)
                for p in parameters
            ]
        )
        self.parameters = tuple(p.id for p in parameters)

    def __call__(self, *arguments: Any, seed: int = 0, **named: Any) -> Any:
        program = self.program
        named = {tolang_name(n): a for n, a in named.items()}
        if len(arguments) > len(self.parameters):
            raise usage("E603", f"{self.name} takes {len(self.parameters)} argument(s)", found=str(len(arguments)))
        captured = {n: named.pop(n) for n in list(named) if n in program.inputs and n not in self.parameters}
        data: dict[str, ToL] = {}
        kinds = [self._kind(n, a, data) for n, a in zip(self.parameters, arguments, strict=False)]
        keywords = {n: self._kind(n, a, data) for n, a in named.items()}
        for one in program._signature.inputs:
            if one.name in captured:
                data[one.name] = _fitted(one, captured[one.name])
        columns = {n: data[n].spaces for n in captured}
        key = (self.name, tuple(kinds), tuple(sorted(keywords.items(), key=lambda kv: kv[0])), tuple(columns.items()))
        if key not in program._cores:
            program._cores[key] = check_function(program._module, self.name, kinds, keywords, columns)
        core = self._with_inputs(program._cores[key], data)
        results = program._run(core, data, bind_sizes(core, data, {}), seed)
        return _returned(core.outputs, results)

    def _kind(self, name: str, argument: Any, data: dict[str, ToL]) -> Argument:
        """The constant, or the type of the data, that the checker sees."""
        if isinstance(argument, bool | int | str) and not isinstance(argument, np.generic):
            return argument
        if isinstance(argument, tuple | list) and all(type(v) is int for v in argument) and len(argument) <= 64:
            return tuple(argument)
        value = ToL.of(argument)
        inner = f"{name}'" if name in self.program.inputs else name
        data[inner] = value
        sizes = tuple(
            Size.of(f"{name}{axis}") if length != 1 else Size.of(1) for axis, length in enumerate(value.shape, 1)
        )
        return Type(sizes, value.spaces)

    def _with_inputs(self, core: CoreProgram, data: Mapping[str, ToL]) -> CoreProgram:
        from dataclasses import replace

        from tolang.core.tidy import own_names

        kept = tuple(i for i in core.inputs if i.name in data)
        absent = {i.name for i in core.inputs} - {i.name for i in kept}
        used = _all_names(core.body, own_names)
        if absent & used:
            name = sorted(absent & used)[0]
            raise usage("E603", f"{self.name} reads the program's input {name}", fix=f"pass it by name: {name}=…")
        sizes = tuple(
            s for s in core.sizes if s in used or any(s in length.names() for i in kept for length in i.type.shape)
        )
        return replace(core, inputs=kept, sizes=sizes)


def _all_names(expr: Any, own: Any) -> set[str]:
    found: set[str] = set()
    pending = [expr]
    while pending:
        current = pending.pop()
        found |= own(current)
        pending.extend(current.children())
    return found


def python_name(name: str) -> str:
    """A name of the program as Python can write it: `in` is a word of Python's own, so it is called `in_`."""
    return f"{name}_" if keyword.iskeyword(name) else name


def tolang_name(name: str) -> str:
    """The program's name for what Python calls by `python_name`."""
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def _fitted(one: Input, value: Any) -> ToL:
    return ToL.of(value, one.type.columns, one.name)


def _returned(outputs: tuple[Output, ...], results: list[ToL]) -> Any:
    """Results as the caller wants them: one alone, several by name; bundles as tuples."""
    named: dict[str, Any] = {}
    position = 0
    while position < len(outputs):
        group = outputs[position].group
        values = [plain(r) for r in results[position : position + max(group, 1)]]
        named[outputs[position].name] = tuple(values) if group else values[0]
        position += max(group, 1)
    return next(iter(named.values())) if len(named) == 1 else named


def plain(value: ToL) -> Any:
    """A ToL of capacity 1 as a NumPy array, or as a number where it has no dimensions."""
    if value.capacity > 1:
        return value if value.shape else value.item()
    if value.shape:
        return value.columns[0]
    only = value.columns[0]
    return only[()]


def compile(source: str | Path, engine: str = "interpret", strict: bool = False) -> Program:
    """A program from ToLang source, or from the path of a `.tol` file."""
    return Program(read_source(source), engine, strict)


def read_source(source: str | Path) -> Source:
    """Source text as it is; a `Path`, or text that is one word ending in .tol, names a file."""
    text = str(source)
    if isinstance(source, Path) or (text.endswith(".tol") and "\n" not in text and "=" not in text):
        path = Path(source)
        try:
            return Source(str(path), path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise ToLangUsageError(Diagnostic("E604", f"cannot read {path}: {reason}")) from None
    return Source("<source>", text)


def evaluate(expression: str, seed: int = 0) -> Any:
    """The value of one ToLang expression, as Python data: `evaluate("reduce([1,2,3,4,5],add,0)")` is 15."""
    source = Source("<expression>", expression)
    node = parse_expression(source)
    definition = tree.Definition(node.span, "result", node.span, None, node, exported=True)
    core = check_program(tree.Module(node.span, (definition,)))
    results = interpret(core, {}, {}, seed)
    values = [r.to_list() for r in results]
    return tuple(values) if core.outputs[0].group else values[0]
