"""The standard form of a text: white space only, the same tree, the same comments, stable."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as draw
from tests.fuzz.syntax import Writer, check
from tests.syntax.listings import DESIGN, PAPER

from tolang.ground.reporting.diagnostics import Source, ToLangSyntaxError
from tolang.syntax.formatter import WIDTH, format_text
from tolang.syntax.parser import parse
from tolang.syntax.traversal import same_tree

SPACING = {
    "x=a+b": "x = a + b",
    "x=a*b+c/d": "x = a*b + c/d",
    "x = f( a+1 , b )": "x = f(a+1, b)",
    "x=f(a[1]+b)": "x = f(a[1] + b)",
    "x=v[1:j-1]": "x = v[1:j-1]",
    "x=v[ 2*k-1 : ]": "x = v[2*k-1:]",
    "x=map(e,*/total[c],*c)": "x = map(e, * / total[c], *c)",
    "x=map(w,* *tap(c),*q)": "x = map(w, * * tap(c), *q)",
    "x=2* *t": "x = 2 * *t",
    "x=-a^-2": "x = -a^-2",
    "x=a- -b": "x = a - -b",
    "x=not(a)and b": "x = not (a) and b",
    "x=a<b": "x = a < b",
    "x=f(axis = 2)": "x = f(axis=2)",
    "f(x,k = 1):=x": "f(x, k=1) := x",
    "x=f . g(v)": "x = f.g(v)",
    "x=t [ j ] '": "x = t[j]'",
    "x=| t |[ 1 ]": "x = |t|[1]",
    "x=tol [n , m]": "x = tol[n,m]",
    "x=tol| t |": "x = tol|t|",
    "x=[[1, 2],[3,4]]": "x = [[1,2], [3,4]]",
    "x=f((a,b)->a+b)": "x = f((a,b) -> a+b)",
    "x=if a then b else c": "x = if a then b else c",
    "x=reduce(v , and , true)": "x = reduce(v, and, true)",
    "x=f(g(a, b),c)": "x = f(g(a,b), c)",
    "x={a=1;a}": "x = { a = 1; a }",
    "tol a :R[n , k]": "tol a: R [n,k]",
    "tol a:[S,N] [n]": "tol a: [S, N] [n]",
    "tol a:N*[n]": "tol a: N* [n]",
    "tol r=[n , m]": "tol r = [n,m]",
    "list p:[name:S,age:N*]": "list p: [name: S, age: N*]",
    "list p:[S,N] , R": "list p: [S, N], R",
    "space b :N[0 , 255]": "space b: N [0,255]",
    "use   linalg": "use linalg",
    "associative  m(a,b)=a": "associative m(a, b) = a",
    "derivative  m(a,d)=d*a": "derivative m(a, d) = d * a",
    "x='a  b'": "x = 'a  b'",
    "x=convert(t,[N* ,R])": "x = convert(t, [N*,R])",
    "x = a +\n  b": "x = a + b",
    "x = f(a,\n  b)": "x = f(a, b)",
    "a=1;b=2": "a = 1\nb = 2",
}

PAGES = {
    "blank lines": ("\n\na=1\n\n\n\nb=2\n\n", "a = 1\n\nb = 2\n"),
    "empty": ("", ""),
    "only blanks": (" \n\n ", ""),
    "comments": (
        "# top\n\n\n//next\na=1# one\n  # between\nb=2\n\n# last",
        "# top\n\n//next\na = 1  # one\n# between\nb = 2\n\n# last\n",
    ),
    "block": (
        "f(x)={\n a=1 # one\n\n\n # two\n b=2;c=3\n a+b }",
        "f(x) = {\n  a = 1  # one\n\n  # two\n  b = 2\n  c = 3\n  a + b\n}\n",
    ),
    "comment after a brace": ("f(x)={ # why\n x\n # end\n}", "f(x) = {  # why\n  x\n  # end\n}\n"),
    "comments in brackets": (
        "x=f(a, # first\n # own line\n b # second\n )",
        "x = f(\n  a,  # first\n  # own line\n  b  # second\n)\n",
    ),
    "comment before a comma": ("x=[1 # one\n # more\n ,2]", "x = [\n  1,  # one\n  # more\n  2\n]\n"),
    "comment after an operator": ("x=a+ # why\nb", "x = a +  # why\n  b\n"),
    "comment before then": ("x=if a # c\nthen b\nelse d", "x = if a  # c\n  then b else d\n"),
    "kept open": ("x=f(\n a,b)", "x = f(\n  a,\n  b\n)\n"),
    "rows": ("x=[[1,2],\n[3,4]]", "x = [\n  [1,2],\n  [3,4]\n]\n"),
    "line ends of other systems": ("a=1\r\n\r\nb=2 # c\r\n", "a = 1\n\nb = 2  # c\n"),
}


@pytest.mark.parametrize(("text", "expected"), SPACING.items())
def test_spacing(text: str, expected: str) -> None:
    assert format_text(text) == expected + "\n"
    assert check(text)


@pytest.mark.parametrize("name", PAGES)
def test_pages(name: str) -> None:
    text, expected = PAGES[name]
    assert format_text(text) == expected
    assert check(text)


def test_long_lines_are_broken_inside_brackets() -> None:
    words = [f"a_long_argument_number_{number}_of_them" for number in range(12)]
    text = format_text(f"x = outer(first, inner({', '.join(words)}), last)[1] + 1")
    assert text == (
        "x = outer(\n  first,\n  inner(\n    "
        + ",\n    ".join(words)
        + "\n  ),\n  last\n)[1] + 1\n"
    )  # fmt: skip


def test_small_items_of_a_long_bracket_share_lines() -> None:
    words = [f"argument_number_{number}" for number in range(12)]
    text = format_text(f"x = inner({', '.join(words)})")
    lines = text.splitlines()
    assert (lines[0], lines[-1]) == ("x = inner(", ")")
    assert len(lines) < 6
    assert ", ".join(line.strip().rstrip(",") for line in lines[1:-1]) == ", ".join(words)
    assert all(line.startswith("  argument") and len(line) <= WIDTH for line in lines[1:-1])
    assert check(text)


def test_a_long_body_goes_below_its_head() -> None:
    head, body = (
        f"a_function({', '.join(f'parameter_{n}' for n in range(4))})",
        f"g({', '.join(f'{n}*argument_{n}' for n in range(4))})",
    )
    assert format_text(f"{head} = {body}") == f"{head} =\n  {body}\n"
    assert check(f"{head} = {body}")


def test_a_long_chain_of_choices_has_a_line_for_each() -> None:
    conditions = [f"if condition_number_{number} then value_{number}" for number in range(4)]
    text = f"x = {' else '.join(conditions)} else 0"
    lines = [conditions[0], *(f"else {one}" for one in conditions[1:]), "else 0"]
    assert format_text(text) == "x =\n  " + "\n  ".join(lines) + "\n"
    assert check(text)
    assert check(f"x = {{ {text}; x }}")


def test_long_sums_are_broken_after_operators() -> None:
    text = format_text("x = " + " + ".join(f"term_{number}" for number in range(60)))
    lines = text.splitlines()
    assert all(len(line) <= WIDTH for line in lines)
    assert all(line.endswith(" +") for line in lines[:-1])
    assert check(text)


@pytest.mark.parametrize("text", [*DESIGN, *PAPER])
def test_listings_keep_their_meaning(text: str) -> None:
    assert check(text)


def test_the_design_is_written_as_formatted() -> None:
    """The library source of the design differs from its standard form in alignment only."""
    formatted = format_text(DESIGN[1])
    assert (
        "reduce_axis(x, f, init, axis) = map(tol[without(|x|,axis)], reduce(line(x,axis,c), f, init), *c)" in formatted
    )
    assert "  map(e, * / total[without(c,axis)], *c)\n}" in formatted
    assert all(len(line) <= WIDTH for line in formatted.splitlines() if "#" not in line)


def test_deep_brackets_need_no_deep_stack() -> None:
    text = "x = " + "f(long_name_to_break_lines, " * 190 + "1" + ")" * 190
    assert check(text)


def test_what_is_not_tolang_is_not_formatted() -> None:
    with pytest.raises(ToLangSyntaxError):
        format_text("x = (")


@given(draw.integers(min_value=0))
def test_any_program_keeps_its_tree_and_its_comments(seed: int) -> None:
    assert check(Writer(random.Random(seed)).program())


@given(draw.text(alphabet="ab*N1 .+-^<>=()[]{}|',:;#\n", max_size=60))
def test_any_text_is_formatted_or_refused(text: str) -> None:
    check(text)


def test_same_tree_tells_trees_apart() -> None:
    texts = ["x = 1", "x := 1", "x = 1.0", "y = 1", "x = a", "x = (a)", "x = [a]", "x = [a,b]", "x() = 1", "use x"]
    trees = [parse(Source("test", text)) for text in texts]
    for number, one in enumerate(trees):
        for other_number, other in enumerate(trees):
            assert same_tree(one, other) == (number == other_number)
    assert same_tree(parse(Source("a", "x = f( 1 )")), parse(Source("b", "\n x=f(1) # why")))


ALIGNED = """x = [1,2]     # below
longer=3      # each other
f(v) = {
  m=v+1       # also
  m*22        # inside
}
y = 2 # not here
  # of its own
short = [
  1,    # the first
  22    # the second
]
z = 1\t# behind
w = 22\t# tabs
"""
STAY_ALIGNED = """x = [1,2]   # below
longer = 3  # each other
f(v) = {
  m = v + 1  # also
  m * 22     # inside
}
y = 2  # not here
# of its own
short = [
  1,  # the first
  22  # the second
]
z = 1   # behind
w = 22  # tabs
"""


def test_aligned_comments_stay_aligned() -> None:
    assert format_text(ALIGNED) == STAY_ALIGNED
    assert format_text(STAY_ALIGNED) == STAY_ALIGNED
    apart = "x = 1  # a\n\nyy = 1 # b\nzzz = 1  # c\n\n"
    assert format_text(apart) == "x = 1  # a\n\nyy = 1  # b\nzzz = 1  # c\n"


@pytest.mark.parametrize("seed", range(20))
def test_aligned_comments_are_stable(seed: int) -> None:
    rng = random.Random(seed)
    lines = []
    for number in range(12):
        code = f"x{number} = {rng.choice(['1', 'f(1,  2)', '[1,2, 3]', 'g( ' + '1234567, ' * 20 + ' 0)'])}"
        column = rng.choice([20, 20, 30, len(code) + rng.randrange(3)])
        lines.append(
            rng.choice(["", "\n"]) * (rng.random() < 0.2) + f"{code:{column}}{rng.choice(['# one', '', '# two'])}"
        )
    text = "\n".join(lines) + "\n"
    once = format_text(text)
    assert format_text(once) == once
    for first, second in pairwise(once.splitlines()):
        before = [
            line
            for line in text.splitlines()
            if line.partition("=")[0] in (first.partition("=")[0], second.partition("=")[0])
        ]
        if "#" in first and "#" in second and len(before) == 2 and len({line.index("#") for line in before}) == 1:
            assert first.index("#") == second.index("#")
