"""What Python sees of programs: help, signatures, warnings, numbers that adapt, inputs fixed, and types for checkers."""

from __future__ import annotations

import inspect
import pydoc
import warnings
from typing import Any, assert_type

import ml_dtypes
import numpy as np
import pytest

import tolang
from tolang.ground.reporting.diagnostics import ToLangWarning
from tolang.program import runner
from tolang.program.cost import Cost
from tolang.program.explanation import Explanation

SCALED = "tol a: R [n,m]\ntol w: R [m]\ntol s: R\nb := map(a, * * w[j] * s, [i,j])\n"


@pytest.fixture(scope="module")
def scaled() -> tolang.Program:
    return tolang.compile(SCALED)


def test_help_tells_inputs_outputs_sizes_and_cost(scaled: tolang.Program) -> None:
    shown = pydoc.plain(pydoc.render_doc(scaled))
    for line in ("takes   a: R [n, m]", "takes   s: R", "gives   b: R [n, m]", "sizes   n, m", "costs   2*m*n EOPs"):
        assert line in shown
    assert "fix(" in shown
    assert (tolang.Program.__doc__ or "").startswith("A checked ToLang program.")


def test_signature_is_that_of_the_inputs(scaled: tolang.Program) -> None:
    found = inspect.signature(scaled)
    assert list(found.parameters) == ["a", "w", "s", "n", "m", "seed"]
    assert found.parameters["a"].annotation == "R [n, m]"
    assert next(iter(inspect.signature(tolang.Program).parameters)) == "source"


def test_every_public_name_has_a_docstring() -> None:
    public: list[Any] = [getattr(tolang, name) for name in tolang.__all__ if name != "__version__"]
    public += [value for name, value in vars(tolang.Program).items() if not name.startswith("_")]
    assert [one for one in public if not inspect.getdoc(one)] == []


def test_repr_of_everything(scaled: tolang.Program) -> None:
    held: list[Any] = [scaled, scaled.cost(), scaled.within("1MB"), scaled.fix(s=2.0), tolang.compile("f(x) := x").f]
    held += [tolang.ToL.of([1, 2]), scaled.cost().by_definition["b"]]
    assert [repr(one) for one in held if " object at 0x" in repr(one)] == []
    assert repr(scaled.outputs) == "{'b': <tolang.Type R [n, m]>}"


def test_completion_offers_what_is_for_users(scaled: tolang.Program) -> None:
    offered = [name for name in dir(scaled) if not name.startswith("_")]
    assert offered == sorted(offered)
    assert {"cost", "explain", "fallbacks", "fix", "gradient", "inputs", "save", "within"} <= set(offered)
    assert not {"job", "run", "runner", "remembered", "quick_job"} & set(offered)
    assert "f" in dir(tolang.compile("f(x) := x"))
    told = pydoc.plain(pydoc.render_doc(tolang.Program))
    assert "A checked ToLang program." in told
    assert " gradient(self" in told
    assert [name for name in ("runner", "job", "core_in", "repeating") if f" {name}" in told] == []


@pytest.mark.parametrize("number", [2, 2.0])
@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, ml_dtypes.bfloat16])
@pytest.mark.parametrize("engine", ["cpu", "interpret"])
def test_numbers_of_python_adapt_to_arrays(kind: Any, number: float, engine: str) -> None:
    program = tolang.compile("tol a: R [n]\ntol s: R\nb := map(a, * * s)\n", engine=engine)
    found = program(np.array([0.5, 3.0], kind), number)
    assert found.dtype == kind
    np.testing.assert_array_equal(found.astype(float), [1.0, 6.0])


def test_whole_numbers_of_python_adapt_where_they_cannot_wrap() -> None:
    scaled = tolang.compile("tol x: R [n]\ntol k: N\ny := map(x, * / k)\n", engine="interpret")
    assert scaled(np.ones(2, "f4"), 2).dtype == np.float32
    assert scaled(np.ones(2, "f4"), np.int64(2)).dtype == np.float64
    assert scaled.fix(k=2)(np.ones(2, "f4")).dtype == np.float32
    shifted = tolang.compile("tol x: u8 [n]\ntol k: Z\ny := map(x, * + k)\n", engine="interpret")
    assert shifted(np.ones(1, "u1"), 300).tolist() == [301]


def test_numbers_of_numpy_and_of_functions() -> None:
    program = tolang.compile("tol a: R [n]\ntol s: R\nb := map(a, * * s)\n")
    assert program(np.ones(2, "f4"), np.float64(2)).dtype == np.float64
    function = tolang.compile("scaled(x, by) := map(x, * * by)\n").scaled
    assert function(np.ones(2, "f4"), 0.5).dtype == np.float32
    assert program([1.0, 2.0], 3.0).dtype == np.float64
    alone = tolang.compile("tol s: R\nt := s * 3\n")(0.1)
    assert alone == 0.1 * 3, "alone, a number of Python is as exact as Python's own"


def test_masked_arrays_are_refused(scaled: tolang.Program) -> None:
    masked = np.ma.array([1.0, 2.0], mask=[False, True])
    with pytest.raises(tolang.ToLangError, match="mask"):
        scaled(np.ones((1, 2)), masked, 1.0)


def test_fixed_inputs(scaled: tolang.Program) -> None:
    a, w = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([10.0, 100.0])
    fixed = scaled.fix(w=w, s=2.0)
    assert list(fixed.inputs) == ["a"]
    for _ in range(4):
        np.testing.assert_array_equal(fixed(a), a * w * 2)
    assert fixed(a.astype("f4")).dtype == np.float64, "w is of f64"
    assert scaled.fix(w=w.astype("f4"), s=2.0)(a.astype("f4")).dtype == np.float32
    np.testing.assert_array_equal(scaled.fix(w=w).fix(s=3.0)(a), a * w * 3)
    assert list(inspect.signature(fixed).parameters)[:2] == ["a", "n"]
    with pytest.raises(tolang.ToLangError, match="no input v"):
        scaled.fix(v=1)
    with pytest.raises(tolang.ToLangError, match="input"):
        fixed(a, w, np.float64(2))
    small = a.astype("f4"), w.astype("f4")
    for single in (scaled.fix(w=small[1], s=2.0).within("8GB")(small[0]), scaled.within("8GB")(*small, 2.0)):
        assert (single.dtype, single.tolist()) == (np.float32, (a * w * 2).tolist())


def test_what_is_derived_of_a_fixed_program_is_fixed() -> None:
    program = tolang.compile("tol x: R [n]\ntol w: R [n]\nloss := reduce(map(x, * * w[i] * w[i], i), add, 0)\n")
    slope = program.fix(x=np.array([1.0, 2.0])).gradient(of="loss", by="w")
    assert list(slope.inputs) == ["w"]
    np.testing.assert_array_equal(slope(np.array([3.0, 5.0])), [6.0, 20.0])


def test_functions_of_a_fixed_program_read_what_is_fixed() -> None:
    program = tolang.compile("tol w: R\ntol v: R\nf(x) := x * w\ng(x) := x * v\ny := w + v\n").fix(w=2.0)
    assert program.f(3.0) == 6.0
    assert program.g(3.0, v=5.0) == 15.0
    assert program(1.0) == 3.0


SLOW = "tol n: N\nx := reduce(tol[n], (s,e,i) -> s + convert(1,[Q])/convert(i,[Q]), convert(0,[Q]), i)\n"


def test_long_interpreting_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "PATIENCE", 0.0)
    program = tolang.compile(SLOW)
    with pytest.warns(ToLangWarning, match="s were spent interpreting parts that are not compiled: .*rational") as told:
        program(30)
    assert told[0].filename == __file__, "it stands at the call"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        program(40)
    assert len(program.fallbacks) == 1
    assert "rational" in program.fallbacks[0]


def test_short_interpreting_is_not_told() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert str(tolang.compile(SLOW)(3)) in ("11/6", "Fraction(11, 6)")
        assert tolang.compile(SLOW, engine="interpret")(3) == tolang.compile(SLOW)(3)


def test_types_are_known_to_checkers() -> None:
    """What follows is checked by mypy, with everything else; here it only runs."""
    program = tolang.compile("tol a: R [n]\nb := a\n", engine="interpret")
    assert_type(program, tolang.Program)
    assert_type(program.cost(), Cost)
    assert_type(program.cost()(n=3), int)
    assert_type(program.explain(), Explanation)
    assert_type(program.fallbacks, tuple[str, ...])
    assert_type(program.fix(a=[1.0]), tolang.Program)
    assert_type(program.sizes, tuple[str, ...])
    assert_type(tolang.ToL.of([1.0]), tolang.ToL)
    assert program.fallbacks == ()


def test_a_fixed_program_is_as_quick_as_another() -> None:
    """Calls with the same shapes again are short; what does not fit what is fixed is refused as before."""
    program = tolang.compile("tol a: f32 [n,k]\ntol b: f32 [k,m]\nc := matmul(a, b)\nuse linalg", fallback=False)
    b = np.arange(6, dtype="f4").reshape(3, 2)
    fixed = program.fix(b=b)
    for n in (4, 4, 4, 5, 4):
        a = np.arange(3 * n, dtype="f4").reshape(n, 3)
        np.testing.assert_array_equal(fixed(a), a @ b)
    assert fixed.short_call([np.zeros((4, 3), "f4")]) is not None
    with pytest.raises(tolang.ToLangError) as caught:
        fixed(np.zeros((4, 2), "f4"))
    assert "k" in str(caught.value)
