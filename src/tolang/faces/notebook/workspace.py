"""Cells on the variables of a notebook: definitions stay for later cells, exported values become variables.

Values live in the notebook, definitions here.  A cell is taken as a whole: what is wrong with it leaves everything as
it was before.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, MutableMapping, Sequence
from hashlib import sha256
from typing import Any

import numpy as np

from tolang.check.programs import check_program
from tolang.core.core import Core, Input
from tolang.data.binding import Job, bind_shapes, bind_sizes, held, restricted, whole_seed
from tolang.data.results import Result, named_results, plain
from tolang.faces.notebook.needs import free_names, needed
from tolang.faces.notebook.variables import Loan, loan_of, with_loans
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Source, Span, usage
from tolang.ground.system.own_modules import module_texts
from tolang.ground.values.values import ToL
from tolang.program.cost import Cost
from tolang.program.exported import Exported
from tolang.program.program import Program
from tolang.program.runner import Runner
from tolang.program.session import Key, Session, key_of
from tolang.store.programs import Identity
from tolang.syntax import tree
from tolang.syntax.parser import parse, parse_entry


@dataclass(frozen=True, slots=True)
class CellOptions:
    """How the values of a cell are computed, as `tolang.compile` has it; small ones are interpreted unless told."""

    engine: str = "auto"
    strict: bool = False
    threads: int | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Ran:
    """What a cell gave: the values of its expressions, and what it exported."""

    values: tuple[Result, ...]
    exported: Mapping[str, Result]
    functions: tuple[tree.Definition, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Cell:
    """A cell taken apart, and the statements there would be with it."""

    text: str
    own: tuple[tree.Statement, ...]
    shown: tuple[tree.Definition, ...]
    statements: Mapping[Key, tree.Statement]

    @property
    def exported(self) -> list[tree.Definition]:
        return [one for one in self.own if isinstance(one, tree.Definition) and one.exported]

    @property
    def title(self) -> str:
        """What the cell computes: the names it exports, its expressions as they are written."""
        names = [one.id for one in self.exported if one.parameters is None]
        return ", ".join([*names, *(" ".join(one.span.text.split()) for one in self.shown)])


class Workspace:
    """The definitions made so far, beside the variables of the notebook."""

    def __init__(self, variables: MutableMapping[str, Any]) -> None:
        self.session = Session()
        self.variables = variables
        self._exported: frozenset[str] = frozenset()
        self._version = 0
        self._functions: dict[Hashable, tuple[int, _Function]] = {}

    def run(self, text: str, options: CellOptions) -> Ran:
        """Computes what a cell exports and shows, keeps its definitions, and sets the notebook's variables."""
        cell = self._cell(text)
        values: dict[str, Result] = {}
        if cell.title:
            job, identity = self._job(cell)
            engine = Runner(*_engine(options))
            engine.identify(job.core, identity)
            found = engine.run(job.core, job.inputs, job.sizes, whole_seed(options.seed))
            values = named_results(job.core.outputs, found)
        else:
            self._checked(cell)
        self._keep(cell)
        exported = {one.id: values[one.id] for one in cell.exported if one.parameters is None}
        self.variables.update({name: handed(value) for name, value in exported.items()})
        functions = tuple(one for one in cell.exported if one.parameters is not None)
        return Ran(tuple(values[one.id] for one in cell.shown), exported, functions)

    def cost(self, text: str) -> Cost:
        """What a cell would cost, at the sizes of those variables that are there; nothing runs or is kept."""
        cell = self._cell(text)
        if not cell.title:
            raise usage("E602", "the cell computes no value", fix="export one with :=, or write an expression")
        core, loans = self._checked(cell)
        inputs = [one for one in self._inputs(core) if one.name in self.variables or one.name in loans]
        shapes = {one.name: self._data(one, loans).shape for one in inputs}
        kept = restricted(core, {one.name for one in self._inputs(core)})[0]
        known = [name for one in inputs for length in one.type.shape for name in length.names()]
        return Cost(kept, cell.title, bind_shapes(kept, shapes, self._sizes(kept, known)))

    def program(self, name: str, text: str, options: CellOptions) -> Program:
        """A cell as a program of its own, which sees the definitions made so far and leaves them as they are."""
        source = Source(name, text)
        own = parse(source).statements
        statements = _with(self.session.statements, own)
        made, _ = with_loans(
            lambda lent: _program(source.name, self._whole(statements, own, (), lent), options),
            self.variables,
            constants_only=True,
        )
        return made

    def function(self, name: str, options: CellOptions) -> Exported:
        """A function as it is defined now, ready for the notebook's variables as they are now."""
        key = name, options
        version, known = self._functions.get(key, (-1, None))
        if known is None or version != self._version or not known.is_current():
            definition = self.session.statements.get(("definition", name))
            if not isinstance(definition, tree.Definition) or definition.parameters is None:
                raise usage("E606", f"the notebook's cells define no function {name} any more")
            exported = replace(definition, exported=True)
            statements = {**self.session.statements, key_of(exported): exported}
            made, loans = with_loans(
                lambda lent: _program("notebook", self._whole(statements, [exported], (), lent), options),
                self.variables,
                self._handed_before(self._whole(statements, [exported], (), ())),
            )
            known = _Function(made, exported, self, loans)
            self._functions[key] = self._version, known
        return known

    def reset(self) -> None:
        """Forgets all definitions; the variables stay."""
        self.session.reset()
        self._exported = frozenset()
        self._version += 1

    def names(self) -> list[str]:
        """Every name that means something in a cell."""
        own = [name for name, value in self.variables.items() if not name.startswith("_") and not callable(value)]
        return sorted({*self.session.names(), *own})

    def _cell(self, text: str) -> _Cell:
        nodes = parse_entry(Source("<cell>", text))
        own = tuple(one for one in nodes if isinstance(one, tree.Statement))
        expressions = [one for one in nodes if isinstance(one, tree.Expression)]
        shown = [
            tree.Definition(one.span, f"it'{n}", one.span, None, one, exported=True)
            for n, one in enumerate(expressions, 1)
        ]
        return _Cell(text, own, tuple(shown), _with(self.session.statements, own))

    def _keep(self, cell: _Cell) -> None:
        """Keeps a cell's definitions; a value that it exports is a variable of the notebook from now on."""
        kept = dict(cell.statements)
        for one in cell.exported:
            if one.parameters is None:
                del kept[key_of(one)]
                if isinstance(kept.get(("tol", one.id)), tree.TolShape):
                    del kept["tol", one.id]
        values = {one.id for one in cell.exported if one.parameters is None}
        anew = {key_of(one)[1] for one in cell.own}
        exported = (self._exported - anew) | values
        if (kept, exported) != (self.session.statements, self._exported):
            self.session.statements, self._exported = kept, exported
            self._version += 1

    def _module(self, cell: _Cell, lent: Sequence[tree.Statement] = ()) -> tree.SyntaxModule:
        return self._whole(cell.statements, cell.own, cell.shown, lent)

    def _whole(
        self,
        statements: Mapping[Key, tree.Statement],
        own: Sequence[tree.Statement],
        shown: Sequence[tree.Definition],
        lent: Sequence[tree.Statement],
    ) -> tree.SyntaxModule:
        """A program of its own statements, each as often as it is written, and of those others that it needs."""
        others = {key: one for key, one in statements.items() if not any(one is each for each in own)}
        around = needed(others, [*own, *shown], self.variables)
        return tree.SyntaxModule(Span(Source("<notebook>", ""), 0, 0), (*own, *around, *shown, *lent))

    def _checked(self, cell: _Cell) -> tuple[Core, dict[str, Loan]]:
        before = self._handed_before(self._module(cell))
        return with_loans(lambda lent: check_program(self._module(cell, lent)), self.variables, before)

    def _handed_before(self, module: tree.SyntaxModule) -> list[str]:
        """Variables that earlier cells have exported and a program mentions: these it means, and not the library."""
        defined = {key_of(one)[1] for one in module.statements}
        mentioned = {name for one in module.statements for name in free_names(one)} - defined
        return [name for name in self._exported if name in mentioned and name in self.variables]

    def _job(self, cell: _Cell) -> tuple[Job, Identity]:
        """A cell's core, for the storages of the variables it reads, and their data; and what the core follows from."""
        core, loans = self._checked(cell)
        module = self._module(cell, [one.statement for one in loans.values()])
        data = {one.name: self._data(one, loans) for one in self._inputs(core)}
        columns = {name: value.spaces for name, value in data.items()}
        if any(columns.get(one.name, one.type.columns) != one.type.columns for one in core.inputs):
            core = check_program(module, columns)
        core, _ = restricted(core, data)
        known = [name for one in core.inputs for length in one.type.shape for name in length.names()]
        fix = "set a variable {0} of the notebook, or define it in the cell: {0} = 3"
        sizes = bind_sizes(core, data, self._sizes(core, known), fix)
        return Job(core, data, sizes), (_identity(module), repr(columns))

    def _inputs(self, core: Core) -> list[Input]:
        """The inputs that a program reads, and those variables whose shapes give a size that it uses."""
        bare, read = restricted(core, {})
        reading = {one.name for one in read}
        used = set(bare.sizes) | {name for one in read for length in one.type.shape for name in length.names()}
        return [
            one
            for one in core.inputs
            if one.name in reading
            or (one.name in self.variables and used & {n for length in one.type.shape for n in length.names()})
        ]

    def _data(self, one: Input, loans: Mapping[str, Loan]) -> ToL:
        """The data of an input: the variable of its name."""
        loan = loans.get(one.name)
        if loan is not None and loan.value is not None:
            return loan.value
        if one.name not in self.variables:
            fix = f"set it in Python: {one.name} = …"
            raise usage("E603", f"the notebook has no variable {one.name}", expected=str(one.type), fix=fix)
        return ToL.of(held(self.variables[one.name], one.name, one.type), one.type.columns, one.name)

    def _sizes(self, core: Core, known: Sequence[str]) -> dict[str, int]:
        """Sizes that no shape gives, from whole numbers of the notebook."""
        values = {name: self.variables.get(name) for name in core.sizes if name not in known}
        return {name: int(one) for name, one in values.items() if isinstance(one, int | np.integer) and one >= 0}

    def around(self, exported: Exported, loans: Mapping[str, Loan]) -> tuple[dict[str, Any], dict[str, int]]:
        """What a function finds around it: the variables that its program declares, and sizes that they do not give."""
        inputs = exported.program.inputs
        found = {name: self.variables[name] for name in inputs if name in self.variables}
        found |= {name: loan.value for name, loan in loans.items() if loan.value is not None}
        known = [name for one in found for length in inputs[one].shape for name in length.names()]
        return found, self._sizes(exported.program.core, known)


class _Function(Exported):
    """A function that reads the notebook's variables where its definition does."""

    def __init__(
        self, program: Program, definition: tree.Definition, workspace: Workspace, loans: Mapping[str, Loan]
    ) -> None:
        super().__init__(program, definition)
        self.workspace, self.loans = workspace, loans

    def is_current(self) -> bool:
        """Whether the variables it has borrowed are still of the kind it was checked for."""
        variables = self.workspace.variables
        kept = {name: loan_of(name, variables[name]) for name in self.loans if name in variables}
        if {name: loan.text for name, loan in kept.items()} != {name: loan.text for name, loan in self.loans.items()}:
            return False
        self.loans = kept
        return True

    def _sorted(
        self, arguments: Sequence[Any], named: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any], dict[str, int]]:
        own, captured, sizes = super()._sorted(arguments, named)
        around, lengths = self.workspace.around(self, self.loans)
        return own, {**around, **captured}, {**lengths, **sizes}


def handed(value: Result) -> Any:
    """A value as the notebook gets it: an array, a number, text, a ToL of lists, a tuple of such for a bundle."""
    return in_python(plain(value))


def in_python(value: Any) -> Any:
    """A number of NumPy as one of Python, where none of it is lost; anything else as it is."""
    if isinstance(value, tuple):
        return tuple(in_python(one) for one in value)
    return value.item() if isinstance(value, np.float64 | np.int64 | np.bool_ | np.complex128) else value


def _engine(options: CellOptions) -> tuple[str, bool, bool, int | None]:
    return options.engine, options.strict, True, options.threads


def _program(name: str, module: tree.SyntaxModule, options: CellOptions) -> Program:
    return Program(Source(name, _identity(module)), *_engine(options), module=module)


def _with(statements: Mapping[Key, tree.Statement], own: Sequence[tree.Statement]) -> dict[Key, tree.Statement]:
    """Statements with further ones, which replace those of the same names; what is exported is exported by these."""
    fresh = {key_of(one): one for one in own}
    anew = {name for kind, name in fresh if kind in ("definition", "tol")}
    kept: dict[Key, tree.Statement] = {}
    for key, one in statements.items():
        kind, name = key
        if kind not in ("definition", "tol") or name not in anew:
            kept[key] = replace(one, exported=False) if isinstance(one, tree.Definition) and one.exported else one
    return {**kept, **fresh}


def _identity(module: tree.SyntaxModule) -> str:
    """The text of a program, and a mark that tells it from others of this text in other places of other cells."""
    sources = list(dict.fromkeys(one.span.source for one in module.statements))
    places = [f"{sources.index(one.span.source)}:{one.span.start}:{one.span.end}" for one in module.statements]
    exported = [one.id for one in module.statements if isinstance(one, tree.Definition) and one.exported]
    used = module_texts(dict.fromkeys(one.span.source for one in module.statements if isinstance(one, tree.Use)))
    mark = sha256("\0".join([*(one.text for one in sources), *used, *places, *exported]).encode("utf-8", "replace"))
    return "".join(f"{one.span.text}\n" for one in module.statements) + f"# {mark.hexdigest()}\n"
