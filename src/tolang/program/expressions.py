"""Single expressions with names for data: `tolang.evaluate("sum(x*2)", x=a)`, checked once for arrays of a kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from itertools import chain, count
from typing import Any, TypeVar, overload

import numpy as np

from tolang.check.hints import DEFINE
from tolang.check.library import module_of
from tolang.check.one_expression import expression_core, expression_module, used
from tolang.data.binding import held, python_name, tolang_names, whole_seed
from tolang.data.results import Result, Returned, named_results
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.close_names import close_names
from tolang.ground.reporting.diagnostics import Diagnostic, Source, ToLangCheckError, usage
from tolang.ground.system.own_modules import module_texts
from tolang.ground.values.columns import default_column
from tolang.ground.values.libraries import as_numpy
from tolang.ground.values.spaces import storage_of
from tolang.ground.values.values import ToL
from tolang.program.program import Program
from tolang.program.runner import DEFAULT_ENGINE, Runner

T = TypeVar("T")

MOST = 256
"""For so many expressions, each for data of one kind, programs are kept."""
OFTEN = 10
"""From so many calls on an expression is compiled, however little it computes."""
CLOSE = 0.65
"""How alike a name is to the one that was meant."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_KEPT: dict[Hashable, _Kept] = {}


@overload
def evaluate(expression: str, /, seed: int = 0, use: str | Sequence[str] = ()) -> Any: ...
@overload
def evaluate(expression: str, /, seed: int = 0, use: str | Sequence[str] = (), **data: Any) -> Returned: ...
def evaluate(expression: Any, /, seed: int = 0, use: str | Sequence[str] = (), **data: Any) -> Any:
    """The value of one ToLang expression, in which names stand for data: `evaluate("sum(x * 2)", x=a)`.

    Data is what programs take: arrays, numbers, text, lists, columns of data frames, so that `**frame` gives them all;
    what the expression does not mention is left out.  Results are what programs give, NumPy arrays as a rule.  Without
    data they are Python's own values: `evaluate("reduce([1,2,3,4,5],add,0)")` is 15.

    Modules of the library are used as the expression needs them.  `use` names others, as after `use` in a program:
    "helpers.tol as h", or several.  An expression is checked once for data of the same types and dimensions.
    """
    if not isinstance(expression, str):
        raise usage("E604", "there is no expression", type(expression).__name__, "a text of ToLang")
    uses = (use,) if isinstance(use, str) else tuple(use)
    mentioned = set(_NAME.findall(expression))
    given = {name: one for name, one in tolang_names(data).items() if name in mentioned}
    if not given:
        value = _telling(data, lambda: evaluate_expression(expression, seed, use=uses))
        return tuple(part.to_list() for part in value) if isinstance(value, tuple) else value.to_list()
    kinds = {name: _kind(name, one) for name, one in given.items()}
    lengths = _names_of_lengths([one for kind in kinds.values() for one in kind.shape], mentioned)
    declared = tuple([kind.declared(name, lengths) for name, kind in kinds.items()])
    return _kept(expression, uses, declared, data).program(seed=seed, **given)


@dataclass(slots=True)
class _Kept:
    """The program of an expression, and how often it was asked for."""

    program: Program
    calls: int = 0


def _kept(expression: str, uses: tuple[str, ...], declared: tuple[str, ...], data: Iterable[str]) -> _Kept:
    """The program of an expression whose names are declared; one that is asked for often is compiled."""
    key = expression, uses, module_texts(used(uses)) if uses else (), declared
    found = _KEPT.get(key)
    if found is None:
        found = _KEPT[key] = _Kept(_telling(data, lambda: _program(expression, uses, declared, "auto")))
        if len(_KEPT) > MOST:
            _KEPT.pop(next(iter(_KEPT)), None)
    found.calls += 1
    if found.calls == OFTEN:
        found.program = _program(expression, uses, declared, DEFAULT_ENGINE)
    return found


def _names_of_lengths(lengths: Iterable[int], taken: Container[str]) -> dict[int, str]:
    """A name for each length that data has, none of which the expression mentions."""
    free = (name for name in chain("nmkpqr", (f"n{k}" for k in count(1))) if name not in taken)
    return {one: next(free) for one in dict.fromkeys(lengths)}


def evaluate_expression(expression: str, seed: int = 0, name: str = "<expression>", use: Sequence[str] = ()) -> Result:
    """The value of one ToLang expression as a ToL, or as a tuple of ToLs where it is a bundle."""
    core = _using_library(use, lambda uses: expression_core(Source(name, expression), uses))
    values = Runner("auto").run(core, {}, {}, whole_seed(seed))
    return named_results(core.outputs, values)["result"]


class _Expression(Program):
    """A program of one expression, with the modules it uses and declarations of its names beside it."""

    def __init__(self, source: Source, uses: Sequence[Source], declared: Source, engine: str) -> None:
        self.beside = *uses, declared
        super().__init__(source, engine, module=expression_module(source, uses, declared))

    @property
    def _identity(self) -> tuple[str, ...]:
        return self.source.text, *(one.text for one in self.beside), *module_texts(self.beside)


def _program(expression: str, use: Sequence[str], declared: Sequence[str], engine: str) -> Program:
    """An expression as a program, its names declared."""
    source, names = Source("<expression>", expression), Source("<names>", "\n".join(declared))
    return _using_library(use, lambda uses: _Expression(source, used(uses), names, engine))


def _using_library(use: Sequence[str], checked: Callable[[tuple[str, ...]], T]) -> T:
    """What checks well with some modules, or with those of the library, too, that define the names it does not find."""
    uses = tuple(use)
    while True:
        try:
            return checked(uses)
        except ToLangCheckError as error:
            unknown = [one.span.text for one in error.diagnostics if one.code == "E201" and one.span is not None]
            needed = {module for module in map(module_of, unknown) if module is not None} - set(uses)
            if not needed:
                raise
            uses = *uses, *sorted(needed)


def _telling(data: Iterable[str], checked: Callable[[], T]) -> T:
    """What is checked; the error of a name that nothing stands for says how to give it data."""
    try:
        return checked()
    except ToLangCheckError as error:
        raise ToLangCheckError([_to_give(one, list(data)) for one in error.diagnostics]) from None


def _to_give(one: Diagnostic, given: Sequence[str]) -> Diagnostic:
    if one.code != "E201" or one.span is None or not (one.fix or DEFINE).startswith(DEFINE):
        return one
    close = close_names(one.span.text, given, 1, CLOSE)
    fix = f"did you mean {close[0]}?" if close else f"give it a value: {python_name(one.span.text)}=…"
    return replace(one, fix=fix)


@dataclass(frozen=True, slots=True)
class _DataKind:
    """What an expression is checked for of some data: its spaces, with the names of components, and its shape."""

    spaces: tuple[tuple[str, str | None], ...]
    shape: tuple[int, ...]

    def declared(self, name: str, lengths: Mapping[int, str]) -> str:
        """The declaration of data of this kind."""
        listed = [f"{label}: {space}" if label else space for space, label in self.spaces]
        kind = listed[0].rpartition(" ")[2] if len(listed) == 1 else f"[{', '.join(listed)}]"
        shape = ",".join(lengths[one] for one in self.shape)
        return f"tol {name}: {kind}" + (f" [{shape}]" if self.shape else "")


def _kind(name: str, data: Any) -> _DataKind:
    """The kind of some data."""
    if type(data) is np.ndarray and data.dtype.kind in "biufc":
        return _DataKind(((default_column(storage_of(data.dtype) or "f64").space.root, None),), data.shape)
    value = ToL.of(as_numpy(held(data, name)), name=name)
    labels = [one if one and _NAME.fullmatch(one) else None for one in value.names]
    return _DataKind(tuple((s.space.root, n) for s, n in zip(value.spaces, labels, strict=True)), value.shape)
