"""How each peer is called: its data prepared, its code compiled, and what remains is timed.

Peers are optional.  A row's function gets the peer's module first, so that no row imports one; a missing peer is
left out of the row.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from benchmarks.row import Array, Competitor, Run
from tolang.ground.dataclasses import dataclass

MODULES = {
    "numpy": "numpy",
    "torch": "torch",
    "jax": "jax",
    "numba": "numba",
    "onnxruntime": "onnxruntime",
    "sklearn": "sklearn",
    "graphblas": "graphblas",
    "polars": "polars",
    "duckdb": "duckdb",
}

prange: Any
try:
    prange = importlib.import_module("numba").prange
except ImportError:
    prange = range


@cache
def missing(peer: str) -> str | None:
    """Why a peer cannot take part, or None where it can."""
    try:
        importlib.import_module(MODULES[peer])
    except Exception as error:  # a peer that is installed but broken is as good as missing, and no reason to stop
        return f"{type(error).__name__}: {error}"
    return None


def threads() -> int:
    """How many threads everybody uses in this process."""
    return int(os.environ.get("TOL_NUM_THREADS", "1"))


def with_numpy(function: Callable[..., Any]) -> Competitor:
    """A function of NumPy arrays."""
    return lambda *data: lambda: function(*data)


def with_torch(function: Callable[..., Any]) -> Competitor:
    """A function of the module torch and tensors, run without gradients."""

    def prepare(*data: Array) -> Run:
        import torch

        torch.set_num_threads(threads())
        tensors = [torch.from_numpy(one) for one in data]

        def run() -> Any:
            with torch.inference_mode():
                return function(torch, *tensors)

        return run

    return prepare


def with_jax(function: Callable[..., Any]) -> Competitor:
    """A function of the module jax and its arrays, compiled by `jax.jit`."""

    def prepare(*data: Array) -> Run:
        import jax

        jax.config.update("jax_enable_x64", True)
        arrays = [jax.numpy.asarray(one) for one in data]
        compiled = jax.jit(lambda *arguments: function(jax, *arguments))
        return lambda: jax.block_until_ready(compiled(*arrays))

    return prepare


def with_torch_gradient(loss: Callable[..., Any], by: tuple[int, ...]) -> Competitor:
    """A loss of the module torch and tensors, and its gradient by the tensors at some places."""

    def prepare(*data: Array) -> Run:
        import torch

        torch.set_num_threads(threads())
        tensors = [torch.from_numpy(one) for one in data]
        learned = [tensors[place].requires_grad_() for place in by]

        def run() -> Any:
            value = loss(torch, *tensors)
            return value.detach(), *torch.autograd.grad(value, learned)

        return run

    return prepare


def with_jax_gradient(loss: Callable[..., Any], by: tuple[int, ...]) -> Competitor:
    """A loss of the module jax and its arrays, and its gradient by the arrays at some places."""

    def both(jax: Any, *data: Any) -> Any:
        value, slopes = jax.value_and_grad(lambda *arrays: loss(jax, *arrays), by)(*data)
        return value, *slopes

    return with_jax(both)


def with_numba(function: Callable[..., Any]) -> Competitor:
    """A function of NumPy arrays written as loops, compiled for several threads and reassociated sums."""

    def prepare(*data: Array) -> Run:
        import numba

        compiled = numba.njit(parallel=True, fastmath=True)(function)
        return lambda: compiled(*data)

    return prepare


def with_onnxruntime(
    nodes: Callable[..., Sequence[Any]], fixed: bool = False, result: type[np.generic] | None = None
) -> Competitor:
    """A graph of ONNX nodes over inputs `x1, x2, …` with the result `y`, of the first input's type unless one is given.

    Where they are `fixed`, all inputs but the first are constants.  The function gets `onnx.helper.make_node` and the
    data.
    """

    def prepare(*data: Array) -> Run:
        import onnxruntime
        from onnx import helper, numpy_helper

        kinds = [helper.np_dtype_to_tensor_dtype(one.dtype) for one in data]
        kind = kinds[0] if result is None else helper.np_dtype_to_tensor_dtype(np.dtype(result))
        named = {f"x{place}": one for place, one in enumerate(data, start=1)}
        changing = [name for name in named if name == "x1" or not fixed]
        graph = helper.make_graph(
            list(nodes(helper.make_node, *data)),
            "row",
            [helper.make_tensor_value_info(name, kinds[int(name[1:]) - 1], named[name].shape) for name in changing],
            [helper.make_tensor_value_info("y", kind, None)],
            [numpy_helper.from_array(one, name) for name, one in named.items() if name not in changing],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads(), 1
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        given = {name: named[name] for name in changing}
        return lambda: session.run(None, given)

    return prepare


def with_graphblas(semiring: str) -> Competitor:
    """The product of two dense matrices over a semiring of SuiteSparse:GraphBLAS."""

    def prepare(a: Array, b: Array) -> Run:
        import graphblas

        graphblas.ss.config["nthreads"] = threads()
        left, right = graphblas.Matrix.from_dense(a), graphblas.Matrix.from_dense(b)
        over = getattr(graphblas.semiring, semiring)
        return lambda: Dense(over(left @ right).new())

    return prepare


class Dense:
    """A GraphBLAS result, made a NumPy array only when it is compared."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self.matrix.to_dense(0), dtype)


Order = Callable[..., Array]
"""The coordinates that bring columns into the order of the reference; it gets them and the data of the row."""
Tables = Mapping[str, tuple[str, ...]]
"""Tables by name, with the names of their columns, which are the arrays of a row's data in order."""


def with_polars(function: Callable[..., Any], tables: Tables, order: Order | None = None) -> Competitor:
    """A function of the module polars and data frames, which gives a data frame."""

    def prepare(*data: Array) -> Run:
        import polars

        frames = [polars.DataFrame(columns) for columns in _tables_of(tables, data).values()]

        def run() -> Any:
            found = function(polars, *frames)
            return Columns.of([found[name] for name in found.columns], data, order)

        return run

    return prepare


def with_duckdb(query: str, tables: Tables, order: Order | None = None) -> Competitor:
    """A query of tables in memory, whose result is fetched as NumPy arrays."""

    def prepare(*data: Array) -> Run:
        import duckdb

        connection = duckdb.connect(config={"threads": threads()})
        for name, columns in _tables_of(tables, data).items():
            connection.register("given", columns)
            connection.execute(f"create table {name} as select * from given")
        return lambda: Columns.of(list(connection.execute(query).fetchnumpy().values()), data, order)

    return prepare


def _tables_of(tables: Tables, data: Sequence[Array]) -> dict[str, dict[str, Array]]:
    arrays = iter(data)
    return {name: {column: next(arrays) for column in columns} for name, columns in tables.items()}


@dataclass(frozen=True)
class Columns:
    """A column of a result, put into the order of the reference only when it is compared."""

    columns: list[Any]
    place: int
    data: tuple[Array, ...]
    order: Order | None

    @classmethod
    def of(cls, columns: list[Any], data: tuple[Array, ...], order: Order | None) -> tuple[Columns, ...]:
        return tuple(cls(columns, place, data, order) for place in range(len(columns)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        found = [np.asarray(column) for column in self.columns]
        chosen = found[self.place] if self.order is None else found[self.place][self.order(found, *self.data)]
        return np.asarray(chosen, dtype)
