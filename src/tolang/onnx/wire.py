"""Models as bytes: a message without the data of its large tensors, which stay in the file, found by offset and length.

    message = number of a field and how it is written, length, content; tensors lie in graphs, in nodes, in functions

A tensor whose data is left out says so as ONNX does of data in another file.  Whatever is not written as usual, or is
cut short, is not taken apart here: it is for the reader of whole messages to judge.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from enum import Enum, auto

from tolang.ground.dataclasses import dataclass, field

LARGE = 1 << 14
"""Bytes of data from which on a tensor is left in its file."""
DEEPEST = 100
"""Messages within messages, as many as the usual reader follows."""

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
DIMS, DATA_TYPE, RAW_DATA, EXTERNAL_DATA, DATA_LOCATION = 1, 2, 9, 13, 14
BESIDE_DATA = frozenset({1, 2, 8, 12, 16})
"""Fields of a tensor that go with raw data: lengths, element type, name, description, further properties."""


class MessageKind(Enum):
    """Messages in which tensors are found."""

    MODEL = auto()
    GRAPH = auto()
    NODE = auto()
    ATTRIBUTE = auto()
    FUNCTION = auto()
    TENSOR = auto()


INSIDE: Mapping[MessageKind, Mapping[int, MessageKind]] = {
    MessageKind.MODEL: {7: MessageKind.GRAPH, 25: MessageKind.FUNCTION},
    MessageKind.GRAPH: {1: MessageKind.NODE, 5: MessageKind.TENSOR},
    MessageKind.NODE: {5: MessageKind.ATTRIBUTE},
    MessageKind.ATTRIBUTE: {5: MessageKind.TENSOR, 6: MessageKind.GRAPH, 10: MessageKind.TENSOR, 11: MessageKind.GRAPH},
    MessageKind.FUNCTION: {7: MessageKind.NODE},
    MessageKind.TENSOR: {},
}
"""The fields of each kind of message that hold further ones."""


class Unusual(Exception):
    """Bytes that are not taken apart here."""


@dataclass(slots=True)
class Slim:
    """A message without the data of large tensors, and a digest of everything in it but that data."""

    content: bytes
    digest: str
    left_out: int


@dataclass(slots=True)
class _Field:
    """One field of a message: where it begins, where its content lies, or its value."""

    number: int
    form: int
    begin: int
    start: int
    end: int
    value: int = 0


def slim(content: memoryview, location: str, widths: Mapping[int, int]) -> Slim:
    """A model's message without the data of large tensors, which is then said to be in the file of a given name.

    `widths` are the bytes of an element, by element type, of those types whose data is left out.
    """
    cutter = _Cutter(content, location, widths)
    pieces, _ = cutter.message(MessageKind.MODEL, 0, len(content), 0)
    digest = hashlib.sha256(repr(cutter.cuts).encode())
    place = 0
    for start, end in cutter.cuts:
        digest.update(content[place:start])
        place = end
    digest.update(content[place:])
    return Slim(b"".join(pieces), digest.hexdigest(), len(cutter.cuts))


@dataclass(slots=True)
class _Cutter:
    """Bytes on their way to a slim message: where data was left out, in order."""

    content: memoryview
    location: str
    widths: Mapping[int, int]
    cuts: list[tuple[int, int]] = field(default_factory=list)

    def message(self, kind: MessageKind, start: int, end: int, depth: int) -> tuple[list[bytes | memoryview], int]:
        """The pieces of a message without large data, and how many bytes they are."""
        if kind is MessageKind.TENSOR:
            return self._tensor(start, end)
        if depth > DEEPEST:
            raise Unusual
        inside, pieces, length, copied = INSIDE[kind], list[bytes | memoryview](), 0, start
        singles = 0
        place = start
        while place < end:
            one = self._field(place, end)
            place = one.end
            singles += kind is MessageKind.ATTRIBUTE and one.number == 5
            if one.form != BYTES or one.end - one.start < LARGE or one.number not in inside:
                continue
            before = len(self.cuts)
            further, size = self.message(inside[one.number], one.start, one.end, depth + 1)
            if len(self.cuts) == before:
                continue
            head = varint(one.number << 3 | BYTES) + varint(size)
            pieces += [self.content[copied : one.begin], head, *further]
            length += one.begin - copied + len(head) + size
            copied = one.end
        if singles > 1:
            raise Unusual
        pieces.append(self.content[copied:end])
        return pieces, length + end - copied

    def _tensor(self, start: int, end: int) -> tuple[list[bytes | memoryview], int]:
        """A tensor, without its data where that is raw and just as much as its lengths ask for."""
        dims, element, raw = list[int](), 0, list[_Field]()
        place = start
        while place < end:
            one = self._field(place, end)
            place = one.end
            if one.number == RAW_DATA and one.form == BYTES:
                raw.append(one)
            elif one.number == DATA_TYPE and one.form == VARINT:
                element = one.value
            elif one.number == DIMS:
                dims += [one.value] if one.form == VARINT else self._packed(one)
            elif one.number not in BESIDE_DATA:
                return [self.content[start:end]], end - start
        if len(raw) != 1 or element not in self.widths or raw[0].end - raw[0].start < LARGE:
            return [self.content[start:end]], end - start
        data = raw[0]
        if math.prod(dims) * self.widths[element] != data.end - data.start:
            return [self.content[start:end]], end - start
        self.cuts.append((data.start, data.end))
        reference = outside(self.location, data.start, data.end - data.start)
        pieces: list[bytes | memoryview] = [self.content[start : data.begin], self.content[data.end : end], reference]
        return pieces, sum(map(len, pieces))

    def _packed(self, one: _Field) -> list[int]:
        """The numbers of a field that holds several."""
        if one.form != BYTES:
            raise Unusual
        found, place = [], one.start
        while place < one.end:
            value, place = self._varint(place, one.end)
            found.append(value)
        return found

    def _field(self, begin: int, end: int) -> _Field:
        tag, place = self._varint(begin, end)
        number, form = tag >> 3, tag & 7
        if form == VARINT:
            value, stop = self._varint(place, end)
            return _Field(number, form, begin, place, stop, value)
        if form == BYTES:
            length, place = self._varint(place, end)
        elif form in (FIXED64, FIXED32):
            length = 8 if form == FIXED64 else 4
        else:
            raise Unusual
        if number == 0 or place + length > end:
            raise Unusual
        return _Field(number, form, begin, place, place + length)

    def _varint(self, place: int, end: int) -> tuple[int, int]:
        value = shift = 0
        while place < end and shift < 70:
            byte = self.content[place]
            place += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value & (1 << 64) - 1, place
            shift += 7
        raise Unusual


def varint(value: int) -> bytes:
    """A whole number as messages write lengths: seven binary digits in a byte, the lowest first."""
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)


def outside(location: str, offset: int, length: int) -> bytes:
    """The fields of a tensor that say where its data is."""
    found = b""
    for key, value in (("location", location), ("offset", str(offset)), ("length", str(length))):
        entry = b"".join(
            varint(number << 3 | BYTES) + varint(len(text)) + text.encode() for number, text in ((1, key), (2, value))
        )
        found += varint(EXTERNAL_DATA << 3 | BYTES) + varint(len(entry)) + entry
    return found + varint(DATA_LOCATION << 3 | VARINT) + varint(1)
