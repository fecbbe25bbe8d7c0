"""How large caches are: as the system tells, as a user says; kernels size their blocks by it, results do not change."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime.native import runtime_address
from tolang.ground.system import caches as reading
from tolang.ground.system.caches import USUAL, caches


def test_as_a_user_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOL_CACHES", "8K, 512K, 3M")
    assert caches() == (8 << 10, 512 << 10, 3 << 20)


@pytest.mark.parametrize(
    "said", ["1M", "1M,2M", "1K,2M,3M,4M", "1K,1M,large", "1K,0,1M", "-1K,1M,1M", "1K,1T,1M", "1K,1M,"]
)
def test_no_sizes(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOL_CACHES", said)
    with pytest.raises(tolang.ToLangUsageError, match="TOL_CACHES is not three cache sizes"):
        caches()


def a_system(folder: Path, *told: tuple[str, str, str]) -> Path:
    for k, one in enumerate(told):
        (folder / f"index{k}").mkdir()
        for name, text in zip(("level", "type", "size"), one, strict=True):
            (folder / f"index{k}" / name).write_text(text + "\n")
    return folder


NEAREST = (("1", "Data", "64K"), ("1", "Instruction", "64K"))


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ((*NEAREST, ("2", "Unified", "1024K"), ("3", "Unified", "32768K")), (64 << 10, 1 << 20, 32 << 20)),
        ((*NEAREST, ("2", "Unified", "2M"), ("4", "Unified", "64M")), (64 << 10, 2 << 20, 64 << 20)),
        ((*NEAREST, ("2", "Unified", "1536K")), (64 << 10, 1536 << 10, 1536 << 10)),
        (NEAREST, (64 << 10, *USUAL[1:])),
        ((), USUAL),
        ((("2", "Unified", "many"), ("x", "Data", "1K")), USUAL),
    ],
)
def test_as_the_system_tells(
    told: tuple[tuple[str, str, str], ...],
    expected: tuple[int, int, int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("TOL_CACHES", raising=False)
    monkeypatch.setattr(reading, "_SYSTEM", a_system(tmp_path, *told))
    monkeypatch.setattr(reading.sys, "platform", "linux")  # type: ignore[attr-defined]  # a module's own import
    assert caches() == expected


@pytest.fixture
def set_caches() -> Callable[[int, int, int], None]:
    return ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 3)(runtime_address("tolang_caches"))


def test_results_do_not_depend_on_caches(set_caches: Callable[[int, int, int], None]) -> None:
    """Blocks of one panel of rows, strips of the fewest columns, short cuts, or all at once: the same bits."""
    program = tolang.compile(
        "tol a: f32 [n,k]\ntol b: f32 [k,m]\nr := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])",
        engine="cpu",
    )
    generator = np.random.default_rng(3)
    a = generator.random((301, 1100), dtype=np.float32)
    b = generator.random((1100, 403), dtype=np.float32)
    found = []
    try:
        for sizes in ((1, 1, 1), (1 << 12, 1 << 16, 1 << 20), (1 << 40, 1 << 40, 1 << 40)):
            set_caches(*sizes)
            found.append(program(a, b))
    finally:
        set_caches(*caches())
    np.testing.assert_allclose(found[0], a @ b, rtol=1e-4)
    assert all(np.array_equal(one, found[0]) for one in found)
