"""Smaller programs that show the same: definitions that are not needed go, and expressions give way to parts of them."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import fields, replace

from tests.fuzz.generator import Definition, Program
from tests.fuzz.judges import Difference, differences
from tests.fuzz.kinds import Meaningless
from tests.fuzz.tree import Call, Name, Node
from tests.fuzz.writer import decided, varies

TRIES = 40


def shrunk(program: Program, difference: Difference) -> tuple[Program, Difference]:
    """A smaller program with a difference of the same kind, and that difference; tried a while, and no longer."""
    tries = TRIES
    start = _with_data(program, difference)
    found = _shows(start, difference)
    if found is None:
        return program, difference
    best, shown = start, found
    changed = True
    while changed and tries > 0:
        changed = False
        for candidate in _candidates(best):
            if _is_decided(candidate):
                continue
            tries -= 1
            found = _shows(candidate, difference)
            if found is not None:
                best, shown, changed = candidate, found, True
                break
            if tries <= 0:
                break
    return best, shown


def _is_decided(program: Program) -> bool:
    """Whether a checker may decide a condition of a program, so that kinds are no longer those of both branches."""
    fixed: dict[str, bool] = {}
    for one in program.definitions:
        if decided(one.node, fixed):
            return True
        fixed[one.id] = not varies(one.node, fixed)
    return False


def _with_data(program: Program, difference: Difference) -> Program:
    return replace(program, data=(program.data[difference.data],))


def _shows(program: Program, difference: Difference) -> Difference | None:
    """The difference of that kind in a program, where it has one: between the same judges, of the same nature."""
    try:
        program.types()
        found = differences(program)[0]
    except (Meaningless, KeyError, AssertionError):
        return None
    return next((one for one in found if one.signature[:3] == difference.signature[:3]), None)


def _candidates(program: Program) -> Iterator[Program]:
    """Programs with less in them: fewer definitions first, then smaller ones."""
    for one in reversed(program.definitions):
        needed = {node.id for other in program.definitions if other is not one for node in other.node.walk()
                  if isinstance(node, Name)}  # fmt: skip
        if one.id not in needed and len(program.definitions) > 1:
            yield _cleared(program, tuple(other for other in program.definitions if other is not one))
    for place, one in enumerate(program.definitions):
        for smaller in _smaller(one):
            yield _cleared(program, (*program.definitions[:place], smaller, *program.definitions[place + 1 :]))


def _cleared(program: Program, definitions: tuple[Definition, ...]) -> Program:
    """A program with these definitions, without the inputs and functions that they do not name."""
    nodes = [node for one in definitions for node in one.node.walk()]
    called = {node.id for node in nodes if isinstance(node, Call)}
    functions = tuple(one for one in program.functions if one.id in called)
    return replace(program, definitions=copy.deepcopy(definitions), functions=functions)


def _smaller(definition: Definition) -> Iterator[Definition]:
    """A definition with one node replaced by one inside it of the same type."""
    size = sum(1 for _ in definition.node.walk())
    for place in range(size):
        node = _nth(definition.node, place)
        for k, child in enumerate(node.children()):
            if child.type == node.type and child.type is not None:
                made = copy.deepcopy(definition)
                target = _nth(made.node, place)
                smaller = list(target.children())[k]
                yield replace(made, node=smaller) if place == 0 else _replaced(made, target, smaller)


def _nth(node: Node, place: int) -> Node:
    return next(one for number, one in enumerate(node.walk()) if number == place)


def _replaced(definition: Definition, target: Node, smaller: Node) -> Definition:
    for node in definition.node.walk():
        for one in fields(node):
            value = getattr(node, one.name)
            if value is target:
                setattr(node, one.name, smaller)
                return definition
            if isinstance(value, list) and any(item is target for item in value):
                value[next(k for k, item in enumerate(value) if item is target)] = smaller
                return definition
    return definition
