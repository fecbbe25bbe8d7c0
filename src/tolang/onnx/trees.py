"""Ensembles of decision trees, as ai.onnx.ml has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tolang.onnx.elements import Array
from tolang.onnx.faults import model_error

COMPARISONS: tuple[Callable[[Any, Any], Any], ...] = (
    np.less_equal,
    np.less,
    np.greater_equal,
    np.greater,
    np.equal,
    np.not_equal,
)
MOST_TARGETS = 2**20
MEMBER = 6
"""The mode that asks whether a value is in a set."""


@dataclass(frozen=True, slots=True)
class Trees:
    """The nodes of all trees by their numbers: what each asks of which feature, and where it leads to.

    Leaves have numbers of their own; `ends` tells that a node leads to one, if its question holds and if not.
    """

    modes: Array
    features: Array
    splits: Array
    goes_on: tuple[Array, Array]
    ends: tuple[Array, Array]
    missing: Array
    sets: tuple[frozenset[float], ...] = ()

    def __post_init__(self) -> None:
        """Nodes lead to nodes and to leaves, and features are those of rows: none has a number below 0."""
        if any((one < 0).any() for one in (self.features, *self.goes_on)):
            raise ValueError("a node of a tree has a number below 0")

    def leaves(self, roots: Array, rows: Array) -> Array:
        """The leaf that each row reaches from each root; a root below 0 is a leaf itself."""
        at = np.broadcast_to(roots, (len(rows), len(roots))).copy()
        done = at < 0
        at[done] = ~at[done]
        for _ in range(len(self.modes) + 1):
            if done.all():
                return at
            row, tree = np.nonzero(~done)
            node = at[row, tree]
            holds = self._hold(node, rows[row, self.features[node]])
            at[row, tree] = np.where(holds, self.goes_on[0][node], self.goes_on[1][node])
            done[row, tree] = np.where(holds, self.ends[0][node], self.ends[1][node])
        raise model_error("E702", "the nodes of a tree go round in a circle")

    def _hold(self, nodes: Array, values: Array) -> Array:
        """Whether what nodes ask is so for values; of one that is missing as the node says, or else not."""
        result = np.zeros(len(nodes), bool)
        for mode in np.unique(self.modes[nodes]):
            own = self.modes[nodes] == mode
            if mode == MEMBER:
                pairs = zip(nodes[own], values[own], strict=True)
                result[own] = [float(value) in self.sets[node] for node, value in pairs]
            else:
                result[own] = COMPARISONS[mode](values[own], self.splits[nodes[own]])
        return np.where(np.isnan(values), self.missing[nodes], result)


def tree_ensemble(given: Mapping[str, Any]) -> Callable[[Sequence[Array]], list[Array]]:
    """TreeEnsemble: the weights of the leaves that each row reaches, put together for each target."""
    modes = np.asarray(given["nodes_modes"]).astype(int)
    missing = given.get("nodes_missing_value_tracks_true") or np.zeros(len(modes))
    trees = Trees(
        modes,
        np.asarray(given["nodes_featureids"], int),
        np.asarray(given["nodes_splits"]),
        (np.asarray(given["nodes_truenodeids"], int), np.asarray(given["nodes_falsenodeids"], int)),
        (np.asarray(given["nodes_trueleafs"], bool), np.asarray(given["nodes_falseleafs"], bool)),
        np.asarray(missing, bool),
        _sets(given),
    )
    roots, targets = np.asarray(given["tree_roots"], int), np.asarray(given["leaf_targetids"])
    if not ((targets >= 0) & (targets < given["n_targets"])).all() or given["n_targets"] > MOST_TARGETS:
        raise ValueError(f"leaf_targetids are of {given['n_targets']} targets")
    weights, function = np.asarray(given["leaf_weights"]), given.get("aggregate_function", 1)

    def computed(inputs: Sequence[Array]) -> list[Array]:
        rows = inputs[0]
        results = _collected(trees.leaves(roots, rows), targets, weights, (len(rows), given["n_targets"]), function)
        return [transformed(given.get("post_transform", 0), results).astype(rows.dtype)]

    return computed


def _collected(reached: Array, targets: Array, weights: Array, shape: tuple[int, int], function: int) -> Array:
    """For each row and target the mean, sum, least or greatest of the weights that it reached there; 0 for none."""
    row = np.broadcast_to(np.arange(shape[0])[:, None], reached.shape)
    place, found = (row, targets[reached]), weights[reached]
    if function <= 1:
        results = np.zeros(shape, weights.dtype)
        np.add.at(results, place, found)
        return np.asarray(results / (reached.shape[1] if function == 0 else 1))
    extreme, none = (np.minimum, np.inf) if function == 2 else (np.maximum, -np.inf)
    results = np.full(shape, none, weights.dtype)
    extreme.at(results, place, found)
    return np.where(np.isinf(results), 0, results)


def _sets(given: Mapping[str, Any]) -> tuple[frozenset[float], ...]:
    """The set that each node asks for, in order of the nodes that do; sets end with a NaN."""
    groups: list[set[float]] = [set()]
    for one in given.get("membership_values", ()):
        if one != one:
            groups.append(set())
        else:
            groups[-1].add(float(one))
    asking = sum(int(mode) == MEMBER for mode in given["nodes_modes"])
    if asking > len(groups):
        raise ValueError(f"{asking} nodes ask for sets, of which there are {len(groups)}")
    waiting = iter(groups)
    return tuple(frozenset(next(waiting)) if int(mode) == MEMBER else frozenset() for mode in given["nodes_modes"])


def transformed(kind: int, results: Array) -> Array:
    """Scores as shares, by the number of a transform."""
    match kind:
        case 1:
            return np.asarray(1 / (1 + np.exp(-results)))
        case 2 | 3:
            powers = np.where((results == 0) & (kind == 3), 0, np.exp(results - results.max(axis=1, keepdims=True)))
            return np.asarray(powers / powers.sum(axis=1, keepdims=True))
    if kind:
        raise model_error("E703", "trees with the transform PROBIT are not supported")
    return results
