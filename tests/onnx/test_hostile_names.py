"""Hostile models, by what things in them are called: domains, operators, values, and text that is none.

Which domains, operators and opsets there are is what onnx's own schemas say.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper
from tests.onnx.hostile import X, function, of, own, refused, with_opsets
from tests.onnx.test_import import BOOL, FLOAT, INT64, agrees, info, model_of, node

import tolang.onnx
from tolang.ground.reporting.diagnostics import ToLangError
from tolang.onnx import load
from tolang.onnx.domains import OWN_DOMAINS
from tolang.onnx.names import WRITTEN, library_heads


@pytest.mark.parametrize("domain", ["my.domain", "com.microsoft", "ai.onnx.training", "AI.ONNX", "ai.onnx.ml.", " "])
def test_operators_of_a_domain_that_is_not_known(domain: str) -> None:
    for operator in ("Relu", "Sort", "Identity", "Reshape", "If", "Constant", "ScoreNothing"):
        model = with_opsets(of([own(operator, ["x"], ["y"], domain)]), ("", 20), (domain, 1))
        error = refused(model)
        assert error.code == "E701"
        assert f"the node 'the_node' ({domain}.{operator})" in str(error)
        defined = re.sub(r"\W", "_", f"{domain}.{operator}")
        assert (error.diagnostics[0].expected or "").startswith(
            f"a definition `{defined}(x) = …` in a file of operators"
        )


def test_operators_laid_out_for_a_machine() -> None:
    """What onnxruntime saves beyond its extended level has weights in blocks, of a length that the model does not tell."""
    error = refused(
        with_opsets(of([own("Conv", ["x"], ["y"], "com.microsoft.nchwc")]), ("", 20), ("com.microsoft.nchwc", 1))
    )
    assert error.code == "E701"
    assert error.diagnostics[0].expected == "a model saved at ORT_ENABLE_EXTENDED or below"


def test_the_main_domain_has_two_names() -> None:
    for written in ("", "ai.onnx"):
        for imported in ("", "ai.onnx"):
            model = with_opsets(of([own("Relu", ["x"], ["y"], written)]), (imported, 20))
            assert load(model)(X).tolist() == [0, 2]


def test_operators_of_a_domain_are_none_of_another() -> None:
    for operator, domain in (("Scaler", ""), ("Relu", "ai.onnx.ml"), ("Adam", ""), ("rows_like", ""), ("Relu_12", "")):
        opsets = (("", 20), ("ai.onnx.ml", 3), ("ai.onnx.preview.training", 1))
        assert refused(with_opsets(of([own(operator, ["x"], ["y"], domain)]), *opsets)).code == "E701"


def test_no_operator_is_of_two_domains() -> None:
    """Definitions of the library are found by name once the operator is known to be of one of its domains."""
    found: dict[str, set[str]] = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        found.setdefault(schema.name, set()).add(schema.domain)
    assert set().union(*found.values()) == OWN_DOMAINS
    assert [name for name, domains in found.items() if len(domains) > 1] == []


@pytest.mark.parametrize(
    ("opsets", "code"),
    [
        ([("", -1)], "E702"),
        ([("", 0)], "E702"),
        ([("", 2**62)], "E701"),
        ([("", onnx.defs.onnx_opset_version() + 1)], "E701"),
        ([("ai.onnx.ml", 3)], "E702"),
        ([("", 20), ("", 13)], "E702"),
        ([("", 20), ("ai.onnx", 13)], "E702"),
        ([("", 19)], "E701"),
    ],
)
def test_opsets_that_do_not_do(opsets: list[tuple[str, int]], code: str) -> None:
    """Gelu is an operator from opset 20 on."""
    error = refused(with_opsets(of([own("Gelu", ["x"], ["y"], "")]), *opsets))
    assert error.code == code


def test_a_function_of_the_model_is_found_by_its_domain() -> None:
    """Also one that has the name of an operator, beside that operator, in a body of an opset of its own."""
    squeezed = helper.make_node("Squeeze", ["c"], ["b"], axes=[0])
    twice = function("Relu", [node("Add", ["a", "a"], ["d"]), helper.make_node("Unsqueeze", ["d"], ["c"], axes=[0]), squeezed], 11)  # fmt: skip
    model = of([own("Relu", ["x"], ["t"]), node("Relu", ["t"], ["y"])], [twice])
    assert load(model)(X).tolist() == [0, 4]
    assert refused(of([own("Neg", ["x"], ["y"])], [twice])).code == "E701"


def test_a_loop_whose_body_calls_functions_named_as_operators() -> None:
    """How many steps a loop makes is read off its body, where Add, Less and Identity may be functions of the model."""
    two = numpy_helper.from_array(np.array([2], np.float32))
    plus_two = helper.make_function(
        "own", "Add", ["p", "q"], ["r"],
        [node("Constant", [], ["c"], value=two), node("Add", ["p", "q"], ["s"]), node("Add", ["s", "c"], ["r"])],
        [helper.make_opsetid("", 20)],
    )  # fmt: skip
    body = helper.make_graph(
        [own("Add", ["v", "one"], ["w"]), node("Identity", ["c"], ["go"])],
        "body",
        [info("i", INT64, []), info("c", BOOL, []), info("v", FLOAT, [1])],
        [info("go", BOOL, []), info("w", FLOAT, [1])],
    )
    loop = node("Loop", ["steps", "yes", "x"], ["y"], body=body)
    constants = {"steps": np.array(20), "yes": np.array(True), "one": np.array([1], np.float32)}
    model = model_of([loop], [info("x", FLOAT, [1])], ["y"], constants, functions=[plus_two])
    assert load(model)(np.array([5], np.float32)).tolist() == [65]


def test_a_function_in_place_of_an_operator_is_refused() -> None:
    error = refused(of([own("Relu", ["x"], ["y"], "")], [function("Relu", [node("Neg", ["a"], ["b"])], domain="")]))
    assert error.code == "E703"


def test_text_that_is_an_operator_with_another_name_is_no_table() -> None:
    """LabelEncoder of another domain is a function of the model, not one that Python computes."""
    model = of([own("LabelEncoder", ["x"], ["y"])], [function("LabelEncoder", [node("Neg", ["a"], ["b"])])])
    assert load(model)(X).tolist() == [1, -2]


@pytest.mark.parametrize("name", ["s", "k", "e", "r", "steps", "step", "probe_"])
def test_values_named_as_what_folds_are_written_with(name: str) -> None:
    body = helper.make_graph(
        [node("Add", ["a", "b"], ["t"]), node("Mul", ["t", "b"], ["o"])],
        "step",
        [info("a", FLOAT, [2]), info("b", FLOAT, [2])],
        [info("t", FLOAT, [2]), info("o", FLOAT, [2])],
    )
    scan = node("Scan", ["zero", name], ["total", "all"], body=body, num_scan_inputs=1)
    model = model_of([scan], [info(name, FLOAT, ["n", 2])], ["total", "all"], {"zero": np.zeros(2, np.float32)})
    agrees(model, np.arange(8, dtype=np.float32).reshape(4, 2))


@pytest.mark.parametrize("place", ["name", "op_type", "input", "output", "domain", "attribute"])
def test_text_that_is_not_text(place: str, tmp_path: Path) -> None:
    made = helper.make_node("MARK" if place == "op_type" else "Elu", ["MARK" if place == "input" else "x"],
                            ["MARK" if place == "output" else "y"], name="MARK" if place == "name" else "n",
                            domain="MARK" if place == "domain" else "")  # fmt: skip
    made.attribute.add(name="MARK" if place == "attribute" else "alpha", type=onnx.AttributeProto.FLOAT, f=1)
    content = of([made]).SerializeToString().replace(b"MARK", b"M\xff\xfeK")
    (tmp_path / "m.onnx").write_bytes(content)
    for given in (tmp_path / "m.onnx", ModelProto.FromString(content)):
        with pytest.raises(ToLangError, match="E702"):
            load(given)


def test_attributes_and_data_that_are_not_text() -> None:
    einsum = node("Einsum", ["x"], ["y"], equation="a->")
    einsum.attribute[0].s = b"\xff"
    assert refused(of([einsum])).code == "E702"
    tensor = TensorProto(name="t", dims=[1], data_type=TensorProto.STRING, string_data=[b"\xff"])
    assert refused(of([node("Constant", [], ["y"], value=tensor)])).code == "E702"


def test_text_of_several_lines_is_data() -> None:
    tensor = TensorProto(dims=[2], data_type=TensorProto.STRING, string_data=[b"a\nb := 1", b"it's"])
    found = load(of([node("Constant", [], ["y"], value=tensor)])).run({"x": X})
    assert found[0].tolist() == ["a\nb := 1", "it's"]


def test_what_programs_of_models_call_is_hidden_by_no_name() -> None:
    """Names of a model may hide definitions of the library, but for those that the importer itself writes."""
    library = {*library_heads("core"), *library_heads("onnx")}
    written: set[str] = set()
    for path in Path(tolang.onnx.__file__).parent.glob("*.py"):
        for one in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                written.update(re.findall(r"([a-z_]\w*)\(", one.value))
    assert written & library <= WRITTEN
