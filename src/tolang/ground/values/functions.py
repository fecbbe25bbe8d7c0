"""The basic elementary functions: one table, one row a function.

Each costs one EOP.  A row gives the number of arguments, the sign it is also written with, how its result's column
follows from its arguments' columns, its identity and associativity as the combine of a `reduce`, its derivatives by
each argument (in ToLang, x and y the arguments, z the result) where it has them, and whatever else compilers and costs
ask of it: no other list of functions says anything about them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.values.spaces import (
    WIDENING,
    Column,
    Space,
    column,
    common_storage,
    integer_range,
    is_real,
    join_spaces,
)

Rule = Callable[[Sequence[Column]], Column]


class SpaceMismatch(Exception):
    """A function has no meaning on these spaces; the message says why."""


def _meet(columns: Sequence[Column], least: str, most: str) -> Column:
    """Promotion of arithmetic: the joined space, at least of one family and at most of another."""
    for one in columns:
        if one.space.family == "S":
            raise SpaceMismatch("text is not a number")
        if WIDENING[one.space.family] > WIDENING[most]:
            raise SpaceMismatch(f"{one.space} is outside {most}")
    strong = [c for c in columns if not c.weak]
    space = _joined(columns)
    if strong and len(strong) < len(columns):
        own = _joined(strong)
        if own.is_machine and all(WIDENING[c.space.family] <= WIDENING[own.family] for c in columns):
            space = own
    if WIDENING[space.family] < WIDENING[least]:
        space = Space(least)
    if not strong:
        return Column(space, space.storage, True)
    return Column(space, common_storage([_root_storage(one) for one in strong], space))


def _joined(columns: Sequence[Column]) -> Space:
    """The smallest predefined space of all the columns; bounds and signs are left behind."""
    space = columns[0].space.default
    for one in columns[1:]:
        space = join_spaces(space, one.space.default) or space
    return space


def _root_storage(one: Column) -> str:
    """Whole numbers of Z and its kin are computed in 64 bits, whatever storage held them."""
    if one.space.family in ("B", "Z") and not one.space.is_machine and one.storage != "integer":
        return "i64" if one.space.family == "Z" else "bool"
    return one.storage


def _sum(columns: Sequence[Column]) -> Column:
    return _meet(columns, "Z", "C")


def _difference(columns: Sequence[Column]) -> Column:
    """Differences and opposites leave N for Z."""
    result = _meet(columns, "Z", "C")
    return replace(result, space=Space("Z")) if result.space.root == "N" else result


def _product(columns: Sequence[Column]) -> Column:
    """Products of imaginary numbers are not imaginary."""
    result = _meet(columns, "Z", "C")
    return replace(result, space=Space("C")) if result.space.root == "I" else result


def _ordered(columns: Sequence[Column]) -> Column:
    """max and min give one of their arguments: in one space they stay in it, and text is ordered too."""
    if all(c.space == columns[0].space and not c.weak for c in columns) and columns[0].space.family not in ("I", "C"):
        return Column(columns[0].space, common_storage([c.storage for c in columns], columns[0].space))
    if all(c.space.family == "S" for c in columns):
        return column("S")
    if all(c.space.family == "B" for c in columns):
        return column("B", weak=all(c.weak for c in columns))
    return _meet(columns, "Z", "R")


def _quotient(columns: Sequence[Column]) -> Column:
    """Whole numbers divide into R, Q stays exact."""
    result = _product(columns)
    return Column(Space("R"), "f64", result.weak) if result.space.family == "Z" else result


def _remainder(columns: Sequence[Column]) -> Column:
    return _meet(columns, "Z", "R")


def _power(columns: Sequence[Column]) -> Column:
    """Exact numbers to whole powers are exact; a whole number to a power that may be negative is R."""
    exponent = columns[1].space
    result = _product(columns)
    fractional = result.space.family == "Q" and exponent.family not in ("B", "Z")
    if fractional or (result.space.family == "Z" and not _never_negative(exponent)):
        return Column(Space("R"), "f64", result.weak)
    return result


def _never_negative(space: Space) -> bool:
    lower = integer_range(space.root)[0] if space.is_machine else space.limits[0]
    return space.family == "B" or (lower is not None and lower >= 0)


def _real(columns: Sequence[Column]) -> Column:
    """Functions that leave the exact numbers for the reals, and keep a real's or complex's own storage."""
    result = _product(columns)
    if result.space.family in ("Z", "Q"):
        return Column(Space("R"), "f64", result.weak)
    return result


def _only_real(columns: Sequence[Column]) -> Column:
    return _real([_meet(columns, "Z", "R")])


def _sign(columns: Sequence[Column]) -> Column:
    return _meet(columns, "Z", "R")


def _magnitude(columns: Sequence[Column]) -> Column:
    result = _meet(columns, "Z", "C")
    if result.space.family not in ("C", "I"):
        return result
    storage = "f32" if result.storage == "c64" else "f64"
    return Column(Space(storage if result.space.is_machine else "R"), storage, result.weak)


def _rounding(columns: Sequence[Column]) -> Column:
    """floor keeps R in R, as NumPy does, and takes Q to whole numbers of any size."""
    result = _meet(columns, "Z", "R")
    return Column(Space("Z"), "integer", result.weak) if result.space.family == "Q" else result


def _equality(columns: Sequence[Column]) -> Column:
    text = [c.space.family == "S" for c in columns]
    if any(text) and not all(text):
        raise SpaceMismatch("text compares with text only")
    return column("B")


def _comparison(columns: Sequence[Column]) -> Column:
    if any(c.space.family in ("C", "I") for c in columns):
        raise SpaceMismatch("complex numbers have no order")
    return _equality(columns)


def _logical(columns: Sequence[Column]) -> Column:
    """B with B is B; whole numbers act on their binary digits, of which bounded ones have as many as their bounds."""
    families = {c.space.family for c in columns}
    if families == {"B"}:
        return column("B")
    if not families <= {"Z", "B"}:
        raise SpaceMismatch("logic is on B, or on the binary digits of whole numbers")
    strong = [c for c in columns if not c.weak and c.space.family == "Z"]
    if not strong:
        return _meet(columns, "Z", "Z")
    if all(c.space.limits[0] is not None and c.space.limits[1] is not None and not c.space.is_machine for c in strong):
        space = _binary_space([c.space for c in strong])
        return Column(space, space.storage)
    own = _joined(strong)
    if own.family != "Z":
        raise SpaceMismatch(f"{' and '.join(str(c.space) for c in strong)} share no machine integers")
    space = own if own.is_machine else _joined(columns)
    return Column(space, common_storage([c.storage for c in columns], space))


def _binary_space(spaces: Sequence[Space]) -> Space:
    """All whole numbers with as many binary digits as the widest of these bounded spaces has."""
    ends = [int(end) for space in spaces for end in space.limits if end is not None]
    digits = max((end if end >= 0 else ~end).bit_length() for end in ends)
    if min(ends) >= 0:
        return Space("N", 0, 2**digits - 1)
    return Space("Z", -(2**digits), 2**digits - 1)


def _length(columns: Sequence[Column]) -> Column:
    """The number of characters of a text."""
    if columns[0].space.family != "S":
        raise SpaceMismatch("length is of text; |v|[1] is the length of a vector, |t| the shape")
    return column("N")


def _character(columns: Sequence[Column]) -> Column:
    """The number by which Unicode knows a character of a text."""
    if columns[0].space.family != "S":
        raise SpaceMismatch("code is of a character of a text")
    if columns[1].space.family not in ("B", "Z"):
        raise SpaceMismatch("the place of a character is a whole number")
    return column("N")


def _cased(columns: Sequence[Column]) -> Column:
    """A text in letters of one case."""
    if columns[0].space.family != "S":
        raise SpaceMismatch("case is of text")
    return columns[0]


def _part_of_text(columns: Sequence[Column]) -> Column:
    """Some characters of a text, from one place to another."""
    if columns[0].space.family != "S":
        raise SpaceMismatch("substring is of text")
    if any(one.space.family not in ("B", "Z") for one in columns[1:]):
        raise SpaceMismatch("the places of characters are whole numbers")
    return column("S")


def _appended(columns: Sequence[Column]) -> Column:
    """Two texts one after the other."""
    if any(one.space.family != "S" for one in columns):
        raise SpaceMismatch("append_text is of two texts")
    return column("S")


def _read(columns: Sequence[Column]) -> Column:
    """The number that a text writes."""
    if columns[0].space.family != "S":
        raise SpaceMismatch("to_number is of text")
    return column("R")


def _written(columns: Sequence[Column]) -> Column:
    """A number as text."""
    if columns[0].space.family not in ("B", "Z", "R"):
        raise SpaceMismatch("to_text is of truth values, whole numbers and real ones")
    return column("S")


def _complement(columns: Sequence[Column]) -> Column:
    """`not` turns over every digit: without bounds or machine type there is no last one, and the result is below 0."""
    result = _logical(columns)
    if result.space.root != "N" and not (result.space.family == "Z" and result.storage[0] == "u"):
        return result
    if result.space.bounded or result.space.is_machine:
        return result
    return Column(Space("Z"), result.storage if result.storage == "integer" else "i64", result.weak)


@dataclass(frozen=True, slots=True)
class ElementaryFunction:
    """One basic elementary function: everything that is known of it.

    `kind` is `arithmetic` (sums and products), `choice` (of one of two), `comparison`, `logic`, `text`
    (of new texts), or nothing of these.
    `mirrored` is a comparison of the arguments exchanged, `negated` its opposite, of numbers that are ordered.
    `overflows`: whole numbers may be too large for it; `instruction`: a processor has one for it on floats, in vectors;
    `rising`: it never falls in any argument; `never_negative`; `keeps_sign`: not negative where its arguments are not;
    `within_one`: its values are from -1 to 1; `gives_whole`: whole numbers of reals; `costly`: a value that is needed
    again is better kept than computed again.
    """

    name: str
    arity: tuple[int, ...]
    rule: Rule
    sign: str | None = None
    identity: int | float | bool | None = None
    associative: bool = False
    derivatives: tuple[str, ...] = ()
    kind: str = ""
    mirrored: str | None = None
    negated: str | None = None
    overflows: bool = False
    instruction: bool = False
    rising: bool = False
    never_negative: bool = False
    keeps_sign: bool = False
    within_one: bool = False
    gives_whole: bool = False
    costly: bool = False


INFINITY = float("inf")

_ROWS = (
    ElementaryFunction(
        "add",
        (2,),
        _sum,
        "+",
        0,
        True,
        ("1", "1"),
        kind="arithmetic",
        overflows=True,
        instruction=True,
        rising=True,
        keeps_sign=True,
    ),
    ElementaryFunction(
        "sub", (2,), _difference, "-", derivatives=("1", "-1"), kind="arithmetic", overflows=True, instruction=True
    ),
    ElementaryFunction(
        "mul",
        (2,),
        _product,
        "*",
        1,
        True,
        ("y", "x"),
        kind="arithmetic",
        overflows=True,
        instruction=True,
        keeps_sign=True,
    ),
    ElementaryFunction("div", (2,), _quotient, "/", derivatives=("1/y", "-z/y"), instruction=True, keeps_sign=True),
    ElementaryFunction("mod", (2,), _remainder, "%", derivatives=("1", "-floor(x/y)")),
    ElementaryFunction(
        "pow",
        (2,),
        _power,
        "^",
        derivatives=("if y == 0 then 0 else y*x^(y-1)", "if x == 0 then 0 else log(x)*z"),
        keeps_sign=True,
        costly=True,
    ),
    ElementaryFunction("log", (1, 2), _real, derivatives=("1/(x*log(y))", "-z/(y*log(y))"), costly=True),
    ElementaryFunction("and", (2,), _logical, "and", True, True, kind="logic"),
    ElementaryFunction("or", (2,), _logical, "or", False, True, kind="logic"),
    ElementaryFunction("xor", (2,), _logical, "xor", False, True, kind="logic"),
    ElementaryFunction("not", (1,), _complement, "not", kind="logic"),
    ElementaryFunction("lt", (2,), _comparison, "<", kind="comparison", mirrored="gt", negated="ge"),
    ElementaryFunction("gt", (2,), _comparison, ">", kind="comparison", mirrored="lt", negated="le"),
    ElementaryFunction("le", (2,), _comparison, "<=", kind="comparison", mirrored="ge", negated="gt"),
    ElementaryFunction("ge", (2,), _comparison, ">=", kind="comparison", mirrored="le", negated="lt"),
    ElementaryFunction("eq", (2,), _equality, "==", kind="comparison"),
    ElementaryFunction("ineq", (2,), _equality, "!=", kind="comparison"),
    ElementaryFunction(
        "max",
        (2,),
        _ordered,
        None,
        -INFINITY,
        True,
        ("not (y > x)", "y > x"),
        kind="choice",
        instruction=True,
        rising=True,
        keeps_sign=True,
    ),
    ElementaryFunction(
        "min",
        (2,),
        _ordered,
        None,
        INFINITY,
        True,
        ("not (y < x)", "y < x"),
        kind="choice",
        instruction=True,
        rising=True,
        keeps_sign=True,
    ),
    ElementaryFunction("sgn", (1,), _sign, derivatives=("0",), within_one=True, gives_whole=True),
    ElementaryFunction("sin", (1,), _real, derivatives=("cos(x)",), within_one=True, costly=True),
    ElementaryFunction("cos", (1,), _real, derivatives=("-sin(x)",), within_one=True, costly=True),
    ElementaryFunction("tan", (1,), _real, derivatives=("1+z*z",), costly=True),
    ElementaryFunction("asin", (1,), _real, derivatives=("1/sqrt(1-x*x)",), costly=True),
    ElementaryFunction("acos", (1,), _real, derivatives=("-1/sqrt(1-x*x)",), costly=True),
    ElementaryFunction("atan", (1,), _real, derivatives=("1/(1+x*x)",), rising=True, costly=True),
    ElementaryFunction("sinh", (1,), _real, derivatives=("cosh(x)",), rising=True, costly=True),
    ElementaryFunction("cosh", (1,), _real, derivatives=("sinh(x)",), costly=True),
    ElementaryFunction("tanh", (1,), _real, derivatives=("1-z*z",), rising=True, within_one=True, costly=True),
    ElementaryFunction("asinh", (1,), _real, derivatives=("1/sqrt(x*x+1)",), rising=True, costly=True),
    ElementaryFunction("acosh", (1,), _real, derivatives=("1/sqrt(x*x-1)",), costly=True),
    ElementaryFunction("atanh", (1,), _real, derivatives=("1/(1-x*x)",), costly=True),
    ElementaryFunction("rand", (1,), _only_real),
    ElementaryFunction(
        "sqrt", (1,), _real, derivatives=("1/(2*z)",), instruction=True, rising=True, never_negative=True
    ),
    ElementaryFunction("exp", (1,), _real, derivatives=("z",), rising=True, never_negative=True, costly=True),
    ElementaryFunction("abs", (1,), _magnitude, derivatives=("sgn(x)",), instruction=True, never_negative=True),
    ElementaryFunction("neg", (1,), _difference, derivatives=("-1",), overflows=True, instruction=True),
    ElementaryFunction("floor", (1,), _rounding, derivatives=("0",), rising=True, keeps_sign=True, gives_whole=True),
    ElementaryFunction("length", (1,), _length, never_negative=True, gives_whole=True),
    ElementaryFunction("code", (2,), _character, never_negative=True, gives_whole=True),
    ElementaryFunction("uppercase", (1,), _cased),
    ElementaryFunction("lowercase", (1,), _cased),
    ElementaryFunction("substring", (3,), _part_of_text, kind="text"),
    ElementaryFunction("append_text", (2,), _appended, kind="text"),
    ElementaryFunction("to_number", (1,), _read),
    ElementaryFunction("to_text", (1,), _written, kind="text"),
)

FUNCTIONS: dict[str, ElementaryFunction] = {row.name: row for row in _ROWS}
BY_SIGN: dict[str, str] = {row.sign: row.name for row in _ROWS if row.sign}


def _is_any(found: object, wanted: object) -> bool:
    return found in wanted if isinstance(wanted, tuple) and isinstance(found, str) else found == wanted


def functions_with(**columns: object) -> frozenset[str]:
    """The names of all functions whose columns are as said; a tuple of kinds stands for any of them."""

    def suits(row: ElementaryFunction) -> bool:
        return all(_is_any(getattr(row, name), value) for name, value in columns.items())

    return frozenset(row.name for row in _ROWS if suits(row))


REORDERABLE = functions_with(associative=True)
"""Combines that an engine may reassociate, as the language allows."""
EXACT_IN_ANY_ORDER = functions_with(associative=True, kind=("choice", "logic"))
"""Those among them that give the same in any order, also where numbers are rounded or might overflow on the way."""
COMPARISONS = functions_with(kind="comparison")
COSTLY = functions_with(costly=True)


@lru_cache(maxsize=4096)
def result_column(name: str, columns: tuple[Column, ...]) -> Column:
    """The column of a function's result; raises `SpaceMismatch` where it has none."""
    return FUNCTIONS[name].rule(columns)


def identity_in(name: str, storage: str) -> int | float:
    """The value with which a combine leaves every other of a storage as it is; for sums of floats that is -0."""
    identity = FUNCTIONS[name].identity
    assert identity is not None
    if is_real(storage):
        return float(identity) or -0.0
    if storage == "bool":
        return int(identity > 0)
    if isinstance(identity, bool):
        return -int(identity)  # all bits, or none
    return int(identity) if math.isfinite(identity) else integer_range(storage)[identity > 0]


def derivatives_of(name: str, arity: int) -> tuple[str, ...]:
    """The derivatives by each argument, in ToLang; empty where a function has none."""
    if name == "log" and arity == 1:
        return ("1/x",)
    return FUNCTIONS[name].derivatives
