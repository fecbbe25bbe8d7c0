"""Text to syntax tree: `parse` for programs, `parse_expression` for one expression.

A text is taken apart into statements (`layout.py`), each statement is parsed by the grammar (`grammar.lark`), and the
rules make the nodes of the tree (`builder.py`).  Errors of different statements are collected and raised together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from tolang.ground.reporting.diagnostics import Diagnostic, Source, Span, ToLangSyntaxError
from tolang.ground.system.recursion import DEEPEST
from tolang.syntax import tree
from tolang.syntax.derivation import Unexpected, derive
from tolang.syntax.explanation import expression_alone
from tolang.syntax.layout import MOST_ERRORS, Layout, StatementWords, lay_out, longest_chain
from tolang.syntax.lexemes import Lexeme
from tolang.syntax.recovery import all_errors
from tolang.syntax.traversal import depth

Made = TypeVar("Made")

LENGTH_OF_TEXT = 1 << 20
"""A text may have this many characters."""

LONGEST_CHAIN = 20_000
"""A chain may have this many operators; a longer one is refused before it is parsed, for the sake of time."""


def parse(source: Source, longest: int = LENGTH_OF_TEXT) -> tree.SyntaxModule:
    """The syntax tree of a program, or a `ToLangSyntaxError` with up to twenty diagnostics."""
    return tree.SyntaxModule(Span(source, 0, len(source.text)), tuple(_taken_apart(_each(source, _statement, longest))))


def parse_entry(source: Source) -> list[tree.Statement | tree.Expression]:
    """What was typed at a prompt: statements, among which expressions may stand alone."""
    return _taken_apart(_each(source, _entry))


def _taken_apart(made: Iterable[Made]) -> list[Made]:
    """Statements, with those that name parts as definitions of each of them."""
    return [each for one in made for each in (one.definitions() if isinstance(one, tree.Unpacking) else (one,))]  # type: ignore[misc]  # definitions are statements


def is_unfinished(source: Source) -> bool:
    """Whether a text is right so far and needs more: a bracket is open, or the last statement stops in its middle."""
    layout = _laid_out(source, False)
    if layout.diagnostics:
        return all(d.found in _OPEN_BRACKETS for d in layout.diagnostics)
    if not layout.statements:
        return False
    lexemes = layout.statements[-1].lexemes
    try:
        derive(lexemes, "statement")
    except Unexpected as unexpected:
        return unexpected.position == len(lexemes)
    except ToLangSyntaxError:
        pass
    return False


_OPEN_BRACKETS = {f"`{opener}` without its `{closer}`" for opener, closer in ("()", "[]", "{}")}


def _each(source: Source, make: Callable[[StatementWords], Made], longest: int = LENGTH_OF_TEXT) -> list[Made]:
    """What the statements of a text make; all their errors are raised together."""
    layout = _laid_out(source, False, longest)
    diagnostics = list(layout.diagnostics)
    made: list[Made] = []
    for statement in layout.statements:
        if (statement.broken and not statement.readable) or len(diagnostics) >= MOST_ERRORS:
            continue
        try:
            made.append(make(statement))
        except ToLangSyntaxError as error:
            diagnostics.extend(error.diagnostics)
    _raise(diagnostics)
    return made


def parse_expression(source: Source) -> tree.Expression:
    """The syntax tree of a text that is one expression."""
    layout = _laid_out(source, True)
    _raise(layout.diagnostics)
    if not layout.statements:
        raise ToLangSyntaxError(
            Diagnostic("E101", "there is no expression", Span(source, 0, len(source.text)), expected="an expression")
        )
    made = _derive(layout.statements[0].lexemes, "expression")
    assert isinstance(made, tree.Expression)
    return made


def _laid_out(source: Source, one_expression: bool, longest: int = LENGTH_OF_TEXT) -> Layout:
    if len(source.text) > longest:
        raise ToLangSyntaxError(
            Diagnostic(
                "E108",
                "the text is too long",
                Span(source, longest, longest + 1),
                found=f"{len(source.text)} characters",
                expected=f"at most {longest}",
                fix="give large data as an input (`tol a: R [n]`) instead of writing it out",
            )
        )
    return lay_out(source, one_expression)


def _raise(diagnostics: list[Diagnostic]) -> None:
    """Raise what was found, in the order of the text."""
    if diagnostics:
        ordered = sorted(diagnostics, key=lambda d: d.span.start if d.span else 0)
        raise ToLangSyntaxError(ordered[:MOST_ERRORS])


def _statement(statement: StatementWords) -> tree.Statement:
    made = _derive(statement.lexemes, "statement")
    if isinstance(made, tree.Statement):
        return made
    raise ToLangSyntaxError(expression_alone(made, statement.lexemes))


def _entry(statement: StatementWords) -> tree.Statement | tree.Expression:
    made = _derive(statement.lexemes, "statement")
    assert isinstance(made, tree.Statement | tree.Expression)
    return made


def _derive(lexemes: list[Lexeme], start: str) -> tree.Node:
    """The node of one statement, or an error that explains where the grammar stopped and why."""
    span = Span(lexemes[0].span.source, lexemes[0].span.start, lexemes[-1].span.end)
    if len(lexemes) > LONGEST_CHAIN and longest_chain(lexemes) > LONGEST_CHAIN:
        raise ToLangSyntaxError(_too_long(span))
    try:
        node = derive(lexemes, start)
    except Unexpected as unexpected:
        raise ToLangSyntaxError(all_errors(lexemes, start, unexpected)) from None
    if len(lexemes) > DEEPEST and depth(node) > DEEPEST:
        raise ToLangSyntaxError(_too_deep(span))
    return node


def _too_deep(span: Span) -> Diagnostic:
    return Diagnostic(
        "E105",
        "this statement nests too deeply",
        span,
        found=f"more than {DEEPEST} signs, branches, functions or calls inside one another",
        expected=f"at most {DEEPEST}",
        fix="give names to parts of it: `first = …`",
    )


def _too_long(span: Span) -> Diagnostic:
    return Diagnostic(
        "E105",
        "this chain of operators is too long",
        span,
        found=f"more than {LONGEST_CHAIN} operators",
        expected=f"at most {LONGEST_CHAIN}",
        fix="give names to parts of it: `first = …`; for data, `reduce(t, add, 0)`",
    )
