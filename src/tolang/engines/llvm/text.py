"""The text of a module: what llvmlite writes, in less than half of the time, which is a good part of a first call.

The instructions that kernels are made of are written here, all others and what is around them by llvmlite itself.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from llvmlite.ir import instructions as written


def text_of(module: ir.Module) -> str:
    """What `str` makes of a module."""
    lines = [
        f'; ModuleID = "{module.name}"',
        f'target triple = "{module.triple}"',
        f'target datalayout = "{module.data_layout}"',
        "",
        *[kind.get_declaration() for kind in module.get_identified_types().values()],
    ]
    functions = _Functions()
    lines += [functions.text(one) if isinstance(one, ir.Function) else str(one) for one in module.globals.values()]
    for name, one in module.namedmetadata.items():
        lines.append(f"!{name} = !{{ {', '.join([node.get_reference() for node in one.operands])} }}")
    return "\n".join([*lines, *map(str, module.metadata)])


class _Functions:
    """The functions of a module; types and values are put into words once."""

    def __init__(self) -> None:
        self._types: dict[int, str] = {}
        self._words: dict[int, str] = {}
        self._forms = {
            written.Instruction: self._plain,
            written.GEPInstr: self._address,
            written.LoadInstr: self._load,
            written.StoreInstr: self._store,
            written.ICMPInstr: self._comparison,
            written.FCMPInstr: self._comparison,
            written.SelectInstr: self._select,
            written.PhiInstr: self._phi,
            written.CastInstr: self._cast,
            written.Branch: self._branch,
            written.ConditionalBranch: self._branch,
        }

    def text(self, function: ir.Function) -> str:
        parts: list[str] = []
        function.descr_prototype(parts)
        if not function.blocks:
            return "".join(parts)
        parts.append("{\n")
        forms = self._forms
        for block in function.blocks:
            parts.append(f"{block._format_name()}:\n")
            for one in block.instructions:
                form = forms.get(type(one))
                parts.append(f"  {one if form is None else form(one)}\n")
        parts.append("}\n")
        return "".join(parts)

    def _type(self, kind: Any) -> str:
        """A type in words; equal ones are mostly one object, and all live as long as the module."""
        found = self._types.get(id(kind))
        if found is None:
            found = self._types[id(kind)] = str(kind)
        return found

    def _word(self, value: Any) -> str:
        """What a value is referred to by; numbers, and names that are numbers, are most of them."""
        if type(value) is ir.Constant:
            plain = type(value.constant) is int and type(value.type) is ir.IntType
            return str(value.constant) if plain else str(value.get_reference())
        found = self._words.get(id(value))
        if found is None:
            numbered = isinstance(value, written.Instruction) and value._name[0] == "."
            found = self._words[id(value)] = f'%"{value._name}"' if numbered else str(value.get_reference())
        return found

    def _typed(self, value: Any) -> str:
        return f"{self._type(value.type)} {self._word(value)}"

    def _plain(self, one: Any) -> str:
        operands = ", ".join([self._word(operand) for operand in one.operands])
        name = " ".join([one.opname, *one.flags]) if one.flags else one.opname
        return f"{self._word(one)} = {name} {self._type(one.type)} {operands}{_metadata(one)}"

    def _address(self, one: Any) -> str:
        indices = ", ".join([self._typed(index) for index in one.indices])
        name = "getelementptr inbounds" if one.inbounds else "getelementptr"
        place = f"{self._type(one.source_etype)}, {self._typed(one.pointer)}"
        return f"{self._word(one)} = {name} {place}, {indices} {_metadata(one)}".rstrip()

    def _load(self, one: Any) -> str:
        (place,) = one.operands
        align = "" if one.align is None else f", align {one.align}"
        return f"{self._word(one)} = load {self._type(one.type)}, {self._typed(place)}{align}{_metadata(one)}"

    def _store(self, one: Any) -> str:
        value, place = one.operands
        align = "" if one.align is None else f", align {one.align}"
        return f"store {self._typed(value)}, {self._typed(place)}{align}{_metadata(one)}"

    def _comparison(self, one: Any) -> str:
        left, right = one.operands
        name = " ".join([one.opname, *one.flags, one.op])
        return f"{self._word(one)} = {name} {self._typed(left)}, {self._word(right)} {_metadata(one)}".rstrip()

    def _select(self, one: Any) -> str:
        operands = ", ".join([self._typed(operand) for operand in one.operands])
        return f"{self._word(one)} = select {' '.join(one.flags)} {operands} {_metadata(one)}".rstrip()

    def _phi(self, one: Any) -> str:
        coming = ", ".join([f"[{self._word(value)}, {self._word(block)}]" for value, block in one.incomings])
        return (
            f"{self._word(one)} = phi {' '.join(one.flags)} {self._type(one.type)} {coming} {_metadata(one)}".rstrip()
        )

    def _cast(self, one: Any) -> str:
        (value,) = one.operands
        return (
            f"{self._word(one)} = {one.opname} {self._typed(value)} to {self._type(one.type)} {_metadata(one)}".rstrip()
        )

    def _branch(self, one: Any) -> str:
        return f"{one.opname} {', '.join([self._typed(operand) for operand in one.operands])}{_metadata(one)}"


def _metadata(one: Any) -> str:
    if not one.metadata:
        return ""
    return "".join([f", !{name} {node.get_reference()}" for name, node in one.metadata.items()])
