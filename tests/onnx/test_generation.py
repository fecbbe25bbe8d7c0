"""The example of a decoder that writes word after word, with a decoder of one layer and one head."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "models" / "generate.py"
WORDS, WIDTH = 11, 4


def decoder() -> onnx.ModelProto:
    """Words, and the keys of all words before, which are the values too: scores of the next word, and all keys."""
    random = np.random.default_rng(3)
    weights = {"table": random.normal(size=(WORDS, WIDTH)), "out": random.normal(size=(WIDTH, WORDS))}
    nodes = [
        helper.make_node("Gather", ["table", "words"], ["flat"]),
        helper.make_node("Unsqueeze", ["flat", "one"], ["new"]),
        helper.make_node("Concat", ["kept", "new"], ["present"], axis=2),
        helper.make_node("Transpose", ["present"], ["turned"], perm=[0, 1, 3, 2]),
        helper.make_node("MatMul", ["new", "turned"], ["likeness"]),
        helper.make_node("Softmax", ["likeness"], ["shares"], axis=-1),
        helper.make_node("MatMul", ["shares", "present"], ["mean"]),
        helper.make_node("MatMul", ["mean", "out"], ["of_head"]),
        helper.make_node("Squeeze", ["of_head", "one"], ["scores"]),
    ]
    past: list[str | int | None] = ["batch", 1, "past", WIDTH]
    present: list[str | int | None] = ["batch", 1, "all", WIDTH]
    graph = helper.make_graph(
        nodes,
        "decoder",
        [
            helper.make_tensor_value_info("words", TensorProto.INT64, ["batch", "length"]),
            helper.make_tensor_value_info("kept", TensorProto.FLOAT, past),
        ],
        [
            helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["batch", "length", WORDS]),
            helper.make_tensor_value_info("present", TensorProto.FLOAT, present),
        ],
        [
            *(numpy_helper.from_array(one.astype(np.float32), name) for name, one in weights.items()),
            numpy_helper.from_array(np.array([1]), "one"),
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)


def test_words_are_those_of_onnxruntime_and_a_word_costs_a_formula_of_the_past(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "decoder.onnx"
    onnx.save(decoder(), str(path))
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), str(path), "--words", "3,4", "--count", "6", "--beside"])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    cost, ours, theirs = capsys.readouterr().out.splitlines()
    assert "4*(2*past + 13) multiply-accumulates" in cost  # 2*4*(past + 1) of attention, 4*11 of scores
    assert ours.split("a word: ")[1] == theirs.split("a word: ")[1]
    assert len(ours.split("a word: ")[1].split()) == 6
