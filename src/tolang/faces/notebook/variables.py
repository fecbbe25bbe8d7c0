"""Variables of the notebook that a cell uses without declaring them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Diagnostic, Source, ToLangCheckError, ToLangError
from tolang.ground.values.values import ToL
from tolang.program.exported import LONGEST_STATIC
from tolang.program.session import declaration_text
from tolang.syntax import tree
from tolang.syntax.parser import parse

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True, eq=False)
class Loan:
    """A variable as a statement of the program: a constant that is known while checking, or an input and its data."""

    statement: tree.Statement
    value: ToL | None = None

    @property
    def text(self) -> str:
        return self.statement.span.text


def loan_of(name: str, value: Any) -> Loan:
    """A variable of the notebook for the use of a program.

    Whole numbers, truth values, text and short lists of whole numbers are constants, as literals in the source are;
    everything else is data, of the shape that it has.
    """
    literal = _literal(value)
    if literal is not None:
        return Loan(_statement(f"{name} = {literal}"))
    data = ToL.of(value, name=name)
    return Loan(_statement(declaration_text(name, data)), data)


def _literal(value: Any) -> str | None:
    """A value as the language writes it, where it is known while checking."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() if type(value) is int:
            return str(value)
        case str() if type(value) is str and value.isprintable():
            return "'" + value.replace("'", "''") + "'"
        case list() | tuple() if 0 < len(value) <= LONGEST_STATIC and all(type(one) is int for one in value):
            return f"[{', '.join(str(one) for one in value)}]"
    return None


def _statement(text: str) -> tree.Statement:
    (made,) = parse(Source("<notebook>", text)).statements
    return made


def with_loans(
    make: Callable[[tuple[tree.Statement, ...]], Made],
    variables: Mapping[str, Any],
    first: Iterable[str] = (),
    constants_only: bool = False,
) -> tuple[Made, dict[str, Loan]]:
    """What is made of a program once names that it does not define are taken from the notebook, and these names.

    Those named as first are taken even where the library defines them, too.
    """
    loans = {name: loan_of(name, variables[name]) for name in first}
    while True:
        try:
            return make(tuple(one.statement for one in loans.values())), loans
        except ToLangCheckError as error:
            unknown = {d.span.text: d for d in error.diagnostics if d.code == "E201" and d.span is not None}
            fresh = [name for name in unknown if name in variables and name not in loans]
            if not fresh:
                raise
            for name in fresh:
                loans[name] = _lent(name, variables[name], unknown[name], constants_only)


def _lent(name: str, value: Any, unknown: Diagnostic, constants_only: bool) -> Loan:
    """A loan, or the error that tells why a variable of this name is none."""
    try:
        loan = loan_of(name, value)
    except ToLangError as reason:
        if reason.code != "E502":
            raise
        fix = f"the notebook's {name} is a {type(value).__name__}; arrays, numbers, text, lists and tables can be used"
        raise ToLangCheckError(replace(unknown, fix=fix)) from None
    if loan.value is not None and constants_only:
        raise ToLangCheckError(replace(unknown, fix=f"declare the input: {loan.text}"))
    return loan
