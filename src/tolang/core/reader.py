"""The core from its text: what `printer.py` writes, read back.

    program     "program" "(" names ")" input* define* binding* outputs
    input       "input" name ":" type
    define      "define" name "[" names "]" "(" name [":" type], … ")" "=" expression
    outputs     ("output" name ["of" count] ":" type "=" expression)*
             |  "body" expression ("output" name ["of" count] ":" type)*
    expression  binding* simple
    binding     "let" name [":" type], … [lengths] "=" expression  |  "require" condition "else" text
    lengths     "(" name "is" "|" name "|" "[" dimension "]", … ")"
    simple      "map" "[" name "<=" size, … "]" expression
             |  "reduce" ["associative"] "[" name "<=" size, … "]" name ":" type "=" expression, … [lengths]
                "->" expression
             |  "call" name "[" sizes "]" "(" expression, … ")"
             |  "inline" name ["[" "size" name "=" size, … name ":" type "=" expression, … "]"]
                ["derivative" "[" name ":" type ["=" expression], … "]" expression "of"] expression
             |  "if" condition ["as" written] "then" expression "else" expression
             |  "when" written "then" expression "else" expression
             |  member
    member      operand ("[" size [":" size] ["as" written], … "]"  |  "[" position "]" "'")*
    written     expression "&" …
    operand     constant | name | function "(" expression, … ")" | "(" expression [":" type] ")" | "size" "(" size ")"
             |  ("list" | "bundle" | "join" "along" dimension | "tile") "(" expression, … ")"
             |  "convert" "(" expression "," columns ")"  |  "reshape" "(" expression "," "[" sizes "]" ")"
             |  "swap" "(" expression "," "along" dimension "," expression ")"
             |  "random" "(" expression "," "site" number "," "at" "[" sizes "]" ")"

A definition is a body that calls share; its name is the called definition's and a number.  Line ends and
indentation mean nothing.  A bracket belongs to the word before it if it is glued to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from tolang.core.core import (
    Apply,
    Bundle,
    Call,
    Component,
    Convert,
    Coordinate,
    Core,
    Derivative,
    Embed,
    Expr,
    If,
    Input,
    Join,
    Let,
    Literal,
    Map,
    Measure,
    Output,
    Part,
    Random,
    Range,
    Reduce,
    Require,
    Reshape,
    Swap,
    Tile,
    Variable,
)
from tolang.core.notation import RESERVED
from tolang.core.phrases import PhraseReader
from tolang.core.rules import inferred_type
from tolang.core.tokens import Token, syntax_error
from tolang.core.types import Type, bundle_type
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Source
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.recursion import room_to_nest

UNKNOWN = Type((), ())
"""Stands for a type that is not known yet: it is written behind the expression, or it is missing."""

Lengths = tuple[tuple[str, int, int], ...]
Result = TypeVar("Result")


def read_program(text: str, name: str = "core") -> Core:
    """The program that a text says; raises `ToLangSyntaxError` where it says none."""
    return _guarded(CoreReader(Source(name, text), {}), CoreReader.program)


def read_expr(text: str, variables: Mapping[str, Type], name: str = "core") -> Expr:
    """The expression that a text says, its free variables being of the given types."""
    return _guarded(CoreReader(Source(name, text), variables), CoreReader.only_expression)


@room_to_nest()
def _guarded(reader: CoreReader, read: Callable[[CoreReader], Result]) -> Result:
    try:
        return read(reader)
    except RecursionError:
        at = reader.token
        raise syntax_error("E105", "the text nests too deeply", reader.source, at.start, at.end) from None


@dataclass(frozen=True, slots=True)
class SharedBody:
    """A body that calls share, the names of its sizes and of its parameters."""

    sizes: tuple[str, ...]
    parameters: tuple[str, ...]
    body: Expr


class CoreReader(PhraseReader):
    """Reads expressions.  `types` holds what the names read so far are bound to."""

    def __init__(self, source: Source, types: Mapping[str, Type]) -> None:
        super().__init__(source)
        self.types = dict(types)
        self.definitions: dict[str, SharedBody] = {}

    def program(self) -> Core:
        self.expect("program")
        self.expect("(")
        sizes = self._names(")")
        inputs: list[Input] = []
        while self.accept("input"):
            name = self.name()
            self.expect(":")
            inputs.append(Input(name, self.type()))
            self.types[name] = inputs[-1].type
        self._read_definitions()
        outputs: list[Output] = []
        body = self._chain(lambda: self._outputs(outputs))
        self._end()
        return Core(sizes, tuple(inputs), tuple(outputs), body)

    def only_expression(self) -> Expr:
        self._read_definitions()
        expr = self.expression()
        self._end()
        return expr

    def _end(self) -> None:
        if self.token.kind != "end":
            raise self.problem("the text goes on after its end")

    def _read_definitions(self) -> None:
        while self.accept("define"):
            name = self.name()
            self.expect("[")
            sizes = self._names("]")
            self.expect("(")
            parameters: list[str] = []
            while not self.sees(")"):
                parameters.append(self.name())
                if self.accept(":"):
                    self.types[parameters[-1]] = self.type()
                if not self.accept(","):
                    break
            self.expect(")")
            self.expect("=")
            self.definitions[name] = SharedBody(sizes, tuple(parameters), self.expression())

    def _names(self, closing: str) -> tuple[str, ...]:
        names: list[str] = []
        while not self.sees(closing):
            names.append(self.name())
            if not self.accept(","):
                break
        self.expect(closing)
        return tuple(names)

    def _outputs(self, outputs: list[Output]) -> Expr:
        """What ends a program's bindings: the outputs with their values, or a body and the outputs' types."""
        body = self.expression() if self.accept("body") else None
        parts: list[Expr] = []
        while self.accept("output"):
            name = self.name()
            group = self.integer() if self.accept("of") else 0
            self.expect(":")
            outputs.append(Output(name, self.type(), group))
            if body is None:
                self.expect("=")
                parts.append(self.expression())
        return body or Bundle(tuple(parts), type=bundle_type(p.type for p in parts))

    # Expressions

    def expression(self, given: Type | None = None) -> Expr:
        """An expression whose type follows, or else is given by the binding whose value it ends."""
        start = self.token
        return self._known(self._untyped(given), start, given)

    def _known(self, expr: Expr, start: Token, given: Type | None = None) -> Expr:
        if expr.type is not UNKNOWN:
            return expr
        if given is not None:
            return replace(expr, type=given)
        what = f"nothing here binds {expr.name}" if isinstance(expr, Variable) else "the type of this does not follow"
        raise self.problem(what, start, expected="(expression: type)")

    def _untyped(self, given: Type | None = None) -> Expr:
        """An expression that may still lack its type."""
        if self.sees("let", "require"):
            return self._chain(lambda: self.expression(given))
        return self._simple(given)

    def _made(self, expr: Expr) -> Expr:
        """An expression with the type that follows from its parts, if one does."""
        return replace(expr, type=inferred_type(expr) or UNKNOWN)

    def _given(self, kind: Type | None) -> Expr:
        """An expression whose type was written before it, or follows."""
        if kind is None:
            return self.expression()
        return replace(self._untyped(kind), type=kind)

    def _chain(self, read_end: Callable[[], Expr]) -> Expr:
        """A run of bindings and requirements, read without recursion, around what ends it."""
        wraps: list[Callable[[Expr], Expr]] = []
        while self.sees("let", "require"):
            wraps.append(self._let() if self.advance().text == "let" else self._require())
        result = read_end()
        for wrap in reversed(wraps):
            result = wrap(result)
        return result

    def _let(self) -> Callable[[Expr], Expr]:
        names: list[str] = []
        types: list[Type] = []
        while not names or self.accept(","):
            names.append(self.name())
            if self.accept(":"):
                types.append(self.type())
        lengths = self._lengths(names)
        self.expect("=")
        if types and len(types) != len(names):
            raise self.problem("either all names of a binding have a type, or none")
        value = self._given((types[0] if len(names) == 1 else bundle_type(types)) if types else None)
        self.types.update(zip(names, types or value.type.parts or (value.type,), strict=False))
        return lambda body: Let(tuple(names), value, body, lengths, type=body.type)

    def _require(self) -> Callable[[Expr], Expr]:
        condition = self.condition()
        self.expect("else")
        if self.token.kind != "text":
            raise self.problem("a requirement says what is wrong otherwise", expected="a text")
        message = self.advance().text
        return lambda body: Require(condition, message, body, type=body.type)

    def _lengths(self, names: list[str]) -> Lengths:
        found: list[tuple[str, int, int]] = []
        if not self.accept("("):
            return ()
        while not found or self.accept(","):
            length = self.name()
            self.expect("is")
            self.expect("|")
            token = self.token
            name = self.name()
            if name not in names:
                raise self.problem("a length is one of what is bound here", token, expected=" or ".join(names))
            self.expect("|")
            self.expect("[")
            found.append((length, names.index(name), self.integer() - 1))
            self.expect("]")
        self.expect(")")
        return tuple(found)

    def _simple(self, given: Type | None) -> Expr:
        """Any expression but a binding; it may still lack its type."""
        if self.accept("map"):
            iterators, extents = self._loops()
            return self._made(Map(iterators, extents, self.expression(), type=UNKNOWN))
        if self.accept("reduce"):
            return self._reduce()
        if self.accept("call"):
            return self._call()
        if self.accept("inline"):
            return self._inline(given)
        if self.sees("if", "when"):
            return self._if()
        return self._member()

    def _loops(self) -> tuple[tuple[str, ...], tuple[Size, ...]]:
        iterators: list[str] = []
        extents: list[Size] = []
        self.expect("[")
        while not iterators or self.accept(","):
            iterators.append(self.name())
            self.expect("<=")
            extents.append(self.size())
        self.expect("]")
        return tuple(iterators), tuple(extents)

    def _reduce(self) -> Expr:
        associative = self.accept("associative") is not None
        iterators, extents = self._loops()
        states: list[str] = []
        types: list[Type] = []
        initials: list[Expr] = []
        while not states or self.accept(","):
            states.append(self.name())
            self.expect(":")
            types.append(self.type())
            self.expect("=")
            initials.append(self.expression())
        lengths = self._lengths(states)
        self.expect("->")
        self.types.update(zip(states, types, strict=True))
        step = self.expression()
        kinds, starts = tuple(types), tuple(initials)
        return self._made(
            Reduce(iterators, extents, tuple(states), starts, kinds, step, lengths, associative, type=UNKNOWN)
        )

    def _call(self) -> Expr:
        token = self.token
        name = self.name()
        if name not in self.definitions:
            raise self.problem("no definition before this has the name", token)
        called = self.definitions[name]
        self.expect("[")
        sizes = self.sizes("]")
        arguments = self._operands()
        if len(sizes) != len(called.sizes) or len(arguments) != len(called.parameters):
            wanted = f"{len(called.sizes)} size(s) and {len(called.parameters)} argument(s)"
            raise self.problem("a call fits its definition", token, expected=wanted)
        bound = tuple(zip(called.sizes, sizes, strict=True)), tuple(zip(called.parameters, arguments, strict=True))
        return self._made(Call(name.rpartition(".")[0], *bound, called.body, shared=True, type=UNKNOWN))

    def _inline(self, given: Type | None) -> Expr:
        definition = self.name()
        sizes: list[tuple[str, Size]] = []
        arguments: list[tuple[str, Expr]] = []
        if self.accept("["):
            while (not sizes and not arguments) or self.accept(","):
                is_size = not self.followed_by(":") and self.accept("size") is not None
                name = self.name()
                if is_size:
                    self.expect("=")
                    sizes.append((name, self.size()))
                    continue
                self.expect(":")
                self.types[name] = self.type()
                self.expect("=")
                arguments.append((name, self.expression()))
            self.expect("]")
        own = self._derivative() if self.accept("derivative") else None
        body = self.expression(given)
        return self._made(Call(definition, tuple(sizes), tuple(arguments), body, derivative=own, type=UNKNOWN))

    def _derivative(self) -> Derivative:
        values: list[tuple[str, Expr]] = []
        cotangents: list[tuple[str, Type]] = []
        self.expect("[")
        while not (values or cotangents) or self.accept(","):
            name = self.name()
            self.expect(":")
            kind = self.types[name] = self.type()
            if self.accept("="):
                values.append((name, self.expression()))
            else:
                cotangents.append((name, kind))
        self.expect("]")
        body = self.expression()
        self.expect("of")
        return Derivative(tuple(values), tuple(cotangents), body)

    def _if(self) -> Expr:
        guard: Condition | None = None
        written: tuple[Expr, ...] = ()
        if self.advance().text == "if":
            guard = self.condition()
            written = self._written() if self.accept("as") else ()
        else:
            written = self._written()
        self.expect("then")
        then = self.expression()
        self.expect("else")
        return self._made(If(guard, written, then, self.expression(), type=UNKNOWN))

    def _written(self) -> tuple[Expr, ...]:
        found = [self.expression()]
        while self.accept("&"):
            found.append(self.expression())
        return tuple(found)

    # Members and operands

    def _member(self) -> Expr:
        start = self.token
        expr = self._operand()
        while self.sees("[") and self.token.glued:
            subject = self._known(expr, start)
            if self.ahead(1).kind == "integer" and self.ahead(2).text == "]" and self.ahead(3).text == "'":
                self.advance()
                expr = self._made(Component(subject, self.integer(), type=UNKNOWN))
                self.advance()
                self.advance()
            else:
                self.advance()
                expr = self._made(Part(subject, self._items(), type=UNKNOWN))
        return expr

    def _items(self) -> tuple[Coordinate | Range, ...]:
        items: list[Coordinate | Range] = []
        while not self.sees("]"):
            start = self.size()
            length = self.size() - start + 1 if self.accept(":") else None
            written = self._written() if self.accept("as") else ()
            items.append(Coordinate(start, written) if length is None else Range(start, length, written))
            if not self.accept(","):
                break
        self.expect("]")
        return tuple(items)

    def _operand(self) -> Expr:
        if self.starts_constant():
            return self._made(Literal(self.constant(), type=UNKNOWN))
        if self.accept("("):
            inner = self._untyped()
            expr = replace(inner, type=self.type()) if self.accept(":") else inner
            self.expect(")")
            return expr
        token = self.token
        if self.accept("join"):
            return self._made(self._join_form())
        if token.kind == "word" and self.followed_by("(", glued=True):
            self.advance()
            if token.text in _FORMS:
                return self._made(_FORMS[token.text](self))
            return self._made(Apply(token.text, self._operands(), type=UNKNOWN))
        if token.kind != "name" and (token.kind != "word" or token.text in RESERVED):
            raise self.problem("an expression must stand here", expected="an expression")
        name = self.name()
        return Variable(name, type=self.types.get(name, UNKNOWN))

    def _operands(self) -> tuple[Expr, ...]:
        found: list[Expr] = []
        self.expect("(")
        while not self.sees(")"):
            found.append(self.expression())
            if not self.accept(","):
                break
        self.expect(")")
        return tuple(found)

    def _dimension(self) -> int:
        self.expect("along")
        return self.integer() - 1

    def _size_form(self) -> Expr:
        self.expect("(")
        size = self.size()
        self.expect(")")
        return Measure(size, type=UNKNOWN)

    def _complex_form(self) -> Expr:
        self.expect("(")
        real = self.decimal()
        self.expect(",")
        imaginary = self.decimal()
        self.expect(")")
        return Literal(complex(real, imaginary), type=UNKNOWN)

    def _join_form(self) -> Expr:
        axis = self._dimension()
        return Join(self._operands(), axis, type=UNKNOWN)

    def _tile_form(self) -> Expr:
        self.expect("(")
        subject = self.expression()
        self.expect(")")
        return Tile(subject, type=UNKNOWN)

    def _convert_form(self) -> Expr:
        self.expect("(")
        subject = self.expression()
        self.expect(",")
        columns = self.columns()
        self.expect(")")
        return Convert(subject, type=Type((), columns))

    def _reshape_form(self) -> Expr:
        self.expect("(")
        subject = self.expression()
        self.expect(",")
        self.expect("[")
        shape = self.sizes("]")
        self.expect(")")
        return Reshape(subject, type=Type(shape, ()))

    def _swap_form(self) -> Expr:
        self.expect("(")
        subject = self.expression()
        self.expect(",")
        axis = self._dimension()
        self.expect(",")
        order = self.expression()
        self.expect(")")
        return Swap(subject, axis, order, type=UNKNOWN)

    def _random_form(self) -> Expr:
        self.expect("(")
        limit = self.expression()
        self.expect(",")
        self.expect("site")
        site = self.integer()
        self.expect(",")
        self.expect("at")
        self.expect("[")
        coordinates = self.sizes("]")
        self.expect(")")
        return Random(limit, site, coordinates, type=UNKNOWN)


_FORMS: dict[str, Callable[[CoreReader], Expr]] = {
    "list": lambda reader: Embed(reader._operands(), type=UNKNOWN),
    "bundle": lambda reader: Bundle(reader._operands(), type=UNKNOWN),
    "size": CoreReader._size_form,
    "complex": CoreReader._complex_form,
    "tile": CoreReader._tile_form,
    "convert": CoreReader._convert_form,
    "reshape": CoreReader._reshape_form,
    "swap": CoreReader._swap_form,
    "random": CoreReader._random_form,
}
"""Operands that open with a word of their own."""
