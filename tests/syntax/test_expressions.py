"""Every form of expression, and which binds tighter."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.syntax.outline import of_expression

from tolang.ground.reporting.diagnostics import Source
from tolang.syntax import tree
from tolang.syntax.parser import parse_expression

PRECEDENCE = {
    # tighter first
    "f.g(x)": "(call (compose f g) x)",
    "f.g[1]": "(index (compose f g) 1)",
    "f(x)^2": "(^ (call f x) 2)",
    "t[1]^2": "(^ (index t 1) 2)",
    "2^t[1]": "(^ 2 (index t 1))",
    "2^3^4": "(^ 2 (^ 3 4))",
    "-2^2": "(- (^ 2 2))",
    "2^-3^2": "(^ 2 (- (^ 3 2)))",
    "-a*b": "(* (- a) b)",
    "a*-b": "(* a (- b))",
    "a - -b": "(- a (- b))",
    "--a": "(- (- a))",
    "a*b/c%d": "(% (/ (* a b) c) d)",
    "a+b*c": "(+ a (* b c))",
    "a*b+c": "(+ (* a b) c)",
    "a-b+c": "(+ (- a b) c)",
    "a+b < c-d": "(< (+ a b) (- c d))",
    "not a == b": "(not (== a b))",
    "not not a": "(not (not a))",
    "a and not b": "(and a (not b))",
    "not a and b": "(and (not a) b)",
    "a < b and c >= d": "(and (< a b) (>= c d))",
    "a or b and c": "(or a (and b c))",
    "a and b or c": "(or (and a b) c)",
    "a or b xor c": "(xor (or a b) c)",
    "x -> a or b": "(-> x (or a b))",
    "x -> y -> x + y": "(-> x (-> y (+ x y)))",
    "if a or b then c + 1 else d + 1": "(if (or a b) (+ c 1) (+ d 1))",
    "if a then b else if c then d else e": "(if a b (if c d e))",
    "if a then x -> x else y -> y": "(if a (-> x x) (-> y y))",
    "x -> if a then b else c": "(-> x (if a b c))",
    "(a < b) < c": "(< (parenthesis (< a b)) c)",
}

FORMS = {
    "3": "3",
    "3.": "3.",
    ".5": ".5",
    "1e-3": "1e-3",
    "2.5e+3i": "2.5e+3i",
    "Inf": "Inf",
    "+Inf": "(+ Inf)",
    "-Inf": "(- Inf)",
    "NaN": "NaN",
    "true": "true",
    "false": "false",
    "'text'": "'text'",
    "''": "''",
    "'it''s'": '"it\'s"',
    "'# no comment'": "'# no comment'",
    "in": "in",
    "iter": "iter",
    "t[i, a:b, *]": "(index t i (slice a b) star)",
    "t[:]": "(index t (slice _ _))",
    "t[a:]": "(index t (slice a _))",
    "t[:b]": "(index t (slice _ b))",
    "t[1:j-1, j+1:]": "(index t (slice 1 (- j 1)) (slice (+ j 1) _))",
    "t[1][2](3)": "(call (index (index t 1) 2) 3)",
    "t[j]'": "(component t j)",
    "t[age]'": "(component t age)",
    "t[1]'[2]'": "(component (component t 1) 2)",
    "reduce(t, f, 0)[2]'": "(component (call reduce t f 0) 2)",
    "part'(t,j)": "(call part' t j)",
    "part(t, [1,2], [3,4])": "(call part t (blocks 1 2) (blocks 3 4))",
    "f()": "(call f)",
    "f(x, axis=2)": "(call f x axis=2)",
    "k(i,j)": "(call k i j)",
    "f.g.h(v)": "(call (compose f g h) v)",
    "(x -> x).g(v)": "(call (compose (parenthesis (-> x x)) g) v)",
    "f.not.g": "(compose f not g)",
    "|t|": "(shape t)",
    "|t|'": "(capacity t)",
    "||t||": "(dim t)",
    "|t|[1]": "(index (shape t) 1)",
    "|f(x)[1]|": "(shape (index (call f x) 1))",
    "s[|s|[1]]": "(index s (index (shape s) 1))",
    "||(|t|)||": "(dim (parenthesis (shape t)))",
    "|[|a|, |b|]|": "(shape (blocks (shape a) (shape b)))",
    "|a|*|b|": "(* (shape a) (shape b))",
    "|a|-|b|": "(- (shape a) (shape b))",
    "[]": "(blocks)",
    "[x]": "(blocks x)",
    "[[1,2],[3,4]]": "(blocks (blocks 1 2) (blocks 3 4))",
    "[A,[B,C],D]": "(blocks A (blocks B C) D)",
    "(x)": "(parenthesis x)",
    "(x, y)": "(list x y)",
    "((a,b),c)": "(list (list a b) c)",
    "tol[p,q]": "(zeros p q)",
    "tol[]": "(zeros)",
    "tol|t|": "(zeros| (shape t))",
    "tol[p,2*p+|in|]": "(zeros p (+ (* 2 p) (shape in)))",
    "tol[0]": "(zeros 0)",
    "x -> e": "(-> x e)",
    "(x) -> e": "(-> x e)",
    "(x, y) -> e": "(-> x y e)",
    "{ 1 }": "(block 1)",
    "{ a = 1; f(x) = x; f(a) }": "(block (= a 1) (= (f x) x) (call f a))",
    "{ associative m(a,b) = a; m }": "(block (associative = (m a b) a) m)",
    "space(x)": "(call space x)",
    "space((0,3.0,1))": "(call space (list 0 3.0 1))",
    "convert(t,[R])": "(call convert t (types R))",
    "convert(t,[N*,R])": "(call convert t (types N* R))",
    "convert(t, [ Z- , Q+ ])": "(call convert t (types Z- Q+))",
    "convert(t, R)": "(call convert t (types R))",
    "convert(t, R+)": "(call convert t (types R+))",
    "convert(t, space(u))": "(call convert t (call space u))",
    "convert(N*2, [R])": "(call convert (* N 2) (types R))",
    "[N * * , R]": "(blocks (* N star) R)",
    "reduce(v, and, true)": "(call reduce v and true)",
    "reduce(v, xor, f=or)": "(call reduce v xor f=or)",
    "map(x, not)": "(call map x not)",
    "map(x, not *)": "(call map x (not star))",
    "and(a, b)": "(call and a b)",
    "a and and(b, c)": "(and a (call and b c))",
    "tile([[(1,'a'),(2,'b')]])": "(call tile (blocks (blocks (list 1 'a') (list 2 'b'))))",
}

STARS = {
    "t[*]": "(index t star)",
    "b[*,j]": "(index b star j)",
    "mul(*,2)": "(call mul star 2)",
    "t[*+1]": "(index t (+ star 1))",
    "t[(*)]": "(index t (parenthesis star))",
    "map(e, * / total, *c)": "(call map e (/ star total) star:c)",
    "map(w, * * tap(c,q), *q)": "(call map w (* star (call tap c q)) star:q)",
    "* * *": "(* star star)",
    "2 * *": "(* 2 star)",
    "2 * *t": "(* 2 star:t)",
    "2 *(*t)": "(* 2 (parenthesis star:t))",
    "* - 1": "(- star 1)",
    "-*": "(- star)",
    "*^2": "(^ star 2)",
    "*t[1]": "(index star:t 1)",
    "(*, iter)": "(list star iter)",
    "[b[*],a[*]][1+*]": "(index (blocks (index b star) (index a star)) (+ 1 star))",
    "* and true": "(and star true)",
    "(* >= 1) and (* <= n)": "(and (parenthesis (>= star 1)) (parenthesis (<= star n)))",
}


@pytest.mark.parametrize(("text", "expected"), PRECEDENCE.items())
def test_precedence(text: str, expected: str) -> None:
    assert of_expression(text) == expected


@pytest.mark.parametrize(("text", "expected"), FORMS.items())
def test_forms(text: str, expected: str) -> None:
    assert of_expression(text) == expected


@pytest.mark.parametrize(("text", "expected"), STARS.items())
def test_stars(text: str, expected: str) -> None:
    assert of_expression(text) == expected


@pytest.mark.parametrize(
    ("text", "value", "imaginary", "whole"),
    [
        ("3", 3, False, True),
        ("3.0", Fraction(3), False, False),
        ("3.", Fraction(3), False, False),
        ("1e3", Fraction(1000), False, False),
        ("1e-3", Fraction(1, 1000), False, False),
        (".25", Fraction(1, 4), False, False),
        ("2i", 2, True, False),
        ("0.5i", Fraction(1, 2), True, False),
        ("007", 7, False, True),
    ],
)
def test_numbers_are_exact(text: str, value: int | Fraction, imaginary: bool, whole: bool) -> None:
    number = parse_expression(Source("test", text))
    assert isinstance(number, tree.Number)
    assert (number.value, number.text, number.imaginary, number.whole) == (value, text, imaginary, whole)
    assert type(number.value) is type(value)


def test_spans_are_exact() -> None:
    text = "f(x, axis = 2) + t[1:k]' "
    sum_ = parse_expression(Source("test", text.replace("'", "")))
    assert isinstance(sum_, tree.Binary)
    assert isinstance(sum_.left, tree.CallExpression)
    assert isinstance(sum_.right, tree.IndexExpression)
    assert sum_.span.text == "f(x, axis = 2) + t[1:k]"
    assert [argument.span.text for argument in sum_.left.arguments] == ["x", "axis = 2"]
    assert [item.span.text for item in sum_.right.items] == ["1:k"]


def test_an_expression_may_have_many_lines() -> None:
    assert of_expression("\n a\n + b # why\n * c\n\n") == "(+ a (* b c))"
