"""Strict folds over several dimensions keep their order, first coordinate fastest: bits as the strict interpreter's."""

from __future__ import annotations

import numpy as np
import pytest

import tolang
from tolang import ToLangRunError

FORMS = {
    "whole": "y := reduce(x, {f}, {start})",
    "whole of an expression": "y := reduce(map(tol[n,m,k], x[i,j,l]*1.1 + 0.3, [i,j,l]), {f}, {start})",
    "neighbours": "y := map(tol[n], reduce(x[i], {f}, {start}), i)",
    "neighbours in front": "y := map(tol[k], reduce(map(tol[n,m], x[a,b,i], [a,b]), {f}, {start}), i)",
    "apart": "y := map(tol[m], reduce(map(tol[n,k], x[a,i,b], [a,b]), {f}, {start}), i)",
    "beside": "y := map(tol[m,k], reduce(map(tol[n,n], x[a,i,l]*x[b,i,l], [a,b]), {f}, {start}), [i,l])",
    "as a product of stacks": "y := map(tol[n,n], reduce(map(tol[m,k], x[i,a,b]*x[j,a,b], [a,b]), {f}, {start}), [i,j])",
    "with a vector": "y := map(tol[n], reduce(map(tol[m,k], x[i,a,b]*x[1,a,b], [a,b]), {f}, {start}), i)",
    "named": "t = reduce(x, {f}, {start})\ny := map(tol[n], x[i,1,1] + t, i)",
    "few": "y := map(tol[n], reduce(map(tol[2,3], x[i,1+a%m,1+b%k], [a,b]), {f}, {start}), i)",
    "windows": (
        "y := map(tol[n,m,k], reduce(map(tol[2,3], if i+a <= n and j+b <= m then x[i+a,j+b,l] else 0.5, [a,b]), {f}, {start}), "
        "[i,j,l])"
    ),
}
FUNCTIONS = {"add": "0", "mul": "1", "max": "-Inf"}


@pytest.mark.parametrize("shape", [(3, 4, 5), (7, 33, 65), (2, 1, 3), (64, 2, 40)], ids=str)
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("form", FORMS)
def test_bits_of_the_interpreter(form: str, function: str, shape: tuple[int, int, int]) -> None:
    generator = np.random.default_rng(5)
    x = generator.normal(size=shape) * np.exp2(generator.integers(-3, 4, shape))
    for storage in ("f64", "f32"):
        source = f"tol x: {storage} [n,m,k]\n" + FORMS[form].format(f=function, start=FUNCTIONS[function])
        given = x.astype("float32" if storage == "f32" else "float64")
        found, wanted = (
            tolang.compile(source, engine=engine, strict=True, fallback=False)(given) for engine in ("cpu", "interpret")
        )
        assert np.asarray(found).tobytes() == np.asarray(wanted).tobytes()


def test_order_is_told_apart() -> None:
    """The test above means something: the other order gives other bits."""
    x = np.random.default_rng(5).normal(size=(7, 33))
    strict = tolang.compile("tol x: R [n,m]\ny := reduce(x, add, 0)", strict=True, fallback=False)
    in_order, by_memory = 0.0, 0.0
    for column, row in zip(x.T.ravel(), x.ravel(), strict=True):
        in_order, by_memory = in_order + column, by_memory + row
    assert float(strict(x)) == in_order != by_memory


def test_what_is_accumulated_on_the_way_decides() -> None:
    """A product of Z that fits in one order and not in the other, and is told where it does not."""
    large = 2**40
    x = np.array([[large, 0], [large, 1]])
    source = "tol x: Z [n,m]\ny := reduce(x, mul, 1)"
    for engine in ("cpu", "interpret"):
        program = tolang.compile(source, engine=engine, strict=True, fallback=False)
        assert int(program(x.T)) == 0
        with pytest.raises(ToLangRunError, match="E505"):
            program(x)
