"""Modules of PyTorch whose parameters are inputs of a program."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from tolang.bridges.torch_operators import operator
from tolang.ground.reporting.diagnostics import usage
from tolang.program.program import Program


class Module(torch.nn.Module):
    """An operator that has some of its inputs itself: parameters, which optimisers train, by the names of the inputs.

    `parameters` are the tensors that these begin with; those of whole numbers are buffers, for they have no gradients.
    The other inputs are what a call gives, in their order or by name.
    """

    def __init__(
        self,
        program: Program | str | Path,
        parameters: Mapping[str, torch.Tensor],
        *,
        name: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.operator = operator(program, name=name, **options)
        for one, tensor in parameters.items():
            if one not in self.operator.inputs:
                raise usage("E603", f"the program has no input {one}", expected=", ".join(self.operator.inputs))
            if hasattr(self, one):
                fix = "give the input another name"
                raise usage("E614", f"a parameter cannot be called {one}, as something of torch.nn.Module is", fix=fix)
            if torch.is_floating_point(tensor):
                held = tensor if isinstance(tensor, torch.nn.Parameter) else torch.nn.Parameter(tensor.detach())
                self.register_parameter(one, held)
            else:
                self.register_buffer(one, tensor)
        self.own_inputs = tuple(parameters)
        self.open_inputs = tuple(one for one in self.operator.inputs if one not in parameters)

    def forward(self, *tensors: Any, seed: int = 0, **named: Any) -> Any:
        """What the program gives for the inputs that are not the module's own."""
        if len(tensors) > len(self.open_inputs):
            expected = ", ".join(self.open_inputs)
            raise usage("E603", "the module is called with more inputs than are open", str(len(tensors)), expected)
        given = dict(zip(self.open_inputs, tensors, strict=False))
        own = {one: getattr(self, one) for one in self.own_inputs}
        return self.operator(seed=seed, **own, **given, **named)

    def extra_repr(self) -> str:
        """The program, in one line."""
        return repr(self.operator.program)
