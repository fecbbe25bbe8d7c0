"""Operators of other domains: those of com.microsoft beside onnxruntime, and those that a user defines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.onnx.defined import (
    MICROSOFT,
    Array,
    assert_as_onnxruntime,
    bytes_of,
    node_model,
    number,
    reals,
    weights_of,
)

import tolang
from tolang.onnx import load

TOKENS, FILTERS, IMAGE = [reals(2, 3, 8), reals(2, 3, 8), reals(8), reals(8)], reals(3, 2, 3, 3), reals(1, 2, 6, 6)
PAIR = [
    bytes_of(np.uint8, 3, 5), number(0.1), number(120, np.uint8), bytes_of(np.uint8, 5), number(0.2), number(3, np.uint8),
    number(0.3), number(100, np.uint8),
]  # fmt: skip
SIGNED = [
    bytes_of(np.int8, 3, 5), number(0.1), number(12, np.int8), bytes_of(np.int8, 3, 5), number(0.2), number(3, np.int8),
    number(0.7), number(-5, np.int8),
]  # fmt: skip
ALONE = [bytes_of(np.uint8, 3, 5), number(0.05), number(120, np.uint8), number(0.04), number(10, np.uint8)]
FACTORS = [bytes_of(np.uint8, 3, 5), weights_of(5, 4), number(0.1)]
FIRST, LAST, ALL = ["y"], ["y", "", "", "sum"], ["y", "mean", "inverse", "sum"]

CASES: list[tuple[str, list[Array], list[str], dict[str, Any]]] = [
    ("Gelu", [reals(3, 5)], FIRST, {}),
    ("BiasGelu", [reals(3, 5), reals(5)], FIRST, {}),
    ("FastGelu", [reals(3, 5)], FIRST, {}),
    ("FastGelu", [reals(3, 5), reals(5)], FIRST, {}),
    ("QuickGelu", [reals(3, 5)], FIRST, {"alpha": 1.5}),
    ("FusedMatMul", [reals(2, 3, 5), reals(2, 5, 4)], FIRST, {"alpha": 0.5}),
    ("FusedMatMul", [reals(2, 5, 3), reals(2, 4, 5)], FIRST, {"transA": 1, "transB": 1}),
    ("FusedMatMul", [reals(3, 2, 5), reals(2, 5, 4)], FIRST, {"transBatchA": 1}),
    ("FusedMatMul", [reals(5, 2, 3), reals(4, 2, 5)], FIRST, {"transBatchA": 1, "transA": 1, "transBatchB": 1, "transB": 1}),
    ("FusedGemm", [reals(3, 5), reals(5, 4), reals(4)], FIRST, {"activation": "Relu", "alpha": 0.5}),
    ("FusedGemm", [reals(3, 5), reals(4, 5)], FIRST, {"activation": "LeakyRelu", "activation_alpha": 0.2, "transB": 1}),
    ("FusedConv", [IMAGE, FILTERS, reals(3)], FIRST, {"activation": "Relu", "pads": [1, 1, 1, 1], "strides": [2, 2]}),
    ("FusedConv", [IMAGE, FILTERS, reals(3), reals(1, 3, 4, 4)], FIRST, {"activation": "Relu"}),
    ("FusedConv", [IMAGE, FILTERS], FIRST, {"activation": "Clip", "activation_params": [-0.5, 0.75]}),
    ("FusedConv", [IMAGE, FILTERS], FIRST, {"activation": "HardSigmoid", "activation_params": [0.3, 0.4]}),
    ("SkipLayerNormalization", TOKENS, FIRST, {"epsilon": 1e-6}),
    ("SkipLayerNormalization", [*TOKENS, reals(8)], LAST, {}),
    ("SkipSimplifiedLayerNormalization", TOKENS[:3], FIRST, {"epsilon": 1e-6}),
    ("SkipSimplifiedLayerNormalization", TOKENS, LAST, {"epsilon": 1e-6}),
    ("SkipLayerNormalization", TOKENS, ALL, {"epsilon": 1e-6}),
    ("SkipSimplifiedLayerNormalization", TOKENS, ALL, {"epsilon": 1e-6}),
    ("QLinearAdd", PAIR, FIRST, {}),
    ("QLinearAdd", SIGNED, FIRST, {}),
    ("QLinearMul", SIGNED, FIRST, {}),
    ("QLinearSigmoid", [*ALONE[:3], number(1 / 256), number(0, np.uint8)], FIRST, {}),
    ("QLinearLeakyRelu", ALONE, FIRST, {"alpha": 0.1}),
    ("MatMulIntegerToFloat", [*FACTORS, number(0.2)], FIRST, {}),
    ("MatMulIntegerToFloat", [*FACTORS, np.abs(reals(4)), number(5, np.uint8), bytes_of(np.int8, 4), reals(4)], FIRST, {}),
    ("DynamicQuantizeMatMul", [reals(3, 5), FACTORS[1], number(0.2), number(3, np.int8)], FIRST, {}),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "inputs", "outputs", "attributes"), CASES)
def test_operators_of_microsoft(
    operator: str, inputs: list[Array], outputs: list[str], attributes: dict[str, Any]
) -> None:
    assert_as_onnxruntime(node_model(operator, inputs, outputs, MICROSOFT, **attributes), inputs)


def test_what_onnxruntime_writes_into_the_main_domain() -> None:
    inputs = [reals(2, 3, 8), reals(8)]
    assert_as_onnxruntime(node_model("SimplifiedLayerNormalization", inputs, FIRST, "", axis=-1, epsilon=1e-6), inputs)


def test_an_activation_that_is_none() -> None:
    model = node_model("FusedConv", [IMAGE, FILTERS], FIRST, MICROSOFT, activation="Softplus")
    with pytest.raises(tolang.ToLangError, match=r"E703.*activation"):
        load(model)


OPERATORS = """
use linalg

# x times the logistic function of beta*x
com_example_Swish(x, beta=1) = map(x, * / (1 + exp(-beta * *)))

# the sums and the differences of two tensors, of one shape
com_example_Butterfly(a, b, scale=1, outputs=2) = if outputs == 1 then scale*(a+b) else (scale*(a+b), scale*(a-b))
"""


@pytest.fixture
def operators(tmp_path: Path) -> Path:
    path = tmp_path / "mine.tol"
    path.write_text(OPERATORS, encoding="utf-8")
    return path


def test_operators_of_a_user(operators: Path) -> None:
    x, y = reals(3, 4), reals(3, 4)
    swish = load(node_model("Swish", [x], FIRST, "com.example", beta=2.0), operators=operators)
    np.testing.assert_allclose(swish(x), x / (1 + np.exp(-2 * x)), rtol=1e-6)
    assert swish.cost().eops == 4 * 12
    assert [one.operator for one in swish.cost().by_operator()] == ["com.example.Swish"]
    both = load(node_model("Butterfly", [x, y], ["sum", "difference"], "com.example", scale=0.5), operators=operators)
    found = both(x, y)
    np.testing.assert_array_equal(found["difference"], np.float32(0.5) * (x - y))
    np.testing.assert_array_equal(found["sum"], np.float32(0.5) * (x + y))
    alone = load(node_model("Butterfly", [x, y], FIRST, "com.example"), operators=str(operators))
    np.testing.assert_array_equal(alone(x, y), x + y)


def test_an_operator_of_a_user_that_gives_a_list(tmp_path: Path) -> None:
    """A node with one output takes what the definition gives, which is then one tensor."""
    path = tmp_path / "mine.tol"
    path.write_text("com_example_Both(x) = (x, x)", encoding="utf-8")
    x = reals(3)
    both = load(node_model("Both", [x], ["a", "b"], "com.example"), "interpret", operators=path)
    np.testing.assert_array_equal(both(x)["b"], x)
    with pytest.raises(tolang.ToLangError, match=r"E703.*is a list"):
        load(node_model("Both", [x], FIRST, "com.example"), operators=path)(x)


def test_operators_are_those_of_their_domain(operators: Path) -> None:
    """A domain that is written alike has none of another's operators; a user's may begin with any letter."""
    with pytest.raises(tolang.ToLangError) as caught:
        load(node_model("Gelu", [reals(3)], FIRST, "com_microsoft"))
    assert caught.value.code == "E701"
    operators.write_text("com_example_twice_2(x) = 2 * x", encoding="utf-8")
    x = reals(3)
    np.testing.assert_array_equal(load(node_model("twice_2", [x], FIRST, "com.example"), operators=operators)(x), 2 * x)


def test_kept_imports_follow_from_the_operators(operators: Path, tmp_path: Path) -> None:
    import onnx

    x = reals(3, 4)
    path = tmp_path / "model.onnx"
    onnx.save(node_model("Swish", [x], FIRST, "com.example"), path)
    before = load(path, operators=operators)(x)
    operators.write_text("com_example_Swish(x) = 2 * x", encoding="utf-8")
    np.testing.assert_array_equal(load(path, operators=operators)(x), 2 * x)
    assert not np.array_equal(before, 2 * x)


def test_an_unknown_operator_tells_how_to_define_it() -> None:
    with pytest.raises(tolang.ToLangError) as caught:
        load(node_model("Swish", [reals(3)], FIRST, "com.example", beta=2.0))
    assert caught.value.code == "E701"
    assert "com_example_Swish(x, beta=…)" in str(caught.value)
    assert "operators=" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("tol x: R [n]", "E703"),
        ("y := 3", "E703"),
        ("three = 3", "E703"),
        ("f(x = 1", "E102"),
        ("com_example_Swish(x) = rope(x)", "E703"),
    ],
)
def test_files_that_define_no_operators(operators: Path, text: str, code: str) -> None:
    operators.write_text(text, encoding="utf-8")
    with pytest.raises(tolang.ToLangError) as caught:
        load(node_model("Swish", [reals(3)], FIRST, "com.example"), operators=operators)(reals(3))
    assert caught.value.code == code


def test_attributes_that_a_definition_does_not_have(operators: Path) -> None:
    with pytest.raises(tolang.ToLangError, match=r"E703.*gamma"):
        load(node_model("Swish", [reals(3)], FIRST, "com.example", gamma=1.0), operators=operators)


def test_no_such_file() -> None:
    with pytest.raises(tolang.ToLangError, match="E604"):
        load(node_model("Swish", [reals(3)], FIRST, "com.example"), operators="nowhere.tol")
