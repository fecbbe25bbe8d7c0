"""What kernels have in common is written and compiled once, and is the same as if each had its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.contraction import loops, register_tile
from tolang.engines.cpu.emission import kernels
from tolang.engines.cpu.engine import CpuExecutable
from tolang.engines.cpu.plan.bytecode import assemble
from tolang.engines.cpu.runtime import loaded, native
from tolang.engines.cpu.runtime.loaded import KernelSource
from tolang.engines.cpu.runtime.tier_up import improvements_end
from tolang.engines.llvm import ir
from tolang.ground.values.values import ToL
from tolang.schedule.planning import plan

PRODUCT = "tol a: {storage} [n,k]\ntol b: {storage} [k,{m}]\n"
PRODUCT += "y := map(tol[n,{m}], {after}(reduce(map(a[i], * * b[*,j]), {fold}, {zero})), [i,j])"
FORMS: list[dict[str, Any]] = [
    {},
    {"after": "exp"},
    {"m": "16"},
    {"m": "40"},
    {"m": "70"},
    {"storage": "f64"},
    {"fold": "max", "zero": -9},
    {"storage": "i32"},
]


@pytest.fixture(autouse=True)
def tiers(monkeypatch: pytest.MonkeyPatch) -> None:
    """As users have it, and nothing is kept."""
    improvements_end()
    monkeypatch.delenv("TOL_COMPILE", raising=False)
    monkeypatch.setenv("TOL_CACHE_DIR", "off")
    monkeypatch.setattr(register_tile, "_WRITTEN", {})
    monkeypatch.setattr(loops, "_WRITTEN", {})
    loaded.forget()


def product(**form: Any) -> str:
    return PRODUCT.format(**{"storage": "f32", "m": "m", "after": "", "fold": "add", "zero": 0} | form)


def sources(text: str) -> list[KernelSource]:
    target = native.host_target()
    calls = assemble(plan(tolang.compile(text).core, target).plan).calls
    return [kernels._source(one.shared, target) for one in calls]


def having_parts(text: str) -> KernelSource:
    *_, found = [one for one in sources(text) if one.parts]  # for many columns
    return found


def run(text: str) -> tuple[Any, Any]:
    """What a program gives for some numbers in code that is ready soon, and what is right."""
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(9, 30)).astype("f4"), rng.normal(size=(30, 128)).astype("f4")
    executable = CpuExecutable(tolang.compile(text).core, sizes={"n": 9, "k": 30, "m": 128})
    (found,) = executable.run({"a": ToL.of(a), "b": ToL.of(b)}, {"n": 9, "k": 30, "m": 128})
    assert not any(one.source is None for one in executable.kernels if one.code is not None)
    return np.asarray(found.columns[0]), a @ b


def test_products_have_their_tile_in_common() -> None:
    one, other = (having_parts(product(after=after)) for after in ("exp", "abs"))
    assert one.parts == other.parts
    assert one.text != other.text
    assert all(f'define internal void @"{part.name}"' in one.module for part in one.parts)


def test_what_was_written_before_changes_no_code() -> None:
    """Everything that a tile or loops depend on tells them from others."""
    texts = [product(**form) for form in FORMS]
    after_others = [[one.module for one in sources(text)] for text in texts]
    for text, before in zip(texts, after_others, strict=True):
        register_tile._WRITTEN.clear()
        loops._WRITTEN.clear()
        assert [one.module for one in sources(text)] == before


def test_it_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    plainly = native.machine_code

    def counted(module: str, *rest: Any, **named: Any) -> bytes:
        compiled.append(module)
        return plainly(module, *rest, **named)

    monkeypatch.setattr(native, "machine_code", counted)
    for after in ("exp", "abs"):
        found, right = run(product(after=after))
        np.testing.assert_allclose(found, getattr(np, after)(right), rtol=1e-4, atol=1e-5)
    tiles = [one for one in compiled if 'define void @"tile.' in one]
    assert len(tiles) == len(set(tiles)) == 1
    assert not any('define internal void @"tile.' in one for one in compiled)


def test_it_is_kept_and_where_it_is_lost_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOL_CACHE_DIR", str(tmp_path))
    expected, _ = run(product())
    (part,) = [one for one in having_parts(product()).parts if one.name.startswith("tile.")]
    written: list[Any] = []
    anew = kernels._source

    def told(*given: Any) -> KernelSource:
        written.append(given)
        return anew(*given)

    monkeypatch.setattr(kernels, "_source", told)
    loaded.forget()
    assert run(product())[0].tobytes() == expected.tobytes()
    assert not written
    place = native.entry_name("part", part.name)
    (lost,) = [path for path in tmp_path.iterdir() if path.name.startswith(place)]
    lost.unlink()
    loaded.forget()
    assert run(product())[0].tobytes() == expected.tobytes()
    assert written


def test_products_of_other_tiles_have_their_loops_in_common() -> None:
    """How large a tile is, is a word of the frame."""
    one, other = (having_parts(product(storage=storage)) for storage in ("f32", "f64"))
    common = {part.name for part in one.parts} & {part.name for part in other.parts}
    assert len(one.parts) == len(other.parts) == 2
    assert [name.partition(".")[0] for name in common] == ["loops"]


def test_a_part_has_functions_of_its_own() -> None:
    module = ir.Module()
    kind = ir.FunctionType(ir.VoidType(), [ir.IntType(64)])
    width = ir.Function(module, kind, "tolang_width")
    made: list[ir.Function] = []
    for name, called in (("inner", width), ("outer", None)):
        function = ir.Function(module, kind, name)
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        builder.call(called or made[0], [function.args[0]])
        builder.ret_void()
        made.append(function)
    assert isinstance(ir.part_of(made[1], "alone"), ir.Function)
    part = ir.part_of(made[1], "both", [made[0]])
    assert isinstance(part, ir.SharedFunction)
    assert part.definition.count(f'@"{part.name}.0"') == 2
    assert module.globals.keys().isdisjoint({"inner", "outer"})
    native.machine_code(str(part), written_out=True, soon=True)


def test_what_says_more_than_its_code_stays_where_it_is() -> None:
    """A part calls nothing of its module, and its notes stand in its lines."""
    f64 = ir.DoubleType()

    def function(called: str, note: str = "") -> ir.Function | ir.SharedFunction:
        module = ir.Module()
        kind = ir.FunctionType(f64, [f64])
        other = ir.Function(module, kind, called)
        made = ir.Function(module, kind, "own")
        builder = ir.IRBuilder(made.append_basic_block("entry"))
        value = builder.call(other, [made.args[0]])
        if note:
            place = builder.alloca(f64)
            inner = module.add_metadata([note])
            about = module.add_metadata([inner]) if note == "a note in a note" else inner
            builder.store(value, place).set_metadata("noalias", about)
        builder.ret(value)
        return ir.part_of(made, "own")

    part = function("llvm.fabs.f64")
    assert isinstance(part, ir.SharedFunction)
    assert part.name == function("llvm.fabs.f64").name != function("llvm.sqrt.f64").name
    native.machine_code(str(part), written_out=True, soon=True)
    assert isinstance(function("sin"), ir.Function)
    noted = function("llvm.fabs.f64", "a note")
    assert isinstance(noted, ir.SharedFunction)
    assert '!{!"a note"}' in noted.definition
    native.machine_code(str(noted), written_out=True, soon=True)
    assert isinstance(function("llvm.fabs.f64", "a note in a note"), ir.Function)
