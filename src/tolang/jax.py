"""ToLang in JAX: programs as functions of arrays, with `jit`, `grad` and `vmap`."""

from __future__ import annotations

try:
    import jax as _jax
except ImportError as error:
    raise ImportError("tolang.jax needs JAX: pip install 'tolang[jax]'") from error

from tolang.bridges.jax_operators import JaxOperator, operator

del _jax
__all__ = ["JaxOperator", "operator"]
