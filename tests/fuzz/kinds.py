"""What kinds of numbers there are and how they combine, written from the language's definition for the evaluator here.

Nothing of tolang is used.  A kind is a space, the machine type that holds it, and whether it is weak, as literals, sizes
and coordinates are.  Machine types promote as NumPy 2 promotes them, which is asked itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, reduce
from typing import Any

import ml_dtypes
import numpy as np

WHOLE = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
FLOATS = ("f16", "bf16", "f32", "f64")
DTYPES: dict[str, Any] = {
    "bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8,
    "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
    "f32": np.float32, "f64": np.float64, "c128": np.complex128, "c64": np.complex64,
}  # fmt: skip
STORAGE = {"B": "bool", "Z": "i64", "Q": "rational", "R": "f64", "C": "c128", "S": "text"}
"""How each family is held where nothing else is said."""

WIDTH = {"B": 0, "Z": 1, "Q": 2, "R": 3, "C": 4}


class Meaningless(Exception):
    """A function has no meaning on these kinds: the program is not one."""


@dataclass(frozen=True)
class Kind:
    """One component of a list: its space (`N` is a part of `Z`), storage, weakness, and the bounds it was given."""

    space: str
    storage: str
    weak: bool = False
    bounds: tuple[int, int] | None = None

    @cached_property
    def machine(self) -> bool:
        return self.space in WHOLE or self.space in FLOATS

    @cached_property
    def family(self) -> str:
        return "Z" if self.space in (*WHOLE, "N") else "R" if self.space in FLOATS else self.space

    @cached_property
    def wraps(self) -> bool:
        return self.space in WHOLE


def plain(family: str, weak: bool = False) -> Kind:
    """A family's own kind."""
    return Kind(family, STORAGE[family], weak)


def machine(name: str) -> Kind:
    return Kind(name, name)


B, Z, Q, R, C, S = (plain(family) for family in "BZQRCS")
N = Kind("N", "i64")


@cache
def promoted(first: str, second: str) -> str:
    """The machine type in which two meet."""
    if first == second:
        return first
    try:
        found = np.result_type(np.dtype(DTYPES[first]), np.dtype(DTYPES[second]))
    except TypeError:
        raise Meaningless from None
    return next(name for name, kind in DTYPES.items() if np.dtype(kind) == found)


def _held(kind: Kind) -> str:
    """How arithmetic holds a kind: whole numbers that are no declared machine type in 64 bits."""
    return "i64" if kind.family == "Z" and not kind.machine else kind.storage


def met(kinds: Sequence[Kind], least: str = "B", held: Callable[[Kind], str] = _held) -> Kind:
    """The kind in which arithmetic on several is done."""
    if any(kind.family == "S" for kind in kinds):
        raise Meaningless
    strong = [kind for kind in kinds if not kind.weak]
    family = max([least, *(kind.family for kind in kinds)], key=lambda one: WIDTH[one])
    if not strong:
        return plain(family, weak=True)
    if "Q" in (kind.space for kind in strong) or family == "Q":
        return Q if family == "Q" else plain(family)
    storage = held(strong[0])
    for kind in strong[1:]:
        storage = promoted(storage, held(kind))
    if all(kind.machine for kind in strong):
        own = machine(storage)
        if WIDTH[family] <= WIDTH[own.family]:
            return own
    if family == "Z" and storage in WHOLE and all(kind.machine or kind.family == "B" for kind in strong):
        return Kind("Z", storage)
    return Kind(family, _fitting(storage, family))


def _fitting(storage: str, family: str) -> str:
    """The machine type of a family that takes the place of one that may be of a narrower family."""
    own = "B" if storage == "bool" else "Z" if storage in WHOLE else "R" if storage in FLOATS else "C"
    if family == "Z":
        return "i64"
    if family == "C" and own != "C":
        return "c64" if storage in ("f16", "f32", "bf16") else "c128"
    return storage if own == family else STORAGE[family]


def joined(one: Kind, two: Kind) -> Kind:
    """The kind that holds both, as in a block, a branch, a fold's state."""
    if "S" in (one.family, two.family):
        if one.family != two.family:
            raise Meaningless
        return S
    if one.weak == two.weak and (one.space, one.bounds) == (two.space, two.bounds):
        return _together(one, two)
    found = met([one, two], held=lambda kind: kind.storage)
    if found.space in ("N", "Z"):
        together = promoted(one.storage, two.storage)
        return replace(found, storage=together if together in WHOLE else "i64")
    return found


def _together(one: Kind, two: Kind) -> Kind:
    """A kind in the storage in which two of one space meet: as NumPy has it, but whole numbers stay whole."""
    if one.storage == two.storage:
        return one
    storage = promoted(one.storage, two.storage)
    return replace(one, storage="i64" if one.family == "Z" and storage not in WHOLE else storage)


def result(function: str, kinds: Sequence[Kind]) -> Kind:
    """The kind of a basic function's value."""
    families = {kind.family for kind in kinds}
    if function in ("lt", "gt", "le", "ge", "eq", "ineq"):
        if ("S" in families and families != {"S"}) or ("C" in families and function not in ("eq", "ineq")):
            raise Meaningless
        return B
    if function in ("and", "or", "xor", "not"):
        return _logical(kinds, families)
    if function in ("max", "min"):
        first = kinds[0]
        if all((kind.space, kind.bounds, kind.weak) == (first.space, first.bounds, False) for kind in kinds):
            return reduce(_together, kinds) if first.family != "C" else _refused()
        if families in ({"S"}, {"B"}):
            return plain(families.pop(), all(kind.weak for kind in kinds))
    if "C" in families and function in ("max", "min", "mod", "sgn", "floor", "rand"):
        raise Meaningless
    found = met(kinds, "Z")
    match function:
        case "div" | "sqrt" | "exp" | "sin" | "cos" | "tanh" | "log" | "rand":
            exact = ("Z",) if function == "div" else ("Z", "Q")
            return plain("R", found.weak) if found.family in exact else found
        case "pow" if found.family == "Q" and kinds[1].family not in ("B", "Z"):
            return plain("R", found.weak)
        case "pow" if found.family == "Z" and not _never_negative(kinds[1]):
            return plain("R", found.weak)
        case "abs" if found.family == "C":
            return Kind("R", "f32" if found.storage == "c64" else "f64", found.weak)
        case "floor" if found.family == "Q":
            raise Meaningless
    return found


def _of_digits(ends: Sequence[int]) -> Kind:
    """All whole numbers of as many binary digits as the widest of some bounds has, held in the narrowest type."""
    digits = max((end if end >= 0 else ~end).bit_length() for end in ends)
    low, high = (0 if min(ends) >= 0 else -(2**digits), 2**digits - 1)
    kinds = ("u8", "u16", "u32", "u64") if low == 0 else ("i8", "i16", "i32", "i64")
    storage = next(one for one in kinds if np.iinfo(DTYPES[one]).min <= low and high <= np.iinfo(DTYPES[one]).max)
    return Kind("N" if low == 0 else "Z", storage, bounds=(low, high))


def _refused() -> Kind:
    raise Meaningless


def _never_negative(kind: Kind) -> bool:
    return kind.space in ("B", "N") or kind.space.startswith("u")


def _logical(kinds: Sequence[Kind], families: set[str]) -> Kind:
    """Truth values, or the binary digits of whole numbers; bounded ones keep to as many as their bounds have."""
    if families == {"B"}:
        return B
    if not families <= {"B", "Z"}:
        raise Meaningless
    strong = [kind for kind in kinds if not kind.weak and kind.family == "Z"]
    if strong and all(kind.bounds for kind in strong):
        return _of_digits([end for kind in strong for end in kind.bounds or ()])
    found = met(kinds, "Z")
    if found.family != "Z":
        return _refused()
    if strong and all(kind.machine for kind in strong):
        return machine(reduce(promoted, [kind.storage for kind in strong]))
    if not strong:
        return found
    storage = reduce(promoted, [kind.storage for kind in kinds])  # no digits are lost where all are held in one type
    return replace(found, storage=storage if storage in WHOLE else "i64")
