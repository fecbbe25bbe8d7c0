"""A program on text as one on whole numbers: each text is its code, its place in one sorted dictionary of a run.

The dictionary has the texts of all inputs and literals, so that texts are equal, and in order, where their codes are.
Literals are a further input, a vector of codes.  `length` and `code` read further inputs: how many characters each
text of the dictionary has, how many are before it, and all characters.  A change of case reads the codes of the changed
texts, which are in the dictionary, too.  `to_number` reads the place that a text has among those that write numbers,
and the number there; what writes none is at 0, which is no place.  Zeros that stand for text are the empty text, which
is the first of every dictionary.  New text has no code before it is made: that is between runs (`new_text`).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_

from tolang.core.core import (
    Apply,
    Call,
    Coordinate,
    Core,
    Expr,
    Input,
    Join,
    Let,
    Literal,
    Map,
    Part,
    Range,
    Reduce,
    Require,
    Variable,
)
from tolang.core.let_chain import unwound, wound
from tolang.core.rebuild import rebuild
from tolang.core.refusal import Refused
from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.recursion import room_to_nest
from tolang.ground.values.functions import FUNCTIONS
from tolang.ground.values.spaces import Column, column
from tolang.ground.values.texts import CASES

CODE = column("i32")
NUMBER = column("N")
REAL = column("R")
LITERALS, LENGTHS, STARTS, POINTS = "text literals", "text lengths", "text starts", "text characters"
TEXTS, CHARACTERS = "number of texts", "number of characters"
PLACES, VALUES, WRITTEN = "text numbers", "numbers of text", "number of numbers"
"""Names of inputs and sizes that no program has, for no name of the language has a space in it."""
CASE_TABLES = {f"text {function}": function for function in CASES}
"""Those that have the codes of all texts in another case."""
NUMERIC = Type((), (NUMBER,))
_TABLES = {
    LENGTHS: Type((Size.of(TEXTS),), (NUMBER,)),
    STARTS: Type((Size.of(TEXTS),), (NUMBER,)),
    POINTS: Type((Size.of(CHARACTERS),), (NUMBER,)),
    PLACES: Type((Size.of(TEXTS),), (NUMBER,)),
    VALUES: Type((Size.of(WRITTEN),), (REAL,)),
    **{name: Type((Size.of(TEXTS),), (CODE,)) for name in CASE_TABLES},
}


@dataclass(frozen=True, slots=True)
class OnCodes:
    """A program on codes, made of one on text; `literals` are the texts of the literals that it is given codes of."""

    core: Core
    literals: tuple[str, ...]
    textual: frozenset[str]
    """The inputs that have text."""

    tables: frozenset[str]
    """Which of the further inputs it has that tell the characters of texts."""


def is_text(one: Column) -> bool:
    return one.space.family == "S"


@room_to_nest()
def on_codes(program: Core) -> OnCodes | None:
    """The program on codes; None where it has no text.  Raises `Refused` where new text is made, which has no codes."""
    textual = frozenset(one.name for one in program.inputs if any(map(is_text, one.type.columns)))
    literals = _Literals()
    literals.collect(program.body)
    if not textual and not literals.texts:
        return None
    coding = _Coding(literals)
    body = coding.visit(program.body)
    inputs = [replace(one, type=_coded(one.type)) for one in program.inputs]
    further = (literals.input, *(Variable(name, type=kind) for name, kind in _TABLES.items()))
    inputs += [Input(one.name, one.type) for one in further if one.name in coding.read]
    known = {size for one in inputs for length in one.type.shape for size in length.names()}
    sizes = *program.sizes, *(one for one in (TEXTS, CHARACTERS, WRITTEN) if one in known)
    outputs = tuple(replace(one, type=_coded(one.type)) for one in program.outputs)
    core = replace(program, sizes=sizes, inputs=tuple(inputs), outputs=outputs, body=body)
    return OnCodes(core, tuple(literals.texts), textual, frozenset(coding.read & _TABLES.keys()))


def _coded(kind: Type) -> Type:
    """A type with codes in the place of text; the same object where it has none."""
    if kind.parts:
        parts = tuple(_coded(one) for one in kind.parts)
        return kind if all(map(is_, parts, kind.parts)) else replace(kind, parts=parts)
    if not any(map(is_text, kind.columns)):
        return kind
    return replace(kind, columns=tuple(replace(CODE, name=c.name) if is_text(c) else c for c in kind.columns))


class _Literals:
    """The texts that a program writes out: where each literal, or block of literals, has its codes in one vector."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.places: dict[int, int] = {}
        self._known: dict[tuple[str, ...], int] = {}

    @property
    def input(self) -> Variable:
        return Variable(LITERALS, type=Type((Size.of(len(self.texts)),), (CODE,)))

    def collect(self, body: Expr) -> None:
        """Gives places to all that is written out in an expression, walked without recursion."""
        seen, pending = set[int](), [body]
        while pending:
            expr = pending.pop()
            if id(expr) in seen:
                continue
            seen.add(id(expr))
            texts = _written_out(expr)
            if texts:
                self.places[id(expr)] = self._place(texts)
            else:
                pending += expr.children()

    def _place(self, texts: tuple[str, ...]) -> int:
        if texts not in self._known:
            self._known[texts] = len(self.texts)
            self.texts += texts
        return self._known[texts]


def _written_out(expr: Expr) -> tuple[str, ...]:
    """The texts of a literal, or of a vector of literals; of a ToL that is filled with one, this one."""
    match expr:
        case Literal(value=str() as text):
            return (text,)
        case Join(parts=parts, axis=0) if not any(one.type.shape for one in parts):
            texts = tuple(one.value for one in parts if isinstance(one, Literal) and isinstance(one.value, str))
            return texts if len(texts) == len(parts) else ()
    return ()


@dataclass(slots=True)
class _Coding:
    """A walk over a program; an expression that several places share is walked once, and stays shared."""

    literals: _Literals
    read: set[str] = field(default_factory=set)
    _done: dict[int, tuple[Expr, bool]] = field(default_factory=dict)
    _reads: bool = False
    _names: int = 0

    def visit(self, expr: Expr) -> Expr:
        """An expression on codes; notes whether it reads an input that the program did not have."""
        if id(expr) not in self._done:
            before, self._reads = self._reads, False
            self._done[id(expr)] = self._visited(expr), self._reads
            self._reads = before
        found, reads = self._done[id(expr)]
        self._reads |= reads
        return found

    def _visited(self, expr: Expr) -> Expr:
        if isinstance(expr, Let | Require):
            return self._chain(expr)
        if id(expr) in self.literals.places:
            return self._literal(expr, self.literals.places[id(expr)])
        if isinstance(expr, Apply) and expr.function in ("length", "code"):
            return self._characters(expr, [self.visit(one) for one in expr.arguments])
        if isinstance(expr, Apply) and expr.function in CASES:
            return self._cased(expr, self.visit(expr.arguments[0]))
        if isinstance(expr, Apply) and FUNCTIONS[expr.function].kind == "text":
            raise Refused(f"new text, made by {expr.function}, is left to the interpreter")
        if isinstance(expr, Apply) and expr.function == "to_number":
            return self._number(expr, self.visit(expr.arguments[0]))
        made = rebuild(expr, self.visit)
        if isinstance(made, Call) and isinstance(expr, Call):
            made = self._call(made, self._done[id(expr.body)][1])
        if isinstance(made, Reduce):
            states = tuple(_coded(one) for one in made.state_types)
            made = made if all(map(is_, states, made.state_types)) else replace(made, state_types=states)
        kind = _coded(made.type)
        return made if kind is made.type else replace(made, type=kind)

    def _call(self, call: Call, reads: bool) -> Call:
        """A call whose body calls share sees its arguments alone; what is differentiated was so before."""
        if call.shared and reads:
            call = replace(call, shared=False)
        return call if call.derivative is None else replace(call, derivative=None)

    def _chain(self, expr: Expr) -> Expr:
        """A run of bindings, walked without recursion: programs have thousands in a row."""
        links, inside = unwound(expr)
        made = [self._link(one) for one in links]
        last = self.visit(inside)
        return expr if last is inside and all(map(is_, made, links)) else wound(made, last)

    def _link(self, one: Let | Require) -> Let | Require:
        """One of a run of bindings; itself where it binds the same."""
        if not isinstance(one, Let):
            return one
        value = self.visit(one.value)
        return one if value is one.value else replace(one, value=value)

    # What stands for text

    def _input(self, one: Variable) -> Variable:
        self._reads = True
        self.read.add(one.name)
        return one

    def _table(self, name: str) -> Variable:
        return self._input(Variable(name, type=_TABLES[name]))

    def _literal(self, expr: Expr, place: int) -> Expr:
        """Codes of the vector of literals: one, several in a row, or one at every element."""
        vector, kind = self._input(self.literals.input), _coded(expr.type)
        if isinstance(expr, Join):
            items: Range | Coordinate = Range(Size.of(place + 1), kind.shape[0])
            return Part(vector, (items,), type=kind, span=expr.span)
        one = Part(vector, (Coordinate(Size.of(place + 1)),), type=kind.element(), span=expr.span)
        if not kind.shape:
            return one
        names = tuple(self._name("k") for _ in kind.shape)
        return Map(names, kind.shape, one, type=kind, span=expr.span)

    def _name(self, base: str) -> str:
        self._names += 1
        return f"{base} {self._names}"

    def _cased(self, expr: Apply, text: Expr) -> Expr:
        """The code of a text in another case: the dictionary of a run has all of them."""
        code = self._name("text")
        table = self._table(f"text {expr.function}")
        found = Part(table, (Coordinate(Size.of(code) + 1),), type=Type((), (CODE,)), span=expr.span)
        return Let((code,), text, found, type=found.type, span=expr.span)

    def _number(self, expr: Apply, text: Expr) -> Expr:
        """The number that a text writes: at 0, where there is none, it is outside its table."""
        code, place = self._name("text"), self._name("place")
        where = Part(self._table(PLACES), (Coordinate(Size.of(code) + 1),), type=NUMERIC, span=expr.span)
        found: Expr = Part(self._table(VALUES), (Coordinate(Size.of(place)),), type=Type((), (REAL,)), span=expr.span)
        for name, value in ((place, where), (code, text)):
            found = Let((name,), value, found, type=found.type, span=expr.span)
        return found

    def _characters(self, expr: Apply, arguments: Sequence[Expr]) -> Expr:
        """How many characters a text has, or one of them, from the tables of the dictionary's texts."""
        code = self._name("text")
        place = Coordinate(Size.of(code) + 1)
        length = Part(self._table(LENGTHS), (place,), type=NUMERIC, span=expr.span)
        if expr.function == "length":
            return Let((code,), arguments[0], length, type=NUMERIC, span=expr.span)
        count, start, at = self._name("length"), self._name("start"), self._name("at")
        characters = Range(Size.of(start) + 1, Size.of(count))
        text = Part(self._table(POINTS), (characters,), type=Type((Size.of(count),), (NUMBER,)), span=expr.span)
        found: Expr = Part(text, (Coordinate(Size.of(at)),), type=NUMERIC, span=expr.span)
        bound = (
            (code, arguments[0]), (count, length), (at, arguments[1]),
            (start, Part(self._table(STARTS), (place,), type=NUMERIC, span=expr.span)),
        )  # fmt: skip
        for name, value in reversed(bound):
            found = Let((name,), value, found, type=NUMERIC, span=expr.span)
        return found
