"""Memory: what cannot be had, or is not allowed, is an error with a place, before it is taken."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime import memory as taking
from tolang.engines.cpu.runtime import native
from tolang.ground.system import groups, memory
from tolang.ground.system.memory import available_memory, bytes_text

THERE = 64 << 20
"""Bytes that there are, as the tests have it."""
LETS = "tol x: R [n]\na0 = x\n" + "\n".join(f"a{k} = [a{k - 1},a{k - 1}]" for k in range(1, 25)) + "\nr := a24"
CALLS = "tol x: R [n]\nd(v) = [v,v]\nr := " + "d(" * 24 + "x" + ")" * 24
LARGE = [
    ("map", "tol n: N\nr := map(tol[n], i*2, i)", (10**8,), "2:6"),
    ("zeros", "tol n: N\nr := tol[n]", (10**8,), "2:6"),
    ("length from data", "tol x: N [n]\nr := map(tol[x[1]], i*2, i)", ([10**8],), "2:6"),
    ("join", "tol x: R [n]\nr := [x,x]", (np.ones(6 * 10**6),), "2:6"),
    ("doubling", LETS, ([1.0, 2.0],), "24:7"),
    ("doubling calls", CALLS, ([1.0, 2.0],), "2:8"),
    ("outer", "tol x: R [n]\nr := map(tol[n,n], x[i]*x[j], [i,j])", (np.ones(10**4),), "2:6"),
    ("state", "tol n: N\nr := reduce(tol[n], (s,t) -> [s,1.0], [1.0])", (10**8,), "2:6"),
]
"""Programs that need more, and where."""
SLOW = {("interpret", "state")}
"""The interpreter's state grows step by step: millions of them until there is no memory left."""


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine with little memory left, which is asked early."""
    for module in (memory, taking):
        monkeypatch.setattr(module, "available_memory", lambda: THERE)
    monkeypatch.setattr(taking, "WITHOUT_ASKING", 1 << 20)
    native.runtime_address("tolang_take")
    native._STATE["runtime"].taking.set_pass()
    yield
    monkeypatch.undo()
    native._STATE["runtime"].taking.set_pass()


def error(source: str, arguments: tuple[Any, ...], engine: str, allowed: int | None = None) -> tolang.ToLangRunError:
    program = tolang.compile(source, engine=engine)
    program.runner.memory = allowed
    with pytest.raises(tolang.ToLangRunError) as found:
        program(*arguments)
    assert native.held_memory() == 0
    return found.value


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize(("engine", "case"), [(e, c) for c in LARGE for e in ("cpu", "interpret") if (e, c[0]) not in SLOW],
                         ids=lambda one: one if isinstance(one, str) else one[0])  # fmt: skip
def test_what_cannot_be_had(engine: str, case: tuple[str, str, tuple[Any, ...], str]) -> None:
    name, source, arguments, place = case
    if (engine, name) == ("interpret", "doubling"):
        place = "25:7"  # it holds one value less
    told = error(source, arguments, engine)
    assert told.code == "E508"
    diagnostic = told.diagnostics[0]
    assert diagnostic.span is not None
    assert diagnostic.span.place == f"<source>:{place}"
    assert diagnostic.expected is not None
    assert diagnostic.expected.endswith("which the run can have now")


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
@pytest.mark.parametrize(("name", "source", "arguments", "place"), LARGE[:6], ids=[case[0] for case in LARGE[:6]])
def test_what_is_not_allowed(name: str, source: str, arguments: tuple[Any, ...], place: str, engine: str) -> None:
    told = error(source, arguments, engine, THERE)
    assert told.code == "E508"
    assert told.diagnostics[0].found is not None
    assert told.diagnostics[0].expected is not None
    assert told.diagnostics[0].expected.endswith("which the run is allowed")


@pytest.mark.usefixtures("little")
def test_pieces_of_a_run_add_up() -> None:
    """Each of three fits, all of them do not; afterwards they are given back, and one fits again."""
    source = "tol n: N\na = map(tol[n], sin(i), i)\nb = sort(a)\nc = sort(map(b, -*))\nr := map(a, * * b[*] + c[*])"
    small = tolang.compile(source, engine="cpu")
    assert small(10**5).shape == (10**5,)
    told = error(source, (3 * 10**6,), "cpu")
    assert told.code == "E508"
    assert small(10**6).shape == (10**6,)
    assert native.held_memory() == 0


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
def test_what_is_allowed_runs(engine: str) -> None:
    program = tolang.compile(LARGE[2][1], engine=engine)
    program.runner.memory = 10 << 20
    assert program([10**6]).shape == (10**6,)


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
@pytest.mark.parametrize("source", ["x[1:e]", "sort(x[2:e])", "map(x[1:e], * + 1)", "[x, x[1:e]]", "x[1:e][1]"])
def test_ranges_are_asked_before_memory(source: str, engine: str) -> None:
    """A range beyond all memory is outside its ToL, which is what is wrong with it; also where it is not read."""
    told = error(f"tol x: R [n]\ntol e: Z\nr := {source}", (np.ones(10), 10**14), engine)
    assert told.code == "E513"


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
def test_ranges_that_are_not_evaluated_are_not_asked(engine: str) -> None:
    source = "tol x: R [n]\ntol e: Z\nr := "
    for body in ("if e > 50 then 0 else reduce(x[1:e], add, 0)", "reduce(map(tol[n-10], x[1:e][1], i), add, 0)"):
        assert tolang.compile(source + body, engine=engine)(np.ones(10), 100) == 0


def test_outputs_are_nobody_elses() -> None:
    """What a program gives out shares no memory with what it was given, whatever the engine."""
    x = np.arange(6.0)
    for engine in ("cpu", "interpret"):
        for source in ("r := x", "r := x[2:4]", "r := reshape(x, [2,3])"):
            assert not np.shares_memory(tolang.compile(f"tol x: R [n]\n{source}", engine=engine)(x), x)


def test_limits_of_addresses() -> None:
    """A process whose addresses are limited meets an error of the program, whichever piece does not fit."""
    code = (
        "import resource, tolang\n"
        "program = tolang.compile('tol n: N\\nr := map(tol[n], i, i)', engine={engine!r})\n"
        "program(10)\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + (200 << 20), resource.RLIM_INFINITY))\n"
        "for size in (10**8, 4 * 10**7):\n"
        "    try:\n        program(size)\n"
        "    except tolang.ToLangRunError as error:\n        print(error.code)\n"
        "print(program(1000).shape)\n"
    )
    for engine in ("cpu", "interpret"):
        done = subprocess.run(
            [sys.executable, "-c", code.format(engine=engine)], capture_output=True, text=True, timeout=100, check=False
        )
        assert done.stdout.split("\n")[:3] == ["E508", "E508", "(1000,)"], done.stdout + done.stderr


def test_limits_of_control_groups(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The least that a group around the process leaves; pages of files that can be dropped are free."""
    member = tmp_path / "membership"
    member.write_text("12:cpu,memory:/older/inner\n0::/newer\n3:cpu:/other\n")
    files = {
        "newer/memory.max": "max", "newer/memory.current": "5",
        "memory.max": str(1 << 30), "memory.current": str(600 << 20),
        "memory.stat": f"anon 1\ninactive_file {100 << 20}\n",
        "memory/older/inner/memory.limit_in_bytes": str((1 << 63) - 4096),
        "memory/older/memory.limit_in_bytes": str(700 << 20), "memory/older/memory.usage_in_bytes": str(300 << 20),
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / "groups" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "groups" / name).write_text(text)
    monkeypatch.setattr(groups, "MEMBERSHIP", member)
    monkeypatch.setattr(groups, "GROUPS", tmp_path / "groups")
    monkeypatch.setattr(memory, "_of_machine", lambda: 1 << 40)
    memory._groups.cache_clear()
    left = min((1024 - 600 + 100) << 20, (700 - 300) << 20)
    assert available_memory() == left - left // memory.SPARED
    monkeypatch.undo()
    memory._groups.cache_clear()
    assert 0 < available_memory() <= memory.physical_memory()


def test_bytes_as_text() -> None:
    assert [bytes_text(n) for n in (5, 2048, 999_600, 3 * 10**9)] == ["5 bytes", "2.05 kB", "1 MB", "3 GB"]


@pytest.mark.skipif(memory._c_library() is None, reason="another C library")
def test_the_c_library_is_asked_only_where_much_was_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small blocks that were freed go back to the system; while nothing more is held, nobody is asked."""
    library, asked = memory._c_library(), list[str]()

    class Asked:
        def __getattr__(self, name: str) -> Any:
            asked.append(name)
            return getattr(library, name)

    monkeypatch.setattr(memory, "_c_library", Asked)
    monkeypatch.setattr(memory, "_RETURNING", memory._Returning())
    memory.return_memory(1 << 24)
    assert "mallinfo2" in asked
    asked.clear()
    memory.return_memory(1 << 24)
    assert not asked
    blocks = [np.ones(1 << 13) for _ in range(1 << 10)]  # 64 MiB
    held = memory.resident_memory()
    del blocks[::2], blocks[:-1]
    memory.return_memory(1 << 24)
    assert asked == ["mallinfo2", "malloc_trim"]
    assert memory.resident_memory() < held - (1 << 25)
