"""ToLang in PyTorch: programs as operators, with autograd, `torch.compile` and `vmap`; and as modules."""

from __future__ import annotations

try:
    import torch as _torch
except ImportError as error:
    raise ImportError("tolang.torch needs PyTorch: pip install 'tolang[torch]'") from error

from tolang.bridges.torch_modules import Module
from tolang.bridges.torch_operators import TorchOperator, operator

del _torch
__all__ = ["Module", "TorchOperator", "operator"]
