"""The form of the library's source, and the EOPs each definition states against those derived from its core."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

import tolang
from tests.library.calls import numbers
from tolang.check.forms import FORMS
from tolang.check.modules import LIBRARY, library_module, library_names
from tolang.ground.functions import FUNCTIONS
from tolang.readings.cost.reading import Reading
from tolang.syntax import tree
from tolang.syntax.formatter import format_text

PRIMITIVES = {"map", "reduce", "convert", *FORMS, *FUNCTIONS}
STATED = re.compile(r"^# EOPs: (.*(?:\n#   .*)*)\Z", re.MULTILINE)
MODULES = ["core", "linalg"]


@dataclass(frozen=True)
class Function:
    """An argument that is a function: its source, and the EOPs of one call of it."""

    text: str
    eops: int


@dataclass(frozen=True)
class Written:
    """An argument given by an expression over the others."""

    text: str


@cache
def definitions(module: str) -> dict[str, tree.Definition]:
    parsed = library_module(module)
    assert parsed is not None
    return {s.id: s for s in parsed.statements if isinstance(s, tree.Definition)}


def comment_above(definition: tree.Definition) -> str:
    """The comment lines right above a definition."""
    lines = definition.span.source.text[: definition.span.start].splitlines()
    start = len(lines)
    while start > 0 and lines[start - 1].startswith("#"):
        start -= 1
    return "\n".join(lines[start:])


def stated(definition: tree.Definition) -> str:
    found = STATED.search(comment_above(definition))
    assert found, f"{definition.id} does not state its EOPs"
    return found[1].replace("\n#  ", "")


ALL = [(module, name) for module in MODULES for name in definitions(module)]


def test_these_are_the_modules() -> None:
    assert set(MODULES) <= set(library_names())


@pytest.mark.parametrize("module", MODULES)
def test_source_is_formatted(module: str) -> None:
    text = (LIBRARY / f"{module}.tol").read_text(encoding="utf-8")
    assert format_text(text) == text
    assert max(len(line) for line in text.splitlines()) <= 120


@pytest.mark.parametrize(("module", "name"), ALL)
def test_definition_says_what_it_computes_and_costs(module: str, name: str) -> None:
    comment = comment_above(definitions(module)[name])
    said, _, _ = comment.partition("# EOPs: ")
    assert re.match(r"# \S", said), f"{name} does not say what it computes"
    assert stated(definitions(module)[name])


def test_no_definition_hides_another() -> None:
    assert not PRIMITIVES & {name for _, name in ALL}
    assert len({name for _, name in ALL}) == len(ALL)


X, Y, V, W = numbers(3, 4), numbers(3, 4, seed=1), numbers(5), numbers(5, seed=1)
T = numbers(2, 3, 4)
S = numbers(3, 3) + 4 * np.eye(3)
STACK = numbers(2, 3, 3) + 4 * np.eye(3)
ADD, HALF = Function("add", 1), Function("(s,e) -> (s+e)/2", 2)
ALONG = [{"x": X}, {"x": T, "axis": 1}, {"x": T, "axis": 2}, {"x": V}]
OVER = [*ALONG, {"x": T, "axis": (1, 3)}, {"x": T}]
ELEMENTS = [{"x": V}, {"x": X}, {"x": T}]
PAIRS = [{"a": V, "b": W}, {"a": X, "b": Y}]

SAMPLES: dict[str, list[dict[str, Any]]] = {
    "without": [{"v": V, "j": 2}],
    "beside": [{"v": (4, 5, 6), "axis": (1, 3)}],
    "insert": [{"v": V, "j": 2, "item": 7.5}],
    "put": [{"v": V, "j": 2, "item": 7.5}],
    "pick": [{"v": V, "idx": np.array([2, 3])}, {"v": X, "idx": (1, 1)}],
    "below": [{"v": V, "item": 0.5}],
    "position": [{"v": V, "item": 0.5}],
    "merge": [{"c": (4, 5), "k": (6,), "axis": 2}],
    "inside": [{"c": (4, 5), "shape": (6, 6)}],
    "at": [{"x": X, "c": (1, 2)}, {"x": 2.5, "c": (1, 2)}],
    "axes": [{"x": T}],
    "elements": [{"x": T}],
    "agreed": [{"shape": (2, 3), "other": (2, 3)}],
    "broadcast": [{"a": (2, 3), "b": (1,)}],
    "broadcast_at": [{"shape": (1, 3), "c": (5, 2, 3)}],
    "broadcast_to": [{"x": X, "shape": (2, 3, 4)}],
    "range": [{"n": 5}],
    "arange": [{"start": 1, "stop": 9, "step": 2}],
    "linspace": [{"a": 0.5, "b": 2.5, "n": 5}],
    "full": [{"shape": (2, 3), "value": 1.5}],
    "iota": [{"shape": (2, 3), "axis": 2}],
    "one_hot": [{"idx": np.array([[1, 2], [3, 1]]), "n": 3}],
    "where": [{"condition": X > 0, "a": X, "b": 0}],
    "filter": [{"t": V, "p": Function("e -> e*e > 1", 2)}],
    "compress": [{"v": V, "mask": V > 0}],
    "positions": [{"mask": V > 0}],
    "take": [{"x": T, "idx": np.array([1, 2]), "axis": 2}],
    "take_along": [{"x": X, "idx": np.ones((3, 2), dtype=np.int64)}],
    "slice": [{"x": X, "first": 1, "last": 3, "step": 2, "axis": 2}],
    "permute": [{"x": T, "order": (3, 1, 2)}],
    "transpose": [{"x": T}],
    "move_axis": [{"x": T, "from": 1, "to": 3}],
    "swap_axes": [{"x": T, "a": 1, "b": 3}],
    "add_axis": [{"x": X, "axis": 2}],
    "drop_axis": [{"x": X[None], "axis": 1}],
    "flatten": [{"x": T}],
    "flip": ALONG,
    "roll": [{"x": X, "places": 2}],
    "concat": [{"a": X, "b": Y, "axis": 2}],
    "stack": [{"a": X, "b": Y}],
    "repeat": [{"x": X, "n": 2}],
    "tile_axis": [{"x": X, "n": 2}],
    "pad": [{"x": X, "before": (1, 2), "after": (0, 1)}],
    "line": [{"x": T, "axis": 2, "c": (1, 2)}],
    "reduce_axis": [{"x": T, "f": f, "init": 0, "axis": axis} for f in (ADD, HALF) for axis in (1, (1, 3))],
    "map_axis": [{"x": T, "f": Function("sum", 3), "axis": 2}, {"x": X, "f": Function("v -> v + 1", 4)}],
    "scan": [{"x": T, "f": f, "init": 0, "axis": 2} for f in (ADD, HALF)],
    "accumulate": [{"x": T, "f": f, "axis": 2} for f in (ADD, HALF)],
    **dict.fromkeys(("cumulative_sum", "cumulative_product", "cumulative_maximum", "cumulative_minimum"), ALONG),
    **dict.fromkeys(("sum", "product", "maximum", "minimum", "mean", "logsumexp"), OVER),
    **dict.fromkeys(("all", "any", "count"), [{**one, "x": one["x"] > 0} for one in OVER]),
    **dict.fromkeys(("variance", "standard_deviation"), [*OVER, {"x": X, "axis": 1, "correction": 1}]),
    "first": [{"x": X}],
    **dict.fromkeys(("argmin", "argmax"), ALONG),
    "dot": PAIRS,
    "outer": [{"a": V, "b": X}, {"a": V, "b": X, "f": HALF}],
    "searchsorted": [{"v": V, "item": Written("v[1]")}, {"v": V, "item": Written("v[1]"), "right": True}],
    **dict.fromkeys(("sort", "argsort"), ALONG),
    "sort_by": [{"t": X, "key": Function("row -> sum(row)", 4)}, {"t": V, "key": Function("e -> -e", 1)}],
    "unique": [{"v": np.sort(V)}],
    "bincount": [{"v": np.array([1, 2, 2]), "n": 3}],
    "histogram": [{"x": X, "edges": np.array([0.0, 0.5, 1.0])}],
    "clip": [{"x": X, "low": 0.5, "high": 1.5}],
    "lerp": [{"a": X, "b": Y, "t": 0.5}, {"a": X, "b": Y, "t": X}],
    "hypot": PAIRS,
    "polynomial": [{"coefficients": (1, 2, 3), "x": X}, {"coefficients": V, "x": X}],
    **dict.fromkeys(("is_nan", "is_finite", "is_infinite", "ceil", "trunc", "round", "erf"), ELEMENTS),
    **dict.fromkeys(("relu", "sigmoid", "gelu"), ELEMENTS),
    **dict.fromkeys(("softmax", "log_softmax"), ALONG),
    "convolve": [
        {
            "x": numbers(1, 2, 5), "w": numbers(3, 2, 2), "strides": 1, "dilations": 1, "pads": 1, "out": (6,),
        },
        {
            "x": numbers(1, 4, 5, 5), "w": numbers(2, 2, 3, 3), "strides": (2, 2), "dilations": (1, 1),
            "pads": (1, 1), "out": (3, 3), "groups": 2,
        },
    ],
    "stacked": [{"a": T}],
    "eye": [{"n": 3}],
    "diagonal": [{"a": T}],
    "diagonal_matrix": [{"v": V}],
    "trace": [{"a": S}, {"a": T}],
    **dict.fromkeys(("tril", "triu", "transposed"), [{"a": T}]),
    "matmul_over": [{"a": a, "b": Y.T, "times": ADD, "plus": HALF, "zero": 0} for a in (X, T)],
    **dict.fromkeys(
        ("matmul", "min_plus", "max_plus"),
        [{"a": X, "b": Y.T}, {"a": V, "b": W}, {"a": T, "b": Y.T}, {"a": T, "b": W[:4]}],
    ),
    "matvec": [{"a": T, "v": X[:2]}],
    "tensordot": [{"a": T, "b": T, "p": (2, 3), "q": (2, 3)}, {"a": T, "b": X, "p": 3, "q": 2}],
    "inner": [{"a": T, "b": X}],
    "kron": [{"a": X, "b": S}],
    "cross": [{"a": S, "b": S}],
    "gram": [{"a": X}],
    "squared_distances": [{"a": X, "b": Y}],
    "power": [{"a": S, "n": n} for n in (0, 1, 2, 3, 10, 13)] + [{"a": STACK, "n": 7}],
    "twos": [{}],
    "doublings": [{"n": 10.0}],
    "shortest_paths": [{"lengths": numbers(n, n)} for n in (2, 3, 4, 5)],
    "norm": [{"x": X, "p": p} for p in (0, 1, 2, 3)] + [{"x": T, "p": p, "axis": 2} for p in (1, 2, 3)],
    "matrix_norm": [{"a": X, "p": 1}, {"a": T, "p": 1}],
    "columns": [{"f": Function("(m,v) -> map(v, * + m[1,1])", 3), "a": S, "b": S}],
    "solve_lower": [{"l": S, "b": S}, {"l": S, "b": S[0], "unit": True}],
    "solve_upper": [{"u": S, "b": S}, {"u": S, "b": S[0]}],
    **dict.fromkeys(("cholesky", "determinant", "inverse"), [{"a": S}, {"a": STACK}]),
    "lu": [{"a": S}, {"a": numbers(5, 5)}],
    "solve": [{"a": S, "b": S[0]}, {"a": S, "b": S[:, :2]}, {"a": STACK, "b": STACK}],
}  # fmt: skip


def test_every_definition_has_a_sample() -> None:
    assert SAMPLES.keys() == {name for _, name in ALL}


def _data(sample: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in sample.items() if not isinstance(value, Function | Written)}


def _call(definition: tree.Definition, module: str, sample: dict[str, Any]) -> tolang.Program:
    """A program that calls a definition with a sample."""
    written = definition.id
    if definition.parameters is not None:
        shown = {n: v.text if isinstance(v, Function | Written) else n for n, v in sample.items()}
        written += f"({', '.join(f'{n}={v}' for n, v in shown.items())})"
    return tolang.compile(f"use {module}\ncalled({', '.join(_data(sample))}) := {written}")


def _formula(definition: tree.Definition, module: str, sample: dict[str, Any], result: Any) -> Any:
    """The stated EOPs at a sample, computed by ToLang itself."""
    given = {name: value.eops for name, value in sample.items() if isinstance(value, Function)} | _data(sample)
    defaults = {}
    for parameter in definition.parameters or ():
        if parameter.default is not None and parameter.id not in given:
            text = parameter.default.span.text
            defaults[parameter.id] = "1" if text in FUNCTIONS else text
    head = ", ".join(["result", *given, *(f"{name}={text}" for name, text in defaults.items())])
    program = tolang.compile(f"use {module}\nstated({head}) := {stated(definition)}")
    return program.stated(result=result, **given)


@pytest.mark.parametrize(("module", "name"), ALL)
def test_stated_eops_are_those_derived(module: str, name: str) -> None:
    definition = definitions(module)[name]
    for sample in SAMPLES[name]:
        program, data = _call(definition, module, sample), _data(sample)
        job = program.called.job((), data)
        derived = Reading(job.core, dict(job.sizes)).tally.total.constant
        result = program.called(**data)
        first = result[0] if isinstance(result, tuple) else result
        expected = _formula(definition, module, sample, np.asarray(first))
        assert derived == expected, f"{stated(definition)} at {[np.shape(v) for v in sample.values()]}"
