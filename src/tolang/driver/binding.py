"""Data to inputs: columns, shapes, and the size variables that the shapes give."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tolang.core.core import Input, Program
from tolang.ground.diagnostics import Diagnostic, ToLangRunError, ToLangUsageError
from tolang.ground.sizes import Size
from tolang.ground.values import ToL

LARGEST_VOLUME = 2**63 - 1


def bind_sizes(program: Program, inputs: Mapping[str, ToL], given: Mapping[str, int]) -> dict[str, int]:
    """Every size variable, from the shapes of the inputs and from sizes given by name."""
    sizes: dict[str, int] = {}
    origin: dict[str, str] = {}
    for name, value in given.items():
        sizes[name], origin[name] = int(value), "as given"
    open_lengths: list[tuple[Input, int, Size, int]] = []
    for one in program.inputs:
        shape = inputs[one.name].shape
        if len(shape) != one.type.rank:
            raise _fault("E516", f"{one.name} has {len(shape)} dimension(s), declared are {one.type.rank}",
                         found=_shape(shape), expected=f"{one.type}")  # fmt: skip
        for axis, (length, actual) in enumerate(zip(one.type.shape, shape, strict=True)):
            open_lengths.append((one, axis, length, actual))
    numerics = {i.name: inputs[i.name] for i in program.inputs if i.type.is_numeric}
    for one, axis, length, actual in open_lengths:
        _solve(length, actual, sizes, origin, f"{one.name}'s dimension {axis + 1}", program.sizes)
    for one, axis, length, actual in open_lengths:
        _check(one, axis, length, actual, sizes, origin, numerics)
    missing = [s for s in program.sizes if s not in sizes]
    if missing:
        raise _fault("E517", f"the size {missing[0]} is not given by any input", fix=f"pass {missing[0]}=… by name")
    return sizes


def _solve(
    length: Size, actual: int, sizes: dict[str, int], origin: dict[str, str], place: str, known: tuple[str, ...]
) -> None:
    """A length that is affine in one unknown size gives that size."""
    unknown = [n for n in length.names() if n not in sizes and n in known]
    if len(unknown) != 1:
        return
    split = length.substitute({n: Size.of(v) for n, v in sizes.items()}).split(unknown[0])
    if split is None or split[0].constant is None or split[1].constant is None or split[0].constant == 0:
        return
    value = Fraction(actual - split[1].constant) / split[0].constant
    if value.denominator == 1 and value >= 0:
        sizes[unknown[0]] = int(value)
        origin[unknown[0]] = f"from {place}"


def _check(
    one: Input,
    axis: int,
    length: Size,
    actual: int,
    sizes: dict[str, int],
    origin: dict[str, str],
    numerics: Mapping[str, ToL],
) -> None:
    values: dict[str, int] = {
        n: sizes[n] if n in sizes else int(numerics[n].item()) for n in length.names() if n in sizes or n in numerics
    }
    if len(values) < len(length.names()):
        return
    wanted = length.evaluate(values)
    if wanted != actual:
        reasons = ", ".join(f"{n} = {values[n]} {origin.get(n, '')}".strip() for n in sorted(values))
        raise _fault("E516", f"dimension {axis + 1} of {one.name} has length {actual}, declared is {length}",
                     found=str(actual), expected=f"{wanted}" + (f" ({reasons})" if reasons else ""))  # fmt: skip


def _shape(shape: tuple[int, ...]) -> str:
    return f"[{','.join(str(n) for n in shape)}]"


def _fault(code: str, message: str, **details: str) -> ToLangRunError:
    return ToLangRunError(Diagnostic(code, message, **details))


def usage(code: str, message: str, **details: str) -> ToLangUsageError:
    return ToLangUsageError(Diagnostic(code, message, **details))
