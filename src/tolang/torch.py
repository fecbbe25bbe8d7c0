"""ToLang in PyTorch: programs as operators, with autograd, `torch.compile` and `vmap`; and as modules."""

from __future__ import annotations

from tolang.bridges.torch_operators import operator

__all__ = ["operator"]
