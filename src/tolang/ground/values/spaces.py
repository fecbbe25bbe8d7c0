"""Type spaces (sets of numerics), storages (machine types), and how both combine.

A space says what a numeric may be, a storage how it is held: an f32 array is a legal R.  A `Column` is one
component of a list as the checker knows it: its space, its storage, and whether it is *weak*, as literals, sizes and
coordinates are, so that it takes the storage of what it meets.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import cache, reduce
from typing import Any

import numpy as np

from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.reporting.escaping import shown

Bound = int | Fraction | float

FAMILY_OF_PAPER = {
    "B": "B", "N": "Z", "N*": "Z", "Z": "Z", "Z*": "Z", "Z+": "Z", "Z-": "Z",
    "Q": "Q", "Q*": "Q", "Q+": "Q", "Q-": "Q", "R": "R", "R*": "R", "R+": "R", "R-": "R", "I": "I", "C": "C",
}  # fmt: skip
FAMILY_OF_MACHINE = {
    "i8": "Z", "i16": "Z", "i32": "Z", "i64": "Z", "u8": "Z", "u16": "Z", "u32": "Z", "u64": "Z",
    "f16": "R", "bf16": "R", "f32": "R", "f64": "R", "c64": "C", "c128": "C",
    "f8e4m3fn": "R", "f8e4m3fnuz": "R", "f8e5m2": "R", "f8e5m2fnuz": "R", "f8e8m0": "R", "f4e2m1": "R",
}  # fmt: skip
FAMILIES = FAMILY_OF_PAPER | FAMILY_OF_MACHINE | {"S": "S"}
"""Every predefined space and the family it belongs to."""

DEFAULT_STORAGE = {"B": "bool", "Z": "i64", "Q": "rational", "R": "f64", "I": "c128", "C": "c128", "S": "text"}
NUMPY_NAME = {
    "bool": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16",
    "u32": "uint32", "u64": "uint64", "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64",
    "c128": "complex128", "rational": "object", "integer": "object", "text": "object",
}  # fmt: skip
"""Storages and their NumPy types.  `rational` holds Fractions, `integer` Python integers of any size."""
NARROW_FLOATS = {
    "bf16": "bfloat16", "f8e4m3fn": "float8_e4m3fn", "f8e4m3fnuz": "float8_e4m3fnuz", "f8e5m2": "float8_e5m2",
    "f8e5m2fnuz": "float8_e5m2fnuz", "f8e8m0": "float8_e8m0fnu", "f4e2m1": "float4_e2m1fn",
}  # fmt: skip
"""Storages of machine learning and their types in ml_dtypes; what is held in them is computed in f32."""
NARROW_INTEGERS = {"i4": (-8, 7), "u4": (0, 15), "i2": (-2, 1), "u2": (0, 3)}
"""Predefined bounded spaces: whole numbers of a few binary digits, each held in 8."""
STORAGES = frozenset({*NUMPY_NAME, *NARROW_FLOATS})

WIDENING = {"B": 0, "Z": 1, "Q": 2, "R": 3, "I": 4, "C": 4}


@dataclass(frozen=True, slots=True)
class Space:
    """A set of numerics: a predefined root, possibly bounded.  `name` is what the user called it."""

    root: str
    lower: Bound | None = None
    upper: Bound | None = None
    name: str | None = field(default=None, compare=False)

    @property
    def family(self) -> str:
        return FAMILIES[self.root]

    @property
    def is_machine(self) -> bool:
        return self.root in FAMILY_OF_MACHINE

    @property
    def bounded(self) -> bool:
        return self.lower is not None or self.upper is not None

    @property
    def default(self) -> Space:
        """The space arithmetic starts from: a member of a family reports the family's own name, and N stays N."""
        if self.is_machine or self.root in ("B", "S", "I", "C"):
            return Space(self.root)
        return Space(self.root[0])

    @property
    def reported(self) -> Space:
        """The space by which `space(t)` names this one: its default, or a predefined bounded space."""
        return self if self.name in NARROW_INTEGERS else self.default

    @property
    def limits(self) -> tuple[Bound | None, Bound | None]:
        """The least and greatest value, where the root's sign or the bounds give one (strict signs are not shown)."""
        low: Bound | None = 0 if self.root in ("N", "Q+", "R+") else 1 if self.root in ("N*", "Z+") else None
        high: Bound | None = 0 if self.root in ("Q-", "R-") else -1 if self.root == "Z-" else None
        if self.lower is not None:
            low = self.lower if low is None else max(low, self.lower)
        if self.upper is not None:
            high = self.upper if high is None else min(high, self.upper)
        return low, high

    @property
    def storage(self) -> str:
        """The storage of data that brings none of its own."""
        if self.is_machine:
            return self.root
        low, high = self.limits
        if self.family == "Z" and self.bounded and low is not None and high is not None:
            return narrowest_integer(math.ceil(low), math.floor(high))
        return DEFAULT_STORAGE[self.family]

    def __str__(self) -> str:
        if self.name:
            return self.name
        if not self.bounded:
            return self.root
        lower = "-Inf" if self.lower is None else self.lower
        upper = "+Inf" if self.upper is None else self.upper
        return f"{self.root}[{lower},{upper}]"


def predefined(name: str) -> Space | None:
    """The space that a name stands for in every program."""
    if name in NARROW_INTEGERS:
        lower, upper = NARROW_INTEGERS[name]
        return Space("Z", lower, upper, name=name)
    return Space(name) if name in FAMILIES else None


def narrowest_integer(low: int, high: int) -> str:
    """The smallest machine integer that holds both ends, unsigned where it can; `integer` where none does."""
    kinds = ("u8", "u16", "u32", "u64") if low >= 0 else ("i8", "i16", "i32", "i64")
    for kind in kinds:
        smallest, largest = integer_range(kind)
        if smallest <= low and high <= largest:
            return kind
    return "integer"


def integer_range(storage: str) -> tuple[int, int]:
    """The least and greatest integer that a machine integer storage holds."""
    bits = int(storage[1:])
    return (0, 2**bits - 1) if storage[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


@dataclass(frozen=True, slots=True)
class Column:
    """One component of a list: its space, its storage, and its name if the list type names it."""

    space: Space
    storage: str
    weak: bool = False
    name: str | None = field(default=None, compare=False)

    def __hash__(self) -> int:
        return hash((self.space.root, self.storage, self.weak))  # it is asked for often, and tells nearly all apart

    def __str__(self) -> str:
        prefix = f"{shown(self.name)}: " if self.name else ""
        weak = "~" if self.weak else ""
        storage = "" if self.storage == self.space.storage else f"/{self.storage}"
        return f"{prefix}{self.space}{weak}{storage}"


@cache
def column(root: str, storage: str | None = None, weak: bool = False) -> Column:
    """The column of a predefined space, with its default storage unless one is given."""
    space = Space(root)
    return Column(space, storage or space.storage, weak)


@cache
def dtype_of(storage: str) -> np.dtype[Any]:
    """The NumPy type that holds a storage."""
    if storage in NUMPY_NAME:
        return np.dtype(NUMPY_NAME[storage])
    import ml_dtypes  # only the narrow floats of machine learning need it

    narrow: np.dtype[Any] = np.dtype(getattr(ml_dtypes, NARROW_FLOATS[storage]))
    return narrow


@cache
def storage_of(dtype: np.dtype[Any]) -> str | None:
    """The storage that a NumPy type stands for; None for object arrays and types that hold no numerics."""
    if dtype.kind in "UT":
        return "text"
    if dtype.name in NARROW_FLOATS.values():
        return next(storage for storage, name in NARROW_FLOATS.items() if name == dtype.name)
    return next((storage for storage, name in NUMPY_NAME.items() if name != "object" and dtype == np.dtype(name)), None)


def promote(first: str, second: str) -> str:
    """The storage two storages meet in, as NumPy 2 promotes; exact storages stay exact among themselves."""
    if first == second:
        return first
    pair = {first, second}
    if "text" in pair:
        raise ValueError("text and numbers share no storage")
    exact = pair & {"rational", "integer"}
    if exact:
        others = [one for one in (first, second) if storage_family(one) in ("R", "C")]
        return promote(others[0], "f64") if others else "rational" if "rational" in pair else "integer"
    narrow = pair & set(NARROW_FLOATS)
    if len(narrow) == 2:
        return "f32"
    if narrow:
        other = (pair - narrow).pop()
        kept = other == "bool" or ("bf16" in narrow and other in ("i8", "u8"))
        return narrow.pop() if kept else promote("f32", other)
    return storage_of(np.result_type(dtype_of(first), dtype_of(second))) or "f64"


def join_spaces(first: Space, second: Space) -> Space | None:
    """The smallest predefined space that holds both; None where numbers meet text."""
    if first == second:
        return first
    if (first.family == "S") != (second.family == "S"):
        return None
    if first.is_machine and second.is_machine:
        return Space(promote(first.root, second.root))
    one, two = first.default, second.default
    if one.is_machine:
        one = Space(one.family)
    if two.is_machine:
        two = Space(two.family)
    if one == two:
        return one
    wider = max(one, two, key=lambda s: (WIDENING[s.family], s.root != "N"))
    narrower = two if wider is one else one
    if "I" in (one.root, two.root):
        return Space("C")
    if wider.root == "N" and narrower.family == "B":
        return Space("N")
    return wider


def fitting_storage(storage: str, family: str) -> str:
    """A storage of that family at least as wide as the one given: an i64 among reals is an f64."""
    order = ["B", "Z", "Q", "R", "C"]
    own = storage_family(storage)
    goal = "C" if family == "I" else family
    if own == "S" or goal == "S" or order.index(own) >= order.index(goal):
        return storage
    if goal == "C":
        return "c64" if storage in ("f16", "f32", *NARROW_FLOATS) else "c128"
    return DEFAULT_STORAGE[goal]


def common_storage(storages: Iterable[str], space: Space) -> str:
    """The storage in which values of several storages meet when they meet in that space.

    Machine spaces are their own storage.  Whole numbers stay whole: where NumPy would go to floats, as for u64 with
    i64, they meet in i64, and a value that does not fit is an error when it is brought there.
    """
    if space.is_machine:
        return space.root
    given = list(storages)
    if space.family == "Q":
        return "rational"
    if space.family == "Z" and "integer" in given:
        return "integer"
    met = fitting_storage(reduce(promote, given), space.family)
    return "i64" if space.family == "Z" and storage_family(met) != "Z" else met


@cache
def is_float(storage: str) -> bool:
    """Whether arithmetic is done in a storage as it is."""
    return storage in ("f32", "f64")


def is_narrow(storage: str) -> bool:
    """Whether a storage holds floats that are computed in f32, and rounded after every function."""
    return storage in ("f16", "bf16")


def is_real(storage: str) -> bool:
    return is_float(storage) or is_narrow(storage)


def is_complex(storage: str) -> bool:
    return storage in ("c64", "c128")


def is_unsigned(storage: str) -> bool:
    return storage[0] == "u" or storage == "bool"


def storage_family(storage: str) -> str:
    """The family whose values a storage holds."""
    if storage in FAMILY_OF_MACHINE:
        return FAMILY_OF_MACHINE[storage]
    return {"bool": "B", "rational": "Q", "integer": "Z", "text": "S"}[storage]


def join_columns(first: Column, second: Column) -> Column | None:
    """The column that holds the values of both, as in a block, a branch or an accumulator.

    A weak column takes the storage of a strong one, and a machine space keeps itself beside numbers of its own
    family.  Whole numbers of Z that meet a weak one are held in i64, for what is weak may be larger than they are.
    """
    space = join_spaces(first.space, second.space)
    if space is None:
        return None
    name = first.name or second.name
    if first.weak == second.weak:
        return Column(space, common_storage((first.storage, second.storage), space), first.weak, name)
    own, weak = (second, first) if first.weak else (first, second)
    if own.space.family == "S":
        return Column(own.space, own.storage, False, name)
    if own.space.is_machine and WIDENING[weak.space.family] <= WIDENING[own.space.family]:
        space = own.space
    storages = [own.storage]
    if space.family == "Z":
        storages.append(weak.storage)
    return Column(space, common_storage(storages, space), False, name)


def renames(columns: tuple[Column, ...], goal: tuple[Column, ...]) -> bool:
    """Whether a type list gives a component a name that it does not have."""
    return any(new.name not in (None, old.name) for old, new in zip(columns, goal, strict=True))


def strong(one: Column) -> Column:
    """The column with its weakness gone: what a literal is once it is data of its own."""
    return replace(one, weak=False) if one.weak else one
