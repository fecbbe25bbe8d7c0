"""Operators as ONNX declares them, found by domain, name and opset; nodes are held against what is declared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import onnx
from onnx import AttributeProto, FunctionProto, NodeProto, OperatorSetIdProto, TensorProto
from onnx.defs import OpSchema

from tolang.onnx.choices import refuse_impossible
from tolang.onnx.domains import MAIN, plain, shown
from tolang.onnx.faults import model_error, node_error

MANY = 10**6
"""A number of inputs from which on an operator takes any number."""
_TENSOR = re.compile(r"(?:optional\()?tensor\((\w+)\)+")
"""A tensor as ONNX writes its type; an optional that holds one is the tensor itself here."""
KINDS = {number: name.lower() for name, number in AttributeProto.AttributeType.items()}
"""The types of attributes, by their numbers."""

Opsets = Mapping[str, int]
"""The opsets that nodes are bound to, by domain."""


@dataclass(frozen=True, slots=True)
class Signature:
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
    schema: OpSchema

    @property
    def function(self) -> FunctionProto | None:
        """The definition that ONNX itself gives by other operators, where it gives one."""
        return self.schema.function_body if self.schema.has_function else None  # type: ignore[attr-defined]  # no stub

    @classmethod
    def of(cls, schema: OpSchema) -> Signature:
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


def opsets_of(imports: Iterable[OperatorSetIdProto]) -> dict[str, int]:
    """The opsets that a model or a function imports, by domain."""
    found: dict[str, int] = {}
    for one in imports:
        domain = plain(one.domain)
        if one.version < 1:
            raise model_error("E702", f"there is no opset {one.version} of {shown(domain)}", expected="1 or more")
        if found.setdefault(domain, one.version) != one.version:
            versions = f"{found[domain]} and {one.version}"
            raise model_error("E702", f"two opsets of {shown(domain)} are imported", found=versions)
    return found


@cache
def known_opsets() -> dict[str, int]:
    """The domains that ONNX declares operators of, with their newest opsets."""
    found: dict[str, int] = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        found[schema.domain] = max(found.get(schema.domain, 1), schema.since_version)
    found[MAIN] = max(found[MAIN], onnx.defs.onnx_opset_version())
    return found


@cache
def signature(domain: str, name: str, version: int) -> Signature | None:
    """An operator as an opset has it, or had it last where the opset has given it up."""
    try:
        found = onnx.defs.get_schema(name, version, domain)
    except onnx.defs.SchemaError:
        return None
    return signature(domain, name, found.since_version - 1) if found.deprecated else Signature.of(found)


def signature_of(node: NodeProto, opsets: Opsets) -> Signature:
    """The operator of a node by its domain, its name and the opset imported; an error where there is none."""
    domain = plain(node.domain)
    known = known_opsets()
    if domain not in known:
        message = f"is of a domain that is not known, and the model has no function {node.op_type} of it"
        expected = f"one of {', '.join(sorted(map(shown, known)))}"
        raise node_error("E701", node, message, found=node.domain, expected=expected)
    if domain not in opsets:
        raise node_error("E702", node, f"is of the domain {shown(domain)}, of which no opset is imported")
    version = opsets[domain]
    if version > known[domain]:
        message = f"is of an opset of {shown(domain)} that is not known"
        raise node_error("E701", node, message, found=str(version), expected=f"at most {known[domain]}")
    found = signature(domain, node.op_type, version)
    if found is None:
        where = f"opset {version} of {shown(domain)}"
        later = signature(domain, node.op_type, known[domain]) is not None
        why = "has an operator that is of later opsets" if later else "has an operator that is not supported"
        raise node_error("E701", node, why, found=where)
    return found


def refuse_unfit(node: NodeProto, operator: Signature) -> None:
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
        if one.type != wanted:
            kinds = (KINDS.get(kind, str(kind)) for kind in (one.type, wanted))
            raise node_error("E703", node, f"has an attribute {one.name!r} of another type", *kinds)
        if one.ref_attr_name:
            raise node_error("E702", node, f"refers to an attribute {one.ref_attr_name!r} outside a function")
        refuse_impossible(node, one)
        seen.add(one.name)
    missing = next((name for name in operator.required if name not in seen), None)
    if missing is not None:
        raise node_error("E703", node, f"lacks its attribute {missing!r}")


def refuse_missing(node: NodeProto, operator: Signature, inputs: Sequence[object | None]) -> None:
    """An error where an input is left out that the operator needs."""
    for place, one in enumerate(inputs):
        if one is None and not operator.optional[min(place, len(operator.optional) - 1)]:
            raise node_error("E703", node, f"leaves out its input {place + 1}, which its operator needs")


def elements_in(types: Iterable[str]) -> frozenset[int]:
    """The element types of the tensors among types as ONNX writes them; `seq(tensor(float))` is none."""
    numbers = dict(TensorProto.DataType.items())
    found = (_TENSOR.fullmatch(one) for one in types)
    return frozenset(numbers[one[1].upper()] for one in found if one is not None and one[1].upper() in numbers)
