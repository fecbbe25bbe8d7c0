"""Laws that a program declares, tested on generated values.

`associative merge(a,b) = …` lets an engine split a fold, so `merge(merge(a,b),c)` and `merge(a,merge(b,c))` must agree.
Each such function is called with small values of the types its folds use, or of common types where none is found.  No
test proves a law; a counterexample refutes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from tolang.check.programs import check_function, check_program
from tolang.core.core import Bundle, Call, Convert, Core, Expr, Let, Output, Reduce, Require, Variable
from tolang.core.tidy import free_names
from tolang.core.types import Type, join_type_lists
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Diagnostic, Span, ToLangCheckError, ToLangError, ToLangRunError
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.recursion import room_to_nest
from tolang.ground.values.spaces import column
from tolang.ground.values.values import ToL, equal
from tolang.program.sampling import sample
from tolang.readings.interpret import interpret
from tolang.syntax import tree
from tolang.syntax.traversal import children

CASES = 150
"""Triples of values tried for each type."""
LENGTH = 2
"""What every size variable is, for the tests."""
TOLERANCE = 1e-9
COMMON = (("R",), ("Z",), ("B",), ("S",), ("R", "R"), ("R", "Z"), ("Z", "Z"), ("R", "R", "R"), ("Q",), ("C",))
"""Type lists tried where no fold tells one, each as a single element, then as a vector and a matrix."""
MOST_TYPES = 3


@dataclass(frozen=True, slots=True)
class LawReport:
    """What was found out about one declared law."""

    name: str
    span: Span
    types: tuple[str, ...] = ()
    cases: int = 0
    broken: Diagnostic | None = None
    remark: str = ""


@room_to_nest()
def check_laws(module: tree.SyntaxModule, seed: int = 0) -> list[LawReport]:
    """A report for each function that a module declares associative."""
    own = [one for one in module.statements if isinstance(one, tree.Definition)]
    reports = [_tested(module, one, seed) for one in own if one.associative]
    untested = "not tested: only functions at top level are"
    inner = [one for one in inner_definitions(own) if one.associative]
    return reports + [LawReport(one.id, one.id_span, remark=untested) for one in inner]


def inner_definitions(definitions: list[tree.Definition]) -> Iterator[tree.Definition]:
    """Definitions inside the blocks of others."""
    pending: list[tree.Node] = [one.body for one in definitions]
    while pending:
        node = pending.pop()
        if isinstance(node, tree.Definition):
            yield node
        pending.extend(children(node))


def _tested(module: tree.SyntaxModule, definition: tree.Definition, seed: int) -> LawReport:
    report = LawReport(definition.id, definition.id_span)
    parameters = definition.parameters or ()
    if sum(one.default is None for one in parameters) > 2 or len(parameters) < 2:
        remark = f"not tested: it takes {len(parameters)} argument(s), and a combine takes two"
        return replace(report, remark=remark)
    law = _Law(module, definition, Random(seed))
    folds = _folds(module, definition.id)
    accepted = [core for kind in dict.fromkeys(k for k, _ in folds) if (core := law.core_for(kind)) is not None]
    for kind in _common_types() if not accepted else ():
        core = law.core_for(kind)
        if core is not None and all(core.inputs[-1].type != other.inputs[-1].type for other in accepted):
            accepted.append(core)
        if len(accepted) == MOST_TYPES:
            break
    for core in accepted:
        cases, broken = law.test(core)
        report = replace(report, cases=report.cases + cases, types=(*report.types, str(core.inputs[-1].type)))
        if broken is not None:
            return replace(report, broken=broken)
    if not report.cases:
        return replace(report, remark="not tested: no values were found that it takes")
    return replace(report, remark=law.about_starts([start for _, start in folds if start is not None]))


def _common_types() -> Iterator[Type]:
    for shape in ((), (LENGTH,), (LENGTH, LENGTH)):
        for roots in COMMON:
            yield Type(tuple(Size.of(n) for n in shape), tuple(column(root) for root in roots))


def _folds(module: tree.SyntaxModule, name: str) -> list[tuple[Type, ToL | None]]:
    """The type of the state, and the start where it is a constant, of each fold with this function."""
    found = expressions(check_program(module).body)
    named = {one.names[0]: one.value for one in found if isinstance(one, Let) and len(one.names) == 1}
    return [
        (_concrete(one.state_types[0]), _constant(one.initials[0], named))
        for one in found
        if isinstance(one, Reduce) and len(one.states) == 1 and _calls(one.step, name)
    ]


def expressions(body: Expr) -> list[Expr]:
    """A program's expressions, each once, walked without recursion."""
    found: dict[int, Expr] = {}
    pending = [body]
    while pending:
        expr = pending.pop()
        if id(expr) not in found:
            found[id(expr)] = expr
            pending.extend(expr.children())
    return list(found.values())


def _calls(step: Expr, name: str) -> bool:
    while isinstance(step, Let | Require | Convert):
        step = step.subject if isinstance(step, Convert) else step.body
    return isinstance(step, Call) and step.definition == name


def _concrete(kind: Type) -> Type:
    """The type with every size variable replaced by a small length."""
    names = {name for length in kind.shape for name in length.names()}
    lengths = [max(length.evaluate(dict.fromkeys(names, LENGTH)), 0) for length in kind.shape]
    columns = tuple(replace(one, weak=False) for one in kind.columns)
    return Type(tuple(Size.of(int(length)) for length in lengths), columns)


def _lengths(kind: Type) -> tuple[int, ...]:
    return tuple(int(length.evaluate({})) for length in kind.shape)


def _constant(start: Expr, named: Mapping[str, Expr]) -> ToL | None:
    """The value a fold starts from, where it is written out and not computed from data."""
    while isinstance(start, Variable) and start.name in named:
        start = named[start.name]
    if free_names(start):
        return None
    body = Bundle((start,), type=Type((), (), parts=(start.type,)))
    try:
        return interpret(Core((), (), (Output("start", start.type),), body), {}, {})[0]
    except ToLangError:
        return None


class _Law:
    """The associative law of one function."""

    def __init__(self, module: tree.SyntaxModule, definition: tree.Definition, random: Random) -> None:
        self.module, self.definition, self.random = module, definition, random
        first, second = (one.id for one in (definition.parameters or ())[:2])
        self.names = (first, second)
        self.tested: Core | None = None

    def core_for(self, kind: Type) -> Core | None:
        """The function on arguments of one type, widened until its result is of that type too; None if never."""
        for _ in range(3):
            try:
                core = check_function(self.module, self.definition.id, (), dict.fromkeys(self.names, kind))
            except ToLangCheckError:
                return None
            if len(core.outputs) != 1 or core.outputs[0].type.shape != kind.shape:
                return None
            result = core.outputs[0].type
            joined = join_type_lists(kind, result)
            if joined is None:
                return None
            if joined == kind.columns == result.columns:
                return core
            kind = Type(kind.shape, joined)
        return None

    def test(self, core: Core) -> tuple[int, Diagnostic | None]:
        """How many triples had a value on both sides, and the simplest counterexample."""
        self.tested = core
        kind = core.inputs[-1].type
        shape = _lengths(kind)
        cases, broken = 0, []
        for _ in range(CASES):
            a, b, c = (sample(kind.columns, shape, self.random) for _ in range(3))
            try:
                left = self.apply(core, self.apply(core, a, b), c)
                right = self.apply(core, a, self.apply(core, b, c))
            except ToLangRunError:
                continue
            if not (_finite(left) and _finite(right)):
                continue
            cases += 1
            if not equal(left, right, TOLERANCE, TOLERANCE):
                broken.append((a, b, c, left, right))
        if not broken:
            return cases, None
        return cases, self._refuted(*min(broken, key=lambda found: sum(len(str(one)) for one in found)))

    def apply(self, core: Core, first: ToL, second: ToL) -> ToL:
        """The function's value.  The program's own inputs, where it reads any, are the same small values each time."""
        names = [one.name for one in core.inputs]
        own = dict(zip((f"{n}'" if f"{n}'" in names else n for n in self.names), (first, second), strict=True))
        data = own | self._surroundings(core, set(own))
        return interpret(core, data, dict.fromkeys(core.sizes, LENGTH))[0]

    def _surroundings(self, core: Core, own: set[str]) -> dict[str, ToL]:
        data: dict[str, ToL] = {}
        for one in core.inputs:
            if one.name not in own:
                kind = _concrete(one.type)
                data[one.name] = sample(kind.columns, _lengths(kind), Random(one.name))
        return data

    def _refuted(self, a: ToL, b: ToL, c: ToL, left: ToL, right: ToL) -> Diagnostic:
        name = self.definition.id
        return Diagnostic(
            "E518",
            f"{name} is declared associative, and is not",
            self.definition.id_span,
            found=f"{name}({name}({a},{b}),{c}) is {left}",
            expected=f"{name}({a},{name}({b},{c})), which is {right}",
            fix="remove `associative`: folds with it then keep their order",
        )

    def about_starts(self, starts: list[ToL]) -> str:
        """Whether the values that folds start from are identities; one that is not is right, only worth knowing."""
        core = self.tested
        if core is None:
            return ""
        kind = core.inputs[-1].type
        shape = _lengths(kind)
        remarks: dict[str, None] = {}
        for start in starts:
            if start.shape == shape and start.capacity == kind.capacity:
                remarks[self._about_start(core, start, shape)] = None
        return "; ".join(remark for remark in remarks if remark)

    def _about_start(self, core: Core, start: ToL, shape: tuple[int, ...]) -> str:
        kind = core.inputs[-1].type
        cases = 0
        for _ in range(CASES):
            value = sample(kind.columns, shape, self.random)
            try:
                fitted = ToL.of(start, kind.columns)
                found = self.apply(core, fitted, value)
            except ToLangRunError:
                continue
            if not _finite(found):
                continue
            cases += 1
            if not equal(found, value, TOLERANCE, TOLERANCE):
                shown = f"{self.definition.id}({start},{value}) is {found}"
                return f"a fold starts from {start}, which is not an identity: {shown}"
        return f"{start} is its identity" if cases else ""


def _finite(value: ToL) -> bool:
    return all(one == one and abs(one) != float("inf") for array in value.columns
               if array.dtype != object for one in array.reshape(-1).tolist())  # fmt: skip
