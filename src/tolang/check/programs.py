"""Whole programs: from a module's syntax tree to a checked core program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from tolang.check.calls import call_closure
from tolang.check.checking import WORK_PER_STATEMENT, WORK_PER_STEP, strong_type
from tolang.check.expressions import constant_value, declare, new_checking, settle_definition
from tolang.check.forms import refuse_shape
from tolang.check.frames import Frame
from tolang.check.further_errors import report_further_errors
from tolang.check.indexing import size_of
from tolang.check.instances import of_library
from tolang.check.modules import Modules
from tolang.check.names import children, report_unknown_names
from tolang.check.spaces import declare_spaces, field_columns, resolve_space
from tolang.check.values import (
    FUNCTIONS,
    POISON,
    BundleValue,
    Closure,
    Declarations,
    PendingValue,
    Poisoned,
    Problem,
    Scope,
    Tensor,
    TypeNames,
    Value,
    Vector,
    measure,
    to_expr,
    whole,
)
from tolang.core.core import Bundle, Core, Expr, Input, Join, Literal, Output, Variable
from tolang.core.tidy import tidy
from tolang.core.types import Type, bundle_type
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Diagnostic, Note, Span, ToLangCheckError
from tolang.ground.symbolic.sizes import ZERO, Size
from tolang.ground.system.recursion import room_to_nest
from tolang.ground.values.spaces import Column, column
from tolang.syntax import tree
from tolang.syntax.traversal import children as node_children

Columns = Mapping[str, tuple[Column, ...]]
Argument = Type | int | bool | str | tuple[int, ...]
"""An argument of a function called from outside: the type of data, or a constant known while checking."""


@dataclass(frozen=True, slots=True)
class ProgramSignature:
    """What a program offers: its declared inputs, exported values and exported functions."""

    inputs: tuple[Input, ...]
    values: tuple[str, ...]
    functions: tuple[str, ...]


class Checker:
    """One module on its way to the core, for data of given storages.

    `before` is that of an earlier one with the same inputs, whose instances need not be made again.  `given` are values
    that are defined elsewhere, and known by their types alone.
    """

    @room_to_nest()
    def __init__(
        self,
        module: tree.SyntaxModule,
        columns: Columns | None = None,
        before: Checker | None = None,
        given: Mapping[str, Type] | None = None,
    ) -> None:
        self.module = module
        self.columns = columns or {}
        self.checking = new_checking()
        if before is not None:
            self.checking.go_on(before.checking)
        self.checking.most_work += WORK_PER_STATEMENT * len(module.statements) + WORK_PER_STEP * _steps(module)
        self.checking.most_work += len(module.span.text)
        self.checking.source = module.span.source
        self.frame = self.checking.frame
        self.modules = Modules(self.checking)
        self.declarations = Declarations()
        name = module.span.source.name
        around = self.modules.used(module.statements)
        if self.checking.problems:
            raise ToLangCheckError(sorted(self.checking.problems, key=_place))
        self.scope = Scope(around, self.frame, module=name, is_module=True, declarations=self.declarations)
        self.inputs: list[Input] = []
        self.sizes: list[str] = []
        self._declare()
        for value, kind in (given or {}).items():
            self._declare_lengths(kind)
            self._add_input(value, kind, None)

    @cached_property
    def definitions(self) -> list[tree.Definition]:
        return [s for s in self.module.statements if isinstance(s, tree.Definition)]

    def _declare(self) -> None:
        declare_spaces(self.checking, self.scope, self.module.statements)
        for statement in self.module.statements:
            if isinstance(statement, tree.TolShape):
                if statement.id in self.declarations.shapes:
                    problem = Problem("E206", f"the shape of {statement.id} is declared twice", statement.span)
                    self.checking.report(problem.diagnostic)
                self.declarations.shapes.setdefault(statement.id, statement)
        declare(self.checking, self.scope, tuple(self.definitions))
        self._declare_sizes()
        for statement in self.module.statements:
            if isinstance(statement, tree.TolDeclaration):
                try:
                    self._declare_tol(statement)
                    continue
                except Problem as problem:
                    self.checking.report(problem.diagnostic)
                except Poisoned:
                    pass
                self.scope.names.setdefault(statement.id, POISON)

    def _declare_sizes(self) -> None:
        """Names in declared shapes that nothing else defines are size variables, bound by the data."""
        declared = {s.id for s in self.module.statements if isinstance(s, tree.TolDeclaration)}
        shapes: list[tree.Node] = []
        for statement in self.module.statements:
            if isinstance(statement, tree.TolDeclaration):
                shapes.extend(statement.shape)
            elif isinstance(statement, tree.TolShape):
                shapes.append(statement.shape)
        while shapes:
            node = shapes.pop(0)
            known = {*declared, *self.declarations.shapes}
            if isinstance(node, tree.NameExpression) and node.id not in known and not self._is_length(node.id):
                self.sizes.append(node.id)
                self.checking.ranges.declare(node.id, ZERO, None)
                self.scope.names[node.id] = measure(Size.of(node.id), node.span)
            shapes.extend(_names_in_shape(node))

    def _is_length(self, name: str) -> bool:
        """Whether something defines a name in a shape; a function of the library is no length and only has its name."""
        found = self.scope.find(name)
        return found is not None and (found[1] is self.scope or not isinstance(found[0], FUNCTIONS))

    def _declare_tol(self, node: tree.TolDeclaration) -> None:
        columns = resolve_space(self.scope, node.base) if node.base else field_columns(self.scope, node.fields)
        shape: list[Size] = []
        for item in node.shape:
            bound = len(self.frame.bindings)
            value = self.checking.value(item, self.scope)
            lengths = value.items if isinstance(value, Vector) else (value,)
            shape.extend(size_of(self.checking, one, item.span)[0] for one in lengths)
            made = self.frame.bindings[bound:]
            named = Frame(bindings=made).bound()
            if any(one.condition is not None for one in made) or any(length.names() & named for length in shape):
                del self.frame.bindings[bound:]
                raise Problem("E304", "a declared length follows from sizes and whole inputs alone", item.span)
        refuse_shape(self.checking, tuple(shape), node.span)
        kind = Type(tuple(shape), columns)
        if node.id in self.scope.names and isinstance(self.scope.names[node.id], PendingValue):
            self.declarations.declared[node.id] = kind
            return
        if node.id in self.scope.names or any(i.name == node.id for i in self.inputs):
            raise Problem("E206", f"{node.id} is declared twice", node.span)
        if node.id in self.columns:
            kind = replace(kind, columns=self.columns[node.id])
        self._add_input(node.id, kind, node.span)

    def _add_input(self, name: str, kind: Type, span: Span | None) -> Tensor:
        self.inputs.append(Input(name, kind, span))
        if kind.is_numeric and kind.column.space.family == "Z":
            low, high = kind.column.space.limits
            bounds = [Size.of(int(b)) if b is not None else None for b in (low, high)]
            self.checking.ranges.declare(name, bounds[0], bounds[1])
        value = Tensor(Variable(name, type=kind, span=span))
        self.scope.names[name] = value
        return value

    def _declare_lengths(self, kind: Type) -> None:
        """The names in a shape that comes from outside are sizes."""
        for length in kind.shape:
            for size in sorted(length.names()):
                if size not in self.sizes:
                    self.sizes.append(size)
                    self.checking.ranges.declare(size, ZERO, None)

    def known_by_type(self, name: str) -> Type | None:
        """The type of a defined value of which nothing else matters to what uses it; None where more is known of it.

        More is known of what follows from sizes, of whole numerics, which may become lengths, and of lengths that only
        running tells.
        """
        pending = self.scope.names.get(name)
        value = pending.value if isinstance(pending, PendingValue) else POISON
        if not isinstance(value, Tensor) or not isinstance(value.expr, Variable):
            return None
        kind = value.expr.type
        named = {size for length in kind.shape for size in length.names()}
        whole_numeric = kind.is_numeric and kind.column.space.family in ("B", "Z")
        return None if whole_numeric or kind.parts or not named <= set(self.sizes) else kind

    def signature(self) -> ProgramSignature:
        exported = [d for d in self.definitions if d.exported]
        values = tuple(d.id for d in exported if d.parameters is None)
        return ProgramSignature(tuple(self.inputs), values, tuple(d.id for d in exported if d.parameters is not None))

    def stop(self) -> None:
        """Lets checking that goes on in another thread end soon, with an error, as nobody waits for its result."""
        self.checking.most_work = -1

    def forget_own(self) -> None:
        """Forgets what was made of the program's own definitions, which may be others in a run that goes on from it."""
        self.checking.instances = of_library(self.checking.instances)
        self.checking.library_outcomes.clear()
        self.checking.templates.clear()

    def program(self, every_value: bool = False, first_error: bool = False) -> Core:
        """The core of everything the module exports, or of every value it defines; raises all errors found.

        With `first_error` it ends at the first definition that has one.
        """
        results: list[tuple[str, Value, Span]] = []
        broken: list[tree.Definition] = []
        for own in filter(None, self.modules.own.values()):
            for definition in own.definitions:
                report_unknown_names(self.checking, definition, own.scope)
        for definition in self.definitions:
            if definition.parameters is not None:
                report_unknown_names(self.checking, definition, self.scope)
                continue
            value = self._settled(definition)
            if value is POISON:
                self._without_value(definition.id, definition.id_span)
                broken.append(definition)
                if first_error:
                    break
            elif definition.exported or (every_value and not isinstance(value, FUNCTIONS)):
                results.append((definition.id, value, definition.id_span))
        for definition in () if first_error else broken:
            report_further_errors(self.checking, definition.body, self.scope)
        return self._finished(results)

    def _without_value(self, name: str, span: Span | None) -> None:
        """What has no value has a problem: if none is known, it was found in an attempt and taken back with it."""
        if not self.checking.problems:
            found = self.checking.forgotten[0]
            self.checking.problems.append(
                replace(found, notes=(*found.notes, Note(f"in the definition of {name}", span)))
            )

    def _settled(self, definition: tree.Definition) -> Value:
        pending = self.scope.names.get(definition.id)
        if not isinstance(pending, PendingValue) or pending.definition is not definition:
            return POISON
        try:
            return settle_definition(self.checking, definition.id, pending, self.scope, definition.id_span)
        except Problem as problem:
            self.checking.report(problem.diagnostic)
        except Poisoned:
            pass
        return POISON

    def function_program(self, name: str, arguments: Sequence[Argument], keywords: Mapping[str, Argument]) -> Core:
        """The core of one call of a function from outside."""
        closure = self.scope.names.get(name)
        assert isinstance(closure, Closure)
        for definition in self.definitions:
            if definition.id == name:
                report_unknown_names(self.checking, definition, self.scope)
        own = {i.name for i in self.inputs}
        names = [p.id for p in closure.parameters]
        positional = [self._argument(n, a, own) for n, a in zip(names, arguments, strict=False)]
        positional += [whole(0)] * (len(arguments) - len(names))
        named = {k: self._argument(k, a, own) for k, a in keywords.items()}
        results: list[tuple[str, Value, Span]] = []
        try:
            span = closure.definition.id_span if closure.definition else None
            value = call_closure(self.checking, closure, positional, named, None)
            if value is POISON:
                self._without_value(name, span)
            elif span is not None:
                results.append((name, value, span))
        except Problem as problem:
            self.checking.report(problem.diagnostic)
        except Poisoned:
            self._without_value(name, None)
        return self._finished(results)

    def _argument(self, name: str, argument: Argument, own: set[str]) -> Value:
        if isinstance(argument, tuple):
            return Vector(tuple(whole(n) for n in argument))
        if isinstance(argument, bool | str):
            source = self.module.span
            node = (
                tree.Text(source, argument)
                if isinstance(argument, str)
                else tree.ConstantExpression(source, str(argument).lower())
            )
            return constant_value(node)
        if isinstance(argument, int):
            return whole(argument)
        inner = f"{name}'" if name in own else name
        self._declare_lengths(argument)
        before = dict(self.scope.names)
        value = self._add_input(inner, argument, None)
        self.scope.names = before
        return value

    def _finished(self, results: list[tuple[str, Value, Span]]) -> Core:
        outputs: list[Output] = []
        exprs: list[Expr] = []
        for name, value, span in results:
            try:
                parts = value.items if isinstance(value, BundleValue) else (value,)
                made = [_output_expr(p, span) for p in parts]
            except Problem as problem:
                self.checking.report(problem.diagnostic)
                continue
            except Poisoned:
                self._without_value(name, span)
                continue
            group = len(made) if isinstance(value, BundleValue) else 0
            outputs.extend(Output(name, strong_type(e.type), group) for e in made)
            exprs.extend(made)
        if self.checking.problems:
            raise ToLangCheckError(sorted(self.checking.problems, key=_place))
        body = self.frame.wrap(Bundle(tuple(exprs), type=bundle_type(e.type for e in exprs)))
        bounds = {name: ends for name, ends in self.checking.ranges.ranges.items() if name not in self.sizes}
        return Core(
            tuple(self.sizes), tuple(self.inputs), tuple(outputs), tidy(body),
            self.checking.definitions, self.checking.auxiliary, bounds,
        )  # fmt: skip


def _steps(module: tree.SyntaxModule) -> int:
    """The number of definitions in blocks, which are checked wherever the block is evaluated."""
    count = 0
    definitions = [one for one in module.statements if isinstance(one, tree.Definition)]
    pending: list[tree.Node] = [one for one in definitions if "{" in one.span.text]
    while pending:
        node = pending.pop()
        if isinstance(node, tree.BlockExpression):
            count += len(node.definitions)
        pending.extend(node_children(node))
    return count


def _names_in_shape(node: tree.Node) -> list[tree.Node]:
    """What to search for size variables inside a shape: not the names of functions or of ToLs under bars."""
    if isinstance(node, tree.CallExpression):
        return [a.value for a in node.arguments]
    if isinstance(node, tree.NormExpression | tree.IndexExpression | tree.ComponentExpression):
        return []
    return list(children(node))


def _output_expr(value: Value, span: Span) -> Expr:
    if isinstance(value, TypeNames):
        texts = tuple(Literal(str(c.space), type=Type((), (column("S"),)), span=span) for c in value.columns)
        return Join(texts, 0, type=Type((Size.of(len(texts)),), (column("S"),)), span=span)
    if isinstance(value, FUNCTIONS):
        raise Problem("E204", "a function cannot be an output by itself", span, fix="give it parameters: f(x) := …")
    return to_expr(value, span)


def _place(diagnostic: Diagnostic) -> tuple[str, int]:
    span = diagnostic.from_outside().span
    return (span.source.name, span.start) if span else ("", 0)


def check_program(
    module: tree.SyntaxModule,
    columns: Columns | None = None,
    checker: Checker | None = None,
    given: Mapping[str, Type] | None = None,
) -> Core:
    """The checked core of a module's exported values, by a checker where there is one already.

    `given` are values that are defined elsewhere, and inputs of the core.
    """
    return _guarded(module, lambda: (checker or Checker(module, columns, given=given)).program())


@room_to_nest()
def _guarded(module: tree.SyntaxModule, work: Callable[[], Core]) -> Core:
    """The work, with Python's own limit on nested calls as an error of the program."""
    try:
        return work()
    except RecursionError:
        place, fix = Span(module.span.source, 0, 1), "let fewer functions call one another in a chain"
        problem = Diagnostic("E212", "the program nests too deeply once its calls are written out", place, fix=fix)
        raise ToLangCheckError(problem) from None


def check_function(
    module: tree.SyntaxModule,
    name: str,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument],
    columns: Columns | None = None,
) -> Core:
    """The checked core of one call of an exported function."""
    return _guarded(module, lambda: Checker(module, columns).function_program(name, arguments, keywords))
