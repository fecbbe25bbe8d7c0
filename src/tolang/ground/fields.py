"""The fields of nodes: which of them a walk looks into, found once for each kind of node."""

from __future__ import annotations

from typing import Any

from tolang.ground.dataclasses import fields

_FOUND: dict[tuple[Any, tuple[str, ...], tuple[str, ...]], tuple[str, ...]] = {}


def names_of_fields(kind: Any, without: tuple[str, ...] = (), holding: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The names of a dataclass's fields, less some; only those whose types mention one of `holding`, where given."""
    key = kind, without, holding
    found = _FOUND.get(key)
    if found is None:
        own = [one for one in fields(kind) if one.name not in without]
        kept = [one for one in own if not holding or any(name in str(one.type) for name in holding)]
        found = _FOUND[key] = tuple(one.name for one in kept)
    return found
