"""Kernels that only other sizes need are compiled when these come; long programs are compiled kernel by kernel."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.engine import CpuExecutable
from tolang.engines.cpu.runtime import loaded, native
from tolang.ground.values.values import ToL

SOURCE = """\
tol a: f32 [n,k]
tol b: f32 [k,m]
y := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])
"""
MANY, FEW, NARROW = (9, 5, 7), (1, 5, 7), (9, 5, 1)


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOL_CACHE_DIR", "off")
    loaded.forget()


def operands(sizes: tuple[int, int, int]) -> dict[str, Any]:
    n, k, m = sizes
    generator = np.random.default_rng(n)
    return {"a": generator.integers(-4, 5, (n, k)), "b": generator.integers(-4, 5, (k, m))}


def product(executable: CpuExecutable, sizes: tuple[int, int, int]) -> np.ndarray[Any, Any]:
    given = {name: ToL.of(value.astype(np.float32)) for name, value in operands(sizes).items()}
    (found,) = executable.run(given, dict(zip("nkm", sizes, strict=True)))
    return np.asarray(found.columns[0])


def expected(sizes: tuple[int, int, int]) -> np.ndarray[Any, Any]:
    """The product of whole numbers so small that floats of 32 bits hold it exactly."""
    given = operands(sizes)
    return np.asarray(given["a"] @ given["b"])


def compiled(sizes: dict[str, int] | None = None) -> CpuExecutable:
    return CpuExecutable(tolang.compile(SOURCE).core, sizes=sizes)


def test_what_few_rows_need_is_compiled_when_they_come() -> None:
    executable = compiled()
    np.testing.assert_array_equal(product(executable, MANY), expected(MANY))
    assert any(one.code is None for one in executable.kernels)
    for sizes in (FEW, MANY, FEW, NARROW, MANY):
        np.testing.assert_array_equal(product(executable, sizes), expected(sizes))
    executable.complete()
    assert all(one.code is not None for one in executable.kernels)


@pytest.mark.parametrize("sizes", [MANY, FEW, NARROW])
def test_what_the_first_run_needs_is_compiled_before_it_and_nothing_else(sizes: tuple[int, int, int]) -> None:
    executable = compiled(dict(zip("nkm", sizes, strict=True)))
    there = [one.code is not None for one in executable.kernels]
    assert any(there)
    assert not all(there)
    np.testing.assert_array_equal(product(executable, sizes), expected(sizes))
    assert there == [one.code is not None for one in executable.kernels]
    for others in (MANY, FEW, NARROW):
        np.testing.assert_array_equal(product(executable, others), expected(others))


def test_a_kept_program_has_what_few_rows_need_compiled_when_they_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOL_CACHE_DIR", str(tmp_path))
    first = compiled()
    np.testing.assert_array_equal(product(first, MANY), expected(MANY))
    loaded.forget()
    again = CpuExecutable(tolang.compile(SOURCE).core, artifact=first.artifact)
    assert [one.code is None for one in again.kernels] == [one.code is None for one in first.kernels]
    for sizes in (FEW, MANY, NARROW):
        np.testing.assert_array_equal(product(again, sizes), expected(sizes))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_compiles_what_its_parent_did_not_need() -> None:
    executable = compiled()
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=lambda: results.put(product(executable, FEW)))
    child.start()
    np.testing.assert_array_equal(results.get(timeout=60), expected(FEW))
    child.join(60)


LAYERS = 60
DEEP = "tol x: f32 [n,n]\n" + "\n".join(
    f"p{k} = map(tol[n,n], reduce(map({old}[i], * * {old}[*,j]), add, 0), [i,j])\n"
    f"y{k} {':=' if k == LAYERS else '='} map(p{k}, exp(* - reduce(p{k}[i], max, -Inf)), [i,j])"
    for k, old in ((k, f"y{k - 1}" if k > 1 else "x") for k in range(1, LAYERS + 1))
)


def test_a_long_program_is_compiled_once_kernel_by_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    real = native.machine_code

    def counted(module: Any, *rest: Any, **named: Any) -> bytes:
        made.append(str(module))
        return real(module, *rest, **named)

    monkeypatch.setattr(native, "machine_code", counted)
    executable = CpuExecutable(tolang.compile(DEEP).core)
    x = np.zeros((3, 3), np.float32)
    (found,) = executable.run({"x": ToL.of(x)}, {"n": 3})
    assert len(made) == len(set(made))
    np.testing.assert_array_equal(np.asarray(found.columns[0]), np.ones((3, 3)))
