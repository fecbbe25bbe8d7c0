"""Loops that count: how many steps a loop makes, and what of its state stays as it is, read off its body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from onnx import GraphProto, NodeProto

from tolang.ground.dataclasses import dataclass
from tolang.onnx.domains import operator_of
from tolang.onnx.elements import Array
from tolang.onnx.importer import GraphScope, Importer
from tolang.onnx.protos import attributes, to_array
from tolang.onnx.subgraphs import known_truth
from tolang.onnx.values import TensorValue, Value
from tolang.syntax import making, tree

CARRIED = frozenset({"Identity", "Cast", "Squeeze", "Unsqueeze", "Reshape"})
"""Operators that give a whole number on as it is."""
COMPARED = {"Less": (0, 1, 0), "LessOrEqual": (0, 1, 1), "Greater": (1, 0, 0), "GreaterOrEqual": (1, 0, 1)}
"""Comparisons that a counter passes for a while: where the counter and its limit stand, what is added to the limit."""


@dataclass(frozen=True, slots=True)
class LoopCounter:
    """A state that is a known number at first and grows by another one with every step."""

    place: int
    start: int
    step: int
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Body:
    """The body of a loop beside the values that it is begun with: its condition first, then its states."""

    importer: Importer
    graph: GraphProto
    states: Sequence[Value | None]
    scope: GraphScope

    @cached_property
    def makers(self) -> Mapping[str, NodeProto]:
        return {name: node for node in self.graph.node for name in node.output}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The places of states by the names they have in the body, from 0, the condition's."""
        return {one.name: place for place, one in enumerate(self.graph.input[1:])}

    @cached_property
    def constants(self) -> Mapping[str, Array]:
        return {one.name: to_array(one) for one in self.graph.initializer}

    def source(self, name: str, carriers: frozenset[str] = CARRIED) -> str:
        """The value that another one is, but for its type and shape."""
        while name in self.makers and operator_of(self.makers[name]) in carriers:
            name = self.makers[name].input[0]
        return name

    def outside(self, name: str) -> Value | None:
        """A value that is the same in every step, as it is outside."""
        if name in self.places:
            place = self.places[name]
            return self.states[place] if self.stays(place) else None
        inner = name in self.makers or name in self.constants or name == self.graph.input[0].name
        return None if inner or name not in self.scope else self.scope.find(name)

    def stays(self, place: int) -> bool:
        """Whether a step gives a state on as it is."""
        given: str = self.graph.input[place + 1].name
        return self.source(self.graph.output[place].name, frozenset({"Identity"})) == given

    def elements(self, name: str) -> Array | None:
        """The elements of a value that is known."""
        if name in self.constants:
            return self.constants[name]
        maker = self.makers.get(name)
        if maker is not None:
            return attributes(maker).get("value") if operator_of(maker) == "Constant" else None
        return self.importer.elements(self.outside(name))

    def number(self, name: str) -> int | None:
        """A whole number that is known."""
        found = self.elements(name)
        return int(found.reshape(-1)[0]) if found is not None and found.size == 1 and found.dtype.kind in "iu" else None

    @cached_property
    def counters(self) -> Mapping[int, LoopCounter]:
        """The states that count, by their places."""
        found = {}
        for place, state in enumerate(self.states):
            name = self.graph.input[place + 1].name
            adding = self.makers.get(self.source(self.graph.output[place].name, frozenset({"Identity"})))
            if place == 0 or adding is None or operator_of(adding) != "Add" or name not in adding.input:
                continue
            step = self.number(next((one for one in adding.input if one != name), name))
            start = self.importer.elements(state)
            if step and step > 0 and start is not None and start.size == 1 and start.dtype.kind in "iu":
                found[place] = LoopCounter(place, int(start.reshape(-1)[0]), step, start.shape)
        return found

    def count(self, name: str) -> tuple[LoopCounter, int] | None:
        """The counter that a value is, and by how many steps it is ahead of what the step was begun with."""
        name = self.source(name)
        if name == self.graph.input[0].name:
            return LoopCounter(-1, 0, 1, ()), 0
        if name in self.places:
            counter = self.counters.get(self.places[name])
            return None if counter is None else (counter, 0)
        for place, counter in self.counters.items():
            if self.source(self.graph.output[place].name) == name:
                return counter, 1
        return None

    def steps(self) -> tree.Expression | None:
        """The number of steps of a loop that goes on while a counter is below a fixed limit."""
        maker = self.makers.get(self.source(self.graph.output[0].name))
        if maker is None or operator_of(maker) not in COMPARED:
            return None
        left, right, more = COMPARED[maker.op_type]
        counted, limit = self.count(maker.input[left]), self.outside(self.source(maker.input[right]))
        if counted is None or not isinstance(limit, TensorValue) or not self._is_whole(limit):
            return None
        counter, ahead = counted
        below = counter.start - more
        steps = making.plus(making.call("first", limit.expression), -below)
        if counter.step > 1:
            steps = making.call("ceil", making.binary("/", making.parenthesis(steps), making.whole(counter.step)))
        least = making.call("max", making.whole(1 if ahead else 0), steps)
        if known_truth(self.importer, self.states[0]):
            return least if ahead else making.plus(least, 1)
        if not ahead or not self._is_entered_by(maker.op_type, counter.start, limit):
            return None
        return steps if not below and counter.step == 1 else making.call("max", making.whole(0), steps)

    def _is_whole(self, value: TensorValue) -> bool:
        """Whether a value is a whole number that follows from shapes or is known."""
        known = self.importer.elements(value)
        return value.measured if known is None else known.dtype.kind in "iu"

    def _is_entered_by(self, comparison: str, start: int, limit: TensorValue) -> bool:
        """Whether the loop is entered where its counter passes the comparison at the beginning."""
        condition = self._carried(self.states[0])
        maker = self.importer.makers.get(condition.text) if isinstance(condition, TensorValue) else None
        if maker is None or operator_of(maker) != comparison or any(name not in self.scope for name in maker.input):
            return False
        left, right, _ = COMPARED[comparison]
        first = self.importer.elements(self.scope.find(maker.input[left]))
        other, own = self._carried(self.scope.find(maker.input[right])), self._carried(limit)
        same = isinstance(other, TensorValue) and isinstance(own, TensorValue) and other.text == own.text
        return same and first is not None and first.size == 1 and first.reshape(-1)[0] == start

    def _carried(self, value: Value | None) -> Value | None:
        """The value outside the loop that another one there is, but for its type and shape."""
        while isinstance(value, TensorValue):
            maker = self.importer.makers.get(value.text)
            if maker is None or operator_of(maker) not in CARRIED or maker.input[0] not in self.scope:
                break
            value = self.scope.find(maker.input[0])
        return value

    def goes_on(self) -> bool:
        """Whether nothing but the number of steps ends the loop."""
        last = self.elements(self.source(self.graph.output[0].name, frozenset({"Identity"})))
        always = self.stays(0) or (last is not None and last.size == 1 and bool(last.reshape(-1)[0]))
        return always and bool(known_truth(self.importer, self.states[0]))
