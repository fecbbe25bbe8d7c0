"""Schedules as exact text, and read back: `tiled(rows 6, vectors 2, lanes 4, left rows) else loops()`.

A schedule is written as its type and its parameters, but for truths that do not hold; an axis as `axis j block 4096`.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Protocol

from tolang.core.notation import show_name
from tolang.ground.dataclasses import fields
from tolang.plan.schedule import (
    ArgReduce,
    Compaction,
    DoubleBuffered,
    LoopSchedule,
    OperandSource,
    Ownership,
    PrefixReuse,
    Prepack,
    Role,
    ScanSchedule,
    ScatterSchedule,
    Schedule,
    ScheduleAxis,
    States,
    Tiled,
    TreeReduce,
)

TYPES: dict[str, type[Schedule]] = {
    "loops": LoopSchedule,
    "tiled": Tiled,
    "scatter": ScatterSchedule,
    "scan": ScanSchedule,
    "swapped": DoubleBuffered,
    "compaction": Compaction,
    "argreduce": ArgReduce,
    "treereduce": TreeReduce,
    "reuse": PrefixReuse,
    "prepack": Prepack,
}
"""The types of schedules by the word that each is written as."""
WORDS = {kind: word for word, kind in TYPES.items()}
CHOICES: dict[str, type[Enum]] = {
    "states": States,
    "left": OperandSource,
    "right": OperandSource,
    "ownership": Ownership,
}
"""Parameters that are one of a few words."""


def show_schedule(schedule: Schedule) -> str:
    """A schedule as text that `read_schedule` reads."""
    axes: tuple[ScheduleAxis, ...] = getattr(schedule, "axes", ())
    parts = [f"axis {show_name(axis.name)} {_word(axis.role)} {axis.factor}" for axis in axes]
    parts += [part for field in fields(schedule) for part in _shown(field.name, getattr(schedule, field.name))]
    text = f"{WORDS[type(schedule)]}({', '.join(parts)})"
    fallback = getattr(schedule, "fallback", None)
    return text if fallback is None else f"{text} else {show_schedule(fallback)}"


def _shown(name: str, value: Any) -> list[str]:
    match value:
        case bool():
            return [name] if value else []
        case int():
            return [f"{name} {value}"]
        case Enum():
            return [f"{name} {_word(value)}"]
    return []


def _word(value: Enum) -> str:
    return value.name.lower()


class TokenReader(Protocol):
    """What reads the tokens of a text."""

    def accept(self, *texts: str) -> Any: ...
    def expect(self, text: str) -> Any: ...
    def sees(self, *texts: str) -> bool: ...
    def name(self) -> str: ...
    def integer(self) -> int: ...
    def problem(self, message: str, *, expected: str) -> Exception: ...


def read_schedule(reader: TokenReader) -> Schedule:
    """A schedule, as `show_schedule` writes it."""
    if not reader.sees(*TYPES):
        raise reader.problem("the type of a schedule must stand here", expected="a schedule")
    kind = TYPES[reader.accept(*TYPES).text]
    types = {field.name: str(field.type) for field in fields(kind)}
    given: dict[str, Any] = {}
    axes: list[ScheduleAxis] = []
    reader.expect("(")
    while not reader.sees(")"):
        if reader.accept("axis"):
            axes.append(ScheduleAxis(reader.name(), _choice(reader, Role), reader.integer()))
        else:
            if not reader.sees(*types):
                raise reader.problem("this schedule has no such parameter", expected=", ".join(types))
            name = reader.accept(*types).text
            given[name] = _value(reader, name, types[name])
        if not reader.accept(","):
            break
    reader.expect(")")
    if axes:
        given["axes"] = tuple(axes)
    if kind is Tiled and reader.accept("else"):
        given["fallback"] = read_schedule(reader)
    return kind(**given)


def _value(reader: TokenReader, name: str, kind: str) -> Any:
    if name in CHOICES and kind != "bool":
        return _choice(reader, CHOICES[name])
    return True if kind == "bool" else reader.integer()


def _choice(reader: TokenReader, choices: type[Enum]) -> Any:
    words = {_word(one): one for one in choices}
    if not reader.sees(*words):
        raise reader.problem("this parameter is one of a few words", expected=", ".join(words))
    return words[reader.accept(*words).text]
