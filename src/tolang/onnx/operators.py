"""Operators whose attributes are more than values: an equation, functions, any number of tensors at once."""

from __future__ import annotations

import re

from onnx import AttributeProto, NodeProto, helper

from tolang.onnx.faults import model_error
from tolang.onnx.importer import GraphScope, Importer
from tolang.onnx.protos import attributes
from tolang.onnx.subgraphs import block, body_of
from tolang.onnx.values import TensorValue, Value, named

OPTIMISERS = {"Adagrad": 1, "Momentum": 1, "Adam": 2}
"""Steps of training and how many tensors of state they keep for each tensor that they train."""

_TERM = r"[A-Za-z]*(?:\.\.\.)?[A-Za-z]*"
_EQUATION = re.compile(f"{_TERM}(?:,{_TERM})*(?:->{_TERM})?")


def einsum(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """Einsum by the numbers of its indices; of many operands two at a time."""
    operands = [one for one in inputs if isinstance(one, TensorValue)]
    equation = attributes(node)["equation"].replace(" ", "")
    if not len(operands) == len(inputs) == equation.partition("->")[0].count(",") + 1:
        raise model_error("E703", "an equation of Einsum has a term for each operand", found=equation)
    if not _EQUATION.fullmatch(equation):
        raise model_error("E703", "an equation of Einsum is of letters, commas, an arrow and `...`", found=equation)
    terms, output = _indices(importer, equation, operands)
    if len(set(output)) < len(output) or not set(output) <= set("".join(terms)):
        raise model_error("E703", "an equation of Einsum has each index of its result once, and in a term", equation)
    result: Value = operands[0]
    labels = terms[0]
    for place in range(1, max(2, len(operands))):
        other = terms[place] if place < len(terms) else ""
        later = set(output).union(*terms[place + 1 :])
        kept = output if place >= len(operands) - 1 else "".join(dict.fromkeys(c for c in labels + other if c in later))
        numbers = {label: number for number, label in enumerate(dict.fromkeys(kept + labels + other), 1)}
        more = {"left": labels, "right": other, "output": kept, "summed": [c for c in numbers if c not in kept]}
        known = {name: [numbers[label] for label in given] for name, given in more.items()}
        call = helper.make_node("Einsum", ["", ""], list(node.output))
        result = importer.call(call, [result, *operands[place : place + 1]], **known)[0]
        labels = kept
    return [result]


def _indices(importer: Importer, equation: str, operands: list[TensorValue]) -> tuple[list[str], str]:
    """The labels of each operand's axes and of the result's; axes that `...` stands for are labelled from the last."""
    left, arrow, right = equation.partition("->")
    terms = left.split(",")
    widths = [
        importer.probe(one).rank - len(term) + 3 if "..." in term else 0
        for term, one in zip(terms, operands, strict=True)
    ]
    if min(widths) < 0:
        raise model_error("E703", "a term of Einsum has more indices than its operand has axes", found=equation)
    widest = "".join(chr(0x10000 + place) for place in range(max(widths, default=0)))
    terms = [t.replace("...", widest[len(widest) - w :]) for t, w in zip(terms, widths, strict=True)]
    joined = "".join(terms)
    implied = widest + "".join(sorted(c for c in set(joined) if joined.count(c) == 1 and c not in widest))
    return terms, right.replace("...", widest) if arrow else implied


def optimised(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """A step of training for each of several tensors; the results come tensor by tensor for each kind."""
    kinds = 2 + OPTIMISERS[node.op_type]
    count = (len(inputs) - 2) // kinds
    if count < 1 or (len(inputs), len(node.output)) != (2 + count * kinds, count * (kinds - 1)):
        message = "a rate, a step and for each tensor its gradient and states are taken, tensors and states are given"
        raise model_error("E703", message, found=f"{len(inputs)} inputs and {len(node.output)} outputs")
    made = []
    for place in range(count):
        one = helper.make_node(node.op_type, list(node.input), list(node.output[place::count]), domain=node.domain)
        one.attribute.extend(node.attribute)
        made.append(importer.call(one, [*inputs[:2], *inputs[2 + place :: count]]))
    return [results[kind] for kind in range(kinds - 1) for results in made]


def with_functions(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """An operator whose subgraphs are functions of one tensor."""
    plain = helper.make_node(node.op_type, list(node.input), list(node.output), domain=node.domain)
    functions: dict[str, TensorValue] = {}
    for one in node.attribute:
        if one.type == AttributeProto.GRAPH:
            graph = body_of(node, one.name, 1, 1)
            parameter = importer.names.fresh(graph.input[0].name)
            body = block(importer, graph, [named(parameter)], scope)
            name = importer.names.fresh(one.name)
            importer.definitions.add(name, body.expression, (parameter,))
            functions[one.name] = named(name)
        else:
            plain.attribute.append(one)
    return importer.call(plain, inputs, **functions)
