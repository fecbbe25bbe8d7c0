"""Rows of the benchmarks are right at a tiny size: our compiled result is NumPy's.  Nothing is timed.

One in three is tried: the benchmarks themselves compare all of them with NumPy before anything is timed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest
from benchmarks import report, threads
from benchmarks.__main__ import environment, thread_counts
from benchmarks.limits import Limits
from benchmarks.machine import cores, description, processor
from benchmarks.row import Row, difference
from benchmarks.rows import FAMILIES, chosen

import tolang
from tolang.ground.dataclasses import replace

pytestmark = pytest.mark.sampled(5)

ROWS = [row for rows in FAMILIES.values() for row in rows]


def result_of(**others: Any) -> dict[str, Any]:
    """A measured row as it is reported."""
    plain: dict[str, Any] = {
        "name": "row", "family": "products", "threads": 1, "target": 1.0, "against": [], "operations": 1e9,
        "times": {"tolang": 0.5, "numpy": 2.0, "jax": 1.0}, "failures": {}, "missing": {},
    }  # fmt: skip
    return plain | others


@cache
def compiled(source: str, by: tuple[int, ...]) -> tolang.Program:
    """Rows of one source share its program, which is then tried at several sizes."""
    row = next(row for row in ROWS if row.source == source and row.by == by)
    return replace(row, source=source.replace("{fresh}", "0.25")).program()


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_row_is_right(row: Row) -> None:
    data, program = row.inputs(row.tiny), compiled(row.source, row.by)
    first = program(*data)
    assert difference(first, row.reference(*data), row) is None
    for _ in range(3):  # short calls give the same bits, in arrays of the same types
        assert told(program(*data)) == told(first)


def told(result: Any) -> list[tuple[Any, ...]]:
    """All of a result that can be compared: names, types, shapes and bits."""
    if isinstance(result, Mapping):
        return [(name, *one) for name, value in result.items() for one in told(value)]
    if isinstance(result, tolang.ToL):
        return [one for column in result.columns for one in told(column)]
    array = np.asarray(result)
    return [(type(result), array.dtype, array.shape, array.tobytes())]


def test_names_are_unique_and_chosen_by_words() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)
    assert list(chosen(["convolutions"])) == ["convolutions"]
    assert [row.name for row in chosen(["softmax 4096"])["elementwise"]] == ["softmax 4096 x 1024"]


def test_a_wrong_result_is_seen() -> None:
    row = ROWS[0]
    data = row.inputs(row.tiny)
    expected = row.reference(*data)
    wrong = expected.copy()
    wrong[0, 1] += 1
    assert difference(expected, expected, row) is None
    assert "first at (1, 2)" in str(difference(wrong, expected, row))
    assert "shape" in str(difference(expected.T, expected, row))
    assert difference(np.full_like(expected, np.nan), expected, row) is not None


def test_verdicts() -> None:
    assert report.ratio(result_of()) == 2.0
    assert report.verdict(result_of()) == "met"
    assert report.verdict(result_of(target=3.0)) == "missed by 33%"
    own = result_of()["times"]["tolang"]
    assert report.verdict(result_of(within=2 * own)) == "met"
    assert report.verdict(result_of(within=own / 2)) == "missed by 100%"
    assert report.ratio(result_of(against=["numpy"])) == 4.0
    assert report.verdict(result_of(against=["onnxruntime"])) == "no onnxruntime to compare with"
    failed = result_of(times={"numpy": 1.0}, failures={"tolang": "wrong"})
    assert report.verdict(failed) == "failed: wrong"
    assert report.failures([failed]) == ["row, 1 thread(s), tolang: wrong"]


def test_the_limit_is_told() -> None:
    roof = Limits(operations=2e11, bytes=1e10)
    assert roof.seconds(2e11, 5e9, 4) == 1.0  # bound by operations
    assert roof.seconds(2e11, 5e9, 8) == 2.0
    assert roof.seconds(1e9, 3e10, 4) == 3.0  # bound by memory
    assert report.share(result_of(least=0.25)) == "50%"
    assert report.share(result_of(least=0.25, times={})) == "-"


def test_a_gradient_is_held_against_its_value() -> None:
    assert report.over_value(result_of(value=0.125)) == "4.00"
    assert report.over_value(result_of()) == "-"


def test_threads_and_the_machine_in_the_table() -> None:
    counts = thread_counts("all")
    assert counts[0] == 1
    assert counts[-1] == cores()
    assert counts == sorted(set(counts))
    assert thread_counts("1,100000") == [1]
    told = report.markdown([result_of(least=0.1)], description())
    assert told.splitlines()[0].startswith(processor())
    assert "| of the limit |" in told
    assert environment(2)["JAX_PLATFORMS"] == "cpu"


def test_plot_has_a_bar_for_each_ratio() -> None:
    drawn = report.plot([result_of(), result_of(name="a < b", target=5.0)])
    assert len(re.findall(r'height="11"', drawn)) == 2
    assert "a &lt; b" in drawn


def test_scaling_is_plotted_for_rows_with_several_numbers_of_threads() -> None:
    import xml.etree.ElementTree as tree

    several = [result_of(threads=count, times={"tolang": 1.0 / count, "numpy": 2.0}) for count in (1, 2, 4)]
    once = result_of(name="once", threads=1)
    found = threads.curves([*several, once])
    assert found == {"row": {"tolang": [(1, 1.0), (2, 0.5), (4, 0.25)], "numpy": [(1, 2.0), (2, 2.0), (4, 2.0)]}}
    picture = tree.fromstring(threads.plot([*several, once]))
    lines = picture.findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == 2
    heights = [float(pair.split(",")[1]) for pair in lines[1].attrib["points"].split()]
    assert heights == sorted(heights, reverse=True)


def test_a_table_has_a_column_for_each_number_of_threads() -> None:
    several = [result_of(threads=count, times={"tolang": 1.0 / count, "numpy": 1.0}) for count in (1, 4)]
    head, _, *lines = threads.markdown(
        [*several, result_of(name="a|b", threads=4, times={"tolang": 2.0, "numpy": 1.0})]
    ).splitlines()
    assert head == "| row | 1 thread | 4 threads | target |"
    assert lines[0] == "| row | 1 s, 1.00 (numpy) | 250 ms, 4.00 (numpy) | 1 |"
    assert lines[1] == r"| a\|b | - | 2 s, 0.50 (numpy) | 1 |"
    assert lines[2] == "| targets met | 1 of 1 | 1 of 2 |  |"
