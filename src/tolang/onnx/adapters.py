"""Operators whose inputs or attributes are adapted before they are called: variadic ones, constants, sequences."""

from __future__ import annotations

import numpy as np
from onnx import AttributeProto, NodeProto, helper

from tolang.onnx import control, folds, forests, gradients, learning, lengths, operators, sequences, words
from tolang.onnx.domains import operator_of
from tolang.onnx.elements import vector
from tolang.onnx.faults import model_error
from tolang.onnx.importer import Adapter, GraphScope, Importer
from tolang.onnx.protos import attributes, held
from tolang.onnx.values import TensorValue, Value, named
from tolang.syntax import making


def constant(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """A tensor, number or text of an attribute."""
    if len(node.attribute) != 1:
        raise model_error("E703", "a constant has one value", found=f"{len(node.attribute)} attributes")
    if node.attribute[0].type == AttributeProto.TENSOR:
        return [importer.constant(held(node.attribute[0].t), node.output[0])]
    ((kind, value),) = attributes(node).items()
    types = {"value_int": np.int64, "value_ints": np.int64, "value_float": np.float32, "value_floats": np.float32}
    array = value if isinstance(value, np.ndarray) else np.array(value, dtype=types.get(kind, object))
    return [importer.constant(array, node.output[0])]


MANY_PARTS = 16
"""More parts than these are joined by halves, so that whoever looks for one of them asks few questions."""


def folded(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """An operator of any number of inputs, as calls of a definition of two."""
    if len(inputs) == 1:
        return [inputs[0]] if inputs[0] is not None else []
    if node.op_type == "Concat" and len(inputs) > MANY_PARTS:
        middle = len(inputs) // 2
        inputs = [folded(importer, node, part, scope)[0] for part in (inputs[:middle], inputs[middle:])]
    result = inputs[0]
    for other in inputs[1:]:
        result = importer.call(node, [result, other], **attributes(node))[0]
    return [] if result is None else [result]


def quantised_parts(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """A concatenation of quantised tensors: one part after the other, each quantised anew."""
    if len(inputs) < 5 or len(inputs) % 3 != 2:
        message = "a scale and a zero point come first, and then a tensor, its scale and zero point for each part"
        raise model_error("E703", message, found=f"{len(inputs)} inputs")
    one = helper.make_node(node.op_type, [""] * 5, list(node.output), domain=node.domain)
    result: Value = TensorValue(making.whole(0))
    for place in range(2, len(inputs), 3):
        given = [*inputs[:2], *inputs[place : place + 3]]
        result = importer.call(one, given, before=result, **attributes(node))[0]
    return [result]


def identity(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """Whatever it is given: a tensor, a sequence or an optional."""
    return [inputs[0]] if inputs[0] is not None else []


def mean(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """The sum of all inputs, two at a time, then divided by their number."""
    total = inputs[0]
    for other in inputs[1:]:
        total = importer.call(helper.make_node("Sum", ["", ""], list(node.output)), [total, other])[0]
    return importer.call(node, [total], n=len(inputs))


def split(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """One call for each part."""
    parts = attributes(node).get("num_outputs", len(node.output))
    if parts != len(node.output):
        raise model_error("E703", "there are not as many outputs as parts", str(len(node.output)), str(parts))
    made = []
    for part, name in enumerate(node.output, 1):
        one = helper.make_node("Split", list(node.input), [name])
        one.attribute.extend(one for one in node.attribute if one.name != "num_outputs")
        made.extend(importer.call(one, inputs, part=part, num_outputs=len(node.output)))
    return made


def cast(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """A number that follows from shapes needs no care for what no integer holds, and stays known while checking."""
    value = inputs[0]
    if not isinstance(value, TensorValue) or not value.measured:
        return importer.call(node, inputs)
    space = attributes(node)["to"]
    made = (
        making.binary("!=", value.expression, making.whole(0))
        if space == "B"
        else making.call("into", value.expression, making.text(space))
    )
    return [named(importer.define(node.output[0], made), measured=True)]


FARTHEST = 2**31 - 1
"""Starts and ends of slices at least as far out stand for the ends of the axis, whatever its length."""


def sliced(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """Slice, with starts and ends that are beyond any axis written as infinite ones."""
    return importer.call(node, [inputs[0], *map(_within, inputs[1:3]), *inputs[3:]])


def _within(value: Value | None) -> Value | None:
    if not isinstance(value, TensorValue) or value.constant is None:
        return value
    given = value.constant.reshape(-1).tolist()
    ends = [float("inf") * (1 if one > 0 else -1) if abs(one) >= FARTHEST else one for one in given]
    return TensorValue(vector(ends), value.constant if ends == given else None, follows=True)


CARRIERS = frozenset({"Concat", "Unsqueeze", "Squeeze", "Cast", "Identity", "Reshape"})
"""Operators that put a shape together of lengths: what they are given first, or all that they join, is in it."""


def reshaped(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """Reshape: only a 0 that is written stands for the length that was there; a length that is measured is meant."""
    shape = inputs[1] if len(inputs) > 1 else None
    row = importer.rows.get(inputs[0].text) if isinstance(inputs[0], TensorValue) else None
    lengths_wanted = importer.elements(shape) if row is not None else None
    if row is not None and lengths_wanted is not None and lengths_wanted.tolist() == [-1]:
        return [row]
    measured = isinstance(shape, TensorValue) and shape.measured and not _has_zero(importer, shape, scope)
    if not measured or importer.definition_name("Reshape") != "Reshape":
        return importer.call(node, inputs)
    return importer.call(helper.make_node("Reshape", ["", ""], list(node.output)), inputs, allowzero=1)


def _has_zero(importer: Importer, value: Value | None, scope: GraphScope) -> bool:
    """Whether a 0 is written among the lengths that a shape is put together of."""
    if not isinstance(value, TensorValue) or value.is_known:
        return not isinstance(value, TensorValue) or value.constant is None or not value.constant.all()
    maker = importer.makers.get(value.text)
    if maker is None or operator_of(maker) not in CARRIERS:
        return not value.measured
    parts = maker.input if maker.op_type == "Concat" else maker.input[:1]
    return any(name not in scope or _has_zero(importer, scope.find(name), scope) for name in parts)


ADAPTERS: dict[str, Adapter] = {
    "Constant": constant,
    "Cast": cast,
    "Slice": sliced,
    "Reshape": reshaped,
    "Identity": identity,
    "Mean": mean,
    "Split": split,
    "Div": lengths.divided,
    "OneHot": lengths.one_hot,
    **dict.fromkeys(("Add", "Sub", "Mul", "Pow", "And", "Or", "Xor", "Equal", "Less", "Greater"), lengths.aligned),
    **dict.fromkeys(("Sum", "Max", "Min", "Concat"), folded),
    "com.microsoft.QLinearConcat": quantised_parts,
    **dict.fromkeys(operators.OPTIMISERS, operators.optimised),
    "Einsum": operators.einsum,
    "FlexAttention": operators.with_functions,
    **dict.fromkeys(("LinearClassifier", "LinearRegressor", "Scaler"), learning.learned),
    **dict.fromkeys(("SVMClassifier", "SVMRegressor"), learning.support_vectors),
    "TreeEnsemble": forests.ensemble,
    "TreeEnsembleClassifier": forests.classifier,
    "TreeEnsembleRegressor": forests.regressor,
    "FeatureVectorizer": learning.features,
    "Imputer": learning.imputer,
    "LabelEncoder": learning.label_encoder,
    "ZipMap": learning.scores_by_name,
    "StringNormalizer": words.normalizer,
    "TfIdfVectorizer": words.vectorizer,
    "RegexFullMatch": words.full_match,
    "StringSplit": words.split,
    "com.microsoft.Tokenizer": words.tokenizer,
    "OneHotEncoder": learning.one_hot,
    "If": control.choose,
    "Loop": control.loop,
    "Scan": folds.scan,
    "Gradient": gradients.gradient,
    "SequenceEmpty": sequences.empty,
    "SequenceConstruct": sequences.construct,
    "SequenceAt": sequences.at,
    "SequenceInsert": sequences.insert,
    "SequenceErase": sequences.erase,
    "SequenceLength": sequences.length,
    "SequenceMap": sequences.mapped,
    "ConcatFromSequence": sequences.concatenated,
    "SplitToSequence": sequences.split,
    "Optional": sequences.optional,
    "OptionalHasElement": sequences.has_element,
    "OptionalGetElement": sequences.get_element,
}
