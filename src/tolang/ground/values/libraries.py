"""Arrays of other libraries: as NumPy arrays without a copy, and results as arrays of the same library.

No library is imported here: whoever has an array of one has imported it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial, wraps
from typing import Any, Protocol

import numpy as np

from tolang.ground.reporting.diagnostics import ToLangUsageError, usage
from tolang.ground.values.casting import Array
from tolang.ground.values.spaces import NARROW_FLOATS, dtype_of, storage_of

CPU_MEMORY = (1, 3, 11)
"""DLPack's numbers of devices whose memory the processor reads as its own."""


class Library(Protocol):
    """A library of arrays, by its name."""

    name: str

    def taken(self, array: Any) -> Array:
        """An array of the library as NumPy's, of the same memory."""

    def given(self, array: Array) -> Any:
        """An array of NumPy as the library's."""


class Torch:
    """PyTorch's tensors.  Narrow floats, which NumPy has not, go as integers of their width."""

    name = "torch"

    def taken(self, array: Any) -> Array:
        if array.requires_grad and sys.modules["torch"].is_grad_enabled():
            fix = "call tolang.torch.operator(program), which has gradients, or pass x.detach()"
            raise usage("E614", "a tensor requires a gradient, but a call of a program records none", fix=fix)
        return array_of_tensor(array)

    def given(self, array: Array) -> Any:
        return tensor_of_array(array)


def array_of_tensor(tensor: Any) -> Array:
    """A tensor's memory as a NumPy array, whatever gradients it takes part in."""
    if not tensor.is_cpu:
        raise other_memory(f"the tensor is on the device {tensor.device}", "x.cpu()")
    plain = tensor.detach() if tensor.requires_grad else tensor
    if plain.is_conj() or plain.is_neg():
        plain = plain.resolve_conj().resolve_neg()
    narrow = _narrow_tensors().get(plain.dtype)
    if narrow is None:
        whole: Array = plain.numpy()
        return whole
    kind, held_as = narrow
    return np.asarray(plain.view(held_as).numpy()).view(kind)


def tensor_of_array(array: Array) -> Any:
    """A tensor of a NumPy array's memory."""
    torch = sys.modules["torch"]
    if not array.flags.writeable or (array.strides and min(array.strides) < 0):  # neither of which tensors have
        array = array.copy()
    if array.dtype.isbuiltin == 1:
        return torch.from_numpy(array)
    whole = np.int16 if array.itemsize == 2 else np.uint8
    return torch.from_numpy(array.view(whole)).view(getattr(torch, array.dtype.name))


@cache
def _narrow_tensors() -> dict[Any, tuple[np.dtype[Any], Any]]:
    """The types of tensors that NumPy has not, each with what holds its numbers there, and integers of its width."""
    torch = sys.modules["torch"]
    found = {}
    for storage, name in NARROW_FLOATS.items():
        if hasattr(torch, name):
            kind = dtype_of(storage)
            found[getattr(torch, name)] = kind, torch.int16 if kind.itemsize == 2 else torch.uint8
    return found


class Jax:
    """JAX's arrays, which never change, so that memory is shared where it can be."""

    name = "jax"

    def taken(self, array: Any) -> Array:
        if isinstance(array, sys.modules["jax"].core.Tracer):
            fix = "call tolang.jax.operator(program) instead"
            raise usage("E614", "JAX traces the array, so it has no values yet", fix=fix)
        _refuse_other_memory(array)
        return np.asarray(array)

    def given(self, array: Array) -> Any:
        return sys.modules["jax"].numpy.asarray(narrowed(array))


def narrowed(array: Array) -> Array:
    """An array in the types that JAX has, which are 32 bits wide unless 64 are switched on; no whole number changes."""
    goal = np.dtype(sys.modules["jax"].dtypes.canonicalize_dtype(array.dtype))
    if goal == array.dtype:
        return array
    if goal.kind in "iu" and array.size:
        limits = np.iinfo(goal)
        if int(array.min()) < limits.min or int(array.max()) > limits.max:
            fix = 'jax.config.update("jax_enable_x64", True)'
            raise usage("E614", f"a whole number is beyond the {goal} that JAX has for it", fix=fix)
    return array.astype(goal)


class ArrayAPI:
    """Any other library that speaks DLPack and the array API."""

    def __init__(self, kind: type) -> None:
        self.name = kind.__module__.partition(".")[0]
        self._namespace: Any = None

    def taken(self, array: Any) -> Array:
        _refuse_other_memory(array)
        self._namespace = array.__array_namespace__()
        return np.from_dlpack(array)

    def given(self, array: Array) -> Any:
        return self._namespace.from_dlpack(array if array.flags.writeable else array.copy())


def _refuse_other_memory(array: Any) -> None:
    kind, number = array.__dlpack_device__()
    if int(kind) not in CPU_MEMORY:
        raise other_memory(f"the array is on device {number} of kind {int(kind)}", "copy it to the CPU first")


def other_memory(where: str, fix: str) -> ToLangUsageError:
    """The error of data in a memory that no engine reaches: it is never copied behind the caller's back."""
    return usage("E615", f"{where}, which no engine of ToLang reaches yet", expected="memory of the CPU", fix=fix)


def library_of(kind: type) -> Library | None:
    """The library whose arrays are of a type; None for NumPy's own, and for what is no array."""
    if kind not in _LIBRARIES:
        _LIBRARIES[kind] = _library_of(kind)
    return _LIBRARIES[kind]


def _library_of(kind: type) -> Library | None:
    root = kind.__module__.partition(".")[0]
    if root in ("builtins", "numpy", "tolang"):
        return None
    if issubclass(kind, getattr(sys.modules.get("torch"), "Tensor", ())):
        return TORCH
    if issubclass(kind, np.ndarray) or not hasattr(kind, "__array_namespace__") or not hasattr(kind, "__dlpack__"):
        return None
    return JAX if root in ("jax", "jaxlib") else ArrayAPI(kind)


TORCH, JAX = Torch(), Jax()
_LIBRARIES: dict[type, Library | None] = {}


def library_among(values: Iterable[Any]) -> Library | None:
    """The one library that arrays among values are of, where there are any; two libraries in one call are an error."""
    found: dict[str, Library] = {}
    for value in values:
        for one in value if isinstance(value, tuple | list) and len(value) < 100 else (value,):
            library = library_of(type(one))
            if library is not None:
                found[library.name] = library
    if len(found) > 1:
        message = f"arrays of {' and '.join(sorted(found))} are given together, and results can be of one library"
        raise usage("E614", message, fix="convert them first, or give NumPy arrays beside those of one library")
    return next(iter(found.values()), None)


def as_numpy(value: Any) -> Any:
    """An argument with arrays of other libraries as NumPy's, inside tuples and lists, too."""
    if isinstance(value, tuple | list) and any(library_of(type(one)) for one in value):
        return type(value)(as_numpy(one) for one in value)
    library = library_of(type(value))
    return value if library is None else library.taken(value)


def as_library(library: Library, value: Any) -> Any:
    """A result with machine numbers as arrays of a library; text, exact numbers and lists stay what they are."""
    match value:
        case dict():
            return {name: as_library(library, one) for name, one in value.items()}
        case tuple():
            return tuple(as_library(library, one) for one in value)
        case np.ndarray() | np.generic() if storage_of(value.dtype) not in (None, "text"):
            return library.given(np.asarray(value))
    return value


def same_library(call: Callable[..., Any]) -> Callable[..., Any]:
    """A method called with data, whose results are arrays of the library that the arrays it is called with are of."""

    @wraps(call)
    def called(self: Any, *arguments: Any, **named: Any) -> Any:
        library = library_among((*arguments, *named.values()))
        if library is None:
            return call(self, *arguments, **named)
        return called_in(library, partial(call, self), arguments, named)

    return called


def called_in(library: Library, call: Callable[..., Any], arguments: Iterable[Any], named: Mapping[str, Any]) -> Any:
    """What a call with NumPy arrays gives, in and out of a library."""
    inputs = {name: as_numpy(one) for name, one in named.items()}
    return as_library(library, call(*map(as_numpy, arguments), **inputs))
