"""How JAX's compiled code calls a program: by XLA's foreign-function interface; where that is not known, a callback."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from ctypes import c_void_p
from functools import cache
from pathlib import Path
from typing import Any

import jax
import numpy as np

from tolang.engines.contract import ArrayKind, RepeatedCalls, XlaInterface, XlaWay
from tolang.ground.values.casting import Array

TARGET = "tolang"
"""What XLA calls the function that it calls."""


@cache
def reason_for_callbacks(interface: XlaInterface) -> str | None:
    """Why calls are callbacks of JAX; None where they go by XLA's interface, for which this makes ready."""
    found = _version()
    if found is None:
        return "JAX does not tell the version of XLA's foreign-function interface"
    if found not in interface.VERSIONS:
        known = ", ".join(f"{major}.{minor}" for major, minor in sorted(interface.VERSIONS))
        return f"XLA's foreign-function interface has version {found[0]}.{found[1]}, of which {known} are known"
    jax.ffi.register_ffi_target(TARGET, jax.ffi.pycapsule(c_void_p(interface.handler(found))), platform="cpu")
    return None


Way = XlaWay | str
"""How a call is made: one of XLA's, which tells, or why it is none."""


def call(
    interface: XlaInterface | None,
    name: str,
    arrays: Sequence[Any],
    results: Sequence[jax.ShapeDtypeStruct],
    compute: Callable[[list[Array]], Sequence[Array]],
    repeated: Callable[[list[Array]], RepeatedCalls | str],
) -> tuple[Sequence[Any], Way]:
    """The results of a computation, which its name and the types and shapes of arrays tell from all others.

    By the `interface` XLA calls the engine's code; an engine may have none.
    """
    inputs = [ArrayKind(np.dtype(one.dtype), tuple(one.shape)) for one in arrays]
    outputs = [ArrayKind(np.dtype(one.dtype), tuple(one.shape)) for one in results]
    if interface is None:
        reason: str | None = "the engine's code cannot be called by XLA"
    else:
        reason = reason_for_callbacks(interface) or _reason_against(interface, [*inputs, *outputs])
    if reason or interface is None:
        called = jax.pure_callback(lambda *given: compute(list(map(np.asarray, given))), results, *arrays)
        return called, f"a callback of JAX: {reason}"
    said = repr([name, *((kind.name, shape) for kind, shape in (*inputs, *outputs))])
    key = int.from_bytes(hashlib.sha256(said.encode()).digest()[:8], "little") >> 1
    way = interface.call_of(key, inputs, outputs, compute, repeated)
    return jax.ffi.ffi_call(TARGET, results)(*arrays, key=np.int64(key)), way


def _reason_against(interface: XlaInterface, kinds: Sequence[ArrayKind]) -> str | None:
    """Why arrays cannot be passed by XLA's interface."""
    if len(kinds) > interface.MOST_ARRAYS:
        return f"there are more than {interface.MOST_ARRAYS} arrays"
    unknown = [kind.dtype.name for kind in kinds if kind.dtype.name not in interface.TYPES]
    return f"{unknown[0]} is not a type that is known of XLA" if unknown else None


def _version() -> tuple[int, int] | None:
    """The version of the interface, as the headers tell that JAX brings along."""
    try:
        text = (Path(jax.ffi.include_dir()) / "xla" / "ffi" / "api" / "c_api.h").read_text("utf-8")
    except (AttributeError, OSError):
        return None
    found = [re.search(rf"#define XLA_FFI_API_{part} (\d+)", text) for part in ("MAJOR", "MINOR")]
    return None if found[0] is None or found[1] is None else (int(found[0][1]), int(found[1][1]))
