"""A program that grows while it is used: what is typed at a prompt, or loaded, statement by statement.

A definition of a name replaces the one before.  A change that makes the program wrong is refused, and nothing is lost.
Declared inputs get their data by `a = …`, which is evaluated once, or from a file.  In an expression `it` is the value
of the one before, and `x = it` keeps it.  What is accepted is checked as it will be checked from then on, so that an
entry that fails leaves no trace in later ones.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from tolang.check.library import PRELUDE, library_module, library_names
from tolang.check.modules import own_definitions
from tolang.check.programs import Checker, check_function, check_program
from tolang.check.spaces import known_space
from tolang.core.core import Core
from tolang.core.declarations import declared_type
from tolang.core.types import Type, bundle_type
from tolang.data import read_data
from tolang.data.binding import bind_sizes, restricted
from tolang.data.files import replace_file
from tolang.data.results import Result, named_results
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Diagnostic, Source, Span, ToLangCheckError, ToLangError, usage
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import FUNCTIONS
from tolang.ground.values.spaces import Column, Space, column, predefined
from tolang.ground.values.values import ToL
from tolang.program.cost import Cost
from tolang.program.descriptions import PRIMITIVES, comment_above, split_comment
from tolang.program.runner import Runner
from tolang.program.sources import read_file
from tolang.program.topics import explained, foreign_hint
from tolang.program.warned import warnings_of
from tolang.syntax import tree
from tolang.syntax.lexemes import KEYWORDS
from tolang.syntax.parser import parse, parse_entry, parse_expression

IT = "it"
"""What the value of the last expression is called."""
NO_DATA: Mapping[str, ToL] = MappingProxyType({})
Key = tuple[str, str]
"""A kind of statement and a name: statements of one key replace each other."""


@dataclass(frozen=True, slots=True)
class AcceptedDefinition:
    """A definition or declaration that was accepted: how it reads, and whether it replaced another."""

    text: str
    replaced: bool = False
    warnings: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class EvaluatedExpression:
    """The value of an expression."""

    value: Result
    warnings: tuple[Diagnostic, ...] = ()


Answer = AcceptedDefinition | EvaluatedExpression


class Session:
    """The statements so far, the data of declared inputs, and what can be asked of them."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.statements: dict[Key, tree.Statement] = {}
        self.data: dict[str, ToL] = {}
        self.sizes: tuple[str, ...] = ()
        """The size variables of the program so far."""
        self.last: ToL | None = None
        """The value of the last expression, which `it` stands for; None where there was none, or a bundle."""
        self._entries = 0

    def enter(self, text: str) -> Iterable[Answer]:
        """Takes one entry, statement by statement: definitions are kept, expressions evaluated."""
        for node in parse_entry(self._source(text)):
            if isinstance(node, tree.Expression):
                value = self.evaluate(node)
                warnings = self._warnings(node)  # before `it` is another value
                self.last = None if isinstance(value, tuple) else value
                yield EvaluatedExpression(value, warnings)
            elif isinstance(node, tree.Statement):
                yield self._take(node)

    def _source(self, text: str) -> Source:
        self._entries += 1
        return Source(f"<{self._entries}>", text)

    def _take(self, statement: tree.Statement) -> Answer:
        if self.last is not None and _keeps_it(statement) and not self.defines_it():
            assert isinstance(statement, tree.Definition)
            return self._keep(statement.id, self.last)
        if isinstance(statement, tree.Definition) and not statement.exported and statement.parameters is None:
            declared = self.declared_inputs().get(statement.id)
            if declared is not None:
                return self._give(statement.id, declared, self.evaluate(statement.body))
        key = key_of(statement)
        replaced = key in self.statements
        self._commit([statement])
        return AcceptedDefinition(self._described(statement), replaced, self._warnings_of(statement))

    def _warnings_of(self, statement: tree.Statement) -> tuple[Diagnostic, ...]:
        """What the definition of a value computes again and again."""
        if not isinstance(statement, tree.Definition) or statement.parameters is not None:
            return ()
        if self._value_type(statement) is None:  # a name for a function
            return ()
        return self._warnings(tree.NameExpression(statement.span, statement.id))

    def _warnings(self, entered: tree.Expression) -> tuple[Diagnostic, ...]:
        """What an entry computes again and again, told of what stands in the entry itself."""
        own = entered.span.source
        return tuple(one for one in warnings_of(self.core_of(entered)) if one.span and one.span.source is own)

    def defines_it(self) -> bool:
        """Whether `it` is a name of the program, and so not the value of the last expression."""
        return IT in self.sizes or any(key[1] == IT for key in self.statements)

    def _keep(self, name: str, value: ToL) -> AcceptedDefinition:
        """Keeps a value under a name, which is declared by it."""
        replaced = any(key[1] == name for key in self.statements)
        scope = Checker(self._module()).scope
        text = declaration_text(name, value, lambda space: known_space(scope, space))
        self._commit(parse(self._source(text)).statements, {name: value})
        return AcceptedDefinition(f"{name}: {self.declared_inputs()[name]}", replaced)

    def _give(self, name: str, kind: Type, value: Result) -> AcceptedDefinition:
        """Data for a declared input."""
        if isinstance(value, tuple):
            raise usage("E603", f"the input {name} is one ToL, and this is a bundle", expected=str(kind))
        replaced = name in self.data
        self.data[name] = self._fitting(name, kind, value)
        return AcceptedDefinition(f"{name}: {kind}", replaced)

    def _fitting(self, name: str, kind: Type, value: ToL) -> ToL:
        """The value as data of the input, once it agrees with its own declaration.

        Whether it agrees with the data of other inputs is seen where they meet, so that these can be changed in turn.
        """
        fitted = ToL.of(value.to_list() if value.volume else value, kind.columns, name)
        core = check_program(self._module(), self._columns() | {name: fitted.spaces})
        alone, _ = restricted(core, {name: fitted})
        bind_sizes(replace(alone, sizes=()), {name: fitted}, {})
        return fitted

    def _commit(self, statements: Iterable[tree.Statement], data: Mapping[str, ToL] = NO_DATA) -> None:
        """Adds statements, and the data of inputs that they declare, unless the program would then be wrong."""
        trial = dict(self.statements)
        fresh = list(statements)
        declared = {one.id for one in fresh if isinstance(one, tree.TolDeclaration)}
        defined = {one.id for one in fresh if isinstance(one, tree.Definition)}
        for name in declared - defined:
            trial.pop(("definition", name), None)
        for name in defined:
            trial.pop(("definition", f"{name}'"), None)  # a derivative was that of what the name stood for before
        for one in fresh:
            trial[key_of(one)] = one
        kept = {name: value for name, value in self.data.items() if name not in declared | defined}
        self._take_over(trial, {**kept, **data})

    def _take_over(self, statements: dict[Key, tree.Statement], data: Mapping[str, ToL]) -> None:
        """Goes on with these statements and data, unless they are wrong together: a space may be another by now."""
        module = self._module(statements)
        kinds = {one.name: one.type for one in Checker(module).inputs} if data else {}
        fitted = {name: _fitted(name, value, kinds[name].columns) for name, value in data.items() if name in kinds}
        core = check_program(module, {name: value.spaces for name, value in fitted.items()})
        self.statements, self.data, self.sizes = statements, fitted, core.sizes

    def _module(
        self, statements: Mapping[Key, tree.Statement] | None = None, *shown: tree.Definition
    ) -> tree.SyntaxModule:
        """The program of these statements; with further ones, they alone are its outputs."""
        own = list((self.statements if statements is None else statements).values())
        if shown:
            own = [replace(one, exported=False) if isinstance(one, tree.Definition) else one for one in own]
        return tree.SyntaxModule(Span(Source("<session>", ""), 0, 0), (*own, *shown))

    def _columns(self) -> dict[str, tuple[Column, ...]]:
        return {name: value.spaces for name, value in self.data.items()}

    def declared_inputs(self) -> dict[str, Type]:
        """Inputs declared so far, with their types."""
        return {one.name: one.type for one in Checker(self._module()).signature().inputs}

    def core_of(self, expression: tree.Expression) -> Core:
        """The checked core of an expression among the session's names, with those inputs alone that it depends on.

        These are the inputs it reads, and those with data whose shapes give sizes it uses.
        """
        span = expression.span
        shown = tree.Definition(span, f"{IT}'", span, None, expression, exported=True)
        last = {name: type_of(value) for name, value in self._last.items()}
        try:
            core = check_program(self._module(None, shown), self._columns(), given=last)
        except ToLangCheckError as error:
            raise _about_a_function(error, expression) from None
        bare, read = restricted(core, {})
        used = set(bare.sizes) | {name for one in read for length in one.type.shape for name in length.names()}
        giving = {one.name for one in core.inputs if used & {n for length in one.type.shape for n in length.names()}}
        return restricted(core, {one.name for one in read} | (giving & self._held.keys()))[0]

    @property
    def _last(self) -> dict[str, ToL]:
        """The value of the last expression by its name, where nothing else has that."""
        return {} if self.last is None or self.defines_it() else {IT: self.last}

    @property
    def _held(self) -> dict[str, ToL]:
        """The data of all inputs, `it` among them."""
        return self._last | self.data

    def evaluate(self, expression: tree.Expression) -> Result:
        """The value of an expression among the session's names."""
        core = self.core_of(expression)
        held = self._held
        for one in core.inputs:
            if one.name not in held:
                fix = f"{one.name} = …, or :read {one.name} data.npy"
                raise usage("E603", f"{one.name} is declared and has no data yet", expected=str(one.type), fix=fix)
        sizes = bind_sizes(core, held, {}, "define it ({} = 3), or give data to an input that has it")
        values = Runner("auto").run(core, held, sizes, self.seed)
        return next(iter(named_results(core.outputs, values).values()))

    def expression(self, text: str) -> tree.Expression:
        return parse_expression(self._source(text))

    def type_of(self, text: str) -> str:
        """The type of an expression, or the parameters of a function, without evaluating anything."""
        node = self.expression(text)
        if isinstance(node, tree.NameExpression):
            function = self._function(node.id)
            if function is not None:
                return f"{head_text(function)}, a function"
            if node.id in FUNCTIONS:
                counts = " or ".join(str(n) for n in FUNCTIONS[node.id].arity)
                return f"{node.id}, a basic function of {counts} argument(s)"
        types = [one.type for one in self.core_of(node).outputs]
        return str(types[0] if len(types) == 1 else bundle_type(types))

    def _value_type(self, definition: tree.Definition) -> str | None:
        """The type of a defined value; None where it is no data, as the function of `f = exp`."""
        try:
            types = [one.type for one in self.core_of(tree.NameExpression(definition.id_span, definition.id)).outputs]
        except ToLangError as error:
            if error.code != "E204":
                raise
            return None
        return str(types[0] if len(types) == 1 else bundle_type(types))

    def _function(self, name: str) -> tree.Definition | None:
        """The definition of a function, the session's own or a library's."""
        own = [one for one in self.statements.values() if isinstance(one, tree.Definition)]
        found = [one for one in (*own, *self._library()) if one.id == name]
        return found[0] if found and found[0].parameters is not None else None

    def _library(self) -> list[tree.Definition]:
        """Definitions of the modules in sight."""
        used = [one for one in self.statements.values() if isinstance(one, tree.Use) and one.alias is None]
        files = [file for name in (*(one.module for one in used), PRELUDE) for file in library_module(name)]
        statements = [one for file in files for one in file.statements]
        own = [definition for one in used for definition in own_definitions(one)]
        return [*own, *(one for one in statements if isinstance(one, tree.Definition))]

    def help(self, name: str, width: int | None = None) -> str:
        """What a name stands for: how it is called, what it is, what it costs, and how it is written."""
        own = [one for one in self.statements.values() if key_of(one)[1] == name]
        if not own:
            used = [one.module for one in self.statements.values() if isinstance(one, tree.Use)]
            found = explained(name, used, width)
            if found is None:
                close = difflib.get_close_matches(name, self.names(), 1)
                fix = f"did you mean {close[0]}?" if close else ":help alone lists what can be typed"
                raise usage("E603", f"there is no {name} here", fix=foreign_hint(name) or fix)
            return found.replace("\ntol help NAME", "\n:help NAME")
        return self._own_help(own)

    def _own_help(self, own: list[tree.Statement]) -> str:
        last = own[-1]
        comment, _ = split_comment(comment_above(last.span.source.text, last.span.start))
        eops = self._eops_of(last) if isinstance(last, tree.Definition) else None
        lines = [self._described(last), comment, f"EOPs: {eops}" if eops is not None else ""]
        return "\n".join([*(line for line in lines if line), "", *(one.span.text.rstrip() for one in own)])

    def _eops_of(self, definition: tree.Definition) -> str | None:
        """What a value costs, or a call of a function with arguments of the first kind that it takes."""
        if definition.parameters is None:
            name = tree.NameExpression(definition.id_span, definition.id)
            return None if self._value_type(definition) is None else str(Cost(self.core_of(name)).eops)
        count = sum(one.default is None for one in definition.parameters)
        for shape in (("n", "m"), ("n", "n"), ("n",), ()):
            kind = Type(tuple(Size.of(name) for name in shape), (column("R"),))
            try:
                core = check_function(self._module(), definition.id, [kind] * count, {}, self._columns())
                return f"{Cost(core).eops}, of {kind}"
            except ToLangError:
                continue
        return None

    def _described(self, statement: tree.Statement) -> str:
        """A definition with its type, a function with its parameters, a declaration as it stands."""
        if not isinstance(statement, tree.Definition):
            return " ".join(statement.span.text.split())
        if statement.parameters is not None:
            return head_text(statement)
        kind = self._value_type(statement)
        return " ".join(statement.span.text.split()) if kind is None else f"{statement.id}: {kind}"

    def load(self, path: Path) -> list[str]:
        """Adds the statements of a program; returns the names it brings."""
        module = parse(read_file(path))
        self._commit(module.statements)
        return list(dict.fromkeys(key_of(one)[1] for one in module.statements))

    def read(self, name: str, path: Path) -> str:
        """Data of a file for an input, which is declared by the data if it was not before."""
        kind = self.declared_inputs().get(name)
        if kind is None:
            return self._keep(name, ToL.of(read_data(path, name), name=name)).text
        value = ToL.of(read_data(path, name, kind), kind.columns, name)
        self.data[name] = self._fitting(name, kind, value)
        return f"{name}: {kind}"

    def forget(self, name: str) -> None:
        """Removes what a name stands for, unless something else needs it."""
        kept = {key: one for key, one in self.statements.items() if key[1] not in (name, f"{name}'")}
        if len(kept) == len(self.statements):
            raise usage("E603", f"there is no {name} in this session")
        self._take_over(kept, {other: value for other, value in self.data.items() if other != name})

    def reset(self) -> None:
        """Forgets everything."""
        self.statements.clear()
        self.data.clear()
        self.sizes = ()
        self.last = None

    def text(self) -> str:
        """The program so far, each statement as it was written."""
        return "".join(f"{_as_written(one, self.statements).rstrip()}\n" for one in self._written_once())

    def _written_once(self) -> list[tree.Statement]:
        """The statements, of those that name parts only the first definition that is left of each."""
        found: dict[Span, tree.Statement] = {}
        for one in self.statements.values():
            if not (isinstance(one, tree.Definition) and one.id.startswith("(")):
                found.setdefault(one.span, one)
        return list(found.values())

    def save(self, path: Path) -> None:
        content = self.text().encode("utf-8")
        replace_file(path, lambda file: file.write(content))

    def names(self) -> list[str]:
        """Every name and word that means something here."""
        own = {key[1] for key in self.statements}
        library = {one.id for one in self._library()} | set(library_names())
        return sorted({*own, *library, *FUNCTIONS, *PRIMITIVES, *KEYWORDS})


def _about_a_function(error: ToLangCheckError, expression: tree.Expression) -> ToLangCheckError:
    """The error of an expression; of the name of a function alone, what can be done with one."""
    if (
        error.code != "E204"
        or not isinstance(expression, tree.NameExpression)
        or "function" not in error.diagnostics[0].message
    ):
        return error
    name = expression.id
    fix = f"call it, {name}(…); :help {name} tells what it takes"
    return ToLangCheckError(replace(error.diagnostics[0], message=f"{name} is a function, and no value", fix=fix))


def _keeps_it(statement: tree.Statement) -> bool:
    """Whether a statement is `x = it`."""
    match statement:
        case tree.Definition(parameters=None, exported=False, body=tree.NameExpression(id=name)):
            return name == IT
    return False


def key_of(statement: tree.Statement) -> Key:
    """What a statement is known by: another of the same key replaces it."""
    match statement:
        case tree.Definition(id=name):
            return "definition", name
        case tree.TolDeclaration(id=name) | tree.TolShape(id=name):
            return "tol", name
        case tree.SpaceDeclaration(id=name) | tree.ListDeclaration(id=name):
            return "type", name
        case tree.Use(module=name, alias=alias):
            return "use", alias or name
    raise AssertionError(statement)


def _as_written(one: tree.Statement, statements: Mapping[Key, tree.Statement]) -> str:
    """The text of a statement; where it names parts, without names that mean something else by now."""
    if not isinstance(one, tree.Definition) or not isinstance(one.body, tree.Unpacked):
        return one.span.text
    text, start = one.span.text, one.span.start
    for leaf in reversed(one.body.pattern.leaves):
        now = statements.get(("definition", leaf.id))
        if now is None or now.span != one.span:
            text = f"{text[: leaf.span.start - start]}_{text[leaf.span.end - start :]}"
    return text


def _fitted(name: str, value: ToL, columns: Sequence[Column]) -> ToL:
    """A value in the spaces that it is declared in, where it is not yet."""
    own, wanted = ([(one.space, str(one.space), one.name) for one in each] for each in (value.spaces, columns))
    return value if own == wanted else ToL.of(value, columns, name)


def type_of(value: ToL) -> Type:
    """The type of a value, with the shape that it has."""
    return Type(tuple(Size.of(length) for length in value.shape), value.spaces)


Known = Callable[[str], tuple[Column, ...] | None]
"""The columns that a name of a space stands for somewhere; None where it stands for nothing."""


def _predefined(name: str) -> tuple[Column, ...] | None:
    space = predefined(name)
    return None if space is None else (Column(space, space.storage),)


def declaration_text(name: str, value: ToL, known: Known = _predefined) -> str:
    """The declaration of an input that takes this value, where these spaces are known: `tol x: R [3]`.

    A bounded space that has no name there is written as the space that it is a part of.
    """
    return f"tol {name}: {declared_type(value.spaces, value.shape, lambda space: _written(name, space, known))}"


def _written(name: str, space: Space, known: Known) -> str:
    """A name that stands for a space where the declaration is, or for one around it."""
    own = [] if space.name is None else [space.name]
    around = (space.root, space.default.root, space.family)
    for one, wanted in [*((each, space) for each in own), *((each, Space(each)) for each in around)]:
        columns = known(one)
        if columns is not None and [column.space for column in columns] == [wanted]:
            return one
    what = f"{name} cannot be declared, as {space.root} is the name of another space here"
    raise usage("E603", what, fix=f":forget {space.root}, or give that space another name")


def head_text(definition: tree.Definition) -> str:
    """A function as its definition begins: `pool(x, k, s=1)`."""
    parameters = definition.parameters or ()
    written = [one.span.text for one in parameters]
    name = f"derivative {definition.derived}" if definition.derived else definition.id
    return f"{name}({', '.join(written)})"
