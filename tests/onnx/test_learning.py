"""Operators of ai.onnx.ml, held against onnx's own evaluator and onnxruntime: linear models, vectors, forests."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import onnxruntime
import pytest
from onnx import GraphProto, ModelProto, TensorProto, helper
from tests.onnx.operators import Array

import tolang
import tolang.onnx
from tolang.onnx.elements import element_of

pytestmark = pytest.mark.sampled(4)

DRAWN = np.random.default_rng(0)
ROWS = np.asarray(DRAWN.normal(size=(9, 4))).astype(np.float32)
HOLED = np.where(ROWS > 1, np.float32("nan"), ROWS)
WHOLE = DRAWN.integers(0, 4, (9, 4))
WEIGHTS, VECTORS = DRAWN.normal(size=12).tolist(), DRAWN.normal(size=(7, 4)).reshape(-1).tolist()
SHARES = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO")
KERNELS = ("LINEAR", "POLY", "RBF", "SIGMOID")


def model_of(operator: str, inputs: list[Array], outputs: int, **attributes: Any) -> ModelProto:
    """A model of one node, for any number of rows."""
    names = [f"x{place}" for place in range(len(inputs))]
    results = [f"y{place}" for place in range(outputs)]
    node = helper.make_node(operator, names, results, domain="ai.onnx.ml", **attributes)
    infos = [
        helper.make_tensor_value_info(name, element_of(one), ["rows", *one.shape[1:]])
        for name, one in zip(names, inputs, strict=True)
    ]
    graph = helper.make_graph([node], "node", infos, [helper.make_empty_tensor_value_info(name) for name in results])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def assert_equals_runtime(operator: str, inputs: list[Array], outputs: int = 1, **attributes: Any) -> None:
    """What a node gives is what onnxruntime gives; sums of floats of 32 bits differ in their last digits."""
    model = model_of(operator, inputs, outputs, **attributes)
    data = {f"x{place}": one for place, one in enumerate(inputs)}
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    wanted = session.run(None, data)
    for found, expected in zip(tolang.onnx.load(model).run(data), wanted, strict=True):
        if isinstance(expected, list):
            assert [sorted(row) for row in found] == [sorted(row) for row in expected]
            found, expected = ([list(row.values()) for row in rows] for rows in (found, expected))
        if np.asarray(expected).dtype.kind in "OU":
            assert found.tolist() == np.asarray(expected).tolist()
        else:
            np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("operator", "rows", "attributes"),
    [
        ("Scaler", ROWS, {"offset": [1.0, 2.0, 3.0, 4.0], "scale": [0.5, 1.0, 2.0, 3.0]}),
        ("Scaler", WHOLE, {"offset": [1.0], "scale": [2.0]}),
        *(("Normalizer", np.vstack([ROWS, 0 * ROWS[:1]]), {"norm": norm}) for norm in ("MAX", "L1", "L2")),
        ("Imputer", HOLED, {"imputed_value_floats": [1.0, 2.0, 3.0, 4.0], "replaced_value_float": float("nan")}),
        ("Imputer", WHOLE, {"imputed_value_int64s": [9], "replaced_value_int64": 2}),
        ("OneHotEncoder", WHOLE, {"cats_int64s": [0, 3, 1]}),
        ("OneHotEncoder", np.array([["a", "b"], ["x", "a"]], object), {"cats_strings": ["b", "a"]}),
    ],
)
def test_features(operator: str, rows: Array, attributes: dict[str, Any]) -> None:
    assert_equals_runtime(operator, [rows], **attributes)


def test_features_side_by_side() -> None:
    assert_equals_runtime("FeatureVectorizer", [ROWS, 2 * ROWS[:, :3]], inputdimensions=[4, 3])


@pytest.mark.parametrize("share", SHARES)
def test_linear_models(share: str) -> None:
    three = {"coefficients": WEIGHTS, "intercepts": [0.1, 0.2, -0.3], "post_transform": share}
    assert_equals_runtime("LinearRegressor", [ROWS], targets=3, **three)
    assert_equals_runtime("LinearClassifier", [ROWS], 2, classlabels_ints=[5, 6, 7], **three)
    assert_equals_runtime("LinearClassifier", [ROWS], 2, classlabels_strings=["u", "v", "w"], **three)
    one = {"coefficients": WEIGHTS[:4], "intercepts": [0.1], "post_transform": share}
    assert_equals_runtime("LinearClassifier", [ROWS], 2, classlabels_ints=[5, 6], **one)


@pytest.mark.parametrize("kernel", KERNELS)
def test_support_vectors(kernel: str) -> None:
    common: dict[str, Any] = {
        "support_vectors": VECTORS, "kernel_type": kernel, "kernel_params": [0.3, 0.1, 3.0],
    }  # fmt: skip
    assert_equals_runtime("SVMRegressor", [ROWS], coefficients=WEIGHTS[:7], rho=[0.3], n_supports=7, **common)
    three = {"coefficients": [*WEIGHTS, 0.5, -0.5], "rho": [0.3, 0.1, -0.2], "vectors_per_class": [2, 2, 3]}
    assert_equals_runtime("SVMClassifier", [ROWS], 2, classlabels_ints=[4, 5, 6], **three, **common)
    likely = {"prob_a": [-1.5, -0.7, -0.4], "prob_b": [0.1, 0.0, -0.2]}
    assert_equals_runtime("SVMClassifier", [ROWS], 2, classlabels_ints=[4, 5, 6], **three, **likely, **common)
    two = {"coefficients": WEIGHTS[:7], "rho": [0.3], "vectors_per_class": [3, 4]}
    assert_equals_runtime("SVMClassifier", [ROWS], 2, classlabels_ints=[4, 5], **two, **common)


FOREST: dict[str, Any] = {
    "nodes_treeids": [0, 0, 0, 0, 0, 1, 1, 1], "nodes_nodeids": [0, 1, 2, 3, 4, 0, 1, 2],
    "nodes_modes": ["BRANCH_LEQ", "BRANCH_LT", "LEAF", "LEAF", "LEAF", "BRANCH_GT", "LEAF", "LEAF"],
    "nodes_featureids": [0, 1, 0, 0, 0, 2, 0, 0], "nodes_values": [0.1, -0.2, 0, 0, 0, 0.3, 0, 0],
    "nodes_truenodeids": [1, 2, 0, 0, 0, 1, 0, 0], "nodes_falsenodeids": [4, 3, 0, 0, 0, 2, 0, 0],
    "nodes_missing_value_tracks_true": [0, 1, 0, 0, 0, 1, 0, 0],
}  # fmt: skip
"""Two trees: one of three leaves, one of two, which ask different questions."""
LEAVES = {"treeids": [0, 0, 0, 1, 1], "nodeids": [2, 3, 4, 1, 2]}


def leaves(kind: str, ids: list[int], weights: list[float]) -> dict[str, Any]:
    """What the leaves say, as attributes of a classifier or a regressor."""
    given = {f"{kind}_{name}": one for name, one in LEAVES.items()}
    return {**given, f"{kind}_ids": ids, f"{kind}_weights": weights}


@pytest.mark.parametrize("function", ["SUM", "AVERAGE", "MIN", "MAX"])
def test_regression_by_trees(function: str) -> None:
    said = leaves("target", [0] * 5, [0.5, -1.0, 2.0, 0.25, 3.0])
    assert_equals_runtime(
        "TreeEnsembleRegressor", [HOLED], n_targets=1, aggregate_function=function, base_values=[0.5],
        **FOREST, **said,
    )  # fmt: skip


@pytest.mark.parametrize("share", SHARES)
def test_classes_by_trees(share: str) -> None:
    weights = [0.5, -1.0, 2.0, 0.25, 3.0]
    three = {
        "classlabels_strings": ["a", "b", "c"],
        "post_transform": share,
        **leaves("class", [0, 1, 2, 1, 0], weights),
    }
    assert_equals_runtime("TreeEnsembleClassifier", [HOLED], 2, **FOREST, **three)
    one = {"classlabels_int64s": [4, 5], "post_transform": share}
    mixed, positive = leaves("class", [0] * 5, weights), leaves("class", [0] * 5, [abs(w) / 6 for w in weights])
    if share in ("NONE", "LOGISTIC"):
        assert_equals_runtime("TreeEnsembleClassifier", [HOLED], 2, **FOREST, **one, **mixed)
    if share == "NONE":
        assert_equals_runtime("TreeEnsembleClassifier", [HOLED], 2, **FOREST, **one, **positive)


def test_forests_are_programs() -> None:
    """They are counted, and one program serves every number of rows; nodes that ask the same are counted as such."""
    said = leaves("target", [0] * 5, [0.5, -1.0, 2.0, 0.25, 3.0])
    model = tolang.onnx.load(model_of("TreeEnsembleRegressor", [HOLED], 1, n_targets=1, **FOREST, **said), "cpu")
    found = {rows: model.run({"x0": HOLED[:rows]})[0] for rows in (9, 1, 4)}
    assert all(np.array_equal(one, found[9][:rows]) for rows, one in found.items())
    assert len(model._variants) == 1
    alike = {**FOREST, "nodes_modes": ["BRANCH_LEQ" if one != "LEAF" else one for one in FOREST["nodes_modes"]]}
    alike.pop("nodes_missing_value_tracks_true")
    plain = tolang.onnx.load(model_of("TreeEnsembleRegressor", [ROWS], 1, n_targets=1, **alike, **said))
    trees, depth, targets = 2, 2, 1
    assert str(plain.cost().eops) == f"{trees * (depth + 1) + trees * targets}*rows"
    assert_equals_runtime("TreeEnsembleRegressor", [ROWS], n_targets=1, **alike, **said)


def repeated(times: int, said: dict[str, Any]) -> dict[str, Any]:
    """A forest of as many times two trees, each time with other splits and with missing values tracked otherwise."""
    given = {name: list(one) * times for name, one in (FOREST | said).items()}
    for name in ("nodes_treeids", "target_treeids"):
        count = len(given[name]) // times
        given[name] = [tree + 2 * (place // count) for place, tree in enumerate(given[name])]
    drawn = np.random.default_rng(8)
    given["nodes_values"] = drawn.normal(size=len(given["nodes_values"])).tolist()
    given["nodes_missing_value_tracks_true"] = drawn.integers(0, 2, len(given["nodes_values"])).tolist()
    return given


@pytest.mark.parametrize("times", [3, 4, 11])
@pytest.mark.parametrize("alike", [True, False])
def test_many_trees_are_walked_in_turns(times: int, alike: bool) -> None:
    given = repeated(times, leaves("target", [0, 1, 0, 1, 1], [0.5, -1.0, 2.0, 0.25, 3.0]))
    if alike:
        given["nodes_modes"] = ["BRANCH_LT" if one != "LEAF" else one for one in given["nodes_modes"]]
    assert_equals_runtime("TreeEnsembleRegressor", [HOLED], n_targets=2, **given)
    model = tolang.onnx.load(model_of("TreeEnsembleRegressor", [HOLED], 1, n_targets=2, **given))
    plan = model.program_for({"x0": HOLED}).explain().full
    assert re.search(rf"by pointer chase \(\S+ interleave {min(8, 2 * times)}\)", plan)


@pytest.mark.parametrize(
    ("name", "other", "code"),
    [
        ("nodes_truenodeids", [0, 2, 0, 0, 0, 1, 0, 0], "E702"),
        ("nodes_truenodeids", [9, 2, 0, 0, 0, 1, 0, 0], "E703"),
        ("nodes_featureids", [-1, 1, 0, 0, 0, 2, 0, 0], "E703"),
        ("nodes_modes", ["BRANCH_ODD"] * 8, "E703"),
        ("nodes_values", [0.5], "E703"),
        ("target_ids", [1] * 5, "E703"),
        ("target_nodeids", [2, 3, 9, 1, 2], "E703"),
    ],
)
def test_trees_that_are_none(name: str, other: list[Any], code: str) -> None:
    given = {**FOREST, **leaves("target", [0] * 5, [0.5, -1.0, 2.0, 0.25, 3.0]), name: other}
    with pytest.raises(tolang.ToLangError) as caught:
        tolang.onnx.load(model_of("TreeEnsembleRegressor", [ROWS], 1, n_targets=1, **given)).run({"x0": ROWS})
    assert caught.value.code == code


WORDS = np.array([["a", "b"], ["x", "a"]], object)
CODES = np.array([[1.5, np.nan], [2.5, 9.0]], np.float32)


@pytest.mark.parametrize(
    ("data", "attributes"),
    [
        (WORDS, {"keys_strings": ["b", "a"], "values_int64s": [7, 9], "default_int64": 5}),
        (WORDS, {"keys_strings": ["b", "a"], "values_strings": ["u", "v"]}),
        (WHOLE, {"keys_int64s": [0, 2, 1], "values_floats": [0.5, 2.5, 1.5]}),
        (WHOLE, {"keys_int64s": [0, 2], "values_strings": ["u", "v"], "default_string": "w"}),
        (CODES, {"keys_floats": [2.5, 1.5], "values_int64s": [2, 1]}),
    ],
)
def test_tables(data: Array, attributes: dict[str, Any]) -> None:
    assert_equals_runtime("LabelEncoder", [data], **attributes)


def test_a_table_with_a_key_that_is_no_number() -> None:
    """It is found, as ONNX has it since the fourth opset; onnxruntime's kernel of the ones before does not find it."""
    attributes = {"keys_floats": [2.5, float("nan")], "values_int64s": [2, 3], "default_int64": 4}
    assert tolang.onnx.load(model_of("LabelEncoder", [CODES], 1, **attributes))(CODES).tolist() == [[4, 3], [2, 4]]
    both = {**attributes, "values_floats": [1.0, 2.0]}
    with pytest.raises(tolang.ToLangError, match="of one type each"):
        tolang.onnx.load(model_of("LabelEncoder", [CODES], 1, **both))(CODES)


def test_scores_by_label_are_counted() -> None:
    """Names cost nothing, and what is named is counted."""
    said = {"classlabels_int64s": [4, 5, 6], **leaves("class", [0, 1, 2, 1, 0], [0.5, 1.0, 2.0, 0.25, 3.0])}
    model = model_of("TreeEnsembleClassifier", [ROWS], 2, **FOREST, **said)
    alone = tolang.onnx.load(model).cost().eops
    model.graph.node.append(
        helper.make_node("ZipMap", ["y1"], ["named"], domain="ai.onnx.ml", classlabels_int64s=[4, 5, 6])
    )
    model.graph.output[1].name = "named"
    named = tolang.onnx.load(model)
    assert named.cost().eops == alone
    assert len(named.run({"x0": ROWS})[1]) == len(ROWS)


def test_scores_by_label() -> None:
    assert_equals_runtime("ZipMap", [np.abs(ROWS)], classlabels_strings=["a", "b", "c", "d"])


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
def test_scores_have_their_names_in_every_call(engine: str) -> None:
    """The third call of compiled code with arrays of the same shape is a short one."""
    model = model_of("ZipMap", [ROWS], 1, classlabels_strings=["a", "b", "c", "d"])
    model.graph.node.append(helper.make_node("Identity", ["y0"], ["same"]))
    model.graph.output[0].name = "same"
    loaded = tolang.onnx.load(model, engine)
    wanted = [dict(zip("abcd", row, strict=True)) for row in ROWS.tolist()]
    assert [loaded(ROWS) for _ in range(4)] == [wanted] * 4
    assert loaded.program.outputs.keys() == {"same"}
    assert "the columns of same are the scores of 'a', 'b', 'c', 'd'" in loaded.program.legend()


def test_scores_without_a_column_for_each_name() -> None:
    loaded = tolang.onnx.load(model_of("ZipMap", [ROWS], 1, classlabels_int64s=[1, 2, 3]))
    with pytest.raises(tolang.ToLangError, match="a column for each of their 3 names") as error:
        loaded(ROWS)
    assert error.value.code == "E703"
    with pytest.raises(tolang.ToLangError, match="'classlabels_int64s' is missing"):
        tolang.onnx.load(model_of("ZipMap", [ROWS], 1))(ROWS)


def branch(name: str, labels: str) -> GraphProto:
    """A subgraph that names scores."""
    node = helper.make_node("ZipMap", ["x"], [name], domain="ai.onnx.ml", classlabels_strings=list(labels))
    return helper.make_graph([node], name, [], [helper.make_empty_tensor_value_info(name)])


def test_scores_in_a_branch() -> None:
    """They have the names of the branch taken; where data tell while running which that is, they are refused."""
    choice = helper.make_node("If", ["c"], ["y"], then_branch=branch("yes", "abcd"), else_branch=branch("no", "efgh"))
    asking = [helper.make_node("ReduceMax", ["x"], ["m"], keepdims=0), helper.make_node("Greater", ["m", "m"], ["c"])]
    infos = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 4]),
        helper.make_tensor_value_info("c", TensorProto.BOOL, []),
    ]
    result = [helper.make_empty_tensor_value_info("y")]
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    told, asked = (
        tolang.onnx.load(helper.make_model(helper.make_graph(nodes, "graph", given, result), opset_imports=opsets))
        for nodes, given in (([choice], infos), ([*asking, choice], infos[:1]))
    )
    assert [set(told(ROWS, np.array(one))[0]) for one in (True, False)] == [set("abcd"), set("efgh")]
    with pytest.raises(tolang.ToLangError, match="need a condition known") as error:
        asked(ROWS)
    assert error.value.code == "E703"


def test_what_has_no_definition_is_refused() -> None:
    given = {"coefficients": WEIGHTS[:4], "intercepts": [0.1], "post_transform": "PROBIT"}
    with pytest.raises(tolang.ToLangUsageError, match="PROBIT"):
        tolang.onnx.load(model_of("LinearRegressor", [ROWS], 1, **given)).run({"x0": ROWS})


@pytest.mark.parametrize(
    ("words", "mode", "least", "most", "skip"),
    [("abcd", "TFIDF", 1, 3, 2), ("abcd", "TF", 2, 2, 5), (range(4), "IDF", 1, 2, 1), (range(4), "TF", 3, 3, 0)],
)
def test_ngrams(words: Any, mode: str, least: int, most: int, skip: int) -> None:
    """Words that no n-gram has, n-grams that others begin with, sizes of which there are none."""
    a, b, c, d = words
    pool = [a, d, a, b, b, a, d, d, a, b, c, c, b, a]
    text = isinstance(words, str)
    attributes: dict[str, Any] = {"pool_strings" if text else "pool_int64s": pool, "ngram_counts": [0, 2, 8]}
    attributes |= {"ngram_indexes": [3, 1, 0, 6, 4, 5, 2], "weights": [0.5, 2.0, 1.0, 3.0, 4.0, 5.0, 6.0]}
    attributes |= {"mode": mode, "min_gram_length": least, "max_gram_length": most, "max_skip_count": skip}
    node = helper.make_node("TfIdfVectorizer", ["x"], ["y"], **attributes)
    x = np.array([[a, b, a, d, d, c], ["e" if text else 9, c, b, a, b, c]], object if text else np.int64)
    infos = [helper.make_tensor_value_info("x", element_of(x), ["n", "m"]), helper.make_empty_tensor_value_info("y")]
    graph = helper.make_graph([node], "ngrams", infos[:1], infos[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    wanted = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": x})[0]
    found = tolang.onnx.load(model, "interpret")
    np.testing.assert_array_equal(found(x), wanted, strict=True)
    steps = (skip + 1) * sum(
        (k - 1) * (2 * int(np.log2(2 * len(_beginnings(pool, least, most)) + 3)) + 6) + 4
        for k in range(least, most + 1)
    )
    used = len({one for gram in _beginnings(pool, least, most) for one in gram})
    assert found.cost(n=2, m=6).eops == 12 * (2 * int(np.log2(2 * used + 1)) + 4 + steps) + 14 * (mode != "TF")


def _beginnings(pool: list[Any], least: int, most: int) -> set[tuple[Any, ...]]:
    """Of the n-grams that are counted, whatever they begin with."""
    cut = (
        [(one,) for one in pool[:2]],
        list(zip(pool[2:8:2], pool[3:8:2], strict=True)),
        [tuple(pool[8:11]), tuple(pool[11:])],
    )
    return {gram[:k] for size in range(least, most + 1) for gram in cut[size - 1] for k in range(1, size + 1)}


@pytest.mark.parametrize(
    ("case", "exact", "stop"),
    [("LOWER", 0, ["The", "a"]), ("UPPER", 1, ["a"]), ("NONE", 1, []), ("NONE", 0, ["the", "cat", "a"])],
)
def test_texts_in_one_case(case: str, exact: int, stop: list[str]) -> None:
    more: dict[str, Any] = {"stopwords": stop} if stop else {}
    node = helper.make_node(
        "StringNormalizer", ["x"], ["y"], case_change_action=case, is_case_sensitive=exact, locale="C", **more
    )
    infos = [
        helper.make_tensor_value_info(name, TensorProto.STRING, [1, length])
        for name, length in (("x", "n"), ("y", "m"))
    ]
    graph = helper.make_graph([node], "texts", infos[:1], infos[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    session, found = onnxruntime.InferenceSession(model.SerializeToString()), tolang.onnx.load(model, "interpret")
    for words in (["The", "Cat", "a", "b"], ["A", "the"], ["a"]):
        x = np.array([words], object)
        assert found(x).tolist() == session.run(None, {"x": x})[0].tolist()
    count = len(stop)
    left = 0 if case == "NONE" else 4
    assert found.cost(n=4).eops == (4 * (2 * count + 2 - exact) + count * (1 - exact) if stop else 0) + left


@pytest.mark.parametrize(
    "pattern", [r"\w+", "[[:alpha:]]+|é", "a$", "(?i)STRASSE|[^a-z]", r"\ba.*\b", "(ab|a)(c|bcd)?"]
)
def test_patterns_mean_what_re2_takes_them_to_mean(pattern: str) -> None:
    """Letters are those of ASCII, `$` is the end of the text."""
    texts = np.array(["abcd", "é", "a\n", "straße", "strasse", "", "É", "a b", "ab!", "abc", "a"], object)
    node = helper.make_node("RegexFullMatch", ["x"], ["y"], pattern=pattern)
    infos = [helper.make_tensor_value_info("x", 8, ["n"]), helper.make_tensor_value_info("y", 9, ["n"])]
    graph = helper.make_graph([node], "pattern", infos[:1], infos[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    wanted = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": texts})[0]
    assert tolang.onnx.load(model, "interpret")(texts).tolist() == wanted.tolist()
