"""Modules, their functions and blocks, and what is said about code beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tolang.engines.llvm.ir.types import FunctionType, StructType, Type
from tolang.engines.llvm.ir.values import Constant, Value

_LETTERS = re.compile(r"[^ !#-\[\]-~]")


def _quoted(text: str) -> str:
    """Text as LLVM reads it: what is no plain letter by its bytes."""
    return '"' + _LETTERS.sub(lambda one: "".join([f"\\{byte:02X}" for byte in one[0].encode()]), text) + '"'


class Module:
    """Functions and variables by their names, and nodes of metadata; without a `triple`, for any machine."""

    def __init__(self) -> None:
        self.triple = ""
        self.globals: dict[str, Any] = {}
        self.structures: list[StructType] = []
        self.metadata: list[str] = []
        self._nodes: dict[str, Metadata] = {}

    def get_unique_name(self, name: str) -> str:
        found, number = name, 0
        while found in self.globals:
            number += 1
            found = f"{name}.{number}"
        return found

    def structure(self, elements: Sequence[Type]) -> StructType:
        """A structure with a name of its own."""
        made = StructType(elements, f"structure.{len(self.structures)}")
        self.structures.append(made)
        return made

    def add_metadata(self, operands: Sequence[str | Value]) -> Metadata:
        """A node of texts, constants and other nodes; equal ones are one."""
        text = "!{" + ", ".join([_operand(one) for one in operands]) + "}"
        node = self._nodes.get(text)
        if node is None:
            node = self._nodes[text] = self._node(text)
        return node

    def add_loop(self, hints: Sequence[Metadata]) -> Metadata:
        """A node about one loop, which is no other's: it names itself first."""
        own = f"!{len(self.metadata)}"
        return self._node(f"distinct !{{{', '.join([own, *[hint.word for hint in hints]])}}}")

    def _node(self, text: str) -> Metadata:
        node = Metadata(None, f"!{len(self.metadata)}")
        self.metadata.append(f"{node.word} = {text}")
        return node

    def __str__(self) -> str:
        target = [f"target triple = {_quoted(self.triple)}"] if self.triple else []
        structures = [one.definition for one in self.structures]
        return "\n".join([*target, *structures, *map(str, self.globals.values()), *self.metadata, ""])


class Metadata(Value):
    """A node of metadata."""

    __slots__ = ()


def _operand(one: str | Value) -> str:
    if isinstance(one, str):
        return f"!{_quoted(one)}"
    return f"{one.type.word} {one.word}" if isinstance(one, Constant) else one.word


class GlobalVariable(Value):
    """Memory of a module, of one type."""

    __slots__ = ("align", "global_constant", "initializer", "linkage", "name", "value_type")

    def __init__(self, module: Module, kind: Type, name: str) -> None:
        super().__init__(kind.as_pointer(), f"@{_quoted(name)}")
        self.name, self.value_type = name, kind
        self.linkage, self.global_constant, self.align = "external", False, 1
        self.initializer: Constant | None = None
        module.globals[name] = self

    def __str__(self) -> str:
        what = "constant" if self.global_constant else "global"
        initial = "" if self.initializer is None else f" {self.initializer.word}"
        return f"{self.word} = {self.linkage} {what} {self.value_type.word}{initial}, align {self.align}"


class Argument(Value):
    """What a function is called with, or what it gives back: what is promised of it is told by attributes."""

    __slots__ = ("attributes",)

    def __init__(self, kind: Type, word: str) -> None:
        super().__init__(kind, word)
        self.attributes: list[str] = []

    def add_attribute(self, name: str) -> None:
        self.attributes.append(name)

    def __str__(self) -> str:
        return " ".join([one for one in (self.type.word, *self.attributes, self.word) if one])


class Function(Value):
    """A function, which is only declared as long as it has no blocks."""

    __slots__ = ("args", "attributes", "blocks", "ftype", "last", "linkage", "module", "name", "return_value")

    def __init__(self, module: Module, kind: FunctionType, name: str) -> None:
        if name in module.globals:
            raise ValueError(f"the module has a {name} already")
        super().__init__(kind.as_pointer(), f"@{_quoted(name)}")
        self.module, self.ftype, self.name = module, kind, name
        self.args = tuple(Argument(one, f"%.{number}") for number, one in enumerate(kind.args))
        self.return_value = Argument(kind.return_type, "")
        self.attributes: set[str] = set()
        self.linkage = ""
        self.blocks: list[Block] = []
        self.last = len(self.args)
        module.globals[name] = self

    def append_basic_block(self, name: str = "block") -> Block:
        self.last += 1
        block = Block(self, f"{name}.{self.last}")
        self.blocks.append(block)
        return block

    def __str__(self) -> str:
        own = self.return_value
        result = " ".join([*own.attributes, own.type.word])
        attributes = "".join([f" {one}" for one in sorted(self.attributes)])
        if not self.blocks:
            arguments = ", ".join([" ".join([one.type.word, *one.attributes]) for one in self.args])
            return f"declare {result} {self.word}({arguments}){attributes}"
        head = " ".join([one for one in ("define", self.linkage, result) if one])
        lines = [f"{head} {self.word}({', '.join(map(str, self.args))}){attributes} {{"]
        for block in self.blocks:
            lines.append(f"{block.name}:")
            lines += [line if type(line) is str else str(line) for line in block.lines]
        return "\n".join([*lines, "}"])


class Block(Value):
    """Lines that follow each other; `calls` are the names of the functions they call."""

    __slots__ = ("calls", "function", "is_terminated", "lines", "name")

    def __init__(self, function: Function, name: str) -> None:
        super().__init__(None, f"%{name}")
        self.function, self.name = function, name
        self.lines: list[Any] = []
        self.calls: list[str] = []
        self.is_terminated = False
