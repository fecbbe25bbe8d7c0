"""Arrays of other libraries as arguments: the same library comes out, nothing is copied, nothing is imported."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tolang

SOURCE = """
tol x: R [n]
tol w: R [n]
y := map(x, * * w[*])
total := reduce(y, add, 0)
texts := map(x, if * > 0 then 'up' else 'down')
pairs := map(x, (*, 2 * *))
plus(a, b) := a + b
"""
LIBRARIES: dict[str, Callable[[Any], Callable[[Any], Any]]] = {
    "torch": lambda library: library.tensor,
    "jax": lambda library: library.numpy.asarray,
    "array_api_strict": lambda library: library.asarray,
}


@pytest.fixture(params=LIBRARIES)
def made(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    """Makes an array of a library that is not NumPy."""
    return LIBRARIES[request.param](pytest.importorskip(request.param, reason=f"needs {request.param}: make bridges"))


@pytest.fixture(scope="module")
def program() -> tolang.Program:
    return tolang.compile(SOURCE)


def test_same_library_out(program: tolang.Program, made: Callable[[Any], Any]) -> None:
    x, w = made([1.0, 2.0, 3.0]), made([2.0, 2.0, 2.0])
    for given, named in (
        ((x, w), {}),
        ((x,), {"w": w}),
        ((x, np.array([2.0, 2.0, 2.0])), {}),
        (([1.0, 2.0, 3.0], w), {}),
    ):
        found = program(*given, **named)
        assert type(found["y"]) is type(x)
        assert type(found["total"]) is type(x)
        assert np.asarray(found["y"]).tolist() == [2.0, 4.0, 6.0]
        assert float(found["total"]) == 12
        assert found["texts"].tolist() == ["up"] * 3
        assert found["pairs"].to_list()[0] == (1.0, 2.0)
    assert type(program.plus(x, w)) is type(x)
    assert type(program(np.ones(2), np.ones(2))["y"]) is np.ndarray


def test_memory_is_shared(made: Callable[[Any], Any]) -> None:
    array = made([1.0, 2.0, 3.0])
    assert np.shares_memory(np.from_dlpack(array), tolang.ToL.of(array).columns[0])


@pytest.mark.parametrize("library", ["torch", "jax"])
def test_narrow_floats(library: str) -> None:
    made = LIBRARIES[library](pytest.importorskip(library, reason=f"needs {library}: make bridges"))
    kind = (sys.modules[library] if library == "torch" else sys.modules["jax"].numpy).bfloat16
    x = made([1.0, 2.5], dtype=kind)  # type: ignore[call-arg]
    found = tolang.compile("tol x: R [n]\ny := map(x, * * 2)")(x)
    assert found.dtype == kind
    assert found.tolist() == [2.0, 5.0]


def test_two_libraries_in_one_call(program: tolang.Program) -> None:
    torch = pytest.importorskip("torch", reason="needs torch: make bridges")
    strict = pytest.importorskip("array_api_strict", reason="needs array-api-strict: make bridges")
    with pytest.raises(tolang.ToLangUsageError, match="E614: arrays of array_api_strict and torch are given together"):
        program(torch.ones(2), strict.ones(2))


def test_tensors_that_require_gradients(program: tolang.Program) -> None:
    torch = pytest.importorskip("torch", reason="needs torch: make bridges")
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(tolang.ToLangUsageError, match=r"E614: a tensor requires a gradient.*\n.*tolang.torch.operator"):
        program(x, torch.ones(2))
    with torch.no_grad():
        assert program(x, torch.ones(2))["total"] == 2
    assert program(x.detach(), torch.ones(2))["total"] == 2


def test_traced_arrays(program: tolang.Program) -> None:
    jax = pytest.importorskip("jax", reason="needs jax: make bridges")
    with pytest.raises(tolang.ToLangUsageError, match=r"E614: the array is traced by JAX.*\n.*tolang.jax.operator"):
        jax.make_jaxpr(lambda x: program(x, x)["y"])(jax.numpy.ones(2))


class OnAnotherDevice:
    """An array of a library that computes on a GPU."""

    def __array_namespace__(self) -> Any:
        return np

    def __dlpack__(self, **_: Any) -> Any:
        raise AssertionError("memory of another device was asked for")

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0


def test_other_memory_is_refused(program: tolang.Program) -> None:
    with pytest.raises(tolang.ToLangUsageError, match="E615: the array is on device 0 of kind 2, which no engine"):
        program(OnAnotherDevice(), np.ones(2))


def test_models_give_the_same_library() -> None:
    torch = pytest.importorskip("torch", reason="needs torch: make bridges")
    from onnx import TensorProto, helper

    import tolang.onnx

    declared = [helper.make_tensor_value_info(one, TensorProto.FLOAT, ["n"]) for one in ("x", "y")]
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", declared[:1], declared[1:])
    model = tolang.onnx.Model(helper.make_model(graph))
    found = model(torch.tensor([-1.0, 2.0]))
    assert torch.equal(found, torch.tensor([0.0, 2.0]))


def test_nothing_is_imported() -> None:
    text = (
        "import sys, numpy, tolang; tolang.compile('tol x: R [n]\\ny := map(x, * + 1)')(numpy.ones(3));"
        "print(*(one for one in ('torch', 'jax', 'polars', 'pandas', 'pyarrow') if one in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
