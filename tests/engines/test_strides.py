"""Fields of records that compiled code reads where they lie: the interpreter's results, whatever lies between them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.contract import PlanSection
from tolang.engines.cpu.engine import CpuExecutable
from tolang.engines.cpu.plan import calling
from tolang.engines.cpu.runtime.columns import MOST_WORDS, records_looked_at
from tolang.ground.values.membership import members
from tolang.ground.values.records import FEWEST, MANY, fields_apart, step_of
from tolang.ground.values.values import ToL
from tolang.lower.steps import lower

Array = np.ndarray[Any, Any]
NAMES = ("a", "b", "c")
HEAD = "list gate: [a: N, b: N*, c: R]\ntol x: gate [n]\n"
SOURCES = {
    "elementwise": HEAD + "y := map(x, *[a]' + *[b]' * *[c]')",
    "backwards": HEAD + "y := map(x, x[n+1-i][a]' + *[c]', i)",
    "in order": HEAD + "y := reduce(x, (s,g) -> [s, s[|s|[1]] * 0.5 + g[c]' * s[g[b]']], [1.0])",
    "filters": HEAD + "y := reduce(x, (s,g) -> if g[a]' > 3 then [s, g[c]'] else s, tol[0])",
    "two of three": HEAD + "y := map(x, *[a]' + x[1][c]')",
}
KINDS: dict[str, list[Any]] = {
    "words": [("a", "i8"), ("b", "i8"), ("c", "f8")],
    "narrow": [("a", "i4"), ("b", "u4"), ("c", "f4")],
    "many widths": [("a", "u1"), ("b", "i2"), ("c", "f8")],
    "others between": [("p", "u2"), ("a", "i8"), ("q", "S3"), ("b", "i8"), ("c", "f8")],
}


def filled(made: Array) -> Array:
    generator = np.random.default_rng(len(made))
    for name in NAMES:
        made[name] = generator.integers(1, 9, len(made))
    made["b"] = 1  # a place that is there in each step
    return made


def plain(kinds: list[Any], count: int) -> Array:
    return np.zeros(count, kinds)


def aligned(kinds: list[Any], count: int) -> Array:
    return np.zeros(count, np.dtype(kinds, align=True))


def inside(kinds: list[Any], count: int) -> Array:
    inner: Array = np.zeros(count, [("head", "f8"), ("gate", kinds), ("tail", "u1", 7)])["gate"]
    return inner


def every_third(kinds: list[Any], count: int) -> Array:
    return np.zeros(3 * count, kinds)[1::3]


def backwards(kinds: list[Any], count: int) -> Array:
    return np.zeros(count, kinds)[::-1]


def anywhere(kinds: list[Any], count: int) -> Array:
    size = np.dtype(kinds).itemsize
    return np.frombuffer(bytearray(count * size + 3), np.uint8)[3:].view(kinds)


LAYOUTS = (plain, aligned, inside, every_third, backwards, anywhere)


def three(kinds: Array) -> Array:
    """The fields that are declared, alone, as views of the same records."""
    return kinds[list(NAMES)]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("kind", KINDS)
def test_results_are_those_of_the_interpreter(source: str, kind: str) -> None:
    compiled = tolang.compile(SOURCES[source], fallback=False)
    judge = tolang.compile(SOURCES[source], engine="interpret")
    for layout in LAYOUTS:
        for count in (5, 1, 130, 0):
            x = three(filled(layout(KINDS[kind], count)))
            expected = judge(x) if count or source != "two of three" else None
            for _ in range(3):
                if expected is not None:
                    found = compiled(x)
                    assert np.array_equal(found, expected), (layout, count)
                    assert found.dtype == expected.dtype


@pytest.mark.parametrize("count", [FEWEST + 1, MANY + 5])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_many_records(layout: Callable[..., Array], count: int) -> None:
    x = filled(layout(KINDS["words"], count))
    compiled = tolang.compile(SOURCES["elementwise"], fallback=False)
    expected = x["a"] + x["b"] * x["c"]
    x.flags.writeable = False
    for _ in range(3):
        assert np.array_equal(compiled(x), expected)


def test_nothing_is_copied_of_what_can_be_read_where_it_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the second call on, when there is code."""
    made: list[int] = []

    def watching(*arguments: Any, **named: Any) -> Any:
        copies, least = fields_apart(*arguments, **named)
        made.extend(copies)
        return copies, least

    x = filled(plain(KINDS["words"], MANY))
    apart = filled(plain([("a", "i8"), ("odd", "u1"), ("b", "i8"), ("c", "f8")], MANY))[["a", "b", "c"]]
    program = tolang.compile(SOURCES["in order"], fallback=False)
    program(x)
    program(apart)
    for module in (calling, sys.modules["tolang.ground.values.membership"]):
        monkeypatch.setattr(module, "fields_apart", watching)
    read: list[Array] = []
    own = calling._readable

    def readable(one: Array) -> Array:
        read.append(one)
        return own(one)

    monkeypatch.setattr(calling, "_readable", readable)
    program(x)
    assert made == []
    assert read == []
    program(apart)
    assert sorted(made) == [0, 1]
    assert len(read) == 3


def test_memory_is_not_read_twice() -> None:
    """Where one of the fields that are looked at is copied, the others are with it."""
    x = filled(plain(KINDS["words"], FEWEST))
    columns = tolang.compile(SOURCES["elementwise"]).core.inputs[0].type.columns
    arrays = [x[name] for name in NAMES]
    for left, copied in (({0, 1, 2}, []), ({0, 2}, [0, 1]), (set(), [0, 1]), ({0, 1}, [])):
        found = members(arrays, columns, (0, 1), "x", left)
        assert [k for k, one in enumerate(found) if one.flags.c_contiguous] == copied
        assert all(np.array_equal(one, own) for one, own in zip(found, arrays, strict=True))


def test_a_list_of_arrays_is_read_as_it_was() -> None:
    count = 1000
    x = filled(plain(KINDS["words"], count))
    for source in SOURCES.values():
        program = tolang.compile(source, fallback=False)
        mixed = x["a"].copy(), x["b"], np.stack([x["c"], x["c"]], 1)[:, 0]
        values = [program(x), program(mixed), program(tuple(x[name].copy() for name in NAMES)), program(x)]
        assert all(np.array_equal(one, values[0]) for one in values)


@pytest.mark.parametrize("count", [9, FEWEST, MANY + 1])
@pytest.mark.parametrize("layout", [plain, every_third, backwards, aligned])
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"a": -1}, r"-1 at \[{}\] of x\[a\]' is not in N"),
        ({"b": 0}, r"0 at \[{}\] of x\[b\]' is not in N\*"),
        ({"a": -3, "b": -5}, r"-3 at \[{}\] of x\[a\]' is not in N"),
    ],
)
def test_a_number_outside_its_space_is_told(
    wrong: dict[str, int], message: str, layout: Callable[..., Array], count: int
) -> None:
    program = tolang.compile(SOURCES["in order"], fallback=False)
    x = filled(layout(KINDS["words"], count))
    program(x)
    program(x)
    for place in (count - 2, count - 1):
        broken = filled(layout(KINDS["words"], count))
        for name, value in wrong.items():
            broken[name][place] = value
        with pytest.raises(tolang.ToLangRunError, match=message.format(place + 1)) as told:
            program(broken)
        assert told.value.code == "E501"
    assert np.array_equal(program(x), program(x))


def test_a_place_that_is_not_there_is_told() -> None:
    program = tolang.compile(SOURCES["in order"], fallback=False)
    judge = tolang.compile(SOURCES["in order"], engine="interpret")
    x = filled(plain(KINDS["words"], 40))
    program(x)
    x["b"][30] = 32
    with pytest.raises(tolang.ToLangRunError) as found:
        program(x)
    with pytest.raises(tolang.ToLangRunError) as expected:
        judge(x)
    assert found.value.code == expected.value.code
    assert str(found.value) == str(expected.value)


def test_other_orders_of_bytes_are_converted() -> None:
    program = tolang.compile(SOURCES["elementwise"], fallback=False)
    x = filled(plain([("a", ">i8"), ("b", ">i8"), ("c", ">f8")], 50))
    native = x.astype(KINDS["words"])
    for one in (native, x, native, x):
        assert np.array_equal(program(one), program(native))


def test_in_parts_of_programs_every_component_is_an_input() -> None:
    core = tolang.compile(SOURCES["elementwise"]).core
    part = CpuExecutable(PlanSection(lower(core), {}))
    x = filled(plain(KINDS["words"], 30))
    given = {
        f"x.{k}": ToL([x[name]], [column])
        for k, (name, column) in enumerate(zip(NAMES, core.inputs[0].type.columns, strict=True), 1)
    }
    (found,) = part.run(given, {"n": 30})
    assert np.array_equal(found.columns[0], x["a"] + x["b"] * x["c"])
    assert part.artifact.strides == ((0, 1, 2),)


def test_how_far_elements_are_apart() -> None:
    x = np.zeros(4, [("a", "i8"), ("b", "f4"), ("c", "u1"), ("d", "c16")])
    assert [step_of(x[name]) for name in "abcd"] == [None, None, 29, None]
    y = np.zeros((6, 3))
    assert [step_of(one) for one in (y[:, 1], y[::2, 1], y[::-1, 1], y[0], y[:1, 1], y.T)] == [
        3,
        6,
        None,
        None,
        None,
        None,
    ]


@pytest.mark.parametrize("words", [1, 2, 3, 5, 8, 11, MOST_WORDS])
def test_the_least_of_words_of_records(words: int) -> None:
    generator = np.random.default_rng(words)
    for rows in (1, 2, 7, 8, 9, 100, 1000):
        table = generator.integers(-(2**63), 2**63 - 1, (rows, words))
        fields = [table[:, place] for place in generator.permutation(words)[: max(1, words - 1)]]
        for block in (1, 7, 64, 5000):
            assert records_looked_at(fields, block) == [one.min() for one in fields]


def test_words_of_records_that_are_not_looked_at() -> None:
    x = np.ones(20, [("a", "i8"), ("b", "u1"), ("c", "i8")])
    assert records_looked_at([x["a"], x["c"]], 5) is None
    wide, far = np.ones((20, MOST_WORDS + 1), int), np.ones((20, 2), int)
    assert records_looked_at([wide[:, 0], wide[:, 1]], 5) is None
    assert records_looked_at([far[:10, 0], far[10:, 1]], 5) is None
    assert records_looked_at([far[::-1, 0]], 5) is None


def test_fields_that_stay_are_only_looked_at() -> None:
    x = filled(plain(KINDS["words"], MANY))
    x["a"][77], x["b"][-1] = -4, -9
    columns = [x[name] for name in NAMES]
    copies, least = fields_apart(columns, [0, 1], look=True, left={0, 1})
    assert copies == {}
    assert least == {0: -4, 1: -9}
    copies, least = fields_apart(columns, [0, 1, 2], left={1})
    assert sorted(copies) == [0, 2]
    assert least == {}
    turned = [one[::-1] for one in columns]
    copies, least = fields_apart(turned, [0, 1], look=True, left={0, 1})
    assert sorted(copies) == [0, 1]
    assert least == {0: -4, 1: -9}


GUARDED = """
import numpy as np, tolang
for source in {sources!r}:
    program, judge = tolang.compile(source, fallback=False), tolang.compile(source, engine="interpret")
    for count in (1, 2, 9, 70):
        for step in (1, 2, -1):
            for shift in (0, 5):
                x = np.ones(count * abs(step), [("p", "u1", shift), ("a", "i8"), ("b", "i8"), ("c", "f8"), ("q", "u1", 8)])[::step]
                x = x[["a", "b", "c"]]
                assert np.array_equal(program(x), judge(x))
print("done")
"""


@pytest.mark.parametrize("guard", ["end", "start"])
def test_nothing_is_read_before_the_first_or_behind_the_last(guard: str) -> None:
    code = GUARDED.format(sources=[SOURCES[name] for name in SOURCES if name != "two of three"])
    environment = os.environ | {"TOL_GUARD": guard, "TOL_COMPILE": "quick"}
    found = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert found.stdout == "done\n", found.stderr
