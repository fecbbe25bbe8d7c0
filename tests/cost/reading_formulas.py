"""A small evaluator of formulas as they are printed, which shares nothing with the code that makes or prints them.

It knows sums of products, powers, quotients, `floor`, `min`, `max`, elementary functions, case distinctions, and sums
and greatest values over a name: `sum(i=1..n, floor(i/2))`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

_TOKEN = re.compile(r"\s*(\d+\.\d+|\d+(?!\.\d)|[A-Za-z_]\w*|\.\.|>=|==|[-+*/^(),=])")
_WORDS = {"if", "then", "else", "and", "or", "not"}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": min, "max": max, "floor": math.floor, "sqrt": math.sqrt, "exp": math.exp, "abs": abs, "sin": math.sin,
    "log": lambda x, base: math.log2(x) if base == 2 else math.log(x) / math.log(base),
}  # fmt: skip

TOGETHER: dict[str, Callable[[list[Any]], Any]] = {"sum": sum, "min": min, "max": max}
"""What is made of the values of a body for all values of a name."""

Value = Callable[[Mapping[str, Any]], Any]


def read(text: str) -> Value:
    """What a formula comes to, given its names."""
    reader = _Reader(text)
    value = reader.sum()
    assert reader.place == len(reader.tokens), f"{text!r} goes on after {reader.tokens[: reader.place]}"
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        place = 0
        while place < len(text.rstrip()):
            found = _TOKEN.match(text, place)
            assert found is not None, f"{text!r} cannot be read from {place}"
            self.tokens.append(found[1])
            place = found.end()
        self.place = 0

    def sees(self, *tokens: str, ahead: int = 0) -> bool:
        return self.place + ahead < len(self.tokens) and self.tokens[self.place + ahead] in tokens

    def take(self, *tokens: str) -> str:
        token = self.tokens[self.place]
        assert not tokens or token in tokens, f"{token} stands where {tokens} should"
        self.place += 1
        return token

    def sum(self) -> Value:
        """Terms with signs between them, from the left."""
        negative = self.sees("-") and bool(self.take())
        first = self.product()
        value: Value = (lambda names: -first(names)) if negative else first
        while self.sees("+", "-"):
            sign = 1 if self.take() == "+" else -1
            value = _added(value, self.product(), sign)
        return value

    def product(self) -> Value:
        value = self.power()
        while self.sees("*", "/"):
            sign = self.take()
            value = _multiplied(value, self.power()) if sign == "*" else _divided(value, self.power())
        return value

    def power(self) -> Value:
        base = self.operand()
        if not self.sees("^"):
            return base
        self.take()
        exponent = self.operand()
        return lambda names: base(names) ** exponent(names)

    def operand(self) -> Value:
        if self.sees("("):
            self.take()
            value = self.choice() if self.sees("if") else self.sum()
            self.take(")")
            return value
        token = self.take()
        if token[0].isdigit():
            number = float(token) if "." in token else Fraction(token)
            return lambda names: number
        assert token not in _WORDS, f"{token} stands where a number should"
        if not self.sees("("):
            return lambda names: names[token]
        return self.call(token)

    def call(self, function: str) -> Value:
        self.take("(")
        if self.sees("=", ahead=1):
            return self.iterated(function)
        arguments = [self.sum()]
        while self.sees(","):
            self.take()
            arguments.append(self.sum())
        self.take(")")
        found = _FUNCTIONS[function]
        return lambda names: found(*(argument(names) for argument in arguments))

    def iterated(self, function: str) -> Value:
        """`sum(i=1..n, …)`, or the same with `max` and `min`."""
        name = self.take()
        for token in ("=", "1", ".."):
            self.take(token)
        upper = self.sum()
        self.take(",")
        body = self.sum()
        self.take(")")

        def value(names: Mapping[str, Any]) -> Any:
            places = range(1, int(upper(names)) + 1)
            return TOGETHER[function]([body({**names, name: Fraction(place)}) for place in places])

        return value

    def choice(self) -> Value:
        self.take("if")
        condition = self.condition()
        self.take("then")
        then = self.sum()
        self.take("else")
        otherwise = self.sum()
        return lambda names: (then if condition(names) else otherwise)(names)

    def condition(self) -> Value:
        """Comparisons joined by one of `and` and `or`; others stand in brackets."""
        parts = [self.comparison()]
        word = self.tokens[self.place]
        while self.sees("and", "or"):
            self.take(word)
            parts.append(self.comparison())
        return lambda names: (all if word == "and" else any)(part(names) for part in parts)

    def comparison(self) -> Value:
        if self.sees("not"):
            self.take()
            self.take("(")
            inner = self.condition()
            self.take(")")
            return lambda names: not inner(names)
        if self.sees("(") and self.is_group():
            self.take()
            inner = self.condition()
            self.take(")")
            return inner
        left = self.sum()
        sign = self.take(">=", "==")
        right = self.sum()
        return lambda names: left(names) >= right(names) if sign == ">=" else left(names) == right(names)

    def is_group(self) -> bool:
        """Whether the bracket here holds a condition: `and`, `or`, `not` or a sign of comparison stands right in it."""
        if self.sees("if", ahead=1):
            return False
        depth = 0
        for place in range(self.place, len(self.tokens)):
            token = self.tokens[place]
            depth += (token == "(") - (token == ")")
            if depth == 0:
                return False
            if depth == 1 and token in ("and", "or", "not", ">=", "=="):
                return True
        return False


def _added(one: Value, two: Value, sign: int) -> Value:
    return lambda names: one(names) + sign * two(names)


def _multiplied(one: Value, two: Value) -> Value:
    return lambda names: one(names) * two(names)


def _divided(one: Value, two: Value) -> Value:
    return lambda names: one(names) / two(names)
