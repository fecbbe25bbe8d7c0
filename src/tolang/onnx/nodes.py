"""The nodes of a model, as its program knows them."""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProgramNode:
    """A node of a model, and the definitions of the model's program that were made for it."""

    name: str
    operator: str
    definitions: tuple[str, ...]
