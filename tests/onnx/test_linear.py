"""Products by index and matrix products beyond onnx's own cases, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import TensorProto, helper
from tests.onnx.operators import Array, assert_same, called
from tests.onnx.samples import floats

import tolang
from tolang.onnx import load


def einsum(equation: str, *operands: Array) -> Array:
    """Einsum as a model of one node."""
    names = [f"x{number}" for number in range(len(operands))]
    node = helper.make_node("Einsum", names, ["y"], equation=equation)
    pairs = zip(names, operands, strict=True)
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, one.shape) for name, one in pairs]
    graph = helper.make_graph([node], "g", infos, [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    found = load(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)]), engine="interpret")(*operands)
    return np.asarray(found[0] if isinstance(found, list) else found)


@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 5)]),
        ("bij,bjk,bk->bi", [(2, 3, 4), (2, 4, 5), (2, 5)]),
        ("...ij,...jk->...ik", [(2, 3, 4, 5), (2, 3, 5, 6)]),
        ("ii->i", [(4, 4)]),
        ("ii", [(4, 4)]),
        ("ij,ij", [(3, 4), (3, 4)]),
        ("i,j->ji", [(3,), (4,)]),
        ("b...d,hd->bh...", [(2, 3, 5, 4), (6, 4)]),
        ("ab,c->", [(2, 3), (4,)]),
        (" i j , j -> i ", [(2, 3), (3,)]),
    ],
)
def test_einsum(equation: str, shapes: list[tuple[int, ...]]) -> None:
    operands = [floats(*shape, seed=seed) for seed, shape in enumerate(shapes)]
    assert_same(einsum(equation, *operands), np.asarray(np.einsum(equation, *operands), np.float32), 1e-5)


@pytest.mark.parametrize("kind", ["int32", "int64", "uint32", "float64"])
def test_gemm_keeps_whole_numbers(kind: str) -> None:
    a, b, c = (np.arange(n).reshape(s).astype(kind) for n, s in ((6, (2, 3)), (12, (3, 4)), (4, (4,))))
    assert_same(called("Gemm(a, b, c, alpha=2)", a=a, b=b, c=c), (2 * (a @ b) + c).astype(kind))


def test_a_product_of_short_floats_is_summed_in_32_bits() -> None:
    a = np.full((1, 4096), 1, np.float16)
    assert_same(called("MatMul(a, b)", a=a, b=np.full((4096, 1), 0.25, np.float16)), np.array([[1024]], np.float16))


def test_one_program_multiplies_at_every_size() -> None:
    program = tolang.compile("use onnx\ntol a: f32 [n,k]\ntol b: f32 [k,m]\ny := MatMul(a, b)", engine="interpret")
    for n, k, m in ((1, 1, 1), (2, 3, 4), (0, 2, 3), (3, 0, 2)):
        a, b = floats(n, k), floats(k, m)
        assert_same(program(a, b), a @ b, 1e-5)
