"""Plans from text: what `exact_printer.py` writes, read back, so that a pass is tested by text in and text out.

    plan        ["sizes" names] input* strided* step* ("output" names)*
    input       ("input" | "table") buffer ["=" constant, …]
    strided     "strided" names "by" name
    buffer      name ":" column "[" sizes "]" ["in" "panels" "of" number "across" number ["in" "chunks" "of" number]]
                ["and" number "more"] ["as" role]
    step        "nest" loops ["for" text] [schedule] ["rare"]  and below it  case*  element*
             |  "each" loops ["compact"] [schedule]  and steps below it
             |  "repeat" loops ("exchanging" name "and" name)* [schedule]  and steps below it
             |  branch  ["else"  and steps below it  |  "else" branch …]
             |  ["state"] name "=" scalar  |  name ":=" scalar
             |  "buffer" buffer  |  "free" name  |  "require" condition "else" complaint
    branch      ("if" ["seldom"] condition  |  "when" ["seldom"] scalar)  and steps below it
    loops       "[" name "<=" size, … "]"
    complaint   [code] text
    scalar      simple [":" column]
    simple      constant  |  "<" size ">"  |  name
             |  name "[" sizes [checks] "]"  |  "random" number "[" sizes "]"  |  function "(" scalar, … ")"
             |  "(" scalar checks ["else" complaint] ")"
             |  "(" ("if" condition | "when" scalar) "then" scalar "else" scalar ")"
             |  "{" (name "=" scalar ";")* scalar "}"  |  fold ["." position]  |  label "." position
    checks      "provided" condition, …
    fold        "reduce" [label] ["associative"] ["ordered"] ["with" function] [schedule] loops
                "(" name [":" column] "=" scalar, … "->" scalar, … ")"
    element     name "[" sizes "]" "=" scalar
    case        "case" ["rare"] condition schedule
    schedule    "by" type "(" (parameter [value] | "axis" name role factor), … ")" ["else" type "(" … ")"]

Steps below a line stand further to the right, all in one column; inside a step, line ends mean nothing, and what
follows `#` is a comment.  A label, `fold1`, names a fold that has further places in the same step, or in those after it
and inside these: `fold1.2` is its second component, and computed with it.  Sizes, conditions, constants and columns are
those of the core's text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tolang.core.core import Constant as ConstantValue
from tolang.core.tokens import syntax_error
from tolang.ground.reporting.diagnostics import Source
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.recursion import room_to_nest
from tolang.plan.exact_printer import OPENING, origin_of
from tolang.plan.implied_columns import COORDINATE
from tolang.plan.nest import (
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    ConstantTable,
    Each,
    Free,
    Nest,
    PanelLayout,
    Plan,
    Repeat,
    RequireStep,
    Scalar,
    Step,
    Stride,
)
from tolang.plan.scalar_reader import ScalarReader
from tolang.plan.schedule import LoopSchedule, ScheduleCase
from tolang.plan.schedule_text import read_schedule

Result = TypeVar("Result")


def read_plan(text: str, name: str = "plan") -> Plan:
    """The plan that a text says; raises `ToLangSyntaxError`, with line and column, where it says none."""
    return _read(Reader(Source(name, text)), Reader.plan)


@room_to_nest()
def _read(reader: Reader, read: Callable[[Reader], Result]) -> Result:
    try:
        return read(reader)
    except RecursionError:
        at = reader.token
        raise syntax_error("E105", "the text nests too deeply", reader.source, at.start, at.end) from None


class Reader(ScalarReader):
    """Reads steps.  `names` and `buffers` are what is in scope."""

    # Lines

    def _new_line(self) -> int:
        """How far to the right the next line begins; 0 where there is none."""
        if self.token.kind == "end":
            return 0
        if not self.begins_line(self.token):
            raise self.problem("the line goes on after its end", expected="a new line")
        return self.place(self.token)

    def _line_at(self, column: int) -> bool:
        """Whether there is a line more, which must begin in a column."""
        place = self._new_line()
        if place not in (0, column):
            raise self.problem("lines that belong together stand in one column", expected=f"column {column}")
        return place > 0

    def _below(self, place: int, read: Callable[[], Result]) -> tuple[Result, ...]:
        """What stands below a line at a place, read line by line."""
        found: list[Result] = []
        column = self._new_line()
        while self._new_line() > place and self._line_at(column):
            found.append(read())
        return tuple(found)

    # Plans

    def plan(self) -> Plan:
        margin = self.place(self.token)
        sizes = self._names() if self.accept("sizes") else ()
        self.names = dict.fromkeys(sizes, COORDINATE)
        inputs: list[Buffer] = []
        tables: list[ConstantTable] = []
        while self._line_at(margin) and self.sees("input", "table"):
            written = self.advance().text == "table"
            inputs.append(self._buffer("input"))
            self.buffers[inputs[-1].name] = inputs[-1]
            if written:
                self.expect("=")
                tables.append(ConstantTable(inputs[-1], self._constants()))
        strides: list[Stride] = []
        while self._line_at(margin) and self.accept("strided"):
            names = self._names()
            self.expect("by")
            strides.append(Stride(self.name(), names))
            self.names[strides[-1].step] = COORDINATE
        steps: list[Step] = []
        while self._line_at(margin) and not self.sees("output"):
            steps.append(self._step())
        outputs: list[tuple[Buffer, ...]] = []
        while self._line_at(margin):
            self.expect("output")
            outputs.append(self._outputs())
        return Plan(sizes, tuple(inputs), tuple(steps), tuple(outputs), tuple(tables), tuple(strides))

    def _names(self) -> tuple[str, ...]:
        names = [self.name()]
        while self.accept(","):
            names.append(self.name())
        return tuple(names)

    def _constants(self) -> tuple[ConstantValue, ...]:
        values: list[ConstantValue] = []
        if not self.ends_line():
            values.append(self.any_constant())
            while self.accept(","):
                values.append(self.any_constant())
        return tuple(values)

    def _outputs(self) -> tuple[Buffer, ...]:
        buffers: list[Buffer] = []
        if not self.ends_line():
            buffers.append(self.known_buffer())
            while self.accept(","):
                buffers.append(self.known_buffer())
        return tuple(buffers)

    def _buffer(self, role: str) -> Buffer:
        name = self.name()
        self.expect(":")
        (column,) = self.columns()
        self.expect("[")
        shape = self.sizes("]")
        panels = None
        if self.accept("in"):
            width = self._number("panels", "of")
            across = self._number("across")
            panels = PanelLayout(width, across, self._number("chunks", "of") if self.accept("in") else 1)
        beyond = 0
        if self.accept("and"):
            beyond = self.integer()
            self.expect("more")
        return Buffer(name, column, shape, self.name() if self.accept("as") else role, panels, beyond=beyond)

    def _number(self, *words: str) -> int:
        for word in words:
            self.expect(word)
        return self.integer()

    # Steps

    def _step(self) -> Step:
        place = self.place(self.token)
        if self.sees("if", "when"):
            return self._branch(place)
        if self.token.kind == "word" and self.token.text in _STEPS:
            return _STEPS[self.advance().text](self, place)
        if self.token.kind == "word" and self.token.text in OPENING:
            raise self.problem("no step begins like this", expected="a step")
        name = self.name()
        if self.accept(":="):
            return Assign(name, self.scalar(self.names.get(name)))
        return self._bind(name, False)

    def _bind(self, name: str, mutable: bool) -> Bind:
        self.expect("=")
        value = self.scalar(None)
        self.names[name] = value.column
        return Bind(name, value, mutable)

    def _state(self, _place: int) -> Bind:
        return self._bind(self.name(), True)

    def _nest(self, place: int) -> Nest:
        iterators, extents = self.loops()
        origin = self.text() if self.accept("for") else None
        schedule = read_schedule(self) if self.accept("by") else None
        rare = self.accept("rare") is not None
        with self.scope(iterators):
            lines = self._below(place, lambda: self._case() if self.accept("case") else self._element())
        cases = tuple(line for line in lines if isinstance(line, ScheduleCase))
        elements = [line for line in lines if not isinstance(line, ScheduleCase)]
        targets = tuple(target for target, _ in elements)
        values = tuple(value for _, value in elements)
        told = origin_of(targets) if origin is None else origin
        return Nest(iterators, extents, targets, values, told, schedule, cases, rare)

    def _case(self) -> ScheduleCase:
        rare = self.accept("rare") is not None
        condition = self.condition()
        self.expect("by")
        return ScheduleCase(condition, read_schedule(self), rare)

    def _element(self) -> tuple[tuple[Buffer, tuple[Size, ...]], Scalar]:
        buffer = self.known_buffer()
        self.expect("[")
        at = self.sizes("]")
        self.expect("=")
        return (buffer, at), self.scalar(buffer.column)

    def _each(self, place: int) -> Each:
        iterators, extents = self.loops()
        compact = self.accept("compact") is not None
        schedule = read_schedule(self) if self.accept("by") else None
        assert schedule is None or isinstance(schedule, LoopSchedule)
        return Each(iterators, extents, self._inside(place, iterators), compact, schedule)

    def _repeat(self, place: int) -> Repeat:
        iterators, extents = self.loops()
        exchanges: list[tuple[Buffer, Buffer]] = []
        while self.accept("exchanging"):
            first = self.known_buffer()
            self.expect("and")
            exchanges.append((first, self.known_buffer()))
        schedule = read_schedule(self) if self.accept("by") else None
        return Repeat(iterators, extents, self._inside(place, iterators), tuple(exchanges), schedule)

    def _inside(self, place: int, iterators: tuple[str, ...] = ()) -> tuple[Step, ...]:
        folds, self.folds = self.folds, dict(self.folds)
        with self.scope(iterators):
            steps = self._below(place, self._step)
        self.folds = folds
        return steps

    def _branch(self, place: int) -> Branch:
        by_guard = self.advance().text == "if"
        seldom = self.accept("seldom") is not None
        guard = self.condition() if by_guard else None
        test = () if by_guard else (self.scalar(None),)
        then = self._inside(place)
        otherwise: tuple[Step, ...] = ()
        if self._new_line() == place and self.accept("else"):
            on_this_line = self.sees("if", "when") and not self.begins_line(self.token)
            otherwise = (self._further_branch(place),) if on_this_line else self._inside(place)
        return Branch(guard, test, then, otherwise, seldom)

    def _further_branch(self, place: int) -> Branch:
        folds, self.folds = self.folds, dict(self.folds)
        branch = self._branch(place)
        self.folds = folds
        return branch

    def _allocate(self, _place: int) -> Allocate:
        buffer = self._buffer("scratch")
        self.buffers[buffer.name] = buffer
        return Allocate(buffer)

    def _free(self, _place: int) -> Free:
        return Free(self.known_buffer())

    def _require(self, _place: int) -> RequireStep:
        condition = self.condition()
        self.expect("else")
        return RequireStep(condition, self.complaint())


_STEPS: dict[str, Callable[[Reader, int], Step]] = {
    "nest": Reader._nest,
    "each": Reader._each,
    "repeat": Reader._repeat,
    "state": Reader._state,
    "buffer": Reader._allocate,
    "free": Reader._free,
    "require": Reader._require,
}
"""Steps by the words that open their lines."""
