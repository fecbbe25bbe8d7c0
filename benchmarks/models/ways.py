"""A model of the catalogue: its name, the way it is made, and inputs of one or more lengths to try it with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.models.inputs import Inputs, Sizes
from benchmarks.models.sources import Wheel
from tolang.ground.dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file inside a wheel of the package index."""

    wheel: Wheel
    member: str


@dataclass(frozen=True, slots=True)
class Network:
    """A network of PyTorch with random weights: a function of `networks`, called with some settings."""

    function: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    exporter: str = "traced"


@dataclass(frozen=True, slots=True)
class Architecture:
    """An architecture of `transformers` with a small configuration and random weights.

    With a cache, keys and values of the past are inputs, and those with what is new added are outputs.
    """

    network: str
    configuration: Mapping[str, Any]
    exporter: str = "traced"
    cache: tuple[int, int, int] | None = None
    """Layers, heads and the width of each."""
    further: Mapping[str, Any] = field(default_factory=dict)
    """What the network is called with beside its inputs."""


@dataclass(frozen=True, slots=True)
class Learned:
    """An estimator of scikit-learn, or several in a row, fitted to drawn data."""

    steps: tuple[tuple[str, Mapping[str, Any]], ...]
    """Classes, by module and name, and their settings."""
    task: str = "classes"
    """What there is to learn: `classes`, `numbers`, `topics` of text, or `groups`."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """What the converter is told."""


@dataclass(frozen=True, slots=True)
class Optimised:
    """Another model of the catalogue as onnxruntime saves it at one of its levels, or its optimiser of transformers."""

    base: str
    level: str = "extended"
    heads: int = 0
    width: int = 0


@dataclass(frozen=True, slots=True)
class Quantised:
    """Another model of the catalogue with numbers of few digits: `static`, `dynamic` or `blocks` of some bits."""

    base: str
    how: str
    bits: int = 8


Way = Fetched | Network | Architecture | Learned | Optimised | Quantised


@dataclass(frozen=True, slots=True)
class Model:
    """One model."""

    name: str
    way: Way
    inputs: Inputs = field(default_factory=dict)
    """Empty where they are those of the model it is made from."""
    sizes: tuple[Sizes, ...] = ({},)
    """The lengths of the first are measured, those of the others held against onnxruntime as well."""
    tolerance: float = 1e-3
    """How far results may be from onnxruntime's, of the largest number among them."""
