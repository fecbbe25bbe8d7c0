"""The text of the core: what it looks like, and that nothing is lost in it."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import characters
from tests.core.samples import SOURCES, program, sample
from tests.core.structure import difference, nodes

from tolang.core.core import Call, Core, Expr, Literal, Map, Variable
from tolang.core.notation import show_condition, show_constant, show_name, show_size, show_type
from tolang.core.phrases import PhraseReader
from tolang.core.printer import print_expr, print_program
from tolang.core.reader import read_expr, read_program
from tolang.core.rules import inferred_type, literal_type
from tolang.core.types import Type, bundle_type
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import Source, ToLangSyntaxError
from tolang.ground.symbolic.conditions import Choice, Condition, choice, compare, junction, negation, zero
from tolang.ground.symbolic.sizes import Extremum, Quotient, Size, extremum, floor_division
from tolang.ground.symbolic.sums import Sum, sum_over
from tolang.ground.values.spaces import FAMILIES, Column, Space, column

NAMES = ["n", "m", "i.1", "floor", "min", "if", "sum", "x'", "a b", "`", "été", "", "1st"]


@pytest.mark.parametrize("name", SOURCES)
def test_golden(name: str, golden: Callable[[str, str], None]) -> None:
    golden(f"core/{name}.txt", print_program(sample(name)))


@pytest.mark.parametrize("name", SOURCES)
def test_round_trip(name: str) -> None:
    one = sample(name)
    text = print_program(one)
    two = read_program(text)
    assert difference(one, two) is None
    assert print_program(two) == text


@pytest.mark.parametrize("name", SOURCES)
def test_lines_are_short(name: str) -> None:
    assert max(len(line) for line in print_program(sample(name)).splitlines()) <= 120


def test_samples_have_every_node() -> None:
    found = {type(one).__name__ for name in SOURCES for one in nodes(sample(name).body)}
    assert found == {kind.__name__ for kind in Expr.__subclasses__()}


def test_shared_bodies_are_read_back_as_one_object() -> None:
    read = read_program(print_program(sample("shared_calls")))
    calls = [one for one in nodes(read.body) if isinstance(one, Call) and one.definition == "mean"]
    assert len(calls) == 3
    assert len({id(call.body) for call in calls}) == 1


def test_layout_means_nothing() -> None:
    text = print_program(sample("softmax"))
    assert difference(read_program(" ".join(text.split())), sample("softmax")) is None
    assert difference(read_program(text.replace("\n", "   # a comment\n\n")), sample("softmax")) is None


def test_long_runs_of_bindings_need_no_recursion() -> None:
    steps = "".join(f"x{k} = x{k - 1} * {k}\n" for k in range(1, 1500))
    one = program(f"tol x: R [n]\nx0 = x + 1\n{steps}y := x1499")
    read = read_program(print_program(one))
    assert difference(one.body.children()[0], read.body.children()[0]) is None


def test_types_that_do_not_follow_are_written() -> None:
    strange = Map(("i",), (Size.of("n"),), Literal(1, type=Type((), (column("f32"),))), type=Type((), (column("C"),)))
    text = print_expr(strange)
    assert text == "(map [i <= n] (1: f32): C)"
    assert difference(read_expr(text, {}), strange) is None


def test_free_variables_of_an_expression_have_their_types_given() -> None:
    kind = Type((Size.of("n"),), (column("R"),))
    text = print_expr(Variable("x", type=kind))
    assert text == "x"
    assert difference(read_expr(text, {"x": kind}), Variable("x", type=kind)) is None


def test_calls_that_bind_and_are_not_shared() -> None:
    inside, outside = Type((Size.of("n.1"),), (column("R"),)), Type((Size.of("m"),), (column("R"),))
    call = Call(
        "f",
        (("n.1", Size.of("m")),),
        (("x.2", Variable("x", type=outside)),),
        Variable("x.2", type=inside),
        type=outside,
    )
    text = print_expr(call)
    assert text == "inline f [size n.1 = m, x.2: R [n.1] = x]\n  x.2"
    assert difference(read_expr(text, {"x": outside}), call) is None


def test_a_program_whose_end_is_no_bundle_of_its_outputs() -> None:
    one = sample("matmul")
    broken = replace(one, outputs=one.outputs * 2)
    text = print_program(broken)
    assert "body bundle(result.8)" in text
    assert difference(read_program(text), broken) is None


names = st.sampled_from(NAMES)
small = st.integers(-20, 20)


@st.composite
def sizes(draw: st.DrawFn, depth: int = 3) -> Size:
    """Sizes in normal form, and atoms as no arithmetic of ours would leave them."""
    inner = sizes(depth - 1)
    match draw(st.integers(0, 9)) if depth else draw(st.integers(0, 1)):
        case 0:
            return Size.of(draw(small))
        case 1:
            return Size.of(draw(names))
        case 2:
            return draw(inner) + draw(inner) * Fraction(draw(small), 6)
        case 3:
            return draw(inner) * draw(inner)
        case 4:
            return floor_division(draw(inner), draw(inner) * 2 + 1)
        case 5:
            return Size.atom(Quotient(draw(inner), draw(inner)))
        case 6:
            several = tuple(draw(st.lists(inner, min_size=1, max_size=3)))
            return extremum("max", several) if draw(st.booleans()) else Size.atom(Extremum("min", several))
        case 7:
            return choice(draw(conditions(depth - 1)), draw(inner), draw(inner))
        case 8:
            return Size.atom(Choice(draw(conditions(depth - 1)), draw(inner), draw(inner)))
    body, name, upper = draw(inner), draw(names), draw(inner)
    return sum_over(body, name, upper) if draw(st.booleans()) else Size.atom(Sum(name, upper, body))


@st.composite
def conditions(draw: st.DrawFn, depth: int = 3) -> Condition:
    match draw(st.integers(0, 5)) if depth else draw(st.integers(0, 2)):
        case 0:
            return Condition("nonnegative", draw(sizes(depth)))
        case 1:
            return zero(draw(sizes(depth)))
        case 2:
            sign = draw(st.sampled_from(["<", "<=", "==", "!=", ">", ">="]))
            return compare(sign, draw(sizes(depth)), draw(sizes(depth)))
        case 3:
            return negation(draw(conditions(depth - 1)))
        case 4:
            return Condition("not", None, (draw(conditions(depth - 1)),))
    return junction(draw(st.sampled_from(["and", "or"])), draw(st.lists(conditions(depth - 1), max_size=3)))


bounds = st.one_of(st.none(), small, st.fractions(-3, 3), st.floats(allow_nan=False, allow_infinity=False))
spaces = st.builds(Space, st.sampled_from(sorted(FAMILIES)), bounds, bounds, st.one_of(st.none(), names))
columns = st.builds(
    lambda space, storage, weak, name: Column(space, "text" if space.family == "S" else storage, weak, name),
    spaces,
    st.sampled_from(["bool", "i8", "i64", "integer", "rational", "bf16", "f64", "c128"]),
    st.booleans(),
    st.one_of(st.none(), names),
)
tols = st.builds(
    Type,
    st.lists(sizes(1), max_size=3).map(tuple),
    st.lists(columns, min_size=1, max_size=3).map(tuple),
    st.booleans(),
)
types = st.one_of(tols, st.lists(tols, max_size=3).map(bundle_type))
constants = st.one_of(
    st.integers(),
    st.booleans(),
    st.floats(),
    st.complex_numbers(),
    st.fractions(),
    st.text(characters.WRITABLE),
    st.sampled_from([-0.0]),
)


def reading(text: str) -> PhraseReader:
    return PhraseReader(Source("text", text))


@given(sizes())
def test_sizes_are_read_back(size: Size) -> None:
    reader = reading(show_size(size))
    assert reader.size() == size
    assert reader.token.kind == "end"


@given(conditions())
def test_conditions_are_read_back(condition: Condition) -> None:
    reader = reading(show_condition(condition))
    assert reader.condition() == condition
    assert reader.token.kind == "end"


@given(types)
def test_types_are_read_back(kind: Type) -> None:
    reader = reading(show_type(kind))
    assert difference(reader.type(), kind) is None
    assert reader.token.kind == "end"


@given(constants)
def test_constants_are_read_back(value: int | float | complex | str | Fraction) -> None:
    literal = Literal(value, type=literal_type(value))
    assert inferred_type(literal) == literal.type
    assert difference(read_expr(show_constant(value), {}), literal) is None


@given(st.text(characters.WRITABLE))
def test_names_are_read_back(name: str) -> None:
    assert reading(show_name(name)).name() == name


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("program (n", "1:11", "expected: )"),
        ("program (n)\noutput x: R = y", "2:15", "nothing here binds y"),
        ("program (n)\ninput x: R [n]\noutput y: R = x[n", "3:18", "found: the end of the text"),
        ("program (n)\noutput y: R = map [i <= n] if i >= 1 then 2", "2:44", "expected: else"),
        ("program (n)\noutput y: R = when true then (0: R [n]) else (0: R [2])", "2:15", "does not follow"),
        ("program (n)\ninput x: T [n]", "2:10", "no type space"),
        ("program (n)\ninput x: R/f31 [n]", "2:12", "no storage"),
        ("program (n)\noutput y: R = 1 $", "2:17", "error E103"),
        ('program (n)\noutput y: S = "abc', "2:15", "error E104"),
        ("program (n)\noutput y: R = call f.1 [] ()", "2:20", "no definition"),
        ("program ()\ndefine f.1 [n] () = 1\noutput y: R = call f.1 [] ()", "3:20", "expected: 1 size(s)"),
        ("program (n)\nrequire n >= 1 and n >= 2 or n >= 3 else \"\"", "2:27", "without braces"),
        ("program (n)\noutput y: R = size(n/0)", "2:22", "divided by 0"),
        ("program (n)\noutput y: R = size(n^100000)", "2:22", "too high"),
        ("program (n)\noutput y: R = 1 output", "2:23", "a name must stand here"),
        ("program (n) 1", "1:13", "goes on after its end"),
        ("program () output y: R = " + "(" * 5000, "", "error E105"),
    ],
)  # fmt: skip
def test_bad_text_is_refused_with_its_place(text: str, place: str, words: str) -> None:
    with pytest.raises(ToLangSyntaxError) as caught:
        read_program(text)
    assert place in str(caught.value)
    assert words in str(caught.value)


@given(st.sampled_from(sorted(SOURCES)), st.randoms(use_true_random=False))
def test_changed_text_is_read_or_refused(name: str, dice: random.Random) -> None:
    """Text with some words gone, doubled or exchanged is a program or a syntax error, never anything else."""
    words = _printed(name).replace("\n", " \n ").split(" ")
    for _ in range(dice.randint(1, 3)):
        one, two = dice.randrange(len(words)), dice.randrange(len(words))
        words[one] = dice.choice(["", words[two], words[one] + " " + words[two], words[one][1:], words[one][:-1]])
    try:
        result = read_program(" ".join(words))
    except ToLangSyntaxError:
        return
    assert isinstance(result, Core)


_TEXTS: dict[str, str] = {}


def _printed(name: str) -> str:
    if name not in _TEXTS:
        _TEXTS[name] = print_program(sample(name))
    return _TEXTS[name]
