"""Operators as ONNX declares them, found by domain, name and opset; nodes are held against what is declared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import onnx
from onnx import AttributeProto, FunctionProto, NodeProto, OperatorSetIdProto, TensorProto
from onnx.defs import OpSchema

from tolang.ground.dataclasses import dataclass
from tolang.ground.system.asking import called
from tolang.onnx.choices import refuse_impossible
from tolang.onnx.defined import NO_MORE, Operators, definition_of
from tolang.onnx.domains import LIBRARY_DOMAINS, MACHINE_DOMAINS, OWN_DOMAINS, operator_of, plain, shown
from tolang.onnx.faults import model_error, node_error
from tolang.onnx.names import Head

MANY = 10**6
"""A number of inputs from which on an operator takes any number."""
_TENSOR = re.compile(r"(?:optional\()?tensor\((\w+)\)+")
"""A tensor as ONNX writes its type; an optional that holds one is the tensor itself here."""
KINDS = {number: name.lower() for name, number in AttributeProto.AttributeType.items()}
"""The types of attributes, by their numbers."""

VARIADIC = frozenset({"com.microsoft.QLinearConcat"})
"""Operators with a definition in the library that take any number of inputs."""

ANY = -1
"""Stands for the type of an attribute of which nothing is declared."""


@dataclass(frozen=True, slots=True)
class Opsets:
    """The opsets that nodes are bound to, by domain, and what operators are defined beside those that ONNX declares."""

    versions: Mapping[str, int]
    own: Operators = NO_MORE

    def within(self, imports: Iterable[OperatorSetIdProto]) -> Opsets:
        """The opsets inside a function that imports some."""
        return Opsets({**self.versions, **opsets_of(imports).versions}, self.own)


@dataclass(frozen=True, slots=True)
class OperatorSignature:
    """What an operator takes and gives; of each input whether it may be left out, the last standing for all further."""

    inputs: tuple[int, int]
    outputs: tuple[int, int]
    optional: tuple[bool, ...]
    attributes: Mapping[str, int]
    required: tuple[str, ...]
    types: tuple[tuple[str, bool], ...]
    """The type of each input, or the name that stands for it, and whether all further inputs are of the same."""
    given_types: tuple[tuple[str, bool], ...]
    allowed: Mapping[str, frozenset[int]]
    """The element types of tensors that the types and the names stand for."""
    schema: OpSchema | None = None

    @property
    def function(self) -> FunctionProto | None:
        """The definition that ONNX itself gives by other operators, where it gives one."""
        schema: Any = self.schema
        return schema.function_body if schema is not None and schema.has_function else None

    @classmethod
    def of(cls, schema: OpSchema) -> OperatorSignature:
        """The signature of an operator as the onnx package has it."""
        left_out = OpSchema.FormalParameterOption.Optional
        kinds = {name: int(one.type) for name, one in schema.attributes.items()}  # type: ignore[call-overload]  # an enumeration of whole numbers
        allowed = {one.type_str: elements_in([one.type_str]) for one in (*schema.inputs, *schema.outputs)}
        allowed |= {one.type_param_str: elements_in(one.allowed_type_strs) for one in schema.type_constraints}
        return cls(
            (schema.min_input, schema.max_input),
            (schema.min_output, schema.max_output),
            tuple(one.option == left_out for one in schema.inputs),
            kinds,
            tuple(name for name, one in schema.attributes.items() if one.required),
            tuple((one.type_str, one.is_homogeneous) for one in schema.inputs),
            tuple((one.type_str, one.is_homogeneous) for one in schema.outputs),
            allowed,
            schema,
        )

    @classmethod
    def of_definition(cls, head: Head, variadic: bool) -> OperatorSignature:
        """The signature of an operator that is defined and not declared: any tensors, any attributes by their names."""
        alike = (("tensor", False),)
        allowed = {"tensor": frozenset(TensorProto.DataType.values()) - {TensorProto.UNDEFINED}}
        return cls(
            (0, MANY if variadic else len(head.parameters)), (1, MANY), head.optional or (True,),
            dict.fromkeys(head.parameters, ANY), (), alike, alike, allowed,
        )  # fmt: skip


_TEXT = (("tensor(string)", True),)
ADAPTED = {
    "com.microsoft.Tokenizer": OperatorSignature(
        (1, 1), (1, 1), (False,),
        {
            "mark": AttributeProto.INT, "mincharnum": AttributeProto.INT, "pad_value": AttributeProto.STRING,
            "separators": AttributeProto.STRINGS, "tokenexp": AttributeProto.STRING,
        },
        ("mark", "mincharnum", "pad_value"), _TEXT, _TEXT, {"tensor(string)": frozenset({TensorProto.STRING})},
    )
}  # fmt: skip
"""Operators that ONNX does not declare, with other attributes than their definitions, which are given tables."""


def opsets_of(imports: Iterable[OperatorSetIdProto], own: Operators = NO_MORE) -> Opsets:
    """The opsets that a model or a function imports, by domain."""
    found: dict[str, int] = {}
    for one in imports:
        domain = plain(one.domain)
        if one.version < 1:
            raise model_error("E702", f"there is no opset {one.version} of {shown(domain)}", expected="1 or more")
        if found.setdefault(domain, one.version) != one.version:
            versions = f"{found[domain]} and {one.version}"
            raise model_error("E702", f"two opsets of {shown(domain)} are imported", found=versions)
    return Opsets(found, own)


@cache
def known_opsets() -> dict[str, int]:
    """The domains that ONNX declares opsets of, with the newest."""
    return {domain: newest for domain, (_, newest) in onnx.defs.C.schema_version_map().items()}


@cache
def is_declared(name: str) -> bool:
    """Whether ONNX declares an operator of a name, in whatever domain."""
    return any(onnx.defs.has(name, domain) for domain in known_opsets())


@cache
def signature(domain: str, name: str, version: int) -> OperatorSignature | None:
    """An operator as an opset has it, or had it last where the opset has given it up."""
    try:
        found = onnx.defs.get_schema(name, version, domain)
    except onnx.defs.SchemaError:
        return None
    return signature(domain, name, found.since_version - 1) if found.deprecated else OperatorSignature.of(found)


def signature_of(node: NodeProto, opsets: Opsets) -> OperatorSignature:
    """The operator of a node by its domain, its name and the opset imported; an error where there is none."""
    domain = plain(node.domain)
    head = None if domain in OWN_DOMAINS and is_declared(node.op_type) else opsets.own.head(domain, node.op_type)
    defined = OperatorSignature.of_definition(head, operator_of(node) in VARIADIC) if head is not None else None
    own = ADAPTED.get(operator_of(node)) or defined
    newest = known_opsets().get(domain)
    if own is None and domain in MACHINE_DOMAINS:
        message = "is laid out for the machine on which onnxruntime saved the model, of which the model does not tell"
        raise node_error("E701", node, message, found=domain, expected="a model saved at ORT_ENABLE_EXTENDED or below")
    if newest is None and own is None:
        what = (
            "has an operator that is not supported" if domain in LIBRARY_DOMAINS else "is of a domain that is not known"
        )
        message = f"{what}, and the model has no function {node.op_type} of it"
        raise node_error("E701", node, message, found=node.domain, expected=_how_to_define(domain, node))
    if domain not in opsets.versions:
        raise node_error("E702", node, f"is of the domain {shown(domain)}, of which no opset is imported")
    version = opsets.versions[domain]
    if newest is not None and version > newest:
        message = f"is of an opset of {shown(domain)} that is not known"
        raise node_error("E701", node, message, found=str(version), expected=f"at most {newest}")
    found = signature(domain, node.op_type, version) or own
    if found is None:
        where = f"opset {version} of {shown(domain)}"
        later = signature(domain, node.op_type, newest or version) is not None
        why = "has an operator that is of later opsets" if later else "has an operator that is not supported"
        expected = None if later else _how_to_define(domain, node)
        raise node_error("E701", node, why, found=where, expected=expected)
    return found


def _how_to_define(domain: str, node: NodeProto) -> str:
    """How a user can say what an operator is."""
    names = [f"x{place}" for place in range(1, len(node.input) + 1)] if len(node.input) != 1 else ["x"]
    parameters = ", ".join((*names, *(f"{one.name}=…" for one in node.attribute)))
    head = f"{definition_of(domain, node.op_type)}({parameters})"
    given = called('operators="mine.tol"', "--operators mine.tol")
    return f"a definition `{head} = …` in a file of operators, `{given}`"


def refuse_unfit(node: NodeProto, operator: OperatorSignature) -> None:
    """An error where a node has not the inputs, outputs and attributes that its operator is declared with."""
    for kind, found, (least, most) in (
        ("inputs", len(node.input), operator.inputs),
        ("outputs", len(node.output), operator.outputs),
    ):
        if not least <= found <= most:
            expected = str(least) if least == most else f"at least {least}" if most > MANY else f"{least} to {most}"
            raise node_error("E703", node, f"has another number of {kind} than its operator", str(found), expected)
    refuse_missing(node, operator, [name or None for name in node.input])
    seen: set[str] = set()
    for one in node.attribute:
        wanted = operator.attributes.get(one.name)
        if wanted is None:
            expected = ", ".join(sorted(operator.attributes)) or "none"
            raise node_error("E703", node, f"has no attribute {one.name!r}", expected=expected)
        if one.name in seen:
            raise node_error("E702", node, f"has the attribute {one.name!r} twice")
        if wanted not in (ANY, one.type):
            kinds = (KINDS.get(kind, str(kind)) for kind in (one.type, wanted))
            raise node_error("E703", node, f"has an attribute {one.name!r} of another type", *kinds)
        if one.ref_attr_name:
            raise node_error("E702", node, f"refers to an attribute {one.ref_attr_name!r} outside a function")
        refuse_impossible(node, one)
        seen.add(one.name)
    missing = next((name for name in operator.required if name not in seen), None)
    if missing is not None:
        raise node_error("E703", node, f"lacks its attribute {missing!r}")


def refuse_missing(node: NodeProto, operator: OperatorSignature, inputs: Sequence[object | None]) -> None:
    """An error where an input is left out that the operator needs."""
    for place, one in enumerate(inputs):
        if one is None and not operator.optional[min(place, len(operator.optional) - 1)]:
            raise node_error("E703", node, f"leaves out its input {place + 1}, which its operator needs")


def elements_in(types: Iterable[str]) -> frozenset[int]:
    """The element types of the tensors among types as ONNX writes them; `seq(tensor(float))` is none."""
    numbers = dict(TensorProto.DataType.items())
    found = (_TENSOR.fullmatch(one) for one in types)
    return frozenset(numbers[one[1].upper()] for one in found if one is not None and one[1].upper() in numbers)
