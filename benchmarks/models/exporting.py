"""Networks of PyTorch written as ONNX, by either of its exporters, and what PyTorch itself counts of them."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.utils.flop_counter import FlopCounterMode

from benchmarks.models.inputs import Input, Inputs
from benchmarks.models.ways import Architecture, Model, Network

SEED = 0


def network_of(model: Model) -> Any:
    """A network with random weights, always the same."""
    torch.manual_seed(SEED)
    if isinstance(model.way, Architecture):
        return Plain(_random_architecture(model.way), model.way, tuple(model.inputs))
    from benchmarks.models import networks

    assert isinstance(model.way, Network)
    return getattr(networks, model.way.function)(**model.way.settings)


def all_inputs(model: Model) -> dict[str, Input]:
    """The inputs of a model, with those of its cache."""
    cache = model.way.cache if isinstance(model.way, Architecture) else None
    if cache is None:
        return dict(model.inputs)
    layers, heads, width = cache
    names = [f"past_{layer}_{what}" for layer in range(layers) for what in ("key", "value")]
    return {**model.inputs, **{name: Input(("batch", heads, "past", width)) for name in names}}


def exported(model: Model, arrays: Mapping[str, np.ndarray[Any, Any]], path: Path) -> int | None:
    """Writes a network in ONNX; multiply-accumulates as PyTorch counts them, where it can."""
    assert isinstance(model.way, Network | Architecture)
    network = network_of(model).eval().requires_grad_(False)
    examples = tuple(torch.from_numpy(one) for one in arrays.values())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.no_grad():
            counted = _counted(network, examples)
            outputs = [f"result_{place}" for place in range(len(_tensors(network(*examples))))]
        _export(network, examples, all_inputs(model), outputs, path, model.way.exporter)
    return counted


def _export(
    network: Any, examples: tuple[Any, ...], inputs: Inputs, outputs: list[str], path: Path, exporter: str
) -> None:
    if exporter == "traced":
        axes = {name: one.axes for name, one in inputs.items() if one.axes}
        torch.onnx.export(
            network, examples, str(path), input_names=list(inputs), output_names=outputs, dynamic_axes=axes,
            dynamo=False, opset_version=17,
        )  # fmt: skip
        return
    axes_of_each = tuple(one.axes or None for one in inputs.values())
    variadic = "arguments" in inspect.signature(network.forward).parameters
    torch.onnx.export(
        network, examples, str(path), input_names=list(inputs), output_names=outputs, dynamo=True, external_data=False,
        dynamic_shapes={"arguments": axes_of_each} if variadic else axes_of_each, verbose=False,
    )  # fmt: skip


def _counted(network: Any, examples: tuple[Any, ...]) -> int:
    with FlopCounterMode(display=False) as counter:
        network(*examples)
    return int(counter.get_total_flops()) // 2


def _random_architecture(way: Architecture) -> Any:
    import transformers

    kind = getattr(transformers, way.network)
    configuration = kind.config_class(**way.configuration)
    configuration._attn_implementation = "eager"
    if hasattr(configuration, "use_cache"):
        configuration.use_cache = way.cache is not None
    network = kind(configuration)
    if hasattr(network, "set_attn_implementation"):
        network.set_attn_implementation("eager")
    return network


class Plain(torch.nn.Module):  # type: ignore[misc]  # PyTorch may be missing
    """A network of `transformers` that takes tensors and gives tensors, those of a cache among them."""

    def __init__(self, network: Any, way: Architecture, names: tuple[str, ...]) -> None:
        super().__init__()
        self.network, self.way, self.names = network, way, names

    def forward(self, *arguments: Any) -> Any:
        given = dict(zip(self.names, arguments, strict=False))
        if self.way.cache is None:
            return _tensors(self.network(**given, **self.way.further))
        from transformers import DynamicCache

        cache, past = DynamicCache(), arguments[len(self.names) :]
        for layer in range(self.way.cache[0]):
            cache.update(past[2 * layer], past[2 * layer + 1], layer)
        found = self.network(**given, past_key_values=cache, use_cache=True, **self.way.further)
        present = [one for layer in cache.layers for one in (layer.keys, layer.values)]
        return (found.logits, *present)


def _tensors(found: Any) -> tuple[Any, ...]:
    """The tensors of a result, however they are put together."""
    return tuple(_leaves(found))


def _leaves(found: Any) -> Iterator[Any]:
    if isinstance(found, torch.Tensor):
        if found.is_floating_point() or found.dtype in (torch.int64, torch.bool):
            yield found
    elif isinstance(found, Mapping):
        for one in found.values():
            yield from _leaves(one)
    elif isinstance(found, tuple | list):
        for one in found:
            yield from _leaves(one)
