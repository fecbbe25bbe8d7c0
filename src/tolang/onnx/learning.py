"""Operators of ai.onnx.ml whose attributes are data: coefficients, labels, support vectors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from onnx import NodeProto, helper

from tolang.onnx.faults import model_error
from tolang.onnx.importer import GraphScope, Importer
from tolang.onnx.protos import attributes
from tolang.onnx.values import ScoresValue, TensorValue, Value

LEARNED = ("coefficients", "intercepts", "offset", "scale")
"""Attributes that are tensors of 32 bits."""


def learned(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """A model whose coefficients are tensors, and its labels, of whichever type, another."""
    given = attributes(node)
    refuse_probit(node, given)
    if node.op_type == "LinearRegressor":
        given["coefficients"] = in_rows(given, "coefficients", given.pop("targets", 1))
    elif node.op_type == "LinearClassifier":
        given["coefficients"] = in_rows(given, "coefficients", len(needed(given, "intercepts")))
    more = {
        name: importer.constant(np.array(given.pop(name), np.float32), f"{node.output[0]}_{name}")
        for name in LEARNED
        if name in given
    }
    names = given.pop("classlabels_ints", None), given.pop("classlabels_strings", None)
    if any(names):
        more["labels"] = importer.constant(labels_of(*names), f"{node.output[0]}_labels")
    return importer.call(_with(node, given), inputs, **more)


def scores_by_name(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """ZipMap: the scores that it is given, and names for their columns."""
    given, scores = attributes(node), inputs[0]
    if not isinstance(scores, TensorValue):
        raise model_error("E703", "ZipMap takes a tensor, no sequence or optional")
    labels = given.get("classlabels_strings") or needed(given, "classlabels_int64s")
    return [ScoresValue(scores, tuple(labels))]


def needed(given: Mapping[str, Any], name: str) -> Any:
    """An attribute that its operator may be without, and this definition of it may not."""
    if not given.get(name):
        raise model_error("E703", f"its attribute {name!r} is missing, or holds nothing")
    return given[name]


def in_rows(given: Mapping[str, Any], name: str, rows: int) -> Any:
    """The numbers of an attribute as so many rows of one length."""
    numbers = np.array(needed(given, name), np.float32)
    if rows < 1 or numbers.size % rows:
        raise model_error("E703", f"{name} are no rows of one length", f"{numbers.size} numbers", f"{rows} rows")
    return numbers.reshape(rows, -1)


def refuse_probit(node: NodeProto, given: Mapping[str, Any]) -> None:
    """Scores by the normal distribution have no definition here."""
    if given.get("post_transform") == "PROBIT":
        raise model_error("E703", f"{node.op_type} with the transform PROBIT is not supported")


def labels_of(numbers: Any, texts: Any) -> Any:
    """Labels of classes: texts where there are any, else whole numbers."""
    return (
        np.array([one.decode() if isinstance(one, bytes) else one for one in texts], object)
        if texts
        else np.array(numbers or [], np.int64)
    )


def imputer(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """Imputer, with the values of whole numbers or of floats as one attribute."""
    given = attributes(node)
    whole = "imputed_value_int64s" in given
    values = needed(given, "imputed_value_int64s" if whole else "imputed_value_floats")
    missing = given.get("replaced_value_int64" if whole else "replaced_value_float", 0)
    value = importer.constant(np.array(values, np.int64 if whole else np.float32), f"{node.output[0]}_values")
    return importer.call(_with(node, {}), inputs, imputed_value=value, replaced_value=missing)


def one_hot(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """OneHotEncoder, with its categories as a tensor."""
    given = attributes(node)
    texts = given.get("cats_strings")
    whole = None if texts else needed(given, "cats_int64s")
    cats = importer.constant(labels_of(whole, texts), f"{node.output[0]}_cats")
    return importer.call(_with(node, {}), inputs, cats=cats)


DEFAULTS: dict[str, Any] = {"int64s": np.int64(-1), "floats": np.float32(-0.0), "strings": "_Unused"}
"""What stands for a key that a table lacks, unless the node says something else."""


def label_encoder(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """LabelEncoder: its table as two tensors, each key in it once, and what stands for others."""
    given = attributes(node)
    if "classes_strings" in given:
        raise model_error("E703", "LabelEncoder of the first opset, with classes_strings, is not supported")
    named = [[name for name in given if name.startswith(kind)] for kind in ("keys_", "values_")]
    if [len(one) for one in named] != [1, 1]:
        raise model_error("E703", "a table has keys and values, of one type each")
    keys, values = named[0][0], named[1][0]
    table = dict(zip(_items(given[keys]), _items(given[values]), strict=False))
    kind = values.removeprefix("values_")
    other = given.get(f"default_{kind.removesuffix('s')}", DEFAULTS.get(kind))
    dtype = _dtype(given[values], kind)
    if other is None:
        other = "_Unused" if dtype.kind == "O" else -1 if dtype.kind in "iu" else 0
    default = np.asarray(other, dtype).reshape(-1)[:1]
    missing = next((value for key, value in table.items() if key != key), default[0])
    plain = {key: value for key, value in table.items() if key == key}
    data = {
        "keys": np.array(list(plain), _dtype(given[keys], keys.removeprefix("keys_"))),
        "values": np.array(list(plain.values()), dtype),
        "other": default,
        "missing": np.array([missing], dtype),
    }
    more = {name: importer.constant(one, f"{node.output[0]}_{name}") for name, one in data.items()}
    return importer.call(_with(node, {}), inputs, **more)


def _items(given: Any) -> list[Any]:
    """The keys or values of a table."""
    return given.reshape(-1).tolist() if isinstance(given, np.ndarray) else list(given)


def _dtype(given: Any, kind: str) -> np.dtype[Any]:
    """In what numbers the keys or values of a table are; objects are texts."""
    if isinstance(given, np.ndarray):
        own: np.dtype[Any] = given.dtype
        return own
    return np.dtype({"int64s": np.int64, "floats": np.float32}.get(kind, object))


def features(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """FeatureVectorizer: the features of all inputs side by side, as floats."""
    cast = helper.make_node("Cast", [""], [node.output[0]], to=1)
    joined = importer.call(cast, inputs[:1])[0]
    for other in inputs[1:]:
        pair: list[Value | None] = [joined, importer.call(cast, [other])[0]]
        joined = importer.call(helper.make_node("Concat", ["", ""], list(node.output), axis=1), pair)[0]
    return [joined]


def support_vectors(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """SVMRegressor and SVMClassifier: the coefficients as those of the vectors for each result."""
    given = attributes(node)
    refuse_probit(node, given)
    of_classes = given.pop("vectors_per_class", None) or []
    if any(one < 0 for one in of_classes):
        raise model_error("E703", "vectors_per_class are numbers of vectors", found=str(of_classes))
    count = given.pop("n_supports", 0) or sum(of_classes)
    if not count or given.pop("post_transform", "NONE") != "NONE":
        unknown = "post_transform" if count else "support_vectors"
        raise model_error("E703", f"{node.op_type} with such {unknown} is not supported")
    rho = needed(given, "rho")
    data: dict[str, Any] = {
        "rho": np.array(rho, np.float32),
        "support_vectors": in_rows(given, "support_vectors", count),
    }
    if node.op_type == "SVMClassifier":
        texts = given.pop("classlabels_strings", None)
        whole = given.pop("classlabels_ints", None)
        data["labels"] = labels_of(whole, texts)
        coefficients = in_rows(given, "coefficients", max(1, len(of_classes) - 1))
        classes = len(data["labels"]), len(of_classes), (1 + math.isqrt(1 + 8 * len(rho))) // 2
        if len(set(classes)) > 1 or coefficients.shape[1] != sum(of_classes):
            raise model_error("E703", "labels, vectors_per_class, coefficients and rho are of different classes")
        data["pairs"], data["coefficients"] = _of_pairs(of_classes, coefficients)
        data |= _likelihoods(given, len(rho))
    else:
        data["coefficients"] = in_rows(given, "coefficients", len(rho))
        if data["coefficients"].shape[1] != count:
            raise model_error("E703", "there are other coefficients than support vectors", found=str(count))
    for name in ("rho", "support_vectors", "coefficients"):
        given.pop(name)
    more = {name: importer.constant(one, f"{node.output[0]}_{name}") for name, one in data.items()}
    return importer.call(_with(node, given), inputs, **more)


def _likelihoods(given: dict[str, Any], pairs: int) -> dict[str, Any]:
    """The logistic function of each pair of classes, where shares of classes are wanted; taken from the attributes."""
    slopes, offsets = given.pop("prob_a", None) or [], given.pop("prob_b", None) or []
    if not slopes and not offsets:
        return {}
    if len(slopes) != pairs or len(offsets) != pairs:
        found = f"{len(slopes)} and {len(offsets)} of {pairs} pairs"
        raise model_error("E703", "prob_a and prob_b have a number for each pair of classes", found=found)
    return {"prob_a": np.array(slopes, np.float32), "prob_b": np.array(offsets, np.float32)}


def _of_pairs(of_classes: list[int], coefficients: Any) -> tuple[Any, Any]:
    """The pairs of classes by their numbers, and for each the coefficients of all support vectors."""
    owner = np.repeat(np.arange(len(of_classes)), of_classes)
    pairs = [(i, j) for i in range(len(of_classes)) for j in range(i + 1, len(of_classes))]
    rows = [np.where(owner == i, coefficients[j - 1], np.where(owner == j, coefficients[i], 0)) for i, j in pairs]
    return np.array(pairs, np.int64) + 1, np.array(rows, np.float32)


def _with(node: NodeProto, given: Mapping[str, Any]) -> NodeProto:
    """A node with other attributes."""
    return helper.make_node(node.op_type, list(node.input), list(node.output), domain=node.domain, **given)
