"""What was found out about a model, kept on disk as checked programs are.

An import follows from the model's message without the data of large tensors, from the kinds of its inputs, and from
those large tensors that were looked at while importing, of which digests are kept beside it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from tolang.ground.dataclasses import dataclass, field
from tolang.onnx.elements import Array, dtype_of_element, element_of
from tolang.onnx.kinds import DeclaredInput, Kind, Leaf
from tolang.onnx.nodes import ProgramNode
from tolang.onnx.outline import Outline
from tolang.onnx.stored import Mapped, Weight
from tolang.store.programs import Identity, keep, recall

if TYPE_CHECKING:
    from onnx import NodeProto

    from tolang.check.programs import Checker
    from tolang.syntax import tree

LARGEST_KEPT = 1 << 22
"""Bytes of data that an entry on disk holds at most, beside what it finds in the model's own files."""
TEXT = 8
"""The element type of text."""

REFUSED = "refused"
"""Stands for an import whose program does not pass the checker."""

Leaves = dict[str, tuple[str, tuple[int, ...]]]
"""The program's inputs, each with the model's input that gives it and the path into it where that is a sequence."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A model's program, what it takes and gives, the data it brings, and the nodes it was made of.

    `sizes` are the model's names of its dimensions, by the sizes of the program; `assumed` are the least lengths that
    dimensions are taken to have.  `makers` are the nodes that definitions were made for, to tell of what the checker
    refuses, `module` is the tree of the text, `checker` has checked parts of it; these three are not kept.
    """

    text: str
    leaves: Leaves
    outputs: list[Any]
    data: dict[str, Array | Weight]
    nodes: tuple[ProgramNode, ...]
    gives_tensors: bool
    sizes: dict[str, str] = field(default_factory=dict)
    assumed: dict[str, int] = field(default_factory=dict)
    makers: Mapping[str, NodeProto] = field(default_factory=dict)
    module: tree.SyntaxModule | None = None
    checker: Checker | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ModelRecords:
    """What was kept of a model that was read from files: its outline, imports, kinds of inputs too open for one."""

    files: tuple[Mapped, ...]
    digest: str
    _read: dict[Identity, Imported | str | None] = field(default_factory=dict)

    def part(self, number: int) -> ModelRecords:
        """The records of a part of the model."""
        return ModelRecords(self.files, f"{self.digest} {number}")

    def outline(self) -> Outline | None:
        """The model's outline, where it is kept."""
        return recall(self._outline_identity, _outline_of)

    def keep_outline(self, outline: Outline) -> None:
        """Keeps the outline of a model that is one program."""
        inputs = [
            (one.name, one.element, getattr(one.declared, "lengths", None), one.is_tensor, one.static)
            for one in outline.inputs
        ]
        if outline.is_whole:
            keep(self._outline_identity, {"inputs": inputs, "outputs": outline.outputs})

    @property
    def _outline_identity(self) -> Identity:
        return self.digest, onnx_stamp(), "outline"

    def import_for(self, kinds: Sequence[Kind]) -> Imported | None:
        """The import for some kinds, where one is kept."""
        found = self._entry(kinds)
        self._read.clear()
        return found if isinstance(found, Imported) else None

    def refuses(self, kinds: Sequence[Kind]) -> bool:
        """Whether the program for some kinds is known not to pass the checker."""
        return self._entry(kinds) is REFUSED

    def keep_import(self, kinds: Sequence[Kind], found: Imported) -> None:
        """Keeps an import for the next process."""
        data = {name: self._described(one) for name, one in found.data.items()}
        if any(one is None for one in data.values()) or _bytes_of(found) > LARGEST_KEPT:
            return
        nodes = [(one.name, one.operator, one.definitions) for one in found.nodes]
        entry = {"text": found.text, "leaves": found.leaves, "outputs": found.outputs, "data": data, "nodes": nodes}
        self._keep(
            kinds, entry | {"gives tensors": found.gives_tensors, "sizes": found.sizes, "assumed": found.assumed}
        )

    def keep_refusal(self, kinds: Sequence[Kind]) -> None:
        """Keeps that the program for some kinds does not pass the checker."""
        self._keep(kinds, {"text": None})

    def _identity(self, kinds: Sequence[Kind]) -> Identity:
        return self.digest, repr(tuple(kinds)), onnx_stamp(), np.__version__, "import"

    def _entry(self, kinds: Sequence[Kind]) -> Imported | str | None:
        """What is kept for some kinds, unless what was looked at for it is different now."""
        identity = self._identity(kinds)
        if identity not in self._read:
            self._read[identity] = recall(identity, self._import_of)
        return self._read[identity]

    def _import_of(self, entry: dict[str, Any]) -> Imported | str | None:
        """The import, or the refusal, that an entry on disk tells of."""
        if any(self.files[k].digest((start, length)) != digest for k, start, length, digest in entry["looked at"]):
            return None
        if entry["text"] is None:
            return REFUSED
        data = {name: self._array(*one) for name, one in entry["data"].items()}
        nodes = tuple(ProgramNode(*one) for one in entry["nodes"])
        text, leaves, outputs, tensors = entry["text"], entry["leaves"], entry["outputs"], entry["gives tensors"]
        return Imported(text, leaves, outputs, data, nodes, tensors, entry["sizes"], entry["assumed"])

    def _keep(self, kinds: Sequence[Kind], entry: dict[str, Any]) -> None:
        looked_at = [(k, *one, file.digest(one)) for k, file in enumerate(self.files) for one in sorted(file.looked_at)]
        if not any(file.is_changed for file in self.files):
            keep(self._identity(kinds), entry | {"looked at": looked_at})

    def _described(self, array: Array | Weight) -> tuple[Any, ...] | None:
        """Data as an entry holds it: where it is in a file, or its content; None for what has no element type."""
        element, shape = element_of(array), array.shape
        if isinstance(array, Weight):
            return element, shape, self.files.index(array.file), array.offset
        if array.dtype == object:
            return element, shape, tuple(array.reshape(-1).tolist())
        return (element, shape, array.tobytes()) if dtype_of_element(element) == array.dtype else None

    def _array(self, element: int, shape: tuple[int, ...], content: Any, offset: int = 0) -> Array | Weight:
        if isinstance(content, int):
            weight = Weight(self.files[content], offset, dtype_of_element(element), shape)
            if offset < 0 or offset + weight.nbytes > len(weight.file.content):
                raise ValueError("no such data in the file")
            return weight
        if element == TEXT:
            return np.array(content, dtype=object).reshape(shape)
        return np.frombuffer(content, dtype_of_element(element)).reshape(shape)


def _outline_of(entry: dict[str, Any]) -> Outline:
    """The outline that an entry on disk tells of."""
    inputs = tuple(
        DeclaredInput(name, element, None if lengths is None else Leaf(element, lengths), is_tensor, static)
        for name, element, lengths, is_tensor, static in entry["inputs"]
    )
    return Outline(inputs, entry["outputs"], True)


def _bytes_of(found: Imported) -> int:
    """The bytes of data that is in none of the model's files."""
    return sum(one.nbytes for one in found.data.values() if not isinstance(one, Weight))


@cache
def onnx_stamp() -> str:
    """Tells states of the onnx package apart, whose schemas importing asks, by its files and without loading it."""
    spec = find_spec("onnx")
    if spec is None or spec.origin is None:
        return ""
    with os.scandir(os.path.dirname(spec.origin)) as entries:
        files = sorted((one.name, one.stat()) for one in entries if one.is_file())
    return " ".join(f"{name} {status.st_size} {status.st_mtime_ns}" for name, status in files)
