"""Operators of ai.onnx.ml whose attributes are data: coefficients, labels, support vectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from onnx import NodeProto, helper

from tolang.onnx.faults import model_error
from tolang.onnx.protos import attributes
from tolang.onnx.values import Value

if TYPE_CHECKING:
    from tolang.onnx.importer import Importer, Scope

LEARNED = ("coefficients", "intercepts", "offset", "scale")
"""Attributes that are tensors of 32 bits."""


def learned(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope) -> list[Value]:
    """A model whose coefficients are tensors, and its labels, of whichever type, another."""
    given = attributes(node)
    refuse_probit(node, given)
    if "coefficients" in given:
        rows = given.pop("targets", 1) if node.op_type == "LinearRegressor" else len(given["intercepts"])
        given["coefficients"] = np.reshape(given["coefficients"], (rows, -1))
    more = {
        name: importer.constant(np.array(given.pop(name), np.float32), f"{node.output[0]}_{name}")
        for name in LEARNED
        if name in given
    }
    names = given.pop("classlabels_ints", None), given.pop("classlabels_strings", None)
    if any(names):
        more["labels"] = importer.constant(labels_of(*names), f"{node.output[0]}_labels")
    return importer.call(_with(node, given), inputs, **more)


def refuse_probit(node: NodeProto, given: Mapping[str, Any]) -> None:
    """Scores by the normal distribution have no definition here."""
    if given.get("post_transform") == "PROBIT":
        raise model_error("E703", f"{node.op_type} with the transform PROBIT is not supported")


def labels_of(numbers: Any, texts: Any) -> Any:
    """Labels of classes: texts where there are any, else whole numbers."""
    return (
        np.array([one.decode() if isinstance(one, bytes) else one for one in texts], object)
        if texts
        else (np.array(numbers, np.int64))
    )


def imputer(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope) -> list[Value]:
    """Imputer, with the values of whole numbers or of floats as one attribute."""
    given = attributes(node)
    whole = "imputed_value_int64s" in given
    values = given["imputed_value_int64s" if whole else "imputed_value_floats"]
    missing = given.get("replaced_value_int64" if whole else "replaced_value_float", 0)
    value = importer.constant(np.array(values, np.int64 if whole else np.float32), f"{node.output[0]}_values")
    return importer.call(_with(node, {}), inputs, imputed_value=value, replaced_value=missing)


def one_hot(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope) -> list[Value]:
    """OneHotEncoder, with its categories as a tensor."""
    given = attributes(node)
    cats = importer.constant(labels_of(given.get("cats_int64s"), given.get("cats_strings")), f"{node.output[0]}_cats")
    return importer.call(_with(node, {}), inputs, cats=cats)


def features(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope) -> list[Value]:
    """FeatureVectorizer: the features of all inputs side by side, as floats."""
    cast = helper.make_node("Cast", [""], [node.output[0]], to=1)
    joined = importer.call(cast, inputs[:1])[0]
    for other in inputs[1:]:
        pair: list[Value | None] = [joined, importer.call(cast, [other])[0]]
        joined = importer.call(helper.make_node("Concat", ["", ""], list(node.output), axis=1), pair)[0]
    return [joined]


def support_vectors(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: Scope) -> list[Value]:
    """SVMRegressor and SVMClassifier: the coefficients as those of the vectors for each result."""
    given = attributes(node)
    refuse_probit(node, given)
    of_classes = given.pop("vectors_per_class", None) or []
    count = given.pop("n_supports", 0) or sum(of_classes)
    unknown = "prob_a" if given.get("prob_a") else "support_vectors" if not count else "post_transform"
    if unknown != "post_transform" or given.pop("post_transform", "NONE") != "NONE":
        raise model_error("E703", f"{node.op_type} with such {unknown} is not supported")
    coefficients = np.array(given.pop("coefficients"), np.float32)
    data: dict[str, Any] = {"rho": np.array(given.pop("rho"), np.float32)}
    data["support_vectors"] = np.array(given.pop("support_vectors"), np.float32).reshape(count, -1)
    if of_classes:
        data["labels"] = labels_of(given.pop("classlabels_ints", None), given.pop("classlabels_strings", None))
        data["pairs"], coefficients = _of_pairs(of_classes, coefficients.reshape(-1, count))
    data["coefficients"] = coefficients.reshape(-1, count)
    more = {name: importer.constant(one, f"{node.output[0]}_{name}") for name, one in data.items()}
    return importer.call(_with(node, given), inputs, **more)


def _of_pairs(of_classes: list[int], coefficients: Any) -> tuple[Any, Any]:
    """The pairs of classes by their numbers, and for each the coefficients of all support vectors."""
    owner = np.repeat(np.arange(len(of_classes)), of_classes)
    pairs = [(i, j) for i in range(len(of_classes)) for j in range(i + 1, len(of_classes))]
    rows = [np.where(owner == i, coefficients[j - 1], np.where(owner == j, coefficients[i], 0)) for i, j in pairs]
    return np.array(pairs, np.int64) + 1, np.array(rows, np.float32)


def _with(node: NodeProto, given: Mapping[str, Any]) -> NodeProto:
    """A node with other attributes."""
    return helper.make_node(node.op_type, list(node.input), list(node.output), domain=node.domain, **given)
