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
    """The functions of a module, whose types are put into words once."""

    def __init__(self) -> None:
        self._types: dict[int, str] = {}
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

    def _type(self, value: Any) -> str:
        """The type of a value in words; equal ones are mostly one object, and all live as long as the module."""
        kind = value.type
        found = self._types.get(id(kind))
        if found is None:
            found = self._types[id(kind)] = str(kind)
        return found

    def _plain(self, one: Any) -> str:
        operands = ", ".join([operand.get_reference() for operand in one.operands])
        name = " ".join([one.opname, *one.flags]) if one.flags else one.opname
        return f"{one.get_reference()} = {name} {self._type(one)} {operands}{_metadata(one)}"

    def _address(self, one: Any) -> str:
        indices = ", ".join([f"{self._type(index)} {index.get_reference()}" for index in one.indices])
        name = "getelementptr inbounds" if one.inbounds else "getelementptr"
        pointer = f"{self._type(one.pointer)} {one.pointer.get_reference()}"
        return f"{one.get_reference()} = {name} {one.source_etype}, {pointer}, {indices} {_metadata(one)}".rstrip()

    def _load(self, one: Any) -> str:
        (place,) = one.operands
        align = "" if one.align is None else f", align {one.align}"
        place = f"{self._type(place)} {place.get_reference()}"
        return f"{one.get_reference()} = load {self._type(one)}, {place}{align}{_metadata(one)}"

    def _store(self, one: Any) -> str:
        value, place = one.operands
        align = "" if one.align is None else f", align {one.align}"
        value = f"{self._type(value)} {value.get_reference()}"
        return f"store {value}, {self._type(place)} {place.get_reference()}{align}{_metadata(one)}"

    def _comparison(self, one: Any) -> str:
        left, right = one.operands
        name = " ".join([one.opname, *one.flags, one.op])
        operands = f"{self._type(left)} {left.get_reference()}, {right.get_reference()}"
        return f"{one.get_reference()} = {name} {operands} {_metadata(one)}".rstrip()

    def _select(self, one: Any) -> str:
        operands = ", ".join([f"{self._type(operand)} {operand.get_reference()}" for operand in one.operands])
        return f"{one.get_reference()} = select {' '.join(one.flags)} {operands} {_metadata(one)}".rstrip()

    def _phi(self, one: Any) -> str:
        coming = ", ".join([f"[{value.get_reference()}, {block.get_reference()}]" for value, block in one.incomings])
        name = f"phi {' '.join(one.flags)} {self._type(one)}"
        return f"{one.get_reference()} = {name} {coming} {_metadata(one)}".rstrip()

    def _cast(self, one: Any) -> str:
        (value,) = one.operands
        value = f"{self._type(value)} {value.get_reference()}"
        return f"{one.get_reference()} = {one.opname} {value} to {self._type(one)} {_metadata(one)}".rstrip()

    def _branch(self, one: Any) -> str:
        operands = ", ".join([f"{self._type(operand)} {operand.get_reference()}" for operand in one.operands])
        return f"{one.opname} {operands}{_metadata(one)}"


def _metadata(one: Any) -> str:
    return "".join([f", !{name} {node.get_reference()}" for name, node in one.metadata.items()])
