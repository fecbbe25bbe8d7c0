"""Reading names, sizes, conditions, types and constants from the text of the core: the other half of `notation.py`."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import ClassVar

from tolang.core.core import Constant
from tolang.core.notation import RESERVED
from tolang.core.tokens import TOKEN, Token, syntax_error, tokens_of
from tolang.core.types import Type, bundle_type
from tolang.ground.reporting.diagnostics import Source, ToLangSyntaxError
from tolang.ground.symbolic.conditions import Choice, Condition
from tolang.ground.symbolic.sizes import Atom, Extremum, Monomial, Quotient, Rational, Size
from tolang.ground.symbolic.sums import Sum
from tolang.ground.values.spaces import FAMILIES, STORAGES, Bound, Column, Space

COMPARISONS = (">=", "==", "!=")
MOST_DIGITS = 4000
HIGHEST_POWER = 1000


class PhraseReader:
    """A walk over the tokens of a text, with the phrases that expressions are made of."""

    pattern: ClassVar[re.Pattern[str]] = TOKEN
    """The words and signs of the text; other texts have more of them."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = tokens_of(source, self.pattern)
        self.position = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    def ahead(self, count: int) -> Token:
        return self.tokens[min(self.position + count, len(self.tokens) - 1)]

    def followed_by(self, text: str, glued: bool = False) -> bool:
        """Whether the token after the next is this sign or word."""
        after = self.ahead(1)
        return after.kind in ("sign", "word") and after.text == text and (after.glued or not glued)

    def problem(self, message: str, token: Token | None = None, expected: str | None = None) -> ToLangSyntaxError:
        at = token or self.token
        found = at.text or "the end of the text"
        return syntax_error("E101", message, self.source, at.start, at.end, found, expected)

    def sees(self, *texts: str) -> bool:
        """Whether the next token is one of these signs or words."""
        token = self.tokens[self.position]
        return token.text in texts and token.kind in ("sign", "word")

    def advance(self) -> Token:
        token = self.token
        self.position = min(self.position + 1, len(self.tokens) - 1)
        return token

    def accept(self, *texts: str) -> Token | None:
        return self.advance() if self.sees(*texts) else None

    def expect(self, text: str) -> Token:
        if not self.sees(text):
            raise self.problem("the text cannot go on like this", expected=text)
        return self.advance()

    def name(self) -> str:
        token = self.token
        if token.kind != "name" and (token.kind != "word" or token.text in RESERVED):
            raise self.problem("a name must stand here", expected="a name")
        return self.advance().text

    def integer(self) -> int:
        if self.token.kind != "integer":
            raise self.problem("a whole number must stand here", expected="a whole number")
        if len(self.token.text) > MOST_DIGITS:
            raise self.problem("a number has too many digits", expected=f"at most {MOST_DIGITS}")
        return int(self.advance().text)

    # Sizes and conditions

    def size(self) -> Size:
        """A sum of terms."""
        total = self._term(-1 if self.accept("-") else 1)
        while self.sees("+", "-"):
            sign = -1 if self.advance().text == "-" else 1
            total = total + self._term(sign)
        return total

    def sizes(self, closing: str) -> tuple[Size, ...]:
        """Sizes with commas between them, up to a closing bracket."""
        found: list[Size] = []
        while not self.sees(closing):
            found.append(self.size())
            if not self.accept(","):
                break
        self.expect(closing)
        return tuple(found)

    def _term(self, sign: int) -> Size:
        """A product of a number and atoms, or a sum in brackets, over a number."""
        terms: dict[Monomial, Rational]
        if self.sees("(") and not self.followed_by("if"):
            self.advance()
            terms = dict(self.size().terms)
            self.expect(")")
        else:
            factor, monomial = self._factor()
            while self.accept("*"):
                more, atoms = self._factor()
                factor, monomial = factor * more, monomial + atoms
            terms = {monomial: factor} if factor else {}
        if self.accept("/"):
            divisor = self._divisor()
            return Size({m: _whole(Fraction(c) * sign / divisor) for m, c in terms.items()})
        return Size(terms) if sign > 0 else -Size(terms)

    def _divisor(self) -> int:
        token = self.token
        divisor = self.integer()
        if divisor == 0:
            raise self.problem("nothing is divided by 0", token)
        return divisor

    def _factor(self) -> tuple[int, Monomial]:
        if self.token.kind == "integer":
            return self.integer(), ()
        atom = self._atom()
        token = self.ahead(1)
        power = self.integer() if self.accept("^") else 1
        if power > HIGHEST_POWER:
            raise self.problem("a power is too high", token, expected=f"at most {HIGHEST_POWER}")
        return 1, (atom,) * power

    def _atom(self) -> Atom:
        if self.accept("("):
            self.expect("if")
            condition = self.condition()
            self.expect("then")
            then = self.size()
            self.expect("else")
            otherwise = self.size()
            self.expect(")")
            return Choice(condition, then, otherwise)
        if not (self.sees("floor", "min", "max", "sum") and self.followed_by("(", glued=True)):
            return self.name()
        kind = self.advance().text
        self.expect("(")
        if kind in ("min", "max"):
            return Extremum(kind, self.sizes(")"))
        atom: Atom = self._quotient() if kind == "floor" else self._sum()
        self.expect(")")
        return atom

    def _quotient(self) -> Quotient:
        above = self._quotient_side()
        self.expect("/")
        return Quotient(above, self._quotient_side())

    def _quotient_side(self) -> Size:
        if self.sees("(") and not self.followed_by("if"):
            self.advance()
            inner = self.size()
            self.expect(")")
            return inner
        factor, monomial = self._factor()
        return Size({monomial: factor} if factor else {})

    def _sum(self) -> Sum:
        name = self.name()
        self.expect("=")
        if self.integer() != 1:
            raise self.problem("a sum runs from 1")
        self.expect("..")
        upper = self.size()
        self.expect(",")
        return Sum(name, upper, self.size())

    def condition(self) -> Condition:
        """Comparisons joined by `and` or by `or`; what is in braces is one of them."""
        parts = [self._simple_condition()]
        kind = self.token.text
        while self.sees("and", "or"):
            if self.token.text != kind:
                raise self.problem("`and` and `or` meet without braces", expected=kind)
            self.advance()
            parts.append(self._simple_condition())
        return parts[0] if len(parts) == 1 else Condition(kind, None, tuple(parts))

    def _simple_condition(self) -> Condition:
        if self.sees("true", "false"):
            return Condition(self.advance().text)
        negated = self.accept("not") is not None
        if negated or self.sees("{"):
            self.expect("{")
            inner = self.condition()
            self.expect("}")
            return Condition("not", None, (inner,)) if negated else inner
        left = self.size()
        if not self.sees(*COMPARISONS):
            raise self.problem("sizes are compared here", expected=" or ".join(COMPARISONS))
        sign = self.advance().text
        difference = left - self.size()
        if sign == ">=":
            return Condition("nonnegative", difference)
        equal = Condition("zero", difference)
        return equal if sign == "==" else Condition("not", None, (equal,))

    # Types

    def type(self) -> Type:
        if self.accept("("):
            parts: list[Type] = []
            while not self.sees(")"):
                parts.append(self.type())
                if not self.accept(";"):
                    break
            self.expect(")")
            return bundle_type(parts)
        columns = self.columns()
        shape = self.sizes("]") if self.accept("[") else ()
        return Type(shape, columns, self.accept("blank") is not None)

    def columns(self) -> tuple[Column, ...]:
        if not self.accept("["):
            return (self._column(),)
        found = [self._column()]
        while self.accept(","):
            found.append(self._column())
        self.expect("]")
        return tuple(found)

    def _column(self) -> Column:
        name = None
        if self.followed_by(":"):
            name = self.name()
            self.expect(":")
        space = self._space()
        weak = self.accept("~") is not None
        if not self.accept("/"):
            return Column(space, space.storage, weak, name)
        fits = self.token.text in STORAGES and (self.token.text == "text") == (space.family == "S")
        if not fits:
            raise self.problem("no storage of this space has this name", expected=", ".join(sorted(STORAGES)))
        return Column(space, self.advance().text, weak, name)

    def _space(self) -> Space:
        if self.followed_by("(", glued=True):
            name = self.name()
            self.expect("(")
            space = self._bounded_space(name)
            self.expect(")")
            return space
        return self._bounded_space(None)

    def _bounded_space(self, name: str | None) -> Space:
        token = self.advance()
        root = token.text
        if self.sees("*", "+", "-") and self.token.glued:
            root += self.advance().text
        if token.kind != "word" or root not in FAMILIES:
            raise self.problem("no type space has this name", token, expected=", ".join(FAMILIES))
        if not (self.sees("[") and self.token.glued):
            return Space(root, name=name)
        self.advance()
        lower = None if self.sees("..") else self._bound()
        self.expect("..")
        upper = None if self.sees("]") else self._bound()
        self.expect("]")
        return Space(root, lower, upper, name)

    def _bound(self) -> Bound:
        token = self.token
        value = self.constant()
        if isinstance(value, int | Fraction) or (isinstance(value, float) and math.isfinite(value)):
            return value
        raise self.problem("a bound is a finite number", token)

    # Constants

    def starts_constant(self) -> bool:
        return self.token.kind in ("integer", "decimal", "text") or self.sees("-", "true", "false", "Inf", "NaN")

    def constant(self) -> Constant:
        """Any constant but a complex one, which opens like a function."""
        if self.token.kind == "text":
            return self.advance().text
        if self.sees("true", "false"):
            return self.advance().text == "true"
        if self.token.kind != "integer" and not (self.sees("-") and self.ahead(1).kind == "integer"):
            return self.decimal()
        number = -self.integer() if self.accept("-") else self.integer()
        return Fraction(number, self._divisor()) if self.accept("/") else number

    def decimal(self) -> float:
        negative = self.accept("-") is not None
        if self.token.kind != "decimal" and not self.sees("Inf", "NaN"):
            raise self.problem("a number must stand here", expected="a number")
        value = float(self.advance().text)
        return -value if negative else value


def _whole(value: Fraction) -> Rational:
    return value.numerator if value.denominator == 1 else value
