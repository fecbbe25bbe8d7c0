"""Operators of PyTorch: functions of tensors that take part in autograd, `torch.compile` and `vmap`.

Eager calls go by an `autograd.Function`, or straight to compiled code where no gradient is asked for.  While PyTorch
traces, and for tensors of other classes, the operator that is registered as `tolang::<name>_<digest>` is called.  The
pullback of a program is a program, and the batch of one too: both are operators again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import torch

from tolang.bridges.operators import Operator, program_of, separate
from tolang.bridges.torch_shapes import empty_results
from tolang.engines.contract import Engine, NumberKind, RepeatedCalls
from tolang.ground.reporting.diagnostics import ToLangCheckError, usage
from tolang.ground.system.own_modules import Carried, carried, restored
from tolang.ground.values.libraries import array_of_tensor, tensor_of_array
from tolang.ground.values.spaces import NARROW_FLOATS
from tolang.program.derivation import Derivation
from tolang.program.program import Program

Tensors = Sequence[torch.Tensor]
_TENSOR, _PARAMETER = torch.Tensor, torch.nn.Parameter
_compiling, _recording = torch.compiler.is_compiling, torch.is_grad_enabled
_modes: Callable[[], int] = torch._C._len_torch_dispatch_stack
_transforms: Callable[[], bool] = torch._C._are_functorch_transforms_active
_LIBRARY = torch.library.Library("tolang", "FRAGMENT")
_REGISTERED: dict[str, Any] = {}
_LOCK = Lock()
_NO_SEED = (0,)
_EXCHANGED = {
    torch.float64: NumberKind(2, 64), torch.float32: NumberKind(2, 32), torch.float16: NumberKind(2, 16),
    torch.bfloat16: NumberKind(4, 16), torch.int64: NumberKind(0, 64), torch.int32: NumberKind(0, 32),
    torch.int16: NumberKind(0, 16), torch.int8: NumberKind(0, 8), torch.uint8: NumberKind(1, 8),
    torch.bool: NumberKind(6, 8),
}  # fmt: skip
"""Types of tensors as DLPack tells them."""


def operator(program: Program | str | Path, *, name: str | None = None, **options: Any) -> TorchOperator:
    """A function of tensors from a program, the path of one, or its source.

    It takes the program's inputs, by position or by name, and gives what the program gives: a tensor, or several by
    name.  `name` is what PyTorch calls it; `options` are those of `tolang.compile`.
    """
    return TorchOperator(program_of(program, **options), name)


class TorchOperator(Operator):
    """A function of tensors."""

    def __init__(self, program: Program, name: str | None = None) -> None:
        super().__init__(program, name)
        self.arity, self._several = len(self.inputs), tuple(self.outputs) if len(self.outputs) > 1 else ()
        self._plain = not self.sizes
        self._short: _Short | None = None
        self._derived: dict[Program, TorchOperator] = {}
        self._backs: dict[tuple[bool, ...], _Back] = {}
        self.registered = _registered(self)

    def __call__(self, *tensors: Any, seed: int = 0, **named: Any) -> Any:
        if named or not self._plain or len(tensors) != self.arity:
            given, sizes = self.ordered(tensors, named)
            found = self.apply(given, (seed, *sizes))
        else:
            found = self.apply(tensors, (seed,) if seed else _NO_SEED)
        return dict(zip(self._several, found, strict=True)) if self._several else found

    def apply(self, tensors: Sequence[Any], numbers: tuple[int, ...]) -> Any:
        """The one result, or a tuple of several; `numbers` are the seed, and sizes that no shape gives."""
        if _compiling():
            return self.registered(*_as_tensors(tensors), *numbers)
        if _transforms():
            return _Transformed.apply(self, numbers, *_as_tensors(tensors))
        if _modes():
            return self.registered(*_as_tensors(tensors), *numbers)
        recorded = False
        for one in tensors:
            kind = type(one)
            if kind is not _TENSOR and kind is not _PARAMETER:
                return self._uncommon(tensors, numbers)
            if one.requires_grad:
                recorded = True
        if recorded and _recording():
            return _Recorded.recorded(self, numbers, *tensors)
        return self.computed(tensors, numbers)

    def _uncommon(self, tensors: Sequence[Any], numbers: tuple[int, ...]) -> Any:
        """Numbers of Python become tensors; tensors of other classes do with registered operators what they do."""
        if all(isinstance(one, torch.Tensor) for one in tensors):
            return self.registered(*tensors, *numbers)
        return self.apply(_as_tensors(tensors), numbers)

    def computed(self, tensors: Tensors, numbers: tuple[int, ...]) -> Any:
        """The results' values, of tensors that have values."""
        short = self._short
        if short is not None and numbers == _NO_SEED:
            found = short(tensors)
            if found is not None:
                return found
        if any(one.device.type == "meta" for one in tensors):
            return self.registered(*tensors, *numbers)
        arrays = [array_of_tensor(one.contiguous()) for one in tensors]
        sizes = dict(zip(self.sizes, numbers[1:], strict=True))
        results = self.results(self.program(*arrays, seed=numbers[0], **sizes))
        repeated = self.program.short_call(arrays) if numbers == _NO_SEED else None
        if repeated is not None and not any(one.is_complex() for one in tensors):  # these may be conjugate by a mark
            self._short = _Short(self.program.runner.engine, repeated, tensors, results)
        own = [separate(one, [*arrays, *results[:place]]) for place, one in enumerate(results)]
        found = tuple(map(tensor_of_array, own))
        return found[0] if len(found) == 1 else found

    def cotangents(
        self, tensors: Tensors, numbers: tuple[int, ...], needed: Sequence[bool], given: Sequence[torch.Tensor | None]
    ) -> list[torch.Tensor | None]:
        """The cotangents of inputs, where needed, from those of outputs that there are."""
        asked = *needed, *[one is not None for one in given]
        if asked not in self._backs:
            self._backs[asked] = self._back(needed, given)
        back, seeded, places = self._backs[asked]
        if back is None:
            return [None] * self.arity
        found = back.apply([*tensors, *(given[place] for place in seeded)], self._numbers(back, numbers))
        several = found if len(back.outputs) > 1 else (found,)
        slopes: list[torch.Tensor | None] = [None] * self.arity
        for place, one in zip(places, several, strict=True):
            slopes[place] = one if one.dtype is tensors[place].dtype else one.to(tensors[place].dtype)
        return slopes

    def _back(self, needed: Sequence[bool], given: Sequence[torch.Tensor | None]) -> _Back:
        """What gives the cotangents of the inputs that need one, of the outputs whose cotangents are given."""
        by = [(place, one) for place, one in enumerate(self.inputs) if needed[place] and one in self.real]
        of = [(place, one) for place, one in enumerate(self.outputs) if given[place] is not None and one in self.real]
        if not by or not of:
            return None, (), ()
        back = self._also(self.pulled_back(tuple(one for _, one in of), tuple(one for _, one in by)))
        return back, tuple(place for place, _ in of), tuple(place for place, _ in by)

    def tangents(self, tensors: Tensors, numbers: tuple[int, ...], given: Sequence[torch.Tensor | None]) -> Any:
        """The derivatives of outputs along directions of those inputs that have one."""
        pairs = [pair for pair in zip(self.inputs, given, strict=True) if pair[1] is not None and pair[0] in self.real]
        of = tuple(one for one in self.outputs if one in self.real)
        along = self._also(self.pushed_forward(of, tuple(one for one, _ in pairs)))
        found = along.apply([*tensors, *(one for _, one in pairs if one is not None)], self._numbers(along, numbers))
        kept = dict(zip(of, found if len(of) > 1 else (found,), strict=True))
        return tuple(kept.get(one) for one in self.outputs) if self._several else found

    def together(self, axes: Sequence[int | None], tensors: Tensors, numbers: tuple[int, ...], random: str) -> Any:
        """The results of a batch along some axes, whose first axis is that of the batch."""
        if self.draws and random != "same":
            fix = 'vmap(..., randomness="same")'
            raise usage("E614", f"{self.own_name} draws the same random numbers for all of a batch", fix=fix)
        over = tuple(name for name, axis in zip(self.inputs, axes, strict=True) if axis is not None)
        moved = [one if axis is None else one.movedim(axis, 0) for one, axis in zip(tensors, axes, strict=True)]
        try:
            whole = self._also(self.batched(over))
        except ToLangCheckError:  # lengths inside depend on data: each element by itself
            count = next(len(one) for one, axis in zip(moved, axes, strict=True) if axis is not None)
            rows = [[o if a is None else o[k] for o, a in zip(moved, axes, strict=True)] for k in range(count)]
            found = [self.apply(row, numbers) for row in rows]
            return tuple(map(torch.stack, zip(*found, strict=True))) if self._several else torch.stack(found)
        return whole.apply(moved, self._numbers(whole, numbers))

    def _also(self, program: Program) -> TorchOperator:
        """The operator of a program that is derived from this one's."""
        if program not in self._derived:
            self._derived[program] = TorchOperator(program, self.own_name)
        return self._derived[program]

    def _numbers(self, other: TorchOperator, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """The seed and the sizes that a derived operator takes, which may be fewer."""
        if not self.sizes:
            return numbers
        sizes = dict(zip(self.sizes, numbers[1:], strict=True))
        return numbers[0], *(sizes[one] for one in other.sizes)

    def __deepcopy__(self, _: Any) -> TorchOperator:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        one = self.program
        if one.weights:
            raise usage("E614", "an operator of a model that brings its weights cannot be pickled")
        text, options = carried(one.source), (one.engine, one.strict, one.runner.fallback)
        return _restored, (text, (*options, one.runner.threads), one.derivations, self.own_name)


_Back = tuple[TorchOperator | None, tuple[int, ...], tuple[int, ...]]
"""The operator of a pullback, the places of outputs whose cotangents it takes, and of inputs whose it gives."""


def _restored(
    text: Carried,
    options: tuple[str, bool, bool, int | None],
    derivations: tuple[Derivation, ...],
    name: str,
) -> TorchOperator:
    return TorchOperator(Program(restored(text), *options, None, derivations), name)


class _Recorded(torch.autograd.Function):
    """An eager call that autograd remembers."""

    @classmethod
    def recorded(cls, *arguments: Any) -> Any:
        """As `apply`, which looks first for transformations: here there are none."""
        return super(torch.autograd.Function, cls).apply(*arguments)

    @staticmethod
    def forward(context: Any, operator: TorchOperator, numbers: tuple[int, ...], *tensors: torch.Tensor) -> Any:
        context.called = operator, numbers
        context.save_for_backward(*tensors)
        context.set_materialize_grads(False)
        return operator.computed(tensors, numbers)

    @staticmethod
    def backward(context: Any, *given: torch.Tensor | None) -> Any:
        operator, numbers = context.called
        needed = context.needs_input_grad[2:]
        return None, None, *operator.cotangents(context.saved_tensors, numbers, needed, given)


class _Transformed(torch.autograd.Function):
    """A call inside `torch.func`'s transformations, which ask for what is remembered apart from what is computed."""

    @staticmethod
    def forward(operator: TorchOperator, numbers: tuple[int, ...], *tensors: torch.Tensor) -> Any:
        return operator.apply(tensors, numbers)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        operator, numbers, *tensors = inputs
        ctx.called = operator, numbers
        ctx.save_for_backward(*tensors)
        ctx.save_for_forward(*tensors)
        ctx.set_materialize_grads(False)

    backward = _Recorded.backward

    @staticmethod
    def vmap(
        info: Any, in_dims: tuple[Any, ...], operator: TorchOperator, numbers: tuple[int, ...], *tensors: Any
    ) -> Any:
        found = operator.together(in_dims[2:], tensors, numbers, info.randomness)
        return found, 0 if len(operator.outputs) == 1 else (0,) * len(operator.outputs)

    @staticmethod
    def jvp(ctx: Any, *given: Any) -> Any:
        operator, numbers = ctx.called
        return operator.tangents(ctx.saved_tensors, numbers, given[2:])


class _Short:
    """Calls with tensors of the types and shapes of the call before: compiled code gets their addresses alone.

    Where PyTorch has the exchange interface of DLPack, native code looks at the tensors and makes the results.
    """

    __slots__ = ("exchanged", "kinds", "made", "repeated")

    def __init__(
        self, engine: Engine, repeated: RepeatedCalls, tensors: Tensors, results: Sequence[np.ndarray[Any, Any]]
    ) -> None:
        self.repeated = repeated
        self.kinds = tuple((one.dtype, one.shape) for one in tensors)
        narrow = any(one.dtype.name in NARROW_FLOATS.values() for one in results)
        self.made: Callable[[Any], torch.Tensor] = tensor_of_array if narrow else torch.from_numpy
        inputs = [(_EXCHANGED.get(one.dtype), tuple(one.shape)) for one in tensors]
        outputs = [_EXCHANGED.get(getattr(torch, one.dtype.name, None)) for one in results]
        known = [(kind, shape) for kind, shape in inputs if kind is not None]
        gives = [kind for kind in outputs if kind is not None]
        whole = len(known) == len(inputs) and len(gives) == len(outputs)
        self.exchanged = engine.exchanged(repeated, _TENSOR, known, gives) if whole else None

    def __call__(self, tensors: Tensors) -> Any:
        """The results; None where the ordinary call is needed."""
        for one in tensors:
            if one.is_neg():
                return None
        if self.exchanged is not None:
            found = self.exchanged(tensors if type(tensors) is tuple else tuple(tensors))
            if found is not None:
                return found
        return self._with_addresses(tensors)

    def _with_addresses(self, tensors: Sequence[Any]) -> Any:
        """The results of tensors that are looked at here, of whatever layout."""
        addresses, held = [], []
        try:
            for one, (kind, shape) in zip(tensors, self.kinds, strict=True):
                if one.dtype is not kind or one.shape != shape or not one.is_cpu:
                    return None
                own = one.contiguous()
                held.append(own)
                addresses.append(own.data_ptr())
        except RuntimeError:  # a tensor without memory of its own
            return None
        found = self.repeated.at(addresses)
        if found is None:
            return None
        return self.made(found[0]) if len(found) == 1 else tuple([self.made(one) for one in found])


def _as_tensors(given: Sequence[Any]) -> list[torch.Tensor]:
    """Tensors as they are, and numbers of Python as tensors of the kind of those beside them."""
    floating = [one.dtype for one in given if isinstance(one, torch.Tensor) and one.is_floating_point()]
    kind = floating[0] if floating else torch.get_default_dtype()
    made = []
    for one in given:
        if isinstance(one, float):
            one = torch.tensor(one, dtype=kind)
        elif isinstance(one, bool | int):
            one = torch.tensor(one)
        elif not isinstance(one, torch.Tensor):
            raise usage("E614", f"an operator of PyTorch takes tensors and numbers, and got a {type(one).__name__}")
        made.append(one)
    return made


def _registered(operator: TorchOperator) -> Any:
    """The operator as PyTorch's dispatcher knows it, registered once for all that compute the same."""
    with _LOCK:
        if operator.name not in _REGISTERED:
            _REGISTERED[operator.name] = _register(operator)
        return _REGISTERED[operator.name]


def _register(operator: TorchOperator) -> Any:
    takes = [f"Tensor x{place}" for place in range(1, operator.arity + 1)]
    takes += ["int seed", *(f"SymInt size{place}" for place in range(1, len(operator.sizes) + 1))]
    gives = ", ".join(["Tensor"] * len(operator.outputs))
    name, count = f"tolang::{operator.name}", operator.arity
    _LIBRARY.define(
        f"{operator.name}({', '.join(takes)}) -> {gives if len(operator.outputs) == 1 else f'({gives})'}",
        tags=(torch.Tag.pt2_compliant_tag,),
    )

    def computed(*given: Any) -> Any:
        return operator.computed(given[:count], given[count:])

    def empty(*given: Any) -> Any:
        found = empty_results(operator, given[:count], given[count + 1 :])
        return found[0] if len(found) == 1 else tuple(found)

    def remember(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.save_for_backward(*inputs[:count])
        ctx.numbers = inputs[count:]
        ctx.set_materialize_grads(False)

    def backward(ctx: Any, *given: torch.Tensor | None) -> Any:
        found = operator.cotangents(ctx.saved_tensors, ctx.numbers, ctx.needs_input_grad[:count], given)
        return *found, *(None for _ in ctx.numbers)

    def together(info: Any, in_dims: tuple[int | None, ...], *given: Any) -> Any:
        found = operator.together(in_dims[:count], given[:count], given[count:], info.randomness)
        return found, 0 if len(operator.outputs) == 1 else (0,) * len(operator.outputs)

    _LIBRARY.impl(operator.name, computed, "CompositeExplicitAutograd")
    torch.library.register_fake(name, empty, lib=_LIBRARY)
    torch.library.register_autograd(name, backward, setup_context=remember, lib=_LIBRARY)
    torch.library.register_vmap(name, together, lib=_LIBRARY)
    return getattr(torch.ops.tolang, operator.name).default
