"""Programs that state what they give: the header comments of `.tol` files and of ToLang snippets in the docs.

    # input a = [[1,2],[3,4]]          data for an input (or a size variable)
    # input x: f32 = [1,2]             a NumPy array of that machine type
    # seed 7                           the seed of rand
    # value y = [3,7]                  what an exported value must be; `y: f32` asks for that machine type, too
    # call f([1,2], k=3) = 5           what an exported function must give
    # error E303 at 4:7: outside       code, line and column, and words of an error; the latter may be left out
    # cost 2*n*m                       the EOPs of all outputs, held against the derived count at several sizes

An `input` or `seed` after a statement of results begins a further run.  Data is written in Python's notation, which for
lists, tuples, numbers and text is ToLang's, with `Inf`, `NaN`, `true`, `false`, `2i`, and `Q(1,3)` for an exact
fraction.  It is read by Python, never by the project, so that results are independent of what they judge.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

import tolang
from tolang.ground.dataclasses import dataclass, field

WORDS = ("input", "seed", "value", "call", "error", "cost")
DIRECTIVE = re.compile(rf"^\s*(?:#|//) ({'|'.join(WORDS)}) (\S.*)$")
BINDING = re.compile(r"^(\w+)(?:: (\w+))? = (.+)$")
CALL = re.compile(r"^(\w+)(\(.*\)) = (.+)$")
ERROR = re.compile(r"^(E\d{3})(?: at (\d+):(\d+))?(?:: (.+))?$")
STORAGES: dict[str, Any] = {
    "bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8,
    "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "f16": np.float16, "f32": np.float32, "f64": np.float64,
    "c64": np.complex64, "c128": np.complex128, "bf16": ml_dtypes.bfloat16,
}  # fmt: skip
TOLERANCE = {"f16": 1e-3, "bf16": 1e-2, "f32": 1e-6, "c64": 1e-6}
CONSTANTS: dict[str, Any] = {
    "Inf": math.inf, "NaN": math.nan, "true": True, "false": False, "Q": Fraction, "sqrt": math.sqrt, "exp": math.exp,
    "log": math.log, "sin": math.sin, "cos": math.cos, "pi": math.pi,
}  # fmt: skip


@dataclass(frozen=True)
class Expectation:
    """One statement of a header: its word, its line in the file, and its text, taken apart by its kind."""

    word: str
    line: int
    name: str = ""
    storage: str | None = None
    data: Any = None
    arguments: str = ""
    place: tuple[int, int] | None = None


@dataclass
class Run:
    """One set of inputs and what is expected of it."""

    inputs: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    expectations: list[Expectation] = field(default_factory=list)

    @property
    def errors(self) -> list[Expectation]:
        return [e for e in self.expectations if e.word == "error"]


def read_data(text: str) -> Any:
    """Data in Python's notation with ToLang's constants."""
    pieces = re.split(r"('(?:[^']|'')*')", text)
    pieces[::2] = [re.sub(r"(?<=[\d.])i\b", "j", piece) for piece in pieces[::2]]
    pieces[1::2] = [repr(piece[1:-1].replace("''", "'")) for piece in pieces[1::2]]
    return eval(compile(ast.parse("".join(pieces), mode="eval"), text, "eval"), {"__builtins__": {}}, dict(CONSTANTS))


def runs_of(text: str, first_line: int = 1) -> list[Run]:
    """The runs that a program's comments state; a word of a header that does not read as one is an error."""
    runs = [Run()]
    for number, line in enumerate(text.splitlines(), first_line):
        found = DIRECTIVE.match(line)
        if found is None:
            continue
        word, rest = found[1], found[2].strip()
        if word in ("input", "seed"):
            if runs[-1].expectations:
                runs.append(Run())
            _add_input(runs[-1], word, rest, number)
        else:
            runs[-1].expectations.append(_expectation(word, rest, number))
    return [run for run in runs if run.expectations]


def _add_input(run: Run, word: str, rest: str, line: int) -> None:
    if word == "seed":
        run.seed = int(rest)
        return
    name, storage, data = _binding(rest, line)
    run.inputs[name] = data if storage is None else np.asarray(data, dtype=STORAGES[storage])


def _binding(rest: str, line: int) -> tuple[str, str | None, Any]:
    found = BINDING.match(rest)
    if found is None:
        raise ValueError(f"line {line}: {rest!r} is not written `name = data`")
    return found[1], found[2], read_data(found[3])


def _expectation(word: str, rest: str, line: int) -> Expectation:
    if word == "value":
        name, storage, data = _binding(rest, line)
        return Expectation(word, line, name, storage, data)
    if word == "call":
        found = CALL.match(rest)
        if found is None:
            raise ValueError(f"line {line}: {rest!r} is not written `f(arguments) = data`")
        return Expectation(word, line, found[1], None, read_data(found[3]), found[2])
    if word == "error":
        found = ERROR.match(rest)
        if found is None:
            raise ValueError(f"line {line}: {rest!r} is not written `E303 at 4:7: words`")
        place = (int(found[2]), int(found[3])) if found[2] else None
        return Expectation(word, line, found[1], None, found[4], "", place)
    return Expectation(word, line, data=rest)


def plain(value: Any) -> Any:
    """A result as nested Python lists, with tuples for lists and bundles."""
    if isinstance(value, tolang.ToL):
        return value.to_list()
    if isinstance(value, tuple):
        return tuple(plain(one) for one in value)
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.item() if isinstance(value, np.generic) else value


def difference(found: Any, expected: Any, relative: float = 1e-12, absolute: float = 1e-15) -> str | None:
    """Where two results differ, in shape, kind of number or value; None where they agree."""
    if isinstance(expected, list | tuple):
        if type(found) is not type(expected) or len(found) != len(expected):
            return f"found {found!r}, expected {expected!r}"
        pairs = zip(found, expected, strict=True)
        return next((text for text in (difference(f, e, relative, absolute) for f, e in pairs) if text), None)
    if type(found) is not type(expected):
        return f"found {found!r} ({type(found).__name__}), expected {expected!r} ({type(expected).__name__})"
    if found == expected or (found != found and expected != expected):
        return None
    if isinstance(expected, float | complex) and abs(found - expected) <= max(relative * abs(expected), absolute):
        return None
    return f"found {found!r}, expected {expected!r}"


def check_text(text: str, name: str = "<source>", runs: list[Run] | None = None, engine: str = "interpret") -> None:
    """Runs a program and holds it against its own header; raises AssertionError where they disagree."""
    runs = runs_of(text) if runs is None else runs
    assert runs, f"{name}: the header states no value, call, error or cost"
    for run in runs:
        if run.errors:
            _check_errors(text, name, run, engine)
        else:
            _check_values(text, name, run, engine)


def _compiled(text: str, name: str, engine: str) -> tolang.Program:
    from tolang.ground.reporting.diagnostics import Source
    from tolang.program.program import Program

    return Program(Source(name, text), engine)


def _check_errors(text: str, name: str, run: Run, engine: str) -> None:
    calls = [e for e in run.expectations if e.word == "call"]
    try:
        program = _compiled(text, name, engine)
        if calls:
            _call(program, calls[0], run)
        result = program(seed=run.seed, **run.inputs) if program.outputs else None
    except tolang.ToLangError as error:
        _match_errors(error, run.errors, name)
        return
    raise AssertionError(f"{name}: expected {run.errors[0].name}, and it gave {plain(result)!r}")


def _match_errors(error: tolang.ToLangError, expected: list[Expectation], name: str) -> None:
    found = [(d.code, _place(d)) for d in error.diagnostics]
    wanted = [(e.name, e.place) for e in expected]
    assert [code for code, _ in found] == [code for code, _ in wanted], f"{name}: expected {wanted}, found\n{error}"
    for one, diagnostic in zip(expected, error.diagnostics, strict=True):
        if one.place is not None:
            assert _place(diagnostic) == one.place, f"{name}: expected {one.name} at {one.place}, found\n{error}"
        if one.data is not None:
            assert one.data in diagnostic.render(), f"{name}: the words {one.data!r} are not in\n{error}"


def _place(diagnostic: Any) -> tuple[int, int] | None:
    return diagnostic.span.source.position(diagnostic.span.start) if diagnostic.span else None


def _call(program: tolang.Program, call: Expectation, run: Run) -> Any:
    """An exported function called as the header says; the program's inputs that it reads are passed by name."""
    given = {name: value for name, value in run.inputs.items() if name in program.inputs}

    def called(*arguments: Any, **named: Any) -> Any:
        return getattr(program, call.name)(*arguments, seed=run.seed, **given, **named)

    return eval(f"called{call.arguments}", {"__builtins__": {}}, {"called": called, **CONSTANTS})


def _check_values(text: str, name: str, run: Run, engine: str) -> None:
    program = _compiled(text, name, engine)
    values: Mapping[str, Any] | None = None
    for one in run.expectations:
        if one.word == "cost":
            _check_cost(program, one, name)
            continue
        if one.word == "call":
            found = _call(program, one, run)
        else:
            values = _values(program, run) if values is None else values
            assert one.name in values, f"{name}:{one.line}: no value {one.name}, only {', '.join(values)}"
            found = values[one.name]
        if one.storage is not None:
            assert np.asarray(found).dtype == STORAGES[one.storage], f"{name}:{one.line}: {np.asarray(found).dtype}"
            expected = np.asarray(one.data, dtype=STORAGES[one.storage]).tolist()
        else:
            expected = one.data
        wrong = difference(plain(found), expected, TOLERANCE.get(one.storage or "", 1e-12))
        assert wrong is None, f"{name}:{one.line}: {one.name}: {wrong}"


def _values(program: tolang.Program, run: Run) -> Mapping[str, Any]:
    results = program(seed=run.seed, **run.inputs)
    names = list(dict.fromkeys(program.outputs))
    return results if len(names) > 1 else {names[0]: results}


def _check_cost(program: tolang.Program, expectation: Expectation, name: str) -> None:
    """A stated formula against the derived one, by number, for sizes from 1 on."""
    formula = compile(expectation.data.replace("^", "**"), expectation.data, "eval")
    for first in (1, 2, 5):
        numerics = [one for one, kind in program.inputs.items() if kind.is_numeric]
        sizes = {size: first + 2 * place for place, size in enumerate([*program.sizes, *numerics])}
        expected = eval(formula, {"__builtins__": {}}, {"max": max, "min": min, **sizes})
        found = int(program.cost().at(**sizes))
        assert found == expected, f"{name}:{expectation.line}: at {sizes} EOPs are {found}, stated are {expected}"


def check_file(path: Path, engine: str = "interpret") -> None:
    check_text(path.read_text(encoding="utf-8"), str(path), engine=engine)
