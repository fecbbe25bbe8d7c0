"""The basic elementary functions on NumPy arrays: the meaning that every engine is held against.

`apply` evaluates one function at every element.  Its arguments come as the program has them; its result has the
storage that `functions.result_column` says.  Nothing here warns: floats follow IEEE 754, whole numbers of Z are right
or an error, declared machine integers wrap, Q is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tolang.ground.system.memory import memory_fault, refuse_beyond_memory
from tolang.ground.values.casting import OBJECT_STORAGES, Array, cast, python_values
from tolang.ground.values.conversion import convert
from tolang.ground.values.exact import apply_exact, refuse_zero
from tolang.ground.values.extremes import extremum
from tolang.ground.values.functions import COMPARISONS
from tolang.ground.values.logarithm import logarithm_to_base
from tolang.ground.values.overflow import checked, checked_power, checked_sign
from tolang.ground.values.reduction import accumulate, reduce_along
from tolang.ground.values.spaces import NARROW_FLOATS, Column, dtype_of, storage_family, storage_of
from tolang.ground.values.strips import room, strips
from tolang.ground.values.text_parts import substrings
from tolang.ground.values.texts import CASES, appended, characters_at, in_case, lengths_of, numbers_in, written

__all__ = ["accumulate", "apply", "convert", "reduce_along"]

UFUNCS: dict[str, Any] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.true_divide, "mod": np.mod, "pow": np.power,
    "lt": np.less, "gt": np.greater, "le": np.less_equal, "ge": np.greater_equal, "eq": np.equal, "ineq": np.not_equal,
    "sgn": np.sign, "abs": np.abs, "neg": np.negative, "floor": np.floor,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "sqrt": np.sqrt, "exp": np.exp, "log": np.log, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
    "not": np.invert,
}  # fmt: skip
"""The functions of NumPy that compute the basic functions on machine storages."""

SLOW_STRIP = 1 << 19
"""How many complex numbers are computed with at a time."""
SURELY_FITS = 1 << 20
"""Arguments whose sizes multiply to no more than this give results that no memory is too small for."""

Evaluation = Callable[[str, Sequence[Array], Column, Sequence[Column]], Array]


def apply(name: str, arguments: Sequence[Array], result: Column, sources: Sequence[Column]) -> Array:
    """One basic elementary function at every element of its arguments, which broadcast as NumPy's do.

    `sources` are the columns of the arguments, `result` is what `result_column` gives for them.
    """
    arrays = [np.asarray(one) for one in arguments]
    evaluate = EVALUATIONS.get(name)
    if evaluate is None:
        raise ValueError(f"{name} is not a function of values alone")
    goal = dtype_of(result.storage)
    if math.prod(one.size for one in arrays) > SURELY_FITS:
        refuse_beyond_memory(
            np.broadcast_shapes(*(one.shape for one in arrays)), goal.itemsize, f"the result of {name}"
        )
    try:
        with np.errstate(all="ignore"):
            if max(one.size for one in arrays) > SLOW_STRIP and any(one.dtype.kind == "c" for one in arrays):
                return _in_strips(lambda parts: evaluate(name, parts, result, sources), arrays, goal)
            return evaluate(name, arrays, result, sources).astype(goal, copy=False)
    except MemoryError as error:
        raise memory_fault(f"the result of {name}") from error


def _in_strips(evaluate: Callable[[list[Array]], Array], arrays: list[Array], goal: Any) -> Array:
    """A function of complex numbers, which are slow, and refuse none: no single call of NumPy lasts."""
    shape = np.broadcast_shapes(*(one.shape for one in arrays))
    made, spread = room(shape, goal), [np.broadcast_to(one, shape) for one in arrays]
    for part in strips(shape, SLOW_STRIP):
        made[part] = evaluate([one[part] for one in spread])
    return made


def wraps(one: Column) -> bool:
    """Whether whole numbers of this column wrap: only where the user declared a machine integer."""
    return one.space.is_machine and one.space.family == "Z"


def _computing_storage(storage: str) -> str:
    """Narrow floats are computed in f32 and rounded once, as the machines that have them do."""
    return "f32" if storage in NARROW_FLOATS else storage


def _brought(arrays: Sequence[Array], result: Column) -> list[Array]:
    """The arguments in the storage the result is computed in."""
    storage = _computing_storage(result.storage)
    return [cast(one, storage, wraps(result)) for one in arrays]


def _is_checked(result: Column) -> bool:
    """Whether the result is a whole number in a machine storage that must not wrap."""
    return not wraps(result) and storage_family(result.storage) == "Z" and result.storage != "integer"


def _checked_arguments(arrays: Sequence[Array], result: Column) -> list[Array]:
    """The arguments in 64 bits: with a sign, unless the result has none, as that of truth values and u64."""
    return [cast(one, _wide(result)) for one in arrays]


def _wide(result: Column) -> str:
    return "u64" if result.storage == "u64" else "i64"


def _narrowed(outcome: Array, result: Column) -> Array:
    """A checked result in its own storage, which is 64 bits wide unless someone asked for less."""
    return cast(outcome, result.storage)


def _arithmetic(name: str, arrays: Sequence[Array], result: Column, sources: Sequence[Column]) -> Array:
    """add, sub, mul."""
    if _is_checked(result):
        first, second = _checked_arguments(arrays, result)
        return _narrowed(checked(name, first, second), result)
    return _plain(name, arrays, result, sources)


def _plain(name: str, arrays: Sequence[Array], result: Column, sources: Sequence[Column]) -> Array:
    """A function that machine storages and exact ones compute as they are."""
    brought = _brought(arrays, result)
    if result.storage in OBJECT_STORAGES:
        return apply_exact(name, brought, result.storage == "rational")
    return np.asarray(UFUNCS[name](*brought))


def _opposite(name: str, arrays: Sequence[Array], result: Column, sources: Sequence[Column]) -> Array:
    """neg and abs; the magnitude of a complex number is real."""
    if arrays[0].dtype.kind == "c" and name == "abs":
        return np.asarray(np.abs(arrays[0]))
    if _is_checked(result):
        return _narrowed(checked_sign(name, _checked_arguments(arrays, result)[0]), result)
    return _plain(name, arrays, result, sources)


def _quotient(name: str, arrays: Sequence[Array], result: Column, sources: Sequence[Column]) -> Array:
    """Division: of whole numbers it is in R, where a zero divisor gives Inf or NaN."""
    if result.storage != "rational" and all(one.dtype == object for one in arrays):
        return _quotient_of_long(arrays)
    return _plain(name, arrays, result, sources)


def _quotient_of_long(arrays: Sequence[Array]) -> Array:
    """Long integers divide exactly and round once, for each alone may be beyond the floats."""
    dividend, divisor = np.broadcast_arrays(*arrays)
    zero = np.asarray(divisor == 0, dtype=bool)
    exact = cast(apply_exact("div", [cast(dividend, "rational"), np.where(zero, 1, divisor)], True), "f64")
    return np.where(zero, cast(dividend, "f64") / np.where(zero, 0.0, 1.0), exact)


def _remainder(name: str, arrays: Sequence[Array], result: Column, sources: Sequence[Column]) -> Array:
    """The remainder of floor division; there is no remainder of a whole number by zero."""
    brought = _brought(arrays, result)
    if storage_family(result.storage) == "Z":
        refuse_zero(name, brought[0], brought[1])
    return _plain(name, brought, result, sources)


def _power(name: str, arrays: Sequence[Array], result: Column, sources: Sequence[Column]) -> Array:
    """Powers; exponents of whole numbers are never narrowed, for they do not wrap with their base."""
    base, exponent = arrays
    if result.storage in OBJECT_STORAGES:
        return apply_exact(name, [cast(base, result.storage), cast(exponent, "integer")], result.storage == "rational")
    if _is_checked(result):
        return _narrowed(checked_power(cast(base, _wide(result)), cast(exponent, "u64")), result)
    if wraps(result):
        wide = "u64" if result.storage[0] == "u" else "i64"
        return cast(np.asarray(np.power(cast(base, wide, True), cast(exponent, wide))), result.storage, True)
    first, second = _brought(arrays, result)
    if result.storage == "c64":  # in 32 bits a large power has few digits that are right
        return np.power(cast(first, "c128"), cast(second, "c128")).astype(np.complex64)
    first, second = _quiet(first), _quiet(second)
    return _with_roots(_float_power(first, second), first, second)


def _float_power(base: Array, exponent: Array) -> Array:
    """Powers of floats; to small whole exponents products, so that a square is a product that is rounded, everywhere.

    NumPy takes products or not by how its arguments lie, and else has a last digit that depends on the processor.
    """
    if base.dtype.kind == "c":
        return np.asarray(np.power(base, exponent))
    met = [one for one in CHAINS if np.any(exponent == one)]
    if len(met) == 1 and np.all(exponent == met[0]):
        return np.array(np.broadcast_to(_chain(base, met[0]), np.broadcast_shapes(base.shape, exponent.shape)))
    found = np.asarray(np.power(base, exponent))
    for one in met:
        found = np.where(exponent == one, _chain(base, one), found)
    return found


CHAINS = (1, 2, 3, 4)
"""Exponents of powers that are chains of products."""


def _chain(base: Array, exponent: int) -> Array:
    """A float to one of `CHAINS`; those that are narrower than f32 are multiplied in it and rounded once."""
    wide = base.astype(np.float32) if base.dtype.itemsize < 4 else base
    square = wide if exponent == 1 else wide * wide
    product = square if exponent < 3 else square * (wide if exponent == 3 else square)
    return product.astype(base.dtype, copy=False)


def _quiet(numbers: Array) -> Array:
    """NaN of one kind: where NumPy asks C for a power, 1 to a signalling NaN is NaN, and 1 to any other is 1."""
    return numbers if numbers.dtype.kind == "c" else numbers * numbers.dtype.type(1)


def _with_roots(power: Array, base: Array, exponent: Array) -> Array:
    """Powers of floats where NumPy takes the square root for x^0.5: of what is not above 0 the two differ."""
    if power.dtype.kind == "c" or not np.any(exponent == 0.5):
        return power
    size = np.where(base == 0, base.dtype.type(0), base.dtype.type(np.inf))
    return np.where((exponent == 0.5) & ((base == 0) | np.isneginf(base)), size, power)


def _logarithm(name: str, arrays: Sequence[Array], result: Column, sources: Sequence[Column]) -> Array:
    """The natural logarithm, or with a second argument the logarithm to that base."""
    if len(arrays) == 2:
        return logarithm_to_base(arrays[0], arrays[1], _computing_storage(result.storage))
    return _plain(name, arrays, result, sources)


def _ordered(name: str, arrays: Sequence[Array], result: Column, sources: Sequence[Column]) -> Array:
    """max and min; on B they are `or` and `and`."""
    if result.storage == "bool":
        return np.asarray((np.logical_or if name == "max" else np.logical_and)(*arrays))
    if result.storage in OBJECT_STORAGES:
        return _plain(name, arrays, result, sources)
    return extremum(name, *_brought(arrays, result))


def _rounding(name: str, arrays: Sequence[Array], result: Column, sources: Sequence[Column]) -> Array:
    """floor; whole numbers are their own floor, Q gives whole numbers of any size."""
    if result.storage == "integer":
        return apply_exact(name, [python_values(arrays[0])], False)
    if storage_family(result.storage) == "Z":
        return _brought(arrays, result)[0]
    return _plain(name, arrays, result, sources)


def _logic(name: str, arrays: Sequence[Array], result: Column, sources: Sequence[Column]) -> Array:
    """and, or, xor, not: truth values, or the binary digits of whole numbers."""
    if not _is_checked(result):
        return _plain(name, arrays, result, sources)
    wide = np.asarray(UFUNCS[name](*_checked_arguments(arrays, result)))
    return _narrowed(_masked(wide, name, result), result)


def _masked(outcome: Array, name: str, result: Column) -> Array:
    """`not` within bounds that start at 0 turns over only the digits the upper bound has."""
    low, high = result.space.limits
    if name == "not" and result.space.bounded and low == 0 and high is not None:
        return np.asarray(outcome & outcome.dtype.type(2 ** int(high).bit_length() - 1))
    return outcome


def _comparison(name: str, arrays: Sequence[Array], result: Column, sources: Sequence[Column]) -> Array:
    """Comparisons give B; exact numbers compare exactly, a literal takes the storage of the float it meets."""
    if any(one.dtype == object for one in arrays):
        arrays = [python_values(one) for one in arrays]
        return np.asarray(UFUNCS[name](*arrays), dtype=bool)
    inexact = [s.storage for s in sources if not s.weak and storage_family(s.storage) in ("R", "C")]
    if inexact and any(s.weak for s in sources):
        arrays = [_literal_beside(one, inexact[0]) if s.weak else one for one, s in zip(arrays, sources, strict=True)]
    if any(s.storage in NARROW_FLOATS for s in sources):
        arrays = [cast(one, "f32") if storage_of(one.dtype) in NARROW_FLOATS else one for one in arrays]
    return np.asarray(UFUNCS[name](*arrays))


def _literal_beside(literal: Array, storage: str) -> Array:
    """A weak number as the inexact number it meets would hold it, unless it is complex and the other is not."""
    if literal.dtype.kind == "c" and storage_family(storage) != "C":
        return literal
    return cast(literal, storage)


def _characters(name: str, arrays: Sequence[Array], result: Column, sources: Sequence[Column]) -> Array:
    """length and code, of text."""
    return lengths_of(arrays[0]) if name == "length" else characters_at(*arrays)


def _cased(name: str, arrays: Sequence[Array], result: Column, sources: Sequence[Column]) -> Array:
    """Texts in letters of one case."""
    return in_case(name, arrays[0])


def _of_text(name: str, arrays: Sequence[Array], result: Column, sources: Sequence[Column]) -> Array:
    """Parts of texts, texts one after the other, and numbers as text and back."""
    return OF_TEXT[name](*arrays)


OF_TEXT: dict[str, Callable[..., Array]] = {
    "substring": substrings,
    "append_text": appended,
    "to_number": numbers_in,
    "to_text": written,
}
"""What functions of text give, at all elements of arrays that broadcast."""


_REAL = (
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "sqrt", "exp",
)  # fmt: skip

EVALUATIONS: dict[str, Evaluation] = {
    **dict.fromkeys(("add", "sub", "mul"), _arithmetic),
    "div": _quotient,
    "mod": _remainder,
    "pow": _power,
    "log": _logarithm,
    **dict.fromkeys(("and", "or", "xor", "not"), _logic),
    **dict.fromkeys(COMPARISONS, _comparison),
    **dict.fromkeys(("max", "min"), _ordered),
    "sgn": _plain,
    **dict.fromkeys(_REAL, _plain),
    **dict.fromkeys(("abs", "neg"), _opposite),
    "floor": _rounding,
    **dict.fromkeys(("length", "code"), _characters),
    **dict.fromkeys(CASES, _cased),
    **dict.fromkeys(OF_TEXT, _of_text),
}
"""How each basic function is evaluated; `rand` is not here, for it needs coordinates (`random.py`)."""
