"""Operators of JAX: functions of arrays under `jit`, `grad` and `vmap`.

Traced calls are calls of XLA into compiled code, whose results have the shapes that the program's symbolic sizes give,
and derivatives are those of the pullback, a program again.  A batch is one call of the batched program.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jax import numpy as jnp

from tolang.bridges.jax_calls import Way, call
from tolang.bridges.operators import Operator, program_of
from tolang.data.binding import bind_shapes
from tolang.engines.contract import RepeatedCalls
from tolang.ground.reporting.diagnostics import ToLangCheckError, usage
from tolang.ground.values.casting import Array
from tolang.ground.values.libraries import JAX, narrowed, other_memory
from tolang.ground.values.spaces import dtype_of
from tolang.program.program import Program

_NO_SEED = (0,)


def operator(program: Program | str | Path, *, name: str | None = None, **options: Any) -> JaxOperator:
    """A function of JAX's arrays from a program, the path of one, or its source.

    It takes the program's inputs, by position or by name, and gives what the program gives: an array, or several by
    name.  `options` are those of `tolang.compile`.
    """
    return JaxOperator(program_of(program, **options), name)


class JaxOperator(Operator):
    """A function of JAX's arrays, whose results have shapes that follow from those of its arguments."""

    def __init__(self, program: Program, name: str | None = None) -> None:
        super().__init__(program, name)
        for one, kind in self.outputs.items():
            if any(length.names() - set(program.sizes) for length in kind.shape):
                fix = "reduce it to a known shape, or call the program itself"
                raise usage(
                    "E614", f"only running tells the shape of {one}, and JAX wants it before", str(kind), fix=fix
                )
        self._derived: dict[Program, JaxOperator] = {}
        self._ways: dict[str, Way] = {}

    def __call__(self, *arrays: Any, seed: int = 0, **named: Any) -> Any:
        given, sizes = self.ordered(arrays, named)
        found = self.apply([_placed(one) for one in given], (seed, *sizes))
        return dict(zip(self.outputs, found, strict=True)) if len(self.outputs) > 1 else found[0]

    def apply(self, arrays: Sequence[Any], numbers: tuple[int, ...]) -> Sequence[Any]:
        """The results, in order; `numbers` are the seed, and sizes that no shape gives."""
        if any(isinstance(one, jax.core.Tracer) for one in arrays):
            found: Sequence[Any] = _traced(self, numbers, *arrays)
            return found
        return [JAX.given(one) for one in self._values(numbers, [JAX.taken(one) for one in arrays])]

    def called(self, arrays: Sequence[Any], numbers: tuple[int, ...]) -> Sequence[Any]:
        """The results of a call that is made when the arrays have values; of a batch, that of the batched program."""
        core = self.core(np.dtype(one.dtype) for one in arrays)
        shapes = {name: tuple(one.shape) for name, one in zip(self.inputs, arrays, strict=True)}
        shapes |= {name: value.shape for name, value in self.program.weights.items()}
        sizes = bind_shapes(core, shapes, dict(zip(self.sizes, numbers[1:], strict=True)))
        results = [
            jax.ShapeDtypeStruct(
                [int(length.evaluate(sizes)) for length in output.type.shape],
                jax.dtypes.canonicalize_dtype(dtype_of(output.type.column.storage)),
            )
            for output in core.outputs
        ]

        one = jax.custom_batching.custom_vmap(lambda *arrays: self._called(numbers, arrays, results))
        one.def_vmap(lambda _, many, *arrays: (self._batch(numbers, many, arrays), [True] * len(results)))
        found: Sequence[Any] = one(*arrays)
        return found

    def _called(self, numbers: tuple[int, ...], arrays: Sequence[Any], results: Sequence[Any]) -> Sequence[Any]:
        compute, repeated = partial(self._narrowed, numbers), partial(self._repeated, numbers)
        interface = self.program.runner.engine.xla()
        found, way = call(interface, f"{self.name} {numbers}", arrays, results, compute, repeated)
        self._ways[", ".join(f"{one.dtype}{list(one.shape)}" for one in arrays)] = way
        return found

    @property
    def ways(self) -> dict[str, str]:
        """How the calls that were traced so far are made, by the types and shapes of their arrays."""
        return {kinds: way if isinstance(way, str) else way.way for kinds, way in self._ways.items()}

    def _repeated(self, numbers: tuple[int, ...], arrays: Sequence[Array]) -> RepeatedCalls | str:
        """What calls compiled code with such arrays, or why nothing does."""
        if numbers != _NO_SEED:
            return "a seed is given, or sizes are"
        found = self.program.repeating(arrays)
        if found is not None:
            return found
        if self.program.engine == "interpret":
            return "the program is interpreted"
        return next(iter(self.program.fallbacks), "compiled code needs more than the addresses of such arrays")

    def _values(self, numbers: tuple[int, ...], arrays: Sequence[Array]) -> list[Array]:
        sizes = dict(zip(self.sizes, numbers[1:], strict=True))
        return self.results(self.program(*arrays, seed=numbers[0], **sizes))

    def _narrowed(self, numbers: tuple[int, ...], arrays: Sequence[Array]) -> list[Array]:
        return [narrowed(one) for one in self._values(numbers, arrays)]

    def _batch(self, numbers: tuple[int, ...], many: Sequence[bool], arrays: Sequence[Any]) -> Sequence[Any]:
        """The results for all rows of the arrays that have them; where lengths depend on data, one row at a time."""
        over = tuple(name for name, has_rows in zip(self.inputs, many, strict=True) if has_rows)
        try:
            whole = self._also(self.batched(over))
        except ToLangCheckError:

            def row(place: Any) -> Sequence[Any]:
                own = [one[place] if has_rows else one for one, has_rows in zip(arrays, many, strict=True)]
                return self.called(own, numbers)

            count = next(len(one) for one, has_rows in zip(arrays, many, strict=True) if has_rows)
            found: Sequence[Any] = jax.lax.map(row, jnp.arange(count))
            return found
        return whole.called(arrays, self._numbers(whole, numbers))

    def cotangents(
        self, numbers: tuple[int, ...], arrays: Sequence[Any], needed: Sequence[bool], given: Sequence[Any]
    ) -> tuple[Any, ...]:
        """The cotangents of inputs, where needed, from those of outputs that there are."""
        by = tuple(one for one, need in zip(self.inputs, needed, strict=True) if need and one in self.real)
        pairs = [pair for pair in zip(self.outputs, given, strict=True) if pair[1] is not None and pair[0] in self.real]
        if not by or not pairs:
            return (None,) * len(arrays)
        back = self._also(self.pulled_back(tuple(one for one, _ in pairs), by))
        found = back.apply([*arrays, *(one for _, one in pairs)], self._numbers(back, numbers))
        kept = dict(zip(by, found, strict=True))
        return tuple(
            kept[name].astype(one.dtype) if name in kept else None
            for name, one in zip(self.inputs, arrays, strict=True)
        )

    def _also(self, program: Program) -> JaxOperator:
        """The operator of a program that is derived from this one's."""
        if program not in self._derived:
            self._derived[program] = JaxOperator(program, self.own_name)
        return self._derived[program]

    def _numbers(self, other: JaxOperator, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """The seed and the sizes that a derived operator takes, which may be fewer."""
        sizes = dict(zip(self.sizes, numbers[1:], strict=True))
        return numbers[0], *(sizes[one] for one in other.sizes)


def _placed(given: Any) -> Any:
    """An array of JAX's, in the memory of this machine: nothing is copied from a device behind the caller's back."""
    array = given if isinstance(given, jax.Array) else jnp.asarray(given)
    if isinstance(array, jax.core.Tracer):
        device = jax.config.jax_default_device
        platform = jax.default_backend() if device is None else getattr(device, "platform", device)
        if platform != "cpu":
            fix = 'with jax.default_device(jax.devices("cpu")[0])'
            raise other_memory(f"JAX computes on {platform}", fix)
    return array


@partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _traced(operator: JaxOperator, numbers: tuple[int, ...], *arrays: Any) -> Sequence[Any]:
    return operator.called(arrays, numbers)


def _forward(operator: JaxOperator, numbers: tuple[int, ...], *arrays: Any) -> Any:
    """The results, and what the pullback needs: all arrays, and which of them it is asked for.

    A mark is a tuple or None, which hold no arrays: JAX takes them for structure, which is known while tracing.
    """
    values = [jnp.asarray(one.value) for one in arrays]
    marks = [() if one.perturbed else None for one in arrays]
    return operator.apply(values, numbers), (values, marks)


def _backward(operator: JaxOperator, numbers: tuple[int, ...], kept: Any, given: Any) -> Any:
    values, marks = kept
    cotangents = [None if isinstance(one, jax.custom_derivatives.SymbolicZero) else one for one in given]
    return operator.cotangents(numbers, values, [one is not None for one in marks], cotangents)


_traced.defvjp(_forward, _backward, symbolic_zeros=True)
