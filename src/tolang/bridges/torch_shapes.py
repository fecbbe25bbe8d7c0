"""Shapes and types of results from those of tensors that have no values yet: our symbolic sizes in PyTorch's."""

from __future__ import annotations

import operator as arithmetic
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
import torch

from tolang.bridges.operators import Operator
from tolang.core.core import Core, Require
from tolang.core.let_chain import unwound
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.reporting.faults import fault
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Extremum, Interned, Quotient, Size
from tolang.ground.values.spaces import NARROW_FLOATS, NUMPY_NAME, dtype_of

Length = Any
"""A length, which is a number or a symbol (`torch.SymInt`)."""
KINDS = {
    storage: getattr(torch, name)
    for storage, name in (*NUMPY_NAME.items(), *NARROW_FLOATS.items())
    if isinstance(getattr(torch, name, None), torch.dtype)
}
"""The types of tensors, by storage."""
STORAGES = {kind: storage for storage, kind in KINDS.items()}


def numpy_kind(tensor: torch.Tensor) -> np.dtype[Any]:
    """The NumPy type of a tensor's numbers."""
    storage = STORAGES.get(tensor.dtype)
    if storage is None:
        expected = ", ".join(map(str, STORAGES))
        raise usage("E614", f"a tensor of {tensor.dtype} holds no numbers of ToLang", expected=expected)
    return dtype_of(storage)


def empty_results(operator: Operator, tensors: Sequence[torch.Tensor], sizes: Sequence[Length]) -> list[torch.Tensor]:
    """Tensors as the operator will give them, without values.  What the sizes have to fulfil is asked of PyTorch.

    A length that only running tells is a symbol of its own.
    """
    core = operator.core(map(numpy_kind, tensors))
    shapes = {name: tuple(one.shape) for name, one in zip(operator.inputs, tensors, strict=True)}
    shapes |= {name: value.shape for name, value in operator.program.weights.items()}
    known = bound_sizes(core, shapes, dict(zip(operator.sizes, sizes, strict=True)))
    _require(core, known)
    device = tensors[0].device if tensors else torch.device("cpu")
    found = []
    for output in core.outputs:
        for name in sorted({name for length in output.type.shape for name in length.names()} - known.keys()):
            known[name] = _unknown_length(core, name)
        shape = [evaluated(length, known) for length in output.type.shape]
        found.append(torch.empty(shape, dtype=KINDS[output.type.column.storage], device=device))
    return found


def _unknown_length(core: Core, name: str) -> Length:
    least, most = core.bounds.get(name, (None, None))
    ends = [end.constant if end is not None and isinstance(end.constant, int) else None for end in (least, most)]
    return torch.library.get_ctx().new_dynamic_size(min=max(0, ends[0] or 0), max=ends[1])


def bound_sizes(core: Core, shapes: Mapping[str, Sequence[Length]], given: Mapping[str, Length]) -> dict[str, Length]:
    """The size variables that shapes tell, beside those given; a length that is not as declared is an error."""
    known = dict(given)
    waiting: list[tuple[str, Size, Length]] = []
    for one in core.inputs:
        shape = shapes[one.name]
        if len(shape) != one.type.rank:
            found, expected = f"{len(shape)} dimension(s)", str(one.type)
            message = f"{one.name} has another number of dimensions than declared"
            raise fault("E516", message, found=found, expected=expected)
        waiting += [(one.name, declared, length) for declared, length in zip(one.type.shape, shape, strict=True)]
    while waiting:
        left = [one for one in waiting if not _settled(core, known, *one)]
        if len(left) == len(waiting):
            break
        waiting = left
    return known


def _settled(core: Core, known: dict[str, Length], name: str, declared: Size, length: Length) -> bool:
    """Whether a length is used up: it has given its one unknown size, or is held against its declaration."""
    unknown = [size for size in declared.names() if size not in known]
    if any(size not in core.sizes for size in unknown) or len(unknown) > 1:
        return False
    message = f"a dimension of {name} has another length than {declared}, which is declared"
    if not unknown:
        torch._check(evaluated(declared, known) == length, lambda: message)
        return True
    split = declared.split(unknown[0])
    if split is None:
        return False
    slope, rest = (evaluated(one, known) for one in split)
    if not isinstance(slope, int) or slope != 1:
        torch._check((length - rest) % slope == 0, lambda: message)
    known[unknown[0]] = length - rest if isinstance(slope, int) and slope == 1 else (length - rest) // slope
    return True


def _require(core: Core, known: Mapping[str, Length]) -> None:
    """Asks of PyTorch what the program asks of its sizes."""
    for link in unwound(core.body)[0]:
        if isinstance(link, Require) and link.condition.names() <= known.keys():
            torch._check(_truth(link.condition, known), lambda link=link: link.message)


def _truth(condition: Condition, known: Mapping[str, Length]) -> Any:
    if condition.size is not None:
        number = evaluated(condition.size, known)
        return number >= 0 if condition.kind == "nonnegative" else number == 0
    parts = [_truth(one, known) for one in condition.parts]
    if condition.kind == "not":
        return torch.sym_not(parts[0])
    if not parts:
        return condition.kind == "true"
    return reduce(lambda one, two: one & two if condition.kind == "and" else one | two, parts)


def evaluated(size: Size, known: Mapping[str, Length]) -> Length:
    """A size at lengths that may be symbols."""
    factor = size.denominator
    total: Length = 0
    for monomial, coefficient in size.terms.items():
        atoms = (known[atom] if isinstance(atom, str) else _atom(atom, known) for atom in monomial)
        total = total + _product(int(coefficient * factor), atoms)
    return total if factor == 1 else total // factor


def _product(number: int, lengths: Iterable[Length]) -> Length:
    return reduce(arithmetic.mul, lengths, number)


def _atom(atom: Interned, known: Mapping[str, Length]) -> Length:
    if isinstance(atom, Quotient):
        return evaluated(atom.numerator, known) // evaluated(atom.denominator, known)
    if isinstance(atom, Extremum):
        return reduce(
            torch.sym_min if atom.kind == "min" else torch.sym_max, (evaluated(one, known) for one in atom.sizes)
        )
    return atom.evaluated({name: int(known[name]) for name in atom.names()})  # sums and choices: of these sizes alone
