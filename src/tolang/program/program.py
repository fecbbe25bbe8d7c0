"""A program as users hold it: compiled from source, called with data."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tolang.core.core import Core, Input, Output
from tolang.core.length_names import in_words, shown_lengths
from tolang.core.types import Type, bundle_type
from tolang.data.binding import (
    Job,
    bind_sizes,
    held,
    interface,
    sort_arguments,
    spaces_of,
    tolang_names,
    whole_seed,
    whole_threads,
)
from tolang.data.results import Result, Returned, named_results, returned
from tolang.engines import registry
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import Source, usage
from tolang.ground.reporting.escaping import line
from tolang.ground.system.own_modules import module_texts
from tolang.ground.values.libraries import called_in, library_among
from tolang.ground.values.markup import heading, table
from tolang.ground.values.membership import fitting
from tolang.ground.values.spaces import Column, storage_of
from tolang.ground.values.values import ToL
from tolang.program.copying import restore, state_of
from tolang.program.fast_binding import Kinds, Quick, are_arrays, kinds_of, quick_plan
from tolang.program.presenting import ForUsers, OwnHelp, OwnSignature
from tolang.program.runner import DEFAULT_ENGINE, Runner, engine_names
from tolang.program.short_calls import HeldAgainst, InOrder, ShortCalls
from tolang.program.sources import read_source
from tolang.store.programs import CheckedProgram, remember

if TYPE_CHECKING:
    from distributed import Client

    from tolang.check.programs import Checker
    from tolang.engines.contract import InPieces, Keep, RepeatedCalls
    from tolang.ground.reporting.progress import Progress
    from tolang.program.checkpoints import Checkpoints
    from tolang.program.cost import Cost
    from tolang.program.derivation import Derivation
    from tolang.program.explanation import Explanation
    from tolang.program.exported import Exported
    from tolang.program.short_calls import Code
    from tolang.syntax import tree


class Program(metaclass=ForUsers):
    __doc__ = OwnHelp(  # a text of the class, and one of each program for `help`
        """A checked ToLang program.

        Call it with its inputs, by position or by name.  One exported value is returned itself (a NumPy array or
        number for capacity 1, a `ToL` otherwise), several as a dictionary by name; arrays of another library give
        arrays of that library.  Exported functions are attributes.
        """
    )
    __signature__ = OwnSignature()
    for_users = (
        "batched", "core", "cost", "engine", "explain", "fallbacks", "fix", "function", "functions", "gradient",
        "inputs", "on", "outputs", "pullback", "save", "sizes", "source", "strict", "tangent", "within",
    )  # fmt: skip

    def __init__(
        self,
        source: Source,
        engine: str = DEFAULT_ENGINE,
        strict: bool = False,
        fallback: bool = True,
        threads: int | None = None,
        module: tree.SyntaxModule | None = None,
        derivations: tuple[Derivation, ...] = (),
    ) -> None:
        """A program from its text; with a tree given, the tree is the program, and the text tells it from others.

        `derivations` are done on what the text says, one after the other.
        """
        if module is not None:
            self.module = module
        if engine not in engine_names():
            raise usage("E601", f"there is no engine {engine!r}", expected=", ".join(engine_names()))
        self.source, self.engine, self.strict = source, engine, strict
        self.runner = Runner(engine, strict, fallback, whole_threads(threads))
        self.derivations = derivations
        identity = *self._identity, "program"
        self._checked = remember(identity, CheckedProgram, self._check)
        self.runner.identify(self.core, identity)
        columns = tuple((one.name, one.type.columns) for one in self.core.inputs)
        self._cores: dict[Hashable, Core] = {columns: self.core}
        self.weights: Mapping[str, ToL] = {}
        self.fixed: Mapping[str, ToL] = {}
        self.fixed_columns: Mapping[str, tuple[Column, ...]] = {}
        self._forget_calls()

    def _forget_calls(self) -> None:
        """Lets go of all that calls have left for those that follow."""
        self._quick: dict[Kinds, Quick] = {}
        self._tried: set[tuple[int, Kinds]] = set()
        self._short = ShortCalls()
        self._exported: dict[str, Exported] = {}
        self._outputs: tuple[Output, ...] = ()
        self._gives: tuple[str, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        return state_of(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        restore(self, state)

    @cached_property
    def module(self) -> tree.SyntaxModule:
        """The program's syntax tree."""
        from tolang.syntax.parser import parse

        return parse(self.source)

    @property
    def _identity(self) -> tuple[str, ...]:
        """What tells this program from others."""
        used = module_texts([self.source])
        return self.source.name, self.source.text, *used, *(repr(one) for one in self.derivations)

    def _checker(self) -> Checker:
        """What checks the program."""
        from tolang.check.programs import Checker

        return Checker(self.module)

    def _check(self) -> CheckedProgram:
        from tolang.check.programs import check_program

        checker = self._checker()
        signature = checker.signature()
        core = check_program(self.module, checker=checker)
        if not self.derivations:
            return CheckedProgram(signature.inputs, signature.values, signature.functions, core)
        core = self._derived_core(core)
        declared = {one.name: one.type for one in signature.inputs}
        inputs = (replace(one, type=declared.get(one.name, one.type).with_shape(one.type.shape)) for one in core.inputs)
        return CheckedProgram(tuple(inputs), tuple(one.name for one in core.outputs), (), core)

    def _derived_core(self, core: Core, columns: Mapping[str, tuple[Column, ...]] | None = None) -> Core:
        for one in self.derivations:
            core = one.applied(core, columns)
        return core

    @property
    def core(self) -> Core:
        """The checked core, for data in the storages that the declarations give."""
        return self._checked.core

    @property
    def declared_inputs(self) -> tuple[Input, ...]:
        """Declared inputs, in order, as the checker knows them."""
        return self._checked.inputs

    @property
    def inputs(self) -> dict[str, Type]:
        """Declared inputs by name, in order, with their types; without those that are fixed."""
        return {one.name: one.type for one in self._checked.inputs if one.name not in self.fixed}

    @property
    def sizes(self) -> tuple[str, ...]:
        """Names of the size variables, which the data binds, or the caller by name."""
        return self.core.sizes

    @property
    def outputs(self) -> dict[str, Type]:
        """Exported values by name, with their types; a bundle has the types of its parts."""
        parts: dict[str, list[Type]] = {}
        lengths = shown_lengths(self.core)
        for one in self.core.outputs:
            parts.setdefault(one.name, []).append(in_words(one.type, lengths))
        grouped = {one.name for one in self.core.outputs if one.group}
        return {name: bundle_type(types) if name in grouped else types[0] for name, types in parts.items()}

    @property
    def functions(self) -> tuple[str, ...]:
        """Names of the exported functions."""
        return self._checked.functions

    def __call__(self, *arguments: Any, seed: int = 0, **named: Any) -> Returned:
        if named:
            arguments, named = self._order(arguments, named)
        if not named and seed == 0:
            found = self._short.with_arguments(arguments)
            if found is not None:
                kind = type(found)
                if kind is tuple:
                    found = dict(zip(self._gives, found, strict=True))
                again: Returned = found if kind is not list else returned(self._outputs, found)
                return again
        by_position = not named and bool(self._checked.values)
        job = self.quick_job(arguments) if by_position else None
        if job is not None:
            values = self.values(job, seed)
            self._remember(job, arguments)
            return returned(job.core.outputs, values)
        library = library_among((*arguments, *named.values()))
        if library is not None:
            given: Returned = called_in(library, partial(self, seed=seed), arguments, named)
            return given
        job = self.job(arguments, tolang_names(named))
        kinds = kinds_of(arguments) if by_position else None
        if kinds is not None:
            self._planned(job.core, kinds)
        return returned(job.core.outputs, self.values(job, seed))

    @cached_property
    def _order(self) -> InOrder:
        return InOrder(tuple(self.inputs))

    def _remember(self, job: Job, arguments: Sequence[Any]) -> None:
        """Makes the third call with arguments of these types and shapes a short one."""
        self._short.note(arguments, lambda: self._shortened(job, arguments))

    def _shortened(self, job: Job, arguments: Sequence[Any]) -> Code | None:
        self._outputs, self._gives = job.core.outputs, tuple([one.name for one in job.core.outputs])
        asked = self._asked(job, arguments)
        code = None if asked is None else self.runner.called_again(job, arguments)
        return HeldAgainst(code.shortest, arguments, asked) if code is not None and asked else code

    def _asked(self, job: Job, arguments: Sequence[Any]) -> list[tuple[int, Column]] | None:
        """What is asked of values where a call is one of code and nothing else; None where it is not."""
        kinds = kinds_of(arguments)
        watched = () if kinds is None else self._quick[kinds].watched
        asked = [(place, one) for place, one in watched if isinstance(one, Column)]
        plain = kinds is not None and len(asked) == len(watched) and not any(one.group for one in job.core.outputs)
        return asked if plain else None

    def repeating(self, arrays: Sequence[Any]) -> RepeatedCalls | None:
        """What calls compiled code with data like these arrays and little else, after a call with such; or None."""
        job = self.quick_job(arrays)
        return None if job is None or self._asked(job, arrays) != [] else self.runner.repeated(job, arrays)

    def short_call(self, arrays: Sequence[Any]) -> RepeatedCalls | None:
        """What calls compiled code with data like these arrays and little else, once there were calls with such."""
        found = self._short.known(arrays)
        if found is None or isinstance(found, HeldAgainst) or found.threads is not None:
            return None  # what calls code directly would neither look at values nor set threads
        return found if found.takes(arrays) else None

    def quick_job(self, arguments: Sequence[Any]) -> Job | None:
        """The job of arrays that fit their declarations as they are, in order; None where they do not.

        What a number is beside arrays, the first call with such tells.
        """
        kinds = kinds_of(arguments)
        if kinds is None:
            return None
        own = not self.fixed and are_arrays(kinds)
        quick = self._quick.get(kinds) or (self._planned(self.core, kinds) if own else None)
        job = None if quick is None else quick.job(arguments, self.runner.left_in_records(quick.core))
        return job if job is None or self.checkpoints is None else self.checkpoints.job(job)

    @cached_property
    def checkpoints(self) -> Checkpoints | None:
        """What keeps fewer states in runs that would hold too much; None but for gradients that say nothing of that."""
        last = self.derivations[-1] if self.derivations and not self.weights else None
        if last is None or last.kind not in ("gradient", "pullback") or last.block is not None:
            return None
        from tolang.program.checkpoints import Checkpoints

        return Checkpoints(self)

    def _planned(self, core: Core, kinds: Kinds) -> Quick | None:
        """The plan for arrays of these kinds, made for each core once; None where it has none."""
        if (id(core), kinds) not in self._tried:
            self._tried.add((id(core), kinds))
            plan = quick_plan(
                core, [one.type.columns for one in self._checked.inputs], kinds, self.weights or self.fixed
            )
            if plan is not None:
                self._quick[kinds] = plan
        return self._quick.get(kinds)

    def job(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> Job:
        """The program's core for these inputs, and the data it runs on: everything that can fail before running."""
        self._refuse_nothing()
        data, sizes = sort_arguments(self.inputs, self.sizes, arguments, named)
        inputs = {name: ToL.of(held(data[name], name, kind), kind.columns, name) for name, kind in self.inputs.items()}
        columns = {name: spaces_of(data[name], value, self.declared_inputs) for name, value in inputs.items()}
        if self.fixed:
            order = [one.name for one in self._checked.inputs]
            inputs = {name: inputs[name] if name in inputs else self.fixed[name] for name in order}
            columns = {name: columns[name] if name in columns else self.fixed_columns[name] for name in order}
        core = self.core_in(tuple(columns.items()))
        if self.fixed and not self.runner.fixed_inputs(core):
            self.runner.fix(core, self.fixed)
        job = Job(core, inputs, bind_sizes(core, inputs, sizes))
        return job if self.checkpoints is None else self.checkpoints.job(job)

    def core_in(self, columns: tuple[tuple[str, tuple[Column, ...]], ...]) -> Core:
        """The program's core for inputs in these columns."""
        return self.remembered(columns, lambda: self._check_for(dict(columns)))

    def core_for(self, kinds: Mapping[str, np.dtype[Any]]) -> Core:
        """The program's core for arrays of these types, of which no values are known."""
        return self.core_in(
            tuple((name, (_held_as(kind.column, kinds.get(name)),)) for name, kind in self.inputs.items())
        )

    def _check_for(self, columns: Mapping[str, tuple[Column, ...]]) -> Core:
        from tolang.check.programs import Checker, check_program

        own = columns
        if self.derivations:
            cotangents = {one.name for one in self.core.inputs} - {
                one.name for one in Checker(self.module).signature().inputs
            }
            own = {name: kinds for name, kinds in columns.items() if name not in cotangents}
        return self._derived_core(check_program(self.module, own), columns)

    def _refuse_nothing(self) -> None:
        if not self._checked.values:
            known = ", ".join(self.functions)
            fix = f"call one of its functions: {known}" if known else "export one with :="
            raise usage("E602", "the program exports no value", fix=fix)

    def remembered(self, key: Hashable, check: Callable[[], Core]) -> Core:
        """The core for the storages of some data, checked when first needed: computing on f32 stays f32."""
        if key not in self._cores:
            identity = *self._identity, repr(key)
            self._cores[key] = remember(identity, Core, check)
            self.runner.identify(self._cores[key], identity)
        return self._cores[key]

    def run(self, job: Job, seed: int = 0) -> dict[str, Result]:
        """The results of a job by name, as ToLs, bundles as tuples of them."""
        return named_results(job.core.outputs, self.values(job, seed))

    def values(self, job: Job, seed: int = 0) -> list[ToL]:
        """The values of a job's outputs, one after the other."""
        return self.runner.run(job.core, job.inputs, job.sizes, whole_seed(seed, self._checked.inputs))

    def cost(self, *shapes: Any, **sizes: Any) -> Cost:
        """What the program costs: formulas of its sizes, exact numbers where they are given.

        Sizes are given by name (`n=512`), or by the shapes of inputs (`a=(512,256)`), or by data.
        """
        from tolang.program.cost import Cost
        from tolang.program.costing import cost_of_program

        self._refuse_nothing()
        made = Cost if self.checkpoints is None else self.checkpoints.cost
        return cost_of_program(self.core, tolang_names(sizes), shapes=shapes, make=made)

    def pullback(
        self,
        of: str | Iterable[str],
        by: str | Iterable[str],
        *,
        value: bool = False,
        names: Mapping[str, str] | None = None,
        checkpoints: str | int | None = None,
    ) -> Program:
        """The program that gives the cotangents of inputs, of those of outputs, which are further inputs of it.

        With `value` it gives the outputs too.  The cotangent of `y` is called `d_y`, unless `names` has another name.
        With `checkpoints`, folds keep their states only so many steps apart, and compute those between again: a number,
        or a name for it, which a call then may give, and the root of the number of steps otherwise.
        """
        from tolang.program.derivation import derivation

        return self._derived(derivation("pullback", self.core, of, by, names, value, checkpoints))

    def gradient(
        self,
        of: str | Iterable[str],
        by: str | Iterable[str],
        *,
        value: bool = False,
        names: Mapping[str, str] | None = None,
        checkpoints: str | int | None = None,
    ) -> Program:
        """The program that gives the derivatives of a numeric output by inputs, and with `value` the output too.

        The derivative by `w` is called `d_w`, unless `names` has another name for it.
        With `checkpoints`, folds keep their states only so many steps apart, and compute those between again: a number,
        or a name for it, which a call then may give, and the root of the number of steps otherwise.
        """
        from tolang.program.derivation import derivation

        return self._derived(derivation("gradient", self.core, of, by, names, value, checkpoints))

    def tangent(
        self, of: str | Iterable[str], by: str | Iterable[str], *, names: Mapping[str, str] | None = None
    ) -> Program:
        """The program that gives the derivatives of outputs along directions of inputs, which are further inputs.

        The direction of `x` is called `t_x`, and the derivative of `y` along it `t_y`, unless `names` has another name.
        """
        from tolang.program.derivation import derivation

        return self._derived(derivation("tangent", self.core, of, by, names))

    def batched(self, over: str | Iterable[str], *, size: str = "batch") -> Program:
        """The program for many inputs at once: those named, and all outputs, have a first dimension more."""
        from tolang.program.derivation import batch

        return self._derived(batch(self.core, over, size))

    def deriving(self, derivations: tuple[Derivation, ...]) -> Program:
        """The program of the same text with other derivations, run by the same engine."""
        own = self.runner
        made = Program(self.source, self.engine, self.strict, own.fallback, own.threads, self.module, derivations)
        made.runner = own
        own.identify(made.core, (*made._identity, "program"))
        return made

    def _derived(self, one: Derivation) -> Program:
        runner, derivations = self.runner, (*self.derivations, one)
        made = Program(self.source, self.engine, self.strict, runner.fallback, runner.threads, self.module, derivations)
        kept = {name: value for name, value in self.fixed.items() if name in made.inputs}
        return made._fixing(kept) if kept else made

    def within(self, memory: int | str, into: str | Path | None = None, progress: Progress = False) -> InPieces:
        """The program in pieces that fit into so many bytes, such as "2GB"; its result is written to a file, if given.

        Inputs that are paths of `.npy`, `.zarr`, Parquet or Arrow data, or folders of these, are read block by block.
        `progress=True` writes how many pieces are done to the standard error; else `progress(done, total)` is called.
        """
        from tolang.ground.reporting.quantities import bytes_from

        self._refuse_nothing()
        path = None if into is None else Path(into)
        return registry.distribution().within(self, bytes_from(memory), path, progress)

    def on(
        self, client: Client, into: str | Path | None = None, keep: Keep = False, progress: Progress = False
    ) -> InPieces:
        """The program on the workers of a Dask cluster that a client is of; its result is written to a file, if given.

        Inputs that are paths are read by the workers, on a disk that they share; Dask arrays are taken where they are.
        With `keep`, results are Dask arrays whose blocks stay with the workers; with "frames", vectors are frames.
        """
        self._refuse_nothing()
        return registry.distribution().on(self, client, None if into is None else Path(into), keep, progress)

    def fix(self, **values: Any) -> Program:
        """The program with some inputs given once and for all: work on them alone, as packing weights, is done once."""
        return self._fixing({**self.fixed, **tolang_names(values)})

    def _fixing(self, values: Mapping[str, Any]) -> Program:
        if self.weights:
            raise usage("E603", "the program of a model brings its weights, and no more is fixed in it")
        kinds = {one.name: one.type for one in self._checked.inputs}
        unknown = [name for name in values if name not in kinds]
        if unknown:
            raise usage("E603", f"the program has no input {unknown[0]}", expected=interface(kinds, ()))
        runner = self.runner
        made = Program(
            self.source, self.engine, self.strict, runner.fallback, runner.threads, self.module, self.derivations
        )
        made.fixed = {n: ToL.of(held(one, n, kinds[n]), kinds[n].columns, n) for n, one in values.items()}
        given = {name: self.fixed_columns.get(name) for name in values if values[name] is self.fixed.get(name)}
        made.fixed_columns = {
            n: given.get(n) or spaces_of(values[n], one, self.declared_inputs) for n, one in made.fixed.items()
        }
        return made

    def save(self, path: str | Path) -> None:
        """Writes the program, compiled for the types of data of calls so far, to a `.tolc` file for `tolang.load`."""
        from tolang.program.saving import save

        save(self, Path(path))

    def storages(self) -> list[dict[str, list[tuple[str, bool]]]]:
        """How the inputs of the calls so far were held: a storage for each component, and whether it adapts."""
        kinds = [key for key in self._cores if isinstance(key, tuple) and all(_is_columns(part) for part in key)]
        return [{name: [(one.storage, one.weak) for one in columns] for name, columns in key} for key in kinds]

    @property
    def fallbacks(self) -> tuple[str, ...]:
        """What the runs so far left to the interpreter, where it stands in the source, and why."""
        return tuple(self.runner.fallbacks)

    def explain(self) -> Explanation:
        """How the program runs, a line for each definition, as `tol explain` prints it; `full` has the whole plan."""
        from tolang.program.explain import explain

        fixed = {name: value.shape for name, value in {**self.weights, **self.fixed}.items()}
        told = explain(self.core, self.module, self.runner.strict, fixed, self.runner.name)
        return told if self.checkpoints is None else told.with_more("checkpoints", self.checkpoints.told())

    def function(self, name: str) -> Exported:
        """An exported function by its name."""
        if name not in self.functions:
            known = ", ".join(self.functions) or "none"
            raise usage("E606", f"the program exports no function {name}", expected=known)
        if name not in self._exported:
            from tolang.program.exported import Exported
            from tolang.syntax import tree

            definitions = (one for one in self.module.statements if isinstance(one, tree.Definition))
            self._exported[name] = Exported(self, next(one for one in definitions if one.id == name))
        return self._exported[name]

    def __getattr__(self, name: str) -> Exported:
        if name.startswith("_") or "_checked" not in self.__dict__:
            raise AttributeError(name)
        if name not in self.functions:
            known = ", ".join(self.functions) or "none"
            raise AttributeError(f"the program exports no function {name}; exported functions: {known}")
        return self.function(name)

    def __dir__(self) -> list[str]:
        """What is for users, and exported functions: the rest is between the parts of this package."""
        hidden = [name for name in super().__dir__() if name.startswith("_")]
        return [*hidden, *self.for_users, *self.functions]

    def _repr_html_(self) -> str:
        """What the program takes and gives, as notebooks show it."""
        takes = [("takes", name, str(kind)) for name, kind in self.inputs.items()]
        gives = [("gives", name, str(kind)) for name, kind in self.outputs.items()]
        functions = [self.function(name) for name in self.functions]
        offers = [("offers", f"{one.name}({', '.join(one.parameters)})", "a function") for one in functions]
        return heading(self.source.name) + table(("", "name", "type"), [*takes, *gives, *offers])

    def __repr__(self) -> str:
        takes = ", ".join(f"{name}: {kind}" for name, kind in self.inputs.items())
        values = [f"{name}: {kind}" for name, kind in self.outputs.items()]
        gives = ", ".join([*values, *(f"{name}(…)" for name in self.functions)])
        fixed = f", fixed: {', '.join(self.fixed)}" if self.fixed else ""
        return f"<tolang.Program {line(self.source.name)} ({takes}) -> {gives}{fixed}>"


def _is_columns(part: Any) -> bool:
    """Whether a part of the key of a core is an input with its columns."""
    return isinstance(part, tuple) and len(part) == 2 and all(isinstance(one, Column) for one in part[1])


def _held_as(column: Column, kind: np.dtype[Any] | None) -> Column:
    """A declared column as arrays of a type are held in it."""
    storage = None if kind is None else storage_of(kind)
    if kind is None or storage is None:
        return column
    return replace(column, storage=fitting(np.ones(1, kind), column.space, storage), weak=False)


def compile(
    source: str | Path,
    engine: str = DEFAULT_ENGINE,
    strict: bool = False,
    fallback: bool = True,
    threads: int | None = None,
) -> Program:
    """A program from ToLang source, or from the path of a `.tol` file.

    `engine` is "cpu" (machine code; what it cannot take is interpreted unless `fallback` is False) or "interpret";
    `strict` keeps the order of every reduction; `threads` is how many threads its compiled code runs on, those of
    `set_threads` unless given.
    """
    return Program(read_source(source), engine, strict, fallback, threads)
