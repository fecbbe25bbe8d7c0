"""Central differences, which gradients are held against: along random directions."""

from __future__ import annotations

from typing import Any

import numpy as np

import tolang
from tolang.core.verifier import verify

Array = np.ndarray[Any, Any]
STEP = 1e-6
DIRECTIONS = 1


def results(program: tolang.Program, data: dict[str, Any]) -> dict[str, Any]:
    """What a program gives, by name."""
    found = program(**data)
    return found if len(program.outputs) > 1 else {next(iter(program.outputs)): found}


def slope(program: tolang.Program, of: str, data: dict[str, Any], direction: dict[str, Array], weights: Any) -> float:
    """How fast the sum of an output's elements, with weights, grows along a direction of the inputs."""
    ends = []
    for sign in (STEP, -STEP):
        moved = {name: np.asarray(data[name]) + sign * way for name, way in direction.items()}
        value = results(program, data | moved)[of]
        ends.append(float(np.sum(np.asarray(value, dtype=np.float64) * weights)))
    return (ends[0] - ends[1]) / (2 * STEP)


def judge(program: tolang.Program, of: str, by: list[str], data: dict[str, Any], tolerance: float = 1e-6) -> None:
    """Holds the pullback of an output by inputs against central differences."""
    pullback = program.pullback(of, by)
    verify(pullback.core)
    random = np.random.default_rng(1)
    weights = random.normal(size=np.shape(results(program, data)[of]))
    found = results(pullback, data | {f"d_{of}": weights})
    for one in by:
        given = np.asarray(found[f"d_{one}"], dtype=np.float64)
        assert given.shape == np.shape(data[one])
        for _ in range(DIRECTIONS):
            way = random.normal(size=given.shape)
            expected = slope(program, of, data, {one: way}, weights)
            actual = float(np.sum(given * way))
            size = 1 + float(np.sum(np.abs(given * way)))
            assert abs(actual - expected) <= tolerance * size, f"by {one}: {actual}, and {expected} by differences"


def numbers(*shape: int, seed: int = 0) -> Array:
    """Numbers from 0.3 to 1.7, no two equal."""
    return np.random.default_rng(seed + sum(shape)).uniform(0.3, 1.7, shape)


def judge_at_sizes(text: str, by: list[str], sizes: dict[str, int], engine: str = "interpret", **data: Any) -> None:
    """Judges the output y of a program at sizes, with numbers for all inputs that are not given."""
    program = tolang.compile(text, engine=engine)
    drawn = {
        name: numbers(*(int(length.evaluate(sizes)) for length in kind.shape), seed=seed)
        for seed, (name, kind) in enumerate(program.inputs.items())
        if name not in data
    }
    judge(program, "y", by, drawn | data)
