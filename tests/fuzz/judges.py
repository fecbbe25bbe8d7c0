"""Five judges of one program: the small evaluator, the interpreter, compiled code, compiled code that is strict, the atoms.

What they give must be the same: values, with their machine types, or an error, by its code.  Strict code and the
interpreter agree to the bit on arithmetic; where engines may regroup a fold or compute a function otherwise, a tolerance
is allowed.  A difference is a `Difference`, with a signature by which those of one kind are put together.
"""

from __future__ import annotations

import itertools
import math
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any
from zlib import crc32

import numpy as np
from tests.fuzz.cells import TOO_LARGE, Event, Huge, Stop, Tol, TooLong, Unknown, both_occur, numeric
from tests.fuzz.evaluator import Evaluation, Once
from tests.fuzz.generator import Data, Definition, Program
from tests.fuzz.kinds import DTYPES, Kind
from tests.fuzz.tree import Type

import tolang
from tolang.core.printer import print_program
from tolang.data.binding import Job
from tolang.ground.values.spaces import Column, Space
from tolang.ground.values.values import ToL
from tolang.program.runner import Runner
from tolang.readings.atoms import evaluate, expand
from tolang.readings.interpret import interpret

SECONDS = 20
PERHAPS_THERE = 2**45
"""As many elements no machine holds; of fewer nobody knows here."""

ATOM_STEPS = 1500
"""How many steps of the small evaluator a program takes at most that is written out in atoms."""

ATOM_TERMS = 20_000
"""How many terms that may be: the evaluator does not go on at a random number, and so does not tell the steps after it."""

SAME = ({"E303", "E513"}, {"E305", "E509"}, {"E301", "E515", "E510"}, {"E311", "E514"}, {"E312", "E507", "E508"})
"""Codes that say the same, before and while running."""


@dataclass(frozen=True)
class Difference:
    """What two judges do not agree on."""

    signature: tuple[str, ...]
    told: str
    data: int = 0


class Slow(BaseException):
    """Raised in the middle of what takes too long."""


@dataclass(frozen=True)
class Outcome:
    """Values of the outputs by name, or the codes of what can go wrong; `certain` tells that something must.

    The small evaluator knows all that goes wrong: each of its `events` is told by one of some codes.  `idle` tells that
    the body of some map or fold was never evaluated, `largest` the greatest magnitude of the inexact states of folds.
    """

    values: dict[str, list[Any]]
    codes: frozenset[str] = frozenset()
    certain: bool = True
    steps: int = 0
    unknown: frozenset[str] = frozenset()
    idle: bool = False
    events: frozenset[Event] = frozenset()
    largest: float = 0.0


@contextmanager
def bounded(seconds: float = SECONDS) -> Iterator[None]:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise Slow

    before = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


# The small evaluator


def evaluated(program: Program, data: Data) -> Outcome | None:
    """What the small evaluator gives; None where it takes too long."""
    program.types()
    try:
        found = _evaluated(program, data)
        if not found.codes:
            return found
        needed = _evaluated(program, data, lazy=True)
    except (TooLong, RecursionError):
        return None
    return _failed(found.events | needed.events, bool(needed.codes), found.steps, found.unknown)


def _failed(events: frozenset[Event], certain: bool, steps: int, unknown: frozenset[str]) -> Outcome:
    return Outcome({}, frozenset[str]().union(*events), certain, steps, unknown, events=events)


def _thoroughly(program: Program, data: Data, found: Outcome, totals: bool = False) -> Outcome:
    """What the small evaluator has found, and what is wrong with definitions and arguments that nothing comes to need.

    They are evaluated all the same, unless they are mere parts of ToLs, or were left out for nothing names them.
    """
    with suppress(TooLong, RecursionError):
        events = frozenset[Event]() if found.codes else _evaluated(program, data, False, totals, True).events
        if events:
            return replace(found, codes=frozenset[str]().union(*events), certain=False, events=events)
    return found


def _evaluated(
    program: Program, data: Data, lazy: bool = False, totals: bool = False, thorough: bool = False
) -> Outcome:
    evaluation = Evaluation(lazy, totals, thorough)
    scope: dict[str, Any] = {name: numeric(value) for name, value in data.sizes.items()} | dict(data.inputs)
    for one in program.definitions:
        scope[one.id] = Once(evaluation, one.node, scope)
    values: dict[str, list[Any]] = {}
    unknown = set()
    for one in program.definitions:
        try:
            found = evaluation.value(one.node, scope)
            assert isinstance(found, Tol)
            if isinstance(found.cells, Huge):
                if math.prod(found.shape) <= PERHAPS_THERE:
                    raise TooLong
                evaluation.fail(TOO_LARGE)
            cells = [tuple(evaluation.number(value) for value in cell) for cell in found.cells]
            values[one.id] = [found.shape, cells]
        except Stop:
            continue
        except Unknown:
            unknown.add(one.id)
    events = frozenset(evaluation.faults)
    codes = frozenset[str]().union(*events)
    idle, largest = evaluation.idle, evaluation.largest
    return Outcome(values, codes, True, evaluation.steps, frozenset(unknown), idle, events, largest)


# tolang's own


def tolang_data(program: Program, data: Data) -> dict[str, Any]:
    """The inputs as tolang takes them."""
    given: dict[str, Any] = {}
    for one in program.inputs:
        value = data.inputs[one.id]
        array = np.empty(value.shape, object)
        array.reshape(-1)[:] = [cell[0] for cell in value.cells]
        if one.kind.storage in DTYPES:
            array = array.astype(DTYPES[one.kind.storage])
        given[one.id] = ToL([array], [_column(one.kind, one.space)])
    return given


def _column(kind: Kind, name: str) -> Column:
    lower, upper = kind.bounds or (None, None)
    return Column(Space(kind.space, lower, upper, name if kind.bounds else None), kind.storage)


def outcome(run: Callable[[], list[ToL]], program: Program) -> Outcome:
    """What one of tolang's judges gives."""
    try:
        found = run()
    except tolang.ToLangRunError as error:
        return Outcome({}, frozenset({error.code}))
    values = {d.id: [one.shape, one.columns] for d, one in zip(program.definitions, found, strict=True)}
    return Outcome(values)


def differences(program: Program) -> tuple[list[Difference], str]:
    """What the judges of a program do not agree on, and how far it came."""
    try:
        with bounded():
            return _differences(program)
    except Slow:
        return [Difference(("slow", *makers(program.definitions)), f"more than {SECONDS} seconds")], "slow"


def _differences(program: Program) -> tuple[list[Difference], str]:
    try:
        compiled = tolang.compile(program.text())
    except tolang.ToLangError as error:
        return _refusal(program, error)
    except Exception as error:
        return [_raised("compile", error, program)], "raised"
    found: list[Difference] = []
    engines = {strict: Runner("cpu", strict) for strict in (False, True)}
    results = set()
    for number, data in enumerate(program.data):
        raised: list[Difference] = []
        outcomes, result = _outcomes(program, compiled, engines, data, raised)
        results.add(result)
        found += [
            Difference(one.signature, one.told, number)
            for one in (*raised, *_compared(program, outcomes, _scale(program, data, outcomes.get("evaluator"))))
            if not _is_of_nothing(one, compiled)
        ]
    return found, next(one for one in ("value", "error", "long") if one in results)


def _is_of_nothing(difference: Difference, compiled: tolang.Program) -> bool:
    """Whether the small evaluator takes a machine type for what has none: a map over elements known to be none is `[]`."""
    first, _, kind, *_ = (*difference.signature, "", "")
    return first in OWN and kind == "machine type" and "[0] blank)" in print_program(compiled.core)


def _outcomes(
    program: Program, compiled: tolang.Program, engines: dict[bool, Runner], data: Data, found: list[Difference]
) -> tuple[dict[str, Outcome], str]:
    outcomes: dict[str, Outcome] = {}
    own = evaluated(program, data)
    if own is None:
        return {}, "long"
    outcomes["evaluator"] = own
    try:
        job = compiled.job(
            (), {**{n: v for n, v in data.sizes.items() if n in compiled.sizes}, **tolang_data(program, data)}
        )
    except tolang.ToLangError as error:
        outcomes["binding"] = Outcome({}, frozenset({error.code}))
        return outcomes, "error"
    judges = _judges(job, engines)
    if not _needs_strict(program):
        del judges["strict"]
    if own.steps <= ATOM_STEPS:
        judges["atoms"] = lambda: evaluate(expand(job.core, job.sizes, job.inputs, ATOM_TERMS), job.inputs)
    for name, run in judges.items():
        try:
            outcomes[name] = outcome(run, program)
        except tolang.ToLangError as error:
            if name != "atoms":
                found.append(_raised(name, error, program))
        except Exception as error:
            found.append(_raised(name, error, program))
    told = outcomes.get("interpreter", own).codes
    if told:
        outcomes["evaluator"] = _thoroughly(program, data, own)
    if told == {"E505"}:
        try:
            totals = _evaluated(program, data, totals=True)
        except (TooLong, RecursionError):
            return {}, "long"
        outcomes["totals"] = _thoroughly(program, data, totals, totals=True)
    return outcomes, "error" if outcomes.get("interpreter", Outcome({})).codes else "value"


def _needs_strict(program: Program) -> bool:
    """Whether strict code is judged too: where folds may be regrouped, else for every other program.

    Where nothing can be regrouped both kinds of code have the same to do, and compiling takes most of the time.
    """
    return any(one.regrouped for one in program.definitions) or crc32(program.seed.encode()) % 2 == 0


def _judges(job: Job, engines: dict[bool, Runner]) -> dict[str, Callable[[], list[ToL]]]:
    return {
        "interpreter": lambda: interpret(job.core, job.inputs, job.sizes, 0, True),
        "regrouping interpreter": lambda: interpret(job.core, job.inputs, job.sizes, 0, False),
        "strict": lambda: engines[True].run(job.core, job.inputs, job.sizes, 0),
        "compiled": lambda: engines[False].run(job.core, job.inputs, job.sizes, 0),
    }


def makers(definitions: Sequence[Definition]) -> tuple[str, ...]:
    return tuple(sorted({one.maker for one in definitions}))


def _raised(judge: str, error: Exception, program: Program) -> Difference:
    trace, place = error.__traceback__, ""
    while trace is not None:
        place = f"{trace.tb_frame.f_code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_frame.f_code.co_name}"
        trace = trace.tb_next
    return Difference((judge, "raised", type(error).__name__, place), f"{judge} raised {type(error).__name__}: {error}")


CERTAIN = frozenset({"E301", "E303", "E305", "E312", "E505", "E506", "E501"})
"""Codes that say something of values, so that a program which has values is not to be refused with them."""


def _refusal(program: Program, error: tolang.ToLangError) -> tuple[list[Difference], str]:
    """A program that the checker refuses: rightly, unless it says of a value what is not so for some data.

    What is wrong wherever it is evaluated is refused also in the body of a map that has no elements for some data: it is
    wrong as it is written, as a shape or a space would be.  So it is in the value of a name that nothing needs.
    """
    codes = {diagnostic.code for diagnostic in error.diagnostics}
    if not codes <= CERTAIN:
        return [], f"refused {sorted(codes - CERTAIN)[0]}"
    program.types()
    for number, data in enumerate(program.data):
        try:
            own = _evaluated(program, data, thorough=True)
        except (TooLong, RecursionError):
            continue
        if not own.codes and not own.idle and not own.unknown:
            told = f"refused though it has values: {error}"
            return [Difference(("checker", "refused", *sorted(codes)), told, number)], "refused"
    return [], f"refused {sorted(codes)[0]}"


# Comparison

OWN = ("evaluator", "totals")
PAIRS = (
    ("binding", "evaluator"), ("evaluator", "interpreter"), ("interpreter", "regrouping interpreter"),
    ("interpreter", "strict"), ("regrouping interpreter", "compiled"), ("interpreter", "atoms"),
)  # fmt: skip


def _scale(program: Program, data: Data, own: Outcome | None) -> float:
    """The greatest magnitude of the inexact data and of the inexact states of folds.

    Where a sum is regrouped, what is lost is measured by its terms, and by what they add up to on the way: that of
    -32768, 32768 and 1 in f16 is off by half a unit of 32768 in the last place, however small it is in the end.  Terms
    may be larger than all inexact data, as whole numbers that are converted are.
    """
    inexact = [data.inputs[one.id] for one in program.inputs if one.kind.family in ("R", "C")]
    sizes = [float(abs(cell[0])) for value in inexact for cell in value.cells]
    return max([1.0, own.largest if own else 0.0, *(size for size in sizes if math.isfinite(size))])


def _compared(program: Program, outcomes: dict[str, Outcome], scale: float) -> Iterator[Difference]:
    """The differences between judges.

    A sum of whole numbers that does not fit on the way is an error where folds keep their order, and else only if the
    total does not fit: a judge that regroups is then held against the evaluator, which goes by totals for once.
    """
    for first, second in PAIRS:
        if (first, second) == ("interpreter", "regrouping interpreter") and "totals" in outcomes:
            first = "totals"
        if first in outcomes and second in outcomes:
            lazy = second == "atoms" and not outcomes["evaluator"].certain
            unread = lazy and outcomes[first].codes and not outcomes[second].codes
            if not unread and not tell_of_two(outcomes, first, second):
                yield from _pair(program, (first, second), outcomes[first], outcomes[second], scale)


def tell_of_two(outcomes: dict[str, Outcome], first: str, second: str) -> bool:
    """Whether two of tolang's judges tell of two things that are both wrong, as the small evaluator knows.

    The language does not say which of several errors is told.
    """
    if first in OWN:
        return False
    known = outcomes["evaluator"].events
    told = (outcomes[one].codes for one in (first, second))
    return any(both_occur(known, one, two) for one, two in itertools.product(*told) if one != two)


def _pair(program: Program, names: tuple[str, str], one: Outcome, two: Outcome, scale: float) -> Iterator[Difference]:
    if names[0] in OWN and one.codes and not one.certain and not two.codes:
        return
    if names[0] in OWN and one.unknown and two.codes and not (one.codes and one.certain):
        return  # what the evaluator does not know may be what goes wrong
    if one.codes or two.codes:
        if bool(one.codes) != bool(two.codes):
            codes = sorted(one.codes or two.codes)
            who = names[0] if one.codes else names[1]
            told = f"{who} says {', '.join(codes)}, {names[1] if one.codes else names[0]} gives values"
            yield Difference((*names, "error or value", who, codes[0], *makers(program.definitions)[:1]), told)
        elif not _same_codes(one.codes, two.codes):
            told = f"{names[0]} says {', '.join(sorted(one.codes))}, {names[1]} {', '.join(sorted(two.codes))}"
            yield Difference((*names, "codes", *sorted(one.codes)[:1], *sorted(two.codes)[:1]), told)
        return
    for definition in program.definitions:
        if definition.id in one.values and definition.id in two.values and definition.id not in one.unknown:
            differs = _value(definition, names, one.values[definition.id], two.values[definition.id], scale)
            if differs is not None:
                yield Difference((*names, differs[0], definition.maker), f"{definition.id}: {differs[1]}")


def _same_codes(one: frozenset[str], two: frozenset[str]) -> bool:
    return bool(one & two) or "E519" in two or any(one & same and two & same for same in SAME)


def _value(definition: Definition, names: tuple[str, str], one: Any, two: Any, scale: float) -> tuple[str, str] | None:
    """How two values of a definition differ: in shape, machine type or numbers."""
    if one[0] != two[0]:
        return "shape", f"{names[0]} has shape {one[0]}, {names[1]} {two[0]}"
    kind: Type = definition.node.type
    tolerance = _tolerance(definition, names, kind)
    if _is_regrouped(definition, names):
        tolerance *= scale
    for k, column in enumerate(two[1]):
        own = [cell[k] for cell in one[1]] if names[0] in OWN else list(one[1][k].reshape(-1))
        other = list(np.asarray(column).reshape(-1))
        storage = kind.kinds[k].storage
        wanted = DTYPES.get(storage, object) if names[0] in OWN else one[1][k].dtype
        if np.asarray(column).dtype != np.dtype(wanted):
            return "machine type", f"{names[1]} has {np.asarray(column).dtype}, {names[0]} {np.dtype(wanted)}"
        for place, (a, b) in enumerate(zip(own, other, strict=True)):
            if not same(a, b, tolerance, signs=names[1] == "strict" and not definition.rounded):
                return (
                    "numbers",
                    f"component {k + 1}, element {place + 1} of {two[0]}: {names[0]} {a!r}, {names[1]} {b!r}",
                )
    return None


def _is_regrouped(definition: Definition, names: tuple[str, str]) -> bool:
    return definition.regrouped and ("regrouping" in names[1] or "compiled" in names[1])


def _tolerance(definition: Definition, names: tuple[str, str], kind: Type) -> float:
    """How far numbers may be apart, relatively: by what the inexact functions and regrouped folds in them allow."""
    if not definition.rounded and not _is_regrouped(definition, names):
        return 0.0
    text = definition.node.text()
    narrow = {one.storage for one in kind.kinds} & {"f16", "bf16", "f32"} or "f16" in text or "bf16" in text
    return 0.05 if narrow else 1e-6


def same(one: Any, two: Any, tolerance: float, signs: bool) -> bool:
    """Whether two numbers are the same; NaN is NaN, and a zero is one of either sign unless `signs` count."""
    if isinstance(one, str) or isinstance(two, str):
        return bool(one == two)
    if isinstance(one, complex | np.complexfloating) or isinstance(two, complex | np.complexfloating):
        a, b = complex(one), complex(two)
        return same(a.real, b.real, tolerance, False) and same(a.imag, b.imag, tolerance, False)
    if (
        isinstance(one, float | np.floating)
        or isinstance(two, float | np.floating)
        or _is_narrow(one)
        or _is_narrow(two)
    ):
        x, y = float(one), float(two)
        if math.isnan(x) or math.isnan(y):
            return (math.isnan(x) and math.isnan(y)) or bool(tolerance)
        if x == y:
            return not signs or math.copysign(1, x) == math.copysign(1, y)
        if tolerance and (math.isinf(x) or math.isinf(y)):
            return True
        return abs(x - y) <= tolerance * max(1.0, abs(x), abs(y))
    return bool(one == two)


def _is_narrow(value: Any) -> bool:
    return type(value).__name__ == "bfloat16"
