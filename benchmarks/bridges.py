"""`python -m benchmarks.bridges`: what a call from PyTorch or JAX costs over the same call with NumPy arrays.

A program of eight numbers costs next to nothing itself, so that what is left is the way there and back.
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import numpy as np
import torch
from rich.console import Console
from rich.table import Table

import tolang
import tolang.jax
import tolang.torch
from benchmarks.clock import microseconds

SOURCE = "tol x: R [n]\ntol w: R [n]\ny := map(x, * * w[*] + 1)"


def main() -> None:
    program = tolang.compile(SOURCE)
    in_torch, in_jax = tolang.torch.operator(program), tolang.jax.operator(program)
    arrays = [np.ones(8), np.ones(8)]
    tensors = [torch.from_numpy(one) for one in arrays]
    needing = [tensors[0], torch.ones(8, dtype=torch.float64, requires_grad=True)]
    jaxed, compiled = [jax.numpy.ones(8), jax.numpy.ones(8)], jax.jit(in_jax)
    plain = jax.jit(lambda x, w: x * w + 1)
    calls: dict[str, Callable[[], object]] = {
        "ToLang, NumPy arrays": lambda: program(*arrays),
        "ToLang, operator of PyTorch": lambda: in_torch(*tensors),
        "ToLang, operator of PyTorch with autograd": lambda: in_torch(*needing),
        "ToLang, program called with tensors": lambda: program(*tensors),
        "PyTorch's own x*w + 1": lambda: tensors[0] * tensors[1] + 1,
        "PyTorch's own x*w + 1 with autograd": lambda: needing[0] * needing[1] + 1,
        "ToLang, operator of JAX": lambda: in_jax(*jaxed).block_until_ready(),
        "ToLang, operator of JAX in jit": lambda: compiled(*jaxed).block_until_ready(),
        "JAX's own x*w + 1 in jit": lambda: plain(*jaxed).block_until_ready(),
    }
    found = {name: microseconds(call) for name, call in calls.items()}
    table = Table("call", "µs", "over NumPy arrays")
    for name, took in found.items():
        table.add_row(name, f"{took:.1f}", f"{took - found['ToLang, NumPy arrays']:+.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
