"""ToLang in JAX: programs as functions of arrays, with `jit`, `grad` and `vmap`."""

from __future__ import annotations

try:
    import jax as _jax
except ImportError as error:
    from tolang.ground.diagnostics import usage

    raise usage("E613", "tolang.jax needs the package jax", fix="pip install 'tolang[jax]'") from error

from tolang.bridges.jax_operators import JaxOperator, operator

del _jax
__all__ = ["JaxOperator", "operator"]
