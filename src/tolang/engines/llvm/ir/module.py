"""Modules, their functions and blocks, and what is said about code beside it.

A function that calls nothing but what is only declared may be a part: many modules have the same one, and it can be
compiled once for all of them.  A module has its parts as functions of its own, or only their declarations.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Any

from tolang.engines.llvm.ir.types import FunctionType, IRType, StructType
from tolang.engines.llvm.ir.values import Constant, Value

_GLOBALS = re.compile(r'@"([^"]*)"')
_LETTERS = re.compile(r"[^ !#-\[\]-~]")
_NODES = re.compile(r"!(\d+)\b")


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

    def structure(self, elements: Sequence[IRType]) -> StructType:
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
        return self._text(lambda part: f"define internal {part.definition}")

    def without_parts(self) -> str:
        """Its text where it only declares its parts, which are somewhere else."""
        return self._text(lambda part: f"declare {part.declaration}")

    @property
    def parts(self) -> list[SharedFunction]:
        return [one for one in self.globals.values() if isinstance(one, SharedFunction)]

    def _text(self, of_part: Callable[[SharedFunction], str]) -> str:
        target = [f"target triple = {_quoted(self.triple)}"] if self.triple else []
        structures = [one.definition for one in self.structures]
        own = [of_part(one) if isinstance(one, SharedFunction) else str(one) for one in self.globals.values()]
        return "\n".join([*target, *structures, *own, *self.metadata, ""])


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

    def __init__(self, module: Module, kind: IRType, name: str) -> None:
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

    def __init__(self, kind: IRType, word: str) -> None:
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
        if not self.blocks:
            return f"declare {self.head(self.word)}"
        return f"{' '.join([one for one in ('define', self.linkage) if one])} {self.head(self.word)} {self.body()}"

    def head(self, word: str, declared: bool = False) -> str:
        """What it takes and gives under some name; where it is only `declared`, arguments have none."""
        own = self.return_value
        result = " ".join([*own.attributes, own.type.word])
        attributes = "".join([f" {one}" for one in sorted(self.attributes)])
        nameless = declared or not self.blocks
        arguments = [" ".join([one.type.word, *one.attributes]) if nameless else str(one) for one in self.args]
        return f"{result} {word}({', '.join(arguments)}){attributes}"

    def body(self) -> str:
        lines = ["{"]
        for block in self.blocks:
            lines.append(f"{block.name}:")
            lines += [line if type(line) is str else str(line) for line in block.lines]
        return "\n".join([*lines, "}"])


class SharedFunction(Value):
    """A function named by what it does: the same in all modules that have it.

    It calls what others declare, and functions of its own, which nobody else sees.
    """

    __slots__ = ("called", "declaration", "definition", "ftype", "name")

    def __init__(self, function: Function, name: str, called: Sequence[Function], texts: Sequence[str]) -> None:
        """`texts` are the head without a name and the body, and those of its own functions after their names."""
        digest = hashlib.sha256(" ".join([function.head(""), *texts]).encode()).hexdigest()
        self.name, self.ftype, self.called = f"{name}.{digest[:32]}", function.ftype, tuple(called)
        super().__init__(function.type, f"@{_quoted(self.name)}")
        body, *own = [text.replace(OWN, self.name) for text in texts]
        self.declaration = function.head(self.word, declared=True)
        self.definition = "\n".join([f"{function.head(self.word)} {body}", *own])

    def placed_in(self, module: Module) -> SharedFunction:
        """Itself, as one of a module's."""
        for one in self.called:
            module.globals.setdefault(one.name, one)
        module.globals[self.name] = self
        return self

    def __str__(self) -> str:
        """The module that it is by itself."""
        return "\n".join([*map(str, self.called), f"define {self.definition}", ""])


ELSEWHERE = "llvm.", "tolang_"
"""How functions are called that LLVM or the runtime has, unless a module has them."""
OWN = "the part itself"
"""What stands for a part's name in the names of its own functions, while that is not known."""


def part_of(function: Function, name: str, own: Sequence[Function] = ()) -> Function | SharedFunction:
    """A function as a part of its module, with others that it and they alone call, if it can be one.

    What else they call is only declared, and they mention nothing else; what is said beside stands in their lines.
    """
    module, every = function.module, (function, *own)
    names = dict.fromkeys(called for one in every for block in one.blocks for called in block.calls if called)
    inner = {one.name: f"{OWN}.{place}" for place, one in enumerate(own)}
    others = [module.globals[called] for called in names if called not in inner]
    bodies = [_with_nodes(one.body(), module.metadata) for one in every]
    known = names.keys() | inner.keys()
    if not all(
        one.name.startswith(ELSEWHERE) and not isinstance(one, SharedFunction) and not one.blocks for one in others
    ):
        return function
    if any(body is None or "%structure" in body or set(_GLOBALS.findall(body)) - known for body in bodies):
        return function
    first, *texts = [_GLOBALS.sub(lambda one: f'@"{inner.get(one[1], one[1])}"', body or "") for body in bodies]
    heads = [f"define internal {one.head(_quoted_global(inner[one.name]))}" for one in own]
    for one in every:
        del module.globals[one.name]
    texts = [f"{head} {text}" for head, text in zip(heads, texts, strict=True)]
    return SharedFunction(function, name, others, [first, *texts]).placed_in(module)


def _with_nodes(text: str, nodes: Sequence[str]) -> str | None:
    """Text with nodes of metadata in the place of their numbers; None where those name others."""
    if "!" not in text:
        return text
    found = _NODES.sub(lambda one: nodes[int(one[1])].partition(" = ")[2], text)
    return None if _NODES.search(found) or "distinct" in found else found


def _quoted_global(name: str) -> str:
    return f"@{_quoted(name)}"


class Block(Value):
    """Lines that follow each other; `calls` are the names of the functions they call.

    What lines compute of values alone is `known`, by what is written behind its name.
    """

    __slots__ = ("calls", "function", "is_terminated", "known", "lines", "name")

    def __init__(self, function: Function, name: str) -> None:
        super().__init__(None, f"%{name}")
        self.function, self.name = function, name
        self.lines: list[Any] = []
        self.known: dict[str, Value] = {}
        self.calls: list[str] = []
        self.is_terminated = False
