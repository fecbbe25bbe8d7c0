"""Binary searches: folds that go over as many elements at once as stand before an item.

    d = floor(log(2*n + 1, 2))
    reduce[k <= d](p = 0 -> { q = p + stride(k); if test(v[q]) then q else p })
    stride(k) = floor((floor(n / 2^(k-1)) + 1) / 2)

After k steps `r = floor(n / 2^k)` elements behind the first `p` are left to look at: a stride is half of them, rounded
up, so that `p + r <= n` stays true, every `q` is from 1 to n, and after d steps none is left.  Where the test holds of
the first elements and of no others, `p` is how many these are.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.conditions import compare
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.plan.nest import Checked, ConstantScalar, Group, Index, Named, Operation, Reduction, Scalar, Select, Where


@dataclass(frozen=True, slots=True)
class SearchFold:
    """A fold that finds how many of the first `extent` elements a `test` holds of, at a `coordinate` each."""

    group: Group
    coordinate: str
    test: Scalar
    extent: Size


def search_of(scalar: Scalar, bound: Mapping[str, Scalar]) -> SearchFold | None:
    """A scalar as a search, by what the names around it are bound to; None where it is something else."""
    match scalar:
        case Reduction(group=group):
            pass
        case Checked(checks=(check,), value=Reduction(group=group)):
            if check != compare(">=", group.extents[0], ZERO):  # which holds always
                return None
        case _:
            return None
    if (
        len(group.states) != 1
        or len(group.extents) != 1
        or group.combine is not None
        or not _is_zero(group.initials[0])
    ):
        return None
    extent = _halved_to_nothing(bound.get(str(group.extents[0])))
    step, own = unwrapped(group.steps[0])
    match step:
        case Select(guard=None, test=(test,), then=Named(name=taken), otherwise=Named(name=kept)):
            wanted = group.states[0], group.iterators[0], extent
            if extent is not None and kept == wanted[0] and _goes_on(own.get(taken), *wanted, own):
                return SearchFold(group, taken, test, extent)
    return None


def unwrapped(scalar: Scalar) -> tuple[Scalar, dict[str, Scalar]]:
    """A scalar without the names bound around it, and these."""
    bound: dict[str, Scalar] = {}
    while isinstance(scalar, Where):
        bound.update(scalar.bindings)
        scalar = scalar.value
    return scalar, bound


def _is_zero(scalar: Scalar) -> bool:
    return isinstance(scalar, ConstantScalar) and scalar.value == 0


def _halved_to_nothing(scalar: Scalar | None) -> Size | None:
    """The n that can be halved floor(log(2*n + 1, 2)) times before nothing is left."""
    match scalar:
        case Operation(function="log", arguments=(argument, ConstantScalar(value=2))):
            twice = size_of(argument)
            return None if twice is None else (twice - 1) * Fraction(1, 2)
    return None


def _goes_on(reached: Scalar | None, state: str, step: str, extent: Size | None, bound: Mapping[str, Scalar]) -> bool:
    """Whether what is reached is a stride of half the elements that are left behind a state."""
    if reached is None or extent is None:
        return False
    reached, around = unwrapped(reached)
    match reached:
        case Operation(function="add", arguments=(Named(name=name), Index(size=stride))) if name == state:
            return _is_half_left({**bound, **around}.get(str(stride)), step, extent)
    return False


def _is_half_left(scalar: Scalar | None, step: str, extent: Size) -> bool:
    """(floor(extent / 2^(step-1)) + 1) / 2"""
    match scalar:
        case Operation(function="div", arguments=(Operation(function="add", arguments=(left, one)), two)):
            match left:
                case Operation(function="floor", arguments=(Operation(function="div", arguments=(all_, power)),)):
                    whole = size_of(all_) == extent and size_of(one) == ONE and size_of(two) == Size.of(2)
                    return whole and _is_power(power, Size.of(step) - 1)
    return False


def _is_power(scalar: Scalar, exponent: Size) -> bool:
    match scalar:
        case Operation(function="pow", arguments=(ConstantScalar(value=2), given)):
            return size_of(given) == exponent
    return False


def size_of(scalar: Scalar) -> Size | None:
    """Arithmetic of sizes as a size."""
    match scalar:
        case Index(size=size):
            return size
        case ConstantScalar(value=int(value)):
            return Size.of(value)
        case Operation(function="add" | "sub" | "mul" as function, arguments=(first, second)):
            one, other = size_of(first), size_of(second)
            if one is None or other is None:
                return None
            return one + other if function == "add" else one - other if function == "sub" else one * other
    return None
