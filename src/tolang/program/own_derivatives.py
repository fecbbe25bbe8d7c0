"""Derivatives that definitions carry themselves, tested on generated values.

`derivative f(x, d) = …` stands in for what a gradient would make of the body of `f`, so the two must agree.  Each is
held against central differences: at the calls in the program, or at numerics, vectors and matrices where it has none.
No test proves a derivative; a point where it is another refutes it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from random import Random

import numpy as np

from tolang.check.programs import check_function, check_program
from tolang.core.core import Bundle, Call, Core, Expr, Input, Let, Output, Variable
from tolang.core.gradient.building import cotangent_type, is_real
from tolang.core.gradient.pullback import pullback
from tolang.core.tidy import free_names
from tolang.core.types import Type, bundle_type
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Diagnostic, ToLangCheckError, ToLangRunError
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.recursion import room_to_nest
from tolang.ground.values.spaces import column
from tolang.ground.values.values import ToL
from tolang.program.laws import LawReport, expressions, inner_definitions
from tolang.program.sampling import sample
from tolang.readings.interpret import interpret
from tolang.syntax import tree

CASES = 8
"""Points that are tried at each call."""
LENGTH = 3
"""What every size variable is, for the tests; iterators around a call are 1."""
MOST_CALLS = 3
MOST_PARAMETERS = 4
"""Of how many parameters the types are tried where no call tells them."""
STEP, TOLERANCE = 1e-6, 1e-5
"""Of differences in f64; narrower numbers have wider ones."""
NARROW_STEP, NARROW_TOLERANCE = 5e-3, 2e-2


@room_to_nest()
def check_derivatives(module: tree.SyntaxModule, seed: int = 0) -> list[LawReport]:
    """A report for each derivative that a module's definitions carry."""
    own = [one for one in module.statements if isinstance(one, tree.Definition)]
    program = check_program(module)
    reports = [_tested(module, program, one, seed) for one in own if one.derived is not None]
    untested = "not tested: only functions at top level are"
    inner = [one for one in inner_definitions(own) if one.derived is not None]
    return reports + [LawReport(str(one.derived), one.id_span, remark=untested) for one in inner]


def _tested(module: tree.SyntaxModule, program: Core, definition: tree.Definition, seed: int) -> LawReport:
    name = definition.derived
    assert name is not None
    report = LawReport(name, definition.id_span)
    calls = list(_calls(program, name)) or list(_common_calls(module, definition))
    for call in calls[:MOST_CALLS]:
        point = _Point(program, call, Random(seed))
        cases, wrong = point.test()
        kinds = f"({', '.join(str(value.type) for value in point.inputs)})"
        report = replace(report, cases=report.cases + cases, types=tuple(dict.fromkeys((*report.types, kinds))))
        if wrong is not None:
            return replace(report, broken=_refuted(definition, wrong))
    return report if report.cases else replace(report, remark="not tested: no values were found that it takes")


def _calls(program: Core, name: str) -> Iterator[Call]:
    """The calls of a definition in a program, those of its own derivative left out."""
    for one in expressions(program.body):
        if isinstance(one, Call) and one.definition == name and one.derivative is not None:
            yield one


def _common_calls(module: tree.SyntaxModule, definition: tree.Definition) -> Iterator[Call]:
    """Calls with numerics, vectors and matrices, where a definition takes them."""
    name = str(definition.derived)
    function = next(one for one in module.statements if isinstance(one, tree.Definition) and one.id == name)
    names = [one.id for one in function.parameters or () if one.default is None]
    shapes = [tuple(Size.of(LENGTH) for _ in range(rank)) for rank in range(3)]
    kinds = [Type(shape, (column("R"),)) for shape in shapes]
    for chosen in product(kinds, repeat=len(names)) if len(names) <= MOST_PARAMETERS else ():
        try:
            core = check_function(module, name, (), dict(zip(names, chosen, strict=True)))
        except ToLangCheckError:
            continue
        yield from _calls(core, name)


@dataclass(frozen=True, slots=True)
class _Wrong:
    """Where a derivative is another than differences tell: by what, at which values, and what it is."""

    by: str
    values: str
    given: float
    expected: float


class _Point:
    """One call as a program of its own, whose inputs are the names that it uses."""

    def __init__(self, around: Core, call: Call, random: Random) -> None:
        self.call, self.random = call, random
        kinds = call.type.parts or (call.type,)
        self.outputs = tuple(Output(f"y{place}", kind) for place, kind in enumerate(kinds))
        used = free_names(call)
        variables = {one.name: one.type for one in expressions(call) if isinstance(one, Variable) and one.name in used}
        variables |= {v.name: v.type for _, v in _values(call) if isinstance(v, Variable)}
        self.inputs = tuple(Input(name, kind) for name, kind in sorted(variables.items()))
        lengths = {name for kind in variables.values() for size in kind.shape for name in size.names()}
        numbers = sorted((used | lengths) - variables.keys())
        self.sizes = {name: LENGTH if name in around.sizes or name in lengths else 1 for name in numbers}
        results = tuple(Variable(one.name, type=one.type) for one in self.outputs)
        whole = Bundle(results, type=bundle_type(kinds))
        body = Let(tuple(one.name for one in self.outputs), call, whole, type=whole.type)
        self.program = Core(tuple(numbers), self.inputs, self.outputs, body)
        self.by = [one.name for one in self.inputs if any(is_real(c) for c in one.type.columns)]
        self.narrow = any(c.storage not in ("f64", "fraction") for o in self.outputs for c in o.type.columns)

    def test(self) -> tuple[int, _Wrong | None]:
        """How many points had finite values around them, and the first at which the derivative is wrong."""
        real = [one for one in self.outputs if cotangent_type(one.type).columns]
        seeds = {one.name: Input(f"d {one.name}", cotangent_type(one.type)) for one in real}
        names = {one: f"d {one}" for one in self.by}
        variables: dict[str, Expr] = {name: Variable(one.name, type=one.type) for name, one in seeds.items()}
        backwards = pullback(self.program, variables, names, tuple(seeds.values()))
        cases = 0
        for _ in range(CASES if self.by else 0):
            data = {one.name: self._drawn(one.type) for one in self.inputs}
            weights = {one.name: self._drawn(one.type) for one in seeds.values()}
            way = {one.name: self._drawn(cotangent_type(one.type)) for one in self.inputs if one.name in self.by}
            try:
                found = interpret(backwards, data | weights, self.sizes)
                slopes = {one: self._slope(data, weights, one, way[one]) for one in self.by}
            except ToLangRunError:
                continue
            given = {one: _product(cotangent, way[one]) for one, cotangent in zip(self.by, found, strict=True)}
            if not all(map(math.isfinite, (*slopes.values(), *given.values()))):
                continue
            cases += 1
            for one in self.by:
                if not math.isclose(given[one], slopes[one], rel_tol=self._tolerance, abs_tol=self._tolerance):
                    shown = ", ".join(f"{name.split('.')[0]} = {value}" for name, value in data.items())
                    return cases, _Wrong(one.split(".")[0], shown, given[one], slopes[one])
        return cases, None

    @property
    def _tolerance(self) -> float:
        return NARROW_TOLERANCE if self.narrow else TOLERANCE

    def _drawn(self, kind: Type) -> ToL:
        """Members of a type's spaces, reals among them moved off round numbers, where functions have their corners."""
        shape = tuple(int(length.evaluate(self.sizes)) for length in kind.shape)
        drawn = sample(kind.columns, shape, self.random)
        offset = np.vectorize(lambda value: value + self.random.uniform(0.01, 0.05), otypes=[np.float64])
        arrays = [
            offset(array).astype(array.dtype) if c.space.family == "R" and array.size else array
            for array, c in zip(drawn.columns, kind.columns, strict=True)
        ]
        return ToL(arrays, kind.columns)

    def _slope(self, data: dict[str, ToL], weights: dict[str, ToL], by: str, way: ToL) -> float:
        """How fast the weighted sum of the results grows along a direction of one value."""
        step = NARROW_STEP if self.narrow else STEP
        ends = []
        for sign in (step, -step):
            moved = _moved(data[by], way, sign)
            results = interpret(self.program, data | {by: moved}, self.sizes)
            real = [r for r, one in zip(results, self.outputs, strict=True) if cotangent_type(one.type).columns]
            ends.append(sum(_product(_reals(r), w) for r, w in zip(real, weights.values(), strict=True)))
        return (ends[0] - ends[1]) / (2 * step)


def _values(call: Call) -> tuple[tuple[str, Expr], ...]:
    return call.derivative.values if call.derivative is not None else ()


def _reals(value: ToL) -> ToL:
    """The real components of a value."""
    pairs = [(array, c) for array, c in zip(value.columns, value.spaces, strict=True) if is_real(c)]
    return ToL([array for array, _ in pairs], [c for _, c in pairs])


def _product(one: ToL, two: ToL) -> float:
    """The sum of the products of all elements."""
    pairs = zip(one.columns, two.columns, strict=True)
    return float(sum(np.sum(np.asarray(a, np.float64) * np.asarray(b, np.float64)) for a, b in pairs))


def _moved(value: ToL, way: ToL, step: float) -> ToL:
    """A value a step along a direction of its real components."""
    ways = iter(way.columns)
    arrays = []
    for array, own in zip(value.columns, value.spaces, strict=True):
        if not is_real(own):
            arrays.append(array)
            continue
        exact = array.dtype == object
        moved = np.asarray(array + next(ways) * (type(array.flat[0])(step) if exact and array.size else step))
        arrays.append(moved.astype(array.dtype))
    return ToL(arrays, value.spaces)


def _refuted(definition: tree.Definition, wrong: _Wrong) -> Diagnostic:
    name = definition.derived
    return Diagnostic(
        "E520",
        f"the derivative of {name} by {wrong.by} is not that of {name}",
        definition.id_span,
        found=f"{wrong.given:.6g} along a direction, at {wrong.values}",
        expected=f"{wrong.expected:.6g}, by differences",
        fix=f"leave the derivative out: that of the body of {name} is found without it",
    )
