"""Loops in strips: cut however short, every kind of loop computes what it computes in one piece."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu import engine
from tolang.engines.cpu.emission import kernels, looping
from tolang.engines.cpu.plan import artifact as images
from tolang.engines.cpu.runtime import native
from tolang.readings.interpret import Late, interpret

pytestmark = [pytest.mark.compiled("full"), pytest.mark.sampled(3)]

X = np.linspace(-1.5, 2.5, 97)
WHOLE = np.arange(1, 61)
IN_ORDER = [
    ("fold", "tol x: R [n]\nr := map(x, reduce(map(tol[n], x[i]*k+x[k], k), (s,v) -> s*0.5+v, 0), i)", (X,)),
    ("nested", "tol x: R [n]\nr := map(tol[5], reduce(map(tol[n], reduce(map(tol[i], x[k]+j, j), (s,v)->s-v*0.5, 0), k), (s,v)->s*0.5+v, 0), i)", (X,)),
    ("two dimensions", "tol x: R [n]\nr := reduce(map(tol[n,7], x[i]*j, [i,j]), (s,v) -> s*0.75+v, 1)", (X,)),
    ("greatest", "tol x: R [n]\nr := map(tol[3], reduce(map(x, sin(* + i)), max, 0), i)", (X,)),
    ("whole numbers", "tol x: Z [n]\nr := map(tol[4], reduce(map(x, (y,k) -> y*i-k), add, 0), i)", (WHOLE,)),
    ("iteration", "tol x: R [n]\nr := map(x, reduce(tol[50], (s,v) -> if s < 4 then s*s*0.5+0.1 else s, *))", (X,)),
    ("walks", "tol x: Z [n]\nr := map(x, reduce(tol[50], (s,v) -> x[n + 1 - x[s]], *))", (np.roll(WHOLE, 1),)),
    ("one point", "tol x: R [n]\nr := map(x[1:3], reduce(tol[200], (s,v) -> s*s*0.5+0.1, *))", (X,)),
    ("state", "tol x: R [n]\nr := reduce(tol[70], (s,v) -> map(s, (y,k) -> y*0.5+s[1]+k), x)", (X,)),
    ("state in a row", "tol x: R [n]\nr := map(tol[3,n], reduce(tol[9], (s,v) -> map(s, * * 0.5 + i), x)[j], [i,j])", (X,)),
    ("sort", "tol x: R [n]\nr := sort(map(x, sin(* * 40)))", (X,)),
    ("sorted rows", "tol x: R [n]\nr := map(tol[4,n], sort(map(x, sin(* * i)))[j], [i,j])", (X,)),
    ("argmax", "tol x: R [n]\nr := argmax(map(x, sin(* * 40)))", (X,)),
    ("counts", "tol x: Z [n]\nr := bincount(map(x, (y,k) -> 1+k%7), 7)", (WHOLE,)),
    ("branch", "tol x: R [n]\nr := map(x, (y,i) -> if y > 0 then reduce(map(x, * * x[i]), (s,v)->s*0.5+v, 0) else y)", (X,)),
]  # fmt: skip
FREE = [
    ("sum", "tol x: R [n]\nr := map(tol[5], reduce(map(x, * * i), add, 0), i)", (X,)),
    ("sum of all", "tol x: R [n]\nr := reduce(map(tol[n,n], x[i]*x[j], [i,j]), add, 0)", (X,)),
    ("columns", "tol x: R [n,m]\nr := map(tol[m], reduce(map(tol[n], x[i,j], i), add, 0), j)", (X[:96].reshape(8, 12),)),
    ("product", "tol x: R [n]\nr := map(tol[n,9], reduce(map(tol[n], (x[i]+k)*(x[k]+j), k), add, 0), [i,j])", (X,)),
    ("deep product", "tol x: R [n]\nr := map(tol[9,8], reduce(map(tol[n,n], (x[k]+i)*(x[l]+j), [k,l]), add, 0), [i,j])", (X,)),
    ("prefixes", "tol x: R [n]\nr := cumulative_sum(x)", (X,)),
]  # fmt: skip


@pytest.fixture
def short_strips(monkeypatch: pytest.MonkeyPatch, anew: None) -> None:
    """Strips of a few instructions, in kernels that are not kept."""
    monkeypatch.setattr(looping, "ALLOWANCE", 64)


def values(source: str, arguments: tuple[Any, ...], strict: bool, patient: bool) -> Any:
    program = tolang.compile(source, engine="cpu", strict=strict, fallback=False)
    job = program.job(arguments, {})
    made = engine.CpuExecutable(job.core, strict)
    if patient:
        once = made.artifact.once
        names = (*made.artifact.kernels, *(once.artifact.kernels if once is not None else ()))
        made = engine.CpuExecutable(job.core, strict, patient=frozenset(names))
    return made.run(job.inputs, job.sizes)[0].columns[0]


@pytest.mark.usefixtures("short_strips")
@pytest.mark.parametrize(("name", "source", "arguments"), IN_ORDER, ids=[case[0] for case in IN_ORDER])
def test_folds_in_order_are_equal(name: str, source: str, arguments: tuple[Any, ...]) -> None:
    expected = tolang.compile(source, engine="interpret", strict=True)(*arguments)
    found = values(source, arguments, strict=False, patient=True)
    assert np.allclose(found, expected, rtol=1e-13, atol=1e-13)
    assert np.array_equal(found, values(source, arguments, strict=False, patient=False))


@pytest.mark.usefixtures("short_strips")
@pytest.mark.parametrize(("name", "source", "arguments"), FREE, ids=[case[0] for case in FREE])
def test_folds_in_free_order_are_as_close(name: str, source: str, arguments: tuple[Any, ...]) -> None:
    expected = tolang.compile(source, engine="interpret")(*arguments)
    for strict in (False, True):
        found = values(source, arguments, strict, patient=True)
        assert np.allclose(found, expected, rtol=1e-11)
        assert not strict or np.array_equal(found, values(source, arguments, strict, patient=False))


def test_regrouping_depends_on_the_length_alone() -> None:
    """Equal rows have equal sums, whatever was computed before them: strips begin anew with every fold."""
    source = "tol x: f32 [n,m]\nr := map(tol[n], reduce(x[i], add, 0), i)"
    rows = np.broadcast_to(np.random.default_rng(1).random(3 * 10**6, dtype=np.float32), (4, 3 * 10**6))
    program = tolang.compile(source, engine="cpu", fallback=False)
    found = program(np.ascontiguousarray(rows))
    assert len(set(found.tolist())) == 1
    assert np.isclose(found[0], rows[0].sum(dtype=np.float64), rtol=1e-4)  # a sum of millions in single precision


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many kernels are patient in each program that is compiled."""
    compiled: list[int] = []
    made = engine.CpuExecutable.__init__

    def counted(self: Any, *arguments: Any, **options: Any) -> None:
        made(self, *arguments, **options)
        compiled.append(len(self.patient))

    monkeypatch.setattr(engine.CpuExecutable, "__init__", counted)
    return compiled


def test_long_rows_are_compiled_patiently(patient: list[int]) -> None:
    """Code whose rows take long refuses them, is compiled once more, and used for those sizes from then on."""
    program = tolang.compile("tol m: N\nr := map(tol[2], reduce(map(tol[m], k%5+i, k), max, 0), i)", engine="cpu")
    for size in (10, 5 * 10**7, 10, 5 * 10**7):
        assert program(size).tolist() == [5, 6]
    assert patient == [0, 1]


def test_only_kernels_that_take_long_are_compiled_patiently(patient: list[int]) -> None:
    long = "map(tol[2], reduce(map(tol[m], k%5+i, k), max, 0), i)"
    program = tolang.compile(f"tol m: N\ntol x: R [n]\nr := {long}\ns := map(x, * + 1)", engine="cpu")
    for size in (10, 5 * 10**7):
        rows, more = program(size, X).values()
        assert rows.tolist() == [5, 6]
        assert np.array_equal(more, X + 1)
    assert patient == [0, 1]


def test_a_row_of_many_steps_is_as_long_as_these_are(patient: list[int]) -> None:
    """Elements cost what is computed at each of them, not what the code of the whole row has."""
    soft = "soft(v) = { top = reduce(v, max, -Inf); e = map(v, exp(* - top)); s = reduce(e, add, 0); map(e, * / s) }"
    source = f"tol x: R [n,m]\n{soft}\ny := map(tol[n], {'soft(' * 6}x[i]{')' * 6}, i)"
    found = tolang.compile(source, engine="cpu")(np.zeros((2, 10000)))
    assert np.allclose(found, 1e-4)
    assert patient == [0]


def test_numbers_of_calls_are_apart() -> None:
    """What a call results in when no check has failed is not a number of a check."""
    assert len({images.NOT_YET, images.STOPPED, images.IMPATIENT}) == 3
    assert min(images.STOPPED, images.IMPATIENT) > 10**6
    assert max(images.NOT_YET, images.STOPPED, images.IMPATIENT) < 1 << images.CHECK_BITS


def test_interpretation_ends_when_its_time_is_up() -> None:
    """Folds of a thousand million steps neither take memory for their coordinates nor outlast what they are given."""
    program = tolang.compile("tol m: N\nr := reduce(tol[m,m], (s,v) -> s*0.5+1, 0)")
    job = program.job((10**9,), {})
    with pytest.raises(Late):
        interpret(job.core, job.inputs, job.sizes, seconds=0.2)


def test_kernels_of_both_kinds_have_names_of_their_own() -> None:
    from tolang.engines.cpu.plan.bytecode import assemble
    from tolang.lower.steps import lower

    table = assemble(lower(tolang.compile("tol x: R [n]\nr := map(x, * + 1)").core))
    shared = table.calls[0].shared
    assert kernels.kernel_name(shared, native.host_target()) != kernels.kernel_name(
        shared, native.host_target(), patient=True
    )
