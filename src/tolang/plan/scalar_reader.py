"""Scalars of plans from text: the phrases that lines of `reader.py` are made of, and the columns that they leave out.

A scalar is read as it is written first, then its columns are found, which may follow from what stands around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tolang.core.core import Constant as ConstantValue
from tolang.core.phrases import PhraseReader
from tolang.core.tokens import Token, token_pattern
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import Source
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import Column, Space
from tolang.plan.exact_printer import COMPONENT, LABEL, OPENING
from tolang.plan.implied_columns import COORDINATE, column_beside, implied_column, is_open
from tolang.plan.nest import (
    OUTSIDE,
    Buffer,
    Checked,
    ConstantScalar,
    Draw,
    FaultInfo,
    Group,
    Index,
    Load,
    Named,
    Operation,
    Reduction,
    Scalar,
    Select,
    Where,
)
from tolang.plan.schedule_text import read_schedule

Loops = tuple[tuple[str, ...], tuple[Size, ...]]
UNKNOWN = Column(Space("B"), "unknown")
"""Stands for the column of a scalar that is still to follow from its parts and from where it stands."""


class ScalarReader(PhraseReader):
    """Reads scalars.  `names` and `buffers` are what is in scope, `folds` what labels stand for."""

    pattern = token_pattern(r":=|<(?!=)|>(?!=)|\.(?!\.)|")

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.names: dict[str, Column] = {}
        self.buffers: dict[str, Buffer] = {}
        self.folds: dict[str, Group] = {}
        self.settled_folds: dict[Group, Group] = {}
        self.tokens_read: dict[Scalar, Token] = {}

    @contextmanager
    def scope(self, iterators: tuple[str, ...] = ()) -> Iterator[None]:
        """What is bound inside is forgotten afterwards."""
        names, buffers = self.names, self.buffers
        self.names, self.buffers = names | dict.fromkeys(iterators, COORDINATE), dict(buffers)
        yield
        self.names, self.buffers = names, buffers

    def begins_line(self, token: Token) -> bool:
        return not self.source.text[self._line_start(token) : token.start].strip()

    def place(self, token: Token) -> int:
        """How far to the right a token stands, counted from 1."""
        return token.start - self._line_start(token) + 1

    def _line_start(self, token: Token) -> int:
        return self.source.text.rfind("\n", 0, token.start) + 1

    def ends_line(self) -> bool:
        return self.token.kind == "end" or self.begins_line(self.token)

    # Phrases

    def known_buffer(self) -> Buffer:
        token = self.token
        name = self.name()
        if name not in self.buffers:
            raise self.problem("no buffer in scope has this name", token, expected="a buffer")
        return self.buffers[name]

    def loops(self) -> Loops:
        iterators: list[str] = []
        extents: list[Size] = []
        self.expect("[")
        while not self.sees("]"):
            iterators.append(self.name())
            self.expect("<=")
            extents.append(self.size())
            if not self.accept(","):
                break
        self.expect("]")
        return tuple(iterators), tuple(extents)

    def complaint(self) -> FaultInfo:
        code = self.advance().text if self.token.kind == "word" else ""
        return FaultInfo(code, self.text())

    def text(self) -> str:
        if self.token.kind != "text":
            raise self.problem("a text must stand here", expected="a text in quotes")
        return self.advance().text

    # Scalars as they are written: columns that are not written are UNKNOWN

    def scalar(self, expected: Column | None) -> Scalar:
        """A scalar of a step, with all its columns."""
        return self._settled(self._written(), expected)

    def _written(self) -> Scalar:
        token = self.token
        scalar = self._simple()
        if self.accept(":"):
            (column,) = self.columns()
            scalar = replace(scalar, column=column)
        self.tokens_read[scalar] = token
        return scalar

    def _list_of_scalars(self) -> tuple[Scalar, ...]:
        found = [self._written()]
        while self.accept(","):
            found.append(self._written())
        return tuple(found)

    def _simple(self) -> Scalar:
        if self.starts_constant() or self._sees_complex():
            return ConstantScalar(self.any_constant(), column=UNKNOWN)
        if self.accept("<"):
            size = self.size()
            self.expect(">")
            return Index(size, column=UNKNOWN)
        if self.accept("("):
            return self._in_brackets()
        if self.accept("{"):
            return self._where()
        if self.accept("reduce"):
            return self._reduction()
        if self.accept("random"):
            site = self.integer()
            self.expect("[")
            return Draw(site, self.sizes("]"), column=UNKNOWN)
        return self._named()

    def _sees_complex(self) -> bool:
        return self.sees("complex") and self.followed_by("(", glued=True)

    def any_constant(self) -> ConstantValue:
        if not self._sees_complex():
            return self.constant()
        self.advance()
        self.expect("(")
        real = self.decimal()
        self.expect(",")
        imaginary = self.decimal()
        self.expect(")")
        return complex(real, imaginary)

    def _named(self) -> Scalar:
        """What opens with a name: a function, an element of a buffer, a component of a fold, or a bound name."""
        token = self.token
        if token.kind != "name" and (token.kind != "word" or token.text in OPENING):
            raise self.problem("a scalar must stand here", expected="a scalar")
        if self.followed_by("(", glued=True):
            function = self.advance().text
            self.advance()
            arguments = () if self.sees(")") else self._list_of_scalars()
            self.expect(")")
            return Operation(function, arguments, column=UNKNOWN)
        if self.followed_by("[", glued=True):
            buffer = self.known_buffer()
            self.expect("[")
            return self._load(buffer)
        component = COMPONENT.fullmatch(token.text) if token.kind == "word" else None
        if component is None:
            return Named(self.name(), column=UNKNOWN)
        if component[1] not in self.folds:
            raise self.problem("no fold before this has the label", expected="a label")
        return self._component(self.folds[component[1]], int(component[2]), self.advance())

    def _component(self, group: Group, number: int, token: Token) -> Reduction:
        if not 1 <= number <= len(group.states):
            raise self.problem("the fold has no such component", token, f"1 to {len(group.states)}")
        return Reduction(group, number - 1, column=UNKNOWN)

    def _load(self, buffer: Buffer) -> Load:
        indices: list[Size] = []
        while not self.sees("]", "provided"):
            indices.append(self.size())
            if not self.accept(","):
                break
        checks = self._checks() if self.accept("provided") else ()
        self.expect("]")
        return Load(buffer, tuple(indices), checks, column=UNKNOWN)

    def _checks(self) -> tuple[Condition, ...]:
        found = [self.condition()]
        while self.accept(","):
            found.append(self.condition())
        return tuple(found)

    def _in_brackets(self) -> Scalar:
        if not self.sees("if", "when"):
            value = self._written()
            self.expect("provided")
            checks = self._checks()
            complaint = self.complaint() if self.accept("else") else OUTSIDE
            self.expect(")")
            return Checked(checks, value, complaint, column=UNKNOWN)
        by_guard = self.advance().text == "if"
        guard = self.condition() if by_guard else None
        test = () if by_guard else (self._written(),)
        self.expect("then")
        then = self._written()
        self.expect("else")
        otherwise = self._written()
        self.expect(")")
        return Select(guard, test, then, otherwise, column=UNKNOWN)

    def _where(self) -> Where:
        bindings: list[tuple[str, Scalar]] = []
        while self.followed_by("="):
            name = self.name()
            self.advance()
            bindings.append((name, self._written()))
            self.expect(";")
        value = self._written()
        self.expect("}")
        return Where(tuple(bindings), value, column=UNKNOWN)

    def _reduction(self) -> Reduction:
        label = self.advance().text if self.token.kind == "word" and LABEL.fullmatch(self.token.text) else ""
        associative, ordered = (self.accept(word) is not None for word in ("associative", "ordered"))
        combine = self.name() if self.accept("with") else None
        schedule = read_schedule(self) if self.accept("by") else None
        iterators, extents = self.loops()
        states: list[str] = []
        columns: list[Column] = []
        initials: list[Scalar] = []
        self.expect("(")
        while not self.sees("->"):
            states.append(self.name())
            columns.append(self.columns()[0] if self.accept(":") else UNKNOWN)
            self.expect("=")
            initials.append(self._written())
            if not self.accept(","):
                break
        self.expect("->")
        token = self.token
        steps = self._list_of_scalars()
        if len(steps) != len(states):
            raise self.problem("a fold has a step for each of its states", token, f"{len(states)} scalars")
        self.expect(")")
        made = tuple(states), tuple(columns), tuple(initials), steps, combine, associative, ordered, schedule
        group = Group(iterators, extents, *made)
        if label:
            self.folds[label] = group
        numbered = self.accept(".") is not None
        token = self.token
        return self._component(group, self.integer() if numbered else 1, token)

    # The columns that follow

    def _settled(self, scalar: Scalar, expected: Column | None) -> Scalar:
        """A scalar with all its columns; parts that end it are expected to have the column that it has."""
        written = None if scalar.column is UNKNOWN else scalar.column
        made = self._with_parts(scalar, written or expected)
        column = written or implied_column(made, expected, self.names)
        if column is None:
            what = f"nothing here binds {scalar.name}" if isinstance(scalar, Named) else "the column must be written"
            raise self.problem(what, self.tokens_read[scalar], expected="scalar:column")
        return replace(made, column=column)

    def _with_parts(self, scalar: Scalar, expected: Column | None) -> Scalar:
        match scalar:
            case Operation(arguments=arguments):
                made = [one if is_open(one) else self._settled(one, None) for one in arguments]
                beside = column_beside(next((one.column for one in made if not is_open(one)), None))
                return replace(scalar, arguments=tuple(self._settled(m, beside) if is_open(m) else m for m in made))
            case Checked(value=value):
                return replace(scalar, value=self._settled(value, expected))
            case Select(test=test, then=then, otherwise=otherwise):
                asked = tuple(self._settled(one, None) for one in test)
                then = self._settled(then, expected)
                return replace(scalar, test=asked, then=then, otherwise=self._settled(otherwise, then.column))
            case Where(bindings=bindings, value=value):
                bound: list[tuple[str, Scalar]] = []
                with self.scope():
                    for name, one in bindings:
                        bound.append((name, self._settled(one, None)))
                        self.names[name] = bound[-1][1].column
                    return replace(scalar, bindings=tuple(bound), value=self._settled(value, expected))
            case Reduction(group=group, position=position):
                if group not in self.settled_folds:
                    self.settled_folds[group] = self._settled_fold(group, position, expected)
                return replace(scalar, group=self.settled_folds[group])
        return scalar

    def _settled_fold(self, group: Group, position: int, expected: Column | None) -> Group:
        initials: list[Scalar] = []
        columns: list[Column] = []
        for place, (initial, column) in enumerate(zip(group.initials, group.columns, strict=True)):
            implied = expected if place == position else None
            initials.append(self._settled(initial, implied if column is UNKNOWN else column))
            columns.append(initials[-1].column if column is UNKNOWN else column)
        with self.scope(group.iterators):
            self.names.update(zip(group.states, columns, strict=True))
            steps = tuple(self._settled(step, column) for step, column in zip(group.steps, columns, strict=True))
        return replace(group, columns=tuple(columns), initials=tuple(initials), steps=steps)
