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
MEMBER = 6
"""The mode that asks whether a value is in a set."""


@dataclass(frozen=True, slots=True)
class Trees:
    """The nodes of all trees by their numbers, the sets that some ask for, and the leaves."""

    given: Mapping[str, Any]
    sets: tuple[frozenset[float], ...]

    def leaf(self, root: int, row: Array) -> int:
        """The leaf of a row, from a root on."""
        given, node = self.given, root
        for _ in range(len(given["nodes_modes"]) + 1):
            goes = self._holds(node, float(row[given["nodes_featureids"][node]]))
            side = "true" if goes else "false"
            child = given[f"nodes_{side}nodeids"][node]
            if given[f"nodes_{side}leafs"][node]:
                return int(child)
            node = child
        raise model_error("E702", "the nodes of a TreeEnsemble go round in a circle")

    def _holds(self, node: int, value: float) -> bool:
        mode = int(self.given["nodes_modes"][node])
        if value != value:
            missing = self.given.get("nodes_missing_value_tracks_true")
            return bool(missing and missing[node])
        if mode == MEMBER:
            return value in self.sets[node]
        return bool(COMPARISONS[mode](value, self.given["nodes_splits"][node]))


def tree_ensemble(given: Mapping[str, Any], inputs: Sequence[Array]) -> list[Array]:
    """The weights of the leaves that each row reaches, put together for each target."""
    rows = inputs[0]
    trees = Trees(given, _sets(given))
    targets, weights = given["leaf_targetids"], given["leaf_weights"]
    reached = np.array([[trees.leaf(root, row) for root in given["tree_roots"]] for row in rows], int).reshape(
        len(rows), -1
    )
    results = np.zeros((len(rows), given["n_targets"]), weights.dtype)
    for row, leaves in zip(results, reached, strict=True):
        for target in range(len(row)):
            own = [weights[leaf] for leaf in leaves if targets[leaf] == target]
            row[target] = _aggregated(given.get("aggregate_function", 1), own, len(leaves))
    return [_transformed(given.get("post_transform", 0), results).astype(rows.dtype)]


def _sets(given: Mapping[str, Any]) -> tuple[frozenset[float], ...]:
    """The set that each node asks for, in order of the nodes that do; sets end with a NaN."""
    groups: list[set[float]] = [set()]
    for one in given.get("membership_values", ()):
        if one != one:
            groups.append(set())
        else:
            groups[-1].add(float(one))
    waiting = iter(groups)
    return tuple(frozenset(next(waiting)) if int(mode) == MEMBER else frozenset() for mode in given["nodes_modes"])


def _aggregated(function: int, values: list[Any], trees: int) -> Any:
    if not values:
        return 0
    return (sum(values) / trees, sum(values), min(values), max(values))[function]


def _transformed(kind: int, results: Array) -> Array:
    match kind:
        case 1:
            return np.asarray(1 / (1 + np.exp(-results)))
        case 2 | 3:
            powers = np.where((results == 0) & (kind == 3), 0, np.exp(results - results.max(axis=1, keepdims=True)))
            return np.asarray(powers / powers.sum(axis=1, keepdims=True))
    if kind:
        raise model_error("E703", "TreeEnsemble with the transform PROBIT is not supported")
    return results
