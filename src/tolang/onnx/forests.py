"""Forests of decision trees as ai.onnx.ml had them first: classifiers and regressors, nodes by tree and number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tolang.onnx.elements import Array
from tolang.onnx.faults import model_error
from tolang.onnx.trees import Trees, transformed

Attributes = Mapping[str, Any]
Computed = Callable[[Sequence[Array]], list[Array]]
"""What an operator gives for its inputs, made once for a node."""

LEAF = "LEAF"
MODES = {"BRANCH_LEQ": 0, "BRANCH_LT": 1, "BRANCH_GTE": 2, "BRANCH_GT": 3, "BRANCH_EQ": 4, "BRANCH_NEQ": 5}
"""The questions of nodes; what asks nothing is a leaf."""
MOST_SAID = 2**26
"""A forest has at most so many nodes times targets."""
AGGREGATES = ("AVERAGE", "SUM", "MIN", "MAX")
TRANSFORMS = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT")


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees with what their leaves say: a weight by node and target, NaN where a leaf says nothing about a target."""

    trees: Trees
    roots: Array
    said: Array

    def said_of(self, rows: Array) -> Array:
        """What the leaves that each row reaches say, by row, tree and target."""
        return np.asarray(self.said[self.trees.leaves(self.roots, rows)])

    @staticmethod
    def scores(found: Array, function: int) -> Array:
        """For each row and target what leaves say together: the mean, sum, least or greatest; 0 for nothing."""
        says = ~np.isnan(found)
        if function <= 1:
            return np.asarray(np.where(says, found, 0).sum(axis=1) / (found.shape[1] if function == 0 else 1))
        filled = np.where(says, found, np.inf if function == 2 else -np.inf)
        extreme = filled.min(axis=1) if function == 2 else filled.max(axis=1)
        return np.where(says.any(axis=1), extreme, 0)


def regressor(given: Attributes) -> Computed:
    """TreeEnsembleRegressor: the weights of the leaves that each row reaches, put together for each target."""
    forest = _forest(given, "target", given.get("n_targets", 1))
    function = AGGREGATES.index(given.get("aggregate_function", "SUM"))
    base = _numbers(given, "base_values")

    def computed(inputs: Sequence[Array]) -> list[Array]:
        scores = forest.scores(forest.said_of(inputs[0]), function)
        return [_shares(given, scores + base if base.size else scores)]

    return computed


def classifier(given: Attributes) -> Computed:
    """TreeEnsembleClassifier: the label of each row and the scores of all classes.

    A forest of two classes may have weights of one of them alone, which is what they say about the second class.
    """
    texts = given.get("classlabels_strings")
    labels = np.array(texts, object) if texts else np.array(given.get("classlabels_int64s") or [0, 1], np.int64)
    forest = _forest(given, "class", len(labels))
    base = _numbers(given, "base_values")
    spoken = np.unique(np.asarray(given["class_ids"], int))
    positive = bool((_numbers(given, "class_weights") >= 0).all())

    def computed(inputs: Sequence[Array]) -> list[Array]:
        found = forest.said_of(inputs[0])
        scores = forest.scores(found, 1)
        if len(labels) == 2 and len(spoken) == 1:
            return _of_one_class(given, scores[:, spoken[0]] + (base[-1] if base.size else 0), labels, positive)
        if base.size == len(labels):
            scores = scores + base
            return [labels[scores.argmax(axis=1)], _shares(given, scores)]
        spoken_of = np.where(np.isnan(found).all(axis=1), -np.inf, scores)
        return [labels[spoken_of.argmax(axis=1)], _shares(given, scores)]

    return computed


def _of_one_class(given: Attributes, score: Array, labels: Array, positive: bool) -> list[Array]:
    """Label and scores of two classes by those of the second: shares up to 1 where no weight is negative."""
    if positive:
        scores = np.stack([1 - score, score], axis=1)
        return [labels[(score > 0.5).astype(int)], scores.astype(np.float32)]
    return [labels[(score > 0).astype(int)], _shares(given, np.stack([-score, score], axis=1))]


def _forest(given: Attributes, kind: str, targets: int) -> Forest:
    """The forest of a node's attributes, which tell the nodes and the weights of leaves by tree and number."""
    nodes = list(zip(given["nodes_treeids"], given["nodes_nodeids"], strict=True))
    places = {key: place for place, key in enumerate(nodes)}
    modes = given["nodes_modes"]
    unknown = sorted({mode for mode in modes if mode != LEAF and mode not in MODES})
    if unknown:
        raise model_error("E703", f"trees with nodes {unknown[0]} are not supported")
    asks = np.array([mode != LEAF for mode in modes])
    first = {tree: place for place, (tree, _) in reversed(list(enumerate(nodes)))}
    roots = np.array([first[tree] for tree in sorted(first)])
    yes, no = (
        np.array([places.get((tree, other), 0) for (tree, _), other in zip(nodes, given[name], strict=True)], int)
        for name in ("nodes_truenodeids", "nodes_falsenodeids")
    )
    missing = given.get("nodes_missing_value_tracks_true") or np.zeros(len(nodes))
    trees = Trees(
        np.array([MODES.get(mode, 0) for mode in modes]),
        np.asarray(given["nodes_featureids"], int),
        _numbers(given, "nodes_values"),
        (yes, no),
        (~asks[yes], ~asks[no]),
        np.asarray(missing, bool),
    )
    weights = _numbers(given, f"{kind}_weights")
    ids = given[f"{kind}_ids"]
    if not all(0 <= one < targets for one in ids) or len(nodes) * targets > MOST_SAID:
        raise ValueError(f"{kind}_ids are of {targets} targets")
    said = np.full((len(nodes), targets), np.nan, weights.dtype)
    told = zip(given[f"{kind}_treeids"], given[f"{kind}_nodeids"], ids, weights, strict=True)
    for tree, node, target, weight in told:
        place = places[tree, node], target
        said[place] = weight if np.isnan(said[place]) else said[place] + weight
    return Forest(trees, np.where(asks[roots], roots, ~roots), said)


def _shares(given: Attributes, scores: Array) -> Array:
    return transformed(TRANSFORMS.index(given.get("post_transform", "NONE")), scores).astype(np.float32)


def _numbers(given: Attributes, name: str) -> Array:
    """Numbers of an attribute, floats of 32 bits or a tensor by a name of its own; none where it is left out."""
    tensor = given.get(f"{name}_as_tensor")
    return np.asarray(given.get(name, ()), np.float32) if tensor is None else np.asarray(tensor)
