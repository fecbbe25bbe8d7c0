"""Forests of decision trees: their nodes and what their leaves say, as tensors that a definition of ToLang follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from onnx import NodeProto, helper

from tolang.ground.dataclasses import dataclass, replace
from tolang.onnx.elements import Array
from tolang.onnx.faults import model_error
from tolang.onnx.importer import GraphScope, Importer
from tolang.onnx.learning import labels_of, refuse_probit
from tolang.onnx.protos import attributes
from tolang.onnx.values import TensorValue, Value

Attributes = Mapping[str, Any]

LEAF = "LEAF"
MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")
"""The questions of nodes by their numbers; what asks nothing is a leaf."""
EQUAL, MEMBER, MIXED = 4, 6, -1
"""The modes that ask whether a value is one, or in a set; and what stands for several modes."""
MOST_SAID = 2**26
"""A forest has at most so many leaves times targets."""
AGGREGATES = ("AVERAGE", "SUM", "MIN", "MAX")
TRANSFORMS = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT")


@dataclass(frozen=True, slots=True)
class Forest:
    """Nodes by their numbers from 1: what each asks of which feature, and where it leads to, if that is so and if not.

    A leaf is the negative of its number, from 1 on, too; `said` are weights by leaf and target, NaN where it has none.
    """

    roots: Array
    modes: Array
    features: Array
    splits: Array
    yes: Array
    no: Array
    missing: Array
    said: Array

    @property
    def depth(self) -> int:
        """How many questions are asked at most, one after the other."""
        reached, depth = np.unique(self.roots[self.roots > 0]), 0
        while reached.size:
            depth += 1
            if depth > len(self.modes):
                raise model_error("E702", "the nodes of a tree go round in a circle")
            after = np.concatenate([self.yes[reached - 1], self.no[reached - 1]])
            reached = np.unique(after[after > 0])
        return depth

    def tensors(self, importer: Importer, node: NodeProto, filler: float) -> dict[str, Any]:
        """The arguments of a definition: leaves are nodes there, after the others, which lead to themselves.

        `filler` is what a leaf says about a target where it says nothing.
        """
        depth = self.depth
        mode = int(self.modes[0]) if len(set(self.modes.tolist())) == 1 else MIXED
        said = np.where(np.isnan(self.said), self.said.dtype.type(filler), self.said)
        count, leaves = len(self.modes), len(said)
        ends = count + 1 + np.arange(leaves)
        roots, yes, no = (np.where(one < 0, count - one, one) for one in (self.roots, self.yes, self.no))
        data = {"roots": roots, "features": np.append(self.features, np.ones(leaves))}
        data["ways"] = np.stack([np.append(yes, ends), np.append(no, ends)], axis=1)
        data |= {} if mode != MIXED else {"modes": np.append(self.modes, np.zeros(leaves))}
        data |= {"missing": np.append(self.missing, np.zeros(leaves))} if self.missing.any() else {}
        splits = np.append(self.splits, np.zeros(leaves, self.splits.dtype))
        given = {name: one.astype(np.int32) for name, one in data.items()} | {"splits": splits, "said": said}
        more: dict[str, Any] = {"depth": depth, "mode": mode, "count": count}
        return more | {name: _data(importer, one, f"{node.output[0]}_{name}") for name, one in given.items()}


def _data(importer: Importer, array: Array, wanted: str) -> TensorValue:
    """A tensor of a node's attributes."""
    return importer.constant(np.ascontiguousarray(array), wanted)


def regressor(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """TreeEnsembleRegressor: the weights of the leaves that each row reaches, put together for each target."""
    given = attributes(node)
    refuse_probit(node, given)
    forest = fitting(lambda: of_nodes(given, "target", given.get("n_targets", 1)))
    more = {"aggregate": given.get("aggregate_function", "SUM"), "share": given.get("post_transform", "NONE")}
    base = _numbers(given, "base_values")
    if base.size:
        more["base"] = _data(importer, base.astype(np.float32), f"{node.output[0]}_base")
    return importer.call(_bare(node), inputs, **more, **forest.tensors(importer, node, _filler(more["aggregate"])))


def ensemble(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """TreeEnsemble: the same of nodes that tell one another by their numbers."""
    given = attributes(node)
    share = TRANSFORMS[given.get("post_transform", 0)]
    refuse_probit(node, {"post_transform": share})
    aggregate = AGGREGATES[given.get("aggregate_function", 1)]
    forest = fitting(lambda: of_numbers(given))
    tensors = forest.tensors(importer, node, _filler(aggregate))
    return importer.call(_bare(node), inputs, aggregate=aggregate, share=share, **tensors)


def classifier(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """TreeEnsembleClassifier: the label of each row and the scores of all classes.

    A forest of two classes may have weights of one of them alone, which is what they say about the second class.
    """
    given = attributes(node)
    refuse_probit(node, given)
    texts = given.get("classlabels_strings")
    labels = labels_of(given.get("classlabels_int64s") or [0, 1], texts)
    forest = fitting(lambda: of_nodes(given, "class", len(labels)))
    base, spoken = _numbers(given, "base_values"), np.unique(np.asarray(given["class_ids"], int))
    more: dict[str, Any] = {"labels": _data(importer, labels, f"{node.output[0]}_labels")}
    more["share"] = given.get("post_transform", "NONE")
    alone = len(labels) == 2 and len(spoken) == 1
    if alone:
        more["way"] = "POSITIVE" if (_numbers(given, "class_weights") >= 0).all() else "SIGNED"
        forest = replace(forest, said=forest.said[:, spoken])
        base = base[-1:]
    elif base.size == len(labels):
        more["way"] = "ALL"
    else:
        more["way"] = "SPOKEN" if np.isnan(forest.said).any() else "ALL"
        base = base[:0]
    if more["way"] == "SPOKEN":
        more["spoken"] = _data(importer, ~np.isnan(forest.said), f"{node.output[0]}_spoken")
    if base.size:
        more["base"] = _data(importer, base.astype(np.float32), f"{node.output[0]}_base")
    return importer.call(_bare(node), inputs, **more, **forest.tensors(importer, node, 0))


def fitting(make: Any) -> Forest:
    """A forest of attributes; an error where they do not fit one another, which making it finds out."""
    try:
        found = make()
    except (ValueError, LookupError, TypeError) as error:
        message = "the attributes of trees do not fit one another"
        raise model_error("E703", message, found=f"{type(error).__name__}: {error}") from error
    assert isinstance(found, Forest)
    return found


def of_nodes(given: Attributes, kind: str, targets: int) -> Forest:
    """The forest of attributes that tell the nodes and the weights of leaves by tree and number."""
    nodes = list(zip(given["nodes_treeids"], given["nodes_nodeids"], strict=True))
    modes = given["nodes_modes"]
    unknown = sorted({mode for mode in modes if mode != LEAF and mode not in MODES})
    if unknown:
        raise model_error("E703", f"trees with nodes {unknown[0]} are not supported")
    asks = np.array([mode != LEAF for mode in modes], bool)
    numbers = np.where(asks, np.cumsum(asks), -np.cumsum(~asks))
    places = {key: int(number) for key, number in zip(nodes, numbers, strict=True)}
    first = {tree: places[tree, number] for tree, number in reversed(nodes)}
    yes, no = (
        np.array([places.get((tree, other), 0) for (tree, _), other in zip(nodes, given[name], strict=True)], int)[asks]
        for name in ("nodes_truenodeids", "nodes_falsenodeids")
    )
    missing = np.asarray(given.get("nodes_missing_value_tracks_true") or np.zeros(len(nodes)), bool)
    asked = np.array([MODES.index(mode) for mode in modes if mode != LEAF], int)
    ids, weights = given[f"{kind}_ids"], _numbers(given, f"{kind}_weights")
    told = zip(given[f"{kind}_treeids"], given[f"{kind}_nodeids"], ids, weights, strict=True)
    leaves = [(-places[tree, number], target, weight) for tree, number, target, weight in told]
    return _checked(
        Forest(
            np.array([first[tree] for tree in sorted(first)]),
            asked,
            np.asarray(given["nodes_featureids"], int)[asks] + 1,
            _numbers(given, "nodes_values")[asks],
            yes,
            no,
            missing[asks],
            _said(leaves, int((~asks).sum()), targets, weights.dtype),
        )
    )


def of_numbers(given: Attributes) -> Forest:
    """The forest of attributes whose nodes and leaves have numbers of their own."""
    modes = np.asarray(given["nodes_modes"]).astype(int)
    yes, no = (_led(given, kind) for kind in ("true", "false"))
    roots = np.asarray(given["tree_roots"], int) + 1
    weights = np.asarray(given["leaf_weights"])
    leaves = [(k, target, w) for k, (target, w) in enumerate(zip(given["leaf_targetids"], weights, strict=True), 1)]
    forest = Forest(
        roots,
        modes,
        np.asarray(given["nodes_featureids"], int) + 1,
        np.asarray(given["nodes_splits"]),
        yes,
        no,
        np.asarray(given.get("nodes_missing_value_tracks_true") or np.zeros(len(modes)), bool),
        _said(leaves, len(leaves), given["n_targets"], weights.dtype),
    )
    return _checked(_without_sets(forest, _sets(given, modes)))


def _led(given: Attributes, kind: str) -> Array:
    """Where nodes lead to: the number of a node, or the negative one of a leaf."""
    numbers = np.asarray(given[f"nodes_{kind}nodeids"], int)
    return np.where(np.asarray(given[f"nodes_{kind}leafs"], bool), -1 - numbers, 1 + numbers)


def _without_sets(forest: Forest, sets: Sequence[Sequence[float]]) -> Forest:
    """A forest in which a node that asks for a set is as many nodes, one after the other, that ask for its members."""
    names = ("modes", "features", "splits", "yes", "no", "missing")
    columns: dict[str, list[Any]] = {name: getattr(forest, name).tolist() for name in names}
    for place, members in enumerate(sets):
        if forest.modes[place] != MEMBER:
            continue
        at, last = place, columns["no"][place]
        for k, member in enumerate(members or [np.nan]):
            if k:
                columns["no"][at] = len(columns["no"]) + 1
                at = len(columns["no"])
                for one in columns.values():
                    one.append(one[place])
            columns["modes"][at], columns["splits"][at], columns["no"][at] = EQUAL, member, last
    made = {name: np.array(one, getattr(forest, name).dtype) for name, one in columns.items()}
    return replace(forest, **made)


def _sets(given: Attributes, modes: Array) -> list[list[float]]:
    """The set that each node asks for, in order of the nodes that do; sets end with a NaN."""
    groups: list[list[float]] = [[]]
    for one in given.get("membership_values", ()):
        if one != one:
            groups.append([])
        else:
            groups[-1].append(float(one))
    waiting = iter(groups)
    return [next(waiting) if mode == MEMBER else [] for mode in modes.tolist()]


def _said(leaves: Sequence[tuple[int, int, Any]], count: int, targets: int, dtype: Any) -> Array:
    """What leaves say, by their numbers and targets: the sums of their weights, NaN where there are none."""
    if (
        not all(0 <= target < targets and 1 <= leaf <= count for leaf, target, _ in leaves)
        or count * targets > MOST_SAID
    ):
        raise ValueError(f"weights are of {count} leaves and {targets} targets")
    said = np.full((max(1, count), targets), np.nan, dtype)
    for leaf, target, weight in leaves:
        before = said[leaf - 1, target]
        said[leaf - 1, target] = weight if np.isnan(before) else before + weight
    return said


def _checked(forest: Forest) -> Forest:
    """Nodes lead to nodes and to leaves that there are, and ask of features: none has a number below 1."""
    led = np.concatenate([forest.roots, forest.yes, forest.no])
    if ((led == 0) | (led > len(forest.modes)) | (led < -len(forest.said)) | (abs(led) > MOST_SAID)).any():
        raise ValueError("a node of a tree leads to none")
    if (forest.features < 1).any():
        raise ValueError("a node of a tree asks of a feature below 0")
    return forest


def _filler(aggregate: str) -> float:
    """What a leaf says about a target where it says nothing."""
    return {"MIN": np.inf, "MAX": -np.inf}.get(aggregate, 0.0)


def _bare(node: NodeProto) -> NodeProto:
    """A node without its attributes, which are tensors now."""
    return helper.make_node(node.op_type, list(node.input), list(node.output), domain=node.domain)


def _numbers(given: Attributes, name: str) -> Array:
    """Numbers of an attribute, floats of 32 bits or a tensor by a name of its own; none where it is left out."""
    tensor = given.get(f"{name}_as_tensor")
    return np.asarray(given.get(name, ()), np.float32) if tensor is None else np.asarray(tensor)
