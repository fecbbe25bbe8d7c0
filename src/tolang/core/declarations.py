"""The types of declarations as the language writes them, so that the parser reads the same list and shape again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tolang.ground.values.spaces import Column, Space
from tolang.syntax.lexemes import KEYWORDS


def declared_columns(columns: Iterable[Column], written: Callable[[Space], str]) -> str:
    """The components of a list, with those of their names that a declaration can have, each once."""
    found: list[str] = []
    taken: set[str] = set()
    for one in columns:
        name = one.name if one.name is not None and is_name(one.name) and one.name not in taken else None
        taken |= {name} if name else set()
        found.append(f"{name}: {written(one.space)}" if name else written(one.space))
    return ", ".join(found)


def declared_type(columns: Sequence[Column], shape: Sequence[object], written: Callable[[Space], str]) -> str:
    """`R [n,m]`, `[name: S, age: N] [n]`, `[length: R]`: what stands after the colon of a declaration."""
    listed = declared_columns(columns, written)
    listed = f"[{listed}]" if len(columns) > 1 or ":" in listed else listed
    return f"{listed} [{', '.join(str(length) for length in shape)}]" if shape else listed


def is_name(text: str) -> bool:
    """Whether a program can call something so; names from files need not be such."""
    return text.isascii() and text.isidentifier() and text not in KEYWORDS
