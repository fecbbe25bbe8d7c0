"""The fields of nodes: which of them a walk looks into, found once for each kind of node."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

_FOUND: dict[tuple[Any, tuple[str, ...]], tuple[str, ...]] = {}


def names_of_fields(kind: Any, without: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The names of a dataclass's fields, less some."""
    key = kind, without
    found = _FOUND.get(key)
    if found is None:
        found = _FOUND[key] = tuple(one.name for one in fields(kind) if one.name not in without)
    return found
